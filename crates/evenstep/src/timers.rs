//! Timers on the two clocks, and systems that run on every n-th tick.

use core::time::Duration;

use crate::frame::Frame;
use crate::rate::to_nanos;

/// A countdown in ticks: part of the game's state, the same on every machine.
///
/// ```
/// use evenstep::TickTimer;
///
/// let mut reload = TickTimer::start(3);
/// let fired = [(); 5].map(|()| reload.tick());
/// assert_eq!(fired, [false, false, true, false, false]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TickTimer {
    left: u32,
}

impl TickTimer {
    /// A timer that ends on the `ticks`-th tick from now; zero is one that is not running.
    ///
    /// ```
    /// assert!(!evenstep::TickTimer::start(0).is_running());
    /// ```
    pub const fn start(ticks: u32) -> Self {
        Self { left: ticks }
    }

    /// Counts one tick; `true` on the one that ends the timer.
    ///
    /// ```
    /// assert!(evenstep::TickTimer::start(1).tick());
    /// ```
    pub const fn tick(&mut self) -> bool {
        let ends = self.left == 1;
        self.left = self.left.saturating_sub(1);
        ends
    }

    /// The ticks that are left.
    ///
    /// ```
    /// assert_eq!(evenstep::TickTimer::start(7).left(), 7);
    /// ```
    pub const fn left(&self) -> u32 {
        self.left
    }

    /// Whether ticks are left.
    ///
    /// ```
    /// assert!(evenstep::TickTimer::start(7).is_running());
    /// ```
    pub const fn is_running(&self) -> bool {
        self.left > 0
    }
}

/// A countdown on the UI clock (wall time after the limits: a stall does not run it down), for what must not freeze with
/// the simulation: an overlay, a flash, a toast.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing, WallTimer};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut flash = WallTimer::start(Duration::from_millis(30));
/// pacer.frame(Duration::ZERO);
/// pacer.hit_freeze(Duration::from_millis(200));
/// let ended = [20, 40].map(|ms| flash.advance(&pacer.frame(Duration::from_millis(ms))));
/// assert_eq!(ended, [false, true], "it runs on through the freeze");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WallTimer {
    left_ns: u64,
}

impl WallTimer {
    /// A timer that ends after this much wall time; zero is one that is not running.
    ///
    /// ```
    /// use core::time::Duration;
    ///
    /// assert!(!evenstep::WallTimer::start(Duration::ZERO).is_running());
    /// ```
    pub const fn start(wall_time: Duration) -> Self {
        Self { left_ns: to_nanos(wall_time) }
    }

    /// Counts one frame; `true` on the one that ends the timer.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing, WallTimer};
    ///
    /// let mut timer = WallTimer::start(Duration::from_millis(10));
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// assert!(!timer.advance(&pacer.frame(Duration::ZERO)));
    /// assert!(timer.advance(&pacer.frame(Duration::from_millis(16))));
    /// ```
    pub const fn advance(&mut self, frame: &Frame) -> bool {
        let ends = 0 < self.left_ns && self.left_ns <= frame.ui_ns();
        self.left_ns = self.left_ns.saturating_sub(frame.ui_ns());
        ends
    }

    /// The wall time that is left.
    ///
    /// ```
    /// use core::time::Duration;
    ///
    /// let toast = evenstep::WallTimer::start(Duration::from_secs(3));
    /// assert_eq!(toast.left(), Duration::from_secs(3));
    /// ```
    pub const fn left(&self) -> Duration {
        Duration::from_nanos(self.left_ns)
    }

    /// Whether time is left.
    ///
    /// ```
    /// use core::time::Duration;
    ///
    /// assert!(evenstep::WallTimer::start(Duration::from_secs(3)).is_running());
    /// ```
    pub const fn is_running(&self) -> bool {
        self.left_ns > 0
    }
}

/// Says on which ticks a system runs: every n-th, from an offset that spreads the load.
///
/// The order of systems within a tick is the order in which the game asks:
///
/// ```
/// use evenstep::Every;
///
/// const PATHFINDING: Every = Every::ticks(4);
/// const SPAWNING: Every = Every::ticks(4).offset_by(2);
/// let mut log = Vec::new();
/// for tick in 0..7 {
///     if PATHFINDING.is_due(tick) {
///         log.push((tick, "paths"));
///     }
///     if SPAWNING.is_due(tick) {
///         log.push((tick, "spawns"));
///     }
/// }
/// assert_eq!(log, [(0, "paths"), (2, "spawns"), (4, "paths"), (6, "spawns")]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Every {
    period: u64,
    offset: u64,
}

impl Every {
    /// Every `n`-th tick, tick 0 first.
    ///
    /// # Panics
    ///
    /// If `n` is 0; in a constant, at compile time.
    ///
    /// ```
    /// use evenstep::Every;
    ///
    /// assert!(Every::ticks(3).is_due(6));
    /// ```
    pub const fn ticks(n: u32) -> Self {
        assert!(n > 0, "a system cannot run on every 0th tick");
        Self { period: n as u64, offset: 0 }
    }

    /// The same, that many ticks later.
    ///
    /// ```
    /// use evenstep::Every;
    ///
    /// assert!(Every::ticks(3).offset_by(1).is_due(7));
    /// ```
    pub const fn offset_by(self, ticks: u32) -> Self {
        Self { offset: ticks as u64 % self.period, ..self }
    }

    /// Whether the system runs on this tick.
    ///
    /// ```
    /// use evenstep::Every;
    ///
    /// assert!(!Every::ticks(3).is_due(7));
    /// ```
    pub const fn is_due(self, tick: u64) -> bool {
        tick % self.period == self.offset
    }
}
