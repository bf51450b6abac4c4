//! The laws of input: no press is lost, none is seen twice, and no key stays down.

use std::time::Duration;

use evenstep::{Channel, Gate, Latching, Pacing, Rate};
use evenstep_host::{
    App, Axis, Button, Context, Driver, Event, Input, Key, PadState, Pointer, PointerButton, Size, headless,
};

const LATCHINGS: [Latching; 2] = [Latching::FirstTick, Latching::ByTime];

/// Writes down what it hears and what its ticks see.
struct Witness {
    pacing: Pacing,
    latching: Latching,
    heard: Vec<Event>,
    seen: Vec<Event>,
    pressed: usize,
    last: Input,
    times: Vec<Duration>,
}

impl App for Witness {
    fn pacing(&self) -> Pacing {
        self.pacing
    }

    fn latching(&self) -> Latching {
        self.latching
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.heard.push(event);
        self.times.push(cx.now());
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        self.seen.extend(input.events());
        self.pressed += usize::from(input.pressed(Key::Space));
        self.last = input.clone();
    }

    fn frame(&mut self, _frame: &evenstep::Frame, cx: &mut Context<'_>) {
        self.times.push(cx.now());
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A driver whose first frame is at 0.
fn started(latching: Latching, pacing: Pacing) -> Driver<Witness> {
    let mut driver = Driver::new(Witness {
        pacing,
        latching,
        heard: Vec::new(),
        seen: Vec::new(),
        pressed: 0,
        last: Input::default(),
        times: Vec::new(),
    });
    driver.frame(ms(0));
    driver
}

const fn pointer(id: u64, x: f64) -> Pointer {
    Pointer { id, x, y: 0.0, button: PointerButton::Primary }
}

/// Everything that tells a state: the mouse, two fingers, two sticks, the wheel and the window.
fn fidget(driver: &mut Driver<Witness>, n: u64, at: Duration) {
    for id in [Pointer::MOUSE, 4, 5] {
        driver.event(at, Event::PointerMove(pointer(id, n as f64)));
    }
    let mut pad = PadState::default();
    for axis in Axis::ALL {
        pad.set_axis(axis, if n.is_multiple_of(2) { 1.0 } else { -1.0 });
    }
    driver.poll_pad(at, 0, Some(pad));
    driver.event(at, Event::Wheel { x: 0.0, y: 1.0 });
    driver.event(at, Event::Resized(Size::of_pixels(100 + n as u32, 100, 1.0)));
    driver.event(at, Event::FocusGained);
}

/// Frames at a rate, each with all that can move, and so many taps spread over them; then time for the last of them.
fn presses_seen(driver: &mut Driver<Witness>, hz: u32, frames: u64, taps: u64) -> usize {
    let times: Vec<_> = headless::display(Rate::hz(hz)).skip(1).take(frames as usize).collect();
    for (n, &now) in times.iter().enumerate() {
        fidget(driver, n as u64, now);
        if (n as u64).is_multiple_of(frames / taps) {
            driver.event(now, Event::KeyDown(Key::Space));
            driver.event(now, Event::KeyUp(Key::Space));
        }
        driver.frame(now);
    }
    driver.pacer_mut().set_scale(Channel::TIME_DILATION, 1.0);
    for n in 1..=300 {
        driver.frame(times[times.len() - 1] + ms(10) * n);
    }
    driver.app().seen.iter().filter(|&&event| event == Event::KeyDown(Key::Space)).count()
}

#[test]
fn a_press_is_never_lost_to_a_move_in_a_freeze() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        driver.pacer_mut().hit_freeze(Duration::from_secs(2));
        assert_eq!(presses_seen(&mut driver, 144, 288, 4), 4);
        assert_eq!(driver.events_dropped(), 0);
    }
}

#[test]
fn a_press_is_never_lost_to_a_move_in_slow_motion() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        driver.pacer_mut().set_scale(Channel::TIME_DILATION, 0.01);
        assert_eq!(presses_seen(&mut driver, 240, 2_400, 20), 20);
        assert_eq!(driver.events_dropped(), 0);
    }
}

#[test]
fn a_press_is_never_lost_to_a_move_between_slow_ticks() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(1));
        assert_eq!(presses_seen(&mut driver, 300, 3_000, 20), 20);
        assert_eq!(driver.events_dropped(), 0);
    }
}

#[test]
fn a_press_is_never_lost_to_a_crowd_of_pointers_nor_to_pauses() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        driver.pacer_mut().hit_freeze(Duration::from_secs(2));
        let taps = 128;
        for n in 0..taps {
            for id in 0..9 {
                driver.event(ms(n), Event::PointerMove(pointer(1_000 * n + id, 0.0)));
            }
            for event in [Event::KeyDown(Key::Space), Event::KeyUp(Key::Space)] {
                driver.event(ms(n), event);
                driver.pacer_mut().set_gate(Gate::Paused);
                driver.event(ms(n), Event::PointerMove(pointer(Pointer::MOUSE, n as f64)));
                driver.pacer_mut().set_gate(Gate::Open);
            }
            driver.frame(ms(n));
        }
        driver.pacer_mut().hit_freeze(Duration::ZERO);
        (1..=100).for_each(|n| _ = driver.frame(ms(taps + 17 * n)));
        let presses = driver.app().seen.iter().filter(|&&event| event == Event::KeyDown(Key::Space)).count();
        assert_eq!(presses as u64, taps, "{latching:?}");
        assert!(!driver.app().last.is_down(Key::Space));
        assert_eq!(driver.app().last.cursor(), Some(((taps - 1) as f64, 0.0)));
    }
}

#[test]
fn a_wheel_turns_all_the_way_however_long_the_wait() {
    let mut driver = started(Latching::ByTime, Pacing::hz(60));
    driver.pacer_mut().hit_freeze(Duration::from_secs(2));
    presses_seen(&mut driver, 144, 288, 4);
    let turned =
        driver.app().seen.iter().map(|event| if let Event::Wheel { y, .. } = event { *y } else { 0.0 });
    assert_eq!(turned.sum::<f64>(), 288.0);
}

#[test]
fn a_mouse_that_never_rests_is_where_it_was_at_every_tick() {
    // By time, a tick ends before the frame that runs it: what happened since must not hide what happened before.
    for hz in [60, 144, 240] {
        let mut driver = started(Latching::ByTime, Pacing::hz(60));
        for now in headless::display(Rate::hz(hz)).skip(1).take(hz as usize) {
            for us in (0..4_000).step_by(500) {
                let at = now.saturating_sub(Duration::from_micros(4_000 - us));
                driver.event(at, Event::PointerMove(pointer(Pointer::MOUSE, at.as_secs_f64())));
            }
            driver.frame(now);
            let cursor = driver.app().last.cursor().map_or(0.0, |(x, _)| x);
            assert!(now.as_secs_f64() - cursor < 0.06, "{hz} Hz: at {now:?} it is where it was at {cursor}");
        }
    }
}

#[test]
fn a_key_never_sticks_when_timestamps_come_out_of_order() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        driver.event(ms(20), Event::KeyDown(Key::Space));
        driver.event(ms(15), Event::KeyUp(Key::Space));
        (1..=10).for_each(|n| _ = driver.frame(ms(17 * n)));
        assert!(!driver.app().last.is_down(Key::Space), "{latching:?}");
        driver.event(ms(175), Event::KeyDown(Key::Space));
        (11..=20).for_each(|n| _ = driver.frame(ms(17 * n)));
        assert!(driver.app().last.is_down(Key::Space), "{latching:?}");
        assert_eq!(driver.app().pressed, 2, "{latching:?}");
    }
}

#[test]
fn a_key_never_sticks_when_the_clock_is_set_back() {
    for latching in LATCHINGS {
        for back_to in [0, 59_500] {
            let mut driver = started(latching, Pacing::hz(60));
            driver.frame(ms(60_000));
            driver.event(ms(60_003), Event::KeyDown(Key::Space));
            driver.frame(ms(back_to));
            driver.event(ms(back_to + 5), Event::KeyUp(Key::Space));
            (1..=10).for_each(|n| _ = driver.frame(ms(back_to + 17 * n)));
            assert_eq!(driver.app().pressed, 1, "{latching:?}, back to {back_to} ms");
            assert!(!driver.app().last.is_down(Key::Space), "{latching:?}, back to {back_to} ms");
        }
    }
}

#[test]
fn a_press_made_with_the_gate_open_reaches_a_tick_however_often_the_gate_closes_before_it() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        let mut at = 1;
        let mut tap = |driver: &mut Driver<Witness>, key| {
            for event in [Event::KeyDown(key), Event::KeyUp(key)] {
                driver.event(ms(at), event);
                at += 1;
            }
        };
        driver.pacer_mut().set_gate(Gate::Paused);
        tap(&mut driver, Key::KeyP);
        driver.pacer_mut().set_gate(Gate::Open);
        driver.event(ms(4), Event::KeyDown(Key::Space));
        driver.pacer_mut().set_gate(Gate::Paused);
        tap(&mut driver, Key::KeyP);
        driver.pacer_mut().set_gate(Gate::Open);
        (1..=5).for_each(|n| _ = driver.frame(ms(17 * n)));
        assert_eq!(driver.app().seen, [Event::KeyDown(Key::Space)], "{latching:?}");
        assert_eq!(driver.app().pressed, 1, "{latching:?}");
    }
}

#[test]
fn time_never_goes_back_because_of_a_skipped_frame() {
    let mut driver = started(Latching::FirstTick, Pacing::hz(60));
    driver.event(ms(99_990), Event::FocusGained);
    driver.frame_millis(f64::NAN);
    driver.frame_millis(100_000.0);
    driver.frame_millis(f64::NAN);
    driver.event(ms(100_004), Event::FocusGained);
    driver.frame_millis(f64::INFINITY);
    assert!(driver.app().times.is_sorted(), "{:?}", driver.app().times);
    driver.pacer_mut().reset(ms(100_004));
    assert!(driver.frame(ms(100_010)).raw_dt() < ms(10));
}

#[test]
fn an_axis_is_cut_to_its_range_and_is_news_once() {
    let mut driver = started(Latching::FirstTick, Pacing::hz(60));
    let axis = |pad, value| Event::PadAxis { pad, axis: Axis::LeftX, value };
    for value in [7.0, 7.0, f32::INFINITY, f32::NAN, f32::NAN, -0.0, f32::NEG_INFINITY] {
        driver.event(ms(1), axis(0, value));
    }
    assert_eq!(driver.app().heard, [axis(0, 1.0), axis(0, 0.0), axis(0, -1.0)]);
    for pad in [4, 200, u8::MAX] {
        driver.event(ms(2), axis(pad, 1.0));
        driver.event(ms(2), Event::PadDown { pad, button: Button::South });
        driver.event(ms(2), Event::PadUp { pad, button: Button::South });
        driver.poll_pad(ms(2), pad, Some(PadState::default()));
    }
    assert_eq!(driver.app().heard.len(), 3, "there are no such gamepads");
    driver.frame(ms(40));
    assert_eq!(driver.app().last.pad_axis(0, Axis::LeftX), -1.0);
    assert_eq!(driver.app().last.pad_axis(200, Axis::LeftX), 0.0);
}

#[test]
fn a_place_that_is_no_number_is_ignored_and_a_finger_still_goes_up() {
    let mut driver = started(Latching::FirstTick, Pacing::hz(60));
    for bad in [f64::NAN, f64::INFINITY] {
        driver.event(ms(1), Event::PointerDown(pointer(4, bad)));
        driver.event(ms(1), Event::PointerMove(pointer(4, bad)));
        driver.event(ms(1), Event::PointerUp(pointer(4, bad)));
        driver.event(ms(1), Event::Wheel { x: 0.0, y: bad });
        driver.event(ms(1), Event::Resized(Size { width: bad, height: 1.0, scale: 1.0 }));
    }
    assert!(driver.app().heard.is_empty());
    driver.event(ms(2), Event::PointerDown(pointer(4, 7.0)));
    driver.event(ms(3), Event::PointerUp(pointer(4, f64::NAN)));
    let expected = [Event::PointerDown(pointer(4, 7.0)), Event::PointerUp(pointer(4, 7.0))];
    assert_eq!(driver.app().heard, expected);
}

#[test]
fn dropped_events_are_exactly_those_that_no_tick_saw() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        for at in 0..500 {
            driver.event(ms(at), Event::KeyDown(Key::Space));
            driver.event(ms(at), Event::KeyUp(Key::Space));
            // What a menu hears is nobody's loss.
            if at % 100 == 0 {
                driver.pacer_mut().set_gate(Gate::Paused);
                driver.event(ms(at), Event::KeyDown(Key::KeyP));
                driver.event(ms(at), Event::KeyUp(Key::KeyP));
                driver.pacer_mut().set_gate(Gate::Open);
            }
        }
        (0..5).for_each(|n| _ = driver.frame(ms(600 + 20 * n)));
        let seen = driver.app().seen.len() as u64;
        assert_eq!(seen + driver.events_dropped(), 1_000, "{latching:?}");
        assert!(seen >= 256, "{latching:?}: what fits is not given up");
        assert!(!driver.app().last.is_down(Key::Space));
    }
}
