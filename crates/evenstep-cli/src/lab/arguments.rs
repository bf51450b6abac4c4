//! The command line of `evenstep lab`. Errors for values out of range name the range.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use evenstep_lab::display::{Display, Noise, Refresh};
use evenstep_lab::policy::Policy;

use super::family::{FAMILIES, Family, Group};

/// The default of `--switch`.
const SWITCH_S: f64 = 12.0;

/// Commands of the pacing lab.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// Simulate one display and print the metrics of each policy
    Run(RunArguments),
    /// Simulate all displays at all rates under all policies, and write a report: Markdown, CSV and charts
    Compare(CompareArguments),
    /// Analyse a recorded trace: its refresh rate, its noise, and the metrics of each policy
    Import(ImportArguments),
}

/// Arguments of `evenstep lab run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The simulated display.
    #[command(flatten)]
    pub display: DisplayArguments,
    /// Length and seed.
    #[command(flatten)]
    pub session: SessionArguments,
    /// Policies, comma-separated, or `all`: plain, starship, fixed-time-step, game-loop, evenstep, evenstep-rate-lock
    #[arg(long, value_name = "LIST", default_value = "plain,evenstep", value_parser = policies)]
    pub policy: PolicyList,
    /// Draw a chart of the session: motion error over time, steps per frame, a histogram
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the session's timestamps as a pacing trace, for `evenstep trace` and `evenstep lab import`
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

/// Arguments of `evenstep lab compare`.
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
    /// Families of displays, or groups of families (single, mixed, variable), comma-separated, or `all`
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = families)]
    pub family: FamilyList,
    /// List rates, families, policies and noise models, and exit
    #[arg(long)]
    pub list: bool,
}

/// Arguments of `evenstep lab import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Trace file, as for `evenstep trace`; only its frames are used; `-` reads standard input
    pub file: PathBuf,
    /// Policies, comma-separated, or `all`
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = policies)]
    pub policy: PolicyList,
    /// Draw a chart of the session: motion error over time, steps per frame, a histogram
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
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
    /// Period in which the game takes two refreshes per frame for the last third
    #[arg(long, value_name = "S", conflicts_with = "vrr", value_parser = |text: &str| seconds(text, 0.1..=3600.0))]
    half_rate_every: Option<f64>,
    /// Variable refresh: wander:0.4ms (random walk), independent:50% (each interval up to 50 % longer than nominal),
    /// breathe:2ms (sine wave with a period of 2 s)
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
        let refresh = match (self.display.other_hz, self.vrr, self.half_rate_every) {
            (None, None, None) => Refresh::Fixed,
            (None, Some(vrr), _) => vrr,
            (None, None, Some(every_s)) => Refresh::Halving { every_s },
            (Some(other_hz), None, None) => {
                Refresh::Switching { other_hz, every_s: self.switch.unwrap_or(SWITCH_S) }
            }
            (Some(_), _, _) => {
                return Err("two rates in --display go with neither --vrr nor --half-rate-every".into());
            }
        };
        if self.switch.is_some() && self.display.other_hz.is_none() {
            return Err(format!("--switch needs two rates, as in --display {},144", self.display.hz));
        }
        Ok(Display {
            hz: self.display.hz,
            refresh,
            noise: self.noise,
            late: self.late,
            missed: self.missed,
            stall_every_s: self.stall_every.unwrap_or(0.0),
            clock_ns: self.clock,
        })
    }

    /// Parses the display from a command line.
    ///
    /// # Errors
    ///
    /// If an argument is wrong, with a message for the user.
    pub fn parse(words: &str) -> Result<Display, String> {
        /// A command line with only these arguments.
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Alone {
            #[command(flatten)]
            display: DisplayArguments,
        }
        let alone = Alone::try_parse_from(words.split_whitespace()).map_err(|error| error.to_string())?;
        alone.display.display()
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

fn vrr(text: &str) -> Result<Refresh, String> {
    match text.split_once(':') {
        Some(("wander", step)) => Ok(Refresh::Wandering(milliseconds(step, 0.0..=20.0)?)),
        Some(("independent", spread)) => Ok(Refresh::Independent(share(spread, 0.0..=200.0)?)),
        Some(("breathe", depth)) => Ok(Refresh::Breathing(milliseconds(depth, 0.0..=20.0)?)),
        _ => Err("expected wander:0.4ms, independent:50% or breathe:2ms".into()),
    }
}

fn clock(text: &str) -> Result<u64, String> {
    Ok((milliseconds(text, 1e-6..=100.0)? * 1e6).round() as u64)
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn seed_count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count @ 1..=1000) => Ok(count),
        _ => Err("expected a whole number from 1 to 1000".into()),
    }
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
                "there is no family or group `{name}`; expected all, single, mixed, variable, or what `--list` shows"
            ));
        }
    }
    // In the order of reports, without duplicates.
    let list = FAMILIES.iter().filter(|family| list.contains(family)).collect();
    Ok(FamilyList(list))
}

/// Parses a time with its unit, and returns milliseconds.
fn milliseconds(text: &str, range_ms: RangeInclusive<f64>) -> Result<f64, String> {
    let (value, unit_ms) = [("ms", 1.0), ("us", 1e-3), ("ns", 1e-6), ("s", 1e3)]
        .into_iter()
        .find_map(|(unit, unit_ms)| Some((text.strip_suffix(unit)?, unit_ms)))
        .ok_or_else(|| {
            format!("expected a time with its unit, such as 0.3ms or 300us or 0.0003s, found `{text}`")
        })?;
    let value = number(value, f64::NEG_INFINITY..=f64::INFINITY, "")?;
    within(value * unit_ms, range_ms, "ms")
}

/// Parses a time in seconds; the unit is optional.
fn seconds(text: &str, range_s: RangeInclusive<f64>) -> Result<f64, String> {
    number(text.strip_suffix('s').unwrap_or(text), range_s, "s")
}

/// Parses a percentage, and returns a fraction; the percent sign is optional.
fn share(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    Ok(number(text.strip_suffix('%').unwrap_or(text), range, "%")? / 100.0)
}

fn number(text: &str, range: RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => within(value, range, unit),
        _ => Err(format!("expected {}, found `{text}`", bounds(&range, unit))),
    }
}

fn within(value: f64, range: RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    if range.contains(&value) { Ok(value) } else { Err(format!("expected {}", bounds(&range, unit))) }
}

fn bounds(range: &RangeInclusive<f64>, unit: &str) -> String {
    if range.start().is_infinite() {
        return "a number".into();
    }
    format!("a number from {} to {} {unit}", range.start(), range.end()).trim_end().to_owned()
}
