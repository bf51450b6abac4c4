//! The books: where every nanosecond went.

use crate::codec::Codec;
use crate::frame::{DROP_REASONS, DropReason};

/// Where all time went since the pacer was made, in exact nanoseconds.
///
/// What came in equals what it went to, after every frame of every trace:
///
/// ```text
/// wall + head start + by hand + fast forward + stretch
///     = simulated + dropped (by reason) + paused + menu + frozen + pending + held + followed
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
/// assert_eq!(ledger.stretch_ns, -16_500_000, "half speed takes half of the 33 ms away");
/// assert_eq!(ledger.pending_ns, 16_500_000);
/// assert!(ledger.is_balanced());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Time between the timestamps, all of it.
    pub wall_ns: u128,
    /// What the first phase of the accumulator gave in advance.
    pub head_start_ns: u128,
    /// Steps taken by hand while paused: no wall time paid for them.
    pub by_hand_ns: u128,
    /// Steps fast-forwarded on purpose: no wall time paid for them.
    pub fast_forward_ns: u128,
    /// What scales above 1 added and scales below 1 took away.
    pub stretch_ns: i128,
    /// Steps run.
    pub simulated_ns: u128,
    /// Time spent paused.
    pub paused_ns: u128,
    /// Time spent in a menu.
    pub menu_ns: u128,
    /// Time spent in a hit-freeze.
    pub frozen_ns: u128,
    /// Waiting for its step.
    pub pending_ns: u128,
    /// Withheld by the display lock, or given by it in advance when below zero.
    pub held_ns: i128,
    /// Given up to the display for good: by the rate lock, whose simulation runs at the display's speed (below zero:
    /// faster than the clock), and by resets, which start the display lock over.
    pub followed_ns: i128,
    pub(crate) dropped_ns: [u128; DROP_REASONS],
}

impl Ledger {
    /// Time dropped for one reason.
    ///
    /// ```
    /// use evenstep::{DropReason, Pacer, Pacing};
    ///
    /// assert_eq!(Pacer::new(Pacing::hz(60)).ledger().dropped_ns(DropReason::Cap), 0);
    /// ```
    pub const fn dropped_ns(&self, reason: DropReason) -> u128 {
        self.dropped_ns[reason as usize]
    }

    /// All that came in.
    ///
    /// ```
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let ledger = Pacer::new(Pacing::game_loop()).ledger();
    /// assert_eq!((ledger.total_in_ns(), ledger.total_out_ns()), (0, 0));
    /// ```
    pub const fn total_in_ns(&self) -> i128 {
        (self.wall_ns + self.head_start_ns + self.by_hand_ns + self.fast_forward_ns) as i128 + self.stretch_ns
    }

    /// All that it went to.
    ///
    /// ```
    /// use evenstep::{Pacer, Pacing};
    ///
    /// let ledger = Pacer::new(Pacing::hz(60)).ledger();
    /// assert_eq!(ledger.total_out_ns(), ledger.pending_ns as i128, "7/8 of a step to start with");
    /// ```
    pub fn total_out_ns(&self) -> i128 {
        let spent = self.simulated_ns + self.paused_ns + self.menu_ns + self.frozen_ns + self.pending_ns;
        (spent + self.dropped_ns.iter().sum::<u128>()) as i128 + self.held_ns + self.followed_ns
    }

    /// Whether the two totals are equal. They always are; this is what tests ask.
    ///
    /// ```
    /// use evenstep::{Pacer, Pacing};
    ///
    /// assert!(Pacer::new(Pacing::hz(60)).ledger().is_balanced());
    /// ```
    pub fn is_balanced(&self) -> bool {
        self.total_in_ns() == self.total_out_ns()
    }

    /// Every account that is not another part's state, each at most `most`.
    pub(crate) fn code(&mut self, codec: &mut impl Codec, most: u128) {
        let accounts = [
            &mut self.wall_ns,
            &mut self.head_start_ns,
            &mut self.by_hand_ns,
            &mut self.fast_forward_ns,
            &mut self.simulated_ns,
            &mut self.paused_ns,
            &mut self.menu_ns,
            &mut self.frozen_ns,
        ];
        for account in accounts.into_iter().chain(&mut self.dropped_ns) {
            codec.u128(account);
            if *account > most {
                codec.refuse();
                *account = 0;
            }
        }
        codec.i128(&mut self.stretch_ns);
        if self.stretch_ns.unsigned_abs() > most {
            codec.refuse();
            self.stretch_ns = 0;
        }
    }

    /// Whether nothing but a head start is on record: no frame has taken or lost any time yet.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self { head_start_ns: self.head_start_ns, pending_ns: self.pending_ns, ..Self::default() }
    }

    pub(crate) const fn drop_time(&mut self, reason: DropReason, nanos: u64) {
        self.dropped_ns[reason as usize] += nanos as u128;
    }
}
