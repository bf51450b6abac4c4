//! Starship Survivors as a program: in a window, on a web page, or headless.
//!
//! The rules are in `starship-sim`, the loop in `evenstep`, the window and the page in `evenstep-host`. This crate adds
//! controls, drawing, menus and the command line.

#![forbid(unsafe_code)]

mod shell;

mod arrows;
mod choice;
mod controls;
mod effects;
mod hints;
mod hud;
mod layout;
mod menu;
mod overlay;
mod scene;
mod settings;
mod sound;

mod query;
mod scores;
mod seeds;
mod store;

mod files;
mod tape;
mod watch;

mod lens;
mod letters;
mod palette;

#[cfg(not(target_arch = "wasm32"))]
mod args;
#[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
mod draw_bench;
#[cfg(not(target_arch = "wasm32"))]
mod headless;
#[cfg(feature = "gpu")]
mod on_card;
#[cfg(not(target_arch = "wasm32"))]
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod screenshot;
#[cfg(not(target_arch = "wasm32"))]
mod window;

#[cfg(target_arch = "wasm32")]
pub mod page;

/// The main function of `starship`: reads the command line and runs the game.
#[cfg(not(target_arch = "wasm32"))]
pub fn main() -> std::process::ExitCode {
    use clap::Parser as _;
    use std::process::ExitCode;

    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if words.first().is_some_and(|word| word == "replay") {
        let first_state = |_: &evenstep_replay::Header| Ok(starship_sim::Sim::before_any_run());
        return evenstep_replay::cli::run(
            words.into_iter().skip(1),
            &starship_sim::Sim::replay_header(),
            first_state,
        );
    }
    let args = args::Args::parse();
    let played = if args.headless() { headless::run(&args) } else { play(&args) };
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the game in a window, or headless if there is no display.
#[cfg(not(target_arch = "wasm32"))]
fn play(args: &args::Args) -> Result<(), String> {
    use evenstep_host::Error;
    use report::say;
    use window::Failure;

    match window::run(args) {
        Err(Failure::Host(Error::NoDisplay { .. })) if args.replay.is_none() => {
            say!(
                "There is no display, so the autopilot plays one mission headless; --help lists all options."
            );
            headless::run_without_display(args)
        }
        Err(Failure::Host(error)) => Err(error.to_string()),
        Err(Failure::File(message)) => Err(message),
        Ok(()) => Ok(()),
    }
}

/// Lets the autopilot play through timestamps in milliseconds. Returns a digest of every frame's steps and alpha, and the
/// state's tick and hash. A page and a native program must return the same text.
///
/// A page always has it, because the browser test runs against the page as it ships.
#[cfg(any(feature = "testing", target_arch = "wasm32"))]
pub fn replay(seed: u64, timestamps_ms: &[f64]) -> String {
    let options =
        shell::Options { seed: seeds::Seed::Fixed(seed), autopilot: true, ..shell::Options::default() };
    let mut driver = evenstep_host::Driver::new(shell::Shell::new(options, store::Store::in_memory()));
    // FNV-1a: detects any difference, and is the same on every target.
    let mut digest = 0xCBF2_9CE4_8422_2325_u64;
    for &now_ms in timestamps_ms {
        let frame = driver.frame_millis(now_ms);
        for byte in frame.steps().to_le_bytes().into_iter().chain(frame.alpha().to_bits().to_le_bytes()) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    let state = driver.app().state();
    format!("decisions {digest:016x} tick {} hash {:016x}", state.clock.tick(), state.hash())
}

/// Measures the cost of drawing an image, with a line for each scene: see `examples/drawing.rs`.
#[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
pub fn draw_bench(images: u32) -> Vec<String> {
    draw_bench::run(images)
}
