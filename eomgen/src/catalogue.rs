//! What there is to choose from: the formulations and the quantities that can be asked for by name, as plain data for lists, messages
//! and the manual. Knows nothing of how any of it is derived; `form` and `assemble` are held against it by a test.

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

/// A quantity that can be asked for by name, beyond those that every module has.
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
}

/// Variants of formulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Which generalized inverse the Udwadia-Kalaba equation takes.
    pub inverse: Inverse,
    /// Which of Wang and Pao's ways the Jourdain equation takes.
    pub route: Route,
}

/// A generalized inverse (Udwadia & Kalaba 1998, 24-26). The accelerations do not depend on the choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inverse {
    /// Of `A M^-1/2`, the inverse of all four Penrose conditions.
    MoorePenrose,
    /// Of `A M^-1/2`, any inverse of the first and fourth condition.
    OneFour,
    /// Of `G = A M^-1 A^T`, any inverse of the first condition.
    #[default]
    One,
}

/// A way to the equations in privileged velocities (Wang & Pao, section III).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// The variational equation itself.
    #[default]
    Variational,
    /// Appell's equation in generalized coordinates, with C (52).
    Coordinates,
    /// Appell's equation in quasi-velocities (56).
    QuasiVelocities,
}

impl Inverse {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::MoorePenrose, Self::OneFour, Self::One];

    /// What `--inverse` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::MoorePenrose => "moore-penrose",
            Self::OneFour => "one-four",
            Self::One => "one",
        }
    }
}

impl Route {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Variational, Self::Coordinates, Self::QuasiVelocities];

    /// What `--route` takes: Wang and Pao's numbers of their methods.
    pub fn name(self) -> &'static str {
        match self {
            Self::Variational => "I",
            Self::Coordinates => "II",
            Self::QuasiVelocities => "III",
        }
    }
}

/// The formulations, in the order of the manual.
pub const METHODS: &[Method] = &[
    Method {
        name: "newton-euler",
        equation: "m a = F + R,  I.alpha + omega x I.omega = L + T,  A q'' = b",
        requirements: "any constraints; inertia stated by particles and bodies, not as a kinetic energy",
        result: "balances of momentum of every body, with every reaction an unknown that has a name",
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
        name: "lagrange",
        equation: "d/dt(dT/dq') - dT/dq = Q + A^T lambda,  A q'' = b",
        requirements: "any constraints",
        result: "equations in the coordinates with multipliers (the smallest ones where rows are dependent)",
        outputs: &[],
    },
    Method {
        name: "udwadia-kalaba",
        equation: "M q'' = F + A^T (A M^-1 A^T)^{1} (b - A a),  a = M^-1 F",
        requirements: "any constraints, dependent or nonlinear in the velocities; non-ideal parts allowed",
        result: "equations in the coordinates; constraint force split into its ideal and non-ideal parts",
        outputs: &[],
    },
];

/// The quantities that can be asked for, in the order in which they are listed. Those that no method names in its `outputs` belong to
/// every formulation.
pub const OUTPUTS: &[Quantity] = &[
    Quantity {
        name: "balance_matrix",
        symbol: "",
        docs: "Coefficients of the accelerations q'' and of all reactions in the balances of momentum, one row per balance, and in the constraints, one row per scalar constraint.",
        source: "OR 2.11",
    },
    Quantity {
        name: "balance_rhs",
        symbol: "",
        docs: "Right-hand sides that belong to `balance_matrix`: loads less the terms free of q'', and b.",
        source: "OR 2.11",
    },
    Quantity {
        name: "reactions",
        symbol: "",
        docs: "All reactions: the multipliers of the constraint rows, the declared reactions, and the components along which bodies are held.",
        source: "OR 2.10-2.11",
    },
];

/// The formulation of that name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}

/// The quantity of that name.
pub fn output(name: &str) -> Option<&'static Quantity> {
    OUTPUTS.iter().find(|o| o.name == name)
}

/// The formulations that have a quantity: all of them unless some claim it.
pub fn methods_with(output: &str) -> Vec<&'static str> {
    let claims = |m: &&Method| m.outputs.contains(&output);
    match METHODS.iter().any(|m| claims(&m)) {
        true => METHODS.iter().filter(claims).map(|m| m.name).collect(),
        false => METHODS.iter().map(|m| m.name).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claimed_output_is_listed_once() {
        for m in METHODS {
            for o in m.outputs {
                assert!(output(o).is_some(), "{} claims {o}", m.name);
            }
        }
        for (i, o) in OUTPUTS.iter().enumerate() {
            assert!(OUTPUTS[..i].iter().all(|p| p.name != o.name), "{}", o.name);
        }
    }
}
