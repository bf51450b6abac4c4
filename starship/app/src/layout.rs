//! Where things are on a screen of any size.

use evenstep_host::{Color, Paint};

use crate::letters;
use crate::palette::NIGHT;

/// A position on the canvas, in points.
pub(crate) type Place = [f64; 2];

/// The smallest dot of a letter, in points. Smaller letters cannot be read.
pub(crate) const DOT_MIN: f64 = 1.0;
/// The distance between the first rows of two lines of text, in dots.
pub(crate) const LINE: f64 = 11.0;
/// How much the world is darkened behind text: white letters are read over anything.
pub(crate) const SHADE: f32 = 0.88;

/// The width and height of a canvas, in points.
pub(crate) fn size_of<C: Paint>(canvas: &C) -> (f64, f64) {
    let size = canvas.size();
    (size.width, size.height)
}

/// The scale of letters and bars for a screen of this size: 1 at 1280 by 720.
pub(crate) fn unit((width, height): (f64, f64)) -> f64 {
    (width / 1280.0).min(height / 720.0).clamp(0.55, 3.0)
}

/// A dot that can be read.
pub(crate) const fn dot(size: f64) -> f64 {
    size.max(DOT_MIN)
}

/// The largest dot up to `most` with which a text of this many letters fits into a width.
pub(crate) fn dot_for(letters: usize, width: f64, most: f64) -> f64 {
    dot(most.min(width / (letters.max(1) as f64 * 6.0)))
}

/// An area of the screen, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    pub(crate) const fn new(left: f64, top: f64, width: f64, height: f64) -> Self {
        Self { left, top, width, height }
    }

    /// The whole screen, without a margin.
    pub(crate) fn screen((width, height): (f64, f64), margin: f64) -> Self {
        let margin = margin.min(width / 4.0).min(height / 4.0);
        Self::new(margin, margin, width - 2.0 * margin, height - 2.0 * margin)
    }

    pub(crate) const fn right(self) -> f64 {
        self.left + self.width
    }

    pub(crate) const fn bottom(self) -> f64 {
        self.top + self.height
    }

    pub(crate) const fn middle(self) -> f64 {
        self.left + self.width / 2.0
    }

    pub(crate) fn contains(self, [x, y]: Place) -> bool {
        (self.left..self.right()).contains(&x) && (self.top..self.bottom()).contains(&y)
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.left < other.right()
            && other.left < self.right()
            && self.top < other.bottom()
            && other.top < self.bottom()
    }

    /// The area with a border of this width around it.
    pub(crate) const fn grown(self, by: f64) -> Self {
        Self::new(self.left - by, self.top - by, self.width + 2.0 * by, self.height + 2.0 * by)
    }

    /// A bar that stands on the bottom of the area, some points from the left.
    pub(crate) const fn bar(self, from_left: f64, width: f64, height: f64) -> Self {
        Self::new(self.left + from_left, self.bottom() - height, width, height)
    }

    pub(crate) fn fill<C: Paint>(self, canvas: &mut C, color: Color) {
        canvas.rect(self.left, self.top, self.width, self.height, color);
    }

    pub(crate) fn shade<C: Paint>(self, canvas: &mut C, strength: f32) {
        self.fill(canvas, NIGHT.with_alpha(strength));
    }
}

/// The free area that is best for something of up to `most` points, or `None` if all are smaller than `least`.
///
/// Every best area touches something on each of its sides, so only the edges of what is taken are tried.
pub(crate) fn largest_free(
    screen: Area,
    taken: &[Area],
    least: (f64, f64),
    most: (f64, f64),
) -> Option<Area> {
    let edges = |low: f64, high: f64, of: fn(&Area) -> [f64; 2]| {
        let mut edges: Vec<f64> = taken.iter().flat_map(of).chain([low, high]).collect();
        edges.retain(|edge| (low..=high).contains(edge));
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        edges
    };
    let xs = edges(screen.left, screen.right(), |area| [area.left, area.right()]);
    let ys = edges(screen.top, screen.bottom(), |area| [area.top, area.bottom()]);
    let mut best: Option<(f64, Area)> = None;
    for (n, &left) in xs.iter().enumerate() {
        for &right in &xs[n + 1..] {
            // From the bottom, where the overlay is looked for.
            for (k, &bottom) in ys.iter().enumerate().rev() {
                for &top in &ys[..k] {
                    let area = Area::new(left, top, right - left, bottom - top);
                    let use_of = area.width.min(most.0) * area.height.min(most.1);
                    if area.width >= least.0
                        && area.height >= least.1
                        && best.is_none_or(|(best, _)| use_of > best)
                        && !taken.iter().any(|taken| taken.meets(area))
                    {
                        best = Some((use_of, area));
                    }
                }
            }
        }
    }
    best.map(|(_, area)| area)
}

/// The corners of a button.
pub(crate) fn octagon([x, y]: Place, radius: f64) -> [Place; 8] {
    std::array::from_fn(|n| {
        let (sin, cos) = ((n as f64 + 0.5) * std::f64::consts::FRAC_PI_4).sin_cos();
        [x + radius * cos, y + radius * sin]
    })
}

/// A line of text in a stack.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// The size of its dots, if there is room.
    pub(crate) dot: f64,
    pub(crate) color: Color,
}

impl Line {
    pub(crate) fn new(text: impl Into<String>, dot: f64, color: Color) -> Self {
        Self { text: text.into(), dot, color }
    }
}

/// Places lines of text below each other, centred, and smaller if there is no room. Returns the line's dots and areas.
pub(crate) fn stack(area: Area, lines: &[Line]) -> Vec<(f64, Area)> {
    // A line takes its letters and a gap of five dots.
    const HIGH: f64 = 12.0;
    let high: f64 = lines.iter().map(|line| line.dot * HIGH).sum();
    let scale = (area.height / high.max(1.0)).min(1.0);
    let dots: Vec<f64> =
        lines.iter().map(|line| dot_for(line.text.chars().count(), area.width, line.dot * scale)).collect();
    let high: f64 = dots.iter().map(|dot| dot * HIGH).sum();
    let mut top = area.top + (area.height - high).max(0.0) / 2.0;
    let mut places = Vec::with_capacity(lines.len());
    for (line, dot) in lines.iter().zip(dots) {
        let width = letters::width(&line.text, dot);
        places.push((dot, Area::new(area.middle() - width / 2.0, top, width, 7.0 * dot)));
        top += dot * HIGH;
    }
    places
}

/// Draws a stack of lines.
pub(crate) fn draw_stack<C: Paint>(canvas: &mut C, area: Area, lines: &[Line]) {
    for (line, (dot, place)) in lines.iter().zip(stack(area, lines)) {
        letters::draw(canvas, place.left, place.top, dot, &line.text, line.color);
    }
}

/// Breaks a text into lines at spaces. A word that is longer than a line is broken, too.
pub(crate) fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(1);
    let mut lines = vec![String::new()];
    let mut len = 0;
    for word in text.split(' ') {
        let mut letters = word.chars().count();
        if len > 0 && len + 1 + letters > most {
            lines.push(String::new());
            len = 0;
        }
        let last = lines.len() - 1;
        if len > 0 {
            lines[last].push(' ');
            len += 1;
        }
        let mut rest = word.chars();
        while len + letters > most {
            let last = lines.len() - 1;
            lines[last].extend(rest.by_ref().take(most - len));
            letters -= most - len;
            lines.push(String::new());
            len = 0;
        }
        let last = lines.len() - 1;
        lines[last].extend(rest);
        len += letters;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapped_text_loses_no_word_and_fits() {
        let text = "0 steps: a gap of 600.000 ms is a stall, not a frame";
        let lines = wrap(text, 20);
        assert!(lines.iter().all(|line| line.len() <= 20));
        assert_eq!(lines.join(" "), text);
        let long = "cannot write /a/folder/with/a/very/long/name/starship-001.png: denied";
        let lines = wrap(long, 16);
        assert!(lines.iter().all(|line| line.len() <= 16), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), long.replace(' ', ""));
        assert_eq!(wrap("a b", 0), ["a", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn a_free_area_meets_nothing_that_is_taken() {
        let screen = Area::screen((640.0, 360.0), 8.0);
        let taken = [Area::new(0.0, 0.0, 200.0, 100.0), Area::new(270.0, 130.0, 100.0, 100.0)];
        let free = largest_free(screen, &taken, (50.0, 40.0), (9e9, 9e9)).expect("there is room");
        assert!(taken.iter().all(|taken| !taken.meets(free)), "{free:?}");
        // To the right of both, or below them.
        assert!(free.width * free.height >= 260.0 * 340.0, "{free:?}");
        assert_eq!(largest_free(screen, &[Area::screen((640.0, 360.0), 0.0)], (1.0, 1.0), (9e9, 9e9)), None);
        assert_eq!(largest_free(screen, &taken, (630.0, 300.0), (9e9, 9e9)), None);
    }

    #[test]
    fn a_stack_shrinks_to_its_area_and_keeps_letters_readable() {
        let color = NIGHT;
        let lines: Vec<Line> = (0..5).map(|_| Line::new("SECTOR CLEARED", 8.0, color)).collect();
        for (width, height) in [(1280.0, 720.0), (390.0, 844.0), (200.0, 150.0)] {
            let area = Area::screen((width, height), 4.0);
            for (dot, place) in stack(area, &lines) {
                assert!(dot >= DOT_MIN);
                assert!(area.grown(0.01).contains([place.left, place.top]), "{width}x{height}: {place:?}");
                assert!(place.right() <= area.right() + 0.01 && place.bottom() <= area.bottom() + 0.01);
            }
        }
    }
}
