//! `eomgen verify` over the models here: every checked-in module is proven against its model, and a few models by every method.
#![cfg(feature = "generated")]

use eomgen::internals::verify::compare::Verdict;
use eomgen::internals::verify::proof::{ComparedBy, Request};
use eomgen::{
    Certificate, Source, Standing,
    internals::pipeline::mutate_source,
    methods,
    options::{DeriveOptions, Inverse, Route, Variant, VerifyOptions},
};
use generated_tests::memo;
use generated_tests::oracle::is_thorough;
use generated_tests::reference::model_source;
use generated_tests::refreshing::{GENERATED, folder};
use std::sync::Arc;

/// Models that are small, and different: two sleighs, dependent rows, user functions, a closed loop, quaternions, branches, energies
/// given as such, reactions in loads.
const SMALL: &[&str] = &[
    "e4_sleigh",
    "e4_sleigh_rheonomic",
    "e1_appell",
    "e2_appell_rheonomic",
    "scotch_yoke",
    "spherical_pendulum",
    "energy_foucault",
    "energy_hunt_crossley",
    "knife_edge",
];

fn by_all_methods(model: &str) -> Arc<Certificate> {
    let options = VerifyOptions {
        derive: DeriveOptions::default(),
        ..VerifyOptions::default()
    };
    let source = model_source(model).unwrap();
    memo::certificate(&source, &options).unwrap_or_else(|e| panic!("{model}: {e:?}"))
}

#[test]
fn every_checked_in_module_is_proven() {
    let (mut exact, mut all) = (0, 0);
    // That they are fresh is tested of each; here one in three in the short command.
    let stride = if is_thorough() { 1 } else { 3 };
    for of in GENERATED.iter().step_by(stride) {
        let name = format!("{}.rs", of.module);
        let text = std::fs::read_to_string(folder().join(&name)).unwrap();
        let options = VerifyOptions {
            file: Some((name, text)),
            ..VerifyOptions::default()
        };
        let source = model_source(of.model).unwrap();
        let certificate = memo::certificate(&source, &options).unwrap();
        assert!(certificate.holds(), "{certificate}");
        let [text] = certificate.texts.as_slice() else {
            panic!("{certificate}");
        };
        let proof = text.proof.as_ref().unwrap();
        // Nothing is left out.
        let skipped = proof
            .functions
            .iter()
            .find(|f| matches!(f.verdict, Verdict::NotChecked(_)));
        assert_eq!(skipped, None, "{certificate}");
        assert!(!proof.identities.is_empty(), "{certificate}");
        all += proof.functions.len();
        exact += proof
            .functions
            .iter()
            .filter(|f| f.compared_by == ComparedBy::Field)
            .count();
        // Constants of robots are products of measured lengths and masses, which doubles round.
        if proof.bound > 0.0 {
            assert!(["panda7", "ur5"].contains(&of.module), "{certificate}");
            assert!(proof.bound < 1e-11, "{certificate}");
        }
    }
    assert!(
        exact > all - 70 / stride,
        "{exact} of {all} functions exactly"
    );
}

#[test]
fn small_models_are_proven_by_every_method() {
    for model in SMALL {
        let certificate = by_all_methods(model);
        assert!(certificate.holds(), "{model}: {certificate}");
        assert_eq!(
            certificate.texts.len() + certificate.refused.len(),
            methods().len()
        );
        assert!(certificate.texts.len() > 1, "{model}: {certificate}");
    }
}

/// A formula simplified by the length of a quaternion, rows that depend on one another only where they hold, and balances solved with
/// their reactions at run time.
#[test]
fn what_holds_on_the_constraints_is_proven_there() {
    let cases = [
        ("disc_quaternion", "explicit-gibbs-appell"),
        ("parallelogram", "newton-euler"),
        ("parallelogram", "kane"),
    ];
    // Two of rows that depend on one another take as long as ten small models by every method.
    let cases = if is_thorough() {
        &cases[..]
    } else {
        &cases[..1]
    };
    for (model, method) in cases {
        let options = VerifyOptions {
            methods: vec![(*method).to_owned()],
            ..VerifyOptions::default()
        };
        let source = model_source(model).unwrap();
        let certificate = memo::certificate(&source, &options).unwrap();
        assert!(certificate.holds(), "{certificate}");
        assert_eq!(certificate.texts.len(), 1, "{certificate}");
    }
}

/// Every model by every method. Those that take minutes come last, so that a failure shows early.
#[test]
#[ignore = "half an hour: cargo test -p generated-tests --test suite verified -- --ignored --nocapture"]
fn every_model_is_proven_by_every_method() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut names: Vec<(u64, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(Result::unwrap)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            let size = entry.metadata().unwrap().len();
            Some((size, name.strip_suffix(".eom")?.to_owned()))
        })
        .collect();
    names.sort();
    let mut wrong = Vec::new();
    for (_, name) in names {
        let start = std::time::Instant::now();
        let certificate = by_all_methods(&name);
        let (proven, refused) = (certificate.texts.len(), certificate.refused.len());
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("{name}: {proven} proven, {refused} refused, {seconds:.1} s");
        if !certificate.holds() {
            eprintln!("{certificate}");
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "not proven: {}", wrong.join(", "));
}

/// The coordinate equations and what belongs to speeds: of any model.
const OF_ANY: &[&str] = &[
    "coordinate_mass_matrix",
    "coordinate_forcing",
    "applied_forces",
    "velocity_terms",
    "unconstrained_accelerations",
    "nonideal_vector",
    "partial_velocities",
    "generalized_forces_in_speeds",
    "gibbs_gradient",
    "quasi_velocity_mass_matrix",
    "quasi_velocity_forces",
    "inverse_dynamics",
    "bias_forces",
];

/// Of models with constraints.
const OF_ROWS: &[&str] = &[
    "scaled_constraint_matrix",
    "constraint_gram_matrix",
    "normal_projector",
    "tangent_projector",
];

/// Of systems of particles.
const OF_PARTICLES: &[&str] = &[
    "covariant_basis",
    "contravariant_basis",
    "quasi_velocity_basis",
    "quasi_velocity_dual_basis",
    "representative_force",
];

/// A model, a formulation with the names of its variants, lists of quantities, and those that nobody can oracle wholly.
struct Asked {
    model: &'static str,
    method: &'static str,
    inverse: Inverse,
    route: Route,
    outputs: &'static [&'static [&'static str]],
    open: &'static [&'static str],
}

const fn asked(
    model: &'static str,
    method: &'static str,
    outputs: &'static [&'static [&'static str]],
    open: &'static [&'static str],
) -> Asked {
    Asked {
        model,
        method,
        inverse: Inverse::One,
        route: Route::Variational,
        outputs,
        open,
    }
}

const MAGGI: &[&str] = &[
    "maggi_matrix",
    "maggi_drift",
    "maggi_multiplier_matrix",
    "maggi_multiplier_forcing",
    "maggi_multipliers",
    "quasi_velocity_matrix",
    "quasi_velocity_drift",
    "inverse_quasi_velocity_matrix",
];
const HAMEL: &[&str] = &[
    "quasi_velocity_matrix",
    "quasi_velocity_drift",
    "inverse_quasi_velocity_matrix",
    "transposition_coefficients",
    "transposition_drift",
    "constraint_reactions_in_quasi_velocities",
];
const PRIVILEGED: &[&str] = &[
    "privileged_constraint_matrix",
    "privileged_constraint_drift",
    "privileged_matrix",
    "privileged_drift",
];
const EXPLICIT: &[&str] = &[
    "chart_matrix",
    "chart_complement",
    "chart_in_use",
    "explicit_reduction",
    "explicit_drift",
    "explicit_matrix",
    "explicit_rhs",
    "explicit_gibbs_function",
];

fn table() -> Vec<Asked> {
    let inverse = |inverse, model| Asked {
        inverse,
        ..asked(model, "udwadia-kalaba", &[&["generalized_inverse"]], &[])
    };
    let (sleigh, moving, dependent) = (
        "e4_sleigh",
        "e4_sleigh_rheonomic",
        "cart_double_pendulum_dependent",
    );
    vec![
        asked(sleigh, "kane", &[OF_ANY, OF_ROWS, OF_PARTICLES], &[]),
        asked(
            sleigh,
            "newton-euler",
            &[&["balance_matrix", "balance_rhs"]],
            &[],
        ),
        asked(
            "e3_appell_nonideal",
            "newton-euler",
            &[&["balance_matrix", "balance_rhs"]],
            &[],
        ),
        asked(
            dependent,
            "newton-euler",
            &[&["balance_matrix", "balance_rhs"]],
            &[],
        ),
        asked(sleigh, "maggi", &[MAGGI], &[]),
        asked(
            sleigh,
            "kane",
            &[&["linearization", "linearization_reduced"]],
            &[],
        ),
        asked(dependent, "kane", &[&["linearization_reduced"]], &[]),
        asked("four_bar", "lagrange", &[&["linearization_reduced"]], &[]),
        asked(sleigh, "boltzmann-hamel", &[HAMEL], &[]),
        asked(sleigh, "appell-reduced", &[PRIVILEGED], &[]),
        asked(sleigh, "explicit-gibbs-appell", &[EXPLICIT], &[]),
        asked(moving, "maggi", &[MAGGI, OF_ANY], &[]),
        asked(moving, "boltzmann-hamel", &[HAMEL], &[]),
        Asked {
            route: Route::QuasiVelocities,
            ..asked(moving, "jourdain", &[PRIVILEGED], &[])
        },
        asked(
            "e5_wheel_axle",
            "boltzmann-hamel",
            &[HAMEL, OF_ANY, &["partial_angular_velocities"]],
            &[],
        ),
        asked("e3_appell_nonideal", "kane", &[OF_ANY, OF_ROWS], &[]),
        asked(
            dependent,
            "lagrange",
            &[&["multiplier_family"], OF_ROWS],
            &[],
        ),
        inverse(Inverse::One, dependent),
        inverse(Inverse::OneFour, dependent),
        inverse(Inverse::MoorePenrose, dependent),
    ]
}

fn of(asked: &Asked) -> VerifyOptions {
    VerifyOptions {
        methods: vec![asked.method.to_owned()],
        derive: DeriveOptions {
            variant: Variant {
                inverse: asked.inverse,
                route: asked.route,
            },
            outputs: asked
                .outputs
                .concat()
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            ..DeriveOptions::default()
        },
        ..VerifyOptions::default()
    }
}

/// Every quantity that can be asked for is compared, but for the ones listed; and each is in the table.
#[test]
fn quantities_by_name_are_proven() {
    let mut seen: Vec<&str> = vec!["reactions", "reduced_derivative", "quadratures"];
    for asked in table() {
        let certificate =
            memo::certificate(&model_source(asked.model).unwrap(), &of(&asked)).unwrap();
        let told = format!("{} by {}: {certificate}", asked.model, asked.method);
        assert_eq!(certificate.holds(), asked.open.is_empty(), "{told}");
        assert_ne!(certificate.standing(), Standing::Wrong, "{told}");
        let proof = certificate.texts[0].proof.as_ref().unwrap();
        for name in asked.outputs.concat() {
            let finding = proof.functions.iter().find(|f| f.name == name);
            assert!(finding.is_some(), "{name}: {told}");
            seen.push(name);
        }
        for finding in &proof.functions {
            let name = finding.name.as_str();
            let open = matches!(finding.verdict, Verdict::NotChecked(_));
            assert_eq!(open, asked.open.contains(&name), "{name}: {told}");
        }
    }
    let all = eomgen::internals::catalogue::OUTPUTS
        .iter()
        .chain(eomgen::internals::catalogue::GENERAL);
    for quantity in all {
        assert!(seen.contains(&quantity.name), "{}", quantity.name);
    }
}

/// Functions of the sleigh in which some errors change nothing: in the first `cos(theta)` enters as a square only; in the second the terms
/// in `x''` and `y''` cancel, and `m2*l*theta''` is left.
const EQUAL_ANYWAY: &[&str] = &["explicit_gibbs_function", "maggi_multipliers"];

/// Entries exchanged or changed in sign in the text: each shows.
#[test]
fn wrong_entries_of_quantities_are_found() {
    let cases = [
        ("e4_sleigh", "boltzmann-hamel", HAMEL),
        ("e4_sleigh", "kane", OF_ROWS),
        ("e4_sleigh", "explicit-gibbs-appell", EXPLICIT),
        ("e4_sleigh", "maggi", MAGGI),
    ];
    for (model, method, outputs) in cases {
        let source = model_source(model).unwrap();
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            outputs: outputs.iter().map(|name| (*name).to_owned()).collect(),
            ..DeriveOptions::default()
        };
        let code = memo::module(&source, &options).unwrap().code;
        let request = Request { states: 3, seed: 1 };
        let found = mutate_source(&source, ("text", &code), request, 9).unwrap();
        assert!(found.caught > 20, "{method}: {}", found.caught);
        let left: Vec<String> = found
            .survivors
            .iter()
            .filter(|s| s.reason.starts_with("equal "))
            .filter(|s| !EQUAL_ANYWAY.contains(&s.function.as_str()))
            .filter(|s| outputs.contains(&s.function.as_str()))
            .map(|s| format!("{}, line {}: {} ({})", s.function, s.line, s.text, s.reason))
            .collect();
        assert!(left.is_empty(), "{method}: {}", left.join("\n"));
    }
}

/// Mechanisms with reactions between two sides: particles on a rod, with outputs of these reactions; bodies on hinges, with forces at points that belong to
/// neither, torques, friction that depends on a reaction, a coordinate that moves no body, and loads that act on none.
const PAIRS: [&str; 4] = [
    "model rod
param m1, m2 : kg > 0
param l : m > 0
coord x, y : m
coord theta : rad
frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2
gravity: -9.81 [m/s^2]*N.z
constraint blade: dot(vel(P2), B.y) = 0
reaction p: force on P1 along B.x, opposite on P2
reaction N1: force on P1 along 2*N.z
reaction N2: force on P2 along N.z
output both = N1 + N2
output ratio = p*l
",
    "model arm
param m, M : kg > 0
param Iz : kg*m^2 > 0
param l, a : m > 0
param c : N*m*s/rad
param mu
input tau : N*m
coord q1, q2 : rad
frame A = rotate(N, q1, N.z)
frame B = rotate(A, q2, A.z)
point G1 = O + a*A.x
point Q = O + l*A.x
point G2 = Q + a*B.x + a*B.y/3
body first: frame A, mass M, center G1, inertia [Iz, Iz, 2*Iz]
body second: frame B, mass m, center G2, inertia [Iz, 2*Iz, 2*Iz]
gravity: -9.81 [m/s^2]*N.y + 1 [m/s^2]*N.z
torque on B, opposite on A: (tau - c*q2')*N.z
reaction hinge: force on second at Q along B.x, opposite on first at Q
reaction across: force on second at Q along B.y, opposite on first at Q
reaction bend: torque on B along A.x, opposite on A
output sum = hinge + across
",
    "model slider
param m, M : kg > 0
param k : N/m > 0
param mu
coord x, s, y : m
point P = O + x*N.x + y*N.y
point S = O + s*N.z
particle A: mass m at P
constraint floor: y = 0
force on P: -mu*reaction(floor)*x'/(1 [m/s])*N.x
generalized s: -k*s
constraint tied: s - 2*x = 0
gravity: -9.81 [m/s^2]*N.y
reaction side: force on P along N.z
",
    "model wheel
param m, J, r, g
coord x, q
frame B = rotate(N, q, N.z)
point C = O + x*N.x + r*N.y
point P = C - r*N.y
body W: frame B, mass m, center C, inertia [J]
gravity: -g*N.y
torque on W: 1.5*N.z
constraint roll: dot(vel_at(W, P), N.x) = 0
reaction up: force on W at P along 2*N.y
",
];

/// Rows that depend on others, and a reader is told which are independent.
#[test]
fn rows_in_privileged_velocities_are_proven_where_some_depend_on_others() {
    let text = "model twice\nparam m, J : kg > 0\nparam l : m > 0\ncoord x, y : m\ncoord theta : rad\n\
                frame B = rotate(N, theta, N.z)\npoint C = O + x*N.x + y*N.y\n\
                body W: frame B, mass m, center C, inertia [J*1 [m^2]]\n\
                constraint blade: dot(vel(C), B.y) = l*theta' + 0.1 [m/s]\n\
                constraint again: 2*dot(vel(C), B.y) = 2*l*theta' + 0.2 [m/s]\n";
    let source = Source::new("twice.eom", text);
    let options = VerifyOptions {
        methods: vec!["jourdain".to_owned(), "appell-reduced".to_owned()],
        derive: DeriveOptions {
            outputs: PRIVILEGED.iter().map(|name| (*name).to_owned()).collect(),
            ..DeriveOptions::default()
        },
        ..VerifyOptions::default()
    };
    let certificate = memo::certificate(&source, &options).unwrap();
    assert!(certificate.holds(), "{certificate}");
    assert!(!certificate.texts.is_empty(), "{certificate}");
}

/// Reactions between two sides, and the balances of bodies of which they are unknowns.
#[test]
fn reactions_between_two_sides_and_balances_are_proven() {
    for text in PAIRS {
        let source = Source::new("pairs.eom", text);
        for method in ["newton-euler", "kane", "lagrange"] {
            let outputs: &[&str] = match method {
                "newton-euler" => &["balance_matrix", "balance_rhs"],
                _ => &[],
            };
            let derive = DeriveOptions {
                outputs: outputs.iter().map(|name| (*name).to_owned()).collect(),
                ..DeriveOptions::default()
            };
            let options = VerifyOptions {
                methods: vec![method.to_owned()],
                derive,
                ..VerifyOptions::default()
            };
            let certificate = memo::certificate(&source, &options).unwrap();
            assert!(certificate.holds(), "{method}: {certificate}");
        }
        let options = DeriveOptions {
            method: Some("newton-euler".to_owned()),
            outputs: vec!["balance_matrix".to_owned(), "balance_rhs".to_owned()],
            ..DeriveOptions::default()
        };
        let code = memo::module(&source, &options).unwrap().code;
        let request = Request { states: 3, seed: 1 };
        let found = mutate_source(&source, ("text", &code), request, 5).unwrap();
        let own = |name: &str| name.starts_with("balance_") || name == "reactions";
        let left: Vec<String> = found
            .survivors
            .iter()
            .filter(|s| s.reason.starts_with("equal ") && own(&s.function))
            .map(|s| {
                let line = code.lines().nth(s.line as usize - 1).unwrap_or_default();
                format!("{}: {line}: {} ({})", s.function, s.text, s.reason)
            })
            .collect();
        // Where a parameter is read in two places, the other place reads the same.
        assert!(left.len() <= 1, "{}", left.join("\n"));
        assert!(found.caught > 30, "{}", found.caught);
    }
}

/// Of reactions the part that is known is compared.
#[test]
fn a_wrong_multiplier_among_the_reactions_is_found() {
    let source = model_source("e4_sleigh").unwrap();
    let options = DeriveOptions {
        method: Some("newton-euler".to_owned()),
        ..DeriveOptions::default()
    };
    let code = memo::module(&source, &options).unwrap().code;
    let at = code.find("pub fn reactions(").unwrap();
    let (before, own) = code.split_at(at);
    let wrong = own.replacen("= self.m2 * u1", "= 3.0 * self.m2 * u1", 1);
    assert_ne!(wrong, own);
    let options = VerifyOptions {
        file: Some(("text".to_owned(), format!("{before}{wrong}"))),
        ..VerifyOptions::default()
    };
    let certificate = memo::certificate(&source, &options).unwrap();
    let proof = certificate.texts[0].proof.as_ref().unwrap();
    let (wrong, _) = proof.counterexample().unwrap();
    assert_eq!(wrong.function, "reactions", "{certificate}");
}

/// Turns about slanted axes, slides along links, two branches, loads that follow the motion, a base that is moved, and speeds of one's own.
const JOINTS: [&str; 2] = [
    "model crane
param m = 2, n = 1 : kg > 0
param l = 0.7 : m > 0
param k = 30 : N/m
param c = 0.4 : N*m*s/rad
coord x, s : m
coord a, b, d : rad
input F : N
input tau : N*m
gravity: -9.81 [m/s^2]*N.y
frame A = rotate(N, a, N.x + 2*N.y - 2*N.z)
frame B = rotate(A, b, A.y)
frame D = rotate(A, d, A.z)
point P = O + x*N.x + 0.1 [m]*sin(2 [1/s]*t)*N.y
point G = P + l*A.x
point Q = G + s*B.x
point H = Q + 0.2 [m]*B.z
point K = G + 0.3 [m]*D.y
body base: frame A, mass m, center P, inertia [0.3 [kg*m^2], 0.2 [kg*m^2], 0.4 [kg*m^2], 0.01 [kg*m^2], 0, 0.02 [kg*m^2]]
body boom: frame B, mass n, center H, inertia [0.1 [kg*m^2], 0.2 [kg*m^2], 0.15 [kg*m^2], 0, 0.03 [kg*m^2], 0]
particle tip: mass n at K
force on H: -k*s*B.x + F*N.z
torque on D: tau*D.z - c*d'*D.z
generalized x: -k*x
",
    "model wheel
param m : kg > 0
param J1, J2, J3 : kg*m^2 > 0
coord psi, theta, phi : rad
coord y : m
speed w1 = dot(angvel(C), C.x)
speed w2 = dot(angvel(C), C.y)
speed w3 = dot(angvel(C), C.z)
frame A = rotate(N, psi, N.z)
frame B = rotate(A, theta, A.x)
frame C = rotate(B, phi, B.z)
point P = O + 0.4 [m]*C.x
point Q = P + y*C.y
gravity: -9.81 [m/s^2]*N.z
body top: frame C, mass m, center P, inertia [J1, J2, J3]
particle bead: mass m at Q
",
];

/// Derivatives through inverse dynamics, whatever the joints and the loads.
#[test]
fn derivatives_through_inverse_dynamics_are_proven() {
    for text in JOINTS {
        let source = Source::new("joints.eom", text);
        let options = VerifyOptions {
            methods: vec!["kane".to_owned()],
            derive: DeriveOptions {
                jacobians: vec!["accelerations:q,v,t".to_owned()],
                outputs: vec!["linearization".to_owned()],
                ..DeriveOptions::default()
            },
            ..VerifyOptions::default()
        };
        let certificate = memo::certificate(&source, &options).unwrap();
        assert!(certificate.holds(), "{certificate}");
    }
}

/// Derivatives are compared with those of the text that is differentiated, be it of an output of the model; an output whose name looks like that of
/// a derivative is compared like any other.
#[test]
fn derivatives_are_proven_and_outputs_named_like_them() {
    let text = "model spring\nparam m : kg > 0\nparam k : N/m > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n\
                force on P: -k*x*N.x\noutput pull = k*x\noutput pull_wrt_x = k*x^2/(2 [m])\n";
    let source = Source::new("spring.eom", text);
    let options = VerifyOptions {
        methods: vec!["kane".to_owned()],
        derive: DeriveOptions {
            jacobians: ["pull:q,v,k", "accelerations:q,t", "mass_matrix:q"]
                .map(str::to_owned)
                .to_vec(),
            ..DeriveOptions::default()
        },
        ..VerifyOptions::default()
    };
    let certificate = memo::certificate(&source, &options).unwrap();
    assert!(certificate.holds(), "{certificate}");
    let proof = certificate.texts[0].proof.as_ref().unwrap();
    let verdict = |name: &str| {
        let found = proof.functions.iter().find(|f| f.name == name);
        &found
            .unwrap_or_else(|| panic!("{name}: {certificate}"))
            .verdict
    };
    for name in [
        "output_pull_wrt_q",
        "output_pull_wrt_v",
        "output_pull_wrt_k",
        "accelerations_wrt_q",
        "accelerations_wrt_t",
        "mass_matrix_wrt_q",
        "output_pull",
        "output_pull_wrt_x",
        "accelerations",
    ] {
        assert_eq!(*verdict(name), Verdict::Agrees, "{name}");
    }
    // A wrong entry shows.
    let derive = DeriveOptions {
        method: Some("kane".to_owned()),
        ..options.derive
    };
    let code = memo::module(&source, &derive).unwrap().code;
    let at = code.find("pub fn accelerations_wrt_q(").unwrap();
    let (before, own) = code.split_at(at);
    let wrong = own.replacen("[[self.", "[[-self.", 1);
    assert_ne!(wrong, own);
    let options = VerifyOptions {
        file: Some(("text".to_owned(), format!("{before}{wrong}"))),
        ..VerifyOptions::default()
    };
    let certificate = memo::certificate(&source, &options).unwrap();
    let proof = certificate.texts[0].proof.as_ref().unwrap();
    let (wrong, _) = proof.counterexample().unwrap();
    assert!(
        wrong.function.starts_with("accelerations_wrt_q"),
        "{certificate}"
    );
}
