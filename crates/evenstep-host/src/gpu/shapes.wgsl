// Draws all shapes with one pipeline: a rectangle of pixels for each, coloured by the distance to the shape.

struct Viewport {
    size: vec2f,
}
@group(0) @binding(0) var<uniform> viewport: Viewport;

// The image that `copy` draws.
@group(1) @binding(0) var picture: texture_2d<f32>;

struct Instance {
    // Left, top, right, bottom: the pixels that the shape may touch.
    @location(0) bounds: vec4f,
    // Red, green, blue, strength.
    @location(1) color: vec4f,
    // The kind, and three numbers whose meaning depends on it.
    @location(2) kind: vec4f,
    // Radius and strength of the glow, and the number of corners.
    @location(3) glow: vec4f,
    @location(4) corners_0: vec4f,
    @location(5) corners_1: vec4f,
    @location(6) corners_2: vec4f,
    @location(7) corners_3: vec4f,
}

struct Pixel {
    @builtin(position) at: vec4f,
    @location(0) @interpolate(flat) color: vec4f,
    @location(1) @interpolate(flat) kind: vec4f,
    @location(2) @interpolate(flat) glow: vec4f,
    @location(3) @interpolate(flat) corners_0: vec4f,
    @location(4) @interpolate(flat) corners_1: vec4f,
    @location(5) @interpolate(flat) corners_2: vec4f,
    @location(6) @interpolate(flat) corners_3: vec4f,
}

@vertex
fn place(@builtin(vertex_index) n: u32, shape: Instance) -> Pixel {
    let share = vec2f(f32(n & 1u), f32(n >> 1u));
    let at = mix(shape.bounds.xy, shape.bounds.zw, share) / viewport.size;
    var pixel: Pixel;
    pixel.at = vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
    pixel.color = shape.color;
    pixel.kind = shape.kind;
    pixel.glow = shape.glow;
    pixel.corners_0 = shape.corners_0;
    pixel.corners_1 = shape.corners_1;
    pixel.corners_2 = shape.corners_2;
    pixel.corners_3 = shape.corners_3;
    return pixel;
}

fn corner(pixel: Pixel, n: i32) -> vec2f {
    var pair = pixel.corners_0;
    if n >= 6 {
        pair = pixel.corners_3;
    } else if n >= 4 {
        pair = pixel.corners_2;
    } else if n >= 2 {
        pair = pixel.corners_1;
    }
    return select(pair.xy, pair.zw, (n & 1) == 1);
}

fn covered(reach: f32, away: f32) -> f32 {
    return clamp(reach + 0.5 - away, 0.0, 1.0);
}

fn away_from_line(at: vec2f, a: vec2f, b: vec2f) -> f32 {
    let along = b - a;
    let squared = dot(along, along);
    let nearest = select(0.0, clamp(dot(at - a, along) / max(squared, 1e-12), 0.0, 1.0), squared > 1e-6);
    return length(at - a - nearest * along);
}

// How far a point lies outside a convex shape, measured from the lines through its edges.
fn outside_convex(pixel: Pixel, at: vec2f) -> f32 {
    let count = i32(pixel.glow.z);
    var outside = -1e9;
    for (var n = 0; n < count; n++) {
        let from_corner = corner(pixel, n);
        let along = corner(pixel, (n + 1) % count) - from_corner;
        let across = vec2f(along.y, -along.x) * pixel.kind.w / length(along);
        outside = max(outside, dot(at - from_corner, across));
    }
    return outside;
}

// How far a point lies outside any shape: negative inside.
fn outside_polygon(pixel: Pixel, at: vec2f) -> f32 {
    let count = i32(pixel.glow.z);
    var nearest = 1e9;
    var turns = 0;
    for (var n = 0; n < count; n++) {
        let a = corner(pixel, n);
        let b = corner(pixel, (n + 1) % count);
        nearest = min(nearest, away_from_line(at, a, b));
        let side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        if a.y <= at.y && b.y > at.y && side > 0.0 {
            turns += 1;
        } else if a.y > at.y && b.y <= at.y && side < 0.0 {
            turns -= 1;
        }
    }
    return select(nearest, -nearest, turns != 0);
}

fn to_third(x: f32) -> f32 {
    return x * x * x;
}

@fragment
fn shade(pixel: Pixel) -> @location(0) vec4f {
    let at = pixel.at.xy;
    let strength = pixel.color.a;
    var cover = 0.0;
    // The distance from the shape's edge, for the glow.
    var away = 0.0;
    switch i32(pixel.kind.x) {
        // A rectangle: how much of the pixel it covers.
        case 0: {
            let edges = pixel.corners_0;
            let across = clamp(min(at + 0.5, edges.zw) - max(at - 0.5, edges.xy), vec2f(0.0), vec2f(1.0));
            cover = across.x * across.y * strength;
        }
        // A line: half its width.
        case 1: {
            away = away_from_line(at, pixel.corners_0.xy, pixel.corners_0.zw);
            cover = covered(pixel.kind.y, away) * strength;
        }
        // A ring: its radius, half its width.
        case 2: {
            away = abs(length(at - pixel.corners_0.xy) - pixel.kind.y);
            cover = covered(pixel.kind.z, away) * strength;
        }
        // A light: its radius, and the brightness of its halo and its core.
        case 3: {
            let from_centre = (at - pixel.corners_0.xy) / pixel.kind.y;
            let near = 1.0 - clamp(dot(from_centre, from_centre), 0.0, 1.0);
            let third = to_third(near);
            let bright = pixel.kind.z * third + pixel.kind.w * to_third(third) * to_third(third) * third * third;
            return vec4f(pixel.color.rgb * bright * strength, 0.0);
        }
        // A convex shape: half the width and the strength of its outline, and its orientation.
        case 4: {
            let outside = outside_convex(pixel, at);
            let inside = clamp(0.5 - outside, 0.0, 1.0) * strength;
            let edge = covered(pixel.kind.y, abs(outside)) * pixel.kind.z;
            cover = inside + edge - inside * edge;
            away = max(outside, 0.0);
        }
        // Any other shape.
        default: {
            cover = clamp(0.5 - outside_polygon(pixel, at), 0.0, 1.0) * strength;
        }
    }
    var light = vec3f(0.0);
    if pixel.glow.x > 0.0 {
        let near = clamp(1.0 - away / pixel.glow.x, 0.0, 1.0);
        light = pixel.color.rgb * to_third(near) * pixel.glow.y;
    }
    // Premultiplied, so that one blend mode draws over the image and adds light to it.
    return vec4f(pixel.color.rgb * cover + light, cover);
}

// Inverts everything below it, by its blend mode.
@fragment
fn invert(pixel: Pixel) -> @location(0) vec4f {
    return vec4f(1.0);
}

// Draws an image without smoothing it, on the pixels whose centre is within its rectangle.
@fragment
fn copy(pixel: Pixel) -> @location(0) vec4f {
    let edges = pixel.corners_0;
    let size = vec2f(textureDimensions(picture));
    let at = (pixel.at.xy - edges.xy) / (edges.zw - edges.xy) * size;
    if any(at < vec2f(0.0)) || any(at >= size) {
        return vec4f(0.0);
    }
    let color = textureLoad(picture, vec2i(at), 0);
    return vec4f(color.rgb * color.a, color.a);
}
