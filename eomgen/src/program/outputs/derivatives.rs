//! Derivatives of outputs with respect to the state, time, inputs and parameters, and the linearization of the state's rate.
//!
//! An output is a function of time, the state array, the parameters and the inputs. A derivative with respect to one of these holds
//! all others of them fixed, and nothing else: dependent speeds, which follow from the state by the constraints, move with it.

use super::dynamics::{BIAS_FORCES, INVERSE_DYNAMICS};
use super::implicit::{self, Found, Rates};
use super::{Output, Shape};
use crate::diag::codes::quantities::{E0584, E0585};
use crate::diag::{Diagnostic, suggest};
use crate::ir::derivative::{self, Jacobian, Obstacle};
use crate::ir::{Binary, Op, Part, Prepared, Slot, Unary, Value};
use crate::program::group;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, slot};

/// Name of the output that gives x' = f with A and B.
pub(in crate::program) const LINEARIZATION: &str = "linearization";

/// What is differentiated by: the name in the function's name, and the entries.
struct Block {
    name: String,
    /// Names of the leaves.
    labels: Vec<String>,
    leaves: Vec<Slot>,
    /// A single one that was named.
    single: bool,
}

/// Adds the derivatives asked for.
pub(in crate::program) fn add(
    solved: &Solved,
    w: &mut Writer<'_>,
    asked: &[String],
    list: &mut Vec<Output>,
) -> Result<(), Vec<Diagnostic>> {
    let found = asked
        .iter()
        .map(|asked| add_one(solved, w, asked, list).err());
    let errors: Vec<Diagnostic> = found.flatten().collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// `accelerations:q,v`
fn add_one(
    solved: &Solved,
    w: &mut Writer<'_>,
    asked: &str,
    list: &mut Vec<Output>,
) -> Result<(), Diagnostic> {
    let Some((name, groups)) = asked.split_once(':') else {
        let title = format!("`{asked}` does not say what is differentiated by what");
        let help = "write `OUTPUT:GROUP,...`, as in `accelerations:q,v`";
        return Err(refused(w, title, help));
    };
    let wanted = list
        .iter()
        .find(|o| o.name == name || o.name.strip_prefix("output_") == Some(name));
    let Some(of) = wanted.cloned() else {
        let title = format!("there is no output `{name}` to differentiate");
        let near = suggest::closest(name, list.iter().map(|o| o.name.as_str()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "quantities beyond those of every module are added by `--output`".into(),
        };
        return Err(refused(w, title, &help));
    };
    for word in groups.split(',') {
        let block = block(w, word.trim())?;
        let name = format!("{}_wrt_{}", of.name, block.name);
        if !list.iter().any(|o| o.name == name) {
            let own = derivative((solved, list.as_slice()), w, &of, &name, &block)?;
            list.push(own);
        }
    }
    Ok(())
}

fn derivative(
    known: (&Solved, &[Output]),
    w: &mut Writer<'_>,
    of: &Output,
    name: &str,
    block: &Block,
) -> Result<Output, Diagnostic> {
    let jacobian = cheapest(known, w, of, &block.leaves)?.jacobian;
    let columns = block.leaves.len();
    let rows = of.body.outputs.len();
    let shape = match (of.shape, block.single) {
        (Shape::Scalar, true) => Shape::Scalar,
        (Shape::Scalar, false) => Shape::Array(columns),
        (_, true) => Shape::Array(rows),
        (_, false) => Shape::Matrix(rows, columns),
    };
    let labels = of.labels.iter().flat_map(|of| {
        let by = block.labels.iter();
        by.map(move |by| format!("{of} by {by}"))
    });
    let by = match block.labels.as_slice() {
        [] => "nothing".to_string(),
        [one] => format!("`{one}`"),
        all => format!("({})", all.join(", ")),
    };
    let flat = match of.shape {
        Shape::Matrix(..) => ", whose entries are taken row by row",
        _ => "",
    };
    let zeros = zeros(w, &jacobian.entries);
    let docs = format!(
        "Derivatives of `{}`{flat}, by {by}: everything else among time, state, parameters and inputs is held fixed; dependent speeds follow the state. {zeros}",
        of.name
    );
    let own = Output::new(w, name, &docs, shape, labels.collect(), jacobian.entries);
    Ok(failing_with(own, of))
}

/// `[x' | A | B]`.
pub(in crate::program) fn linearization(
    solved: &Solved,
    w: &mut Writer<'_>,
    list: &[Output],
) -> Result<Option<Output>, Diagnostic> {
    let Some(of) = list.iter().find(|o| o.name == "derivative") else {
        return Ok(None);
    };
    let state = of.body.outputs.len();
    let inputs = w.c.system.inputs.len();
    let leaves = (0..state).map(|i| slot(group::STATE, i));
    let leaves = leaves.chain((0..inputs).map(|i| slot(group::INPUTS, i)));
    let leaves: Vec<Slot> = leaves.collect();
    let mut names = state_names(w);
    names.extend(w.c.system.inputs.iter().map(|i| i.meta.name.clone()));
    let Found {
        values: rates,
        jacobian,
    } = cheapest((solved, list), w, of, &leaves)?;
    let zeros = zeros(w, &jacobian.entries);
    let columns = leaves.len();
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for (i, value) in rates.iter().enumerate() {
        values.push(*value);
        values.extend(&jacobian.entries[i * columns..(i + 1) * columns]);
        let label = of.labels.get(i).cloned().unwrap_or_default();
        labels.push(label.clone());
        labels.extend(names.iter().map(|by| format!("{label} by {by}")));
    }
    let (b, both) = match inputs {
        0 => (String::new(), ""),
        _ => {
            let b = format!(", columns {} to {columns} are B by the inputs", state + 1);
            (b, " and B")
        }
    };
    let docs = format!(
        "Linearization of `derivative`, x' = f(x, inputs): column 0 is f, columns 1 to {state} are A by the state{b}. Of A{both} {}",
        zeros.to_lowercase()
    );
    let shape = Shape::Matrix(state, 1 + columns);
    let own = Output::new(w, LINEARIZATION, &docs, shape, labels, values);
    Ok(Some(failing_with(own, of)))
}

/// A derivative fails where the value fails, be that needed for the derivative or not.
pub(super) fn failing_with(own: Output, of: &Output) -> Output {
    Output {
        needs: of.body.outputs.clone(),
        arguments: of.arguments.clone(),
        routine_condition: own.routine_condition.or(of.routine_condition),
        ..own
    }
}

/// The derivatives of an output, its poles made conditions.
pub(super) fn jacobian(
    w: &mut Writer<'_>,
    of: &Output,
    leaves: &[Slot],
) -> Result<Jacobian, Diagnostic> {
    let jacobian = plain(w, of, leaves)?;
    record(w, of, &jacobian);
    Ok(jacobian)
}

/// The same, through the rates of the speeds and inverse dynamics if that takes fewer operations; with what is differentiated, as it is found beside
/// its derivatives.
pub(super) fn cheapest(
    (solved, list): (&Solved, &[Output]),
    w: &mut Writer<'_>,
    of: &Output,
    leaves: &[Slot],
) -> Result<Found, Diagnostic> {
    let values = of.body.outputs.clone();
    let jacobian = plain(w, of, leaves)?;
    let mut ways = vec![Found { values, jacobian }];
    let others = implicitly((solved, list), w, of, leaves);
    ways.extend(others.map_err(|obstacle| no_derivative(w, &of.name, obstacle))?);
    let prepared = Prepared::new(&[group::PARAMS]);
    let cost = |f: &Found| {
        let roots = [f.values.as_slice(), &f.jacobian.entries].concat();
        prepared.count(&w.low.graph, &roots).1.total()
    };
    let mut best = ways.swap_remove(0);
    for way in ways {
        if cost(&way) < cost(&best) {
            best = way;
        }
    }
    record(w, of, &best.jacobian);
    Ok(best)
}

/// Through inverse dynamics.
fn implicitly(
    (solved, list): (&Solved, &[Output]),
    w: &mut Writer<'_>,
    of: &Output,
    leaves: &[Slot],
) -> Result<Option<Found>, Obstacle> {
    let count = w.c.speeds.independent.len();
    let rates: Vec<Value> = match of.name.as_str() {
        INVERSE_DYNAMICS => {
            let given = (0..count).map(|i| w.low.graph.input(slot(group::GIVEN, i)));
            given.collect()
        }
        BIAS_FORCES => vec![w.low.graph.zero(); count],
        _ => {
            let Some(derivative) = list.iter().find(|o| o.name == "derivative") else {
                return Ok(None);
            };
            let rates = Rates::of(solved, w, derivative);
            return rates.jacobian(w, &of.body.outputs, leaves);
        }
    };
    let found = implicit::of_forces(solved, w, &rates, leaves)?;
    Ok(found.map(|jacobian| Found {
        values: of.body.outputs.clone(),
        jacobian,
    }))
}

fn plain(w: &mut Writer<'_>, of: &Output, leaves: &[Slot]) -> Result<Jacobian, Diagnostic> {
    let leaves: Vec<Value> = leaves.iter().map(|s| w.low.graph.input(*s)).collect();
    let found = derivative::jacobian(&mut w.low.graph, &of.body.outputs, &leaves);
    found.map_err(|obstacle| no_derivative(w, &of.name, obstacle))
}

/// Which derivatives of the user's functions it takes, and where it has poles.
fn record(w: &mut Writer<'_>, of: &Output, jacobian: &Jacobian) {
    for v in w.low.graph.live(&jacobian.entries) {
        let Op::Jet { call, part } = w.low.graph.op(v) else {
            continue;
        };
        let (call, order) = (*call, Part::order(*part));
        if let Op::Call { function, .. } = w.low.graph.op(call)
            && let Some(known) = w.low.jet_orders.get_mut(*function as usize)
        {
            *known = order.max(*known);
        }
    }
    let live = w.low.graph.live(&jacobian.entries);
    for pole in &jacobian.poles {
        if live.binary_search(&pole.divisor).is_err() {
            continue;
        }
        let text = pole_text(w, pole.of);
        let note = format!("derivatives of `{}` do not exist there", of.name);
        w.condition_for(pole.divisor, vec![pole.divisor], None, text, &note);
    }
}

/// Where an instruction has no derivative, in the model's words as far as they are known.
fn pole_text(w: &mut Writer<'_>, of: Value) -> String {
    let known = w.low.domains.iter().find(|d| d.result == of).cloned();
    let argument = known.map(|d| w.readable(&d.argument));
    let named = w.low.graph.name_of(of).map(str::to_owned);
    match (w.low.graph.op(of), argument) {
        (Op::Unary(Unary::Sqrt, _), Some(a)) | (Op::Binary(Binary::Pow, ..), Some(a)) => {
            format!("{a} = 0")
        }
        (Op::Unary(..), Some(a)) => format!("abs({a}) = 1"),
        (Op::Binary(Binary::Atan2, ..), _) => {
            let name = named.unwrap_or_else(|| "atan2".into());
            format!("both arguments of {name} = 0")
        }
        (Op::Unary(Unary::Sqrt, a), None) => {
            let under = w.low.graph.name_of(*a).map(|name| format!("sqrt({name})"));
            let root = named.or(under).unwrap_or_else(|| "a square root".into());
            format!("{root} = 0")
        }
        _ => format!("{} = 0", named.unwrap_or_else(|| "a power".into())),
    }
}

/// `Entries that vanish identically: 4 of 12.`
fn zeros(w: &Writer<'_>, entries: &[Value]) -> String {
    let there = entries.iter().filter(|e| !w.low.graph.is_zero(**e));
    let (all, there) = (entries.len(), there.count());
    if there == all {
        format!("None of the {all} entries vanishes identically.")
    } else {
        format!("Entries that vanish identically: {} of {all}.", all - there)
    }
}

pub(super) fn state_names(w: &Writer<'_>) -> Vec<String> {
    let coords = w.c.system.coords.iter().map(|c| c.meta.name.clone());
    let speeds = w.c.speeds.independent.iter();
    let speeds = speeds.map(|i| w.c.speeds.speeds[*i].name.clone());
    let states = w.c.system.states.iter().map(|s| s.meta.name.clone());
    coords.chain(speeds).chain(states).collect()
}

/// A group, or a single entry.
fn block(w: &Writer<'_>, word: &str) -> Result<Block, Diagnostic> {
    let system = w.c.system;
    let n = system.coords.len();
    let (state, first) = (state_names(w), w.first_state());
    let params: Vec<String> = system.params.iter().map(|p| p.meta.name.clone()).collect();
    let inputs: Vec<String> = system.inputs.iter().map(|p| p.meta.name.clone()).collect();
    let slots = |group, range: std::ops::Range<usize>| -> Vec<Slot> {
        range.map(|i| slot(group, i)).collect()
    };
    let block = |name: &str, labels: &[String], leaves| Block {
        name: name.into(),
        labels: labels.to_vec(),
        leaves,
        single: false,
    };
    let found = match word {
        "q" => block("q", &state[..n], slots(group::STATE, 0..n)),
        "v" | "u" => block("v", &state[n..first], slots(group::STATE, n..first)),
        "states" => block(
            word,
            &state[first..],
            slots(group::STATE, first..state.len()),
        ),
        "params" => block(word, &params, slots(group::PARAMS, 0..params.len())),
        "inputs" => block(word, &inputs, slots(group::INPUTS, 0..inputs.len())),
        "t" => Block {
            single: true,
            ..block("t", &["t".to_string()], slots(group::TIME, 0..1))
        },
        name => {
            let places = [
                (group::STATE, &state),
                (group::PARAMS, &params),
                (group::INPUTS, &inputs),
            ];
            let place = places.iter().find_map(|(group, names)| {
                let at = names.iter().position(|n| n == name)?;
                Some((*group, at))
            });
            let Some((group, at)) = place else {
                let known = places.iter().flat_map(|p| p.1.iter().map(String::as_str));
                let groups = ["q", "v", "states", "inputs", "params", "t"];
                let near = suggest::closest(name, known.chain(groups));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the groups are q, v, states, inputs, params and t; single entries of the state, parameters and inputs go by their names".into(),
                };
                let title = format!("there is nothing called `{name}` to differentiate by");
                return Err(refused(w, title, &help));
            };
            Block {
                single: true,
                ..block(name, &[name.to_string()], slots(group, at..at + 1))
            }
        }
    };
    if found.leaves.is_empty() {
        let title = format!("the model has no {word} to differentiate by");
        return Err(refused(w, title, "leave the group out"));
    }
    Ok(found)
}

fn refused(w: &Writer<'_>, title: String, help: &str) -> Diagnostic {
    Diagnostic::error(E0584, title, w.c.system.whole(), "of this model").help(help)
}

fn no_derivative(w: &Writer<'_>, of: &str, obstacle: Obstacle) -> Diagnostic {
    let (name, span) = match obstacle {
        Obstacle::ThirdDerivative { function } => {
            let f = w.c.system.functions.get(function as usize);
            f.map_or_else(Default::default, |f| (f.meta.name.clone(), f.meta.span))
        }
        Obstacle::NotANumber => (String::new(), w.c.system.whole()),
    };
    let title = format!("derivatives of `{of}` need third derivatives of `{name}`");
    Diagnostic::error(E0585, title, span, "supplies its first and second ones")
        .help("differentiate by what the function does not depend on, or write it out in the model")
}
