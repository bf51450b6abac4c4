//! Laws of recordings: a driver's trace replays as the driver ran, whatever the app tells its pacer.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use evenstep::{Channel, Frame, Gate, Pacing, Presented, Rate};
use evenstep_host::{App, Context, Driver, Event, Input, Key};
use evenstep_trace::Replay;
use proptest::prelude::*;

/// An app that tells its pacer something in every callback.
struct Restless {
    pacing: Pacing,
    orders: Vec<u8>,
    next: usize,
}

impl Restless {
    fn act(&mut self, cx: &mut Context<'_>) {
        let order = self.orders.get(self.next).copied().unwrap_or(255);
        self.next += 1;
        let now = cx.now();
        match order % 32 {
            0 => cx.pacer.pause(),
            1 => cx.pacer.resume(),
            2 => cx.pacer.set_gate(Gate::Menu),
            3 => cx.pacer.step_by_hand(2),
            4 => cx.pacer.hit_freeze(Duration::from_millis(u64::from(order))),
            5 => cx.pacer.hitstop(u32::from(order / 32), 0.1),
            6 => cx.pacer.set_scale(Channel::TIME_DILATION, f64::from(order) / 64.0),
            7 => cx.pacer.set_pacing(cx.pacer.pacing().with_rate(Rate::hz(30 + u32::from(order)))),
            8 => cx.pacer.reset(now),
            9 => cx.pacer.reset_frame_timing(None),
            10 => cx.pacer.fast_forward(3),
            11 => cx.pacer.set_pacing(cx.pacer.pacing().with_fps(30.0, 50.0)),
            _ => {}
        }
    }
}

impl App for Restless {
    fn pacing(&self) -> Pacing {
        self.pacing
    }
    fn input(&mut self, _event: Event, cx: &mut Context<'_>) {
        self.act(cx);
    }
    fn step(&mut self, _input: &Input, cx: &mut Context<'_>) {
        self.act(cx);
    }
    fn frame(&mut self, _frame: &Frame, cx: &mut Context<'_>) {
        self.act(cx);
    }
}

fn drive(driver: &mut Driver<Restless>, gaps_us: &[u32]) -> Vec<Frame> {
    let mut now = Duration::from_secs(1);
    let mut frames = Vec::new();
    for (n, &gap_us) in gaps_us.iter().enumerate() {
        now += Duration::from_micros(gap_us.into());
        driver.event(now, if n % 2 == 0 { Event::KeyDown(Key::Space) } else { Event::KeyUp(Key::Space) });
        match n % 16 {
            3 => driver.hint_refresh(Rate::hz(60).step()),
            5 => driver.set_variable_refresh(n % 32 == 5),
            7 => driver.suspend(),
            9 => frames.push(driver.frame_millis(f64::NAN)),
            _ => {}
        }
        let after = Duration::from_micros(u64::from(gap_us) / 4);
        frames.push(driver.run_frame(now, || now + after, |_| {}, |_| n % 3 > 0));
        driver.presented(Presented { frame: now, at: now + after });
    }
    frames
}

fn replay(trace: &str) -> Vec<Frame> {
    let replay = Replay::open(trace.as_bytes()).expect("a header");
    replay.map(|frame| frame.expect("a line")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_trace_replays_as_the_driver_ran_and_recording_changes_nothing(
        orders in prop::collection::vec(any::<u8>(), 0..600),
        gaps_us in prop::collection::vec(prop_oneof![4 => 16_000..18_000_u32, 1 => 0..400_000_u32], 0..100),
        preset in 0..4,
    ) {
        let pacing = match preset {
            0 => Pacing::starship(),
            1 => Pacing::fixed_time_step(),
            2 => Pacing::game_loop(),
            _ => Pacing::hz(60).with_budget(Duration::from_millis(8)),
        };
        let mut recorded = Driver::new(Restless { pacing, orders: orders.clone(), next: 0 });
        recorded.trace_to_text();
        let frames = drive(&mut recorded, &gaps_us);
        let mut unrecorded = Driver::new(Restless { pacing, orders, next: 0 });
        prop_assert_eq!(&frames, &drive(&mut unrecorded, &gaps_us));
        prop_assert_eq!(&frames, &replay(recorded.trace_text().expect("a text")));
        prop_assert_eq!(recorded.pacer(), unrecorded.pacer());
    }
}

/// A stream that can be read while it is written, and fails after a number of bytes.
#[derive(Clone, Default)]
struct Shared {
    written: Arc<Mutex<Vec<u8>>>,
    room: usize,
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.written.lock().expect("no panic before");
        if written.len() + bytes.len() > self.room {
            return Err(io::Error::other("no space left"));
        }
        written.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn idle() -> Driver<Restless> {
    Driver::new(Restless { pacing: Pacing::hz(60), orders: Vec::new(), next: 0 })
}

#[test]
fn a_trace_streams_as_the_game_runs() {
    let stream = Shared { room: usize::MAX, ..Shared::default() };
    let mut driver = idle();
    driver.trace_to(stream.clone());
    let mut length = 0;
    for n in 0..60 {
        driver.frame(Rate::hz(60).time_of(n));
        let written = stream.written.lock().expect("no panic before").len();
        assert!(written > length, "frame {n} is written");
        length = written;
    }
}

#[test]
fn an_error_ends_the_trace_and_not_the_game() {
    let stream = Shared { room: 2_000, ..Shared::default() };
    let mut driver = idle();
    driver.trace_to(stream);
    for n in 0..600 {
        driver.frame(Rate::hz(60).time_of(n));
    }
    assert_eq!(driver.pacer().tick(), 599);
    assert!(matches!(driver.trace_error(), Some(evenstep_trace::Error::Write(_))));
    assert!(driver.finish_trace().is_err());
}

#[test]
fn a_file_that_cannot_be_created_leaves_the_game_as_it_is() {
    let mut driver = idle();
    driver.trace_to_file("no/such/folder/a.jsonl");
    driver.frame(Duration::ZERO);
    assert!(driver.finish_trace().is_ok());
}

#[test]
fn a_second_trace_into_the_same_file_replaces_the_first() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("twice.jsonl");
    let mut driver = idle();
    for frames in [0..2_000, 2_000..2_010] {
        driver.trace_to_file(&path);
        for n in frames {
            driver.frame(Rate::hz(60).time_of(n));
        }
    }
    driver.finish_trace().expect("a file that can be written");
    let trace = std::fs::read_to_string(&path).expect("the file is text");
    assert_eq!(replay(&trace).len(), 10);
}

#[test]
fn a_file_holds_the_whole_trace_once_the_driver_is_gone() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver.jsonl");
    let mut driver = idle();
    driver.trace_to_file(&path);
    for n in 0..100 {
        driver.frame(Rate::hz(60).time_of(n));
    }
    drop(driver);
    let trace = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(replay(&trace).len(), 100);
}
