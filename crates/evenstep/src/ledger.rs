//! The ledger: where every nanosecond went.

use core::fmt;

use crate::frame::{DROP_REASONS, DropReason};

/// Where all time went since the pacer was created, in exact nanoseconds.
///
/// After every frame, the time that came in equals the time accounted for:
///
/// ```text
/// wall + head start + by hand + fast forward + stretch
///     = simulated + dropped (by reason) + paused + menu + frozen + pending + held + forfeited
/// ```
///
/// ```
/// use core::time::Duration;
/// use evenstep::{Channel, DropReason, Pacer, Pacing};
///
/// let mut pacer = Pacer::new(Pacing::starship());
/// pacer.set_scale(Channel::TIME_DILATION, 0.5);
/// pacer.frame(Duration::ZERO);
/// pacer.frame(Duration::from_millis(40));
/// let ledger = pacer.ledger();
/// assert_eq!(ledger.wall_ns, 40_000_000);
/// assert_eq!(ledger.dropped_ns(DropReason::Clamp), 7_000_000);
/// assert_eq!(ledger.stretch_ns, -16_500_000, "half speed removes half of the 33 ms");
/// assert_eq!(ledger.pending_ns, 16_500_000);
/// assert_eq!((ledger.total_in_ns(), ledger.total_out_ns()), (23_500_000, 23_500_000));
/// assert_eq!(
///     ledger.to_string(),
///     "40.000 ms of wall time and -16.500 ms of stretch = 16.500 ms pending, 7.000 ms dropped (clamp)"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Ledger {
    /// All time between timestamps.
    pub wall_ns: u128,
    /// Granted by the start phase.
    pub head_start_ns: u128,
    /// Granted for steps by hand, which take no wall time.
    pub by_hand_ns: u128,
    /// Granted for fast-forwarded steps, which take no wall time.
    pub fast_forward_ns: u128,
    /// Added by scales above 1, or removed (negative) by scales below 1.
    pub stretch_ns: i128,
    /// Simulated in steps.
    pub simulated_ns: u128,
    /// Spent paused.
    pub paused_ns: u128,
    /// Spent in a menu.
    pub menu_ns: u128,
    /// Spent in a hit-freeze.
    pub frozen_ns: u128,
    /// Pending, not simulated yet.
    pub pending_ns: u128,
    /// Withheld by the display lock, or granted by it in advance if negative.
    pub held_ns: i128,
    /// Given up permanently: by the rate lock, which runs the simulation at the display's speed (negative: faster
    /// than the clock), and by resets, which restart the display lock.
    pub forfeited_ns: i128,
    pub(crate) dropped_ns: [u128; DROP_REASONS],
}

/// Formats both sides of the balance in words and milliseconds, without accounts that are empty.
impl fmt::Display for Ledger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of wall time", Millis(self.wall_ns as i128))?;
        for (nanos, name) in [
            (self.head_start_ns as i128, "head start"),
            (self.by_hand_ns as i128, "steps by hand"),
            (self.fast_forward_ns as i128, "fast forward"),
            (self.stretch_ns, "stretch"),
        ] {
            if nanos != 0 {
                write!(out, " and {} of {name}", Millis(nanos))?;
            }
        }
        let mut lead = " = ";
        for (nanos, name) in [
            (self.simulated_ns as i128, "simulated"),
            (self.paused_ns as i128, "paused"),
            (self.menu_ns as i128, "in a menu"),
            (self.frozen_ns as i128, "frozen"),
            (self.pending_ns as i128, "pending"),
            (self.held_ns, "held by the display lock"),
            (self.forfeited_ns, "forfeited to the display"),
        ] {
            if nanos != 0 {
                write!(out, "{lead}{} {name}", Millis(nanos))?;
                lead = ", ";
            }
        }
        for reason in DropReason::ALL {
            let nanos = self.dropped_ns(reason);
            if nanos != 0 {
                write!(out, "{lead}{} dropped ({})", Millis(nanos as i128), reason.name())?;
                lead = ", ";
            }
        }
        Ok(())
    }
}

/// Nanoseconds, printed as milliseconds to the microsecond.
struct Millis(i128);

impl fmt::Display for Millis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micros = self.0.unsigned_abs() / 1_000;
        write!(out, "{sign}{}.{:03} ms", micros / 1_000, micros % 1_000)
    }
}

impl Ledger {
    /// The time dropped for one reason.
    pub const fn dropped_ns(&self, reason: DropReason) -> u128 {
        self.dropped_ns[reason as usize]
    }

    /// The sum of all time that came in.
    pub const fn total_in_ns(&self) -> i128 {
        (self.wall_ns + self.head_start_ns + self.by_hand_ns + self.fast_forward_ns) as i128 + self.stretch_ns
    }

    /// The sum of all time accounted for.
    pub fn total_out_ns(&self) -> i128 {
        let spent = self.simulated_ns + self.paused_ns + self.menu_ns + self.frozen_ns + self.pending_ns;
        (spent + self.dropped_ns.iter().sum::<u128>()) as i128 + self.held_ns + self.forfeited_ns
    }

    /// Whether both totals are equal. Always true; meant for tests.
    pub fn is_balanced(&self) -> bool {
        self.total_in_ns() == self.total_out_ns()
    }

    /// Whether no account exceeds what a run can reach, so that sums cannot overflow.
    #[cfg(feature = "serde")]
    pub(crate) fn is_possible(&self) -> bool {
        const NANOS_MAX: u128 = 1 << 120;
        let accounts = [
            self.wall_ns,
            self.head_start_ns,
            self.by_hand_ns,
            self.fast_forward_ns,
            self.simulated_ns,
            self.paused_ns,
            self.menu_ns,
            self.frozen_ns,
            self.stretch_ns.unsigned_abs(),
        ];
        accounts.iter().chain(&self.dropped_ns).all(|&nanos| nanos <= NANOS_MAX)
    }

    /// Whether nothing but a head start is recorded: no time has passed yet.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self { head_start_ns: self.head_start_ns, pending_ns: self.pending_ns, ..Self::default() }
    }

    pub(crate) const fn drop_time(&mut self, reason: DropReason, nanos: u64) {
        self.dropped_ns[reason as usize] += nanos as u128;
    }
}
