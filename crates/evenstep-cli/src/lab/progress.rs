//! Progress on standard error: a bar on a terminal, occasional lines elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// The number of lines without a terminal.
const LINES: u64 = 10;

/// The progress of a long job, shared by threads.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    done: AtomicU64,
    all: u64,
    what: &'static str,
}

impl Progress {
    pub(super) fn new(all: u64, what: &'static str) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left");
            ProgressBar::new(all)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_message(what)
        });
        Self { bar, done: AtomicU64::new(0), all, what }
    }

    /// Counts one finished item.
    pub(super) fn advance(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if done * LINES / self.all != (done - 1) * LINES / self.all => {
                eprintln!("{done}/{} {}", self.all, self.what);
            }
            None => {}
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
