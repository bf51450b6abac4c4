//! Random mixtures of disturbances, as arguments of `lab run`.

use super::family::HARM_RATES_HZ;
use crate::random::Random;

/// How often a disturbance is part of a mixture.
const SHARE: f64 = 0.3;

/// Draws the arguments of one disturbance.
type Disturbance = fn(&mut Random) -> String;

/// The arguments of a display with a random mixture of disturbances. The same seed gives the same mixture.
pub(crate) fn arguments(seed: u64) -> String {
    // Not the numbers of the session with this seed.
    let random = &mut Random::new(!seed);
    let hz = HARM_RATES_HZ[random.below(HARM_RATES_HZ.len())];
    let refresh = refresh(hz, random);
    // A frame under a cap appears at its timestamp, so that there are no pairs.
    let pairs = if refresh.contains("cap") { 0.0 } else { 0.2 };
    let mut words = vec![refresh];
    let disturbances: [(f64, Disturbance); 8] = [
        (2.0, noise),
        (1.5, pattern),
        (1.0, |random| format!("--late {:.1}%", random.between(0.1, 10.0))),
        (1.0, |random| format!("--missed {:.1}%", random.between(0.1, 40.0))),
        (0.5, |random| {
            format!("--pause-every {:.1}s --work {}%", random.between(0.5, 5.0), 30 * random.below(3))
        }),
        (0.5, |random| format!("--stall-every {:.1}s", random.between(2.0, 20.0))),
        (pairs, |_| "--pairs".to_owned()),
        (0.7, |random| format!("--clock {}ms", ["0.1", "1", "2", "16.67"][random.below(4)])),
    ];
    for (weight, disturbance) in disturbances {
        if random.chance(SHARE * weight) {
            words.push(disturbance(random));
        }
    }
    words.join(" ")
}

/// The rate, and one time in three a display that changes it or has none. Where timestamps cannot tell what the display
/// does, the host does; where it may know, it tells half of the time.
fn refresh(hz: f64, random: &mut Random) -> String {
    let told = if random.chance(0.5) { " --told-refresh" } else { "" };
    match random.below(24) {
        0 => format!("--display {hz},{} --switch {:.1}s{told}", hz / 2.0, random.between(3.0, 15.0)),
        1 | 2 => {
            let other_hz = HARM_RATES_HZ[random.below(HARM_RATES_HZ.len())];
            format!("--display {hz},{other_hz} --switch {:.1}s{told}", random.between(3.0, 15.0))
        }
        3 | 4 => format!("--display {hz} --vrr wander:{:.2}ms", random.between(0.05, 1.0)),
        5 => format!("--display {hz} --vrr independent:{:.0}% --told-variable", random.between(1.0, 100.0)),
        6 => format!("--display {hz} --vrr breathe:{:.2}ms", random.between(0.1, 2.0)),
        7 => format!("--display {hz} --vrr cap --told-variable"),
        _ => format!("--display {hz}"),
    }
}

fn noise(random: &mut Random) -> String {
    let noise = match random.below(6) {
        0 | 1 => format!("gauss:{:.2}ms", random.between(0.01, 2.0)),
        2 => format!("uniform:{:.2}ms", random.between(0.01, 3.0)),
        3 => format!("exp:{:.2}ms", random.between(0.01, 2.0)),
        4 => format!("ar:{:.2}ms:{:.2}", random.between(0.05, 1.0), random.between(0.3, 0.98)),
        _ => format!("burst:{:.2}ms:{:.2}ms", random.between(0.01, 0.3), random.between(0.5, 4.0)),
    };
    format!("--noise {noise}")
}

fn pattern(random: &mut Random) -> String {
    let list = |random: &mut Random| {
        let refreshes: Vec<_> = (0..=random.below(8)).map(|_| (1 + random.below(4)).to_string()).collect();
        refreshes.join(",")
    };
    match random.below(6) {
        0..=2 => format!("--pattern {}", list(random)),
        3 => format!("--pattern random:{}", list(random)),
        4 => {
            let even = list(random);
            format!("--pattern {even}/{}", list(random))
        }
        _ => format!("--half-rate-every {:.1}s", random.between(1.0, 12.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::arguments::DisplayArguments;

    #[test]
    fn every_mixture_is_made_of_arguments_that_parse() {
        for seed in 0..5_000 {
            let arguments = arguments(seed);
            DisplayArguments::parse(&arguments).unwrap_or_else(|error| panic!("{arguments}: {error}"));
        }
    }
}
