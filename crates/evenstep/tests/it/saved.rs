//! Saved pacers: damaged bytes are rejected, and whatever is accepted keeps all invariants.

use std::time::Duration;

use crate::commands::{PACINGS, Random, pacings};
use evenstep::{Accumulator, Channel, Command, Gate, Pacer, Pacing};

/// A pacer in the middle of a game.
fn busy(pacing: Pacing, random: &mut Random) -> Pacer {
    let mut pacer = Pacer::new(pacing);
    let mut now = random.below(1 << 40);
    for n in 0..random.below(400) {
        now += 16_000_000 + random.below(1_400_000);
        pacer.frame(Duration::from_nanos(now));
        match n % 50 {
            7 => pacer.hit_freeze(Duration::from_millis(random.below(60))),
            17 => pacer.hitstop(random.below(9) as u32, 0.25),
            27 => pacer.set_scale(Channel::JUICE, random.below(10) as f64 / 8.0),
            37 => pacer.steps_done(Duration::from_nanos(now + random.below(9_000_000))),
            _ => {}
        }
    }
    pacer
}

/// Drives a restored pacer like a game.
fn drive(mut pacer: Pacer, random: &mut Random) {
    let mut now = random.next() >> 1;
    for n in 0..60 {
        now += random.below(60_000_000);
        let frame = pacer.frame(Duration::from_nanos(now));
        assert!((0.0..1.0).contains(&frame.alpha()));
        assert!(pacer.ledger().is_balanced());
        assert!(frame.explain().to_string().len() < 400);
        pacer.next_due();
        pacer.stats().frame_time(0.99);
        pacer.set_gate([Gate::Open, Gate::Open, Gate::Paused, Gate::Menu][n % 4]);
        pacer.step_by_hand(1);
    }
    assert_eq!(restore(&save(&pacer)).as_ref(), Ok(&pacer), "what was accepted once is accepted again");
    pacer.set_pacing(Pacing::starship());
    pacer.frame(Duration::from_nanos(now));
    pacer.reset(None);
    assert!(pacer.ledger().is_balanced());
}

fn save(pacer: &Pacer) -> Vec<u8> {
    postcard::to_stdvec(pacer).expect("a pacer can be saved")
}

fn restore(bytes: &[u8]) -> postcard::Result<Pacer> {
    postcard::from_bytes(bytes)
}

#[test]
fn a_saved_pacer_reads_back_the_same_in_text_and_in_bytes() {
    let mut random = Random(9);
    for pacing in pacings() {
        let pacer = busy(pacing, &mut random);
        assert_eq!(restore(&save(&pacer)).as_ref(), Ok(&pacer));
        let text = serde_json::to_string(&pacer).expect("a pacer can be saved");
        let read: Pacer = serde_json::from_str(&text).expect("it was just saved");
        assert_eq!(read, pacer);
    }
}

#[test]
fn a_saved_pacer_that_is_cut_off_is_rejected() {
    let saved = save(&busy(Pacing::hz(60), &mut Random(9)));
    for len in 0..saved.len() {
        assert!(restore(&saved[..len]).is_err(), "{len} of {} bytes", saved.len());
    }
}

#[test]
fn a_pacer_on_the_slowest_and_fastest_display_can_be_saved_and_restored() {
    for (hint_ns, gap_ns) in [(72_000_000, 69_000_000), (1_460_000, 1_520_000), (70_000_001, 69_999_999)] {
        let mut pacer = Pacer::new(Pacing::hz(60));
        pacer.hint_refresh(Duration::from_nanos(hint_ns));
        for n in 0..200 {
            pacer.frame(Duration::from_nanos(gap_ns * n));
            assert_eq!(restore(&save(&pacer)).as_ref(), Ok(&pacer), "frame {n}");
        }
    }
}

#[test]
fn a_forged_pacer_is_rejected_or_keeps_every_invariant() {
    let mut random = Random(0x00F0_4CED);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut bytes = save(&busy(pacings()[random.below(PACINGS as u64) as usize], &mut random));
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u64 - 8) as usize;
            match random.below(6) {
                4 => bytes[at..at + 4].fill(0),
                5 => bytes[at..at + 8].fill(0),
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] = 0xFF,
                2 => bytes[at] ^= 1 << random.below(8),
                _ => bytes[at..at + 8].copy_from_slice(&random.next().to_le_bytes()),
            }
        }
        if let Ok(pacer) = restore(&bytes) {
            accepted += 1;
            drive(pacer, &mut random);
        }
    }
    assert!(accepted > 1_000, "only {accepted} were accepted, which tests too little");
}

#[test]
fn every_command_reads_back_in_text_and_in_bytes() {
    let mut random = Random(21);
    let mut commands = Vec::new();
    for _ in 0..2_000 {
        let now = Duration::from_nanos(random.next());
        let command = random.command(now);
        // A NaN, which a pacer ignores, is refused.
        let Ok(bytes) = postcard::to_stdvec(&command) else { continue };
        let (read, rest) = postcard::take_from_bytes::<Command>(&bytes).expect("what was written");
        assert!(rest.is_empty(), "{command:?} leaves {rest:?}");
        let text = serde_json::to_string(&command).expect("what bytes can have");
        assert_eq!(serde_json::to_string(&read).expect("a command"), text, "bytes and text say the same");
        assert_eq!(serde_json::from_str::<Command>(&text).expect(&text), read);
        commands.push(read);
    }
    assert!(commands.len() > 1_800);
    let bytes = postcard::to_stdvec(&commands).expect("a list");
    assert_eq!(postcard::from_bytes::<Vec<Command>>(&bytes).expect("the list"), commands);
}

/// What an attack has found: each of these made a pacer panic while it was read, or later.
#[test]
fn numbers_at_the_end_of_their_range_are_refused() {
    let parts = r#"{"whole":0,"part":0,"step":1,"parts":9223372036854775808}"#;
    assert!(serde_json::from_str::<Accumulator>(parts).is_err());
    let saved = serde_json::to_string(&Pacer::new(Pacing::hz(60))).expect("a pacer can be saved");
    for (field, value) in [
        ("\"parts\":", "9223372036854775808"),
        ("\"interval_ns\":", "9223372036854775807"),
        ("\"intervals\":", "9223372036854775808"),
        ("\"starts\":", "9223372036854775808"),
    ] {
        let at = saved.find(field).expect(field) + field.len();
        let end = at + saved[at..].find([',', '}']).expect("more fields");
        let forged = format!("{}{value}{}", &saved[..at], &saved[end..]);
        assert!(serde_json::from_str::<Pacer>(&forged).is_err(), "{field}{value}");
    }
    let unknown = saved.replacen('{', "{\"more\":1,", 1);
    assert!(serde_json::from_str::<Pacer>(&unknown).is_err(), "a field that no pacer has");
}
