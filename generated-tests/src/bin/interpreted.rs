//! What one evaluation of a machine's equations costs in `eomgen simulate`: `interpreted MODEL.eom...` prints nanoseconds, at changing states, with
//! inputs 0. `peers/interpreter.sh` sets it against the compiled module.

use eomgen::Source;
use eomgen::internals::input::read;
use eomgen::options::DeriveOptions;
use eomgen::simulation::{Mechanism, MotionRequest, machine_source};
use num_traits::ToPrimitive;
use std::process::ExitCode;
use std::time::Instant;

/// Evaluations of one measurement, and measurements, of which the least counts.
const EVALUATIONS: u32 = 100_000;
const ROUNDS: usize = 5;

fn nanoseconds(path: &str) -> Result<f64, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let failed = |f: eomgen::Failure| format!("{path}: {f:?}");
    let (system, _) = read(&text).map_err(failed)?;
    let zero = |name: &String| (name.clone(), "0".to_owned());
    let request = MotionRequest {
        inputs: system.inputs.iter().map(|i| zero(&i.meta.name)).collect(),
        ..MotionRequest::default()
    };
    let source = Source::new(path, &text);
    let (machine, _) =
        machine_source(&source, &DeriveOptions::default(), &request).map_err(failed)?;
    let default = |p: &eomgen::internals::model::system::Param| p.default.as_ref()?.to_f64();
    let params = system.params.iter().map(|p| default(p).unwrap_or(1.0));
    let mut mechanism = Mechanism::new(&machine, params.collect());
    let states = machine.coords.len() + machine.independent.len();
    let start: Vec<f64> = (0..states).map(|k| 0.1 + 0.05 * k as f64).collect();
    let (mut x, mut rate) = (start.clone(), vec![0.0; states]);
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        for _ in 0..EVALUATIONS {
            let done = mechanism.derivative(0.0, &x, &mut rate);
            done.map_err(|fault| format!("{path}: {}", fault.what))?;
            for k in 0..states {
                x[k] = start[k] + 1e-9 * rate[k];
            }
        }
        least = least.min(clock.elapsed().as_nanos() as f64 / f64::from(EVALUATIONS));
    }
    Ok(least)
}

fn main() -> ExitCode {
    for path in std::env::args().skip(1) {
        match nanoseconds(&path) {
            Ok(found) => println!("{found:.1}"),
            Err(why) => {
                eprintln!("{why}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
