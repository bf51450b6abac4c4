//! The game as an app for a host: handles events, runs ticks, draws frames.
//!
//! ```text
//! events -> Shell::input       pause, menus, overlay, speed
//! ticks  -> Shell::step        the simulation with the player's input; its signals become effects
//! frames -> Shell::frame       advances effects and overlay, applies hit-freeze and flash
//! images -> Shell::draw_frame  from state, alpha and effects; never changes the game
//! ```

mod draw;
mod keys;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use draw::draw_world;

use evenstep::{Frame, Pacing, Rate};
use evenstep_host::{App, Context, Event, Input};
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Autopilot, Play, RunDef, Signal, State};

use crate::controls::{self, Touch};
use crate::effects::Effects;
use crate::overlay::Overlay;

/// How long a notice stays, in seconds.
const NOTICE: f32 = 2.0;

/// Options of a game.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// The run starts immediately and plays itself.
    pub(crate) autopilot: bool,
    pub(crate) fps_cap: Option<Rate>,
    pub(crate) speed: f64,
}

/// The current screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    /// The title screen, with the autopilot playing behind it.
    Title,
    Run,
}

/// The game with its menus, effects and overlay.
#[derive(Debug)]
pub(crate) struct Shell {
    options: Options,
    play: Play,
    screen: Screen,
    selected: usize,
    // Everything below is for display only.
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
            play: Play::launching(RunDef::seeded(options.seed)).with_speed(options.speed),
            screen: if options.autopilot { Screen::Run } else { Screen::Title },
            selected: 0,
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
        shell.play.set_demo(shell.screen == Screen::Title);
        shell
    }

    /// The game, for a benchmark that keeps it crowded.
    #[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
    pub(crate) const fn play_mut(&mut self) -> &mut Play {
        &mut self.play
    }

    pub(crate) const fn state(&self) -> &State {
        self.play.state()
    }

    /// The name of the current screen, for the page and for tests.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn mode(&self) -> &'static str {
        match (self.screen, self.play.is_paused(), self.state().phase) {
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

    /// Starts a run with the next frame, because the time of an event is not the time of a frame.
    fn launch(&mut self, screen: Screen, cx: &mut Context<'_>) {
        self.screen = screen;
        self.play.set_demo(screen == Screen::Title);
        self.play.launch(RunDef::seeded(self.options.seed), cx.pacer, None);
        self.effects.clear();
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
        let state = self.play.state();
        let plays_itself = self.options.autopilot || self.screen == Screen::Title;
        let told = if plays_itself {
            Autopilot.input(state)
        } else {
            controls::read(input, &self.touch, state.phase.is_over())
        };
        self.play.tick(told, &mut ());
        for &signal in self.play.sim().signals() {
            match signal {
                Signal::RunStarted { .. } => self.effects.clear(),
                _ => self.effects.show(signal),
            }
        }
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.overlay.record(frame, cx.pacer, cx.now());
        let wall_secs = frame.raw_dt().as_secs_f32();
        // While paused, a single step still moves the effects.
        let is_paused = self.play.is_paused();
        let seconds = if is_paused { frame.dt() } else { frame.scaled_dt() }.as_secs_f32();
        self.effects.advance(seconds, if is_paused { 0.0 } else { wall_secs });
        self.effects.trail(self.play.state(), seconds);
        if let Some(notice) = &mut self.notice {
            notice.1 -= wall_secs;
            if notice.1 <= 0.0 {
                self.notice = None;
            }
        }
        self.play.end_frame(frame, cx.pacer);
        self.play.clear_signals();
    }
}

#[cfg(test)]
mod tests;
