//! The pacing overlay: what the pacer does, frame by frame.

use std::time::Duration;

use evenstep::{DropReason, Frame, LockState, Pacer};
use evenstep_host::{Color, Display, Paint};

use crate::layout::{Area, LINE, dot, size_of, unit, wrap};
use crate::letters;
use crate::palette::{CYAN, GREEN, GREY, ORANGE, PINK, RED, WHITE, YELLOW};

/// The number of frames in the plots.
const FRAMES: usize = 240;
/// Milliseconds at the top of the plot.
const TOP_MS: f64 = 40.0;
/// Steps at the top of the plot.
const TOP_STEPS: u32 = 4;
/// Text that changes faster than this cannot be read.
const TEXT_EVERY: Duration = Duration::from_millis(250);
/// The smallest area in which the overlay makes sense, in points.
pub(crate) const LEAST: (f64, f64) = (150.0, 44.0);
/// The lowest plot that can be read, in points.
const STRIP_MIN: f64 = 16.0;

/// Measurements of one frame.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    // Frame time by the host's clock, and as counted by the pacer: the display lock makes the difference.
    measured_ms: f64,
    counted_ms: f64,
    steps: u32,
    alpha: f64,
    step_ms: f64,
    draw_ms: f64,
    dropped: bool,
    is_drawn: bool,
}

/// The overlay, with measurements of the last 240 frames.
#[derive(Debug)]
pub(crate) struct Overlay {
    samples: Vec<Sample>,
    next: usize,
    last: Option<Duration>,
    // What is written, and when it was.
    lines: Vec<(String, Color)>,
    captions: [String; 3],
    written: Option<Duration>,
    renderer: String,
}

impl Default for Overlay {
    fn default() -> Self {
        Self {
            samples: Vec::with_capacity(FRAMES),
            next: 0,
            last: None,
            lines: Vec::new(),
            captions: Default::default(),
            written: None,
            renderer: String::new(),
        }
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
            alpha: frame.alpha(),
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
        let mean = steps as f64 / self.samples.len().max(1) as f64;
        // An occasional extra step does not count.
        (mean - 0.1).ceil().max(1.0) as u32
    }

    /// A quantile of the recent draw times.
    fn draw_ms(&self, share: f64) -> f64 {
        let mut times: Vec<f64> = self.samples.iter().map(|sample| sample.draw_ms).collect();
        times.sort_by(f64::total_cmp);
        let last = times.len().saturating_sub(1);
        times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
    }

    /// Writes the text of a frame, four times a second.
    pub(crate) fn write(&mut self, frame: &Frame, pacer: &Pacer, display: &Display, now: Duration) {
        let is_due = |written: Duration| now < written || now.saturating_sub(written) >= TEXT_EVERY;
        if !self.written.is_none_or(is_due) {
            return;
        }
        self.written = Some(now);
        self.lines = lines(self, pacer);
        if display.beat.is_some() {
            self.lines.push((display.to_string(), if display.beat_lost.is_some() { ORANGE } else { WHITE }));
        }
        self.lines.push((format!("last: {}", frame.explain()), YELLOW));
        let range = |of: fn(&Sample) -> f64| {
            let values = self.samples.iter().map(of);
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            })
        };
        let [low, high] = range(|sample| sample.measured_ms);
        self.captions[0] = format!("FRAME MS {low:.1} TO {high:.1}: BARS MEASURED, LINE COUNTED");
        let [low, high] = range(|sample| sample.steps as f64);
        self.captions[1] = format!("STEPS A FRAME {low} TO {high}");
        let [low, high] = range(|sample| sample.alpha);
        self.captions[2] = format!("ALPHA {low:.2} TO {high:.2}");
    }

    /// Returns why the game is drawn without a GPU, once for each reason.
    pub(crate) fn fallback(&mut self, display: &Display) -> Option<&str> {
        if self.renderer == display.renderer {
            return None;
        }
        self.renderer.clone_from(&display.renderer);
        Some(self.renderer.as_str()).filter(|renderer| renderer.starts_with("pixels in memory: "))
    }

    /// Forgets the text, so that it is fresh when the overlay is shown again.
    pub(crate) fn hide(&mut self) {
        self.written = None;
    }

    /// The largest size that the overlay uses.
    pub(crate) fn most(size: (f64, f64)) -> (f64, f64) {
        let u = unit(size);
        (760.0 * u.max(0.6), 300.0 * u.max(0.7))
    }

    /// Draws the overlay in the lower left corner of a free area. What does not fit is left out, the plots first.
    pub(crate) fn draw<C: Paint>(&self, canvas: &mut C, free: Area) {
        let u = unit(size_of(canvas));
        let most = Self::most(size_of(canvas));
        let wide = free.width.min(most.0);
        let high_most = free.height.min(most.1);
        let dot = dot((1.7 * u).min(wide / 390.0));
        let line = dot * LINE;
        let pad = 8.0 * u;
        let letters = ((wide - 2.0 * pad) / (dot * 6.0)) as usize;
        let mut lines: Vec<(String, Color)> = self
            .lines
            .iter()
            .flat_map(|(text, color)| wrap(text, letters).into_iter().map(|line| (line, *color)))
            .collect();
        lines.truncate(((high_most - 2.0 * pad) / line) as usize);
        let left_over = high_most - 2.0 * pad - lines.len() as f64 * line;
        let plots = ((left_over / (STRIP_MIN * u.max(1.0) + pad)) as usize).min(3);
        let strip = (left_over / plots.max(1) as f64 - pad).min(46.0 * u.max(0.6));
        let high = 2.0 * pad + lines.len() as f64 * line + plots as f64 * (strip + pad);
        let left = free.left;
        let top = free.bottom() - high;
        canvas.rect(left, top, wide, high, Color::rgb(0x03_05_0C).with_alpha(0.86));
        canvas.rect(left, top, wide, 1.5 * u, CYAN.with_alpha(0.6));
        let mut y = top + pad;
        let x = left + pad;
        for (text, color) in &lines {
            letters::draw(canvas, x, y, dot, text, color.with_alpha(0.95));
            y += line;
        }
        let draw = [Self::draw_times, Self::draw_steps, Self::draw_alphas];
        let top_steps = TOP_STEPS.to_string();
        let numbers = [["0", "16.7", "33.3"], ["0", "1", &top_steps], ["0", "0.5", "1"]];
        let levels = [
            [0.0, 1000.0 / 60.0 / TOP_MS, 1000.0 / 30.0 / TOP_MS],
            [0.0, 1.0 / f64::from(TOP_STEPS), 1.0],
            [0.0, 0.5, 1.0],
        ];
        // Numbers to the right of each plot.
        let small = (dot * 0.8).max(1.0);
        let axis = 5.0 * 6.0 * small;
        for n in 0..plots {
            y += pad;
            let plot = Area::new(x, y, wide - 2.0 * pad - axis, strip);
            plot.fill(canvas, GREY.with_alpha(0.12));
            draw[n](self, canvas, plot);
            let mut below = f64::INFINITY;
            for (number, level) in numbers[n].iter().zip(levels[n]) {
                let mark = y + strip * (1.0 - level);
                // The middle number only if there is room.
                let at = (mark - 3.5 * small).min(y + strip - 7.0 * small).max(y);
                if at + 8.0 * small <= below {
                    letters::draw(canvas, plot.right() + 2.0 * small, at, small, number, GREY);
                    below = at;
                }
                canvas.rect(x, mark.min(y + strip - 1.0), plot.width, 1.0, GREY.with_alpha(0.4));
            }
            let caption: String =
                self.captions[n].chars().take(((plot.width - 6.0) / (small * 6.0)) as usize).collect();
            let under =
                Area::new(x + 2.0, y + 1.0, caption.chars().count() as f64 * 6.0 * small + 4.0, 9.0 * small);
            under.shade(canvas, 0.7);
            letters::draw(canvas, x + 4.0, y + 2.0, small, &caption, WHITE.with_alpha(0.9));
            y += strip;
        }
    }

    fn draw_times<C: Paint>(&self, canvas: &mut C, plot: Area) {
        let each = plot.width / FRAMES as f64;
        let high = |ms: f64| (ms / TOP_MS).clamp(0.0, 1.0) * plot.height;
        for (n, sample) in self.in_order().enumerate() {
            let is_late = sample.dropped || sample.measured_ms > TOP_MS;
            let color = if is_late { RED } else { CYAN };
            plot.bar(n as f64 * each, each, high(sample.measured_ms)).fill(canvas, color.with_alpha(0.55));
        }
        for (n, sample) in self.in_order().enumerate() {
            let y = plot.bottom() - high(sample.counted_ms) - 1.0;
            canvas.rect(plot.left + n as f64 * each, y, each, 2.0, YELLOW.with_alpha(0.95));
        }
    }

    fn draw_steps<C: Paint>(&self, canvas: &mut C, plot: Area) {
        let each = plot.width / FRAMES as f64;
        let usual = self.usual_steps();
        for (n, sample) in self.in_order().enumerate() {
            let color = match sample.steps.saturating_sub(usual) {
                0 => GREEN,
                1 => ORANGE,
                _ => RED,
            };
            let high = (f64::from(sample.steps) / f64::from(TOP_STEPS)).min(1.0) * plot.height;
            plot.bar(n as f64 * each, each, high).fill(canvas, color.with_alpha(0.7));
        }
    }

    fn draw_alphas<C: Paint>(&self, canvas: &mut C, plot: Area) {
        let each = plot.width / FRAMES as f64;
        for (n, sample) in self.in_order().enumerate() {
            let y = plot.top + (1.0 - sample.alpha) * (plot.height - 2.0);
            canvas.rect(plot.left + n as f64 * each, y, each.max(1.0), 2.0, PINK.with_alpha(0.95));
        }
    }
}

fn lines(overlay: &Overlay, pacer: &Pacer) -> Vec<(String, Color)> {
    let stats = pacer.stats();
    let (lock, color) = match pacer.lock_state() {
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
        (format!("display lock (L): {lock}"), color),
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

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenstep::Pacing;

    #[test]
    fn the_strip_holds_the_last_240_frames_oldest_first() {
        let mut overlay = Overlay::default();
        let mut pacer = Pacer::new(Pacing::hz(60));
        for n in 0..300 {
            let now = Duration::from_millis(n * (n % 7 + 1));
            let frame = pacer.frame(now);
            overlay.record(&frame, &pacer, Duration::from_millis(n * n));
        }
        let measured: Vec<f64> = overlay.in_order().map(|sample| sample.measured_ms).collect();
        assert_eq!(measured.len(), FRAMES);
        assert!(measured.is_sorted(), "gaps that grow are drawn as gaps that grow");
    }

    #[test]
    fn the_text_changes_four_times_a_second_and_the_plots_have_numbers() {
        let mut overlay = Overlay::default();
        let mut pacer = Pacer::new(Pacing::hz(60));
        let mut texts: Vec<Vec<(String, Color)>> = Vec::new();
        for n in 0..600_u32 {
            // Every frame is different.
            let now = Duration::from_secs(1) * n / 60 + Duration::from_micros(u64::from(n * 7 % 900));
            let frame = pacer.frame(now);
            overlay.record(&frame, &pacer, now);
            overlay.write(&frame, &pacer, &Display::default(), now);
            if texts.last() != Some(&overlay.lines) {
                texts.push(overlay.lines.clone());
            }
        }
        assert!((30..=41).contains(&texts.len()), "{} texts in ten seconds", texts.len());
        let has_range =
            |caption: &String| caption.contains(" TO ") && caption.chars().any(|c| c.is_ascii_digit());
        assert!(overlay.captions.iter().all(has_range), "{:?}", overlay.captions);
        overlay.hide();
        let now = Duration::from_secs(10);
        let before = overlay.lines.clone();
        overlay.write(&pacer.frame(now), &pacer, &Display::default(), now);
        assert_ne!(overlay.lines, before, "shown again, it is fresh at once");
    }

    #[test]
    fn the_beat_the_latency_and_the_renderer_are_written() {
        let mut overlay = Overlay::default();
        let mut pacer = Pacer::new(Pacing::hz(60));
        let mut display = Display::default();
        display.beat = Some(evenstep_host::Beat::Deadlines);
        display.beat_lost = Some((evenstep_host::Beat::VerticalCount, evenstep::host::BeatState::Stopped));
        display.renderer = "pixels in memory: no GPU".to_owned();
        display.late_start_saves = Duration::from_millis(7);
        for sequence in [1, 2, 4] {
            let at = Duration::from_millis(16 * sequence);
            let input_at = at.saturating_sub(Duration::from_millis(12));
            let shown = evenstep::host::Shown { at, input_at, ..evenstep::host::Shown::default() };
            let sequence = Some(sequence);
            let refreshes_planned = 1;
            display.shown.record(evenstep::host::Shown { sequence, refreshes_planned, ..shown });
        }
        let frame = pacer.frame(Duration::ZERO);
        overlay.record(&frame, &pacer, Duration::ZERO);
        overlay.write(&frame, &pacer, &display, Duration::ZERO);
        let line = overlay.lines.iter().find(|(text, _)| text.starts_with("beat: "));
        let (text, color) = line.expect("a line about the display");
        for part in [
            "beat: deadlines, because count has stopped",
            "1 refresh missed",
            "12.0 ms from input to display, a late start would save 7.0",
            "drawn by pixels in memory: no GPU",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(*color, ORANGE, "a lost beat stands out");
        display.beat_lost = None;
        overlay.hide();
        overlay.write(&frame, &pacer, &display, Duration::ZERO);
        assert!(overlay.lines.iter().any(|(text, color)| text.starts_with("beat: ") && *color == WHITE));

        assert_eq!(overlay.fallback(&display), Some("pixels in memory: no GPU"));
        assert_eq!(overlay.fallback(&display), None, "once is enough");
        display.renderer = "a GPU".to_owned();
        assert_eq!(overlay.fallback(&display), None);
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
