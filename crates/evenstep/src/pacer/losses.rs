//! What a frame does not simulate: gaps that are cut, steps that a budget cannot afford, and the accounting for both.

use super::{Gap, Pacer, Run};
use crate::command::Gate;
use crate::frame::{DropReason, Outcome};
use crate::pacing::Excess;

impl Pacer {
    /// Returns how many steps this frame may run: the cap, or fewer if the budget cannot afford them.
    #[inline]
    pub(super) fn steps_affordable(&mut self, should_draw: bool) -> u32 {
        // The last frame was to be drawn and reported nothing, so it was not drawn: the earlier cost is out of date.
        if self.costs.draw_ns != 0 && self.costs.is_draw_owed {
            self.costs.draw_ns = 0;
            self.update_limits();
        }
        self.costs.is_draw_owed = should_draw;
        self.costs.is_off = false;
        if should_draw { self.limits.steps_drawn } else { self.limits.steps_undrawn }
    }

    /// Applies the limits on a single frame: a stall is dropped together with what is pending, a long gap is clamped.
    #[cold]
    pub(super) fn cut(&mut self, advance_ns: u64) -> Gap {
        if advance_ns > self.limits.stall_ns {
            let waited_ns = match self.pacing.excess {
                Excess::KeepPhase => self.steps.drop_whole_steps(),
                Excess::Drain | Excess::Carry => self.steps.clear(),
            };
            // Recorded separately: the sum may overflow.
            self.ledger.drop_time(DropReason::Stall, advance_ns);
            self.ledger.drop_time(DropReason::Stall, waited_ns);
            return Gap {
                outcome: Outcome::Stalled,
                raw_ns: 0,
                dropped_ns: advance_ns.saturating_add(waited_ns),
            };
        }
        let raw_ns = self.clamp(advance_ns);
        Gap { outcome: Outcome::Ran, raw_ns, dropped_ns: advance_ns - raw_ns }
    }

    /// Returns how much of a long gap counts. To keep the phase, whole steps are dropped.
    fn clamp(&self, advance_ns: u64) -> u64 {
        let longest_ns = self.limits.frame_longest_ns;
        let is_running = self.gate == Gate::Open && self.freeze_left_ns == 0;
        if advance_ns > longest_ns && is_running && self.pacing.excess == Excess::KeepPhase {
            let whole_steps_ns =
                self.steps.wall_time_of_whole_steps(advance_ns - longest_ns, self.scales.fixed.0);
            let raw_ns = whole_steps_ns.and_then(|dropped_ns| advance_ns.checked_sub(dropped_ns));
            // In slow motion a step may last nearly as long as the longest frame: better lose the phase than the frame.
            if let Some(raw_ns) = raw_ns.filter(|&raw_ns| raw_ns >= longest_ns / 4) {
                return raw_ns;
            }
        }
        advance_ns.min(longest_ns)
    }

    /// Records what a frame dropped. Returns the length of its gap in steps if it was a lag spike, and 0 otherwise.
    #[cold]
    pub(super) fn record_loss(&mut self, advance_ns: u64, gap: &Gap, run: &Run, over_budget: bool) -> u32 {
        if gap.outcome != Outcome::Stalled {
            self.ledger.drop_time(DropReason::Clamp, gap.dropped_ns);
        }
        let refused = if over_budget { DropReason::Budget } else { DropReason::Cap };
        self.ledger.drop_time(DropReason::Backlog, run.dropped_backlog_ns);
        self.ledger.drop_time(refused, run.dropped_steps_ns);
        // A game that was away or in a menu is not slow.
        if run.outcome == Outcome::Ran && !run.by_hand {
            self.stats.record_slowness();
        }
        // In game time, without steps that were too slow for the budget: the gap did not cause those.
        let refused_steps_ns = if over_budget { 0 } else { run.dropped_steps_ns };
        let cut_gap_ns = (u128::from(gap.dropped_ns) * u128::from(self.scales.fixed.0)) >> 32;
        let cut_ns = cut_gap_ns + u128::from(run.dropped_backlog_ns) + u128::from(refused_steps_ns);
        let is_cut_short = advance_ns > 0 && cut_ns >= u128::from(self.steps.step_units());
        if advance_ns <= self.limits.spike_ns && !is_cut_short {
            return 0;
        }
        let missed = self.steps.steps_in(advance_ns);
        self.stats.record_spike(missed);
        missed
    }
}
