//! What is asked of a motion beside the model, as text.

use serde::{Deserialize, Serialize};

use crate::machine::Direction;

/// An event that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRequest {
    /// How it was written.
    pub text: String,
    /// What passes through 0.
    pub expression: String,
    /// Which way.
    pub direction: Direction,
    /// Whether the motion ends there.
    pub ends: bool,
}

/// What is known from outside of the model, and what is to be followed. Names and texts; values are expressions in the model's language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotionRequest {
    /// Parameters.
    pub params: Vec<(String, String)>,
    /// Coordinates and speeds at the start.
    pub initial: Vec<(String, String)>,
    /// What an operating point has to keep: coordinates, speeds, inputs, parameters.
    pub held: Vec<(String, String)>,
    /// Inputs as expressions.
    pub inputs: Vec<(String, String)>,
    /// Inputs as tables: times and values.
    pub tables: Vec<(String, Vec<f64>, Vec<f64>)>,
    /// Inputs that have no value are 0.
    pub idle: bool,
    /// User functions.
    pub functions: Vec<(String, String)>,
    /// Expressions to follow.
    pub watch: Vec<String>,
    /// Events.
    pub events: Vec<EventRequest>,
    /// Events of the model that end the motion.
    pub ending: Vec<String>,
    /// Whether energies and work are compared.
    pub audit: bool,
    /// Whether the machine is drawn.
    pub scene: bool,
    /// Whether linear models are made of it.
    pub slopes: bool,
}
