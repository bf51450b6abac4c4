//! The matrix of families, rates and seeds, with each session under every policy.

use evenstep_cli::progress::Progress;

use super::family::Family;
use super::parallel;
use crate::metrics::Report;
use crate::policy::Policy;

/// The sessions and policies to play.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Families of displays.
    pub families: Vec<&'static Family>,
    /// The rates to play each family at.
    pub rates_hz: Vec<f64>,
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
            for &hz in &self.rates_hz {
                sessions.extend(self.seeds.clone().map(|seed| (family, hz, seed)));
            }
        }
        let progress = Progress::new(sessions.len() as u64, "sessions");
        let entries = parallel::map(&sessions, |&(family, hz, seed)| {
            let session = family.session(hz, self.seconds, seed);
            let report = |&policy: &Policy| {
                let report = session.under(policy).report;
                Entry { family, hz, seed, policy, report }
            };
            let entries: Vec<Entry> = self.policies.iter().map(report).collect();
            progress.advance();
            entries
        });
        progress.finish();
        entries.concat()
    }
}
