//! Passes over the instructions of all outputs together, once they are there: opposites computed once, common factors, reciprocals.
//! Knows nothing of what the outputs mean.

use super::{Assembled, group};
use crate::ir::{Graph, Interface, Options, Program, RECIPROCAL, optimise_with};

/// What an integrator evaluates at every step.
const FIRST: [&str; 3] = ["accelerations", "derivative", "speed_rates"];

impl Assembled {
    /// The same outputs by fewer or cheaper instructions.
    #[must_use]
    pub fn improved(mut self) -> Self {
        let graph: Graph = std::mem::take(&mut self.graph);
        let bodies = self.outputs.iter().map(|output| output.body.clone());
        let program = Program {
            interface: Interface::of(&graph),
            functions: bodies.collect(),
            graph,
        };
        let options = Options {
            factors: true,
            angles: true,
            reciprocals: Some(RECIPROCAL),
            given: vec![group::PARAMS],
            first: FIRST.to_vec(),
        };
        let improved = optimise_with(&program, &options);
        self.graph = improved.graph;
        for (output, body) in self.outputs.iter_mut().zip(improved.functions) {
            output.body = body;
        }
        self
    }
}
