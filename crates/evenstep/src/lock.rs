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
//! A lattice is *found*, *proven*, *followed*, and *dropped* when it fails:
//!
//! - **Found** by [`misfit`](Lock::misfit): how far the latest intervals are from whole multiples of a period.
//!   The coarsest period that fits is the refresh, not the mean interval: a game that misses every other
//!   refresh has intervals of one and two refreshes.
//! - **Proven** when it predicts far better than "the same interval again", its errors do not repeat (noise
//!   never does; a pattern of missed refreshes that was taken for noise does), and no coarser one fits as well.
//! - **Followed** by the [`Lattice`], which counts refreshes by Bayes' rule. With presentation feedback
//!   it is fitted to what the display showed instead of to the timestamps.
//! - **Dropped** when intervals wander (variable refresh), or another period fits the latest intervals.
//!
//! Without a proven lattice the lock returns the elapsed time. No time is lost: whatever it withholds it
//! returns later. Phases are relative to the latest timestamp, so precision does not decay. Only
//! `+ - * /`, comparisons and casts are used, so native and wasm builds agree.

mod feedback;
mod lattice;
mod rate_lock;
#[cfg(feature = "serde")]
mod save;
mod state;

use core::ops::RangeInclusive;

use lattice::{Lattice, round};
pub(crate) use rate_lock::RateLock;
pub use state::{DisplayLock, LockState};

/// Intervals in the window. Their median tolerates seven outliers.
const WINDOW: usize = 16;
/// Supported refresh periods: 14 to 660 Hz.
const PERIODS_NS: RangeInclusive<f64> = 1.5e6..=70e6;
/// The shortest period that is searched for below the mean interval: shorter ones are the ticks of a clock.
const FINEST_NS: f64 = 2.05e6;
/// A coarse clock, and the shortest period that can be told apart from its ticks.
const TICK_NS: f64 = 2e6;
const FINEST_TICKED_NS: f64 = 3.0 * TICK_NS;
/// An error counts up to this share of a period: timestamps anywhere have a misfit of 0.029.
const CLIP: f64 = 0.2;
/// What one late frame may add to the misfit, and what makes a divisor of the mean interval better than it: a
/// divisor fits whatever the mean fits, and late frames besides.
const ONE_LATE: f64 = 0.0015;
const MANY_LATE: f64 = 0.02;
/// Above this misfit, late frames are no excuse: all frames after some point are off by a part of the period.
const SHIFTED: f64 = 0.008;
/// Any other period is better if its misfit is below this share.
const BETTER: f64 = 0.4;
/// The display may have changed if the misfit is above this; it has if another period has a fifth of that. A part of
/// the period that frames rarely use shows in fewer of them, but clearly.
const SUSPECT: f64 = 0.02;
const CHANGED: f64 = 0.2;
const SUSPECT_PART: f64 = 0.014;
const CHANGED_PART: f64 = 0.08;
/// Errors above this can be a pattern of missed refreshes; those of a clock are smaller.
const PATTERN_NS: f64 = 0.35e6;
const PATTERN_TICKED_NS: f64 = 0.75e6;
/// Above this share of the hinted period, noise hides a refresh that is finer than the intervals.
const VAGUE_HINT: f64 = 0.1;
/// After a longer gap the display may have changed.
const ABSENCE_NS: u64 = 10_000_000_000;
/// Frames over which a phase error is corrected, and the largest correction as a share of a frame.
const BLEND: f64 = 32.0;
const SLEW: f64 = 0.05;
/// With the lock off, withheld time is returned at no more than 1/20 of each frame.
const RETURN_PART: u64 = 20;
/// Frames before a lock; the same as time, so that slow frames need fewer; the share of it after a change of rate; and
/// the backoff each time a variable refresh was mistaken for a fixed one.
const PATIENCE: f64 = 40.0;
const PATIENCE_NS: f64 = 2.2e9;
const PATIENCE_AGAIN: f64 = 0.4;
const PATIENCE_GROWTH: f64 = 4.0;
/// A window counts as this many frames of a fit, and as three times that if the period was known before.
const AGE: f64 = 8.0;
const AGE_KNOWN: f64 = 3.0 * AGE;
/// If the pacing clock is this many refreshes off the lattice, the count is lost.
const LOST: f64 = 4.0;

/// Converts elapsed time into the advance of the pacing clock.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Lock {
    lattice: Option<Lattice>,
    /// Ring buffer of the latest intervals, and how many more a guess needs.
    gaps_ns: [f64; WINDOW],
    gap_last: usize,
    gaps_missing: usize,
    hint_ns: Option<f64>,
    /// A lattice that began with the hint has failed.
    is_hint_wrong: bool,
    patience: f64,
    is_free: bool,
    /// The host says that the refresh is variable.
    is_variable: bool,
    held_ns: i64,
    forfeited_ns: i64,
}

impl Lock {
    pub(crate) const fn new() -> Self {
        Self {
            lattice: None,
            gaps_ns: [0.0; WINDOW],
            gap_last: 0,
            gaps_missing: WINDOW,
            hint_ns: None,
            is_hint_wrong: false,
            patience: PATIENCE,
            is_free: false,
            is_variable: false,
            held_ns: 0,
            forfeited_ns: 0,
        }
    }

    /// Takes the refresh period reported by the host as a guess, which has to be proven like any other. A new
    /// period ends a lock on another one: the window is on another display.
    pub(crate) fn hint(&mut self, period_ns: u64) {
        if period_ns == 0 {
            return;
        }
        let hint_ns = period_ns as f64;
        if self.hint_ns.replace(hint_ns) == Some(hint_ns) || !PERIODS_NS.contains(&hint_ns) {
            return;
        }
        self.is_hint_wrong = false;
        if self.lattice.is_some_and(|it| !is_multiple(it.period_ns, hint_ns, 0.05)) {
            (self.lattice, self.gaps_missing) = (None, WINDOW);
        }
    }

    /// Takes the host's word that frames appear when they are ready: there is nothing to lock to.
    pub(crate) fn set_variable(&mut self, is_variable: bool) {
        if is_variable != self.is_variable {
            self.is_variable = is_variable;
            self.start_over();
        }
    }

    /// Takes the instant at which an earlier frame was shown. Both times are relative to the latest timestamp.
    pub(crate) fn presented(&mut self, ago_ns: u64, at_ns: i64) {
        let Some(lattice) = &mut self.lattice else { return };
        let gap_ns = latest(&self.gaps_ns, self.gap_last);
        let mut sum_ns = 0.0;
        for ago in 0..Lattice::COUNTS {
            if sum_ns == ago_ns as f64 {
                return lattice.presented(ago, sum_ns, at_ns as f64);
            }
            sum_ns += gap_ns(ago);
        }
    }

    /// The refresh of the latest frame, relative to its timestamp, while locked.
    pub(crate) fn shown_ns(&self) -> Option<f64> {
        self.lattice.as_ref().filter(|it| it.is_trusted()).map(Lattice::shown_ns)
    }

    /// The time withheld: all elapsed - all advances - `forfeited_ns`. A few refreshes at most.
    pub(crate) fn held_ns(&self) -> i64 {
        self.held_ns
    }

    /// Forgets the display, as after a reset. Withheld time is given up permanently.
    pub(crate) fn forget(&mut self) {
        self.start_over();
        self.forfeited_ns += self.held_ns;
        self.held_ns = 0;
    }

    /// Restarts the search, as after an absence. Withheld time is returned over the following frames.
    pub(crate) fn start_over(&mut self) {
        let Self { hint_ns, is_variable, held_ns, forfeited_ns, .. } = *self;
        *self = Self { hint_ns, is_variable, held_ns, forfeited_ns, ..Self::new() };
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
    pub(crate) fn forfeited_ns(&self) -> i64 {
        self.forfeited_ns
    }

    pub(crate) fn state(&self) -> LockState {
        match &self.lattice {
            Some(lattice) if lattice.is_trusted() => {
                LockState::Locked { refresh_hz: 1e9 / lattice.period_ns }
            }
            _ if self.is_free || self.is_variable => LockState::Free,
            _ => LockState::Searching,
        }
    }

    /// Takes one display frame, `elapsed_ns` after the last, and returns the advance of the pacing clock.
    pub(crate) fn advance(&mut self, elapsed_ns: u64, rate_lock: Option<RateLock>) -> u64 {
        if elapsed_ns > ABSENCE_NS {
            (self.lattice, self.gaps_missing, self.is_free) = (None, WINDOW, false);
            return elapsed_ns;
        }
        let gap_ns = elapsed_ns as f64;
        let change_ns = gap_ns - self.gaps_ns[self.gap_last];
        self.gap_last = (self.gap_last + 1) % WINDOW;
        self.gaps_ns[self.gap_last] = gap_ns;

        // The advance of the clock, and its target phase relative to the timestamp.
        let paced = self.observe(gap_ns, change_ns);
        let (pace_ns, phase_ns, period_ns) = paced.unwrap_or((gap_ns, 0.0, 0.0));
        let debt_ns = self.held_ns as f64 + gap_ns - pace_ns + phase_ns;
        let pace_ns = pace_ns + (debt_ns / BLEND).clamp(-SLEW * pace_ns, SLEW * pace_ns);
        let advance_ns = (pace_ns + 0.5) as i64;
        self.held_ns += elapsed_ns as i64 - advance_ns;

        if paced.is_none() {
            return advance_ns as u64;
        }
        if debt_ns.abs() > LOST * period_ns {
            self.guess(f64::INFINITY);
        }
        let locked_ns = rate_lock.and_then(|it| it.advance(pace_ns, period_ns)).unwrap_or(advance_ns);
        self.forfeited_ns += advance_ns - locked_ns;
        locked_ns as u64
    }

    /// Returns the lattice's advance, phase and period while it is trusted.
    #[inline]
    fn observe(&mut self, gap_ns: f64, change_ns: f64) -> Option<(f64, f64, f64)> {
        let Some(lattice) = &mut self.lattice else {
            if !self.is_variable {
                self.gaps_missing -= 1;
                if self.gaps_missing == 0 {
                    self.guess(f64::INFINITY);
                }
            }
            return None;
        };
        let pace_ns = lattice.observe(gap_ns, change_ns);
        if !lattice.is_locked {
            self.search();
            return None;
        }
        if self.gap_last == 0 {
            lattice.merge();
        }
        let period_ns = lattice.period_ns;
        let paced = lattice.is_trusted().then_some((pace_ns, lattice.phase_ns, period_ns));
        let is_refuted = lattice.is_refuted();
        let is_lost = lattice.is_lost();
        if is_refuted {
            self.patience = (self.patience * PATIENCE_GROWTH).min(Lattice::MEMORY - 1.0);
        } else if is_lost || self.gap_last == 0 && self.has_changed() {
            // A display that had a fixed refresh rate has another one now.
            self.patience = PATIENCE * PATIENCE_AGAIN;
        } else {
            return paced;
        }
        self.is_free = is_refuted;
        self.guess_without_hint();
        self.keep_parts_of(period_ns);
        None
    }

    /// Keeps a lattice for long that is a part of one that failed: frames use all of its refreshes, however rarely.
    fn keep_parts_of(&mut self, period_ns: f64) {
        if let Some(lattice) = self.lattice.as_mut().filter(|it| it.period_ns < 0.6 * period_ns) {
            lattice.merge_after = lattice.merge_after.max(Lattice::MERGE_PART_AFTER);
        }
    }

    /// Decides on a lattice that is not locked yet: drops it, replaces it, locks it, or waits.
    #[cold]
    fn search(&mut self) {
        let Some(lattice) = &mut self.lattice else { return };
        lattice.compare(latest(&self.gaps_ns, self.gap_last));
        let lattice = *lattice;
        if lattice.is_refuted() || lattice.is_lost() {
            self.is_free = lattice.is_refuted();
            self.patience = if self.is_free { self.patience } else { PATIENCE };
            return self.guess_without_hint();
        }
        if self.gap_last == 0 && self.has_changed() {
            self.guess(f64::INFINITY);
            return self.keep_parts_of(lattice.period_ns);
        }
        let haste = (PATIENCE_NS / (PATIENCE * lattice.period_ns)).clamp(0.6, 1.0);
        if lattice.age < haste * self.patience || !lattice.is_proven() {
            return;
        }
        // A lattice that averages over rare odd frames is near the refresh of all others, but not near enough.
        let is_beside = |(found_ns, deviation_ns): (f64, f64)| {
            let tolerance = 0.005 + deviation_ns.max(2.0 * PATTERN_NS) / (4.0 * found_ns);
            is_multiple(found_ns, lattice.period_ns, 0.1)
                && !is_multiple(found_ns, lattice.period_ns, tolerance)
        };
        if self.find(f64::INFINITY).is_some_and(is_beside) {
            return;
        }
        let (period_ns, pattern_ns) =
            (lattice.period_ns, if self.is_ticked() { PATTERN_TICKED_NS } else { PATTERN_NS });
        let is_refresh = |times: &f64| {
            self.sum_ns() > 0.9 * times * period_ns * WINDOW as f64
                && PERIODS_NS.contains(&(times * period_ns))
                && self.misfit(times * period_ns) < self.misfit(period_ns) + ONE_LATE
        };
        if let Some(times) =
            [3.0, 2.0].into_iter().find(is_refresh).filter(|_| lattice.merge_after == Lattice::MERGE_AFTER)
        {
            self.lattice = Some(Lattice::new(times * period_ns, AGE_KNOWN, lattice.noise));
        } else if lattice.repeats(pattern_ns) {
            self.guess(period_ns);
        } else {
            self.lattice = Some(Lattice { is_locked: true, ..lattice });
            self.is_free = false;
        }
    }

    /// Guesses again after a lattice failed: a hint that it began with may have been wrong.
    fn guess_without_hint(&mut self) {
        self.is_hint_wrong = true;
        self.guess(f64::INFINITY);
    }

    /// Starts a lattice below a period that was ruled out.
    fn guess(&mut self, below_ns: f64) {
        (self.lattice, self.gaps_missing) = (None, WINDOW);
        let Some((found_ns, deviation_ns)) = self.find(below_ns) else {
            self.is_free = true;
            return;
        };
        // What was found may be several of the hint's refreshes.
        let tolerance = 0.002 + deviation_ns / (4.0 * found_ns);
        let agrees = |hint_ns: &f64| {
            PERIODS_NS.contains(hint_ns)
                && is_multiple(found_ns, *hint_ns, tolerance)
                && deviation_ns < VAGUE_HINT * hint_ns
        };
        let hint_ns = self.hint_ns.filter(|hint_ns| !self.is_hint_wrong && agrees(hint_ns));
        let (period_ns, age) = hint_ns.map_or((found_ns, AGE), |hint_ns| (hint_ns, AGE_KNOWN));
        let new = Lattice::new(period_ns, age, deviation_ns * deviation_ns);
        let merge_after = if hint_ns.is_some() { Lattice::MERGE_NEVER } else { Lattice::MERGE_AFTER };
        self.lattice = Some(Lattice { merge_after, ..new });
    }

    /// Finds the refresh behind the latest intervals: their mean, or the coarsest period that fits much better.
    /// Also returns the deviation of the timestamps from it.
    fn find(&self, below_ns: f64) -> Option<(f64, f64)> {
        let mut gaps = self.gaps_ns;
        gaps.sort_unstable_by(f64::total_cmp);
        // The mean of those near the median; NaN, which no range contains, if no time passed between frames.
        let middle_ns = gaps[WINDOW / 2];
        let spread_ns = gaps[WINDOW * 3 / 4 - 1] - gaps[WINDOW / 4];
        let mut sum = 0.0;
        let mut count = 0.0;
        for gap_ns in gaps {
            if (gap_ns - middle_ns).abs() < 0.3 * middle_ns + spread_ns {
                (sum, count) = (sum + gap_ns, count + 1.0);
            }
        }
        let mean_ns = sum / count;
        let limit_ns = 0.97 * below_ns;
        let finest_ns = if self.is_ticked() { FINEST_TICKED_NS } else { FINEST_NS };
        let mut found_ns = mean_ns;
        let mut best = CLIP * CLIP;
        if mean_ns < limit_ns {
            best = self.misfit(mean_ns);
        }
        // The window holds a whole number of refreshes, at most four per frame.
        let sum_ns = self.sum_ns();
        for count in WINDOW + 1..=4 * WINDOW {
            let period_ns = sum_ns / count as f64;
            let ratio = mean_ns / period_ns;
            if period_ns < finest_ns {
                break;
            } else if ratio < 1.15 || period_ns > limit_ns || period_ns > 2.0 * gaps[WINDOW / 4] {
                continue;
            }
            let is_divisor = (ratio - round(ratio)).abs() < 0.1;
            let misfit = self.misfit(period_ns);
            let enough = match is_divisor {
                false => BETTER * best,
                true if best < SHIFTED => best - MANY_LATE,
                true => BETTER * BETTER * best,
            };
            if misfit < enough {
                (found_ns, best) = (period_ns, misfit);
            }
        }
        let deviation_ns = if found_ns < mean_ns { lattice::root(best) * found_ns } else { spread_ns / 2.0 };
        let is_supported = found_ns < limit_ns && PERIODS_NS.contains(&found_ns);
        is_supported.then_some((found_ns, deviation_ns.max(Lattice::JITTER_NS)))
    }

    /// How badly the latest intervals fit whole multiples of a period: the mean square error as a share of the
    /// period. The walk follows slow drift.
    fn misfit(&self, period_ns: f64) -> f64 {
        let mut off = 0.0;
        let mut sum = 0.0;
        for i in 1..=WINDOW {
            off += self.gaps_ns[(self.gap_last + i) % WINDOW] / period_ns;
            off -= round(off);
            sum += (off * off).min(CLIP * CLIP);
            off -= (off / 4.0).clamp(-0.05, 0.05);
        }
        sum / WINDOW as f64
    }

    fn sum_ns(&self) -> f64 {
        self.gaps_ns.iter().sum()
    }

    /// All intervals are ticks of a coarse clock.
    fn is_ticked(&self) -> bool {
        self.misfit(TICK_NS) < 0.001
    }

    /// Another period fits the latest intervals much better than the lattice does.
    fn has_changed(&self) -> bool {
        let Some(lattice) = &self.lattice else { return false };
        if !lattice.is_suspect(SUSPECT_PART) {
            return false;
        }
        let misfit = self.misfit(lattice.period_ns);
        self.find(f64::INFINITY).is_some_and(|(other_ns, _)| {
            let is_part =
                other_ns < 0.6 * lattice.period_ns && is_multiple(lattice.period_ns, other_ns, 0.05);
            let (suspect, changed) = if is_part { (SUSPECT_PART, CHANGED_PART) } else { (SUSPECT, CHANGED) };
            lattice.is_suspect(suspect) && misfit > suspect && self.misfit(other_ns) < changed * misfit
        })
    }
}

/// Returns the intervals of a ring buffer by how many frames ago they ended.
fn latest(gaps_ns: &[f64; WINDOW], last: usize) -> impl Fn(usize) -> f64 {
    move |ago| gaps_ns[(last + WINDOW - ago) % WINDOW]
}

/// Whether a period is one to four times another.
fn is_multiple(period_ns: f64, of_ns: f64, tolerance: f64) -> bool {
    let times = round(period_ns / of_ns);
    (1.0..=4.0).contains(&times) && (period_ns - times * of_ns).abs() < tolerance * period_ns
}

#[cfg(test)]
mod tests;
