//! Interpolation between two ticks.

#[cfg(any(feature = "glam", feature = "mint", feature = "nalgebra"))]
mod math;

use core::f64::consts::{PI, TAU};

/// Values that can be interpolated, for [`lerp`] and [`Interpolated`].
///
/// ```
/// use evenstep::Lerp;
///
/// #[derive(Clone, Copy)]
/// struct Pose {
///     position: [f32; 2],
///     angle: evenstep::Angle,
/// }
///
/// impl Lerp for Pose {
///     fn lerp(self, to: Self, alpha: f64) -> Self {
///         Self { position: self.position.lerp(to.position, alpha), angle: self.angle.lerp(to.angle, alpha) }
///     }
/// }
/// ```
///
/// The features `glam`, `mint` and `nalgebra` implement it for the vectors and points of those libraries, and for the
/// rotations of glam and nalgebra, which turn the short way round. Values between which there is nothing cannot be
/// interpolated:
///
/// ```compile_fail,E0277
/// let walking = evenstep::Interpolated::new("left"); // `&str` cannot be interpolated
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be interpolated between two ticks",
    label = "not a number, an array of numbers, an `Angle` or another type with `Lerp`",
    note = "implement `evenstep::Lerp` for it; the features `glam`, `mint` and `nalgebra` of `evenstep` do so for their types"
)]
pub trait Lerp: Copy {
    /// Returns the value `alpha` of the way from `self` to `to`.
    #[must_use]
    fn lerp(self, to: Self, alpha: f64) -> Self;
}

impl Lerp for f64 {
    fn lerp(self, to: Self, alpha: f64) -> Self {
        self + (to - self) * alpha
    }
}

impl Lerp for f32 {
    fn lerp(self, to: Self, alpha: f64) -> Self {
        self + (to - self) * alpha as f32
    }
}

impl<T: Lerp, const N: usize> Lerp for [T; N] {
    fn lerp(self, to: Self, alpha: f64) -> Self {
        core::array::from_fn(|i| self[i].lerp(to[i], alpha))
    }
}

/// An angle in radians that is interpolated the short way round.
///
/// ```
/// use evenstep::{Angle, Lerp};
///
/// let turned = Angle(3.0).lerp(Angle(-3.0), 0.5);
/// assert!((turned.0 - core::f64::consts::PI).abs() < 1e-9, "through pi, not through 0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Angle(pub f64);

impl Lerp for Angle {
    fn lerp(self, to: Self, alpha: f64) -> Self {
        Self(lerp_angle(self.0, to.0, alpha))
    }
}

/// Returns the value `alpha` of the way from `a` to `b`.
///
/// ```
/// assert_eq!(evenstep::lerp([0.0, 10.0], [1.0, 20.0], 0.5), [0.5, 15.0]);
/// ```
pub fn lerp<T: Lerp>(a: T, b: T, alpha: f64) -> T {
    a.lerp(b, alpha)
}

/// Returns the angle `alpha` of the way from `a` to `b` in radians, the short way round.
///
/// Runs in constant time for any number of turns. NaN and infinities give NaN.
///
/// ```
/// use evenstep::lerp_angle;
///
/// assert!((lerp_angle(6.2, 0.1, 0.5) - 6.291_592_653).abs() < 1e-6);
/// assert!(lerp_angle(0.0, f64::INFINITY, 0.5).is_nan());
/// ```
pub fn lerp_angle(a: f64, b: f64, alpha: f64) -> f64 {
    // A float remainder is exact and less than one turn. At most one more turn brings it below half a turn.
    let apart = b - a;
    let around = if apart.is_finite() { apart % TAU } else { (b % TAU - a % TAU) % TAU };
    let shortest = if around > PI {
        around - TAU
    } else if around < -PI {
        around + TAU
    } else {
        around
    };
    a + shortest * alpha
}

/// The values of the last two ticks, for drawing in between.
///
/// ```
/// use evenstep::Interpolated;
///
/// let mut x = Interpolated::new(0.0_f32);
/// x.advance(4.0);
/// x.advance(8.0);
/// assert_eq!((x.previous(), x.current()), (4.0, 8.0));
/// assert_eq!(x.at(0.25), 5.0);
///
/// x.teleport(100.0);
/// assert_eq!(x.at(0.25), 100.0, "no streak across the screen");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interpolated<T> {
    previous: T,
    current: T,
}

impl<T: Lerp> Interpolated<T> {
    /// Creates a value that has not moved: both ticks have `value`.
    pub const fn new(value: T) -> Self {
        Self { previous: value, current: value }
    }

    /// Sets the value of the next tick; the current one becomes the previous. Call it once per tick, even if nothing
    /// moved.
    pub fn advance(&mut self, next: T) {
        self.previous = core::mem::replace(&mut self.current, next);
    }

    /// Sets a new value without interpolating from the old one.
    pub fn teleport(&mut self, value: T) {
        *self = Self::new(value);
    }

    /// The value at the last tick, from which the simulation continues.
    pub const fn current(&self) -> T {
        self.current
    }

    /// The value at the tick before the last.
    pub const fn previous(&self) -> T {
        self.previous
    }

    /// Returns the value to draw at `alpha`.
    pub fn at(&self, alpha: f64) -> T {
        self.previous.lerp(self.current, alpha)
    }
}
