//! The rotation of a frame in its parent: direction cosines, and angular velocity as linear in the speeds. Knows one frame only.

use super::Fault;
use super::motion::Motion;
use super::quaternion::Quaternion;
use super::value::Evaluator;
use super::vars::Vars;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::model::system::Orientation;
use crate::sym::{Algebra, Expr, Meaning};

/// The rotation of a frame in its parent.
pub enum Rotation {
    /// By an angle about a fixed axis.
    About(Vec3, Expr),
    /// By a quaternion; `true`: a constraint keeps it at length 1.
    Quaternion(Quaternion, bool),
    /// By direction cosines.
    Cosines,
}

impl Rotation {
    /// Direction cosines `r[i][j] = parent_i . own_j`, and what they come from.
    pub fn of(
        at: &mut Evaluator<'_, '_>,
        orientation: &Orientation,
        name: &str,
    ) -> Result<(Mat3, Self), Fault> {
        Ok(match orientation {
            Orientation::Simple { axis, angle } => {
                let angle = at.position_scalar(angle)?;
                let cosines = about_basis(at.alg, *axis as usize, &angle, name);
                (cosines, Self::About(vec3::unit(*axis as usize), angle))
            }
            Orientation::AxisAngle { axis, angle } => {
                let angle = at.position_scalar(angle)?;
                let mut e = vec3::zero();
                for (slot, a) in e.iter_mut().zip(axis) {
                    let x = at.position_scalar(a)?;
                    *slot = at.alg.simplify(&x);
                }
                (
                    about_vector(at.alg, &e, &angle, name),
                    Self::About(e, angle),
                )
            }
            Orientation::Quaternion { parts, unit } => {
                let mut e = std::array::from_fn::<Expr, 4, _>(|_| Expr::zero());
                for (slot, part) in e.iter_mut().zip(parts) {
                    *slot = at.position_scalar(part)?;
                }
                let q = Quaternion::new(at.alg, e, name);
                (q.rotation(at.alg, name), Self::Quaternion(q, *unit))
            }
            Orientation::Matrix { rows } => {
                let mut r = vec3::identity();
                for (a, row) in rows.iter().enumerate() {
                    for (b, entry) in row.iter().enumerate() {
                        let x = at.position_scalar(entry)?;
                        r[a][b] = define_cosine(at.alg, name, (a, b), x);
                    }
                }
                orthonormal(at.alg, &r)?;
                (r, Self::Cosines)
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
            Rotation::About(axis, angle) => Linear::along(axis, &motion.rate_of(alg, vars, angle)),
            Rotation::Quaternion(q, _) => q.spin(alg, vars, motion),
            Rotation::Cosines => cosine_rates(alg, vars, motion, rotation),
        }
    }

    /// Whether the angular velocity does not change at s' = 0, seen from the frame.
    pub fn is_steady(&self, alg: &Algebra, vars: &Vars, motion: &Motion) -> bool {
        match self {
            Rotation::Quaternion(q, true) => q.is_steady(alg, vars, motion),
            _ => false,
        }
    }

    /// Whether it counts as one more rotation between N and the frame.
    pub fn counts(&self) -> bool {
        !matches!(self, Rotation::Cosines)
    }
}

fn define_cosine(alg: &mut Algebra, name: &str, (a, b): (usize, usize), e: Expr) -> Expr {
    alg.define(&format!("r_{name}_{}{}", a + 1, b + 1), e)
}

/// Direction cosines of a rotation about an axis of the frame.
fn about_basis(alg: &mut Algebra, axis: usize, angle: &Expr, name: &str) -> Mat3 {
    let (s, c) = alg.sin_cos(angle);
    let s = alg.define(&format!("sin_{name}"), s);
    let c = alg.define(&format!("cos_{name}"), c);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut r = vec3::identity();
    r[u][u] = c.clone();
    r[v][v] = c;
    r[u][v] = -&s;
    r[v][u] = s;
    r
}

/// Direction cosines of a rotation about a unit vector: `e e^T (1 - c) + 1 c + [e x] s`.
fn about_vector(alg: &mut Algebra, e: &Vec3, angle: &Expr, name: &str) -> Mat3 {
    let (s, c) = alg.sin_cos(angle);
    let mut r = vec3::identity();
    for (a, row) in r.iter_mut().enumerate() {
        for (b, entry) in row.iter_mut().enumerate() {
            let dyad = &e[a] * &e[b] * (Expr::one() - &c);
            let x = if a == b {
                dyad + &c
            } else {
                let sign = if (a + 1) % 3 == b { -1 } else { 1 };
                dyad + Expr::int(sign) * &e[3 - a - b] * &s
            };
            *entry = define_cosine(alg, name, (a, b), x);
        }
    }
    r
}

/// Angular velocity from R^T R' of a general direction-cosine matrix.
fn cosine_rates(alg: &mut Algebra, vars: &Vars, motion: &Motion, r: &Mat3) -> Linear<Vec3> {
    let mut sum = Linear::none();
    for (i, j, k) in [(0, 2, 1), (1, 0, 2), (2, 1, 0)] {
        // omega_i = column j of R . rate of column k of R, (i, k, j) cyclic: w_x = c_z . c_y'
        for row in r {
            let mut rate = motion.rate_of(alg, vars, &row[k]);
            rate.coef.values_mut().for_each(|c| *c = &row[j] * &*c);
            rate.bias = &row[j] * &rate.bias;
            sum.add(&Linear::component(i, rate));
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
    match gap(alg, &vec3::transpose(r)) {
        None => Ok(()),
        Some(gap) => Err(Fault::new(
            "E0111",
            "this matrix of direction cosines is not a rotation",
            &gap,
            "the columns are the basis vectors of the new frame in the parent: orthonormal and right-handed for all values of coordinates and parameters. If the attitude is unknown, write `quaternion(N, e0, e1, e2, e3)` with four coordinates",
        )),
    }
}

/// In what three columns are not an orthonormal right-handed basis.
fn gap(alg: &Algebra, columns: &Mat3) -> Option<String> {
    let names = ["first", "second", "third"];
    for i in 0..3 {
        for j in i..3 {
            let product = vec3::dot(&columns[i], &columns[j]);
            if i == j && !alg.equal(&product, &Expr::one()) {
                return Some(format!("the {} column is not of length 1", names[i]));
            }
            if i < j && !alg.equal(&product, &Expr::zero()) {
                return Some(format!(
                    "the {} and {} columns are not perpendicular",
                    names[i], names[j]
                ));
            }
        }
    }
    let third = vec3::cross(&columns[0], &columns[1]);
    let right_handed = (0..3).all(|i| alg.equal(&third[i], &columns[2][i]));
    (!right_handed).then(|| "the columns are left-handed".to_string())
}
