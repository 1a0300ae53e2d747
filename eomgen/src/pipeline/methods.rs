//! The formulations by name, for `eomgen methods` and for checking `--method`.

pub use crate::catalogue::Method as MethodInfo;

/// All formulations, in the order of the manual.
pub fn methods() -> Vec<MethodInfo> {
    crate::catalogue::METHODS.to_vec()
}
