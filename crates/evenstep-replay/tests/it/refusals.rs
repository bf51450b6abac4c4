//! Files that are not for this reader are refused, with the reason.

use evenstep::Rate;
use evenstep_replay::{Error, Recording};

use crate::world::{World, record};

fn file() -> Vec<u8> {
    record(World::header(1), 100, &mut World::new(1))
}

#[test]
fn the_magic_the_version_and_the_length_are_checked_first() {
    let mut bytes = file();
    bytes[0] = b'!';
    assert!(matches!(Recording::read(&bytes[..]), Err(Error::NotARecording { offset: 0, .. })));
    let error = Recording::read(&[][..]).unwrap_err();
    assert_eq!(error.to_string(), "at byte 0: not a recording: the file is empty");

    let mut bytes = file();
    bytes[8] = 9;
    let error = Recording::read(&bytes[..]).unwrap_err();
    assert_eq!(error.to_string(), "at byte 8: format version 9 is newer than 1, the newest known here");

    assert!(matches!(Recording::read(&file()[..15]), Err(Error::Truncated { offset: 12, missing: 7, .. })));

    let mut bytes = file();
    bytes[14..18].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    let error = Recording::read(&bytes[..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at byte 12: a block of 2147483647 bytes is longer than the limit of 4194304"
    );
}

#[test]
fn a_flipped_bit_ends_the_recording_at_its_block() {
    let mut bytes = file();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    let recording = Recording::read(&bytes[..]).unwrap();
    let problem = recording.problem().expect("it is damaged");
    assert!(matches!(problem, Error::Checksum { .. }), "{problem}");
    assert!(problem.offset().unwrap() <= middle as u64);
    assert!(!recording.is_complete());
}

#[test]
fn another_game_engine_rate_or_configuration_is_refused_by_name() {
    let recorded = || World::header(1).with_configuration(b"hard");
    let ours = recorded();
    recorded().check(&ours).expect("the same is fine");
    let refusal = |change: &dyn Fn(&mut evenstep_replay::Header)| {
        let mut other = recorded();
        change(&mut other);
        other.check(&ours).unwrap_err().to_string()
    };
    assert_eq!(refusal(&|it| it.game = "pong".into()), "recorded with game pong, but this is world");
    assert_eq!(
        refusal(&|it| it.engine = "0.0.9".into()),
        format!("recorded with engine version 0.0.9, but this is {}", evenstep_replay::ENGINE_VERSION)
    );
    assert_eq!(
        refusal(&|it| it.game_version = "2".into()),
        "recorded with game version 2, but this is 1.0.0"
    );
    assert_eq!(
        refusal(&|it| it.rate = Rate::new(60_000, 1_001)),
        "recorded with rate 60000/1001 per second, but this is 60/1 per second"
    );
    assert_eq!(
        refusal(&|it| it.configuration = vec![1]),
        "recorded with configuration 01, but this is 68617264"
    );
}

#[test]
fn unknown_kinds_of_blocks_from_128_are_skipped_and_others_end_the_recording() {
    let with_block = |kind: u8| {
        let mut bytes = file();
        let header_len = u32::from_le_bytes(bytes[14..18].try_into().unwrap()) as usize;
        let after_header = 12 + 10 + header_len;
        bytes.splice(after_header..after_header, [kind, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 7]);
        crate::mutations::seal(&mut bytes);
        (Recording::read(&bytes[..]).unwrap(), after_header as u64)
    };
    assert!(with_block(200).0.is_complete());
    let (recording, offset) = with_block(99);
    assert_eq!(recording.problem().unwrap().offset(), Some(offset));
    assert_eq!(
        recording.problem().unwrap().to_string(),
        format!("at byte {offset}: block of kind 99: an unknown kind of block")
    );
}
