//! Timers on both clocks, and schedules for systems that run on every n-th tick.

use core::time::Duration;

use crate::frame::Frame;
use crate::rate::to_nanos;

/// A countdown in ticks. It is part of the game state and deterministic.
///
/// ```
/// use evenstep::TickTimer;
///
/// let mut reload = TickTimer::start(3);
/// assert_eq!(reload.left(), 3);
/// let fired = [(); 5].map(|()| reload.tick());
/// assert_eq!(fired, [false, false, true, false, false]);
/// assert!(!reload.is_running());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TickTimer {
    left: u32,
}

impl TickTimer {
    /// Starts a timer that ends on the `ticks`-th tick from now. With zero, it is not running.
    pub const fn start(ticks: u32) -> Self {
        Self { left: ticks }
    }

    /// Counts one tick. Returns `true` on the tick that ends the timer.
    pub const fn tick(&mut self) -> bool {
        let ends = self.left == 1;
        self.left = self.left.saturating_sub(1);
        ends
    }

    /// The number of ticks left.
    pub const fn left(&self) -> u32 {
        self.left
    }

    /// Whether the timer is running.
    pub const fn is_running(&self) -> bool {
        self.left > 0
    }
}

/// A countdown on the UI clock, for anything that must not freeze with the simulation: an overlay, a flash, a toast.
///
/// The UI clock is wall time after the limits, so a stall does not run the timer down.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Pacer, Pacing, WallTimer};
///
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut flash = WallTimer::start(ms(30));
/// pacer.frame(ms(0));
/// pacer.hit_freeze(ms(200));
/// assert!(!flash.advance(&pacer.frame(ms(20))));
/// assert_eq!(flash.left(), ms(10), "it runs on during the freeze");
/// assert!(flash.advance(&pacer.frame(ms(40))), "this frame ends it");
/// assert!(!flash.is_running());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WallTimer {
    left_ns: u64,
}

impl WallTimer {
    /// Starts a timer that ends after this much wall time. With zero, it is not running.
    pub const fn start(wall_time: Duration) -> Self {
        Self { left_ns: to_nanos(wall_time) }
    }

    /// Counts one frame. Returns `true` on the frame that ends the timer.
    pub const fn advance(&mut self, frame: &Frame) -> bool {
        let ends = 0 < self.left_ns && self.left_ns <= frame.ui_ns();
        self.left_ns = self.left_ns.saturating_sub(frame.ui_ns());
        ends
    }

    /// The wall time left.
    pub const fn left(&self) -> Duration {
        Duration::from_nanos(self.left_ns)
    }

    /// Whether the timer is running.
    pub const fn is_running(&self) -> bool {
        self.left_ns > 0
    }
}

/// A schedule that says on which ticks a system runs.
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
    /// Creates a schedule for every `n`-th tick, starting with tick 0.
    ///
    /// # Panics
    ///
    /// If `n` is 0. In a const context, this is a compile-time error.
    pub const fn ticks(n: u32) -> Self {
        assert!(n > 0, "a schedule needs a period of at least one tick");
        Self { period: n as u64, offset: 0 }
    }

    /// Delays the schedule by `ticks` ticks, which spreads the load.
    pub const fn offset_by(self, ticks: u32) -> Self {
        Self { offset: ticks as u64 % self.period, ..self }
    }

    /// Whether the system runs on this tick.
    pub const fn is_due(self, tick: u64) -> bool {
        tick % self.period == self.offset
    }
}
