//! The five worked examples, against what their sources describe.
