//! Diagnostic passes: begin and end callbacks around every part of a frame and of a tick.

/// A part of a frame or of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "a pass has the name of its module")]
pub enum Pass {
    Frame,
    Tick,
    Clock,
    Input,
    Movement,
    Physics,
    Sync,
    Modifiers,
    Warp,
    Camera,
    Mission,
    Time,
    GameMaster,
    Weapons,
    Shots,
    Enemies,
    Boss,
    Pickups,
    Crates,
    Upgrades,
    Phases,
}

impl Pass {
    /// All passes: the frame, the tick, and the parts of the tick in execution order.
    pub const ALL: [Self; 21] = [
        Self::Frame,
        Self::Tick,
        Self::Clock,
        Self::Input,
        Self::Movement,
        Self::Physics,
        Self::Sync,
        Self::Modifiers,
        Self::Warp,
        Self::Camera,
        Self::Mission,
        Self::Time,
        Self::GameMaster,
        Self::Weapons,
        Self::Shots,
        Self::Enemies,
        Self::Boss,
        Self::Pickups,
        Self::Crates,
        Self::Upgrades,
        Self::Phases,
    ];

    /// Returns the name of the pass.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Tick => "tick",
            Self::Clock => "clock",
            Self::Input => "input",
            Self::Movement => "movement",
            Self::Physics => "physics",
            Self::Sync => "sync",
            Self::Modifiers => "modifiers",
            Self::Warp => "warp",
            Self::Camera => "camera",
            Self::Mission => "mission",
            Self::Time => "time",
            Self::GameMaster => "game master",
            Self::Weapons => "weapons",
            Self::Shots => "shots",
            Self::Enemies => "enemies",
            Self::Boss => "boss",
            Self::Pickups => "pickups",
            Self::Crates => "crates",
            Self::Upgrades => "upgrades",
            Self::Phases => "phases",
        }
    }
}

/// Observes passes, for example to time them: the simulation has no clock, but a probe may have one.
///
/// ```
/// use starship_sim::{Input, Pass, Probe, RunDef, Sim};
///
/// struct Count(u32);
/// impl Probe for Count {
///     fn begin(&mut self, _pass: Pass) {
///         self.0 += 1;
///     }
///     fn end(&mut self, _pass: Pass) {}
/// }
///
/// let mut sim = Sim::new(RunDef::seeded(1));
/// sim.start_new_game(RunDef::seeded(1));
/// let mut count = Count(0);
/// sim.tick(Input::default(), &mut count);
/// assert_eq!(count.0, 20, "the tick and its nineteen parts");
/// ```
pub trait Probe {
    /// Called when a pass begins.
    fn begin(&mut self, pass: Pass);
    /// Called when a pass ends.
    fn end(&mut self, pass: Pass);
}

/// Observes nothing, at no cost.
impl Probe for () {
    #[inline]
    fn begin(&mut self, _pass: Pass) {}
    #[inline]
    fn end(&mut self, _pass: Pass) {}
}

/// Runs a part of the tick as a pass.
#[inline]
pub(crate) fn pass<R>(probe: &mut impl Probe, pass: Pass, part: impl FnOnce() -> R) -> R {
    probe.begin(pass);
    let result = part();
    probe.end(pass);
    result
}
