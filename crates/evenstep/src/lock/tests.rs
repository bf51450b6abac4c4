//! Invariants of the lock. How well it paces is measured in the lab.

extern crate std;

use std::vec::Vec;

use super::lattice::root;
use super::*;

const SECOND_NS: u64 = 1_000_000_000;

/// A local generator, so that the traces below never change.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Uniform within plus or minus `range`.
    fn around(&mut self, range: i64) -> i64 {
        (self.next() % (2 * range as u64 + 1)).cast_signed() - range
    }
}

/// Elapsed times on a display at `hz` whose timestamps are off by up to `noise_ns`.
fn noisy(hz: f64, noise_ns: i64, frames: usize, seed: u64) -> Vec<u64> {
    let mut random = Random(seed);
    let mut last = SECOND_NS.cast_signed();
    (1..=frames)
        .map(|i| {
            let noise = if noise_ns == 0 { 0 } else { random.around(noise_ns) };
            let now = (SECOND_NS.cast_signed() + (i as f64 * 1e9 / hz) as i64 + noise).max(last);
            let elapsed = now - last;
            last = now;
            elapsed as u64
        })
        .collect()
}

fn is_locked(lock: &Lock) -> bool {
    matches!(lock.state(), LockState::Locked { .. })
}

/// Arbitrary input in runs: quiet frames, zeros, stalls, absences, the largest number.
fn anything(seed: u64, frames: usize) -> Vec<u64> {
    let mut random = Random(seed);
    let mut kind = 0;
    let mut base = 16_666_667;
    (0..frames)
        .map(|_| {
            if random.next().is_multiple_of(50) {
                kind = random.next() % 8;
                base = 1 + random.next() % 80_000_000;
            }
            match kind {
                0 => base,
                1 => base + random.next() % 1_000_000,
                2 => base + random.next() % (base + 1),
                3 => 0,
                4 => random.next() % 400_000_000,
                5 => random.next() >> (random.next() % 64),
                6 => base * (1 + random.next() % 3),
                _ => [0, 1, ABSENCE_NS, ABSENCE_NS + 1, u64::MAX, u64::MAX - 1][(random.next() % 6) as usize],
            }
        })
        .collect()
}

#[test]
fn any_sequence_keeps_the_state_finite_and_the_accounting_exact() {
    for seed in 1..200 {
        let mut lock = Lock::new();
        lock.hint(seed * 100_000);
        let mut withheld = 0_i128;
        let mut random = Random(seed);
        for (i, elapsed) in anything(seed, 5_000).into_iter().enumerate() {
            let follow = RateLock { step_ns: 1e9 / 60.0, pending_ns: (i % 16) as f64 * 1e6 };
            let advance = lock.advance(elapsed, (seed % 2 == 0).then_some(follow));
            withheld += i128::from(elapsed) - i128::from(advance);
            if seed % 3 == 0 {
                let ago = [0, elapsed, random.next() % 100_000_000][(random.next() % 3) as usize];
                let at =
                    [16_666_667, random.around(1_000_000_000), -(ago as i64)][(random.next() % 3) as usize];
                lock.presented(ago, at);
            }
            assert_eq!(
                withheld,
                i128::from(lock.held_ns()) + i128::from(lock.forfeited_ns()),
                "seed {seed}, frame {i}"
            );
            assert!(lock.held_ns().abs() < 500_000_000, "seed {seed}, frame {i}: held {}", lock.held_ns());
            if let Some(lattice) = &lock.lattice {
                let belief = lattice.belief.iter().sum::<f64>();
                assert!(belief > 0.1 && belief < 1.001, "seed {seed}, frame {i}: belief {belief}");
                for value in [
                    lattice.phase_ns,
                    lattice.noise,
                    lattice.naive,
                    lattice.burst,
                    lattice.missed,
                    lattice.late,
                ] {
                    assert!(value.is_finite(), "seed {seed}, frame {i}: {lattice:?}");
                }
                assert!(PERIODS_NS.contains(&lattice.period_ns), "seed {seed}, frame {i}: {lattice:?}");
                assert!(0.0 < lattice.gone && lattice.gone < 1.0, "seed {seed}, frame {i}: {lattice:?}");
            }
        }
    }
}

#[test]
fn a_quiet_display_locks_within_75_frames() {
    for hz in [24.0, 30.0, 50.0, 59.94, 60.0, 75.0, 90.0, 120.0, 144.0, 165.0, 240.0, 360.0, 500.0] {
        let mut lock = Lock::new();
        for elapsed in noisy(hz, 0, 75, 1) {
            lock.advance(elapsed, None);
        }
        let LockState::Locked { refresh_hz } = lock.state() else { panic!("{hz} Hz: {:?}", lock.state()) };
        assert!((refresh_hz / hz - 1.0).abs() < 1e-6, "{hz} Hz: {refresh_hz}");
    }
}

#[test]
fn strong_noise_at_240_hz_locks_within_10_s() {
    for seed in 1..20 {
        let mut lock = Lock::new();
        let locked = noisy(240.0, 2_600_000, 2_400, seed).into_iter().position(|elapsed| {
            lock.advance(elapsed, None);
            is_locked(&lock)
        });
        assert!(locked.is_some(), "seed {seed}");
    }
}

#[test]
fn before_the_lock_time_passes_through() {
    let mut lock = Lock::new();
    for elapsed in noisy(60.0, 300_000, 40, 3) {
        assert_eq!(lock.advance(elapsed, None), elapsed);
    }
}

#[test]
fn a_locked_frame_is_within_five_percent_of_a_refresh() {
    let mut lock = Lock::new();
    for (i, elapsed) in noisy(60.0, 2_000_000, 20_000, 4).into_iter().enumerate() {
        let advance = lock.advance(elapsed, None) as f64;
        if i > 200 {
            assert!((advance * 60e-9 - 1.0).abs() < 0.05, "frame {i}: {advance}");
        }
    }
}

#[test]
fn withheld_time_is_returned_when_the_noise_ends() {
    for hz in [30.0, 60.0, 144.0, 240.0] {
        let mut lock = Lock::new();
        for elapsed in noisy(hz, 1_500_000, 3_000, 5) {
            lock.advance(elapsed, None);
        }
        assert!(is_locked(&lock), "{hz} Hz");
        for _ in 0..3_000 {
            lock.advance((1e9 / hz) as u64, None);
        }
        assert!(lock.held_ns().abs() < 1_000, "{hz} Hz: {}", lock.held_ns());
    }
}

#[test]
fn a_missed_refresh_is_two_refreshes_at_once() {
    let mut lock = Lock::new();
    for i in 0..1_000_u64 {
        let refreshes = if i % 97 == 96 { 2 } else { 1 };
        let advance = lock.advance(refreshes * 16_666_667, None) as f64;
        if i > 100 {
            assert!((advance - refreshes as f64 * 16_666_667.0).abs() < 2_000.0, "frame {i}: {advance}");
        }
    }
}

#[test]
fn a_late_wake_up_is_one_refresh() {
    let mut lock = Lock::new();
    for i in 0..1_000_u64 {
        let late = if i % 97 == 50 { 6_000_000 } else { 0 };
        let caught_up = if i % 97 == 51 { 6_000_000 } else { 0 };
        let advance = lock.advance(16_666_667 + late - caught_up, None) as f64;
        if i > 300 {
            assert!((advance - 16_666_667.0).abs() < 2_000.0, "frame {i}: {advance}");
        }
    }
}

#[test]
fn a_stall_of_300_ms_keeps_the_lock() {
    let mut lock = Lock::new();
    for (i, elapsed) in noisy(60.0, 200_000, 2_000, 6).into_iter().enumerate() {
        let stall = if i % 400 == 399 { 18 * 16_666_667 } else { 0 };
        let advance = lock.advance(elapsed + stall, None);
        assert!(i < 100 || is_locked(&lock), "frame {i}");
        assert!(advance.abs_diff(elapsed + stall) < 10_000_000, "frame {i}");
    }
}

#[test]
fn an_absence_passes_through_and_starts_over() {
    let mut lock = Lock::new();
    for elapsed in noisy(60.0, 0, 100, 1) {
        lock.advance(elapsed, None);
    }
    assert!(is_locked(&lock));
    assert_eq!(lock.advance(u64::MAX, None), u64::MAX);
    assert_eq!(lock.state(), LockState::Searching);
}

#[test]
fn variable_refresh_is_free_and_passes_through() {
    let mut lock = Lock::new();
    let mut random = Random(8);
    let mut interval = 12_000_000_i64;
    for i in 0..5_000 {
        interval = (interval + random.around(600_000)).clamp(8_000_000, 20_000_000);
        assert_eq!(lock.advance(interval as u64, None), interval as u64, "frame {i}");
    }
    assert_eq!(lock.state(), LockState::Free);
}

#[test]
fn another_refresh_rate_is_followed_at_once_and_locked_soon() {
    for (from, to) in [(60.0, 144.0), (144.0, 60.0), (60.0, 75.0), (60.0, 120.0), (144.0, 30.0), (60.0, 59.0)]
    {
        let mut lock = Lock::new();
        for elapsed in noisy(from, 100_000, 600, 9) {
            lock.advance(elapsed, None);
        }
        assert!(is_locked(&lock), "{from} Hz");
        for (i, elapsed) in noisy(to, 100_000, 400, 10).into_iter().enumerate() {
            let advance = lock.advance(elapsed, None);
            assert!(
                i < 20 || advance.abs_diff(elapsed) < 2_000_000,
                "{from} to {to} Hz, frame {i}: {advance}"
            );
        }
        let LockState::Locked { refresh_hz } = lock.state() else {
            panic!("{from} to {to} Hz: {:?}", lock.state())
        };
        assert!((refresh_hz / to - 1.0).abs() < 1e-3, "{from} to {to} Hz: {refresh_hz}");
    }
}

/// From timestamps, a display that halves its rate is the same as a game that does.
#[test]
fn half_the_rate_stays_locked() {
    for hz in [60.0, 120.0, 240.0] {
        let mut lock = Lock::new();
        let full = noisy(hz, 100_000, 600, 9);
        let half = noisy(hz / 2.0, 100_000, 900, 10);
        for (i, elapsed) in full.iter().chain(&half).chain(&full).copied().enumerate() {
            lock.advance(elapsed, None);
            assert!(i < 75 || is_locked(&lock), "{hz} Hz, frame {i}: {:?}", lock.state());
        }
    }
}

/// Intervals of a game that takes these refreshes for its frames.
fn patterned(hz: f64, refreshes: &[u64], noise_ns: i64, frames: usize, seed: u64) -> Vec<u64> {
    let mut random = Random(seed);
    let mut refresh = 0;
    let mut last = 0;
    (0..frames)
        .map(|i| {
            refresh += refreshes[i % refreshes.len()];
            let at = (refresh as f64 * 1e9 / hz) as i64 + SECOND_NS as i64 + random.around(noise_ns);
            let elapsed = at - core::mem::replace(&mut last, at);
            elapsed as u64
        })
        .skip(1)
        .collect()
}

#[test]
fn a_pattern_of_missed_refreshes_locks_onto_the_refresh() {
    let patterns: [&[u64]; 7] =
        [&[1, 2], &[2, 3], &[1, 1, 2], &[3, 4], &[1, 4], &[1, 2, 3, 4], &[1, 1, 1, 1, 1, 1, 2]];
    for refreshes in patterns {
        for (hz, noise_ns) in [(60.0, 0), (60.0, 500_000), (144.0, 0), (144.0, 500_000)] {
            let mut lock = Lock::new();
            for elapsed in patterned(hz, refreshes, noise_ns, 1_000, 14) {
                lock.advance(elapsed, None);
            }
            let LockState::Locked { refresh_hz } = lock.state() else {
                panic!("{refreshes:?} at {hz} Hz: {:?}", lock.state())
            };
            assert!((refresh_hz / hz - 1.0).abs() < 1e-3, "{refreshes:?} at {hz} Hz: {refresh_hz}");
        }
    }
}

#[test]
fn a_variable_refresh_passes_through_until_the_host_says_otherwise() {
    let mut lock = Lock::new();
    lock.set_variable(true);
    for elapsed in noisy(60.0, 300_000, 300, 15) {
        assert_eq!(lock.advance(elapsed, None), elapsed);
        assert_eq!(lock.state(), LockState::Free);
    }
    lock.set_variable(false);
    for elapsed in noisy(60.0, 300_000, 300, 16) {
        lock.advance(elapsed, None);
    }
    assert!(is_locked(&lock));
    lock.set_variable(true);
    assert_eq!(lock.state(), LockState::Free);
}

#[test]
fn a_hint_of_another_display_ends_the_lock_and_the_same_one_does_not() {
    let mut lock = Lock::new();
    lock.hint(16_666_667);
    for elapsed in noisy(60.0, 100_000, 300, 17) {
        lock.advance(elapsed, None);
        lock.hint(16_666_667);
    }
    assert!(is_locked(&lock));
    lock.hint(6_944_444);
    assert!(!is_locked(&lock));
}

#[test]
fn feedback_fits_the_lattice_to_what_was_shown() {
    // Slow, strong noise, which a fit to timestamps would follow.
    let noise_ns = |n: i64| (n % 40 - 20).abs() * 50_000;
    let stamp = |n: i64| SECOND_NS as i64 + n * 16_666_667 + noise_ns(n);
    let worst_ns = |has_feedback: bool| {
        let mut lock = Lock::new();
        let mut worst = 0.0_f64;
        for n in 1..2_000 {
            let elapsed = stamp(n) - stamp(n - 1);
            let advance = lock.advance(elapsed as u64, None);
            if has_feedback {
                lock.presented(0, 20_000_000 - noise_ns(n));
            }
            if n > 200 {
                worst = worst.max((advance as f64 - 16_666_667.0).abs());
            }
        }
        worst
    };
    assert!(worst_ns(true) < 0.25 * worst_ns(false), "{} {}", worst_ns(true), worst_ns(false));
}

#[test]
fn a_hint_locks_sooner_and_a_wrong_one_does_no_harm() {
    let frames_to_lock = |hint: Option<u64>| {
        let mut lock = Lock::new();
        if let Some(period_ns) = hint {
            lock.hint(period_ns);
        }
        noisy(60.0, 300_000, 200, 11).into_iter().position(|elapsed| {
            lock.advance(elapsed, None);
            is_locked(&lock)
        })
    };
    let without = frames_to_lock(None);
    assert!(frames_to_lock(Some(16_666_667)) < without);
    assert_eq!(frames_to_lock(Some(6_944_444)), without);
    assert_eq!(frames_to_lock(Some(0)), without);
    assert_eq!(frames_to_lock(Some(u64::MAX)), without);
}

#[test]
fn the_rate_lock_runs_one_step_a_frame_at_59_94_hz_and_accounts_for_the_difference() {
    let step_ns = 1e9 / 60.0;
    let mut lock = Lock::new();
    let mut pending = step_ns * 7.0 / 8.0;
    let mut alpha = 0.0;
    for (i, elapsed) in noisy(59.94, 300_000, 36_000, 12).into_iter().enumerate() {
        pending += lock.advance(elapsed, Some(RateLock { step_ns, pending_ns: pending })) as f64;
        let steps = (pending / step_ns) as u32;
        pending -= f64::from(steps) * step_ns;
        alpha = pending / step_ns;
        assert!(i < 200 || steps == 1, "frame {i}: {steps} steps at {alpha}");
    }
    assert!((alpha - RateLock::PARK).abs() < 0.01, "{alpha}");
    // 0.1 % of ten minutes.
    assert!((lock.forfeited_ns() - 600_000_000).abs() < 10_000_000, "{}", lock.forfeited_ns());
}

#[test]
fn the_rate_lock_leaves_other_rates_alone() {
    let mut plain = Lock::new();
    let mut following = Lock::new();
    for elapsed in noisy(75.0, 300_000, 2_000, 13) {
        let follow = RateLock { step_ns: 1e9 / 60.0, pending_ns: 0.0 };
        assert_eq!(plain.advance(elapsed, None), following.advance(elapsed, Some(follow)));
    }
    assert_eq!(following.forfeited_ns(), 0);
}

#[test]
fn nothing_drifts_however_long_it_runs() {
    // The state contains no absolute time: after a million frames it is as precise as after a thousand.
    let mut lock = Lock::new();
    let mut shown = 0_u64;
    let mut elapsed_sum = 0_u64;
    for elapsed in noisy(59.94, 300_000, 1_000_000, 14) {
        shown += lock.advance(elapsed, None);
        elapsed_sum += elapsed;
    }
    assert!(shown.abs_diff(elapsed_sum) < 1_000_000, "{}", shown.abs_diff(elapsed_sum));
}

#[test]
fn the_square_root_is_accurate_to_two_parts_per_million() {
    let mut square = 1e-3;
    while square < 1e25 {
        let error = root(square) / square.sqrt() - 1.0;
        assert!(error.abs() < 2e-6, "{square}: {error}");
        square *= 1.007;
    }
    assert!(root(0.0) < 1e-100);
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<Lock>() <= 512, "{} bytes", size_of::<Lock>());
}

/// Renew: run the test and copy the value it prints. Same value on x86-64, aarch64 and wasm32.
#[test]
fn decisions_are_the_same_everywhere() {
    let mut lock = Lock::new();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for elapsed in (1..20)
        .flat_map(|seed| [noisy(60.0 + seed as f64, 700_000, 500, seed), anything(seed, 500)])
        .flatten()
    {
        hash = (hash ^ lock.advance(elapsed, None)).wrapping_mul(0x0100_0000_01B3);
    }
    assert_eq!(hash, 0xD054_5537_61CC_160B, "{hash:#018X}");
}
