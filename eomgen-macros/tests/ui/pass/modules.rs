// The module stays the user's: visibility, attributes, documentation and own items. Warnings of the compiler are errors here.
#![deny(warnings, missing_docs)]
//! A crate.

use eomgen_macros::derive_eom;

/// The user's documentation.
#[derive_eom("models/line.eom")]
#[allow(clippy::all)]
pub mod line {
    //! More of it.
    #![deny(unused_variables)]

    use super::*;

    /// The user's own function, beside the derived ones.
    pub fn period(p: &Params) -> f64 {
        2.0 * std::f64::consts::PI * (p.m / p.k).sqrt()
    }

    /// And a module.
    pub mod inner {
        use super::derive_eom;
        #[derive_eom("models/chain.eom")]
        pub(crate) mod chain {}
    }
}

// The committed file.
#[derive_eom(generated = "generated/line.rs", model = "models/line.eom")]
pub(crate) mod committed {}

// A warning of the model can be switched off.
#[derive_eom("models/remark.eom")]
#[allow(deprecated)]
mod remark {}

// What a macro passes on.
macro_rules! model {
    ($name:ident, $path:literal, $method:expr) => {
        #[derive_eom($path, method = $method)]
        mod $name {}
    };
}
model!(lagrange, "models/line.eom", "lagrange");

fn main() {
    #[derive_eom("models/line.eom", method = "gibbs-appell")]
    mod local {}

    let p = line::Params { m: 4.0, k: 1.0 };
    assert!((line::period(&p) - 12.566370614359172).abs() < 1e-12);
    let state = [3.0, 1.0];
    let expect = line::derivative(0.0, &state, &p);
    assert_eq!(expect, [1.0, -0.75]);
    let p = committed::Params { m: 4.0, k: 1.0 };
    assert_eq!(committed::derivative(0.0, &state, &p), expect);
    let p = lagrange::Params { m: 4.0, k: 1.0 };
    assert_eq!(lagrange::derivative(0.0, &state, &p), expect);
    let p = local::Params { m: 4.0, k: 1.0 };
    assert_eq!(local::derivative(0.0, &state, &p), expect);
    assert_eq!((line::inner::chain::COORDINATES, remark::COORDINATES), (1, 1));
}
