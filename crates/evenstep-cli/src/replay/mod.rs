//! `evenstep replay`: shows, compares, exports and cuts recordings of any game, without the game.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, Subcommand};
use evenstep_replay::{Diff, Recording, diff, trim};

use crate::Error;

mod export;
mod info;

pub use export::Format;

/// A command on recordings.
#[derive(Debug, Subcommand)]
pub enum ReplayCommand {
    /// Print what a recording contains
    Info {
        /// The recording
        file: PathBuf,
    },
    /// Compare two recordings; exit status 1 if their inputs or hashes differ
    Diff {
        /// The first recording
        a: PathBuf,
        /// The second recording
        b: PathBuf,
    },
    /// Print a recording as text
    Export(ExportArgs),
    /// Cut a part out of a recording: from the last snapshot before it to the first hash after it
    Trim(TrimArgs),
}

/// Arguments of `export`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("format").required(true)))]
pub struct ExportArgs {
    /// The recording
    file: PathBuf,
    /// One line per tick: its number, its input as hex, its hash and its mark
    #[arg(long, group = "format")]
    csv: bool,
    /// One JSON object for each tick, hash and mark
    #[arg(long, group = "format")]
    jsonl: bool,
}

/// Arguments of `trim`.
#[derive(Args, Debug)]
pub struct TrimArgs {
    /// The recording
    file: PathBuf,
    /// The file to write
    output: PathBuf,
    /// First tick [default: the first in the recording]
    #[arg(long, value_name = "TICK")]
    from: Option<u64>,
    /// Last tick [default: the last in the recording]
    #[arg(long, value_name = "TICK")]
    to: Option<u64>,
}

/// Runs a command, and returns whether what it looked at was the same: only `diff` can say no.
///
/// # Errors
///
/// If a recording cannot be read, or the output cannot be written.
pub fn execute(command: &ReplayCommand, output: &mut impl Write) -> Result<bool, Error> {
    match command {
        ReplayCommand::Info { file } => info::print(&open(file)?, output).map_err(Error::Write)?,
        ReplayCommand::Diff { a, b } => {
            let a = open(a)?;
            let b = open(b)?;
            let found = diff(&a, &b);
            let is_same = found.is_same_run();
            return match print_diff(&found, &a, &b, output) {
                // Whoever reads no further still wants the answer.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Write(error)),
                _ => Ok(is_same),
            };
        }
        ReplayCommand::Export(args) => {
            let format = if args.csv { Format::Csv } else { Format::JsonLines };
            export::write(&open(&args.file)?, format, output).map_err(Error::Write)?;
        }
        ReplayCommand::Trim(args) => cut(args, output)?,
    }
    Ok(true)
}

fn open(path: &Path) -> Result<Recording, Error> {
    let wrong = |source| Error::Recording { path: path.to_owned(), source };
    let file = File::open(path).map_err(|error| wrong(error.into()))?;
    Recording::read(BufReader::new(file)).map_err(|error| wrong(error.into()))
}

/// Text from a file, fit for a terminal: no control characters, so that it can neither hide a line nor fake one.
fn shown(text: &str) -> String {
    let escape = |character: char| {
        let escaped = character.is_control().then(|| character.escape_default());
        escaped.map_or_else(|| character.to_string(), |escaped| escaped.to_string())
    };
    text.chars().map(escape).collect()
}

fn print_diff(found: &Diff, a: &Recording, b: &Recording, out: &mut impl Write) -> io::Result<()> {
    for (field, a, b) in &found.header {
        writeln!(out, "{field}: {} and {}", shown(a), shown(b))?;
    }
    for (name, it) in [("first", a), ("second", b)] {
        if let Some(problem) = it.problem() {
            writeln!(out, "the {name} is incomplete: {problem}")?;
        }
    }
    if let Some((tick, a, b)) = &found.input {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
        writeln!(out, "inputs differ from tick {tick} on: {} and {}", side(a), side(b))?;
    }
    match &found.hash {
        Some(hash) => {
            let parts =
                if hash.parts.is_empty() { "whole".to_owned() } else { shown(&hash.parts.join(", ")) };
            let (a, b) = hash.hashes;
            write!(out, "states differ from tick {} on, in {parts}: {a:016x} and {b:016x}", hash.tick)?;
            match hash.last_same {
                Some(tick) => writeln!(out, " (tick {tick} is the same)")?,
                None => writeln!(out)?,
            }
        }
        None if found.input.is_none() => writeln!(out, "the same inputs and hashes")?,
        None => writeln!(out, "no hash differs")?,
    }
    Ok(())
}

fn cut(args: &TrimArgs, out: &mut impl Write) -> Result<(), Error> {
    let recording = open(&args.file)?;
    let from = args.from.unwrap_or(recording.first_tick());
    let to = args.to.unwrap_or(recording.last_tick());
    let wrong = |path: &Path, source| Error::Recording { path: path.to_owned(), source };
    if from > to {
        let first = recording.first_tick();
        let last = recording.last_tick();
        let message = format!("--from {from} is after --to {to}; the recording has ticks {first} to {last}");
        return Err(wrong(&args.file, message.into()));
    }
    let mut output = Output { path: &args.output, file: None, bytes: 0 };
    let ticks = trim(&recording, from..to, &mut output).map_err(|error| {
        let path =
            if matches!(error, evenstep_replay::Error::Write { .. }) { &args.output } else { &args.file };
        wrong(path, error.into())
    })?;
    writeln!(out, "ticks {} to {}, {} bytes", ticks.start, ticks.end, output.bytes).map_err(Error::Write)
}

/// A file that is created when the first byte is written, so that a mistake before that does not overwrite one.
struct Output<'a> {
    path: &'a Path,
    file: Option<File>,
    bytes: u64,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::create(self.path)?),
        };
        let written = file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}
