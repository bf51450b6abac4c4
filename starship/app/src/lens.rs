//! Converts world coordinates (metres) to canvas coordinates (points).

use starship_sim::Vec2;
use starship_sim::tuning::VIEW_HEIGHT;

use crate::canvas::{CORNERS_MAX, Canvas, Ink, Place};

/// The smallest width of the view, in metres, for narrow screens.
const VIEW_WIDTH_MIN: f32 = 24.0;

/// A canvas with world coordinates, as seen by the camera. Skips everything outside the view.
pub(crate) struct Lens<'a, C> {
    pub(crate) canvas: &'a mut C,
    centre: Vec2,
    scale: f32,
    size: (f32, f32),
}

impl<'a, C: Canvas> Lens<'a, C> {
    pub(crate) fn new(canvas: &'a mut C, centre: Vec2) -> Self {
        let size = canvas.size();
        Self { canvas, centre, scale: (size.1 / VIEW_HEIGHT).min(size.0 / VIEW_WIDTH_MIN), size }
    }

    /// Points per metre.
    pub(crate) const fn scale(&self) -> f32 {
        self.scale
    }

    pub(crate) const fn centre(&self) -> Vec2 {
        self.centre
    }

    /// Half of the view's size, in metres.
    pub(crate) fn half(&self) -> Vec2 {
        Vec2::new(self.size.0, self.size.1) / (2.0 * self.scale)
    }

    pub(crate) fn place(&self, at: Vec2) -> Place {
        let from_centre = (at - self.centre) * self.scale;
        [self.size.0 / 2.0 + from_centre.x, self.size.1 / 2.0 - from_centre.y]
    }

    pub(crate) fn sees(&self, at: Vec2, radius: f32) -> bool {
        let (away, half) = ((at - self.centre).abs(), self.half());
        away.x < half.x + radius && away.y < half.y + radius
    }

    pub(crate) fn glow(&mut self, at: Vec2, radius: f32, rgb: [u8; 3], strength: f32) {
        if self.sees(at, radius) {
            self.canvas.glow(self.place(at), radius * self.scale, Ink::new(rgb, strength));
        }
    }

    pub(crate) fn ring(&mut self, at: Vec2, radius: f32, rgb: [u8; 3], width: f32, strength: f32) {
        if self.sees(at, radius + width) {
            let place = self.place(at);
            self.canvas.ring(place, radius * self.scale, width * self.scale, Ink::new(rgb, strength));
        }
    }

    pub(crate) fn line(&mut self, from: Vec2, to: Vec2, rgb: [u8; 3], width: f32, strength: f32) {
        let middle = (from + to) / 2.0;
        if self.sees(middle, (to - from).length() / 2.0 + width) {
            let (from, to) = (self.place(from), self.place(to));
            self.canvas.line(from, to, width * self.scale, Ink::new(rgb, strength));
        }
    }

    /// Draws a closed shape of up to eight corners.
    pub(crate) fn shape(&mut self, corners: &[Vec2], rgb: [u8; 3], width: f32, filling: f32) {
        let Some(&first) = corners.first() else {
            return;
        };
        let extent = corners.iter().map(|&corner| (corner - first).length()).fold(0.0, f32::max);
        if !self.sees(first, extent + width) {
            return;
        }
        let mut places = [[0.0; 2]; CORNERS_MAX];
        for (place, &corner) in places.iter_mut().zip(corners) {
            *place = self.place(corner);
        }
        let places = &places[..corners.len().min(CORNERS_MAX)];
        self.canvas.shape(places, Ink::new(rgb, filling), Ink::new(rgb, 1.0), width * self.scale);
    }
}

/// A regular polygon with a corner straight ahead.
pub(crate) fn polygon(at: Vec2, ahead: Vec2, radius: f32, corners: u32) -> [Vec2; 8] {
    let turn = std::f32::consts::TAU / corners as f32;
    std::array::from_fn(|n| {
        let (sin, cos) = (turn * (n as u32).min(corners - 1) as f32).sin_cos();
        at + Vec2::new(ahead.x * cos - ahead.y * sin, ahead.x * sin + ahead.y * cos) * radius
    })
}
