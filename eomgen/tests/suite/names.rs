//! A model whose names are keywords of Rust, names of the generated code, and letters of other scripts.
#![cfg(feature = "derive")]

use eomgen::{Failure, derive, options::DeriveOptions};
use std::process::Command;

const NASTY: &str = "\
model fn
param fn, match, type, self, Self, super, crate, dyn, t_, p : kg > 0
param θ, été, Θ : m > 0
param p_, state, State, Params, inputs, functions, x_dot, theta_ddot : m > 0
param MASS, mass, Mass, sin, f64 : 1
coord x, X, ψ_1, loop : m
coord accelerations, rates, COORDINATES : rad
input async, output_e : N
function where(x, t) : N
frame B = rotate(N, accelerations, N.z)
frame body = rotate(B, rates + COORDINATES, B.z)
point P = O + (x + X)*N.x + ψ_1*N.y + loop*N.z
point Q = P + θ*B.x + (été + Θ)*body.y
point frame = O + X*N.y + state*body.x
particle A: mass fn + match + type + self + Self + super + crate + dyn + t_ + p at P
particle C: mass fn at Q
particle D: mass fn at frame
body mass_matrix: frame body, mass fn, center Q, inertia [fn*θ^2, fn*θ^2, fn*θ^2]
body multipliers: frame B, mass fn, center P, inertia [fn*θ^2, fn*θ^2, fn*θ^2]
force on P: (async + output_e + where)*N.x
speed u = x'
constraint Coordinate: x' = (p_ + x_dot + theta_ddot + Params + State + inputs + functions)*rates'
let kinetic_energy = fn*x'^2/2
output e = kinetic_energy + MASS*mass*Mass*sin*f64*kinetic_energy
output E = e2
let e2 = kinetic_energy
output gibbs = kinetic_energy
";

#[test]
fn a_model_of_nasty_names_compiles_without_warnings() {
    let code = match derive("nasty.eom", NASTY, &DeriveOptions::default()) {
        Ok(derived) => derived.code,
        Err(Failure::Diagnostics(list)) => panic!("{list:#?}"),
        Err(Failure::Message(message)) => panic!("{message}"),
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nasty.rs");
    std::fs::write(&file, code).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let result = Command::new(rustc)
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit",
            "metadata",
            "-D",
            "warnings",
        ])
        .arg("--out-dir")
        .arg(folder.path())
        .arg(&file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{said}");
}
