//! The tape: every tick goes into a ring of the last minute and, if the player asks for it, into a file.

use evenstep_replay::{Error, RecordingWriter, Rewind, with_causes};
use starship_sim::{Input, RING, RunDef, Sim, Turn, mark_of};

/// Where everything is recorded: a file, or the page's memory.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type File = std::fs::File;
#[cfg(target_arch = "wasm32")]
pub(crate) type File = Vec<u8>;

/// How much a page keeps in memory: some hours.
#[cfg(target_arch = "wasm32")]
const MEMORY_MAX: u64 = 128 << 20;

/// Records every tick.
#[derive(Debug)]
pub(crate) struct Tape {
    ring: Rewind,
    file: Option<RecordingWriter<File>>,
    /// A file to record into from the first tick on, and the seed. Until then, it keeps what it has.
    unused: Option<(File, u64)>,
    /// A run that the menu has launched since the last tick.
    launched: Option<Launched>,
    /// The first tick of the run to go back to. Before it, there is no run.
    first: u64,
    /// The run began in a recording that was watched, and the player took it over.
    is_taken_over: bool,
    /// The seed of the run, which a crash cannot ask the simulation for either.
    seed: u64,
    /// The names of the parts, which a crash cannot ask the simulation for.
    #[cfg(not(target_arch = "wasm32"))]
    parts: Vec<String>,
    notice: Option<String>,
    /// Why the file ended too early.
    failure: Option<String>,
    /// The tick at which a test makes the game panic: `STARSHIP_PANIC_AT`.
    #[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
    panic_at: Option<u64>,
}

/// A run that no tick has followed yet.
#[derive(Debug)]
struct Launched {
    before: Box<Sim>,
    run: RunDef,
    /// How many were launched before it.
    unplayed: u32,
}

impl Tape {
    /// Starts with a simulation that has not run yet.
    #[cfg_attr(target_arch = "wasm32", expect(unused_variables, reason = "a page cannot crash by itself"))]
    pub(crate) fn new(sim: &Sim) -> Self {
        Self {
            ring: Rewind::new(RING, 0),
            file: None,
            unused: None,
            launched: None,
            first: 0,
            is_taken_over: false,
            seed: 0,
            #[cfg(not(target_arch = "wasm32"))]
            parts: evenstep_replay::part_names(sim),
            notice: None,
            failure: None,
            #[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
            panic_at: std::env::var("STARSHIP_PANIC_AT").ok().and_then(|tick| tick.parse().ok()),
        }
    }

    /// Also records into this file, from the first tick.
    pub(crate) fn record(&mut self, file: File, seed: u64) {
        self.unused = Some((file, seed));
    }

    /// Empties the file and begins to record.
    fn begin_file(&mut self, (file, seed): (File, u64), sim: &Sim) {
        #[cfg(not(target_arch = "wasm32"))]
        let emptied = crate::files::empty(&file);
        #[cfg(target_arch = "wasm32")]
        let emptied: std::io::Result<()> = Ok(());
        let begun = emptied.map_err(|error| error.to_string()).and_then(|()| {
            let header = Sim::replay_header().with_seed(seed);
            RecordingWriter::new(file, header, sim).map_err(|error| with_causes(&error))
        });
        match begun {
            Ok(writer) => self.file = Some(writer),
            Err(failure) => self.fail(&failure),
        }
    }

    /// Notes that the menu launches a run. Call it with the simulation before the launch.
    pub(crate) fn launch(&mut self, before: &Sim, run: RunDef) {
        self.is_taken_over = false;
        self.launched = Some(match self.launched.take() {
            Some(last) => Launched { run, unplayed: last.unplayed.wrapping_add(1), ..last },
            None => Launched { before: Box::new(before.clone()), run, unplayed: 0 },
        });
    }

    /// Records a tick. Call it before the simulation's own.
    pub(crate) fn tick(&mut self, input: Input, sim: &Sim) {
        #[cfg(target_arch = "wasm32")]
        if self.file.as_ref().is_some_and(|file| file.bytes() > MEMORY_MAX) {
            self.end_file_early("THE PAGE KEEPS NO MORE", sim);
        }
        let launched = self.launched.take();
        let (launch, unplayed) = launched.as_ref().map_or((None, 0), |it| (Some(it.run), it.unplayed));
        let turn = Turn { input, launch, unplayed };
        self.seed = launch.unwrap_or(sim.state().run).seed;
        let before = launched.as_ref().map_or(sim, |launched| &launched.before);
        if let Some(unused) = self.unused.take() {
            self.begin_file(unused, before);
        }
        self.ring.tick(&turn, before);
        #[cfg(all(feature = "testing", not(target_arch = "wasm32")))]
        assert!(self.panic_at != Some(self.ring.next_tick()), "a test asked for this panic");
        if launch.is_some() {
            self.first = self.ring.next_tick();
        }
        if let Some(file) = &mut self.file {
            file.tick(&turn, before);
            if let Some(error) = file.error() {
                let failure = with_causes(error);
                self.fail(&failure);
                self.file = None;
            }
        }
    }

    fn fail(&mut self, failure: &str) {
        self.notice = Some(format!("RECORDING ENDED: {failure}"));
        self.failure = Some(failure.to_owned());
    }

    /// Marks what happened in a tick. Call it after the simulation's own.
    pub(crate) fn mark(&mut self, sim: &Sim) {
        for label in sim.signals().into_iter().filter_map(|&signal| mark_of(signal)) {
            self.ring.mark(label);
            if let Some(file) = &mut self.file {
                file.mark(label);
            }
        }
    }

    /// Continues with another state: the ring starts over, and the file ends.
    pub(crate) fn restart(&mut self, sim: &Sim) {
        self.end_file_early("A RECORDING IS WATCHED", sim);
        self.launched = None;
        self.ring.restart(self.ring.next_tick());
        self.first = self.ring.next_tick();
    }

    /// Continues with the state of a recording that was watched.
    pub(crate) fn take_over(&mut self, sim: &Sim) {
        self.restart(sim);
        self.is_taken_over = true;
    }

    /// Whether the run began in a recording, so that its score is not the player's.
    pub(crate) const fn is_taken_over(&self) -> bool {
        self.is_taken_over
    }

    /// Notes that the simulation has begun a run by itself, which is the player's again.
    pub(crate) const fn begin_run(&mut self) {
        self.is_taken_over = false;
    }

    /// Goes back by some ticks, as far as the ring reaches and the run has begun. A file ends there: it cannot go back.
    pub(crate) fn rewind(&mut self, ticks: u64, sim: &mut Sim) -> Result<(), Error> {
        let next = self.ring.next_tick();
        let tick = next.saturating_sub(ticks).max(self.first).max(self.ring.first_tick());
        // A run that no tick has followed yet is at its start.
        if tick >= next || self.launched.is_some() {
            return Ok(());
        }
        self.end_file_early("IT CANNOT GO BACK IN TIME", sim);
        self.ring.back_to(tick, sim)
    }

    /// What the player saves: the last minute, or everything if a page records it.
    pub(crate) fn save(&mut self, sim: &Sim) -> Result<Vec<u8>, Error> {
        #[cfg(target_arch = "wasm32")]
        if let Some(file) = &mut self.file {
            return file.so_far(self.launched.as_ref().map_or(sim, |launched| &launched.before));
        }
        self.last_minute(sim)
    }

    /// The last minute as a recording.
    pub(crate) fn last_minute(&self, sim: &Sim) -> Result<Vec<u8>, Error> {
        let sim = self.launched.as_ref().map_or(sim, |launched| &launched.before);
        self.ring.write(Vec::new(), Sim::replay_header().with_seed(self.seed), sim)
    }

    /// Ends the file. A page offers it as a download.
    pub(crate) fn end_file(&mut self, sim: &Sim) {
        let sim = self.launched.as_ref().map_or(sim, |launched| &launched.before);
        let Some(file) = self.file.take() else { return };
        let ended = file.finish(sim).map_err(|error| with_causes(&error));
        #[cfg(target_arch = "wasm32")]
        let ended = ended.and_then(|bytes| crate::files::save("starship", &bytes));
        if let Err(failure) = ended {
            self.fail(&failure);
        }
    }

    /// Ends the file while the game continues, and tells the player why.
    fn end_file_early(&mut self, why: &str, sim: &Sim) {
        if self.file.is_some() || self.unused.take().is_some() {
            self.notice = Some(format!("RECORDING ENDED: {why}"));
            self.end_file(sim);
        }
    }

    /// Why the file ended too early, if it did.
    pub(crate) const fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    pub(crate) const fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// The last minute before a crash: its last input is the one that caused it.
    #[cfg(not(target_arch = "wasm32"))]
    fn last_minute_before_crash(&self) -> Result<Vec<u8>, Error> {
        self.ring.write_crashed(Vec::new(), Sim::replay_header().with_seed(self.seed), self.parts.clone())
    }
}

/// A panic saves the ring before the game goes down.
#[cfg(not(target_arch = "wasm32"))]
impl Drop for Tape {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let saved = self
                .last_minute_before_crash()
                .map_err(|error| with_causes(&error))
                .and_then(|bytes| crate::files::save("starship-crash", &bytes));
            match saved {
                Ok(file) => {
                    eprintln!("The last minute before the crash is in {file}: attach it to the report.");
                }
                Err(message) => eprintln!("The last minute before the crash could not be saved: {message}"),
            }
        }
    }
}

#[cfg(test)]
mod tests;
