//! Equations of motion as a module of a crate: the attribute [`macro@derive_eom`].
//!
//! A mechanism is described in a `.eom` file, by frames, points, bodies, loads and constraints. The attribute derives its equations of
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
/// The module must have a body, `{}`, which may contain your own items; its name, visibility, attributes and documentation are kept.
/// The items are those that `eomgen derive` writes to a file for the same model and options.
///
/// # The model
///
/// One of these. Paths are relative to the folder of the crate's `Cargo.toml`.
///
/// - `"models/sleigh.eom"` or `model = "models/sleigh.eom"`: a file.
/// - `text = r#"model sleigh ..."#`: a text. Paths of parts that it uses are relative to the crate's folder too.
///
/// The crate is compiled again when the file, or one that it uses, changes.
///
/// # Options
///
/// Each means the same as the option of `eomgen derive` with that name; all are optional.
///
/// - `method = "kane"`: the formulation, one of `newton-euler`, `kane`, `gibbs-appell`, `explicit-gibbs-appell`, `lagrange`, `maggi`,
///   `boltzmann-hamel`, `jourdain`, `appell-reduced`, `udwadia-kalaba`.
/// - `inverse = "one"`: the generalized inverse that `udwadia-kalaba` uses: `moore-penrose`, `one-four` or `one`.
/// - `route = "I"`: the derivation used by `jourdain`: `I`, `II` or `III`.
/// - `plan = "reduced"`: the equations that are solved for the accelerations: `auto`, `reduced`, `bordered` or `newton-euler`.
/// - `prefer = "operations"`: how plans are compared: by `operations` or by estimated `time`, the default.
/// - `form = "auto"`: `closed` writes the equations out in full, `staged` as a sequence of definitions; `auto` decides by size.
/// - `output = ["tangent_projector", "gibbs_function"]`: quantities to add as functions, or a single one without brackets.
///   `eomgen methods` lists them.
/// - `only = ["accelerations", "derivative"]`: the functions to keep of those that a module has by default.
/// - `jacobian = ["accelerations:q,v"]`: derivatives of outputs to add as functions, or a single one without brackets.
/// - `dependent = ["x'"]`: rates or speeds to eliminate, or a single one without brackets.
/// - `set(n = 20, left.n = 2)`: values for `const`s of the model.
/// - `batch = true`: additional functions for many states.
/// - `scalar = "f32"` or `"generic"`: the number type; the default is `"f64"`.
/// - `fix(g = 9.81, left.m = 1/2)`: parameters to replace by numbers; `fix(all)` uses the model's defaults.
/// - `math = "auto"`: the source of sines and the like: `std`, or the crate `libm` with `libm`, for `no_std`; `inline` writes sine and cosine into the module
///   and takes the rest from `std`. `auto` is one of the two by the number of angles.
/// - `fma = true`: fused multiply-add, for processors that have it.
///
/// # Committed files
///
/// - `generated = "src/sleigh.rs"`: uses the items of this file, written by `eomgen derive` or `eomgen prepare`. Nothing is derived.
///   If the file is not what would be derived now, because the model, the options or eomgen's version changed or somebody edited it,
///   there is an error that shows the command to refresh it.
///
/// ```ignore (the model and the committed file are files of the user's crate)
/// #[eomgen_macros::derive_eom("models/sleigh.eom", generated = "src/sleigh.rs")]
/// pub mod sleigh {}
/// ```
///
/// # Messages
///
/// Errors in a model are reported at the literal that names it, each with its location in the model's text. Warnings about a model are
/// compiler warnings of the lint `deprecated`: `#[allow(deprecated)]` on the module turns them off.
#[proc_macro_attribute]
pub fn derive_eom(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let root = eomgen::internals::files::package_root();
    eomgen::internals::attribute::expand(arguments.into(), item.into(), root.as_deref()).into()
}
