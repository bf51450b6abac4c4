//! Decides which crate caused a panic on damaged bytes.

use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the checksum at the end of a snapshot.
const CHECKSUM: usize = 8;

/// Replaces the checksum of damaged bytes with a matching one.
pub(crate) fn seal(bytes: &mut Vec<u8>) {
    bytes.truncate(bytes.len().saturating_sub(CHECKSUM));
    bytes.extend(xxh3_64(bytes).to_le_bytes());
}

thread_local! {
    static IS_JUDGING: Cell<bool> = const { Cell::new(false) };
    static PANIC: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

struct Panic {
    place: String,
    message: String,
    is_elsewhere: bool,
}

/// Crates whose panics we cannot prevent, as they appear in paths and symbols.
const ELSEWHERE: [&str; 5] = ["rapier2d", "parry2d", "nalgebra", "glamx", "simba"];

/// Runs a closure on damaged bytes. Returns the location of a panic inside a third-party crate as an error.
///
/// # Panics
///
/// If the closure panicked in our code, or in the standard library called from our code.
pub(crate) fn judge<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_JUDGING.get() {
                return print(info);
            }
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let culprit = if place.contains("/library/") { caller() } else { place.clone() };
            let is_elsewhere = ELSEWHERE.iter().any(|name| culprit.contains(name));
            PANIC.set(Some(Panic { place, message: info.to_string(), is_elsewhere }));
        }));
    });
    IS_JUDGING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    IS_JUDGING.set(false);
    result.map_err(|_| match PANIC.take() {
        Some(Panic { place, is_elsewhere: true, .. }) => place,
        Some(Panic { message, .. }) => panic!("panic in our own code: {message}"),
        None => panic!("panic without a location"),
    })
}

/// Returns the caller of the standard library: the first line of the backtrace with a known symbol.
fn caller() -> String {
    let backtrace = Backtrace::force_capture().to_string();
    let known = ELSEWHERE.iter().chain(&["evenstep", "evenstep_rapier", "starship_sim"]);
    let symbols: Vec<_> = known.map(|name| format!("{name}::")).collect();
    let names_one = |line: &&str| symbols.iter().any(|symbol| line.contains(symbol));
    backtrace.lines().find(names_one).unwrap_or_default().to_owned()
}
