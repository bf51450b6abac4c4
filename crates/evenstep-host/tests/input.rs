//! Input laws: no press is lost or seen twice, and no key gets stuck.

use std::time::Duration;

use evenstep::{Channel, Gate, Latching, Pacing, Rate};
use evenstep_host::{
    App, Axis, Button, Context, Driver, Event, HostPacer, Input, Key, PadState, Pointer, PointerButton, Size,
    headless,
};

const LATCHINGS: [Latching; 2] = [Latching::FirstTick, Latching::ByTime];

/// Records the events it receives and what its ticks see.
struct Recorder {
    pacing: Pacing,
    latching: Latching,
    received: Vec<Event>,
    seen: Vec<Event>,
    pressed: usize,
    last: Input,
    times: Vec<Duration>,
}

impl App for Recorder {
    fn pacing(&self) -> Pacing {
        self.pacing
    }

    fn latching(&self) -> Latching {
        self.latching
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.received.push(event);
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

/// Returns a driver that has run its first frame, at 0 ms.
fn started(latching: Latching, pacing: Pacing) -> Driver<Recorder> {
    let mut driver = Driver::new(Recorder {
        pacing,
        latching,
        received: Vec::new(),
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

/// Sends every kind of event that reports a state: mouse, two fingers, two sticks, wheel and window.
fn move_everything(driver: &mut Driver<Recorder>, n: u64, at: Duration) {
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

/// Runs `frames` frames with constant movement and `taps` taps spread over them, then enough frames for every tap to
/// reach a tick. Returns how many presses the ticks saw.
fn presses_seen(driver: &mut Driver<Recorder>, hz: u32, frames: u64, taps: u64) -> usize {
    let times: Vec<_> = headless::display(Rate::hz(hz)).skip(1).take(frames as usize).collect();
    for (n, &now) in times.iter().enumerate() {
        move_everything(driver, n as u64, now);
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
fn a_press_is_never_lost_to_a_move() {
    type Case = (&'static str, Pacing, fn(&mut HostPacer), u32, u64, u64);
    let cases: [Case; 3] = [
        ("freeze", Pacing::hz(60), |pacer| pacer.hit_freeze(Duration::from_secs(2)), 144, 288, 4),
        (
            "slow motion",
            Pacing::hz(60),
            |pacer| pacer.set_scale(Channel::TIME_DILATION, 0.01),
            240,
            2_400,
            20,
        ),
        ("slow ticks", Pacing::hz(1), |_| {}, 300, 3_000, 20),
    ];
    for (name, pacing, prepare, hz, frames, taps) in cases {
        for latching in LATCHINGS {
            let mut driver = started(latching, pacing);
            prepare(driver.pacer_mut());
            assert_eq!(presses_seen(&mut driver, hz, frames, taps) as u64, taps, "{name}, {latching:?}");
            assert_eq!(driver.events_dropped(), 0, "{name}, {latching:?}");
        }
    }
}

#[test]
fn a_press_is_never_lost_to_many_pointers_or_pauses() {
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
fn wheel_movement_is_never_lost_however_long_it_waits() {
    let mut driver = started(Latching::ByTime, Pacing::hz(60));
    driver.pacer_mut().hit_freeze(Duration::from_secs(2));
    presses_seen(&mut driver, 144, 288, 4);
    let turned =
        driver.app().seen.iter().map(|event| if let Event::Wheel { y, .. } = event { *y } else { 0.0 });
    assert_eq!(turned.sum::<f64>(), 288.0);
}

#[test]
fn a_constantly_moving_mouse_is_up_to_date_in_every_tick() {
    // Latched by time, a tick ends before the frame that runs it. Later moves must not replace the ones it needs.
    for hz in [60, 144, 240] {
        let mut driver = started(Latching::ByTime, Pacing::hz(60));
        for now in headless::display(Rate::hz(hz)).skip(1).take(hz as usize) {
            for us in (0..4_000).step_by(500) {
                let at = now.saturating_sub(Duration::from_micros(4_000 - us));
                driver.event(at, Event::PointerMove(pointer(Pointer::MOUSE, at.as_secs_f64())));
            }
            driver.frame(now);
            let cursor = driver.app().last.cursor().map_or(0.0, |(x, _)| x);
            assert!(
                now.as_secs_f64() - cursor < 0.06,
                "{hz} Hz: at {now:?} the tick sees the position from {cursor}"
            );
        }
    }
}

#[test]
fn a_key_never_sticks_when_timestamps_are_out_of_order() {
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
            let mut driver = started(latching, Pacing::game_loop());
            driver.frame(ms(60_000));
            driver.event(ms(60_003), Event::KeyDown(Key::Space));
            driver.frame(ms(back_to));
            driver.event(ms(back_to + 5), Event::KeyUp(Key::Space));
            assert_eq!(driver.frame(ms(back_to + 17)).steps(), 1);
            assert_eq!(driver.app().pressed, 1, "{latching:?}, back to {back_to} ms: by the first tick");
            (2..=10).for_each(|n| _ = driver.frame(ms(back_to + 17 * n)));
            assert_eq!(driver.app().pressed, 1, "{latching:?}, back to {back_to} ms");
            assert!(!driver.app().last.is_down(Key::Space), "{latching:?}, back to {back_to} ms");
        }
    }
}

#[test]
fn a_press_while_the_gate_is_open_reaches_a_tick_even_if_the_gate_closes_first() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        let mut at = 1;
        let mut tap = |driver: &mut Driver<Recorder>, key| {
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
fn a_skipped_frame_never_sets_the_time_back() {
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
fn one_press_of_a_gamepads_button_is_one_press_whatever_happens_meanwhile() {
    let held = |buttons: &[Button]| {
        let mut pad = PadState::default();
        for &button in buttons {
            pad.set(button, true);
        }
        Some(pad)
    };
    for interruption in
        [&[Event::FocusLost][..], &[Event::Hidden, Event::Shown], &[Event::FocusLost, Event::Hidden]]
    {
        let mut driver = started(Latching::FirstTick, Pacing::hz(60));
        let presses = |driver: &Driver<Recorder>, button| {
            let down = Event::PadDown { pad: 1, button };
            driver.app().received.iter().filter(|&&event| event == down).count()
        };
        driver.poll_pad(ms(1), 1, held(&[Button::South]));
        for (n, &event) in interruption.iter().enumerate() {
            driver.event(ms(2 + n as u64), event);
            driver.poll_pad(ms(2 + n as u64), 1, held(&[Button::South]));
        }
        assert_eq!(presses(&driver, Button::South), 1, "{interruption:?}");
        // Another button is a press of its own, and the first is one again after it went up.
        driver.poll_pad(ms(10), 1, held(&[Button::South, Button::East]));
        assert_eq!((presses(&driver, Button::South), presses(&driver, Button::East)), (1, 1));
        driver.poll_pad(ms(11), 1, held(&[Button::East]));
        driver.poll_pad(ms(12), 1, held(&[Button::South]));
        assert_eq!((presses(&driver, Button::South), presses(&driver, Button::East)), (2, 1));
        driver.frame(ms(40));
        assert!(driver.app().last.is_pad_down(1, Button::South));
        // An unplugged gamepad holds nothing.
        driver.event(ms(41), Event::FocusLost);
        driver.poll_pad(ms(42), 1, None);
        driver.poll_pad(ms(43), 1, held(&[Button::South]));
        assert_eq!(presses(&driver, Button::South), 3);
    }
}

#[test]
fn an_axis_is_clamped_and_reported_only_when_it_changes() {
    let mut driver = started(Latching::FirstTick, Pacing::hz(60));
    let axis = |pad, value| Event::PadAxis { pad, axis: Axis::LeftX, value };
    for value in [7.0, 7.0, f32::INFINITY, f32::NAN, f32::NAN, -0.0, f32::NEG_INFINITY] {
        driver.event(ms(1), axis(0, value));
    }
    assert_eq!(driver.app().received, [axis(0, 1.0), axis(0, 0.0), axis(0, -1.0)]);
    for pad in [4, 200, u8::MAX] {
        driver.event(ms(2), axis(pad, 1.0));
        driver.event(ms(2), Event::PadDown { pad, button: Button::South });
        driver.event(ms(2), Event::PadUp { pad, button: Button::South });
        driver.poll_pad(ms(2), pad, Some(PadState::default()));
    }
    assert_eq!(driver.app().received.len(), 3, "there are no such gamepads");
    driver.frame(ms(40));
    assert_eq!(driver.app().last.pad_axis(0, Axis::LeftX), -1.0);
    assert_eq!(driver.app().last.pad_axis(200, Axis::LeftX), 0.0);
}

#[test]
fn a_position_that_is_not_finite_is_ignored_but_the_finger_is_released() {
    let mut driver = started(Latching::FirstTick, Pacing::hz(60));
    for bad in [f64::NAN, f64::INFINITY] {
        driver.event(ms(1), Event::PointerDown(pointer(4, bad)));
        driver.event(ms(1), Event::PointerMove(pointer(4, bad)));
        driver.event(ms(1), Event::PointerUp(pointer(4, bad)));
        driver.event(ms(1), Event::Wheel { x: 0.0, y: bad });
        driver.event(ms(1), Event::Resized(Size { width: bad, height: 1.0, scale: 1.0 }));
    }
    assert!(driver.app().received.is_empty());
    driver.event(ms(2), Event::PointerDown(pointer(4, 7.0)));
    driver.event(ms(3), Event::PointerUp(pointer(4, f64::NAN)));
    let expected = [Event::PointerDown(pointer(4, 7.0)), Event::PointerUp(pointer(4, 7.0))];
    assert_eq!(driver.app().received, expected);
}

#[test]
fn every_event_is_either_seen_by_a_tick_or_counted_as_dropped() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        for at in 0..500 {
            driver.event(ms(at), Event::KeyDown(Key::Space));
            driver.event(ms(at), Event::KeyUp(Key::Space));
            // Events for a menu do not count as dropped.
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
        assert!(seen >= 256, "{latching:?}: as many events as fit are kept");
        assert!(!driver.app().last.is_down(Key::Space));
    }
}

/// Records where the cursor and a stick are at the end of each tick.
struct Trail(Vec<(Option<f64>, f32)>);

impl App for Trail {
    fn pacing(&self) -> Pacing {
        Pacing::game_loop()
    }

    fn latching(&self) -> Latching {
        Latching::ByTime
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        self.0.push((input.cursor().map(|(x, _)| x), input.pad_axis(0, Axis::LeftX)));
    }
}

#[test]
fn moves_latched_by_time_reach_the_same_ticks_at_every_frame_rate() {
    let trail = |fps: u64| {
        let mut driver = Driver::new(Trail(Vec::new()));
        driver.frame(ms(0));
        let mut moved = 0;
        for n in 1..=fps {
            let now = Duration::from_secs(n) / fps as u32;
            while ms(5 * (moved + 1)) <= now {
                moved += 1;
                let at = ms(5 * moved);
                let x = moved as f64;
                let value = moved as f32 / 1_000.0;
                let pointer = Pointer { id: Pointer::MOUSE, x, y: 0.0, button: PointerButton::Primary };
                driver.event(at, Event::PointerMove(pointer));
                driver.event(at, Event::PadAxis { pad: 0, axis: Axis::LeftX, value });
            }
            driver.frame(now);
        }
        driver.into_app().0
    };
    let at_60 = trail(60);
    assert!(at_60.len() > 55);
    for fps in [5, 20, 240] {
        let other = trail(fps);
        let ticks = other.len().min(at_60.len());
        assert_eq!(other[..ticks], at_60[..ticks], "at {fps} frames a second");
    }
}

#[test]
fn every_event_of_a_crowd_of_pointers_is_seen_or_counted_as_dropped() {
    for latching in LATCHINGS {
        let mut driver = started(latching, Pacing::hz(60));
        for id in 1..=200 {
            let pointer = Pointer { id, x: 1.0, y: 1.0, button: PointerButton::Primary };
            driver.event(ms(1), Event::PointerMove(pointer));
        }
        driver.frame(ms(60));
        let seen = driver.app().seen.len() as u64;
        assert_eq!(seen + driver.events_dropped(), 200, "{latching:?}");
    }
}

#[test]
fn the_time_of_a_frame_is_its_own_whatever_events_said() {
    let mut driver = started(Latching::FirstTick, Pacing::hz(60));
    driver.frame(ms(1_000));
    driver.event(ms(900), Event::FocusGained);
    driver.frame_millis(f64::NAN);
    assert_eq!(driver.app().times.last(), Some(&ms(1_000)));
}
