//! `evenstep lab harm`: looks for sessions in which the display lock does harm.

use std::collections::BTreeSet;
use std::io::Write;

use evenstep_lab::display::Display;
use evenstep_lab::policy::Policy;
use evenstep_lab::session::Session;
use evenstep_lab::words::fixed;

use super::arguments::{DisplayArguments, HarmArguments};
use super::family::{Family, HARM_RATES_HZ};
use super::progress::Progress;
use super::{Error, mixture, parallel};

/// How much worse than the plain accumulator a session may be, in microseconds of judder.
const ALLOWED_US: f64 = 5.0;
/// The same as a share of the plain accumulator's judder; the larger of the two counts.
const ALLOWED_SHARE: f64 = 0.05;

/// A session to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The family of the display, or `mixture`.
    pub name: &'static str,
    /// The arguments of `evenstep lab run` for the display.
    pub arguments: String,
    /// The display.
    pub display: Display,
    /// The session's seed.
    pub seed: u64,
}

impl Case {
    fn new(name: &'static str, arguments: String, seed: u64) -> Self {
        let display = DisplayArguments::parse(&arguments).expect("the arguments of a case are valid");
        Self { name, arguments, display, seed }
    }

    /// The display of a family with this rate.
    pub fn of(family: &Family, hz: f64, seed: u64) -> Self {
        Self::new(family.name, family.arguments(hz), seed)
    }

    /// A random mixture of disturbances; the seed determines both the mixture and the session.
    pub fn mixture(seed: u64) -> Self {
        Self::new("mixture", mixture::arguments(seed), seed)
    }

    /// Plays the session under the two policies.
    pub fn play(&self, seconds: f64) -> Verdict {
        let session = Session::of(&self.display, seconds, self.seed);
        let [plain_us, ours_us] =
            [Policy::Plain, Policy::Evenstep].map(|policy| session.under(policy).report.judder_us);
        Verdict { plain_us, ours_us }
    }
}

/// The judder of a session, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The judder of [`Policy::Plain`].
    pub plain_us: f64,
    /// The judder of [`Policy::Evenstep`].
    pub ours_us: f64,
}

impl Verdict {
    /// By how much ours is worse than allowed: more than the plain accumulator's by 5 us or 5 %, whichever is larger.
    /// Not positive if it is harmless.
    pub fn harm_us(&self) -> f64 {
        self.ours_us - self.plain_us - ALLOWED_US.max(ALLOWED_SHARE * self.plain_us)
    }
}

/// Plays families at all rates, or random mixtures, and prints each session with harm, the worst first.
///
/// # Errors
///
/// If seeds run out, or the output cannot be written.
pub fn harm(arguments: &HarmArguments, output: &mut impl Write) -> Result<(), Error> {
    let (seconds, first) = (arguments.session.seconds, arguments.session.seed);
    let count = arguments.mixtures.unwrap_or(arguments.seeds);
    let Some(end) = first.checked_add(count) else {
        return Err(Error::Arguments(format!("--seed {first} leaves no room for {count} seeds")));
    };
    let cases: Vec<Case> = if arguments.mixtures.is_some() {
        (first..end).map(Case::mixture).collect()
    } else {
        let families = arguments.family.0.iter();
        let displays = families.flat_map(|&family| HARM_RATES_HZ.map(|hz| (family, hz)));
        displays.flat_map(|(family, hz)| (first..end).map(move |seed| Case::of(family, hz, seed))).collect()
    };
    let progress = Progress::new(cases.len() as u64, "sessions");
    let verdicts = parallel::map(&cases, |case| {
        let verdict = case.play(seconds);
        progress.advance();
        verdict
    });
    progress.finish();
    let mut harmful: Vec<(&Case, Verdict)> =
        cases.iter().zip(verdicts).filter(|(_, verdict)| verdict.harm_us() > 0.0).collect();
    // Stable: equals stay in the order of families and rates.
    harmful.sort_by(|(_, a), (_, b)| b.harm_us().total_cmp(&a.harm_us()));
    print(&harmful, output).map_err(Error::Write)?;
    let displays = |cases: &mut dyn Iterator<Item = &Case>| {
        cases.map(|case| case.arguments.as_str()).collect::<BTreeSet<_>>().len()
    };
    eprintln!(
        "harm in {} of {} sessions, on {} of {} displays",
        harmful.len(),
        cases.len(),
        displays(&mut harmful.iter().map(|&(case, _)| case)),
        displays(&mut cases.iter())
    );
    Ok(())
}

fn print(harmful: &[(&Case, Verdict)], output: &mut impl Write) -> std::io::Result<()> {
    writeln!(output, "harm_us,evenstep_us,plain_us,family,hz,seed,run")?;
    for (case, verdict) in harmful {
        let [harm, ours, plain] =
            [verdict.harm_us(), verdict.ours_us, verdict.plain_us].map(|us| fixed(us, 1));
        let Case { name, arguments, display, seed } = case;
        // Quoted, because patterns and pairs of rates have commas.
        writeln!(output, "{harm},{ours},{plain},{name},{},{seed},\"{arguments}\"", display.hz)?;
    }
    Ok(())
}
