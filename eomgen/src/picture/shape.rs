//! What a body looks like: the box or cylinder of even density that has its mass and its moments of inertia.

use serde::Serialize;

/// A shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
pub(super) enum Shape {
    /// A point with a mass, or a body whose moments say too little.
    Point,
    /// Lengths along its axes.
    Box { size: [f64; 3] },
    /// Radius and height, and the axis that it turns about.
    Cylinder { size: [f64; 2], along: usize },
    /// Its radius.
    Ball { size: [f64; 1] },
}

impl Shape {
    /// How far it reaches from its centre.
    pub fn radius(&self) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::Box { size } => 0.5 * size.iter().map(|x| x * x).sum::<f64>().sqrt(),
            Self::Cylinder { size: [r, h], .. } => r.hypot(h / 2.0),
            Self::Ball { size: [r] } => *r,
        }
    }

    /// From the mass, the entries Ixx, Iyy, Izz, Ixy, Iyz, Izx of the tensor, and the vector from the point that they refer to to the mass centre.
    pub fn of(numbers: &[f64]) -> Self {
        let [mass, xx, yy, zz, _, _, _, x, y, z] = *numbers else {
            return Self::Point;
        };
        if mass.is_nan() || mass <= 0.0 {
            return Self::Point;
        }
        let about_center = [
            xx - mass * (y * y + z * z),
            yy - mass * (z * z + x * x),
            zz - mass * (x * x + y * y),
        ];
        let i = about_center.map(|i| i / mass);
        let largest = i.iter().fold(0.0, |m: f64, x| m.max(*x));
        let zeros = i.iter().filter(|x| **x <= 1e-9 * largest).count();
        // One moment alone, as plane models give, tells no shape.
        if largest.is_nan() || largest <= 0.0 || zeros > 1 {
            return Self::Point;
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 0.01 * largest;
        if near(i[0], i[1]) && near(i[1], i[2]) {
            return Self::Ball {
                size: [(2.5 * i[0]).sqrt()],
            };
        }
        for along in 0..3 {
            let (a, b) = (i[(along + 1) % 3], i[(along + 2) % 3]);
            if near(a, b) && zeros == 0 {
                let radius = (2.0 * i[along]).sqrt();
                let height = (12.0 * (a - i[along] / 2.0)).max(0.0).sqrt();
                let size = [radius, height.max(0.04 * radius)];
                return Self::Cylinder { size, along };
            }
        }
        let side = |k: usize| {
            let square = 6.0 * (i[(k + 1) % 3] + i[(k + 2) % 3] - i[k]);
            square.max(0.0).sqrt()
        };
        let size = [side(0), side(1), side(2)];
        let longest = size.iter().fold(0.0, |m: f64, x| m.max(*x));
        Self::Box {
            size: size.map(|x| x.max(0.03 * longest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_those_of_even_density() {
        // A disc of radius 0.3 and mass 2 in the plane of y and z, no height: Ixx = m r^2/2, the others m r^2/4.
        let (m, r2) = (2.0, 0.09);
        let disc = [
            m,
            m * r2 / 2.0,
            m * r2 / 4.0,
            m * r2 / 4.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
        ];
        let Shape::Cylinder { size, along } = Shape::of(&disc) else {
            panic!("no cylinder");
        };
        assert!((size[0] - 0.3).abs() < 1e-12 && along == 0 && size[1] < 0.02);
        // A slender rod of length 1.2 along x, its inertia about an end.
        let rod = [
            m,
            0.0,
            m * 1.44 / 3.0,
            m * 1.44 / 3.0,
            0.0,
            0.0,
            0.0,
            0.6,
            0.0,
            0.0,
        ];
        let Shape::Box { size } = Shape::of(&rod) else {
            panic!("no box");
        };
        assert!((size[0] - 1.2).abs() < 1e-12 && size[1] < 0.05);
        // A ball of radius 0.5.
        let i = 0.4 * m * 0.25;
        let Shape::Ball { size } = Shape::of(&[m, i, i, i, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]) else {
            panic!("no ball");
        };
        assert!((size[0] - 0.5).abs() < 1e-12);
        assert_eq!(
            Shape::of(&[m, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            Shape::Point
        );
    }
}
