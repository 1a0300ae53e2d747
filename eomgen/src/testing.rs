//! Snapshots of equations for the tests of crates that use eomgen: [`assert_equations!`](crate::assert_equations).
//!
//! A snapshot has the model's text above, and below it the equations, the conditions under which they fail, and the operation counts, so
//! that who reviews a change of a model sees in one file what was changed and what came of it.

use std::path::Path;

/// The crate whose snapshots these are; `cargo insta review` shows them.
pub use insta;

use crate::diag;
use crate::host::{Parts, read_model};
use crate::notation::{Line, aligned};
use crate::pipeline::{self, DeriveOptions, Failure, Fix, Source};

/// A model and how to derive its equations.
#[derive(Clone, Debug)]
pub struct Equations {
    model: String,
    options: DeriveOptions,
    fix: Vec<String>,
}

impl Equations {
    /// A model's file, relative to the package, and the name of a formulation.
    #[must_use]
    pub fn of(model: &str, method: &str) -> Self {
        Self {
            model: model.to_owned(),
            options: DeriveOptions {
                method: Some(method.to_owned()),
                ..DeriveOptions::default()
            },
            fix: Vec::new(),
        }
    }

    /// Values of `const`s of the model: `("n", 3)`.
    #[must_use]
    pub fn set(mut self, values: &[(&str, i64)]) -> Self {
        let values = values.iter();
        self.options
            .set
            .extend(values.map(|(name, value)| ((*name).to_owned(), *value)));
        self
    }

    /// Parameters that become numbers: `"g=9.81"`, or `"all"`.
    #[must_use]
    pub fn fix(mut self, values: &[&str]) -> Self {
        self.fix.extend(values.iter().map(|v| (*v).to_owned()));
        self
    }

    /// Quantities to add, those of `eomgen methods`.
    #[must_use]
    pub fn outputs(mut self, names: &[&str]) -> Self {
        let names = names.iter().map(|name| (*name).to_owned());
        self.options.outputs.extend(names);
        self
    }

    /// Rates or speeds to eliminate.
    #[must_use]
    pub fn dependent(mut self, rates: &[&str]) -> Self {
        let rates = rates.iter().map(|rate| (*rate).to_owned());
        self.options.dependent.extend(rates);
        self
    }

    /// What the snapshot is called: the model's file without its ending, the method, and what else was chosen.
    #[must_use]
    pub fn name(&self) -> String {
        let path = Path::new(&self.model);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        let mut name = stem.unwrap_or_default().into_owned();
        let options = &self.options;
        let set = options
            .set
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let more = set
            .chain(self.fix.iter().map(|fix| format!("fix {fix}")))
            .chain(options.dependent.iter().cloned())
            .chain(options.outputs.iter().cloned());
        for part in options.method.iter().cloned().chain(more) {
            name.push_str("__");
            name.push_str(&part.replace(['/', '\\', '\'', ' '], "_"));
        }
        name
    }

    /// The snapshot's text. `package` is the folder of the package, `CARGO_MANIFEST_DIR`.
    ///
    /// # Errors
    /// What is wrong with the file or the model, as the command line would say it.
    pub fn page(&self, package: &str) -> Result<String, String> {
        let path = Path::new(package).join(&self.model);
        let mut model = read_model(&path).map_err(|error| error.to_string())?;
        model.text = model.text.replace("\r\n", "\n");
        let package = Path::new(package);
        let parts = Parts::of(&model.name, [package], "parts lie there, or in the package");
        let mut source = Source::gather(&model.name, &model.text, |path| parts.read(path));
        // As it was requested: the place of the package is no part of the snapshot.
        source.name.clone_from(&self.model);
        let mut options = self.options.clone();
        options.fix = Fix::default();
        for fix in &self.fix {
            options.fix.add(fix)?;
        }
        let evaluator = pipeline::evaluator_source(&source, &options);
        let evaluator = evaluator.map_err(|failure| match failure {
            Failure::Message(message) => message,
            Failure::Diagnostics(list) => diag::render_sources(&source.sources(), &list, false),
        })?;
        let mut text = source.text.trim_end().to_owned();
        let pairs = options.pairs().into_iter().filter(|(key, _)| key != "form");
        let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key}={value}")).collect();
        text.push_str(&format!("\n\n======== {}\n", pairs.join(" ")));
        let docs = evaluator.documentation();
        let mut section = |title: &str, lines: &[String]| {
            if !lines.is_empty() {
                text.push_str(&format!("\n{title}\n  {}\n", lines.join("\n  ")));
            }
        };
        let written = |lines: &[Line]| lines.iter().map(Line::to_string).collect::<Vec<_>>();
        section("equations", &written(&docs.equations));
        section("accelerations", &written(&docs.accelerations));
        section("speeds", &written(&docs.speeds));
        section("kinematics", &written(&docs.kinematics));
        section("constraints", &written(&docs.constraints));
        for quantity in &docs.quantities {
            section(
                &format!("{} ({})", quantity.name, quantity.symbol),
                &aligned(&quantity.lines),
            );
        }
        section("remarks", &docs.remarks);
        section("singular where", &evaluator.conditions());
        let costs = evaluator.costs();
        let costs = costs.iter().map(|(name, cost)| format!("{name}: {cost}"));
        section("operations", &costs.collect::<Vec<_>>());
        Ok(text)
    }
}

/// Pins a model's equations in a snapshot beside the test: the model's text, then equations, conditions and operation counts.
///
/// ```ignore
/// #[test]
/// fn the_sleigh() {
///     eomgen::assert_equations!("models/sleigh.eom", "kane");
///     eomgen::assert_equations!("models/chain.eom", "lagrange", set = [("n", 3)], outputs = ["reactions"]);
/// }
/// ```
///
/// The path is relative to the package. Options are those of [`Equations`]: `set`, `fix`, `outputs`, `dependent`. A
/// model that cannot be derived fails the test with the message of the command line.
#[macro_export]
macro_rules! assert_equations {
    ($model:expr, $method:expr $(, $option:ident = [$($value:expr),* $(,)?])* $(,)?) => {{
        let equations = $crate::testing::Equations::of($model, $method)$(.$option(&[$($value),*]))*;
        match equations.page(env!("CARGO_MANIFEST_DIR")) {
            Ok(page) => $crate::testing::insta::assert_snapshot!(equations.name(), page),
            Err(error) => panic!("{error}"),
        }
    }};
}
