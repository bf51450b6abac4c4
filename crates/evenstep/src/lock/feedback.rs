//! Presentation feedback: what the display showed, and when.

use super::PERIODS_NS;
use super::lattice::{Bell, Lattice, RARE, SMOOTH, correction, known, nearest, root, round};

/// The refresh as presentation feedback shows it: a lattice of its own, fitted to reports.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Feedback {
    /// The refresh of the latest report, relative to the latest timestamp.
    pub(super) at_ns: f64,
    pub(super) period_ns: f64,
    /// Power of the distance of reports from the refresh.
    pub(super) noise: f64,
    /// From a timestamp to the display of its frame, on average.
    pub(super) delay_ns: f64,
    /// How far the delay is behind its mean: proportional to the drift between the clocks.
    pub(super) drift_ns: f64,
    /// Reports so far, at most `MEMORY`, frames since the last, and reports since the delay changed by whole refreshes.
    pub(super) reports: f64,
    pub(super) silence: u32,
    pub(super) turned: u32,
    /// Reports agree with the timestamps on the period.
    pub(super) agrees: bool,
}

impl Feedback {
    /// The lattice stays with the timestamps, even if the clocks drift apart, because the delay forgets.
    pub(super) const MEMORY: f64 = 128.0;
    /// Reports before they are trusted, and frames without one until they are forgotten.
    const ENOUGH: f64 = 16.0;
    pub(super) const SILENCE_MAX: u32 = 16;
    /// Memory of the fit.
    const FIT: f64 = 40.0;
    /// The largest deviation of reports that mean refreshes.
    const DEVIATION_NS: f64 = 0.15e6;
    /// The largest relative difference of the periods: more means another clock.
    const CLOCK: f64 = 5e-4;
    /// The largest drift, as a share of the period, and reports until a changed delay is taken for lasting.
    const DRIFT: f64 = 0.1;
    pub(super) const TURNED_MAX: u32 = 8;
    /// Probability that a report says nothing about the count: the frame missed its refresh after its timestamp.
    const OTHER: f64 = 0.02;

    pub(super) const fn new(at_ns: f64, period_ns: f64) -> Self {
        Self {
            at_ns,
            period_ns,
            noise: 0.0,
            delay_ns: 0.0,
            drift_ns: 0.0,
            reports: 0.0,
            silence: 0,
            turned: 0,
            agrees: false,
        }
    }

    /// Reports are coming in, but there are not enough yet.
    pub(super) fn is_new(&self) -> bool {
        self.reports < Self::ENOUGH
    }

    /// Reports are on a fixed refresh.
    pub(super) fn is_trusted(&self) -> bool {
        let limit_ns = Self::DEVIATION_NS.min(self.period_ns / 8.0);
        self.reports >= Self::ENOUGH && self.noise < limit_ns * limit_ns && self.agrees
    }

    /// Takes a report about a frame whose timestamp was `ago_ns` before the latest. Returns `false` if it is out of order.
    fn report(&mut self, at_ns: f64, ago_ns: f64) -> bool {
        let step_ns = at_ns - self.at_ns;
        let count = round(step_ns.max(0.0) / self.period_ns);
        if self.reports > 0.0 && count == 0.0 {
            return false;
        }
        let off_ns = step_ns - count * self.period_ns;
        self.reports = (self.reports + 1.0).min(Self::MEMORY);
        self.silence = 0;
        let memory = self.reports.min(Self::FIT);
        let (phase_ns, period_ns) = correction(off_ns, memory, count);
        self.at_ns = at_ns - off_ns + phase_ns;
        self.period_ns += period_ns;
        // The first reports correct the guess.
        self.noise += (off_ns * off_ns - self.noise) / (memory - Self::ENOUGH / 2.0).max(1.0);
        let delay_ns = at_ns + ago_ns;
        if self.reports == 1.0 {
            self.delay_ns = delay_ns;
        }
        // A queue can grow or shrink by whole refreshes, which does not move the refresh.
        let turns = nearest((delay_ns - self.delay_ns) / self.period_ns);
        self.turned = if turns == 0.0 { 0 } else { self.turned + 1 };
        if self.turned == Self::TURNED_MAX {
            (self.delay_ns, self.turned) = (self.delay_ns + turns * self.period_ns, 0);
        } else {
            let off_ns = delay_ns - self.delay_ns - turns * self.period_ns;
            self.delay_ns += off_ns / self.reports;
            self.drift_ns += (off_ns - self.drift_ns) / SMOOTH;
        }
        true
    }
}

/// Presentation feedback.
impl Lattice {
    /// Takes the instant at which the frame of `ago` frames ago was shown. Times are relative to the latest timestamp.
    pub(super) fn presented(&mut self, ago: usize, ago_ns: f64, at_ns: f64) {
        if self.is_foreign {
            return;
        }
        let mut feedback = self.feedback.unwrap_or(Feedback::new(at_ns, self.period_ns));
        if !feedback.report(at_ns, ago_ns) {
            return;
        }
        let difference_ns = (feedback.period_ns - self.period_ns).abs();
        feedback.agrees = difference_ns < Feedback::CLOCK * self.period_ns + root(self.noise) / self.age
            && PERIODS_NS.contains(&feedback.period_ns);
        // Nonsense starts over. Another clock is ignored.
        self.is_foreign = feedback.is_trusted() && feedback.drift_ns.abs() > Feedback::DRIFT * self.period_ns;
        self.feedback = (difference_ns < 0.05 * self.period_ns && !self.is_foreign).then_some(feedback);

        if known(self.counts).count() < ago {
            return;
        }
        let refreshes: u64 = known(self.counts).take(ago).sum();
        let late_ns = feedback.at_ns - feedback.delay_ns - self.phase_ns + refreshes as f64 * self.period_ns;
        if feedback.is_trusted() && !self.is_foreign && late_ns.abs() < 4.0 * self.period_ns {
            self.period_ns = feedback.period_ns;
            self.phase_ns += late_ns - nearest(late_ns / self.period_ns) * self.period_ns;
            self.recount(late_ns, root(feedback.noise));
        }
    }

    /// Question 1 again, with the answer for an earlier frame.
    fn recount(&mut self, late_ns: f64, deviation_ns: f64) {
        self.gone = (0.1 * self.gone).max(RARE * RARE);
        let noise = Bell::new(deviation_ns.max(Self::JITTER_NS));
        let seen = [0, 1, 2, 3].map(|i| noise.at(late_ns - (f64::from(i) - 1.0) * self.period_ns));
        let total: f64 = seen.iter().sum();
        let mut belief = self.belief;
        for (belief, seen) in belief.iter_mut().zip(seen) {
            *belief *= seen / total + Feedback::OTHER;
        }
        let best = (0..4).fold(1, |best, i| if belief[i] > belief[best] { i } else { best });
        let shift = self.believe(belief, best, belief.iter().sum());
        self.phase_ns += shift * self.period_ns;
        self.watch_skipped += shift;
    }

    /// When the latest frame is expected on the display, relative to its timestamp.
    pub(super) fn shown_ns(&self) -> f64 {
        let feedback = self.feedback.filter(Feedback::is_trusted);
        self.phase_ns + feedback.map_or(0.0, |it| it.delay_ns)
    }
}
