//! How a fuzzer's bytes become a snapshot behind the checksum, which it would never guess.

#[path = "../../../../crates/evenstep-rapier/tests/mutations/judge.rs"]
mod judge;

/// Runs a target on the bytes as they are, and on a snapshot that they change: two for a place, one for its new value.
/// Panics inside Rapier are not ours to prevent; any other ends the fuzzer.
pub(crate) fn run(bytes: &[u8], saved: &[u8], target: impl Fn(&[u8])) {
    target(bytes);
    let mut changed = saved.to_vec();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        let len = changed.len();
        changed[place % len] = change[2];
    }
    judge::seal(&mut changed);
    let _ = judge::judge(|| target(&changed));
}
