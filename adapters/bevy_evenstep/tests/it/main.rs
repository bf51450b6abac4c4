//! Tests of the plugin through Bevy's own schedules, with injected timestamps.

#![cfg_attr(
    not(target_arch = "wasm32"),
    expect(
        clippy::disallowed_methods,
        reason = "Bevy's timestamps are instants, so each test starts from one"
    )
)]
#![expect(clippy::unchecked_time_subtraction, reason = "a clock that went back has to fail the test")]

mod clocks;
mod controls;
mod devices;
mod diagnostics;
mod displays;
mod pause;
mod plugin;
mod rig;
mod settings;
mod taps;
