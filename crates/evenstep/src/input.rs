//! Input that reaches exactly one tick.

use core::time::Duration;

use crate::frame::Frame;
use crate::rate::to_nanos;

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
    // A ring in order of time: `len` events from `head` on.
    events: [Option<(u64, E)>; N],
    head: usize,
    len: usize,
    latching: Latching,
    // When the last frame that asked began.
    now: u64,
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
        Self { events: [const { None }; N], head: 0, len: 0, latching, now: 0 }
    }

    /// Latches an event that happened `at`, on the clock of the frames' timestamps.
    ///
    /// Events may come out of order; those of one instant keep theirs.
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
        let at = to_nanos(at);
        let mut slot = self.len;
        self.events[self.index(slot)] = Some((at, event));
        self.len += 1;
        while slot > 0 && self.at(slot - 1) > at {
            let (before, here) = (self.index(slot - 1), self.index(slot));
            self.events.swap(before, here);
            slot -= 1;
        }
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
        // On a clock that was set back, what waits happened before now, whatever its timestamp says.
        if frame.now < self.now {
            self.events.iter_mut().flatten().for_each(|(at, _)| *at = (*at).min(frame.now));
        }
        self.now = frame.now;
        if self.len == 0 {
            return None;
        }
        let belongs = match self.latching {
            Latching::FirstTick => true,
            Latching::ByTime => self.at(0) <= to_nanos(frame.tick_end(tick)),
        };
        if !belongs {
            return None;
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
        *self = Self::new(self.latching);
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

    /// When the event in a slot happened. Every slot below `len` is filled.
    fn at(&self, slot: usize) -> u64 {
        self.events[self.index(slot)].as_ref().map_or(0, |&(at, _)| at)
    }
}
