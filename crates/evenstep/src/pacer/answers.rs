//! Answers: where time stands.

use core::time::Duration;

use super::Pacer;
use crate::ledger::Ledger;
use crate::pacing::Pacing;
use crate::scale::Channel;
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
        Duration::from_nanos_u128(self.ledger.wall_ns)
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
        Duration::from_nanos_u128(self.ui_ns)
    }

    /// Game seconds per wall second: the product of the channels, hitstop included.
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
