//! Accumulated mouse motion and scroll.

use bevy_input::mouse::{
    AccumulatedMouseMotion, AccumulatedMouseScroll, MouseScrollPixelsPerLine, MouseScrollUnit,
};
use bevy_math::Vec2;

use super::TickInput;

impl TickInput for AccumulatedMouseMotion {
    fn gather(&mut self, frame: &Self) {
        self.delta += frame.delta;
    }

    fn tick_done(&mut self) {
        self.delta = Vec2::ZERO;
    }
}

impl TickInput for AccumulatedMouseScroll {
    fn gather(&mut self, frame: &Self) {
        if frame.delta == Vec2::ZERO {
            return;
        }
        // A wheel and a touchpad between two ticks: the unit of the latest counts, as within a frame.
        let ratio = MouseScrollPixelsPerLine::default();
        *self = match frame.unit {
            MouseScrollUnit::Line => self.to_lines(&ratio),
            MouseScrollUnit::Pixel => self.to_pixels(&ratio),
        };
        self.delta += frame.delta;
    }

    fn tick_done(&mut self) {
        *self = Self::default();
    }
}
