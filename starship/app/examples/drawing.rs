//! Measures the cost of drawing an image at 1280x720, in a mission with its boss and in the busiest possible scene.
//!
//! Run: cargo run --release -p starship --example drawing

fn main() {
    for line in starship_app::draw_bench(2_000) {
        println!("{line}");
    }
}
