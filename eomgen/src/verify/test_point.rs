//! Where the functions of a module are evaluated: a state of the machine, what it does there, and the same as the array that the
//! module takes. Everything here comes from the independent evaluation and the names in the module.

use super::dual::Dual;
use super::dynamics::{Dynamics, State};
use super::layout::Layout;
use super::linear;
use super::machine::{
    BodyBalances, Geometry, Identification, Machine, Supports, VelocityGradients,
};
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
    /// What a unit of each reaction between two sides holds, with its number among the declared ones.
    pub pairs: Vec<(usize, Supports<N>)>,
    /// Points, frames and momenta, where the module has something of them.
    pub geometry: Option<Geometry<N>>,
    /// The balances with other parameters, where the module has regressors.
    pub identification: Option<Identification<N>>,
    /// Inputs that the module finds, with their values and what the balances gain where each is larger by 1.
    pub actuators: Vec<(String, N, Vec<N>)>,
    /// The balances of the bodies, where the module has them.
    pub body_balances: Option<BodyBalances<N>>,
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
        let geometry = match &layout.sites {
            Some(names) => Some(machine.geometry(&state, names)?),
            None => None,
        };
        let identification = match &layout.identified {
            Some(identified) => Some(machine.identification(&state, identified)?),
            None => None,
        };
        let mut point = Self {
            geometry,
            identification,
            actuators: machine.actuators(&state, &layout.actuators)?,
            x: state.q.clone(),
            velocity_gradients,
            supports: None,
            pairs: Vec::new(),
            body_balances: None,
            number: 0,
            state,
            dynamics,
            gradients,
        };
        for name in &layout.independent {
            let speed = point.speed(layout, name)?;
            point.x.push(speed);
        }
        point.x.extend(point.state.states.iter().cloned());
        Ok(point)
    }

    /// The same with the matrix of the velocity terms.
    ///
    /// # Errors
    /// As [`Self::on`].
    pub fn with_coriolis(
        mut self,
        machine: &Machine<'_>,
        layout: &Layout,
    ) -> Result<Self, EvalError> {
        let coriolis = coriolis(machine, layout, &self)?;
        if let Some(geometry) = &mut self.geometry {
            geometry.coriolis = Some(coriolis);
        }
        Ok(self)
    }

    /// The same with what holds the bodies, and the values of the reactions between two sides.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn with_supports(
        mut self,
        machine: &Machine<'_>,
        layout: &Layout,
        seed: u64,
    ) -> Result<Self, EvalError> {
        let motion = (
            self.dynamics.accelerations.as_slice(),
            self.dynamics.multipliers.as_slice(),
        );
        let attachments = machine.attachments(seed)?;
        let supports = machine.supports(&self.state, motion, &attachments)?;
        self.pairs = machine.pairs(&self.state, &attachments)?;
        if !self.pairs.is_empty() && layout.pairs.len() == self.pairs.len() {
            let values = self.values_of_pairs(&layout.pairs, &supports)?;
            self.dynamics.outputs =
                machine.outputs_with_pairs(&self.state, &self.dynamics, &values)?;
        }
        self.supports = Some(supports);
        if layout.has_balances {
            let balances = machine.body_balances(&self.state, &self.dynamics, &attachments);
            self.body_balances = Some(balances?);
        }
        Ok(self)
    }

    /// The reactions between two sides, so that nothing else holds the bodies along the directions from which they follow.
    fn values_of_pairs(
        &self,
        along: &[String],
        supports: &Supports<N>,
    ) -> Result<Vec<(usize, N)>, EvalError> {
        let of = |supports: &Supports<N>, word: &String| {
            let unknown = || EvalError::Unsupported(format!("`FACTS` names no balance `{word}`"));
            supports.component(word).ok_or_else(unknown)
        };
        let mut matrix = Vec::with_capacity(along.len());
        let mut right = Vec::with_capacity(along.len());
        for word in along {
            let row = self.pairs.iter().map(|(_, unit)| of(unit, word));
            matrix.push(row.collect::<Result<Vec<N>, _>>()?);
            right.push(of(supports, word)?);
        }
        let values = linear::solve_square(&matrix, &right)?;
        let numbers = self.pairs.iter().map(|(j, _)| *j);
        Ok(numbers.zip(values).collect())
    }

    /// What holds a body along a direction, but for the reactions between two sides.
    ///
    /// # Errors
    /// If those are not known.
    pub fn held_besides_pairs(&self, along: &str) -> Result<Option<N>, EvalError> {
        let whole = self.supports.as_ref().and_then(|s| s.component(along));
        let Some(mut left) = whole else {
            return Ok(None);
        };
        let first = self.dynamics.outputs.len() - self.dynamics.joints;
        for (j, unit) in &self.pairs {
            let (Some((_, value)), Some(share)) =
                (self.dynamics.outputs.get(first + j), unit.component(along))
            else {
                return Ok(None);
            };
            if let [value] = value.clone()?.as_slice() {
                left = left.sub(&value.mul(&share));
            }
        }
        Ok(Some(left))
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

/// The matrix of the velocity terms: Christoffel's symbols of M in the coordinates, `C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) q_k'
/// + 1/2 dM_ij/dt`, and from these `H^T C H + H^T M H'` with the columns of H for unit speeds of the state.
fn coriolis<N: Number>(
    machine: &Machine<'_>,
    layout: &Layout,
    point: &TestPoint<N>,
) -> Result<Vec<Vec<N>>, EvalError> {
    let n = point.state.q.len();
    let mut moved = point.state.with_variable_coordinates(n + 1);
    moved.t = Dual::variable(point.state.t.clone(), n, n + 1);
    let quiet = Layout {
        has_coriolis: false,
        sites: None,
        identified: None,
        actuators: Vec::new(),
        has_transposition: false,
        ..layout.clone()
    };
    let moved = TestPoint::off(machine, &quiet, moved, None)?;
    let mass = &moved.dynamics.mass;
    let slope = |i: usize, j: usize, k: usize| mass[i][j].along(k);
    let mut symbols = vec![vec![N::int(0); n]; n];
    for (i, row) in symbols.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let mut sum = slope(i, j, n);
            for (k, rate) in point.state.rates.iter().enumerate() {
                let symbol = slope(i, j, k).add(&slope(i, k, j)).sub(&slope(j, k, i));
                sum = sum.add(&symbol.mul(rate));
            }
            *entry = sum.div(&N::int(2))?;
        }
    }
    let columns = moved.rates_by_speeds(&quiet, &layout.independent)?;
    let now = |e: &Dual<N>| e.value.clone();
    let rate = |e: &Dual<N>| {
        let along = point.state.rates.iter().enumerate();
        along.fold(e.along(n), |sum, (k, v)| sum.add(&e.along(k).mul(v)))
    };
    let mut forces = Vec::with_capacity(columns.len());
    for column in &columns {
        let own: Vec<N> = column.iter().map(now).collect();
        let rates: Vec<N> = column.iter().map(rate).collect();
        let turned = linear::times(&symbols, &own);
        forces.push(linear::add(
            &turned,
            &linear::times(&point.dynamics.mass, &rates),
        ));
    }
    let own = columns
        .iter()
        .map(|c| c.iter().map(now).collect::<Vec<N>>());
    Ok(own.map(|h| linear::times(&forces, &h)).collect())
}

/// A consistent state and one off the constraints, where there are some.
#[derive(Clone, Debug)]
pub struct TestPoints<N> {
    /// The consistent state.
    pub on: TestPoint<N>,
    /// The other one.
    pub off: Option<TestPoint<N>>,
}
