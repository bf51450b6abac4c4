//! An app with a wgpu renderer of its own: a triangle that turns 90 degrees a second, with a bar of the host's on top.
//!
//! Run: `cargo run -p evenstep-host --example own_renderer --features gpu`

use std::f64::consts::FRAC_PI_2;

use evenstep::Interpolated;
use evenstep_host::gpu::Gpu;
use evenstep_host::native::{self, Window};
use evenstep_host::{App, Color, Context, Draw, Error, Event, Input, Key, Paint, View};

const SHADER: &str = "
    @group(0) @binding(0) var<uniform> turn: vec4f;
    @vertex fn place(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
        let angle = turn.x + f32(n) * 2.0943951;
        return vec4f(0.7 * cos(angle) / turn.y, 0.7 * sin(angle), 0.0, 1.0);
    }
    @fragment fn shade() -> @location(0) vec4f { return vec4f(0.3, 0.79, 0.94, 1.0); }
";

struct Triangle {
    turn: Interpolated<f64>,
    renderer: Option<Renderer>,
}

/// What is created once for each device.
struct Renderer {
    generation: u64,
    pipeline: wgpu::RenderPipeline,
    turn: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl App for Triangle {
    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        if event == Event::KeyDown(Key::Escape) {
            cx.quit();
        }
    }

    fn step(&mut self, _input: &Input, _cx: &mut Context<'_>) {
        self.turn.advance(self.turn.current() + FRAC_PI_2 / 60.0);
    }
}

impl Draw<Gpu<'_>> for Triangle {
    fn draw(&mut self, gpu: &mut Gpu<'_>, view: View<'_>) {
        // A lost device comes back as another generation: everything must be created again.
        let renderer = self.renderer.take().filter(|renderer| renderer.generation == gpu.generation());
        let renderer = renderer.unwrap_or_else(|| Renderer::new(gpu));
        let size = gpu.size();
        let numbers = [self.turn.at(view.alpha()) as f32, (size.width / size.height) as f32, 0.0, 0.0];
        gpu.queue().write_buffer(&renderer.turn, 0, &numbers.map(f32::to_ne_bytes).concat());
        let mut commands = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let load = wgpu::LoadOp::Clear(wgpu::Color { r: 0.05, g: 0.07, b: 0.11, a: 1.0 });
            let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: gpu.view(),
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            pass.set_pipeline(&renderer.pipeline);
            pass.set_bind_group(0, &renderer.group, &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue().submit([commands.finish()]);
        self.renderer = Some(renderer);
        // The host's shapes appear on top: here, how much of the time between two ticks has passed.
        gpu.rect(0.0, size.height - 6.0, size.width * view.alpha(), 6.0, Color::rgb(0xFF_B7_03));
    }
}

impl Renderer {
    fn new(gpu: &Gpu<'_>) -> Self {
        let device = gpu.device();
        let source = wgpu::ShaderSource::Wgsl(SHADER.into());
        let module = &device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module,
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(gpu.format().into())],
            }),
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            multiview_mask: None,
            cache: None,
        });
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false };
        let turn = device.create_buffer(&buffer);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: turn.as_entire_binding() }],
        });
        Self { generation: gpu.generation(), pipeline, turn, group }
    }
}

fn main() -> Result<(), Error> {
    let triangle = Triangle { turn: Interpolated::new(0.0), renderer: None };
    native::run_gpu(Window::new("A renderer of your own"), triangle).map(drop)
}
