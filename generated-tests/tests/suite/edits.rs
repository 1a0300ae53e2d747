//! Edits of a whole file, as a hand or a program could make them: whatever a caller can observe is noticed by `verify`, and what nobody can observe
//! is not held against the file.

use eomgen::options::{DeriveOptions, VerifyOptions};
use eomgen::{Source, Standing, derive_source, verify_source};

const MODEL: &str = "//! A pendulum on a sledge that a force drives.
model sledge
param m = 2.5 : kg > 0    /// bob
param M = 1.25 : kg       /// sledge
param l = 0.75 : m > 0    /// rod
param g = 9.81 : m/s^2
coord x = 0.1 : m
coord th = 0.4 : rad
input F : N               /// on the sledge
point S = O + x*N.x
point B = S + l*sin(th)*N.x - l*cos(th)*N.y
particle sledge: mass M at S
particle bob: mass m at B
gravity: -g*N.y
force on S: F*N.x
output height = l - l*cos(th)
output span = sqrt(x)
";

struct Bench {
    source: Source,
    text: String,
}

impl Bench {
    fn new() -> Self {
        let source = Source::new("sledge.eom", MODEL);
        let options = DeriveOptions {
            method: Some("kane".into()),
            ..DeriveOptions::default()
        };
        let text = derive_source(&source, &options).unwrap().code;
        Self { source, text }
    }

    fn standing(&self, text: &str) -> (Standing, String) {
        let options = VerifyOptions {
            file: Some(("sledge.rs".into(), text.to_owned())),
            ..VerifyOptions::default()
        };
        match verify_source(&self.source, &options) {
            Ok(certificate) => (certificate.standing(), certificate.to_string()),
            // The header does not belong to the model.
            Err(failure) => (Standing::NotProven, format!("{failure:?}")),
        }
    }

    /// The text with one thing replaced where it stands first behind a mark.
    fn edited(&self, mark: &str, from: &str, to: &str) -> String {
        let at = self.text.find(mark);
        let at = at.unwrap_or_else(|| panic!("`{mark}` is not in the text"));
        let found = self.text[at..].find(from);
        let at = at + found.unwrap_or_else(|| panic!("`{from}` does not follow `{mark}`"));
        let (head, tail) = self.text.split_at(at);
        format!("{head}{to}{}", &tail[from.len()..])
    }
}

/// Attributes that change what is compiled, or what else a file brings along.
const ATTRIBUTES: [&str; 12] = [
    "#[cfg(any())]",
    "#[cfg(not(debug_assertions))]",
    "#[cfg_attr(all(), allow(unused))]",
    "#[test]",
    "#[unsafe(no_mangle)]",
    "#[doc = include_str!(\"other.md\")]",
    "#[doc(hidden)]",
    "#[derive(Mine)]",
    "#[mine]",
    "#[deprecated]",
    "#[track_caller]",
    "#[target_feature(enable = \"fma\")]",
];

/// Places of attributes: what they stand before, behind a mark.
const PLACES: [(&str, &str); 9] = [
    ("", "#![allow(dead_code"),
    ("", "pub fn accelerations("),
    ("pub fn accelerations(", "check::<CHECKED>(0"),
    ("pub fn accelerations(", "finite::<CHECKED>(2"),
    ("", "impl<const CHECKED: bool> Model"),
    ("", "fn of("),
    ("", "impl Default for Params"),
    ("pub struct Params", "pub l: f64"),
    ("", "fn check<"),
];

/// What has the same value as `x` for real numbers, or for some of them.
const DISGUISES: [&str; 18] = [
    "((x + 1e300) - 1e300)",
    "(x * 1e300 * 1e300 / 1e300 / 1e300)",
    "(x * (x / x))",
    "(x + 1e200 * 1e200 * 0.0)",
    "(x * 1e-200 * 1e-200 * 1e200 * 1e200)",
    "(x + 0.1 - 0.1)",
    "x.sin().asin()",
    "x.tan().atan()",
    "(x.sqrt() * x.sqrt())",
    "(2.0 * x.sqrt().ln()).exp()",
    "x.min(1e3)",
    "x.max(-1e3)",
    "x.clamp(-1e3, 1e3)",
    "(if x > 1e3 { 0.0 } else { x })",
    "(if x < -1e3 { 0.0 } else { x })",
    "x.abs()",
    "x.powi(1)",
    "(x * 1.0000000000000002)",
];

/// Texts replaced behind a mark: mark, text, other text.
const REPLACED: [(&str, &str, &str); 74] = [
    // The header.
    ("", "method=kane", "method=lagrange"),
    ("// body: ", "// body: ", "// body: 0"),
    ("// input: ", "// input: ", "// input: 0"),
    // What a reader is told.
    ("# Equations of motion", "m l cos(θ)", "m l sin(θ)"),
    ("# Equations of motion", "θ̇² − F", "θ̇² + F"),
    ("# Accelerations", "sin²(θ)", "sin(θ)"),
    ("# Symbols", "(`kg`)", "(`lb`)"),
    ("# Symbols", "`M`: sledge", "`M`: bob"),
    ("# Remarks", "closed form", "open form"),
    ("# Remarks", "`m > 0`", "`M > 0`"),
    ("# Singular conditions", "m*sin(th)^2", "m*cos(th)^2"),
    ("# Singular conditions", "`x < 0`", "`x > 0`"),
    ("# Operations", "23 (+ 7", "22 (+ 6"),
    (
        "pub fn accelerations(",
        "// singular: m*sin(th)^2 + M = 0",
        "",
    ),
    (
        "pub fn accelerations(",
        "// singular: m*sin",
        "// singular: l*sin",
    ),
    ("", "/// bob (`kg`)", "/// bob (`g`)"),
    ("pub struct State", "(`m/s`)", "(`km/h`)"),
    ("", "# Errors", "# Panics"),
    // Constants and data.
    ("pub const FACTS", "= kane", "= lagrange"),
    (
        "pub const FACTS",
        "unknowns = x'' th''",
        "unknowns = th'' x''",
    ),
    ("pub const FACTS", "output = height", "output = span"),
    (
        "",
        "pub const STATES: usize = 4",
        "pub const STATES: usize = 5",
    ),
    (
        "",
        "pub const STATES: usize = 4",
        "pub const STATES: u32 = 4",
    ),
    ("", "pub const COORDINATES", "const COORDINATES"),
    ("fn default() -> Self", "m: 2.5", "m: 2.500000000000001"),
    (
        "fn default() -> Self",
        "m: 2.5,\n            M: 1.25",
        "M: 1.25,\n            m: 2.5",
    ),
    ("fn default() -> Self", "9.81", "9.8"),
    ("fn default() -> Self", "9.81", "-9.81"),
    ("pub struct Params", "pub m: f64", "m: f64"),
    ("pub struct Params", "pub m: f64", "pub m: f32"),
    ("pub struct Inputs", "pub F: f64", "pub f: f64"),
    ("pub const CONDITIONS", "m*sin(th)^2 + M = 0", "m + M = 0"),
    ("SINGULAR_TOLERANCE", "1e-9", "1e-12"),
    ("SINGULAR_TOLERANCE", "1e-9", "0.0"),
    (
        "pub struct Params",
        "pub m: f64,\n    /// sledge (`kg`)\n    pub M: f64",
        "pub M: f64,\n    /// sledge (`kg`)\n    pub m: f64",
    ),
    (
        "#[derive(Clone, Copy, Debug, PartialEq)]",
        ", PartialEq",
        "",
    ),
    ("#[derive(Clone, Copy, Debug, PartialEq)]", "Copy, ", ""),
    ("#[repr(usize)]", "#[repr(usize)]", ""),
    ("#[repr(usize)]", "#[repr(usize)]", "#[repr(u8)]"),
    ("impl State", "x: state[0]", "x: state[1]"),
    ("const NAMES", "\"x\"", "\"y\""),
    // Signatures.
    (
        "pub fn accelerations(",
        "t: f64,\n        state: &[f64; STATES]",
        "state: &[f64; STATES],\n        t: f64",
    ),
    (
        "pub fn accelerations(",
        "Result<[f64; 2], Singular>",
        "Result<[f64; 2], ()>",
    ),
    ("", "pub fn accelerations(", "fn accelerations("),
    ("", "pub fn accelerations(", "pub const fn accelerations("),
    ("", "pub fn accelerations(", "pub unsafe fn accelerations("),
    (
        "",
        "pub fn accelerations(",
        "pub extern \"C\" fn accelerations(",
    ),
    ("", "#[must_use]\n", ""),
    // The model.
    (
        "",
        "const CHECKED: bool = true",
        "const CHECKED: bool = false",
    ),
    ("", "impl Model<false>", "impl Model<true>"),
    ("pub struct Model", "    m_l: f64,", "    pub m_l: f64,"),
    ("pub fn new", "Self::of(p)", "Self::unchecked(p)"),
    ("fn of(", "p.m + p.M", "p.m - p.M"),
    ("fn of(", "m: p.m,", "m: p.M,"),
    ("fn of(", "m_l,", "m_l: 1.0,"),
    ("\npub fn accelerations(", "Model::new", "Model::unchecked"),
    ("\npub fn derivative(", ").derivative(", ").accelerations("),
    // Checks.
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, ",
        "check::<CHECKED>(1, ",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, ",
        "check::<true>(0, ",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, ",
        "check::<false>(0, ",
    ),
    (
        "pub fn accelerations(",
        "m_sin_th_squared.abs() + self.constant_jqd",
        "0.0",
    ),
    (
        "pub fn accelerations(",
        "m_sin_th_squared.abs() + self.constant_jqd",
        "1.0",
    ),
    ("pub fn accelerations(", "scale_lmb)?;", "scale_lmb).ok();"),
    (
        "pub fn accelerations(",
        "finite::<CHECKED>(2, &accelerations)?;",
        "",
    ),
    (
        "pub fn accelerations(",
        "(2, &accelerations)?;",
        "(2, &[])?;",
    ),
    (
        "pub fn accelerations(",
        "finite::<CHECKED>(2",
        "finite::<CHECKED>(1",
    ),
    (
        "pub fn output_span(",
        "check::<CHECKED>(1, scale_fjk, 0.0)?;",
        "",
    ),
    ("pub fn output_span(", "sqrt()", "abs().sqrt()"),
    ("fn check<", "!CHECKED || ", ""),
    ("fn check<", "> SINGULAR", ">= SINGULAR"),
    ("fn check<", "Ok(())", "Ok(Default::default())"),
    ("fn finite<", "all(", "any("),
    ("fn finite<", "is_finite", "is_nan"),
    (
        "pub fn accelerations(",
        "Ok(accelerations)",
        "Ok([accelerations[1], accelerations[0]])",
    ),
];

/// What is added at the end.
const ADDED: [&str; 13] = [
    "pub fn other() {}",
    "mod other { pub fn f() {} }",
    "use std::f64::consts::PI;",
    "static X: f64 = 1.0;",
    "pub static mut Y: f64 = 1.0;",
    "macro_rules! m { () => {} }",
    "unsafe extern \"C\" { fn f(); }",
    "impl Drop for Inputs { fn drop(&mut self) {} }",
    "impl Params { pub fn new() -> Self { Self::default() } }",
    "impl Model { pub fn one(&self) -> f64 { 1.0 } }",
    "trait Mine {}",
    "pub type Real = f64;",
    "const _: () = assert!(1 > 0);",
];

#[test]
fn some_edits_that_can_be_observed_are_noticed() {
    observed(5);
}

#[test]
#[ignore = "a minute: cargo test -p generated-tests --test suite edits -- --ignored"]
fn edits_that_can_be_observed_are_noticed() {
    observed(1);
}

fn observed(stride: usize) {
    let bench = Bench::new();
    assert_eq!(bench.standing(&bench.text).0, Standing::Verified);
    let mut edits: Vec<(String, String)> = Vec::new();
    for attribute in ATTRIBUTES {
        for (mark, place) in PLACES {
            let text = bench.edited(mark, place, &format!("{attribute}\n{place}"));
            edits.push((format!("{attribute} before {place}"), text));
        }
    }
    for (place, entry) in [("q", "th.sin_cos()"), ("forcing", "self.m_g *")] {
        let variable = entry.split(['.', ' ']).next().unwrap_or(entry);
        let operand = entry.trim_end_matches([' ', '*']);
        for disguise in DISGUISES {
            // The whole operand, whatever it is called.
            let of = if place == "q" { variable } else { operand };
            let Some(at) = bench.text.find(entry) else {
                continue;
            };
            let (head, tail) = bench.text.split_at(at);
            let text = format!("{head}{}{}", disguise.replace('x', of), &tail[of.len()..]);
            edits.push((format!("{disguise} for {of}"), text));
        }
    }
    for (mark, from, to) in REPLACED {
        edits.push((
            format!("`{from}` to `{to}` behind `{mark}`"),
            bench.edited(mark, from, to),
        ));
    }
    for added in ADDED {
        edits.push((added.to_owned(), format!("{}\n{added}\n", bench.text)));
    }
    let start = bench.text.find("    /// Right-hand side f").unwrap();
    let end = start + bench.text[start..].find("\n    }\n").unwrap() + 7;
    let forcing = &bench.text[start..end];
    let (head, tail) = bench.text.split_at(end);
    edits.push((
        "a function twice".into(),
        format!("{head}\n{forcing}{tail}"),
    ));
    edits.push(("a function gone".into(), bench.text.replace(forcing, "")));
    assert!(edits.len() >= 150, "{} edits", edits.len());
    let mut missed = Vec::new();
    let mut wrong = 0;
    for (name, text) in edits.iter().step_by(stride) {
        assert_ne!(*text, bench.text, "{name} changes nothing");
        let (standing, certificate) = bench.standing(text);
        wrong += usize::from(standing == Standing::Wrong);
        // It says where.
        let told = certificate.contains("not proven")
            || certificate.contains("wrong")
            || certificate.contains("Message");
        if standing == Standing::Verified || !told {
            missed.push(format!("{name}\n{certificate}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    // Those that give other numbers are not only "not proven".
    assert!(wrong * stride >= 10, "{wrong} of {} wrong", edits.len());
}

#[test]
fn edits_that_nobody_can_observe_pass() {
    let bench = Bench::new();
    let text = &bench.text;
    for (name, text) in [
        ("line ends", text.replace('\n', "\r\n")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("blank lines", text.replace("\npub fn", "\n\n\npub fn")),
        ("trailing blanks", text.replace(";\n", ";  \n")),
        ("tabs", text.replace("    ", "\t")),
        ("no indentation", text.replace("\n    ", "\n")),
        (
            "a comment",
            text.replace("Ok(accelerations)", "// done\n    Ok(accelerations)"),
        ),
        (
            "a comment of blocks",
            text.replace("Ok(accelerations)", "/* done */ Ok(accelerations)"),
        ),
        ("a comment at the end", format!("{text}// end\n")),
        (
            "a trailing comma",
            text.replace("inputs: &Inputs,\n", "inputs: &Inputs ,\n"),
        ),
        // The model's file may have got another name, and another version may write the same.
        (
            "another name",
            text.replacen("from sledge.eom", "from other.eom", 1),
        ),
        (
            "another version",
            text.replacen("by eomgen 0.1.0", "by eomgen 0.0.9", 1),
        ),
        (
            "documentation as an attribute",
            text.replace("/// bob (`kg`)", "#[doc = \" bob (`kg`)\"]"),
        ),
    ] {
        let (standing, certificate) = bench.standing(&text);
        assert_eq!(standing, Standing::Verified, "{name}: {certificate}");
    }
}

/// A file of another version stands for itself: nothing that samples cannot decide passes.
#[test]
fn a_file_of_another_version_is_proven_by_itself() {
    let bench = Bench::new();
    let old = bench.text.replacen("by eomgen 0.1.0", "by eomgen 0.0.9", 1);
    for (from, to) in [
        ("th.sin_cos()", "th.sin().asin().sin_cos()"),
        ("th.sin_cos()", "th.min(1e3).sin_cos()"),
        (
            "check::<CHECKED>(0, ",
            "#[cfg(any())]\n    check::<CHECKED>(0, ",
        ),
        (
            "#![allow(dead_code, missing_docs, unused_variables)]",
            "#![cfg(any())]",
        ),
    ] {
        let text = old.replacen(from, to, 1);
        assert_ne!(text, old);
        let (standing, certificate) = bench.standing(&text);
        assert_ne!(standing, Standing::Verified, "{to}: {certificate}");
    }
    let (standing, certificate) = bench.standing(&old);
    assert!(
        certificate.contains("written by eomgen 0.0.9"),
        "{certificate}"
    );
    assert_eq!(standing, Standing::Verified, "{certificate}");
}
