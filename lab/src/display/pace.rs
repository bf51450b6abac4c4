//! How many refreshes a game takes for each frame.

use std::fmt;

use crate::random::Random;

/// How long a pattern lasts that alternates with another or changes, in seconds.
pub const PATTERN_S: f64 = 10.0;
/// The longest pattern.
const FRAMES_MAX: usize = 8;
/// The most refreshes that a pattern has for a frame.
const REFRESHES_MAX: u8 = 8;

/// How many refreshes the game takes for each frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// One.
    Every,
    /// A pattern, over and over.
    Repeated(Pattern),
    /// The number of a frame that is chosen at random from the pattern.
    Random(Pattern),
    /// Two patterns in turn, [`PATTERN_S`] each.
    Alternating(Pattern, Pattern),
    /// A random pattern of one to five frames with one to four refreshes each, and another every [`PATTERN_S`].
    Changing,
    /// Two in the last third of every period, by a game that periodically becomes too slow; otherwise one.
    Halving {
        /// Length of the period.
        every_s: f64,
    },
}

/// The refreshes of successive frames.
///
/// ```
/// use evenstep_lab::display::{Display, Pace, Pattern};
///
/// // A game that misses every other refresh: 40 frames a second on a 60 Hz display.
/// let pattern = Pattern::new(&[1, 2]).expect("one to eight frames of one to eight refreshes");
/// let display = Display { pace: Pace::Repeated(pattern), ..Display::new(60.0) };
/// let refreshes: Vec<_> = display.frames(1).take(5).map(|shown| shown.refresh.unwrap()).collect();
/// assert_eq!(refreshes, [0, 1, 3, 4, 6]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// One to eight.
    frames: u8,
    /// One to eight each; the first `frames` count.
    refreshes: [u8; FRAMES_MAX],
}

impl Pattern {
    /// A pattern of one to eight frames with one to eight refreshes each; `None` for any other.
    pub const fn new(refreshes: &[u8]) -> Option<Self> {
        let frames = refreshes.len();
        if frames == 0 || frames > FRAMES_MAX {
            return None;
        }
        let mut pattern = Self { frames: frames as u8, refreshes: [1; FRAMES_MAX] };
        let mut n = 0;
        while n < frames {
            if refreshes[n] == 0 || refreshes[n] > REFRESHES_MAX {
                return None;
            }
            pattern.refreshes[n] = refreshes[n];
            n += 1;
        }
        Some(pattern)
    }

    /// The refreshes of successive frames, until they repeat.
    pub fn refreshes(&self) -> &[u8] {
        &self.refreshes[..self.frames.into()]
    }

    fn at(&self, frame: usize) -> u8 {
        self.refreshes[frame % usize::from(self.frames)]
    }

    fn draw(random: &mut Random) -> Self {
        let frames = random.below(5) as u8 + 1;
        let mut refreshes = [1; FRAMES_MAX];
        refreshes[..frames.into()].fill_with(|| random.below(4) as u8 + 1);
        Self { frames, refreshes }
    }
}

/// The numbers, separated by commas.
impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, refreshes) in self.refreshes().iter().enumerate() {
            write!(out, "{}{refreshes}", if n == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// Where a game is in its pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct PaceState {
    frame: usize,
    /// For a pace that changes: how often it did, and to what.
    drawn: Option<(u64, Pattern)>,
}

impl PaceState {
    /// The refreshes of the next frame, at least one.
    pub(super) fn next(&mut self, pace: Pace, session_s: f64, random: &mut Random) -> u64 {
        let frame = self.frame;
        self.frame += 1;
        let turn = (session_s / PATTERN_S) as u64;
        match pace {
            Pace::Every => 1,
            Pace::Repeated(pattern) => pattern.at(frame).into(),
            Pace::Random(pattern) => pattern.at(random.below(pattern.frames.into())).into(),
            Pace::Alternating(even, odd) => {
                let pattern = if turn.is_multiple_of(2) { even } else { odd };
                pattern.at(frame).into()
            }
            Pace::Changing => match self.drawn {
                Some((drawn, pattern)) if drawn == turn => pattern.at(frame).into(),
                _ => {
                    let pattern = Pattern::draw(random);
                    self.drawn = Some((turn, pattern));
                    pattern.at(frame).into()
                }
            },
            Pace::Halving { every_s } => 1 + u64::from(session_s % every_s > every_s * 2.0 / 3.0),
        }
    }
}

/// A part of the display's description.
impl fmt::Display for Pace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => Ok(()),
            Self::Repeated(pattern) => write!(out, ", {pattern} refreshes a frame"),
            Self::Random(pattern) => write!(out, ", a random one of {pattern} refreshes a frame"),
            Self::Alternating(even, odd) => {
                write!(out, ", {even} and {odd} refreshes a frame, {PATTERN_S} s each")
            }
            Self::Changing => write!(out, ", another pattern of refreshes every {PATTERN_S} s"),
            Self::Halving { every_s } => write!(out, ", half rate for a third of every {every_s} s"),
        }
    }
}
