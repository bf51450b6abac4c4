//! Rewinds, watches and takes over as a player does: with keys, fingers and dropped files.

use evenstep_host::PointerButton;
use starship_sim::{Difficulty, Phase, Turn, record_autopilot};

use super::*;
use crate::scores;
use crate::shell::Options;
use crate::shell::player::Player;
use crate::store::Store;

fn player(mut options: Options) -> Player {
    options.seed = Seed::Fixed(9);
    Player::new(Store::in_memory(), options)
}

/// Watches a recording of the autopilot.
fn watching(file: &[u8], options: Options) -> Player {
    let mut player = player(options);
    player.drop_file(file);
    player
}

impl Player {
    fn drop_file(&mut self, file: &[u8]) {
        self.driver.app_mut().watch_soon(read(file, Check::Strict).expect("a recording"));
        self.run(1);
    }

    /// Taps with a finger.
    fn touch(&mut self, area: crate::layout::Area) {
        let x = area.middle();
        let y = area.top + area.height / 2.0;
        let finger = Pointer { id: 7, x, y, button: PointerButton::Primary };
        self.event(Event::PointerDown(finger));
        self.event(Event::PointerUp(finger));
    }

    fn tick(&self) -> u64 {
        self.app().state().clock.tick()
    }

    fn best(&self) -> Option<u64> {
        scores::best(&self.app().store, Difficulty::Normal, false).map(|best| best.score)
    }
}

fn sandbox() -> Options {
    Options { sandbox: true, ..Options::default() }
}

#[test]
fn holding_r_stops_at_the_start_of_the_run_and_time_goes_on_from_there() {
    let mut player = player(sandbox());
    player.run(200);
    // On the title screen, R does nothing to the demo.
    let demo = player.tick();
    player.event(Event::KeyDown(Key::KeyR));
    player.run(50);
    player.event(Event::KeyUp(Key::KeyR));
    assert_eq!(player.tick(), demo + 50);
    player.tap(Key::Enter);
    player.run(300);
    let runs = player.app().state().runs;
    // Far longer than the run and the demo before it.
    player.event(Event::KeyDown(Key::KeyR));
    player.run(400);
    let state = player.app().state();
    assert_eq!((state.runs, state.clock.tick(), state.phase), (runs, 1, Phase::Birth));
    player.event(Event::KeyUp(Key::KeyR));
    player.run(60);
    assert!(player.tick() > 50, "time goes on: {}", player.tick());
    let minute = read(&player.app().last_minute().expect("a ring"), Check::Strict).expect("a recording");
    let verdict = evenstep_replay::verify(&minute, &mut Sim::before_any_run(), |_| ());
    assert!(matches!(verdict, Ok(evenstep_replay::Verdict::Same { .. })), "{verdict:?}");
}

#[test]
fn a_player_who_flies_with_r_flies_with_it_in_a_sandbox_too() {
    let mut player = player(sandbox());
    player.driver.app_mut().settings.keys.choose(crate::settings::Action::Up, Key::KeyR).expect("R is free");
    player.tap(Key::Enter);
    player.run(100);
    let tick = player.tick();
    let y = player.app().state().ship.pos().y;
    player.event(Event::KeyDown(Key::KeyR));
    player.run(60);
    assert!(player.tick() > tick, "time goes on");
    assert!(player.app().state().ship.pos().y > y + 1.0, "and the ship flies");
}

#[test]
fn holding_r_over_a_full_ring_stops_at_its_oldest_tick() {
    let mut player = player(Options { autopilot: true, ..sandbox() });
    player.run(4_500);
    let last = player.tick();
    player.event(Event::KeyDown(Key::KeyR));
    player.run(2_500);
    let first = player.tick();
    assert!((3_600..4_000).contains(&(last - first)), "{first} to {last}");
    player.event(Event::KeyUp(Key::KeyR));
    player.run(100);
    assert!(player.tick() > first + 90, "time goes on: {first} to {}", player.tick());
}

#[test]
fn a_score_from_a_recording_is_not_the_players() {
    let (file, _) = record_autopilot(7, 3_000);
    let mut player = watching(&file, Options::default());
    player.tap(Key::End);
    assert!(player.app().state().progress.score > 0, "the recording has a score");
    player.tap(Key::Enter);
    player.run(30);
    assert_eq!(player.app().watched_tick(), None, "taken over");
    // To the title: leaving a run keeps its score.
    player.tap(Key::Escape);
    player.driver.app_mut().keep_score();
    assert_eq!(player.best(), None);
}

#[test]
fn a_file_dropped_in_a_run_keeps_its_score_and_closes_its_menus() {
    let mut player = player(Options::default());
    player.tap(Key::Enter);
    player.run(30);
    let mut state = player.app().state().clone();
    state.progress.score = 123;
    *player.driver.app_mut().run.play.sim_mut() = Sim::from_state(state);
    player.tap(Key::KeyP);
    player.driver.app_mut().menus.opened = Some(crate::menu::Menu::Settings);
    player.drop_file(&record_autopilot(7, 300).0);
    assert_eq!((player.best(), player.app().menu()), (Some(123), None));
    let at = player.app().watched_tick();
    player.run(30);
    assert!(player.app().watched_tick() > at, "it plays");
}

#[test]
fn alt_and_enter_do_not_take_over() {
    let mut player = watching(&record_autopilot(7, 300).0, Options::default());
    player.event(Event::KeyDown(Key::AltLeft));
    player.tap(Key::Enter);
    assert!(player.app().settings.is_fullscreen && player.app().watched_tick().is_some());
    player.event(Event::KeyUp(Key::AltLeft));
    player.tap(Key::Enter);
    assert_eq!(player.app().watched_tick(), None);
}

#[test]
fn fingers_pause_take_over_and_leave_a_recording() {
    let options = || Options { has_touch: true, ..Options::default() };
    let (file, _) = record_autopilot(7, 600);
    let mut player = watching(&file, options());
    player.run(20);
    let [overlay, pause] = player.app().buttons(player.app().show.size).expect("buttons for fingers");
    player.touch(pause);
    assert_eq!(player.app().mode(), "paused");
    player.touch(pause);
    assert_eq!(player.app().mode(), "playing");
    player.touch(overlay);
    assert!(player.app().settings.has_overlay);
    let [leave, play_on] = watch::buttons(player.app().show.size);
    player.touch(play_on);
    assert_eq!((player.app().watched_tick(), player.app().mode()), (None, "playing"));
    let mut player = watching(&file, options());
    player.touch(leave);
    player.run(2);
    assert_eq!((player.app().watched_tick(), player.app().mode()), (None, "title"));
}

#[test]
fn buttons_while_watching_cover_neither_each_other_nor_the_bar() {
    let player = watching(&record_autopilot(7, 60).0, Options { has_touch: true, ..Options::default() });
    for size in [(1280.0, 720.0), (390.0, 844.0), (844.0, 390.0), (320.0, 240.0)] {
        let usual = player.app().buttons(size).expect("buttons for fingers");
        let all = [usual, watch::buttons(size)].concat();
        for (n, one) in all.iter().enumerate() {
            assert!(all[n + 1..].iter().all(|other| !one.meets(*other)), "{size:?}: {all:?}");
            let lowest = [one.middle(), one.bottom() - 1.0];
            assert!(!is_on_bar(size, lowest) && one.top > 0.0, "{size:?}: {one:?}");
        }
    }
}

#[test]
fn d_k_and_b_jump_to_the_marks_and_say_if_there_is_none() {
    let (file, _) = record_autopilot(7, 7_200);
    let recording = read(&file, Check::Strict).expect("a recording");
    let first_of = |label| recording.marks().find(|mark| mark.label == label).map(|mark| mark.tick);
    let mut player = watching(&file, Options::default());
    player.tap(Key::KeyP);
    for (key, label) in [(Key::KeyD, "damage"), (Key::KeyB, "boss"), (Key::KeyK, "death")] {
        player.tap(Key::Home);
        let start = player.app().watched_tick();
        player.tap(key);
        let expected = first_of(label).or(start);
        assert_eq!(player.app().watched_tick(), expected, "{label}");
        if first_of(label).is_none() {
            let (notice, _) = player.app().show.notice.clone().expect("a notice");
            assert_eq!(notice, "NOTHING LIKE THAT IN THIS RECORDING");
        }
    }
    assert!(first_of("damage").is_some() && first_of("boss").is_some());
    // The second press finds the second mark.
    let second = recording.marks().filter(|mark| mark.label == "damage").map(|mark| mark.tick);
    let second = second.into_iter().find(|&tick| Some(tick) > first_of("damage"));
    player.tap(Key::Home);
    player.tap(Key::KeyD);
    player.tap(Key::KeyD);
    assert_eq!(player.app().watched_tick(), second.or_else(|| first_of("damage")));
}

#[test]
fn brackets_change_the_speed_of_a_recording() {
    let mut player = watching(&record_autopilot(7, 900).0, Options::default());
    let ticks_in_a_second = |player: &mut Player| {
        let from = player.app().watched_tick().expect("a recording");
        player.run(60);
        player.app().watched_tick().expect("a recording") - from
    };
    assert!((58..=62).contains(&ticks_in_a_second(&mut player)));
    player.tap(Key::BracketLeft);
    assert!((28..=32).contains(&ticks_in_a_second(&mut player)));
    player.tap(Key::BracketRight);
    player.tap(Key::BracketRight);
    assert!(ticks_in_a_second(&mut player) > 70);
}

#[test]
fn a_recording_without_an_end_is_watched_up_to_where_it_is_damaged() {
    let (file, _) = record_autopilot(7, 600);
    let cut = &file[..file.len() - 40];
    let last = read(cut, Check::Strict).expect("a recording").last_tick();
    let mut player = watching(cut, Options::default());
    player.run(700);
    assert_eq!((player.app().watched_tick(), player.app().mode()), (Some(last), "paused"));
    assert_eq!(player.app().state().hash(), record_autopilot(7, last).1);
}

#[test]
fn a_recording_into_a_file_that_ends_early_says_so() {
    let path = std::env::temp_dir().join(format!("starship-early-{}.replay", std::process::id()));
    for is_watched in [true, false] {
        let mut player = player(Options { autopilot: true, ..sandbox() });
        let file = std::fs::File::create(&path).expect("a file");
        player.driver.app_mut().record(file);
        player.run(100);
        if is_watched {
            player.drop_file(&record_autopilot(7, 60).0);
        } else {
            player.event(Event::KeyDown(Key::KeyR));
            player.run(2);
        }
        let (notice, _) = player.app().show.notice.clone().expect("a notice");
        assert!(notice.starts_with("RECORDING ENDED: "), "{notice}");
        assert_eq!(player.driver.app_mut().end_recording(), None, "that is no failure");
        let bytes = std::fs::read(&path).expect("the file");
        assert!(read(&bytes, Check::Strict).expect("a recording").is_complete());
    }
    std::fs::remove_file(path).expect("the file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_recording_names_its_cause_when_the_game_ends() {
    let mut player = player(Options { autopilot: true, ..Options::default() });
    let full = std::fs::File::create("/dev/full").expect("a device");
    player.driver.app_mut().record(full);
    player.run(10);
    assert!(player.tick() > 5, "the game goes on");
    let (notice, _) = player.app().show.notice.clone().expect("a notice");
    assert!(notice.starts_with("RECORDING ENDED: ") && notice.ends_with("(os error 28)"), "{notice}");
    let failure = player.driver.app_mut().end_recording().expect("it is full");
    assert!(failure.ends_with("(os error 28)"), "{failure}");
}

#[test]
fn a_window_that_fails_keeps_the_score_and_ends_the_recording() {
    let path = std::env::temp_dir().join(format!("starship-failed-{}.replay", std::process::id()));
    std::fs::write(&path, "what was there before").expect("a file");
    let mut player = player(Options::default());
    player.driver.app_mut().record(crate::files::open(&path).expect("a file"));
    assert_eq!(std::fs::read(&path).expect("the file"), b"what was there before", "until a game runs");
    player.tap(Key::Enter);
    player.run(100);
    // As a host does that has lost its window.
    drop(player);
    assert!(
        read(&std::fs::read(&path).expect("the file"), Check::Strict).expect("a recording").is_complete()
    );
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn a_recording_that_cannot_be_watched_leaves_the_run_alone() {
    let file = record_autopilot(7, 600).0;
    let empty = {
        let whole = Recording::read(&file[..]).expect("a recording");
        let mut empty = Vec::new();
        evenstep_replay::trim(&whole, 0..0, &mut empty).expect("memory can be written");
        empty
    };
    for nothing in [&file[..file.len() / 20], &empty] {
        let mut player = player(Options::default());
        player.tap(Key::Enter);
        player.run(100);
        let seed = player.app().state().run.seed;
        let tick = player.tick();
        player.drop_file(nothing);
        let (notice, _) = player.app().show.notice.clone().expect("a notice");
        assert!(notice.contains("RECORDING") || notice.contains("SNAPSHOT"), "{notice}");
        player.run(10);
        assert_eq!((player.app().watched_tick(), player.app().state().run.seed), (None, seed));
        assert!(player.tick() > tick, "the run goes on");
    }
    // One that is damaged further on is watched up to there, and that is said.
    let mut player = watching(&file[..file.len() - 5], Options::default());
    assert!(player.app().watched_tick().is_some());
    let (notice, _) = player.app().show.notice.clone().expect("a notice");
    assert!(notice.starts_with("DAMAGED: "), "{notice}");
    player.run(700);
    assert_eq!(player.app().mode(), "paused", "at its end");
}

#[test]
fn to_restart_after_a_take_over_is_to_play_the_recorded_run() {
    let run = RunDef { difficulty: Difficulty::Hard, sandbox: true, ..RunDef::seeded(4) };
    let mut sim = Sim::before_any_run();
    let mut writer = evenstep_replay::RecordingWriter::new(Vec::new(), Sim::replay_header(), &sim)
        .expect("memory can be written");
    for tick in 0..100 {
        let turn = if tick == 0 { Turn::launching(run) } else { Turn::default() };
        writer.tick(&turn, &sim);
        evenstep_replay::Simulation::step(&mut sim, &turn);
    }
    let file = writer.finish(&sim).expect("memory can be written");
    let mut player = watching(&file, Options::default());
    player.run(50);
    player.tap(Key::Enter);
    player.run(5);
    // Pause, then restart.
    player.tap(Key::KeyP);
    player.tap(Key::ArrowDown);
    player.tap(Key::Enter);
    player.run(3);
    let restarted = player.app().state().run;
    assert!(player.tick() < 10, "from the start: {}", player.tick());
    let what = |run: RunDef| (run.seed, run.difficulty, run.sandbox);
    assert_eq!(what(restarted), what(run));
    // The player's own next run is as they have chosen it.
    player.tap(Key::KeyP);
    player.tap(Key::ArrowUp);
    player.tap(Key::ArrowUp);
    player.tap(Key::Enter);
    player.run(3);
    assert_eq!(player.app().mode(), "title");
    player.tap(Key::Enter);
    player.run(3);
    assert_eq!(what(player.app().state().run), (9, Difficulty::Normal, false));
}

#[test]
fn a_recording_of_another_version_is_refused_by_name_and_can_be_forced() {
    let sim = Sim::before_any_run();
    let mut header = Sim::replay_header();
    header.game_version = "0.0.1".to_owned();
    let file =
        evenstep_replay::RecordingWriter::new(Vec::new(), header, &sim).expect("memory can be written");
    let file = file.finish(&sim).expect("memory can be written");
    let refused = read(&file, Check::Strict).expect_err("another version");
    assert!(
        refused.starts_with("recorded with game version 0.0.1") && refused.contains("--force"),
        "{refused}"
    );
    assert!(read(&file, Check::Forced).is_ok());
}
