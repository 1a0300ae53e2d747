//! A small program that checks a state given as q and q': the speeds it amounts to and the residuals
//! of the constraints.

use super::group;
use super::writer::bind_given;
use crate::form::Context;
use crate::ir::{Function, Graph, Slot};
use crate::lower::Lowering;
use crate::mech::constraints::Level;

/// Functions of q and q' (the latter in input group [`group::RATES`]).
#[derive(Clone)]
pub struct Probe {
    /// The instructions.
    pub graph: Graph,
    /// All n speeds.
    pub speeds: Function,
    /// Residuals of all rows as stated.
    pub residuals: Function,
    /// Residuals at velocity level.
    pub velocity_residuals: Function,
    /// Derivatives of the rows by the rates, row by row; of a constraint of positions by the coordinates.
    pub matrix: Function,
    /// At which level each row is stated: 0 for positions, 1 for velocities, 2 for accelerations.
    pub levels: Vec<u8>,
    /// Positions of the state's speeds among the n.
    pub independent: Vec<usize>,
    /// Names of all speeds and of all rows.
    pub names: (Vec<String>, Vec<String>),
    /// Declared speeds among the n (index into the model's speeds).
    pub declared: Vec<Option<usize>>,
}

impl Probe {
    /// Of a model.
    pub fn build(c: &mut Context<'_>) -> Self {
        let mut low = Lowering::new(c.system.functions.len());
        bind_given(&mut low, c);
        for (i, v) in c.vars.rates.clone().into_iter().enumerate() {
            let value = low.graph.input(Slot {
                group: group::RATES,
                index: i as u32,
            });
            low.bind(v, value);
        }
        let function = |name: &str, outputs| Function {
            name: name.into(),
            outputs,
            checks: Vec::new(),
        };
        let speeds = c
            .speeds
            .speeds
            .iter()
            .map(|s| low.lower(&c.alg, &s.definition))
            .collect();
        let residuals = c
            .constraints
            .rows
            .iter()
            .map(|r| match r.level {
                // Says nothing of a state.
                Level::Acceleration => low.graph.zero(),
                _ => low.lower(&c.alg, &r.residual),
            })
            .collect();
        let velocity = c
            .constraints
            .rows
            .iter()
            .map(|r| low.lower(&c.alg, &r.velocity))
            .collect();
        let rows = c.constraints.rows.iter();
        let matrix = rows.flat_map(|r| &r.a).map(|e| low.lower(&c.alg, e));
        let matrix = matrix.collect();
        let levels = c.constraints.rows.iter().map(|r| match r.level {
            Level::Position => 0,
            Level::Velocity => 1,
            Level::Acceleration => 2,
        });
        let levels = levels.collect();
        Self {
            graph: low.graph,
            speeds: function("speeds", speeds),
            residuals: function("residuals", residuals),
            velocity_residuals: function("velocity_residuals", velocity),
            matrix: function("matrix", matrix),
            levels,
            independent: c.speeds.independent.clone(),
            names: (
                c.speeds.speeds.iter().map(|s| s.name.clone()).collect(),
                c.constraints.rows.iter().map(|r| r.name.clone()).collect(),
            ),
            declared: c.speeds.speeds.iter().map(|s| s.declared).collect(),
        }
    }
}
