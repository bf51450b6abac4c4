//! `evenstep measure`: records this machine's display in a window.
//!
//! ```text
//! a window    a bar sweeps across it; every frame and every image that was shown is recorded
//!   -> the refresh behind the timestamps, missed refreshes, latency
//!   -> what each policy makes of the same timestamps, as in the lab
//! ```

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use evenstep::Frame;
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Beat, Color, Context, Display, Draw, Event, Input, Key, Paint, View};
use evenstep_lab::fit::FRAMES_MIN;
use evenstep_lab::recording::{Measured, Recording};
use evenstep_lab::session::Outcome;
use evenstep_lab::words::{facts, fixed};
use evenstep_trace::{Control, Header, Presented, Writer};

use crate::lab::arguments::{PolicyList, policies};
use crate::lab::progress::Progress;
use crate::lab::{Error, chart, table, write_file};

/// Not recorded: the window opens, and the beat is found.
const WARM_UP: Duration = Duration::from_secs(1);

/// Arguments of `evenstep measure`.
#[derive(Debug, Args)]
pub struct MeasureArguments {
    /// Seconds to record, after one second of warm-up; the policies are not measured in the first 3
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub seconds: u16,
    /// Write the trace (measure.jsonl) and a chart (measure.svg) into this folder, which is created; by default no files
    /// are written
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// What starts the frames: callback, count, present or deadlines; by default the best available
    #[arg(long, value_name = "NAME")]
    pub beat: Option<Beat>,
    /// Start frames as late as their cost allows, for less latency
    #[arg(long)]
    pub late_start: bool,
    /// Policies, comma-separated, or `all`
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = policies)]
    pub policy: PolicyList,
}

fn seconds(text: &str) -> Result<u16, String> {
    let fix = "give 4 to 3600 whole seconds; the policies are not measured in the first 3";
    text.parse().ok().filter(|seconds| (4..=3600).contains(seconds)).ok_or_else(|| fix.to_owned())
}

/// Records the display, and prints its refresh, what was shown and missed, and the metrics of each policy.
///
/// # Errors
///
/// If there is no display, the window is closed too early, or a file cannot be written.
pub fn measure(arguments: &MeasureArguments, output: &mut impl Write) -> Result<(), Error> {
    if let Some(folder) = &arguments.out {
        // Before the recording, which takes a while.
        fs::create_dir_all(folder).map_err(|source| Error::File { path: folder.clone(), source })?;
    }
    let recorder = record(arguments)?;
    if recorder.was_hidden {
        return Err(Error::Measure(
            "the window was hidden: leave it visible until the measurement ends".to_owned(),
        ));
    }
    let frames = recorder.recording.stamps_ns().len();
    if frames < FRAMES_MIN {
        return Err(Error::Measure(format!(
            "{frames} frames were recorded, and {FRAMES_MIN} are needed: leave the window open and visible, or record \
             for longer with --seconds"
        )));
    }
    let measured = Measured::of(&recorder.recording, "this display");
    let outcomes = measured.session.under_each(&arguments.policy.0);
    if let Some(folder) = &arguments.out {
        write_trace(&folder.join("measure.jsonl"), &recorder)?;
        write_file(&folder.join("measure.svg"), &chart::draw(&measured.session, &outcomes))?;
    }
    print(&recorder, &measured, &outcomes, output).map_err(Error::Write)?;
    match &arguments.out {
        Some(folder) => {
            let wrote = format!("\nwrote measure.jsonl and measure.svg into {}", folder.display());
            writeln!(output, "{wrote}").map_err(Error::Write)
        }
        None => Ok(()),
    }
}

fn record(arguments: &MeasureArguments) -> Result<Recorder, Error> {
    let mut window = Window::new("Measuring the display").with_size(640.0, 360.0);
    if let Some(beat) = arguments.beat {
        window = window.with_beat(beat);
    }
    if arguments.late_start {
        window = window.with_late_start();
    }
    let seconds = u64::from(arguments.seconds);
    let recorder = Recorder {
        length: Duration::from_secs(seconds),
        progress: Progress::new(seconds, "seconds"),
        seconds: 0,
        start: None,
        share: 0.0,
        entries: Vec::new(),
        recording: Recording::default(),
        latencies: Vec::new(),
        before: Display::default(),
        display: Display::default(),
        was_hidden: false,
    };
    let recorder = native::run(window, recorder).map_err(|error| {
        Error::Measure(match error {
            evenstep_host::Error::NoDisplay { .. } => {
                format!("{error}. Run this on a desktop; `evenstep lab run` simulates displays without one")
            }
            error => error.to_string(),
        })
    })?;
    recorder.progress.finish();
    Ok(recorder)
}

/// A line of the trace.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Frame(Duration),
    /// The display showed the frame with this timestamp.
    Shown {
        frame: Duration,
        at: Duration,
    },
}

/// The app in the window.
struct Recorder {
    length: Duration,
    progress: Progress,
    seconds: u64,
    // When the recording began.
    start: Option<Duration>,
    // How much of the recording is done.
    share: f64,
    entries: Vec<Entry>,
    recording: Recording,
    // From input to display, of every image.
    latencies: Vec<Duration>,
    // What the host knew at the beginning and at the end of the recording.
    before: Display,
    display: Display,
    was_hidden: bool,
}

impl App for Recorder {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        // A hidden window has no frames to measure, and would never end.
        self.was_hidden |= event == Event::Hidden;
        if self.was_hidden || event == Event::KeyDown(Key::Escape) {
            cx.quit();
        }
    }

    fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {}

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        let now = frame.now();
        if now < WARM_UP {
            return;
        }
        let start = *self.start.get_or_insert_with(|| {
            self.before = cx.display().clone();
            now
        });
        let passed = now.saturating_sub(start);
        self.share = passed.as_secs_f64() / self.length.as_secs_f64();
        while self.seconds < passed.as_secs().min(self.length.as_secs()) {
            self.seconds += 1;
            self.progress.advance();
        }
        // What was shown came before this frame.
        for shown in cx.display().shown.since(self.display.shown.shown()) {
            if shown.frame_at >= start {
                self.entries.push(Entry::Shown { frame: shown.frame_at, at: shown.at });
                self.recording.presented(shown.frame_at.as_nanos() as u64, shown.at.as_nanos() as u64);
                self.latencies.push(shown.at.saturating_sub(shown.input_at));
            }
        }
        self.entries.push(Entry::Frame(now));
        self.recording.frame(now.as_nanos() as f64 / 1e6);
        self.display = cx.display().clone();
        if passed >= self.length {
            cx.quit();
        }
    }
}

impl<C: Paint> Draw<C> for Recorder {
    fn draw(&mut self, canvas: &mut C, view: View<'_>) {
        let size = canvas.size();
        canvas.fill(Color::rgb(0x0E_12_1C));
        // Two seconds across, so that the eye can judge what the numbers say.
        let across = (view.frame.now().as_secs_f64() / 2.0).fract();
        canvas.rect(across * size.width, 0.0, 12.0, size.height * 0.9, Color::rgb(0x4C_C9_F0));
        canvas.rect(
            0.0,
            size.height * 0.95,
            size.width * self.share,
            size.height * 0.05,
            Color::rgb(0xFF_B7_03),
        );
    }
}

/// Writes the timestamps and the presentation times as a pacing trace.
fn write_trace(path: &Path, recorder: &Recorder) -> Result<(), Error> {
    let write = || {
        let file = BufWriter::new(File::create(path).map_err(evenstep_trace::Error::Write)?);
        let nanos = |at: Duration| at.as_nanos().try_into().unwrap_or(u64::MAX);
        let mut header = Header::of(&recorder.pacing());
        header.start_ms = recorder.start.map_or(0.0, |start| start.as_nanos() as f64 / 1e6);
        let mut trace = Writer::new(file, &header)?;
        for &entry in &recorder.entries {
            match entry {
                Entry::Frame(now) => trace.frame(now)?,
                Entry::Shown { frame, at } => {
                    let shown = Presented { frame_ns: nanos(frame), at_ns: nanos(at) };
                    trace.control(&Control::Presented(shown))?;
                }
            }
        }
        trace.finish()
    };
    match write() {
        Ok(_) => Ok(()),
        Err(evenstep_trace::Error::Write(source)) => Err(Error::File { path: path.to_owned(), source }),
        Err(error) => Err(Error::File { path: path.to_owned(), source: io::Error::other(error) }),
    }
}

fn print(
    recorder: &Recorder,
    measured: &Measured,
    outcomes: &[Outcome],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{}\n", measured.session.title)?;
    for (name, fact) in facts(&recorder.recording, measured.grid.as_ref()) {
        // Missed by the timestamps; what was shown says more.
        let name = if name == "missed" { "skipped" } else { name };
        // By the display's own count, if it has one: see below.
        if name != "shown" {
            writeln!(out, "{name:<9} {fact}")?;
        }
    }
    for (name, fact) in display_facts(&recorder.before, &recorder.display, &recorder.latencies) {
        writeln!(out, "{name:<9} {fact}")?;
    }
    writeln!(out)?;
    table::of_outcomes(outcomes).write_text(out)?;
    let locks: Vec<_> = outcomes.iter().filter_map(Outcome::lock_in_words).collect();
    if !locks.is_empty() {
        writeln!(out, "\n{}", locks.join("\n"))?;
    }
    Ok(())
}

/// Describes the beat of the frames and what presentation feedback said.
fn display_facts(before: &Display, display: &Display, latencies: &[Duration]) -> Vec<(&'static str, String)> {
    let name = display.beat.map_or("none", Beat::name);
    let lost = display.beat_lost.map(|(lost, why)| format!(", instead of {lost}: {why:?}").to_lowercase());
    let mut facts = vec![("beat", format!("{name}{}", lost.unwrap_or_default()))];
    let counts = &display.shown;
    let (shown, missed) = (counts.shown() - before.shown.shown(), counts.missed() - before.shown.missed());
    if shown == 0 {
        let why = if display.has_foreign_clock { "its clock is unknown" } else { "this system has none" };
        facts.push(("shown", format!("no presentation feedback: {why}")));
        return facts;
    }
    let share = fixed(100.0 * missed as f64 / (shown + missed) as f64, 2);
    let refreshes = if missed == 1 { "refresh" } else { "refreshes" };
    facts.push(("shown", format!("{shown} images; {missed} {refreshes} missed ({share} %)")));
    let mut sorted = latencies.to_vec();
    sorted.sort_unstable();
    let millis = |share: f64| {
        let at = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
        sorted.get(at).map_or_else(String::new, |it| fixed(it.as_secs_f64() * 1e3, 2))
    };
    if !sorted.is_empty() {
        let latency = format!("{} ms from input to display (median), {} ms (p99)", millis(0.5), millis(0.99));
        facts.push(("latency", latency));
    }
    facts
}

#[cfg(test)]
mod tests {
    use evenstep::Rate;
    use evenstep::host::{BeatState, Shown};

    use super::*;

    #[test]
    fn only_what_was_recorded_counts_and_a_lost_beat_is_named() {
        let mut before = Display::default();
        let show = |display: &mut Display, refresh: u64| {
            let at = Rate::hz(60).time_of(refresh);
            let input_at = at.saturating_sub(Duration::from_millis(20));
            let sequence = Some(refresh);
            display.shown.record(Shown { input_at, at, sequence, refreshes_planned: 1, ..Shown::default() });
        };
        for refresh in [10, 15] {
            show(&mut before, refresh);
        }
        let mut display = before.clone();
        for refresh in [16, 17, 19] {
            show(&mut display, refresh);
        }
        display.beat = Some(Beat::Deadlines);
        display.beat_lost = Some((Beat::VerticalCount, BeatState::Wild));
        let latencies = [20, 20, 90].map(Duration::from_millis);
        let facts = display_facts(&before, &display, &latencies);
        assert_eq!(facts[0].1, "deadlines, instead of count: wild");
        assert_eq!(facts[1].1, "3 images; 1 refresh missed (25.00 %)");
        assert_eq!(facts[2].1, "20.00 ms from input to display (median), 90.00 ms (p99)");
    }

    #[test]
    fn without_feedback_the_reason_is_given() {
        let nothing = Display::default();
        let mut foreign = Display::default();
        foreign.has_foreign_clock = true;
        assert_eq!(
            display_facts(&nothing, &nothing, &[])[1].1,
            "no presentation feedback: this system has none"
        );
        assert_eq!(
            display_facts(&nothing, &foreign, &[])[1].1,
            "no presentation feedback: its clock is unknown"
        );
    }
}
