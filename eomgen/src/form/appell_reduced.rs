//! The reduced Appell equations (Wang & Pao, section III.C): Appell's equations in the coordinates, projected on the privileged
//! velocities,
//!
//! `sum_K C_Ks (dS/dq''_K - Q_K) = 0`,  `q' = C Y + c`,
//!
//! in which a coordinate may be missing whose rate is not privileged: from C, c, the coefficients of the equations and the forces. It
//! is cyclic; the other coordinates and Y are a system by themselves, and its own rate is a quadrature beside it.

use super::{Context, Equations, Formulated, Formulation, Options, Route, Space, Table, jourdain};
use crate::diag::{self, Diagnostic};
use crate::facts::Fact;
use crate::mech::vec3::Linear;
use crate::sym::{Derivation, Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The reduced Appell equations.
pub struct AppellReduced;

/// Expressions up to this size are written out to see that a coordinate is not in them.
const WRITTEN_OUT: usize = 400;

impl Formulation for AppellReduced {
    fn name(&self) -> &'static str {
        "appell-reduced"
    }

    fn refusal(&self, c: &mut Context<'_>, _: &Options<'_>) -> Option<Diagnostic> {
        super::linear::refusal(c, self.name())
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        // Appell's own equations are in the coordinates. Where speeds are no rates of them, C divides by what vanishes at the poles of
        // angles, and a matrix C^T M C loses the square of that: there the same equations are written by partial velocities.
        let plain = c.speeds.independent.iter();
        let mut plain = plain.map(|i| c.speeds.speeds[*i].coordinate.is_some());
        let route = match plain.all(|own| own) {
            true => Route::Coordinates,
            false => Route::Variational,
        };
        let whole = jourdain::by_route(c, route)?;
        let found = match whole.space == Space::SpeedRates && whole.closure.is_none() {
            true => reduce(c, &whole),
            // With rows to impose on the accelerations no rate is a function of privileged ones.
            false => None,
        };
        let Some((cyclic, equations)) = found else {
            let note = Diagnostic::remark(
                "N0502",
                "no coordinate is cyclic: the reduced equations are those of the whole system",
                c.system.whole(),
                "every coordinate appears in the equations, or its rate is a speed of the state",
            );
            return Ok(Formulated {
                notes: vec![note],
                ..Formulated::new(whole, options)
            });
        };
        let names: Vec<String> = cyclic
            .iter()
            .map(|i| format!("`{}`", c.system.coords[*i].meta.name))
            .collect();
        let remark = format!(
            "Cyclic coordinates: {}. `reduced_derivative` reads none of them; their rates are `quadratures`.",
            names.join(", ")
        );
        Ok(Formulated {
            cyclic,
            remarks: vec![remark],
            ..Formulated::new(equations, options)
        })
    }

    fn own_outputs(&self) -> &'static [&'static str] {
        &["reduced_derivative", "quadratures"]
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        f: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        let cyclic = &f.cyclic;
        let label = |i: &usize| format!("{}'", c.system.coords[*i].meta.name);
        Ok(match name {
            "reduced_derivative" => {
                let kept = (0..c.system.coords.len()).filter(|i| !cyclic.contains(i));
                let kept: Vec<usize> = kept.collect();
                let mut rows: Vec<String> = kept.iter().map(label).collect();
                let mut entries = rates(c, cyclic, &kept);
                let set = c.speeds.clone();
                for i in &set.independent {
                    rows.push(format!("{}'", set.speeds[*i].name));
                    entries.push(c.alg.var(set.speeds[*i].dot));
                }
                Some(
                    Table::vector("reduced_derivative", rows, entries)
                        .noted(told(c, cyclic))
                        .stating(fact(c, cyclic)),
                )
            }
            "quadratures" if cyclic.is_empty() => None,
            "quadratures" => {
                let rows = cyclic.iter().map(label).collect();
                let entries = rates(c, cyclic, cyclic);
                Some(Table::vector("quadratures", rows, entries).stating(fact(c, cyclic)))
            }
            _ => jourdain::privileged(c, name),
        })
    }
}

fn cyclic_names(c: &Context<'_>, cyclic: &[usize]) -> Vec<String> {
    let of = |i: &usize| c.system.coords[*i].meta.name.clone();
    cyclic.iter().map(of).collect()
}

fn fact(c: &Context<'_>, cyclic: &[usize]) -> Fact {
    Fact::CyclicCoordinates(cyclic_names(c, cyclic))
}

fn told(c: &Context<'_>, cyclic: &[usize]) -> String {
    let names = cyclic_names(c, cyclic);
    if names.is_empty() {
        "No coordinate is cyclic.".into()
    } else {
        format!("Left out are the cyclic {}.", names.join(", "))
    }
}

/// Rates of coordinates, written without the cyclic ones.
fn rates(c: &mut Context<'_>, cyclic: &[usize], which: &[usize]) -> Vec<Expr> {
    let values = c.speeds.motion.rate_values.clone();
    let mut eraser = Eraser::of(c, cyclic);
    let own = which.iter().map(|i| &values[*i]);
    // They have been found to be free of them.
    own.map(|e| eraser.erase(c, e).unwrap_or_else(|| e.clone()))
        .collect()
}

/// The cyclic coordinates and the equations written without them; `None` if there is none.
fn reduce(c: &mut Context<'_>, whole: &Equations) -> Option<(Vec<usize>, Equations)> {
    let motion = c.speeds.motion.clone();
    let speeds = &c.speeds;
    let privileged = |i: &usize| {
        let of = |s: &usize| speeds.speeds[*s].coordinate == Some(*i);
        speeds.independent.iter().any(of)
    };
    let mut open: Vec<usize> = (0..c.vars.coords.len())
        .filter(|i| !privileged(i))
        .collect();
    let parts = |rate: &Linear<Expr>| {
        let mut list: Vec<Expr> = rate.coef.values().cloned().collect();
        list.push(rate.bias.clone());
        list
    };
    let mut all: Vec<Expr> = motion.rates.iter().flat_map(parts).collect();
    all.extend(motion.rate_values.iter().cloned());
    all.extend(whole.mass.iter().flatten().cloned());
    all.extend(whole.forcing.iter().chain(&whole.nonideal).cloned());
    open.retain(|i| {
        let v = c.vars.coords[*i];
        let mut by = Derivation::partial(v, &format!("_{}", c.alg.info(v).name));
        all.iter().all(|e| {
            let slope = c.alg.derivative(e, &mut by);
            c.alg.is_zero(&slope)
        })
    });
    // What is free of a coordinate can be written without it, as far as that is found.
    loop {
        if open.is_empty() {
            return None;
        }
        let mut eraser = Eraser::of(c, &open);
        let Some(stuck) = all.iter().find(|e| eraser.erase(c, e).is_none()) else {
            break;
        };
        let before = open.len();
        open.retain(|i| !c.alg.depends(stuck, &|v| v == c.vars.coords[*i]));
        if open.len() == before {
            return None;
        }
    }
    let mut eraser = Eraser::of(c, &open);
    let mut rewritten = |list: &[Expr]| -> Vec<Expr> {
        let each = list.iter();
        each.map(|e| eraser.erase(c, e).unwrap_or_else(|| e.clone()))
            .collect()
    };
    let equations = Equations {
        mass: whole.mass.iter().map(|row| rewritten(row)).collect(),
        forcing: rewritten(&whole.forcing),
        nonideal: rewritten(&whole.nonideal),
        ..whole.clone()
    };
    Some((open, equations))
}

/// Takes coordinates out of expressions that do not depend on them.
struct Eraser {
    vars: Vec<Var>,
    zero: BTreeMap<Var, Expr>,
    memo: FxHashMap<Var, Expr>,
}

impl Eraser {
    fn of(c: &Context<'_>, coords: &[usize]) -> Self {
        let vars: Vec<Var> = coords.iter().map(|i| c.vars.coords[*i]).collect();
        Self {
            zero: vars.iter().map(|v| (*v, Expr::zero())).collect(),
            memo: FxHashMap::default(),
            vars,
        }
    }

    /// The expression written without them; `None` if no way is found.
    fn erase(&mut self, c: &mut Context<'_>, e: &Expr) -> Option<Expr> {
        let holds = |c: &Context<'_>, e: &Expr| c.alg.depends(e, &|v| self.vars.contains(&v));
        if !holds(c, e) {
            return Some(e.clone());
        }
        if c.alg.inlined_size(e, WRITTEN_OUT) < WRITTEN_OUT {
            let flat = c.alg.inline(e);
            let flat = c.alg.simplify(&flat);
            if !holds(c, &flat) {
                return Some(flat);
            }
        }
        // Any position serves, provided that nothing is divided by zero there.
        let there = c.alg.restrict(e, &self.zero, &mut self.memo);
        c.alg.equal(e, &there).then_some(there)
    }
}
