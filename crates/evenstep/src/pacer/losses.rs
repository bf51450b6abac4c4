//! What a frame refuses to simulate: gaps that are cut, steps that a budget cannot afford, and the books of both.

use super::{Gap, Gate, Pacer, Run};
use crate::frame::{DropReason, Outcome};
use crate::pacing::Excess;

impl Pacer {
    /// How many steps this frame may run: fewer than the cap where a budget cannot afford them.
    #[inline]
    pub(super) fn steps_affordable(&mut self, should_draw: bool) -> u32 {
        // A frame that was to be drawn and never reported it was not: nobody saw it, and its cost is history.
        if self.costs.draw_ns != 0 && self.costs.is_draw_owed {
            self.costs.draw_ns = 0;
            self.update_limits();
        }
        self.costs.is_draw_owed = should_draw;
        self.costs.is_off = false;
        if should_draw { self.limits.steps_drawn } else { self.limits.steps_undrawn }
    }

    /// A gap that is a stall is dropped whole, with what waits; one that is merely too long is cut short.
    #[cold]
    pub(super) fn cut(&mut self, advance_ns: u64) -> Gap {
        if advance_ns > self.limits.stall_ns {
            let waited_ns = match self.pacing.excess {
                Excess::KeepPhase => self.steps.drop_whole_steps(),
                Excess::Drain | Excess::Carry => self.steps.clear(),
            };
            // Booked apart: together they may leave the integers.
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

    /// What a frame longer than the longest counts for. Where the phase is to be kept, whole steps are dropped.
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

    /// Books what a frame dropped, and says how many steps its gap was long if it was a lag spike.
    #[cold]
    pub(super) fn record_loss(&mut self, advance_ns: u64, gap: &Gap, run: &Run, over_budget: bool) -> u32 {
        if gap.outcome != Outcome::Stalled {
            self.ledger.drop_time(DropReason::Clamp, gap.dropped_ns);
        }
        let refused = if over_budget { DropReason::Budget } else { DropReason::Cap };
        self.ledger.drop_time(DropReason::Backlog, run.dropped_backlog_ns);
        self.ledger.drop_time(refused, run.dropped_steps_ns);
        // Whoever was away, or in a menu, is not slow.
        if run.outcome == Outcome::Ran && !run.by_hand {
            self.stats.record_slowness();
            self.find_plain();
        }
        // In game time. Steps too slow for the budget are no fault of the gap.
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
