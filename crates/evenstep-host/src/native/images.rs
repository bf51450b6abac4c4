//! Images between the host and the display: drawn, and not yet known to be shown.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::Presented;
use evenstep::host::{LateStart, Shown};

use crate::app::App;
use crate::display::Display;
use crate::driver::Driver;

/// More images than any display keeps waiting. Reports on older ones are lost.
const IN_FLIGHT_MAX: usize = 16;
/// A driver's number that leaps further ahead belongs to another swapchain.
const SKIPPED_MAX: u64 = 64;

/// An image that was drawn.
#[derive(Clone, Copy, Debug)]
struct Image {
    number: u64,
    // Counts the swapchains that images were presented on.
    chain: u32,
    // Absent if nobody waits for a report: the image repeats an earlier one, or the window was hidden since.
    frame: Option<DrawnFrame>,
}

/// The frame of an image.
#[derive(Clone, Copy, Debug)]
struct DrawnFrame {
    sync: Duration,
    input_at: Duration,
    drawn_at: Duration,
    refreshes_planned: u32,
}

/// The last image that a graphics driver said it has presented.
#[derive(Clone, Copy, Debug)]
struct Finished {
    // The driver's number. Each swapchain starts its own.
    serial: u32,
    number: u64,
    chain: u32,
}

/// Images between the host and the display, and what reports about them lead to.
#[derive(Debug, Default)]
pub(super) struct Images {
    in_flight: VecDeque<Image>,
    number: u64,
    // Frames since the last image, this one included.
    frames: u32,
    finished: Option<Finished>,
    // The lowest number of a driver so far: every swapchain starts with it.
    serial_first: Option<u32>,
    // Observes only, unless it is switched on.
    late: LateStart,
    starts_late: bool,
    saved_ns: f64,
}

/// When a frame began and when its image was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawTimes {
    pub(super) sync: Duration,
    pub(super) input_at: Duration,
    pub(super) drawn_at: Duration,
    /// The part of the time that was spent waiting for the display.
    pub(super) blocked: Duration,
}

/// When the display showed an image, and for how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownAt {
    pub(super) at: Duration,
    /// The display's refresh. Zero if unknown.
    pub(super) refresh: Duration,
    /// The display's count of refreshes, if it has one.
    pub(super) sequence: Option<u64>,
}

impl Images {
    pub(super) fn new(starts_late: bool) -> Self {
        Self { starts_late, ..Self::default() }
    }

    /// Returns how long the frame of a beat should wait for fresher input, and says what that saves.
    pub(super) fn wait(
        &mut self,
        sync: Duration,
        period: Option<Duration>,
        display: &mut Display,
    ) -> Duration {
        let wait =
            if self.starts_late { self.late.wait(sync, period) } else { self.late.observe(sync, period) };
        // Over about as many images as the latency.
        self.saved_ns += (wait.as_nanos() as f64 - self.saved_ns) / 64.0;
        display.late_start_saves = Duration::from_nanos(self.saved_ns as u64);
        display.waited = self.starts_late.then_some(wait);
        display.waited.unwrap_or_default()
    }

    /// Starts a frame, and returns the number of the image that it may draw.
    pub(super) fn begin_frame(&mut self) -> u64 {
        self.frames = self.frames.saturating_add(1);
        self.number
    }

    /// The number of the next image.
    pub(super) const fn next_number(&self) -> u64 {
        self.number
    }

    /// Records that the frame's image was presented on a swapchain.
    pub(super) fn drawn(&mut self, times: DrawTimes, chain: u32) {
        let DrawTimes { sync, input_at, drawn_at, blocked } = times;
        let refreshes_planned = std::mem::take(&mut self.frames);
        self.push(chain, Some(DrawnFrame { sync, input_at, drawn_at, refreshes_planned }));
        self.late.cost(drawn_at.saturating_sub(input_at).saturating_sub(blocked));
    }

    /// Records that an earlier frame was presented again.
    pub(super) fn redrawn(&mut self, chain: u32) {
        self.push(chain, None);
    }

    fn push(&mut self, chain: u32, frame: Option<DrawnFrame>) {
        if self.in_flight.len() == IN_FLIGHT_MAX {
            self.in_flight.pop_front();
        }
        self.in_flight.push_back(Image { number: self.number, chain, frame });
        self.number += 1;
    }

    /// Records what became of the image with this number.
    pub(super) fn report<A: App>(&mut self, number: u64, shown: Option<ShownAt>, driver: &mut Driver<A>) {
        let at = self.in_flight.iter().position(|image| image.number == number);
        if let Some(image) = at.and_then(|at| self.in_flight.remove(at)) {
            self.settle(image, shown, driver);
        }
    }

    /// Records what became of an image that a graphics driver numbers on its own. Drivers count every image of a
    /// swapchain, so later ones are found by the difference, even if reports are missing.
    pub(super) fn report_finished<A: App>(
        &mut self,
        serial: u32,
        shown: Option<ShownAt>,
        driver: &mut Driver<A>,
    ) {
        let serial_first = self.serial_first.map_or(serial, |first| first.min(serial));
        self.serial_first = Some(serial_first);
        let chain_of = |number: u64| {
            let image = self.in_flight.iter().find(|image| image.number == number);
            image.map(|image| image.chain)
        };
        let number = match self.finished {
            None => self.in_flight.front().map(|image| image.number),
            Some(last) => {
                let after = u64::from(serial.wrapping_sub(last.serial));
                let later = last.number + after;
                let is_same_chain = chain_of(later).is_none_or(|chain| chain == last.chain);
                if (1..=SKIPPED_MAX).contains(&after) && is_same_chain {
                    Some(later)
                } else {
                    // The next swapchain, whose first reports may be missing.
                    let first = self.in_flight.iter().find(|image| image.chain > last.chain);
                    first.map(|first| {
                        let number = first.number + u64::from(serial - serial_first);
                        if chain_of(number) == Some(first.chain) { number } else { first.number }
                    })
                }
            }
        };
        let Some(number) = number else {
            return;
        };
        let chain = chain_of(number).or(self.finished.map(|last| last.chain));
        self.finished = Some(Finished { serial, number, chain: chain.unwrap_or(0) });
        self.report(number, shown, driver);
    }

    /// Records a refresh: it shows the last image that was drawn before it.
    pub(super) fn refreshed<A: App>(&mut self, shown: ShownAt, driver: &mut Driver<A>) {
        // A repeated image changes nothing on the display.
        self.in_flight.retain(|image| image.frame.is_some());
        let is_drawn = |image: &&Image| image.frame.as_ref().is_some_and(|frame| frame.drawn_at <= shown.at);
        let drawn = self.in_flight.iter().take_while(is_drawn).count();
        for n in 1..=drawn {
            if let Some(image) = self.in_flight.pop_front() {
                self.settle(image, (n == drawn).then_some(shown), driver);
            }
        }
    }

    /// Forgets the frames of all images, as when the window is hidden: nobody waits for them.
    pub(super) fn pause<A: App>(&mut self, driver: &mut Driver<A>) {
        // The images themselves stay, because drivers still report them.
        self.in_flight.iter_mut().for_each(|image| image.frame = None);
        self.frames = 0;
        driver.display_mut().shown.pause();
        self.late.pause();
    }

    fn settle<A: App>(&mut self, image: Image, shown: Option<ShownAt>, driver: &mut Driver<A>) {
        let Some(frame) = image.frame else {
            return;
        };
        let Some(shown) = shown else {
            driver.display_mut().shown.discard();
            return;
        };
        driver.presented(Presented { frame: frame.sync, at: shown.at });
        driver.display_mut().shown.record(Shown {
            frame_at: frame.sync,
            input_at: frame.input_at,
            at: shown.at,
            refresh: shown.refresh,
            sequence: shown.sequence,
            refreshes_planned: frame.refreshes_planned,
        });
        self.late.shown(frame.sync, shown.at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Input};

    struct Nothing;
    impl App for Nothing {
        fn step(&mut self, _: &Input, _: &mut Context<'_>) {}
    }

    fn shown(at_ms: u64, sequence: u64) -> ShownAt {
        ShownAt {
            at: Duration::from_millis(at_ms),
            refresh: Duration::from_millis(10),
            sequence: Some(sequence),
        }
    }

    fn draw(images: &mut Images, at_ms: u64) {
        images.begin_frame();
        images.drawn(times(at_ms, 3), 0);
    }

    fn times(at_ms: u64, took_ms: u64) -> DrawTimes {
        let at = Duration::from_millis(at_ms);
        let drawn_at = at + Duration::from_millis(took_ms);
        DrawTimes { sync: at, input_at: at, drawn_at, blocked: Duration::ZERO }
    }

    #[test]
    fn a_refresh_shows_the_last_image_drawn_before_it() {
        let mut images = Images::default();
        let mut driver = Driver::new(Nothing);
        draw(&mut images, 0);
        draw(&mut images, 4);
        draw(&mut images, 8);
        images.refreshed(shown(10, 1), &mut driver);
        let counts = driver.display().shown;
        assert_eq!((counts.shown(), counts.discarded()), (1, 1), "the third is not ready");
        assert_eq!(counts.last().map(|image| image.input_at), Some(Duration::from_millis(4)));
        images.refreshed(shown(20, 2), &mut driver);
        images.refreshed(shown(30, 3), &mut driver);
        draw(&mut images, 31);
        images.refreshed(shown(40, 4), &mut driver);
        let counts = driver.display().shown;
        assert_eq!((counts.shown(), counts.missed()), (3, 1), "refresh 3 had no new image");
    }

    #[test]
    fn frames_without_an_image_are_not_missed() {
        let mut images = Images::default();
        let mut driver = Driver::new(Nothing);
        for n in 0..10 {
            let number = images.begin_frame();
            if n % 2 == 0 {
                images.drawn(times(n * 10, 0), 0);
                images.report(number, Some(shown(n * 10 + 10, n)), &mut driver);
            }
        }
        let counts = driver.display().shown;
        assert_eq!((counts.shown(), counts.missed()), (5, 0));
    }

    #[test]
    fn late_unknown_and_missing_reports_do_no_harm() {
        let mut images = Images::default();
        let mut driver = Driver::new(Nothing);
        for n in 0..100 {
            draw(&mut images, n * 10);
        }
        for number in [0, 50, 99, 99, 1_000] {
            images.report(number, Some(shown(1_000 + number, number)), &mut driver);
        }
        assert_eq!(driver.display().shown.shown(), 1, "only the last of them was remembered");
        images.pause(&mut driver);
        images.report_finished(7, Some(shown(2_000, 200)), &mut driver);
        assert_eq!(driver.display().shown.shown(), 1);
    }

    #[test]
    fn a_drivers_reports_reach_their_images_whatever_comes_between() {
        let mut images = Images::default();
        let mut driver = Driver::new(Nothing);
        let last = |driver: &Driver<Nothing>| {
            driver.display().shown.last().map(|image| image.frame_at.as_millis() as u64)
        };
        draw(&mut images, 10);
        images.redrawn(0);
        draw(&mut images, 20);
        images.report_finished(101, Some(shown(25, 1)), &mut driver);
        assert_eq!(last(&driver), Some(10));
        images.report_finished(102, Some(shown(26, 2)), &mut driver);
        assert_eq!(last(&driver), Some(10), "the window system lost its image, and got it again");
        images.report_finished(103, Some(shown(35, 3)), &mut driver);
        assert_eq!(last(&driver), Some(20));

        draw(&mut images, 30);
        images.pause(&mut driver);
        draw(&mut images, 40);
        images.report_finished(104, Some(shown(45, 4)), &mut driver);
        assert_eq!(last(&driver), None, "the image from before the pause");
        images.report_finished(105, Some(shown(55, 5)), &mut driver);
        assert_eq!(last(&driver), Some(40));

        draw(&mut images, 50);
        draw(&mut images, 60);
        images.report_finished(107, Some(shown(75, 7)), &mut driver);
        assert_eq!(last(&driver), Some(60), "a report was lost");

        draw(&mut images, 70);
        images.begin_frame();
        images.drawn(times(80, 3), 1);
        images.report_finished(1, Some(shown(95, 9)), &mut driver);
        assert_eq!(last(&driver), Some(80), "a new swapchain, and the last image of the old one never came");

        for at_ms in [90, 100, 110] {
            images.begin_frame();
            images.drawn(times(at_ms, 3), 2);
        }
        images.report_finished(2, Some(shown(115, 11)), &mut driver);
        assert_eq!(last(&driver), Some(100), "another swapchain, whose first report was lost");
        images.report_finished(3, Some(shown(125, 12)), &mut driver);
        assert_eq!(last(&driver), Some(110));
    }

    #[test]
    fn time_blocked_by_the_display_is_no_cost() {
        let period = Duration::from_millis(16);
        let ms = Duration::from_millis;
        let mut images = Images::new(true);
        let mut driver = Driver::new(Nothing);
        let mut wait = Duration::ZERO;
        for n in 0..300 {
            let sync = period * n;
            wait = images.wait(sync, Some(period), driver.display_mut());
            let number = images.begin_frame();
            let input_at = sync + wait;
            // Two milliseconds of work, and then the driver waits for the refresh.
            let drawn_at = input_at.max(sync + ms(14)) + ms(2);
            let blocked = drawn_at.saturating_sub(input_at).saturating_sub(ms(2));
            images.drawn(DrawTimes { sync, input_at, drawn_at, blocked }, 0);
            let shown = ShownAt { at: sync + period, refresh: period, sequence: Some(n.into()) };
            images.report(number, Some(shown), &mut driver);
        }
        assert!(wait > ms(8), "waits {wait:?}");
        assert_eq!(driver.display().waited, Some(wait));
        assert!(driver.display().late_start_saves > ms(8));
    }

    #[test]
    fn what_a_late_start_would_save_is_known_without_it() {
        let period = Duration::from_millis(16);
        let mut images = Images::new(false);
        let mut driver = Driver::new(Nothing);
        for n in 0..300 {
            let sync = period * n;
            assert_eq!(images.wait(sync, Some(period), driver.display_mut()), Duration::ZERO);
            let number = images.begin_frame();
            images.drawn(times(16 * u64::from(n), 2), 0);
            let shown = ShownAt { at: sync + period, refresh: period, sequence: Some(n.into()) };
            images.report(number, Some(shown), &mut driver);
        }
        assert_eq!(driver.display().waited, None);
        assert!(driver.display().late_start_saves > Duration::from_millis(8));
    }
}
