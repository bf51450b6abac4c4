//! What a host tells the pacer besides timestamps.

use std::fmt;
use std::time::Duration;

use evenstep::Command;

use crate::feedback::{Feedback, Reports};
use crate::session::Session;

/// What the host tells the pacer besides timestamps. By default nothing.
///
/// ```
/// use evenstep_lab::display::{Display, Noise};
/// use evenstep_lab::feedback::Feedback;
/// use evenstep_lab::host::Host;
/// use evenstep_lab::policy::Policy;
///
/// // Noise that is almost a wandering refresh: only the display knows better.
/// let display = Display { noise: Noise::Correlated { ms: 1.0, rho: 0.9 }, ..Display::new(60.0) };
/// let session = display.session(20.0, 1);
/// let without_us = session.under(Policy::Evenstep).report.judder_us;
/// let session = Host { feedback: Some(Feedback::late(1)), ..Host::default() }.tell(session);
/// assert!(session.under(Policy::Evenstep).report.judder_us < without_us);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Host {
    /// The refresh is variable, or a frame cap keeps the loop below it.
    pub is_variable: bool,
    /// The refresh interval, before the first frame and whenever it changes.
    pub tells_refresh: bool,
    /// When frames were shown.
    pub feedback: Option<Feedback>,
}

impl Host {
    /// Adds what the host tells to a session.
    #[must_use]
    pub fn tell(&self, mut session: Session) -> Session {
        session.title += &self.to_string();
        if self.is_variable {
            session.told.push((0, Command::VariableRefresh(true)));
        }
        if self.tells_refresh {
            let mut hinted_ns = 0.0;
            for (n, shown) in session.shown.iter().enumerate() {
                if std::mem::replace(&mut hinted_ns, shown.interval_ns) != shown.interval_ns {
                    let period = Duration::from_nanos(shown.interval_ns as u64);
                    session.told.push((n, Command::RefreshHint(period)));
                }
            }
        }
        if let Some(feedback) = self.feedback {
            let mut reports = Reports::new(feedback, session.shown[0]);
            for (n, &shown) in session.shown.iter().enumerate() {
                session.presented.extend(reports.arrive().map(|report| (n, report)));
                reports.frame(shown);
            }
        }
        session
    }
}

/// A part of a session's description.
impl fmt::Display for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_variable {
            write!(out, ", told that the refresh is variable")?;
        }
        if self.tells_refresh {
            write!(out, ", told the refresh")?;
        }
        self.feedback.map_or(Ok(()), |feedback| write!(out, "{feedback}"))
    }
}
