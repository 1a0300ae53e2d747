//! The generalized speeds u (declared and completed), which of them are independent under linear
//! constraints, and the inverse kinematics `q' = H s + h0`.
//!
//! The rule: declared speeds come first; if they are fewer than the coordinates they are completed
//! with rates q', in coordinate order, that keep the set invertible. Under constraints that are
//! linear in the velocities the independent speeds are the privileged ones if given; otherwise each
//! row eliminates the first speed (chosen dependents, then completed rates, then declared speeds)
//! whose coefficient is certainly nonzero, else the first that is not identically zero. If the
//! resulting chart is certainly good everywhere, or was asked for, the state is (q, w) with w the
//! independent speeds; otherwise, and under constraints nonlinear in the velocities, all n speeds
//! are kept and the constraints are imposed on the accelerations.

use super::constraints::{Constraints, Rank};
use super::kinematics::Kinematics;
use super::motion::Motion;
use super::value::Values;
use super::vars::Vars;
use super::vec3::Linear;
use crate::diag::Diagnostic;
use crate::elim::{self, Matrix, echelon};
use crate::model::system::Scalar;
use crate::span::Span;
use crate::sym::{Algebra, Class, Derivation, Expr, Var};
use std::collections::BTreeMap;

/// One generalized speed.
#[derive(Clone, Debug)]
pub struct Speed {
    /// `u1`, or `x'` for a rate.
    pub name: String,
    /// Its symbol.
    pub var: Var,
    /// The symbol of its rate.
    pub dot: Var,
    /// Its definition in terms of q, q', t.
    pub definition: Expr,
    /// Index into `System::speeds`; `None` for a completed rate.
    pub declared: Option<usize>,
    /// The coordinate of which it is the rate.
    pub coordinate: Option<usize>,
}

/// The speeds of a model.
#[derive(Clone, Debug)]
pub struct SpeedSet {
    /// n speeds: declared, then completed.
    pub speeds: Vec<Speed>,
    /// Indices of the independent ones (all of them unless `reduced`).
    pub independent: Vec<usize>,
    /// Indices of the eliminated ones.
    pub dependent: Vec<usize>,
    /// Whether linear constraints have been solved for the dependent speeds.
    pub reduced: bool,
    /// Expressions that must not vanish for the inverse kinematics to hold.
    pub conditions: Vec<Expr>,
    /// The parametrisation by the independent speeds.
    pub motion: Motion,
}

/// Choices of the user.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of speeds or rates to eliminate.
    pub dependent: Vec<String>,
}

impl SpeedSet {
    /// Chooses and inverts.
    pub fn derive(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        constraints: &Constraints,
        choice: &Choice,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Declared {
            speeds,
            jacobian,
            drift,
        } = declared(alg, values, k)?;
        let n = speeds.len();
        let identity =
            (0..n).all(|i| speeds[i].coordinate == Some(i) && speeds[i].declared.is_none());
        let mut set = Self {
            speeds,
            independent: (0..n).collect(),
            dependent: Vec::new(),
            reduced: false,
            conditions: Vec::new(),
            motion: k.motion.clone(),
        };
        let forced = !values.system.privileged.is_empty() || !choice.dependent.is_empty();
        let varies = constraints.rank_where_they_hold == Rank::Varies;
        let wants_chart = constraints.is_linear() && !constraints.rows.is_empty() && !varies;
        if forced && !wants_chart {
            let span = values
                .system
                .privileged
                .first()
                .map_or_else(|| first_span(values), |p| p.1);
            let why = if constraints.rows.is_empty() {
                "the model has no constraints"
            } else if constraints.has_accelerations() {
                "a constraint is stated for the accelerations"
            } else if varies {
                "the rank of the constraints varies where they hold"
            } else {
                "a constraint is nonlinear in the velocities"
            };
            return Err(vec![
                Diagnostic::error(
                    "E0309",
                    format!("dependent speeds cannot be chosen: {why}"),
                    span,
                    "chosen here",
                )
                .help("leave the choice out; all speeds belong to the state"),
            ]);
        }
        if wants_chart {
            let inverse = if identity {
                None
            } else {
                elim::solve(alg, &jacobian, &identity_matrix(n))
            };
            let (picked, notes) = set.pick(
                alg,
                values,
                constraints,
                inverse.as_ref().map(|s| &s.x),
                choice,
            )?;
            let independent: Vec<usize> = (0..n).filter(|i| !picked.contains(i)).collect();
            let mut matrix: Matrix = independent.iter().map(|i| jacobian[*i].clone()).collect();
            matrix.extend(constraints.independent_matrix());
            let l = independent.len();
            let mut rhs: Matrix = Vec::with_capacity(n);
            for (c, i) in independent.iter().enumerate() {
                let mut row = vec![Expr::zero(); l + 1];
                row[c] = Expr::one();
                row[l] = -&drift[*i];
                rhs.push(row);
            }
            for r in &constraints.independent {
                let mut row = vec![Expr::zero(); l + 1];
                row[l] = -&constraints.rows[*r].velocity_bias;
                rhs.push(row);
            }
            match elim::solve(alg, &matrix, &rhs) {
                Some(solved) => {
                    let conditions: Vec<Expr> = open(alg, &solved.pivots);
                    if conditions.is_empty() || forced {
                        set.dependent = picked;
                        set.dependent.sort_unstable();
                        set.independent = independent;
                        set.reduced = true;
                        set.conditions = conditions;
                        set.motion = set.invert(alg, values, &solved.x);
                        return Ok(set);
                    }
                }
                None if forced => return Err(notes),
                None => {}
            }
        }
        if identity {
            return Ok(set);
        }
        let mut rhs = identity_matrix(n);
        for (row, d) in rhs.iter_mut().zip(&drift) {
            row.push(-d);
        }
        match elim::solve(alg, &jacobian, &rhs) {
            Some(solved) => {
                set.conditions = open(alg, &solved.pivots);
                set.motion = set.invert(alg, values, &solved.x);
                Ok(set)
            }
            None => Err(vec![Diagnostic::error(
                "E0308",
                "the speeds do not determine the rates",
                first_span(values),
                "these speeds are dependent",
            )]),
        }
    }

    /// Chooses the speeds to eliminate, one per independent row.
    fn pick(
        &self,
        alg: &mut Algebra,
        values: &Values<'_>,
        constraints: &Constraints,
        inverse: Option<&Matrix>,
        choice: &Choice,
    ) -> Result<(Vec<usize>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let n = self.speeds.len();
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
            match self.find_scalar(s) {
                Some(i) => protected.push(i),
                None => {
                    return Err(vec![
                        Diagnostic::error(
                            "E0309",
                            "a privileged velocity is not one of the speeds",
                            *span,
                            "not a speed of the completed set",
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
                    format!("{} privileged velocities are given, but the motion has {} degrees of freedom", protected.len(), n - r),
                    span,
                    "privileged velocities here",
                )
                .help(format!("name exactly {} independent velocities", n - r)),
            ]);
        }
        let mut order: Vec<usize> = Vec::new();
        for name in &choice.dependent {
            match self.speeds.iter().position(|s| s.name == *name) {
                Some(i) => order.push(i),
                None => {
                    let names: Vec<String> = self
                        .speeds
                        .iter()
                        .map(|s| format!("`{}`", s.name))
                        .collect();
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
                self.speeds[*i].declared.is_some() == declared
                    && !choice.dependent.contains(&self.speeds[*i].name)
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
                .find(|c| choice.dependent.contains(&self.speeds[*c].name));
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
                        "this constraint ties the privileged velocities to one another",
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
                "singular for every state",
            )
            .help("choose others"),
        ];
        Ok((picked, singular))
    }

    fn find_scalar(&self, s: &Scalar) -> Option<usize> {
        self.speeds.iter().position(|x| match s {
            Scalar::Speed(i) => x.declared == Some(i.index()),
            Scalar::Rate(inner) => match **inner {
                Scalar::Coord(c) => x.coordinate == Some(c.index()),
                _ => false,
            },
            _ => false,
        })
    }

    /// The motion with `q'_i = sum_c x[i][c] w_c + x[i][l]`.
    fn invert(&self, alg: &mut Algebra, values: &Values<'_>, x: &Matrix) -> Motion {
        let speeds: Vec<Var> = self
            .independent
            .iter()
            .map(|i| self.speeds[*i].var)
            .collect();
        let speed_dots: Vec<Var> = self
            .independent
            .iter()
            .map(|i| self.speeds[*i].dot)
            .collect();
        let l = speeds.len();
        let mut rates = Vec::new();
        let mut rate_values = Vec::new();
        for (row, coord) in x.iter().zip(&values.system.coords) {
            let coef: BTreeMap<usize, Expr> = (0..l)
                .filter(|c| !row[*c].is_literal_zero())
                .map(|c| (c, row[c].clone()))
                .collect();
            let bias = row[l].clone();
            let value: Expr = coef
                .iter()
                .map(|(c, e)| e * alg.var(speeds[*c]))
                .sum::<Expr>()
                + &bias;
            rate_values.push(alg.define(&format!("{}_dot", coord.meta.name), value));
            rates.push(Linear { coef, bias });
        }
        let mut motion = Motion {
            speeds,
            speed_dots,
            rates,
            rate_values,
            declared: BTreeMap::new(),
        };
        for s in &self.speeds {
            if let Some(d) = s.declared {
                let value = match motion.speeds.contains(&s.var) {
                    true => alg.var(s.var),
                    false => in_motion(alg, values, &motion, &s.definition, &s.name),
                };
                motion.declared.insert(d, value);
            }
        }
        motion
    }

    /// The dependent speeds in terms of the state, with their index.
    pub fn dependent_values(&self, alg: &mut Algebra, values: &Values<'_>) -> Vec<(usize, Expr)> {
        self.dependent
            .iter()
            .map(|i| {
                (
                    *i,
                    in_motion(
                        alg,
                        values,
                        &self.motion,
                        &self.speeds[*i].definition,
                        &self.speeds[*i].name,
                    ),
                )
            })
            .collect()
    }

    /// u' of every speed in terms of q, q', q'', t.
    pub fn dots(&self, alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> Vec<Expr> {
        let mut flow: Derivation = k.motion.flow(alg, values.vars, true);
        self.speeds
            .iter()
            .map(|s| alg.derivative(&s.definition, &mut flow))
            .collect()
    }
}

/// A function of q, q', t in terms of the motion's speeds.
pub fn in_motion(
    alg: &mut Algebra,
    values: &Values<'_>,
    motion: &Motion,
    e: &Expr,
    name: &str,
) -> Expr {
    let map: BTreeMap<Var, Expr> = values
        .vars
        .rates
        .iter()
        .copied()
        .zip(motion.rate_values.iter().cloned())
        .collect();
    let mut memo = rustc_hash::FxHashMap::default();
    let replaced = alg.restrict(e, &map, &mut memo);
    alg.define(name, replaced)
}

struct Declared {
    speeds: Vec<Speed>,
    jacobian: Matrix,
    drift: Vec<Expr>,
}

/// The declared speeds, checked and completed, with `u = J q' + j`.
fn declared(
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
        for (i, s) in speeds
            .iter()
            .enumerate()
            .filter(|(i, _)| !rank.rows.contains(i))
        {
            let before: Vec<String> = speeds[..i]
                .iter()
                .map(|s| format!("`{}`", s.name))
                .collect();
            let why = if i >= n {
                format!("{n} coordinates have room for {n} speeds only")
            } else {
                format!("it is a combination of {}", before.join(", "))
            };
            errors.push(
                Diagnostic::error(
                    "E0308",
                    format!("speed `{}` is not independent of the others", s.name),
                    system.speeds[i].meta.span,
                    why,
                )
                .help("remove it, or define it by a direction that the other speeds leave out"),
            );
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

/// A function of q, q', t at q' = 0. Subtracting the terms with q' instead would leave the rates in
/// the expression wherever nothing is multiplied out.
pub fn at_rest(alg: &mut Algebra, vars: &Vars, e: &Expr, name: &str) -> Expr {
    let zero: BTreeMap<Var, Expr> = vars.rates.iter().map(|r| (*r, Expr::zero())).collect();
    let still = alg.restrict(e, &zero, &mut rustc_hash::FxHashMap::default());
    alg.define(name, still)
}

/// The factors that are not certain to be nonzero.
pub fn open(alg: &mut Algebra, pivots: &[Expr]) -> Vec<Expr> {
    let mut list = Vec::new();
    for p in pivots {
        if !alg.is_nonzero(p) && !list.contains(p) {
            list.push(p.clone());
        }
    }
    list
}

fn unit(n: usize, i: usize) -> Vec<Expr> {
    (0..n)
        .map(|j| if i == j { Expr::one() } else { Expr::zero() })
        .collect()
}

fn identity_matrix(n: usize) -> Matrix {
    (0..n).map(|i| unit(n, i)).collect()
}

fn first_span(values: &Values<'_>) -> Span {
    values
        .system
        .coords
        .first()
        .map_or_else(Span::default, |c| c.meta.span)
}
