//! Convex shapes: fills and outlines them in one pass, using the distance to the nearest edge.

use std::array;

use super::rows::{pack, span, tint};
use super::{Raster, is_near, opacity};
use crate::canvas::{CORNERS_MAX, Ink, Place};

/// The sharpest turn between edges, as a cosine: with sharper ones, outlines would meet far outside.
const TURN_COS_MIN: f32 = -0.55;
/// A corner this far outside an edge, in pixels, makes a shape concave.
const FLAT: f32 = 0.05;

/// A convex shape, as a list of edges.
pub(super) struct Convex {
    edges: [Edge; CORNERS_MAX],
    len: usize,
    top: f32,
    bottom: f32,
}

/// The line through an edge. The distance of a point outside it is `x * across + y * down - offset`.
#[derive(Clone, Copy, Default)]
struct Edge {
    across: f32,
    down: f32,
    offset: f32,
}

impl Convex {
    /// The shape with these corners; `None` if it is not convex or has too sharp corners.
    pub(super) fn of(corners: &[Place]) -> Option<Self> {
        let next = |n: usize| corners[(n + 1) % corners.len()];
        if corners.len() < 3 || corners.len() > CORNERS_MAX || !is_near(corners) {
            return None;
        }
        let area: f32 =
            corners.iter().enumerate().map(|(n, from)| from[0] * next(n)[1] - from[1] * next(n)[0]).sum();
        let mut edges = [Edge::default(); CORNERS_MAX];
        for (n, from) in corners.iter().enumerate() {
            let (x, y) = (next(n)[0] - from[0], next(n)[1] - from[1]);
            // The sign of the area gives the orientation. An edge without length becomes NaN and fails the checks below.
            let unit = area.signum() / (x * x + y * y).sqrt();
            let (across, down) = (y * unit, -x * unit);
            edges[n] = Edge { across, down, offset: across * from[0] + down * from[1] };
        }
        let sides = &edges[..corners.len()];
        let is_convex = sides
            .iter()
            .all(|edge| corners.iter().all(|[x, y]| x * edge.across + y * edge.down - edge.offset < FLAT));
        let is_blunt = (0..sides.len()).all(|n| {
            let (edge, next) = (sides[n], sides[(n + 1) % sides.len()]);
            edge.across * next.across + edge.down * next.down > TURN_COS_MIN
        });
        let (top, bottom) =
            corners.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), corner| {
                (top.min(corner[1]), bottom.max(corner[1]))
            });
        (is_convex && is_blunt).then_some(Self { edges, len: corners.len(), top, bottom })
    }

    /// The part of the row at `y` that is at most `reach` outside the shape.
    fn across(&self, y: f32, reach: f32) -> (f32, f32) {
        let (mut left, mut right) = (f32::NEG_INFINITY, f32::INFINITY);
        for edge in &self.edges[..self.len] {
            let room = reach + edge.offset - y * edge.down;
            if edge.across > 1e-6 {
                right = right.min(room / edge.across);
            } else if edge.across < -1e-6 {
                left = left.max(room / edge.across);
            } else if room < 0.0 {
                return (0.0, 0.0);
            }
        }
        (left, right)
    }
}

impl Raster<'_> {
    /// Fills and outlines a shape in one colour.
    pub(super) fn draw_convex(&mut self, shape: &Convex, filling: Ink, outline: Ink, half: f32) {
        let reach = half + 0.5;
        let color = pack(filling.rgb);
        let (filled, lined) = (opacity(filling) / 256.0, opacity(outline) / 256.0);
        // At corners, outlines meet further out.
        let beyond = reach * 2.2;
        let (top, bottom) = span(shape.top - beyond, shape.bottom + beyond, self.height);
        for row in top..bottom {
            let y = row as f32 + 0.5;
            let (left, right) = shape.across(y, reach);
            let (first, end) = span(left, right, self.width);
            let mut edges = [[0.0; 2]; CORNERS_MAX];
            for (edge, line) in edges.iter_mut().zip(&shape.edges[..shape.len]) {
                *edge = [line.across, y * line.down - line.offset];
            }
            let edges = &edges[..shape.len];
            tint(self.line_mut(row), first..end, color, |x| {
                let mut outside = [f32::NEG_INFINITY; 4];
                for [across, rest] in edges {
                    outside = array::from_fn(|n| larger(outside[n], x[n] * across + rest));
                }
                outside.map(|outside| {
                    let inside = (0.5 - outside).clamp(0.0, 1.0) * filled;
                    let edge = (reach - outside.abs()).clamp(0.0, 1.0) * lined;
                    (inside + edge - inside * edge) * 256.0
                })
            });
        }
    }
}

/// The larger of two numbers. `f32::max` also checks for NaN, which prevents vectorisation.
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
