//! The exported functions, called natively as JavaScript calls them, beside a pacer of the core.

use core::time::Duration;

use evenstep::{Channel, Command, DisplayLock, Gate, Pacer, Pacing, Presented, Rate, Reset};
use evenstep_npm::*;

const NONE: f64 = f64::NAN;
/// Restored bytes are refused for one of these reasons.
const LENGTH: f64 = 1.0;
const HEADER: f64 = 2.0;
const CHECKSUM: f64 = 3.0;

/// A buffer of the module, which JavaScript sees as a typed array.
#[expect(unsafe_code, reason = "JavaScript reads the module's memory")]
fn read<T: Copy>(address: usize, len: usize) -> Vec<T> {
    let at = core::ptr::with_exposed_provenance::<T>(address);
    // SAFETY: slots and buffers live as long as their thread, and nothing writes to them now.
    (0..len).map(|n| unsafe { at.add(n).read() }).collect()
}

/// The text buffer.
fn bytes() -> Vec<u8> {
    read(text(), TEXT)
}

#[expect(unsafe_code, reason = "JavaScript writes to the module's memory")]
fn write(bytes: &[u8]) {
    assert!(bytes.len() <= TEXT);
    let at = core::ptr::with_exposed_provenance_mut::<u8>(text());
    // SAFETY: the buffer lives as long as its thread, and nothing reads it now.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
}

/// Changes one bit of the text buffer.
fn flip(at: usize) {
    let mut bytes = bytes();
    bytes[at] ^= 1;
    write(&bytes);
}

fn plan(pacer: usize) -> Vec<f64> {
    read(pacer, 7)
}

fn answers() -> Vec<f64> {
    read(numbers(), NUMBERS)
}

#[test]
fn a_frame_is_the_cores_frame_in_milliseconds() {
    assert!(pacing_from(3, 60.0, 1.0));
    let ours = pacer_new();
    let mut core = Pacer::new(Pacing::game_loop());
    for n in 0..1_000_u32 {
        if n % 100 == 7 {
            pacer_tell(ours, 5, 4.0, 0.25);
            core.hitstop(4, 0.25);
        }
        let now_ms = f64::from(n * n % 97) + f64::from(n) * 13.5;
        let frame = core.frame_millis(now_ms);
        assert_eq!(pacer_frame(ours, now_ms, NONE, NONE), frame.steps());
        let [steps, first_tick, alpha, flags, raw, scaled, missed] = plan(ours)[..] else { panic!("seven") };
        assert_eq!(
            (steps as u32, first_tick as u64, alpha),
            (frame.steps(), frame.first_tick(), frame.alpha())
        );
        assert_eq!((flags as u32 >> 3 == 1, missed as u32), (frame.should_draw(), frame.missed()));
        assert_eq!(raw, frame.raw_dt().as_nanos() as f64 / 1e6);
        assert_eq!(scaled, frame.scaled_dt().as_nanos() as f64 / 1e6);
        assert_eq!(
            pacer_tick_end(ours, first_tick),
            frame.tick_end(frame.first_tick()).as_nanos() as f64 / 1e6
        );
        assert_eq!(pacer_frame_value(ours, 4), frame.dropped().as_nanos() as f64 / 1e6);
    }
    pacer_answers(ours);
    assert_eq!(answers()[0] as u64, core.tick());
    pacer_ledger(ours);
    assert_eq!(answers()[0] as u128, core.ledger().wall_ns);
    pacer_free(ours);
}

#[test]
fn reports_that_come_with_the_next_frame_act_like_reports_at_once() {
    let ms = Duration::from_millis;
    assert!(pacing_from(0, 60.0, 1.0) && pacing_set(7, 10e6, NONE, NONE));
    let ours = pacer_new();
    let mut core = Pacer::new(Pacing::hz(60).with_budget(ms(10)));
    pacer_frame(ours, 0.0, NONE, NONE);
    assert_eq!(core.frame(ms(0)).steps(), 0);
    assert_eq!(pacer_frame(ours, 20.0, NONE, NONE), core.frame(ms(20)).steps());
    core.steps_done(ms(30));
    core.draw_done(ms(32));
    assert_eq!(pacer_frame(ours, 100.0, 30.0, 32.0), core.frame(ms(100)).steps());
    pacer_free(ours);
}

#[test]
fn every_setting_reaches_the_configuration() {
    let settings = [
        (0, 30_000.0, 1_001.0, NONE),
        (1, 900e6, NONE, NONE),
        (2, f64::INFINITY, NONE, NONE),
        (3, 400e6, NONE, NONE),
        (4, 9.0, NONE, NONE),
        (5, 7.0, NONE, NONE),
        (6, 2.0, NONE, NONE),
        (7, 12e6, NONE, NONE),
        (8, 1.0, NONE, NONE),
        (9, 0.25, NONE, NONE),
        (10, 30.0, 1.0, NONE),
        (11, 2.0, NONE, NONE),
        (12 + 5, 0.5, 2.0, 1.5),
    ];
    let ms = Duration::from_millis;
    let wanted = Pacing::hz(60)
        .with_rate(Rate::new(30_000, 1_001))
        .with_stall(ms(900))
        .with_longest_frame(None)
        .with_backlog(ms(400))
        .with_backlog_steps(9)
        .with_steps_max(7)
        .with_excess(evenstep::Excess::Carry)
        .with_budget(ms(12))
        .with_effects(evenstep::Effects::Classic)
        .with_start_phase(0.25)
        .with_draw_rate(Rate::hz(30))
        .with_display_lock(DisplayLock::RateLock)
        .with_channel(Channel::custom(1), 0.5..=2.0, 1.5);
    assert!(pacing_from(0, 60.0, 1.0));
    for (setting, a, b, c) in settings {
        assert!(pacing_set(setting, a, b, c), "{setting}");
    }
    let pacer = pacer_new();
    assert_eq!(saved(pacer), saved_core(&Pacer::new(wanted)));
    pacer_free(pacer);
}

#[test]
fn what_is_out_of_range_is_refused_and_changes_nothing() {
    assert!(pacing_from(0, 60.0, 1.0));
    for (setting, a, b, c) in [
        (0, 0.0, 1.0, NONE),
        (0, 2e6, 1.0, NONE),
        (0, 60.0, 0.0, NONE),
        (0, 60.0, NONE, NONE),
        (6, 3.0, NONE, NONE),
        (8, 2.0, NONE, NONE),
        (11, f64::INFINITY, NONE, NONE),
        (9, 1.0, NONE, NONE),
        (9, NONE, NONE, NONE),
        (10, -1.0, NONE, NONE),
        (12, 2.0, 1.0, 1.0),
        (12, 0.0, 1.0, 2.0),
        (12, NONE, 1.0, 1.0),
        (12, 0.0, 2e6, 1.0),
    ] {
        assert!(!pacing_set(setting, a, b, c), "{setting}: {a} {b} {c}");
    }
    assert!(!pacing_from(4, 60.0, 1.0) && !pacing_from(0, NONE, NONE));
    let pacer = pacer_new();
    pacer_answers(pacer);
    assert_eq!(answers()[9..11], [60.0, 1.0]);
    pacer_free(pacer);
}

/// All commands, as JavaScript encodes them.
#[test]
fn every_command_reaches_the_pacer() {
    let ms = Duration::from_millis;
    let commands = [
        (0, 1.0, NONE, Command::Gate(Gate::Paused)),
        (1, 3.0, NONE, Command::StepByHand(3)),
        (0, 0.0, NONE, Command::Gate(Gate::Open)),
        (2, 2.0, 0.5, Command::Scale { channel: Channel::JUICE, value: 0.5 }),
        (3, 7.0, 4.0, Command::RestingScale { channel: Channel::custom(3), value: 4.0 }),
        (4, 80e6, NONE, Command::HitFreeze(ms(80))),
        (5, 3.0, 0.1, Command::Hitstop { steps: 3, intensity: 0.1 }),
        (6, 300.0, NONE, Command::FastForward(300)),
        (7, 7_200.0, NONE, Command::Tick(7_200)),
        (8, NONE, NONE, Command::Pacing(Pacing::hz(60).with_stall(ms(900)))),
        (11, 16_666_667.0, NONE, Command::RefreshHint(Duration::from_nanos(16_666_667))),
        (13, 640e6, 650e6, Command::Presented(Presented { frame: ms(640), at: ms(650) })),
        (14, 642e6, NONE, Command::StepsDone(ms(642))),
        (15, 645e6, NONE, Command::DrawDone(ms(645))),
        (12, 1.0, NONE, Command::VariableRefresh(true)),
        (9, NONE, NONE, Command::Suspend),
        (16, NONE, NONE, Command::Skip),
        (10, 0.0, 700e6, Command::Reset { kind: Reset::FrameTiming, last_frame: Some(ms(700)) }),
        (10, 1.0, NONE, Command::Reset { kind: Reset::NewGame, last_frame: None }),
    ];
    assert!(pacing_from(0, 60.0, 1.0));
    let ours = pacer_new();
    let mut core = Pacer::new(Pacing::hz(60));
    for (n, (number, a, b, command)) in commands.into_iter().enumerate() {
        for frame in 0..10_u32 {
            let now_ms = f64::from(n as u32 * 160 + frame * 16);
            assert_eq!(pacer_frame(ours, now_ms, NONE, NONE), core.frame_millis(now_ms).steps());
        }
        pacing_of(ours);
        pacing_set(1, 900e6, NONE, NONE);
        pacer_tell(ours, number, a, b);
        core.tell(command);
        assert_eq!(saved(ours), saved_core(&core), "{command:?}");
    }
    pacer_free(ours);
}

#[test]
fn a_rate_is_the_nearest_exact_fraction() {
    let fraction = |ticks, seconds| rate_of(ticks, seconds).then(|| (answers()[0], answers()[1]));
    assert_eq!(fraction(59.94, NONE), Some((60_000.0, 1_001.0)));
    assert_eq!(fraction(120.0, 2.0), Some((60.0, 1.0)));
    assert_eq!([fraction(0.0, NONE), fraction(60.0, 0.0), fraction(NONE, NONE)], [None; 3]);
}

/// The bytes of a pacer, without their header.
fn saved(pacer: usize) -> Vec<u8> {
    let len = pacer_save(pacer);
    assert!(len > 16);
    bytes()[16..len].to_vec()
}

fn saved_core(pacer: &Pacer) -> Vec<u8> {
    let mut room = vec![0; TEXT];
    postcard::to_slice(pacer, &mut room).expect("there is room").to_vec()
}

#[test]
fn a_restored_pacer_goes_on_where_it_was() {
    let pacer = pacer_new();
    for n in 0..200 {
        pacer_frame(pacer, f64::from(n) * 6.94, NONE, NONE);
    }
    let copy = pacer_restore(pacer_save(pacer));
    assert_ne!(copy, 0);
    for n in 200..400 {
        let now_ms = f64::from(n) * 6.94;
        assert_eq!(pacer_frame(copy, now_ms, NONE, NONE), pacer_frame(pacer, now_ms, NONE, NONE));
        assert_eq!(plan(copy), plan(pacer));
    }
    assert_eq!(saved(copy), saved(pacer));
    pacer_free(pacer);
    pacer_free(copy);
}

#[test]
fn a_damaged_save_is_refused_with_its_reason() {
    let pacer = pacer_new();
    let len = pacer_save(pacer);
    let whole = bytes();
    let refusal = |len: usize, at: usize| {
        write(&whole);
        flip(at);
        assert_eq!(pacer_restore(len), 0, "{len} bytes, damaged at {at}");
        answers()[0]
    };
    for cut in 0..len {
        assert_eq!(refusal(cut, TEXT - 1), LENGTH, "{cut} of {len} bytes");
    }
    assert_eq!(
        [refusal(len + 1, TEXT - 1), refusal(TEXT, TEXT - 1), refusal(usize::MAX, TEXT - 1)],
        [LENGTH; 3]
    );
    for at in 0..len {
        let reason = match at {
            0..6 => HEADER,
            6..8 => LENGTH,
            _ => CHECKSUM,
        };
        assert_eq!(refusal(len, at), reason, "byte {at}");
    }
    pacer_free(pacer);
}

#[test]
fn the_largest_pacer_has_room_to_be_saved() {
    // Varints grow with their numbers, so all of them are large.
    assert!(pacing_from(0, 59.94 * 1e6, 1e6));
    for setting in [1, 2, 3, 7] {
        assert!(pacing_set(setting, 1e19, NONE, NONE));
    }
    assert!(pacing_set(4, 4e9, NONE, NONE) && pacing_set(5, 4e9, NONE, NONE));
    assert!(pacing_set(10, 3_999_999_999.0, 4_000_000_001.0, NONE) && pacing_set(11, 2.0, NONE, NONE));
    let pacer = pacer_new();
    pacer_tell(pacer, 7, 1e19, NONE);
    for n in 0..2_000 {
        pacer_frame(pacer, 9e12 + f64::from(n) * 16.683_341, 9.1e12, 9.2e12);
        pacer_tell(
            pacer,
            13,
            (9e12 + f64::from(n) * 16.683_341) * 1e6,
            (9e12 + f64::from(n) * 16.683_341 + 7.1) * 1e6,
        );
    }
    pacer_frame(pacer, 1.7e13, NONE, NONE);
    pacer_tell(pacer, 5, 4e9, 0.123_456);
    pacer_tell(pacer, 4, 1e19, NONE);
    let len = pacer_save(pacer);
    assert!(len > 1_000 && len <= TEXT * 3 / 4, "{len} of {TEXT} bytes");
    let copy = pacer_restore(len);
    assert_ne!(copy, 0, "{}", answers()[0]);
    pacer_free(pacer);
    pacer_free(copy);
}

#[test]
fn a_latch_gives_each_event_to_the_tick_of_its_time() {
    assert!(pacing_from(3, 60.0, 1.0));
    let pacer = pacer_new();
    let latch = latch_new(true);
    pacer_frame(pacer, 0.0, NONE, NONE);
    assert!(latch_push(latch, 3.0) && latch_push(latch, 5.0) && latch_push(latch, 40.0));
    assert_eq!(pacer_frame(pacer, 52.0, NONE, NONE), 3);
    let taken = [0.0, 1.0, 2.0].map(|tick| (0..9).take_while(|_| latch_take(latch, pacer, tick)).count());
    assert_eq!(taken, [2, 0, 1]);
    assert_eq!((0..=LATCH_LEN).filter(|_| latch_push(latch, 60.0)).count(), LATCH_LEN);
    latch_clear(latch);
    assert!(!latch_take_until(latch, 1e9));
    latch_free(latch);
    pacer_free(pacer);
}

#[test]
fn before_the_first_frame_there_is_nothing_to_read() {
    let pacer = pacer_new();
    assert_eq!(plan(pacer), [0.0; 7]);
    assert_eq!((pacer_frame_value(pacer, 3), pacer_explain(pacer)), (0.0, 0));
    assert!(pacer_tick_end(pacer, 0.0).is_nan());
    pacer_tell(pacer, 0, 1.0, NONE);
    pacer_answers(pacer);
    assert_eq!(answers()[8], f64::from(Gate::Paused as u8));
    pacer_free(pacer);
}
