//! Laws of the report.

use std::fs;

use evenstep_lab::policy::Policy;
use evenstep_lab::program::family::FAMILIES;
use roxmltree::Document;

use super::{folder, printed};

#[test]
fn the_report_holds_every_session_and_every_policy() {
    let out = folder("report");
    let words = "compare --seconds 5 --seeds 1 --family single,switch-60+gauss-0.3,breathe-2";
    printed(&format!("{words} --out {}", out.display()));
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("the file is there");

    let csv = read("results.csv");
    let columns = csv.lines().next().expect("a head").split(',').count();
    assert_eq!(csv.lines().count(), 1 + 12 * 11 * Policy::ALL.len());
    assert!(csv.lines().all(|line| line.split(',').count() == columns));

    let report = read("report.md");
    for policy in Policy::ALL {
        assert!(report.contains(&format!("| {} |", policy.name())), "{}", policy.name());
    }
    for needle in ["| switch-60+gauss-0.3 |", "| breathe-2 |", "--seconds 5", "(overview.svg)"] {
        assert!(report.contains(needle), "{needle}");
    }
    for file in report.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        Document::parse(&read(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}

#[test]
fn the_same_seed_writes_the_same_bytes_on_any_number_of_cores() {
    let files = ["once", "again"].map(|name| {
        let out = folder(&format!("report-{name}"));
        printed(&format!(
            "compare --seconds 5 --family late,missed --policy evenstep,plain --out {}",
            out.display()
        ));
        fs::read(out.join("results.csv")).expect("the results are there")
    });
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_line_of_the_results_can_be_repeated_with_run() {
    let out = folder("report-repeat");
    printed(&format!(
        "compare --seconds 10 --seed 5 --seeds 1 --family late --policy plain --out {}",
        out.display()
    ));
    let csv = fs::read_to_string(out.join("results.csv")).expect("the results are there");
    let line = csv.lines().find(|line| line.starts_with("late,144,5,plain")).expect("the session");
    let judder: f64 = line.split(',').nth(5).expect("judder").parse().expect("a number");
    let table = printed("run --display 144 --late 1% --seconds 10 --seed 5 --policy plain");
    assert!(table.contains(&format!(" {judder:.1} ")), "{judder}: {table}");
}

#[test]
fn the_list_names_every_family_and_policy() {
    let list = printed("compare --list");
    for family in &FAMILIES {
        assert!(list.contains(family.name) && list.contains(&family.arguments(60.0)), "{}", family.name);
    }
    for policy in Policy::ALL {
        assert!(list.contains(policy.name()) && list.contains(policy.about()), "{}", policy.name());
    }
}
