//! Evaluation of the derived equations without compiling them.

use super::derivation::assembled;
use super::formula::{self, Place};
use super::{
    DeriveOptions, EvalInput, EvalOutput, EvalState, Failure, Numbers, Rates, Source, read_fixed,
};
use crate::catalogue;
use crate::catalogue::asked::Asked;
use crate::host::with_stack;
use crate::ir::interpret::{self, Host, Jet};
use crate::ir::{Function, Graph, Interface, Prepared, Program, Slot, Value};
use crate::model::System;
use crate::model::system::Scalar;
use crate::program::{Assembled, Output, Shape, group};
use std::cell::RefCell;

/// How far a residual may be from zero before it is worth a warning.
const TOLERATED: f64 = 1e-6;

/// The functions that follow a plan which presumes something, where there is one.
const QUICK: [&str; 3] = ["accelerations", "speed_rates", "derivative"];

/// Derived equations, ready to be evaluated at any number of states.
pub struct Evaluator {
    system: System,
    program: Program,
    assembled: Assembled,
    probe: Program,
    /// Quantities asked for by name.
    asked: Vec<String>,
}

/// Derives once for many states. `source_name` is the path that messages show.
pub fn evaluator(
    source_name: &str,
    text: &str,
    options: &DeriveOptions,
) -> Result<Evaluator, Failure> {
    evaluator_source(&Source::new(source_name, text), options)
}

/// [`evaluator`] for a model with parts.
pub fn evaluator_source(source: &Source, options: &DeriveOptions) -> Result<Evaluator, Failure> {
    let (system, _) = read_fixed(source, &options.set, &options.fix)?;
    of_system(system, options)
}

/// For a model that was read before.
pub(super) fn of_system(system: System, options: &DeriveOptions) -> Result<Evaluator, Failure> {
    let words = options.outputs.iter();
    let wanted: Vec<String> = words
        .filter_map(|word| Some(Asked::read(word).ok()?.output()))
        .collect();
    let mut assembled = with_stack(|| assembled(&system, options))?
        .map_err(|failure| failure.explained(&system.copies))?;
    // Those of the catalogue first, in its order, then derivatives.
    let standard = |name: &str| catalogue::STANDARD.iter().any(|q| q.name == name);
    let of = |chosen: &dyn Fn(&Output) -> bool| -> Vec<String> {
        let outputs = assembled.outputs.iter().filter(|o| chosen(o));
        outputs.map(|o| o.name.clone()).collect()
    };
    let is_wanted = |o: &Output| wanted.contains(&o.name);
    let mut asked = of(&|o| is_wanted(o) && !standard(&o.name));
    asked.extend(of(&|o| is_wanted(o) && standard(&o.name)));
    asked.extend(of(&|o| !is_wanted(o) && !o.needs.is_empty()));
    let graph = std::mem::take(&mut assembled.graph);
    let functions = assembled.outputs.iter().map(|o| o.body.clone()).collect();
    let program = Program {
        graph,
        interface: Interface::default(),
        functions,
    };
    let p = &mut assembled.probe;
    let graph = std::mem::take(&mut p.graph);
    let probe = Program {
        graph,
        interface: Interface::default(),
        functions: vec![
            p.speeds.clone(),
            p.residuals.clone(),
            p.velocity_residuals.clone(),
        ],
    };
    Ok(Evaluator {
        system,
        program,
        assembled,
        probe,
        asked,
    })
}

/// Evaluates the derived equations at one state. Names in `input` that the model does not have, and
/// missing ones, are refused.
pub fn eval(
    source_name: &str,
    text: &str,
    options: &DeriveOptions,
    input: &EvalInput,
) -> Result<EvalOutput, Failure> {
    eval_source(&Source::new(source_name, text), options, input)
}

/// [`eval`] for a model with parts.
pub fn eval_source(
    source: &Source,
    options: &DeriveOptions,
    input: &EvalInput,
) -> Result<EvalOutput, Failure> {
    let (system, _) = read_fixed(source, &options.set, &options.fix)?;
    // The state is checked before the work of deriving.
    input
        .resolve(&system)
        .map_err(|c| Failure::Message(c.join("\n")))?;
    evaluator_source(source, options)?.eval(input)
}

/// The name of a function of the module, and its numbers at a state.
pub type FunctionResult = (String, Result<Vec<f64>, Failure>);

/// How far a state is from the constraints.
#[derive(Default)]
struct Checked {
    residuals: Vec<f64>,
    warnings: Vec<String>,
}

/// The values of a state and the user's functions.
struct Setting<'a> {
    system: &'a System,
    t: f64,
    state: Vec<f64>,
    rates: Vec<f64>,
    /// Rates of the state's speeds, for the functions that take them.
    speed_rates: Vec<f64>,
    given: &'a EvalState,
    functions: &'a [Scalar],
    complaint: RefCell<Option<String>>,
}

impl Host for Setting<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        let list: &[f64] = match slot.group {
            group::TIME => return self.t,
            group::STATE => &self.state,
            group::PARAMS => &self.given.params,
            group::INPUTS => &self.given.inputs,
            group::GIVEN => &self.speed_rates,
            _ => &self.rates,
        };
        list.get(slot.index as usize).copied().unwrap_or(f64::NAN)
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let index = function as usize;
        let place = Place {
            system: self.system,
            t: self.t,
            params: &self.given.params,
            coords: &self.given.q,
            inputs: &self.given.inputs,
        };
        let result = self
            .functions
            .get(index)
            .ok_or_else(|| "a function is missing".to_string())
            .and_then(|f| formula::evaluate(&place, index, f, args));
        result.unwrap_or_else(|e| {
            let name = self
                .system
                .functions
                .get(index)
                .map_or("", |f| f.meta.name.as_str());
            self.complaint
                .borrow_mut()
                .get_or_insert(format!("function \"{name}\": {e}"));
            Jet {
                value: f64::NAN,
                gradient: vec![f64::NAN; args.len()],
                hessian: vec![f64::NAN; args.len() * args.len()],
            }
        })
    }
}

impl Evaluator {
    /// All results at a state.
    pub fn eval(&self, input: &EvalInput) -> Result<EvalOutput, Failure> {
        self.at(input, |host, checked| {
            let mut out = EvalOutput {
                warnings: checked.warnings,
                ..EvalOutput::default()
            };
            self.fill(&mut out, host)?;
            let names = self.assembled.probe.names.1.iter().cloned();
            out.constraint_residuals = names.zip(checked.residuals).collect();
            Ok(out)
        })
    }

    /// Every function of the generated module at a state, each with its numbers row by row or the reason
    /// why it has none.
    pub fn functions(&self, input: &EvalInput) -> Result<Vec<FunctionResult>, Failure> {
        self.at(input, |host, _| {
            let outputs = self.assembled.outputs.iter();
            let results = outputs.map(|o| (o.name.clone(), self.run(&self.program, &o.body, host)));
            Ok(results.collect())
        })
    }

    /// One function of the generated module with its arguments as plain numbers, entries of the groups of `group`; `None` if there
    /// is none of that name.
    pub fn call(&self, name: &str, host: &impl Host) -> Option<FunctionResult> {
        let found = self.assembled.outputs.iter().find(|o| o.name == name)?;
        let values = self.run(&self.program, &found.body, host);
        Some((found.name.clone(), values))
    }

    /// The state array of the generated module, by name.
    pub fn state(&self, input: &EvalInput) -> Result<Vec<(String, f64)>, Failure> {
        let names = self.assembled.state.iter().map(|s| s.name.clone());
        self.at(input, |host, _| {
            Ok(names.zip(host.state.iter().copied()).collect())
        })
    }

    /// What `work` makes of a state.
    fn at<T>(
        &self,
        input: &EvalInput,
        work: impl FnOnce(&Setting<'_>, Checked) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let given = input
            .resolve(&self.system)
            .map_err(|c| Failure::Message(c.join("\n")))?;
        let functions = self.formulas(&given)?;
        let mut host = Setting {
            system: &self.system,
            t: given.t,
            state: given.q.clone(),
            rates: Vec::new(),
            speed_rates: Vec::new(),
            given: &given,
            functions: &functions,
            complaint: RefCell::new(None),
        };
        let checked = self.checked(&given, &mut host)?;
        if self
            .assembled
            .outputs
            .iter()
            .any(|o| !o.arguments.is_empty())
        {
            // The rates that the model has by itself; a state without any has no such functions either.
            let own = self.output("derivative", &host)?.unwrap_or_default();
            let speeds = given.q.len()..own.len().saturating_sub(given.states.len());
            host.speed_rates = own.get(speeds).unwrap_or_default().to_vec();
        }
        let result = work(&host, checked)?;
        if let Some(complaint) = host.complaint.borrow_mut().take() {
            return Err(Failure::Message(complaint));
        }
        Ok(result)
    }

    /// Completes the state by its speeds, and says how far from the constraints it is.
    fn checked(&self, given: &EvalState, host: &mut Setting<'_>) -> Result<Checked, Failure> {
        let mut checked = Checked::default();
        let probe = &self.assembled.probe;
        match &given.rates {
            Rates::Coordinates(qd) => {
                host.rates = qd.clone();
                let speeds = self.run(&self.probe, &probe.speeds, host)?;
                checked.residuals = self.run(&self.probe, &probe.residuals, host)?;
                let velocity = self.run(&self.probe, &probe.velocity_residuals, host)?;
                for ((name, r), v) in probe.names.1.iter().zip(&checked.residuals).zip(&velocity) {
                    let off = v.abs().max(r.abs());
                    if off.is_nan() || off > TOLERATED {
                        checked.warnings.push(format!("the state violates constraint `{name}`: residual {r:e}, at velocity level {v:e}"));
                    }
                }
                host.state
                    .extend(probe.independent.iter().map(|i| speeds[*i]));
            }
            Rates::Speeds(values) => {
                for i in &probe.independent {
                    match probe.declared[*i] {
                        Some(d) => host.state.push(values[d]),
                        None => {
                            let name = &probe.names.0[*i];
                            return Err(Failure::Message(format!(
                                "the independent speed {name} is not a declared one; give \"qdot\" instead of \"speeds\""
                            )));
                        }
                    }
                }
                host.rates = self.output("rates", host)?.unwrap_or_default();
                checked.residuals = self.run(&self.probe, &probe.residuals, host)?;
            }
        }
        host.state.extend(&given.states);
        Ok(checked)
    }

    fn formulas(&self, given: &EvalState) -> Result<Vec<Scalar>, Failure> {
        let mut list = Vec::new();
        let mut complaints = Vec::new();
        for (f, text) in self.system.functions.iter().zip(&given.functions) {
            match crate::model::parse_scalar(&self.system, text) {
                Ok(s) => list.push(s),
                Err(d) => complaints
                    .extend(d.into_iter().map(|d| {
                        format!("function \"{}\" = \"{text}\": {}", f.meta.name, d.title)
                    })),
            }
        }
        if complaints.is_empty() {
            Ok(list)
        } else {
            Err(Failure::Message(complaints.join("\n")))
        }
    }

    fn fill(&self, out: &mut EvalOutput, host: &Setting<'_>) -> Result<(), Failure> {
        let coords: Vec<String> = self
            .system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
        let probe = &self.assembled.probe;
        let named = |names: &[String], values: Option<Vec<f64>>| -> Vec<(String, f64)> {
            names
                .iter()
                .cloned()
                .zip(values.unwrap_or_default())
                .collect()
        };
        out.qddot = named(&coords, self.output("accelerations", host)?);
        out.speeds_dot = named(&probe.names.0, self.output("speed_rates", host)?);
        if !self.system.states.is_empty() {
            let states = self.system.states.iter().map(|s| s.meta.name.clone());
            let states: Vec<String> = states.collect();
            let mut rates = self.output("derivative", host)?.unwrap_or_default();
            let own = rates.split_off(rates.len().saturating_sub(states.len()));
            out.states_dot = named(&states, Some(own));
        }
        out.multipliers = named(&probe.names.1, self.output("multipliers", host)?);
        let zeros = || Some(vec![0.0; coords.len()]);
        let ideal = self.output("ideal_constraint_forces", host)?;
        out.ideal_force = named(&coords, ideal.or_else(zeros));
        let nonideal = self.output("nonideal_constraint_forces", host)?;
        out.nonideal_force = named(&coords, nonideal.or_else(zeros));
        let first = |v: Option<Vec<f64>>| v.and_then(|v| v.first().copied());
        out.kinetic_energy = first(self.output("kinetic_energy", host)?);
        out.potential_energy = first(self.output("potential_energy", host)?);
        out.gibbs = first(self.output("gibbs_function", host)?);
        for o in &self.system.outputs {
            let name = &o.meta.name;
            let values = self.output(&format!("output_{name}"), host)?;
            out.outputs.push((name.clone(), values.unwrap_or_default()));
        }
        for j in &self.system.joints {
            let name = &j.meta.name;
            let values = self.output(&format!("output_{name}"), host)?;
            out.outputs.push((name.clone(), values.unwrap_or_default()));
        }
        for name in &self.asked {
            let shape = self.assembled.outputs.iter().find(|o| o.name == *name);
            let numbers = match (self.output(name, host)?, shape.map(|o| o.shape)) {
                (Some(v), Some(Shape::Array(_))) => Numbers::List(v),
                (Some(v), Some(Shape::Matrix(_, columns))) => {
                    Numbers::Matrix(v.chunks(columns.max(1)).map(<[f64]>::to_vec).collect())
                }
                (Some(v), Some(Shape::Scalar)) => {
                    v.first().map_or(Numbers::Absent, |v| Numbers::Scalar(*v))
                }
                _ => Numbers::Absent,
            };
            out.quantities.push((name.clone(), numbers));
        }
        let mass = self.output("mass_matrix", host)?.unwrap_or_default();
        let side = mass.len().isqrt().max(1);
        out.mass_matrix = mass.chunks(side).map(<[f64]>::to_vec).collect();
        Ok(())
    }

    fn output(&self, name: &str, host: &Setting<'_>) -> Result<Option<Vec<f64>>, Failure> {
        match self.assembled.outputs.iter().find(|o| o.name == name) {
            Some(o) => self.run(&self.program, &o.body, host).map(Some),
            None => Ok(None),
        }
    }

    fn run(
        &self,
        program: &Program,
        function: &Function,
        host: &impl Host,
    ) -> Result<Vec<f64>, Failure> {
        interpret::Evaluator::new(program, function)
            .run(host)
            .map_err(|f| match f {
                interpret::Failure::Singular {
                    condition,
                    value,
                    scale,
                } => {
                    let text = self
                        .assembled
                        .conditions
                        .get(condition as usize)
                        .map_or("a divisor vanishes", |c| c.text.as_str());
                    let name = &function.name;
                    // Exactly 0, whatever the scale is, or relative to it.
                    let closeness = if value == 0.0 {
                        0.0
                    } else {
                        (value / scale).abs()
                    };
                    Failure::Message(if closeness.is_nan() {
                        format!("{name}: a result is not a finite number")
                    } else {
                        format!("{name}: singular at this state: {text} (closeness {closeness:e})")
                    })
                }
                interpret::Failure::NotFinite => {
                    let name = &function.name;
                    Failure::Message(format!("{name}: a result is not a finite number"))
                }
                interpret::Failure::Routine { error, .. } => {
                    Failure::Message(format!("{}: {error} at this state", function.name))
                }
            })
    }

    /// Operations of each output by the plan that it follows at nearly all states, without those that depend on parameters alone: these are made once, see `Model` in the
    /// generated module.
    pub fn costs(&self) -> Vec<(String, crate::ir::Cost)> {
        let graph: &Graph = &self.program.graph;
        let prepared = Prepared::new(&[group::PARAMS]);
        let presumed = self.assembled.presumed.as_ref();
        let each = |o: &Output| {
            let quick = o
                .quick
                .as_ref()
                .filter(|_| QUICK.contains(&o.name.as_str()));
            let Some((quick, presumed)) = quick.zip(presumed) else {
                return prepared.count(graph, &o.body.outputs).1;
            };
            let roots: Vec<Value> = quick
                .outputs
                .iter()
                .copied()
                .chain([presumed.margin])
                .collect();
            prepared.count(graph, &roots).1
        };
        let outputs = self.assembled.outputs.iter();
        outputs.map(|o| (o.name.clone(), each(o))).collect()
    }

    /// Equations and remarks.
    pub fn documentation(&self) -> &crate::explain::Documentation {
        &self.assembled.documentation
    }

    /// Conditions under which outputs fail, as text.
    pub fn conditions(&self) -> Vec<String> {
        self.assembled
            .conditions
            .iter()
            .map(|c| c.text.clone())
            .collect()
    }
}
