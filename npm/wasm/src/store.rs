//! Everything that lives between two calls: slots, and the two buffers that calls answer in.

use evenstep::Pacing;

use crate::latch::Latch;
use crate::pacer::Slot;
use crate::slab::Slab;

/// The length of [`numbers`].
pub const NUMBERS: usize = 48;
/// The length of [`text`] in bytes: room for a saved pacer.
pub const TEXT: usize = 4096;

/// The module's state.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) pacers: Slab,
    pub(crate) latches: Slab,
    /// The configuration that is being built up.
    pub(crate) pacing: Pacing,
    pub(crate) numbers: [f64; NUMBERS],
    pub(crate) text: [u8; TEXT],
}

impl Store {
    const NEW: Self = Self {
        pacers: Slab::new(),
        latches: Slab::new(),
        pacing: Pacing::game_loop(),
        numbers: [0.0; NUMBERS],
        text: [0; TEXT],
    };

    pub(crate) fn insert_pacer(&mut self, slot: Slot) -> usize {
        self.pacers.insert(slot, grow).addr_of()
    }

    pub(crate) fn insert_latch(&mut self, latch: Latch) -> usize {
        self.latches.insert(latch, grow).addr_of()
    }
}

/// The address of the buffer for numbers: answers.
#[expect(unsafe_code, reason = "required to export a function by name")]
#[unsafe(no_mangle)]
pub extern "C" fn numbers() -> usize {
    with(|store| store.numbers.as_mut_ptr().addr_of())
}

/// The address of the buffer for bytes: sentences in UTF-8, and saved pacers.
#[expect(unsafe_code, reason = "required to export a function by name")]
#[unsafe(no_mangle)]
pub extern "C" fn text() -> usize {
    with(|store| store.text.as_mut_ptr().addr_of())
}

/// Borrows the value behind a handle for the time of one call.
///
/// Handles are numbers in JavaScript. The package makes them, keeps them private, and gives each back once: that is what
/// makes this sound, and why it is not public.
#[expect(unsafe_code, reason = "a handle is an address that JavaScript has kept")]
pub(crate) fn slot<'a, T>(handle: usize) -> &'a mut T {
    // SAFETY: the handle came from `insert` for this type and was not given back. The module imports nothing, so calls
    // do not nest, and the reference ends with its call.
    unsafe { &mut *core::ptr::with_exposed_provenance_mut(handle) }
}

/// Gives a slot back.
#[expect(unsafe_code, reason = "a handle is an address that JavaScript has kept")]
pub(crate) fn remove<T>(slab: &mut Slab, handle: usize) {
    // SAFETY: as for `slot`; JavaScript forgets the handle now.
    unsafe { slab.remove::<T>(core::ptr::with_exposed_provenance_mut(handle)) }
}

/// The address as a handle.
trait Address {
    fn addr_of(self) -> usize;
}

impl<T> Address for *mut T {
    fn addr_of(self) -> usize {
        self.expose_provenance()
    }
}

#[cfg(target_arch = "wasm32")]
mod here {
    use core::cell::UnsafeCell;

    use super::Store;

    struct Only(UnsafeCell<Store>);

    #[expect(unsafe_code, reason = "a wasm instance has one thread")]
    // SAFETY: the module is built without threads.
    unsafe impl Sync for Only {}

    static STORE: Only = Only(UnsafeCell::new(Store::NEW));

    #[expect(
        unsafe_code,
        reason = "the store is static, because an exported function has no other place for it"
    )]
    pub(crate) fn with<R>(act: impl FnOnce(&mut Store) -> R) -> R {
        // SAFETY: one thread, and `act` never calls `with`: this module and `pacer`, `latch` are all of its callers.
        act(unsafe { &mut *STORE.0.get() })
    }

    const PAGE: usize = 64 * 1024;

    /// Adds pages to the memory, enough for `size` bytes.
    pub(crate) fn grow(size: usize) -> Option<(*mut u128, usize)> {
        let pages = size.div_ceil(PAGE);
        let first = core::arch::wasm32::memory_grow(0, pages);
        (first != usize::MAX).then(|| (core::ptr::with_exposed_provenance_mut(first * PAGE), pages * PAGE))
    }
}

/// Natively, for tests: one store per thread, because tests run in several.
#[cfg(not(target_arch = "wasm32"))]
mod here {
    use std::cell::RefCell;

    use super::Store;

    std::thread_local! {
        static STORE: RefCell<Store> = const { RefCell::new(Store::NEW) };
    }

    pub(crate) fn with<R>(act: impl FnOnce(&mut Store) -> R) -> R {
        STORE.with_borrow_mut(act)
    }

    #[expect(clippy::unnecessary_wraps, reason = "on wasm there may be no memory")]
    pub(crate) fn grow(size: usize) -> Option<(*mut u128, usize)> {
        let block = vec![0_u128; size.div_ceil(16)].leak();
        Some((block.as_mut_ptr(), size))
    }
}

use here::grow;
pub(crate) use here::with;
