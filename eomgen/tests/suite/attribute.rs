//! The attribute's expansion as tokens. What the compiler makes of it is tested beside the macro.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use eomgen::internals::attribute;
use proc_macro2::{TokenStream, TokenTree};

const LINE: &str = "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\n\
    particle A: mass m at P\nforce on P: -k*x*N.x\n";

/// A crate's folder with a model, one that uses a part, and one with two mistakes.
fn package() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("line.eom", LINE);
    let part = LINE.replace("model line", "part line");
    write("part.eom", &part);
    write("whole.eom", "model whole\nuse \"part.eom\" as a\n");
    write("mistakes.eom", &LINE.replace("k*x", "c*z"));
    folder
}

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn expand(arguments: &str, item: &str, root: &Path) -> TokenStream {
    attribute::expand(tokens(arguments), tokens(item), Some(root))
}

/// The tokens one by one, without what the space between them says.
fn spelled(stream: TokenStream) -> Vec<String> {
    let mut list = Vec::new();
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                list.push(format!("{:?}", group.delimiter()));
                list.extend(spelled(group.stream()));
                list.push("end".to_owned());
            }
            other => list.push(other.to_string()),
        }
    }
    list
}

/// The string literals among the tokens that follow a word.
fn strings(stream: TokenStream, word: &str, found: &mut Vec<String>) {
    let mut after = false;
    for tree in stream {
        match tree {
            TokenTree::Ident(name) => after = name == word,
            TokenTree::Group(group) => {
                if after && let Ok(text) = syn::parse2::<syn::LitStr>(group.stream()) {
                    found.push(text.value());
                }
                strings(group.stream(), word, found);
                after = false;
            }
            _ => {}
        }
    }
}

fn errors(expanded: &TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    strings(expanded.clone(), "compile_error", &mut found);
    found
}

/// The files whose changes lead to a new expansion, without their folder.
fn watched(expanded: &TokenStream, root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    strings(expanded.clone(), "include_bytes", &mut found);
    let names = found.iter().map(|path| {
        let path = Path::new(path);
        assert!(path.is_absolute(), "{path:?}");
        path.strip_prefix(root).unwrap().display().to_string()
    });
    names.collect()
}

#[test]
fn mistakes_in_the_arguments_leave_the_module() {
    let package = package();
    let expanded = expand(
        "\"line.eom\", methd = 1, form = 2",
        "pub mod a { fn own() {} }",
        package.path(),
    );
    let found = errors(&expanded);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("unknown option `methd`; did you mean `method`?"));
    let file: syn::File = syn::parse2(expanded).unwrap();
    let [syn::Item::Mod(module)] = file.items.as_slice() else {
        panic!("one module");
    };
    assert_eq!(module.ident, "a");
    let items = &module.content.as_ref().unwrap().1;
    assert!(
        items
            .iter()
            .any(|i| matches!(i, syn::Item::Fn(f) if f.sig.ident == "own"))
    );
}

#[test]
fn what_is_no_module_stays_as_it_is() {
    let package = package();
    for item in [
        "struct A;",
        "/// Docs.\npub fn f() {}",
        "mod a;",
        "pub mod a;",
    ] {
        let expanded = expand("\"line.eom\"", item, package.path());
        let found = errors(&expanded);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("must be on a module with a body"),
            "{found:?}"
        );
        assert!(expanded.to_string().ends_with(&tokens(item).to_string()));
    }
    // Everything that is wrong is told at once.
    let expanded = expand("\"line.eom\", foo = 1", "struct A;", package.path());
    assert_eq!(errors(&expanded).len(), 2);
}

#[test]
fn a_crate_without_a_folder_is_an_error() {
    let expanded = attribute::expand(tokens("\"line.eom\""), tokens("mod a {}"), None);
    let found = errors(&expanded);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("CARGO_MANIFEST_DIR"), "{found:?}");
}

#[test]
fn files_that_cannot_be_read_are_errors() {
    let package = package();
    let root = package.path();
    fs::write(root.join("latin1.eom"), b"model caf\xe9").unwrap();
    fs::create_dir(root.join("folder")).unwrap();
    for (path, reason) in [
        ("none.eom", "none.eom: "),
        ("folder", "folder: "),
        (
            "latin1.eom",
            "not UTF-8 text: the first bad byte is number 9",
        ),
        ("-", "-: "),
    ] {
        for more in ["", ", generated = \"line.rs\""] {
            let expanded = expand(&format!("{path:?}{more}"), "mod a {}", root);
            let found = errors(&expanded);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(reason), "{found:?}");
            let there = if path == "latin1.eom" {
                &["latin1.eom"][..]
            } else {
                &[]
            };
            assert_eq!(watched(&expanded, root), there);
        }
    }
}

/// A file as eomgen writes it, for the text of `line.eom`; what stands below the header does not matter.
fn committed(root: &Path, name: &str, source: &str, options: &[(&str, &str)], body: &str) {
    use eomgen::internals::header::{self, Header};
    let pairs: Vec<(String, String)> = options
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let header = Header {
        version: header::VERSION.to_owned(),
        source_name: "line.eom".to_owned(),
        input: header::input_hash(source, &pairs),
        options: pairs,
        body: header::body_hash(body).unwrap(),
    };
    fs::write(root.join(name), format!("{header}{body}")).unwrap();
}

const BODY: &str = "//! Line.\n#![allow(dead_code)]\npub fn f() {}\n";
const DEFAULT: &[(&str, &str)] = &[("method", "kane"), ("form", "auto")];

#[test]
fn a_fresh_committed_file_is_used_as_it_is() {
    let package = package();
    let root = package.path();
    committed(root, "line.rs", LINE, DEFAULT, BODY);
    let expanded = expand(
        "\"line.eom\", generated = \"line.rs\"",
        "#[x] pub(crate) mod a { #![y] fn own() {} }",
        root,
    );
    let path = |name: &str| root.join(name).display().to_string();
    let expect = format!(
        "#[x] pub(crate) mod a {{ #![y] {BODY}
         const _: &[u8] = ::core::include_bytes!({:?});
         const _: &[u8] = ::core::include_bytes!({:?}); fn own() {{}} }}",
        path("line.eom"),
        path("line.rs")
    );
    assert_eq!(spelled(expanded), spelled(tokens(&expect)));

    // The user's documentation is a paragraph of its own.
    for item in ["/// Mine.\nmod a {}", "mod a {\n//! Mine.\n}"] {
        let expanded = expand("\"line.eom\", generated = \"line.rs\"", item, root).to_string();
        let mine = expanded.find("Mine").unwrap();
        let gap = expanded.find("\"\"").unwrap();
        assert!(mine < gap && gap < expanded.find("Line").unwrap());
    }
}

#[test]
fn a_text_and_its_parts_may_have_a_committed_file() {
    let package = package();
    let root = package.path();
    let text = fs::read_to_string(root.join("whole.eom")).unwrap();
    let part = fs::read_to_string(root.join("part.eom")).unwrap();
    let whole = format!("{text}\n// part\n{part}");
    committed(root, "whole.rs", &whole, DEFAULT, BODY);
    let arguments = format!("text = {text:?}, generated = \"whole.rs\"");
    let expanded = expand(&arguments, "mod a {}", root);
    assert_eq!(errors(&expanded), [""; 0]);
    assert_eq!(watched(&expanded, root), ["part.eom", "whole.rs"]);

    fs::write(root.join("part.eom"), part.replace("param m", "param n")).unwrap();
    let found = errors(&expand(&arguments, "mod a {}", root));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("whole.rs is stale: the model has changed"));
    let command = format!("to write it, run in {}: eomgen prepare", root.display());
    assert!(found[0].ends_with(&command), "{found:?}");
}

#[test]
fn stale_files_name_the_reason_and_the_command() {
    let package = package();
    let root = package.path();
    let check = |more: &str, reason: &str, command: &str| {
        let arguments = format!("\"line.eom\", generated = \"line.rs\"{more}");
        let expanded = expand(&arguments, "mod a {}", root);
        let found = errors(&expanded);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(reason), "{found:?}");
        let command = format!("\nto write it, run in {}: {command}", root.display());
        assert!(found[0].ends_with(&command), "{found:?}");
        expanded.to_string().contains("fn f")
    };
    let plain = "eomgen derive line.eom -o line.rs";
    assert!(!check("", "there is no such file", plain));

    committed(root, "line.rs", LINE, DEFAULT, BODY);
    let more = ", method = \"lagrange\", dependent = \"x'\", set(n = 2), math = \"libm\"";
    let options = " --method lagrange --dependent \"x'\" --set n=2 --math libm";
    let reason =
        "line.rs is stale: the file was written with other options: `method=kane form=auto`";
    // What is stale is used all the same, so that the error is the only one.
    assert!(check(more, reason, &format!("{plain}{options}")));

    committed(root, "line.rs", "model other", DEFAULT, BODY);
    assert!(check(
        "",
        "the model has changed since the file was written",
        plain
    ));

    let text = fs::read_to_string(root.join("line.rs")).unwrap();
    let old = text.replace(eomgen::internals::header::VERSION, "0.0.1");
    fs::write(root.join("line.rs"), old).unwrap();
    assert!(check("", "written by eomgen 0.0.1, this is", plain));

    // What somebody else has written is not to be overwritten.
    for text in ["fn f( {", "fn f() }", "fn f() {}"] {
        fs::write(root.join("line.rs"), text).unwrap();
        let found = errors(&expand(
            "\"line.eom\", generated = \"line.rs\"",
            "mod a {}",
            root,
        ));
        assert_eq!(found.len(), 1, "{found:?}");
        let expect = "line.rs was not written by eomgen: it has no header\n\
            name another file, or move this one away";
        assert!(found[0].ends_with(expect), "{found:?}");
    }
    fs::write(root.join("line.rs"), b"\xff").unwrap();
    assert!(!check("", "it is not UTF-8 text", plain));
}

#[test]
fn the_editor_names_every_value() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join("eomgen-macros/src/lib.rs")).unwrap();
    for method in eomgen::internals::catalogue::METHODS {
        assert!(
            text.contains(&format!("`{}`", method.name)),
            "{}",
            method.name
        );
    }
}

#[cfg(not(feature = "derive"))]
#[test]
fn without_the_engine_a_committed_file_is_asked_for() {
    let package = package();
    let expanded = expand(
        "\"line.eom\", method = \"maggi\"",
        "mod r#loop {}",
        package.path(),
    );
    let found = errors(&expanded);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].contains("its feature `derive` is off"),
        "{found:?}"
    );
    assert!(
        found[0].contains("`generated = \"src/loop.rs\"`"),
        "{found:?}"
    );
    assert!(found[0].ends_with("eomgen derive line.eom -o src/loop.rs --method maggi"));
    assert_eq!(watched(&expanded, package.path()), ["line.eom"]);
}

#[cfg(feature = "derive")]
mod derived {
    use eomgen::options::{DeriveOptions, Form, Math};

    use super::*;

    /// What `eomgen derive` writes, in a module with the files to watch.
    fn module(root: &Path, name: &str, options: &DeriveOptions, watched: &[&str]) -> Vec<String> {
        let path = root.join(name).display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let source = eomgen::Source::gather(&path, &text, |path| {
            fs::read_to_string(path).map_err(|e| e.to_string())
        });
        let code = eomgen::derive_source(&source, options).unwrap().code;
        let mut rest = String::new();
        for file in watched {
            let path = root.join(file);
            rest.push_str(&format!(
                "const _: &[u8] = ::core::include_bytes!({path:?});"
            ));
        }
        spelled(tokens(&format!("pub mod a {{ {code} {rest} }}")))
    }

    #[test]
    fn the_code_is_that_of_the_command_line() {
        let package = package();
        let root = package.path();
        let plain = DeriveOptions::default();
        let expanded = expand("\"line.eom\"", "pub mod a {}", root);
        assert_eq!(
            spelled(expanded),
            module(root, "line.eom", &plain, &["line.eom"])
        );

        let options = DeriveOptions {
            method: Some("gibbs-appell".into()),
            form: Form::Staged,
            math: Math::Libm,
            outputs: vec!["velocity_terms".into(), "applied_forces".into()],
            ..plain
        };
        let arguments =
            "model = \"whole.eom\", method = \"gibbs-appell\", form = \"staged\", math = \"libm\",
            output = [\"velocity_terms\", \"applied_forces\"]";
        let files = ["whole.eom", "part.eom"];
        let expanded = expand(arguments, "pub mod a {}", root);
        assert_eq!(
            spelled(expanded),
            module(root, "whole.eom", &options, &files)
        );
    }

    #[test]
    fn every_mistake_of_a_model_is_an_error_of_its_own() {
        let package = package();
        let root = package.path();
        let text = fs::read_to_string(root.join("mistakes.eom")).unwrap();
        for (arguments, place, files) in [
            (
                "\"mistakes.eom\"".to_owned(),
                "mistakes.eom:7:14",
                &["mistakes.eom"][..],
            ),
            (format!("text = {text:?}"), "<inline>:7:14", &[]),
        ] {
            let expanded = expand(&arguments, "mod a { fn own() {} }", root);
            let found = errors(&expanded);
            assert_eq!(found.len(), 2, "{found:?}");
            assert!(
                found[0].starts_with("E0101: unknown name `c`\n"),
                "{found:?}"
            );
            assert!(found[0].contains(place), "{found:?}");
            assert!(
                found[1].starts_with("E0101: unknown name `z`\n"),
                "{found:?}"
            );
            assert_eq!(watched(&expanded, root), files);
            assert!(expanded.to_string().contains("fn own"));
        }
    }

    #[test]
    fn warnings_are_deprecated_constants_named_by_code() {
        let package = package();
        fs::write(
            package.path().join("line.eom"),
            format!("{LINE}/// Nothing.\n"),
        )
        .unwrap();
        let expanded = expand("\"line.eom\"", "mod a {}", package.path());
        assert_eq!(errors(&expanded), [""; 0]);
        let text = expanded.to_string();
        assert_eq!(text.matches("deprecated").count(), 1);
        assert!(text.contains("const E0015 : () = () ; E0015"), "{text}");
    }
}
