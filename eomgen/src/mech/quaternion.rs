//! Orientation by a quaternion e of any length: the rotation is that of e/|e|, the angular velocity 2 E(e) e'/|e|^2, both
//! exact as rational functions. Knows nothing of frames.

use super::motion::Motion;
use super::rate::whole;
use super::vars::Vars;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::sym::{Algebra, Expr};

/// A quaternion, scalar part first.
pub struct Quaternion {
    parts: [Expr; 4],
    square: Expr,
}

impl Quaternion {
    /// From its parts.
    pub fn new(alg: &mut Algebra, parts: [Expr; 4], name: &str) -> Self {
        let square: Expr = parts.iter().map(|e| e * e).sum();
        let square = alg.define(&format!("square_{name}"), square);
        Self { parts, square }
    }

    /// `r[i][j] = parent_i . own_j`.
    pub fn rotation(&self, alg: &mut Algebra, name: &str) -> Mat3 {
        let [a, b, c, d] = &self.parts;
        let v = [b, c, d];
        let mut r = vec3::identity();
        for (i, row) in r.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let x = if i == j {
                    let (k, l) = ((i + 1) % 3, (i + 2) % 3);
                    Expr::one() - Expr::int(2) * (v[k] * v[k] + v[l] * v[l]) / &self.square
                } else {
                    let k = 3 - i - j;
                    let skew = if (i + 1) % 3 == j {
                        -(a * v[k])
                    } else {
                        a * v[k]
                    };
                    Expr::int(2) * (v[i] * v[j] + skew) / &self.square
                };
                *entry = alg.define(&format!("r_{name}_{}{}", i + 1, j + 1), x);
            }
        }
        r
    }

    /// The columns of 2 E/|e|^2: what each part's rate adds to the angular velocity, in own components.
    fn columns(&self) -> [Vec3; 4] {
        let columns = vec3::quaternion_columns(&self.parts);
        let k = Expr::int(2) / &self.square;
        columns.map(|column| vec3::scale(&k, &column))
    }

    /// Angular velocity in own components.
    pub fn spin(&self, alg: &mut Algebra, vars: &Vars, motion: &Motion) -> Linear<Vec3> {
        let mut sum = Linear::none();
        for (e, column) in self.parts.iter().zip(self.columns()) {
            let rate = motion.rate_of(alg, vars, e);
            sum.add(&Linear::along(&column, &rate));
        }
        // In speeds that are components of the angular velocity the parts cancel.
        sum.map(|v| {
            v.each_ref()
                .map(|e| whole(alg, e).unwrap_or_else(|| e.clone()))
        })
    }

    /// Whether the parts are coordinates whose rates are speeds. Then the angular acceleration is 2 E e'' on the unit
    /// sphere, without a term in the speeds: E(e') e' = 0, and e.e' = 0 by the constraint.
    pub fn is_steady(&self, alg: &Algebra, vars: &Vars, motion: &Motion) -> bool {
        self.parts.iter().all(|e| {
            let at = alg
                .as_var(e)
                .and_then(|v| vars.coords.iter().position(|c| *c == v));
            at.and_then(|i| alg.as_var(&motion.rate_values[i]))
                .is_some_and(|v| motion.speeds.contains(&v))
        })
    }
}
