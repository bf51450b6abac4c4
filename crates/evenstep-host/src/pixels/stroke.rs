//! Lines and rings: pixels close enough to a path are covered.

use super::rows::{Four, span, tint};
use super::{Pixels, opacity};
use crate::mark::Place;
use crate::paint::Color;

impl Pixels<'_> {
    /// Draws a line with round ends. Visits only the pixels of each row that it touches.
    pub(super) fn stroke_line(&mut self, from: Place, to: Place, half: f32, color: Color) {
        let opacity = opacity(color);
        let capsule = Capsule::new(from, to, half);
        let edge = capsule.reach;
        let (top, bottom) = span(from[1].min(to[1]) - edge, from[1].max(to[1]) + edge, self.height);
        for row in top..bottom {
            let y = row as f32 + 0.5;
            let (left, right) = capsule.across(y);
            let (first, end) = span(left, right, self.width);
            tint(self.line_mut(row), first..end, color.to_rgb(), |x| {
                capsule.away(x, y).map(|away| (edge - away).clamp(0.0, 1.0) * opacity)
            });
        }
    }

    /// Draws the outline of a circle: in each row a piece on the left and one on the right, or one piece above and below the
    /// hole.
    pub(super) fn stroke_ring(&mut self, [x, y]: Place, radius: f32, half: f32, color: Color) {
        let opacity = opacity(color);
        let reach = half + 0.5;
        let outer = radius + reach;
        let hole = (radius - reach).max(0.0);
        let (top, bottom) = span(y - outer, y + outer, self.height);
        for row in top..bottom {
            let down = row as f32 + 0.5 - y;
            let across = |radius: f32| (radius * radius - down * down).max(0.0).sqrt();
            let out = across(outer);
            let inn = across(hole);
            let left = span(x - out, x - inn, self.width);
            let right = span(x + inn, x + out, self.width);
            // Pieces that are closer than a group of four pixels are drawn as one.
            let pieces = if left.1 + 4 > right.0 { [(left.0, right.1), (0, 0)] } else { [left, right] };
            for (first, end) in pieces {
                tint(self.line_mut(row), first..end, color.to_rgb(), |centres| {
                    centres.map(|centre| {
                        let across = centre - x;
                        let away = ((across * across + down * down).sqrt() - radius).abs();
                        (reach - away).clamp(0.0, 1.0) * opacity
                    })
                });
            }
        }
    }
}

/// All points within a distance of a line.
struct Capsule {
    from: Place,
    to: Place,
    // The line's direction, and its length.
    along: Place,
    length: f32,
    /// The largest distance of a pixel's centre at which the pixel is touched.
    reach: f32,
}

impl Capsule {
    fn new(from: Place, to: Place, half: f32) -> Self {
        let x = to[0] - from[0];
        let y = to[1] - from[1];
        let length = (x * x + y * y).sqrt();
        // A dot is a line of length 0 to the right. No component of a direction is 0, so division is safe.
        let part = |along: f32| if along.abs() < 1e-6 { 1e-6 } else { along };
        let along = if length < 1e-3 { [1.0, 1e-6] } else { [part(x / length), part(y / length)] };
        Self { from, to, along, length, reach: half + 0.5 }
    }

    /// Returns the part of a row that is touched: the union of both end circles and the straight piece between them.
    fn across(&self, y: f32) -> (f32, f32) {
        let mut left = f32::INFINITY;
        let mut right = f32::NEG_INFINITY;
        let mut take = |from: f32, to: f32| {
            if from <= to {
                left = left.min(from);
                right = right.max(to);
            }
        };
        for [x, middle] in [self.from, self.to] {
            let down = y - middle;
            let squared = self.reach * self.reach - down * down;
            if squared > 0.0 {
                take(x - squared.sqrt(), x + squared.sqrt());
            }
        }
        let [along_x, along_y] = self.along;
        let down = y - self.from[1];
        // Where the row crosses the two edges and the two ends.
        let sides = [-self.reach, self.reach].map(|side| (down * along_x + side) / along_y);
        let ends = [0.0, self.length].map(|end| (end - down * along_y) / along_x);
        take(
            self.from[0] + sides[0].min(sides[1]).max(ends[0].min(ends[1])),
            self.from[0] + sides[0].max(sides[1]).min(ends[0].max(ends[1])),
        );
        (left, right)
    }

    /// Returns the distances of a row's pixels from the line.
    fn away(&self, x: Four, y: f32) -> Four {
        let half = self.length / 2.0;
        let down = y - self.from[1];
        x.map(|x| {
            let x = x - self.from[0];
            let aside = x * self.along[1] - down * self.along[0];
            let beyond = ((x * self.along[0] + down * self.along[1] - half).abs() - half).max(0.0);
            (aside * aside + beyond * beyond).sqrt()
        })
    }
}
