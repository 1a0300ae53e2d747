//! The accelerations of many states at once, and of the same states one by one: look at the time of 1024 states, or at the items per
//! second, which are states.

#[path = "../../src/variants/disc_batch.rs"]
mod disc_code;
#[path = "../../src/variants/panda7_batch.rs"]
mod panda7_code;
#[path = "../../src/variants/pend_abs_10_batch.rs"]
mod pend_abs_10_code;
#[path = "../../src/variants/sleigh_ref_batch.rs"]
mod sleigh_ref_code;
#[path = "../../src/variants/ur5_batch.rs"]
mod ur5_code;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

/// How many states.
const COUNTS: [usize; 3] = [4, 16, 1024];

/// Columns of numbers between 0.1 and 1.1 that look random.
fn columns<const N: usize>(count: usize) -> [Vec<f64>; N] {
    let mut seed = 1_u64;
    std::array::from_fn(|_| {
        let numbers = (0..count).map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005);
            seed = seed.wrapping_add(1_442_695_040_888_963_407);
            0.1 + (seed >> 11) as f64 / (1_u64 << 53) as f64
        });
        numbers.collect()
    })
}

macro_rules! rows {
    ($module:ident, $code:ident, $coordinates:literal, [$($input:ident),*]) => {
        mod $module {
            use super::*;

            use super::$code as code;
            use code::{Inputs, Model, Params, STATES};

            const INPUTS: usize = [$(stringify!($input)),*].len();

            #[divan::bench(args = COUNTS)]
            fn together(bencher: Bencher, count: usize) {
                let states: [Vec<f64>; STATES] = columns(count);
                let inputs: [Vec<f64>; INPUTS] = columns(count);
                let mut out: [Vec<f64>; $coordinates] = columns(count);
                let model = Model::new(&Params::default());
                bencher.counter(ItemsCount::new(count)).bench_local(|| {
                    code::accelerations_batch(
                        black_box(&model),
                        &[0.0],
                        &black_box(&states).each_ref().map(|c| &c[..]),
                        &inputs.each_ref().map(|c| &c[..]),
                        &mut out.each_mut().map(|c| &mut c[..]),
                    )
                });
            }

            #[divan::bench(args = COUNTS)]
            #[allow(non_snake_case)]
            fn one_by_one(bencher: Bencher, count: usize) {
                let states: [Vec<f64>; STATES] = columns(count);
                let inputs: [Vec<f64>; INPUTS] = columns(count);
                let model = Model::new(&Params::default());
                bencher.counter(ItemsCount::new(count)).bench_local(|| {
                    for k in 0..count {
                        let state = black_box(&states).each_ref().map(|c| c[k]);
                        let [$($input),*] = inputs.each_ref().map(|c| c[k]);
                        let inputs = Inputs { $($input),* };
                        let _ = black_box(black_box(&model).accelerations(0.0, &state, &inputs));
                    }
                });
            }
        }
    };
}

rows!(disc, disc_code, 5, [tau_psi, tau_phi, tau_th]);
rows!(
    panda7,
    panda7_code,
    7,
    [tau1, tau2, tau3, tau4, tau5, tau6, tau7]
);
rows!(
    pend_abs_10,
    pend_abs_10_code,
    11,
    [
        F, tau1, tau2, tau3, tau4, tau5, tau6, tau7, tau8, tau9, tau10
    ]
);
rows!(sleigh_ref, sleigh_ref_code, 3, [tau_x, tau_y, tau_theta]);
rows!(ur5, ur5_code, 6, [tau1, tau2, tau3, tau4, tau5, tau6]);
