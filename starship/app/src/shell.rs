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
mod menus;
mod replay;
mod run;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use draw::draw_world;
pub(crate) use replay::{Check, read as read_recording};

use std::time::Duration;

use evenstep::{DisplayLock, Frame, Pacing, Rate};
use evenstep_host::{App, Context, Event, Input, Key};
use evenstep_replay::Recording;
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Autopilot, Difficulty, Play, RunDef, Signal, Sim, State, Turn};

use crate::choice::Chooser;
use crate::controls::{self, Touch};
use crate::effects::Effects;
use crate::hints::Hints;
use crate::menu::Menu;
use crate::overlay::Overlay;
use crate::scores::Best;
use crate::seeds::Seed;
use crate::settings::{Action, Item, Settings};
use crate::sound::{Sound, Speaker};
use crate::store::Store;
use crate::tape::Tape;
use crate::watch::{Watch, without_panic};

/// How long a notice stays, in seconds.
const NOTICE: f32 = 2.0;

/// Options of a game.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "switches")]
pub(crate) struct Options {
    pub(crate) seed: Seed,
    /// What the command line says wins over what the player chose last.
    pub(crate) difficulty: Option<Difficulty>,
    /// The run starts immediately and plays itself.
    pub(crate) autopilot: bool,
    /// Every run is a sandbox: no timer, no boss, no damage, and R rewinds.
    pub(crate) sandbox: bool,
    /// What the command line says wins over the settings, for this run.
    pub(crate) fps_cap: Option<f64>,
    pub(crate) speed: Option<f64>,
    pub(crate) fullscreen: bool,
    /// Everything is recorded, into the memory of a page.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) records: bool,
    /// The device has a touch screen and no mouse.
    pub(crate) has_touch: bool,
    /// The player has asked the system for less motion.
    pub(crate) less_motion: bool,
    /// Lines and outlines glow, on a graphics card.
    #[cfg(feature = "gpu")]
    pub(crate) bloom: bool,
}

/// The current screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    /// The title screen, with the autopilot playing behind it.
    Title,
    Run,
}

#[derive(Debug, Default)]
struct Mouse {
    // Where it was last, once it was anywhere.
    at: Option<(f64, f64)>,
    is_hidden: bool,
}

/// Keys that have an effect for as long as they are held.
#[derive(Debug, Default)]
struct Held {
    alt: bool,
    rewind: bool,
}

/// The game with its menus, effects and overlay.
#[derive(Debug)]
pub(crate) struct Shell {
    options: Options,
    play: Play,
    screen: Screen,
    // Where the seed of this run comes from.
    seed: Seed,
    difficulty: Difficulty,
    chooser: Chooser,
    store: Store,
    // Records every tick; the recording that is watched instead, and the one to watch from the next frame on.
    tape: Tape,
    watch: Option<Watch>,
    to_watch: Option<Recording>,
    // The recording that is watched made the game panic.
    has_failed: bool,
    pub(crate) settings: Settings,
    // The settings, over the title or the pause menu, and the entries selected in the menus below them.
    opened: Option<Menu>,
    selected: usize,
    selected_below: Vec<usize>,
    // The action that waits for its new key.
    binding: Option<Action>,
    held: Held,
    // In the last frame.
    was_fullscreen: bool,
    // The direction in which a gamepad's stick was pushed last, for menus.
    pushed: (i8, i8),
    // Everything below is for display only.
    effects: Effects,
    overlay: Overlay,
    touch: Touch,
    speaker: Speaker,
    hints: Hints,
    // The best score before this run.
    best_before: Option<Best>,
    notice: Option<(String, f32)>,
    mouse: Mouse,
    size: (f64, f64),
    pub(crate) is_shot_asked: bool,
}

impl Shell {
    pub(crate) fn new(options: Options, store: Store) -> Self {
        let defaults = if options.less_motion { Settings::with_less_motion() } else { Settings::default() };
        let mut settings = defaults.kept(&store);
        settings.speed = options.speed.unwrap_or(settings.speed);
        settings.fps_cap = options.fps_cap.or(settings.fps_cap);
        settings.is_fullscreen |= options.fullscreen;
        let difficulty = options.difficulty.or_else(|| run::kept_difficulty(&store)).unwrap_or_default();
        let run = RunDef { sandbox: options.sandbox, ..options.seed.run(difficulty) };
        let before = Sim::before_any_run();
        let mut tape = Tape::new(&before);
        tape.launch(&before, run);
        let mut shell = Self {
            play: Play::launching(run).with_speed(settings.speed),
            screen: if options.autopilot { Screen::Run } else { Screen::Title },
            seed: options.seed,
            difficulty,
            chooser: Chooser::default(),
            hints: Hints::new(&store),
            best_before: None,
            store,
            tape,
            watch: None,
            to_watch: None,
            has_failed: false,
            opened: None,
            selected: 0,
            selected_below: Vec::new(),
            binding: None,
            held: Held::default(),
            was_fullscreen: false,
            pushed: (0, 0),
            effects: Effects::default(),
            overlay: Overlay::default(),
            touch: Touch::of_device(options.has_touch),
            speaker: Speaker::default(),
            notice: None,
            mouse: Mouse::default(),
            size: (1280.0, 720.0),
            is_shot_asked: false,
            options,
            settings,
        };
        shell.play.set_demo(shell.screen == Screen::Title);
        shell.effects.set_shake(f32::from(shell.settings.shake) / 100.0);
        shell.speaker.set_volume(shell.settings.loudness());
        shell
    }

    /// Records everything from the first tick on into a file, or a page's memory.
    pub(crate) fn record(&mut self, file: crate::tape::File) {
        self.tape.record(file, self.play.state().run.seed);
    }

    /// Ends the recording, when the game ends. Returns what went wrong.
    pub(crate) fn end_recording(&mut self) -> Option<String> {
        self.tape.end_file(self.play.sim());
        self.tape.take_failure()
    }

    /// Whether lines and outlines glow, on a graphics card.
    #[cfg(feature = "gpu")]
    pub(crate) const fn has_bloom(&self) -> bool {
        self.options.bloom
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
            (.., starship_sim::Phase::Choosing) => "choosing",
            (.., starship_sim::Phase::Dead) => "dead",
            (.., starship_sim::Phase::Won) => "won",
            _ => "playing",
        }
    }

    /// The menu that is open, if any.
    pub(crate) const fn menu(&self) -> Option<Menu> {
        match (self.opened, self.screen, self.play.is_paused()) {
            (Some(menu), ..) => Some(menu),
            (None, Screen::Title, _) => Some(Menu::Title),
            // A recording has its own bar.
            (None, Screen::Run, true) if self.watch.is_none() => Some(Menu::Pause),
            (None, Screen::Run, _) => None,
        }
    }

    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn speaker(&self) -> &Speaker {
        &self.speaker
    }

    pub(crate) fn notify(&mut self, notice: String) {
        self.notice = Some((notice, NOTICE));
    }
}

/// A window that fails drops the game in the middle of a run, and its score and its recording are kept all the same.
#[cfg(not(target_arch = "wasm32"))]
impl Drop for Shell {
    fn drop(&mut self) {
        // A panic saves the last minute instead.
        if !std::thread::panicking() {
            self.keep_score();
            if let Some(failure) = self.end_recording() {
                eprintln!("error: the recording: {failure}");
            }
        }
    }
}

impl App for Shell {
    fn pacing(&self) -> Pacing {
        let cap = self.settings.fps_cap.map(|hz| Rate::new((hz * 1e3).round() as u32, 1_000));
        let pacing = Pacing::hz(TICK_HZ).with_draw_rate(cap);
        if self.settings.has_lock { pacing } else { pacing.with_display_lock(DisplayLock::Off) }
    }

    fn uses_key(&self, key: Key) -> bool {
        self.is_key_used(key) || self.tape_uses(key)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.touch.notice(event);
        match event {
            Event::KeyDown(_) | Event::PadDown { .. } | Event::PointerDown(_) | Event::PointerUp(_) => {
                self.speaker.wake();
            }
            Event::Hidden => {
                self.speaker.set_hidden(true);
                // A page that is closed gets no later chance.
                self.keep_score();
            }
            Event::Shown => self.speaker.set_hidden(false),
            _ => {}
        }
        if self.tape_event(event, cx) {
            return;
        }
        match event {
            Event::KeyDown(key) => self.key(key, cx),
            Event::KeyUp(Key::AltLeft | Key::AltRight) => self.held.alt = false,
            Event::PadDown { button, .. } => self.button(button, cx),
            Event::PadAxis { axis, value, .. } => self.push(axis, value, cx),
            Event::PointerDown(pointer) => self.press(pointer, cx),
            Event::PointerMove(pointer) => self.hover(pointer),
            Event::Resized(size) => self.size = (size.width, size.height),
            Event::FocusLost if !self.options.autopilot => self.set_paused(true, cx),
            _ => {}
        }
    }

    fn step(&mut self, input: &Input, cx: &mut Context<'_>) {
        self.touch.tick(input);
        if self.held.rewind || self.has_failed {
            return;
        }
        let state = self.play.state();
        let plays_itself = self.options.autopilot || self.screen == Screen::Title;
        let turn = if self.watch.is_some() {
            let Some(turn) = self.watched_turn(cx) else { return };
            turn
        } else {
            let told = if plays_itself {
                Autopilot.input(state)
            } else {
                let choice = self.chooser.tick(state);
                let told = controls::read(input, &self.settings.keys, &self.touch, state.phase.is_over());
                starship_sim::Input { choice, ..told }
            };
            self.tape.tick(told, self.play.sim());
            Turn::from(told)
        };
        let Self { play, .. } = self;
        if self.watch.is_some() {
            if without_panic(|| play.turn(&turn, &mut ())).is_err() {
                self.has_failed = true;
                return;
            }
        } else {
            play.turn(&turn, &mut ());
        }
        if self.watch.is_none() {
            self.tape.mark(self.play.sim());
        }
        for &signal in self.play.sim().signals() {
            match signal {
                Signal::RunStarted { .. } => self.effects.clear(),
                _ => self.effects.show(signal),
            }
        }
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.overlay.record(frame, cx.pacer, cx.now());
        if let Some(renderer) = self.overlay.fallback(cx.display()) {
            eprintln!("the game is drawn by {renderer}");
        }
        if self.settings.has_overlay {
            self.overlay.write(frame, cx.pacer, cx.display(), cx.now());
        } else {
            self.overlay.hide();
        }
        self.follow_fullscreen(cx);
        self.hide_cursor(cx);
        self.play_sounds(cx.now());
        let wall_secs = frame.raw_dt().as_secs_f32();
        self.follow_run(wall_secs);
        // While paused, a single step still moves the effects.
        let is_paused = self.play.is_paused();
        let seconds = if is_paused { frame.dt() } else { frame.scaled_dt() }.as_secs_f32();
        self.effects.advance(seconds, if is_paused { 0.0 } else { wall_secs });
        self.effects.trail(self.play.state(), seconds);
        if let Some(notice) = self.store.take_notice() {
            self.notify(notice);
        }
        if let Some(notice) = &mut self.notice {
            notice.1 -= wall_secs;
            if notice.1 <= 0.0 {
                self.notice = None;
            }
        }
        self.play.end_frame(frame, cx.pacer);
        self.play.clear_signals();
        self.tape_frame(frame.steps(), cx);
    }
}

impl Shell {
    /// Plays the sounds of the frame's ticks. The demo behind the title is silent.
    fn play_sounds(&mut self, now: Duration) {
        if self.screen == Screen::Title {
            return;
        }
        for sound in self.play.signals().into_iter().filter_map(|&signal| Sound::of(signal)) {
            self.speaker.play(sound, now);
        }
    }

    /// Follows a window that the player takes out of full screen by other means than the game's keys and menus.
    fn follow_fullscreen(&mut self, cx: &Context<'_>) {
        self.settings.is_fullscreen = cx.is_fullscreen();
        if std::mem::replace(&mut self.was_fullscreen, cx.is_fullscreen()) && !cx.is_fullscreen() {
            self.settings.keep(Item::Fullscreen, &mut self.store);
        }
    }

    /// Hides the mouse while the player flies.
    fn hide_cursor(&mut self, cx: &mut Context<'_>) {
        let is_hidden =
            self.menu().is_none() && !self.is_choosing() && !self.options.autopilot && self.watch.is_none();
        if self.mouse.is_hidden != is_hidden {
            self.mouse.is_hidden = is_hidden;
            cx.set_cursor_visible(!is_hidden);
        }
    }
}

#[cfg(test)]
mod tests;
