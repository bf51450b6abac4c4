//! What happens outside the app, and that the app may hear of.

use crate::key::Key;
use crate::pad::{Axis, Button, axis_in_range};

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

/// What an event tells the state of: a later one of the same kind says all that an earlier one did.
///
/// Presses and releases tell of no state: each of them counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Place { id: u64 },
    Wheel,
    Stick { pad: u8, axis: Axis },
    Size,
    Focus,
    Sight,
}

impl Event {
    /// What the event tells the state of, or none if it is a press or a release.
    pub(crate) const fn standing(self) -> Option<Standing> {
        match self {
            Self::PointerMove(Pointer { id, .. }) => Some(Standing::Place { id }),
            Self::Wheel { .. } => Some(Standing::Wheel),
            Self::PadAxis { pad, axis, .. } => Some(Standing::Stick { pad, axis }),
            Self::Resized(_) => Some(Standing::Size),
            Self::FocusGained | Self::FocusLost => Some(Standing::Focus),
            Self::Hidden | Self::Shown => Some(Standing::Sight),
            Self::KeyDown(_)
            | Self::KeyUp(_)
            | Self::PointerDown(_)
            | Self::PointerUp(_)
            | Self::PadDown { .. }
            | Self::PadUp { .. } => None,
        }
    }

    /// What two events of one [`Standing`] come to: the later one, and the whole way that a wheel turned.
    pub(crate) fn then(self, later: Self) -> Self {
        match (self, later) {
            (Self::Wheel { x, y }, Self::Wheel { x: x_more, y: y_more }) => {
                let sum = |a: f64, b: f64| (a + b).clamp(f64::MIN, f64::MAX);
                Self::Wheel { x: sum(x, x_more), y: sum(y, y_more) }
            }
            _ => later,
        }
    }

    /// The event with its numbers in range, or none if one of them is no number and says nothing.
    pub(crate) fn in_range(self) -> Option<Self> {
        match self {
            Self::PadAxis { pad, axis, value } => {
                Some(Self::PadAxis { pad, axis, value: axis_in_range(value) })
            }
            Self::PointerDown(pointer) | Self::PointerMove(pointer) | Self::PointerUp(pointer) => {
                pointer.is_somewhere().then_some(self)
            }
            Self::Wheel { x, y } => (x.is_finite() && y.is_finite()).then_some(self),
            Self::Resized(Size { width, height, scale }) => {
                (width.is_finite() && height.is_finite() && scale.is_finite()).then_some(self)
            }
            _ => Some(self),
        }
    }
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

    /// Whether its place is one.
    pub(crate) const fn is_somewhere(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
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
