//! The directions in which bodies can be translated and rotated: three of a particle, six of a rigid body, with their partial velocities
//! by q'. Forces and torques resolved along them; which of them suffice to describe the motion, and along which others only reactions act.
//! Knows nothing of formulations.

use super::kinematics::Kinematics;
use super::mass::MassElement;
use super::mixed::Mixed;
use super::value::Values;
use super::vec3;
use super::wrench::Wrench;
use crate::elim::{self, Matrix};
use crate::model::system::{FrameId, PointId, Site};
use crate::sym::{Algebra, Expr};

/// A direction of a body.
#[derive(Clone, Debug)]
pub struct Direction {
    /// Index of the body.
    pub body: usize,
    /// Whether it is a direction of rotation.
    pub rotational: bool,
    /// Axis of the frame.
    pub axis: usize,
    /// The frame.
    pub frame: FrameId,
    /// Partial velocity (or angular velocity) along it, for each rate q'.
    pub partial: Vec<Expr>,
    /// The acceleration along it at q'' = 0.
    pub bias: Expr,
}

/// All directions of a model's bodies, in the order of declaration.
#[derive(Clone, Debug)]
pub struct Directions {
    /// The directions.
    pub list: Vec<Direction>,
    /// Those whose partial velocities are independent; the others' follow from them.
    pub independent: Vec<usize>,
    /// A coordinate for each of these: their partial velocities by these rates are an invertible matrix.
    pub columns: Vec<usize>,
    /// The others: along them reactions act.
    pub dependent: Vec<usize>,
    /// Coordinates whose rates move no body by themselves.
    pub massless: Vec<usize>,
}

/// Forces and torques resolved along the directions of the bodies.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Along each direction.
    pub along: Vec<Expr>,
    /// Generalized forces of what acts on no body: on coordinates, on points and frames without mass.
    pub rest: Vec<Expr>,
    /// Whether every point and frame that can move belongs to a body.
    pub complete: bool,
}

impl Resolved {
    /// No force at all.
    pub fn nothing(directions: usize, coordinates: usize) -> Self {
        Self {
            along: vec![Expr::zero(); directions],
            rest: vec![Expr::zero(); coordinates],
            complete: true,
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Resolved) {
        self.add_along(&other.along);
        sum(&mut self.rest, &other.rest);
    }

    /// Adds forces along the directions.
    pub fn add_along(&mut self, forces: &[Expr]) {
        sum(&mut self.along, forces);
    }
}

fn sum(a: &mut [Expr], b: &[Expr]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = &*a + b);
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Directions {
    /// The directions under q' as speeds.
    pub fn derive(alg: &mut Algebra, k: &Kinematics, masses: &[MassElement]) -> Self {
        let n = k.motion.speeds.len();
        let mut list = Vec::new();
        for (body, m) in masses.iter().enumerate() {
            let p = &k.points[m.center.index()];
            let mut push =
                |frame, rotational, motion: &vec3::Linear<vec3::Vec3>, bias: &vec3::Vec3| {
                    for axis in 0..3 {
                        let mut partial = vec![Expr::zero(); n];
                        for (i, v) in &motion.coef {
                            partial[*i] = v[axis].clone();
                        }
                        list.push(Direction {
                            body,
                            rotational,
                            axis,
                            frame,
                            partial,
                            bias: bias[axis].clone(),
                        });
                    }
                };
            let moving = k.moving(alg, m.center);
            push(p.frame, false, moving, &p.acceleration_bias);
            if let Some((f, _)) = &m.rotation {
                let fm = &k.frames[f.index()];
                push(*f, true, k.turning(alg, *f), &fm.alpha_bias);
            }
        }
        let mut all = Self {
            list,
            independent: Vec::new(),
            columns: Vec::new(),
            dependent: Vec::new(),
            massless: Vec::new(),
        };
        all.choose(alg, n);
        all
    }

    /// The independent directions: in the order of declaration those whose partial velocities are independent of the ones before.
    /// Pivots that cannot vanish come first.
    fn choose(&mut self, alg: &mut Algebra, n: usize) {
        let mut rows: Matrix = self.list.iter().map(|d| d.partial.clone()).collect();
        let mut open: Vec<usize> = (0..rows.len()).collect();
        let mut columns: Vec<usize> = (0..n).collect();
        for certain in [true, false] {
            let mut at = 0;
            while at < open.len() && !columns.is_empty() {
                let row = open[at];
                let mut found: Option<(usize, usize)> = None;
                for c in &columns {
                    let e = &rows[row][*c];
                    if e.is_literal_zero() || alg.is_zero(e) || (certain && !alg.is_nonzero(e)) {
                        continue;
                    }
                    let size = alg.node(e).size();
                    if found.is_none_or(|(s, _)| size < s) {
                        found = Some((size, *c));
                    }
                }
                let Some((_, column)) = found else {
                    at += 1;
                    continue;
                };
                open.remove(at);
                columns.retain(|c| *c != column);
                self.independent.push(row);
                self.columns.push(column);
                let pivot = rows[row].clone();
                for other in &open {
                    if rows[*other][column].is_literal_zero() {
                        continue;
                    }
                    let factor =
                        reduced(alg, "partial_row", &rows[*other][column] / &pivot[column]);
                    for c in &columns {
                        if !pivot[*c].is_literal_zero() {
                            let e = &rows[*other][*c] - &factor * &pivot[*c];
                            rows[*other][*c] = reduced(alg, "partial_row", e);
                        }
                    }
                    rows[*other][column] = Expr::zero();
                }
            }
        }
        self.dependent = open;
        self.massless = columns;
    }

    /// `A: force along N.x`
    pub fn label(&self, values: &Values<'_>, i: usize) -> String {
        let d = &self.list[i];
        let system = values.system;
        format!(
            "{}: {} along {}.{}",
            system.bodies[d.body].meta.name,
            if d.rotational { "torque" } else { "force" },
            system.frames[d.frame.index()].meta.name,
            AXES[d.axis],
        )
    }

    /// `force(A:N.x)`
    pub fn word(&self, values: &Values<'_>, i: usize) -> String {
        let d = &self.list[i];
        let system = values.system;
        format!(
            "{}({}:{}.{})",
            if d.rotational { "torque" } else { "force" },
            system.bodies[d.body].meta.name,
            system.frames[d.frame.index()].meta.name,
            AXES[d.axis],
        )
    }

    /// `reaction_A_x`, `reaction_torque_A_x`
    pub fn name(&self, values: &Values<'_>, i: usize) -> String {
        let d = &self.list[i];
        format!(
            "reaction_{}{}_{}",
            if d.rotational { "torque_" } else { "" },
            values.system.bodies[d.body].meta.name,
            AXES[d.axis],
        )
    }

    /// Forces and torques along the directions: at a point of a body they are moved to its mass centre, with their moment. Those on the
    /// ground are left out.
    pub fn resolve(
        &self,
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        masses: &[MassElement],
        wrench: &Wrench,
    ) -> Resolved {
        let mut along = vec![Expr::zero(); self.list.len()];
        let mut rest = Wrench {
            generalized: wrench.generalized.clone(),
            ..Wrench::default()
        };
        for (site, v) in wrench.acting() {
            let still = stands_still(alg, k, site);
            let body = match site {
                Site::Point(p) => body_at_point(alg, values, k, masses, (p, still)),
                Site::Frame(f) => {
                    body_of_frame(alg, k, masses, (f, still)).map(|body| (body, None))
                }
            };
            let Some((body, arm)) = body else {
                if !still {
                    rest.push(site, v);
                }
                continue;
            };
            let rotational = matches!(site, Site::Frame(_));
            self.push(alg, k, &mut along, (body, rotational), v);
            if let (Some(arm), Some((f, _))) = (arm, &masses[body].rotation) {
                let moment = vec3::cross(&arm, &k.components(alg, v, *f, "part"));
                let moment = Mixed::single(*f, moment);
                self.push(alg, k, &mut along, (body, true), &moment);
            }
        }
        Resolved {
            along,
            complete: rest.acting().next().is_none(),
            rest: rest.generalized_forces(alg, k),
        }
    }

    fn push(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        along: &mut [Expr],
        (body, rotational): (usize, bool),
        v: &Mixed,
    ) {
        let own = |d: &Direction| d.body == body && d.rotational == rotational;
        let Some(frame) = self.list.iter().find(|d| own(d)).map(|d| d.frame) else {
            return;
        };
        let components = k.components(alg, v, frame, "part");
        for (d, sum) in self.list.iter().zip(along).filter(|(d, _)| own(d)) {
            *sum = &*sum + &components[d.axis];
        }
    }

    /// Generalized forces as forces along the independent directions: `sum of force . partial velocity = g` on the chosen columns. Several at
    /// once, one per column of the result; with them the factors that are divided by. `None` if that is too much.
    pub fn as_forces(&self, alg: &mut Algebra, forces: &[Vec<Expr>]) -> Option<elim::Solved> {
        if forces.is_empty() || self.independent.is_empty() {
            return Some(elim::Solved {
                x: vec![vec![Expr::zero(); forces.len()]; self.independent.len()],
                pivots: Vec::new(),
                exact: true,
            });
        }
        let transposed: Matrix = self
            .columns
            .iter()
            .map(|c| {
                let rows = self.independent.iter();
                rows.map(|r| self.list[*r].partial[*c].clone()).collect()
            })
            .collect();
        let rhs: Matrix = self
            .columns
            .iter()
            .map(|c| forces.iter().map(|g| g[*c].clone()).collect())
            .collect();
        elim::solve(alg, &transposed, &rhs)
    }
}

/// Simplified in expanded form, with a name in sequenced form; 0 if it is identically zero.
pub fn reduced(alg: &mut Algebra, name: &str, e: Expr) -> Expr {
    if e.is_literal_zero() || alg.is_zero(&e) {
        return Expr::zero();
    }
    if alg.is_closed() {
        alg.simplify(&e)
    } else {
        alg.define(name, e)
    }
}

/// Whether no rate moves a point or turns a frame.
fn stands_still(alg: &mut Algebra, k: &Kinematics, site: Site) -> bool {
    let partials = k.partials(alg, site).1.coef.values();
    partials.flatten().all(|e| alg.is_zero(e))
}

/// The body that a force at a point acts on, with the point's position from its centre in its own frame (`None` at the centre): one whose
/// centre is there, or a rigid body in which it is fixed; of several the one by whose frame the point is defined, else the first.
///
/// A point that stands still is a point of the ground, such as the one from which a pendulum hangs, unless it is the centre of a body or
/// defined by the frame of one.
fn body_at_point(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    masses: &[MassElement],
    (p, still): (PointId, bool),
) -> Option<(usize, Option<vec3::Vec3>)> {
    if let Some(body) = masses.iter().position(|m| m.center == p) {
        return Some((body, None));
    }
    let mut found: Option<(bool, usize, Option<vec3::Vec3>)> = None;
    for (body, m) in masses.iter().enumerate() {
        let arm = k.arm(m.center, p).ok()?;
        let frame = m.rotation.as_ref().map_or(FrameId(0), |(f, _)| *f);
        let arm = k.components(alg, &arm, frame, "part");
        let there = arm.iter().all(|e| alg.is_zero(e));
        let mut at = values.with(alg, k);
        let arm = match (&m.rotation, there) {
            (_, true) => None,
            (Some(_), false) if arm.iter().all(|e| at.is_fixed(e)) => Some(arm),
            _ => continue,
        };
        let parts = &k.points[p.index()].offset.parts;
        let own = m.rotation.is_some() && parts.contains_key(&frame);
        if still && (!own || frame == FrameId(0)) {
            continue;
        }
        if found.as_ref().is_none_or(|(first, ..)| own && !first) {
            found = Some((own, body, arm));
        }
    }
    found.map(|(_, body, arm)| (body, arm))
}

/// The body that a torque on a frame acts on: one whose frame it is, or in whose frame it is fixed. Any other frame that does not turn is
/// the ground's.
fn body_of_frame(
    alg: &mut Algebra,
    k: &Kinematics,
    masses: &[MassElement],
    (f, still): (FrameId, bool),
) -> Option<usize> {
    let frame = |m: &MassElement| m.rotation.as_ref().map(|(own, _)| *own);
    if let Some(body) = masses.iter().position(|m| frame(m) == Some(f)) {
        return Some(body);
    }
    if still {
        return None;
    }
    let own = k.turning(alg, f).clone();
    masses.iter().position(|m| {
        let Some(other) = frame(m) else { return false };
        let theirs = k.turning(alg, other);
        let mut list: Vec<usize> = own.coef.keys().chain(theirs.coef.keys()).copied().collect();
        list.sort_unstable();
        list.dedup();
        let none = vec3::zero();
        list.iter().all(|i| {
            let theirs = theirs.coef.get(i).unwrap_or(&none);
            let theirs = k.express(alg, theirs, other, f, "turned");
            let own = own.coef.get(i).unwrap_or(&none);
            own.iter().zip(&theirs).all(|(a, b)| alg.equal(a, b))
        })
    })
}
