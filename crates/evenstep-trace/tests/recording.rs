//! Laws of recordings: replaying one gives the recorded frames, bit for bit.

use std::io::{self, Write};
use std::time::Duration;

use evenstep::{
    Channel, Command, DisplayLock, Effects, Excess, Frame, Gate, Pacer, Pacing, Presented, Rate, Reset,
};
use evenstep_trace::{Error, Line, Reader, Recorder, Replay, Writer};
use proptest::prelude::*;

/// What happens to a pacer.
#[derive(Clone, Debug)]
enum Act {
    /// A frame, this long after the last.
    Frame(Duration),
    FrameMillis(f64),
    Tell(Box<Command>),
}

/// Time starts late, so that resets can go back.
const START: Duration = Duration::from_millis(500);

/// Runs a pacer with a recorder.
fn record(pacer: Pacer, acts: &[Act]) -> (Vec<Frame>, Pacer, String) {
    let mut recorder = Recorder::new(Vec::new(), pacer);
    let mut now = START;
    let mut frames = Vec::new();
    for act in acts {
        match act {
            Act::Frame(gap) => {
                now = now.saturating_add(*gap);
                frames.push(recorder.frame(now));
            }
            Act::FrameMillis(now_ms) => frames.push(recorder.frame_millis(*now_ms)),
            Act::Tell(command) => recorder.tell(**command),
        }
    }
    let pacer = recorder.clone();
    let file = recorder.finish().expect("memory");
    (frames, pacer, String::from_utf8(file).expect("text"))
}

/// Runs a pacer without one.
fn run(pacer: &mut Pacer, acts: &[Act]) -> Vec<Frame> {
    let mut now = START;
    let mut frames = Vec::new();
    for act in acts {
        match act {
            Act::Frame(gap) => {
                now = now.saturating_add(*gap);
                frames.push(pacer.frame(now));
            }
            Act::FrameMillis(now_ms) => frames.push(pacer.frame_millis(*now_ms)),
            Act::Tell(command) => pacer.tell(**command),
        }
    }
    frames
}

fn replay(trace: &str) -> (Vec<Frame>, Pacer) {
    let mut replay = Replay::open(trace.as_bytes()).expect("a header");
    let frames = replay.by_ref().map(|frame| frame.expect("a line")).collect();
    (frames, replay.pacer().clone())
}

fn any_time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        4 => (0..100_000_000_u64).prop_map(Duration::from_nanos),
        1 => any::<u64>().prop_map(Duration::from_nanos),
        1 => prop::sample::select(vec![Duration::ZERO, Duration::MAX]),
    ]
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.0..4.0,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![-0.0, 0.0, 1.0, f64::INFINITY, f64::NAN]),
    ]
}

fn any_channel() -> impl Strategy<Value = Channel> {
    prop::sample::select(Channel::ALL.to_vec())
}

fn any_rate() -> impl Strategy<Value = Rate> {
    (1..100_000_u32, 1..1_001_u32)
        .prop_filter_map("supported", |(ticks, seconds)| Rate::try_new(ticks, seconds))
}

fn any_pacing() -> impl Strategy<Value = Pacing> {
    let profile = prop::sample::select(vec![
        Pacing::starship(),
        Pacing::fixed_time_step(),
        Pacing::game_loop(),
        Pacing::hz(60),
    ]);
    let limit = || prop::option::of(any_time());
    let limits = (limit(), limit(), limit(), prop::option::weighted(0.3, any_time()));
    let counts = (any::<Option<u32>>(), prop::option::of(0..20_u32));
    let words = (
        prop::sample::select(vec![Excess::KeepPhase, Excess::Drain, Excess::Carry]),
        prop::sample::select(vec![Effects::Composed, Effects::Classic]),
        prop::sample::select(vec![DisplayLock::Off, DisplayLock::Follow, DisplayLock::RateLock]),
    );
    let rates = (prop_oneof![2 => Just(Rate::hz(60)), 1 => any_rate()], prop::option::of(any_rate()));
    let channel = (any_channel(), 0.0..1.0, 1.0..9.0, 0.0..1.0);
    (profile, any::<bool>(), limits, counts, words, rates, 0.0..1.0, channel).prop_map(
        |(pacing, is_plain, limits, counts, words, rates, phase, (channel, min, max, at))| {
            if is_plain {
                return pacing;
            }
            pacing
                .with_rate(rates.0)
                .with_stall(limits.0)
                .with_longest_frame(limits.1)
                .with_backlog(limits.2)
                .with_budget(limits.3)
                .with_backlog_steps(counts.0)
                .with_steps_max(counts.1)
                .with_excess(words.0)
                .with_effects(words.1)
                .with_display_lock(words.2)
                .with_draw_rate(rates.1)
                .with_start_phase(phase)
                .with_channel(channel, min..=max, min + (max - min) * at)
        },
    )
}

fn any_command() -> impl Strategy<Value = Command> {
    let gate = prop::sample::select(vec![Gate::Open, Gate::Paused, Gate::Menu]);
    let kind = prop::sample::select(vec![Reset::FrameTiming, Reset::NewGame]);
    let near = || prop_oneof![3 => (0..2_000_000_000_u64).prop_map(Duration::from_nanos), 1 => any_time()];
    prop_oneof![
        gate.prop_map(Command::Gate),
        (0..5_u32).prop_map(Command::StepByHand),
        (any_channel(), any_number()).prop_map(|(channel, value)| Command::Scale { channel, value }),
        (any_channel(), any_number()).prop_map(|(channel, value)| Command::RestingScale { channel, value }),
        any_time().prop_map(Command::HitFreeze),
        (0..9_u32, any_number()).prop_map(|(steps, intensity)| Command::Hitstop { steps, intensity }),
        (0..9_u32).prop_map(Command::FastForward),
        any::<u64>().prop_map(Command::Tick),
        any_pacing().prop_map(Command::Pacing),
        Just(Command::Suspend),
        (kind, prop::option::of(any_time()))
            .prop_map(|(kind, last_frame)| Command::Reset { kind, last_frame }),
        any_time().prop_map(Command::RefreshHint),
        any::<bool>().prop_map(Command::VariableRefresh),
        (near(), near()).prop_map(|(frame, at)| Command::Presented(Presented { frame, at })),
        near().prop_map(Command::StepsDone),
        near().prop_map(Command::DrawDone),
        Just(Command::Skip),
    ]
}

fn any_act() -> impl Strategy<Value = Act> {
    let gap = prop_oneof![8 => (16_000_000..17_400_000_u64).prop_map(Duration::from_nanos), 1 => any_time()];
    prop_oneof![
        10 => gap.prop_map(Act::Frame),
        1 => any_number().prop_map(Act::FrameMillis),
        10 => any_command().prop_map(|command| Act::Tell(Box::new(command))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_makes_the_recorded_decisions_for_any_configuration_and_commands(
        pacing in any_pacing(),
        before in prop::collection::vec(any_act(), 0..20),
        acts in prop::collection::vec(any_act(), 0..120),
    ) {
        // A recording can start in the middle of a game.
        let mut pacer = Pacer::new(pacing);
        run(&mut pacer, &before);
        let (frames, recorded, trace) = record(pacer.clone(), &acts);
        prop_assert_eq!(&run(&mut pacer, &acts), &frames, "recording changes no decision");
        prop_assert_eq!(&recorded, &pacer);
        // Skipped frames of a command are frames of the trace.
        let (replayed, after) = replay(&trace);
        let skips = acts.iter().filter(|act| matches!(act, Act::Tell(it) if **it == Command::Skip)).count();
        prop_assert_eq!(replayed.len(), frames.len() + skips);
        let with_time = |frames: &[Frame]| -> Vec<Frame> {
            frames.iter().copied().filter(|it| it.outcome() != evenstep::Outcome::Skipped).collect()
        };
        prop_assert_eq!(with_time(&replayed), with_time(&frames));
        // A time beyond 584 years is one of 584 years.
        prop_assert_eq!(serde_json::to_string(&after).unwrap(), serde_json::to_string(&recorded).unwrap());
    }

    #[test]
    fn a_command_reads_back_or_is_refused_for_a_nan(pacing in any_pacing(), command in any_command()) {
        let mut writer = Writer::new(Vec::new(), &pacing).expect("memory");
        let is_nan = matches!(
            command,
            Command::Scale { value, .. } | Command::RestingScale { value, .. }
                | Command::Hitstop { intensity: value, .. } if value.is_nan()
        );
        prop_assert_eq!(writer.command(&command).is_err(), is_nan);
        let file = writer.finish().expect("memory");
        let lines: Vec<Line> = Reader::open(&file[..]).expect("a header").map(|line| line.expect("a line")).collect();
        prop_assert_eq!(lines.len(), usize::from(!is_nan));
        if let [Line::Command(read)] = &lines[..] {
            // Infinities and times beyond 584 years are spelled as the nearest that a file can have.
            prop_assert_eq!(serde_json::to_string(read).unwrap(), serde_json::to_string(&command).unwrap());
        }
    }

    #[test]
    fn every_configuration_reads_back(pacing in any_pacing()) {
        let file = Writer::new(Vec::new(), &pacing).expect("memory").finish().expect("memory");
        let read = Reader::open(&file[..]).expect("a header").pacing();
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), serde_json::to_string(&pacing).unwrap());
    }
}

#[test]
fn options_that_are_left_out_stay_as_they_are() {
    let trace = "{\"trace\":2,\"profile\":\"starship\",\"pacing\":{\"rate\":{\"ticks\":30}}}\n\
                 {\"pacing\":{\"stall_ns\":null,\"channels\":{\"juice\":{\"min\":0,\"max\":2,\"resting\":1}}}}\n\
                 {\"pacing\":{\"steps_max\":7}}\n";
    let mut reader = Reader::open(trace.as_bytes()).expect("a header");
    let header = Pacing::starship().with_rate(Rate::hz(30));
    assert_eq!(reader.pacing(), header);
    let changed = header.with_stall(None).with_channel(Channel::JUICE, 0.0..=2.0, 1.0);
    for wanted in [changed, changed.with_steps_max(7)] {
        let line = reader.next().expect("a line").expect("a good line");
        assert_eq!(line, Line::Command(Box::new(Command::Pacing(wanted))));
        assert_eq!(reader.pacing(), wanted);
    }
}

/// Every command is one readable line, in every configuration.
#[test]
fn what_a_game_tells_its_pacer_is_recorded_by_name() {
    let ms = Duration::from_millis;
    for (command, line) in [
        (Command::Gate(Gate::Paused), "{\"gate\":\"paused\"}"),
        (Command::StepByHand(2), "{\"step\":2}"),
        (
            Command::Scale { channel: Channel::JUICE, value: 0.5 },
            "{\"scale\":{\"channel\":\"juice\",\"value\":0.5}}",
        ),
        (
            Command::RestingScale { channel: Channel::TIME_DILATION, value: 4.0 },
            "{\"resting_scale\":{\"channel\":\"time_dilation\",\"value\":4.0}}",
        ),
        (Command::HitFreeze(ms(80)), "{\"hit_freeze_ns\":80000000}"),
        (Command::Hitstop { steps: 3, intensity: 0.1 }, "{\"hitstop\":{\"frames\":3,\"intensity\":0.1}}"),
        (Command::FastForward(300), "{\"fast_forward\":300}"),
        (Command::Tick(7_200), "{\"tick\":7200}"),
        (Command::Suspend, "{\"suspend\":true}"),
        (Command::Reset { kind: Reset::NewGame, last_frame: None }, "{\"reset\":{\"kind\":\"new_game\"}}"),
        (
            Command::Reset { kind: Reset::FrameTiming, last_frame: Some(ms(532)) },
            "{\"reset\":{\"kind\":\"frame_timing\",\"last_frame_ns\":532000000}}",
        ),
        (Command::RefreshHint(ms(16)), "{\"refresh_ns\":16000000}"),
        (Command::VariableRefresh(true), "{\"variable_refresh\":true}"),
        (
            Command::Presented(Presented { frame: ms(516), at: ms(532) }),
            "{\"presented\":{\"frame_ns\":516000000,\"at_ns\":532000000}}",
        ),
        (Command::StepsDone(ms(517)), "{\"steps_done_ns\":517000000}"),
        (Command::DrawDone(ms(518)), "{\"draw_done_ns\":518000000}"),
        (Command::Skip, "{\"skip\":true}"),
    ] {
        for pacing in [Pacing::starship(), Pacing::fixed_time_step(), Pacing::game_loop(), Pacing::hz(60)] {
            let frame = Act::Frame(ms(16));
            let acts = [frame.clone(), Act::Tell(Box::new(command)), frame];
            let (_, _, trace) = record(Pacer::new(pacing), &acts);
            let lines: Vec<&str> = trace.lines().skip(1).collect();
            assert_eq!(lines, ["{\"frame_ns\":516000000}", line, "{\"frame_ns\":532000000}"], "{command:?}");
        }
    }
}

#[test]
fn a_bad_line_is_named() {
    for (line, part) in [
        ("{\"gate\":\"shut\"}", "unknown variant `shut`, expected one of `open`, `paused`, `menu`"),
        ("{\"gate\":{\"open\":null}}", "`open` cannot be null"),
        (
            "{\"scale\":{\"channel\":\"speed\",\"value\":1}}",
            "unknown variant `speed`, expected one of `time_dilation`",
        ),
        ("{\"scale\":{\"channel\":\"juice\",\"value\":1,\"value\":2}}", "duplicate field `value`"),
        ("{\"presented\":[1,2]}", "`presented` cannot be an array"),
        ("{\"presented\":{\"frame_ns\":1}}", "missing field `at_ns`"),
        ("{\"pacing\":{\"rate\":{\"ticks\":0}}}", "expected a rate that the pacer supports, found 0 ticks"),
        ("{\"pacing\":{\"rate\":[60,1]}}", "`rate` cannot be an array"),
        ("{\"pacing\":{\"start_phase\":1}}", "expected `start_phase` to be 0 or more and below 1, found 1"),
        (
            "{\"pacing\":{\"channels\":{\"juice\":{\"min\":2,\"max\":1,\"resting\":1}}}}",
            "expected `juice` to be a range",
        ),
        ("{\"pacing\":{\"speed\":1}}", "unknown field `speed`"),
        ("{\"pacing\":{\"steps_max\":1,\"steps_max\":2}}", "duplicate field `steps_max`"),
        ("{\"pacing\":{\"rate\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"excess\":null}}", "expected"),
        ("{\"pacing\":{\"effects\":null}}", "expected"),
        ("{\"pacing\":{\"start_phase\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"display_lock\":null}}", "expected"),
        ("{\"pacing\":{\"channels\":null}}", "invalid type: null"),
        (
            "{\"pacing\":{\"channels\":{\"juice\":{\"min\":0,\"max\":1,\"resting\":1},\"juice\":{\"min\":0,\"max\":2,\"resting\":1}}}}",
            "duplicate channel `juice`",
        ),
        ("{\"reset\":{\"kind\":\"new_game\",\"last_frame_ns\":null}}", "invalid type: null"),
        ("{\"state\":{}}", "missing field"),
        ("{\"state\":\"00\"}", "invalid type: string"),
        ("{\"suspend\":false}", "expected true, found false"),
        ("{\"frame_ns\":-1}", "invalid value: integer `-1`, expected u64"),
        ("{\"frame_ns\":1,\"frame_ns\":2}", "duplicate field `frame_ns`"),
        ("{\"frame_ns\":1,\"gate\":\"open\"}", "unknown field `gate`"),
        ("{\"gate\":\"open\",\"step\":1}", "expected"),
        ("{\"frame_ms\":1}", "unknown variant `frame_ms`"),
        ("{\"frame_ns\":1} {\"frame_ns\":2}", "trailing characters"),
        ("{\"frame_ns\":1", "EOF"),
        ("[1]", "a line is a JSON object"),
        ("{}", "expected"),
    ] {
        let trace = format!("{{\"trace\":2}}\n{line}\n");
        let error =
            Reader::open(trace.as_bytes()).expect("a header").next().expect("a line").expect_err(line);
        let text = error.to_string();
        assert!(text.starts_with("line 2: expected") && text.contains(part), "{line}: {text}");
    }
    for (header, part) in [
        ("{\"trace\":1,\"profile\":\"evenstep\"}", "expected trace format 2, found 1"),
        ("{\"trace\":3,\"profile\":\"evenstep\"}", "expected trace format 2, found 3"),
        ("{\"trace\":2,\"start_ms\":1}", "unknown field `start_ms`"),
        ("{\"trace\":2,\"profile\":{\"starship\":null}}", "`starship` cannot be null"),
        ("{\"trace\":2,\"profile\":\"godot\"}", "unknown variant `godot`"),
        ("{\"profile\":\"evenstep\"}", "missing field `trace`"),
        (
            "{\"trace\":2,\"pacing\":{\"draw_rate\":{\"ticks\":1,\"seconds\":0}}}",
            "expected a rate that the pacer supports",
        ),
    ] {
        let error = Reader::open(header.as_bytes()).expect_err(header).to_string();
        assert!(error.starts_with("line 1: expected") && error.contains(part), "{header}: {error}");
    }
}

/// Accepts a number of bytes, then fails.
#[derive(Debug)]
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("no space left"))?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_error_of_the_output_ends_the_recording_and_not_the_game() {
    for room in [0, 100, 2_000] {
        let mut recorder = Recorder::new(Full(room), Pacer::new(Pacing::hz(60)));
        let mut unrecorded = Pacer::new(Pacing::hz(60));
        for n in 0..600 {
            let now = Rate::hz(60).time_of(n);
            assert_eq!(recorder.frame(now), unrecorded.frame(now), "{room} bytes");
        }
        assert!(matches!(recorder.error(), Some(Error::Write(_))), "{room} bytes");
        assert!(recorder.finish().is_err());
    }
}

#[test]
fn every_line_of_the_document_is_read() {
    let text = include_str!("../../../docs/trace.md");
    let (_, rest) = text.split_once("## Lines").expect("a chapter");
    let (chapter, _) = rest.split_once("\n## ").expect("the next chapter");
    let lines =
        chapter.split('`').filter(|part| part.starts_with("{\"") && !part.contains("...")).map(str::trim);
    let is_line = |line: &&str| !["{\"ticks\"", "{\"juice\""].iter().any(|option| line.starts_with(option));
    let mut names = std::collections::BTreeSet::new();
    for line in lines.filter(is_line) {
        let trace = format!("{{\"trace\":2}}\n{line}\n");
        Reader::open(trace.as_bytes()).expect("a header").next().expect("a line").expect(line);
        names.insert(line.split('"').nth(1).expect("a name").to_owned());
    }
    let indented: Vec<&str> = chapter.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert_eq!(replay(&indented.join("\n")).0.len(), 2);
    assert_eq!(names.len(), 18, "every command, and the frame: {names:?}");
}

#[test]
fn a_state_has_every_field_in_its_own_form() {
    let mut pacer = Pacer::new(Pacing::hz(60));
    for n in 0..100 {
        _ = pacer.frame(Rate::hz(60).time_of(n));
    }
    let trace = record(pacer, &[]).2;
    assert!(replay(&trace).0.is_empty());
    let state = trace.lines().nth(1).expect("a state");
    for (from, to) in [
        ("\"gate\":\"open\"", "\"gate\":{\"open\":null}"),
        ("{\"ticks\":60,\"seconds\":1}", "[60,1]"),
        ("\"scale_rest\":0,", "\"scale_rest\":0,\"more\":null,"),
        ("\"parts\":60", "\"parts\":9223372036854775808"),
    ] {
        assert!(state.contains(from), "{from} in {state}");
        let forged = format!("{{\"trace\":2}}\n{}\n", state.replace(from, to));
        let error = Reader::open(forged.as_bytes()).expect("a header").next().expect("a line");
        assert!(matches!(error, Err(Error::Line { number: 2, .. })), "{to}: {error:?}");
    }
}

/// Writes some bytes of a line, then fails once.
struct Hiccup(Vec<u8>, usize);

impl Write for Hiccup {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        match self.1 {
            3 => self.0.write(&bytes[..6]),
            4 => Err(io::ErrorKind::WouldBlock.into()),
            _ => self.0.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_written_after_a_broken_line() {
    let mut writer = Writer::new(Hiccup(Vec::new(), 0), &Pacing::hz(60)).expect("room for a header");
    let written = [1, 2, 3].map(|at| writer.frame(Duration::from_nanos(at)).is_ok());
    assert_eq!(written, [true, false, false]);
}
