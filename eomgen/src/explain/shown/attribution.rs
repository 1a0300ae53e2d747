//! To whom each term of the equations of motion belongs: the inertia of each body, each load, gravity on each body, each energy. The parts
//! are formed one by one and their sum is compared with the equation exactly.

use super::{ENTRIES, Page};
use crate::diag::Diagnostic;
use crate::form::{Context, Space};
use crate::mech::mass::MassElement;
use crate::mech::vec3;
use crate::model::System;
use crate::model::system::{EnergyKind, Load, LoadKind};
use crate::notation::Math;
use crate::sym::{Expr, Var};

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

type Share = (Source, Vec<Expr>);

/// Generalized active forces conjugate to the speeds of a space, load by load; those that act nowhere are left out.
pub(super) fn shares(c: &mut Context<'_>, space: Space) -> Result<Vec<Share>, Vec<Diagnostic>> {
    let system = c.system;
    let mut list = Vec::new();
    if let Some(g) = c.gravity(space)? {
        let (alg, _, k, masses) = c.parts(space);
        for m in masses {
            let p = &k.points[m.center.index()];
            let g = k.components(alg, &g, p.frame, "gravity");
            let mut q = vec![Expr::zero(); k.motion.speeds.len()];
            for (i, beta) in &k.moving(alg, m.center).coef {
                q[*i] = &m.mass * vec3::dot(beta, &g);
            }
            list.push((source("gravity", &m.name, ""), q));
        }
    }
    for loads in together(&system.loads) {
        list.push((on(system, loads, ""), of_loads(c, space, loads)?));
    }
    list.extend(of_energies(c, space)?);
    for loads in together(&system.nonideal) {
        list.push((on(system, loads, "non-ideal "), of_loads(c, space, loads)?));
    }
    list.retain(|(_, q)| q.iter().any(|e| !c.alg.is_zero(e)));
    Ok(list)
}

fn of_loads(
    c: &mut Context<'_>,
    space: Space,
    loads: &[Load],
) -> Result<Vec<Expr>, Vec<Diagnostic>> {
    let (alg, values, k, _) = c.parts(space);
    values.generalized_forces(alg, k, loads)
}

/// Potentials and dissipations one by one.
fn of_energies(c: &mut Context<'_>, space: Space) -> Result<Vec<Share>, Vec<Diagnostic>> {
    let vars = c.vars.clone();
    let mut list = Vec::new();
    for e in &c.system.energies {
        let (by, kind) = match e.kind {
            EnergyKind::Kinetic => continue,
            EnergyKind::Potential => (&vars.coords, "potential"),
            EnergyKind::Dissipation => (&vars.rates, "dissipation"),
        };
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        let value = values.scalar(alg, k, &e.value);
        let value = value.map_err(|fault| vec![fault.at(e.span)])?;
        let slopes: Vec<Expr> = by.iter().map(|v| -c.alg.partial(&value, *v)).collect();
        let motion = c.kinematics(space).motion.clone();
        let mut q = vec![Expr::zero(); motion.speeds.len()];
        for (slope, rate) in slopes.iter().zip(&motion.rates) {
            let slope = match space {
                Space::Accelerations => slope.clone(),
                Space::SpeedRates | Space::Spins | Space::Whole => c.in_speeds(slope),
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
fn on(system: &System, loads: &[Load], prefix: &'static str) -> Source {
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
    // A force on a body comes with its moment, which is no load of its own.
    let same = |a: &LoadKind, b: &LoadKind| std::mem::discriminant(a) == std::mem::discriminant(b);
    let main = loads.iter().filter(|l| same(&l.kind, &loads[0].kind));
    let places: Vec<String> = main.map(place).collect();
    let docs = loads.first().map_or("", |l| l.docs.as_str());
    source(kind, &places.join(" and "), docs)
}

/// Inertia of each body: with the unknowns, and what is left at z' = 0.
fn inertias(c: &mut Context<'_>, space: Space) -> Vec<Share> {
    let given = c.given_inertia(space);
    let dots = c.kinematics(space).motion.speed_dots.clone();
    let masses = c.masses.clone();
    let mut list = Vec::new();
    for m in &masses {
        let (with, without) = inertia(c, space, m, &dots);
        list.push((source("inertia", &m.name, ""), with));
        list.push((source("velocity terms", &m.name, ""), without));
    }
    if let Some(given) = given {
        let with = given.mass.iter().map(|row| sum(c, row, &dots)).collect();
        let on = "the kinetic energy given";
        list.push((source("inertia", on, ""), with));
        list.push((source("velocity terms", on, ""), given.rest));
    }
    list
}

/// Of one body.
fn inertia(
    c: &mut Context<'_>,
    space: Space,
    m: &MassElement,
    dots: &[Var],
) -> (Vec<Expr>, Vec<Expr>) {
    let (alg, _, k, _) = c.parts(space);
    let n = dots.len();
    let (mut with, mut without) = (vec![Expr::zero(); n], vec![Expr::zero(); n]);
    let p = &k.points[m.center.index()];
    let moving = k.moving(alg, m.center);
    let mut linear = vec3::zero();
    for (j, beta) in &moving.coef {
        linear = vec3::add(&linear, &vec3::scale(&alg.var(dots[*j]), beta));
    }
    for (i, beta) in &moving.coef {
        with[*i] = &with[*i] + &m.mass * vec3::dot(beta, &linear);
        without[*i] = &without[*i] + &m.mass * vec3::dot(beta, &p.acceleration_bias);
    }
    if let Some((f, inertia)) = &m.rotation {
        let fm = &k.frames[f.index()];
        let turning = k.turning(alg, *f);
        let mut angular = vec3::zero();
        for (j, gamma) in &turning.coef {
            angular = vec3::add(&angular, &vec3::scale(&alg.var(dots[*j]), gamma));
        }
        let spin = vec3::apply(inertia, &fm.omega_value);
        let rest = vec3::add(
            &vec3::apply(inertia, &fm.alpha_bias),
            &vec3::cross(&fm.omega_value, &spin),
        );
        let moment = vec3::apply(inertia, &angular);
        for (i, gamma) in &turning.coef {
            with[*i] = &with[*i] + vec3::dot(gamma, &moment);
            without[*i] = &without[*i] + vec3::dot(gamma, &rest);
        }
    }
    (with, without)
}

/// A row times the unknowns.
fn sum(c: &Context<'_>, row: &[Expr], dots: &[Var]) -> Expr {
    let terms = row.iter().zip(dots);
    terms.map(|(m, d)| m * c.alg.var(*d)).sum()
}

impl Page<'_, '_, '_> {
    /// Every equation as a sum of parts, if it is that.
    pub(super) fn attributed(&mut self) -> Result<Attribution, Vec<Diagnostic>> {
        if !self.derivation.found.stated {
            return Ok(Attribution::Unstated);
        }
        let e = &self.derivation.found.formulated.equations;
        let c = self.c();
        let dots = c.kinematics(e.space).motion.speed_dots.clone();
        if e.mass.len() != dots.len() || e.coupling.is_some() {
            return Ok(Attribution::Combined);
        }
        let mut parts = inertias(c, e.space);
        for (source, q) in shares(c, e.space)? {
            parts.push((source, q.iter().map(|e| -e).collect()));
        }
        if parts.len() * dots.len() > ENTRIES {
            return Ok(Attribution::Large(parts.len() * dots.len()));
        }
        for (i, row) in e.mass.iter().enumerate() {
            let inertia = sum(c, row, &dots);
            let sum: Expr = parts.iter().map(|(_, list)| list[i].clone()).sum();
            if !c.alg.is_zero(&(inertia - &e.forcing[i] - sum)) {
                return Ok(Attribution::Combined);
            }
        }
        let forces = self.constraint_forces(e.space, e.closure.is_some());
        let mut list = Vec::new();
        for (i, (dot, force)) in dots.iter().zip(&forces).enumerate() {
            let mut own = Vec::new();
            for (source, values) in &parts {
                if !self.c().alg.is_zero(&values[i]) {
                    own.push((source.clone(), self.math(&values[i])));
                }
            }
            let right = self.math(force);
            list.push(Attributed {
                of: self.symbol(*dot),
                parts: own,
                right: right.unwrap_or_else(|| Math::Text("the force of the constraints".into())),
            });
        }
        Ok(Attribution::Exact(list))
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
