//! Who may use whom: the edges between the modules of the library against the table of the manual.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../docs/architecture.md");

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The names in backquotes.
fn quoted(text: &str) -> Vec<String> {
    let pieces = text.split('`').skip(1).step_by(2);
    pieces.map(str::to_owned).collect()
}

/// From the code map: every module, and what it may use (`model::system` for a part of `model`).
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let table = PAGE.split("## Code map").nth(1).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 4, "{row}");
        let used = quoted(cells[3]).into_iter().collect();
        (quoted(cells[0]).remove(0), used)
    })
    .collect()
}

/// The files of the library that are not tests, with their module paths.
fn files(folder: &Path, module: &[String], found: &mut Vec<(PathBuf, Vec<String>)>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Deeper down a module of that name helps the tests of its neighbours; at the top it is one for users.
        let helps = stem == "testing" && !module.is_empty();
        if stem == "tests" || helps || stem.ends_with("_tests") {
            continue;
        }
        let mut inner = module.to_vec();
        if path.is_dir() {
            inner.push(stem);
            files(&path, &inner, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            if !["mod", "lib", "main"].contains(&stem.as_str()) {
                inner.push(stem);
            }
            found.push((path, inner));
        }
    }
}

/// The code without comments and without test modules.
fn code(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let attribute = line.trim();
        if attribute == "#[cfg(test)]" || attribute.starts_with("#[cfg(all(test,") {
            let next = lines.next().unwrap_or_default();
            if next.trim_end().ends_with('{') {
                let end = format!("{indent}}}");
                for inner in lines.by_ref() {
                    if inner == end {
                        break;
                    }
                }
            }
            continue;
        }
        kept.push(line.split("//").next().unwrap());
    }
    kept.join("\n")
}

/// Paths after `crate::`, two segments deep; groups in braces are taken apart.
fn uses(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let end = text.find(|c: char| c != '_' && !c.is_alphanumeric());
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let group = rest.strip_prefix('{');
        let items: Vec<&str> = match group {
            // No nested groups stand at this level: `use crate::{a::b, c}` is not the style here.
            Some(group) => group.split('}').next().unwrap().split(',').collect(),
            None => vec![rest],
        };
        for item in items {
            let item = item.trim();
            let first = word(item);
            let second = item[first.len()..].strip_prefix("::").map(word);
            found.push(match second {
                Some(second) if !second.is_empty() => format!("{first}::{second}"),
                _ => first,
            });
        }
    }
    found
}

fn library() -> Vec<(String, Vec<String>, String)> {
    let mut found = Vec::new();
    files(&source(), &[], &mut found);
    found
        .into_iter()
        .map(|(path, module)| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.display().to_string(), module, code(&text))
        })
        .collect()
}

#[test]
fn the_reader_of_edges_reads() {
    let text = "use crate::a::{b, c};\n// crate::no\nlet x = crate::d::e::f();\n#[cfg(test)]\n\
        mod tests {\n    use crate::test;\n}\nuse crate::{g, h::i};\n#[cfg(test)]\nmod tests;\nuse crate::j;";
    assert_eq!(
        uses(&code(text)),
        ["a", "d::e", "g", "h::i", "j"].map(str::to_owned)
    );
}

#[test]
fn every_module_is_in_the_table_and_uses_what_it_may() {
    let allowed = allowed();
    let mut seen = BTreeSet::new();
    let mut edges = 0;
    for (path, module, code) in library() {
        let Some(own) = module.first() else { continue };
        let Some(may) = allowed.get(own) else {
            panic!("`{own}` ({path}) is not in the code map");
        };
        seen.insert(own.clone());
        for used in uses(&code) {
            let first = used.split("::").next().unwrap();
            if first == own {
                continue;
            }
            edges += 1;
            let fine = first == "bug" || may.contains(first) || may.contains(&used);
            assert!(fine, "{path} uses `{used}`, which `{own}` may not");
        }
        // A path of `super` must not leave the module either.
        for chain in code.split(|c: char| c != ':' && !c.is_alphanumeric() && c != '_') {
            let up = chain.matches("super::").count();
            assert!(
                up < module.len() || up == 0,
                "{path} leaves `{own}`: {chain}"
            );
        }
    }
    let table: BTreeSet<String> = allowed.keys().cloned().collect();
    assert_eq!(seen, table, "the code map names other modules");
    assert!(edges > 100, "{edges} edges only: the reader is broken");
}

#[test]
fn the_table_has_no_cycle() {
    let allowed = allowed();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    // The table's order is one in which everything comes after what it uses.
    let table = PAGE.split("## Code map").nth(1).unwrap();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let own = row.split('`').nth(1).unwrap();
        for may in &allowed[own] {
            let first = may.split("::").next().unwrap();
            assert!(
                done.contains(first),
                "`{own}` uses `{may}`, listed below it"
            );
        }
        done.insert(own);
    }
}

#[test]
fn outside_crates_stay_where_they_belong() {
    let only = [
        ("symbolica", &["sym"][..]),
        ("numerica", &[]),
        ("graphica", &[]),
        ("annotate_snippets", &["diag"]),
        ("clap", &["cli"]),
        ("similar", &["cli"]),
        ("tempfile", &["host"]),
        ("sha2", &["emit", "verify", "pipeline", "host"]),
        ("syn", &["emit", "verify", "attribute", "prepare"]),
        ("proc_macro2", &["emit", "verify", "attribute", "prepare"]),
        ("quote", &["emit", "verify", "attribute"]),
        ("prettyplease", &["emit"]),
        ("unicode_ident", &["syntax", "emit"]),
        (
            "serde_json",
            &["diag", "pipeline", "show", "cli", "request", "prepare"],
        ),
    ];
    for (path, module, code) in library() {
        let own = module.first().map_or("", String::as_str);
        for (name, homes) in only {
            let named = code
                .match_indices(&format!("{name}::"))
                .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
            assert!(!named || homes.contains(&own), "{path} names `{name}`");
        }
        if code.contains("with_session") {
            assert!(
                ["host", "pipeline"].contains(&own),
                "{path} opens a session"
            );
        }
        if ["println!", "eprintln!", "print!", "eprint!"]
            .iter()
            .any(|p| code.contains(p))
        {
            assert!(["host", "cli"].contains(&own), "{path} prints");
        }
    }
}
