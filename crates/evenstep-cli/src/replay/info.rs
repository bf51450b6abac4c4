//! `evenstep replay info`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use evenstep_replay::{Origin, Recording, hex};

use super::shown;

/// Bytes of a configuration that are shown.
const SHOWN: usize = 32;

pub(super) fn print(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let header = recording.header();
    let rate = header.rate;
    writeln!(out, "game           {} {}", shown(&header.game), shown(&header.game_version))?;
    writeln!(out, "engine         {}", shown(&header.engine))?;
    writeln!(out, "platform       {}", shown(&header.platform))?;
    writeln!(out, "rate           {} ticks in {} s", rate.ticks(), rate.seconds())?;
    writeln!(out, "seed           {}", header.seed)?;
    let configuration = &header.configuration;
    let more = if configuration.len() > SHOWN { "..." } else { "" };
    let start = hex(&configuration[..configuration.len().min(SHOWN)]);
    writeln!(out, "configuration  {} bytes {start}{more}", configuration.len())?;
    let origin = match header.origin {
        Origin::Created => "the seed",
        Origin::Snapshot => "a snapshot",
    };
    let seconds = recording.ticks() as f64 / rate.as_hz();
    let first = recording.first_tick();
    let last = recording.last_tick();
    writeln!(out, "ticks          {first} to {last} ({seconds:.1} s), from {origin}")?;
    let hashes = recording.hashes().count();
    writeln!(out, "hashes         {hashes}, every {} ticks", header.hash_every)?;
    writeln!(out, "parts          {}", shown(&header.parts.join(", ")))?;
    let snapshots = recording.snapshot_ticks().count();
    writeln!(out, "snapshots      {snapshots}, every {} ticks", header.snapshot_every)?;
    let mut marks = BTreeMap::<String, u32>::new();
    for mark in recording.marks() {
        *marks.entry(mark.label).or_default() += 1;
    }
    let marks: Vec<_> = marks.iter().map(|(label, count)| format!("{} {count}", shown(label))).collect();
    writeln!(out, "marks          {}", marks.join(", "))?;
    writeln!(out, "bytes          {}", recording.bytes())?;
    match recording.problem() {
        Some(problem) => writeln!(out, "incomplete     {problem}"),
        None if recording.is_complete() => writeln!(out, "complete       yes"),
        None => writeln!(out, "incomplete     it has no end"),
    }
}
