//! The interface of a build without the algebra engine: models are read and checked, not derived.

use super::{DeriveOptions, Derived, Failure, Source, read_fixed};

fn refused() -> Failure {
    Failure::Message("this build of eomgen cannot derive (feature `derive` is off)".to_string())
}

/// See the build with feature `derive`.
pub fn derive(source_name: &str, text: &str, options: &DeriveOptions) -> Result<Derived, Failure> {
    derive_source(&Source::new(source_name, text), options)
}

/// See the build with feature `derive`.
pub fn derive_source(source: &Source, options: &DeriveOptions) -> Result<Derived, Failure> {
    read_fixed(source, &options.set, &options.fix)?;
    Err(refused())
}

/// What the command line asks for beside code.
#[cfg(feature = "cli")]
pub mod for_commands {
    use super::{derive_source, refused};
    use crate::diag::Diagnostic;
    use crate::pipeline::exposition::Exposition;
    use crate::pipeline::{
        CheckReport, DeriveOptions, Derived, Document, EvalInput, EvalOutput, Failure, Fix, Source,
        VerifyOptions, read_fixed,
    };
    use std::fmt;

    /// See the build with feature `derive`.
    pub fn document(
        source: &Source,
        options: &DeriveOptions,
        _kind: Document,
    ) -> Result<Derived, Failure> {
        derive_source(source, options)
    }

    /// See the build with feature `derive`.
    pub fn exposition(
        source: &Source,
        options: &DeriveOptions,
        _all: bool,
    ) -> Result<(Exposition, Vec<Diagnostic>), Failure> {
        derive_source(source, options)?;
        Err(refused())
    }

    /// See the build with feature `derive`.
    pub fn check(source_name: &str, text: &str) -> Result<CheckReport, Failure> {
        check_source(&Source::new(source_name, text), &[], &Fix::default())
    }

    /// See the build with feature `derive`.
    pub fn check_source(
        source: &Source,
        set: &[(String, i64)],
        fix: &Fix,
    ) -> Result<CheckReport, Failure> {
        read_fixed(source, set, fix)?;
        Err(refused())
    }

    /// See the build with feature `derive`.
    pub fn eval(
        source_name: &str,
        text: &str,
        options: &DeriveOptions,
        input: &EvalInput,
    ) -> Result<EvalOutput, Failure> {
        eval_source(&Source::new(source_name, text), options, input)
    }

    /// See the build with feature `derive`.
    pub fn eval_source(
        source: &Source,
        options: &DeriveOptions,
        _input: &EvalInput,
    ) -> Result<EvalOutput, Failure> {
        read_fixed(source, &options.set, &options.fix)?;
        Err(refused())
    }

    /// See the build with feature `derive`: there is none here.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Certificate {
        /// Warnings on the model.
        pub warnings: Vec<Diagnostic>,
    }

    impl Certificate {
        /// Never.
        pub fn holds(&self) -> bool {
            false
        }

        /// Nothing.
        pub fn to_json(&self) -> String {
            String::new()
        }
    }

    impl fmt::Display for Certificate {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }

    /// See the build with feature `derive`.
    pub fn verify_source(source: &Source, options: &VerifyOptions) -> Result<Certificate, Failure> {
        read_fixed(source, &options.derive.set, &options.derive.fix)?;
        Err(refused())
    }
}
