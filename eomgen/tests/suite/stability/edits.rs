//! Edits of models as people make them.

/// An edit.
pub struct Edit {
    /// The model's name.
    pub model: &'static str,
    /// The formulation.
    pub method: &'static str,
    /// What is done.
    pub name: &'static str,
    /// What is replaced, everywhere in the text.
    pub text: &'static [(&'static str, &'static str)],
    /// Names that change.
    pub renamed: &'static [(&'static str, &'static str)],
    /// Quantities that are asked for afterwards.
    pub outputs: &'static [&'static str],
}

const fn edit(
    model: &'static str,
    name: &'static str,
    text: &'static [(&'static str, &'static str)],
) -> Edit {
    Edit {
        model,
        method: "kane",
        name,
        text,
        renamed: &[],
        outputs: &[],
    }
}

const fn by(method: &'static str, edit: Edit) -> Edit {
    Edit { method, ..edit }
}

const fn renaming(edit: Edit) -> Edit {
    Edit {
        renamed: edit.text,
        ..edit
    }
}

pub const EDITS: &[Edit] = &[
    renaming(edit(
        "double_pendulum",
        "rename a parameter",
        &[("m1", "mass1")],
    )),
    renaming(edit(
        "double_pendulum",
        "rename a coordinate",
        &[("theta2", "phi")],
    )),
    edit(
        "double_pendulum",
        "add a damper",
        &[(
            "gravity: -g*N.y",
            "gravity: -g*N.y\nparam c = 0.1 : N*m*s\ngeneralized theta2: -c*theta2'",
        )],
    ),
    edit(
        "double_pendulum",
        "change a default",
        &[("m2 = 0.6", "m2 = 0.7")],
    ),
    by(
        "lagrange",
        edit(
            "double_pendulum",
            "change a mass",
            &[("bob2: mass m2", "bob2: mass 2*m2")],
        ),
    ),
    edit(
        "double_pendulum",
        "add an output",
        &[(
            "gravity: -g*N.y",
            "gravity: -g*N.y\noutput speed = dot(vel(P2), B.x)",
        )],
    ),
    by(
        "lagrange",
        edit(
            "double_pendulum",
            "add a body",
            &[(
                "gravity: -g*N.y",
                "param m3 = 0.2 : kg\npoint M3 = O - l1/2*A.y\nparticle middle: mass m3 at M3\ngravity: -g*N.y",
            )],
        ),
    ),
    edit(
        "double_pendulum",
        "declare the second rod before the first",
        &[
            ("frame A = rotate(N, theta1, N.z)\n", ""),
            (
                "frame B = rotate(N, theta2, N.z)\n",
                "frame B = rotate(N, theta2, N.z)\nframe A = rotate(N, theta1, N.z)\n",
            ),
        ],
    ),
    edit(
        "sleigh_ref",
        "add a force",
        &[(
            "generalized x: tau_x",
            "param c = 0.1 : N*s/m\nforce on P2: -c*vel(P2)\ngeneralized x: tau_x",
        )],
    ),
    edit(
        "sleigh_ref",
        "tighten a constraint",
        &[(
            "constraint blade: dot(vel(P2), B.y) = 0",
            "constraint blade: dot(vel(P2), B.y) = 0\nconstraint guide: y' = 0",
        )],
    ),
    edit(
        "sleigh_ref",
        "let the blade slip",
        &[(
            "constraint blade: dot(vel(P2), B.y) = 0",
            "param slip = 0.1 : m/s\nconstraint blade: dot(vel(P2), B.y) = slip",
        )],
    ),
    edit(
        "crane",
        "exchange two bodies",
        &[
            ("particle K1: mass mx - my at bridge\n", ""),
            (
                "particle K2: mass my at trolley\n",
                "particle K2: mass my at trolley\nparticle K1: mass mx - my at bridge\n",
            ),
        ],
    ),
    edit(
        "crane",
        "exchange two parameters",
        &[
            ("param g = 9.81 : m/s^2\n", ""),
            (
                "param Dx = 0.5, Dy = 0.4, Dl = 0.3 : N*s/m\n",
                "param Dx = 0.5, Dy = 0.4, Dl = 0.3 : N*s/m\nparam g = 9.81 : m/s^2\n",
            ),
        ],
    ),
    Edit {
        outputs: &["maggi_matrix"],
        ..by("maggi", edit("sleigh_ref", "ask for a matrix", &[]))
    },
    renaming(edit("crane", "rename a parameter", &[("ml", "hoisted")])),
    edit(
        "crane",
        "add wind",
        &[(
            "force on load: -m*g*N.z",
            "param wind = 3 : N\nforce on load: wind*N.x\nforce on load: -m*g*N.z",
        )],
    ),
    edit(
        "furuta",
        "take a damper away",
        &[("tau2 - b2*theta2'", "tau2")],
    ),
    edit(
        "furuta",
        "change an inertia",
        &[("[J2, J2, J2x]", "[J2, J2x, J2x]")],
    ),
    renaming(edit("acrobot", "rename a coordinate", &[("q2", "elbow")])),
    edit(
        "acrobot",
        "add a spring",
        &[(
            "gravity: -g*N.y",
            "gravity: -g*N.y\nparam k = 3 : N*m\ntorque on lower, opposite on upper: -k*q2*N.z",
        )],
    ),
    edit(
        "quadrotor",
        "add drag",
        &[(
            "gravity: -g*N.z",
            "gravity: -g*N.z\nparam c = 0.1 : N*s/m\nforce on G: -c*vel(G)",
        )],
    ),
    edit(
        "quadrotor",
        "add a load",
        &[(
            "gravity: -g*N.z",
            "param mp = 0.1 : kg\nparam h = 0.1 : m\npoint H = G - h*B.z\nparticle pack: mass mp at H\ngravity: -g*N.z",
        )],
    ),
    edit(
        "ball_and_beam",
        "add friction",
        &[(
            "gravity: -G*N.y",
            "gravity: -G*N.y\nparam c = 0.01 : N*m*s\ngeneralized theta: -c*theta'",
        )],
    ),
    edit(
        "four_bar",
        "add a motor",
        &[(
            "privileged q1'",
            "input tau : N*m\ngeneralized q1: tau\nprivileged q1'",
        )],
    ),
    edit(
        "segway",
        "damp the tilt",
        &[(
            "gravity: -g*N.z",
            "gravity: -g*N.z\nparam c = 0.01 : N*m*s\ngeneralized alpha: -c*alpha'",
        )],
    ),
    edit(
        "segway",
        "change a mass",
        &[(
            "body pendulum: frame B, mass mB",
            "body pendulum: frame B, mass 2*mB",
        )],
    ),
    edit(
        "scara",
        "add friction",
        &[(
            "generalized q2: t2",
            "param c = 0.2 : N*m*s\ngeneralized q2: t2 - c*q2'",
        )],
    ),
    edit(
        "scara",
        "add a payload",
        &[(
            "body tool: frame D, mass m4",
            "param load = 1 : kg\nbody tool: frame D, mass m4 + load",
        )],
    ),
    edit(
        "roller_racer",
        "add a spring",
        &[(
            "constraint rear:",
            "param k = 0.4 : N*m\ngeneralized phi: -k*phi\nconstraint rear:",
        )],
    ),
    edit(
        "roller_racer",
        "add rolling friction",
        &[(
            "constraint rear:",
            "param c = 0.4 : N*s/m\nforce on P: -c*vel(P)\nconstraint rear:",
        )],
    ),
    edit(
        "slider_crank",
        "add a damper",
        &[(
            "torque on crank: alpha2*N.y",
            "torque on crank: alpha2*N.y\nparam c = 0.4 : N*m*s\ngeneralized q1: -c*q1'",
        )],
    ),
    edit(
        "slider_crank",
        "add a spring",
        &[(
            "torque on crank: alpha2*N.y",
            "torque on crank: alpha2*N.y\nparam k = 40 : N/m\nspring gas: from O to Q, stiffness k, length b",
        )],
    ),
    edit(
        "knife_edge",
        "add drag",
        &[(
            "constraint blade:",
            "param c = 0.4 : N*s/m\nforce on C: -c*vel(C)\nconstraint blade:",
        )],
    ),
    edit(
        "four_bar",
        "add a damper",
        &[(
            "constraint loop:",
            "param c = 0.1 : N*m*s\ngeneralized q2: -c*q2'\nconstraint loop:",
        )],
    ),
    edit(
        "four_bar",
        "change a mass",
        &[(
            "body link3: frame B3, mass rho*l3,",
            "body link3: frame B3, mass 2*rho*l3,",
        )],
    ),
    edit(
        "crane",
        "add a spring",
        &[(
            "force on load: -m*g*N.z",
            "param k = 3 : N*m\ngeneralized tx: -k*tx\nforce on load: -m*g*N.z",
        )],
    ),
    edit(
        "furuta",
        "add a spring",
        &[(
            "gravity: -g*N.z",
            "gravity: -g*N.z\nparam k = 3 : N*m\ngeneralized theta1: -k*theta1",
        )],
    ),
    edit(
        "disc",
        "add a damper",
        &[(
            "generalized th: tau_th",
            "param c = 0.1 : N*m*s\ngeneralized th: tau_th - c*th'",
        )],
    ),
    edit(
        "disc",
        "add a spring",
        &[(
            "generalized phi: tau_phi",
            "param k = 0.1 : N*m\ngeneralized phi: tau_phi - k*phi",
        )],
    ),
    edit(
        "bead_on_hoop",
        "add friction",
        &[(
            "gravity: -g*N.z",
            "gravity: -g*N.z\nparam c = 0.1 : N*m*s\ngeneralized theta: -c*theta'",
        )],
    ),
    edit(
        "gyropendulum",
        "add a damper",
        &[(
            "gravity: -g*N.z",
            "gravity: -g*N.z\nparam c = 0.1 : N*m*s\ngeneralized phi: -c*phi'",
        )],
    ),
    edit(
        "rigid_body",
        "add drag",
        &[(
            "gravity: -g*N.z",
            "gravity: -g*N.z\nparam k = 0.1 : N*s/m\nforce on G: -k*vel(G)",
        )],
    ),
    edit(
        "reaction_wheel_pendulum",
        "add a damper",
        &[(
            "gravity: -g*N.y",
            "gravity: -g*N.y\nparam c = 0.1 : N*m*s\ngeneralized q1: -c*q1'",
        )],
    ),
];
