//! What happens outside the app, and that the app may hear of.

use crate::key::Key;
use crate::pad::{Axis, Button};

/// Something that happened, as the host saw it.
///
/// Hosts send each of them once: no key repeats, no release without its press. When the focus is lost or the app is
/// hidden, the host first releases everything that is held.
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
    /// A mouse button or a finger went up, or the system took it over.
    PointerUp(Pointer),
    /// The wheel turned, or two fingers scrolled: to the right and down, in lines.
    Wheel {
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
    },
    /// A button of a gamepad went down.
    PadDown {
        /// Which gamepad, from 0.
        pad: u8,
        /// Which button.
        button: Button,
    },
    /// A button of a gamepad went up.
    PadUp {
        /// Which gamepad, from 0.
        pad: u8,
        /// Which button.
        button: Button,
    },
    /// A stick of a gamepad moved.
    PadAxis {
        /// Which gamepad, from 0.
        pad: u8,
        /// Which axis.
        axis: Axis,
        /// From -1 to 1: left and up are negative. Zero within the dead zone.
        value: f32,
    },
    /// The keyboard is ours.
    FocusGained,
    /// The keyboard is someone else's; everything that was held has been released.
    FocusLost,
    /// The canvas has another size or sharpness.
    Resized(Size),
    /// Nobody can see the app: the window is minimised or covered, the tab is in the background.
    Hidden,
    /// The app can be seen again.
    Shown,
}

/// The mouse or a finger.
///
/// ```
/// use evenstep_host::{Pointer, PointerButton};
///
/// let finger = Pointer { id: 7, x: 10.0, y: 20.0, button: PointerButton::Primary };
/// assert_ne!(finger.id, Pointer::MOUSE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Tells fingers apart; [`Pointer::MOUSE`] is the mouse.
    pub id: u64,
    /// From the left edge of the canvas, in points.
    pub x: f64,
    /// From the upper edge of the canvas, in points.
    pub y: f64,
    /// Which button this is about; a finger is the primary one, and so is a mere move.
    pub button: PointerButton,
}

impl Pointer {
    /// The mouse's id. Fingers have others.
    pub const MOUSE: u64 = 0;
}

/// A button of a mouse.
///
/// ```
/// assert_eq!(evenstep_host::PointerButton::default(), evenstep_host::PointerButton::Primary);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PointerButton {
    /// The left one, or a finger.
    #[default]
    Primary,
    /// The right one.
    Secondary,
    /// The wheel.
    Middle,
}

/// The size of a canvas in points, and how many pixels a point has.
///
/// A point is as big on every screen; on a sharp one it has more pixels.
///
/// ```
/// use evenstep_host::Size;
///
/// let size = Size { width: 640.0, height: 360.0, scale: 2.0 };
/// assert_eq!(size.pixels(), (1280, 720));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// In points.
    pub width: f64,
    /// In points.
    pub height: f64,
    /// Pixels a point.
    pub scale: f64,
}

impl Size {
    /// The size of so many pixels. A scale that is not positive counts as 1.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Size::of_pixels(1280, 720, 2.0).width, 640.0);
    /// ```
    pub fn of_pixels(width: u32, height: u32, scale: f64) -> Self {
        let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
        Self { width: f64::from(width) / scale, height: f64::from(height) / scale, scale }
    }

    /// Width and height in pixels.
    ///
    /// ```
    /// assert_eq!(evenstep_host::Size::of_pixels(333, 111, 1.5).pixels(), (333, 111));
    /// ```
    pub fn pixels(self) -> (u32, u32) {
        ((self.width * self.scale).round() as u32, (self.height * self.scale).round() as u32)
    }
}
