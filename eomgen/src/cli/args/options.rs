//! Options that commands have in common.

use clap::{Args, ValueEnum};

use super::values::{
    constant, fixed, inverses, method_names, plan, plans, prefer, preferences, routes, variant,
};
use crate::cli::console::Problem;
use crate::pipeline::{self, DeriveOptions, Fix};

/// Options that `derive` and `eval` share.
#[derive(Debug, Args)]
pub(in crate::cli) struct OptionArgs {
    /// Formulation; chosen automatically by default
    #[arg(long, value_name = "NAME", value_parser = method_names())]
    pub(in crate::cli) method: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) shared: SharedArgs,
}

/// Options that those who derive share, the formulation apart.
#[derive(Debug, Args)]
pub(in crate::cli) struct SharedArgs {
    /// Equations written out in full (closed), as a sequence of definitions (staged), or chosen by size
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    pub(in crate::cli) form: FormArg,
    /// Rate or speed to eliminate, such as "x'"; may be repeated
    #[arg(long, value_name = "RATE")]
    pub(in crate::cli) dependent: Vec<String>,
    /// Generalized inverse of udwadia-kalaba; the accelerations do not depend on it
    #[arg(long, value_name = "NAME", value_parser = inverses())]
    pub(in crate::cli) inverse: Option<String>,
    /// Derivation used by jourdain: Wang and Pao's method I, II or III
    #[arg(long, value_name = "NAME", value_parser = routes())]
    pub(in crate::cli) route: Option<String>,
    /// System to eliminate for the accelerations: in the independent speeds (reduced), with multipliers (bordered), or of all bodies (newton-euler)
    #[arg(long, value_name = "NAME", value_parser = plans())]
    pub(in crate::cli) plan: Option<String>,
    /// Criterion for the choice of plan: fewest operations, or least estimated time
    #[arg(long, value_name = "NAME", value_parser = preferences())]
    pub(in crate::cli) prefer: Option<String>,
    /// Quantity to add to the module, see `eomgen methods`; may be repeated, or separated by commas
    #[arg(
        long = "output",
        id = "quantities",
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub(in crate::cli) outputs: Vec<String>,
    /// Derivatives of an output to add, such as accelerations:q,v; groups are q, v, inputs, params, t, or single names
    #[arg(long = "jacobian", id = "jacobians", value_name = "OUTPUT:GROUP,...")]
    pub(in crate::cli) jacobians: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) set: SetArgs,
}

/// Constants that are chosen outside the model.
#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    /// Value that replaces the one of a `const` in the model; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = constant)]
    pub(in crate::cli) set: Vec<(String, i64)>,
    /// Parameter to replace by a number, such as g=9.81, or all to use the model's defaults; may be repeated
    #[arg(long, value_name = "NAME=VALUE|all", value_parser = fixed)]
    pub(in crate::cli) fix: Vec<String>,
}

impl SetArgs {
    /// What becomes a number.
    pub(in crate::cli) fn fix(&self) -> Result<Fix, Problem> {
        let mut fix = Fix::default();
        for text in &self.fix {
            fix.add(text).map_err(Problem::Usage)?;
        }
        Ok(fix)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FormArg {
    Auto,
    Closed,
    Staged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum MathArg {
    Std,
    Libm,
    Inline,
}

impl From<FormArg> for pipeline::Form {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Auto => Self::Auto,
            FormArg::Closed => Self::Closed,
            FormArg::Staged => Self::Staged,
        }
    }
}

impl From<MathArg> for pipeline::Math {
    fn from(math: MathArg) -> Self {
        match math {
            MathArg::Std => Self::Std,
            MathArg::Libm => Self::Libm,
            MathArg::Inline => Self::Inline,
        }
    }
}

impl OptionArgs {
    /// The library's options.
    pub(in crate::cli) fn with_math(&self, math: MathArg) -> Result<DeriveOptions, Problem> {
        Ok(DeriveOptions {
            math: math.into(),
            ..self.shared.by(self.method.clone())?
        })
    }
}

impl SharedArgs {
    /// The library's options with a formulation.
    pub(super) fn by(&self, method: Option<String>) -> Result<DeriveOptions, Problem> {
        Ok(DeriveOptions {
            method,
            form: self.form.into(),
            dependent: self.dependent.clone(),
            set: self.set.set.clone(),
            fix: self.set.fix()?,
            variant: variant(self.inverse.as_deref(), self.route.as_deref()),
            plan: plan(self.plan.as_deref()),
            prefer: prefer(self.prefer.as_deref()),
            outputs: self.outputs.clone(),
            jacobians: self.jacobians.clone(),
            ..DeriveOptions::default()
        })
    }
}
