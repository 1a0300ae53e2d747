//! Attitudes that three coordinates give, such as Euler angles: where these serve for nothing but to turn a body, the angular velocity can stand in
//! the place of their rates. Knows nothing of speeds.

use super::constraints::Constraints;
use super::inverse;
use super::kinematics::Kinematics;
use super::vars::Vars;
use super::vec3::{self, Linear, Vec3};
use crate::elim::{self, Matrix};
use crate::function::Elementary;
use crate::model::System;
use crate::model::system::FrameId;
use crate::sym::{Algebra, Expr, Meaning, Var};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A body that three coordinates turn.
pub struct Attitude<'s> {
    /// The name of its frame.
    pub frame: &'s str,
    /// The coordinates.
    pub coords: [usize; 3],
    /// The angular velocity, relative to where the rotation starts and in the body's axes: a column for each coordinate's rate.
    pub columns: [Vec3; 3],
    /// The rates: a row for each coordinate, a column for each component of the angular velocity.
    pub rates: Matrix,
}

/// All of which the rates have poles that are none but the machine's own: where the angular velocity does not determine the rates,
/// no constraint does either.
pub fn attitudes<'s>(
    alg: &mut Algebra,
    system: &'s System,
    vars: &Vars,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<Attitude<'s>> {
    let mut bodies: BTreeSet<u32> = BTreeSet::new();
    bodies.extend(
        system
            .bodies
            .iter()
            .flat_map(|b| &b.rigid)
            .map(|r| r.frame.0),
    );
    let mut list: Vec<Attitude<'s>> = Vec::new();
    for &frame in &bodies {
        let Some(turn) = Turn::of(alg, k, FrameId(frame)) else {
            continue;
        };
        let taken = |a: &Attitude<'_>| a.coords.iter().any(|c| turn.coords.contains(c));
        if list.iter().any(taken) || !turn.stands_alone(alg, vars, k, &bodies) {
            continue;
        }
        let matrix: Matrix = (0..3)
            .map(|axis| turn.columns.iter().map(|v| v[axis].clone()).collect())
            .collect();
        // Written out it is short, and divides by nothing but the poles.
        let work = alg.restart_work(0);
        let solved = alg.in_closed_form(|alg| {
            let matrix: Matrix = (matrix.iter())
                .map(|row| row.iter().map(|e| plain(alg, e)).collect())
                .collect();
            inverse::solve(alg, &matrix, &elim::identity(3))
        });
        alg.restart_work(work);
        let Some(solved) = solved else {
            continue;
        };
        let poles = solved.conditions.iter();
        let own = solved.exact
            && !solved.conditions.is_empty()
            && poles
                .clone()
                .all(|pole| turn.is_of_machine(alg, constraints, &pole.0));
        if own {
            list.push(Attitude {
                frame: &system.frames[frame as usize].meta.name,
                coords: turn.coords,
                columns: turn.columns,
                rates: solved.x,
            });
        }
    }
    list
}

/// The rotations between a body and a frame above it.
struct Turn {
    /// The frames from the body upwards.
    chain: Vec<FrameId>,
    coords: [usize; 3],
    columns: [Vec3; 3],
}

impl Turn {
    /// The rotations up to where three coordinates take part; `None` if they are never just three.
    fn of(alg: &mut Algebra, k: &Kinematics, frame: FrameId) -> Option<Self> {
        let mut chain: Vec<FrameId> = Vec::new();
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut at = frame;
        while found.len() < 3 {
            let parent = k.frames[at.index()].parent?;
            found.extend(k.frames[at.index()].relative.coef.keys());
            chain.push(at);
            at = parent;
        }
        let coords: [usize; 3] = found.into_iter().collect::<Vec<_>>().try_into().ok()?;
        let mut sum = Linear::none();
        for from in &chain {
            let relative = &k.frames[from.index()].relative;
            sum.add(&k.express_linear(alg, relative, *from, frame, "attitude"));
        }
        let free = vec3::is_zero(&sum.bias);
        let columns = coords.map(|c| sum.coef.get(&c).cloned().unwrap_or_else(vec3::zero));
        free.then_some(Self {
            chain,
            coords,
            columns,
        })
    }

    /// Whether nothing else depends on the coordinates, and nothing is fixed to the rotations between.
    fn stands_alone(
        &self,
        alg: &Algebra,
        vars: &Vars,
        k: &Kinematics,
        bodies: &BTreeSet<u32>,
    ) -> bool {
        let between = &self.chain[1..];
        let own = |v: Var| self.coords.iter().any(|c| vars.coords[*c] == v);
        let free = |e: &Expr| !alg.depends(e, &own);
        let frames = k.frames.iter().enumerate().all(|(i, f)| {
            let inside = self.chain.iter().any(|c| c.index() == i);
            let held = f.parent.is_some_and(|p| between.contains(&p));
            let turned = self.coords.iter().any(|c| f.relative.coef.contains_key(c));
            inside || !held && !turned
        });
        let points = k.points.iter().flat_map(|p| &p.offset.parts);
        frames && !between.iter().any(|f| bodies.contains(&f.0)) && { points }
            .all(|(f, v)| !between.contains(f) && v.iter().all(free))
    }

    /// Whether the rates that turn the body nowhere at a pole of theirs are felt by no constraint.
    fn is_of_machine(&self, alg: &mut Algebra, constraints: &Constraints, pole: &Expr) -> bool {
        let Some((vanishing, other)) = kernel(alg, pole) else {
            return false;
        };
        [1, -1].into_iter().all(|one| {
            let there = BTreeMap::from([(vanishing, Expr::zero()), (other, Expr::int(one))]);
            let mut memo = FxHashMap::default();
            let columns = self.columns.clone().map(|v| {
                v.map(|e| {
                    let e = alg.inline(&e);
                    alg.restrict(&e, &there, &mut memo)
                })
            });
            let Some(idle) = null_vector(alg, &columns) else {
                return false;
            };
            constraints.rows.iter().all(|row| {
                let mut sum = Expr::zero();
                for (c, factor) in self.coords.iter().zip(&idle) {
                    let e = alg.restrict(&row.a[*c], &there, &mut memo);
                    sum = sum + e * factor;
                }
                alg.is_zero(&sum)
            })
        })
    }
}

/// Written out and simplified.
fn plain(alg: &mut Algebra, e: &Expr) -> Expr {
    let e = alg.inline(e);
    alg.simplify(&e)
}

/// The sine or cosine that vanishes, and the one that is then 1 or -1.
fn kernel(alg: &mut Algebra, pole: &Expr) -> Option<(Var, Var)> {
    let own = [pole.clone(), -pole].iter().find_map(|e| alg.as_var(e))?;
    let Meaning::Kernel(function, args) = alg.info(own).meaning.clone() else {
        return None;
    };
    let (sin, cos) = alg.sin_cos(args.first()?);
    let other = match function {
        Elementary::Sin => cos,
        Elementary::Cos => sin,
        _ => return None,
    };
    Some((own, alg.as_var(&other)?))
}

/// Factors, not all zero, with which three dependent vectors add up to nothing; `None` if they depend on one another in more than one way.
fn null_vector(alg: &Algebra, [a, b, c]: &[Vec3; 3]) -> Option<[Expr; 3]> {
    // A vector across the plane in which all three are.
    let across = [(a, b), (b, c), (c, a)].map(|(u, v)| vec3::cross(u, v));
    let plain = |v: &&Vec3| v.iter().any(|e| !alg.is_zero(e));
    let normal = across.iter().find(plain)?;
    let minor = |u: &Vec3, v: &Vec3| vec3::dot(normal, &vec3::cross(u, v));
    Some([minor(b, c), minor(c, a), minor(a, b)])
}
