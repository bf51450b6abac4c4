//! Checks that the tree of the broad phase is a tree.
//!
//! Rapier walks it recursively, so a damaged one overflows the stack or loops forever. Its links are private, but the
//! tree can be serialised, so this module decodes its bytes into a mirror of the structure.

use rapier2d::prelude::PhysicsWorld;
use serde::Deserialize;

use crate::error::SnapshotError;

/// Deeper than any tree that Rapier balances, and safe for the stack.
const DEPTH_MAX: usize = 1_000;

/// The tree as Rapier 0.36 serialises it.
#[derive(Deserialize)]
struct Tree {
    nodes: Vec<[Half; 2]>,
    parents: Vec<usize>,
    leaves: Leaves,
    _optimization: (u32, u32),
    free: Vec<u32>,
}

/// One of the two halves of a node: a leaf, or a link to a child node.
#[derive(Deserialize)]
struct Half {
    _mins: [f32; 2],
    child: u32,
    _maxs: [f32; 2],
    data: u32,
}

impl Half {
    const fn leaves(&self) -> u32 {
        self.data & 0x3FFF_FFFF
    }
}

/// The half that holds each leaf.
#[derive(Deserialize)]
struct Leaves {
    count: usize,
    halves: Vec<Option<usize>>,
}

/// Checks that every node and leaf is reached once and knows its parent, and that free nodes are not reached.
pub(crate) fn check(world: &PhysicsWorld) -> Result<(), SnapshotError> {
    let broken = |index| SnapshotError::Reference { what: "a branch of the broad phase", index };
    let written = postcard::to_stdvec(world.query_pipeline().bvh).map_err(|_| broken(0))?;
    let tree: Tree = postcard::from_bytes(&written).map_err(|_| broken(0))?;
    let mut is_used = vec![false; tree.nodes.len()];
    let mut leaves = 0;
    // Nodes to visit, each with its depth and the leaves that must be below it.
    let mut waiting = Vec::new();
    if let Some([_, right]) = tree.nodes.first() {
        is_used[0] = true;
        if right.leaves() == 0 {
            // A single leaf is on the left of the root.
            leaves += 1;
            tree.leaf(0, 0).ok_or(broken(0))?;
        } else {
            waiting.push((0, 0));
        }
    }
    while let Some((node, depth)) = waiting.pop() {
        for (side, half) in tree.nodes[node].iter().enumerate() {
            if half.leaves() == 1 {
                leaves += 1;
                tree.leaf(node, side).ok_or(broken(half.child))?;
                continue;
            }
            let child = tree.child(node, side).filter(|&child| depth < DEPTH_MAX && !is_used[child]);
            let child = child.ok_or(broken(half.child))?;
            is_used[child] = true;
            waiting.push((child, depth + 1));
        }
    }
    for &free in &tree.free {
        let is_used = is_used.get_mut(free as usize).ok_or(broken(free))?;
        if std::mem::replace(is_used, true) {
            return Err(broken(free));
        }
    }
    let mapped = tree.leaves.halves.iter().flatten().count();
    if (mapped, tree.leaves.count) == (leaves, leaves) { Ok(()) } else { Err(broken(leaves as u32)) }
}

impl Tree {
    /// Checks that the leaf table points back at this half.
    fn leaf(&self, node: usize, side: usize) -> Option<()> {
        let half = &self.nodes[node][side];
        let listed = *self.leaves.halves.get(half.child as usize)?;
        (half.leaves() == 1 && listed == Some(2 * node + side)).then_some(())
    }

    /// Returns the child node of a half if it exists, knows its parent, and has as many leaves as the half says.
    fn child(&self, node: usize, side: usize) -> Option<usize> {
        let half = &self.nodes[node][side];
        let child = half.child as usize;
        let [left, right] = self.nodes.get(child)?;
        let agrees = *self.parents.get(child)? == 2 * node + side
            && left.leaves().checked_add(right.leaves()) == Some(half.leaves());
        agrees.then_some(child)
    }
}
