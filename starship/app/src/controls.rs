//! Converts keys, gamepad and touches to the input of a tick.

use evenstep_host::{Axis, Button, Event, Input, Key, Paint, Pointer};
use starship_sim::Pad;

use crate::layout::Place;
use crate::palette::{CYAN, ORANGE};
use crate::settings::{Action, Keys};

/// How far a finger must move to push the stick all the way, in points.
const REACH: f64 = 56.0;

/// How many gamepads a host reads.
const PADS: u8 = 4;

/// The player's input for one tick.
pub(crate) fn read(input: &Input, keys: &Keys, touch: &Touch, confirms: bool) -> starship_sim::Input {
    let held = |keys: &[Key]| keys.iter().any(|&key| input.is_down(key));
    let axis = |negative, positive| {
        127 * (i8::from(keys.is_down(positive, input)) - i8::from(keys.is_down(negative, input)))
    };
    let (stick, boost) = touch.stick();
    // Alt and Enter toggle full screen.
    let is_enter = held(&[Key::Enter, Key::NumpadEnter]) && !held(&[Key::AltLeft, Key::AltRight]);
    let mut pad = Pad {
        x: axis(Action::Left, Action::Right),
        y: axis(Action::Down, Action::Up),
        boost: boost || keys.is_down(Action::Boost, input),
        confirm: confirms && (touch.tapped || is_enter || held(&[Key::Space])),
    };
    if (pad.x, pad.y) == (0, 0) {
        pad.x = level(stick[0]);
        pad.y = level(-stick[1]);
    }
    starship_sim::Input { keys: pad, gamepad: Some(read_pads(input, confirms)), choice: None }
}

/// The first gamepad that is used in this tick.
fn read_pads(input: &Input, confirms: bool) -> Pad {
    let mut pads = (0..PADS).map(|pad| read_pad(input, pad, confirms));
    pads.find(|pad| *pad != Pad::default()).unwrap_or_default()
}

fn read_pad(input: &Input, pad: u8, confirms: bool) -> Pad {
    let held = |button| i8::from(input.is_pad_down(pad, button));
    let cross =
        [127 * (held(Button::Right) - held(Button::Left)), 127 * (held(Button::Up) - held(Button::Down))];
    let axis = |axis| f64::from(input.pad_axis(pad, axis));
    let stick = [level(axis(Axis::LeftX)), level(-axis(Axis::LeftY))];
    let [x, y] = if cross == [0, 0] { stick } else { cross };
    Pad {
        x,
        y,
        boost: [Button::East, Button::RightShoulder, Button::RightTrigger]
            .iter()
            .any(|&button| input.is_pad_down(pad, button)),
        confirm: confirms && input.is_pad_down(pad, Button::South),
    }
}

/// Converts -1 to 1 to an integer.
fn level(share: f64) -> i8 {
    (share.clamp(-1.0, 1.0) * 127.0).round() as i8
}

/// Touch controls: the first finger is a stick, wherever it goes down; a second one boosts.
///
/// Touches are evaluated per tick. A finger counts for every tick in which it was down, even briefly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touch {
    finger: Option<Finger>,
    boost: Option<u64>,
    // What was pressed and released during this tick.
    tapped: bool,
    boosted: bool,
    lifted: Option<Finger>,
    // Fingers that went down on a button.
    on_buttons: Vec<u64>,
    is_used: bool,
}

#[derive(Clone, Copy, Debug)]
struct Finger {
    id: u64,
    from: Place,
    at: Place,
}

impl Finger {
    fn new(pointer: Pointer) -> Self {
        let at = place(pointer);
        Self { id: pointer.id, from: at, at }
    }

    /// The stick's position (right, down), with a length of at most 1.
    fn stick(self) -> [f64; 2] {
        let x = (self.at[0] - self.from[0]) / REACH;
        let y = (self.at[1] - self.from[1]) / REACH;
        let most = x.hypot(y).max(1.0);
        [x / most, y / most]
    }
}

const fn place(pointer: Pointer) -> Place {
    [pointer.x, pointer.y]
}

impl Touch {
    /// Touch controls for a device that has them from the start, such as a telephone.
    pub(crate) fn of_device(has_touch: bool) -> Self {
        Self { is_used: has_touch, ..Self::default() }
    }

    /// Notes an event immediately, for drawing.
    pub(crate) const fn notice(&mut self, event: Event) {
        if let Event::PointerDown(pointer) = event {
            self.is_used |= pointer.id != Pointer::MOUSE;
        }
    }

    /// Notes that a finger pressed a button, so that it neither steers nor confirms.
    pub(crate) fn press_button(&mut self, id: u64) {
        self.on_buttons.push(id);
    }

    /// Follows the fingers through one tick. The mouse does not count as a finger.
    pub(crate) fn tick(&mut self, input: &Input) {
        self.tapped = false;
        self.boosted = self.boost.is_some();
        self.lifted = None;
        for &event in input.events() {
            self.follow(event);
        }
        self.on_buttons.retain(|&id| input.pointers().any(|pointer| pointer.id == id));
        self.catch_up(input);
    }

    fn follow(&mut self, event: Event) {
        match event {
            Event::PointerDown(pointer) if self.on_buttons.contains(&pointer.id) => {}
            Event::PointerDown(pointer) => {
                self.tapped = true;
                if pointer.id != Pointer::MOUSE {
                    self.put_down(pointer);
                }
            }
            Event::PointerMove(pointer) => self.move_to(pointer),
            Event::PointerUp(pointer) => self.lift(pointer.id),
            _ => {}
        }
    }

    /// Updates the fingers after a menu was open, during which no events arrive.
    fn catch_up(&mut self, input: &Input) {
        let is_down = |id: u64| input.pointers().any(|pointer| pointer.id == id);
        self.finger = self.finger.filter(|finger| is_down(finger.id));
        self.boost = self.boost.filter(|&id| is_down(id));
        let is_finger =
            |pointer: &Pointer| pointer.id != Pointer::MOUSE && !self.on_buttons.contains(&pointer.id);
        let fingers: Vec<Pointer> = input.pointers().filter(is_finger).collect();
        for pointer in fingers {
            let is_known =
                self.boost == Some(pointer.id) || self.finger.is_some_and(|finger| finger.id == pointer.id);
            if is_known {
                self.move_to(pointer);
            } else if self.finger.is_none() || self.boost.is_none() {
                self.put_down(pointer);
            }
        }
    }

    fn put_down(&mut self, pointer: Pointer) {
        if self.finger.is_none() {
            self.finger = Some(Finger::new(pointer));
        } else {
            self.boost = Some(pointer.id);
            self.boosted = true;
        }
    }

    fn move_to(&mut self, pointer: Pointer) {
        if let Some(finger) = self.finger.as_mut().filter(|finger| finger.id == pointer.id) {
            finger.at = place(pointer);
        }
    }

    fn lift(&mut self, id: u64) {
        if self.finger.is_some_and(|finger| finger.id == id) {
            self.lifted = self.finger.take();
        }
        if self.boost == Some(id) {
            self.boost = None;
        }
    }

    /// Whether the player uses touch, so that buttons have to be drawn.
    pub(crate) const fn is_used(&self) -> bool {
        self.is_used
    }

    /// The stick's position (right, down), with a length of at most 1, and whether to boost.
    fn stick(&self) -> ([f64; 2], bool) {
        self.finger.or(self.lifted).map_or(([0.0; 2], false), |finger| (finger.stick(), self.boosted))
    }

    pub(crate) fn draw<C: Paint>(&self, canvas: &mut C) {
        if let Some(finger) = self.finger {
            let [x, y] = finger.stick();
            let [from_x, from_y] = finger.from;
            let color = if self.boost.is_some() { ORANGE } else { CYAN };
            canvas.ring(from_x, from_y, REACH, 2.0, color.with_alpha(0.4));
            let knob_x = from_x + x * REACH;
            let knob_y = from_y + y * REACH;
            canvas.light(knob_x, knob_y, 40.0, color.with_alpha(0.7));
            canvas.ring(knob_x, knob_y, 18.0, 3.0, color.with_alpha(0.8));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use evenstep::Gate;
    use evenstep_host::{App, Context, Driver, PointerButton};

    use super::*;

    /// Records the input of each tick.
    #[derive(Default)]
    struct Pilot {
        touch: Touch,
        told: Vec<Pad>,
    }

    impl App for Pilot {
        fn step(&mut self, input: &Input, _cx: &mut Context<'_>) {
            self.touch.tick(input);
            self.told.push(read(input, &Keys::default(), &self.touch, true).keys);
        }
    }

    /// Sends events ten milliseconds apart, then runs a frame of three ticks and returns their input.
    fn told(driver: &mut Driver<Pilot>, events: &[Event]) -> Vec<Pad> {
        let mut now = driver.pacer().wall_time();
        driver.app_mut().told.clear();
        for &event in events {
            now += Duration::from_millis(10);
            driver.event(now, event);
        }
        driver.frame(driver.pacer().wall_time() + Duration::from_millis(50));
        driver.app().told.clone()
    }

    fn driver() -> Driver<Pilot> {
        let mut driver = Driver::new(Pilot::default());
        driver.frame(Duration::ZERO);
        driver
    }

    fn finger(id: u64, x: f64, y: f64) -> Pointer {
        Pointer { id, x, y, button: PointerButton::Primary }
    }

    #[test]
    fn a_finger_is_a_stick_and_a_second_one_boosts() {
        let mut driver = driver();
        let push = [Event::PointerDown(finger(1, 100.0, 100.0)), Event::PointerMove(finger(1, 100.0, 20.0))];
        let up = told(&mut driver, &push);
        assert!(up.iter().all(|up| (up.x, up.y, up.boost) == (0, 127, false)), "{up:?}");
        let both = told(&mut driver, &[Event::PointerDown(finger(2, 300.0, 100.0))]);
        assert!(both.iter().all(|both| both.boost), "{both:?}");
        let lift = [Event::PointerUp(finger(1, 100.0, 20.0)), Event::PointerUp(finger(2, 300.0, 100.0))];
        let rest = told(&mut driver, &lift)[2];
        assert_eq!((rest.x, rest.y, rest.boost), (0, 0, false));
    }

    #[test]
    fn a_finger_down_and_up_between_two_ticks_steers_one() {
        let swipe = [
            Event::PointerDown(finger(1, 100.0, 100.0)),
            Event::PointerDown(finger(2, 300.0, 100.0)),
            Event::PointerMove(finger(1, 180.0, 100.0)),
            Event::PointerUp(finger(2, 300.0, 100.0)),
            Event::PointerUp(finger(1, 180.0, 100.0)),
        ];
        let told = told(&mut driver(), &swipe);
        let steered: Vec<_> = told.iter().map(|keys| (keys.x, keys.boost, keys.confirm)).collect();
        assert_eq!(steered, [(127, true, true), (0, false, false), (0, false, false)]);
    }

    #[test]
    fn a_finger_that_changed_in_a_menu_is_where_it_is_now() {
        let mut driver = driver();
        told(
            &mut driver,
            &[Event::PointerDown(finger(1, 100.0, 100.0)), Event::PointerMove(finger(1, 180.0, 100.0))],
        );
        driver.pacer_mut().set_gate(Gate::Paused);
        let swap = [Event::PointerUp(finger(1, 180.0, 100.0)), Event::PointerDown(finger(2, 300.0, 100.0))];
        assert!(told(&mut driver, &swap).is_empty());
        driver.pacer_mut().set_gate(Gate::Open);
        let rest = told(&mut driver, &[]);
        assert!(rest.iter().all(|&keys| keys == Pad::default()), "{rest:?}");
        let back = told(&mut driver, &[Event::PointerMove(finger(2, 300.0, 180.0))]);
        assert!(back.iter().all(|keys| (keys.x, keys.y, keys.confirm) == (0, -127, false)), "{back:?}");
    }

    #[test]
    fn a_mouse_confirms_once_and_never_steers() {
        let mouse = |x| finger(Pointer::MOUSE, x, 10.0);
        let told = told(&mut driver(), &[Event::PointerDown(mouse(10.0)), Event::PointerMove(mouse(90.0))]);
        let confirmed: Vec<_> = told.iter().map(|keys| (keys.x, keys.confirm)).collect();
        assert_eq!(confirmed, [(0, true), (0, false), (0, false)]);
    }
}
