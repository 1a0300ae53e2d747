//! Accelerations from Gauss's principle of least constraint, for tests.
//!
//! Nothing here is shared with the formulations under test: a mechanism is a handful of point masses whose places are written
//! down by hand as functions of the coordinates, differentiated twice in time by [`Jet`]s. Of all accelerations that the
//! constraints allow, the true ones minimise `sum of m |a - F/m|^2 / 2`.

pub mod geometry;
pub mod jet;
pub mod mechanisms;

pub use geometry::{Axes, Vec3};
pub use jet::Jet;
use nalgebra::{DMatrix, DVector};

/// The motion at an instant.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Time, with rate one.
    pub t: Jet,
    /// Coordinates with their rates and accelerations.
    pub q: Vec<Jet>,
    /// The model's inputs.
    pub inputs: Vec<f64>,
}

/// A constraint row, `lhs - rhs` along the motion.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// On positions.
    Holonomic(Jet),
    /// On velocities.
    Velocity(Jet),
}

/// A mechanism of point masses.
pub trait Mechanism {
    /// Masses and where they are.
    fn masses(&self, motion: &Motion) -> Vec<(f64, Vec3)>;
    /// Acceleration of free fall.
    fn gravity(&self) -> [f64; 3] {
        [0.0; 3]
    }
    /// Applied forces and the places that they act on.
    fn loads(&self, _motion: &Motion) -> Vec<(Vec3, [f64; 3])> {
        Vec::new()
    }
    /// Forces conjugate to the coordinates; empty if there are none.
    fn generalized(&self, _motion: &Motion) -> Vec<f64> {
        Vec::new()
    }
    /// Constraint rows, dependent ones allowed.
    fn constraints(&self, _motion: &Motion) -> Vec<Row> {
        Vec::new()
    }
}

/// What Gauss's principle gives at a state.
#[derive(Clone, Debug)]
pub struct Solution {
    /// q''
    pub accelerations: Vec<f64>,
    /// A^T lambda; `None` where there are no constraints
    pub constraint_force: Option<Vec<f64>>,
    /// T
    pub kinetic_energy: f64,
    /// V, of gravity alone
    pub potential_energy: f64,
    /// 1/2 sum of m |a|^2
    pub gibbs_function: f64,
    /// M for u = q', by rows
    pub mass_matrix: Vec<Vec<f64>>,
    /// Largest violation of a constraint by the state itself.
    pub violation: f64,
}

/// Singular values below this share of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-10;

fn motion(t: f64, q: &[f64], qd: &[f64], qdd: &[f64], inputs: &[f64]) -> Motion {
    Motion {
        t: Jet::new(t, 1.0, 0.0),
        q: (0..q.len())
            .map(|i| Jet::new(q[i], qd[i], qdd[i]))
            .collect(),
        inputs: inputs.to_vec(),
    }
}

/// The motion of one unit of acceleration in coordinate `k` and none in the others.
fn unit(t: f64, q: &[f64], qd: &[f64], k: usize, inputs: &[f64]) -> Motion {
    let mut qdd = vec![0.0; q.len()];
    qdd[k] = 1.0;
    motion(t, q, qd, &qdd, inputs)
}

/// Second derivative of a holonomic row, first derivative of a velocity row: affine in q''.
fn differentiated(row: &Row) -> f64 {
    match row {
        Row::Holonomic(jet) => jet.second,
        Row::Velocity(jet) => jet.rate,
    }
}

fn violation(row: &Row) -> f64 {
    match row {
        Row::Holonomic(jet) => jet.value.abs().max(jet.rate.abs()),
        Row::Velocity(jet) => jet.value.abs(),
    }
}

/// Solves for the accelerations at a state.
pub fn solve(mechanism: &dyn Mechanism, t: f64, q: &[f64], qd: &[f64], inputs: &[f64]) -> Solution {
    let n = q.len();
    let still = motion(t, q, qd, &vec![0.0; n], inputs);
    let base = mechanism.masses(&still);
    let base_loads = mechanism.loads(&still);
    let base_rows = mechanism.constraints(&still);
    let gravity = mechanism.gravity();

    // Places depend on q alone, so the coefficient of q''_k in a second derivative is the partial derivative by q_k.
    let mut partials: Vec<Vec<[f64; 3]>> = Vec::new();
    let mut matrix = DMatrix::zeros(base_rows.len(), n);
    let mut force = DVector::from_vec(mechanism.generalized(&still));
    if force.is_empty() {
        force = DVector::zeros(n);
    }
    for k in 0..n {
        let moved = unit(t, q, qd, k, inputs);
        let masses = mechanism.masses(&moved);
        partials.push(self::partials(&masses, &base));
        for ((place, load), (place0, _)) in mechanism.loads(&moved).iter().zip(&base_loads) {
            force[k] += (0..3)
                .map(|i| load[i] * (place[i].second - place0[i].second))
                .sum::<f64>();
        }
        for (r, (row, row0)) in mechanism
            .constraints(&moved)
            .iter()
            .zip(&base_rows)
            .enumerate()
        {
            matrix[(r, k)] = differentiated(row) - differentiated(row0);
        }
    }
    let right = DVector::from_iterator(
        base_rows.len(),
        base_rows.iter().map(|r| -differentiated(r)),
    );

    let mut mass_matrix = DMatrix::zeros(n, n);
    add_inertia(&mut mass_matrix, &mut force, &base, &partials, gravity);

    let accelerations = least_constraint(&mass_matrix, &force, &matrix, &right);
    let constraint_force = &mass_matrix * &accelerations - &force;
    let end = motion(t, q, qd, accelerations.as_slice(), inputs);
    Solution {
        kinetic_energy: half_square(|c| c.rate, &base),
        gibbs_function: half_square(|c| c.second, &mechanism.masses(&end)),
        potential_energy: base
            .iter()
            .map(|(m, p)| -m * (0..3).map(|i| gravity[i] * p[i].value).sum::<f64>())
            .sum(),
        accelerations: accelerations.as_slice().to_vec(),
        constraint_force: (!base_rows.is_empty()).then(|| constraint_force.as_slice().to_vec()),
        mass_matrix: mass_matrix
            .row_iter()
            .map(|r| r.iter().copied().collect())
            .collect(),
        violation: base_rows.iter().map(violation).fold(0.0, f64::max),
    }
}

/// The partial derivatives of positions by a coordinate, from a motion with a unit of its acceleration and one with none.
pub fn partials(moved: &[(f64, Vec3)], base: &[(f64, Vec3)]) -> Vec<[f64; 3]> {
    let pairs = moved.iter().zip(base);
    pairs
        .map(|((_, p), (_, p0))| std::array::from_fn(|i| p[i].second - p0[i].second))
        .collect()
}

/// Adds M and what inertia and gravity contribute to the force, given the partial derivatives of positions by each coordinate.
pub fn add_inertia(
    mass_matrix: &mut DMatrix<f64>,
    force: &mut DVector<f64>,
    base: &[(f64, Vec3)],
    partials: &[Vec<[f64; 3]>],
    gravity: [f64; 3],
) {
    let n = partials.len();
    for (p, (mass, place)) in base.iter().enumerate() {
        for i in 0..3 {
            for j in 0..n {
                force[j] += mass * partials[j][p][i] * (gravity[i] - place[i].second);
                for k in 0..n {
                    mass_matrix[(j, k)] += mass * partials[j][p][i] * partials[k][p][i];
                }
            }
        }
    }
}

/// `1/2 sum of m |x|^2` of velocities or accelerations.
pub fn half_square(pick: fn(&Jet) -> f64, masses: &[(f64, Vec3)]) -> f64 {
    let square = |p: &Vec3| p.iter().map(|c| pick(c) * pick(c)).sum::<f64>();
    masses.iter().map(|(m, p)| 0.5 * m * square(p)).sum()
}

/// Minimises `1/2 x.M.x - f.x` over `A x = b` on the null space of A, which may be rank deficient.
pub fn least_constraint(
    mass: &DMatrix<f64>,
    force: &DVector<f64>,
    a: &DMatrix<f64>,
    b: &DVector<f64>,
) -> DVector<f64> {
    let n = mass.nrows();
    let gram = nalgebra::SymmetricEigen::new(a.transpose() * a);
    let largest = gram.eigenvalues.iter().copied().fold(0.0, f64::max);
    let free: Vec<usize> = (0..n)
        .filter(|&k| gram.eigenvalues[k] <= RANK_TOLERANCE * largest)
        .collect();
    let held: Vec<usize> = (0..n).filter(|k| !free.contains(k)).collect();
    let null = gram.eigenvectors.select_columns(&free);
    let range = gram.eigenvectors.select_columns(&held);
    let mut x = DVector::zeros(n);
    if !held.is_empty() {
        // Least squares in the held directions only: A has full column rank there.
        let reduced = (a * &range).qr();
        let coefficients = reduced
            .r()
            .solve_upper_triangular(&(reduced.q().transpose() * b));
        x += range * coefficients.unwrap_or_else(|| DVector::zeros(held.len()));
    }
    if !free.is_empty() {
        let reduced = null.transpose() * mass * &null;
        let rest = null.transpose() * (force - mass * &x);
        x += &null
            * reduced
                .lu()
                .solve(&rest)
                .unwrap_or_else(|| DVector::zeros(free.len()));
    }
    x
}
