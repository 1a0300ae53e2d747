//! Triples of components and quantities linear in the speeds. Pure bookkeeping.

use crate::sym::Expr;
use std::collections::BTreeMap;

/// Components in some frame.
pub type Vec3 = [Expr; 3];
/// Rows of a 3 x 3 matrix.
pub type Mat3 = [[Expr; 3]; 3];

/// `sum_k coef[k] * s_k + bias` with s the speeds of a motion.
#[derive(Clone, Debug)]
pub struct Linear<T> {
    /// Coefficients of the speeds that occur.
    pub coef: BTreeMap<usize, T>,
    /// The part free of speeds.
    pub bias: T,
}

/// The zero vector.
pub fn zero() -> Vec3 {
    [Expr::zero(), Expr::zero(), Expr::zero()]
}

/// A basis vector.
pub fn unit(axis: usize) -> Vec3 {
    along(axis, Expr::one())
}

/// A vector with one component.
pub fn along(axis: usize, component: Expr) -> Vec3 {
    let mut v = zero();
    v[axis] = component;
    v
}

/// Whether all components are the number 0.
pub fn is_zero(v: &Vec3) -> bool {
    v.iter().all(Expr::is_literal_zero)
}

/// Sum.
pub fn add(a: &Vec3, b: &Vec3) -> Vec3 {
    std::array::from_fn(|i| &a[i] + &b[i])
}

/// Multiple.
pub fn scale(k: &Expr, v: &Vec3) -> Vec3 {
    std::array::from_fn(|i| k * &v[i])
}

/// Vector product.
pub fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

/// Scalar product.
pub fn dot(a: &Vec3, b: &Vec3) -> Expr {
    (0..3).map(|i| &a[i] * &b[i]).sum()
}

/// Matrix times vector.
pub fn apply(m: &Mat3, v: &Vec3) -> Vec3 {
    std::array::from_fn(|i| dot(&m[i], v))
}

/// Transpose times vector.
pub fn apply_transposed(m: &Mat3, v: &Vec3) -> Vec3 {
    std::array::from_fn(|i| (0..3).map(|j| &m[j][i] * &v[j]).sum())
}

/// The unit matrix.
pub fn identity() -> Mat3 {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { Expr::one() } else { Expr::zero() })
    })
}

/// Transpose.
pub fn transpose(m: &Mat3) -> Mat3 {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i].clone()))
}

/// Product.
pub fn product(a: &Mat3, b: &Mat3) -> Mat3 {
    let bt = transpose(b);
    std::array::from_fn(|i| std::array::from_fn(|j| dot(&a[i], &bt[j])))
}

/// The columns of E of a quaternion, scalar part first: what the rate of each part adds to half the angular velocity, in own components.
pub fn quaternion_columns([a, b, c, d]: &[Expr; 4]) -> [Vec3; 4] {
    [
        [-b, -c, -d],
        [a.clone(), -d, c.clone()],
        [d.clone(), a.clone(), -b],
        [-c, b.clone(), a.clone()],
    ]
}

impl Linear<Expr> {
    /// Adds to generalized forces what a force along this velocity adds.
    pub fn project(&self, force: &Expr, q: &mut [Expr]) {
        for (i, h) in &self.coef {
            q[*i] = &q[*i] + h * force;
        }
    }
}

impl Linear<Vec3> {
    /// Adds to generalized forces what a force (or torque) adds at which this is the (angular) velocity.
    pub fn project(&self, force: &Vec3, q: &mut [Expr]) {
        for (i, partial) in &self.coef {
            q[*i] = &q[*i] + dot(partial, force);
        }
    }

    /// The zero vector.
    pub fn none() -> Self {
        Self {
            coef: BTreeMap::new(),
            bias: zero(),
        }
    }

    /// A linear function of the speeds along a fixed direction.
    pub fn along(direction: &Vec3, l: &Linear<Expr>) -> Self {
        let coef = l.coef.iter();
        Self {
            coef: coef.map(|(k, c)| (*k, scale(c, direction))).collect(),
            bias: scale(&l.bias, direction),
        }
    }

    /// Linear functions of the speeds as components.
    pub fn components(list: impl IntoIterator<Item = Linear<Expr>>) -> Self {
        let mut sum = Self::none();
        for (axis, e) in list.into_iter().enumerate() {
            sum.add(&Self::component(axis, e));
        }
        sum
    }

    /// A linear function of the speeds as the only component.
    pub fn component(axis: usize, l: Linear<Expr>) -> Self {
        let coef = l.coef.into_iter();
        Self {
            coef: coef.map(|(k, c)| (k, along(axis, c))).collect(),
            bias: along(axis, l.bias),
        }
    }

    /// Applies a linear map to every part.
    pub fn map(&self, mut f: impl FnMut(&Vec3) -> Vec3) -> Self {
        Self {
            coef: self
                .coef
                .iter()
                .map(|(k, v)| (*k, f(v)))
                .filter(|(_, v)| !is_zero(v))
                .collect(),
            bias: f(&self.bias),
        }
    }

    /// The coefficients of some speeds.
    pub fn only(&self, speeds: &[usize]) -> Self {
        let coef = speeds.iter().filter_map(|k| self.coef.get_key_value(k));
        Self {
            coef: coef.map(|(k, v)| (*k, v.clone())).collect(),
            bias: zero(),
        }
    }

    /// Adds another.
    pub fn add(&mut self, o: &Self) {
        for (k, v) in &o.coef {
            let new = match self.coef.get(k) {
                Some(old) => add(old, v),
                None => v.clone(),
            };
            self.coef.insert(*k, new);
        }
        self.bias = add(&self.bias, &o.bias);
    }

    /// Whether it vanishes for all speeds.
    pub fn is_zero(&self) -> bool {
        self.coef.is_empty() && is_zero(&self.bias)
    }

    /// The value at the given speeds.
    pub fn value(&self, speeds: &[Expr]) -> Vec3 {
        self.value_from(&self.bias, speeds)
    }

    /// The value at the given speeds with another bias: of partial velocities and an acceleration at s' = 0 the acceleration.
    pub fn value_from(&self, bias: &Vec3, speeds: &[Expr]) -> Vec3 {
        self.coef.iter().fold(bias.clone(), |sum, (k, v)| {
            add(&sum, &scale(&speeds[*k], v))
        })
    }
}
