//! Places and directions made of [`Jet`]s, in inertial components.

use super::jet::Jet;
use nalgebra::{Matrix3, SymmetricEigen};

/// A vector in inertial components.
pub type Vec3 = [Jet; 3];

/// `a + k b`
pub fn add(a: &Vec3, k: impl Into<Jet>, b: &Vec3) -> Vec3 {
    let k = k.into();
    std::array::from_fn(|i| a[i] + k * b[i])
}

/// `a . b`
pub fn dot(a: &Vec3, b: &Vec3) -> Jet {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a x b`
pub fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

/// Three orthonormal axes in inertial components.
#[derive(Clone, Copy, Debug)]
pub struct Axes(pub [Vec3; 3]);

impl Axes {
    /// The inertial axes.
    pub fn inertial() -> Self {
        Self(std::array::from_fn(|i| {
            std::array::from_fn(|j| Jet::constant(if i == j { 1.0 } else { 0.0 }))
        }))
    }

    /// Turned by `angle` about its own axis 0, 1 or 2.
    pub fn turned(self, axis: usize, angle: Jet) -> Self {
        let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
        let (s, c) = (angle.sin(), angle.cos());
        let zero = [Jet::constant(0.0); 3];
        let mut axes = self.0;
        axes[second] = add(&add(&zero, c, &self.0[second]), s, &self.0[third]);
        axes[third] = add(&add(&zero, c, &self.0[third]), -s, &self.0[second]);
        Self(axes)
    }

    /// The place that has these constant components along the axes, seen from `origin`.
    pub fn place(&self, origin: &Vec3, components: [f64; 3]) -> Vec3 {
        let mut place = *origin;
        for (axis, component) in self.0.iter().zip(components) {
            place = add(&place, component, axis);
        }
        place
    }
}

/// Seven point masses with the mass, the mass centre and the inertia of a rigid body: two on each principal axis at a unit's distance, and
/// the rest at the centre. Some are negative where no body has such an inertia, as where moments that do not matter are stated as zero.
/// `inertia` is Ixx, Iyy, Izz, Ixy, Iyz, Izx about the mass centre, along the body's axes.
pub fn equimomental(mass: f64, inertia: [f64; 6]) -> Vec<(f64, [f64; 3])> {
    let [xx, yy, zz, xy, yz, zx] = inertia;
    let tensor = Matrix3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
    // Second moments of the mass, integral of x_i x_j dm.
    let moments = Matrix3::identity() * (tensor.trace() / 2.0) - tensor;
    let principal = SymmetricEigen::new(moments);
    let mut masses = vec![(mass - principal.eigenvalues.sum(), [0.0; 3])];
    for k in 0..3 {
        let axis = principal.eigenvectors.column(k);
        for side in [1.0, -1.0] {
            let place = std::array::from_fn(|i| side * axis[i]);
            masses.push((principal.eigenvalues[k] / 2.0, place));
        }
    }
    masses
}

#[cfg(test)]
mod tests {
    use super::equimomental;

    #[test]
    fn point_masses_have_the_inertia_asked_for() {
        let inertia = [0.41, 0.53, 0.34, 0.05, -0.03, 0.02];
        let masses = equimomental(2.2, inertia);
        let sum = |f: &dyn Fn([f64; 3]) -> f64| masses.iter().map(|(m, p)| m * f(*p)).sum::<f64>();
        assert!((sum(&|_| 1.0) - 2.2).abs() < 1e-15);
        let found = [
            sum(&|[_, y, z]| y * y + z * z),
            sum(&|[x, _, z]| x * x + z * z),
            sum(&|[x, y, _]| x * x + y * y),
            sum(&|[x, y, _]| -x * y),
            sum(&|[_, y, z]| -y * z),
            sum(&|[x, _, z]| -z * x),
        ];
        for (found, wanted) in found.iter().zip(inertia) {
            assert!((found - wanted).abs() < 1e-14, "{found} != {wanted}");
        }
    }
}
