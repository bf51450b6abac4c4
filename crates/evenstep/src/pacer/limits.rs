//! The configuration's limits, precomputed for a frame.

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::classic;
use crate::pacing::{Excess, Pacing};
use crate::rate::to_nanos;
use crate::scale::Scales;

/// Upper bound of the longest frame even if all limits are off (2.4 hours): two steps of the slowest rate.
const FRAME_LONGEST_NS: u64 = 1 << 43;
/// Upper bound of a frame's game time at any scale (73 years).
pub(super) const GAME_TIME_MAX_NS: u64 = 1 << 61;
/// Upper bound of the pending time even if all limits are off (146 years). One more frame fits above it.
const BACKLOG_MAX_NS: u64 = 1 << 62;

/// The costs that the caller last reported: the wall time of one step and of one image. Zero means never reported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Costs {
    pub(super) step_ns: u64,
    pub(super) draw_ns: u64,
    // The last frame was to be drawn, and its drawing has not been reported.
    pub(super) is_draw_owed: bool,
    // There was no frame yet, or it was skipped: reports are ignored.
    pub(super) is_off: bool,
}

/// The configuration's limits in nanoseconds and steps, for the current scale. `MAX` means off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Limits {
    // The smallest limit on a single frame.
    pub(super) ordinary_ns: u64,
    pub(super) stall_ns: u64,
    pub(super) frame_longest_ns: u64,
    pub(super) spike_ns: u64,
    pub(super) backlog_ns: u64,
    // The fraction of a nanosecond, so that a ceiling in steps is exact.
    pub(super) backlog_part: u64,
    pub(super) steps_max: u32,
    // The step cap, or less if the budget affords less: in a frame that is drawn, and in one that is not.
    pub(super) steps_drawn: u32,
    pub(super) steps_undrawn: u32,
}

impl Limits {
    /// Precomputes the limits. Each is at least what a single step needs, or it would block the game permanently.
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

/// The backlog ceiling in whole nanoseconds and parts: the lower of two ceilings, and at least two steps.
///
/// A budget refuses steps on every slow frame. Carried without a ceiling they would pile up indefinitely, so in this
/// case the longest frame at the given scale is the ceiling.
fn backlog(pacing: &Pacing, steps: &Accumulator, piles_up_at: Option<f64>) -> (u64, u64) {
    let implied_ns = piles_up_at.filter(|_| pacing.backlog_steps.is_none()).map(|scale| {
        let longest = pacing.frame_longest.unwrap_or(classic::MAX_FRAME_TIME);
        (to_nanos(longest) as f64 * scale.max(1.0)) as u64
    });
    let in_time_ns = pacing.backlog.map(to_nanos).or(implied_ns).unwrap_or(u64::MAX).min(BACKLOG_MAX_NS);
    let in_steps = pacing.backlog_steps.map_or((u64::MAX, 0), |most| steps.exact_units_of(most));
    (in_time_ns, 0).min(in_steps).max(steps.exact_units_of(2))
}

/// `max(base, ceil(scale * base))`: at four times the speed, four times the steps may run.
fn steps_max_at(base: u32, scale: f64) -> u32 {
    let scaled = scale * f64::from(base);
    let whole = scaled as u32;
    let ceiling = if f64::from(whole) < scaled { whole.saturating_add(1) } else { whole };
    base.max(ceiling)
}
