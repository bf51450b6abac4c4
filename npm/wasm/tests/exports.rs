//! The exported functions, called natively as JavaScript calls them, beside a pacer of the core.

use core::time::Duration;

use evenstep::{Channel, DisplayLock, Gate, Pacer, Pacing, Rate};
use evenstep_npm::*;

const NONE: f64 = f64::NAN;

/// A buffer of the module, which JavaScript sees as a typed array.
#[expect(unsafe_code, reason = "JavaScript reads the module's memory")]
fn read(address: usize, len: usize) -> Vec<f64> {
    let at = core::ptr::with_exposed_provenance::<f64>(address);
    // SAFETY: slots and buffers live as long as their thread, and nothing writes to them now.
    (0..len).map(|n| unsafe { at.add(n).read() }).collect()
}

fn plan(pacer: usize) -> Vec<f64> {
    read(pacer, 7)
}

fn answers() -> Vec<f64> {
    read(numbers(), NUMBERS)
}

#[test]
fn a_frame_is_the_cores_frame_in_milliseconds() {
    assert!(pacing_from(3, 60.0, NONE));
    let (ours, mut core) = (pacer_new(), Pacer::new(Pacing::game_loop()));
    for n in 0..1_000_u32 {
        if n % 100 == 7 {
            pacer_hitstop(ours, 4, 0.25);
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
    assert!(pacing_from(0, 60.0, NONE) && pacing_set(7, 10.0, NONE, NONE));
    let (ours, mut core) = (pacer_new(), Pacer::new(Pacing::hz(60).with_budget(ms(10))));
    pacer_frame(ours, 0.0, NONE, NONE);
    core.frame(ms(0));
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
        (1, 900.0, NONE, NONE),
        (2, f64::INFINITY, NONE, NONE),
        (3, 400.0, NONE, NONE),
        (4, 9.0, NONE, NONE),
        (5, 7.0, NONE, NONE),
        (6, 2.0, NONE, NONE),
        (7, 12.0, NONE, NONE),
        (8, 1.0, NONE, NONE),
        (9, 0.25, NONE, NONE),
        (10, 30.0, NONE, NONE),
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
    assert!(pacing_from(0, 60.0, NONE));
    for (setting, a, b, c) in settings {
        assert!(pacing_set(setting, a, b, c), "{setting}");
    }
    let pacer = pacer_new();
    pacer_save(pacer);
    let saved: Vec<u8> = read(text(), TEXT / 8).iter().flat_map(|word| word.to_ne_bytes()).collect();
    assert_eq!(Pacer::restore(&saved).expect("saved just now").pacing(), wanted);
    pacer_free(pacer);
}

#[test]
fn what_is_out_of_range_is_refused_and_changes_nothing() {
    assert!(pacing_from(0, 60.0, NONE));
    for (setting, a, b, c) in [
        (0, 0.0, NONE, NONE),
        (0, 2e6, NONE, NONE),
        (0, 60.0, 0.0, NONE),
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
    assert!(!pacing_from(4, 60.0, NONE) && !pacing_from(0, NONE, NONE));
    let pacer = pacer_new();
    pacer_answers(pacer);
    assert_eq!(answers()[9..11], [60.0, 1.0]);
    pacer_free(pacer);
}

#[test]
fn a_damaged_save_is_refused_with_its_reason() {
    let pacer = pacer_new();
    pacer_save(pacer);
    let copy = pacer_restore(TEXT);
    assert_ne!(copy, 0);
    assert_eq!(pacer_restore(100), 0);
    assert_eq!(answers()[0], 1.0);
    pacer_free(pacer);
    pacer_free(copy);
}

#[test]
fn a_latch_gives_each_event_to_the_tick_of_its_time() {
    assert!(pacing_from(3, 60.0, NONE));
    let (pacer, latch) = (pacer_new(), latch_new(true));
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
    pacer_set_gate(pacer, 1);
    pacer_answers(pacer);
    assert_eq!(answers()[8], f64::from(Gate::Paused as u8));
    pacer_free(pacer);
}
