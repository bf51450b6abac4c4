//! Laws of the guide: all of its code is compiled, its game is the one in `examples/pong`, and its quotes are true.

use std::fs;
use std::path::{Path, PathBuf};

use evenstep_trace::Replay;
use guide::PAGES;

const PONG: &str = "examples/pong";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A fenced block: the line that opens it without the fence, and its text without its indentation.
#[derive(Debug)]
struct Block {
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let text = read(&format!("docs/guide/{page}"));
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let inside = lines.by_ref().take_while(|line| line.trim_start() != "```");
        let text = inside.map(|line| line.get(indent..).unwrap_or_default().to_owned() + "\n").collect();
        blocks.push(Block { info: info.to_owned(), text });
    }
    blocks
}

#[test]
fn every_page_of_the_guide_is_tested() {
    let folder = fs::read_dir(root().join("docs/guide")).expect("the guide");
    let mut files: Vec<String> = folder
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .filter(|name| name.rsplit('.').next() == Some("md"))
        .collect();
    let mut tested = PAGES.to_vec();
    files.sort();
    tested.sort_unstable();
    assert_eq!(files, tested, "tools/guide/src/lib.rs lists the pages");
}

#[test]
fn a_block_that_the_doc_tests_leave_out_is_part_of_a_file_that_is_compiled() {
    let compiled = read(&format!("{PONG}/src/main.rs"));
    let mut left_out = 0;
    for page in PAGES {
        for block in blocks(page) {
            let is_rust = block.info.split(',').next() == Some("rust");
            if !is_rust || !block.info.contains("ignore") {
                continue;
            }
            left_out += 1;
            assert!(compiled.contains(&block.text), "{page}: not in {PONG}/src/main.rs:\n{}", block.text);
        }
    }
    assert!(left_out >= 2, "the game and its tests");
}

#[test]
fn the_first_game_has_every_line_of_the_finished_project() {
    let blocks = blocks("first-game.md");
    let all = |info: &str| {
        let texts: Vec<&str> =
            blocks.iter().filter(|it| it.info == info).map(|it| it.text.as_str()).collect();
        texts.join("\n")
    };
    assert_eq!(all("rust,ignore"), read(&format!("{PONG}/src/main.rs")));
    let manifest = read(&format!("{PONG}/Cargo.toml"));
    for line in all("toml").lines() {
        let here = line.replace("../evenstep/crates", "../../crates");
        assert!(manifest.contains(&here), "{PONG}/Cargo.toml lacks {here}");
    }
}

#[test]
fn every_link_of_the_guide_leads_to_a_file_and_a_heading() {
    for page in PAGES {
        let path = root().join("docs/guide").join(page);
        let text = fs::read_to_string(&path).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            assert!(target.exists(), "{page} links to {link}, which is not there");
            if !heading.is_empty() {
                let text = fs::read_to_string(&target).expect("a page");
                let headings: Vec<String> =
                    text.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
                assert!(headings.iter().any(|it| it == heading), "{page}: no #{heading} in {headings:?}");
            }
        }
    }
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = title.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[test]
fn the_sample_trace_has_the_decisions_that_the_page_quotes() {
    let trace = read("docs/guide/stutter.jsonl");
    let replay = Replay::open(trace.as_bytes()).expect("a header");
    let explained: Vec<String> = replay.map(|frame| frame.expect("a line").explain().to_string()).collect();
    let page = read("docs/guide/stutter.md");
    let quotes: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(r#"{"frame":"#)).collect();
    assert_eq!(quotes.len(), 3, "{quotes:?}");
    for quote in quotes {
        let (frame, explain) = quote.split_once(r#",...,"explain":""#).expect("a frame and its explanation");
        let frame: usize = frame.parse().expect("a number");
        assert_eq!(explain.trim_end_matches(r#""}"#), explained[frame]);
    }
}
