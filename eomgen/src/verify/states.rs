//! Random states: first of any kind, then such as meet the constraints.

mod draw;
