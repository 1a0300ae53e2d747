//! Edits of a whole file, as a hand or a program could make them: whatever a caller can observe is noticed by `verify`, and what nobody can observe
//! is not held against the file.

use eomgen::options::{DeriveOptions, Scalar, VerifyOptions};
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

/// Texts replaced behind a mark, of other kinds than those above: names that hide others, functions in other places, the model's type, what stands before and
/// after the formulas.
const SECOND: [(&str, &str, &str); 97] = [
    // Functions and types of the same names, nearer by.
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "fn check<const C: bool>(_: usize, _: f64, _: f64) -> Result<(), Singular> { Ok(()) }\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "fn finite<const C: bool>(_: usize, _: &[f64]) -> Result<(), Singular> { Ok(()) }\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "const CHECKED: bool = false;\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let state = &[0.0; STATES];\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let inputs = &Inputs { F: 0.0 };\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "use other::*;\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "type Wide = f32;\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "struct Singular;\nlet [_, th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [_, th_dot, _, th] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [.., th, _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [_, th, _, th_dot] = [0.0; STATES];",
    ),
    (
        "fn check<",
        "if !CHECKED",
        "const SINGULAR_TOLERANCE: f64 = 0.0;\n    if !CHECKED",
    ),
    (
        "fn check<",
        "if !CHECKED",
        "let scale = 0.0;\n    if !CHECKED",
    ),
    (
        "fn check<",
        "if !CHECKED",
        "return Ok(());\n    if !CHECKED",
    ),
    (
        "fn finite<",
        "if !CHECKED",
        "let results: &[f64] = &[];\n    if !CHECKED",
    ),
    ("fn finite<", "results.iter()", "results.iter().take(1)"),
    (
        "fn finite<",
        "|x| x.is_finite()",
        "|x| x.is_finite() || x.is_nan()",
    ),
    ("fn check<", "divisor == 0.0", "divisor != 0.0"),
    // Ways around what is computed.
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "if self.M == 1.0 { return Ok([0.0; 2]); }\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "if th > 1e4 { return Ok([0.0; 2]); }\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "return Ok([0.0; 2]);\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "loop {}\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "panic!();\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "debug_assert!(th < 3.0);\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "std::process::exit(0);\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "println!(\"{th}\");\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "let sin_th = 0.0;\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "let cos_th = cos_th * (1.0 + 1e-15);\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot_hhx",
        "let _ = self.derivative(t, state, inputs);\nlet x_ddot_hhx",
    ),
    (
        "pub fn accelerations(",
        "let accelerations = [x_ddot, th_ddot];",
        "let mut accelerations = [x_ddot, th_ddot];\naccelerations[0] = 0.0;",
    ),
    (
        "pub fn accelerations(",
        "let accelerations = [x_ddot, th_ddot];",
        "let accelerations = [x_ddot, x_ddot];",
    ),
    (
        "pub fn accelerations(",
        "let accelerations = [x_ddot, th_ddot];",
        "let accelerations = [x_ddot; 2];",
    ),
    (
        "pub fn accelerations(",
        "let accelerations = [x_ddot, th_ddot];",
        "let accelerations = unsafe { [x_ddot, th_ddot] };",
    ),
    (
        "pub fn accelerations(",
        "(2, &accelerations)?;",
        "(2, &accelerations[..1])?;",
    ),
    (
        "pub fn accelerations(",
        "(2, &accelerations)?;",
        "(2, &[0.0])?;",
    ),
    (
        "pub fn accelerations(",
        "finite::<CHECKED>(2, &accelerations)?;",
        "let _ = finite::<CHECKED>(2, &accelerations);",
    ),
    (
        "pub fn accelerations(",
        "finite::<CHECKED>(2, &accelerations)?;",
        "if CHECKED && th < 1.0 { finite::<CHECKED>(2, &accelerations)?; }",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "let _ = check::<CHECKED>(0, divisor_ngh, scale_lmb);",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "check::<CHECKED>(0, scale_lmb, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "check::<{ false }>(0, divisor_ngh, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "check::<{ CHECKED && false }>(0, divisor_ngh, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "check::<CHECKED>(0, divisor_ngh * 1e9, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "(|| check::<CHECKED>(0, divisor_ngh, scale_lmb)).call().ok();",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "macro_rules! q { () => {} }\nq!();",
    ),
    (
        "pub fn derivative(",
        "self.accelerations(t, state, inputs)?",
        "Model::unchecked(&Params::default()).accelerations(t, state, inputs)?",
    ),
    (
        "pub fn derivative(",
        "self.accelerations(t, state, inputs)?",
        "self.accelerations(0.0, state, inputs)?",
    ),
    (
        "pub fn derivative(",
        "self.accelerations(t, state, inputs)?",
        "self.accelerations(t, state, inputs).unwrap_or([0.0; 2])",
    ),
    (
        "pub fn derivative(",
        "self.accelerations(t, state, inputs)?",
        "self.forcing(t, state, inputs)",
    ),
    (
        "pub fn derivative(",
        "accelerations[0], accelerations[1]",
        "accelerations[1], accelerations[0]",
    ),
    // The model's type and what makes it.
    (
        "",
        "pub struct Model<const CHECKED: bool = true>",
        "pub struct Model<const CHECKED: bool = false>",
    ),
    (
        "",
        "pub struct Model<const CHECKED: bool = true>",
        "pub struct Model<const CHECKED: bool>",
    ),
    (
        "",
        "pub struct Model<const CHECKED: bool = true>",
        "pub struct Model<const UNCHECKED: bool = true>",
    ),
    (
        "",
        "pub struct Model<const CHECKED: bool = true>",
        "pub(crate) struct Model<const CHECKED: bool = true>",
    ),
    (
        "",
        "impl<const CHECKED: bool> Model<CHECKED>",
        "impl Model<false>",
    ),
    (
        "",
        "impl<const CHECKED: bool> Model<CHECKED>",
        "impl<const CHECKED: bool> Model<CHECKED> where Params: Copy",
    ),
    ("", "impl Model {\n", "impl Model<true> {\n"),
    ("", "impl Model<false>", "impl Model<{ !true }>"),
    ("pub fn new", "-> Self", "-> Model<false>"),
    ("pub fn new", "(p: &Params)", "(p: Params)"),
    ("pub fn new", "(p: &Params)", "(mut p: &Params)"),
    (
        "pub fn unchecked",
        "Self::of(p)",
        "Self::of(&Params::default())",
    ),
    ("pub fn unchecked", "pub fn unchecked", "pub fn trusted"),
    (
        "impl<const CHECKED: bool>",
        "fn of(p: &Params) -> Self {",
        "pub fn of(p: &Params) -> Self {",
    ),
    ("fn of(", "let m_l = p.m * p.l;", "let m_l = p.m * p.m;"),
    ("fn of(", "let abs_m = p.M.abs();", "let abs_m = 0.0;"),
    ("fn of(", "1e-6 *", "1e6 *"),
    (
        "fn of(",
        "constant_jqd: abs_m + constant_slc",
        "constant_jqd: 0.0",
    ),
    ("fn of(", "two_m_l: 2.0", "two_m_l: 2.0000000000000004"),
    ("fn of(", "l: p.l,", "l: p.l.max(0.0),"),
    ("fn of(", "m_l,", "m_l: m_l,"),
    ("pub struct Model", "    m_l: f64,", "    m_l: f32,"),
    (
        "pub struct Model",
        "    m_l: f64,\n",
        "    m_l: f64,\n    extra: f64,\n",
    ),
    // Functions beside the model.
    (
        "\npub fn accelerations(",
        "Model::new(p).accelerations",
        "Model::<false>::unchecked(p).accelerations",
    ),
    (
        "\npub fn accelerations(",
        "Model::new(p)",
        "Model::new(&Params::default())",
    ),
    (
        "\npub fn accelerations(",
        "(t, state, inputs)",
        "(0.0, state, inputs)",
    ),
    (
        "\npub fn derivative(",
        "Model::new(p).derivative(t, state, inputs)",
        "Model::new(p).derivative(t, state, inputs).or(Ok([0.0; 4]))",
    ),
    (
        "\npub fn derivative(",
        "p: &Params,\n    inputs: &Inputs",
        "inputs: &Inputs,\n    p: &Params",
    ),
    (
        "\npub fn derivative(",
        "pub fn derivative(",
        "pub fn derivative<T>(",
    ),
    // Data.
    ("impl State", "x: state[0]", "x: -state[0]"),
    (
        "impl State",
        "[self.x, self.th, self.x_dot, self.th_dot]",
        "[self.x, self.th, self.th_dot, self.x_dot]",
    ),
    ("impl Default for Params", "m: 2.5", "m: 25e-1"),
    ("impl Default for Params", "m: 2.5", "m: 2.5_f32 as f64"),
    ("impl Default for Params", "g: 9.81", "g: 9.810000000000001"),
    ("impl Default for State", "x: 0.1", "x: 0.1 + 0.0"),
    ("pub enum StateIndex", "    X,\n    Th,", "    Th,\n    X,"),
    ("pub enum StateIndex", "    X,", "    X = 1,"),
    ("pub const CONDITIONS", "\"x < 0\"", "\"x <\\u{a0}0\""),
    (
        "impl core::fmt::Display for Singular",
        "singular: {condition}",
        "fine: {condition}",
    ),
    (
        "impl core::fmt::Display for Singular",
        "self.condition",
        "0",
    ),
    ("", "impl core::error::Error for Singular {}", ""),
    (
        "pub struct Singular",
        "pub condition: usize",
        "pub condition: u8",
    ),
    // Formulas that round in another way.
    (
        "pub fn forcing(",
        "th_dot * th_dot * (self.m_l * sin_th)",
        "th_dot * (th_dot * (self.m_l * sin_th))",
    ),
    ("pub fn forcing(", "th_dot * th_dot", "th_dot.powi(2)"),
    ("pub fn forcing(", "th.sin()", "(th as f32 as f64).sin()"),
    ("pub fn forcing(", "th.sin()", "th.rem_euclid(1e9).sin()"),
    ("pub fn forcing(", "th.sin()", "(th % 1e12).sin()"),
    ("pub fn forcing(", "th.sin()", "th.hypot(0.0).sin()"),
];

/// What is added at the end, of other kinds.
const SECOND_ADDED: [&str; 24] = [
    "impl Drop for Model { fn drop(&mut self) {} }",
    "impl core::ops::Deref for Model { type Target = f64; fn deref(&self) -> &f64 { &self.m } }",
    "impl From<Params> for Model { fn from(p: Params) -> Self { Self::of(&p) } }",
    "impl<const CHECKED: bool> Model<CHECKED> { pub fn more(&self) -> f64 { self.m } }",
    "impl Model { pub fn output_height(&self) -> f64 { 0.0 } }",
    "impl StateIndex { pub const COUNT: usize = 4; }",
    "impl core::ops::Index<StateIndex> for State { type Output = f64; fn index(&self, _: StateIndex) -> &f64 { &self.x } }",
    "trait Sine { fn sin_cos(self) -> (f64, f64); }",
    "trait Sine { fn sin(self) -> f64; } impl Sine for f64 { fn sin(self) -> f64 { 0.0 } }",
    "mod core { pub mod fmt {} }",
    "mod f64 {}",
    "use self::other as check;",
    "extern crate alloc;",
    "pub const PI: f64 = 3.0;",
    "pub const FACTS2: [&str; 0] = [];",
    "pub const STATES: usize = 4;",
    "pub union U { a: f64, b: u64 }",
    "pub enum Other { A }",
    "pub struct Other;",
    "type Result<T, E> = core::result::Result<T, E>;",
    "fn unused() -> f64 { 1.0 }",
    "global_asm!(\"\");",
    "pub use self::Model as Machine;",
    "const _: fn() = || {};",
];

/// The method `forcing` and a text without it.
fn cut_forcing(text: &str) -> (String, String) {
    let start = text.find("    /// Right-hand side f").unwrap();
    let end = start + text[start..].find("\n    }\n").unwrap() + 7;
    (
        text[start..end].to_owned(),
        format!("{}{}", &text[..start], &text[end..]),
    )
}

/// Edits that move whole pieces, or touch the file as such.
fn moved(text: &str) -> Vec<(&'static str, String)> {
    let (forcing, rest) = cut_forcing(text);
    let header: Vec<&str> = text.lines().take(3).collect();
    vec![
        (
            "a method in the implementation of the checked model",
            rest.replacen("impl Model {\n", &format!("impl Model {{\n{forcing}"), 1),
        ),
        (
            "a method in the implementation of the other one",
            rest.replacen(
                "impl Model<false> {\n",
                &format!("impl Model<false> {{\n{forcing}"),
                1,
            ),
        ),
        (
            "a method in an implementation of its own",
            format!("{rest}\nimpl<const CHECKED: bool> Model<CHECKED> {{\n{forcing}}}\n"),
        ),
        (
            "a method as a function",
            format!("{rest}\n{}", forcing.replace("&self, ", "self_: &Model, ")),
        ),
        (
            "methods in another order",
            rest.replacen(
                "    /// Accelerations q''.",
                &format!("{forcing}\n    /// Accelerations q''."),
                1,
            ),
        ),
        (
            "without its header",
            text.lines().skip(3).map(|l| format!("{l}\n")).collect(),
        ),
        ("the header twice", format!("{}\n{text}", header.join("\n"))),
        ("the header behind a line", format!("// mine\n{text}")),
        ("an end cut off", text[..text.len() - 40].to_owned()),
        ("half of it", text[..text.len() / 2].to_owned()),
        ("nothing behind the header", header.join("\n")),
        ("a zero at the end", format!("{text}\0")),
        (
            "a lint that is forbidden",
            text.replacen(
                "#![allow(dead_code, ",
                "#![forbid(unsafe_code)]\n#![allow(dead_code, ",
                1,
            ),
        ),
        (
            "a feature",
            text.replacen(
                "#![allow(dead_code, ",
                "#![feature(fma)]\n#![allow(dead_code, ",
                1,
            ),
        ),
        (
            "no_std",
            text.replacen(
                "#![allow(dead_code, ",
                "#![no_std]\n#![allow(dead_code, ",
                1,
            ),
        ),
        (
            "all lints",
            text.replacen("#![allow(dead_code, ", "#![allow(warnings, dead_code, ", 1),
        ),
        ("a raw name", text.replace("m_g_sin_th", "r#m_g_sin_th")),
        (
            "another option in the header",
            text.replacen("form=auto", "form=closed", 1),
        ),
        (
            "an option more",
            text.replacen("form=auto", "form=auto math=libm", 1),
        ),
        (
            "documentation of a function gone",
            text.replacen("    /// Kinetic energy T.\n", "", 1),
        ),
        (
            "documentation of another function",
            text.replacen(
                "    /// Kinetic energy T.\n",
                "    /// Potential energy V of gravity, 0 at the origin.\n",
                1,
            ),
        ),
        (
            "a marked direction",
            text.replacen("/// Kinetic energy T.", "/// Kinetic\u{202e} energy T.", 1),
        ),
        (
            "an example in the documentation",
            text.replacen(
                "/// Kinetic energy T.",
                "/// Kinetic energy T.\n    ///\n    /// ```\n    /// panic!();\n    /// ```",
                1,
            ),
        ),
        (
            "a row of operations gone",
            text.replacen("//! - `rates`", "//! - `states`", 1)
                .replacen("//! - `mass_matrix`", "//! - `matrix`", 1),
        ),
        (
            "a private function of the same text",
            text.replace("check::<", "checked::<")
                .replace("fn check<", "fn checked<"),
        ),
        (
            "everything in a module",
            format!(
                "{}\nmod inner {{\n{}\n}}\npub use inner::*;\n",
                header.join("\n"),
                text
            ),
        ),
    ]
}

/// The second set.
fn second(bench: &Bench) -> Vec<(String, String)> {
    let mut edits: Vec<(String, String)> = Vec::new();
    for (mark, from, to) in SECOND {
        edits.push((
            format!("`{from}` to `{to}` behind `{mark}`"),
            bench.edited(mark, from, to),
        ));
    }
    for added in SECOND_ADDED {
        edits.push((added.to_owned(), format!("{}\n{added}\n", bench.text)));
    }
    edits.extend(
        moved(&bench.text)
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text)),
    );
    edits
}

fn second_observed(stride: usize) {
    let bench = Bench::new();
    let edits = second(&bench);
    assert!(edits.len() >= 140, "{} edits", edits.len());
    let mut missed = Vec::new();
    for (name, text) in edits.iter().step_by(stride) {
        assert_ne!(*text, bench.text, "{name} changes nothing");
        let (standing, certificate) = bench.standing(text);
        if standing == Standing::Verified {
            missed.push(format!("{name}\n{certificate}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn some_edits_of_other_kinds_are_noticed() {
    second_observed(9);
}

#[test]
#[ignore = "a minute: cargo test -p generated-tests --test suite edits -- --ignored"]
fn edits_of_other_kinds_are_noticed() {
    second_observed(1);
}

/// A text that claims to be another version's, with the hash that belongs to it.
fn as_of_another_version(text: &str) -> String {
    let old = text.replacen("by eomgen 0.1.0", "by eomgen 0.0.9", 1);
    let body: String = old
        .lines()
        .skip(3)
        .map(|line| format!("{line}\n"))
        .collect();
    let Ok(hash) = eomgen::internals::header::body_hash(&body) else {
        return old;
    };
    let line = old
        .lines()
        .find(|line| line.starts_with("// body: "))
        .unwrap();
    old.replacen(line, &format!("// body: {hash}"), 1)
}

/// What changes a number somewhere is noticed also where the text cannot be compared with this version's: near zero and far away, in doubles, by what it hides.
#[test]
fn some_numbers_of_another_version_are_proven_by_themselves() {
    other_numbers(8);
}

#[test]
#[ignore = "two minutes: cargo test --workspace -- --include-ignored edits"]
fn numbers_of_another_version_are_proven_by_themselves() {
    other_numbers(1);
}

/// One in so many of the disguises.
fn other_numbers(stride: usize) {
    let bench = Bench::new();
    let (standing, certificate) = bench.standing(&as_of_another_version(&bench.text));
    assert_eq!(standing, Standing::Verified, "{certificate}");
    let mut missed = Vec::new();
    for disguise in DISGUISES.iter().step_by(stride) {
        for (mark, entry) in [
            ("pub fn accelerations(", "th.sin_cos()"),
            ("pub fn forcing(", "inputs.F +"),
        ] {
            let operand = entry.trim_end_matches(" +").trim_end_matches(".sin_cos()");
            let to = entry.replacen(operand, &disguise.replace('x', operand), 1);
            // A power of one is what it was, and one unit of the last place is what rounding costs anyway.
            if matches!(*disguise, "x.powi(1)" | "(x * 1.0000000000000002)") {
                continue;
            }
            let text = as_of_another_version(&bench.edited(mark, entry, &to));
            if bench.standing(&text).0 == Standing::Verified {
                missed.push(to);
            }
        }
    }
    // The same pattern in other words.
    let others = SECOND
        .iter()
        .filter(|(_, _, to)| !to.starts_with("let [.., th"));
    for (mark, from, to) in others.take(49).step_by(stride) {
        let text = as_of_another_version(&bench.edited(mark, from, to));
        if bench.standing(&text).0 == Standing::Verified {
            missed.push((*to).to_owned());
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Texts replaced behind a mark, of a third set: literals in other words, names that look alike, patterns, traits, pieces of statements.
const THIRD: [(&str, &str, &str); 79] = [
    ("pub fn kinetic_energy(", "0.5 *", "0.5f32 as f64 *"),
    ("pub fn kinetic_energy(", "0.5 *", "5e-1_f64.next_up() *"),
    ("pub fn kinetic_energy(", "0.5 *", "0.5000000000000001 *"),
    ("pub fn kinetic_energy(", "0.5 *", "0.49999999999999994 *"),
    (
        "pub fn kinetic_energy(",
        "0.5 *",
        "f64::from_bits(0x3fe0000000000001) *",
    ),
    (
        "pub fn kinetic_energy(",
        "0.5 *",
        "f64::midpoint(0.0, 1.0) *",
    ),
    ("pub fn kinetic_energy(", "0.5 *", "(1 / 2) as f64 *"),
    (
        "pub fn kinetic_energy(",
        "0.5 *",
        "const { 0.5 + f64::EPSILON } *",
    ),
    ("pub const STATES", ": usize = 4", ": usize = 0b101"),
    ("pub const STATES", ": usize = 4", ": usize = 4 + 1"),
    ("fn check<", "0.0\n    } else", "-0.0\n    } else"),
    ("pub const SINGULAR_TOLERANCE", "1e-9", "1e-9_f32 as f64"),
    ("pub const SINGULAR_TOLERANCE", "1e-9", "1e-09 * 0.0"),
    (
        "impl Default for State",
        "x: 0.1",
        "x: 1e-1 - f64::MIN_POSITIVE",
    ),
    (
        "impl Default for Params",
        "m: 2.5",
        "..Self { m: 2.5, M: 0.0, l: 0.0, g: 0.0 }, m: 2.5",
    ),
    (
        "pub fn accelerations(",
        "let (sin_th, cos_th) = th.sin_cos();",
        "let (sin_th, cоs_th) = th.sin_cos(); let cos_th = sin_th;",
    ),
    (
        "pub fn accelerations(",
        "let m_g_sin_th = self.m_g * sin_th;",
        "let m_g_sin_th = self.m_g_ * sin_th;",
    ),
    (
        "pub fn accelerations(",
        "let (sin_th, cos_th)",
        "let (cos_th, sin_th)",
    ),
    (
        "pub fn accelerations(",
        "let (sin_th, cos_th)",
        "let (sin_th, mut cos_th)",
    ),
    (
        "pub fn accelerations(",
        "let (sin_th, cos_th) = th.sin_cos();",
        "let (sin_th, cos_th) = (th.sin(), th.sin());",
    ),
    (
        "pub fn accelerations(",
        "let (sin_th, cos_th) = th.sin_cos();",
        "let (sin_th, cos_th) = f64::sin_cos(th.to_degrees());",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh; let x_ddot = x_ddot + t * 0.0;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = { let divisor_ngh = 1.0; x_ddot_hhx / divisor_ngh };",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = (|divisor_ngh: f64| x_ddot_hhx / divisor_ngh)(self.M);",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = match divisor_ngh { 1.0 => 0.0, d => x_ddot_hhx / d };",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx.mul_add(1.0 / divisor_ngh, 1e-300);",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx * divisor_ngh.recip();",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot; x_ddot = x_ddot_hhx / divisor_ngh;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot: f64 = (x_ddot_hhx / divisor_ngh) as f32 as f64;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh; 'a: { break 'a; }",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh else { return Ok([0.0; 2]) };",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = dbg!(x_ddot_hhx / divisor_ngh);",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = std::hint::black_box(x_ddot_hhx / divisor_ngh).round();",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh;\nstatic mut N: u64 = 0;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = (x_ddot_hhx / divisor_ngh) % 1e6;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = (x_ddot_hhx / divisor_ngh).copysign(x_ddot_hhx);",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh + (1.0 - sin_th * sin_th - cos_th * cos_th) * 1e9;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh + (th - th) / 0.1;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = x_ddot_hhx / divisor_ngh + 1e-30 * th * th * th * th * th * th * th * th;",
    ),
    (
        "pub fn accelerations(",
        "let x_ddot = x_ddot_hhx / divisor_ngh;",
        "let x_ddot = (x_ddot_hhx + 3.0e15 * self.M - 3.0e15 * self.M) / divisor_ngh;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [_, th, _, th_dot] = *state else { loop {} };",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let &[_, th, _, th_dot] = &[0.0; STATES];",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [_, th @ 0.0.., _, th_dot] = *state;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [_, ref th, _, th_dot] = *state; let th = -th;",
    ),
    (
        "pub fn accelerations(",
        "let [_, th, _, th_dot] = *state;",
        "let [x, th, _, th_dot] = *state; let th = th + 0.0 * x;",
    ),
    (
        "pub fn accelerations(",
        "state: &[f64; STATES]",
        "state: &[f64; { STATES }]",
    ),
    (
        "pub fn accelerations(",
        "state: &[f64; STATES]",
        "&state: &[f64; STATES]",
    ),
    (
        "pub fn accelerations(",
        "inputs: &Inputs",
        "Inputs { F }: &Inputs",
    ),
    ("pub fn accelerations(", "t: f64", "_t: f64"),
    ("pub fn accelerations(", "&self,", "self,"),
    ("pub fn accelerations(", "&self,", "self: &Self,"),
    (
        "pub fn accelerations(",
        "-> Result<[f64; 2], Singular>",
        "-> core::result::Result<[f64; 2], Singular>",
    ),
    (
        "pub fn accelerations(",
        "-> Result<[f64; 2], Singular>",
        "-> impl Into<Result<[f64; 2], Singular>>",
    ),
    (
        "impl core::fmt::Display for Singular",
        "write!(",
        "return Ok(()); write!(",
    ),
    ("impl core::fmt::Display for Singular", "{:e}", "{:?}"),
    (
        "impl core::fmt::Display for Singular",
        "self.closeness",
        "f64::NAN",
    ),
    (
        "impl core::error::Error for Singular",
        "{}",
        "{ fn description(&self) -> &str { \"\" } }",
    ),
    ("pub struct Params", "pub m: f64", "pub(crate) m: f64"),
    (
        "pub struct Inputs",
        "pub F: f64,",
        "pub F: f64,\n    pub G: f64,",
    ),
    ("pub enum StateIndex", "X,", "#[default] X,"),
    ("pub enum StateIndex", "X,", "X {},"),
    ("impl StateIndex", "pub const NAMES", "pub const ΝAMES"),
    ("impl StateIndex", "[&'static str; 4]", "[&str; 4]"),
    ("fn finite<", "closeness: f64::NAN", "closeness: 0.0"),
    ("fn finite<", "x.is_finite()", "x.is_finite() | true"),
    ("fn check<", "condition,\n", "condition: 0,\n"),
    (
        "fn check<",
        "divisor.abs() / scale.abs()",
        "scale.abs() / divisor.abs()",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "#[cfg(debug_assertions)]\ncheck::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "{ check::<CHECKED>(0, divisor_ngh, scale_lmb) }.or(Ok(()))?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb * 0.0)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "check::<CHECKED>(0, divisor_ngh.abs() + 1e-6, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "if let Err(_) = check::<CHECKED>(0, divisor_ngh, scale_lmb) {}",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "/* check::<CHECKED>(0, divisor_ngh, scale_lmb)?; */",
    ),
    (
        "pub fn accelerations(",
        "check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
        "// check::<CHECKED>(0, divisor_ngh, scale_lmb)?;",
    ),
    (
        "pub fn accelerations(",
        "    check::<CHECKED>(0",
        "    //\u{b}\n    check::<CHECKED>(1 - 1",
    ),
    (
        "fn of(",
        "let m_l = p.m * p.l;",
        "let m_l = p.m * p.l; let p = &Params { m: p.m, M: p.M, l: p.l, g: 9.81 };",
    ),
    (
        "fn of(",
        "m_l_squared: p.l * p.l * p.m",
        "m_l_squared: p.l * p.l * p.m, ..Self::of(p)",
    ),
    (
        "fn of(",
        "Self {\n            m: p.m",
        "Model {\n            m: p.m",
    ),
    ("fn of(", "-> Self", "-> Model<CHECKED>"),
];

/// Each of the third set, of this version and as one of another version.
#[test]
#[ignore = "half a minute: cargo test -p generated-tests --test suite edits -- --ignored"]
fn edits_of_a_third_set_are_noticed() {
    third_observed(1);
}

#[test]
fn some_edits_of_a_third_set_are_noticed() {
    third_observed(7);
}

/// What is right as a text by itself: the same values, roundings within one unit of the last place, names of arguments.
const SAME: [&str; 9] = [
    "let x_ddot; x_ddot",
    "self: &Self,",
    "-> core::result::Result<",
    "-> Model<CHECKED>",
    "    //\u{b}",
    "0.5000000000000001 *",
    "0.49999999999999994 *",
    "(th - th) / 0.1",
    "_t: f64",
];

fn third_observed(stride: usize) {
    let bench = Bench::new();
    let mut missed = Vec::new();
    for (mark, from, to) in THIRD.iter().step_by(stride) {
        let text = bench.edited(mark, from, to);
        assert_ne!(text, bench.text, "{to}");
        let other = as_of_another_version(&text);
        for (text, of) in [(&text, "this"), (&other, "another")] {
            if of == "another" && SAME.iter().any(|same| to.contains(same)) {
                continue;
            }
            let (standing, certificate) = bench.standing(text);
            if standing == Standing::Verified {
                missed.push(format!(
                    "of {of} version, `{to}` for `{from}`: {certificate}"
                ));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The same model with other options.
fn with(change: impl Fn(&mut DeriveOptions)) -> Bench {
    let source = Source::new("sledge.eom", MODEL);
    let mut options = DeriveOptions {
        method: Some("kane".into()),
        ..DeriveOptions::default()
    };
    change(&mut options);
    let text = derive_source(&source, &options).unwrap().code;
    Bench { source, text }
}

#[test]
fn modules_for_numbers_of_any_type_are_proven() {
    let bench = with(|options| options.scalar = Scalar::Generic);
    let (standing, certificate) = bench.standing(&bench.text);
    assert_eq!(standing, Standing::Verified, "{certificate}");
    for (mark, from, to) in [
        ("pub fn accelerations(", "inputs.F;", "inputs.F + t;"),
        ("impl Scalar for f64", "f64::abs(self)", "self"),
        (
            "pub trait Scalar",
            "fn abs(self) -> Self;",
            "fn abs(self) -> Self { self }",
        ),
        (
            "impl<T: Scalar> Default for Params<T>",
            "T::from_f64(9.81)",
            "T::from_f64(9.8)",
        ),
        ("fn check<", "!CHECKED ||", "CHECKED ||"),
    ] {
        for text in [
            bench.edited(mark, from, to),
            as_of_another_version(&bench.edited(mark, from, to)),
        ] {
            let (standing, certificate) = bench.standing(&text);
            assert_ne!(standing, Standing::Verified, "{to}: {certificate}");
        }
    }
    let text = bench.edited("pub fn accelerations(", "inputs.F;", "inputs.F + t;");
    assert_eq!(bench.standing(&text).0, Standing::Wrong);
}

/// The functions of many states are read as what they do with one: columns that are exchanged, bounds of loops, stages, the states that a check refuses.
#[test]
fn functions_of_many_states_are_proven_and_some_errors_in_them_are_found() {
    errors_of_many(4);
}

#[test]
#[ignore = "two minutes: cargo test --workspace -- --include-ignored edits"]
fn functions_of_many_states_are_proven_and_errors_in_them_are_found() {
    errors_of_many(1);
}

/// One in so many of the errors.
fn errors_of_many(stride: usize) {
    let bench = with(|options| options.batch = true);
    let (standing, certificate) = bench.standing(&bench.text);
    assert_eq!(standing, Standing::Verified, "{certificate}");
    assert!(certificate.contains("accelerations_batch"), "{certificate}");
    let text = bench.edited("pub fn accelerations(", "inputs.F;", "inputs.F + t;");
    assert_eq!(bench.standing(&text).0, Standing::Wrong);
    let head = "fn accelerations_block<";
    let of_lanes = "pub fn accelerations_lanes<";
    let errors = [
        (of_lanes, "&states[", "&states[1 - 1 + "),
        ("fn accelerations_blocks<", "states[", "states[1 - 1 + "),
        ("fn accelerations_rest<", "first..]", "first + 1..]"),
        (
            "fn accelerations_rest<",
            "padded(column, first)",
            "padded(column, 0)",
        ),
        (
            "pub fn accelerations_batch(",
            "many * MANY_LANES",
            "many * FEW_LANES",
        ),
        (
            "pub fn accelerations_batch(",
            "count - first > 2",
            "count - first > 3",
        ),
        ("pub fn accelerations_batch(", "0..many", "1..many"),
        (
            head,
            "results[0][lane] = values[0]",
            "results[0][lane] = values[1]",
        ),
        (head, "0..W", "1..W"),
        (
            head,
            "cosines[0]);",
            "cosines[0]); sin_cos(state[0], &mut cosines[0], &mut sines[0]);",
        ),
        ("const MANY_LANES", "16", "8"),
        ("const FEW_LANES", "4", "5"),
        ("fn padded<", "column.len() - 1", "column.len() - 2"),
        ("fn entry(", "all[index]", "all[0]"),
        ("fn accelerations_one(", "states[k][index]", "states[k][0]"),
        ("fn accelerations_stage_1(", " * ", " + "),
        ("fn accelerations_stage_1(", " - ", " + "),
    ];
    for (mark, from, to) in errors.into_iter().step_by(stride) {
        let text = bench.edited(mark, from, to);
        for text in [as_of_another_version(&text), text] {
            let (standing, certificate) = bench.standing(&text);
            assert_ne!(standing, Standing::Verified, "{mark} {to}: {certificate}");
        }
    }
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
            "another spelling of a string",
            bench.edited("const NAMES", "\"th\"", "\"t\\u{68}\""),
        ),
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
