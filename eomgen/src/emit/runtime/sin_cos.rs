/// Sines and cosines of some angles, each as [`sincos`] has it.
#[inline(never)]
#[allow(clippy::needless_range_loop)]
fn sin_cos<const W: usize>(angles: &[f64; W], sines: &mut [f64; W], cosines: &mut [f64; W]) {
    let mut sound = true;
    for lane in 0..W {
        let near = sincos_near(angles[lane]);
        (sines[lane], cosines[lane]) = (near.0, near.1);
        sound &= near.2;
    }
    if !sound {
        sin_cos_each(angles, sines, cosines);
    }
}

/// One by one, where some are far.
#[cold]
#[inline(never)]
fn sin_cos_each<const W: usize>(angles: &[f64; W], sines: &mut [f64; W], cosines: &mut [f64; W]) {
    let lanes = sines.iter_mut().zip(cosines);
    for (angle, (sine, cosine)) in angles.iter().zip(lanes) {
        (*sine, *cosine) = sincos(*angle);
    }
}
