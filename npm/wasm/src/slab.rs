//! Slots of one type in memory that is never returned: freed slots are used again.

use core::ptr;

/// A slot while nobody uses it: part of a list of free slots.
struct Free {
    next: *mut Free,
}

/// Hands out memory for values of one type.
#[derive(Debug)]
pub(crate) struct Slab {
    free: *mut Free,
}

impl Slab {
    pub(crate) const fn new() -> Self {
        Self { free: ptr::null_mut() }
    }

    /// Stores a value and returns its address, or null if there is no memory. `grow` returns the address and the size
    /// of a new block, at least as large as asked for.
    #[expect(unsafe_code, reason = "an allocator writes to raw memory")]
    pub(crate) fn insert<T>(
        &mut self,
        value: T,
        grow: impl FnOnce(usize) -> Option<(*mut u128, usize)>,
    ) -> *mut T {
        const { assert!(align_of::<T>() <= align_of::<u128>() && size_of::<T>() >= size_of::<Free>()) };
        if self.free.is_null() {
            let size = size_of::<T>().next_multiple_of(16);
            let Some((block, len)) = grow(size) else { return ptr::null_mut() };
            for n in (0..len / size).rev() {
                // SAFETY: the block is ours, aligned, and has room for slot `n`.
                unsafe {
                    let slot = block.byte_add(n * size).cast::<Free>();
                    slot.write(Free { next: self.free });
                    self.free = slot;
                }
            }
        }
        let slot = self.free;
        // SAFETY: slots in the list are unused, and large enough for a `T`.
        unsafe {
            self.free = (*slot).next;
            slot.cast::<T>().write(value);
        }
        slot.cast()
    }

    /// Frees a slot. Its value is not dropped, so it must need no drop.
    ///
    /// # Safety
    ///
    /// The address is one that `insert` returned for the same type, and it is not used any more.
    #[expect(unsafe_code, reason = "an allocator writes to raw memory")]
    pub(crate) unsafe fn remove<T>(&mut self, slot: *mut T) {
        const { assert!(!core::mem::needs_drop::<T>()) };
        let slot = slot.cast::<Free>();
        // SAFETY: the caller gives the slot back, and it is large enough.
        unsafe { slot.write(Free { next: self.free }) };
        self.free = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_slots_are_used_again_before_memory_grows() {
        let mut slab = Slab::new();
        let blocks = core::cell::Cell::new(0);
        let insert = |slab: &mut Slab, value: [u64; 5]| {
            slab.insert(value, |size| {
                assert_eq!(size, 48);
                blocks.set(blocks.get() + 1);
                let block = vec![0_u128; 30].leak();
                Some((block.as_mut_ptr(), 480))
            })
        };
        let mut slots: Vec<*mut [u64; 5]> = (0..10).map(|n| insert(&mut slab, [n; 5])).collect();
        for _ in 0..1_000 {
            let freed = slots.remove(3);
            #[expect(unsafe_code, reason = "the slot is in use")]
            // SAFETY: the slot came from `insert` and is forgotten here.
            unsafe {
                slab.remove(freed);
            }
            slots.push(insert(&mut slab, [7; 5]));
        }
        slots.sort_unstable();
        slots.dedup();
        assert_eq!((slots.len(), blocks.get()), (10, 1));
        assert!(!insert(&mut slab, [8; 5]).is_null());
        assert_eq!(blocks.get(), 2);
    }

    #[test]
    fn without_memory_there_is_no_slot() {
        assert!(Slab::new().insert(0_u64, |_| None).is_null());
    }
}
