//! A judge that drives a pacer and checks every law after every act.

use std::time::Duration;

use evenstep::{Channel, DisplayLock, DropReason, Excess, Frame, Gate, Outcome, Pacer, Pacing, Rate};

/// One thing that a host or a game may do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Later(u64),
    At(u64),
    AtMillis(f64),
    Scale(u8, f64),
    Resting(u8, f64),
    Freeze(u64),
    Hitstop(u32, f64),
    Gate(u8),
    ByHand(u32),
    StepsDone(u64),
    ResetTiming(u64),
    Reset(u64),
    Pacing(usize),
}

/// How many configurations [`pacings`] has.
pub(crate) const PACINGS: usize = 10;

/// The ready-made configurations, and some that switch single limits.
pub(crate) fn pacings() -> [Pacing; PACINGS] {
    let unlimited = Pacing::game_loop().with_longest_frame(None);
    [
        Pacing::hz(60),
        Pacing::starship(),
        Pacing::fixed_time_step(),
        Pacing::game_loop(),
        Pacing::hz(30).with_stall(Duration::from_secs(1)).with_budget(Duration::from_millis(8)),
        Pacing::hz(144).with_excess(Excess::Carry).with_backlog(Duration::from_millis(100)).with_steps_max(2),
        Pacing::starship().with_rate(Rate::new(60_000, 1_001)).with_excess(Excess::Carry).with_stall(None),
        unlimited
            .with_rate(Rate::hz(1_000_000))
            .with_excess(Excess::Carry)
            .with_steps_max(3)
            .with_display_lock(DisplayLock::Follow),
        Pacing::hz(60).with_display_lock(DisplayLock::RateLock),
        unlimited.with_rate(Rate::new(1, 3_600)).with_draw_rate(Rate::hz(50)),
    ]
}

/// Drives a pacer and panics at the first broken law.
pub(crate) struct Judge {
    pacer: Pacer,
    now: u64,
    ticks: u64,
    dropped: [u128; DropReason::ALL.len()],
    pub(crate) frames: u64,
}

impl Judge {
    pub(crate) fn new(pacing: Pacing) -> Self {
        Self { pacer: Pacer::new(pacing), now: 0, ticks: 0, dropped: [0; DropReason::ALL.len()], frames: 0 }
    }

    pub(crate) fn into_pacer(self) -> Pacer {
        self.pacer
    }

    pub(crate) fn act(&mut self, act: Act) {
        let channel = |n: u8| match n {
            0 => Channel::TIME_DILATION,
            1 => Channel::LEVEL_SPEED,
            2 => Channel::JUICE,
            3 => Channel::NETWORK_NUDGE,
            n => Channel::custom(n - 4),
        };
        match act {
            Act::Later(nanos) => self.frame_at(self.now.saturating_add(nanos)),
            Act::At(nanos) => self.frame_at(nanos),
            Act::AtMillis(ms) => {
                let scale = self.pacer.scale();
                let frame = self.pacer.frame_millis(ms);
                if let Some(now) = evenstep::from_millis(ms) {
                    self.now = now.as_nanos() as u64;
                } else {
                    assert_eq!((frame.outcome(), frame.steps()), (Outcome::Skipped, 0));
                }
                self.check(&frame, scale);
            }
            Act::Scale(n, scale) => self.pacer.set_scale(channel(n), scale),
            Act::Resting(n, scale) => self.pacer.set_resting_scale(channel(n), scale),
            Act::Freeze(nanos) => self.pacer.hit_freeze(Duration::from_nanos(nanos)),
            Act::Hitstop(frames, intensity) => self.pacer.hitstop(frames, intensity),
            Act::Gate(n) => self.pacer.set_gate([Gate::Open, Gate::Paused, Gate::Menu][n as usize]),
            Act::ByHand(steps) => self.pacer.step_by_hand(steps),
            Act::StepsDone(nanos) => {
                self.pacer.steps_done(Duration::from_nanos(self.now.saturating_add(nanos)));
                self.pacer.draw_done(Duration::from_nanos(nanos));
            }
            Act::ResetTiming(nanos) => {
                self.pacer.reset_frame_timing(Duration::from_nanos(nanos));
                self.now = nanos;
            }
            Act::Reset(nanos) => {
                self.pacer.reset(Duration::from_nanos(nanos));
                (self.now, self.ticks) = (nanos, 0);
            }
            Act::Pacing(n) => self.pacer.set_pacing(pacings()[n]),
        }
        let ledger = self.pacer.ledger();
        for reason in [DropReason::Clamp, DropReason::Backlog, DropReason::Cap, DropReason::Budget] {
            assert_eq!(ledger.dropped_ns(reason), self.dropped[reason as usize], "{reason:?} after {act:?}");
        }
        assert!(ledger.is_balanced(), "after {act:?}: {ledger:?}");
    }

    fn frame_at(&mut self, now: u64) {
        let scale = self.pacer.scale();
        let frame = self.pacer.frame(Duration::from_nanos(now));
        self.now = now;
        self.check(&frame, scale);
    }

    fn check(&mut self, frame: &Frame, scale: f64) {
        self.frames += 1;
        assert!((0.0..1.0).contains(&frame.alpha()), "alpha {}", frame.alpha());
        assert!(f64::from(frame.steps()) <= step_cap(&self.pacer, scale), "{} steps", frame.steps());
        assert_eq!(frame.first_tick(), self.ticks);
        self.ticks += u64::from(frame.steps());
        assert_eq!(self.pacer.tick(), self.ticks);
        if frame.outcome() != Outcome::Ran {
            assert_eq!((frame.steps(), frame.dt()), (0, Duration::ZERO));
        }
        assert!(self.pacer.scale().is_finite() && self.pacer.scale() >= 0.0);
        for tick in frame.ticks().take(3) {
            assert!(frame.tick_end(tick) <= frame.tick_end(tick + 1));
        }
        let by_reason = DropReason::ALL.map(|reason| frame.dropped_by(reason));
        assert_eq!(frame.dropped(), by_reason.iter().sum());
        for (sum, time) in self.dropped.iter_mut().zip(by_reason) {
            *sum += time.as_nanos();
        }
    }
}

/// The rule of the step cap, told again: `max(base, ceil(scale * base))`.
fn step_cap(pacer: &Pacer, scale: f64) -> f64 {
    let base = match pacings().iter().position(|&pacing| pacing == pacer.pacing()) {
        Some(0 | 8) => 15.0,
        Some(1 | 6) => 4.0,
        Some(4) => 8.0,
        Some(5) => 2.0,
        Some(7) => 3.0,
        _ => return f64::INFINITY,
    };
    f64::max(base, (scale * base).ceil())
}

/// A small generator: the fuzzed frames are the same on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
