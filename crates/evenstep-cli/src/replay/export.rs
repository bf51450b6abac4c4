//! `evenstep replay export`: a recording as text.

use std::fmt::Write as _;
use std::io::{self, Write};

use evenstep_replay::{Recording, hex};

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line per tick, separated by commas.
    Csv,
    /// One JSON object per tick, hash and mark.
    JsonLines,
}

pub(super) fn write(recording: &Recording, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Csv => write_csv(recording, out),
        Format::JsonLines => write_json_lines(recording, out),
    }
}

fn write_csv(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "tick,input,hash,mark")?;
    let mut hashes = recording.hashes().peekable();
    let mut marks = recording.marks().peekable();
    let mut inputs = recording.inputs_from(recording.first_tick()).map_err(io::Error::other)?;
    for tick in recording.first_tick()..=recording.last_tick() {
        let input = inputs.next().map_or_else(String::new, |(_, input)| hex(input));
        // The last hash of a tick, should there be two.
        let mut hash = String::new();
        while let Some(record) = hashes.next_if(|record| record.tick <= tick) {
            hash = format!("{:016x}", record.hash.whole);
        }
        let mut labels = Vec::new();
        while let Some(mark) = marks.next_if(|mark| mark.tick <= tick) {
            labels.push(mark.label);
        }
        let label = labels.join("; ").replace('"', "\"\"");
        let quoted = if label.contains([',', '"', '\n', '\r']) { format!("\"{label}\"") } else { label };
        writeln!(out, "{tick},{input},{hash},{quoted}")?;
    }
    Ok(())
}

fn write_json_lines(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let header = recording.header();
    writeln!(
        out,
        "{{\"game\":{},\"game_version\":{},\"engine\":{},\"platform\":{},\"rate\":[{},{}],\"seed\":{},\
         \"configuration\":\"{}\",\"first_tick\":{},\"complete\":{}}}",
        quoted(&header.game),
        quoted(&header.game_version),
        quoted(&header.engine),
        quoted(&header.platform),
        header.rate.ticks(),
        header.rate.seconds(),
        header.seed,
        hex(&header.configuration),
        header.first_tick,
        recording.is_complete()
    )?;
    let mut inputs = recording.inputs_from(recording.first_tick()).map_err(io::Error::other)?;
    while let Some((tick, input)) = inputs.next() {
        writeln!(out, "{{\"tick\":{tick},\"input\":\"{}\"}}", hex(input))?;
    }
    for record in recording.hashes() {
        let parts = header.parts.iter().zip(&record.hash.parts);
        let parts: Vec<_> = parts.map(|(name, hash)| format!("{}:\"{hash:08x}\"", quoted(name))).collect();
        let parts = parts.join(",");
        let whole = record.hash.whole;
        writeln!(out, "{{\"tick\":{},\"hash\":\"{whole:016x}\",\"parts\":{{{parts}}}}}", record.tick)?;
    }
    for mark in recording.marks() {
        writeln!(out, "{{\"tick\":{},\"mark\":{}}}", mark.tick, quoted(&mark.label))?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
