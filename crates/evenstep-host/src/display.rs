//! What a host knows about the display.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use evenstep::host::{BeatState, ShownCounts};

/// What starts a window's frames.
///
/// ```
/// use evenstep_host::Beat;
///
/// assert_eq!("count".parse(), Ok(Beat::VerticalCount));
/// assert_eq!(Beat::Deadlines.to_string(), "deadlines");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Beat {
    /// `callback`: the compositor says when to draw, as on Wayland.
    FrameCallback,
    /// `count`: the window system counts the display's refreshes, as X servers with the Present extension do.
    VerticalCount,
    /// `present`: presenting an image waits for the display, as graphics drivers do.
    BlockingPresent,
    /// `deadlines`: a precise timer at the display's rate.
    Deadlines,
}

impl Beat {
    /// All beats, best first.
    pub const ALL: [Self; 4] =
        [Self::FrameCallback, Self::VerticalCount, Self::BlockingPresent, Self::Deadlines];

    /// Returns the name: `callback`, `count`, `present` or `deadlines`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FrameCallback => "callback",
            Self::VerticalCount => "count",
            Self::BlockingPresent => "present",
            Self::Deadlines => "deadlines",
        }
    }
}

impl fmt::Display for Beat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Beat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|beat| beat.name() == name);
        found.ok_or_else(|| format!("no beat is named {name:?}: use callback, count, present or deadlines"))
    }
}

/// What a host knows about the display: the beat of the frames, and what became of the images.
///
/// An app reads it in [`View::display`](crate::View::display). Headless it says nothing, and on a page only what draws.
///
/// ```
/// use evenstep_host::{Beat, Display, View};
///
/// fn is_on_a_timer(view: View<'_>) -> bool {
///     view.display.beat == Some(Beat::Deadlines)
/// }
///
/// let mut display = Display::default();
/// assert_eq!(display.to_string(), "beat: unknown; no presentation feedback");
/// display.beat = Some(Beat::VerticalCount);
/// assert_eq!(display.to_string(), "beat: count; no presentation feedback");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Display {
    /// What starts the frames, as far as the host knows.
    pub beat: Option<Beat>,
    /// The beat that the current one replaces, because it stopped or ran wild or does not exist here, and why.
    pub beat_lost: Option<(Beat, BeatState)>,
    /// How often the beat has been replaced.
    pub beats_replaced: u32,
    /// What presentation feedback says: images shown, refreshes missed, latency. Empty where there is none.
    pub shown: ShownCounts,
    /// Presentation times came on a clock that the host cannot read, and were not used.
    pub has_foreign_clock: bool,
    /// What draws: a GPU by name, or pixels in memory and why.
    pub renderer: String,
    /// How long the last frame waited for fresher input. `None` if the late start is switched off.
    pub waited: Option<Duration>,
    /// The latency that a late start saves at present, or would save if it were switched on. Zero without presentation
    /// feedback.
    pub late_start_saves: Duration,
    /// The longest time that the event loop was busy without a break since the previous frame began: with that frame, with
    /// events, and with waits for a GPU.
    pub busy: Duration,
}

/// Says in a line what starts the frames, what was missed, how long input takes to the display, and what draws.
impl fmt::Display for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "beat: {}", self.beat.map_or("unknown", Beat::name))?;
        if let Some((lost, why)) = self.beat_lost {
            let why = match why {
                BeatState::Wild => "runs wild",
                BeatState::Stopped => "has stopped or is not available",
                BeatState::Checking | BeatState::Steady => "was replaced",
            };
            write!(f, ", because {lost} {why}")?;
        }
        if let Some(latency) = self.shown.latency(0.5) {
            let millis = |time: Duration| time.as_secs_f64() * 1e3;
            let missed = self.shown.missed();
            let refreshes = if missed == 1 { "refresh" } else { "refreshes" };
            write!(f, "; {missed} {refreshes} missed; {:.1} ms from input to display", millis(latency))?;
            let saves = if self.waited.is_some() { "saves" } else { "would save" };
            write!(f, ", a late start {saves} {:.1}", millis(self.late_start_saves))?;
        } else {
            let clock = if self.has_foreign_clock { " on a clock that we can read" } else { "" };
            write!(f, "; no presentation feedback{clock}")?;
        }
        match self.renderer.as_str() {
            "" => Ok(()),
            renderer => write!(f, "; drawn by {renderer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use evenstep::host::Shown;

    use super::*;

    #[test]
    fn a_line_names_the_beat_what_it_replaces_what_was_missed_and_the_latency() {
        let mut display = Display { beat: Some(Beat::Deadlines), ..Display::default() };
        display.beat_lost = Some((Beat::BlockingPresent, BeatState::Wild));
        let at = Duration::from_millis(17);
        for sequence in [1, 2, 4] {
            display.shown.record(Shown {
                at,
                sequence: Some(sequence),
                refreshes_planned: 1,
                ..Shown::default()
            });
        }
        display.late_start_saves = Duration::from_millis(9);
        let line =
            "beat: deadlines, because present runs wild; 1 refresh missed; 17.0 ms from input to display";
        assert_eq!(display.to_string(), format!("{line}, a late start would save 9.0"));
        display.waited = Some(Duration::ZERO);
        display.renderer = "pixels in memory: no GPU".to_owned();
        assert_eq!(
            display.to_string(),
            format!("{line}, a late start saves 9.0; drawn by pixels in memory: no GPU")
        );
        display.shown.record(Shown { at, sequence: Some(6), refreshes_planned: 1, ..Shown::default() });
        assert!(display.to_string().contains("; 2 refreshes missed;"), "{display}");
    }
}
