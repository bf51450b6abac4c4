//! Work on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies a function to every item, on all cores. The order of the results does not depend on the number of cores.
///
/// # Panics
///
/// If the function panics.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(n) else { return };
            let result = work(item);
            results.lock().expect("no other thread panicked")[n] = Some(result);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let results = results.into_inner().expect("no thread panicked");
    results.into_iter().map(|result| result.expect("every item has a result")).collect()
}
