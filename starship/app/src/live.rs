//! The terminal host: the autopilot plays in real time.

use std::time::{Duration, Instant};

use starship_sim::{Autopilot, Game, Input, RunDef, State};

use crate::args::Args;
use crate::report::{self, say};

/// How long the last picture stays before the end, in wall time.
const AFTER_THE_END: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Args) {
    say!("There is no window yet: the autopilot plays one mission in real time. Ctrl-C ends it.");
    say!("As fast as possible instead: --headless. A picture: --png FILE. All options: --help.");
    let mut game = Game::new();
    game.set_test_speed(args.scale);
    let start = now();
    game.launch(Duration::ZERO, RunDef::seeded(args.seed));
    let period = Duration::from_secs_f64(1.0 / args.display);
    let (mut next, mut next_line, mut over_at) = (Duration::ZERO, Duration::ZERO, None);
    loop {
        let elapsed = start.elapsed();
        game.frame(elapsed, |state, _, _| one_mission(state), &mut ());
        report::events(&game);
        game.clear_signals();
        if elapsed >= next_line {
            next_line = elapsed + Duration::from_millis(200);
            report::progress(&game, game.state().clock.tick(), None);
        }
        if game.state().phase.is_over() {
            let over_at = *over_at.get_or_insert(elapsed);
            if elapsed > over_at + AFTER_THE_END {
                break;
            }
        }
        next = (next + period).max(start.elapsed());
        wait(next.saturating_sub(start.elapsed()));
    }
    report::end_progress();
    report::outcome(&game);
}

/// The autopilot, but it does not start again when the mission is over, however fast the game plays.
fn one_mission(state: &State) -> Input {
    let mut input = Autopilot.input(state);
    input.keys.confirm = false;
    input
}

#[expect(clippy::disallowed_methods, reason = "a host reads the clock")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a host waits")]
fn wait(time: Duration) {
    std::thread::sleep(time);
}
