//! Sound, synthesised from the simulation's signals. It never affects the simulation.
//!
//! ```text
//! Signal -> Sound -> Voices     few enough at once
//!             |
//!             +----> Recipe     rendered to samples when first played
//!                      |
//!                      +------> WebAudio on a page, a sound card with the feature `sound`
//! ```

#[cfg(any(test, all(feature = "sound", not(target_arch = "wasm32"))))]
mod mixer;
#[cfg(all(feature = "sound", not(target_arch = "wasm32")))]
mod native;
#[cfg(not(any(target_arch = "wasm32", feature = "sound")))]
mod silent;
#[cfg_attr(
    not(any(test, target_arch = "wasm32", feature = "sound")),
    expect(dead_code, reason = "this build has no sound")
)]
mod synth;
mod voices;
#[cfg(target_arch = "wasm32")]
mod web;

use std::time::Duration;

use starship_sim::{PickupKind, Signal, WeaponKind};

#[cfg(all(feature = "sound", not(target_arch = "wasm32")))]
use native::Output;
#[cfg(not(any(target_arch = "wasm32", feature = "sound")))]
use silent::Output;
use synth::{Recipe, Wave};
use voices::Voices;
#[cfg(target_arch = "wasm32")]
use web::Output;

/// A sound of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Sound {
    Start,
    Born,
    Pulse,
    Scatter,
    Seeker,
    EnemyShot,
    Warning,
    Fuse,
    Hit,
    Kill,
    Explosion,
    Hurt,
    Gem,
    Repair,
    Modifier,
    ModifierEnd,
    LevelUp,
    Upgrade,
    Crate,
    WarpIn,
    WarpOut,
    Overheated,
    Cooled,
    Wave,
    Boss,
    BossPhase,
    BossDown,
    BossRoom,
    Portal,
    Overtime,
    Died,
    Won,
    /// Another entry of a menu is selected.
    Select,
    /// An entry of a menu is chosen.
    Choose,
}

impl Sound {
    /// The sound of a signal. Requests to the host have none: they come with the signal of a hit.
    pub(crate) const fn of(signal: Signal) -> Option<Self> {
        Some(match signal {
            Signal::RunStarted { .. } => Self::Start,
            Signal::Born { .. } => Self::Born,
            Signal::Fired { weapon: WeaponKind::Pulse, .. } => Self::Pulse,
            Signal::Fired { weapon: WeaponKind::Scatter, .. } => Self::Scatter,
            Signal::Fired { weapon: WeaponKind::Seeker, .. } => Self::Seeker,
            Signal::EnemyFired { .. } => Self::EnemyShot,
            Signal::ChargeWarning { .. } => Self::Warning,
            Signal::FuseLit { .. } => Self::Fuse,
            Signal::Hit { .. } => Self::Hit,
            Signal::EnemyKilled { .. } => Self::Kill,
            Signal::Exploded { .. } => Self::Explosion,
            Signal::Hurt { .. } => Self::Hurt,
            Signal::PickedUp { kind: PickupKind::Xp(_), .. } => Self::Gem,
            Signal::PickedUp { kind: PickupKind::Repair, .. } => Self::Repair,
            Signal::PickedUp { kind: PickupKind::Modifier(_), .. } => Self::Modifier,
            Signal::ModifierEnded { .. } => Self::ModifierEnd,
            Signal::LevelUp { .. } => Self::LevelUp,
            Signal::Upgraded { .. } => Self::Upgrade,
            Signal::CrateBroken { .. } => Self::Crate,
            Signal::WarpEntered { .. } => Self::WarpIn,
            Signal::WarpLeft { .. } => Self::WarpOut,
            Signal::Overheated => Self::Overheated,
            Signal::Cooled => Self::Cooled,
            Signal::Wave { .. } => Self::Wave,
            Signal::BossArrived { .. } => Self::Boss,
            Signal::BossPhase { .. } => Self::BossPhase,
            Signal::BossDefeated { .. } => Self::BossDown,
            Signal::BossRoomOpened { .. } => Self::BossRoom,
            Signal::PortalOpened { .. } => Self::Portal,
            Signal::OvertimeBegan => Self::Overtime,
            Signal::Died { .. } => Self::Died,
            Signal::Won { .. } => Self::Won,
            Signal::HitFreeze { .. } | Signal::InvertScreen { .. } => return None,
        })
    }

    /// Whether many of these may start at once.
    const fn comes_in_crowds(self) -> bool {
        matches!(
            self,
            Self::Pulse
                | Self::Scatter
                | Self::Seeker
                | Self::EnemyShot
                | Self::Warning
                | Self::Fuse
                | Self::Hit
                | Self::Kill
                | Self::Gem
                | Self::Crate
        )
    }

    fn length(self) -> Duration {
        Duration::from_secs_f32(self.recipe().secs)
    }

    /// How the sound is made. What is heard all the time is short and quiet.
    #[rustfmt::skip]
    const fn recipe(self) -> Recipe {
        use Wave::{Sine, Square, Triangle};
        const ONE: &[f32] = &[1.0];
        let (wave, hz, notes, secs, noise, level): (_, _, &'static [f32], _, _, _) = match self {
            Self::Start       => (Triangle, [220.0, 440.0],   ONE,                      0.50, 0.00, 0.45),
            Self::Born        => (Sine,     [300.0, 900.0],   ONE,                      0.45, 0.10, 0.45),
            Self::Pulse       => (Square,   [880.0, 440.0],   ONE,                      0.07, 0.00, 0.10),
            Self::Scatter     => (Square,   [520.0, 180.0],   ONE,                      0.10, 0.45, 0.14),
            Self::Seeker      => (Triangle, [330.0, 990.0],   ONE,                      0.16, 0.20, 0.16),
            Self::EnemyShot   => (Square,   [300.0, 200.0],   ONE,                      0.09, 0.10, 0.10),
            Self::Warning     => (Triangle, [700.0, 740.0],   &[1.0, 1.33],             0.18, 0.00, 0.16),
            Self::Fuse        => (Square,   [1200.0, 1500.0], ONE,                      0.14, 0.60, 0.12),
            Self::Hit         => (Triangle, [1400.0, 700.0],  ONE,                      0.04, 0.40, 0.09),
            Self::Kill        => (Square,   [420.0, 90.0],    ONE,                      0.16, 0.55, 0.18),
            Self::Explosion   => (Triangle, [160.0, 35.0],    ONE,                      0.70, 0.80, 0.55),
            Self::Hurt        => (Square,   [190.0, 70.0],    ONE,                      0.30, 0.50, 0.55),
            Self::Gem         => (Sine,     [1320.0, 1320.0], &[1.0, 1.5],              0.10, 0.00, 0.12),
            Self::Repair      => (Sine,     [523.0, 523.0],   &[1.0, 1.25, 1.5],        0.35, 0.00, 0.35),
            Self::Modifier    => (Triangle, [660.0, 660.0],   &[1.0, 1.5, 2.0],         0.40, 0.00, 0.35),
            Self::ModifierEnd => (Triangle, [660.0, 640.0],   &[1.0, 0.67],             0.25, 0.00, 0.25),
            Self::LevelUp     => (Triangle, [523.0, 523.0],   &[1.0, 1.25, 1.5, 2.0],   0.60, 0.00, 0.45),
            Self::Upgrade     => (Square,   [392.0, 392.0],   &[1.0, 1.5, 2.0],         0.40, 0.00, 0.25),
            Self::Crate       => (Triangle, [240.0, 100.0],   ONE,                      0.18, 0.85, 0.25),
            Self::WarpIn      => (Sine,     [900.0, 120.0],   ONE,                      0.55, 0.15, 0.40),
            Self::WarpOut     => (Sine,     [120.0, 900.0],   ONE,                      0.45, 0.15, 0.40),
            Self::Overheated  => (Square,   [160.0, 140.0],   &[1.0, 0.9, 1.0, 0.9],    0.50, 0.20, 0.35),
            Self::Cooled      => (Sine,     [440.0, 660.0],   ONE,                      0.25, 0.20, 0.30),
            Self::Wave        => (Triangle, [262.0, 262.0],   &[1.0, 1.0, 1.5],         0.55, 0.00, 0.40),
            Self::Boss        => (Square,   [65.0, 55.0],     &[1.0, 1.06, 1.0, 0.94],  1.60, 0.25, 0.60),
            Self::BossPhase   => (Square,   [98.0, 49.0],     ONE,                      0.90, 0.40, 0.55),
            Self::BossDown    => (Triangle, [220.0, 27.0],    ONE,                      1.80, 0.70, 0.65),
            Self::BossRoom    => (Sine,     [82.0, 41.0],     ONE,                      1.20, 0.30, 0.50),
            Self::Portal      => (Sine,     [392.0, 400.0],   &[1.0, 1.25, 1.5, 1.875], 1.20, 0.05, 0.45),
            Self::Overtime    => (Square,   [440.0, 440.0],   &[1.0, 0.75, 1.0, 0.75],  0.90, 0.00, 0.35),
            Self::Died        => (Triangle, [330.0, 30.0],    ONE,                      1.50, 0.60, 0.65),
            Self::Won         => (Triangle, [523.0, 523.0],   &[1.0, 1.25, 1.5, 2.0, 1.5, 2.0], 1.40, 0.00, 0.50),
            Self::Select      => (Sine,     [660.0, 660.0],   ONE,                      0.05, 0.00, 0.20),
            Self::Choose      => (Triangle, [660.0, 990.0],   ONE,                      0.12, 0.00, 0.28),
        };
        Recipe { wave, hz, notes, secs, noise, level }
    }
}

/// Plays sounds, if the player's machine and this build can.
#[derive(Debug, Default)]
pub(crate) struct Speaker {
    voices: Voices,
    // From 0 to 1.
    volume: f32,
    // How many sounds were started.
    started: u32,
    output: Option<Output>,
    is_refused: bool,
}

impl Speaker {
    /// Whether this build can play sounds.
    pub(crate) const IS_BUILT_IN: bool = cfg!(any(target_arch = "wasm32", feature = "sound"));

    /// Sets the volume, from 0 to 1.
    pub(crate) fn set_volume(&mut self, volume: f32) {
        self.volume = volume.clamp(0.0, 1.0);
        if let Some(output) = &self.output {
            output.set_volume(self.volume);
        }
    }

    /// Opens the sound device with the player's first key, button or touch: browsers allow no sound before.
    pub(crate) fn wake(&mut self) {
        if self.output.is_none() && !self.is_refused && self.volume > 0.0 {
            self.output = Output::open();
            // A machine without a sound card is asked once.
            self.is_refused = self.output.is_none();
            self.set_volume(self.volume);
        }
        if let Some(output) = &self.output {
            output.wake();
        }
    }

    /// Stops all sound while the game is hidden, or goes on.
    pub(crate) fn set_hidden(&self, is_hidden: bool) {
        if let Some(output) = &self.output {
            output.set_hidden(is_hidden);
        }
    }

    /// Plays a sound, unless too many play already.
    pub(crate) fn play(&mut self, sound: Sound, now: Duration) {
        if self.volume > 0.0 && self.voices.admit(sound, now) {
            self.started = self.started.saturating_add(1);
            if let Some(output) = &mut self.output {
                output.play(sound);
            }
        }
    }

    /// The number of sounds that were started.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn started(&self) -> u32 {
        self.started
    }

    /// What the sound device does: `closed`, `suspended` or `running`.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn state(&self) -> &'static str {
        self.output.as_ref().map_or("closed", Output::state)
    }
}

#[cfg(test)]
mod tests;
