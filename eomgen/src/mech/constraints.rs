//! The constraints of a model, their rank, and which rows depend on which.

use super::constant;
use super::kinematics::Kinematics;
use super::row::{Stated, components, residuals};
use super::value::Values;
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix, echelon};
use crate::sym::{Algebra, Class, Expr, Meaning, Var};

pub use super::row::{Level, Row};

/// All rows of a model.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// In order of declaration.
    pub rows: Vec<Row>,
    /// Rows that are independent of those before them.
    pub independent: Vec<usize>,
    /// For every row its combination of the independent ones: `A = T A_independent`.
    pub combination: Matrix,
    /// Columns in which the independent rows can be solved, generically.
    pub columns: Vec<usize>,
    /// What is known of the rank where the constraints hold.
    pub rank_where_they_hold: Rank,
}

/// How the rank of A where the constraints hold compares with that at states of all kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rank {
    /// It is the same, as far as is known.
    #[default]
    Same,
    /// It is lower: `independent` counts only rows that are independent there.
    Lower,
    /// It is lower at some states that satisfy the constraints, or may be.
    Varies,
}

impl Constraints {
    /// The rows under the parametrisation by rates.
    fn rows(alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> diag::Result<Vec<Row>> {
        let mut rows = Vec::new();
        let mut errors = Vec::new();
        for (number, stated) in values.system.constraints.iter().enumerate() {
            let span = stated.meta.span;
            let list = residuals(alg, values, k, stated).unwrap_or_else(|f| {
                errors.push(f.at(span));
                Vec::new()
            });
            for (component, name, e) in list {
                let source = (number, component);
                let row = Stated {
                    stated,
                    source,
                    name,
                }
                .row(alg, values.vars, k, e);
                match row {
                    Ok(r) => rows.push(r),
                    Err(f) => errors.push(f.at(span)),
                }
            }
        }
        diag::unless_wrong(rows, errors)
    }

    /// The same rows with their coefficients of further coordinates, in kinematics in which these have joined those of the rows. A
    /// component that reads 0 = 0 without them has no multiplier and is no row with them, so each row is found by its source.
    pub fn with_more_coordinates(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        rows: &[Row],
    ) -> diag::Result<Vec<Row>> {
        let mut more = Vec::with_capacity(rows.len());
        for same in rows.chunk_by(|a, b| a.source.0 == b.source.0) {
            let (constraint, span) = (same[0].source.0, same[0].span);
            let stated = &values.system.constraints[constraint];
            let found = components(alg, values, k, stated);
            let found = found.map_err(|fault| vec![fault.at(span)])?;
            for row in same {
                let mut row = row.clone();
                let e = found[row.source.1].clone();
                let added = row.coefficients_of_more(alg, values.vars, k, &stated.meta.name, e);
                row.a.extend(added);
                more.push(row);
            }
        }
        Ok(more)
    }

    /// Derives the rows under the parametrisation by rates, their rank and dependence.
    pub fn derive(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
    ) -> diag::Result<(Self, Vec<Diagnostic>)> {
        let mut all = Self {
            rows: Self::rows(alg, values, k)?,
            ..Self::default()
        };
        let warnings = all.rank(alg, values)?;
        Ok((all, warnings))
    }

    /// Whether all rows have a velocity form, and all are linear in the velocities.
    pub fn is_linear(&self) -> bool {
        self.rows
            .iter()
            .all(|r| r.linear && r.level != Level::Acceleration)
    }

    /// Whether a row is stated for accelerations.
    pub fn has_accelerations(&self) -> bool {
        self.rows.iter().any(|r| r.level == Level::Acceleration)
    }

    /// The names of the rows.
    pub fn row_names(&self) -> Vec<String> {
        self.rows.iter().map(|r| r.name.clone()).collect()
    }

    /// A, all rows.
    pub fn matrix(&self) -> Matrix {
        self.rows.iter().map(|r| r.a.clone()).collect()
    }

    /// The independent rows of A.
    pub fn independent_matrix(&self) -> Matrix {
        self.independent
            .iter()
            .map(|i| self.rows[*i].a.clone())
            .collect()
    }

    /// b of the independent rows.
    pub fn independent_rhs(&self) -> Vec<Expr> {
        self.independent
            .iter()
            .map(|i| self.rows[*i].b.clone())
            .collect()
    }

    /// The other rows whose force is not told apart from that of a row.
    pub fn sharers(&self, alg: &Algebra, row: usize) -> Vec<usize> {
        let of = |i: usize| -> Vec<usize> {
            let t = self.combination.get(i).into_iter().flatten().enumerate();
            t.filter(|(_, e)| !alg.is_zero(e)).map(|(k, _)| k).collect()
        };
        let own = of(row);
        (0..self.rows.len())
            .filter(|j| *j != row && of(*j).iter().any(|k| own.contains(k)))
            .collect()
    }

    fn rank(&mut self, alg: &mut Algebra, values: &Values<'_>) -> diag::Result<Vec<Diagnostic>> {
        let mut first = self.independent_in(alg, (0..self.rows.len()).collect());
        if first.0.len() < self.rows.len() {
            first = self.steadiest(alg, first);
        }
        self.depend(alg, values, first.0, first.1)
    }

    /// The rows that are independent of those before them in this order, with the columns in which they can be solved.
    fn independent_in(&self, alg: &Algebra, order: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let rows: Matrix = order.iter().map(|i| self.rows[*i].a.clone()).collect();
        let columns: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).collect();
        let found = echelon(alg, &rows, &columns);
        let mut rows: Vec<usize> = found.rows.iter().map(|i| order[*i]).collect();
        rows.sort_unstable();
        (rows, found.columns)
    }

    /// Which rows are taken as independent where some depend on others: as declared, unless the dependent ones then follow by a division that may
    /// fail, and by fewer of these if other rows are taken. Of a ball that rolls in a ball the rolling says what the contact says, at every
    /// place; the contact says what one row of the rolling says, but not at all places.
    fn steadiest(
        &mut self,
        alg: &mut Algebra,
        declared: (Vec<usize>, Vec<usize>),
    ) -> (Vec<usize>, Vec<usize>) {
        let mut steady = |row: &Row| row.a.iter().any(|e| alg.is_nonzero(e));
        let steady: Vec<bool> = self.rows.iter().map(&mut steady).collect();
        let mut steady_first: Vec<usize> = (0..self.rows.len()).collect();
        let mut velocities_first = steady_first.clone();
        steady_first.sort_by_key(|i| !steady[*i]);
        velocities_first.sort_by_key(|i| self.rows[*i].level == Level::Position);
        let mut best = (self.divisors(alg, &declared), declared);
        for order in [steady_first, velocities_first] {
            if best.0 == 0 {
                break;
            }
            let other = self.independent_in(alg, order);
            if other.0 == best.1.0 {
                continue;
            }
            let divisors = self.divisors(alg, &other);
            if divisors < best.0 {
                best = (divisors, other);
            }
        }
        best.1
    }

    /// By how many divisors that may vanish the dependent rows follow from these.
    fn divisors(&mut self, alg: &mut Algebra, (rows, columns): &(Vec<usize>, Vec<usize>)) -> usize {
        self.independent.clone_from(rows);
        self.columns.clone_from(columns);
        let mut steadier = None;
        let mut sum = 0;
        for j in (0..self.rows.len()).filter(|j| !rows.contains(j)) {
            let Some((_, doubtful)) = self.shares_in(alg, j, &self.columns) else {
                return usize::MAX;
            };
            if doubtful == 0 {
                continue;
            }
            let others = steadier.get_or_insert_with(|| self.steady_columns(alg));
            let other = self.shares_in(alg, j, others);
            sum += other.map_or(doubtful, |(_, other)| other.min(doubtful));
        }
        sum
    }

    /// Takes these rows as independent, solvable in these columns, and expresses the others by them.
    pub fn depend(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
        rows: Vec<usize>,
        columns: Vec<usize>,
    ) -> diag::Result<Vec<Diagnostic>> {
        self.independent = rows;
        self.columns = columns;
        self.combination = Matrix::new();
        let r = self.independent.len();
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        let mut steadier = None;
        for j in 0..self.rows.len() {
            if let Some(at) = self.independent.iter().position(|i| *i == j) {
                self.combination.push(elim::unit(r, at));
                continue;
            }
            let t = self.shares(alg, j, &mut steadier);
            let t = t.unwrap_or_else(|| vec![Expr::zero(); r]);
            let gap = self.gap(alg, values, j, &t);
            if matches!(gap, Gap::Contradiction(_)) {
                errors.extend(self.remark(alg, values, j, &t, gap));
            } else {
                warnings.extend(self.remark(alg, values, j, &t, gap));
            }
            self.combination.push(t);
        }
        diag::unless_wrong(warnings, errors)
    }

    /// T row: `T A_r = A_j`. Any columns in which the independent rows can be solved say the same; those of the dependent rates may need a divisor
    /// that vanishes at some states, where others do not.
    fn shares(
        &self,
        alg: &mut Algebra,
        row: usize,
        steadier: &mut Option<Vec<usize>>,
    ) -> Option<Vec<Expr>> {
        let (first, doubtful) = self.shares_in(alg, row, &self.columns)?;
        if doubtful == 0 {
            return Some(first);
        }
        let others = steadier.get_or_insert_with(|| self.steady_columns(alg));
        match self.shares_in(alg, row, others) {
            // Those of the dependent rates are regular where the constraints hold; of others that is known only if nothing in them vanishes.
            Some((other, 0)) => Some(other),
            _ => Some(first),
        }
    }

    /// The same in these columns, and how many of the divisors may vanish.
    fn shares_in(
        &self,
        alg: &mut Algebra,
        row: usize,
        columns: &[usize],
    ) -> Option<(Vec<Expr>, usize)> {
        let of = |i: usize, c: usize| self.rows[i].a[c].clone();
        let transposed: Matrix = columns
            .iter()
            .map(|c| self.independent.iter().map(|i| of(*i, *c)).collect())
            .collect();
        let right: Matrix = columns.iter().map(|c| vec![of(row, *c)]).collect();
        let solved = elim::solve(alg, &transposed, &right)?;
        let pivots = solved.pivots.iter();
        let doubtful = pivots.filter(|p| !alg.is_nonzero(p)).count();
        let shares = solved.x.iter().flatten();
        if doubtful == 0 {
            return Some((shares.cloned().collect(), 0));
        }
        // What both rows are multiples of cancels.
        let shares: Vec<Expr> = shares.map(|e| cancelled(alg, e)).collect();
        let divisors: Vec<Expr> = shares.iter().flat_map(|e| alg.divisors(e)).collect();
        let left = divisors.iter().filter(|d| !alg.is_nonzero(d)).count();
        Some((shares, doubtful.min(left)))
    }

    /// Columns in which the independent rows can be solved: first those whose entries vanish at no state, and of these those in few rows.
    fn steady_columns(&self, alg: &mut Algebra) -> Vec<usize> {
        let rows: Matrix = self
            .independent
            .iter()
            .map(|i| self.rows[*i].a.clone())
            .collect();
        let count = rows.first().map_or(0, Vec::len);
        let mut order: Vec<(bool, usize, usize)> = Vec::with_capacity(count);
        for c in 0..count {
            let entries = rows.iter().map(|row| &row[c]);
            let entries: Vec<&Expr> = entries.filter(|e| !e.is_literal_zero()).collect();
            let doubtful = entries.iter().any(|e| !alg.is_nonzero(e));
            order.push((doubtful, entries.len(), c));
        }
        order.sort_unstable();
        let order: Vec<usize> = order.into_iter().map(|(_, _, c)| c).collect();
        echelon(alg, &rows, &order).columns
    }

    /// What there is to say of a row that depends on others.
    fn remark(
        &self,
        alg: &Algebra,
        values: &Values<'_>,
        j: usize,
        t: &[Expr],
        gap: Gap,
    ) -> Option<Diagnostic> {
        let row = &self.rows[j];
        let others = self.independent.iter().zip(t);
        let others: Vec<&Row> = others
            .filter(|(_, e)| !alg.is_zero(e))
            .map(|(i, _)| &self.rows[*i])
            .collect();
        let named: Vec<String> = others.iter().map(|r| format!("`{}`", r.name)).collect();
        let named = named.join(", ");
        let note = || {
            let title = format!("constraint `{}` depends on {named}", row.name);
            let label = "this row is redundant";
            Diagnostic::remark("N0314", title, row.span, label)
                .note("its multiplier is not unique; the one of minimum norm is reported")
        };
        Some(match gap {
            Gap::Contradiction(gap) => {
                let title = contradiction(alg, values, row, &others, &named);
                let label = if gap.parse::<f64>().is_ok() {
                    format!("it determines the same rates, and differs by {gap}")
                } else {
                    format!("it determines the same rates, but {gap} is not 0")
                };
                let error = Diagnostic::error("E0313", title, row.span, label)
                    .help("remove it, or make its right-hand side agree with the others");
                others
                    .iter()
                    .fold(error, |d, other| d.label(other.span, "with this one"))
            }
            // Nothing is left of this row where the constraints hold; that is told elsewhere.
            _ if others.is_empty() => return None,
            Gap::Unless(gap) => Diagnostic::warning(
                "W0482",
                format!(
                    "constraint `{}` contradicts {named} unless {gap} = 0",
                    row.name
                ),
                row.span,
                "it determines the same rates, and differs by this",
            )
            .help("remove one of them, or make their right-hand sides agree"),
            Gap::Only(gap) => note().note(format!("the constraints agree only where {gap} = 0")),
            Gap::None => note(),
        })
    }

    /// By what row j differs from its combination of the others.
    fn gap(&self, alg: &mut Algebra, values: &Values<'_>, j: usize, t: &[Expr]) -> Gap {
        let involved: Vec<usize> = (0..t.len()).filter(|i| !alg.is_zero(&t[*i])).collect();
        // A position follows from positions only up to a constant; with velocities, velocities are compared.
        let others = involved.iter().map(|i| self.independent[*i]);
        let mut levels = std::iter::once(j).chain(others).map(|i| self.rows[i].level);
        let positions = levels.clone().all(|l| l == Level::Position);
        let accelerations = levels.any(|l| l == Level::Acceleration);
        let stated = |i: usize| match (positions, accelerations) {
            (true, _) => &self.rows[i].residual,
            (false, false) => &self.rows[i].velocity,
            (false, true) => &self.rows[i].b,
        };
        let mut gap = stated(j).clone();
        for i in involved {
            gap = gap - &t[i] * stated(self.independent[i]);
        }
        if alg.inlined_size(&gap, 2000) >= 2000 {
            return Gap::None;
        }
        let flat = alg.inline(&gap);
        let gap = alg.simplify(&flat);
        let vars = values.vars;
        let positional = alg.depends(&gap, &|v| vars.coords.contains(&v));
        // What depends on the state may vanish on all states that meet the constraints.
        if alg.is_zero(&gap)
            || alg.depends(&gap, &|v| vars.rates.contains(&v))
            || (positions && positional)
        {
            return Gap::None;
        }
        let adjustable =
            |v| vars.params.contains(&v) || matches!(alg.info(v).meaning, Meaning::Jet { .. });
        let open = positional || alg.depends(&gap, &adjustable);
        let signs = [alg.text(&gap), alg.text(&-&gap)];
        let text = signs.into_iter().min_by_key(|t| t.starts_with('-'));
        let text = text.unwrap_or_default();
        match (!open || alg.is_nonzero(&gap), positional) {
            (true, _) => Gap::Contradiction(text),
            (false, true) => Gap::Only(text),
            (false, false) => Gap::Unless(text),
        }
    }
}

/// Longest quotients that are written out to see what cancels.
const SHORT: usize = 400;

/// A quotient whose parts may have a factor in common, which names stand for.
fn cancelled(alg: &mut Algebra, quotient: &Expr) -> Expr {
    let certain = |alg: &mut Algebra, e: &Expr| alg.divisors(e).iter().all(|d| alg.is_nonzero(d));
    let whole = alg.written_out(quotient, SHORT);
    if let Some(whole) = whole.filter(|e| certain(alg, e)) {
        return whole;
    }
    // Rows in the directions of a plane that is turned are multiples of one another by constants.
    let coords: Vec<Var> = alg
        .bases(quotient)
        .into_iter()
        .filter(|v| alg.info(*v).class == Class::Coordinate)
        .collect();
    let constant = constant::free_of(alg, quotient, &coords);
    constant
        .filter(|e| certain(alg, e))
        .unwrap_or_else(|| quotient.clone())
}

/// What a row that contradicts others is about, in a sentence.
fn contradiction(
    alg: &Algebra,
    values: &Values<'_>,
    row: &Row,
    others: &[&Row],
    named: &str,
) -> String {
    let name = &row.name;
    let coords = row.a.iter().zip(&values.system.coords);
    let mut moved = coords.filter(|(e, _)| !alg.is_zero(e));
    match (moved.next(), moved.next(), others) {
        (Some((_, q)), None, [other]) => format!(
            "constraints `{}` and `{name}` prescribe different motions of `{}`",
            other.name, q.meta.name
        ),
        (Some((_, q)), None, _) => format!(
            "constraint `{name}` prescribes a motion of `{}` that the others do not allow",
            q.meta.name
        ),
        _ => format!("constraint `{name}` contradicts {named}"),
    }
}

/// By what a dependent row differs from the rows on which it depends.
enum Gap {
    /// By nothing, as far as can be told.
    None,
    /// By something that is zero only at some positions, which may be those where the constraints hold.
    Only(String),
    /// By something that is zero only for some values of parameters or functions.
    Unless(String),
    /// By something that is not zero: no motion meets them all.
    Contradiction(String),
}
