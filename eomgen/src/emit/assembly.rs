//! The function `assemble`: a small loop around functions of the module. Its text depends on nothing but which arguments and which results these
//! have, and on which rows are about positions and which about velocities.

use super::arrangement::is_fallible;
use super::docs;
use super::error::EmitError;
use super::layout::{Item, Writer};
use super::module::{Assembly, Module, Scalar};

/// Its name.
pub const NAME: &str = "assemble";

/// The functions that it calls.
pub const CALLED: [&str; 4] = [
    "constraint_residuals",
    "velocity_residuals",
    "constraint_matrix",
    "rates",
];

/// What its text depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The type of numbers.
    pub number: &'static str,
    /// Whether there are states of first order behind the speeds.
    pub first_order: bool,
    /// Whether functions take inputs.
    pub inputs: bool,
    /// Whether functions take the user's functions.
    pub functions: bool,
    /// The called functions that can fail.
    pub fallible: Vec<String>,
}

/// Writes the function, if the module is to have it.
///
/// # Errors
/// What it calls and the module does not have.
pub fn write(module: &Module, out: &mut Writer) -> Result<(), EmitError> {
    let Some(assembly) = &module.assembly else {
        return Ok(());
    };
    if module.scalar == Scalar::Generic {
        return Err(EmitError::GenericAssembly);
    }
    let called = CALLED.iter();
    let called = called.filter_map(|name| module.functions.iter().find(|f| f.name == **name));
    let fallible = called.filter(|function| is_fallible(module, function));
    let surroundings = Surroundings {
        number: module.scalar.type_name(),
        first_order: first_order(module),
        inputs: !module.inputs.is_empty(),
        functions: !module.functions_trait.is_empty(),
        fallible: fallible.map(|function| function.name.clone()).collect(),
    };
    text(assembly, &surroundings, out);
    Ok(())
}

/// Whether the state has more entries than coordinates and speeds.
fn first_order(module: &Module) -> bool {
    let size = |name: &str| {
        let mut known = module.constants.iter();
        known.find(|c| c.name == name).map_or(0, |c| c.value)
    };
    module.state.len() > size("COORDINATES") + size("INDEPENDENT_SPEEDS")
}

/// The text of the function.
pub fn text(assembly: &Assembly, surroundings: &Surroundings, out: &mut Writer) {
    let what = "The state near a guess that satisfies the constraints: coordinates first, then speeds. Entries that are `held` stay as they are.";
    let mut docs = docs::blocks(&[what.into()]);
    docs.extend(
        [
            "",
            "# Errors",
            "",
            "[`Unassembled`] if there is none nearby.",
        ]
        .map(str::to_owned),
    );
    out.docs(&docs);
    let mut arguments = vec![
        "&self".to_owned(),
        format!("t: {}", surroundings.number),
        "guess: &State".to_owned(),
        "held: &[StateIndex]".to_owned(),
    ];
    if surroundings.inputs {
        arguments.push("inputs: &Inputs".to_owned());
    }
    if surroundings.functions {
        arguments.push("functions: &impl Functions".to_owned());
    }
    let returned = " -> Result<State, Unassembled> {";
    out.signature("pub fn assemble", &arguments, returned);
    out.indent();
    out.line("let mut state = guess.to_array();");
    out.line("let mut free = [true; STATES];");
    out.open("for index in held {");
    out.line("free[*index as usize] = false;");
    out.close("}");
    surroundings.stage("positions", "0", &assembly.positions, out);
    if let Some(velocities) = &assembly.velocities {
        surroundings.stage("velocities", "COORDINATES", velocities, out);
    }
    out.line("Ok(State::from_array(&state))");
    out.close("}");
    out.blank();
}

impl Surroundings {
    /// Moves a part of the state to where some rows vanish.
    fn stage(&self, rows: &str, first: &str, chosen: &[bool], out: &mut Writer) {
        if !chosen.contains(&true) {
            return;
        }
        let items = Item::texts(chosen);
        out.array(&format!("let {rows} = "), &items, ";");
        out.open(&format!("let at = |state: &[{}; STATES]| {{", self.number));
        let matrix = format!("[[{}::NAN; COORDINATES]; CONSTRAINTS]", self.number);
        let array = format!("[{}::NAN; CONSTRAINTS]", self.number);
        if first == "0" {
            self.value("residuals", "constraint_residuals", &array, out);
            self.value("matrix", "constraint_matrix", &matrix, out);
        } else {
            self.value("residuals", "velocity_residuals", &array, out);
            self.value("matrix", "constraint_matrix", &matrix, out);
            out.open("let matrix = by_speeds(&matrix, |speeds| {");
            out.line("let mut moving = *state;");
            let speeds = if self.first_order {
                "COORDINATES..2 * COORDINATES"
            } else {
                "COORDINATES.."
            };
            out.line(&format!("moving[{speeds}].copy_from_slice(speeds);"));
            let rates = self.call("rates", "&moving");
            if self.fails("rates") {
                out.line(&format!("let rates = {rates};"));
                out.line(&format!(
                    "rates.unwrap_or([{}::NAN; COORDINATES])",
                    self.number
                ));
            } else {
                out.line(&rates);
            }
            out.close("});");
        }
        out.line("(residuals, matrix)");
        out.close("};");
        out.line(&format!(
            "let found = nearest(&mut state, {first}, &free, &{rows}, at);"
        ));
        out.open("if let Err((constraint, residual)) = found {");
        out.open("return Err(Unassembled {");
        out.line("constraint,");
        out.line("residual,");
        out.line("state,");
        out.close("});");
        out.close("}");
    }

    fn fails(&self, function: &str) -> bool {
        self.fallible.iter().any(|name| name == function)
    }

    fn call(&self, function: &str, state: &str) -> String {
        let inputs = if self.inputs { ", inputs" } else { "" };
        let functions = if self.functions { ", functions" } else { "" };
        format!("self.{function}(t, {state}{inputs}{functions})")
    }

    /// What a function gives, or what is no number where it fails.
    fn value(&self, name: &str, function: &str, otherwise: &str, out: &mut Writer) {
        out.line(&format!("let {name} = {};", self.call(function, "state")));
        if self.fails(function) {
            out.line(&format!("let {name} = {name}.unwrap_or({otherwise});"));
        }
    }
}
