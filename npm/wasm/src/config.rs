//! Configurations: built up in the store, one setting a call.

#![expect(unsafe_code, reason = "required to export functions by name; there is no other unsafe code here")]

use evenstep::{Channel, DisplayLock, Effects, Excess, Pacing, Rate};

use crate::nanos;
use crate::pacer::Slot;
use crate::store::{slot, with};

/// The original loops. As data they are smaller than as the code that writes them.
static ORIGINALS: [Pacing; 3] = [Pacing::starship(), Pacing::fixed_time_step(), Pacing::game_loop()];

/// Writes a rate as an exact fraction to the numbers: ticks and seconds. It is given like that, or in hertz and NaN. Returns
/// whether there is such a rate.
#[unsafe(no_mangle)]
pub extern "C" fn rate_of(ticks: f64, seconds: f64) -> bool {
    let rate = if seconds.is_nan() { Rate::from_hz(ticks) } else { fraction(ticks, seconds) };
    let Some(rate) = rate else { return false };
    with(|store| {
        store.numbers[0] = f64::from(rate.ticks());
        store.numbers[1] = f64::from(rate.seconds());
    });
    true
}

/// Starts a configuration from a profile at a rate: the recommended loop (0), Starship (1), `FixedTimeStep` (2) or
/// `GameLoop` (3). Returns whether there is such a profile and such a rate.
#[unsafe(no_mangle)]
pub extern "C" fn pacing_from(profile: u32, ticks: f64, seconds: f64) -> bool {
    let Some(rate) = fraction(ticks, seconds) else { return false };
    with(|store| {
        store.pacing = match profile.checked_sub(1) {
            None => Pacing::at(rate),
            Some(original) => match ORIGINALS.get(original as usize) {
                Some(pacing) => *pacing,
                None => return false,
            },
        };
        store.pacing = store.pacing.with_rate(rate);
        true
    })
}

/// Starts a configuration from that of a pacer.
#[unsafe(no_mangle)]
pub extern "C" fn pacing_of(pacer: usize) {
    let pacing = slot::<Slot>(pacer).pacer.pacing();
    with(|store| store.pacing = pacing);
}

/// Changes one setting. Returns false if a value is out of range. Must agree with `src/pacing.ts`.
///
/// Times are in nanoseconds. A limit that is infinite is switched off. A rate is two numbers: ticks and seconds.
#[unsafe(no_mangle)]
pub extern "C" fn pacing_set(setting: u32, a: f64, b: f64, c: f64) -> bool {
    with(|store| change(&mut store.pacing, setting, a, b, c).is_some())
}

/// Changes a configuration in place, because it is large.
fn change(pacing: &mut Pacing, setting: u32, a: f64, b: f64, c: f64) -> Option<()> {
    let time = a.is_finite().then_some(nanos(a));
    let count = a.is_finite().then_some(a as u32);
    let choice = a as u32;
    match setting {
        0 => *pacing = pacing.with_rate(fraction(a, b)?),
        1 => *pacing = pacing.with_stall(time),
        2 => *pacing = pacing.with_longest_frame(time),
        3 => *pacing = pacing.with_backlog(time),
        4 => *pacing = pacing.with_backlog_steps(count),
        5 => *pacing = pacing.with_steps_max(count),
        6 => {
            *pacing = pacing.with_excess(match choice {
                0 => Excess::KeepPhase,
                1 => Excess::Drain,
                2 => Excess::Carry,
                _ => return None,
            });
        }
        7 => *pacing = pacing.with_budget(time),
        8 => {
            *pacing = pacing.with_effects(match choice {
                0 => Effects::Composed,
                1 => Effects::Classic,
                _ => return None,
            });
        }
        9 if (0.0..1.0).contains(&a) => *pacing = pacing.with_start_phase(a),
        10 if a == f64::INFINITY => *pacing = pacing.with_draw_rate(None),
        10 => *pacing = pacing.with_draw_rate(Some(fraction(a, b)?)),
        11 => {
            *pacing = pacing.with_display_lock(match choice {
                0 => DisplayLock::Off,
                1 => DisplayLock::Follow,
                2 => DisplayLock::RateLock,
                _ => return None,
            });
        }
        12.. if 0.0 <= a && a <= c && c <= b && b <= 1_000_000.0 => {
            *pacing = pacing.with_channel(channel(setting - 12), a..=b, c);
        }
        _ => return None,
    }
    Some(())
}

/// The channel with this number; numbers beyond the last are the last.
pub(crate) fn channel(n: u32) -> Channel {
    Channel::ALL[(n as usize).min(Channel::ALL.len() - 1)]
}

fn fraction(ticks: f64, seconds: f64) -> Option<Rate> {
    // A cast saturates, and both ends are refused.
    Rate::try_new(ticks as u32, seconds as u32)
}
