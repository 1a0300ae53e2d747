//! Whether a plan may replace the factored mass matrix: no pivot that could vanish, no digits lost.

use crate::field::{MODULUS, pseudo_random};
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::{Binary, Function, Graph, Interface, Op, Program, Slot, Unary, Value};
use crate::solve::{Plan, UnknownKind, Verdict};
use num_traits::Signed;
use std::collections::BTreeMap;

/// States at which plans are compared.
const STATES: u64 = 3;
/// Largest relative difference from the factored mass matrix.
const TOLERATED: f64 = 1e-10;

/// Why a pivot of the plan might vanish although the mass matrix is positive definite; `None` if none can.
pub(super) fn may_vanish(graph: &Graph, plan: &Plan, positive: &[Slot]) -> Option<String> {
    if !plan.open.is_empty() || !plan.consistency.is_empty() {
        return Some("leaves unknowns open".into());
    }
    let mut signs = Signs {
        graph,
        positive,
        known: BTreeMap::new(),
    };
    for p in &plan.pivots {
        let Some(value) = p.value else { continue };
        // With no row left that it enters, a rate or an acceleration can be varied alone: what is
        // left on its diagonal is twice the energy of a motion, positive with M.
        let inertia = p.kind != UnknownKind::Reaction && p.unknowns.len() == 1 && !p.tied;
        if !inertia && signs.of(value).is_none_or(|s| !s.strict) {
            return Some("a pivot might vanish".into());
        }
    }
    None
}

/// Whether the form of a value shows that it never vanishes.
pub(super) fn cannot_vanish(graph: &Graph, value: Value, positive: &[Slot]) -> bool {
    let mut signs = Signs {
        graph,
        positive,
        known: BTreeMap::new(),
    };
    signs.of(value).is_some_and(|sign| sign.strict)
}

/// A known sign; `strict` excludes zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    positive: bool,
    strict: bool,
}

struct Signs<'a> {
    graph: &'a Graph,
    positive: &'a [Slot],
    known: BTreeMap<Value, Option<Known>>,
}

impl Signs<'_> {
    /// The sign of a value as its form shows it. Operands come before their users, so a sweep in
    /// order needs no recursion.
    fn of(&mut self, value: Value) -> Option<Known> {
        for v in self.graph.live(&[value]) {
            if !self.known.contains_key(&v) {
                let sign = self.step(v);
                self.known.insert(v, sign);
            }
        }
        self.known.get(&value).copied().flatten()
    }

    fn get(&self, v: Value) -> Option<Known> {
        self.known.get(&v).copied().flatten()
    }

    fn step(&self, v: Value) -> Option<Known> {
        let flipped = |k: Known| Known {
            positive: !k.positive,
            ..k
        };
        let sum = |a: Known, b: Known| {
            (a.positive == b.positive).then_some(Known {
                positive: a.positive,
                strict: a.strict || b.strict,
            })
        };
        match self.graph.op(v) {
            Op::Constant(c) => Some(Known {
                positive: !c.is_negative(),
                strict: c.is_positive() || c.is_negative(),
            }),
            Op::Pi => Some(Known {
                positive: true,
                strict: true,
            }),
            Op::Input(slot) => self.positive.contains(slot).then_some(Known {
                positive: true,
                strict: true,
            }),
            Op::Unary(Unary::Neg, a) => self.get(*a).map(flipped),
            Op::Binary(Binary::Add, a, b) => sum(self.get(*a)?, self.get(*b)?),
            Op::Binary(Binary::Sub, a, b) => sum(self.get(*a)?, flipped(self.get(*b)?)),
            Op::Binary(Binary::Mul, a, b) if a == b => Some(Known {
                positive: true,
                strict: self.get(*a).is_some_and(|k| k.strict),
            }),
            Op::Binary(Binary::Mul, a, b) => {
                let (a, b) = (self.get(*a)?, self.get(*b)?);
                Some(Known {
                    positive: a.positive == b.positive,
                    strict: a.strict && b.strict,
                })
            }
            // The denominator is a pivot or a divisor with a condition of its own.
            Op::Binary(Binary::Div, a, b) => {
                let (a, b) = (self.get(*a)?, self.get(*b)?);
                Some(Known {
                    positive: a.positive == b.positive,
                    strict: a.strict,
                })
            }
            _ => None,
        }
    }
}

/// Compares two lists of values at pseudo-random states.
pub(super) fn compare(graph: &Graph, found: &[Value], expected: &[Value]) -> Verdict {
    let program = Program {
        graph: graph.clone(),
        interface: Interface::default(),
        functions: [found, expected]
            .map(|outputs| Function {
                name: String::new(),
                outputs: outputs.to_vec(),
                checks: Vec::new(),
            })
            .to_vec(),
    };
    let mut worst: f64 = 0.0;
    for seed in 0..STATES {
        let run = |f: &Function| Evaluator::new(&program, f).run(&Anywhere { seed });
        let (Ok(a), Ok(b)) = (run(&program.functions[0]), run(&program.functions[1])) else {
            return Verdict::Reject("not finite".into());
        };
        let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (x, y) in a.iter().zip(&b) {
            worst = worst.max((x - y).abs() / size);
        }
    }
    // Not `>`: a difference that is not a number is refused too.
    if worst <= TOLERATED {
        Verdict::Keep(String::new())
    } else {
        Verdict::Reject("loses digits".into())
    }
}

/// A state: numbers between 1/2 and 3/2, the same at every run.
struct Anywhere {
    seed: u64,
}

impl Anywhere {
    fn number(&self, key: u64) -> f64 {
        let r = pseudo_random(self.seed + 1, key);
        0.5 + r.get() as f64 / MODULUS as f64
    }
}

impl Host for Anywhere {
    fn slot(&self, slot: Slot) -> f64 {
        self.number(u64::from(slot.group) << 32 | u64::from(slot.index))
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let n = args.len();
        let base = (1 << 40) + u64::from(function) * 1000;
        Jet {
            value: self.number(base),
            gradient: (0..n).map(|i| self.number(base + 1 + i as u64)).collect(),
            hessian: (0..n * n)
                .map(|i| self.number(base + 100 + i as u64))
                .collect(),
        }
    }
}
