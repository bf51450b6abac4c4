//! Images as textures.

use std::sync::{Arc, Weak};

use wgpu::{
    BindGroup, BindGroupLayout, Device, Extent3d, Queue, TexelCopyBufferLayout, TextureDescriptor,
    TextureDimension, TextureFormat, TextureUsages,
};

use crate::image::Image;

/// The images that a card has seen. They go when their pixels have gone.
pub(super) struct Pictures {
    layout: BindGroupLayout,
    known: Vec<Picture>,
}

struct Picture {
    pixels: Weak<[u8]>,
    width: u32,
    group: BindGroup,
}

impl Pictures {
    pub(super) fn new(device: &Device) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("picture"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        Self { layout, known: Vec::new() }
    }

    pub(super) const fn layout(&self) -> &BindGroupLayout {
        &self.layout
    }

    pub(super) fn group(&self, number: usize) -> &BindGroup {
        &self.known[number].group
    }

    /// Forgets images that are gone. The others get new numbers.
    pub(super) fn clean(&mut self) {
        self.known.retain(|picture| picture.pixels.strong_count() > 0);
    }

    /// Returns the number of an image, which is uploaded the first time. `None` if it is empty, or larger than the card's
    /// images can be.
    pub(super) fn number(&mut self, device: &Device, queue: &Queue, image: &Image) -> Option<usize> {
        let width = image.width();
        let height = image.height();
        let most = device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > most || height > most {
            return None;
        }
        let is_it = |picture: &Picture| {
            std::ptr::addr_eq(picture.pixels.as_ptr(), Arc::as_ptr(image.shared())) && picture.width == width
        };
        if let Some(number) = self.known.iter().position(is_it) {
            return Some(number);
        }
        let size = Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = device.create_texture(&TextureDescriptor {
            label: Some("picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            // Colours are blended as they are stored.
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout =
            TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None };
        queue.write_texture(texture.as_image_copy(), image.rgba(), layout, size);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("picture"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            }],
        });
        self.known.push(Picture { pixels: Arc::downgrade(image.shared()), width, group });
        Some(self.known.len() - 1)
    }
}
