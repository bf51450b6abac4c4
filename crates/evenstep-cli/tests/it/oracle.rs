//! An independent, simple implementation of the Starship profile: phases, mission timer, overtime, resets.

use evenstep_cli::trace::output::Style;
use evenstep_cli::trace::{Show, run};

const STEP_S: f64 = 1.0 / 60.0;

#[derive(Default)]
struct Oracle {
    last_ms: f64,
    accumulator: f64,
    tick: i64,
    time_s: f64,
    ui_s: f64,
    phase: String,
    mission: Option<(f64, bool)>,
    overtime: bool,
    overtime_s: f64,
}

impl Oracle {
    fn new() -> Self {
        Self { phase: "playing".into(), ..Self::default() }
    }

    fn frame(&mut self, at_ms: f64) -> &'static str {
        let elapsed = ((at_ms - self.last_ms) / 1000.0).max(0.0);
        self.last_ms = at_ms;
        if elapsed > 0.2 {
            self.accumulator = 0.0;
            return "stalled";
        }
        let raw_dt = elapsed.min(0.033);
        if self.phase == "menu" {
            return "menu";
        }
        self.ui_s += raw_dt;
        self.accumulator = (self.accumulator + raw_dt).min(0.25);
        let mut steps = 0;
        while self.accumulator >= STEP_S && steps < 4 {
            self.accumulator -= STEP_S;
            steps += 1;
            self.step();
        }
        "ran"
    }

    fn step(&mut self) {
        self.tick += 1;
        self.time_s += STEP_S;
        if self.phase != "playing" {
            return;
        }
        if self.overtime {
            self.overtime_s += STEP_S;
        } else if let Some((timer, false)) = &mut self.mission {
            *timer -= STEP_S;
            if *timer <= 1e-9 {
                *timer = 0.0;
                self.overtime = true;
            }
        }
    }
}

#[test]
fn phases_mission_overtime_and_resets_are_as_in_the_original() {
    let mut random = 0x1234_5678_9ABC_DEF1_u64;
    let mut below = move |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % bound
    };
    for trace in 0..200 {
        let mut oracle = Oracle::new();
        let mut lines = vec!["{\"trace\":1,\"profile\":\"starship\"}".to_owned()];
        let mut wanted = Vec::new();
        let mut now_us = 0;
        for _ in 0..400 {
            match below(40) {
                0 => {
                    oracle.phase = ["menu", "birth", "playing", "playing", "dead"][below(5) as usize].into();
                    lines.push(format!("{{\"phase\":\"{}\"}}", oracle.phase));
                }
                1 => {
                    let (timer_s, bypass) = (below(40) as f64 / 10.0, below(3));
                    oracle.mission = Some((timer_s, bypass > 0));
                    (oracle.overtime, oracle.overtime_s) = (false, 0.0);
                    let (sandbox, boss_room) = (bypass == 1, bypass == 2);
                    lines.push(format!(
                        "{{\"mission\":{{\"timer_s\":{timer_s},\"sandbox\":{sandbox},\"boss_room\":{boss_room}}}}}"
                    ));
                }
                2 if below(4) == 0 => {
                    oracle = Oracle::new();
                    lines.push("{\"reset\":\"new_game\"}".into());
                }
                3 if below(4) == 0 => {
                    (oracle.last_ms, oracle.accumulator) = (0.0, 0.0);
                    lines.push("{\"reset\":\"frame_timing\"}".into());
                }
                _ => {}
            }
            now_us += if below(50) == 0 { below(400_000) } else { 15_000 + below(4_000) };
            let at_ms = now_us as f64 / 1e3;
            lines.push(format!("{{\"frame_ms\":{at_ms}}}"));
            let outcome = oracle.frame(at_ms);
            let timer = oracle.mission.map_or(0.0, |(timer, _)| timer);
            let state = [oracle.tick as f64, oracle.time_s, oracle.ui_s, timer, oracle.overtime_s];
            wanted.push((outcome, state, oracle.overtime));
        }
        let mut output = Vec::new();
        run(lines.join("\n").as_bytes(), &mut output, Show::Frames(Style::JSON)).expect("the trace is good");
        let output = String::from_utf8(output).expect("text");
        for (n, (line, wanted)) in output.lines().zip(&wanted).enumerate() {
            let row = serde_json::from_str(line).expect("JSON");
            check(&row, wanted, &format!("trace {trace}, frame {n}"));
        }
    }
}

/// Compares a row of output with the oracle's outcome, numbers and overtime.
fn check(row: &serde_json::Value, (outcome, state, overtime): &(&'static str, [f64; 5], bool), at: &str) {
    assert_eq!(row["outcome"], *outcome, "{at}");
    let tick = row["tick"].as_f64().expect("a number");
    assert!((tick - state[0]).abs() <= 1.0, "{at}: tick {tick}, wanted {}", state[0]);
    // An exact tie moves a step by a frame, and with it what is counted in steps.
    if tick == state[0] {
        assert_eq!(row["overtime"], *overtime, "{at}");
        for (name, wanted) in ["tick", "time_s", "ui_s", "mission_timer_s", "overtime_s"].iter().zip(state) {
            let actual = row[*name].as_f64().expect("a number");
            assert!((actual - wanted).abs() < 1e-6, "{at}: {name} {actual}, wanted {wanted}");
        }
    }
}
