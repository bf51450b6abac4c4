//! What the host tells the pacer.

use crate::feedback::{FRAMES_LATE_MAX, Feedback, Lie};
use crate::host::Host;
use clap::Args;

use super::values::{milliseconds, number, share};

/// What the host tells the pacer besides timestamps.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct HostArguments {
    /// Tell the pacer that the refresh is variable, as a window system or a frame cap of our own knows
    #[arg(long)]
    told_variable: bool,
    /// Tell the pacer the refresh interval, at the start and at every change of rate
    #[arg(long)]
    told_refresh: bool,
    /// Presentation feedback: how many frames late it comes, 1 to 8, and its troubles, as in 1,noise:50us,lost:10%,
    /// swapped:10%,offset:5ms,drift:100ppm,lie:random (lies: grid:HZ, constant, random, later, jumping, echo)
    #[arg(long, value_name = "FRAMES[,...]", value_parser = feedback)]
    feedback: Option<Feedback>,
}

impl HostArguments {
    /// The host that the arguments describe.
    pub const fn host(&self) -> Host {
        self.host_besides(Host { is_variable: false, tells_refresh: false, feedback: None })
    }

    /// A host that tells this besides what it already does; feedback replaces other feedback.
    pub const fn host_besides(&self, host: Host) -> Host {
        Host {
            is_variable: self.told_variable || host.is_variable,
            tells_refresh: self.told_refresh || host.tells_refresh,
            feedback: if self.feedback.is_some() { self.feedback } else { host.feedback },
        }
    }
}

fn feedback(text: &str) -> Result<Feedback, String> {
    let (late, troubles) = text.split_once(',').map_or((text, None), |(late, rest)| (late, Some(rest)));
    let late = late.parse().ok().filter(|late| (1..=FRAMES_LATE_MAX).contains(late));
    let late = late.ok_or(format!("expected 1 to {FRAMES_LATE_MAX} frames first, as in 1 or 2,lost:10%"))?;
    let mut feedback = Feedback::late(late);
    for trouble in troubles.into_iter().flat_map(|it| it.split(',')) {
        match trouble.split_once(':') {
            Some(("noise", value)) => feedback.noise_ms = milliseconds(value, 0.0..=100.0)?,
            Some(("lost", value)) => feedback.lost = share(value, 0.0..=100.0)?,
            Some(("swapped", value)) => feedback.swapped = share(value, 0.0..=100.0)?,
            Some(("offset", value)) => feedback.offset_ms = milliseconds(value, -3.6e6..=3.6e6)?,
            Some(("drift", value)) => {
                let value = value.strip_suffix("ppm").unwrap_or(value);
                feedback.drift = number(value, -1e5..=1e5, "ppm")? / 1e6;
            }
            Some(("lie", value)) => feedback.lie = lie(value)?,
            _ => {
                return Err(format!(
                    "expected noise:50us, lost:10%, swapped:10%, offset:5ms, drift:100ppm or lie:random, found `{trouble}`"
                ));
            }
        }
    }
    Ok(feedback)
}

fn lie(text: &str) -> Result<Lie, String> {
    Ok(match text {
        "constant" => Lie::Constant,
        "random" => Lie::Random,
        "later" => Lie::Later,
        "jumping" => Lie::Jumping,
        "echo" => Lie::Echo,
        _ => match text.strip_prefix("grid:") {
            Some(hz) => Lie::Grid(number(hz, 10.0..=1000.0, "Hz")?),
            None => {
                return Err(format!(
                    "expected grid:61.3, constant, random, later, jumping or echo after lie:, found `{text}`"
                ));
            }
        },
    })
}
