//! Keys, gamepad and fingers, as what a tick is told.

use evenstep_host::{Axis, Button, Event, Input, Key, Pointer};
use starship_sim::Pad;

use crate::canvas::{CYAN, Canvas, Ink, ORANGE, Place};

/// How far from where it went down a finger pushes the stick all the way, in points.
const REACH: f32 = 56.0;

/// What the player holds during one tick.
pub(crate) fn read(input: &Input, touch: &Touch, confirms: bool) -> starship_sim::Input {
    let held = |keys: &[Key]| keys.iter().any(|&key| input.is_down(key));
    let axis =
        |negative: &[Key], positive: &[Key]| 127 * (i8::from(held(positive)) - i8::from(held(negative)));
    let (stick, boost) = touch.stick();
    let mut keys = Pad {
        x: axis(&[Key::KeyA, Key::ArrowLeft], &[Key::KeyD, Key::ArrowRight]),
        y: axis(&[Key::KeyS, Key::ArrowDown], &[Key::KeyW, Key::ArrowUp]),
        boost: boost || held(&[Key::Space, Key::ShiftLeft, Key::ShiftRight]),
        confirm: confirms && (touch.tapped || held(&[Key::Space, Key::Enter, Key::NumpadEnter])),
    };
    if (keys.x, keys.y) == (0, 0) {
        (keys.x, keys.y) = (level(stick[0]), level(-stick[1]));
    }
    starship_sim::Input { keys, gamepad: Some(read_pad(input, confirms)) }
}

fn read_pad(input: &Input, confirms: bool) -> Pad {
    let held = |button| i8::from(input.is_pad_down(0, button));
    let cross =
        [127 * (held(Button::Right) - held(Button::Left)), 127 * (held(Button::Up) - held(Button::Down))];
    let stick = [level(input.pad_axis(0, Axis::LeftX)), level(-input.pad_axis(0, Axis::LeftY))];
    let [x, y] = if cross == [0, 0] { stick } else { cross };
    Pad {
        x,
        y,
        boost: [Button::East, Button::RightShoulder, Button::RightTrigger]
            .iter()
            .any(|&button| input.is_pad_down(0, button)),
        confirm: confirms && input.is_pad_down(0, Button::South),
    }
}

/// -1 to 1 as a whole number.
fn level(share: f32) -> i8 {
    (share.clamp(-1.0, 1.0) * 127.0).round() as i8
}

/// Fingers on the glass: the first is a stick wherever it went down, a second one boosts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touch {
    finger: Option<Finger>,
    boost: Option<u64>,
    tapped: bool,
    is_used: bool,
}

#[derive(Clone, Copy, Debug)]
struct Finger {
    id: u64,
    from: Place,
    at: Place,
}

impl Touch {
    /// Follows the fingers. The mouse is none.
    pub(crate) fn follow(&mut self, event: Event) {
        let place = |pointer: Pointer| [pointer.x as f32, pointer.y as f32];
        match event {
            Event::PointerDown(pointer) => {
                self.tapped = true;
                if pointer.id == Pointer::MOUSE {
                    return;
                }
                self.is_used = true;
                if self.finger.is_none() {
                    let at = place(pointer);
                    self.finger = Some(Finger { id: pointer.id, from: at, at });
                } else {
                    self.boost = Some(pointer.id);
                }
            }
            Event::PointerMove(pointer) => {
                if let Some(finger) = self.finger.as_mut().filter(|finger| finger.id == pointer.id) {
                    finger.at = place(pointer);
                }
            }
            Event::PointerUp(pointer) => {
                if self.finger.is_some_and(|finger| finger.id == pointer.id) {
                    self.finger = None;
                }
                if self.boost == Some(pointer.id) {
                    self.boost = None;
                }
            }
            _ => {}
        }
    }

    /// A tick has seen the tap.
    pub(crate) const fn end_tick(&mut self) {
        self.tapped = false;
    }

    /// Whether there is a finger to draw buttons for.
    pub(crate) const fn is_used(&self) -> bool {
        self.is_used
    }

    /// Right and down, no longer than 1, and whether to boost.
    fn stick(&self) -> ([f32; 2], bool) {
        let Some(Finger { from, at, .. }) = self.finger else {
            return ([0.0; 2], false);
        };
        let (x, y) = ((at[0] - from[0]) / REACH, (at[1] - from[1]) / REACH);
        let most = x.hypot(y).max(1.0);
        ([x / most, y / most], self.boost.is_some())
    }

    pub(crate) fn draw<C: Canvas>(&self, canvas: &mut C) {
        if let Some(Finger { from, .. }) = self.finger {
            let ([x, y], boost) = self.stick();
            let rgb = if boost { ORANGE } else { CYAN };
            canvas.ring(from, REACH, 2.0, Ink::new(rgb, 0.4));
            let knob = [from[0] + x * REACH, from[1] + y * REACH];
            canvas.glow(knob, 40.0, Ink::new(rgb, 0.7));
            canvas.ring(knob, 18.0, 3.0, Ink::new(rgb, 0.8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenstep_host::PointerButton;

    fn finger(id: u64, x: f64, y: f64) -> Pointer {
        Pointer { id, x, y, button: PointerButton::Primary }
    }

    #[test]
    fn a_finger_is_a_stick_and_a_second_one_boosts() {
        let mut touch = Touch::default();
        touch.follow(Event::PointerDown(finger(1, 100.0, 100.0)));
        touch.follow(Event::PointerMove(finger(1, 100.0, 20.0)));
        let up = read(&Input::default(), &touch, false).keys;
        assert_eq!((up.x, up.y, up.boost, up.confirm), (0, 127, false, false));
        touch.follow(Event::PointerDown(finger(2, 300.0, 100.0)));
        assert!(read(&Input::default(), &touch, false).keys.boost);
        touch.follow(Event::PointerUp(finger(1, 100.0, 20.0)));
        touch.follow(Event::PointerUp(finger(2, 300.0, 100.0)));
        let rest = read(&Input::default(), &touch, false).keys;
        assert_eq!((rest.x, rest.y, rest.boost), (0, 0, false));
    }

    #[test]
    fn a_mouse_confirms_and_never_steers() {
        let mut touch = Touch::default();
        touch.follow(Event::PointerDown(finger(Pointer::MOUSE, 10.0, 10.0)));
        touch.follow(Event::PointerMove(finger(Pointer::MOUSE, 90.0, 10.0)));
        let keys = read(&Input::default(), &touch, true).keys;
        assert!(keys.confirm && keys.x == 0);
        touch.end_tick();
        assert!(!read(&Input::default(), &touch, true).keys.confirm);
    }
}
