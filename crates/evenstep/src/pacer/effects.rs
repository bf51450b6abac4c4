//! What holds, slows or advances the simulation within a frame: gate, freeze, hitstop, steps by hand, fast-forward.

use super::{Pacer, Run};
use crate::command::Gate;
use crate::frame::Outcome;
use crate::pacing::Effects;
use crate::scale::Channel;

impl Pacer {
    /// Plans a frame in which a menu, a pause or a freeze holds the simulation.
    #[cold]
    pub(super) fn hold(&mut self, raw_ns: u64) -> Run {
        match self.gate {
            Gate::Menu => {
                self.ledger.menu_ns += u128::from(raw_ns);
                Run::none(Outcome::Menu)
            }
            Gate::Paused => {
                self.ledger.paused_ns += u128::from(raw_ns);
                self.ui_ns += u128::from(raw_ns);
                self.take_steps_by_hand()
            }
            Gate::Open => {
                // A freeze counts down in wall time and holds whole frames.
                self.ledger.frozen_ns += u128::from(raw_ns);
                self.ui_ns += u128::from(raw_ns);
                self.freeze_left_ns = self.freeze_left_ns.saturating_sub(raw_ns);
                if self.freeze_left_ns == 0 && self.pacing.effects == Effects::Classic {
                    self.scales.rest(Channel::TIME_DILATION);
                    self.update_limits();
                }
                Run::none(Outcome::Frozen)
            }
        }
    }

    fn take_steps_by_hand(&mut self) -> Run {
        if self.steps_by_hand == 0 {
            return Run::none(Outcome::Paused);
        }
        let steps = self.steps_by_hand.min(self.limits.steps_max);
        self.steps_by_hand -= steps;
        let unpaid_ns = u128::from(steps) * u128::from(self.steps.step_units());
        self.ledger.by_hand_ns += unpaid_ns;
        self.ledger.simulated_ns += unpaid_ns;
        Run { steps, by_hand: true, ..Run::none(Outcome::Ran) }
    }

    /// Takes fast-forwarded steps, in addition to those that wall time has paid for.
    #[cold]
    pub(super) fn take_steps_ahead(&mut self, steps: u32) -> u32 {
        let ahead = self.steps_ahead.min(u32::MAX - steps);
        self.steps_ahead -= ahead;
        let unpaid_ns = u128::from(ahead) * u128::from(self.steps.step_units());
        self.ledger.fast_forward_ns += unpaid_ns;
        self.ledger.simulated_ns += unpaid_ns;
        ahead
    }

    #[cold]
    pub(super) fn run_down_hitstop(&mut self, raw_ns: u64) {
        self.hitstop_left_ns = self.hitstop_left_ns.saturating_sub(raw_ns);
        if self.hitstop_left_ns == 0 {
            self.scales.set_hitstop(None);
            self.update_limits();
        }
    }
}
