//! A uniform grid over the arena that finds what a shot hits. It is rebuilt on every tick and is not part of the state.

use crate::crates::Crate;
use crate::enemies::{Enemy, EnemyKind};
use crate::math::Vec2;
use crate::pool::Id;
use crate::shots::nearest_on;
use crate::state::State;
use crate::tuning::{ARENA_HALF, CRATE_HALF, CRATES, ENEMIES_MAX, ENEMY_RADIUS_MAX};

/// Size of a cell in metres.
const CELL: f32 = 3.0;
/// Number of cells along a side.
const SIDE: usize = (2.0 * ARENA_HALF / CELL) as usize + 3;
/// Radius of the circle that stands in for a crate, in metres: between its side and its corner.
const CRATE_RADIUS: f32 = CRATE_HALF * 1.15;
/// Largest distance between the centre of a target and the point where a shot touches it, in metres.
const REACH: f32 = if CRATE_RADIUS > ENEMY_RADIUS_MAX { CRATE_RADIUS } else { ENEMY_RADIUS_MAX };

/// What a shot can hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    Enemy(Id<Enemy>),
    Crate(Id<Crate>),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    pos: Vec2,
    radius: f32,
    target: Target,
}

/// Enemies and crates by cell. Scratch memory, filled and used within one tick.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    // The entries of cell `n` are `starts[n]..starts[n + 1]`.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    // Entries with their cells, in slot order, before sorting.
    unsorted: Vec<(u32, Entry)>,
    // Too large for the search radius; checked one by one.
    large: Vec<Entry>,
}

impl Grid {
    pub(crate) fn new() -> Self {
        let most = (ENEMIES_MAX + CRATES) as usize;
        Self {
            starts: vec![0; SIDE * SIDE + 2],
            entries: Vec::with_capacity(most),
            unsorted: Vec::with_capacity(most),
            large: Vec::with_capacity(4),
        }
    }

    /// Sorts entries by cell with a counting sort; within a cell enemies come before crates, each in slot order.
    pub(crate) fn fill(&mut self, state: &State) {
        self.unsorted.clear();
        self.large.clear();
        for (id, enemy) in state.enemies.iter() {
            let entry = Entry { pos: enemy.pos(), radius: enemy.radius(), target: Target::Enemy(id) };
            if enemy.kind == EnemyKind::Mech {
                if self.large.len() < self.large.capacity() {
                    self.large.push(entry);
                }
            } else {
                self.unsorted.push((cell_of(enemy.pos()), entry));
            }
        }
        for (id, krate) in state.crates.iter() {
            let entry = Entry { pos: krate.pos(), radius: CRATE_RADIUS, target: Target::Crate(id) };
            self.unsorted.push((cell_of(krate.pos()), entry));
        }
        self.starts.fill(0);
        for &(cell, _) in &self.unsorted {
            self.starts[cell as usize + 2] += 1;
        }
        for n in 2..self.starts.len() {
            self.starts[n] += self.starts[n - 1];
        }
        self.entries.clear();
        if let Some(&(_, any)) = self.unsorted.first() {
            self.entries.resize(self.unsorted.len(), any);
        }
        // Placing an entry advances the start of its cell; at the end `starts[n]` is where cell n begins.
        for &(cell, entry) in &self.unsorted {
            let place = &mut self.starts[cell as usize + 1];
            self.entries[*place as usize] = entry;
            *place += 1;
        }
    }

    /// Returns the first living target that a moving circle hits, and where.
    pub(crate) fn first_hit(
        &self,
        state: &State,
        from: Vec2,
        to: Vec2,
        radius: f32,
    ) -> Option<(Target, Vec2)> {
        let mut first: Option<(f32, Target, Vec2)> = None;
        let mut consider = |entry: &Entry| {
            let (share, point) = nearest_on(from, to, entry.pos);
            let reach = entry.radius + radius;
            if point.distance_squared(entry.pos) < reach * reach
                && first.is_none_or(|(least, ..)| share < least)
                && is_alive(state, entry.target)
            {
                first = Some((share, entry.target, point));
            }
        };
        self.large.iter().for_each(&mut consider);
        let margin = Vec2::splat(REACH + radius);
        let low = from.min(to) - margin;
        let high = from.max(to) + margin;
        let low_x = column(low.x);
        let low_y = column(low.y);
        let high_x = column(high.x);
        let high_y = column(high.y);
        for y in low_y..=high_y {
            // The cells of a row are adjacent, and so are their entries.
            let begin = self.starts[y * SIDE + low_x] as usize;
            let end = self.starts[y * SIDE + high_x + 1] as usize;
            self.entries[begin..end].iter().for_each(&mut consider);
        }
        first.map(|(_, target, at)| (target, at))
    }
}

fn is_alive(state: &State, target: Target) -> bool {
    match target {
        Target::Enemy(id) => state.enemies.get(id).is_some(),
        Target::Crate(id) => state.crates.get(id).is_some(),
    }
}

/// Returns the row or column of a coordinate. Points outside the arena are in the outermost cells.
fn column(coordinate: f32) -> usize {
    (((coordinate + ARENA_HALF) / CELL + 1.0).max(0.0) as usize).min(SIDE - 1)
}

fn cell_of(pos: Vec2) -> u32 {
    (column(pos.y) * SIDE + column(pos.x)) as u32
}
