//! The displays in every report: rates, and families of disturbances. A family is defined by the arguments of
//! `lab run` for its displays.

use super::arguments::DisplayArguments;
use crate::display::Display;
use crate::host::Host;
use crate::session::Session;

/// Refresh rates of reports: six have an ideal step pattern at 60 steps per second, five do not.
pub const RATES_HZ: [f64; 11] = [30.0, 59.94, 60.0, 60.05, 75.0, 90.0, 100.0, 120.0, 144.0, 165.0, 240.0];

/// Refresh rates at which the lock must do no harm.
pub const HARM_RATES_HZ: [f64; 19] = [
    23.976, 24.0, 25.0, 30.0, 48.0, 50.0, 59.94, 60.0, 60.05, 72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 165.0,
    240.0, 360.0, 480.0,
];

/// A group of families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A single disturbance: the columns of the report's first table.
    Single,
    /// Several disturbances, or one that changes.
    Mixed,
    /// Frames that take several refreshes each.
    Pattern,
    /// Timestamps that say little about the display, or a display that changes its rate in place.
    Hard,
    /// No fixed refresh: there is nothing to lock to.
    Variable,
    /// Presentation feedback: true, late, lost, on another clock, or wrong.
    Feedback,
}

impl Group {
    /// All groups, in the order of reports.
    pub const ALL: [Self; 6] =
        [Self::Single, Self::Mixed, Self::Pattern, Self::Hard, Self::Variable, Self::Feedback];

    /// The group's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Mixed => "mixed",
            Self::Pattern => "pattern",
            Self::Hard => "hard",
            Self::Variable => "variable",
            Self::Feedback => "feedback",
        }
    }
}

/// Displays with the same disturbances at different rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The family's name in reports and on the command line.
    pub name: &'static str,
    /// The group that the family belongs to.
    pub group: Group,
    /// The arguments of `lab run` except the rate; a leading `HZ,` stands for the first of two rates, and
    /// `HZ/2` for half of it.
    arguments: &'static str,
}

impl Family {
    /// Finds a family by name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// The arguments of `lab run` for the display with this rate.
    pub fn arguments(&self, hz: f64) -> String {
        match self.arguments.strip_prefix("HZ,") {
            Some(rest) => format!("--display {hz},{}", rest.replace("HZ/2", &(hz / 2.0).to_string())),
            None => format!("--display {hz} {}", self.arguments).trim_end().to_owned(),
        }
    }

    /// The display with this rate.
    ///
    /// # Panics
    ///
    /// If the arguments do not parse; a test checks every family.
    pub fn display(&self, hz: f64) -> Display {
        self.parts(hz).0
    }

    /// What the host tells the pacer.
    ///
    /// # Panics
    ///
    /// As [`display`](Self::display).
    pub fn host(&self) -> Host {
        self.parts(60.0).1
    }

    /// Simulates a session of the display with this rate.
    ///
    /// # Panics
    ///
    /// As [`display`](Self::display).
    pub fn session(&self, hz: f64, seconds: f64, seed: u64) -> Session {
        let (display, host) = self.parts(hz);
        host.tell(display.session(seconds, seed))
    }

    fn parts(&self, hz: f64) -> (Display, Host) {
        DisplayArguments::parse(&self.arguments(hz)).expect("a family's arguments are valid")
    }
}

const fn single(name: &'static str, arguments: &'static str) -> Family {
    Family { name, group: Group::Single, arguments }
}

const fn mixed(name: &'static str, arguments: &'static str) -> Family {
    Family { name, group: Group::Mixed, arguments }
}

const fn pattern(name: &'static str, arguments: &'static str) -> Family {
    Family { name, group: Group::Pattern, arguments }
}

const fn hard(name: &'static str, arguments: &'static str) -> Family {
    Family { name, group: Group::Hard, arguments }
}

const fn variable(name: &'static str, arguments: &'static str) -> Family {
    Family { name, group: Group::Variable, arguments }
}

const fn feedback(name: &'static str, arguments: &'static str) -> Family {
    Family { name, group: Group::Feedback, arguments }
}

/// All families, by group.
pub const FAMILIES: [Family; 136] = [
    single("none", ""),
    single("gauss-0.3", "--noise gauss:0.3ms"),
    single("gauss-1.5", "--noise gauss:1.5ms"),
    single("uniform-2", "--noise uniform:2ms"),
    single("late", "--late 1%"),
    single("clock-1ms", "--clock 1ms"),
    single("clock-0.1ms", "--clock 0.1ms"),
    single("missed", "--missed 2%"),
    single("stall", "--stall-every 10s"),
    single("vrr", "--vrr wander:0.4ms"),
    mixed("gauss-0.3+missed-2+late-1", "--noise gauss:0.3ms --missed 2% --late 1%"),
    mixed("gauss-0.5+missed-5+late-3", "--noise gauss:0.5ms --missed 5% --late 3%"),
    mixed("gauss-1+missed-5+late-2", "--noise gauss:1ms --missed 5% --late 2%"),
    mixed("gauss-1.5+missed-2", "--noise gauss:1.5ms --missed 2%"),
    mixed("uniform-1+missed-1+late-1", "--noise uniform:1ms --missed 1% --late 1%"),
    mixed("exp-0.5", "--noise exp:0.5ms"),
    mixed("exp-1+missed-2", "--noise exp:1ms --missed 2%"),
    mixed("gauss-0.3+missed-20", "--noise gauss:0.3ms --missed 20%"),
    mixed("gauss-0.3+missed-50", "--noise gauss:0.3ms --missed 50%"),
    mixed("gauss-0.3+half-rate", "--noise gauss:0.3ms --half-rate-every 6s"),
    mixed("clock-1ms+gauss-0.5+missed-2", "--clock 1ms --noise gauss:0.5ms --missed 2%"),
    mixed("everything", "--clock 1us --noise gauss:0.3ms --missed 1% --late 0.5% --stall-every 5s"),
    mixed("burst-0.1-1", "--noise burst:0.1ms:1ms"),
    mixed("burst-0-2", "--noise burst:0ms:2ms"),
    mixed("burst-0.3-3", "--noise burst:0.3ms:3ms"),
    mixed("burst-0.05-4", "--noise burst:0.05ms:4ms"),
    mixed("burst-0.2-2+missed-2", "--noise burst:0.2ms:2ms --missed 2%"),
    mixed("ar-0.5-0.5", "--noise ar:0.5ms:0.5"),
    mixed("ar-0.3-0.7+missed-1", "--noise ar:0.3ms:0.7 --missed 1%"),
    mixed("ar-1-0.8", "--noise ar:1ms:0.8"),
    mixed("ar-1-0.9", "--noise ar:1ms:0.9"),
    mixed("ar-0.5-0.95", "--noise ar:0.5ms:0.95"),
    mixed("switch-60+gauss-0.3", "HZ,60 --switch 12s --noise gauss:0.3ms"),
    mixed("switch-75+gauss-0.3", "HZ,75 --switch 12s --noise gauss:0.3ms"),
    mixed("switch-120+gauss-0.5", "HZ,120 --switch 12s --noise gauss:0.5ms"),
    mixed("switch-144+gauss-0.3", "HZ,144 --switch 12s --noise gauss:0.3ms"),
    mixed("switch-144+gauss-1", "HZ,144 --switch 12s --noise gauss:1ms"),
    mixed("switch-144+uniform-1", "HZ,144 --switch 12s --noise uniform:1ms"),
    pattern("pattern-1-2", "--pattern 1,2"),
    pattern("pattern-1-2+gauss-0.3", "--pattern 1,2 --noise gauss:0.3ms"),
    pattern("pattern-1-1-2", "--pattern 1,1,2"),
    pattern("pattern-1-1-2+gauss-0.3", "--pattern 1,1,2 --noise gauss:0.3ms"),
    pattern("pattern-1-1-1-2", "--pattern 1,1,1,2"),
    pattern("pattern-1-1-1-2+gauss-0.3", "--pattern 1,1,1,2 --noise gauss:0.3ms"),
    pattern("pattern-2-1-2-1-1", "--pattern 2,1,2,1,1"),
    pattern("pattern-2-1-2-1-1+gauss-0.3", "--pattern 2,1,2,1,1 --noise gauss:0.3ms"),
    pattern("pattern-2-3", "--pattern 2,3"),
    pattern("pattern-2-3+gauss-0.3", "--pattern 2,3 --noise gauss:0.3ms"),
    pattern("pattern-1-3", "--pattern 1,3"),
    pattern("pattern-1-3+gauss-0.3", "--pattern 1,3 --noise gauss:0.3ms"),
    pattern("pattern-1-4", "--pattern 1,4"),
    pattern("pattern-1-4+gauss-0.3", "--pattern 1,4 --noise gauss:0.3ms"),
    pattern("pattern-1-2-3-4", "--pattern 1,2,3,4"),
    pattern("pattern-1-2-3-4+gauss-0.3", "--pattern 1,2,3,4 --noise gauss:0.3ms"),
    pattern("pattern-1-1-1-1-1-1-2", "--pattern 1,1,1,1,1,1,2"),
    pattern("pattern-1-1-1-1-1-1-2+gauss-0.3", "--pattern 1,1,1,1,1,1,2 --noise gauss:0.3ms"),
    pattern("pattern-2-2-3", "--pattern 2,2,3"),
    pattern("pattern-2-2-3+gauss-0.3", "--pattern 2,2,3 --noise gauss:0.3ms"),
    pattern("pattern-3-4", "--pattern 3,4"),
    pattern("pattern-3-4+gauss-0.3", "--pattern 3,4 --noise gauss:0.3ms"),
    pattern("pattern-2", "--pattern 2"),
    pattern("pattern-2+gauss-0.3", "--pattern 2 --noise gauss:0.3ms"),
    pattern("pattern-1-2+gauss-1", "--pattern 1,2 --noise gauss:1ms"),
    pattern("pattern-2-3+gauss-1", "--pattern 2,3 --noise gauss:1ms"),
    pattern("pattern-1-2+late-1", "--pattern 1,2 --late 1%"),
    pattern("pattern-1-1-2+clock-1ms", "--pattern 1,1,2 --clock 1ms"),
    pattern("random-1-2", "--pattern random:1,2"),
    pattern("random-1-2+gauss-0.3", "--pattern random:1,2 --noise gauss:0.3ms"),
    pattern("random-1-2-3-4", "--pattern random:1,2,3,4"),
    pattern("random-1-2-3-4+gauss-0.3", "--pattern random:1,2,3,4 --noise gauss:0.3ms"),
    pattern("random-2-3", "--pattern random:2,3"),
    pattern("missed-50", "--missed 50%"),
    pattern("missed-50+gauss-0.1", "--missed 50% --noise gauss:0.1ms"),
    pattern("half-rate", "--half-rate-every 6s"),
    pattern("pattern-2-then-1-2", "--pattern 2/1,2"),
    pattern("pattern-1-2-then-1", "--pattern 1,2/1"),
    pattern("changing", "--pattern changing"),
    pattern("changing+gauss-0.3", "--pattern changing --noise gauss:0.3ms"),
    hard("halving", "HZ,HZ/2 --switch 6s"),
    hard("halving+gauss-0.3", "HZ,HZ/2 --switch 6s --noise gauss:0.3ms"),
    hard("switch-60", "HZ,60 --switch 12s"),
    hard("switch-144", "HZ,144 --switch 12s"),
    hard("pause", "--pause-every 1s"),
    hard("pause+gauss-0.3", "--pause-every 1s --noise gauss:0.3ms"),
    hard("pause+work-50", "--pause-every 1s --work 50%"),
    hard("pairs", "--pairs"),
    hard("pairs+gauss-0.3", "--pairs --noise gauss:0.3ms"),
    hard("clock-2ms", "--clock 2ms"),
    hard("clock-2ms+gauss-0.3", "--clock 2ms --noise gauss:0.3ms"),
    hard("clock-16.67ms", "--clock 16.67ms"),
    hard("clock-16.67ms+gauss-0.3", "--clock 16.67ms --noise gauss:0.3ms"),
    hard("clock-100ms", "--clock 100ms"),
    hard("gauss-3", "--noise gauss:3ms"),
    hard("gauss-0.3+missed-5+late-5", "--noise gauss:0.3ms --missed 5% --late 5%"),
    hard("ar-0.9-0.98", "--noise ar:0.9ms:0.98"),
    hard("late-20", "--late 20%"),
    variable("wander-0.05", "--vrr wander:0.05ms"),
    variable("wander-0.1+gauss-0.1", "--vrr wander:0.1ms --noise gauss:0.1ms"),
    variable("wander-0.4+gauss-0.3", "--vrr wander:0.4ms --noise gauss:0.3ms"),
    variable("wander-0.4+gauss-1", "--vrr wander:0.4ms --noise gauss:1ms"),
    variable("wander-0.2+clock-1ms", "--vrr wander:0.2ms --clock 1ms"),
    variable("independent-2", "--vrr independent:2%"),
    variable("independent-50", "--vrr independent:50%"),
    variable("independent-20+gauss-0.1", "--vrr independent:20% --noise gauss:0.1ms"),
    variable("independent-10+gauss-0.3", "--vrr independent:10% --noise gauss:0.3ms"),
    variable("independent-30+gauss-1", "--vrr independent:30% --noise gauss:1ms"),
    variable("independent-10", "--vrr independent:10%"),
    variable("breathe-2", "--vrr breathe:2ms"),
    variable("breathe-0.5+gauss-0.1", "--vrr breathe:0.5ms --noise gauss:0.1ms"),
    variable("cap+gauss-0.05", "--vrr cap --noise gauss:0.05ms"),
    variable("cap+gauss-0.3", "--vrr cap --noise gauss:0.3ms"),
    variable("cap+gauss-1", "--vrr cap --noise gauss:1ms"),
    variable("cap+exp-0.3", "--vrr cap --noise exp:0.3ms"),
    feedback("gauss-1.5+feedback-1", "--noise gauss:1.5ms --feedback 1"),
    feedback("gauss-1.5+feedback-2", "--noise gauss:1.5ms --feedback 2"),
    feedback("ar-1-0.9+feedback-1", "--noise ar:1ms:0.9 --feedback 1"),
    feedback("ar-1-0.9+feedback-2", "--noise ar:1ms:0.9 --feedback 2"),
    feedback("ar-0.5-0.95+feedback-1", "--noise ar:0.5ms:0.95 --feedback 1"),
    feedback("ar-0.5-0.95+feedback-2", "--noise ar:0.5ms:0.95 --feedback 2"),
    feedback("burst-0.3-3+feedback-1", "--noise burst:0.3ms:3ms --feedback 1"),
    feedback("burst-0.3-3+feedback-2", "--noise burst:0.3ms:3ms --feedback 2"),
    feedback("burst-0.05-4+feedback-1", "--noise burst:0.05ms:4ms --feedback 1"),
    feedback("burst-0.05-4+feedback-2", "--noise burst:0.05ms:4ms --feedback 2"),
    feedback(
        "gauss-0.3+missed-2+late-1+feedback-1",
        "--noise gauss:0.3ms --missed 2% --late 1% --feedback 1",
    ),
    feedback(
        "gauss-0.3+missed-2+late-1+feedback-2",
        "--noise gauss:0.3ms --missed 2% --late 1% --feedback 2",
    ),
    feedback(
        "gauss-0.5+missed-5+late-3+feedback-1",
        "--noise gauss:0.5ms --missed 5% --late 3% --feedback 1",
    ),
    feedback(
        "gauss-0.5+missed-5+late-3+feedback-2",
        "--noise gauss:0.5ms --missed 5% --late 3% --feedback 2",
    ),
    feedback("pause+work-50+feedback-1", "--pause-every 1s --work 50% --feedback 1"),
    feedback("pause+work-50+feedback-2", "--pause-every 1s --work 50% --feedback 2"),
    feedback("cap+gauss-0.3+feedback-1", "--vrr cap --noise gauss:0.3ms --feedback 1"),
    feedback("cap+gauss-0.3+feedback-2", "--vrr cap --noise gauss:0.3ms --feedback 2"),
    feedback(
        "gauss-0.3+missed-2+feedback-lost-swapped",
        "--noise gauss:0.3ms --missed 2% --feedback 1,lost:20%,swapped:20%",
    ),
    feedback("gauss-0.3+feedback-drift", "--noise gauss:0.3ms --feedback 1,drift:1000ppm"),
    feedback("gauss-0.3+feedback-grid", "--noise gauss:0.3ms --feedback 1,lie:grid:61.3"),
    feedback("gauss-0.3+feedback-random", "--noise gauss:0.3ms --feedback 1,lie:random"),
    feedback("gauss-0.3+feedback-jumping", "--noise gauss:0.3ms --feedback 1,lie:jumping"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_made_of_arguments_that_parse_and_names_that_differ() {
        for (n, family) in FAMILIES.iter().enumerate() {
            for hz in RATES_HZ.into_iter().chain(HARM_RATES_HZ) {
                assert_eq!(family.display(hz).hz, hz, "{}", family.name);
            }
            assert!(FAMILIES[..n].iter().all(|other| other.name != family.name), "{}", family.name);
        }
    }
}
