//! Difficulties, and their numbers.

use serde::{Deserialize, Serialize};

/// How hard a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Difficulty {
    /// Fewer and weaker enemies.
    Easy,
    /// The game as it was meant.
    #[default]
    Normal,
    /// More and tougher enemies.
    Hard,
}

impl Difficulty {
    /// All difficulties, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Normal, Self::Hard];

    /// Returns the name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Hard => "hard",
        }
    }

    pub(crate) const fn numbers(self) -> Numbers {
        match self {
            Self::Easy => Numbers { damage: 0.6, pressure: 0.8, toughness: 0.85 },
            Self::Normal => Numbers { damage: 1.0, pressure: 1.0, toughness: 1.0 },
            Self::Hard => Numbers { damage: 1.4, pressure: 1.25, toughness: 1.2 },
        }
    }
}

/// The numbers of a difficulty, each a factor of those of the normal one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// Damage of hits on the ship.
    pub(crate) damage: f32,
    /// Target population and spawn rate.
    pub(crate) pressure: f32,
    /// Hull points of enemies.
    pub(crate) toughness: f32,
}
