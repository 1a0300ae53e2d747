//! The equations to the letter: as close to what the sources print as the order of terms and common factors allow.

use generated_tests::harness::derived;

/// OR 2.22, 2.26 and 2.27.
#[test]
fn sleigh() {
    for (model, method) in [
        ("e4_sleigh", "gibbs-appell"),
        ("e4_sleigh_speeds", "gibbs-appell"),
        ("e4_sleigh", "kane"),
        ("e4_sleigh", "maggi"),
        ("e4_sleigh", "boltzmann-hamel"),
        ("e4_sleigh_speeds", "boltzmann-hamel"),
        ("e4_sleigh", "jourdain"),
    ] {
        let evaluator = derived(model, method).unwrap();
        let doc = evaluator.documentation();
        let equations = [
            "(m1 + m2)*u1' + m1*l*u2^2 = 0",
            "l*u2' - u1*u2 = 0  (divided by m1*l)",
        ];
        assert_eq!(doc.equations, equations, "{model}, {method}");
        let accelerations = ["u1' = -m1*l*u2^2/(m1 + m2)", "u2' = u1*u2/l"];
        assert_eq!(doc.accelerations, accelerations, "{model}, {method}");
        assert_eq!(evaluator.conditions(), [""; 0], "{model}, {method}");
    }
}

/// OR 2.14 (Lagrange's equations of the first kind), sorted by second derivatives.
#[test]
fn sleigh_by_lagrange() {
    let evaluator = derived("e4_sleigh", "lagrange").unwrap();
    let wanted = [
        "(m1 + m2)*x'' - m2*l*sin(theta)*theta'' - m2*l*cos(theta)*theta'^2 = -sin(theta)*lambda[blade]",
        "(m1 + m2)*y'' + m2*l*cos(theta)*theta'' - m2*l*sin(theta)*theta'^2 = cos(theta)*lambda[blade]",
        "m2*cos(theta)*y'' - m2*sin(theta)*x'' + m2*l*theta'' = lambda[blade]  (divided by l)",
        "sin(theta)*x'' - cos(theta)*y'' - l*theta'' = -(cos(theta)*x' + sin(theta)*y')*theta'",
    ];
    assert_eq!(evaluator.documentation().equations, wanted);
}

/// U96 36: `r'' = F - (x'Fx + y'Fy - z'Fz)/(x'^2 + y'^2 + z'^2) (x', y', -z')`, over one denominator.
#[test]
fn appells_particle() {
    for method in ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"] {
        let evaluator = derived("e1_appell", method).unwrap();
        let wanted = [
            "x'' = (Fz*x'*z' + Fx*(y'^2 + z'^2) - Fy*x'*y')/(x'^2 + y'^2 + z'^2)",
            "y'' = (Fy*(x'^2 + z'^2) + Fz*y'*z' - Fx*x'*y')/(x'^2 + y'^2 + z'^2)",
            "z'' = (Fx*x'*z' + Fz*(x'^2 + y'^2) + Fy*y'*z')/(x'^2 + y'^2 + z'^2)",
        ];
        assert_eq!(evaluator.documentation().accelerations, wanted, "{method}");
    }
}

/// UK98 32: alpha times the rate of h, less `g z'`, in the bracket; the third row over one denominator.
#[test]
fn moving_constraint() {
    for method in ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"] {
        let evaluator = derived("e2_appell_rheonomic", method).unwrap();
        let wanted = [
            "x'' = (alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - g*z')*x'/(x'^2 + y'^2 + z'^2)",
            "y'' = (alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - g*z')*y'/(x'^2 + y'^2 + z'^2)",
            "z'' = -(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t)*z' + g*(x'^2 + y'^2))/(x'^2 + y'^2 + z'^2)",
        ];
        assert_eq!(evaluator.documentation().accelerations, wanted, "{method}");
    }
}

/// WP 64: with -1 times their second row, the forces on the left.
#[test]
fn wheels_on_an_axle() {
    for method in [
        "kane",
        "gibbs-appell",
        "maggi",
        "boltzmann-hamel",
        "jourdain",
    ] {
        let evaluator = derived("e5_wheel_axle_rows", method).unwrap();
        let wanted = [
            "2*a*(M + m_rim)*psi1'' - l*(M + m_rim)*phi'' - 2*M*g*sin(alpha)*cos(phi) = 0  (divided by a)",
            "(l^2*(M + m_rim) + m_rim*a^2)*phi'' - a*l*(M + m_rim)*psi1'' + M*l*g*sin(alpha)*cos(phi) = 0",
        ];
        assert_eq!(evaluator.documentation().equations, wanted, "{method}");
    }
}
