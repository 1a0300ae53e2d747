//! Masses and inertias of the primitive shapes of MJCF, in doubles. Knows shapes alone.
//!
//! Formulas: any table of moments of inertia; a capsule is a cylinder with two halves of a ball.

use std::f64::consts::PI;

/// A shape about its own centre, its axis along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// By its radius.
    Sphere(f64),
    /// By its radius and half the length of the straight part.
    Capsule(f64, f64),
    /// By its radius and half its length.
    Cylinder(f64, f64),
    /// By its half axes.
    Ellipsoid([f64; 3]),
    /// By half its sides.
    Box([f64; 3]),
}

impl Solid {
    /// What it holds.
    pub fn volume(self) -> f64 {
        match self {
            Self::Sphere(r) => 4.0 / 3.0 * PI * r * r * r,
            Self::Capsule(r, h) => PI * r * r * (2.0 * h + 4.0 / 3.0 * r),
            Self::Cylinder(r, h) => PI * r * r * 2.0 * h,
            Self::Ellipsoid([a, b, c]) => 4.0 / 3.0 * PI * a * b * c,
            Self::Box([a, b, c]) => 8.0 * a * b * c,
        }
    }

    /// Ixx, Iyy, Izz about its centre for a mass of 1.
    pub fn moments(self) -> [f64; 3] {
        match self {
            Self::Sphere(r) => [0.4 * r * r; 3],
            Self::Capsule(r, half) => {
                let h = 2.0 * half;
                let ends = 4.0 * r / (4.0 * r + 3.0 * h);
                let middle = 1.0 - ends;
                let across = middle * (3.0 * r * r + h * h) / 12.0
                    + ends * (0.4 * r * r + h * h / 4.0 + 3.0 * h * r / 8.0);
                let along = middle * r * r / 2.0 + ends * 0.4 * r * r;
                [across, across, along]
            }
            Self::Cylinder(r, half) => {
                let across = (3.0 * r * r + 4.0 * half * half) / 12.0;
                [across, across, r * r / 2.0]
            }
            Self::Ellipsoid([a, b, c]) => [
                (b * b + c * c) / 5.0,
                (c * c + a * a) / 5.0,
                (a * a + b * b) / 5.0,
            ],
            Self::Box([a, b, c]) => [
                (b * b + c * c) / 3.0,
                (c * c + a * a) / 3.0,
                (a * a + b * b) / 3.0,
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and moments by adding up small cubes.
    fn summed(inside: impl Fn(f64, f64, f64) -> bool, reach: [f64; 3]) -> (f64, [f64; 3]) {
        let n = 80;
        let (mut count, mut moments) = (0.0, [0.0; 3]);
        let at = |i: usize, axis: usize| reach[axis] * (2.0 * (i as f64 + 0.5) / n as f64 - 1.0);
        for (i, j, k) in (0..n * n * n).map(|c| (c / n / n, c / n % n, c % n)) {
            let [x, y, z] = [at(i, 0), at(j, 1), at(k, 2)];
            if inside(x, y, z) {
                count += 1.0;
                moments[0] += y * y + z * z;
                moments[1] += z * z + x * x;
                moments[2] += x * x + y * y;
            }
        }
        let cell = reach.iter().map(|r| 2.0 * r / n as f64).product::<f64>();
        (count * cell, moments.map(|m| m / count))
    }

    #[test]
    fn shapes_weigh_what_their_cubes_do() {
        let (r, h, [a, b, c]) = (0.3, 0.4, [0.2, 0.3, 0.5]);
        type Inside = Box<dyn Fn(f64, f64, f64) -> bool>;
        let cases: Vec<(Solid, Inside, [f64; 3])> = vec![
            (
                Solid::Sphere(r),
                Box::new(move |x, y, z| x * x + y * y + z * z < r * r),
                [r; 3],
            ),
            (
                Solid::Capsule(r, h),
                Box::new(move |x: f64, y: f64, z: f64| {
                    let z = (z.abs() - h).max(0.0);
                    x * x + y * y + z * z < r * r
                }),
                [r, r, h + r],
            ),
            (
                Solid::Cylinder(r, h),
                Box::new(move |x, y, _| x * x + y * y < r * r),
                [r, r, h],
            ),
            (
                Solid::Ellipsoid([a, b, c]),
                Box::new(move |x: f64, y: f64, z: f64| {
                    (x / a).powi(2) + (y / b).powi(2) + (z / c).powi(2) < 1.0
                }),
                [a, b, c],
            ),
            (Solid::Box([a, b, c]), Box::new(|_, _, _| true), [a, b, c]),
        ];
        for (solid, inside, reach) in cases {
            let (volume, moments) = summed(inside, reach);
            assert!(
                (solid.volume() / volume - 1.0).abs() < 5e-3,
                "{solid:?} {volume}"
            );
            for (found, expected) in solid.moments().iter().zip(moments) {
                assert!(
                    (found / expected - 1.0).abs() < 5e-3,
                    "{solid:?} {moments:?}"
                );
            }
        }
    }
}
