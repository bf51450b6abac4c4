//! Hints for the first runs: each is shown once, when what it explains first appears, and remembered in the store.

use evenstep_host::{Color, Paint};
use starship_sim::tuning::{HEAT_MAX, VIEW_HEIGHT};
use starship_sim::{Phase, State, Vec2};

use crate::layout::{Area, LINE, SHADE, dot, size_of, unit, wrap};
use crate::letters;
use crate::palette::{WHITE, YELLOW};
use crate::store::Store;

/// How long a hint stays, in seconds of wall time.
const STAYS: f32 = 5.0;
/// The pause between two hints, in seconds.
const GAP: f32 = 1.0;

/// Something to explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    Fire,
    Gems,
    Crates,
    Puddles,
    Heat,
    Boss,
    Ring,
    Overtime,
}

impl Hint {
    /// All hints; the more urgent first.
    const ALL: [Self; 8] = [
        Self::Ring,
        Self::Overtime,
        Self::Boss,
        Self::Heat,
        Self::Fire,
        Self::Gems,
        Self::Crates,
        Self::Puddles,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Fire => "fire",
            Self::Gems => "gems",
            Self::Crates => "crates",
            Self::Puddles => "puddles",
            Self::Heat => "heat",
            Self::Boss => "boss",
            Self::Ring => "ring",
            Self::Overtime => "overtime",
        }
    }

    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Fire => ["YOUR WEAPONS FIRE BY THEMSELVES", "JUST FLY, AND KEEP MOVING"],
            Self::Gems => ["COLLECT THE GREEN GEMS", "ENOUGH OF THEM TAKE YOU TO THE NEXT LEVEL"],
            Self::Crates => {
                ["BREAK CRATES: SHOOT THEM, OR RAM THEM WHILE BOOSTING", "THEY HOLD REPAIRS AND BONUSES"]
            }
            Self::Puddles => ["VIOLET PUDDLES SPEED YOU UP AND COOL THE SHIP", "BUT MAKE IT HARD TO STOP"],
            Self::Heat => ["BOOSTING HEATS THE SHIP", "IF IT OVERHEATS, IT IS SLOW UNTIL IT HAS COOLED"],
            Self::Boss => ["THE MECH IS HERE: FOLLOW THE RED ARROW", "BEAT IT, AND A PORTAL OPENS"],
            Self::Ring => {
                ["STAY INSIDE THE RED RING: IT IS CLOSING", "FLY INTO THE PORTAL TO LEAVE THE SECTOR"]
            }
            Self::Overtime => {
                ["TIME IS UP: MORE ENEMIES, AND THEY HIT HARDER", "BEAT THE MECH AS SOON AS YOU CAN"]
            }
        }
    }

    /// Whether what it explains is there to be seen.
    fn is_due(self, state: &State) -> bool {
        let ship = state.ship.pos();
        let is_near = |at: Vec2| at.distance(ship) < VIEW_HEIGHT * 0.4;
        match self {
            Self::Fire => !state.shots.is_empty(),
            Self::Gems => state.pickups.values().any(|pickup| is_near(pickup.pos())),
            Self::Crates => state.crates.values().any(|krate| is_near(krate.pos())),
            Self::Puddles => state.puddles.iter().any(|puddle| is_near(puddle.pos)),
            Self::Heat => state.ship.heat > 0.5 * HEAT_MAX,
            Self::Boss => state.boss.is_some(),
            Self::Ring => state.boss_room.is_some(),
            Self::Overtime => state.mission.overtime && state.boss_room.is_none(),
        }
    }

    fn key(self) -> String {
        format!("hint.{}", self.name())
    }
}

/// The hints that are still to come, and the one that is shown.
#[derive(Debug)]
pub(crate) struct Hints {
    to_come: Vec<Hint>,
    shown: Option<Hint>,
    // Seconds until the shown hint goes, or until another may come.
    left: f32,
}

impl Hints {
    pub(crate) fn new(store: &Store) -> Self {
        let is_new = |hint: &Hint| store.get(&hint.key()).is_none();
        Self { to_come: Hint::ALL.into_iter().filter(is_new).collect(), shown: None, left: 0.0 }
    }

    /// Looks at the game once per frame, while the player plays. A new hint is remembered at once.
    pub(crate) fn advance(&mut self, state: &State, store: &mut Store, wall_secs: f32) {
        if state.phase != Phase::Playing {
            return;
        }
        self.left = (self.left - wall_secs).max(0.0);
        if self.left > 0.0 {
            return;
        }
        if self.shown.take().is_some() {
            self.left = GAP;
            return;
        }
        if let Some(place) = self.to_come.iter().position(|hint| hint.is_due(state)) {
            let hint = self.to_come.remove(place);
            store.set(&hint.key(), "shown");
            self.shown = Some(hint);
            self.left = STAYS;
        }
    }

    #[cfg(test)]
    pub(crate) fn show_longest(&mut self) {
        let longest = Hint::ALL.into_iter().max_by_key(|hint| hint.words().map(str::len));
        self.shown = longest;
        self.left = STAYS / 2.0;
    }

    /// Ends the hint that is shown, with its run.
    pub(crate) const fn clear(&mut self) {
        self.shown = None;
        self.left = 0.0;
    }

    /// The area of the hint: near the bottom, above what is there. `None` if there is no room.
    pub(crate) fn area(&self, size: (f64, f64), taken: &[Area]) -> Option<Area> {
        let (dot, lines) = lines(self.shown?, size);
        let longest = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
        let wide = (longest as f64 * 6.0 + 8.0) * dot;
        let high = (lines.len() as f64 * LINE + 6.0) * dot;
        let mut area = Area::new((size.0 - wide) / 2.0, size.1 * 0.9 - high, wide, high);
        for _ in taken {
            if let Some(other) = taken.iter().find(|other| other.meets(area)) {
                area.top = other.top - high - 2.0;
            }
        }
        // Not where the ship is, nor above it.
        (area.top > size.1 * 0.6).then_some(area)
    }

    pub(crate) fn draw<C: Paint>(&self, canvas: &mut C, area: Area) {
        let Some(hint) = self.shown else {
            return;
        };
        let strength = (self.left / 0.4).min(1.0).min((STAYS - self.left) / 0.25).max(0.0);
        area.shade(canvas, SHADE * strength);
        let (dot, lines) = lines(hint, size_of(canvas));
        for (n, (line, color)) in lines.iter().enumerate() {
            let y = area.top + (n as f64 * LINE + 5.0) * dot;
            letters::draw_centred(canvas, area.middle(), y, dot, line, color.with_alpha(0.95 * strength));
        }
    }
}

/// The lines of a hint, with their colours, and their dot.
fn lines(hint: Hint, size: (f64, f64)) -> (f64, Vec<(String, Color)>) {
    let dot = dot(2.1 * unit(size));
    let letters = ((size.0 - 24.0) / (6.0 * dot)) as usize;
    let words = hint.words().into_iter().zip([YELLOW, WHITE]);
    let lines =
        words.flat_map(|(words, color)| wrap(words, letters).into_iter().map(move |line| (line, color)));
    (dot, lines.collect())
}

#[cfg(test)]
mod tests {
    use starship_sim::{Autopilot, RunDef, Sim};

    use super::*;

    /// Lets the autopilot play with hints. Returns those that were shown, in their order.
    fn shown(store: &mut Store, ticks: u32) -> Vec<&'static str> {
        let mut sim = Sim::new(RunDef::seeded(1));
        sim.launch(RunDef::seeded(1));
        let mut hints = Hints::new(store);
        let mut seen: Vec<&'static str> = Vec::new();
        for _ in 0..ticks {
            let input = Autopilot.input(sim.state());
            sim.tick(input, &mut ());
            hints.advance(sim.state(), store, 1.0 / 60.0);
            if let Some(hint) = hints.shown
                && seen.last() != Some(&hint.name())
            {
                seen.push(hint.name());
            }
        }
        seen
    }

    #[test]
    fn every_hint_is_shown_once_and_never_again() {
        let mut store = Store::in_memory();
        let first = shown(&mut store, 8_000);
        let mut sorted = first.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), first.len(), "each once: {first:?}");
        for name in ["fire", "gems", "crates", "boss", "ring"] {
            assert!(first.contains(&name), "{name} is not among {first:?}");
            assert_eq!(store.get(&format!("hint.{name}")), Some("shown"));
        }
        let again = shown(&mut store, 8_000);
        assert!(again.iter().all(|name| !first.contains(name)), "{again:?}");
    }

    #[test]
    fn a_puddle_is_explained_when_it_is_near() {
        let mut store = Store::in_memory();
        store.set(&Hint::Crates.key(), "shown");
        let mut hints = Hints::new(&store);
        let mut state = State::new(RunDef::seeded(1));
        state.phase = Phase::Playing;
        let puddle = |x| starship_sim::Puddle { pos: state.ship.pos() + Vec2::new(x, 0.0), radius: 2.0 };
        let far = puddle(VIEW_HEIGHT);
        let near = puddle(VIEW_HEIGHT * 0.3);
        state.puddles = vec![far];
        hints.advance(&state, &mut store, 0.1);
        assert_eq!(hints.shown, None);
        state.puddles.push(near);
        hints.advance(&state, &mut store, 0.1);
        assert_eq!(hints.shown, Some(Hint::Puddles));
    }

    #[test]
    fn a_hint_stays_while_the_world_holds_still_and_gives_way_to_an_urgent_one_afterwards() {
        let mut store = Store::in_memory();
        let mut hints = Hints::new(&store);
        let mut state = State::new(RunDef::seeded(1));
        state.phase = Phase::Playing;
        state.ship.heat = HEAT_MAX;
        state.mission.overtime = true;
        hints.advance(&state, &mut store, 0.1);
        assert_eq!(hints.shown, Some(Hint::Overtime));
        state.phase = Phase::Choosing;
        (0..1_000).for_each(|_| hints.advance(&state, &mut store, 0.1));
        assert_eq!(hints.shown, Some(Hint::Overtime), "nobody reads it behind the cards");
        state.phase = Phase::Playing;
        (0..70).for_each(|_| hints.advance(&state, &mut store, 0.1));
        assert_eq!(hints.shown, Some(Hint::Heat));
    }
}
