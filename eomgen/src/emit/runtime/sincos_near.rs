/// Sine and cosine of an angle, each with an error of less than one unit in the last place, and whether they are: not beyond 1.6e6, and
/// not so near to a multiple of pi/2 that the reduced angle has lost digits. The angle is reduced by a multiple of pi/2 in two parts, of
/// which the first has 33 bits, so that its product with a number of 20 bits is exact (Cody and Waite). The polynomials on [-pi/4, pi/4]
/// are those of FDLIBM 5.3, k_sin.c and k_cos.c (Sun Microsystems 1993), each in three parts that need not wait for one another.
#[inline(always)]
#[allow(clippy::approx_constant, clippy::excessive_precision)]
fn sincos_near(angle: f64) -> (f64, f64, bool) {
    // The sum rounds to a whole number, whose last bits are those of the sum.
    const ROUND: f64 = 6755399441055744.0;
    let shifted = angle * 0.6366197723675814 + ROUND;
    let count = shifted - ROUND;
    let quarter = shifted.to_bits();
    let first = angle - count * 1.5707963267341256;
    let part = count * 6.077100506506192e-11;
    let x = first - part;
    let sound = (angle.abs() <= 1.6e6) & (x.abs() >= 16.0 * part.abs());
    // The reduced angle is the difference of the two. Subtracted, so that minus zero stays what it is.
    let lost = part - (first - x);

    let z = x * x;
    let zz = z * z;
    let p = 2.75573137070700676789e-06
        + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
    let p = 8.33333333332248946124e-03 + z * -1.98412698298579493134e-04 + zz * p;
    let sine = x - (lost - x * z * (-1.66666666666666324348e-01 + z * p));
    let p = -2.75573143513906633035e-07
        + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11);
    let p = -1.38888888888741095749e-03 + z * 2.48015872894767294178e-05 + zz * p;
    let half = 0.5 * z;
    let near = 1.0 - half;
    let small = zz * (4.16666666666666019037e-02 + z * p) + x * lost;
    let cosine = near + (((1.0 - near) - half) + small);

    let odd = quarter & 1 == 1;
    let sin = if odd { cosine } else { sine };
    let cos = if odd { sine } else { cosine };
    let sign = |quarter: u64| (quarter & 2) << 62;
    (
        f64::from_bits(sin.to_bits() ^ sign(quarter)),
        f64::from_bits(cos.to_bits() ^ sign(quarter.wrapping_add(1))),
        sound,
    )
}
