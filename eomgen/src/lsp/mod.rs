//! A language server: what an editor asks of models while they are written. Built on the front end alone; it never waits for the algebra
//! engine. What needs the engine comes from a process beside it, `engine`, whenever it comes.
//!
//! [`run`] serves standard input and output, [`serve`] any connection. `world` holds the files and what is found of them, `names` what a
//! file declares and mentions; each feature is a file of its own, a function of the world; `requests` and `server` know the protocol.

mod completion;
mod context;
mod diagnostics;
mod engine;
mod functions;
mod hints;
mod hover;
mod layout;
mod names;
mod outline;
mod place;
mod position;
mod publish;
mod rename;
mod requests;
mod rust;
mod server;
#[cfg(test)]
mod tests;
mod textmate;
mod tokens;
#[cfg(test)]
mod treesitter;
mod world;

pub use engine::Engine;
pub use server::{run, serve, serve_with};
pub use textmate::grammar;
