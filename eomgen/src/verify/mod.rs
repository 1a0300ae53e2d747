//! Proof that a generated text says what the mechanics says. A model is evaluated once more, from its statements alone and by
//! balances of momentum, and a generated module is read back as a person would read it; both in one arithmetic. Shares nothing with the
//! derivation: knows `syntax` and `model`, and nothing of expressions, formulations, plans or instructions.

pub mod ball;
mod branches;
pub mod checks;
pub mod compare;
pub mod dual;
pub mod dynamics;
mod entries;
pub mod expectation;
mod facts;
pub mod identities;
pub mod layout;
pub mod linear;
pub mod machine;
pub mod mutate;
pub mod mutation_test;
pub mod number;
pub mod presence;
pub mod proof;
mod reduced;
pub mod rounding;
pub mod series;
mod shared;
mod slopes;
mod solutions;
pub mod states;
mod test_point;
#[cfg(test)]
mod tests;
pub mod text;
mod verifier;
