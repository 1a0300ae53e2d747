//! What binds how, what is accepted, and what each statement becomes.

use super::{clean, print};
use crate::syntax::ast::*;
use crate::syntax::parse_expression;

/// The expression with a bracket around every operation.
fn grouped(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Binary(op, a, b) => {
            let sign = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Div => "/",
                BinaryOp::Pow => "^",
            };
            format!("{{{}{sign}{}}}", grouped(a), grouped(b))
        }
        ExprKind::Neg(a) => format!("{{-{}}}", grouped(a)),
        ExprKind::Prime(a) => format!("{{{}'}}", grouped(a)),
        ExprKind::Field(a, field) => format!("{{{}.{}}}", grouped(a), field.text),
        ExprKind::Index(a, index) => format!("{{{}[{}]}}", grouped(a), grouped(index)),
        ExprKind::Sum(sum) => format!(
            "sum<{} in {}..{}: {}>",
            sum.variable.text,
            grouped(&sum.from),
            grouped(&sum.to),
            grouped(&sum.body)
        ),
        ExprKind::Call(name, args) => {
            let args: Vec<_> = args.iter().map(grouped).collect();
            format!("{}<{}>", print::reference(name), args.join(","))
        }
        ExprKind::Components(items, frame) => {
            let items: Vec<_> = items.iter().map(grouped).collect();
            format!("[{}] in {}", items.join(","), print::reference(frame))
        }
        ExprKind::List(items) => {
            let items: Vec<_> = items.iter().map(grouped).collect();
            format!("[{}]", items.join(","))
        }
        ExprKind::Paren(a) => grouped(a),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Number { text, unit: None } => text.clone(),
        ExprKind::Number {
            text,
            unit: Some(unit),
        } => format!("{text}[{}]", print::unit(unit)),
        ExprKind::If {
            condition,
            then,
            other,
        } => format!(
            "{{if {} then {} else {}}}",
            grouped(condition),
            grouped(then),
            grouped(other)
        ),
        ExprKind::Compare(sign, a, b) => {
            format!("{{{}{}{}}}", grouped(a), sign.text(), grouped(b))
        }
        ExprKind::Logic(logic, a, b) => {
            let sign = match logic {
                Logic::And => "&",
                Logic::Or => "|",
            };
            format!("{{{}{sign}{}}}", grouped(a), grouped(b))
        }
        ExprKind::Rate(a) => format!("rate {}", grouped(a)),
        ExprKind::Not(a) => format!("{{!{}}}", grouped(a)),
        ExprKind::Error => "?".to_owned(),
    }
}

#[test]
fn components_and_places_print_as_they_are_written() {
    for text in [
        "[a, b, c] in N",
        "O + [x + 1, -y, 0] in leg[2].B",
        "dot([a, b, c] in N, [1, 0, 0] in B)",
        "([a, b, c] in N).x",
        "rotate(N, rate Om(t) + w, N.z)",
        "rotate(N, rate*2, N.z)",
    ] {
        let expr = parse_expression(text).unwrap();
        assert_eq!(print::expression(&expr), text);
    }
    let model = "model m\nparticle A: mass m at O + x*N.x - y*N.y\nbody K: frame rotate(N, q, N.z), mass m, center G + a*B.x, \
        inertia I about G - a*B.x in rotate(B, 1, B.z)\nforce on P + a*B.x, opposite on K at G + b*B.y: v\n\
        spring s: from O + a*N.x to P, stiffness k\nspeed u1, u2, u3 = angvel(K) in K\nmotion q[2] = sin(w*t)\n";
    clean(model);
    assert_eq!(
        crate::syntax::format(&model.replace(" + ", "+")).unwrap(),
        model
    );
}

#[test]
fn operators_bind_as_documented() {
    let check = |text: &str, expect: &str| {
        assert_eq!(grouped(&parse_expression(text).unwrap()), expect, "{text}");
    };
    check("-x^2", "{-{x^2}}");
    check("-m[i+1]'^2", "{-{{{m[{i+1}]}'}^2}}");
    check("left.B[2].x*k", "{{{{left.B}[2]}.x}*k}");
    check("sum(i in 1..n-1, m[i])*2", "{sum<i in 1..{n-1}: {m[i]}>*2}");
    check("sum(i, j)", "sum<i,j>");
    check("h[1](x, a.g(y))", "h[1]<x,a.g<y>>");
    check("x'^2", "{{x'}^2}");
    check("x''", "{{x'}'}");
    check("2^3^4", "{2^{3^4}}");
    check("2^-x^2", "{2^{-{x^2}}}");
    check("2^-x*y", "{{2^{-x}}*y}");
    check("a - b - c", "{{a-b}-c}");
    check("a/b*c/d", "{{{a/b}*c}/d}");
    check("-a*b", "{{-a}*b}");
    check("a*-b", "{a*{-b}}");
    check("--a", "{-{-a}}");
    check("a - -b", "{a-{-b}}");
    check("a + b*c^d", "{a+{b*{c^d}}}");
    check("(a + b)*c", "{{a+b}*c}");
    check("B.x.y'", "{{{B.x}.y}'}");
    check("-B.x'", "{-{{B.x}'}}");
    check("f(x)'^2", "{{f<x>'}^2}");
    check("f()", "f<>");
    check("dot(vel(P), B.x)", "dot<vel<P>,{B.x}>");
    check("f (x)", "f<x>");
    check("[a, -b, [c]]", "[a,{-b},[c]]");
    check("[]", "[]");
    check("9.81 [m/s^2]*t", "{9.81[m/s^2]*t}");
    check("[1 [kg], 2]", "[1[kg],2]");
    check("1.5e-3 + .5 + 2E4", "{{1.5e-3+.5}+2E4}");
    check("a +\n  b // c\n - c", "{{a+b}-c}");
    check("θ' + ψ_1*été", "{{θ'}+{ψ_1*été}}");
    check("mass + frame*in", "{mass+{frame*in}}");
    check("x*y+t", "{{x*y}+t}");
    check("if a < b then c else d + 1", "{if {a<b} then c else {d+1}}");
    check(
        "if not a + 1 < b and c >= d or e > 2 then -x else y",
        "{if {{{!{{a+1}<b}}&{c>=d}}|{e>2}} then {-x} else y}",
    );
    check(
        "if (a < b or c < d) and not (e < f) then 1 else if x > 0 then 2 else 3",
        "{if {{{a<b}|{c<d}}&{!{e<f}}} then 1 else {if {x>0} then 2 else 3}}",
    );
    check(
        "2*(if (a + b)*c < f(x) then a else b)^2",
        "{2*{{if {{{a+b}*c}<f<x>} then a else b}^2}}",
    );
    check(
        "f(if a < b then 1 else 2, c)",
        "f<{if {a<b} then 1 else 2},c>",
    );
    check("if x < 0 then\n a\n else b", "{if {x<0} then a else b}");
}

#[test]
fn units_become_products_of_powers() {
    let check = |text: &str, expect: &[(&str, i32, u32)]| {
        let expr = parse_expression(&format!("1 [{text}]")).unwrap();
        let ExprKind::Number { unit, .. } = expr.kind else {
            panic!("{text}");
        };
        let factors = unit.unwrap().factors;
        let found: Vec<_> = factors
            .iter()
            .map(|(name, n, d)| (name.text.as_str(), *n, *d))
            .collect();
        assert_eq!(found, expect, "{text}");
    };
    check("1", &[]);
    check("kg*m^2/s^2", &[("kg", 1, 1), ("m", 2, 1), ("s", -2, 1)]);
    check("1/s", &[("s", -1, 1)]);
    check("N/m/s", &[("N", 1, 1), ("m", -1, 1), ("s", -1, 1)]);
    check("J/(kg*K)", &[("J", 1, 1), ("kg", -1, 1), ("K", -1, 1)]);
    check("J/(kg/K)^2", &[("J", 1, 1), ("kg", -2, 1), ("K", 2, 1)]);
    check("m^(1/2)", &[("m", 1, 2)]);
    check("m^(2/4)", &[("m", 1, 2)]);
    check("m^(-3/2)", &[("m", -3, 2)]);
    check("s^-1", &[("s", -1, 1)]);
    check("m^0", &[("m", 0, 1)]);
}

#[test]
fn wrong_texts_get_their_code_at_their_place() {
    let check = |text: &str, code: &str, place: &str| {
        let errors = parse_expression(text).unwrap_err();
        assert_eq!(errors.len(), 1, "{text}");
        let span = errors[0].labels[0].span;
        let found = &text[span.start as usize..span.end as usize];
        assert_eq!(
            (errors[0].code, found),
            (code, place),
            "{text}: {}",
            errors[0].title
        );
    };
    check("a b", "E0004", "b");
    check("a < b", "E0004", "<");
    check("if a then b else c", "E0420", "a");
    check("if a == b then 1 else 2", "E0420", "==");
    check("if a < b < c then 1 else 2", "E0420", "<");
    check("if a < b then 1", "E0004", "");
    check("if a < b 1 else 2", "E0004", "1");
    check("1 + if a < b then 1 else 2", "E0420", "if");
    check("if f(a < b) < 1 then 1 else 2", "E0004", "<");
    check("if a < b then c < d else 1", "E0004", "<");
    check("then", "E0014", "then");
    check("x and y", "E0004", "and");
    check("a +", "E0004", "");
    check("a + )", "E0004", ")");
    check("a**b", "E0004", "*");
    check("+a", "E0004", "+");
    check("2x", "E0007", "2x");
    check("1.x", "E0007", ".");
    check("1. + 2", "E0007", ".");
    check("1.2.3", "E0007", "1.2.3");
    check("1e", "E0007", "1e");
    check("1_000", "E0007", "1_000");
    check("0x1F", "E0007", "0x1F");
    check("a; b", "E0006", ";");
    check("a − b", "E0006", "−");
    check("(a + b", "E0005", "(");
    check("f(a, b", "E0005", "(");
    check("(a]", "E0004", "]");
    check("a)", "E0004", ")");
    check("(f)(x)", "E0004", "(");
    check("B.x(y)", "E0004", "(");
    check("a == b", "E0004", "==");
    check("if + 1", "E0004", "+");
    check("x + else", "E0014", "else");
    check("B.then", "E0014", "then");
    check("2 [3*m]", "E0012", "3");
    check("2 [m^x]", "E0004", "x");
    check("2 [m^1.5]", "E0012", "1.5");
    check("2 [m^(1/0)]", "E0012", "0");
    check("2 [m^100^2]", "E0004", "^");
    check("2 [(m^100)^2]", "E0012", "(m^100)^2");
    check("f(a,)", "E0004", ")");
    check("[a,,b]", "E0004", ",");
}

/// Statements, printed back in one fixed form.
#[test]
fn statements_accept_their_variants() {
    let check = |text: &str, expect: &str| {
        let file = clean(&format!("model m\n{text}\n"));
        let printed: Vec<_> = file.items[1..].iter().map(print::item).collect();
        assert_eq!(printed.join(" | "), expect, "{text}");
    };
    check("param a", "param a");
    check("param a=1,b:kg>0", "param a = 1, b : kg > 0");
    check("param a = 1 > 0", "param a = 1 > 0");
    check("param a,\n  b", "param a, b");
    check("param a :\n kg", "param a : kg");
    check(
        "param mass, frame, in, param",
        "param mass, frame, in, param",
    );
    check("function f()", "function f()");
    check("function f (x,\n y) : 1/s", "function f(x, y) : 1/s");
    check("body W: mass 1, frame B", "body W: mass 1, frame B");
    check(
        "body W:\n frame B,\n mass 2,\n centre C",
        "body W: frame B, mass 2, center C",
    );
    check(
        "body W: inertia [1,2,3] in F about P",
        "body W: inertia [1, 2, 3] about P in F",
    );
    check("nonideal force on P: v", "nonideal on P: v");
    check("nonideal generalized x: v", "nonideal generalized x: v");
    check("constraint c: x = y in in", "constraint c: x = y in in");
    check("let r = (a\n + b)", "let r = (a + b)");
    check("let r =\n a +\n b", "let r = a + b");
    check(
        "let r = f(\n\n a, // one\n b)\nparam c",
        "let r = f(a, b) | param c",
    );
    check("assume x == 0", "assume x == 0");
    check("privileged x', y'", "privileged x', y'");
}
