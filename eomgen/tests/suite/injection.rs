//! What a model says in its documentation is text, wherever it goes: no code that `cargo test --doc` runs, no tags on a page, no commands to a terminal.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::process::{Command, Stdio};

use eomgen::{derive, options::DeriveOptions};

/// Ways to begin code, tags, links and commands. Each is one line of documentation.
const PAYLOADS: [&str; 22] = [
    "~~~",
    "~~~rust",
    "```",
    "```rust",
    "````",
    "> ```",
    "> ~~~ rust",
    "- ```",
    "- > ~~~",
    "1. ```rust",
    "    panic!(\"indented\");",
    "\tpanic!(\"tabbed\");",
    "<script>alert(1)</script>",
    "`a <script>alert(2)</script>",
    "https://a><script>alert(3)</script>",
    "&lt;b&gt; <!-- ",
    "[x](javascript:alert(4)) ![y](https://example.org/y.png)",
    "[`Model::new`]: https://example.org",
    "\u{1b}[2J\u{1b}]0;title\u{7} \u{9b}2J",
    "\u{202e}desrever\u{2066}\u{200b}",
    "*/ \" \\ #![doc = include_str!(\"/etc/passwd\")]",
    "{{ x }} \\input{/etc/passwd} $x$ | ---",
];

/// A model that documents everything that can be documented with this.
fn model(docs: &dyn Fn(&str) -> String) -> String {
    let d = docs("///");
    format!(
        "{}model sledge\n{d}param m = 2.5 : kg > 0\n{d}param l = 0.75 : m > 0\nparam g = 9.81 : m/s^2\n{d}coord x = 0.1 : m\n{d}coord th = 0.4 : rad\n{d}input F : N\n\
         {d}function f(x) : N\n{d}point S = O + x*N.x\npoint B = S + l*sin(th)*N.x - l*cos(th)*N.y\n{d}particle sledge: mass m at S\nparticle bob: mass m at B\n\
         {d}speed u = x'\nspeed w = th'\ngravity: -g*N.y\n{d}force on S: (F + f)*N.x\n{d}constraint c: x = l*th\n{d}reaction T: torque on O\n{d}output height = l - l*cos(th)\n",
        docs("//!")
    )
    .replace(&format!("{d}reaction T: torque on O\n"), "")
}

/// All payloads one after the other, each in a paragraph of its own, and then again without paragraphs.
fn everywhere(mark: &str) -> String {
    let apart = PAYLOADS
        .iter()
        .map(|p| format!("{mark} {p}\n{mark} let x: () = 1;\n{mark}\n"));
    let together = PAYLOADS.iter().map(|p| format!("{mark} {p}\n"));
    apart.chain(together).collect()
}

fn code(text: &str) -> String {
    derive("sledge.eom", text, &DeriveOptions::default())
        .unwrap()
        .code
}

fn is_obeyed(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// `rustdoc` finds nothing to run and nothing to warn of, and its pages have no tag of ours.
#[test]
fn no_documentation_is_code_or_a_tag() {
    documented(5);
}

#[test]
#[ignore = "two minutes: cargo test --workspace -- --include-ignored injection"]
fn nothing_that_stands_alone_is_code_or_a_tag() {
    documented(1);
}

/// All payloads together, and one in so many alone.
fn documented(stride: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut texts = vec![code(&model(&everywhere))];
    // One alone, at the head of a model: on one line, and with others below.
    for payload in PAYLOADS.iter().step_by(stride) {
        texts.push(code(&model(&|mark| format!("{mark} {payload}\n"))));
        texts.push(code(&model(&|mark| {
            format!("{mark} {payload}\n{mark} panic!();\n{mark} {payload}\n")
        })));
    }
    let mut library = String::from("#![allow(dead_code)]\n");
    for (i, text) in texts.iter().enumerate() {
        assert!(!text.contains(is_obeyed), "{text}");
        fs::write(folder.path().join(format!("m{i}.rs")), text).unwrap();
        library.push_str(&format!("pub mod m{i};\n"));
    }
    fs::write(folder.path().join("lib.rs"), library).unwrap();
    let rustdoc = |arguments: &[&str]| {
        let output = Command::new(tool())
            .args(["--edition", "2024", "--crate-name", "texts", "lib.rs"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{said}");
        said
    };
    let said = rustdoc(&["--test"]);
    assert!(said.contains("running 0 tests"), "{said}");
    rustdoc(&[
        "-o",
        "pages",
        "-D",
        "warnings",
        "-A",
        "rustdoc::private_intra_doc_links",
        "-A",
        "rustdoc::bare_urls",
    ]);
    let page = folder.path().join("pages/texts/m0/struct.Params.html");
    let pages = [page, folder.path().join("pages/texts/m0/index.html")]
        .map(|p| fs::read_to_string(p).unwrap());
    for page in pages {
        for tag in [
            "<script>alert",
            "href=\"javascript",
            "src=\"https://example.org",
            "<!-- ",
        ] {
            assert!(!page.contains(tag), "{tag}");
        }
    }
}

fn tool() -> String {
    std::env::var("RUSTDOC").unwrap_or_else(|_| "rustdoc".to_owned())
}

/// Pages and terminals get text as well.
#[test]
fn no_page_and_no_terminal_obeys_a_model() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sledge.eom"), model(&everywhere)).unwrap();
    let mut wrong = model(&everywhere);
    wrong.push_str("output y = nothing // \u{1b}[2J\u{202e}\nuse \"a\u{1b}[2J.eom\" as b()\n");
    fs::write(folder.path().join("wrong.eom"), wrong).unwrap();
    fs::write(folder.path().join("e\u{1b}[2J.eom"), "model e\n").unwrap();
    for (arguments, format) in [
        (&["check", "sledge.eom"][..], ""),
        (&["show", "sledge.eom"], ""),
        (&["show", "sledge.eom", "--format", "html"], "html"),
        (&["show", "sledge.eom", "--format", "latex"], "latex"),
        (&["show", "sledge.eom", "--format", "markdown"], "markdown"),
        (&["derive", "sledge.eom", "--emit", "equations"], ""),
        (&["check", "wrong.eom"], ""),
        (&["check", "e\u{1b}[2J.eom"], ""),
        (&["check", "none\u{1b}[2J.eom"], ""),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eomgen"));
        let command = command.args(arguments).current_dir(folder.path());
        let output = command.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!said.is_empty());
        for line in said.lines() {
            assert!(!line.contains(is_obeyed), "{arguments:?}: {line:?}");
        }
        let forbidden: &[&str] = match format {
            "html" => &["<script>alert", "<!-- ", "href=\"javascript"],
            "latex" => &["\\input"],
            "markdown" => &[
                "\n~~~",
                "\n> ",
                "\n    panic",
                // The first one stands between back-quotes.
                "<script>alert(2)",
                "<script>alert(3)",
                "[x](javascript",
            ],
            _ => &[],
        };
        for tag in forbidden {
            assert!(!said.contains(tag), "{arguments:?}: {tag}");
        }
    }
}
