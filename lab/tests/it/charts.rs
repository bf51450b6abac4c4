//! Laws of the charts: well-formed, small, labelled, legible in light and dark mode.

use std::fs;

use roxmltree::Document;

use super::{folder, printed};

fn drawn(words: &str, name: &str) -> String {
    let file = folder("charts").join(name);
    printed(&format!("run {words} --svg {}", file.display()));
    fs::read_to_string(file).expect("the picture is there")
}

#[test]
fn every_chart_is_well_formed_small_and_labelled() {
    for (n, words) in [
        "--display 60 --noise gauss:0.3ms --seconds 20",
        "--display 144 --policy all --seconds 20",
        "--display 59.94 --missed 50% --late 50% --noise uniform:100ms --policy all --seconds 20",
        "--display 60 --stall-every 1s --seconds 20",
        "--display 60 --vrr breathe:20ms --seconds 20",
        "--display 60,144 --switch 1s --noise burst:0ms:100ms --stall-every 1s --missed 90% --clock 100ms --seconds 20",
        "--display 1000 --seconds 5",
        "--display 10 --seconds 5",
        "--display 240 --noise gauss:0.3ms --seconds 600 --policy all",
    ]
    .into_iter()
    .enumerate()
    {
        let text = drawn(words, &format!("{n}.svg"));
        assert!(text.len() < 150_000, "{words}: {} bytes", text.len());
        let picture = Document::parse(&text).unwrap_or_else(|error| panic!("{words}: {error}"));
        let texts: Vec<&str> = picture.descendants().filter_map(|node| node.text()).collect();
        for label in ["(ms)", "judder RMS", "µs", "steps a frame", "off pattern", "0 s", "highest bar"] {
            assert!(texts.iter().any(|text| text.contains(label)), "{words}: no {label}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{words}");
        assert!(text.contains("prefers-color-scheme:dark"), "{words}");
    }
}

#[test]
fn nothing_is_drawn_outside_of_the_card() {
    let text =
        drawn("--display 60 --noise gauss:100ms --late 50% --stall-every 1s --seconds 20", "inside.svg");
    let picture = Document::parse(&text).expect("well-formed");
    let root = picture.root_element();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap_or("0").parse().expect("a number")
    };
    let width = number(root, "width");
    let height = number(root, "height");
    for node in root.descendants().filter(roxmltree::Node::is_element) {
        for (name, limit) in
            [("x", width), ("x1", width), ("x2", width), ("y", height), ("y1", height), ("y2", height)]
        {
            assert!((0.0..=limit).contains(&number(node, name)), "{node:?}");
        }
        assert!(number(node, "x") + number(node, "width") <= width, "{node:?}");
        assert!(number(node, "y") + number(node, "height") <= height, "{node:?}");
    }
}

#[test]
fn the_same_seed_draws_the_same_bytes() {
    let words = "--display 60 --noise gauss:0.3ms --seconds 10 --seed 3";
    assert_eq!(drawn(words, "once.svg"), drawn(words, "again.svg"));
}
