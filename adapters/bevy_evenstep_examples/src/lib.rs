//! Tests and examples of `bevy_evenstep` with other plugins. See `tests` and `examples`.
