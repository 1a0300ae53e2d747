// A committed file that is not what would be derived, and the command that writes it.

use eomgen_macros::derive_eom;

#[derive_eom("models/line.eom", generated = "generated/other.rs")]
mod options {}

#[derive_eom("models/line.eom", generated = "generated/edited.rs")]
mod edited {}

#[derive_eom("models/line.eom", generated = "generated/line.rs", method = "lagrange", output = "applied_forces")]
mod asked {}

#[derive_eom("models/chain.eom", generated = "generated/missing.rs", set(row.n = 3))]
mod missing {}

#[derive_eom(text = "model m", generated = "generated/line.rs")]
mod inline {}

#[derive_eom("models/line.eom", generated = "models/line.eom")]
mod no_header {}

#[derive_eom("models/nothing.eom", generated = "generated/line.rs")]
mod no_model {}

fn main() {
    // What is stale is used all the same: this is no further error.
    let _ = (options::STATES, edited::STATES, asked::STATES);
}
