//! Input laws under random interleavings of what players, games and hosts do.

use std::time::Duration;

use evenstep::{Channel, DisplayLock, Gate, Latching, Pacing, Rate};
use evenstep_host::{
    App, Axis, Button, Context, Driver, Event, Input, Key, PadState, Pointer, PointerButton, Size,
};
use proptest::prelude::*;

/// `KeyP` opens and closes the gate from inside the app.
const KEYS: [Key; 4] = [Key::Space, Key::KeyA, Key::ArrowLeft, Key::KeyP];
const BUTTONS: [Button; 2] = [Button::South, Button::Start];

#[derive(Clone, Copy, Debug)]
enum Act {
    /// An event, and its offset from the frames' clock in microseconds.
    Event(Event, i64),
    /// Frames at a fixed interval, with constant movement of everything that can move.
    MoveEverything {
        frames: u16,
        gap_us: u64,
    },
    Poll {
        pad: u8,
        is_down: bool,
        x: f32,
    },
    Gate(Gate),
    StepByHand,
    Freeze(Duration),
    Scale(f64),
    Frame {
        gap_us: u64,
    },
    SkippedFrame,
    SetBack {
        by_us: u64,
    },
    Hide {
        away_us: u64,
    },
    ReleaseAll,
}

fn any_event() -> impl Strategy<Value = Event> {
    let pointer = (0..3_u64, 0..100_i32).prop_map(|(id, x)| Pointer {
        id,
        x: x.into(),
        y: 0.0,
        button: PointerButton::Primary,
    });
    let pad = prop_oneof![3 => Just(0_u8), 1 => 0..=u8::MAX];
    let value = prop_oneof![4 => -1.5..1.5_f32, 1 => Just(f32::NAN)];
    let key = prop::sample::select(&KEYS[..]);
    let button = prop::sample::select(&BUTTONS[..]);
    prop_oneof![
        8 => key.clone().prop_map(Event::KeyDown),
        8 => key.prop_map(Event::KeyUp),
        3 => pointer.clone().prop_map(Event::PointerDown),
        3 => pointer.clone().prop_map(Event::PointerUp),
        3 => pointer.prop_map(Event::PointerMove),
        2 => (pad.clone(), button.clone()).prop_map(|(pad, button)| Event::PadDown { pad, button }),
        2 => (pad.clone(), button).prop_map(|(pad, button)| Event::PadUp { pad, button }),
        2 => (pad, value).prop_map(|(pad, value)| Event::PadAxis { pad, axis: Axis::LeftX, value }),
        2 => (-3..4_i32).prop_map(|y| Event::Wheel { x: 0.0, y: y.into() }),
        1 => Just(Event::Resized(Size::of_pixels(640, 360, 1.0))),
        1 => prop::sample::select(vec![Event::FocusLost, Event::FocusGained]),
    ]
}

fn any_act() -> impl Strategy<Value = Act> {
    let off = prop_oneof![4 => Just(0), 4 => -20_000..20_000_i64, 1 => -1_000_000..1_000_000_i64];
    let gate = prop::sample::select(vec![Gate::Open, Gate::Open, Gate::Paused, Gate::Menu]);
    prop_oneof![
        24 => (any_event(), off).prop_map(|(event, off_us)| Act::Event(event, off_us)),
        2 => (0..400_u16, 1_000..9_000_u64).prop_map(|(frames, gap_us)| Act::MoveEverything { frames, gap_us }),
        2 => (0..6_u8, any::<bool>(), -1.0..1.0_f32).prop_map(|(pad, is_down, x)| Act::Poll { pad, is_down, x }),
        4 => gate.prop_map(Act::Gate),
        1 => Just(Act::StepByHand),
        2 => (0..2_000_u64).prop_map(|ms| Act::Freeze(Duration::from_millis(ms))),
        1 => prop::sample::select(vec![0.01, 0.3, 1.0, 4.0]).prop_map(Act::Scale),
        // From a frame without ticks to one with five.
        12 => (0..90_000_u64).prop_map(|gap_us| Act::Frame { gap_us }),
        1 => Just(Act::SkippedFrame),
        1 => prop_oneof![0..1_000_000_u64, 0..90_000_000_u64].prop_map(|by_us| Act::SetBack { by_us }),
        1 => (0..60_000_000_u64).prop_map(|away_us| Act::Hide { away_us }),
        1 => Just(Act::ReleaseAll),
    ]
}

/// Tracks what is held according to the app's events, and records what its ticks see.
struct Tracker {
    pacing: Pacing,
    latching: Latching,
    keys: Vec<Key>,
    buttons: Vec<(u8, Button)>,
    pointers: Vec<(u64, f64)>,
    cursor: Option<f64>,
    axis: f32,
    // Presses, releases and wheel lines that arrived while the gate was open.
    expected: Vec<Event>,
    wheel_expected: f64,
    seen: Vec<Event>,
    wheel_seen: f64,
    last: Input,
    now: Duration,
    may_time_go_back: bool,
}

impl Tracker {
    fn new(pacing: Pacing, latching: Latching) -> Self {
        Self {
            pacing,
            latching,
            keys: Vec::new(),
            buttons: Vec::new(),
            pointers: Vec::new(),
            cursor: None,
            axis: 0.0,
            expected: Vec::new(),
            wheel_expected: 0.0,
            seen: Vec::new(),
            wheel_seen: 0.0,
            last: Input::default(),
            now: Duration::ZERO,
            may_time_go_back: true,
        }
    }

    fn follow(&mut self, event: Event) {
        match event {
            Event::KeyDown(key) => self.keys.push(key),
            Event::KeyUp(key) => self.keys.retain(|&held| held != key),
            Event::PadDown { pad, button } => self.buttons.push((pad, button)),
            Event::PadUp { pad, button } => self.buttons.retain(|&held| held != (pad, button)),
            Event::PadAxis { pad: 0, axis: Axis::LeftX, value } => self.axis = value,
            Event::PointerDown(Pointer { id, x, .. }) => self.pointers.push((id, x)),
            Event::PointerUp(Pointer { id, .. }) => self.pointers.retain(|held| held.0 != id),
            Event::PointerMove(Pointer { id, x, .. }) => {
                self.pointers.iter_mut().filter(|held| held.0 == id).for_each(|held| held.1 = x);
            }
            _ => {}
        }
        if let Event::PointerDown(Pointer { x, .. })
        | Event::PointerMove(Pointer { x, .. })
        | Event::PointerUp(Pointer { x, .. }) = event
        {
            self.cursor = Some(x);
        }
    }

    /// Checks that the last tick saw as held what the app saw.
    fn check_held(&self) {
        let last = &self.last;
        for key in KEYS {
            assert_eq!(last.is_down(key), self.keys.contains(&key), "{key:?}");
        }
        for (pad, button) in (0..8).flat_map(|pad| BUTTONS.map(|button| (pad, button))) {
            assert_eq!(
                last.is_pad_down(pad, button),
                self.buttons.contains(&(pad, button)),
                "{pad} {button:?}"
            );
        }
        let mut pointers: Vec<_> = last.pointers().map(|pointer| (pointer.id, pointer.x)).collect();
        let mut expected = self.pointers.clone();
        pointers.sort_by_key(|pointer| pointer.0);
        expected.sort_by_key(|pointer| pointer.0);
        assert_eq!(pointers, expected);
        assert_eq!(last.cursor().map(|(x, _)| x), self.cursor);
        assert_eq!(last.pad_axis(0, Axis::LeftX), self.axis);
    }
}

const fn is_edge(event: Event) -> bool {
    use Event::{KeyDown, KeyUp, PadDown, PadUp, PointerDown, PointerUp};
    matches!(event, KeyDown(_) | KeyUp(_) | PadDown { .. } | PadUp { .. } | PointerDown(_) | PointerUp(_))
}

impl App for Tracker {
    fn pacing(&self) -> Pacing {
        self.pacing
    }

    fn latching(&self) -> Latching {
        self.latching
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        let was_open = cx.pacer.gate() == Gate::Open;
        if event == Event::KeyDown(Key::KeyP) {
            cx.pacer.set_gate(if was_open { Gate::Paused } else { Gate::Open });
        }
        self.follow(event);
        if was_open && cx.pacer.gate() == Gate::Open {
            if is_edge(event) {
                self.expected.push(event);
            }
            if let Event::Wheel { y, .. } = event {
                self.wheel_expected += y;
            }
        }
        self.now = cx.now();
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        for key in KEYS {
            assert_eq!(input.pressed(key), input.events().contains(&Event::KeyDown(key)), "{key:?}");
            assert!(input.is_down(key) || !input.pressed(key), "{key:?}");
        }
        for &event in input.events() {
            if is_edge(event) {
                self.seen.push(event);
            }
            if let Event::Wheel { y, .. } = event {
                self.wheel_seen += y;
            }
        }
        self.last = input.clone();
    }

    fn frame(&mut self, _frame: &evenstep::Frame, cx: &mut Context<'_>) {
        assert!(self.may_time_go_back || cx.now() >= self.now, "{:?} < {:?}", cx.now(), self.now);
        self.now = cx.now();
    }
}

/// A driver and its clock.
struct Host {
    driver: Driver<Tracker>,
    now: Duration,
}

impl Host {
    fn act(&mut self, act: Act) {
        let Self { driver, now } = self;
        match act {
            Act::Event(event, off_us) => {
                let off = Duration::from_micros(off_us.unsigned_abs());
                driver.event(if off_us < 0 { now.saturating_sub(off) } else { *now + off }, event);
            }
            Act::MoveEverything { frames, gap_us } => {
                (0..frames).for_each(|n| self.move_everything(n, gap_us));
            }
            Act::Poll { pad, is_down, x } => {
                let mut state = PadState::default();
                state.set(Button::South, is_down);
                state.set_axis(Axis::LeftX, x);
                driver.poll_pad(*now, pad, Some(state).filter(|_| x < 0.9));
            }
            Act::Gate(gate) => driver.pacer_mut().set_gate(gate),
            Act::StepByHand => driver.pacer_mut().step_by_hand(1),
            Act::Freeze(wall_time) => driver.pacer_mut().hit_freeze(wall_time),
            Act::Scale(scale) => driver.pacer_mut().set_scale(Channel::TIME_DILATION, scale),
            Act::Frame { gap_us } => self.frame(gap_us),
            Act::SkippedFrame => {
                driver.app_mut().may_time_go_back = false;
                driver.frame_millis(f64::NAN);
                driver.app_mut().may_time_go_back = true;
            }
            Act::SetBack { by_us } => {
                // Stay above a second, so that an event before the frame has a timestamp.
                *now = now.saturating_sub(Duration::from_micros(by_us)).max(Duration::from_secs(1));
                driver.frame(*now);
            }
            Act::Hide { away_us } => {
                driver.event(*now, Event::Hidden);
                driver.suspend();
                *now += Duration::from_micros(away_us);
                driver.event(*now, Event::Shown);
            }
            Act::ReleaseAll => driver.release_all(*now),
        }
    }

    fn frame(&mut self, gap_us: u64) {
        self.now += Duration::from_micros(gap_us);
        self.driver.frame(self.now);
    }

    fn move_everything(&mut self, n: u16, gap_us: u64) {
        for id in 0..3 {
            let pointer = Pointer { id, x: n.into(), y: 0.0, button: PointerButton::Primary };
            self.driver.event(self.now, Event::PointerMove(pointer));
        }
        let value = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
        self.driver.event(self.now, Event::PadAxis { pad: 0, axis: Axis::LeftX, value });
        self.driver.event(self.now, Event::Wheel { x: 0.0, y: 1.0 });
        self.frame(gap_us);
    }

    /// Lets the game run for long enough that every event reaches its tick.
    fn drain(&mut self) {
        self.driver.pacer_mut().set_gate(Gate::Open);
        self.driver.pacer_mut().hit_freeze(Duration::ZERO);
        self.driver.pacer_mut().set_scale(Channel::TIME_DILATION, 1.0);
        (0..60).for_each(|_| self.frame(50_000));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_press_while_the_gate_is_open_reaches_exactly_one_tick_and_no_key_sticks(
        latching in prop::sample::select(vec![Latching::FirstTick, Latching::ByTime]),
        lock in prop::sample::select(vec![DisplayLock::Off, DisplayLock::Follow]),
        rate in prop::sample::select(vec![Rate::hz(60), Rate::hz(60), Rate::hz(5)]),
        acts in prop::collection::vec(any_act(), 1..150),
    ) {
        let pacing = Pacing::hz(60).with_rate(rate).with_display_lock(lock);
        let driver = Driver::new(Tracker::new(pacing, latching));
        let mut host = Host { driver, now: Duration::from_secs(100) };
        for act in acts {
            host.act(act);
        }
        host.drain();
        prop_assert_eq!(host.driver.events_dropped(), 0);
        let app = host.driver.app();
        prop_assert_eq!(&app.seen, &app.expected, "each event once, and in order");
        prop_assert_eq!(app.wheel_seen, app.wheel_expected);
        app.check_held();

        host.driver.release_all(host.now);
        host.drain();
        let app = host.driver.app();
        prop_assert!(app.keys.is_empty() && app.buttons.is_empty() && app.pointers.is_empty());
        app.check_held();
    }
}
