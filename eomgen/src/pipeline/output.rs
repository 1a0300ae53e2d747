//! What `eomgen eval` finds at a state.

use super::json::Json;

/// The numbers of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// One.
    Scalar(f64),
    /// A list.
    List(Vec<f64>),
    /// Rows.
    Matrix(Vec<Vec<f64>>),
    /// The model does not have it.
    Absent,
}

impl Numbers {
    fn to_json(&self) -> Json {
        let list = |values: &[f64]| {
            let numbers = values.iter().map(|v| Json::Number(*v));
            Json::List(numbers.collect())
        };
        match self {
            Self::Scalar(value) => Json::Number(*value),
            Self::List(values) => list(values),
            Self::Matrix(rows) => Json::List(rows.iter().map(|row| list(row)).collect()),
            Self::Absent => Json::Null,
        }
    }

    fn is_finite(&self) -> bool {
        match self {
            Self::Scalar(value) => value.is_finite(),
            Self::List(values) => values.iter().all(|v| v.is_finite()),
            Self::Matrix(rows) => rows.iter().flatten().all(|v| v.is_finite()),
            Self::Absent => true,
        }
    }
}

/// What the equations give at a state. Lists are in the model's order, with its names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvalOutput {
    /// Second derivatives of the coordinates, by coordinate.
    pub qddot: Vec<(String, f64)>,
    /// Rates of the speeds, by speed.
    pub speeds_dot: Vec<(String, f64)>,
    /// Rates of the states of first order, by state.
    pub states_dot: Vec<(String, f64)>,
    /// Multipliers of the constraint rows, by row.
    pub multipliers: Vec<(String, f64)>,
    /// Ideal part of the generalized constraint force, by coordinate.
    pub ideal_force: Vec<(String, f64)>,
    /// Non-ideal part, by coordinate.
    pub nonideal_force: Vec<(String, f64)>,
    /// T.
    pub kinetic_energy: Option<f64>,
    /// V; `None` if the model has loads without potential only.
    pub potential_energy: Option<f64>,
    /// S, the whole of 1/2 integral a.a dm.
    pub gibbs: Option<f64>,
    /// How far the state is from fulfilling each constraint row, by row.
    pub constraint_residuals: Vec<(String, f64)>,
    /// The model's own outputs in order of declaration: one number, or three components in `N`.
    pub outputs: Vec<(String, Vec<f64>)>,
    /// Quantities asked for by name, in the order of the catalogue.
    pub quantities: Vec<(String, Numbers)>,
    /// Mass matrix of the equations, row by row; not part of the JSON.
    pub mass_matrix: Vec<Vec<f64>>,
    /// What is suspicious about the state; for standard error.
    pub warnings: Vec<String>,
}

impl EvalOutput {
    /// The results as JSON text, numbers with 17 significant digits.
    pub fn to_json(&self) -> String {
        let entries = [
            ("qddot", Json::numbers(&self.qddot)),
            ("speeds_dot", Json::numbers(&self.speeds_dot)),
            ("multipliers", Json::numbers(&self.multipliers)),
            ("ideal_force", Json::numbers(&self.ideal_force)),
            ("nonideal_force", Json::numbers(&self.nonideal_force)),
            ("kinetic_energy", Json::number_or_null(self.kinetic_energy)),
            (
                "potential_energy",
                Json::number_or_null(self.potential_energy),
            ),
            ("gibbs", Json::number_or_null(self.gibbs)),
            (
                "constraint_residuals",
                Json::numbers(&self.constraint_residuals),
            ),
        ];
        let mut entries = entries
            .map(|(name, value)| (name.to_string(), value))
            .to_vec();
        if !self.states_dot.is_empty() {
            let rates = Json::numbers(&self.states_dot);
            entries.insert(2, ("states_dot".to_string(), rates));
        }
        if !self.outputs.is_empty() || !self.quantities.is_empty() {
            let number = |v: &f64| Json::number_or_null(Some(*v));
            let asked = |name: &String| self.quantities.iter().any(|(asked, _)| asked == name);
            let own = self.outputs.iter().map(|(name, values)| {
                let value = match values.as_slice() {
                    [single] => number(single),
                    list => Json::List(list.iter().map(number).collect()),
                };
                // As the generated module calls it, where a quantity has the name.
                if asked(name) {
                    (format!("output_{name}"), value)
                } else {
                    (name.clone(), value)
                }
            });
            let quantities = self.quantities.iter();
            let quantities = quantities.map(|(name, numbers)| (name.clone(), numbers.to_json()));
            let all = own.chain(quantities).collect();
            entries.push(("outputs".to_string(), Json::Object(all)));
        }
        Json::Object(entries).to_text()
    }

    /// Names of the results that are not finite, such as `qddot.x`.
    pub fn not_finite(&self) -> Vec<String> {
        let groups = [
            ("qddot", &self.qddot),
            ("speeds_dot", &self.speeds_dot),
            ("states_dot", &self.states_dot),
            ("multipliers", &self.multipliers),
            ("ideal_force", &self.ideal_force),
            ("nonideal_force", &self.nonideal_force),
            ("constraint_residuals", &self.constraint_residuals),
        ];
        let scalars = [
            ("kinetic_energy", self.kinetic_energy),
            ("potential_energy", self.potential_energy),
            ("gibbs", self.gibbs),
        ];
        let in_groups = groups.iter().flat_map(|(group, values)| {
            let bad = values.iter().filter(|(_, value)| !value.is_finite());
            bad.map(move |(name, _)| format!("{group}.{name}"))
        });
        let alone = scalars.iter().filter_map(|(name, value)| {
            value
                .filter(|value| !value.is_finite())
                .map(|_| name.to_string())
        });
        let own = self.outputs.iter().filter_map(|(name, values)| {
            let bad = values.iter().any(|value| !value.is_finite());
            bad.then(|| format!("outputs.{name}"))
        });
        let asked = self.quantities.iter().filter(|(_, n)| !n.is_finite());
        let asked = asked.map(|(name, _)| format!("outputs.{name}"));
        in_groups.chain(alone).chain(own).chain(asked).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_are_not_finite_are_named() {
        let output = EvalOutput {
            qddot: vec![("x".into(), f64::NAN), ("y".into(), 1.0)],
            gibbs: Some(f64::INFINITY),
            ..EvalOutput::default()
        };
        assert_eq!(output.not_finite(), ["qddot.x", "gibbs"]);
        let json: serde_json::Value = serde_json::from_str(&output.to_json()).unwrap();
        assert_eq!(json["qddot"]["y"], 1.0);
        assert_eq!(json["kinetic_energy"], serde_json::Value::Null);
    }

    #[test]
    fn quantities_stand_among_the_outputs() {
        let output = EvalOutput {
            outputs: vec![("v".into(), vec![1.0]), ("force".into(), vec![2.0, 3.0])],
            quantities: vec![
                ("force".into(), Numbers::Scalar(0.5)),
                (
                    "m".into(),
                    Numbers::Matrix(vec![vec![1.0, 2.0], vec![3.0, f64::NAN]]),
                ),
                ("multipliers".into(), Numbers::Absent),
            ],
            ..EvalOutput::default()
        };
        assert_eq!(output.not_finite(), ["outputs.m"]);
        let json: serde_json::Value = serde_json::from_str(&output.to_json()).unwrap();
        let found = &json["outputs"];
        assert_eq!(found["v"], 1.0);
        assert_eq!(found["output_force"][1], 3.0);
        assert_eq!(found["force"], 0.5);
        assert_eq!(found["m"][1][0], 3.0);
        assert!(found["m"][1][1].is_null() && found["multipliers"].is_null());
    }
}
