//! The grammar against the parser of the language: on all models, on the manual, and on texts that are changed at random.

use eomgen::diagnostics::Severity;
use eomgen::internals::syntax;
use std::path::{Path, PathBuf};
use tree_sitter::{Language, Node};
use tree_sitter_eom_check::{folder, language, parse};

/// Refused by the parser for what no grammar of this kind says: how many models a file has, statements that stand in a block, a
/// property that is stated twice, lengths and depths, the factors and exponents of a unit, what is compared in a condition.
const BEYOND: &[&str] = &[
    "E0001", "E0002", "E0008", "E0009", "E0010", "E0012", "E0016", "E0406", "E0409", "E0420",
    "E0421",
];

fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder().join("../../generated-tests/models")];
    while let Some(at) = folders.pop() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(&at)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "eom") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.display().to_string(), text));
            }
        }
    }
    assert!(found.len() > 50, "{} models", found.len());
    for page in ["language.md", "tutorial.md", "gallery.md"] {
        let text = std::fs::read_to_string(folder().join("../../docs").join(page)).unwrap();
        for (at, block) in text.split("```eom").skip(1).enumerate() {
            let (kind, block) = block.split_once('\n').unwrap();
            if kind.contains("error") {
                continue;
            }
            let block = block.split("```").next().unwrap().to_owned();
            found.push((format!("{page}, example {at}"), block));
        }
    }
    found
}

fn first_error(node: Node) -> Option<String> {
    if node.is_error() || node.is_missing() {
        return Some(format!("{} at {}", node.to_sexp(), node.start_position()));
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).find_map(first_error)
}

fn grammar_accepts(language: &Language, text: &str) -> bool {
    !parse(language, text).unwrap().root_node().has_error()
}

/// What the parser says, if it refuses the text; what lies beyond a grammar is not counted.
fn refused(text: &str) -> Option<String> {
    let found = syntax::parse(text).diagnostics;
    let mut errors = found.iter().filter(|d| d.severity == Severity::Error);
    let error = errors.find(|d| !BEYOND.contains(&d.code))?;
    let span = error.labels[0].span;
    Some(format!("{} {} at {}", error.code, error.title, span.start))
}

/// Whether the parser has something to say that no grammar can know.
fn beyond(text: &str) -> bool {
    let found = syntax::parse(text).diagnostics;
    found
        .iter()
        .any(|d| d.severity == Severity::Error && BEYOND[2..].contains(&d.code))
}

#[test]
fn models_and_examples_are_accepted() {
    let language = language().unwrap();
    let mut wrong = Vec::new();
    for (name, text) in texts() {
        let there = first_error(parse(&language, &text).unwrap().root_node());
        if let (Some(error), None) = (there, refused(&text)) {
            wrong.push(format!("{name}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Numbers that are the same every time (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Words, numbers, single signs, and white space as it stands.
fn pieces(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let class = |c: char| match c {
        '\n' => 3,
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    for c in text.chars() {
        let joined = found.last().and_then(|last| last.chars().last());
        match joined {
            Some(before) if class(before) == class(c) && class(c) != 0 => {
                found.last_mut().unwrap().push(c);
            }
            Some('/') if c == '/' => found.last_mut().unwrap().push(c),
            Some('.') if c == '.' => found.last_mut().unwrap().push(c),
            _ => found.push(c.to_string()),
        }
    }
    found
}

const INSERTED: &[&str] = &[
    "\n",
    "\n    ",
    " ",
    ",",
    ":",
    "(",
    ")",
    "[",
    "]",
    "=",
    "==",
    "<",
    "'",
    ".",
    "..",
    "+",
    "-",
    "*",
    "/",
    "^",
    "1",
    "2.5",
    " in ",
    " at ",
    " on ",
    " sum",
    " rate ",
    "if ",
    " then ",
    " else ",
    " and ",
    " not ",
    "x",
    "\n// c\n",
    " // c\n",
    "{",
    "}",
    " as ",
    "\nlet a = 1",
    " color",
];

fn changed(random: &mut Random, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let from = random.below(lines.len());
    let until = (from + 1 + random.below(6)).min(lines.len());
    let mut all = pieces(&lines[from..until].join("\n"));
    for _ in 0..1 + random.below(2) {
        if all.is_empty() {
            break;
        }
        let at = random.below(all.len());
        let other = random.below(all.len());
        match random.below(5) {
            0 => {
                all.remove(at);
            }
            1 => all.swap(at, other),
            2 => all[at] = all[other].clone(),
            3 => all.insert(at, all[other].clone()),
            _ => all.insert(at, INSERTED[random.below(INSERTED.len())].to_owned()),
        }
    }
    format!("model m\n{}\n", all.concat())
}

/// In the tree, what the grammar takes and the parser does not, each said in `README.md`.
fn exception(node: Node, text: &str) -> bool {
    let own = |node: Node| text[node.byte_range()].to_owned();
    let found = match node.kind() {
        // A call or an index behind a component.
        "call_expression" | "index_expression" => node.child(0).is_some_and(|base| {
            let end = own(base);
            base.kind() == "field_expression"
                && [".x", ".y", ".z"].iter().any(|axis| end.ends_with(axis))
        }),
        // A place begins with a name, behind which an operator or an argument follows.
        "location" => {
            let mut at = node;
            while let Some(child) = at.child(0)
                && matches!(
                    child.kind(),
                    "binary_expression"
                        | "derivative"
                        | "field_expression"
                        | "call_expression"
                        | "index_expression"
                        | "identifier"
                )
            {
                at = child;
            }
            let rest = text[at.end_byte()..node.end_byte()].trim_start();
            let mut rest = rest.to_owned();
            while let Some(after) = rest.strip_prefix('.') {
                rest = after
                    .trim_start()
                    .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
                    .trim_start()
                    .to_owned();
            }
            at.kind() != "identifier" || rest.starts_with('\'') || rest.starts_with('^')
        }
        // An inertia that begins with a bracket is a list of entries.
        "inertia_clause" => node
            .child(1)
            .is_some_and(|value| value.kind() != "entries" && own(value).starts_with('[')),
        // `rate` is for rotations, and what follows it begins with a name or a number.
        "rate" => true,
        _ => false,
    };
    let mut cursor = node.walk();
    found
        || node
            .children(&mut cursor)
            .any(|child| exception(child, text))
}

#[test]
fn changed_texts_are_judged_alike() {
    let language = language().unwrap();
    let cases: usize = std::env::var("CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let seed = std::env::var("SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    let mut random = Random(seed);
    let texts = texts();
    let [mut both, mut neither, mut excepted, mut outside] = [0, 0, 0, 0];
    let mut wrong = Vec::new();
    for _ in 0..cases {
        let (_, text) = &texts[random.below(texts.len())];
        let text = changed(&mut random, text);
        let parser = refused(&text);
        match (grammar_accepts(&language, &text), parser) {
            (true, None) => both += 1,
            (false, Some(_)) => neither += 1,
            (false, None) if beyond(&text) => outside += 1,
            (true, Some(_)) if exception(parse(&language, &text).unwrap().root_node(), &text) => {
                excepted += 1
            }
            (true, Some(why)) => wrong.push(format!("only the grammar takes\n{text}  {why}")),
            (false, None) => {
                let error = first_error(parse(&language, &text).unwrap().root_node());
                wrong.push(format!("only the parser takes\n{text}  {error:?}"));
            }
        }
    }
    println!(
        "{both} accepted and {neither} refused by both; {excepted} exceptions, {outside} beyond a grammar"
    );
    assert!(both > cases / 10 && neither > cases / 10);
    assert!(
        wrong.is_empty(),
        "{} of {cases}:\n{}",
        wrong.len(),
        wrong
            .iter()
            .take(12)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n----\n")
    );
}

/// The corpus, in tree-sitter's own form: name, text, tree.
#[test]
fn the_corpus_has_its_trees() {
    let language = language().unwrap();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder().join("test/corpus")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut parts = text.split("==================\n").skip(1);
        while let (Some(name), Some(body)) = (parts.next(), parts.next()) {
            let (text, tree) = body.split_once("\n---\n").unwrap();
            let flat = |text: &str| {
                text.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .replace(" )", ")")
            };
            let found = parse(&language, text.trim_start_matches('\n'))
                .unwrap()
                .root_node()
                .to_sexp();
            assert_eq!(flat(&found), flat(tree), "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn queries_are_of_this_grammar_and_find_something() {
    let language = language().unwrap();
    let tour = texts()
        .into_iter()
        .find(|(_, text)| text.contains("model tour"))
        .unwrap()
        .1;
    let tree = parse(&language, &tour).unwrap();
    // Zed has names of its own for what it takes from a query.
    let known: &[(&str, &str, Option<&[&str]>)] = &[
        ("queries", "highlights folds indents locals", None),
        ("../zed/languages/eom", "highlights", None),
        ("../zed/languages/eom", "brackets", Some(&["open", "close"])),
        ("../zed/languages/eom", "indents", Some(&["indent", "end"])),
        (
            "../zed/languages/eom",
            "outline",
            Some(&["item", "name", "context"]),
        ),
    ];
    let mut seen = 0;
    for (place, names, captures) in known {
        for name in names.split(' ') {
            let path = folder().join(place).join(format!("{name}.scm"));
            let text = std::fs::read_to_string(&path).unwrap();
            let query = tree_sitter::Query::new(&language, &text)
                .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            if let Some(captures) = captures {
                let mut found = query.capture_names().to_vec();
                let mut expect = captures.to_vec();
                found.sort_unstable();
                expect.sort_unstable();
                assert_eq!(found, expect, "{}", path.display());
            }
            let mut cursor = tree_sitter::QueryCursor::new();
            let mut matches = cursor.matches(&query, tree.root_node(), tour.as_bytes());
            assert!(
                tree_sitter::StreamingIterator::next(&mut matches).is_some(),
                "{}",
                path.display()
            );
            seen += 1;
        }
        let there = std::fs::read_dir(folder().join(place)).unwrap();
        for entry in there {
            let path = entry.unwrap().path();
            let own = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let query = path.extension().is_some_and(|e| e == "scm");
            let tried = known
                .iter()
                .any(|(p, all, _)| p == place && all.split(' ').any(|name| name == own));
            assert!(!query || tried, "{}", path.display());
        }
    }
    assert_eq!(seen, 8);
}

#[test]
fn the_parser_in_the_repository_is_generated_from_the_grammar() {
    let there = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/generated");
    std::fs::create_dir_all(&there).unwrap();
    tree_sitter_eom_check::generate(&there).unwrap();
    for name in ["parser.c", "grammar.json", "node-types.json"] {
        let read = |path: PathBuf| {
            std::fs::read_to_string(path)
                .unwrap_or_default()
                .replace("\r\n", "\n")
        };
        assert!(
            read(there.join(name)) == read(folder().join("src").join(name)),
            "src/{name} is not of this grammar.js: cargo run"
        );
    }
}
