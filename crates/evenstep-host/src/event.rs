//! Events that a host sends to an app.

use crate::key::Key;
use crate::pad::{Axis, Button, axis_in_range};

/// Touchpad pixels per line of [`Event::Wheel`], at scale 1.
#[cfg(any(
    all(feature = "native", not(target_arch = "wasm32")),
    all(feature = "web", target_arch = "wasm32")
))]
pub(crate) const LINE_PIXELS: f64 = 20.0;

/// An input or window event.
///
/// Hosts filter events: there are no key repeats, and no release without its press. When the focus is lost or the app
/// is hidden, everything that is held is released first.
///
/// ```
/// use evenstep_host::{Event, Key};
///
/// let is_pause = |event: Event| matches!(event, Event::KeyDown(Key::KeyP | Key::Escape) | Event::FocusLost);
/// assert!(is_pause(Event::FocusLost));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A key went down.
    KeyDown(Key),
    /// A key went up.
    KeyUp(Key),
    /// A mouse button or a finger went down.
    PointerDown(Pointer),
    /// The mouse or a finger moved.
    PointerMove(Pointer),
    /// A mouse button or a finger went up, or the system cancelled the touch.
    PointerUp(Pointer),
    /// The wheel turned, or two fingers scrolled, in lines. Right and down are positive.
    Wheel {
        /// Horizontal movement.
        x: f64,
        /// Vertical movement.
        y: f64,
    },
    /// A gamepad button went down.
    PadDown {
        /// Which gamepad, from 0.
        pad: u8,
        /// Which button.
        button: Button,
    },
    /// A gamepad button went up.
    PadUp {
        /// Which gamepad, from 0.
        pad: u8,
        /// Which button.
        button: Button,
    },
    /// A gamepad stick moved.
    PadAxis {
        /// Which gamepad, from 0.
        pad: u8,
        /// Which axis.
        axis: Axis,
        /// Position from -1 to 1; left and up are negative. Zero within the dead zone.
        value: f32,
    },
    /// The window or canvas gained keyboard focus.
    FocusGained,
    /// The window or canvas lost keyboard focus. Everything that was held has been released.
    FocusLost,
    /// The canvas changed its size or scale.
    Resized(Size),
    /// The app is no longer visible: the window is minimised or covered, or the tab is in the background.
    Hidden,
    /// The app is visible again.
    Shown,
}

/// The state that an event reports. A later event with the same state replaces an earlier one.
///
/// Presses and releases report no state, because each of them counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reported {
    Position { id: u64 },
    Wheel,
    Axis { pad: u8, axis: Axis },
    Size,
    Focus,
    Visibility,
}

impl Event {
    /// Returns the state that the event reports, or `None` for a press or a release.
    pub(crate) const fn reported(self) -> Option<Reported> {
        match self {
            Self::PointerMove(Pointer { id, .. }) => Some(Reported::Position { id }),
            Self::Wheel { .. } => Some(Reported::Wheel),
            Self::PadAxis { pad, axis, .. } => Some(Reported::Axis { pad, axis }),
            Self::Resized(_) => Some(Reported::Size),
            Self::FocusGained | Self::FocusLost => Some(Reported::Focus),
            Self::Hidden | Self::Shown => Some(Reported::Visibility),
            Self::KeyDown(_)
            | Self::KeyUp(_)
            | Self::PointerDown(_)
            | Self::PointerUp(_)
            | Self::PadDown { .. }
            | Self::PadUp { .. } => None,
        }
    }

    /// Merges two events that report the same state: keeps the later one, and sums wheel movement.
    pub(crate) fn merge(self, later: Self) -> Self {
        match (self, later) {
            (Self::Wheel { x, y }, Self::Wheel { x: x_more, y: y_more }) => {
                let sum = |a: f64, b: f64| (a + b).clamp(f64::MIN, f64::MAX);
                Self::Wheel { x: sum(x, x_more), y: sum(y, y_more) }
            }
            _ => later,
        }
    }

    /// Returns the event with its numbers clamped to their range, or `None` if one of them is not finite.
    pub(crate) fn in_range(self) -> Option<Self> {
        match self {
            Self::PadAxis { pad, axis, value } => {
                Some(Self::PadAxis { pad, axis, value: axis_in_range(value) })
            }
            Self::PointerDown(pointer) | Self::PointerMove(pointer) | Self::PointerUp(pointer) => {
                pointer.is_finite().then_some(self)
            }
            Self::Wheel { x, y } => (x.is_finite() && y.is_finite()).then_some(self),
            Self::Resized(Size { width, height, scale }) => {
                (width.is_finite() && height.is_finite() && scale.is_finite()).then_some(self)
            }
            _ => Some(self),
        }
    }
}

/// The mouse or a finger, in an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Identifies a finger for as long as it is down; [`Pointer::MOUSE`] is the mouse.
    pub id: u64,
    /// Distance from the left edge of the canvas, in points.
    pub x: f64,
    /// Distance from the top edge of the canvas, in points.
    pub y: f64,
    /// The button that went down or up. For fingers and for moves it is [`PointerButton::Primary`].
    pub button: PointerButton,
}

impl Pointer {
    /// The mouse's id. Fingers have other ids.
    pub const MOUSE: u64 = 0;

    /// Returns whether the position is finite.
    pub(crate) const fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PointerButton {
    /// The left button, or a finger.
    #[default]
    Primary,
    /// The right button.
    Secondary,
    /// The middle button, usually the wheel.
    Middle,
}

/// The size of a canvas in points, and its scale in pixels per point.
///
/// A point has about the same size on every screen; a high-density screen has more pixels per point.
///
/// ```
/// use evenstep_host::Size;
///
/// let size = Size { width: 640.0, height: 360.0, scale: 2.0 };
/// assert_eq!(size.pixels(), (1280, 720));
/// assert_eq!(Size::of_pixels(1280, 720, 2.0), size);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Width in points.
    pub width: f64,
    /// Height in points.
    pub height: f64,
    /// Pixels per point.
    pub scale: f64,
}

impl Size {
    /// Creates a size from a number of pixels. A scale that is not positive counts as 1.
    pub fn of_pixels(width: u32, height: u32, scale: f64) -> Self {
        let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
        Self { width: f64::from(width) / scale, height: f64::from(height) / scale, scale }
    }

    /// Returns the width and height in pixels.
    pub fn pixels(self) -> (u32, u32) {
        ((self.width * self.scale).round() as u32, (self.height * self.scale).round() as u32)
    }
}
