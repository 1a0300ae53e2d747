//! Random machines: drawn from a seed, written as a model, and evaluated by an oracle that shares nothing with the library.

pub mod beside;
pub mod catalogue;
pub mod choice;
pub mod differences;
pub mod draw;
pub mod expr;
pub mod language;
pub mod linear;
pub mod machine;
pub mod mistakes;
pub mod motion;
pub mod number;
pub mod numbers;
pub mod oracle;
pub mod record;
pub mod reduce;
pub mod report;
pub mod run;
pub mod series;
pub mod trial;
