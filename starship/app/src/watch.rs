//! Watching a recording: where it is, and the bar to scrub in it.

use evenstep_host::{Color, Paint};
use evenstep_replay::{Error, Player, Recording, with_causes};
use starship_sim::{Phase, Sim, Turn};

use crate::layout::{Area, DOT_MIN, Place, SHADE, dot_for, size_of, unit};
use crate::letters;
use crate::palette::{CYAN, GREEN, GREY, RED, VIOLET, WHITE, YELLOW};

/// The marks that are shown, with their colours.
const MARKS: [(&str, Color); 5] =
    [("damage", YELLOW), ("death", RED), ("boss", VIOLET), ("victory", GREEN), ("run", GREEN)];
/// The most marks that are shown. A file may claim any number.
const MARKS_MAX: usize = 10_000;

/// How many ticks of a recording may pass before its first run. The game's own begin with one.
const MENU_MAX: u64 = 3_600;

/// A recording that is being watched.
#[derive(Debug)]
pub(crate) struct Watch {
    player: Player,
    /// The first tick with a run: before that, there is nothing to see.
    first: u64,
    /// Ticks to jump to, with their labels.
    marks: Vec<(u64, &'static str)>,
    /// Whether a finger or the mouse drags the bar.
    pub(crate) is_dragged: bool,
}

impl Watch {
    /// Starts to watch. Replaces the simulation with the first state of the recording.
    ///
    /// # Errors
    ///
    /// If the recording cannot be played, or has no run to show.
    pub(crate) fn start(recording: Recording, sim: &mut Sim) -> Result<Self, String> {
        let text = |error: Error| with_causes(&error);
        *sim = Sim::before_any_run();
        let mut player = Player::new(recording, sim).map_err(text)?;
        for _ in 0..MENU_MAX {
            if sim.state().phase != Phase::Menu || !player.step(sim).map_err(text)? {
                break;
            }
        }
        if sim.state().phase == Phase::Menu {
            return Err("no run begins in this recording".to_owned());
        }
        let known = |label: &str| MARKS.iter().find(|(known, _)| *known == label).map(|(known, _)| *known);
        let marks = player.recording().marks().filter_map(|mark| Some((mark.tick, known(&mark.label)?)));
        let marks = marks.take(MARKS_MAX).collect();
        Ok(Self { first: player.tick(), player, marks, is_dragged: false })
    }

    /// The next turn. `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Turn>, Error> {
        self.player.next_input::<Sim>()
    }

    pub(crate) fn seek(&mut self, tick: u64, sim: &mut Sim) -> Result<(), Error> {
        self.player.seek(tick.max(self.first), sim)
    }

    /// A tick some ticks away, within the recording.
    pub(crate) fn near(&self, ticks: i64) -> u64 {
        let recording = self.player.recording();
        self.player.tick().saturating_add_signed(ticks).clamp(self.first, recording.last_tick())
    }

    /// The next mark with this label, or the first one if there is none.
    pub(crate) fn next_mark(&self, label: &str) -> Option<u64> {
        let ticks = || self.marks.iter().filter(|mark| mark.1 == label).map(|mark| mark.0);
        ticks().find(|&tick| tick > self.player.tick()).or_else(|| ticks().next())
    }

    /// The tick at a place on the bar.
    pub(crate) fn tick_at(&self, size: (f64, f64), [x, _]: Place) -> u64 {
        let [left, _, width, _] = bar(size);
        let recording = self.player.recording();
        let share = ((x - left) / width).clamp(0.0, 1.0);
        recording.first_tick() + (recording.ticks() as f64 * share) as u64
    }

    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn tick(&self) -> u64 {
        self.player.tick()
    }

    /// Draws the bar: the part that has been played, and the marks.
    pub(crate) fn draw<C: Paint>(&self, canvas: &mut C, is_paused: bool) {
        let size = size_of(canvas);
        let u = unit(size);
        let [left, top, width, height] = bar(size);
        let recording = self.player.recording();
        let first = recording.first_tick();
        let ticks = recording.ticks().max(1);
        let at = |tick: u64| left + width * ((tick - first) as f64 / ticks as f64);
        canvas.rect(left, top, width, height, GREY.with_alpha(0.35));
        let now = at(self.player.tick());
        canvas.rect(left, top, now - left, height, CYAN.with_alpha(0.6));
        for &(tick, label) in &self.marks {
            let color = MARKS.iter().find(|(known, _)| *known == label).map_or(GREEN, |(_, color)| *color);
            canvas.rect(at(tick) - u, top, 2.0 * u, height, color.with_alpha(0.9));
        }
        canvas.rect(now - 1.5 * u, top - 3.0 * u, 3.0 * u, height + 6.0 * u, WHITE.with_alpha(0.95));
        let hz = recording.header().rate.as_hz();
        let seconds = |tick: u64| (tick - first) as f64 / hz;
        let state = if is_paused { "PAUSED" } else { "REPLAY" };
        let played = seconds(self.player.tick());
        let total = seconds(recording.last_tick());
        let text = format!("{state} {played:.1} / {total:.1} S  TICK {}", self.player.tick());
        letters::draw(canvas, left, top - 16.0 * u, 1.9 * u, &text, WHITE.with_alpha(0.95));
    }
}

/// What the keys do: all of them, or the most important ones where there is little room.
const KEYS: [&str; 2] = [
    "SPACE PAUSE  , . STEP  ARROWS SEEK  [ ] SPEED  D DAMAGE  K DEATH  B BOSS  ENTER PLAY ON  ESC LEAVE",
    "SPACE PAUSE  ENTER PLAY ON  ESC LEAVE",
];

/// Draws what the keys do below the bar, as far as it can be read.
pub(crate) fn draw_keys<C: Paint>(canvas: &mut C) {
    let size = size_of(canvas);
    let u = unit(size);
    let [left, top, width, height] = bar(size);
    let fits = |keys: &&str| letters::width(keys, DOT_MIN) <= width;
    if let Some(keys) = KEYS.into_iter().find(fits) {
        let dot = dot_for(keys.len(), width, 1.5 * u);
        letters::draw(canvas, left, top + height + 6.0 * u, dot, keys, GREY.with_alpha(0.95));
    }
}

/// The bar: left, top, width, height.
fn bar((width, height): (f64, f64)) -> [f64; 4] {
    let u = unit((width, height));
    [width * 0.06, height - 44.0 * u, width * 0.88, 12.0 * u]
}

/// How much of the screen the bar takes, from the bottom, with the line above it.
pub(crate) fn height(size: (f64, f64)) -> f64 {
    size.1 - bar(size)[1] + 20.0 * unit(size)
}

/// The buttons for fingers, above the bar: leave, then play on.
pub(crate) fn buttons(size: (f64, f64)) -> [Area; 2] {
    let [left, _, width, _] = bar(size);
    let high = (size.1 * 0.2).min(44.0);
    let wide = (width * 0.3).min(110.0);
    let top = size.1 - height(size) - high;
    [0.0, 1.0].map(|n| Area::new(left + n * (wide + 8.0), top, wide, high))
}

/// Draws the buttons for fingers.
pub(crate) fn draw_buttons<C: Paint>(canvas: &mut C) {
    for (area, word) in buttons(size_of(canvas)).into_iter().zip(["LEAVE", "PLAY ON"]) {
        area.shade(canvas, SHADE);
        let dot = (area.width / (8.0 * 6.0)).min(2.4);
        let y = area.top + area.height / 2.0 - 3.5 * dot;
        letters::draw_centred(canvas, area.middle(), y, dot, word, YELLOW.with_alpha(0.95));
    }
}

/// What the bar and its buttons cover.
pub(crate) fn areas(size: (f64, f64), has_buttons: bool) -> impl Iterator<Item = Area> {
    let [left, _, width, _] = bar(size);
    let bar = Area::new(left, size.1 - height(size), width, height(size));
    std::iter::once(bar).chain(buttons(size).into_iter().filter(move |_| has_buttons))
}

/// Whether a place is on the bar, or close to it.
pub(crate) fn is_on_bar(size: (f64, f64), [x, y]: Place) -> bool {
    let [left, top, width, height] = bar(size);
    (left - height..left + width + height).contains(&x) && (top - height..top + 2.0 * height).contains(&y)
}
