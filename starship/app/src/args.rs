//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use starship_sim::Display;

/// Plays Starship Survivors in a window, or headless where there is no display.
///
/// Keys: WASD or arrows fly, Space or Shift boosts, P or Esc pauses, `.` makes one step while paused, `[` and `]` slow
/// down and speed up, L toggles the display lock, F1 shows the pacing overlay, F2 takes a screenshot.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "every flag of a command line is one")]
#[command(name = "starship", version)]
pub(crate) struct Args {
    /// Play without a window, through a simulated display, as fast as possible
    #[arg(long)]
    headless: bool,

    /// Let the autopilot play; headless it always does
    #[arg(long)]
    pub(crate) autopilot: bool,

    /// Where the dice start: the same number gives the same game
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,

    /// Ticks to play, 60 to a second of the game; without it, until the mission is over
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = ticks)]
    pub(crate) ticks: Option<u64>,

    /// Pace the window for a display of this refresh rate, whatever the monitor says
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, value_parser = display_hz)]
    pub(crate) display_hz: Option<f64>,

    /// Draw at most this many images a second; the game runs as before
    #[arg(long, value_name = "FPS", allow_negative_numbers = true, value_parser = fps_cap)]
    pub(crate) fps_cap: Option<f64>,

    /// Fill the screen
    #[arg(long)]
    pub(crate) fullscreen: bool,

    /// Refresh rate of the simulated display, headless
    #[arg(long, value_name = "HZ", default_value = "60", allow_negative_numbers = true, value_parser = display_hz)]
    pub(crate) display: f64,

    /// Timestamps up to this much early or late
    #[arg(long, value_name = "MS", default_value = "0", allow_negative_numbers = true, value_parser = jitter_ms)]
    pub(crate) jitter: f64,

    /// A stall of 600 ms every so many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = stall_every_s)]
    pub(crate) stall_every: Option<f64>,

    /// Game seconds per wall second
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = scale)]
    pub(crate) scale: f64,

    /// End with the line `tick N hash HEX`
    #[arg(long)]
    pub(crate) hash: bool,

    /// Write a picture of the last frame
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Print steps per second
    #[arg(long)]
    pub(crate) bench: bool,
}

impl Args {
    /// Whatever needs no real time implies it.
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
        Ok(0) => Err("zero ticks is no game; give 1 or more (3600 is a minute)".to_owned()),
        _ => Err("ticks are a whole number from 1 to 1000000000 (3600 is a minute)".to_owned()),
    }
}

fn display_hz(text: &str) -> Result<f64, String> {
    number(text, 1.0..=10_000.0, "a display shows 1 to 10000 images a second, such as 60 or 59.94")
}

fn fps_cap(text: &str) -> Result<f64, String> {
    number(text, 1.0..=1_000.0, "a cap is 1 to 1000 images a second; leave the option out for none")
}

fn jitter_ms(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1_000.0, "jitter is 0 to 1000 milliseconds")
}

fn stall_every_s(text: &str) -> Result<f64, String> {
    number(text, 0.1..=86_400.0, "a stall comes every 0.1 to 86400 seconds; leave the option out for none")
}

fn scale(text: &str) -> Result<f64, String> {
    number(text, 0.01..=100.0, "a scale is 0.01 to 100, such as 0.25 or 4")
}

fn number(text: &str, range: std::ops::RangeInclusive<f64>, fix: &str) -> Result<f64, String> {
    // NaN parses and is in no range.
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| fix.to_owned())
}
