//! Rows of pixels, and ways to blend one colour over them.
//!
//! The loops are written so that the compiler vectorises them: over bytes in long runs, and over four floats at a time. See
//! `docs/benchmarks.md` before changing one.

use std::array;
use std::ops::Range;

/// Four adjacent pixels: as many floats as the vector registers of all targets hold.
pub(super) type Four = [f32; 4];

/// Pixels that are blended in one loop: with fewer, the compiler would unroll it instead.
const RUN: usize = 16;
/// Mask for the bytes of a colour in the lower halves of 16-bit lanes.
const LANES: u64 = 0x00FF_00FF_00FF;

/// Blends two colours by a share in 256ths, all channels at once.
pub(super) fn blend(from: u32, to: u32, share: u32) -> u32 {
    let share = u64::from(share);
    let lanes = ((spread(from) * (256 - share) + spread(to) * share) >> 8) & LANES;
    (lanes | lanes >> 24) as u32
}

/// Spreads the channels, with room for a product above each.
fn spread(color: u32) -> u64 {
    let color = u64::from(color);
    (color | color << 24) & LANES
}

/// Blends a colour over every pixel with the same share, in 256ths.
pub(super) fn wash(row: &mut [u32], color: u32, share: u32) {
    if share >= 256 {
        row.fill(color);
    } else if share > 0 {
        let (runs, rest) = row.as_chunks_mut::<RUN>();
        if !runs.is_empty() {
            wash_runs(runs, color, share as u16);
        }
        for pixel in rest {
            *pixel = blend(*pixel, color, share);
        }
    }
}

fn wash_runs(runs: &mut [[u32; RUN]], color: u32, share: u16) {
    let bytes = color.to_le_bytes();
    let added: [u16; RUN * 4] = array::from_fn(|n| u16::from(bytes[n % 4]) * share);
    for run in runs {
        let bytes: &mut [u8; RUN * 4] = bytemuck::cast_mut(run);
        for (byte, added) in bytes.iter_mut().zip(&added) {
            *byte = ((u16::from(*byte) * (256 - share) + added) >> 8) as u8;
        }
    }
}

/// Blends a colour over a part of a row. The function gives each pixel's share in 256ths, from the pixels' centres.
///
/// The part is extended to a multiple of four pixels, so the function must be correct (usually 0) for a few more.
pub(super) fn tint(line: &mut [u32], part: Range<usize>, color: u32, share: impl Fn(Four) -> Four) {
    let end = (part.start + part.len().next_multiple_of(4)).min(line.len());
    let (fours, rest) = line[part.start..end].as_chunks_mut::<4>();
    tint_fours(fours, part.start, color, &share);
    if !rest.is_empty() {
        // The right edge, if the width is not a multiple of four.
        let mut four = [[0; 4]];
        four[0][..rest.len()].copy_from_slice(rest);
        tint_fours(&mut four, part.start + fours.len() * 4, color, &share);
        rest.copy_from_slice(&four[0][..rest.len()]);
    }
}

/// A separate function, so that `share` has only one call site and is inlined into the loop.
fn tint_fours(fours: &mut [[u32; 4]], first: usize, color: u32, share: &impl Fn(Four) -> Four) {
    let mut centres: Four = array::from_fn(|n| (first + n) as u32 as f32 + 0.5);
    for four in fours {
        for (pixel, share) in four.iter_mut().zip(share(centres)) {
            *pixel = blend(*pixel, color, whole(share));
        }
        centres = centres.map(|x| x + 4.0);
    }
}

/// Returns the pixels between two positions along an axis, clipped to the canvas. NaN and huge values are clipped, too.
pub(super) fn span(from: f32, to: f32, most: usize) -> (usize, usize) {
    let below = to.max(0.0) as u32;
    // Rounds up. `f32::ceil` would be a function call on targets without an instruction for it.
    let to = (below.saturating_add(u32::from((below as f32) < to)) as usize).min(most);
    ((from.max(0.0) as u32 as usize).min(to), to)
}

/// Rounds a number from 0 to 256. A cast would check for NaN and limits, which prevents vectorisation.
pub(super) fn whole(share: f32) -> u32 {
    // At 2^23 the lowest bit of a float's mantissa is worth 1.
    (share + 8_388_608.0).to_bits() & 0x1FF
}
