//! The choice of a beat: which source starts the frames, and what stands in for one that fails.

use std::time::Duration;

use evenstep::Rate;
use evenstep::host::{BeatCheck, BeatState};

use super::host::RATE_FALLBACK;
use crate::display::{Beat, Display};

/// The beat of a window's frames.
///
/// ```text
///          steady again after a stop; another refresh
///            +-------------------------+
///            v                         |
///   the best source  ------------>  deadlines
///    there is here    stops, or      at the monitor's rate
///                     runs wild
/// ```
#[derive(Debug)]
pub(super) struct Beats {
    // The best source.
    wanted: Beat,
    current: Beat,
    // Checks the wanted beat, also while deadlines stand in for it.
    check: BeatCheck,
    // The source that was asked for, if it does not exist here.
    missing: Option<Beat>,
}

impl Beats {
    /// Chooses a source, in place of one that was asked for and does not exist here.
    pub(super) fn new(
        wanted: Beat,
        missing: Option<Beat>,
        refresh: Option<Rate>,
        display: &mut Display,
    ) -> Self {
        let mut beats = Self { wanted, current: wanted, check: BeatCheck::new(None), missing };
        beats.follow(refresh, display);
        beats
    }

    pub(super) const fn current(&self) -> Beat {
        self.current
    }

    /// Returns whether this is the source that frames should follow, even if deadlines stand in for it now.
    pub(super) fn is_wanted(&self, source: Beat) -> bool {
        self.wanted == source
    }

    /// Records a beat of the wanted source.
    pub(super) fn beat(&mut self, at: Duration, count: Option<u64>, display: &mut Display) {
        self.check.beat(at, count);
        self.settle(display);
    }

    /// Notices that the host waits for the wanted source.
    pub(super) fn wait(&mut self, now: Duration, display: &mut Display) {
        self.check.wait(now);
        self.settle(display);
    }

    /// Interrupts the check: the window is hidden, or its size changes, which makes extra frames.
    pub(super) fn pause(&mut self) {
        self.check.pause();
    }

    /// Starts again on another monitor, or with another refresh.
    pub(super) fn follow(&mut self, refresh: Option<Rate>, display: &mut Display) {
        // A present that does not wait cannot be told from a fast display, so without a claim it gets the usual one.
        let usual = (self.wanted == Beat::BlockingPresent).then_some(RATE_FALLBACK);
        self.check = BeatCheck::new(refresh.or(usual).map(Rate::step));
        self.restore(display);
    }

    /// Lets deadlines stand in for a source that makes the host wait for nothing.
    pub(super) fn stop(&mut self, display: &mut Display) {
        self.replace(BeatState::Stopped, display);
    }

    /// Gives a source that was [stopped](Self::stop) another chance.
    pub(super) fn resume(&mut self, display: &mut Display) {
        if self.current != self.wanted && self.check.state() != BeatState::Wild {
            self.check.pause();
            self.restore(display);
        }
    }

    fn settle(&mut self, display: &mut Display) {
        match self.check.state() {
            why @ (BeatState::Wild | BeatState::Stopped) => self.replace(why, display),
            BeatState::Steady => self.restore(display),
            BeatState::Checking => {}
        }
    }

    fn replace(&mut self, why: BeatState, display: &mut Display) {
        if self.current == self.wanted && self.wanted != Beat::Deadlines {
            self.current = Beat::Deadlines;
            display.beat = Some(self.current);
            display.beat_lost = Some((self.wanted, why));
            display.beats_replaced += 1;
        }
    }

    fn restore(&mut self, display: &mut Display) {
        self.current = self.wanted;
        display.beat = Some(self.current);
        display.beat_lost = self.missing.map(|missing| (missing, BeatState::Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beats(wanted: Beat) -> (Beats, Display) {
        let mut display = Display::default();
        (Beats::new(wanted, None, Some(Rate::hz(60)), &mut display), display)
    }

    #[test]
    fn a_beat_that_runs_free_is_replaced_for_good_and_that_is_said() {
        let (mut beats, mut display) = beats(Beat::BlockingPresent);
        for n in 0..600 {
            beats.beat(Rate::hz(500).time_of(n), None, &mut display);
        }
        assert_eq!(display.beat, Some(Beat::Deadlines));
        assert_eq!(display.beat_lost, Some((Beat::BlockingPresent, BeatState::Wild)));
        assert_eq!(display.beats_replaced, 1);
    }

    #[test]
    fn a_beat_that_stops_is_replaced_until_it_is_steady_again() {
        let (mut beats, mut display) = beats(Beat::VerticalCount);
        let mut run = |from: u64, to: u64| {
            for n in from..to {
                beats.beat(Rate::hz(60).time_of(n), Some(n), &mut display);
                beats.wait(Rate::hz(60).time_of(n), &mut display);
            }
            display.beat
        };
        assert_eq!(run(0, 100), Some(Beat::VerticalCount));
        assert_eq!(run(200, 201), Some(Beat::VerticalCount), "nobody has noticed the gap");
        beats.wait(Rate::hz(60).time_of(300), &mut display);
        assert_eq!(display.beat_lost, Some((Beat::VerticalCount, BeatState::Stopped)));
        assert_eq!(beats.current(), Beat::Deadlines);
        for n in 400..500 {
            beats.beat(Rate::hz(60).time_of(n), Some(n), &mut display);
        }
        assert_eq!((beats.current(), display.beats_replaced), (Beat::VerticalCount, 1));
        assert_eq!(display.beat_lost, None, "nothing is lost any more");
    }

    #[test]
    fn a_source_that_does_not_exist_stays_named_after_another_has_recovered() {
        let mut display = Display::default();
        let wanted = Beat::VerticalCount;
        let missing = Some(Beat::FrameCallback);
        let mut beats = Beats::new(wanted, missing, Some(Rate::hz(60)), &mut display);
        let is_missing = Some((Beat::FrameCallback, BeatState::Stopped));
        assert_eq!(display.beat_lost, is_missing);
        beats.wait(Duration::ZERO, &mut display);
        beats.wait(Duration::from_secs(1), &mut display);
        assert_eq!(display.beat_lost, Some((Beat::VerticalCount, BeatState::Stopped)));
        for n in 60..160 {
            beats.beat(Rate::hz(60).time_of(n), Some(n), &mut display);
        }
        assert_eq!((display.beat, display.beat_lost), (Some(wanted), is_missing));
    }

    #[test]
    fn a_present_that_waits_in_vain_is_replaced_until_it_presents_again() {
        let (mut beats, mut display) = beats(Beat::BlockingPresent);
        beats.stop(&mut display);
        assert_eq!(beats.current(), Beat::Deadlines);
        assert_eq!(display.beat_lost, Some((Beat::BlockingPresent, BeatState::Stopped)));
        beats.resume(&mut display);
        assert_eq!((beats.current(), display.beat_lost), (Beat::BlockingPresent, None));
        for n in 0..100 {
            beats.beat(Rate::hz(500).time_of(n), None, &mut display);
        }
        beats.resume(&mut display);
        assert_eq!(beats.current(), Beat::Deadlines, "one that runs free stays replaced");
    }

    #[test]
    fn another_monitor_gives_a_beat_another_chance() {
        let (mut beats, mut display) = beats(Beat::VerticalCount);
        let mut run = |beats: &mut Beats, from: u64| {
            for n in from..from + 100 {
                beats.beat(Rate::hz(85).time_of(n), Some(n), &mut display);
            }
            beats.current()
        };
        assert_eq!(run(&mut beats, 0), Beat::Deadlines, "85 Hz is not the 60 Hz that the monitor claims");
        let mut moved = Display::default();
        beats.follow(Some(Rate::hz(85)), &mut moved);
        assert_eq!((moved.beat, moved.beat_lost), (Some(Beat::VerticalCount), None));
        assert_eq!(run(&mut beats, 100), Beat::VerticalCount);
    }
}
