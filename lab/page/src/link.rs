//! The page's address: every setting is in it, so a link shows the same session.

use crate::settings::{
    HZ_MAX, HZ_MIN, MISSED_MAX, MISSED_STEP, Mode, NOISE_MS_MAX, NOISE_MS_STEP, PRESETS, STALLS_S, Settings,
    Trouble,
};

/// The magnifications of the moving object's error.
pub const MAGNIFY: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// The playback speeds: seconds of the session per second.
pub const SPEEDS: [f64; 3] = [1.0, 0.25, 0.0625];
/// The longest value that is repeated in a message.
const QUOTE_MAX: usize = 30;

/// Everything that an address says.
///
/// ```
/// use lab_page::link::Link;
///
/// let (link, problems) = Link::parse("?hz=144&noise=0.3&seed=7");
/// assert_eq!((link.settings.hz, link.seed, problems.len()), (144.0, 7, 0));
/// let (_, problems) = Link::parse("?hz=5000");
/// assert_eq!(problems, ["hz=5000 is out of range: the display rate is 10 to 1000 Hz. Using 60."]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The display.
    pub settings: Settings,
    /// Selects the session.
    pub seed: u32,
    /// Seconds of the session per second.
    pub speed: f64,
    /// The magnification of the moving object's error.
    pub magnify: f64,
    /// Whether all loops are shown, and not only two.
    pub shows_all: bool,
}

impl Default for Link {
    fn default() -> Self {
        Self { settings: PRESETS[0].settings, seed: 1, speed: 1.0, magnify: 20.0, shows_all: false }
    }
}

impl Link {
    /// Reads the query of an address. A value that cannot be used is left at its default, and a sentence says so.
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut link = Self::default();
        let mut problems = Vec::new();
        let mut seen = Vec::new();
        for part in query.trim_start_matches('?').split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if seen.contains(&name) {
                problems.push(format!("{} is in the address twice. The last one counts.", quote(name)));
            }
            seen.push(name);
            if let Err(problem) = link.set(name, value) {
                problems.push(problem);
            }
        }
        (link, problems)
    }

    /// The query that says the same.
    pub fn query(&self) -> String {
        let Settings { hz, mode, trouble, trouble_ms, missed, stall_every_s } = self.settings;
        let loops = if self.shows_all { "all" } else { "two" };
        format!(
            "?hz={hz}&refresh={}&timestamps={}&noise={trouble_ms}&missed={missed}&stalls={stall_every_s}&seed={}&\
             speed={}&magnify={}&loops={loops}",
            mode.name(),
            trouble.name(),
            self.seed,
            self.speed,
            self.magnify,
        )
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let settings = &mut self.settings;
        match name {
            "hz" => {
                settings.hz =
                    number(name, value, "the display rate is", (HZ_MIN, HZ_MAX), "Hz", settings.hz)?;
            }
            "noise" => {
                let range = (0.0, NOISE_MS_MAX);
                let ms = number(name, value, "the noise is", range, "ms", settings.trouble_ms)?;
                settings.trouble_ms = on_step(name, value, ms, NOISE_MS_STEP, "ms", settings.trouble_ms)?;
            }
            "missed" => {
                let range = (0.0, MISSED_MAX);
                let missed = number(name, value, "missed refreshes are", range, "%", settings.missed)?;
                settings.missed = on_step(name, value, missed, MISSED_STEP, "%", settings.missed)?;
            }
            "stalls" => settings.stall_every_s = one_of(name, value, &STALLS_S, settings.stall_every_s)?,
            "speed" => self.speed = one_of(name, value, &SPEEDS, self.speed)?,
            "magnify" => self.magnify = one_of(name, value, &MAGNIFY, self.magnify)?,
            "refresh" => {
                let names = Mode::ALL.map(Mode::name);
                settings.mode =
                    Mode::named(value).ok_or_else(|| no_choice(name, value, &names, settings.mode.name()))?;
            }
            "timestamps" => {
                let names = Trouble::ALL.map(Trouble::name);
                settings.trouble = Trouble::named(value)
                    .ok_or_else(|| no_choice(name, value, &names, settings.trouble.name()))?;
            }
            "loops" => {
                self.shows_all = match value {
                    "all" => true,
                    "two" => false,
                    _ => return Err(no_choice(name, value, &["two", "all"], "two")),
                };
            }
            "seed" => {
                self.seed = value.parse().map_err(|_| {
                    format!(
                        "seed={} is not a whole number from 0 to {}. Using {}.",
                        quote(value),
                        u32::MAX,
                        self.seed
                    )
                })?;
            }
            _ => {
                return Err(format!(
                    "{} is not a setting. They are hz, refresh, timestamps, noise, missed, stalls, seed, speed, magnify \
                     and loops.",
                    quote(name)
                ));
            }
        }
        Ok(())
    }
}

/// Reads a display rate that a user typed.
///
/// # Errors
///
/// A sentence for the user if it is no number or out of range.
pub fn typed_hz(text: &str) -> Result<f64, String> {
    let range = format!("A display has {HZ_MIN} to {HZ_MAX} Hz");
    match text.trim().parse::<f64>() {
        Ok(hz) if (HZ_MIN..=HZ_MAX).contains(&hz) => Ok(hz),
        Ok(hz) if hz.is_finite() => Err(format!("{} Hz is out of range. {range}.", quote(text.trim()))),
        _ if text.trim().is_empty() => Err(format!("Enter a rate. {range}.")),
        _ => Err(format!("{} is not a number. {range}.", quote(text))),
    }
}

fn number(
    name: &str,
    value: &str,
    what: &str,
    (low, high): (f64, f64),
    unit: &str,
    default: f64,
) -> Result<f64, String> {
    let value = value.trim();
    match value.parse::<f64>() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        Ok(number) if !number.is_nan() => Err(format!(
            "{name}={} is out of range: {what} {low} to {high} {unit}. Using {default}.",
            quote(value)
        )),
        _ => Err(format!(
            "{name}={} is not a number: {what} {low} to {high} {unit}. Using {default}.",
            quote(value)
        )),
    }
}

/// Checks that a slider can show a number.
fn on_step(name: &str, value: &str, number: f64, step: f64, unit: &str, default: f64) -> Result<f64, String> {
    if ((number / step).round() * step - number).abs() < 1e-9 {
        Ok(number)
    } else {
        Err(format!(
            "{name}={} is between two steps: use a multiple of {step} {unit}. Using {default}.",
            quote(value)
        ))
    }
}

fn one_of(name: &str, value: &str, choices: &[f64], default: f64) -> Result<f64, String> {
    let number = value.parse::<f64>().ok();
    choices.iter().copied().find(|&choice| Some(choice) == number).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(f64::to_string).collect();
        no_choice(name, value, &names, &default.to_string())
    })
}

fn no_choice(name: &str, value: &str, choices: &[impl AsRef<str>], default: &str) -> String {
    let choices: Vec<&str> = choices.iter().map(AsRef::as_ref).collect();
    format!("{name}={} is none of {}. Using {default}.", quote(value), choices.join(", "))
}

/// The start of what somebody wrote.
fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE_MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_survives_its_own_address() {
        for preset in &PRESETS {
            for (seed, shows_all) in [(0, false), (u32::MAX, true)] {
                let link = Link { settings: preset.settings, seed, speed: 0.25, magnify: 100.0, shows_all };
                assert_eq!(Link::parse(&link.query()), (link, vec![]), "{}", preset.name);
            }
        }
        assert_eq!(Link::parse(""), (Link::default(), vec![]));
    }

    #[test]
    fn a_value_that_cannot_be_used_is_said_and_changes_nothing() {
        for (query, words) in [
            ("hz=5000", "hz=5000 is out of range: the display rate is 10 to 1000 Hz. Using 60."),
            ("hz=-1", "hz=-1 is out of range"),
            ("hz=inf", "hz=inf is out of range"),
            ("hz=NaN", "hz=NaN is not a number: the display rate is 10 to 1000 Hz. Using 60."),
            ("hz=", "hz= is not a number"),
            ("hz", "hz= is not a number"),
            ("noise=6", "noise=6 is out of range: the noise is 0 to 5 ms. Using 0.5."),
            ("noise=0.12", "noise=0.12 is between two steps: use a multiple of 0.05 ms. Using 0.5."),
            ("missed=51", "missed=51 is out of range: missed refreshes are 0 to 50 %. Using 0."),
            ("missed=0.5", "missed=0.5 is between two steps: use a multiple of 1 %. Using 0."),
            ("stalls=7", "stalls=7 is none of 0, 20, 10, 5, 2. Using 0."),
            ("speed=2", "speed=2 is none of 1, 0.25, 0.0625. Using 1."),
            ("magnify=3", "magnify=3 is none of 1, 2, 5, 10, 20, 50, 100. Using 20."),
            ("refresh=odd", "refresh=odd is none of fixed, every-other,"),
            ("timestamps=odd", "timestamps=odd is none of none, gauss,"),
            ("loops=3", "loops=3 is none of two, all. Using two."),
            ("seed=-1", "seed=-1 is not a whole number from 0 to 4294967295. Using 1."),
            ("seed=4294967296", "seed=4294967296 is not"),
            ("colour=red", "colour is not a setting. They are hz,"),
            (
                "seed=123456789012345678901234567890123456789",
                "seed=123456789012345678901234567890... is not a whole number",
            ),
        ] {
            let (link, problems) = Link::parse(query);
            assert_eq!(link, Link::default(), "{query}");
            assert!(problems.len() == 1 && problems[0].starts_with(words), "{query}: {problems:?}");
        }
        let (link, problems) = Link::parse("?seed=2&seed=3");
        assert_eq!(
            (link.seed, problems),
            (3, vec!["seed is in the address twice. The last one counts.".to_owned()])
        );
    }

    #[test]
    fn a_typed_rate_is_taken_as_it_is_or_refused_with_the_range() {
        assert_eq!(typed_hz(" 87.5 "), Ok(87.5));
        for (text, words) in [
            ("5000", "5000 Hz is out of range. A display has 10 to 1000 Hz."),
            ("9.99", "9.99 Hz is out of range."),
            ("", "Enter a rate. A display has 10 to 1000 Hz."),
            ("many", "many is not a number."),
            ("NaN", "NaN is not a number."),
        ] {
            assert!(
                typed_hz(text).is_err_and(|error| error.starts_with(words)),
                "{text}: {:?}",
                typed_hz(text)
            );
        }
    }
}
