//! The reader of generated texts against the compiler: what it makes of a module's text gives the numbers that the compiled module
//! gives.
#![cfg(feature = "generated")]

use eomgen::internals::verify::number::{Algebra, Elementary, EvalError, Number};
use eomgen::internals::verify::text::run::{Given, Jet, literals, outputs, run};
use eomgen::internals::verify::text::tree::{Module, Step};
use eomgen::internals::verify::text::{Unreadable, read};
use generated_tests::generated;
use generated_tests::modules::COMPILED;
use generated_tests::refreshing::folder;
use generated_tests::user;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A double, as the compiler has it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Double(f64);

impl Algebra for Double {
    fn int(value: i64) -> Self {
        Self(value as f64)
    }
    fn add(&self, other: &Self) -> Self {
        Self(self.0 + other.0)
    }
    fn sub(&self, other: &Self) -> Self {
        Self(self.0 - other.0)
    }
    fn mul(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }
    fn neg(&self) -> Self {
        Self(-self.0)
    }
    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        Ok(Self(self.0 / other.0))
    }
    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let x = arguments[0].0;
        Ok(Self(match function {
            Elementary::Sqrt => x.sqrt(),
            Elementary::Sin => x.sin(),
            Elementary::Cos => x.cos(),
            Elementary::Tan => x.tan(),
            Elementary::Asin => x.asin(),
            Elementary::Acos => x.acos(),
            Elementary::Atan => x.atan(),
            Elementary::Atan2 => x.atan2(arguments[1].0),
            Elementary::Sinh => x.sinh(),
            Elementary::Cosh => x.cosh(),
            Elementary::Tanh => x.tanh(),
            Elementary::Exp => x.exp(),
            Elementary::Ln => x.ln(),
            Elementary::Pow => x.powf(arguments[1].0),
        }))
    }
}

impl Number for Double {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        let rounded = value.to_f64();
        rounded
            .map(Self)
            .ok_or_else(|| EvalError::Unsupported("too large".into()))
    }
    fn pi() -> Self {
        Self(std::f64::consts::PI)
    }
    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }
    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        Ok(self.0 < other.0)
    }
    fn agrees(&self, other: &Self, scale: &Self) -> bool {
        (self.0 - other.0).abs() <= 1e-13 * scale.0.abs()
    }
    fn magnitude(&self) -> i64 {
        match self.0 {
            0.0 => i64::MIN,
            x => x.abs().log2().floor() as i64,
        }
    }
    fn show(&self) -> String {
        self.0.to_string()
    }
}

fn text(module: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{module}.rs"))).unwrap()
}

fn doubles<const N: usize>(list: &[Double]) -> [f64; N] {
    std::array::from_fn(|i| list[i].0)
}

fn jet(value: f64, gradient: &[f64]) -> Result<Jet<Double>, EvalError> {
    Ok(Jet {
        value: Double(value),
        gradient: gradient.iter().copied().map(Double).collect(),
        hessian: Vec::new(),
    })
}

/// The user's functions of E1 to E3, as the compiled modules get them.
fn call(module: &str, function: &str, arguments: &[Double]) -> Result<Jet<Double>, EvalError> {
    match module {
        "e1_appell" => {
            use generated::e1_appell::Functions;
            let [x, y, z] = doubles(arguments);
            jet(
                match function {
                    "Fx" => user::Appell.Fx(x, y, z),
                    "Fy" => user::Appell.Fy(x, y, z),
                    _ => user::Appell.Fz(x, y, z),
                },
                &[],
            )
        }
        "e2_appell_rheonomic" => {
            use generated::e2_appell_rheonomic::Functions;
            let [x, y, z, t] = doubles(arguments);
            let h = user::Rheonomic.h(x, y, z, t);
            jet(h.value, &h.gradient)
        }
        _ => {
            use generated::e3_appell_nonideal::Functions;
            let [x, y, z, t] = doubles(arguments);
            let of = user::Nonideal;
            match function {
                "Fx" => jet(of.Fx(x, y, z, t), &[]),
                "Fy" => jet(of.Fy(x, y, z, t), &[]),
                "Fz" => jet(of.Fz(x, y, z, t), &[]),
                _ => {
                    let g = of.g(x, y, z, t);
                    jet(g.value, &g.gradient)
                }
            }
        }
    }
}

/// Literals as the compiler reads them.
fn compiled_literals(module: &Module) -> Vec<Result<Double, EvalError>> {
    let exact = literals::<Double>(module);
    let texts = module.literals.iter().map(|literal| literal.text.parse());
    let read: Vec<Result<Double, EvalError>> = texts.map(|x| Ok(Double(x.unwrap()))).collect();
    // The exact values round to the same doubles.
    assert_eq!(exact, read);
    read
}

#[test]
fn the_reader_and_the_compiler_make_the_same_of_every_function() {
    let (mut compared, mut all) = (0, 0);
    for compiled in COMPILED {
        let name = compiled.module;
        let text = text(name);
        let module = read(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        // The reader's sines are those of the standard library; the last bit of the module's own may be another.
        let own_sines = text.contains("fn sincos(");
        let literals = compiled_literals(&module);
        let defaults = module.params.defaults.iter().flatten();
        let mut params: Vec<Double> = defaults
            .map(|index| literals[*index as usize].clone().unwrap())
            .collect();
        if params.is_empty() {
            params = vec![Double(0.0); module.params.names.len()];
        }
        let functions = |index: usize, arguments: &[Double]| {
            call(name, &module.user_functions[index].name, arguments)
        };
        let entry = |i: usize| 0.3 + 0.37 * ((i * 7919) % 13) as f64 / 13.0;
        let state: Vec<f64> = (0..compiled.state.len()).map(entry).collect();
        let inputs: Vec<f64> = (0..compiled.inputs.len()).map(|i| 1.0 - entry(i)).collect();
        let wrap = |list: &[f64]| list.iter().copied().map(Double).collect::<Vec<_>>();
        let given = Given {
            t: &Double(0.7),
            state: &wrap(&state),
            extra: &[],
            params: &params,
            inputs: &wrap(&inputs),
            functions: &functions,
            literals: &literals,
        };
        for function in compiled.functions() {
            let of = module.function(function).unwrap();
            let found = outputs(of, &run(of, &given));
            let expected = compiled.call(function, 0.7, &state, &inputs);
            let (found, expected) = match (found, expected) {
                (Ok(found), Ok(expected)) => (found, expected),
                // Dependent rows that contradict each other off the constraints are refused by both.
                (Err(EvalError::Singular(_)), Err(_)) => continue,
                other => panic!("{name}::{function}: {other:?}"),
            };
            compared += 1;
            assert_eq!(found.len(), expected.len());
            let has_routine = of
                .steps
                .iter()
                .any(|step| matches!(step, Step::MinimumNorm { .. } | Step::Constrained { .. }));
            let tolerance = match (has_routine, own_sines) {
                (true, _) => 1e-9,
                (false, true) => 1e-12,
                (false, false) => 0.0,
            };
            for (found, expected) in found.iter().zip(&expected) {
                let close = (found.0 - expected).abs() <= tolerance * (1.0 + expected.abs());
                assert!(close, "{name}::{function}: {found:?} {expected}");
            }
        }
        // Nothing is left out.
        let mut known = compiled.functions();
        known.sort_unstable();
        let mut found: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, known);
        all += known.len();
    }
    assert!(compared > all - 20, "{compared} of {all}");
}

/// Something that the generator does not write is an error with its line, wherever it stands.
#[test]
fn what_is_not_known_is_refused() {
    let sleigh = text("e4_sleigh_lagrange");
    let disc = text("disc");
    let pendulums = text("pend_abs_5");
    let appell = text("e1_appell");
    let line = |text: &str, of: &str| text.lines().position(|l| l.contains(of)).unwrap() + 1;
    let table = [
        (
            &sleigh,
            "let (sin_theta, cos_theta) = theta.sin_cos();",
            "let (sin_theta, cos_theta) = theta.sinh_cosh();",
            "theta . sinh_cosh",
        ),
        (
            &sleigh,
            "let (sin_theta, cos_theta) = theta.sin_cos();",
            "while true {}",
            "while true",
        ),
        (
            &sleigh,
            "let [_, _, _, u1, u2] = *state;",
            "let [_, _, _, _, u1, u2] = *state;",
            "pattern `[_ , _ , _ , _ , u1 , u2]`",
        ),
        (
            &sleigh,
            "let [_, _, _, u1, u2] = *state;",
            "let [_, _, _, u1, u1] = *state;",
            "second meaning",
        ),
        (
            &pendulums,
            "out[1][1] = self.constant_zzv;",
            "out[9][1] = self.constant_zzv;",
            "out [9] [1]",
        ),
        (
            &pendulums,
            "out[1][1] = self.constant_zzv;",
            "out[1][1] += self.constant_zzv;",
            "+=",
        ),
        (
            &sleigh,
            "let theta_ddot = u1 * u2 * self.one_over_l;",
            "let theta_ddot = u1 * u2 * self.k;",
            "self . k",
        ),
        (
            &sleigh,
            "let theta_ddot = u1 * u2 * self.one_over_l;",
            "let theta_ddot = u1 % self.one_over_l;",
            "u1 % self . one_over_l",
        ),
        (
            &sleigh,
            "let theta_ddot = u1 * u2 * self.one_over_l;",
            "let theta_ddot = u1 * 2 * self.one_over_l;",
            "number `2`",
        ),
        (
            &sleigh,
            "pub fn forcing(&self, t: f64, state: &[f64; STATES]) -> [f64; 3] {",
            "pub fn forcing(&self, t: f64, state: &[f64; STATES]) -> &[f64; 3] {",
            "self . forcing (t , state)",
        ),
        (
            &appell,
            "const RANK: f64 = 1e-12;",
            "const RANK: f64 = 1e-11;",
            "`RANK`",
        ),
        (&appell, "x.sqrt()\n", "x.sqrt() + 0.0\n", "`square_root`"),
        (
            &appell,
            "self.rhs -= factor * other.rhs;",
            "self.rhs += factor * other.rhs;",
            "Equation",
        ),
        (&disc, "    Phi,\n", "", "StateIndex"),
    ];
    for (text, from, to, says) in table {
        let found = text.contains(from).then(|| text.replacen(from, to, 1));
        let Some(wrong) = found else {
            panic!("`{from}` is not there");
        };
        let Unreadable { line: at, message } = read(&wrong).unwrap_err();
        assert!(message.contains(says), "{to}: {message}");
        if from.starts_with("out") {
            assert_eq!(at as usize, line(text, from), "{to}: {message}");
        }
    }
}

/// The largest module is read in seconds by unoptimised code.
#[test]
fn large_modules_are_read() {
    let module = read(&text("pend_abs_20")).unwrap();
    let steps: usize = module.functions.iter().map(|f| f.steps.len()).sum();
    assert!(steps > 5_000, "{steps}");
}
