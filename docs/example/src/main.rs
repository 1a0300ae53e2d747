//! The sleigh is set spinning with its engine on: the turning dies out, and the engine drives it away in a straight line.

use sleigh_example::checked::{Inputs, Model, Params, State};
use sleigh_example::drive::drive;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let params = Params::default();
    let model = Model::new(&params);
    let inputs = Inputs { thrust: 0.6 };
    let mut state = State {
        u2: 4.0,
        ..State::default()
    };
    println!(
        "{:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "t", "x", "y", "theta", "u1", "u2", "T"
    );
    for second in 0..=6 {
        let t = f64::from(second);
        let energy = model.kinetic_energy(t, &state.to_array(), &inputs);
        let State {
            x,
            y,
            theta,
            u1,
            u2,
        } = state;
        println!("{t:>5.1} {x:>8.4} {y:>8.4} {theta:>8.4} {u1:>8.4} {u2:>8.4} {energy:>8.4}");
        let motion = drive(params, inputs, state, 1.0)?;
        state = motion.last().map_or(state, |(_, state)| *state);
    }
    Ok(())
}
