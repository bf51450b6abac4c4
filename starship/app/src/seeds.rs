//! Where the seeds of runs come from: a random one, the day's, or one that the player names.

use std::fmt;

use starship_sim::tuning::SEEDS;
use starship_sim::{Difficulty, RunDef};

/// How the seed of a run is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Seed {
    /// A new one for every run.
    #[default]
    Random,
    /// The same for everybody on the same day, in UTC.
    Daily,
    /// The one that the player named.
    Fixed(u64),
}

impl Seed {
    /// Reads the number of a seed.
    pub(crate) fn number(text: &str) -> Result<u64, String> {
        let refuse = |_| format!("a seed is a whole number from 0 to {}, not \"{text}\"", u64::MAX);
        text.parse().map_err(refuse)
    }

    /// Returns a run that starts now.
    pub(crate) fn run(self, difficulty: Difficulty) -> RunDef {
        let (seed, repeats) = match self {
            Self::Random => (random(), false),
            Self::Daily => (Date::today().seed(), true),
            Self::Fixed(seed) => (seed, true),
        };
        RunDef { difficulty, repeats, ..RunDef::seeded(seed) }
    }
}

/// A seed that the player cannot foresee, short enough to be told to a friend.
fn random() -> u64 {
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::hash::{BuildHasher as _, Hasher as _, RandomState};
        // The standard library seeds its hash tables from the system.
        RandomState::new().build_hasher().finish() % u64::from(SEEDS)
    }
    #[cfg(target_arch = "wasm32")]
    {
        (js_sys::Math::random() * f64::from(SEEDS)) as u64
    }
}

/// A day in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    year: u64,
    month: u64,
    day: u64,
}

impl Date {
    pub(crate) fn today() -> Self {
        Self::of_unix_day(seconds_since_1970() / 86_400)
    }

    /// Converts a number of days since 1 January 1970.
    fn of_unix_day(days: u64) -> Self {
        let is_leap =
            |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let mut year = 1970;
        let mut left = days;
        loop {
            let length = if is_leap(year) { 366 } else { 365 };
            if left < length {
                break;
            }
            left -= length;
            year += 1;
        }
        let february = if is_leap(year) { 29 } else { 28 };
        let mut month = 1;
        for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
            if left < length {
                break;
            }
            left -= length;
            month += 1;
        }
        Self { year, month, day: left + 1 }
    }

    /// The day's seed: its digits, such as 20261116. `--seed` plays an earlier day.
    pub(crate) const fn seed(self) -> u64 {
        self.year * 10_000 + self.month * 100 + self.day
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Before 1970 and after the year 9999 the clock is wrong; neither may keep the game busy.
fn seconds_since_1970() -> u64 {
    const YEAR_9999: u64 = 253_402_300_799;
    #[cfg(not(target_arch = "wasm32"))]
    #[expect(clippy::disallowed_methods, reason = "a host reads the date, and the simulation gets a seed")]
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    #[cfg(target_arch = "wasm32")]
    let now = (js_sys::Date::now() / 1e3) as u64;
    now.min(YEAR_9999)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_the_dates_of_the_calendar() {
        for (day, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_513, "2026-03-01"),
            (20_773, "2026-11-16"),
            (20_818, "2026-12-31"),
            (20_819, "2027-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(Date::of_unix_day(day).to_string(), date);
        }
        assert_eq!(Date::of_unix_day(20_773).seed(), 20_261_116);
    }

    #[test]
    fn random_seeds_differ_and_named_ones_repeat() {
        let random: std::collections::BTreeSet<u64> =
            (0..20).map(|_| Seed::Random.run(Difficulty::Normal).seed).collect();
        assert!(random.len() > 10, "{random:?}");
        assert!(random.iter().all(|&seed| seed < u64::from(SEEDS)));
        let fixed = Seed::Fixed(u64::MAX).run(Difficulty::Hard);
        assert_eq!((fixed.seed, fixed.repeats, fixed.difficulty), (u64::MAX, true, Difficulty::Hard));
        let daily = Seed::Daily.run(Difficulty::Normal);
        assert!(daily.repeats && daily.seed > 20_000_101, "{daily:?}");
    }
}
