//! The displays on which timestamps cannot tell what the display does, so that the lock may do harm.

use crate::display::{Display, Noise, Refresh};
use crate::host::Host;

/// Below this noise on timestamps, a change of rate costs more than the noise does, in milliseconds.
const EXACT_MS: f64 = 0.1;

/// Why no loop could avoid harm on this display from timestamps alone; `None` if it must.
pub fn cannot_tell(display: &Display, host: &Host) -> Option<&'static str> {
    if host.is_variable {
        return None;
    }
    match display.refresh {
        Refresh::Capped => return Some("frame cap: looks like a fixed refresh with noise"),
        Refresh::Independent(_) => {
            return Some("independent intervals: look like a fixed refresh with noise");
        }
        Refresh::Switching { .. } if !host.tells_refresh && is_exact(display) => {
            return Some("change of rate with exact timestamps: its first frame looks like a late wake-up");
        }
        _ => {}
    }
    (display.pause_every_s > 0.0 && display.work > 0.0)
        .then_some("pause: whether a late frame makes its refresh is decided after its timestamp")
}

/// Whether the plain accumulator has almost no judder on this display.
fn is_exact(display: &Display) -> bool {
    let noise_ms = match display.noise {
        Noise::None => 0.0,
        Noise::Gauss(ms) | Noise::Uniform(ms) | Noise::Exponential(ms) | Noise::Correlated { ms, .. } => ms,
        Noise::Bursts(quiet, loud) => quiet.max(loud),
    };
    let clock_ms = display.clock_ns as f64 / 1e6;
    noise_ms.max(clock_ms) <= EXACT_MS && display.late == 0.0 && !display.is_paired
}
