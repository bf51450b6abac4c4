//! Convex shapes, which can be filled and outlined in one pass.

use crate::mark::{Place, is_near};
use crate::paint::CORNERS_MAX;

/// The sharpest turn between edges, as a cosine: with sharper ones, outlines would meet far outside.
const TURN_COS_MIN: f32 = -0.55;
/// A corner this far outside an edge, in pixels, makes a shape concave.
const FLAT: f32 = 0.05;

/// A convex shape.
pub(crate) struct Convex {
    corners: [Place; CORNERS_MAX],
    edges: [Edge; CORNERS_MAX],
    len: usize,
}

/// The line through an edge. The distance of a point outside it is `x * across + y * down - offset`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Edge {
    pub(crate) across: f32,
    pub(crate) down: f32,
    pub(crate) offset: f32,
}

impl Convex {
    /// Creates the shape with these corners; `None` if it is not convex or has too sharp corners.
    pub(crate) fn of(corners: &[Place]) -> Option<Self> {
        let next = |n: usize| corners[(n + 1) % corners.len()];
        if corners.len() < 3 || corners.len() > CORNERS_MAX || !is_near(corners) {
            return None;
        }
        let turn = turn_of(corners);
        let mut shape = Self {
            corners: [[0.0; 2]; CORNERS_MAX],
            edges: [Edge::default(); CORNERS_MAX],
            len: corners.len(),
        };
        shape.corners[..corners.len()].copy_from_slice(corners);
        for (n, from) in corners.iter().enumerate() {
            let x = next(n)[0] - from[0];
            let y = next(n)[1] - from[1];
            // An edge without length becomes NaN and fails the checks below.
            let unit = turn / (x * x + y * y).sqrt();
            let across = y * unit;
            let down = -x * unit;
            shape.edges[n] = Edge { across, down, offset: across * from[0] + down * from[1] };
        }
        let edges = shape.edges();
        let is_convex = edges
            .iter()
            .all(|edge| corners.iter().all(|[x, y]| x * edge.across + y * edge.down - edge.offset < FLAT));
        let is_blunt = (0..edges.len()).all(|n| {
            let edge = edges[n];
            let next = edges[(n + 1) % edges.len()];
            edge.across * next.across + edge.down * next.down > TURN_COS_MIN
        });
        (is_convex && is_blunt).then_some(shape)
    }

    /// Returns the corners, in order.
    pub(crate) fn corners(&self) -> &[Place] {
        &self.corners[..self.len]
    }

    /// Returns the edges, each from a corner to the next.
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges[..self.len]
    }
}

/// Returns 1 if the corners are in clockwise order, or -1: the sign of the area.
pub(crate) fn turn_of(corners: &[Place]) -> f32 {
    let next = |n: usize| corners[(n + 1) % corners.len()];
    let area: f32 =
        corners.iter().enumerate().map(|(n, from)| from[0] * next(n)[1] - from[1] * next(n)[0]).sum();
    area.signum()
}
