//! The configuration's limits, ready for a frame.

use core::time::Duration;

use crate::accumulator::Accumulator;
use crate::pacing::Pacing;
use crate::rate::to_nanos;
use crate::scale::Scales;

/// Even with every limit off no frame counts for more than this (18 minutes): times the largest scale it is 2^60 ns.
const FRAME_LONGEST_NS: u64 = 1 << 40;
/// Even with every limit off no more than this waits (146 years): room for one more frame above it.
const BACKLOG_MAX_NS: u64 = 1 << 62;

/// What the caller last reported: the wall time of one step and of one image. Zero is "never".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Costs {
    pub(super) step_ns: u64,
    pub(super) draw_ns: u64,
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
    // The same, or less while the budget affords less.
    pub(super) steps_now: u32,
}

impl Limits {
    pub(super) fn new(pacing: &Pacing, steps: &Accumulator, scales: &Scales, costs: Costs) -> Self {
        let or_off = |limit: Option<Duration>| limit.map_or(u64::MAX, to_nanos);
        let stall_ns = or_off(pacing.stall);
        let frame_longest_ns = or_off(pacing.frame_longest).min(FRAME_LONGEST_NS);
        let spike_ns = pacing.spike_nanos();
        let steps_max = pacing.steps_max.map_or(u32::MAX, |base| steps_max_at(base, scales.product()));
        let in_time = (or_off(pacing.backlog).min(BACKLOG_MAX_NS), 0);
        let in_steps = pacing.backlog_steps.map_or((u64::MAX, 0), |most| steps.exact_units_of(most));
        let (backlog_ns, backlog_part) = in_time.min(in_steps);
        Self {
            ordinary_ns: stall_ns.min(frame_longest_ns).min(spike_ns),
            stall_ns,
            frame_longest_ns,
            spike_ns,
            backlog_ns,
            backlog_part,
            steps_max,
            steps_now: pacing.budget.map_or(steps_max, |budget| {
                let left_ns = to_nanos(budget).saturating_sub(costs.draw_ns);
                let affordable = left_ns.checked_div(costs.step_ns).unwrap_or(u64::MAX);
                affordable.clamp(1, steps_max.into()) as u32
            }),
        }
    }
}

/// `max(base, ceil(scale * base))`: a game at four times its speed may run four times the steps.
fn steps_max_at(base: u32, scale: f64) -> u32 {
    let scaled = scale * f64::from(base);
    let whole = scaled as u32;
    let ceiling = if f64::from(whole) < scaled { whole.saturating_add(1) } else { whole };
    base.max(ceiling)
}
