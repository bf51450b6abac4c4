//! The command line `replay verify`, for a game's own program.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::error::{Error, with_causes};
use crate::header::Header;
use crate::recording::Recording;
use crate::simulation::{Simulation, part_names};
use crate::verify::{Progress, Verdict, verify};

const HELP: &str = "\
Usage: replay verify [--incomplete] [--force] FILE

Plays a recording and compares every recorded hash.

  --incomplete  accept a recording without an end, as a crash leaves it
  --force       try a recording of another version, rate or configuration

Exit status: 0 if everything is the same, 1 if it diverged, 2 if the recording cannot be read, has no end, or makes the
game panic.
";

const SAME: u8 = 0;
const DIVERGED: u8 = 1;
const UNREADABLE: u8 = 2;

struct Args {
    file: PathBuf,
    incomplete: bool,
    force: bool,
}

/// Runs `replay verify FILE` with the arguments after `replay`, and returns the program's exit status.
///
/// `ours` describes the game, and `create` makes the first state from the header of a recording:
///
/// ```no_run
/// # use evenstep_replay::{LoadError, Simulation};
/// # struct Pong;
/// # impl Pong { fn new(_seed: u64) -> Self { Self } }
/// # impl Simulation for Pong {
/// #     type Input = ();
/// #     fn step(&mut self, _: &()) {}
/// #     fn save(&self, _: &mut Vec<u8>) {}
/// #     fn load(&mut self, _: &[u8]) -> Result<(), LoadError> { Ok(()) }
/// #     fn write_input(_: &(), _: &mut Vec<u8>) {}
/// #     fn read_input(_: &[u8]) -> Option<()> { Some(()) }
/// # }
/// use evenstep::Rate;
/// use evenstep_replay::{Header, cli};
///
/// fn main() -> std::process::ExitCode {
///     let ours = Header::new("pong", env!("CARGO_PKG_VERSION"), Rate::hz(60));
///     cli::run(std::env::args_os().skip(2), &ours, |header| Ok(Pong::new(header.seed)))
/// }
/// ```
pub fn run<S: Simulation>(
    args: impl IntoIterator<Item = OsString>,
    ours: &Header,
    create: impl FnOnce(&Header) -> Result<S, String>,
) -> ExitCode {
    let args = match parse(args) {
        Ok(Some(args)) => args,
        Ok(None) => {
            say(HELP.trim_end());
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            complain(&format!("error: {message}\n\n{}", HELP.trim_end()));
            return ExitCode::from(UNREADABLE);
        }
    };
    ExitCode::from(check(&args, ours, create).unwrap_or_else(|message| {
        complain(&format!("error: {}: {message}", args.file.display()));
        UNREADABLE
    }))
}

fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Option<Args>, String> {
    let mut args = args.into_iter();
    match args.next() {
        Some(word) if word == "verify" => {}
        Some(word) if word == "--help" || word == "-h" || word == "help" => return Ok(None),
        Some(word) => return Err(format!("`{}` is not a command; the command is `verify`", word.display())),
        None => return Err("a command is missing; the command is `verify`".to_owned()),
    }
    let mut file = None;
    let mut incomplete = false;
    let mut force = false;
    for word in args {
        match word.to_str() {
            Some("--incomplete") => incomplete = true,
            Some("--force") => force = true,
            Some("--help" | "-h") => return Ok(None),
            Some(option) if option.starts_with('-') => return Err(format!("`{option}` is not an option")),
            _ if file.is_some() => return Err("give one file".to_owned()),
            _ => file = Some(PathBuf::from(word)),
        }
    }
    let file = file.ok_or("the file is missing")?;
    Ok(Some(Args { file, incomplete, force }))
}

fn check<S: Simulation>(
    args: &Args,
    ours: &Header,
    create: impl FnOnce(&Header) -> Result<S, String>,
) -> Result<u8, String> {
    let text = |error: Error| with_causes(&error);
    let file = File::open(&args.file).map_err(|error| error.to_string())?;
    let recording = Recording::read(BufReader::new(file)).map_err(text)?;
    let refused = |error| format!("{} (try with --force)", text(error));
    if !args.force {
        recording.header().check(ours).map_err(refused)?;
    }
    let mut sim = create(recording.header())?;
    let recorded = &recording.header().parts;
    let expected = part_names(&sim);
    if !args.force && *recorded != expected {
        let recorded = recorded.join(", ");
        let expected = expected.join(", ");
        return Err(refused(Error::Refused { field: "parts", recorded, expected }));
    }
    let mut bar = Bar::new(io::stderr(), io::stderr().is_terminal());
    let mut played = 0;
    let verdict = catch_unwind(AssertUnwindSafe(|| {
        verify(&recording, &mut sim, |progress| {
            played = progress.done;
            bar.show(progress);
        })
    }));
    bar.end();
    // The game itself has said why: it crashes as it did when it was recorded, or the recording is a crafted one.
    let panicked = |_| format!("the game panicked after tick {}", recording.first_tick() + played);
    match verdict.map_err(panicked)?.map_err(text)? {
        Verdict::Diverged(divergence) => {
            say(&divergence.to_string());
            return Ok(DIVERGED);
        }
        Verdict::Same { ticks, hashes } => say(&format!("same: {ticks} ticks, {hashes} hashes")),
    }
    if recording.is_complete() {
        return Ok(SAME);
    }
    let why = recording.problem().map_or_else(|| "it has no end".to_owned(), ToString::to_string);
    say(&format!("incomplete: {why}"));
    Ok(if args.incomplete { SAME } else { UNREADABLE })
}

/// Prints a line. A closed pipe is no error: nobody is reading.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints an error. A closed pipe must not cause a panic, which would change the exit status.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A progress bar, in a terminal only.
struct Bar<W> {
    out: W,
    is_shown: bool,
    percent: u64,
}

impl<W: Write> Bar<W> {
    const WIDTH: u64 = 40;

    const fn new(out: W, is_shown: bool) -> Self {
        Self { out, is_shown, percent: u64::MAX }
    }

    fn show(&mut self, progress: Progress) {
        let percent = (u128::from(progress.done) * 100 / u128::from(progress.total.max(1))) as u64;
        if self.is_shown && percent != self.percent {
            self.percent = percent;
            let filled = (percent * Self::WIDTH / 100) as usize;
            let empty = Self::WIDTH as usize - filled;
            let done = progress.done;
            let total = progress.total;
            let filled = "#".repeat(filled);
            let empty = ".".repeat(empty);
            let _ = write!(self.out, "\r[{filled}{empty}] tick {done} of {total}");
            let _ = self.out.flush();
        }
    }

    fn end(&mut self) {
        if self.is_shown {
            let _ = write!(self.out, "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_shown: bool) -> String {
        let mut bar = Bar::new(Vec::new(), is_shown);
        for done in 0..=1_000 {
            bar.show(Progress { done, total: 1_000 });
        }
        bar.end();
        String::from_utf8(bar.out).expect("UTF-8")
    }

    #[test]
    fn the_bar_fills_once_a_percent_and_is_wiped_at_the_end() {
        let text = shown(true);
        assert_eq!(text.matches('\r').count(), 102, "one for each percent, and one to wipe");
        let half = format!("\r[{}{}] tick 500 of 1000", "#".repeat(20), ".".repeat(20));
        assert!(text.contains(&half) && text.ends_with("\r\x1b[K"), "{text:?}");
        assert!(text.contains(&format!("[{}] tick 1000 of 1000", "#".repeat(40))), "{text:?}");
    }

    #[test]
    fn without_a_terminal_there_is_no_bar() {
        assert_eq!(shown(false), "");
    }
}
