//! The matrix of families, rates and seeds, with each session under every policy.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use evenstep_lab::metrics::Report;
use evenstep_lab::policy::Policy;
use evenstep_lab::session::Session;

use super::family::{Family, RATES_HZ};
use super::progress::Progress;

/// The sessions and policies to play.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Families of displays; each is played at all [`RATES_HZ`].
    pub families: Vec<&'static Family>,
    /// Policies to run on each session.
    pub policies: Vec<Policy>,
    /// Seeds, one session each.
    pub seeds: std::ops::Range<u64>,
    /// Length of a session, in seconds.
    pub seconds: f64,
}

/// The result of one session under one policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The display's family.
    pub family: &'static Family,
    /// The display's rate.
    pub hz: f64,
    /// The session's seed.
    pub seed: u64,
    /// The policy.
    pub policy: Policy,
    /// Metrics of the motion.
    pub report: Report,
}

impl Matrix {
    /// Plays all sessions on all cores. The order of the entries does not depend on the number of cores.
    ///
    /// # Panics
    ///
    /// If a session panics.
    pub fn play(&self) -> Vec<Entry> {
        let mut sessions = Vec::new();
        for &family in &self.families {
            for hz in RATES_HZ {
                sessions.extend(self.seeds.clone().map(|seed| (family, hz, seed)));
            }
        }
        let progress = Progress::new(sessions.len() as u64, "sessions");
        let next = AtomicUsize::new(0);
        let played = Mutex::new(vec![Vec::new(); sessions.len()]);
        let work = || {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(family, hz, seed)) = sessions.get(n) else { return };
                let session = Session::of(&family.display(hz), self.seconds, seed);
                let entry = |&policy: &Policy| Entry {
                    family,
                    hz,
                    seed,
                    policy,
                    report: session.under(policy).report,
                };
                let entries: Vec<Entry> = self.policies.iter().map(entry).collect();
                played.lock().expect("no session panics")[n] = entries;
                progress.advance();
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
                scope.spawn(work);
            }
        });
        progress.finish();
        played.into_inner().expect("no session panics").concat()
    }
}
