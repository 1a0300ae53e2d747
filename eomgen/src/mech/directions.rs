//! The directions in which bodies can be pushed and turned: three of a particle, six of a rigid body, with their partial velocities
//! by q'. What forces and torques come to on them, which of them carry the motion and which only transmit reactions.
//! Knows nothing of formulations.

use super::kinematics::Kinematics;
use super::mass::MassElement;
use super::value::{Mixed, Values};
use super::vec3;
use super::wrench::{Wrench, in_frame};
use crate::elim::{self, Matrix};
use crate::model::system::{FrameId, PointId};
use crate::sym::{Algebra, Expr};

/// A direction of a body.
#[derive(Clone, Debug)]
pub struct Direction {
    /// Index of the body.
    pub body: usize,
    /// Whether the body turns about it.
    pub turns: bool,
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
    /// Those that carry the motion: their partial velocities are independent, and the others' follow from them.
    pub carrying: Vec<usize>,
    /// A coordinate for each of these: their partial velocities by these rates are an invertible matrix.
    pub columns: Vec<usize>,
    /// The others: along them bodies bear reactions.
    pub bearing: Vec<usize>,
    /// Coordinates whose rates move no body by themselves.
    pub massless: Vec<usize>,
}

/// What forces and torques come to.
#[derive(Clone, Debug)]
pub struct Borne {
    /// Along each direction.
    pub along: Vec<Expr>,
    /// Generalized forces that are borne by no body of their own: of coordinates, of points and frames without mass.
    pub rest: Vec<Expr>,
    /// Whether every point and frame that can move belongs to a body.
    pub complete: bool,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Directions {
    /// The directions under q' as speeds.
    pub fn derive(alg: &mut Algebra, k: &Kinematics, masses: &[MassElement]) -> Self {
        let n = k.motion.speeds.len();
        let mut list = Vec::new();
        for (body, m) in masses.iter().enumerate() {
            let p = &k.points[m.center.index()];
            let mut push = |frame, turns, motion: &vec3::Linear<vec3::Vec3>, bias: &vec3::Vec3| {
                for axis in 0..3 {
                    let mut partial = vec![Expr::zero(); n];
                    for (i, v) in &motion.coef {
                        partial[*i] = v[axis].clone();
                    }
                    list.push(Direction {
                        body,
                        turns,
                        axis,
                        frame,
                        partial,
                        bias: bias[axis].clone(),
                    });
                }
            };
            push(p.frame, false, &p.velocity, &p.acceleration_bias);
            if let Some((f, _)) = &m.rotation {
                let fm = &k.frames[f.index()];
                push(*f, true, &fm.omega, &fm.alpha_bias);
            }
        }
        let mut all = Self {
            list,
            carrying: Vec::new(),
            columns: Vec::new(),
            bearing: Vec::new(),
            massless: Vec::new(),
        };
        all.choose(alg, n);
        all
    }

    /// Which directions carry the motion: in the order of declaration those whose partial velocities are independent of the ones before.
    /// Pivots that cannot vanish come first.
    fn choose(&mut self, alg: &mut Algebra, n: usize) {
        let mut reduced: Matrix = self.list.iter().map(|d| d.partial.clone()).collect();
        let mut open: Vec<usize> = (0..reduced.len()).collect();
        let mut columns: Vec<usize> = (0..n).collect();
        for certain in [true, false] {
            let mut at = 0;
            while at < open.len() && !columns.is_empty() {
                let row = open[at];
                let mut found: Option<(usize, usize)> = None;
                for c in &columns {
                    let e = &reduced[row][*c];
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
                self.carrying.push(row);
                self.columns.push(column);
                let pivot = reduced[row].clone();
                for other in &open {
                    if reduced[*other][column].is_literal_zero() {
                        continue;
                    }
                    let factor = tidy(alg, &reduced[*other][column] / &pivot[column]);
                    for c in &columns {
                        if !pivot[*c].is_literal_zero() {
                            let e = &reduced[*other][*c] - &factor * &pivot[*c];
                            reduced[*other][*c] = tidy(alg, e);
                        }
                    }
                    reduced[*other][column] = Expr::zero();
                }
            }
        }
        self.bearing = open;
        self.massless = columns;
    }

    /// `A: force along N.x`
    pub fn label(&self, values: &Values<'_>, i: usize) -> String {
        let d = &self.list[i];
        let system = values.system;
        format!(
            "{}: {} along {}.{}",
            system.bodies[d.body].meta.name,
            if d.turns { "torque" } else { "force" },
            system.frames[d.frame.index()].meta.name,
            AXES[d.axis],
        )
    }

    /// `reaction_A_x`, `reaction_torque_A_x`
    pub fn name(&self, values: &Values<'_>, i: usize) -> String {
        let d = &self.list[i];
        format!(
            "reaction_{}{}_{}",
            if d.turns { "torque_" } else { "" },
            values.system.bodies[d.body].meta.name,
            AXES[d.axis],
        )
    }

    /// What forces and torques come to: at a point of a body they are moved to its mass centre, with their moment.
    pub fn borne(
        &self,
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        masses: &[MassElement],
        wrench: &Wrench,
    ) -> Borne {
        let mut along = vec![Expr::zero(); self.list.len()];
        let mut complete = true;
        let mut rest = Wrench {
            generalized: wrench.generalized.clone(),
            ..Wrench::default()
        };
        for (p, force) in &wrench.forces {
            if k.points[p.index()].velocity.coef.is_empty() {
                continue;
            }
            let Some((body, arm)) = bearer_of_point(alg, values, k, masses, *p) else {
                rest.push_force(*p, force);
                complete = false;
                continue;
            };
            self.push(alg, k, &mut along, (body, false), force);
            if let (Some(arm), Some((f, _))) = (arm, &masses[body].rotation) {
                let turning = vec3::cross(&arm, &in_frame(alg, k, force, *f));
                let turning = Mixed::single(*f, turning);
                self.push(alg, k, &mut along, (body, true), &turning);
            }
        }
        for (f, torque) in &wrench.torques {
            if k.frames[f.index()].omega.coef.is_empty() {
                continue;
            }
            match bearer_of_frame(alg, k, masses, *f) {
                Some(body) => self.push(alg, k, &mut along, (body, true), torque),
                None => {
                    rest.push_torque(*f, torque);
                    complete = false;
                }
            }
        }
        Borne {
            along,
            rest: rest.generalized_forces(alg, k),
            complete,
        }
    }

    fn push(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        along: &mut [Expr],
        (body, turns): (usize, bool),
        v: &Mixed,
    ) {
        let own = |d: &&Direction| d.body == body && d.turns == turns;
        let Some(frame) = self.list.iter().find(own).map(|d| d.frame) else {
            return;
        };
        let components = in_frame(alg, k, v, frame);
        for (d, sum) in self.list.iter().zip(along) {
            if d.body == body && d.turns == turns {
                *sum = &*sum + &components[d.axis];
            }
        }
    }

    /// Generalized forces as forces along the carrying directions: `sum of force . partial velocity = g` on the chosen columns. Several at
    /// once, one per column of the result; with them the factors that are divided by. `None` if that is too much.
    pub fn carried(&self, alg: &mut Algebra, forces: &[Vec<Expr>]) -> Option<elim::Solved> {
        if forces.is_empty() || self.carrying.is_empty() {
            return Some(elim::Solved {
                x: vec![vec![Expr::zero(); forces.len()]; self.carrying.len()],
                pivots: Vec::new(),
            });
        }
        let transposed: Matrix = self
            .columns
            .iter()
            .map(|c| {
                let rows = self.carrying.iter();
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

fn tidy(alg: &mut Algebra, e: Expr) -> Expr {
    if alg.is_zero(&e) {
        return Expr::zero();
    }
    if alg.is_closed() {
        alg.simplify(&e)
    } else {
        alg.define("partial_row", e)
    }
}

/// The body that a force at a point acts on, with the point's place from its centre in its own frame (`None` at the centre): one whose
/// centre is there, or a rigid body in which it is fixed; of several the one by whose frame the point is defined, else the first.
pub fn bearer_of_point(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    masses: &[MassElement],
    p: PointId,
) -> Option<(usize, Option<vec3::Vec3>)> {
    let place = k.points[p.index()].position.clone();
    if let Some(body) = masses.iter().position(|m| m.center == p) {
        return Some((body, None));
    }
    let mut found: Option<(bool, usize, Option<vec3::Vec3>)> = None;
    for (body, m) in masses.iter().enumerate() {
        let mut arm = place.clone();
        arm.add(&k.points[m.center.index()].position.scaled(&Expr::int(-1)));
        let frame = m.rotation.as_ref().map_or(FrameId(0), |(f, _)| *f);
        let arm = in_frame(alg, k, &arm, frame);
        let there = arm.iter().all(|e| alg.is_zero(e));
        let arm = match (&m.rotation, there) {
            (_, true) => None,
            (Some(_), false) if arm.iter().all(|e| is_fixed(alg, values, e)) => Some(arm),
            _ => continue,
        };
        let parts = &k.points[p.index()].offset.parts;
        let own = m.rotation.is_some() && parts.contains_key(&frame);
        if found.as_ref().is_none_or(|(first, ..)| own && !first) {
            found = Some((own, body, arm));
        }
    }
    found.map(|(_, body, arm)| (body, arm))
}

/// The body that a torque on a frame acts on: one whose frame it is, or in whose frame it is fixed.
fn bearer_of_frame(
    alg: &mut Algebra,
    k: &Kinematics,
    masses: &[MassElement],
    f: FrameId,
) -> Option<usize> {
    let frame = |m: &MassElement| m.rotation.as_ref().map(|(own, _)| *own);
    if let Some(body) = masses.iter().position(|m| frame(m) == Some(f)) {
        return Some(body);
    }
    let own = k.frames[f.index()].omega.clone();
    masses.iter().position(|m| {
        let Some(other) = frame(m) else { return false };
        let theirs = &k.frames[other.index()].omega;
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

/// Whether a component never changes.
fn is_fixed(alg: &mut Algebra, values: &Values<'_>, e: &Expr) -> bool {
    let vars = values.vars;
    std::iter::once(&vars.time).chain(&vars.coords).all(|v| {
        let d = alg.partial(e, *v);
        alg.is_zero(&d)
    })
}
