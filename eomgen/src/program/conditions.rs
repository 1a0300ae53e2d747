//! The conditions under which a program fails, as they are met: every divisor that is not certain to be nonzero, every pivot, every argument outside
//! of its function's domain, every use of a rank-revealing routine. Knows nothing of expressions or outputs.

use crate::ir::{Binary, Graph, Op, RoutineKind, Unary, Value};

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// `sin(theta) = 0`
    pub text: String,
    /// What it means.
    pub note: String,
    /// The value that must not vanish and what it is compared with; `None` for routines.
    pub value: Option<(Value, Option<Value>)>,
    /// The divisors, and the routines, that this condition speaks for.
    pub guards: Vec<Value>,
}

impl Condition {
    /// On a value that must not vanish beside its scale.
    pub(super) fn new(
        value: Value,
        scale: Option<Value>,
        text: String,
        note: &str,
        guards: Vec<Value>,
    ) -> Self {
        Self {
            text: shortened(text),
            note: note.into(),
            value: Some((value, scale)),
            guards,
        }
    }
}

/// Characters of a condition that are shown: nobody reads more, and every function that may fail lists its conditions.
const LONGEST: usize = 400;

/// The beginning of what is too long, with the number of its terms.
pub(super) fn shortened(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    // `... = 0`, `... < 0`: what is said of it stays.
    let relation = [" = ", " < ", " > "]
        .iter()
        .filter_map(|r| text.rfind(r))
        .max();
    let (left, right) = text.split_at(relation.unwrap_or(text.len()));
    let end = left
        .char_indices()
        .map(|(i, _)| i)
        .take_while(|i| *i < LONGEST);
    let shown = &left[..end.last().unwrap_or(0)];
    let shown = shown
        .rsplit_once([' ', '*'])
        .map_or(shown, |(whole, _)| whole);
    let shown = shown.trim_end_matches([' ', '+', '-']);
    let terms = 1 + left.matches(" + ").count() + left.matches(" - ").count();
    format!("{shown} + ... ({terms} terms){right}")
}

/// All conditions of a program.
#[derive(Default)]
pub(super) struct Conditions {
    pub list: Vec<Condition>,
    /// Conditions on the derivation that no output divides by.
    pub cancelled: Vec<String>,
    /// Values of conditions that count wherever their divisors are used, whatever branch that is in.
    pub decided: Vec<Value>,
    /// Whether a divisor is a power multiplied out, next to whose zeros rounding leaves nothing of it.
    pub multiplied_out: bool,
}

impl Conditions {
    /// Adds a condition; one on the same value takes over what it guards. Each has its own text, by which it is told from the others.
    pub fn add(&mut self, mut condition: Condition) {
        let value = |c: &Condition| c.value.map(|v| v.0);
        let same = |c: &&mut Condition| value(c) == value(&condition);
        match self.list.iter_mut().find(same) {
            Some(known) => known.guards.extend(condition.guards),
            None => {
                condition.text = self.distinct(condition.text);
                self.list.push(condition);
            }
        }
    }

    /// What speaks for a divisor speaks for a routine, too.
    pub fn also_guard(&mut self, divisor: Value, routine: Value) {
        let speaking = |c: &&mut Condition| c.guards.contains(&divisor);
        for condition in self.list.iter_mut().filter(speaking) {
            condition.guards.push(routine);
        }
    }

    /// A text that no condition has yet: this one, or this one with a number.
    fn distinct(&self, text: String) -> String {
        let is_free = |text: &str| self.list.iter().all(|c| c.text != text);
        if is_free(&text) {
            return text;
        }
        let mut numbered = (2..).map(|n| format!("{text} ({n})"));
        numbered.find(|t| is_free(t)).unwrap_or(text)
    }

    /// The number of a routine's condition.
    pub fn of_routine(&mut self, kind: RoutineKind) -> u32 {
        let (text, note) = match kind {
            RoutineKind::Constrained { .. } => (
                "the constraints contradict one another, or the mass matrix is singular on their null space",
                "found by a rank-revealing elimination at run time",
            ),
            RoutineKind::MinimumNorm { .. } => (
                "linear equations of minimum norm contradict one another",
                "found at run time, when projecting onto the constraints or computing multipliers",
            ),
        };
        if let Some(i) = self.list.iter().position(|c| c.text == text) {
            return i as u32;
        }
        self.list.push(Condition {
            text: text.into(),
            note: note.into(),
            value: None,
            guards: Vec::new(),
        });
        (self.list.len() - 1) as u32
    }
}

/// What is divided by where the quotient by a value is folded: signs and numbers move to the numerator.
pub(super) fn bare(graph: &Graph, value: Value) -> Value {
    let mut at = value;
    loop {
        at = match *graph.op(at) {
            Op::Unary(Unary::Neg, a) => a,
            Op::Binary(Binary::Mul, a, b) if graph.as_rational(a).is_some() => b,
            Op::Binary(Binary::Mul, a, b) if graph.as_rational(b).is_some() => a,
            _ => return at,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Conditions, LONGEST, shortened};
    use crate::ir::Graph;

    #[test]
    fn conditions_on_different_values_differ_in_their_text() {
        let mut all = Conditions::default();
        let mut graph = Graph::new();
        let values = [0, 1, 2].map(|i| graph.input(crate::ir::Slot { group: 1, index: i }));
        let root = "a root = 0";
        for (value, text) in [(0, root), (1, root), (0, "r = 0"), (2, root)] {
            let condition = Condition::new(values[value], None, text.into(), "", Vec::new());
            all.add(condition);
        }
        let texts: Vec<&str> = all.list.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["a root = 0", "a root = 0 (2)", "a root = 0 (3)"]);
    }

    #[test]
    fn long_conditions_keep_what_they_say() {
        assert_eq!(shortened("sin(a) = 0".into()), "sin(a) = 0");
        let sum = vec!["a*b^2"; 200].join(" + ");
        for relation in ["= 0", "< 0"] {
            let text = shortened(format!("{sum} {relation}"));
            assert!(text.len() < LONGEST + 40, "{text}");
            assert!(text.starts_with("a*b^2 + a*b^2"), "{text}");
            assert!(
                text.ends_with(&format!(" + ... (200 terms) {relation}")),
                "{text}"
            );
        }
    }
}
