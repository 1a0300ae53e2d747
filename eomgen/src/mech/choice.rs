//! Which speeds the constraints eliminate: one per independent row, by the user's choice or by rule.
//! Knows nothing of the inversion.

use super::constraints::Constraints;
use super::speed::Speed;
use super::value::Values;
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::model::system::Scalar;
use crate::sym::{Algebra, Expr};

/// Choices of the user.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of speeds or rates to eliminate.
    pub dependent: Vec<String>,
    /// Whether they are a chart of the accelerations: those that are no speeds, or that the constraints do not let be eliminated from
    /// the state, concern the accelerations alone.
    pub chart: bool,
}

impl Choice {
    /// What of the choice concerns these speeds: a chart may name rates that are none of them.
    pub(super) fn for_speeds(&self, speeds: &[Speed]) -> Self {
        let mut own = self.clone();
        if own.chart {
            own.dependent
                .retain(|d| speeds.iter().any(|s| s.name == *d));
        }
        own
    }
}

/// Chooses the speeds to eliminate, one per independent row. With `inverse` (of the speeds' Jacobian) the rows are taken in the speeds,
/// without in the rates.
pub fn pick(
    speeds: &[Speed],
    alg: &mut Algebra,
    values: &Values<'_>,
    constraints: &Constraints,
    inverse: Option<&Matrix>,
    choice: &Choice,
) -> diag::Result<Vec<usize>> {
    let rows = rows_in_speeds(alg, constraints, inverse, speeds.len());
    let protected = protected(speeds, values, constraints)?;
    let mut order = named(speeds, values, choice)?;
    for declared in [false, true] {
        order.extend((0..speeds.len()).filter(|i| {
            speeds[*i].declared.is_some() == declared
                && !choice.dependent.contains(&speeds[*i].name)
        }));
    }
    order.retain(|i| !protected.contains(i));
    let asked = |c: usize| choice.dependent.contains(&speeds[c].name);
    pivots(alg, rows, &order, asked).map_err(|j| {
        let row = &constraints.rows[constraints.independent[j]];
        let error = Diagnostic::error(
            "E0309",
            "the privileged velocities are not independent",
            row.span,
            "this constraint relates the privileged velocities to each other",
        );
        vec![error.help("choose velocities that the constraints leave free")]
    })
}

/// The choice cannot be solved for.
pub(super) fn singular(values: &Values<'_>) -> Diagnostic {
    Diagnostic::error(
        "E0309",
        "the chosen dependent speeds cannot be solved for",
        values.system.whole(),
        "singular at every state",
    )
    .help("choose others")
}

fn rows_in_speeds(
    alg: &mut Algebra,
    constraints: &Constraints,
    inverse: Option<&Matrix>,
    n: usize,
) -> Matrix {
    let a = constraints.independent_matrix();
    let Some(h) = inverse else {
        return a;
    };
    let mut entry = |row: &Vec<Expr>, c: usize| {
        let e: Expr = row.iter().zip(h).map(|(x, hr)| x * &hr[c]).sum();
        alg.define("a_u", e)
    };
    a.iter()
        .map(|row| (0..n).map(|c| entry(row, c)).collect())
        .collect()
}

/// The privileged velocities, which stay independent.
fn protected(
    speeds: &[Speed],
    values: &Values<'_>,
    constraints: &Constraints,
) -> diag::Result<Vec<usize>> {
    let privileged = &values.system.privileged;
    let mut protected: Vec<usize> = Vec::new();
    for (s, span) in privileged {
        let Some(i) = find_scalar(speeds, s) else {
            let error = Diagnostic::error(
                "E0309",
                "a privileged velocity is not one of the speeds",
                *span,
                "not a speed of this model",
            );
            return Err(vec![error.help("declare it with `speed`")]);
        };
        protected.push(i);
    }
    let freedom = speeds.len() - constraints.independent.len();
    match privileged.first() {
        Some((_, span)) if protected.len() != freedom => {
            let title = format!(
                "{} privileged velocities are given, but the motion has {freedom} degree{} of freedom",
                protected.len(),
                if freedom == 1 { "" } else { "s" }
            );
            let error = Diagnostic::error("E0309", title, *span, "privileged velocities here");
            Err(vec![
                error.help(format!("name exactly that many: {freedom}")),
            ])
        }
        _ => Ok(protected),
    }
}

/// The speeds that were named as dependent.
fn named(speeds: &[Speed], values: &Values<'_>, choice: &Choice) -> diag::Result<Vec<usize>> {
    let find = |name: &String| {
        let found = speeds.iter().position(|s| s.name == *name);
        found.ok_or_else(|| {
            let names: Vec<String> = speeds.iter().map(|s| format!("`{}`", s.name)).collect();
            let error = Diagnostic::error(
                "E0309",
                format!("`{name}` is not one of the speeds"),
                values.system.whole(),
                "the model's coordinates",
            );
            vec![error.help(format!("the speeds of this model are {}", names.join(", ")))]
        })
    };
    choice.dependent.iter().map(find).collect()
}

/// A column for each row: one that was requested, else one whose entry is certainly nonzero, else one whose entry is not zero identically.
/// The number of the row if there is none.
fn pivots(
    alg: &mut Algebra,
    mut rows: Matrix,
    order: &[usize],
    asked: impl Fn(usize) -> bool,
) -> Result<Vec<usize>, usize> {
    let mut picked: Vec<usize> = Vec::new();
    for j in 0..rows.len() {
        let pivot = rows[j].clone();
        let open = |c: &usize| !picked.contains(c) && !alg.is_zero(&pivot[*c]);
        let open: Vec<usize> = order.iter().copied().filter(open).collect();
        let column = open.iter().find(|c| asked(**c));
        let column = column
            .or_else(|| open.iter().find(|c| alg.is_nonzero(&pivot[**c])))
            .or(open.first());
        let c = *column.ok_or(j)?;
        picked.push(c);
        elim::clear_below(alg, &mut rows, j, c, "a_u");
    }
    Ok(picked)
}

fn find_scalar(speeds: &[Speed], s: &Scalar) -> Option<usize> {
    speeds.iter().position(|x| match s {
        Scalar::Speed(i) => x.declared == Some(i.index()),
        Scalar::Rate(inner) => match **inner {
            Scalar::Coord(c) => x.coordinate == Some(c.index()),
            _ => false,
        },
        _ => false,
    })
}
