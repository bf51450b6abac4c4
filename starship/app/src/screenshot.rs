//! Screenshots as PNG files.

use std::path::Path;

use evenstep_host::{Paint as _, Pixels};
use starship_sim::{Play, State};

use crate::choice::Chooser;
use crate::effects::Effects;
use crate::{hud, shell};

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Draws the game and writes it as a PNG.
pub(crate) fn write(play: &Play, alpha: f64, file: &Path) -> Result<(), String> {
    let mut data = vec![0; WIDTH * HEIGHT];
    let mut pixels = Pixels::new(&mut data, WIDTH as u32, HEIGHT as u32, 1.0);
    draw(&mut pixels, play.state(), alpha);
    if play.is_inverted() {
        pixels.invert();
    }
    save(&data, WIDTH, HEIGHT, file)
}

fn draw(pixels: &mut Pixels<'_>, state: &State, alpha: f64) {
    shell::draw_world(pixels, state, alpha, &Effects::default());
    hud::draw(pixels, state);
    hud::draw_banner(pixels, state, false, hud::Words::default());
    Chooser::default().draw(pixels, state, false);
}

/// Writes pixels as a PNG.
pub(crate) fn save(data: &[u32], width: usize, height: usize, file: &Path) -> Result<(), String> {
    let bytes = encode_png(data, width, height)?;
    std::fs::write(file, bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Encodes opaque pixels, each `0x00_RR_GG_BB`, as a PNG.
fn encode_png(data: &[u32], width: usize, height: usize) -> Result<Vec<u8>, String> {
    let encode = || -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        let bytes: Vec<u8> = data.iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
        writer.write_image_data(&bytes)?;
        writer.finish()?;
        Ok(file)
    };
    encode().map_err(|error| error.to_string())
}
