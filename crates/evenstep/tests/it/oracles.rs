//! Differential tests: plain float versions of the three original loops against ours.
//!
//! They differ from the originals only where those are undefined: a timestamp before the last counts as no time,
//! and wall time has a separate variable instead of being recovered from scaled time, which is 0/0 at scale 0.

use std::time::Duration;

use crate::commands::Random;
use evenstep::{Channel, Gate, Outcome, Pacer, Pacing, Rate, WallTimer};

const TRACES: u64 = 3_000;
const FRAMES: u64 = 400;
const STEP_S: f64 = 1.0 / 60.0;
const MICROSECOND_S: f64 = 1e-6;

/// The original Starship loop.
#[derive(Default)]
struct StarshipOracle {
    last_ms: f64,
    accumulator: f64,
    sim_frame: i64,
    menu: bool,
    hit_freeze: f64,
    invert: f64,
    dilation: f64,
    level: f64,
    juice: f64,
    test_speed: f64,
    ui_s: f64,
}

impl StarshipOracle {
    fn tick(&mut self, timestamp_ms: f64) -> Outcome {
        let elapsed = ((timestamp_ms - self.last_ms) / 1000.0).max(0.0);
        self.last_ms = timestamp_ms;
        if elapsed > 0.2 {
            self.accumulator = 0.0;
            return Outcome::Stalled;
        }
        let raw_dt = elapsed.min(0.033);
        if self.menu {
            return Outcome::Menu;
        }
        self.invert = (self.invert - raw_dt).max(0.0);
        self.ui_s += raw_dt;
        if self.hit_freeze > 0.0 {
            self.hit_freeze -= raw_dt;
            // Ends within a nanosecond, the resolution of our timers.
            if self.hit_freeze <= 1e-10 {
                self.hit_freeze = 0.0;
                self.dilation = if self.test_speed == 0.0 { 1.0 } else { self.test_speed };
            }
            return Outcome::Frozen;
        }
        let sim_rate = self.dilation * self.level * self.juice.clamp(0.1, 1.0);
        let steps_max = f64::max(4.0, (sim_rate * 4.0).ceil());
        self.accumulator = (self.accumulator + raw_dt * sim_rate).min(0.25);
        let mut steps = 0.0;
        while self.accumulator >= STEP_S && steps < steps_max {
            self.accumulator -= STEP_S;
            steps += 1.0;
            self.sim_frame += 1;
        }
        if steps == steps_max && self.accumulator >= STEP_S {
            self.accumulator = 0.0;
        }
        Outcome::Ran
    }
}

#[test]
fn starship_decides_as_the_original_loop_does() {
    for seed in 1..=TRACES {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut oracle = StarshipOracle { dilation: 1.0, level: 1.0, juice: 1.0, ..Default::default() };
        let mut pacer = Pacer::new(Pacing::starship());
        let mut invert = WallTimer::default();
        pacer.reset(Duration::ZERO);
        let mut now_ns = 0;
        for n in 0..FRAMES {
            match random.below(60) {
                0 => {
                    let seconds = random.below(300) as f64 / 1000.0;
                    oracle.hit_freeze = seconds;
                    pacer.hit_freeze(Duration::from_secs_f64(seconds));
                }
                1 => {
                    let seconds = random.below(300) as f64 / 1000.0;
                    oracle.invert = seconds;
                    invert = WallTimer::start(Duration::from_secs_f64(seconds));
                }
                2 => {
                    oracle.dilation = random.below(5_000) as f64 / 1000.0;
                    pacer.set_scale(Channel::TIME_DILATION, oracle.dilation);
                }
                3 => {
                    oracle.level = random.below(2_000) as f64 / 1000.0;
                    pacer.set_scale(Channel::LEVEL_SPEED, oracle.level);
                }
                4 => {
                    oracle.juice = random.below(3_000) as f64 / 1000.0 - 1.0;
                    pacer.set_scale(Channel::JUICE, oracle.juice);
                }
                5 => {
                    oracle.test_speed = random.below(5) as f64;
                    let resting = if oracle.test_speed == 0.0 { 1.0 } else { oracle.test_speed };
                    pacer.set_resting_scale(Channel::TIME_DILATION, resting);
                }
                6 => {
                    oracle.menu = random.below(3) == 0;
                    pacer.set_gate(if oracle.menu { Gate::Menu } else { Gate::Open });
                }
                _ => {}
            }
            now_ns = next_timestamp(&mut random, seed, now_ns, 50);
            let outcome = oracle.tick(now_ns as f64 / 1e6);
            let frame = pacer.frame(Duration::from_nanos(now_ns));
            invert.advance(&frame);

            assert_eq!(frame.outcome(), outcome, "trace {seed}, frame {n}");
            assert_within_a_step(oracle.sim_frame, &pacer, seed, n);
            assert_close(pacer.freeze_left().as_secs_f64(), oracle.hit_freeze, seed, n);
            assert_close(invert.left().as_secs_f64(), oracle.invert, seed, n);
            assert_close(pacer.ui_time().as_secs_f64(), oracle.ui_s, seed, n);
            assert_eq!(pacer.channel(Channel::TIME_DILATION), oracle.dilation, "trace {seed}, frame {n}");
        }
    }
}

/// `JollyPixel`'s `FixedTimeStep`.
struct FixedTimeStepOracle {
    last_ms: f64,
    accumulated_ms: f64,
    fixed_fps: f64,
    updates: i64,
}

impl FixedTimeStepOracle {
    fn tick(&mut self, now_ms: f64) -> f64 {
        let interval_ms = 1000.0 / self.fixed_fps;
        self.accumulated_ms += (now_ms - self.last_ms).max(0.0);
        self.last_ms = now_ms;
        self.accumulated_ms = self.accumulated_ms.min(5.0 * interval_ms);
        // Five intervals hold five updates; in floats the fifth may be short by a few ulps.
        while self.accumulated_ms >= interval_ms - 1e-9 {
            self.accumulated_ms = (self.accumulated_ms - interval_ms).max(0.0);
            self.updates += 1;
        }
        self.accumulated_ms / interval_ms
    }
}

#[test]
fn fixed_time_step_decides_as_the_original_does() {
    for seed in 1..=TRACES {
        let mut random = Random(seed.wrapping_mul(0xD1B5_4A32_D192_ED03));
        let mut oracle =
            FixedTimeStepOracle { last_ms: 0.0, accumulated_ms: 0.0, fixed_fps: 60.0, updates: 0 };
        let mut pacer = Pacer::new(Pacing::fixed_time_step());
        pacer.reset(Duration::ZERO);
        let mut now_ns = 0;
        for n in 0..FRAMES {
            if random.below(80) == 0 {
                let fps = 1 + random.below(60) as u32;
                oracle.fixed_fps = f64::from(fps);
                pacer.set_pacing(pacer.pacing().with_rate(Rate::hz(fps)));
            }
            now_ns = next_timestamp(&mut random, seed, now_ns, 30);
            let interpolation = oracle.tick(now_ns as f64 / 1e6);
            let frame = pacer.frame(Duration::from_nanos(now_ns));
            assert_eq!(frame.outcome(), Outcome::Ran);
            assert_within_a_step(oracle.updates, &pacer, seed, n);
            if oracle.updates == pacer.tick().cast_signed() {
                assert!((frame.alpha() - interpolation).abs() < 1e-6, "trace {seed}, frame {n}");
            }
        }
    }
}

/// The classic `GameLoop`.
struct GameLoopOracle {
    last_s: f64,
    accumulator: f64,
    updates: i64,
    lag_spikes: u64,
    hitstop: f64,
    intensity: f64,
    time_scale: f64,
    frame_count: f64,
    fps_timer: f64,
    fps: f64,
}

impl GameLoopOracle {
    fn scale(&self) -> f64 {
        if self.hitstop > 0.0 { self.intensity } else { self.time_scale }
    }

    fn frame(&mut self, now_s: f64) -> u32 {
        let mut missed = 0;
        let elapsed = (now_s - self.last_s).max(0.0);
        let mut frame_time = elapsed;
        self.last_s = now_s;
        if frame_time > 0.25 {
            missed = (frame_time / STEP_S).floor() as u32;
            self.lag_spikes += 1;
            frame_time = 0.25;
        }
        let scaled = frame_time * self.scale();
        if self.hitstop > 0.0 {
            self.hitstop -= frame_time;
            if self.hitstop <= 1e-10 {
                self.hitstop = 0.0;
            }
        }
        self.accumulator += scaled;
        while self.accumulator >= STEP_S {
            self.updates += 1;
            self.accumulator -= STEP_S;
        }
        self.frame_count += 1.0;
        // The original divides by capped time, so the result is too high after every spike. This divides by wall time.
        self.fps_timer += elapsed;
        if self.fps_timer >= 1.0 {
            self.fps = self.frame_count / self.fps_timer;
            self.frame_count = 0.0;
            self.fps_timer = 0.0;
        }
        missed
    }
}

#[test]
fn game_loop_decides_as_the_classic_loop_does() {
    for seed in 1..=TRACES {
        let mut random = Random(seed.wrapping_mul(0xA076_1D64_78BD_642F));
        let mut oracle = GameLoopOracle {
            last_s: 0.0,
            accumulator: 0.0,
            updates: 0,
            lag_spikes: 0,
            hitstop: 0.0,
            intensity: 0.0,
            time_scale: 1.0,
            frame_count: 0.0,
            fps_timer: 0.0,
            fps: 60.0,
        };
        let mut pacer = Pacer::new(Pacing::game_loop());
        pacer.reset(Duration::ZERO);
        let mut now_ns = 0;
        for n in 0..FRAMES {
            match random.below(50) {
                0 => {
                    let steps = random.below(8) as u32;
                    oracle.intensity = random.below(10) as f64 / 20.0;
                    oracle.hitstop = f64::from(steps) * STEP_S;
                    pacer.hitstop(steps, oracle.intensity);
                }
                1 => {
                    oracle.time_scale = (random.below(3_000) as f64 / 1000.0 - 0.5).max(0.0);
                    pacer.set_scale(Channel::TIME_DILATION, oracle.time_scale);
                }
                _ => {}
            }
            now_ns = next_timestamp(&mut random, seed, now_ns, 40);
            let missed = oracle.frame(now_ns as f64 / 1e9);
            let frame = pacer.frame(Duration::from_nanos(now_ns));
            assert_eq!(frame.outcome(), Outcome::Ran);
            assert!(frame.missed().abs_diff(missed) <= 1, "trace {seed}, frame {n}");
            assert_eq!(pacer.stats().lag_spikes(), oracle.lag_spikes, "trace {seed}, frame {n}");
            assert_eq!(pacer.is_in_hitstop(), oracle.hitstop > 0.0, "trace {seed}, frame {n}");
            assert_eq!(pacer.scale(), oracle.scale(), "trace {seed}, frame {n}");
            assert_within_a_step(oracle.updates, &pacer, seed, n);
            // Without noise a second may end on an exact tie, where floats and integers differ.
            if !seed.is_multiple_of(3) {
                assert_close(pacer.stats().fps(), oracle.fps, seed, n);
            }
        }
    }
}

/// A display with the rate and noise of the trace, and occasional long gaps, repeated or earlier timestamps.
fn next_timestamp(random: &mut Random, trace: u64, now_ns: u64, gap_odds: u64) -> u64 {
    let period = [16_666_667, 6_944_444, 33_333_333, 8_333_333][trace as usize % 4];
    let noise = [2, 300_000, 2_000_000][trace as usize % 3];
    match random.below(gap_odds) {
        0 => now_ns + random.below(600_000_000),
        1 => now_ns,
        2 => now_ns.saturating_sub(random.below(20_000_000)),
        _ => now_ns + period + random.below(noise) - noise / 2,
    }
}

fn assert_within_a_step(oracle: i64, pacer: &Pacer, seed: u64, frame: u64) {
    let ours = pacer.tick() as i64;
    assert!(
        (oracle - ours).abs() <= 1,
        "trace {seed}, frame {frame}: the original ran {oracle} steps, ours {ours}"
    );
}

fn assert_close(ours: f64, oracle: f64, seed: u64, frame: u64) {
    assert!((ours - oracle).abs() < MICROSECOND_S, "trace {seed}, frame {frame}: {ours} is not {oracle}");
}
