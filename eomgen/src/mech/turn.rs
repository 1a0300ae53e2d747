//! How a frame turns in its parent: direction cosines, and angular velocity as linear in the speeds. Knows one frame only.

use super::Fault;
use super::kinematics::Kinematics;
use super::motion::Motion;
use super::quaternion::Quaternion;
use super::value::Values;
use super::vars::Vars;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::model::system::Orientation;
use crate::sym::{Algebra, Expr, Meaning};

/// How a frame turns in its parent.
pub enum Turn {
    /// By an angle about a fixed axis.
    About(Vec3, Expr),
    /// By a quaternion; `true`: a constraint keeps it at length 1.
    Quaternion(Quaternion, bool),
    /// By direction cosines.
    Cosines,
}

impl Turn {
    /// Direction cosines `r[i][j] = parent_i . own_j`, and what they come from.
    pub fn of(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        orientation: &Orientation,
        name: &str,
    ) -> Result<(Mat3, Self), Fault> {
        Ok(match orientation {
            Orientation::Simple { axis, angle } => {
                let angle = values.position_scalar(alg, k, angle)?;
                let (s, c) = alg.sin_cos(&angle);
                let (s, c) = (
                    alg.define(&format!("sin_{name}"), s),
                    alg.define(&format!("cos_{name}"), c),
                );
                let a = *axis as usize;
                let (u, v) = ((a + 1) % 3, (a + 2) % 3);
                let mut r = vec3::identity();
                r[u][u] = c.clone();
                r[v][v] = c;
                r[u][v] = -&s;
                r[v][u] = s;
                let mut e = vec3::zero();
                e[a] = Expr::one();
                (r, Turn::About(e, angle))
            }
            Orientation::AxisAngle { axis, angle } => {
                let angle = values.position_scalar(alg, k, angle)?;
                let mut e = vec3::zero();
                for (slot, a) in e.iter_mut().zip(axis) {
                    let x = values.position_scalar(alg, k, a)?;
                    *slot = alg.simplify(&x);
                }
                let (s, c) = alg.sin_cos(&angle);
                let mut r = vec3::identity();
                for (a, row) in r.iter_mut().enumerate() {
                    for (b, entry) in row.iter_mut().enumerate() {
                        let mut x = &e[a] * &e[b] * (Expr::one() - &c);
                        if a == b {
                            x = x + &c;
                        } else {
                            let c3 = 3 - a - b;
                            let sign = if (a + 1) % 3 == b { -1 } else { 1 };
                            x = x + Expr::int(sign) * &e[c3] * &s;
                        }
                        *entry = alg.define(&format!("r_{name}_{}{}", a + 1, b + 1), x);
                    }
                }
                (r, Turn::About(e, angle))
            }
            Orientation::Quaternion { parts, unit } => {
                let mut e = std::array::from_fn::<Expr, 4, _>(|_| Expr::zero());
                for (slot, part) in e.iter_mut().zip(parts) {
                    *slot = values.position_scalar(alg, k, part)?;
                }
                let q = Quaternion::new(alg, e, name);
                (q.rotation(alg, name), Turn::Quaternion(q, *unit))
            }
            Orientation::Matrix { rows } => {
                let mut r = vec3::identity();
                for a in 0..3 {
                    for b in 0..3 {
                        let x = values.position_scalar(alg, k, &rows[a][b])?;
                        r[a][b] = alg.define(&format!("r_{name}_{}{}", a + 1, b + 1), x);
                    }
                }
                orthonormal(alg, &r)?;
                (r, Turn::Cosines)
            }
        })
    }

    /// Angular velocity in the parent, in own components.
    pub fn spin(
        &self,
        alg: &mut Algebra,
        vars: &Vars,
        motion: &Motion,
        rotation: &Mat3,
    ) -> Linear<Vec3> {
        match self {
            Turn::About(axis, angle) => {
                let rate = motion.rate_of(alg, vars, angle);
                Linear {
                    coef: rate
                        .coef
                        .into_iter()
                        .map(|(k, c)| (k, vec3::scale(&c, axis)))
                        .collect(),
                    bias: vec3::scale(&rate.bias, axis),
                }
            }
            Turn::Quaternion(q, _) => q.spin(alg, vars, motion),
            Turn::Cosines => cosine_rates(alg, vars, motion, rotation),
        }
    }

    /// Whether the angular velocity does not change at s' = 0, seen from the frame.
    pub fn is_steady(&self, alg: &Algebra, vars: &Vars, motion: &Motion) -> bool {
        match self {
            Turn::Quaternion(q, true) => q.is_steady(alg, vars, motion),
            _ => false,
        }
    }

    /// Whether this is one more turn for those who count them.
    pub fn counts(&self) -> bool {
        !matches!(self, Turn::Cosines)
    }
}

/// Angular velocity from R^T R' of a general direction-cosine matrix.
fn cosine_rates(alg: &mut Algebra, vars: &Vars, motion: &Motion, r: &Mat3) -> Linear<Vec3> {
    let mut sum = Linear::none();
    for (i, j, k) in [(0, 2, 1), (1, 0, 2), (2, 1, 0)] {
        // omega_i = column j of R . rate of column k of R, (i, k, j) cyclic: w_x = c_z . c_y'
        for row in r {
            let rate = motion.rate_of(alg, vars, &row[k]);
            let mut part = Linear::none();
            for (s, c) in rate.coef {
                let mut v = vec3::zero();
                v[i] = &row[j] * c;
                part.coef.insert(s, v);
            }
            part.bias[i] = &row[j] * rate.bias;
            sum.add(&part);
        }
    }
    sum
}

/// Refuses direction cosines that are not those of a rotation, whatever they depend on. What user functions give is taken
/// on trust.
fn orthonormal(alg: &Algebra, r: &Mat3) -> Result<(), Fault> {
    let jet = |v| matches!(alg.info(v).meaning, Meaning::Jet { .. });
    if r.iter().flatten().any(|e| alg.depends(e, &jet)) {
        return Ok(());
    }
    let columns = vec3::transpose(r);
    let mut gap = None;
    for i in 0..3 {
        for j in i..3 {
            let product = vec3::dot(&columns[i], &columns[j]);
            let names = ["first", "second", "third"];
            let wanted = if i == j { Expr::one() } else { Expr::zero() };
            if gap.is_none() && !alg.equal(&product, &wanted) {
                gap = Some(if i == j {
                    format!("the {} column is not of length 1", names[i])
                } else {
                    format!(
                        "the {} and {} columns are not perpendicular",
                        names[i], names[j]
                    )
                });
            }
        }
    }
    let turned = vec3::cross(&columns[0], &columns[1]);
    if gap.is_none() && !(0..3).all(|i| alg.equal(&turned[i], &columns[2][i])) {
        gap = Some("the columns are left-handed".to_string());
    }
    match gap {
        None => Ok(()),
        Some(gap) => Err(Fault::new(
            "E0111",
            "this matrix of direction cosines is not a rotation",
            &gap,
            "the columns are the basis vectors of the new frame in the parent: orthonormal and right-handed for all values of coordinates and parameters. If the attitude is unknown, write `quaternion(N, e0, e1, e2, e3)` with four coordinates",
        )),
    }
}
