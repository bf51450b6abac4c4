//! Progress on standard error: a bar on a terminal, occasional lines elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// The number of lines without a terminal.
const LINES: u64 = 10;

/// The progress of a long job, shared by threads.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    done: Arc<AtomicU64>,
    shown: u64,
    all: u64,
    what: &'static str,
}

impl Progress {
    /// Starts at 0 of `all`.
    pub fn new(all: u64, what: &'static str) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left");
            ProgressBar::new(all)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_message(what)
        });
        Self { bar, done: Arc::default(), shown: 0, all, what }
    }

    /// The progress of reading a file, in bytes that the reader counts.
    pub fn of_bytes(all: u64, read: Arc<AtomicU64>) -> Self {
        let mut progress = Self::new(all.max(1), "bytes");
        if let Some(bar) = &progress.bar {
            let style = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}, {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        }
        progress.done = read;
        progress
    }

    /// Shows what has been counted elsewhere.
    pub fn show(&mut self) {
        let done = self.done.load(Ordering::Relaxed).min(self.all);
        let before = std::mem::replace(&mut self.shown, done);
        self.report(before, done);
    }

    /// Counts one finished item.
    pub fn advance(&self) {
        let before = self.done.fetch_add(1, Ordering::Relaxed);
        self.report(before, before + 1);
    }

    fn report(&self, before: u64, done: u64) {
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None if done * LINES / self.all != before * LINES / self.all => {
                eprintln!("{done}/{} {}", self.all, self.what);
            }
            None => {}
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
