//! Vector functions that give the same bits on every target.

/// A point or direction in the plane, in metres: Rapier's vector type.
pub type Vec2 = evenstep_rapier::rapier::math::Vector;

/// Returns the unit vector at an angle in radians.
pub(crate) fn direction(radians: f32) -> Vec2 {
    Vec2::new(libm::cosf(radians), libm::sinf(radians))
}

/// Normalises `v`, or returns `fallback` if `v` is almost zero.
pub(crate) fn unit_or(v: Vec2, fallback: Vec2) -> Vec2 {
    let length = v.length();
    if length > 1e-4 { v / length } else { fallback }
}

/// Limits the length of `v` to `most`.
pub(crate) fn at_most(v: Vec2, most: f32) -> Vec2 {
    let length = v.length();
    if length > most { v * (most / length) } else { v }
}

/// Rotates `v` by 90 degrees to the left.
pub(crate) fn left_of(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// Rotates `v` by an angle in radians.
pub(crate) fn turned(v: Vec2, radians: f32) -> Vec2 {
    let sin = libm::sinf(radians);
    let cos = libm::cosf(radians);
    Vec2::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos)
}

/// Moves a point into the arena, at least `margin` metres from its walls.
pub(crate) fn inside_arena(point: Vec2, margin: f32) -> Vec2 {
    let most = crate::tuning::ARENA_HALF - margin;
    Vec2::new(point.x.clamp(-most, most), point.y.clamp(-most, most))
}
