//! Filled rectangles and polygons.

use super::rows::{Four, blend, span, tint, wash, whole};
use super::{Pixels, opacity};
use crate::mark::{Place, rows_of};
use crate::paint::{CORNERS_MAX, Color};

/// The smallest width of an edge, in pixels, because the area beside it is divided by its width.
const EDGE_WIDTH_MIN: f32 = 1.0 / 64.0;

impl Pixels<'_> {
    /// Fills a rectangle.
    pub(super) fn fill_rect(&mut self, [left, top]: Place, [right, bottom]: Place, color: Color) {
        let opacity = opacity(color);
        let color = color.to_rgb();
        let (first, end) = span(left, right, self.width);
        let (row_first, row_end) = span(top, bottom, self.height);
        if first == end {
            return;
        }
        // Only pixels at the edges can be partly covered.
        let at_left = cover(first, left, right);
        let at_right = cover(end - 1, left, right);
        for row in row_first..row_end {
            let share = opacity * cover(row, top, bottom);
            let line = &mut self.line_mut(row)[first..end];
            if let [one, rest @ ..] = line {
                *one = blend(*one, color, whole(at_left * share));
                if let [middle @ .., one] = rest {
                    wash(middle, color, whole(share));
                    *one = blend(*one, color, whole(at_right * share));
                }
            }
        }
    }

    /// Fills a closed shape of up to eight edges, with exact coverage of each pixel.
    pub(super) fn fill_shape(&mut self, corners: &[Place], color: Color) {
        let opacity = opacity(color);
        let (low, high) = rows_of(corners);
        let (top, bottom) = span(low, high, self.height);
        for row in top..bottom {
            let mut pieces = [Piece::default(); CORNERS_MAX];
            let mut len = 0;
            for n in 0..corners.len() {
                if let Some(piece) = Piece::of_edge(corners[n], corners[(n + 1) % corners.len()], row as f32)
                {
                    pieces[len] = piece;
                    len += 1;
                }
            }
            let pieces = &pieces[..len];
            let left = pieces.iter().fold(f32::INFINITY, |left, piece| left.min(piece.left));
            let right = pieces.iter().fold(f32::NEG_INFINITY, |right, piece| right.max(piece.right));
            let (first, end) = span(left, right, self.width);
            tint(self.line_mut(row), first..end, color.to_rgb(), |x| {
                let mut sum = [0.0; 4];
                for piece in pieces {
                    let beside = piece.beside(x);
                    sum = std::array::from_fn(|n| sum[n] + beside[n]);
                }
                sum.map(|covered| covered.abs().clamp(0.0, 1.0) * opacity)
            });
        }
    }
}

/// The part of an edge within one row.
#[derive(Clone, Copy, Default)]
struct Piece {
    left: f32,
    right: f32,
    // The height per pixel of width; negative for an edge that goes up.
    height_per_width: f32,
}

impl Piece {
    fn of_edge(from: Place, to: Place, row: f32) -> Option<Self> {
        let clip = |y: f32| y.clamp(row, row + 1.0);
        let begin = clip(from[1]);
        let end = clip(to[1]);
        if begin == end {
            return None;
        }
        let slope = (to[0] - from[0]) / (to[1] - from[1]);
        let a = from[0] + (begin - from[1]) * slope;
        let b = from[0] + (end - from[1]) * slope;
        let left = a.min(b);
        let right = a.max(b).max(left + EDGE_WIDTH_MIN);
        Some(Self { left, right, height_per_width: (end - begin) / (right - left) })
    }

    /// Returns how much of each pixel is to the right of the piece: the integral of a ramp that is one pixel wide.
    fn beside(&self, centres: Four) -> Four {
        centres.map(|x| {
            let near = x + 0.5 - self.left;
            let far = x + 0.5 - self.right;
            (ramp_area(near) - ramp_area(far)) * self.height_per_width
        })
    }
}

/// Returns the area under a ramp that rises from 0 to 1 and then stays at 1.
fn ramp_area(to: f32) -> f32 {
    let rising = to.clamp(0.0, 1.0);
    rising * rising / 2.0 + (to - 1.0).max(0.0)
}

/// Returns how much of a pixel is between two positions along an axis.
fn cover(pixel: usize, from: f32, to: f32) -> f32 {
    (to.min(pixel as f32 + 1.0) - from.max(pixel as f32)).clamp(0.0, 1.0)
}
