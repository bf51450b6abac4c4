//! Recording a pacer as it runs.

use std::io::Write;
use std::time::Duration;

use evenstep::{Channel, Frame, Pacer, from_millis};

use crate::control::{Always, ChannelValue, Control, ResetAt};
use crate::error::Error;
use crate::header::Header;
use crate::line::{Hitstop, Reset};
use crate::pacing::{PacingOptions, saturated_ns};
use crate::write::Writer;

/// Records every frame of a pacer, and what the game told it in between, as a trace of version 2.
///
/// Ask the recorder for a frame instead of the pacer. Replaying the trace gives the same frames, bit for bit, whatever the
/// configuration and the controls:
///
/// ```
/// use evenstep::{Pacer, Pacing};
/// use evenstep_trace::{Line, Reader, Recorder};
/// use std::time::Duration;
///
/// # fn main() -> Result<(), evenstep_trace::Error> {
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// let mut recorder = Recorder::new(Vec::new(), &pacer); // A file: BufWriter::new(File::create("stutter.jsonl")?)
/// let mut frames = Vec::new();
/// for n in 0..100 {
///     if n == 50 {
///         pacer.hit_freeze(Duration::from_millis(80));
///     }
///     frames.push(recorder.frame(&mut pacer, n * Duration::from_millis(16)));
/// }
///
/// let file = recorder.finish()?;
/// let reader = Reader::open(&file[..])?;
/// let mut replayed = Pacer::new(reader.header().pacing());
/// for line in reader {
///     match line? {
///         Line::Frame { at_ns: Some(at_ns), .. } => {
///             assert_eq!(replayed.frame(Duration::from_nanos(at_ns)), frames.remove(0));
///         }
///         Line::Control(control) => control.apply(&mut replayed),
///         _ => unreachable!("lines of version 1"),
///     }
/// }
/// assert!(frames.is_empty());
/// # Ok(())
/// # }
/// ```
///
/// The recorder finds out by itself what changed: it compares the pacer with what it was after the last frame. An error
/// of the output ends the recording and nothing else; [`error`](Self::error) returns it.
#[derive(Debug)]
pub struct Recorder<W> {
    // `None` after an error.
    writer: Option<Writer<W>>,
    error: Option<Error>,
    // What a replay of the lines so far gives.
    replayed: Pacer,
    last_frame_ns: Option<u64>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording, and writes the header. Wrap a file in a [`BufWriter`](std::io::BufWriter), because every line
    /// is a separate write.
    pub fn new(output: W, pacer: &Pacer) -> Self {
        let header = Header::of(&pacer.pacing());
        let replayed = Pacer::new(header.pacing());
        let mut recorder = Self { writer: None, error: None, replayed, last_frame_ns: None };
        match Writer::new(output, &header) {
            Ok(writer) => recorder.writer = Some(writer),
            Err(error) => recorder.error = Some(error),
        }
        recorder.catch_up(pacer);
        recorder
    }

    /// Plans a frame of the pacer, and records it.
    pub fn frame(&mut self, pacer: &mut Pacer, now: Duration) -> Frame {
        self.catch_up(pacer);
        let now_ns = saturated_ns(now);
        self.write(|writer| writer.frame_ns(now_ns));
        let frame = pacer.frame(now);
        self.last_frame_ns = Some(now_ns);
        self.replayed.clone_from(pacer);
        frame
    }

    /// Plans a frame at a timestamp in milliseconds, and records it. NaN and the infinities are recorded as a skipped
    /// frame.
    pub fn frame_millis(&mut self, pacer: &mut Pacer, now_ms: f64) -> Frame {
        if let Some(now) = from_millis(now_ms) {
            return self.frame(pacer, now);
        }
        self.catch_up(pacer);
        self.write(|writer| writer.control(&Control::Skip(Always)));
        let frame = pacer.frame_millis(now_ms);
        self.replayed.clone_from(pacer);
        frame
    }

    /// Makes a call to the pacer, and records it. Necessary for what cannot be seen in a pacer, such as
    /// [`Control::Presented`]; everything else may be called on the pacer itself.
    pub fn control(&mut self, pacer: &mut Pacer, control: &Control) {
        self.catch_up(pacer);
        control.apply(pacer);
        if control.to_text().is_ok() {
            self.write(|writer| writer.control(control));
            self.replayed.clone_from(pacer);
        }
    }

    /// The error that ended the recording.
    pub const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// The output, unless an error ended the recording.
    pub fn output(&self) -> Option<&W> {
        self.writer.as_ref().map(Writer::output)
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    ///
    /// If writing fails, or has failed before.
    pub fn finish(self) -> Result<W, Error> {
        match (self.writer, self.error) {
            (Some(writer), None) => writer.finish(),
            (_, Some(error)) => Err(error),
            (None, None) => unreachable!("a recorder without a writer has an error"),
        }
    }

    fn write(&mut self, line: impl FnOnce(&mut Writer<W>) -> Result<(), Error>) {
        if let Some(writer) = &mut self.writer
            && let Err(error) = line(writer)
        {
            (self.writer, self.error) = (None, Some(error));
        }
    }

    /// Records what the game changed since the last line: as controls if they give the same pacer, as a whole if not.
    fn catch_up(&mut self, pacer: &Pacer) {
        if self.writer.is_none() || is_same(&self.replayed, pacer) {
            return;
        }
        let last_frame_ns = self.last_frame_ns;
        let reset = |kind, last_frame_ns| Some(Control::Reset(ResetAt { kind, last_frame_ns }));
        let resets = [
            None,
            reset(Reset::FrameTiming, None),
            reset(Reset::FrameTiming, last_frame_ns),
            reset(Reset::NewGame, None),
            reset(Reset::NewGame, last_frame_ns),
            Some(Control::GoAway(Always)),
        ];
        let found = resets.into_iter().find_map(|first| differences(&self.replayed, pacer, first));
        let controls = found.unwrap_or_else(|| vec![Control::State(Box::new(pacer.clone()))]);
        for control in &controls {
            self.write(|writer| writer.control(control));
        }
        self.replayed.clone_from(pacer);
    }
}

/// Whether two pacers make the same decisions from now on. NaN is not equal to itself, but its bytes are.
fn is_same(one: &Pacer, other: &Pacer) -> bool {
    one == other
}

/// The controls that turn one pacer into another, beginning with a given one. `None` if they do not.
fn differences(from: &Pacer, to: &Pacer, first: Option<Control>) -> Option<Vec<Control>> {
    let mut found = Vec::new();
    let mut now = from.clone();
    let mut say = |now: &mut Pacer, control: Control| {
        control.apply(now);
        found.push(control);
    };
    if let Some(first) = first {
        say(&mut now, first);
    }
    if now.pacing() != to.pacing() {
        say(&mut now, Control::Pacing(Box::new(PacingOptions::of(&to.pacing()))));
    }
    if now.tick() != to.tick() {
        say(&mut now, Control::Tick(to.tick()));
    }
    for channel in Channel::ALL {
        let value = to.channel(channel);
        if now.channel(channel) != value {
            say(&mut now, Control::Scale(ChannelValue { channel, value }));
        }
        let value = to.resting_scale(channel);
        if now.resting_scale(channel) != value {
            say(&mut now, Control::RestingScale(ChannelValue { channel, value }));
        }
    }
    if now.freeze_left() != to.freeze_left() {
        say(&mut now, Control::HitFreeze(saturated_ns(to.freeze_left())));
    }
    let hitstop = |pacer: &Pacer| (pacer.hitstop_left(), pacer.hitstop_intensity());
    if hitstop(&now) != hitstop(to) {
        if now.is_in_hitstop() {
            say(&mut now, Control::Hitstop(Hitstop { frames: 0, intensity: 0.0 }));
        }
        if let (left, Some(intensity)) = hitstop(to) {
            let frames = (left.as_secs_f64() * to.pacing().rate().as_hz()).round() as u32;
            say(&mut now, Control::Hitstop(Hitstop { frames, intensity }));
        }
    }
    if to.steps_by_hand_left() < now.steps_by_hand_left() && to.gate() == now.gate() {
        say(&mut now, Control::Gate(evenstep::Gate::Open));
    }
    if now.gate() != to.gate() {
        say(&mut now, Control::Gate(to.gate()));
    }
    if let Some(steps @ 1..) = to.steps_by_hand_left().checked_sub(now.steps_by_hand_left()) {
        say(&mut now, Control::Step(steps));
    }
    if let Some(ticks @ 1..) = to.fast_forward_left().checked_sub(now.fast_forward_left()) {
        say(&mut now, Control::FastForward(ticks));
    }
    (is_same(&now, to) && found.iter().all(|control| control.to_text().is_ok())).then_some(found)
}
