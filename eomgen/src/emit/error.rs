//! Why a module could not be written. All of these are mistakes of the caller, none of the model.

/// Why a module could not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// A number is beyond the range of `f64`.
    #[error("the number {} does not fit into an f64", brief(number))]
    Overflow {
        /// The number, exactly.
        number: String,
    },
    /// The graph reads an input that the module doesn't declare.
    #[error(
        "function `{function}` reads entry {index} of input group {group}, which the module doesn't have"
    )]
    UnknownInput {
        /// The function at fault.
        function: String,
        /// The slot's group.
        group: u8,
        /// The slot's index.
        index: u32,
    },
    /// The graph calls a user function, or reads a derivative of one, that the module doesn't declare.
    #[error(
        "function `{function}` calls user function {index} in a way that the module doesn't declare"
    )]
    UnknownFunction {
        /// The function at fault.
        function: String,
        /// The index of the user's function.
        index: u32,
    },
    /// A condition that the module doesn't list.
    #[error("function `{function}` refers to a singular condition that the module doesn't list")]
    UnknownCondition {
        /// The function at fault.
        function: String,
    },
    /// The number of outputs isn't that of the result's shape.
    #[error("function `{function}` has {found} outputs; its result holds {expected}")]
    WrongShape {
        /// The function at fault.
        function: String,
        /// The shape's size.
        expected: usize,
        /// The number of outputs.
        found: usize,
    },
    /// A call or a routine where a number must be.
    #[error("function `{function}` uses a call or a routine as a number")]
    NotANumber {
        /// The function at fault.
        function: String,
    },
    /// Many states at once, with numbers of any type.
    #[error(
        "--batch is for f64 and f32; with --scalar generic several states are computed at once by a type of several numbers (docs/scalars.md)"
    )]
    GenericBatch,
    /// Fused operations or sines of the module's own, with numbers of any type.
    #[error(
        "--fma and --math inline are for f64 and f32; with --scalar generic the trait's functions are the type's own (docs/scalars.md)"
    )]
    GenericStyle,
    /// A search for states, with numbers of any type.
    #[error("--output assemble is for f64 and f32; a module for numbers of any type has none")]
    GenericAssembly,
    /// `discretized` in a module for numbers of any type.
    #[error("--output discretized is for f64 and f32; a module for numbers of any type has none")]
    GenericSampling,
    /// Two items of the module have one name.
    #[error("the module has two items named `{name}`")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// An item's name isn't an identifier.
    #[error("`{name}` cannot be the name of an item")]
    BadName {
        /// The name.
        name: String,
    },
    /// The text that was written isn't Rust: a defect of this module.
    #[error("the emitter wrote something that isn't Rust: {message}")]
    NotRust {
        /// The parser's message.
        message: String,
    },
}

/// The beginning and the end of a long number.
fn brief(number: &str) -> String {
    match (number.get(..12), number.len()) {
        (Some(first), 13..) => format!("{first}... of {} digits", number.len()),
        _ => number.to_owned(),
    }
}
