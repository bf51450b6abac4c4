use evenstep_host::Key;

use super::keys::name;
use super::*;

#[test]
fn what_a_player_changes_is_there_in_the_next_session() {
    let mut store = Store::in_memory();
    let mut settings = Settings::default();
    for item in Item::ALL {
        settings.cycle(item);
        settings.keep(item, &mut store);
    }
    settings.keys.choose(Action::Boost, Key::KeyB).expect("B is free");
    settings.keys.keep(&mut store);
    assert_eq!(Settings::default().kept(&store), settings);
    for item in Item::ALL {
        assert_ne!(settings.value(item), Settings::default().value(item), "{item:?} can change");
    }
}

#[test]
fn only_what_was_changed_is_kept() {
    let mut store = Store::in_memory();
    let mut given = Settings { speed: 0.25, ..Settings::default() };
    given.step(Item::Shake, false);
    given.keep(Item::Shake, &mut store);
    let next = Settings::default().kept(&store);
    assert_eq!((next.speed, next.shake), (1.0, 50), "a speed from the command line is for one run");
}

#[test]
fn a_damaged_store_gives_the_defaults() {
    let mut store = Store::in_memory();
    for item in Item::ALL {
        for text in ["", "NaN", "-1", "1e999", "2555", "yes", "\u{1F600}"] {
            store.set(item.key(), text);
            assert_eq!(Settings::default().kept(&store), Settings::default(), "{item:?} {text:?}");
        }
    }
    for text in ["F11", "ArrowUp", "Hyperspace", ""] {
        store.set("key.boost", text);
        assert_eq!(Settings::default().kept(&store).keys, Keys::default(), "{text:?}");
    }
}

#[test]
fn less_motion_is_a_default_that_a_player_can_overrule() {
    let calm = Settings::with_less_motion();
    assert_eq!((calm.flash, calm.shake), (Flash::Off, 0));
    let mut store = Store::in_memory();
    assert_eq!(calm.clone().kept(&store), calm);
    store.set(Item::Shake.key(), "100");
    assert_eq!(calm.kept(&store).shake, 100);
}

#[test]
fn a_confirmation_reaches_every_value_and_starts_again() {
    for item in Item::ALL {
        let mut settings = Settings::default();
        let start = settings.value(item);
        let mut seen = 1;
        loop {
            settings.cycle(item);
            if settings.value(item) == start || seen > 20 {
                break;
            }
            seen += 1;
        }
        let values = match item {
            Item::Flash | Item::Shake => 3,
            Item::Speed => SPEEDS.len(),
            Item::FpsCap => FPS_CAPS.len() + 1,
            Item::Volume => 11,
            Item::Lock | Item::Fullscreen | Item::Overlay | Item::Mute => 2,
        };
        assert_eq!(seen, values, "{item:?}");
    }
}

#[test]
fn lists_end_in_both_directions() {
    let mut settings = Settings { speed: 0.3, fps_cap: Some(59.94), ..Settings::default() };
    settings.step(Item::Speed, true);
    settings.step(Item::FpsCap, true);
    assert_eq!((settings.speed, settings.fps_cap), (0.5, Some(60.0)), "a value between two steps");
    (0..20).for_each(|_| settings.step(Item::FpsCap, true));
    assert_eq!(settings.fps_cap, None);
    (0..20).for_each(|_| settings.step(Item::FpsCap, false));
    assert_eq!(settings.fps_cap, Some(30.0));
    (0..20).for_each(|_| settings.step(Item::Volume, true));
    assert_eq!(settings.volume, 100);
    settings.is_muted = true;
    assert_eq!(settings.loudness(), 0.0);
}

#[test]
fn two_actions_never_have_one_key() {
    let mut keys = Keys::default();
    keys.choose(Action::Up, Key::KeyS).expect("a key of another action");
    assert_eq!((keys.of(Action::Up), keys.of(Action::Down)), (Key::KeyS, Key::KeyW), "they swap");
    for taken in [Key::Escape, Key::ArrowLeft, Key::F1, Key::Enter, Key::ShiftLeft] {
        let message = keys.choose(Action::Boost, taken).expect_err("reserved");
        assert!(message.starts_with(&name(taken)), "{message}");
    }
    assert!(keys.is(Action::Up, Key::ArrowUp), "arrows always steer");
    assert_eq!(keys.steering(), "SAWD");
    assert_eq!(name(Key::ShiftLeft), "SHIFT LEFT");
}
