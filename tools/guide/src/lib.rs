//! Compiles and runs the code on the pages of `docs/guide`.
//!
//! Each page is the documentation of an item that exists in documentation tests only. `tests/pages.rs` checks that no page
//! is missing here, and no block is left out.

/// One item per page.
macro_rules! pages {
    ($($item:ident: $file:literal)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/guide/", $file))]
            struct $item;
        )*

        /// The pages whose code is tested, by file name.
        pub const PAGES: &[&str] = &[$($file),*];
    };
}

pages! {
    Index: "README.md"
    FirstGame: "first-game.md"
    Stutter: "stutter.md"
    TimeControl: "time-control.md"
    Interpolation: "interpolation.md"
    Input: "input.md"
    Determinism: "determinism.md"
    Profiles: "profiles.md"
    Faq: "faq.md"
    Comparison: "comparison.md"
}
