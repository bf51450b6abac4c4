//! Lines of text, whose size is that of a letter's dots: a letter is 6 dots wide and 7 high.

use evenstep_host::{Color, Paint, font};

/// Draws a line of text that begins at `x`.
pub(crate) fn draw<C: Paint>(canvas: &mut C, x: f64, y: f64, dot: f64, text: &str, color: Color) {
    canvas.text(x, y, dot * font::HEIGHT, text, color);
}

/// Draws a line of text centred at `x`.
pub(crate) fn draw_centred<C: Paint>(canvas: &mut C, x: f64, y: f64, dot: f64, text: &str, color: Color) {
    draw(canvas, x - width(text, dot) / 2.0, y, dot, text, color);
}

/// Draws a line of text that ends at `x`.
pub(crate) fn draw_right<C: Paint>(canvas: &mut C, x: f64, y: f64, dot: f64, text: &str, color: Color) {
    draw(canvas, x - width(text, dot), y, dot, text, color);
}

/// The width of a text, without the gap after its last letter.
pub(crate) fn width(text: &str, dot: f64) -> f64 {
    font::text_width(text, dot * font::HEIGHT)
}
