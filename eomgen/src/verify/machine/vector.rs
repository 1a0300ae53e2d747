//! Vectors by their components in the inertial frame, along a motion.

use crate::verify::number::{Algebra, Elementary, EvalError, Number};
use crate::verify::series::Series;
use std::array::from_fn;

/// Components in the inertial frame.
pub type Vec3<E> = [Series<E>; 3];

/// Rotation: components go from the rotated frame to the inertial one; its columns are the rotated frame's basis.
pub type Rotation<E> = [[Series<E>; 3]; 3];

/// The zero vector.
pub fn zero<E: Number>() -> Vec3<E> {
    from_fn(|_| Series::int(0))
}

/// No rotation.
pub fn identity<E: Number>() -> Rotation<E> {
    from_fn(|i| from_fn(|j| Series::int(i64::from(i == j))))
}

/// Sum.
pub fn add<A: Algebra>(a: &[A; 3], b: &[A; 3]) -> [A; 3] {
    from_fn(|i| a[i].add(&b[i]))
}

/// Difference.
pub fn sub<E: Number>(a: &Vec3<E>, b: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| a[i].sub(&b[i]))
}

/// Opposite.
pub fn neg<E: Number>(a: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| a[i].neg())
}

/// Multiple.
pub fn scale<E: Number>(k: &Series<E>, a: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| k.mul(&a[i]))
}

/// The components now.
pub fn now<E: Number>(a: &Vec3<E>) -> Result<[E; 3], EvalError> {
    let [x, y, z] = a;
    Ok([x.now()?.clone(), y.now()?.clone(), z.now()?.clone()])
}

/// Derivative as seen from the inertial frame.
pub fn rate<E: Number>(a: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| a[i].rate())
}

/// Scalar product.
pub fn dot<A: Algebra>(a: &[A; 3], b: &[A; 3]) -> A {
    a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
}

/// Vector product.
pub fn cross<A: Algebra>(a: &[A; 3], b: &[A; 3]) -> [A; 3] {
    from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].mul(&b[k]).sub(&a[k].mul(&b[j]))
    })
}

/// Length.
pub fn norm<E: Number>(a: &Vec3<E>) -> Result<Series<E>, EvalError> {
    Series::elementary(Elementary::Sqrt, &[dot(a, a)])
}

/// A basis vector of a rotated frame.
pub fn basis<E: Number>(rotation: &Rotation<E>, axis: usize) -> Vec3<E> {
    from_fn(|i| rotation[i][axis].clone())
}

/// Components of a vector in a rotated frame.
pub fn own<E: Number>(rotation: &Rotation<E>, v: &Vec3<E>) -> Vec3<E> {
    from_fn(|j| dot(&basis(rotation, j), v))
}

/// From components in a rotated frame.
pub fn outward<A: Algebra>(rotation: &[[A; 3]; 3], v: &[A; 3]) -> [A; 3] {
    from_fn(|i| dot(&rotation[i], v))
}

/// One rotation after another.
pub fn product<E: Number>(a: &Rotation<E>, b: &Rotation<E>) -> Rotation<E> {
    from_fn(|i| from_fn(|j| dot(&a[i], &basis(b, j))))
}

/// Angular velocity: the vector of the skew matrix `R' R^T`.
pub fn omega<E: Number>(rotation: &Rotation<E>) -> Vec3<E> {
    let rates: Rotation<E> = from_fn(|i| rate(&rotation[i]));
    [
        dot(&rates[2], &rotation[1]),
        dot(&rates[0], &rotation[2]),
        dot(&rates[1], &rotation[0]),
    ]
}
