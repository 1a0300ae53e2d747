//! Assembles the modules beside it, against the geometry and the rates of a four-bar linkage and of a yoke, worked out here.
mod free;
mod reduced;
mod single;
mod yoke;

const L: [f64; 4] = [1.3, 0.5, 1.4, 1.1];

/// The angles of coupler and rocker from that of the crank: law of cosines in the triangle of coupler, rocker and diagonal.
fn four_bar(q1: f64, open: f64) -> (f64, f64) {
    let pin = (L[0] + L[1] * q1.cos(), L[1] * q1.sin());
    let diagonal = pin.0.hypot(pin.1);
    let back = (-pin.1).atan2(-pin.0);
    let at = (L[2] * L[2] + diagonal * diagonal - L[3] * L[3]) / (2.0 * L[2] * diagonal);
    let coupler = back + open * at.acos();
    let elbow = (pin.0 + L[2] * coupler.cos(), pin.1 + L[2] * coupler.sin());
    let rocker = (-elbow.1).atan2(-elbow.0);
    (coupler - q1, rocker - coupler)
}

/// Both angles within a turn.
fn same(found: f64, expected: f64, tolerance: f64) {
    let turn = 2.0 * std::f64::consts::PI;
    let off = (found - expected).rem_euclid(turn);
    let off = off.min(turn - off);
    assert!(off < tolerance, "{found} for {expected}");
}

fn main() {
    let model = reduced::Model::new(&reduced::Params::default());
    for open in [1.0, -1.0] {
        for q1 in [-2.5, -1.0, 0.4, 1.0, 2.0, 3.0] {
            let (q2, q3) = four_bar(q1, open);
            let guess = reduced::State { q1, q2: q2 + 0.25, q3: q3 - 0.2, q1_dot: 0.7 };
            let found = model.assemble(0.0, &guess, &[reduced::StateIndex::Q1]).unwrap();
            assert_eq!((found.q1, found.q1_dot), (q1, 0.7));
            same(found.q2, q2, 1e-9);
            same(found.q3, q3, 1e-9);
        }
    }
    // No crank closes the loop with the coupler at right angles to it and the rocker stretched.
    let guess = reduced::State { q1: 1.0, q2: 1.5, q3: 0.0, q1_dot: 0.0 };
    let held = [reduced::StateIndex::Q2, reduced::StateIndex::Q3];
    let error = model.assemble(0.0, &guess, &held).unwrap_err();
    assert!(error.residual.abs() > 1e-3 && error.constraint < 2);
    let row = reduced::Constraint::NAMES[error.constraint];
    assert!(error.to_string().contains(row), "{error}");
    assert_eq!((error.state[1], error.state[2]), (1.5, 0.0));

    // Speeds of the state: `x x' + y y' + z z' = 0` on a sphere.
    let model = free::Model::new(&free::Params::default());
    let guess = free::State {
        x: 0.4,
        y: -0.7,
        z: -2.0,
        x_dot: 1.5,
        y_dot: 0.3,
        z_dot: 9.0,
    };
    use free::StateIndex::{X, XDot, Y, YDot};
    let found = model.assemble(0.0, &guess, &[X, Y, XDot, YDot]).unwrap();
    let z = -(1.44_f64 - 0.16 - 0.49).sqrt();
    assert!((found.z - z).abs() < 1e-10);
    assert_eq!((found.x, found.y, found.x_dot, found.y_dot), (0.4, -0.7, 1.5, 0.3));
    assert!((found.z_dot + (0.4 * 1.5 - 0.7 * 0.3) / z).abs() < 1e-9);
    // Nothing held: the nearest point and velocity.
    let found = model.assemble(0.0, &guess, &[]).unwrap();
    let far = (0.4_f64 * 0.4 + 0.7 * 0.7 + 4.0).sqrt() / 1.2;
    assert!((found.x - 0.4 / far).abs() < 1e-2 && (found.z + 2.0 / far).abs() < 1e-2);
    let outward = found.x * found.x_dot + found.y * found.y_dot + found.z * found.z_dot;
    assert!(outward.abs() < 1e-9, "{outward}");
    // Outside of the sphere.
    let guess = free::State { x: 2.0, ..guess };
    assert!(model.assemble(0.0, &guess, &[X]).is_err());

    let (q2, q3) = four_bar(0.6, 1.0);
    let model = single::Model::new(&single::Params::default());
    let guess = single::State { q1: 0.6, q2: q2 as f32 + 0.2, q3: q3 as f32, q1_dot: 1.0 };
    let single = model.assemble(0.0, &guess, &[single::StateIndex::Q1]).unwrap();
    same(f64::from(single.q2), q2, 1e-4);
    same(f64::from(single.q3), q3, 1e-4);

    // s = R cos(phi) has no phi for s > R.
    let model = yoke::Model::new(&yoke::Params::default());
    let inputs = yoke::Inputs { tau: 0.0 };
    let at = |s: f64| {
        let guess = yoke::State { phi: 0.3, s, phi_dot: 0.0 };
        model.assemble(0.0, &guess, &[yoke::StateIndex::S], &inputs)
    };
    same(at(0.06).unwrap().phi, (0.5_f64).acos(), 1e-9);
    let error = at(0.13).unwrap_err();
    assert!((error.residual + 0.01).abs() < 1e-6, "{error}");
}
