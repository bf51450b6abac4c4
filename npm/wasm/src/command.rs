//! Commands: everything that JavaScript can tell a pacer.

#![expect(unsafe_code, reason = "required to export functions by name; there is no other unsafe code here")]

use evenstep::{Command, Gate, Presented, Reset};

use crate::config::channel;
use crate::nanos;
use crate::pacer::Slot;
use crate::store::{slot, with};

pub(crate) const GATES: [Gate; 3] = [Gate::Open, Gate::Paused, Gate::Menu];

/// Tells a pacer a command: its number, and what it is about. Must agree with `src/command.ts`.
///
/// Times are in nanoseconds. The configuration is the one in the store.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_tell(pacer: usize, command: u32, a: f64, b: f64) {
    let count = a as u32;
    let command = match command {
        0 => Command::Gate(GATES[(count as usize).min(GATES.len() - 1)]),
        1 => Command::StepByHand(count),
        2 => Command::Scale { channel: channel(count), value: b },
        3 => Command::RestingScale { channel: channel(count), value: b },
        4 => Command::HitFreeze(nanos(a)),
        5 => Command::Hitstop { steps: count, intensity: b },
        6 => Command::FastForward(count),
        7 => Command::Tick(a as u64),
        8 => Command::Pacing(with(|store| store.pacing)),
        9 => Command::Suspend,
        10 => Command::Reset {
            kind: if count == 0 { Reset::FrameTiming } else { Reset::NewGame },
            last_frame: (!b.is_nan()).then(|| nanos(b)),
        },
        11 => Command::RefreshHint(nanos(a)),
        12 => Command::VariableRefresh(count != 0),
        13 => Command::Presented(Presented { frame: nanos(a), at: nanos(b) }),
        14 => Command::StepsDone(nanos(a)),
        15 => Command::DrawDone(nanos(a)),
        16 => Command::Skip,
        _ => return,
    };
    slot::<Slot>(pacer).pacer.tell(command);
}
