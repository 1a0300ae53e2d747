//! Quantities that are asked for by name: their identities at reference states, computed beside the library, and their
//! expressions where a source prints them or they can be worked out by hand.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, Evaluator, Failure, Source, derive, evaluator,
    internals::pipeline::{Claim, compare},
    options::{DeriveOptions, Form},
};
use generated_tests::compare::{close, error};
use generated_tests::harness::{derived_with, eval_input};
use generated_tests::known;
use generated_tests::memo;
use generated_tests::reference::{Reference, State, model_source};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// What every formulation has of every model with constraints and a regular mass matrix.
const OF_CONSTRAINTS: [&str; 10] = [
    "coordinate_mass_matrix",
    "coordinate_forcing",
    "applied_forces",
    "velocity_terms",
    "unconstrained_accelerations",
    "nonideal_vector",
    "scaled_constraint_matrix",
    "constraint_gram_matrix",
    "normal_projector",
    "tangent_projector",
];

const OF_SPEEDS: [&str; 5] = [
    "generalized_forces_in_speeds",
    "gibbs_gradient",
    "partial_velocities",
    "quasi_velocity_mass_matrix",
    "quasi_velocity_forces",
];

fn options(method: &str, form: Form, outputs: &[&str]) -> DeriveOptions {
    DeriveOptions {
        method: Some(method.into()),
        form,
        outputs: outputs.iter().map(|o| (*o).to_string()).collect(),
        ..DeriveOptions::default()
    }
}

/// The results at a state by name.
struct Results {
    model: String,
    values: BTreeMap<String, Vec<f64>>,
}

impl Results {
    fn at(model: &str, evaluator: &Evaluator, input: &EvalInput) -> Self {
        let all = evaluator.functions(input).unwrap();
        let value = |(name, numbers): (String, Result<Vec<f64>, Failure>)| match numbers {
            Ok(numbers) => (name, numbers),
            Err(failure) => panic!("{model}: {name}: {failure:?}"),
        };
        Self {
            model: model.into(),
            values: all.into_iter().map(value).collect(),
        }
    }

    fn list(&self, name: &str) -> DVector<f64> {
        let found = self.values.get(name);
        let found = found.unwrap_or_else(|| panic!("{}: no {name}", self.model));
        DVector::from_column_slice(found)
    }

    fn matrix(&self, name: &str, columns: usize) -> DMatrix<f64> {
        let list = self.list(name);
        assert_eq!(list.len() % columns, 0, "{}: {name}", self.model);
        DMatrix::from_row_slice(list.len() / columns, columns, list.as_slice())
    }

    fn same(&self, what: &str, found: &DMatrix<f64>, wanted: &DMatrix<f64>) {
        let said = close(
            &format!("{}: {what}", self.model),
            found.as_slice(),
            wanted.as_slice(),
        );
        assert_eq!(said, Ok(()));
    }
}

fn column(values: &DVector<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(values.len(), 1, values.as_slice())
}

/// The identities that tie M, F, Q, h, a, C, A, b, G, B, T and N together, with q'' and C from the reference.
fn identities(r: &Results, reference: &Reference, state: &State, names: &[String]) {
    let n = names.len();
    let from = |values: &[f64]| {
        let ordered = reference.in_order(values, names).unwrap();
        DVector::from_vec(ordered)
    };
    let acceleration = from(&state.accelerations);
    let m = r.matrix("coordinate_mass_matrix", n);
    let f = r.list("coordinate_forcing");
    r.same("M is symmetric", &m, &m.transpose());
    let force = match (&state.constraint_force, &state.multipliers) {
        (Some(force), _) => from(force),
        (None, Some(lambda)) => {
            let rows = r.matrix("constraint_matrix", n);
            rows.transpose() * DVector::from_column_slice(lambda)
        }
        // Whatever it is, it is a combination of the rows.
        (None, None) => {
            let rows = r.matrix("constraint_matrix", n).transpose();
            let onto = &rows * rows.clone().pseudo_inverse(1e-11).unwrap();
            onto * (&m * &acceleration - &f)
        }
    };
    r.same(
        "M q'' = F + constraint force",
        &column(&(&m * &acceleration - &f)),
        &column(&force),
    );
    let parts = r.list("applied_forces") - r.list("velocity_terms");
    r.same("F = Q - h", &column(&f), &column(&parts));
    let a = r.list("unconstrained_accelerations");
    r.same("M a = F", &column(&(&m * &a)), &column(&f));
    let c = r.list("nonideal_vector");
    let known = match &state.nonideal_vector {
        Some(known) => from(known),
        None => DVector::zeros(n),
    };
    r.same("C", &column(&c), &column(&known));
    // What is made of M and A by the book.
    let rows = r.matrix("constraint_matrix", n);
    let inverse = m.clone().try_inverse().unwrap();
    let g = &rows * &inverse * rows.transpose();
    r.same(
        "G = A M^-1 A^T",
        &r.matrix("constraint_gram_matrix", rows.nrows()),
        &g,
    );
    let lower = m.clone().cholesky().unwrap().l();
    let b = &rows * lower.transpose().try_inverse().unwrap();
    r.same("B = A L^-T", &r.matrix("scaled_constraint_matrix", n), &b);
    let pseudo = b.clone().pseudo_inverse(1e-11).unwrap();
    let t = r.matrix("normal_projector", n);
    r.same("T = B^+ B", &t, &(&pseudo * &b));
    let tangent = r.matrix("tangent_projector", n);
    r.same("N = I - T", &tangent, &(DMatrix::identity(n, n) - &t));
    // The same, 38 and 39: the two parts of the constraint force by G and by N.
    let g_inverse = g.clone().pseudo_inverse(1e-11).unwrap();
    let gap = r.list("constraint_rhs") - &rows * &a;
    let ideal = rows.transpose() * g_inverse * gap;
    if let Some(known) = &state.constraint_force_ideal {
        r.same(
            "Qi = A^T G^+ (b - A a)",
            &column(&ideal),
            &column(&from(known)),
        );
    }
    let nonideal = &lower * &tangent * lower.clone().try_inverse().unwrap() * &c;
    if let Some(known) = &state.constraint_force_nonideal {
        r.same(
            "Qni = L N L^-1 C",
            &column(&nonideal),
            &column(&from(known)),
        );
    }
    // Udwadia & Kalaba 2002, 46: in scaled accelerations the motion is what is left of the free one, and what the
    // constraints ask for.
    let scaled = lower.transpose() * &acceleration;
    let free = lower.clone().try_inverse().unwrap() * (&f + &c);
    let rhs = r.list("constraint_rhs");
    r.same(
        "q_s'' = N (a_s + c_s) + B^+ b",
        &column(&scaled),
        &column(&(tangent * free + pseudo * rhs)),
    );
}

fn coordinates(evaluator: &Evaluator, input: &EvalInput) -> Vec<String> {
    let n = input.q.len();
    let state = evaluator.state(input).unwrap();
    state.into_iter().take(n).map(|(name, _)| name).collect()
}

fn check(model: &str, method: &str, form: Form) {
    let (reference, _) = known::reference(model).unwrap();
    let evaluator = derived_with(model, &options(method, form, &OF_CONSTRAINTS)).unwrap();
    for state in reference.states.iter().take(4) {
        let input = eval_input(&reference, state);
        let results = Results::at(model, &evaluator, &input);
        let names = coordinates(&evaluator, &input);
        identities(&results, &reference, state, &names);
    }
}

#[test]
fn identities_hold_for_independent_rows() {
    check("e4_sleigh", "kane", Form::Auto);
    check("e4_sleigh", "udwadia-kalaba", Form::Staged);
    check("e4_sleigh_six", "lagrange", Form::Auto);
}

#[test]
fn identities_hold_for_dependent_rows() {
    check("e1_appell", "udwadia-kalaba", Form::Auto);
    check("e1_appell", "lagrange", Form::Staged);
    check("cart_double_pendulum_dependent", "gibbs-appell", Form::Auto);
}

#[test]
fn identities_hold_for_constraints_that_are_not_ideal_or_move() {
    check("e3_appell_nonideal", "udwadia-kalaba", Form::Auto);
    check("e3_appell_nonideal", "kane", Form::Staged);
    check("e2_appell_rheonomic", "lagrange", Form::Auto);
}

#[test]
fn identities_hold_for_rigid_bodies() {
    check("disc", "kane", Form::Auto);
    check("e5_wheel_axle_full", "kane", Form::Staged);
}

/// dS/du' = R along the motion, where the independent speeds are free and nothing is prescribed; forces and masses by
/// H; and `sum m beta.beta` is the mass matrix of particles.
fn speeds(model: &str, form: Form, particles: bool) {
    let (reference, _) = known::reference(model).unwrap();
    let mut wanted = OF_SPEEDS.to_vec();
    wanted.extend(["coordinate_mass_matrix", "applied_forces"]);
    let evaluator = derived_with(model, &options("gibbs-appell", form, &wanted)).unwrap();
    for state in reference.states.iter().take(4) {
        let input = eval_input(&reference, state);
        let r = Results::at(model, &evaluator, &input);
        let gradient = r.list("gibbs_gradient");
        let forces = r.list("generalized_forces_in_speeds");
        r.same("dS/du' = R", &column(&gradient), &column(&forces));
        let l = gradient.len();
        let n = input.q.len();
        let whole = r.matrix("quasi_velocity_mass_matrix", n);
        let own = r.matrix("mass_matrix", l);
        let block = whole.view((0, 0), (l, l)).into_owned();
        r.same("the free block of N", &block, &own);
        let head = r.list("quasi_velocity_forces").rows(0, l).into_owned();
        r.same("the free part of R", &column(&head), &column(&forces));
        if particles {
            let beta = r.matrix("partial_velocities", l);
            let masses = masses(&reference, beta.nrows() / 3);
            let scaled = DMatrix::from_diagonal(&masses) * &beta;
            r.same("sum m beta.beta", &(beta.transpose() * scaled), &own);
        }
    }
}

/// m1, m2, ... three times each, as they stand in the reference.
fn masses(reference: &Reference, bodies: usize) -> DVector<f64> {
    let of = |name: &str| {
        let found = reference.params.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    };
    let list = (0..3 * bodies).map(|i| of(&format!("m{}", i / 3 + 1)).unwrap());
    DVector::from_iterator(3 * bodies, list)
}

#[test]
fn quantities_of_speeds_belong_together() {
    speeds("e4_sleigh", Form::Auto, true);
    speeds("e4_sleigh_speeds", Form::Staged, true);
    speeds("e4_sleigh_six", Form::Auto, true);
    speeds("double_pendulum", Form::Auto, false);
    speeds("disc", Form::Auto, false);
    speeds("e5_wheel_axle_full", Form::Staged, false);
}

fn hold(model: &str, method: &str, claims: &[Claim]) {
    let options = options(method, Form::Auto, &[]);
    let verdicts = compare(&model_source(model).unwrap(), &options, claims).unwrap();
    let wrong: Vec<_> = verdicts.iter().filter(|v| !v.holds()).collect();
    assert!(wrong.is_empty(), "{model}: {wrong:#?}");
}

/// The sleigh: `h = -m2 l theta'^2 (cos, sin, 0)`, `a = F/M`, and a blade that acts on the second particle alone.
#[test]
fn of_the_sleigh() {
    let entry = Claim::entry;
    hold(
        "e4_sleigh",
        "kane",
        &[
            Claim::row("velocity_terms", "x", "-m2*l*cos(theta)*theta'^2"),
            Claim::row("velocity_terms", "theta", "0"),
            Claim::row("applied_forces", "y", "0"),
            // The rod spins at constant rate about the mass centre, which moves straight on.
            Claim::row(
                "unconstrained_accelerations",
                "x",
                "m2*l*cos(theta)*theta'^2/(m1 + m2)",
            ),
            Claim::row("unconstrained_accelerations", "theta", "0"),
            entry("constraint_gram_matrix", "blade", "blade", "1/m2"),
            entry("partial_velocities", "A.x", "u1", "cos(theta)"),
            entry("partial_velocities", "A.x", "u2", "l*sin(theta)"),
            entry("partial_velocities", "A.y", "u2", "-l*cos(theta)"),
            // The blade holds the second particle: its velocity is along the rod.
            entry("partial_velocities", "C.y", "u1", "sin(theta)"),
            entry("partial_velocities", "C.y", "u2", "0"),
            Claim::row("gibbs_gradient", "u1", "(m1 + m2)*u1' + m1*l*u2^2"),
            Claim::row("gibbs_gradient", "u2", "m1*l^2*u2' - m1*l*u1*u2"),
        ],
    );
}

/// Appell's particle: `T = n n^T` with the unit normal n, whatever the mass, and `G` of rank 1 with 1 : 2 : 4.
#[test]
fn of_appells_particle() {
    let square = "(x'^2 + y'^2 + z'^2)";
    let entry = |o: &str, r: &str, c: &str, e: String| Claim::entry(o, r, c, &e);
    hold(
        "e1_appell",
        "udwadia-kalaba",
        &[
            entry("normal_projector", "x", "x", format!("x'^2/{square}")),
            entry("normal_projector", "x", "z", format!("-x'*z'/{square}")),
            entry(
                "tangent_projector",
                "z",
                "z",
                format!("(x'^2 + y'^2)/{square}"),
            ),
            entry("tangent_projector", "y", "z", format!("y'*z'/{square}")),
            entry(
                "scaled_constraint_matrix",
                "c1",
                "z",
                "-2*z'/sqrt(M)".into(),
            ),
            entry(
                "constraint_gram_matrix",
                "c1",
                "c2",
                format!("8*{square}/M"),
            ),
            Claim::row("unconstrained_accelerations", "y", "Fy"),
        ],
    );
}

/// O'Reilly et al., sections 3-7: with `v1 = u1 e1 + (u3 - l u2) e2` and `v2 = u1 e1 + u3 e2` the bases can be read off, and
/// `b^3` is a vector of the second particle alone: the blade acts there.
#[test]
fn bases_of_the_sleigh() {
    let (s1, s2) = ("sqrt(m1/(m1 + m2))", "sqrt(m2/(m1 + m2))");
    let entry = |o: &str, r: &str, c: &str, e: String| Claim::entry(o, r, c, &e);
    let zero = |o: &str, r: &str, c: &str| Claim::entry(o, r, c, "0");
    let (a, b, d) = (
        "covariant_basis",
        "quasi_velocity_basis",
        "quasi_velocity_dual_basis",
    );
    hold(
        "e4_sleigh_speeds",
        "gibbs-appell",
        &[
            entry(a, "A.x", "x", s1.into()),
            entry(a, "C.x", "x", s2.into()),
            zero(a, "C.y", "x"),
            zero(a, "A.x", "theta"),
            entry(a, "C.x", "theta", format!("-{s2}*l*sin(theta)")),
            entry(a, "C.y", "theta", format!("{s2}*l*cos(theta)")),
            entry(b, "A.x", "u1", format!("{s1}*cos(theta)")),
            entry(b, "C.y", "u1", format!("{s2}*sin(theta)")),
            entry(b, "A.x", "u2", format!("{s1}*l*sin(theta)")),
            zero(b, "C.x", "u2"),
            entry(b, "A.y", "u3", format!("{s1}*cos(theta)")),
            entry(b, "C.x", "u3", format!("-{s2}*sin(theta)")),
            zero(d, "A.x", "u3"),
            zero(d, "A.y", "u3"),
            entry(d, "C.x", "u3", format!("-sin(theta)/{s2}")),
            entry(d, "C.y", "u3", format!("cos(theta)/{s2}")),
            entry(d, "A.x", "u2", format!("sin(theta)/(l*{s1})")),
            entry(d, "C.x", "u2", format!("-sin(theta)/(l*{s2})")),
            entry(d, "A.x", "u1", format!("{s1}*cos(theta)")),
            entry("quasi_velocity_mass_matrix", "u1", "u1", "m1 + m2".into()),
            entry("quasi_velocity_mass_matrix", "u2", "u2", "m1*l^2".into()),
            entry("quasi_velocity_mass_matrix", "u2", "u3", "-m1*l".into()),
            zero("quasi_velocity_mass_matrix", "u1", "u3"),
        ],
    );
}

/// Two particles on a rod with a blade, a spring between the first and the origin and a torque: every kind of load.
const LOADED: &str = "\
model loaded
param m1 = 1.3, m2 = 0.8 : kg > 0
param l = 0.65 : m > 0
param k = 3 : N/m > 0
param g = 9.81 : m/s^2
coord x, y : m
coord theta : rad
input f : N
input tau : N*m
frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2
gravity: -g*N.y
force on P1: -k*(P1 - O)
force on P2: f*B.x
generalized theta: tau
speed u1 = dot(vel(P1), B.x)
speed u2 = theta'
constraint blade: dot(vel(P2), B.y) = 0
output accA = acc(P1)
output accC = acc(P2)
";

/// All numbers of a representative particle at a state, and its equations: `m r'' = Phi + Phi_c` projected on either basis.
#[test]
fn the_representative_particle_obeys_the_equations() {
    let outputs = [
        "covariant_basis",
        "contravariant_basis",
        "quasi_velocity_basis",
        "quasi_velocity_dual_basis",
        "representative_force",
        "applied_forces",
        "quasi_velocity_forces",
        "coordinate_mass_matrix",
        "quasi_velocity_mass_matrix",
    ];
    for form in [Form::Auto, Form::Staged] {
        let e = evaluator("loaded.eom", LOADED, &options("kane", form, &outputs)).unwrap();
        let mut random = generated_tests::samples::Random::default();
        for _ in 0..5 {
            let mut numbers = |names: &[&str]| -> indexmap::IndexMap<String, f64> {
                let pairs = names.iter().map(|n| ((*n).to_string(), random.number()));
                pairs.collect()
            };
            let input = EvalInput {
                q: numbers(&["x", "y", "theta"]),
                speeds: Some(numbers(&["u1", "u2"])),
                inputs: numbers(&["f", "tau"]),
                ..EvalInput::default()
            };
            let r = Results::at("loaded", &e, &input);
            let m: f64 = 1.3 + 0.8;
            let (a, dual) = (r.matrix(outputs[0], 3), r.matrix(outputs[1], 3));
            let (b, b_dual) = (r.matrix(outputs[2], 3), r.matrix(outputs[3], 3));
            // By hand: r = (s1 x, s1 y, 0, s2 (x + l cos), s2 (y + l sin), 0).
            let (s1, s2) = ((1.3 / m).sqrt(), (0.8 / m).sqrt());
            let (sin, cos) = input.q["theta"].sin_cos();
            #[rustfmt::skip]
            let by_hand = DMatrix::from_row_slice(6, 3, &[
                s1, 0.0, 0.0,
                0.0, s1, 0.0,
                0.0, 0.0, 0.0,
                s2, 0.0, -s2 * 0.65 * sin,
                0.0, s2, s2 * 0.65 * cos,
                0.0, 0.0, 0.0,
            ]);
            r.same("a_K", &a, &by_hand);
            let unit = DMatrix::identity(3, 3);
            r.same("a^K . a_L", &(dual.transpose() * &a), &unit);
            r.same("b^K . b_L", &(b_dual.transpose() * &b), &unit);
            let mass = r.matrix("coordinate_mass_matrix", 3);
            r.same("M = m a_I . a_K", &(a.transpose() * &a * m), &mass);
            let inertia = r.matrix("quasi_velocity_mass_matrix", 3);
            r.same("N = m b_I . b_K", &(b.transpose() * &b * m), &inertia);
            let phi = r.list("representative_force");
            let q = r.list("applied_forces");
            r.same(
                "Phi . a_K = Q_K",
                &column(&(a.transpose() * &phi)),
                &column(&q),
            );
            let forces = r.list("quasi_velocity_forces");
            r.same(
                "Phi . b_K = R_K",
                &column(&(b.transpose() * &phi)),
                &column(&forces),
            );
            // m r'' from the accelerations of the particles.
            let weighted = [(s1, "output_accA"), (s2, "output_accC")];
            let second = weighted.iter().flat_map(|(s, name)| {
                let parts: Vec<f64> = (r.list(name) * *s).iter().copied().collect();
                parts
            });
            let inertial = DVector::from_iterator(6, second) * m;
            let lambda = r.list("multipliers");
            let rows = r.matrix("constraint_matrix", 3);
            // Lagrange: on a_K.
            let left = a.transpose() * (&inertial - &phi);
            let right = rows.transpose() * &lambda;
            r.same("on a_K", &column(&left), &column(&right));
            // Maggi, Kane, Gibbs-Appell, Boltzmann-Hamel: on b_K; the last one gives the force of the blade.
            let left = b.transpose() * (&inertial - &phi);
            let right = DVector::from_vec(vec![0.0, 0.0, lambda[0]]);
            r.same("on b_K", &column(&left), &column(&right));
            // Phi_c = mu b^3, from the side of the coordinates.
            let force = b_dual.column(2) * lambda[0];
            let from_rows = dual * rows.transpose() * &lambda;
            r.same("Phi_c = mu b^3", &column(&force), &column(&from_rows));
        }
    }
}

fn refused(text: &str, output: &str) -> (String, String) {
    match derive("m.eom", text, &options("kane", Form::Auto, &[output])) {
        Err(Failure::Diagnostics(list)) => {
            let first = &list[list.len() - 1];
            (first.code.to_string(), first.title.clone())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_does_not_exist_is_explained() {
    let free = "model free\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\n";
    for name in [
        "scaled_constraint_matrix",
        "constraint_gram_matrix",
        "normal_projector",
        "tangent_projector",
    ] {
        let (code, title) = refused(free, name);
        assert_eq!(code, "E0580");
        assert_eq!(
            title,
            format!("there is no `{name}`: the model has no constraints")
        );
    }
    assert_eq!(refused(free, "partial_angular_velocities").0, "E0582");
    // One coordinate too many: x and s move the same particle.
    let extra = "model extra\nparam m : kg > 0\ncoord x, s : m\npoint P = O + (x + s)*N.x\nparticle A: mass m at P\nconstraint tie: s = 2*x\n";
    for name in ["unconstrained_accelerations", "tangent_projector"] {
        assert_eq!(refused(extra, name).0, "E0581");
    }
    let rigid = "model rigid\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J]\n";
    assert_eq!(refused(rigid, "covariant_basis").0, "E0583");
}

/// Where the rows lose rank nothing is returned in silence.
#[test]
fn projectors_fail_where_rows_vanish() {
    let options = options("udwadia-kalaba", Form::Auto, &["tangent_projector"]);
    let e = derived_with("e1_appell", &options).unwrap();
    let (reference, _) = known::reference("e1_appell").unwrap();
    let mut input = eval_input(&reference, &reference.states[0]);
    for rate in input.qdot.iter_mut().flat_map(|q| q.values_mut()) {
        *rate = 0.0;
    }
    let all = e.functions(&input).unwrap();
    let (_, found) = all.iter().find(|(n, _)| n == "tangent_projector").unwrap();
    assert!(found.is_err(), "{found:?}");
    assert!(
        e.conditions().iter().any(|c| c.contains("x'^2")),
        "{:?}",
        e.conditions()
    );
}

/// What is not asked for costs nothing, and what every module has changes nothing.
#[test]
fn standard_outputs_may_be_asked_for() {
    let source = model_source("e4_sleigh").unwrap();
    let with = |outputs: &[&str]| {
        let o = options("kane", Form::Auto, outputs);
        let derived = memo::module(&source, &o).unwrap();
        let code = derived.code;
        code.lines().skip(3).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(with(&["mass_matrix", "multipliers"]), with(&[]));
}

/// Fifty links of a chain: names keep the quantities small, and they stay right.
#[test]
fn large_models_have_them_too() {
    let wanted = [
        "coordinate_mass_matrix",
        "coordinate_forcing",
        "unconstrained_accelerations",
    ];
    let o = options("kane", Form::Auto, &wanted);
    let source: Source = model_source("pend_abs_20").unwrap();
    let e = memo::evaluator(&source, &o).unwrap();
    let (reference, _) = known::reference("pend_abs_20").unwrap();
    let state = &reference.states[0];
    let input = eval_input(&reference, state);
    let r = Results::at("pend_abs_20", &e, &input);
    let n = input.q.len();
    let m = r.matrix(wanted[0], n);
    let a = r.list(wanted[2]);
    let names = coordinates(&e, &input);
    let known = reference.in_order(&state.accelerations, &names).unwrap();
    assert!(error(a.as_slice(), &known) < 1e-9);
    r.same("M a = F", &column(&(&m * &a)), &column(&r.list(wanted[1])));
}
