//! The pacing overlay: what the pacer does, frame by frame.

use std::time::Duration;

use evenstep::{DropReason, Frame, LockState, Pacer};

use crate::canvas::{CYAN, Canvas, GREEN, GREY, Ink, ORANGE, PINK, RED, WHITE, YELLOW};
use crate::hud::unit;

/// The number of frames in the plots.
const FRAMES: usize = 240;
/// Milliseconds at the top of the plot.
const TOP_MS: f32 = 40.0;

/// Measurements of one frame.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    // Frame time by the host's clock, and as counted by the pacer: the display lock makes the difference.
    measured_ms: f32,
    counted_ms: f32,
    steps: u32,
    alpha: f32,
    step_ms: f32,
    draw_ms: f32,
    dropped: bool,
    is_drawn: bool,
}

/// The overlay, with measurements of the last 240 frames.
#[derive(Debug)]
pub(crate) struct Overlay {
    pub(crate) is_shown: bool,
    samples: Vec<Sample>,
    next: usize,
    last: Option<Duration>,
}

impl Default for Overlay {
    fn default() -> Self {
        Self { is_shown: false, samples: Vec::with_capacity(FRAMES), next: 0, last: None }
    }
}

impl Overlay {
    /// Records a frame. It is not drawn yet, so step and draw times are those of the previous frame.
    pub(crate) fn record(&mut self, frame: &Frame, pacer: &Pacer, now: Duration) {
        let measured = self.last.map_or(Duration::ZERO, |last| now.saturating_sub(last));
        self.last = Some(now);
        let sample = Sample {
            measured_ms: millis(measured),
            counted_ms: millis(frame.raw_dt()),
            steps: frame.steps(),
            alpha: frame.alpha() as f32,
            step_ms: millis(pacer.stats().step_time()),
            draw_ms: millis(pacer.stats().draw_time()),
            dropped: !frame.dropped().is_zero(),
            is_drawn: frame.should_draw(),
        };
        if self.samples.len() < FRAMES {
            self.samples.push(sample);
        } else {
            self.samples[self.next] = sample;
        }
        self.next = (self.next + 1) % FRAMES;
    }

    /// The samples, oldest first.
    fn in_order(&self) -> impl Iterator<Item = &Sample> {
        let (newer, older) = self.samples.split_at(self.next.min(self.samples.len()));
        older.iter().chain(newer)
    }

    /// The number of images per second, and of frames if a limit on the drawing rate skips some.
    fn fps(&self, frames: f64) -> String {
        let drawn = self.samples.iter().filter(|sample| sample.is_drawn).count();
        if drawn == self.samples.len() {
            return format!("{frames:.1}");
        }
        format!("{:.1} of {frames:.1}", frames * drawn as f64 / self.samples.len() as f64)
    }

    /// The number of steps per frame needed to keep up, at the current scale and display rate.
    fn usual_steps(&self) -> u32 {
        let steps: u32 = self.samples.iter().map(|sample| sample.steps).sum();
        let mean = steps as f32 / self.samples.len().max(1) as f32;
        // An occasional extra step does not count.
        (mean - 0.1).ceil().max(1.0) as u32
    }

    /// A quantile of the recent draw times.
    fn draw_ms(&self, share: f32) -> f32 {
        let mut times: Vec<f32> = self.samples.iter().map(|sample| sample.draw_ms).collect();
        times.sort_by(f32::total_cmp);
        let last = times.len().saturating_sub(1);
        times.get((last as f32 * share).round() as usize).copied().unwrap_or_default()
    }

    pub(crate) fn draw<C: Canvas>(&self, canvas: &mut C, frame: &Frame, pacer: &Pacer) {
        if !self.is_shown {
            return;
        }
        let (width, height) = canvas.size();
        let u = unit((width, height));
        let wide = (width - 32.0 * u).min(760.0 * u);
        let dot = (1.7 * u).min(wide / 390.0).max(1.0);
        let line = dot * 11.0;
        let mut texts = lines(self, pacer);
        texts.push((format!("last: {}", frame.explain()), YELLOW));
        let letters = ((wide / (dot * 6.0)) as usize).saturating_sub(4);
        let lines: Vec<(String, [u8; 3])> = texts
            .iter()
            .flat_map(|(text, rgb)| wrap(text, letters).into_iter().map(|line| (line, *rgb)))
            .collect();
        let rows = lines.len();
        let (strip, pad) = (46.0 * u, 8.0 * u);
        let high = rows as f32 * line + 3.0 * (strip + pad) + 3.0 * pad;
        let (left, top) = (16.0 * u, height - high - 16.0 * u);
        canvas.rect(left, top, wide, high, Ink::new([3, 5, 12], 0.82));
        canvas.rect(left, top, wide, 1.5 * u, Ink::new(CYAN, 0.6));
        let (mut y, x) = (top + pad, left + pad);
        for (text, rgb) in &lines {
            canvas.text(x, y, dot, text, Ink::new(*rgb, 0.95));
            y += line;
        }
        y += pad;
        for plot in [Self::draw_times, Self::draw_steps, Self::draw_alphas] {
            let area = [x, y, wide - 2.0 * pad, strip];
            canvas.rect(area[0], area[1], area[2], area[3], Ink::new(GREY, 0.12));
            let name = plot(self, canvas, area);
            canvas.text(x + 4.0, y + 4.0, (dot * 0.8).max(1.0), name, Ink::new(WHITE, 0.8));
            y += strip + pad;
        }
    }

    fn draw_times<C: Canvas>(&self, canvas: &mut C, [left, top, width, height]: [f32; 4]) -> &'static str {
        let each = width / FRAMES as f32;
        for mark in [1000.0 / 60.0, 1000.0 / 30.0] {
            let y = top + height * (1.0 - mark / TOP_MS);
            canvas.rect(left, y, width, 1.0, Ink::new(GREY, 0.4));
        }
        let bar = |n: usize, ms: f32| {
            let high = (ms / TOP_MS).clamp(0.0, 1.0) * height;
            [left + n as f32 * each, top + height - high, each, high]
        };
        let mut bars = [[0.0; 4]; FRAMES];
        for is_late in [false, true] {
            let mut len = 0;
            for (n, sample) in self.in_order().enumerate() {
                if (sample.dropped || sample.measured_ms > TOP_MS) == is_late {
                    bars[len] = bar(n, sample.measured_ms);
                    len += 1;
                }
            }
            canvas.rects(&bars[..len], Ink::new(if is_late { RED } else { CYAN }, 0.55));
        }
        let mut len = 0;
        for (n, sample) in self.in_order().enumerate() {
            let [x, y, ..] = bar(n, sample.counted_ms);
            bars[len] = [x, y - 1.0, each, 2.0];
            len += 1;
        }
        canvas.rects(&bars[..len], Ink::new(YELLOW, 0.95));
        "FRAME MS: BARS AS MEASURED, LINE AS COUNTED"
    }

    fn draw_steps<C: Canvas>(&self, canvas: &mut C, [left, top, width, height]: [f32; 4]) -> &'static str {
        let each = width / FRAMES as f32;
        let usual = self.usual_steps();
        for (excess, rgb) in [(0, GREEN), (1, ORANGE), (2, RED)] {
            let bars: Vec<[f32; 4]> = self
                .in_order()
                .enumerate()
                .filter(|(_, sample)| sample.steps.saturating_sub(usual).min(2) == excess)
                .map(|(n, sample)| {
                    let high = (sample.steps as f32 / 4.0).min(1.0) * height;
                    [left + n as f32 * each, top + height - high, each, high]
                })
                .collect();
            canvas.rects(&bars, Ink::new(rgb, 0.7));
        }
        "STEPS A FRAME"
    }

    fn draw_alphas<C: Canvas>(&self, canvas: &mut C, [left, top, width, height]: [f32; 4]) -> &'static str {
        let each = width / FRAMES as f32;
        let dots: Vec<[f32; 4]> = self
            .in_order()
            .enumerate()
            .map(|(n, sample)| {
                [left + n as f32 * each, top + (1.0 - sample.alpha) * (height - 2.0), each.max(1.0), 2.0]
            })
            .collect();
        canvas.rects(&dots, Ink::new(PINK, 0.95));
        "ALPHA"
    }
}

fn lines(overlay: &Overlay, pacer: &Pacer) -> Vec<(String, [u8; 3])> {
    let stats = pacer.stats();
    let (lock, rgb) = match stats.lock_state() {
        LockState::Off => ("off: timestamps as they come".to_owned(), ORANGE),
        LockState::Searching => ("searching".to_owned(), YELLOW),
        LockState::Locked { refresh_hz } => (format!("locked at {refresh_hz:.3} Hz"), GREEN),
        LockState::Free => ("free: no fixed refresh".to_owned(), ORANGE),
    };
    let last = overlay.in_order().last().copied().unwrap_or_default();
    let ledger = pacer.ledger();
    let is_lost = DropReason::ALL
        .into_iter()
        .any(|reason| reason != DropReason::Reset && ledger.dropped_ns(reason) > 0);
    let dropped: Vec<String> = DropReason::ALL
        .into_iter()
        .filter(|&reason| ledger.dropped_ns(reason) > 0)
        .map(|reason| format!("{} {:.0}", reason.name(), ledger.dropped_ns(reason) as f64 / 1e6))
        .collect();
    let dropped = if dropped.is_empty() { "nothing".to_owned() } else { dropped.join("  ") };
    vec![
        (format!("display lock (L): {lock}"), rgb),
        (
            format!(
                "{} fps   {:.1} ticks/s   scale {:.2}   frame p50 {:.2} p99 {:.2} ms",
                overlay.fps(stats.fps()),
                stats.ticks_per_second(),
                pacer.scale(),
                millis(stats.frame_time(0.5)),
                millis(stats.frame_time(0.99)),
            ),
            WHITE,
        ),
        (
            format!(
                "step {:.2} ms   draw {:.2} ms (p50 {:.2}, p99 {:.2})   tick {}",
                last.step_ms,
                last.draw_ms,
                overlay.draw_ms(0.5),
                overlay.draw_ms(0.99),
                pacer.tick(),
            ),
            WHITE,
        ),
        // Time dropped by starting a new run does not count as a loss.
        (format!("dropped ms: {dropped}"), if is_lost { RED } else { GREY }),
    ]
}

fn millis(time: Duration) -> f32 {
    (time.as_secs_f64() * 1e3) as f32
}

/// Breaks a text into lines at spaces.
fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + 1 + word.len() > most {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenstep::Pacing;

    #[test]
    fn the_strip_holds_the_last_240_frames_oldest_first() {
        let (mut overlay, mut pacer) = (Overlay::default(), Pacer::new(Pacing::hz(60)));
        for n in 0..300 {
            let now = Duration::from_millis(n * (n % 7 + 1));
            let frame = pacer.frame(now);
            overlay.record(&frame, &pacer, Duration::from_millis(n * n));
        }
        let measured: Vec<f32> = overlay.in_order().map(|sample| sample.measured_ms).collect();
        assert_eq!(measured.len(), FRAMES);
        assert!(measured.is_sorted(), "gaps that grow are drawn as gaps that grow");
    }

    #[test]
    fn a_wrapped_text_loses_no_word() {
        let text = "0 steps: a gap of 600.000 ms is a stall, not a frame";
        let lines = wrap(text, 20);
        assert!(lines.iter().all(|line| line.len() <= 20));
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_limit_on_the_drawing_rate_shows() {
        for (cap, words) in [(None, "60.0"), (Some(evenstep::Rate::hz(30)), "30.0 of 60.0")] {
            let mut pacer = Pacer::new(Pacing::hz(60).with_draw_rate(cap));
            let mut overlay = Overlay::default();
            for n in 0..2 * FRAMES as u32 {
                let now = Duration::from_secs(1) * n / 60;
                overlay.record(&pacer.frame(now), &pacer, now);
            }
            assert_eq!(overlay.fps(60.0), words);
        }
    }

    #[test]
    fn what_a_frame_needs_to_keep_up_is_no_excess() {
        for (hz, scale, usual) in [(60, 1.0, 1), (144, 1.0, 1), (25, 1.0, 3), (60, 4.0, 4), (60, 0.25, 1)] {
            let mut pacer = Pacer::new(Pacing::hz(60));
            pacer.set_scale(evenstep::Channel::TIME_DILATION, scale);
            let mut overlay = Overlay::default();
            for n in 0..FRAMES as u32 {
                // After a stall a frame catches up, which does not count.
                let late = Duration::from_millis(if n == 100 { 40 } else { 0 });
                let now = Duration::from_secs(1) * n / hz + late;
                overlay.record(&pacer.frame(now), &pacer, now);
            }
            assert_eq!(overlay.usual_steps(), usual, "{hz} Hz at {scale}");
        }
    }
}
