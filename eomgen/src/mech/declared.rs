//! The speeds as declared: each linear in the rates, independent of one another, and completed with
//! rates to one speed per coordinate. Knows nothing of constraints.

use super::kinematics::Kinematics;
use super::speeds::{Speed, at_rest};
use super::value::Values;
use crate::diag::Diagnostic;
use crate::elim::{self, Echelon, Matrix, echelon};
use crate::model::System;
use crate::model::system::Scalar;
use crate::sym::{Algebra, Class, Expr};

/// All speeds with `u = J q' + j`.
pub struct Declared {
    /// n speeds: declared, then completed.
    pub speeds: Vec<Speed>,
    /// J.
    pub jacobian: Matrix,
    /// j.
    pub drift: Vec<Expr>,
}

/// The declared speeds, checked and completed, with `u = J q' + j`.
pub fn declared(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
) -> Result<Declared, Vec<Diagnostic>> {
    let (system, vars) = (values.system, values.vars);
    let n = system.coords.len();
    let mut errors = Vec::new();
    let (mut speeds, mut jacobian, mut drift) = (Vec::new(), Matrix::new(), Vec::new());
    for (d, s) in system.speeds.iter().enumerate() {
        let e = match values.scalar(alg, k, &s.value) {
            Ok(e) => e,
            Err(f) => {
                errors.push(f.at(s.meta.span));
                continue;
            }
        };
        let definition = alg.define(&s.meta.name, e);
        let mut row = Vec::with_capacity(n);
        let mut linear = true;
        for r in &vars.rates {
            let p = alg.partial(&definition, *r);
            if p.is_literal_zero() {
                row.push(p);
                continue;
            }
            let p = alg.define("j", p);
            linear &= !alg.depends(&p, &|v| vars.rates.contains(&v));
            row.push(p);
        }
        let foreign = alg.depends(&definition, &|v| {
            vars.rate_dots.contains(&v) || vars.inputs.contains(&v)
        });
        if !linear || foreign || row.iter().all(|e| alg.is_zero(e)) {
            let label = if foreign {
                "this depends on accelerations or inputs"
            } else if linear {
                "no rate appears here"
            } else {
                "this is not linear in the rates"
            };
            errors.push(
                Diagnostic::error("E0307", format!("speed `{}` is not a generalized speed", s.meta.name), s.meta.span, label)
                    .help("a speed is a combination of rates with coefficients that depend on coordinates and time, such as `dot(vel(P), B.x)` or `theta'`"),
            );
            continue;
        }
        let rest = at_rest(alg, vars, &definition, "j0");
        let coordinate = vars
            .rates
            .iter()
            .position(|r| alg.as_var(&definition) == Some(*r));
        let var = alg.base(&s.meta.name, Class::Speed, None);
        let dot = alg.base(&format!("{}'", s.meta.name), Class::Acceleration, None);
        speeds.push(Speed {
            name: s.meta.name.clone(),
            var,
            dot,
            definition,
            declared: Some(d),
            coordinate,
        });
        jacobian.push(row);
        drift.push(rest);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let order: Vec<usize> = (0..n).collect();
    let rank = echelon(alg, &jacobian, &order);
    if rank.rank() < jacobian.len() {
        let free = missing(alg, system, &jacobian);
        for i in (0..speeds.len()).filter(|i| !rank.rows.contains(i)) {
            let why = match combination(alg, &speeds, &jacobian, &rank, i) {
                _ if i >= n => format!("{n} coordinates allow only {n} speeds"),
                Some(text) => format!("its rates enter as in {text}"),
                None => "it is a combination of the others".to_string(),
            };
            let help = match free.as_slice() {
                [] => "remove it".to_string(),
                [first, ..] => format!(
                    "remove it, or define it by an independent combination, such as `speed {} = {first}'`",
                    speeds[i].name
                ),
            };
            let wrong = Diagnostic::error(
                "E0308",
                format!(
                    "speed `{}` is not independent of the others",
                    speeds[i].name
                ),
                system.speeds[i].meta.span,
                why,
            );
            let wrong = match free.as_slice() {
                [] => wrong,
                [one] => wrong.note(format!("the speeds do not determine `{one}'`")),
                several => wrong.note(format!(
                    "the speeds do not determine {}",
                    several
                        .iter()
                        .map(|c| format!("`{c}'`"))
                        .collect::<Vec<_>>()
                        .join(", ")
                )),
            };
            errors.push(wrong.help(help));
        }
        return Err(errors);
    }
    // Completion: privileged rates first, then coordinate order; a rate joins if the set stays independent.
    let mut candidates: Vec<usize> = Vec::new();
    for (s, _) in &system.privileged {
        if let Scalar::Rate(inner) = s
            && let Scalar::Coord(c) = **inner
        {
            candidates.push(c.index());
        }
    }
    candidates.extend(0..n);
    let mut chosen: Vec<usize> = Vec::new();
    for i in candidates {
        if jacobian.len() + chosen.len() == n || chosen.contains(&i) {
            continue;
        }
        let mut trial = jacobian.clone();
        trial.extend(chosen.iter().chain([&i]).map(|c| unit(n, *c)));
        if echelon(alg, &trial, &order).rank() == trial.len() {
            chosen.push(i);
        }
    }
    chosen.sort_unstable();
    for i in chosen {
        let (var, dot) = (vars.rates[i], vars.rate_dots[i]);
        speeds.push(Speed {
            name: alg.info(var).name.clone(),
            var,
            dot,
            definition: alg.var(var),
            declared: None,
            coordinate: Some(i),
        });
        jacobian.push(unit(n, i));
        drift.push(Expr::zero());
    }
    Ok(Declared {
        speeds,
        jacobian,
        drift,
    })
}

/// The coordinates whose rates the speeds do not determine.
fn missing(alg: &Algebra, system: &System, jacobian: &Matrix) -> Vec<String> {
    let n = system.coords.len();
    let order: Vec<usize> = (0..n).collect();
    let rank = echelon(alg, jacobian, &order).rank();
    let free = (0..n).filter(|c| {
        let mut trial = jacobian.clone();
        trial.push(unit(n, *c));
        echelon(alg, &trial, &order).rank() > rank
    });
    free.map(|c| system.coords[c].meta.name.clone()).collect()
}

/// Longest combination that is written out.
const READABLE: usize = 120;

/// A dependent speed in terms of the independent ones before it: `2*u1 - cos(q)*u2`, or their names if that is long.
fn combination(
    alg: &mut Algebra,
    speeds: &[Speed],
    jacobian: &Matrix,
    rank: &Echelon,
    i: usize,
) -> Option<String> {
    let r = rank.rows.iter().take_while(|j| **j < i).count();
    let columns = &rank.columns[..r];
    let transposed: Matrix = columns
        .iter()
        .map(|c| (0..r).map(|j| jacobian[rank.rows[j]][*c].clone()).collect())
        .collect();
    let right: Matrix = columns
        .iter()
        .map(|c| vec![jacobian[i][*c].clone()])
        .collect();
    let solved = elim::solve(alg, &transposed, &right)?;
    let mut sum = Expr::zero();
    let mut names = Vec::new();
    for (j, x) in solved.x.iter().enumerate() {
        let speed = &speeds[rank.rows[j]];
        if !alg.is_zero(&x[0]) {
            names.push(format!("`{}`", speed.name));
            sum = sum + &x[0] * alg.var(speed.var);
        }
    }
    if alg.inlined_size(&sum, 2000) < 2000 {
        let flat = alg.inline(&sum);
        let text = alg.text(&flat);
        if text.len() <= READABLE {
            return Some(format!("`{text}`"));
        }
    }
    Some(format!("a combination of {}", names.join(", ")))
}

/// A unit vector.
pub fn unit(n: usize, i: usize) -> Vec<Expr> {
    (0..n)
        .map(|j| if i == j { Expr::one() } else { Expr::zero() })
        .collect()
}
