//! The words that options take, each list as an enum.

/// Declares an enum whose variants have words, with the list of both.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $($(#[$about])* $variant,)* }

        impl $name {
            /// The words, in the order in which they are listed.
            pub const WORDS: &[&str] = &[$($word),*];
            /// All of them, in that order.
            pub const ALL: [Self; Self::WORDS.len()] = [$(Self::$variant),*];

            /// The word for it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The one that has this word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }
        }
    )*};
}

choices! {
    /// The expression form of the equations.
    Form {
        /// By size: closed for small systems, staged for large ones.
        #[default]
        Auto = "auto",
        /// Written out in full.
        Closed = "closed",
        /// As a sequence of definitions, each in terms of earlier ones.
        Staged = "staged",
    }

    /// A generalized inverse (Udwadia & Kalaba 1998, 24-26). The accelerations do not depend on the choice.
    Inverse {
        /// Of `A M^-1/2`, the inverse of all four Penrose conditions.
        MoorePenrose = "moore-penrose",
        /// Of `A M^-1/2`, any inverse of the first and fourth condition.
        OneFour = "one-four",
        /// Of `G = A M^-1 A^T`, any inverse of the first condition.
        #[default]
        One = "one",
    }

    /// A derivation of the equations in privileged velocities (Wang & Pao, section III), by their numbers.
    Route {
        /// The variational equation itself.
        #[default]
        Variational = "I",
        /// Appell's equation in generalized coordinates, with C (52).
        Coordinates = "II",
        /// Appell's equation in quasi-velocities (56).
        QuasiVelocities = "III",
    }

    /// Which system of equations is eliminated for the accelerations.
    Plan {
        /// The cheapest of those that cannot fail and keep their digits.
        #[default]
        Auto = "auto",
        /// The equations in the independent speeds: the mass matrix is factored.
        Reduced = "reduced",
        /// The equations in q'' with the multipliers of the constraints as unknowns.
        Bordered = "bordered",
        /// The momentum balances of all bodies, with the reactions of joints and constraints as unknowns.
        NewtonEuler = "newton-euler",
    }

    /// How plans are compared.
    Prefer {
        /// Operations: exact, and the same on every machine.
        Operations = "operations",
        /// Time of one evaluation, estimated from the operations and the critical path; of plans that take about as long, operations.
        #[default]
        Time = "time",
    }

    /// Where the generated code takes its sines and square roots from.
    Math {
        /// Sines and cosines written into the module where that pays: where its numbers are `f64` or `f32`, and a function has those of many angles or
        /// takes many states. Everything else from the standard library.
        #[default]
        Auto = "auto",
        /// The standard library.
        Std = "std",
        /// The `libm` crate, for `no_std`.
        Libm = "libm",
        /// Sines and cosines written into the module, everything else from the standard library; not for every type of numbers.
        Inline = "inline",
    }

    /// The number type of the generated code.
    Scalar {
        /// `f64`
        #[default]
        F64 = "f64",
        /// `f32`
        F32 = "f32",
        /// A type parameter, bound by a small trait of the module.
        Generic = "generic",
    }
}

/// Variants of formulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Which generalized inverse the Udwadia-Kalaba equation uses.
    pub inverse: Inverse,
    /// Which of Wang and Pao's derivations the Jourdain equation uses.
    pub route: Route,
}

impl Variant {
    /// The variant by the names of its parts; `None` for one that does not exist.
    pub fn named(inverse: Option<&str>, route: Option<&str>) -> Option<Self> {
        Some(Self {
            inverse: inverse.map_or(Some(Inverse::default()), Inverse::named)?,
            route: route.map_or(Some(Route::default()), Route::named)?,
        })
    }
}
