//! Checks of a decoded Rapier world, as far as its public API allows them.

use rapier2d::geometry::{ColliderGraphIndex, InteractionGraph};
use rapier2d::prelude::{Collider, PhysicsWorld};

use crate::error::SnapshotError;
use crate::tree;

/// Maximum solver passes over all contacts and joints in a step. Games use around 10.
const PASSES_MAX: usize = 1_000;
/// Maximum substeps of continuous collision detection in a step. Games use 1 to 4.
const SUBSTEPS_MAX: usize = 100;

/// Checks a decoded world, so that a damaged one is rejected instead of stepped.
pub(crate) fn world(world: &PhysicsWorld) -> Result<(), SnapshotError> {
    numbers(world)?;
    iterations(world)?;
    references(world)?;
    tree::check(world)?;
    graph("a contact", world.narrow_phase.contact_graph())?;
    graph("an intersection", world.narrow_phase.intersection_graph())?;
    graph("a joint", world.impulse_joints.joint_graph())
}

pub(crate) fn at_most(what: &'static str, count: usize, count_max: usize) -> Result<(), SnapshotError> {
    if count <= count_max { Ok(()) } else { Err(SnapshotError::Count { what, count, count_max }) }
}

/// Checks the numbers that decide every step.
fn numbers(world: &PhysicsWorld) -> Result<(), SnapshotError> {
    let parameters = &world.integration_parameters;
    for (what, value) in [("step length", parameters.dt), ("length unit", parameters.length_unit)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(SnapshotError::Number { what, value });
        }
    }
    for (what, value) in [("gravity along x", world.gravity.x), ("gravity along y", world.gravity.y)] {
        if !value.is_finite() {
            return Err(SnapshotError::Number { what, value });
        }
    }
    Ok(())
}

/// Bounds every iteration count in the world, so that a step terminates.
fn iterations(world: &PhysicsWorld) -> Result<(), SnapshotError> {
    let parameters = &world.integration_parameters;
    let more = world.bodies.iter().map(|(_, body)| body.additional_solver_iterations()).max().unwrap_or(0);
    let more_inner = world.bodies.iter().map(|(_, body)| body.additional_pgs_iterations()).max().unwrap_or(0);
    let outer = parameters.num_solver_iterations.saturating_add(more);
    let inner = parameters.num_internal_pgs_iterations.saturating_add(more_inner);
    let inner = inner.saturating_add(parameters.num_internal_stabilization_iterations);
    at_most("passes of the solver", outer.saturating_mul(inner.max(1)), PASSES_MAX)?;
    at_most("substeps of continuous collision", parameters.max_ccd_substeps, SUBSTEPS_MAX)?;
    at_most("substeps of soft bodies", parameters.soft_bodies.max_extra_substeps, SUBSTEPS_MAX)
}

/// Checks that bodies and colliders refer to each other exactly once.
fn references(world: &PhysicsWorld) -> Result<(), SnapshotError> {
    let mut is_named = Vec::new();
    for (handle, body) in world.bodies.iter() {
        for &collider in body.colliders() {
            let parent = world.colliders.get(collider).and_then(Collider::parent);
            let index = collider.into_raw_parts().0 as usize;
            if parent == Some(handle) && is_named.len() <= index {
                is_named.resize(index + 1, false);
            }
            if parent != Some(handle) || std::mem::replace(&mut is_named[index], true) {
                return Err(SnapshotError::Reference {
                    what: "a collider",
                    index: handle.into_raw_parts().0,
                });
            }
        }
    }
    for (handle, collider) in world.colliders.iter() {
        let index = handle.into_raw_parts().0;
        if collider.parent().is_some() && is_named.get(index as usize) != Some(&true) {
            return Err(SnapshotError::Reference { what: "the body", index });
        }
    }
    Ok(())
}

/// Checks that every edge connects two existing nodes, and that walking the edges of a node terminates.
fn graph<N: Copy, E>(what: &'static str, graph: &InteractionGraph<N, E>) -> Result<(), SnapshotError> {
    let nodes = graph.raw_graph().raw_nodes();
    let edges = graph.raw_graph().raw_edges();
    // Every edge is visited from both ends.
    let mut left = 0;
    for (index, edge) in (0..).zip(edges) {
        let source = edge.source().index();
        let target = edge.target().index();
        if source.max(target) >= nodes.len() {
            return Err(SnapshotError::Reference { what, index });
        }
        left += 1 + usize::from(source != target);
    }
    for index in 0..nodes.len() as u32 {
        let met = graph.interactions_with(ColliderGraphIndex::new(index)).take(left + 1).count();
        left = left.checked_sub(met).ok_or(SnapshotError::Reference { what, index })?;
    }
    at_most("ends of edges that no walk meets", left, 0)
}
