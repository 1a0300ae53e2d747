//! The results of a derivation as expressions, entry by entry, for comparing them with what a source prints. Closed forms
//! are taken whatever they would cost to evaluate.

use crate::diag::Diagnostic;
use crate::explain::{rows_in, speed_rate};
use crate::form::solution::{self, Solution};
use crate::form::{Context, Equations, Layout, Quantities, Space, Table};
use crate::program::accelerations::closed;
use crate::program::accelerations::coupling::lack_of;
use crate::program::outputs::asked::quantity;
use crate::program::outputs::forces::without_nonideal;
use crate::program::posed::Posed;
use crate::program::writer::row_names;
use crate::sym::Expr;
use std::cell::OnceCell;

/// The left side less the right side of each equation: `M z' - f - A^T lambda`.
pub(in crate::program) const EQUATIONS: &str = "equations";

/// The results of a derivation.
pub(in crate::program) struct Entries<'p> {
    posed: &'p Posed,
    quantities: &'p mut Quantities,
    /// The solution in closed form, found when it is first needed.
    solved: OnceCell<Option<Solved>>,
}

/// Equations solved in closed form: short if possible, else in a form that need not be good everywhere.
struct Solved {
    solution: Solution,
    /// q'' in terms of the state.
    accelerations: Vec<Expr>,
}

impl Solved {
    fn by(c: &mut Context<'_>, e: &Equations, known: Option<&Solution>) -> Option<Self> {
        let generic = || solution::generic(c, e);
        let solution = known.cloned().or_else(generic)?;
        Some(Self {
            accelerations: closed::accelerations(c, e.space, &solution),
            solution,
        })
    }
}

impl<'p> Entries<'p> {
    pub fn new(posed: &'p Posed, quantities: &'p mut Quantities) -> Self {
        Self {
            posed,
            quantities,
            solved: OnceCell::new(),
        }
    }

    /// An output as a table; `None` if the model or the formulation does not have it, or not in closed form.
    pub fn table(
        &mut self,
        c: &mut Context<'_>,
        name: &str,
    ) -> Result<Option<Table>, Vec<Diagnostic>> {
        let e = self.posed.equations();
        if let Some(table) = quantity(self.posed, c, self.quantities, name)? {
            return Ok(Some(table));
        }
        Ok(match name {
            EQUATIONS => Some(self.equations(c)),
            "mass_matrix" => {
                let names = unknown_names(c, e);
                let entries = e.mass.iter().flatten().cloned().collect();
                Some(table("mass_matrix", names.clone(), names, entries))
            }
            "forcing" => Some(list("forcing", unknown_names(c, e), e.forcing.clone())),
            "constraint_matrix" | "constraint_rhs" => constraints(c, name),
            "accelerations" | "rates" | "speed_rates" => self.motion(c, name),
            "multipliers" => {
                let lambda = self.multipliers(c);
                lambda.map(|lambda| list("multipliers", row_names(c), lambda))
            }
            "reactions" => self.reactions(c)?,
            "ideal_constraint_forces" | "nonideal_constraint_forces" => self.forces(c, name),
            "kinetic_energy" => Some(scalar(
                "kinetic_energy",
                c.kinetic_energy(Space::SpeedRates),
            )),
            "potential_energy" => {
                let v = c.potential_energy()?;
                v.map(|v| scalar("potential_energy", v))
            }
            "gibbs_function" => Some(scalar(
                "gibbs_function",
                c.gibbs_function(Space::SpeedRates),
            )),
            _ => None,
        })
    }

    fn solved(&self, c: &mut Context<'_>) -> Option<&Solved> {
        let posed = self.posed;
        let solve = || Solved::by(c, posed.equations(), posed.solution.as_ref());
        self.solved.get_or_init(solve).as_ref()
    }

    /// Each row of `M z' - f - (A^T + Phi) lambda`.
    fn equations(&self, c: &mut Context<'_>) -> Table {
        let e = self.posed.equations();
        let dots = c.kinematics(e.space).motion.speed_dots.clone();
        let lambda = self.posed.multipliers.of(c);
        let a = match e.closure {
            None => Vec::new(),
            Some(_) => rows_in(c, e.space),
        };
        let mut entries = Vec::with_capacity(dots.len());
        for (i, row) in e.mass.iter().enumerate() {
            let terms = row.iter().zip(&dots);
            let inertia: Expr = terms.map(|(m, d)| m * c.alg.var(*d)).sum();
            let terms = a.iter().zip(&lambda).enumerate();
            let force: Expr = terms
                .map(|(j, (row, l))| {
                    let coupled = e.coupling.as_ref().map(|c| c[i][j].clone());
                    (&row[i] + coupled.unwrap_or_else(Expr::zero)) * l
                })
                .sum();
            entries.push(inertia - &e.forcing[i] - force);
        }
        list(EQUATIONS, unknown_names(c, e), entries)
    }

    fn motion(&self, c: &mut Context<'_>, name: &str) -> Option<Table> {
        if name == "rates" {
            let rates = c.speeds.motion.rate_values.clone();
            return Some(list("rates", c.system.coord_names("'"), rates));
        }
        let solved = self.solved(c)?;
        let qdd = &solved.accelerations;
        if name == "accelerations" {
            let names = c.system.coord_names("''");
            return Some(list("accelerations", names, qdd.clone()));
        }
        let names = c.speeds.speeds.iter().map(|s| format!("{}'", s.name));
        let names: Vec<String> = names.collect();
        let (space, solution) = (self.posed.space(), Some(&solved.solution));
        let rates = (0..names.len()).map(|i| speed_rate(c, space, solution, i, qdd));
        let rates = rates.collect();
        Some(list("speed_rates", names, rates))
    }

    /// Multipliers from `A^T lambda = M q'' - F`.
    fn multipliers(&self, c: &mut Context<'_>) -> Option<Vec<Expr>> {
        if c.constraints.rows.is_empty() {
            return None;
        }
        let s = self.solved(c)?;
        closed::generic_multipliers(self.posed, c, &s.solution, &s.accelerations)
    }

    /// The multipliers, the declared reactions and those that complete the balances of momentum.
    fn reactions(&self, c: &mut Context<'_>) -> Result<Option<Table>, Vec<Diagnostic>> {
        let Some(balances) = &self.posed.formulated.balances else {
            return Ok(None);
        };
        let rows = row_names(c);
        let lambda = if rows.is_empty() {
            Some(Vec::new())
        } else {
            self.multipliers(c)
        };
        let (Some(lambda), Some(solved)) = (lambda, self.solved(c)) else {
            return Ok(None);
        };
        let mut names: Vec<String> = rows.iter().map(|r| format!("reaction({r})")).collect();
        let joints = c.system.joints.iter();
        names.extend(joints.map(|j| j.meta.name.clone()));
        names.extend(balances.generated.iter().map(|u| u.name.clone()));
        let declared = c.joints(Some(balances))?;
        let declared = declared.iter().map(|held| &held.balance);
        let generated = balances.generated.iter().map(|u| &u.balance);
        let mut entries = lambda.clone();
        for b in declared.chain(generated) {
            entries.push(lack_of(c, b, &solved.accelerations, &lambda));
        }
        Ok(Some(list("reactions", names, entries)))
    }

    /// `Qi` and `Qni`: what M q'' exceeds the applied forces by, in the problem without C and in the whole one.
    fn forces(&self, c: &mut Context<'_>, name: &str) -> Option<Table> {
        let whole = name == "nonideal_constraint_forces";
        if whole && c.system.nonideal.is_empty() {
            return None;
        }
        let full = self.posed.unreduced(c)?;
        if full.coupling.is_some() {
            return None;
        }
        let main = &self.solved(c)?.accelerations;
        let bare = without_nonideal(self.posed.equations(), &mut c.alg);
        let ideal = Solved::by(c, &bare, None)?.accelerations;
        let mut entries = Vec::with_capacity(main.len());
        for (i, row) in full.mass.iter().enumerate() {
            let mut sum = Expr::zero();
            for (j, m) in row.iter().enumerate() {
                let m = c.in_speeds(m);
                sum = sum
                    + m * if whole {
                        &main[j] - &ideal[j]
                    } else {
                        ideal[j].clone()
                    };
            }
            if !whole {
                let f = &full.forcing[i] - &full.nonideal[i];
                sum = sum - c.in_speeds(&f);
            }
            entries.push(c.alg.define("force", sum));
        }
        let name = if whole {
            "nonideal_constraint_forces"
        } else {
            "ideal_constraint_forces"
        };
        Some(list(name, c.system.coord_names(""), entries))
    }
}

fn constraints(c: &Context<'_>, name: &str) -> Option<Table> {
    let rows = &c.constraints.rows;
    if rows.is_empty() {
        return None;
    }
    let names = row_names(c);
    Some(if name == "constraint_rhs" {
        let b = rows.iter().map(|r| r.b.clone()).collect();
        list("constraint_rhs", names, b)
    } else {
        let a = rows.iter().flat_map(|r| r.a.iter().cloned()).collect();
        table("constraint_matrix", names, c.system.coord_names("''"), a)
    })
}

fn unknown_names(c: &Context<'_>, e: &Equations) -> Vec<String> {
    let dots = c.kinematics(e.space).motion.speed_dots.iter();
    dots.map(|v| c.alg.info(*v).name.clone()).collect()
}

fn list(name: &'static str, rows: Vec<String>, entries: Vec<Expr>) -> Table {
    let columns = Vec::new();
    Table {
        layout: Layout::Vector,
        ..table(name, rows, columns, entries)
    }
}

fn scalar(name: &'static str, entry: Expr) -> Table {
    Table {
        layout: Layout::Scalar,
        ..table(name, Vec::new(), Vec::new(), vec![entry])
    }
}

fn table(name: &'static str, rows: Vec<String>, columns: Vec<String>, entries: Vec<Expr>) -> Table {
    Table {
        name,
        places: Vec::new(),
        layout: Layout::Matrix,
        rows,
        columns,
        entries,
        note: String::new(),
        facts: Vec::new(),
        rates: Vec::new(),
    }
}
