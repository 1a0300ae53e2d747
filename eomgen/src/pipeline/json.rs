//! JSON with numbers of 17 significant digits (enough to get the same double back), so that
//! results compare digit by digit; names in the model's order.

use std::fmt::Write;

/// What evaluation results are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// A double; not-a-number and infinities, which JSON lacks, become `null`.
    Number(f64),
    /// `null`.
    Null,
    /// Named values in order.
    Object(Vec<(String, Json)>),
    /// Values in order, on one line.
    List(Vec<Json>),
}

impl Json {
    /// An object of numbers.
    pub(super) fn numbers(values: &[(String, f64)]) -> Self {
        let entries = values.iter();
        Self::Object(
            entries
                .map(|(name, value)| (name.clone(), Self::Number(*value)))
                .collect(),
        )
    }

    /// A number, or `null`.
    pub(super) fn number_or_null(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Number)
    }

    /// The text, two spaces per level, with a newline at the end.
    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, level: usize) {
        match self {
            Self::Number(value) if value.is_finite() => {
                // Writing to a String cannot fail.
                let _ = write!(out, "{value:.16e}");
            }
            Self::Number(_) | Self::Null => out.push_str("null"),
            Self::List(values) => {
                out.push('[');
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    value.write(out, level);
                }
                out.push(']');
            }
            Self::Object(entries) if entries.is_empty() => out.push_str("{}"),
            Self::Object(entries) => {
                let indent = "  ".repeat(level);
                for (index, (name, value)) in entries.iter().enumerate() {
                    out.push_str(if index == 0 { "{\n" } else { ",\n" });
                    let name = serde_json::Value::from(name.as_str());
                    let _ = write!(out, "{indent}  {name}: ");
                    value.write(out, level + 1);
                }
                let _ = write!(out, "\n{indent}}}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_went() {
        for value in [0.1, -1.0 / 3.0, 5e-324, f64::MAX, 0.0, 1e22] {
            let text = Json::Number(value).to_text();
            let digits = text.trim().trim_start_matches('-');
            let mantissa = digits.split('e').next().unwrap().replace('.', "");
            assert_eq!(mantissa.len(), 17, "{text}");
            assert_eq!(text.trim().parse::<f64>().unwrap(), value);
            let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(parsed.as_f64(), Some(value));
        }
    }

    #[test]
    fn layout_and_escapes() {
        let value = Json::Object(vec![
            ("a\"b".into(), Json::Object(vec![("x'".into(), Json::Null)])),
            ("empty".into(), Json::Object(vec![])),
            ("inf".into(), Json::Number(f64::INFINITY)),
        ]);
        let expect =
            "{\n  \"a\\\"b\": {\n    \"x'\": null\n  },\n  \"empty\": {},\n  \"inf\": null\n}\n";
        assert_eq!(value.to_text(), expect);
    }
}
