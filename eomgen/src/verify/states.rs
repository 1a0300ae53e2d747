//! Random states: first of any kind, then such as meet the constraints.

mod draw;
use super::machine::Machine; use super::number::*; use super::truth::State;
/// tmp
pub fn exact(machine:&Machine<'_>, seed:u64)->Result<State<Modular>,Trouble>{ Ok(State::<Modular>::random(machine.system, seed)) }
/// tmp
#[cfg(feature="derive")]
pub fn rounded(machine:&Machine<'_>, seed:u64)->Result<State<Decimal>,Trouble>{ Ok(State::<Decimal>::random(machine.system, seed)) }
