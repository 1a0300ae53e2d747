//! What people write who come from other languages, and what it is here.

/// The rate of a coordinate or the like, as other languages name it: `xdot`, `x_dot`, `xd`, `dx`, `der_x`.
pub fn rate_of(name: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    let twice = [("_ddot", ""), ("ddot", ""), ("_dd", ""), ("dd", "")];
    let once = [("_dot", ""), ("dot", ""), ("_d", ""), ("d", ""), ("_p", "")];
    let ends = |list: &[(&str, &str)]| {
        let bases = list.iter().filter_map(|(end, _)| name.strip_suffix(end));
        bases.filter(|b| known(b)).map(str::to_string).next()
    };
    let starts = ["d_", "d", "der_"]
        .iter()
        .filter_map(|s| name.strip_prefix(s));
    if let Some(base) = ends(&twice) {
        return Some(format!("{base}''"));
    }
    let base = ends(&once).or_else(|| starts.filter(|b| known(b)).map(str::to_string).next())?;
    Some(format!("{base}'"))
}

/// What a function of another language is here, in words.
pub fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "der" | "diff" | "ddt" | "deriv" | "derivative" | "Dt" | "D" => {
            "the rate of `x` is written `x'`, the derivative of a vector `dt(v, N)`"
        }
        "fabs" | "Abs" => "the absolute value is `abs(x)`",
        "arctan2" => "did you mean `atan2`?",
        "arctan" => "did you mean `atan`?",
        "arcsin" => "did you mean `asin`?",
        "arccos" => "did you mean `acos`?",
        "pow" | "Pow" => "powers are written `x^2`",
        "length" | "magnitude" => "the length of a vector is `norm(v)`",
        "omega" | "ang_vel_in" | "w" => "the angular velocity of a frame is `angvel(B)`",
        "alpha" | "ang_acc_in" => "the angular acceleration of a frame is `angacc(B)`",
        "velocity" | "v" => "the velocity of a point is `vel(P)`",
        "acceleration" | "a" => "the acceleration of a point is `acc(P)`",
        "sgn" | "signum" => "did you mean `sign`?",
        "vector" | "Vector" => "write a vector as `x*N.x + y*N.y + z*N.z`",
        "square" => "powers are written `x^2`",
        _ => return None,
    })
}
