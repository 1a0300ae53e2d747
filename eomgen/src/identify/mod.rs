//! Which inertial parameters the motion depends on, and how the others are grouped with them (Gautier & Khalil 1990; Mayeda, Yoshida & Osuka 1990). A column
//! of the regressor that is a combination of others at every state, with coefficients in parameters alone, adds its parameter to theirs. Rank is that of the
//! regressor at random states, in a prime field where these are free; coefficients are formulas that have the same values at random parameters. Knows nothing
//! of generated code.

mod formula;
mod number;
mod stack;

use crate::catalogue;
use crate::diag::codes::quantities::{E0595, E0596};
use crate::diag::{self, Diagnostic};
use crate::facts::Fact;
use crate::field::Residue;
use crate::form::{Column, Context, Quantities, Regressor, Space, Table, matrix};
use crate::sym::{Expr, Meaning, Var};
use formula::{Formula, Polynomial};
use number::Number;
use stack::{Draw, Found, Stack};
use std::collections::BTreeSet;

/// What is left of nothing in floating point.
const NOTHING: f64 = 1e-6;

/// How a parameter is grouped with one of the base.
#[derive(Clone, Debug)]
pub struct Share {
    /// Which column.
    pub column: usize,
    /// With what factor; `None` if no formula was found for it.
    pub factor: Option<Expr>,
    /// The factor in floating point with the model's own parameters, where only that is known.
    pub rounded: Option<f64>,
}

/// The base parameters of a machine.
#[derive(Clone, Debug)]
pub struct Base {
    /// All inertial parameters.
    pub regressor: Regressor,
    /// The columns that are independent, each with those that are grouped with it, in the order of the columns.
    pub groups: Vec<(usize, Vec<Share>)>,
    /// Parameters on which the motion does not depend.
    pub without_effect: Vec<usize>,
    /// Whether the rank is exact; else it was counted in floating point, at states that meet the constraints.
    pub exact: bool,
}

/// A quantity of the base; `None` for any other name.
pub fn table(
    c: &mut Context<'_>,
    quantities: &mut Quantities,
    name: &str,
) -> diag::Result<Option<Table>> {
    let Some(name) = ["base_regressor", "base_parameters"]
        .into_iter()
        .find(|own| *own == name)
    else {
        return Ok(None);
    };
    debug_assert!(catalogue::output(name).is_some());
    let base = Base::find(c, quantities)?;
    let own: Vec<Column> = base
        .groups
        .iter()
        .map(|(column, _)| base.regressor.columns[*column].clone())
        .collect();
    let names: Vec<String> = own.iter().map(|column| column.name.clone()).collect();
    let facts = [
        Fact::Columns(names.clone()),
        Fact::ReferencePoints(base.regressor.about.clone()),
    ];
    let table = if name == "base_regressor" {
        let names = c.kinematics(Space::SpeedRates).motion.names(&c.alg);
        matrix(name, names, &own).taking(&base.regressor.rates)
    } else {
        let mut values = Vec::with_capacity(own.len());
        for (column, shares) in &base.groups {
            let mut sum = base.regressor.columns[*column].value.clone();
            for share in shares {
                let Some(factor) = &share.factor else {
                    return Err(vec![unknown(c, &base, *column)]);
                };
                sum = sum + factor * &base.regressor.columns[share.column].value;
            }
            values.push(c.alg.define(&base.regressor.columns[*column].name, sum));
        }
        Table::vector(name, base.titles(c), values)
    };
    Ok(Some(facts.into_iter().fold(table, Table::stating)))
}

impl Base {
    /// The base parameters in the speeds of the state.
    pub fn find(c: &mut Context<'_>, quantities: &mut Quantities) -> diag::Result<Self> {
        let regressor = quantities.regressor(c)?;
        let order = order(&regressor);
        let height = regressor.columns.first().map_or(0, |own| own.entries.len());
        let row = |i: usize| {
            let each = regressor.columns.iter();
            each.map(|own| own.entries[i].clone()).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Expr>> = (0..height).map(row).collect();
        let atoms = Atoms::of(c, &rows);
        let mechanics = c.mechanics.clone();
        let stack = Stack::new(c, &mechanics, &rows, &atoms.list, &regressor.rates);
        let (pivots, factors) = if stack.is_exact() {
            let draw = |draw| stack.exact(&order, draw);
            Relations::<Residue>::read(&draw, &atoms, true).map(|r| r.solve(c, &atoms, &order))
        } else {
            let drawn = stack.is_free(&order);
            let draw = |draw| stack.rounded(&order, draw, drawn);
            let relations = Relations::<f64>::read(&draw, &atoms, drawn);
            relations.map(|r| r.solve(c, &atoms, &order))
        }
        .ok_or_else(|| vec![nowhere(c)])?;
        Ok(Self::grouped(regressor, stack.is_exact(), pivots, factors))
    }

    fn grouped(
        regressor: Regressor,
        exact: bool,
        pivots: Vec<usize>,
        factors: Vec<(usize, Share)>,
    ) -> Self {
        let mut groups: Vec<(usize, Vec<Share>)> = pivots
            .iter()
            .map(|pivot| {
                let own = factors.iter().filter(|(to, _)| to == pivot);
                let mut shares: Vec<Share> = own.map(|(_, share)| share.clone()).collect();
                shares.sort_by_key(|share| share.column);
                (*pivot, shares)
            })
            .collect();
        groups.sort_by_key(|(column, _)| *column);
        let has_effect =
            |k: &usize| pivots.contains(k) || factors.iter().any(|(_, share)| share.column == *k);
        let without_effect = (0..regressor.columns.len()).filter(|k| !has_effect(k));
        Self {
            without_effect: without_effect.collect(),
            regressor,
            groups,
            exact,
        }
    }

    /// Each base parameter as a sum: `upper.Jzz + l1^2*lower.m`.
    pub fn titles(&self, c: &Context<'_>) -> Vec<String> {
        let name = |column: usize| self.regressor.columns[column].name.as_str();
        let shown = |share: &&Share| share.factor.as_ref() != Some(&Expr::zero());
        let each = self.groups.iter().map(|(column, shares)| {
            let mut text = name(*column).to_owned();
            for share in shares.iter().filter(shown) {
                text.push_str(&term(c, share, name(share.column)));
            }
            text
        });
        each.collect()
    }

    /// The parameters that are grouped with others.
    pub fn grouped_away(&self) -> Vec<usize> {
        let all = self.groups.iter().flat_map(|(_, shares)| shares);
        let mut columns: Vec<usize> = all.map(|share| share.column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

/// ` + l1^2*lower.m`
fn term(c: &Context<'_>, share: &Share, name: &str) -> String {
    let Some(factor) = &share.factor else {
        return match share.rounded {
            Some(number) => format!(
                " {} {:.6}*{name}",
                if number < 0.0 { '-' } else { '+' },
                number.abs()
            ),
            None => format!(" + (...)*{name}"),
        };
    };
    if *factor == Expr::one() {
        return format!(" + {name}");
    }
    if *factor == Expr::int(-1) {
        return format!(" - {name}");
    }
    let text = c.alg.text(factor);
    let is_sum = {
        let mut depth = 0_i32;
        text.char_indices().any(|(at, letter)| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0 && at > 0 && matches!(letter, '+' | '-')
        })
    };
    match text.strip_prefix('-') {
        _ if is_sum => format!(" + ({text})*{name}"),
        Some(rest) => format!(" - {rest}*{name}"),
        None => format!(" + {text}*{name}"),
    }
}

/// The order in which columns are tried: bodies near the ground first, and of each the inertia before the first moments and these before the mass, so that
/// masses far out are grouped with what carries them.
fn order(regressor: &Regressor) -> Vec<usize> {
    let rank = |name: &str| match name.rsplit('.').next() {
        Some("m") => 2,
        Some("mx" | "my" | "mz") => 1,
        _ => 0,
    };
    let body = |k: usize| {
        let name = &regressor.columns[k].name;
        let of = |(own, _): &(String, String)| {
            let rest = name.strip_prefix(own.as_str());
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        regressor.about.iter().position(of)
    };
    let key = |k: usize| {
        // Parameters of stated energies come last.
        let (depth, name) = (regressor.depths[k], &regressor.columns[k].name);
        (body(k).is_none(), depth, body(k), rank(name))
    };
    let mut order: Vec<usize> = (0..regressor.columns.len()).collect();
    order.sort_by_key(|k| key(*k));
    order
}

/// What coefficients may be made of: parameters, and functions of parameters or of numbers.
struct Atoms {
    list: Vec<Expr>,
    /// The parameters of each, by number; none of functions of numbers.
    params: Vec<Vec<usize>>,
}

impl Atoms {
    fn of(c: &Context<'_>, rows: &[Vec<Expr>]) -> Self {
        let mut open: Vec<Var> = rows
            .iter()
            .flatten()
            .flat_map(|e| c.alg.variables(e))
            .collect();
        open.sort_unstable();
        open.dedup();
        let params = &c.vars.params;
        let fixed = |e: &Expr| {
            let moving = |v: Var| {
                !params.contains(&v)
                    && matches!(c.alg.info(v).meaning, Meaning::Base | Meaning::Jet { .. })
            };
            !c.alg.depends(e, &moving)
        };
        let mut found: Vec<Var> = Vec::new();
        let mut known: BTreeSet<Var> = BTreeSet::new();
        while let Some(v) = open.pop() {
            if !known.insert(v) {
                continue;
            }
            match &c.alg.info(v).meaning {
                Meaning::Base if params.contains(&v) => found.push(v),
                Meaning::Pi => found.push(v),
                Meaning::Base | Meaning::Jet { .. } => {}
                Meaning::Definition(e) => open.extend(c.alg.variables(e)),
                // A parameter that occurs as an angle alone is none by itself.
                Meaning::Kernel(_, args) if args.iter().all(fixed) => found.push(v),
                Meaning::Kernel(_, args) => {
                    open.extend(args.iter().flat_map(|e| c.alg.variables(e)));
                }
            }
        }
        found.sort_unstable();
        let of = |v: &Var| {
            let e = c.alg.var(*v);
            let each = params.iter().enumerate();
            let own = each.filter(|(_, p)| c.alg.depends(&e, &|x| x == **p));
            own.map(|(i, _)| i).collect()
        };
        Self {
            list: found.iter().map(|v| c.alg.var(*v)).collect(),
            params: found.iter().map(of).collect(),
        }
    }
}

impl Atoms {
    /// The parameters that occur in them.
    fn used(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.params.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What the columns that depend on others are made of, at as many parameters as are asked for.
struct Relations<'d, N> {
    draw: &'d dyn Fn(Draw) -> Option<Found<N>>,
    pivots: Vec<usize>,
    first: Found<N>,
    /// What is found with one parameter changed, or with other functions.
    changed: Vec<(Option<usize>, Option<Found<N>>)>,
    /// Whether parameters are drawn.
    drawn: bool,
    further: Vec<Found<N>>,
    next: u64,
}

impl<'d, N: Number> Relations<'d, N> {
    fn read(
        draw: &'d dyn Fn(Draw) -> Option<Found<N>>,
        atoms: &Atoms,
        drawn: bool,
    ) -> Option<Self> {
        const TRIES: u64 = 8;
        let numbered = |number| Draw {
            number,
            ..Draw::default()
        };
        let (number, first) = (0..TRIES).find_map(|n| Some((n, draw(numbered(n))?)))?;
        let mut changed = Vec::new();
        if drawn {
            for p in atoms.used() {
                let own = Draw {
                    changed: Some(p),
                    ..numbered(number)
                };
                changed.push((Some(p), draw(own)));
            }
            if atoms.params.iter().any(Vec::is_empty) {
                let own = Draw {
                    functions: 1,
                    ..numbered(number)
                };
                changed.push((None, draw(own)));
            }
        }
        Some(Self {
            draw,
            pivots: first.echelon.pivots.clone(),
            first,
            changed,
            drawn,
            further: Vec::new(),
            next: number + 1,
        })
    }

    /// The numbers of a draw.
    fn point(&mut self, index: usize) -> Option<&Found<N>> {
        const MISSES: u64 = 40;
        let limit = self.next + MISSES;
        while self.further.len() <= index {
            if self.next > limit {
                return None;
            }
            let number = self.next;
            self.next += 1;
            let draw = Draw {
                number,
                changed: None,
                functions: number,
            };
            let found = (self.draw)(draw);
            let same = |found: &Found<N>| found.echelon.pivots == self.pivots;
            self.further.extend(found.filter(same));
        }
        self.further.get(index)
    }

    /// Independent columns, and for each other column what it is made of.
    fn solve(
        mut self,
        c: &mut Context<'_>,
        atoms: &Atoms,
        order: &[usize],
    ) -> (Vec<usize>, Vec<(usize, Share)>) {
        let mut shares: Vec<(usize, Share)> = Vec::new();
        let pivots = self.pivots.clone();
        for column in order {
            if pivots.contains(column) {
                continue;
            }
            for (place, pivot) in pivots.iter().enumerate() {
                let number = self.first.echelon.rows[place][*column];
                if number.weight() == 0.0 {
                    continue;
                }
                let entry = |found: &Found<N>| {
                    let known = found.echelon.pivots == pivots;
                    known.then(|| found.echelon.rows[place][*column])
                };
                let factor = self.factor(c, atoms, &entry);
                let known = self.drawn || factor.is_some();
                let share = Share {
                    column: *column,
                    rounded: number.decimal().filter(|x| !known && x.abs() > NOTHING),
                    factor,
                };
                shares.push((*pivot, share));
            }
        }
        (pivots, shares)
    }

    /// A number that depends on parameters alone, as a formula.
    fn factor(
        &mut self,
        c: &mut Context<'_>,
        atoms: &Atoms,
        entry: &dyn Fn(&Found<N>) -> Option<N>,
    ) -> Option<Expr> {
        let own = entry(&self.first)?;
        if !self.drawn {
            return own.rational().map(|r| Expr::rational(&r));
        }
        // What is not known may differ.
        let differs = |found: &Option<Found<N>>| {
            let other = found.as_ref().and_then(entry);
            !other.is_some_and(|other| own.same(other))
        };
        let moved = self.changed.iter().filter(|(_, found)| differs(found));
        let moved: Vec<Option<usize>> = moved.map(|(what, _)| *what).collect();
        let takes_part = |params: &Vec<usize>| match params.as_slice() {
            [] => moved.contains(&None),
            params => params.iter().any(|p| moved.contains(&Some(*p))),
        };
        let relevant: Vec<usize> = (0..atoms.list.len())
            .filter(|k| takes_part(&atoms.params[*k]))
            .collect();
        let found = formula::formula(relevant.len(), |index| {
            let found = self.point(index)?;
            let at = relevant.iter().map(|k| found.atoms[*k]).collect();
            Some((at, entry(found)?))
        })?;
        let own: Vec<Expr> = relevant.iter().map(|k| atoms.list[*k].clone()).collect();
        Some(expression(c, &found, &own))
    }
}

fn expression(c: &mut Context<'_>, found: &Formula, atoms: &[Expr]) -> Expr {
    let of = |terms: &Polynomial| -> Expr {
        let each = terms.iter().map(|(exponents, factor)| {
            let powers = atoms.iter().zip(exponents);
            powers.fold(Expr::rational(factor), |product, (atom, e)| {
                (0..*e).fold(product, |product, _| product * atom)
            })
        });
        each.sum()
    };
    let top = of(&found.numerator);
    match &found.denominator {
        None => top,
        Some(bottom) => {
            let quotient = top / of(bottom);
            c.alg.simplify(&quotient)
        }
    }
}

fn unknown(c: &Context<'_>, base: &Base, column: usize) -> Diagnostic {
    let name = &base.regressor.columns[column].name;
    Diagnostic::error(
        E0595,
        "there are no `base_parameters` in symbols",
        c.system.whole(),
        format!("what is grouped with `{name}` is no short formula in the parameters"),
    )
    .help("ask for `base_regressor` alone, or fix the parameters of the geometry with `--fix`")
}

fn nowhere(c: &Context<'_>) -> Diagnostic {
    Diagnostic::error(
        E0596,
        "there are no base parameters: too few states were found that satisfy the constraints",
        c.system.whole(),
        "of this model",
    )
    .help("give parameters and coordinates values with which the mechanism closes")
}
