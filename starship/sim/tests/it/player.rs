//! A game that a driver plays: for tests, examples and benchmarks.

use evenstep::{Frame, Pacing};
use evenstep_host::{App, Context};
use starship_sim::{Input, Play, State};

/// A game whose inputs come from a function of its state, up to a number of ticks.
pub(crate) struct Player {
    pub(crate) play: Play,
    pub(crate) pilot: Box<dyn FnMut(&State) -> Input>,
    pub(crate) pacing: Pacing,
    /// Ticks over all runs.
    pub(crate) ticks: u64,
    /// The number of ticks after which the game holds still and asks to quit.
    pub(crate) end: u64,
}

impl Player {
    pub(crate) fn new(play: Play, pilot: impl FnMut(&State) -> Input + 'static, end: u64) -> Self {
        Self { play, pilot: Box::new(pilot), pacing: Pacing::hz(60), ticks: 0, end }
    }
}

impl App for Player {
    fn pacing(&self) -> Pacing {
        self.pacing
    }

    fn step(&mut self, _input: &evenstep_host::Input, cx: &mut Context<'_>) {
        if self.ticks < self.end {
            let input = (self.pilot)(self.play.state());
            self.play.tick(input, &mut ());
            self.ticks += 1;
        }
        if self.ticks == self.end {
            cx.quit();
        }
    }

    fn frame(&mut self, frame: &Frame, cx: &mut Context<'_>) {
        self.play.end_frame(frame, &mut ());
        self.play.commands().for_each(|command| cx.pacer.tell(command));
    }
}
