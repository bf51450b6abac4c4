//! What a canvas that colours pixels itself draws: the shapes of [`Paint`](crate::Paint), in pixels.

use crate::convex::Convex;
use crate::paint::{CORNERS_MAX, Color};

/// A position in pixels from the upper left corner.
pub(crate) type Place = [f32; 2];

/// The smallest half-width of a stroke, in pixels: a thinner one would break into dots.
const HALF_MIN: f32 = 0.35;
/// Coordinates beyond this, in pixels, are not drawn: floats could not represent them precisely enough.
const FAR: f32 = 1e6;
/// A coordinate beyond every image, in pixels.
const OUT_OF_SIGHT: f64 = 1e5;

/// A shape in pixels.
#[derive(Clone, Copy)]
pub(crate) enum Mark<'a> {
    /// A filled rectangle.
    Rect { from: Place, to: Place },
    /// A line with round ends.
    Line { from: Place, to: Place, half: f32 },
    /// The outline of a circle.
    Ring { at: Place, radius: f32, half: f32 },
    /// Light that is added to the image, brightest at its centre.
    Light { at: Place, radius: f32 },
    /// A convex shape with an outline of the same colour, which has an opacity of its own.
    Convex { shape: &'a Convex, half: f32, outline: f32 },
    /// A filled shape.
    Polygon { corners: &'a [Place] },
}

impl Mark<'_> {
    /// Creates a rectangle from its upper left corner and its size in points.
    pub(crate) fn rect(scale: f64, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> Self {
        // Edges that are out of sight may be anywhere.
        let edge = |points: f64| (points * scale).clamp(-OUT_OF_SIGHT, OUT_OF_SIGHT) as f32;
        Self::Rect { from: [edge(x), edge(y)], to: [edge(x + width), edge(y + height)] }
    }

    /// Creates a line from points.
    pub(crate) fn line(scale: f64, from: [f64; 2], to: [f64; 2], width: f64) -> Self {
        Self::Line { from: place(scale, from), to: place(scale, to), half: half(scale, width) }
    }

    /// Creates a ring from points.
    pub(crate) fn ring(scale: f64, at: [f64; 2], radius: f64, width: f64) -> Self {
        Self::Ring { at: place(scale, at), radius: (radius * scale) as f32, half: half(scale, width) }
    }

    /// Creates a light from points.
    pub(crate) fn light(scale: f64, at: [f64; 2], radius: f64) -> Self {
        Self::Light { at: place(scale, at), radius: (radius * scale) as f32 }
    }

    /// Returns whether all numbers are near enough to be drawn precisely, and lengths are positive.
    pub(crate) fn is_drawable(&self) -> bool {
        match *self {
            Self::Rect { from, to } => is_near(&[from, to]),
            Self::Line { from, to, half } => is_near(&[from, to, [half; 2]]),
            Self::Ring { at, radius, half } => is_near(&[at, [radius, half]]) && radius > 0.0,
            Self::Light { at, radius } => is_near(&[at, [radius; 2]]) && radius > 0.0,
            Self::Convex { half, .. } => is_near(&[[half; 2]]),
            Self::Polygon { corners } => corners.len() >= 3 && is_near(corners),
        }
    }
}

/// Draws a closed shape in points as the marks that it consists of.
pub(crate) fn draw_shape(
    scale: f64,
    corners: &[[f64; 2]],
    [filling, outline]: [Color; 2],
    width: f64,
    mut draw: impl FnMut(Mark<'_>, Color),
) {
    let mut places = [[0.0; 2]; CORNERS_MAX];
    for (pixels, &corner) in places.iter_mut().zip(corners) {
        *pixels = place(scale, corner);
    }
    let places = &places[..corners.len().min(CORNERS_MAX)];
    let half = half(scale, width);
    if filling.to_rgb() == outline.to_rgb()
        && let Some(shape) = Convex::of(places)
    {
        draw(Mark::Convex { shape: &shape, half, outline: outline.alpha() }, filling);
        return;
    }
    draw(Mark::Polygon { corners: places }, filling);
    for (n, &from) in places.iter().enumerate() {
        draw(Mark::Line { from, to: places[(n + 1) % places.len()], half }, outline);
    }
}

/// Returns whether all coordinates are numbers and close enough to be drawn.
pub(crate) fn is_near(places: &[Place]) -> bool {
    places.iter().flatten().all(|along| along.abs() <= FAR)
}

/// Returns the top and the bottom of a shape.
pub(crate) fn rows_of(corners: &[Place]) -> (f32, f32) {
    corners.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), corner| {
        (top.min(corner[1]), bottom.max(corner[1]))
    })
}

fn place(scale: f64, at: [f64; 2]) -> Place {
    at.map(|points| (points * scale) as f32)
}

fn half(scale: f64, width: f64) -> f32 {
    let half = (width * scale / 2.0) as f32;
    // Not with `max`, which would make a number of NaN.
    if half < HALF_MIN { HALF_MIN } else { half }
}
