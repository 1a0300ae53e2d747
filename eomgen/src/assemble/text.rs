//! The equations and remarks as plain text, for the head of a generated module.

use super::deferred::STATED;
use super::{Exposed, Part, Presentation, Section, Work};
use crate::form::charts::Chart;
use crate::form::explicit_gibbs_appell::{self, Explicit};
use crate::form::{Closure, Space, multipliers, solution};
use crate::sym::{Expr, Var};

/// Lines of text by subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documentation {
    /// `(m1 + m2)*u1' + m1*l*u2^2 = 0`
    pub equations: Vec<String>,
    /// `u1' = -m1*l*u2^2/(m1 + m2)`; empty in staged presentation.
    pub accelerations: Vec<String>,
    /// `x' = u1*cos(theta) + ...`
    pub kinematics: Vec<String>,
    /// Constraint rows as equations.
    pub constraints: Vec<String>,
    /// Definitions of declared speeds.
    pub speeds: Vec<String>,
    /// Sentences about what was done.
    pub remarks: Vec<String>,
    /// `method`
    pub method: String,
    /// Quantities asked for by name.
    pub quantities: Vec<Section>,
    /// Those that were asked for though every module has them; for documents, not for the module.
    pub standard: Vec<Section>,
    /// The representative particle, where it was asked for.
    pub geometry: Vec<Part>,
    /// What is shown of the derivation, where that was asked for.
    pub exposed: Option<Exposed>,
}

/// Longest line that is printed in full.
pub(super) const LONGEST: usize = 400;

pub(super) fn document(w: &mut Work<'_>, method: &str) -> Documentation {
    let mut d = Documentation {
        method: method.into(),
        ..Documentation::default()
    };
    let names: Vec<String> =
        w.c.system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
    for s in w.c.speeds.speeds.clone() {
        if s.declared.is_some() {
            let text = w.readable(&s.definition);
            push(w.longest, &mut d.speeds, &s.name, &text);
        }
    }
    for r in w.c.constraints.rows.clone() {
        let text = w.readable(&r.residual);
        d.constraints.push(if text.len() <= w.longest {
            format!("{}: {text} = 0", r.name)
        } else {
            format!("{}: (see constraint_residuals)", r.name)
        });
    }
    if w.presentation == Presentation::Closed {
        equations(w, &mut d);
        let motion = w.c.speeds.motion.clone();
        for (name, v) in names.iter().zip(&motion.rate_values) {
            let text = w.readable(v);
            if text != format!("{name}'") {
                push(w.longest, &mut d.kinematics, &format!("{name}'"), &text);
            }
        }
        let e = w.formulated.equations.clone();
        let written = match e.closure {
            Some(Closure::Explicit) if w.closed.is_none() => {
                let found = solution::in_first_chart(&mut w.c, &w.formulated);
                found.map(|list| list.iter().map(|u| w.c.in_speeds(u)).collect())
            }
            _ => w.closed.clone(),
        };
        if let Some(qdd) = written {
            solved(w, &mut d, &names, &qdd);
        }
    } else {
        d.equations
            .push("M z' = f with M and f as in `mass_matrix` and `forcing`".into());
    }
    remarks(w, &mut d);
    d
}

fn push(longest: usize, list: &mut Vec<String>, left: &str, right: &str) {
    list.push(if right.len() <= longest {
        format!("{left} = {right}")
    } else {
        format!("{left} = (long; see the code)")
    });
}

/// Each row of `M z' - f - A^T lambda`, collected by the unknowns.
fn equations(w: &mut Work<'_>, d: &mut Documentation) {
    let e = w.formulated.equations.clone();
    if e.closure == Some(Closure::Explicit)
        && let Some((chart, x)) = explicit_gibbs_appell::rows_for_reading(&mut w.c, &w.formulated)
    {
        explicit(w, d, &chart, &x);
        return constraint_rows(w, d);
    }
    let motion = w.c.kinematics(e.space).motion.clone();
    let rows = e.closure.is_some();
    let balances = w.written_balances();
    if let Some(b) = &balances {
        d.equations.extend(w.balance_lines(b));
    }
    let projected = if balances.is_some() { 0 } else { e.mass.len() };
    for i in 0..projected {
        let mut parts: Vec<String> = Vec::new();
        for (j, v) in motion.speed_dots.iter().enumerate() {
            if !e.mass[i][j].is_literal_zero() {
                let term = product(w, &e.mass[i][j], *v);
                parts.push(term);
            }
        }
        let rest = -&e.forcing[i];
        if !w.c.alg.is_zero(&rest) {
            let rest = w.c.alg.simplify(&rest);
            let rest = w.c.alg.expanded(&rest);
            parts.push(w.c.alg.text(&rest));
        }
        let left = join(&parts);
        let right = if rows {
            constraint_force(w, e.space, i)
        } else {
            "0".into()
        };
        d.equations.push(if left.len() <= w.longest {
            format!("{left} = {right}")
        } else {
            "(long; see mass_matrix and forcing)".into()
        });
    }
    if rows {
        constraint_rows(w, d);
    }
}

/// `A q'' = b`, row by row.
fn constraint_rows(w: &mut Work<'_>, d: &mut Documentation) {
    for r in w.c.constraints.rows.clone() {
        let mut parts = Vec::new();
        let dots = w.c.vars.rate_dots.clone();
        for (a, v) in r.a.iter().zip(dots) {
            if !a.is_literal_zero() {
                parts.push(product(w, a, v));
            }
        }
        let b = w.readable(&r.b);
        let left = join(&parts);
        d.equations.push(if left.len() + b.len() <= w.longest {
            format!("{left} = {b}")
        } else {
            format!("row {} of A q'' = b", r.name)
        });
    }
}

/// The explicit Gibbs-Appell equation of each independent acceleration.
fn explicit(w: &mut Work<'_>, d: &mut Documentation, chart: &Chart, x: &Explicit) {
    let dots = w.c.vars.rate_dots.clone();
    for (row, f) in x.matrix.iter().zip(&x.rhs) {
        let mut parts = Vec::new();
        for (entry, i) in row.iter().zip(&chart.independent) {
            if !entry.is_literal_zero() {
                let entry = w.c.alg.expanded(entry);
                parts.push(product(w, &entry, dots[*i]));
            }
        }
        let f = w.c.alg.expanded(f);
        let right = w.c.alg.text(&f);
        let left = join(&parts);
        d.equations.push(if left.len() + right.len() <= w.longest {
            format!("{left} = {right}")
        } else {
            "(long; see explicit_matrix and explicit_rhs)".into()
        });
    }
}

fn constraint_force(w: &mut Work<'_>, space: Space, i: usize) -> String {
    let all = w.c.constraints.matrix();
    let b = vec![Expr::zero(); all.len()];
    let (a, _) = crate::form::solution::in_space(&mut w.c, space, &all, &b);
    let mut parts = Vec::new();
    for (j, (row, r)) in a.iter().zip(w.c.constraints.rows.clone()).enumerate() {
        let mut entry = row[i].clone();
        if let Some(coupling) = w.formulated.equations.coupling.clone() {
            entry = entry + &coupling[i][j];
        }
        if w.c.alg.is_zero(&entry) {
            continue;
        }
        let c = w.readable(&entry);
        let name = format!("lambda[{}]", r.name);
        parts.push(match c.as_str() {
            "1" => name,
            "-1" => format!("-{name}"),
            c if c.contains(' ') => format!("({c})*{name}"),
            c => format!("{c}*{name}"),
        });
    }
    if parts.is_empty() {
        "0".into()
    } else {
        join(&parts)
    }
}

pub(super) fn product(w: &mut Work<'_>, coefficient: &Expr, v: Var) -> String {
    let name = w.c.alg.info(v).name.clone();
    term(w, coefficient, &name)
}

/// A coefficient times a name.
pub(super) fn term(w: &mut Work<'_>, coefficient: &Expr, name: &str) -> String {
    match w.readable(coefficient).as_str() {
        "1" => name.to_string(),
        "-1" => format!("-{name}"),
        c if is_sum(c) => format!("({c})*{name}"),
        c => format!("{c}*{name}"),
    }
}

/// Whether an expression has terms: a blank outside all parentheses.
fn is_sum(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c == ' '
    })
}

/// A sum, `0` if there is nothing in it.
pub(super) fn total(parts: &[String]) -> String {
    if parts.is_empty() {
        "0".into()
    } else {
        join(parts)
    }
}

pub(super) fn join(parts: &[String]) -> String {
    let mut s = String::new();
    for (i, p) in parts.iter().enumerate() {
        match (i, p.strip_prefix('-')) {
            (0, _) => s.push_str(p),
            (_, Some(rest)) => {
                s.push_str(" - ");
                s.push_str(rest);
            }
            (_, None) => {
                s.push_str(" + ");
                s.push_str(p);
            }
        }
    }
    s
}

/// The solved accelerations: in the state's speeds where these are declared, else in q''.
fn solved(w: &mut Work<'_>, d: &mut Documentation, names: &[String], qdd: &[Expr]) {
    let speeds = w.c.speeds.clone();
    let declared = speeds.speeds.iter().any(|s| s.declared.is_some());
    if declared {
        for i in &speeds.independent {
            let s = &speeds.speeds[*i];
            let value = w.closed_speed_rate(*i, qdd);
            let text = w.c.alg.text(&value);
            push(
                w.longest,
                &mut d.accelerations,
                &format!("{}'", s.name),
                &text,
            );
        }
        return;
    }
    for (name, e) in names.iter().zip(qdd) {
        let text = w.c.alg.text(e);
        push(w.longest, &mut d.accelerations, &format!("{name}''"), &text);
    }
}

impl Work<'_> {
    /// u' of speed i in closed form, from q'' in closed form.
    pub(super) fn closed_speed_rate(&mut self, i: usize, qdd: &[Expr]) -> Expr {
        let speeds = self.c.speeds.clone();
        if self.space() == Space::Speeds
            && let Some(at) = speeds.independent.iter().position(|k| *k == i)
            && let Some(s) = &self.solution
        {
            return s.unknowns[at].clone();
        }
        let vars = self.c.vars.clone();
        let values = crate::mech::value::Values {
            system: self.c.system,
            vars: &vars,
        };
        let dot = speeds.dots(&mut self.c.alg, &values, &self.c.mechanics.by_rates)[i].clone();
        let mut map: std::collections::BTreeMap<Var, Expr> = vars
            .rate_dots
            .iter()
            .copied()
            .zip(qdd.iter().cloned())
            .collect();
        map.extend(
            vars.rates
                .iter()
                .copied()
                .zip(speeds.motion.rate_values.iter().cloned()),
        );
        let mut memo = rustc_hash::FxHashMap::default();
        let e = self.c.alg.restrict(&dot, &map, &mut memo);
        self.c.alg.simplify(&e)
    }
}

/// By what multipliers may differ: `; with any multiple of (2, -1) added to (lambda[c1], lambda[c2]) the force is the same`.
fn multiplier_family(w: &mut Work<'_>) -> String {
    let Some((_, vectors)) = multipliers::family(&w.c) else {
        return String::new();
    };
    let mut directions = Vec::with_capacity(vectors.len());
    for v in &vectors {
        let entries: Vec<String> = v.iter().map(|e| w.readable(e)).collect();
        directions.push(format!("`({})`", entries.join(", ")));
    }
    let rows = w.c.constraints.rows.iter();
    let names: Vec<String> = rows.map(|r| format!("lambda[{}]", r.name)).collect();
    let text = format!(
        "; the force is the same with any multiple of {} added to `({})`",
        directions.join(" or "),
        names.join(", ")
    );
    if text.len() <= w.longest {
        text
    } else {
        "; `multiplier_family` has the directions in which they may be changed".into()
    }
}

fn remarks(w: &mut Work<'_>, d: &mut Documentation) {
    let set = &w.c.speeds;
    let list = |of: &[usize]| {
        of.iter()
            .map(|i| format!("`{}`", set.speeds[*i].name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if set.reduced {
        let rest = if set.independent.is_empty() {
            "nothing is left free".to_string()
        } else {
            format!("independent speeds: {}", list(&set.independent))
        };
        d.remarks.push(format!(
            "Eliminated with the constraints: {}; {rest}.",
            list(&set.dependent)
        ));
    } else if !w.c.constraints.rows.is_empty() {
        d.remarks.push(
            "All speeds belong to the state; the constraints are imposed on the accelerations."
                .into(),
        );
    }
    if w.unstated {
        d.remarks.push(format!(
            "Of more than {STATED} speeds, the accelerations come from the balances of momentum of every body, whatever method is asked for; `mass_matrix` and `forcing` are what the method states, found from the same balances."
        ));
    }
    let dependent: Vec<String> = (0..w.c.constraints.rows.len())
        .filter(|i| !w.c.constraints.independent.contains(i))
        .map(|i| format!("`{}`", w.c.constraints.rows[i].name))
        .collect();
    if !dependent.is_empty() {
        let family = match d.method.as_str() {
            "lagrange" => multiplier_family(w),
            _ => String::new(),
        };
        d.remarks.push(format!("Constraint rows that depend on earlier ones: {}; multipliers are those of minimum norm{family}.", dependent.join(", ")));
    }
    d.remarks.extend(w.formulated.remarks.clone());
    d.remarks.extend(w.remarks.clone());
    d.remarks.extend(w.chart_remarks());
    d.remarks.extend(w.coupling_remark());
    d.remarks.push(format!("Accelerations: {}.", w.route));
    if w.c.alg.spent() > 0 {
        d.remarks.push(format!(
            "{} expressions were left unsimplified because the budget of terms was spent.",
            w.c.alg.spent()
        ));
    }
}
