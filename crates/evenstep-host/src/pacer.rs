//! The pacer of an app, with the trace of what it is told.

use std::ops::Deref;
use std::time::Duration;

use evenstep::{Command, Frame, Pacer};

#[cfg(feature = "trace")]
use crate::trace::Trace;

/// The pacer that a driver runs an app with.
///
/// It takes the commands of a [`Pacer`] by the same names, and answers the same questions. A driver that
/// [records a trace](crate::Driver::trace_to) writes every command down. Changes take effect with the next frame.
///
/// ```
/// use std::time::Duration;
/// use evenstep_host::{App, Context, Input, Key};
///
/// struct Game;
/// impl App for Game {
///     fn step(&mut self, input: &Input, cx: &mut Context<'_>) {
///         if input.pressed(Key::Space) && !cx.pacer.is_in_hitstop() {
///             cx.pacer.hit_freeze(Duration::from_millis(80));
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct HostPacer {
    pacer: Pacer,
    #[cfg(feature = "trace")]
    pub(crate) trace: Option<Box<Trace>>,
}

impl HostPacer {
    pub(crate) const fn new(pacer: Pacer) -> Self {
        Self {
            pacer,
            #[cfg(feature = "trace")]
            trace: None,
        }
    }

    pub(crate) fn frame(&mut self, now: Duration) -> Frame {
        #[cfg(feature = "trace")]
        if let Some(trace) = &mut self.trace {
            trace.frame(now);
        }
        self.pacer.frame(now)
    }

    pub(crate) fn frame_millis(&mut self, now_ms: f64) -> Frame {
        #[cfg(feature = "trace")]
        if let Some(trace) = &mut self.trace {
            match evenstep::from_millis(now_ms) {
                Some(now) => trace.frame(now),
                None => trace.command(&Command::Skip),
            }
        }
        self.pacer.frame_millis(now_ms)
    }

    /// Carries out a command; see [`Pacer::tell`]. The methods below are short for it.
    pub fn tell(&mut self, command: Command) {
        #[cfg(feature = "trace")]
        if let Some(trace) = &mut self.trace {
            trace.command(&command);
        }
        self.pacer.tell(command);
    }

    evenstep::command_methods!();
}

/// The pacer, for its answers.
impl Deref for HostPacer {
    type Target = Pacer;

    fn deref(&self) -> &Pacer {
        &self.pacer
    }
}
