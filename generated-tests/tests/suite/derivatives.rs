//! Derivatives, linearizations and inverse dynamics: against differences of the values, textbooks, equations by hand, and reference
//! numbers.
#![cfg(feature = "pipeline")]

use eomgen::internals::ir::Slot;
use eomgen::internals::ir::interpret::{Host, Jet};
use eomgen::{
    Evaluator, evaluator,
    options::{DeriveOptions, Form},
};
use generated_tests::harness::derived_with;
use generated_tests::reference::{load, model_text};
use nalgebra::{DMatrix, DVector, Matrix2};

/// Arguments by groups: time, state, parameters, inputs, rates of a state, rates of the speeds.
#[derive(Clone, Default)]
struct At([Vec<f64>; 6]);

impl Host for At {
    fn slot(&self, slot: Slot) -> f64 {
        self.0[slot.group as usize][slot.index as usize]
    }

    /// `k x^2 y + sin(x)` of the first two arguments, k being the number of the function, from 1.
    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let (x, y, k) = (args[0], args[1], f64::from(function + 1));
        let n = args.len();
        let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
        gradient[..2].copy_from_slice(&[2.0 * k * x * y + x.cos(), k * x * x]);
        hessian[0] = 2.0 * k * y - x.sin();
        (hessian[1], hessian[n]) = (2.0 * k * x, 2.0 * k * x);
        Jet {
            value: k * x * x * y + x.sin(),
            gradient,
            hessian,
        }
    }
}

fn numbers(e: &Evaluator, name: &str, at: &At) -> Vec<f64> {
    let found = e.call(name, at);
    let found = found.unwrap_or_else(|| panic!("there is no {name}"));
    found.1.unwrap_or_else(|f| panic!("{name}: {f:?}"))
}

fn options(jacobians: &[&str], outputs: &[&str], form: Form) -> DeriveOptions {
    let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
    DeriveOptions {
        jacobians: owned(jacobians),
        outputs: owned(outputs),
        form,
        ..DeriveOptions::default()
    }
}

/// Rows by columns of derivatives of `of` by entries of a group, from differences of fourth order.
fn differences(e: &Evaluator, of: &str, at: &At, group: usize, entries: &[usize]) -> Vec<f64> {
    let h = 1e-3;
    let columns: Vec<Vec<f64>> = entries
        .iter()
        .map(|k| {
            let there = |steps: f64| {
                let mut moved = at.clone();
                moved.0[group][*k] += steps * h;
                numbers(e, of, &moved)
            };
            let (a, b, c, d) = (there(-2.0), there(-1.0), there(1.0), there(2.0));
            let slope = |i: usize| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
            (0..a.len()).map(slope).collect()
        })
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows)
        .flat_map(|i| columns.iter().map(move |c| c[i]))
        .collect()
}

fn alike(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * scale,
            "{what}: entry {i} is {a}, not {b}"
        );
    }
}

/// Distinct numbers of moderate size.
fn some(n: usize, start: f64) -> Vec<f64> {
    (0..n)
        .map(|i| start + 0.37 * ((i * i + 2 * i) as f64).sin())
        .collect()
}

fn held_against_differences(model: &str, sizes: [usize; 4], form: Form) {
    let [q, v, params, inputs] = sizes;
    let mut groups = vec!["q", "v", "t", "params"];
    groups.extend((inputs > 0).then_some("inputs"));
    let asked: Vec<String> = ["accelerations", "derivative", "kinetic_energy"]
        .iter()
        .map(|of| format!("{of}:{}", groups.join(",")))
        .collect();
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let e = derived_with(model, &options(&asked, &["linearization"], form)).unwrap();
    let at = At([
        vec![0.4],
        some(q + v, 0.5),
        some(params, 1.3),
        some(inputs, -0.2),
        Vec::new(),
        Vec::new(),
    ]);
    for of in ["accelerations", "derivative", "kinetic_energy"] {
        let all = |n: usize| (0..n).collect::<Vec<_>>();
        let speeds: Vec<usize> = (q..q + v).collect();
        let mut blocks = vec![("q", 1, all(q)), ("v", 1, speeds)];
        blocks.push(("t", 0, all(1)));
        blocks.push(("params", 2, all(params)));
        if inputs > 0 {
            blocks.push(("inputs", 3, all(inputs)));
        }
        for (name, group, entries) in blocks {
            let found = numbers(&e, &format!("{of}_wrt_{name}"), &at);
            let expected = differences(&e, of, &at, group, &entries);
            alike(&format!("{model}: {of} by {name}"), &found, &expected, 1e-7);
        }
    }
    // x', A, B side by side.
    let whole = numbers(&e, "linearization", &at);
    let f = numbers(&e, "derivative", &at);
    let state: Vec<usize> = (0..q + v).collect();
    let a = differences(&e, "derivative", &at, 1, &state);
    let b = differences(&e, "derivative", &at, 3, &(0..inputs).collect::<Vec<_>>());
    let mut expected = Vec::new();
    for i in 0..q + v {
        expected.push(f[i]);
        expected.extend(&a[i * (q + v)..(i + 1) * (q + v)]);
        expected.extend(&b[i * inputs..(i + 1) * inputs]);
    }
    alike(&format!("{model}: linearization"), &whole, &expected, 1e-7);
}

#[test]
fn derivatives_are_slopes_of_values() {
    for form in [Form::Closed, Form::Staged] {
        held_against_differences("furuta", [2, 2, 11, 2], form);
        held_against_differences("chaplygin_sleigh", [3, 2, 3, 0], form);
    }
}

/// The linearized inverted pendulum on a cart: K. Ogata, Modern Control Engineering (5th ed., 2010), equations 3-20 and 3-21:
/// `M l theta'' = (M + m) g theta - u`, `M x'' = u - m g theta`.
#[test]
fn the_pendulum_on_a_cart_is_linearized_as_in_the_textbook() {
    let text = "model cart\n\
        param M, m : kg > 0\nparam l : m > 0\nparam g : m/s^2\n\
        coord x : m\ncoord theta : rad\ninput u : N\n\
        point C = O + x*N.x\npoint P = C + l*(sin(theta)*N.x + cos(theta)*N.y)\n\
        particle cart: mass M at C\nparticle bob: mass m at P\n\
        gravity: -g*N.y\ngeneralized x: u\n";
    let e = evaluator(
        "cart.eom",
        text,
        &options(&[], &["linearization"], Form::Auto),
    )
    .unwrap();
    let (mass, m, l, g) = (2.0, 0.1, 0.5, 9.81);
    let at = At([
        vec![0.0],
        vec![0.0; 4],
        vec![mass, m, l, g],
        vec![0.0],
        Vec::new(),
        Vec::new(),
    ]);
    let found = numbers(&e, "linearization", &at);
    #[rustfmt::skip]
    let expected = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 1.0, 0.0,
        0.0, 0.0, -m * g / mass, 0.0, 0.0, 1.0 / mass,
        0.0, 0.0, (mass + m) * g / (mass * l), 0.0, 0.0, -1.0 / (mass * l),
    ];
    alike("cart", &found, &expected, 1e-14);
}

/// `u' = a omega^2`, `(Izz + m a^2) omega' = -m a u omega` (Neimark & Fufaev 1972, II), differentiated by hand; dependent speeds are
/// none of the state.
#[test]
fn the_sleigh_is_differentiated_by_hand() {
    let e = derived_with(
        "chaplygin_sleigh",
        &options(
            &["derivative:v,theta", "rates:v", "derivative:a"],
            &["inverse_dynamics", "bias_forces"],
            Form::Auto,
        ),
    )
    .unwrap();
    let (m, a, izz) = (1.4, 0.35, 0.2);
    let (theta, u, omega): (f64, f64, f64) = (0.3, 1.7, -0.6);
    let mut at = At([
        vec![0.0],
        vec![0.1, -0.2, theta, u, omega],
        vec![m, a, izz],
        Vec::new(),
        Vec::new(),
        vec![0.8, -1.1],
    ]);
    let (s, c) = theta.sin_cos();
    let inertia = izz + m * a * a;
    #[rustfmt::skip]
    let by_speeds = [
        c, 0.0,
        s, 0.0,
        0.0, 1.0,
        0.0, 2.0 * a * omega,
        -m * a * omega / inertia, -m * a * u / inertia,
    ];
    alike(
        "by v",
        &numbers(&e, "derivative_wrt_v", &at),
        &by_speeds,
        1e-14,
    );
    alike(
        "rates",
        &numbers(&e, "rates_wrt_v", &at),
        &by_speeds[..6],
        1e-14,
    );
    let by_theta = [-s * u, c * u, 0.0, 0.0, 0.0];
    alike(
        "by theta",
        &numbers(&e, "derivative_wrt_theta", &at),
        &by_theta,
        1e-14,
    );
    let slope = -m * u * omega * (izz - m * a * a) / (inertia * inertia);
    let by_a = [0.0, 0.0, 0.0, omega * omega, slope];
    alike("by a", &numbers(&e, "derivative_wrt_a", &at), &by_a, 1e-14);
    // Force along the blade and torque about it that u' and omega' need.
    let needed = |du: f64, dw: f64| {
        [
            m * (du - a * omega * omega),
            inertia * dw + m * a * u * omega,
        ]
    };
    alike(
        "inverse dynamics",
        &numbers(&e, "inverse_dynamics", &at),
        &needed(0.8, -1.1),
        1e-14,
    );
    alike(
        "bias forces",
        &numbers(&e, "bias_forces", &at),
        &needed(0.0, 0.0),
        1e-14,
    );
    // At the machine's own rates nothing is missing.
    at.0[5] = vec![a * omega * omega, -m * a * u * omega / inertia];
    alike(
        "own",
        &numbers(&e, "inverse_dynamics", &at),
        &[0.0; 2],
        1e-14,
    );
}

/// Robots: with no torque the forces missing for the reference's accelerations are the reference's torques.
fn robot(model: &str, most: usize) {
    let outputs = ["inverse_dynamics", "bias_forces"];
    let e = derived_with(model, &options(&[], &outputs, Form::Auto)).unwrap();
    let reference = load(model).unwrap();
    let n = reference.coordinates.len();
    for state in &reference.states {
        let accelerations = state.accelerations.clone();
        let at = At([
            vec![state.t],
            [state.q.clone(), state.qd.clone()].concat(),
            reference.params.iter().map(|p| p.1).collect(),
            vec![0.0; n],
            Vec::new(),
            accelerations,
        ]);
        let found = numbers(&e, "inverse_dynamics", &at);
        alike(model, &found, &state.inputs, 1e-9);
    }
    for (name, cost) in e.costs() {
        if outputs.contains(&name.as_str()) || name == "mass_matrix" {
            println!("{model}: {name} {cost}");
        }
        assert!(
            name != "inverse_dynamics" || cost.total() <= most,
            "{model}: {cost}"
        );
    }
}

/// Recursive Newton-Euler in general takes `150 n - 48` multiplications and `131 n - 48` additions (J. J. Craig, Introduction to
/// Robotics, 3rd ed., 2005, section 6.6): 1590 operations for six joints.
#[test]
fn torques_of_the_ur5() {
    robot("ur5", 1590);
}

/// 1871 operations for seven joints.
#[test]
fn torques_of_the_panda() {
    robot("panda7", 1871);
}

/// Robots: the derivatives of the state's rate at the reference's states are its slopes. They are had through inverse dynamics, with fewer
/// operations than the instructions of the accelerations take by themselves.
fn robot_linearized(model: &str, most: usize) {
    let e = derived_with(model, &options(&[], &["linearization"], Form::Auto)).unwrap();
    let reference = load(model).unwrap();
    let n = reference.coordinates.len();
    for state in reference.states.iter().take(3) {
        let at = At([
            vec![state.t],
            [state.q.clone(), state.qd.clone()].concat(),
            reference.params.iter().map(|p| p.1).collect(),
            state.inputs.clone(),
            Vec::new(),
            Vec::new(),
        ]);
        let found = numbers(&e, "linearization", &at);
        let f = numbers(&e, "derivative", &at);
        let all = |n: usize| (0..n).collect::<Vec<_>>();
        let a = differences(&e, "derivative", &at, 1, &all(2 * n));
        let b = differences(&e, "derivative", &at, 3, &all(n));
        let rows = (0..2 * n).flat_map(|i| {
            let own = [f[i]].into_iter();
            let by_state = a[i * 2 * n..(i + 1) * 2 * n].iter().copied();
            let by_inputs = b[i * n..(i + 1) * n].iter().copied();
            own.chain(by_state).chain(by_inputs)
        });
        alike(model, &found, &rows.collect::<Vec<_>>(), 1e-7);
    }
    let costs = e.costs();
    let cost = costs.iter().find(|c| c.0 == "linearization").unwrap();
    println!("{model}: {}", cost.1);
    assert!(cost.1.total() <= most, "{model}: {}", cost.1);
}

#[test]
fn robots_are_differentiated_through_inverse_dynamics() {
    robot_linearized("ur5", 2_300);
    robot_linearized("panda7", 4_900);
}

/// The same of the torques for a motion.
#[test]
fn torques_of_robots_are_differentiated_along_the_tree() {
    for (model, most) in [("ur5", [1_200, 800]), ("panda7", [2_450, 1_550])] {
        let asked = options(
            &["inverse_dynamics:q,v", "bias_forces:v"],
            &["inverse_dynamics", "bias_forces"],
            Form::Auto,
        );
        let e = derived_with(model, &asked).unwrap();
        let reference = load(model).unwrap();
        let n = reference.coordinates.len();
        let state = reference.states.first().unwrap();
        let at = At([
            vec![state.t],
            [state.q.clone(), state.qd.clone()].concat(),
            reference.params.iter().map(|p| p.1).collect(),
            state.inputs.clone(),
            Vec::new(),
            (0..n).map(|i| 0.7 - 0.4 * i as f64).collect(),
        ]);
        let (q, v): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..2 * n).collect());
        for (of, by, entries) in [
            ("inverse_dynamics", "q", &q),
            ("inverse_dynamics", "v", &v),
            ("bias_forces", "v", &v),
        ] {
            let found = numbers(&e, &format!("{of}_wrt_{by}"), &at);
            let expected = differences(&e, of, &at, 1, entries);
            alike(&format!("{model}: {of} by {by}"), &found, &expected, 1e-7);
        }
        let costs = e.costs();
        for (name, most) in ["inverse_dynamics_wrt_q", "inverse_dynamics_wrt_v"]
            .iter()
            .zip(most)
        {
            let cost = costs.iter().find(|c| c.0 == *name).unwrap();
            println!("{model}: {name}: {}", cost.1);
            assert!(cost.1.total() <= most, "{model}: {name}: {}", cost.1);
        }
    }
}

/// Linear in the number of links: the mass matrix alone has n^2 entries.
#[test]
fn inverse_dynamics_of_chains_is_linear() {
    let count = |model: &str| {
        let e = derived_with(model, &options(&[], &["inverse_dynamics"], Form::Staged)).unwrap();
        let costs = e.costs();
        let found = costs.iter().find(|c| c.0 == "inverse_dynamics");
        found.map_or(0, |c| c.1.total())
    };
    let (five, ten) = (count("pend_rel_5"), count("pend_rel_10"));
    println!("pend_rel: {five} {ten}");
    // Twice as many links, twice as many operations; the first links are cheaper.
    assert!(ten * 10 <= five * 23, "{five} {ten}");
}

/// Forces that the user supplies, and rows of which one says nothing new.
#[test]
fn functions_of_the_user_are_differentiated() {
    let asked = options(&["accelerations:q,v,M"], &[], Form::Auto);
    let e = derived_with("e1_appell", &asked).unwrap();
    let at = At([
        vec![0.0],
        vec![0.7, -0.4, 0.9, 0.6, 0.8, 1.0],
        vec![1.7],
        Vec::new(),
        Vec::new(),
        Vec::new(),
    ]);
    for (name, group, entries) in [("q", 1, [0, 1, 2]), ("v", 1, [3, 4, 5])] {
        let found = numbers(&e, &format!("accelerations_wrt_{name}"), &at);
        let expected = differences(&e, "accelerations", &at, group, &entries);
        alike(name, &found, &expected, 1e-7);
        assert!(found.iter().any(|x| x.abs() > 0.1), "{name}: {found:?}");
    }
    // Forces are given by mass.
    alike(
        "M",
        &numbers(&e, "accelerations_wrt_M", &at),
        &[0.0; 3],
        0.0,
    );
}

#[test]
fn what_has_no_derivative_is_refused() {
    let refused = |model: &str, asked: &str| {
        let outcome = derived_with(model, &options(&[asked], &[], Form::Auto));
        outcome
            .err()
            .unwrap_or_else(|| panic!("{asked} of {model}"))
    };
    for asked in [
        "accelerations",
        "acelerations:q",
        "accelerations:foo",
        "accelerations:inputs",
        "accelerations:",
    ] {
        let message = refused("chaplygin_sleigh", asked);
        assert!(message.contains("E0584"), "{asked}: {message}");
    }
    // The second derivative of the cam's lift is in the acceleration already.
    let message = refused("cam_follower", "accelerations:q");
    assert!(message.contains("E0585"), "{message}");
}

/// A machine whose constraints hold positions alone: the sizes of the state and the parameters, and which entries follow from the others.
struct Held<'a> {
    model: &'a str,
    outputs: &'a str,
    sizes: [usize; 4],
    parameters: &'a [f64],
    start: &'a [f64],
    coordinates: &'a [usize],
    speeds: &'a [usize],
}

impl Held<'_> {
    /// Moves the dependent coordinates, then their rates, to where the rows hold.
    fn settled(&self, e: &Evaluator, at: &At) -> At {
        let [n, ..] = self.sizes;
        let mut at = at.clone();
        for _ in 0..20 {
            self.step(e, &mut at, "constraint_residuals", self.coordinates, 0);
        }
        for _ in 0..3 {
            self.step(e, &mut at, "velocity_residuals", self.speeds, n);
        }
        at
    }

    /// One step of Newton's method on some entries of the state.
    fn step(&self, e: &Evaluator, at: &mut At, of: &str, which: &[usize], first: usize) {
        if which.is_empty() {
            return;
        }
        let [n, ..] = self.sizes;
        let residuals = numbers(e, of, at);
        let matrix = numbers(e, "constraint_matrix", at);
        let a = DMatrix::from_fn(residuals.len(), which.len(), |i, k| {
            matrix[i * n + which[k] - first]
        });
        let step = a.lu().solve(&DVector::from_vec(residuals)).unwrap();
        for (k, x) in which.iter().zip(step.iter()) {
            at.0[1][*k] -= x;
        }
    }

    fn check(&self) {
        let [q, v, _, inputs] = self.sizes;
        let text = model_text(self.model).unwrap();
        let text = format!("{text}\n{}\n", self.outputs);
        let asked = ["linearization_reduced", "standard"];
        let e = evaluator(self.model, &text, &options(&[], &asked, Form::Auto)).unwrap();
        let at = At([
            vec![0.0],
            self.start.to_vec(),
            self.parameters.to_vec(),
            some(inputs, 0.7),
            Vec::new(),
            Vec::new(),
        ]);
        let at = self.settled(&e, &at);
        let left = numbers(&e, "constraint_residuals", &at);
        assert!(left.iter().all(|x| x.abs() < 1e-12), "{left:?}");
        let taken = |i: &usize| self.coordinates.contains(i) || self.speeds.contains(i);
        let independent: Vec<usize> = (0..q + v).filter(|i| !taken(i)).collect();
        let rows = |at: &At| -> Vec<f64> {
            let rate = numbers(&e, "derivative", at);
            let mut list: Vec<f64> = independent.iter().map(|i| rate[*i]).collect();
            list.extend(numbers(&e, "output_seen", at));
            list
        };
        let slope = |group: usize, entry: usize| -> Vec<f64> {
            let h = 1e-3;
            let there = |steps: f64| {
                let mut moved = at.clone();
                moved.0[group][entry] += steps * h;
                rows(&self.settled(&e, &moved))
            };
            let (a, b, c, d) = (there(-2.0), there(-1.0), there(1.0), there(2.0));
            let of = |i: usize| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
            (0..a.len()).map(of).collect()
        };
        let mut columns = vec![rows(&at)];
        columns.extend(independent.iter().map(|i| slope(1, *i)));
        columns.extend((0..inputs).map(|i| slope(3, i)));
        let expected: Vec<f64> = (0..columns[0].len())
            .flat_map(|i| columns.iter().map(move |c| c[i]))
            .collect();
        let found = numbers(&e, "linearization_reduced", &at);
        alike(self.model, &found, &expected, 1e-7);
    }
}

#[test]
fn reduced_linear_models_are_slopes_along_the_constraints() {
    let four_bar = Held {
        model: "four_bar",
        outputs: "output seen = q3*q2 + 1 [s^2]*q1'*q3'",
        sizes: [3, 1, 5, 0],
        parameters: &[1.3, 0.5, 1.4, 1.1, 1.7],
        start: &[1.0, 1.67, 1.74, 0.6],
        coordinates: &[1, 2],
        speeds: &[],
    };
    four_bar.check();
    let slider_crank = Held {
        model: "slider_crank",
        outputs: "output seen = sin(q1)*q2 + 1 [s^2]*q1'^2 + alpha2*q2/(1 [N*m])",
        sizes: [2, 2, 9, 2],
        parameters: &[2.0, 1.2, 0.9, 0.07, 0.11, 0.1, 0.02, 0.3, 0.12],
        start: &[0.4, 0.1, 0.3, 0.0],
        coordinates: &[1],
        speeds: &[3],
    };
    slider_crank.check();
}

/// Where the speeds are no independent ones, those that follow move with the coordinates too: of a pendulum in Cartesian coordinates
/// `z' = -x x'/z`, and of an ellipse `x^2 + 2 z^2 = l^2` likewise.
#[test]
fn dependent_speeds_of_a_state_with_all_speeds_follow() {
    let text = "model ring\nparam m, l : kg > 0\nparam k : N/m\ncoord x : m\ncoord z = -1 : m\ninput F : N\n\
        point P = O + x*N.x + z*N.z\nparticle bead: mass m at P\nforce on P: F*N.x - k*x*N.z\n\
        constraint ring: x^2 + 2*z^2 = 1 [m^2]\noutput seen = x' + z'*z/(1 [m])\n";
    let text = text.replace("param m, l : kg > 0", "param m : kg > 0");
    let e = evaluator(
        "ring.eom",
        &text,
        &options(&[], &["linearization_reduced", "standard"], Form::Auto),
    )
    .unwrap();
    let (m, k, f) = (1.3, 2.0, 0.4);
    // On the lower half, z = -sqrt((1 - x^2)/2): q'' of Lagrange's equation in x alone.
    let rate = |x: f64, v: f64, f: f64| {
        let z = -((1.0 - x * x) / 2.0).sqrt();
        let slope = -x / (2.0 * z);
        let bend = -(v * v + 2.0 * (slope * v).powi(2)) / (2.0 * z);
        // m (x'' + slope (slope x'' + bend)) = F - k x slope
        ((f - k * x * slope) / m - slope * bend) / (1.0 + slope * slope)
    };
    let seen = |x: f64, v: f64| {
        let z = -((1.0 - x * x) / 2.0).sqrt();
        v - x * v / (2.0 * z) * z
    };
    let (x, v) = (0.3_f64, 0.7_f64);
    let z = -((1.0 - x * x) / 2.0).sqrt();
    let at = At([
        vec![0.0],
        vec![x, z, v, -x * v / (2.0 * z)],
        vec![m, k],
        vec![f],
        Vec::new(),
        Vec::new(),
    ]);
    let slope = |of: &dyn Fn(f64) -> f64| {
        let h = 1e-3;
        (of(-2.0 * h) - 8.0 * of(-h) + 8.0 * of(h) - of(2.0 * h)) / (12.0 * h)
    };
    let found = numbers(&e, "linearization_reduced", &at);
    #[rustfmt::skip]
    let expected = [
        v, 0.0, 1.0, 0.0,
        rate(x, v, f), slope(&|h| rate(x + h, v, f)), slope(&|h| rate(x, v + h, f)), slope(&|h| rate(x, v, f + h)),
        seen(x, v), slope(&|h| seen(x + h, v)), slope(&|h| seen(x, v + h)), 0.0,
    ];
    alike("ring", &found, &expected, 1e-9);
}

/// J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463 (2007) 1955-1982: lean and steer of the benchmark bicycle
/// follow `M q'' + v C1 q' + (g K0 + v^2 K2) q = 0`, with the steer angle the other way round here.
#[test]
fn the_reduced_linear_model_of_the_bicycle_is_that_of_the_paper() {
    let m = Matrix2::new(
        80.81722,
        2.31941332208709,
        2.31941332208709,
        0.29784188199686,
    );
    let c1 = Matrix2::new(0.0, 33.86641391492494, -0.85035641456978, 1.68540397397560);
    let k0 = Matrix2::new(
        -80.95,
        -2.59951685249872,
        -2.59951685249872,
        -0.80329488458618,
    );
    let k2 = Matrix2::new(0.0, 76.59734589573222, 0.0, 2.65431523794604);
    let asked = options(&[], &["linearization_reduced"], Form::Auto);
    let e = derived_with("whipple_bicycle", &asked).unwrap();
    for v in [0.5, 5.0, 9.0] {
        let mut state = vec![0.0; 16];
        (state[8], state[14], state[15]) = (v, v / 0.3, v / 0.35);
        let at = At([
            vec![0.0],
            state,
            vec![0.35, 0.3, 1.02, 0.08, 18_f64.to_radians(), 9.81],
            Vec::new(),
            Vec::new(),
            Vec::new(),
        ]);
        let found = numbers(&e, "linearization_reduced", &at);
        let inverse = m.try_inverse().unwrap();
        let k: Matrix2<f64> = inverse * (k0 * 9.81 + k2 * (v * v)) * -1.0;
        let c: Matrix2<f64> = inverse * c1 * -v;
        // Rows: x y yaw lean steer rear front x' lean' steer'; columns after the rates.
        let entry = |i: usize, j: usize| found[i * 11 + 1 + j];
        for (i, row) in [8, 9].into_iter().enumerate() {
            for j in 0..2 {
                let sign = if i == j { 1.0 } else { -1.0 };
                let what = format!("bicycle at {v}: {i} {j}");
                alike(&what, &[entry(row, 3 + j)], &[sign * k[(i, j)]], 1e-11);
                alike(&what, &[entry(row, 8 + j)], &[sign * c[(i, j)]], 1e-11);
            }
        }
    }
}
