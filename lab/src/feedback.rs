//! Simulated presentation feedback: what the window system reports about frames that were shown.
//!
//! ```text
//! refresh      |       |       |       |       |
//! frames       1       2       3               4
//! report               1 at    2 at    3 at            one frame late: before the next frame is planned
//! ```
//!
//! Reports can be noisy, lost, swapped, on another clock, or wrong. Their random numbers are their own, so feedback
//! changes no session.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use evenstep::Presented;

use crate::random::Random;
use crate::session::Shown;

/// The noise of reports unless told otherwise, in milliseconds.
pub const NOISE_MS: f64 = 0.05;
/// The most frames that a report can be late.
pub const FRAMES_LATE_MAX: usize = 8;
/// Random reports lie up to this long after the frame's timestamp.
const RANDOM_MS: f64 = 50.0;
/// Average seconds between changes of a delay that jumps.
const JUMP_EVERY_S: f64 = 2.0;

const NS_PER_MS: f64 = 1e6;
const NS_PER_S: f64 = 1e9;

/// Presentation feedback of a window system.
///
/// See [`Host`](crate::host::Host) for an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feedback {
    /// Frames from a frame to its report, 1 to 8: with 1, the report comes before the next frame is planned.
    pub frames_late: usize,
    /// Standard deviation of reports, in milliseconds.
    pub noise_ms: f64,
    /// Share of reports that never come, as of frames that were discarded.
    pub lost: f64,
    /// Share of reports that come after the next one.
    pub swapped: f64,
    /// How far the clock of reports is ahead of the loop's at the start, in milliseconds.
    pub offset_ms: f64,
    /// How much faster the clock of reports is, as a share.
    pub drift: f64,
    /// What reports say instead of the truth.
    pub lie: Lie,
}

/// What reports say instead of the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lie {
    /// They are true.
    None,
    /// The next refresh of a grid with this rate, whatever the display's.
    Grid(f64),
    /// The same instant every time.
    Constant,
    /// Any instant within 50 ms of the frame's timestamp.
    Random,
    /// A refresh later.
    Later,
    /// A delay of one to three refreshes that changes by one now and then.
    Jumping,
    /// The frame's timestamp: true under variable refresh, and nothing else could be told from it.
    Echo,
}

impl Feedback {
    /// Reports that come this many frames late, with [`NOISE_MS`] of noise and no other trouble.
    pub const fn late(frames_late: usize) -> Self {
        Self {
            frames_late,
            noise_ms: NOISE_MS,
            lost: 0.0,
            swapped: 0.0,
            offset_ms: 0.0,
            drift: 0.0,
            lie: Lie::None,
        }
    }
}

/// A part of a session's description.
impl fmt::Display for Feedback {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames_late, noise_ms, lost, swapped, offset_ms, drift, lie } = *self;
        let frames = if frames_late == 1 { "frame" } else { "frames" };
        write!(out, ", feedback {frames_late} {frames} late with {noise_ms} ms of noise")?;
        if lost > 0.0 {
            write!(out, ", {} % lost", 100.0 * lost)?;
        }
        if swapped > 0.0 {
            write!(out, ", {} % swapped", 100.0 * swapped)?;
        }
        if offset_ms != 0.0 {
            write!(out, ", on a clock {offset_ms} ms ahead")?;
        }
        if drift != 0.0 {
            write!(out, ", on a clock {} ppm fast", (1e6 * drift).round())?;
        }
        match lie {
            Lie::None => Ok(()),
            Lie::Grid(hz) => write!(out, ", as if on a {hz} Hz display"),
            Lie::Constant => write!(out, ", always of the same instant"),
            Lie::Random => write!(out, ", of random instants"),
            Lie::Later => write!(out, ", a refresh off"),
            Lie::Jumping => write!(out, ", with a delay that jumps"),
            Lie::Echo => write!(out, ", of the timestamps themselves"),
        }
    }
}

/// The reports of a session.
#[derive(Clone, Debug)]
pub(crate) struct Reports {
    feedback: Feedback,
    random: Random,
    start_ns: f64,
    last_ns: f64,
    /// Refreshes of a delay that jumps.
    delay: f64,
    /// One entry per frame whose report is still to come; `None` if it was lost.
    waiting: VecDeque<Option<Presented>>,
    /// Swapped with the next report.
    held: Option<Presented>,
}

impl Reports {
    pub(crate) fn new(feedback: Feedback, first: Shown) -> Self {
        Self {
            feedback,
            // As different from session to session as the timestamps are.
            random: Random::new(!first.stamp_ns),
            start_ns: first.at_ns,
            last_ns: first.at_ns,
            delay: 1.0,
            waiting: VecDeque::new(),
            held: None,
        }
    }

    /// Takes a frame that was just planned.
    pub(crate) fn frame(&mut self, shown: Shown) {
        let presented = self.report(shown);
        self.last_ns = shown.at_ns;
        let is_lost = self.random.chance(self.feedback.lost);
        self.waiting.push_back((!is_lost).then_some(presented));
    }

    /// The reports that arrive before the next frame is planned.
    pub(crate) fn arrive(&mut self) -> impl Iterator<Item = Presented> + use<> {
        let mut arrived = [None; 2];
        if self.waiting.len() >= self.feedback.frames_late {
            let report = self.waiting.pop_front().flatten();
            if report.is_some() && self.held.is_none() && self.random.chance(self.feedback.swapped) {
                self.held = report;
            } else {
                arrived = [report, self.held.take()];
            }
        }
        arrived.into_iter().flatten()
    }

    fn report(&mut self, shown: Shown) -> Presented {
        let Feedback { noise_ms, offset_ms, drift, lie, .. } = self.feedback;
        let random = &mut self.random;
        let at_ns = match lie {
            Lie::None => shown.at_ns,
            Lie::Grid(hz) => {
                let period_ns = NS_PER_S / hz;
                (shown.at_ns / period_ns).ceil() * period_ns
            }
            Lie::Constant => self.start_ns,
            Lie::Random => shown.stamp_ns as f64 + random.between(0.0, RANDOM_MS) * NS_PER_MS,
            Lie::Later => shown.at_ns + shown.interval_ns,
            Lie::Jumping => {
                let gap_s = (shown.at_ns - self.last_ns) / NS_PER_S;
                if random.chance(gap_s / JUMP_EVERY_S) {
                    let step = if random.chance(0.5) { 1.0 } else { -1.0 };
                    self.delay = (self.delay + step).clamp(1.0, 3.0);
                }
                shown.at_ns + self.delay * shown.interval_ns
            }
            Lie::Echo => shown.stamp_ns as f64,
        };
        let noisy_ns = at_ns + noise_ms * NS_PER_MS * random.gauss();
        let clock_ns = offset_ms * NS_PER_MS + drift * (noisy_ns - self.start_ns);
        // A cast never makes an instant negative.
        let at = Duration::from_nanos((noisy_ns + clock_ns) as u64);
        Presented { frame: Duration::from_nanos(shown.stamp_ns), at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::{Display, Noise};

    /// The reports of ten seconds, each with the number of the frame before which it arrived.
    fn reports(feedback: Feedback) -> (Vec<Shown>, Vec<(usize, Presented)>) {
        let display = Display { noise: Noise::Gauss(0.3), ..Display::new(60.0) };
        let shown = display.play(10.0, 1);
        let mut reports = Reports::new(feedback, shown[0]);
        let mut arrived = Vec::new();
        for (n, &frame) in shown.iter().enumerate() {
            arrived.extend(reports.arrive().map(|report| (n, report)));
            reports.frame(frame);
        }
        (shown, arrived)
    }

    #[test]
    fn a_true_report_comes_so_many_frames_late_and_says_when_its_frame_was_shown() {
        for late in 1..=3 {
            let (shown, arrived) = reports(Feedback { noise_ms: 0.0, ..Feedback::late(late) });
            assert_eq!(arrived.len(), shown.len() - late);
            for (n, report) in arrived {
                let frame = shown[n - late];
                let at = Duration::from_nanos(frame.at_ns as u64);
                assert_eq!(report, Presented { frame: Duration::from_nanos(frame.stamp_ns), at });
            }
        }
    }

    #[test]
    fn the_given_shares_are_lost_and_swapped() {
        let all = reports(Feedback::late(1)).1.len() as f64;
        let (_, arrived) = reports(Feedback { lost: 0.2, ..Feedback::late(1) });
        assert!((arrived.len() as f64 / all - 0.8).abs() < 0.05, "{} of {all}", arrived.len());
        let (_, arrived) = reports(Feedback { swapped: 0.2, ..Feedback::late(1) });
        assert!(arrived.len() as f64 >= all - 1.0);
        let swapped = arrived.windows(2).filter(|pair| pair[0].1.frame > pair[1].1.frame).count();
        assert!((swapped as f64 / all - 0.2).abs() < 0.06, "{swapped} of {all}");
    }

    #[test]
    fn noise_offset_and_drift_are_as_given() {
        let off_ns = |feedback| -> Vec<f64> {
            let (shown, arrived) = reports(feedback);
            arrived
                .iter()
                .zip(shown)
                .map(|((_, report), frame)| report.at.as_nanos() as f64 - frame.at_ns)
                .collect()
        };
        let power = |off_ns: &[f64]| off_ns.iter().map(|it| it * it).sum::<f64>() / off_ns.len() as f64;
        let deviation_ns = power(&off_ns(Feedback::late(1))).sqrt();
        assert!((deviation_ns - 50e3).abs() < 5e3, "{deviation_ns} ns");
        let exact = Feedback { noise_ms: 0.0, ..Feedback::late(1) };
        let ahead = off_ns(Feedback { offset_ms: 3.0, drift: 0.01, ..exact });
        assert!((ahead[0] - 3e6).abs() < 2.0 && (ahead[ahead.len() - 1] - 103e6).abs() < 0.5e6);
    }

    #[test]
    fn every_lie_is_another_one_and_none_is_true() {
        let lies =
            [Lie::Grid(61.3), Lie::Constant, Lie::Random, Lie::Later, Lie::Jumping, Lie::Echo, Lie::None];
        let told = lies.map(|lie| reports(Feedback { noise_ms: 0.0, lie, ..Feedback::late(1) }).1);
        for (n, one) in told.iter().enumerate() {
            assert!(told[..n].iter().all(|other| other != one), "{:?}", lies[n]);
        }
    }
}
