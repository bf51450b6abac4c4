//! The display lock: follows the display's refresh instead of the noisy timestamps.
//!
//! A frame appears on the display's refresh grid. The timestamp that the loop sees is early, late or
//! rounded, so a plain accumulator plays motion that the display never made. The lock fits a *lattice*
//! (a phase and a period) to the timestamps and advances the pacing clock by its refreshes:
//!
//! ```text
//! refresh grid  |       |       |       |       |       |       |
//! frames        1       2       3               4       5       6   frame 4 missed a refresh
//! timestamps    .1     2.       . 3             .  4   5.       6
//! elapsed          short    long        long       short   long     what a plain accumulator plays
//! advance       |-------|-------|---------------|-------|-------|   what the lock plays
//! ```
//!
//! Every frame it answers four questions:
//!
//! 1. *How many refreshes passed?* A late timestamp is a late wake-up or a missed refresh, and nothing
//!    can tell at that frame. `belief` weighs the four nearest counts by Bayes' rule, with the rates of
//!    both learned on this machine, and the clock advances by the count *expected* for this frame.
//!    Where later frames show a miscount, the difference is blended in: snapping would show it twice.
//! 2. *Is the lattice still there?* `gone` weighs it against "every interval repeats the last", which
//!    is what another refresh rate looks like. While that is likelier, timestamps pass through.
//! 3. *Where is it now?* Recursive least squares.
//! 4. *Is it proven?* On a fixed refresh with white noise, "the same interval again" predicts with six
//!    times the error power of the lattice; on variable refresh, with far less. That ratio locks and
//!    unlocks.
//!
//! Until there is proof, and on variable refresh, the lock returns what elapsed. It keeps no time: all
//! that it withholds it returns. It holds no clock either: phases are relative to the latest timestamp,
//! so precision never decays. It only uses `+ - * /`, comparisons and casts: native and wasm agree.

mod follow;
mod save;

use core::ops::RangeInclusive;

pub(crate) use follow::Follow;

/// Intervals for a guess: a median survives seven bad ones.
const WINDOW: usize = 16;
/// Displays run at 14 to 660 Hz.
const PERIODS_NS: RangeInclusive<f64> = 1.5e6..=70e6;
/// No system wakes a frame more precisely.
const JITTER_NS: f64 = 50e3;
/// A wake-up is rarely later.
const LATE_NS: f64 = 10e6;
/// After a longer gap the display may be another one.
const ABSENCE_NS: u64 = 10_000_000_000;
/// A miss, a late wake-up, another display: never ruled out, but once in half an hour at 60 Hz.
const RARE: f64 = 1e-5;
/// How often a miss follows a miss: load lasts. Before that is learned; and at most, as all load ends.
const AGAIN: f64 = 0.25;
const AGAIN_MAX: f64 = 0.99;
/// Deviations that honest noise stays within.
const NEAR: f64 = 4.0;
/// Frames that noise is judged by: about a second.
const SMOOTH: f64 = 64.0;
/// Frames that a phase error is blended in over, and the most of a frame's own time that may take.
const BLEND: f64 = 32.0;
const SLEW: f64 = 0.05;
/// Without a lattice, what is withheld returns by at most one part in so many of a frame's own time.
const RETURN_PART: u64 = 20;
/// Frames that the fit remembers: crystals drift slower. No proof by then: start over.
const MEMORY: f64 = 640.0;
/// Frames before a lock, and how much longer it takes each time that variable refresh passed for fixed.
const PATIENCE: f64 = 40.0;
const PATIENCE_GROWTH: f64 = 4.0;
/// Proof grows with frames and shrinks with noise: white noise of a whole refresh would need 600 frames.
const PROOF: f64 = 3600.0;
/// Noise of so much of a refresh says nothing about refreshes.
const VAGUE: f64 = 0.42;
/// Refreshes between the pacing clock and the lattice when the count is lost.
const LOST: f64 = 4.0;

const _: () = assert!(PATIENCE < SMOOTH && SMOOTH < MEMORY, "a lock takes less than the memory");

/// Whether the pacer follows the display's refresh instead of the noisy timestamps.
///
/// ```
/// use evenstep::{DisplayLock, Pacing};
///
/// let plain = Pacing::hz(60).with_display_lock(DisplayLock::Off);
/// let original_with_lock = Pacing::starship().with_display_lock(DisplayLock::Follow);
/// assert_ne!(plain, original_with_lock);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DisplayLock {
    /// Timestamps count as they are.
    Off,
    /// Time advances by the display's refreshes. It never drifts: all that is withheld is returned.
    Follow,
    /// As [`Follow`](Self::Follow), and where the display runs within 0.2 % of 1/2, 1, 2, 3 or 4 times the simulation's rate,
    /// the simulation runs at the display's speed: the same steps on every frame and a constant alpha. Needed when
    /// something is drawn without interpolation; wrong when game time must follow wall time, as for music or netplay,
    /// since a display at 59.94 Hz then costs 0.6 s in ten minutes.
    RateLock,
}

/// What the display lock knows about the display.
///
/// ```
/// use evenstep::{LockState, Pacer, Pacing, Rate};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// for n in 0..75 {
///     pacer.frame(Rate::hz(144).time_of(n));
/// }
/// let LockState::Locked { refresh_hz } = pacer.stats().lock_state() else { panic!("75 quiet frames are enough") };
/// assert_eq!(refresh_hz.round(), 144.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LockState {
    /// Switched off.
    Off,
    /// Not enough frames yet.
    Searching,
    /// Following a fixed refresh.
    Locked {
        /// The refresh rate as measured, in hertz.
        refresh_hz: f64,
    },
    /// There is no fixed refresh to follow, as on a variable-refresh display: timestamps count as they are.
    Free,
}

/// Turns elapsed time into the pacing clock's advance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lock {
    lattice: Option<Lattice>,
    /// The latest intervals, as a ring, and how many are missing for a guess.
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

    /// Takes the host's word for the refresh period as a guess. It needs proof like any other.
    pub(crate) fn hint(&mut self, period_ns: u64) {
        self.hint_ns = Some(period_ns as f64);
    }

    /// What is withheld now: all elapsed - all advances - `followed_ns`. A few refreshes at most.
    pub(crate) fn held_ns(&self) -> i64 {
        self.held_ns
    }

    /// Forgets the display, as after a reset. What was withheld is given up for good.
    pub(crate) fn forget(&mut self) {
        self.start_over();
        self.followed_ns += self.held_ns;
        self.held_ns = 0;
    }

    /// Looks for the display anew, as after an absence. What is withheld is returned over the frames to come.
    pub(crate) fn start_over(&mut self) {
        let (held_ns, followed_ns) = (self.held_ns, self.followed_ns);
        *self = Self { held_ns, followed_ns, hint_ns: self.hint_ns, ..Self::new() };
    }

    /// A frame with the lock switched off: what it still withholds returns, a little of each frame's own time.
    #[cold]
    pub(crate) fn return_held(&mut self, elapsed_ns: u64) -> u64 {
        let most_ns = (elapsed_ns / RETURN_PART) as i64;
        let advance_ns = elapsed_ns.saturating_add_signed(self.held_ns.clamp(-most_ns, most_ns));
        self.held_ns -= advance_ns.wrapping_sub(elapsed_ns) as i64;
        advance_ns
    }

    /// With the lock switched off: the shortest frame that [`return_held`](Self::return_held) makes no shorter than this.
    pub(crate) fn frame_of(&self, advance_ns: u64) -> u64 {
        // A few nanoseconds around the answer of exact fractions.
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

    /// What was absorbed for good, by the rate lock or a reset: wall time that did not run (or ran extra).
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

    /// One display frame, `elapsed_ns` after the last: how far the pacing clock advances.
    pub(crate) fn advance(&mut self, elapsed_ns: u64, follow: Option<Follow>) -> u64 {
        if elapsed_ns > ABSENCE_NS {
            (self.lattice, self.gaps_missing, self.is_free) = (None, WINDOW, false);
            return elapsed_ns;
        }
        let gap_ns = elapsed_ns as f64;
        let change_ns = gap_ns - self.gaps_ns[self.gap_last];
        self.gap_last = (self.gap_last + 1) % WINDOW;
        self.gaps_ns[self.gap_last] = gap_ns;

        // How far the clock goes, and where it belongs relative to the timestamp.
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

    /// Where the clock goes: by the lattice while it is trusted, else by the timestamp.
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
            // A display that had a fixed refresh has one again.
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

    /// A lattice failed, perhaps for the hint that it began with: the display is not what the host said.
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
        // This also rejects 0/0: frames in no time at all.
        let mean_ns = sum / count;
        if !PERIODS_NS.contains(&mean_ns) {
            self.is_free = true;
            return;
        }
        // A window is worth eight frames of a fit, and three times as much where a hint agrees.
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

/// A fixed refresh. Times are in nanoseconds, powers in their squares.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lattice {
    period_ns: f64,
    /// The latest refresh, relative to the latest timestamp.
    phase_ns: f64,
    /// Frames of experience, at most `MEMORY`.
    age: f64,
    is_locked: bool,
    /// Error power: of the lattice, of the lattice in the last four frames, of "the same interval again".
    noise: f64,
    burst: f64,
    naive: f64,
    /// How likely the display stands one refresh before `phase`, on it, one after, two after.
    belief: [f64; 4],
    /// Learned rates: a frame misses a refresh, does so again, wakes up late.
    missed: f64,
    again: f64,
    late: f64,
    has_skipped: bool,
    /// Frames until it is clear what a surprise was, and the refreshes skipped since.
    watch: u32,
    watch_skipped: f64,
    /// How likely the display has another lattice now, and for how many frames that was likelier.
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

    /// There is no fixed refresh: intervals wander (the naive prediction is four times better), or all
    /// the experience brought no proof, or noise hides it.
    fn is_refuted(&self) -> bool {
        let is_vague = self.noise > (VAGUE * self.period_ns) * (VAGUE * self.period_ns);
        let is_hopeless = self.age >= MEMORY || self.age >= SMOOTH && is_vague;
        self.noise > NEAR * NEAR * self.naive + JITTER_NS * JITTER_NS || !self.is_locked && is_hopeless
    }

    /// There is another fixed refresh by now, or every frame of some 250 skipped one: nobody sees those.
    fn is_lost(&self) -> bool {
        let is_halved = self.again > 1.0 - 1e-7;
        self.doubts >= WINDOW || is_halved || !PERIODS_NS.contains(&self.period_ns)
    }

    /// `PROOF * deviation / period <= age * naive / noise`, squared.
    fn is_proven(&self) -> bool {
        let (need, have) = (PROOF * self.noise, self.age * self.naive * self.period_ns);
        need * need * self.noise <= have * have
    }

    /// One frame: how far the display is expected to have moved.
    fn observe(&mut self, gap_ns: f64, change_ns: f64) -> f64 {
        // Quick to believe in a burst of noise, slow to forget one.
        let deviation_ns = root(self.noise.max(self.burst / 4.0)).max(JITTER_NS);
        let (pace_ns, skipped, error_ns) = self.count(gap_ns, change_ns, deviation_ns);
        let is_far = error_ns.abs() > NEAR * deviation_ns;
        self.learn(skipped, is_far);
        self.fit(gap_ns, skipped, error_ns, is_far);
        self.weigh(change_ns, error_ns);
        pace_ns
    }

    /// Questions 1 and 2: the expected advance, the refreshes skipped, and the timestamp's error then.
    fn count(&mut self, gap_ns: f64, change_ns: f64, deviation_ns: f64) -> (f64, f64, f64) {
        let period_ns = self.period_ns;
        let missed = if self.has_skipped { self.again.clamp(RARE, AGAIN_MAX) } else { self.missed };
        let (mut late_ns, mut pace_ns) = (gap_ns - self.phase_ns - period_ns, period_ns);
        let (mut whole, mut prior) = (0.0, 1.0);
        // A gap beyond the four beliefs is counted by rounding.
        if late_ns > 2.5 * period_ns {
            (whole, prior) = (round(late_ns / period_ns), missed);
            late_ns -= whole * period_ns;
            pace_ns *= round(gap_ns / period_ns).max(1.0);
            self.belief = [0.0, 1.0, 0.0, 0.0];
        }
        // The beliefs that a skip in this frame leads to, each further refresh half as likely: how much
        // of them, and the same times the refreshes skipped.
        let (mut skip, mut skip_count) = (0.0, 0.0);
        let (mut belief, mut best) = ([0.0; 4], 0);
        let (mut sum, mut expected) = (0.0, 0.0);
        for i in 0..4 {
            let error_ns = late_ns - (i as f64 - 1.0) * period_ns;
            // A late wake-up: the later, the rarer.
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

        // Another lattice repeats the last interval (with the noise of three timestamps), or began now.
        let other = 0.5 * bell(change_ns, 2.5 * deviation_ns) + 0.025 / period_ns;
        let gone = (self.gone + (1.0 - self.gone) * RARE) * other;
        self.gone = (gone / (gone + (1.0 - self.gone) * prior * sum)).clamp(RARE * RARE, 1.0 - RARE);
        self.doubts = if self.gone > 0.5 { self.doubts + 1 } else { 0 };
        pace_ns += self.gone * (gap_ns - pace_ns);

        // The likeliest belief becomes "on it".
        for (i, to) in (1..).zip(&mut self.belief) {
            *to = (i + best).checked_sub(2).and_then(|from| belief.get(from)).map_or(0.0, |from| from / sum);
        }
        let skipped = best as f64 - 1.0;
        (pace_ns, whole + skipped, late_ns - skipped * period_ns)
    }

    /// Four frames after a surprise it is clear: a refresh was missed, or a wake-up was late.
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

    /// Question 3: recursive least squares of a line, blind to far errors.
    fn fit(&mut self, gap_ns: f64, skipped: f64, error_ns: f64, is_far: bool) {
        self.phase_ns += (1.0 + skipped) * self.period_ns - gap_ns;
        if !is_far {
            let weight = error_ns / (self.age * (self.age + 1.0));
            self.phase_ns += (4.0 * self.age - 2.0) * weight;
            self.period_ns += 6.0 * weight / (1.0 + skipped).max(1.0);
        }
    }

    /// Question 4: the error powers. What is clipped is a spike, not noise.
    fn weigh(&mut self, change_ns: f64, error_ns: f64) {
        let power = self.noise.max(JITTER_NS * JITTER_NS);
        let memory = self.age.min(SMOOTH);
        self.noise += ((error_ns * error_ns).min(16.0 * power) - self.noise) / memory;
        self.naive += ((change_ns * change_ns).min(64.0 * power) - self.naive) / memory;
        self.burst += ((error_ns * error_ns).min(self.period_ns * self.period_ns / 4.0) - self.burst) / 4.0;
        self.age = (self.age + 1.0).min(MEMORY);
    }
}

/// Student's bell with seven degrees of freedom: a Gaussian near by, and it forgives a burst.
fn bell(error_ns: f64, deviation_ns: f64) -> f64 {
    let square = 1.0 + error_ns * error_ns / (8.0 * deviation_ns * deviation_ns);
    0.4 / (deviation_ns * (square * square) * (square * square))
}

fn one_if(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// The nearest whole number; of positive ones only.
fn round(value: f64) -> f64 {
    (value + 0.5) as u64 as f64
}

/// The square root to two millionths: half the exponent, then Newton twice.
fn root(square: f64) -> f64 {
    let guess = f64::from_bits((square.to_bits() >> 1) + (1023 << 51));
    let guess = 0.5 * (guess + square / guess);
    0.5 * (guess + square / guess)
}

#[cfg(test)]
mod tests;
