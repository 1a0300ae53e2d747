//! The equations of motion line by line, with what belongs to them: speeds, kinematics, constraints, and the solved accelerations.

use super::Derivation;
use super::mathematics::exceeds;
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::form::balances::Balances;
use crate::form::charts::Chart;
use crate::form::explicit_gibbs_appell::{self, Explicit};
use crate::form::solution::{self, Solution};
use crate::form::{Closure, Context, Space};
use crate::mech::constraints::Row;
use crate::mech::value::Values;
use crate::notation::{Line, Math, Style, Symbol, text};
use crate::sym::{Class, Expr, Var};
use crate::textbook::Right;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Longest row of A q'' = b that is written, in characters: where coordinates are many it is long and plain.
const LONGEST_ROW: usize = 2500;
/// Longest entry of M or f that stands in an equation with named parts, in characters.
const PART: usize = 80;
/// Numbers and symbols from which on an expression is for nobody to read.
const LEAVES: usize = 3000;
/// Equations in more unknowns are not written with named parts: these would be names alone.
const PARTED: usize = 8;
/// Parts that are written out below the equations.
const MEANINGS: usize = 24;

/// Parts of long equations: their names, and what they are where that can be written.
#[derive(Default)]
struct Parts(Vec<(Symbol, Option<Math>)>);

impl Derivation<'_, '_> {
    /// Definitions of the speeds that are declared, and of those that complete them and are no rates of coordinates.
    pub(super) fn speeds(&mut self) -> Vec<Line> {
        let speeds = self.reader.c.speeds.speeds.clone();
        let declared = speeds
            .iter()
            .filter(|s| s.declared.is_some() || s.row.is_some());
        let lines = declared.map(|s| {
            let value = self.reader.readable(&s.definition);
            self.defined(&s.name, value)
        });
        lines.collect()
    }

    /// The rates of the states of first order.
    pub(super) fn states(&mut self) -> Result<Vec<Line>, Vec<Diagnostic>> {
        let mut lines = Vec::new();
        for state in &self.reader.c.system.states {
            let (alg, values, k, _) = self.reader.c.parts(Space::Accelerations);
            let rate = values.scalar(alg, k, &state.rate);
            let rate = rate.map_err(|fault| vec![fault.at(state.meta.span)])?;
            let value = self.reader.readable(&rate);
            lines.push(self.defined(&format!("{}'", state.meta.name), value));
        }
        Ok(lines)
    }

    /// `name = value`
    fn defined(&self, name: &str, value: Math) -> Line {
        Line::equation(self.reader.names().quantity(name), value)
    }

    /// Constraints as declared, with 0 on their right.
    pub(super) fn constraints(&mut self) -> Vec<Line> {
        let rows = self.reader.c.constraints.rows.clone();
        let line = |r: &Row| {
            let residual = self.reader.readable(&r.residual);
            Line::equation(residual, Math::integer(0)).labelled(&r.name)
        };
        rows.iter().map(line).collect()
    }

    /// Rates by the state's speeds, where they are not these speeds themselves.
    pub(super) fn kinematics(&mut self) -> Vec<Line> {
        let c = &self.reader.c;
        let values = c.speeds.motion.rate_values.clone();
        let mut lines = Vec::new();
        for (coordinate, value) in c.system.coords.iter().zip(&values) {
            let name = format!("{}'", coordinate.meta.name);
            let value = self.reader.readable(value);
            if value != self.reader.names().quantity(&name) {
                lines.push(self.defined(&name, value));
            }
        }
        lines
    }

    /// Each row of `M z' - f - A^T lambda`, collected by the unknowns.
    pub(super) fn equations(&mut self) -> Vec<Line> {
        let e = &self.found.formulated.equations;
        let explicit = (e.closure == Some(Closure::Explicit))
            .then(|| explicit_gibbs_appell::rows_for_reading(self.reader.c, self.found.formulated));
        let mut lines = match (explicit.flatten(), &self.found.formulated.balances) {
            (Some((chart, x)), _) => self.explicit(&chart, &x),
            (None, Some(balances)) => self.balances(balances),
            (None, None) => self.projected(),
        };
        if e.closure.is_some() {
            lines.extend(self.constraint_rows());
        }
        lines
    }

    /// The equations in the unknowns of their space.
    fn projected(&mut self) -> Vec<Line> {
        let e = &self.found.formulated.equations;
        let closed = self.reader.c.alg.is_closed();
        let dots = self.reader.c.kinematics(e.space).motion.speed_dots.clone();
        let forces = self.constraint_forces(e.space, e.closure.is_some());
        let mut parts = Parts::default();
        let mut lines = Vec::with_capacity(e.mass.len());
        for (i, (row, f)) in e.mass.iter().zip(&e.forcing).enumerate() {
            let alg = &mut self.reader.c.alg;
            let inertia: Expr = row.iter().zip(&dots).map(|(m, d)| m * alg.var(*d)).sum();
            let f = if closed { alg.simplify(f) } else { f.clone() };
            let printed = self
                .reader
                .equation(&(inertia - &f - &forces[i]), Right::Forces);
            let simple = closed.then(|| self.simple(i, row, &f, &dots));
            let line = match (printed, simple.flatten()) {
                (Some(line), Some(simple)) if simple.leaves() < line.math.leaves() => simple.into(),
                (Some(line), _) => line,
                (None, Some(simple)) => simple.into(),
                (None, None) => self.in_parts(i, row, &f, &dots, &mut parts),
            };
            lines.push(if exceeds(&[&line.math], self.longest) {
                self.in_parts(i, row, &f, &dots, &mut parts)
            } else {
                line
            });
            self.parts |= !parts.0.is_empty();
            if self.parts && e.mass.len() > PARTED {
                let words = "M z' = f with M and f as in `mass_matrix` and `forcing`";
                return vec![Line::words(words)];
            }
        }
        lines.extend(self.meanings(&parts));
        lines
    }

    /// A long equation: entries of M and f that are long keep their names.
    fn in_parts(
        &mut self,
        i: usize,
        row: &[Expr],
        f: &Expr,
        dots: &[Var],
        parts: &mut Parts,
    ) -> Line {
        let mut terms = Vec::new();
        for (j, (m, dot)) in row.iter().zip(dots).enumerate() {
            if !self.reader.c.alg.is_zero(m) {
                let place = [i.min(j), i.max(j)];
                let entry = self.part(m, ("M", "mass_matrix"), &place, parts);
                terms.push(entry.sign_in_front().times(self.reader.symbol(*dot)));
                // Equations in many unknowns are not written with named parts: what follows is for nobody to read.
                if row.len() > PARTED && !parts.0.is_empty() {
                    break;
                }
            }
        }
        let mut right = Vec::new();
        if !self.reader.c.alg.is_zero(f) {
            right.push(self.part(f, ("f", "forcing"), &[i], parts));
        }
        if self.found.formulated.equations.closure.is_some() {
            right.push(self.constraint_force(i));
        }
        Line::equation(Math::sum(terms), Math::sum(right))
    }

    /// An entry, or its name where it is long.
    fn part(
        &mut self,
        e: &Expr,
        (letter, function): (&str, &str),
        place: &[usize],
        parts: &mut Parts,
    ) -> Math {
        let written = self.reader.without_definitions(e);
        if let Some(written) = &written
            && text(written).len() <= PART
        {
            return written.clone();
        }
        let indices: String = place.iter().map(|k| format!("[{k}]")).collect();
        let name = format!("{function}{indices}");
        let symbol = if self.reader.names().has_letters(letter) {
            Symbol::verbatim(&name)
        } else {
            let subscripts: Vec<String> = place.iter().map(|k| (k + 1).to_string()).collect();
            let subscripts: Vec<&str> = subscripts.iter().map(String::as_str).collect();
            Symbol {
                name,
                ..Symbol::new(letter, Style::Italic, &subscripts)
            }
        };
        let known = parts.0.iter().any(|p| p.0 == symbol);
        if !known {
            parts.0.push((symbol.clone(), written));
        }
        Math::Symbol(symbol)
    }

    /// What the named parts are, where there are few.
    fn meanings(&self, parts: &Parts) -> Vec<Line> {
        let written = parts.0.iter().filter_map(|(name, value)| {
            let value = value.clone()?;
            Some(Line::equation(Math::Symbol(name.clone()), value))
        });
        let lines: Vec<Line> = written.collect();
        if lines.len() > MEANINGS {
            Vec::new()
        } else {
            lines
        }
    }

    /// An equation as its coefficients are, its forcing multiplied out.
    fn simple(&mut self, i: usize, row: &[Expr], f: &Expr, dots: &[Var]) -> Option<Math> {
        let alg = &mut self.reader.c.alg;
        let f = alg.simplify(&-f);
        let f = alg.expanded(&f);
        if !row.iter().chain([&f]).all(|e| self.is_read(&[e])) {
            return None;
        }
        let mut terms = self.terms(row, dots);
        if !f.is_literal_zero() {
            terms.push(self.reader.math(&f));
        }
        let right = match self.found.formulated.equations.closure {
            Some(_) => self.constraint_force(i),
            None => Math::integer(0),
        };
        Some(Math::equation(Math::sum(terms), right))
    }

    /// Whether these are short enough to be read. To write what is not would take longer than all the rest.
    fn is_read(&self, list: &[&Expr]) -> bool {
        let alg = &self.reader.c.alg;
        list.iter().all(|e| alg.size(e) < LEAVES)
    }

    /// Coefficients times symbols.
    fn terms(&mut self, coefficients: &[Expr], symbols: &[Var]) -> Vec<Math> {
        let pairs = coefficients.iter().zip(symbols);
        let present = pairs.filter(|(e, _)| !e.is_literal_zero());
        present.map(|(e, v)| self.reader.term(e, *v)).collect()
    }

    /// `(A^T + Phi) lambda`, row by row.
    fn constraint_forces(&mut self, space: Space, present: bool) -> Vec<Expr> {
        let e = &self.found.formulated.equations;
        if !present {
            return vec![Expr::zero(); e.mass.len()];
        }
        let lambda = self.found.multipliers.of(self.reader.c);
        let a = rows_in(self.reader.c, space);
        let coupling = e.coupling.as_ref();
        let row = |i: usize| {
            let terms = lambda.iter().enumerate().map(|(j, l)| {
                let own = a[j][i].clone();
                l * match coupling {
                    Some(coupling) => own + &coupling[i][j],
                    None => own,
                }
            });
            terms.sum()
        };
        (0..e.mass.len()).map(row).collect()
    }

    /// Row i of `(A^T + Phi) lambda`.
    fn constraint_force(&mut self, i: usize) -> Math {
        let e = &self.found.formulated.equations;
        let c = &mut *self.reader.c;
        let a = rows_in(c, e.space);
        let rows = c.constraints.rows.clone();
        let mut terms = Vec::new();
        for (j, (row, r)) in a.iter().zip(rows).enumerate() {
            let mut entry = row[i].clone();
            if let Some(coupling) = &e.coupling {
                entry = entry + &coupling[i][j];
            }
            if self.reader.c.alg.is_zero(&entry) {
                continue;
            }
            let name = format!("lambda[{}]", r.name);
            let lambda = Math::Symbol(self.reader.names().symbol(&name));
            let size = self.reader.readable(&entry);
            terms.push(if text(&size).contains(' ') {
                Math::Product(vec![size, lambda])
            } else {
                size.times(lambda)
            });
        }
        Math::sum(terms)
    }

    /// `A q'' = b`, row by row.
    fn constraint_rows(&mut self) -> Vec<Line> {
        let dots = self.reader.c.vars.rate_dots.clone();
        let rows = self.reader.c.constraints.rows.clone();
        let mut parts = Parts::default();
        let mut lines = Vec::with_capacity(rows.len());
        for (i, r) in rows.iter().enumerate() {
            let alg = &self.reader.c.alg;
            let left: Expr = r.a.iter().zip(&dots).map(|(a, d)| a * alg.var(*d)).sum();
            let line = match self.reader.equation(&(&left - &r.b), Right::RowRest) {
                None if self.is_read(&[&left, &r.b]) => {
                    let left = self.reader.readable(&left);
                    Some(Line::equation(left, self.reader.readable(&r.b)))
                }
                printed => printed,
            };
            let longest = LONGEST_ROW.max(self.longest);
            lines.push(match line.filter(|line| !exceeds(&[&line.math], longest)) {
                Some(line) => line,
                None => {
                    let left =
                        self.terms_in_parts(&r.a, &dots, ("A", "constraint_matrix"), i, &mut parts);
                    let right = self.part(&r.b, ("b", "constraint_rhs"), &[i], &mut parts);
                    Line::equation(Math::sum(left), right)
                }
            });
        }
        lines.extend(self.meanings(&parts));
        lines
    }

    /// The explicit Gibbs-Appell equation of each independent acceleration.
    fn explicit(&mut self, chart: &Chart, x: &Explicit) -> Vec<Line> {
        let all = &self.reader.c.vars.rate_dots;
        let dots: Vec<Var> = chart.independent.iter().map(|i| all[*i]).collect();
        let mut parts = Parts::default();
        let mut lines = Vec::with_capacity(x.rhs.len());
        for (i, (row, f)) in x.matrix.iter().zip(&x.rhs).enumerate() {
            let alg = &self.reader.c.alg;
            let inertia: Expr = row.iter().zip(&dots).map(|(m, d)| m * alg.var(*d)).sum();
            let printed = self.reader.equation(&(inertia - f), Right::Rest);
            let line = match printed {
                None if row.iter().chain([f]).all(|e| self.is_read(&[e])) => {
                    let left = Math::sum(self.terms(row, &dots));
                    Some(Line::equation(left, self.reader.math(f)))
                }
                printed => printed,
            };
            lines.push(
                match line.filter(|line| !exceeds(&[&line.math], self.longest)) {
                    Some(line) => line,
                    None => {
                        let left = self.terms_in_parts(
                            row,
                            &dots,
                            ("M", "explicit_matrix"),
                            i,
                            &mut parts,
                        );
                        let right = self.part(f, ("f", "explicit_rhs"), &[i], &mut parts);
                        Line::equation(Math::sum(left), right)
                    }
                },
            );
        }
        lines.extend(self.meanings(&parts));
        lines
    }

    /// The balances as equations with the reactions by name, as the sources write them.
    fn balances(&mut self, b: &Balances) -> Vec<Line> {
        let dots = self.reader.c.vars.rate_dots.clone();
        let rows = &self.reader.c.constraints.rows;
        let mut names: Vec<String> = rows
            .iter()
            .map(|r| format!("reaction({})", r.name))
            .collect();
        let unknowns = || b.declared.iter().chain(&b.generated);
        names.extend(unknowns().map(|u| u.name.clone()));
        let mut parts = Parts::default();
        let mut lines = Vec::with_capacity(b.labels.len());
        for (i, label) in b.labels.iter().enumerate() {
            let left = Math::sum(self.terms(&b.mass[i], &dots));
            let rest = self.reader.readable(&b.rest[i]);
            let mut right = Vec::new();
            if !rest.is_zero() {
                right.push(rest);
            }
            let columns = b.multipliers[i].iter();
            let columns = columns.chain(unknowns().map(|u| &u.column[i]));
            let reactions: Vec<(&Expr, &String)> = columns.zip(&names).collect();
            for (e, name) in &reactions {
                if !self.reader.c.alg.is_zero(e) {
                    let reaction = self.reader.names().quantity(name);
                    right.push(self.reader.readable(e).times(reaction));
                }
            }
            let right = Math::sum(right);
            let line = if exceeds(&[&left, &right], self.longest) {
                let matrix = ("B", "balance_matrix");
                let left = self.terms_in_parts(&b.mass[i], &dots, matrix, i, &mut parts);
                let mut right = Vec::new();
                if !self.reader.c.alg.is_zero(&b.rest[i]) {
                    right.push(self.part(&b.rest[i], ("r", "balance_rhs"), &[i], &mut parts));
                }
                for (k, (e, name)) in reactions.iter().enumerate() {
                    if !self.reader.c.alg.is_zero(e) {
                        // The reactions' columns stand behind those of the accelerations, on the other side.
                        let place = [i, dots.len() + k];
                        let column = self.part(&-(*e).clone(), matrix, &place, &mut parts);
                        let reaction = self.reader.names().quantity(name);
                        let column = match column {
                            Math::Symbol(_) => column.negated(),
                            _ => self.reader.readable(e),
                        };
                        right.push(column.times(reaction));
                    }
                }
                Line::equation(Math::sum(left), Math::sum(right))
            } else {
                Line::equation(left, right)
            };
            lines.push(line.labelled(label));
        }
        lines.extend(self.meanings(&parts));
        lines
    }

    /// A row of coefficients times symbols; long entries keep their names.
    fn terms_in_parts(
        &mut self,
        row: &[Expr],
        dots: &[Var],
        named: (&str, &str),
        i: usize,
        parts: &mut Parts,
    ) -> Vec<Math> {
        let mut terms = Vec::new();
        for (j, (m, dot)) in row.iter().zip(dots).enumerate() {
            if !self.reader.c.alg.is_zero(m) {
                let entry = self.part(m, named, &[i, j], parts);
                terms.push(entry.sign_in_front().times(self.reader.symbol(*dot)));
            }
        }
        terms
    }

    /// The solved accelerations: in the state's speeds where these are declared, else in q''.
    pub(super) fn accelerations(&mut self) -> Vec<Line> {
        let e = &self.found.formulated.equations;
        let c = &mut *self.reader.c;
        let found = match (self.found.accelerations, e.closure) {
            (None, Some(Closure::Explicit)) => solution::in_first_chart(c, self.found.formulated)
                .map(|list| list.iter().map(|u| c.in_speeds(u)).collect()),
            (known, _) => known.map(<[Expr]>::to_vec),
        };
        let Some(qdd) = found else {
            return Vec::new();
        };
        let speeds = c.speeds.clone();
        let solved: Vec<(String, Expr)> = if speeds.speeds.iter().any(|s| s.declared.is_some()) {
            let list = speeds.independent.iter().map(|i| {
                let rate = speed_rate(c, e.space, self.found.solution, *i, &qdd);
                (format!("{}'", speeds.speeds[*i].name), rate)
            });
            list.collect()
        } else {
            let coords = c.system.coords.iter();
            let names = coords.map(|q| format!("{}''", q.meta.name));
            names.zip(qdd).collect()
        };
        let lines = solved.iter();
        let line = |(name, e): &(String, Expr)| self.defined(name, self.reader.printed(e));
        lines.map(line).filter(Line::is_formula).collect()
    }
}

/// u' of speed i in closed form, from q'' in closed form.
pub fn speed_rate(
    c: &mut Context<'_>,
    space: Space,
    solution: Option<&Solution>,
    i: usize,
    qdd: &[Expr],
) -> Expr {
    let speeds = c.speeds.clone();
    if space == Space::SpeedRates
        && let Some(at) = speeds.independent.iter().position(|k| *k == i)
        && let Some(s) = solution
    {
        return s.unknowns[at].clone();
    }
    let vars = c.vars.clone();
    let values = Values {
        system: c.system,
        vars: &vars,
    };
    let dot = speeds.dots(&mut c.alg, &values, &c.mechanics.by_rates)[i].clone();
    let accelerations = vars.rate_dots.iter().copied().zip(qdd.iter().cloned());
    let rates = speeds.motion.rate_values.iter().cloned();
    let rates = vars.rates.iter().copied().zip(rates);
    let map: BTreeMap<Var, Expr> = accelerations.chain(rates).collect();
    let e = c.alg.restrict(&dot, &map, &mut FxHashMap::default());
    c.alg.simplify(&e)
}

/// Symbols of the multipliers of all rows, made when an equation that contains them is first written.
#[derive(Clone, Default)]
pub struct MultiplierSymbols(OnceCell<Vec<Var>>);

impl MultiplierSymbols {
    /// One for each row.
    pub fn of(&self, c: &mut Context<'_>) -> Vec<Expr> {
        let symbols = self.0.get_or_init(|| {
            let rows = c.mechanics.constraints.rows.iter();
            let names = rows.map(|row| format!("lambda[{}]", row.name));
            let symbols = names.map(|name| c.alg.base(&name, Class::Multiplier, None));
            symbols.collect()
        });
        symbols.iter().map(|v| c.alg.var(*v)).collect()
    }
}

/// All rows of A in the unknowns of a space.
pub fn rows_in(c: &mut Context<'_>, space: Space) -> Matrix {
    let all = c.constraints.matrix();
    let b = vec![Expr::zero(); all.len()];
    solution::in_space(c, space, &all, &b).0
}

/// A function of q, q', q'', t in the state's speeds and their rates.
pub fn in_state(c: &mut Context<'_>, e: &Expr) -> Expr {
    let motion = c.kinematics(Space::SpeedRates).motion.clone();
    if motion.speeds == c.vars.rates {
        return e.clone();
    }
    let bias = c.acceleration_bias();
    let mut map: BTreeMap<Var, Expr> = BTreeMap::new();
    for i in 0..motion.rates.len() {
        let terms = motion.rates[i].coef.iter();
        let dot = |k: usize| c.alg.var(motion.speed_dots[k]);
        let sum: Expr = terms.map(|(k, h)| h * dot(*k)).sum();
        map.insert(c.vars.rates[i], motion.rate_values[i].clone());
        map.insert(c.vars.rate_dots[i], sum + &bias[i]);
    }
    c.alg.restrict(e, &map, &mut FxHashMap::default())
}
