//! Convex shapes, which can be filled and outlined in one pass.

use super::{CORNERS_MAX, Place, is_near};

/// The sharpest turn between edges, as a cosine: with sharper ones, outlines would meet far outside.
const TURN_COS_MIN: f32 = -0.55;
/// A corner this far outside an edge, in pixels, makes a shape concave.
const FLAT: f32 = 0.05;

/// A convex shape, as a list of edges.
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "only the rasteriser needs the edges"))]
pub(super) struct Convex {
    pub(super) edges: [Edge; CORNERS_MAX],
    pub(super) len: usize,
    pub(super) top: f32,
    pub(super) bottom: f32,
}

/// The line through an edge. The distance of a point outside it is `x * across + y * down - offset`.
#[derive(Clone, Copy, Default)]
pub(super) struct Edge {
    pub(super) across: f32,
    pub(super) down: f32,
    pub(super) offset: f32,
}

impl Convex {
    /// The shape with these corners; `None` if it is not convex or has too sharp corners.
    pub(super) fn of(corners: &[Place]) -> Option<Self> {
        let next = |n: usize| corners[(n + 1) % corners.len()];
        if corners.len() < 3 || corners.len() > CORNERS_MAX || !is_near(corners) {
            return None;
        }
        let area: f32 =
            corners.iter().enumerate().map(|(n, from)| from[0] * next(n)[1] - from[1] * next(n)[0]).sum();
        let mut edges = [Edge::default(); CORNERS_MAX];
        for (n, from) in corners.iter().enumerate() {
            let (x, y) = (next(n)[0] - from[0], next(n)[1] - from[1]);
            // The sign of the area gives the orientation. An edge without length becomes NaN and fails the checks below.
            let unit = area.signum() / (x * x + y * y).sqrt();
            let (across, down) = (y * unit, -x * unit);
            edges[n] = Edge { across, down, offset: across * from[0] + down * from[1] };
        }
        let sides = &edges[..corners.len()];
        let is_convex = sides
            .iter()
            .all(|edge| corners.iter().all(|[x, y]| x * edge.across + y * edge.down - edge.offset < FLAT));
        let is_blunt = (0..sides.len()).all(|n| {
            let (edge, next) = (sides[n], sides[(n + 1) % sides.len()]);
            edge.across * next.across + edge.down * next.down > TURN_COS_MIN
        });
        let (top, bottom) =
            corners.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), corner| {
                (top.min(corner[1]), bottom.max(corner[1]))
            });
        (is_convex && is_blunt).then_some(Self { edges, len: corners.len(), top, bottom })
    }
}
