//! Measures the cost of drawing an image.

use std::time::Duration;

use evenstep_host::{Driver, Event, Key, Pixels};
use starship_sim::Sim;

use crate::seeds::Seed;
use crate::shell::{Options, Shell};
use crate::store::Store;

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Draws missions of the autopilot, with effects and overlay, and reports the cost of an image.
///
/// Measures CPU time of the thread where the system provides it, to exclude other programs. They still slow it down
/// indirectly, so each image is drawn three times, and the median is reported, too.
pub(crate) fn run(images: u32) -> Vec<String> {
    let mut scenes = Vec::new();
    for (name, crowd) in [("a mission", None), ("320 enemies, 640 shots", Some((320, 640)))] {
        let options = Options { seed: Seed::Fixed(3), autopilot: true, ..Options::default() };
        let mut shell = Shell::new(options, Store::in_memory());
        if let Some((enemies, shots)) = crowd {
            *shell.play_mut().sim_mut() = Sim::crowded(enemies, shots);
        }
        let mut driver = Driver::new(shell);
        driver.event(Duration::ZERO, Event::KeyDown(Key::F1));
        let mut data = vec![0; WIDTH * HEIGHT];
        let mut once = Vec::new();
        let mut typical = Vec::new();
        for n in 0..images {
            driver.frame(Duration::from_secs(u64::from(n)) / 20);
            if let Some((enemies, shots)) = crowd {
                driver.app_mut().play_mut().sim_mut().crowd(enemies, shots);
            }
            let mut times = [0; 3].map(|_: u64| {
                let begin = thread_nanos();
                driver.draw(&mut Pixels::new(&mut data, WIDTH as u32, HEIGHT as u32, 1.0));
                thread_nanos().saturating_sub(begin)
            });
            once.push(times[0]);
            times.sort_unstable();
            typical.push(times[1]);
        }
        scenes.push(format!("{name}: {images} images of {WIDTH}x{HEIGHT}"));
        scenes.push(format!("  drawn once           {}", in_words(once)));
        scenes.push(format!("  the middle of three  {}", in_words(typical)));
    }
    scenes
}

fn in_words(mut nanos: Vec<u64>) -> String {
    nanos.sort_unstable();
    let at = |share: f64| nanos[((nanos.len() - 1) as f64 * share) as usize] as f64 / 1e6;
    format!("p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms", at(0.5), at(0.99), at(1.0))
}

/// CPU time of this thread in nanoseconds, or wall time if the system does not provide it.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn thread_nanos() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    // Linux updates the CPU time of a thread at scheduler ticks, milliseconds apart, and when the thread yields.
    std::thread::yield_now();
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_nanos() as u64)
}
