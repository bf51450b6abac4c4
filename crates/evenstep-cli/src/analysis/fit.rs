//! Finds the refresh grid behind recorded timestamps: `phase + count * period`, with one count per frame.
//!
//! 1. *Period.* `|sum of exp(2 pi i t / period)|` (a periodogram) is largest for the true period, whichever frames are
//!    missing. The search starts with a few frames and doubles their number, each time within the resolution of the
//!    previous search.
//! 2. *Counts.* The Viterbi algorithm finds the most likely sequence of refresh counts. Timestamps may be late, and frames
//!    may miss a refresh but hardly ever share one.
//! 3. *Grid.* A least-squares fit over the frames close to the grid.
//! 4. *Test.* A wandering refresh also matches some grid for a while, but its errors are correlated.

use std::ops::RangeInclusive;

/// The fewest frames that a grid can be found in.
pub const FRAMES_MIN: usize = 64;
/// Frames in the first search for the period.
const LOOK: usize = 64;
/// The most frames that a search evaluates; of a longer recording it takes every n-th.
const LOOK_MAX: usize = 40_000;
/// The refresh rates to consider.
const HZ: RangeInclusive<f64> = 10.0..=1000.0;
/// How many refreshes a frame's true refresh may be from the nearest one.
const REACH: [i64; 5] = [-2, -1, 0, 1, 2];
/// Costs in squared standard deviations: a missed refresh, two frames on one refresh, an outlier.
const COST_MISSED: f64 = 9.0;
const COST_SHARED: f64 = 60.0;
const COST_FAR: f64 = 16.0;
/// Standard deviations beyond which a timestamp is an outlier.
const NEAR: f64 = 4.0;
/// How many times better than chance the timestamps must agree on a grid.
const PROOF: f64 = 5.0;
/// Noise below this needs no test: no system wakes a frame more precisely.
const JITTER_NS: f64 = 50e3;
/// The changes from gap to gap have six times the power of uncorrelated noise, but a fifth of strongly correlated noise.
const REPETITION: f64 = 8.0;
/// A grid is clear if its noise is below this share of its period.
const CLEAR: f64 = 0.15;
/// Parts of a session that must each agree on the grid, by at least this share of the median part's agreement.
const PARTS: usize = 8;
const PART_AGREEMENT: f64 = 0.25;
/// The largest share of frames that may have the same refresh as the previous frame.
const SHARED_MAX: f64 = 0.005;

/// The refresh grid of a display.
///
/// ```
/// use evenstep_cli::analysis::fit::Grid;
///
/// // Ten seconds at 59.94 Hz, and timestamps that are up to 0.4 ms late.
/// let stamps: Vec<f64> = (0..600).map(|n| f64::from(n) * 1e9 / 59.94 + f64::from(n * 7_919 % 400) * 1e3).collect();
/// let grid = Grid::fit(&stamps).expect("a fixed refresh");
/// assert!((1e9 / grid.period_ns - 59.94).abs() < 0.01);
/// assert_eq!(grid.missed(0.25e9), 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Nanoseconds between refreshes.
    pub period_ns: f64,
    /// The refresh with count 0, in the timestamps' nanoseconds.
    pub phase_ns: f64,
    /// The refresh of each frame, counted from the first frame's.
    pub counts: Vec<u64>,
    /// Standard deviation of the timestamps from the grid, without outliers, in nanoseconds.
    pub noise_ns: f64,
    /// Number of frames whose timestamp is late by more than four standard deviations.
    pub late: usize,
}

impl Grid {
    /// Finds the grid behind monotonic timestamps in nanoseconds; `None` if there is no fixed refresh.
    pub fn fit(stamps_ns: &[f64]) -> Option<Self> {
        if stamps_ns.len() < FRAMES_MIN {
            return None;
        }
        // The median gap is usually one refresh. If half of the frames miss a refresh, short gaps are. A variable
        // refresh also has short gaps, so a grid found that way must be a clear one.
        let is_clear = |grid: &Self| grid.noise_ns < CLEAR * grid.period_ns;
        Self::fit_near(stamps_ns, gap_near(stamps_ns, 0.5)?)
            .or_else(|| Self::fit_near(stamps_ns, gap_near(stamps_ns, 0.1)?).filter(is_clear))
    }

    /// Finds the grid behind later timestamps if it has the same period.
    pub(crate) fn fit_again(&self, stamps_ns: &[f64]) -> Option<Self> {
        if stamps_ns.len() < FRAMES_MIN {
            return None;
        }
        // As precise as the length of what follows needs it.
        let length_s = (stamps_ns[stamps_ns.len() - 1] - stamps_ns[0]) / 1e9;
        let hz = 1e9 / self.period_ns;
        let hz = sharpest(stamps_ns, stamps_ns.len(), hz, 2.0 / length_s.max(1.0), 0.1 / length_s.max(1.0));
        Self::on(stamps_ns, 1e9 / hz).filter(|grid| (grid.noise_ns / self.noise_ns.max(JITTER_NS)) < 1.5)
    }

    fn fit_near(stamps_ns: &[f64], period_ns: f64) -> Option<Self> {
        if !HZ.contains(&(1e9 / period_ns)) {
            return None;
        }
        Self::on(stamps_ns, find_period(stamps_ns, period_ns))
    }

    /// Fits a grid with about this period.
    fn on(stamps_ns: &[f64], period_ns: f64) -> Option<Self> {
        let mut grid = Self::rounded(stamps_ns, period_ns);
        for _ in 0..4 {
            grid.recount(stamps_ns);
            grid.refit(stamps_ns);
        }
        grid.is_real(stamps_ns).then_some(grid)
    }

    /// Whether the grid is more than chance or a wandering refresh: timestamps agree on it better than their correlation
    /// alone would explain, and they do so in every part of the session.
    fn is_real(&self, stamps_ns: &[f64]) -> bool {
        let frames = stamps_ns.len() as f64;
        let shared = self.counts.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
        if shared > SHARED_MAX * frames || !HZ.contains(&(1e9 / self.period_ns)) {
            return false;
        }
        let agreement = |stamps_ns: &[f64]| {
            let (x, y) = wound(stamps_ns, 1, self.period_ns);
            x.hypot(y) / stamps_ns.len() as f64
        };
        let mut parts: Vec<f64> =
            stamps_ns.chunks(stamps_ns.len().div_ceil(PARTS).max(LOOK)).map(agreement).collect();
        parts.sort_unstable_by(f64::total_cmp);
        if parts[0] < PART_AGREEMENT * parts[parts.len() / 2] {
            return false;
        }
        // Correlated errors count as fewer frames (von Neumann's ratio: 2 for uncorrelated ones). Medians, because a
        // slip of a whole refresh is not a change of the error.
        let errors: Vec<f64> =
            (0..stamps_ns.len()).map(|frame| stamps_ns[frame] - self.at_ns(frame)).collect();
        let change = median(errors.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect());
        let error = median(errors.iter().map(|error| error.abs()).collect());
        let ratio = (change / error).powi(2).clamp(1e-9, 2.0);
        let is_proven = agreement(stamps_ns) > PROOF * ((4.0 - ratio) / (ratio * frames)).sqrt();
        self.noise_ns < JITTER_NS || is_proven && !self.is_beaten_by_repetition(stamps_ns)
    }

    /// Whether "the same gap again" predicts far better than the grid, as on a variable refresh.
    fn is_beaten_by_repetition(&self, stamps_ns: &[f64]) -> bool {
        let change = |three: &[f64]| (three[2] - 2.0 * three[1] + three[0]).abs().min(8.0 * self.noise_ns);
        let squares: f64 = stamps_ns.windows(3).map(|three| change(three).powi(2)).sum();
        squares / (stamps_ns.len() as f64) < self.noise_ns.powi(2) / REPETITION
    }

    /// The number of refreshes without a frame, not counting gaps longer than `stall_ns`.
    pub fn missed(&self, stall_ns: f64) -> u64 {
        let refreshes = self.counts.windows(2).map(|pair| pair[1] - pair[0]);
        let missed = refreshes.filter(|&count| count as f64 * self.period_ns <= stall_ns);
        missed.map(|count| count.saturating_sub(1)).sum()
    }

    /// When a frame appeared, in nanoseconds.
    pub fn at_ns(&self, frame: usize) -> f64 {
        self.phase_ns + self.counts[frame] as f64 * self.period_ns
    }

    /// A first estimate: the phase is the circular mean of the timestamps.
    fn rounded(stamps_ns: &[f64], period_ns: f64) -> Self {
        let (x, y) = wound(stamps_ns, 1, period_ns);
        let phase_ns = y.atan2(x) / std::f64::consts::TAU * period_ns;
        let errors = stamps_ns.iter().map(|stamp| {
            let turns = (stamp - phase_ns) / period_ns;
            ((turns - turns.round()) * period_ns).abs()
        });
        let noise_ns = 1.5 * median(errors.collect());
        Self { period_ns, phase_ns, counts: Vec::new(), noise_ns, late: 0 }
    }

    /// Finds the most likely counts for the current grid.
    fn recount(&mut self, stamps_ns: &[f64]) {
        let nearest = |stamp: f64| ((stamp - self.phase_ns) / self.period_ns).round() as i64;
        let first = nearest(stamps_ns[0]);
        let mut costs = REACH.map(|reach| self.cost_of(stamps_ns[0], first + reach));
        // For each frame except the first, and each of its states: the best state of the previous frame.
        let mut came_from: Vec<[u8; REACH.len()]> = Vec::with_capacity(stamps_ns.len());
        for pair in stamps_ns.windows(2) {
            let before = nearest(pair[0]);
            let now = nearest(pair[1]);
            let mut from = [0; REACH.len()];
            let mut next = [f64::INFINITY; REACH.len()];
            for (state, reach) in REACH.into_iter().enumerate() {
                for (last, reach_last) in REACH.into_iter().enumerate() {
                    let cost = costs[last] + cost_between(now + reach - before - reach_last);
                    if cost < next[state] {
                        next[state] = cost;
                        from[state] = last as u8;
                    }
                }
                next[state] += self.cost_of(pair[1], now + reach);
            }
            costs = next;
            came_from.push(from);
        }
        let mut state = (0..REACH.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0);
        let mut counts = vec![0_i64; stamps_ns.len()];
        for (frame, &stamp) in stamps_ns.iter().enumerate().rev() {
            counts[frame] = nearest(stamp) + REACH[state];
            if frame > 0 {
                state = came_from[frame - 1][state].into();
            }
        }
        self.phase_ns += counts[0] as f64 * self.period_ns;
        self.counts = counts.iter().map(|count| (count - counts[0]).cast_unsigned()).collect();
    }

    /// The cost of assigning a timestamp to a refresh.
    fn cost_of(&self, stamp_ns: f64, count: i64) -> f64 {
        let error_ns = stamp_ns - self.phase_ns - count as f64 * self.period_ns;
        let error = error_ns / self.noise_ns.max(JITTER_NS);
        // Outliers happen, so their cost grows slowly.
        (error * error).min(COST_FAR + error.abs() / 8.0)
    }

    /// A least-squares fit over the frames close to the grid.
    fn refit(&mut self, stamps_ns: &[f64]) {
        let middle = *self.counts.last().expect("frames") as f64 / 2.0;
        let limit = NEAR * self.noise_ns.max(JITTER_NS);
        let mut n = 0.0;
        let mut sum_x = 0.0;
        let mut sum_error = 0.0;
        let mut squares_x = 0.0;
        let mut products = 0.0;
        for (frame, &stamp) in stamps_ns.iter().enumerate() {
            let x = self.counts[frame] as f64 - middle;
            let error = stamp - self.at_ns(frame);
            if error.abs() <= limit {
                n += 1.0;
                sum_x += x;
                sum_error += error;
                squares_x += x * x;
                products += x * error;
            }
        }
        let spread = squares_x - sum_x * sum_x / n;
        if n < 2.0 || spread <= 0.0 {
            return;
        }
        let slope = (products - sum_x * sum_error / n) / spread;
        let at_middle = (sum_error - slope * sum_x) / n;
        self.phase_ns += at_middle - slope * middle;
        self.period_ns += slope;
        let mut near = 0.0;
        let mut squares = 0.0;
        self.late = 0;
        for (frame, &stamp) in stamps_ns.iter().enumerate() {
            let error = stamp - self.at_ns(frame);
            self.late += usize::from(error > limit);
            if error.abs() <= limit {
                near += 1.0;
                squares += error * error;
            }
        }
        self.noise_ns = (squares / near).sqrt();
    }
}

/// The cost of this many refreshes between two frames.
fn cost_between(refreshes: i64) -> f64 {
    match refreshes {
        1 => 0.0,
        2.. => COST_MISSED,
        0 => COST_SHARED,
        _ => f64::INFINITY,
    }
}

/// The gap at a quantile, as a mean over similar gaps: with a coarse clock, a single gap is rounded.
fn gap_near(stamps_ns: &[f64], rank: f64) -> Option<f64> {
    let mut gaps: Vec<f64> =
        stamps_ns.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0.0).collect();
    if gaps.len() < FRAMES_MIN / 2 {
        return None;
    }
    gaps.sort_unstable_by(f64::total_cmp);
    let gap = gaps[(rank * gaps.len() as f64) as usize];
    let near = gaps.iter().filter(|it| (*it - gap).abs() < 0.5 * gap);
    let (sum, count) = near.fold((0.0, 0.0), |(sum, count), gap| (sum + gap, count + 1.0));
    Some(sum / count)
}

/// The period near a first guess that the timestamps agree on most.
fn find_period(stamps_ns: &[f64], guess_ns: f64) -> f64 {
    let mut hz = 1e9 / guess_ns;
    let mut reach_hz = 0.12 * hz;
    let mut frames = LOOK.min(stamps_ns.len());
    loop {
        // Nominal, because a stall in one part would lengthen it.
        let length_s = frames as f64 * guess_ns / 1e9;
        hz = sharpest(stamps_ns, frames, hz, reach_hz, 0.1 / length_s);
        if frames == stamps_ns.len() {
            return 1e9 / hz;
        }
        // The next search covers the resolution of this one.
        reach_hz = 0.5 / length_s;
        frames = (2 * frames).min(stamps_ns.len());
    }
}

/// The frequency within reach that parts of this many frames agree on most.
fn sharpest(stamps_ns: &[f64], frames: usize, hz: f64, reach_hz: f64, step_hz: f64) -> f64 {
    let steps = (reach_hz / step_hz).ceil() as i32;
    let stride = stamps_ns.len().div_ceil(LOOK_MAX);
    let power = |hz: f64| -> f64 {
        let parts = stamps_ns.chunks_exact(frames);
        let of_part = |part| {
            let (x, y) = wound(part, stride.min(frames / LOOK).max(1), 1e9 / hz);
            x * x + y * y
        };
        parts.map(of_part).sum()
    };
    (-steps..=steps)
        .map(|n| hz + f64::from(n) * step_hz)
        .map(|hz| (power(hz), hz))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(hz, |(_, hz)| hz)
}

/// The sum of every n-th timestamp as a direction on a circle of one period.
fn wound(stamps_ns: &[f64], stride: usize, period_ns: f64) -> (f64, f64) {
    stamps_ns.iter().step_by(stride).fold((0.0, 0.0), |(x, y), stamp| {
        let (sin, cos) = (stamp / period_ns * std::f64::consts::TAU).sin_cos();
        (x + cos, y + sin)
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
