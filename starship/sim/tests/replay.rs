//! Recordings of the game: the same on every machine, and rolled back without a trace.

use evenstep_replay::{
    FromSnapshot, Player, Recording, RecordingWriter, Simulation, StateHash, SyncTest, Verdict, verify,
};
use starship_sim::{
    Autopilot, Difficulty, Input, Pad, RunDef, Sim, Turn, autopilot_hashes, mark_of, record_autopilot,
};

/// Hashes of seed 7, played by the autopilot. `cargo xtask test` checks them in a debug and in a release build, and the
/// browser test on wasm, with and without SIMD.
///
/// Renew after a change of the rules: `cargo test -p starship-sim --test replay golden` prints the new ones. If the
/// rules did not change, a difference is a bug.
const GOLDEN: &str = include_str!("golden/hashes.txt");

fn turn(tick: u64, sim: &Sim) -> Turn {
    if tick == 0 { Turn::launching(RunDef::seeded(7)) } else { Turn::from(Autopilot.input(sim.state())) }
}

#[test]
fn golden_hashes_are_reached() {
    let reached = autopilot_hashes(7, &[1, 60, 600, 3_000, 36_000]);
    assert_eq!(reached, GOLDEN, "the hashes are now:\n{reached}");
}

#[test]
fn a_run_that_reaches_the_boss_is_verified_and_seeks_to_every_mark() {
    let (file, hash) = record_autopilot(7, 7_200);
    let recording = Recording::read(&file[..]).expect("it was just made");
    let marks = |label| recording.marks().filter(|mark| mark.label == label).count();
    assert!(marks("boss") > 0 && marks("damage") > 0, "{:?}", recording.marks().collect::<Vec<_>>());
    let mut sim = Sim::before_any_run();
    let verdict = verify(&recording, &mut sim, |_| ()).expect("it can be played");
    assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}");
    assert_eq!(sim.state().hash(), hash);

    let boss = recording.marks().find(|mark| mark.label == "boss").expect("counted above").tick;
    let mut sim = Sim::before_any_run();
    let mut player = Player::new(recording, &mut sim).expect("it can be played");
    player.seek(boss, &mut sim).expect("a tick of the recording");
    assert!(sim.state().boss.is_some());
    let there = StateHash::of(&sim);
    player.seek(boss + 700, &mut sim).expect("a tick of the recording");
    player.seek(boss, &mut sim).expect("a tick of the recording");
    assert_eq!(StateHash::of(&sim), there);
}

#[test]
fn ten_minutes_without_snapshots_take_less_than_110_kb() {
    let mut sim = Sim::before_any_run();
    let header = Sim::replay_header().with_seed(7).with_snapshot_every(0);
    let mut writer = RecordingWriter::new(Vec::new(), header, &sim).expect("memory can be written");
    while writer.next_tick() < 36_000 {
        let turn = turn(writer.next_tick(), &sim);
        writer.tick(&turn, &sim);
        sim.step(&turn);
        for label in sim.signals().into_iter().filter_map(|&signal| mark_of(signal)) {
            writer.mark(label);
        }
    }
    let file = writer.finish(&sim).expect("memory can be written");
    assert!(file.len() < 110_000, "{} bytes", file.len());
}

/// A build whose runs start in another sector.
struct Wrong(Sim);
impl Simulation for Wrong {
    type Input = Turn;
    fn step(&mut self, turn: &Turn) {
        let launch = turn.launch.map(|run| RunDef { sector: 2, ..run });
        self.0.step(&Turn { launch, ..*turn });
    }
    fn save(&self, bytes: &mut Vec<u8>) {
        self.0.save(bytes);
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), evenstep_replay::LoadError> {
        self.0.load(bytes)
    }
    fn hash(&self, part: &mut dyn FnMut(&'static str, u64)) -> u64 {
        Simulation::hash(&self.0, part)
    }
    fn write_input(turn: &Turn, bytes: &mut Vec<u8>) {
        Sim::write_input(turn, bytes);
    }
    fn read_input(bytes: &[u8]) -> Option<Turn> {
        Sim::read_input(bytes)
    }
}

#[test]
fn a_changed_state_is_blamed_on_its_part() {
    let (file, _) = record_autopilot(7, 1_300);
    let recording = Recording::read(&file[..]).expect("it was just made");
    let verdict = verify(&recording, &mut Wrong(Sim::before_any_run()), |_| ()).expect("it can be played");
    let Verdict::Diverged(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!(
        (found.tick, found.last_same, found.part.as_str()),
        (recording.header().hash_every, Some(0), "run")
    );
    assert!(matches!(found.from_snapshot, Some(FromSnapshot::Differs { .. })), "{found}");
}

/// With a rollback of 8 ticks on every tick: whatever a snapshot misses would show.
#[test]
fn twenty_thousand_ticks_survive_the_sync_test() {
    let mut sim = Sim::before_any_run();
    let mut test = SyncTest::new(8);
    for tick in 0..20_000 {
        let turn = turn(tick, &sim);
        test.step(&mut sim, turn).unwrap_or_else(|found| panic!("{found}"));
    }
    assert!(sim.state().runs > 1 || sim.state().progress.kills > 100, "the run has seen something");
}

#[test]
fn every_input_comes_back_from_its_bytes() {
    let pad = Pad { x: -128, y: 127, boost: true, confirm: false };
    let run = RunDef { sector: 9, sandbox: true, difficulty: Difficulty::Normal, ..RunDef::seeded(u64::MAX) };
    for gamepad in [None, Some(Pad { confirm: true, ..pad })] {
        for choice in [None, Some(0), Some(2)] {
            for (launch, unplayed) in [(None, 0), (Some(run), 0), (Some(run), 3)] {
                let turn = Turn { input: Input { keys: pad, gamepad, choice }, launch, unplayed };
                let mut bytes = Vec::new();
                Sim::write_input(&turn, &mut bytes);
                assert_eq!(Sim::read_input(&bytes), Some(turn));
                assert_eq!(Sim::read_input(&bytes[..5]), None);
            }
        }
    }
}
