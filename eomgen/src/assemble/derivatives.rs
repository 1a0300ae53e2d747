//! Derivatives of outputs with respect to the state, time, inputs and parameters, and the linearization of the state's rate.
//!
//! An output is a function of time, the state array, the parameters and the inputs. A derivative with respect to one of these holds
//! all others of them fixed, and nothing else: dependent speeds, which follow from the state by the constraints, move with it.

use super::{Output, Settings, Shape, Work, group};
use crate::diag::Diagnostic;
use crate::diag::codes::quantities::{E0584, E0585};
use crate::diag::suggest;
use crate::ir::derivative::{self, Jacobian, Obstacle};
use crate::ir::{Op, Part, Slot, Value};

/// Name of the output that gives x' = f with A and B.
pub(super) const LINEARIZATION: &str = "linearization";

/// What is differentiated by: the name in the function's name, and the entries.
struct Block {
    name: String,
    /// Names of the leaves.
    labels: Vec<String>,
    leaves: Vec<Slot>,
    /// A single one that was named.
    single: bool,
}

impl Work<'_> {
    /// Adds the derivatives asked for.
    pub(super) fn derivatives(
        &mut self,
        list: &mut Vec<Output>,
        settings: &Settings<'_>,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for asked in settings.jacobians {
            if let Err(error) = self.derivatives_of(list, asked) {
                errors.push(error);
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// `accelerations:q,v`
    fn derivatives_of(&mut self, list: &mut Vec<Output>, asked: &str) -> Result<(), Diagnostic> {
        let Some((name, groups)) = asked.split_once(':') else {
            let title = format!("`{asked}` does not say what is differentiated by what");
            return Err(self.refused(title, "write `OUTPUT:GROUP,...`, as in `accelerations:q,v`"));
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
            return Err(self.refused(title, &help));
        };
        for word in groups.split(',') {
            let block = self.block(word.trim())?;
            let own = format!("{}_wrt_{}", of.name, block.name);
            if list.iter().any(|o| o.name == own) {
                continue;
            }
            let jacobian = self.jacobian(&of, &block.leaves)?;
            let columns = block.leaves.len();
            let rows = of.body.outputs.len();
            let shape = match (of.shape, block.single) {
                (Shape::Scalar, true) => Shape::Scalar,
                (Shape::Scalar, false) => Shape::Array(columns),
                (_, true) => Shape::Array(rows),
                (_, false) => Shape::Matrix(rows, columns),
            };
            let zeros = self.zeros(&jacobian.entries);
            let labels = of.labels.iter().flat_map(|of| {
                let by = block.labels.iter();
                by.map(move |by| format!("{of} by {by}"))
            });
            let labels = labels.collect();
            let by = match block.labels.as_slice() {
                [] => "nothing".to_string(),
                [one] => format!("`{one}`"),
                all => format!("({})", all.join(", ")),
            };
            let flat = match of.shape {
                Shape::Matrix(..) => ", whose entries are taken row by row",
                _ => "",
            };
            let docs = format!(
                "Derivatives of `{}`{flat}, by {by}: everything else among time, state, parameters and inputs is held fixed; dependent speeds follow the state. {zeros}",
                of.name
            );
            self.push_derivative(list, &of, &own, docs, shape, labels, jacobian.entries);
        }
        Ok(())
    }

    /// `[x' | A | B]`.
    pub(super) fn push_linearization(&mut self, list: &mut Vec<Output>) -> Result<(), Diagnostic> {
        let Some(of) = list.iter().find(|o| o.name == "derivative").cloned() else {
            return Ok(());
        };
        let state = of.body.outputs.len();
        let inputs = self.c.system.inputs.len();
        let slot = |group, index: usize| Slot {
            group,
            index: index as u32,
        };
        let leaves: Vec<Slot> = (0..state)
            .map(|i| slot(group::STATE, i))
            .chain((0..inputs).map(|i| slot(group::INPUTS, i)))
            .collect();
        let names: Vec<String> = self.state_names();
        let given = self.c.system.inputs.iter().map(|i| i.meta.name.clone());
        let names: Vec<String> = names.into_iter().chain(given).collect();
        let jacobian = self.jacobian(&of, &leaves)?;
        let zeros = self.zeros(&jacobian.entries);
        let columns = leaves.len();
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        for (i, value) in of.body.outputs.iter().enumerate() {
            values.push(*value);
            values.extend(&jacobian.entries[i * columns..(i + 1) * columns]);
            let label = of.labels.get(i).cloned().unwrap_or_default();
            labels.push(label.clone());
            labels.extend(names.iter().map(|by| format!("{label} by {by}")));
        }
        let b = match inputs {
            0 => String::new(),
            _ => format!(", columns {} to {columns} are B by the inputs", state + 1),
        };
        let docs = format!(
            "Linearization of `derivative`, x' = f(x, inputs): column 0 is f, columns 1 to {state} are A by the state{b}. Of A{} {}",
            if inputs == 0 { "" } else { " and B" },
            zeros.to_lowercase()
        );
        let shape = Shape::Matrix(state, 1 + columns);
        self.push_derivative(list, &of, LINEARIZATION, docs, shape, labels, values);
        self.push_about(LINEARIZATION);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "an output has as many parts")]
    fn push_derivative(
        &mut self,
        list: &mut Vec<Output>,
        of: &Output,
        name: &str,
        docs: String,
        shape: Shape,
        labels: Vec<String>,
        values: Vec<Value>,
    ) {
        let mut own = self.output(name, &docs, shape, labels, values);
        // It fails where the value fails, be that needed for the derivative or not.
        own.needs.clone_from(&of.body.outputs);
        own.arguments.clone_from(&of.arguments);
        own.routine_condition = own.routine_condition.or(of.routine_condition);
        list.push(own);
    }

    /// The derivatives of an output, its poles made conditions.
    fn jacobian(&mut self, of: &Output, leaves: &[Slot]) -> Result<Jacobian, Diagnostic> {
        let leaves: Vec<Value> = leaves.iter().map(|s| self.low.graph.input(*s)).collect();
        let found = derivative::jacobian(&mut self.low.graph, &of.body.outputs, &leaves);
        let jacobian = found.map_err(|obstacle| self.no_derivative(&of.name, obstacle))?;
        for v in self.low.graph.live(&jacobian.entries) {
            let Op::Jet { call, part } = self.low.graph.op(v) else {
                continue;
            };
            let (call, order) = (*call, Part::order(*part));
            if let Op::Call { function, .. } = self.low.graph.op(call)
                && let Some(known) = self.low.jet_orders.get_mut(*function as usize)
            {
                *known = order.max(*known);
            }
        }
        let live = self.low.graph.live(&jacobian.entries);
        for pole in &jacobian.poles {
            if live.binary_search(&pole.divisor).is_err() {
                continue;
            }
            let text = self.pole_text(pole.of);
            let note = format!("derivatives of `{}` do not exist there", of.name);
            self.condition_for(pole.divisor, pole.divisor, None, text, &note);
        }
        Ok(jacobian)
    }

    /// Where an instruction has no derivative, in the model's words as far as they are known.
    fn pole_text(&mut self, of: Value) -> String {
        let known = self.low.domains.iter().find(|d| d.result == of).cloned();
        let argument = known.map(|d| self.readable(&d.argument));
        let named = self.low.graph.name_of(of).map(str::to_owned);
        match (self.low.graph.op(of), argument) {
            (Op::Unary(crate::ir::Unary::Sqrt, _), Some(a))
            | (Op::Binary(crate::ir::Binary::Pow, ..), Some(a)) => format!("{a} = 0"),
            (Op::Unary(..), Some(a)) => format!("abs({a}) = 1"),
            (Op::Binary(crate::ir::Binary::Atan2, ..), _) => {
                let name = named.unwrap_or_else(|| "atan2".into());
                format!("both arguments of {name} = 0")
            }
            _ => format!("{} = 0", named.unwrap_or_else(|| "a square root".into())),
        }
    }

    /// `Entries that vanish identically: 4 of 12.`
    fn zeros(&self, entries: &[Value]) -> String {
        let there = entries.iter().filter(|e| !self.low.graph.is_zero(**e));
        let (all, there) = (entries.len(), there.count());
        if there == all {
            format!("None of the {all} entries vanishes identically.")
        } else {
            format!("Entries that vanish identically: {} of {all}.", all - there)
        }
    }

    fn state_names(&self) -> Vec<String> {
        let coords = self.c.system.coords.iter().map(|c| c.meta.name.clone());
        let speeds = self.c.speeds.independent.iter();
        let speeds = speeds.map(|i| self.c.speeds.speeds[*i].name.clone());
        coords.chain(speeds).collect()
    }

    /// A group, or a single entry.
    fn block(&self, word: &str) -> Result<Block, Diagnostic> {
        let system = self.c.system;
        let n = system.coords.len();
        let state = self.state_names();
        let params: Vec<String> = system.params.iter().map(|p| p.meta.name.clone()).collect();
        let inputs: Vec<String> = system.inputs.iter().map(|p| p.meta.name.clone()).collect();
        let slots = |group, range: std::ops::Range<usize>| -> Vec<Slot> {
            let slot = |i| Slot {
                group,
                index: i as u32,
            };
            range.map(slot).collect()
        };
        let block = |name: &str, labels: &[String], leaves| Block {
            name: name.into(),
            labels: labels.to_vec(),
            leaves,
            single: false,
        };
        let found = match word {
            "q" => block("q", &state[..n], slots(group::STATE, 0..n)),
            "v" | "u" => block("v", &state[n..], slots(group::STATE, n..state.len())),
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
                    let groups = ["q", "v", "inputs", "params", "t"];
                    let near = suggest::closest(name, known.chain(groups));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "the groups are q, v, inputs, params and t; single entries of the state, parameters and inputs go by their names".into(),
                    };
                    let title = format!("there is nothing called `{name}` to differentiate by");
                    return Err(self.refused(title, &help));
                };
                Block {
                    single: true,
                    ..block(name, &[name.to_string()], slots(group, at..at + 1))
                }
            }
        };
        if found.leaves.is_empty() {
            let title = format!("the model has no {word} to differentiate by");
            return Err(self.refused(title, "leave the group out"));
        }
        Ok(found)
    }

    fn refused(&self, title: String, help: &str) -> Diagnostic {
        let first = self.c.system.coords.first();
        let span = first.map_or_else(Default::default, |q| q.meta.span);
        Diagnostic::error(E0584, title, span, "of this model").help(help)
    }

    fn no_derivative(&self, of: &str, obstacle: Obstacle) -> Diagnostic {
        let first = self.c.system.coords.first();
        let (name, span) = match obstacle {
            Obstacle::ThirdDerivative { function } => {
                let f = self.c.system.functions.get(function as usize);
                f.map_or_else(Default::default, |f| (f.meta.name.clone(), f.meta.span))
            }
            Obstacle::NotANumber => (
                String::new(),
                first.map_or_else(Default::default, |q| q.meta.span),
            ),
        };
        let title = format!("derivatives of `{of}` need third derivatives of `{name}`");
        Diagnostic::error(E0585, title, span, "supplies its first and second ones").help(
            "differentiate by what the function does not depend on, or write it out in the model",
        )
    }
}
