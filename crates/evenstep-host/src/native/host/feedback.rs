//! What the host learns from the display: its refresh, its counts, and when images were shown.

#[cfg(target_os = "linux")]
use std::time::Duration;

use evenstep::Rate;
use evenstep::host::BeatCheck;

use super::{Host, RATE_FALLBACK};
use crate::app::App;
use crate::deadlines::Deadlines;
use crate::display::Beat;
use crate::native::beats::Beats;
#[cfg(target_os = "linux")]
use crate::native::counts::{Count, Counts};
#[cfg(target_os = "linux")]
use crate::native::images::ShownAt;
use crate::native::open_window::{Canvas, OpenWindow};

/// A compositor's refresh that differs by less is the same one, measured again.
#[cfg(target_os = "linux")]
const SAME_REFRESH: f64 = 0.01;

/// Where presentation times and the refresh come from.
#[derive(Debug)]
pub(super) struct Feedback {
    #[cfg(target_os = "linux")]
    counts: Option<Counts>,
    // Checks the counts, whether or not frames follow them.
    counted: BeatCheck,
    // The number of the last count.
    #[cfg(target_os = "linux")]
    last_count: Option<u64>,
    // A graphics driver reports its images to the X server.
    #[cfg(target_os = "linux")]
    has_finished: bool,
    // The refresh by the window system's list of monitors, and by what a compositor reports about images.
    monitor: Option<Rate>,
    reported: Option<Rate>,
    // The refresh that counts and beats are checked against.
    followed: Option<Rate>,
    // What the app was told about the canvas.
    generation: u64,
}

impl Default for Feedback {
    fn default() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            counts: None,
            counted: BeatCheck::new(None),
            #[cfg(target_os = "linux")]
            last_count: None,
            #[cfg(target_os = "linux")]
            has_finished: false,
            monitor: None,
            reported: None,
            followed: None,
            generation: 0,
        }
    }
}

impl Feedback {
    /// Interrupts the check of the counts, while the window is hidden.
    pub(super) fn pause(&mut self) {
        self.counted.pause();
    }
}

impl<A, C> Host<A, C>
where
    A: App,
    C: Canvas<A>,
{
    /// Starts to listen to the display of a window that has just opened, and chooses the beat.
    pub(super) fn listen(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(window) = &self.window {
            let counts = Counts::listen(&window.handle, self.proxy.clone());
            self.feedback.counts = counts.ok();
        }
        self.choose_beat();
        self.follow_monitor();
    }

    /// Chooses the beat.
    fn choose_beat(&mut self) {
        let Some(window) = &self.window else {
            return;
        };
        #[cfg(target_os = "linux")]
        let has_counts = self.feedback.counts.is_some();
        #[cfg(not(target_os = "linux"))]
        let has_counts = false;
        let exists = |beat: &Beat| match beat {
            Beat::FrameCallback => window.has_callbacks,
            Beat::VerticalCount => has_counts,
            Beat::BlockingPresent => window.canvas.blocks(),
            Beat::Deadlines => true,
        };
        // Only a timer can keep a rate that is not the display's.
        let asked = self.options.rate.map_or(self.options.beat, |_| Some(Beat::Deadlines));
        let best_here = || Beat::ALL.into_iter().find(exists).unwrap_or(Beat::Deadlines);
        let beat = asked.filter(exists).unwrap_or_else(best_here);
        let display = self.driver.display_mut();
        self.feedback.generation = window.canvas.generation();
        display.renderer = window.canvas.name();
        let missing = asked.filter(|&asked| asked != beat);
        self.beats = Beats::new(beat, missing, self.feedback.reported.or(self.feedback.monitor), display);
        self.ask_for_counts();
    }

    /// Notices that something else draws, which may have another beat.
    pub(super) fn follow_canvas(&mut self) {
        let Some(window) = &self.window else {
            return;
        };
        if window.canvas.generation() == self.feedback.generation {
            return;
        }
        if self.beats.is_wanted(Beat::BlockingPresent) && !window.canvas.blocks() {
            self.choose_beat();
        } else {
            self.feedback.generation = window.canvas.generation();
            self.driver.display_mut().renderer = window.canvas.name();
        }
    }

    /// Asks for the next count, which starts a frame or shows when an image appeared.
    pub(super) fn ask_for_counts(&self) {
        #[cfg(target_os = "linux")]
        if let Some(counts) = &self.feedback.counts
            && !self.is_suspended()
            && self.feedback.counted.state() != evenstep::host::BeatState::Wild
        {
            counts.ask();
        }
    }

    /// Handles a count of the window system: a beat, and the time at which an image appeared.
    pub(super) fn count(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(counts) = &self.feedback.counts {
            let finished = counts.take_finished();
            let count = counts.take();
            self.feedback.has_finished |= !finished.is_empty();
            for image in finished {
                let shown = self.on_our_clock(image.count).filter(|_| image.is_shown);
                self.images.report_finished(image.serial, shown, &mut self.driver);
            }
            let Some(count) = count else {
                return;
            };
            // A server whose timer is a little early reports the same refresh twice, which is no second beat.
            if self.feedback.last_count.replace(count.number) == Some(count.number) {
                return self.ask_for_counts();
            }
            let shown = self.on_our_clock(count);
            let at = shown.map_or_else(|| self.now().saturating_sub(count.heard.elapsed()), |shown| shown.at);
            let counted = self.feedback.counted.beat(at, Some(count.number));
            // Without a graphics driver that says so itself, the next refresh shows an image.
            if let Some(shown) = shown
                && counted == evenstep::host::BeatState::Steady
                && !self.feedback.has_finished
            {
                self.images.refreshed(shown, &mut self.driver);
            }
            if self.beats.is_wanted(Beat::VerticalCount) {
                self.beats.beat(at, Some(count.number), self.driver.display_mut());
            }
            if self.beats.current() == Beat::VerticalCount {
                self.schedule(at, Beat::VerticalCount);
            }
            self.ask_for_counts();
        }
    }

    /// Translates the time of a count, or notes that its clock is unknown.
    #[cfg(target_os = "linux")]
    fn on_our_clock(&mut self, count: Count) -> Option<ShownAt> {
        let at = self.clock.translate(crate::native::clock::MONOTONIC, count.server_time);
        self.driver.display_mut().has_foreign_clock = at.is_none();
        let refresh = self.feedback.monitor.map_or(Duration::ZERO, Rate::step);
        at.map(|at| ShownAt { at, refresh, sequence: Some(count.number) })
    }

    /// Passes on what a Wayland compositor reports about images.
    pub(super) fn read_reports(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(presentation) = self.window.as_mut().and_then(|window| window.presentation.as_mut()) {
            let clock = presentation.clock();
            let mut reported = None;
            for report in presentation.take() {
                let shown = report.shown.and_then(|shown| {
                    let at = clock.and_then(|clock| self.clock.translate(clock, shown.at));
                    self.driver.display_mut().has_foreign_clock = at.is_none();
                    reported = to_rate(shown.refresh).or(reported);
                    at.map(|at| ShownAt { at, ..shown })
                });
                self.images.report(report.image, shown, &mut self.driver);
            }
            if let Some(reported) = reported
                && !self.feedback.reported.is_some_and(|before| is_same(before, reported))
            {
                self.feedback.reported = Some(reported);
                self.follow_refresh();
            }
        }
    }

    /// Reads the refresh rate of the window's monitor.
    pub(super) fn follow_monitor(&mut self) {
        let monitor = self.window.as_ref().and_then(OpenWindow::refresh_rate);
        if monitor != self.feedback.monitor {
            // Reports that come from now on are about the other monitor.
            self.feedback.monitor = monitor;
            self.feedback.reported = None;
        }
        self.follow_refresh();
    }

    /// Follows the refresh rate of the display. It is a hint to the pacer, the rate of the deadlines, and what the beat is
    /// checked against.
    fn follow_refresh(&mut self) {
        let refresh = self.feedback.reported.or(self.feedback.monitor);
        let rate = self.options.rate.or(refresh);
        let is_below = |(rate, refresh): (Rate, Rate)| rate.as_hz() < 0.98 * refresh.as_hz();
        // The display lock must not take our own timer for a display.
        self.driver.set_variable_refresh(self.options.rate.zip(refresh).is_some_and(is_below));
        if (rate, refresh) == (self.rate_hinted, self.feedback.followed) {
            return;
        }
        // A window with a rate of its own is still shown at the display's.
        self.rate_hinted = rate;
        self.feedback.followed = refresh;
        self.beats.follow(refresh, self.driver.display_mut());
        self.feedback.counted = BeatCheck::new(refresh.map(Rate::step));
        self.images.pause(&mut self.driver);
        self.ask_for_counts();
        if let Some(rate) = rate {
            self.driver.hint_refresh(rate.step());
        }
        let rate = rate.unwrap_or(RATE_FALLBACK);
        if rate != self.deadlines.rate() {
            self.deadlines = Deadlines::new(rate, std::time::Instant::now());
        }
    }
}

/// Returns the rate of a refresh, unless it is unknown or nonsense.
#[cfg(target_os = "linux")]
fn to_rate(refresh: Duration) -> Option<Rate> {
    let refresh_ns = u32::try_from(refresh.as_nanos()).ok()?;
    (1_000_000..=1_000_000_000).contains(&refresh_ns).then(|| Rate::new(1_000_000_000, refresh_ns))
}

#[cfg(target_os = "linux")]
fn is_same(before: Rate, rate: Rate) -> bool {
    (rate.as_hz() / before.as_hz() - 1.0).abs() < SAME_REFRESH
}
