//! Convex shapes: fills and outlines them in one pass, using the distance to the nearest edge.

use std::array;

use super::rows::{pack, span, tint};
use super::{Raster, opacity};
use crate::canvas::convex::Convex;
use crate::canvas::{CORNERS_MAX, Ink};

impl Convex {
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
