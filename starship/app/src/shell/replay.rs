//! Recording, watching, rewinding: what the shell does with its tape.

use evenstep_host::{Button, Context, Event, Key, Pointer};
use evenstep_replay::{Error, Recording, with_causes};
use starship_sim::{Sim, Turn};

use super::{Screen, Shell};
use crate::layout::Place;
use crate::seeds::Seed;
use crate::settings::{Action, Item};
use crate::watch::{self, Watch, is_on_bar, without_panic};

/// How far the arrow keys seek, in ticks: five seconds.
const SEEK: i64 = 300;
/// How much faster than normal time runs back.
const REWIND_SPEED: u64 = 2;

impl Shell {
    /// Watches a recording from the next frame on.
    pub(crate) fn watch_soon(&mut self, recording: Recording) {
        self.to_watch = Some(recording);
    }

    /// Starts what was asked for, and rewinds while the key is held.
    pub(super) fn tape_frame(&mut self, steps: u32, cx: &mut Context<'_>) {
        if std::mem::take(&mut self.has_failed) {
            self.abandon(cx);
        }
        if let Some(recording) = self.to_watch.take() {
            self.start_watching(recording, cx);
        }
        if self.held.rewind && steps > 0 {
            let Self { play, tape, .. } = self;
            let back = REWIND_SPEED * u64::from(steps);
            if let Err(error) = play.jump(cx.pacer, |sim| tape.rewind(back, sim)) {
                self.notify_error(&error);
            }
            self.effects.clear();
        }
        if let Some(notice) = self.tape.take_notice() {
            self.notify(notice);
        }
    }

    fn notify_error(&mut self, error: &Error) {
        self.notify(with_causes(error).to_uppercase());
    }

    /// Leaves a recording that made the game panic, with nothing of the state that it left behind.
    fn abandon(&mut self, cx: &mut Context<'_>) {
        self.play.jump(cx.pacer, |sim| *sim = Sim::before_any_run());
        self.leave(cx);
        self.notify("THIS RECORDING MAKES THE GAME FAIL".to_owned());
    }

    fn start_watching(&mut self, recording: Recording, cx: &mut Context<'_>) {
        let damage = recording.problem().map(ToString::to_string);
        // Beside the run, which goes on if there is nothing to watch.
        let mut sim = Sim::before_any_run();
        let watch = match without_panic(|| Watch::start(recording, &mut sim)) {
            Ok(Ok(watch)) => watch,
            Ok(Err(why)) => return self.notify(why.to_uppercase()),
            Err(why) => return self.notify(why.to_uppercase()),
        };
        // Nothing is lost by leaving a run.
        self.keep_score();
        self.close_menus();
        self.hints.clear();
        self.tape.restart(self.play.sim());
        self.play.jump(cx.pacer, |own| *own = sim);
        self.watch = Some(watch);
        self.screen = Screen::Run;
        self.held.rewind = false;
        self.play.set_demo(false);
        self.play.unpause();
        self.play.apply(cx.pacer);
        self.effects.clear();
        if let Some(damage) = damage {
            self.notify(format!("DAMAGED: {}", damage.to_uppercase()));
        }
    }

    /// Runs the next tick of the recording. At its end, the game pauses.
    pub(super) fn watched_turn(&mut self, cx: &mut Context<'_>) -> Option<Turn> {
        match self.watch.as_mut()?.next() {
            Ok(Some(turn)) => return Some(turn),
            Ok(None) => {}
            Err(error) => self.notify_error(&error),
        }
        self.play.pause();
        self.play.apply(cx.pacer);
        None
    }

    /// Handles an event that concerns the recording that is watched, or the tape. Returns whether it did.
    pub(super) fn tape_event(&mut self, event: Event, cx: &mut Context<'_>) -> bool {
        // The settings wait for a key, whichever it is; one that is released meanwhile is released for good.
        if self.binding.is_some() && matches!(event, Event::KeyDown(_)) {
            return false;
        }
        match event {
            Event::KeyDown(Key::F6) => self.save_last_minute(),
            Event::KeyDown(Key::KeyR) if self.can_rewind() => self.held.rewind = true,
            Event::KeyUp(Key::KeyR) => self.held.rewind = false,
            Event::FocusLost | Event::Hidden => {
                self.held.rewind = false;
                return self.watch.is_some();
            }
            Event::KeyDown(key) if self.watch.is_some() => return self.watch_key(key, cx),
            Event::PadDown { button: Button::South, .. } if self.watch.is_some() => self.take_over(cx),
            Event::PadDown { button: Button::East, .. } if self.watch.is_some() => self.leave(cx),
            Event::PointerDown(pointer) if self.watch.is_some() => self.watch_press(pointer, cx),
            Event::PointerMove(pointer) if self.watch.as_ref().is_some_and(|watch| watch.is_dragged) => {
                self.scrub([pointer.x, pointer.y], cx);
            }
            Event::PointerUp(_) if self.watch.is_some() => self.drag(false),
            _ => return false,
        }
        true
    }

    /// Whether time can run back: in a sandbox that the player, or the autopilot for them, plays.
    fn can_rewind(&self) -> bool {
        let is_chosen = Action::ALL.into_iter().any(|action| self.settings.keys.is(action, Key::KeyR));
        // A key that the player has chosen does what they chose it for.
        self.watch.is_none() && self.screen == Screen::Run && self.state().run.sandbox && !is_chosen
    }

    /// Handles a press while a recording is watched: of a button for fingers, or on the bar.
    fn watch_press(&mut self, pointer: Pointer, cx: &mut Context<'_>) {
        let place = [pointer.x, pointer.y];
        let [overlay, pause] =
            self.buttons(self.size).map_or([false; 2], |it| it.map(|it| it.contains(place)));
        let [leave, play_on] = watch::buttons(self.size).map(|it| self.touch.is_used() && it.contains(place));
        if overlay || pause || leave || play_on {
            // The finger does not steer as well.
            self.touch.press_button(pointer.id);
        }
        match () {
            () if overlay => self.cycle(Item::Overlay, cx),
            () if pause => self.toggle_pause(cx),
            () if leave => self.leave(cx),
            () if play_on => self.take_over(cx),
            () if is_on_bar(self.size, place) => {
                self.drag(true);
                self.scrub(place, cx);
            }
            () => self.drag(false),
        }
    }

    fn toggle_pause(&mut self, cx: &mut Context<'_>) {
        if self.play.is_paused() {
            self.play.unpause();
        } else {
            self.play.pause();
        }
        self.play.apply(cx.pacer);
    }

    /// Leaves the recording for the title screen.
    fn leave(&mut self, cx: &mut Context<'_>) {
        self.launch(Screen::Title, self.options.seed, cx);
    }

    /// Whether the tape or the recording that is watched uses a key.
    pub(super) const fn tape_uses(&self, key: Key) -> bool {
        match key {
            Key::F6 => true,
            Key::KeyR => self.options.sandbox,
            Key::Home | Key::End | Key::Comma | Key::KeyK | Key::KeyB => self.watch.is_some(),
            _ => false,
        }
    }

    fn watch_key(&mut self, key: Key, cx: &mut Context<'_>) -> bool {
        let Some(watch) = &self.watch else { return false };
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
                self.toggle_pause(cx);
                return true;
            }
            // With Alt, it toggles full screen.
            Key::Enter | Key::NumpadEnter if !self.held.alt => {
                self.take_over(cx);
                return true;
            }
            Key::Escape => {
                self.leave(cx);
                return true;
            }
            // Single steps, speed, overlay, lock and screenshots are as always.
            _ => return false,
        };
        match target {
            Some(tick) => self.seek(tick, cx),
            None => self.notify("NOTHING LIKE THAT IN THIS RECORDING".to_owned()),
        }
        true
    }

    fn seek(&mut self, tick: u64, cx: &mut Context<'_>) {
        let Self { play, watch: Some(watch), .. } = self else { return };
        let sought = play.jump(cx.pacer, |sim| without_panic(|| watch.seek(tick, sim)));
        match sought {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.notify_error(&error),
            Err(_) => self.has_failed = true,
        }
        self.effects.clear();
    }

    fn drag(&mut self, is_dragged: bool) {
        if let Some(watch) = &mut self.watch {
            watch.is_dragged = is_dragged;
        }
    }

    fn scrub(&mut self, place: Place, cx: &mut Context<'_>) {
        if let Some(tick) = self.watch.as_ref().map(|watch| watch.tick_at(self.size, place)) {
            self.seek(tick, cx);
        }
    }

    /// The player takes over where the recording is.
    fn take_over(&mut self, cx: &mut Context<'_>) {
        self.watch = None;
        self.tape.take_over(self.play.sim());
        // To restart is to play the recorded seed from its start.
        self.seed = Seed::Fixed(self.state().run.seed);
        self.options.autopilot = false;
        self.play.unpause();
        self.play.apply(cx.pacer);
        self.notify("YOUR TURN".to_owned());
    }

    /// Saves what just happened.
    fn save_last_minute(&mut self) {
        if self.watch.is_some() {
            return self.notify("YOU ARE WATCHING A RECORDING ALREADY".to_owned());
        }
        let saved = self.tape.save(self.play.sim()).map_err(|error| with_causes(&error));
        let saved = saved.and_then(|bytes| crate::files::save("starship", &bytes));
        self.notify(match saved {
            Ok(file) => format!("SAVED {file}"),
            Err(message) => message,
        });
    }

    /// The last minute as a recording, for tests.
    #[cfg(test)]
    pub(crate) fn last_minute(&self) -> Result<Vec<u8>, String> {
        self.tape.last_minute(self.play.sim()).map_err(|error| error.to_string())
    }

    /// The tick of the recording that is watched.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) fn watched_tick(&self) -> Option<u64> {
        self.watch.as_ref().map(Watch::tick)
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
