//! Expected layouts are written by hand.

use super::*;

fn read(text: &str) -> Math {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn drawn(text: &str, wide: usize) -> String {
    layout(&read(text), wide).join("\n")
}

#[test]
fn names_become_letters_and_subscripts() {
    let table = [
        ("theta", "θ"),
        ("theta1", "θ₁"),
        ("omega_x", "ω_x"),
        ("tau_theta", "τ_θ"),
        ("tau_th", "τ_θ"),
        ("m_cart", "m_cart"),
        ("a_star", "a_star"),
        ("m12", "m₁₂"),
        ("u1'", "u̇₁"),
        ("x'", "ẋ"),
        ("x''", "ẍ"),
        ("theta''", "θ\u{308}"),
        ("q[3]", "q₃"),
        ("q[3]'", "q̇₃"),
        ("a[1,2]", "a₁,₂"),
        ("a[1][2]", "a₁,₂"),
        ("left.theta1", "θ₁_left"),
        ("arm[2].phi", "φ_arm2"),
        ("lambda[blade]", "λ_blade"),
        ("lambda[roll.x]", "λ_roll.x"),
        ("reaction(blade)", "λ_blade"),
        ("reach'", "reach′"),
        ("th", "θ"),
        ("th1''", "θ\u{308}₁"),
        ("phif", "φ_f"),
        ("tauR", "τ_R"),
        ("omegaW1", "ω_W₁"),
        ("lc1", "l_c₁"),
        ("J1z", "J_1z"),
        ("mW", "m_W"),
        ("TR'", "Ṫ_R"),
        ("left'", "left′"),
        ("pitch", "pitch"),
        ("pivot", "pivot"),
        ("etalon", "etalon"),
        ("mass2", "mass₂"),
        ("dx", "d_x"),
        ("rho", "ρ"),
        ("Fx", "F_x"),
        ("Ixy", "I_xy"),
        ("xy", "xy"),
        ("Omega", "Ω"),
        ("eta2", "η₂"),
        ("beta_1", "β₁"),
        ("a_u1", "a_u₁"),
    ];
    for (name, expect) in table {
        assert_eq!(one_line(&read(name)), expect, "{name}");
    }
}

#[test]
fn a_model_may_say_how_a_name_is_written() {
    let names = Names::shown([
        ("phif", Some("ϕ_front")),
        ("leg.q", Some("η")),
        ("s[2]", Some("s_a")),
        ("u", Some("v_1")),
        ("v1", None),
    ]);
    let written = |name: &str| one_line(&names.quantity(name));
    assert_eq!(written("phif''"), "ϕ\u{308}_front");
    assert_eq!(written("leg.q'"), "η\u{307}_leg");
    assert_eq!(written("s[2]"), "s_a₂");
    // What would look alike stays as it is.
    assert_eq!(
        (written("u"), written("v1")),
        ("u".to_owned(), "v1".to_owned())
    );
}

#[test]
fn subscripts_may_be_names_with_dots() {
    let q = Math::Symbol(Symbol::new("Q", Style::Italic, &["theta1'"]));
    assert_eq!(one_line(&q), "Q_θ̇₁");
    assert_eq!(latex(&q), "Q_{\\dot{\\theta}_{1}}");
    assert_eq!(
        mathml(&q, &|_| None),
        "<math><msub><mi>Q</mi><mrow><msub><mover><mi>θ</mi><mo class=\"d\" stretchy=\"false\">.</mo></mover><mrow><mn>1</mn></mrow></msub></mrow></msub></math>"
    );
}

#[test]
fn names_that_would_look_alike_stay_as_they_are() {
    let names = Names::new(["m1", "m_1", "theta"]);
    let m = names.parse("m1*theta + m_1").unwrap();
    assert_eq!(one_line(&m), "m1 θ + m_1");
}

#[test]
fn one_line_has_the_parentheses_it_needs() {
    let table = [
        (
            "(m1 + m2)*u1' + m1*l*u2^2 = 0",
            "(m₁ + m₂) u̇₁ + m₁ l u₂² = 0",
        ),
        ("-m1*l*u2^2/(m1 + m2)", "−m₁ l u₂²/(m₁ + m₂)"),
        ("m*l^2/2", "m l²/2"),
        ("3/2*x", "(3/2) x"),
        ("a/(b*c)", "a/(b c)"),
        ("(a + b)/c", "(a + b)/c"),
        ("sin(theta)^2*x'", "sin²(θ) ẋ"),
        ("sqrt(x'^2 + y'^2)", "√(ẋ² + ẏ²)"),
        ("sqrt(x)", "√x"),
        ("abs(x)", "|x|"),
        ("x^-2", "x⁻²"),
        ("pow(x, a)", "x^a"),
        ("a - (b - c)", "a − (b − c)"),
        ("(if y < 0 then k*y else 0)", "k y if y < 0, else 0"),
        ("m*(if y <= 0 then 1 else 2)", "m (1 if y ≤ 0, else 2)"),
        ("atan2(y, x)", "atan2(y, x)"),
        ("(2, -u1')", "(2, −u̇₁)"),
        ("h_x(x, 0)", "h_x(x, 0)"),
    ];
    for (text, expect) in table {
        assert_eq!(one_line(&read(text)), expect, "{text}");
    }
}

#[test]
fn what_is_no_mathematics_is_refused_with_its_place() {
    for (text, at) in [
        ("(long; see the code)", 5),
        ("M z' = f with M and f", 2),
        ("a +", 3),
        ("a*(b", 4),
        ("", 0),
        ("`m`", 0),
    ] {
        assert_eq!(parse(text).map_err(|e| e.at), Err(at), "{text}");
    }
    let deep = "(".repeat(100_000);
    assert!(parse(&deep).is_err());
}

#[test]
fn text_is_what_the_language_reads() {
    for written in [
        "(m1 + m2)*u1' + m1*l*u2^2 = 0",
        "-m1*l*u2^2/(m1 + m2)",
        "3/2*x",
        "a/(b*c)",
        "-(a + b)*c",
        "a - (b - c)",
        "x^-2 + (a + b)^2",
        "(a*b)^2/c^2",
        "pow(x, a + 1)",
        "sqrt(x'^2 + y'^2)*abs(z)",
        "m*(if y <= 0 then 1 else 2)",
        "atan2(y, -x)*h_x(x, 0)",
        "((y1 - y2)/l)*lambda[blade] - (-a*sin(b - c))*lambda[rod]",
        "reaction(blade) + arm.link[2].theta''",
        "(2, -u1')",
    ] {
        assert_eq!(text(&read(written)), written);
    }
}

#[test]
fn lines_have_labels_and_words() {
    let line = |text: &str| Line::from(read(text));
    let row = line("a = 0").labelled("A: force along N.x");
    assert_eq!(row.to_string(), "A: force along N.x: a = 0");
    assert!(row.is_formula());
    let left_out = Line::equation(read("u1'"), Math::Text("(long)".into()));
    assert!(!left_out.is_formula());
    let list = [line("m[x, x] = 1"), line("m[theta, x] = a + b")];
    let list = [list.as_slice(), &[Line::words("the others are 0")]].concat();
    assert_eq!(
        aligned(&list),
        ["m[x, x]     = 1", "m[theta, x] = a + b", "the others are 0"]
    );
    assert!(aligned(&[]).is_empty());
}

#[test]
fn indices_may_have_indices() {
    let lambda = Math::symbol("lambda[c[1].x]");
    assert_eq!(one_line(&lambda), "λ_c[1].x");
}

#[test]
fn fractions_are_built_up() {
    assert_eq!(
        drawn("u1' = -m1*l*u2^2/(m1 + m2)", 100),
        "      m₁ l u₂²\nu̇₁ = −────────\n      m₁ + m₂"
    );
    assert_eq!(
        drawn("a/b + c*(x/y + 1)", 100),
        "a     ⎛x    ⎞\n─ + c ⎜─ + 1⎟\nb     ⎝y    ⎠"
    );
}

#[test]
fn roots_powers_and_branches() {
    assert_eq!(
        drawn("x = sqrt(k/m)", 100),
        "     _\n    │k\nx = │─\n    ⎷m"
    );
    assert_eq!(
        drawn("v = sqrt(x'^2 + y'^2)", 100),
        "     _______\nv = √ẋ² + ẏ²"
    );
    assert_eq!(drawn("(a/b)^2", 100), "⎛a⎞²\n⎜─⎟\n⎝b⎠");
    assert_eq!(drawn("e^(a/b)", 100), " a\n ─\n b\ne");
    assert_eq!(
        drawn("F = (if y < 0 then -k*y else 0)", 100),
        "    ⎧ −k y  if y < 0\nF = ⎨\n    ⎩ 0  otherwise"
    );
}

#[test]
fn matrices_have_columns() {
    let m = Math::Matrix(vec![
        vec![read("m1 + m2"), read("0")],
        vec![read("0"), read("m1*l^2")],
    ]);
    assert_eq!(
        layout(&Math::equation(Math::symbol("M"), m), 100).join("\n"),
        "M = ⎡m₁ + m₂    0  ⎤\n    ⎣   0     m₁ l²⎦"
    );
}

#[test]
fn long_equations_are_broken_at_terms_and_aligned() {
    assert_eq!(
        drawn("x'' = a*b*c + d*e*f + g*h*k - l*m*n", 18),
        "ẍ = a b c + d e f\n    + g h k\n    − l m n"
    );
    // A long left side is broken, and its right side ends the last row.
    assert_eq!(
        drawn("m1*x'' - m2*y'' + k*x + c*x' = -lambda[row]", 20),
        "m₁ ẍ − m₂ ÿ + k x\n    + c ẋ = −λ_row"
    );
}

#[test]
fn lines_are_broken_at_terms_with_fractions_in_line() {
    let drawn = |text: &str, wide| lines(&read(text), wide).join("\n");
    assert_eq!(
        drawn("u1' = -m1*l*u2^2/(m1 + m2)", 40),
        "u̇₁ = −m₁ l u₂²/(m₁ + m₂)"
    );
    assert_eq!(
        drawn("x'' = a/b + d*e*f + g*h*k - l*m*n", 18),
        "ẍ = a/b + d e f\n    + g h k\n    − l m n"
    );
    assert_eq!(
        drawn("m1*x'' - m2*y'' + k*x + c*x' = -lambda[row]", 20),
        "m₁ ẍ − m₂ ÿ + k x\n    + c ẋ = −λ_row"
    );
}

#[test]
fn wide_parts_get_names() {
    let names = Names::new(["a", "b", "c", "d", "E"]);
    let mut namer = Namer::new(&names, 16);
    let m = read("x = a/(a*b + b*c + c*d + d*a) + 1/(a*b + b*c + c*d + d*a)");
    let (short, definitions) = namer.shorten(&m);
    assert_eq!(one_line(&short), "x = a/K₁ + 1/K₁");
    assert_eq!(definitions.len(), 1);
    assert_eq!(one_line(&Math::Symbol(definitions[0].name.clone())), "K₁");
    assert_eq!(one_line(&definitions[0].value), "a b + b c + c d + d a");
    assert!(namer.shorten(&short).1.is_empty());
}

#[test]
fn latex_is_as_one_would_type_it() {
    let table = [
        (
            "u1' = -m1*l*u2^2/(m1 + m2)",
            "\\dot{u}_{1} = -\\frac{m_{1} l u_{2}^{2}}{m_{1} + m_{2}}",
        ),
        (
            "sin(theta)^2*theta'' + omega_x*m_cart",
            "\\sin^{2} \\theta \\, \\ddot{\\theta} + \\omega_{x} m_{\\mathrm{cart}}",
        ),
        (
            "sqrt(a + b)*abs(x)",
            "\\sqrt{a + b} \\left\\lvert x\\right\\rvert",
        ),
        ("lambda[roll.x]", "\\lambda_{\\mathrm{roll.x}}"),
        ("asin(a + b)", "\\arcsin\\left(a + b\\right)"),
        ("reach*x", "\\mathrm{reach} \\, x"),
        ("2*3/2", "\\frac{2 \\cdot 3}{2}"),
    ];
    for (text, expect) in table {
        assert_eq!(latex(&read(text)), expect, "{text}");
    }
    assert_eq!(
        latex_rows(&read("x'' = a*b*c + d*e*f + g*h*k - l*m*n"), 18),
        "\\begin{aligned}\n\\ddot{x}&= a b c + d e f \\\\\n&\\quad {}+ g h k \\\\\n&\\quad {}- l m n\n\\end{aligned}"
    );
    assert_eq!(latex_text("50% of x_1 & {y}"), "50\\% of x\\_1 \\& \\{y\\}");
}

#[test]
fn mathml_has_titles_and_is_nested() {
    let titles = |s: &Symbol| (s.name == "u1").then(|| "a <speed>".to_string());
    assert_eq!(
        mathml(&read("u1'/2"), &titles),
        "<math><mfrac><mrow title=\"a &lt;speed&gt;\"><msub><mover><mi>u</mi><mo class=\"d\" stretchy=\"false\">.</mo></mover><mrow><mn>1</mn></mrow></msub></mrow><mn>2</mn></mfrac></math>"
    );
}
