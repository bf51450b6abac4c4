//! Any bytes are a trace or a named error; a trace that is played keeps its books balanced.
//!
//! Run: `cargo xtask fuzz trace`

#![no_main]

use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{Error, Show, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut output = Vec::new();
    match run(bytes, &mut output, Show::Frames(Style { csv: false, explain: true })) {
        Ok(()) => {
            let mut ledger = Vec::new();
            run(bytes, &mut ledger, Show::Ledger).expect("it was played once");
            assert!(String::from_utf8(ledger).expect("text").contains("\"balanced\":true"));
        }
        Err(Error::Line { number, .. }) => assert!(number >= 1),
        Err(error) => panic!("memory can be read and written: {error}"),
    }
});
