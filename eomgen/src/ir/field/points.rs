//! Values of a growing graph at fixed points, each worked out once. Choices and routines stay open: whether something vanishes
//! identically must not depend on the branch that a point happens to take, or on the rank that it happens to have.

use num_rational::BigRational;
use std::cell::RefCell;

use super::random::{Prf, Tag};
use super::{Field, Residue, Results};
use crate::ir::{Graph, Slot, Value, on_spheres};

/// One point. The same instance must be asked about one graph only, which may grow between the questions.
pub struct Point {
    field: Field,
    inputs: Prf,
    /// Inputs that are not drawn.
    given: Vec<(Slot, Residue)>,
    /// `None` until asked for; then what [`evaluate`](super::evaluate) gives but for choices and routines.
    values: Vec<Option<Option<Residue>>>,
    results: Results,
}

impl Point {
    /// The point that [`evaluate`](super::evaluate) draws from `seed`, choices left open, unit quaternions of length 1.
    pub fn new(seed: u64) -> Self {
        Self {
            field: Field::new(seed).with_open_choices(),
            inputs: Prf::new(seed),
            given: Vec::new(),
            values: Vec::new(),
            results: Results::new(),
        }
    }

    /// The value there; `None` if something it needs divides by zero, or is a routine without a result.
    pub fn value(&mut self, graph: &Graph, value: Value) -> Option<Residue> {
        if let Some(Some(known)) = self.values.get(value.index()) {
            return *known;
        }
        self.values.resize(graph.len(), None);
        let mut stack = vec![value];
        while let Some(&next) = stack.last() {
            let before = stack.len();
            let known = |v: &Value| self.values[v.index()].is_some();
            stack.extend(graph.op(next).operands().filter(|v| !known(v)));
            if stack.len() == before {
                let computed = self.step(graph, next);
                self.values[next.index()] = Some(computed);
                stack.pop();
            }
        }
        self.values[value.index()].flatten()
    }

    fn step(&mut self, graph: &Graph, value: Value) -> Option<Residue> {
        let values = &self.values;
        let known = |v: Value| values[v.index()].flatten();
        if graph.op(value).operands().any(|v| known(v).is_none()) {
            return None;
        }
        let at = |v| known(v).unwrap_or(Residue::ZERO);
        let (inputs, given) = (&self.inputs, &self.given);
        let drawn = |slot: Slot| match given.iter().find(|(own, _)| *own == slot) {
            Some((_, value)) => *value,
            None => inputs.draw(Tag::Input, &[slot.group.into(), slot.index.into()]),
        };
        let spheres = graph.spheres();
        let input =
            |slot| on_spheres(spheres, slot, drawn, Residue::inverse).unwrap_or(drawn(slot));
        let results = &mut self.results;
        self.field.step(graph, value, at, results, input)
    }
}

/// Several points, as a test for zero that can be shared.
pub struct Points(RefCell<Vec<Point>>);

impl Points {
    /// Two points, so that a value that does not vanish is taken for zero once in 2^120, and a third for where one of them is singular.
    pub fn new(seed: u64) -> Self {
        Self(
            (0..3)
                .map(|k| Point::new(seed.wrapping_add(k)))
                .collect::<Vec<_>>()
                .into(),
        )
    }

    /// The same with these inputs as given, as far as the fields have such numbers.
    pub fn with(seed: u64, given: &[(Slot, BigRational)]) -> Self {
        let points = Self::new(seed);
        for point in points.0.borrow_mut().iter_mut() {
            let known = given.iter();
            let known = known.filter_map(|(slot, x)| Some((*slot, Residue::from_rational(x)?)));
            point.given = known.collect();
        }
        points
    }

    /// Whether the value is not identically zero. What cannot be evaluated at any point is taken for not zero.
    pub fn nonzero(&self, graph: &Graph, value: Value) -> bool {
        let mut asked = 0;
        for point in self.0.borrow_mut().iter_mut() {
            match point.value(graph, value) {
                Some(Residue::ZERO) => asked += 1,
                Some(_) => return true,
                None => {}
            }
            if asked == 2 {
                return false;
            }
        }
        asked == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::field::evaluate;
    use crate::ir::{Binary, Comparison, RoutineKind, Unary};

    fn input(graph: &mut Graph, index: u32) -> Value {
        graph.input(Slot { group: 0, index })
    }

    #[test]
    fn a_growing_graph_has_the_values_of_evaluate() {
        let mut graph = Graph::new();
        let mut point = Point::new(5);
        let mut value = input(&mut graph, 0);
        for index in 1..20 {
            let next = input(&mut graph, index);
            let sine = graph.unary(Unary::Sin, value);
            let sum = graph.add(sine, next);
            value = graph.div(sum, value);
            let expected = evaluate(&graph, &[value], 5).map(|values| values[0]);
            assert!(expected.is_some());
            assert_eq!(point.value(&graph, value), expected);
        }
    }

    /// A row that is redundant for true roots alone: where the field has none, both rows hold for zero only. What the rows leave free at every state
    /// of a machine is not to be taken for zero.
    #[test]
    fn a_rank_that_a_point_happens_to_have_proves_nothing() {
        let mut graph = Graph::new();
        let (x, one) = (input(&mut graph, 0), graph.one());
        let x = graph.add(x, one);
        let root = graph.unary(Unary::Sqrt, x);
        let square = graph.mul(root, root);
        let zero = graph.zero();
        // M = 1, F = (1, 0); rows (sqrt(x)^2, 1) and (x, 1).
        let operands = [
            one, zero, zero, one, one, zero, square, one, x, one, zero, zero,
        ];
        let kind = RoutineKind::Constrained { n: 2, m: 2 };
        let routine = graph.routine(kind, &operands);
        let free = graph.element(routine, 0);
        for seed in 0..40 {
            assert!(Points::new(seed).nonzero(&graph, free), "seed {seed}");
        }
    }

    #[test]
    fn zeros_are_seen_through_and_poles_are_not_zeros() {
        let mut graph = Graph::new();
        let x = input(&mut graph, 0);
        let (s, c) = (graph.unary(Unary::Sin, x), graph.unary(Unary::Cos, x));
        let (s2, c2, one) = (graph.mul(s, s), graph.mul(c, c), graph.one());
        let circle = graph.add(s2, c2);
        let (zero, hyperbola) = (graph.sub(circle, one), graph.sub(c2, s2));
        let pole = graph.div(x, zero);
        let points = Points::new(1);
        assert!(!points.nonzero(&graph, zero));
        assert!(points.nonzero(&graph, hyperbola));
        assert!(points.nonzero(&graph, pole));
        assert_eq!(Point::new(1).value(&graph, pole), None);
    }

    #[test]
    fn what_only_one_branch_contains_is_not_zero() {
        let mut graph = Graph::new();
        let (x, y, zero) = (input(&mut graph, 0), input(&mut graph, 1), graph.zero());
        for seed in 0..20 {
            let points = Points::new(seed);
            for test in [Comparison::Less, Comparison::Greater] {
                let choice = graph.select(test, x, zero, y, zero);
                assert!(points.nonzero(&graph, choice));
            }
            for op in [Binary::Min, Binary::Max] {
                let one = graph.binary(op, x, zero);
                let other = graph.binary(op, zero, x);
                let difference = graph.sub(one, other);
                assert!(points.nonzero(&graph, one));
                assert!(!points.nonzero(&graph, difference));
            }
        }
    }
}
