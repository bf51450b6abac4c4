//! A live demo of the pacer in the terminal.

#![expect(clippy::disallowed_methods, reason = "a host: it reads the clock and waits for the next frame")]

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use evenstep::{Channel, DropReason, Interpolated, Pacer, Pacing};

const SECONDS: u64 = 6;
const FRAME: Duration = Duration::from_micros(16_667);
const TRACK: f64 = 48.0;
/// Cells per second.
const SPEED: f64 = 30.0;

/// Runs the demo for a few seconds (normal speed, slow motion, a hit-freeze, a stall) and prints a summary.
pub(crate) fn run() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evenstep: cannot write to the terminal: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let live = out.is_terminal();
    writeln!(out, "A 60 Hz simulation paced on this machine's clock for {SECONDS} seconds.")?;

    let mut pacer = Pacer::new(Pacing::hz(60));
    let mut dot = Interpolated::new(0.0_f64);
    let mut velocity = SPEED;
    let clock = Instant::now();
    let mut next_frame = FRAME;
    let mut shown = "";
    while clock.elapsed() < Duration::from_secs(SECONDS) {
        let now = clock.elapsed();
        let event = script(now);
        if event != shown {
            shown = event;
            act(event, &mut pacer);
            if !live {
                writeln!(out, "{:4.1} s  {event}", now.as_secs_f64())?;
            }
        }

        let frame = pacer.frame(clock.elapsed());
        for _tick in frame.ticks() {
            let moved = dot.current() + velocity * pacer.pacing().rate().step_secs();
            if !(0.0..=TRACK).contains(&moved) {
                velocity = -velocity;
            }
            dot.advance(moved.clamp(0.0, TRACK));
        }
        pacer.steps_done(clock.elapsed());
        if live {
            let at = dot.at(frame.alpha()).round() as usize;
            let (left, right) = (" ".repeat(at), " ".repeat(TRACK as usize - at));
            let fps = pacer.stats().fps();
            write!(out, "\r|{left}o{right}| {fps:5.1} fps  tick {:4}  {shown:<18}", pacer.tick())?;
            out.flush()?;
        }
        pacer.draw_done(clock.elapsed());

        // Absolute deadlines, so that a late frame does not delay the next.
        while next_frame <= clock.elapsed() {
            next_frame += FRAME;
        }
        thread::sleep(next_frame.saturating_sub(clock.elapsed()));
    }
    if live {
        writeln!(out)?;
    }
    summarise(&pacer, &mut out)
}

/// What happens at this time.
fn script(now: Duration) -> &'static str {
    match now.as_millis() {
        0..2_000 => "normal speed",
        2_000..3_500 => "slow motion",
        3_500..4_000 => "hit-freeze",
        4_000..4_800 => "normal speed again",
        _ => "after a stall",
    }
}

fn act(event: &str, pacer: &mut Pacer) {
    match event {
        "slow motion" => pacer.set_scale(Channel::TIME_DILATION, 0.3),
        "hit-freeze" => pacer.hit_freeze(Duration::from_millis(400)),
        // A hit-freeze does not end slow motion.
        "normal speed again" => pacer.set_scale(Channel::TIME_DILATION, 1.0),
        "after a stall" => thread::sleep(Duration::from_millis(600)),
        _ => {}
    }
}

fn summarise(pacer: &Pacer, out: &mut impl Write) -> io::Result<()> {
    let (stats, ledger) = (pacer.stats(), pacer.ledger());
    let ms = |nanos: u128| nanos as f64 / 1e6;
    writeln!(out, "{} ticks in {:.3} s", pacer.tick(), pacer.wall_time().as_secs_f64())?;
    writeln!(
        out,
        "frame time p50 {:.2} ms, p99 {:.2} ms; lag spikes {}",
        stats.frame_time(0.5).as_secs_f64() * 1e3,
        stats.frame_time(0.99).as_secs_f64() * 1e3,
        stats.lag_spikes()
    )?;
    writeln!(
        out,
        "where the time went: {:.1} ms passed + {:.1} ms head start = {:.1} ms simulated + {:.1} ms slowed away \
         + {:.1} ms frozen + {:.1} ms dropped + {:.1} ms waiting",
        ms(ledger.wall_ns),
        ms(ledger.head_start_ns),
        ms(ledger.simulated_ns),
        -ledger.stretch_ns as f64 / 1e6,
        ms(ledger.frozen_ns),
        DropReason::ALL.iter().map(|&reason| ms(ledger.dropped_ns(reason))).sum::<f64>(),
        ledger.pending_ns as f64 / 1e6 + (ledger.held_ns + ledger.followed_ns) as f64 / 1e6,
    )?;
    writeln!(
        out,
        "to the nanosecond: {} came in, {} accounted for",
        ledger.total_in_ns(),
        ledger.total_out_ns()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_the_summary_add_up() {
        let mut pacer = Pacer::new(Pacing::hz(60));
        for n in 0..360 {
            match n {
                100 => act("slow motion", &mut pacer),
                200 => act("hit-freeze", &mut pacer),
                300 => act("normal speed again", &mut pacer),
                _ => {}
            }
            let stall = if n > 320 { Duration::from_millis(600) } else { Duration::ZERO };
            pacer.frame(FRAME * n + stall);
        }
        let mut text = Vec::new();
        summarise(&pacer, &mut text).expect("memory");
        let text = String::from_utf8(text).expect("text");
        let line = text.lines().find_map(|line| line.strip_prefix("where the time went: ")).expect("a sum");
        let sum = |side: &str| -> f64 {
            side.split('+').map(|part| part.split_whitespace().next().unwrap().parse::<f64>().unwrap()).sum()
        };
        let (came, went) = line.split_once('=').expect("two sides");
        assert!(came.contains("14.6 ms head start"), "{line}");
        // Eight numbers, each rounded to a tenth.
        assert!((sum(came) - sum(went)).abs() < 0.4, "{line}");
    }
}
