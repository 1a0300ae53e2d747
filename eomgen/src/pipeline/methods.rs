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

const METHODS: [MethodInfo; 4] = [
    MethodInfo {
        name: "kane",
        equation: "sum (m a - F).dv/du + sum (I.alpha + omega x I.omega - L).domega/du = 0",
        requirements: "any constraints; those nonlinear in the velocities are projected on the null space of A",
        result: "one equation per independent speed, from partial velocities",
    },
    MethodInfo {
        name: "gibbs-appell",
        equation: "dS/du' = R",
        requirements: "any constraints; those nonlinear in the velocities are projected on the null space of A",
        result: "one equation per independent speed, from the Gibbs function",
    },
    MethodInfo {
        name: "lagrange",
        equation: "d/dt(dT/dq') - dT/dq = Q + A^T lambda,  A q'' = b",
        requirements: "any constraints",
        result: "equations in the coordinates with multipliers (the smallest ones where rows are dependent)",
    },
    MethodInfo {
        name: "udwadia-kalaba",
        equation: "M q'' = F + A^T (A M^-1 A^T)^{1} (b - A a),  a = M^-1 F",
        requirements: "any constraints, dependent or nonlinear in the velocities; non-ideal parts allowed",
        result: "equations in the coordinates; constraint force split into its ideal and non-ideal parts",
    },
];
