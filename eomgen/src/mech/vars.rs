//! The pool symbols of a model, created in declaration order.

use crate::model::System;
use crate::model::system::{ConstraintRelation, Orientation, Scalar};
use crate::sym::{Algebra, Class, Expr, Var};

/// Symbols of a model's quantities.
#[derive(Clone, Debug)]
pub struct Vars {
    /// Time.
    pub time: Var,
    /// Parameters.
    pub params: Vec<Var>,
    /// States of first order.
    pub states: Vec<Var>,
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
    /// The coordinates among some symbols, with their numbers, in order. They are made one after another, and so in the order of the pool.
    pub fn coordinates_among(&self, symbols: &[Var]) -> Vec<(usize, Var)> {
        let number = |v: &Var| Some((self.coords.binary_search(v).ok()?, *v));
        symbols.iter().filter_map(number).collect()
    }

    /// Creates the symbols and tells the algebra what is assumed of their signs.
    pub fn create(alg: &mut Algebra, system: &System) -> Self {
        for f in &system.functions {
            alg.declare_function(&f.meta.name, &f.arg_names);
        }
        let params = system.params.iter();
        let params = params.map(|p| alg.base(&p.meta.name, Class::Parameter, p.sign));
        let params = params.collect();
        let states = system.states.iter();
        let states = states.map(|s| alg.base(&s.meta.name, Class::Input, None));
        let states = states.collect();
        let inputs = system.inputs.iter();
        let inputs = inputs.map(|i| alg.base(&i.meta.name, Class::Input, None));
        let inputs = inputs.collect();
        let time = alg.base("t", Class::Time, None);
        let mut of_coords = |dots: &str, class, signed: bool| -> Vec<Var> {
            let coords = system.coords.iter();
            coords
                .map(|c| {
                    alg.base(
                        &format!("{}{dots}", c.meta.name),
                        class,
                        c.sign.filter(|_| signed),
                    )
                })
                .collect()
        };
        let coords = of_coords("", Class::Coordinate, true);
        let rates = of_coords("'", Class::Speed, false);
        let rate_dots = of_coords("''", Class::Acceleration, false);
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
        let vars = Self {
            time,
            params,
            states,
            inputs,
            coords,
            rates,
            rate_dots,
            reactions,
            joints,
        };
        vars.declare_units(alg, system);
        vars
    }

    /// Whether it is an input or a state of first order: of these nothing but the value is known.
    pub fn is_external(&self, v: Var) -> bool {
        self.inputs.contains(&v) || self.states.contains(&v)
    }

    /// All of these.
    pub fn external(&self) -> Vec<Var> {
        self.inputs.iter().chain(&self.states).copied().collect()
    }

    /// The squares of quaternions that constraints keep at length 1.
    fn declare_units(&self, alg: &mut Algebra, system: &System) {
        for frame in &system.frames {
            let Some((_, Orientation::Quaternion { parts, unit: true })) = &frame.orientation
            else {
                continue;
            };
            let mut square = Expr::zero();
            for part in parts {
                if let Scalar::Coord(c) = part {
                    square = square + alg.var(self.coords[c.index()]).powi(2);
                }
            }
            alg.declare_unit(square);
        }
    }
}
