//! The chart of a session, with one panel per policy.
//!
//! ```text
//! policy          +1 |  motion error over the session            |   histogram of the errors
//! judder RMS ..    0 |------------------------------------------ |        |
//! ...             -1 |                                           |   .:|||||:.
//! off pattern        |  frames with a wrong number of steps      |
//! steps per frame    |  the worst moment, frame by frame         |
//! ```

use super::metrics::{Motion, SETTLE_S};
use super::policy::Policy;
use super::session::{Outcome, Session};
use super::svg::{Anchor, Svg, nice_above};
use super::words::fixed;

const WIDTH: f64 = 960.0;
const PANEL: f64 = 194.0;
/// Position and size of the plot over time.
const LEFT: f64 = 206.0;
const PLOT_WIDTH: f64 = 540.0;
const PLOT_HEIGHT: f64 = 92.0;
/// Position and bins of the histogram.
const BINS_LEFT: f64 = 772.0;
const BINS: usize = 41;
const BIN: f64 = 4.0;
/// The number of frames that are shown individually.
const CELLS: usize = 108;
const CELL: f64 = PLOT_WIDTH / CELLS as f64;
/// The height of a step in that plot, and how many steps fit.
const STEP: f64 = 9.0;
const STEPS_SHOWN: u32 = 4;
/// The smallest scale of a plot: errors below it are invisible to a player.
const SCALE_US_MIN: f64 = 50.0;

/// Draws a session under a plain loop and under Evenstep as SVG, for a player who wants to see what stutters.
pub fn picture(session: &Session) -> String {
    draw(session, &session.under_each(&[Policy::Plain, Policy::Evenstep]))
}

/// Draws a session and the results of its policies as SVG.
pub fn draw(session: &Session, outcomes: &[Outcome]) -> String {
    let mut svg = Svg::new();
    let mut y = 36.0;
    for line in lines_of(&session.title) {
        svg.text("title", (24.0, y), Anchor::Start, &line);
        y += 21.0;
    }
    let about = [
        "Motion error: how much farther the game moved on a frame than the display did; 0 is perfectly even.",
        &format!(
            "The scale is the same in all panels. The shaded first 3 s are not measured. {}.",
            session.about
        ),
    ];
    for line in about {
        svg.text("muted", (24.0, y + 1.0), Anchor::Start, line);
        y += 16.0;
    }
    let heads_y = y + 11.0;
    svg.text(
        "muted small",
        (LEFT, heads_y),
        Anchor::Start,
        "motion error of each frame over the session (ms)",
    );
    svg.text("muted small", (BINS_LEFT, heads_y), Anchor::Start, "all frames: motion error (ms)");

    let view = View::of(outcomes);
    let top = heads_y + 12.0;
    for (n, outcome) in outcomes.iter().enumerate() {
        Panel { svg: &mut svg, view: &view, outcome, top: top + PANEL * n as f64 }.draw();
    }
    let height = top + PANEL * outcomes.len() as f64 + 8.0;
    svg.finish((WIDTH, height), &format!("Pacing of {}; {}", session.title, session.about))
}

/// Breaks a title at commas into lines that fit.
fn lines_of(title: &str) -> Vec<String> {
    const FITS: usize = 84;
    let mut lines = vec![String::new()];
    for part in title.split_inclusive(", ") {
        let line = lines.last_mut().expect("at least one");
        if !line.is_empty() && line.chars().count() + part.chars().count() > FITS {
            lines.push(part.to_owned());
        } else {
            *line += part;
        }
    }
    lines
}

/// What all panels share.
struct View {
    /// The error at the edge of a plot, in microseconds.
    scale_us: f64,
    seconds: f64,
    /// The first frame that is shown individually.
    zoom: usize,
    zoom_name: String,
}

impl View {
    fn of(outcomes: &[Outcome]) -> Self {
        let motion: &[Motion] = outcomes.first().map_or(&[], |outcome| &outcome.motion);
        let largest = outcomes.iter().map(|outcome| outcome.report.judder_us_p99 * 1.15).fold(0.0, f64::max);
        let stall = motion.iter().position(|frame| frame.at_s > SETTLE_S && frame.error_us.is_none());
        let (zoom, zoom_name) = match stall {
            Some(stall) => (stall.saturating_sub(CELLS / 3), "around the first stall"),
            None => (worst_moment(outcomes), "at the worst moment"),
        };
        let zoom_s = motion.get(zoom).map_or(0.0, |frame| frame.at_s);
        Self {
            scale_us: nice_above(largest.max(SCALE_US_MIN)),
            // A clock that stands still has a width as well.
            seconds: motion.last().map_or(1.0, |frame| frame.at_s).max(1e-3),
            zoom,
            zoom_name: format!("{CELLS} frames {zoom_name}, from {zoom_s:.1} s"),
        }
    }

    fn x(&self, at_s: f64) -> f64 {
        LEFT + PLOT_WIDTH * at_s / self.seconds
    }

    /// The height of an error in a plot: -1 is the bottom, 1 the top.
    fn height(&self, error_us: f64) -> f64 {
        (error_us / self.scale_us).clamp(-1.0, 1.0)
    }
}

/// The first frame of the stretch in which all policies together ran the most frames off the pattern or, if there is no
/// pattern, had the largest errors.
fn worst_moment(outcomes: &[Outcome]) -> usize {
    let frames = outcomes.first().map_or(0, |outcome| outcome.motion.len());
    let badness = |n: usize| -> f64 {
        let bad = |frame: &Motion| match frame.is_ideal {
            Some(is_ideal) => f64::from(u8::from(!is_ideal)),
            None => frame.error_us.unwrap_or(0.0).powi(2),
        };
        outcomes.iter().map(|outcome| bad(&outcome.motion[n])).sum()
    };
    let first = (0..frames).find(|&n| outcomes[0].motion[n].at_s > SETTLE_S).unwrap_or(0);
    if frames < first + CELLS {
        return frames.saturating_sub(CELLS);
    }
    let mut sum: f64 = (first..first + CELLS).map(badness).sum();
    let mut worst = (sum, first);
    for start in first + 1..=frames - CELLS {
        sum += badness(start + CELLS - 1) - badness(start - 1);
        // The tolerance for rounding errors makes the first of equal stretches win.
        if sum > worst.0 * 1.000_001 + 1e-6 {
            worst = (sum, start);
        }
    }
    worst.1
}

/// The panel of one policy.
struct Panel<'a> {
    svg: &'a mut Svg,
    view: &'a View,
    outcome: &'a Outcome,
    top: f64,
}

impl Panel<'_> {
    fn draw(&mut self) {
        self.numbers();
        self.error_over_time();
        self.off_pattern();
        self.steps_a_frame();
        self.histogram();
    }

    /// The CSS class that distinguishes our policies from others.
    fn colour(&self) -> &'static str {
        match self.outcome.policy {
            Policy::Evenstep | Policy::EvenstepRateLock => "ours",
            _ => "other",
        }
    }

    fn numbers(&mut self) {
        let report = &self.outcome.report;
        let name = format!("name {}-fill", self.colour());
        self.svg.text(&name, (24.0, self.top + 12.0), Anchor::Start, self.outcome.policy.name());
        let cadence = report.cadence_error.map_or("-".into(), |error| format!("{error:.2} %"));
        let rows = [
            ("judder RMS", micros(report.judder_us)),
            ("largest error", micros(report.judder_us_max)),
            ("cadence error", cadence),
            ("drift", format!("{} ms", fixed(report.drift_ms, 2))),
            ("lag", format!("{} ms", fixed(report.lag_ms, 2))),
        ];
        for (n, (what, value)) in rows.iter().enumerate() {
            let y = self.top + 31.0 + 15.0 * n as f64;
            self.svg.text("muted small", (24.0, y), Anchor::Start, what);
            self.svg.text("small", (162.0, y), Anchor::End, value);
        }
    }

    fn error_over_time(&mut self) {
        let view = self.view;
        let top = self.top;
        let middle = top + PLOT_HEIGHT / 2.0;
        self.svg.rect("plot", (LEFT, top), (PLOT_WIDTH, PLOT_HEIGHT));
        let settled = view.x(SETTLE_S.min(view.seconds)) - LEFT;
        self.svg.rect("unmeasured", (LEFT, top), (settled, PLOT_HEIGHT));
        for (height, sign) in [(1.0, "+"), (0.0, ""), (-1.0, "-")] {
            let y = middle - height * PLOT_HEIGHT / 2.0;
            self.svg.line("grid", (LEFT, y), (LEFT + PLOT_WIDTH, y));
            let value = if height == 0.0 { "0".into() } else { format!("{sign}{}", view.scale_us / 1e3) };
            self.svg.text("muted small", (LEFT - 6.0, y + 4.0), Anchor::End, &value);
        }

        // The lowest and the highest error in every column of pixels.
        let mut columns = vec![(f64::INFINITY, f64::NEG_INFINITY); PLOT_WIDTH as usize];
        let last = columns.len() - 1;
        for frame in &self.outcome.motion {
            let Some(error_us) = frame.error_us else { continue };
            let column = &mut columns[((view.x(frame.at_s) - LEFT) as usize).min(last)];
            *column = (column.0.min(error_us), column.1.max(error_us));
        }
        let strokes =
            columns.iter().enumerate().filter(|(_, (low, high))| low <= high).map(|(n, &(low, high))| {
                let y = |error_us| middle - view.height(error_us) * (PLOT_HEIGHT / 2.0 - 1.0) - 0.5;
                (LEFT + n as f64 + 0.5, y(high), y(low))
            });
        self.svg.strokes(self.colour(), strokes);

        let stalls: Vec<f64> =
            self.outcome.motion.iter().filter(|it| it.error_us.is_none()).map(|it| view.x(it.at_s)).collect();
        for (n, &x) in stalls.iter().enumerate() {
            self.svg.line("stall", (x, top), (x, top + PLOT_HEIGHT));
            if n == 0 {
                self.svg.text("small stall-name", (x + 4.0, top + 12.0), Anchor::Start, "stall");
            }
        }
        self.time_axis();
    }

    fn time_axis(&mut self) {
        let y = self.top + PLOT_HEIGHT + 31.0;
        let every = nice_above(self.view.seconds / 8.0);
        let mut tick = 0.0;
        // The last frame of a 60 s session is slightly before 60 s.
        while tick <= self.view.seconds * 1.005 {
            let text = if tick == 0.0 { "0 s".into() } else { format!("{tick}") };
            self.svg.text("muted small", (self.view.x(tick), y), Anchor::Middle, &text);
            tick += every;
        }
    }

    /// Marks where frames were off the display's pattern.
    fn off_pattern(&mut self) {
        let top = self.top + PLOT_HEIGHT + 10.0;
        self.svg.text("muted small", (LEFT - 6.0, top + 8.0), Anchor::End, "off pattern");
        self.svg.rect("plot", (LEFT, top), (PLOT_WIDTH, 8.0));
        let mut is_wrong = vec![false; PLOT_WIDTH as usize];
        let last = is_wrong.len() - 1;
        for frame in self.outcome.motion.iter().filter(|frame| frame.is_ideal == Some(false)) {
            is_wrong[((self.view.x(frame.at_s) - LEFT) as usize).min(last)] = true;
        }
        if self.outcome.motion.iter().all(|frame| frame.is_ideal.is_none()) {
            let why = "no fixed pattern on this display";
            self.svg.text("muted small", (LEFT + 4.0, top + 8.0), Anchor::Start, why);
        }
        let ticks = (0..is_wrong.len()).filter(|&n| is_wrong[n]).map(|n| [LEFT + n as f64, top, 1.0, 8.0]);
        self.svg.bars("wrong", ticks);
    }

    /// Draws the steps of individual frames.
    fn steps_a_frame(&mut self) {
        let floor = self.top + PLOT_HEIGHT + 74.0;
        let frames = self.outcome.motion.iter().skip(self.view.zoom).take(CELLS).enumerate();
        self.svg.text("muted small", (LEFT - 6.0, floor - 4.0), Anchor::End, "steps a frame");
        let colour = format!("{}-fill", self.colour());
        let bars = |wanted: fn(&Motion) -> bool| {
            frames.clone().filter(move |(_, frame)| wanted(frame)).map(move |(n, frame)| {
                // A frame without a step has a flat bar.
                let height =
                    if frame.steps == 0 { 2.0 } else { STEP * f64::from(frame.steps.min(STEPS_SHOWN)) };
                [LEFT + CELL * n as f64 + 0.5, floor - height, CELL - 1.0, height]
            })
        };
        let is_wrong: fn(&Motion) -> bool = |frame| frame.is_ideal == Some(false);
        let is_idle: fn(&Motion) -> bool = |frame| frame.is_ideal != Some(false) && frame.steps == 0;
        let is_fine: fn(&Motion) -> bool = |frame| frame.is_ideal != Some(false) && frame.steps > 0;
        self.svg.bars("wrong", bars(is_wrong));
        self.svg.bars("quiet", bars(is_idle));
        self.svg.bars(&colour, bars(is_fine));
        self.svg.line("axis", (LEFT, floor + 0.5), (LEFT + PLOT_WIDTH, floor + 0.5));
        for (n, frame) in frames.filter(|(_, frame)| frame.steps > STEPS_SHOWN) {
            let x = LEFT + CELL * (n as f64 + 1.5);
            let y = floor - STEP * f64::from(STEPS_SHOWN) + 9.0;
            self.svg.text("small", (x, y), Anchor::Start, &format!("{} steps", frame.steps));
        }
        let red = if self.outcome.motion.iter().any(is_wrong) { "; red: off the pattern" } else { "" };
        let name = format!("{}{red}", self.view.zoom_name);
        self.svg.text("muted small", (LEFT + PLOT_WIDTH, floor + 13.0), Anchor::End, &name);
    }

    fn histogram(&mut self) {
        let top = self.top;
        let floor = top + PLOT_HEIGHT;
        let width = BIN * BINS as f64;
        let mut bins = [0_u32; BINS];
        let mut frames = 0;
        for frame in self.outcome.motion.iter().filter(|frame| frame.at_s >= SETTLE_S) {
            let Some(error_us) = frame.error_us else { continue };
            let place = (0.5 + 0.5 * self.view.height(error_us)) * (BINS - 1) as f64;
            bins[place.round() as usize] += 1;
            frames += 1;
        }
        let peak = bins.iter().copied().max().unwrap_or(0).max(1);
        self.svg.rect("plot", (BINS_LEFT, top), (width, PLOT_HEIGHT));
        let bars = bins.iter().enumerate().filter(|(_, count)| **count > 0).map(|(n, &count)| {
            let height = ((PLOT_HEIGHT - 16.0) * f64::from(count) / f64::from(peak)).max(1.0);
            [BINS_LEFT + BIN * n as f64 + 0.4, floor - height, BIN - 0.8, height]
        });
        self.svg.bars(&format!("{}-fill", self.colour()), bars);
        self.svg.line("axis", (BINS_LEFT, floor + 0.5), (BINS_LEFT + width, floor + 0.5));
        for (x, value) in [(0.0, -self.view.scale_us), (0.5, 0.0), (1.0, self.view.scale_us)] {
            let text = if value > 0.0 { format!("+{}", value / 1e3) } else { format!("{}", value / 1e3) };
            self.svg.text("muted small", (BINS_LEFT + x * width, floor + 15.0), Anchor::Middle, &text);
        }
        // In words, because the height of a bar is relative to the highest one.
        let share = 100.0 * f64::from(peak) / f64::from(frames.max(1));
        let half_us = self.view.scale_us / (BINS - 1) as f64;
        let fullest = format!("highest bar: {share:.0} % of frames");
        let within = format!("a bar is {} wide", micros(2.0 * half_us));
        self.svg.text("muted small", (BINS_LEFT, floor + 34.0), Anchor::Start, &fullest);
        self.svg.text("muted small", (BINS_LEFT, floor + 49.0), Anchor::Start, &within);
    }
}

/// Formats microseconds with suitable precision.
fn micros(value: f64) -> String {
    if value < 10.0 { format!("{value:.1} µs") } else { format!("{value:.0} µs") }
}
