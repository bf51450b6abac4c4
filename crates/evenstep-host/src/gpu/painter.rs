//! Collects marks, and draws them with one pipeline.

use std::ops::Range;

use bytemuck::cast_slice;
use wgpu::{
    BindGroup, BlendComponent, BlendFactor, BlendOperation, BlendState, Buffer, BufferDescriptor,
    BufferUsages, ColorTargetState, ColorWrites, Device, FragmentState, LoadOp, Operations,
    PrimitiveTopology, Queue, RenderPassColorAttachment, RenderPassDescriptor, RenderPipeline,
    RenderPipelineDescriptor, StoreOp, TextureFormat, TextureView, VertexBufferLayout, VertexState,
    VertexStepMode, include_wgsl, vertex_attr_array,
};

use super::pictures::Pictures;
use crate::convex::turn_of;
use crate::image::Image;
use crate::mark::{Mark, Place, is_near};
use crate::paint::{CORNERS_MAX, Color, LIGHT_CORE, LIGHT_HALO};

/// The numbers of a shape, in the order of `Instance` in shapes.wgsl.
type Instance = [f32; 32];

const INSTANCE_BYTES: u64 = size_of::<Instance>() as u64;
/// The marks that are drawn at once: every card has a buffer for so many.
const MARKS_MAX: usize = 1 << 18;

/// Collects the marks of an image and draws them.
pub(crate) struct Painter {
    shapes: RenderPipeline,
    inversion: RenderPipeline,
    copying: RenderPipeline,
    pictures: Pictures,
    viewport: Buffer,
    group: BindGroup,
    instances: Buffer,
    marks: Vec<Instance>,
    // What draws the marks, in order: each up to a number of them.
    runs: Vec<(Pen, usize)>,
    background: Option<Color>,
    glow: [f32; 2],
}

/// What marks are drawn with.
#[derive(Clone, Copy, PartialEq)]
enum Pen {
    Shapes,
    // The number of an image.
    Picture(usize),
    Inversion,
}

impl Painter {
    pub(crate) fn new(device: &Device, format: TextureFormat) -> Self {
        let module = device.create_shader_module(include_wgsl!("shapes.wgsl"));
        let group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("viewport"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("shapes"),
            bind_group_layouts: &[Some(&group_layout)],
            ..Default::default()
        });
        let pictures = Pictures::new(device);
        let layout_of_pictures = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("pictures"),
            bind_group_layouts: &[Some(&group_layout), Some(pictures.layout())],
            ..Default::default()
        });
        let pipeline = |entry_point, layout, blend| {
            device.create_render_pipeline(&RenderPipelineDescriptor {
                label: Some(entry_point),
                layout: Some(layout),
                vertex: VertexState {
                    module: &module,
                    entry_point: Some("place"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[Some(VertexBufferLayout {
                        array_stride: INSTANCE_BYTES,
                        step_mode: VertexStepMode::Instance,
                        attributes: &vertex_attr_array![
                            0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4,
                            4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x4
                        ],
                    })],
                },
                primitive: wgpu::PrimitiveState {
                    topology: PrimitiveTopology::TriangleStrip,
                    ..Default::default()
                },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(FragmentState {
                    module: &module,
                    entry_point: Some(entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(ColorTargetState {
                        format,
                        blend: Some(BlendState { color: blend, alpha: BlendComponent::OVER }),
                        write_mask: ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let over = BlendState::PREMULTIPLIED_ALPHA_BLENDING.color;
        let shapes = pipeline("shade", &layout, over);
        let copying = pipeline("copy", &layout_of_pictures, over);
        let inversion = pipeline(
            "invert",
            &layout,
            BlendComponent {
                src_factor: BlendFactor::OneMinusDst,
                dst_factor: BlendFactor::Zero,
                operation: BlendOperation::Add,
            },
        );
        let viewport = device.create_buffer(&BufferDescriptor {
            label: Some("viewport"),
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewport"),
            layout: &group_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: viewport.as_entire_binding() }],
        });
        Self {
            shapes,
            inversion,
            copying,
            pictures,
            viewport,
            group,
            instances: instance_buffer(device, 1_024),
            marks: Vec::new(),
            runs: Vec::new(),
            background: None,
            glow: [0.0; 2],
        }
    }

    /// Starts an image.
    pub(crate) fn begin(&mut self) {
        self.clear_marks();
        self.pictures.clean();
        self.background = None;
        self.glow = [0.0; 2];
    }

    /// Fills the image, and with it covers everything that was drawn before.
    pub(super) fn clear(&mut self, color: Color) {
        self.clear_marks();
        self.background = Some(color);
    }

    fn clear_marks(&mut self) {
        self.marks.clear();
        self.runs.clear();
    }

    /// Inverts the image, which has this size.
    pub(super) fn invert(&mut self, (width, height): (u32, u32)) {
        let mut cover = [0.0; 32];
        cover[2] = width as f32;
        cover[3] = height as f32;
        self.push(Pen::Inversion, cover);
    }

    /// Draws a picture, stretched to a rectangle. Only pixels whose centre is within it are drawn.
    pub(super) fn picture(
        &mut self,
        device: &Device,
        queue: &Queue,
        [left, top, right, bottom]: [f32; 4],
        image: &Image,
    ) {
        if right > left
            && bottom > top
            && let Some(number) = self.pictures.number(device, queue, image)
        {
            let mut instance = [0.0; 32];
            instance[..4].copy_from_slice(&[left - 1.0, top - 1.0, right + 1.0, bottom + 1.0]);
            instance[16..20].copy_from_slice(&[left, top, right, bottom]);
            self.push(Pen::Picture(number), instance);
        }
    }

    /// Adds a mark, unless one of its numbers is too large or not a number.
    fn push(&mut self, pen: Pen, instance: Instance) {
        if !is_near(instance.as_chunks().0) {
            return;
        }
        self.marks.push(instance);
        let end = self.marks.len();
        match self.runs.last_mut() {
            Some((last, until)) if *last == pen => *until = end,
            _ => self.runs.push((pen, end)),
        }
    }

    pub(super) const fn set_glow(&mut self, radius: f32, strength: f32) {
        self.glow = [radius, strength];
    }

    pub(super) fn mark(&mut self, mark: Mark<'_>, color: Color) {
        if !mark.is_drawable() {
            return;
        }
        let (shape, bounds) = shape_of(mark);
        let has_glow = matches!(mark, Mark::Line { .. } | Mark::Ring { .. } | Mark::Convex { .. });
        let [radius, glow] = if has_glow { self.glow } else { [0.0; 2] };
        let [red, green, blue] = color.to_bytes().map(|channel| f32::from(channel) / 255.0);
        let reach = radius.max(0.0) + 1.0;
        let mut instance = [0.0; 32];
        instance[..4].copy_from_slice(&[
            bounds[0] - reach,
            bounds[1] - reach,
            bounds[2] + reach,
            bounds[3] + reach,
        ]);
        instance[4..8].copy_from_slice(&[red, green, blue, color.alpha()]);
        instance[8..12].copy_from_slice(&shape.kind);
        instance[12..16].copy_from_slice(&[radius, glow * color.alpha(), shape.count, 0.0]);
        instance[16..].copy_from_slice(shape.corners.as_flattened());
        self.push(Pen::Shapes, instance);
    }

    /// Draws what was collected, and starts a new image. Does nothing if nothing was.
    pub(crate) fn finish(&mut self, device: &Device, queue: &Queue, view: &TextureView, size: (u32, u32)) {
        self.paint(device, queue, view, size);
        self.begin();
    }

    /// Draws what was collected, and keeps it.
    pub(super) fn paint(&mut self, device: &Device, queue: &Queue, view: &TextureView, size: (u32, u32)) {
        if self.background.is_none() && self.marks.is_empty() {
            return;
        }
        let width = size.0 as f32;
        let height = size.1 as f32;
        queue.write_buffer(&self.viewport, 0, cast_slice(&[width, height, 0.0, 0.0]));
        let mut load = match self.background {
            Some(color) => {
                let [r, g, b] = color.to_bytes().map(|channel| f64::from(channel) / 255.0);
                LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 })
            }
            None => LoadOp::Load,
        };
        let mut from = 0;
        loop {
            let until = self.marks.len().min(from + MARKS_MAX);
            self.paint_some(device, queue, view, load, from..until);
            if until == self.marks.len() {
                break;
            }
            from = until;
            load = LoadOp::Load;
        }
    }

    /// Draws some of the marks.
    fn paint_some(
        &mut self,
        device: &Device,
        queue: &Queue,
        view: &TextureView,
        load: LoadOp<wgpu::Color>,
        marks: Range<usize>,
    ) {
        if self.instances.size() < marks.len() as u64 * INSTANCE_BYTES {
            self.instances = instance_buffer(device, marks.len().next_power_of_two() as u64);
        }
        queue.write_buffer(&self.instances, 0, cast_slice(&self.marks[marks.clone()]));

        let mut commands = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = commands.begin_render_pass(&RenderPassDescriptor {
                label: Some("shapes"),
                color_attachments: &[Some(RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: Operations { load, store: StoreOp::Store },
                })],
                ..Default::default()
            });
            pass.set_vertex_buffer(0, self.instances.slice(..));
            pass.set_bind_group(0, &self.group, &[]);
            let mut from = marks.start;
            let first = self.runs.partition_point(|&(_, until)| until <= from);
            for &(pen, until) in &self.runs[first..] {
                let until = until.min(marks.end);
                if from == until {
                    break;
                }
                match pen {
                    Pen::Shapes => pass.set_pipeline(&self.shapes),
                    Pen::Inversion => pass.set_pipeline(&self.inversion),
                    Pen::Picture(number) => {
                        pass.set_pipeline(&self.copying);
                        pass.set_bind_group(1, self.pictures.group(number), &[]);
                    }
                }
                pass.draw(0..4, (from - marks.start) as u32..(until - marks.start) as u32);
                from = until;
            }
        }
        queue.submit([commands.finish()]);
    }
}

fn instance_buffer(device: &Device, len: u64) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some("shapes"),
        size: len * INSTANCE_BYTES,
        usage: BufferUsages::VERTEX | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// The part of an instance that depends on the mark.
struct Shape {
    kind: [f32; 4],
    count: f32,
    corners: [Place; CORNERS_MAX],
}

/// Returns the shape of a mark, and its bounds: left, top, right, bottom.
fn shape_of(mark: Mark<'_>) -> (Shape, [f32; 4]) {
    // The corners, how far the shape reaches beyond them, and the kind with its numbers.
    let pair;
    let (corners, reach, kind): (&[Place], _, _) = match mark {
        Mark::Rect { from, to } => {
            pair = [from, to];
            (&pair, 0.0, [0.0; 4])
        }
        Mark::Line { from, to, half } => {
            pair = [from, to];
            (&pair, half, [1.0, half, 0.0, 0.0])
        }
        Mark::Ring { at, radius, half } => {
            pair = [at, at];
            (&pair, radius + half, [2.0, radius, half, 0.0])
        }
        Mark::Light { at, radius } => {
            pair = [at, at];
            (&pair, radius, [3.0, radius, LIGHT_HALO, LIGHT_CORE])
        }
        Mark::Convex { shape, half, outline } => {
            // At corners, outlines meet further out.
            let corners = shape.corners();
            (corners, half * 2.2 + 1.0, [4.0, half, outline, turn_of(corners)])
        }
        Mark::Polygon { corners } => (corners, 0.0, [5.0, 0.0, 0.0, 0.0]),
    };
    let is_polygon = matches!(mark, Mark::Convex { .. } | Mark::Polygon { .. });
    let count = if is_polygon { corners.len() as f32 } else { 0.0 };
    let mut shape = Shape { kind, count, corners: [[0.0; 2]; CORNERS_MAX] };
    shape.corners[..corners.len()].copy_from_slice(corners);
    let mut bounds = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    for &[x, y] in corners {
        bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
    }
    let [left, top, right, bottom] = bounds;
    (shape, [left - reach, top - reach, right + reach, bottom + reach])
}
