//! Where the functions of a module are evaluated: a state of the machine, what it does there, and the same as the array that the
//! module takes. Everything here comes from the independent evaluation and the names in the module.

use super::dynamics::{Dynamics, State};
use super::layout::Layout;
use super::number::{EvalError, Number};
use super::states::Point;
use super::text::routines;

/// The independent side: a machine at a state.
pub trait Mechanics<N> {
    /// What follows from coordinates and rates alone, which need not fulfil the constraints: rows, residuals, speeds, M,
    /// energies. The rest of the result is empty or zero.
    ///
    /// # Errors
    /// Why nothing can be said of the state.
    fn kinematics(&self, state: &State<N>) -> Result<Dynamics<N>, EvalError>;

    /// The partial derivatives of the declared speeds by the rates, in the order of their declaration.
    ///
    /// # Errors
    /// As [`kinematics`](Self::kinematics).
    fn speed_gradients(&self, state: &State<N>) -> Result<Vec<(String, Vec<N>)>, EvalError>;

    /// How the coefficients of the declared speeds and of the constraint rows change from place to place.
    ///
    /// # Errors
    /// As [`kinematics`](Self::kinematics).
    fn velocity_slopes(&self, state: &State<N>) -> Result<Vec<Slopes<N>>, EvalError>;
}

/// The derivatives of a velocity `J q' + j` that is linear in the rates.
#[derive(Clone, Debug)]
pub struct Slopes<N> {
    /// The speed's or the row's name.
    pub name: String,
    /// `dJ_L/dq_P` at `[L][P]`.
    pub by_coordinate: Vec<Vec<N>>,
    /// `dJ_L/dt`.
    pub by_time: Vec<N>,
    /// `dj/dq_P`.
    pub of_drift: Vec<N>,
}

impl<N> Slopes<N> {
    fn map<T>(&self, f: &impl Fn(&N) -> T) -> Slopes<T> {
        let all = |list: &[N]| list.iter().map(f).collect::<Vec<T>>();
        Slopes {
            name: self.name.clone(),
            by_coordinate: self.by_coordinate.iter().map(|row| all(row)).collect(),
            by_time: all(&self.by_time),
            of_drift: all(&self.of_drift),
        }
    }
}

/// A state and what is true of it.
#[derive(Clone, Debug)]
pub struct TestPoint<N> {
    /// The state.
    pub state: State<N>,
    /// What the machine does there.
    pub dynamics: Dynamics<N>,
    /// Gradients of the declared speeds.
    pub gradients: Vec<(String, Vec<N>)>,
    /// How they and the rows change from place to place, where the module has something that depends on it.
    pub slopes: Vec<Slopes<N>>,
    /// The module's array.
    pub x: Vec<N>,
}

impl<N: Number> TestPoint<N> {
    /// A state of which nothing is known.
    pub fn bare(state: State<N>, x: Vec<N>) -> Self {
        let none = Vec::new;
        let dynamics = Dynamics {
            accelerations: none(),
            constraint_matrix: Vec::new(),
            rows: Vec::new(),
            constraint_rhs: none(),
            residuals: none(),
            velocity_residuals: none(),
            mass: Vec::new(),
            applied: none(),
            velocity_terms: none(),
            nonideal: none(),
            coupling: None,
            ideal_forces: none(),
            nonideal_forces: none(),
            multipliers: none(),
            kinetic_energy: N::int(0),
            potential_energy: None,
            gibbs_function: N::int(0),
            declared_speeds: Vec::new(),
            masses: none(),
            partial_velocities: Vec::new(),
            partial_angular_velocities: Vec::new(),
            joints: 0,
            outputs: Vec::new(),
        };
        Self {
            state,
            dynamics,
            gradients: Vec::new(),
            slopes: Vec::new(),
            x,
        }
    }

    /// A consistent state.
    ///
    /// # Errors
    /// Why nothing can be said of it.
    pub fn on(
        machine: &impl Mechanics<N>,
        layout: &Layout,
        point: Point<N>,
    ) -> Result<Self, EvalError> {
        Self::of(machine, layout, point.state, point.dynamics)
    }

    /// A state that need not meet the constraints, with the module's array for it, where that does not follow from the state: the
    /// rates are then those that the module finds.
    ///
    /// # Errors
    /// Why nothing can be said of it.
    pub fn off(
        machine: &impl Mechanics<N>,
        layout: &Layout,
        state: State<N>,
        x: Option<Vec<N>>,
    ) -> Result<Self, EvalError> {
        let dynamics = machine.kinematics(&state)?;
        let mut point = Self::of(machine, layout, state, dynamics)?;
        if let Some(x) = x {
            point.x = x;
        }
        Ok(point)
    }

    fn of(
        machine: &impl Mechanics<N>,
        layout: &Layout,
        state: State<N>,
        dynamics: Dynamics<N>,
    ) -> Result<Self, EvalError> {
        let gradients = machine.speed_gradients(&state)?;
        let slopes = if layout.has_transposition {
            machine.velocity_slopes(&state)?
        } else {
            Vec::new()
        };
        let mut point = Self {
            slopes,
            x: Vec::new(),
            state,
            dynamics,
            gradients,
        };
        let speeds = layout
            .independent
            .iter()
            .map(|name| point.speed(layout, name));
        let speeds = speeds.collect::<Result<Vec<N>, _>>()?;
        point.x = point.state.q.iter().cloned().chain(speeds).collect();
        Ok(point)
    }

    /// The same in another arithmetic.
    pub fn map<T>(&self, f: &impl Fn(&N) -> T) -> TestPoint<T> {
        TestPoint {
            state: self.state.map(f),
            dynamics: self.dynamics.map(f),
            gradients: self
                .gradients
                .iter()
                .map(|(name, list)| (name.clone(), list.iter().map(f).collect()))
                .collect(),
            slopes: self.slopes.iter().map(|s| s.map(f)).collect(),
            x: self.x.iter().map(f).collect(),
        }
    }

    /// The value of a speed.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn speed(&self, layout: &Layout, name: &str) -> Result<N, EvalError> {
        let declared = self.dynamics.declared_speeds.iter().find(|s| s.0 == name);
        match declared {
            Some((_, value, _)) => Ok(value.clone()),
            None => self.by_rate(layout, name, &self.state.rates),
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
            None => self.by_rate(layout, name, &self.dynamics.accelerations),
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
        let n = self.state.q.len();
        let unit = |i: usize| {
            let entry = |j| N::int(i64::from(i == j));
            (0..n).map(entry).collect::<Vec<N>>()
        };
        let units: Vec<Vec<N>> = (0..n).map(unit).collect();
        self.by_rate(layout, name, &units)
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
            let solution = routines::solve(&rows, &rhs, n)?;
            if solution.consistent && solution.pivots.len() == n {
                Ok(solution.x)
            } else {
                Err(EvalError::Singular(
                    "the speeds do not settle the rates".into(),
                ))
            }
        };
        (0..speeds.len()).map(column).collect()
    }
}
