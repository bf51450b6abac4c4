//! Laws of the search for harm.

use evenstep_lab::program::harm::{Case, Verdict};

use super::printed;

/// A line of the output: harm, ours and plain in us, and the arguments that repeat the session.
fn parse(line: &str) -> ([f64; 3], String) {
    let (numbers, run) = line.split_once('"').expect("quoted arguments");
    let mut cells = numbers.split(',');
    let us = [(); 3].map(|()| cells.next().expect("a number").parse().expect("a number"));
    let seed = cells.nth(2).expect("a seed");
    let (run, _) = run.split_once('"').expect("quoted arguments");
    (us, format!("{run} --seed {seed}"))
}

#[test]
fn every_line_is_a_harmful_session_the_worst_first_and_can_be_repeated_with_run() {
    // Timestamps cannot tell this display from one with a fixed refresh and noise.
    let text = printed("harm --seconds 10 --seed 5 --seeds 1 --family cap+gauss-0.3,none");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("harm_us,evenstep_us,plain_us,family,hz,seed,run,exception"));
    let lines: Vec<_> = lines.map(parse).collect();
    assert!(!lines.is_empty());
    assert!(lines.windows(2).all(|pair| pair[0].0[0] >= pair[1].0[0]), "{text}");
    let ([harm, ours, plain], run) = &lines[0];
    assert!((harm - (ours - plain - (0.05 * plain).max(5.0))).abs() < 0.2, "{text}");
    let table = printed(&format!("run {run} --seconds 10"));
    assert!(table.contains(&format!(" {ours:.1} ")) && table.contains(&format!(" {plain:.1} ")), "{table}");
}

#[test]
fn harm_begins_above_5_us_or_5_percent_of_plain_whichever_is_larger() {
    for (plain_us, ours_us, is_harm) in [
        (0.0, 5.0, false),
        (0.0, 5.1, true),
        (99.0, 104.0, false),
        (1000.0, 1050.0, false),
        (1000.0, 1051.0, true),
        (1000.0, 0.0, false),
    ] {
        assert_eq!(Verdict { plain_us, ours_us }.harm_us() > 0.0, is_harm, "{ours_us} and {plain_us}");
    }
}

#[test]
fn mixtures_differ_and_the_same_seed_is_the_same_mixture() {
    let cases: Vec<Case> = (0..100).map(Case::mixture).collect();
    for (seed, case) in cases.iter().enumerate() {
        assert_eq!(case, &Case::mixture(seed as u64));
    }
    let mut arguments: Vec<_> = cases.iter().map(|case| &case.arguments).collect();
    arguments.sort_unstable();
    arguments.dedup();
    assert!(arguments.len() > 90, "{} different mixtures", arguments.len());
    let words = "harm --seconds 5 --mixtures 20";
    assert_eq!(printed(words), printed(words));
}
