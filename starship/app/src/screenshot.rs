//! Screenshots as PNG files.

use std::path::Path;

use starship_sim::{Play, State};

use crate::canvas::{Canvas as _, Raster, encode_png};
use crate::choice::Chooser;
use crate::effects::Effects;
use crate::{hud, shell};

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Draws the game and writes it as a PNG.
pub(crate) fn write(play: &Play, alpha: f64, file: &Path) -> Result<(), String> {
    let mut data = vec![0; WIDTH * HEIGHT];
    let mut raster = Raster::new(&mut data, WIDTH, HEIGHT, 1.0);
    draw(&mut raster, play.state(), alpha);
    if play.is_inverted() {
        raster.invert();
    }
    save(&data, WIDTH, HEIGHT, file)
}

fn draw(raster: &mut Raster<'_>, state: &State, alpha: f64) {
    shell::draw_world(raster, state, alpha, &Effects::default());
    hud::draw(raster, state);
    hud::draw_banner(raster, state, false, hud::Words::default());
    Chooser::default().draw(raster, state, false);
}

/// Writes pixels as a PNG.
pub(crate) fn save(data: &[u32], width: usize, height: usize, file: &Path) -> Result<(), String> {
    let bytes = encode_png(data, width, height)?;
    std::fs::write(file, bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))
}
