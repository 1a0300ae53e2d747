//! The functions that E1 to E3 ask of their caller, as in the reference files, with derivatives where they are asked for.
#![allow(non_snake_case)]

use crate::generated::{e1_appell, e2_appell_rheonomic, e3_appell_nonideal};

/// Fx = 0.6 y z, Fy = -1.3 (x - z^2), Fz = 0.45 x y - 9.81
#[derive(Clone, Copy, Debug)]
pub struct Appell;
impl e1_appell::Functions for Appell {
    fn Fx(&self, _x: f64, y: f64, z: f64) -> f64 {
        0.6 * y * z
    }
    fn Fy(&self, x: f64, _y: f64, z: f64) -> f64 {
        -1.3 * (x - z * z)
    }
    fn Fz(&self, x: f64, y: f64, _z: f64) -> f64 {
        0.45 * x * y - 9.81
    }
}

/// h = sin(x) y + z^2/2 + x cos(1.9 t)
#[derive(Clone, Copy, Debug)]
pub struct Rheonomic;
impl e2_appell_rheonomic::Functions for Rheonomic {
    fn h(&self, x: f64, y: f64, z: f64, t: f64) -> e2_appell_rheonomic::Jet1<4> {
        let (s, c) = (1.9 * t).sin_cos();
        e2_appell_rheonomic::Jet1 {
            value: x.sin() * y + z * z / 2.0 + x * c,
            gradient: [x.cos() * y + c, x.sin(), z, -1.9 * x * s],
        }
    }
}

/// Fx = 1.1 cos(t) y, Fy = -0.7 x z, Fz = 2 sin(x) - 0.9 z, g = x y + sin(z) t/2 + z
#[derive(Clone, Copy, Debug)]
pub struct Nonideal;
impl e3_appell_nonideal::Functions for Nonideal {
    fn Fx(&self, _x: f64, y: f64, _z: f64, t: f64) -> f64 {
        1.1 * t.cos() * y
    }
    fn Fy(&self, x: f64, _y: f64, z: f64, _t: f64) -> f64 {
        -0.7 * x * z
    }
    fn Fz(&self, x: f64, _y: f64, z: f64, _t: f64) -> f64 {
        2.0 * x.sin() - 0.9 * z
    }
    fn g(&self, x: f64, y: f64, z: f64, t: f64) -> e3_appell_nonideal::Jet1<4> {
        e3_appell_nonideal::Jet1 {
            value: x * y + z.sin() * t / 2.0 + z,
            gradient: [y, x, z.cos() * t / 2.0 + 1.0, z.sin() / 2.0],
        }
    }
}
