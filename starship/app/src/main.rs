//! The `starship` command: runs Starship Survivors.

#![forbid(unsafe_code)]

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    starship_app::main()
}

/// A page starts the game through the library.
#[cfg(target_arch = "wasm32")]
fn main() {}
