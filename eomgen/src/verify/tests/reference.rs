//! Against the reference numbers of `generated-tests/reference`, which were computed in forty digits by two other methods.

use super::*;
use crate::verify::number::Decimal;
use crate::verify::states::SolvedState;
use serde_json::Value;

struct Reference {
    system: System,
    head: Value,
}

impl Reference {
    fn of(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/reference");
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        Self {
            system: system(name),
            head: serde_json::from_str(&text).unwrap(),
        }
    }

    fn states(&self) -> &[Value] {
        self.head["states"].as_array().unwrap()
    }

    /// Numbers in the order of the file, put in that of the model.
    fn in_order(&self, names: &str, values: &Value, own: &[String]) -> Vec<f64> {
        let names: Vec<&str> = match &self.head[names] {
            Value::Array(list) => list.iter().map(|n| n.as_str().unwrap()).collect(),
            _ => Vec::new(),
        };
        let place = |n: &String| names.iter().position(|x| x == n).unwrap();
        own.iter()
            .map(|n| values[place(n)].as_f64().unwrap())
            .collect()
    }

    fn coordinates(&self) -> Vec<String> {
        let all = self.system.coords.iter();
        all.map(|c| c.meta.name.clone()).collect()
    }

    fn state(&self, s: &Value) -> State<Decimal> {
        let decimals = |list: Vec<f64>| list.into_iter().map(Decimal::from_f64).collect();
        let q = self.coordinates();
        let inputs: Vec<String> = self
            .system
            .inputs
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
        State {
            t: Decimal::from_f64(s["t"].as_f64().unwrap()),
            params: self
                .system
                .params
                .iter()
                .map(|p| {
                    let value = self.head["params"][&p.meta.name].as_f64();
                    value.map_or_else(
                        || Decimal::rational(p.default.as_ref().unwrap()).unwrap(),
                        Decimal::from_f64,
                    )
                })
                .collect(),
            states: Vec::new(),
            inputs: decimals(self.in_order("inputs", &s["inputs"], &inputs)),
            q: decimals(self.in_order("coordinates", &s["q"], &q)),
            rates: decimals(self.in_order("coordinates", &s["qd"], &q)),
        }
    }

    fn check(&self, name: &str, how_many: usize) {
        let machine = Machine::new(&self.system, 1).unwrap();
        let q = self.coordinates();
        for s in self.states().iter().take(how_many) {
            let dynamics = SolvedState::near(&machine, &self.state(s))
                .unwrap()
                .dynamics;
            let compare = |key: &str, names: &str, own: &[String], values: &[Decimal]| {
                if s[key].is_null() {
                    return;
                }
                let want = self.in_order(names, &s[key], own);
                close(&format!("{name} {key}"), values, &want);
            };
            compare("accelerations", "coordinates", &q, &dynamics.accelerations);
            compare("multipliers", "rows", &dynamics.rows, &dynamics.multipliers);
            let both: Vec<Decimal> = dynamics
                .ideal_forces
                .iter()
                .zip(&dynamics.nonideal_forces)
                .map(|(a, b)| a.add(b))
                .collect();
            compare("constraint_force", "coordinates", &q, &both);
            let single = |key: &str, value: &Decimal| {
                if let Some(want) = s[key].as_f64() {
                    close(
                        &format!("{name} {key}"),
                        std::slice::from_ref(value),
                        &[want],
                    );
                }
            };
            single("kinetic_energy", &dynamics.kinetic_energy);
            single(
                "potential_energy",
                dynamics.potential_energy.as_ref().unwrap(),
            );
            single("gibbs_function", &dynamics.gibbs_function);
            for (i, row) in q.iter().enumerate() {
                if s["mass_matrix"].is_null() {
                    continue;
                }
                let names: Vec<&str> = self.head["coordinates"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|n| n.as_str().unwrap())
                    .collect();
                let place = names.iter().position(|n| n == row).unwrap();
                let want = self.in_order("coordinates", &s["mass_matrix"][place], &q);
                close(&format!("{name} M {row}"), &dynamics.mass[i], &want);
            }
        }
    }
}

fn close(what: &str, values: &[Decimal], want: &[f64]) {
    assert_eq!(values.len(), want.len(), "{what}");
    let scale = want.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (v, w) in values.iter().zip(want) {
        let gap = (v.to_f64() - w).abs();
        assert!(gap <= 1e-9 * scale, "{what}: {} is not {w}", v.show());
    }
}

#[test]
fn sleighs() {
    for name in [
        "e4_sleigh",
        "e4_sleigh_cartesian",
        "e4_sleigh_rheonomic",
        "e4_sleigh_six",
        "sleigh_ref",
    ] {
        Reference::of(name).check(name, 4);
    }
}

#[test]
fn wheels() {
    for name in ["disc", "e5_wheel_axle_full", "e5_wheel_axle_rows"] {
        Reference::of(name).check(name, 3);
    }
}

/// With rows that depend on others.
#[test]
fn a_loop_stated_twice() {
    Reference::of("cart_double_pendulum_dependent").check("cart_double_pendulum_dependent", 3);
}

#[test]
fn pendulums_and_robots() {
    for name in ["pend_abs_3", "pend_rel_5", "ur5", "panda7"] {
        Reference::of(name).check(name, 2);
    }
}
