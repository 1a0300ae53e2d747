//! Proof that a generated text says what the mechanics says. A model is evaluated once more, from its statements alone and by
//! balances of momentum, and a generated module is read back as a person would read it; both in one arithmetic. Shares nothing with the
//! derivation: knows `syntax` and `model`, and nothing of expressions, formulations, plans or instructions.

pub mod ball;
pub mod checks;
pub mod compare;
pub mod judgement;
pub mod layout;
pub mod mutate;
pub mod number;
pub mod scene;
pub mod text;
pub mod truth;
