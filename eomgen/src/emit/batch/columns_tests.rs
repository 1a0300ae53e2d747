//! The sines and cosines against exact integers of 300 bits, and the columns.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};

#[allow(dead_code)]
mod variant {
    include!("../runtime/column.rs");
    include!("../runtime/entry.rs");
    include!("../runtime/batch_error.rs");
    include!("../runtime/batch_lengths.rs");
    include!("../runtime/sin_cos.rs");
    include!("../runtime/sincos.rs");
    include!("../runtime/sincos_near.rs");

    pub fn lanes<const W: usize>(all: &[f64], first: usize) -> [f64; W] {
        padded(all, first)
    }
    pub fn blocks<const W: usize>(all: &[f64]) -> Vec<[f64; W]> {
        spread([all], &[splat(all)])[0].to_vec()
    }
    pub fn near(angle: f64) -> (f64, f64, bool) {
        sincos_near(angle)
    }
    pub fn one(angle: f64) -> (f64, f64) {
        sincos(angle)
    }
    pub fn many<const W: usize>(angles: &[f64; W]) -> [[f64; W]; 2] {
        let (mut s, mut c) = ([0.0; W], [0.0; W]);
        sin_cos(angles, &mut s, &mut c);
        [s, c]
    }
    pub fn of(column: &[f64], index: usize) -> f64 {
        entry(column, index)
    }
    pub fn length(t: &[f64], states: &[&[f64]], inputs: &[&[f64]], out: &[&mut [f64]]) -> usize {
        let wrong = batch_lengths(states[0].len(), t, states, inputs, out);
        wrong.map_or_else(|BatchError::Length { found, .. }| found, |()| usize::MAX)
    }
}

/// With fused operations.
mod fused {
    include!("../runtime/sincos.rs");
    include!("../runtime/sincos_near_fma.rs");

    pub fn one(angle: f64) -> (f64, f64) {
        sincos(angle)
    }
}

mod single {
    // As a module for `f32` has it.
    fn sincos(angle: f32) -> (f32, f32) {
        match sincos_near(angle) {
            (sine, cosine, true) => (sine, cosine),
            _ => angle.sin_cos(),
        }
    }
    include!("../runtime/sincos_near_f32.rs");

    pub fn one(angle: f32) -> (f32, f32) {
        sincos(angle)
    }
    pub fn near(angle: f32) -> (f32, f32, bool) {
        sincos_near(angle)
    }
}

/// Binary digits behind the point.
const BITS: u32 = 300;

fn one() -> BigInt {
    BigInt::from(1) << BITS
}

/// pi by Machin's formula.
fn pi() -> BigInt {
    let arctangent = |of: u32| {
        let mut power = one() / of;
        let mut sum = power.clone();
        for k in 1.. {
            power = -(power / (of * of));
            if power.is_zero() || power == BigInt::from(-1) {
                break;
            }
            sum += &power / (2 * k + 1);
        }
        sum
    };
    (arctangent(5) * 4 - arctangent(239)) * 4
}

/// A double exactly; it has no bits beyond the last digit.
fn exact(x: f64) -> BigInt {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075 + BITS as i32;
    let whole = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let sign = if x < 0.0 { -1 } else { 1 };
    match exponent {
        _ if x == 0.0 => BigInt::zero(),
        0.. => (whole << exponent) * sign,
        _ => panic!("{x} is too small"),
    }
}

/// Sine and cosine by their series, after exact reduction.
fn sine_and_cosine(x: &BigInt, half_pi: &BigInt) -> [BigInt; 2] {
    let quarter: BigInt = (x * 2 + half_pi) / (half_pi * 2);
    // Division rounds to zero; any quarter near by will do.
    let r = x - &quarter * half_pi;
    let mut terms = [BigInt::zero(), BigInt::zero()];
    let mut term = one();
    for k in 1_u32.. {
        let even = usize::from(k % 2 == 0);
        terms[even] += &term * if (k - 1) / 2 % 2 == 0 { 1 } else { -1 };
        term = ((term * &r) >> BITS) / k;
        if term.abs() < BigInt::from(2) {
            break;
        }
    }
    let [cos, sin] = terms;
    let turn: BigInt = (quarter % 4 + 4) % BigInt::from(4);
    match turn.to_u32() {
        Some(0) => [sin, cos],
        Some(1) => [cos, -sin],
        Some(2) => [-sin, -cos],
        _ => [-cos, sin],
    }
}

/// The error in units of the last place of the exact number.
fn error(found: f64, expected: &BigInt) -> f64 {
    let length = expected.magnitude().bits() as i64;
    let unit = BigInt::from(1) << (length - 53).max(0);
    let off = (exact(found) - expected).abs();
    let millionths: BigInt = off * 1_000_000 / unit;
    millionths.to_f64().unwrap_or(f64::MAX) / 1e6
}

/// Numbers that look random.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

fn worst(angles: impl Iterator<Item = f64>) -> f64 {
    let half_pi = pi() >> 1;
    let mut worst: f64 = 0.0;
    for angle in angles {
        let expected = sine_and_cosine(&exact(angle), &half_pi);
        for (sin, cos) in [variant::one(angle), fused::one(angle)] {
            let here = error(sin, &expected[0]).max(error(cos, &expected[1]));
            assert!(here < 1.0, "{angle:e}: {here} units");
            worst = worst.max(here);
        }
    }
    worst
}

#[test]
fn the_reference_is_that_of_the_tables() {
    // Abramowitz and Stegun, table 4.6, x = 1; and pi to 50 digits.
    let [sin, cos] = sine_and_cosine(&one(), &(pi() >> 1));
    let digits = |x: BigInt, count: u32| ((x * BigInt::from(10).pow(count)) >> BITS).to_string();
    assert_eq!(digits(sin, 23), "84147098480789650665250");
    assert_eq!(digits(cos, 23), "54030230586813971740093");
    assert_eq!(
        digits(pi(), 50),
        "314159265358979323846264338327950288419716939937510"
    );
    assert_eq!(exact(-1.5).sign(), Sign::Minus);
}

#[test]
fn sines_of_any_angles_are_off_by_less_than_one_unit() {
    let mut seed = 1;
    let sizes = [1.0, 8.0, 100.0, 1e4, 1.6e6];
    let angles: Vec<f64> = (0..2500)
        .map(|k| sizes[k % sizes.len()] * (2.0 * random(&mut seed) - 1.0))
        .chain((0..60).map(|k| 0.7_f64.powi(k)))
        .chain([0.0, -0.0, 1.6e6, -1.6e6])
        .collect();
    let worst = worst(angles.into_iter());
    // The bound is near: the test sees errors of this size.
    assert!(worst > 0.5, "{worst}");
}

/// The doubles nearest to multiples of pi/2, and among them those of all multiples in reach that come nearest.
#[test]
fn sines_near_multiples_of_a_right_angle_are_off_by_less_than_one_unit() {
    let half_pi = pi() >> 1;
    let short: BigInt = &half_pi >> (BITS - 100);
    let short = short.to_u128().unwrap();
    let mut near: Vec<(u128, u32)> = (1..1_018_000_u32)
        .map(|n| {
            let multiple = short * u128::from(n);
            let spacing = 1_u128 << (127 - multiple.leading_zeros() - 52);
            let over = multiple % spacing;
            (over.min(spacing - over), n)
        })
        .collect();
    near.sort_unstable();
    assert!(near[0].0 < 1 << 46, "none is near: {:?}", near[0]);
    let hardest = near.into_iter().take(400).map(|(_, n)| n);
    let angles: Vec<f64> = hardest
        .chain(1..300)
        .flat_map(|n| {
            let multiple: BigInt = &half_pi * n;
            let shift = multiple.bits() - 53;
            let rounded: BigInt = ((multiple >> (shift - 1)) + 1_u32) >> 1_u32;
            let nearest = rounded.to_f64().unwrap() * 2_f64.powi(shift as i32 - BITS as i32);
            [nearest, -nearest, nearest.next_up(), nearest.next_down()]
        })
        .collect();
    worst(angles.into_iter());
}

/// Angles that the standard library has to look at are few: near multiples of pi/2 alone, and beyond the reach of the reduction.
#[test]
fn few_angles_are_left_to_the_standard_library() {
    let mut seed = 3;
    let mut far = 0;
    for k in 0..100_000 {
        let angle = [1.0, 10.0, 1e3][k % 3] * (2.0 * random(&mut seed) - 1.0);
        far += usize::from(!variant::near(angle).2);
    }
    assert!(far < 5, "{far}");
    assert!(variant::near(0.0).2 && variant::near(1e-300).2 && variant::near(1.6e6).2);
    assert!(!variant::near(std::f64::consts::FRAC_PI_2).2);
    assert!(!variant::near(std::f64::consts::PI).2);
}

#[test]
fn lanes_are_what_each_is_by_itself() {
    let angles = [0.3, std::f64::consts::PI, -1e9, f64::NAN];
    let [sines, cosines] = variant::many(&angles);
    for (lane, angle) in angles.into_iter().enumerate() {
        let (sine, cosine) = variant::one(angle);
        assert_eq!(sines[lane].to_bits(), sine.to_bits(), "{angle}");
        assert_eq!(cosines[lane].to_bits(), cosine.to_bits(), "{angle}");
    }
}

#[test]
fn minus_zero_stays_what_it_is() {
    assert_eq!(variant::one(-0.0).0.to_bits(), (-0.0_f64).to_bits());
    assert_eq!(fused::one(-0.0).0.to_bits(), (-0.0_f64).to_bits());
    assert_eq!(single::one(-0.0).0.to_bits(), (-0.0_f32).to_bits());
}

/// Beyond the reach of the reduction the work is left to the standard library.
#[test]
fn far_angles_are_the_standard_librarys() {
    for angle in [1.600_001e6, -1e9, 1e17, -1e300, f64::MAX] {
        assert_eq!(variant::one(angle), angle.sin_cos());
        assert_eq!(fused::one(angle), angle.sin_cos());
    }
    for angle in [1.61e6_f32, -1e9, 1e30] {
        assert_eq!(single::one(angle), angle.sin_cos());
        assert!(!single::near(angle).2);
    }
    for angle in [f64::INFINITY, f64::NAN] {
        assert!(variant::one(angle).0.is_nan() && fused::one(angle).1.is_nan());
    }
    assert!(!single::near(f32::INFINITY).2 && !single::near(f32::NAN).2);
}

#[test]
fn sines_in_single_precision_are_off_by_less_than_one_unit() {
    let mut seed = 2;
    let near = (1..40_000).map(|n| (f64::from(n) * std::f64::consts::FRAC_PI_2) as f32);
    let any = (0..100_000).map(|k| {
        let size = [1.0, 10.0, 1e3, 1.6e6][k % 4];
        (size * (2.0 * random(&mut seed) - 1.0)) as f32
    });
    for angle in near.chain(any) {
        let (sin, cos) = single::one(angle);
        let expected = f64::from(angle).sin_cos();
        for (found, expected) in [(sin, expected.0), (cos, expected.1)] {
            let nearest = expected as f32;
            let unit = f64::from(nearest.abs().next_up() - nearest.abs());
            let off = (f64::from(found) - expected).abs() / unit;
            assert!(off < 1.0, "{angle:e}: {off}");
        }
    }
}

#[test]
fn columns_end_with_their_last_entry() {
    let all = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(variant::lanes(&all, 0), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(variant::lanes(&all, 4), [5.0; 4]);
    assert_eq!(variant::lanes(&all, 3), [4.0, 5.0, 5.0, 5.0]);
    assert_eq!(variant::lanes(&[7.0], 8), [7.0; 4]);
    assert_eq!((variant::of(&all, 2), variant::of(&[7.0], 2)), (3.0, 7.0));
    assert_eq!(variant::blocks(&all), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(variant::blocks(&[7.0]), [[7.0; 4]]);
}

#[test]
fn columns_of_other_lengths_are_refused() {
    let (three, two) = ([0.0; 3], [0.0; 2]);
    let found = |t: &[f64], states: &[&[f64]], inputs: &[&[f64]], out: usize| {
        variant::length(t, states, inputs, &[&mut vec![0.0; out]])
    };
    const FINE: usize = usize::MAX;
    assert_eq!(found(&three, &[&three, &three], &[&three], 3), FINE);
    assert_eq!(found(&three[..1], &[&three], &[&three[..1]], 3), FINE);
    assert_eq!(found(&[], &[&[]], &[], 0), FINE);
    assert_eq!(found(&two, &[&three], &[], 3), 2);
    assert_eq!(found(&three, &[&three, &two], &[], 3), 2);
    assert_eq!(found(&three, &[&three, &three[..1]], &[], 3), 1);
    assert_eq!(found(&three, &[&three], &[&two], 3), 2);
    assert_eq!(found(&three, &[&three], &[], 2), 2);
    assert_eq!(found(&[], &[&three], &[], 3), 0);
}
