//! The results of a derivation as expressions, entry by entry, for comparing them with what a source prints. Closed forms
//! are taken whatever they would cost to evaluate.

use super::accelerations::without_nonideal;
use super::{Settings, Work};
use crate::diag::Diagnostic;
use crate::explain::{multipliers, speed_rate};
use crate::form::{Equations, Layout, Space, Table, solution};
use crate::sym::Expr;

/// The left side less the right side of each equation: `M z' - f - A^T lambda`.
pub(super) const EQUATIONS: &str = "equations";

impl Work<'_> {
    /// An output as a table; `None` if the model or the formulation does not have it, or not in closed form.
    pub(super) fn entries(
        &mut self,
        settings: &Settings<'_>,
        name: &str,
    ) -> Result<Option<Table>, Vec<Diagnostic>> {
        let e = self.formulated.equations.clone();
        if let Some(table) = self.quantity(settings, name)? {
            return Ok(Some(table));
        }
        let found = match name {
            EQUATIONS => Some(self.equation_entries(&e)),
            "mass_matrix" => {
                let names = self.unknown_names(&e);
                let entries = e.mass.iter().flatten().cloned().collect();
                Some(table("mass_matrix", names.clone(), names, entries))
            }
            "forcing" => Some(list("forcing", self.unknown_names(&e), e.forcing.clone())),
            "constraint_matrix" | "constraint_rhs" => self.row_entries_of(name),
            "accelerations" | "rates" | "speed_rates" => self.motion_entries(name),
            "multipliers" => {
                let names = self.row_names();
                let lambda = self.lambda()?;
                lambda.map(|lambda| list("multipliers", names, lambda))
            }
            "reactions" => self.reaction_entries()?,
            "ideal_constraint_forces" | "nonideal_constraint_forces" => {
                return self.force_entries(name);
            }
            "kinetic_energy" => {
                let t = self.c.kinetic_energy(Space::SpeedRates);
                Some(scalar("kinetic_energy", t))
            }
            "potential_energy" => {
                let v = self.c.potential_energy()?;
                v.map(|v| scalar("potential_energy", v))
            }
            "gibbs_function" => {
                let s = self.c.gibbs_function(Space::SpeedRates);
                Some(scalar("gibbs_function", s))
            }
            _ => None,
        };
        Ok(found)
    }

    fn unknown_names(&self, e: &Equations) -> Vec<String> {
        let dots = &self.c.kinematics(e.space).motion.speed_dots;
        dots.iter()
            .map(|v| self.c.alg.info(*v).name.clone())
            .collect()
    }

    pub(super) fn coordinate_names(&self, primes: &str) -> Vec<String> {
        let coords = self.c.system.coords.iter();
        coords.map(|c| format!("{}{primes}", c.meta.name)).collect()
    }

    fn row_names(&self) -> Vec<String> {
        let rows = self.c.constraints.rows.iter();
        rows.map(|r| r.name.clone()).collect()
    }

    fn row_entries_of(&mut self, name: &str) -> Option<Table> {
        let rows = self.c.constraints.rows.clone();
        if rows.is_empty() {
            return None;
        }
        let names = self.row_names();
        Some(match name {
            "constraint_rhs" => {
                let b = rows.into_iter().map(|r| r.b).collect();
                list("constraint_rhs", names, b)
            }
            _ => {
                let a = rows.into_iter().flat_map(|r| r.a).collect();
                table("constraint_matrix", names, self.coordinate_names("''"), a)
            }
        })
    }

    /// Each row of `M z' - f - (A^T + Phi) lambda`.
    fn equation_entries(&mut self, e: &Equations) -> Table {
        let dots = self.c.kinematics(e.space).motion.speed_dots.clone();
        let lambda = multipliers(&mut self.c, &mut self.lambda_symbols);
        let a = match e.closure {
            None => Vec::new(),
            Some(_) => {
                let all = self.c.constraints.matrix();
                let b = vec![Expr::zero(); all.len()];
                solution::in_space(&mut self.c, e.space, &all, &b).0
            }
        };
        let mut entries = Vec::with_capacity(dots.len());
        for (i, row) in e.mass.iter().enumerate() {
            let terms = row.iter().zip(&dots);
            let inertia: Expr = terms.map(|(m, d)| m * self.c.alg.var(*d)).sum();
            let force: Expr = a
                .iter()
                .zip(&lambda)
                .enumerate()
                .map(|(j, (row, l))| {
                    let coupled = e.coupling.as_ref().map(|c| c[i][j].clone());
                    (&row[i] + coupled.unwrap_or_else(Expr::zero)) * l
                })
                .sum();
            entries.push(inertia - &e.forcing[i] - force);
        }
        list(EQUATIONS, self.unknown_names(e), entries)
    }

    fn motion_entries(&mut self, name: &str) -> Option<Table> {
        if name == "rates" {
            let rates = self.c.speeds.motion.rate_values.clone();
            return Some(list("rates", self.coordinate_names("'"), rates));
        }
        let qdd = self.generic_accelerations()?;
        if name == "accelerations" {
            return Some(list("accelerations", self.coordinate_names("''"), qdd));
        }
        let n = self.c.speeds.speeds.len();
        let names = self.c.speeds.speeds.iter();
        let names = names.map(|s| format!("{}'", s.name)).collect();
        let (space, solution) = (self.space(), self.solution.as_ref());
        let rate = |i| speed_rate(&mut self.c, space, solution, i, &qdd);
        let rates = (0..n).map(rate).collect();
        Some(list("speed_rates", names, rates))
    }

    /// q'' in terms of the state: the closed form of the module if there is one, else one that need not be short or
    /// good everywhere.
    fn generic_accelerations(&mut self) -> Option<Vec<Expr>> {
        if self.solution.is_none() {
            let e = self.formulated.equations.clone();
            self.solution = solution::generic(&mut self.c, &e);
        }
        if self.closed.is_none() {
            self.closed = self.closed_accelerations();
        }
        self.closed.clone()
    }

    /// Multipliers from `A^T lambda = M q'' - F`.
    fn lambda(&mut self) -> Result<Option<Vec<Expr>>, Vec<Diagnostic>> {
        if self.c.constraints.rows.is_empty() || self.generic_accelerations().is_none() {
            return Ok(None);
        }
        Ok(self.generic_multipliers())
    }

    /// The multipliers, the declared reactions and those that complete the balances of momentum.
    fn reaction_entries(&mut self) -> Result<Option<Table>, Vec<Diagnostic>> {
        let Some(balances) = self.formulated.balances.clone() else {
            return Ok(None);
        };
        let rows = self.row_names();
        let mut names: Vec<String> = rows.iter().map(|r| format!("reaction({r})")).collect();
        let lambda = if rows.is_empty() {
            Some(Vec::new())
        } else {
            self.lambda()?
        };
        let (Some(lambda), Some(qdd)) = (lambda, self.generic_accelerations()) else {
            return Ok(None);
        };
        let mut entries = lambda.clone();
        let joints = self.c.system.joints.iter();
        names.extend(joints.map(|j| j.meta.name.clone()));
        names.extend(balances.generated.iter().map(|u| u.name.clone()));
        let mut held = self.c.joints(self.formulated.balances.as_ref())?;
        held.extend(balances.generated.into_iter().map(|u| u.balance));
        for b in held {
            entries.push(self.lack_of(&b, &qdd, &lambda));
        }
        Ok(Some(list("reactions", names, entries)))
    }

    /// `Qi` and `Qni`: what M q'' exceeds the applied forces by, in the problem without C and in the whole one.
    fn force_entries(&mut self, name: &str) -> Result<Option<Table>, Vec<Diagnostic>> {
        let whole = name == "nonideal_constraint_forces";
        if whole && self.c.system.nonideal.is_empty() {
            return Ok(None);
        }
        let e = self.formulated.equations.clone();
        let Some(full) = self.full_equations() else {
            return Ok(None);
        };
        if full.coupling.is_some() {
            return Ok(None);
        }
        let Some(main) = self.generic_accelerations() else {
            return Ok(None);
        };
        let bare = without_nonideal(&e, &mut self.c.alg);
        let kept = (self.solution.take(), self.closed.take());
        self.formulated.equations = bare;
        let ideal = self.generic_accelerations();
        self.formulated.equations = e;
        (self.solution, self.closed) = kept;
        let Some(ideal) = ideal else { return Ok(None) };
        let n = main.len();
        let mut entries = Vec::with_capacity(n);
        for i in 0..n {
            let mut sum = Expr::zero();
            for j in 0..n {
                let m = self.c.in_speeds(&full.mass[i][j]);
                sum = sum
                    + m * if whole {
                        &main[j] - &ideal[j]
                    } else {
                        ideal[j].clone()
                    };
            }
            if !whole {
                let f = &full.forcing[i] - &full.nonideal[i];
                sum = sum - self.c.in_speeds(&f);
            }
            entries.push(self.c.alg.define("force", sum));
        }
        let name = if whole {
            "nonideal_constraint_forces"
        } else {
            "ideal_constraint_forces"
        };
        Ok(Some(list(name, self.coordinate_names(""), entries)))
    }
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
        layout: Layout::Matrix,
        rows,
        columns,
        entries,
        note: String::new(),
        facts: Vec::new(),
    }
}
