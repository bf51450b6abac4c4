//! The input latch: every event reaches exactly one tick.

use core::time::Duration;

use crate::frame::Frame;
use crate::rate::to_nanos;

/// An event further ahead of the frames than this is not early: its timestamp comes from another clock.
const AHEAD_MAX_NS: u64 = 1_000_000_000;

/// Which tick receives an event.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{InputLatch, Latching, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// let tick_of_event = |latching| {
///     let mut pacer = Pacer::new(Pacing::game_loop());
///     let mut input: InputLatch<&str, 16> = InputLatch::new(latching);
///     pacer.frame(ms(0));
///     input.push(ms(40), "jump").unwrap();
///     let frame = pacer.frame(ms(51)); // Ticks 0, 1 and 2.
///     frame.ticks().find(|&tick| input.take(&frame, tick).is_some())
/// };
/// assert_eq!(tick_of_event(Latching::ByTime), Some(2));
/// assert_eq!(tick_of_event(Latching::FirstTick), Some(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Latching {
    /// The tick whose interval contains its timestamp: exact timing at any frame rate.
    ByTime,
    /// The first tick that runs after it was pushed: the lowest latency.
    FirstTick,
}

/// Buffers timestamped events and hands each one to exactly one tick.
///
/// A frame may run zero ticks or several. Events between two ticks wait for the next one, so a press and a release
/// within one frame are both seen, in order.
///
/// Events stay in the order in which they were pushed, whatever their timestamps, so a release never overtakes its
/// press. A timestamp before that of a waiting event is raised to it.
///
/// ```text
/// events      a   b          c    d
/// frames    |---------|---------|---------|
/// ticks     |------------|------------|------   a, b go to the first, c to the second, d waits
/// ```
///
/// The capacity is `N`, without allocation. When the buffer is full, `push` returns the event.
///
/// ```
/// use core::time::Duration;
/// use evenstep::{InputLatch, Latching, Pacer, Pacing};
///
/// let ms = Duration::from_millis;
/// let mut pacer = Pacer::new(Pacing::game_loop());
/// let mut input: InputLatch<&str, 64> = InputLatch::new(Latching::ByTime);
/// pacer.frame(ms(0));
/// input.push(ms(3), "press").unwrap();
/// input.push(ms(5), "release").unwrap();
/// input.push(ms(40), "press").unwrap();
///
/// assert_eq!(pacer.frame(ms(8)).steps(), 0);
/// let frame = pacer.frame(ms(52));
/// let mut seen = Vec::new();
/// for tick in frame.ticks() {
///     while let Some(event) = input.take(&frame, tick) {
///         seen.push((tick, event));
///     }
/// }
/// assert_eq!(seen, [(0, "press"), (0, "release"), (2, "press")]);
/// ```
#[derive(Clone, Debug)]
pub struct InputLatch<E, const N: usize> {
    // A ring buffer of `len` events starting at `head`, in order of arrival. Their times never decrease.
    events: [Option<(u64, E)>; N],
    head: usize,
    len: usize,
    latching: Latching,
    // The time last passed to `sync`.
    now_ns: u64,
}

impl<E, const N: usize> InputLatch<E, N> {
    /// Creates an empty latch.
    pub const fn new(latching: Latching) -> Self {
        Self { events: [const { None }; N], head: 0, len: 0, latching, now_ns: 0 }
    }

    /// Adds an event that happened at time `at`, on the clock of the frames' timestamps.
    ///
    /// An event up to a second ahead of the frames waits for the tick of its time.
    ///
    /// # Errors
    ///
    /// Returns the event if `N` events are waiting.
    pub fn push(&mut self, at: Duration, event: E) -> Result<(), E> {
        if self.len == N {
            return Err(event);
        }
        let at_ns = to_nanos(at).max(self.last_at_ns());
        self.events[self.index(self.len)] = Some((at_ns, event));
        self.len += 1;
        Ok(())
    }

    /// Takes the next event that belongs to `tick` of `frame`, or returns `None` if there are no more.
    ///
    /// Call it for each tick of the frame in order. Events not taken stay and go to a later tick.
    pub fn take(&mut self, frame: &Frame, tick: u64) -> Option<E> {
        self.sync(Duration::from_nanos(frame.now_ns));
        match self.latching {
            Latching::FirstTick => self.remove(0),
            Latching::ByTime => self.take_until(frame.tick_end(tick)),
        }
    }

    /// Takes the next event that happened no later than `instant`, regardless of the [`Latching`].
    ///
    /// Use it for ticks without a [`Frame`], such as those of a server that knows when each tick ends:
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching, Rate};
    ///
    /// let mut input: InputLatch<&str, 16> = InputLatch::new(Latching::ByTime);
    /// input.push(Duration::from_millis(30), "jump").unwrap();
    /// input.push(Duration::from_millis(60), "fire").unwrap();
    /// let rate = Rate::hz(20);
    /// for (tick, seen) in [(1, Some("jump")), (2, Some("fire")), (3, None)] {
    ///     assert_eq!(input.take_until(rate.time_of(tick)), seen);
    /// }
    /// ```
    pub fn take_until(&mut self, instant: Duration) -> Option<E> {
        let is_due = self.len > 0 && self.at_ns(0) <= to_nanos(instant);
        if is_due { self.remove(0) } else { None }
    }

    /// Tells the latch the current time on the clock of the frames, so that no event waits indefinitely.
    ///
    /// If the clock was set back, waiting events move back with it. An event more than a second ahead counts as
    /// happening now. [`take`](Self::take) calls this; call it yourself on frames without ticks, or if there are no
    /// frames.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let ms = Duration::from_millis;
    /// let mut input: InputLatch<char, 8> = InputLatch::new(Latching::ByTime);
    /// input.sync(ms(60_000));
    /// input.push(ms(60_003), 'a').unwrap();
    /// input.sync(ms(59_500));
    /// assert_eq!(input.take_until(ms(59_510)), Some('a'));
    /// ```
    pub fn sync(&mut self, now: Duration) {
        let now_ns = to_nanos(now);
        let back_ns = self.now_ns.saturating_sub(now_ns);
        self.now_ns = now_ns;
        let ahead_max_ns = now_ns.saturating_add(AHEAD_MAX_NS);
        if back_ns == 0 && self.last_at_ns() <= ahead_max_ns {
            return;
        }
        let mut last_ns = 0;
        for (at_ns, _) in self.slots_mut() {
            *at_ns = at_ns.saturating_sub(back_ns);
            // Never before the previous event, which may itself be slightly ahead: the order stays.
            *at_ns = if *at_ns > ahead_max_ns { now_ns } else { *at_ns }.max(last_ns);
            last_ns = *at_ns;
        }
    }

    /// Iterates over the waiting events and their times, in the order in which they will be taken.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let mut input: InputLatch<char, 8> = InputLatch::new(Latching::ByTime);
    /// input.push(Duration::from_millis(3), 'a').unwrap();
    /// input.push(Duration::from_millis(5), 'b').unwrap();
    /// // Send them to a peer before a tick takes them.
    /// let packet: Vec<(Duration, &char)> = input.iter().collect();
    /// assert_eq!(packet[1], (Duration::from_millis(5), &'b'));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Duration, &E)> {
        (0..self.len).filter_map(|slot| {
            self.events[self.index(slot)].as_ref().map(|(at_ns, event)| (Duration::from_nanos(*at_ns), event))
        })
    }

    /// Iterates over the waiting events like [`iter`](Self::iter), with mutable access.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// // Wheel movement: what arrives before the next tick adds up.
    /// let mut turns: InputLatch<i32, 8> = InputLatch::new(Latching::FirstTick);
    /// turns.push(Duration::from_millis(1), 2).unwrap();
    /// if let Some((_, turn)) = turns.iter_mut().next_back() {
    ///     *turn += 3;
    /// }
    /// assert_eq!(turns.take_until(Duration::from_millis(1)), Some(5));
    /// ```
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Duration, &mut E)> {
        self.slots_mut().map(|(at_ns, event)| (Duration::from_nanos(*at_ns), event))
    }

    /// Removes the `n`th waiting event, counted as in [`iter`](Self::iter).
    pub fn remove(&mut self, n: usize) -> Option<E> {
        if n >= self.len {
            return None;
        }
        for slot in (0..n).rev() {
            let here = self.index(slot);
            let next = self.index(slot + 1);
            self.events.swap(here, next);
        }
        let (_, event) = self.events[self.head].take()?;
        self.head = self.index(1);
        self.len -= 1;
        Some(event)
    }

    /// Removes all waiting events, as for a new game.
    pub fn clear(&mut self) {
        *self = Self { now_ns: self.now_ns, ..Self::new(self.latching) };
    }

    /// The number of waiting events.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the latch is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    const fn index(&self, slot: usize) -> usize {
        (self.head + slot) % N
    }

    /// All filled slots in order: from `head` to the end of the array, then those before it.
    fn slots_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut (u64, E)> {
        let (second, first) = self.events.split_at_mut(self.head);
        first.iter_mut().chain(second).flatten()
    }

    /// The time of the event in a slot. Every slot below `len` is filled.
    fn at_ns(&self, slot: usize) -> u64 {
        self.events[self.index(slot)].as_ref().map_or(0, |&(at_ns, _)| at_ns)
    }

    /// The time of the last waiting event; 0 if there is none.
    fn last_at_ns(&self) -> u64 {
        self.len.checked_sub(1).map_or(0, |last| self.at_ns(last))
    }
}
