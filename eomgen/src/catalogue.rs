//! What can be chosen: the formulations, the quantities that can be requested by name, and the options with their words, as
//! plain data for lists, messages and the manual. Knows nothing of how any of it is derived; a test compares `form` and `program` with it.

pub mod asked;
mod choices;
mod general;
mod identification;
mod kinematic;
pub mod options;

pub use choices::{Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant};
pub use general::{ALL_STANDARD, DEFAULT, GENERAL, ROUTINES, STANDARD};
pub use identification::IDENTIFICATION;
pub use kinematic::KINEMATIC;

/// One formulation as a user sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// What `--method` takes.
    pub name: &'static str,
    /// The equation it solves, in plain characters.
    pub equation: &'static str,
    /// What the model must fulfil.
    pub requirements: &'static str,
    /// What it gives beyond the accelerations.
    pub result: &'static str,
    /// Quantities of [`OUTPUTS`] that only this formulation (and others that list it) has.
    pub outputs: &'static [&'static str],
}

/// A quantity that can be requested by name, beyond those that every module has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// What `--output` takes, and the name of the generated function: `tangent_projector`.
    pub name: &'static str,
    /// How the sources write it: `N`.
    pub symbol: &'static str,
    /// What it is: one sentence with its shape, for the generated documentation.
    pub docs: &'static str,
    /// Where it is defined: `UK02 43-46`.
    pub source: &'static str,
    /// What it is of.
    pub of: Place,
}

/// What a quantity is of, and so what stands in parentheses behind its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole machine: nothing.
    Machine,
    /// A point, or a body for its mass centre.
    Point,
    /// A frame, or a rigid body for its frame.
    Frame,
    /// A frame and a point, or a rigid body for both.
    Pose,
    /// A point, or a frame and a point.
    Either,
    /// Inputs, one or several.
    Inputs,
}

/// The formulations, in the order of the manual.
pub const METHODS: &[Method] = &[
    Method {
        name: "newton-euler",
        equation: "m a = F + R,  I.alpha + omega x I.omega = L + T,  A q'' = b",
        requirements: "any constraints; inertia stated by particles and bodies, not as a kinetic energy",
        result: "momentum balances of every body, with every reaction as a named unknown",
        outputs: &["balance_matrix", "balance_rhs", "reactions"],
    },
    Method {
        name: "kane",
        equation: "sum (m a - F).dv/du + sum (I.alpha + omega x I.omega - L).domega/du = 0",
        requirements: "any constraints; those nonlinear in the velocities are projected on the null space of A",
        result: "one equation per independent speed, from partial velocities",
        outputs: &[],
    },
    Method {
        name: "gibbs-appell",
        equation: "dS/du' = R",
        requirements: "any constraints; those nonlinear in the velocities are projected on the null space of A",
        result: "one equation per independent speed, from the Gibbs function",
        outputs: &[],
    },
    Method {
        name: "explicit-gibbs-appell",
        equation: "(Mii + R^T Mee R - Mie R - R^T Mei) qi'' = Fi - R^T Fe + (R^T Mee - Mie) d,  Ae qe'' + Ai qi'' = b,  R = Ae^+ Ai,  d = Ae^+ b",
        requirements: "any constraints, redundant or nonlinear in the velocities; no loads that depend on reactions; a choice of dependent accelerations that is valid at the state",
        result: "as many equations, in accelerations, as degrees of freedom; the dependent accelerations are chosen automatically, switched at run time if no choice is valid everywhere, or set by --dependent",
        outputs: &[
            "chart_matrix",
            "chart_complement",
            "chart_in_use",
            "explicit_reduction",
            "explicit_drift",
            "explicit_matrix",
            "explicit_rhs",
            "explicit_gibbs_function",
        ],
    },
    Method {
        name: "lagrange",
        equation: "d/dt(dT/dq') - dT/dq = Q + A^T lambda,  A q'' = b",
        requirements: "any constraints",
        result: "equations in the coordinates with multipliers (minimum-norm if rows are redundant, and the family of all)",
        outputs: &["multiplier_family"],
    },
    Method {
        name: "maggi",
        equation: "E^T [d/dt(dT/dq') - dT/dq - Q] = 0,  q' = E e + e0",
        requirements: "constraints linear in the velocities",
        result: "one equation per independent speed, from Lagrange's operator; multipliers by the columns of H",
        outputs: &[
            "maggi_matrix",
            "maggi_drift",
            "maggi_multiplier_matrix",
            "maggi_multiplier_forcing",
            "maggi_multipliers",
            "quasi_velocity_matrix",
            "quasi_velocity_drift",
            "inverse_quasi_velocity_matrix",
        ],
    },
    Method {
        name: "boltzmann-hamel",
        equation: "d/dt(dTbar/du_K) - H_LK dTbar/dq_L + (gamma^M_KN u_N + gamma^M_K0) dTbar/du_M = R_K",
        requirements: "constraints linear in the velocities",
        result: "one equation per independent speed, from T in quasi-velocities; constraint forces by the rows of the others",
        outputs: &[
            "quasi_velocity_matrix",
            "quasi_velocity_drift",
            "inverse_quasi_velocity_matrix",
            "transposition_coefficients",
            "transposition_drift",
            "constraint_reactions_in_quasi_velocities",
        ],
    },
    Method {
        name: "jourdain",
        equation: "sum (m a - F).dv + sum (I.alpha + omega x I.omega - L).domega = 0,  q' = C Y + c",
        requirements: "constraints linear in the velocities",
        result: "one equation per privileged velocity, by one of three derivations (`--route`)",
        outputs: &[
            "privileged_constraint_matrix",
            "privileged_constraint_drift",
            "privileged_matrix",
            "privileged_drift",
        ],
    },
    Method {
        name: "appell-reduced",
        equation: "sum_K C_Ks (dS/dq''_K - Q_K) = 0,  q' = C Y + c",
        requirements: "constraints linear in the velocities",
        result: "a system without the cyclic coordinates, and the quadratures that give them",
        outputs: &[
            "reduced_derivative",
            "quadratures",
            "privileged_constraint_matrix",
            "privileged_constraint_drift",
            "privileged_matrix",
            "privileged_drift",
        ],
    },
    Method {
        name: "udwadia-kalaba",
        equation: "M q'' = F + A^T (A M^-1 A^T)^{1} (b - A a),  a = M^-1 F",
        requirements: "any constraints, redundant or nonlinear in the velocities; non-ideal parts allowed",
        result: "equations in the coordinates; constraint force split into its ideal and non-ideal parts",
        outputs: &["generalized_inverse"],
    },
];

/// The quantities of formulations that can be requested, in the order in which they are listed; those that no method names in its
/// `outputs` belong to every formulation, as those of [`GENERAL`] do.
pub const OUTPUTS: &[Quantity] = &[
    // Lagrange.
    Quantity {
        name: "multiplier_family",
        symbol: "null(A^T)",
        docs: "Basis of the null space of `A^T`, m x (m - r), a column for each redundant row: adding any linear combination of the columns to the multipliers gives the same constraint force.",
        source: "U96 42",
        of: Place::Machine,
    },
    Quantity {
        name: "balance_matrix",
        symbol: "",
        docs: "Coefficients of the accelerations q'' and of all reactions in the momentum balances, one row per balance, and in the constraints, one row per scalar constraint.",
        source: "OR 2.11",
        of: Place::Machine,
    },
    Quantity {
        name: "balance_rhs",
        symbol: "",
        docs: "Right-hand sides that belong to `balance_matrix`: loads less the terms free of q'', and b.",
        source: "OR 2.11",
        of: Place::Machine,
    },
    Quantity {
        name: "reactions",
        symbol: "",
        docs: "All reactions: the multipliers of the constraint rows, the declared reactions, and the generated reactions.",
        source: "OR 2.10-2.11",
        of: Place::Machine,
    },
    Quantity {
        name: "maggi_matrix",
        symbol: "E",
        docs: "Matrix E of the admissible velocities `q' = E e + e0`: coordinates by independent speeds.",
        source: "OR 2.15",
        of: Place::Machine,
    },
    Quantity {
        name: "maggi_drift",
        symbol: "e0",
        docs: "Drift e0, due to time, of the admissible velocities `q' = E e + e0`: one entry per coordinate.",
        source: "OR 2.15",
        of: Place::Machine,
    },
    Quantity {
        name: "maggi_multiplier_matrix",
        symbol: "H_c^T M",
        docs: "Coefficients of q'' in Maggi's equations for the columns of H that belong to constrained quasi-velocities, `mu = maggi_multiplier_matrix q'' - maggi_multiplier_forcing`: independent constraint rows by coordinates.",
        source: "OR 2.16-2.17",
        of: Place::Machine,
    },
    Quantity {
        name: "maggi_multiplier_forcing",
        symbol: "H_c^T (Q + C - h)",
        docs: "Terms without q'' in Maggi's equations for the columns of H that belong to constrained quasi-velocities, `mu = maggi_multiplier_matrix q'' - maggi_multiplier_forcing`: one entry per independent constraint row.",
        source: "OR 2.16-2.17",
        of: Place::Machine,
    },
    Quantity {
        name: "maggi_multipliers",
        symbol: "mu",
        docs: "Multipliers of the independent constraint rows from Maggi's extended equations; they include the share of redundant rows.",
        source: "OR 2.16-2.17",
        of: Place::Machine,
    },
    Quantity {
        name: "quasi_velocity_matrix",
        symbol: "J",
        docs: "Matrix J of the quasi-velocities `u = J q' + j`, those prescribed by constraints last: quasi-velocities by coordinates. (The transpose in the source's index order.)",
        source: "OR 2.18",
        of: Place::Machine,
    },
    Quantity {
        name: "quasi_velocity_drift",
        symbol: "j",
        docs: "Terms without q' in the quasi-velocities `u = J q' + j`: one entry per quasi-velocity.",
        source: "OR 6.10",
        of: Place::Machine,
    },
    Quantity {
        name: "inverse_quasi_velocity_matrix",
        symbol: "H",
        docs: "Matrix H of `q' = H (u - j)`, the inverse of J: coordinates by quasi-velocities, those prescribed by constraints last.",
        source: "OR 2.18",
        of: Place::Machine,
    },
    Quantity {
        name: "transposition_coefficients",
        symbol: "gamma^M_KN",
        docs: "Transposition (Hamel) coefficients `gamma^M_KN` of the quasi-velocities, antisymmetric in K and N: rows M, columns by K and then N, so that entry (M, K*n + N) multiplies `u_N dTbar/du_M` in row K of the equations.",
        source: "OR 2.20-2.22",
        of: Place::Machine,
    },
    Quantity {
        name: "transposition_drift",
        symbol: "gamma^M_K0",
        docs: "Transposition coefficients `gamma^M_K0` of quasi-velocities that depend on time: rows M, columns K, so that entry (M, K) multiplies `dTbar/du_M` in row K of the equations.",
        source: "OR 6.10",
        of: Place::Machine,
    },
    Quantity {
        name: "constraint_reactions_in_quasi_velocities",
        symbol: "mu",
        docs: "Constraint forces from the Boltzmann-Hamel equations of the constrained quasi-velocities, one per independent constraint row; they include the share of redundant rows.",
        source: "OR 2.22, 6.10",
        of: Place::Machine,
    },
    Quantity {
        name: "privileged_constraint_matrix",
        symbol: "D",
        docs: "Matrix D of the linear constraints `D q' + d = 0`: independent rows by coordinates.",
        source: "WP III",
        of: Place::Machine,
    },
    Quantity {
        name: "privileged_constraint_drift",
        symbol: "d",
        docs: "Terms without q' in the linear constraints `D q' + d = 0`: one entry per independent row.",
        source: "WP III",
        of: Place::Machine,
    },
    Quantity {
        name: "privileged_matrix",
        symbol: "C",
        docs: "Matrix C of the rates in privileged velocities, `q' = C Y + c`: coordinates by privileged velocities.",
        source: "WP 34",
        of: Place::Machine,
    },
    Quantity {
        name: "privileged_drift",
        symbol: "c",
        docs: "Drift c, due to time, of the rates in privileged velocities, `q' = C Y + c`: one entry per coordinate.",
        source: "WP 34",
        of: Place::Machine,
    },
    Quantity {
        name: "reduced_derivative",
        symbol: "(q_r', Y')",
        docs: "Rates of the coordinates that are not cyclic and of the speeds of the state, which do not depend on cyclic coordinates.",
        source: "WP III.C",
        of: Place::Machine,
    },
    Quantity {
        name: "quadratures",
        symbol: "q_c'",
        docs: "Rates of the cyclic coordinates, to be integrated after the reduced system.",
        source: "WP III.C",
        of: Place::Machine,
    },
    // Explicit Gibbs-Appell.
    Quantity {
        name: "generalized_inverse",
        symbol: "B^{1,4}, G^{1}",
        docs: "The generalized inverse used: of `scaled_constraint_matrix` B, n x m, by `--inverse moore-penrose` and `one-four`; of `constraint_gram_matrix` G, m x m, by `--inverse one`.",
        source: "UK98 24-26; U96 11-12",
        of: Place::Machine,
    },
    Quantity {
        name: "chart_matrix",
        symbol: "Ae",
        docs: "Columns of A that belong to the eliminated accelerations, m x r, all rows.",
        source: "U96 18; UK98 37",
        of: Place::Machine,
    },
    Quantity {
        name: "chart_complement",
        symbol: "Ai",
        docs: "Columns of A that belong to the independent accelerations, m x (n - r), all rows.",
        source: "U96 18; UK98 37",
        of: Place::Machine,
    },
    Quantity {
        name: "chart_in_use",
        symbol: "k",
        docs: "Number of the choice of dependent accelerations (chart) in use at this state, from 0, in the order of the header.",
        source: "U96 18",
        of: Place::Machine,
    },
    Quantity {
        name: "explicit_reduction",
        symbol: "R",
        docs: "R = Ae^+ Ai of `qe'' = d - R qi''`, r x (n - r).",
        source: "U96 20; UK98 37",
        of: Place::Machine,
    },
    Quantity {
        name: "explicit_drift",
        symbol: "d",
        docs: "d = Ae^+ b of `qe'' = d - R qi''`, r entries.",
        source: "U96 20; UK98 37",
        of: Place::Machine,
    },
    Quantity {
        name: "explicit_matrix",
        symbol: "Mii + R^T Mee R - Mie R - R^T Mei",
        docs: "Matrix of the explicit Gibbs-Appell equation in the independent accelerations, (n - r) x (n - r).",
        source: "U96 27; UK98 18, 37",
        of: Place::Machine,
    },
    Quantity {
        name: "explicit_rhs",
        symbol: "Fi - R^T Fe + (R^T Mee - Mie) d",
        docs: "Right-hand side of the explicit Gibbs-Appell equation, n - r entries; a prescribed vector C is part of F.",
        source: "U96 27; UK98 18, 37",
        of: Place::Machine,
    },
    Quantity {
        name: "explicit_gibbs_function",
        symbol: "Ss",
        docs: "Half of `q''^T M q''` in the independent accelerations alone; its derivatives with respect to them are `explicit_matrix qi'' - (R^T Mee - Mie) d`.",
        source: "U96 23-25; UK98 10-12",
        of: Place::Machine,
    },
];

/// All quantities that can be requested: those that every formulation has, then those of single ones.
pub fn to_ask_for() -> impl Iterator<Item = &'static Quantity> {
    let own = KINEMATIC.iter().chain(IDENTIFICATION);
    GENERAL.iter().chain(own).chain(OUTPUTS)
}

/// Everything that `--output` takes by name.
pub fn all() -> impl Iterator<Item = &'static Quantity> {
    to_ask_for().chain(ROUTINES).chain(STANDARD)
}

/// The quantity that is derived where one of this name is asked for: `discretized` is text around another one.
#[must_use]
pub fn derived_for(name: &str) -> &str {
    match name {
        "discretized" => "linearization_reduced",
        name => name,
    }
}

/// The quantity of that name, be it one that every module has or one that is requested.
pub fn output(name: &str) -> Option<&'static Quantity> {
    all().find(|o| o.name == name)
}

/// A source with its authors written out: `Udwadia & Kalaba 2002, 43-46` for `UK02 43-46`.
pub fn citation(source: &str) -> String {
    const AUTHORS: [(&str, &str); 5] = [
        ("U96", "Udwadia 1996"),
        ("UK98", "Udwadia & Kalaba 1998"),
        ("UK02", "Udwadia & Kalaba 2002"),
        ("OR", "O'Reilly et al."),
        ("WP", "Wang & Pao 2003"),
    ];
    let written = |one: &str| {
        let (letters, place) = one.split_once(' ').unwrap_or((one, ""));
        match AUTHORS.iter().find(|a| a.0 == letters) {
            Some((_, authors)) if place.is_empty() => (*authors).to_string(),
            Some((_, authors)) => format!("{authors}, {place}"),
            None => one.to_string(),
        }
    };
    let list: Vec<String> = source.split("; ").map(written).collect();
    list.join("; ")
}

const fn quantity(
    name: &'static str,
    symbol: &'static str,
    docs: &'static str,
    source: &'static str,
) -> Quantity {
    Quantity {
        name,
        symbol,
        docs,
        source,
        of: Place::Machine,
    }
}

/// The formulations that have a quantity: all of them unless some claim it.
pub fn methods_with(output: &str) -> Vec<&'static str> {
    let claims = |m: &&Method| m.outputs.contains(&output);
    if METHODS.iter().any(|m| claims(&m)) {
        METHODS.iter().filter(claims).map(|m| m.name).collect()
    } else {
        METHODS.iter().map(|m| m.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_written_out() {
        assert_eq!(citation("UK02 43-46"), "Udwadia & Kalaba 2002, 43-46");
        assert_eq!(
            citation("OR 2.23; WP 17"),
            "O'Reilly et al., 2.23; Wang & Pao 2003, 17"
        );
    }

    #[test]
    fn every_claimed_output_is_listed_once() {
        for m in METHODS {
            for o in m.outputs {
                assert!(output(o).is_some(), "{} claims {o}", m.name);
            }
        }
        let all: Vec<&Quantity> = all().collect();
        for (i, o) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|p| p.name != o.name), "{}", o.name);
        }
    }
}
