//! The pool symbols of a model, created in declaration order.

use crate::model::System;
use crate::model::system::ConstraintRelation;
use crate::sym::{Algebra, Class, Var};

/// Symbols of a model's quantities.
#[derive(Clone, Debug)]
pub struct Vars {
    /// Time.
    pub time: Var,
    /// Parameters.
    pub params: Vec<Var>,
    /// Inputs.
    pub inputs: Vec<Var>,
    /// Coordinates q.
    pub coords: Vec<Var>,
    /// Rates q'.
    pub rates: Vec<Var>,
    /// Accelerations q''.
    pub rate_dots: Vec<Var>,
    /// Multipliers by constraint, of those whose reaction is mentioned: one, or three for a vector constraint.
    pub reactions: Vec<Vec<Var>>,
    /// Declared reactions.
    pub joints: Vec<Var>,
}

impl Vars {
    /// Creates the symbols and tells the algebra what is assumed of their signs.
    pub fn create(alg: &mut Algebra, system: &System) -> Self {
        for f in &system.functions {
            alg.declare_function(&f.meta.name, &f.arg_names);
        }
        let params = system
            .params
            .iter()
            .map(|p| alg.base(&p.meta.name, Class::Parameter, p.sign))
            .collect();
        let inputs = system
            .inputs
            .iter()
            .map(|p| alg.base(&p.meta.name, Class::Input, None))
            .collect();
        let time = alg.base("t", Class::Time, None);
        let coords = system
            .coords
            .iter()
            .map(|c| alg.base(&c.meta.name, Class::Coordinate, c.sign))
            .collect();
        let rates = system
            .coords
            .iter()
            .map(|c| alg.base(&format!("{}'", c.meta.name), Class::Speed, None))
            .collect();
        let rate_dots = system
            .coords
            .iter()
            .map(|c| alg.base(&format!("{}''", c.meta.name), Class::Acceleration, None))
            .collect();
        let reactions = system
            .constraints
            .iter()
            .map(|c| {
                let name = &c.meta.name;
                let names: Vec<String> = match (&c.relation, c.reaction) {
                    (_, false) => Vec::new(),
                    (ConstraintRelation::Scalar { .. }, true) => vec![format!("reaction({name})")],
                    (ConstraintRelation::Vector { .. }, true) => ["x", "y", "z"]
                        .map(|axis| format!("reaction({name}.{axis})"))
                        .to_vec(),
                };
                let symbols = names.iter();
                symbols
                    .map(|n| alg.base(n, Class::Multiplier, None))
                    .collect()
            })
            .collect();
        let joints = system
            .joints
            .iter()
            .map(|j| alg.base(&j.meta.name, Class::Multiplier, None))
            .collect();
        Self {
            time,
            params,
            inputs,
            coords,
            rates,
            rate_dots,
            reactions,
            joints,
        }
    }
}
