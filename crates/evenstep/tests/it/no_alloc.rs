//! Proves with a counting allocator that nothing allocates.

use std::time::Duration;

use crate::commands::{Random, pacings};
use crate::judge::{Act, Judge};
use evenstep::{InputLatch, Interpolated, Latching, Pacer, Pacing};

#[test]
fn frames_controls_input_and_statistics_never_allocate() {
    let counted = allocation_counter::measure(|| {
        let mut pacer = Pacer::new(Pacing::hz(60));
        let mut input: InputLatch<u64, 32> = InputLatch::new(Latching::ByTime);
        let mut x = Interpolated::new([0.0_f32; 2]);
        for n in 0..10_000 {
            let now = Duration::from_micros(n * 6_944);
            let _ = input.push(now, n);
            let frame = pacer.frame(now);
            for tick in frame.ticks() {
                while input.take(&frame, tick).is_some() {}
                x.advance([tick as f32, 0.0]);
            }
            let _ = x.at(frame.alpha());
            pacer.steps_done(now + Duration::from_micros(50));
            pacer.draw_done(now + Duration::from_micros(90));
            let _ = (pacer.stats().frame_time(0.99), pacer.ledger().is_balanced());
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn no_fuzzed_action_allocates() {
    let counted = allocation_counter::measure(|| {
        let mut random = Random(77);
        for pacing in pacings() {
            let mut judge = Judge::new(pacing);
            for _ in 0..20_000 {
                judge.act(match random.below(10) {
                    0 => Act::At(random.next()),
                    1 => Act::AtMillis(f64::from_bits(random.next())),
                    2..5 => Act::Tell(judge.any_command(&mut random)),
                    _ => Act::Later(random.below(60_000_000)),
                });
            }
        }
    });
    assert_eq!(counted.count_total, 0);
}
