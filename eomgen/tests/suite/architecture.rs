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

/// The rows of the code map.
fn rows() -> impl Iterator<Item = &'static str> {
    let map = PAGE.split("## Code map").nth(1).unwrap();
    let section = map.split("\n## ").next().unwrap();
    section.lines().filter(|line| line.starts_with("| `"))
}

/// From the code map: every module, and what it may use (`model::system` for a part of `model`).
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let row = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 4, "{row}");
        let used = quoted(cells[3]).into_iter().collect();
        (quoted(cells[0]).remove(0), used)
    };
    rows().map(row).collect()
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

/// The text without test modules.
fn without_tests(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let attribute = line.trim();
        if attribute == "#[cfg(test)]" || attribute.starts_with("#[cfg(all(test,") {
            while lines
                .next_if(|line| line.trim().starts_with("#["))
                .is_some()
            {}
            let next = lines.next().unwrap_or_default();
            if next.trim_end().ends_with('{') {
                let end = format!("{indent}}}");
                lines.by_ref().find(|inner| *inner == end);
            }
            continue;
        }
        kept.push(line);
    }
    kept.join("\n")
}

/// The code without comments and without test modules.
fn code(text: &str) -> String {
    let text = without_tests(text);
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
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
    for row in rows() {
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
        ("tiny_http", &["cli"]),
        ("lsp_server", &["lsp"]),
        ("lsp_types", &["lsp"]),
        ("roxmltree", &["import"]),
        ("ctrlc", &["host"]),
        ("differential_equations", &["simulate"]),
        ("plotters", &["picture"]),
        ("nalgebra", &["operating", "linear", "cli"]),
        ("tempfile", &["host"]),
        ("sha2", &["header", "verify", "pipeline", "host"]),
        (
            "syn",
            &["emit", "header", "verify", "attribute", "prepare", "lsp"],
        ),
        (
            "proc_macro2",
            &["emit", "header", "verify", "attribute", "prepare", "lsp"],
        ),
        ("quote", &["emit", "verify", "attribute"]),
        ("prettyplease", &["emit"]),
        ("unicode_ident", &["syntax", "emit"]),
        (
            "serde_json",
            &[
                "diag", "pipeline", "show", "cli", "request", "prepare", "simulate", "picture",
                "lsp",
            ],
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
        // The face of the library (no module) lists it for tests.
        if code.contains("with_session") {
            assert!(
                ["host", "pipeline", ""].contains(&own),
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

/// The library without the engine is behind one gate, which stands in `lib.rs`: nothing else asks for features but what data must have for
/// it (`serde`), and what differs in a few lines.
#[test]
fn few_lines_ask_for_features() {
    let count = |text: &str| text.matches("feature = \"").count();
    let all: Vec<(String, usize)> = library()
        .into_iter()
        .map(|(path, _, code)| (path, count(&code)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let total: usize = all.iter().map(|(_, count)| count).sum();
    assert!(total <= 35, "{total}: {all:?}");
}

/// What a path leads to: the longest piece of it that is a file of the library.
fn file_of<'a>(files: &'a BTreeSet<String>, path: &[String]) -> Option<&'a String> {
    (1..=path.len())
        .rev()
        .find_map(|n| files.get(&path[..n].join("::")))
}

/// The paths of a use tree, groups in braces taken apart: `a::{b, c::{d, self}}` is `a::b`, `a::c::d` and `a::c`.
fn branches(tree: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    let mut depth = 0;
    let pieces = tree.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    for piece in pieces.map(str::trim).filter(|piece| !piece.is_empty()) {
        let (head, group) = match piece.split_once('{') {
            Some((head, rest)) => (head, Some(&rest[..rest.rfind('}').unwrap()])),
            None => (piece.split(" as ").next().unwrap(), None),
        };
        let mut path = before.to_vec();
        let words = head.split("::").map(str::trim);
        path.extend(words.filter(|w| !w.is_empty()).map(str::to_owned));
        match group {
            Some(group) => branches(group, &path, found),
            None => found.push(path),
        }
    }
}

/// The paths in a file's code: those of its `use`s, and those that begin with `crate`, `super` or `self`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let (visibility, tree) = line.trim_start().split_once("use ").unwrap_or(("no", ""));
        if visibility.is_empty() || visibility.starts_with("pub") && visibility.ends_with(' ') {
            let at = start + line.len() - tree.len();
            branches(code[at..].split(';').next().unwrap(), &[], &mut found);
        }
        start += line.len();
    }
    for chain in code.split(|c: char| c != ':' && !c.is_alphanumeric() && c != '_') {
        let path: Vec<String> = chain.split("::").map(str::to_owned).collect();
        // The head of a group is read with the group.
        if path.len() > 1
            && !chain.ends_with(':')
            && ["crate", "super", "self"].contains(&path[0].as_str())
        {
            found.push(path);
        }
    }
    found
}

/// From each file to those that it uses, with the names by which it does. Its own folder's face, and the faces of the folders around
/// that, are not among them: every file may use those.
fn edges(
    files: &BTreeSet<String>,
    own: &[String],
    code: &str,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let name = own.join("::");
    for path in paths(code) {
        let mut rest = &path[..];
        let mut from = own.to_vec();
        match rest.first().map(String::as_str) {
            Some("crate") => {
                from.clear();
                rest = &rest[1..];
            }
            Some("super") => {
                while rest.first().is_some_and(|word| word == "super") {
                    from.pop();
                    rest = &rest[1..];
                }
            }
            Some("self") => rest = &rest[1..],
            // Another crate's, unless it is a child.
            _ => {
                let child = [own, &path[..1]].concat().join("::");
                if !files.contains(&child) {
                    continue;
                }
            }
        }
        from.extend(rest.iter().filter(|word| *word != "self").cloned());
        if let Some(target) = file_of(files, &from)
            && *target != name
            && !name.starts_with(&format!("{target}::"))
        {
            let item = from.last().unwrap().clone();
            uses.entry(target.clone()).or_default().insert(item);
        }
    }
    uses
}

type Uses = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// All files that can be reached from one.
fn reach<'a>(uses: &'a Uses, start: &'a str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        for next in uses.get(file).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    seen
}

/// The groups of files that use each other in a circle.
fn circles(uses: &Uses) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses
        .keys()
        .map(|file| (file.as_str(), reach(uses, file)))
        .collect();
    let mut found: Vec<BTreeSet<&str>> = Vec::new();
    for (file, own) in &reached {
        let circle: BTreeSet<&str> = own
            .iter()
            .copied()
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(file)))
            .collect();
        if circle.contains(file) && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

/// A circle in words: who takes what from whom.
fn ties(uses: &Uses, circle: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for file in circle {
        for (target, names) in &uses[*file] {
            if circle.contains(target.as_str()) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                text.push_str(&format!("  {file} -> {target}: {}\n", names.join(", ")));
            }
        }
    }
    text
}

fn library_uses() -> Uses {
    let all = library();
    let files: BTreeSet<String> = all.iter().map(|(_, own, _)| own.join("::")).collect();
    all.iter()
        .filter(|(_, own, _)| !own.is_empty())
        .map(|(_, own, code)| (own.join("::"), edges(&files, own, code)))
        .collect()
}

#[test]
fn the_reader_of_files_reads() {
    let files = ["a", "a::b", "a::b::c", "a::d", "e"];
    let files: BTreeSet<String> = files.map(str::to_owned).into();
    let own = ["a".to_owned(), "b".to_owned()];
    let code = "use super::d::{X, Y as Z, w::{V, self}};\nuse c::T;\nuse crate::{e, a::N};\nuse std::fmt;\n\
        fn f() { super::d::g(self::c::h(), super::M); }";
    let uses = edges(&files, &own, code);
    let named = |file: &str| uses.get(file).map(|names| Vec::from_iter(names.clone()));
    assert_eq!(
        named("a::d"),
        Some(["V", "X", "Y", "g", "w"].map(str::to_owned).into())
    );
    assert_eq!(named("a::b::c"), Some(["T", "h"].map(str::to_owned).into()));
    assert_eq!(named("e"), Some(vec!["e".to_owned()]));
    // What stands in the face of the folder is free to all.
    assert_eq!(uses.len(), 3);
    let one = |to: &str| BTreeMap::from([(to.to_owned(), BTreeSet::from(["T".to_owned()]))]);
    let round = Uses::from([
        ("p".into(), one("q")),
        ("q".into(), one("r")),
        ("r".into(), one("q")),
    ]);
    assert_eq!(circles(&round), [BTreeSet::from(["q", "r"])]);
    assert_eq!(
        ties(&round, &circles(&round)[0]),
        "  q -> r: T\n  r -> q: T\n"
    );
}

/// No file uses another that, by itself or by others, uses the first.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let uses = library_uses();
    assert!(uses.len() > 300, "{} files only", uses.len());
    let wrong: String = circles(&uses)
        .iter()
        .map(|circle| format!("a circle:\n{}", ties(&uses, circle)))
        .collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// The functions in a text that is formatted as usual, with their lengths in lines.
fn functions(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let mut words = line.split_whitespace();
        let keywords = [
            "pub",
            "pub(super)",
            "pub(crate)",
            "const",
            "async",
            "unsafe",
        ];
        let first = words.find(|word| !keywords.contains(word) && !word.ends_with(')'));
        if first != Some("fn") && !line.trim_start().starts_with("pub(in ") {
            continue;
        }
        let Some((_, name)) = line.split_once("fn ") else {
            continue;
        };
        let Some(head) = lines[at..]
            .iter()
            .position(|l| l.ends_with(['{', ';', '}']))
        else {
            continue;
        };
        let opens = lines[at + head].ends_with('{');
        let end = format!("{indent}}}");
        let length = match lines[at + head..].iter().position(|l| opens && *l == end) {
            Some(more) => head + more + 1,
            None => head + 1,
        };
        let name = name.split(['(', '<']).next().unwrap();
        found.push((name.to_owned(), length));
    }
    found
}

/// Functions are read as a whole: few are longer than a screen.
#[test]
fn functions_are_short() {
    const SCREEN: usize = 60;
    const MOST: usize = 120;
    const PER_THOUSAND: usize = 15;
    let text =
        "fn a() {\n    b();\n}\n\npub(super) fn c(\n    d: u8,\n) -> u8 {\n    d\n}\nfn e();\n";
    let expect = [("a", 3), ("c", 5), ("e", 1)].map(|(name, n)| (name.to_owned(), n));
    assert_eq!(functions(text), expect);
    let mut all = 0;
    let mut long = Vec::new();
    let mut found = Vec::new();
    files(&source(), &[], &mut found);
    for (path, module) in found {
        let text = std::fs::read_to_string(path).unwrap();
        for (name, length) in functions(&without_tests(&text)) {
            all += 1;
            if length > SCREEN {
                long.push((length, format!("{}::{name}", module.join("::"))));
            }
        }
    }
    long.sort();
    let list: Vec<String> = long.iter().map(|(n, name)| format!("{n} {name}")).collect();
    println!(
        "{} of {all} over {SCREEN} lines:\n{}",
        long.len(),
        list.join("\n")
    );
    assert!(all > 3000, "{all} functions only: the reader is broken");
    let longest = long.last().map_or(0, |(length, _)| *length);
    assert!(longest <= MOST, "{}", list.last().unwrap());
    assert!(
        long.len() * 1000 <= all * PER_THOUSAND,
        "{} of {all}",
        long.len()
    );
}
