// A name that is derived too.

use eomgen_macros::derive_eom;

#[derive_eom("models/line.eom")]
mod line {
    const STATES: usize = 3;
}

fn main() {}
