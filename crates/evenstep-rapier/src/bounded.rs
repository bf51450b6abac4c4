//! A serde adaptor that limits the memory and the nesting depth of what is decoded.
//!
//! A snapshot states the length of each list, and an item of two bytes may take a kilobyte in memory. So every list
//! item is charged to a budget before it is decoded. [`Bounded`] wraps the deserializer and everything that it hands
//! out.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::error::SnapshotError;

/// Maximum nesting of lists and enums. A compound shape of polygons in a collider is 6 deep.
const DEPTH_MAX: u32 = 32;

/// A growing list takes up to three times its length while it reallocates: the old buffer, and a new one twice as
/// large.
const GROWTH: usize = 3;

/// The memory and depth that decoding may still use.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes_max: usize,
    bytes_left: Cell<usize>,
    depth: Cell<u32>,
    is_too_deep: Cell<bool>,
    is_spent: Cell<bool>,
}

impl Budget {
    pub(crate) const fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            bytes_left: Cell::new(bytes_max),
            depth: Cell::new(0),
            is_too_deep: Cell::new(false),
            is_spent: Cell::new(false),
        }
    }

    /// Returns the limit that stopped the decoder, if any.
    pub(crate) fn exceeded(&self) -> Option<SnapshotError> {
        if self.is_spent.get() {
            Some(SnapshotError::Memory { bytes_max: self.bytes_max })
        } else if self.is_too_deep.get() {
            Some(SnapshotError::Depth { depth_max: DEPTH_MAX })
        } else {
            None
        }
    }

    fn charge<T, E: Error>(&self) -> Result<(), E> {
        let bytes = GROWTH * size_of::<T>().max(1);
        let Some(left) = self.bytes_left.get().checked_sub(bytes) else {
            self.is_spent.set(true);
            return Err(E::custom("too much memory"));
        };
        self.bytes_left.set(left);
        Ok(())
    }

    fn one_deeper<T, E: Error>(&self, decode: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if self.depth.get() == DEPTH_MAX {
            self.is_too_deep.set(true);
            return Err(E::custom("too deep"));
        }
        self.depth.set(self.depth.get() + 1);
        let result = decode();
        self.depth.set(self.depth.get() - 1);
        result
    }
}

/// Distinguishes lists, whose items are allocated, from structs and tuples, whose items are stored inline.
#[derive(Clone, Copy)]
enum Items {
    Allocated,
    InPlace,
}

/// Wraps a deserializer, a visitor, a seed or an access of serde, and charges what it decodes to a budget.
pub(crate) struct Bounded<'b, T> {
    inner: T,
    budget: &'b Budget,
    items: Items,
}

impl<'b, T> Bounded<'b, T> {
    pub(crate) const fn new(inner: T, budget: &'b Budget) -> Self {
        Self { inner, budget, items: Items::InPlace }
    }

    fn list(inner: T, budget: &'b Budget) -> Self {
        Self { inner, budget, items: Items::Allocated }
    }
}

macro_rules! forward_to_the_deserializer {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(
            fn $name<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
                self.inner.$name($($argument,)* Bounded::new(visitor, self.budget))
            }
        )*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<'_, D> {
    type Error = D::Error;

    forward_to_the_deserializer! {
        deserialize_any(); deserialize_bool();
        deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64(); deserialize_i128();
        deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64(); deserialize_u128();
        deserialize_f32(); deserialize_f64(); deserialize_char();
        deserialize_str(); deserialize_string(); deserialize_bytes(); deserialize_byte_buf();
        deserialize_option(); deserialize_unit(); deserialize_identifier(); deserialize_ignored_any();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Bounded::list(visitor, self.budget);
        self.budget.one_deeper(|| self.inner.deserialize_seq(visitor))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Bounded::new(visitor, self.budget);
        self.budget.one_deeper(|| self.inner.deserialize_map(visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = Bounded::new(visitor, self.budget);
        self.budget.one_deeper(|| self.inner.deserialize_enum(name, variants, visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! forward_to_the_visitor {
    ($($name:ident($kind:ty);)*) => {
        $(
            fn $name<E: Error>(self, value: $kind) -> Result<V::Value, E> {
                self.inner.$name(value)
            }
        )*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<'_, V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(out)
    }

    forward_to_the_visitor! {
        visit_bool(bool);
        visit_i8(i8); visit_i16(i16); visit_i32(i32); visit_i64(i64); visit_i128(i128);
        visit_u8(u8); visit_u16(u16); visit_u32(u32); visit_u64(u64); visit_u128(u128);
        visit_f32(f32); visit_f64(f64); visit_char(char);
        visit_str(&str); visit_borrowed_str(&'de str); visit_string(String);
        visit_bytes(&[u8]); visit_borrowed_bytes(&'de [u8]); visit_byte_buf(Vec<u8>);
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Bounded::new(deserializer, self.budget))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Bounded::new(deserializer, self.budget))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Bounded { inner: items, budget: self.budget, items: self.items })
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Bounded::new(entries, self.budget))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Bounded::new(choice, self.budget))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Bounded<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Bounded::new(deserializer, self.budget))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        if matches!(self.items, Items::Allocated) {
            self.budget.charge::<S::Value, _>()?;
        }
        self.inner.next_element_seed(Bounded::new(seed, self.budget))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.budget.charge::<S::Value, _>()?;
        self.inner.next_key_seed(Bounded::new(seed, self.budget))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.budget.charge::<S::Value, _>()?;
        self.inner.next_value_seed(Bounded::new(seed, self.budget))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'b, 'de, A: EnumAccess<'de>> EnumAccess<'de> for Bounded<'b, A> {
    type Error = A::Error;
    type Variant = Bounded<'b, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(Bounded::new(seed, self.budget))?;
        Ok((value, Bounded::new(variant, self.budget)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.newtype_variant_seed(Bounded::new(seed, self.budget))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, Bounded::new(visitor, self.budget))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.inner.struct_variant(fields, Bounded::new(visitor, self.budget))
    }
}
