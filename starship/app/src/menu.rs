//! The title screen and the menus: their entries, where they are, and how they look.

use evenstep_host::{Color, Paint};

use crate::layout::{Area, LINE, Place, dot, dot_for, size_of, unit};
use crate::letters;
use crate::palette::{CYAN, GREY, NIGHT, PINK, VIOLET, WHITE, YELLOW};
use crate::settings::{Action, Item, Keys};

/// A menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Menu {
    Title,
    Pause,
    Settings,
    Keys,
}

/// An entry of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Launch,
    Daily,
    Difficulty,
    Resume,
    Restart,
    Settings,
    Title,
    Quit,
    Set(Item),
    Keys,
    Bind(Action),
    DefaultKeys,
    Back,
}

/// Whether the game is on a web page, which cannot quit.
pub(crate) const IS_PAGE: bool = cfg!(target_arch = "wasm32");

impl Menu {
    /// The entries of the menu.
    pub(crate) const fn entries(self) -> &'static [Entry] {
        match self {
            Self::Title if IS_PAGE => &[Entry::Launch, Entry::Daily, Entry::Difficulty, Entry::Settings],
            Self::Title => &[Entry::Launch, Entry::Daily, Entry::Difficulty, Entry::Settings, Entry::Quit],
            Self::Pause if IS_PAGE => &[Entry::Resume, Entry::Restart, Entry::Settings, Entry::Title],
            Self::Pause => &[Entry::Resume, Entry::Restart, Entry::Settings, Entry::Title, Entry::Quit],
            Self::Settings => &[
                Entry::Set(Item::Flash),
                Entry::Set(Item::Shake),
                Entry::Set(Item::Speed),
                Entry::Set(Item::Lock),
                Entry::Set(Item::FpsCap),
                Entry::Set(Item::Fullscreen),
                Entry::Set(Item::Overlay),
                Entry::Set(Item::Volume),
                Entry::Set(Item::Mute),
                Entry::Keys,
                Entry::Back,
            ],
            Self::Keys => &[
                Entry::Bind(Action::Up),
                Entry::Bind(Action::Left),
                Entry::Bind(Action::Down),
                Entry::Bind(Action::Right),
                Entry::Bind(Action::Boost),
                Entry::Bind(Action::Pause),
                Entry::DefaultKeys,
                Entry::Back,
            ],
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Title => "STARSHIP",
            Self::Pause => "PAUSED",
            Self::Settings => "SETTINGS",
            Self::Keys => "KEYS",
        }
    }
}

impl Entry {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Launch => "LAUNCH",
            Self::Daily => "DAILY CHALLENGE",
            Self::Difficulty => "DIFFICULTY",
            Self::Resume => "RESUME",
            Self::Restart => "RESTART",
            Self::Settings => "SETTINGS",
            Self::Title => "TITLE SCREEN",
            Self::Quit => "QUIT",
            Self::Set(item) => item.name(),
            Self::Keys => "KEYS",
            Self::Bind(action) => action.name(),
            Self::DefaultKeys => "DEFAULT KEYS",
            Self::Back => "BACK",
        }
    }
}

/// What the keys or fingers do, the most important first.
pub(crate) fn help(keys: &Keys, is_touch: bool) -> Vec<(String, &'static str)> {
    if is_touch {
        return [("DRAG", "FLY"), ("SECOND FINGER", "BOOST"), ("CORNER BUTTONS", "OVERLAY, PAUSE")]
            .map(|(touch, what)| (touch.to_owned(), what))
            .into();
    }
    let named = |action| crate::settings::key_name(keys.of(action));
    vec![
        (format!("{} / ARROWS", keys.steering()), "FLY"),
        (format!("{} / SHIFT", named(Action::Boost)), "BOOST"),
        (format!("{} / ESC", named(Action::Pause)), "PAUSE"),
        ("F11".to_owned(), "FULL SCREEN"),
        ("M".to_owned(), "SOUND ON OR OFF"),
        ("F1".to_owned(), "PACING OVERLAY"),
        ("F2".to_owned(), "SCREENSHOT"),
        ("F6".to_owned(), "SAVE THE LAST MINUTE"),
        (".".to_owned(), "ONE STEP WHILE PAUSED"),
        ("[  ]".to_owned(), "SLOWER, FASTER"),
        ("L".to_owned(), "DISPLAY LOCK ON OR OFF"),
    ]
}

/// The height of a row of help, in dots.
const HELP_LINE: f64 = 12.0;
/// Fewer rows of help are no help.
const HELP_MIN: usize = 3;
/// The rows of help on the title screen.
const HELP_TITLE: usize = 6;
/// The lowest row that a mouse and a finger can hit, in points, if there is any room.
const ROW_MIN: f64 = 22.0;
const ROW_MIN_TOUCH: f64 = 36.0;

/// Where a menu is on the screen.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    menu: Menu,
    heading: Area,
    heading_dot: f64,
    pub(crate) rows: Vec<Area>,
    help: Area,
    help_dot: f64,
    help_rows: usize,
    // At the bottom: the goal on the title screen, and a note.
    goal: Area,
    goal_dot: f64,
    goal_lines: Vec<(String, Color)>,
}

/// The goal of the game, on the title screen.
pub(crate) const GOAL: &str =
    "SURVIVE UNTIL THE MECH ARRIVES. BEAT IT. FLY INTO ITS PORTAL. AFTER 90 SECONDS, IT ONLY GETS HARDER.";
/// On a screen with hardly any room.
const GOAL_SHORT: &str = "BEAT THE MECH. REACH THE PORTAL.";

impl Column {
    pub(crate) fn new(
        size: (f64, f64),
        menu: Menu,
        help: &[(String, &'static str)],
        is_touch: bool,
        note: &str,
    ) -> Self {
        let u = unit(size);
        let screen = Area::screen(size, 12.0 * u);
        let entries = menu.entries().len() as f64;
        let has_help = matches!(menu, Menu::Title | Menu::Pause);
        let (goal_dot, goal_lines) = goal(menu, note, screen, reading_unit(size));
        let goal_high = goal_lines.len() as f64 * LINE * goal_dot;
        // Below everything is room for a notice, or for a page's link.
        let below = 34.0 * u;
        let most = screen.height - below - goal_high;

        // The logo has two lines.
        let (letters, lines, dot_most) =
            if menu == Menu::Title { (54.0, 13.0, 12.0) } else { (48.0, 7.0, 7.0) };
        let share = if menu == Menu::Title { 0.28 } else { 0.16 };
        let heading_dot = dot((dot_most * u).min(size.0 * 0.92 / letters).min(most * share / lines));
        // The logo's second line has half its dots.
        let heading_dot = if menu == Menu::Title { heading_dot.max(2.0) } else { heading_dot };
        let heading_high = heading_dot * lines;
        let gap = (18.0 * u).min(most * 0.04);

        let letters = |rows: &[(String, &str)]| {
            let left = rows.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
            let right = rows.iter().map(|(_, what)| what.chars().count()).max().unwrap_or(0);
            2 * left.max(right) + 4
        };
        let help_dot = dot_for(letters(help), screen.width, 1.9 * reading_unit(size));
        let help_line = help_dot * HELP_LINE;
        let left_for = |rows: f64| most - heading_high - 2.0 * gap - rows;

        let row_min = if is_touch { ROW_MIN_TOUCH } else { ROW_MIN };
        // The title screen has no room for what is not needed at first; a pause has it all.
        let help_most = if menu == Menu::Title { help.len().min(HELP_TITLE) } else { help.len() };
        let help_high = if has_help { help_most as f64 * help_line } else { 0.0 };
        let pitch_most = 46.0 * u.max(if is_touch { 1.0 } else { 0.87 });
        let mut pitch = (left_for(help_high) / entries).clamp(row_min, pitch_most);
        // The rows come before help.
        pitch = pitch.min((left_for(0.0) / entries).max(8.0));
        // The rows may have left exactly the height of the help, less a rounding error.
        let help_rows = ((left_for(pitch * entries) / help_line + 0.01) as usize).min(help_most);
        let help_rows = if has_help && help_rows >= HELP_MIN { help_rows } else { 0 };
        let help_high = help_rows as f64 * help_line;

        let high = heading_high + gap + pitch * entries + if help_rows > 0 { gap + help_high } else { 0.0 };
        let top = screen.top + (most - high).max(0.0) * 0.4;
        let width_most = if has_help { 360.0 } else { 560.0 };
        let width = (width_most * u.max(0.8)).min(screen.width);
        let rows_top = top + heading_high + gap;
        let row = |n: usize| {
            Area::new(size.0 / 2.0 - width / 2.0, rows_top + n as f64 * pitch, width, pitch * 0.86)
        };
        let help_width = letters::width(&"#".repeat(letters(help)), help_dot).min(screen.width);
        let help_top = rows_top + pitch * entries + gap;
        Self {
            menu,
            heading: Area::new(screen.left, top, screen.width, heading_high),
            heading_dot,
            rows: (0..menu.entries().len()).map(row).collect(),
            help: Area::new(size.0 / 2.0 - help_width / 2.0, help_top, help_width, help_high),
            help_dot,
            help_rows,
            goal: Area::new(screen.left, screen.bottom() - below - goal_high, screen.width, goal_high),
            goal_dot,
            goal_lines,
        }
    }

    /// The areas that nothing may cover.
    pub(crate) fn areas(&self) -> Vec<Area> {
        let heading_width = (54.0 * self.heading_dot).min(self.heading.width);
        let mut areas = vec![Area {
            left: self.heading.middle() - heading_width / 2.0,
            width: heading_width,
            ..self.heading
        }];
        if let (Some(first), Some(last)) = (self.rows.first(), self.rows.last()) {
            areas.push(Area { height: last.bottom() - first.top, ..*first });
        }
        areas.extend([self.help, self.goal].into_iter().filter(|area| area.height > 0.0));
        areas
    }

    /// Finds the entry at a position.
    pub(crate) fn entry_at(&self, place: Place) -> Option<usize> {
        self.rows.iter().position(|row| row.contains(place))
    }

    /// Whether a position in a row asks for the previous value: the left half of the value.
    pub(crate) fn is_back(&self, n: usize, [x, _]: Place) -> bool {
        self.rows
            .get(n)
            .is_some_and(|row| (row.left + row.width * 0.5..row.left + row.width * 0.75).contains(&x))
    }

    /// Draws the menu over a darkened world. `values` has a text for each entry that has a value.
    pub(crate) fn draw<C: Paint>(
        &self,
        canvas: &mut C,
        selected: usize,
        values: &[Option<String>],
        help: &[(String, &'static str)],
    ) {
        let (width, height) = size_of(canvas);
        canvas.rect(
            0.0,
            0.0,
            width,
            height,
            Color::rgb(0x04_05_0E).with_alpha(if self.menu == Menu::Title { 0.72 } else { 0.8 }),
        );
        if self.menu == Menu::Title {
            self.draw_logo(canvas);
        } else {
            let x = self.heading.middle();
            letters::draw_centred(
                canvas,
                x,
                self.heading.top,
                self.heading_dot,
                self.menu.heading(),
                CYAN.with_alpha(0.95),
            );
        }
        for (n, (entry, row)) in self.menu.entries().iter().zip(&self.rows).enumerate() {
            draw_row(canvas, *row, entry.name(), values.get(n).and_then(Option::as_deref), n == selected);
        }
        self.draw_help(canvas, help);
        for (n, (line, color)) in self.goal_lines.iter().enumerate() {
            let y = self.goal.top + n as f64 * LINE * self.goal_dot;
            letters::draw_centred(canvas, self.goal.middle(), y, self.goal_dot, line, color.with_alpha(0.9));
        }
    }

    fn draw_logo<C: Paint>(&self, canvas: &mut C) {
        let middle = self.heading.middle();
        let top = self.heading.top;
        let dot = self.heading_dot;
        canvas.light(middle, top + dot * 4.0, dot * 60.0, VIOLET.with_alpha(0.5));
        canvas.light(middle - dot * 14.0, top + dot * 6.0, dot * 34.0, CYAN.with_alpha(0.4));
        for (shift, color, strength) in [(0.45, PINK, 0.5), (-0.45, CYAN, 0.5), (0.0, WHITE, 0.97)] {
            let x = middle + shift * dot;
            letters::draw_centred(canvas, x, top, dot, "STARSHIP", color.with_alpha(strength));
            letters::draw_centred(
                canvas,
                x,
                top + dot * 9.5,
                dot * 0.5,
                "S U R V I V O R S",
                color.with_alpha(strength),
            );
        }
    }

    fn draw_help<C: Paint>(&self, canvas: &mut C, help: &[(String, &'static str)]) {
        let middle = self.help.middle();
        let dot = self.help_dot;
        for (n, (key, what)) in help.iter().take(self.help_rows).enumerate() {
            let y = self.help.top + n as f64 * dot * HELP_LINE;
            letters::draw_right(canvas, middle - 7.0 * dot, y, dot, key, CYAN.with_alpha(0.95));
            letters::draw(canvas, middle + 7.0 * dot, y, dot, what, WHITE.with_alpha(0.85));
        }
    }
}

/// The scale of sentences. A phone that is held upright has room for larger letters than its width allows elsewhere.
fn reading_unit(size: (f64, f64)) -> f64 {
    let least = if size.1 > 1.5 * size.0 { 0.8 } else { 0.0 };
    unit(size).max(least)
}

/// The goal and the note in as many lines as they need, with their colours, and their dot.
fn goal(menu: Menu, note: &str, screen: Area, u: f64) -> (f64, Vec<(String, Color)>) {
    let is_low = screen.height < 190.0;
    let dot = dot_for(GOAL.len() / if screen.height > screen.width { 3 } else { 2 }, screen.width, 1.9 * u);
    let wrap = |text, color| {
        let lines = crate::layout::wrap(text, (screen.width / (6.0 * dot)) as usize);
        lines.into_iter().map(move |line| (line, color))
    };
    let mut lines = Vec::new();
    if menu == Menu::Title {
        lines.extend(wrap(if is_low { GOAL_SHORT } else { GOAL }, WHITE));
    }
    if matches!(menu, Menu::Title | Menu::Pause) && !note.is_empty() && !is_low {
        lines.extend(wrap(note, YELLOW));
    }
    (dot, lines)
}

fn draw_row<C: Paint>(canvas: &mut C, row: Area, name: &str, value: Option<&str>, is_selected: bool) {
    row.shade(canvas, 0.6);
    row.fill(canvas, CYAN.with_alpha(if is_selected { 0.32 } else { 0.10 }));
    let color = if is_selected { WHITE } else { WHITE.with_alpha(0.75) };
    let pad = row.height * 0.4;
    let letters = name.chars().count();
    let most = row.height / 16.0;
    let Some(value) = value else {
        let dot = dot_for(letters, row.width - 2.0 * pad, most);
        letters::draw_centred(canvas, row.middle(), row.top + row.height / 2.0 - dot * 3.5, dot, name, color);
        return;
    };
    // Names in the left half, values in the right one, between signs that can be tapped.
    let half = row.width / 2.0 - pad;
    let dot = dot_for(letters + 1, half, most);
    let y = row.top + row.height / 2.0 - dot * 3.5;
    letters::draw(canvas, row.left + pad, y, dot, name, color);
    let dot = dot_for(value.chars().count() + 4, half, most);
    let y = row.top + row.height / 2.0 - dot * 3.5;
    letters::draw(canvas, row.middle(), y, dot, "<", GREY);
    letters::draw_right(canvas, row.right() - pad, y, dot, ">", GREY);
    let color = if is_selected { YELLOW } else { CYAN };
    letters::draw_centred(canvas, row.middle() + half / 2.0, y, dot, value, color);
}

/// Draws a round button for fingers: two bars for a pause, a plot for the overlay.
pub(crate) fn draw_button<C: Paint>(canvas: &mut C, area: Area, is_pause: bool) {
    let centre = [area.middle(), area.top + area.height / 2.0];
    canvas.shape(
        &crate::layout::octagon(centre, area.width * 0.46),
        NIGHT.with_alpha(0.6),
        GREY.with_alpha(0.9),
        1.5,
    );
    let unit = area.width / 16.0;
    let at = |x: f64, y: f64, width: f64, height: f64| {
        Area::new(centre[0] + x * unit, centre[1] + y * unit, width * unit, height * unit)
    };
    let bars: &[Area] = if is_pause {
        &[at(-2.5, -3.0, 1.8, 6.0), at(0.7, -3.0, 1.8, 6.0)]
    } else {
        &[at(-3.2, 0.0, 1.4, 3.0), at(-1.2, -2.0, 1.4, 5.0), at(0.8, -3.0, 1.4, 6.0), at(2.8, -1.0, 1.4, 4.0)]
    };
    for bar in bars {
        bar.fill(canvas, YELLOW.with_alpha(0.85));
    }
}

/// The buttons for fingers, in the lower right corner: the overlay's, then pause.
pub(crate) fn buttons((width, height): (f64, f64)) -> [Area; 2] {
    let side = 52.0_f64.min(height * 0.2).min(width * 0.2);
    let area = |n: f64| Area::new(width - n * (side + 6.0), height - side - 6.0, side, side);
    [area(2.0), area(1.0)]
}

/// Draws a notice at the bottom, in as many lines as it needs, and returns its area.
pub(crate) fn notice_area(size: (f64, f64), notice: &str, above: f64) -> (Area, f64, Vec<String>) {
    let u = unit(size);
    let screen = Area::screen(size, 12.0 * u);
    let dot = dot_for(notice.chars().count(), screen.width - 24.0 * u, 2.4 * u).max(dot(1.6 * u));
    let letters = ((screen.width - 24.0 * u) / (6.0 * dot)) as usize;
    let mut lines = crate::layout::wrap(notice, letters);
    let room = ((screen.height * 0.4) / (dot * LINE)) as usize;
    lines.truncate(room.max(1));
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = longest as f64 * 6.0 * dot + 12.0 * u;
    let high = lines.len() as f64 * LINE * dot + 6.0 * u;
    (Area::new(screen.right() - width, screen.bottom() - high - above, width, high), dot, lines)
}
