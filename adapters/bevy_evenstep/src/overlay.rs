//! An overlay with the state of the loop.

use core::time::Duration;

use bevy_app::prelude::*;
use bevy_color::{Alpha as _, Color};
use bevy_ecs::prelude::*;
use bevy_text::{FontSize, TextColor, TextFont};
use bevy_time::{Real, Time};
use bevy_ui::prelude::*;
use bevy_ui::{GlobalZIndex, px};

use crate::plugin::EvenstepPlugin;
use crate::resource::Evenstep;

/// How often the text changes: often enough to follow, and seldom enough to read.
const EVERY: Duration = Duration::from_millis(250);

/// Shows the state of the loop in the top left corner, with `bevy_ui`. Needs the feature `overlay`.
///
/// Toggle it with the resource [`EvenstepOverlay`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenstepOverlayPlugin;

/// Whether the overlay is visible.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_evenstep::EvenstepOverlay;
/// use bevy_input::prelude::*;
///
/// fn toggle(keys: Res<ButtonInput<KeyCode>>, mut overlay: ResMut<EvenstepOverlay>) {
///     if keys.just_pressed(KeyCode::F1) {
///         overlay.is_visible = !overlay.is_visible;
///     }
/// }
/// # bevy_ecs::system::assert_is_system(toggle);
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvenstepOverlay {
    /// Whether the overlay is visible.
    pub is_visible: bool,
}

impl Default for EvenstepOverlay {
    fn default() -> Self {
        Self { is_visible: true }
    }
}

#[derive(Component)]
struct Panel;

impl Plugin for EvenstepOverlayPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<EvenstepOverlay>().add_systems(Startup, spawn).add_systems(Update, write);
    }

    fn finish(&self, app: &mut App) {
        assert!(
            app.is_plugin_added::<EvenstepPlugin>(),
            "EvenstepOverlayPlugin shows the state of EvenstepPlugin, which is missing: add it, too"
        );
    }
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Panel,
        Text::default(),
        TextFont { font_size: FontSize::Px(14.0), ..TextFont::default() },
        TextColor(Color::WHITE),
        BackgroundColor(Color::BLACK.with_alpha(0.7)),
        Node {
            position_type: PositionType::Absolute,
            left: px(8),
            top: px(8),
            padding: UiRect::all(px(8)),
            ..Node::default()
        },
        // Above everything that the game shows.
        GlobalZIndex(i32::MAX),
    ));
}

fn write(
    overlay: Res<EvenstepOverlay>,
    evenstep: Res<Evenstep>,
    real: Res<Time<Real>>,
    mut written_at: Local<Option<Duration>>,
    mut panel: Single<(&mut Text, &mut Node), With<Panel>>,
) {
    let (text, node) = &mut *panel;
    let display = if overlay.is_visible { Display::Flex } else { Display::None };
    if node.display != display {
        node.display = display;
    }
    let now = real.elapsed();
    if overlay.is_visible && written_at.is_none_or(|at| now.saturating_sub(at) >= EVERY) {
        *written_at = Some(now);
        text.0 = evenstep.summary();
    }
}
