//! What is compared: a state, and what a machine does there.

use super::dual::Dual;
use super::number::{EvalError, Number};

/// A state of a machine, in one arithmetic. Lists are in the model's order of declaration.
#[derive(Clone, Debug)]
pub struct State<N> {
    /// Time.
    pub t: N,
    /// Parameters.
    pub params: Vec<N>,
    /// States of first order.
    pub states: Vec<N>,
    /// Inputs.
    pub inputs: Vec<N>,
    /// Coordinates q.
    pub q: Vec<N>,
    /// Rates q', consistent with all constraints on velocities.
    pub rates: Vec<N>,
}

/// What a machine does in a state, from balances of linear and angular momentum.
#[derive(Clone, Debug)]
pub struct Dynamics<N> {
    /// Accelerations q''.
    pub accelerations: Vec<N>,
    /// A, one row per scalar constraint that is not identically `0 = 0`, in the order of the model; with the names of the rows.
    pub constraint_matrix: Vec<Vec<N>>,
    /// Names of the rows: `blade`, `axle.x`.
    pub rows: Vec<String>,
    /// Which rows are stated on accelerations: positions and velocities have nothing to meet there.
    pub of_accelerations: Vec<bool>,
    /// b
    pub constraint_rhs: Vec<N>,
    /// Constraints as stated, left side less right side.
    pub residuals: Vec<N>,
    /// The same at the level of velocities.
    pub velocity_residuals: Vec<N>,
    /// M in the coordinates.
    pub mass: Vec<Vec<N>>,
    /// Generalized active forces Q on the coordinates: loads, gravity, energies; without C, at zero reactions.
    pub applied: Vec<N>,
    /// Velocity terms h, so that F = Q - h.
    pub velocity_terms: Vec<N>,
    /// C of the non-ideal constraints on the coordinates.
    pub nonideal: Vec<N>,
    /// Phi, where loads depend on reactions: coordinates by rows.
    pub coupling: Option<Vec<Vec<N>>>,
    /// Ideal part Qi of the generalized constraint forces.
    pub ideal_forces: Vec<N>,
    /// Non-ideal part Qni.
    pub nonideal_forces: Vec<N>,
    /// Multipliers of the rows, those of least norm where they are not unique; with a non-ideal C those of
    /// `M q'' = F + C + A^T lambda`.
    pub multipliers: Vec<N>,
    /// Kinetic energy T.
    pub kinetic_energy: N,
    /// Potential energy V: that of gravity about the origin, of springs with a stiffness, and what is given.
    pub potential_energy: Option<N>,
    /// Gibbs function S, whole.
    pub gibbs_function: N,
    /// Values of all n speeds: declared ones in order, in terms of the rates; the rate of each.
    pub declared_speeds: Vec<(String, N, N)>,
    /// Masses of the particles and bodies in the order of the model.
    pub masses: Vec<N>,
    /// The weight and the loads at the centre of each body, three components each; nothing where these are not known.
    pub forces_at_centres: Vec<N>,
    /// Partial velocities of their mass centres by the rates: three rows for each, in the inertial frame.
    pub partial_velocities: Vec<Vec<N>>,
    /// Partial angular velocities of the rigid bodies likewise.
    pub partial_angular_velocities: Vec<Vec<N>>,
    /// Rates of the states of first order, where they have values.
    pub state_rates: Vec<Result<N, EvalError>>,
    /// Number of declared reactions.
    pub joints: usize,
    /// Outputs, then declared reactions of the model: name and value or components (in the inertial frame). One that this
    /// arithmetic does not have, or that has no value in this state, says so alone.
    pub outputs: Vec<(String, Result<Vec<N>, EvalError>)>,
}

impl<N> State<N> {
    /// The same in another arithmetic.
    pub fn map<T>(&self, f: &impl Fn(&N) -> T) -> State<T> {
        let all = |list: &[N]| list.iter().map(f).collect();
        State {
            t: f(&self.t),
            params: all(&self.params),
            states: all(&self.states),
            inputs: all(&self.inputs),
            q: all(&self.q),
            rates: all(&self.rates),
        }
    }
}

impl<N: Number> State<N> {
    /// The same with derivatives by the coordinates, which are the first of `count` variables.
    pub fn with_variable_coordinates(&self, count: usize) -> State<Dual<N>> {
        let mut state = self.map(&|x| Dual::fixed(x.clone()));
        for (k, q) in state.q.iter_mut().enumerate() {
            *q = Dual::variable(q.value.clone(), k, count);
        }
        state
    }
}
