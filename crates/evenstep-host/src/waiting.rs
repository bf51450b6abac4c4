//! What waits for a tick.
//!
//! ```text
//! gate     open          | closed              | open
//! events   move  A  move |  B  A up  move      |  C  move
//! waits    move  A  move | what is held now    |  C  move
//! ```
//!
//! Presses and releases wait one by one. Of events that tell a state, such as moves, a later one replaces an earlier
//! one of the same frame; and when room is short, one of an earlier frame. Each sort has room of its own, so no press
//! is ever lost to a move.

use std::time::Duration;

use evenstep::{Frame, InputLatch, Latching};

use crate::event::{Event, Standing};
use crate::input::{Held, Input};

/// How many presses and releases may wait. More than a player makes in a stall of seconds.
const EDGES_MAX: usize = 256;
/// How many others may. There are fewer kinds of state than this, so there is always one to replace.
const STATES_MAX: usize = 128;

/// What waits for a tick, in the order in which it happened.
#[derive(Debug)]
pub(crate) struct Waiting {
    latch: InputLatch<Latched, { EDGES_MAX + STATES_MAX }>,
    // How many of the latched are presses and releases.
    edges: usize,
    // How many of the last ones tell states of this frame, with neither a press nor a release after them.
    fresh: usize,
    dropped: u64,
}

#[derive(Clone, Debug)]
enum Latched {
    Event(Event),
    /// From here on the game knows what is held, and not how it came about.
    Settle(Box<Held>),
}

impl Waiting {
    pub(crate) const fn new(latching: Latching) -> Self {
        Self { latch: InputLatch::new(latching), edges: 0, fresh: 0, dropped: 0 }
    }

    /// How many events no tick will see, since too many waited.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// An event for the tick that it belongs to. `held` is what is held with it.
    pub(crate) fn push(&mut self, at: Duration, event: Event, held: &Held) {
        match event.standing() {
            None if self.edges == EDGES_MAX => self.drop_event(at, held),
            None => {
                self.edges += 1;
                self.fresh = 0;
                self.latch(at, Latched::Event(event));
            }
            Some(standing) => {
                let earlier = self.take_fresh(standing);
                if self.make_room() {
                    self.fresh += 1;
                    self.latch(at, Latched::Event(earlier.map_or(event, |earlier| earlier.then(event))));
                } else {
                    self.drop_event(at, held);
                }
            }
        }
    }

    /// The game does not hear of what happened: it will only know what is held.
    pub(crate) fn settle(&mut self, at: Duration, held: &Held) {
        self.fresh = 0;
        if let Some((_, Latched::Settle(settled))) = self.latch.iter_mut().next_back() {
            **settled = *held;
            return;
        }
        // If there is none to replace, this marker will replace them all; its own place is kept free.
        let _ = self.make_room();
        self.latch(at, Latched::Settle(Box::new(*held)));
    }

    /// A frame at `now`, be it one without ticks.
    pub(crate) fn begin_frame(&mut self, now: Duration) {
        self.fresh = 0;
        self.latch.sync(now);
    }

    /// Hands a tick what belongs to it.
    pub(crate) fn feed(&mut self, input: &mut Input, frame: &Frame, tick: u64) {
        while let Some(latched) = self.latch.take(frame, tick) {
            match latched {
                Latched::Event(event) => {
                    self.edges -= usize::from(event.standing().is_none());
                    input.apply(event);
                }
                Latched::Settle(held) => input.settle(&held),
            }
        }
    }

    fn drop_event(&mut self, at: Duration, held: &Held) {
        self.dropped += 1;
        // Give up on how it came about rather than on what is held, or a key might stay down for ever.
        self.settle(at, held);
    }

    fn latch(&mut self, at: Duration, latched: Latched) {
        let is_latched = self.latch.push(at, latched).is_ok();
        debug_assert!(is_latched, "both sorts have room of their own");
    }

    /// Takes out what this frame told of a state so far.
    fn take_fresh(&mut self, standing: Standing) -> Option<Event> {
        let is_same = |latched: &Latched| matches!(latched, Latched::Event(event) if event.standing() == Some(standing));
        let back = self.latch.iter().rev().take(self.fresh).position(|(_, latched)| is_same(latched))?;
        self.fresh -= 1;
        match self.latch.remove(self.latch.len() - 1 - back)? {
            Latched::Event(event) => Some(event),
            Latched::Settle(_) => None,
        }
    }

    /// Makes room for another state, and leaves some to settle in.
    fn make_room(&mut self) -> bool {
        while self.latch.len() - self.edges >= STATES_MAX - 1 {
            let Some((n, heir)) = self.replaceable() else {
                return false;
            };
            let replaced = self.latch.remove(n);
            if let (Some(Latched::Event(earlier)), Some((_, Latched::Event(later)))) =
                (replaced, self.latch.iter_mut().nth(heir - 1))
            {
                *later = earlier.then(*later);
            }
        }
        true
    }

    /// The first of what waits that something after it makes pointless, and the place of that: best where no press or
    /// release is between them.
    fn replaceable(&self) -> Option<(usize, usize)> {
        let sorts: Vec<_> = self.latch.iter().map(|(_, latched)| Sort::of(latched)).collect();
        let heir_of = |n: usize, is_near: bool| {
            let after = sorts.iter().enumerate().skip(n + 1);
            let mut after = after.take_while(|(_, sort)| !is_near || !matches!(sort, Sort::Edge));
            after.find(|(_, sort)| sorts[n].is_replaced_by(**sort)).map(|(heir, _)| (n, heir))
        };
        let find = |is_near| (0..sorts.len()).find_map(|n| heir_of(n, is_near));
        find(true).or_else(|| find(false))
    }
}

/// What waits, as far as it matters to whether it may be replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    Edge,
    State(Standing),
    Settle,
}

impl Sort {
    fn of(latched: &Latched) -> Self {
        match latched {
            Latched::Event(event) => event.standing().map_or(Self::Edge, Self::State),
            Latched::Settle(_) => Self::Settle,
        }
    }

    fn is_replaced_by(self, later: Self) -> bool {
        match later {
            Self::Edge => false,
            Self::State(_) => self == later,
            // How far a wheel turned is not held.
            Self::Settle => !matches!(self, Self::Edge | Self::State(Standing::Wheel)),
        }
    }
}
