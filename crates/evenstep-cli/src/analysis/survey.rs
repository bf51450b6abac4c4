//! Surveys: what a recording of any length says about its display, part by part, so that memory does not grow with it.
//!
//! ```text
//! recording  |------ part ------|------ part ------|--- ...
//! grid       fitted             fitted again              the mean of all, if they agree
//! policies   one run of each, through all parts
//! ```

use super::fit::{FRAMES_MIN, Grid};
use super::metrics::{Report, SETTLE_S, STALL_NS};
use super::policy::Policy;
use super::recording::Recording;
use super::session::{Outcome, Run, Session, Shown};
use super::words::fixed;

/// The frames of a part: an hour and more at 60 Hz.
pub const PART_FRAMES: usize = 1 << 18;
/// Parts whose refresh differs by more than this share have none in common.
const SAME_REFRESH: f64 = 0.001;

/// Measures a recording under every policy.
///
/// ```
/// use evenstep_cli::analysis::recording::Recording;
/// use evenstep_cli::analysis::survey::{Survey, in_turn};
/// use std::time::Duration;
///
/// let mut survey = Survey::new("my display");
/// let mut recording = Recording::default();
/// for part in 0..4 {
///     for n in 0..600 {
///         recording.frame(Duration::from_secs(1) * (600 * part + n) / 75);
///     }
///     survey.part(&mut recording, in_turn);
/// }
/// let findings = survey.findings();
/// let grid = findings.grid.expect("the same refresh in every part");
/// assert!((1e9 / grid.period_ns - 75.0).abs() < 0.01);
/// assert!(findings.verdict(&recording).starts_with("A steady 75 Hz display; no frame came late."));
/// ```
#[derive(Debug)]
pub struct Survey {
    name: String,
    runs: Vec<Run>,
    grid: Option<Grid>,
    parts: Vec<Option<GridFacts>>,
    /// The last frame's refresh and when it was shown.
    last: Option<(Option<u64>, f64)>,
}

/// Plays a part of a [`Survey`] under one policy after another.
pub fn in_turn(runs: &mut [Run], session: &Session) {
    for run in runs {
        session.play(run, |_, _| {});
    }
}

impl Survey {
    /// Starts a survey.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            runs: Policy::ALL.into_iter().map(|policy| Run::new(policy, None)).collect(),
            grid: None,
            parts: Vec::new(),
            last: None,
        }
    }

    /// Measures the next part of a recording, makes the recording forget it, and returns its frames; `None` if it has none.
    /// `play` plays the part under each policy: [`in_turn`], or on as many threads as there are.
    pub fn part(
        &mut self,
        recording: &mut Recording,
        play: impl FnOnce(&mut [Run], &Session),
    ) -> Option<Session> {
        if recording.stamps_ns().is_empty() {
            return None;
        }
        // A timestamp before the previous one is noise: use the latest.
        let latest = |latest: &mut u64, &stamp: &u64| {
            *latest = stamp.max(*latest);
            Some(*latest as f64)
        };
        let stamps: Vec<f64> = recording.stamps_ns().iter().scan(0, latest).collect();
        // A rest of a few frames says nothing about the refresh.
        if self.parts.is_empty() || stamps.len() >= FRAMES_MIN {
            // The refresh is probably that of the part before.
            let again = self.grid.as_ref().and_then(|before| before.fit_again(&stamps));
            self.grid = again.or_else(|| Grid::fit(&stamps));
            self.parts.push(self.grid.as_ref().map(GridFacts::from));
        }
        let session = self.session(recording, &stamps);
        recording.forget();
        self.last = session.shown.last().map(|it| (it.refresh, it.at_ns));
        for run in &mut self.runs {
            run.set_grid(session.grid_hz);
        }
        play(&mut self.runs, &session);
        Some(session)
    }

    /// The frames of a part, placed on the grid, or at their timestamps if there is none.
    fn session(&self, recording: &Recording, stamps: &[f64]) -> Session {
        let grid = self.grid.as_ref();
        let mut first = 0;
        if let (Some(grid), Some((Some(refresh), at_ns))) = (grid, self.last) {
            // Counts go on where the last part ended.
            first = refresh + ((grid.at_ns(0) - at_ns) / grid.period_ns).round().max(0.0) as u64;
        }
        let shown = |(frame, &stamp_ns): (usize, &u64)| match grid {
            Some(grid) => Shown {
                at_ns: grid.at_ns(frame),
                refresh: Some(first + grid.counts[frame]),
                interval_ns: grid.period_ns,
                stamp_ns,
            },
            None => Shown {
                at_ns: stamps[frame],
                refresh: None,
                interval_ns: stamps[frame] - stamps[frame.max(1) - 1],
                stamp_ns,
            },
        };
        let grid_hz = grid.map(|grid| 1e9 / grid.period_ns);
        Session {
            title: title(&self.name, grid_hz),
            about: format!("{} frames", stamps.len()),
            grid_hz,
            // A recording begins with a frame, and that frame starts the clock.
            lead_ns: 0,
            shown: recording.stamps_ns().iter().enumerate().map(shown).collect(),
            told: Vec::new(),
            presented: recording.presentations().to_vec(),
        }
    }

    /// What was found so far.
    pub fn findings(&self) -> Findings {
        let grid = self.grid();
        Findings {
            title: title(&self.name, grid.map(|grid| 1e9 / grid.period_ns)),
            grid,
            outcomes: self.runs.iter().map(Run::outcome).collect(),
        }
    }

    /// The refresh of all parts, if they have the same.
    fn grid(&self) -> Option<GridFacts> {
        let parts: Vec<GridFacts> = self.parts.iter().copied().collect::<Option<_>>()?;
        let first = *parts.first()?;
        let is_same = |part: &GridFacts| (part.period_ns / first.period_ns - 1.0).abs() < SAME_REFRESH;
        let mut sum = GridFacts::default();
        let mut weight = 0.0;
        for part in &parts {
            let refreshes = part.refreshes.max(1) as f64;
            weight += refreshes;
            sum.period_ns += part.period_ns * refreshes;
            sum.noise_ns += part.noise_ns * part.noise_ns * refreshes;
            sum.refreshes += part.refreshes;
            sum.missed += part.missed;
            sum.late += part.late;
        }
        let period_ns = sum.period_ns / weight;
        let noise_ns = (sum.noise_ns / weight).sqrt();
        parts.iter().all(is_same).then_some(GridFacts { period_ns, noise_ns, ..sum })
    }
}

fn title(name: &str, grid_hz: Option<f64>) -> String {
    match grid_hz {
        Some(hz) => format!("{name}: recorded at {hz:.3} Hz"),
        None => format!("{name}: recorded without a fixed refresh"),
    }
}

/// The refresh grid of a recording, and how well its frames kept to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GridFacts {
    /// Nanoseconds between refreshes.
    pub period_ns: f64,
    /// Standard deviation of the timestamps from the grid, in nanoseconds.
    pub noise_ns: f64,
    /// Refreshes from the first frame to the last.
    pub refreshes: u64,
    /// Refreshes without a frame.
    pub missed: u64,
    /// Late timestamps.
    pub late: usize,
}

impl From<&Grid> for GridFacts {
    fn from(grid: &Grid) -> Self {
        Self {
            period_ns: grid.period_ns,
            noise_ns: grid.noise_ns,
            refreshes: grid.counts.last().copied().unwrap_or(0),
            missed: grid.missed(STALL_NS),
            late: grid.late,
        }
    }
}

/// What a recording says about its display, and what each policy makes of it.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The recording and its refresh rate.
    pub title: String,
    /// The refresh grid, if there is a single fixed one.
    pub grid: Option<GridFacts>,
    /// The results of the policies, in the order of [`Policy::ALL`], without the motion of single frames.
    pub outcomes: Vec<Outcome>,
}

impl Findings {
    /// Describes the recording and the grid behind it: names and sentences.
    pub fn facts(&self, recording: &Recording) -> Vec<(&'static str, String)> {
        let frames = recording.frames();
        let mut facts = vec![("frames", format!("{frames} in {:.3} s", recording.seconds()))];
        if let Some(GridFacts { period_ns, noise_ns, refreshes, missed, late }) = self.grid {
            let late_share = percent(late as u64, frames as u64);
            let missed_share = percent(missed, refreshes);
            facts.extend([
                ("refresh", format!("{:.4} Hz, every {:.4} ms", 1e9 / period_ns, period_ns / 1e6)),
                ("noise", format!("{:.4} ms deviation of timestamps from the refresh", noise_ns / 1e6)),
                ("late", format!("{late} timestamps ({late_share} %), by more than four deviations")),
                ("missed", format!("{missed} refreshes ({missed_share} %)")),
            ]);
        } else {
            let none = "no single fixed one: it is variable, or changed, or noise hides it";
            facts.push(("refresh", none.to_owned()));
        }
        if let Some(shown) = recording.shown_facts() {
            facts.push(("shown", images(shown.images, shown.missed)));
            let millis = |ns: u64| fixed(ns as f64 / 1e6, 2);
            let median = millis(shown.delay_ns);
            let p99 = millis(shown.delay_p99_ns);
            facts.push(("delay", format!("{median} ms from timestamp to display (median), {p99} ms (p99)")));
        }
        facts.push(("stalls", format!("{} gaps over {} s", recording.stalls(), STALL_NS / 1e9)));
        if let Some(clock_ns) = recording.clock_ns() {
            facts.push(("clock", format!("all timestamps are multiples of {} ms", clock_ns as f64 / 1e6)));
        }
        if recording.backwards() > 0 {
            facts.push(("backwards", format!("{} timestamps lie before the last", recording.backwards())));
        }
        facts
    }

    /// The result in words for a player: the display, and how often a plain loop and Evenstep would have stuttered on it.
    pub fn verdict(&self, recording: &Recording) -> String {
        let Some(grid) = &self.grid else {
            return format!(
                "No fixed refresh rate was found in {} frames: it is variable, or it changed, or the timestamps are too \
                 noisy. Without one there is no even motion to compare with; Evenstep then follows the timestamps, as a \
                 plain loop does.",
                recording.frames()
            );
        };
        let hz = fixed(1e9 / grid.period_ns, 2);
        let hz = hz.trim_end_matches('0').trim_end_matches('.');
        let display = match grid.missed {
            0 => format!("A steady {hz} Hz display"),
            missed => {
                format!(
                    "A {hz} Hz display; {} missed",
                    counted(missed as usize, "refresh was", "refreshes were")
                )
            }
        };
        let late = match grid.late {
            0 => "no frame came late".to_owned(),
            late => format!("{} late", counted(late, "frame came", "frames came")),
        };
        let times = |policy| counted(self.report(policy).stutters, "time", "times");
        format!(
            "{display}; {late}. In the last {:.0} s, a plain loop would have stuttered {}, Evenstep {}.",
            (recording.seconds() - SETTLE_S).max(0.0),
            times(Policy::Plain),
            times(Policy::Evenstep),
        )
    }

    /// The metrics of one policy.
    pub fn report(&self, policy: Policy) -> Report {
        let outcome = self.outcomes.iter().find(|outcome| outcome.policy == policy);
        outcome.map(|outcome| outcome.report).unwrap_or_default()
    }
}

/// How many images were shown, and how many refreshes had none.
pub fn images(shown: u64, missed: u64) -> String {
    let refreshes = if missed == 1 { "refresh" } else { "refreshes" };
    format!("{shown} images; {missed} {refreshes} missed ({} %)", percent(missed, shown + missed))
}

fn percent(count: u64, of: u64) -> String {
    fixed(100.0 * count as f64 / of as f64, 2)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
