//! PNG encoding.

/// Encodes opaque pixels, each `0x00RRGGBB`, as a PNG.
pub(crate) fn encode_png(data: &[u32], width: usize, height: usize) -> Result<Vec<u8>, String> {
    let encode = || -> Result<Vec<u8>, ::png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut file, width as u32, height as u32);
        encoder.set_color(::png::ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        let bytes: Vec<u8> = data.iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
        writer.write_image_data(&bytes)?;
        writer.finish()?;
        Ok(file)
    };
    encode().map_err(|error| error.to_string())
}
