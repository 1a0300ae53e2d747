//! Reads the JSON text of a state.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::state::EvalInput;

const KEYS: [&str; 8] = [
    "t",
    "params",
    "q",
    "qdot",
    "speeds",
    "states",
    "inputs",
    "functions",
];

impl EvalInput {
    /// Reads the JSON text of a state. All complaints at once, each naming its key.
    pub fn from_json(text: &str) -> Result<Self, Vec<String>> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| vec![format!("not JSON: {error}")])?;
        let Value::Object(map) = value else {
            return Err(vec![format!(
                "the state must be an object such as {{\"q\": {{\"x\": 0.5}}}}, not {}",
                kind(&value)
            )]);
        };
        let mut reader = Reader::default();
        let input = Self {
            t: map.get("t").map_or(0.0, |value| reader.number("t", value)),
            params: reader.numbers(&map, "params").unwrap_or_default(),
            q: reader.numbers(&map, "q").unwrap_or_default(),
            qdot: reader.numbers(&map, "qdot"),
            speeds: reader.numbers(&map, "speeds"),
            states: reader.numbers(&map, "states").unwrap_or_default(),
            inputs: reader.numbers(&map, "inputs").unwrap_or_default(),
            functions: reader.texts(&map, "functions").unwrap_or_default(),
        };
        for key in map.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            let keys = KEYS.join(", ");
            reader.complain(format!("unknown key \"{key}\"; the keys are {keys}"));
        }
        if input.qdot.is_some() && input.speeds.is_some() {
            reader.complain("give either \"qdot\" or \"speeds\", not both".to_string());
        }
        for key in repeated_keys(text, &map) {
            reader.complain(format!("\"{key}\" is given twice"));
        }
        if reader.complaints.is_empty() {
            Ok(input)
        } else {
            Err(reader.complaints)
        }
    }
}

/// Keys that occur more often in the text than in what was read from it: the reader keeps the last
/// of two equal keys without a word.
fn repeated_keys(text: &str, map: &Map<String, Value>) -> Vec<String> {
    let mut surplus = keys_in_text(text);
    let inner = map.values().filter_map(Value::as_object);
    for key in map.keys().chain(inner.flat_map(Map::keys)) {
        if let Some(index) = surplus.iter().position(|written| written == key) {
            surplus.remove(index);
        }
    }
    surplus
}

/// The keys of a text that is known to be JSON: the strings before a colon, at the first two levels.
fn keys_in_text(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut last = 0..0;
    let mut depth = 0;
    let mut bytes = text.bytes().enumerate();
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => {
                let mut escaped = false;
                let end = bytes.find(|&(_, byte)| {
                    let closes = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    closes
                });
                last = index..end.map_or(text.len(), |(end, _)| end + 1);
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b':' if depth <= 2 => keys.extend(serde_json::from_str::<String>(&text[last.clone()])),
            _ => {}
        }
    }
    keys
}

#[derive(Default)]
struct Reader {
    complaints: Vec<String>,
}

impl Reader {
    fn complain(&mut self, message: String) {
        self.complaints.push(message);
    }

    fn number(&mut self, key: &str, value: &Value) -> f64 {
        match value.as_f64() {
            Some(number) if number.is_finite() => number,
            _ => {
                self.complain(format!("\"{key}\" must be a number, not {}", kind(value)));
                0.0
            }
        }
    }

    fn group<'a>(
        &mut self,
        map: &'a Map<String, Value>,
        key: &str,
    ) -> Option<&'a Map<String, Value>> {
        match map.get(key)? {
            Value::Object(entries) => Some(entries),
            other => {
                self.complain(format!("\"{key}\" must be an object, not {}", kind(other)));
                None
            }
        }
    }

    fn numbers(&mut self, map: &Map<String, Value>, key: &str) -> Option<IndexMap<String, f64>> {
        let entries = self.group(map, key)?;
        let mut numbers = IndexMap::new();
        for (name, value) in entries {
            numbers.insert(name.clone(), self.number(&format!("{key}.{name}"), value));
        }
        Some(numbers)
    }

    fn texts(&mut self, map: &Map<String, Value>, key: &str) -> Option<IndexMap<String, String>> {
        let entries = self.group(map, key)?;
        let mut texts = IndexMap::new();
        for (name, value) in entries {
            match value {
                Value::String(text) => {
                    texts.insert(name.clone(), text.clone());
                }
                other => self.complain(format!(
                    "\"{key}.{name}\" must be an expression in a string, not {}",
                    kind(other)
                )),
            }
        }
        Some(texts)
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_given_twice_are_named() {
        let text = r#"{"t": 0, "q": {"x": 1, "y": 2, "x": 3}, "functions": {"h": "\\\": \"x\":"}, "t": 1}"#;
        let complaints = EvalInput::from_json(text).unwrap_err();
        assert_eq!(complaints, ["\"x\" is given twice", "\"t\" is given twice"]);
        let fine = r#"{"q": {"x": 1}, "qdot": {"x": 1}, "params": {"a\u0301": 1, "á": 2}}"#;
        assert!(EvalInput::from_json(fine).is_ok());
    }
}
