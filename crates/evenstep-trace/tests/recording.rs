//! Laws of recordings: replaying one gives the recorded frames, bit for bit.

use std::io::{self, Write};
use std::time::Duration;

use evenstep::{Channel, DisplayLock, Effects, Excess, Frame, Gate, Pacer, Pacing, Rate};
use evenstep_trace::{
    Control, Error, Header, Hitstop, Line, PacingOptions, Presented, Profile, Reader, Recorder, Writer,
};
use proptest::prelude::*;

/// What happens to a pacer: a frame, or a call from the game or the host.
#[derive(Clone, Debug)]
enum Op {
    Frame(Duration),
    FrameMillis(f64),
    Gate(Gate),
    Step(u32),
    Scale(Channel, f64),
    Resting(Channel, f64),
    HitFreeze(Duration),
    Hitstop(u32, f64),
    FastForward(u32),
    Tick(u64),
    Pacing(Box<Pacing>),
    SetFps(f64, Option<f64>),
    GoAway,
    ResetFrameTiming(Option<Duration>),
    Reset(Option<Duration>),
    /// Reports of a host, through the recorder or behind its back.
    Hint(Duration),
    Variable(bool),
    Presented(Duration),
    StepsDone(Duration),
    DrawDone(Duration),
    Told(Control),
    Restore,
}

fn run(
    ops: &[Op],
    pacer: &mut Pacer,
    mut frame: impl FnMut(&mut Pacer, &Op, Duration) -> Option<Frame>,
) -> Vec<Frame> {
    let mut now = Duration::from_millis(500);
    let mut saved = pacer.save();
    let mut frames = Vec::new();
    for op in ops {
        match op.clone() {
            Op::Frame(gap) => {
                now = now.saturating_add(gap);
                frames.extend(frame(pacer, op, now));
            }
            Op::FrameMillis(_) | Op::Told(_) => frames.extend(frame(pacer, op, now)),
            Op::Gate(gate) => pacer.set_gate(gate),
            Op::Step(steps) => pacer.step_by_hand(steps),
            Op::Scale(channel, value) => pacer.set_scale(channel, value),
            Op::Resting(channel, value) => pacer.set_resting_scale(channel, value),
            Op::HitFreeze(wall) => pacer.hit_freeze(wall),
            Op::Hitstop(steps, intensity) => pacer.hitstop(steps, intensity),
            Op::FastForward(ticks) => pacer.fast_forward(ticks),
            Op::Tick(tick) => pacer.set_tick(tick),
            Op::Pacing(pacing) => pacer.set_pacing(*pacing),
            Op::SetFps(render, fixed) => pacer.set_fps(render, fixed),
            Op::GoAway => pacer.go_away(),
            Op::ResetFrameTiming(last) => pacer.reset_frame_timing(last),
            Op::Reset(last) => pacer.reset(last),
            Op::Hint(period) => pacer.hint_refresh(period),
            Op::Variable(is_variable) => pacer.set_variable_refresh(is_variable),
            Op::Presented(after) => pacer.presented(now, now.saturating_add(after)),
            Op::StepsDone(after) => pacer.steps_done(now.saturating_add(after)),
            Op::DrawDone(after) => pacer.draw_done(now.saturating_add(after)),
            Op::Restore => {
                let earlier = std::mem::replace(&mut saved, pacer.save());
                *pacer = Pacer::restore(&earlier).expect("a saved pacer");
            }
        }
    }
    frames
}

/// Runs the operations on a new pacer with a recorder.
fn record(pacing: Pacing, ops: &[Op]) -> (Vec<Frame>, String) {
    let mut pacer = Pacer::new(pacing);
    let mut recorder = Recorder::new(Vec::new(), &pacer);
    let frames = run(ops, &mut pacer, |pacer, op, now| match op {
        Op::Frame(_) => Some(recorder.frame(pacer, now)),
        Op::FrameMillis(now_ms) => Some(recorder.frame_millis(pacer, *now_ms)),
        Op::Told(control) => {
            recorder.control(pacer, control);
            None
        }
        _ => None,
    });
    let file = recorder.finish().expect("memory");
    (frames, String::from_utf8(file).expect("text"))
}

fn replay(trace: &str) -> Vec<Frame> {
    let reader = Reader::open(trace.as_bytes()).expect("a header");
    let mut pacer = Pacer::new(reader.header().pacing());
    let mut frames = Vec::new();
    for line in reader {
        match line.expect("a line") {
            Line::Frame { at_ns, .. } => {
                frames.push(pacer.frame(Duration::from_nanos(at_ns.expect("version 2"))));
            }
            Line::Control(control) if matches!(*control, Control::Skip(_)) => {
                frames.push(pacer.frame_millis(f64::NAN));
            }
            Line::Control(control) => control.apply(&mut pacer),
            Line::Controls(_) => panic!("controls of version 1"),
        }
    }
    frames
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
        Profile::Starship,
        Profile::FixedTimeStep,
        Profile::GameLoop,
        Profile::Evenstep,
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
        |(profile, is_plain, limits, counts, words, rates, phase, (channel, min, max, at))| {
            let pacing = profile.pacing();
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

fn any_op() -> impl Strategy<Value = Op> {
    let gate = || prop::sample::select(vec![Gate::Open, Gate::Paused, Gate::Menu]);
    let frame_gap =
        prop_oneof![8 => (16_000_000..17_400_000_u64).prop_map(Duration::from_nanos), 1 => any_time()];
    let told = prop_oneof![
        any::<u64>().prop_map(Control::Refresh),
        any::<bool>().prop_map(Control::VariableRefresh),
        (any::<u64>(), any::<u64>())
            .prop_map(|(frame_ns, at_ns)| Control::Presented(Presented { frame_ns, at_ns })),
        any::<u64>().prop_map(Control::StepsDone),
        any::<u64>().prop_map(Control::DrawDone),
        (any::<u32>(), any_number())
            .prop_map(|(frames, intensity)| Control::Hitstop(Hitstop { frames, intensity })),
        any_pacing().prop_map(|pacing| Control::Pacing(Box::new(PacingOptions::of(&pacing)))),
    ];
    prop_oneof![
        20 => frame_gap.prop_map(Op::Frame),
        1 => any_number().prop_map(Op::FrameMillis),
        1 => gate().prop_map(Op::Gate),
        1 => (0..5_u32).prop_map(Op::Step),
        1 => (any_channel(), any_number()).prop_map(|(channel, value)| Op::Scale(channel, value)),
        1 => (any_channel(), any_number()).prop_map(|(channel, value)| Op::Resting(channel, value)),
        1 => any_time().prop_map(Op::HitFreeze),
        1 => (0..9_u32, any_number()).prop_map(|(steps, intensity)| Op::Hitstop(steps, intensity)),
        1 => (0..9_u32).prop_map(Op::FastForward),
        1 => any::<u64>().prop_map(Op::Tick),
        1 => any_pacing().prop_map(|pacing| Op::Pacing(Box::new(pacing))),
        1 => (any_number(), prop::option::of(any_number())).prop_map(|(render, fixed)| Op::SetFps(render, fixed)),
        1 => Just(Op::GoAway),
        1 => prop::option::of(any_time()).prop_map(Op::ResetFrameTiming),
        1 => prop::option::of(any_time()).prop_map(Op::Reset),
        1 => any_time().prop_map(Op::Hint),
        1 => any::<bool>().prop_map(Op::Variable),
        1 => any_time().prop_map(Op::Presented),
        2 => any_time().prop_map(Op::StepsDone),
        2 => any_time().prop_map(Op::DrawDone),
        1 => told.prop_map(Op::Told),
        1 => Just(Op::Restore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_replayed_recording_gives_the_recorded_frames_for_any_configuration_and_controls(
        pacing in any_pacing(),
        ops in prop::collection::vec(any_op(), 0..120),
    ) {
        let (frames, trace) = record(pacing, &ops);
        let replayed = replay(&trace);
        prop_assert_eq!(replayed.len(), frames.len());
        for (n, (recorded, replayed)) in frames.iter().zip(&replayed).enumerate() {
            prop_assert_eq!(recorded, replayed, "frame {}", n);
            prop_assert_eq!(recorded.alpha().to_bits(), replayed.alpha().to_bits());
        }
    }

    #[test]
    fn recording_changes_no_decision(pacing in any_pacing(), ops in prop::collection::vec(any_op(), 0..120)) {
        let mut pacer = Pacer::new(pacing);
        let unrecorded = run(&ops, &mut pacer, |pacer, op, now| match op {
            Op::Frame(_) => Some(pacer.frame(now)),
            Op::FrameMillis(now_ms) => Some(pacer.frame_millis(*now_ms)),
            Op::Told(control) => {
                control.apply(pacer);
                None
            }
            _ => None,
        });
        prop_assert_eq!(record(pacing, &ops).0, unrecorded);
    }

    #[test]
    fn every_configuration_reads_back(pacing in any_pacing()) {
        let file = Writer::new(Vec::new(), &Header::of(&pacing)).expect("memory").finish().expect("memory");
        let read = Reader::open(&file[..]).expect("a header").header().pacing();
        // A limit beyond 584 years is one of 584 years.
        prop_assert_eq!(PacingOptions::of(&read), PacingOptions::of(&pacing));
        let options = PacingOptions::of(&pacing);
        prop_assert_eq!(options.onto(Pacing::starship()), read);
    }

    #[test]
    fn any_bytes_after_a_header_of_version_2_are_lines_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let trace = [b"{\"trace\":2}\n", &bytes[..]].concat();
        for line in Reader::open(&trace[..]).expect("a header") {
            if let Err(error) = line {
                let is_named = matches!(error, Error::Line { number, .. } if number >= 2);
                prop_assert!(is_named);
            }
        }
    }
}

/// Every call that a game makes on the pacer itself is one readable line, in every profile.
#[test]
fn what_a_game_tells_its_pacer_is_recorded_by_name() {
    let ms = Duration::from_millis;
    let frame = Op::Frame(ms(16));
    for (op, line) in [
        (Op::Gate(Gate::Paused), "{\"gate\":\"paused\"}"),
        (Op::Scale(Channel::JUICE, 0.5), "{\"scale\":{\"channel\":\"juice\",\"value\":0.5}}"),
        (
            Op::Resting(Channel::TIME_DILATION, 4.0),
            "{\"resting_scale\":{\"channel\":\"time_dilation\",\"value\":4.0}}",
        ),
        (Op::HitFreeze(ms(80)), "{\"hit_freeze_ns\":80000000}"),
        (Op::Hitstop(3, 0.1), "{\"hitstop\":{\"frames\":3,\"intensity\":0.1}}"),
        (Op::FastForward(300), "{\"fast_forward\":300}"),
        (Op::Tick(7_200), "{\"tick\":7200}"),
        (Op::GoAway, "{\"go_away\":true}"),
        (Op::Reset(None), "{\"reset\":{\"kind\":\"new_game\"}}"),
        (
            Op::ResetFrameTiming(Some(ms(532))),
            "{\"reset\":{\"kind\":\"frame_timing\",\"last_frame_ns\":532000000}}",
        ),
    ] {
        for profile in [Profile::Starship, Profile::FixedTimeStep, Profile::GameLoop, Profile::Evenstep] {
            let ops = [frame.clone(), frame.clone(), op.clone(), frame.clone()];
            let (_, trace) = record(profile.pacing(), &ops);
            let lines: Vec<&str> = trace.lines().skip(1).collect();
            let frames = ["{\"frame_ns\":516000000}", "{\"frame_ns\":532000000}", "{\"frame_ns\":548000000}"];
            assert_eq!(lines, [frames[0], frames[1], line, frames[2]], "{} and {op:?}", profile.name());
        }
    }
    let paused = [frame.clone(), Op::Gate(Gate::Paused), frame.clone(), Op::Step(2), frame.clone()];
    assert!(record(Pacing::hz(60), &paused).1.contains("\n{\"step\":2}\n"));
    let slower = [frame.clone(), Op::Pacing(Box::new(Pacing::hz(30))), frame];
    assert!(
        record(Pacing::hz(60), &slower).1.contains("\n{\"pacing\":{\"rate\":{\"ticks\":30,\"seconds\":1},")
    );
}

#[test]
fn a_bad_value_of_version_2_is_named() {
    for (line, part) in [
        ("{\"gate\":\"shut\"}", "expected a gate: `open`, `paused`, `menu`, found `shut`"),
        ("{\"gate\":{\"open\":null}}", "invalid type: map, expected a string"),
        ("{\"scale\":{\"channel\":\"speed\",\"value\":1}}", "expected a channel: `time_dilation`"),
        ("{\"presented\":[1,2]}", "\"presented\" cannot be an array"),
        ("{\"presented\":{\"frame_ns\":1}}", "missing field `at_ns`"),
        (
            "{\"pacing\":{\"rate\":{\"ticks\":0}}}",
            "expected `rate` to be a rate that the pacer supports, found 0 ticks",
        ),
        ("{\"pacing\":{\"start_phase\":1}}", "expected `start_phase` to be 0 or more and below 1, found 1"),
        (
            "{\"pacing\":{\"channels\":{\"juice\":{\"min\":2,\"max\":1,\"resting\":1}}}}",
            "expected `juice` to be a range",
        ),
        ("{\"pacing\":{\"speed\":1}}", "unknown field `speed`"),
        ("{\"pacing\":{\"rate\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"excess\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"effects\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"start_phase\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"display_lock\":null}}", "invalid type: null"),
        ("{\"pacing\":{\"channels\":null}}", "invalid type: null"),
        (
            "{\"pacing\":{\"channels\":{\"juice\":{\"min\":0,\"max\":1,\"resting\":1},\"juice\":{\"min\":0,\"max\":2,\"resting\":1}}}}",
            "duplicate channel `juice`",
        ),
        ("{\"state\":\"00\"}", "not a saved pacer: 1 bytes"),
        ("{\"state\":\"xy\"}", "hexadecimal"),
        ("{\"go_away\":false}", "expected true, found false"),
        ("{\"frame_ns\":-1}", "invalid value: integer `-1`, expected u64"),
        ("{\"frame_ns\":1,\"gate\":\"open\"}", "unknown field `gate`"),
        ("{\"gate\":\"open\",\"step\":1}", "expected"),
        ("{\"frame_ms\":1}", "unknown variant `frame_ms`"),
        ("{\"time_scale\":1}", "unknown variant `time_scale`"),
        ("{}", "expected"),
    ] {
        let trace = format!("{{\"trace\":2}}\n{line}\n");
        let error =
            Reader::open(trace.as_bytes()).expect("a header").next().expect("a line").expect_err(line);
        let text = error.to_string();
        assert!(text.starts_with("line 2: expected") && text.contains(part), "{line}: {text}");
    }
    for (header, part) in [
        ("{\"trace\":3,\"profile\":\"evenstep\"}", "expected trace format 1 or 2, found 3"),
        ("{\"trace\":2,\"start_ms\":1}", "unknown field `start_ms`"),
        ("{\"trace\":1,\"profile\":\"evenstep\",\"pacing\":{}}", "unknown field `pacing`"),
        ("{\"trace\":2,\"pacing\":{\"draw_rate\":{\"ticks\":1,\"seconds\":0}}}", "expected `draw_rate`"),
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
        let mut pacer = Pacer::new(Pacing::hz(60));
        let mut recorder = Recorder::new(Full(room), &pacer);
        for n in 0..600 {
            recorder.frame(&mut pacer, Rate::hz(60).time_of(n));
        }
        let mut unrecorded = Pacer::new(Pacing::hz(60));
        (0..600).for_each(|n| _ = unrecorded.frame(Rate::hz(60).time_of(n)));
        assert_eq!(pacer, unrecorded, "{room} bytes");
        assert!(matches!(recorder.error(), Some(Error::Write(_))), "{room} bytes");
        assert!(recorder.finish().is_err());
    }
}

#[test]
fn every_line_of_the_document_is_read() {
    let text = include_str!("../../../docs/trace.md");
    let (_, rest) = text.split_once("## Version 2").expect("a chapter");
    let (chapter, _) = rest.split_once("## Version 1").expect("the next chapter");
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
    assert_eq!(replay(&indented.join("\n")).len(), 2);
    assert_eq!(names.len(), 18, "every control but the state, and the frame: {names:?}");
}
