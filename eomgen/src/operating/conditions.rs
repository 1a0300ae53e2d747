//! What holds at an operating point, as functions of the state and of the inputs that are free: constraints, rates that vanish, values that
//! are asked for.

use crate::diag::suggest;
use crate::machine::{Fault, Machine, Mechanism, Named, Start};

/// Something that has a number at an operating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A parameter.
    Param(usize),
    /// An input.
    Input(usize),
    /// A coordinate.
    Coord(usize),
    /// A speed, of the state or not.
    Speed(usize),
    /// A state of first order.
    State(usize),
}

impl Quantity {
    /// By its name.
    ///
    /// # Errors
    /// That there is nothing of that name.
    pub fn named(machine: &Machine, name: &str) -> Result<Self, String> {
        let named = |list: &[Named]| list.iter().position(|n| n.name == name);
        let params: Vec<Named> = machine.params.iter().map(|p| p.named.clone()).collect();
        let inputs: Vec<Named> = machine.inputs.iter().map(|i| i.named.clone()).collect();
        let found = named(&machine.coords).map(Self::Coord);
        let found = found.or_else(|| named(&machine.speeds).map(Self::Speed));
        let found = found.or_else(|| named(&machine.states).map(Self::State));
        let found = found.or_else(|| named(&inputs).map(Self::Input));
        if let Some(found) = found.or_else(|| named(&params).map(Self::Param)) {
            return Ok(found);
        }
        let known = machine.coords.iter().chain(&machine.speeds);
        let known = known.chain(&machine.states);
        let known = known.chain(&inputs).chain(&params);
        let all = known.map(|n| n.name.as_str());
        let coords: Vec<&str> = machine.coords.iter().map(|c| c.name.as_str()).collect();
        Err(match suggest::closest(name, all) {
            Some(near) => format!("there is nothing called \"{name}\"; did you mean \"{near}\"?"),
            None => format!(
                "there is nothing called \"{name}\"; the machine has {}",
                coords.join(", ")
            ),
        })
    }

    /// Its name.
    pub fn name(self, machine: &Machine) -> &str {
        match self {
            Self::Param(i) => &machine.params[i].named.name,
            Self::Input(i) => &machine.inputs[i].named.name,
            Self::Coord(i) => &machine.coords[i].name,
            Self::Speed(i) => &machine.speeds[i].name,
            Self::State(i) => &machine.states[i].name,
        }
    }
}

/// What is asked of an operating point beside the constraints and the equations of motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Values that are prescribed.
    pub held: Vec<(Quantity, f64)>,
    /// Inputs that are unknown.
    pub free: Vec<usize>,
    /// Coordinates that may turn at a constant rate.
    pub turning: Vec<usize>,
}

/// The conditions, ready to be evaluated. The unknowns are the entries of the state and the free inputs.
pub struct Conditions<'m> {
    /// The machine with its parameters.
    pub mechanism: Mechanism<'m>,
    /// What is asked.
    pub asked: Asked,
    /// The unknowns at the start.
    pub start: Vec<f64>,
    time: f64,
    rows: Vec<String>,
}

/// Derivatives by differences: the step in a number of size 1, which balances what is cut off with what is rounded.
const STEP: f64 = 6e-6;

impl<'m> Conditions<'m> {
    /// At a start.
    pub fn new(machine: &'m Machine, params: Vec<f64>, start: &Start, asked: Asked) -> Self {
        let mut params = params;
        let mut begin = start.clone();
        for (quantity, value) in &asked.held {
            match quantity {
                Quantity::Param(i) => params[*i] = *value,
                Quantity::Coord(i) => begin.q[*i] = *value,
                Quantity::Speed(i) => begin.speeds[*i] = *value,
                Quantity::State(i) => begin.states[*i] = *value,
                Quantity::Input(_) => {}
            }
        }
        let mut mechanism = Mechanism::new(machine, params);
        let mut unknowns = machine.state_array(&begin);
        // What an input is by what is said of it is the guess where it is free.
        let _ = mechanism.set_inputs(start.time, &unknowns);
        unknowns.extend(asked.free.iter().map(|i| mechanism.inputs()[*i]));
        for (quantity, value) in &asked.held {
            if let Quantity::Input(i) = quantity {
                mechanism.hold_input(*i, *value);
            }
        }
        let mut conditions = Self {
            mechanism,
            asked,
            start: unknowns,
            time: start.time,
            rows: Vec::new(),
        };
        conditions.rows = conditions.names();
        conditions
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.mechanism.machine
    }

    /// The moment.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// What is unknown, by name.
    pub fn unknown(&self, at: usize) -> &'m str {
        let machine = self.machine();
        let states = machine.states();
        if at < states {
            return machine.state_names()[at];
        }
        &machine.inputs[self.asked.free[at - states]].named.name
    }

    /// What each function is called.
    pub fn row(&self, at: usize) -> &str {
        &self.rows[at]
    }

    /// Which unknowns are free.
    pub fn free(&self) -> Vec<usize> {
        let n = self.machine().coords.len();
        let moving = n + self.machine().independent.len();
        let held = |i: usize| {
            self.asked.turning.contains(&i)
                || self.asked.held.iter().any(|(quantity, _)| match quantity {
                    Quantity::Coord(c) => *c == i,
                    Quantity::Speed(s) => {
                        let own = self.machine().independent.iter().position(|k| k == s);
                        own.is_some_and(|k| n + k == i)
                    }
                    Quantity::State(k) => moving + k == i,
                    _ => false,
                })
        };
        (0..self.start.len()).filter(|i| !held(*i)).collect()
    }

    fn names(&self) -> Vec<String> {
        let machine = self.machine();
        let n = machine.coords.len();
        let speeds = n..n + machine.independent.len();
        let mut names: Vec<String> = Vec::new();
        if !machine.rows.is_empty() {
            names.extend(machine.rows.iter().map(|r| r.name.clone()));
            names.extend(machine.rows.iter().map(|r| format!("rate of {}", r.name)));
        }
        let rates = machine.state_names().into_iter().enumerate();
        let vanishing = rates.filter(|(i, _)| *i >= n || !self.asked.turning.contains(i));
        names.extend(vanishing.map(|(i, name)| match speeds.contains(&i) {
            true => format!("({name})' = 0"),
            false => format!("{name}' = 0"),
        }));
        let asked = self.equations();
        names.extend(asked.map(|(s, value)| format!("{} = {value}", machine.speeds[s].name)));
        names
    }

    /// Speeds that are prescribed and are not entries of the state.
    fn equations(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let independent = &self.machine().independent;
        self.asked
            .held
            .iter()
            .filter_map(move |(quantity, value)| match quantity {
                Quantity::Speed(s) if !independent.contains(s) => Some((*s, *value)),
                _ => None,
            })
    }

    /// Takes over the free inputs from the unknowns.
    pub fn hold(&mut self, unknowns: &[f64]) {
        let states = self.machine().states();
        for (k, input) in self.asked.free.iter().enumerate() {
            self.mechanism.hold_input(*input, unknowns[states + k]);
        }
    }

    /// The functions.
    ///
    /// # Errors
    /// The condition that fails.
    pub fn residuals(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, Fault> {
        let machine = self.machine();
        let (n, states) = (machine.coords.len(), machine.states());
        self.hold(unknowns);
        let state = &unknowns[..states];
        let mut rate = vec![0.0; states];
        self.mechanism.derivative(self.time, state, &mut rate)?;
        let mut found = Vec::new();
        if !machine.rows.is_empty() {
            let tape = &machine.residuals;
            let all = self.mechanism.numbers(tape, self.time, state, &[]);
            let levels = machine.rows.iter().chain(&machine.rows);
            // Rows of accelerations say nothing of a state.
            let residuals = all.iter().zip(levels);
            found.extend(residuals.map(|(x, row)| if row.level == 2 { 0.0 } else { *x }));
        }
        let vanishing = rate.iter().enumerate();
        let turning = &self.asked.turning;
        let vanishing = vanishing.filter(|(i, _)| *i >= n || !turning.contains(i));
        found.extend(vanishing.map(|(_, x)| *x));
        let asked: Vec<(usize, f64)> = self.equations().collect();
        if !asked.is_empty() {
            let speeds = self.speeds(state, &rate[..n]);
            found.extend(asked.iter().map(|(s, value)| speeds[*s] - value));
        }
        Ok(found)
    }

    /// All speeds at a state with its rates.
    pub fn speeds(&mut self, state: &[f64], rates: &[f64]) -> Vec<f64> {
        let tape = &self.machine().probe.speeds;
        self.mechanism.numbers(tape, self.time, state, rates)
    }

    /// The functions and their derivatives by all unknowns, row by row; zeros in the columns of what is held.
    pub fn linearized(&mut self, unknowns: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let count = self.rows.len();
        let nothing = vec![f64::NAN; count];
        let here = self.residuals(unknowns).unwrap_or_else(|_| nothing.clone());
        let columns = unknowns.len();
        let mut slopes = vec![0.0; count * columns];
        let mut beside = unknowns.to_vec();
        for k in self.free() {
            let step = STEP * unknowns[k].abs().max(1.0);
            let mut at = |x: f64| {
                beside[k] = x;
                self.residuals(&beside).ok()
            };
            let (after, before) = (at(unknowns[k] + step), at(unknowns[k] - step));
            beside[k] = unknowns[k];
            for i in 0..count {
                let value = |list: &Option<Vec<f64>>| list.as_ref().map(|l| l[i]);
                slopes[i * columns + k] = match (value(&after), value(&before)) {
                    (Some(a), Some(b)) => (a - b) / (2.0 * step),
                    (Some(a), None) => (a - here[i]) / step,
                    (None, Some(b)) => (here[i] - b) / step,
                    (None, None) => f64::NAN,
                };
            }
        }
        (here, slopes)
    }
}
