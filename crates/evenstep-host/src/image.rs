//! Images to draw.

use std::fmt;
use std::sync::Arc;

use crate::paint::Color;

/// An image of RGBA pixels, for [`Paint::image`](crate::Paint::image). Cloning it is cheap: clones share the pixels.
///
/// Any decoder gives you these bytes, for example `image::open(path)?.to_rgba8().into_raw()`.
///
/// ```
/// use evenstep_host::{Image, Paint, Pixels};
///
/// // Two pixels: opaque red, and a blue that nobody sees.
/// let image = Image::from_rgba(2, 1, vec![0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0]);
///
/// let mut memory = vec![0; 8 * 4];
/// Pixels::new(&mut memory, 8, 4, 1.0).image(0.0, 0.0, 8.0, 4.0, &image);
/// assert_eq!(memory[..8], [0xFF_00_00, 0xFF_00_00, 0xFF_00_00, 0xFF_00_00, 0, 0, 0, 0]);
/// ```
#[derive(Clone)]
pub struct Image {
    width: u32,
    height: u32,
    // Invariant: rgba.len() == width * height * 4.
    rgba: Arc<[u8]>,
}

impl Image {
    /// Creates an image of four bytes per pixel: red, green, blue, and an opacity that the colours are not multiplied by.
    /// Rows run from top to bottom and pixels from left to right.
    ///
    /// # Panics
    ///
    /// If `rgba` does not hold exactly `width` times `height` pixels.
    pub fn from_rgba(width: u32, height: u32, rgba: impl Into<Arc<[u8]>>) -> Self {
        let rgba = rgba.into();
        let expected = u64::from(width) * u64::from(height);
        assert!(
            u128::from(expected) * 4 == rgba.len() as u128,
            "an image of {width} x {height} pixels needs 4 bytes for each, not {} in all",
            rgba.len()
        );
        Self { width, height, rgba }
    }

    /// Returns the width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the bytes: red, green, blue and opacity of each pixel, row by row.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Returns the colour of a pixel within the image.
    pub(crate) fn color(&self, x: u32, y: u32) -> Color {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        let [red, green, blue, alpha] = self.rgba[at..at + 4].try_into().expect("four bytes");
        Color::rgb(u32::from_be_bytes([0, red, green, blue])).with_alpha(f32::from(alpha) / 255.0)
    }

    /// Returns the shared pixels, by which a canvas recognises an image that it has seen.
    #[cfg(any(feature = "gpu", all(feature = "web", target_arch = "wasm32")))]
    pub(crate) const fn shared(&self) -> &Arc<[u8]> {
        &self.rgba
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} x {})", self.width, self.height)
    }
}
