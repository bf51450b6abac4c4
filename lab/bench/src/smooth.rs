//! Measures how smooth the loops are, on the lab's displays.
//!
//! A loop in another language gets the timestamps of all sessions and returns its decisions:
//!
//! ```sh
//! evenstep-bench --timestamps | node npm/bench/smooth.mjs | evenstep-bench --judge NAME
//! ```

use std::io::{self, BufRead, BufWriter, Write};
use std::time::Duration;

use evenstep_lab::display::{Display, Noise, Shown};
use evenstep_lab::metrics::{Report, motion};
use evenstep_lab::policy::Decision;

use crate::LOOPS;

const SECONDS: f64 = 60.0;
const SEEDS: std::ops::Range<u64> = 31_001..31_101;
/// What the loops' clocks show when they start.
const START: Duration = Duration::from_secs(1);

/// The frames that a display showed, and when the loop started its clock.
struct Session {
    shown: Vec<Shown>,
    grid_hz: Option<f64>,
    start_ns: u64,
}

impl Session {
    /// A loop starts when its game is loaded, which has nothing to do with the display. Over the seeds, starts are spread
    /// evenly over a refresh: by the golden ratio, of which no two multiples have nearly the same fraction.
    fn of(display: &Display, seed: u64) -> Self {
        let shown = display.play(SECONDS, seed);
        let lead = (seed as f64 * 0.618_033_988_749_895).fract() * shown[0].interval_ns;
        let start_ns = shown[0].stamp_ns.saturating_sub(lead as u64);
        Self { shown, grid_hz: display.grid_hz(), start_ns }
    }

    /// The timestamp on a clock that shows [`START`] when the loop starts.
    fn stamp(&self, shown: Shown) -> Duration {
        START + Duration::from_nanos(shown.stamp_ns.saturating_sub(self.start_ns))
    }

    fn report(&self, decide: impl FnMut(Shown) -> Decision) -> Report {
        let decided: Vec<Decision> = self.shown.iter().copied().map(decide).collect();
        Report::of(&motion(self.grid_hz, &self.shown, &decided))
    }
}

/// Prints a table row for every loop.
pub fn measure() {
    print_head();
    for (name, new) in &LOOPS[1..] {
        let results = displays().map(|display| {
            SEEDS
                .map(|seed| {
                    let session = Session::of(&display, seed);
                    let mut paced = new();
                    session.report(|shown| {
                        let (steps, alpha) = paced(session.stamp(shown));
                        Decision { steps, alpha }
                    })
                })
                .collect()
        });
        print_row(name, &results);
    }
}

/// Prints the timestamps of all sessions in milliseconds, one per line, with an empty line after each session.
pub fn print_timestamps() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for display in displays() {
        for seed in SEEDS {
            let session = Session::of(&display, seed);
            for &shown in &session.shown {
                writeln!(out, "{}", session.stamp(shown).as_nanos() as f64 / 1e6)?;
            }
            writeln!(out)?;
        }
    }
    out.flush()
}

/// Reads a loop's decisions, `STEPS ALPHA` per frame in the order of the timestamps, and prints its row.
pub fn judge(name: &str) {
    let mut lines = io::stdin().lock().lines();
    let mut read = |_| {
        let line = lines.next().expect("a decision for every timestamp").expect("a line of text");
        let (steps, alpha) = line.split_once(' ').expect("STEPS ALPHA");
        Decision { steps: steps.parse().expect("whole steps"), alpha: alpha.parse().expect("a number") }
    };
    let results =
        displays().map(|display| SEEDS.map(|seed| Session::of(&display, seed).report(&mut read)).collect());
    assert!(lines.next().is_none(), "more decisions than timestamps");
    print_row(name, &results);
}

/// Two common displays, and the first again with a game that is sometimes too slow.
fn displays() -> [Display; 3] {
    let noisy = |hz| Display { noise: Noise::Gauss(0.3), ..Display::new(hz) };
    [noisy(60.0), noisy(144.0), Display { missed: 0.02, ..noisy(60.0) }]
}

fn print_head() {
    println!(
        "Judder in us (RMS) / frames with a wrong number of steps in %, mean of {} minutes",
        SEEDS.count()
    );
    println!("| loop | 60 Hz, 0.3 ms of noise | 144 Hz, 0.3 ms | 60 Hz, 0.3 ms, 2 % missed |");
    println!("|---|--:|--:|--:|");
}

fn print_row(name: &str, results: &[Vec<Report>; 3]) {
    let cells = results.each_ref().map(|reports| {
        let mean = |sum: f64| sum / reports.len() as f64;
        let judder_us = mean(reports.iter().map(|it| it.judder_us).sum());
        let wrong: Option<f64> = reports.iter().map(|it| it.cadence_error).sum();
        wrong.map_or(format!("{judder_us:.1}"), |wrong| format!("{judder_us:.1} / {:.2}", mean(wrong)))
    });
    println!("| {name} | {} |", cells.join(" | "));
}
