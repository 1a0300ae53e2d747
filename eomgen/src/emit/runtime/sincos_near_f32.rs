/// Sine and cosine of an angle, each with an error of less than one unit in the last place, and whether they are: not beyond 1.6e6.
/// In double precision: the angle is reduced by a multiple of pi/2 in two parts, of which the first has 33 bits, so that its product with a
/// number of 20 bits is exact (Cody and Waite). The polynomials on [-pi/4, pi/4] are those of FreeBSD's k_sinf.c and k_cosf.c (B. D. Evans).
#[inline(always)]
#[allow(clippy::approx_constant, clippy::excessive_precision)]
fn sincos_near(angle: f32) -> (f32, f32, bool) {
    // The sum rounds to a whole number, whose last bits are those of the sum.
    const ROUND: f64 = 6755399441055744.0;
    let sound = angle.abs() <= 1.6e6;
    let angle = f64::from(angle);
    let shifted = angle * 0.6366197723675814 + ROUND;
    let count = shifted - ROUND;
    let quarter = shifted.to_bits();
    let x = (angle - count * 1.5707963267341256) - count * 6.077100506506192e-11;

    let z = x * x;
    let p = -0.000198393348360966317347 + z * 0.0000027183114939898219064;
    let p = -0.166666666416265235595 + z * (0.0083333293858894631756 + z * p);
    let sine = x * (1.0 + z * p);
    let p = -0.00138867637746099294692 + z * 0.0000243904487962774090654;
    let p = -0.499999997251031003120 + z * (0.0416666233237390631894 + z * p);
    let cosine = 1.0 + z * p;

    let odd = quarter & 1 == 1;
    let sin = if odd { cosine } else { sine };
    let cos = if odd { sine } else { cosine };
    let sign = |quarter: u64| (quarter & 2) << 62;
    (
        f64::from_bits(sin.to_bits() ^ sign(quarter)) as f32,
        f64::from_bits(cos.to_bits() ^ sign(quarter.wrapping_add(1))) as f32,
        sound,
    )
}
