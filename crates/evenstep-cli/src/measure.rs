//! `evenstep measure`: records this machine's display in a window.
//!
//! ```text
//! a window    a bar sweeps across it; every frame and every image that was shown is recorded
//!   -> the refresh behind the timestamps, missed refreshes, latency
//!   -> what each policy makes of the same timestamps
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use evenstep::{Command, Frame, Presented};
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Beat, Color, Context, Display, Draw, Event, Input, Key, Paint, View};

use crate::analysis::chart;
use crate::analysis::fit::FRAMES_MIN;
use crate::analysis::recording::Recording;
use crate::analysis::survey::{Findings, Survey, images, in_turn};
use crate::analysis::words::fixed;
use crate::progress::Progress;
use crate::{Error, table, write_file};
use evenstep_trace::Writer;

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
    let mut recorder = record(arguments)?;
    if recorder.was_hidden {
        return Err(Error::Refused(
            "the window was hidden: leave it visible until the measurement ends".to_owned(),
        ));
    }
    let frames = recorder.recording.frames();
    let mut survey = Survey::new("this display");
    let session = survey.part(&mut recorder.recording, in_turn).filter(|_| frames >= FRAMES_MIN);
    let Some(session) = session else {
        return Err(Error::Refused(format!(
            "{frames} frames were recorded, and {FRAMES_MIN} are needed: leave the window open and visible, or record \
             for longer with --seconds"
        )));
    };
    if let Some(folder) = &arguments.out {
        let path = folder.join("measure.jsonl");
        let trace = recorder.trace.take().map(Writer::finish).transpose();
        let trace = trace.map_err(|source| Error::Trace { path: path.clone(), source })?;
        write_file(&path, trace.unwrap_or_default())?;
        write_file(&folder.join("measure.svg"), chart::picture(&session))?;
    }
    print(&recorder, &survey.findings(), output).map_err(Error::Write)?;
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
        trace: None,
        recording: Recording::default(),
        latencies: Vec::new(),
        before: Display::default(),
        display: Display::default(),
        was_hidden: false,
    };
    let recorder = native::run(window, recorder).map_err(|error| {
        Error::Refused(match error {
            evenstep_host::Error::NoDisplay { .. } => {
                format!("{error}. Run this on a desktop, or `evenstep import` on a trace from one")
            }
            error => error.to_string(),
        })
    })?;
    recorder.progress.finish();
    Ok(recorder)
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
    // The recording as a file; writing to memory does not fail.
    trace: Option<Writer<Vec<u8>>>,
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
            self.trace = Writer::new(Vec::new(), &cx.pacer.pacing()).ok();
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
                let report = Presented { frame: shown.frame_at, at: shown.at };
                let _ = self.trace.as_mut().map(|trace| trace.command(&Command::Presented(report)));
                self.recording.presented(report);
                self.latencies.push(shown.at.saturating_sub(shown.input_at));
            }
        }
        let _ = self.trace.as_mut().map(|trace| trace.frame(now));
        self.recording.frame(now);
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

fn print(recorder: &Recorder, found: &Findings, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}\n\n{}\n", found.title, found.verdict(&recorder.recording))?;
    // What was shown comes below, by the display's own count if it has one; the timestamps only tell what was skipped.
    let facts = found.facts(&recorder.recording).into_iter().filter(|(name, _)| *name != "shown");
    let facts = facts.map(|(name, fact)| (if name == "missed" { "skipped" } else { name }, fact));
    table::write_facts(facts, out)?;
    table::write_facts(display_facts(&recorder.before, &recorder.display, &recorder.latencies), out)?;
    writeln!(out)?;
    table::write_outcomes(&found.outcomes, out)
}

/// Describes the beat of the frames and what presentation feedback said.
fn display_facts(before: &Display, display: &Display, latencies: &[Duration]) -> Vec<(&'static str, String)> {
    let name = display.beat.map_or("none", Beat::name);
    let lost = display.beat_lost.map(|(lost, why)| format!(", instead of {lost}: {why:?}").to_lowercase());
    let mut facts = vec![("beat", format!("{name}{}", lost.unwrap_or_default()))];
    let counts = &display.shown;
    let shown = counts.shown() - before.shown.shown();
    let missed = counts.missed() - before.shown.missed();
    if shown == 0 {
        let why = if display.has_foreign_clock { "its clock is unknown" } else { "this system has none" };
        facts.push(("shown", format!("no presentation feedback: {why}")));
        return facts;
    }
    facts.push(("shown", images(shown, missed)));
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
