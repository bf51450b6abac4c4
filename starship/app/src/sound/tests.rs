use std::sync::Arc;

use starship_sim::{EnemyKind, ModifierKind, Vec2};

use super::mixer::Mixer;
use super::voices::VOICES;
use super::*;

const RATE: u32 = 48_000;

fn signals() -> Vec<Signal> {
    let at = Vec2::ZERO;
    vec![
        Signal::RunStarted { sector: 1 },
        Signal::Born { at },
        Signal::Fired { weapon: WeaponKind::Pulse, at, along: at },
        Signal::Fired { weapon: WeaponKind::Scatter, at, along: at },
        Signal::Fired { weapon: WeaponKind::Seeker, at, along: at },
        Signal::EnemyFired { at },
        Signal::ChargeWarning { at },
        Signal::FuseLit { at },
        Signal::Hit { at, damage: 1.0 },
        Signal::EnemyKilled { kind: EnemyKind::Drone, at },
        Signal::Exploded { at, radius: 1.0 },
        Signal::Hurt { at, damage: 1.0 },
        Signal::PickedUp { kind: PickupKind::Xp(1), at },
        Signal::PickedUp { kind: PickupKind::Repair, at },
        Signal::PickedUp { kind: PickupKind::Modifier(ModifierKind::ALL[0]), at },
        Signal::ModifierEnded { kind: ModifierKind::ALL[0] },
        Signal::LevelUp { level: 2 },
        Signal::Upgraded { upgrade: starship_sim::Upgrade::Weapon(WeaponKind::Pulse), level: 2 },
        Signal::CrateBroken { at },
        Signal::WarpEntered { at },
        Signal::WarpLeft { at },
        Signal::Overheated,
        Signal::Cooled,
        Signal::Wave { number: 1 },
        Signal::BossArrived { at },
        Signal::BossPhase { phase: 2, at },
        Signal::BossDefeated { at },
        Signal::BossRoomOpened { at },
        Signal::PortalOpened { at },
        Signal::OvertimeBegan,
        Signal::Died { at },
        Signal::Won { at },
    ]
}

fn samples(sound: Sound) -> Vec<f32> {
    sound.recipe().render(RATE)
}

#[test]
fn every_signal_has_its_own_sound_that_is_heard_and_never_clips() {
    let mut heard: Vec<Sound> = Vec::new();
    for signal in signals() {
        let sound = Sound::of(signal).unwrap_or_else(|| panic!("{signal:?} has a sound"));
        assert!(!heard.contains(&sound), "{signal:?} sounds like another signal");
        heard.push(sound);
    }
    for sound in heard.into_iter().chain([Sound::Select, Sound::Choose]) {
        for rate in [8_000, 44_100, RATE, 192_000] {
            let samples = sound.recipe().render(rate);
            let power = samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len() as f32;
            assert!(power.sqrt() > 0.005, "{sound:?} is silent at {rate} Hz: {}", power.sqrt());
            let level = sound.recipe().level;
            assert!(level <= 0.7 && samples.iter().all(|sample| sample.abs() <= level), "{sound:?} clips");
            let first = samples[0].abs();
            let last = samples[samples.len() - 1].abs();
            assert!(first.max(last) < 0.02, "{sound:?} clicks: {first} at its start, {last} at its end");
        }
        assert!(sound.length() < Duration::from_secs(2), "{sound:?} never ends");
    }
}

#[test]
fn requests_to_the_host_are_silent() {
    for signal in [Signal::HitFreeze { wall_ms: 70 }, Signal::InvertScreen { wall_ms: 70 }] {
        assert_eq!(Sound::of(signal), None);
    }
}

#[test]
fn the_sounds_at_once_are_limited_and_a_crowd_leaves_room_for_what_matters() {
    let mut voices = Voices::default();
    let mut now = Duration::ZERO;
    let mut started = 0;
    for _ in 0..200 {
        started += usize::from(voices.admit(Sound::Kill, now));
        started += usize::from(voices.admit(Sound::Hit, now));
        now += Duration::from_micros(100);
    }
    assert_eq!(started, 2, "twenty milliseconds of one kind are one sound");

    let loud = signals().into_iter().filter_map(Sound::of);
    let (crowd, rest): (Vec<_>, Vec<_>) = loud.partition(|sound| sound.comes_in_crowds());
    let mut voices = Voices::default();
    let admitted = crowd.iter().filter(|&&sound| voices.admit(sound, now)).count();
    assert!(admitted < VOICES && admitted < crowd.len(), "{admitted} of a crowd");
    assert!(rest.iter().take(4).all(|&sound| voices.admit(sound, now)));
    assert!(!voices.admit(Sound::Won, now), "the limit holds for every sound");
    assert!(voices.admit(Sound::Won, now + Duration::from_secs(2)), "ended sounds make room");
}

#[test]
fn a_clock_that_is_set_back_does_not_silence_the_game() {
    let mut voices = Voices::default();
    let later = Duration::from_secs(1_000);
    while let Some(sound) =
        signals().into_iter().filter_map(Sound::of).find(|&sound| voices.admit(sound, later))
    {
        let _ = sound;
    }
    assert!(voices.admit(Sound::Hurt, Duration::from_secs(1)));
}

#[test]
fn the_loudest_sounds_together_never_clip() {
    let mut mixer = Mixer::default();
    for _ in 0..3 * VOICES {
        mixer.start(samples(Sound::BossDown).into());
    }
    let heard: Vec<f32> = (0..RATE * 2).map(|_| mixer.next(1.0)).collect();
    assert!(heard.iter().all(|sample| sample.abs() <= 1.0));
    assert!(heard.iter().any(|sample| sample.abs() > 0.5), "they are heard");
    assert_eq!(mixer.next(1.0), 0.0, "and end");
}

#[test]
fn a_volume_of_zero_is_silence() {
    let mut mixer = Mixer::default();
    let sound: Arc<[f32]> = samples(Sound::Hurt).into();
    mixer.start(sound);
    assert!((0..RATE).all(|_| mixer.next(0.0) == 0.0));
    let mut speaker = Speaker::default();
    speaker.play(Sound::Hurt, Duration::ZERO);
    assert_eq!(speaker.started(), 0);
    speaker.set_volume(0.5);
    speaker.play(Sound::Hurt, Duration::ZERO);
    assert_eq!(speaker.started(), 1);
}
