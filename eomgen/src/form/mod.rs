//! Formulations.
