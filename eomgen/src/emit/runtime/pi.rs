const PI: f64 = core::f64::consts::PI;
