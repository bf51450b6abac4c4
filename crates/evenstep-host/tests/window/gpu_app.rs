//! The app under test on a graphics card: it can lose the card, and reports when it has another.

use evenstep::{Frame, Pacing};
use evenstep_host::gpu::Gpu;
use evenstep_host::{App, Context, Draw, Event, Input, Key, View};

use crate::test_app::TestApp;

pub(crate) struct GpuApp {
    app: TestApp,
    generation: u64,
    loses_card: bool,
}

impl GpuApp {
    pub(crate) const fn new(app: TestApp) -> Self {
        Self { app, generation: 0, loses_card: false }
    }
}

impl App for GpuApp {
    fn pacing(&self) -> Pacing {
        self.app.pacing()
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.loses_card |= event == Event::KeyDown(Key::KeyD);
        self.app.input(event, cx);
    }

    fn step(&mut self, input: &Input, cx: &mut Context<'_>) {
        self.app.step(input, cx);
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.app.frame(frame, cx);
    }
}

impl Draw<Gpu<'_>> for GpuApp {
    fn draw(&mut self, gpu: &mut Gpu<'_>, view: View<'_>) {
        if self.generation != gpu.generation() {
            self.generation = gpu.generation();
            println!("event generation {}", self.generation);
        }
        self.app.draw(gpu, view);
        if std::mem::take(&mut self.loses_card) {
            gpu.device().destroy();
        }
    }
}
