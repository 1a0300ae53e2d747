//! Operating points in symbols: what has to hold there, what it comes to where it can be solved, and the linear model around them.

use super::mathematics::Reader;
use crate::elim;
use crate::form::{Context, Equations};
use crate::function::Elementary;
use crate::mech::constraints::Level;
use crate::notation::{Line, Math, Relation, Symbol};
use crate::sym::{Expr, Meaning, Var};
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Solutions are given up beyond so many.
const MANY: usize = 16;
/// Longest entry that is written, in characters.
const LONGEST: usize = 200;

/// What is said of an operating point.
#[derive(Clone, Copy, Debug)]
pub struct Steady<'a> {
    /// Coordinates that turn at constant rates.
    pub turning: &'a [usize],
    /// Coordinates that are given.
    pub held: &'a [usize],
    /// Inputs that are unknown.
    pub free: &'a [usize],
}

/// What has to hold at operating points, and what it comes to.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Equations.
    pub equations: Vec<Line>,
    /// All solutions, if there is a short formula for each, up to whole turns of angles.
    pub solutions: Vec<Solved>,
}

/// A solution.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// The unknowns that it determines.
    pub values: Vec<Line>,
    /// What has to hold of the given quantities for it to exist.
    pub provided: Vec<Math>,
}

/// An entry of a linear model that is not the same for all machines: its row and column, counted over coordinates, speeds and inputs.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Row: a rate of a coordinate or of a speed.
    pub row: usize,
    /// Column: a coordinate, a speed or an input.
    pub column: usize,
    /// The entry.
    pub value: Math,
}

/// What a symbol is known to be.
pub type Known = BTreeMap<Var, Expr>;

/// Why there is nothing in symbols.
pub type Refusal = &'static str;

/// What has to hold where all speeds keep their values, and all coordinates but those that turn.
///
/// # Errors
/// Why it cannot be said in symbols.
pub fn conditions(
    c: &mut Context<'_>,
    equations: &Equations,
    steady: Steady<'_>,
) -> Result<Conditions, Refusal> {
    let rows = rows(c, equations, steady)?;
    let mut unknown: Vec<Var> = Vec::new();
    let is_unknown = |i: &usize| !steady.turning.contains(i) && !steady.held.contains(i);
    let coords = (0..c.vars.coords.len()).filter(is_unknown);
    unknown.extend(coords.map(|i| c.vars.coords[i]));
    unknown.extend(steady.free.iter().map(|i| c.vars.inputs[*i]));
    // What concerns given quantities alone is a condition on these.
    let of_unknown = rows
        .iter()
        .filter(|row| c.alg.depends(row, &|v| unknown.contains(&v)));
    let of_unknown: Vec<Expr> = of_unknown.cloned().collect();
    let solutions = match of_unknown.is_empty() {
        true => Vec::new(),
        false => solve(c, &of_unknown, &unknown).unwrap_or_default(),
    };
    let mut reader = Reader::new(c);
    let mut lines = Vec::new();
    for row in &rows {
        let left = reader.readable(row);
        lines.push(Line::equation(left, Math::integer(0)));
    }
    let solutions = solutions.into_iter().map(|solution| {
        let provided = solution.provided(&mut reader);
        let line = |(v, value): (Var, Expr)| {
            let left = reader.symbol(v);
            let right = reader.readable(&value);
            Line::equation(left, right)
        };
        let values = solution.values.into_iter().map(line).collect();
        Solved { values, provided }
    });
    let solutions = solutions.collect();
    Ok(Conditions {
        equations: lines,
        solutions,
    })
}

/// What vanishes at operating points, without the factors that never do.
fn rows(
    c: &mut Context<'_>,
    equations: &Equations,
    steady: Steady<'_>,
) -> Result<Vec<Expr>, Refusal> {
    if equations.closure.is_some() {
        return Err("constraints between its speeds remain");
    }
    let moving: Vec<Var> = steady.turning.iter().map(|i| c.vars.rates[*i]).collect();
    let motion = c.speeds.motion.clone();
    let plain = motion.speeds.iter().all(|s| c.vars.rates.contains(s));
    if !moving.is_empty() && !plain {
        return Err("coordinates turn, and the speeds are no rates of coordinates");
    }
    let known: Known = motion
        .speeds
        .iter()
        .filter(|s| !moving.contains(s))
        .map(|s| (*s, Expr::zero()))
        .collect();
    let mut all = equations.forcing.clone();
    for (i, rate) in motion.rate_values.iter().enumerate() {
        if !steady.turning.contains(&i) {
            all.push(rate.clone());
        }
    }
    let positions = c.constraints.rows.iter();
    let positions = positions.filter(|row| row.level == Level::Position);
    all.extend(positions.map(|row| row.residual.clone()));
    for state in &c.system.states {
        let (alg, values, k, _) = c.parts(crate::form::Space::Accelerations);
        all.push(
            values
                .scalar(alg, k, &state.rate)
                .map_err(|_| "a state of first order has no value")?,
        );
    }
    let mut rows: Vec<Expr> = Vec::new();
    for e in &all {
        let e = at(c, e, &known);
        if let Some(row) = bare(c, &e)
            && !rows.iter().any(|known| c.alg.equal(known, &row))
        {
            rows.push(row);
        }
    }
    if c.alg.is_exhausted() {
        return Err("its equations are too long");
    }
    Ok(rows)
}

/// An expression where symbols are known, simplified.
fn at(c: &mut Context<'_>, e: &Expr, known: &Known) -> Expr {
    let with = |v: Var| known.get(&v).cloned();
    let e = c.alg.substitute(e, &with, &mut FxHashMap::default());
    c.alg.simplify(&e)
}

/// What vanishes where `e` does, without factors that never vanish; `None` if `e` is identically zero.
fn bare(c: &mut Context<'_>, e: &Expr) -> Option<Expr> {
    if c.alg.is_zero(e) {
        return None;
    }
    let (mut product, divisors) = (Expr::one(), c.alg.divisors(e));
    for factor in c.alg.factors(e) {
        if !divisors.contains(&factor) && !c.alg.is_nonzero(&factor) {
            product = product * factor;
        }
    }
    Some(product)
}

/// Unknowns with what they are.
#[derive(Clone, Debug, Default)]
struct Solution {
    values: Vec<(Var, Expr)>,
    needs: Vec<Need>,
}

/// What a formula takes for granted.
#[derive(Clone, Debug)]
enum Need {
    /// It lies between -1 and 1: the sine or cosine of an angle.
    Within(Expr),
    /// It does not vanish: a divisor.
    Nonzero(Expr),
}

impl Need {
    fn expr(&self) -> &Expr {
        match self {
            Self::Within(e) | Self::Nonzero(e) => e,
        }
    }
}

impl Solution {
    /// What has to hold, as a reader sees it, each once.
    fn provided(&self, reader: &mut Reader<'_, '_>) -> Vec<Math> {
        let mut all: Vec<Math> = Vec::new();
        for need in &self.needs {
            let e = reader.readable(need.expr());
            let said = match need {
                Need::Within(_) => {
                    // The size of an opposite is that of the thing.
                    let e = match e {
                        Math::Negative(e) => *e,
                        e => e,
                    };
                    let size = Math::Function(Symbol::verbatim("abs"), vec![e]);
                    Math::Relation(
                        Box::new(size),
                        Relation::LessEqual,
                        Box::new(Math::integer(1)),
                    )
                }
                Need::Nonzero(_) => {
                    Math::Relation(Box::new(e), Relation::Unequal, Box::new(Math::integer(0)))
                }
            };
            if !all.contains(&said) {
                all.push(said);
            }
        }
        all
    }
}

/// All solutions of rows, if there is a formula for each.
fn solve(c: &mut Context<'_>, rows: &[Expr], unknown: &[Var]) -> Option<Vec<Solution>> {
    if rows.is_empty() {
        return Some(vec![Solution::default()]);
    }
    let depends = |c: &Context<'_>, row: &Expr| -> Vec<Var> {
        let own = unknown.iter().copied();
        own.filter(|v| c.alg.depends(row, &|x| x == *v)).collect()
    };
    // One unknown at a time, if there is a row of one; or what a row gives by the others.
    let of_rows: Vec<Vec<Var>> = rows.iter().map(|row| depends(c, row)).collect();
    let alone = of_rows.iter().position(|own| own.len() == 1);
    let (first, v, factors) = match alone {
        Some(first) => (first, of_rows[first][0], c.alg.factors(&rows[first])),
        None => {
            let mut linear =
                (0..rows.len()).filter_map(|i| Some((i, linear_in(c, &rows[i], &of_rows[i])?)));
            let (first, v) = linear.next()?;
            (first, v, vec![rows[first].clone()])
        }
    };
    let mut found = Vec::new();
    for factor in factors {
        if !c.alg.depends(&factor, &|x| x == v) {
            // It may vanish for other reasons: parameters that are equal.
            continue;
        }
        for Isolated { value, needs } in isolated(c, &factor, v)? {
            let known = Known::from([(v, value.clone())]);
            let mut left = Vec::new();
            for (i, row) in rows.iter().enumerate() {
                if i == first {
                    continue;
                }
                let row = at(c, row, &known);
                if let Some(row) = bare(c, &row) {
                    left.push(row);
                }
            }
            // What holds for no value of the rest is no solution.
            if left.iter().any(|row| c.alg.is_nonzero(row)) {
                continue;
            }
            for rest in solve(c, &left, unknown)? {
                let later: Known = rest.values.iter().cloned().collect();
                let own = needs.iter().cloned().chain(rest.needs);
                let Some(needs) = needed(c, own, &later) else {
                    continue;
                };
                let own = std::iter::once((v, at(c, &value, &later)));
                let values = own.chain(rest.values).collect();
                found.push(Solution { values, needs });
            }
            if found.len() > MANY {
                return None;
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// What remains to be said of needs where symbols are known; `None` if one is never met.
fn needed(
    c: &mut Context<'_>,
    needs: impl Iterator<Item = Need>,
    known: &Known,
) -> Option<Vec<Need>> {
    let mut left = Vec::new();
    for need in needs {
        let e = at(c, need.expr(), known);
        match need {
            Need::Within(_) => match c.alg.as_number(&e) {
                Some(x) if x.abs() > BigRational::one() => return None,
                Some(_) => {}
                None => left.push(Need::Within(e)),
            },
            Need::Nonzero(_) if c.alg.is_zero(&e) => return None,
            Need::Nonzero(_) if c.alg.is_nonzero(&e) => {}
            Need::Nonzero(_) => {
                // Factors that never vanish say nothing.
                let factors = c.alg.factors(&e);
                let doubtful = factors.into_iter().filter(|f| !c.alg.is_nonzero(f));
                left.extend(doubtful.map(Need::Nonzero));
            }
        }
    }
    Some(left)
}

/// The first of these unknowns in which a row is linear, with a coefficient that never vanishes.
fn linear_in(c: &mut Context<'_>, row: &Expr, unknown: &[Var]) -> Option<Var> {
    unknown.iter().copied().find(|v| {
        let slope = c.alg.partial(row, *v);
        let slope = c.alg.simplify(&slope);
        !c.alg.depends(&slope, &|x| x == *v) && is_general(c, &slope)
    })
}

/// Whether something vanishes for special parameters at most.
fn is_general(c: &mut Context<'_>, e: &Expr) -> bool {
    let (vars, speeds) = (&c.mechanics.vars, &c.mechanics.speeds.motion.speeds);
    let lists = [
        &vars.coords,
        &vars.rates,
        &vars.inputs,
        &vars.states,
        speeds,
    ];
    let varies = |v: Var| v == vars.time || lists.iter().any(|list| list.contains(&v));
    let is_constant = !c.alg.depends(e, &varies) && !c.alg.is_zero(e);
    is_constant || c.alg.is_nonzero(e)
}

/// A value of an unknown, and what it takes for granted.
struct Isolated {
    value: Expr,
    needs: Vec<Need>,
}

/// The values of `v` at which a factor vanishes, angles between two half turns; `None` where there is no formula for them.
fn isolated(c: &mut Context<'_>, factor: &Expr, v: Var) -> Option<Vec<Isolated>> {
    let symbols = c.alg.variables(factor);
    let of_v = |c: &Context<'_>, x: &Var| {
        let own = c.alg.var(*x);
        *x == v || c.alg.depends(&own, &|y| y == v)
    };
    let within: Vec<Var> = symbols.into_iter().filter(|x| of_v(c, x)).collect();
    match within.as_slice() {
        [x] if *x == v => Some(vec![ratio(c, factor, v, v)?]),
        [x] => {
            let Meaning::Kernel(kernel, arguments) = c.alg.info(*x).meaning.clone() else {
                return None;
            };
            let beside = beside(c, &arguments, v)?;
            let ratio = ratio(c, factor, *x, v)?;
            let found = inverse(c, kernel, ratio)?;
            Some(less(found, &beside))
        }
        [x, y] => {
            let kernel = |x: &Var| match &c.alg.info(*x).meaning {
                Meaning::Kernel(kernel, arguments) => Some((*kernel, arguments.clone())),
                _ => None,
            };
            let ((first, arguments), (second, others)) = (kernel(x)?, kernel(y)?);
            let beside = beside(c, &arguments, v).filter(|_| arguments == others)?;
            let found = match (first, second) {
                (Elementary::Sin, Elementary::Cos) => on_circle(c, factor, [*x, *y], v),
                (Elementary::Cos, Elementary::Sin) => on_circle(c, factor, [*y, *x], v),
                _ => None,
            };
            Some(less(found?, &beside))
        }
        _ => None,
    }
}

/// What stands beside `v` in the argument of a function: the angle at which a joint is mounted.
fn beside(c: &Context<'_>, arguments: &[Expr], v: Var) -> Option<Expr> {
    let [argument] = arguments else { return None };
    let beside = (argument - &c.alg.var(v)).expand();
    (!c.alg.depends(&beside, &|x| x == v)).then_some(beside)
}

/// Arguments without what stands beside the unknown in them.
fn less(found: Vec<Isolated>, beside: &Expr) -> Vec<Isolated> {
    let less = |found: Isolated| Isolated {
        value: &found.value - beside,
        ..found
    };
    found.into_iter().map(less).collect()
}

/// The angles `v` at which `a sin(v) + b cos(v) + d` vanishes, or what `v` and something beside it then are.
fn on_circle(
    c: &mut Context<'_>,
    factor: &Expr,
    [sine, cosine]: [Var; 2],
    v: Var,
) -> Option<Vec<Isolated>> {
    let a = c.alg.partial(factor, sine);
    let b = c.alg.partial(factor, cosine);
    let none = Known::from([(sine, Expr::zero()), (cosine, Expr::zero())]);
    let d = at(c, factor, &none);
    let whole = &a * &c.alg.var(sine) + &b * &c.alg.var(cosine) + d.clone();
    let is_linear =
        [&a, &b, &d].iter().all(|e| !c.alg.depends(e, &|x| x == v)) && c.alg.equal(&whole, factor);
    if !is_linear {
        return None;
    }
    if c.alg.is_zero(&d) {
        let angle = c.alg.apply(Elementary::Atan2, vec![-&b, a]);
        let opposite = &angle - &c.alg.pi();
        let all = [angle, opposite].map(|value| Isolated {
            value,
            needs: Vec::new(),
        });
        return Some(all.into());
    }
    // r cos(v - angle) = -d, where a = r sin(angle) and b = r cos(angle)
    let squares = c.alg.simplify(&(a.powi(2) + b.powi(2)));
    let size = c.alg.apply(Elementary::Sqrt, vec![squares]);
    let angle = c.alg.apply(Elementary::Atan2, vec![a, b]);
    let ratio = -(d * size.powi(-1));
    let ratio = c.alg.simplify(&ratio);
    let away = c.alg.apply(Elementary::Acos, vec![ratio.clone()]);
    let all = [&angle + &away, angle - away].map(|value| Isolated {
        value,
        needs: vec![Need::Nonzero(size.clone()), Need::Within(ratio.clone())],
    });
    Some(all.into())
}

/// What `x` is where an expression vanishes that is linear in it, and depends on `v` through it alone.
fn ratio(c: &mut Context<'_>, e: &Expr, x: Var, v: Var) -> Option<Isolated> {
    let slope = c.alg.partial(e, x);
    let slope = c.alg.simplify(&slope);
    let known = Known::from([(x, Expr::zero())]);
    let rest = at(c, e, &known);
    let is_linear = [&slope, &rest]
        .iter()
        .all(|e| !c.alg.depends(e, &|y| y == v));
    if !is_linear || !is_general(c, &slope) {
        return None;
    }
    let value = -(rest * slope.powi(-1));
    Some(Isolated {
        value: c.alg.simplify(&value),
        needs: vec![Need::Nonzero(slope)],
    })
}

/// The arguments at which a function has a value.
fn inverse(c: &mut Context<'_>, kernel: Elementary, ratio: Isolated) -> Option<Vec<Isolated>> {
    let Isolated { value, mut needs } = ratio;
    let pi = c.alg.pi();
    let half = |e: &Expr| e * &Expr::rational(&BigRational::new(1.into(), 2.into()));
    let angles = match (kernel, value.is_literal_zero()) {
        (Elementary::Sin, true) => [Expr::zero(), pi],
        (Elementary::Cos, true) => [half(&pi), -half(&pi)],
        (Elementary::Sin, false) => {
            let angle = c.alg.apply(Elementary::Asin, vec![value.clone()]);
            [angle.clone(), pi - angle]
        }
        (Elementary::Cos, false) => {
            let angle = c.alg.apply(Elementary::Acos, vec![value.clone()]);
            [angle.clone(), -angle]
        }
        (Elementary::Tan, _) => {
            let angle = c.alg.apply(Elementary::Atan, vec![value.clone()]);
            [angle.clone(), angle + pi]
        }
        _ => return None,
    };
    if kernel != Elementary::Tan && !value.is_literal_zero() {
        needs.push(Need::Within(value));
    }
    let with = |value| Isolated {
        value,
        needs: needs.clone(),
    };
    Some(angles.map(with).into())
}

/// The derivatives of the rates of coordinates and speeds by coordinates, speeds and inputs at an operating point at which some
/// symbols are known, but for entries that vanish. What is not known stands for its value there.
///
/// # Errors
/// Why they are not said in symbols.
pub fn linear_model(
    c: &mut Context<'_>,
    equations: &Equations,
    known: &Known,
) -> Result<Vec<Entry>, Refusal> {
    if equations.closure.is_some() {
        return Err("constraints between its speeds remain");
    }
    if c.constraints
        .rows
        .iter()
        .any(|row| row.level == Level::Position)
    {
        return Err("its coordinates depend on each other");
    }
    if !c.system.states.is_empty() {
        return Err("it has states of first order");
    }
    let motion = c.speeds.motion.clone();
    let columns: Vec<Var> = [&c.vars.coords[..], &motion.speeds, &c.vars.inputs].concat();
    let slopes = |c: &mut Context<'_>, e: &Expr| -> Vec<Expr> {
        let slope = |v: &Var| {
            let slope = c.alg.partial(e, *v);
            at(c, &slope, known)
        };
        columns.iter().map(slope).collect()
    };
    // Where the speeds keep their values, M counts at the point alone.
    let rates: Vec<Vec<Expr>> = motion.rate_values.iter().map(|e| slopes(c, e)).collect();
    let forces: Vec<Vec<Expr>> = equations.forcing.iter().map(|e| slopes(c, e)).collect();
    let mass: Vec<Vec<Expr>> = equations
        .mass
        .iter()
        .map(|row| row.iter().map(|e| at(c, e, known)).collect())
        .collect();
    let solved = match mass.len() {
        0 => Vec::new(),
        _ => {
            elim::solve(&mut c.alg, &mass, &forces)
                .ok_or("its mass matrix is singular there, or its inverse is long")?
                .x
        }
    };
    if c.alg.is_exhausted() {
        return Err("its equations are too long");
    }
    let mut entries = Vec::new();
    let mut reader = Reader::new(c);
    for (row, values) in rates.iter().chain(&solved).enumerate() {
        for (column, value) in values.iter().enumerate() {
            let value = reader.c.alg.simplify(value);
            if reader.c.alg.is_zero(&value) {
                continue;
            }
            let value = reader.readable(&value);
            if crate::notation::text(&value).len() > LONGEST {
                return Err("an entry is too long to be read");
            }
            entries.push(Entry { row, column, value });
        }
    }
    Ok(entries)
}
