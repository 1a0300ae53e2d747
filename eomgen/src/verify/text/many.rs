//! The functions of many states that a module may have beside those of one, and what they share. They are not read: the other functions are, and these are
//! reported as not compared.

use syn::{File, Item, Type};

/// What the functions for a name are called, behind the name.
const SUFFIXES: [&str; 6] = ["_batch", "_lanes", "_blocks", "_rest", "_block", "_one"];

/// What they share.
const SHARED: [&str; 9] = [
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

/// Whether a module has such functions.
pub(super) fn are_in(file: &File) -> bool {
    file.items
        .iter()
        .any(|item| matches!(item, Item::Enum(of) if of.ident == "BatchError"))
}

/// What an item of such a module is, if it belongs to them: nothing, or the name of the function that it is for.
pub(super) fn name_of(item: &Item) -> Option<Option<String>> {
    match item {
        Item::Enum(of) if of.ident == "BatchError" => Some(None),
        Item::Impl(of) => {
            let Type::Path(path) = &*of.self_ty else {
                return None;
            };
            path.path.is_ident("BatchError").then_some(None)
        }
        Item::Const(of) if of.ident == "MANY_LANES" || of.ident == "FEW_LANES" => Some(None),
        Item::Fn(of) => {
            let name = of.sig.ident.to_string();
            if SHARED.contains(&name.as_str()) {
                return Some(None);
            }
            if let Some((base, number)) = name.rsplit_once("_stage_") {
                let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
                return is_number.then(|| Some(base.to_owned()));
            }
            let base = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
            base.map(|base| Some(base.to_owned()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_known_by_their_names() {
        let of = |text: &str| name_of(&syn::parse_str(text).unwrap());
        let base = |name: &str| Some(Some(name.to_owned()));
        assert_eq!(of("fn accelerations_blocks() {}"), base("accelerations"));
        assert_eq!(of("fn derivative_stage_12() {}"), base("derivative"));
        assert_eq!(of("pub fn output_one_batch() {}"), base("output_one"));
        assert_eq!(of("fn padded() {}"), Some(None));
        assert_eq!(of("impl core::error::Error for BatchError {}"), Some(None));
        assert_eq!(of("fn derivative() {}"), None);
        assert_eq!(of("fn a_stage_x() {}"), None);
        assert_eq!(of("pub const STATES: usize = 2;"), None);
    }
}
