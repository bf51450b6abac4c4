//! Steady play allocates nothing.

#![expect(unsafe_code, reason = "an allocator that counts can only be written with unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use starship_sim::{Autopilot, Pass, Probe, RunDef, Sim};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract, and we pass it on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct PerPass { begun: Vec<u64>, total: Vec<u64> }
impl Probe for PerPass {
    fn begin(&mut self, pass: Pass) { self.begun[pass as usize] = ALLOCATIONS.get(); }
    fn end(&mut self, pass: Pass) { let n = ALLOCATIONS.get() - self.begun[pass as usize]; self.total[pass as usize] += n; }
}

#[test]
fn look() {
    let mut sim = Sim::new(RunDef::seeded(2));
    sim.launch(RunDef::seeded(2));
    let mut probe = PerPass { begun: vec![0; 20], total: vec![0; 20] };
    let mut zero = 0;
    for t in 0..3000 {
        let input = Autopilot.input(sim.state());
        let before = ALLOCATIONS.get();
        if t < 1500 { sim.tick(input, &mut ()); continue; }
        sim.tick(input, &mut probe);
        if ALLOCATIONS.get() == before { zero += 1; }
    }
    for p in Pass::ALL { println!("{:12} {}", p.name(), probe.total[p as usize]); }
    println!("ticks without {zero} of 1500, enemies {} kills {}", sim.state().enemies.len(), sim.state().progress.kills);
}
