// Each mistake is shown where it is made, all of one attribute at once.

use eomgen_macros::derive_eom;

#[derive_eom("models/line.eom", methd = "kane", foo(2), form = "open", method = "Kane")]
mod unknown {}

#[derive_eom("models/line.eom", inverse = "two", route = "4", math = "std2", output = ["aplied_forces", "nonsense"])]
mod values {}

#[derive_eom(17, text, form = 3, dependent = ["x'", 1, "", "a,b"], set = 3, math("libm"), = 4)]
mod kinds {}

#[derive_eom("models/line.eom", set(n = 1.5, k = 1, k = 2, 4),, form = "auto", form = "closed")]
mod constants {}

#[derive_eom("models/line.eom", "kane", text = "model m")]
mod two_models {}

#[derive_eom("models/line.eom", text = "model m")]
mod file_and_text {}

#[derive_eom(method = "kane")]
mod no_model {}

#[derive_eom(text = include_str!("a.eom"))]
mod not_expanded {}

#[derive_eom("", generated = " ")]
mod empty {}

fn main() {}
