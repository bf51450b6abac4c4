//! Looks at what is drawn: on screens of all sizes, and over time.

use std::time::Duration;

use evenstep::TickTimer;
use evenstep_host::{Color, Draw, Driver, Event, Pixels, Pointer, PointerButton, Size, font};
use starship_sim::{Autopilot, Part, Phase, RunDef, Sim, Upgrade, WeaponKind};

use super::*;
use crate::layout::Place;
use crate::palette::{CYAN, NIGHT, WHITE};
use crate::seeds::Seed;
use crate::settings::Item;
use crate::shell::Options;
use crate::store::Store;

/// From a telephone to a large screen, and smaller than any window can be made.
const SIZES: [(f64, f64); 10] = [
    (1280.0, 720.0),
    (1920.0, 1080.0),
    (3840.0, 2160.0),
    (480.0, 320.0),
    (390.0, 844.0),
    (844.0, 390.0),
    (320.0, 240.0),
    (320.0, 568.0),
    (640.0, 200.0),
    (200.0, 150.0),
];

#[rustfmt::skip]
const SCREENS: [&str; 15] = [
    "title", "title settings", "birth", "play", "boss", "boss arrow", "hint", "arrow", "portal", "choice", "pause",
    "settings", "keys", "dead", "won",
];

/// A canvas that notes where text is.
struct Notes {
    size: (f64, f64),
    texts: Vec<(String, Area)>,
}

impl Paint for Notes {
    fn size(&self) -> Size {
        Size { width: self.size.0, height: self.size.1, scale: 1.0 }
    }

    fn rect(&mut self, _x: f64, _y: f64, _width: f64, _height: f64, _color: Color) {}
    fn line(&mut self, _from: Place, _to: Place, _width: f64, _color: Color) {}
    fn shape(&mut self, _corners: &[Place], _filling: Color, _outline: Color, _width: f64) {}
    fn ring(&mut self, _x: f64, _y: f64, _radius: f64, _width: f64, _color: Color) {}
    fn light(&mut self, _x: f64, _y: f64, _radius: f64, _color: Color) {}
    fn invert(&mut self) {}

    fn text(&mut self, x: f64, y: f64, height: f64, text: &str, _color: Color) {
        assert!(height >= 0.99 * font::HEIGHT, "{text:?} is too small to read: {height}");
        if !text.trim().is_empty() {
            self.texts.push((text.to_owned(), Area::new(x, y, font::text_width(text, height), height)));
        }
    }
}

fn driver(options: Options) -> Driver<Shell> {
    let mut driver = Driver::new(Shell::new(options, Store::in_memory()));
    driver.frame(Duration::ZERO);
    driver
}

fn resize(driver: &mut Driver<Shell>, (width, height): (f64, f64)) {
    let size = Size { width, height, scale: 1.0 };
    driver.event(driver.pacer().wall_time(), Event::Resized(size));
}

/// A game in which the boss came a second ago, and the ship is at least this far from it.
fn at_the_boss(metres: f32) -> Sim {
    let mut sim = Sim::new(RunDef::seeded(1));
    sim.launch(RunDef::seeded(1));
    let mut after = 0;
    loop {
        let state = sim.state();
        let mech = state.boss.and_then(|boss| state.enemies.get(boss.id));
        let away = mech.map_or(starship_sim::Vec2::ZERO, |mech| state.ship.pos() - mech.pos());
        after += u32::from(mech.is_some());
        if after > 60 && away.length() >= metres {
            return sim;
        }
        let input = if after > 60 {
            let full = |along: f32| if along < 0.0 { -127 } else { 127 };
            let keys = starship_sim::Pad { x: full(away.x), y: full(away.y), boost: true, confirm: false };
            starship_sim::Input { keys, ..starship_sim::Input::default() }
        } else {
            Autopilot.input(state)
        };
        sim.tick(input, &mut ());
        assert!(sim.state().clock.tick() < 10_000, "the boss does not come, or the ship does not get away");
    }
}

/// A screen of the game by name, with what a player may see there.
fn screens() -> Vec<(&'static str, Driver<Shell>)> {
    let mut screens = Vec::new();
    for has_touch in [false, true] {
        for name in SCREENS {
            let mut driver = driver(Options { seed: Seed::Fixed(5), has_touch, ..Options::default() });
            let shell = driver.app_mut();
            if !name.starts_with("title") {
                shell.run.screen = Screen::Run;
            }
            let mut sim = match name {
                "boss" => at_the_boss(0.0),
                "boss arrow" => at_the_boss(30.0),
                _ => Sim::crowded(120, 60),
            };
            let mut state = sim.state().clone();
            match name {
                "birth" => (state.phase, state.phase_ticks) = (Phase::Birth, 5),
                "dead" => (state.phase, state.phase_ticks) = (Phase::Dead, 10_000),
                "won" => (state.phase, state.phase_ticks) = (Phase::Won, 10_000),
                "arrow" | "portal" => {
                    let x = if name == "arrow" { 50.0 } else { 8.0 };
                    let pos = starship_sim::Vec2::new(x, -3.0);
                    state.boss_room = Some(starship_sim::BossRoom { pos, ring: 60.0, age: 100 });
                }
                "choice" => {
                    state.upgrades.offer = Some([
                        Upgrade::Weapon(WeaponKind::Scatter),
                        Upgrade::Part(Part::Thrusters),
                        Upgrade::Part(Part::Magnet),
                    ]);
                    (state.phase, state.phase_ticks) = (Phase::Choosing, 100);
                }
                _ => {}
            }
            sim = Sim::from_state(state);
            *shell.run.play.sim_mut() = sim;
            match name {
                "title settings" => shell.menus.opened = Some(Menu::Settings),
                "play" => {
                    shell
                        .show
                        .effects
                        .show(starship_sim::Signal::PortalOpened { at: starship_sim::Vec2::ZERO });
                }
                "hint" => shell.show.hints.show_longest(),
                "pause" => shell.run.play.pause(),
                "settings" | "keys" => {
                    shell.run.play.pause();
                    shell.menus.opened = Some(if name == "keys" { Menu::Keys } else { Menu::Settings });
                }
                _ => {}
            }
            shell.settings.has_overlay = true;
            driver.frame(Duration::from_millis(1));
            screens.push((name, driver));
        }
    }
    screens
}

/// Writes every screen at the sizes that people have, to be looked at.
///
/// Run: cargo test -p starship --lib pictures -- --ignored, then open target/tmp/pictures
#[test]
#[ignore = "writes pictures, for people to look at"]
fn pictures_of_every_screen() {
    const SIZES: [(usize, usize, bool); 5] =
        [(1280, 720, false), (480, 320, false), (1920, 1080, false), (390, 844, true), (844, 390, true)];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (n, (name, mut driver)) in screens().into_iter().enumerate() {
        let has_touch = n >= SCREENS.len();
        // Some frames, for the overlay to plot.
        (1..180_u64).filter(|_| name == "play").for_each(|frame| {
            let shake = Duration::from_micros(frame * 7_919 % 900);
            driver.frame(evenstep::Rate::hz(60).time_of(frame) + shake);
        });
        driver.app_mut().settings.has_overlay = name == "play";
        for (width, height, _) in SIZES.into_iter().filter(|size| size.2 == has_touch) {
            resize(&mut driver, (width as f64, height as f64));
            let mut memory = vec![0; width * height];
            driver.draw(&mut Pixels::new(&mut memory, width as u32, height as u32, 1.0));
            let file = folder.join(format!("{width}x{height}-{}.png", name.replace(' ', "-")));
            crate::screenshot::save(&memory, width, height, &file).expect("a picture");
        }
    }
    // A mission with the overlay, on a display whose timestamps shake.
    let mut driver = driver(Options { seed: Seed::Fixed(5), autopilot: true, ..Options::default() });
    driver.app_mut().settings.has_overlay = true;
    for frame in 1..3_250_u64 {
        let shake = Duration::from_micros(frame * 7_919 % 900);
        driver.frame(evenstep::Rate::hz(60).time_of(frame) + shake);
    }
    let mut memory = vec![0; 1280 * 720];
    driver.draw(&mut Pixels::new(&mut memory, 1280, 720, 1.0));
    crate::screenshot::save(&memory, 1280, 720, &folder.join("1280x720-overlay.png")).expect("a picture");
}

impl Draw<Notes> for Shell {
    fn draw(&mut self, canvas: &mut Notes, view: View<'_>) {
        self.draw_frame(canvas, view);
    }
}

fn draw(driver: &mut Driver<Shell>, size: (f64, f64)) -> (Vec<(String, Area)>, Taken) {
    let mut notes = Notes { size, texts: Vec::new() };
    driver.draw(&mut notes);
    (notes.texts, driver.app().taken(size))
}

#[test]
fn text_stays_on_the_screen_and_apart_from_other_text_at_every_size() {
    const LONG: &str = "cannot write /home/somebody/a folder/another-folder-with-a-very-long-name-that-never-ends/\
        starship-001.png: no space is left on the device, or something else is wrong with it";
    for (name, mut driver) in screens() {
        for notice in [None, Some("SPEED 0.25"), Some(LONG)] {
            driver.app_mut().show.notice = notice.map(|notice| (notice.to_owned(), 1.0));
            for size in SIZES {
                resize(&mut driver, size);
                let (texts, _) = draw(&mut driver, size);
                assert!(!texts.is_empty());
                let screen = Area::screen(size, 0.0).grown(0.5);
                for (n, (text, area)) in texts.iter().enumerate() {
                    let place = format!("{name} at {size:?}: {text:?} at {area:?}");
                    assert!(area.left >= screen.left && area.right() <= screen.right(), "{place}");
                    assert!(area.top >= screen.top && area.bottom() <= screen.bottom(), "{place}");
                    if notice == Some(LONG) {
                        // So much text may lie over a menu for its two seconds.
                        continue;
                    }
                    for (other, there) in &texts[n + 1..] {
                        // The logo and labels are drawn more than once, for their shadows.
                        assert!(text == other || !area.meets(*there), "{place} meets {other:?} at {there:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_notice_is_above_the_bar_of_a_recording() {
    let mut driver = driver(Options { seed: Seed::Fixed(5), ..Options::default() });
    (1..60_u64).for_each(|frame| {
        driver.frame(evenstep::Rate::hz(60).time_of(frame));
    });
    let minute = driver.app().last_minute().expect("a ring");
    driver.app_mut().watch_soon(crate::shell::read_recording(&minute, crate::shell::Check::Strict).unwrap());
    driver.frame(Duration::from_secs(1));
    assert!(driver.app().replay.watch.is_some());
    for size in SIZES.into_iter().filter(|size| size.1 >= 240.0) {
        let notice = menu::notice_area(size, "SPEED 0.25", driver.app().notice_above(size)).0;
        for area in watch::areas(size, false) {
            assert!(!area.meets(notice), "{size:?}: {notice:?} covers {area:?}");
        }
    }
}

#[test]
fn the_overlay_never_covers_what_a_player_needs() {
    let mut shown = 0;
    for (name, mut driver) in screens() {
        for size in SIZES {
            resize(&mut driver, size);
            let (_, taken) = draw(&mut driver, size);
            let Some(overlay) = taken.overlay else {
                continue;
            };
            shown += 1;
            for area in &taken.areas {
                assert!(!area.meets(overlay), "{name} at {size:?}: {overlay:?} covers {area:?}");
            }
            let screen = Area::screen(size, 0.0);
            assert!(
                overlay.left >= 0.0
                    && overlay.right() <= screen.right()
                    && overlay.bottom() <= screen.bottom()
            );
        }
        // Wherever people play there is room for it.
        for size in [(1280.0, 720.0), (1920.0, 1080.0)] {
            assert!(draw(&mut driver, size).1.overlay.is_some(), "{name} at {size:?}");
        }
        for size in [(480.0, 320.0), (390.0, 844.0), (844.0, 390.0)].into_iter().filter(|_| name == "play") {
            assert!(draw(&mut driver, size).1.overlay.is_some(), "{name} at {size:?}");
        }
    }
    assert!(shown > 100, "{shown}");
}

#[test]
fn a_device_with_a_touch_screen_has_touch_words_from_the_start() {
    for has_touch in [false, true] {
        let mut driver = driver(Options { seed: Seed::Fixed(5), has_touch, ..Options::default() });
        let (texts, _) = draw(&mut driver, (844.0, 390.0));
        let has = |word: &str| texts.iter().any(|(text, _)| text.contains(word));
        assert_eq!((has("DRAG"), has("SECOND FINGER")), (has_touch, has_touch), "{texts:?}");
        assert_eq!((has("ARROWS"), has("SHIFT")), (!has_touch, !has_touch), "{texts:?}");
    }
}

#[test]
fn every_entry_of_a_menu_can_be_hit_at_every_size() {
    for (name, mut driver) in screens() {
        let Some(menu) = driver.app().menu() else {
            continue;
        };
        for size in SIZES {
            resize(&mut driver, size);
            let column = driver.app().column(size, menu);
            for (n, row) in column.rows.iter().enumerate() {
                let centre = [row.middle(), row.top + row.height / 2.0];
                assert_eq!(column.entry_at(centre), Some(n), "{name} at {size:?}");
                assert!(Area::screen(size, 0.0).contains(centre));
            }
        }
    }
}

#[test]
fn a_finger_on_a_button_pauses_and_does_not_steer() {
    let mut driver = driver(Options { seed: Seed::Fixed(5), has_touch: true, ..Options::default() });
    resize(&mut driver, (390.0, 844.0));
    let mut now = Duration::from_millis(20);
    let mut tap = |driver: &mut Driver<Shell>, [x, y]: Place| {
        let finger = Pointer { id: 7, x, y, button: PointerButton::Primary };
        driver.event(now, Event::PointerDown(finger));
        driver.event(now, Event::PointerUp(finger));
        (0..4).for_each(|_| {
            now += Duration::from_millis(17);
            driver.frame(now);
        });
    };
    tap(&mut driver, [200.0, 40.0]);
    assert_eq!(driver.app().mode(), "playing", "a touch launches");
    let [overlay, pause] = driver.app().buttons((390.0, 844.0)).expect("shown");
    tap(&mut driver, [overlay.middle(), overlay.top + 20.0]);
    assert!(driver.app().settings.has_overlay);
    assert_eq!(driver.app().mode(), "playing");
    tap(&mut driver, [pause.middle(), pause.top + 20.0]);
    assert_eq!(driver.app().mode(), "paused");
    let settings = driver.app().column((390.0, 844.0), Menu::Pause).rows[2];
    tap(&mut driver, [settings.middle(), settings.top + 5.0]);
    assert_eq!(driver.app().menu(), Some(Menu::Settings));
    let column = driver.app().column((390.0, 844.0), Menu::Settings);
    let before = driver.app().settings.clone();
    let row = column.rows[Item::Volume as usize];
    tap(&mut driver, [row.left + row.width * 0.6, row.top + 5.0]);
    assert_eq!(driver.app().settings.volume, before.volume - 10, "the left half of a value goes back");
    tap(&mut driver, [row.left + row.width * 0.9, row.top + 5.0]);
    assert_eq!(driver.app().settings.volume, before.volume, "the right half goes on");
}

/// The relative luminance of a pixel, as WCAG defines it: 0 is black, 1 is white.
fn luminance(pixel: u32) -> f64 {
    let linear = |byte: u32| {
        let share = f64::from(byte & 0xFF) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(pixel >> 16) + 0.7152 * linear(pixel >> 8) + 0.0722 * linear(pixel)
}

/// Counts flashes as WCAG 2.3.1 does: pairs of opposing changes by at least a tenth, from a dark enough image.
fn flashes(luminances: &[f64]) -> Vec<usize> {
    let mut extreme = luminances[0];
    let mut direction = 0.0_f64;
    let mut changes = Vec::new();
    for (n, &now) in luminances.iter().enumerate() {
        let change = now - extreme;
        if direction != 0.0 && change * direction > 0.0 {
            // Goes on in the same direction.
            extreme = now;
        } else if change.abs() >= 0.1 && now.min(extreme) < 0.8 {
            (extreme, direction) = (now, change.signum());
            changes.push(n);
        }
    }
    changes.chunks_exact(2).map(|pair| pair[1]).collect()
}

/// The mean luminance of every frame of five seconds in which the ship is hit all the time, and the number of hits.
fn luminances_under_fire(flash: Flash) -> (Vec<f64>, usize) {
    const WIDTH: u32 = 160;
    const HEIGHT: u32 = 90;
    let options = Options { seed: Seed::Fixed(5), autopilot: true, ..Options::default() };
    let mut driver = driver(options);
    driver.app_mut().settings.flash = flash;
    let mut memory = vec![0; (WIDTH * HEIGHT) as usize];
    let mut hits = 0;
    let mut means = Vec::new();
    let mut was_inverted = false;
    for n in 1..=300_u32 {
        if n % 12 == 1 {
            // The ship is whole again, and can be hit at once.
            let crowd = Sim::crowded(160, 120);
            let mut state = if n == 1 { crowd.state().clone() } else { driver.app().state().clone() };
            state.run.sandbox = false;
            state.ship.hull = starship_sim::tuning::SHIP_HULL;
            state.ship.invulnerable = TickTimer::default();
            *driver.app_mut().run.play.sim_mut() = Sim::from_state(state);
        }
        driver.frame(Duration::from_secs(1) * n / 60);
        let is_inverted = driver.app().run.play.is_inverted();
        hits += usize::from(is_inverted && !was_inverted);
        was_inverted = is_inverted;
        driver.draw(&mut Pixels::new(&mut memory, WIDTH, HEIGHT, 1.0));
        let mean = memory.iter().map(|&pixel| luminance(pixel)).sum::<f64>() / memory.len() as f64;
        means.push(mean);
    }
    (means, hits)
}

#[test]
fn hits_never_flash_when_flashes_are_off_or_gentle() {
    let [off, gentle, full] = [Flash::Off, Flash::Gentle, Flash::Full].map(|flash| {
        let (means, hits) = luminances_under_fire(flash);
        assert!(hits >= 10, "{flash:?}: only {hits} hits");
        let flashes = flashes(&means);
        let is_safe = flashes.is_empty();
        assert!(is_safe || flash == Flash::Full, "{flash:?}: {hits} hits flash at {flashes:?}");
        assert!(!is_safe || flash != Flash::Full, "the measure sees none of {hits} inversions");
        means
    });
    // An inversion is what it was: from a dark image to a bright one.
    assert!(full.iter().copied().fold(0.0, f64::max) > 0.5);
    let differs = off.iter().zip(&gentle).filter(|(off, gentle)| (*off - *gentle).abs() > 1e-3).count();
    assert!(differs > 20, "a gentle flash is seen: {differs} of {} frames", off.len());
}

#[test]
fn the_display_is_read_over_the_brightest_crowd() {
    let state = Sim::crowded(320, 640).state().clone();
    for size in [(1280, 720), (480, 320), (390, 844), (200, 150)] {
        let mut memory = vec![0x00FF_FFFF; size.0 * size.1];
        hud::draw(&mut Pixels::new(&mut memory, size.0 as u32, size.1 as u32, 1.0), &state);
        let places = hud::areas((size.0 as f64, size.1 as f64), &state);
        for place in places {
            // The corner of a panel has no text.
            let pixel = memory[(place.top as usize + 1) * size.0 + place.left as usize + 2];
            for text in [WHITE, YELLOW, CYAN, RED] {
                let text = luminance(text.to_rgb()) * 0.95;
                let contrast = (text + 0.05) / (luminance(pixel) + 0.05);
                assert!(contrast >= 4.5, "{size:?} {place:?}: {contrast}");
            }
        }
    }
    assert!(luminance(NIGHT.to_rgb()) < 0.01);
}
