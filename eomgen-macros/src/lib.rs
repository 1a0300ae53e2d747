//! Equations of motion as a module of a crate: the attribute [`macro@derive_eom`].
//!
//! A machine is described in a `.eom` file, by frames, points, bodies, loads and constraints. The attribute derives its equations of
//! motion and fills a module with them: structs for parameters and state, and plain functions for accelerations, constraint
//! forces, energies and more, which need no other crate at run time.
//!
//! # Features
//!
//! - `derive` (default): the attribute derives while the crate is compiled. This builds eomgen's algebra engine for the compiler's machine.
//! - Without it only committed files can be used (`generated = "..."`), and the engine is not built.

use proc_macro::TokenStream;

/// Derives the equations of motion of a model into the annotated module.
///
/// ```ignore (the model is a file of the user's crate)
/// use eomgen_macros::derive_eom;
///
/// /// The sleigh of the introduction.
/// #[derive_eom("models/sleigh.eom", method = "gibbs-appell")]
/// pub mod sleigh {}
///
/// let p = sleigh::Params { m1: 1.5, m2: 0.5, l: 1.0 };
/// let state = sleigh::State { u1: 1.0, u2: 0.5, ..Default::default() };
/// let rate = sleigh::derivative(0.0, &state.to_array(), &p);
/// ```
///
/// The module must have a body, `{}`, which may hold items of your own; its name, visibility, attributes and documentation stay.
/// The items are those that `eomgen derive` writes to a file for the same model and options.
///
/// # The model
///
/// One of these. Paths count from the folder of the crate's `Cargo.toml`.
///
/// - `"models/sleigh.eom"` or `model = "models/sleigh.eom"`: a file.
/// - `text = r#"model sleigh ..."#`: a text. Paths of parts that it uses count from the crate's folder too.
///
/// The crate is compiled again when the file, or one that it uses, changes.
///
/// # Options
///
/// Each says what the option of `eomgen derive` with the same name says; all may be left out.
///
/// - `method = "kane"`: the formulation, one of `newton-euler`, `kane`, `gibbs-appell`, `explicit-gibbs-appell`, `lagrange`, `maggi`,
///   `boltzmann-hamel`, `jourdain`, `appell-reduced`, `udwadia-kalaba`.
/// - `inverse = "one"`: the generalized inverse that `udwadia-kalaba` takes: `moore-penrose`, `one-four` or `one`.
/// - `route = "I"`: the way of `jourdain`: `I`, `II` or `III`.
/// - `plan = "reduced"`: the equations that are solved for the accelerations: `auto`, `reduced`, `bordered` or `newton-euler`.
/// - `prefer = "time"`: what the plan that is chosen has least of: `operations` or estimated `time`.
/// - `form = "auto"`: `closed` writes the equations out in full, `staged` as a list of definitions; `auto` decides by size.
/// - `output = ["tangent_projector", "gibbs_function"]`: quantities to add as functions, or a single one without brackets.
///   `eomgen methods` lists them.
/// - `jacobian = ["accelerations:q,v"]`: derivatives of outputs to add as functions, or a single one without brackets.
/// - `dependent = ["x'"]`: rates or speeds to eliminate, or a single one without brackets.
/// - `set(n = 20, left.n = 2)`: values for `const`s of the model.
/// - `batch = true`: functions of many states beside the others.
/// - `scalar = "f32"` or `"generic"`: what the code computes with; `"f64"` if left out.
/// - `fix(g = 9.81, left.m = 1/2)`: parameters that become numbers; `fix(all)` takes the model's defaults.
/// - `math = "std"`: the source of sines and the like; `libm` takes them from the crate `libm`, for `no_std`; `inline` writes sine and cosine into the module.
/// - `fma = true`: sums with products as one operation, for processors that have it.
///
/// # Committed files
///
/// - `generated = "src/sleigh.rs"`: takes the items from this file, which `eomgen derive` or `eomgen prepare` has written. Nothing is derived.
///   If the file is not what would be derived now, because the model, the options or eomgen's version changed or somebody edited it,
///   that is an error with the command that writes it anew.
///
/// ```ignore (the model and the committed file are files of the user's crate)
/// #[eomgen_macros::derive_eom("models/sleigh.eom", generated = "src/sleigh.rs")]
/// pub mod sleigh {}
/// ```
///
/// # Messages
///
/// Mistakes in a model are errors at the literal that names it, each with its place in the model's text. Warnings on a model are
/// warnings of the compiler of the kind `deprecated`: `#[allow(deprecated)]` on the module switches them off.
#[proc_macro_attribute]
pub fn derive_eom(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let root = eomgen::host::package_root();
    eomgen::attribute::expand(arguments.into(), item.into(), root.as_deref()).into()
}
