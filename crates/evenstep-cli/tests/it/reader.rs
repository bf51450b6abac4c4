//! Laws of the trace reader: for any bytes it returns output or an error with a line number, and never panics.

use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{Error, Show, run};
use proptest::prelude::*;

fn play(bytes: &[u8], show: Show) -> (Result<(), Error>, String) {
    let mut output = Vec::new();
    let result = run(bytes, &mut output, show);
    (result, String::from_utf8(output).expect("the output is text"))
}

const FRAMES: Show = Show::Frames(Style { csv: false, explain: true });

fn any_line() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<f64>().prop_map(|n| n.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        (0..2_000_u32).prop_map(|n| format!("{n}.25")),
        Just("1e308".to_owned()),
        Just("-0".to_owned()),
    ];
    let name = prop::sample::select(vec![
        "step",
        "hit_freeze_ns",
        "fast_forward",
        "tick",
        "refresh_ns",
        "steps_done_ns",
        "draw_done_ns",
        "suspend",
        "gate",
    ]);
    let scale = (any_name(), number.clone())
        .prop_map(|(name, n)| format!("{{\"{name}\":{{\"channel\":\"time_dilation\",\"value\":{n}}}}}"));
    let hitstop = (0..9_u8, number.clone())
        .prop_map(|(steps, n)| format!("{{\"hitstop\":{{\"frames\":{steps},\"intensity\":{n}}}}}"));
    let at_ns = prop_oneof![(0..9_000_000_000_u64).prop_map(|n| n.to_string()), number.clone()];
    prop_oneof![
        6 => at_ns.prop_map(|n| format!("{{\"frame_ns\":{n}}}")),
        4 => (name, number).prop_map(|(name, n)| format!("{{\"{name}\":{n}}}")),
        2 => scale,
        1 => hitstop,
        1 => ".*",
    ]
}

fn any_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["scale", "resting_scale"])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_output_or_a_named_line(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (result, _) = play(&bytes, FRAMES);
        if let Err(error) = result {
            let is_named = matches!(error, Error::Line { number, .. } if number >= 1);
            prop_assert!(is_named);
        }
    }

    #[test]
    fn numbers_come_out_as_they_went_in(value in 0.0..1e6_f64) {
        let scale = format!("{{\"scale\":{{\"channel\":\"time_dilation\",\"value\":{value}}}}}");
        let (_, row) = play(format!("{{\"trace\":2}}\n{scale}\n{{\"frame_ns\":1}}\n").as_bytes(), FRAMES);
        prop_assert!(row.contains(&format!("\"time_scale\":{value},")), "{}", row);
    }

    #[test]
    fn any_lines_keep_alpha_in_range_and_the_ledger_balanced_up_to_the_bad_one(
        profile in prop::sample::select(vec!["starship", "fixed-time-step", "game-loop", "evenstep"]),
        lines in prop::collection::vec(any_line(), 0..60),
    ) {
        let header = format!("{{\"trace\":2,\"profile\":\"{profile}\"}}\n");
        let mut good = header;
        for line in lines {
            let longer = format!("{good}{line}\n");
            if play(longer.as_bytes(), FRAMES).0.is_ok() {
                good = longer;
            }
        }
        let (_, frames) = play(good.as_bytes(), FRAMES);
        for frame in frames.lines() {
            let row: serde_json::Value = serde_json::from_str(frame).expect("each line is a JSON object");
            let alpha = row["alpha"].as_f64().expect("alpha is a number");
            prop_assert!((0.0..1.0).contains(&alpha));
            if row["outcome"] != "ran" {
                prop_assert_eq!(&row["dt_s"], 0);
            }
        }
        let (_, ledger) = play(good.as_bytes(), Show::Ledger);
        prop_assert!(ledger.contains("\"balanced\":true"), "{}", ledger);
    }
}
