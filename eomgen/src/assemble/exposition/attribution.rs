//! To whom each term of the equations of motion belongs: the inertia of each body, each load, gravity on each body, each energy. The parts
//! are formed one by one and their sum is compared with the equation exactly.

use super::speech::Speech;
use crate::assemble::Work;
use crate::assemble::exposition::ENTRIES;
use crate::diag::Diagnostic;
use crate::form::{Space, solution};
use crate::mech::vec3;
use crate::model::system::{EnergyKind, Load, LoadKind};
use crate::notation::Math;
use crate::sym::Expr;

/// Whose a term is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// `inertia`, `velocity terms`, `gravity`, `force`, `torque`, `generalized force`, `potential`, `dissipation`, `kinetic energy`, `non-ideal force`.
    pub kind: &'static str,
    /// The body, point, frame, coordinate or energy by its name in the model.
    pub on: String,
    /// The doc comment of the load.
    pub docs: String,
}

/// One equation as the sum of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Attributed {
    /// The unknown that the equation belongs to.
    pub of: Math,
    /// Parts that are not zero, as they stand on the left side; `None` is long.
    pub parts: Vec<(Source, Option<Math>)>,
    /// The force of the constraints, on the right side.
    pub right: Math,
}

/// The equations term by term.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Attribution {
    /// Each equation is the sum of these parts, exactly.
    Exact(Vec<Attributed>),
    /// The formulation's equations are not the balances along the speeds, but come of them.
    Combined,
    /// The equations are not stated.
    #[default]
    Unstated,
    /// So many parts that they are not listed.
    Large(usize),
}

impl Work<'_> {
    /// Generalized active forces conjugate to the speeds of a space, load by load; those that act nowhere are left out.
    pub(super) fn shares(
        &mut self,
        space: Space,
    ) -> Result<Vec<(Source, Vec<Expr>)>, Vec<Diagnostic>> {
        let system = self.c.system;
        let mut list = Vec::new();
        if let Some(g) = self.c.gravity(space)? {
            let (alg, _, k, masses) = self.c.parts(space);
            for m in masses {
                let p = &k.points[m.center.index()];
                let g = k.components(alg, &g, p.frame, "gravity");
                let mut q = vec![Expr::zero(); k.motion.speeds.len()];
                for (i, beta) in &p.velocity.coef {
                    q[*i] = &m.mass * vec3::dot(beta, &g);
                }
                list.push((source("gravity", &m.name, ""), q));
            }
        }
        for loads in together(&system.loads) {
            let q = self.of_loads(space, loads)?;
            list.push((self.load(loads, ""), q));
        }
        list.extend(self.of_energies(space)?);
        for loads in together(&system.nonideal) {
            let q = self.of_loads(space, loads)?;
            list.push((self.load(loads, "non-ideal "), q));
        }
        let alg = &self.c.alg;
        list.retain(|(_, q)| q.iter().any(|e| !alg.is_zero(e)));
        Ok(list)
    }

    fn of_loads(&mut self, space: Space, loads: &[Load]) -> Result<Vec<Expr>, Vec<Diagnostic>> {
        let (alg, values, k, _) = self.c.parts(space);
        values.generalized_forces(alg, k, loads)
    }

    /// Potentials and dissipations one by one.
    fn of_energies(&mut self, space: Space) -> Result<Vec<(Source, Vec<Expr>)>, Vec<Diagnostic>> {
        let system = self.c.system;
        let vars = self.c.vars.clone();
        let mut list = Vec::new();
        for e in &system.energies {
            let (by, kind) = match e.kind {
                EnergyKind::Kinetic => continue,
                EnergyKind::Potential => (&vars.coords, "potential"),
                EnergyKind::Dissipation => (&vars.rates, "dissipation"),
            };
            let (alg, values, k, _) = self.c.parts(Space::Rates);
            let value = values.scalar(alg, k, &e.value);
            let value = value.map_err(|fault| vec![fault.at(e.span)])?;
            let slopes: Vec<Expr> = by.iter().map(|v| -self.c.alg.partial(&value, *v)).collect();
            let motion = self.c.kinematics(space).motion.clone();
            let mut q = vec![Expr::zero(); motion.speeds.len()];
            for (slope, rate) in slopes.iter().zip(&motion.rates) {
                let slope = match space {
                    Space::Rates => slope.clone(),
                    Space::Speeds => self.c.in_speeds(slope),
                };
                for (s, h) in &rate.coef {
                    q[*s] = &q[*s] + h * &slope;
                }
            }
            list.push((source(kind, &e.name, &e.docs), q));
        }
        Ok(list)
    }

    /// What a load is called: a pair of opposite ones by both sides.
    fn load(&self, loads: &[Load], prefix: &'static str) -> Source {
        let system = self.c.system;
        let place = |load: &Load| match &load.kind {
            LoadKind::Force { point, .. } => system.points[point.index()].meta.name.clone(),
            LoadKind::Torque { frame, .. } => system.frames[frame.index()].meta.name.clone(),
            LoadKind::Generalized { coord, .. } => system.coords[coord.index()].meta.name.clone(),
        };
        let kind = match (loads.first().map(|l| &l.kind), prefix.is_empty()) {
            (Some(LoadKind::Force { .. }), true) => "force",
            (Some(LoadKind::Force { .. }), false) => "non-ideal force",
            (Some(LoadKind::Torque { .. }), true) => "torque",
            (Some(LoadKind::Torque { .. }), false) => "non-ideal torque",
            (_, true) => "generalized force",
            (_, false) => "non-ideal generalized force",
        };
        let places: Vec<String> = loads.iter().map(place).collect();
        let docs = loads.first().map_or("", |l| l.docs.as_str());
        source(kind, &places.join(" and "), docs)
    }

    /// Inertia of each body: with the unknowns, and what is left at z' = 0.
    fn inertias(&mut self, space: Space) -> Vec<(Source, Vec<Expr>)> {
        let given = self.c.given_inertia(space);
        let dots = self.c.kinematics(space).motion.speed_dots.clone();
        let mut list = Vec::new();
        let (alg, _, k, masses) = self.c.parts(space);
        for m in masses {
            let n = dots.len();
            let (mut with, mut without) = (vec![Expr::zero(); n], vec![Expr::zero(); n]);
            let p = &k.points[m.center.index()];
            let mut linear = vec3::zero();
            for (j, beta) in &p.velocity.coef {
                linear = vec3::add(&linear, &vec3::scale(&alg.var(dots[*j]), beta));
            }
            for (i, beta) in &p.velocity.coef {
                with[*i] = &with[*i] + &m.mass * vec3::dot(beta, &linear);
                without[*i] = &without[*i] + &m.mass * vec3::dot(beta, &p.acceleration_bias);
            }
            if let Some((f, inertia)) = &m.rotation {
                let fm = &k.frames[f.index()];
                let mut angular = vec3::zero();
                for (j, gamma) in &fm.omega.coef {
                    angular = vec3::add(&angular, &vec3::scale(&alg.var(dots[*j]), gamma));
                }
                let spin = vec3::apply(inertia, &fm.omega_value);
                let rest = vec3::add(
                    &vec3::apply(inertia, &fm.alpha_bias),
                    &vec3::cross(&fm.omega_value, &spin),
                );
                let moment = vec3::apply(inertia, &angular);
                for (i, gamma) in &fm.omega.coef {
                    with[*i] = &with[*i] + vec3::dot(gamma, &moment);
                    without[*i] = &without[*i] + vec3::dot(gamma, &rest);
                }
            }
            list.push((source("inertia", &m.name, ""), with));
            list.push((source("velocity terms", &m.name, ""), without));
        }
        if let Some(given) = given {
            let terms = given.mass.iter().map(|row| {
                let terms = row.iter().zip(&dots);
                terms.map(|(m, d)| m * self.c.alg.var(*d)).sum()
            });
            let with: Vec<Expr> = terms.collect();
            list.push((source("inertia", "the kinetic energy given", ""), with));
            list.push((
                source("velocity terms", "the kinetic energy given", ""),
                given.rest,
            ));
        }
        list
    }

    /// Every equation as a sum of parts, if it is that.
    pub(super) fn attributed(
        &mut self,
        speech: &mut Speech,
    ) -> Result<Attribution, Vec<Diagnostic>> {
        if self.unstated {
            return Ok(Attribution::Unstated);
        }
        let e = self.formulated.equations.clone();
        let space = e.space;
        let dots = self.c.kinematics(space).motion.speed_dots.clone();
        if e.mass.len() != dots.len() || e.coupling.is_some() {
            return Ok(Attribution::Combined);
        }
        let mut parts = self.inertias(space);
        for (source, q) in self.shares(space)? {
            parts.push((source, q.iter().map(|e| -e).collect()));
        }
        if parts.len() * dots.len() > ENTRIES {
            return Ok(Attribution::Large(parts.len() * dots.len()));
        }
        for (i, row) in e.mass.iter().enumerate() {
            let terms = row.iter().zip(&dots);
            let inertia: Expr = terms.map(|(m, d)| m * self.c.alg.var(*d)).sum();
            let sum: Expr = parts.iter().map(|(_, list)| list[i].clone()).sum();
            if !self.c.alg.is_zero(&(inertia - &e.forcing[i] - sum)) {
                return Ok(Attribution::Combined);
            }
        }
        let pulls = self.constraint_pulls(space, e.closure.is_some());
        let mut list = Vec::new();
        for (i, dot) in dots.iter().enumerate() {
            let mut own = Vec::new();
            for (source, values) in &parts {
                if !self.c.alg.is_zero(&values[i]) {
                    own.push((source.clone(), speech.say(&mut self.c.alg, &values[i])));
                }
            }
            let right = speech.say(&mut self.c.alg, &pulls[i]);
            list.push(Attributed {
                of: speech.symbol(&self.c.alg, *dot),
                parts: own,
                right: right.unwrap_or_else(|| Math::Text("the force of the constraints".into())),
            });
        }
        Ok(Attribution::Exact(list))
    }

    /// `A^T lambda` in the unknowns of a space.
    pub(super) fn constraint_pulls(&mut self, space: Space, rows: bool) -> Vec<Expr> {
        let n = self.c.kinematics(space).motion.speeds.len();
        if !rows {
            return vec![Expr::zero(); n];
        }
        let all = self.c.constraints.matrix();
        let b = vec![Expr::zero(); all.len()];
        let (a, _) = solution::in_space(&mut self.c, space, &all, &b);
        let lambda = self.multiplier_symbols();
        let row = |i: usize| a.iter().zip(&lambda).map(|(row, l)| &row[i] * l).sum();
        (0..n).map(row).collect()
    }
}

fn source(kind: &'static str, on: &str, docs: &str) -> Source {
    Source {
        kind,
        on: on.into(),
        docs: docs.into(),
    }
}

/// Loads of one statement together.
fn together(loads: &[Load]) -> Vec<&[Load]> {
    loads.chunk_by(|a, b| a.span == b.span).collect()
}
