//! A run from its launch to its score: seeds, difficulty, hints and cards.

use evenstep_host::Context;
use starship_sim::{Difficulty, Phase, RunDef, Signal};

use super::{Screen, Shell};
use crate::menu::{Entry, Menu};
use crate::scores;
use crate::seeds::{Date, Seed};
use crate::store::Store;

/// Where the difficulty is kept.
const DIFFICULTY: &str = "difficulty";

/// The difficulty that the player chose last.
pub(super) fn kept_difficulty(store: &Store) -> Option<Difficulty> {
    let name = store.get(DIFFICULTY)?;
    Difficulty::ALL.into_iter().find(|difficulty| difficulty.name() == name)
}

impl Shell {
    /// Starts a run with the next frame, because the time of an event is not the time of a frame.
    pub(super) fn launch(&mut self, screen: Screen, seed: Seed, cx: &mut Context<'_>) {
        let run = RunDef { sandbox: self.options.sandbox, ..seed.run(self.difficulty) };
        self.launch_run(screen, seed, run, cx);
    }

    /// Starts the current run once more. One that was taken over from a recording has its own difficulty.
    pub(super) fn restart(&mut self, cx: &mut Context<'_>) {
        let RunDef { difficulty, sandbox, .. } = self.state().run;
        let run = RunDef { sandbox, ..self.seed.run(difficulty) };
        self.launch_run(Screen::Run, self.seed, run, cx);
    }

    fn launch_run(&mut self, screen: Screen, seed: Seed, run: RunDef, cx: &mut Context<'_>) {
        self.keep_score();
        (self.screen, self.seed) = (screen, seed);
        self.close_menus();
        self.play.set_demo(screen == Screen::Title);
        self.held.rewind = false;
        if self.watch.take().is_some() {
            self.tape.restart(self.play.sim());
        }
        self.tape.launch(self.play.sim(), run);
        self.play.launch(run, cx.pacer, None);
        self.effects.clear();
    }

    pub(super) fn change_difficulty(&mut self, is_next: bool) {
        let count = Difficulty::ALL.len();
        let further = if is_next { 1 } else { count - 1 };
        self.difficulty = Difficulty::ALL[(self.difficulty as usize + further) % count];
        self.store.set(DIFFICULTY, self.difficulty.name());
    }

    /// Whether the run is the player's own, so that its score counts.
    fn is_played(&self) -> bool {
        self.screen == Screen::Run && !self.options.autopilot && self.watch.is_none()
    }

    /// Whether the player has cards to choose from.
    pub(super) fn is_choosing(&self) -> bool {
        self.is_played() && self.menu().is_none() && self.state().phase == Phase::Choosing
    }

    pub(super) fn take_card(&mut self, n: usize) {
        if self.is_choosing() {
            self.chooser.take(n);
        }
    }

    /// Keeps the score if it is the best so far. Nothing is lost by leaving a run.
    pub(crate) fn keep_score(&mut self) {
        // What a recording has scored is not the player's.
        if self.is_played() && !self.tape.is_taken_over() {
            scores::keep(&mut self.store, self.play.state(), self.seed == Seed::Daily);
        }
    }

    /// Follows what the ticks of a frame did, for scores and hints.
    pub(super) fn follow_run(&mut self, wall_secs: f32) {
        // A single step in a pause may end the run, and a pause would hold what comes after it.
        if self.watch.is_none() && self.play.is_paused() && self.state().phase.is_over() {
            self.play.unpause();
            self.close_menus();
        }
        if !self.is_played() {
            return;
        }
        let signals = self.play.signals();
        let has_begun = signals.iter().any(|signal| matches!(signal, Signal::RunStarted { .. }));
        let is_over = signals.iter().any(|signal| matches!(signal, Signal::Died { .. } | Signal::Won { .. }));
        if has_begun {
            self.hints.clear();
            if self.state().run.sector == 1 {
                self.tape.begin_run();
                self.best_before =
                    scores::best(&self.store, self.state().run.difficulty, self.seed == Seed::Daily);
            }
        }
        if is_over {
            self.keep_score();
        }
        if self.menu().is_none() {
            self.hints.advance(self.play.state(), &mut self.store, wall_secs);
        }
    }

    /// How the score compares with the best one before this run.
    pub(super) fn best_line(&self) -> String {
        if !self.is_played() || !self.state().phase.is_over() || self.tape.is_taken_over() {
            return String::new();
        }
        let (whose, today) = if self.seed == Seed::Daily { ("TODAY'S", " TODAY") } else { ("YOUR", "") };
        match self.best_before {
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
        let is_daily = menu.entries().get(self.selected) == Some(&Entry::Daily);
        let best = scores::best(&self.store, self.difficulty, is_daily);
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
