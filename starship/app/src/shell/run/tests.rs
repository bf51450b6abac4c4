//! Plays runs as a player does: with keys, clicks and buttons.

use evenstep_host::{Axis, Button, Event, Key, Pointer, PointerButton};
use starship_sim::tuning::CHOICE_WAIT;
use starship_sim::{Sim, State};

use super::*;
use crate::shell::player::Player;

fn player(store: Store, seed: Seed) -> Player {
    Player::new(store, Options { seed, ..Options::default() })
}

fn run(player: &mut Player, frames: u32) {
    player.run(frames);
}

fn event(player: &mut Player, event: Event) {
    player.event(event);
}

fn tap(player: &mut Player, key: Key) {
    player.tap(key).run(2);
}

/// Changes the state of the run.
fn change(player: &mut Player, change: impl FnOnce(&mut State)) {
    let mut state = player.app().state().clone();
    change(&mut state);
    *player.driver.app_mut().run.play.sim_mut() = Sim::from_state(state);
}

/// A run of the player in which cards are shown.
fn choosing() -> Player {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    tap(&mut player, Key::Enter);
    change(&mut player, |state| {
        state.phase = Phase::Playing;
        state.progress.xp = state.progress.xp_needed();
    });
    run(&mut player, 2);
    assert_eq!(player.app().mode(), "choosing");
    player
}

/// Which card was taken, if the run goes on.
fn taken(player: &Player, offer: [starship_sim::Upgrade; 3], before: &State) -> Option<usize> {
    let state = player.app().state();
    (state.phase == Phase::Playing)
        .then(|| offer.iter().position(|&it| state.level_of(it) > before.level_of(it)))?
}

#[test]
fn every_device_takes_the_card_that_it_means() {
    let mouse = |player: &Player, n: usize| {
        let card = crate::choice::areas(player.app().show.size, player.app().state(), false)[2 + n];
        let x = card.middle();
        let y = card.top + 5.0;
        Pointer { id: Pointer::MOUSE, x, y, button: PointerButton::Primary }
    };
    for card in 0..3 {
        for device in ["digits", "arrows", "mouse", "finger", "gamepad", "stick"] {
            let mut player = choosing();
            let before = player.app().state().clone();
            let offer = before.upgrades.offer.unwrap();
            run(&mut player, CHOICE_WAIT + 2);
            assert_eq!(taken(&player, offer, &before), None, "nothing is taken by itself");
            match device {
                "digits" => tap(&mut player, [Key::Digit1, Key::Digit2, Key::Digit3][card]),
                "arrows" => {
                    (0..card).for_each(|_| tap(&mut player, Key::ArrowRight));
                    tap(&mut player, Key::Enter);
                }
                "mouse" | "finger" => {
                    let id = if device == "mouse" { Pointer::MOUSE } else { 1 };
                    let pointer = Pointer { id, ..mouse(&player, card) };
                    event(&mut player, Event::PointerDown(pointer));
                    run(&mut player, 2);
                }
                "gamepad" => {
                    for _ in 0..card {
                        event(&mut player, Event::PadDown { pad: 0, button: Button::Right });
                        event(&mut player, Event::PadUp { pad: 0, button: Button::Right });
                    }
                    event(&mut player, Event::PadDown { pad: 0, button: Button::South });
                    run(&mut player, 2);
                }
                _ => {
                    for _ in 0..card {
                        event(&mut player, Event::PadAxis { pad: 0, axis: Axis::LeftX, value: 1.0 });
                        event(&mut player, Event::PadAxis { pad: 0, axis: Axis::LeftX, value: 0.0 });
                    }
                    event(&mut player, Event::PadDown { pad: 0, button: Button::South });
                    run(&mut player, 2);
                }
            }
            assert_eq!(taken(&player, offer, &before), Some(card), "{device}");
        }
    }
}

#[test]
fn a_boost_that_was_pressed_a_moment_too_late_takes_no_card_and_a_digit_is_kept() {
    let mut player = choosing();
    let offer = player.app().state().upgrades.offer.unwrap();
    let before = player.app().state().clone();
    tap(&mut player, Key::Space);
    run(&mut player, 2 * CHOICE_WAIT);
    assert_eq!(player.app().mode(), "choosing");

    let mut player = choosing();
    tap(&mut player, Key::Digit3);
    assert_eq!(player.app().mode(), "choosing");
    run(&mut player, 2 * CHOICE_WAIT);
    assert_eq!(taken(&player, offer, &before), Some(2));
}

#[test]
fn a_pause_covers_the_cards_and_its_keys_take_none() {
    let mut player = choosing();
    run(&mut player, 2 * CHOICE_WAIT);
    tap(&mut player, Key::KeyP);
    assert_eq!(player.app().mode(), "paused");
    for key in [Key::Digit1, Key::ArrowDown, Key::ArrowUp] {
        tap(&mut player, key);
    }
    tap(&mut player, Key::KeyP);
    run(&mut player, 5);
    assert_eq!(player.app().mode(), "choosing");
}

#[test]
fn a_lost_run_keeps_its_score_for_the_next_session_and_says_how_it_compares() {
    let mut store = Store::in_memory();
    for (score, line) in [(500, "YOUR FIRST SCORE"), (400, "YOUR BEST: 500"), (600, "NEW BEST, UP FROM 500")]
    {
        let mut player = player(store, Seed::Fixed(9));
        tap(&mut player, Key::Enter);
        change(&mut player, |state| {
            state.phase = Phase::Playing;
            state.progress.score = score;
            state.ship.hull = 1e-6;
            state.boss_room =
                Some(starship_sim::BossRoom { pos: starship_sim::Vec2::new(60.0, 60.0), ring: 1.0, age: 0 });
        });
        run(&mut player, 3);
        assert_eq!((player.app().mode(), player.app().best_line().as_str()), ("dead", line));
        store = player.leave();
    }
    assert_eq!(scores::best(&store, Difficulty::Normal, false).map(|best| best.score), Some(600));
}

#[test]
fn a_run_that_ends_in_a_single_step_ends_the_pause() {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    tap(&mut player, Key::Enter);
    change(&mut player, |state| {
        state.phase = Phase::Playing;
        state.ship.hull = 1e-6;
        state.boss_room =
            Some(starship_sim::BossRoom { pos: starship_sim::Vec2::new(60.0, 60.0), ring: 1.0, age: 0 });
    });
    tap(&mut player, Key::KeyP);
    assert_eq!(player.app().mode(), "paused");
    (0..3).for_each(|_| tap(&mut player, Key::Period));
    assert_eq!(player.app().mode(), "dead");
    // Enter starts the next run, which a pause would hold.
    run(&mut player, 600);
    tap(&mut player, Key::Enter);
    run(&mut player, 30);
    assert_eq!(player.app().mode(), "playing");
}

#[test]
fn a_run_that_is_left_keeps_its_score_and_the_autopilots_never_counts() {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    tap(&mut player, Key::Enter);
    change(&mut player, |state| state.progress.score = 70);
    tap(&mut player, Key::KeyP);
    // The entry before the last returns to the title.
    tap(&mut player, Key::ArrowUp);
    tap(&mut player, Key::ArrowUp);
    tap(&mut player, Key::Enter);
    assert_eq!(player.app().mode(), "title");
    change(&mut player, |state| state.progress.score = 9_999);
    tap(&mut player, Key::Enter);
    let best = scores::best(&player.app().store, Difficulty::Normal, false);
    assert_eq!(best.map(|best| best.score), Some(70), "the run behind the title does not count");
}

#[test]
fn a_page_that_is_hidden_in_a_run_has_kept_its_score() {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    tap(&mut player, Key::Enter);
    change(&mut player, |state| state.progress.score = 70);
    event(&mut player, Event::Hidden);
    let best = scores::best(&player.app().store, Difficulty::Normal, false);
    assert_eq!(best.map(|best| best.score), Some(70));
}

#[test]
fn leaving_full_screen_by_other_means_is_kept_and_a_slow_start_is_not() {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    let kept = |player: &Player| player.app().store.get("setting.fullscreen").map(str::to_owned);
    tap(&mut player, Key::F11);
    assert_eq!(kept(&player).as_deref(), Some("on"), "the window is not full yet");
    player.driver.set_fullscreen(true);
    run(&mut player, 2);
    assert_eq!(kept(&player).as_deref(), Some("on"));
    player.driver.set_fullscreen(false);
    run(&mut player, 2);
    assert_eq!(kept(&player).as_deref(), Some("off"));
}

#[test]
fn the_difficulty_is_chosen_on_the_title_and_kept() {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    (0..2).for_each(|_| tap(&mut player, Key::ArrowDown));
    tap(&mut player, Key::ArrowRight);
    assert_eq!(player.app().mode(), "title");
    (0..2).for_each(|_| tap(&mut player, Key::ArrowUp));
    tap(&mut player, Key::Enter);
    assert_eq!((player.app().mode(), player.app().state().run.difficulty), ("playing", Difficulty::Hard));
    let shell = Shell::new(Options::default(), player.leave());
    assert_eq!(shell.state().run.difficulty, Difficulty::Hard);
}

#[test]
fn the_daily_challenge_has_the_seed_of_the_day_and_random_runs_differ() {
    let mut player = player(Store::in_memory(), Seed::Random);
    tap(&mut player, Key::ArrowDown);
    tap(&mut player, Key::Enter);
    let run = player.app().state().run;
    assert_eq!((run.seed, run.repeats), (Date::today().seed(), true));
    let seeds: std::collections::BTreeSet<u64> =
        (0..8).map(|_| Shell::new(Options::default(), Store::in_memory()).state().run.seed).collect();
    assert!(seeds.len() > 4, "{seeds:?}");
}

#[test]
fn hints_and_scores_never_change_the_game() {
    let mut player = player(Store::in_memory(), Seed::Fixed(9));
    tap(&mut player, Key::Enter);
    let mut sim = Sim::from_state(player.app().state().clone());
    run(&mut player, 400);
    let ticks = player.app().state().clock.tick() - sim.state().clock.tick();
    // The shell always has a gamepad, at rest.
    let rest = starship_sim::Input { gamepad: Some(starship_sim::Pad::default()), ..Default::default() };
    (0..ticks).for_each(|_| sim.tick(rest, &mut ()));
    assert_eq!(sim.state().hash(), player.app().state().hash());
}
