//! Models that several tests share.
#![cfg(all(feature = "cli", feature = "derive"))]

/// E4: one constraint, linear in the velocities.
pub const SLEIGH: &str = include_str!("../../../generated-tests/models/e4_sleigh.eom");
/// E5 with all its rows: six of rank five.
pub const WHEEL: &str = include_str!("../../../generated-tests/models/e5_wheel_axle_full.eom");
/// E1: nonlinear in the velocities and stated twice.
pub const APPELL: &str = include_str!("../../../generated-tests/models/e1_appell.eom");
/// E3: nonlinear and non-ideal, with functions of the user's.
pub const NONIDEAL: &str = include_str!("../../../generated-tests/models/e3_appell_nonideal.eom");
/// No constraints.
pub const PENDULUM: &str = include_str!("../../../generated-tests/models/double_pendulum.eom");
/// Dependent constraints, closed loop.
pub const CART: &str =
    include_str!("../../../generated-tests/models/cart_double_pendulum_dependent.eom");
