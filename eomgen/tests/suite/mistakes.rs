//! Models as a beginner, or an expert in a hurry, writes them: each message was read with an eye to what a user
//! needs to know: the place, what is wrong there in words of mechanics, and what to write instead.
#![cfg(feature = "derive")]

use eomgen::diagnostics::render;
use eomgen::{Failure, check};

/// A model that is complete but for what is added to it.
const ARM: &str = "\
model arm
param m : kg > 0
param J : kg*m^2 > 0
param l : m > 0
param g : m/s^2
param k : N/m
param c : N*s/m
coord x, y : m
coord theta : rad
frame B = rotate(N, theta, N.z)
point P = O + x*N.x + y*N.y
point Q = P + l*B.x
particle A: mass m at P
body W: frame B, mass m, center Q, inertia [J, J, J]
";

/// The messages on the model with an addition, and the codes.
fn messages(added: &str) -> (String, Vec<&'static str>) {
    let text = format!("{ARM}{added}");
    let list = match check("model.eom", &text) {
        Ok(report) => report.warnings,
        Err(Failure::Diagnostics(list)) => list,
        Err(Failure::Message(message)) => panic!("{message}"),
    };
    let codes = list.iter().map(|d| d.code).collect();
    (render("model.eom", &text, &list, false), codes)
}

/// Names, additions, and the codes that they get.
fn read(table: &[(&str, &str, &[&str])]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("mistakes");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (name, added, codes) in table {
        let (text, found) = messages(added);
        assert_eq!(found, *codes, "{name}\n{text}");
        settings.bind(|| insta::assert_snapshot!(*name, format!("{added}---\n{text}")));
    }
}

#[test]
fn names() {
    read(&[
        (
            "undeclared_name_used_often",
            "force on P: -kk*x*N.x\nforce on Q: -kk*y*N.y\noutput e = kk*x^2/2\n",
            &["E0101"],
        ),
        (
            "point_of_an_undeclared_length",
            "point R = O + r*N.x\nparticle K: mass m at R\noutput v = vel(R)\nconstraint c1: dot(vel(R), N.x) = 0\n",
            &["E0101"],
        ),
        (
            "near_miss_of_a_coordinate",
            "force on P: -k*X*N.x\n",
            &["E0101"],
        ),
        (
            "near_miss_of_a_function",
            "output s = sine(theta)\n",
            &["E0101"],
        ),
        (
            "near_miss_of_a_vector_function",
            "output s = dott(vel(P), N.x)\n",
            &["E0101"],
        ),
        ("near_miss_of_a_field", "force on P: m*g*N.w\n", &["E0104"]),
        ("field_in_capitals", "force on P: m*g*N.X\n", &["E0104"]),
        ("near_miss_of_a_unit", "param q : Kg\n", &["E0205"]),
        ("unit_newton_metre", "param T : Nm\n", &["E0205"]),
        ("unit_radians", "coord phi : radians\n", &["E0205"]),
        (
            "near_miss_of_a_keyword",
            "forces on P: m*g*N.x\n",
            &["E0003"],
        ),
        ("keyword_in_capitals", "Force on P: m*g*N.x\n", &["E0003"]),
        ("declared_twice_in_one_line", "param a, a : m\n", &["E0102"]),
        (
            "frame_named_like_a_body",
            "frame W = rotate(N, theta, N.x)\n",
            &["E0102"],
        ),
    ]);
}

#[test]
fn vectors() {
    read(&[
        (
            "scalar_equals_vector",
            "constraint c1: vel(Q) = 0.5 [m/s]\n",
            &["E0105"],
        ),
        (
            "vector_equals_vector_without_dot",
            "constraint c1: vel(Q)*B.y = 0\n",
            &["E0105"],
        ),
        ("vector_squared", "output T = m*vel(P)^2/2\n", &["E0105"]),
        (
            "vector_divided_by_vector",
            "output r = vel(P)/vel(Q)\n",
            &["E0105"],
        ),
        ("norm_with_bars", "output r = |vel(P)|\n", &["E0006"]),
        ("point_times_scalar", "point R = 2*P\n", &["E0105"]),
        ("mid_point_by_sum", "point R = (P + Q)/2\n", &["E0105"]),
        ("point_from_vector", "point R = x*N.x\n", &["E0104"]),
        ("point_for_a_vector", "force on P: -k*P\n", &["E0105"]),
        (
            "position_vector_of_a_point",
            "output r = dot(P, N.x)\n",
            &["E0104"],
        ),
        ("cross_in_wrong_place", "output M = P cross Q\n", &["E0004"]),
        ("component_of_a_vector", "output v = vel(P).x\n", &["E0104"]),
        ("component_of_a_point", "output v = P.x\n", &["E0104"]),
        ("velocity_of_a_frame", "output v = vel(B)\n", &["E0104"]),
        (
            "angular_velocity_of_a_point",
            "output v = angvel(P)\n",
            &["E0104"],
        ),
        ("velocity_in_a_point", "output v = vel(P, Q)\n", &["E0104"]),
        ("prime_on_a_vector", "output v = (Q - P)'\n", &["E0108"]),
        ("prime_on_a_point", "output v = P'\n", &["E0108"]),
        (
            "vector_as_angle",
            "frame D = rotate(N, N.z, theta)\n",
            &["E0110"],
        ),
        ("angle_forgotten", "frame D = rotate(N, N.z)\n", &["E0110"]),
        (
            "axis_as_letter",
            "frame D = rotate(N, theta, z)\n",
            &["E0101"],
        ),
        (
            "parent_forgotten",
            "frame D = rotate(theta, N.z)\n",
            &["E0110"],
        ),
        (
            "simple_rotation_the_old_way",
            "frame D = B.rotate(theta, N.z)\n",
            &["E0110"],
        ),
    ]);
}

#[test]
fn units() {
    read(&[
        ("spring_without_length", "force on P: -k*N.x\n", &["E0202"]),
        ("weight_as_mass", "force on P: m*N.y\n", &["E0202"]),
        ("degrees_in_sine", "output s = sin(x)\n", &["E0203"]),
        ("angle_plus_length", "output s = theta + x\n", &["E0201"]),
        (
            "seconds_without_unit",
            "output s = x*sin(2*t)\n",
            &["E0203"],
        ),
        (
            "plain_number_plus_length",
            "point R = O + (x + 1)*N.x\n",
            &["E0201"],
        ),
        (
            "joule_for_newton_metre_is_fine_but_force_is_not",
            "param W0 : J\nforce on P: W0*N.x\n",
            &["E0202"],
        ),
        (
            "torque_that_is_a_force",
            "torque on B: -k*theta*N.z\n",
            &["E0202"],
        ),
        (
            "generalized_force_of_an_angle_in_newton",
            "input F : N\ngeneralized theta: F\n",
            &["E0202"],
        ),
        ("declared_in_millimetres", "param b = 5 : mm\n", &["E0206"]),
        ("declared_in_degrees", "coord phi = 30 : deg\n", &["E0206"]),
        (
            "inertia_without_square",
            "body V: frame B, mass m, center P, inertia [m*l, m*l, m*l]\n",
            &["E0202"],
        ),
        (
            "velocity_equals_length",
            "constraint c1: x' = l\n",
            &["E0201"],
        ),
        ("unit_on_the_wrong_side", "param b : m = 5\n", &["E0004"]),
        ("unit_in_parentheses", "param b (m)\n", &["E0004"]),
        ("unit_on_a_name", "let b = x [m]\n", &["E0401"]),
    ]);
}

#[test]
fn rates() {
    read(&[
        (
            "forgotten_prime",
            "constraint c1: x*theta' = y\n",
            &["E0201"],
        ),
        ("rate_as_der", "constraint c1: der(x) = 0\n", &["E0101"]),
        ("rate_as_method", "constraint c1: x.dt = 0\n", &["E0104"]),
        ("rate_as_xdot", "constraint c1: xdot = 0\n", &["E0101"]),
        (
            "rate_by_diff",
            "constraint c1: diff(x, t) = 0\n",
            &["E0101"],
        ),
        ("speed_in_a_place", "point R = O + x'*N.x\n", &["E0112"]),
    ]);
}

#[test]
fn habits_of_other_languages() {
    read(&[
        ("power_with_stars", "output e = x**2\n", &["E0004"]),
        ("semicolon", "let e = x^2;\n", &["E0006"]),
        ("hash_comment", "let e = x^2 # square\n", &["E0006"]),
        ("percent_comment", "% my model\n", &["E0006"]),
        ("block_comment", "/* my model */\n", &["E0006"]),
        ("braces", "force on P: {0, -m*g, 0}\n", &["E0006"]),
        (
            "list_for_a_vector",
            "force on P: [0, -m*g, 0]\n",
            &["E0104"],
        ),
        ("forgotten_star", "force on P: m g*N.y\n", &["E0004"]),
        ("number_times_name", "output e = 2x\n", &["E0007"]),
        ("assignment_with_colon", "let e := x\n", &["E0004"]),
        ("equality_twice", "constraint c1: x' == 0\n", &["E0013"]),
        ("constraint_without_name", "constraint x' = 0\n", &["E0004"]),
        (
            "constraint_without_equation",
            "constraint c1: dot(vel(Q), B.y)\n",
            &["E0004"],
        ),
        ("let_without_keyword", "e = x^2\n", &["E0003"]),
        ("declaration_with_type", "Real e = 2\n", &["E0003"]),
        ("coord_with_colon_list", "coord: phi, psi\n", &["E0004"]),
        ("force_without_colon", "force on P m*g*N.y\n", &["E0004"]),
        ("force_at", "force at P: m*g*N.y\n", &["E0004"]),
        ("force_on_two", "force on P, Q: m*g*N.y\n", &["E0004"]),
        (
            "torque_with_opposite_forgotten_on",
            "torque on B, opposite N: 2 [N*m]*N.z\n",
            &["E0004"],
        ),
        ("particle_without_at", "particle K: mass m, P\n", &["E0004"]),
        (
            "particle_with_vector",
            "particle K: mass m at x*N.x\n",
            &["E0104"],
        ),
        (
            "body_without_inertia",
            "body V: frame B, mass m, center P\n",
            &["E0113"],
        ),
        (
            "body_with_inertia_of_four",
            "body V: frame B, mass m, center P, inertia [J, J, J, 0]\n",
            &["E0113"],
        ),
        ("gravity_without_direction", "gravity: g\n", &["E0104"]),
        ("gravity_with_equals", "gravity = -g*N.y\n", &["E0004"]),
        (
            "gravity_twice",
            "gravity: -g*N.y\ngravity: -g*N.z\n",
            &["E0116"],
        ),
        ("unicode_minus", "let e = x − y\n", &["E0006"]),
        ("unicode_times", "let e = m·x\n", &["E0101"]),
        ("unicode_prime", "constraint c1: x′ = 0\n", &["E0006"]),
        ("unicode_square", "let e = x²\n", &["E0006"]),
        ("curly_quotes", "constraint c1: x’ = 0\n", &["E0006"]),
        ("sign_plus", "let e = +x\n", &["E0004"]),
        ("comma_as_decimal", "param q = 1,5 : m\n", &["E0004"]),
        (
            "number_with_underscore",
            "param q = 1_000 : m\n",
            &["E0007"],
        ),
        ("if_statement", "if x > 0: force on P: N.x\n", &["E0003"]),
        ("absolute_with_fabs", "output e = fabs(x)\n", &["E0101"]),
        ("pi_called", "output e = Pi\n", &["E0101"]),
        (
            "arguments_swapped_in_atan2",
            "output e = atan2(x)\n",
            &["E0107"],
        ),
        (
            "dot_with_three",
            "output e = dot(vel(P), vel(Q), N.x)\n",
            &["E0107"],
        ),
        (
            "swapped_dot_arguments",
            "output e = dot(N, vel(P))\n",
            &["E0104"],
        ),
    ]);
}

#[test]
fn mechanics() {
    read(&[
        (
            "redundant_velocity",
            "constraint c1: x' = 0\nconstraint c2: 2*x' = 0\n",
            &["N0314", "N0480"],
        ),
        (
            "loop_stated_twice",
            "constraint c1: x = l*cos(theta)\nconstraint c2: y = l*sin(theta)\nconstraint c3: x^2 + y^2 = l^2\n",
            &["N0316"],
        ),
        (
            "two_drives_of_one_coordinate",
            "param w : rad/s\nconstraint c1: theta = w*t\nconstraint c2: theta = 2*w*t\n",
            &["W0482"],
        ),
        (
            "drive_against_a_stop",
            "param w : m/s\nconstraint c1: x' = w\nconstraint c2: x = 0\n",
            &["W0482", "N0480"],
        ),
        (
            "everything_prescribed_and_more",
            "constraint c1: P = O\nconstraint c2: Q = O\n",
            &["N0314", "W0483"],
        ),
        (
            "constraint_of_constants",
            "constraint c1: l = 2 [m]\n",
            &["E0119"],
        ),
        (
            "input_as_drive",
            "input u : m\nconstraint c1: x = u\n",
            &["E0120"],
        ),
        (
            "massless_coordinate",
            "coord z : m\npoint R = P + z*N.z\n",
            &["E0320"],
        ),
        (
            "two_coordinates_for_one_motion",
            "coord z, w : m\npoint R = P + (z + w)*N.z\nparticle K: mass m at R\n",
            &["E0320"],
        ),
        (
            "massless_chain",
            "coord a, b : rad\nframe D = rotate(B, a, B.z)\nframe E = rotate(D, b, D.z)\npoint R = Q + l*E.x\n",
            &["E0320", "E0320"],
        ),
        ("unused_coordinate", "coord unused : m\n", &["E0320"]),
        (
            "cyclic_frames",
            "frame D = rotate(E, theta, E.z)\nframe E = rotate(D, theta, D.z)\n",
            &["E0106"],
        ),
        (
            "cyclic_points",
            "point R = S + l*N.x\npoint S = R - l*N.x\n",
            &["E0106"],
        ),
        (
            "frame_in_itself",
            "frame D = rotate(D, theta, D.z)\n",
            &["E0106"],
        ),
        (
            "mass_with_unit_forgotten_square",
            "particle K: mass 2 at P\n",
            &["E0202"],
        ),
        ("negative_mass", "particle K: mass -m at P\n", &["E0114"]),
        (
            "mass_of_a_coordinate",
            "particle K: mass m*x/l at P\n",
            &["E0115"],
        ),
        (
            "independent_errors_of_mechanics",
            "particle K: mass m*x/l at P\nconstraint c1: x - x = y - y\nspeed u = x'^2\noutput e = 1/(x - x)\nforce on P: m*acc(P)\n",
            &["E0115", "E0118", "E0117"],
        ),
        (
            "independent_errors_of_mechanics_found_late",
            "let zero = x - y\nlet nought = y - x\nconstraint c1: zero + nought = 0\nspeed u = dot(vel(P) - vel(P), N.x)\noutput e = 1/(zero + nought)\nforce on P: k*l*x/(zero + nought)*N.x\n",
            &["E0310", "E0307", "E0302", "E0302"],
        ),
        ("load_on_a_frame", "force on B: m*g*N.y\n", &["E0117"]),
        (
            "torque_on_a_particle",
            "torque on A: 2 [N*m]*N.z\n",
            &["E0117"],
        ),
        (
            "generalized_on_a_point",
            "generalized P: 2 [N]\n",
            &["E0104"],
        ),
        (
            "privileged_without_prime",
            "constraint c1: x' = l*theta'\nprivileged x, y\n",
            &["E0121", "E0121"],
        ),
        ("speed_nonlinear", "speed u = x'^2\n", &["E0118"]),
        ("assume_equation", "assume x == 0\n", &["E0122"]),
    ]);
}
