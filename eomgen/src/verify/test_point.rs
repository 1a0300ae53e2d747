//! Where the functions of a module are evaluated: a state of the machine, what it does there, and the same as the array that the
//! module takes. Everything here comes from the independent evaluation and the names in the module.

use super::dynamics::{Dynamics, State};
use super::layout::Layout;
use super::linear;
use super::machine::{Machine, Supports, VelocityGradients};
use super::number::{EvalError, Number};
use super::states::SolvedState;

/// A state and what is known of it.
#[derive(Clone, Debug)]
pub struct TestPoint<N> {
    /// The state.
    pub state: State<N>,
    /// What the machine does there.
    pub dynamics: Dynamics<N>,
    /// Gradients of the declared speeds.
    pub gradients: Vec<(String, Vec<N>)>,
    /// How they and the rows change with the coordinates, where the module has something that depends on it.
    pub velocity_gradients: Vec<VelocityGradients<N>>,
    /// What holds the bodies, where the module has reactions that do.
    pub supports: Option<Supports<N>>,
    /// The module's array.
    pub x: Vec<N>,
    /// A number of its own, from 1; 0 where nobody remembers it.
    pub number: usize,
}

impl<N: Number> TestPoint<N> {
    /// A consistent state.
    ///
    /// # Errors
    /// Why nothing can be said of it.
    pub fn on(
        machine: &Machine<'_>,
        layout: &Layout,
        solved: SolvedState<N>,
    ) -> Result<Self, EvalError> {
        let SolvedState { state, dynamics } = solved;
        let gradients = machine.speed_gradients(&state)?;
        let velocity_gradients = if layout.has_transposition {
            machine.velocity_gradients(&state)?
        } else {
            Vec::new()
        };
        let mut point = Self {
            x: state.q.clone(),
            velocity_gradients,
            supports: None,
            number: 0,
            state,
            dynamics,
            gradients,
        };
        for name in &layout.independent {
            let speed = point.speed(layout, name)?;
            point.x.push(speed);
        }
        Ok(point)
    }

    /// The same with what holds the bodies.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn with_supports(mut self, machine: &Machine<'_>, seed: u64) -> Result<Self, EvalError> {
        let motion = (
            self.dynamics.accelerations.as_slice(),
            self.dynamics.multipliers.as_slice(),
        );
        let attachments = machine.attachments(seed)?;
        self.supports = Some(machine.supports(&self.state, motion, &attachments)?);
        Ok(self)
    }

    /// A state that need not meet the constraints, with the module's array for it, where that does not follow from the state: the
    /// rates are then those that the module finds.
    ///
    /// # Errors
    /// Why nothing can be said of it.
    pub fn off(
        machine: &Machine<'_>,
        layout: &Layout,
        state: State<N>,
        x: Option<Vec<N>>,
    ) -> Result<Self, EvalError> {
        let dynamics = machine.kinematics(&state)?;
        let mut point = Self::on(machine, layout, SolvedState { state, dynamics })?;
        if let Some(x) = x {
            point.x = x;
        }
        Ok(point)
    }

    /// The value of a speed.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn speed(&self, layout: &Layout, name: &str) -> Result<N, EvalError> {
        let declared = self.dynamics.declared_speeds.iter().find(|s| s.0 == name);
        match declared {
            Some((_, value, _)) => Ok(value.clone()),
            None => match self.row(layout, name) {
                Some(row) => Ok(self.dynamics.velocity_residuals[row].clone()),
                None => self.by_rate(layout, name, &self.state.rates),
            },
        }
    }

    /// The rate of a speed.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn speed_rate(&self, layout: &Layout, name: &str) -> Result<N, EvalError> {
        let declared = self.dynamics.declared_speeds.iter().find(|s| s.0 == name);
        match declared {
            Some((_, _, rate)) => Ok(rate.clone()),
            None => match self.row(layout, name) {
                Some(row) => {
                    let a = &self.dynamics.constraint_matrix[row];
                    let left = linear::dot(a, &self.dynamics.accelerations);
                    Ok(left.sub(&self.dynamics.constraint_rhs[row]))
                }
                None => self.by_rate(layout, name, &self.dynamics.accelerations),
            },
        }
    }

    /// How a speed depends on the rates.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn gradient(&self, layout: &Layout, name: &str) -> Result<Vec<N>, EvalError> {
        if let Some((_, gradient)) = self.gradients.iter().find(|g| g.0 == name) {
            return Ok(gradient.clone());
        }
        if let Some(row) = self.row(layout, name) {
            return Ok(self.dynamics.constraint_matrix[row].clone());
        }
        self.by_rate(layout, name, &linear::identity(self.state.q.len()))
    }

    /// The row of whose residual this is the rate.
    fn row(&self, layout: &Layout, name: &str) -> Option<usize> {
        let of = name.strip_suffix('\'')?;
        if layout.coordinates.iter().any(|c| c == of) {
            return None;
        }
        self.dynamics.rows.iter().position(|row| row == of)
    }

    /// The entry of a list that belongs to the coordinate whose rate has this name.
    fn by_rate<T: Clone>(&self, layout: &Layout, name: &str, list: &[T]) -> Result<T, EvalError> {
        let of = name.strip_suffix('\'');
        let place = layout
            .coordinates
            .iter()
            .position(|c| Some(c.as_str()) == of);
        let found = place.and_then(|i| list.get(i)).cloned();
        found.ok_or_else(|| EvalError::Unsupported(format!("there is no speed `{name}`")))
    }

    /// The rates that belong to unit values of speeds, the others of them zero: columns of `q' = H u + ...`. Where there are
    /// fewer speeds than coordinates the constraints settle the rest.
    ///
    /// # Errors
    /// Where the speeds do not settle the rates.
    pub fn rates_by_speeds(
        &self,
        layout: &Layout,
        speeds: &[String],
    ) -> Result<Vec<Vec<N>>, EvalError> {
        let n = self.state.q.len();
        let gradients = speeds.iter().map(|name| self.gradient(layout, name));
        let mut rows = gradients.collect::<Result<Vec<_>, _>>()?;
        if speeds.len() < n {
            rows.extend(self.dynamics.constraint_matrix.iter().cloned());
        }
        let column = |k: usize| {
            let rhs: Vec<N> = (0..rows.len()).map(|i| N::int(i64::from(i == k))).collect();
            linear::solve_square(&rows, &rhs)
        };
        (0..speeds.len()).map(column).collect()
    }
}

/// A consistent state and one off the constraints, where there are some.
#[derive(Clone, Debug)]
pub struct TestPoints<N> {
    /// The consistent state.
    pub on: TestPoint<N>,
    /// The other one.
    pub off: Option<TestPoint<N>>,
}
