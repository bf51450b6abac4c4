//! Replays the timestamps that the browser test injects; the page must print the same result.
//!
//! Run: cargo run --release -p starship --example replay

fn main() {
    let timestamps: Vec<f64> = (0..3_000_u32)
        .map(|n| {
            let stall = if n > 2_000 { 900.0 } else { 0.0 };
            f64::from(n) * 1000.0 / 144.0 + f64::from(n * 7_919 % 13) * 0.1 + stall
        })
        .collect();
    println!("{}", starship_app::replay(7, &timestamps));
}
