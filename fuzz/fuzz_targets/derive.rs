//! Any text as far as a module: what the front end lets pass is derived, with small budgets, by each formulation in turn. Needs the algebra engine.
#![no_main]

use eomgen::options::DeriveOptions;
use eomgen::{Failure, Source, derive_source, internals::input::read_source, methods};
use libfuzzer_sys::fuzz_target;

/// Longer models take longer than they teach.
const LONGEST: usize = 2000;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let source = Source::new("fuzz.eom", text);
    if text.len() > LONGEST || read_source(&source, &[]).is_err() {
        return;
    }
    let methods = methods();
    let method = &methods[usize::from(*first) % methods.len()];
    let options = DeriveOptions {
        method: Some(method.name.to_owned()),
        ..DeriveOptions::default()
    };
    if let Err(Failure::Message(message)) = derive_source(&source, &options) {
        panic!("{message}");
    }
});
