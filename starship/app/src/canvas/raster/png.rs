//! Pixels as a file.

use tiny_skia::{Pixmap, PremultipliedColorU8};

/// Writes pixels as a PNG.
pub(crate) fn encode_png(data: &[u32], width: usize, height: usize) -> Result<Vec<u8>, String> {
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or("no memory for a picture")?;
    for (from, to) in data.iter().zip(pixmap.pixels_mut()) {
        let [_, red, green, blue] = from.to_be_bytes();
        *to =
            PremultipliedColorU8::from_rgba(red, green, blue, 0xFF).ok_or("an opaque colour is a colour")?;
    }
    pixmap.encode_png().map_err(|error| error.to_string())
}
