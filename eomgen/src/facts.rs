//! What the outputs of a generated module are, as data: everything that neither a function's name nor the index enums say. Written as
//! the constant `FACTS` of a module and read back from there, one fact a line:
//!
//! ```text
//! formulation = kane
//! mass_matrix, forcing: unknowns = x'' y'' theta''
//! dependent_speeds: speeds = theta'
//! maggi_multipliers: quasi_velocities = x' y' | row(blade)
//! ```
//!
//! Knows neither how an output is derived nor how it is checked.

use crate::catalogue::Inverse;

/// What is said of charts whose determinants are weighed by inertias. No acceleration is called that.
const WEIGHED: &str = "weighed";

/// Name of the constant.
pub const FACTS: &str = "FACTS";

/// A quasi-velocity that the constraints fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// A speed that a constraint row determines.
    Speed(String),
    /// The velocity form of a constraint row itself.
    Row(String),
}

/// One thing to know of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The model's name of an output or a declared reaction.
    Output(String),
    /// The unknowns z' of `M z' = f`: accelerations `x''`, or rates `u1'` of speeds.
    Unknowns(Vec<String>),
    /// The speeds that follow from those of the state, in the order of the entries.
    DependentSpeeds(Vec<String>),
    /// The accelerations that are expressed by the others.
    DependentAccelerations(Vec<String>),
    /// Several choices of accelerations that are expressed by the others, one of which is used at a state: that of the largest determinant, and whether
    /// determinants are weighed by inertias.
    Charts(Vec<Vec<String>>, bool),
    /// The coordinates that do not occur in the equations.
    CyclicCoordinates(Vec<String>),
    /// Which generalized inverse.
    Inverse(Inverse),
    /// The quasi-velocities: the free ones, then the fixed ones.
    QuasiVelocities(Vec<String>, Vec<Fixed>),
    /// Reactions that the model does not declare, after those that it does, and along what each acts: `force(C:N.x)`, `torque(C:B.y)`.
    GeneratedReactions(Vec<(String, String)>),
    /// Reactions that the model declares between two sides, and from which balance of a body each follows: none but the declared ones holds the body there.
    DeclaredReactions(Vec<(String, String)>),
    /// The rows of the momentum balances.
    Balances(BalanceRows),
    /// Constraint rows that are independent.
    IndependentRows(Vec<String>),
    /// The entries of the state that are independent on the constraints.
    IndependentEntries(Vec<String>),
    /// The point, the frame, or both, that it is of.
    Places(Vec<String>),
    /// The parameters that columns or entries belong to.
    Columns(Vec<String>),
    /// Parameters of stated kinetic energies, and parameters of loads, that are to be identified.
    Identified(Vec<String>, Vec<String>),
    /// Bodies, each with the point that its inertial parameters refer to.
    ReferencePoints(Vec<(String, String)>),
}

/// What the rows of the momentum balances are about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalanceRows {
    /// The directions of all bodies in their order: `force(C:N.x)`.
    pub directions: Vec<String>,
    /// Those along which generated reactions act.
    pub generated: Vec<String>,
    /// Those from which the declared reactions follow.
    pub declared: Vec<String>,
    /// The coordinates whose rates move no body.
    pub massless: Vec<String>,
}

impl BalanceRows {
    fn groups(&self) -> [&[String]; 4] {
        [
            &self.directions,
            &self.generated,
            &self.declared,
            &self.massless,
        ]
    }
}

impl Fact {
    /// What kind of fact it is.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Output(_) => "output",
            Self::Unknowns(_) => "unknowns",
            Self::DependentSpeeds(_) => "speeds",
            Self::DependentAccelerations(_) => "dependent_accelerations",
            Self::Charts(..) => "charts",
            Self::CyclicCoordinates(_) => "cyclic_coordinates",
            Self::Inverse(_) => "inverse",
            Self::QuasiVelocities(..) => "quasi_velocities",
            Self::GeneratedReactions(_) => "generated_reactions",
            Self::DeclaredReactions(_) => "declared_reactions",
            Self::Balances(_) => "balances",
            Self::IndependentRows(_) => "independent_rows",
            Self::IndependentEntries(_) => "independent_entries",
            Self::Places(_) => "of",
            Self::Columns(_) => "columns",
            Self::Identified(..) => "identified",
            Self::ReferencePoints(_) => "about",
        }
    }

    fn words(&self) -> Vec<String> {
        match self {
            Self::Output(name) => vec![escaped(name)],
            Self::Unknowns(names)
            | Self::DependentSpeeds(names)
            | Self::DependentAccelerations(names)
            | Self::CyclicCoordinates(names)
            | Self::IndependentRows(names)
            | Self::IndependentEntries(names)
            | Self::Places(names)
            | Self::Columns(names) => names.iter().map(|name| escaped(name)).collect(),
            Self::GeneratedReactions(list)
            | Self::DeclaredReactions(list)
            | Self::ReferencePoints(list) => {
                let pair = |(name, along): &(String, String)| {
                    format!("{}={}", escaped(name), escaped(along))
                };
                list.iter().map(pair).collect()
            }
            Self::Charts(list, weighed) => {
                let last = [WEIGHED.to_owned()];
                let last = weighed.then_some(last.as_slice());
                grouped(list.iter().map(Vec::as_slice).chain(last))
            }
            Self::Balances(rows) => grouped(rows.groups().into_iter()),
            Self::Identified(stated, loads) => {
                grouped([stated.as_slice(), loads.as_slice()].into_iter())
            }
            Self::Inverse(inverse) => vec![inverse.name().to_owned()],
            Self::QuasiVelocities(free, fixed) => {
                let free = free.iter().map(|name| escaped(name));
                let fixed = fixed.iter().map(|fixed| match fixed {
                    Fixed::Speed(name) => escaped(name),
                    Fixed::Row(name) => format!("row({})", escaped(name)),
                });
                free.chain(["|".to_owned()]).chain(fixed).collect()
            }
        }
    }

    fn read(key: &str, words: &[&str]) -> Option<Self> {
        let names = || words.iter().map(|word| plain(word)).collect::<Option<_>>();
        Some(match key {
            "output" => match words {
                [name] => Self::Output(plain(name)?),
                _ => return None,
            },
            "unknowns" => Self::Unknowns(names()?),
            "speeds" => Self::DependentSpeeds(names()?),
            "dependent_accelerations" => Self::DependentAccelerations(names()?),
            "cyclic_coordinates" => Self::CyclicCoordinates(names()?),
            "charts" => {
                let chart = |words: &[&str]| words.iter().map(|word| plain(word)).collect();
                let charts = words.split(|word| *word == "|").map(chart);
                let mut charts: Vec<Vec<String>> = charts.collect::<Option<_>>()?;
                let weighed = charts.pop_if(|last| *last == [WEIGHED]).is_some();
                Self::Charts(charts, weighed)
            }
            "generated_reactions" => Self::GeneratedReactions(pairs(words)?),
            "declared_reactions" => Self::DeclaredReactions(pairs(words)?),
            "independent_rows" => Self::IndependentRows(names()?),
            "independent_entries" => Self::IndependentEntries(names()?),
            "of" => Self::Places(names()?),
            "columns" => Self::Columns(names()?),
            "about" => Self::ReferencePoints(pairs(words)?),
            "identified" => {
                let group = |words: &[&str]| words.iter().map(|word| plain(word)).collect();
                let groups = words.split(|word| *word == "|").map(group);
                let groups: Vec<Vec<String>> = groups.collect::<Option<_>>()?;
                let [stated, loads] = groups.try_into().ok()?;
                Self::Identified(stated, loads)
            }
            "balances" => {
                let group = |words: &[&str]| words.iter().map(|word| plain(word)).collect();
                let groups = words.split(|word| *word == "|").map(group);
                let groups: Vec<Vec<String>> = groups.collect::<Option<_>>()?;
                let [directions, generated, declared, massless] = groups.try_into().ok()?;
                Self::Balances(BalanceRows {
                    directions,
                    generated,
                    declared,
                    massless,
                })
            }
            "inverse" => {
                let [word] = words else { return None };
                let mut all = Inverse::ALL.into_iter();
                Self::Inverse(all.find(|inverse| inverse.name() == *word)?)
            }
            "quasi_velocities" => {
                let bar = words.iter().position(|word| *word == "|")?;
                let (free, fixed) = (&words[..bar], &words[bar + 1..]);
                let free = free.iter().map(|word| plain(word));
                let fixed = fixed.iter().map(|word| {
                    let row = word.strip_prefix("row(").and_then(|w| w.strip_suffix(')'));
                    Some(match row {
                        Some(name) => Fixed::Row(plain(name)?),
                        None => Fixed::Speed(plain(word)?),
                    })
                });
                Self::QuasiVelocities(free.collect::<Option<_>>()?, fixed.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}

/// Names in groups, with a bar between each two.
fn grouped<'n>(groups: impl Iterator<Item = &'n [String]>) -> Vec<String> {
    let mut words = Vec::new();
    for (index, group) in groups.enumerate() {
        if index > 0 {
            words.push("|".to_owned());
        }
        words.extend(group.iter().map(|name| escaped(name)));
    }
    words
}

/// Names, each with what it stands for.
fn pairs(words: &[&str]) -> Option<Vec<(String, String)>> {
    let pair = |word: &&str| {
        let (name, along) = word.split_once('=')?;
        Some((plain(name)?, plain(along)?))
    };
    words.iter().map(pair).collect()
}

/// The facts of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The method by which the equations were derived.
    pub formulation: String,
    /// Facts, each with the functions for which it holds.
    pub list: Vec<(Vec<String>, Fact)>,
}

impl Facts {
    /// Adds what is to be known of a function.
    pub fn add(&mut self, function: &str, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            match self.list.iter_mut().find(|(_, known)| *known == fact) {
                Some((functions, _)) => functions.push(function.to_owned()),
                None => self.list.push((vec![function.to_owned()], fact)),
            }
        }
    }

    /// What is known of a function.
    pub fn of<'f>(&'f self, function: &'f str) -> impl Iterator<Item = &'f Fact> {
        let own = move |(functions, _): &&(Vec<String>, Fact)| {
            functions.iter().any(|name| name == function)
        };
        self.list.iter().filter(own).map(|(_, fact)| fact)
    }

    /// One line for each fact.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let own = self.list.iter().map(|(functions, fact)| {
            let (functions, words) = (functions.join(", "), fact.words().join(" "));
            let line = format!("{functions}: {} = {words}", fact.key());
            line.trim_end().to_owned()
        });
        let formulation = format!("formulation = {}", escaped(&self.formulation));
        std::iter::once(formulation).chain(own).collect()
    }

    /// Reads [`lines`](Self::lines) back.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn read(lines: &[String]) -> Result<Self, String> {
        let mut facts = Self::default();
        for (index, line) in lines.iter().enumerate() {
            let fact = if index == 0 {
                let name = line.strip_prefix("formulation = ").and_then(plain);
                name.map(|name| facts.formulation = name)
            } else {
                read(line).map(|fact| facts.list.push(fact))
            };
            fact.ok_or_else(|| line.clone())?;
        }
        if facts.formulation.is_empty() {
            return Err("formulation =".to_owned());
        }
        Ok(facts)
    }
}

fn read(line: &str) -> Option<(Vec<String>, Fact)> {
    let (functions, rest) = line.split_once(": ")?;
    let (key, words) = rest.split_once(" =")?;
    let words: Vec<&str> = words.split_whitespace().collect();
    let functions = functions.split(", ").map(str::to_owned).collect();
    Some((functions, Fact::read(key, &words)?))
}

/// A name as one word.
fn escaped(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c == '%' || c == '|' || c.is_whitespace() {
            let code = u32::from(c);
            word.push_str(&format!("%{code:x};"));
        } else {
            word.push(c);
        }
    }
    word
}

fn plain(word: &str) -> Option<String> {
    let mut parts = word.split('%');
    let mut name = parts.next()?.to_owned();
    for part in parts {
        let (code, rest) = part.split_once(';')?;
        name.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        name.push_str(rest);
    }
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn facts_read_back_as_written() {
        let mut facts = Facts {
            formulation: "kane".into(),
            ..Facts::default()
        };
        let unknowns = Fact::Unknowns(names(&["x''", "left.q[1, 2]''", "50 % | θ"]));
        facts.add("mass_matrix", [unknowns.clone()]);
        facts.add("forcing", [unknowns]);
        let fixed = vec![Fixed::Speed("u3".into()), Fixed::Row("blade".into())];
        facts.add(
            "quasi_velocity_matrix",
            [Fact::QuasiVelocities(names(&["u1", "u2"]), fixed)],
        );
        facts.add("quadratures", [Fact::CyclicCoordinates(Vec::new())]);
        facts.add("pose_of_B_P", [Fact::Places(names(&["B", "P"]))]);
        facts.add("regressor", [Fact::Columns(names(&["A.m", "J"]))]);
        facts.add(
            "regressor",
            [Fact::ReferencePoints(vec![("A".into(), "left.P".into())])],
        );
        facts.add(
            "known_forces",
            [Fact::Identified(names(&["J"]), names(&["d1", "d2"]))],
        );
        facts.add("generalized_inverse", [Fact::Inverse(Inverse::OneFour)]);
        let declared = vec![("p".to_owned(), "force(C:N.x)".to_owned())];
        facts.add("output_p", [Fact::DeclaredReactions(declared)]);
        facts.add(
            "balance_rhs",
            [Fact::Balances(BalanceRows {
                directions: names(&["force(C:N.x)", "force(C:N.y)"]),
                declared: names(&["force(C:N.x)"]),
                ..BalanceRows::default()
            })],
        );
        facts.add(
            "privileged_constraint_drift",
            [Fact::IndependentRows(names(&["blade"]))],
        );
        for (function, weighed) in [("chart_in_use", true), ("other_charts", false)] {
            let charts = vec![names(&["x''", "y''"]), names(&["y''", "z''"])];
            facts.add(function, [Fact::Charts(charts, weighed)]);
        }
        let lines = facts.lines();
        assert!(lines.contains(&"chart_in_use: charts = x'' y'' | y'' z'' | weighed".to_owned()));
        assert_eq!(
            lines[..3],
            [
                "formulation = kane",
                "mass_matrix, forcing: unknowns = x'' left.q[1,%20;2]'' 50%20;%25;%20;%7c;%20;θ",
                "quasi_velocity_matrix: quasi_velocities = u1 u2 | u3 row(blade)",
            ]
        );
        assert_eq!(Facts::read(&lines), Ok(facts));
    }

    #[test]
    fn other_lines_are_no_facts() {
        for line in ["", "f: colour = blue", "f: unknowns", "f: inverse = two"] {
            let lines = ["formulation = kane".to_owned(), line.to_owned()];
            assert_eq!(Facts::read(&lines), Err(line.to_owned()));
        }
        assert!(Facts::read(&[]).is_err());
    }
}
