//! The command line of `lab`. Errors for values out of range name the range.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use evenstep_cli::Error;

use super::family::{FAMILIES, Family, Group};
use crate::display::{Display, Noise, Pace, Pattern, Refresh};
use crate::host::Host;
use crate::policy::Policy;

mod host;
mod values;

pub use host::HostArguments;
use values::{milliseconds, number, seconds, share};

/// The default of `--switch`.
const SWITCH_S: f64 = 12.0;

/// Commands of the pacing lab.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// Simulate one display and print the metrics of each policy
    Run(Box<RunArguments>),
    /// Simulate all displays at all rates under all policies, and write a report: Markdown, CSV and charts
    Compare(CompareArguments),
    /// Look for harm: simulate all displays at 24 to 480 Hz, and print each session in which evenstep is worse than plain
    Harm(HarmArguments),
}

/// Arguments of `lab run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The simulated display.
    #[command(flatten)]
    pub display: DisplayArguments,
    /// What the host tells the pacer.
    #[command(flatten)]
    pub host: HostArguments,
    /// Length and seed.
    #[command(flatten)]
    pub session: SessionArguments,
    /// Policies, comma-separated, or `all`: plain, starship, fixed-time-step, game-loop, evenstep, evenstep-rate-lock
    #[arg(long, value_name = "LIST", default_value = "plain,evenstep", value_parser = policies)]
    pub policy: PolicyList,
    /// Draw a chart of the session: motion error over time, steps per frame, a histogram
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the session's timestamps as a pacing trace, for `evenstep trace` and `evenstep import`
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

/// Arguments of `lab compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The folder to write the report to
    #[arg(long, value_name = "DIR", default_value = "lab-report")]
    pub out: PathBuf,
    /// Length and seed.
    #[command(flatten)]
    pub session: SessionArguments,
    /// Number of seeds, starting with the first
    #[arg(long, value_name = "COUNT", default_value = "2", value_parser = seed_count)]
    pub seeds: u64,
    /// Policies, comma-separated, or `all`
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = policies)]
    pub policy: PolicyList,
    /// Families of displays, or groups of families (single, mixed, pattern, hard, variable, feedback), comma-separated, or `all`
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = families)]
    pub family: FamilyList,
    /// List rates, families, policies and noise models, and exit
    #[arg(long)]
    pub list: bool,
}

/// Arguments of `lab harm`.
#[derive(Debug, Args)]
pub struct HarmArguments {
    /// Length and seed.
    #[command(flatten)]
    pub session: SessionArguments,
    /// Number of seeds, starting with the first
    #[arg(long, value_name = "COUNT", default_value = "3", value_parser = seed_count)]
    pub seeds: u64,
    /// Families of displays, or groups of families (single, mixed, pattern, hard, variable, feedback), comma-separated, or `all`
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = families)]
    pub family: FamilyList,
    /// Instead of the families, simulate this many random mixtures of disturbances; a seed determines each
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["family", "seeds"], value_parser = mixture_count)]
    pub mixtures: Option<u64>,
    /// What the host tells the pacer, in addition to what it does in the family or mixture.
    #[command(flatten)]
    pub host: HostArguments,
}

/// The length of a session and its random seed.
#[derive(Clone, Copy, Debug, Args)]
pub struct SessionArguments {
    /// Length of a session; its first 3 seconds are not measured
    #[arg(long, value_name = "S", default_value = "60", value_parser = |text: &str| seconds(text, 5.0..=3600.0))]
    pub seconds: f64,
    /// First random seed; the same seed gives the same session
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub seed: u64,
}

impl SessionArguments {
    /// This many seeds, starting with the first.
    ///
    /// # Errors
    ///
    /// If there are not so many.
    pub fn seeds(&self, count: u64) -> Result<Range<u64>, Error> {
        let first = self.seed;
        let end = first.checked_add(count);
        let refused = || Error::Refused(format!("--seed {first} leaves no room for {count} seeds"));
        end.map(|end| first..end).ok_or_else(refused)
    }
}

/// A simulated display.
#[derive(Clone, Copy, Debug, Args)]
pub struct DisplayArguments {
    /// Refresh rate in hertz, 10 to 1000, or two rates that alternate (60,144)
    #[arg(long, value_name = "HZ[,HZ]", default_value = "60", value_parser = rates)]
    display: Rates,
    /// How long each of two rates lasts [default: 12s]
    #[arg(long, value_name = "S", value_parser = |text: &str| seconds(text, 0.1..=3600.0))]
    switch: Option<f64>,
    /// Noise on timestamps: none, gauss:0.3ms, uniform:2ms, exp:0.5ms, ar:1ms:0.9 (standard deviation, correlation of
    /// successive frames), burst:0.1ms:2ms (standard deviation, and that of a burst of 1.5 s in every 6 s)
    #[arg(long, value_name = "NOISE", default_value = "none", value_parser = noise)]
    noise: Noise,
    /// Share of timestamps that are another 2 to 8 ms late
    #[arg(long, value_name = "%", default_value = "0", value_parser = |text: &str| share(text, 0.0..=90.0))]
    late: f64,
    /// Share of frames that miss their refresh
    #[arg(long, value_name = "%", default_value = "0", value_parser = |text: &str| share(text, 0.0..=90.0))]
    missed: f64,
    /// Average time between stalls of 300 ms
    #[arg(long, value_name = "S", value_parser = |text: &str| seconds(text, 1.0..=3600.0))]
    stall_every: Option<f64>,
    /// Time between pauses of 5 to 40 ms, such as garbage collections; the frame after a pause starts late and may miss
    /// refreshes
    #[arg(long, value_name = "S", value_parser = |text: &str| seconds(text, 0.1..=3600.0))]
    pause_every: Option<f64>,
    /// Share of a refresh interval that the game needs for a frame; after a pause, one that is not ready misses its refresh
    #[arg(long, value_name = "%", default_value = "0", value_parser = |text: &str| share(text, 0.0..=90.0))]
    work: f64,
    /// Refreshes that the game takes for a frame, 1 to 8: 1,2 (over and over, up to eight), random:1,2,3,4 (any of them,
    /// for each frame), 1,2/2 (two patterns, 10 s each), changing (a random pattern, and another every 10 s)
    #[arg(long, value_name = "PATTERN", value_parser = pace)]
    pattern: Option<Pace>,
    /// Period in which the game takes two refreshes per frame for the last third
    #[arg(long, value_name = "S", conflicts_with = "pattern", value_parser = |text: &str| seconds(text, 0.1..=3600.0))]
    half_rate_every: Option<f64>,
    /// Deliver frames in pairs: the second timestamp comes right after the first; the display shows one per refresh
    #[arg(long)]
    pairs: bool,
    /// Variable refresh: wander:0.4ms (random walk), independent:50% (each interval up to 50 % longer than nominal),
    /// breathe:2ms (sine wave with a period of 2 s), cap (a frame cap at the rate; a frame appears when the loop wakes up,
    /// so noise moves it, too)
    #[arg(long, value_name = "KIND", value_parser = vrr)]
    vrr: Option<Refresh>,
    /// Clock resolution: timestamps are rounded down to a multiple of it
    #[arg(long, value_name = "TIME", default_value = "1ns", value_parser = clock)]
    clock: u64,
}

impl DisplayArguments {
    /// The display that the arguments describe.
    ///
    /// # Errors
    ///
    /// If arguments contradict each other, with a message for the user.
    pub fn display(&self) -> Result<Display, String> {
        let refresh = match (self.display.other_hz, self.vrr) {
            (None, None) => Refresh::Fixed,
            (None, Some(vrr)) => vrr,
            (Some(other_hz), None) => {
                Refresh::Switching { other_hz, every_s: self.switch.unwrap_or(SWITCH_S) }
            }
            (Some(_), Some(_)) => return Err("two rates in --display do not go with --vrr".into()),
        };
        if self.switch.is_some() && self.display.other_hz.is_none() {
            return Err(format!("--switch needs two rates, as in --display {},144", self.display.hz));
        }
        if self.pairs && refresh == Refresh::Capped {
            return Err("--pairs does not go with --vrr cap: such a frame appears at its timestamp".into());
        }
        let half_rate = self.half_rate_every.map(|every_s| Pace::Halving { every_s });
        Ok(Display {
            hz: self.display.hz,
            refresh,
            pace: self.pattern.or(half_rate).unwrap_or(Pace::Every),
            noise: self.noise,
            late: self.late,
            missed: self.missed,
            pause_every_s: self.pause_every.unwrap_or(0.0),
            work: self.work,
            stall_every_s: self.stall_every.unwrap_or(0.0),
            is_paired: self.pairs,
            clock_ns: self.clock,
        })
    }

    /// Parses a display, and what the host tells about it, from a command line.
    ///
    /// # Errors
    ///
    /// If an argument is wrong, with a message for the user.
    pub fn parse(words: &str) -> Result<(Display, Host), String> {
        /// A command line with only these arguments.
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Alone {
            #[command(flatten)]
            display: DisplayArguments,
            #[command(flatten)]
            host: HostArguments,
        }
        let alone = Alone::try_parse_from(words.split_whitespace()).map_err(|error| error.to_string())?;
        Ok((alone.display.display()?, alone.host.host()))
    }
}

/// One rate, or two that alternate.
#[derive(Clone, Copy, Debug)]
struct Rates {
    hz: f64,
    other_hz: Option<f64>,
}

/// Policies without duplicates.
#[derive(Clone, Debug)]
pub struct PolicyList(pub Vec<Policy>);

/// Families without duplicates.
#[derive(Clone, Debug)]
pub struct FamilyList(pub Vec<&'static Family>);

fn rates(text: &str) -> Result<Rates, String> {
    let hz = |text| number(text, 10.0..=1000.0, "Hz");
    let mut parts = text.split(',');
    let rates =
        Rates { hz: hz(parts.next().unwrap_or_default())?, other_hz: parts.next().map(hz).transpose()? };
    if parts.next().is_some() {
        return Err("expected one rate or two".into());
    }
    Ok(rates)
}

fn noise(text: &str) -> Result<Noise, String> {
    let expected = "expected none, gauss:0.3ms, uniform:2ms, exp:0.5ms, ar:1ms:0.9 or burst:0.1ms:2ms";
    let ms = |text| milliseconds(text, 0.0..=100.0);
    match *text.split(':').collect::<Vec<_>>() {
        ["none"] => Ok(Noise::None),
        ["gauss", deviation] => Ok(Noise::Gauss(ms(deviation)?)),
        ["uniform", most] => Ok(Noise::Uniform(ms(most)?)),
        ["exp", mean] => Ok(Noise::Exponential(ms(mean)?)),
        ["ar", deviation, rho] => {
            Ok(Noise::Correlated { ms: ms(deviation)?, rho: number(rho, 0.0..=0.999, "")? })
        }
        ["burst", quiet, loud] => Ok(Noise::Bursts(ms(quiet)?, ms(loud)?)),
        _ => Err(expected.into()),
    }
}

fn pace(text: &str) -> Result<Pace, String> {
    if text == "changing" {
        return Ok(Pace::Changing);
    }
    if let Some(list) = text.strip_prefix("random:") {
        return Ok(Pace::Random(pattern(list)?));
    }
    match text.split_once('/') {
        Some((even, odd)) => Ok(Pace::Alternating(pattern(even)?, pattern(odd)?)),
        None => Ok(Pace::Repeated(pattern(text)?)),
    }
}

fn pattern(text: &str) -> Result<Pattern, String> {
    let refreshes: Option<Vec<u8>> = text.split(',').map(|word| word.parse::<u8>().ok()).collect();
    refreshes.and_then(|refreshes| Pattern::new(&refreshes)).ok_or_else(|| {
        format!(
            "expected one to eight numbers from 1 to 8, such as 1,2 or random:1,2,3,4 or 1,2/2, or changing, found `{text}`"
        )
    })
}

fn vrr(text: &str) -> Result<Refresh, String> {
    if text == "cap" {
        return Ok(Refresh::Capped);
    }
    match text.split_once(':') {
        Some(("wander", step)) => Ok(Refresh::Wandering(milliseconds(step, 0.0..=20.0)?)),
        Some(("independent", spread)) => Ok(Refresh::Independent(share(spread, 0.0..=200.0)?)),
        Some(("breathe", depth)) => Ok(Refresh::Breathing(milliseconds(depth, 0.0..=20.0)?)),
        _ => Err("expected wander:0.4ms, independent:50%, breathe:2ms or cap".into()),
    }
}

fn clock(text: &str) -> Result<u64, String> {
    Ok((milliseconds(text, 1e-6..=100.0)? * 1e6).round() as u64)
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn seed_count(text: &str) -> Result<u64, String> {
    count(text, 1_000)
}

fn mixture_count(text: &str) -> Result<u64, String> {
    count(text, 100_000)
}

fn count(text: &str, most: u64) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| (1..=most).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
}

fn policies(text: &str) -> Result<PolicyList, String> {
    if text == "all" {
        return Ok(PolicyList(Policy::ALL.to_vec()));
    }
    let mut list = Vec::new();
    for name in text.split(',') {
        let Some(policy) = Policy::ALL.into_iter().find(|policy| policy.name() == name) else {
            let names = Policy::ALL.map(Policy::name).join(", ");
            return Err(format!("there is no policy `{name}`; expected all, or some of {names}"));
        };
        if !list.contains(&policy) {
            list.push(policy);
        }
    }
    Ok(PolicyList(list))
}

fn families(text: &str) -> Result<FamilyList, String> {
    let mut list = Vec::new();
    for name in text.split(',') {
        let group = Group::ALL.into_iter().find(|group| group.name() == name);
        let before = list.len();
        list.extend(
            FAMILIES
                .iter()
                .filter(|family| name == "all" || Some(family.group) == group || family.name == name),
        );
        if list.len() == before {
            return Err(format!(
                "there is no family or group `{name}`; expected all, {}, or what `lab compare --list` shows",
                Group::ALL.map(Group::name).join(", ")
            ));
        }
    }
    // In the order of reports, without duplicates.
    let list = FAMILIES.iter().filter(|family| list.contains(family)).collect();
    Ok(FamilyList(list))
}
