// Every option, and what it does to the module.

use eomgen_macros::derive_eom;

// The path alone: the mass on a spring has x'' = -k/m x.
#[derive_eom("models/line.eom")]
pub mod plain {}

#[derive_eom(model = "models/blade.eom", method = "maggi", dependent = "x'")]
mod maggi {}

#[derive_eom(
    "models/blade.eom",
    method = "udwadia-kalaba",
    inverse = "moore-penrose",
    form = "closed",
    output = ["tangent_projector", "gibbs_function"],
)]
mod projector {}

#[derive_eom("models/blade.eom", method = "jourdain", route = "II", math = "libm", output = "applied_forces")]
mod jourdain {}

// A constant of a part, in a file of its own.
#[derive_eom("models/chain.eom", set(row.n = 3), form = "staged", dependent = [])]
mod chain {}

// A text; paths in it count from the crate's folder.
#[derive_eom(
    text = r#"
        model two_rows
        use "models/parts/masses.eom" as left
        use "models/parts/masses.eom" as right
    "#
)]
mod inline {}

fn main() {
    let p = plain::Params { m: 2.0, k: 8.0 };
    assert_eq!(plain::accelerations(0.0, &[0.5, 1.0], &p), [-2.0]);

    // A skate that points along x glides straight on, and its edge allows no motion along y.
    let p = projector::Params { m: 2.0, J: 3.0 };
    let state = [0.0, 0.0, 0.0, 1.5, 0.0, 0.0];
    assert_eq!(projector::accelerations(0.0, &state, &p), [0.0; 3]);
    let allowed = projector::tangent_projector(0.0, &state, &p);
    assert_eq!(allowed, [[1.0, 0.0, 0.0], [0.0; 3], [0.0, 0.0, 1.0]]);
    assert_eq!(jourdain::STATES, 6);
    // The rate of x is no state.
    assert_eq!(maggi::STATES, 5);

    assert_eq!((chain::COORDINATES, inline::COORDINATES), (3, 2));
    let p = inline::Params::default();
    let rates = inline::derivative(0.0, &[1.0, 0.0, 0.0, 0.5], &p);
    assert_eq!(rates, [0.0, 0.5, -4.0, 0.0]);
}
