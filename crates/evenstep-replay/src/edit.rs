//! Tools that need no game: comparing two recordings, and cutting one.

use std::io::Write;

use crate::entries::{EntriesWriter, HashRecord, write_end};
use crate::error::{Error, hex};
use crate::format::kind;
use crate::header::Header;
use crate::inputs::RunsWriter;
use crate::pack::Packer;
use crate::record::UNWRITTEN_MAX;
use crate::recording::Recording;
use crate::write::{Sink, write_snapshot, write_start};

/// What [`diff`] found: the first difference of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// Fields of the headers that differ, with both values.
    pub header: Vec<(&'static str, String, String)>,
    /// The first tick whose inputs differ, with both inputs as hex. A side that has ended has none.
    pub input: Option<(u64, Option<String>, Option<String>)>,
    /// The first tick whose hashes differ.
    pub hash: Option<HashDiff>,
}

/// The first tick at which two recordings have different hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HashDiff {
    /// The tick.
    pub tick: u64,
    /// The last tick before it at which both have the same hash.
    pub last_same: Option<u64>,
    /// The parts that differ.
    pub parts: Vec<String>,
    /// Both hashes of the whole state.
    pub hashes: (u64, u64),
}

impl Diff {
    /// Whether both have the same inputs, and the same hashes at the ticks that both have hashed.
    pub const fn is_same_run(&self) -> bool {
        self.input.is_none() && self.hash.is_none()
    }
}

/// Compares two recordings without the game: headers, inputs, and the hashes of the ticks that both have.
pub fn diff(a: &Recording, b: &Recording) -> Diff {
    Diff { header: diff_headers(a.header(), b.header()), input: diff_inputs(a, b), hash: diff_hashes(a, b) }
}

fn diff_headers(a: &Header, b: &Header) -> Vec<(&'static str, String, String)> {
    let fields = |it: &Header| {
        [
            ("engine version", it.engine.clone()),
            ("game", it.game.clone()),
            ("game version", it.game_version.clone()),
            ("rate", format!("{}/{}", it.rate.ticks(), it.rate.seconds())),
            ("seed", it.seed.to_string()),
            ("configuration", hex(&it.configuration)),
            ("platform", it.platform.clone()),
            ("first tick", it.first_tick.to_string()),
            ("parts", it.parts.join(", ")),
        ]
    };
    let pairs = fields(a).into_iter().zip(fields(b));
    pairs.filter(|(a, b)| a.1 != b.1).map(|((name, a), (_, b))| (name, a, b)).collect()
}

fn diff_inputs(a: &Recording, b: &Recording) -> Option<(u64, Option<String>, Option<String>)> {
    let first = a.first_tick().max(b.first_tick());
    let (Ok(mut inputs_a), Ok(mut inputs_b)) = (a.inputs_from(first), b.inputs_from(first)) else {
        return Some((first, None, None));
    };
    let mut tick = first;
    loop {
        match (inputs_a.next(), inputs_b.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) if a == b => tick += 1,
            (a, b) => return Some((tick, a.map(|a| hex(a.1)), b.map(|b| hex(b.1)))),
        }
    }
}

fn diff_hashes(a: &Recording, b: &Recording) -> Option<HashDiff> {
    let mut ours = a.hashes().peekable();
    let mut theirs = b.hashes().peekable();
    let mut last_same = None;
    while let (Some(x), Some(y)) = (ours.peek(), theirs.peek()) {
        if x.tick != y.tick {
            let is_behind = x.tick < y.tick;
            if is_behind {
                ours.next()
            } else {
                theirs.next()
            };
            continue;
        }
        if x.hash != y.hash {
            let names = &a.header().parts;
            let name = |n: usize| names.get(n).cloned().unwrap_or_else(|| format!("part {n}"));
            return Some(HashDiff {
                tick: x.tick,
                last_same,
                parts: x.hash.differences(&y.hash).map(name).collect(),
                hashes: (x.hash.whole, y.hash.whole),
            });
        }
        last_same = Some(x.tick);
        ours.next();
        theirs.next();
    }
    None
}

/// Writes the part of a recording around `ticks`, and returns the ticks that it has: it begins at the last snapshot
/// before, and ends at the first hash after them.
///
/// # Errors
///
/// If the recording does not have the ticks, or writing fails.
pub fn trim(
    recording: &Recording,
    ticks: std::ops::Range<u64>,
    output: impl Write,
) -> Result<std::ops::Range<u64>, Error> {
    let first = recording.first_tick();
    let last = recording.last_tick();
    for tick in [ticks.start, ticks.end] {
        if !(first..=last).contains(&tick) {
            return Err(Error::NoSuchTick { tick, first, last });
        }
    }
    let start = recording.snapshot_ticks().rev().find(|&tick| tick <= ticks.start).unwrap_or(first);
    let closing = recording.hashes().find(|record| record.tick >= ticks.end.max(start));
    let end = closing.as_ref().map_or(last, |record| record.tick);
    let mut sink = Sink::new(output);
    cut(recording, start, end, closing.as_ref(), &mut sink)?;
    sink.finish()?;
    Ok(start..end)
}

fn cut<W: Write>(
    recording: &Recording,
    start: u64,
    end: u64,
    closing: Option<&HashRecord>,
    sink: &mut Sink<W>,
) -> Result<(), Error> {
    let mut header = recording.header().clone();
    if start > recording.first_tick() {
        header = header.with_start(start);
    }
    let mut packer = Packer::default();
    let mut entry = EntriesWriter::default();
    write_start(&mut sink.blocks, &header);
    let mut inputs = recording.inputs_from(start)?;
    let mut hashes = recording.hashes().filter(|record| (start..end).contains(&record.tick)).peekable();
    let mut snapshots = recording.snapshot_ticks().filter(|tick| (start..=end).contains(tick)).peekable();
    let mut runs = RunsWriter::starting_at(start);
    for tick in start..=end {
        let is_snapshot = snapshots.next_if_eq(&tick).is_some();
        let hash = hashes.next_if(|record| record.tick == tick);
        if runs.count() > 0 && (is_snapshot || hash.is_some() || tick == end || runs.count() == UNWRITTEN_MAX)
        {
            runs.write_block(&mut sink.blocks);
            runs.restart(tick);
            sink.send_if_full()?;
        }
        if let Some(state) = recording.snapshot(tick).filter(|_| is_snapshot) {
            write_snapshot(&mut sink.blocks, tick, &state, &mut packer);
        }
        if let Some(record) = hash {
            entry.clear();
            entry.push_hash(tick, &record.hash);
            entry.write_block(kind::HASHES, &mut sink.blocks);
        }
        if tick < end
            && let Some((_, input)) = inputs.next()
        {
            runs.push(input);
        }
    }
    for mark in recording.marks().filter(|mark| (start..=end).contains(&mark.tick)) {
        entry.clear();
        entry.push_mark(mark.tick, &mark.label);
        entry.write_block(kind::MARKS, &mut sink.blocks);
        sink.send_if_full()?;
    }
    if let Some(closing) = closing {
        write_end(&mut sink.blocks, end, &closing.hash);
    }
    Ok(())
}
