//! Runs that start inside a frame, when the player confirms after the end of the last one.

use std::time::Duration;

use evenstep::{Frame, Gate, Pacer, Pacing};
use evenstep_host::Driver;
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Input, Pad, Phase, Play, RunDef, Signal};

use crate::player::Player;
use crate::{change, playing_with, state};

const RUN: RunDef = RunDef::seeded(11);

/// Creates a game whose ship is destroyed and whose player may start the next run.
fn lost(pacing: Pacing) -> Driver<Player> {
    let mut game = playing_with(pacing, RUN);
    let mut state = state(&game).clone();
    state.phase = Phase::Dead;
    state.phase_ticks = 10_000;
    change(&mut game, |play| play.resume_from(state, Duration::ZERO));
    game
}

fn confirm(confirm: bool) -> Input {
    Input { keys: Pad { confirm, ..Pad::default() }, ..Input::default() }
}

#[test]
fn a_run_that_starts_inside_a_frame_is_told_once_and_the_pacer_counts_its_ticks() {
    for pacing in [Pacing::hz(TICK_HZ), Pacing::game_loop(), Pacing::starship()] {
        for (gap_ms, confirmed) in [(10, 0), (33, 0), (33, 1), (50, 0), (50, 1), (50, 2), (80, 0), (80, 3)] {
            let mut game = lost(pacing);
            let mut starts = 0;
            for n in 1..40 {
                let mut tick = 0;
                game.app_mut().pilot = Box::new(move |_| {
                    tick += 1;
                    confirm(n == 3 && tick > confirmed)
                });
                game.frame(Duration::from_millis(gap_ms * n));
                let signals = game.app().play.signals();
                starts += signals.iter().filter(|it| matches!(it, Signal::RunStarted { .. })).count();
                change(&mut game, Play::clear_signals);
                assert_eq!(game.pacer().tick(), state(&game).clock.tick(), "{gap_ms} ms, frame {n}");
            }
            assert_eq!(
                state(&game).runs,
                1 + starts as u32,
                "{gap_ms} ms, tick {confirmed}: each start is signalled once"
            );
        }
    }
}

#[test]
fn a_state_goes_on_at_its_own_tick() {
    let mut game = playing_with(Pacing::hz(TICK_HZ), RUN);
    for n in 1..=60 {
        game.frame(Duration::from_millis(20 * n));
    }
    let earlier = state(&game).clone();
    let tick = earlier.clock.tick();
    let mut other = playing_with(Pacing::hz(TICK_HZ), RUN);
    change(&mut other, |play| play.resume_from(earlier, Duration::from_secs(9)));
    let frame = other.frame(Duration::from_millis(9_020));
    assert_eq!(frame.first_tick(), tick);
    assert_eq!(other.pacer().tick(), state(&other).clock.tick());
}

/// A game with a pacer of its own, for tests that act between the ticks of a frame.
struct Bare {
    pacer: Pacer,
    play: Play,
}

impl Bare {
    fn new(play: Play) -> Self {
        Self { pacer: Pacer::new(Pacing::hz(TICK_HZ)), play }
    }

    fn tell(&mut self) {
        self.play.commands().for_each(|command| self.pacer.tell(command));
    }

    fn frame(&mut self, millis: u64) -> Frame {
        self.tell();
        self.pacer.frame(Duration::from_millis(millis))
    }

    fn tick(&mut self) {
        self.play.tick(Input::default(), &mut ());
    }

    fn end_frame(&mut self, frame: &Frame) {
        self.play.end_frame(frame, &mut ());
        self.tell();
    }
}

#[test]
fn a_pause_survives_a_run_that_starts_inside_a_frame_and_ends_with_one_that_the_host_starts() {
    let mut game = Bare::new(Play::launching(RunDef::seeded(3)));
    game.play.pause();
    let frame = game.frame(0);
    game.end_frame(&frame);
    assert!(game.play.is_paused() && game.pacer.gate() == Gate::Paused);
    game.play.launch(RunDef::seeded(3), None);
    game.tell();
    assert!(!game.play.is_paused() && game.pacer.gate() == Gate::Open);
}

#[test]
fn the_pacer_counts_the_ticks_of_a_run_that_starts_between_the_ticks_of_a_frame() {
    // The pacer is told at once, or at the end of the frame.
    for is_told_at_once in [true, false] {
        for ticks_before in 0..3 {
            let mut game = Bare::new(Play::in_menu());
            game.play.launch(RunDef::seeded(3), Duration::ZERO);
            let frame = game.frame(50);
            assert_eq!(frame.steps(), 3);
            (0..ticks_before).for_each(|_| game.tick());
            game.play.launch(RunDef::seeded(4), Duration::from_millis(50));
            if is_told_at_once {
                game.tell();
            }
            (ticks_before..3).for_each(|_| game.tick());
            game.end_frame(&frame);
            let ticks = 3 - ticks_before;
            assert_eq!((game.pacer.tick(), game.play.state().clock.tick()), (ticks, ticks));
        }
    }
}
