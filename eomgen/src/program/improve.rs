//! Passes over the instructions of all outputs together, once they are there: opposites computed once, common factors, reciprocals.
//! Knows nothing of what the outputs mean.

use super::{Assembled, Presumed, group};
use crate::ir::{Graph, Interface, Options, Program, RECIPROCAL, optimise_with};

/// What an integrator evaluates at every step.
const FIRST: [&str; 3] = ["accelerations", "derivative", "speed_rates"];

impl Assembled {
    /// The same outputs by fewer or cheaper instructions.
    #[must_use]
    pub fn improved(mut self) -> Self {
        let graph: Graph = std::mem::take(&mut self.graph);
        let bodies = self.outputs.iter().map(|output| output.body.clone());
        let quick = self.outputs.iter().filter_map(|o| o.quick.clone());
        let presumed = self.presumed.as_ref().map(Presumed::body);
        let program = Program {
            interface: Interface::of(&graph),
            functions: bodies.chain(quick).chain(presumed).collect(),
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
        let mut bodies = improved.functions.into_iter();
        for (output, body) in self.outputs.iter_mut().zip(&mut bodies) {
            output.body = body;
        }
        let quick = self.outputs.iter_mut().filter(|o| o.quick.is_some());
        for (output, body) in quick.zip(&mut bodies) {
            output.quick = Some(body);
        }
        let presumed = self.presumed.take().zip(bodies.next());
        self.presumed = presumed.and_then(|(presumed, body)| presumed.with(&body));
        self
    }
}
