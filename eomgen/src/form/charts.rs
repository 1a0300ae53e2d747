//! Charts of the constraint matrix: which accelerations the rows are solved for. With the columns permuted to `A = [Ae Ai]`,
//! Ae of full column rank, a chart is the choice of e; it fails where Ae loses rank. Knows nothing of masses and forces.

use super::Context;
use crate::diag::Diagnostic;
use crate::diag::codes::formulations::E0520;
use crate::elim::{self, Matrix};
use crate::mech::constraints::Rank;
use crate::mech::definite::small;
use crate::sym::{Algebra, Expr};

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The coordinates whose accelerations are eliminated, one for each independent row.
    pub eliminated: Vec<usize>,
    /// The others.
    pub independent: Vec<usize>,
    /// The determinant of Ae (its independent rows), where it was worked out.
    pub determinant: Option<Expr>,
    /// Factors of the determinant that may vanish.
    pub open: Vec<Expr>,
}

/// How the chart is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was named.
    Given,
    /// It is good wherever the rows are independent, for certain.
    Certain,
    /// At every state the one of several whose determinant is the largest.
    Switched,
    /// At every state by complete pivoting: the rank varies, or there are too many charts to list.
    Pivoted,
}

/// The charts in use.
#[derive(Clone, Debug)]
pub struct Charts {
    /// How the one in use is found.
    pub origin: Origin,
    /// The charts; empty if they are found by pivoting.
    pub list: Vec<Chart>,
    /// Whether the determinants certainly have no zero in common.
    pub covering: bool,
}

/// Charts between which a program switches at most.
const MOST: usize = 6;
/// Charts that are looked at in search of good ones.
const EXAMINED: usize = 60;
/// Most rows of a determinant that is written out.
const ROWS: usize = 4;
/// Largest matrix whose determinants are written out, in numbers and symbols.
const SIZE: usize = 400;

/// The charts for the model's constraints, of which there is at least one: the one named, else one that is good everywhere,
/// else as few as serve.
pub fn choose(c: &mut Context<'_>, dependent: &[String]) -> Result<Charts, Diagnostic> {
    let given = named(c, dependent)?;
    let rank = c.constraints.independent.len();
    let n = c.system.coords.len();
    if c.constraints.rank_where_they_hold == Rank::Varies {
        return Ok(pivoted());
    }
    if given.len() == rank && rank > 0 {
        return Ok(Charts {
            origin: Origin::Given,
            list: vec![the_one(c, given)?],
            covering: false,
        });
    }
    let Some(candidates) = candidates(c, &given) else {
        return match certain_by_elimination(c, &given) {
            Some(chart) => Ok(Charts {
                origin: Origin::Certain,
                list: vec![chart],
                covering: true,
            }),
            None => Ok(pivoted()),
        };
    };
    debug_assert!(candidates.iter().all(|k| k.eliminated.len() <= n));
    if candidates.is_empty() {
        return Err(singular(c, &given));
    }
    if let Some(best) = candidates.iter().find(|k| k.open.is_empty()) {
        return Ok(Charts {
            origin: Origin::Certain,
            list: vec![best.clone()],
            covering: true,
        });
    }
    let whole = rank_is_kept(c);
    let found = several(&mut c.alg, candidates).filter(|found| found.covering || whole);
    Ok(found.unwrap_or_else(pivoted))
}

/// Whether the rows that are kept have the rank of all at every state. Where those that are left out are anything but fixed multiples of them,
/// it is other rows at some states that depend on the others, and those that are kept say the same twice there.
fn rank_is_kept(c: &Context<'_>) -> bool {
    let constraints = &c.constraints;
    let left_out = (0..constraints.rows.len()).filter(|row| !constraints.independent.contains(row));
    let rows: Vec<usize> = left_out.collect();
    let mut entries = (rows.iter())
        .filter_map(|row| constraints.combination.get(*row))
        .flatten();
    rows.is_empty()
        || constraints.rank_where_they_hold == Rank::Same
            && entries.all(|e| !c.alg.depends(e, &|_| true))
}

fn pivoted() -> Charts {
    Charts {
        origin: Origin::Pivoted,
        list: Vec::new(),
        covering: false,
    }
}

/// The cheapest first; each further one may be good where one before it is not. `None` if it takes too many: those left out may
/// be good where all that are kept fail, and a state must not be refused for that.
fn several(alg: &mut Algebra, candidates: Vec<Chart>) -> Option<Charts> {
    let mut list: Vec<Chart> = Vec::new();
    let mut squares = Expr::zero();
    let mut covering = false;
    for chart in candidates {
        let size = open_size(&chart);
        // Where all factors of a chart in the list are among its own it vanishes wherever that one does.
        let adds_nothing = list
            .iter()
            .any(|k| k.open.iter().all(|f| contains(alg, &chart.open, f)));
        if adds_nothing {
            continue;
        }
        if list.len() == MOST {
            return None;
        }
        squares = squares + &size * &size;
        list.push(chart);
        covering = alg.is_nonzero(&squares) || {
            let sum = alg.in_closed_form(|alg| alg.simplify(&squares));
            alg.is_nonzero(&sum)
        };
        if covering {
            break;
        }
    }
    Some(Charts {
        origin: Origin::Switched,
        list,
        covering,
    })
}

fn contains(alg: &Algebra, list: &[Expr], f: &Expr) -> bool {
    list.iter().any(|g| alg.equal(g, f) || alg.equal(g, &-f))
}

/// The product of the factors that may vanish.
fn open_size(chart: &Chart) -> Expr {
    let factors = chart.open.iter().cloned();
    factors.reduce(|a, b| a * b).unwrap_or_else(Expr::one)
}

/// The coordinates whose rates were named.
fn named(c: &Context<'_>, dependent: &[String]) -> Result<Vec<usize>, Diagnostic> {
    let mut list: Vec<usize> = Vec::new();
    for name in dependent {
        let bare = name.trim_end_matches('\'');
        let at = c.system.coords.iter().position(|q| q.meta.name == bare);
        match at.filter(|_| bare.len() < name.len()) {
            Some(at) if !list.contains(&at) => list.push(at),
            Some(_) => {}
            None => {
                let rates = c.system.coord_names("'").into_iter();
                let rates: Vec<String> = rates.map(|q| format!("`{q}`")).collect();
                return Err(fault(
                    c,
                    format!("`{name}` is not the rate of a coordinate"),
                    "the model's coordinates",
                )
                .help(format!(
                    "the explicit Gibbs-Appell equation eliminates accelerations of coordinates: name some of {}",
                    rates.join(", ")
                )));
            }
        }
    }
    let rank = c.constraints.independent.len();
    if list.len() > rank {
        let rows = if rank == 1 { "row" } else { "rows" };
        return Err(fault(
            c,
            format!(
                "{} rates are to be eliminated by {rank} independent constraint {rows}",
                list.len()
            ),
            "the model's coordinates",
        )
        .help("name one rate for each independent row, or fewer"));
    }
    list.sort_unstable();
    Ok(list)
}

fn fault(c: &Context<'_>, title: String, label: &str) -> Diagnostic {
    Diagnostic::error(E0520, title, c.system.whole(), label)
}

/// Rates were named of a model without constraints.
pub fn nothing_to_solve(c: &Context<'_>) -> Diagnostic {
    let title = "a choice of dependent rates for a model without constraints";
    fault(c, title.into(), "the model's coordinates").help("omit the choice")
}

fn singular(c: &Context<'_>, given: &[usize]) -> Diagnostic {
    let names = rates(c, given);
    let title = format!("the constraints cannot be solved for {names} at any state");
    fault(c, title, "the model's coordinates").help("name other rates, or none")
}

/// `x', y'`
fn rates(c: &Context<'_>, list: &[usize]) -> String {
    let names = list.iter().map(|i| &c.system.coords[*i].meta.name);
    let names: Vec<String> = names.map(|n| format!("`{n}'`")).collect();
    if names.is_empty() {
        "any rates".into()
    } else {
        names.join(", ")
    }
}

/// The independent rows, written out where they are short.
fn flat_rows(c: &mut Context<'_>) -> Option<Matrix> {
    let rows = c.constraints.independent_matrix();
    let entries = rows.iter().flatten();
    let size: usize = entries.map(|e| c.alg.inlined_size(e, SIZE)).sum();
    if size > SIZE {
        return None;
    }
    let flat = |e: &Expr, alg: &mut Algebra| alg.in_closed_form(|alg| small(alg, e));
    let row = |r: &Vec<Expr>, alg: &mut Algebra| r.iter().map(|e| flat(e, alg)).collect();
    Some(rows.iter().map(|r| row(r, &mut c.alg)).collect())
}

/// A chart that was named.
fn the_one(c: &mut Context<'_>, eliminated: Vec<usize>) -> Result<Chart, Diagnostic> {
    if eliminated.len() <= ROWS
        && let Some(rows) = flat_rows(c)
    {
        let chart = examined(&mut c.alg, &rows, &eliminated);
        return chart.ok_or_else(|| singular(c, &eliminated));
    }
    let n = c.system.coords.len();
    Ok(Chart {
        independent: (0..n).filter(|i| !eliminated.contains(i)).collect(),
        eliminated,
        determinant: None,
        open: Vec::new(),
    })
}

/// The chart with its determinant; `None` if that vanishes identically.
fn examined(alg: &mut Algebra, rows: &Matrix, eliminated: &[usize]) -> Option<Chart> {
    let ae = elim::columns(rows, eliminated);
    alg.in_closed_form(|alg| {
        let d = elim::determinant(alg, &ae);
        if alg.is_zero(&d) {
            return None;
        }
        let mut open: Vec<Expr> = Vec::new();
        if !alg.is_nonzero(&d) {
            // What the determinant is divided by is no zero of it.
            let below = alg.divisors(&d);
            for f in alg.factors(&d) {
                let counts = !contains(alg, &below, &f) && !contains(alg, &open, &f);
                if counts && !alg.is_nonzero(&f) {
                    open.push(f);
                }
            }
        }
        let n = rows.first().map_or(0, Vec::len);
        Some(Chart {
            eliminated: eliminated.to_vec(),
            independent: (0..n).filter(|i| !eliminated.contains(i)).collect(),
            determinant: Some(d),
            open,
        })
    })
}

/// All charts with these columns in them, those with short determinants first; `None` if they are too many or too long.
fn candidates(c: &mut Context<'_>, given: &[usize]) -> Option<Vec<Chart>> {
    let rank = c.constraints.independent.len();
    let n = c.system.coords.len();
    if rank > ROWS {
        return None;
    }
    let free: Vec<usize> = (0..n).filter(|i| !given.contains(i)).collect();
    let subsets = subsets(&free, rank - given.len(), EXAMINED)?;
    let rows = flat_rows(c)?;
    let mut list: Vec<Chart> = Vec::new();
    for mut columns in subsets {
        columns.extend(given);
        columns.sort_unstable();
        list.extend(examined(&mut c.alg, &rows, &columns));
    }
    let size = |k: &Chart| {
        let d = k.determinant.as_ref();
        d.map_or(0, |d| c.alg.node(d).size())
    };
    list.sort_by_key(|k| (size(k), k.eliminated.clone()));
    Some(list)
}

/// The subsets of so many elements, unless there are more than `most`.
fn subsets(of: &[usize], size: usize, most: usize) -> Option<Vec<Vec<usize>>> {
    let mut list: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let mut longer = Vec::new();
        for head in &list {
            let last = head.last().copied();
            let tail = of.iter().filter(|x| last.is_none_or(|l| **x > l));
            longer.extend(tail.map(|x| {
                let mut set = head.clone();
                set.push(*x);
                set
            }));
            if longer.len() > most * size {
                return None;
            }
        }
        list = longer;
    }
    (list.len() <= most).then_some(list)
}

/// One pivot after another, each certain not to vanish.
fn certain_by_elimination(c: &mut Context<'_>, given: &[usize]) -> Option<Chart> {
    let n = c.system.coords.len();
    let mut rows = c.constraints.independent_matrix();
    let order: Vec<usize> = given
        .iter()
        .copied()
        .chain((0..n).filter(|i| !given.contains(i)))
        .collect();
    let mut picked: Vec<usize> = Vec::new();
    for j in 0..rows.len() {
        let open = order.iter().copied().filter(|k| !picked.contains(k));
        let column = open
            .into_iter()
            .find(|k| !rows[j][*k].is_literal_zero() && c.alg.is_nonzero(&rows[j][*k]))?;
        picked.push(column);
        elim::clear_below(&mut c.alg, &mut rows, j, column, "a_chart");
    }
    picked.sort_unstable();
    given.iter().all(|g| picked.contains(g)).then(|| Chart {
        independent: (0..n).filter(|i| !picked.contains(i)).collect(),
        eliminated: picked,
        determinant: None,
        open: Vec::new(),
    })
}
