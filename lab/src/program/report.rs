//! The report on a matrix: Markdown, CSV and the overview chart.

use std::fmt::Write as _;

use evenstep_cli::analysis::svg::{Anchor, Svg};
use evenstep_cli::table::Table;

use super::compare::{GALLERY, OVERVIEW};
use super::family::{Family, Group, RATES_HZ};
use super::matrix::{Entry, Matrix};
use crate::policy::Policy;
use crate::words::fixed;

/// A matrix and its results.
pub(crate) struct MatrixReport<'a> {
    pub(crate) matrix: &'a Matrix,
    pub(crate) entries: &'a [Entry],
    /// The command that reproduces the report.
    pub(crate) command: String,
}

/// Means and extremes over some entries.
struct Summary {
    judder_us: f64,
    judder_us_worst: f64,
    cadence_error: Option<f64>,
    drift_ms_worst: f64,
}

impl Summary {
    /// `judder / cadence error`.
    fn both(&self) -> String {
        let cadence = self.cadence_error.map(|error| format!(" / {}", fixed(error, 2))).unwrap_or_default();
        format!("{}{cadence}", judder(self.judder_us))
    }
}

impl MatrixReport<'_> {
    fn summary(&self, wanted: impl Fn(&Entry) -> bool) -> Summary {
        let entries: Vec<&Entry> = self.entries.iter().filter(|entry| wanted(entry)).collect();
        let judders = entries.iter().map(|entry| entry.report.judder_us);
        let cadences: Vec<f64> = entries.iter().filter_map(|entry| entry.report.cadence_error).collect();
        let drifts = entries.iter().map(|entry| entry.report.drift_ms.abs());
        Summary {
            judder_us: judders.clone().sum::<f64>() / entries.len() as f64,
            judder_us_worst: judders.fold(0.0, f64::max),
            cadence_error: (!cadences.is_empty())
                .then(|| cadences.iter().sum::<f64>() / cadences.len() as f64),
            drift_ms_worst: drifts.fold(0.0, f64::max),
        }
    }

    fn of(&self, family: &Family, policy: Policy) -> Summary {
        self.summary(|entry| entry.family == family && entry.policy == policy)
    }

    fn families(&self, group: Group) -> Vec<&'static Family> {
        self.matrix.families.iter().copied().filter(|family| family.group == group).collect()
    }

    pub(crate) fn markdown(&self) -> String {
        let Matrix { seconds, seeds, .. } = self.matrix;
        let rates = RATES_HZ.map(|hz| hz.to_string()).join(", ");
        let mut text = format!(
            "# Pacing report\n\n\
             Sessions of {seconds} s on displays of {rates} Hz, seeds {} to {}, 60 steps a second.\n\
             Made with `{}`.\n\n\
             Judder is the RMS of how far the game's motion on a frame is from the display's, in us; cadence error is \
             the share of frames with another number of steps than the display's pattern, in %; both as means over \
             the rates and seeds. The first 3 s of a session and stalls are left out.\n",
            seeds.start,
            seeds.end - 1,
            self.command
        );
        let single = self.families(Group::Single);
        if !single.is_empty() {
            let _ = write!(
                text,
                "\n## One trouble at a time: judder / cadence error\n\n{}",
                self.singles(&single)
            );
            let _ = write!(text, "\n![Judder by policy]({OVERVIEW})\n");
        }
        if self.matrix.policies.contains(&Policy::Evenstep) && !single.is_empty() {
            let _ = write!(text, "\n## evenstep by rate: judder\n\n{}", self.by_rate(&single));
        }
        for (group, title) in [
            (Group::Mixed, "Mixed troubles: judder / cadence error"),
            (Group::Pattern, "Several refreshes a frame: judder / cadence error"),
            (Group::Hard, "Hard displays: judder / cadence error"),
            (Group::Variable, "Variable refresh: judder"),
            (Group::Feedback, "With presentation feedback: judder / cadence error"),
        ] {
            let families = self.families(group);
            if !families.is_empty() {
                let _ = write!(text, "\n## {title}\n\n{}", self.families_table(&families));
            }
        }
        if !single.is_empty() {
            let _ = write!(
                text,
                "\n## Lag and drift, over the single troubles but stalls\n\n{}",
                self.lag_and_drift()
            );
        }
        text += "\n## Pictures\n";
        for chart in &GALLERY {
            let _ = write!(text, "\n`lab run {}`\n\n", chart.arguments(*seconds, seeds.start));
            let _ = writeln!(text, "![{}]({})", chart.about, chart.file);
        }
        text
    }

    fn singles(&self, families: &[&'static Family]) -> String {
        let mut table = Table::new(["policy"].into_iter().chain(families.iter().map(|family| family.name)));
        for &policy in &self.matrix.policies {
            let cells = families.iter().map(|family| self.of(family, policy).both());
            table.row(std::iter::once(policy.name().to_owned()).chain(cells));
        }
        table.to_markdown()
    }

    fn by_rate(&self, families: &[&'static Family]) -> String {
        let mut table = Table::new(["Hz"].into_iter().chain(families.iter().map(|family| family.name)));
        for hz in RATES_HZ {
            let cells = families.iter().map(|&family| {
                let is_it = |it: &Entry| it.family == family && it.policy == Policy::Evenstep && it.hz == hz;
                judder(self.summary(is_it).judder_us)
            });
            table.row(std::iter::once(hz.to_string()).chain(cells));
        }
        table.to_markdown()
    }

    fn families_table(&self, families: &[&'static Family]) -> String {
        let policies = &self.matrix.policies;
        let has_both = policies.contains(&Policy::Evenstep) && policies.contains(&Policy::Plain);
        let mut head = vec!["family", "at 60 Hz"];
        head.extend(policies.iter().map(|policy| policy.name()));
        if has_both {
            head.extend(["evenstep / plain", "evenstep, worst session", "evenstep, worst drift ms"]);
        }
        let mut table = Table::new(head).with_words(2);
        for &family in families {
            let mut cells = vec![family.name.to_owned(), format!("`{}`", family.arguments(60.0))];
            cells.extend(policies.iter().map(|&policy| self.of(family, policy).both()));
            if has_both {
                let ours = self.of(family, Policy::Evenstep);
                let plain = self.of(family, Policy::Plain);
                let share = ours.judder_us / plain.judder_us;
                // A ratio to almost zero is meaningless.
                cells.push(if plain.judder_us < 1.0 { "-".into() } else { fixed(share, 2) });
                cells.push(judder(ours.judder_us_worst));
                cells.push(fixed(ours.drift_ms_worst, 2));
            }
            table.row(cells);
        }
        table.to_markdown()
    }

    fn lag_and_drift(&self) -> String {
        let mut table = Table::new(["policy", "lag ms, mean at 60 Hz", "drift ms, worst at all rates"]);
        for &policy in &self.matrix.policies {
            let is_it = |it: &Entry| {
                it.policy == policy && it.family.group == Group::Single && it.family.name != "stall"
            };
            let at_60 = self.entries.iter().filter(|entry| is_it(entry) && entry.hz == 60.0);
            let lags: Vec<f64> = at_60.map(|entry| entry.report.lag_ms).collect();
            let lag = lags.iter().sum::<f64>() / lags.len() as f64;
            let drift = self.summary(is_it).drift_ms_worst;
            table.row([policy.name().to_owned(), fixed(lag, 2), fixed(drift, 2)]);
        }
        table.to_markdown()
    }

    pub(crate) fn csv(&self) -> String {
        let mut text = String::from(
            "family,hz,seed,policy,frames,judder_rms_us,judder_p99_us,judder_max_us,cadence_error_percent,drift_ms,\
             lag_ms\n",
        );
        for Entry { family, hz, seed, policy, report } in self.entries {
            let cadence = report.cadence_error.map(|error| fixed(error, 4)).unwrap_or_default();
            let _ = writeln!(
                text,
                "{},{hz},{seed},{},{},{},{},{},{cadence},{},{}",
                family.name,
                policy.name(),
                report.frames,
                fixed(report.judder_us, 3),
                fixed(report.judder_us_p99, 3),
                fixed(report.judder_us_max, 3),
                fixed(report.drift_ms, 4),
                fixed(report.lag_ms, 4)
            );
        }
        text
    }

    /// Draws the judder of each policy under each single disturbance, on a logarithmic scale.
    pub(crate) fn overview(&self) -> String {
        const LEFT: f64 = 150.0;
        const WIDTH: f64 = 760.0;
        const TOP: f64 = 118.0;
        const ROW: f64 = 26.0;
        const DECADES: f64 = 5.0;
        // From 0.1 us, below which differences do not matter, to 10 ms.
        let x = |judder_us: f64| LEFT + WIDTH * ((judder_us.max(0.1).log10() + 1.0) / DECADES).min(1.0);
        let families = self.families(Group::Single);
        let mut svg = Svg::new();
        svg.text("title", (24.0, 36.0), Anchor::Start, "Judder by trouble and policy");
        let about = format!(
            "RMS of the motion error in µs, mean of {} rates and {} seeds; logarithmic, and 0.1 stands for less.",
            RATES_HZ.len(),
            self.matrix.seeds.clone().count()
        );
        svg.text("muted", (24.0, 58.0), Anchor::Start, &about);
        let mut legend_x = 24.0;
        for &policy in &self.matrix.policies {
            mark(&mut svg, policy, (legend_x + 5.0, 80.0));
            svg.text("small", (legend_x + 18.0, 84.0), Anchor::Start, policy.name());
            legend_x += 44.0 + 6.6 * policy.name().len() as f64;
        }
        let floor = TOP + ROW * families.len() as f64;
        for decade in 0..=DECADES as u32 {
            let judder_us = 10_f64.powi(decade.cast_signed() - 1);
            svg.line("grid", (x(judder_us), TOP - 6.0), (x(judder_us), floor));
            let name = if decade == 0 { "≤ 0.1 µs".into() } else { format!("{judder_us}") };
            svg.text("muted small", (x(judder_us), floor + 16.0), Anchor::Middle, &name);
        }
        for (n, family) in families.iter().enumerate() {
            let y = TOP + ROW * (n as f64 + 0.5);
            svg.text("", (LEFT - 12.0, y + 4.0), Anchor::End, family.name);
            svg.line("grid", (LEFT, y), (LEFT + WIDTH, y));
            for &policy in &self.matrix.policies {
                mark(&mut svg, policy, (x(self.of(family, policy).judder_us), y));
            }
        }
        svg.finish((960.0, floor + 32.0), "Judder by trouble and policy")
    }
}

/// Draws a policy's symbol: discs for ours, and shapes that stay visible when they overlap for others.
fn mark(svg: &mut Svg, policy: Policy, (x, y): (f64, f64)) {
    match policy {
        Policy::Evenstep => svg.circle("ours-fill", (x, y), 5.0),
        Policy::EvenstepRateLock => svg.circle("line ours", (x, y), 7.0),
        Policy::Plain => svg.rect("line other", (x - 7.0, y - 7.0), (14.0, 14.0)),
        Policy::Starship => svg.line("other", (x - 6.0, y - 6.0), (x + 6.0, y + 6.0)),
        Policy::FixedTimeStep => svg.line("other", (x - 6.0, y + 6.0), (x + 6.0, y - 6.0)),
        Policy::GameLoop => svg.line("other", (x, y - 8.0), (x, y + 8.0)),
    }
}

fn judder(us: f64) -> String {
    fixed(us, usize::from(us < 100.0))
}
