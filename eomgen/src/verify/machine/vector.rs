//! Vectors by their components in the inertial frame, along a motion.

use crate::verify::number::{Elementary, Number, Trouble};
use crate::verify::series::Series;
use std::array::from_fn;

/// Components in the inertial frame.
pub type Vec3<E> = [Series<E>; 3];

/// Rotation: components go from the turned frame to the inertial one; its columns are the turned frame's basis.
pub type Turn<E> = [[Series<E>; 3]; 3];

/// The zero vector.
pub fn zero<E: Number>() -> Vec3<E> {
    from_fn(|_| Series::int(0))
}

/// No rotation.
pub fn identity<E: Number>() -> Turn<E> {
    from_fn(|i| from_fn(|j| Series::int(i64::from(i == j))))
}

/// Sum.
pub fn add<E: Number>(a: &Vec3<E>, b: &Vec3<E>) -> Vec3<E> {
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

/// Derivative as seen from the inertial frame.
pub fn rate<E: Number>(a: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| a[i].rate())
}

/// Scalar product.
pub fn dot<E: Number>(a: &Vec3<E>, b: &Vec3<E>) -> Series<E> {
    a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
}

/// Vector product.
pub fn cross<E: Number>(a: &Vec3<E>, b: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].mul(&b[k]).sub(&a[k].mul(&b[j]))
    })
}

/// Length.
pub fn norm<E: Number>(a: &Vec3<E>) -> Result<Series<E>, Trouble> {
    Series::elementary(Elementary::Sqrt, &[dot(a, a)])
}

/// A basis vector of a turned frame.
pub fn basis<E: Number>(turn: &Turn<E>, axis: usize) -> Vec3<E> {
    from_fn(|i| turn[i][axis].clone())
}

/// Components of a vector in a turned frame.
pub fn own<E: Number>(turn: &Turn<E>, v: &Vec3<E>) -> Vec3<E> {
    from_fn(|j| dot(&basis(turn, j), v))
}

/// From components in a turned frame.
pub fn outward<E: Number>(turn: &Turn<E>, v: &Vec3<E>) -> Vec3<E> {
    from_fn(|i| dot(&turn[i], v))
}

/// One rotation after another.
pub fn product<E: Number>(a: &Turn<E>, b: &Turn<E>) -> Turn<E> {
    from_fn(|i| from_fn(|j| dot(&a[i], &basis(b, j))))
}

/// Angular velocity: the vector of the skew matrix `R' R^T`.
pub fn spin<E: Number>(turn: &Turn<E>) -> Vec3<E> {
    let rates: Turn<E> = from_fn(|i| rate(&turn[i]));
    [
        dot(&rates[2], &turn[1]),
        dot(&rates[0], &turn[2]),
        dot(&rates[1], &turn[0]),
    ]
}
