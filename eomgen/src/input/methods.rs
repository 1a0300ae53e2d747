//! The formulations and quantities by name, for `eomgen methods` and for checking `--method`.

pub use crate::catalogue::Method as MethodInfo;
pub use crate::catalogue::{Place as QuantityPlace, Quantity as QuantityInfo};

use crate::catalogue;

/// All formulations, in the order of the manual.
pub fn methods() -> Vec<MethodInfo> {
    catalogue::METHODS.to_vec()
}

/// Whether a quantity has to be asked for, and which formulations have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityEntry {
    /// Name, symbol, meaning and source.
    pub about: QuantityInfo,
    /// Whether every module has it without `--output`.
    pub by_default: bool,
    /// Whether `--output standard` asks for it.
    pub standard: bool,
    /// Formulations that have it.
    pub methods: Vec<&'static str>,
    /// The source with its authors written out.
    pub citation: String,
}

/// All quantities: those of every formulation, those of single ones, then those that every module has.
pub fn quantities() -> Vec<QuantityEntry> {
    let entry = |about: &QuantityInfo, standard| QuantityEntry {
        about: *about,
        by_default: catalogue::DEFAULT.contains(&about.name),
        standard,
        methods: catalogue::methods_with(about.name),
        citation: catalogue::citation(about.source),
    };
    let asked = catalogue::to_ask_for().map(|q| entry(q, false));
    let standard = catalogue::STANDARD.iter().map(|q| entry(q, true));
    let routines = catalogue::ROUTINES.iter().map(|q| entry(q, false));
    asked.chain(routines).chain(standard).collect()
}
