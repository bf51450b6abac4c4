//! When the display showed a frame is recorded with it.

use std::time::Duration;

use evenstep_replay::{FrameRecord, Recorder, Recording, Rewind, RewindOptions, Simulation};

use crate::world::{World, input};

const REFRESH: Duration = Duration::from_millis(16);

fn shown_after(frame: u32) -> Duration {
    REFRESH * frame + Duration::from_millis(20)
}

/// Plays frames of one tick. Each is reported as shown two frames later, but for every tenth.
fn play(
    frames: u32,
    mut tell: impl FnMut(&Vec<u8>, &World, &FrameRecord, Option<(Duration, Duration)>),
) -> World {
    let mut world = World::new(1);
    for n in 0..frames {
        let shown = n.checked_sub(2).filter(|shown| shown % 10 != 0);
        let shown = shown.map(|shown| (REFRESH * shown, shown_after(shown)));
        let input = input(n.into());
        tell(&input, &world, &FrameRecord::new(REFRESH * n, 1, 0.5), shown);
        world.step(&input);
    }
    world
}

fn check(file: &[u8], frames: u32) {
    let recording = Recording::read(file).unwrap();
    assert!(recording.is_complete() && recording.frame_count() == u64::from(frames));
    let first = frames - recording.ticks() as u32;
    for (n, (tick, record)) in (first..).zip(recording.frames()) {
        let was_reported = n % 10 != 0 && n + 2 < frames;
        let expected = was_reported.then(|| shown_after(n).as_nanos() as u64);
        assert_eq!((tick, record.presented_ns), (n.into(), expected), "frame {n}");
    }
}

#[test]
fn a_presentation_that_is_reported_later_comes_back_from_the_file() {
    for frames in [3, 8, 9, 200] {
        let mut recorder = Recorder::new(Vec::new(), World::header(1), &World::new(1)).unwrap();
        let world = play(frames, |input, world, frame, shown| {
            recorder.tick(input, world);
            if let Some((frame, at)) = shown {
                recorder.presented(frame, at);
            }
            recorder.frame(frame);
        });
        check(&recorder.finish(&world).unwrap(), frames);
    }
}

#[test]
fn a_presentation_comes_back_from_a_ring_even_if_its_segment_has_ended() {
    for frames in [3, 8, 9, 101] {
        let mut ring = Rewind::new(RewindOptions { ticks: 1_000, bytes: 1 << 20, snapshot_every: 5 }, 0);
        let world = play(frames, |input, world, frame, shown| {
            ring.tick(input, world);
            if let Some((frame, at)) = shown {
                ring.presented(frame, at);
            }
            ring.frame(frame);
        });
        check(&ring.write(Vec::new(), World::header(1), &world).unwrap(), frames);
    }
}

#[test]
fn a_presentation_of_a_frame_that_is_long_written_changes_nothing() {
    let mut recorder = Recorder::new(Vec::new(), World::header(1), &World::new(1)).unwrap();
    let world = play(50, |input, world, frame, _| {
        recorder.tick(input, world);
        recorder.frame(frame);
    });
    recorder.presented(REFRESH * 3, REFRESH * 90);
    recorder.presented(REFRESH * 1_000, REFRESH * 1_001);
    let file = recorder.finish(&world).unwrap();
    let recording = Recording::read(&file[..]).unwrap();
    assert!(recording.frames().all(|(_, record)| record.presented_ns.is_none()));
}
