//! The page itself: every test that it cites exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Collects the names of all functions in the Rust files below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            functions(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).expect("a readable text file");
            let names = text.split("fn ").skip(1);
            found.extend(names.map(|it| it.split(['(', '<']).next().unwrap_or_default().to_owned()));
        }
    }
}

/// The names in backticks in the last column of every table whose last column is headed "test".
fn cited(page: &str) -> BTreeSet<&str> {
    let mut in_table = false;
    let mut names = BTreeSet::new();
    for line in page.lines() {
        in_table = line.starts_with('|') && (in_table || line.ends_with("| test |"));
        let last_column = line.trim_end_matches(" |").rsplit(" | ").next().filter(|_| in_table);
        let spans = last_column.unwrap_or_default().split('`').skip(1).step_by(2);
        names.extend(spans.filter(|it| it.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')));
    }
    names
}

#[test]
fn every_test_that_the_origins_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The published package contains neither the page nor the other crates.
    let Ok(page) = fs::read_to_string(root.join("docs/origins.md")) else { return };
    let mut found = BTreeSet::new();
    for folder in ["crates", "starship"] {
        functions(&root.join(folder), &mut found);
    }
    let cited = cited(&page);
    assert!(cited.len() > 80, "{} names", cited.len());
    let missing: Vec<_> = cited.into_iter().filter(|&name| !found.contains(name)).collect();
    assert!(missing.is_empty(), "no such test: {missing:#?}");
}
