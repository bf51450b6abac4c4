//! `lab harm`: looks for sessions in which the display lock does harm.

use std::collections::BTreeSet;
use std::io::Write;

use evenstep_cli::Error;
use evenstep_cli::progress::Progress;

use super::arguments::{DisplayArguments, HarmArguments};
use super::exception::cannot_tell;
use super::family::{Family, HARM_RATES_HZ};
use super::{mixture, parallel};
use crate::display::Display;
use crate::host::Host;
use crate::policy::Policy;
use crate::words::fixed;

/// How much worse than the plain accumulator a session may be, in microseconds of judder.
const ALLOWED_US: f64 = 5.0;
/// The same as a share of the plain accumulator's judder; the larger of the two counts.
const ALLOWED_SHARE: f64 = 0.05;

/// A session to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The family of the display, or `mixture`.
    pub name: &'static str,
    /// The arguments of `lab run` for the display.
    pub arguments: String,
    /// The display.
    pub display: Display,
    /// What the host tells the pacer.
    pub host: Host,
    /// The session's seed.
    pub seed: u64,
}

impl Case {
    fn new(name: &'static str, arguments: String, seed: u64) -> Self {
        let (display, host) = DisplayArguments::parse(&arguments).expect("the arguments of a case are valid");
        Self { name, arguments, display, host, seed }
    }

    /// The display of a family with this rate.
    pub fn of(family: &Family, hz: f64, seed: u64) -> Self {
        Self::new(family.name, family.arguments(hz), seed)
    }

    /// A random mixture of disturbances; the seed determines both the mixture and the session.
    pub fn mixture(seed: u64) -> Self {
        Self::new("mixture", mixture::arguments(seed), seed)
    }

    /// Why harm cannot be avoided from timestamps alone; `None` if it must be.
    pub fn exception(&self) -> Option<&'static str> {
        cannot_tell(&self.display, &self.host)
    }

    /// Plays the session under the two policies.
    pub fn play(&self, seconds: f64) -> Verdict {
        let session = self.host.tell(self.display.session(seconds, self.seed));
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

/// Plays families at all rates, or random mixtures, and prints each session with harm, the worst first. Those where
/// timestamps cannot tell come last, with the reason.
///
/// # Errors
///
/// If seeds run out, or the output cannot be written.
pub fn harm(arguments: &HarmArguments, output: &mut impl Write) -> Result<(), Error> {
    let seeds = arguments.session.seeds(arguments.mixtures.unwrap_or(arguments.seeds))?;
    let mut cases: Vec<Case> = if arguments.mixtures.is_some() {
        seeds.map(Case::mixture).collect()
    } else {
        let families = arguments.family.0.iter();
        let displays = families.flat_map(|&family| HARM_RATES_HZ.map(|hz| (family, hz)));
        displays.flat_map(|(family, hz)| seeds.clone().map(move |seed| Case::of(family, hz, seed))).collect()
    };
    for case in &mut cases {
        case.host = arguments.host.host_besides(case.host);
    }
    let progress = Progress::new(cases.len() as u64, "sessions");
    let verdicts = parallel::map(&cases, |case| {
        let verdict = case.play(arguments.session.seconds);
        progress.advance();
        verdict
    });
    progress.finish();
    let mut harmful: Vec<(&Case, Verdict)> =
        cases.iter().zip(verdicts).filter(|(_, verdict)| verdict.harm_us() > 0.0).collect();
    // Stable: equals stay in the order of families and rates.
    harmful.sort_by(|(_, a), (_, b)| b.harm_us().total_cmp(&a.harm_us()));
    harmful.sort_by_key(|(case, _)| case.exception().is_some());
    print(&harmful, output).map_err(Error::Write)?;
    let displays = |cases: &mut dyn Iterator<Item = &Case>| {
        cases.map(|case| case.arguments.as_str()).collect::<BTreeSet<_>>().len()
    };
    let avoidable = harmful.partition_point(|(case, _)| case.exception().is_none());
    eprintln!(
        "harm in {avoidable} of {} sessions, on {} of {} displays; and in {} where timestamps cannot tell",
        cases.len(),
        displays(&mut harmful[..avoidable].iter().map(|&(case, _)| case)),
        displays(&mut cases.iter()),
        harmful.len() - avoidable
    );
    Ok(())
}

fn print(harmful: &[(&Case, Verdict)], output: &mut impl Write) -> std::io::Result<()> {
    writeln!(output, "harm_us,evenstep_us,plain_us,family,hz,seed,run,exception")?;
    for (case, verdict) in harmful {
        let [harm, ours, plain] =
            [verdict.harm_us(), verdict.ours_us, verdict.plain_us].map(|us| fixed(us, 1));
        let Case { name, arguments, display, seed, .. } = case;
        let exception = case.exception().unwrap_or_default();
        // Quoted, because patterns and pairs of rates have commas.
        writeln!(
            output,
            "{harm},{ours},{plain},{name},{},{seed},\"{arguments}\",\"{exception}\"",
            display.hz
        )?;
    }
    Ok(())
}
