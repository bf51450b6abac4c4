//! Answers: where time stands.

use core::time::Duration;

use super::{Gate, Pacer};
use crate::ledger::Ledger;
use crate::lock::DisplayLock;
use crate::pacing::Pacing;
use crate::rate::from_nanos;
use crate::scale::{Channel, Scale};
use crate::stats::Stats;

/// Answers: where time stands.
impl Pacer {
    /// The configuration.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing, Rate};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).pacing().rate(), Rate::hz(60));
    /// ```
    pub const fn pacing(&self) -> Pacing {
        self.pacing
    }

    /// The deterministic clock: ticks run since the pacer began or was reset. [`Rate::time_of`](crate::Rate::time_of)
    /// turns it into game time.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(200));
    /// assert_eq!(pacer.tick(), 12);
    /// ```
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The wall clock: all time between the timestamps, dropped or not.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::starship());
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_secs(5));
    /// assert_eq!(pacer.wall_time(), Duration::from_secs(5));
    /// ```
    pub fn wall_time(&self) -> Duration {
        from_nanos(self.ledger.wall_ns)
    }

    /// The UI clock: wall time after the limits. Scales, pauses and freezes do not touch it; a menu holds it.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Gate, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_gate(Gate::Paused);
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(16));
    /// assert_eq!(pacer.ui_time(), Duration::from_millis(16));
    /// ```
    pub const fn ui_time(&self) -> Duration {
        from_nanos(self.ui_ns)
    }

    /// Game seconds per wall second: the product of the channels, hitstop included. Frames use it to 32 binary places.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert_eq!(Pacer::new(Pacing::hz(60)).scale(), 1.0);
    /// ```
    pub fn scale(&self) -> f64 {
        self.scales.product()
    }

    /// What a channel was set to, before its clamp.
    ///
    /// ```
    /// # use evenstep::{Channel, Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.set_scale(Channel::NETWORK_NUDGE, 2.0);
    /// assert_eq!(pacer.channel(Channel::NETWORK_NUDGE), 2.0);
    /// assert_eq!(pacer.scale(), 1.1, "a nudge is at most 10 %");
    /// ```
    pub fn channel(&self, channel: Channel) -> f64 {
        self.scales.value(channel)
    }

    /// What a channel returns to.
    pub fn resting_scale(&self, channel: Channel) -> f64 {
        self.scales.resting(channel)
    }

    /// Where the display stands between the last two ticks as of the last frame: 0 <= alpha < 1.
    pub const fn alpha(&self) -> f64 {
        self.steps.alpha()
    }

    /// The game time that waits for its step.
    pub const fn pending(&self) -> Duration {
        Duration::from_nanos(self.steps.pending())
    }

    /// The instant at which the next frame has something to do: run a tick, or end a freeze or a hitstop. `None` while a
    /// pause, a menu or a scale of 0 holds the simulation.
    ///
    /// For a server, or a host that sleeps. A frame at that instant or later does it; one before it does nothing. It
    /// never lies so far away that the frame would lose time to the limits: in deep slow motion a frame may run no tick,
    /// and the next instant follows. Before the first frame, and while the host is away, the answer is zero. Switch the display lock off for this:
    /// there is no display, and the lock moves ticks.
    ///
    /// ```
    /// # use core::time::Duration;
    /// use evenstep::{DisplayLock, Pacer, Pacing};
    ///
    /// let mut server = Pacer::new(Pacing::hz(20).with_display_lock(DisplayLock::Off));
    /// let mut now = Duration::ZERO;
    /// while server.tick() < 100 {
    ///     now = server.next_due().expect("nobody holds it"); // Sleep until then.
    ///     server.frame(now);
    /// }
    /// assert_eq!(now, Duration::from_nanos(4_956_250_000), "7/8 of the first step waited at the start");
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

    /// At the present scale, or `None` where there is no end to it.
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

    /// Where all time went.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use evenstep::{Pacer, Pacing};
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// pacer.frame(Duration::ZERO);
    /// pacer.frame(Duration::from_millis(100));
    /// assert_eq!(pacer.ledger().wall_ns, 100_000_000);
    /// ```
    pub fn ledger(&self) -> Ledger {
        Ledger {
            pending_ns: self.steps.pending().into(),
            held_ns: self.lock.held_ns().into(),
            followed_ns: self.lock.followed_ns().into(),
            ..self.ledger
        }
    }

    /// What the frames were like lately.
    ///
    /// ```
    /// # use evenstep::{Pacer, Pacing};
    /// assert!(!Pacer::new(Pacing::hz(60)).stats().is_running_slowly());
    /// ```
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }
}
