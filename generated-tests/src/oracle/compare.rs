//! A model text derived by every formulation, the expression forms in turn or all, side by side with the [`Oracle`].

use super::{Expected, Oracle, State};
use crate::memo;
use crate::reference::{self, Reference, model_text};
use eomgen::internals::model::system::{Param, Rational};
use eomgen::{
    EvalInput, EvalOutput, Failure, Source,
    internals::input::read_source,
    options::{DeriveOptions, Form, Plan},
};

/// How a model is checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Values of parameters (others: their defaults, or 0.7, 0.8, ...).
    pub params: Vec<(&'static str, f64)>,
    /// Formulas of user functions.
    pub functions: Vec<(&'static str, &'static str)>,
    /// Formulations.
    pub methods: Vec<&'static str>,
    /// Whether a text is derived by one of them, which is a matter of the text, or by each.
    pub in_turn: bool,
    /// Expression forms.
    pub forms: Vec<Form>,
    /// Columns to eliminate.
    pub dependent: Vec<&'static str>,
    /// Where the coordinates are about, by coordinate; others about their initial values, or 0.3.
    pub about: Vec<(&'static str, f64)>,
    /// How far states stray from there.
    pub spread: f64,
    /// How far the derivation's states are beside those that are checked.
    pub drift: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            params: Vec::new(),
            functions: Vec::new(),
            methods: vec!["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"],
            in_turn: true,
            forms: vec![Form::Closed, Form::Staged],
            dependent: Vec::new(),
            about: Vec::new(),
            spread: 0.5,
            drift: 0.0,
        }
    }
}

/// Numbers in (-1, 1), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }
}

/// How many states each derivation is checked at.
const STATES: usize = 3;
/// Relative to the larger of 1 and the largest entry.
const TOLERANCE: f64 = 1e-9;

/// Whether everything is asked of the tests, however long it takes: `cargo test --workspace -- --include-ignored`.
pub fn is_thorough() -> bool {
    std::env::args().any(|argument| argument == "--include-ignored")
}

impl Settings {
    /// Formulations, expression forms and plans of a text: in one form, a formulation's own equations or the plan that formulations
    /// share; everything where the tests are thorough.
    fn choices(&self, text: &str) -> Vec<(&'static str, Form, Plan)> {
        let (methods, forms) = (self.methods.len(), self.forms.len());
        let (mine, round) = (text.len() % methods, text.len() / methods);
        // What the formulation states, or what a user gets by default.
        let shared = self.in_turn && (round / forms) % 2 == 1;
        let mut choices = Vec::new();
        for (i, method) in self.methods.iter().enumerate() {
            for (j, form) in self.forms.iter().enumerate() {
                let has_turn = (round + i + j).is_multiple_of(forms);
                let (is_mine, each) = (has_turn && i == mine, has_turn && !self.in_turn);
                if is_thorough() || each || is_mine && !shared {
                    choices.push((*method, *form, Plan::Reduced));
                }
                if is_thorough() || is_mine && (shared || !self.in_turn) {
                    choices.push((*method, *form, Plan::Auto));
                }
            }
        }
        choices
    }
}

/// Checks a model by formulations and expression forms in turn.
///
/// # Errors
/// One line for each disagreement.
pub fn check(text: &str, settings: &Settings) -> Result<(), String> {
    check_source(&Source::new("model.eom", text), settings)
}

/// [`check`] for a model with parts.
///
/// # Errors
/// One line for each disagreement.
pub fn check_source(source: &Source, settings: &Settings) -> Result<(), String> {
    let text = &source.text;
    let (system, _) = read_source(source, &[]).map_err(|f| describe(&f))?;
    let params = system
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let own = settings.params.iter().find(|(n, _)| *n == p.meta.name);
            let default = p.default.as_ref().map_or(0.7 + 0.1 * i as f64, number);
            own.map_or(default, |(_, v)| *v)
        })
        .collect();
    let mut functions = Vec::new();
    for f in &system.functions {
        let text = settings.functions.iter().find(|(n, _)| *n == f.meta.name);
        let text = text
            .ok_or_else(|| format!("no formula for {}", f.meta.name))?
            .1;
        functions.push(
            eomgen::internals::model::parse_scalar(&system, text).map_err(|d| format!("{d:?}"))?,
        );
    }
    let oracle = Oracle {
        system,
        params,
        functions,
    };
    let states = states(&oracle, settings)?;
    let expected: Vec<Expected> = states.iter().map(|s| oracle.expected(s)).collect();
    let mut complaints = Vec::new();
    for (k, (s, v)) in states.iter().zip(&expected).enumerate() {
        complaints.extend(differences(&oracle, s, v, k));
    }
    for (method, form, plan) in settings.choices(text) {
        let label = format!("{method} {form:?} {}", plan.name());
        let dependent = settings.dependent.iter().map(|s| (*s).to_string());
        let options = DeriveOptions {
            method: Some(method.to_string()),
            form,
            dependent: dependent.collect(),
            plan,
            ..DeriveOptions::default()
        };
        let e = match memo::evaluator(source, &options) {
            Ok(e) => e,
            Err(f) => {
                complaints.push(format!("{label}: {}", describe(&f)));
                continue;
            }
        };
        for (k, (s, v)) in states.iter().zip(&expected).enumerate() {
            let label = format!("{label}, state {k}");
            match e.eval(&input(&oracle, settings, s)) {
                Err(f) => complaints.push(format!("{label}: {}", describe(&f))),
                Ok(out) => compare(&oracle, &out, v, settings.drift, &label, &mut complaints),
            }
        }
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n{text}", complaints.join("\n")))
    }
}

/// What differences of positions have to say against a verdict on a model that they apply to.
fn differences(oracle: &Oracle, s: &State, v: &Expected, index: usize) -> Option<String> {
    let (found, error) = oracle.by_differences(s)?;
    let scale = v.accelerations.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let mut pairs = found.iter().zip(&v.accelerations);
    let good = error < 1e-6 && pairs.all(|(a, b)| (a - b).abs() <= 1e-5 * scale);
    (!good).then(|| {
        format!(
            "state {index}: q'' by differences is {found:?} (to {error:.1e}), but the oracle gives {:?}",
            v.accelerations
        )
    })
}

fn number(r: &Rational) -> f64 {
    let part = |s: String| s.parse::<f64>().unwrap_or(f64::NAN);
    part(r.numer().to_string()) / part(r.denom().to_string())
}

/// What the oracle says of a model with the parameters that it defaults to, at a few states: reference numbers.
///
/// # Errors
/// If the model cannot be read, or no states are found on its constraints.
pub fn reference(model: &str) -> Result<Reference, String> {
    let (system, _) =
        eomgen::internals::input::read(&model_text(model)?).map_err(|f| describe(&f))?;
    let default = |p: &Param| p.default.as_ref().map_or(f64::NAN, number);
    let params = system.params.iter().map(default).collect();
    let oracle = Oracle {
        system,
        params,
        functions: Vec::new(),
    };
    let states = states(
        &oracle,
        &Settings {
            spread: 0.3,
            ..Settings::default()
        },
    )?;
    let system = &oracle.system;
    let listed = states.into_iter().map(|s| {
        let v = oracle.expected(&s);
        reference::State {
            t: s.t,
            accelerations: v.accelerations,
            constraint_force: Some(v.ideal),
            kinetic_energy: Some(v.kinetic_energy),
            potential_energy: Some(v.potential_energy),
            gibbs_function: Some(v.gibbs),
            q: s.q,
            qd: s.qd,
            inputs: s.inputs,
            ..reference::State::default()
        }
    });
    Ok(Reference {
        coordinates: system.coords.iter().map(|c| c.meta.name.clone()).collect(),
        inputs: system.inputs.iter().map(|i| i.meta.name.clone()).collect(),
        states: listed.collect(),
        ..Reference::default()
    })
}

fn states(oracle: &Oracle, settings: &Settings) -> Result<Vec<State>, String> {
    let mut random = Random(20);
    let mut list = Vec::new();
    for _ in 0..20 {
        let start = State {
            t: 0.4 + 0.3 * random.next(),
            q: oracle
                .system
                .coords
                .iter()
                .map(|c| {
                    let own = settings.about.iter().find(|(n, _)| *n == c.meta.name);
                    let initial = c.initial.as_ref().map_or(0.3, number);
                    own.map_or(initial, |(_, v)| *v) + settings.spread * random.next()
                })
                .collect(),
            qd: oracle.system.coords.iter().map(|_| random.next()).collect(),
            inputs: oracle.system.inputs.iter().map(|_| random.next()).collect(),
        };
        list.extend(oracle.settle(&start));
        if list.len() == STATES {
            return Ok(list);
        }
    }
    Err(format!(
        "only {} states found on the constraints",
        list.len()
    ))
}

fn input(oracle: &Oracle, settings: &Settings, s: &State) -> EvalInput {
    let system = &oracle.system;
    let coords = system.coords.iter().map(|c| c.meta.name.clone());
    EvalInput {
        t: s.t,
        params: system
            .params
            .iter()
            .map(|p| p.meta.name.clone())
            .zip(oracle.params.iter().copied())
            .collect(),
        q: coords
            .clone()
            .zip(
                s.q.iter()
                    .enumerate()
                    .map(|(i, q)| q + settings.drift * (0.3 + 0.2 * i as f64)),
            )
            .collect(),
        qdot: Some(coords.zip(s.qd.iter().copied()).collect()),
        speeds: None,
        states: Default::default(),
        inputs: system
            .inputs
            .iter()
            .map(|p| p.meta.name.clone())
            .zip(s.inputs.iter().copied())
            .collect(),
        functions: settings
            .functions
            .iter()
            .map(|(n, f)| ((*n).to_string(), (*f).to_string()))
            .collect(),
    }
}

fn compare(
    oracle: &Oracle,
    out: &EvalOutput,
    v: &Expected,
    drift: f64,
    label: &str,
    complaints: &mut Vec<String>,
) {
    let mut close = |what: &str, found: &[f64], wanted: &[f64]| {
        let scale = wanted.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let good = found.len() == wanted.len()
            && found
                .iter()
                .zip(wanted)
                .all(|(a, b)| (a - b).abs() <= (TOLERANCE + 100.0 * drift) * scale);
        if !good {
            complaints.push(format!(
                "{label}: {what} is {found:?}, should be {wanted:?}"
            ));
        }
    };
    let values = |list: &[(String, f64)]| list.iter().map(|x| x.1).collect::<Vec<_>>();
    close("q''", &values(&out.qddot), &v.accelerations);
    if !oracle.system.constraints.is_empty() {
        close("lambda", &values(&out.multipliers), &v.multipliers);
        close("ideal force", &values(&out.ideal_force), &v.ideal);
        if !oracle.system.nonideal.is_empty() {
            close("nonideal force", &values(&out.nonideal_force), &v.nonideal);
        }
    }
    close(
        "T",
        &[out.kinetic_energy.unwrap_or(f64::NAN)],
        &[v.kinetic_energy],
    );
    if let Some(found) = out.potential_energy {
        close("V", &[found], &[v.potential_energy]);
    }
    close("S", &[out.gibbs.unwrap_or(f64::NAN)], &[v.gibbs]);
    for (name, wanted) in &v.outputs {
        let found = out.outputs.iter().find(|(n, _)| n == name);
        close(name, found.map_or(&[][..], |(_, f)| f), wanted);
    }
}

fn describe(f: &Failure) -> String {
    match f {
        Failure::Message(m) => m.clone(),
        Failure::Diagnostics(list) => list
            .iter()
            .map(|d| {
                format!(
                    "{} {} ({})",
                    d.code,
                    d.title,
                    d.labels.first().map_or("", |l| l.text.as_str())
                )
            })
            .collect::<Vec<_>>()
            .join("; "),
    }
}
