//! What `eomgen show` writes, in every format: the shape of the documents, and the mathematics of the worked examples as the papers print it.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use eomgen::{Source, internals::pipeline::exposition::Exposition, options::DeriveOptions};
use eomgen::{internals::show::WIDTH, options::Format};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models")
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .arg("show")
        .args(arguments)
        .current_dir(models())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// What the library writes, which is what the program prints ([`the_program_prints_what_the_library_writes`]).
fn shown(model: &str, method: &str, format: &str) -> String {
    let method = (method != "all").then_some(method);
    let format = Format::named(format).unwrap();
    format.write(&exposition(model, method))
}

#[test]
fn the_program_prints_what_the_library_writes() {
    for (format, method) in [("text", "kane"), ("html", "lagrange"), ("json", "kane")] {
        let arguments = ["e4_sleigh.eom", "--method", method, "--format", format];
        let (code, out, err) = run(&arguments);
        assert_eq!(code, 0, "{err}");
        assert_eq!(out, shown("e4_sleigh.eom", method, format), "{format}");
    }
}

/// Models of every kind: the worked examples, quaternions, functions, loads, springs, branches, loops, and staged ones.
const VARIED: [&str; 12] = [
    "e1_appell.eom",
    "e2_appell_rheonomic.eom",
    "e3_appell_nonideal.eom",
    "e4_sleigh_speeds.eom",
    "e5_wheel_axle.eom",
    "energy_hunt_crossley.eom",
    "four_bar.eom",
    "ladder_friction.eom",
    "spinning_top.eom",
    "turntable_quaternion.eom",
    "whipple_bicycle.eom",
    "pend_abs_5.eom",
];

/// The page's example is what the program writes: `EOMGEN_BLESS=1 cargo test -p eomgen --test suite show::the_page_shows`.
#[test]
fn the_page_shows_what_is_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/show.md");
    let page = fs::read_to_string(&path).unwrap();
    let model = page
        .split("```eom\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sleigh.eom");
    fs::write(&file, model).unwrap();
    let (code, out, err) = run(&[file.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    let (before, rest) = page.split_once("```text,shown\n").unwrap();
    let (there, after) = rest.split_once("```").unwrap();
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        fs::write(&path, format!("{before}```text,shown\n{out}```{after}")).unwrap();
        return;
    }
    assert_eq!(there, out);
}

/// Whether all of these lines stand in a text, one below the other, each with the same indent.
fn has_lines(text: &str, block: &[&str]) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    lines.windows(block.len()).any(|window| {
        let indent = window
            .iter()
            .zip(block)
            .find_map(|(line, part)| line.strip_suffix(part))
            .unwrap_or("x");
        indent.trim().is_empty()
            && window.iter().zip(block).all(|(line, part)| {
                line.strip_prefix(indent).map(str::trim_end) == Some(part.trim_end())
            })
    })
}

fn assert_lines(text: &str, block: &[&str]) {
    assert!(
        has_lines(text, block),
        "no\n{}\nin\n{text}",
        block.join("\n")
    );
}

/// Equations are compared with what the papers print: the papers' lines by hand in this notation.
#[test]
fn the_worked_examples_read_as_in_the_papers() {
    // O'Reilly et al. 2.24 with 2.26; the blade force mu = m2 u1 u2 drops out.
    let text = shown("e4_sleigh_speeds.eom", "gibbs-appell", "text");
    assert_lines(
        &text,
        &[
            "(m₁ + m₂) u̇₁ + m₁ l u₂² = 0",
            "l u̇₂ − u₁ u₂ = 0",
            "  (divided by m₁ l)",
        ],
    );
    let first: Vec<&str> = text.lines().take(20).collect();
    assert!(
        first.iter().any(|l| l.contains("u̇₁ + m₁ l u₂² = 0")),
        "{first:?}"
    );
    // Wang & Pao 66-67, with the rim's mass: both equations over a.
    let text = shown("e5_wheel_axle.eom", "kane", "text");
    assert_lines(
        &text,
        &[
            "2 a (M + m_rim) ψ̈₁ − l (M + m_rim) φ̈ − 2 M g sin(α) cos(φ) = 0",
            "  (divided by a)",
        ],
    );
    // Udwadia 1996, 43: r'' = F - (r'^T F) r' / |r'|^2 with the sign of the third component turned, over one denominator.
    let text = shown("e1_appell.eom", "udwadia-kalaba", "text");
    assert_lines(
        &text,
        &[
            "    F_z ẋ ż + F_x (ẏ² + ż²) − F_y ẋ ẏ",
            "ẍ = ─────────────────────────────────",
            "              ẋ² + ẏ² + ż²",
        ],
    );
    // Udwadia & Kalaba 1998, 31, with -z' g = -g z'.
    let text = shown("e2_appell_rheonomic.eom", "gibbs-appell", "text");
    assert_lines(
        &text,
        &[
            "    (α (h_x ẋ + h_y ẏ + h_z ż + h_t) − g ż) ẋ",
            "ẍ = ─────────────────────────────────────────",
            "                  ẋ² + ẏ² + ż²",
        ],
    );
}

/// All formats are of one derivation: by a formulation, or by all.
fn exposition(model: &str, method: Option<&str>) -> Arc<Exposition> {
    type Known = BTreeMap<String, Arc<OnceLock<Arc<Exposition>>>>;
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let place = Arc::clone(known.entry(format!("{model} {method:?}")).or_default());
    drop(known);
    let made = place.get_or_init(|| {
        let text = fs::read_to_string(models().join(model)).unwrap();
        let options = DeriveOptions {
            method: method.map(str::to_owned),
            ..DeriveOptions::default()
        };
        match eomgen::exposition(&Source::new(model, &text), &options, method.is_none()) {
            Ok((shown, _)) => Arc::new(shown),
            Err(failure) => panic!("{model}: {failure:?}"),
        }
    });
    Arc::clone(made)
}

#[test]
fn models_of_every_kind_are_shown_in_every_format() {
    let schema = schema();
    let stride = if crate::is_thorough() { 1 } else { 3 };
    for model in VARIED.iter().step_by(stride) {
        let shown = exposition(model, Some("kane"));
        let text = Format::Text.write(&shown);
        for line in text.lines() {
            assert!(UnicodeWidthStr::width(line) <= WIDTH, "{model}: {line}");
            assert_eq!(line, line.trim_end(), "{model}");
        }
        assert!(text.contains("Equations of motion (kane)"), "{model}");
        balanced_latex(model, &Format::Latex.write(&shown));
        closed_markdown(model, &Format::Markdown.write(&shown));
        well_formed(&Format::Html.write(&shown));
        let value: Value = serde_json::from_str(&Format::Json.write(&shown)).unwrap();
        check(&schema, &schema, &value, model).unwrap();
    }
}

#[test]
fn the_equations_come_first_in_every_format() {
    let marks = [
        ("text", "Equations of motion (kane)", "The model"),
        ("markdown", "## Equations of motion (kane)", "## The model"),
        (
            "latex",
            "\\section{Equations of motion (kane)}",
            "\\section{The model}",
        ),
        (
            "html",
            "<section id=\"equations-kane\"",
            "<section id=\"model\"",
        ),
        ("json", "\"equations-kane\"", "\"id\": \"model\""),
    ];
    for (format, equations, next) in marks {
        let text = shown("e4_sleigh_speeds.eom", "kane", format);
        let (first, second) = (text.find(equations), text.find(next));
        assert!(first.is_some() && first < second, "{format}");
    }
}

#[test]
fn the_bytes_are_the_same_every_time() {
    let (once, again) = (
        exposition("e4_sleigh_speeds.eom", None),
        exposition("e4_sleigh_speeds.eom", None),
    );
    for format in Format::ALL {
        assert_eq!(
            format.write(&once),
            format.write(&again),
            "{}",
            format.name()
        );
    }
    // Another process writes the same.
    let text = Format::Text.write(&exposition("e2_appell_rheonomic.eom", Some("kane")));
    assert_eq!(text, shown("e2_appell_rheonomic.eom", "kane", "text"));
}

/// Elements opened and closed in order, attributes quoted, no bare `<` or `&`; returns the names of all elements.
fn well_formed(text: &str) -> Vec<String> {
    const VOID: [&str; 4] = ["meta", "input", "br", "link"];
    let mut open: Vec<String> = Vec::new();
    let mut names = Vec::new();
    let mut rest = text.strip_prefix("<!DOCTYPE html>").unwrap_or(text);
    while let Some(at) = rest.find(['<', '&']) {
        let tail = &rest[at..];
        if let Some(entity) = tail.strip_prefix('&') {
            let end = entity.find(';').expect("an entity without an end");
            assert!(
                ["amp", "lt", "gt", "quot", "#39"].contains(&&entity[..end]),
                "&{}",
                &entity[..end]
            );
            rest = &entity[end..];
            continue;
        }
        let end = tail.find('>').expect("a tag without an end");
        let tag = &tail[1..end];
        rest = &tail[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(name),
                "closes what is not open, before {:.80}",
                rest
            );
            continue;
        }
        let name: String = tag
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric())
            .collect();
        assert!(!name.is_empty(), "<{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        names.push(name.clone());
        if tag.ends_with('/') || VOID.contains(&name.as_str()) {
            continue;
        }
        // What stands in a script or style is no markup.
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("a script or style without an end");
            rest = &rest[end + close.len()..];
            continue;
        }
        open.push(name);
    }
    assert!(open.is_empty(), "left open: {open:?}");
    names
}

#[test]
fn the_checker_of_markup_finds_faults() {
    assert_eq!(well_formed("<p>a &lt; <b>b</b></p>"), ["p", "b"]);
    for bad in ["<p><b></p></b>", "<p>", "a & b", "<p>&nbsp;</p>"] {
        let caught = std::panic::catch_unwind(|| well_formed(bad));
        assert!(caught.is_err(), "{bad}");
    }
}

#[test]
fn html_is_well_formed_and_refers_to_nothing_elsewhere() {
    let elements = [
        "math", "mi", "mn", "mo", "mrow", "mfrac", "msup", "msub", "msubsup", "mover", "msqrt",
        "mtable", "mtr", "mtd", "mtext", "mspace",
    ];
    for (model, method) in [
        ("e4_sleigh_speeds.eom", "all"),
        ("e5_wheel_axle.eom", "kane"),
        ("energy_hunt_crossley.eom", "lagrange"),
    ] {
        let page = shown(model, method, "html");
        let names = well_formed(&page);
        for wanted in ["math", "mfrac", "msub", "mover", "nav", "section", "table"] {
            assert!(
                names.iter().any(|n| n == wanted) || (wanted == "mfrac" && model.starts_with("e5")),
                "{model}: {wanted}"
            );
        }
        // Within `math` there is MathML Core only.
        for inside in page.split("<math").skip(1) {
            let inside = inside.split("</math>").next().unwrap();
            for tag in inside.split('<').skip(1).filter(|t| !t.starts_with('/')) {
                let name: String = tag
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric())
                    .collect();
                assert!(elements.contains(&name.as_str()), "{model}: <{name}>");
            }
        }
        for from_elsewhere in [
            "http:", "https:", "src=", "@import", "url(", "<link", "<iframe",
        ] {
            assert!(!page.contains(from_elsewhere), "{model}: {from_elsewhere}");
        }
        assert!(
            page.contains("viewport") && page.contains("@media print"),
            "{model}"
        );
        // Every reference within the page leads somewhere.
        for link in page.split("href=\"#").skip(1) {
            let id = link.split('"').next().unwrap();
            assert!(page.contains(&format!("id=\"{id}\"")), "{model}: #{id}");
        }
    }
}

#[test]
fn symbols_say_what_they_are_and_formulations_can_be_switched() {
    let page = shown("e4_sleigh_speeds.eom", "all", "html");
    assert!(
        page.contains("title=\"θ: coordinate, heading of the rod (rad)\""),
        "{page:.3000}"
    );
    for method in [
        "kane",
        "lagrange",
        "maggi",
        "boltzmann-hamel",
        "newton-euler",
    ] {
        assert!(page.contains(&format!("id=\"m-{method}\"")), "{method}");
        assert!(
            page.contains(&format!(
                "<section id=\"equations-{method}\" data-method=\"{method}\">"
            )),
            "{method}"
        );
    }
    let checked = page.matches(" checked>").count();
    assert_eq!(checked, 1);
}

/// The part of JSON Schema that `docs/show.schema.json` uses.
fn check(schema: &Value, root: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(target) = schema["$ref"].as_str() {
        let name = target.strip_prefix("#/$defs/").unwrap();
        return check(&root["$defs"][name], root, value, at);
    }
    if let Some(list) = schema["oneOf"].as_array() {
        let fits = list
            .iter()
            .filter(|s| check(s, root, value, at).is_ok())
            .count();
        return match fits {
            1 => Ok(()),
            n => Err(format!("{at}: fits {n} of the alternatives: {value}")),
        };
    }
    if let Some(list) = schema["enum"].as_array()
        && !list.contains(value)
    {
        return Err(format!("{at}: {value} is none of {list:?}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
    };
    let allowed = match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(list) => list.iter().any(|t| t == kind),
        _ => true,
    };
    if !allowed {
        return Err(format!("{at}: a {kind}, not {}", schema["type"]));
    }
    if let Some(list) = value.as_array() {
        for (i, item) in list.iter().enumerate() {
            check(&schema["items"], root, item, &format!("{at}[{i}]"))?;
        }
    }
    if let Some(fields) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap()) {
                return Err(format!("{at}: {name} is missing"));
            }
        }
        for (name, item) in fields {
            let Some(inner) = schema["properties"].get(name) else {
                return Err(format!("{at}: {name} is not in the schema"));
            };
            check(inner, root, item, &format!("{at}.{name}"))?;
        }
    }
    Ok(())
}

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/show.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn json_has_the_published_shape() {
    let schema = schema();
    for (model, method) in [
        ("e4_sleigh_speeds.eom", "all"),
        ("e5_wheel_axle.eom", "maggi"),
        ("pend_abs_5.eom", "kane"),
    ] {
        let value: Value = serde_json::from_str(&shown(model, method, "json")).unwrap();
        check(&schema, &schema, &value, model).unwrap();
        // What is left out or added is found.
        let mut broken = value.clone();
        broken["sections"][0]["blocks"][0]["kind"] = "poem".into();
        assert!(check(&schema, &schema, &broken, model).is_err());
        let mut broken = value.clone();
        broken.as_object_mut().unwrap().remove("symbols");
        assert!(check(&schema, &schema, &broken, model).is_err());
        let mut broken = value;
        broken["more"] = Value::Null;
        assert!(check(&schema, &schema, &broken, model).is_err());
    }
}

#[test]
fn terms_are_attributed_by_the_names_of_the_model() {
    let text = shown("e5_wheel_axle.eom", "kane", "text");
    assert!(text.contains("Origin of each term (kane)"), "{text}");
    for source in [
        "inertia of wheel1",
        "inertia of wheel2",
        "gravity on wheel1",
        "gravity on wheel2",
    ] {
        assert!(text.contains(source), "{source}\n{text}");
    }
    // Springs go by their names, and the parts of a combination have no single owner.
    let text = shown("energy_duffing.eom", "kane", "text");
    assert!(text.contains("potential "), "{text}");
}

#[test]
fn all_gives_a_chapter_for_each_formulation_and_says_which_do_not_apply() {
    // The constraint is not linear in the velocities: Maggi's equations say nothing of it.
    let text = shown("e1_appell.eom", "all", "text");
    for method in ["kane", "gibbs-appell", "udwadia-kalaba"] {
        assert!(
            text.contains(&format!("Equations of motion ({method})")),
            "{method}"
        );
    }
    assert!(!text.contains("Equations of motion (maggi)"));
    assert!(text.contains("maggi does not apply:"), "{text}");
}

#[test]
fn machines_of_many_speeds_show_what_there_is() {
    let text = shown("pend_abs_20.eom", "kane", "text");
    assert!(text.contains("The model"), "{text}");
    for line in text.lines() {
        assert!(UnicodeWidthStr::width(line) <= 100, "{line}");
    }
    let (code, out, err) = run(&["pend_abs_n.eom", "--set", "n=30", "--method", "kane"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("not formed as expressions"), "{out:.2000}");
    assert!(
        out.contains("Omitted because the model is large"),
        "{out:.2000}"
    );
}

#[test]
fn wrong_use_and_wrong_models_have_their_exit_codes_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.html");
    let name = out.to_str().unwrap();
    let bad = folder.path().join("bad.eom");
    fs::write(&bad, "model bad\ncoord x : m\nparticle A: mass q at O\n").unwrap();
    let bad = bad.to_str().unwrap();
    let table: [(&[&str], i32, &str); 6] = [
        (&["e4_sleigh.eom", "--format", "pdf"], 2, "invalid value"),
        (&["e4_sleigh.eom", "--method", "newton"], 2, "invalid value"),
        (&["missing.eom", "-o", name], 1, "missing.eom"),
        (&[bad, "-o", name, "--format", "html"], 1, "error["),
        (&[bad, "-o", bad], 2, "the output file is the model itself"),
        (
            &["e1_appell.eom", "--method", "maggi", "-o", name],
            1,
            "error[",
        ),
    ];
    for (arguments, expected, said) in table {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!(code, expected, "{arguments:?}\n{stderr}");
        assert!(stderr.contains(said), "{arguments:?}\n{stderr}");
        assert!(stdout.is_empty(), "{arguments:?}");
        assert!(!out.exists(), "{arguments:?}");
    }
    let (code, stdout, stderr) = run(&["e4_sleigh.eom", "-o", name, "--format", "html"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(fs::read_to_string(&out).unwrap().ends_with("</html>\n"));
}

fn is_there(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}

#[test]
fn latex_compiles() {
    if !is_there("pdflatex") {
        eprintln!(
            "SKIPPED: pdflatex is not installed; the LaTeX of `eomgen show` was not compiled"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (model, method) in [
        ("e4_sleigh_speeds.eom", "all"),
        ("e5_wheel_axle.eom", "kane"),
        ("energy_hunt_crossley.eom", "lagrange"),
        ("whipple_bicycle.eom", "kane"),
    ] {
        let file = folder.path().join("shown.tex");
        fs::write(&file, shown(model, method, "latex")).unwrap();
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", "shown.tex"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{model}\n{log}");
    }
}

/// Braces and environments of LaTeX that is not compiled are at least balanced.
fn balanced_latex(model: &str, text: &str) {
    let mut depth = 0_i64;
    let mut escaped = false;
    for c in text.chars() {
        match (c, escaped) {
            ('{', false) => depth += 1,
            ('}', false) => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0, "{model}");
        escaped = c == '\\' && !escaped;
    }
    assert_eq!(depth, 0, "{model}");
    let mut open = Vec::new();
    for piece in text.split('\\') {
        let inside = |word: &str| {
            piece
                .strip_prefix(word)
                .and_then(|p| p.split('}').next())
                .map(str::to_owned)
        };
        if let Some(name) = inside("begin{") {
            open.push(name);
        }
        if let Some(name) = inside("end{") {
            assert_eq!(open.pop(), Some(name), "{model}");
        }
    }
    assert!(open.is_empty(), "{model}: {open:?}");
    assert_eq!(
        text.matches("\\left").count(),
        text.matches("\\right").count(),
        "{model}"
    );
}

/// Displays are closed, and the rows of a table have as many cells.
fn closed_markdown(model: &str, text: &str) {
    let fences = text.lines().filter(|l| *l == "$$").count();
    assert!(fences > 0 && fences.is_multiple_of(2), "{model}");
    let mut columns = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let count = line.replace("\\|", "").matches('|').count();
        assert_eq!(*columns.get_or_insert(count), count, "{model}: {line}");
    }
}

#[test]
fn browsers_draw_the_page() {
    let browser = ["chromium", "chromium-browser", "google-chrome", "chrome"]
        .into_iter()
        .find(|b| is_there(b));
    let Some(browser) = browser else {
        eprintln!("SKIPPED: no Chromium is installed; the page of `eomgen show` was not opened");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shown.html");
    fs::write(&file, shown("e4_sleigh_speeds.eom", "all", "html")).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && dom.contains("<mfrac>"),
        "{dom:.2000}"
    );
}
