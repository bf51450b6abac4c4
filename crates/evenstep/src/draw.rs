//! The limit on the draw rate.

use crate::rate::Rate;

/// Longer gaps are cut to this, which keeps the sums below within their integers.
const GAP_MAX_NS: u64 = 1 << 43;
/// Frames over which the display's interval is averaged.
const MEAN_OVER_MAX: i64 = 64;
/// A limit within one part in 200 of the display's rate is ignored.
const NEAR_PART: i64 = 200;

/// Picks the display frames to draw: for each image that is due, the nearest display frame.
///
/// ```text
/// display 144 Hz  |  |  |  |  |  |  |  |  |  |  |
/// due      60 Hz  |      |      |      |      |
/// drawn           x     x    x     x    x        (nearest: 60.0 a second on average, not 144 / 3 = 48)
/// ```
///
/// Due times form a fixed sequence that does not depend on when images are drawn, so no remainder is lost. Half a
/// display frame of tolerance keeps timestamp noise from skipping an image on a display at the same rate. On a
/// display within 0.5 % of the limit every frame is drawn; otherwise a limit of 60 would skip an image every 20 s at
/// 60.05 Hz.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct DrawLimit {
    // 0: no limit.
    interval_ns: i64,
    // How long ago the next image was due; negative while it is not.
    overdue_ns: i64,
    // The mean interval of the latest frames, and over how many.
    mean_ns: i64,
    mean_over: i64,
}

impl DrawLimit {
    pub(crate) fn new(rate: Option<Rate>) -> Self {
        let mut limit = Self { interval_ns: 0, overdue_ns: 0, mean_ns: 0, mean_over: 0 };
        limit.set_rate(rate);
        limit
    }

    pub(crate) fn set_rate(&mut self, rate: Option<Rate>) {
        let interval_ns = rate.map_or(0, |rate| rate.step().as_nanos() as i64);
        if interval_ns != self.interval_ns {
            self.interval_ns = interval_ns;
            self.overdue_ns = self.overdue_ns.max(-interval_ns);
        }
    }

    /// Whether a limit at this rate can be at this position.
    #[cfg(feature = "serde")]
    pub(crate) fn is_possible(&self, rate: Option<Rate>) -> bool {
        let interval_ns = Self::new(rate).interval_ns;
        let gap_ns = GAP_MAX_NS as i64 + interval_ns;
        self.interval_ns == interval_ns
            && (-gap_ns..=gap_ns).contains(&self.overdue_ns)
            && (0..=2 * gap_ns).contains(&self.mean_ns)
            && (0..=MEAN_OVER_MAX).contains(&self.mean_over)
    }

    #[inline]
    pub(crate) fn is_due(&mut self, elapsed_ns: u64) -> bool {
        if self.interval_ns == 0 {
            return true;
        }
        let elapsed_ns = elapsed_ns.min(GAP_MAX_NS) as i64;
        // A single long gap says nothing about the display.
        if elapsed_ns > 0 {
            self.mean_over = (self.mean_over + 1).min(MEAN_OVER_MAX);
            self.mean_ns += (elapsed_ns.min(2 * self.interval_ns) - self.mean_ns) / self.mean_over;
        }
        // A mean above the interval means a slower display, which needs no limit, or a faster one after a slow phase.
        let near_ns =
            self.interval_ns - self.interval_ns / NEAR_PART..=self.interval_ns + self.interval_ns / 50;
        self.overdue_ns += elapsed_ns;
        // A frame much shorter than the interval makes up for a late one, or the display has changed.
        if near_ns.contains(&self.mean_ns) && elapsed_ns >= self.interval_ns / 4 * 3 {
            self.overdue_ns = (self.overdue_ns - self.interval_ns).clamp(-self.interval_ns, 0);
            return true;
        }
        let due = self.overdue_ns >= -(elapsed_ns / 2);
        if due {
            // A display slower than the limit is drawn on every frame and accumulates no debt.
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
        // Up to 4.2 ms. The first frame is the latest, so all others seem early.
        let noise = |n: u64| (1 << 22) - (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 42);
        assert_eq!(drawn(Rate::hz(60), Rate::hz(60), 6_000, noise), 6_000);
    }

    #[test]
    fn a_limit_within_half_a_percent_of_the_display_skips_nothing_in_an_hour() {
        let noise = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 45;
        for (display, limit) in [
            (Rate::new(6_005, 100), Rate::hz(60)),
            (Rate::new(6_029, 100), Rate::hz(60)),
            (Rate::hz(60), Rate::new(60_000, 1_001)),
            (Rate::new(14_405, 100), Rate::hz(144)),
        ] {
            let frames = (display.as_hz() * 3_600.0) as u64;
            assert_eq!(drawn(display, limit, frames, |_| 0), frames, "{limit} on {display}");
            assert_eq!(drawn(display, limit, frames, noise), frames, "{limit} on {display} with noise");
        }
    }

    #[test]
    fn a_slower_display_is_drawn_on_every_frame() {
        assert_eq!(drawn(Rate::hz(50), Rate::hz(60), 5_000, |_| 0), 5_000);
    }
}
