//! Mechanisms of textbooks and example galleries: every model by every formulation against Gauss's principle on point masses (and that against
//! differences of places), and where its source prints equations or numbers, against those.
#![cfg(feature = "pipeline")]

mod published;

use eomgen::pipeline::Form;
use generated_tests::judge::{Settings, check};
use generated_tests::reference::model_text;

fn judged(model: &str, settings: Settings) {
    let settings = Settings {
        forms: vec![Form::Auto],
        spread: 0.3,
        ..settings
    };
    if let Err(complaint) = check(&model_text(model).unwrap(), &settings) {
        panic!("{complaint}");
    }
}

macro_rules! judged {
    ($($model:ident $({ $($field:ident: $value:expr),* })?;)*) => {$(
        #[test]
        fn $model() {
            #[allow(clippy::needless_update)]
            judged(stringify!($model), Settings { $($($field: $value,)*)? ..Settings::default() });
        }
    )*};
}

judged! {
    acrobot;
    appell_hamel;
    arm_rrp;
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
    chaplygin_sleigh;
    conical_three;
    crane;
    differential_drive;
    double_pendulum_torsion;
    flexible_satellite;
    four_bar;
    furuta;
    gyropendulum;
    holonomic_three;
    jeffcott_rotor;
    knife_edge_incline;
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
    spinning_book;
    three_rrr;
    tippe_top;
    universal_joint;
    vibration_absorber;
    watt_governor;
    whipple_bicycle;
    yo_yo { functions: vec![("h", "0.2*sin(3*t)")] };
}
