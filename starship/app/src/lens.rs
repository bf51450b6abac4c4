//! Converts world coordinates (metres) to canvas coordinates (points).

use evenstep_host::{CORNERS_MAX, Color, Paint};
use starship_sim::Vec2;
use starship_sim::tuning::VIEW_HEIGHT;

use crate::layout::{Place, size_of};

/// The smallest width of the view, in metres, for narrow screens.
const VIEW_WIDTH_MIN: f64 = 24.0;

/// A canvas with world coordinates, as seen by the camera. Skips everything outside the view.
pub(crate) struct Lens<'a, C> {
    pub(crate) canvas: &'a mut C,
    centre: Vec2,
    scale: f64,
    size: (f64, f64),
}

impl<'a, C: Paint> Lens<'a, C> {
    pub(crate) fn new(canvas: &'a mut C, centre: Vec2) -> Self {
        let size = size_of(canvas);
        let scale = (size.1 / f64::from(VIEW_HEIGHT)).min(size.0 / VIEW_WIDTH_MIN);
        Self { canvas, centre, scale, size }
    }

    /// Points per metre.
    pub(crate) const fn scale(&self) -> f64 {
        self.scale
    }

    pub(crate) const fn centre(&self) -> Vec2 {
        self.centre
    }

    /// Half of the view's size, in metres.
    pub(crate) fn half(&self) -> Vec2 {
        let half = |points: f64| (points / (2.0 * self.scale)) as f32;
        Vec2::new(half(self.size.0), half(self.size.1))
    }

    pub(crate) fn place(&self, at: Vec2) -> Place {
        let from_centre = at - self.centre;
        [self.size.0 / 2.0 + self.points(from_centre.x), self.size.1 / 2.0 - self.points(from_centre.y)]
    }

    fn points(&self, metres: f32) -> f64 {
        f64::from(metres) * self.scale
    }

    pub(crate) fn sees(&self, at: Vec2, radius: f32) -> bool {
        let away = (at - self.centre).abs();
        let half = self.half();
        away.x < half.x + radius && away.y < half.y + radius
    }

    pub(crate) fn light(&mut self, at: Vec2, radius: f32, color: Color, strength: f32) {
        if self.sees(at, radius) {
            let [x, y] = self.place(at);
            self.canvas.light(x, y, self.points(radius), color.with_alpha(strength));
        }
    }

    pub(crate) fn ring(&mut self, at: Vec2, radius: f32, color: Color, width: f32, strength: f32) {
        if self.sees(at, radius + width) {
            let [x, y] = self.place(at);
            let radius = self.points(radius);
            self.canvas.ring(x, y, radius, self.points(width), color.with_alpha(strength));
        }
    }

    pub(crate) fn line(&mut self, from: Vec2, to: Vec2, color: Color, width: f32, strength: f32) {
        let middle = (from + to) / 2.0;
        if self.sees(middle, (to - from).length() / 2.0 + width) {
            let from = self.place(from);
            let to = self.place(to);
            self.canvas.line(from, to, self.points(width), color.with_alpha(strength));
        }
    }

    /// Draws a closed shape of up to eight corners.
    pub(crate) fn shape(&mut self, corners: &[Vec2], color: Color, width: f32, filling: f32) {
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
        self.canvas.shape(places, color.with_alpha(filling), color, self.points(width));
    }
}

/// A regular polygon with a corner straight ahead.
pub(crate) fn polygon(at: Vec2, ahead: Vec2, radius: f32, corners: u32) -> [Vec2; CORNERS_MAX] {
    let turn = std::f32::consts::TAU / corners as f32;
    std::array::from_fn(|n| {
        let (sin, cos) = (turn * (n as u32).min(corners - 1) as f32).sin_cos();
        at + Vec2::new(ahead.x * cos - ahead.y * sin, ahead.x * sin + ahead.y * cos) * radius
    })
}
