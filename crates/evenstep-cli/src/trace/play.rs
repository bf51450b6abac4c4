//! Replays a trace: a pacer with the profile's configuration, and the parts of each game that the format describes.

use std::time::Duration;

use evenstep::{Channel, DropReason, Frame, Gate, LockState, Pacer, WallTimer, from_millis};
use evenstep_trace::{Control, Controls, Header, Mission, Phase, Profile, Reset};

use super::output::{EXPLAIN, Row, Value, outcome_name};

/// A replay of a trace: the loop, and the parts of the game that a trace describes.
#[derive(Debug)]
pub struct Replay {
    version: u64,
    profile: Profile,
    pacer: Pacer,
    /// The time that instants are measured from, so that a trace may start before zero.
    origin_ms: f64,
    start: Duration,
    frames: u64,
    paused: bool,
    game: Starship,
}

/// The state of the original Starship game outside its loop.
#[derive(Debug)]
struct Starship {
    phase: Phase,
    invert: WallTimer,
    mission: Option<MissionClock>,
}

impl Starship {
    const fn new() -> Self {
        Self { phase: Phase::Playing, invert: WallTimer::start(Duration::ZERO), mission: None }
    }
}

/// The mission timer: counts down while playing, then counts overtime. It counts ticks, so it never drifts.
#[derive(Debug)]
struct MissionClock {
    mission: Mission,
    drained: u64,
    overtime: bool,
    overtime_ticks: u64,
}

impl Replay {
    /// Starts a replay.
    pub fn new(header: &Header) -> Self {
        let mut replay = Self {
            version: header.version(),
            profile: header.profile,
            pacer: Pacer::new(header.pacing()),
            origin_ms: header.start_ms.min(0.0),
            start: Duration::ZERO,
            frames: 0,
            paused: false,
            game: Starship::new(),
        };
        // In version 2 the first frame starts the clock.
        if replay.version == 1 {
            replay.start = replay.instant(header.start_ms);
            replay.pacer.reset(replay.start);
        }
        replay
    }

    /// The profile of the loop.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Applies a control of version 2. A skipped frame has no output.
    pub fn control(&mut self, control: &Control) {
        control.apply(&mut self.pacer);
    }

    /// Applies the controls of one line of version 1.
    pub fn apply(&mut self, controls: &Controls) {
        match controls.reset {
            Some(Reset::FrameTiming) => self.pacer.reset_frame_timing(self.start),
            Some(Reset::NewGame) => {
                self.pacer.reset(self.start);
                self.game = Starship::new();
                self.paused = false;
            }
            None => {}
        }
        for (channel, scale) in [
            (Channel::TIME_DILATION, controls.time_dilation.or(controls.time_scale)),
            (Channel::LEVEL_SPEED, controls.level_speed),
            (Channel::JUICE, controls.juice),
        ] {
            if let Some(scale) = scale {
                self.pacer.set_scale(channel, scale);
            }
        }
        if let Some(speed) = controls.test_speed {
            let resting = if speed == 0.0 { 1.0 } else { speed };
            self.pacer.set_resting_scale(Channel::TIME_DILATION, resting);
        }
        if let Some(wall_s) = controls.hit_freeze_s {
            self.pacer.hit_freeze(seconds(wall_s));
        }
        if let Some(wall_s) = controls.invert_s {
            self.game.invert = WallTimer::start(seconds(wall_s));
        }
        if let Some(mission) = controls.mission {
            self.game.mission =
                Some(MissionClock { mission, drained: 0, overtime: false, overtime_ticks: 0 });
        }
        if let Some(fps) = controls.set_fps {
            self.pacer.set_fps(fps.render, fps.fixed);
        }
        if let Some(hitstop) = controls.hitstop {
            self.pacer.hitstop(hitstop.frames, hitstop.intensity);
        }
        self.game.phase = controls.phase.unwrap_or(self.game.phase);
        self.paused = controls.pause.unwrap_or(self.paused);
        self.pacer.set_gate(match (self.game.phase, self.paused) {
            (Phase::Menu, _) => Gate::Menu,
            (_, true) => Gate::Paused,
            (_, false) => Gate::Open,
        });
        if let Some(steps) = controls.step {
            self.pacer.step_by_hand(steps);
        }
    }

    /// Runs one display frame and returns its output. Version 2 has its timestamp in nanoseconds.
    pub fn frame(&mut self, at_ms: f64, exact_ns: Option<u64>) -> Row {
        let now = exact_ns.map_or_else(|| self.instant(at_ms), Duration::from_nanos);
        let frame = self.pacer.frame(now);
        self.game.invert.advance(&frame);
        if self.game.phase == Phase::Playing
            && let Some(mission) = &mut self.game.mission
        {
            for _ in frame.ticks() {
                mission.tick();
            }
        }
        let row = self.row(&frame);
        self.frames += 1;
        row
    }

    /// The ledger: where every nanosecond of the trace went.
    pub fn ledger_row(&self) -> Row {
        let ledger = self.pacer.ledger();
        let int = |name, nanos: u128| (name, Value::Int(nanos.cast_signed()));
        let dropped = |name, reason| int(name, ledger.dropped_ns(reason));
        vec![
            int("wall_ns", ledger.wall_ns),
            int("head_start_ns", ledger.head_start_ns),
            int("by_hand_ns", ledger.by_hand_ns),
            int("fast_forward_ns", ledger.fast_forward_ns),
            ("stretch_ns", Value::Int(ledger.stretch_ns)),
            ("total_in_ns", Value::Int(ledger.total_in_ns())),
            int("simulated_ns", ledger.simulated_ns),
            dropped("dropped_stall_ns", DropReason::Stall),
            dropped("dropped_clamp_ns", DropReason::Clamp),
            dropped("dropped_backlog_ns", DropReason::Backlog),
            dropped("dropped_cap_ns", DropReason::Cap),
            dropped("dropped_budget_ns", DropReason::Budget),
            dropped("dropped_reset_ns", DropReason::Reset),
            dropped("dropped_rate_ns", DropReason::Rate),
            int("paused_ns", ledger.paused_ns),
            int("menu_ns", ledger.menu_ns),
            int("frozen_ns", ledger.frozen_ns),
            int("pending_ns", ledger.pending_ns),
            ("held_ns", Value::Int(ledger.held_ns)),
            ("forfeited_ns", Value::Int(ledger.forfeited_ns)),
            ("total_out_ns", Value::Int(ledger.total_out_ns())),
            ("balanced", Value::Bool(ledger.is_balanced())),
        ]
    }

    /// Converts a timestamp. The reader accepts only finite numbers, so this cannot fail.
    fn instant(&self, at_ms: f64) -> Duration {
        from_millis(at_ms - self.origin_ms).unwrap_or(Duration::MAX)
    }

    fn row(&self, frame: &Frame) -> Row {
        let int = |name, value: u64| (name, Value::Int(value.into()));
        let number = |name, value| (name, Value::Number(value));
        let flag = |name, value| (name, Value::Bool(value));
        let secs = |name, value: Duration| number(name, value.as_nanos() as f64 / 1e9);
        let hz = self.pacer.pacing().rate().as_hz();

        let mut row = vec![
            int("frame", self.frames),
            ("outcome", Value::Text(outcome_name(frame.outcome()).into())),
            int("steps", frame.steps().into()),
            int("tick", self.pacer.tick()),
            number("alpha", frame.alpha()),
            number("dt_s", f64::from(frame.steps()) / hz),
            secs("raw_dt_s", frame.raw_dt()),
            secs("dropped_s", frame.dropped()),
        ];
        match self.profile {
            _ if self.version == 2 => row.extend([
                number("time_scale", self.pacer.scale()),
                flag("in_hitstop", self.pacer.is_in_hitstop()),
                secs("freeze_left_s", self.pacer.freeze_left()),
                flag("render", frame.should_draw()),
                ("lock", Value::Text(lock_name(self.pacer.lock_state()).into())),
                int("lag_spikes", self.pacer.stats().lag_spikes()),
                int("missed", frame.missed().into()),
                number("fps", self.pacer.stats().fps().round()),
            ]),
            Profile::Starship => {
                let ui_ns = self.pacer.ui_time().as_nanos() as f64;
                let mission = self.game.mission.as_ref();
                row.extend([
                    number("wall_ms", ui_ns / 1e6),
                    number("ui_s", ui_ns / 1e9),
                    number("time_s", self.pacer.tick() as f64 / hz),
                    number("time_dilation", self.pacer.channel(Channel::TIME_DILATION)),
                    secs("freeze_left_s", self.pacer.freeze_left()),
                    secs("invert_left_s", self.game.invert.left()),
                    number("mission_timer_s", mission.map_or(0.0, MissionClock::timer_s)),
                    flag("overtime", mission.is_some_and(|mission| mission.overtime)),
                    number("overtime_s", mission.map_or(0.0, MissionClock::overtime_s)),
                ]);
            }
            Profile::FixedTimeStep => row.push(flag("render", frame.should_draw())),
            Profile::GameLoop | Profile::Evenstep => row.extend([
                number("time_scale", self.pacer.scale()),
                flag("in_hitstop", self.pacer.is_in_hitstop()),
                int("lag_spikes", self.pacer.stats().lag_spikes()),
                int("missed", frame.missed().into()),
                number("fps", self.pacer.stats().fps().round()),
            ]),
        }
        row.push((EXPLAIN, Value::Text(frame.explain().to_string())));
        row
    }
}

impl MissionClock {
    fn tick(&mut self) {
        if self.overtime {
            self.overtime_ticks += 1;
        } else if !self.mission.sandbox && !self.mission.boss_room {
            self.drained += 1;
            self.overtime = self.timer_s() == 0.0;
        }
    }

    fn timer_s(&self) -> f64 {
        /// Far less than a tick: the timer ends after a whole number of ticks, despite rounding errors.
        const NOTHING_LEFT_S: f64 = 1e-9;
        let left = self.mission.timer_s - ticks_to_secs(self.drained);
        if left < NOTHING_LEFT_S { 0.0 } else { left }
    }

    fn overtime_s(&self) -> f64 {
        ticks_to_secs(self.overtime_ticks)
    }
}

/// Converts seconds. The reader accepts only valid durations, so this cannot fail.
fn seconds(wall_s: f64) -> Duration {
    Duration::try_from_secs_f64(wall_s).unwrap_or(Duration::MAX)
}

fn ticks_to_secs(ticks: u64) -> f64 {
    ticks as f64 / evenstep::classic::SIM_RATE.as_hz()
}

const fn lock_name(state: LockState) -> &'static str {
    match state {
        LockState::Off => "off",
        LockState::Searching => "searching",
        LockState::Free => "free",
        LockState::Locked { .. } => "locked",
    }
}
