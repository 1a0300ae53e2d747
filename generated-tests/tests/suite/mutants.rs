//! Small errors in the generated modules: a fixed set of them (another operator, a sign, a constant, an index, a variable, exchanged
//! entries of the result) at every place of every function. The proof has to notice each, or it changes nothing: then
//! it is listed in `equivalent_mutants.txt`, with the reason.
#![cfg(feature = "generated")]

use eomgen::Source;
use eomgen::internals::pipeline::mutate_source;
use eomgen::internals::verify::proof::Request;
use eomgen::options::DeriveOptions;
use generated_tests::memo::module;
use generated_tests::reference::model_source;
use generated_tests::refreshing::{GENERATED, folder};
use std::collections::BTreeMap;
use std::path::PathBuf;

const REQUEST: Request = Request { states: 3, seed: 7 };

/// Modules above this size are tried at every so many-th place only.
const LARGE: usize = 100_000;

fn list() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/equivalent_mutants.txt")
}

/// What survives in a module, one line each, and how many errors there were.
fn survivors(module: &str, model: &str, stride: usize) -> (Vec<String>, usize) {
    let source = model_source(model).unwrap();
    let name = format!("{module}.rs");
    let text = std::fs::read_to_string(folder().join(&name)).unwrap();
    let report = mutate_source(&source, (&name, &text), REQUEST, stride);
    let report = report.unwrap_or_else(|e| panic!("{module}: {e:?}"));
    assert_eq!(report.skipped, Vec::<String>::new(), "{module}");
    let lines: Vec<&str> = text.lines().collect();
    let survivors = report.survivors.iter();
    let survivors: Vec<String> = survivors
        .map(|s| {
            // By the text of the line, so that an edit elsewhere moves nothing.
            let line = lines[s.line as usize - 1].trim();
            format!(
                "{module}::{}: `{line}`: {}: {}",
                s.function, s.text, s.reason
            )
        })
        .collect();
    let all = report.caught + survivors.len();
    (survivors, all)
}

fn size(module: &str) -> usize {
    let file = std::fs::metadata(folder().join(format!("{module}.rs")));
    file.unwrap().len() as usize
}

/// The large modules at every place: minutes.
#[test]
#[ignore = "takes minutes: cargo test -p generated-tests --test suite mutants -- --ignored"]
fn every_small_error_in_large_modules_is_noticed_or_changes_nothing() {
    for of in GENERATED.iter().filter(|of| size(of.module) > LARGE) {
        let (survivors, count) = survivors(of.module, of.model, 1);
        // There is no list of these: what is left is what repeats a value that cancels, or an even function of a sign.
        let share = survivors.len() as f64 / count as f64;
        assert!(
            count > 1000 && share < 0.1,
            "{}: {} of {count}",
            of.module,
            survivors.len()
        );
    }
}

#[test]
fn every_small_error_is_noticed_or_changes_nothing() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for of in GENERATED {
        let stride = match size(of.module) {
            size if size > LARGE => size / 500,
            _ => 1,
        };
        let (survivors, count) = survivors(of.module, of.model, stride);
        all += count;
        for line in survivors {
            *found.entry(line).or_default() += 1;
        }
    }
    assert!(all > 10_000, "{all}");
    let found: Vec<String> = found
        .into_iter()
        .map(|(line, count)| match count {
            1 => line,
            count => format!("{line} ({count} times)"),
        })
        .collect();
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        std::fs::write(list(), found.join("\n") + "\n").unwrap();
    }
    let known = std::fs::read_to_string(list()).unwrap_or_default();
    let known: Vec<&str> = known.lines().collect();
    let new: Vec<&String> = found
        .iter()
        .filter(|line| !known.contains(&line.as_str()))
        .collect();
    assert_eq!(
        new,
        Vec::<&String>::new(),
        "not noticed, and not listed as changing nothing"
    );
    let gone: Vec<&&str> = known
        .iter()
        .filter(|line| !found.iter().any(|f| f == *line))
        .collect();
    assert_eq!(gone, Vec::<&&str>::new(), "listed, but noticed or gone");
}

/// The linear model on the constraints is held against directions of the model's own: of positions alone, and with speeds that depend on each
/// other; where few entries of a matrix depend on a value, few errors change nothing.
#[test]
fn errors_in_reduced_linear_models_are_noticed() {
    const NAME: &str = "linearization_reduced";
    let options = DeriveOptions {
        outputs: vec![NAME.to_owned()],
        ..DeriveOptions::default()
    };
    let ring = "model ring\nparam m : kg > 0\nparam k : N/m\ncoord x : m\ncoord z = -1 : m\ninput F : N\n\
        point P = O + x*N.x + z*N.z\nparticle bead: mass m at P\nforce on P: F*N.x - k*x*N.z\n\
        constraint ring: x^2 + 2*z^2 = 1 [m^2]\noutput seen = x' + z'*z/(1 [m])\n";
    let sources = [
        model_source("four_bar").unwrap(),
        Source::new("ring.eom", ring),
    ];
    for source in sources {
        let code = module(&source, &options).unwrap().code;
        let report = mutate_source(&source, ("module.rs", &code), REQUEST, 1).unwrap();
        assert_eq!(report.skipped, Vec::<String>::new());
        let own = report.survivors.iter().filter(|s| s.function == NAME);
        let own: Vec<&str> = own.map(|s| s.text.as_str()).collect();
        assert!(own.len() < 20, "{own:#?}");
        assert!(report.caught > 500, "{}", report.caught);
    }
}
