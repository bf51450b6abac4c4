//! Laws of the format: what is written reads back, and everything else is an error that names its line.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Duration;

use evenstep::Pacing;
use evenstep_trace::{Error, LINE_BYTES_MAX, Line, Reader, Writer};
use proptest::prelude::*;

const HEADER: &str = "{\"trace\":2}";

fn read(trace: &[u8]) -> Result<Vec<Line>, Error> {
    Reader::open(trace)?.collect()
}

fn timestamps(trace: &str) -> Vec<u64> {
    let lines = read(trace.as_bytes()).expect("a good trace");
    let at_ns = |line: &Line| match line {
        Line::Frame(at) => Some(at.as_nanos() as u64),
        _ => None,
    };
    lines.iter().filter_map(at_ns).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_frame_reads_back_to_the_nanosecond(at_ns: u64) {
        let mut writer = Writer::new(Vec::new(), &Pacing::hz(60)).expect("memory");
        writer.frame(Duration::from_nanos(at_ns)).expect("memory");
        let file = String::from_utf8(writer.finish().expect("memory")).expect("text");
        prop_assert_eq!(timestamps(&file), [at_ns]);
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
    let mut writer = Writer::new(Vec::new(), &Pacing::hz(60)).expect("memory");
    writer.frame(Duration::MAX).expect("memory");
    assert!(read(&writer.finish().expect("memory")).is_ok());
}

#[test]
fn crlf_blank_lines_and_a_missing_final_newline_are_accepted() {
    let trace = format!("\r\n{HEADER}\r\n\n \t\n{{\"frame_ns\":1}}\r\n\r\n  {{\"frame_ns\":2}}");
    assert_eq!(timestamps(&trace), [1, 2]);
}

#[test]
fn nothing_is_read_after_a_bad_line() {
    let trace = format!("{HEADER}\n{{\"frame_ns\":1}}\n\n{{}}\n{{\"frame_ns\":2}}\n");
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
    let hidden = "{\"trace\":2,\"profile\":\"a\\u001b[2Jb\"}";
    let error = Reader::open(hidden.as_bytes()).expect_err("no header").to_string();
    assert!(!error.contains('\x1b'), "{error:?}");
}

#[test]
fn a_line_of_the_maximum_length_is_read_and_a_longer_one_is_refused() {
    let frame = |length: usize| {
        let line = "{\"frame_ns\":1}\n";
        format!("{HEADER}\n{}{line}", " ".repeat(length - line.len()))
    };
    assert_eq!(timestamps(&frame(LINE_BYTES_MAX)), [1]);
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
