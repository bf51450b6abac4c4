//! Interpolation of the types of mathematics libraries, behind the features of the same names.

use super::Lerp;

#[cfg(feature = "glam")]
mod glam_types {
    use super::Lerp;

    macro_rules! vectors {
        ($scalar:ty: $($vector:ident),*) => {$(
            impl Lerp for glam::$vector {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    self + (to - self) * alpha as $scalar
                }
            }
        )*};
    }

    macro_rules! quaternions {
        ($($quaternion:ident: $scalar:ty),*) => {$(
            /// Turns the short way round, at a constant speed.
            impl Lerp for glam::$quaternion {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    self.slerp(to, alpha as $scalar)
                }
            }
        )*};
    }

    vectors!(f32: Vec2, Vec3, Vec3A, Vec4);
    vectors!(f64: DVec2, DVec3, DVec4);
    quaternions!(Quat: f32, DQuat: f64);
}

#[cfg(feature = "mint")]
mod mint_types {
    use super::Lerp;

    macro_rules! fields {
        ($($type:ident { $($field:ident),* })*) => {$(
            impl<T: Lerp> Lerp for mint::$type<T> {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    Self { $($field: self.$field.lerp(to.$field, alpha)),* }
                }
            }
        )*};
    }

    fields! {
        Vector2 { x, y }
        Vector3 { x, y, z }
        Vector4 { x, y, z, w }
        Point2 { x, y }
        Point3 { x, y, z }
    }
}

#[cfg(feature = "nalgebra")]
mod nalgebra_types {
    use super::Lerp;
    use nalgebra::{Point, SVector, UnitComplex, UnitQuaternion};

    macro_rules! of_scalar {
        ($($scalar:ty),*) => {$(
            impl<const N: usize> Lerp for SVector<$scalar, N> {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    self + (to - self) * alpha as $scalar
                }
            }

            impl<const N: usize> Lerp for Point<$scalar, N> {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    self + (to - self) * alpha as $scalar
                }
            }

            /// Turns the short way round, at a constant speed.
            impl Lerp for UnitComplex<$scalar> {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    self.slerp(&to, alpha as $scalar)
                }
            }

            /// Turns the short way round, at a constant speed. Between opposite rotations, where there is none, it jumps.
            impl Lerp for UnitQuaternion<$scalar> {
                fn lerp(self, to: Self, alpha: f64) -> Self {
                    let to_near = if self.coords.dot(&to.coords) < 0.0 { Self::new_unchecked(-to.into_inner()) } else { to };
                    self.try_slerp(&to_near, alpha as $scalar, 1e-6).unwrap_or(to)
                }
            }
        )*};
    }

    of_scalar!(f32, f64);
}

#[cfg(test)]
mod tests {
    use crate::{Interpolated, Lerp};

    fn halfway<T: Lerp>(from: T, to: T) -> T {
        let mut value = Interpolated::new(from);
        value.advance(to);
        value.at(0.5)
    }

    #[cfg(feature = "glam")]
    #[test]
    fn glam_vectors_and_quaternions_lie_between_their_ticks() {
        use glam::{DQuat, DVec3, Quat, Vec2, Vec3A, Vec4};
        assert_eq!(halfway(Vec2::new(0.0, 4.0), Vec2::new(2.0, 8.0)), Vec2::new(1.0, 6.0));
        assert_eq!(halfway(Vec3A::ZERO, Vec3A::splat(2.0)), Vec3A::ONE);
        assert_eq!(halfway(Vec4::ZERO, Vec4::splat(2.0)), Vec4::ONE);
        assert_eq!(halfway(DVec3::ZERO, DVec3::splat(2.0)), DVec3::ONE);
        let turned = halfway(Quat::IDENTITY, Quat::from_rotation_z(1.0));
        assert!(turned.angle_between(Quat::from_rotation_z(0.5)) < 1e-3);
        let short = halfway(DQuat::from_rotation_y(3.0), DQuat::from_rotation_y(-3.0));
        assert!(short.angle_between(DQuat::from_rotation_y(core::f64::consts::PI)) < 1e-6, "not through 0");
    }

    #[cfg(feature = "mint")]
    #[test]
    fn mint_vectors_and_points_lie_between_their_ticks() {
        use mint::{Point2, Point3, Vector2, Vector3, Vector4};
        assert_eq!(halfway(Vector2::from([0.0, 4.0]), Vector2::from([2.0, 8.0])), Vector2::from([1.0, 6.0]));
        assert_eq!(halfway(Vector3::from([0.0_f32; 3]), Vector3::from([2.0; 3])), Vector3::from([1.0; 3]));
        assert_eq!(halfway(Vector4::from([0.0; 4]), Vector4::from([2.0; 4])), Vector4::from([1.0; 4]));
        assert_eq!(halfway(Point2::from([0.0; 2]), Point2::from([2.0; 2])), Point2::from([1.0; 2]));
        assert_eq!(halfway(Point3::from([0.0; 3]), Point3::from([2.0; 3])), Point3::from([1.0; 3]));
    }

    #[cfg(feature = "nalgebra")]
    #[test]
    fn nalgebra_vectors_points_and_rotations_lie_between_their_ticks() {
        use nalgebra::{Point2, UnitComplex, UnitQuaternion, Vector2, Vector3};
        assert_eq!(halfway(Vector2::new(0.0, 4.0), Vector2::new(2.0, 8.0)), Vector2::new(1.0, 6.0));
        assert_eq!(halfway(Point2::new(0.0_f32, 4.0), Point2::new(2.0, 8.0)), Point2::new(1.0, 6.0));
        let short = halfway(UnitComplex::new(3.0_f64), UnitComplex::new(-3.0));
        assert!((short.angle().abs() - core::f64::consts::PI).abs() < 1e-9, "not through 0");
        let y = |angle| UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        assert!(halfway(y(0.0), y(1.0)).angle_to(&y(0.5)) < 1e-9);
        assert!(halfway(y(3.0), y(-3.0)).angle_to(&y(core::f64::consts::PI)) < 1e-6, "not through 0");
        let opposite = halfway(y(0.0), y(core::f64::consts::PI * 1.999_999_999_9));
        assert!(opposite.coords.iter().all(|part: &f64| part.is_finite()));
    }
}
