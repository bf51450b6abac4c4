//! Stalls, the cap on steps per frame, and the accumulators.

use evenstep::{Outcome, Pacing};

use super::{RUN, frame, ms, original_game};
use crate::{change, playing_with, state};

#[test]
fn a_gap_above_200_ms_empties_both_accumulators_and_simulates_nothing() {
    let mut game = original_game();
    frame(&mut game, 16);
    let frame = frame(&mut game, 16 + 201);
    assert_eq!((frame.outcome(), frame.steps(), frame.alpha()), (Outcome::Stalled, 0, 0.0));
    assert_eq!(game.pacer().ledger().pending_ns, 0);
    assert_eq!(state(&game).physics.alpha(), 0.0);
    assert_eq!(super::frame(&mut game, 16 + 201 + 16).steps(), 0, "16 ms are no step, and nothing was left");
}

#[test]
fn a_gap_of_200_ms_is_a_frame_of_33_ms() {
    let mut game = original_game();
    let frame = frame(&mut game, 200);
    assert_eq!((frame.raw_dt(), frame.steps()), (ms(33), 1));
}

#[test]
fn four_steps_are_the_cap_at_normal_speed_and_sixteen_at_four_times_test_speed() {
    for (speed, cap) in [(1.0, 4), (4.0, 16)] {
        let unlimited = Pacing::starship().with_longest_frame(None);
        let mut game = playing_with(unlimited, RUN);
        change(&mut game, |play| play.set_speed(speed));
        assert_eq!(frame(&mut game, 190).steps(), if speed > 1.0 { 15 } else { cap });
        let frame = frame(&mut game, 380);
        assert!(frame.steps() <= cap, "{} steps", frame.steps());
    }
}

#[test]
fn what_the_cap_refuses_is_drained() {
    let mut game = playing_with(Pacing::starship().with_longest_frame(None), RUN);
    let frame = frame(&mut game, 190);
    assert_eq!((frame.steps(), frame.alpha()), (4, 0.0));
    assert_eq!(state(&game).clock.tick(), 4);
}

#[test]
fn the_cap_that_drops_time_leaves_the_game_itself_as_it_is() {
    let hash_after = |pacing: Pacing, gap: u64| {
        let mut game = playing_with(pacing, RUN);
        let mut at = 0;
        while state(&game).clock.tick() < 60 {
            at += gap;
            frame(&mut game, at);
        }
        (state(&game).clock.tick(), state(&game).hash())
    };
    let capped = Pacing::starship().with_longest_frame(None);
    assert_eq!(hash_after(capped, 190), hash_after(Pacing::hz(60), 10));
}
