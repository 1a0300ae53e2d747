/// Whether all lanes are 1. All of them are looked at, side by side.
fn all_sound<const W: usize>(sound: &[f64; W]) -> bool {
    sound.iter().fold(true, |all, &lane| all & (lane == 1.0))
}
