//! A harness that drives a pacer and checks all invariants after every action.

use std::time::Duration;

use evenstep::{Command, DropReason, Frame, Gate, InputLatch, Latching, Outcome, Pacer, Pacing, Reset};

use crate::commands::Random;

/// An action of a host or a game.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "acts are made and used one at a time")]
pub(crate) enum Act {
    Later(u64),
    At(u64),
    AtMillis(f64),
    Tell(Command),
    /// A press with a timestamp this many nanoseconds off the clock of the frames.
    Press(i64),
    SaveAndRestore,
}

/// Drives a pacer and panics at the first violated invariant.
pub(crate) struct Judge {
    pacer: Pacer,
    now: u64,
    ticks: u64,
    fast_forward: u32,
    dropped: [u128; DropReason::ALL.len()],
    pub(crate) frames: u64,
    presses: [Presses; 2],
    second: Second,
}

/// Presses are numbered in the order in which they are made, and must be seen in that order.
struct Presses {
    latch: InputLatch<u64, 64>,
    made: u64,
    seen: u64,
}

/// An independent implementation of the frame rate: intervals over wall time.
#[derive(Default)]
struct Second {
    has_clock: bool,
    nanos: u128,
    intervals: u64,
}

impl Judge {
    pub(crate) fn new(pacing: Pacing) -> Self {
        let presses = |latching| Presses { latch: InputLatch::new(latching), made: 0, seen: 0 };
        Self {
            pacer: Pacer::new(pacing),
            now: 0,
            ticks: 0,
            fast_forward: 0,
            dropped: [0; DropReason::ALL.len()],
            frames: 0,
            presses: [presses(Latching::ByTime), presses(Latching::FirstTick)],
            second: Second::default(),
        }
    }

    pub(crate) fn into_pacer(self) -> Pacer {
        self.pacer
    }

    /// A command that fits the time and the configuration.
    pub(crate) fn any_command(&self, random: &mut Random) -> Command {
        random.command(Duration::from_nanos(self.now))
    }

    pub(crate) fn act(&mut self, act: Act) {
        match act {
            Act::Later(nanos) => self.frame_at(self.now.saturating_add(nanos)),
            Act::At(nanos) => self.frame_at(nanos),
            Act::AtMillis(ms) => {
                if let Some(now) = evenstep::from_millis(ms) {
                    self.frame_at(now.as_nanos() as u64);
                } else {
                    let frame = self.pacer.frame_millis(ms);
                    assert_eq!((frame.outcome(), frame.steps()), (Outcome::Skipped, 0));
                }
            }
            Act::Tell(command) => self.tell(command),
            Act::Press(off) => self.press(off),
            Act::SaveAndRestore => {
                let saved = postcard::to_stdvec(&self.pacer).expect("a pacer can be saved");
                let restored: Pacer = postcard::from_bytes(&saved).expect("it was just saved");
                assert!(restored == self.pacer, "a restored pacer is the saved one");
                self.pacer = restored;
            }
        }
        let ledger = self.pacer.ledger();
        for reason in [DropReason::Clamp, DropReason::Backlog, DropReason::Cap, DropReason::Budget] {
            assert_eq!(ledger.dropped_ns(reason), self.dropped[reason as usize], "{reason:?} after {act:?}");
        }
        assert!(ledger.is_balanced(), "after {act:?}: {ledger:?}");
        assert!(self.pacer.next_due() >= Some(Duration::ZERO) || self.is_held(), "never due after {act:?}");
    }

    fn tell(&mut self, command: Command) {
        let waited = (self.pacer.pending(), self.pacer.alpha());
        self.pacer.tell(command);
        match command {
            Command::FastForward(ticks) => self.fast_forward = self.fast_forward.saturating_add(ticks),
            Command::Tick(_) => self.ticks = self.pacer.tick(),
            Command::Suspend => {
                assert_eq!((self.pacer.pending(), self.pacer.alpha()), waited);
                self.second.has_clock = false;
            }
            Command::Reset { kind, last_frame } => {
                self.now = last_frame.map_or(self.now, |last| last.as_nanos() as u64);
                self.second.has_clock = last_frame.is_some();
                if kind == Reset::NewGame {
                    self.ticks = 0;
                    self.fast_forward = 0;
                    self.second = Second { has_clock: last_frame.is_some(), ..Second::default() };
                }
            }
            _ => {}
        }
    }

    /// Lets time pass and checks that every press that fitted into the buffer is seen.
    pub(crate) fn finish(mut self) {
        self.pacer.set_gate(Gate::Open);
        self.pacer.hit_freeze(Duration::ZERO);
        self.pacer.reset(Duration::from_nanos(self.now >> 1));
        self.ticks = 0;
        self.second = Second { has_clock: true, ..Second::default() };
        self.now >>= 1;
        self.pacer.set_pacing(Pacing::hz(60));
        for _ in 0..200 {
            self.frame_at(self.now + 16_000_000);
        }
        for presses in &self.presses {
            assert!(presses.latch.is_empty());
            assert_eq!(presses.seen, presses.made);
        }
    }

    fn is_held(&self) -> bool {
        self.pacer.gate() != Gate::Open || self.pacer.scale() < 1e-9
    }

    fn press(&mut self, off: i64) {
        let at = Duration::from_nanos(self.now.saturating_add_signed(off));
        for presses in &mut self.presses {
            presses.made += u64::from(presses.latch.push(at, presses.made).is_ok());
        }
    }

    fn frame_at(&mut self, now: u64) {
        let scale = self.pacer.scale();
        let wall = self.pacer.ledger().wall_ns;
        let is_slowed = self.pacer.gate() != Gate::Open || !self.pacer.freeze_left().is_zero();
        let frame = self.pacer.frame(Duration::from_nanos(now));
        self.now = now;
        self.check(&frame, scale);
        if !is_slowed && frame.outcome() == Outcome::Ran {
            let capped = frame.steps() - frame.fast_forwarded();
            assert_eq!(frame.fast_forwarded(), self.fast_forward.min(u32::MAX - capped));
            self.fast_forward -= frame.fast_forwarded();
        }
        self.check_second(self.pacer.ledger().wall_ns - wall);
        for tick in frame.ticks().take(2).chain(frame.ticks().last()) {
            for presses in &mut self.presses {
                while let Some(press) = presses.latch.take(&frame, tick) {
                    assert_eq!(press, presses.seen, "each press once, in order");
                    presses.seen += 1;
                }
            }
        }
    }

    fn check_second(&mut self, elapsed: u128) {
        self.second.intervals += u64::from(self.second.has_clock);
        self.second.has_clock = true;
        self.second.nanos += elapsed;
        if self.second.nanos >= 1_000_000_000 {
            let frames = self.pacer.stats().fps() * (self.second.nanos as f64 / 1e9);
            assert!(
                (frames - self.second.intervals as f64).abs() < 1e-6,
                "{frames} of {}",
                self.second.intervals
            );
            self.second = Second { has_clock: true, ..Second::default() };
        }
    }

    fn check(&mut self, frame: &Frame, scale: f64) {
        self.frames += 1;
        assert!((0.0..1.0).contains(&frame.alpha()), "alpha {}", frame.alpha());
        let capped = frame.steps() - frame.fast_forwarded();
        assert!(f64::from(capped) <= step_cap(&self.pacer, scale), "{capped} steps");
        assert_eq!(frame.first_tick(), self.ticks);
        self.ticks += u64::from(frame.steps());
        assert_eq!(self.pacer.tick(), self.ticks);
        if frame.outcome() != Outcome::Ran {
            assert_eq!((frame.steps(), frame.dt()), (0, Duration::ZERO));
        }
        assert!(self.pacer.scale().is_finite() && self.pacer.scale() >= 0.0);
        for tick in frame.ticks().take(3) {
            assert!(frame.tick_end(tick) <= frame.tick_end(tick + 1) && frame.tick_end(tick) <= frame.now());
        }
        let by_reason = DropReason::ALL.map(|reason| frame.dropped_by(reason));
        assert_eq!(frame.dropped(), by_reason.iter().sum());
        for (sum, time) in self.dropped.iter_mut().zip(by_reason) {
            *sum += time.as_nanos();
        }
    }
}

/// An independent implementation of the step cap: `max(base, ceil(scale * base))`.
fn step_cap(pacer: &Pacer, scale: f64) -> f64 {
    pacer
        .pacing()
        .steps_max()
        .map_or(f64::INFINITY, |base| f64::from(base).max((scale * f64::from(base)).ceil()))
}
