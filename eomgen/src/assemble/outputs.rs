//! The outputs of a generated module as values.

use super::Work;
use super::accelerations::without_nonideal;
use crate::diag::Diagnostic;
use crate::facts::Fact;
use crate::form::{Formulated, Space, solution};
use crate::ir::{Function, RoutineKind, Value};
use crate::mech::constraints::Level;
use crate::mech::value::Values;
use crate::model::system::Quantity;
use crate::plan::Reduced;
use crate::sym::Expr;

/// The shape of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Scalar,
    /// A vector.
    Array(usize),
    /// Rows by columns.
    Matrix(usize, usize),
}

/// One output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// `accelerations`
    pub name: String,
    /// What it is.
    pub docs: Vec<String>,
    /// Its shape.
    pub shape: Shape,
    /// What each entry is.
    pub labels: Vec<String>,
    /// Values and checks.
    pub body: Function,
    /// The condition to report where a routine fails.
    pub routine_condition: Option<u32>,
    /// What it takes beyond what all take.
    pub arguments: Vec<Argument>,
    /// Values without which it is not to be had, although it is not computed from them.
    pub needs: Vec<Value>,
    /// What its name does not say of it, as data.
    pub facts: Vec<Fact>,
}

/// An array that one output takes beside the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its group of inputs.
    pub group: u8,
    /// Its length.
    pub length: usize,
}

/// Accelerations, and rows whose multipliers enter loads with these.
type Ideal = (Vec<Value>, Vec<(usize, Value)>);

/// Name of the output.
const MASS_MATRIX: &str = "mass_matrix";

impl Work<'_> {
    /// All outputs.
    pub(super) fn outputs(&mut self) -> Result<Vec<Output>, Vec<Diagnostic>> {
        let mut list = Vec::new();
        let vars = self.c.vars.clone();
        let n = vars.coords.len();
        let coords: Vec<String> = self
            .c
            .system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
        let speeds: Vec<String> = self
            .c
            .speeds
            .speeds
            .iter()
            .map(|s| s.name.clone())
            .collect();
        let primed = |names: &[String], p: &str| -> Vec<String> {
            names.iter().map(|x| format!("{x}{p}")).collect()
        };
        let rates: Vec<Value> = vars
            .rates
            .iter()
            .map(|v| self.low.lower(&self.c.alg, &self.c.alg.var(*v)))
            .collect();
        let qdd = self.qdd.clone();
        let udots: Vec<Value> = self
            .c
            .speeds
            .speeds
            .iter()
            .map(|s| s.dot)
            .collect::<Vec<_>>()
            .iter()
            .map(|v| self.low.lower(&self.c.alg, &self.c.alg.var(*v)))
            .collect();

        self.push(
            &mut list,
            "accelerations",
            "Accelerations q''.",
            Shape::Array(n),
            primed(&coords, "''"),
            qdd,
        );
        self.push(
            &mut list,
            "speed_rates",
            "Rates u' of all speeds, the dependent ones included.",
            Shape::Array(n),
            primed(&speeds, "'"),
            udots.clone(),
        );
        self.push(
            &mut list,
            "rates",
            "Rates q' of the coordinates.",
            Shape::Array(n),
            primed(&coords, "'"),
            rates.clone(),
        );
        let independent = self.c.speeds.independent.clone();
        let mut both = rates;
        let mut labels = primed(&coords, "'");
        for i in &independent {
            both.push(udots[*i]);
            labels.push(format!("{}'", speeds[*i]));
        }
        let states = both.len();
        self.push(
            &mut list,
            "derivative",
            "Rate of the state, for an integrator: q' and the rates of the state's speeds.",
            Shape::Array(states),
            labels,
            both,
        );
        if !self.c.speeds.dependent.is_empty() {
            let values = Values {
                system: self.c.system,
                vars: &vars,
            };
            let set = self.c.speeds.clone();
            let dependent = set.dependent_values(&mut self.c.alg, &values);
            let labels: Vec<String> = dependent.iter().map(|(i, _)| speeds[*i].clone()).collect();
            let values: Vec<Value> = dependent
                .iter()
                .map(|(_, e)| self.low.lower(&self.c.alg, e))
                .collect();
            self.push(
                &mut list,
                "dependent_speeds",
                &format!("Dependent speeds {} from the state.", labels.join(", ")),
                Shape::Array(values.len()),
                labels.clone(),
                values,
            );
            state(&mut list, Fact::DependentSpeeds(labels));
        }
        self.mass_outputs(&mut list);
        self.constraint_outputs(&mut list)?;
        self.energy_outputs(&mut list)?;
        self.joint_outputs(&mut list)?;
        self.reactions_output(&mut list);
        self.user_outputs(&mut list)?;
        Ok(list)
    }

    pub(super) fn push(
        &mut self,
        list: &mut Vec<Output>,
        name: &str,
        docs: &str,
        shape: Shape,
        labels: Vec<String>,
        outputs: Vec<Value>,
    ) {
        let live = self.low.graph.live(&outputs);
        let kinds = live.iter().filter_map(|v| match self.low.graph.op(*v) {
            crate::ir::Op::Routine { kind, .. } => Some(*kind),
            _ => None,
        });
        // The main solve before auxiliary ones.
        let kind = kinds.max_by_key(|k| matches!(k, RoutineKind::Constrained { .. }));
        let routine_condition = kind.map(|k| self.routine_condition(k));
        list.push(Output {
            name: name.into(),
            docs: vec![docs.into()],
            shape,
            labels,
            body: Function {
                name: name.into(),
                outputs,
                checks: Vec::new(),
            },
            routine_condition,
            arguments: Vec::new(),
            needs: Vec::new(),
            facts: Vec::new(),
        });
    }

    /// M, unless it is [too large](Reduced), and f.
    fn mass_outputs(&mut self, list: &mut Vec<Output>) {
        let e = self.formulated.equations.clone();
        let names: Vec<String> = self
            .c
            .kinematics(e.space)
            .motion
            .speed_dots
            .iter()
            .map(|v| self.c.alg.info(*v).name.clone())
            .collect();
        let l = names.len();
        let (unknowns, rows) = (
            names.join(", "),
            if e.closure.is_some() {
                ", the constraint forces left out"
            } else {
                ""
            },
        );
        let Reduced { mass, forcing } = self.mass_and_forcing();
        let docs = format!("Mass matrix M of `M z' = f` with z' = ({unknowns}){rows}.");
        let belongs = if mass.len() == l * l {
            let labels = (0..l * l).map(|k| format!("mass[{}][{}]", k / l, k % l));
            let (labels, shape) = (labels.collect(), Shape::Matrix(l, l));
            self.push(list, MASS_MATRIX, &docs, shape, labels, mass);
            state(list, Fact::Unknowns(names.clone()));
            format!("that belongs to `{MASS_MATRIX}`")
        } else {
            self.remarks.push(format!(
                    "`{MASS_MATRIX}` with its {l} x {l} entries is left out; `--output {MASS_MATRIX}` writes it."
                ));
            format!("of `M z' = f` with z' = ({unknowns})")
        };
        let labels = names.iter().map(|n| format!("forcing of {n}")).collect();
        let prescribed = if self.c.system.nonideal.is_empty() {
            ""
        } else {
            ", the prescribed vector C of the non-ideal constraints included"
        };
        self.push(
            list,
            "forcing",
            &format!("Right-hand side f {belongs}{prescribed}."),
            Shape::Array(l),
            labels,
            forcing,
        );
        state(list, Fact::Unknowns(names));
    }

    fn constraint_outputs(&mut self, list: &mut Vec<Output>) -> Result<(), Vec<Diagnostic>> {
        let rows = self.c.constraints.rows.clone();
        if rows.is_empty() {
            return Ok(());
        }
        let coords: Vec<String> = self
            .c
            .system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
        let names: Vec<String> = rows.iter().map(|r| r.name.clone()).collect();
        let (m, n) = (rows.len(), coords.len());
        let a: Vec<Value> = rows
            .iter()
            .flat_map(|r| &r.a)
            .map(|e| self.low.lower(&self.c.alg, e))
            .collect();
        let labels = names
            .iter()
            .flat_map(|r| coords.iter().map(move |c| format!("{r} by {c}''")))
            .collect();
        self.push(
            list,
            "constraint_matrix",
            "Constraint matrix A of `A q'' = b`, one row per scalar constraint.",
            Shape::Matrix(m, n),
            labels,
            a.clone(),
        );
        let b: Vec<Value> = rows
            .iter()
            .map(|r| self.low.lower(&self.c.alg, &r.b))
            .collect();
        self.push(
            list,
            "constraint_rhs",
            "Right-hand side b of `A q'' = b`.",
            Shape::Array(m),
            names.clone(),
            b,
        );
        let residuals: Vec<Value> = rows
            .iter()
            .map(|r| self.low.lower(&self.c.alg, &r.residual))
            .collect();
        self.push(
            list,
            "constraint_residuals",
            "Residuals of the constraints as stated (left side less right side).",
            Shape::Array(m),
            names.clone(),
            residuals.clone(),
        );
        let velocity: Vec<Value> = rows
            .iter()
            .map(|r| self.low.lower(&self.c.alg, &r.velocity))
            .collect();
        self.push(
            list,
            "velocity_residuals",
            "Residuals of the constraints at velocity level: position constraints differentiated once, the others as stated.",
            Shape::Array(m),
            names.clone(),
            velocity.clone(),
        );
        let (lambda, ideal, nonideal) = self.constraint_forces(&a)?;
        self.multipliers.clone_from(&lambda);
        self.bind_reactions(&lambda);
        self.coupling_output(list, &names);
        self.push(
            list,
            "multipliers",
            "Multipliers of the constraint rows: `M q'' = F + C + A^T lambda`, of minimum norm where rows depend on one another.",
            Shape::Array(m),
            names,
            lambda,
        );
        let by = |p: &str| {
            coords
                .iter()
                .map(|c| format!("{p} on {c}"))
                .collect::<Vec<_>>()
        };
        self.push(
            list,
            "ideal_constraint_forces",
            "Ideal part of the generalized constraint forces, conjugate to the coordinates.",
            Shape::Array(n),
            by("force"),
            ideal,
        );
        if let Some(q) = nonideal {
            self.push(
                list,
                "nonideal_constraint_forces",
                "Non-ideal part of the generalized constraint forces (Udwadia & Kalaba 2002, 39), conjugate to the coordinates.",
                Shape::Array(n),
                by("force"),
                q,
            );
        }
        self.projection(list, &a, &residuals, &velocity)
    }

    /// Phi, where loads depend on reactions.
    fn coupling_output(&mut self, list: &mut Vec<Output>, names: &[String]) {
        let Some(coupling) = self.formulated.equations.coupling.clone() else {
            return;
        };
        let entries = coupling.iter().flatten();
        let values: Vec<Value> = entries.map(|e| self.low.lower(&self.c.alg, e)).collect();
        let coords = self.c.system.coords.iter();
        let labels = coords
            .flat_map(|c| {
                let by = move |r: &String| format!("force on {} by {r}", c.meta.name);
                names.iter().map(by)
            })
            .collect();
        self.push(
            list,
            "reaction_loads",
            "Matrix Phi of the loads that depend on reactions: `M q'' = f + Phi lambda + A^T lambda`, one column per constraint row.",
            Shape::Matrix(coupling.len(), names.len()),
            labels,
            values,
        );
    }

    /// One Newton step onto the constraints, of minimum norm.
    fn projection(
        &mut self,
        list: &mut Vec<Output>,
        a: &[Value],
        residuals: &[Value],
        velocity: &[Value],
    ) -> Result<(), Vec<Diagnostic>> {
        let rows = self.c.constraints.rows.clone();
        let (m, n) = (rows.len(), self.c.system.coords.len());
        let held: Vec<usize> = (0..m)
            .filter(|i| rows[*i].level == Level::Position)
            .collect();
        let mut state: Vec<Value> = self
            .c
            .vars
            .coords
            .clone()
            .iter()
            .map(|v| self.low.lower(&self.c.alg, &self.c.alg.var(*v)))
            .collect();
        if !held.is_empty() {
            let mut operands: Vec<Value> = held
                .iter()
                .flat_map(|i| a[i * n..(i + 1) * n].to_vec())
                .collect();
            operands.extend(held.iter().map(|i| residuals[*i]));
            let step = self.low.graph.routine(
                RoutineKind::MinimumNorm {
                    rows: held.len() as u32,
                    cols: n as u32,
                },
                &operands,
            );
            for (i, s) in state.iter_mut().enumerate() {
                let d = self.low.graph.element(step, i as u32);
                *s = self.low.graph.sub(*s, d);
            }
        }
        let speeds = self.c.speeds.clone();
        let mut values: Vec<Value> = speeds
            .independent
            .iter()
            .map(|i| {
                self.low
                    .lower(&self.c.alg, &self.c.alg.var(speeds.speeds[*i].var))
            })
            .collect();
        let moving: Vec<usize> = (0..m)
            .filter(|i| rows[*i].level != Level::Acceleration)
            .collect();
        if !speeds.reduced && !moving.is_empty() {
            let mut operands: Vec<Value> = moving
                .iter()
                .flat_map(|i| a[i * n..(i + 1) * n].to_vec())
                .collect();
            operands.extend(moving.iter().map(|i| velocity[*i]));
            let step = self.low.graph.routine(
                RoutineKind::MinimumNorm {
                    rows: moving.len() as u32,
                    cols: n as u32,
                },
                &operands,
            );
            let rates = self.c.vars.rates.clone();
            for (k, i) in speeds.independent.iter().enumerate() {
                for (j, r) in rates.iter().enumerate() {
                    let e = self.c.alg.partial(&speeds.speeds[*i].definition, *r);
                    if e.is_literal_zero() {
                        continue;
                    }
                    let jac = self.low.lower(&self.c.alg, &e);
                    let d = self.low.graph.element(step, j as u32);
                    let d = self.low.graph.mul(jac, d);
                    values[k] = self.low.graph.sub(values[k], d);
                }
            }
        }
        state.extend(values);
        let labels: Vec<String> = self
            .c
            .system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .chain(
                speeds
                    .independent
                    .iter()
                    .map(|i| speeds.speeds[*i].name.clone()),
            )
            .collect();
        self.push(
            list,
            "projection_step",
            "The state after one Newton step of minimum norm onto the constraints; repeat for a consistent start.",
            Shape::Array(state.len()),
            labels,
            state,
        );
        Ok(())
    }

    fn energy_outputs(&mut self, list: &mut Vec<Output>) -> Result<(), Vec<Diagnostic>> {
        let t = self.c.kinetic_energy(Space::Speeds);
        let t = self.low.lower(&self.c.alg, &t);
        self.push(
            list,
            "kinetic_energy",
            "Kinetic energy T.",
            Shape::Scalar,
            vec!["kinetic_energy".into()],
            vec![t],
        );
        if let Some(v) = self.c.potential_energy()? {
            let v = self.low.lower(&self.c.alg, &v);
            self.push(
                list,
                "potential_energy",
                if self.c.energies.is_some() {
                    "Potential energy V: of gravity, 0 at the origin, of springs, and those that the model states."
                } else {
                    "Potential energy V of gravity, 0 at the origin."
                },
                Shape::Scalar,
                vec!["potential_energy".into()],
                vec![v],
            );
        }
        let stated = self
            .c
            .energies
            .as_ref()
            .is_some_and(|e| e.kinetic.is_some());
        let s = self.c.gibbs_function(Space::Speeds);
        let s = self.low.lower(&self.c.alg, &s);
        self.push(
            list,
            "gibbs_function",
            if stated {
                "Gibbs function S: half the integral of the squared acceleration over the mass of the bodies, and of the stated kinetic energy `q''.M q''/2 + h.q''` (Lagrange's operator on it being `M q'' + h`), at the actual accelerations."
            } else {
                "Gibbs function S, half the integral of the squared acceleration over the mass, at the actual accelerations."
            },
            Shape::Scalar,
            vec!["gibbs_function".into()],
            vec![s],
        );
        Ok(())
    }

    fn user_outputs(&mut self, list: &mut Vec<Output>) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for o in &self.c.system.outputs {
            let (alg, values, k, _) = self.c.parts(Space::Rates);
            let name = &o.meta.name;
            let result = match &o.value {
                Quantity::Scalar(s) => values.scalar(alg, k, s).map(|e| (Shape::Scalar, vec![e])),
                Quantity::Vector(v) => values.vector(alg, k, v).map(|v| {
                    (
                        Shape::Array(3),
                        k.components(alg, &v, crate::model::system::FrameId(0), name)
                            .to_vec(),
                    )
                }),
            };
            match result {
                Err(f) => errors.push(f.at(o.meta.span)),
                Ok((shape, exprs)) => {
                    let exprs: Vec<Expr> = exprs
                        .into_iter()
                        .map(|e| self.c.alg.define(name, e))
                        .collect();
                    let values = self.low.lower_all(&self.c.alg, &exprs);
                    let docs = if o.meta.docs.is_empty() {
                        format!("Output `{name}` of the model.")
                    } else {
                        o.meta.docs.clone()
                    };
                    let docs = with_unit(&docs, o.meta.unit.as_deref());
                    self.push(
                        list,
                        &format!("output_{name}"),
                        &docs,
                        shape,
                        vec![name.clone(); values.len()],
                        values,
                    );
                    state(list, Fact::Output(name.clone()));
                }
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Accelerations of the ideal problem (without C), and its multipliers that enter loads.
    pub(super) fn ideal_accelerations(&mut self) -> Result<Ideal, Vec<Diagnostic>> {
        let e = without_nonideal(&self.formulated.equations, &mut self.c.alg);
        let ideal = Formulated {
            equations: e.clone(),
            ..self.formulated.clone()
        };
        if let Some(s) = solution::solve(&mut self.c, &ideal, self.definite)
            && self.closed.is_some()
        {
            let exprs: Vec<Expr> = s.unknowns.iter().map(|u| self.c.in_speeds(u)).collect();
            let z = self.low.lower_all(&self.c.alg, &exprs);
            let rows: Vec<usize> = self.load_multipliers().iter().map(|x| x.0).collect();
            let own = match &s.multipliers {
                Some(list) => self.entering_from(list, &rows),
                None => Vec::new(),
            };
            return Ok((self.accelerations_from(&z), own));
        }
        let main = std::mem::take(&mut self.entering);
        let route = self.route.clone();
        let z = self.unknowns(&e, &e.forcing.clone())?;
        self.route = route;
        let own = std::mem::replace(&mut self.entering, main);
        Ok((self.accelerations_from(&z), own))
    }
}

/// Adds a fact to the last output.
pub(super) fn state(list: &mut [Output], fact: Fact) {
    if let Some(output) = list.last_mut() {
        output.facts.push(fact);
    }
}

/// A text with a unit in parentheses at its end, before the full stop.
fn with_unit(docs: &str, unit: Option<&str>) -> String {
    let unit = match unit {
        None | Some("") => return docs.to_string(),
        Some("1") => "dimensionless".to_string(),
        Some(unit) => format!("`{unit}`"),
    };
    match docs.trim_end().strip_suffix('.') {
        Some(docs) => format!("{docs} ({unit})."),
        None => format!("{} ({unit})", docs.trim_end()),
    }
}
