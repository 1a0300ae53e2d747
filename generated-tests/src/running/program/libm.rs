//! The functions of the crate `libm`, by those of the standard library. The library includes this file as text.

macro_rules! one {
    ($($name:ident $single:ident $method:ident)*) => {$(
        pub fn $name(x: f64) -> f64 { x.$method() }
        pub fn $single(x: f32) -> f32 { x.$method() }
    )*};
}

one! {
    sin sinf sin
    cos cosf cos
    tan tanf tan
    asin asinf asin
    acos acosf acos
    atan atanf atan
    sinh sinhf sinh
    cosh coshf cosh
    tanh tanhf tanh
    asinh asinhf asinh
    acosh acoshf acosh
    atanh atanhf atanh
    sqrt sqrtf sqrt
    exp expf exp
    log logf ln
    fabs fabsf abs
}

pub fn sincos(x: f64) -> (f64, f64) { x.sin_cos() }
pub fn sincosf(x: f32) -> (f32, f32) { x.sin_cos() }
pub fn atan2(y: f64, x: f64) -> f64 { y.atan2(x) }
pub fn atan2f(y: f32, x: f32) -> f32 { y.atan2(x) }
pub fn pow(x: f64, y: f64) -> f64 { x.powf(y) }
pub fn powf(x: f32, y: f32) -> f32 { x.powf(y) }
pub fn fma(a: f64, b: f64, c: f64) -> f64 { a.mul_add(b, c) }
pub fn fmaf(a: f32, b: f32, c: f32) -> f32 { a.mul_add(b, c) }
