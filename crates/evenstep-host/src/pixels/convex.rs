//! Convex shapes: fills and outlines them in one pass, using the distance to the nearest edge.

use std::array;

use super::Pixels;
use super::rows::{span, tint};
use crate::convex::Convex;
use crate::mark::rows_of;
use crate::paint::{CORNERS_MAX, Color};

impl Convex {
    /// Returns the part of the row at `y` that is at most `reach` outside the shape.
    fn across(&self, y: f32, reach: f32) -> (f32, f32) {
        let mut left = f32::NEG_INFINITY;
        let mut right = f32::INFINITY;
        for edge in self.edges() {
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

impl Pixels<'_> {
    /// Fills and outlines a shape in one colour.
    pub(super) fn draw_convex(&mut self, shape: &Convex, half: f32, outline: f32, color: Color) {
        let reach = half + 0.5;
        let filled = color.alpha();
        // At corners, outlines meet further out.
        let beyond = reach * 2.2;
        let (low, high) = rows_of(shape.corners());
        let (top, bottom) = span(low - beyond, high + beyond, self.height);
        for row in top..bottom {
            let y = row as f32 + 0.5;
            let (left, right) = shape.across(y, reach);
            let (first, end) = span(left, right, self.width);
            let mut edges = [[0.0; 2]; CORNERS_MAX];
            for (edge, line) in edges.iter_mut().zip(shape.edges()) {
                *edge = [line.across, y * line.down - line.offset];
            }
            let edges = &edges[..shape.edges().len()];
            tint(self.line_mut(row), first..end, color.to_rgb(), |x| {
                let mut outside = [f32::NEG_INFINITY; 4];
                for [across, rest] in edges {
                    outside = array::from_fn(|n| larger(outside[n], x[n] * across + rest));
                }
                outside.map(|outside| {
                    let inside = (0.5 - outside).clamp(0.0, 1.0) * filled;
                    let edge = (reach - outside.abs()).clamp(0.0, 1.0) * outline;
                    (inside + edge - inside * edge) * 256.0
                })
            });
        }
    }
}

/// Returns the larger of two numbers. `f32::max` also checks for NaN, which prevents vectorisation.
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
