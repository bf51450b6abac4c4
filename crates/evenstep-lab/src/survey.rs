//! Recordings of any length, part by part: memory does not grow with them.
//!
//! ```text
//! recording  |------ part ------|------ part ------|--- ...
//! grid       fitted             fitted again              the mean of all, if they agree
//! policies   one run of each, through all parts
//! ```

use crate::fit::Grid;
use crate::metrics::{Report, SETTLE_S, Tally, Watch};
use crate::policy::{Host, Policy, PolicyRun};
use crate::recording::{Measured, Recording};
use crate::session::{Outcome, Session};
use crate::words::GridFacts;

/// The frames of a part: an hour and more at 60 Hz.
pub const PART_FRAMES: usize = 1 << 18;
/// Parts whose refresh differs by more than this share have none in common.
const SAME_REFRESH: f64 = 0.001;
/// Steps of a frame that are counted separately; the last one stands for more.
pub const STEPS: usize = 6;

/// The metrics of a long recording.
///
/// ```
/// use evenstep_lab::policy::Policy;
/// use evenstep_lab::recording::Recording;
/// use evenstep_lab::survey::Survey;
///
/// let mut survey = Survey::new("my display", &[Policy::Evenstep]);
/// let mut recording = Recording::default();
/// for part in 0..4 {
///     for n in 0..600 {
///         recording.frame(f64::from(600 * part + n) * 1e3 / 75.0);
///     }
///     survey.part(&mut recording, |lanes, session| lanes.iter_mut().for_each(|lane| lane.play(session)));
/// }
/// let grid = survey.grid().expect("the same refresh in every part");
/// assert!((1e9 / grid.period_ns - 75.0).abs() < 0.01);
/// assert!(survey.outcomes()[0].report.judder_us < 1.0);
/// ```
#[derive(Debug)]
pub struct Survey {
    name: String,
    lanes: Vec<Lane>,
    grid: Option<Grid>,
    parts: Vec<Option<GridFacts>>,
    /// The last frame's refresh and when it was shown.
    last: Option<(Option<u64>, f64)>,
}

impl Survey {
    /// Starts a survey under these policies.
    pub fn new(name: &str, policies: &[Policy]) -> Self {
        let lanes = policies.iter().map(|&policy| Lane::new(policy)).collect();
        Self { name: name.to_owned(), lanes, grid: None, parts: Vec::new(), last: None }
    }

    /// Measures the next part of a recording, and makes the recording forget it. `play` calls [`Lane::play`] for each lane,
    /// on as many threads as there are.
    pub fn part(&mut self, recording: &mut Recording, play: impl FnOnce(&mut [Lane], &Session)) {
        if recording.stamps_ns().is_empty() {
            return;
        }
        let mut measured = Measured::after(self.grid.as_ref(), recording, &self.name);
        recording.forget();
        self.parts.push(measured.grid.as_ref().map(GridFacts::from));
        let shown = &mut measured.session.shown;
        if let (Some(grid), Some((Some(refresh), at_ns))) = (&measured.grid, self.last) {
            // Counts go on where the last part ended.
            let since = ((shown[0].at_ns - at_ns) / grid.period_ns).round().max(0.0) as u64;
            for frame in shown.iter_mut() {
                frame.refresh = frame.refresh.map(|count| refresh + since + count);
            }
        }
        self.last = shown.last().map(|it| (it.refresh, it.at_ns));
        play(&mut self.lanes, &measured.session);
        self.grid = measured.grid;
    }

    /// The refresh of all parts, if they have the same.
    pub fn grid(&self) -> Option<GridFacts> {
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
        let (period_ns, noise_ns) = (sum.period_ns / weight, (sum.noise_ns / weight).sqrt());
        parts.iter().all(is_same).then_some(GridFacts { period_ns, noise_ns, ..sum })
    }

    /// The results of the policies, without the motion of single frames. The 99th percentile is within 0.3 %.
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.lanes.iter().map(Lane::outcome).collect()
    }

    /// The number of frames by their steps for each policy; the last one stands for five steps and more.
    pub fn steps(&self) -> Vec<[u64; STEPS]> {
        self.lanes.iter().map(|lane| lane.steps).collect()
    }
}

/// One policy of a [`Survey`].
#[derive(Debug)]
pub struct Lane {
    policy: Policy,
    run: PolicyRun,
    watch: Option<Watch>,
    tally: Tally,
    errors: Errors,
    steps: [u64; STEPS],
    frames: usize,
    locked_after_s: Option<f64>,
}

impl Lane {
    fn new(policy: Policy) -> Self {
        Self {
            policy,
            run: PolicyRun::new(policy, Host::default()),
            watch: None,
            tally: Tally::default(),
            errors: Errors::default(),
            steps: [0; STEPS],
            frames: 0,
            locked_after_s: None,
        }
    }

    /// Plays the frames of a part.
    pub fn play(&mut self, session: &Session) {
        if let Some(watch) = &mut self.watch {
            watch.set_grid(session.grid_hz);
        }
        let mut reports = session.presented.iter().peekable();
        for (n, &shown) in session.shown.iter().enumerate() {
            while let Some(report) = reports.next_if(|report| report.before <= n) {
                self.run.presented(report);
            }
            let decided = self.run.frame(shown);
            self.frames += 1;
            let Some(watch) = &mut self.watch else {
                self.watch = Some(Watch::new(session.grid_hz, shown, decided));
                continue;
            };
            let motion = watch.frame(shown, decided);
            self.tally.add(&motion);
            if let Some(error_us) = motion.error_us.filter(|_| motion.at_s >= SETTLE_S) {
                self.errors.add(error_us.abs());
            }
            self.steps[(motion.steps as usize).min(STEPS - 1)] += 1;
            if self.locked_after_s.is_none() && self.run.lock().first_locked.is_some() {
                self.locked_after_s = Some(motion.at_s);
            }
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            policy: self.policy,
            report: Report {
                frames: self.tally.frames(),
                judder_us: self.tally.judder_us(),
                judder_us_p99: self.errors.quantile(0.99).min(self.tally.judder_us_max()),
                judder_us_max: self.tally.judder_us_max(),
                cadence_error: self.tally.cadence_error(),
                drift_ms: self.tally.drift_ms(),
                lag_ms: self.tally.lag_ms(),
            },
            frames: self.frames,
            motion: Vec::new(),
            lock: self.run.lock().clone(),
            locked_after_s: self.locked_after_s,
        }
    }
}

/// A histogram of errors with bins of constant ratio.
#[derive(Debug, Default)]
struct Errors {
    bins: Vec<u64>,
    count: u64,
}

impl Errors {
    /// Bins in an octave, and the smallest error that is told from 0, in microseconds.
    const BINS: f64 = 256.0;
    const LEAST_US: f64 = 1e-3;

    fn add(&mut self, error_us: f64) {
        let octaves = libm::log2((error_us / Self::LEAST_US).max(1.0));
        let bin = (octaves * Self::BINS) as usize;
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        self.count += 1;
    }

    /// The error at a quantile, in microseconds.
    fn quantile(&self, rank: f64) -> f64 {
        let wanted = (rank * self.count.saturating_sub(1) as f64) as u64;
        let mut seen = 0;
        let bin = self.bins.iter().position(|count| {
            seen += count;
            seen > wanted
        });
        match bin {
            None | Some(0) => 0.0,
            Some(bin) => Self::LEAST_US * libm::exp2((bin as f64 + 0.5) / Self::BINS),
        }
    }
}
