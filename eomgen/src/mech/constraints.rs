//! Constraints in the form `A q'' = b` (holonomic rows differentiated twice, velocity rows
//! once, exactly as written, no row rescaled), their rank, and which rows depend on which.

use super::Fault;
use super::kinematics::Kinematics;
use super::value::Values;
use super::vars::Vars;
use super::vec3::Vec3;
use crate::diag::Diagnostic;
use crate::elim::{self, Matrix, echelon};
use crate::model::system::{Constraint, ConstraintRelation};
use crate::span::Span;
use crate::sym::{Algebra, Expr, Meaning};
use std::collections::BTreeMap;

/// At which level a row was stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `phi(q, t) = 0`.
    Position,
    /// `psi(q, q', t) = 0`.
    Velocity,
    /// `alpha(q, q', q'', t) = 0`, linear in q''.
    Acceleration,
}

/// One scalar constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// The constraint's name, with `.x` and so on for rows of a vector constraint.
    pub name: String,
    /// The declaration.
    pub span: Span,
    /// Its constraint in the model, and which of its components it is (0 of a scalar constraint).
    pub source: (usize, usize),
    /// Level of the statement.
    pub level: Level,
    /// Whether the velocity form, if there is one, is linear in q'.
    pub linear: bool,
    /// lhs - rhs as stated.
    pub residual: Expr,
    /// The velocity form psi(q, q', t); 0 for rows stated for accelerations, which have none.
    pub velocity: Expr,
    /// For linear rows: psi at q' = 0.
    pub velocity_bias: Expr,
    /// Row of A, one entry per coordinate.
    pub a: Vec<Expr>,
    /// Entry of b.
    pub b: Expr,
}

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
    pub fn rows(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
    ) -> Result<Vec<Row>, Vec<Diagnostic>> {
        let mut rows = Vec::new();
        let mut errors = Vec::new();
        for (place, c) in values.system.constraints.iter().enumerate() {
            match residuals(alg, values, k, c) {
                Err(f) => errors.push(f.at(c.meta.span)),
                Ok(list) => {
                    for (component, name, e) in list {
                        let source = (place, component);
                        match row(alg, values, k, c, (source, name), e) {
                            Ok(r) => rows.push(r),
                            Err(f) => errors.push(f.at(c.meta.span)),
                        }
                    }
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(rows)
    }

    /// Derives the rows under the parametrisation by rates, their rank and dependence.
    pub fn derive(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
    ) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
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

    fn rank(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let n = values.vars.coords.len();
        let order: Vec<usize> = (0..n).collect();
        let e = echelon(alg, &self.matrix(), &order);
        self.depend(alg, values, e.rows, e.columns)
    }

    /// Takes these rows as independent, solvable in these columns, and expresses the others by them.
    pub fn depend(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
        rows: Vec<usize>,
        columns: Vec<usize>,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.independent = rows;
        self.columns = columns;
        self.combination = Matrix::new();
        let r = self.independent.len();
        let mut errors = Vec::new();
        let mut warnings = Vec::new();
        let basis: Matrix = (0..r)
            .map(|i| {
                self.columns
                    .iter()
                    .map(|c| self.rows[self.independent[i]].a[*c].clone())
                    .collect()
            })
            .collect();
        for j in 0..self.rows.len() {
            if let Some(at) = self.independent.iter().position(|i| *i == j) {
                let mut unit = vec![Expr::zero(); r];
                unit[at] = Expr::one();
                self.combination.push(unit);
                continue;
            }
            // T row: T A_r = A_j on the pivot columns, that is A_r^T T^T = A_j^T.
            let transposed: Matrix = (0..r)
                .map(|c| (0..r).map(|i| basis[i][c].clone()).collect())
                .collect();
            let right: Matrix = self
                .columns
                .iter()
                .map(|c| vec![self.rows[j].a[*c].clone()])
                .collect();
            let t: Vec<Expr> = match elim::solve(alg, &transposed, &right) {
                Some(s) => s.x.into_iter().map(|mut v| v.remove(0)).collect(),
                None => vec![Expr::zero(); r],
            };
            let named: Vec<String> = (0..r)
                .filter(|i| !alg.is_zero(&t[*i]))
                .map(|i| format!("`{}`", self.rows[self.independent[i]].name))
                .collect();
            match self.gap(alg, values, j, &t) {
                Gap::Contradiction(gap) => {
                    let title = self.contradiction(alg, values, j, &t, &named);
                    let mut d = Diagnostic::error(
                        "E0313",
                        title,
                        self.rows[j].span,
                        if gap.parse::<f64>().is_ok() {
                            format!("it determines the same rates, and differs by {gap}")
                        } else {
                            format!("it determines the same rates, but {gap} is not 0")
                        },
                    )
                    .help("remove it, or make its right-hand side agree with the others");
                    for (i, coefficient) in t.iter().enumerate().take(r) {
                        if !alg.is_zero(coefficient) {
                            d = d.label(self.rows[self.independent[i]].span, "with this one");
                        }
                    }
                    errors.push(d);
                }
                // Nothing is left of this row where the constraints hold; that is told elsewhere.
                _ if named.is_empty() => {}
                Gap::Unless(gap) => warnings.push(
                    Diagnostic::warning(
                        "W0482",
                        format!(
                            "constraint `{}` contradicts {} unless {gap} = 0",
                            self.rows[j].name,
                            named.join(", ")
                        ),
                        self.rows[j].span,
                        "it determines the same rates, and differs by this",
                    )
                    .help("remove one of them, or make their right-hand sides agree"),
                ),
                gap => {
                    let mut d = Diagnostic {
                        severity: crate::diag::Severity::Note,
                        ..Diagnostic::error(
                            "N0314",
                            format!(
                                "constraint `{}` depends on {}",
                                self.rows[j].name,
                                named.join(", ")
                            ),
                            self.rows[j].span,
                            "this row is redundant",
                        )
                    }
                    .note("its multiplier is not unique; the one of minimum norm is reported");
                    if let Gap::Only(gap) = gap {
                        d = d.note(format!("the constraints agree only where {gap} = 0"));
                    }
                    warnings.push(d);
                }
            }
            self.combination.push(t);
        }
        if errors.is_empty() {
            Ok(warnings)
        } else {
            Err(errors)
        }
    }

    /// What a row that contradicts others is about, in a sentence.
    fn contradiction(
        &self,
        alg: &Algebra,
        values: &Values<'_>,
        j: usize,
        t: &[Expr],
        named: &[String],
    ) -> String {
        let name = &self.rows[j].name;
        let moved: Vec<usize> = (0..self.rows[j].a.len())
            .filter(|c| !alg.is_zero(&self.rows[j].a[*c]))
            .collect();
        let others: Vec<usize> = (0..t.len()).filter(|i| !alg.is_zero(&t[*i])).collect();
        match (&moved[..], &others[..]) {
            ([c], [i]) => format!(
                "constraints `{}` and `{name}` prescribe different motions of `{}`",
                self.rows[self.independent[*i]].name, values.system.coords[*c].meta.name
            ),
            ([c], _) => format!(
                "constraint `{name}` prescribes a motion of `{}` that the others do not allow",
                values.system.coords[*c].meta.name
            ),
            _ => format!("constraint `{name}` contradicts {}", named.join(", ")),
        }
    }

    /// By what row j differs from its combination of the others.
    fn gap(&self, alg: &mut Algebra, values: &Values<'_>, j: usize, t: &[Expr]) -> Gap {
        let involved: Vec<usize> = (0..t.len()).filter(|i| !alg.is_zero(&t[*i])).collect();
        // A position follows from positions only up to a constant; with velocities, velocities are compared.
        let positions = std::iter::once(j)
            .chain(involved.iter().map(|i| self.independent[*i]))
            .all(|i| self.rows[i].level == Level::Position);
        let accelerations = std::iter::once(j)
            .chain(involved.iter().map(|i| self.independent[*i]))
            .any(|i| self.rows[i].level == Level::Acceleration);
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
        let gap = alg.inline(&gap);
        let gap = alg.simplify(&gap);
        let vars = values.vars;
        let placed = alg.depends(&gap, &|v| vars.coords.contains(&v));
        // What depends on the state may vanish on all states that meet the constraints.
        if alg.is_zero(&gap)
            || alg.depends(&gap, &|v| vars.rates.contains(&v))
            || (positions && placed)
        {
            return Gap::None;
        }
        let adjustable =
            |v| vars.params.contains(&v) || matches!(alg.info(v).meaning, Meaning::Jet { .. });
        let open = placed || alg.depends(&gap, &adjustable);
        let signs = [alg.text(&gap), alg.text(&-&gap)];
        let text = signs.into_iter().min_by_key(|t| t.starts_with('-'));
        let text = text.unwrap_or_default();
        match (!open || alg.is_nonzero(&gap), placed) {
            (true, _) => Gap::Contradiction(text),
            (false, true) => Gap::Only(text),
            (false, false) => Gap::Unless(text),
        }
    }
}

/// By what a dependent row differs from the rows on which it depends.
enum Gap {
    /// By nothing, as far as can be told.
    None,
    /// By something that is zero only at some places, which may be those where the constraints hold.
    Only(String),
    /// By something that is zero only for some values of parameters or functions.
    Unless(String),
    /// By something that is not zero: no motion meets them all.
    Contradiction(String),
}

/// The scalar residuals of a constraint with their names; rows of vector constraints that read 0 = 0 drop out.
fn residuals(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    c: &Constraint,
) -> Result<Vec<(usize, String, Expr)>, Fault> {
    let name = &c.meta.name;
    Ok(match &c.relation {
        ConstraintRelation::Scalar { lhs, rhs } => {
            let e = values.scalar(alg, k, lhs)? - values.scalar(alg, k, rhs)?;
            if alg.is_zero(&e) {
                return Err(Fault::new(
                    "E0310",
                    &format!("constraint `{name}` is always satisfied"),
                    "both sides are identically equal",
                    "remove it, or constrain something that can move",
                ));
            }
            vec![(0, name.clone(), e)]
        }
        ConstraintRelation::Vector { lhs, rhs, frame } => {
            let mut v = values.vector(alg, k, lhs)?;
            v.add(&values.vector(alg, k, rhs)?.scaled(&Expr::int(-1)));
            let comps: Vec3 = values.components(alg, k, &v, *frame, name);
            let rows: Vec<(usize, String, Expr)> = ["x", "y", "z"]
                .iter()
                .zip(comps)
                .enumerate()
                .filter(|(_, (_, e))| !alg.is_zero(e))
                .map(|(i, (axis, e))| (i, format!("{name}.{axis}"), e))
                .collect();
            if rows.is_empty() {
                return Err(Fault::new(
                    "E0310",
                    &format!("constraint `{name}` is always satisfied"),
                    "all three components read 0 = 0",
                    "remove it, or constrain something that can move",
                ));
            }
            rows
        }
    })
}

fn row(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    c: &Constraint,
    (source, name): ((usize, usize), String),
    e: Expr,
) -> Result<Row, Fault> {
    let vars = values.vars;
    if alg.depends(&e, &|v| vars.rate_dots.contains(&v)) {
        return acceleration_row(alg, vars, c, (source, name), e);
    }
    if alg.depends(&e, &|v| vars.inputs.contains(&v)) {
        return Err(Fault::new(
            "E0120",
            &format!("constraint `{name}` depends on an input"),
            "the rate of an input is unknown",
            "use a `function` of t, whose derivatives the user supplies",
        ));
    }
    let label = format!("{}_residual", c.meta.name);
    let residual = alg.define(&label, e);
    let level = if alg.depends(&residual, &|v| vars.rates.contains(&v)) {
        Level::Velocity
    } else {
        Level::Position
    };
    if level == Level::Position && !alg.depends(&residual, &|v| vars.coords.contains(&v)) {
        return Err(Fault::new(
            "E0311",
            &format!("constraint `{name}` constrains nothing"),
            &format!(
                "it reads {} = 0, which contains nothing that moves",
                alg.text(&residual)
            ),
            "omit the components in which nothing moves, or constrain something that can move",
        ));
    }
    let velocity = match level {
        Level::Velocity | Level::Acceleration => residual.clone(),
        Level::Position => {
            let mut flow = k.motion.flow(alg, vars, false);
            let d = alg.derivative(&residual, &mut flow);
            alg.define(&format!("{}_rate", c.meta.name), d)
        }
    };
    let mut a = Vec::with_capacity(vars.rates.len());
    let mut linear = true;
    for (q, r) in vars.coords.iter().zip(&vars.rates) {
        let d = alg.partial(&velocity, *r);
        let d = alg.define(
            &format!("a_{}_{}", c.meta.name, alg.info(*q).name.clone()),
            d,
        );
        linear &= !alg.depends(&d, &|v| vars.rates.contains(&v)) || alg.is_zero(&d);
        a.push(d);
    }
    if a.iter().all(|e| alg.is_zero(e)) {
        return Err(Fault::new(
            "E0311",
            &format!("constraint `{name}` constrains nothing"),
            "no rate is affected by this",
            "constrain coordinates or rates",
        ));
    }
    let mut flow = k.motion.flow(alg, vars, false);
    let d = alg.derivative(&velocity, &mut flow);
    let b = alg.define(&format!("b_{}", c.meta.name), -d);
    let velocity_bias = if linear {
        let name = format!("{}_drift", c.meta.name);
        super::speeds::at_rest(alg, vars, &velocity, &name)
    } else {
        Expr::zero()
    };
    Ok(Row {
        name,
        span: c.meta.span,
        source,
        level,
        linear,
        residual,
        velocity,
        velocity_bias,
        a,
        b,
    })
}

/// A row stated for accelerations: `A q'' = b` as it stands.
fn acceleration_row(
    alg: &mut Algebra,
    vars: &Vars,
    c: &Constraint,
    (source, name): ((usize, usize), String),
    e: Expr,
) -> Result<Row, Fault> {
    let mut a = Vec::with_capacity(vars.coords.len());
    for (q, d) in vars.coords.iter().zip(&vars.rate_dots) {
        let partial = alg.partial(&e, *d);
        if alg.depends(&partial, &|v| vars.rate_dots.contains(&v)) && !is_free(alg, vars, &partial)
        {
            return Err(Fault::new(
                "E0464",
                &format!("constraint `{name}` is not linear in the accelerations"),
                "an acceleration appears here in a product, power or function",
                "state a relation that is linear in the accelerations, or the velocity relation whose derivative is meant",
            ));
        }
        let label = format!("a_{}_{}", c.meta.name, alg.info(*q).name.clone());
        a.push(alg.define(&label, partial));
    }
    if a.iter().all(|e| alg.is_zero(e)) {
        return Err(Fault::new(
            "E0311",
            &format!("constraint `{name}` constrains nothing"),
            "no acceleration is affected by this",
            "constrain coordinates, rates or accelerations",
        ));
    }
    let zero: BTreeMap<_, _> = vars.rate_dots.iter().map(|v| (*v, Expr::zero())).collect();
    let mut memo = rustc_hash::FxHashMap::default();
    let rest = alg.restrict(&e, &zero, &mut memo);
    let mut clear = |alg: &mut Algebra, e: &Expr| alg.restrict(e, &zero, &mut memo);
    let a = a.iter().map(|e| clear(alg, e)).collect();
    let b = alg.define(&format!("b_{}", c.meta.name), -rest);
    Ok(Row {
        name,
        span: c.meta.span,
        source,
        level: Level::Acceleration,
        linear: true,
        residual: alg.define(&format!("{}_residual", c.meta.name), e),
        velocity: Expr::zero(),
        velocity_bias: Expr::zero(),
        a,
        b,
    })
}

/// Whether accelerations that seem to stand in an expression cancel.
fn is_free(alg: &mut Algebra, vars: &Vars, e: &Expr) -> bool {
    vars.rate_dots.iter().all(|v| {
        let d = alg.partial(e, *v);
        alg.is_zero(&d)
    })
}
