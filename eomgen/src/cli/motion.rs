//! What `assemble` and `simulate` have in common: from arguments to a machine and a state.

use std::path::Path;

use super::args::GivenArgs;
use super::console::{Problem, colour, error_text, say};
use super::job::{Job, Work, source};
use super::worker;
use crate::assemble::Unassembled;
use crate::host::read_text;
use crate::machine::{Direction, Machine};
use crate::pipeline::{EvalInput, EventRequest, MotionRequest, OperatingReport, OperatingRequest};
use crate::simulate::{GivenState, text};

/// `NAME = TEXT`
pub(super) fn pair(text: &str, option: &str) -> Result<(String, String), Problem> {
    let parts = text.split_once('=');
    let parts = parts.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    match parts {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name, value)),
        _ => Err(Problem::Usage(format!(
            "{option} needs a name and a value, as in {option} 'x = 1', not '{text}'"
        ))),
    }
}

pub(super) fn pairs(list: &[String], option: &str) -> Result<Vec<(String, String)>, Problem> {
    list.iter().map(|text| pair(text, option)).collect()
}

impl GivenArgs {
    /// What is given beside the model, as text.
    pub(super) fn request(&self) -> Result<MotionRequest, Problem> {
        let mut request = MotionRequest {
            params: pairs(&self.param, "--param")?,
            initial: pairs(&self.initial, "--initial")?,
            functions: pairs(&self.function, "--function")?,
            ..MotionRequest::default()
        };
        for (name, value) in pairs(&self.input, "--input")? {
            if !value.ends_with(".csv") {
                request.inputs.push((name, value));
                continue;
            }
            let file = read_text(Path::new(&value))?;
            let read = text::table(&file.text);
            let (times, values) = read.map_err(|e| Problem::Failed(format!("{value}: {e}")))?;
            request.tables.push((name, times, values));
        }
        Ok(request)
    }

    /// What the state's file says.
    pub(super) fn state(&self) -> Result<GivenState, Problem> {
        match &self.state {
            None => Ok(GivenState::default()),
            Some(path) => self.state_of(path),
        }
    }

    /// What a state's file says.
    pub(super) fn state_of(&self, path: &Path) -> Result<GivenState, Problem> {
        if path == Path::new("-") && self.model == Path::new("-") {
            let message = "the model and the state cannot both come from standard input";
            return Err(Problem::Usage(message.to_string()));
        }
        let file = read_text(path)?;
        let read = EvalInput::from_json(&file.text);
        let input = read.map_err(|list| {
            let lines: Vec<String> = list.iter().map(|c| format!("{}: {c}", file.name)).collect();
            Problem::Failed(lines.join("\n"))
        })?;
        let list = |map: Option<indexmap::IndexMap<String, f64>>| {
            map.unwrap_or_default().into_iter().collect::<Vec<_>>()
        };
        Ok(GivenState {
            time: input.t,
            params: list(Some(input.params)),
            q: list(Some(input.q)),
            rates: list(input.qdot),
            speeds: list(input.speeds),
            states: list(Some(input.states)),
            ..GivenState::default()
        })
    }

    /// What holds at operating points, in symbols.
    pub(super) fn in_symbols(&self, request: OperatingRequest) -> Result<OperatingReport, Problem> {
        let job = Job {
            model: source(&self.model, &self.include)?,
            colour: colour(),
            work: Work::Operating {
                options: self.options.options()?,
                request,
            },
        };
        let output = worker::run(&job)?.success()?;
        serde_json::from_str(&output).map_err(|error| Problem::Failed(error.to_string()))
    }

    /// Derives the machine.
    pub(super) fn machine(&self, request: MotionRequest) -> Result<Machine, Problem> {
        let job = Job {
            model: source(&self.model, &self.include)?,
            colour: colour(),
            work: Work::Motion {
                options: self.options.options()?,
                request,
            },
        };
        let text = worker::run(&job)?.success()?;
        let failed = |error: serde_json::Error| Problem::Failed(error.to_string());
        serde_json::from_str(&text).map_err(failed)
    }
}

/// Parameters with values in a state's file need none of their own.
pub(super) fn with_params_of(request: &mut MotionRequest, state: &GivenState) {
    for (name, value) in &state.params {
        if !request.params.iter().any(|(n, _)| n == name) {
            request.params.push((name.clone(), format!("{value:e}")));
        }
    }
}

/// All complaints of one kind.
pub(super) fn complaints(list: Vec<String>) -> Problem {
    for complaint in list {
        say(&error_text(&complaint, colour()));
    }
    Problem::Said
}

/// A condition such as `theta > 90 [deg]` or an expression whose zeros count.
pub(super) fn event(text: &str, ends: bool) -> Result<EventRequest, Problem> {
    let depth = |text: &str| {
        let count = |c: char| text.chars().filter(|x| *x == c).count();
        count('(').saturating_sub(count(')'))
    };
    for symbol in ["<", ">"] {
        let mut places = text.match_indices(symbol).map(|(i, _)| i);
        let Some(at) = places.find(|i| depth(&text[..*i]) == 0) else {
            continue;
        };
        let (left, right) = (&text[..at], &text[at + 1..]);
        let right = right.strip_prefix('=').unwrap_or(right);
        let direction = if symbol == "<" {
            Direction::Falling
        } else {
            Direction::Rising
        };
        return Ok(EventRequest {
            text: text.trim().to_owned(),
            expression: format!("({left}) - ({right})"),
            direction,
            ends,
        });
    }
    if ends {
        return Err(Problem::Usage(format!(
            "--until needs a condition, as in --until 'x > 1', not '{text}'"
        )));
    }
    Ok(EventRequest {
        text: text.trim().to_owned(),
        expression: text.to_owned(),
        direction: Direction::Both,
        ends,
    })
}

/// That there is no consistent state.
pub(super) fn unassembled(machine: &Machine, found: &Unassembled) -> Problem {
    let level = if found.position {
        "no state near the start satisfies the constraints"
    } else {
        "no speeds near those of the start satisfy the constraints"
    };
    let q = machine.coords.iter().zip(&found.q);
    let q: Vec<String> = q.map(|(c, x)| format!("{} = {x:.6}", c.name)).collect();
    Problem::Failed(format!(
        "{level}: `{}` is left with a residual of {:.3e}, at {}; start from other values (--initial), or hold fewer of them",
        found.row,
        found.residual,
        q.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_at_their_outer_comparison() {
        let found = event("theta > 90 [deg]", true).unwrap();
        assert_eq!(found.expression, "(theta ) - ( 90 [deg])");
        assert_eq!(found.direction, Direction::Rising);
        assert_eq!(event("x <= 0", true).unwrap().direction, Direction::Falling);
        assert_eq!(event("x'", false).unwrap().direction, Direction::Both);
        assert!(event("x", true).is_err());
    }
}
