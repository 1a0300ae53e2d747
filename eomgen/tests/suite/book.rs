//! The book and the README are true: links lead somewhere, models build, commands run, programs compile.
//!
//! `docs/codes.md` and `docs/outputs.md` are written from the tables of codes and of outputs: `EOMGEN_BLESS=1 cargo test -p eomgen --test suite book`.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use eomgen::diagnostics::{Diagnostic, codes};
use eomgen::{Failure, internals::input::read_source};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The Markdown files below a folder.
fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            markdown(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
}

/// Every page that users and contributors read.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut found = Vec::new();
    markdown(&root.join("docs"), &mut found);
    for name in ["README.md", "CHANGELOG.md", "THIRD-PARTY-NOTICES.md"] {
        found.push(root.join(name));
    }
    found.push(root.join("generated-tests/README.md"));
    found
}

/// A fenced block: the words after the fence, and the text.
struct Fence {
    words: String,
    text: String,
}

/// The fenced blocks of a page, those in lists included.
fn fences(page: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(words) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let mut text = String::new();
        loop {
            let line = lines.next().expect("a fence is not closed");
            if line.trim_start().starts_with("```") {
                break;
            }
            text.push_str(line.get(indent..).unwrap_or_default());
            text.push('\n');
        }
        found.push(Fence {
            words: words.to_owned(),
            text,
        });
    }
    found
}

/// A page without its fenced blocks and code spans.
fn prose(page: &str) -> String {
    let mut outside = true;
    let mut kept = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            outside = !outside;
        } else if outside {
            kept.extend(line.split('`').step_by(2));
            kept.push('\n');
        }
    }
    kept
}

/// The targets of `[text](target)`.
fn links(page: &str) -> Vec<String> {
    let text = prose(page);
    let pieces = text.split("](").skip(1);
    pieces
        .map(|rest| rest.split(')').next().unwrap().to_owned())
        .collect()
}

/// The anchors of a page's headings.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let text = line.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c => c.is_alphanumeric().then_some(c),
            });
            kept.collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            if !anchor.is_empty() {
                let there = anchors(&read(&target));
                assert!(
                    there.contains(&anchor.to_owned()),
                    "{}: {link}",
                    page.display()
                );
            }
        }
    }
    assert!(count > 40, "{count} links only");
}

#[test]
fn included_files_are_there_and_fit_into_their_fence() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        for include in text.split("{{#include ").skip(1) {
            let name = include.split("}}").next().unwrap();
            let file = read(&page.parent().unwrap().join(name));
            assert!(!file.contains("```"), "{name}");
            // Who reads the page without the book's program finds a link.
            let linked = text.contains(&format!("]({name})"));
            assert!(linked, "{}: {name}", page.display());
            count += 1;
        }
    }
    assert!(count >= 4, "{count} files only");
}

#[test]
fn the_summary_lists_every_page() {
    let folder = root().join("docs");
    let summary = read(&folder.join("SUMMARY.md"));
    let mut listed: Vec<PathBuf> = links(&summary).iter().map(|l| folder.join(l)).collect();
    listed.sort();
    let mut there = Vec::new();
    markdown(&folder, &mut there);
    // Notes on decisions are for those who change eomgen; the book leaves them out.
    there.retain(|page| {
        !page.ends_with("SUMMARY.md") && !page.parent().unwrap().ends_with("decisions")
    });
    assert_eq!(listed, there);
}

/// The messages for a model text, by the front end or, for mechanics, by a check.
fn messages(text: &str, deep: bool) -> Vec<Diagnostic> {
    let failed = |failure: Failure| match failure {
        Failure::Diagnostics(found) => found,
        Failure::Message(text) => panic!("{text}"),
    };
    if deep {
        return eomgen::check("book.eom", text).map_or_else(failed, |report| report.warnings);
    }
    let page = read(&root().join("docs/language.md"));
    let files = fences(&page);
    let source = eomgen::Source::gather("book.eom", text, |path| {
        let words = format!("eom,file,{path}");
        let file = files.iter().find(|fence| fence.words == words);
        file.map(|fence| fence.text.clone())
            .ok_or("missing".to_owned())
    });
    read_source(&source, &[]).map_or_else(failed, |(_, warnings)| warnings)
}

/// The messages of a derivation.
fn derived(text: &str) -> Vec<Diagnostic> {
    let source = eomgen::Source::new("book.eom", text);
    match eomgen::derive_source(&source, &eomgen::options::DeriveOptions::default()) {
        Ok(derived) => derived.warnings,
        Err(failure) => panic!("{failure:?}"),
    }
}

/// The messages of the formulation that has most reason to refuse: one for constraints linear in the velocities, or the balances.
fn refusals(text: &str, code: &str) -> Vec<Diagnostic> {
    let method = if code < "E0540" {
        "maggi"
    } else {
        "newton-euler"
    };
    let options = eomgen::options::DeriveOptions {
        method: Some(method.into()),
        ..Default::default()
    };
    match eomgen::evaluator("book.eom", text, &options) {
        Err(Failure::Diagnostics(found)) => found,
        Err(Failure::Message(text)) => panic!("{text}"),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn models_build_or_get_the_code_that_is_stated() {
    let mut count = 0;
    for page in pages() {
        for fence in fences(&read(&page)) {
            let words: Vec<&str> = fence.words.split(',').collect();
            let expected = match words[..] {
                ["eom"] => Vec::new(),
                ["eom", "error" | "warning" | "note", code] => vec![code],
                _ => continue,
            };
            count += 1;
            let late = ["E0463", "E0464", "N0466", "N0467", "N0468"];
            let deep = |code: &&str| {
                let digits = &code[1..];
                digits.starts_with("03") || digits.starts_with("048") || late.contains(code)
            };
            let deep = expected.iter().any(deep);
            // What formulations refuse.
            let refused = expected.iter().find(|code| code.starts_with("E05"));
            let told = match refused {
                Some(code) => refusals(&fence.text, code),
                // What only the solution shows.
                None if expected == ["N0468"] => derived(&fence.text),
                None => messages(&fence.text, deep),
            };
            let mut found: Vec<_> = told.iter().map(|d| d.code).collect();
            found.dedup();
            // Those examples are fragments, which get more messages; corrections are tested beside the table.
            if page.ends_with("codes.md") {
                let there = expected.iter().all(|code| found.contains(code));
                assert!(there, "{expected:?}:\n{}", fence.text);
                continue;
            }
            assert_eq!(found, expected, "{}:\n{}", page.display(), fence.text);
        }
    }
    assert!(count > 30, "{count} models only");
}

#[test]
fn no_fence_is_of_an_untested_kind() {
    let tested = ["eom", "text", "sh", "json", "rust", ""];
    for page in pages() {
        for fence in fences(&read(&page)) {
            let kind = fence.words.split(',').next().unwrap();
            let fine = tested.contains(&kind);
            assert!(fine, "{}: ```{}", page.display(), fence.words);
        }
    }
}

/// The packages of `Cargo.lock` with what each depends on.
fn locked() -> BTreeMap<String, Vec<String>> {
    let lock = read(&root().join("Cargo.lock"));
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let name = package.split('"').nth(1).unwrap();
        let listed = package.split("dependencies = [").nth(1).unwrap_or_default();
        let quoted = listed.split('"').skip(1).step_by(2);
        // "name" or "name version"
        let names = quoted.map(|text| text.split(' ').next().unwrap().to_owned());
        found.entry(name.to_owned()).or_default().extend(names);
    }
    found
}

#[test]
fn the_notices_name_every_package_that_the_program_contains() {
    let notices = read(&root().join("THIRD-PARTY-NOTICES.md"));
    let named: Vec<&str> = notices
        .split(|c: char| c != '-' && c != '_' && !c.is_alphanumeric())
        .collect();
    let manifest = read(&root().join("eomgen/Cargo.toml"));
    let direct = manifest.split("\n[dependencies]\n").nth(1).unwrap();
    let direct = direct.split("\n[").next().unwrap().lines();
    let mut open: Vec<String> = direct
        .filter_map(|line| Some(line.split_once(" = ")?.0.to_owned()))
        .collect();
    let locked = locked();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        assert!(
            named.contains(&name.as_str()),
            "{name} is not in the notices"
        );
        open.extend(locked[&name].iter().filter(|n| !seen.contains(*n)).cloned());
        seen.insert(name);
    }
    assert!(seen.len() > 100, "{} packages only", seen.len());
}

/// The page of all codes.
fn page_of_codes() -> String {
    let mut page = String::from(
        "# Messages by code\n\nEvery message carries a code. `eomgen explain CODE` prints its entry here: what the message means, why, \
         an example that\ngets it, and the example put right.\n",
    );
    for entry in codes::all() {
        page.push_str(&format!(
            "\n## {}: {}\n\n{}\n\n{}\n",
            entry.code, entry.title, entry.what, entry.why
        ));
        let mut block = |words: &str, text: &str| {
            if !text.is_empty() {
                page.push_str(&format!("\n```{words}\n{}\n```\n", text.trim_end()));
            }
        };
        let kind = match entry.code.as_bytes()[0] {
            b'N' => "note",
            b'W' => "warning",
            _ => "error",
        };
        block(&format!("eom,{kind},{}", entry.code), entry.example);
        page.push_str(&format!("\n{}\n", entry.fix));
        let mut block = |words: &str, text: &str| {
            if !text.is_empty() {
                page.push_str(&format!("\n```{words}\n{}\n```\n", text.trim_end()));
            }
        };
        block("eom", entry.corrected);
    }
    page
}

#[test]
fn the_page_of_codes_is_fresh() {
    let path = root().join("docs/codes.md");
    let page = page_of_codes();
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let told = "run `EOMGEN_BLESS=1 cargo test -p eomgen --test suite book`";
    assert!(read(&path).replace("\r\n", "\n") == page, "{told}");
}

/// The parts of the library, one after the other: text and a machine with it.
fn library() -> String {
    let groups = [
        ("Joints", "revolute"),
        ("Transmissions", "gear_pair"),
        ("Actuators", "geared_motor"),
        ("Contact", "wheel"),
        ("Springs, cables, resistance", "spring_damper"),
    ];
    let mut page = String::new();
    for (file, text) in eomgen::internals::library::all() {
        let name = file.strip_suffix(".eom").unwrap();
        if let Some((title, _)) = groups.iter().find(|(_, first)| *first == name) {
            page.push_str(&format!("\n## {title}\n"));
        }
        let example = format!("eomgen/tests/suite/parts/{name}.eom");
        let example = read(&root().join(example)).replace("\r\n", "\n");
        let (docs, rest) = text.split_once('\n').unwrap();
        let docs = docs.strip_prefix("//! ").unwrap();
        let picture = format!("parts/{name}.svg");
        assert!(root().join("docs").join(&picture).is_file(), "{picture}");
        page.push_str(&format!(
            "\n### std/{file}\n\n{docs}\n\n![{name}]({picture})\n\n```eom,syntax\n{rest}```\n\n```eom\n{example}```\n"
        ));
    }
    page
}

#[test]
fn the_page_of_parts_is_fresh() {
    let path = root().join("docs/parts.md");
    let page = read(&path).replace("\r\n", "\n");
    let (head, rest) = page.split_once("\n## Joints\n").unwrap();
    let fresh = library();
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        std::fs::write(&path, format!("{head}{fresh}")).unwrap();
        return;
    }
    let told = "run `EOMGEN_BLESS=1 cargo test -p eomgen --test suite book`";
    assert!(format!("\n## Joints\n{rest}") == fresh, "{told}");
}

/// What is of a point or a frame.
const OF_PLACES: &str = "Of points and frames";

/// The page of all outputs.
fn page_of_outputs() -> String {
    let methods = eomgen::methods();
    let quantities = eomgen::quantities();
    let mut page = String::from(
        "# Outputs\n\nQuantities by name. `--output NAME,...` of [derive and eval](cli.md#derive) adds functions of these names to the \
         generated module,\nand quantities as text to its header and to `--emit equations`, and as numbers to the result of `eval`. What is in every module `--only NAME,...` \
         reduces. `eomgen methods`\nprints the same lists.\n\nLists have one entry per row, matrices one row for each of the first and one column for each of the second of what is \
         named. Rows and columns\nfollow the order of the model: coordinates, speeds, constraint rows, bodies. Functions in which something may be divided by zero \
         return a `Result` like\nall others ([the generated code](generated-code.md#the-model-and-its-functions)). Where a quantity does not exist for a model, the message says why.\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    let groups = [
        (
            "In every module",
            "What there is of these for the model; `potential_energy` where it is not 0 at every state, `velocity_residuals` where constraints of \
             positions leave\nthe velocities of the state free.",
            (true, true),
            true,
        ),
        (
            "By name, or all of them by `standard`",
            "What every derivation works out; nothing more is derived for it.",
            (true, false),
            true,
        ),
        ("Of every formulation", "", (false, false), true),
        (
            OF_PLACES,
            "With the name of the point or the frame in parentheses, `jacobian(P)`, `pose(B, P)`; a body stands for its mass centre and its frame. Of inputs, `actuation(tau1, tau2)`. See [Jacobians, momenta and the terms of a controller](kinematics.md).",
            (false, false),
            true,
        ),
        ("Of single formulations", "", (false, false), false),
    ];
    for (title, what, kind, general) in groups {
        page.push_str(&format!("\n## {title}\n\n"));
        if !what.is_empty() {
            page.push_str(&format!("{what}\n\n"));
        }
        page.push_str(if general {
            "| name | symbol | meaning | source |\n|---|---|---|---|\n"
        } else {
            "| name | symbol | meaning | of | source |\n|---|---|---|---|---|\n"
        });
        for q in &quantities {
            let own = (q.standard, q.by_default);
            let placed = q.about.of != eomgen::QuantityPlace::Machine;
            if own != kind
                || (q.methods.len() == methods.len()) != general
                || placed != (title == OF_PLACES)
            {
                continue;
            }
            let of = if general {
                String::new()
            } else {
                format!("`{}` | ", q.methods.join("`, `"))
            };
            page.push_str(&format!(
                "| `{}` | `{}` | {} | {of}{} |\n",
                q.about.of.example(q.about.name),
                cell(q.about.symbol),
                cell(q.about.docs),
                cell(q.about.source)
            ));
        }
    }
    page.push_str("\nThe letters of the sources are those of [the formulations' page](formulations/index.md#sources).\n");
    page
}

#[test]
fn the_page_of_outputs_is_fresh() {
    let path = root().join("docs/outputs.md");
    let page = page_of_outputs();
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let told = "run `EOMGEN_BLESS=1 cargo test -p eomgen --test suite book`";
    assert!(read(&path).replace("\r\n", "\n") == page, "{told}");
}

/// The sleigh of the introduction.
fn sleigh() -> String {
    let fences = fences(&read(&root().join("docs/introduction.md")));
    let model = fences.into_iter().find(|f| f.words == "eom");
    model.expect("the introduction has a model").text
}

/// A folder as the book's reader has it: the model, and the state of the page on the command line.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("sleigh.eom"), sleigh()).unwrap();
    for fence in fences(&read(&root().join("docs/tutorial.md"))) {
        let name = fence.text.lines().find_map(|l| l.strip_prefix("model "));
        if let Some(name) = name.filter(|_| fence.words == "eom") {
            std::fs::write(at(&format!("{name}.eom")), &fence.text).unwrap();
        }
    }
    let fences = fences(&read(&root().join("docs/cli.md")));
    let state = fences.iter().find(|f| f.words == "json").unwrap();
    std::fs::write(at("state.json"), &state.text).unwrap();
    std::fs::create_dir(at("src")).unwrap();
    folder
}

#[test]
fn commands_run() {
    let folder = folder();
    let mut count = 0;
    for page in pages() {
        for fence in fences(&read(&page)).iter().filter(|f| f.words == "sh") {
            for line in fence.text.lines() {
                let line = line.split('#').next().unwrap().trim();
                // From a clone, cargo stands between: the same program in the clone's folder.
                let (arguments, place) = match line.strip_prefix("cargo run -p eomgen -- ") {
                    Some(rest) => (rest, root()),
                    None => match line.strip_prefix("eomgen ") {
                        Some(rest) => (rest, folder.path().to_owned()),
                        None => {
                            // What continuous integration runs itself, and what writes to the sources.
                            let known = [
                                "cargo test --workspace",
                                "cargo test -p generated-tests",
                                "cargo run -p generated-tests",
                                "cargo run --release -p eomgen",
                                // Need a clone with a commit, or editors.
                                "sh editors/",
                            ];
                            let fine = known.iter().any(|k| line.starts_with(k));
                            assert!(fine || line.is_empty(), "{}: {line}", page.display());
                            continue;
                        }
                    },
                };
                count += 1;
                let output = Command::new(env!("CARGO_BIN_EXE_eomgen"))
                    .args(arguments.split_whitespace().map(|a| a.trim_matches('"')))
                    .current_dir(&place)
                    .output()
                    .unwrap();
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{line}\n{said}");
            }
        }
    }
    assert!(count >= 7, "{count} commands only");
}

#[test]
fn programs_compile_and_run() {
    let folder = folder();
    let derived = eomgen::derive(
        "sleigh.eom",
        &sleigh(),
        &eomgen::options::DeriveOptions::default(),
    );
    std::fs::write(folder.path().join("sleigh.rs"), derived.unwrap().code).unwrap();
    let mut count = 0;
    for page in pages() {
        for fence in fences(&read(&page)).iter().filter(|f| f.words == "rust") {
            count += 1;
            std::fs::write(folder.path().join("main.rs"), &fence.text).unwrap();
            let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let compiled = Command::new(rustc)
                .args([
                    "main.rs",
                    "--edition",
                    "2024",
                    "-D",
                    "warnings",
                    "-o",
                    "program",
                ])
                .current_dir(folder.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&compiled.stderr);
            assert!(compiled.status.success(), "{}\n{said}", page.display());
            let run = Command::new(folder.path().join("program"))
                .output()
                .unwrap();
            assert!(run.status.success() && !run.stdout.is_empty());
        }
    }
    assert!(count > 0);
}

/// The page on testing has a row for each module of the three test programs, and no others.
#[test]
fn the_page_on_testing_lists_the_modules() {
    let page = read(&root().join("docs/testing.md"));
    let start = page.find("## Which test proves what").unwrap();
    let end = page.find("## How to add one").unwrap();
    let rows = page[start..end]
        .lines()
        .filter(|line| line.starts_with("| `"));
    let first = rows.filter_map(|line| line.split('|').nth(1));
    let mut listed: Vec<&str> = first
        .flat_map(|names| names.split('`').skip(1).step_by(2))
        .collect();
    let mains = ["eomgen", "eomgen-macros", "generated-tests"]
        .map(|name| read(&root().join(name).join("tests/suite/main.rs")));
    let lines = mains.iter().flat_map(|main| main.lines());
    let modules = lines.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    // Not tests, but what several of them share.
    let helpers = ["shared_models", "nested", "motion"];
    let mut modules: Vec<&str> = modules.filter(|name| !helpers.contains(name)).collect();
    listed.sort_unstable();
    modules.sort_unstable();
    assert_eq!(listed, modules);
}
