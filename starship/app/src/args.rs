//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use evenstep_host::Beat;
use starship_sim::{Difficulty, FrameTimes, RunDef};

use crate::query::{self, Renderer};
use crate::seeds::Seed;

/// Play Starship Survivors in a window, or headless if there is no display.
///
/// Keys: WASD or arrows to fly, Space or Shift to boost, P or Esc to pause, F11 or Alt+Enter for full screen, M to mute,
/// `.` for a single step while paused, `[` and `]` to slow down and speed up, L to toggle the display lock, F1 for the
/// pacing overlay, F2 for a screenshot, F6 to save the last minute as a recording.
///
/// The settings menu changes most of this and is kept between sessions. Options given here win over it, for this run.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "command-line flags")]
#[command(name = "starship", version)]
pub(crate) struct Args {
    /// Run without a window, on a simulated display, as fast as possible; --ticks, --hash, --bench and --png imply it
    #[arg(long)]
    headless: bool,

    /// Let the autopilot play; headless runs always do
    #[arg(long)]
    pub(crate) autopilot: bool,

    /// Seed of the game; the same seed gives the same game. In a window, it is played again after a death [default: a new
    /// one for every run; headless: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = Seed::number)]
    seed: Option<u64>,

    /// Play the seed of the day, the same for everybody until midnight UTC
    #[arg(long, conflicts_with = "seed")]
    daily: bool,

    /// How hard the game is: easy, normal or hard [default: the last choice on the title screen; headless: normal]
    #[arg(long, value_name = "NAME", value_parser = query::difficulty)]
    pub(crate) difficulty: Option<Difficulty>,

    /// Number of ticks to run, 60 per second of the game [default: until the mission is over]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = ticks)]
    pub(crate) ticks: Option<u64>,

    /// Pace the window for this refresh rate instead of the monitor's
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, value_parser = display_hz)]
    pub(crate) display_hz: Option<f64>,

    /// Draw at most this many frames per second; the game runs at normal speed
    #[arg(long, value_name = "FPS", allow_negative_numbers = true, value_parser = fps_cap)]
    pub(crate) fps_cap: Option<f64>,

    /// Record everything into this file; `starship replay verify FILE` checks it
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Watch a recording: space pauses, arrows seek, Enter takes over
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "headless", "autopilot"])]
    pub(crate) replay: Option<PathBuf>,

    /// Try to watch a recording of another version, rate or configuration
    #[arg(long, requires = "replay")]
    pub(crate) force: bool,

    /// Play without timer, boss and damage; hold R to rewind
    #[arg(long)]
    pub(crate) sandbox: bool,

    /// What draws: auto (a graphics card if there is one), gpu, or cpu
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(crate) renderer: Renderer,

    /// Let lines and outlines glow (with a graphics card only)
    #[arg(long)]
    pub(crate) bloom: bool,

    /// What starts the frames: callback, count, present or deadlines [default: the best available]
    #[arg(long, value_name = "NAME")]
    pub(crate) beat: Option<Beat>,

    /// Start frames as late as their cost allows, for less latency
    #[arg(long)]
    pub(crate) late_start: bool,

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

    /// Game seconds per wall second [default: 1, or the player's setting in a window]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = scale)]
    pub(crate) scale: Option<f64>,

    /// End with the line `tick N hash HEX`
    #[arg(long)]
    pub(crate) hash: bool,

    /// Write a screenshot of the last frame
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Record the window's frames, for `evenstep trace` and `evenstep import`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// Print steps per second
    #[arg(long)]
    pub(crate) bench: bool,
}

impl Args {
    /// Options that need no real time imply headless.
    pub(crate) fn headless(&self) -> bool {
        self.headless || self.ticks.is_some() || self.hash || self.bench || self.png.is_some()
    }

    /// Where the seeds of a game in a window come from.
    pub(crate) fn seed(&self) -> Seed {
        match self.seed {
            Some(seed) => Seed::Fixed(seed),
            None if self.daily => Seed::Daily,
            None => Seed::Random,
        }
    }

    /// The first run of a headless game. Without a seed it is always the same, so that results can be compared, and the
    /// runs after a death have other seeds.
    pub(crate) fn headless_run(&self) -> RunDef {
        let seed = if self.seed() == Seed::Random { Seed::Fixed(1) } else { self.seed() };
        RunDef { repeats: false, ..seed.run(self.difficulty.unwrap_or_default()) }
    }

    /// The timestamps of the simulated display.
    pub(crate) fn frame_times(&self) -> FrameTimes {
        let times = FrameTimes::hz(self.display).with_jitter(Duration::from_secs_f64(self.jitter / 1e3));
        match self.stall_every {
            Some(seconds) => times.with_stalls(Duration::from_secs_f64(seconds)),
            None => times,
        }
    }
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
