//! A run from its launch to its score: seeds, difficulty, hints and cards.

use evenstep_host::Input;
use starship_sim::{Autopilot, Difficulty, Phase, Play, RunDef, Signal};

use super::{Options, Shell};
use crate::choice::Chooser;
use crate::controls;
use crate::menu::{Entry, Menu};
use crate::scores::{self, Best};
use crate::seeds::{Date, Seed};
use crate::settings::Settings;
use crate::store::Store;

/// Where the difficulty is kept.
const DIFFICULTY: &str = "difficulty";

/// The current screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Screen {
    /// The title screen, with the autopilot playing behind it.
    Title,
    Run,
}

/// The run that is played, watched or shown behind the title.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) play: Play,
    pub(super) screen: Screen,
    /// Where the seed of this run comes from.
    pub(super) seed: Seed,
    /// The difficulty of the next run.
    pub(super) difficulty: Difficulty,
    pub(super) chooser: Chooser,
    /// The best score before this run.
    best_before: Option<Best>,
}

impl Run {
    /// Creates the first run: the autopilot's, or the one behind the title.
    pub(super) fn new(options: &Options, settings: &Settings, store: &Store) -> Self {
        let difficulty = options.difficulty.or_else(|| kept_difficulty(store)).unwrap_or_default();
        let run = RunDef { sandbox: options.sandbox, ..options.seed.run(difficulty) };
        let screen = if options.autopilot { Screen::Run } else { Screen::Title };
        let mut play = Play::launching(run).with_speed(settings.speed);
        play.set_demo(screen == Screen::Title);
        Self { play, screen, seed: options.seed, difficulty, chooser: Chooser::default(), best_before: None }
    }

    /// Pauses or resumes.
    pub(super) fn toggle_pause(&mut self) {
        if self.play.is_paused() {
            self.play.unpause();
        } else {
            self.play.pause();
        }
    }
}

/// The difficulty that the player chose last.
fn kept_difficulty(store: &Store) -> Option<Difficulty> {
    let name = store.get(DIFFICULTY)?;
    Difficulty::ALL.into_iter().find(|difficulty| difficulty.name() == name)
}

impl Shell {
    /// Runs a tick with the input of the player, or of the autopilot.
    pub(super) fn tick_played(&mut self, input: &Input) {
        let state = self.run.play.state();
        let told = if self.options.autopilot || self.run.screen == Screen::Title {
            Autopilot.input(state)
        } else {
            let choice = self.run.chooser.tick(state);
            let keys = &self.settings.keys;
            let told = controls::read(input, keys, &self.devices.touch, state.phase.is_over());
            starship_sim::Input { choice, ..told }
        };
        self.replay.tape.tick(told, self.run.play.sim());
        self.run.play.tick(told, &mut ());
        self.replay.tape.mark(self.run.play.sim());
    }

    /// Pauses or resumes a run that is not over.
    pub(super) fn set_paused(&mut self, is_paused: bool) {
        let is_running = self.run.screen == Screen::Run && !self.state().phase.is_over();
        if is_running && is_paused != self.run.play.is_paused() {
            self.menus.close();
            self.run.toggle_pause();
        }
    }

    /// Starts a run with the next frame, because the time of an event is not the time of a frame.
    pub(super) fn launch(&mut self, screen: Screen, seed: Seed) {
        let run = RunDef { sandbox: self.options.sandbox, ..seed.run(self.run.difficulty) };
        self.launch_run(screen, seed, run);
    }

    /// Starts the current run once more. One that was taken over from a recording has its own difficulty.
    pub(super) fn restart(&mut self) {
        let RunDef { difficulty, sandbox, .. } = self.state().run;
        let run = RunDef { sandbox, ..self.run.seed.run(difficulty) };
        self.launch_run(Screen::Run, self.run.seed, run);
    }

    fn launch_run(&mut self, screen: Screen, seed: Seed, run: RunDef) {
        self.keep_score();
        self.run.screen = screen;
        self.run.seed = seed;
        self.menus.close();
        self.run.play.set_demo(screen == Screen::Title);
        self.replay.is_rewinding = false;
        if self.replay.watch.take().is_some() {
            self.replay.tape.restart(self.run.play.sim());
        }
        self.replay.tape.launch(self.run.play.sim(), run);
        self.run.play.launch(run, None);
        self.show.effects.clear();
    }

    pub(super) fn change_difficulty(&mut self, is_next: bool) {
        let count = Difficulty::ALL.len();
        let further = if is_next { 1 } else { count - 1 };
        self.run.difficulty = Difficulty::ALL[(self.run.difficulty as usize + further) % count];
        self.store.set(DIFFICULTY, self.run.difficulty.name());
    }

    /// Whether the run is the player's own, so that its score counts.
    fn is_played(&self) -> bool {
        self.run.screen == Screen::Run && !self.options.autopilot && self.replay.watch.is_none()
    }

    /// Whether the player has cards to choose from.
    pub(super) fn is_choosing(&self) -> bool {
        self.is_played() && self.menu().is_none() && self.state().phase == Phase::Choosing
    }

    pub(super) fn take_card(&mut self, n: usize) {
        if self.is_choosing() {
            self.run.chooser.take(n);
        }
    }

    /// Keeps the score if it is the best so far. Nothing is lost by leaving a run.
    pub(crate) fn keep_score(&mut self) {
        // What a recording has scored is not the player's.
        if self.is_played() && !self.replay.tape.is_taken_over() {
            scores::keep(&mut self.store, self.run.play.state(), self.run.seed == Seed::Daily);
        }
    }

    /// Follows what the ticks of a frame did, for scores and hints.
    pub(super) fn follow_run(&mut self, wall_secs: f32) {
        // A single step in a pause may end the run, and a pause would hold what comes after it.
        if self.replay.watch.is_none() && self.run.play.is_paused() && self.state().phase.is_over() {
            self.run.play.unpause();
            self.menus.close();
        }
        if !self.is_played() {
            return;
        }
        let signals = self.run.play.signals();
        let has_begun = signals.iter().any(|signal| matches!(signal, Signal::RunStarted { .. }));
        let is_over = signals.iter().any(|signal| matches!(signal, Signal::Died { .. } | Signal::Won { .. }));
        if has_begun {
            self.show.hints.clear();
            if self.state().run.sector == 1 {
                self.replay.tape.begin_run();
                self.run.best_before =
                    scores::best(&self.store, self.state().run.difficulty, self.run.seed == Seed::Daily);
            }
        }
        if is_over {
            self.keep_score();
        }
        if self.menu().is_none() {
            self.show.hints.advance(self.run.play.state(), &mut self.store, wall_secs);
        }
    }

    /// How the score compares with the best one before this run.
    pub(super) fn best_line(&self) -> String {
        if !self.is_played() || !self.state().phase.is_over() || self.replay.tape.is_taken_over() {
            return String::new();
        }
        let (whose, today) = if self.run.seed == Seed::Daily { ("TODAY'S", " TODAY") } else { ("YOUR", "") };
        match self.run.best_before {
            Some(best) if best.score >= self.state().progress.score => {
                format!("{whose} BEST: {}", best.score)
            }
            Some(best) => format!("NEW BEST{today}, UP FROM {}", best.score),
            None => format!("YOUR FIRST SCORE{today}"),
        }
    }

    /// The note below a menu: the best score on the title screen, and what is played in a pause.
    pub(super) fn note(&self, menu: Menu) -> String {
        if menu != Menu::Title {
            return crate::hud::challenge(self.state().run);
        }
        let is_daily = menu.entries().get(self.menus.selected) == Some(&Entry::Daily);
        let best = scores::best(&self.store, self.run.difficulty, is_daily);
        match best {
            Some(best) if is_daily => {
                format!("{}: BEST {} IN SECTOR {}", Date::today(), best.score, best.sector)
            }
            None if is_daily => format!("{}: THE SAME FOR EVERYONE UNTIL MIDNIGHT UTC", Date::today()),
            Some(best) => format!("BEST {} IN SECTOR {}, SEED {}", best.score, best.sector, best.seed),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests;
