use evenstep::Rate;
use evenstep_host::{Axis, Button, Event};

use super::*;
use crate::seeds::Seed;
use crate::settings::{Flash, Settings};
use crate::shell::Options;
use crate::shell::player::Player;
use crate::store::Store;

impl Player {
    /// Presses a key for a frame.
    fn key(&mut self, key: Key) -> &mut Self {
        self.tap(key).run(1)
    }

    fn button(&mut self, button: Button) -> &mut Self {
        self.event(Event::PadDown { pad: 0, button }).event(Event::PadUp { pad: 0, button }).run(1)
    }

    /// Opens the settings from the title screen.
    fn open_settings(&mut self) -> &mut Self {
        let place = Menu::Title.entries().iter().position(|&entry| entry == Entry::Settings);
        (0..place.expect("an entry")).for_each(|_| {
            self.key(Key::ArrowDown);
        });
        self.key(Key::Enter)
    }
}

fn player() -> Player {
    Player::new(Store::in_memory(), Options { seed: Seed::Fixed(9), ..Options::default() })
}

#[test]
fn a_setting_that_is_changed_with_keys_holds_at_once_and_in_the_next_session() {
    let mut player = player();
    player.open_settings();
    assert_eq!(player.app().menu(), Some(Menu::Settings), "from the title");
    player.key(Key::ArrowLeft).key(Key::ArrowLeft);
    assert_eq!(player.app().settings.flash, Flash::Off);
    player.key(Key::ArrowDown).key(Key::ArrowDown).key(Key::ArrowLeft);
    assert_eq!((player.app().settings.speed, player.driver.pacer().scale()), (0.5, 0.5));
    player.key(Key::ArrowDown).key(Key::Enter).key(Key::ArrowDown).key(Key::Space);
    let pacing = player.driver.pacer().pacing();
    assert_eq!(pacing, pacing.with_display_lock(evenstep::DisplayLock::Off), "the lock is off");
    assert_eq!(pacing, pacing.with_draw_rate(Some(Rate::hz(30))), "the cap holds");
    player.key(Key::Escape);
    assert_eq!(player.app().menu(), Some(Menu::Title));
    let kept = player.app().settings.clone();

    let next = Player::new(player.leave(), Options { seed: Seed::Fixed(9), ..Options::default() });
    assert_eq!(next.app().settings, kept);
    assert_eq!(next.driver.pacer().pacing(), pacing);
    assert_eq!(next.driver.pacer().scale(), 0.5);
}

#[test]
fn the_command_line_wins_over_what_was_kept_and_is_not_kept() {
    let mut player = player();
    player.key(Key::BracketLeft).key(Key::F1);
    let given = Options { seed: Seed::Fixed(9), speed: Some(1.0), fps_cap: Some(50.0), ..Options::default() };
    let mut player = Player::new(player.leave(), given);
    assert_eq!((player.app().settings.speed, player.app().settings.fps_cap), (1.0, Some(50.0)));
    assert!(player.app().settings.has_overlay, "what is not given is as it was kept");
    player.key(Key::KeyL);
    let player = Player::new(player.leave(), Options::default());
    let settings = &player.app().settings;
    assert_eq!((settings.speed, settings.fps_cap, settings.has_lock), (0.5, None, false));
}

#[test]
fn a_gamepad_opens_the_settings_and_changes_them() {
    let mut player = player();
    player.button(Button::South).run(30);
    assert_eq!(player.app().mode(), "playing");
    player.button(Button::Start).button(Button::Down);
    // A stick moves the selection once for each push.
    for value in [0.7, 0.9, 1.0, 0.1, 0.0] {
        player.event(Event::PadAxis { pad: 0, axis: Axis::LeftY, value }).run(1);
    }
    player.button(Button::South);
    assert_eq!(player.app().menu(), Some(Menu::Settings));
    player.button(Button::Down).button(Button::Left);
    assert_eq!(player.app().settings.shake, 50);
    player.button(Button::East);
    assert_eq!((player.app().menu(), player.app().menus.selected), (Some(Menu::Pause), 2));
    player.button(Button::Start).run(1);
    assert_eq!(player.app().mode(), "playing");
}

#[test]
fn f11_and_alt_enter_ask_for_full_screen_and_start_nothing() {
    let mut player = player();
    player.event(Event::KeyDown(Key::F11)).event(Event::KeyUp(Key::F11));
    assert_eq!(player.driver.take_requests().fullscreen, Some(true));
    player.driver.set_fullscreen(true);
    player.run(1).event(Event::KeyDown(Key::AltLeft)).event(Event::KeyDown(Key::Enter));
    assert_eq!(player.driver.take_requests().fullscreen, Some(false));
    player.event(Event::KeyUp(Key::Enter)).event(Event::KeyUp(Key::AltLeft)).run(1);
    assert_eq!(player.app().mode(), "title");
    player.key(Key::Enter);
    assert_eq!(player.app().mode(), "playing", "Enter alone launches");
}

#[test]
fn a_new_key_steers_and_the_old_one_does_not() {
    let mut player = player();
    player.open_settings().key(Key::ArrowUp).key(Key::ArrowUp).key(Key::Enter);
    assert_eq!(player.app().menu(), Some(Menu::Keys));
    for _ in 0..3 {
        player.key(Key::ArrowDown);
    }
    player.key(Key::Enter).key(Key::F1);
    assert!(player.app().show.notice.is_some(), "F1 is taken");
    assert!(!player.app().settings.has_overlay, "a key that is being chosen does nothing else");
    player.key(Key::Enter).key(Key::KeyK);
    assert_eq!(player.app().settings.keys.of(Action::Right), Key::KeyK);
    player.key(Key::Escape).key(Key::Escape);
    while player.app().menus.selected > 0 {
        player.key(Key::ArrowUp);
    }
    player.key(Key::Enter).run(30);
    let from = player.app().state().ship.pos().x;
    player.event(Event::KeyDown(Key::KeyD)).run(30).event(Event::KeyUp(Key::KeyD)).run(1);
    assert!((player.app().state().ship.pos().x - from).abs() < 0.5, "the old key rests");
    player.event(Event::KeyDown(Key::KeyK)).run(30);
    assert!(player.app().state().ship.pos().x > from + 1.0, "the new key steers");
    let next = Player::new(player.leave(), Options::default());
    assert_eq!(next.app().settings.keys.of(Action::Right), Key::KeyK);
}

#[test]
fn any_key_that_can_be_chosen_for_a_pause_pauses() {
    for key in [Key::Space, Key::KeyW, Key::KeyR, Key::Backspace] {
        let mut player = player();
        player.driver.app_mut().bind(Action::Pause, key);
        player.key(Key::Enter).run(30);
        assert_eq!(player.app().mode(), "playing");
        player.key(key);
        assert_eq!(player.app().mode(), "paused", "{key:?}");
    }
}

#[test]
fn r_that_is_released_while_the_settings_wait_for_a_key_ends_the_rewinding() {
    let options = Options { seed: Seed::Fixed(9), sandbox: true, ..Options::default() };
    let mut player = Player::new(Store::in_memory(), options);
    player.key(Key::Enter).run(300).event(Event::KeyDown(Key::KeyR)).run(10).key(Key::KeyP);
    player.driver.app_mut().menus.binding = Some(Action::Up);
    player.event(Event::KeyUp(Key::KeyR)).key(Key::Escape).key(Key::KeyP);
    let before = player.app().state().clock.tick();
    player.run(30);
    assert!(player.app().state().clock.tick() > before);
}

#[test]
fn sound_is_heard_and_never_touches_the_simulation() {
    let options = Options { seed: Seed::Fixed(9), autopilot: true, ..Options::default() };
    let mut store = Store::in_memory();
    let muted = Settings { is_muted: true, ..Settings::default() };
    muted.keep(Item::Mute, &mut store);
    let mut silent = Player::new(store, options.clone());
    let mut loud = Player::new(Store::in_memory(), options);
    silent.run(1_200);
    loud.run(1_200);
    assert_eq!(silent.app().speaker().started(), 0);
    assert!(loud.app().speaker().started() > 50, "{}", loud.app().speaker().started());
    assert_eq!(loud.app().state().hash(), silent.app().state().hash());
}

#[test]
fn the_mouse_cursor_is_hidden_in_flight_only() {
    let mut player = player();
    player.key(Key::Enter);
    assert_eq!(player.driver.take_requests().is_cursor_visible, Some(false));
    player.key(Key::KeyP);
    assert_eq!(player.driver.take_requests().is_cursor_visible, Some(true));
}

#[test]
fn less_motion_is_calm_from_the_first_frame() {
    let options = Options { less_motion: true, ..Options::default() };
    let calm = Player::new(Store::in_memory(), options);
    assert_eq!((calm.app().settings.flash, calm.app().settings.shake), (Flash::Off, 0));
    assert_eq!(calm.app().show.effects.shake(1.0), starship_sim::Vec2::ZERO);
}
