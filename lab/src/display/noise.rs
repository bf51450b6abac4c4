//! Noise on timestamps.

use std::fmt;

use crate::random::Random;

/// Interval between noise bursts, in seconds.
pub const BURST_EVERY_S: f64 = 6.0;
/// Length of a noise burst, at the end of each interval, in seconds.
pub const BURST_S: f64 = 1.5;

/// Noise on timestamps. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Timestamps are exact.
    None,
    /// Normal distribution with this standard deviation.
    Gauss(f64),
    /// Uniform distribution, up to this much early or late.
    Uniform(f64),
    /// Exponential distribution with this mean: always late, as thread wake-ups are.
    Exponential(f64),
    /// Normal distribution in which each frame's noise is correlated with the previous frame's.
    Correlated {
        /// Standard deviation.
        ms: f64,
        /// Correlation of successive frames.
        rho: f64,
    },
    /// Normal distribution with the first standard deviation, or the second during the last 1.5 s of every 6 s.
    Bursts(f64, f64),
}

/// The state of correlated noise.
#[derive(Clone, Debug)]
pub(super) struct NoiseState {
    last: f64,
}

impl NoiseState {
    pub(super) fn new(random: &mut Random) -> Self {
        Self { last: random.gauss() }
    }

    /// The noise of the next timestamp, in milliseconds.
    pub(super) fn draw(&mut self, noise: Noise, session_s: f64, random: &mut Random) -> f64 {
        match noise {
            Noise::None => 0.0,
            Noise::Gauss(ms) => ms * random.gauss(),
            Noise::Uniform(ms) => random.between(-ms, ms),
            Noise::Exponential(ms) => -ms * libm::log(1.0 - random.unit()),
            Noise::Correlated { ms, rho } => {
                self.last = rho * self.last + (1.0 - rho * rho).sqrt() * random.gauss();
                ms * self.last
            }
            Noise::Bursts(quiet, loud) => {
                let is_quiet = session_s % BURST_EVERY_S < BURST_EVERY_S - BURST_S;
                (if is_quiet { quiet } else { loud }) * random.gauss()
            }
        }
    }
}

/// A part of the display's description.
impl fmt::Display for Noise {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Gauss(ms) => write!(out, ", Gaussian noise of {ms} ms"),
            Self::Uniform(ms) => write!(out, ", uniform noise of ±{ms} ms"),
            Self::Exponential(ms) => write!(out, ", exponential lateness of {ms} ms"),
            Self::Correlated { ms, rho } => write!(out, ", correlated noise of {ms} ms ({rho})"),
            Self::Bursts(quiet, loud) => write!(out, ", noise of {quiet} ms in bursts of {loud} ms"),
        }
    }
}
