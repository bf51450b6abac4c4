//! Keys and buttons.

use core::hash::Hash;

use bevy_input::ButtonInput;

use super::TickInput;

impl<T: Clone + Eq + Hash + Send + Sync + 'static> TickInput for ButtonInput<T> {
    fn gather(&mut self, frame: &Self) {
        for button in frame.get_just_pressed() {
            // Held until now and pressed again: it was released in between.
            self.release(button.clone());
            self.press(button.clone());
        }
        for button in frame.get_just_released() {
            let is_down = frame.pressed(button.clone());
            if !is_down || !self.just_released(button.clone()) {
                self.release(button.clone());
            }
            if is_down {
                self.press(button.clone());
            }
        }
        self.hold_what_is_held(frame);
    }

    fn gather_paused(&mut self, frame: &Self) {
        for button in missing_in(frame, self) {
            if frame.just_released(button.clone()) {
                self.release(button);
            } else {
                self.forget(button, frame);
            }
        }
    }

    fn tick_done(&mut self) {
        self.clear();
    }
}

/// Agreement on what is held, without presses or releases that nobody made.
trait Hold<T> {
    fn hold_what_is_held(&mut self, frame: &Self);
    fn forget(&mut self, button: T, frame: &Self);
}

impl<T: Clone + Eq + Hash + Send + Sync + 'static> Hold<T> for ButtonInput<T> {
    /// Takes over buttons that went down during a pause, and those that something reset.
    fn hold_what_is_held(&mut self, frame: &Self) {
        for button in missing_in(self, frame) {
            let was_pressed = self.just_pressed(button.clone());
            self.press(button.clone());
            if !was_pressed {
                self.clear_just_pressed(button);
            }
        }
        for button in missing_in(frame, self) {
            self.forget(button, frame);
        }
    }

    /// Lets go of a button that something reset, or that a tick pressed. A press that waits goes with it.
    fn forget(&mut self, button: T, frame: &Self) {
        let was_released = self.just_released(button.clone());
        self.release(button.clone());
        if !was_released {
            self.clear_just_released(button.clone());
        }
        if !frame.just_pressed(button.clone()) {
            self.clear_just_pressed(button);
        }
    }
}

/// The buttons that are held in `there` but not in `here`. Usually there are none, and nothing is allocated.
fn missing_in<T: Clone + Eq + Hash + Send + Sync + 'static>(
    here: &ButtonInput<T>,
    there: &ButtonInput<T>,
) -> Vec<T> {
    there.get_pressed().filter(|&button| !here.pressed(button.clone())).cloned().collect()
}
