//! `kill -9` at any instant: the file opens, and lacks at most the last 60 ticks.
//!
//! Runs 1000 times, or as often as `EVENSTEP_KILLS` says.

#![cfg(unix)]

#[path = "it/world.rs"]
#[expect(dead_code, reason = "the other test uses the rest")]
mod world;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use evenstep_replay::{Error, Recording, RecordingWriter, Simulation, UNWRITTEN_MAX, Verdict, verify};
use world::{Random, World, input};

/// The writers that a child records into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    /// A file that continues as /dev/full.
    Full,
    /// A pipe whose reader goes away.
    Pipe,
}

/// What the child tells the parent: its ticks so far, and how often its recording ended.
const STATUS_BYTES: usize = 16;

/// Writes to a file until it has this many bytes, then to another.
struct Switch {
    first: Box<dyn Write>,
    bytes: usize,
    then: Option<Box<dyn Write>>,
    reader: Option<io::PipeReader>,
}

impl Write for Switch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes < bytes.len() {
            self.reader = None;
            if let Some(then) = self.then.take() {
                self.first = then;
            }
            self.bytes = 0;
        }
        self.bytes = self.bytes.saturating_sub(bytes.len());
        self.first.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.first.flush()
    }
}

/// The child: plays and records until it is killed. Only the parent starts it.
#[test]
#[ignore = "started by the test below"]
fn child() {
    let Some(folder) = std::env::var_os("EVENSTEP_KILLED_IN") else { return };
    let folder = Path::new(&folder);
    let path = folder.join("recording");
    let limit = 3_000;
    let create = || Box::new(File::create(&path).expect("a file")) as Box<dyn Write>;
    let output = match std::env::var("EVENSTEP_KILLED_AS").as_deref() {
        Ok("Full") => {
            let full = OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
            Switch { first: create(), bytes: limit, then: Some(Box::new(full)), reader: None }
        }
        Ok("Pipe") => {
            let (reader, output) = io::pipe().expect("a pipe");
            Switch { first: Box::new(output), bytes: limit, then: None, reader: Some(reader) }
        }
        _ => Switch { first: create(), bytes: usize::MAX, then: None, reader: None },
    };
    let status = File::create(folder.join("status")).expect("a file");
    let mut world = World::new(1);
    let mut writer =
        RecordingWriter::new(output, World::header(1).with_snapshot_every(300), &world).expect("a writer");
    let mut ends = 0_u64;
    let mut was_well = true;
    for tick in 0_u64.. {
        let input = input(tick);
        writer.tick(&input, &world);
        world.step(&input);
        if writer.error().is_some() == was_well {
            assert!(matches!(writer.error(), Some(Error::Write { .. })));
            ends += 1;
            was_well = !was_well;
        }
        let mut words = [0; STATUS_BYTES];
        words[..8].copy_from_slice(&(tick + 1).to_le_bytes());
        words[8..].copy_from_slice(&ends.to_le_bytes());
        status.write_all_at(&words, 0).expect("a status");
    }
}

fn status(file: &File) -> (u64, u64) {
    let mut words = [0; STATUS_BYTES];
    if file.read_exact_at(&mut words, 0).is_err() {
        return (0, 0);
    }
    let word = |n: usize| u64::from_le_bytes(words[n..n + 8].try_into().expect("eight bytes"));
    (word(0), word(8))
}

/// Kills a child after about this many ticks, and returns how many it has lost.
fn kill(folder: &Path, kind: Kind, ticks: u64) -> u64 {
    let _ = fs::remove_file(folder.join("recording"));
    File::create(folder.join("status")).expect("a file");
    let reported = File::open(folder.join("status")).expect("a file");
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("EVENSTEP_KILLED_IN", folder)
        .env("EVENSTEP_KILLED_AS", format!("{kind:?}"))
        .stdout(Stdio::null())
        .spawn()
        .expect("this program starts");
    loop {
        let (done, ends) = status(&reported);
        // A recording that must fail is killed only after it has.
        if done >= ticks && (kind == Kind::File || ends > 0) {
            break;
        }
        assert!(child.try_wait().expect("a child").is_none(), "{kind:?}: the game ended by itself");
        std::thread::yield_now();
    }
    child.kill().expect("a child");
    child.wait().expect("a child");
    let (done, ends) = status(&reported);
    assert_eq!(ends, u64::from(kind != Kind::File), "{kind:?}: one error, and none without a reason");
    if kind == Kind::Pipe {
        return 0;
    }
    let file = fs::read(folder.join("recording")).expect("the recording");
    let recording =
        Recording::read(&file[..]).unwrap_or_else(|error| panic!("{kind:?}, tick {done}: {error}"));
    assert!(!recording.is_complete());
    if let Some(problem) = recording.problem() {
        assert!(matches!(problem, Error::Truncated { .. }), "{kind:?}, tick {done}: {problem}");
    }
    let verdict = verify(&recording, &mut World::new(1), |_| ()).expect("it can be played");
    assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}");
    if kind == Kind::Full {
        assert!(recording.ticks() > 60, "what fitted is there");
        return 0;
    }
    done.saturating_sub(recording.last_tick())
}

#[test]
fn a_killed_process_loses_at_most_sixty_ticks() {
    let kills = std::env::var("EVENSTEP_KILLS")
        .map_or(1_000, |kills| kills.parse().expect("EVENSTEP_KILLS is a number"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("kills-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mut random = Random(77);
    let mut lost_most = 0;
    for n in 0..kills {
        let kind = match n % 20 {
            0 => Kind::Full,
            10 => Kind::Pipe,
            _ => Kind::File,
        };
        let lost = kill(&folder, kind, 1 + random.below(1_500));
        assert!(lost <= UNWRITTEN_MAX, "kill {n} lost {lost} ticks");
        lost_most = lost_most.max(lost);
    }
    println!("{kills} kills lost at most {lost_most} ticks");
    fs::remove_dir_all(&folder).expect("a folder");
}
