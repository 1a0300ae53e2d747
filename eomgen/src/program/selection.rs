//! Which outputs a module holds: of those that every derivation has, the ones that are asked for. Knows names, and nothing of what they mean.

use std::collections::BTreeMap;

use super::Assembled;
use super::checks::drop_unused;
use crate::ir::{Function, Op, Part};

impl Assembled {
    /// Leaves out outputs, and the conditions that no other output checks.
    #[must_use]
    pub fn keep(mut self, is_held: impl Fn(&str) -> bool) -> Self {
        let before = self.outputs.len();
        self.outputs.retain(|output| is_held(&output.name));
        if self.outputs.len() == before {
            return self;
        }
        // What tells how close conditions are has an entry for each.
        if !self.outputs.iter().any(|output| output.name == "closeness") {
            drop_unused(&mut self.conditions, &mut self.outputs, true);
        }
        self.lower_orders();
        self
    }

    /// Asks the user's functions for no more derivatives than the outputs need.
    fn lower_orders(&mut self) {
        let bodies = (self.outputs.iter()).flat_map(|o| [Some(&o.body), o.quick.as_ref()]);
        let roots = bodies.flatten().flat_map(Function::roots);
        let live = self.graph.live(&roots.collect::<Vec<_>>());
        let mut orders: BTreeMap<u32, u8> = BTreeMap::new();
        for value in live {
            let Op::Jet { call, part } = self.graph.op(value) else {
                continue;
            };
            let order = match part {
                Part::Value => 0,
                Part::Gradient(_) => 1,
                Part::Hessian(..) => 2,
            };
            if let Op::Call { function, .. } = self.graph.op(*call) {
                let known = orders.entry(*function).or_default();
                *known = order.max(*known);
            }
        }
        for (function, order) in (0..).zip(&mut self.jet_orders) {
            *order = orders.get(&function).copied().unwrap_or(0).min(*order);
        }
    }
}
