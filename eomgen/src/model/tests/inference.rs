//! Units that are not declared, and what is known of them in the end.

use super::{messages, system};

/// A particle on a line; k, c, n and f have no declared unit.
const LINE: &str = "model line\nparam m : kg\nparam k, c, n\ncoord x : m\ninput f\n\
    function g(x, t)\npoint P = O + x*N.x\nparticle A: mass m at P\n";

/// The units of k, c, n, f, g after these lines.
fn check(lines: &str, expected: [&str; 5]) {
    let s = system(&format!("{LINE}{lines}\n"));
    let params = s.params[1..].iter().map(|p| &p.meta);
    let rest = [&s.inputs[0].meta, &s.functions[0].meta];
    let units: Vec<_> = params
        .chain(rest)
        .map(|meta| meta.unit.as_deref().unwrap_or("?"))
        .collect();
    assert_eq!(units, expected, "{lines}");
}

#[test]
fn units_follow_from_the_equations() {
    check("", ["?", "?", "?", "?", "?"]);
    check("force on P: -k*x*N.x", ["kg/s^2", "?", "?", "?", "?"]);
    check(
        "force on P: (f - c*x' - k*x)*N.x",
        ["kg/s^2", "kg/s", "?", "kg*m/s^2", "?"],
    );
    // Known only by what comes later.
    check(
        "let e = k*x^2/2\nlet p = f*x'\nlet q = e + p*(1 [s])\nforce on P: f*N.x",
        ["kg/s^2", "?", "?", "kg*m/s^2", "?"],
    );
    check("output s = sin(n*x) + n*k", ["m", "?", "1/m", "?", "?"]);
    check("constraint r: x = g", ["?", "?", "?", "?", "m"]);
    check("constraint r: x' = g(x, 2*t)", ["?", "?", "?", "?", "m/s"]);
    check("output s = sqrt(k) + x", ["m^2", "?", "?", "?", "?"]);
    check("output s = k^(3/2) + x", ["m^(2/3)", "?", "?", "?", "?"]);
    check("output s = k^n", ["1", "?", "1", "?", "?"]);
    check("output s = max(k, x, c)", ["m", "m", "?", "?", "?"]);
    check(
        "output s = atan2(k, c)\nassume c > 1 [s]",
        ["s", "s", "?", "?", "?"],
    );
    check("generalized x: k", ["kg*m/s^2", "?", "?", "?", "?"]);
    check("frame B = rotate(N, k*t, N.z)", ["1/s", "?", "?", "?", "?"]);
    check(
        "output v = dt(k*N.x, N) - vel(P)",
        ["m", "?", "?", "?", "?"],
    );
    check(
        "output v = cross(k*N.x, acc(P)) - x'*x'*N.y",
        ["m", "?", "?", "?", "?"],
    );
    check(
        "output s = k + abs(c) + sign(x)*n + norm(vel(P))",
        ["m/s", "m/s", "m/s", "?", "?"],
    );
}

#[test]
fn zero_fits_any_unit() {
    check(
        "force on P: 0\nconstraint r: x' + 0 = 0\noutput s = min(x, 0) + 0*k",
        ["?", "?", "?", "?", "?"],
    );
}

#[test]
fn units_of_values_are_those_of_their_expressions() {
    let s = system(&format!(
        "{LINE}let e = m*dot(vel(P), vel(P))/2\nlet a = acc(P)\noutput w = e/(1 [J])\n\
         speed u = 3*x'\noutput r = 30 [deg]\nlet y = k*x\n"
    ));
    let lets: Vec<_> = s.lets.iter().map(|l| l.meta.unit.as_deref()).collect();
    assert_eq!(lets, [Some("kg*m^2/s^2"), Some("m/s^2"), None]);
    assert_eq!(s.speeds[0].meta.unit.as_deref(), Some("m/s"));
    let outputs: Vec<_> = s.outputs.iter().map(|o| o.meta.unit.as_deref()).collect();
    assert_eq!(outputs, [Some("1"), Some("1")]);
}

#[test]
fn generalized_forces_are_conjugate() {
    let s = system(
        "model turn\nparam J : kg*m^2\nparam m : kg\nparam k\ncoord q : rad\n\
         frame B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J]\n\
         generalized q: -k*q\n",
    );
    assert_eq!(s.params[2].meta.unit.as_deref(), Some("kg*m^2/s^2"));
}

#[test]
fn a_model_that_names_no_unit_may_be_dimensionless() {
    // A pendulum of length, mass and weight 1.
    let text = "model bare\ncoord q : rad\npoint P = O + sin(q)*N.x - cos(q)*N.y\n\
        particle A: mass 1 at P\ngravity: -N.y\noutput e = q'^2/2 - cos(q)\n";
    let s = system(text);
    assert_eq!(s.outputs[0].meta.unit, None);
    assert_eq!(s.coords[0].meta.unit.as_deref(), Some("rad"));
    // With one unit named anywhere it is held to it.
    let (_, found) = messages(&format!("{text}param l : m\n"));
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0202", "E0202", "E0202", "E0201"]);
}
