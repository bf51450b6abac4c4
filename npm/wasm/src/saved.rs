//! Saving and restoring a pacer: serde's view of it in a compact form, with a header.
//!
//! ```text
//! | magic and version | length of the rest | checksum of the rest | pacer in postcard |
//! | 6 bytes           | 2                  | 8                    |                   |
//! ```

#![expect(unsafe_code, reason = "required to export functions by name; there is no other unsafe code here")]

use evenstep::Pacer;

use crate::pacer::Slot;
use crate::store::{TEXT, slot, with};

/// A magic number and a version, which changes with the fields of a pacer.
const MAGIC: [u8; 6] = *b"EVPC\x02\x00";
const HEADER_LEN: usize = 16;

/// Why bytes are not a saved pacer. The numbers must agree with `src/pacer.ts`.
enum Refusal {
    Length = 1,
    Header = 2,
    Checksum = 3,
    Value = 4,
}

/// Saves the pacer to the text buffer. Returns how many bytes it takes.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_save(pacer: usize) -> usize {
    let Slot { pacer, .. } = slot::<Slot>(pacer);
    with(|store| save(pacer, &mut store.text))
}

/// Restores a pacer from the first bytes of the text buffer. Returns its handle, or 0 with the reason in the numbers: -1 if
/// there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn pacer_restore(len: usize) -> usize {
    with(|store| match restore(&store.text[..len.min(TEXT)]) {
        Ok(pacer) => {
            store.numbers[0] = -1.0;
            store.insert_pacer(Slot::new(pacer))
        }
        Err(refusal) => {
            store.numbers[0] = f64::from(refusal as u8);
            0
        }
    })
}

fn save(pacer: &Pacer, bytes: &mut [u8; TEXT]) -> usize {
    let (header, room) = bytes.split_at_mut(HEADER_LEN);
    // The longest that a pacer can be fits, as a test shows.
    let Ok(body) = postcard::to_slice(pacer, room) else { return 0 };
    header[..6].copy_from_slice(&MAGIC);
    header[6..8].copy_from_slice(&(body.len() as u16).to_le_bytes());
    header[8..].copy_from_slice(&checksum(body).to_le_bytes());
    HEADER_LEN + body.len()
}

fn restore(bytes: &[u8]) -> Result<Pacer, Refusal> {
    let (header, body) = bytes.split_at_checked(HEADER_LEN).ok_or(Refusal::Length)?;
    if header[..6] != MAGIC {
        return Err(Refusal::Header);
    }
    if header[6..8] != (body.len() as u16).to_le_bytes() {
        return Err(Refusal::Length);
    }
    if header[8..] != checksum(body).to_le_bytes() {
        return Err(Refusal::Checksum);
    }
    match postcard::take_from_bytes(body) {
        Ok((pacer, [])) => Ok(pacer),
        _ => Err(Refusal::Value),
    }
}

/// FNV-1a. It finds damage; it does not protect against forgery, and does not have to: the core checks every field.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
