//! What a trace's frames and its ledger print.

use std::time::Duration;

use evenstep::{DropReason, Frame, LockState, Pacer};

use super::output::{EXPLAIN, Row, Value, outcome_name};

/// The output of frame `number`; `pacer` is as it is after the frame.
pub(crate) fn frame_row(number: u64, frame: &Frame, pacer: &Pacer) -> Row {
    let int = |name, value: u64| (name, Value::Int(value.into()));
    let number_of = |name, value| (name, Value::Number(value));
    let flag = |name, value| (name, Value::Bool(value));
    let secs = |name, value: Duration| number_of(name, value.as_nanos() as f64 / 1e9);
    let stats = pacer.stats();
    vec![
        int("frame", number),
        ("outcome", Value::Text(outcome_name(frame.outcome()).into())),
        int("steps", frame.steps().into()),
        int("tick", pacer.tick()),
        number_of("alpha", frame.alpha()),
        number_of("dt_s", f64::from(frame.steps()) / pacer.pacing().rate().as_hz()),
        secs("raw_dt_s", frame.raw_dt()),
        secs("dropped_s", frame.dropped()),
        number_of("time_scale", pacer.scale()),
        flag("in_hitstop", pacer.is_in_hitstop()),
        secs("freeze_left_s", pacer.freeze_left()),
        flag("render", frame.should_draw()),
        ("lock", Value::Text(lock_name(pacer.lock_state()).into())),
        int("lag_spikes", stats.lag_spikes()),
        int("missed", frame.missed().into()),
        number_of("fps", stats.fps().round()),
        (EXPLAIN, Value::Text(frame.explain().to_string())),
    ]
}

/// The ledger: where every nanosecond of the trace went.
pub(crate) fn ledger_row(pacer: &Pacer) -> Row {
    let ledger = pacer.ledger();
    let int = |name, nanos: u128| (name, Value::Int(nanos.cast_signed()));
    let dropped = |name, reason| int(name, ledger.dropped_ns(reason));
    vec![
        int("wall_ns", ledger.wall_ns),
        int("head_start_ns", ledger.head_start_ns),
        int("by_hand_ns", ledger.by_hand_ns),
        int("fast_forward_ns", ledger.fast_forward_ns),
        ("stretch_ns", Value::Int(ledger.stretch_ns)),
        ("total_in_ns", Value::Int(ledger.total_in_ns())),
        int("simulated_ns", ledger.simulated_ns),
        dropped("dropped_stall_ns", DropReason::Stall),
        dropped("dropped_clamp_ns", DropReason::Clamp),
        dropped("dropped_backlog_ns", DropReason::Backlog),
        dropped("dropped_cap_ns", DropReason::Cap),
        dropped("dropped_budget_ns", DropReason::Budget),
        dropped("dropped_reset_ns", DropReason::Reset),
        dropped("dropped_rate_ns", DropReason::Rate),
        int("paused_ns", ledger.paused_ns),
        int("menu_ns", ledger.menu_ns),
        int("frozen_ns", ledger.frozen_ns),
        int("pending_ns", ledger.pending_ns),
        ("held_ns", Value::Int(ledger.held_ns)),
        ("forfeited_ns", Value::Int(ledger.forfeited_ns)),
        ("total_out_ns", Value::Int(ledger.total_out_ns())),
        ("balanced", Value::Bool(ledger.is_balanced())),
    ]
}

const fn lock_name(state: LockState) -> &'static str {
    match state {
        LockState::Off => "off",
        LockState::Searching => "searching",
        LockState::Free => "free",
        LockState::Locked { .. } => "locked",
    }
}
