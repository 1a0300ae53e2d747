//! Constraint rows in the form `A q'' = b`: position rows differentiated twice, velocity rows once, exactly as written, no row
//! rescaled. Knows nothing of the other rows.

use super::Fault;
use super::kinematics::Kinematics;
use super::motion::at_rest;
use super::value::Values;
use super::vars::Vars;
use crate::model::system::{Axis, Constraint, ConstraintRelation};
use crate::span::Span;
use crate::sym::{Algebra, Expr, Var};
use std::collections::BTreeMap;

/// At which level a row was stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `phi(q, t) = 0`.
    Position,
    /// `psi(q, q', t) = 0`.
    Velocity,
    /// `alpha(q, q', q'', t) = 0`, linear in q''.
    Acceleration,
}

/// One scalar constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// The constraint's name, with `.x` and so on for rows of a vector constraint.
    pub name: String,
    /// The declaration.
    pub span: Span,
    /// Its constraint in the model, and which of its components it is (0 of a scalar constraint).
    pub source: (usize, usize),
    /// Level of the statement.
    pub level: Level,
    /// Whether the velocity form, if there is one, is linear in q'.
    pub linear: bool,
    /// lhs - rhs as stated.
    pub residual: Expr,
    /// The velocity form psi(q, q', t); 0 for rows stated for accelerations, which have none.
    pub velocity: Expr,
    /// For linear rows: psi at q' = 0.
    pub velocity_bias: Expr,
    /// Row of A, one entry per coordinate.
    pub a: Vec<Expr>,
    /// Entry of b.
    pub b: Expr,
}

/// Left side less right side of a constraint, all of its components.
pub(super) fn components(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    c: &Constraint,
) -> Result<Vec<Expr>, Fault> {
    Ok(match &c.relation {
        ConstraintRelation::Scalar { lhs, rhs } => {
            vec![values.scalar(alg, k, lhs)? - values.scalar(alg, k, rhs)?]
        }
        ConstraintRelation::Vector { lhs, rhs, frame } => {
            let mut at = values.with(alg, k);
            let gap = at.vector(lhs)?.minus(&at.vector(rhs)?);
            k.components(alg, &gap, *frame, &c.meta.name).to_vec()
        }
    })
}

/// The scalar residuals of a constraint with their names; rows of vector constraints that read 0 = 0 drop out.
pub(super) fn residuals(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    c: &Constraint,
) -> Result<Vec<(usize, String, Expr)>, Fault> {
    let name = &c.meta.name;
    let vector = matches!(c.relation, ConstraintRelation::Vector { .. });
    let rows: Vec<(usize, String, Expr)> = components(alg, values, k, c)?
        .into_iter()
        .enumerate()
        .filter(|(_, e)| !alg.is_zero(e))
        .map(|(i, e)| (i, row_name(name, vector, i), e))
        .collect();
    if rows.is_empty() && !c.implied {
        return Err(Fault::new(
            "E0310",
            &format!("constraint `{name}` is always satisfied"),
            if vector {
                "all three components read 0 = 0"
            } else {
                "both sides are identically equal"
            },
            "remove it, or constrain something that can move",
        ));
    }
    Ok(rows)
}

/// The name of a component of a constraint.
fn row_name(constraint: &str, vector: bool, component: usize) -> String {
    match Axis::ALL.get(component) {
        Some(axis) if vector => format!("{constraint}.{}", axis.text()),
        _ => constraint.to_string(),
    }
}

/// A residual on its way to a row: its constraint, its index in the model and its name.
pub(super) struct Stated<'a> {
    pub stated: &'a Constraint,
    pub source: (usize, usize),
    pub name: String,
}

impl Stated<'_> {
    /// The row of a residual.
    pub fn row(
        self,
        alg: &mut Algebra,
        vars: &Vars,
        k: &Kinematics,
        e: Expr,
    ) -> Result<Row, Fault> {
        if alg.depends(&e, &|v| vars.rate_dots.contains(&v)) {
            return self.of_accelerations(alg, vars, e);
        }
        let own = self.stated.meta.name.clone();
        let (level, residual) = self.residual(alg, vars, e)?;
        let velocity = match level {
            Level::Velocity | Level::Acceleration => residual.clone(),
            Level::Position => rate(alg, vars, k, &own, &residual),
        };
        let mut a = Vec::with_capacity(vars.rates.len());
        let mut linear = true;
        for c in 0..vars.rates.len() {
            let d = coefficient(alg, vars, &own, (&velocity, &vars.rates), c);
            linear &= !alg.depends(&d, &|v| vars.rates.contains(&v)) || alg.is_zero(&d);
            a.push(d);
        }
        if a.iter().all(|e| alg.is_zero(e)) {
            return Err(self.constrains_nothing(
                "no rate is affected by this",
                "constrain coordinates or rates",
            ));
        }
        let mut flow = k.motion.flow(alg, vars, false);
        let d = alg.derivative(&velocity, &mut flow);
        let b = alg.define(&format!("b_{own}"), -d);
        let velocity_bias = if linear {
            at_rest(alg, vars, &velocity, &format!("{own}_drift"))
        } else {
            Expr::zero()
        };
        Ok(Row {
            name: self.name,
            span: self.stated.meta.span,
            source: self.source,
            level,
            linear,
            residual,
            velocity,
            velocity_bias,
            a,
            b,
        })
    }

    /// The residual of a row on positions or velocities, with its level.
    fn residual(&self, alg: &mut Algebra, vars: &Vars, e: Expr) -> Result<(Level, Expr), Fault> {
        if alg.depends(&e, &|v| vars.is_external(v)) {
            return Err(Fault::new(
                "E0120",
                &format!("constraint `{}` depends on an input", self.name),
                "the rate of an input is unknown",
                "use a `function` of t, whose derivatives the user supplies",
            ));
        }
        let residual = alg.define(&format!("{}_residual", self.stated.meta.name), e);
        if alg.depends(&residual, &|v| vars.rates.contains(&v)) {
            return Ok((Level::Velocity, residual));
        }
        if alg.depends(&residual, &|v| vars.coords.contains(&v)) {
            return Ok((Level::Position, residual));
        }
        let help = match self.stated.implied {
            true => {
                "nothing moves across the plane, and the body is away from it: correct its `normal`, or the point `through` which it goes"
            }
            false => {
                "omit the components in which nothing moves, or constrain something that can move"
            }
        };
        Err(self.constrains_nothing(
            &format!(
                "it reads {} = 0, which contains nothing that moves",
                alg.text(&residual)
            ),
            help,
        ))
    }

    fn constrains_nothing(&self, label: &str, help: &str) -> Fault {
        let title = format!("constraint `{}` constrains nothing", self.name);
        Fault::new("E0311", &title, label, help)
    }

    /// A row stated for accelerations: `A q'' = b` as it stands.
    fn of_accelerations(self, alg: &mut Algebra, vars: &Vars, e: Expr) -> Result<Row, Fault> {
        let own = &self.stated.meta.name;
        let mut a = Vec::with_capacity(vars.coords.len());
        for (q, d) in vars.coords.iter().zip(&vars.rate_dots) {
            let partial = alg.partial(&e, *d);
            if alg.depends(&partial, &|v| vars.rate_dots.contains(&v))
                && !is_free(alg, vars, &partial)
            {
                return Err(Fault::new(
                    "E0464",
                    &format!(
                        "constraint `{}` is not linear in the accelerations",
                        self.name
                    ),
                    "an acceleration appears here in a product, power or function",
                    "state a relation that is linear in the accelerations, or the velocity relation whose derivative is meant",
                ));
            }
            let label = format!("a_{own}_{}", alg.info(*q).name);
            a.push(alg.define(&label, partial));
        }
        if a.iter().all(|e| alg.is_zero(e)) {
            return Err(self.constrains_nothing(
                "no acceleration is affected by this",
                "constrain coordinates, rates or accelerations",
            ));
        }
        let zero: BTreeMap<_, _> = vars.rate_dots.iter().map(|v| (*v, Expr::zero())).collect();
        let mut memo = rustc_hash::FxHashMap::default();
        let rest = alg.restrict(&e, &zero, &mut memo);
        let mut clear = |alg: &mut Algebra, e: &Expr| alg.restrict(e, &zero, &mut memo);
        let a = a.iter().map(|e| clear(alg, e)).collect();
        let b = alg.define(&format!("b_{own}"), -rest);
        Ok(Row {
            residual: alg.define(&format!("{own}_residual"), e),
            name: self.name,
            span: self.stated.meta.span,
            source: self.source,
            level: Level::Acceleration,
            linear: true,
            velocity: Expr::zero(),
            velocity_bias: Expr::zero(),
            a,
            b,
        })
    }
}

impl Row {
    /// What further coordinates add to the row: its coefficients of their rates, in kinematics in which these coordinates have joined
    /// those of the row. The row keeps its level, whatever the residual `e` contains now.
    pub(super) fn coefficients_of_more(
        &self,
        alg: &mut Algebra,
        vars: &Vars,
        k: &Kinematics,
        own: &str,
        e: Expr,
    ) -> Vec<Expr> {
        let residual = alg.define(&format!("{own}_residual"), e);
        let (stated, by) = match self.level {
            Level::Position => (rate(alg, vars, k, own, &residual), &vars.rates),
            Level::Velocity => (residual, &vars.rates),
            Level::Acceleration => (residual, &vars.rate_dots),
        };
        (self.a.len()..by.len())
            .map(|c| coefficient(alg, vars, own, (&stated, by), c))
            .collect()
    }
}

/// The rate of a residual along the motion.
fn rate(alg: &mut Algebra, vars: &Vars, k: &Kinematics, own: &str, residual: &Expr) -> Expr {
    let mut flow = k.motion.flow(alg, vars, false);
    let d = alg.derivative(residual, &mut flow);
    alg.define(&format!("{own}_rate"), d)
}

/// An entry of a row of A: the derivative by one of the rates, or accelerations.
fn coefficient(
    alg: &mut Algebra,
    vars: &Vars,
    own: &str,
    (stated, by): (&Expr, &[Var]),
    c: usize,
) -> Expr {
    let d = alg.partial(stated, by[c]);
    let label = format!("a_{own}_{}", alg.info(vars.coords[c]).name);
    alg.define(&label, d)
}

/// Whether accelerations that seem to stand in an expression cancel.
fn is_free(alg: &mut Algebra, vars: &Vars, e: &Expr) -> bool {
    vars.rate_dots.iter().all(|v| {
        let d = alg.partial(e, *v);
        alg.is_zero(&d)
    })
}
