// The attribute belongs to a module with a body.

use eomgen_macros::derive_eom;

#[derive_eom("models/line.eom")]
struct Sleigh;

#[derive_eom(methd = 1)]
fn sleigh() {}

fn main() {
    // What carries the attribute is there all the same.
    let _ = Sleigh;
    sleigh();
}
