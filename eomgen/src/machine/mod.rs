//! A derived machine as plain data that can be written down, sent to another process and run there: names, units, defaults, and every
//! function that a motion needs as a [tape](crate::ir::tape).
//!
//! It knows nothing of how equations are derived, of integrators or of pictures. [`Mechanism`] is a machine with its parameters, ready to
//! be evaluated.

mod mechanism;
pub mod scene;

use serde::{Deserialize, Serialize};

pub use mechanism::{Fault, Mechanism, Start};

use crate::ir::tape::Tape;
use scene::Scene;

/// The group of inputs of a tape that is time, and the one that is the state: the order in which a [`Mechanism`] gives them.
const TIME: u8 = 0;
const STATE: u8 = 1;

/// A quantity with a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// As the model calls it; a rate has a prime.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Its doc comment.
    pub docs: String,
}

/// A parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Name, unit, docs.
    pub named: Named,
    /// Its default in SI units.
    pub default: Option<f64>,
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// Entry of [`Machine::inputs_by_expression`].
    Expression(usize),
    /// Straight lines between the rows of a table; outside of it the first and the last value.
    Table {
        /// Increasing.
        times: Vec<f64>,
        /// One for each time.
        values: Vec<f64>,
    },
    /// Nothing was said: 0.
    Nothing,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Name, unit, docs.
    pub named: Named,
    /// Where it comes from.
    pub source: Source,
}

/// A scalar constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name, with the component.
    pub name: String,
    /// At which level it is stated: 0 for positions, 1 for velocities, 2 for accelerations.
    pub level: u8,
}

/// An expression that is followed along the motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// How it was written.
    pub text: String,
    /// Its unit, if known.
    pub unit: Option<String>,
}

/// An event: where an expression passes through 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its name, or how it was written.
    pub name: String,
    /// Which way.
    pub direction: Direction,
    /// Whether the motion ends there.
    pub ends: bool,
}

/// Which way an expression passes through 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// From below.
    Rising,
    /// From above.
    Falling,
    /// Either.
    Both,
}

/// A number given from outside, which may depend on parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Of what: a parameter, a coordinate or a speed.
    pub name: String,
    /// The number.
    pub tape: Tape,
}

/// A quantity that keeps its value along every motion: a momentum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conserved {
    /// `p_theta`
    pub name: String,
    /// The coordinate that it belongs to.
    pub coordinate: usize,
}

/// Functions of time, coordinates and rates, the latter as the group of inputs of that name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// All speeds.
    pub speeds: Tape,
    /// The rows as stated.
    pub residuals: Tape,
    /// The rows as conditions on rates.
    pub velocity_residuals: Tape,
    /// Derivatives of the rows by the rates, row by row; of a constraint of positions by the coordinates.
    pub matrix: Tape,
}

/// What the audit compares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// T.
    pub kinetic: Tape,
    /// V, if there is one.
    pub potential: Option<Tape>,
    /// Whether it depends on inputs or on time: its change is not what its forces have taken then.
    pub potential_varies: bool,
    /// Whether V accounts for all loads: their work is not summed up then.
    pub conservative: bool,
    /// M of the coordinates, row by row, if the energy is to be compared with the work.
    pub mass: Option<Tape>,
    /// Generalized forces conjugate to the coordinates whose power is the change of T: those that are applied, and those of the
    /// constraints, each a list; empty lists for those that are not there.
    pub forces: Vec<(String, Tape)>,
    /// Momenta that are constant.
    pub conserved: Vec<Conserved>,
}

/// Derivatives of what a linear model is made of, each row by row: by the state, by the inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slopes {
    /// Of the state's rate.
    pub derivative: Tape,
    /// Of the residuals.
    pub residuals: Tape,
    /// Of the inputs that are expressions.
    pub inputs: Tape,
    /// Of what is followed.
    pub watch: Tape,
}

/// A machine, derived.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The model's name.
    pub name: String,
    /// Its doc comment.
    pub docs: String,
    /// Coordinates.
    pub coords: Vec<Named>,
    /// Where the model says that they start, in SI units.
    pub initial: Vec<Option<f64>>,
    /// The same of their rates.
    pub initial_rates: Vec<Option<f64>>,
    /// What the model assumes of their signs: `> 0`.
    pub signs: Vec<Option<String>>,
    /// All speeds, as many as coordinates.
    pub speeds: Vec<Named>,
    /// Where the model says that they start.
    pub initial_speeds: Vec<Option<f64>>,
    /// Those in the state.
    pub independent: Vec<usize>,
    /// States of first order, which are in the state after the speeds.
    pub states: Vec<Named>,
    /// Where the model says that they start.
    pub initial_states: Vec<Option<f64>>,
    /// Parameters.
    pub params: Vec<Parameter>,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// The rows of the constraints.
    pub rows: Vec<Row>,
    /// What the conditions that functions check are.
    pub conditions: Vec<String>,
    /// The user's functions.
    pub functions: Vec<Tape>,
    /// Inputs that are expressions, in their order.
    pub inputs_by_expression: Vec<Tape>,
    /// Rate of the state.
    pub derivative: Tape,
    /// Rates of the coordinates.
    pub rates: Tape,
    /// A step of the state towards the constraints, if there are any that it can violate.
    pub projection: Option<Tape>,
    /// Residuals of the constraints as stated, then as conditions on velocities.
    pub residuals: Tape,
    /// How far each condition is from failing; entries are those of `closeness_of`.
    pub closeness: Option<Tape>,
    /// What they belong to.
    pub closeness_of: Vec<String>,
    /// Functions of rates.
    pub probe: Probe,
    /// Energies and forces.
    pub balance: Balance,
    /// What is followed.
    pub watched: Vec<Watched>,
    /// Their values, then those of the model's outputs.
    pub watch: Tape,
    /// Events.
    pub events: Vec<Event>,
    /// What passes through 0.
    pub event_values: Tape,
    /// The model's own outputs: names, and how many numbers each has.
    pub outputs: Vec<(Named, usize)>,
    /// Values given from outside: of parameters, and of coordinates and speeds.
    pub given: Vec<Value>,
    /// Values that operating points are to have.
    pub held: Vec<Value>,
    /// What is drawn.
    pub scene: Scene,
    /// Derivatives, if they were asked for.
    pub slopes: Option<Slopes>,
    /// Multipliers of the rows, where there are rows.
    pub multipliers: Option<Tape>,
}

impl Machine {
    /// The names of the state's entries.
    pub fn state_names(&self) -> Vec<&str> {
        self.state().map(|n| n.name.as_str()).collect()
    }

    /// The state's entries.
    pub fn state(&self) -> impl Iterator<Item = &Named> {
        let speeds = self.independent.iter().map(|i| &self.speeds[*i]);
        self.coords.iter().chain(speeds).chain(&self.states)
    }

    /// Whether an input is an expression in the state.
    pub fn follows_state(&self, input: usize) -> bool {
        match self.inputs[input].source {
            Source::Expression(at) => self.inputs_by_expression[at].reads(STATE).next().is_some(),
            Source::Table { .. } | Source::Nothing => false,
        }
    }

    /// Whether the rate of a state, an input or a residual depends on time.
    pub fn follows_time(&self) -> bool {
        let own = [&self.derivative, &self.residuals].into_iter();
        let mut tapes = own.chain(&self.inputs_by_expression);
        let table = |i: &Input| matches!(i.source, Source::Table { .. });
        tapes.any(|tape| tape.reads(TIME).next().is_some()) || self.inputs.iter().any(table)
    }

    /// Length of the state.
    pub fn states(&self) -> usize {
        self.coords.len() + self.independent.len() + self.states.len()
    }

    /// The state array at a start: coordinates, the speeds of the state, states of first order.
    pub fn state_array(&self, start: &Start) -> Vec<f64> {
        let speeds = self.independent.iter().map(|i| &start.speeds[*i]);
        let all = start.q.iter().chain(speeds).chain(&start.states);
        all.copied().collect()
    }
}
