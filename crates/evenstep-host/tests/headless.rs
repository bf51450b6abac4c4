//! Laws that every host gets from the driver, checked without a window.

use std::time::Duration;

use evenstep::{Gate, Latching, Pacing, Rate};
use evenstep_host::{
    App, Axis, Button, Color, Context, Draw, Driver, Event, Input, Key, PadState, Paint, Pixels, Pointer,
    PointerButton, View, headless,
};

/// Records everything that it receives.
#[derive(Default)]
struct Recorder {
    latching: Option<Latching>,
    received: Vec<Event>,
    ticks: Vec<Seen>,
    frames: u32,
    draws: u32,
}

/// What one tick saw of the space key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    is_down: bool,
    is_pressed: bool,
    is_released: bool,
    events: usize,
}

impl App for Recorder {
    fn latching(&self) -> Latching {
        self.latching.unwrap_or(Latching::FirstTick)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.received.push(event);
        match event {
            Event::KeyDown(Key::KeyP) => cx.pacer.set_gate(Gate::Paused),
            Event::KeyDown(Key::Enter) => cx.pacer.set_gate(Gate::Open),
            Event::KeyDown(Key::Period) => cx.pacer.step_by_hand(1),
            Event::KeyDown(Key::Escape) => cx.quit(),
            _ => {}
        }
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        self.ticks.push(Seen {
            is_down: input.is_down(Key::Space),
            is_pressed: input.pressed(Key::Space),
            is_released: input.released(Key::Space),
            events: input.events().len(),
        });
    }

    fn frame(&mut self, _frame: &evenstep::Frame, _cx: &mut Context<'_>) {
        self.frames += 1;
    }
}

impl<C: Paint> Draw<C> for Recorder {
    fn draw(&mut self, canvas: &mut C, _view: View<'_>) {
        self.draws += 1;
        canvas.fill(Color::rgb(0x12_34_56));
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Returns a driver that has run its first frame, at 0 ms.
fn started(app: Recorder) -> Driver<Recorder> {
    let mut driver = Driver::new(app);
    driver.frame(ms(0));
    driver
}

fn count(ticks: &[Seen], which: impl Fn(&Seen) -> bool) -> usize {
    ticks.iter().filter(|seen| which(seen)).count()
}

#[test]
fn a_tap_is_seen_by_exactly_one_tick_at_any_display_rate() {
    for latching in [Latching::FirstTick, Latching::ByTime] {
        for hz in [24, 30, 59, 60, 75, 144, 240, 1_000] {
            let mut driver = Driver::new(Recorder { latching: Some(latching), ..Recorder::default() });
            let mut taps = 0;
            for (n, now) in headless::display(Rate::hz(hz)).take(2 * hz as usize).enumerate() {
                driver.frame(now);
                if n % 7 == 0 {
                    driver.event(now + Duration::from_micros(100), Event::KeyDown(Key::Space));
                    driver.event(now + Duration::from_micros(300), Event::KeyUp(Key::Space));
                    taps += 1;
                }
            }
            // The last tap may still wait for its tick.
            driver.frame(ms(2_100));
            driver.frame(ms(2_200));
            let events: usize = driver.app().ticks.iter().map(|seen| seen.events).sum();
            assert_eq!(events, 2 * taps, "{hz} Hz, {latching:?}");
            assert_eq!(driver.events_dropped(), 0);
        }
    }
}

#[test]
fn a_tap_shorter_than_a_tick_is_down_for_one_tick() {
    let mut driver = started(Recorder::default());
    driver.event(ms(3), Event::KeyDown(Key::Space));
    driver.event(ms(5), Event::KeyUp(Key::Space));
    driver.frame(ms(50));
    let tap = Seen { is_down: true, is_pressed: true, is_released: true, events: 2 };
    assert_eq!(driver.app().ticks, [tap, Seen::default(), Seen::default()]);
}

#[test]
fn a_key_is_down_from_the_tick_of_its_press_to_the_tick_of_its_release() {
    let mut driver = started(Recorder::default());
    driver.event(ms(1), Event::KeyDown(Key::Space));
    driver.frame(ms(50));
    driver.event(ms(51), Event::KeyDown(Key::Space)); // A repeat.
    driver.event(ms(60), Event::KeyUp(Key::Space));
    driver.event(ms(61), Event::KeyUp(Key::Space));
    driver.frame(ms(100));
    let ticks = &driver.app().ticks;
    assert_eq!(count(ticks, |seen| seen.is_down), 3);
    assert_eq!(count(ticks, |seen| seen.is_pressed), 1);
    assert_eq!(count(ticks, |seen| seen.is_released), 1);
    assert_eq!(driver.app().received.len(), 2, "repeats are ignored");
}

#[test]
fn a_lost_focus_releases_everything() {
    for lost in [Event::FocusLost, Event::Hidden] {
        let mut driver = started(Recorder::default());
        let finger = Pointer { id: 4, x: 1.0, y: 2.0, button: PointerButton::Primary };
        driver.event(ms(1), Event::KeyDown(Key::Space));
        driver.event(ms(1), Event::PointerDown(finger));
        driver.frame(ms(20));
        driver.event(ms(21), lost);
        driver.frame(ms(60));
        assert_eq!(
            driver.app().received,
            [
                Event::KeyDown(Key::Space),
                Event::PointerDown(finger),
                Event::KeyUp(Key::Space),
                Event::PointerUp(finger),
                lost
            ]
        );
        assert!(!driver.app().ticks.last().unwrap().is_down);
        assert_eq!(count(&driver.app().ticks, |seen| seen.is_released), 1);

        // The real release may still arrive later, and is ignored.
        driver.event(ms(70), Event::KeyUp(Key::Space));
        assert_eq!(driver.app().received.len(), 5);
    }
}

#[test]
fn presses_in_a_menu_do_not_reach_the_game() {
    let mut driver = started(Recorder::default());
    driver.event(ms(1), Event::KeyDown(Key::KeyP));
    driver.frame(ms(17));
    for at in 0..1_000 {
        driver.event(ms(20 + at), Event::KeyDown(Key::Space));
        driver.event(ms(20 + at), Event::KeyUp(Key::Space));
    }
    driver.frame(ms(1_100));
    assert!(driver.app().ticks.is_empty());

    driver.event(ms(1_101), Event::KeyDown(Key::Space)); // Still held when the game resumes.
    driver.event(ms(1_102), Event::KeyDown(Key::Enter)); // Resume.
    driver.frame(ms(1_110));
    driver.frame(ms(1_150));
    let ticks = &driver.app().ticks;
    assert!(!ticks.is_empty());
    assert_eq!(count(ticks, |seen| seen.is_pressed), 0, "the press was for the menu");
    assert!(ticks.iter().all(|seen| seen.is_down), "but the key is down");
    assert_eq!(driver.events_dropped(), 0);
}

#[test]
fn a_key_released_in_a_menu_is_up_in_the_game() {
    let mut driver = started(Recorder::default());
    driver.event(ms(1), Event::KeyDown(Key::Space));
    driver.frame(ms(17));
    driver.event(ms(18), Event::KeyDown(Key::KeyP));
    driver.event(ms(19), Event::KeyUp(Key::Space));
    driver.event(ms(20), Event::KeyDown(Key::Enter));
    driver.frame(ms(40));
    driver.frame(ms(80));
    let ticks = &driver.app().ticks;
    assert_eq!(count(ticks, |seen| seen.is_released), 1, "a charged shot is fired");
    assert!(!ticks.last().unwrap().is_down);
}

#[test]
fn a_single_step_while_paused_sees_what_is_held() {
    let mut driver = started(Recorder::default());
    driver.event(ms(1), Event::KeyDown(Key::KeyP));
    driver.event(ms(2), Event::KeyDown(Key::Space));
    driver.event(ms(3), Event::KeyDown(Key::Period));
    assert_eq!(driver.frame(ms(100)).steps(), 1);
    assert_eq!(driver.frame(ms(200)).steps(), 0);
    assert!(driver.app().ticks[0].is_down);
}

#[test]
fn a_thousand_mouse_moves_a_second_drop_no_event() {
    let mut driver = started(Recorder::default());
    for at in 0..5_000 {
        let mouse = Pointer { id: Pointer::MOUSE, x: at as f64, y: 0.0, button: PointerButton::Primary };
        driver.event(ms(at), Event::PointerMove(mouse));
    }
    driver.frame(ms(5_000));
    assert_eq!(driver.events_dropped(), 0);
    assert_eq!(driver.app().received.len(), 5_000);
    assert_eq!(
        driver.app().ticks.iter().map(|seen| seen.events).sum::<usize>(),
        1,
        "moves are merged into the last one"
    );
}

#[test]
fn too_many_events_are_counted_and_no_key_stays_down() {
    let mut driver = started(Recorder::default());
    for at in 0..500 {
        driver.event(ms(at), Event::KeyDown(Key::Space));
        driver.event(ms(at), Event::KeyUp(Key::Space));
    }
    driver.frame(ms(600));
    driver.frame(ms(700));
    assert!(driver.events_dropped() > 0);
    assert!(!driver.app().ticks.last().unwrap().is_down);
}

#[test]
fn time_away_is_no_time() {
    let mut driver = started(Recorder::default());
    driver.frame(ms(17));
    let before = driver.pacer().tick();
    driver.event(ms(18), Event::Hidden);
    driver.suspend();
    driver.event(ms(60_000), Event::Shown);
    let frame = driver.frame(ms(60_001));
    assert_eq!((frame.steps(), frame.dropped()), (0, Duration::ZERO));
    assert_eq!(driver.pacer().tick(), before);
    assert_eq!(driver.pacer().stats().lag_spikes(), 0);
    assert!(driver.frame(ms(60_018)).steps() <= 2);
}

#[test]
fn hiding_a_hundred_times_neither_adds_nor_loses_game_time() {
    struct Plain(Pacing);
    impl App for Plain {
        fn pacing(&self) -> Pacing {
            self.0
        }
        fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}
    }
    let display = Rate::hz(144);
    for (pacing, lateness_max) in [(Pacing::game_loop(), 0), (Pacing::hz(60), 1)] {
        let mut driver = Driver::new(Plain(pacing));
        let mut seen = Duration::ZERO;
        let mut now = Duration::ZERO;
        for n in 0..100 {
            driver.event(now, Event::Shown);
            driver.frame(now);
            for frame in 1..=7 + n % 5 {
                driver.frame(now + display.time_of(frame));
            }
            seen += display.time_of(7 + n % 5);
            now += display.time_of(7 + n % 5);
            driver.event(now, Event::Hidden);
            driver.suspend();
            now += ms(1_000 + 7 * n);
        }
        // The default pacing begins 7/8 into a tick, and its display lock may hold back part of the last frames.
        let start = if lateness_max == 0 { 0.0 } else { 7.0 / 8.0 };
        let ticks = (seen.as_secs_f64() * 60.0 + start) as u64;
        assert!(ticks - driver.pacer().tick() <= lateness_max, "{} of {ticks}", driver.pacer().tick());
    }
}

#[test]
fn a_pad_is_polled_once_a_frame_and_reaches_one_tick() {
    struct Pilot {
        presses: u32,
        steering: Vec<f32>,
    }
    impl App for Pilot {
        fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
            self.presses += u32::from(input.pad_pressed(0, Button::South));
            self.steering.push(input.pad_axis(0, Axis::LeftX));
        }
    }
    let mut driver = Driver::new(Pilot { presses: 0, steering: Vec::new() });
    driver.frame(ms(0));
    let mut pad = PadState::default();
    pad.set(Button::South, true);
    pad.set_axis(Axis::LeftX, 1.0);
    for n in 1..=10 {
        driver.poll_pad(ms(17 * n), 0, Some(pad));
        driver.frame(ms(17 * n));
    }
    assert_eq!(driver.app().presses, 1);
    assert!(driver.app().steering.iter().all(|&x| x == 1.0));

    driver.poll_pad(ms(200), 0, None); // Unplugged.
    driver.frame(ms(240));
    assert_eq!(driver.app().steering.last(), Some(&0.0));
    driver.poll_pad(ms(250), 200, Some(pad)); // No such gamepad: no panic.
}

#[test]
fn an_app_that_quits_ends_the_run() {
    struct Short;
    impl App for Short {
        fn step(&mut self, _input: &Input, cx: &mut Context<'_>) {
            if cx.tick() == 9 {
                cx.quit();
            }
        }
    }
    assert_eq!(headless::run(headless::display(Rate::hz(60)), Short).pacer().tick(), 10);

    let mut driver = started(Recorder::default());
    driver.event(ms(1), Event::KeyDown(Key::Escape));
    assert!(driver.is_over());
}

#[test]
fn an_app_gets_the_pacing_it_asks_for() {
    struct Slow;
    impl App for Slow {
        fn pacing(&self) -> Pacing {
            Pacing::hz(10)
        }
        fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}
    }
    let driver = headless::run(headless::display(Rate::hz(60)).take(601), Slow);
    assert_eq!(driver.pacer().tick(), 100);
}

#[test]
fn an_image_can_be_drawn_without_a_window() {
    let mut driver = Driver::new(Recorder::default());
    let mut memory = vec![0; 4 * 3];
    driver.draw(&mut Pixels::new(&mut memory, 4, 3, 1.0));
    assert_eq!(driver.app().draws, 0, "there is no frame to draw yet");
    driver.frame(ms(0));
    driver.draw(&mut Pixels::new(&mut memory, 4, 3, 1.0));
    assert!(memory.iter().all(|&pixel| pixel == 0x12_34_56));
    assert_eq!((driver.app().frames, driver.app().draws), (1, 1));
}

#[test]
fn a_timestamp_that_is_no_number_is_skipped() {
    let mut driver = Driver::new(Recorder::default());
    driver.frame_millis(1_000.0);
    driver.frame_millis(f64::NAN);
    driver.frame_millis(1_017.0);
    assert_eq!(driver.pacer().stats().skipped_frames(), 1);
    assert_eq!(driver.app().ticks.len(), 1);
}

#[test]
fn the_same_input_gives_the_same_ticks_at_any_display_rate_when_latched_by_time() {
    // Presses are more than a tick apart, so each gets its own tick at every display rate.
    let presses: Vec<_> = (1..40).map(|n| ms(n * 43 + 5)).collect();
    let pressed_ticks = |hz: u32| {
        let mut driver = Driver::new(Recorder { latching: Some(Latching::ByTime), ..Recorder::default() });
        let mut waiting = presses.iter().peekable();
        for now in headless::display(Rate::hz(hz)).take(2 * hz as usize) {
            while let Some(&at) = waiting.next_if(|&&at| at <= now) {
                driver.event(at, Event::KeyDown(Key::Space));
                driver.event(at, Event::KeyUp(Key::Space));
            }
            driver.frame(now);
        }
        let ticks = &driver.app().ticks;
        (0..ticks.len().min(100)).filter(|&n| ticks[n].is_pressed).collect::<Vec<_>>()
    };
    let reference = pressed_ticks(240);
    assert!(reference.len() > 30);
    for hz in [30, 60, 120, 144] {
        assert_eq!(pressed_ticks(hz), reference, "{hz} Hz");
    }
}
