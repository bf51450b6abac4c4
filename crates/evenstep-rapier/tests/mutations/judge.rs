//! Who is to blame for a panic over damaged bytes.

use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the checksum at the end of a snapshot.
const CHECKSUM: usize = 8;

/// Gives damaged bytes the checksum that they would have if they had been saved so.
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

/// Crates whose panics cannot be prevented from outside, as paths and symbols name them.
const ELSEWHERE: [&str; 5] = ["rapier2d", "parry2d", "nalgebra", "glamx", "simba"];

/// Runs something on damaged bytes. An error is the place in somebody else's crate where it panicked.
///
/// # Panics
///
/// If it panicked in code of ours, or in the standard library on our behalf.
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
        Some(Panic { message, .. }) => panic!("our own: {message}"),
        None => panic!("a panic without a place"),
    })
}

/// Whose code called the standard library: the first line of the backtrace whose symbol is theirs or ours.
fn caller() -> String {
    let backtrace = Backtrace::force_capture().to_string();
    let known = ELSEWHERE.iter().chain(&["evenstep", "evenstep_rapier", "starship_sim"]);
    let symbols: Vec<_> = known.map(|name| format!("{name}::")).collect();
    let names_one = |line: &&str| symbols.iter().any(|symbol| line.contains(symbol));
    backtrace.lines().find(names_one).unwrap_or_default().to_owned()
}
