//! Steady play allocates nothing of its own, and memory stays flat over many runs.
//!
//! Rapier allocates inside its step (for contact pairs and its list of changed bodies) and when a body is inserted or
//! removed. Everything else must not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use evenstep::Frame;
use evenstep_host::{App, Context, Driver};
use evenstep_replay::{RecordingWriter, Simulation as _};
use starship_sim::{Autopilot, FrameTimes, Input, Pad, Pass, Phase, Play, Probe, RunDef, Signal, Sim, Turn};

use crate::player::Player;
use crate::{autopilot, state};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<isize> = const { Cell::new(0) };
}

fn count(new_bytes: usize, old_bytes: usize) {
    ALLOCATIONS.with(|count| count.set(count.get() + 1));
    LIVE_BYTES.with(|live| live.set(live.get() + new_bytes.cast_signed() - old_bytes.cast_signed()));
}

// SAFETY: every call is forwarded unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.with(|live| live.set(live.get() - layout.size().cast_signed()));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts the allocations of a tick, inside and outside Rapier's step.
#[derive(Default)]
struct Allocations {
    tick_begun: u64,
    physics_begun: u64,
    in_physics: u64,
    elsewhere: u64,
}

impl Probe for Allocations {
    fn begin(&mut self, pass: Pass) {
        match pass {
            Pass::Tick => self.tick_begun = ALLOCATIONS.get(),
            Pass::Physics => self.physics_begun = ALLOCATIONS.get(),
            _ => {}
        }
    }

    fn end(&mut self, pass: Pass) {
        match pass {
            Pass::Tick => self.elsewhere = ALLOCATIONS.get() - self.tick_begun - self.in_physics,
            Pass::Physics => self.in_physics = ALLOCATIONS.get() - self.physics_begun,
            _ => {}
        }
    }
}

/// Returns the number of enemies and crates, and whether one was removed: equal before and after a tick without
/// changes.
fn population(sim: &Sim) -> (u32, u32, bool) {
    let goes = |signal: &Signal| matches!(signal, Signal::EnemyKilled { .. } | Signal::CrateBroken { .. });
    (sim.state().enemies.len(), sim.state().crates.len(), sim.signals().iter().any(goes))
}

#[test]
fn a_tick_in_which_no_body_comes_or_goes_allocates_nothing_outside_rapier() {
    let mut sim = Sim::new(RunDef::seeded(2));
    sim.launch(RunDef::seeded(2));
    let mut quiet = 0_u32;
    let mut in_rapier = 0;
    for tick in 0..20_000 {
        let input = Autopilot.input(sim.state());
        let (enemies, crates, _) = population(&sim);
        let phase = sim.state().phase;
        let mut allocations = Allocations::default();
        sim.tick(input, &mut allocations);
        let restarted = phase.is_over() && sim.state().phase == Phase::Birth;
        if population(&sim) == (enemies, crates, false) && !restarted {
            quiet += 1;
            assert_eq!(allocations.elsewhere, 0, "in tick {tick}");
            in_rapier += allocations.in_physics;
        }
    }
    let each = in_rapier as f64 / f64::from(quiet);
    println!("{quiet} of 20000 ticks were quiet; Rapier allocated {each:.1} times in each");
    assert!(quiet > 14_000, "{quiet}");
    assert!(each < 40.0, "Rapier allocates {each} times a step");
}

/// A game that counts the allocations of everything around its ticks.
struct Measured {
    play: Play,
    around: u64,
    counted_to: u64,
}

impl Measured {
    /// Counts what was allocated since the last tick or frame.
    fn count(&mut self) {
        self.around += ALLOCATIONS.get() - self.counted_to;
    }
}

impl App for Measured {
    fn step(&mut self, _input: &evenstep_host::Input, _cx: &mut Context<'_>) {
        let input = autopilot(self.play.state());
        self.count();
        self.play.tick(input, &mut ());
        self.counted_to = ALLOCATIONS.get();
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.play.end_frame(frame, &mut ());
        self.play.commands().for_each(|command| cx.pacer.tell(command));
        self.play.clear_signals();
        let _hud = self.play.state().hud();
    }
}

#[test]
fn the_loop_around_the_ticks_allocates_nothing() {
    let play = Play::launching(RunDef::seeded(2));
    let mut game = Driver::new(Measured { play, around: 0, counted_to: 0 });
    for now in FrameTimes::hz(144.0).with_jitter(Duration::from_millis(3)).take(5_000) {
        game.app_mut().counted_to = ALLOCATIONS.get();
        game.frame(now);
        game.app_mut().count();
    }
    assert!(game.pacer().tick() > 1_000, "{} ticks", game.pacer().tick());
    assert_eq!(game.app().around, 0);
}

#[test]
fn hashing_allocates_nothing() {
    let sim = Sim::crowded(100, 100);
    let before = ALLOCATIONS.get();
    std::hint::black_box(sim.state().hash());
    assert_eq!(ALLOCATIONS.get(), before);
}

/// Once its buffers have grown. Rapier collects a list of its own to serialise its world.
#[test]
fn recording_a_game_allocates_nothing_outside_rapier() {
    const SNAPSHOT_EVERY: u64 = 100;
    let mut crowded = Sim::crowded(320, 640);
    (0..30).for_each(|_| crowded.tick(Input::default(), &mut ()));
    let header = Sim::replay_header().with_snapshot_every(SNAPSHOT_EVERY);
    let mut writer =
        RecordingWriter::new(std::io::sink(), header, &crowded).expect("a sink takes everything");
    // Inputs and states as large as they get.
    for tick in 0..300 {
        let level = (tick * 37 % 256 - 128) as i8;
        let pad = Pad { x: level, y: !level, boost: tick % 2 == 0, confirm: tick % 3 == 0 };
        let input = Input { keys: pad, gamepad: Some(pad), choice: Some((tick % 3) as u8) };
        writer.tick(&Turn::from(input), &crowded);
    }
    let mut sim = Sim::before_any_run();
    sim.launch(RunDef::seeded(2));
    for tick in 0..5_000 {
        let turn = Turn::from(Autopilot.input(sim.state()));
        let before = ALLOCATIONS.get();
        writer.tick(&turn, &sim);
        let in_rapier_max = u64::from(tick % SNAPSHOT_EVERY == 0);
        assert!(ALLOCATIONS.get() - before <= in_rapier_max, "in tick {tick}");
        sim.step(&turn);
    }
}

#[test]
fn a_game_that_does_not_tick_allocates_nothing() {
    let mut sim = Sim::new(RunDef::seeded(2));
    let before = ALLOCATIONS.get();
    for _ in 0..100 {
        sim.tick(Input::default(), &mut ());
    }
    assert_eq!(ALLOCATIONS.get(), before);
}

#[test]
fn memory_is_flat_over_many_runs() {
    let player = Player::new(Play::launching(RunDef::seeded(4)), autopilot, 90_000);
    let mut game = Driver::new(player);
    let mut at_restart = Vec::new();
    let mut runs = 1;
    for now in FrameTimes::hz(60.0) {
        game.frame(now);
        if state(&game).runs != runs {
            runs = state(&game).runs;
            at_restart.push(LIVE_BYTES.get());
        }
        if game.is_over() {
            break;
        }
    }
    assert!(at_restart.len() > 8, "{at_restart:?}");
    let first = at_restart[1];
    let last = at_restart[at_restart.len() - 1];
    assert!((last - first).abs() < first / 20, "{at_restart:?}");
}
