//! The quantities of the catalogue beside the oracle: each is compared with what it is defined to be, worked out from the oracle's mass
//! matrix, forces, rows and paths.

use super::beside::{Beside, Quasi, Wanted};
use super::oracle::{Expected, Oracle, State};
use crate::running::{Evaluated, Shape, Value, filler};
use nalgebra::{DMatrix, DVector};

/// Matrices of quasi-velocities with larger numbers in their inverses are not looked at: products with those are compared in double precision.
const SKEWED: f64 = 3e3;

/// Functions for which loads are told from inertia.
const LOADS: [&str; 4] = [
    "applied_forces",
    "velocity_terms",
    "representative_force",
    "quasi_velocity_forces",
];

/// Functions of the speeds of the state.
const SPEEDS: [&str; 4] = [
    "partial_velocities",
    "partial_angular_velocities",
    "generalized_forces_in_speeds",
    "gibbs_gradient",
];

/// A comparison: what it is about, what a module gives, and what it should be.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is compared.
    pub what: String,
    /// By the module.
    pub found: Vec<f64>,
    /// By the oracle.
    pub wanted: Vec<f64>,
}

/// What a machine has that the definitions of some quantities leave open.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Rotations by quaternions: how they go on where they are no units is a convention.
    pub quaternion: bool,
    /// Loads by reactions: what is applied depends on what is constrained.
    pub friction: bool,
}

/// Everything that a module says at one sample.
pub struct Module<'a> {
    run: &'a Evaluated,
    sample: usize,
}

impl<'a> Module<'a> {
    /// Of a run.
    #[must_use]
    pub fn new(run: &'a Evaluated, sample: usize) -> Self {
        Self { run, sample }
    }

    fn list(&self, function: &str) -> Option<DVector<f64>> {
        let value = self.run.value(self.sample, function)?;
        let numbers = value.outcome.as_ref().ok()?;
        Some(DVector::from_column_slice(numbers))
    }

    fn values(&self) -> &'a [Value] {
        &self.run.samples[self.sample]
    }

    fn matrix(&self, function: &str) -> Option<DMatrix<f64>> {
        let value = self.run.value(self.sample, function)?;
        let numbers = value.outcome.as_ref().ok()?;
        Some(match value.shape {
            Shape::Matrix(rows, columns) => DMatrix::from_row_slice(rows, columns, numbers),
            _ => DMatrix::from_column_slice(numbers.len(), 1, numbers),
        })
    }

    /// The words of a fact about a function.
    fn fact(&self, function: &str, key: &str) -> Option<Vec<String>> {
        self.run.names.facts.iter().find_map(|fact| {
            let (functions, rest) = fact.split_once(": ")?;
            let (of, words) = rest.split_once(" =")?;
            let own = of == key && functions.split(", ").any(|f| f == function);
            own.then(|| {
                let words = words.split_whitespace();
                words.map(|w| w.replace("%20;", " ")).collect()
            })
        })
    }

    /// The speeds of the state.
    fn speeds(&self) -> Vec<String> {
        let names = &self.run.names;
        let speeds = names.state.iter();
        let speeds = speeds.filter(|n| !names.coordinates.contains(n));
        speeds.cloned().collect()
    }
}

/// Claims while they are made.
struct Claims<'a> {
    module: Module<'a>,
    beside: &'a Beside,
    kind: Kind,
    list: Vec<Claim>,
}

fn flat(m: &DMatrix<f64>) -> Vec<f64> {
    m.transpose().as_slice().to_vec()
}

fn column(list: &DVector<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(list.len(), 1, list.as_slice())
}

fn rows_of(rows: &[Vec<f64>], columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), columns, |i, j| rows[i][j])
}

/// What a module says at a sample, beside what should be.
///
/// # Errors
/// Where the oracle cannot follow.
pub fn claims(
    oracle: &Oracle,
    state: &State,
    motion: &Expected,
    module: Module<'_>,
    kind: Kind,
) -> Result<Vec<Claim>, String> {
    let speeds = module.speeds();
    let any = |names: &[&str]| names.iter().any(|name| module.list(name).is_some());
    let wanted = Wanted {
        loads: any(&LOADS) || any(&SPEEDS),
        speeds: any(&SPEEDS),
    };
    let beside = oracle.beside(state, motion, &speeds, wanted)?;
    let mut claims = Claims {
        module,
        beside: &beside,
        kind,
        list: Vec::new(),
    };
    claims.residuals();
    claims.dependent_speeds(oracle, state)?;
    claims.balances();
    claims.parts_of_the_derivative();
    if kind.quaternion {
        return Ok(claims.list);
    }
    claims.families();
    claims.of_quasi_velocities(oracle, state)?;
    claims.privileged();
    if kind.friction {
        return Ok(claims.list);
    }
    claims.equations();
    claims.of_coordinates();
    claims.scaled();
    claims.of_speeds();
    claims.explicit();
    for (function, at) in [("inverse_dynamics", true), ("bias_forces", false)] {
        let Some(found) = claims.module.list(function) else {
            continue;
        };
        let rates: Vec<f64> = (0..speeds.len())
            .map(|i| if at { filler(i) } else { 0.0 })
            .collect();
        if let Some(wanted) = oracle.forces_on(state, &speeds, &rates)? {
            claims.same(function, found.as_slice(), &wanted);
        }
    }
    Ok(claims.list)
}

impl Claims<'_> {
    fn same(&mut self, what: &str, found: &[f64], wanted: &[f64]) {
        self.list.push(Claim {
            what: what.to_owned(),
            found: found.to_vec(),
            wanted: wanted.to_vec(),
        });
    }

    fn equal(&mut self, what: &str, found: &DMatrix<f64>, wanted: &DMatrix<f64>) {
        if found.shape() == wanted.shape() {
            self.same(what, &flat(found), &flat(wanted));
        } else {
            let shape = |m: &DMatrix<f64>| [m.nrows() as f64, m.ncols() as f64];
            self.same(&format!("shape of {what}"), &shape(found), &shape(wanted));
        }
    }

    /// A sum of terms that must vanish, beside the size of its terms.
    fn vanishes(&mut self, what: &str, terms: &[DVector<f64>]) {
        let Some(first) = terms.first() else { return };
        let size = terms.iter().map(|t| t.amax()).fold(0.0, f64::max);
        let sum = terms.iter().skip(1).fold(first.clone(), |s, t| s + t);
        let mut found = sum.as_slice().to_vec();
        found.push(size);
        let mut wanted = vec![0.0; sum.len()];
        wanted.push(size);
        self.same(what, &found, &wanted);
    }

    fn mass(&self) -> DMatrix<f64> {
        rows_of(&self.beside.motion.mass, self.n())
    }

    fn n(&self) -> usize {
        self.beside.motion.accelerations.len()
    }

    fn vector(list: &[f64]) -> DVector<f64> {
        DVector::from_column_slice(list)
    }

    fn force(&self) -> DVector<f64> {
        Self::vector(&self.beside.motion.force)
    }

    fn accelerations(&self) -> DVector<f64> {
        Self::vector(&self.beside.motion.accelerations)
    }

    fn rates(&self) -> DVector<f64> {
        Self::vector(&self.beside.motion.rates)
    }

    fn applied(&self) -> DVector<f64> {
        self.force() + &self.beside.velocity_terms
    }

    /// What the constraints exert, ideal or not.
    fn exerted(&self) -> DVector<f64> {
        self.mass() * self.accelerations() - self.force()
    }

    fn nonideal(&self) -> DVector<f64> {
        Self::vector(&self.beside.motion.prescribed)
    }

    /// A and b in the order of the module's rows.
    fn constraint_rows(&self) -> Option<(DMatrix<f64>, DVector<f64>)> {
        let motion = &self.beside.motion;
        let mut places = Vec::new();
        for name in &self.module.run.names.constraints {
            places.push(motion.multipliers.iter().position(|(n, _)| n == name)?);
        }
        let n = self.n();
        let rows = DMatrix::from_fn(places.len(), n, |i, j| motion.rows[places[i]][j]);
        let right = DVector::from_iterator(places.len(), places.iter().map(|r| motion.right[*r]));
        Some((rows, right))
    }

    /// Acceleration of `x''`, rate of a speed `u'`.
    fn rate_named(&self, word: &str) -> Option<f64> {
        let names = &self.module.run.names;
        let coordinate = |of: &str| names.coordinates.iter().position(|n| n == of);
        if let Some(of) = word.strip_suffix("''") {
            return coordinate(of).map(|i| self.beside.motion.accelerations[i]);
        }
        let speed = word.strip_suffix('\'')?;
        self.beside.motion.speed_rates.get(speed).copied()
    }

    /// Where the constraints hold, residuals vanish, and a step of the projection leads nowhere.
    fn residuals(&mut self) {
        for function in ["constraint_residuals", "velocity_residuals"] {
            if let Some(found) = self.module.list(function) {
                let zero = vec![0.0; found.len()];
                self.same(function, found.as_slice(), &zero);
            }
        }
        if let Some(found) = self.module.list("projection_step") {
            let state = self.beside.state.clone();
            self.same("projection_step", found.as_slice(), &state);
        }
    }

    fn dependent_speeds(&mut self, oracle: &Oracle, state: &State) -> Result<(), String> {
        let found = self.module.list("dependent_speeds");
        let names = self.module.fact("dependent_speeds", "speeds");
        let Some((found, names)) = found.zip(names) else {
            return Ok(());
        };
        let known = oracle.speeds(state)?;
        let value = |name: &String| known.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        if let Some(wanted) = names.iter().map(value).collect::<Option<Vec<_>>>() {
            self.same("dependent speeds", found.as_slice(), &wanted);
        }
        Ok(())
    }

    /// The balances hold for the accelerations and the reactions.
    fn balances(&mut self) {
        let all = (
            self.module.matrix("balance_matrix"),
            self.module.list("balance_rhs"),
            self.module.list("reactions"),
        );
        let (Some(matrix), Some(right), Some(reactions)) = all else {
            return;
        };
        let n = self.n();
        // What holds nothing has no column: a declared reaction along a direction that is free.
        let mut kept: Vec<f64> = reactions.iter().copied().collect();
        let rows = self.module.run.names.constraints.len();
        let generated = self.module.fact("reactions", "generated_reactions");
        let generated = generated.map_or(0, |list| list.len());
        while kept.len() + n > matrix.ncols() {
            // One that holds a definition has none either, though generalized forces may load it.
            let mut declared = rows..kept.len().saturating_sub(generated);
            let nothing = declared.clone().rev().find(|i| kept[*i].abs() < 1e-9);
            let Some(place) = nothing.or(declared.next_back()) else {
                break;
            };
            kept.remove(place);
        }
        let reactions = Self::vector(&kept);
        if matrix.ncols() != n + reactions.len() {
            self.same(
                "columns of balances",
                &[matrix.ncols() as f64],
                &[(n + reactions.len()) as f64],
            );
            return;
        }
        let left = matrix.columns(0, n) * self.accelerations();
        let held = matrix.columns(n, reactions.len()) * &reactions;
        self.vanishes("balances", &[left, held, -right]);
    }

    /// What is cyclic and what is not are the derivative together.
    fn parts_of_the_derivative(&mut self) {
        let all = (
            self.module.list("derivative"),
            self.module.list("reduced_derivative"),
            self.module.list("quadratures"),
            self.module.fact("quadratures", "cyclic_coordinates"),
        );
        if let (Some(whole), Some(reduced), Some(quadratures), Some(cyclic)) = all {
            let names = &self.module.run.names.state;
            let part = |inside: bool| -> Vec<f64> {
                let pairs = names.iter().zip(whole.iter());
                let own = pairs.filter(|(n, _)| cyclic.contains(n) == inside);
                own.map(|(_, x)| *x).collect()
            };
            let (rest, own) = (part(false), part(true));
            self.same("reduced derivative", reduced.as_slice(), &rest);
            self.same("quadratures", quadratures.as_slice(), &own);
        }
    }

    /// Redundant multipliers and generalized inverses.
    fn families(&mut self) {
        let rank = self.beside.motion.rank;
        let Some((a, _)) = self.constraint_rows() else {
            return;
        };
        if let Some(family) = self.module.matrix("multiplier_family") {
            let wide = family.ncols();
            self.same(
                "columns of the family",
                &[wide as f64],
                &[(a.nrows() - rank) as f64],
            );
            for column in family.column_iter() {
                self.vanishes(
                    "A^T of the family",
                    &[a.transpose() * column, DVector::zeros(self.n())],
                );
            }
            if wide > 0 {
                let smallest = family.clone().svd(false, false).singular_values;
                let independent = smallest.iter().all(|s| *s > 1e-9);
                let found = f64::from(u8::from(independent));
                self.same("rank of the family", &[found], &[1.0]);
            }
        }
        let inverse = self.module.matrix("generalized_inverse");
        let word = self.module.fact("generalized_inverse", "inverse");
        if let (Some(x), Some(word), Some(lower)) = (inverse, word, self.mass().cholesky()) {
            let Some(back) = lower.l().transpose().try_inverse() else {
                return;
            };
            let b = &a * back;
            let kind = word.first().map_or("", String::as_str);
            let of = if kind == "one" { &b * b.transpose() } else { b };
            self.equal("B X B = B", &(&of * &x * &of), &of);
            if kind != "one" {
                let product = &x * &of;
                self.equal("X B is symmetric", &product, &product.transpose());
            }
            if kind == "moore-penrose" {
                let product = &of * &x;
                self.equal("B X is symmetric", &product, &product.transpose());
                self.equal("X B X = X", &(&x * &of * &x), &x);
            }
        }
    }

    /// `M z' = f` of the formulation.
    fn equations(&mut self) {
        let all = (
            self.module.matrix("mass_matrix"),
            self.module.list("forcing"),
            self.module.fact("mass_matrix", "unknowns"),
        );
        let (Some(m), Some(f), Some(words)) = all else {
            return;
        };
        if words.iter().all(|w| w.ends_with("''")) && words.len() == self.n() {
            self.equal("mass matrix", &m, &self.mass());
            let forcing = self.force() + self.nonideal();
            self.same("forcing", f.as_slice(), forcing.as_slice());
            return;
        }
        let free = self.n() - self.beside.motion.rank;
        let unknowns: Option<Vec<f64>> = words.iter().map(|w| self.rate_named(w)).collect();
        if let Some(z) = unknowns
            && words.len() == free
        {
            self.vanishes("M z' = f", &[m * Self::vector(&z), -f]);
        }
    }

    fn of_coordinates(&mut self) {
        let pairs = [
            ("applied_forces", self.applied()),
            ("velocity_terms", self.beside.velocity_terms.clone()),
            ("nonideal_vector", self.nonideal()),
        ];
        for (function, wanted) in pairs {
            if let Some(found) = self.module.list(function) {
                self.same(function, found.as_slice(), wanted.as_slice());
            }
        }
        if let Some(a) = self.module.list("unconstrained_accelerations") {
            let (inertia, force) = (self.mass() * a, self.force());
            self.same("M a = F", inertia.as_slice(), force.as_slice());
        }
        let covariant = self.module.matrix("covariant_basis");
        if let Some(a) = &covariant {
            let total = self.total_mass(a);
            if let Some(total) = total {
                let gram = a.transpose() * a * total;
                self.equal("m a_I . a_K = M", &gram, &self.mass());
            }
            if let Some(dual) = self.module.matrix("contravariant_basis") {
                let one = DMatrix::identity(self.n(), self.n());
                self.equal("a^K . a_L", &(dual.transpose() * a), &one);
            }
            if let Some(force) = self.module.list("representative_force") {
                let applied = self.applied();
                self.same(
                    "Phi . a_K",
                    (a.transpose() * force).as_slice(),
                    applied.as_slice(),
                );
            }
        }
    }

    /// The total mass, by the entry of M where it is largest.
    fn total_mass(&self, basis: &DMatrix<f64>) -> Option<f64> {
        let mass = self.mass();
        let place = (0..self.n()).max_by(|i, j| mass[(*i, *i)].total_cmp(&mass[(*j, *j)]))?;
        let square = basis.column(place).norm_squared();
        (square > 0.0).then(|| mass[(place, place)] / square)
    }

    /// Everything in scaled accelerations.
    fn scaled(&mut self) {
        let (Some((a, _)), Some(lower)) = (self.constraint_rows(), self.mass().cholesky()) else {
            return;
        };
        let lower = lower.l();
        let Some(back) = lower.transpose().try_inverse() else {
            return;
        };
        let b = a * back;
        if let Some(found) = self.module.matrix("scaled_constraint_matrix") {
            self.equal("B", &found, &b);
        }
        if let Some(found) = self.module.matrix("constraint_gram_matrix") {
            self.equal("G", &found, &(&b * b.transpose()));
        }
        let n = self.n();
        let rank = self.beside.motion.rank;
        let mut normal = DMatrix::zeros(n, n);
        if !b.is_empty() {
            let svd = b.clone().svd(false, true);
            let Some(directions) = svd.v_t else { return };
            let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
            order.sort_by(|i, j| svd.singular_values[*j].total_cmp(&svd.singular_values[*i]));
            for i in order.iter().take(rank) {
                let row = directions.row(*i);
                normal += row.transpose() * row;
            }
        }
        if let Some(found) = self.module.matrix("normal_projector") {
            self.equal("normal projector", &found, &normal);
        }
        if let Some(found) = self.module.matrix("tangent_projector") {
            self.equal(
                "tangent projector",
                &found,
                &(DMatrix::identity(n, n) - &normal),
            );
        }
    }

    fn of_speeds(&mut self) {
        let Some(w) = self.beside.by_speeds.clone() else {
            return;
        };
        let kinds = [
            ("partial_velocities", &self.beside.paths),
            ("partial_angular_velocities", &self.beside.turns),
        ];
        for (function, paths) in kinds {
            if let Some(found) = self.module.matrix(function) {
                let wanted = paths * &w;
                self.equal(function, &found, &wanted);
            }
        }
        if let Some(found) = self.module.list("generalized_forces_in_speeds") {
            let wanted = w.transpose() * self.applied();
            self.same("R", found.as_slice(), wanted.as_slice());
        }
        if let Some(found) = self.module.list("gibbs_gradient") {
            let inertia = self.mass() * self.accelerations() + &self.beside.velocity_terms;
            let wanted = w.transpose() * inertia;
            self.same("dS/du'", found.as_slice(), wanted.as_slice());
        }
    }

    fn of_quasi_velocities(&mut self, oracle: &Oracle, state: &State) -> Result<(), String> {
        // Functions of one module may be about different quasi-velocities.
        let mut sets: Vec<Vec<String>> = Vec::new();
        for value in self.module.values() {
            let words = self.module.fact(&value.function, "quasi_velocities");
            if let Some(words) = words.filter(|w| !sets.contains(w)) {
                sets.push(words);
            }
        }
        for words in sets {
            let Some(bar) = words.iter().position(|w| w == "|") else {
                continue;
            };
            let name = |word: &String| {
                let row = word.strip_prefix("row(").and_then(|w| w.strip_suffix(')'));
                row.map_or_else(|| word.clone(), |row| format!("{row}'"))
            };
            let both = words[..bar].iter().chain(&words[bar + 1..]);
            let names: Vec<String> = both.map(name).collect();
            if names.len() != self.n() {
                let n = self.n() as f64;
                self.same("number of quasi-velocities", &[names.len() as f64], &[n]);
                continue;
            }
            let Ok(quasi) = oracle.quasi_velocities(state, &names) else {
                continue;
            };
            let inverse = quasi.matrix.clone().try_inverse();
            // Next to a pole nothing is left of the digits of its square.
            let known = |h: &DMatrix<f64>| h.amax() * quasi.matrix.amax() < SKEWED;
            if let Some(h) = inverse.filter(known) {
                self.quasi(&words, &quasi, &h, bar);
            }
        }
        Ok(())
    }

    /// A function's numbers as a matrix, if it is about these quasi-velocities.
    fn about(&self, words: &[String], function: &str) -> Option<DMatrix<f64>> {
        let own = self.module.fact(function, "quasi_velocities")?;
        (own == words).then(|| self.module.matrix(function))?
    }

    fn quasi(&mut self, words: &[String], quasi: &Quasi, h: &DMatrix<f64>, free: usize) {
        let n = self.n();
        let of_held = h.columns(free, n - free).into_owned();
        let u = &quasi.matrix * self.rates() + &quasi.drift;
        let mut pairs = vec![
            ("quasi_velocity_matrix", quasi.matrix.clone()),
            ("inverse_quasi_velocity_matrix", h.clone()),
            ("quasi_velocity_drift", column(&quasi.drift)),
        ];
        if !self.kind.friction {
            let mu = column(&(of_held.transpose() * (self.exerted() - self.nonideal())));
            let forcing = of_held.transpose() * (self.force() + self.nonideal());
            pairs.extend([
                ("maggi_multiplier_matrix", of_held.transpose() * self.mass()),
                ("maggi_multiplier_forcing", column(&forcing)),
                ("maggi_multipliers", mu.clone()),
                ("constraint_reactions_in_quasi_velocities", mu),
                (
                    "quasi_velocity_mass_matrix",
                    h.transpose() * self.mass() * h,
                ),
                (
                    "quasi_velocity_forces",
                    column(&(h.transpose() * self.applied())),
                ),
            ]);
        }
        for (function, wanted) in pairs {
            if let Some(found) = self.about(words, function) {
                self.equal(function, &found, &wanted);
            }
        }
        if self.about(words, "maggi_matrix").is_some() {
            self.admissible(&h.columns(0, free).into_owned());
        }
        if let Some(gamma) = self.about(words, "transposition_coefficients")
            && let Some(extra) = self.about(words, "transposition_drift")
        {
            let gamma = Self::vector(&flat(&gamma));
            self.transposition(&gamma, &extra, quasi, h, &u);
        }
    }

    /// `q' = E e + e0`: e are the free quasi-velocities, or all speeds where no choice of independent ones is good everywhere.
    fn admissible(&mut self, by_free: &DMatrix<f64>) {
        let Some(e) = self.module.matrix("maggi_matrix") else {
            return;
        };
        if e.ncols() == by_free.ncols() {
            self.equal("E", &e, by_free);
        }
        if let Some(drift) = self.module.list("maggi_drift")
            && e.ncols() == self.beside.speeds.len()
        {
            let rates = self.rates();
            let found = e * Self::vector(&self.beside.speeds) + drift;
            self.same("q' = E e + e0", found.as_slice(), rates.as_slice());
        }
    }

    /// `gamma^M_KN = sum_LP H_LK H_PN (dJ_ML/dq_P - dJ_MP/dq_L)`, and with the drift the whole of what does not commute.
    fn transposition(
        &mut self,
        gamma: &DVector<f64>,
        extra: &DMatrix<f64>,
        quasi: &Quasi,
        h: &DMatrix<f64>,
        u: &DVector<f64>,
    ) {
        let n = self.n();
        let mut wanted = Vec::new();
        for m in 0..n {
            let curl = DMatrix::from_fn(n, n, |l, p| {
                quasi.slopes[p][(m, l)] - quasi.slopes[l][(m, p)]
            });
            wanted.extend(flat(&(h.transpose() * curl * h)));
        }
        self.same("transposition coefficients", gamma.as_slice(), &wanted);
        let whole = DMatrix::from_fn(n, n, |m, k| {
            let own: f64 = (0..n).map(|v| gamma[m * n * n + k * n + v] * u[v]).sum();
            own + extra[(m, k)]
        });
        self.equal("transposition along the motion", &whole, &(&quasi.curl * h));
    }

    fn privileged(&mut self) {
        let all = (
            self.module.matrix("privileged_constraint_matrix"),
            self.module.list("privileged_constraint_drift"),
        );
        let rank = self.beside.motion.rank;
        if let (Some(d), Some(drift)) = all {
            self.same("rows of D", &[d.nrows() as f64], &[rank as f64]);
            self.vanishes("D q' + d = 0", &[&d * self.rates(), drift.clone()]);
            if let (Some(c), Some(c0)) = (
                self.module.matrix("privileged_matrix"),
                self.module.list("privileged_drift"),
            ) {
                for column in c.column_iter() {
                    self.vanishes("D C = 0", &[&d * column, DVector::zeros(d.nrows())]);
                }
                self.vanishes("D c + d = 0", &[&d * &c0, drift]);
                if c.ncols() == self.beside.speeds.len() {
                    let y = Self::vector(&self.beside.speeds);
                    let rates = self.rates();
                    self.same("q' = C Y + c", (c * y + c0).as_slice(), rates.as_slice());
                }
            }
        }
    }

    fn explicit(&mut self) {
        let words = ["explicit_matrix", "explicit_reduction", "chart_matrix"]
            .iter()
            .find_map(|f| self.module.fact(f, "dependent_accelerations"));
        let Some(words) = words else { return };
        let names = self.module.run.names.coordinates.clone();
        let dependent: Option<Vec<usize>> = words
            .iter()
            .map(|w| names.iter().position(|n| *w == format!("{n}''")))
            .collect();
        let (Some(dependent), Some((a, _))) = (dependent, self.constraint_rows()) else {
            return;
        };
        let free: Vec<usize> = (0..self.n()).filter(|i| !dependent.contains(i)).collect();
        let (own, rest) = (a.select_columns(&dependent), a.select_columns(&free));
        for (function, wanted) in [("chart_matrix", &own), ("chart_complement", &rest)] {
            if let Some(found) = self.module.matrix(function) {
                self.equal(function, &found, wanted);
            }
        }
        let q = self.accelerations();
        let (qe, qi) = (q.select_rows(&dependent), q.select_rows(&free));
        let reduction = self.module.matrix("explicit_reduction");
        if let Some(r) = &reduction {
            self.equal("Ae R = Ai", &(&own * r), &rest);
            if let Some(d) = self.module.list("explicit_drift") {
                self.same("qe'' = d - R qi''", (d - r * &qi).as_slice(), qe.as_slice());
            }
        }
        if let (Some(m), Some(f)) = (
            self.module.matrix("explicit_matrix"),
            self.module.list("explicit_rhs"),
        ) {
            self.vanishes("explicit equations", &[m * &qi, -f]);
        }
    }
}
