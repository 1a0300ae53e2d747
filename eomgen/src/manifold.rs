//! The rank of the constraints where they hold.
//!
//! Rank and dependence of rows are decided exactly, but at states of all kinds. Rows such as
//! `(1 + th^2)*(x - sin(th)) = 0` beside `x = sin(th)`, or the second closure of a parallelogram, depend on the
//! others only where the constraints hold, and a formula that divides by their determinant fails exactly there.
//! So the rank is counted once more in floating point at states that satisfy all rows, found by damped least
//! squares from a few fixed starts, with parameters drawn at random, and with their defaults. A rank that is lower with the
//! defaults alone is one of the machine where it moves with them and not without, as a parallelogram does; elsewhere it may be an accident
//! of the numbers, and is not relied upon. Where the rank is the same, other rows may be the independent ones: of the rolling of two wheels
//! and the heights of their axle, say, whose factors on one another have the tilt in their denominators.

use crate::diag::Diagnostic;
use crate::field;
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::{Function, Interface, Program, Slot};
use crate::lower::Lowering;
use crate::mech::constraints::{Constraints, Level, Rank};
use crate::mech::mechanics::Mechanics;
use crate::mech::value::Values;
use crate::model::System;
use crate::model::system::Sign;
use crate::sym::{Algebra, Expr};
use num_traits::ToPrimitive;

/// States that are looked for, and starts that are tried, with either kind of parameters.
const STATES: usize = 3;
const STARTS: u64 = 8;
/// Ordinary places of a machine that are looked for.
const ORDINARY: usize = 8;
/// How far from zero coordinates are where a machine's ordinary places are looked for: angles well within the chart of a rotation.
const NEAR: f64 = 0.4;
/// How far all of them are: angles of any size.
const FAR: f64 = 3.0;
/// Steps of one search.
const STEPS: usize = 80;
/// A residual that counts as none.
const SATISFIED: f64 = 1e-11;
/// What remains of a row, relative to its size at the start, at which it depends on the others.
/// Residuals at a double root vanish with the square, so the root of their size is left of a row there.
const REMAINING: f64 = 1e-4;
/// Factors between rows that are written out at most.
const LONG: usize = 200;
/// A condition of this size counts as zero at a state found in floating point.
const NOTHING: f64 = 1e-8;
/// How far from a state at which rows depend on one another others are looked for at which they do not, and how often.
const ASIDE: f64 = 0.3;
const ATTEMPTS: u64 = 3;
/// How far a coordinate has to be from where it was in another state for the machine to have moved.
const APART: f64 = 1e-3;
/// By how much a coordinate moves for a slope.
const DIFFERENCE: f64 = 1e-6;

/// Counts the rank where the constraints hold and tells `constraints` of it. The remarks on all
/// rows if some depend on others only there; `None` if nothing is new.
pub fn settle_rank(
    alg: &mut Algebra,
    values: &Values<'_>,
    constraints: &mut Constraints,
) -> Option<Result<Vec<Diagnostic>, Vec<Diagnostic>>> {
    if constraints.rows.is_empty() {
        return None;
    }
    let Some(found) = examine(alg, values, constraints) else {
        return out_of_reach(alg, values, constraints);
    };
    let rank = constraints.independent.len();
    let lower: Vec<&Found> = found.list.iter().filter(|f| f.rows.len() < rank).collect();
    let Some(first) = lower.first().copied() else {
        return other_rows(alg, values, constraints, &found.list);
    };
    let same_rows = lower.len() == found.list.len() && lower.iter().all(|f| f.rows == first.rows);
    // Columns that serve at all the states: at some of them an entry may be small by accident.
    let serving = lower
        .iter()
        .find(|f| lower.iter().all(|g| g.is_solved_by(&f.rows, &f.columns)));
    let columns = serving.filter(|_| same_rows).map(|f| f.columns.clone());
    let (everywhere, sometimes) = match found.parameters {
        Parameters::Any => (
            "depends on the others wherever the constraints hold",
            "depends on the others at some states where the constraints hold",
        ),
        Parameters::Default => (
            "depends on the others wherever the constraints hold with the default parameters",
            "depends on the others at some states where the constraints hold with the default parameters",
        ),
    };
    let left_out: Vec<usize> = constraints
        .independent
        .iter()
        .copied()
        .filter(|i| !first.rows.contains(i))
        .collect();
    let columns = columns
        .filter(|columns| found.lasting && stands_for_all(alg, constraints, &first.rows, columns));
    let Some(columns) = columns else {
        constraints.rank_where_they_hold = Rank::Varies;
        let text = "all rows are kept, and their rank is found at run time";
        let left_out = left_out.into_iter();
        let notes = left_out.map(|i| remark(constraints, i, sometimes, text));
        return Some(Ok(notes.collect()));
    };
    constraints.rank_where_they_hold = Rank::Lower;
    let mut notes = match constraints.depend(alg, values, first.rows.clone(), columns) {
        Ok(notes) => notes,
        Err(errors) => return Some(Err(errors)),
    };
    // They get remarks of their own.
    let own: Vec<String> = left_out
        .iter()
        .map(|i| format!("constraint `{}` ", constraints.rows[*i].name))
        .collect();
    notes.retain(|d| !own.iter().any(|o| d.title.starts_with(o)));
    let left_out = left_out.into_iter();
    notes.extend(left_out.map(|i| left_out_remark(constraints, &found, i, everywhere)));
    Some(Ok(notes))
}

/// Whether a single row that is left vanishes nowhere where one that it stands for does not. (Of several rows the pivots tell.)
fn stands_for_all(
    alg: &mut Algebra,
    constraints: &Constraints,
    kept: &[usize],
    columns: &[usize],
) -> bool {
    let ([row], [column]) = (kept, columns) else {
        return true;
    };
    let pivot = constraints.rows[*row].a[*column].clone();
    constraints.rows.iter().all(|other| {
        let factor = &other.a[*column] / &pivot;
        if alg.inlined_size(&factor, LONG) >= LONG {
            return false;
        }
        let factor = alg.inline(&factor);
        let factor = alg.simplify(&factor);
        alg.divisors(&factor).iter().all(|d| alg.is_nonzero(d))
    })
}

/// The rank is the same where the constraints hold. If the rows that are independent elsewhere are not so there, others are.
fn other_rows(
    alg: &mut Algebra,
    values: &Values<'_>,
    constraints: &mut Constraints,
    list: &[Found],
) -> Option<Result<Vec<Diagnostic>, Vec<Diagnostic>>> {
    let everywhere = |rows: &[usize]| list.iter().all(|f| f.rank(rows) == rows.len());
    let serves = |rows: &[usize], columns: &[usize]| {
        let served = list.iter().filter(|f| f.is_solved_by(rows, columns));
        served.count()
    };
    let own = &constraints.independent;
    if everywhere(own) && serves(own, &constraints.columns) > 0 {
        return None;
    }
    let mut rows = std::iter::once(own).chain(list.iter().map(|f| &f.rows));
    let rows = rows.find(|rows| everywhere(rows))?.clone();
    // There may be places of their own kind, as where an angle of a rotation leaves its chart: the columns of most places are taken.
    let columns = list.iter().map(|f| f.columns.clone()).rev();
    let columns = columns.max_by_key(|columns| serves(&rows, columns))?;
    (serves(&rows, &columns) > 0).then(|| constraints.depend(alg, values, rows, columns))
}

/// The remark on a row that is left out of the equations.
fn left_out_remark(
    constraints: &Constraints,
    found: &Search,
    i: usize,
    everywhere: &str,
) -> Diagnostic {
    if !found.list.iter().all(|f| f.vanishing.contains(&i)) {
        let text = "the accelerations follow without this row, which must hold at the start; its multiplier is that of minimum norm";
        return remark(constraints, i, everywhere, text);
    }
    let mut d = remark(
        constraints,
        i,
        "has no effect on the accelerations",
        "all its derivatives vanish where the constraints hold",
    );
    d.code = "N0317";
    d.help(
        "state it by a quantity that passes through zero, such as an angle instead of its cosine",
    )
}

/// Positions that meet all constraints were not found. If there are more position rows than they fix directions, these
/// may contradict one another, which rates do not show.
fn out_of_reach(
    alg: &mut Algebra,
    values: &Values<'_>,
    constraints: &mut Constraints,
) -> Option<Result<Vec<Diagnostic>, Vec<Diagnostic>>> {
    let surplus = (0..constraints.rows.len()).find(|i| {
        constraints.rows[*i].level == Level::Position && !constraints.independent.contains(i)
    })?;
    let row = constraints.rows[surplus].clone();
    let (rows, columns) = (constraints.independent.clone(), constraints.columns.clone());
    let mut notes = match constraints.depend(alg, values, rows, columns) {
        Ok(notes) => notes,
        Err(errors) => return Some(Err(errors)),
    };
    if notes.iter().any(|d| d.code == "W0482") {
        return Some(Ok(notes));
    }
    notes.push(
        Diagnostic::warning(
            "W0483",
            "no place was found that meets all position constraints",
            row.span,
            format!("`{}` is one more than the motion has freedoms for; the others fix its rate", row.name),
        )
        .note("looked for from several starts, with parameters at random and at their defaults")
        .help("check that the constraints agree; give parameters and coordinates values with which the mechanism closes"),
    );
    Some(Ok(notes))
}

fn remark(constraints: &Constraints, row: usize, what: &str, label: &str) -> Diagnostic {
    let r = &constraints.rows[row];
    Diagnostic::remark(
        "N0316",
        format!("constraint `{}` {what}", r.name),
        r.span,
        label,
    )
}

/// What a state says.
struct Found {
    rows: Vec<usize>,
    columns: Vec<usize>,
    vanishing: Vec<usize>,
    state: State,
    /// All rows.
    matrix: Vec<Vec<f64>>,
}

impl Found {
    /// Of these rows each that is independent of those before it.
    fn independent(&self, order: &[usize]) -> Vec<usize> {
        independent(&self.matrix, order)
    }

    fn rank(&self, rows: &[usize]) -> usize {
        self.independent(rows).len()
    }

    /// Whether these rows can be solved in these columns.
    fn is_solved_by(&self, rows: &[usize], columns: &[usize]) -> bool {
        let pick = |row: &Vec<f64>| columns.iter().map(|c| row[*c]).collect();
        let mut open: Vec<Vec<f64>> = rows.iter().map(|i| pick(&self.matrix[*i])).collect();
        let size = open.iter().map(|r| largest(r)).fold(0.0, f64::max);
        for k in 0..columns.len() {
            let by = |i: &usize| open[*i].get(k).map_or(0.0, |x| x.abs());
            let best = (0..open.len()).max_by(|a, b| by(a).total_cmp(&by(b)));
            let Some(best) = best.filter(|i| by(i) > REMAINING * size) else {
                return false;
            };
            let pivot = open.swap_remove(best);
            for r in &mut open {
                let factor = r[k] / pivot[k];
                r.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
        }
        open.is_empty()
    }
}

/// Of these rows of numbers each that is independent of those before it; one that holds no finite numbers is not.
pub fn independent(matrix: &[Vec<f64>], order: &[usize]) -> Vec<usize> {
    let mut open: Vec<(usize, Vec<f64>)> = Vec::new();
    let mut rows = Vec::new();
    for i in order {
        let mut row = matrix[*i].clone();
        let size = largest(&row);
        for (c, r) in &open {
            let factor = row[*c] / r[*c];
            row.iter_mut().zip(r).for_each(|(x, y)| *x -= factor * y);
        }
        let column = (0..row.len()).max_by(|a, b| row[*a].abs().total_cmp(&row[*b].abs()));
        if let Some(c) = column.filter(|c| row[*c].is_finite() && row[*c].abs() > REMAINING * size)
        {
            open.push((c, row));
            rows.push(*i);
        }
    }
    rows
}

/// A few states at which all rows hold and have the rank that they have in general, found in floating point: for what is decided there.
pub struct Places(Vec<Found>);

impl Places {
    /// None at all where the constraints were not met from any start.
    pub fn find(alg: &Algebra, values: &Values<'_>, constraints: &Constraints) -> Self {
        Self::within(alg, values, constraints, (NEAR, STARTS, STATES))
    }

    /// Places all over the manifold: it may have several branches, of which those near zero are one.
    pub fn all_over(alg: &Algebra, values: &Values<'_>, constraints: &Constraints) -> Self {
        Self::within(alg, values, constraints, (FAR, 8 * STARTS, 4 * STATES))
    }

    /// Places around the one at which the machine is to begin with, if the model says where that is, with its own parameters as far as it states them.
    pub fn ordinary(alg: &Algebra, values: &Values<'_>, constraints: &Constraints) -> Self {
        let machine = Machine::build(alg, values, constraints);
        let rank = constraints.independent.len();
        let found = (0..2 * ORDINARY as u64)
            .filter_map(|seed| machine.search(seed, Parameters::Default, NEAR));
        let typical = found.filter(|f| f.rows.len() == rank);
        Self(typical.take(ORDINARY).collect())
    }

    /// The place that the model's initial values lead to, if the rows have the rank there that they have in general.
    pub fn initial(alg: &Algebra, values: &Values<'_>, constraints: &Constraints) -> Self {
        let machine = Machine::build(alg, values, constraints);
        let found = machine.settled(State::initial(values.system));
        let rank = constraints.independent.len();
        Self(found.into_iter().filter(|f| f.rows.len() == rank).collect())
    }

    /// Adds the state that the model's initial values lead to, if it is one of them.
    #[must_use]
    pub fn with_initial(
        mut self,
        alg: &Algebra,
        values: &Values<'_>,
        constraints: &Constraints,
    ) -> Self {
        self.0.extend(Self::initial(alg, values, constraints).0);
        self
    }

    fn within(
        alg: &Algebra,
        values: &Values<'_>,
        constraints: &Constraints,
        (spread, starts, states): (f64, u64, usize),
    ) -> Self {
        if constraints.rows.is_empty() {
            return Self(Vec::new());
        }
        let machine = Machine::build(alg, values, constraints);
        let rank = constraints.independent.len();
        let search = |parameters| -> Vec<Found> {
            let found = (0..starts).filter_map(|seed| machine.search(seed, parameters, spread));
            let typical = found.filter(|f| f.rows.len() == rank);
            typical.take(states).collect()
        };
        let any = search(Parameters::Any);
        Self(if any.is_empty() {
            search(Parameters::Default)
        } else {
            any
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Rows that are independent at all places, and of the others every one dependent on those before it; `None` if they are not the same
    /// ones everywhere.
    pub fn independent(&self, order: &[usize]) -> Option<Vec<usize>> {
        let mut lists = self.0.iter().map(|f| f.independent(order));
        let first = lists.next()?;
        lists.all(|rows| rows == first).then_some(first)
    }

    /// The values of expressions of coordinates, rates, parameters and time at each of the places.
    pub fn values(&self, alg: &Algebra, values: &Values<'_>, list: &[&Expr]) -> Vec<Vec<f64>> {
        let mut low = bound(values);
        let function = Function {
            name: "values".into(),
            outputs: low.lower_all(alg, list.to_vec()),
            checks: Vec::new(),
        };
        let program = program(low);
        let run = |f: &Found| Evaluator::new(&program, &function).run(&f.state);
        let none = || vec![f64::NAN; list.len()];
        let states = self.0.iter();
        states.map(|f| run(f).unwrap_or_else(|_| none())).collect()
    }

    /// Whether a form in the rates (and, last, in what is free of them) vanishes for all rates that the rows allow.
    pub fn follow(
        &self,
        alg: &Algebra,
        values: &Values<'_>,
        form: &[Expr],
        rows: &[&[Expr]],
    ) -> bool {
        let width = form.len();
        let all: Vec<&Expr> = form.iter().chain(rows.iter().copied().flatten()).collect();
        let found = self.values(alg, values, &all);
        !found.is_empty()
            && found.iter().all(|flat| {
                let mut open: Vec<Vec<f64>> = flat.chunks(width).map(<[f64]>::to_vec).collect();
                let mut row = open.remove(0);
                let size = largest(&row);
                while let Some((i, c)) = greatest(&open) {
                    let pivot = open.swap_remove(i);
                    for r in open.iter_mut().chain([&mut row]) {
                        let factor = r[c] / pivot[c];
                        r.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
                    }
                }
                size.is_finite() && largest(&row) <= REMAINING * size
            })
    }
}

/// What is wrong with speeds that somebody chose: a condition of theirs vanishes wherever the constraints hold, so that they determine
/// the rates nowhere.
pub fn unfit_speeds(alg: &Algebra, mechanics: &Mechanics<'_>) -> Option<Diagnostic> {
    let conditions: Vec<&Expr> = mechanics.speeds.conditions.iter().map(|c| &c.0).collect();
    if conditions.is_empty() || mechanics.constraints.rows.is_empty() {
        return None;
    }
    let values = mechanics.values();
    let places = Places::find(alg, &values, &mechanics.constraints);
    // Of several branches of the manifold one will do.
    let nowhere = |places: &Places| {
        let found = places.values(alg, &values, &conditions);
        let vanishes = |k: usize| found.iter().all(|at| at[k].abs() <= NOTHING);
        !found.is_empty() && (0..conditions.len()).any(vanishes)
    };
    if !nowhere(&places) || !nowhere(&Places::all_over(alg, &values, &mechanics.constraints)) {
        return None;
    }
    let system = mechanics.system;
    let own = system.speeds.first().map(|s| s.meta.span);
    let span = own.or(system.privileged.first().map(|p| p.1));
    let error = Diagnostic::error(
        "E0309",
        "the independent speeds do not determine the rates at any state that satisfies the constraints",
        span.unwrap_or_else(|| system.whole()),
        "the constraints fix these speeds, or leave others free",
    );
    Some(error.help("declare speeds that the constraints leave free, or none"))
}

/// Where the largest entry of rows is, beside the last column; `None` if nothing is left of them.
fn greatest(rows: &[Vec<f64>]) -> Option<(usize, usize)> {
    let entries = rows.iter().enumerate().flat_map(|(i, r)| {
        let before = r.len().saturating_sub(1);
        (0..before).map(move |c| (i, c))
    });
    let size = |(i, c): &(usize, usize)| rows[*i][*c].abs();
    let best = entries.max_by(|a, b| size(a).total_cmp(&size(b)))?;
    (size(&best) > REMAINING * REMAINING).then_some(best)
}

/// Time, parameters, coordinates and rates as inputs.
fn bound(values: &Values<'_>) -> Lowering {
    let vars = values.vars;
    let mut low = Lowering::new(values.system.functions.len());
    let groups: [(u8, &[_]); 4] = [
        (TIME, &[vars.time]),
        (PARAMS, &vars.params),
        (COORDS, &vars.coords),
        (RATES, &vars.rates),
    ];
    for (group, list) in groups {
        for (i, v) in list.iter().enumerate() {
            let slot = Slot {
                group,
                index: i as u32,
            };
            let value = low.graph.input(slot);
            low.bind(*v, value);
        }
    }
    low
}

fn program(low: Lowering) -> Program {
    Program {
        graph: low.graph,
        interface: Interface::default(),
        functions: Vec::new(),
    }
}

/// With which parameters states were looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameters {
    Any,
    Default,
}

struct Search {
    list: Vec<Found>,
    parameters: Parameters,
    /// Whether what is found holds wherever the machine goes.
    lasting: bool,
}

fn examine(alg: &Algebra, values: &Values<'_>, constraints: &Constraints) -> Option<Search> {
    let machine = Machine::build(alg, values, constraints);
    let rank = constraints.independent.len();
    let search = |parameters| -> Vec<Found> {
        (0..STARTS)
            .filter_map(|seed| machine.search(seed, parameters, 1.0))
            .take(STATES)
            .map(|found| machine.typical(found, rank))
            .collect()
    };
    let lower = |list: &[Found]| !list.is_empty() && list.iter().all(|f| f.rows.len() < rank);
    let any = search(Parameters::Any);
    if values.system.params.iter().any(|p| p.default.is_some()) {
        let list = search(Parameters::Default);
        // Of all states that meet `x'^2 + y'^2 = k z'^2` rest alone is left where k is negative: what parameters drawn at random do to
        // the rank says nothing where the machine itself has it whole.
        if lower(&any) && list.iter().any(|f| f.rows.len() >= rank) {
            return Some(Search {
                list,
                parameters: Parameters::Default,
                lasting: true,
            });
        }
        if !lower(&any) && (lower(&list) || (any.is_empty() && !list.is_empty())) {
            // A machine that is stuck, or cannot be put together, with any other parameters, and moves with these.
            let stuck = any.is_empty() || rank == values.system.coords.len();
            let lasting = stuck && machine.moves(&list);
            return Some(Search {
                list,
                parameters: Parameters::Default,
                lasting,
            });
        }
    }
    (!any.is_empty()).then_some(Search {
        list: any,
        parameters: Parameters::Any,
        lasting: true,
    })
}

/// Rows as a program.
struct Machine<'a> {
    system: &'a System,
    program: Program,
    residual: Function,
    velocity: Function,
    matrix: Function,
    position: Vec<usize>,
    /// Rows that have a velocity form.
    moving: Vec<usize>,
    rows: usize,
}

const TIME: u8 = 0;
const PARAMS: u8 = 1;
const COORDS: u8 = 2;
const RATES: u8 = 3;

impl<'a> Machine<'a> {
    fn build(alg: &Algebra, values: &Values<'a>, constraints: &Constraints) -> Self {
        let mut low = bound(values);
        let mut function = |name: &str, list: Vec<&Expr>| Function {
            name: name.into(),
            outputs: low.lower_all(alg, list),
            checks: Vec::new(),
        };
        let rows = &constraints.rows;
        let position: Vec<usize> = (0..rows.len())
            .filter(|i| rows[*i].level == Level::Position)
            .collect();
        let residual = function(
            "residual",
            position.iter().map(|i| &rows[*i].residual).collect(),
        );
        let moving: Vec<usize> = (0..rows.len())
            .filter(|i| rows[*i].level != Level::Acceleration)
            .collect();
        let velocity = function(
            "velocity",
            moving.iter().map(|i| &rows[*i].velocity).collect(),
        );
        let matrix = function("matrix", rows.iter().flat_map(|r| &r.a).collect());
        Self {
            system: values.system,
            program: program(low),
            residual,
            velocity,
            matrix,
            position,
            moving,
            rows: rows.len(),
        }
    }

    fn run(&self, f: &Function, state: &State) -> Option<Vec<f64>> {
        let values = Evaluator::new(&self.program, f).run(state).ok()?;
        values.iter().all(|v| v.is_finite()).then_some(values)
    }

    /// A state on the constraints and what the rows are there.
    fn search(&self, seed: u64, parameters: Parameters, reach: f64) -> Option<Found> {
        self.settled(State::start(self.system, seed, parameters, reach))
    }

    /// Where fewer rows count than usual, a place nearby at which they all do, if there is one: a dead centre, at which a linkage is flat, draws
    /// the search towards it, but the machine passes through it and says nothing of itself there.
    fn typical(&self, found: Found, rank: usize) -> Found {
        if found.rows.len() >= rank {
            return found;
        }
        let beside = (0..ATTEMPTS).filter_map(|attempt| {
            let coords = self.along(&found, attempt)?;
            self.settled(State {
                coords,
                ..found.state.clone()
            })
        });
        // What is left of a row that vanishes with its residual is small beside what it is elsewhere.
        let elsewhere = State {
            coords: (0..)
                .zip(&found.state.coords)
                .map(|(i, x)| x + draw(0, 9500 + i))
                .collect(),
            ..found.state.clone()
        };
        let Some(usual) = self.run(&self.matrix, &elsewhere) else {
            return found;
        };
        let counted = { beside }.map(|f| self.count(&f.matrix.concat(), &usual, f.state));
        let whole = { counted }.find(|f| f.rows.len() >= rank);
        whole.unwrap_or(found)
    }

    /// Coordinates some way along the manifold.
    fn along(&self, found: &Found, attempt: u64) -> Option<Vec<f64>> {
        let n = self.system.coords.len();
        let mut way: Vec<f64> = (0..n as u64).map(|i| draw(attempt, 9000 + i)).collect();
        let held: Vec<&Vec<f64>> = self.position.iter().map(|i| &found.matrix[*i]).collect();
        let against = |row: &&Vec<f64>| row.iter().zip(&way).map(|(a, x)| a * x).sum();
        let off: Vec<f64> = held.iter().map(against).collect();
        let flat: Vec<f64> = held.into_iter().flatten().copied().collect();
        let step = least_squares(n, &flat, &off)?;
        advance(&mut way, &step);
        let size = largest(&way);
        let coords = found.state.coords.iter().zip(way);
        Some(coords.map(|(x, v)| x + ASIDE * v / size).collect())
    }

    /// The state on the constraints nearest to this one, and what the rows are there.
    fn settled(&self, mut state: State) -> Option<Found> {
        let n = self.system.coords.len();
        let start = self.run(&self.matrix, &state)?;
        for _ in 0..STEPS {
            let residual = self.run(&self.residual, &state)?;
            if largest(&residual) <= SATISFIED {
                break;
            }
            let a = self.run(&self.matrix, &state)?;
            let held = self
                .position
                .iter()
                .flat_map(|i| a[i * n..(i + 1) * n].to_vec());
            let step = least_squares(n, &held.collect::<Vec<_>>(), &residual)?;
            advance(&mut state.coords, &step);
        }
        for _ in 0..STEPS {
            let residual = self.run(&self.velocity, &state)?;
            if largest(&residual) <= SATISFIED {
                break;
            }
            let a = self.run(&self.matrix, &state)?;
            let held = self
                .moving
                .iter()
                .flat_map(|i| a[i * n..(i + 1) * n].to_vec());
            let step = least_squares(n, &held.collect::<Vec<_>>(), &residual)?;
            advance(&mut state.rates, &step);
        }
        let off = largest(&self.run(&self.residual, &state)?)
            .max(largest(&self.run(&self.velocity, &state)?));
        if off > SATISFIED {
            return None;
        }
        let a = self.run(&self.matrix, &state)?;
        Some(self.count(&a, &start, state))
    }

    /// The place on the constraints nearest to this one at which a value of the coordinates is as large as stated.
    fn held(
        &self,
        mut state: State,
        distance: f64,
        value: impl Fn(&State) -> Option<f64>,
    ) -> Option<State> {
        let n = self.system.coords.len();
        for _ in 0..STEPS {
            let mut residual = self.run(&self.residual, &state)?;
            let own = value(&state)?;
            residual.push(own - distance);
            if largest(&residual) <= SATISFIED {
                break;
            }
            let a = self.run(&self.matrix, &state)?;
            let held = self.position.iter();
            let mut rows: Vec<f64> = held.flat_map(|i| a[i * n..(i + 1) * n].to_vec()).collect();
            for j in 0..n {
                let mut moved = state.clone();
                moved.coords[j] += DIFFERENCE;
                rows.push((value(&moved)? - own) / DIFFERENCE);
            }
            let step = least_squares(n, &rows, &residual)?;
            advance(&mut state.coords, &step);
        }
        Some(state)
    }

    /// Whether these are different places.
    fn moves(&self, list: &[Found]) -> bool {
        let apart = |a: &Found, b: &Found| {
            let pairs = a.state.coords.iter().zip(&b.state.coords);
            pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        list.len() > 1 && list.windows(2).all(|w| apart(&w[0], &w[1]) > APART)
    }

    /// Elimination in the order of the rows.
    fn count(&self, a: &[f64], start: &[f64], state: State) -> Found {
        let n = self.system.coords.len();
        let mut found = Found {
            rows: Vec::new(),
            columns: Vec::new(),
            vanishing: Vec::new(),
            state,
            matrix: (0..self.rows)
                .map(|i| a[i * n..(i + 1) * n].to_vec())
                .collect(),
        };
        let mut reduced: Vec<Vec<f64>> = Vec::new();
        for i in 0..self.rows {
            let mut row = a[i * n..(i + 1) * n].to_vec();
            let size = largest(&start[i * n..(i + 1) * n]).max(largest(&row));
            if largest(&row) <= REMAINING * size {
                found.vanishing.push(i);
                continue;
            }
            for (r, c) in reduced.iter().zip(&found.columns) {
                let factor = row[*c];
                row.iter_mut().zip(r).for_each(|(x, y)| *x -= factor * y);
                row[*c] = 0.0;
            }
            let left = largest(&row);
            if left <= REMAINING * size {
                continue;
            }
            // The first column that is not small, so that the choice does not hang on rounding.
            let Some(column) = row.iter().position(|x| x.abs() >= 0.1 * left) else {
                continue;
            };
            let pivot = row[column];
            row.iter_mut().for_each(|x| *x /= pivot);
            for r in &mut reduced {
                let factor = r[column];
                r.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
                r[column] = 0.0;
            }
            reduced.push(row);
            found.rows.push(i);
            found.columns.push(column);
        }
        found
    }
}

/// Values of everything that rows depend on.
#[derive(Clone, Debug)]
pub struct State {
    /// Time.
    pub time: f64,
    /// Parameters.
    pub params: Vec<f64>,
    /// Coordinates.
    pub coords: Vec<f64>,
    /// Rates of the coordinates.
    pub rates: Vec<f64>,
}

/// A few states that satisfy all constraints, found in floating point; none where they were not met from any start.
pub fn states(alg: &Algebra, values: &Values<'_>, constraints: &Constraints) -> Vec<State> {
    let seeds = 0..STARTS;
    if constraints.rows.is_empty() {
        let start = |seed| State::start(values.system, seed, Parameters::Any, 1.0);
        return seeds.map(start).take(STATES).collect();
    }
    let machine = Machine::build(alg, values, constraints);
    let search = |parameters| -> Vec<State> {
        let found = seeds
            .clone()
            .filter_map(|seed| machine.search(seed, parameters, 1.0));
        found.map(|f| f.state).take(STATES).collect()
    };
    let any = search(Parameters::Any);
    if any.is_empty() {
        search(Parameters::Default)
    } else {
        any
    }
}

/// The values of expressions of coordinates, rates, parameters and time at states that satisfy all constraints and at which a divisor of coordinates is as large
/// as stated; as many states as starts led to, in the order of the starts, `None` for one that led to none.
pub fn beside(
    alg: &Algebra,
    values: &Values<'_>,
    constraints: &Constraints,
    divisor: &Expr,
    (distance, starts): (f64, u64),
    list: &[&Expr],
) -> Vec<Option<Vec<f64>>> {
    let machine = Machine::build(alg, values, constraints);
    let function = |list: Vec<&Expr>| {
        let mut low = bound(values);
        let function = Function {
            name: "values".into(),
            outputs: low.lower_all(alg, list),
            checks: Vec::new(),
        };
        (program(low), function)
    };
    let held = function(vec![divisor]);
    let wanted = function([divisor].into_iter().chain(list.iter().copied()).collect());
    let run = |(program, function): &(Program, Function), state: &State| {
        let found = Evaluator::new(program, function).run(state).ok()?;
        found.iter().all(|x| x.is_finite()).then_some(found)
    };
    let from = |seed: u64| {
        let start = State::start(values.system, seed, Parameters::Any, 1.0);
        let value = |state: &State| run(&held, state)?.pop();
        let state = machine.held(start, distance, value)?;
        let mut found = run(&wanted, &machine.settled(state)?.state)?;
        let left = found.remove(0) / distance;
        (0.5..2.0).contains(&left).then_some(found)
    };
    (0..starts).map(from).collect()
}

/// States with given parameters that satisfy all constraints, from many starts.
pub struct Closing<'a> {
    machine: Machine<'a>,
}

impl<'a> Closing<'a> {
    /// Of the rows of a model.
    pub fn of(alg: &Algebra, values: &Values<'a>, constraints: &Constraints) -> Self {
        Self {
            machine: Machine::build(alg, values, constraints),
        }
    }

    /// Parameters drawn at random, or as the model gives them where it does.
    pub fn parameters(&self, seed: u64, drawn: bool) -> Vec<f64> {
        let kind = if drawn {
            Parameters::Any
        } else {
            Parameters::Default
        };
        State::start(self.machine.system, 2 * seed, kind, 1.0).params
    }

    /// The state that is found from a start; `None` if there is none.
    pub fn state(&self, seed: u64, params: &[f64]) -> Option<State> {
        let start = State {
            params: params.to_vec(),
            ..State::start(self.machine.system, seed, Parameters::Default, FAR)
        };
        self.machine.settled(start).map(|found| found.state)
    }
}

/// What user functions are in these states, in the model's language: each quadratic, with coefficients of its own.
pub fn function_text(function: u32, arguments: &[String]) -> String {
    let zeros = vec![0.0; arguments.len()];
    let none = State {
        time: 0.0,
        params: Vec::new(),
        coords: Vec::new(),
        rates: Vec::new(),
    };
    let jet = none.call(function, &zeros);
    let mut terms = vec![format!("({})", jet.value)];
    for (i, a) in arguments.iter().enumerate() {
        let slope = jet.gradient.get(i).copied().unwrap_or_default();
        terms.push(format!("({slope})*{a}"));
        for (j, b) in arguments.iter().enumerate() {
            let half = jet
                .hessian
                .get(i * arguments.len() + j)
                .copied()
                .unwrap_or_default()
                / 2.0;
            terms.push(format!("({half})*{a}*{b}"));
        }
    }
    terms.join(" + ")
}

/// A number in (-1, 1) that depends on what is asked for only.
fn draw(seed: u64, what: u64) -> f64 {
    field::pseudo_random(4000 + seed, what).get() as f64 / field::MODULUS as f64 * 2.0 - 1.0
}

fn with_sign(x: f64, sign: Option<Sign>) -> f64 {
    match sign {
        Some(Sign::Positive | Sign::NonNegative) => 1.0 + 0.4 * x,
        Some(Sign::Negative | Sign::NonPositive) => -1.0 - 0.4 * x,
        Some(Sign::NonZero) => x + 0.3_f64.copysign(x),
        None => x,
    }
}

impl State {
    /// Where motions of the model begin.
    fn initial(system: &System) -> Self {
        let own = Self::start(system, 0, Parameters::Default, 0.0);
        let number = |x: &Option<_>| x.as_ref().and_then(ToPrimitive::to_f64);
        let coords = system.coords.iter().zip(own.coords);
        let start = coords.map(|(c, drawn)| match (number(&c.initial), c.sign) {
            (Some(x), _) => x,
            (None, None) => 0.0,
            (None, Some(_)) => drawn,
        });
        let rates = system.coords.iter();
        let rates = rates.map(|c| number(&c.initial_rate).unwrap_or(0.0));
        Self {
            time: 0.0,
            params: own.params,
            coords: start.collect(),
            rates: rates.collect(),
        }
    }

    fn start(system: &System, seed: u64, parameters: Parameters, reach: f64) -> Self {
        let params = system.params.iter().enumerate().map(|(i, p)| {
            let own = p.default.as_ref().and_then(ToPrimitive::to_f64);
            let drawn = draw(seed, 100 + i as u64);
            // Most parameters of a machine are positive, whether the model says so or not: every second time all are.
            let drawn = if seed.is_multiple_of(2) && p.sign.is_none() {
                drawn.abs()
            } else {
                with_sign(drawn, p.sign)
            };
            match parameters {
                Parameters::Any => drawn,
                Parameters::Default => own.unwrap_or(drawn),
            }
        });
        let coords = system.coords.iter().enumerate().map(|(i, c)| {
            let own = c.initial.as_ref().and_then(ToPrimitive::to_f64);
            let x = draw(seed, 10_000 + i as u64);
            match (own, c.sign) {
                (Some(v), _) => v + 0.2 * x,
                (None, None) => reach * x,
                (None, sign) => with_sign(x, sign),
            }
        });
        Self {
            time: draw(seed, 1).abs(),
            params: params.collect(),
            coords: coords.collect(),
            rates: (0..system.coords.len())
                .map(|i| draw(seed, 20_000 + i as u64))
                .collect(),
        }
    }
}

impl Host for State {
    fn slot(&self, slot: Slot) -> f64 {
        let list: &[f64] = match slot.group {
            TIME => return self.time,
            PARAMS => &self.params,
            COORDS => &self.coords,
            _ => &self.rates,
        };
        list.get(slot.index as usize).copied().unwrap_or(f64::NAN)
    }

    /// A quadratic function with coefficients of its own.
    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let k = args.len();
        let c = |i: usize, j: usize| {
            let (i, j) = (i.min(j) as u64, i.max(j) as u64);
            draw(u64::from(function) + 50, 1000 * i + j)
        };
        let slope = |i: usize| draw(u64::from(function) + 90, i as u64);
        let mut jet = Jet {
            value: draw(u64::from(function) + 30, 0),
            gradient: (0..k).map(slope).collect(),
            hessian: Vec::with_capacity(k * k),
        };
        for i in 0..k {
            jet.value += slope(i) * args[i];
            for j in 0..k {
                jet.value += 0.5 * c(i, j) * args[i] * args[j];
                jet.gradient[i] += c(i, j) * args[j];
                jet.hessian.push(c(i, j));
            }
        }
        jet
    }
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Against a step, of length 1 at most.
fn advance(x: &mut [f64], step: &[f64]) {
    let length = largest(step).max(1.0);
    x.iter_mut().zip(step).for_each(|(x, d)| *x -= d / length);
}

/// `A^T (A A^T + mu)^-1 r`, A of `n` columns: damped a little, so that dependent rows do no harm.
fn least_squares(n: usize, a: &[f64], r: &[f64]) -> Option<Vec<f64>> {
    let m = r.len();
    let mut g: Vec<Vec<f64>> = (0..m)
        .map(|i| {
            (0..m)
                .map(|j| (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum())
                .collect()
        })
        .collect();
    let trace: f64 = (0..m).map(|i| g[i][i]).sum();
    (0..m).for_each(|i| g[i][i] += 1e-11 * trace + f64::MIN_POSITIVE);
    let mut y = r.to_vec();
    // Gauss without pivoting: the matrix is positive definite.
    for p in 0..m {
        if g[p][p] <= 0.0 || !g[p][p].is_finite() {
            return None;
        }
        for i in p + 1..m {
            let factor = g[i][p] / g[p][p];
            let above = g[p].clone();
            g[i].iter_mut()
                .zip(&above)
                .for_each(|(x, v)| *x -= factor * v);
            y[i] -= factor * y[p];
        }
    }
    for p in (0..m).rev() {
        let later: f64 = (p + 1..m).map(|j| g[p][j] * y[j]).sum();
        y[p] = (y[p] - later) / g[p][p];
    }
    Some(
        (0..n)
            .map(|k| (0..m).map(|i| a[i * n + k] * y[i]).sum())
            .collect(),
    )
}
