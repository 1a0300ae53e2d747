//! From tree to [`System`]: names resolved, units and vector types checked.
pub mod system;
pub use system::System;
