//! Bevy's clocks: their settings go to the pacer, and its plan comes back as time.
//!
//! ```text
//! First               time_system   Time<Real> gets its timestamp
//!                     pace          timestamp -> plan; Time<Virtual> and Time advance by it
//! RunFixedMainLoop    run_ticks     each tick: Time<Fixed> advances by one step
//!                                   at the end: overstep = what is pending
//! ```

use core::time::Duration;

use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Real, Time, TimeUpdateStrategy, Virtual, update_virtual_time};
use evenstep::{DropReason, Gate, Outcome, Pacing, Rate};

use crate::resource::{Evenstep, Settings};

/// Plans the frame and advances [`Time<Virtual>`](Virtual) and [`Time`] by it.
pub(crate) fn pace(
    mut evenstep: ResMut<Evenstep>,
    real: Res<Time<Real>>,
    strategy: Option<Res<TimeUpdateStrategy>>,
    mut fixed: ResMut<Time<Fixed>>,
    mut virt: ResMut<Time<Virtual>>,
    mut time: ResMut<Time>,
) {
    let Some(now) = evenstep.timestamp(&real) else { return };
    let dropped_ns = evenstep.ledger().dropped_ns(DropReason::Rate);
    evenstep.read_settings(&mut fixed, &mut virt);
    let has_dropped = evenstep.ledger().dropped_ns(DropReason::Rate) != dropped_ns;
    if has_dropped && matches!(strategy.as_deref(), Some(TimeUpdateStrategy::FixedTimesteps(_))) {
        // A whole step is left, which would be a tick too many: a frame of whole steps starts again between two.
        let last = evenstep.frame.now();
        evenstep.pacer.reset_frame_timing(last);
    }
    evenstep.read_controls(&virt);
    evenstep.plan(now, &fixed);

    // `time_system` has advanced the clock by the raw timestamp: this frame starts again from before that.
    let mut from = virt.elapsed().saturating_sub(virt.delta());
    if !core::mem::replace(&mut evenstep.has_started, true) {
        // The head start of the first frame: no time passes, but the clock does not begin at zero.
        from = from.max(evenstep.reached);
    }
    let delta = evenstep.reach();
    let speed = evenstep.effective_speed(delta, real.delta());
    let context = with_effective_speed(&virt, &real, speed);
    *virt = advanced(evenstep.virt, &virt, context, from, delta);
    *time = virt.as_generic();
    evenstep.virt = *virt;
}

/// Writes the settings of a configuration to the clocks.
pub(crate) fn write_settings(pacing: &Pacing, fixed: &mut Time<Fixed>, virt: &mut Time<Virtual>) {
    fixed.set_timestep_seconds(pacing.rate().step_secs());
    // Bevy does not accept zero. The pacer counts both as one step.
    virt.set_max_delta(pacing.longest_frame().unwrap_or(Duration::MAX).max(Duration::from_nanos(1)));
}

impl Evenstep {
    /// The time of the frame since the first one. `None` before `Time<Real>` has one.
    fn timestamp(&mut self, real: &Time<Real>) -> Option<Duration> {
        let now = real.last_update()?;
        // An earlier timestamp than all others: the clock was set back, or replaced. The pacer copes with that.
        let origin = self.origin.filter(|&origin| origin <= now).unwrap_or(now);
        self.origin = Some(origin);
        Some(now.duration_since(origin))
    }

    /// Takes over what changed: a new configuration, or Bevy's own settings.
    fn read_settings(&mut self, fixed: &mut Time<Fixed>, virt: &mut Time<Virtual>) {
        if let Some(pacing) = self.pacing_new.take() {
            write_settings(&pacing, fixed, virt);
            self.apply(pacing);
        } else if let new = Settings::of(fixed, virt)
            && self.settings != Some(new)
        {
            let mut pacing = self.pacer.pacing();
            if self.settings.is_none_or(|old| old.timestep != new.timestep) {
                pacing = pacing.with_rate(rate_of(new.timestep));
            }
            if self.settings.is_none_or(|old| old.max_delta != new.max_delta) {
                pacing = pacing.with_longest_frame(new.max_delta);
            }
            self.apply(pacing);
        }
        self.settings = Some(Settings::of(fixed, virt));
    }

    fn read_controls(&mut self, virt: &Time<Virtual>) {
        let speed = virt.relative_speed_f64();
        if self.pacer.channel(Self::RELATIVE_SPEED) != speed {
            self.pacer.set_scale(Self::RELATIVE_SPEED, speed);
        }
        let gate = if virt.is_paused() && self.gate == Gate::Open { Gate::Paused } else { self.gate };
        if self.pacer.gate() != gate {
            self.pacer.set_gate(gate);
        }
        self.pacer.step_by_hand(core::mem::take(&mut self.steps_by_hand));
    }

    fn plan(&mut self, now: Duration, fixed: &Time<Fixed>) {
        // A game that is loaded may set the clock, and an app may switch the fixed loop off: the virtual clock goes on.
        if fixed.elapsed() != self.clock.now() || !self.is_done {
            self.clock.set_now(fixed.elapsed());
            self.reached = fixed.elapsed() + self.pending;
        }
        self.frame = self.pacer.frame(now);
        self.is_done = false;
        self.pending = self.pacer.pending();
        self.is_held = self.frame.steps() == 0 && self.pacer.next_due().is_none();
    }

    /// Advances to the time of the fixed clock after this frame's ticks, and what is pending on top of it. Returns by
    /// how much. If pending time was dropped, the clock does not go back: it waits.
    fn reach(&mut self) -> Duration {
        let mut clock = self.clock;
        clock.advance(self.frame.steps().into());
        let time = clock.now() + self.pending;
        let delta = time.saturating_sub(self.reached);
        self.reached += delta;
        delta
    }

    /// How fast the virtual clock advanced relative to the real one. As in Bevy, what a limit cuts off counts, and what
    /// a display lock smooths does not.
    fn effective_speed(&self, delta: Duration, real_delta: Duration) -> f64 {
        match self.frame.outcome() {
            Outcome::Ran if self.frame.is_by_hand() => 0.0,
            Outcome::Ran if self.frame.dropped().is_zero() || real_delta.is_zero() => self.frame.scale(),
            Outcome::Ran => delta.as_secs_f64() / real_delta.as_secs_f64(),
            _ => 0.0,
        }
    }

    /// Counts one tick and sets the fixed clock to it: a constant delta, and an exact time.
    pub(crate) fn tick(&mut self, fixed: &mut Time<Fixed>, ticks_left: u64) {
        let step = self.settings.map_or(fixed.timestep(), |settings| settings.timestep);
        if fixed.elapsed() != self.clock.now() {
            // A game was loaded since the plan, or by the last tick. The virtual clock has already passed this frame.
            self.clock.set_now(fixed.elapsed());
            let mut clock = self.clock;
            clock.advance(ticks_left.saturating_add(1));
            self.reached = clock.now() + self.pending;
        }
        self.clock.advance(1);
        let now = self.clock.now();
        // Rounding must not move the clock to before its start.
        let delta = step.min(now);
        *fixed = advanced(*fixed, fixed, *fixed.context(), now.saturating_sub(delta), delta);
        let mut clock = self.clock;
        clock.advance(ticks_left);
        set_overstep(fixed, clock.now().saturating_sub(now) + self.pending);
    }
}

/// Sets the overstep after a frame's ticks. Its fraction is below 1 even if a tick has shortened the timestep, or if the
/// rate is that of a slightly longer one.
pub(crate) fn set_last_overstep(fixed: &mut Time<Fixed>, pending: Duration) {
    let most = fixed.timestep().saturating_sub(Duration::from_nanos(1));
    set_overstep(fixed, pending.min(most));
}

/// Sets the overstep of the fixed clock.
fn set_overstep(fixed: &mut Time<Fixed>, overstep: Duration) {
    fixed.discard_overstep(Duration::MAX);
    fixed.accumulate_overstep(overstep);
}

/// The rate of a timestep, which Bevy rounds to a nanosecond.
fn rate_of(timestep: Duration) -> Rate {
    Rate::from_step(timestep).unwrap_or_else(|| {
        panic!(
            "the timestep of Time<Fixed> is {timestep:?}, but Evenstep runs steps of 1 us to 1 h: set another one with \
             Time::<Fixed>::set_timestep"
        )
    })
}

/// A clock with the settings of `like` that has just advanced by `delta` to `from + delta`.
///
/// Usually `last` is at `from` already. If not, a new clock starts from zero, because `Time` only goes forward.
fn advanced<T: Default>(
    last: Time<T>,
    like: &Time<T>,
    context: T,
    from: Duration,
    delta: Duration,
) -> Time<T> {
    let mut new = last;
    if new.elapsed() == from && new.wrap_period() == like.wrap_period() {
        *new.context_mut() = context;
    } else {
        new = Time::new_with(context);
        new.set_wrap_period(like.wrap_period());
        new.advance_to(from);
    }
    new.advance_by(delta);
    new
}

/// The state of a virtual clock with another effective speed, which only an update of Bevy's own can set.
fn with_effective_speed(virt: &Time<Virtual>, real: &Time<Real>, speed: f64) -> Virtual {
    if virt.effective_speed_f64() == speed {
        return *virt.context();
    }
    let mut updated = *virt;
    updated.unpause();
    updated.set_max_delta(Duration::MAX);
    updated.set_relative_speed_f64(speed);
    update_virtual_time(&mut Time::default(), &mut updated, real);
    updated.set_relative_speed_f64(virt.relative_speed_f64());
    updated.set_max_delta(virt.max_delta());
    if virt.is_paused() {
        updated.pause();
    }
    *updated.context()
}
