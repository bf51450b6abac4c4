//! Images that are read back into memory.

use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, Device, Extent3d, Queue, TexelCopyBufferInfo,
    TexelCopyBufferLayout, Texture, TextureDescriptor, TextureDimension, TextureFormat, TextureUsages,
};

/// Rows of a copied image begin at multiples of this many bytes.
const ROW_ALIGNMENT: u32 = 256;

/// Creates an image that can be drawn into and read.
pub(super) fn image(device: &Device, format: TextureFormat, (width, height): (u32, u32)) -> Texture {
    device.create_texture(&TextureDescriptor {
        label: Some("offscreen"),
        size: Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: TextureDimension::D2,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Reads an image, and calls `done` with its pixels as `0x00_RR_GG_BB`, row by row, once the card has drawn it. `None` if
/// the card is lost.
pub(super) fn read(
    device: &Device,
    queue: &Queue,
    image: &Texture,
    done: impl FnOnce(Option<Vec<u32>>) + Send + 'static,
) {
    let row_bytes = (image.width() * 4).next_multiple_of(ROW_ALIGNMENT);
    let copy = device.create_buffer(&BufferDescriptor {
        label: Some("copy"),
        size: u64::from(row_bytes) * u64::from(image.height()),
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
    let mut commands = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let to = TexelCopyBufferInfo { buffer: &copy, layout };
    commands.copy_texture_to_buffer(image.as_image_copy(), to, image.size());
    queue.submit([commands.finish()]);
    let width = image.width() as usize;
    let row_bytes = row_bytes as usize;
    let is_bgra = image.format() == TextureFormat::Bgra8Unorm;
    let mapped = copy.clone();
    copy.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        done(result.ok().and_then(|()| pixels(&mapped, width, row_bytes, is_bgra)));
    });
}

fn pixels(copy: &Buffer, width: usize, row_bytes: usize, is_bgra: bool) -> Option<Vec<u32>> {
    let bytes = copy.slice(..).get_mapped_range().ok()?;
    let pixel = |&[first, green, third, _]: &[u8; 4]| {
        let (red, blue) = if is_bgra { (third, first) } else { (first, third) };
        u32::from_be_bytes([0, red, green, blue])
    };
    let rows = bytes.chunks_exact(row_bytes);
    Some(rows.flat_map(|row| row[..width * 4].as_chunks().0.iter().map(pixel)).collect())
}
