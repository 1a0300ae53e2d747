//! Where the sine and cosine of an angle lie at a test point of the [prime field](crate::field).

use crate::field::{Extended, Residue};

/// A rational point (sine, cosine) of the circle that depends on the angle's residue only, odd and even as they should be.
pub fn circle(angle: Extended) -> (Extended, Extended) {
    if angle == Extended::ZERO {
        return (Extended::ZERO, Extended::ONE);
    }
    let (negative, least) = angle.mirror();
    let mut t = least.mix(0xC1);
    loop {
        // -1 has no square root modulo this prime: the first turn of the loop ends it.
        if let Some(d) = (Residue::ONE + t * t).inverse() {
            let s = (t + t) * d;
            let c = (Residue::ONE - t * t) * d;
            return (Extended::from(if negative { -s } else { s }), c.into());
        }
        t = t + Residue::ONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::pseudo_random;

    #[test]
    fn sine_and_cosine_are_points_of_the_circle() {
        assert_eq!(circle(Extended::ZERO), (Extended::ZERO, Extended::ONE));
        for k in 1..50 {
            let a = Extended::from(pseudo_random(1, k));
            let (s, c) = circle(a);
            assert_eq!(s * s + c * c, Extended::ONE);
            assert_eq!(circle(-a), (-s, c));
            assert_ne!(circle(a + Extended::ONE), (s, c));
        }
    }
}
