//! The order of calls within a frame, which every host gets from `Driver::run_frame`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use evenstep::{Frame, Pacing, Rate};
use evenstep_host::{App, Context, Draw, Driver, Event, Input, Key, View};

type Log = Rc<RefCell<Vec<&'static str>>>;

/// Logs every call from the driver.
struct Logger {
    log: Log,
    pacing: Pacing,
}

impl App for Logger {
    fn pacing(&self) -> Pacing {
        self.pacing
    }

    fn input(&mut self, _event: Event, _cx: &mut Context<'_>) {
        self.log.borrow_mut().push("input");
    }

    fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {
        self.log.borrow_mut().push("step");
    }

    fn frame(&mut self, _frame: &Frame, _cx: &mut Context<'_>) {
        self.log.borrow_mut().push("frame");
    }
}

impl Draw<()> for Logger {
    fn draw(&mut self, _canvas: &mut (), _view: View<'_>) {
        self.log.borrow_mut().push("draw");
    }
}

/// A host whose calls each take a known time.
struct Host {
    driver: Driver<Logger>,
    log: Log,
    clock: Cell<Duration>,
    is_hidden: bool,
}

impl Host {
    /// Creates a host that has already run its first frame, at 0 ms.
    fn new(pacing: Pacing) -> Self {
        let log = Log::default();
        let driver = Driver::new(Logger { log: Rc::clone(&log), pacing });
        let mut host = Self { driver, log, clock: Cell::default(), is_hidden: false };
        host.run_frame(0, 0);
        host
    }

    /// Runs the frame at `now_ms`, whose callback comes `late_ms` after that, and returns the calls in order. Every
    /// reading of the clock comes 1 ms after the one before.
    fn run_frame(&mut self, now_ms: u64, late_ms: u64) -> Vec<&'static str> {
        self.log.borrow_mut().clear();
        let now = Duration::from_millis(now_ms);
        self.clock.set(Duration::from_millis(now_ms + late_ms));
        self.driver.run_frame(
            now,
            || {
                self.log.borrow_mut().push("clock");
                self.clock.replace(self.clock.get() + Duration::from_millis(1))
            },
            |driver| {
                self.log.borrow_mut().push("poll");
                driver.event(now, Event::KeyDown(Key::Space));
                driver.release_all(now);
            },
            |driver| {
                if !self.is_hidden {
                    driver.draw(&mut ());
                }
                !self.is_hidden
            },
        );
        self.log.take()
    }
}

#[test]
fn a_drawn_frame_polls_steps_reports_draws_and_reports() {
    let mut host = Host::new(Pacing::game_loop());
    let calls = host.run_frame(40, 0);
    let expected = ["poll", "input", "input", "clock", "step", "step", "frame", "clock", "draw", "clock"];
    assert_eq!(calls, expected);
    assert_eq!(host.driver.pacer().stats().step_time(), Duration::from_millis(1));
    assert_eq!(host.driver.pacer().stats().draw_time(), Duration::from_millis(1));
}

#[test]
fn a_frame_whose_plan_asks_for_no_image_is_not_drawn() {
    let mut host = Host::new(Pacing::game_loop().with_draw_rate(Rate::hz(10)));
    let calls = host.run_frame(20, 0);
    assert_eq!(calls, ["poll", "input", "input", "clock", "step", "frame", "clock"]);
}

#[test]
fn a_hidden_frame_steps_and_reports_no_drawing() {
    let mut host = Host::new(Pacing::game_loop());
    let draw_time = host.driver.pacer().stats().draw_time();
    host.is_hidden = true;
    let calls = host.run_frame(20, 0);
    assert_eq!(calls, ["poll", "input", "input", "clock", "step", "frame", "clock"]);
    assert_eq!(host.driver.pacer().stats().draw_time(), draw_time);
}

#[test]
fn a_late_callback_does_not_count_as_work() {
    let mut host = Host::new(Pacing::game_loop());
    host.run_frame(20, 300);
    assert_eq!(host.driver.pacer().stats().step_time(), Duration::from_millis(1));
    assert_eq!(host.driver.pacer().stats().draw_time(), Duration::from_millis(1));
}

#[test]
fn a_timestamp_that_steps_back_does_not_count_as_work() {
    let mut host = Host::new(Pacing::hz(60));
    host.run_frame(100, 0);
    host.run_frame(90, 300);
    assert_eq!(host.driver.pacer().stats().step_time(), Duration::from_millis(1));
}
