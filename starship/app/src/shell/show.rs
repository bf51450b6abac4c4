//! What is shown and heard around the game: effects, overlay, sounds, hints and notices.

use std::time::Duration;

use evenstep::Frame;
use evenstep_host::Context;
use starship_sim::{Play, Signal, Signals};

use super::{Screen, Shell};
use crate::effects::Effects;
use crate::hints::Hints;
use crate::overlay::Overlay;
use crate::settings::{Item, Settings};
use crate::sound::{Sound, Speaker};
use crate::store::Store;

/// How long a notice stays, in seconds.
const NOTICE: f32 = 2.0;

/// What is shown and heard around the game. It follows the run, and never changes it.
#[derive(Debug)]
pub(crate) struct Show {
    pub(super) effects: Effects,
    pub(super) overlay: Overlay,
    pub(super) speaker: Speaker,
    pub(super) hints: Hints,
    /// A line at the bottom, and how many seconds it stays.
    pub(super) notice: Option<(String, f32)>,
    /// The size of the window, in points.
    pub(super) size: (f64, f64),
    // In the last frame.
    was_fullscreen: bool,
    is_cursor_hidden: bool,
    pub(crate) is_shot_asked: bool,
}

impl Show {
    pub(super) fn new(settings: &Settings, store: &Store) -> Self {
        let mut show = Self {
            effects: Effects::default(),
            overlay: Overlay::default(),
            speaker: Speaker::default(),
            hints: Hints::new(store),
            notice: None,
            size: (1280.0, 720.0),
            was_fullscreen: false,
            is_cursor_hidden: false,
            is_shot_asked: false,
        };
        show.effects.set_shake(settings.shake_share());
        show.speaker.set_volume(settings.loudness());
        show
    }

    pub(crate) fn notify(&mut self, notice: String) {
        self.notice = Some((notice, NOTICE));
    }

    /// Shows what happened in a tick.
    pub(super) fn show_signals(&mut self, signals: &Signals) {
        for &signal in signals {
            match signal {
                Signal::RunStarted { .. } => self.effects.clear(),
                _ => self.effects.show(signal),
            }
        }
    }

    /// Shows how a frame was paced.
    pub(super) fn show_frame(&mut self, frame: &Frame, cx: &Context<'_>, settings: &Settings) {
        self.overlay.record(frame, cx.pacer, cx.now());
        if let Some(renderer) = self.overlay.fallback(cx.display()) {
            eprintln!("the game is drawn by {renderer}");
        }
        if settings.has_overlay {
            self.overlay.write(frame, cx.pacer, cx.display(), cx.now());
        } else {
            self.overlay.hide();
        }
    }

    /// Moves effects and notices on by a frame.
    pub(super) fn advance(&mut self, frame: &Frame, play: &Play, notice: Option<String>) {
        let wall_secs = frame.raw_dt().as_secs_f32();
        // While paused, a single step still moves the effects.
        let is_paused = play.is_paused();
        let seconds = if is_paused { frame.dt() } else { frame.scaled_dt() }.as_secs_f32();
        self.effects.advance(seconds, if is_paused { 0.0 } else { wall_secs });
        self.effects.trail(play.state(), seconds);
        if let Some(notice) = notice {
            self.notify(notice);
        }
        self.notice = self.notice.take().and_then(|(notice, left)| {
            let left = left - wall_secs;
            (left > 0.0).then_some((notice, left))
        });
    }
}

impl Shell {
    /// Plays the sounds of the frame's ticks. The demo behind the title is silent.
    pub(super) fn play_sounds(&mut self, now: Duration) {
        if self.run.screen == Screen::Title {
            return;
        }
        for sound in self.run.play.signals().into_iter().filter_map(|&signal| Sound::of(signal)) {
            self.show.speaker.play(sound, now);
        }
    }

    /// Follows a window that the player takes out of full screen by other means than the game's keys and menus.
    pub(super) fn follow_fullscreen(&mut self, cx: &Context<'_>) {
        self.settings.is_fullscreen = cx.is_fullscreen();
        let was_fullscreen = std::mem::replace(&mut self.show.was_fullscreen, cx.is_fullscreen());
        if was_fullscreen && !cx.is_fullscreen() {
            self.settings.keep(Item::Fullscreen, &mut self.store);
        }
    }

    /// Hides the mouse while the player flies.
    pub(super) fn hide_cursor(&mut self, cx: &mut Context<'_>) {
        let is_hidden = self.menu().is_none()
            && !self.is_choosing()
            && !self.options.autopilot
            && self.replay.watch.is_none();
        if self.show.is_cursor_hidden != is_hidden {
            self.show.is_cursor_hidden = is_hidden;
            cx.set_cursor_visible(!is_hidden);
        }
    }
}
