//! Random commands: ordinary ones, and the worst that a caller can say.

use std::time::Duration;

use evenstep::{Channel, Command, DisplayLock, Excess, Gate, Pacing, Presented, Rate, Reset};

/// A local generator, so that the same seed gives the same commands everywhere.
#[derive(Clone, Debug)]
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

    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    /// Any time: short ones as often as those near the end of the range.
    pub(crate) fn nanos(&mut self) -> u64 {
        self.next() >> self.below(64)
    }

    fn scale(&mut self) -> f64 {
        match self.below(5) {
            0 => f64::from_bits(self.next()),
            1 => self.one_of(&[0.0, f64::NAN, f64::INFINITY, -1.0]),
            2 | 3 => self.below(5_000) as f64 / 1_000.0,
            _ => 1.0,
        }
    }

    fn count(&mut self) -> u32 {
        if self.below(8) == 0 { self.next() as u32 } else { self.below(9) as u32 }
    }

    /// Any command. Reports are about frames around `now`.
    pub(crate) fn command(&mut self, now: Duration) -> Command {
        let near = |random: &mut Self| now.saturating_add(Duration::from_nanos(random.below(60_000_000)));
        let last_frame =
            |random: &mut Self| (random.below(3) > 0).then(|| Duration::from_nanos(random.nanos()));
        match self.below(17) {
            0 => Command::Gate(Gate::Open),
            1 => Command::Gate(self.one_of(&[Gate::Open, Gate::Paused, Gate::Menu])),
            2 => Command::StepByHand(self.count()),
            3 => Command::Scale { channel: self.one_of(&Channel::ALL), value: self.scale() },
            4 => Command::RestingScale { channel: self.one_of(&Channel::ALL), value: self.scale() },
            5 => Command::HitFreeze(Duration::from_nanos(self.below(300_000_000))),
            6 => Command::HitFreeze(Duration::from_nanos(self.nanos() >> 8)),
            7 => Command::Hitstop { steps: self.count(), intensity: self.scale() },
            8 => Command::FastForward(self.below(5) as u32),
            9 => Command::Tick(self.next()),
            10 => Command::Pacing(self.pacing()),
            11 => Command::Suspend,
            12 => {
                let kind = self.one_of(&[Reset::FrameTiming, Reset::NewGame]);
                Command::Reset { kind, last_frame: last_frame(self) }
            }
            13 => Command::RefreshHint(Duration::from_nanos(self.nanos())),
            14 => Command::VariableRefresh(self.below(4) == 0),
            15 => Command::Presented(Presented { frame: now, at: near(self) }),
            _ => {
                let done = [Command::StepsDone(near(self)), Command::DrawDone(near(self)), Command::Skip];
                self.one_of(&done)
            }
        }
    }

    /// One of the [`pacings`], possibly at another rate.
    pub(crate) fn pacing(&mut self) -> Pacing {
        let pacing = self.one_of(&pacings());
        match self.below(3) {
            0 => pacing.with_rate(Rate::hz(1 + self.below(1_000) as u32)),
            1 => pacing.with_fps(self.below(100) as f64, Some(self.below(100) as f64)),
            _ => pacing,
        }
    }
}

/// The number of configurations in [`pacings`].
pub(crate) const PACINGS: usize = 13;

/// The presets, and variants with single limits changed.
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
        Pacing::hz(2).with_longest_frame(Duration::ZERO).with_backlog_steps(0),
        Pacing::starship().with_rate(Rate::hz(3)).with_display_lock(DisplayLock::RateLock),
        Pacing::hz(60).with_excess(Excess::Carry).with_budget(Duration::from_millis(4)).with_start_phase(0.0),
    ]
}
