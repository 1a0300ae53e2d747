// Warnings on a model are warnings of the compiler; here they are errors.
#![deny(warnings)]

use eomgen_macros::derive_eom;

#[derive_eom("models/remark.eom")]
mod remark {}

fn main() {
    let _ = remark::STATES;
}
