//! The best scores, kept between sessions: one for each difficulty, and one for the day.

use starship_sim::{Difficulty, State};

use crate::seeds::Date;
use crate::store::Store;

/// A score, and where it was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Best {
    pub(crate) score: u64,
    pub(crate) sector: u32,
    pub(crate) seed: u64,
}

impl Best {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut next = || words.next()?.parse::<u64>().ok();
        let best = Self { score: next()?, sector: next()?.try_into().ok()?, seed: next()? };
        words.next().is_none().then_some(best)
    }

    fn text(self) -> String {
        format!("{} {} {}", self.score, self.sector, self.seed)
    }
}

/// The board that a run counts for.
fn key(difficulty: Difficulty, is_daily: bool) -> String {
    let kind = if is_daily { "daily" } else { "best" };
    format!("{kind}.{}", difficulty.name())
}

/// The best score so far at a difficulty, or of the day.
pub(crate) fn best(store: &Store, difficulty: Difficulty, is_daily: bool) -> Option<Best> {
    let best = store.get(&key(difficulty, is_daily)).and_then(Best::parse)?;
    // Yesterday's daily score says nothing about today.
    (!is_daily || best.seed == Date::today().seed()).then_some(best)
}

/// Keeps the score of a run, if it is the best on its board. A run of the day counts on both boards.
pub(crate) fn keep(store: &mut Store, state: &State, is_daily: bool) {
    if state.run.sandbox || state.progress.score == 0 {
        return;
    }
    let now = Best { score: state.progress.score, sector: state.run.sector, seed: state.run.seed };
    for board in [false, true].into_iter().take(1 + usize::from(is_daily)) {
        let before = best(store, state.run.difficulty, board).map_or(0, |best| best.score);
        if now.score > before {
            store.update(&key(state.run.difficulty, board), |text| {
                // Another window may have been better in the meantime, or in the next day already: the seeds of days
                // count upwards.
                let day = |best: Best| if board { best.seed } else { 0 };
                let is_kept = |other: &Best| (day(*other), other.score) >= (day(now), now.score);
                text.and_then(Best::parse).filter(is_kept).unwrap_or(now).text()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use starship_sim::RunDef;

    use super::*;

    fn played(score: u64, seed: u64, difficulty: Difficulty) -> State {
        let mut state = State::new(RunDef { difficulty, ..RunDef::seeded(seed) });
        state.progress.score = score;
        state
    }

    #[test]
    fn only_a_better_score_replaces_the_best_of_its_difficulty() {
        let mut store = Store::in_memory();
        let run = Difficulty::Normal;
        assert_eq!(best(&store, run, false), None);
        for (score, kept) in [(0, None), (70, Some(70)), (60, Some(70)), (70, Some(70)), (71, Some(71))] {
            keep(&mut store, &played(score, score, Difficulty::Normal), false);
            assert_eq!(best(&store, run, false).map(|best| best.score), kept);
        }
        assert_eq!(best(&store, run, false), Some(Best { score: 71, sector: 1, seed: 71 }));
        assert_eq!(best(&store, Difficulty::Hard, false), None);
        assert_eq!(best(&store, run, true), None);
    }

    #[test]
    fn a_run_of_the_day_counts_on_both_boards_and_not_tomorrow() {
        let mut store = Store::in_memory();
        let today = Date::today().seed();
        let run = Difficulty::Normal;
        store.set("daily.normal", &format!("900 3 {}", today - 1));
        assert_eq!(best(&store, run, true), None, "yesterday's");
        keep(&mut store, &played(50, today, Difficulty::Normal), true);
        assert_eq!(best(&store, run, true).map(|best| best.score), Some(50));
        assert_eq!(best(&store, run, false).map(|best| best.score), Some(50));
    }

    #[test]
    fn a_daily_run_that_ends_after_midnight_leaves_the_new_days_best_alone() {
        let mut store = Store::in_memory();
        let today = Date::today().seed();
        let run = Difficulty::Normal;
        keep(&mut store, &played(50, today, run), true);
        keep(&mut store, &played(900, today - 1, run), true);
        assert_eq!(best(&store, run, true), Some(Best { score: 50, sector: 1, seed: today }));
        assert_eq!(best(&store, run, false).map(|best| best.score), Some(900), "it is still a score");
    }

    #[test]
    fn a_kept_text_that_is_no_score_is_none() {
        let mut store = Store::in_memory();
        for text in ["", "x", "1 2", "1 2 3 4", "-1 2 3", "1 99999999999 3"] {
            store.set("best.normal", text);
            assert_eq!(best(&store, Difficulty::Normal, false), None, "{text}");
        }
        keep(&mut store, &played(5, 1, Difficulty::Normal), false);
        assert_eq!(best(&store, Difficulty::Normal, false).map(|best| best.score), Some(5));
    }
}
