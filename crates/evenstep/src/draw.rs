//! The limit on the drawing rate.

use crate::rate::Rate;

/// Past this a gap is a gap; keeps the sums below inside their integers.
const GAP_MAX_NS: u64 = 1 << 40;

/// Picks the display frames to draw: for each image that is due, the display frame nearest to it.
///
/// ```text
/// display 144 Hz  |  |  |  |  |  |  |  |  |  |  |
/// due      60 Hz  |      |      |      |      |
/// drawn           x     x    x     x    x        (nearest: 60.0 a second on average, not 144 / 3 = 48)
/// ```
///
/// Due times follow one another and are never moved to when an image was drawn, so no remainder is lost; and half a display frame of slack means that timestamp noise never skips an image on a display at the same rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawLimit {
    // 0: no limit.
    interval_ns: i64,
    // How far the present instant lies past the one that is due; below zero it is still to come.
    overdue_ns: i64,
}

impl DrawLimit {
    pub(crate) fn new(rate: Option<Rate>) -> Self {
        let mut limit = Self { interval_ns: 0, overdue_ns: 0 };
        limit.set_rate(rate);
        limit
    }

    pub(crate) fn set_rate(&mut self, rate: Option<Rate>) {
        self.interval_ns = rate.map_or(0, |rate| rate.step().as_nanos() as i64);
        self.overdue_ns = self.overdue_ns.max(-self.interval_ns);
    }

    #[inline]
    pub(crate) fn is_due(&mut self, elapsed_ns: u64) -> bool {
        if self.interval_ns == 0 {
            return true;
        }
        let elapsed = elapsed_ns.min(GAP_MAX_NS).cast_signed();
        self.overdue_ns += elapsed;
        let due = self.overdue_ns >= -(elapsed / 2);
        if due {
            // A display slower than the limit is drawn on every frame and owes nothing.
            self.overdue_ns = (self.overdue_ns - self.interval_ns).min(0);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(display: Rate, limit: Rate, frames: u64, noise_ns: impl Fn(u64) -> u64) -> u64 {
        let mut draw = DrawLimit::new(Some(limit));
        let mut last = 0;
        let at = |n: u64| display.time_of(n).as_nanos() as u64 + noise_ns(n);
        (0..frames)
            .map(|n| {
                let elapsed = at(n) - last;
                last = at(n);
                u64::from(draw.is_due(elapsed))
            })
            .sum()
    }

    #[test]
    fn the_average_is_the_limit_on_any_faster_display() {
        for display in [61, 75, 90, 120, 144, 165, 240, 360] {
            for limit in [24, 30, 50, 60] {
                let seconds = 100;
                let count = drawn(Rate::hz(display), Rate::hz(limit), u64::from(display) * seconds, |_| 0);
                let wanted = u64::from(limit) * seconds;
                assert!(count.abs_diff(wanted) <= 1, "{limit} fps on {display} Hz: {count} in {seconds} s");
            }
        }
    }

    #[test]
    fn noise_never_skips_an_image_on_a_display_at_the_limit() {
        // Up to 4.2 ms; the first frame has most of it, so the others seem early.
        let noise = |n: u64| (1 << 22) - (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 42);
        assert_eq!(drawn(Rate::hz(60), Rate::hz(60), 6_000, noise), 6_000);
    }

    #[test]
    fn a_slower_display_is_drawn_on_every_frame() {
        assert_eq!(drawn(Rate::hz(50), Rate::hz(60), 5_000, |_| 0), 5_000);
    }
}
