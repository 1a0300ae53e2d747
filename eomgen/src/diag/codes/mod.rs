//! The table of diagnostic codes with their explanations; the manual and `eomgen explain` read it.
//!
//! Each area has a file of its own that calls `codes!` and thereby gets one constant per code and a list
//! `CODES`; `TABLES` joins them. E00xx: text and syntax; E01xx and E02xx: the model; E03xx: mechanics, with
//! N for notes and W for warnings in place of E. E06xx: descriptions that are imported.

pub mod formulations;
pub mod geometry;
pub mod import;
pub mod loads;
pub mod mechanics;
pub mod model;
pub mod motion;
pub mod quantities;
pub mod reactions;
pub mod reuse;
pub mod survey;
pub mod syntax;
pub mod units;

/// A code and what there is to say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0001`
    pub code: &'static str,
    /// One line without a full stop.
    pub title: &'static str,
    /// What the message means.
    pub what: &'static str,
    /// Why it is refused or remarked on.
    pub why: &'static str,
    /// Model text that gets the message; empty where none can.
    pub example: &'static str,
    /// What to write instead, in words.
    pub fix: &'static str,
    /// The example put right.
    pub corrected: &'static str,
}

impl Code {
    /// The manual page, in Markdown.
    pub fn explanation(&self) -> String {
        let block = |text: &str| {
            if text.is_empty() {
                return String::new();
            }
            format!("```eom\n{}\n```\n\n", text.trim_end())
        };
        let example = match self.example {
            "" => String::new(),
            text => format!("Example:\n\n{}", block(text)),
        };
        format!(
            "# {}: {}\n\n{}\n\n{}\n\n{example}{}\n\n{}",
            self.code,
            self.title,
            self.what,
            self.why,
            self.fix,
            block(self.corrected),
        )
    }
}

/// Declares the codes of one area: a `pub const E0001: &str` for each and the list `CODES` of all.
macro_rules! codes {
    ($($code:ident $title:literal {
        what: $what:literal,
        why: $why:literal,
        $(example: $example:literal,)?
        fix: $fix:literal $(,)?
        $(corrected: $corrected:literal $(,)?)?
    })*) => {
        $(
            #[doc = $title]
            pub const $code: &str = stringify!($code);
        )*
        /// The codes of this area, in order.
        pub const CODES: &[$crate::diag::codes::Code] = &[$(
            $crate::diag::codes::Code {
                code: $code,
                title: $title,
                what: $what,
                why: $why,
                example: concat!("" $(, $example)?),
                fix: $fix,
                corrected: concat!("" $(, $corrected)?),
            },
        )*];
    };
}
pub(crate) use codes;

/// The areas.
const TABLES: &[&[Code]] = &[
    syntax::CODES,
    model::CODES,
    units::CODES,
    mechanics::CODES,
    reactions::CODES,
    loads::CODES,
    reuse::CODES,
    geometry::CODES,
    survey::CODES,
    quantities::CODES,
    motion::CODES,
    import::CODES,
    formulations::CODES,
];

/// Every code, in order.
pub fn all() -> impl Iterator<Item = &'static Code> {
    let mut list: Vec<&'static Code> = TABLES.iter().copied().flatten().collect();
    list.sort_by_key(|entry| entry.code);
    list.into_iter()
}

/// The entry of a code such as `E0101`; capitals do not matter.
pub fn find(code: &str) -> Option<&'static Code> {
    all().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::{all, find};

    #[test]
    fn codes_are_ordered_unique_and_complete() {
        let mut last = "";
        for entry in all() {
            assert!(entry.code > last, "{} after {last}", entry.code);
            last = entry.code;
            assert!(
                entry.code.len() == 5 && entry.code.starts_with(['E', 'N', 'W']),
                "{}",
                entry.code
            );
            assert!(
                entry.code[1..].bytes().all(|b| b.is_ascii_digit()),
                "{}",
                entry.code
            );
            assert!(!entry.title.ends_with('.'), "{}", entry.code);
            for part in [entry.title, entry.what, entry.why, entry.fix] {
                assert!(
                    part.trim().len() > 8 && part.trim() == part,
                    "{}: {part:?}",
                    entry.code
                );
            }
            for part in [entry.what, entry.why, entry.fix] {
                assert!(part.ends_with(['.', ':']), "{}: {part:?}", entry.code);
            }
            assert!(
                entry.example != entry.corrected || entry.example.is_empty(),
                "{}",
                entry.code
            );
        }
        assert!(!last.is_empty());
    }

    /// The sources of the crate, with their paths.
    fn sources(folder: &std::path::Path, list: &mut Vec<(std::path::PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, list);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                list.push((path, text));
            }
        }
    }

    #[test]
    fn every_code_that_the_sources_use_is_explained() {
        let mut list = Vec::new();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        sources(&folder, &mut list);
        let mut used = 0;
        for (path, text) in list {
            for piece in text.split('"').skip(1) {
                let digits = piece.strip_prefix(['E', 'N', 'W']).unwrap_or("");
                let code = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
                // The one of the tests below.
                if code && piece != "E9999" {
                    assert!(find(piece).is_some(), "{piece} in {}", path.display());
                    used += 1;
                }
            }
        }
        assert!(used > 20, "{used}");
    }

    #[test]
    fn codes_are_found() {
        assert_eq!(find("E0001").map(|entry| entry.code), Some("E0001"));
        assert_eq!(find("e0001").map(|entry| entry.code), Some("E0001"));
        assert_eq!(find("E9999"), None);
        assert_eq!(find(""), None);
    }
}
