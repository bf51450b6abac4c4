//! The game on a host: what keys do, what a tick is told, what a frame shows.
//!
//! ```text
//! events -> Shell::input   pause, menus, overlay, speed: they act on the pacer
//! ticks  -> Shell::step    the simulation, with what is held; its signals become effects
//! frames -> Shell::frame   hit-freeze, flash, effects and overlay move on
//! images -> Shell::picture from state, alpha and effects; writes none of the game
//! ```

use std::time::Duration;

use evenstep::{Channel, DisplayLock, Frame, Gate, Outcome, Pacer, Pacing, Rate, WallTimer};
use evenstep_host::{App, Button, Context, Event, Input, Key, Pointer, View};
use starship_sim::tuning::{AFTERMATH, TICK_HZ};
use starship_sim::{Autopilot, Phase, RunDef, Signal, Sim, State};

use crate::canvas::{Canvas, Ink, RED, VIOLET, YELLOW};
use crate::controls::{self, Touch};
use crate::effects::Effects;
use crate::lens::Lens;
use crate::menu::{self, Entry};
use crate::overlay::Overlay;
use crate::{hud, scene};

/// What `[` and `]` choose from.
const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
/// Seconds that a notice stays.
const NOTICE: f32 = 2.0;

/// How to play.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// Nobody is asked: the run starts at once and plays itself.
    pub(crate) autopilot: bool,
    pub(crate) fps_cap: Option<Rate>,
    pub(crate) speed: f64,
}

/// What is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    /// The autopilot plays behind the title.
    Title,
    Run,
}

/// The game and all that is around it.
#[derive(Debug)]
pub(crate) struct Shell {
    options: Options,
    sim: Sim,
    screen: Screen,
    is_paused: bool,
    selected: usize,
    speed: f64,
    // What this frame's ticks asked for, and the flash that runs in wall time.
    freeze_asked: Option<Duration>,
    invert: WallTimer,
    run_started: bool,
    // Only to be looked at.
    effects: Effects,
    overlay: Overlay,
    touch: Touch,
    notice: Option<(String, f32)>,
    size: (f32, f32),
    #[cfg(target_arch = "wasm32")]
    pub(crate) sprites: crate::canvas::Sprites,
    pub(crate) is_shot_asked: bool,
}

impl Shell {
    pub(crate) fn new(options: Options) -> Self {
        let mut shell = Self {
            sim: Sim::new(RunDef::seeded(options.seed)),
            screen: if options.autopilot { Screen::Run } else { Screen::Title },
            is_paused: false,
            selected: 0,
            speed: options.speed,
            freeze_asked: None,
            invert: WallTimer::default(),
            run_started: true,
            effects: Effects::default(),
            overlay: Overlay::default(),
            touch: Touch::default(),
            notice: None,
            size: (1280.0, 720.0),
            #[cfg(target_arch = "wasm32")]
            sprites: crate::canvas::Sprites::default(),
            is_shot_asked: false,
            options,
        };
        shell.sim.launch(RunDef::seeded(shell.options.seed));
        shell
    }

    /// The simulation, for a bench that keeps it crowded.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) const fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    pub(crate) const fn state(&self) -> &State {
        self.sim.state()
    }

    /// A word for the page and for tests.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) const fn mode(&self) -> &'static str {
        match (self.screen, self.is_paused, self.state().phase) {
            (Screen::Title, ..) => "title",
            (_, true, _) => "paused",
            (.., Phase::Dead) => "dead",
            (.., Phase::Won) => "won",
            _ => "playing",
        }
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) const fn is_overlay_shown(&self) -> bool {
        self.overlay.is_shown
    }

    pub(crate) fn notify(&mut self, notice: String) {
        self.notice = Some((notice, NOTICE));
    }

    /// Starts a run; the tick that follows is its first.
    fn launch(&mut self, screen: Screen, cx: &mut Context<'_>) {
        self.screen = screen;
        self.sim.launch(RunDef::seeded(self.options.seed));
        self.begin_run(cx);
    }

    /// The host's side of a new run: timing, channels, timers and effects start afresh.
    fn begin_run(&mut self, cx: &mut Context<'_>) {
        self.run_started = false;
        self.is_paused = false;
        self.freeze_asked = None;
        self.invert = WallTimer::default();
        self.effects.clear();
        cx.pacer.reset(cx.now());
        self.write_channels(cx.pacer);
    }

    fn write_channels(&self, pacer: &mut Pacer) {
        let state = self.sim.state();
        let channels = [
            (Channel::TIME_DILATION, self.speed),
            (Channel::LEVEL_SPEED, f64::from(state.level_speed())),
            (Channel::JUICE, f64::from(state.juice.dilation)),
        ];
        for (channel, scale) in channels {
            if channel == Channel::TIME_DILATION {
                pacer.set_resting_scale(channel, scale);
                // A hit-freeze holds it at zero and brings it back.
                if !pacer.freeze_left().is_zero() {
                    continue;
                }
            }
            if pacer.channel(channel) != scale {
                pacer.set_scale(channel, scale);
            }
        }
        pacer.set_gate(if self.is_paused { Gate::Paused } else { Gate::Open });
    }

    fn set_paused(&mut self, is_paused: bool, cx: &mut Context<'_>) {
        if self.screen == Screen::Run && !self.state().phase.is_over() {
            self.is_paused = is_paused;
            self.selected = 0;
            cx.pacer.set_gate(if is_paused { Gate::Paused } else { Gate::Open });
        }
    }

    fn choose(&mut self, entry: Entry, cx: &mut Context<'_>) {
        match entry {
            Entry::Resume => self.set_paused(false, cx),
            Entry::Restart => self.launch(Screen::Run, cx),
            Entry::Title => self.launch(Screen::Title, cx),
            Entry::Quit => cx.quit(),
        }
    }

    fn change_speed(&mut self, is_faster: bool, cx: &mut Context<'_>) {
        let next = if is_faster {
            SPEEDS.into_iter().find(|&speed| speed > self.speed)
        } else {
            SPEEDS.into_iter().rev().find(|&speed| speed < self.speed)
        };
        if let Some(speed) = next {
            self.speed = speed;
            self.write_channels(cx.pacer);
            self.notify(format!("SPEED {speed}"));
        }
    }

    fn toggle_lock(&mut self, cx: &mut Context<'_>) {
        let pacing = cx.pacer.pacing();
        let (lock, name) = if pacing == pacing.with_display_lock(DisplayLock::Off) {
            (self.pacing(), "DISPLAY LOCK ON")
        } else {
            (pacing.with_display_lock(DisplayLock::Off), "DISPLAY LOCK OFF")
        };
        cx.pacer.set_pacing(lock);
        self.notify(name.to_owned());
    }

    fn key(&mut self, key: Key, cx: &mut Context<'_>) {
        match key {
            Key::F1 => self.overlay.is_shown = !self.overlay.is_shown,
            Key::F2 => self.is_shot_asked = true,
            Key::KeyL => self.toggle_lock(cx),
            Key::BracketLeft => self.change_speed(false, cx),
            Key::BracketRight => self.change_speed(true, cx),
            Key::Escape if self.screen == Screen::Title => cx.quit(),
            Key::Escape if self.state().phase.is_over() => self.launch(Screen::Title, cx),
            Key::KeyP | Key::Escape => self.set_paused(!self.is_paused, cx),
            Key::Period if self.is_paused => cx.pacer.step_by_hand(1),
            Key::Enter | Key::NumpadEnter | Key::Space => self.confirm(cx),
            Key::ArrowUp | Key::KeyW => self.select(Entry::ALL.len() - 1),
            Key::ArrowDown | Key::KeyS => self.select(1),
            _ => {}
        }
    }

    fn button(&mut self, button: Button, cx: &mut Context<'_>) {
        match button {
            Button::Start => self.set_paused(!self.is_paused, cx),
            Button::South => self.confirm(cx),
            Button::Up => self.select(Entry::ALL.len() - 1),
            Button::Down => self.select(1),
            _ => {}
        }
    }

    /// After the end of a run the simulation sees the key itself.
    fn confirm(&mut self, cx: &mut Context<'_>) {
        if self.screen == Screen::Title {
            self.launch(Screen::Run, cx);
        } else if self.is_paused {
            self.choose(Entry::ALL[self.selected], cx);
        }
    }

    const fn select(&mut self, further: usize) {
        if self.is_paused {
            self.selected = (self.selected + further) % Entry::ALL.len();
        }
    }

    fn press(&mut self, pointer: Pointer, cx: &mut Context<'_>) {
        let place = [pointer.x as f32, pointer.y as f32];
        if self.screen == Screen::Title {
            self.launch(Screen::Run, cx);
        } else if self.is_paused {
            if let Some(n) = menu::entry_at(self.size, place) {
                self.choose(Entry::ALL[n], cx);
            }
        } else if self.touch.is_used() && is_pause_button(self.size, place) {
            self.set_paused(true, cx);
        }
    }
}

impl App for Shell {
    fn pacing(&self) -> Pacing {
        Pacing::hz(TICK_HZ).with_draw_rate(self.options.fps_cap)
    }

    fn input(&mut self, event: Event, cx: &mut Context<'_>) {
        self.touch.follow(event);
        match event {
            Event::KeyDown(key) => self.key(key, cx),
            Event::PadDown { button, .. } => self.button(button, cx),
            Event::PointerDown(pointer) => self.press(pointer, cx),
            Event::Resized(size) => self.size = (size.width as f32, size.height as f32),
            Event::FocusLost if !self.options.autopilot => self.set_paused(true, cx),
            _ => {}
        }
    }

    fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
        let state = self.sim.state();
        let plays_itself = self.options.autopilot || self.screen == Screen::Title;
        let told = if plays_itself {
            Autopilot.input(state)
        } else {
            controls::read(input, &self.touch, state.phase.is_over())
        };
        self.touch.end_tick();
        self.sim.tick(told, &mut ());
        for &signal in self.sim.signals() {
            match signal {
                Signal::HitFreeze { wall_ms } if self.screen == Screen::Run => {
                    let asked = Duration::from_millis(wall_ms.into());
                    self.freeze_asked = Some(self.freeze_asked.map_or(asked, |already| already.max(asked)));
                }
                Signal::InvertScreen { wall_ms } if self.screen == Screen::Run => {
                    self.invert = WallTimer::start(Duration::from_millis(wall_ms.into()));
                }
                Signal::RunStarted { .. } => self.run_started = true,
                _ => self.effects.show(signal),
            }
        }
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.overlay.record(frame, cx.pacer, cx.now());
        let wall_secs = frame.raw_dt().as_secs_f32();
        self.invert.advance(frame);
        let seconds = match frame.outcome() {
            Outcome::Ran if self.is_paused => frame.dt().as_secs_f32(),
            Outcome::Ran => wall_secs * cx.pacer.scale() as f32,
            _ => 0.0,
        };
        self.effects.advance(seconds, if self.is_paused { 0.0 } else { wall_secs });
        self.effects.trail(self.sim.state(), seconds);
        if let Some(notice) = &mut self.notice {
            notice.1 -= wall_secs;
            if notice.1 <= 0.0 {
                self.notice = None;
            }
        }
        if std::mem::take(&mut self.run_started) {
            // The player confirmed and the simulation started again by itself; the rest of the reset is ours.
            self.begin_run(cx);
        }
        if let Some(wall_time) = self.freeze_asked.take() {
            cx.pacer.hit_freeze(wall_time);
        }
        self.write_channels(cx.pacer);
    }
}

/// Drawing: from state, alpha and effects.
impl Shell {
    pub(crate) fn picture<C: Canvas>(&self, canvas: &mut C, view: View<'_>) {
        let state = self.sim.state();
        let alpha = view.alpha();
        draw_world(canvas, state, alpha, &self.effects);
        let u = hud::unit(canvas.size());
        let (width, height) = canvas.size();
        if self.screen == Screen::Title {
            menu::draw_title(canvas, view.pacer.ui_time().as_secs_f32(), self.touch.is_used());
        } else {
            self.draw_mood(canvas, view);
            hud::draw(canvas, state);
            self.effects.draw_word(canvas, u);
            self.touch.draw(canvas);
            if self.touch.is_used() && !self.is_paused {
                draw_pause_button(canvas);
            }
            hud::draw_banner(canvas, state, state.phase_ticks >= AFTERMATH);
            if self.is_paused {
                menu::draw_pause(canvas, self.selected);
            }
        }
        if self.invert.is_running() && !self.is_paused {
            canvas.invert();
        }
        if let Some((notice, left)) = &self.notice {
            let ink = Ink::new(YELLOW, left.min(0.95));
            canvas.text_centred(width / 2.0, height - 70.0 * u, 2.2 * u, notice, ink);
        }
        self.overlay.draw(canvas, view.frame, view.pacer);
    }

    /// Slow motion is violet, danger is red.
    fn draw_mood<C: Canvas>(&self, canvas: &mut C, view: View<'_>) {
        let (width, height) = canvas.size();
        let slow = (1.0 - view.pacer.channel(Channel::JUICE) * self.speed.min(1.0)) as f32;
        if slow > 0.0 {
            canvas.rect(0.0, 0.0, width, height, Ink::new(VIOLET, 0.16 * slow));
            let bar = height * 0.06 * slow;
            canvas
                .rects(&[[0.0, 0.0, width, bar], [0.0, height - bar, width, bar]], Ink::new([0, 0, 0], 0.7));
        }
        let hull = self.sim.state().hud().hull;
        if hull < 0.3 && self.state().phase == Phase::Playing {
            let beat = 0.5 + 0.5 * (self.sim.state().time() as f32 * 6.0).sin();
            let edge = height * 0.02;
            let strength = (0.3 - hull) * (0.8 + beat);
            let sides = [
                [0.0, 0.0, width, edge],
                [0.0, height - edge, width, edge],
                [0.0, edge, edge, height - 2.0 * edge],
                [width - edge, edge, edge, height - 2.0 * edge],
            ];
            canvas.rects(&sides, Ink::new(RED, strength));
        }
    }
}

/// The world with its effects, from a camera that shakes.
pub(crate) fn draw_world<C: Canvas>(canvas: &mut C, state: &State, alpha: f64, effects: &Effects) {
    let centre = state.camera.at(alpha) + effects.shake(state.camera.trauma);
    let mut lens = Lens::new(canvas, centre);
    scene::draw_world(&mut lens, state, alpha);
    effects.draw(&mut lens);
}

fn is_pause_button((width, height): (f32, f32), [x, y]: [f32; 2]) -> bool {
    x > width - 72.0 && y > height - 72.0
}

fn draw_pause_button<C: Canvas>(canvas: &mut C) {
    let (width, height) = canvas.size();
    let (x, y) = (width - 48.0, height - 52.0);
    canvas.rects(&[[x, y, 8.0, 26.0], [x + 16.0, y, 8.0, 26.0]], Ink::new(YELLOW, 0.7));
}

#[cfg(test)]
mod tests {
    use evenstep_host::{Driver, Pixels};
    use starship_sim::{Display, Game, TestRunner};

    use super::*;

    fn driver(autopilot: bool) -> Driver<Shell> {
        let options = Options { seed: 9, autopilot, fps_cap: None, speed: 1.0 };
        let mut driver = Driver::new(Shell::new(options));
        driver.frame(Duration::ZERO);
        driver
    }

    /// Frames at 60 Hz, from the one after `frame`.
    fn run(driver: &mut Driver<Shell>, frame: &mut u64, frames: u64) {
        for _ in 0..frames {
            *frame += 1;
            driver.frame(Rate::hz(60).time_of(*frame));
        }
    }

    fn tap(driver: &mut Driver<Shell>, frame: u64, key: Key) {
        let now = Rate::hz(60).time_of(frame);
        driver.event(now, Event::KeyDown(key));
        driver.event(now, Event::KeyUp(key));
    }

    #[test]
    fn the_shell_plays_the_same_game_as_the_headless_loop() {
        let mut driver = driver(true);
        let mut frame = 0;
        while driver.app().state().clock.tick() < 1_500 {
            run(&mut driver, &mut frame, 1);
        }
        let ticks = driver.app().state().clock.tick();
        let mut runner = TestRunner::new(Game::new(), Display::hz(144.0));
        runner.launch(RunDef::seeded(9));
        runner.run_ticks(ticks, |state| Autopilot.input(state));
        assert_eq!(driver.app().state().hash(), runner.game.state().hash());
    }

    #[test]
    fn drawing_never_writes_the_game() {
        let (mut drawn, mut blind) = (driver(true), driver(true));
        let (mut a, mut b) = (0, 0);
        let mut memory = vec![0; 320 * 180];
        for _ in 0..120 {
            run(&mut drawn, &mut a, 5);
            run(&mut blind, &mut b, 5);
            drawn.draw(&mut Pixels::new(&mut memory, 320, 180, 1.0));
        }
        assert_eq!(drawn.app().state().hash(), blind.app().state().hash());
    }

    #[test]
    fn enter_starts_p_holds_and_a_full_stop_makes_one_step() {
        let (mut driver, mut frame) = (driver(false), 0);
        run(&mut driver, &mut frame, 10);
        assert_eq!(driver.app().mode(), "title");
        tap(&mut driver, frame, Key::Enter);
        run(&mut driver, &mut frame, 30);
        assert_eq!(driver.app().mode(), "playing");
        tap(&mut driver, frame, Key::KeyP);
        run(&mut driver, &mut frame, 1);
        let held = driver.app().state().clock.tick();
        run(&mut driver, &mut frame, 30);
        assert_eq!((driver.app().mode(), driver.app().state().clock.tick()), ("paused", held));
        tap(&mut driver, frame, Key::Period);
        run(&mut driver, &mut frame, 30);
        assert_eq!(driver.app().state().clock.tick(), held + 1);
        tap(&mut driver, frame, Key::Escape);
        run(&mut driver, &mut frame, 30);
        assert!(driver.app().state().clock.tick() > held + 20);
    }

    #[test]
    fn keys_steer_the_ship() {
        let (mut driver, mut frame) = (driver(false), 0);
        tap(&mut driver, frame, Key::Enter);
        run(&mut driver, &mut frame, 5);
        let from = driver.app().state().ship.pos;
        driver.event(Rate::hz(60).time_of(frame), Event::KeyDown(Key::KeyD));
        run(&mut driver, &mut frame, 30);
        assert!(driver.app().state().ship.pos.x > from.x + 1.0);
    }

    #[test]
    fn brackets_change_how_fast_ticks_come_and_not_what_they_do() {
        let (mut driver, mut frame) = (driver(true), 0);
        run(&mut driver, &mut frame, 60);
        let normal = driver.app().state().clock.tick();
        tap(&mut driver, frame, Key::BracketLeft);
        run(&mut driver, &mut frame, 60);
        let slow = driver.app().state().clock.tick() - normal;
        assert!((28..=32).contains(&slow), "half as many: {slow} after {normal}");
    }

    #[test]
    fn a_lost_focus_pauses_the_player_and_not_the_autopilot() {
        for (autopilot, mode) in [(false, "paused"), (true, "playing")] {
            let (mut driver, mut frame) = (driver(autopilot), 0);
            if !autopilot {
                tap(&mut driver, frame, Key::Enter);
            }
            run(&mut driver, &mut frame, 5);
            driver.event(Rate::hz(60).time_of(frame), Event::FocusLost);
            assert_eq!(driver.app().mode(), mode);
        }
    }
}
