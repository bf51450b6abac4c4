//! Movement: computes the ship's velocity from stick, boost, drag and heat. Physics moves it.

use crate::math::unit_or;
use crate::signals::{Signal, Signals};
use crate::state::State;
use crate::tuning::{BOOST_HEAT, BOOST_THRUST, HEAT_MAX, HEAT_RECOVERED, OVERHEATED_THRUST, SIM_DT, TURN};

pub(crate) fn tick(state: &mut State, signals: &mut Signals) {
    heat(state, signals);
    let ship = &mut state.ship;
    let stick = state.controls.stick;
    let thrust = ship.stats.thrust
        * if ship.overheated {
            OVERHEATED_THRUST
        } else if ship.boosting {
            BOOST_THRUST
        } else {
            1.0
        };
    // Implicit integration: no drag, however strong, can reverse the ship.
    ship.vel = (ship.vel + stick * thrust * SIM_DT) / (1.0 + ship.stats.drag * SIM_DT);

    let heading = ship.heading();
    let wanted = unit_or(stick, heading);
    ship.heading.advance(unit_or(heading + (wanted - heading) * TURN, wanted));
    ship.invulnerable.tick();
}

fn heat(state: &mut State, signals: &mut Signals) {
    let ship = &mut state.ship;
    let pushes = state.controls.boost && state.controls.stick.length() > 0.1;
    ship.boosting = pushes && !ship.overheated;
    if ship.boosting {
        ship.heat += BOOST_HEAT * ship.stats.heat_gain * SIM_DT;
    } else {
        ship.heat -= ship.stats.cooling * SIM_DT;
    }
    ship.heat = ship.heat.clamp(0.0, HEAT_MAX);
    if !ship.overheated && ship.heat >= HEAT_MAX {
        ship.overheated = true;
        signals.push(Signal::Overheated);
    } else if ship.overheated && ship.heat <= HEAT_RECOVERED {
        ship.overheated = false;
        signals.push(Signal::Cooled);
    }
}
