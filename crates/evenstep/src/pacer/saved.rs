//! Saving and restoring a pacer with serde, for saved games, rollback and late joiners.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Pacer;

/// Upper bound of a restored tick, and of the UI clock in nanoseconds. A run cannot exceed the range above them.
const TICK_MAX: u64 = 1 << 63;
const UI_NS_MAX: u128 = 1 << 120;

/// Saves the complete pacer: configuration, clocks, pending time, display lock, ledger and statistics.
///
/// ```
/// # use core::time::Duration;
/// # use evenstep::{Pacer, Pacing};
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// pacer.frame(ms(0));
/// pacer.frame(ms(40));
/// let saved = serde_json::to_string(&pacer)?;
///
/// let mut restored: Pacer = serde_json::from_str(&saved)?;
/// assert_eq!(restored, pacer);
/// assert_eq!(restored.frame(ms(57)), pacer.frame(ms(57)));
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for Pacer {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, out)
    }
}

/// Restores a pacer, which makes the same decisions as the saved one. A state that no pacer can have is an error, so
/// bytes from outside cannot make a pacer that breaks its promises.
///
/// The next frame is measured against the saved timestamp. If the clock is a different one, call
/// [`suspend`](Pacer::suspend) first.
impl<'de> Deserialize<'de> for Pacer {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let mut pacer = Self::deserialize(input)?;
        pacer.revive().map_err(D::Error::custom)?;
        Ok(pacer)
    }
}

impl Pacer {
    /// Computes what follows from the fields that were read, and checks them.
    fn revive(&mut self) -> Result<(), &'static str> {
        let check = |is_possible: bool, what| if is_possible { Ok(()) } else { Err(what) };
        let mut at_rate = self.steps;
        at_rate.set_rate(self.pacing.rate);
        check(at_rate == self.steps, "expected the step of a saved pacer to follow from its rate")?;
        check(
            self.tick <= TICK_MAX && self.ui_ns <= UI_NS_MAX,
            "a clock of the saved pacer is out of range",
        )?;
        check(self.scales.revive(self.pacing.channels), "a channel of the saved pacer is not finite")?;
        let is_in_hitstop = self.scales.hitstop().is_some();
        check((self.hitstop_left_ns > 0) == is_in_hitstop, "a hitstop needs both time and intensity")?;
        check(self.lock.is_possible(), "no display lock can be in the state of the saved pacer")?;
        check(self.draw.is_possible(self.pacing.draw_rate), "no draw limit can be in the saved state")?;
        check(self.ledger.is_possible(), "an account of the saved ledger is out of range")?;
        check(self.ledger().is_balanced(), "the saved ledger is not balanced")?;
        check(self.stats.is_possible(), "no statistics can be as those of the saved pacer")?;
        self.update_limits();
        Ok(())
    }
}
