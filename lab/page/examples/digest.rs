//! Prints a digest of every preset; the browser test checks that the page computes the same.
//!
//! Run: cargo run --release -p lab-page --example digest -- SEED FRAMES

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse().expect("a whole number"));
    let seed = arguments.next().unwrap_or(1);
    let frames = arguments.next().unwrap_or(1_000);
    print!("{}", lab_page::digest(u64::from(seed), frames));
}
