//! Code for build scripts.
