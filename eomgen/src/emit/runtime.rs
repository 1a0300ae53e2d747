//! The parts of a generated module that are the same in all: how functions fail, and the numerical
//! routines. They are files of Rust of their own beside this one, so that they are compiled and
//! tested here; a generated module holds those it needs.

use super::arrangement::is_fallible;
use super::layout::Writer;
use super::module::{Math, Module, Scalar, Style};
use crate::ir::{Op, RoutineKind, Unary, Value};

const CHECK: &str = include_str!("runtime/check.rs");
const CHECK_GENERIC: &str = include_str!("runtime/check_generic.rs");
const BY_SPEEDS: &str = include_str!("runtime/by_speeds.rs");
const CONSTRAINED: &str = include_str!("runtime/constrained.rs");
const FINITE: &str = include_str!("runtime/finite.rs");
const EQUATIONS: &str = include_str!("runtime/equations.rs");
const LEAST_NORM: &str = include_str!("runtime/least_norm.rs");
const MINIMUM_NORM: &str = include_str!("runtime/minimum_norm.rs");
const NEAREST: &str = include_str!("runtime/nearest.rs");
const PI: &str = include_str!("runtime/pi.rs");
const SAMPLED: &str = include_str!("runtime/sampled.rs");
const SIGN: &str = include_str!("runtime/sign.rs");
const SINGULAR: &str = include_str!("runtime/singular.rs");
const SINCOS: &str = include_str!("runtime/sincos.rs");
const SINCOS_NEAR: &str = include_str!("runtime/sincos_near.rs");
const SINCOS_NEAR_F32: &str = include_str!("runtime/sincos_near_f32.rs");
const SINCOS_NEAR_FMA: &str = include_str!("runtime/sincos_near_fma.rs");
const SOLVED: &str = include_str!("runtime/solved.rs");

const UNASSEMBLED: &str = include_str!("runtime/unassembled.rs");

/// The items that belong to `discretized`.
pub const OF_SAMPLING: [&str; 3] = ["discretized", "sampled", "times"];

/// The items that belong to `assemble`.
pub const OF_ASSEMBLY: [&str; 10] = [
    "APART",
    "ASSEMBLED",
    "DAMPED",
    "Unassembled",
    "assemble",
    "by_speeds",
    "dual",
    "length",
    "masked",
    "nearest",
];

const JET1: &str = include_str!("runtime/jet1.rs");
const JET2: &str = include_str!("runtime/jet2.rs");

/// The texts of all parts that are the same in every module for numbers of a type, each a few items, with either source of square roots.
pub fn fixed(scalar: Scalar) -> Vec<String> {
    if scalar == Scalar::Generic {
        return fixed_for_any();
    }
    let (root, near) = match scalar {
        Scalar::F32 => ("libm::sqrtf(x)", [SINCOS_NEAR_F32; 2]),
        _ => ("libm::sqrt(x)", [SINCOS_NEAR, SINCOS_NEAR_FMA]),
    };
    let all = [
        BY_SPEEDS,
        CHECK,
        CONSTRAINED,
        EQUATIONS,
        FINITE,
        LEAST_NORM,
        MINIMUM_NORM,
        NEAREST,
        PI,
        SAMPLED,
        SIGN,
        SINCOS,
        SINGULAR,
        SOLVED,
        UNASSEMBLED,
        JET1,
        JET2,
    ];
    let mut texts: Vec<String> = all.iter().map(|text| typed(text, scalar)).collect();
    for text in [EQUATIONS, NEAREST] {
        texts.push(typed(&text.replace("x.sqrt()", root), scalar));
    }
    texts.extend(near.map(str::to_owned));
    texts
}

/// The same for numbers of any type.
fn fixed_for_any() -> Vec<String> {
    let jets = [JET1, JET2].map(|text| typed(text, Scalar::Generic));
    let written = [
        CHECK_GENERIC,
        PI,
        SINGULAR,
        SOLVED,
        include_str!("runtime/generic/finite.rs"),
        include_str!("runtime/generic/minimum_norm.rs"),
        include_str!("runtime/generic/constrained.rs"),
        include_str!("runtime/generic/least_norm.rs"),
        include_str!("runtime/generic/equations.rs"),
    ];
    written.map(str::to_owned).into_iter().chain(jets).collect()
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
    /// A linear model is sampled.
    sampling: bool,
    /// A state is assembled, and whether its speeds are.
    assembly: Option<bool>,
    /// A function of the module's own has sine and cosine.
    pub sincos: bool,
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
            assembly: module.assembly.as_ref().map(|of| of.velocities.is_some()),
            sampling: module.sampling.is_some(),
            check: functions.iter().any(|f| !f.body.checks.is_empty()),
            ..Self::default()
        };
        for value in module.graph.live(&roots) {
            match module.graph.op(value) {
                Op::Pi => needs.pi = true,
                Op::Unary(Unary::Sign, _) => needs.sign = true,
                Op::Unary(Unary::Sin | Unary::Cos, _) => {
                    needs.sincos = module.math == Math::Inline && module.scalar != Scalar::Generic;
                }
                Op::Routine { kind, .. } => match kind {
                    RoutineKind::MinimumNorm { .. } => needs.minimum_norm = true,
                    RoutineKind::Constrained { .. } => needs.constrained = true,
                },
                _ => {}
            }
        }
        needs
    }

    /// The functions of the trait `Scalar` that the numerical routines call, beside those of every such type.
    pub fn methods(self) -> (bool, bool) {
        (self.minimum_norm || self.constrained, self.constrained)
    }

    /// The error type.
    pub fn write_public(self, scalar: Scalar, out: &mut Writer) {
        // Closeness is a plain number whatever is computed with.
        let scalar = match scalar {
            Scalar::Generic => Scalar::F64,
            plain => plain,
        };
        let public = [
            (self.singular, SINGULAR),
            (self.assembly.is_some(), UNASSEMBLED),
        ];
        write(&public, scalar, out);
    }

    /// What the functions call.
    pub fn write_private(self, Style { math, scalar, fma }: Style, out: &mut Writer) {
        let generic = scalar == Scalar::Generic;
        let scalar = if generic { Scalar::F64 } else { scalar };
        let check = if generic { CHECK_GENERIC } else { CHECK };
        let [finite, minimum_norm, constrained, least_norm, equations] = if generic {
            [
                include_str!("runtime/generic/finite.rs"),
                include_str!("runtime/generic/minimum_norm.rs"),
                include_str!("runtime/generic/constrained.rs"),
                include_str!("runtime/generic/least_norm.rs"),
                include_str!("runtime/generic/equations.rs"),
            ]
        } else {
            [FINITE, MINIMUM_NORM, CONSTRAINED, LEAST_NORM, EQUATIONS]
        };
        let routines = self.minimum_norm || self.constrained;
        let with_roots = |text: &str| match math {
            Math::Std | Math::Inline => text.to_owned(),
            Math::Libm if scalar == Scalar::F32 => text.replace("x.sqrt()", "libm::sqrtf(x)"),
            Math::Libm => text.replace("x.sqrt()", "libm::sqrt(x)"),
        };
        let (equations, nearest) = (with_roots(equations), with_roots(NEAREST));
        write(
            &[
                (self.pi, PI),
                (self.sign && !generic, SIGN),
                (self.check, check),
                (self.singular, finite),
                (routines, SOLVED),
                (self.minimum_norm, minimum_norm),
                (self.constrained, constrained),
                (routines, least_norm),
                (routines, &equations),
                (self.sampling, SAMPLED),
                (self.assembly.is_some(), &nearest),
                (self.assembly == Some(true), BY_SPEEDS),
            ],
            scalar,
            out,
        );
        if self.sincos {
            let far = match (math, scalar) {
                (Math::Libm, Scalar::F32) => "libm::sincosf(angle)",
                (Math::Libm, _) => "libm::sincos(angle)",
                _ => "angle.sin_cos()",
            };
            let near = match scalar {
                Scalar::F32 => SINCOS_NEAR_F32,
                // There is no fused operation without `std`.
                _ if fma && math != Math::Libm => SINCOS_NEAR_FMA,
                _ => SINCOS_NEAR,
            };
            let one = SINCOS
                .replace("angle.sin_cos()", far)
                .replace("the standard library", library(math));
            out.verbatim(&typed(&one, scalar));
            out.blank();
            // In double precision inside.
            out.verbatim(near);
            out.blank();
        }
    }
}

/// Whose sines those of far angles are.
fn library(math: Math) -> &'static str {
    match math {
        Math::Libm => "`libm`",
        _ => "the standard library",
    }
}

/// Tolerances in `f64`, and in `f32`, and what they stand for.
const TOLERANCES: [(&str, &str); 12] = [
    (
        "SINGULAR_TOLERANCE: f64 = 1e-9",
        "SINGULAR_TOLERANCE: f64 = 5e-4",
    ),
    ("PIVOT: f64 = 1e-9", "PIVOT: f64 = 5e-4"),
    ("CERTAIN: f64 = 1e-9", "CERTAIN: f64 = 5e-4"),
    ("NOTHING: f64 = 1e-15", "NOTHING: f64 = 1e-7"),
    ("ASSEMBLED: f64 = 1e-10", "ASSEMBLED: f64 = 2e-5"),
    ("APART: f64 = 1e-15", "APART: f64 = 1e-7"),
    (
        "let mut damping: f64 = 1e-12",
        "let mut damping: f64 = 1e-6",
    ),
    ("let mut scale: f64 = 1e-6", "let mut scale: f64 = 1e-3"),
    ("a millionth", "a thousandth"),
    ("RANK: f64 = 1e-12", "RANK: f64 = 1e-5"),
    ("CONSISTENT: f64 = 1e-4", "CONSISTENT: f64 = 1e-3"),
    ("NOISE: f64 = 1e-8", "NOISE: f64 = 1e-4"),
];

/// A fixed text for another type of numbers.
pub fn typed(text: &str, scalar: Scalar) -> String {
    match scalar {
        Scalar::F64 => text.to_owned(),
        Scalar::F32 => {
            let tolerances = TOLERANCES.iter();
            let text = tolerances.fold(text.to_owned(), |text, (f64, f32)| text.replace(f64, f32));
            text.replace("f64", "f32")
        }
        // The jets alone: `Jet2<T, N>`.
        Scalar::Generic => text
            .replace("<const N: usize>", "<T, const N: usize>")
            .replace("f64", "T"),
    }
}

fn write(parts: &[(bool, &str)], scalar: Scalar, out: &mut Writer) {
    for (_, part) in parts.iter().filter(|part| part.0) {
        out.verbatim(&typed(part, scalar));
        out.blank();
    }
}

#[cfg(test)]
#[path = "runtime/tests.rs"]
mod tests;

#[cfg(test)]
#[path = "runtime/generic_tests.rs"]
mod generic_tests;
