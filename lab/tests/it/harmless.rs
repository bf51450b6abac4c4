//! The law that the display lock does no harm, and what the host must say where timestamps cannot tell.

use std::collections::BTreeSet;

use evenstep_lab::display::Refresh;
use evenstep_lab::host::Host;
use evenstep_lab::program::family::{FAMILIES, Family, Group, HARM_RATES_HZ};
use evenstep_lab::program::harm::{Case, Verdict};
use evenstep_lab::program::parallel;

const SEED: u64 = 92_001;
const SECONDS: f64 = 60.0;
const MIXTURES: u64 = 2_000;

/// All displays of some families, at all rates.
fn cases(is_wanted: impl Fn(&Family) -> bool) -> Vec<Case> {
    let families = FAMILIES.iter().filter(|family| is_wanted(family));
    families.flat_map(|family| HARM_RATES_HZ.map(|hz| Case::of(family, hz, SEED))).collect()
}

/// The sessions in which the lock does harm, in words.
fn harmful(cases: &[Case]) -> Vec<String> {
    let verdicts = parallel::map(cases, |case| case.play(SECONDS));
    let harmful = cases.iter().zip(verdicts).filter(|(_, verdict)| verdict.harm_us() > 0.0);
    harmful.map(|(case, verdict)| words(case, &verdict)).collect()
}

fn words(case: &Case, verdict: &Verdict) -> String {
    let Verdict { ours_us, plain_us } = verdict;
    format!("{ours_us:.1} us, plain {plain_us:.1} us: run {} --seed {}", case.arguments, case.seed)
}

fn assert_harmless(cases: &[Case]) {
    assert_harm_at_most(0, cases);
}

fn assert_harm_at_most(limit: usize, cases: &[Case]) {
    assert!(!cases.is_empty());
    let harmful = harmful(cases);
    assert!(harmful.len() <= limit, "{} of {} sessions:\n{}", harmful.len(), cases.len(), harmful.join("\n"));
}

/// The sessions of the families that are known to be worse: patterns that change, 20 % late, a pause at 360 Hz.
const HARM_OF_FAMILIES: usize = 5;
/// One mixture in forty is worse: most have patterns and many late frames, or a rate that changes.
const MIXTURES_PER_HARM: usize = 38;

#[test]
fn five_of_two_thousand_sessions_are_worse_than_plain_where_timestamps_can_tell() {
    let mut cases = cases(|_| true);
    cases.retain(|case| case.exception().is_none());
    assert!(cases.len() > 2_000);
    assert_harm_at_most(HARM_OF_FAMILIES, &cases);
}

#[test]
fn one_random_mixture_in_forty_is_worse_than_plain_where_timestamps_can_tell() {
    let mut cases: Vec<Case> = (SEED..SEED + MIXTURES).map(Case::mixture).collect();
    cases.retain(|case| case.exception().is_none());
    assert!(cases.len() as u64 > MIXTURES * 4 / 5);
    assert_harm_at_most(cases.len() / MIXTURES_PER_HARM, &cases);
}

#[test]
fn with_the_hosts_word_a_variable_refresh_is_as_good_as_with_plain() {
    let mut cases = cases(|family| family.group == Group::Variable);
    for case in &mut cases {
        case.host.is_variable = true;
    }
    assert_harmless(&cases);
}

#[test]
fn with_the_hosts_word_a_change_of_rate_is_as_good_as_with_plain() {
    let mut cases = cases(|family| matches!(family.display(60.0).refresh, Refresh::Switching { .. }));
    for case in &mut cases {
        case.host.tells_refresh = true;
    }
    assert_harmless(&cases);
}

#[test]
fn every_exception_is_needed_and_the_hosts_word_for_a_variable_refresh_ends_it() {
    let mut cases = cases(|family| family.group == Group::Variable || family.group == Group::Hard);
    cases.retain(|case| case.exception().is_some());
    let reasons = |cases: &[Case]| cases.iter().filter_map(Case::exception).collect::<BTreeSet<_>>();
    let all = reasons(&cases);
    assert!(all.len() >= 4, "{all:?}");
    for reason in all {
        let excepted: Vec<Case> =
            cases.iter().filter(|case| case.exception() == Some(reason)).cloned().collect();
        assert!(!harmful(&excepted).is_empty(), "no harm in any case of: {reason}");
    }
    let told = Host { is_variable: true, ..Host::default() };
    assert!(cases.into_iter().all(|case| Case { host: told, ..case }.exception().is_none()));
}
