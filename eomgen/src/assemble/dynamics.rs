//! Inverse dynamics by recursion: the forces on the speeds that accelerations need, outward over velocities and accelerations and inward
//! over forces (Luh, Walker & Paul 1980). The full Newton-Euler system states both recursions; nothing is solved and no mass matrix formed.
//! Of small machines `M u' - f`, as the formulation states it, may take fewer operations, and is taken then.

use super::{Argument, Output, Work, group};
use crate::diag::Diagnostic;
use crate::diag::codes::quantities::E0586;
use crate::form::Space;
use crate::ir::{Slot, Value};
use crate::plan::{cheapest, recursions};

/// Names of these outputs.
pub(super) const INVERSE_DYNAMICS: &str = "inverse_dynamics";
pub(super) const BIAS_FORCES: &str = "bias_forces";

impl Work<'_> {
    /// Forces on the speeds that are missing to make their rates the given ones.
    pub(super) fn push_inverse_dynamics(
        &mut self,
        list: &mut Vec<Output>,
    ) -> Result<(), Vec<Diagnostic>> {
        let count = self.c.speeds.independent.len();
        let given: Vec<Value> = (0..count)
            .map(|i| {
                self.low.graph.input(Slot {
                    group: group::GIVEN,
                    index: i as u32,
                })
            })
            .collect();
        let values = self.missing_forces(&given)?;
        let docs = format!(
            "Inverse dynamics: the generalized forces on the speeds of the state which, added to the model's own loads, make the derivatives of these speeds equal to `u_dot`.{}",
            self.rows_note()
        );
        self.push_forces(list, INVERSE_DYNAMICS, &docs, values);
        if let Some(own) = list.last_mut() {
            own.arguments = vec![Argument {
                name: "u_dot".into(),
                group: group::GIVEN,
                length: count,
            }];
        }
        Ok(())
    }

    /// The same where no speed changes.
    pub(super) fn push_bias_forces(
        &mut self,
        list: &mut Vec<Output>,
    ) -> Result<(), Vec<Diagnostic>> {
        let still = vec![self.low.graph.zero(); self.c.speeds.independent.len()];
        let values = self.missing_forces(&still)?;
        let docs = format!(
            "Generalized forces on the speeds of the state which, added to the model's own loads, keep these speeds constant: `inverse_dynamics` at zero accelerations.{}",
            self.rows_note()
        );
        self.push_forces(list, BIAS_FORCES, &docs, values);
        Ok(())
    }

    fn rows_note(&self) -> &'static str {
        if self.c.has_rows(Space::SpeedRates) {
            " Constraint rows remain between these speeds: the result contains constraint forces."
        } else {
            ""
        }
    }

    fn push_forces(&mut self, list: &mut Vec<Output>, name: &str, docs: &str, values: Vec<Value>) {
        let speeds = self.c.speeds.independent.iter();
        let labels = speeds.map(|i| format!("force on {}", self.c.speeds.speeds[*i].name));
        let labels: Vec<String> = labels.collect();
        list.push(self.array(name, docs, labels, values));
        self.push_about(name);
    }

    fn missing_forces(&mut self, rates: &[Value]) -> Result<Vec<Value>, Vec<Diagnostic>> {
        let Some(full) = self.full_system(Space::SpeedRates) else {
            let first = self.c.system.coords.first();
            let span = first.map_or_else(Default::default, |q| q.meta.span);
            let title =
                "the loads of this model depend on reactions, which the forces to be found change";
            let error = Diagnostic::error(E0586, title, span, "of this model");
            return Err(vec![error.help("omit the output")]);
        };
        let mut ways = recursions(&mut self.low.graph, &full, rates);
        // Of few bodies the equations in the speeds take fewer operations than any recursion.
        ways.extend(self.forces_of_the_equations(rates));
        Ok(cheapest(&self.low.graph, ways).unwrap_or_default())
    }

    /// `M u' - f` of equations that are stated in the speeds, without rows.
    fn forces_of_the_equations(&mut self, rates: &[Value]) -> Option<Vec<Value>> {
        let e = self.formulated.equations.clone();
        if e.space != Space::SpeedRates || e.coupling.is_some() || e.mass.len() != rates.len() {
            return None;
        }
        let mut missing = Vec::with_capacity(rates.len());
        for (row, forcing) in e.mass.iter().zip(&e.forcing) {
            let mut sum = self.low.graph.zero();
            for (entry, rate) in row.iter().zip(rates) {
                let entry = self.low.lower(&self.c.alg, entry);
                let term = self.low.graph.mul(entry, *rate);
                sum = self.low.graph.add(sum, term);
            }
            let forcing = self.low.lower(&self.c.alg, forcing);
            missing.push(self.low.graph.sub(sum, forcing));
        }
        Some(missing)
    }
}
