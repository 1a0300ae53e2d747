//! Every layout at every width against rustfmt itself.

use std::process::Command;

use super::*;

/// A name of the given width.
fn name(width: usize) -> String {
    format!("a{}", "b".repeat(width.saturating_sub(1)))
}

fn check(text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.rs");
    std::fs::write(&file, text).unwrap();
    let rustfmt = std::env::var("RUSTFMT").unwrap_or_else(|_| "rustfmt".into());
    let mut command = Command::new(rustfmt);
    let output = command
        .args(["--check", "--edition", "2024"])
        .arg(&file)
        .output()
        .unwrap();
    let difference = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{difference}\n{errors}");
}

/// All that `write` writes for every width, each in a function of its own.
fn at_all_widths(widths: impl IntoIterator<Item = usize>, write: impl Fn(&mut Writer, usize)) {
    let mut out = Writer::new();
    for (count, width) in widths.into_iter().enumerate() {
        out.open(&format!("fn f{count}() {{"));
        out.line("begin();");
        write(&mut out, width);
        out.close("}");
        out.blank();
    }
    check(&format!("{}\n", out.finish().trim_end()));
}

#[test]
fn assignments() {
    at_all_widths(10..90, |out, width| {
        let [one, two] = [name(width), name(width / 2)];
        let operands = |a: &str, b: String| Some(Pieces::Operands(a.into(), b));
        let pieces = operands("a", format!("* {one}"));
        out.assign("let value =", &format!("a * {one}"), pieces.as_ref());
        let pieces = operands(&two, format!("- {two}"));
        out.assign("out[0] =", &format!("{two} - {two}"), pieces.as_ref());
        out.assign("let value =", &format!("({two} + c).sin()"), None);
        let pieces = operands(&two, format!("/ {two}"));
        let head = format!("let {two} =");
        out.assign(&head, &format!("{two} / {two}"), pieces.as_ref());
        out.assign(&head, &format!("{two}.sin()"), None);
    });
}

/// Names of any length, as those of a model may be.
#[test]
fn calls_of_atoms() {
    at_all_widths(1..64, |out, width| {
        let [one, two, three] = [name(width), name(width / 2 + 1), name(64 - width)];
        for head in ["let v =", &format!("let {three} =")] {
            for a in [&one, &two] {
                for b in [&two, &three] {
                    let chain = Pieces::Chain(a.clone(), vec![format!(".max({b})")]);
                    out.assign(head, &format!("{a}.max({b})"), Some(&chain));
                    let links = vec![format!(".{a}"), format!(".max({b})")];
                    let chain = Pieces::Chain("p".into(), links);
                    out.assign(head, &format!("p.{a}.max({b})"), Some(&chain));
                    let call = Pieces::Call("libm::fmax".into(), vec![a.clone(), b.clone()], "");
                    out.assign(head, &format!("libm::fmax({a}, {b})"), Some(&call));
                }
            }
        }
    });
}

#[test]
fn statements() {
    at_all_widths(30..95, |out, width| {
        let args = ["2".to_owned(), name(width), "1.0".to_owned()];
        out.statement("check", &args, "?;");
    });
}

#[test]
fn signatures() {
    let mut out = Writer::new();
    for width in 50..80 {
        let args = [
            "t: f64".to_owned(),
            format!("{}: &[f64; STATES]", name(width / 2)),
        ];
        let head = format!("fn {}", name(width - width / 2));
        out.signature(&head, &args, " -> [f64; 3] {");
        out.indent();
        out.close("    x\n}");
        out.blank();
    }
    check(&format!("{}\n", out.finish().trim_end()));
}

#[test]
fn choices() {
    at_all_widths(1..70, |out, width| {
        let narrow = Choice {
            left: name(width / 3),
            right: "> 0.0".into(),
            then: "1.0".into(),
            other: "0.0".into(),
        };
        let head = format!("let {}: f64 =", name(width));
        if out.holds(&head, &narrow) {
            out.select(&head, &narrow, ";");
        }
        let choice = Choice {
            left: name(width),
            right: format!("< {}", name(width / 2)),
            then: "c".into(),
            other: name(width / 3),
        };
        for (head, tail) in [("let value =", ";"), ("", "")] {
            if out.holds(head, &choice) {
                out.select(head, &choice, tail);
            }
        }
    });
}

#[test]
fn arrays() {
    at_all_widths(1..80, |out, width| {
        let two = [name(width / 2 + 1), name(width - width / 2)];
        let items = [&two[0], "1.0", &two[1]];
        out.array("let value = ", &Item::texts(items), ";");
        out.array("let one = ", &Item::texts([name(width)]), ";");
        out.array("let row = ", &Item::rows(&items, 3), ";");
        out.array("let column = ", &Item::rows(&items, 1), ";");
        let products = items.map(|item| format!("{item} * x"));
        out.array("let row = ", &Item::rows(&products, 3), ";");
        out.array("let products = ", &Item::texts(products), ";");
        let items = vec![two.concat(); 4];
        out.array("let matrix = ", &Item::rows(&items, 2), ";");
        let short = vec![name(width % 12 + 1); width];
        out.array("let short = ", &Item::texts(short), ";");
        let short = vec![name(width % 4 + 1); 2 * width];
        out.array("let short_rows = ", &Item::rows(&short, 2), ";");
        let strings: Vec<String> = short.iter().map(|item| format!("{item:?}")).collect();
        out.array("let strings = ", &Item::texts(strings), ";");
        let long = format!("const {}: [f64; 2] = ", name(width.min(60)).to_uppercase());
        out.array(
            &long,
            &Item::texts(["1.0", "a_name_of_some_width", "b * c"]),
            ";",
        );
    });
}

/// An array that is all there is in another one, which shares a line with it where that is long enough, or has one of its own.
#[test]
fn arrays_in_arrays_behind_long_names() {
    at_all_widths(1..62, |out, width| {
        for length in [8, 30, 50] {
            let head = format!("let {} = ", name(length));
            let items = [name(width), "0.0".to_owned(), "0.0".to_owned()];
            out.array(&head, &Item::rows(&items, 3), ";");
            out.array(&head, &Item::rows(&[name(width)], 1), ";");
        }
    });
}

/// On whichever line the last item comes, at whichever column it ends.
#[test]
fn arrays_over_several_lines() {
    at_all_widths(0..100, |out, width| {
        let (short, last) = (name(width / 10 + 1), name(width % 10 + 1));
        for count in [8, 17, 31, 46] {
            let mut items = vec![short.clone(); count];
            items.push(last.clone());
            out.array("let short = ", &Item::texts(items), ";");
        }
    });
}

#[test]
fn calls() {
    for arity in [1, 2, 3, 6] {
        for length in [1, 14, 30] {
            at_all_widths(1..40, |out, width| {
                let call = ["Functions", "functions", &name(length)];
                out.call("let value =", call, &vec![name(width); arity]);
                out.call(
                    "let value =",
                    call,
                    &vec![format!("{} * x", name(width)); arity],
                );
                let head = format!("let {} =", name(width));
                out.call(&head, call, &vec![name(10); arity]);
                out.call(&head, call, &vec![name(11); arity]);
            });
        }
    }
}

#[test]
fn struct_literals() {
    at_all_widths(1..20, |out, width| {
        let pair = ["b: 2.0".to_owned(), format!("{}: 1.0", name(width))];
        out.struct_literal("State", &pair[usize::from(width < 10)..]);
    });
}
