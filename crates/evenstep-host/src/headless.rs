//! Runs an app without a window or a clock: through given timestamps, as fast as it can.

use std::time::Duration;

use evenstep::Rate;

use crate::app::App;
use crate::driver::Driver;

/// Runs an app through the timestamps until they end or the app quits, and returns its driver.
///
/// Timestamps may come from a list, a recording, a simulated display, or a loop that sleeps:
///
/// ```
/// use evenstep::Rate;
/// use evenstep_host::{App, Context, Input, headless};
///
/// struct Bomb;
/// impl App for Bomb {
///     fn step(&mut self, _input: &Input, cx: &mut Context<'_>) {
///         if cx.tick() == 599 {
///             cx.quit();
///         }
///     }
/// }
///
/// let driver = headless::run(headless::display(Rate::hz(144)), Bomb);
/// assert_eq!(driver.pacer().tick(), 600);
/// ```
///
/// For input between frames, or to draw, use a [`Driver`] directly.
pub fn run<A: App>(timestamps: impl IntoIterator<Item = Duration>, app: A) -> Driver<A> {
    let mut driver = Driver::new(app);
    for now in timestamps {
        driver.frame(now);
        if driver.is_over() {
            break;
        }
    }
    driver
}

/// Returns the timestamps of a perfect display: an endless iterator.
///
/// ```
/// use std::time::Duration;
/// use evenstep::Rate;
/// use evenstep_host::headless;
///
/// let one_second: Vec<Duration> = headless::display(Rate::hz(60)).take(61).collect();
/// assert_eq!(one_second[60], Duration::from_secs(1));
/// ```
pub fn display(rate: Rate) -> impl Iterator<Item = Duration> {
    (0..).map(move |n| rate.time_of(n))
}
