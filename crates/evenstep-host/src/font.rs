//! A bitmap font of five by seven dots: capitals, digits and punctuation.
//!
//! [`Paint::text`](crate::Paint::text) draws with it. Lower case looks like upper case, and a character that the font
//! does not have is a space.

/// The dots from one letter to the next.
pub(crate) const ADVANCE: f64 = 6.0;

/// The dots from one line to the next.
pub(crate) const LINE: f64 = 10.0;

/// The dots of a letter's height.
pub const HEIGHT: f64 = 7.0;

/// Returns the width of a text whose letters have this height, in the same unit. Of several lines it is the widest.
///
/// ```
/// use evenstep_host::{Paint, font};
///
/// fn centred(canvas: &mut impl Paint, y: f64, text: &str) {
///     let x = (canvas.size().width - font::text_width(text, 14.0)) / 2.0;
///     canvas.text(x, y, 14.0, text, evenstep_host::Color::rgb(0xFF_FF_FF));
/// }
///
/// assert_eq!(font::text_width("AB", 7.0), 11.0); // Two letters of five dots, and one dot between them.
/// ```
pub fn text_width(text: &str, height: f64) -> f64 {
    let letters = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    (letters as f64 * ADVANCE - 1.0).max(0.0) * height / HEIGHT
}

/// Returns the dots of a letter: seven rows from the top, with the leftmost dot in the highest of five bits.
///
/// ```
/// use evenstep_host::font::glyph;
///
/// assert_eq!(glyph('l')[6], 0b11111); // The foot of an L.
/// assert_eq!(glyph('\u{1F680}'), [0; 7]);
/// ```
pub const fn glyph(letter: char) -> [u8; 7] {
    match letter.to_ascii_uppercase() {
        'A' => [14, 17, 17, 31, 17, 17, 17],
        'B' => [30, 17, 17, 30, 17, 17, 30],
        'C' => [14, 17, 16, 16, 16, 17, 14],
        'D' => [30, 17, 17, 17, 17, 17, 30],
        'E' => [31, 16, 16, 30, 16, 16, 31],
        'F' => [31, 16, 16, 30, 16, 16, 16],
        'G' => [14, 17, 16, 23, 17, 17, 15],
        'H' => [17, 17, 17, 31, 17, 17, 17],
        'I' => [14, 4, 4, 4, 4, 4, 14],
        'J' => [7, 2, 2, 2, 2, 18, 12],
        'K' => [17, 18, 20, 24, 20, 18, 17],
        'L' => [16, 16, 16, 16, 16, 16, 31],
        'M' => [17, 27, 21, 21, 17, 17, 17],
        'N' => [17, 25, 21, 19, 17, 17, 17],
        'O' => [14, 17, 17, 17, 17, 17, 14],
        'P' => [30, 17, 17, 30, 16, 16, 16],
        'Q' => [14, 17, 17, 17, 21, 18, 13],
        'R' => [30, 17, 17, 30, 20, 18, 17],
        'S' => [15, 16, 16, 14, 1, 1, 30],
        'T' => [31, 4, 4, 4, 4, 4, 4],
        'U' => [17, 17, 17, 17, 17, 17, 14],
        'V' => [17, 17, 17, 17, 17, 10, 4],
        'W' => [17, 17, 17, 21, 21, 27, 17],
        'X' => [17, 17, 10, 4, 10, 17, 17],
        'Y' => [17, 17, 10, 4, 4, 4, 4],
        'Z' => [31, 1, 2, 4, 8, 16, 31],
        '0' => [14, 17, 19, 21, 25, 17, 14],
        '1' => [4, 12, 4, 4, 4, 4, 14],
        '2' => [14, 17, 1, 6, 8, 16, 31],
        '3' => [31, 2, 4, 6, 1, 17, 14],
        '4' => [2, 6, 10, 18, 31, 2, 2],
        '5' => [31, 16, 30, 1, 1, 17, 14],
        '6' => [6, 8, 16, 30, 17, 17, 14],
        '7' => [31, 1, 2, 4, 8, 8, 8],
        '8' => [14, 17, 17, 14, 17, 17, 14],
        '9' => [14, 17, 17, 15, 1, 2, 12],
        ':' => [0, 4, 4, 0, 4, 4, 0],
        '.' => [0, 0, 0, 0, 0, 6, 6],
        '-' => [0, 0, 0, 31, 0, 0, 0],
        '+' => [0, 4, 4, 31, 4, 4, 0],
        '/' => [1, 1, 2, 4, 8, 16, 16],
        '%' => [24, 25, 2, 4, 8, 19, 3],
        '(' => [2, 4, 8, 8, 8, 4, 2],
        ')' => [8, 4, 2, 2, 2, 4, 8],
        '[' => [14, 8, 8, 8, 8, 8, 14],
        ']' => [14, 2, 2, 2, 2, 2, 14],
        '<' => [2, 4, 8, 16, 8, 4, 2],
        '>' => [8, 4, 2, 1, 2, 4, 8],
        '=' => [0, 0, 31, 0, 31, 0, 0],
        ',' => [0, 0, 0, 0, 6, 2, 4],
        ';' => [0, 6, 6, 0, 6, 2, 4],
        '\'' => [4, 4, 8, 0, 0, 0, 0],
        '!' => [4, 4, 4, 4, 4, 0, 4],
        '?' => [14, 17, 1, 2, 4, 0, 4],
        '_' => [0, 0, 0, 0, 0, 0, 31],
        '*' => [0, 4, 21, 14, 21, 4, 0],
        _ => [0; 7],
    }
}
