//! The display lock: follows the display's refresh instead of the noisy timestamps.
//!
//! Frames appear on the display's refresh grid, but the timestamps that the loop sees are early, late or
//! rounded. Fed with them, a plain accumulator judders. The lock fits a *lattice* (a phase and a period)
//! to the timestamps and advances the pacing clock by its refreshes:
//!
//! ```text
//! refresh grid  |       |       |       |       |       |       |
//! frames        1       2       3               4       5       6   frame 4 missed a refresh
//! timestamps    .1     2.       . 3             .  4   5.       6
//! elapsed          short    long        long       short   long     with a plain accumulator
//! advance       |-------|-------|---------------|-------|-------|   with the lock
//! ```
//!
//! On every frame it answers four questions:
//!
//! 1. *How many refreshes passed?* A late timestamp is a late wake-up or a missed refresh, and that frame
//!    alone cannot tell which. `belief` weighs the four nearest counts by Bayes' rule, with both rates
//!    learned on this machine, and the clock advances by the *expected* count. If later frames reveal a
//!    miscount, the difference is blended in: snapping would make the error visible twice.
//! 2. *Is the lattice still valid?* `gone` weighs it against "every interval repeats the last", which is
//!    what a change of refresh rate looks like. While that is more likely, timestamps pass through.
//! 3. *Where is it now?* Recursive least squares.
//! 4. *Is it proven?* On a fixed refresh with white noise, "the same interval again" predicts with six
//!    times the error power of the lattice; on variable refresh, with far less. That ratio locks and
//!    unlocks.
//!
//! Without proof, and on variable refresh, the lock returns the elapsed time. No time is lost: whatever it
//! withholds it returns later. Phases are relative to the latest timestamp, so precision does not decay.
//! Only `+ - * /`, comparisons and casts are used, so native and wasm builds agree.

mod follow;
mod save;
mod state;

use core::ops::RangeInclusive;

pub(crate) use follow::Follow;
pub use state::{DisplayLock, LockState};

/// Intervals for an initial guess: the median tolerates seven outliers.
const WINDOW: usize = 16;
/// Supported refresh periods: 14 to 660 Hz.
const PERIODS_NS: RangeInclusive<f64> = 1.5e6..=70e6;
/// Lower bound of the timestamp noise.
const JITTER_NS: f64 = 50e3;
/// Wake-ups are rarely later than this.
const LATE_NS: f64 = 10e6;
/// After a longer gap the display may have changed.
const ABSENCE_NS: u64 = 10_000_000_000;
/// Lower bound of P(miss) and P(late), and the prior of a changed display: once in half an hour at 60 Hz.
const RARE: f64 = 1e-5;
/// Initial value and upper bound of P(miss | miss): load comes in bursts.
const AGAIN: f64 = 0.25;
const AGAIN_MAX: f64 = 0.99;
/// Errors within this many standard deviations are noise.
const NEAR: f64 = 4.0;
/// Frames over which noise is averaged: about a second.
const SMOOTH: f64 = 64.0;
/// Frames over which a phase error is corrected, and the largest correction as a share of a frame.
const BLEND: f64 = 32.0;
const SLEW: f64 = 0.05;
/// With the lock off, withheld time is returned at no more than 1/20 of each frame.
const RETURN_PART: u64 = 20;
/// Memory of the fit in frames: clocks drift more slowly. Without proof by then, the search restarts.
const MEMORY: f64 = 640.0;
/// Frames before a lock, and the backoff each time a variable refresh was mistaken for a fixed one.
const PATIENCE: f64 = 40.0;
const PATIENCE_GROWTH: f64 = 4.0;
/// Proof grows with frames and shrinks with noise: white noise of one refresh would need 600 frames.
const PROOF: f64 = 3600.0;
/// Above this share of the period, noise hides the refresh.
const VAGUE: f64 = 0.42;
/// If the pacing clock is this many refreshes off the lattice, the count is lost.
const LOST: f64 = 4.0;

const _: () =
    assert!(PATIENCE < SMOOTH && SMOOTH < MEMORY, "locking must take less time than the fit remembers");

/// Converts elapsed time into the advance of the pacing clock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lock {
    lattice: Option<Lattice>,
    /// Ring buffer of the latest intervals, and how many more a guess needs.
    gaps_ns: [f64; WINDOW],
    gap_last: usize,
    gaps_missing: usize,
    hint_ns: Option<f64>,
    patience: f64,
    is_free: bool,
    held_ns: i64,
    followed_ns: i64,
}

impl Lock {
    pub(crate) const fn new() -> Self {
        Self {
            lattice: None,
            gaps_ns: [0.0; WINDOW],
            gap_last: 0,
            gaps_missing: WINDOW,
            hint_ns: None,
            patience: PATIENCE,
            is_free: false,
            held_ns: 0,
            followed_ns: 0,
        }
    }

    /// Takes the refresh period reported by the host as a guess, which has to be proven like any other.
    pub(crate) fn hint(&mut self, period_ns: u64) {
        self.hint_ns = Some(period_ns as f64);
    }

    /// The time withheld: all elapsed - all advances - `followed_ns`. A few refreshes at most.
    pub(crate) fn held_ns(&self) -> i64 {
        self.held_ns
    }

    /// Forgets the display, as after a reset. Withheld time is given up permanently.
    pub(crate) fn forget(&mut self) {
        self.start_over();
        self.followed_ns += self.held_ns;
        self.held_ns = 0;
    }

    /// Restarts the search, as after an absence. Withheld time is returned over the following frames.
    pub(crate) fn start_over(&mut self) {
        let (held_ns, followed_ns) = (self.held_ns, self.followed_ns);
        *self = Self { held_ns, followed_ns, hint_ns: self.hint_ns, ..Self::new() };
    }

    /// Advances a frame while the lock is off: withheld time is returned, a small share per frame.
    #[cold]
    pub(crate) fn return_held(&mut self, elapsed_ns: u64) -> u64 {
        let most_ns = (elapsed_ns / RETURN_PART) as i64;
        let advance_ns = elapsed_ns.saturating_add_signed(self.held_ns.clamp(-most_ns, most_ns));
        self.held_ns -= advance_ns.wrapping_sub(elapsed_ns) as i64;
        advance_ns
    }

    /// With the lock off: the shortest frame that [`return_held`](Self::return_held) turns into at least
    /// `advance_ns`.
    pub(crate) fn frame_of(&self, advance_ns: u64) -> u64 {
        // The estimate is off by a few nanoseconds at most.
        let held_ns = self.held_ns.unsigned_abs();
        let about_ns = if self.held_ns > 0 {
            advance_ns.saturating_sub(held_ns).max(advance_ns - advance_ns / (RETURN_PART + 1))
        } else {
            advance_ns.saturating_add(held_ns.min(advance_ns / (RETURN_PART - 1)))
        };
        let is_enough = |elapsed_ns: &u64| {
            Self { held_ns: self.held_ns, ..Self::new() }.return_held(*elapsed_ns) >= advance_ns
        };
        (about_ns.saturating_sub(3)..=about_ns.saturating_add(3)).find(is_enough).unwrap_or(about_ns)
    }

    /// Time given up permanently by the rate lock or a reset: wall time that was not simulated (negative: simulated
    /// in excess).
    pub(crate) fn followed_ns(&self) -> i64 {
        self.followed_ns
    }

    pub(crate) fn state(&self) -> LockState {
        match &self.lattice {
            Some(lattice) if lattice.is_trusted() => {
                LockState::Locked { refresh_hz: 1e9 / lattice.period_ns }
            }
            _ if self.is_free => LockState::Free,
            _ => LockState::Searching,
        }
    }

    /// Takes one display frame, `elapsed_ns` after the last, and returns the advance of the pacing clock.
    pub(crate) fn advance(&mut self, elapsed_ns: u64, follow: Option<Follow>) -> u64 {
        if elapsed_ns > ABSENCE_NS {
            (self.lattice, self.gaps_missing, self.is_free) = (None, WINDOW, false);
            return elapsed_ns;
        }
        let gap_ns = elapsed_ns as f64;
        let change_ns = gap_ns - self.gaps_ns[self.gap_last];
        self.gap_last = (self.gap_last + 1) % WINDOW;
        self.gaps_ns[self.gap_last] = gap_ns;

        // The advance of the clock, and its target phase relative to the timestamp.
        let (pace_ns, phase_ns) = self.observe(gap_ns, change_ns);
        let debt_ns = self.held_ns as f64 + gap_ns - pace_ns + phase_ns;
        let pace_ns = pace_ns + (debt_ns / BLEND).clamp(-SLEW * pace_ns, SLEW * pace_ns);
        let advance_ns = (pace_ns + 0.5) as u64;
        self.held_ns += elapsed_ns as i64 - advance_ns as i64;

        let Some(period_ns) = self.lattice.as_ref().filter(|it| it.is_trusted()).map(|it| it.period_ns)
        else {
            return advance_ns;
        };
        if debt_ns.abs() > LOST * period_ns {
            self.guess();
        }
        let followed_ns = follow.and_then(|it| it.advance(pace_ns, period_ns)).unwrap_or(advance_ns);
        self.followed_ns += advance_ns as i64 - followed_ns as i64;
        followed_ns
    }

    /// Returns the advance and the target phase: by the lattice while it is trusted, otherwise by the timestamp.
    fn observe(&mut self, gap_ns: f64, change_ns: f64) -> (f64, f64) {
        let Some(lattice) = &mut self.lattice else {
            self.gaps_missing -= 1;
            if self.gaps_missing == 0 {
                self.guess();
            }
            return (gap_ns, 0.0);
        };
        let pace_ns = lattice.observe(gap_ns, change_ns);
        if lattice.is_refuted() {
            if lattice.is_locked {
                self.patience = (self.patience * PATIENCE_GROWTH).min(MEMORY - 1.0);
            }
            self.is_free = true;
            self.guess_without_hint();
        } else if lattice.is_lost() {
            // A display that had a fixed refresh rate has another one now.
            self.patience = if lattice.is_locked { PATIENCE / 2.0 } else { PATIENCE };
            self.is_free = false;
            self.guess_without_hint();
        } else if lattice.is_trusted() {
            return (pace_ns, lattice.phase_ns);
        } else if lattice.age >= self.patience && lattice.is_proven() {
            (lattice.is_locked, self.is_free) = (true, false);
        }
        (gap_ns, 0.0)
    }

    /// Guesses again after a lattice failed: a hint that it began with may have been wrong.
    fn guess_without_hint(&mut self) {
        self.hint_ns = None;
        self.guess();
    }

    /// Starts a lattice from the latest intervals: the mean of those near their median.
    fn guess(&mut self) {
        (self.lattice, self.gaps_missing) = (None, WINDOW);
        let mut gaps = self.gaps_ns;
        gaps.sort_unstable_by(f64::total_cmp);
        let (middle_ns, spread_ns) = (gaps[WINDOW / 2], gaps[WINDOW * 3 / 4 - 1] - gaps[WINDOW / 4]);
        let (mut sum, mut count) = (0.0, 0.0);
        for gap_ns in gaps {
            if (gap_ns - middle_ns).abs() < 0.3 * middle_ns + spread_ns {
                (sum, count) = (sum + gap_ns, count + 1.0);
            }
        }
        // This also rejects 0/0, from frames without any time between them.
        let mean_ns = sum / count;
        if !PERIODS_NS.contains(&mean_ns) {
            self.is_free = true;
            return;
        }
        // A window counts as eight frames of a fit, and as three times that if a hint agrees.
        let (period_ns, age) = match self.hint_ns {
            Some(hint_ns) if (hint_ns - mean_ns).abs() < 0.05 * mean_ns && PERIODS_NS.contains(&hint_ns) => {
                (hint_ns, 24.0)
            }
            _ => (mean_ns, 8.0),
        };
        let deviation_ns = (spread_ns / 2.0).max(JITTER_NS);
        self.lattice = Some(Lattice::new(period_ns, age, deviation_ns * deviation_ns));
    }
}

/// A fixed refresh. Times are in nanoseconds, powers in nanoseconds squared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lattice {
    period_ns: f64,
    /// The latest refresh, relative to the latest timestamp.
    phase_ns: f64,
    /// Frames seen, at most `MEMORY`.
    age: f64,
    is_locked: bool,
    /// Error power of the lattice, of its last four frames, and of "the same interval again".
    noise: f64,
    burst: f64,
    naive: f64,
    /// Probability that the display is one refresh before `phase_ns`, on it, one after, two after.
    belief: [f64; 4],
    /// Learned P(miss), P(miss | miss) and P(late wake-up).
    missed: f64,
    again: f64,
    late: f64,
    has_skipped: bool,
    /// Frames until an outlier can be classified, and the refreshes skipped since.
    watch: u32,
    watch_skipped: f64,
    /// Probability of another lattice, and for how many frames it has been above one half.
    gone: f64,
    doubts: usize,
}

impl Lattice {
    fn new(period_ns: f64, age: f64, noise: f64) -> Self {
        Self {
            period_ns,
            phase_ns: 0.0,
            age,
            is_locked: false,
            noise,
            burst: 0.0,
            naive: noise,
            belief: [0.0, 1.0, 0.0, 0.0],
            missed: 1.0 / MEMORY,
            again: AGAIN,
            late: 1.0 / MEMORY,
            has_skipped: false,
            watch: 0,
            watch_skipped: 0.0,
            gone: RARE,
            doubts: 0,
        }
    }

    fn is_trusted(&self) -> bool {
        self.is_locked && self.gone <= 0.5
    }

    /// There is no fixed refresh: intervals wander (the naive prediction is four times better), or `MEMORY` frames
    /// brought no proof, or noise hides it.
    fn is_refuted(&self) -> bool {
        let is_vague = self.noise > (VAGUE * self.period_ns) * (VAGUE * self.period_ns);
        let is_hopeless = self.age >= MEMORY || self.age >= SMOOTH && is_vague;
        self.noise > NEAR * NEAR * self.naive + JITTER_NS * JITTER_NS || !self.is_locked && is_hopeless
    }

    /// The refresh rate changed, or about 250 frames in a row skipped a refresh: in effect the rate is lower.
    fn is_lost(&self) -> bool {
        let is_halved = self.again > 1.0 - 1e-7;
        self.doubts >= WINDOW || is_halved || !PERIODS_NS.contains(&self.period_ns)
    }

    /// `PROOF * deviation / period <= age * naive / noise`, squared.
    fn is_proven(&self) -> bool {
        let (need, have) = (PROOF * self.noise, self.age * self.naive * self.period_ns);
        need * need * self.noise <= have * have
    }

    /// Takes one frame and returns the expected advance of the display.
    fn observe(&mut self, gap_ns: f64, change_ns: f64) -> f64 {
        // Reacts to a burst of noise quickly and forgets it slowly.
        let deviation_ns = root(self.noise.max(self.burst / 4.0)).max(JITTER_NS);
        let (pace_ns, skipped, error_ns) = self.count(gap_ns, change_ns, deviation_ns);
        let is_far = error_ns.abs() > NEAR * deviation_ns;
        self.learn(skipped, is_far);
        self.fit(gap_ns, skipped, error_ns, is_far);
        self.weigh(change_ns, error_ns);
        pace_ns
    }

    /// Questions 1 and 2: returns the expected advance, the refreshes skipped, and the timestamp's error.
    fn count(&mut self, gap_ns: f64, change_ns: f64, deviation_ns: f64) -> (f64, f64, f64) {
        let period_ns = self.period_ns;
        let missed = if self.has_skipped { self.again.clamp(RARE, AGAIN_MAX) } else { self.missed };
        let (mut late_ns, mut pace_ns) = (gap_ns - self.phase_ns - period_ns, period_ns);
        let (mut whole, mut prior) = (0.0, 1.0);
        // A gap beyond the four beliefs is rounded to whole refreshes.
        if late_ns > 2.5 * period_ns {
            (whole, prior) = (round(late_ns / period_ns), missed);
            late_ns -= whole * period_ns;
            pace_ns *= round(gap_ns / period_ns).max(1.0);
            self.belief = [0.0, 1.0, 0.0, 0.0];
        }
        // Probability mass that a skip moves here, halved for each further refresh, and that mass times the
        // refreshes skipped.
        let (mut skip, mut skip_count) = (0.0, 0.0);
        let (mut belief, mut best) = ([0.0; 4], 0);
        let (mut sum, mut expected) = (0.0, 0.0);
        for i in 0..4 {
            let error_ns = late_ns - (i as f64 - 1.0) * period_ns;
            // The later a wake-up, the rarer.
            let lateness = error_ns / LATE_NS;
            let spike = if (0.0..1.0).contains(&lateness) { 1.0 - lateness } else { 0.0 };
            let likelihood = bell(error_ns, deviation_ns) + self.late * spike * 2.0 / LATE_NS;
            belief[i] = (self.belief[i] * (1.0 - missed) + skip * missed) * likelihood;
            sum += belief[i];
            expected += skip_count * missed * likelihood;
            best = if belief[i] > belief[best] { i } else { best };
            skip = 0.5 * (skip + self.belief[i]);
            skip_count = 0.5 * skip_count + skip;
        }
        pace_ns += expected / sum * period_ns;

        // Another lattice repeats the last interval (with the noise of three timestamps), or starts now.
        let other = 0.5 * bell(change_ns, 2.5 * deviation_ns) + 0.025 / period_ns;
        let gone = (self.gone + (1.0 - self.gone) * RARE) * other;
        self.gone = (gone / (gone + (1.0 - self.gone) * prior * sum)).clamp(RARE * RARE, 1.0 - RARE);
        self.doubts = if self.gone > 0.5 { self.doubts + 1 } else { 0 };
        pace_ns += self.gone * (gap_ns - pace_ns);

        // Shift, so that the most likely count is index 1.
        for (i, to) in (1..).zip(&mut self.belief) {
            *to = (i + best).checked_sub(2).and_then(|from| belief.get(from)).map_or(0.0, |from| from / sum);
        }
        let skipped = best as f64 - 1.0;
        (pace_ns, whole + skipped, late_ns - skipped * period_ns)
    }

    /// Classifies an outlier after four frames: a missed refresh or a late wake-up.
    fn learn(&mut self, skipped: f64, is_far: bool) {
        let is_skip = skipped > 0.0;
        if self.has_skipped {
            self.again += (one_if(is_skip) - self.again) / 16.0;
        }
        self.has_skipped = is_skip;

        if self.watch == 0 && (is_far || skipped != 0.0) {
            (self.watch, self.watch_skipped) = (5, 0.0);
        }
        self.watch = self.watch.saturating_sub(1);
        self.watch_skipped += skipped;
        let (is_over, is_miss) = (self.watch == 1, self.watch_skipped > 0.0);
        let memory = self.age + SMOOTH;
        self.missed = (self.missed + (one_if(is_over && is_miss) - self.missed) / memory).max(RARE);
        self.late = (self.late + (one_if(is_over && !is_miss) - self.late) / memory).max(RARE);
        if is_over {
            self.watch = 0;
        }
    }

    /// Question 3: recursive least squares of a line, ignoring far errors.
    fn fit(&mut self, gap_ns: f64, skipped: f64, error_ns: f64, is_far: bool) {
        self.phase_ns += (1.0 + skipped) * self.period_ns - gap_ns;
        if !is_far {
            let weight = error_ns / (self.age * (self.age + 1.0));
            self.phase_ns += (4.0 * self.age - 2.0) * weight;
            self.period_ns += 6.0 * weight / (1.0 + skipped).max(1.0);
        }
    }

    /// Question 4: updates the error powers. Clipped, since a spike is not noise.
    fn weigh(&mut self, change_ns: f64, error_ns: f64) {
        let power = self.noise.max(JITTER_NS * JITTER_NS);
        let memory = self.age.min(SMOOTH);
        self.noise += ((error_ns * error_ns).min(16.0 * power) - self.noise) / memory;
        self.naive += ((change_ns * change_ns).min(64.0 * power) - self.naive) / memory;
        self.burst += ((error_ns * error_ns).min(self.period_ns * self.period_ns / 4.0) - self.burst) / 4.0;
        self.age = (self.age + 1.0).min(MEMORY);
    }
}

/// Student's t density with seven degrees of freedom: like a Gaussian in the centre, but tolerant of bursts.
fn bell(error_ns: f64, deviation_ns: f64) -> f64 {
    let square = 1.0 + error_ns * error_ns / (8.0 * deviation_ns * deviation_ns);
    0.4 / (deviation_ns * (square * square) * (square * square))
}

fn one_if(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// Rounds a non-negative number.
fn round(value: f64) -> f64 {
    (value + 0.5) as u64 as f64
}

/// The square root to two parts per million: half the exponent, then two Newton steps.
fn root(square: f64) -> f64 {
    let guess = f64::from_bits((square.to_bits() >> 1) + (1023 << 51));
    let guess = 0.5 * (guess + square / guess);
    0.5 * (guess + square / guess)
}

#[cfg(test)]
mod tests;
