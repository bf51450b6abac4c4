//! Entity pools with generational ids: the id of a removed entity never finds its successor.

use core::fmt;
use core::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::check::at_most;
use crate::save::RestoreError;

/// Identifies an entity. Ids are never reused.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Id<T> {
    index: u32,
    generation: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// Returns the slot in the pool. Slots are reused; ids are not.
    pub const fn index(self) -> u32 {
        self.index
    }

    pub(crate) const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self { index: bits as u32, generation: (bits >> 32) as u32, of: PhantomData }
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}
impl<T> Eq for Id<T> {}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{}.{}", self.index, self.generation)
    }
}

/// A bounded set of entities, iterated in slot order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    len: u32,
    capacity: u32,
    refused: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

impl<T> Pool<T> {
    pub(crate) fn new(capacity: u32) -> Self {
        let mut pool = Self { slots: Vec::new(), free: Vec::new(), len: 0, capacity, refused: 0 };
        pool.reserve();
        pool
    }

    /// Reserves memory for the full capacity, so that play does not allocate.
    pub(crate) fn reserve(&mut self) {
        let capacity = self.capacity as usize;
        self.slots.reserve_exact(capacity.saturating_sub(self.slots.len()));
        self.free.reserve_exact(capacity.saturating_sub(self.free.len()));
    }

    /// Checks a decoded pool: it has this capacity, and every slot is either occupied or listed as free once.
    pub(crate) fn check(&self, what: &'static str, capacity: u32) -> Result<(), RestoreError> {
        at_most(what, self.slots.len() as u64, capacity.into())?;
        let mut is_taken: Vec<bool> = self.slots.iter().map(|slot| slot.value.is_some()).collect();
        let taken = is_taken.iter().filter(|&&is_taken| is_taken).count();
        for &index in &self.free {
            match is_taken.get_mut(index as usize) {
                Some(is_taken @ false) => *is_taken = true,
                _ => return Err(RestoreError::Pool { what, index }),
            }
        }
        let is_whole = is_taken.iter().all(|&is_taken| is_taken);
        if is_whole && taken == self.len as usize && self.capacity == capacity {
            Ok(())
        } else {
            Err(RestoreError::Pool { what, index: self.len })
        }
    }

    /// Returns the number of entities.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Returns whether the pool is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns how many entities were rejected because the pool was full.
    pub const fn refused(&self) -> u32 {
        self.refused
    }

    /// Returns an entity, or `None` if it was removed.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        let slot = self.slots.get(id.index as usize)?;
        if slot.generation == id.generation { slot.value.as_ref() } else { None }
    }

    /// Iterates over ids and entities, in slot order.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let value = slot.value.as_ref()?;
            Some((Id { index: index as u32, generation: slot.generation, of: PhantomData }, value))
        })
    }

    /// Iterates over the entities, in slot order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|slot| slot.value.as_ref())
    }

    pub(crate) fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        let slot = self.slots.get_mut(id.index as usize)?;
        if slot.generation == id.generation { slot.value.as_mut() } else { None }
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.value.as_mut())
    }

    /// Returns the number of slots, for loops that change the pool; see [`Pool::id_at`].
    pub(crate) fn places(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Returns the id of the entity in a slot.
    pub(crate) fn id_at(&self, index: u32) -> Option<Id<T>> {
        let slot = self.slots.get(index as usize)?;
        slot.value.as_ref().map(|_| Id { index, generation: slot.generation, of: PhantomData })
    }

    /// Inserts an entity. A full pool rejects it and counts the rejection.
    pub(crate) fn insert(&mut self, value: T) -> Option<Id<T>> {
        self.insert_with(|_| value)
    }

    /// Inserts an entity that needs to know its own id.
    pub(crate) fn insert_with(&mut self, value: impl FnOnce(Id<T>) -> T) -> Option<Id<T>> {
        if self.len == self.capacity {
            self.refused = self.refused.saturating_add(1);
            return None;
        }
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, value: None });
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        let id = Id { index, generation: slot.generation, of: PhantomData };
        slot.value = Some(value(id));
        self.len += 1;
        Some(id)
    }

    /// Returns whether the pool is full.
    pub(crate) const fn is_full(&self) -> bool {
        self.len == self.capacity
    }

    pub(crate) fn remove(&mut self, id: Id<T>) -> Option<T> {
        let slot = self.slots.get_mut(id.index as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let value = slot.value.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        self.len -= 1;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_finds_the_successor_in_its_place() {
        let mut pool = Pool::new(4);
        let old = pool.insert('a').unwrap();
        pool.remove(old);
        let new = pool.insert('b').unwrap();
        assert_eq!(old.index(), new.index());
        assert_eq!((pool.get(old), pool.get(new)), (None, Some(&'b')));
        assert_eq!(pool.remove(old), None);
        assert_eq!(Id::from_bits(new.to_bits()), new);
    }

    #[test]
    fn a_full_pool_refuses_and_counts() {
        let mut pool = Pool::new(2);
        assert!(pool.insert(1).is_some() && pool.insert(2).is_some());
        assert_eq!((pool.insert(3), pool.refused(), pool.len()), (None, 1, 2));
    }

    #[test]
    fn entities_are_visited_in_the_order_of_their_places() {
        let mut pool = Pool::new(8);
        let ids: Vec<_> = (0..5).filter_map(|n| pool.insert(n)).collect();
        pool.remove(ids[1]);
        pool.remove(ids[3]);
        pool.insert(9);
        let visited: Vec<_> = pool.values().copied().collect();
        assert_eq!(visited, [0, 2, 9, 4]);
    }

    #[test]
    fn a_pool_whose_places_do_not_add_up_is_refused() {
        let mut whole = Pool::new(8);
        let ids: Vec<_> = (0..5).filter_map(|n| whole.insert(n)).collect();
        whole.remove(ids[1]);
        whole.remove(ids[3]);
        assert!(whole.check("numbers", 8).is_ok());
        let damages: [fn(&mut Pool<u32>); 6] = [
            |pool| pool.capacity = u32::MAX,
            |pool| pool.len += 1,
            |pool| pool.free[0] = 9,
            |pool| pool.free[0] = pool.free[1],
            |pool| pool.free[0] = 0,
            |pool| pool.free.clear(),
        ];
        for (number, damage) in damages.into_iter().enumerate() {
            let mut pool = whole.clone();
            damage(&mut pool);
            assert!(pool.check("numbers", 8).is_err(), "damage {number}");
        }
        assert!(whole.check("numbers", 4).is_err());
    }
}
