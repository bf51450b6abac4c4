//! `evenstep trace` on recordings: it prints the decisions that were recorded.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use evenstep::{Channel, Excess, Frame, Gate, Pacer, Pacing, Rate};
use evenstep_trace::Recorder;
use serde_json::Value;

use crate::errors::feed;

/// Two seconds of an unsteady display, in which the game uses most commands.
fn record(pacing: Pacing) -> (Vec<(Frame, u64)>, String) {
    let mut pacer = Recorder::new(Vec::new(), Pacer::new(pacing));
    let mut frames = Vec::new();
    for n in 0..120_u64 {
        match n {
            10 => pacer.hit_freeze(Duration::from_millis(50)),
            20 => pacer.set_scale(Channel::JUICE, 0.3),
            30 => pacer.set_scale(Channel::JUICE, 1.0),
            40 => pacer.set_gate(Gate::Paused),
            44 => pacer.step_by_hand(2),
            50 => pacer.set_gate(Gate::Open),
            60 => pacer.hitstop(5, 0.1),
            70 => pacer.set_pacing(pacer.pacing().with_rate(Rate::hz(120)).with_draw_rate(Rate::hz(30))),
            80 => pacer.suspend(),
            90 => pacer.fast_forward(3),
            // A frame whose timestamp is no number is no frame.
            100 => _ = pacer.frame_millis(f64::NAN),
            _ => {}
        }
        let late = if n == 110 { Duration::from_millis(700) } else { Duration::ZERO };
        let shake = Duration::from_micros(n * 7_919 % 900);
        let now = Rate::hz(60).time_of(n) + shake + late;
        frames.push((pacer.frame(now), pacer.tick()));
    }
    let file = pacer.finish().expect("memory");
    (frames, String::from_utf8(file).expect("text"))
}

#[test]
fn a_recording_prints_the_recorded_decisions_bit_for_bit() {
    let own = Pacing::hz(50).with_excess(Excess::Drain).with_steps_max(3);
    for pacing in [Pacing::hz(60), own, Pacing::starship(), Pacing::fixed_time_step(), Pacing::game_loop()] {
        let (frames, trace) = record(pacing);
        assert!(trace.starts_with("{\"trace\":2,"), "{trace}");
        let output = feed(&["trace", "--explain", "-"], trace.as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        assert_eq!(rows.len(), frames.len(), "the skipped frame has no row");
        for (n, (row, (frame, tick))) in rows.iter().zip(&frames).enumerate() {
            let what = format!("frame {n}: {row}");
            assert_eq!(row["frame"].as_u64(), Some(n as u64), "{what}");
            assert_eq!(row["steps"].as_u64(), Some(frame.steps().into()), "{what}");
            assert_eq!(row["tick"].as_u64(), Some(*tick), "{what}");
            assert_eq!(row["alpha"].as_f64(), Some(frame.alpha()), "{what}");
            assert_eq!(row["render"].as_bool(), Some(frame.should_draw()), "{what}");
            let seconds = |time: Duration| Some(time.as_nanos() as f64 / 1e9);
            assert_eq!(row["raw_dt_s"].as_f64(), seconds(frame.raw_dt()), "{what}");
            assert_eq!(row["dropped_s"].as_f64(), seconds(frame.dropped()), "{what}");
            assert_eq!(row["explain"].as_str(), Some(frame.explain().to_string().as_str()), "{what}");
        }
        let outcomes = |name: &str| rows.iter().filter(|row| row["outcome"] == name).count();
        for outcome in ["ran", "frozen", "paused"] {
            assert!(outcomes(outcome) > 0, "no frame is {outcome}");
        }
        let ledger = feed(&["trace", "--ledger", "-"], trace.as_bytes());
        assert!(String::from_utf8_lossy(&ledger.stdout).contains("\"balanced\":true"));
    }
}

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/recorded.trace.jsonl")
}

/// Writes the recording whose decisions are a golden.
pub(crate) fn renew() {
    fs::write(golden(), record(Pacing::hz(60)).1).expect("the golden can be written");
}

/// Renew: cargo xtask golden.
#[test]
fn a_recording_is_written_as_the_golden_one() {
    assert_eq!(fs::read_to_string(golden()).expect("the golden"), record(Pacing::hz(60)).1);
}
