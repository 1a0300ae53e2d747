//! The numerical routines for numbers of any type: with `f64` the bits of [`ir::routine`](crate::ir::routine), with derivatives the
//! derivatives, with several numbers at once what each has by itself.

use proptest::prelude::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::ir::RoutineKind;
use crate::ir::routine::{RoutineError, run};

#[allow(dead_code)]
mod emitted {
    pub trait Scalar:
        Copy
        + std::ops::Add<Output = Self>
        + std::ops::Sub<Output = Self>
        + std::ops::Mul<Output = Self>
        + std::ops::Div<Output = Self>
        + std::ops::Neg<Output = Self>
    {
        fn from_f64(number: f64) -> Self;
        fn magnitude(self) -> f64;
        fn bound(self) -> f64 {
            self.magnitude()
        }
        fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self;
        fn sqrt(self) -> Self;
    }

    include!("generic/equations.rs");
    include!("generic/least_norm.rs");
    include!("generic/minimum_norm.rs");
    include!("generic/constrained.rs");

    pub fn least<T: Scalar>(a: &[[T; 4]; 3], b: &[T; 3]) -> Result<[T; 4], f64> {
        minimum_norm(a, b)
    }
    pub fn solve<T: Scalar>(
        mass: &[[T; 4]; 4],
        force: &[T; 4],
        a: &[[T; 4]; 3],
        b: &[T; 3],
    ) -> Result<([T; 4], [T; 3]), f64> {
        constrained(mass, force, a, b)
    }
}

use emitted::{Scalar, least, solve};

impl Scalar for f64 {
    fn from_f64(number: f64) -> Self {
        number
    }
    fn magnitude(self) -> f64 {
        self.abs()
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        if a < b { then } else { other }
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

macro_rules! operators {
    ($of:ident, $($op:ident $name:ident $make:expr),*) => {
        $(impl $op for $of {
            type Output = Self;
            fn $name(self, other: Self) -> Self {
                $make(self, other)
            }
        })*
        impl Neg for $of {
            type Output = Self;
            fn neg(self) -> Self {
                Self::from_f64(0.0) - self
            }
        }
    };
}

/// A number and its derivative.
#[derive(Clone, Copy, Debug)]
struct Dual(f64, f64);
operators!(
    Dual,
    Add add |a: Dual, b: Dual| Dual(a.0 + b.0, a.1 + b.1),
    Sub sub |a: Dual, b: Dual| Dual(a.0 - b.0, a.1 - b.1),
    Mul mul |a: Dual, b: Dual| Dual(a.0 * b.0, a.0 * b.1 + a.1 * b.0),
    Div div |a: Dual, b: Dual| Dual(a.0 / b.0, (a.1 - a.0 / b.0 * b.1) / b.0)
);
impl Scalar for Dual {
    fn from_f64(number: f64) -> Self {
        Dual(number, 0.0)
    }
    fn magnitude(self) -> f64 {
        self.0.abs()
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        if a.0 < b.0 { then } else { other }
    }
    fn sqrt(self) -> Self {
        let root = self.0.sqrt();
        Dual(root, self.1 / (2.0 * root))
    }
}

/// Two numbers at once.
#[derive(Clone, Copy, Debug)]
struct Pair([f64; 2]);
impl Pair {
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Pair(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}
operators!(
    Pair,
    Add add |a: Pair, b| a.with(b, |a, b| a + b),
    Sub sub |a: Pair, b| a.with(b, |a, b| a - b),
    Mul mul |a: Pair, b| a.with(b, |a, b| a * b),
    Div div |a: Pair, b| a.with(b, |a, b| a / b)
);
impl Scalar for Pair {
    fn from_f64(number: f64) -> Self {
        Pair([number; 2])
    }
    fn magnitude(self) -> f64 {
        self.0[0].abs().min(self.0[1].abs())
    }
    fn bound(self) -> f64 {
        self.0[0].abs().max(self.0[1].abs())
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        let one = |i: usize| {
            if a.0[i] < b.0[i] {
                then.0[i]
            } else {
                other.0[i]
            }
        };
        Pair([one(0), one(1)])
    }
    fn sqrt(self) -> Self {
        Pair(self.0.map(f64::sqrt))
    }
}

/// Small whole numbers, so that rows often depend on each other, and a few that are anything.
fn entry() -> impl Strategy<Value = f64> {
    prop_oneof![4 => (-2_i8..=2).prop_map(f64::from), 1 => -10.0..10.0]
}

fn matrix<const R: usize, const C: usize>() -> impl Strategy<Value = [[f64; C]; R]> {
    proptest::collection::vec(entry(), R * C)
        .prop_map(|flat| std::array::from_fn(|i| std::array::from_fn(|j| flat[i * C + j])))
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    // The sign of a zero that is an empty sum is no matter.
    numbers.iter().map(|x| (x + 0.0).to_bits()).collect()
}

/// M = L L^T.
fn square(root: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| root[i][k] * root[j][k]).sum()))
}

fn times(a: &[[f64; 4]; 3], x: &[f64; 4]) -> [f64; 3] {
    std::array::from_fn(|i| (0..4).map(|j| a[i][j] * x[j]).sum())
}

fn agrees(expected: Result<Vec<f64>, RoutineError>, found: Result<Vec<f64>, f64>) -> bool {
    match (expected, found) {
        (Ok(expected), Ok(found)) => bits(&expected) == bits(&found),
        (Err(RoutineError::NotFinite), Err(closeness)) => closeness.is_nan(),
        (Err(RoutineError::Inconsistent), Err(closeness)) => closeness == 0.0,
        (Err(RoutineError::SingularMass), Err(closeness)) => (0.0..=1e-9).contains(&closeness),
        (Err(RoutineError::NearlyDependent), Err(closeness)) => (1e-12..=1e-9).contains(&closeness),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn with_plain_numbers_the_routines_are_the_interpreters(
        root in matrix::<4, 4>(),
        force in matrix::<4, 1>(),
        a in matrix::<3, 4>(),
        q in matrix::<4, 1>(),
        noise in entry(),
    ) {
        let mass = square(&root);
        let (force, q) = (force.map(|[f]| f), q.map(|[q]| q));
        let mut b = times(&a, &q);
        if noise == 2.0 {
            b[1] += 1.0;
        }
        let kind = RoutineKind::Constrained { n: 4, m: 3 };
        let operands = [mass.as_flattened(), &force, a.as_flattened(), &b].concat();
        let found = solve(&mass, &force, &a, &b).map(|(q, l)| [&q[..], &l].concat());
        prop_assert!(agrees(run(kind, &operands), found));
        let kind = RoutineKind::MinimumNorm { rows: 3, cols: 4 };
        let operands = [a.as_flattened(), &b].concat();
        prop_assert!(agrees(run(kind, &operands), least(&a, &b).map(|x| x.to_vec())));
    }
}

/// Mass, force, rows, right-hand sides.
type Problem = ([[f64; 4]; 4], [f64; 4], [[f64; 4]; 3], [f64; 3]);

/// Three rows, the last the sum of the others, that change with `s`; consistent at every `s`.
fn problem(s: f64) -> Problem {
    let mut a = [
        [1.0 + s, 2.0, s * s, -1.0],
        [0.5, 1.0 - s, 3.0, 2.0 * s],
        [0.0; 4],
    ];
    a[2] = std::array::from_fn(|j| a[0][j] + a[1][j]);
    let root = [
        [2.0 + s, 0.0, 0.0, 0.0],
        [s, 1.5, 0.0, 0.0],
        [0.3, -s, 1.0, 0.0],
        [0.1, 0.2, s, 1.2],
    ];
    let b = times(&a, &[0.4, s, -1.0, 0.7 * s]);
    (square(&root), [s, 1.0 - s, 2.0, s * s], a, b)
}

#[test]
fn derivatives_go_through_the_routines() {
    const STEP: f64 = 1e-5;
    for s in [0.3, -0.6, 1.1] {
        let near = [s - STEP, s, s + STEP].map(problem);
        let dual = |pick: &dyn Fn(&Problem) -> f64| {
            let [below, here, above] = [0, 1, 2].map(|k| pick(&near[k]));
            Dual(here, (above - below) / (2.0 * STEP))
        };
        let mass = std::array::from_fn(|i| std::array::from_fn(|j| dual(&|p| p.0[i][j])));
        let force = std::array::from_fn(|i| dual(&|p| p.1[i]));
        let a = std::array::from_fn(|i| std::array::from_fn(|j| dual(&|p| p.2[i][j])));
        let b = std::array::from_fn(|i| dual(&|p| p.3[i]));
        let (q, lambda) = solve(&mass, &force, &a, &b).unwrap();
        let norm = least(&a, &b).unwrap();
        let found = [&q[..], &lambda, &norm].concat();
        let plain = |p: &Problem| {
            let (q, lambda) = solve(&p.0, &p.1, &p.2, &p.3).unwrap();
            [&q[..], &lambda, &least(&p.2, &p.3).unwrap()].concat()
        };
        let [below, here, above] = [0, 1, 2].map(|k| plain(&near[k]));
        for (k, Dual(value, slope)) in found.into_iter().enumerate() {
            let expected = (above[k] - below[k]) / (2.0 * STEP);
            assert_eq!(value.to_bits(), here[k].to_bits(), "{s} {k}");
            assert!(
                (slope - expected).abs() < 1e-6 * expected.abs().max(1.0),
                "{s} {k}: {slope} {expected}"
            );
        }
    }
}

#[test]
fn several_numbers_at_once_are_what_they_are_alone() {
    let two = [problem(0.3), problem(0.8)];
    let pair = |pick: &dyn Fn(usize) -> f64| Pair([pick(0), pick(1)]);
    let mass = std::array::from_fn(|i| std::array::from_fn(|j| pair(&|l| two[l].0[i][j])));
    let force = std::array::from_fn(|i| pair(&|l| two[l].1[i]));
    let a = std::array::from_fn(|i| std::array::from_fn(|j| pair(&|l| two[l].2[i][j])));
    let b = std::array::from_fn(|i| pair(&|l| two[l].3[i]));
    let (q, lambda) = solve(&mass, &force, &a, &b).unwrap();
    for (lane, p) in two.iter().enumerate() {
        let alone = solve(&p.0, &p.1, &p.2, &p.3).unwrap();
        // The pivots may be others: equal but for rounding.
        for (both, alone) in q.iter().chain(&lambda).zip(alone.0.iter().chain(&alone.1)) {
            assert!((both.0[lane] - alone).abs() < 1e-12, "{both:?} {alone}");
        }
    }
    // One has a pivot where the other has none.
    let mut apart = [[Pair([0.0; 2]); 4]; 3];
    apart[0][0] = Pair([1.0, 0.0]);
    apart[0][1] = Pair([0.0, 1.0]);
    let b = [Pair([0.0; 2]); 3];
    assert_eq!(solve(&mass, &force, &apart, &b).err(), Some(0.0));
    // Rows of different rank.
    apart[0][1] = Pair([0.0, 0.0]);
    assert_eq!(least(&apart, &b).err(), Some(0.0));
}
