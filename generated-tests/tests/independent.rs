//! The hand-written mechanisms of `gauss` against the reference numbers: the judge is judged first.

use generated_tests::compare::close;
use generated_tests::gauss::mechanisms::{Disc, Sleigh};
use generated_tests::gauss::{Mechanism, solve};
use generated_tests::reference::{Reference, load};

fn check(name: &str, mechanism: impl Fn(&Reference, &dyn Fn(&str) -> f64) -> Box<dyn Mechanism>) {
    let reference = load(name).unwrap();
    let param = |name: &str| reference.params.iter().find(|(n, _)| n == name).unwrap().1;
    let mechanism = mechanism(&reference, &param);
    for state in &reference.states {
        let found = solve(
            mechanism.as_ref(),
            state.t,
            &state.q,
            &state.qd,
            &state.inputs,
        );
        assert!(found.violation < 1e-14, "{}", found.violation);
        close("q''", &found.accelerations, &state.accelerations).unwrap();
        if let Some(wanted) = &state.constraint_force {
            close("constraint force", &found.constraint_force, wanted).unwrap();
        }
        let scalars = [
            (found.kinetic_energy, state.kinetic_energy, "T"),
            (found.potential_energy, state.potential_energy, "V"),
            (found.gibbs_function, state.gibbs_function, "S"),
        ];
        for (found, wanted, what) in scalars {
            if let Some(wanted) = wanted {
                close(what, &[found], &[wanted]).unwrap();
            }
        }
        for (found, wanted) in found
            .mass_matrix
            .iter()
            .zip(state.mass_matrix.iter().flatten())
        {
            close("M", found, wanted).unwrap();
        }
    }
}

#[test]
fn rolling_disc() {
    check("disc", |_, p| {
        Box::new(Disc {
            m: p("m"),
            r: p("r"),
            g: p("g"),
        })
    });
}

#[test]
fn sleigh() {
    check("e4_sleigh", |_, p| {
        Box::new(Sleigh {
            m: [p("m1"), p("m2")],
            l: p("l"),
        })
    });
}
