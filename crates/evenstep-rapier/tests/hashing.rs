//! A hash covers everything that decides the next step and that Rapier exposes.

mod worlds;

use evenstep::Rate;
use evenstep_rapier::Physics;
use evenstep_rapier::rapier::prelude::*;
use worlds::melee;

fn any_body(physics: &Physics) -> RigidBodyHandle {
    physics.world.bodies.iter().find(|(_, body)| body.is_dynamic()).unwrap().0
}

fn body(physics: &mut Physics) -> &mut RigidBody {
    let handle = any_body(physics);
    &mut physics.world.bodies[handle]
}

fn collider(physics: &mut Physics) -> &mut Collider {
    let handle = physics.world.bodies[any_body(physics)].colliders()[0];
    &mut physics.world.colliders[handle]
}

type Change = fn(&mut Physics);

#[test]
fn whatever_decides_the_next_step_changes_the_hash() {
    let changes: [(&str, Change); 24] = [
        ("gravity", |it| it.world.gravity.y = -9.81),
        ("length of a step", |it| it.world.integration_parameters.dt *= 0.5),
        ("solver iterations", |it| it.world.integration_parameters.num_solver_iterations += 1),
        ("force", |it| body(it).add_force(Vector::new(1.0, 0.0), true)),
        ("torque", |it| body(it).add_torque(1.0, true)),
        ("impulse", |it| body(it).apply_impulse(Vector::new(1e-4, 0.0), true)),
        ("gravity scale", |it| body(it).set_gravity_scale(0.5, true)),
        ("linear damping", |it| body(it).set_linear_damping(0.5)),
        ("angular damping", |it| body(it).set_angular_damping(0.5)),
        ("additional mass", |it| body(it).set_additional_mass(2.0, true)),
        ("body type", |it| body(it).set_body_type(RigidBodyType::KinematicVelocityBased, true)),
        ("locked axes", |it| body(it).set_locked_axes(LockedAxes::TRANSLATION_LOCKED_X, true)),
        ("dominance", |it| body(it).set_dominance_group(3)),
        ("continuous collision", |it| body(it).enable_ccd(true)),
        ("extra iterations", |it| body(it).set_additional_solver_iterations(2)),
        ("sleep", |it| body(it).sleep()),
        ("enabled", |it| body(it).set_enabled(false)),
        ("shape", |it| collider(it).set_shape(SharedShape::ball(0.25))),
        ("friction", |it| collider(it).set_friction(0.1)),
        ("restitution", |it| collider(it).set_restitution(0.1)),
        ("sensor", |it| collider(it).set_sensor(true)),
        ("groups", |it| collider(it).set_collision_groups(InteractionGroups::none())),
        ("joint", |it| {
            let [a, b] = [4, 5].map(|n| it.world.bodies.iter().nth(n).unwrap().0);
            it.world.insert_impulse_joint(a, b, RevoluteJointBuilder::new());
        }),
        ("collider without a body", |it| {
            it.world.colliders.insert(ColliderBuilder::ball(1.0));
        }),
    ];
    let mut plain = melee(60, 60);
    plain.tick();
    for (what, change) in changes {
        let mut other = plain.clone();
        assert_eq!(other.hash(), plain.hash());
        change(&mut other);
        assert_ne!(other.hash(), plain.hash(), "{what}");
    }
}

#[test]
fn the_target_of_a_kinematic_move_changes_the_hash() {
    let mut a = Physics::at_hz(60, 60);
    let lift = a.world.insert_body(RigidBodyBuilder::kinematic_position_based());
    let mut b = a.clone();
    b.world.bodies[lift].set_next_kinematic_translation(Vector::new(0.0, 1.0));
    assert_ne!(a.hash(), b.hash());
}

#[test]
fn rates_change_the_hash() {
    let rates = [Rate::hz(30), Rate::hz(60), Rate::new(60_000, 1_001), Rate::hz(120)];
    let mut hashes = Vec::new();
    for ticks in rates {
        for steps in rates {
            let mut physics = Physics::new(ticks, steps);
            // Otherwise the different step length alone would change the hash.
            physics.world.integration_parameters.dt = 0.01;
            hashes.push(physics.hash());
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), rates.len() * rates.len());
}

#[test]
fn touching_a_body_without_a_change_leaves_the_hash_alone() {
    let mut physics = melee(60, 60);
    physics.tick();
    let before = physics.hash();
    let _ = body(&mut physics);
    let _ = collider(&mut physics);
    assert_eq!(physics.hash(), before);
}

#[test]
fn hashing_allocates_nothing() {
    let physics = melee(60, 60);
    let memory = allocation_counter::measure(|| {
        std::hint::black_box(physics.hash());
    });
    assert_eq!(memory.count_total, 0);
}

#[test]
fn the_velocity_of_a_multibody_changes_the_hash() {
    let mut physics = Physics::at_hz(60, 60);
    let a = physics.world.insert_body(RigidBodyBuilder::fixed());
    let (b, _) = physics.world.insert(RigidBodyBuilder::dynamic(), ColliderBuilder::ball(0.5));
    physics.world.multibody_joints.insert(a, b, RevoluteJointBuilder::new(), true).expect("a joint");
    let hash = physics.hash();
    let link = *physics.world.multibody_joints.rigid_body_link(b).expect("a link");
    let multibody = physics.world.multibody_joints.get_multibody_mut(link.multibody).expect("a multibody");
    multibody.generalized_velocity_mut()[0] += 1.0;
    assert_ne!(physics.hash(), hash);
}
