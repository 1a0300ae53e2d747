//! The parts of functions of many states that are the same in all modules.

use super::{functions, split};
use crate::emit::arrangement::is_fallible;
use crate::emit::layout::Writer;
use crate::emit::module::{Math, Module, Scalar};
use crate::emit::runtime::typed;

/// The names of all items that these parts have.
pub const ITEMS: &[&str] = &[
    "BatchError",
    "FEW_LANES",
    "MANY_LANES",
    "all_sound",
    "batch_lengths",
    "entry",
    "padded",
    "sin_cos",
    "sin_cos_each",
    "splat",
    "spread",
    "wrong_length",
];

const COLUMN: &str = include_str!("../runtime/column.rs");
const ENTRY: &str = include_str!("../runtime/entry.rs");
const ERROR: &str = include_str!("../runtime/batch_error.rs");
const LENGTHS: &str = include_str!("../runtime/batch_lengths.rs");
const SINGULAR: &str = include_str!("../runtime/batch_singular.rs");
const SIN_COS: &str = include_str!("../runtime/sin_cos.rs");
const SOUND: &str = include_str!("../runtime/all_sound.rs");

/// Which of these parts a module needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns {
    any: bool,
    fallible: bool,
    /// Some function takes states side by side.
    lanes: bool,
    /// Some of these can fail.
    checked: bool,
    /// Some have sines.
    pub sines: bool,
}

impl Columns {
    /// What the module's functions of many states use.
    pub fn of(module: &Module) -> Self {
        let mut needs = Self {
            // Equal branches take sines side by side.
            sines: module.math == Math::Inline && !module.branches.angles.is_empty(),
            ..Self::default()
        };
        for function in functions(module) {
            needs.any = true;
            needs.fallible |= is_fallible(module, function);
            if let Some(split) = split::split(module, &function.body) {
                needs.lanes = true;
                needs.checked |= split.checked;
                needs.sines |= split.angles > 0;
            }
        }
        needs
    }

    /// The error type.
    pub fn write_public(self, scalar: Scalar, out: &mut Writer) {
        let error = if self.fallible { SINGULAR } else { ERROR };
        write(&[(self.any, error)], scalar, out);
    }

    /// What the functions call.
    pub fn write_private(self, scalar: Scalar, out: &mut Writer) {
        let [many, few] = widths(scalar);
        if self.lanes {
            out.docs(&["How many states are taken at once.".to_owned()]);
            out.line(&format!("const MANY_LANES: usize = {many};"));
            out.blank();
            out.docs(&["How many are where few are left.".to_owned()]);
            out.line(&format!("const FEW_LANES: usize = {few};"));
            out.blank();
        }
        let parts = [
            (self.any, LENGTHS),
            (self.any, ENTRY),
            (self.lanes, COLUMN),
            (self.checked, SOUND),
            (self.sines, SIN_COS),
        ];
        write(&parts, scalar, out);
    }
}

/// How many numbers a processor has side by side at most, and where few are left; their columns in a large model still fit into the
/// nearest memory.
fn widths(scalar: Scalar) -> [usize; 2] {
    match scalar {
        Scalar::F32 => [32, 8],
        _ => [16, 4],
    }
}

/// The texts of all parts that are the same in every module for numbers of a type, each a few items.
pub fn fixed(scalar: Scalar) -> Vec<String> {
    let parts = [COLUMN, ENTRY, ERROR, LENGTHS, SINGULAR, SIN_COS, SOUND];
    let mut texts: Vec<String> = parts.iter().map(|part| typed(part, scalar)).collect();
    let [many, few] = widths(scalar);
    texts.push(format!("const MANY_LANES: usize = {many};"));
    texts.push(format!("const FEW_LANES: usize = {few};"));
    texts
}

fn write(parts: &[(bool, &str)], scalar: Scalar, out: &mut Writer) {
    for (_, part) in parts.iter().filter(|part| part.0) {
        out.verbatim(&typed(part, scalar));
        out.blank();
    }
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
