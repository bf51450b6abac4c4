//! The configuration's limits, ready for a frame.

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::codec::Codec;
use crate::pacing::{Excess, Pacing};
use crate::rate::to_nanos;
use crate::scale::Scales;

/// Even with every limit off no frame counts for more than this (2.4 hours): two steps of the slowest rate.
const FRAME_LONGEST_NS: u64 = 1 << 43;
/// However fast game time runs, no frame is worth more than this (73 years).
pub(super) const GAME_TIME_MAX_NS: u64 = 1 << 61;
/// Even with every limit off no more than this waits (146 years): room for one more frame above it.
const BACKLOG_MAX_NS: u64 = 1 << 62;

/// What the caller last reported: the wall time of one step and of one image. Zero is "never".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Costs {
    pub(super) step_ns: u64,
    pub(super) draw_ns: u64,
    // The last frame was to be drawn, and its drawing has not been reported.
    pub(super) is_draw_owed: bool,
    // There was no frame yet, or it was skipped: nothing that is reported is about one.
    pub(super) is_off: bool,
}

impl Costs {
    pub(super) fn code(&mut self, codec: &mut impl Codec) {
        codec.u64(&mut self.step_ns);
        codec.u64(&mut self.draw_ns);
        codec.bool(&mut self.is_draw_owed);
        codec.bool(&mut self.is_off);
    }
}

/// The configuration's limits in the core's own units, for the present scale. `MAX` is "off".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    // No limit of a single frame lies below this.
    pub(super) ordinary_ns: u64,
    pub(super) stall_ns: u64,
    pub(super) frame_longest_ns: u64,
    pub(super) spike_ns: u64,
    pub(super) backlog_ns: u64,
    // Beyond whole nanoseconds, so that a ceiling in steps holds exactly those.
    pub(super) backlog_part: u64,
    pub(super) steps_max: u32,
    // The step cap, or less where the budget affords less: in a frame that is drawn, and in one that is not.
    pub(super) steps_drawn: u32,
    pub(super) steps_undrawn: u32,
}

impl Limits {
    /// A limit below what a single step needs would hold the game for ever, so none is.
    pub(super) fn new(pacing: &Pacing, steps: &Accumulator, scales: &Scales, costs: Costs) -> Self {
        let one_step_ns = steps.units_of(1);
        let at_least_a_step =
            |limit: Option<Duration>| limit.map_or(u64::MAX, |limit| to_nanos(limit).max(one_step_ns));
        let stall_ns = at_least_a_step(pacing.stall);
        let frame_longest_ns = at_least_a_step(pacing.frame_longest).min(FRAME_LONGEST_NS);
        let spike_ns = if pacing.stall.is_some() { stall_ns } else { frame_longest_ns };
        let piles_up = pacing.excess == Excess::Carry && pacing.budget.is_some() && costs.step_ns > 0;
        let (backlog_ns, backlog_part) = backlog(pacing, steps, piles_up.then(|| scales.product()));
        let steps_max = pacing.steps_max.map_or(u32::MAX, |base| steps_max_at(base, scales.product()));
        let affordable = |draw_ns: u64| {
            pacing.budget.map_or(steps_max, |budget| {
                let left_ns = to_nanos(budget).saturating_sub(draw_ns);
                let affordable = left_ns.checked_div(costs.step_ns).unwrap_or(u64::MAX);
                affordable.clamp(1, steps_max.into()) as u32
            })
        };
        Self {
            ordinary_ns: stall_ns.min(frame_longest_ns),
            stall_ns,
            frame_longest_ns,
            spike_ns,
            backlog_ns,
            backlog_part,
            steps_max,
            steps_drawn: affordable(costs.draw_ns),
            steps_undrawn: affordable(0),
        }
    }
}

/// The most that may wait, in whole nanoseconds and parts of one: the lower of two ceilings, and two steps at least.
///
/// A budget refuses steps on every slow frame. Carried without a ceiling they would pile up for ever, so at the scale at
/// which they do, the longest frame is one.
fn backlog(pacing: &Pacing, steps: &Accumulator, piles_up_at: Option<f64>) -> (u64, u64) {
    let implied_ns = piles_up_at.filter(|_| pacing.backlog_steps.is_none()).map(|scale| {
        let longest = pacing.frame_longest.unwrap_or(Pacing::MAX_FRAME_TIME);
        (to_nanos(longest) as f64 * scale.max(1.0)) as u64
    });
    let in_time_ns = pacing.backlog.map(to_nanos).or(implied_ns).unwrap_or(u64::MAX).min(BACKLOG_MAX_NS);
    let in_steps = pacing.backlog_steps.map_or((u64::MAX, 0), |most| steps.exact_units_of(most));
    (in_time_ns, 0).min(in_steps).max(steps.exact_units_of(2))
}

/// `max(base, ceil(scale * base))`: a game at four times its speed may run four times the steps.
fn steps_max_at(base: u32, scale: f64) -> u32 {
    let scaled = scale * f64::from(base);
    let whole = scaled as u32;
    let ceiling = if f64::from(whole) < scaled { whole.saturating_add(1) } else { whole };
    base.max(ceiling)
}
