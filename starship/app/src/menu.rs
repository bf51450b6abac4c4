//! The title screen, the pause menu and the list of keys.

use crate::canvas::{CYAN, Canvas, GREY, Ink, PINK, Place, VIOLET, WHITE, YELLOW};
use crate::hud::unit;

/// An entry of the pause menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Resume,
    Restart,
    Title,
    Quit,
}

impl Entry {
    /// All entries. A web page cannot quit.
    pub(crate) const ALL: &[Self] = if cfg!(target_arch = "wasm32") {
        &[Self::Resume, Self::Restart, Self::Title]
    } else {
        &[Self::Resume, Self::Restart, Self::Title, Self::Quit]
    };

    const fn name(self) -> &'static str {
        match self {
            Self::Resume => "RESUME",
            Self::Restart => "RESTART",
            Self::Title => "TITLE",
            Self::Quit => "QUIT",
        }
    }
}

const KEYS: [(&str, &str); 8] = [
    ("WASD / ARROWS", "FLY"),
    ("SPACE / SHIFT", "BOOST"),
    ("P / ESC", "PAUSE"),
    (".", "ONE STEP WHILE PAUSED"),
    ("[  ]", "SLOWER, FASTER"),
    ("L", "DISPLAY LOCK ON AND OFF"),
    ("F1", "PACING OVERLAY"),
    ("F2", "SCREENSHOT"),
];

/// The area of an entry of the pause menu: left, top, width, height.
fn entry_area((width, height): (f32, f32), n: usize) -> [f32; 4] {
    let u = unit((width, height)).max(0.8);
    let wide = 280.0 * u;
    [width / 2.0 - wide / 2.0, height * 0.27 + n as f32 * 44.0 * u, wide, 38.0 * u]
}

/// Finds the entry at a position.
pub(crate) fn entry_at(size: (f32, f32), [x, y]: Place) -> Option<usize> {
    (0..Entry::ALL.len()).find(|&n| {
        let [left, top, width, height] = entry_area(size, n);
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    })
}

pub(crate) fn draw_title<C: Canvas>(canvas: &mut C, seconds: f32, is_touch: bool) {
    let (width, height) = canvas.size();
    let u = unit((width, height));
    let middle = width / 2.0;
    canvas.rect(0.0, 0.0, width, height, Ink::new([4, 5, 14], 0.62));
    let dot = (12.0 * u).min(width * 0.92 / 54.0);
    let top = height * 0.16;
    canvas.glow([middle, top + dot * 4.0], dot * 60.0, Ink::new(VIOLET, 0.5));
    canvas.glow([middle - dot * 14.0, top + dot * 6.0], dot * 34.0, Ink::new(CYAN, 0.4));
    for (shift, rgb, strength) in [(0.45, PINK, 0.5), (-0.45, CYAN, 0.5), (0.0, WHITE, 0.97)] {
        let x = middle + shift * dot;
        canvas.text_centred(x, top, dot, "STARSHIP", Ink::new(rgb, strength));
        canvas.text_centred(x, top + dot * 9.5, dot * 0.5, "S U R V I V O R S", Ink::new(rgb, strength));
    }
    let pulse = 0.6 + 0.35 * (seconds * 3.4).sin();
    let start = if is_touch { "TAP TO LAUNCH" } else { "PRESS ENTER TO LAUNCH" };
    canvas.text_centred(middle, top + dot * 9.5 + 76.0 * u, 3.2 * u, start, Ink::new(YELLOW, pulse));
    draw_help(canvas, height * 0.58, u);
    let line = "ENDURE 90 SECONDS. BEAT THE MECH. REACH THE PORTAL.";
    let small = (1.9 * u).min(width * 0.94 / (line.len() as f32 * 6.0));
    canvas.text_centred(middle, height - 40.0 * u, small, line, Ink::new(GREY, 0.95));
}

fn draw_help<C: Canvas>(canvas: &mut C, top: f32, u: f32) {
    let middle = canvas.size().0 / 2.0;
    for (n, (key, what)) in KEYS.iter().enumerate() {
        let y = top + n as f32 * 24.0 * u;
        canvas.text_right(middle - 14.0 * u, y, 1.9 * u, key, Ink::new(CYAN, 0.95));
        canvas.text(middle + 14.0 * u, y, 1.9 * u, what, Ink::new(WHITE, 0.85));
    }
}

pub(crate) fn draw_pause<C: Canvas>(canvas: &mut C, selected: usize) {
    let (width, height) = canvas.size();
    let u = unit((width, height));
    let middle = width / 2.0;
    canvas.rect(0.0, 0.0, width, height, Ink::new([4, 5, 14], 0.7));
    canvas.text_centred(middle, height * 0.14, 7.0 * u, "PAUSED", Ink::new(CYAN, 0.95));
    for (n, entry) in Entry::ALL.iter().enumerate() {
        let [left, top, wide, high] = entry_area((width, height), n);
        let is_selected = n == selected;
        let strength = if is_selected { 0.30 } else { 0.10 };
        canvas.rect(left, top, wide, high, Ink::new(CYAN, strength));
        let ink = if is_selected { Ink::new(WHITE, 1.0) } else { Ink::new(GREY, 0.95) };
        let dot = high / 16.0;
        canvas.text_centred(middle, top + high / 2.0 - dot * 3.5, dot, entry.name(), ink);
    }
    draw_help(canvas, height * 0.66, u);
}
