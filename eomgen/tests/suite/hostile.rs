//! Models at the edge of what can be derived: every method, in both expression forms, gives what a hand
//! calculation gives. Mass 2 and gravity 10 throughout unless said otherwise.
#![cfg(feature = "derive")]

use super::is_thorough;
use eomgen::{
    EvalInput, EvalOutput, Failure, evaluator,
    options::{DeriveOptions, Form},
};

const METHODS: [&str; 4] = ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"];

/// A particle in a plane, without units so that the numbers stay short.
const PLANE: &str = "\
model plane
param m = 2 > 0
param g = 10
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass m at P
";

/// The same without the particle.
const BARE: &str = "model bare\nparam m = 2 > 0\nparam g = 10\n";

/// Formulations that refuse constraints which are not linear in the velocities.
const LINEAR: [&str; 4] = ["maggi", "boltzmann-hamel", "jourdain", "appell-reduced"];

/// A model has its turn with two formulations, one that takes all constraints and one that takes linear ones; where the tests are
/// thorough it is derived by all, in both forms.
fn options(model: &str) -> Vec<DeriveOptions> {
    let mut list = Vec::new();
    let turn = model.len();
    for (i, method) in METHODS.into_iter().chain(LINEAR).enumerate() {
        for (j, form) in [Form::Closed, Form::Staged].into_iter().enumerate() {
            let has_turn = i % 4 == turn % 4 && j == (turn / 4 + i / 4) % 2;
            if has_turn || is_thorough() {
                list.push(DeriveOptions {
                    method: Some(method.into()),
                    form,
                    ..DeriveOptions::default()
                });
            }
        }
    }
    list
}

fn near(what: &str, found: &[(String, f64)], expect: &[f64]) {
    assert_eq!(found.len(), expect.len(), "{what}: {found:?}");
    for ((name, value), e) in found.iter().zip(expect) {
        assert!(
            (value - e).abs() <= 1e-10 * (1.0 + e.abs()),
            "{what}: {name} is {value}, not {e}"
        );
    }
}

/// Evaluates by every method and form.
fn each(model: &str, state: &str, look: impl Fn(&str, &EvalOutput)) {
    let input = EvalInput::from_json(state).unwrap();
    for o in options(model) {
        let name = format!("{} {:?}\n{model}", o.method.as_deref().unwrap(), o.form);
        let result = evaluator("m.eom", model, &o).and_then(|e| e.eval(&input));
        let refused = |d: &eomgen::diagnostics::Diagnostic| matches!(d.code, "E0500" | "E0501");
        if let Err(Failure::Diagnostics(found)) = &result
            && LINEAR.contains(&o.method.as_deref().unwrap())
            && found.iter().any(refused)
        {
            continue;
        }
        let result = result.unwrap_or_else(|e| panic!("{name}\n{e:?}"));
        assert!(result.warnings.is_empty(), "{name}\n{:?}", result.warnings);
        look(&name, &result);
    }
}

/// Checks accelerations.
fn check(model: &str, state: &str, qddot: &[f64]) {
    each(model, state, |name, r| near(name, &r.qddot, qddot));
}

/// Checks accelerations, and the ideal and non-ideal parts of the constraint force.
fn check_forces(model: &str, state: &str, qddot: &[f64], ideal: &[f64], nonideal: &[f64]) {
    each(model, state, |name, r| {
        near(name, &r.qddot, qddot);
        near(name, &r.ideal_force, ideal);
        near(name, &r.nonideal_force, nonideal);
    });
}

#[test]
fn functions_that_are_singular_somewhere() {
    // (1 + 1/(4s)) s'' - s'^2/(8 s^2) + g = 0.
    check(
        &format!(
            "{BARE}coord s\npoint P = O + sqrt(s)*N.x + s*N.y\nparticle A: mass m at P\ngravity: -g*N.y\n"
        ),
        r#"{"q": {"s": 0.25}, "qdot": {"s": 1}}"#,
        &[-4.0],
    );
    // theta = acos(c): theta'' = -g c/l = -3, theta' = -c'/sin(theta) = -1, c'' = -c theta'^2 - sin(theta) theta''.
    check(
        &format!(
            "{BARE}coord c\nframe B = rotate(N, acos(c), N.z)\npoint P = O + 2*B.x\nparticle A: mass m at P\ngravity: -g*N.y\n"
        ),
        r#"{"q": {"c": 0.6}, "qdot": {"c": 0.8}}"#,
        &[1.8],
    );
    // A wedge, on its left side: y'' = -x'' and x'' = y'' + g.
    check(
        &format!("{PLANE}gravity: -g*N.y\nconstraint c: y = abs(x)\n"),
        r#"{"q": {"x": -1, "y": 1}, "qdot": {"x": 3, "y": -3}}"#,
        &[5.0, -5.0],
    );
    // y'' = p x^(p-1) x'' + p (p-1) x^(p-2) x'^2 = 20 x'' + 7.5 and x'' + 20 y'' = 0.
    check(
        &format!("{PLANE}param p = 2.5\nconstraint c: y = x^p\n"),
        r#"{"q": {"x": 4, "y": 32}, "qdot": {"x": 1, "y": 20}}"#,
        &[-150.0 / 401.0, 7.5 / 401.0],
    );
    // Circular motion at v = 1: 1.5 along the path, 1 towards the origin.
    check(
        &format!(
            "{PLANE}frame B = rotate(N, atan2(y, x), N.z)\nforce on P: 3*B.y\nconstraint c: dot(vel(P), B.x) = 0\n"
        ),
        r#"{"q": {"x": 0.6, "y": 0.8}, "qdot": {"x": -0.8, "y": 0.6}}"#,
        &[-1.8, 0.1],
    );
    // On a sphere: -v^2 r and the part of gravity along the path, -6 (0.8, 0.6).
    check(
        &format!(
            "{BARE}coord x, y, z\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -g*N.y\nconstraint c: norm(P - O) = 1\n"
        ),
        r#"{"q": {"x": 0.6, "y": -0.8, "z": 0}, "qdot": {"x": 0.8, "y": 0.6, "z": 0}}"#,
        &[-5.4, -2.8, 0.0],
    );
    // At (1, 0) the row y x' + x y' keeps rank one: y'' = -2 x' y'.
    check(
        &format!("{PLANE}constraint c: x*y = 0\n"),
        r#"{"q": {"x": 1, "y": 0}, "qdot": {"x": 2, "y": 0}}"#,
        &[0.0, 0.0],
    );
}

#[test]
fn functions_of_the_users() {
    // f = x^2: y'' = x'' + 8 and x'' + y'' + g = 0.
    check_forces(
        &format!("{PLANE}function f(x)\ngravity: -g*N.y\nconstraint c: y = f\n"),
        r#"{"q": {"x": 0.5, "y": 0.25}, "qdot": {"x": 2, "y": 2}, "functions": {"f": "x^2"}}"#,
        &[-9.0, -1.0],
        &[-18.0, 18.0],
        &[0.0, 0.0],
    );
    // f = x y + t^2: z'' = 2 x'' + y'' + 4; x'' = -2 (z'' + g), y'' = -(z'' + g).
    check(
        &format!(
            "{BARE}coord x, y, z\nfunction f(x, y, t)\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -g*N.z\nconstraint c: z = f\n"
        ),
        r#"{"t": 1, "q": {"x": 1, "y": 2, "z": 3}, "qdot": {"x": 1, "y": 1, "z": 5}, "functions": {"f": "x*y + t^2"}}"#,
        &[-14.0 / 3.0, -7.0 / 3.0, -23.0 / 3.0],
    );
    // y = f(f(x)) = x^4: y'' = 4 x'' + 12 and x'' + 4 y'' = 0.
    check(
        &format!("{PLANE}function f(x)\nconstraint c: y = f(f(x))\n"),
        r#"{"q": {"x": 1, "y": 1}, "qdot": {"x": 1, "y": 4}, "functions": {"f": "x^2"}}"#,
        &[-48.0 / 17.0, 12.0 / 17.0],
    );
    // A load of a speed: -u^3/m.
    check(
        &format!("{PLANE}speed u = x'\nfunction d(u)\nforce on P: -d*N.x\n"),
        r#"{"q": {"x": 1, "y": 1}, "qdot": {"x": 2, "y": 1}, "functions": {"d": "u^3"}}"#,
        &[-4.0, 0.0],
    );
    // y' = d(x') = x'^2: y'' = 2 x'' at x' = 1, and x'' - 1.5 = -2 y''.
    check(
        &format!("{PLANE}speed u = x'\nfunction d(u)\nforce on P: 3*N.x\nconstraint c: y' = d\n"),
        r#"{"q": {"x": 1, "y": 1}, "qdot": {"x": 1, "y": 1}, "functions": {"d": "u^2"}}"#,
        &[0.3, 0.6],
    );
}

#[test]
fn parts_without_mass() {
    let two = format!(
        "{BARE}coord x, y\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\n"
    );
    let state = r#"{"q": {"x": 1, "y": 1}, "qdot": {"x": 2, "y": 2}}"#;
    // The force on the massless one pulls the other through the tie.
    check_forces(
        &format!("{two}particle B: mass 0 at Q\nforce on Q: 3*N.x\nconstraint tie: y = x\n"),
        state,
        &[1.5, 1.5],
        &[3.0, -3.0],
        &[0.0, 0.0],
    );
    check(
        &format!("{two}force on Q: 3*N.x\nconstraint tie: y'^2 = x'^2\n"),
        state,
        &[1.5, 1.5],
    );
    // And friction -2 on the massless one.
    check(
        &format!("{two}force on Q: 3*N.x\nconstraint tie: y = x\nnonideal on Q: -vel(Q)\n"),
        state,
        &[0.5, 0.5],
    );
    // A body without inertia is a particle: r'' = r theta'^2, theta'' = -2 r' theta'/r.
    check(
        &format!(
            "{BARE}coord r, th\nframe B = rotate(N, th, N.z)\npoint P = O + r*B.x\nbody W: frame B, mass m, center P, inertia [0, 0, 0]\n"
        ),
        r#"{"q": {"r": 1, "th": 1}, "qdot": {"r": 2, "th": 1}}"#,
        &[1.0, -4.0],
    );
    // A massless rod that turns with the particle at its end: theta'' = -g cos(theta).
    check(
        &format!(
            "{PLANE}coord th\nframe B = rotate(N, th, N.z)\nconstraint c: P - O = B.x\ngravity: -g*N.y\n"
        ),
        r#"{"q": {"x": 0.6, "y": 0.8, "th": 0.9272952180016122}, "qdot": {"x": -0.8, "y": 0.6, "th": 1}}"#,
        &[4.2, -4.4, -6.0],
    );
    // Nothing has mass, but the motion is prescribed.
    check(
        "model empty\ncoord x\nconstraint c: x' = t\n",
        r#"{"t": 1, "q": {"x": 0}, "qdot": {"x": 1}}"#,
        &[1.0],
    );
}

#[test]
fn motion_that_is_prescribed() {
    let state = r#"{"t": 1, "q": {"x": 1, "y": 1}, "qdot": {"x": 3, "y": 3}}"#;
    let path = format!("{PLANE}gravity: -g*N.y\nconstraint c1: x = t^3\nconstraint c2: y = x\n");
    let (accelerations, forces) = ([6.0, 6.0], [12.0, 32.0]);
    check_forces(&path, state, &accelerations, &forces, &[0.0, 0.0]);
    // Once more than there are coordinates.
    let more = format!("{path}constraint c3: x + y = 2*t^3\n");
    check_forces(&more, state, &accelerations, &forces, &[0.0, 0.0]);
    // A pendulum on a cart that is led: theta'' = -g sin(theta) - x'' cos(theta), sin(theta) = 0.6.
    check(
        &format!(
            "{BARE}coord x, th\nframe B = rotate(N, th, N.z)\npoint C = O + x*N.x\npoint P = C - B.y\nparticle K: mass 3 at C\nparticle A: mass m at P\ngravity: -g*N.y\nconstraint c: x = t^2\n"
        ),
        r#"{"t": 1, "q": {"x": 1, "th": 0.6435011087932844}, "qdot": {"x": 2, "th": 2}}"#,
        &[2.0, -7.6],
    );
    // A bead on a bar that turns at 2 rad/s: r'' = 4 r.
    check(
        &format!(
            "{BARE}coord r\nframe B = rotate(N, 2*t*1 [1/s], N.z)\npoint P = O + r*B.x\nparticle A: mass m at P\n"
        ),
        r#"{"t": 0.3, "q": {"r": 1}, "qdot": {"r": 0.5}}"#,
        &[4.0],
    );
    check_forces(
        &format!("{PLANE}gravity: -g*N.y\nconstraint c: y' = 0\n"),
        r#"{"q": {"x": 0, "y": 0}, "qdot": {"x": 1, "y": 0}}"#,
        &[0.0, 0.0],
        &[0.0, 20.0],
        &[0.0, 0.0],
    );
}

#[test]
fn rows_speeds_and_charts_that_depend() {
    let state = r#"{"q": {"x": 1, "y": 1}, "qdot": {"x": 1, "y": 1}}"#;
    check_forces(
        &format!(
            "{PLANE}gravity: -g*N.y\nconstraint a: y = x\nconstraint b: y = x\nconstraint c: 2*y' = 2*x'\n"
        ),
        state,
        &[-5.0, -5.0],
        &[-10.0, 10.0],
        &[0.0, 0.0],
    );
    // Friction C = -v lies along the path: all of it does work.
    check_forces(
        &format!("{PLANE}gravity: -g*N.y\nconstraint c: y = x\nnonideal on P: -vel(P)\n"),
        state,
        &[-5.5, -5.5],
        &[-10.0, 10.0],
        &[-1.0, -1.0],
    );
    // No motion is left on which C could do work.
    check_forces(
        &format!(
            "{PLANE}gravity: -g*N.y\nconstraint c: x' = 1\nconstraint d: y' = 1\nnonideal on P: -3*N.x\n"
        ),
        state,
        &[0.0, 0.0],
        &[0.0, 20.0],
        &[0.0, 0.0],
    );
    for speeds in [
        "speed u = x' + t\n",
        "speed u = x*x'\n",
        "speed u = 3*y' - x'/x\n",
    ] {
        check(
            &format!("{PLANE}{speeds}force on P: 4*N.x\n"),
            state,
            &[2.0, 0.0],
        );
    }
    // x x'' + x'^2 = y y'' + y'^2 and y'' = -g - 2 x''.
    for chosen in ["", "privileged x'\n", "privileged y'\n"] {
        check_forces(
            &format!("{PLANE}gravity: -g*N.y\nconstraint c: x*x' = y*y'\n{chosen}"),
            r#"{"q": {"x": 1, "y": 2}, "qdot": {"x": 2, "y": 1}}"#,
            &[-4.6, -0.8],
            &[-9.2, 18.4],
            &[0.0, 0.0],
        );
    }
    // A ball turning freely, by a quaternion: q'' = -(q' q') q.
    check(
        "model ball\ncoord a, b, c, d\nparam J = 2 > 0\nframe B = quaternion(N, a, b, c, d)\n\
         body W: frame B, mass 1, center O, inertia [J, J, J]\n",
        r#"{"q": {"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5}, "qdot": {"a": 0.1, "b": -0.3, "c": 0.4, "d": -0.2}}"#,
        &[-0.15; 4],
    );
}

/// What only the formed equations show is refused by every method, in every form, with the same code.
#[test]
fn singular_for_every_state() {
    let bodies = [
        "param n\ncoord z\npoint Q = O + z*N.z\nparticle C: mass n at Q\nparticle D: mass -n at Q\n",
        "coord z\npoint Q = P + 0*z*N.z\nparticle C: mass m at Q\n",
        "coord z, w\npoint Q = P + (z + w)*N.z\nparticle C: mass m at Q\nconstraint c: z' + w' = x'\n",
    ];
    for added in bodies {
        let model = format!("{PLANE}{added}");
        for o in options(&model) {
            match evaluator("m.eom", &model, &o) {
                Err(Failure::Diagnostics(list)) => {
                    assert!(list.iter().any(|d| d.code == "E0320"), "{added}\n{list:?}")
                }
                other => panic!("{added}{o:?}\n{:?}", other.err()),
            }
        }
    }
}
