//! The options in a page's address, such as `?seed=5&difficulty=hard`.

use starship_sim::Difficulty;

#[cfg(any(test, target_arch = "wasm32"))]
use crate::{seeds::Seed, shell::Options};

/// Reads the options that a link to the game can have. What belongs to the page itself is ignored.
///
/// # Errors
///
/// If a value is none that the option can have; the message names both.
#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) fn parse(query: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for pair in query.trim_start_matches('?').split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match name {
            "autopilot" => options.autopilot = flag(name, value)?,
            "sandbox" => options.sandbox = flag(name, value)?,
            "record" => options.records = flag(name, value)?,
            "daily" if flag(name, value)? => options.seed = Seed::Daily,
            "seed" => options.seed = Seed::Fixed(Seed::number(value)?),
            "difficulty" => options.difficulty = Some(difficulty(value)?),
            #[cfg(feature = "gpu")]
            "bloom" => options.bloom = flag(name, value)?,
            _ => {}
        }
    }
    Ok(options)
}

/// Reads a switch, which has no value.
#[cfg(any(test, target_arch = "wasm32"))]
fn flag(name: &str, value: &str) -> Result<bool, String> {
    if value.is_empty() {
        Ok(true)
    } else {
        Err(format!("{name} has no value: leave out \"{name}={value}\""))
    }
}

/// Reads the name of a difficulty.
pub(crate) fn difficulty(text: &str) -> Result<Difficulty, String> {
    let named = Difficulty::ALL.into_iter().find(|difficulty| difficulty.name() == text);
    named.ok_or_else(|| format!("a difficulty is easy, normal or hard, not \"{text}\""))
}

/// What draws the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(clap::ValueEnum))]
pub(crate) enum Renderer {
    /// A graphics card if there is one, and this build can use it.
    #[default]
    Auto,
    /// A graphics card.
    Gpu,
    /// Our own rasteriser in a window, Canvas 2D on a page.
    Cpu,
}

/// Reads what draws the game, from a page's address.
///
/// # Errors
///
/// If it is none of `auto`, `gpu` and `cpu`.
#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) fn renderer(query: &str) -> Result<Renderer, String> {
    let mut pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
    match pairs.rfind(|(name, _)| *name == "renderer").map(|(_, value)| value) {
        None | Some("auto") => Ok(Renderer::Auto),
        Some("gpu") => Ok(Renderer::Gpu),
        Some("cpu") => Ok(Renderer::Cpu),
        Some(other) => Err(format!("a renderer is auto, gpu or cpu, not \"{other}\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_options_of_the_command_line() {
        let options = parse("?seed=18446744073709551615&difficulty=hard&autopilot&scalar").unwrap();
        assert_eq!(options.seed, Seed::Fixed(u64::MAX));
        assert_eq!((options.difficulty, options.autopilot), (Some(Difficulty::Hard), true));
        assert!(!options.records && parse("?seed=5&record").unwrap().records);
        let options = parse("?daily").unwrap();
        assert_eq!((options.seed, options.difficulty, options.autopilot), (Seed::Daily, None, false));
        for nothing in ["", "?", "?utm_source=x&&="] {
            assert_eq!(parse(nothing).unwrap().seed, Seed::Random, "{nothing}");
        }
    }

    #[test]
    fn a_link_names_what_draws_as_the_command_line_does() {
        for (query, expected) in [
            ("", Renderer::Auto),
            ("?seed=5&renderer=auto", Renderer::Auto),
            ("?renderer=gpu&seed=5", Renderer::Gpu),
            ("?renderer=gpu&renderer=cpu", Renderer::Cpu),
        ] {
            assert_eq!(renderer(query), Ok(expected), "{query}");
        }
        let message = renderer("?renderer=vulkan").unwrap_err();
        assert_eq!(message, "a renderer is auto, gpu or cpu, not \"vulkan\"");
    }

    #[test]
    fn a_value_that_is_none_is_named_with_its_fix() {
        for (query, value, fix) in [
            ("?seed=abc", "abc", "a seed is a whole number from 0 to 18446744073709551615"),
            ("?seed=", "\"\"", "a seed is a whole number"),
            ("?seed=-1", "-1", "a seed is a whole number"),
            ("?difficulty=brutal", "brutal", "easy, normal or hard"),
            ("?autopilot=false", "autopilot=false", "leave out"),
            ("?record=0", "record=0", "leave out"),
        ] {
            let message = parse(query).unwrap_err();
            assert!(message.contains(value) && message.contains(fix), "{query}: {message}");
        }
    }
}
