//! The game on a host: what keys do, what a tick is told, what a frame shows.
//!
//! ```text
//! events -> Shell::input   pause, menus, overlay, speed: they act on the pacer
//! ticks  -> Shell::step    the simulation, with what is held; its signals become effects
//! frames -> Shell::frame   hit-freeze, flash, effects and overlay move on
//! images -> Shell::picture from state, alpha and effects; writes none of the game
//! ```

mod keys;
mod picture;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use picture::draw_world;

use std::time::Duration;

use evenstep::{Channel, Frame, Gate, Pacer, Pacing, Rate, WallTimer};
use evenstep_host::{App, Context, Event, Input};
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Autopilot, RunDef, Signal, Sim, State};

use crate::controls::{self, Touch};
use crate::effects::Effects;
use crate::overlay::Overlay;

/// Seconds that a notice stays.
const NOTICE: f32 = 2.0;

/// How to play.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// Nobody is asked: the run starts at once and plays itself.
    pub(crate) autopilot: bool,
    pub(crate) fps_cap: Option<Rate>,
    pub(crate) speed: f64,
}

/// What is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    /// The autopilot plays behind the title.
    Title,
    Run,
}

/// The game and all that is around it.
#[derive(Debug)]
pub(crate) struct Shell {
    options: Options,
    sim: Sim,
    screen: Screen,
    is_paused: bool,
    selected: usize,
    speed: f64,
    // What this frame's ticks asked for, and the flash that runs in wall time.
    freeze_asked: Option<Duration>,
    invert: WallTimer,
    run_started: bool,
    // Only to be looked at.
    effects: Effects,
    overlay: Overlay,
    touch: Touch,
    notice: Option<(String, f32)>,
    size: (f32, f32),
    #[cfg(target_arch = "wasm32")]
    pub(crate) sprites: crate::canvas::Sprites,
    pub(crate) is_shot_asked: bool,
}

impl Shell {
    pub(crate) fn new(options: Options) -> Self {
        let mut shell = Self {
            sim: Sim::new(RunDef::seeded(options.seed)),
            screen: if options.autopilot { Screen::Run } else { Screen::Title },
            is_paused: false,
            selected: 0,
            speed: options.speed,
            freeze_asked: None,
            invert: WallTimer::default(),
            run_started: true,
            effects: Effects::default(),
            overlay: Overlay::default(),
            touch: Touch::default(),
            notice: None,
            size: (1280.0, 720.0),
            #[cfg(target_arch = "wasm32")]
            sprites: crate::canvas::Sprites::default(),
            is_shot_asked: false,
            options,
        };
        shell.sim.launch(RunDef::seeded(shell.options.seed));
        shell
    }

    /// The simulation, for a bench that keeps it crowded.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) const fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    pub(crate) const fn state(&self) -> &State {
        self.sim.state()
    }

    /// A word for the page and for tests.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn mode(&self) -> &'static str {
        match (self.screen, self.is_paused, self.state().phase) {
            (Screen::Title, ..) => "title",
            (_, true, _) => "paused",
            (.., starship_sim::Phase::Dead) => "dead",
            (.., starship_sim::Phase::Won) => "won",
            _ => "playing",
        }
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) const fn is_overlay_shown(&self) -> bool {
        self.overlay.is_shown
    }

    pub(crate) fn notify(&mut self, notice: String) {
        self.notice = Some((notice, NOTICE));
    }

    /// Starts a run; the tick that follows is its first, and so is the frame: an event's instant is none of a frame.
    fn launch(&mut self, screen: Screen, cx: &mut Context<'_>) {
        self.screen = screen;
        self.sim.launch(RunDef::seeded(self.options.seed));
        self.forget_run();
        self.begin_run(None, cx);
    }

    /// What another run's ticks asked for and left on the screen is none of this one's business.
    fn forget_run(&mut self) {
        self.freeze_asked = None;
        self.invert = WallTimer::default();
        self.effects.clear();
    }

    /// The host's side of a new run: timing and channels start afresh, with `frame` as the first frame or else with the
    /// next, and the pacer counts the run's own ticks, of which this frame may have run some.
    fn begin_run(&mut self, frame: Option<Duration>, cx: &mut Context<'_>) {
        self.run_started = false;
        self.is_paused = false;
        cx.pacer.reset(frame);
        cx.pacer.set_tick(self.sim.state().clock.tick());
        self.write_channels(cx.pacer);
    }

    fn write_channels(&self, pacer: &mut Pacer) {
        let state = self.sim.state();
        let channels = [
            (Channel::TIME_DILATION, self.speed),
            (Channel::LEVEL_SPEED, f64::from(state.level_speed())),
            (Channel::JUICE, f64::from(state.juice.dilation)),
        ];
        for (channel, scale) in channels {
            if channel == Channel::TIME_DILATION {
                pacer.set_resting_scale(channel, scale);
                // A hit-freeze holds it at zero and brings it back.
                if !pacer.freeze_left().is_zero() {
                    continue;
                }
            }
            if pacer.channel(channel) != scale {
                pacer.set_scale(channel, scale);
            }
        }
        pacer.set_gate(if self.is_paused { Gate::Paused } else { Gate::Open });
    }
}

impl App for Shell {
    fn pacing(&self) -> Pacing {
        Pacing::hz(TICK_HZ).with_draw_rate(self.options.fps_cap)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.touch.notice(event);
        match event {
            Event::KeyDown(key) => self.key(key, cx),
            Event::PadDown { button, .. } => self.button(button, cx),
            Event::PointerDown(pointer) => self.press(pointer, cx),
            Event::Resized(size) => self.size = (size.width as f32, size.height as f32),
            Event::FocusLost if !self.options.autopilot => self.set_paused(true, cx),
            _ => {}
        }
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        self.touch.tick(input);
        let state = self.sim.state();
        let plays_itself = self.options.autopilot || self.screen == Screen::Title;
        let told = if plays_itself {
            Autopilot.input(state)
        } else {
            controls::read(input, &self.touch, state.phase.is_over())
        };
        self.sim.tick(told, &mut ());
        if self.sim.signals().iter().any(|signal| matches!(signal, Signal::RunStarted { .. })) {
            self.forget_run();
            self.run_started = true;
        }
        for &signal in self.sim.signals() {
            match signal {
                Signal::HitFreeze { wall_ms } if self.screen == Screen::Run => {
                    let asked = Duration::from_millis(wall_ms.into());
                    self.freeze_asked = Some(self.freeze_asked.map_or(asked, |already| already.max(asked)));
                }
                Signal::InvertScreen { wall_ms } if self.screen == Screen::Run => {
                    self.invert = WallTimer::start(Duration::from_millis(wall_ms.into()));
                }
                _ => self.effects.show(signal),
            }
        }
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.overlay.record(frame, cx.pacer, cx.now());
        let wall_secs = frame.raw_dt().as_secs_f32();
        self.invert.advance(frame);
        // A step by hand moves what a second of play moves, without its time.
        let seconds = if self.is_paused { frame.dt() } else { frame.scaled_dt() }.as_secs_f32();
        self.effects.advance(seconds, if self.is_paused { 0.0 } else { wall_secs });
        self.effects.trail(self.sim.state(), seconds);
        if let Some(notice) = &mut self.notice {
            notice.1 -= wall_secs;
            if notice.1 <= 0.0 {
                self.notice = None;
            }
        }
        if std::mem::take(&mut self.run_started) {
            // The player confirmed and the simulation started again by itself; the rest of the reset is ours.
            self.begin_run(Some(cx.now()), cx);
        }
        if let Some(wall_time) = self.freeze_asked.take() {
            cx.pacer.hit_freeze(wall_time);
        }
        self.write_channels(cx.pacer);
    }
}

#[cfg(test)]
mod tests;
