//! Measurements for Bevy's diagnostics, and a summary in words.

use core::fmt::Write as _;
use core::time::Duration;

use bevy_app::prelude::*;
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic as _};
use bevy_ecs::prelude::*;
use evenstep::{DropReason, LockState};

use crate::plugin::EvenstepPlugin;
use crate::resource::Evenstep;

/// Measures every frame for Bevy's diagnostics, which `LogDiagnosticsPlugin` prints.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_diagnostic::DiagnosticsStore;
/// use bevy_evenstep::{EvenstepDiagnosticsPlugin, EvenstepPlugin};
/// use bevy_time::TimePlugin;
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, EvenstepPlugin::hz(60), EvenstepDiagnosticsPlugin)).update();
/// let diagnostics = app.world().resource::<DiagnosticsStore>();
/// let steps = diagnostics.get(&EvenstepDiagnosticsPlugin::STEPS).unwrap();
/// assert_eq!(steps.value(), Some(0.0), "the first frame starts the clock");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenstepDiagnosticsPlugin;

impl EvenstepDiagnosticsPlugin {
    /// The state of the display lock: 0 off, 1 searching, 2 free (no fixed refresh), 3 locked.
    pub const LOCK: DiagnosticPath = DiagnosticPath::const_new("evenstep/lock");
    /// The measured refresh rate of the display, while the lock follows one.
    pub const REFRESH: DiagnosticPath = DiagnosticPath::const_new("evenstep/refresh");
    /// An estimate of judder while the lock follows a refresh: how far this frame's advance is from whole refreshes.
    pub const JUDDER: DiagnosticPath = DiagnosticPath::const_new("evenstep/judder");
    /// Like [`JUDDER`](Self::JUDDER), for the raw timestamps: the judder without the display lock.
    pub const NOISE: DiagnosticPath = DiagnosticPath::const_new("evenstep/noise");
    /// The number of ticks in this frame.
    pub const STEPS: DiagnosticPath = DiagnosticPath::const_new("evenstep/steps");

    /// The time dropped for one reason since the app started.
    pub fn dropped(reason: DropReason) -> DiagnosticPath {
        DiagnosticPath::new(["evenstep/dropped/", reason.name()].concat())
    }
}

impl Plugin for EvenstepDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        // A sum has no average.
        let total = |path| Diagnostic::new(path).with_max_history_length(1).with_smoothing_factor(0.0);
        app.register_diagnostic(Diagnostic::new(Self::LOCK).with_max_history_length(1))
            .register_diagnostic(Diagnostic::new(Self::REFRESH).with_suffix(" Hz"))
            .register_diagnostic(Diagnostic::new(Self::JUDDER).with_suffix(" us"))
            .register_diagnostic(Diagnostic::new(Self::NOISE).with_suffix(" us"))
            .register_diagnostic(Diagnostic::new(Self::STEPS));
        for reason in DropReason::ALL {
            app.register_diagnostic(total(Self::dropped(reason)).with_suffix(" ms"));
        }
        let dropped = DropReason::ALL.map(|reason| (reason, Self::dropped(reason)));
        let measure = move |evenstep: Res<Evenstep>, mut diagnostics: Diagnostics| {
            measure(&evenstep, &mut diagnostics, &dropped);
        };
        app.add_systems(Update, measure);
    }

    fn finish(&self, app: &mut App) {
        assert!(
            app.is_plugin_added::<EvenstepPlugin>(),
            "EvenstepDiagnosticsPlugin measures EvenstepPlugin, which is missing: add it, too"
        );
    }
}

fn measure(evenstep: &Evenstep, diagnostics: &mut Diagnostics, dropped: &[(DropReason, DiagnosticPath)]) {
    use EvenstepDiagnosticsPlugin as Paths;

    let frame = evenstep.frame();
    let state = evenstep.pacer().lock_state();
    diagnostics.add_measurement(&Paths::STEPS, || frame.steps().into());
    diagnostics.add_measurement(&Paths::LOCK, || match state {
        LockState::Off => 0.0,
        LockState::Searching => 1.0,
        LockState::Free => 2.0,
        LockState::Locked { .. } => 3.0,
    });
    if let LockState::Locked { refresh_hz } = state {
        diagnostics.add_measurement(&Paths::REFRESH, || refresh_hz);
        if frame.dropped().is_zero() {
            diagnostics.add_measurement(&Paths::JUDDER, || off_refresh_us(frame.raw_dt(), refresh_hz));
            diagnostics.add_measurement(&Paths::NOISE, || off_refresh_us(frame.elapsed(), refresh_hz));
        }
    }
    let ledger = evenstep.ledger();
    for (reason, path) in dropped {
        diagnostics.add_measurement(path, || ledger.dropped_ns(*reason) as f64 / 1e6);
    }
}

/// How far a time is from the nearest whole number of refreshes, in microseconds.
fn off_refresh_us(time: Duration, refresh_hz: f64) -> f64 {
    let refreshes = time.as_secs_f64() * refresh_hz;
    (refreshes - refreshes.round()).abs() / refresh_hz * 1e6
}

impl Evenstep {
    /// Summarises the state of the loop in a few lines, as the overlay shows it.
    pub fn summary(&self) -> String {
        let stats = self.stats();
        let ledger = self.ledger();
        let lock = match self.pacer().lock_state() {
            LockState::Off => "off".to_owned(),
            LockState::Searching => "searching".to_owned(),
            LockState::Free => "free: no fixed refresh".to_owned(),
            LockState::Locked { refresh_hz } => format!("{refresh_hz:.2} Hz"),
        };
        let mut text = format!(
            "display lock: {lock}\n{:.1} frames/s, {:.1} ticks/s, {:.2} ms p99\nspeed {:.2}, alpha {:.2}\n",
            stats.fps(),
            stats.ticks_per_second(),
            stats.frame_time(0.99).as_secs_f64() * 1e3,
            self.pacer().scale(),
            self.pacer().alpha(),
        );
        for reason in DropReason::ALL.into_iter().filter(|&reason| ledger.dropped_ns(reason) > 0) {
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "dropped ({}): {:.0} ms",
                reason.name(),
                ledger.dropped_ns(reason) as f64 / 1e6
            );
        }
        text + &self.explain().to_string()
    }
}
