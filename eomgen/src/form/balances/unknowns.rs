//! The unknown reactions of the balances: those that are declared between points and bodies, and those that are generated beside them. Knows nothing
//! of loads.

use super::{Balance, Balances, Unknown, too_much};
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::form::{Context, Space};
use crate::mech::directions::{Directions, reduced};
use crate::mech::mixed::Mixed;
use crate::mech::wrench::Wrench;
use crate::model::system::{Action, Carrier, Site};
use crate::sym::{Algebra, Expr};

/// The declared reactions among the balances.
struct Declared {
    /// The joint that declares it, and what a unit of it adds to each row.
    columns: Vec<(usize, Vec<Expr>)>,
    /// The rows from which they follow.
    taken: Vec<usize>,
    /// Their values in terms of those rows.
    inverse: Matrix,
}

impl Context<'_> {
    /// Adds the declared reactions, and generates the others.
    pub(super) fn with_reactions(
        &mut self,
        mut b: Balances,
        directions: &Directions,
        names: &[String],
        complement: &[Vec<Expr>],
    ) -> diag::Result<Balances> {
        let declared = self.declared(&b, directions)?;
        let Declared {
            columns,
            taken,
            inverse,
        } = &declared;
        let system = self.system;
        let alg = &mut self.alg;
        for (((j, column), factors), row) in columns.iter().zip(inverse).zip(taken) {
            let weights: Vec<(usize, Expr)> =
                taken.iter().copied().zip(factors.iter().cloned()).collect();
            let name = &system.joints[*j].meta.name;
            let balance = combined(alg, &b, &weights, name);
            b.declared.push(Unknown {
                name: name.clone(),
                text: format!("reaction `{name}` of the model"),
                along: b.words[*row].clone(),
                column: column.clone(),
                balance,
                joint: Some(*j),
            });
        }
        for (row, column) in directions.dependent.iter().zip(complement) {
            if taken.contains(row) {
                continue;
            }
            // What is left when the declared ones have done their part.
            let mut weights = vec![(*row, Expr::one())];
            for ((_, declared), factors) in columns.iter().zip(inverse) {
                for (r, f) in taken.iter().zip(factors) {
                    weights.push((*r, -(&declared[*row] * f)));
                }
            }
            let balance = combined(alg, &b, &weights, &names[*row]);
            b.generated.push(Unknown {
                name: names[*row].clone(),
                text: format!("what holds {}", b.labels[*row].replace(": ", ", ")),
                along: b.words[*row].clone(),
                column: column.clone(),
                balance,
                joint: None,
            });
        }
        Ok(b)
    }

    /// The declared reactions, each with a row of its own.
    fn declared(&mut self, b: &Balances, directions: &Directions) -> diag::Result<Declared> {
        let system = self.system;
        let (mut columns, mut errors) = (Vec::new(), Vec::new());
        for (j, joint) in system.joints.iter().enumerate() {
            let Action::Pair { on, opposite } = joint.action else {
                continue;
            };
            match self.pair_column(directions, j, (joint.site, on), opposite) {
                Ok(mut column) => {
                    column.resize(b.labels.len(), Expr::zero());
                    columns.push((j, column));
                }
                Err(d) => errors.push(d),
            }
        }
        let taken = self.rows_of_declared(directions, &columns, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        // The values of the declared ones from the rows they have taken.
        let square: Matrix = taken
            .iter()
            .map(|row| columns.iter().map(|(_, c)| c[*row].clone()).collect())
            .collect();
        let inverse = if taken.is_empty() {
            Matrix::new()
        } else {
            let solved = elim::solve(&mut self.alg, &square, &elim::identity(taken.len()));
            let span = columns.first().map(|(j, _)| system.joints[*j].meta.span);
            let solved = solved.ok_or_else(|| vec![too_much().at(span.unwrap_or_default())])?;
            solved.x
        };
        Ok(Declared {
            columns,
            taken,
            inverse,
        })
    }

    /// Each declared reaction replaces a generated one: on the body that is built last, since what acts on it acts on nothing
    /// else.
    fn rows_of_declared(
        &mut self,
        directions: &Directions,
        columns: &[(usize, Vec<Expr>)],
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<usize> {
        let mut order = directions.dependent.clone();
        let rank = |i: &usize| {
            let d = &directions.list[*i];
            (self.masses[d.body].center, d.body, std::cmp::Reverse(*i))
        };
        order.sort_by_key(|i| std::cmp::Reverse(rank(i)));
        let system = self.system;
        let alg = &mut self.alg;
        let mut taken: Vec<usize> = Vec::new();
        let mut rows: Vec<Vec<Expr>> = Vec::new();
        for (j, column) in columns {
            let mut c = column.clone();
            for (row, other) in taken.iter().zip(&rows) {
                if alg.is_zero(&c[*row]) {
                    continue;
                }
                let factor = reduced(alg, "balance", &c[*row] / &other[*row]);
                for (e, o) in c.iter_mut().zip(other) {
                    *e = reduced(alg, "balance", &*e - &factor * o);
                }
            }
            let free = |i: &&usize| !taken.contains(i) && !alg.is_zero(&c[**i]);
            if let Some(row) = order.iter().find(free) {
                taken.push(*row);
                rows.push(c);
                continue;
            }
            let meta = &system.joints[*j].meta;
            errors.push(
                Diagnostic::error(
                    "E0544",
                    format!("the reaction `{}` is not determined", meta.name),
                    meta.span,
                    "reactions declared before it have the same lines of action",
                )
                .help("remove one of these reactions"),
            );
        }
        taken
    }

    /// What a unit of a declared pair adds to the balances of the bodies.
    fn pair_column(
        &mut self,
        directions: &Directions,
        j: usize,
        on: (Site, Option<Carrier>),
        opposite: Option<(Site, Option<Carrier>)>,
    ) -> Result<Vec<Expr>, Diagnostic> {
        let system = self.system;
        let joint = &system.joints[j];
        let span = joint.meta.span;
        let (frame, direction) = self.direction(joint).map_err(|fault| fault.at(span))?;
        let along = Mixed::single(frame, direction);
        let (alg, values, k, masses) = self.parts(Space::Accelerations);
        let mut wrench = Wrench::default();
        wrench
            .push_on(alg, k, on, &along)
            .map_err(|fault| fault.at(span))?;
        if let Some(other) = opposite {
            wrench
                .push_on(alg, k, other, &along.opposite())
                .map_err(|fault| fault.at(span))?;
        }
        let power = wrench.generalized_forces(alg, k);
        let moved = power.iter().position(|e| !alg.is_zero(e));
        let resolved = directions.resolve(alg, &values, k, masses, &wrench);
        if let Some(c) = moved {
            let name = &system.coords[c].meta.name;
            let held = self.constraints.rows.iter();
            let held: Vec<&str> = held
                .filter(|r| !self.alg.is_zero(&r.a[c]))
                .map(|r| r.name.as_str())
                .collect();
            let d = Diagnostic::error(
                "E0541",
                format!(
                    "no force is transmitted along the direction of `{}`",
                    joint.meta.name
                ),
                span,
                format!("the definitions allow motion along it: it has power with `{name}'`"),
            );
            return Err(match held.first() {
                Some(c) => d.help(format!("if a constraint prevents the motion, ask for its force: `reaction({c})`, or `reaction({c}, P)` at a point")),
                None => d.help("choose a direction in which the definitions allow no relative motion; a force along a motion is a load"),
            });
        }
        if !resolved.complete {
            return Err(Diagnostic::error(
                "E0545",
                format!("the reaction `{}` acts on nothing with mass", joint.meta.name),
                span,
                "no particle or rigid body is at one of its ends",
            )
            .help("name points of particles or points fixed in bodies; for the force that holds a massless point write `reaction NAME at P: v`"));
        }
        Ok(resolved.along)
    }
}

/// A weighted sum of rows, as what it says of a reaction.
fn combined(alg: &mut Algebra, b: &Balances, weights: &[(usize, Expr)], name: &str) -> Balance {
    let sum = |alg: &mut Algebra, of: &dyn Fn(usize) -> Expr, what: &str| {
        let mut sum = Expr::zero();
        for (row, w) in weights {
            let e = of(*row);
            if !w.is_literal_zero() && !e.is_literal_zero() {
                sum = sum + w * e;
            }
        }
        if alg.is_closed() {
            alg.simplify(&sum)
        } else {
            alg.define(&format!("{what}_{name}"), sum)
        }
    };
    Balance {
        mass: (0..b.mass.first().map_or(0, Vec::len))
            .map(|j| sum(alg, &|r| b.mass[r][j].clone(), "inertia"))
            .collect(),
        force: sum(alg, &|r| b.rest[r].clone(), "load"),
        multipliers: (0..b.multipliers.first().map_or(0, Vec::len))
            .map(|j| sum(alg, &|r| b.multipliers[r][j].clone(), "pull"))
            .collect(),
    }
}
