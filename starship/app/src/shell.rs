//! The game as an app for a host: handles events, runs ticks, draws frames.
//!
//! ```text
//! events -> Shell::input       pause, menus, overlay, speed
//! ticks  -> Shell::step        the simulation with the player's input; its signals become effects
//! frames -> Shell::frame       advances effects and overlay, tells the pacer of hit-freezes and new runs
//! images -> Shell::draw_frame  from state, alpha and effects; never changes the game
//! ```

mod draw;
mod keys;
mod menus;
#[cfg(test)]
mod player;
mod replay;
mod run;
mod show;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use draw::draw_world;
pub(crate) use replay::{Check, read as read_recording};

use evenstep::{DisplayLock, Frame, Pacing, Rate};
use evenstep_host::{App, Context, Event, Input, Key};
use starship_sim::tuning::TICK_HZ;
use starship_sim::{Difficulty, State};

use crate::seeds::Seed;
use crate::settings::Settings;
use crate::store::Store;
use keys::Devices;
use menus::Menus;
use replay::Replay;
use run::{Run, Screen};
use show::Show;

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

/// The game with its menus, effects and overlay. Each part has a file of its own.
#[derive(Debug)]
pub(crate) struct Shell {
    options: Options,
    /// What is kept between sessions.
    store: Store,
    pub(crate) settings: Settings,
    /// The game in progress, its seed and its scores.
    run: Run,
    /// What is recorded, and what is watched.
    replay: Replay,
    /// What is open and selected.
    menus: Menus,
    /// What the player touches, holds and points with.
    devices: Devices,
    /// What is shown and heard around the game.
    pub(crate) show: Show,
}

impl Shell {
    pub(crate) fn new(options: Options, store: Store) -> Self {
        let defaults = if options.less_motion { Settings::with_less_motion() } else { Settings::default() };
        let mut settings = defaults.kept(&store);
        settings.speed = options.speed.unwrap_or(settings.speed);
        settings.fps_cap = options.fps_cap.or(settings.fps_cap);
        settings.is_fullscreen |= options.fullscreen;
        let run = Run::new(&options, &settings, &store);
        Self {
            replay: Replay::of(run.play.state().run),
            run,
            menus: Menus::default(),
            devices: Devices::new(options.has_touch),
            show: Show::new(&settings, &store),
            options,
            store,
            settings,
        }
    }

    /// Records everything from the first tick on into a file, or a page's memory.
    pub(crate) fn record(&mut self, file: crate::tape::File) {
        self.replay.tape.record(file, self.run.play.state().run.seed);
    }

    /// Ends the recording, when the game ends. Returns what went wrong.
    pub(crate) fn end_recording(&mut self) -> Option<String> {
        self.replay.tape.end_file(self.run.play.sim());
        self.replay.tape.take_failure()
    }

    /// Whether lines and outlines glow, on a graphics card.
    #[cfg(feature = "gpu")]
    pub(crate) const fn has_bloom(&self) -> bool {
        self.options.bloom
    }

    /// The game, for a benchmark that keeps it crowded.
    #[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
    pub(crate) const fn play_mut(&mut self) -> &mut starship_sim::Play {
        &mut self.run.play
    }

    pub(crate) const fn state(&self) -> &State {
        self.run.play.state()
    }

    /// The name of the current screen, for the page and for tests.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn mode(&self) -> &'static str {
        match (self.run.screen, self.run.play.is_paused(), self.state().phase) {
            (Screen::Title, ..) => "title",
            (_, true, _) => "paused",
            (.., starship_sim::Phase::Choosing) => "choosing",
            (.., starship_sim::Phase::Dead) => "dead",
            (.., starship_sim::Phase::Won) => "won",
            _ => "playing",
        }
    }

    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn speaker(&self) -> &crate::sound::Speaker {
        &self.show.speaker
    }

    /// Tells the pacer what the game asks of it.
    fn tell(&mut self, cx: &mut Context<'_>) {
        self.run.play.commands().for_each(|command| cx.pacer.tell(command));
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
        self.is_key_used(key) || self.replay_uses(key)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.devices.touch.notice(event);
        match event {
            Event::KeyDown(_) | Event::PadDown { .. } | Event::PointerDown(_) | Event::PointerUp(_) => {
                self.show.speaker.wake();
            }
            Event::Hidden => {
                self.show.speaker.set_hidden(true);
                // A page that is closed gets no later chance.
                self.keep_score();
            }
            Event::Shown => self.show.speaker.set_hidden(false),
            _ => {}
        }
        if !self.replay_event(event, cx) {
            self.device_event(event, cx);
        }
        self.tell(cx);
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        self.devices.touch.tick(input);
        if self.replay.is_held() {
            return;
        }
        if self.replay.watch.is_none() {
            self.tick_played(input);
        } else if !self.tick_watched() {
            return;
        }
        self.show.show_signals(self.run.play.sim().signals());
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.show.show_frame(frame, cx, &self.settings);
        self.follow_fullscreen(cx);
        self.hide_cursor(cx);
        self.play_sounds(cx.now());
        self.follow_run(frame.raw_dt().as_secs_f32());
        self.show.advance(frame, &self.run.play, self.store.take_notice());
        self.run.play.end_frame(frame, &mut ());
        self.run.play.clear_signals();
        self.replay_frame(frame.steps());
        self.tell(cx);
    }
}

#[cfg(test)]
mod tests;
