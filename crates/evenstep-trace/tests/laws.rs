//! Laws of the format: what is written reads back, and everything else is an error that names its line.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Duration;

use evenstep_trace::{
    Controls, Error, Header, Hitstop, LINE_BYTES_MAX, Line, Mission, Phase, Profile, Reader, Reset, SetFps,
    Writer,
};
use proptest::prelude::*;

const HEADER: &str = "{\"trace\":1,\"profile\":\"evenstep\"}";

fn read(trace: &[u8]) -> Result<(Header, Vec<Line>), Error> {
    let reader = Reader::open(trace)?;
    let header = reader.header().clone();
    Ok((header, reader.collect::<Result<_, _>>()?))
}

fn timestamps(trace: &str) -> Vec<f64> {
    let (_, lines) = read(trace.as_bytes()).expect("a good trace");
    let at_ms = |line: &Line| match line {
        Line::Frame { at_ms, .. } => Some(*at_ms),
        Line::Controls(_) | Line::Control(_) => None,
    };
    lines.iter().filter_map(at_ms).collect()
}

fn any_profile() -> impl Strategy<Value = Profile> {
    prop::sample::select(vec![
        Profile::Starship,
        Profile::FixedTimeStep,
        Profile::GameLoop,
        Profile::Evenstep,
    ])
}

fn any_header() -> impl Strategy<Value = Header> {
    (any_profile(), any::<Option<bool>>(), any::<f64>()).prop_map(|(profile, display_lock, start_ms)| {
        let mut header = Header::new(profile);
        header.display_lock = display_lock;
        header.start_ms = start_ms;
        header
    })
}

/// Generates controls with valid and invalid values, for any profile.
fn any_controls() -> impl Strategy<Value = Controls> {
    let number = || prop::option::weighted(0.2, prop_oneof![3 => 0.0..100.0, 1 => any::<f64>()]);
    let scales = (number(), number(), number(), number(), number(), number(), number());
    let words = (
        prop::option::weighted(0.2, prop::sample::select(vec![Reset::FrameTiming, Reset::NewGame])),
        prop::option::weighted(
            0.2,
            prop::sample::select(vec![Phase::Menu, Phase::Birth, Phase::Playing, Phase::Dead]),
        ),
        any::<(bool, bool, u32)>(),
        prop::option::weighted(0.3, any::<bool>()),
        prop::option::weighted(0.3, any::<u32>()),
    );
    (scales, words, number(), number(), number()).prop_map(|(scales, words, timer, render, intensity)| {
        let (reset, phase, (sandbox, boss_room, frames), pause, step) = words;
        let mut controls = Controls::default();
        (controls.time_dilation, controls.level_speed, controls.juice) = (scales.0, scales.1, scales.2);
        (controls.test_speed, controls.hit_freeze_s, controls.invert_s) = (scales.3, scales.4, scales.5);
        (controls.time_scale, controls.reset, controls.phase) = (scales.6, reset, phase);
        controls.mission = timer.map(|timer_s| Mission { timer_s, sandbox, boss_room });
        controls.set_fps = render.map(|render| SetFps { render, fixed: timer });
        controls.hitstop = intensity.map(|intensity| Hitstop { frames, intensity });
        (controls.pause, controls.step) = (pause, step);
        controls
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_header_is_refused_or_reads_back(header in any_header()) {
        match Writer::new(Vec::new(), &header) {
            Ok(writer) => {
                let file = writer.finish().expect("memory");
                prop_assert_eq!(read(&file).expect("what was written").0, header);
            }
            Err(error) => {
                prop_assert!(!header.start_ms.is_finite());
                prop_assert!(error.to_string().starts_with("line 1: expected `start_ms`"));
            }
        }
    }

    #[test]
    fn controls_are_refused_or_read_back(profile in any_profile(), controls in any_controls()) {
        let mut writer = Writer::new(Vec::new(), &Header::new(profile)).expect("memory");
        let refused = writer.controls(&controls).err().map(|error| error.to_string());
        let lines = read(&writer.finish().expect("memory")).expect("what was written").1;
        match refused {
            None => prop_assert_eq!(lines, [Line::Controls(Box::new(controls))]),
            Some(error) => {
                prop_assert!(lines.is_empty());
                prop_assert!(error.starts_with("line 2: expected"), "{}", error);
            }
        }
    }

    #[test]
    fn a_timestamp_is_refused_or_reads_back_to_the_last_bit(at_ms: f64) {
        let mut writer = Writer::new(Vec::new(), &Header::new(Profile::Evenstep)).expect("memory");
        let is_written = writer.frame_millis(at_ms).is_ok();
        prop_assert_eq!(is_written, at_ms.is_finite());
        let file = String::from_utf8(writer.finish().expect("memory")).expect("text");
        prop_assert_eq!(timestamps(&file).first().map(|at| at.to_bits()), is_written.then_some(at_ms.to_bits()));
    }

    #[test]
    fn a_duration_reads_back_to_the_nanosecond(at_ns in 0..1_u64 << 50) {
        let mut writer = Writer::new(Vec::new(), &Header::new(Profile::Evenstep)).expect("memory");
        writer.frame(Duration::from_nanos(at_ns)).expect("memory");
        let file = String::from_utf8(writer.finish().expect("memory")).expect("text");
        prop_assert_eq!((timestamps(&file)[0] * 1e6).round() as u64, at_ns);
    }

    #[test]
    fn any_bytes_are_lines_or_an_error_with_a_line_number(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for trace in [bytes.clone(), [HEADER.as_bytes(), b"\n", &bytes].concat()] {
            if let Err(error) = read(&trace) {
                let is_named = matches!(error, Error::Line { number, .. } if number >= 1);
                prop_assert!(is_named);
            }
        }
    }
}

#[test]
fn the_longest_duration_can_be_written() {
    let mut writer = Writer::new(Vec::new(), &Header::new(Profile::Evenstep)).expect("memory");
    writer.frame(Duration::MAX).expect("memory");
    assert!(read(&writer.finish().expect("memory")).is_ok());
}

#[test]
fn crlf_blank_lines_and_a_missing_final_newline_are_accepted() {
    let trace = format!("\r\n{HEADER}\r\n\n \t\n{{\"frame_ms\":1}}\r\n\r\n  {{\"frame_ms\":2}}");
    assert_eq!(timestamps(&trace), [1.0, 2.0]);
}

#[test]
fn an_array_or_object_in_place_of_another_value_is_an_error() {
    for (line, name) in [
        ("{\"mission\":[90,false,false]}", "`mission` cannot be an array"),
        ("{\"phase\":{\"menu\":null}}", "`phase` cannot be an object"),
        ("{\"pause\":true,\"reset\":{\"new_game\":null}}", "`reset` cannot be an object"),
    ] {
        let trace = format!("{{\"trace\":1,\"profile\":\"starship\"}}\n{line}\n");
        let error = read(trace.as_bytes()).expect_err(line).to_string();
        assert_eq!(error, format!("line 2: expected a frame or a control of starship: {name}"));
    }
    let error = read(b"{\"trace\":1,\"profile\":{\"starship\":null}}").expect_err("no header");
    assert!(error.to_string().ends_with("`profile` cannot be an object"), "{error}");
}

#[test]
fn nothing_is_read_after_a_bad_line() {
    let trace = format!("{HEADER}\n{{\"frame_ms\":1}}\n\n{{}}\n{{\"frame_ms\":2}}\n");
    let mut reader = Reader::open(trace.as_bytes()).expect("a good header");
    assert!(reader.next().expect("a line").is_ok());
    assert!(matches!(reader.next(), Some(Err(Error::Line { number: 4, .. }))));
    assert!(reader.next().is_none() && reader.next().is_none());
}

#[test]
fn an_error_escapes_control_and_invisible_characters() {
    for (line, shown) in [("\x1b[2Jx", r"`\u{1b}[2Jx`"), ("\u{feff}{}", r"`\u{feff}{}`")] {
        let error = Reader::open(line.as_bytes()).expect_err("no header").to_string();
        assert!(error.contains(shown) && !error.contains(line), "{error:?}");
    }
    let hidden = "{\"trace\":1,\"profile\":\"a\\u001b[2Jb\"}";
    let error = Reader::open(hidden.as_bytes()).expect_err("no header").to_string();
    assert!(!error.contains('\x1b'), "{error:?}");
}

#[test]
fn a_line_of_the_maximum_length_is_read_and_a_longer_one_is_refused() {
    let frame = |length: usize| {
        let line = "{\"frame_ms\":1}\n";
        format!("{HEADER}\n{}{line}", " ".repeat(length - line.len()))
    };
    assert_eq!(timestamps(&frame(LINE_BYTES_MAX)), [1.0]);
    let error = read(frame(LINE_BYTES_MAX + 1).as_bytes()).expect_err("a line too long");
    assert_eq!(error.to_string(), "line 2: expected a line of 1048576 bytes at most, found a longer one");
}

/// An endless input that counts how many bytes were read.
struct Endless<'a>(&'a Cell<usize>);

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(b'x');
        self.0.set(self.0.get() + buffer.len());
        Ok(buffer.len())
    }
}

#[test]
fn an_endless_line_is_refused_at_the_limit() {
    let taken = Cell::new(0);
    assert!(Reader::open(BufReader::new(Endless(&taken))).is_err());
    assert!(taken.get() < 2 * LINE_BYTES_MAX, "{} bytes", taken.get());
}

#[test]
fn a_read_error_differs_from_a_bad_line_and_keeps_its_cause() {
    #[derive(Debug)]
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    impl BufRead for Broken {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Err(io::Error::other("unplugged"))
        }
        fn consume(&mut self, _: usize) {}
    }
    let error = Reader::open(Broken).expect_err("no input");
    assert!(matches!(error, Error::Read(_)));
    let cause = std::error::Error::source(&error).expect("a cause");
    assert_eq!(format!("{error}: {cause}"), "the trace cannot be read: unplugged");
    assert_eq!(format!("{error:?}"), "the trace cannot be read: unplugged", "what `main` prints");
}
