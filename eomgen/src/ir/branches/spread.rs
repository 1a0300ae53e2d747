//! Numbers before sums, brought into the sums.
//!
//! `2 (a x - y)` and `b x - 2 y` take the same operations; which of them a leg has depends on its numbers. The second is what all of them can have.

use super::form::{Form, Forms, Kind};
use crate::ir::optimise::with_functions;
use crate::ir::{Graph, Program, Value};

/// The same program, or `None` if there is no such product.
pub fn spread(program: &Program, groups: &[u8]) -> Option<Program> {
    let forms = Forms::new(program, groups);
    let mut readers = vec![0_usize; program.graph.len()];
    for &value in &forms.order {
        for term in forms.of(value).map_or(&[][..], |form| &form.terms) {
            readers[term.value.index()] += 1;
        }
    }
    for root in program
        .functions
        .iter()
        .flat_map(crate::ir::Function::roots)
    {
        readers[root.index()] += 2;
    }
    let found: Vec<Option<Product>> = program
        .graph
        .values()
        .map(|value| product(&forms, value, &readers))
        .collect();
    if found.iter().all(Option::is_none) {
        return None;
    }
    let mut graph = Graph::new();
    for sphere in program.graph.spheres() {
        graph.declare_sphere(*sphere);
    }
    let mut map: Vec<Value> = Vec::new();
    for (value, product) in program.graph.values().zip(&found) {
        let new = match product {
            Some(product) => product.write(&mut graph, &map),
            None => graph.fold(&program.graph.op(value).map(|of| map[of.index()])),
        };
        if let Some(name) = program.graph.name_of(value) {
            graph.name(new, name);
        }
        map.push(new);
    }
    Some(with_functions(program, graph, |_, value| {
        map[value.index()]
    }))
}

/// A number times a sum that nothing else reads.
struct Product {
    number: Value,
    negative: bool,
    /// Signs, numbers and what they stand before.
    terms: Vec<(bool, Option<Value>, Option<Value>)>,
}

/// The product that a value is, if bringing its number into its sum takes no operations.
fn product(forms: &Forms<'_>, value: Value, readers: &[usize]) -> Option<Product> {
    let form = forms.of(value)?;
    let [a, b] = form.terms[..] else { return None };
    let (number, sum) = if forms.is_number(a.value) {
        (a, b)
    } else {
        (b, a)
    };
    let inner = forms.of(sum.value)?;
    let is_so = form.kind == Kind::Product
        && inner.kind == Kind::Sum
        && forms.is_number(number.value)
        && readers[sum.value.index()] == 1;
    if !is_so {
        return None;
    }
    let terms: Vec<_> = inner
        .terms
        .iter()
        .map(|term| match numbered(forms, term.value, readers) {
            Some((negative, number, of)) => (term.negative != negative, Some(number), of),
            None => (term.negative, None, Some(term.value)),
        })
        .collect();
    let plain = terms
        .iter()
        .filter(|(_, number, _)| number.is_none())
        .count();
    (plain <= 1).then_some(Product {
        number: number.value,
        negative: a.negative != b.negative,
        terms,
    })
}

/// A number, or a number times something that nothing else reads.
fn numbered(
    forms: &Forms<'_>,
    value: Value,
    readers: &[usize],
) -> Option<(bool, Value, Option<Value>)> {
    if forms.is_number(value) {
        return Some((false, value, None));
    }
    let Form {
        kind: Kind::Product,
        terms,
    } = forms.of(value)?
    else {
        return None;
    };
    let [a, b] = terms[..] else { return None };
    let negative = a.negative != b.negative;
    let (number, of) = if forms.is_number(a.value) {
        (a, b)
    } else {
        (b, a)
    };
    (forms.is_number(number.value) && readers[value.index()] == 1).then_some((
        negative,
        number.value,
        Some(of.value),
    ))
}

impl Product {
    fn write(&self, graph: &mut Graph, map: &[Value]) -> Value {
        let at = |v: Value| map[v.index()];
        let mut sum: Option<Value> = None;
        for (negative, number, of) in &self.terms {
            let number = match number {
                Some(inner) => graph.mul(at(self.number), at(*inner)),
                None => at(self.number),
            };
            let term = match of {
                Some(of) => graph.mul(number, at(*of)),
                None => number,
            };
            sum = Some(match (sum, negative != &self.negative) {
                (None, false) => term,
                (None, true) => graph.neg(term),
                (Some(sum), false) => graph.add(sum, term),
                (Some(sum), true) => graph.sub(sum, term),
            });
        }
        sum.unwrap_or_else(|| graph.zero())
    }
}
