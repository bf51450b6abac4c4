//! The explanation of a frame in words.

use core::fmt;

use super::{DropReason, Frame, Outcome};
use crate::accumulator::ALPHA_MAX;
use crate::scale::Scale;

/// A one-line explanation of a frame, returned by [`Frame::explain`]. Format it with `{}`.
///
/// ```
/// # use core::time::Duration;
/// # use evenstep::{Gate, Pacer, Pacing};
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// pacer.set_gate(Gate::Paused);
/// assert_eq!(pacer.frame(Duration::ZERO).explain().to_string(), "0 steps: paused");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation(Frame);

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = &self.0;
        write!(out, "{} step{}: ", frame.steps, if frame.steps == 1 { "" } else { "s" })?;
        match frame.outcome {
            Outcome::Ran if frame.by_hand => write!(out, "advanced by hand while paused")?,
            Outcome::Ran => self.fmt_sum(out)?,
            Outcome::Stalled => write!(out, "a gap of {} is a stall, not a frame", Millis(frame.advance_ns))?,
            Outcome::Menu => write!(out, "a menu holds the game")?,
            Outcome::Paused => write!(out, "paused")?,
            Outcome::Frozen => write!(out, "a hit-freeze holds the game")?,
            Outcome::Skipped => write!(out, "the timestamp was not a number")?,
        }
        let mut lead = "; dropped ";
        for reason in DropReason::ALL {
            let dropped_ns = frame.dropped_by(reason).as_nanos() as u64;
            if dropped_ns > 0 {
                write!(out, "{lead}{} ({})", Millis(dropped_ns), reason.name())?;
                lead = ", ";
            }
        }
        Ok(())
    }
}

impl Explanation {
    pub(super) const fn of(frame: Frame) -> Self {
        Self(frame)
    }

    fn fmt_sum(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = &self.0;
        write!(out, "{}", Millis(frame.raw_ns))?;
        if frame.advance_ns != frame.elapsed_ns {
            write!(out, " (by the display; the clock said {})", Millis(frame.elapsed_ns))?;
        }
        if frame.scale != Scale::ONE {
            write!(out, " at scale {:.3}, {},", frame.scale.as_f64(), Millis(frame.scaled_ns))?;
        }
        write!(out, " came on top of {} waiting; ", Millis(frame.waited_ns()))?;
        let step_ms = frame.rate.step_secs() * 1e3;
        if frame.steps == 0 {
            write!(out, "a step needs {step_ms:.3} ms, so {} wait", Millis(frame.pending_ns))?;
        } else {
            let leave = if frame.steps == 1 { "it leaves" } else { "they leave" };
            write!(out, "at {step_ms:.3} ms a step {leave} {}", Millis(frame.pending_ns))?;
        }
        write!(out, " (alpha {:.3})", floor_to_thousandths(frame.alpha))?;
        if frame.steps_ahead > 0 {
            write!(out, "; {} fast-forwarded", frame.steps_ahead)?;
        }
        if frame.alpha == ALPHA_MAX {
            let limit = if frame.over_budget { "budget" } else { "cap" };
            write!(out, "; the {limit} lets no more run in one frame")?;
        }
        Ok(())
    }
}

/// Rounds down, so that an alpha below 1 is never shown as 1.000.
fn floor_to_thousandths(alpha: f64) -> f64 {
    f64::from((alpha * 1e3) as u32) / 1e3
}

struct Millis(u64);

impl fmt::Display for Millis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.3} ms", self.0 as f64 / 1e6)
    }
}
