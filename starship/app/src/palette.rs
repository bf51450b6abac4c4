//! The colours of the game.

use evenstep_host::Color;

pub(crate) const CYAN: Color = Color::rgb(0x60_E2_FF);
pub(crate) const WHITE: Color = Color::rgb(0xF0_F8_FF);
pub(crate) const RED: Color = Color::rgb(0xFF_54_5C);
pub(crate) const ORANGE: Color = Color::rgb(0xFF_A0_40);
pub(crate) const YELLOW: Color = Color::rgb(0xFF_E0_60);
pub(crate) const GREEN: Color = Color::rgb(0x6E_FF_A0);
pub(crate) const VIOLET: Color = Color::rgb(0xB4_78_FF);
pub(crate) const PINK: Color = Color::rgb(0xFF_78_DC);
pub(crate) const BLUE: Color = Color::rgb(0x46_6E_C8);
/// Bright enough for text.
pub(crate) const BLUE_LIGHT: Color = Color::rgb(0x82_AA_FF);
pub(crate) const GREY: Color = Color::rgb(0x78_84_A8);
pub(crate) const WOOD: Color = Color::rgb(0xCD_A0_5F);
pub(crate) const NIGHT: Color = Color::rgb(0x06_08_12);
