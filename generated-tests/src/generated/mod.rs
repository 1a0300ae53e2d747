//! Modules written by `cargo run -p generated-tests --bin refresh`; not to be edited by hand.

/// `models/ball_on_turntable.eom` by kane.
pub mod ball_on_turntable;
/// `models/bead_on_hoop.eom` by lagrange.
pub mod bead_on_hoop;
/// `models/cart_double_pendulum_dependent.eom` by udwadia-kalaba.
pub mod cart_double_pendulum_dependent;
/// `models/crane.eom` by lagrange.
pub mod crane;
/// `models/disc.eom` by kane.
pub mod disc;
/// `models/disc_contact.eom` by gibbs-appell.
pub mod disc_contact;
/// `models/double_pendulum.eom` by lagrange.
pub mod double_pendulum;
/// `models/e1_appell.eom` by udwadia-kalaba.
pub mod e1_appell;
/// `models/e2_appell_rheonomic.eom` by gibbs-appell.
pub mod e2_appell_rheonomic;
/// `models/e3_appell_nonideal.eom` by udwadia-kalaba.
pub mod e3_appell_nonideal;
/// `models/e4_sleigh_cartesian.eom` by gibbs-appell.
pub mod e4_sleigh_cartesian;
/// `models/e4_sleigh.eom` by gibbs-appell.
pub mod e4_sleigh_gibbs_appell;
/// `models/e4_sleigh.eom` by kane.
pub mod e4_sleigh_kane;
/// `models/e4_sleigh.eom` by lagrange.
pub mod e4_sleigh_lagrange;
/// `models/e4_sleigh_rheonomic.eom` by kane.
pub mod e4_sleigh_rheonomic;
/// `models/e4_sleigh_six.eom` by lagrange.
pub mod e4_sleigh_six;
/// `models/e4_sleigh_speeds.eom` by gibbs-appell.
pub mod e4_sleigh_speeds;
/// `models/e4_sleigh.eom` by udwadia-kalaba.
pub mod e4_sleigh_udwadia_kalaba;
/// `models/e5_wheel_axle.eom` by kane.
pub mod e5_wheel_axle;
/// `models/e5_wheel_axle_full.eom` by lagrange.
pub mod e5_wheel_axle_full;
/// `models/e5_wheel_axle_rows.eom` by gibbs-appell.
pub mod e5_wheel_axle_rows;
/// `models/energy_elastic_pendulum.eom` by lagrange.
pub mod energy_elastic_pendulum;
/// `models/energy_hunt_crossley.eom` by kane.
pub mod energy_hunt_crossley;
/// `models/panda7.eom` by kane.
pub mod panda7;
/// `models/pend_abs_1.eom` by gibbs-appell.
pub mod pend_abs_1;
/// `models/pend_abs_10.eom` by kane.
pub mod pend_abs_10;
/// `models/pend_abs_2.eom` by lagrange.
pub mod pend_abs_2;
/// `models/pend_abs_20.eom` by kane.
pub mod pend_abs_20;
/// `models/pend_abs_3.eom` by udwadia-kalaba.
pub mod pend_abs_3;
/// `models/pend_abs_5.eom` by gibbs-appell.
pub mod pend_abs_5;
/// `models/pend_rel_5.eom` by kane.
pub mod pend_rel_5;
/// `models/rigid_body.eom` by kane.
pub mod rigid_body;
/// `models/scotch_yoke.eom` by gibbs-appell.
pub mod scotch_yoke;
/// `models/sleigh_ref.eom` by lagrange.
pub mod sleigh_ref;
/// `models/spherical_pendulum.eom` by udwadia-kalaba.
pub mod spherical_pendulum;
/// `models/ur5.eom` by kane.
pub mod ur5;
