//! `lab compare`: plays the whole matrix and writes a report.

use std::fs;
use std::io::Write;

use evenstep_cli::table::Table;
use evenstep_cli::{Error, write_file};

use super::arguments::{CompareArguments, DisplayArguments, SessionArguments};
use super::family::{FAMILIES, HARM_RATES_HZ, RATES_HZ};
use super::matrix::Matrix;
use super::report::MatrixReport;
use crate::chart;
use crate::policy::Policy;

/// The file name of the overview chart.
pub(crate) const OVERVIEW: &str = "overview.svg";

/// A chart of one session in the report.
pub(crate) struct SessionChart {
    pub(crate) file: &'static str,
    pub(crate) about: &'static str,
    display: &'static str,
    policies: &'static [Policy],
}

impl SessionChart {
    /// The arguments of `lab run` that draw this chart.
    pub(crate) fn arguments(&self, seconds: f64, seed: u64) -> String {
        let policies: Vec<_> = self.policies.iter().map(|policy| policy.name()).collect();
        let display = self.display;
        let policies = policies.join(",");
        format!("{display} --policy {policies} --seconds {seconds} --seed {seed} --svg {}", self.file)
    }

    fn draw(&self, seconds: f64, seed: u64) -> String {
        let (display, host) = DisplayArguments::parse(self.display).expect("a chart's arguments are valid");
        let session = host.tell(display.session(seconds, seed));
        chart::draw(&session, &session.under_each(self.policies))
    }
}

/// The session charts of every report and of docs/pacing.md.
pub(crate) const GALLERY: [SessionChart; 7] = [
    SessionChart {
        file: "noise-60.svg",
        about: "60 Hz with 0.3 ms of noise",
        display: "--display 60 --noise gauss:0.3ms",
        policies: &[Policy::Plain, Policy::Evenstep],
    },
    SessionChart {
        file: "noise-144.svg",
        about: "144 Hz with 0.3 ms of noise",
        display: "--display 144 --noise gauss:0.3ms",
        policies: &[Policy::Plain, Policy::Evenstep],
    },
    SessionChart {
        file: "beat-59.94.svg",
        about: "59.94 Hz over time",
        display: "--display 59.94 --noise gauss:0.3ms",
        policies: &[Policy::Plain, Policy::Evenstep, Policy::EvenstepRateLock],
    },
    SessionChart {
        file: "pattern.svg",
        about: "60 Hz, and a game that misses every other refresh",
        display: "--display 60 --pattern 1,2 --noise gauss:0.3ms",
        policies: &[Policy::Plain, Policy::Evenstep],
    },
    SessionChart {
        file: "stall.svg",
        about: "Around stalls",
        display: "--display 60 --noise gauss:0.3ms --stall-every 10s",
        policies: &[Policy::Plain, Policy::Starship, Policy::Evenstep],
    },
    SessionChart {
        file: "vrr.svg",
        about: "Variable refresh",
        display: "--display 60 --vrr wander:0.4ms --noise gauss:0.1ms",
        policies: &[Policy::Plain, Policy::Evenstep],
    },
    SessionChart {
        file: "switch.svg",
        about: "A refresh rate that changes",
        display: "--display 60,144 --switch 12s --noise gauss:0.3ms",
        policies: &[Policy::Plain, Policy::Evenstep],
    },
];

/// Plays the matrix and writes its report, or lists displays and policies.
///
/// # Errors
///
/// If something cannot be written.
pub fn compare(arguments: &CompareArguments, output: &mut impl Write) -> Result<(), Error> {
    if arguments.list {
        return list(output).map_err(Error::Write);
    }
    let SessionArguments { seconds, seed: first } = arguments.session;
    let seeds = arguments.session.seeds(arguments.seeds)?;
    let directory = &arguments.out;
    // Fail now, not after all the work.
    fs::create_dir_all(directory).map_err(|source| Error::File { path: directory.clone(), source })?;
    let matrix = Matrix {
        families: arguments.family.0.clone(),
        rates_hz: RATES_HZ.to_vec(),
        policies: arguments.policy.0.clone(),
        seeds,
        seconds,
    };
    let entries = matrix.play();
    let mut command = format!("lab compare --seconds {seconds} --seed {first} --seeds {}", arguments.seeds);
    if matrix.policies != Policy::ALL {
        let names: Vec<_> = matrix.policies.iter().map(|policy| policy.name()).collect();
        command = format!("{command} --policy {}", names.join(","));
    }
    if matrix.families.len() < FAMILIES.len() {
        let names: Vec<_> = matrix.families.iter().map(|family| family.name).collect();
        command = format!("{command} --family {}", names.join(","));
    }
    let report = MatrixReport { matrix: &matrix, entries: &entries, command };
    let mut files = vec![("report.md", report.markdown()), ("results.csv", report.csv())];
    files.push((OVERVIEW, report.overview()));
    files.extend(GALLERY.iter().map(|chart| (chart.file, chart.draw(seconds, first))));
    for (name, contents) in &files {
        write_file(&directory.join(name), contents)?;
    }
    let names: Vec<_> = files.iter().map(|(name, _)| *name).collect();
    writeln!(
        output,
        "{} sessions under {} policies\n{}: {}",
        entries.len() / matrix.policies.len(),
        matrix.policies.len(),
        directory.display(),
        names.join(", ")
    )
    .map_err(Error::Write)
}

fn list(output: &mut impl Write) -> std::io::Result<()> {
    let rates = |rates_hz: &[f64]| rates_hz.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    writeln!(output, "Rates, Hz: {}", rates(&RATES_HZ))?;
    writeln!(output, "Rates of `lab harm`, Hz: {}\n", rates(&HARM_RATES_HZ))?;
    let mut policies = Table::new(["policy", "what it is"]).with_words(2);
    for policy in Policy::ALL {
        policies.row([policy.name().to_owned(), policy.about().to_owned()]);
    }
    policies.write_text(output)?;
    writeln!(output)?;
    let mut families = Table::new(["family", "group", "at 60 Hz: lab run"]).with_words(3);
    for family in &FAMILIES {
        families.row([family.name.to_owned(), family.group.name().to_owned(), family.arguments(60.0)]);
    }
    families.write_text(output)?;
    writeln!(output, "\nNoise: none, gauss:MS, uniform:MS, exp:MS, ar:MS:SHARE, burst:MS:MS")?;
    writeln!(output, "Variable refresh: wander:MS, independent:%, breathe:MS, cap")?;
    writeln!(output, "Refreshes a frame: N,N,..., random:N,N,..., N,.../N,..., changing")?;
    writeln!(output, "Feedback: FRAMES,noise:TIME,lost:%,swapped:%,offset:TIME,drift:PPM,lie:KIND")
}
