//! An independent, simple implementation of the original Starship loop, in seconds: limits, menu and resets.

use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{Show, run};

const STEP_S: f64 = 1.0 / 60.0;

#[derive(Default)]
struct Oracle {
    last_ms: f64,
    accumulator: f64,
    tick: i64,
    is_in_menu: bool,
}

impl Oracle {
    fn frame(&mut self, at_ms: f64) -> &'static str {
        let elapsed = ((at_ms - self.last_ms) / 1000.0).max(0.0);
        self.last_ms = at_ms;
        if elapsed > 0.2 {
            self.accumulator = 0.0;
            return "stalled";
        }
        let raw_dt = elapsed.min(0.033);
        if self.is_in_menu {
            return "menu";
        }
        self.accumulator = (self.accumulator + raw_dt).min(0.25);
        let mut steps = 0;
        while self.accumulator >= STEP_S && steps < 4 {
            self.accumulator -= STEP_S;
            steps += 1;
            self.tick += 1;
        }
        "ran"
    }
}

#[test]
fn stalls_limits_menus_and_resets_are_as_in_the_original() {
    let mut random = 0x1234_5678_9ABC_DEF1_u64;
    let mut below = move |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % bound
    };
    for trace in 0..200 {
        let mut oracle = Oracle::default();
        let reset = |kind| format!("{{\"reset\":{{\"kind\":\"{kind}\",\"last_frame_ns\":0}}}}");
        let mut lines = vec!["{\"trace\":2,\"profile\":\"starship\"}".to_owned(), reset("new_game")];
        let mut wanted = Vec::new();
        let mut now_us = 0;
        for _ in 0..400 {
            match below(40) {
                0 => {
                    oracle.is_in_menu = below(4) == 0;
                    let gate = if oracle.is_in_menu { "menu" } else { "open" };
                    lines.push(format!("{{\"gate\":\"{gate}\"}}"));
                }
                1 if below(4) == 0 => {
                    oracle = Oracle::default();
                    lines.push(reset("new_game"));
                }
                2 if below(4) == 0 => {
                    oracle.last_ms = 0.0;
                    oracle.accumulator = 0.0;
                    lines.push(reset("frame_timing"));
                }
                _ => {}
            }
            now_us += if below(50) == 0 { below(400_000) } else { 15_000 + below(4_000) };
            lines.push(format!("{{\"frame_ns\":{}}}", now_us * 1_000));
            wanted.push((oracle.frame(now_us as f64 / 1e3), oracle.tick));
        }
        let mut output = Vec::new();
        run(lines.join("\n").as_bytes(), &mut output, Show::Frames(Style::JSON)).expect("the trace is good");
        let output = String::from_utf8(output).expect("text");
        assert_eq!(output.lines().count(), wanted.len());
        for (n, (line, (outcome, tick))) in output.lines().zip(wanted).enumerate() {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(row["outcome"], outcome, "trace {trace}, frame {n}");
            // An exact tie moves a step by a frame.
            let off = row["tick"].as_i64().expect("a number") - tick;
            assert!(off.abs() <= 1, "trace {trace}, frame {n}: tick {}, wanted {tick}", row["tick"]);
        }
    }
}
