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
            self.release(button);
        }
    }

    fn tick_done(&mut self) {
        self.clear();
    }

    fn is_quiet(&self) -> bool {
        self.get_just_pressed().len() == 0 && self.get_just_released().len() == 0
    }
}

/// Agreement on what is held, without presses or releases that nobody made.
trait Hold {
    fn hold_what_is_held(&mut self, frame: &Self);
}

impl<T: Clone + Eq + Hash + Send + Sync + 'static> Hold for ButtonInput<T> {
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
            let was_released = self.just_released(button.clone());
            self.release(button.clone());
            if !was_released {
                self.clear_just_released(button);
            }
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
