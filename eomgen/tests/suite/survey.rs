//! The first page on a model against facts derived by hand: kinds of constraints, degrees of freedom,
//! integrability, cyclic coordinates, conserved quantities.
#![cfg(feature = "derive")]

use eomgen::{CheckReport, Failure, check};
use serde_json::Value;

fn report(text: &str) -> CheckReport {
    match check("model.eom", text) {
        Ok(report) => report,
        Err(Failure::Diagnostics(list)) => panic!("{list:#?}"),
        Err(Failure::Message(message)) => panic!("{message}"),
    }
}

/// What is expected of a model.
#[derive(Default)]
struct Facts<'a> {
    /// Degrees of freedom of the motion and of the configuration.
    freedom: (usize, usize),
    /// Constraints: name, kind, form, rank.
    constraints: &'a [(&'a str, &'a str, &'a str, usize)],
    /// Cyclic coordinates, and whether their momentum is conserved.
    cyclic: &'a [(&'a str, bool)],
    /// Conserved quantities: kind, and the formula (empty: not compared).
    conserved: &'a [(&'a str, &'a str)],
    /// Integrable combinations: what stays constant.
    combinations: &'a [&'a str],
    /// Codes of notes.
    notes: &'a [&'a str],
}

fn strings(list: &Value, member: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items
        .map(|v| v[member].as_str().unwrap_or_default().to_string())
        .collect()
}

fn compare(text: &str, facts: &Facts<'_>) -> CheckReport {
    let report = report(text);
    let json = report.to_json();
    let all = format!("{report}\n{json:#}");
    assert_eq!(json["degrees_of_freedom"], facts.freedom.0, "{all}");
    assert_eq!(
        json["configuration_degrees_of_freedom"], facts.freedom.1,
        "{all}"
    );
    let constraints: Vec<(String, String, String, usize)> = json["constraints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| {
            let word = |m: &str| c[m].as_str().unwrap().to_string();
            let rank = c["rank"].as_u64().unwrap() as usize;
            (word("name"), word("kind"), word("form"), rank)
        })
        .collect();
    let expect: Vec<_> = facts
        .constraints
        .iter()
        .map(|(a, b, c, d)| (a.to_string(), b.to_string(), c.to_string(), *d))
        .collect();
    assert_eq!(constraints, expect, "{all}");
    let cyclic: Vec<(String, bool)> = json["cyclic"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| {
            (
                c["coordinate"].as_str().unwrap().to_string(),
                c["conserved"] == true,
            )
        })
        .collect();
    let expect: Vec<_> = facts
        .cyclic
        .iter()
        .map(|(n, c)| (n.to_string(), *c))
        .collect();
    assert_eq!(cyclic, expect, "{all}");
    let kinds = strings(&json["conserved"], "kind");
    let expect: Vec<&str> = facts.conserved.iter().map(|c| c.0).collect();
    assert_eq!(kinds, expect, "{all}");
    for (formula, (_, expect)) in strings(&json["conserved"], "formula")
        .iter()
        .zip(facts.conserved)
    {
        assert!(expect.is_empty() || formula == expect, "{formula}\n{all}");
    }
    assert_eq!(
        strings(&json["integrable_combinations"], "integral"),
        facts.combinations,
        "{all}"
    );
    let notes: Vec<&str> = report.warnings.iter().map(|d| d.code).collect();
    assert_eq!(notes, facts.notes, "{all}");
    for line in report.to_string().lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    report
}

const NONHOLONOMIC: &str = "nonholonomic";
const INTEGRABLE: &str = "integrable: holonomic in disguise";
const SCLERONOMIC: &str = "holonomic, scleronomic";
const RHEONOMIC: &str = "holonomic, rheonomic";

#[test]
fn pendulum_keeps_its_energy() {
    let text = "model pendulum\nparam m : kg > 0\nparam l : m > 0\nparam g : m/s^2\ncoord theta : rad\n\
        frame B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\ngravity: g*N.x\n";
    compare(
        text,
        &Facts {
            freedom: (1, 1),
            conserved: &[("energy", "m*l^2*theta'^2/2 - m*l*g*cos(theta)")],
            ..Facts::default()
        },
    );
}

#[test]
fn pendulum_with_a_driven_pivot_keeps_nothing() {
    let text = "model driven\nparam m : kg > 0\nparam l, a : m > 0\nparam g : m/s^2\nparam w : rad/s\ncoord theta : rad\n\
        frame B = rotate(N, theta, N.z)\npoint Q = O + a*cos(w*t)*N.x\npoint P = Q + l*B.x\nparticle A: mass m at P\ngravity: g*N.x\n";
    let report = compare(
        text,
        &Facts {
            freedom: (1, 1),
            ..Facts::default()
        },
    );
    assert!(
        report
            .to_string()
            .contains("not established: the kinetic energy depends on time"),
        "{report}"
    );
}

#[test]
fn bead_on_a_turning_hoop_has_a_jacobi_integral() {
    // T2 - T0 + V with T2 = m r^2 th'^2/2, T0 = m r^2 w^2 sin(th)^2/2, V = -m g r cos(th).
    let text = "model hoop\nparam m : kg > 0\nparam r : m > 0\nparam g : m/s^2\nparam w : rad/s\ncoord th : rad\n\
        frame H = rotate(N, w*t, N.z)\nframe B = rotate(H, th, H.y)\npoint P = O - r*B.z\nparticle A: mass m at P\ngravity: -g*N.z\n";
    compare(
        text,
        &Facts {
            freedom: (1, 1),
            conserved: &[("Jacobi integral", "")],
            ..Facts::default()
        },
    );
}

#[test]
fn spherical_pendulum_in_angles_has_a_cyclic_azimuth() {
    let text = "model spherical\nparam m : kg > 0\nparam l : m > 0\nparam g : m/s^2\ncoord phi, th : rad\n\
        frame H = rotate(N, phi, N.z)\nframe B = rotate(H, th, H.y)\npoint P = O - l*B.z\nparticle A: mass m at P\ngravity: -g*N.z\n";
    compare(
        text,
        &Facts {
            freedom: (2, 2),
            cyclic: &[("phi", true)],
            conserved: &[("energy", ""), ("momentum", "m*l^2*sin(th)^2*phi'")],
            ..Facts::default()
        },
    );
}

#[test]
fn sleigh_is_nonholonomic() {
    let text = include_str!("../../../generated-tests/models/e4_sleigh.eom");
    compare(
        text,
        &Facts {
            freedom: (2, 3),
            constraints: &[("blade", NONHOLONOMIC, "linear", 1)],
            cyclic: &[("x", false), ("y", false)],
            conserved: &[("energy", "")],
            ..Facts::default()
        },
    );
}

#[test]
fn disc_is_nonholonomic_in_both_rows() {
    let text = include_str!("../../../generated-tests/models/disc.eom");
    compare(
        text,
        &Facts {
            freedom: (3, 5),
            constraints: &[
                ("roll_x", NONHOLONOMIC, "linear", 1),
                ("roll_y", NONHOLONOMIC, "linear", 1),
            ],
            cyclic: &[("x", false), ("y", false), ("th", false)],
            ..Facts::default()
        },
    );
}

#[test]
fn wheels_on_an_axle_turn_with_the_heading() {
    // l phi' = a (psi1' - psi2'), whatever the heading.
    let text = include_str!("../../../generated-tests/models/e5_wheel_axle.eom");
    compare(
        text,
        &Facts {
            freedom: (2, 4),
            constraints: &[
                ("roll1", NONHOLONOMIC, "linear", 2),
                ("roll2", NONHOLONOMIC, "linear", 2),
                ("axle", SCLERONOMIC, "linear", 1),
            ],
            cyclic: &[
                ("y1", false),
                ("y2", false),
                ("phi", false),
                ("psi1", false),
                ("psi2", false),
            ],
            conserved: &[("energy", ""), ("constraint", "phi - a*(psi1 - psi2)/l")],
            combinations: &["phi - a*(psi1 - psi2)/l"],
            notes: &["N0314", "N0481"],
        },
    );
}

#[test]
fn wheel_that_rolls_in_the_plane_is_holonomic_in_disguise() {
    let text = "model wheel\nparam m : kg > 0\nparam a : m > 0\ncoord x : m\ncoord theta : rad\nframe B = rotate(N, theta, N.y)\n\
        point C = O + x*N.x\nbody W: frame B, mass m, center C, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nconstraint roll: x' = a*theta'\n";
    let report = compare(
        text,
        &Facts {
            freedom: (1, 1),
            constraints: &[("roll", INTEGRABLE, "linear", 1)],
            cyclic: &[("x", false), ("theta", false)],
            conserved: &[("energy", ""), ("constraint", "x - a*theta")],
            notes: &["N0480"],
            ..Facts::default()
        },
    );
    assert_eq!(
        report.warnings[0].notes,
        ["it says that x - a*theta is constant"]
    );
}

#[test]
fn rows_with_integrating_factors_are_integrable() {
    // y x' - x y' = 0 is y^2 d(x/y), and x x' + y y' + z z' is exact; y' = z x' is the standard form of what is neither.
    let model = |c: &str| {
        format!(
            "model free\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\n{c}\n"
        )
    };
    let kind = |c: &str| {
        let report = report(&model(&format!("constraint c: {c}")));
        report.to_json()["constraints"][0]["kind"]
            .as_str()
            .unwrap()
            .to_string()
    };
    assert_eq!(kind("y*x' - x*y' = 0"), INTEGRABLE);
    assert_eq!(kind("x*x' + y*y' + z*z' = 0"), INTEGRABLE);
    assert_eq!(kind("1 [m]*y' = z*x'"), NONHOLONOMIC);
    // With time: x' = t y is not integrable (dx - t y dt has t dy ^ dt ^ dx), x' = t is.
    assert_eq!(kind("x' = y*t/1 [s^2]"), NONHOLONOMIC);
    assert_eq!(kind("x' = 1 [m/s^2]*t"), INTEGRABLE);
    // exp(x + z) = exp(x) exp(z) is not known to the field.
    assert_eq!(
        kind("y' = (exp((x + z)/1 [m]) - exp(x/1 [m])*exp(z/1 [m]))*x'"),
        "integrability not decided"
    );
}

#[test]
fn rows_that_are_integrable_only_together() {
    // y' = z x' is not integrable, but where z' = 0 holds as well y - z x is constant.
    let text = "model free\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\n\
        constraint c: 1 [m]*y' = z*x'\nconstraint d: z' = 0\n";
    let report = compare(
        text,
        &Facts {
            freedom: (1, 1),
            constraints: &[
                ("c", INTEGRABLE, "linear", 1),
                ("d", INTEGRABLE, "linear", 1),
            ],
            cyclic: &[("x", false), ("y", false), ("z", false)],
            conserved: &[("energy", ""), ("constraint", "z")],
            notes: &["N0480", "N0480"],
            ..Facts::default()
        },
    );
    assert_eq!(
        report.to_json()["constraints"][0]["rows"][0]["integrable"],
        "with others"
    );
}

#[test]
fn rows_are_examined_where_the_places_are() {
    // With w free, y' = z w x' is not integrable; on w = 0 it is.
    let model = |c: &str| {
        format!(
            "model free\nparam m : kg > 0\ncoord x, y, z, w : m\npoint P = O + x*N.x + y*N.y + z*N.z\npoint Q = O + w*N.x\n\
            particle A: mass m at P\nparticle B: mass m at Q\nconstraint c: 1 [m^2]*y' = z*w*x'\nconstraint d: {c}\n"
        )
    };
    let freedom = |c: &str| report(&model(c)).page.configuration_degrees_of_freedom;
    assert_eq!(freedom("w = 1 [m]"), Some(3));
    assert_eq!(freedom("w = 0"), Some(2));
}

#[test]
fn four_bar_loop_has_one_freedom() {
    let text = "model four_bar\nparam m : kg > 0\nparam a, b, c, d : m > 0\ncoord p, q, r : rad\n\
        frame A = rotate(N, p, N.z)\nframe B = rotate(N, q, N.z)\nframe C = rotate(N, r, N.z)\n\
        point P = O + a*A.x\npoint Q = P + b*B.x\npoint R = O + d*N.x + c*C.x\n\
        particle K: mass m at P\nparticle L: mass m at R\nconstraint closed: Q = R\n";
    compare(
        text,
        &Facts {
            freedom: (1, 1),
            constraints: &[("closed", SCLERONOMIC, "linear", 2)],
            // T = m (a^2 p'^2 + c^2 r'^2)/2: q has no momentum, p and r are held.
            cyclic: &[("p", false), ("r", false)],
            conserved: &[("energy", "m*(a^2*p'^2 + c^2*r'^2)/2")],
            ..Facts::default()
        },
    );
}

#[test]
fn prescribed_motion_is_rheonomic_and_does_work() {
    let text = "model crank\nparam m : kg > 0\nparam l : m > 0\nparam w : rad/s\ncoord theta, x : rad\nframe B = rotate(N, theta, N.z)\n\
        frame C = rotate(N, x, N.z)\npoint P = O + l*B.x\npoint Q = O + l*C.x\nparticle A: mass m at P\nparticle D: mass m at Q\n\
        constraint drive: theta = w*t\nconstraint turn: x' = w\n";
    let report = compare(
        text,
        &Facts {
            freedom: (0, 0),
            constraints: &[
                ("drive", RHEONOMIC, "affine", 1),
                ("turn", INTEGRABLE, "affine", 1),
            ],
            cyclic: &[("theta", false), ("x", false)],
            conserved: &[("constraint", "x - w*t")],
            notes: &["N0480"],
            ..Facts::default()
        },
    );
    assert!(
        report.to_string().contains("constraint `drive` does work"),
        "{report}"
    );
}

#[test]
fn homogeneous_nonlinear_constraints_do_no_work() {
    // Appell's particle: a q' = 2 (x'^2 + y'^2 - z'^2) = 0.
    let text = "model appell\nparam m : kg > 0\nparam g : m/s^2\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\n\
        particle A: mass m at P\ngravity: -g*N.z\nconstraint c: x'^2 + y'^2 = z'^2\n";
    compare(
        text,
        &Facts {
            freedom: (2, 3),
            constraints: &[("c", "nonlinear in the velocities", "nonlinear", 1)],
            cyclic: &[("x", false), ("y", false)],
            conserved: &[("energy", "")],
            ..Facts::default()
        },
    );
}

#[test]
fn loads_with_and_without_potential() {
    let model = |load: &str| {
        format!(
            "model plane\nparam m : kg > 0\nparam k : N/m\nparam c : N*s/m\ncoord x, y : m\n\
            point P = O + x*N.x + y*N.y\nparticle A: mass m at P\nforce on P: {load}\n"
        )
    };
    let has_energy = |load: &str| {
        let json = report(&model(load)).to_json();
        json["conserved"]
            .as_array()
            .unwrap()
            .iter()
            .any(|c| c["kind"] == "energy")
    };
    assert!(has_energy("-k*(P - O)"));
    assert!(has_energy("k*y*N.x + k*x*N.y"));
    // Turning: curl is not zero.
    assert!(!has_energy("k*y*N.x - k*x*N.y"));
    assert!(!has_energy("-c*vel(P)"));
    // Gyroscopic: no work.
    assert!(has_energy("c*cross(N.z, vel(P))"));
    assert!(!has_energy("-k*x*sin(t/1 [s])*N.x"));
    // A central force keeps x and y from being cyclic; along x alone y is.
    let json = report(&model("-k*x*N.x")).to_json();
    assert_eq!(strings(&json["cyclic"], "coordinate"), ["y"]);
    assert_eq!(json["cyclic"][0]["conserved"], true);
    // Damping along y leaves it cyclic and takes its momentum.
    let json = report(&model("-k*x*N.x - c*dot(vel(P), N.y)*N.y")).to_json();
    assert_eq!(strings(&json["cyclic"], "coordinate"), ["y"]);
    assert_eq!(json["cyclic"][0]["because"], "a load acts along it");
}

#[test]
fn top_keeps_two_momenta() {
    // The symmetric top: precession and spin are cyclic, p_spin = C (spin' + precession' cos(nutation)).
    let text = "model top\nparam m : kg > 0\nparam A, C : kg*m^2 > 0\nparam l : m > 0\nparam g : m/s^2\ncoord psi, th, phi : rad\n\
        frame F = rotate_body(N, zxz, psi, th, phi)\npoint G = O + l*F.z\nbody top_: frame F, mass m, center G, inertia [A, A, C]\ngravity: -g*N.z\n";
    compare(
        text,
        &Facts {
            freedom: (3, 3),
            cyclic: &[("psi", true), ("phi", true)],
            conserved: &[
                ("energy", ""),
                ("momentum", ""),
                ("momentum", "C*(cos(th)*psi' + phi')"),
            ],
            ..Facts::default()
        },
    );
}

#[test]
fn the_page_names_everything() {
    let report = report(include_str!(
        "../../../generated-tests/models/e4_sleigh_speeds.eom"
    ));
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(true);
    settings.bind(|| insta::assert_snapshot!("page", report.to_string()));
    let json = report.to_json();
    assert_eq!(json["choice"]["rule"], "certainly nonzero");
    assert_eq!(json["total_mass"], "m1 + m2");
    assert_eq!(json["speeds"][2]["independent"], false);
}

fn of_the_collection(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated-tests/models");
    std::fs::read_to_string(format!("{folder}/{name}.eom")).unwrap()
}

/// A formula with the values of its parts in place of their names.
fn put_together(formula: &str, parts: &Value) -> String {
    let parts = parts.as_array().into_iter().flatten();
    parts.fold(formula.to_string(), |text, part| {
        let (name, value) = (&part["name"], &part["value"]);
        let value = value.as_str().unwrap_or_else(|| panic!("{name}"));
        text.replace(name.as_str().unwrap(), &format!("({value})"))
    })
}

#[test]
fn long_rows_have_named_entries_that_make_up_the_row() {
    let model = of_the_collection("rattleback");
    let json = report(&model).to_json();
    let rows = json["constraints"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(!row["where"].as_array().unwrap().is_empty(), "{row:#}");
        let whole = put_together(row["equation"].as_str().unwrap(), &row["where"]);
        // Stated once more it must be the same row.
        let json = report(&format!("{model}\nconstraint again: {whole}\n")).to_json();
        let again = &json["constraints"][1]["rows"][0];
        let same = serde_json::json!([{ "row": row["name"], "factor": "1" }]);
        assert_eq!(again["combination"], same, "{again:#}");
    }
}

#[test]
fn long_momenta_are_collected_by_rates() {
    // Of the rattleback's first horizontal momentum the entry of each rate is named or short.
    let json = report(&of_the_collection("rattleback")).to_json();
    let first = &json["cyclic"][0];
    assert_eq!(
        first["momentum"],
        "M*x' + coordinate_mass_matrix[x, alpha]*alpha' + coordinate_mass_matrix[x, beta]*beta' + \
         coordinate_mass_matrix[x, gamma]*gamma'"
    );
    let names: Vec<String> = strings(&first["where"], "name");
    assert_eq!(names.len(), 3);
}

#[test]
fn nothing_is_left_out_as_long() {
    // A loop of bars, an ellipsoid that rolls, a bicycle, an arm of seven joints, a mass of many terms.
    for name in ["four_bar", "rattleback", "whipple_bicycle", "panda7"] {
        let page = report(&of_the_collection(name)).to_string();
        assert!(!page.contains("(long"), "{name}: {page}");
    }
    let masses: Vec<String> = (0..60).map(|i| format!("a{i}*b{i}")).collect();
    let params: String = (0..60)
        .map(|i| format!("param a{i} : kg > 0\nparam b{i} : 1 > 0\n"))
        .collect();
    let sum = masses.join(" + ");
    let text = format!(
        "model heavy\n{params}coord x : m\npoint P = O + x*N.x\nparticle A: mass {sum} at P\n"
    );
    let page = report(&text).to_string();
    assert!(
        page.contains("a59*b59") && !page.contains("(long"),
        "{page}"
    );
}

/// An ellipsoid on a plane, its point of contact by the root of a sum of squares.
const ELLIPSOID: &str = "model ellipsoid
param m = 1 : kg > 0
param a = 0.2, b = 0.03, c = 0.02 : m > 0
param A = 2e-4, B = 1.6e-3, C = 1.7e-3, D = -2e-5 : kg*m^2
param g = 9.81 : m/s^2
coord x, y, z : m
coord psi, theta, phi : rad
frame K = rotate_body(N, zxy, psi, theta, phi)
point G = O + [x, y, z] in N
body E: frame K, mass m, center G, inertia [A, B, C, D, 0, 0]
gravity: -g*N.z
let nx = dot(K.x, N.z)
let ny = dot(K.y, N.z)
let nz = dot(K.z, N.z)
let h = sqrt(a^2*nx^2 + b^2*ny^2 + c^2*nz^2)
point P = G - (a^2*nx/h)*K.x - (b^2*ny/h)*K.y - (c^2*nz/h)*K.z
constraint touch: dot(P - O, N.z) = 0
";

/// A rolling body reaches every place and orientation on its plane, although its contact is written with a root.
#[test]
fn a_rattleback_has_five_degrees_of_freedom_in_configuration() {
    let rolls = "constraint rolls: dot(vel_at(E, P), N.x) = 0\nconstraint tracks: dot(vel_at(E, P), N.y) = 0\n";
    let page = report(&format!("{ELLIPSOID}{rolls}")).page;
    assert_eq!(page.degrees_of_freedom, 3);
    assert_eq!(page.configuration_degrees_of_freedom, Some(5));
}

/// The bicycle moves in a configuration space of seven dimensions (J. P. Meijaard et al., Proc. R. Soc. A 463 (2007), section 2), though the height
/// of its front contact is solved for none of its angles.
#[test]
fn a_bicycle_has_seven_degrees_of_freedom_in_configuration() {
    let page = report(&of_the_collection("whipple_bicycle")).page;
    assert_eq!(page.degrees_of_freedom, 3);
    assert_eq!(page.configuration_degrees_of_freedom, Some(7));
}

/// A coin and a tyre that roll reach every place and orientation: the height and, of the coin, the tilt give each other.
#[test]
fn what_rolls_by_its_shape_has_five_degrees_of_freedom_in_configuration() {
    for shape in [
        "radius r",
        "radius r, axis W.y",
        "radius r, tube r/5, axis W.y",
    ] {
        let text = format!(
            "model coin\nparam m : kg > 0\nparam r : m > 0\ncoord x, y, z : m\ncoord yaw, lean, spin : rad\n\
             body W: frame rotate_body(N, zxy, yaw, lean, spin), mass m, center O + [x, y, z] in N, inertia [m*r^2/4, m*r^2/2, m*r^2/4]\n\
             gravity: -9.81 [m/s^2]*N.z\nroll W on plane, {shape}\n"
        );
        let page = report(&text).page;
        let freedom = (
            page.degrees_of_freedom,
            page.configuration_degrees_of_freedom,
        );
        assert_eq!(freedom, (3, Some(5)), "{shape}");
    }
}

/// Roots that are not independent of each other, and functions that obey laws of their own, may make a factor 0 that does not look so. Directions
/// that are independent at one state are enough to say that it is not.
#[test]
fn factors_that_may_vanish_decide_where_they_do_not() {
    let roots = "sqrt(2 + x^2/(1 [m^2]))*sqrt(4 + 2*x^2/(1 [m^2]))";
    let freedom = |row: &str| {
        let text = format!(
            "model knife\nparam m : kg > 0\ncoord x, y : m\ncoord q : rad\n\
             point P = O + [x, y, 0] in N\nframe B = rotate(N, q, N.z)\n\
             body K: frame B, mass m, center P, inertia m*(1 [m^2])\nconstraint edge: {row} = 0\n"
        );
        report(&text).page.configuration_degrees_of_freedom
    };
    let plain = "y'*cos(q) - x'*sin(q)*sqrt(1 + x^2/(1 [m^2]))";
    assert_eq!(freedom(plain), Some(3));
    let dependent = format!("y'*cos(q) - x'*sin(q)*sqrt((2 + sin(q))^2)*{roots}");
    assert_eq!(freedom(&dependent), Some(3));
    // The factor of q' is 0, and y stays where it is.
    let vanishing = "y' - (ln(2 + x^2/(1 [m^2])) - ln((2 + x^2/(1 [m^2]))^2)/2)*x*q'";
    assert_eq!(freedom(vanishing), None);
}

/// The momentum balances of a body that touches the ground where its coordinates say, which are not written out in full.
#[test]
fn an_ellipsoid_slides_by_its_momentum_balances() {
    let text = format!("{ELLIPSOID}output press = reaction(touch)\n");
    let options = eomgen::options::VerifyOptions {
        methods: vec!["newton-euler".into()],
        ..Default::default()
    };
    let proof = eomgen::verify_source(&eomgen::Source::new("e.eom", &text), &options).unwrap();
    assert_eq!(proof.standing(), eomgen::Standing::Verified, "{proof}");
}
