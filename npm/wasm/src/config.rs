//! Configurations: built up in the store, one setting a call.

#![expect(unsafe_code, reason = "required to export functions by name; there is no other unsafe code here")]

use evenstep::{Channel, DisplayLock, Effects, Excess, Pacing, Rate, from_millis};

use crate::pacer::Slot;
use crate::store::{slot, with};

/// Starts a configuration from a profile: the recommended loop (0), Starship (1), `FixedTimeStep` (2) or `GameLoop` (3). The
/// rate is as in [`pacing_set`]. Returns whether there is such a profile and such a rate.
#[unsafe(no_mangle)]
pub extern "C" fn pacing_from(profile: u32, ticks: f64, seconds: f64) -> bool {
    let Some(rate) = rate(ticks, seconds) else { return false };
    let pacing = match profile {
        0 => Pacing::at(rate),
        1 => Pacing::starship(),
        2 => Pacing::fixed_time_step(),
        3 => Pacing::game_loop(),
        _ => return false,
    };
    with(|store| store.pacing = Some(pacing.with_rate(rate)));
    true
}

/// Starts a configuration from that of a pacer.
#[unsafe(no_mangle)]
pub extern "C" fn pacing_of(pacer: usize) {
    let pacing = slot::<Slot>(pacer).pacer.pacing();
    with(|store| store.pacing = Some(pacing));
}

/// Changes one setting. Returns false if a value is out of range. Must agree with `src/pacing.ts`.
///
/// A limit that is infinite is switched off. A rate is one number in hertz and NaN, or two: ticks and seconds.
#[unsafe(no_mangle)]
pub extern "C" fn pacing_set(setting: u32, a: f64, b: f64, c: f64) -> bool {
    with(|store| {
        let changed = store.pacing.and_then(|pacing| change(pacing, setting, a, b, c));
        store.pacing = changed.or(store.pacing);
        changed.is_some()
    })
}

fn change(pacing: Pacing, setting: u32, a: f64, b: f64, c: f64) -> Option<Pacing> {
    let (time, count) = (from_millis(a), a.is_finite().then_some(a as u32));
    Some(match setting {
        0 => pacing.with_rate(rate(a, b)?),
        1 => pacing.with_stall(time),
        2 => pacing.with_longest_frame(time),
        3 => pacing.with_backlog(time),
        4 => pacing.with_backlog_steps(count),
        5 => pacing.with_steps_max(count),
        6 => pacing.with_excess(match a as u32 {
            0 => Excess::KeepPhase,
            1 => Excess::Drain,
            _ => Excess::Carry,
        }),
        7 => pacing.with_budget(time),
        8 => pacing.with_effects(if a == 0.0 { Effects::Composed } else { Effects::Classic }),
        9 if (0.0..1.0).contains(&a) => pacing.with_start_phase(a),
        10 if a == f64::INFINITY => pacing.with_draw_rate(None),
        10 => pacing.with_draw_rate(Some(rate(a, b)?)),
        11 => pacing.with_display_lock(match a as u32 {
            0 => DisplayLock::Off,
            1 => DisplayLock::Follow,
            _ => DisplayLock::RateLock,
        }),
        12.. if 0.0 <= a && a <= c && c <= b && b <= 1_000_000.0 => {
            pacing.with_channel(channel(setting - 12), a..=b, c)
        }
        _ => return None,
    })
}

/// The channel with this number; numbers beyond the last are the last.
pub(crate) const fn channel(n: u32) -> Channel {
    match n {
        0 => Channel::TIME_DILATION,
        1 => Channel::LEVEL_SPEED,
        2 => Channel::JUICE,
        3 => Channel::NETWORK_NUDGE,
        4..7 => Channel::custom(n as u8 - 4),
        _ => Channel::custom(3),
    }
}

fn rate(ticks: f64, seconds: f64) -> Option<Rate> {
    if seconds.is_nan() {
        Rate::from_hz(ticks)
    } else {
        // A cast saturates, and both ends are refused.
        Rate::try_new(ticks as u32, seconds as u32)
    }
}
