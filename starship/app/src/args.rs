//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use starship_sim::Display;

/// Play Starship Survivors in a window, or headless if there is no display.
///
/// Keys: WASD or arrows to fly, Space or Shift to boost, P or Esc to pause, `.` for a single step while paused, `[` and
/// `]` to slow down and speed up, L to toggle the display lock, F1 for the pacing overlay, F2 for a screenshot.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "command-line flags")]
#[command(name = "starship", version)]
pub(crate) struct Args {
    /// Run without a window, on a simulated display, as fast as possible
    #[arg(long)]
    headless: bool,

    /// Let the autopilot play; headless runs always do
    #[arg(long)]
    pub(crate) autopilot: bool,

    /// Random seed; the same seed gives the same game
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,

    /// Number of ticks to run, 60 per second of the game [default: until the mission is over]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = ticks)]
    pub(crate) ticks: Option<u64>,

    /// Pace the window for this refresh rate instead of the monitor's
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, value_parser = display_hz)]
    pub(crate) display_hz: Option<f64>,

    /// Draw at most this many frames per second; the game runs at normal speed
    #[arg(long, value_name = "FPS", allow_negative_numbers = true, value_parser = fps_cap)]
    pub(crate) fps_cap: Option<f64>,

    /// Run in full screen
    #[arg(long)]
    pub(crate) fullscreen: bool,

    /// Refresh rate of the simulated display (headless only)
    #[arg(long, value_name = "HZ", default_value = "60", allow_negative_numbers = true, value_parser = display_hz)]
    pub(crate) display: f64,

    /// Make timestamps up to this much early or late (headless only)
    #[arg(long, value_name = "MS", default_value = "0", allow_negative_numbers = true, value_parser = jitter_ms)]
    pub(crate) jitter: f64,

    /// Stall for 600 ms at this interval (headless only)
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = stall_every_s)]
    pub(crate) stall_every: Option<f64>,

    /// Game seconds per wall second
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = scale)]
    pub(crate) scale: f64,

    /// End with the line `tick N hash HEX`
    #[arg(long)]
    pub(crate) hash: bool,

    /// Write a screenshot of the last frame
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Print steps per second
    #[arg(long)]
    pub(crate) bench: bool,
}

impl Args {
    /// Options that need no real time imply headless.
    pub(crate) fn headless(&self) -> bool {
        self.headless || self.ticks.is_some() || self.hash || self.bench || self.png.is_some()
    }

    pub(crate) fn simulated_display(&self) -> Display {
        let display = Display::hz(self.display).with_jitter(Duration::from_secs_f64(self.jitter / 1e3));
        match self.stall_every {
            Some(seconds) => display.with_stalls(Duration::from_secs_f64(seconds)),
            None => display,
        }
    }
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a seed is a whole number from 0 to 18446744073709551615".to_owned())
}

fn ticks(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(ticks @ 1..=1_000_000_000) => Ok(ticks),
        Ok(0) => Err("there is no game with zero ticks; give 1 or more (3600 is a minute)".to_owned()),
        _ => Err("ticks are a whole number from 1 to 1000000000 (3600 is a minute)".to_owned()),
    }
}

fn display_hz(text: &str) -> Result<f64, String> {
    number(text, 1.0..=10_000.0, "a display shows 1 to 10000 images a second, such as 60 or 59.94")
}

fn fps_cap(text: &str) -> Result<f64, String> {
    number(text, 1.0..=1_000.0, "a cap is 1 to 1000 frames a second; leave the option out for no cap")
}

fn jitter_ms(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1_000.0, "jitter is 0 to 1000 milliseconds")
}

fn stall_every_s(text: &str) -> Result<f64, String> {
    number(
        text,
        0.1..=86_400.0,
        "the interval between stalls is 0.1 to 86400 seconds; leave the option out for no stalls",
    )
}

fn scale(text: &str) -> Result<f64, String> {
    number(text, 0.01..=100.0, "a scale is 0.01 to 100, such as 0.25 or 4")
}

fn number(text: &str, range: std::ops::RangeInclusive<f64>, fix: &str) -> Result<f64, String> {
    // NaN parses, but no range contains it.
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| fix.to_owned())
}
