//! The representative particle (O'Reilly et al., sections 3-7, after Casey): a system of particles as one particle of mass m in a
//! space of 3 dimensions for each of them,
//!
//! `r = sum_a sqrt(m_a/m) (r_a . E_b) ebar_(3a+b-3)`,
//!
//! whose covariant basis `a_K = dr/dq_K` has the mass matrix as its metric, `M_IK = m a_I . a_K`. A second basis belongs to the
//! quasi-velocities: `b_K = sum_L H_LK a_L`, `b^K = sum_L J_KL a^L`, `N = H^T M H`.
//!
//! m may be any positive number; here it is the total mass. Rigid bodies have M, N and forces, but no such vectors.

use super::Quantities;
use super::factor::define_bounded;
use crate::diag::codes::quantities::{E0582, E0583};
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::form::quasi::QuasiVelocities;
use crate::form::{Context, Space, Table};
use crate::mech::vec3::{self, Vec3};
use crate::model::system::{FrameId, LoadKind};
use crate::span::Span;
use crate::sym::{Algebra, Expr, Kernel};
use std::collections::BTreeMap;

/// The system of particles as one particle.
#[derive(Clone, Debug)]
pub struct Representative {
    /// What the components are: `A.x`, `A.y`, `A.z`, three for each particle.
    pub components: Vec<String>,
    /// m.
    pub mass: Expr,
    /// r.
    pub position: Vec<Expr>,
    /// a_K by columns: one row per component, one column per coordinate.
    pub covariant: Matrix,
}

impl Representative {
    /// The construction. Systems with rigid bodies or with a kinetic energy that is stated as such have none.
    pub fn derive(c: &mut Context<'_>) -> diag::Result<Self> {
        if let Some(refusal) = refusal(c) {
            return Err(vec![refusal]);
        }
        let n = c.system.coords.len();
        let (alg, _, k, masses) = c.parts(Space::Accelerations);
        let mass: Expr = masses.iter().map(|m| m.mass.clone()).sum();
        let mass = define_bounded(alg, "total_mass", mass);
        let mut found = Self {
            components: Vec::new(),
            mass,
            position: Vec::new(),
            covariant: Matrix::new(),
        };
        for m in masses {
            let p = &k.points[m.center.index()];
            let ratio = define_bounded(alg, "mass_ratio", &m.mass / &found.mass);
            let weight = alg.apply(Kernel::Sqrt, vec![ratio]);
            let position = k.components(alg, &p.position, FrameId(0), "place");
            let mut columns: Vec<Option<[Expr; 3]>> = vec![None; n];
            for (i, beta) in &k.moving(alg, m.center).coef {
                let label = format!("partial_{}", m.name);
                columns[*i] = Some(k.express(alg, beta, p.frame, FrameId(0), &label));
            }
            for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
                let label = format!("{}_{letter}", m.name);
                found.components.push(format!("{}.{letter}", m.name));
                let e = &weight * &position[axis];
                found
                    .position
                    .push(define_bounded(alg, &format!("r_{label}"), e));
                let row = columns.iter().map(|column| match column {
                    Some(column) => {
                        define_bounded(alg, &format!("a_{label}"), &weight * &column[axis])
                    }
                    None => Expr::zero(),
                });
                let row = row.collect();
                found.covariant.push(row);
            }
        }
        Ok(found)
    }

    /// `B X` of the basis `B` (one row per component) and a matrix.
    fn combined(&self, c: &mut Context<'_>, basis: &Matrix, by: &Matrix, name: &str) -> Matrix {
        let columns = by.first().map_or(0, Vec::len);
        let mut out = Matrix::new();
        for (row, label) in basis.iter().zip(&self.components) {
            let mut new = Vec::with_capacity(columns);
            for j in 0..columns {
                let terms = row.iter().zip(by);
                let sum: Expr = terms
                    .filter(|(a, x)| !a.is_literal_zero() && !x[j].is_literal_zero())
                    .map(|(a, x)| a * &x[j])
                    .sum();
                let label = format!("{name}_{}", label.replace('.', "_"));
                new.push(define_bounded(&mut c.alg, &label, sum));
            }
            out.push(new);
        }
        out
    }
}

/// Why a model has no representative particle.
fn refusal(c: &Context<'_>) -> Option<Diagnostic> {
    let rigid = c.masses.iter().find(|m| m.rotation.is_some());
    let span_of = |name: &str| {
        let body = c.system.bodies.iter().find(|b| b.meta.name == name);
        body.map_or_else(Span::default, |b| b.meta.span)
    };
    let stated = c.energies.as_ref().is_some_and(|e| e.kinetic.is_some());
    let (span, label) = match rigid {
        Some(body) => (
            span_of(&body.name),
            format!("`{}` is a rigid body", body.name),
        ),
        None if stated => (
            c.system.whole(),
            "a kinetic energy is stated as such".to_string(),
        ),
        None if c.masses.is_empty() => {
            return Some(
                Diagnostic::error(
                    E0582,
                    "there is no representative particle: the model has no particles",
                    c.system.whole(),
                    "no mass moves with these coordinates",
                )
                .help("omit it"),
            );
        }
        None => return None,
    };
    Some(
        Diagnostic::error(
            E0583,
            "the vectors of the representative particle exist only for systems of particles",
            span,
            label,
        )
        .help("request `coordinate_mass_matrix`, `quasi_velocity_mass_matrix`, `applied_forces` and `quasi_velocity_forces`, which exist for rigid bodies too"),
    )
}

impl Quantities {
    /// The quasi-velocities: the speeds of the state, then those that constraint rows fix.
    pub fn quasi(&mut self, c: &mut Context<'_>) -> diag::Result<QuasiVelocities> {
        if let Some(known) = &self.quasi {
            return Ok(known.clone());
        }
        let found = QuasiVelocities::of_state(c)?;
        self.quasi = Some(found.clone());
        Ok(found)
    }

    /// The representative particle.
    pub fn particle(&mut self, c: &mut Context<'_>) -> diag::Result<Representative> {
        if let Some(known) = &self.particle {
            return Ok(known.clone());
        }
        let found = Representative::derive(c)?;
        self.particle = Some(found.clone());
        Ok(found)
    }

    /// a^K by columns: `m M^-1` applied to the a_K.
    pub fn contravariant(&mut self, c: &mut Context<'_>) -> diag::Result<Matrix> {
        let particle = self.particle(c)?;
        let factor = self.factor(c)?;
        let mut rows = Matrix::new();
        for (row, label) in particle.covariant.iter().zip(&particle.components) {
            let label = label.replace('.', "_");
            let scaled: Vec<Expr> = row.iter().map(|e| e * &particle.mass).collect();
            let y = factor.forward(&mut c.alg, &scaled, &format!("dual_part_{label}"));
            rows.push(factor.backward(&mut c.alg, &y, &format!("dual_{label}")));
        }
        Ok(rows)
    }

    /// b_K by columns.
    pub fn quasi_basis(&mut self, c: &mut Context<'_>) -> diag::Result<Matrix> {
        let particle = self.particle(c)?;
        let quasi = self.quasi(c)?;
        Ok(particle.combined(c, &particle.covariant, &quasi.inverse, "b"))
    }

    /// b^K by columns.
    pub fn quasi_dual_basis(&mut self, c: &mut Context<'_>) -> diag::Result<Matrix> {
        let particle = self.particle(c)?;
        let quasi = self.quasi(c)?;
        let dual = self.contravariant(c)?;
        let transposed = elim::transposed(&quasi.jacobian);
        Ok(particle.combined(c, &dual, &transposed, "b_dual"))
    }

    /// Phi of the applied loads: `sqrt(m/m_a) F_a` of the forces on particles (O'Reilly et al. 3.6), and `sum Q_K a^K` of loads that do
    /// not act on a particle. Whether there are such loads.
    pub fn applied_force(&mut self, c: &mut Context<'_>) -> diag::Result<(Vec<Expr>, bool)> {
        let particle = self.particle(c)?;
        let direct = if c.coupled {
            vec![Expr::zero(); particle.components.len()]
        } else {
            forces_on_particles(c)?
        };
        let masses: Vec<Expr> = c.masses.iter().map(|m| m.mass.clone()).collect();
        let mut phi = Vec::with_capacity(direct.len());
        for (i, f) in direct.iter().enumerate() {
            if f.is_literal_zero() {
                phi.push(Expr::zero());
                continue;
            }
            let ratio = define_bounded(&mut c.alg, "mass_ratio", &particle.mass / &masses[i / 3]);
            let weight = c.alg.apply(Kernel::Sqrt, vec![ratio]);
            phi.push(weight * f);
        }
        let applied = self.coordinates(c)?.applied().to_vec();
        let mut rest = Vec::with_capacity(applied.len());
        for (k, q) in applied.iter().enumerate() {
            let known: Expr = phi
                .iter()
                .zip(&particle.covariant)
                .map(|(f, row)| f * &row[k])
                .sum();
            rest.push(define_bounded(&mut c.alg, "further_force", q - known));
        }
        let further = rest.iter().any(|e| !c.alg.is_zero(e));
        if further {
            let dual = self.contravariant(c)?;
            for (f, row) in phi.iter_mut().zip(&dual) {
                let more: Expr = row.iter().zip(&rest).map(|(a, q)| a * q).sum();
                *f = &*f + more;
            }
        }
        let named = phi.into_iter().zip(&particle.components);
        let phi = named
            .map(|(e, label)| {
                define_bounded(&mut c.alg, &format!("phi_{}", label.replace('.', "_")), e)
            })
            .collect();
        Ok((phi, further))
    }

    /// `N = H^T M H`, of systems with rigid bodies by their partial velocities: where H is large, next to a singular angle of a body whose
    /// rotation the quasi-velocities are, these are not.
    pub fn quasi_mass(&mut self, c: &mut Context<'_>) -> diag::Result<Matrix> {
        let quasi = self.quasi(c)?;
        if c.masses.iter().any(|m| m.rotation.is_some()) {
            return Ok(by_partial_velocities(c, &quasi));
        }
        let mass = self.coordinates(c)?.mass.clone();
        let n = mass.len();
        let (h, names) = (&quasi.inverse, &quasi.names);
        let mut half = Matrix::new();
        for row in &mass {
            let mut new = Vec::with_capacity(n);
            for (k, name) in names.iter().enumerate() {
                let sum: Expr = row.iter().zip(h).map(|(m, h)| m * &h[k]).sum();
                new.push(define_bounded(&mut c.alg, &format!("momentum_{name}"), sum));
            }
            half.push(new);
        }
        Ok(elim::symmetric(n, |i, j| {
            let sum: Expr = h.iter().zip(&half).map(|(h, m)| &h[i] * &m[j]).sum();
            let name = format!("inertia_{}_{}", names[i], names[j]);
            define_bounded(&mut c.alg, &name, sum)
        }))
    }

    /// `R_K = sum_L H_LK Q_L`
    pub fn quasi_forces(&mut self, c: &mut Context<'_>) -> diag::Result<Vec<Expr>> {
        let quasi = self.quasi(c)?;
        let applied = self.coordinates(c)?.applied().to_vec();
        let mut out = Vec::with_capacity(applied.len());
        for (k, name) in quasi.names.iter().enumerate() {
            let terms = quasi.inverse.iter().zip(&applied);
            let sum: Expr = terms.map(|(h, q)| &h[k] * q).sum();
            out.push(define_bounded(&mut c.alg, &format!("force_{name}"), sum));
        }
        Ok(out)
    }

    /// The tables of this file.
    pub(super) fn geometry_table(
        &mut self,
        c: &mut Context<'_>,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        let coords = c.system.coord_names("");
        Ok(Some(match name {
            "covariant_basis" => {
                let p = self.particle(c)?;
                Table::matrix("covariant_basis", p.components, coords, p.covariant)
            }
            "contravariant_basis" => {
                let entries = self.contravariant(c)?;
                let components = self.particle(c)?.components;
                Table::matrix("contravariant_basis", components, coords, entries)
            }
            "quasi_velocity_basis" => {
                let entries = self.quasi_basis(c)?;
                let (rows, quasi) = (self.particle(c)?.components, self.quasi(c)?);
                let columns = quasi.names.clone();
                quasi.tell(Table::matrix(
                    "quasi_velocity_basis",
                    rows,
                    columns,
                    entries,
                ))
            }
            "quasi_velocity_dual_basis" => {
                let entries = self.quasi_dual_basis(c)?;
                let (rows, quasi) = (self.particle(c)?.components, self.quasi(c)?);
                let columns = quasi.names.clone();
                quasi.tell(Table::matrix(
                    "quasi_velocity_dual_basis",
                    rows,
                    columns,
                    entries,
                ))
            }
            "representative_force" => {
                let (phi, further) = self.applied_force(c)?;
                let components = self.particle(c)?.components;
                let table = Table::vector("representative_force", components, phi);
                if further {
                    table.noted(
                        "Loads that do not act on a particle enter by their projections, `sum Q_K a^K`.",
                    )
                } else {
                    table
                }
            }
            "quasi_velocity_mass_matrix" => {
                let (entries, quasi) = (self.quasi_mass(c)?, self.quasi(c)?);
                let (rows, columns) = (quasi.names.clone(), quasi.names.clone());
                let table = Table::matrix("quasi_velocity_mass_matrix", rows, columns, entries);
                quasi.tell(table)
            }
            "quasi_velocity_forces" => {
                let (entries, quasi) = (self.quasi_forces(c)?, self.quasi(c)?);
                let rows = quasi.names.clone();
                quasi.tell(Table::vector("quasi_velocity_forces", rows, entries))
            }
            _ => return Ok(None),
        }))
    }
}

/// `N_KL = sum m beta_K . beta_L + gamma_K . I . gamma_L`, with `beta_K = sum_I H_IK dv/dq'_I` and likewise gamma, and `H^T M H` of the kinetic energy
/// that is stated as such.
fn by_partial_velocities(c: &mut Context<'_>, quasi: &QuasiVelocities) -> Matrix {
    let n = quasi.names.len();
    let given = c.given_inertia(Space::Accelerations);
    let (alg, _, k, masses) = c.parts(Space::Accelerations);
    let mut mass = vec![vec![Expr::zero(); n]; n];
    let mut add = |left: &[Vec3], right: &[Vec3]| {
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate().skip(i) {
                mass[i][j] = &mass[i][j] + vec3::dot(a, b);
            }
        }
    };
    let combined = |alg: &mut Algebra, partials: &BTreeMap<usize, Vec3>, label: &str| {
        let column = |alg: &mut Algebra, at: usize| {
            let mut sum = vec3::zero();
            for (i, v) in partials {
                sum = vec3::add(&sum, &vec3::scale(&quasi.inverse[*i][at], v));
            }
            let label = format!("{label}_{}", quasi.names[at]);
            k.define_vec(alg, sum, &label)
        };
        (0..n).map(|at| column(alg, at)).collect::<Vec<Vec3>>()
    };
    for m in masses {
        let partials = &k.moving(alg, m.center).coef;
        let beta = combined(alg, partials, &format!("partial_{}", m.name));
        let momenta: Vec<Vec3> = beta.iter().map(|b| vec3::scale(&m.mass, b)).collect();
        add(&momenta, &beta);
        if let Some((f, inertia)) = &m.rotation {
            let partials = &k.turning(alg, *f).coef;
            let gamma = combined(alg, partials, &format!("partial_spin_{}", m.name));
            let moments: Vec<Vec3> = gamma.iter().map(|g| vec3::apply(inertia, g)).collect();
            add(&moments, &gamma);
        }
    }
    if let Some(given) = given {
        let h = &quasi.inverse;
        for (i, row) in given.mass.iter().enumerate() {
            for (j, e) in row.iter().enumerate().filter(|(_, e)| !e.is_literal_zero()) {
                for a in 0..n {
                    for b in a..n {
                        mass[a][b] = &mass[a][b] + &h[i][a] * e * &h[j][b];
                    }
                }
            }
        }
    }
    elim::symmetric(n, |i, j| {
        let name = format!("inertia_{}_{}", quasi.names[i], quasi.names[j]);
        define_bounded(alg, &name, mass[i][j].clone())
    })
}

/// Gravity, and the forces at points at which particles are, in the components of N, particle by particle.
fn forces_on_particles(c: &mut Context<'_>) -> diag::Result<Vec<Expr>> {
    let gravity = c.gravity(Space::Accelerations)?;
    let system = c.system;
    let (alg, values, k, masses) = c.parts(Space::Accelerations);
    let mut forces = vec![Expr::zero(); 3 * masses.len()];
    if let Some(g) = gravity {
        let g = k.components(alg, &g, FrameId(0), "gravity");
        for (a, m) in masses.iter().enumerate() {
            for axis in 0..3 {
                forces[3 * a + axis] = &m.mass * &g[axis];
            }
        }
    }
    for load in &system.loads {
        let LoadKind::Force { point, vector } = &load.kind else {
            continue;
        };
        let Some(a) = masses.iter().position(|m| m.center == *point) else {
            continue;
        };
        let f = values
            .vector(alg, k, vector)
            .map_err(|fault| vec![fault.at(load.span)])?;
        let f = k.components(alg, &f, FrameId(0), "force");
        for axis in 0..3 {
            forces[3 * a + axis] = &forces[3 * a + axis] + &f[axis];
        }
    }
    Ok(forces)
}
