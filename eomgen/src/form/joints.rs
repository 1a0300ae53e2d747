//! Reactions that hold definitions. A point or frame is given a virtual displacement along a direction by a coordinate
//! `sigma` that is zero and stays so; of the balance conjugate to `sigma'` is left what holds the definition:
//!
//! `S = M_s q'' - f_s - (A_s + Phi_s)^T lambda`
//!
//! with the row of the mass matrix, the force (loads less velocity terms) and the column of A of that coordinate.
//! Knows nothing of how accelerations and multipliers are found.

use super::balances::Balances;
use super::{Closure, Context, Space, kane};
use crate::diag;
use crate::mech::constraints::Constraints;
use crate::mech::energies::Energies;
use crate::mech::kinematics::{Components, Kinematics};
use crate::mech::mechanics::Mechanics;
use crate::mech::motion::Motion;
use crate::mech::recursion::VirtualDisplacement;
use crate::mech::value::Values;
use crate::mech::vec3::{self, Vec3};
use crate::model::system::{Action, FrameId, Joint, Site, Vector};
use crate::sym::{Class, Expr, Var};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use super::balance::Balance;

/// What a declared reaction follows from.
#[derive(Clone, Debug)]
pub struct Held {
    /// The balance conjugate to it.
    pub balance: Balance,
    /// Of a reaction between two sides the balance of a body from which that one is: `force(C:N.x)`.
    pub along: Option<String>,
}

impl<'a> Context<'a> {
    /// The balances of all declared reactions, and, of those between two sides, from which balance of a body they follow; the balances of
    /// bodies where they are known already.
    pub fn joints(&mut self, balances: Option<&Balances>) -> diag::Result<Vec<Held>> {
        let system = self.system;
        let holds = |i: &usize| system.joints[*i].action == Action::Definition;
        let definitions: Vec<usize> = (0..system.joints.len()).filter(holds).collect();
        let held = if definitions.is_empty() {
            Vec::new()
        } else {
            self.definitions(&definitions)?
        };
        let pairs = match (definitions.len() < system.joints.len(), balances) {
            (false, _) => Vec::new(),
            (true, Some(b)) => b.declared.clone(),
            (true, None) => self.balances()?.declared,
        };
        let held = held.into_iter().map(|balance| Held {
            balance,
            along: None,
        });
        let mut list: Vec<(usize, Held)> = definitions.into_iter().zip(held).collect();
        list.extend(pairs.into_iter().filter_map(|u| {
            let held = Held {
                balance: u.balance,
                along: Some(u.along),
            };
            Some((u.joint?, held))
        }));
        list.sort_by_key(|(i, _)| *i);
        Ok(list.into_iter().map(|(_, held)| held).collect())
    }

    /// The balances of declared reactions that hold definitions.
    fn definitions(&mut self, which: &[usize]) -> diag::Result<Vec<Balance>> {
        let n = self.vars.coords.len();
        let more = Arc::new(self.displaced(which)?);
        // The same mechanics with a few coordinates more, for as long as the balances take.
        let own = std::mem::replace(&mut self.mechanics, more.clone());
        let whole = kane::by_partial_velocities(self, Space::Accelerations, None::<Closure>);
        self.mechanics = own;
        let (whole, vars, rows) = (whole?, &more.vars, &more.constraints.rows);
        let zero: BTreeMap<Var, Expr> = [&vars.coords, &vars.rates, &vars.rate_dots]
            .into_iter()
            .flat_map(|list| list[n..].iter().map(|v| (*v, Expr::zero())))
            .collect();
        let mut memo = rustc_hash::FxHashMap::default();
        let alg = &mut self.alg;
        let mut held = |e: &Expr, name: &str| {
            let e = alg.restrict(e, &zero, &mut memo);
            alg.define(name, e)
        };
        let mut list = Vec::with_capacity(which.len());
        for (s, joint) in (n..).zip(which) {
            let name = &more.system.joints[*joint].meta.name;
            let mass = whole.mass[s][..n].iter();
            list.push(Balance {
                mass: mass.map(|e| held(e, &format!("inertia_{name}"))).collect(),
                force: held(&whole.forcing[s], &format!("load_{name}")),
                multipliers: rows
                    .iter()
                    .enumerate()
                    .map(|(j, r)| {
                        let phi = whole.coupling.as_ref().map(|c| c[s][j].clone());
                        let e = &r.a[s] + phi.unwrap_or_else(Expr::zero);
                        held(&e, &format!("pull_{name}"))
                    })
                    .collect(),
            });
        }
        Ok(list)
    }

    /// The mechanics with a virtual displacement for each of these reactions.
    fn displaced(&mut self, which: &[usize]) -> diag::Result<Mechanics<'a>> {
        let mechanics = self.mechanics.clone();
        let (system, n) = (mechanics.system, mechanics.vars.coords.len());
        let mut vars = mechanics.vars.clone();
        let (mut displacements, mut errors) = (Vec::new(), Vec::new());
        for (i, joint) in which.iter().map(|i| &system.joints[*i]).enumerate() {
            match self.direction(joint) {
                Ok((frame, direction)) => displacements.push(VirtualDisplacement {
                    site: joint.site,
                    coordinate: n + i,
                    frame,
                    direction,
                }),
                Err(fault) => errors.push(fault.at(joint.meta.span)),
            }
            let name = &joint.meta.name;
            let mut symbol =
                |dots: &str, class| self.alg.base(&format!("sigma_{name}{dots}"), class, None);
            vars.coords.push(symbol("", Class::Coordinate));
            vars.rates.push(symbol("'", Class::Speed));
            vars.rate_dots.push(symbol("''", Class::Acceleration));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let alg = &mut self.alg;
        let motion = Motion::rates(alg, &vars);
        let local = Components::Local;
        let by_rates =
            Kinematics::with_displacements(alg, system, &vars, motion, local, &displacements)?;
        let energies = Energies::derive(alg, system, &vars, &by_rates)?;
        let values = Values {
            system,
            vars: &vars,
        };
        let own = &mechanics.constraints.rows;
        let rows = Constraints::with_more_coordinates(alg, &values, &by_rates, own)?;
        Ok(Mechanics {
            system,
            by_rates,
            spins: None,
            whole: None,
            by_speeds: None,
            masses: mechanics.masses.clone(),
            energies,
            constraints: Constraints {
                rows,
                ..Constraints::default()
            },
            speeds: mechanics.speeds.clone(),
            coupled: mechanics.coupled,
            notes: Vec::new(),
            vars,
        })
    }

    /// The direction of a reaction, of unit length: at a point in the frame where it is shortest, at a
    /// frame in that frame.
    pub(super) fn direction(
        &mut self,
        joint: &Joint,
    ) -> Result<(FrameId, Vec3), crate::mech::Fault> {
        let (alg, values, k, _) = self.parts(Space::Accelerations);
        let v = values.with(alg, k).position_vector(&joint.direction)?;
        let frame = match (joint.site, v.parts.keys().next()) {
            (Site::Frame(f), _) => f,
            (Site::Point(_), Some(f)) if v.parts.len() == 1 => *f,
            (Site::Point(_), _) => FrameId(0),
        };
        let d = k.components(alg, &v, frame, "direction");
        if vec3::is_zero(&d) || d.iter().all(|e| alg.is_zero(e)) {
            return Err(crate::mech::Fault::new(
                "E0465",
                &format!("the reaction `{}` has no direction", joint.meta.name),
                "its direction is the zero vector",
                "give the direction of the force or torque, such as `B.x`",
            ));
        }
        if is_unit(&joint.direction) {
            return Ok((frame, d));
        }
        let square = k.dot(alg, &v, &v);
        let square = alg.simplify(&square);
        if alg.is_zero(&(&square - Expr::one())) {
            return Ok((frame, d));
        }
        alg.assume_square(&square);
        let length = alg.apply(crate::sym::Kernel::Sqrt, vec![square]);
        let d = d.map(|e| {
            let e = e / &length;
            alg.define("direction", e)
        });
        Ok((frame, d))
    }
}

/// Whether a vector has unit length as written.
fn is_unit(v: &Vector) -> bool {
    match v {
        Vector::Basis(..) => true,
        Vector::Neg(inner) => is_unit(inner),
        _ => false,
    }
}
