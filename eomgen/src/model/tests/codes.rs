//! The explanations of the model's codes are true: the example gets the code, the corrected text
//! gets nothing.

use super::{messages, system};
use crate::diag::codes::{geometry, loads, model, reactions, reuse, units};

#[test]
fn examples_get_their_code_and_corrections_none() {
    for entry in model::CODES
        .iter()
        .chain(units::CODES)
        .chain(geometry::CODES)
        .chain(loads::CODES)
    {
        let (_, found) = messages(entry.example);
        let mut codes: Vec<_> = found.iter().map(|d| d.code).collect();
        codes.dedup();
        assert_eq!(codes, [entry.code]);
        system(entry.corrected);
    }
}

#[test]
fn examples_of_reactions_get_their_code() {
    for entry in reactions::CODES {
        // What the mechanics finds out is tested with the pages.
        if !["E0463", "E0464", "N0466", "N0467", "N0468"].contains(&entry.code) {
            let (_, found) = messages(entry.example);
            let codes: Vec<_> = found.iter().map(|d| d.code).collect();
            assert_eq!(codes, [entry.code]);
        }
        system(entry.corrected);
    }
}

#[test]
fn examples_of_families_and_parts_get_their_code() {
    for entry in reuse::CODES {
        if !entry.example.is_empty() {
            let (_, found) = messages(entry.example);
            let codes: Vec<_> = found.iter().map(|d| d.code).collect();
            assert!(codes.contains(&entry.code), "{codes:?} {}", entry.code);
        }
        if !entry.corrected.is_empty() && entry.code != "E0406" {
            system(entry.corrected);
        }
    }
}
