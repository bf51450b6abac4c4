//! Input that reaches exactly one tick.

use core::time::Duration;

use crate::frame::Frame;
use crate::rate::to_nanos;

/// An event further ahead of the frames than this is not early: its clock is another one.
const AHEAD_MAX_NS: u64 = 1_000_000_000;

/// Which tick an event goes to.
///
/// ```
/// use evenstep::{InputLatch, Latching};
///
/// let simple: InputLatch<char, 16> = InputLatch::new(Latching::FirstTick);
/// assert!(simple.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Latching {
    /// To the tick whose interval holds its timestamp: exact spacing at any frame rate.
    ByTime,
    /// To the first tick that runs after it was pushed: the least latency.
    FirstTick,
}

/// Holds timestamped events until the tick that they belong to, and hands each to that one tick alone.
///
/// A frame may run no tick or three. What happens between two ticks waits here for the next, so a press and a release
/// within one frame are both seen, in order, by the same tick; and no event is seen twice.
///
/// Events keep the order in which they were pushed, whatever their timestamps say, so a release never overtakes its
/// press. A timestamp before that of an event that still waits counts as that one's.
///
/// ```text
/// events      a   b          c    d
/// frames    |---------|---------|---------|
/// ticks     |------------|------------|------   a, b go to the first, c to the second, d waits
/// ```
///
/// `N` events fit. The buffer allocates nothing; a full one hands the event back.
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
    // A ring of `len` events from `head` on, in the order of their arrival. Their times never go back.
    events: [Option<(u64, E)>; N],
    head: usize,
    len: usize,
    latching: Latching,
    // The time that the latch was last told of.
    now_ns: u64,
}

impl<E, const N: usize> InputLatch<E, N> {
    /// An empty latch.
    ///
    /// ```
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let input: InputLatch<u8, 32> = InputLatch::new(Latching::ByTime);
    /// assert_eq!(input.len(), 0);
    /// ```
    pub const fn new(latching: Latching) -> Self {
        Self { events: [const { None }; N], head: 0, len: 0, latching, now_ns: 0 }
    }

    /// Latches an event that happened `at`, on the clock of the frames' timestamps.
    ///
    /// It may be pushed in advance: up to a second ahead of the frames it still waits for the tick of its time.
    ///
    /// # Errors
    ///
    /// Gives the event back when `N` are waiting.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let mut input: InputLatch<char, 1> = InputLatch::new(Latching::ByTime);
    /// assert_eq!(input.push(Duration::ZERO, 'a'), Ok(()));
    /// assert_eq!(input.push(Duration::ZERO, 'b'), Err('b'));
    /// ```
    pub fn push(&mut self, at: Duration, event: E) -> Result<(), E> {
        if self.len == N {
            return Err(event);
        }
        let at_ns = to_nanos(at).max(self.last_at_ns());
        self.events[self.index(self.len)] = Some((at_ns, event));
        self.len += 1;
        Ok(())
    }

    /// Takes the next event that belongs to `tick` of `frame`, or none when all of them are taken.
    ///
    /// Ask for each tick of the frame in turn. What is not asked for stays and goes to a later tick.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching, Pacer, Pacing};
    ///
    /// let mut pacer = Pacer::new(Pacing::hz(60));
    /// let mut input: InputLatch<char, 8> = InputLatch::new(Latching::FirstTick);
    /// pacer.frame(Duration::ZERO);
    /// input.push(Duration::from_millis(30), 'a').unwrap();
    /// let frame = pacer.frame(Duration::from_millis(50));
    /// assert_eq!(input.take(&frame, frame.first_tick()), Some('a'));
    /// assert_eq!(input.take(&frame, frame.first_tick()), None);
    /// ```
    pub fn take(&mut self, frame: &Frame, tick: u64) -> Option<E> {
        self.sync(Duration::from_nanos(frame.now_ns));
        match self.latching {
            Latching::FirstTick => self.remove(0),
            Latching::ByTime => self.take_until(frame.tick_end(tick)),
        }
    }

    /// Takes the next event that happened no later than `instant`, whichever the [`Latching`].
    ///
    /// For ticks that no [`Frame`] planned, such as those of a server that knows when each of them ends:
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

    /// Tells the latch what time it is on the clock of the frames, so that no event waits for a time that never comes.
    ///
    /// When the clock was set back, what waits moves back with it; an event more than a second ahead counts as
    /// happening now. [`take`](Self::take) does this by itself; call it on frames that run no tick, or where there are
    /// no frames.
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
            // What comes before may wait for a time that is ahead, but not too far: the order stays.
            *at_ns = if *at_ns > ahead_max_ns { now_ns } else { *at_ns }.max(last_ns);
            last_ns = *at_ns;
        }
    }

    /// Looks at what waits: when each event happened, and the event, in the order in which they will be taken.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let mut input: InputLatch<char, 8> = InputLatch::new(Latching::ByTime);
    /// input.push(Duration::from_millis(3), 'a').unwrap();
    /// input.push(Duration::from_millis(5), 'b').unwrap();
    /// // To send to a peer before any tick has taken them.
    /// let packet: Vec<(Duration, &char)> = input.iter().collect();
    /// assert_eq!(packet[1], (Duration::from_millis(5), &'b'));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Duration, &E)> {
        (0..self.len).filter_map(|slot| {
            self.events[self.index(slot)].as_ref().map(|(at_ns, event)| (Duration::from_nanos(*at_ns), event))
        })
    }

    /// Changes what waits: [`iter`](Self::iter) with events that can be written.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// // How far a wheel turned: what comes before the next tick adds up.
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

    /// Takes out the `n`th event that waits, counted as [`iter`](Self::iter) does.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// // A later position makes an earlier one pointless.
    /// let mut positions: InputLatch<u32, 8> = InputLatch::new(Latching::ByTime);
    /// positions.push(Duration::from_millis(1), 20).unwrap();
    /// positions.push(Duration::from_millis(2), 30).unwrap();
    /// assert_eq!(positions.remove(0), Some(20));
    /// assert_eq!(positions.len(), 1);
    /// ```
    pub fn remove(&mut self, n: usize) -> Option<E> {
        if n >= self.len {
            return None;
        }
        for slot in (0..n).rev() {
            let (here, next) = (self.index(slot), self.index(slot + 1));
            self.events.swap(here, next);
        }
        let (_, event) = self.events[self.head].take()?;
        self.head = self.index(1);
        self.len -= 1;
        Some(event)
    }

    /// Forgets all that waits, as for a new game.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let mut input: InputLatch<char, 8> = InputLatch::new(Latching::ByTime);
    /// input.push(Duration::ZERO, 'a').unwrap();
    /// input.clear();
    /// assert!(input.is_empty());
    /// ```
    pub fn clear(&mut self) {
        *self = Self { now_ns: self.now_ns, ..Self::new(self.latching) };
    }

    /// How many events wait.
    ///
    /// ```
    /// use core::time::Duration;
    /// use evenstep::{InputLatch, Latching};
    ///
    /// let mut input: InputLatch<char, 8> = InputLatch::new(Latching::ByTime);
    /// input.push(Duration::ZERO, 'a').unwrap();
    /// assert_eq!(input.len(), 1);
    /// ```
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no event waits.
    ///
    /// ```
    /// use evenstep::{InputLatch, Latching};
    ///
    /// assert!(InputLatch::<char, 8>::new(Latching::ByTime).is_empty());
    /// ```
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    const fn index(&self, slot: usize) -> usize {
        (self.head + slot) % N
    }

    /// Every slot that is filled, in order: those from `head` to the end of the memory, then those before it.
    fn slots_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut (u64, E)> {
        let (second, first) = self.events.split_at_mut(self.head);
        first.iter_mut().chain(second).flatten()
    }

    /// When the event in a slot happened. Every slot below `len` is filled.
    fn at_ns(&self, slot: usize) -> u64 {
        self.events[self.index(slot)].as_ref().map_or(0, |&(at_ns, _)| at_ns)
    }

    /// When the last event that waits happened; 0 if none does.
    fn last_at_ns(&self) -> u64 {
        self.len.checked_sub(1).map_or(0, |last| self.at_ns(last))
    }
}
