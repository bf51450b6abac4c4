//! The public side of the display lock: its setting and its state.

/// Whether the pacer follows the display's refresh or the raw timestamps.
///
/// ```
/// use evenstep::{DisplayLock, Pacer, Pacing, Rate};
///
/// // A 60 Hz game on a 59.94 Hz display.
/// let steps_in_6_000_refreshes = |lock| -> u32 {
///     let mut pacer = Pacer::new(Pacing::hz(60).with_display_lock(lock));
///     (0..=6_000).map(|n| pacer.frame(Rate::new(60_000, 1_001).time_of(n)).steps()).sum()
/// };
/// assert_eq!(steps_in_6_000_refreshes(DisplayLock::Follow), 6_006, "game time follows wall time");
/// assert_eq!(steps_in_6_000_refreshes(DisplayLock::RateLock), 6_000, "exactly one step per refresh");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum DisplayLock {
    /// Uses timestamps as they are.
    Off,
    /// Advances time by the display's refreshes, without drift from wall time.
    Follow,
    /// Like [`Follow`](Self::Follow), but if the display is within 0.2 % of 1/2, 1, 2, 3 or 4 times the simulation
    /// rate, the simulation runs at the display's speed: the same steps on every frame and a constant alpha.
    ///
    /// Use it if something is drawn without interpolation. Do not use it if game time must follow wall time, as for
    /// music or netplay: on a 59.94 Hz display the game loses 0.6 s in ten minutes.
    RateLock,
}

/// What the display lock knows about the display.
///
/// ```
/// use evenstep::{LockState, Pacer, Pacing, Rate};
///
/// let mut pacer = Pacer::new(Pacing::hz(60));
/// for n in 0..75 {
///     pacer.frame(Rate::hz(144).time_of(n));
/// }
/// let LockState::Locked { refresh_hz } = pacer.lock_state() else { panic!("75 quiet frames are enough") };
/// assert_eq!(refresh_hz.round(), 144.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LockState {
    /// The lock is switched off.
    Off,
    /// The lock has not seen enough frames yet.
    Searching,
    /// The lock follows a fixed refresh rate.
    Locked {
        /// The measured refresh rate in hertz.
        refresh_hz: f64,
    },
    /// There is no fixed refresh rate, as on a variable-refresh display, or the host has
    /// [said so](crate::Pacer::set_variable_refresh): timestamps are used as they are.
    Free,
}
