//! The lattice that the display lock follows: a fixed refresh, as a phase and a period.
//!
//! On every frame it answers four questions:
//!
//! 1. *How many refreshes passed?* A late timestamp is a late wake-up or a missed refresh, and that frame
//!    alone cannot tell which. `belief` weighs the four nearest counts by Bayes' rule, with both rates
//!    learned on this machine, and the clock advances by the *expected* count. If later frames reveal a
//!    miscount, the difference is blended in: snapping would make the error visible twice.
//! 2. *Is it still valid?* `gone` weighs it against "every interval repeats the last", which is what a
//!    change of refresh rate looks like. While that is more likely, timestamps pass through.
//! 3. *Where is it now?* Recursive least squares. With presentation feedback, the phase follows the display.
//! 4. *Is it proven?* On a fixed refresh with white noise, "the same interval again" predicts with six
//!    times the error power of the lattice; on variable refresh, with far less.

use super::feedback::Feedback;
use super::{CLIP, PERIODS_NS};

/// Wake-ups are rarely later than this.
const LATE_NS: f64 = 10e6;
/// Lower bound of P(miss) and P(late), and the prior of a changed display: once in half an hour at 60 Hz.
pub(super) const RARE: f64 = 1e-5;
/// Initial value of P(miss | miss): load comes in bursts. A 16-frame average knows no more than the bound.
const AGAIN: f64 = 0.5;
const AGAIN_MIN: f64 = 1.0 / 16.0;
/// Errors within this many standard deviations are noise.
const NEAR: f64 = 4.0;
/// Frames over which noise is averaged: about a second.
pub(super) const SMOOTH: f64 = 64.0;
/// Proof grows with frames and shrinks with noise: white noise of one refresh would need 600 frames.
const PROOF: f64 = 3600.0;
/// Above these shares of the period, noise hides the refresh: if the errors are white, if they are not, and if
/// refreshes are missed often, so that the count is uncertain as well.
const VAGUE_WHITE: f64 = 1.0;
const VAGUE: f64 = 0.42;
const VAGUE_MISSED: f64 = 0.2;
const MISSED_OFTEN: f64 = 0.05;
/// Noise never repeats: differences of errors some frames apart have the power of those one frame apart.
const REPEATED: f32 = 0.6;

/// A fixed refresh. Times are in nanoseconds, powers in nanoseconds squared.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Lattice {
    pub(super) period_ns: f64,
    /// The latest refresh, relative to the latest timestamp.
    pub(super) phase_ns: f64,
    /// Frames seen, at most `MEMORY`.
    pub(super) age: f64,
    pub(super) is_locked: bool,
    /// Error power of the lattice, of its last four frames, of its last sixteen (clipped), and of "the same
    /// interval again".
    pub(super) noise: f64,
    pub(super) burst: f64,
    pub(super) clipped: f64,
    pub(super) naive: f64,
    /// Power of the difference of errors one frame apart, two frames apart, and so on.
    pub(super) lags: [f32; Self::COUNTS],
    /// Refreshes of the latest frames, a byte each; the latest is the lowest.
    pub(super) counts: u64,
    /// How often in a row no frame took an odd number of refreshes, and after how often every second refresh will do.
    pub(super) evens: u32,
    pub(super) merge_after: u32,
    /// Probability that the display is one refresh before `phase_ns`, on it, one after, two after.
    pub(super) belief: [f64; 4],
    /// Learned P(miss), P(miss | miss) and P(late wake-up).
    pub(super) missed: f64,
    pub(super) again: f64,
    pub(super) late: f64,
    /// Refreshes skipped by the latest frame.
    pub(super) skipped: f64,
    /// Frames until an outlier can be classified, and the refreshes skipped since.
    pub(super) watch: u32,
    pub(super) watch_skipped: f64,
    /// Probability of another lattice, and for how many frames it has been above one half.
    pub(super) gone: f64,
    pub(super) doubts: u32,
    pub(super) feedback: Option<Feedback>,
    /// Presentation feedback came from another clock.
    pub(super) is_foreign: bool,
}

impl Lattice {
    /// Memory of the fit in frames: clocks drift more slowly. Without proof by then, the search restarts.
    pub(super) const MEMORY: f64 = 640.0;
    /// Lower bound of the timestamp noise.
    pub(super) const JITTER_NS: f64 = 50e3;
    /// Frames whose refreshes are remembered: the longest pattern that is recognised.
    pub(super) const COUNTS: usize = 8;
    /// See `merge_after`, which is counted in windows: of a guess, of a part of a lattice that failed, and of one whose
    /// refreshes are all in use.
    pub(super) const MERGE_AFTER: u32 = 4;
    pub(super) const MERGE_PART_AFTER: u32 = 24;
    pub(super) const MERGE_NEVER: u32 = u32::MAX;
    /// Frames in a row that speak against the lattice until it is dropped. The window is new then.
    pub(super) const DOUBTS_MAX: u32 = 16;

    pub(super) const fn new(period_ns: f64, age: f64, noise: f64) -> Self {
        Self {
            period_ns,
            phase_ns: 0.0,
            age,
            is_locked: false,
            noise,
            burst: 0.0,
            clipped: 0.0,
            naive: noise,
            lags: [noise as f32; Self::COUNTS],
            counts: u64::MAX,
            evens: 0,
            merge_after: Self::MERGE_AFTER,
            belief: [0.0, 1.0, 0.0, 0.0],
            missed: 1.0 / Self::MEMORY,
            again: AGAIN,
            late: 1.0 / Self::MEMORY,
            skipped: 0.0,
            watch: 0,
            watch_skipped: 0.0,
            gone: RARE,
            doubts: 0,
            feedback: None,
            is_foreign: false,
        }
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.is_locked && self.gone <= 0.5
    }

    /// There is no fixed refresh: intervals wander (the naive prediction is four times better), or `MEMORY` frames
    /// brought no proof, or noise hides it.
    pub(super) fn is_refuted(&self) -> bool {
        let is_waiting = |it: &Feedback| !self.is_locked && self.age < SMOOTH && it.is_new();
        if self.feedback.as_ref().is_some_and(|it| it.is_trusted() || is_waiting(it)) {
            return false;
        }
        let is_wandering = self.noise > NEAR * NEAR * self.naive + Self::JITTER_NS * Self::JITTER_NS;
        let is_hopeless = || self.age >= Self::MEMORY || self.age >= SMOOTH && self.is_vague();
        is_wandering || !self.is_locked && is_hopeless()
    }

    fn is_vague(&self) -> bool {
        let share = if self.missed > MISSED_OFTEN {
            VAGUE_MISSED
        } else if self.naive > 3.0 * self.noise {
            VAGUE_WHITE
        } else {
            VAGUE
        };
        self.noise > (share * self.period_ns) * (share * self.period_ns)
    }

    /// The refresh rate changed.
    pub(super) fn is_lost(&self) -> bool {
        self.doubts >= Self::DOUBTS_MAX || !PERIODS_NS.contains(&self.period_ns)
    }

    /// Makes every second refresh the lattice if no frame uses the others: it began on half of the period. A game
    /// that merely slows down to half the rate keeps its lattice.
    pub(super) fn merge(&mut self) {
        const ODD: u64 = 0x0101_0101_0101_0101;
        let odd = (self.counts & ODD).count_ones();
        if odd >= 4 {
            self.merge_after = Self::MERGE_NEVER;
        }
        self.evens = if odd == 0 { self.evens.saturating_add(1) } else { 0 };
        if self.evens >= self.merge_after && PERIODS_NS.contains(&(2.0 * self.period_ns)) {
            let Self { phase_ns, age, is_locked, noise, naive, burst, .. } = *self;
            *self = Self { phase_ns, is_locked, burst, naive, ..Self::new(2.0 * self.period_ns, age, noise) };
        }
    }

    /// The latest timestamps are far from the lattice.
    pub(super) fn is_suspect(&self, misfit: f64) -> bool {
        self.clipped > 0.7 * misfit * self.period_ns * self.period_ns
    }

    /// `PROOF * deviation / period <= age * naive / noise`, squared.
    pub(super) fn is_proven(&self) -> bool {
        let need = PROOF * self.noise;
        let have = self.age * self.naive * self.period_ns;
        self.is_shown() || need * need * self.noise <= have * have
    }

    /// Presentation feedback shows the refresh.
    fn is_shown(&self) -> bool {
        self.feedback.as_ref().is_some_and(Feedback::is_trusted)
    }

    /// Compares the latest error with those of the frames before. `gap_ns` returns an interval some frames ago.
    pub(super) fn compare(&mut self, gap_ns: impl Fn(usize) -> f64) {
        let mut change_ns = 0.0;
        for (ago, (lag, count)) in self.lags.iter_mut().zip(known(self.counts)).enumerate() {
            change_ns += gap_ns(ago) - count as f64 * self.period_ns;
            *lag += ((change_ns * change_ns) as f32 - *lag) / self.age.min(SMOOTH) as f32;
        }
    }

    /// The errors of a few frames ago come again: a pattern of missed refreshes, not noise.
    pub(super) fn repeats(&self, floor_ns: f64) -> bool {
        let floor_ns = (0.06 * self.period_ns).max(floor_ns);
        let [first, others @ ..] = &self.lags;
        f64::from(*first) > 2.0 * floor_ns * floor_ns && others.iter().any(|&lag| lag < REPEATED * first)
    }

    /// Takes one frame and returns the expected advance of the display.
    pub(super) fn observe(&mut self, gap_ns: f64, change_ns: f64) -> f64 {
        // Reacts to a burst of noise quickly and forgets it slowly.
        let deviation_ns = root(self.noise.max(self.burst / 4.0)).max(Self::JITTER_NS);
        let (pace_ns, skipped, error_ns) = self.count(gap_ns, change_ns, deviation_ns);
        let is_far = error_ns.abs() > NEAR * deviation_ns;
        self.learn(skipped, is_far);
        self.fit(gap_ns, skipped, error_ns, is_far);
        self.weigh(change_ns, skipped, error_ns);
        pace_ns
    }

    /// Questions 1 and 2: returns the expected advance, the refreshes skipped, and the timestamp's error.
    fn count(&mut self, gap_ns: f64, change_ns: f64, deviation_ns: f64) -> (f64, f64, f64) {
        let period_ns = self.period_ns;
        let missed =
            if self.skipped > 0.0 { self.again.clamp(AGAIN_MIN, 1.0 - AGAIN_MIN) } else { self.missed };
        let mut late_ns = gap_ns - self.phase_ns - period_ns;
        let mut pace_ns = period_ns;
        let mut whole = 0;
        let mut prior = 1.0;
        // A gap beyond the four beliefs is rounded to whole refreshes.
        if late_ns > 2.5 * period_ns {
            (whole, prior) = (round(late_ns / period_ns) as u32, missed);
            late_ns -= f64::from(whole) * period_ns;
            pace_ns *= round(gap_ns / period_ns).max(1.0);
            self.belief = [0.0, 1.0, 0.0, 0.0];
        }
        let noise = Bell::new(deviation_ns);
        let late = self.late * 2.0 / LATE_NS;
        // Probability mass that a skip moves here, halved for each further refresh, and that mass times the
        // refreshes skipped.
        let mut skip = 0.0;
        let mut skip_count = 0.0;
        let mut belief = [0.0; 4];
        let mut best = 0;
        let mut sum = 0.0;
        let mut expected = 0.0;
        for i in 0..4 {
            let error_ns = late_ns - (i as f64 - 1.0) * period_ns;
            // The later a wake-up, the rarer.
            let lateness = error_ns / LATE_NS;
            let spike = if (0.0..1.0).contains(&lateness) { 1.0 - lateness } else { 0.0 };
            let likelihood = noise.at(error_ns) + late * spike;
            belief[i] = (self.belief[i] * (1.0 - missed) + skip * missed) * likelihood;
            sum += belief[i];
            expected += skip_count * missed * likelihood;
            best = if belief[i] > belief[best] { i } else { best };
            skip = 0.5 * (skip + self.belief[i]);
            skip_count = 0.5 * skip_count + skip;
        }
        pace_ns += expected / sum * period_ns;

        // Another lattice repeats the last interval (with the noise of three timestamps), or starts now.
        let other = 0.5 * Bell::new(2.5 * deviation_ns).at(change_ns) + 0.025 / period_ns;
        let gone = (self.gone + (1.0 - self.gone) * RARE) * other;
        self.gone = (gone / (gone + (1.0 - self.gone) * prior * sum)).clamp(RARE * RARE, 1.0 - RARE);
        self.doubts = if self.gone > 0.5 { self.doubts + 1 } else { 0 };
        pace_ns += self.gone * (gap_ns - pace_ns);

        self.counts = self.counts << 8 | u64::from((whole + best as u32).min(254));
        let skipped = self.believe(belief, best, sum);
        (pace_ns, f64::from(whole) + skipped, late_ns - skipped * period_ns)
    }

    /// Normalises the belief and shifts it so that the most likely count is at index 1. Returns the shift.
    pub(super) fn believe(&mut self, belief: [f64; 4], best: usize, sum: f64) -> f64 {
        for (i, to) in (1..).zip(&mut self.belief) {
            *to = (i + best).checked_sub(2).and_then(|from| belief.get(from)).map_or(0.0, |from| from / sum);
        }
        best as f64 - 1.0
    }

    /// Classifies an outlier after four frames: a missed refresh or a late wake-up.
    fn learn(&mut self, skipped: f64, is_far: bool) {
        let is_skip = skipped > 0.0;
        if self.skipped > 0.0 {
            self.again += (one_if(is_skip) - self.again) / 16.0;
        }
        if self.watch == 0 && (is_far || skipped != 0.0) {
            (self.watch, self.watch_skipped) = (5, 0.0);
        }
        self.watch = self.watch.saturating_sub(1);
        self.watch_skipped += skipped;
        let is_over = self.watch == 1;
        let is_miss = self.watch_skipped > 0.0;
        let memory = self.age + SMOOTH;
        self.missed = (self.missed + (one_if(is_over && is_miss) - self.missed) / memory).max(RARE);
        self.late = (self.late + (one_if(is_over && !is_miss) - self.late) / memory).max(RARE);
        if is_over {
            self.watch = 0;
        }
    }

    /// Question 3: recursive least squares of a line, ignoring far errors.
    fn fit(&mut self, gap_ns: f64, skipped: f64, error_ns: f64, is_far: bool) {
        let count = 1.0 + skipped;
        self.phase_ns += count * self.period_ns - gap_ns;
        if !is_far && !self.is_shown() {
            let (phase_ns, period_ns) = correction(error_ns, self.age, count);
            self.phase_ns += phase_ns;
            self.period_ns += period_ns;
        }
        if let Some(feedback) = &mut self.feedback {
            feedback.at_ns -= gap_ns;
            feedback.silence += 1;
            if feedback.silence > Feedback::SILENCE_MAX {
                self.feedback = None;
            }
        }
    }

    /// Question 4: updates the error powers. Clipped, since a spike is not noise.
    fn weigh(&mut self, change_ns: f64, skipped: f64, error_ns: f64) {
        let counted_ns = change_ns - (skipped - self.skipped) * self.period_ns;
        self.skipped = skipped;
        // On variable refresh the count means nothing.
        let naive = (change_ns * change_ns).min(counted_ns * counted_ns);
        let power = self.noise.max(Self::JITTER_NS * Self::JITTER_NS);
        let square = error_ns * error_ns;
        let memory = self.age.min(SMOOTH);
        let period = self.period_ns * self.period_ns;
        self.noise += (square.min(16.0 * power) - self.noise) / memory;
        self.naive += (naive.min(64.0 * power) - self.naive) / memory;
        self.burst += (square.min(period / 4.0) - self.burst) / 4.0;
        self.clipped += (square.min(CLIP * CLIP * period) - self.clipped) / 16.0;
        self.age = (self.age + 1.0).min(Self::MEMORY);
    }
}

/// Student's t density with seven degrees of freedom: like a Gaussian in the centre, but tolerant of bursts.
pub(super) struct Bell {
    height: f64,
    narrowness: f64,
}

impl Bell {
    pub(super) fn new(deviation_ns: f64) -> Self {
        Self { height: 0.4 / deviation_ns, narrowness: 0.125 / (deviation_ns * deviation_ns) }
    }

    pub(super) fn at(&self, error_ns: f64) -> f64 {
        let square = 1.0 + error_ns * error_ns * self.narrowness;
        let fourth = square * square;
        self.height / (fourth * fourth)
    }
}

/// The counts in a word of `Lattice::counts`, the latest first, up to one that is unknown.
pub(super) fn known(counts: u64) -> impl Iterator<Item = u64> {
    const UNKNOWN: u64 = 255;
    (0..Lattice::COUNTS).map(move |i| counts >> (8 * i) & 255).take_while(|&count| count != UNKNOWN)
}

/// A step of recursive least squares of a line: what an error corrects in the phase and in the period.
pub(super) fn correction(error_ns: f64, memory: f64, count: f64) -> (f64, f64) {
    let weight = error_ns / (memory * (memory + 1.0));
    ((4.0 * memory - 2.0) * weight, 6.0 * weight / count.max(1.0))
}

fn one_if(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// Rounds a non-negative number.
pub(super) fn round(value: f64) -> f64 {
    (value + 0.5) as u64 as f64
}

/// Rounds any number.
pub(super) fn nearest(value: f64) -> f64 {
    if value < 0.0 { -round(-value) } else { round(value) }
}

/// The square root to two parts per million: half the exponent, then two Newton steps.
pub(super) fn root(square: f64) -> f64 {
    let guess = f64::from_bits((square.to_bits() >> 1) + (1023 << 51));
    let guess = 0.5 * (guess + square / guess);
    0.5 * (guess + square / guess)
}
