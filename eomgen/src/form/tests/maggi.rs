//! The page on Maggi's equations.

use super::*;
use crate::form::Closure;
use crate::sym::Class;

#[test]
fn the_sleigh() {
    page(&sleigh(BLADE), "maggi", |p| {
        // q' = E e + e0 with e = (u1, u2).
        p.table_is(
            Space::SpeedRates,
            "maggi_matrix",
            &[
                &["cos(theta)", "l*sin(theta)"],
                &["sin(theta)", "-l*cos(theta)"],
                &["0", "1"],
            ],
        );
        p.table_is(Space::SpeedRates, "maggi_drift", &[&["0"], &["0"], &["0"]]);
        // The columns of E against Lagrange's left sides (O'Reilly et al. 2.16), where q'' meets the constraint.
        p.equations_are(&[
            "(m1 + m2)*(x''*cos(theta) + y''*sin(theta)) - m2*l*theta'^2",
            "m1*l*(x''*sin(theta) - y''*cos(theta))",
        ]);
        // The same in the state's speeds.
        p.equations_are(&["(m1 + m2)*u1' + m1*l*u2^2", "m1*l^2*u2' - m1*l*u1*u2"]);
    });
}

#[test]
fn the_sleighs_blade_force() {
    page(&sleigh(BLADE), "maggi", |p| {
        p.table_is(
            Space::Accelerations,
            "maggi_multiplier_matrix",
            &[&["-(m1 + m2)*sin(theta)", "(m1 + m2)*cos(theta)", "m2*l"]],
        );
        p.table_is(Space::Accelerations, "maggi_multiplier_forcing", &[&["0"]]);
        p.table_is(
            Space::Accelerations,
            "maggi_multipliers",
            &[&["(m1 + m2)*(y''*cos(theta) - x''*sin(theta)) + m2*l*theta''"]],
        );
        let table = p.table("maggi_multipliers");
        assert_eq!(table.rows, ["blade"]);
        // With the second equation, m1 l u2' = m1 u1 u2 (O'Reilly et al. 2.17).
        let [_, second] = p.left_sides().try_into().unwrap();
        let l = p.read(Space::SpeedRates, "l");
        p.is(
            Space::SpeedRates,
            &(&table.entries[0] + second / l),
            "m2*u1*u2",
        );
    });
}

#[test]
fn the_sleighs_quasi_velocities() {
    page(&sleigh(BLADE), "maggi", |p| {
        p.table_is(
            Space::Accelerations,
            "quasi_velocity_matrix",
            &[
                &["cos(theta)", "sin(theta)", "0"],
                &["0", "0", "1"],
                &["-sin(theta)", "cos(theta)", "l"],
            ],
        );
        p.table_is(
            Space::Accelerations,
            "inverse_quasi_velocity_matrix",
            &[
                &["cos(theta)", "l*sin(theta)", "-sin(theta)"],
                &["sin(theta)", "-l*cos(theta)", "cos(theta)"],
                &["0", "1", "0"],
            ],
        );
    });
}

/// The blade is moved sideways as time prescribes: `v2 . e2 = e(t)`.
#[test]
fn a_blade_that_moves() {
    let text = sleigh("constraint blade: dot(vel(P2), B.y) = e0*sin(w*t)");
    page(&text, "maggi", |p| {
        p.table_is(
            Space::SpeedRates,
            "maggi_drift",
            &[
                &["-e0*sin(w*t)*sin(theta)"],
                &["e0*sin(w*t)*cos(theta)"],
                &["0"],
            ],
        );
        p.equations_are(&[
            "(m1 + m2)*(u1' - e0*sin(w*t)*u2) + m1*l*u2^2",
            "m1*l^2*u2' - m1*l*(u1*u2 + e0*w*cos(w*t))",
        ]);
        // The multiplier is that of the row, whatever the row prescribes.
        p.table_is(
            Space::Accelerations,
            "maggi_multipliers",
            &[&["(m1 + m2)*(y''*cos(theta) - x''*sin(theta)) + m2*l*theta''"]],
        );
    });
}

/// A force that the constraint is said to bring with it: E^T C stands beside E^T Q.
#[test]
fn a_blade_that_brakes() {
    let text = sleigh(&format!("{BLADE}\nnonideal on P2: -k*u1*B.x"));
    page(&text, "maggi", |p| {
        p.equations_are(&[
            "(m1 + m2)*u1' + m1*l*u2^2 + k*u1",
            "m1*l^2*u2' - m1*l*u1*u2",
        ]);
        let nonideal = p.formulated.equations.nonideal.clone();
        p.is(Space::SpeedRates, &nonideal[0], "-k*u1");
        p.is(Space::SpeedRates, &nonideal[1], "0");
    });
}

/// Without constraints and speeds E is the identity, and the equations are Lagrange's.
#[test]
fn a_free_particle() {
    let text = "model plane\nparam m : kg > 0\nparam g : m/s^2\ncoord r : m > 0\ncoord phi : rad\nframe B = rotate(N, phi, N.z)\npoint P = O + r*B.x\nparticle A: mass m at P\ngravity: -g*N.y";
    page(text, "maggi", |p| {
        p.table_is(
            Space::Accelerations,
            "maggi_matrix",
            &[&["1", "0"], &["0", "1"]],
        );
        p.equations_are(&[
            "m*r'' - m*r*phi'^2 + m*g*sin(phi)",
            "m*r^2*phi'' + 2*m*r*r'*phi' + m*g*r*cos(phi)",
        ]);
    });
}

/// Where no choice of independent rates is good at every state, all stay, and the projection is on the null space of A.
#[test]
fn a_circle_has_no_good_chart() {
    let text = "model ring\nparam m : kg > 0\nparam l : m > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint ring: x^2 + y^2 = l^2";
    page(text, "maggi", |p| {
        assert_eq!(p.formulated.equations.closure, Some(Closure::NullSpace));
        p.equations_are(&["m*x''", "m*y''"]);
        // H's column for the row is A's right inverse on the chart, so its multiplier is that of the row.
        let table = p.table("maggi_multipliers");
        assert_eq!(table.rows, ["ring"]);
        let [mu] = table.entries.try_into().unwrap();
        // Of the motion m x'' = 2 x lambda, m y'' = 2 y lambda.
        let lambda = p.c.alg.base("lambda", Class::Multiplier, None);
        let lambda = p.c.alg.var(lambda);
        let mut motion = BTreeMap::new();
        for (v, text) in p.c.vars.rate_dots.clone().iter().zip(["2*x/m", "2*y/m"]) {
            motion.insert(*v, p.read(Space::Accelerations, text) * &lambda);
        }
        let mu = p.c.alg.restrict(&mu, &motion, &mut FxHashMap::default());
        assert!(p.c.alg.equal(&mu, &lambda), "{}", p.c.alg.text(&mu));
    });
}

#[test]
fn it_refuses_what_it_is_not_stated_for() {
    let free = "model m\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\n";
    for method in ["maggi", "boltzmann-hamel", "jourdain", "appell-reduced"] {
        let found = refused(&format!("{free}constraint c: x'^2 + y'^2 = z'^2"), method);
        assert_eq!(found.code, "E0500");
        assert!(found.title.contains(method), "{}", found.title);
        let found = refused(
            &format!("{free}constraint c: x'' + y'' = 1 [m/s^2]"),
            method,
        );
        assert_eq!(found.code, "E0501");
    }
}
