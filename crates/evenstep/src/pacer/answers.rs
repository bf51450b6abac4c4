//! Getters: clocks, scales, ledger and statistics.

use core::time::Duration;

use super::Pacer;
use crate::command::Gate;
use crate::ledger::Ledger;
use crate::lock::{DisplayLock, LockState};
use crate::pacing::Pacing;
use crate::rate::from_nanos;
use crate::scale::{Channel, Scale};
use crate::stats::Stats;

/// Getters: clocks, scales, ledger and statistics.
impl Pacer {
    /// The configuration.
    pub const fn pacing(&self) -> Pacing {
        self.pacing
    }

    /// The length of a simulation step in seconds, for code that multiplies speeds by a time delta.
    pub const fn step_secs(&self) -> f64 {
        self.pacing.rate.step_secs()
    }

    /// What holds the simulation now.
    pub const fn gate(&self) -> Gate {
        self.gate
    }

    /// The remaining wall time of the hit-freeze.
    pub const fn freeze_left(&self) -> Duration {
        Duration::from_nanos(self.freeze_left_ns)
    }

    /// The remaining wall time of the hitstop.
    pub const fn hitstop_left(&self) -> Duration {
        Duration::from_nanos(self.hitstop_left_ns)
    }

    /// Whether a hitstop is active.
    pub const fn is_in_hitstop(&self) -> bool {
        self.hitstop_left_ns > 0
    }

    /// What the display lock knows about the display.
    pub fn lock_state(&self) -> LockState {
        match self.pacing.display_lock {
            DisplayLock::Off => LockState::Off,
            DisplayLock::Follow | DisplayLock::RateLock => self.lock.state(),
        }
    }

    /// The deterministic clock: ticks run since the pacer was created or reset.
    /// [`Rate::time_of`](crate::Rate::time_of) converts it to game time.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The wall clock: the sum of all time between timestamps, including dropped time.
    pub fn wall_time(&self) -> Duration {
        from_nanos(self.ledger.wall_ns)
    }

    /// The UI clock: wall time after the limits. Scales, pauses and freezes do not affect it; a menu stops it.
    pub const fn ui_time(&self) -> Duration {
        from_nanos(self.ui_ns)
    }

    /// The scale in game seconds per wall second: the product of the channels, including hitstop. Frames round it to
    /// 32 binary places.
    pub fn scale(&self) -> f64 {
        self.scales.product()
    }

    /// The value a channel was set to, before clamping.
    pub fn channel(&self, channel: Channel) -> f64 {
        self.scales.value(channel)
    }

    /// The resting value of a channel.
    pub fn resting_scale(&self, channel: Channel) -> f64 {
        self.scales.resting(channel)
    }

    /// The position of the last frame between the last two ticks: 0 <= alpha < 1.
    pub const fn alpha(&self) -> f64 {
        self.steps.alpha()
    }

    /// When the latest frame is expected on the display, on the clock of the timestamps. `None` unless the display lock
    /// is locked.
    ///
    /// This is the refresh that the frame's timestamp belongs to, plus the delay from there to the display if
    /// [`presented`](Self::presented) has revealed it. The next refresh is a period later.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{Pacer, Pacing, Rate};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// assert_eq!(pacer.shown_at(), None);
    /// for n in 0..600 {
    ///     let late = if n == 599 { Duration::from_millis(2) } else { Duration::ZERO };
    ///     pacer.frame(Rate::hz(60).time_of(n) + late);
    /// }
    /// let shown_at = pacer.shown_at().expect("locked");
    /// assert!(shown_at.abs_diff(Rate::hz(60).time_of(599)) < Duration::from_micros(50), "not 2 ms late");
    /// ```
    pub fn shown_at(&self) -> Option<Duration> {
        let shown_ns = self.lock.shown_ns()?;
        Some(Duration::from_nanos(self.last_ns?.saturating_add_signed(shown_ns as i64)))
    }

    /// The pending game time, not simulated yet.
    pub const fn pending(&self) -> Duration {
        Duration::from_nanos(self.steps.pending())
    }

    /// Returns the time at which the next frame has something to do: run a tick, or end a freeze or a hitstop. `None`
    /// while a pause, a menu or a scale of 0 holds the simulation.
    ///
    /// For servers and for hosts that sleep between ticks. The result is zero before the first frame and after
    /// [`suspend`](Self::suspend). It is never so far ahead that the frame would lose time to a limit, so in extreme
    /// slow motion a frame may run no tick. Switch the display lock off: there is no display to follow.
    ///
    /// ```
    /// # use core::time::Duration;
    /// use evenstep::{DisplayLock, Pacer, Pacing};
    ///
    /// let mut server = Pacer::new(Pacing::hz(20).with_display_lock(DisplayLock::Off));
    /// let mut now = Duration::ZERO;
    /// while server.tick() < 100 {
    ///     now = server.next_due().expect("the simulation is running"); // Sleep until then.
    ///     server.frame(now);
    /// }
    /// assert_eq!(now, Duration::from_nanos(4_956_250_000), "7/8 of the first step was pending at the start");
    /// ```
    pub fn next_due(&self) -> Option<Duration> {
        let Some(last_ns) = self.last_ns else {
            return Some(Duration::ZERO);
        };
        let wait_ns = match self.gate {
            Gate::Paused if self.steps_by_hand > 0 => 0,
            Gate::Paused | Gate::Menu => return None,
            Gate::Open if self.freeze_left_ns > 0 => self.freeze_left_ns,
            Gate::Open if self.steps_ahead > 0 => 0,
            Gate::Open => match (self.wall_time_to_next_tick(), self.hitstop_left_ns) {
                (None, 0) => return None,
                (None, hitstop_ns) => hitstop_ns,
                (Some(tick_ns), 0) => tick_ns,
                (Some(tick_ns), hitstop_ns) => tick_ns.min(hitstop_ns),
            },
        };
        Some(Duration::from_nanos(last_ns.saturating_add(wait_ns.min(self.limits.ordinary_ns))))
    }

    /// The wall time until the next tick at the current scale, or `None` if it never comes.
    fn wall_time_to_next_tick(&self) -> Option<u64> {
        let missing_ns = self.steps.missing();
        let advance_ns = match self.scales.fixed {
            _ if missing_ns == 0 => 0,
            Scale(0) => return None,
            Scale::ONE => missing_ns,
            Scale(scale) => {
                let game = (u128::from(missing_ns) << 32).saturating_sub(self.scale_rest.into());
                u64::try_from(game.div_ceil(scale.into())).unwrap_or(u64::MAX)
            }
        };
        let is_off = self.pacing.display_lock == DisplayLock::Off;
        Some(if is_off && self.lock.held_ns() != 0 { self.lock.frame_of(advance_ns) } else { advance_ns })
    }

    /// Returns the ledger: where all time went.
    pub fn ledger(&self) -> Ledger {
        Ledger {
            pending_ns: self.steps.pending().into(),
            held_ns: self.lock.held_ns().into(),
            forfeited_ns: self.lock.forfeited_ns().into(),
            ..self.ledger
        }
    }

    /// The statistics of recent frames.
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }
}
