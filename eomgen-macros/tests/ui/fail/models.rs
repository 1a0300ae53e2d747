// What is wrong with a model is shown at the literal that names it, with the place in the model.

use eomgen_macros::derive_eom;

#[derive_eom("models/mistakes.eom")]
mod mistakes {
    pub fn own() {}
}

#[derive_eom(text = "model inline\ncoord x : m\npoint P = O + z*N.x\nparticle A: mass 1 [kg] at P")]
mod inline {}

#[derive_eom("models/nonlinear.eom", method = "maggi")]
mod refused {}

#[derive_eom("models/blade.eom", dependent = "z'")]
mod rate {}

#[derive_eom("models/line.eom", set(n = 3))]
mod constant {}

#[derive_eom("models/blade.eom", method = "kane", output = "chart_matrix")]
mod output {}

#[derive_eom("models/missing_part.eom")]
mod part {}

#[derive_eom("models/nothing.eom")]
mod missing {}

#[derive_eom("models/parts")]
mod folder {}

#[derive_eom("models/latin1.eom")]
mod latin1 {}

fn main() {
    // The user's own items are there all the same.
    mistakes::own();
}
