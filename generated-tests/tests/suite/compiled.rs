//! The generated modules as a user compiles them, at the reference states: against the reference numbers, against each other's
//! outputs, and against the interpreter.
#![cfg(feature = "generated")]

use generated_tests::compare::{close, error};
use generated_tests::harness::{Rows, derived, eval_input};
use generated_tests::known;
use generated_tests::modules::{COMPILED, Compiled};
use generated_tests::reference::{Reference, State};
use generated_tests::refreshing::GENERATED;
use generated_tests::states;

/// A module at a state of its reference.
struct Place<'a> {
    module: &'a Compiled,
    reference: &'a Reference,
    state: &'a State,
    x: Vec<f64>,
    inputs: Vec<f64>,
}

type Check = Result<(), String>;

impl<'a> Place<'a> {
    fn new(
        module: &'a Compiled,
        reference: &'a Reference,
        state: &'a State,
    ) -> Result<Self, String> {
        let x = module
            .state
            .iter()
            .map(|name| states::entry(reference, state, name));
        let inputs = module
            .inputs
            .iter()
            .map(|name| states::input(reference, state, name));
        Ok(Self {
            x: x.collect::<Result<_, _>>()?,
            inputs: inputs.collect::<Result<_, _>>()?,
            module,
            reference,
            state,
        })
    }

    fn call(&self, function: &str) -> Result<Vec<f64>, String> {
        let numbers = self
            .module
            .call(function, self.state.t, &self.x, &self.inputs);
        numbers.map_err(|e| format!("{function}: {e}"))
    }

    /// Values by coordinate in the module's order.
    fn in_order(&self, values: &[f64]) -> Result<Vec<f64>, String> {
        let names: Vec<String> = self
            .module
            .coordinates
            .iter()
            .map(|n| (*n).to_owned())
            .collect();
        self.reference.in_order(values, &names)
    }

    fn motion(&self) -> Check {
        let accelerations = self.call("accelerations")?;
        close(
            "q''",
            &accelerations,
            &self.in_order(&self.state.accelerations)?,
        )?;
        let rates = self.in_order(&self.state.qd)?;
        close("q'", &self.call("rates")?, &rates)?;
        let speed_rates = self.call("speed_rates")?;
        let derivative = self.call("derivative")?;
        let (first, second) = derivative.split_at(rates.len());
        close("q' of the derivative", first, &rates)?;
        let names = &self.module.state[rates.len()..];
        for (name, rate) in names.iter().zip(second) {
            let place = self.module.speeds.iter().position(|s| s == name);
            let place = place.ok_or_else(|| format!("`{name}` is no speed"))?;
            close(
                &format!("{name}' of the derivative"),
                &[*rate],
                &[speed_rates[place]],
            )?;
        }
        self.speeds(&accelerations, &speed_rates)
    }

    /// Speeds that the reference knows, and those that are rates of coordinates.
    fn speeds(&self, accelerations: &[f64], speed_rates: &[f64]) -> Check {
        let mut compared = 0;
        for (name, rate) in self.module.speeds.iter().zip(speed_rates) {
            let known = self.reference.speeds.iter().position(|s| s == name);
            let coordinate = name
                .strip_suffix('\'')
                .and_then(|c| self.module.coordinates.iter().position(|n| *n == c));
            let wanted = match (known, &self.state.speed_rates, coordinate) {
                (Some(i), Some(rates), _) => rates[i],
                (_, _, Some(i)) => accelerations[i],
                _ => continue,
            };
            close(&format!("{name}'"), &[*rate], &[wanted])?;
            compared += 1;
        }
        if compared == 0 {
            return Err(format!("none of {:?} is known", self.module.speeds));
        }
        if !self.module.functions().contains(&"dependent_speeds") {
            return Ok(());
        }
        let dependent = self
            .module
            .speeds
            .iter()
            .filter(|s| !self.module.state.contains(s));
        let wanted: Result<Vec<f64>, _> = dependent
            .map(|name| states::entry(self.reference, self.state, name))
            .collect();
        close(
            "dependent speeds",
            &self.call("dependent_speeds")?,
            &wanted?,
        )
    }

    fn energies(&self) -> Check {
        let table = [
            ("kinetic_energy", self.state.kinetic_energy),
            ("potential_energy", self.state.potential_energy),
            ("gibbs_function", self.state.gibbs_function),
        ];
        for (name, wanted) in table {
            if let Some(wanted) = wanted {
                close(name, &self.call(name)?, &[wanted])?;
            }
        }
        Ok(())
    }

    /// Ideal and non-ideal constraint forces; zeros without constraints.
    fn forces(&self) -> Result<[Vec<f64>; 2], String> {
        let of = |name: &str| {
            if self.module.functions().contains(&name) {
                self.call(name)
            } else {
                Ok(vec![0.0; self.module.coordinates.len()])
            }
        };
        Ok([
            of("ideal_constraint_forces")?,
            of("nonideal_constraint_forces")?,
        ])
    }

    fn constraints(&self, rows: Rows) -> Check {
        if self.module.rows.is_empty() {
            return Ok(());
        }
        let [ideal, nonideal] = self.forces()?;
        let whole: Vec<f64> = ideal.iter().zip(&nonideal).map(|(i, n)| i + n).collect();
        let table = [
            ("constraint force", &self.state.constraint_force, &whole),
            ("ideal part", &self.state.constraint_force_ideal, &ideal),
            (
                "non-ideal part",
                &self.state.constraint_force_nonideal,
                &nonideal,
            ),
        ];
        for (what, wanted, found) in table {
            if let Some(wanted) = wanted {
                close(what, found, &self.in_order(wanted)?)?;
            }
        }
        let multipliers = self.call("multipliers")?;
        if let (Rows::Same, Some(wanted)) = (rows, &self.state.multipliers) {
            let place = |row: &&str| self.reference.rows.iter().position(|r| r == row);
            let wanted: Option<Vec<f64>> = self
                .module
                .rows
                .iter()
                .map(|row| Some(wanted[place(row)?]))
                .collect();
            close(
                "multipliers",
                &multipliers,
                &wanted.ok_or("rows of other names")?,
            )?;
        }
        let mut virtual_force = self.virtual_force()?;
        // M q'' = F + C + A^T lambda, so that C + A^T lambda is the sum of both parts.
        if let Some(vector) = &self.state.nonideal_vector {
            let vector = self.in_order(vector)?;
            virtual_force
                .iter_mut()
                .zip(vector)
                .for_each(|(f, c)| *f += c);
        }
        close("C + A^T lambda", &virtual_force, &whole)?;
        let matrix = self.call("constraint_matrix")?;
        let product = product(&matrix, &self.call("accelerations")?);
        close("A q''", &product, &self.call("constraint_rhs")?)?;
        if rows == Rows::Same {
            let zero = vec![0.0; self.module.rows.len()];
            for name in ["constraint_residuals", "velocity_residuals"] {
                let worst = error(&self.call(name)?, &zero);
                if worst > 1e-12 {
                    return Err(format!("{name}: {worst:e}"));
                }
            }
        }
        Ok(())
    }

    /// A^T lambda.
    fn virtual_force(&self) -> Result<Vec<f64>, String> {
        let n = self.module.coordinates.len();
        let mut force = vec![0.0; n];
        if self.module.rows.is_empty() {
            return Ok(force);
        }
        let matrix = self.call("constraint_matrix")?;
        for (row, lambda) in matrix.chunks(n).zip(self.call("multipliers")?) {
            force
                .iter_mut()
                .zip(row)
                .for_each(|(f, a)| *f += a * lambda);
        }
        Ok(force)
    }

    /// M z' = f in the independent speeds, or M q'' = f + A^T lambda in the coordinates; f contains the vector C.
    fn equations(&self) -> Check {
        let (mass, mut forcing) = (self.call("mass_matrix")?, self.call("forcing")?);
        let n = self.module.coordinates.len();
        let accelerations = if forcing.len() < n {
            self.call("derivative")?.split_off(n)
        } else {
            let force = self.virtual_force()?;
            forcing.iter_mut().zip(force).for_each(|(f, a)| *f += a);
            self.call("accelerations")?
        };
        close("M z' and f", &product(&mass, &accelerations), &forcing)?;
        for (i, row) in mass.chunks(forcing.len()).enumerate() {
            let column: Vec<f64> = mass.chunks(forcing.len()).map(|r| r[i]).collect();
            close("symmetry of M", row, &column)?;
        }
        if let (Some(wanted), true) = (&self.state.mass_matrix, forcing.len() == n) {
            let wanted: Result<Vec<_>, _> = wanted.iter().map(|row| self.in_order(row)).collect();
            let by_row: Vec<Vec<f64>> = wanted?;
            let places = self
                .module
                .coordinates
                .iter()
                .map(|c| self.reference.coordinates.iter().position(|r| r == c));
            let wanted: Option<Vec<f64>> = places
                .map(|i| by_row.get(i?))
                .map(|r| r.cloned())
                .collect::<Option<Vec<_>>>()
                .map(|r| r.concat());
            close("M", &mass, &wanted.ok_or("coordinates of other names")?)?;
        }
        Ok(())
    }
}

fn product(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let rows = matrix.chunks(vector.len());
    rows.map(|row| row.iter().zip(vector).map(|(a, v)| a * v).sum())
        .collect()
}

/// Runs a check at every state of a module's reference.
fn everywhere(name: &str, check: impl Fn(&Place<'_>, Rows) -> Check) {
    let module = Compiled::named(name).unwrap();
    let origin = GENERATED.iter().find(|g| g.module == name).unwrap();
    let (reference, rows) = known::reference(origin.model).unwrap();
    for (index, state) in reference.states.iter().enumerate() {
        let result = Place::new(module, &reference, state).and_then(|place| check(&place, rows));
        if let Err(complaint) = result {
            panic!("{name}, state {index}: {complaint}");
        }
    }
}

/// Interpreted and compiled functions do the same operations; only the user's functions are written in two ways.
const SAME: f64 = 1e-13;

fn as_interpreted(name: &str) {
    let origin = GENERATED.iter().find(|g| g.module == name).unwrap();
    let evaluator = derived(origin.model, origin.method).unwrap();
    everywhere(name, |place, _| {
        let input = eval_input(place.reference, place.state);
        let wanted = evaluator.functions(&input).map_err(|f| format!("{f:?}"))?;
        let mut listed: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
        let mut callable = place.module.functions();
        listed.sort_unstable();
        callable.sort_unstable();
        if listed != callable {
            return Err(format!("{callable:?} are not {listed:?}"));
        }
        for (function, numbers) in &wanted {
            let numbers = numbers.as_ref().map_err(|f| format!("{function}: {f:?}"))?;
            let off = error(&place.call(function)?, numbers);
            if off > SAME {
                return Err(format!("{function} is off by {off:e}"));
            }
        }
        Ok(())
    });
}

#[test]
fn every_module_is_listed() {
    let listed: Vec<&str> = COMPILED.iter().map(|m| m.module).collect();
    let generated: Vec<&str> = GENERATED.iter().map(|g| g.module).collect();
    assert_eq!(listed, generated);
    assert_eq!(TESTED, generated);
}

macro_rules! each {
    ($($module:ident)*) => {
        const TESTED: &[&str] = &[$(stringify!($module)),*];

        mod reference_numbers {
            use super::everywhere;
            $(
                #[test]
                fn $module() {
                    everywhere(stringify!($module), |place, rows| {
                        place.motion()?;
                        place.energies()?;
                        place.constraints(rows)?;
                        place.equations()
                    });
                }
            )*
        }

        mod interpreter {
            $(
                #[test]
                fn $module() {
                    super::as_interpreted(stringify!($module));
                }
            )*
        }
    };
}

each! {
    ball_on_turntable
    bead_on_hoop
    cart_double_pendulum_dependent
    crane
    disc
    disc_contact
    double_pendulum
    e1_appell
    e2_appell_rheonomic
    e3_appell_nonideal
    e4_sleigh_cartesian
    e4_sleigh_gibbs_appell
    e4_sleigh_kane
    e4_sleigh_lagrange
    e4_sleigh_rheonomic
    e4_sleigh_six
    e4_sleigh_speeds
    e4_sleigh_udwadia_kalaba
    e5_wheel_axle
    e5_wheel_axle_full
    e5_wheel_axle_rows
    energy_elastic_pendulum
    energy_hunt_crossley
    panda7
    pend_abs_1
    pend_abs_10
    pend_abs_2
    pend_abs_20
    pend_abs_3
    pend_abs_5
    pend_rel_5
    rigid_body
    scotch_yoke
    sleigh_ref
    spherical_pendulum
    ur5
}
