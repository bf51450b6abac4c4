//! Laws of the grid fit: it finds the refresh and the noise that a session was made with.

use std::time::Duration;

use evenstep_lab::display::{Display, Noise, Refresh};
use evenstep_lab::fit::Grid;
use evenstep_lab::recording::Recording;
use evenstep_lab::survey::{Survey, in_turn};

fn grid_of(display: &Display, seconds: f64, seed: u64) -> Option<Grid> {
    let stamps: Vec<f64> = display.play(seconds, seed).iter().map(|frame| frame.stamp_ns as f64).collect();
    Grid::fit(&stamps)
}

#[test]
fn the_refresh_is_found_within_a_hundredth_of_a_percent_and_the_noise_within_20_percent() {
    for hz in [30.0, 59.94, 60.0, 60.05, 75.0, 144.0, 240.0] {
        for (noise, deviation_ms) in [
            (Noise::Gauss(0.1), 0.1),
            (Noise::Gauss(0.3), 0.3),
            (Noise::Gauss(1.0), 1.0),
            (Noise::Uniform(1.0), 1.0 / 3_f64.sqrt()),
            (Noise::Correlated { ms: 0.3, rho: 0.5 }, 0.3),
        ] {
            for (missed, late) in [(0.0, 0.0), (0.02, 0.01)] {
                let display = Display { noise, missed, late, ..Display::new(hz) };
                let grid = grid_of(&display, 30.0, 90_101).unwrap_or_else(|| panic!("{display}: no grid"));
                let found_hz = 1e9 / grid.period_ns;
                let found_ms = grid.noise_ns / 1e6;
                assert!((found_hz / hz - 1.0).abs() < 1e-4, "{display}: {found_hz} Hz");
                assert!((found_ms / deviation_ms - 1.0).abs() < 0.2, "{display}: {found_ms} ms of noise");
            }
        }
    }
}

#[test]
fn missed_refreshes_and_late_timestamps_are_counted() {
    let display = Display { noise: Noise::Gauss(0.2), missed: 0.03, late: 0.02, ..Display::new(60.0) };
    let shown = display.play(60.0, 90_102);
    let refreshes = shown.last().and_then(|frame| frame.refresh).expect("a grid");
    let missed = refreshes + 1 - shown.len() as u64;
    let late = shown.iter().filter(|frame| frame.stamp_ns as f64 - frame.at_ns > 1.5e6).count();
    let grid = grid_of(&display, 60.0, 90_102).expect("a grid");
    assert_eq!((grid.missed(0.25e9), grid.late), (missed, late));
}

#[test]
fn a_display_without_a_fixed_refresh_has_no_grid() {
    for refresh in [
        Refresh::Wandering(0.4),
        Refresh::Wandering(0.05),
        Refresh::Independent(0.5),
        Refresh::Independent(0.02),
        Refresh::Breathing(2.0),
        Refresh::Switching { other_hz: 144.0, every_s: 10.0 },
    ] {
        for hz in [60.0, 100.0] {
            let display = Display { refresh, noise: Noise::Gauss(0.1), ..Display::new(hz) };
            assert_eq!(grid_of(&display, 60.0, 90_103), None, "{display}");
        }
    }
}

#[test]
fn a_recording_in_parts_is_measured_as_the_whole_and_forgotten_part_by_part() {
    let displays = [
        Display { noise: Noise::Gauss(0.3), ..Display::new(60.0) },
        Display { noise: Noise::Gauss(0.5), missed: 0.02, late: 0.01, ..Display::new(144.0) },
        Display { stall_every_s: 5.0, clock_ns: 100_000, ..Display::new(120.0) },
        Display { refresh: Refresh::Wandering(0.4), ..Display::new(60.0) },
    ];
    for display in displays {
        let mut whole = Recording::default();
        let mut parts = Recording::default();
        let mut survey = Survey::new("parts");
        for frames in display.play(120.0, 90_104).chunks(1_500) {
            for at in frames.iter().map(|frame| Duration::from_nanos(frame.stamp_ns)) {
                whole.frame(at);
                parts.frame(at);
            }
            survey.part(&mut parts, in_turn);
            assert!(parts.stamps_ns().is_empty(), "memory does not grow");
        }
        assert_eq!((parts.frames(), parts.stalls()), (whole.frames(), whole.stalls()), "{display}");
        assert_eq!(parts.seconds(), whole.seconds());
        let mut survey_of_whole = Survey::new("whole");
        survey_of_whole.part(&mut whole, in_turn);
        let of_parts = survey.findings();
        let of_whole = survey_of_whole.findings();
        match (of_whole.grid, of_parts.grid) {
            (None, None) => {}
            (Some(whole), Some(parts)) => {
                assert!((parts.period_ns / whole.period_ns - 1.0).abs() < 1e-5, "{display}: {parts:?}");
                assert!((parts.noise_ns / whole.noise_ns - 1.0).abs() < 0.05, "{display}: {parts:?}");
                assert!(parts.missed.abs_diff(whole.missed) <= 8, "{display}: {parts:?}");
            }
            (whole, parts) => panic!("{display}: {whole:?} and {parts:?}"),
        }
        for (parts, whole) in of_parts.outcomes.into_iter().zip(of_whole.outcomes) {
            let one = parts.report;
            let other = whole.report;
            // The three seconds that are not measured end on a frame.
            assert!(one.frames.abs_diff(other.frames) <= 1 && parts.frames == whole.frames, "{display}");
            // Each part has a grid of its own, a few microseconds from the others.
            let is_near = |one: f64, other: f64| (one - other).abs() <= 0.02 * other + 8.0;
            assert!(is_near(one.judder_us, other.judder_us), "{display}: {one:?} and {other:?}");
            assert!(is_near(one.judder_us_p99, other.judder_us_p99), "{display}: {one:?} and {other:?}");
            assert!((one.lag_ms - other.lag_ms).abs() < 0.1, "{display}: {one:?} and {other:?}");
            assert!((one.drift_ms - other.drift_ms).abs() < 1.0, "{display}: {one:?} and {other:?}");
            assert_eq!(one.cadence_error.is_some(), other.cadence_error.is_some(), "{display}");
            assert_eq!(
                (parts.lock, parts.locked_after_s.is_some()),
                (whole.lock, whole.locked_after_s.is_some())
            );
        }
    }
}
