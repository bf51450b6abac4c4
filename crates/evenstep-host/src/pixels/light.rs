//! Lights: bell curves around a position, added to the image.

use super::Pixels;
use super::rows::span;
use crate::mark::Place;
use crate::paint::{Color, LIGHT_CORE, LIGHT_HALO};

/// Columns per strip; a wider light is drawn in strips.
const COLUMNS: usize = 128;
/// Rows start and end at multiples of this many pixels, to fill whole vector registers.
const GROUP: usize = 8;

impl Pixels<'_> {
    /// Adds a light. Squared distances are in 65536ths of the squared radius, so a pixel needs a few 16-bit multiplications
    /// and no square root.
    pub(super) fn add_light(&mut self, [x, y]: Place, radius: f32, color: Color) {
        let rgb = color.to_bytes();
        let brightest = f32::from(rgb.into_iter().max().unwrap_or_default()) * color.alpha();
        // Skip pixels where even the brightest channel would be below 1.
        let seen = 1.0 - (1.0 / (brightest * LIGHT_HALO)).cbrt();
        let reach = radius * seen.max(0.0).sqrt();
        if reach <= 0.0 {
            return;
        }
        let (left, right) = span(x - reach, x + reach, self.width);
        let (top, bottom) = span(y - reach, y + reach, self.height);
        let per_radius_squared = 65_536.0 / (radius * radius);
        let mut light = Light::new(rgb, color.alpha());
        for strip in (left / GROUP * GROUP..right).step_by(COLUMNS) {
            for (n, away) in
                light.columns.iter_mut().take((right - strip).next_multiple_of(GROUP)).enumerate()
            {
                let across = (strip + n) as f32 + 0.5 - x;
                *away = (across * across * per_radius_squared) as u16;
            }
            for row in top..bottom {
                let down = row as f32 + 0.5 - y;
                let half = (reach * reach - down * down).max(0.0).sqrt();
                let (first, end) = span(x - half, x + half, self.width);
                let first = first.max(strip) / GROUP * GROUP;
                let end = end.next_multiple_of(GROUP).min(strip + COLUMNS).min(self.width);
                if first < end {
                    let near = u16::MAX - (down * down * per_radius_squared) as u16;
                    light.add(&mut self.line_mut(row)[first..end], first - strip, near);
                }
            }
        }
    }
}

/// A light that is being drawn to a strip, row by row.
struct Light {
    // The strength of each bell curve in 65536ths, and of each channel in 256ths.
    halo: u16,
    core: u16,
    rgb: [u16; 3],
    // Distances of columns from the centre; the light of a row's pixels, by channel and combined.
    columns: [u16; COLUMNS],
    planes: [[u16; COLUMNS]; 3],
    added: [[u16; 2]; COLUMNS],
}

impl Light {
    fn new(rgb: [u8; 3], strength: f32) -> Self {
        Self {
            halo: (LIGHT_HALO * strength * 65_535.0) as u16,
            core: (LIGHT_CORE * strength * 65_535.0) as u16,
            rgb: rgb.map(u16::from),
            columns: [0; COLUMNS],
            planes: [[0; COLUMNS]; 3],
            added: [[0; 2]; COLUMNS],
        }
    }

    /// Adds the light to a row's pixels, starting at a column; `near` is the row's closeness to the centre.
    ///
    /// Three short loops, each over numbers of one width: the compiler would not vectorise a single loop.
    fn add(&mut self, pixels: &mut [u32], first: usize, near: u16) {
        let len = pixels.len().next_multiple_of(GROUP);
        let away = &self.columns[first..][..len];
        let Self { halo, core, rgb, .. } = *self;
        let [red, green, blue] = self.planes.each_mut().map(|plane| &mut plane[..len]);
        for n in 0..len {
            // The same curve as `paint::falloff`.
            let near = near.saturating_sub(away[n]);
            let third = times(times(near, near), near);
            let sixth = times(third, third);
            let twelfth = times(sixth, sixth);
            let bright = times(third, halo).saturating_add(times(times(twelfth, twelfth), core));
            red[n] = times(bright, rgb[0]);
            green[n] = times(bright, rgb[1]);
            blue[n] = times(bright, rgb[2]);
        }
        let added = &mut self.added[..len];
        for n in 0..len {
            added[n] = [green[n] << 8 | blue[n], red[n]];
        }
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(pixels);
        let added: &[u8] = bytemuck::cast_slice(added);
        for (byte, added) in bytes.iter_mut().zip(added) {
            *byte = byte.saturating_add(*added);
        }
    }
}

/// Returns the product of two fractions in 65536ths.
fn times(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}
