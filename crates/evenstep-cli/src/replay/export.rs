//! `evenstep replay export`: a recording as text.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use evenstep::{Channel, Command, DisplayLock, Gate, Outcome, Pacing, Presented};
use evenstep_replay::{FrameRecord, Recording, hex};

use crate::analysis::timestamps::TraceWriter;
use crate::trace::output::outcome_name;

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line per tick, separated by commas.
    Csv,
    /// One JSON object per tick, hash, mark and frame.
    JsonLines,
    /// A pacing trace.
    Trace,
}

pub(super) fn write(recording: &Recording, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Csv => write_csv(recording, out),
        Format::JsonLines => write_json_lines(recording, out),
        Format::Trace => write_trace(recording, out),
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
        let tick = record.tick;
        let whole = record.hash.whole;
        let parts = parts.join(",");
        writeln!(out, "{{\"tick\":{tick},\"hash\":\"{whole:016x}\",\"parts\":{{{parts}}}}}")?;
    }
    for mark in recording.marks() {
        writeln!(out, "{{\"tick\":{},\"mark\":{}}}", mark.tick, quoted(&mark.label))?;
    }
    for (n, (tick, frame)) in recording.frames().enumerate() {
        writeln!(out, "{}", frame_text(n, tick, &frame))?;
    }
    Ok(())
}

fn frame_text(n: usize, tick: u64, frame: &FrameRecord) -> String {
    let mut text = format!(
        "{{\"frame\":{n},\"at_ns\":{},\"tick\":{tick},\"steps\":{},\"alpha\":{},\"outcome\":\"{}\"",
        frame.at_ns,
        frame.steps,
        frame.alpha,
        outcome_name(frame.outcome)
    );
    if let Some(presented_ns) = frame.presented_ns {
        let _ = write!(text, ",\"presented_ns\":{presented_ns}");
    }
    if frame.dropped_ns > 0 {
        let _ = write!(text, ",\"dropped_ns\":{}", frame.dropped_ns);
    }
    if frame.is_by_hand {
        text.push_str(",\"by_hand\":true");
    }
    let controls = &frame.controls;
    if let Some(gate) = controls.gate {
        let _ = write!(text, ",\"gate\":\"{}\"", gate_name(gate));
    }
    if let Some(is_on) = controls.display_lock {
        let _ = write!(text, ",\"display_lock\":{is_on}");
    }
    // A damaged file may contain anything, and JSON has no NaN.
    if let Some(scale) = controls.scale.filter(|scale| scale.is_finite()) {
        let _ = write!(text, ",\"scale\":{scale}");
    }
    if let Some(freeze_ns) = controls.freeze_ns {
        let _ = write!(text, ",\"freeze_ns\":{freeze_ns}");
    }
    text.push('}');
    text
}

/// Writes the frames as a pacing trace of version 2, with the controls that the recording has.
fn write_trace(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let mut frames = recording.frames().peekable();
    let has_lock = frames.peek().and_then(|(_, frame)| frame.controls.display_lock);
    let pacing = with_lock(Pacing::hz(60).with_rate(recording.header().rate), has_lock.unwrap_or(true));
    let failed = |error: evenstep_trace::Error| match error {
        evenstep_trace::Error::Write(error) => error,
        error => io::Error::other(error),
    };
    let mut writer = TraceWriter::new(out, &pacing).map_err(failed)?;
    let mut has_lock = has_lock.unwrap_or(true);
    let mut shown = VecDeque::new();
    for (_, frame) in frames {
        let controls = &frame.controls;
        let mut tell = |command| writer.command(&command).map_err(failed);
        if let Some(is_on) = controls.display_lock.filter(|&is_on| is_on != has_lock) {
            has_lock = is_on;
            tell(Command::Pacing(with_lock(pacing, is_on)))?;
        }
        if let Some(gate) = controls.gate {
            tell(Command::Gate(gate))?;
        }
        // The product of all channels; a damaged file may contain anything.
        if let Some(value) = controls.scale.filter(|scale| scale.is_finite() && *scale >= 0.0) {
            tell(Command::Scale { channel: Channel::TIME_DILATION, value })?;
        }
        if let Some(freeze_ns) = controls.freeze_ns {
            tell(Command::HitFreeze(Duration::from_nanos(freeze_ns)))?;
        }
        if frame.is_by_hand {
            tell(Command::StepByHand(frame.steps))?;
        }
        // The pacer hears of an image only after the display has shown it.
        let now = Duration::from_nanos(frame.at_ns);
        while let Some(presented) = shown.pop_front_if(|it: &mut Presented| it.at <= now) {
            tell(Command::Presented(presented))?;
        }
        if frame.outcome == Outcome::Skipped {
            tell(Command::Skip)?;
        } else {
            writer.frame(now).map_err(failed)?;
        }
        let presented = frame.presented_ns.map(Duration::from_nanos);
        shown.extend(presented.map(|at| Presented { frame: now, at }));
    }
    for presented in shown {
        writer.command(&Command::Presented(presented)).map_err(failed)?;
    }
    writer.finish().map(drop).map_err(failed)
}

const fn with_lock(pacing: Pacing, is_on: bool) -> Pacing {
    pacing.with_display_lock(if is_on { DisplayLock::Follow } else { DisplayLock::Off })
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

const fn gate_name(gate: Gate) -> &'static str {
    match gate {
        Gate::Open => "open",
        Gate::Paused => "paused",
        Gate::Menu => "menu",
    }
}
