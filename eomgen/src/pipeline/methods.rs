//! The formulations by name, for `eomgen methods` and for checking `--method`.

/// One formulation as a user sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodInfo {
    /// What `--method` takes.
    pub name: &'static str,
    /// The equation it solves, in plain characters.
    pub equation: &'static str,
    /// What the model must fulfil.
    pub requirements: &'static str,
    /// What it gives beyond the accelerations.
    pub result: &'static str,
}

/// All formulations, in the order of the manual.
pub fn methods() -> Vec<MethodInfo> {
    METHODS.to_vec()
}

const METHODS: [MethodInfo; 9] = [
    MethodInfo {
        name: "udwadia-kalaba",
        equation: "M q'' = F + A^T (A M^-1 A^T)^{1} (b - A a),  a = M^-1 F",
        requirements: "any constraints, dependent or nonlinear in the velocities; non-ideal parts allowed",
        result: "constraint force split into its ideal and non-ideal parts",
    },
    MethodInfo {
        name: "explicit-gibbs-appell",
        equation: "[Ae Ai; 0 Mii + R^T Mee R - Mie R - R^T Mei] q'' = [b; Fi - R^T Fe + (R^T Mee - Mie) d]",
        requirements: "a choice of eliminated columns Ae of full rank (see --dependent)",
        result: "independent accelerations first, and the condition under which the choice fails",
    },
    MethodInfo {
        name: "lagrange",
        equation: "d/dt(dT/dq') - dT/dq = Q + A^T lambda,  A q'' = b",
        requirements: "any constraints",
        result: "multipliers (the smallest ones where rows are dependent)",
    },
    MethodInfo {
        name: "maggi",
        equation: "E^T (d/dt(dT/dq') - dT/dq - Q) = 0,  q' = E e + e0",
        requirements: "constraints linear in the velocities",
        result: "one equation per degree of freedom, no multipliers",
    },
    MethodInfo {
        name: "boltzmann-hamel",
        equation: "d/dt(dTbar/du) - H^T dTbar/dq + sum gamma u dTbar/du = R",
        requirements: "constraints linear in the velocities",
        result: "transposition coefficients; rows of constrained speeds give constraint forces",
    },
    MethodInfo {
        name: "gibbs-appell",
        equation: "dS/du' = R",
        requirements: "any constraints",
        result: "the Gibbs function",
    },
    MethodInfo {
        name: "kane",
        equation: "sum (m a - F).dv/du + sum (I.alpha + omega x I.omega - L).domega/du = 0",
        requirements: "any constraints",
        result: "partial velocities; one equation per degree of freedom",
    },
    MethodInfo {
        name: "jourdain",
        equation: "C^T (M q'' - F) = 0,  q' = C Y + c",
        requirements: "constraints linear in the velocities; privileged velocities Y",
        result: "cyclic coordinates found, reduced equations",
    },
    MethodInfo {
        name: "newton-euler",
        equation: "m a = sum of forces,  I.alpha + omega x I.omega = sum of torques,  A q'' = b",
        requirements: "any constraints",
        result: "every reaction by name",
    },
];
