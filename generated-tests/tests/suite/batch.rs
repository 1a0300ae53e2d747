//! Functions of many states at once against the same functions of one state.
#![cfg(feature = "generated")]

#[path = "../../src/variants/crane_batch.rs"]
pub(crate) mod crane_batch;
#[path = "../../src/variants/crane_f32_batch.rs"]
mod crane_f32_batch;
#[path = "../../src/variants/disc_batch.rs"]
mod disc_batch;
#[path = "../../src/variants/e2_appell_rheonomic_batch.rs"]
mod e2_appell_rheonomic_batch;
#[path = "../../src/variants/e4_sleigh_cartesian_batch.rs"]
mod e4_sleigh_cartesian_batch;
#[path = "../../src/variants/energy_hunt_crossley_batch.rs"]
mod energy_hunt_crossley_batch;
#[path = "../../src/variants/panda7_batch.rs"]
mod panda7_batch;
#[path = "../../src/variants/pend_abs_10_batch.rs"]
mod pend_abs_10_batch;
#[path = "../../src/variants/sleigh_ref_batch.rs"]
mod sleigh_ref_batch;
#[path = "../../src/variants/ur5_batch.rs"]
mod ur5_batch;

use e2_appell_rheonomic_batch::{Functions, Jet1};

/// What a function of one state gives: numbers, or nothing where it fails.
trait Outcome<const N: usize> {
    fn numbers(self) -> Option<[f64; N]>;
}
impl<const N: usize> Outcome<N> for [f64; N] {
    fn numbers(self) -> Option<[f64; N]> {
        Some(self)
    }
}
impl<const N: usize> Outcome<N> for [f32; N] {
    fn numbers(self) -> Option<[f64; N]> {
        Some(self.map(f64::from))
    }
}
impl<const N: usize, T: Outcome<N>, E> Outcome<N> for Result<T, E> {
    fn numbers(self) -> Option<[f64; N]> {
        self.ok().and_then(T::numbers)
    }
}

/// Rows as columns.
fn columns<T: Copy, const N: usize>(rows: &[[T; N]]) -> [Vec<T>; N] {
    std::array::from_fn(|k| rows.iter().map(|row| row[k]).collect())
}

/// Numbers that look random, in (-1, 1).
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    /// States around 0.6, so that lengths are lengths.
    fn rows<const N: usize>(&mut self, count: usize) -> Vec<[f64; N]> {
        (0..count)
            .map(|_| std::array::from_fn(|_| 0.6 + 0.5 * self.next()))
            .collect()
    }
}

/// Each state's numbers are near those that it has by itself: equal to `tolerance` of the largest of them, and NaN where it has none.
fn near<const N: usize>(
    what: &str,
    found: &[Vec<f64>; N],
    expected: impl Iterator<Item = Option<[f64; N]>>,
    tolerance: f64,
) {
    for (index, expected) in expected.enumerate() {
        let found: [f64; N] = std::array::from_fn(|k| found[k][index]);
        let Some(expected) = expected else {
            assert!(
                found.iter().all(|x| x.is_nan()),
                "{what} {index}: {found:?}"
            );
            continue;
        };
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (a, b) in found.iter().zip(expected) {
            let same = (a - b).abs() <= tolerance * size || a.is_nan() && b.is_nan();
            assert!(same, "{what} {index}: {found:?} {expected:?}");
        }
    }
}

/// Calls a function on some states one by one and all at once, at times and with inputs that look random, and compares; what the batch
/// says of a failure.
fn both<T: Copy + Into<f64>, E, const S: usize, const U: usize, const N: usize>(
    what: &str,
    states: &[[T; S]],
    (number, tolerance): (fn(f64) -> T, f64),
    one: impl Fn(T, &[T; S], [T; U]) -> Option<[f64; N]>,
    many: impl Fn(&[T], &[&[T]; S], &[&[T]; U], &mut [&mut [T]; N]) -> Result<(), E>,
) -> Result<(), E> {
    let mut random = Random(7);
    let t: Vec<T> = states.iter().map(|_| number(random.next())).collect();
    let inputs: Vec<[T; U]> = states
        .iter()
        .map(|_| std::array::from_fn(|_| number(2.0 * random.next())))
        .collect();
    let mut found: [Vec<T>; N] = std::array::from_fn(|_| vec![number(8.5); states.len()]);
    let said = many(
        &t,
        &columns(states).each_ref().map(|c| &c[..]),
        &columns(&inputs).each_ref().map(|c| &c[..]),
        &mut found.each_mut().map(|c| &mut c[..]),
    );
    let expected = (0..states.len()).map(|k| one(t[k], &states[k], inputs[k]));
    let found = found
        .each_ref()
        .map(|c| c.iter().map(|&x| x.into()).collect());
    near(what, &found, expected, tolerance);
    said
}

/// In double precision; the sum of the error of the sines, times what the equations make of it.
const DOUBLE: (fn(f64) -> f64, f64) = (|x| x, 1e-12);

/// [`both`] of a module's two functions.
macro_rules! check {
    ($module:ident, $states:expr, $kind:expr, [$($field:ident),*] $(, $functions:expr)?) => {{
        use $module as m;
        let p = m::Params::default();
        let states = &$states[..];
        let what = stringify!($module);
        let a = both(what, states, $kind,
            |t, x, [$($field),*]| m::accelerations(t, x, &p, &m::Inputs { $($field),* } $(, $functions)?).numbers(),
            |t, x, inputs, out| m::accelerations_batch(&m::Model::new(&p), t, x, inputs $(, $functions)?, out));
        let b = both(what, states, $kind,
            |t, x, [$($field),*]| m::derivative(t, x, &p, &m::Inputs { $($field),* } $(, $functions)?).numbers(),
            |t, x, inputs, out| m::derivative_batch(&m::Model::new(&p), t, x, inputs $(, $functions)?, out));
        assert_eq!(a, b);
        a
    }};
    ($module:ident, $states:expr, $kind:expr $(, $functions:expr)?) => {{
        use $module as m;
        let p = m::Params::default();
        let states = &$states[..];
        let what = stringify!($module);
        let a = both(what, states, $kind,
            |t, x, []| m::accelerations(t, x, &p $(, $functions)?).numbers(),
            |t, x, [], out| m::accelerations_batch(&m::Model::new(&p), t, x $(, $functions)?, out));
        let b = both(what, states, $kind,
            |t, x, []| m::derivative(t, x, &p $(, $functions)?).numbers(),
            |t, x, [], out| m::derivative_batch(&m::Model::new(&p), t, x $(, $functions)?, out));
        assert_eq!(a, b);
        a
    }};
}

/// One state less than a block, a block and one more, and an odd number of many; and few.
const LENGTHS: [usize; 8] = [0, 1, 4, 5, 8, 16, 17, 61];

#[test]
#[allow(non_snake_case)]
fn batches_of_any_length_agree() {
    for count in LENGTHS {
        let mut random = Random(count as u64);
        let (r, count) = (&mut random, count);
        assert_eq!(
            check!(crane_batch, r.rows(count), DOUBLE, [fx, fy, fl]),
            Ok(())
        );
        assert_eq!(
            check!(
                disc_batch,
                r.rows(count),
                DOUBLE,
                [tau_psi, tau_phi, tau_th]
            ),
            Ok(())
        );
        assert_eq!(
            check!(energy_hunt_crossley_batch, r.rows(count), DOUBLE),
            Ok(())
        );
        assert_eq!(
            check!(
                panda7_batch,
                r.rows(count),
                DOUBLE,
                [tau1, tau2, tau3, tau4, tau5, tau6, tau7]
            ),
            Ok(())
        );
        assert_eq!(
            check!(
                pend_abs_10_batch,
                r.rows(count),
                DOUBLE,
                [
                    F, tau1, tau2, tau3, tau4, tau5, tau6, tau7, tau8, tau9, tau10
                ]
            ),
            Ok(())
        );
        let sleigh = check!(
            sleigh_ref_batch,
            r.rows(count),
            DOUBLE,
            [tau_x, tau_y, tau_theta]
        );
        assert_eq!(sleigh, Ok(()));
        let ur5 = check!(
            ur5_batch,
            r.rows(count),
            DOUBLE,
            [tau1, tau2, tau3, tau4, tau5, tau6]
        );
        assert_eq!(ur5, Ok(()));
        assert_eq!(
            check!(e2_appell_rheonomic_batch, r.rows(count), DOUBLE, &Rheonomic),
            Ok(())
        );
    }
}

/// h = sin(x) y + z^2/2 + x cos(1.9 t)
struct Rheonomic;
impl Functions for Rheonomic {
    fn h(&self, x: f64, y: f64, z: f64, t: f64) -> Jet1<4> {
        let (s, c) = (1.9 * t).sin_cos();
        Jet1 {
            value: x.sin() * y + z * z / 2.0 + x * c,
            gradient: [x.cos() * y + c, x.sin(), z, -1.9 * x * s],
        }
    }
}

/// The rows of the constraints depend on each other, so the numerical routine is needed.
#[test]
fn numerical_routines_go_state_by_state() {
    let states = Random(3).rows(7);
    // The same function is called: the same bits.
    let exact = (DOUBLE.0, 0.0);
    let said = check!(e4_sleigh_cartesian_batch, states, exact);
    assert_eq!(said, Ok(()));
}

#[test]
fn batches_in_single_precision_agree() {
    for count in LENGTHS {
        let states: Vec<[f64; 10]> = Random(5).rows(count);
        let states: Vec<[f32; 10]> = states.iter().map(|s| s.map(|x| x as f32)).collect();
        let kind: (fn(f64) -> f32, f64) = (|x| x as f32, 2e-5);
        assert_eq!(check!(crane_f32_batch, states, kind, [fx, fy, fl]), Ok(()));
    }
}

/// Angles of any size have sines: near ones those of the batch, others those of the library.
#[test]
fn angles_of_any_size_agree() {
    let mut states: Vec<[f64; 5]> = Random(9).rows(21);
    let angles = [1e6, -1.599e6, 1.7e6, 1e300, -1e16, f64::MAX, 0.0, -1e-300];
    for (state, angle) in states[2..].iter_mut().zip(angles) {
        state[2] = angle;
    }
    let said = check!(sleigh_ref_batch, states, DOUBLE, [tau_x, tau_y, tau_theta]);
    assert_eq!(said, Ok(()));
    for none in [f64::NAN, f64::INFINITY] {
        states[12][2] = none;
        let said = check!(sleigh_ref_batch, states, DOUBLE, [tau_x, tau_y, tau_theta]);
        assert_eq!(said, Ok(()));
    }
}

/// A disc that lies flat, in the middle: its results are NaN, those of its neighbours are there, and the first such state is named.
#[test]
fn singular_states_are_named() {
    let mut states: Vec<[f64; 8]> = Random(11).rows(23);
    for (index, first) in [(20, 20), (9, 9), (10, 9), (0, 0)] {
        states[index][3] = std::f64::consts::FRAC_PI_2;
        let said = check!(disc_batch, states, DOUBLE, [tau_psi, tau_phi, tau_th]);
        match said {
            Err(disc_batch::BatchError::Singular { index, singular }) => {
                assert_eq!(index, first);
                let text = disc_batch::CONDITIONS[singular.condition];
                assert!(text.contains("phi"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Nor has a state that is not finite, or whose results overflow: the last condition says so.
#[test]
fn results_that_are_not_finite_are_named() {
    for wrong in [f64::NAN, f64::INFINITY, 1e200] {
        let mut states: Vec<[f64; 8]> = Random(12).rows(23);
        for index in [21, 8] {
            // The rate of the yaw, whose square is in the results.
            states[index][5] = wrong;
            let p = disc_batch::Params::default();
            let by_column = columns(&states);
            let given = by_column.each_ref().map(|column| &column[..]);
            let mut results = [0; 5].map(|_| vec![0.0; states.len()]);
            let mut out = results.each_mut().map(|column| &mut column[..]);
            let loads = [&[0.0][..]; 3];
            let model = disc_batch::Model::new(&p);
            let said = disc_batch::accelerations_batch(&model, &[0.0], &given, &loads, &mut out);
            match said {
                Err(disc_batch::BatchError::Singular {
                    index: found,
                    singular,
                }) => {
                    assert_eq!((found, singular.closeness.is_nan()), (index, true));
                    assert_eq!(singular.condition + 1, disc_batch::CONDITIONS.len());
                }
                other => panic!("{wrong}: {other:?}"),
            }
            assert!(results.iter().all(|column| column[index].is_nan()));
            let state = &states[index];
            let inputs = disc_batch::Inputs {
                tau_psi: 0.0,
                tau_phi: 0.0,
                tau_th: 0.0,
            };
            assert!(disc_batch::accelerations(0.0, state, &p, &inputs).is_err());
            assert!(disc_batch::derivative(0.0, state, &p, &inputs).is_err());
        }
    }
}

/// A batch is what its states are: neither their number nor their neighbours change a bit.
#[test]
fn neighbours_do_not_matter() {
    let p = crane_batch::Params::default();
    let states: Vec<[f64; 10]> = Random(13).rows(19);
    let run = |states: &[[f64; 10]]| {
        let mut out: [Vec<f64>; 5] = std::array::from_fn(|_| vec![0.0; states.len()]);
        let said = crane_batch::accelerations_batch(
            &crane_batch::Model::new(&p),
            &[0.0],
            &columns(states).each_ref().map(|c| &c[..]),
            // One entry for all.
            &[&[1.0], &[2.0], &[-3.0]],
            &mut out.each_mut().map(|c| &mut c[..]),
        );
        assert_eq!(said, Ok(()));
        out
    };
    let all = run(&states);
    for (index, state) in states.iter().enumerate() {
        let alone = run(std::slice::from_ref(state));
        for (alone, all) in alone.iter().zip(&all) {
            assert_eq!(alone[0].to_bits(), all[index].to_bits());
        }
    }
}

/// The functions of a known number of states give the bits of the columns: at angles of any size, too.
#[test]
fn lanes_give_the_same_bits() {
    use sleigh_ref_batch as m;
    let (p, forces) = (m::Params::default(), [[1.0; 4], [-2.0; 4], [0.5; 4]]);
    let mut states: Vec<[f64; 5]> = Random(17).rows(4);
    for angle in [0.3, std::f64::consts::PI, 1e9] {
        states[1][2] = angle;
        let columns: [[f64; 4]; 5] = columns(&states).map(|c| c.try_into().unwrap());
        let given = columns.each_ref().map(|c| &c[..]);
        let pushed = forces.each_ref().map(|c| &c[..]);
        let mut out = [[[0.0; 4]; 3]; 2];
        let [plain, lanes] = &mut out;
        let model = m::Model::new(&p);
        let mut plain = plain.each_mut().map(|c| &mut c[..]);
        m::accelerations_batch(&model, &[0.0], &given, &pushed, &mut plain).unwrap();
        m::accelerations_lanes(&model, &[0.0; 4], &columns, &forces, lanes);
        let bits = out.map(|way| way.map(|column| column.map(f64::to_bits)));
        assert_eq!(bits[0], bits[1]);
        assert_ne!(bits[0], [[0; 4]; 3]);
    }
}

/// A disc that lies flat among discs that don't, in lanes.
#[test]
fn singular_lanes_are_named() {
    use disc_batch as m;
    let model = m::Model::new(&m::Params::default());
    let mut states: Vec<[f64; 8]> = Random(19).rows(7);
    let run = |states: &[[f64; 8]]| {
        let columns: [[f64; 7]; 8] = columns(states).map(|c| c.try_into().unwrap());
        let mut out = [[0.0; 7]; 5];
        let forces = [[0.1; 7], [0.2; 7], [0.3; 7]];
        let said = m::accelerations_lanes(&model, &[0.0; 7], &columns, &forces, &mut out);
        (said, out)
    };
    let (said, upright) = run(&states);
    assert_eq!(said, Ok(()));
    for lane in [5, 2] {
        states[lane][3] = std::f64::consts::FRAC_PI_2;
    }
    let (said, out) = run(&states);
    assert!(matches!(
        said,
        Err(m::BatchError::Singular { index: 2, .. })
    ));
    for (column, upright) in out.iter().zip(&upright) {
        for lane in 0..7 {
            match lane {
                2 | 5 => assert!(column[lane].is_nan()),
                _ => assert_eq!(column[lane].to_bits(), upright[lane].to_bits()),
            }
        }
    }
}

/// What is left behind whole blocks is counted from the start, and a state that stands there again does not matter.
#[test]
fn singular_states_behind_whole_blocks_are_named() {
    for count in [1, 3, 5, 13, 18, 29] {
        let mut states: Vec<[f64; 8]> = Random(23).rows(count);
        states[count - 1][3] = std::f64::consts::FRAC_PI_2;
        let said = check!(disc_batch, states, DOUBLE, [tau_psi, tau_phi, tau_th]);
        let last = count - 1;
        assert!(
            matches!(said, Err(disc_batch::BatchError::Singular { index, .. }) if index == last)
        );
    }
}

#[test]
fn columns_of_another_length_are_refused_and_nothing_is_written() {
    let model = sleigh_ref_batch::Model::new(&sleigh_ref_batch::Params::default());
    let (three, two) = ([0.5; 3], [0.5; 2]);
    let mut out = [[7.0; 3]; 3];
    let mut call = |states: &[&[f64]; 5], input: &[f64]| {
        let mut out = out.each_mut().map(|c| &mut c[..]);
        let inputs = [&three, input, &three[..1]];
        sleigh_ref_batch::accelerations_batch(&model, &[0.0], states, &inputs, &mut out)
    };
    let wrong = sleigh_ref_batch::BatchError::Length {
        expected: 3,
        found: 2,
    };
    assert_eq!(
        call(&[&three, &three, &two, &three, &three], &three),
        Err(wrong)
    );
    assert_eq!(call(&[&three; 5], &two), Err(wrong));
    assert_eq!(wrong.to_string(), "a column of 2 entries for 3 states");
    assert_eq!(out, [[7.0; 3]; 3]);
}
