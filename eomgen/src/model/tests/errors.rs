//! Every message once: the model above, what is said of it below.

use super::messages;
use crate::diag;

/// What stands before the line at fault in most of the models: a particle on a line.
const LINE: &str = "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\n\
    point P = O + x*N.x\nparticle A: mass m at P\n";

/// A rigid body that turns about a fixed axis.
const WHEEL: &str = "model wheel\nparam m : kg\nparam J : kg*m^2\ncoord q : rad\ncoord x : m\n\
    frame B = rotate(N, q, N.z)\npoint C = O + x*N.x\n";

/// Renders the messages about `before` followed by `lines`; the common part is left out of the
/// listing.
fn check(name: &str, code: &str, before: &str, lines: &str) {
    let text = format!("{before}{lines}\n");
    let (system, found) = messages(&text);
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    assert!(codes.contains(&code), "{name}: {codes:?}");
    let errors = found.iter().any(|d| d.severity == diag::Severity::Error);
    assert_eq!(system.is_none(), errors, "{name}");
    for diagnostic in &found {
        for label in &diagnostic.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(
                text.get(start..end).is_some_and(|t| !t.is_empty()),
                "{name}: {label:?}"
            );
        }
    }
    let shown = diag::render("model.eom", &text, &found, false);
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| insta::assert_snapshot!(name, format!("{lines}\n\n{shown}")));
}

/// One test for each message: name, code, common part, lines.
macro_rules! cases {
    ($($name:ident $code:ident $before:ident $lines:literal;)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name), stringify!($code), $before, $lines);
        }
    )*};
}

cases! {
    // Names.
    unknown_scalar E0101 LINE "force on P: -kk*x*N.x";
    unknown_point E0101 LINE "force on Q: -k*x*N.x";
    unknown_frame E0101 LINE "force on P: -k*x*M.x";
    unknown_function E0101 LINE "output s = sni(k)";
    unknown_far E0101 LINE "output s = velocity";
    unknown_coordinate E0101 LINE "generalized y: 0";
    unknown_argument E0101 LINE "function f(X, r) : N";
    duplicate E0102 LINE "coord k : m";
    duplicate_across_sorts E0102 LINE "constraint P: x = 0";
    duplicate_three_times E0102 LINE "let x_2 = 3\nlet x = 2\nlet x = 4";
    predeclared_frame E0103 LINE "frame N = rotate(N, k, N.z)";
    predeclared_time E0103 LINE "param t : s";
    predeclared_pi E0103 LINE "param pi = 3";
    predeclared_origin E0103 LINE "point O = P";
    builtin_function E0103 LINE "function sin(x) : m";
    // Sorts.
    vector_for_scalar E0104 LINE "output s = sin(N.x)";
    scalar_for_vector E0104 LINE "force on P: -k*x";
    point_for_vector E0104 LINE "output s = dot(P, N.x)";
    point_for_let E0104 LINE "let c = P";
    frame_for_let E0104 LINE "let c = N";
    vector_for_point E0104 LINE "point Q = x*N.x";
    scalar_for_point E0104 LINE "point Q = x";
    name_of_a_point E0104 LINE "output v = vel(x*N.y)";
    frame_for_point E0104 LINE "output v = vel(N)";
    point_for_frame E0104 LINE "output w = angvel(P)";
    scalar_for_frame E0104 LINE "output w = angvel(x*x)";
    field_of_point E0104 LINE "output s = P.x";
    field_of_vector E0104 LINE "let v = x*N.x\noutput s = v.y";
    field_unknown E0104 LINE "output s = N.w";
    list_as_value E0104 LINE "output s = [x, x, x]";
    body_as_value E0104 LINE "output s = A";
    particle_has_no_frame E0104 LINE "output s = angvel(A)";
    called_parameter E0104 LINE "output s = k(x)";
    components_of_scalar_constraint E0104 LINE "constraint c: x' = 0 in N";
    scalar_plus_vector E0105 LINE "output s = x + vel(P)";
    vector_minus_scalar E0105 LINE "force on P: k*x*N.x - k*x";
    point_plus_point E0105 LINE "point Q = (P + O)/2";
    vector_plus_point E0105 LINE "point Q = x*N.y + P";
    negative_point E0105 LINE "output v = -P";
    frame_plus_vector E0105 LINE "output v = N + N.x";
    vector_times_vector E0105 LINE "output e = vel(P)*vel(P)";
    vector_over_vector E0105 LINE "output e = N.x/N.y";
    vector_squared E0105 LINE "output e = vel(P)^2";
    point_scaled E0105 LINE "output e = 2*P";
    frame_scaled E0105 LINE "output e = x*N";
    constraint_mixed E0105 LINE "constraint c: vel(P) = x'";
    constraint_point_and_vector E0105 LINE "constraint c: P = N.x";
    // Cycles.
    cycle_of_frames E0106 LINE "frame A1 = rotate(B1, x/(1 [m]), B1.z)\nframe B1 = rotate(A1, x/(1 [m]), A1.z)";
    cycle_of_one E0106 LINE "frame B = rotate(B, 1, B.z)";
    cycle_of_points E0106 LINE "point Q = R + x*N.x\npoint R = S + x*N.y\npoint S = Q";
    cycle_of_lets E0106 LINE "let a = b + 1\nlet b = 2*a\nlet c = a";
    cycle_of_different_sorts E0106 LINE "let r = dot(Q - O, N.x)\npoint Q = P + r*N.y";
    cycles_that_are_independent E0106 LINE "let a = b\nlet b = a\nlet c = d\nlet d = c";
    // Calls.
    too_few_arguments E0107 LINE "output s = atan2(x)";
    too_many_arguments E0107 LINE "output s = sin(1, 2)";
    no_arguments E0107 LINE "output s = max()";
    arguments_of_dot E0107 LINE "output s = dot(N.x)";
    arguments_of_vel E0107 LINE "output s = vel(P, N, O, O)";
    place_that_moves E0112 LINE "output v = vel(P + x'*1 [s]*N.x)";
    material_point_without_point E0104 LINE "output v = vel_at(N, x*N.x)";
    material_point_of_particle E0104 LINE "output v = vel_at(A, P)";
    group_of_points E0104 LINE "group S: A, P";
    mass_of_a_sum E0441 LINE "output s = mass(A + A)";
    contact_without_normal E0107 LINE "output v = contact_sphere(P, 1 [m]) - O";
    contact_of_no_size E0631 LINE "output v = contact_sphere(P, 0 [m], N.z) - O";
    contact_from_behind E0631 LINE "output v = contact_sphere(P, -1 [m], N.z) - O";
    contact_that_is_flat E0631 LINE "output v = contact_disc(P, 1 [m], -N.z, N.z) - O";
    contact_of_a_flat_torus E0631 LINE "output v = contact_torus(P, 1 [m], 10 [cm], N.y, N.y) - O";
    radius_in_seconds E0202 LINE "output v = contact_sphere(P, 1 [s], N.z) - O";
    quaternion_of_three E0110 LINE "coord a, b, c\nframe B = quaternion(N, a, b, c)";
    quaternion_twice_the_same E0440 LINE "coord a, b, c\nframe B = quaternion(N, a, b, c, c)";
    rodrigues_of_two E0110 LINE "coord a, b\nframe B = rodrigues(N, a, b)";
    taken_for_a_statement E0110 LINE "output s = quaternion(N, x, x, x, x)";
    arguments_of_angvel E0107 LINE "output s = angvel()";
    arguments_of_function E0107 LINE "function f(x, t) : N\noutput s = f(x)";
    // Primes.
    rate_of_parameter E0108 LINE "output s = m'";
    rate_of_time E0108 LINE "output s = t'";
    rate_of_expression E0108 LINE "output s = (x*x)'";
    rate_of_vector E0108 LINE "let v = x*N.x\noutput s = v'";
    rate_of_point E0108 LINE "output s = P'";
    rate_of_frame E0108 LINE "output s = N'";
    rate_of_input E0108 LINE "input F : N\noutput s = F'";
    rate_of_input_in_let E0108 LINE "input F : N\nlet G = 2*F\noutput s = G'";
    rate_of_input_in_vector E0108 LINE "input F : N\noutput s = dt(F*N.x, N)";
    rate_of_function E0108 LINE "function f(x) : N\noutput s = f'";
    third_derivative E0108 LINE "output s = x'''";
    // Numbers.
    division_by_zero E0109 LINE "output s = x/0";
    power_of_zero E0109 LINE "output s = 0^(-1)";
    high_power E0109 LINE "output s = x^70000";
    high_power_of_a_power E0109 LINE "output s = ((x^20)^20)^20";
    negative_high_power E0109 LINE "output s = x^-1001";
    long_number E0109 LINE "output s = x*(1e300^30)^30";
    // Frames and positions.
    frame_alias E0110 LINE "frame B = N";
    frame_by_other_function E0110 LINE "frame B = turn(N, x, N.z)";
    rotate_as_value E0110 LINE "output B = rotate(N, 1, N.z)";
    rotate_arguments E0110 LINE "frame B = rotate(N, 1)";
    axis_of_another_frame E0110 LINE "frame B = rotate(N, 1, N.x)\nframe C = rotate(B, 1, N.z)";
    axis_that_varies E0110 LINE "frame B = rotate(N, 1, N.x + x/(1 [m])*N.y)";
    axis_from_motion E0110 LINE "frame B = rotate(N, 1, vel(P))";
    axis_of_no_length E0110 LINE "frame B = rotate(N, 1, N.x - N.x)";
    sequence_of_digits E0110 LINE "frame B = rotate_body(N, 313, 1, 2, 3)";
    sequence_of_other_letters E0110 LINE "frame B = rotate_space(N, xya, 1, 2, 3)";
    sequence_and_angles E0110 LINE "frame B = rotate_body(N, zxz, 1, 2)";
    matrix_rows E0110 LINE "frame B = matrix(N, [1, 0, 0], [0, 1])";
    matrix_stretched E0111 LINE "frame B = matrix(N, [1, 0, 0], [0, 2, 0], [0, 0, 1])";
    matrix_skewed E0111 LINE "frame B = matrix(N, [1, 3/5, 0], [0, 4/5, 0], [0, 0, 1])";
    matrix_left_handed E0111 LINE "frame B = matrix(N, [0, 1, 0], [1, 0, 0], [0, 0, 1])";
    point_with_rate E0112 LINE "point Q = P + x'*(1 [s])*N.y";
    point_with_input E0112 LINE "input h : m\npoint Q = P + h*N.y";
    frame_with_rate E0112 LINE "frame B = rotate(N, x'/(1 [m/s]), N.z)";
    // Bodies.
    body_incomplete E0113 WHEEL "body W: frame B, inertia [J, J, J]";
    body_clause_twice E0113 WHEEL "body W: frame B, mass m, center C, mass m, inertia [J, J, J]";
    inertia_of_four E0113 WHEEL "body W: frame B, mass m, center C, inertia [J, J, J, 0]";
    negative_mass E0114 LINE "particle B: mass -1 [kg] at P";
    negative_inertia E0114 WHEEL "body W: frame B, mass m, center C, inertia [1 [kg*m^2], 1 [kg*m^2], -1 [kg*m^2]]";
    mass_that_varies E0115 LINE "particle B: mass m*cos(x/(1 [m])) at P";
    inertia_that_varies E0115 WHEEL "body W: frame B, mass m, center C, inertia [J*sin(q), J, J]";
    inertia_in_a_frame_that_turns E0115 WHEEL "body W: frame B, mass m, center C, inertia [J, J, J] in N";
    // Loads.
    gravity_twice E0116 LINE "gravity: -9.81 [m/s^2]*N.z\ngravity: 1.62 [m/s^2]*N.x";
    gravity_that_varies E0116 LINE "gravity: x*(1 [1/s^2])*N.z";
    force_on_frame E0117 LINE "force on N: k*x*N.x";
    torque_on_point E0117 LINE "torque on P: k*x^2*N.x";
    torque_on_particle E0117 LINE "torque on A: k*x^2*N.x";
    force_on_particle_at_a_point E0117 LINE "force on A at P: k*x*N.x";
    force_on_point_at_a_point E0117 LINE "force on P at O: k*x*N.x";
    torque_at_a_point E0117 LINE "torque on N at P: k*x^2*N.x";
    force_and_opposite_on_the_same E0117 LINE "force on P, opposite on P: k*x*N.x";
    force_of_acceleration E0117 LINE "force on P: -m*acc(P)";
    generalized_on_speed E0117 LINE "speed u = x'\ngeneralized u: k*x";
    // Speeds.
    speed_without_rate E0118 LINE "speed u = x";
    speed_of_speed E0118 LINE "speed u = x'\nspeed w = 2*u";
    speed_not_linear E0118 LINE "speed u = x'^2";
    speed_of_norm E0118 LINE "speed u = norm(vel(P))";
    speed_of_acceleration E0118 LINE "speed u = x''";
    speed_of_input E0118 LINE "input r : 1\nspeed u = r*x'";
    // Constraints.
    constraint_on_parameters E0119 LINE "constraint c: m = 2 [kg]";
    constraint_on_numbers E0119 LINE "constraint c: 1 = 0";
    constraint_of_the_same E0119 LINE "constraint c: x*x' = x*x'";
    constraint_of_point_with_itself E0119 LINE "constraint c: P = P";
    constraint_on_jerk E0120 LINE "constraint c: x''' = 0";
    reaction_of_a_point E0460 LINE "output f = reaction(P)";
    reaction_without_row E0460 LINE "constraint c: x = 0\noutput f = reaction(c.x)";
    reaction_of_an_expression E0460 LINE "constraint c: x = 0\noutput f = reaction(2*x)";
    reaction_in_a_place E0461 LINE "constraint c: x = 0\npoint Q = O + reaction(c)/k*N.x";
    reaction_in_a_speed E0461 LINE "constraint c: x = 0\nspeed u = x'*reaction(c)";
    reaction_in_a_constraint E0461 LINE "constraint c: x = 0\nconstraint d: x' = 2 [m/s]*reaction(c)/(1 [N])";
    reaction_in_its_own_constraint E0106 LINE "let f = reaction(c)\nconstraint c: k*x = f";
    reaction_in_nonideal E0461 LINE "constraint c: x = 0\nnonideal on P: reaction(c)*N.x";
    reaction_in_an_assumption E0461 LINE "constraint c: x = 0\nassume reaction(c) > 0";
    reaction_squared E0462 LINE "constraint c: x = 0\nforce on P: reaction(c)^2/(1 [N])*N.x";
    reaction_absolute E0462 LINE "constraint c: x = 0\nlet f = abs(reaction(c))\nforce on P: f*N.x";
    reaction_below E0462 LINE "constraint c: x = 0\nforce on P: k^2*x^2/reaction(c)*N.x";
    reaction_in_a_condition E0462 LINE "constraint c: x = 0\nforce on P: (if reaction(c) > 0 then k*x else 0)*N.x";
    reaction_in_a_potential E0461 LINE "constraint c: x = 0\npotential V = x*reaction(c)";
    rate_of_reaction E0108 LINE "constraint c: x = 0\nlet f = reaction(c)\noutput g = f'";
    declared_reaction_in_a_load E0461 LINE "reaction R at P: N.y\nforce on P: R*N.x";
    declared_reaction_of_the_origin E0465 LINE "reaction R at O: N.y";
    declared_reaction_by_rates E0112 LINE "reaction R at P: x'*N.y";
    declared_reaction_as_a_constraint E0460 LINE "reaction R at P: N.y\noutput f = reaction(R)";
    constraint_with_input E0120 LINE "input h : m\nconstraint c: x = h";
    privileged_coordinate E0121 LINE "privileged x";
    privileged_expression E0121 LINE "privileged 2*x'";
    privileged_twice E0121 LINE "privileged x', x'";
    initial_parameter E0125 LINE "initial m = 2";
    initial_acceleration E0125 LINE "initial x'' = 2";
    initial_expression E0125 LINE "initial 2*x = 2";
    initial_vector E0125 LINE "initial P = 2";
    initial_twice E0125 LINE "initial x' = 2, x' = 3";
    initial_rate_and_speed E0125 LINE "speed u = x'\ninitial u = 2, x' = 3";
    initial_of_an_unknown E0101 LINE "initial xx = 2";
    initial_that_varies E0123 LINE "initial x = 2*m";
    initial_against_sign E0123 LINE "coord s : m > 0\ninitial s = -1";
    initial_input E0125 LINE "input F : N\ninitial F = 2";
    initial_time E0125 LINE "initial t = 2";
    initial_rate_of_a_speed E0125 LINE "speed v = x'\ninitial v' = 2";
    initial_named_value E0125 LINE "let r = 2*x\ninitial r = 2";
    state_without_rate E0126 LINE "state i : A\nforce on P: k*x*N.x";
    state_rate_twice E0126 LINE "state i : A\nrate i = -i/(1 [s])\nrate i = 0";
    state_rate_of_a_coordinate E0126 LINE "rate x = 2 [m/s]";
    state_rate_of_nothing E0101 LINE "state volt : V\nrate volt = 0\nrate vlot = 0";
    state_rate_by_acceleration E0126 LINE "state v : m/s\nrate v = x''";
    state_rate_by_rate E0126 LINE "state a, b : A\nrate a = b'\nrate b = a'";
    state_rate_by_reaction E0461 LINE "constraint c: x = 0\nstate a : N\nrate a = reaction(c)/(1 [s])";
    state_rate_in_other_units E0202 LINE "state i : A\nrate i = x'";
    state_rate_of_rate E0108 LINE "state i : A\nrate i = -i/(1 [s])\noutput o = i''";
    state_rate_in_load E0117 LINE "state i : N*s\nrate i = -i/(1 [s])\nforce on P: i'*N.x";
    state_in_position E0112 LINE "state i : m\nrate i = -i/(1 [s])\npoint Q = P + i*N.x";
    state_in_speed E0118 LINE "state i : m/s\nrate i = -i/(1 [s])\nspeed u = x' + i";
    state_in_constraint E0120 LINE "state i : m\nrate i = -i/(1 [s])\nconstraint c: x = i";
    state_in_kinetic_energy E0422 LINE "state i : kg\nrate i = -i/(1 [s])\nkinetic T = i*x'^2/2";
    state_initial_twice E0125 LINE "state i = 1 : A\nrate i = -i/(1 [s])\ninitial i = 2";
    initial_rate_of_a_parameter E0108 LINE "initial m' = 2";
    initial_beside_the_declared E0125 LINE "coord s = 1 : m\ngeneralized s: 0 [N]\ninitial s = 2";
    initial_again_below E0125 LINE "initial x = 1\ninitial x = 1";
    initial_misspelled E0101 LINE "coord theta : rad\ngeneralized theta: 0 [N*m]\ninitial thete = 2";
    initial_point E0104 LINE "initial x = P";
    initial_without_number E0004 LINE "initial x: 2";
    initial_alone_is_no_use E0150 LINE "coord s : m\ninitial s = 2, s' = 1";
    initial_speed_in_another_unit E0201 LINE "speed v = x'\ninitial v = 2 [m]";
    initial_family E0402 LINE "coord s[1..2] : m\ngeneralized s[1]: 0 [N]\ngeneralized s[2]: 0 [N]\ninitial s = 2";
    initial_against_assumption E0123 LINE "assume x > 0\ninitial x = -1";
    initial_in_another_unit E0201 LINE "initial x' = 2 [m]";
    // Assumptions and defaults.
    assume_equation E0122 LINE "assume x == 0";
    assume_contradiction E0122 LINE "assume m < 0";
    assume_numbers E0122 LINE "assume 2 > 1";
    default_that_varies E0123 LINE "param r = 2*m";
    default_against_sign E0123 LINE "param r = -1 : m > 0";
    default_of_input E0123 LINE "input F = 1 : N";
    // The whole.
    no_coordinates E0124 EMPTY "param m : kg";
    unused_coordinate E0150 LINE "coord y : m";
    unlikely_inertia E0151 WHEEL "body W: frame B, mass m, center C, inertia [1 [kg*m^2], 1 [kg*m^2], 3 [kg*m^2]]";
    no_bodies E0152 EMPTY "coord x : m\npoint P = O + x*N.x";
    loose_point E0153 WHEEL "point Q = C + x*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J] about Q";
    // Choices.
    condition_of_names E0420 LINE "output s = if x then 1 else 2";
    condition_of_half E0420 LINE "output s = if x > 0 [m] and k then 1 else 2";
    equality_as_condition E0420 LINE "output s = if x == 0 then 1 else 2";
    chained_comparison E0420 LINE "output s = if 0 < x < 1 then 1 else 2";
    comparison_as_value E0420 LINE "output s = if (x > 0)*2 > 1 then 1 else 2";
    bare_if_in_sum E0420 LINE "output s = 1 + if x > 0 then 1 else 2";
    units_of_comparison E0201 LINE "output s = if x > m then 1 else 2";
    units_of_branches E0201 LINE "output s = if x > 0 then x else m";
    kinds_of_branches E0105 LINE "output s = if x > 0 then x else vel(P)";
    // Energies.
    kinetic_without_rate E0422 LINE "kinetic T = k*x^2";
    kinetic_of_input E0422 LINE "input h : m\nkinetic T = m*x'^2*h/x";
    kinetic_of_accelerations E0422 LINE "kinetic T = m*x*x''";
    potential_of_rates E0422 LINE "potential V = m*x'^2";
    potential_of_nothing E0422 LINE "potential V = 3 [J]";
    dissipation_without_rate E0422 LINE "dissipation D = k*x^2/1 [s]";
    unit_of_potential E0202 LINE "potential V = k*x";
    unit_of_dissipation E0202 LINE "dissipation D = m*x'^2";
    vector_as_energy E0104 LINE "kinetic T = m*vel(P)";
    energy_twice E0102 LINE "potential k = k*x^2";
    // Springs.
    spring_without_law E0421 LINE "spring s: from O to P, damping 2*k*1 [s]";
    spring_of_two_laws E0421 LINE "spring s: from O to P, stiffness k, tension k*x";
    spring_of_length_and_law E0421 LINE "spring s: from O to P, length 1 [m], tension k*x";
    spring_at_rest_between E0421 LINE "spring s: from O to P, stiffness k, rest 1 [m]";
    spring_of_length_on E0421 LINE "spring s: on x, stiffness k, length 1 [m]";
    spring_stated_twice E0421 LINE "spring s: on x, stiffness k, stiffness k";
    spring_on_itself E0421 LINE "spring s: from P to P, stiffness k";
    spring_between_fixed_points E0421 LINE "point Q = O + 1 [m]*N.x\nspring s: from O to Q, stiffness k";
    spring_on_rate E0421 LINE "spring s: on x', stiffness m";
    spring_on_constant E0421 LINE "spring s: on m, stiffness k";
    spring_of_changing_stiffness E0421 LINE "spring s: on x, stiffness k*x/1 [m]";
    spring_law_on_several E0421 LINE "coord y : m\nspring s: on x - y, tension k*x";
    spring_of_frame E0104 LINE "spring s: from N to P, stiffness k";
    spring_as_value E0104 LINE "spring s: on x, stiffness k\noutput e = s";
    unit_of_stiffness E0202 LINE "spring s: from O to P, stiffness m";
    damper_of_stiffness E0421 LINE "damper s: on x, damping m/1 [s], stiffness k";
    damper_without_damping E0421 LINE "damper s: on x";
    spring_without_place E0004 LINE "spring s: stiffness k";
    spring_of_unknown_clause E0004 LINE "spring s: on x, stifness k";
    // Functions.
    foreign_function E0101 LINE "output s = heaviside(x)";
    function_by_formula E0101 LINE "output s = log10(x/1 [m])";
    units_of_hypot E0201 LINE "output s = hypot(x, m)";
    arguments_of_clamp E0107 LINE "output s = clamp(x, 2)";
    distance_from_itself E0109 LINE "output s = distance(P, P)";
    direction_of_nothing E0109 LINE "output s = unit(0)";
    momentum_of_point E0104 LINE "output s = momentum(P)";
    moment_of_momentum E0107 LINE "output s = angmom(A, O, P)";
    // Units.
    sum_of_units E0201 LINE "output s = x + m";
    difference_of_vectors E0201 LINE "output s = vel(P) - k*x*N.x";
    constraint_of_units E0201 LINE "constraint c: x = x'";
    units_of_min E0201 LINE "output s = min(x, m)";
    units_of_atan2 E0201 LINE "output s = atan2(x, x')";
    unit_of_default E0201 LINE "param r = 5 [kg] : m";
    unit_of_bound E0201 LINE "assume x > 1 [s]";
    unit_of_argument E0201 LINE "function f(x) : N\noutput s = f(m)";
    inferred_unit E0201 LINE "param c\nforce on P: -c*x'*N.x\noutput s = c + m";
    clash_is_told_once E0201 LINE "output s = (x + m) + (x + m)*x + k";
    plain_number_in_sum E0201 LINE "output s = x + 1";
    unit_of_force E0202 LINE "force on P: -m*x*N.x";
    unit_of_torque E0202 WHEEL "body W: frame B, mass m, center C, inertia [J, J, J]\ntorque on W: -m*q*B.z";
    unit_of_gravity E0202 LINE "gravity: -9.81*N.z";
    unit_of_mass E0202 LINE "particle B: mass 2 at P";
    unit_of_inertia E0202 WHEEL "body W: frame B, mass m, center C, inertia [0.5, J, m]";
    unit_of_place E0202 LINE "point Q = P + m*N.y";
    unit_of_generalized E0202 LINE "generalized x: k*x^2";
    unit_in_sine E0203 LINE "output s = sin(x)";
    unit_of_angle E0203 LINE "frame B = rotate(N, x, N.z)";
    unit_of_inferred_angle E0203 LINE "param r\nlet y = r*x + x\noutput s = exp(r*m)";
    exponent_with_unit E0204 LINE "output s = 2^x";
    exponent_that_varies E0204 LINE "param n : 1\noutput s = x^n";
    unknown_unit E0205 LINE "param T : Nm";
    unknown_unit_once E0205 LINE "param a, b, c : furlong";
    unknown_unit_of_number E0205 LINE "let r = 5 [sec]";
    root_of_unit E0205 LINE "let r = 5 [mm^(1/2)]";
    not_si E0206 LINE "param r : mm";
    degrees_declared E0206 LINE "coord q : deg\nlet s = sin(q)";
    // Several at once, each told.
    independent_errors E0101 LINE "let a = foo\nforce on P: k*x\nconstraint c: x = m\noutput b = a + 1\nparticle x: mass m at R";
}

#[test]
fn near_misses_are_of_the_right_sort() {
    let before = "model near\nparam mass1 : kg\ncoord theta, phi : rad\nfunction theta1(t) : rad\n\
        frame Wheel = rotate(N, theta, N.z)\nframe Wheels = rotate(Wheel, phi, Wheel.x)\n\
        point Hub = O + 1 [m]*Wheels.x\nparticle Rim: mass mass1 at Hub\n";
    for (line, expected) in [
        ("output r = thete", Some("the coordinate `theta`")),
        ("output r = mas1", Some("the parameter `mass1`")),
        ("output r = vel(Hbu)", Some("the point `Hub`")),
        ("output r = vel(Rin)", Some("the particle `Rim`")),
        // A point is wanted: the frame is not suggested though its name is nearer.
        ("output r = vel(Whel)", None),
        ("output r = angvel(Whel)", Some("the frame `Wheel`")),
        ("output r = wheels.y", Some("the frame `Wheels`")),
        ("output r = theta2(1)", Some("`theta1`")),
        ("output r = squrt(theta)", Some("`sqrt`")),
        ("output r = Norm(N.x)", Some("`norm`")),
        ("generalized fi: 0", None),
        ("generalized Phi: 0", Some("the coordinate `phi`")),
        ("output r = something", None),
    ] {
        let (_, found) = messages(&format!("{before}{line}\n"));
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        let help = found[0].help.as_deref();
        let suggested = help.filter(|h| h.starts_with("did you mean"));
        let expected = expected.map(|e| format!("did you mean {e}?"));
        assert_eq!(suggested, expected.as_deref(), "{line}");
    }
}

/// Nothing but a name.
const EMPTY: &str = "model nothing\n";
