//! Which speeds the constraints eliminate: one per independent row, by the user's choice or by rule.
//! Knows nothing of the inversion.

use super::constraints::Constraints;
use super::speeds::{Choice, Speed, first_span};
use super::value::Values;
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::model::system::Scalar;
use crate::sym::{Algebra, Expr};

/// Chooses the speeds to eliminate, one per independent row.
pub fn pick(
    speeds: &[Speed],
    alg: &mut Algebra,
    values: &Values<'_>,
    constraints: &Constraints,
    inverse: Option<&Matrix>,
    choice: &Choice,
) -> Result<(Vec<usize>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let n = speeds.len();
    let r = constraints.independent.len();
    let a = constraints.independent_matrix();
    let mut rows: Matrix = match inverse {
        None => a,
        Some(h) => a
            .iter()
            .map(|row| {
                (0..n)
                    .map(|c| {
                        let e: Expr = row.iter().zip(h).map(|(x, hr)| x * &hr[c]).sum();
                        alg.define("a_u", e)
                    })
                    .collect()
            })
            .collect(),
    };
    let mut protected: Vec<usize> = Vec::new();
    for (s, span) in &values.system.privileged {
        match find_scalar(speeds, s) {
            Some(i) => protected.push(i),
            None => {
                return Err(vec![
                    Diagnostic::error(
                        "E0309",
                        "a privileged velocity is not one of the speeds",
                        *span,
                        "not a speed of this model",
                    )
                    .help("declare it with `speed`"),
                ]);
            }
        }
    }
    if !protected.is_empty() && protected.len() != n - r {
        let span = values.system.privileged[0].1;
        return Err(vec![
            Diagnostic::error(
                "E0309",
                format!(
                    "{} privileged velocities are given, but the motion has {} degree{} of freedom",
                    protected.len(),
                    n - r,
                    if n - r == 1 { "" } else { "s" }
                ),
                span,
                "privileged velocities here",
            )
            .help(format!("name exactly that many: {}", n - r)),
        ]);
    }
    let mut order: Vec<usize> = Vec::new();
    for name in &choice.dependent {
        match speeds.iter().position(|s| s.name == *name) {
            Some(i) => order.push(i),
            None => {
                let names: Vec<String> = speeds.iter().map(|s| format!("`{}`", s.name)).collect();
                return Err(vec![
                    Diagnostic::error(
                        "E0309",
                        format!("`{name}` is not one of the speeds"),
                        first_span(values),
                        "the model's coordinates",
                    )
                    .help(format!("the speeds of this model are {}", names.join(", "))),
                ]);
            }
        }
    }
    for declared in [false, true] {
        order.extend((0..n).filter(|i| {
            speeds[*i].declared.is_some() == declared
                && !choice.dependent.contains(&speeds[*i].name)
        }));
    }
    order.retain(|i| !protected.contains(i));
    let mut picked: Vec<usize> = Vec::new();
    for j in 0..r {
        let open: Vec<usize> = order
            .iter()
            .copied()
            .filter(|c| !picked.contains(c) && !alg.is_zero(&rows[j][*c]))
            .collect();
        let asked = open
            .iter()
            .copied()
            .find(|c| choice.dependent.contains(&speeds[*c].name));
        let column = match asked {
            Some(c) => Some(c),
            None => {
                let certain = open.iter().copied().find(|c| alg.is_nonzero(&rows[j][*c]));
                certain.or(open.first().copied())
            }
        };
        let Some(c) = column else {
            let row = &constraints.rows[constraints.independent[j]];
            return Err(vec![
                Diagnostic::error(
                    "E0309",
                    "the privileged velocities are not independent",
                    row.span,
                    "this constraint relates the privileged velocities to each other",
                )
                .help("choose velocities that the constraints leave free"),
            ]);
        };
        picked.push(c);
        let pivot = rows[j].clone();
        for row in rows.iter_mut().skip(j + 1) {
            if alg.is_zero(&row[c]) {
                continue;
            }
            let f = &row[c] / &pivot[c];
            for (x, p) in row.iter_mut().zip(&pivot) {
                if !p.is_literal_zero() {
                    *x = alg.define("a_u", &*x - &f * p);
                }
            }
        }
    }
    let singular = vec![
        Diagnostic::error(
            "E0309",
            "the chosen dependent speeds cannot be solved for",
            first_span(values),
            "singular at every state",
        )
        .help("choose others"),
    ];
    Ok((picked, singular))
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
