//! A minimal SVG writer: small files, and the same bytes for the same numbers.

use std::fmt::Write;

/// Colours for light and dark pages. Viewers without media queries use the light ones, on a background of their own.
const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2328}\
.title{font-size:17px;font-weight:600}.name{font-size:13.5px;font-weight:600}.muted{fill:#59636e}.small{font-size:11px}\
.card{fill:#ffffff;stroke:#d0d7de}.plot{fill:#f6f8fa}.unmeasured{fill:#8c959f;fill-opacity:.16}\
.grid{stroke:#8c959f;stroke-opacity:.35}.axis{stroke:#8c959f}\
.stall{stroke:#8250df;stroke-dasharray:3 3}text.stall-name{fill:#8250df}\
.ours{stroke:#0969da}.other{stroke:#9a6700}.ours-fill{fill:#0969da}.other-fill{fill:#9a6700}\
.quiet{fill:#8c959f}.wrong{fill:#cf222e}.line{fill:none;stroke-width:1}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.muted{fill:#9198a1}.card{fill:#0d1117;stroke:#30363d}\
.plot{fill:#161b22}.stall{stroke:#bc8cff}text.stall-name{fill:#bc8cff}.ours{stroke:#58a6ff}.other{stroke:#d29922}\
.ours-fill{fill:#58a6ff}.other-fill{fill:#d29922}.quiet{fill:#6e7681}.wrong{fill:#ff7b72}}";

/// The alignment of text relative to its position.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// The text starts there.
    Start,
    /// The text is centred there.
    Middle,
    /// The text ends there.
    End,
}

/// An SVG image under construction.
#[derive(Debug, Default)]
pub struct Svg {
    body: String,
}

impl Svg {
    /// Starts an empty image.
    pub const fn new() -> Self {
        Self { body: String::new() }
    }

    /// Writes text.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let [x, y] = short([x, y]);
        let text = escaped(text);
        let _ = writeln!(self.body, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}>{text}</text>");
    }

    /// Draws a rectangle: its top left corner and its size.
    pub fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let [x, y, width, height] = short([x, y, width, height]);
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// Draws a line.
    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let [x1, y1, x2, y2] = short([x1, y1, x2, y2]);
        let _ =
            writeln!(self.body, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// Draws a circle.
    pub fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let [x, y, radius] = short([x, y, radius]);
        let _ = writeln!(self.body, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }

    /// Draws vertical lines (x, top, bottom), each at least one pixel long.
    pub fn strokes(&mut self, class: &str, strokes: impl Iterator<Item = (f64, f64, f64)>) {
        let mut path = String::new();
        for (x, top, bottom) in strokes {
            let [x, top, bottom] = short([x, top, bottom.max(top + 1.0)]);
            let _ = write!(path, "M{x} {top}V{bottom}");
        }
        self.path(&format!("line {class}"), &path);
    }

    /// Draws filled rectangles of one class: left, top, width, height.
    pub fn bars(&mut self, class: &str, bars: impl Iterator<Item = [f64; 4]>) {
        let mut path = String::new();
        for [x, y, width, height] in bars {
            let [x, y, width, height] = short([x, y, width, height]);
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
        }
        self.path(class, &path);
    }

    fn path(&mut self, class: &str, path: &str) {
        if !path.is_empty() {
            let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }

    /// Returns the whole file, with a background of this size.
    pub fn finish(self, (width, height): (f64, f64), title: &str) -> String {
        let body = self.body;
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n{body}</svg>\n",
            width - 1.0,
            height - 1.0
        )
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
pub fn nice_above(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&nice| value <= nice * 1.000_001)
        .unwrap_or(value)
}

/// Rounds to tenths of a pixel.
fn short<const N: usize>(values: [f64; N]) -> [f64; N] {
    // Adding zero turns -0 into 0.
    values.map(|value| (value * 10.0).round() / 10.0 + 0.0)
}

fn escaped(text: &str) -> String {
    // XML does not allow control characters, which a file name may contain.
    let allowed =
        |c: char| if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') { '\u{FFFD}' } else { c };
    let text: String = text.chars().map(allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
