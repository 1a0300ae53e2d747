//! The options of a derivation as words: what the header lists, what the command line, the attribute and the builder spell. Which
//! options there are stands in the [catalogue](crate::catalogue::options).

use super::{DeriveOptions, Form, Inverse, Math, Plan, Prefer, Route, Scalar};
use crate::catalogue::asked::{split, without_spaces};
use crate::catalogue::options::{OPTIONS, Takes};

/// The method where none is asked for.
pub const DEFAULT_METHOD: &str = "kane";

impl DeriveOptions {
    /// Takes in what an option says: a word, one of several names, a name with its value as in `n=20`.
    ///
    /// # Errors
    /// What is wrong with the value. Whether the formulation exists is seen when it is derived.
    pub fn take(&mut self, option: &str, value: &str) -> Result<(), String> {
        fn word<T>(slot: &mut T, known: Option<T>) -> Result<(), String> {
            *slot = known.ok_or("an unknown word")?;
            Ok(())
        }
        match option {
            "method" => self.method = Some(value.to_owned()),
            "form" => word(&mut self.form, Form::named(value))?,
            "inverse" => word(&mut self.variant.inverse, Inverse::named(value))?,
            "route" => word(&mut self.variant.route, Route::named(value))?,
            "plan" => word(&mut self.plan, Plan::named(value))?,
            "prefer" => word(&mut self.prefer, Prefer::named(value))?,
            "math" => word(&mut self.math, Math::named(value))?,
            "scalar" => word(&mut self.scalar, Scalar::named(value))?,
            "fma" => word(&mut self.fma, value.parse().ok())?,
            "batch" => word(&mut self.batch, value.parse().ok())?,
            "dependent" => self.dependent.push(value.to_owned()),
            "output" => self.outputs.push(without_spaces(value)),
            "only" => self.only.push(value.to_owned()),
            "jacobian" => self.jacobians.push(value.to_owned()),
            "set" => self.set.push(constant(value)?),
            "fix" => self.fix.add(value)?,
            _ => return Err(format!("there is no option '{option}'")),
        }
        Ok(())
    }

    /// What an option says, one word or several; of a constant or parameter with its name and `=` before it.
    fn said(&self, option: &str) -> Vec<String> {
        let one = |word: &str| vec![word.to_owned()];
        let named = |(name, value): (String, String)| format!("{name}={value}");
        match option {
            "method" => one(self.method.as_deref().unwrap_or(DEFAULT_METHOD)),
            "form" => one(self.form.name()),
            "inverse" => one(self.variant.inverse.name()),
            "route" => one(self.variant.route.name()),
            "plan" => one(self.plan.name()),
            "prefer" => one(self.prefer.name()),
            "math" => one(self.math.name()),
            "scalar" => one(self.scalar.name()),
            "fma" => one(if self.fma { "true" } else { "" }),
            "batch" => one(if self.batch { "true" } else { "" }),
            "dependent" => self.dependent.clone(),
            "output" => sorted(&self.outputs),
            "only" => sorted(&self.only),
            "jacobian" => sorted(&self.jacobians),
            "set" => {
                let mut set = self.set.clone();
                set.sort();
                let words = set.into_iter().map(|(name, n)| (name, n.to_string()));
                words.map(named).collect()
            }
            "fix" => {
                let all = self.fix.all.then(|| "all".to_owned());
                all.into_iter()
                    .chain(self.fix.pairs().into_iter().map(named))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// What plans are compared by. Where many states are worked on at once nothing waits, and operations are the time.
    pub(crate) fn criterion(&self) -> Prefer {
        match self.batch {
            true => Prefer::Operations,
            false => self.prefer,
        }
    }

    /// The options in a fixed order, enough to make the file again. Defaults are left out, but for the method and the form.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        for option in OPTIONS {
            let name = option.name;
            let said = self.said(name);
            let mut push = |key: String, value: &str| list.push((key, value.to_owned()));
            match option.takes {
                Takes::Constants | Takes::Parameters => {
                    for word in &said {
                        match word.split_once('=') {
                            Some((of, value)) => push(format!("{name}.{of}"), value),
                            None => push(name.to_owned(), word),
                        }
                    }
                }
                Takes::Word(_, default) if name != "form" && said == [default] => {}
                Takes::Flag if said == [""] => {}
                _ if said.is_empty() => {}
                _ => push(name.to_owned(), &said.join(separator(option.takes))),
            }
        }
        list
    }

    /// The options that [`pairs`](Self::pairs) lists so; `None` if no version of this generator does.
    pub fn from_pairs(pairs: &[(String, String)]) -> Option<Self> {
        let mut options = Self::default();
        for (key, value) in pairs {
            let taken = match key.split_once('.') {
                Some((name @ ("set" | "fix"), of)) => options.take(name, &format!("{of}={value}")),
                _ => {
                    let option = OPTIONS.iter().find(|option| option.name == key)?;
                    let words: Vec<&str> = match option.takes {
                        Takes::Quantities => split(value),
                        takes if option.repeats() => value.split(separator(takes)).collect(),
                        _ => vec![value],
                    };
                    words.iter().try_for_each(|word| options.take(key, word))
                }
            };
            taken.ok()?;
        }
        Some(options)
    }

    /// The arguments of `eomgen derive` that say the same, as one would type them: defaults are left out.
    pub fn arguments(&self) -> Vec<String> {
        let mut list = Vec::new();
        for option in OPTIONS {
            let flag = format!("--{}", option.name);
            let said = self.said(option.name);
            match option.takes {
                Takes::Method if self.method.is_none() => {}
                Takes::Word(_, default) if said == [default] => {}
                Takes::Flag if said == [""] => {}
                Takes::Flag => list.push(flag),
                Takes::Quantities | Takes::Functions if !said.is_empty() => {
                    list.extend([flag, said.join(",")])
                }
                _ => list.extend(said.into_iter().flat_map(|word| [flag.clone(), word])),
            }
        }
        list
    }
}

/// Options as one value each.
#[cfg(feature = "derive")]
pub(super) type Pairs = Vec<(String, String)>;

#[cfg(feature = "derive")]
impl From<DeriveOptions> for Pairs {
    fn from(options: DeriveOptions) -> Self {
        options.pairs()
    }
}

#[cfg(feature = "derive")]
impl TryFrom<Pairs> for DeriveOptions {
    type Error = &'static str;

    fn try_from(pairs: Pairs) -> Result<Self, Self::Error> {
        Self::from_pairs(&pairs).ok_or("options that nobody wrote")
    }
}

/// What stands between several words of an option in one value.
fn separator(takes: Takes) -> &'static str {
    match takes {
        Takes::Derivatives => ";",
        _ => ",",
    }
}

/// Each once, in alphabetic order.
fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names.dedup();
    names
}

/// `n=20`
pub(crate) fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write the constant and its value, as in n=20")?;
    let value = value.trim();
    let number = value
        .parse()
        .map_err(|_| format!("the value of a constant is a whole number, not '{value}'"))?;
    Ok((name.trim().to_string(), number))
}

#[cfg(test)]
mod tests {
    use super::super::{Fix, Variant};
    use super::*;

    fn fixed() -> Fix {
        let mut fix = Fix::default();
        for text in ["all", "left.m = -1/3", "g=9.81"] {
            fix.add(text).unwrap();
        }
        fix
    }

    fn all() -> DeriveOptions {
        DeriveOptions {
            method: Some("maggi".into()),
            form: Form::Staged,
            dependent: vec!["x'".into(), "u3".into()],
            math: Math::Libm,
            fma: true,
            scalar: Scalar::Generic,
            batch: true,
            set: vec![("n".into(), 20), ("k".into(), -1)],
            fix: fixed(),
            variant: Variant::named(Some("one-four"), Some("II")).unwrap(),
            plan: Plan::NewtonEuler,
            prefer: Prefer::Operations,
            outputs: vec!["b".into(), "a".into()],
            only: vec!["d".into(), "c".into()],
            jacobians: vec!["rates:v".into(), "accelerations:q,v".into()],
        }
    }

    #[test]
    fn pairs_lead_back() {
        let pairs = all().pairs();
        let text: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(
            text.join(" "),
            "method=maggi form=staged dependent=x',u3 set.k=-1 set.n=20 fix=all fix.g=9.81 fix.left.m=-1/3 inverse=one-four route=II plan=newton-euler prefer=operations output=a,b only=c,d jacobian=accelerations:q,v;rates:v math=libm fma=true scalar=generic batch=true"
        );
        let back = DeriveOptions::from_pairs(&pairs).unwrap();
        assert_eq!(back.pairs(), pairs);
        assert_eq!(back.dependent, all().dependent);
        let plain = DeriveOptions::default().pairs();
        assert_eq!(DeriveOptions::from_pairs(&plain).unwrap().pairs(), plain);
        for (key, value) in [
            ("form", "x"),
            ("y", "z"),
            ("set.n", "x"),
            ("fix", "x"),
            ("fix.g", "x"),
            ("route", "IV"),
            ("plan", "x"),
            ("prefer", "x"),
            ("batch", "x"),
            ("fma", "x"),
        ] {
            let pairs = [(key.to_owned(), value.to_owned())];
            assert_eq!(DeriveOptions::from_pairs(&pairs), None, "{key}");
        }
    }

    #[test]
    fn arguments_are_what_one_would_type() {
        assert_eq!(DeriveOptions::default().arguments(), Vec::<String>::new());
        assert_eq!(
            all().arguments().join(" "),
            "--method maggi --form staged --dependent x' --dependent u3 --set k=-1 --set n=20 --fix all --fix g=9.81 --fix left.m=-1/3 --inverse one-four --route II --plan newton-euler --prefer operations \
             --output a,b --only c,d --jacobian accelerations:q,v --jacobian rates:v --math libm --fma --scalar generic --batch"
        );
    }
}
