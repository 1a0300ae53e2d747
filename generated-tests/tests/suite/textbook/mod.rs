//! Mechanisms of textbooks and example galleries: every model by every formulation against Gauss's principle on point masses (and that against
//! differences of positions), and where its source prints equations or numbers, against those.
#![cfg(feature = "pipeline")]

mod published;

use eomgen::options::Form;
use generated_tests::oracle::{Settings, check};
use generated_tests::reference::model_text;

fn checked(model: &str, settings: Settings) {
    let settings = Settings {
        forms: vec![Form::Auto],
        spread: 0.3,
        ..settings
    };
    if let Err(complaint) = check(&model_text(model).unwrap(), &settings) {
        panic!("{complaint}");
    }
}

/// The recipes of the manual.
#[test]
fn recipes() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");
    let text = std::fs::read_to_string(manual).unwrap();
    let (_, rest) = text.split_once("\n## Recipes").unwrap();
    let (recipes, _) = rest.split_once("\n## Grammar").unwrap();
    let mut count = 0;
    for fence in recipes.split("```eom\n").skip(1) {
        let (model, _) = fence.split_once("```").unwrap();
        let settings = Settings {
            forms: vec![Form::Auto],
            methods: vec!["kane", "lagrange"],
            spread: 0.2,
            ..Settings::default()
        };
        if let Err(complaint) = check(model, &settings) {
            panic!("{complaint}");
        }
        count += 1;
    }
    assert!(count >= 6);
}

macro_rules! checked {
    ($($model:ident $({ $($field:ident: $value:expr),* })?;)*) => {$(
        #[test]
        fn $model() {
            #[allow(clippy::needless_update)]
            checked(stringify!($model), Settings { $($($field: $value,)*)? ..Settings::default() });
        }
    )*};
}

checked! {
    acrobot;
    appell_hamel;
    arm_rrp;
    asymmetric_top;
    astrobee;
    babyboot;
    ball_and_beam;
    ball_on_turntable;
    ballbot;
    bead_on_hoop;
    block_and_cylinder;
    cam_follower { functions: vec![("lift", "0.02*sin(phi)^2 + 0.01*phi")] };
    car_two_trailers;
    cart_three_pendulums;
    charge_in_field;
    chaplygin_sleigh;
    conical_three;
    crane;
    differential_drive;
    double_pendulum_energies;
    double_pendulum_torsion;
    flexible_satellite;
    four_bar;
    furuta;
    gyropendulum;
    holonomic_three;
    jeffcott_rotor;
    ladder_with_friction;
    knife_edge_incline;
    mass_spring_chain;
    n_pendulum_cart;
    parallelogram;
    particle_in_tube;
    pendulum_nonminimal;
    planetary_gear;
    pogo;
    point_gravity;
    quadrotor;
    quadrotor_load;
    rattleback;
    reaction_wheel_pendulum;
    rod_on_ring;
    roller_racer;
    rolling_cone;
    rolling_disc;
    rope_and_pulleys;
    scara;
    scotch_yoke;
    segway;
    slider_crank;
    snakeboard;
    spacecraft_rotor;
    sphere_in_bowl;
    spinning_book;
    spinning_top;
    three_rrr;
    tippe_top;
    universal_joint;
    vibration_absorber;
    watt_governor;
    whipple_bicycle;
    yo_yo { functions: vec![("h", "0.2*sin(3*t)")] };
}
