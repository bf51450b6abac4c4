//! The queue of events that wait for their tick.
//!
//! ```text
//! gate     open          | closed              | open
//! events   move  A  move |  B  A up  move      |  C  move
//! queue    move  A  move | held state          |  C  move
//! ```
//!
//! Presses and releases (*edges*) are queued one by one. Events that report a state, such as moves, replace an earlier
//! one from the same frame and, when space runs short, from an earlier frame. Edges and states have separate limits, so
//! no press is ever lost to a move.

use std::time::Duration;

use evenstep::{Frame, InputLatch, Latching};

use crate::event::{Event, Pointer, Reported};
use crate::input::{Held, Input};

/// How many presses and releases may wait: more than a player makes in a stall of several seconds.
const EDGES_MAX: usize = 256;
/// How many other entries may wait. Only a crowd of pointers reports more kinds of state than this.
const STATES_MAX: usize = 128;

/// The events that wait for their tick, in order.
#[derive(Debug)]
pub(crate) struct Waiting {
    latch: InputLatch<Latched, { EDGES_MAX + STATES_MAX }>,
    // How many entries are presses and releases.
    edges: usize,
    // How many of the last entries are states from this frame, with no press or release after them.
    fresh: usize,
    // Whether states of one frame go to one tick and may be merged at once. Latched by time, they may go to several.
    merges: bool,
    dropped: u64,
}

#[derive(Clone, Debug)]
enum Latched {
    Event(Event),
    /// Sets what is held, without the events that led to it.
    Settle(Box<Held>),
}

impl Waiting {
    pub(crate) const fn new(latching: Latching) -> Self {
        let merges = matches!(latching, Latching::FirstTick);
        Self { latch: InputLatch::new(latching), edges: 0, fresh: 0, merges, dropped: 0 }
    }

    /// Returns how many events were dropped because too many were waiting.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Queues an event for its tick. `held` is what is held after it.
    pub(crate) fn push(&mut self, at: Duration, event: Event, held: &Held) {
        match event.reported() {
            None if self.edges == EDGES_MAX => self.drop_event(at, held),
            None => {
                self.edges += 1;
                self.fresh = 0;
                self.latch(at, Latched::Event(event));
            }
            Some(reported) => {
                let earlier = if self.merges { self.take_fresh(reported) } else { None };
                if self.make_room() {
                    self.fresh += 1;
                    self.latch(at, Latched::Event(earlier.map_or(event, |earlier| earlier.merge(event))));
                } else {
                    self.drop_event(at, held);
                }
            }
        }
    }

    /// Queues the held state in place of events that the game must not see.
    pub(crate) fn settle(&mut self, at: Duration, held: &Held) {
        self.fresh = 0;
        if let Some((_, Latched::Settle(settled))) = self.latch.iter_mut().next_back() {
            **settled = *held;
            return;
        }
        // If no state can be replaced, this entry makes all of them replaceable. `make_room` always leaves space for
        // it.
        let _ = self.make_room();
        self.latch(at, Latched::Settle(Box::new(*held)));
    }

    /// Starts the frame at `now`, whether or not it has ticks.
    pub(crate) fn begin_frame(&mut self, now: Duration) {
        self.fresh = 0;
        self.latch.sync(now);
    }

    /// Feeds a tick the events that belong to it.
    pub(crate) fn feed(&mut self, input: &mut Input, frame: &Frame, tick: u64) {
        while let Some(latched) = self.latch.take(frame, tick) {
            match latched {
                Latched::Event(event) => {
                    self.edges -= usize::from(event.reported().is_none());
                    input.apply(event);
                }
                Latched::Settle(held) => input.settle(&held),
            }
        }
    }

    fn drop_event(&mut self, at: Duration, held: &Held) {
        self.dropped += 1;
        // Keep the held state, or a key whose release was dropped would stay down forever.
        self.settle(at, held);
    }

    fn latch(&mut self, at: Duration, latched: Latched) {
        let is_latched = self.latch.push(at, latched).is_ok();
        debug_assert!(is_latched, "edges and states have separate limits");
    }

    /// Removes and returns the event of this frame that reports the given state, if there is one.
    fn take_fresh(&mut self, reported: Reported) -> Option<Event> {
        let is_same = |latched: &Latched| matches!(latched, Latched::Event(event) if event.reported() == Some(reported));
        let back = self.latch.iter().rev().take(self.fresh).position(|(_, latched)| is_same(latched))?;
        self.fresh -= 1;
        match self.latch.remove(self.latch.len() - 1 - back)? {
            Latched::Event(event) => Some(event),
            Latched::Settle(_) => None,
        }
    }

    /// Makes room for another state, keeping one slot free for `settle`. Returns whether there is room.
    fn make_room(&mut self) -> bool {
        while self.latch.len() - self.edges >= STATES_MAX - 1 {
            let Some((n, later_at)) = self.replaceable() else {
                return false;
            };
            let replaced = self.latch.remove(n);
            if let (Some(Latched::Event(earlier)), Some((_, Latched::Event(later)))) =
                (replaced, self.latch.iter_mut().nth(later_at - 1))
            {
                *later = earlier.merge(*later);
            }
        }
        true
    }

    /// Finds the first entry that a later one replaces, and the index of that later one. Prefers pairs with no press or
    /// release between them.
    fn replaceable(&self) -> Option<(usize, usize)> {
        let kinds: Vec<_> = self.latch.iter().map(|(_, latched)| Kind::of(latched)).collect();
        let replacement_of = |n: usize, is_near: bool| {
            let after = kinds.iter().enumerate().skip(n + 1);
            let mut after = after.take_while(|(_, kind)| !is_near || !matches!(kind, Kind::Edge));
            after.find(|(_, kind)| kinds[n].is_replaced_by(**kind)).map(|(later_at, _)| (n, later_at))
        };
        let find = |is_near| (0..kinds.len()).find_map(|n| replacement_of(n, is_near));
        find(true).or_else(|| find(false))
    }
}

/// The kind of an entry, which decides what may replace it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Edge,
    State(Reported),
    Settle,
}

impl Kind {
    fn of(latched: &Latched) -> Self {
        match latched {
            Latched::Event(event) => event.reported().map_or(Self::Edge, Self::State),
            Latched::Settle(_) => Self::Settle,
        }
    }

    fn is_replaced_by(self, later: Self) -> bool {
        match later {
            Self::Edge => false,
            Self::State(_) => self == later,
            // The held state has where sticks and the mouse are.
            Self::Settle => match self {
                Self::Settle | Self::State(Reported::Axis { .. }) => true,
                Self::State(Reported::Position { id }) => id == Pointer::MOUSE,
                Self::Edge | Self::State(_) => false,
            },
        }
    }
}
