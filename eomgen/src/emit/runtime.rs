//! The parts of a generated module that are the same in all: how functions fail, and the numerical
//! routines. They are files of Rust of their own beside this one, so that they are compiled and
//! tested here; a generated module holds those it needs.

use super::body::is_fallible;
use super::layout::Writer;
use super::module::{Math, Module};
use crate::ir::{Op, RoutineKind, Unary, Value};

const CHECK: &str = include_str!("runtime/check.rs");
const CONSTRAINED: &str = include_str!("runtime/constrained.rs");
const EQUATIONS: &str = include_str!("runtime/equations.rs");
const LEAST_NORM: &str = include_str!("runtime/least_norm.rs");
const MINIMUM_NORM: &str = include_str!("runtime/minimum_norm.rs");
const PI: &str = include_str!("runtime/pi.rs");
const SIGN: &str = include_str!("runtime/sign.rs");
const SINGULAR: &str = include_str!("runtime/singular.rs");
const SOLVED: &str = include_str!("runtime/solved.rs");

const JET1: &str = include_str!("runtime/jet1.rs");
const JET2: &str = include_str!("runtime/jet2.rs");

/// The texts of all parts that are the same in every module, each a few items, with either source of square roots.
pub fn fixed() -> Vec<String> {
    let libm = EQUATIONS.replace("x.sqrt()", "libm::sqrt(x)");
    let all = [
        CHECK,
        CONSTRAINED,
        EQUATIONS,
        LEAST_NORM,
        MINIMUM_NORM,
        PI,
        SIGN,
        SINGULAR,
        SOLVED,
        JET1,
        JET2,
    ];
    let mut texts: Vec<String> = all.map(str::to_owned).to_vec();
    texts.push(libm);
    texts
}

/// Which parts a module needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// A function can fail.
    pub singular: bool,
    check: bool,
    minimum_norm: bool,
    constrained: bool,
    pi: bool,
    sign: bool,
}

impl Needs {
    /// What the module's functions use.
    pub fn of(module: &Module) -> Self {
        let functions = &module.functions;
        let roots: Vec<Value> = functions.iter().flat_map(|f| f.body.roots()).collect();
        let mut needs = Self {
            singular: functions
                .iter()
                .any(|function| is_fallible(module, function)),
            check: functions.iter().any(|f| !f.body.checks.is_empty()),
            ..Self::default()
        };
        for value in module.graph.live(&roots) {
            match module.graph.op(value) {
                Op::Pi => needs.pi = true,
                Op::Unary(Unary::Sign, _) => needs.sign = true,
                Op::Routine { kind, .. } => match kind {
                    RoutineKind::MinimumNorm { .. } => needs.minimum_norm = true,
                    RoutineKind::Constrained { .. } => needs.constrained = true,
                },
                _ => {}
            }
        }
        needs
    }

    /// The error type.
    pub fn write_public(self, out: &mut Writer) {
        write(&[(self.singular, SINGULAR)], out);
    }

    /// What the functions call.
    pub fn write_private(self, math: Math, out: &mut Writer) {
        let routines = self.minimum_norm || self.constrained;
        let equations = match math {
            Math::Std => EQUATIONS.to_owned(),
            Math::Libm => EQUATIONS.replace("x.sqrt()", "libm::sqrt(x)"),
        };
        write(
            &[
                (self.pi, PI),
                (self.sign, SIGN),
                (self.check, CHECK),
                (routines, SOLVED),
                (self.minimum_norm, MINIMUM_NORM),
                (self.constrained, CONSTRAINED),
                (routines, LEAST_NORM),
                (routines, &equations),
            ],
            out,
        );
    }
}

fn write(parts: &[(bool, &str)], out: &mut Writer) {
    for (_, part) in parts.iter().filter(|part| part.0) {
        out.verbatim(part);
        out.blank();
    }
}

#[cfg(test)]
#[path = "runtime/tests.rs"]
mod tests;
