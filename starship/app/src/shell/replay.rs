//! Recording, watching, rewinding: what the shell does with its tape.

use evenstep_host::{Button, Context, Event, Key, Pointer};
use evenstep_replay::{Error, Recording, with_causes};
use starship_sim::{RunDef, Sim, without_panic};

use super::{Screen, Shell};
use crate::layout::Place;
use crate::seeds::Seed;
use crate::settings::{Action, Item};
use crate::tape::Tape;
use crate::watch::{self, Watch, is_on_bar};

/// How far the arrow keys seek, in ticks: five seconds.
const SEEK: i64 = 300;
/// How much faster than normal time runs back.
const REWIND_SPEED: u64 = 2;

/// What the player reads if a recording makes the game panic.
const FAILS: &str = "THIS RECORDING MAKES THE GAME FAIL";

/// The tape that records every tick, and the recording that is watched instead.
#[derive(Debug)]
pub(super) struct Replay {
    pub(super) tape: Tape,
    pub(super) watch: Option<Watch>,
    /// The recording to watch from the next frame on.
    to_watch: Option<Recording>,
    /// The recording that is watched made the game panic.
    has_failed: bool,
    /// The key that runs time back is held.
    pub(super) is_rewinding: bool,
}

impl Replay {
    /// Starts to record with a run.
    pub(super) fn of(run: RunDef) -> Self {
        let before = Sim::before_any_run();
        let mut tape = Tape::new(&before);
        tape.launch(&before, run);
        Self { tape, watch: None, to_watch: None, has_failed: false, is_rewinding: false }
    }

    /// Whether no tick may run.
    pub(super) const fn is_held(&self) -> bool {
        self.is_rewinding || self.has_failed
    }
}

impl Shell {
    /// Watches a recording from the next frame on.
    pub(crate) fn watch_soon(&mut self, recording: Recording) {
        self.replay.to_watch = Some(recording);
    }

    /// Starts what was asked for, and rewinds while the key is held.
    pub(super) fn replay_frame(&mut self, steps: u32) {
        if std::mem::take(&mut self.replay.has_failed) {
            self.abandon();
        }
        if let Some(recording) = self.replay.to_watch.take() {
            self.start_watching(recording);
        }
        if self.replay.is_rewinding && steps > 0 {
            let tape = &mut self.replay.tape;
            let back = REWIND_SPEED * u64::from(steps);
            if let Err(error) = self.run.play.jump(|sim| tape.rewind(back, sim)) {
                self.notify_error(&error);
            }
            self.show.effects.clear();
        }
        if let Some(notice) = self.replay.tape.take_notice() {
            self.show.notify(notice);
        }
    }

    fn notify_error(&mut self, error: &Error) {
        self.show.notify(with_causes(error).to_uppercase());
    }

    /// Leaves a recording that made the game panic, with nothing of the state that it left behind.
    fn abandon(&mut self) {
        self.run.play.jump(|sim| *sim = Sim::before_any_run());
        self.leave();
        self.show.notify(FAILS.to_owned());
    }

    fn start_watching(&mut self, recording: Recording) {
        let damage = recording.problem().map(ToString::to_string);
        // Beside the run, which goes on if there is nothing to watch.
        let mut sim = Sim::before_any_run();
        let watch = match without_panic(|| Watch::start(recording, &mut sim)) {
            Some(Ok(watch)) => watch,
            Some(Err(why)) => return self.show.notify(why.to_uppercase()),
            None => return self.show.notify(FAILS.to_owned()),
        };
        // Nothing is lost by leaving a run.
        self.keep_score();
        self.menus.close();
        self.show.hints.clear();
        self.replay.tape.restart(self.run.play.sim());
        self.run.play.jump(|own| *own = sim);
        self.replay.watch = Some(watch);
        self.run.screen = Screen::Run;
        self.replay.is_rewinding = false;
        self.run.play.set_demo(false);
        self.run.play.unpause();
        self.show.effects.clear();
        if let Some(damage) = damage {
            self.show.notify(format!("DAMAGED: {}", damage.to_uppercase()));
        }
    }

    /// Runs the next tick of the recording. At its end, the game pauses. Returns whether the game has ticked.
    pub(super) fn tick_watched(&mut self) -> bool {
        match self.replay.watch.as_mut().map_or(Ok(None), Watch::next) {
            Ok(Some(turn)) => {
                let play = &mut self.run.play;
                self.replay.has_failed = without_panic(|| play.turn(&turn, &mut ())).is_none();
                return !self.replay.has_failed;
            }
            Ok(None) => {}
            Err(error) => self.notify_error(&error),
        }
        self.run.play.pause();
        false
    }

    /// Handles an event that concerns the recording that is watched, or the tape. Returns whether it did.
    pub(super) fn replay_event(&mut self, event: Event, cx: &mut Context<'_>) -> bool {
        // The settings wait for a key, whichever it is; one that is released meanwhile is released for good.
        if self.menus.binding.is_some() && matches!(event, Event::KeyDown(_)) {
            return false;
        }
        match event {
            Event::KeyDown(Key::F6) => self.save_last_minute(),
            Event::KeyDown(Key::KeyR) if self.can_rewind() => self.replay.is_rewinding = true,
            Event::KeyUp(Key::KeyR) => self.replay.is_rewinding = false,
            Event::FocusLost | Event::Hidden => {
                self.replay.is_rewinding = false;
                return self.replay.watch.is_some();
            }
            Event::KeyDown(key) if self.replay.watch.is_some() => return self.watch_key(key),
            Event::PadDown { button: Button::South, .. } if self.replay.watch.is_some() => self.take_over(),
            Event::PadDown { button: Button::East, .. } if self.replay.watch.is_some() => self.leave(),
            Event::PointerDown(pointer) if self.replay.watch.is_some() => self.watch_press(pointer, cx),
            Event::PointerMove(pointer)
                if self.replay.watch.as_ref().is_some_and(|watch| watch.is_dragged) =>
            {
                self.scrub([pointer.x, pointer.y]);
            }
            Event::PointerUp(_) if self.replay.watch.is_some() => self.drag(false),
            _ => return false,
        }
        true
    }

    /// Whether time can run back: in a sandbox that the player, or the autopilot for them, plays.
    fn can_rewind(&self) -> bool {
        let is_chosen = Action::ALL.into_iter().any(|action| self.settings.keys.is(action, Key::KeyR));
        // A key that the player has chosen does what they chose it for.
        self.replay.watch.is_none()
            && self.run.screen == Screen::Run
            && self.state().run.sandbox
            && !is_chosen
    }

    /// Handles a press while a recording is watched: of a button for fingers, or on the bar.
    fn watch_press(&mut self, pointer: Pointer, cx: &mut Context<'_>) {
        let place = [pointer.x, pointer.y];
        let [overlay, pause] =
            self.buttons(self.show.size).map_or([false; 2], |it| it.map(|it| it.contains(place)));
        let [leave, play_on] =
            watch::buttons(self.show.size).map(|it| self.devices.touch.is_used() && it.contains(place));
        if overlay || pause || leave || play_on {
            // The finger does not steer as well.
            self.devices.touch.press_button(pointer.id);
        }
        match () {
            () if overlay => self.cycle(Item::Overlay, cx),
            () if pause => self.run.toggle_pause(),
            () if leave => self.leave(),
            () if play_on => self.take_over(),
            () if is_on_bar(self.show.size, place) => {
                self.drag(true);
                self.scrub(place);
            }
            () => self.drag(false),
        }
    }

    /// Leaves the recording for the title screen.
    fn leave(&mut self) {
        self.launch(Screen::Title, self.options.seed);
    }

    /// Whether the tape or the recording that is watched uses a key.
    pub(super) const fn replay_uses(&self, key: Key) -> bool {
        match key {
            Key::F6 => true,
            Key::KeyR => self.options.sandbox,
            Key::Home | Key::End | Key::Comma | Key::KeyK | Key::KeyB => self.replay.watch.is_some(),
            _ => false,
        }
    }

    fn watch_key(&mut self, key: Key) -> bool {
        let Some(watch) = &self.replay.watch else { return false };
        let target = match key {
            Key::ArrowLeft => Some(watch.near(-SEEK)),
            Key::ArrowRight => Some(watch.near(SEEK)),
            Key::Home => Some(watch.near(i64::MIN)),
            Key::End => Some(watch.near(i64::MAX)),
            Key::Comma => Some(watch.near(-1)),
            Key::KeyD => watch.next_mark("damage"),
            Key::KeyK => watch.next_mark("death"),
            Key::KeyB => watch.next_mark("boss"),
            Key::Space | Key::KeyP => {
                self.run.toggle_pause();
                return true;
            }
            // With Alt, it toggles full screen.
            Key::Enter | Key::NumpadEnter if !self.devices.is_alt_held => {
                self.take_over();
                return true;
            }
            Key::Escape => {
                self.leave();
                return true;
            }
            // Single steps, speed, overlay, lock and screenshots are as always.
            _ => return false,
        };
        match target {
            Some(tick) => self.seek(tick),
            None => self.show.notify("NOTHING LIKE THAT IN THIS RECORDING".to_owned()),
        }
        true
    }

    fn seek(&mut self, tick: u64) {
        let Some(watch) = &mut self.replay.watch else { return };
        let sought = self.run.play.jump(|sim| without_panic(|| watch.seek(tick, sim)));
        match sought {
            Some(Ok(())) => {}
            Some(Err(error)) => self.notify_error(&error),
            None => self.replay.has_failed = true,
        }
        self.show.effects.clear();
    }

    fn drag(&mut self, is_dragged: bool) {
        if let Some(watch) = &mut self.replay.watch {
            watch.is_dragged = is_dragged;
        }
    }

    fn scrub(&mut self, place: Place) {
        if let Some(tick) = self.replay.watch.as_ref().map(|watch| watch.tick_at(self.show.size, place)) {
            self.seek(tick);
        }
    }

    /// The player takes over where the recording is.
    fn take_over(&mut self) {
        self.replay.watch = None;
        self.replay.tape.take_over(self.run.play.sim());
        // To restart is to play the recorded seed from its start.
        self.run.seed = Seed::Fixed(self.state().run.seed);
        self.options.autopilot = false;
        self.run.play.unpause();
        self.show.notify("YOUR TURN".to_owned());
    }

    /// Saves what just happened.
    fn save_last_minute(&mut self) {
        if self.replay.watch.is_some() {
            return self.show.notify("YOU ARE WATCHING A RECORDING ALREADY".to_owned());
        }
        let saved = self.replay.tape.save(self.run.play.sim()).map_err(|error| with_causes(&error));
        let saved = saved.and_then(|bytes| crate::files::save("starship", &bytes));
        self.show.notify(match saved {
            Ok(file) => format!("SAVED {file}"),
            Err(message) => message,
        });
    }

    /// The last minute as a recording, for tests.
    #[cfg(test)]
    pub(crate) fn last_minute(&self) -> Result<Vec<u8>, String> {
        self.replay.tape.last_minute(self.run.play.sim()).map_err(|error| error.to_string())
    }

    /// The tick of the recording that is watched.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) fn watched_tick(&self) -> Option<u64> {
        self.replay.watch.as_ref().map(Watch::tick)
    }
}

/// Whether a recording of another version may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Strict,
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page has no option for it"))]
    Forced,
}

/// Reads a recording and checks that this game can play it.
///
/// # Errors
///
/// If it is not a recording, or another version made it; the message says what differs.
pub(crate) fn read(bytes: &[u8], check: Check) -> Result<Recording, String> {
    let recording = Recording::read(bytes).map_err(|error| with_causes(&error))?;
    if check == Check::Strict {
        recording.header().check(&Sim::replay_header()).map_err(|error| {
            let hint = if cfg!(target_arch = "wasm32") { "" } else { " (try with --force)" };
            format!("{}{hint}", with_causes(&error))
        })?;
    }
    Ok(recording)
}

#[cfg(test)]
mod tests;
