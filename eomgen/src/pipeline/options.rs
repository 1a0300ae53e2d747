//! The options of a derivation as key-value pairs: what the header lists, what the command line and the attribute spell. The one
//! place that names them all.

use super::{DeriveOptions, Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant};

/// The method where none is asked for.
pub const DEFAULT_METHOD: &str = "kane";

impl Form {
    /// All, the default first.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Closed, Self::Staged];

    /// What `--form` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Closed => "closed",
            Self::Staged => "staged",
        }
    }
}

impl Math {
    /// All, the default first.
    pub const ALL: [Self; 3] = [Self::Std, Self::Libm, Self::Inline];

    /// What `--math` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Std => "std",
            Self::Libm => "libm",
            Self::Inline => "inline",
        }
    }
}

impl Scalar {
    /// All, the default first.
    pub const ALL: [Self; 3] = [Self::F64, Self::F32, Self::Generic];

    /// What `--scalar` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::Generic => "generic",
        }
    }
}

impl Variant {
    /// The variant by the names of its parts; `None` for one that does not exist.
    pub fn named(inverse: Option<&str>, route: Option<&str>) -> Option<Self> {
        Some(Self {
            inverse: match inverse {
                None => Inverse::default(),
                Some(name) => Inverse::ALL.into_iter().find(|i| i.name() == name)?,
            },
            route: match route {
                None => Route::default(),
                Some(name) => Route::ALL.into_iter().find(|r| r.name() == name)?,
            },
        })
    }
}

impl DeriveOptions {
    /// The options in a fixed order, enough to make the file again. Defaults are left out, but for the method and the form.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let method = self.method.as_deref().unwrap_or(DEFAULT_METHOD);
        let mut list = vec![("method", method.to_owned())];
        list.push(("form", self.form.name().to_owned()));
        if !self.dependent.is_empty() {
            list.push(("dependent", self.dependent.join(",")));
        }
        let mut list: Vec<(String, String)> = list
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        let mut set = self.set.clone();
        set.sort();
        list.extend(
            set.iter()
                .map(|(name, n)| (format!("set.{name}"), n.to_string())),
        );
        if self.fix.all {
            list.push(("fix".to_owned(), "all".to_owned()));
        }
        let fixed = self.fix.pairs().into_iter();
        list.extend(fixed.map(|(name, value)| (format!("fix.{name}"), value)));
        let mut push = |key: &str, value: &str| list.push((key.to_owned(), value.to_owned()));
        if self.variant.inverse != Inverse::default() {
            push("inverse", self.variant.inverse.name());
        }
        if self.variant.route != Route::default() {
            push("route", self.variant.route.name());
        }
        if self.plan != Plan::default() {
            push("plan", self.plan.name());
        }
        if self.prefer != Prefer::default() {
            push("prefer", self.prefer.name());
        }
        if !self.outputs.is_empty() {
            let mut outputs = self.outputs.clone();
            outputs.sort();
            outputs.dedup();
            push("output", &outputs.join(","));
        }
        if !self.jacobians.is_empty() {
            let mut jacobians = self.jacobians.clone();
            jacobians.sort();
            jacobians.dedup();
            push("jacobian", &jacobians.join(";"));
        }
        if self.math != Math::default() {
            push("math", self.math.name());
        }
        if self.fma {
            push("fma", "true");
        }
        if self.scalar != Scalar::default() {
            push("scalar", self.scalar.name());
        }
        if self.batch {
            push("batch", "true");
        }
        list
    }

    /// The options that [`pairs`](Self::pairs) lists so; `None` if no version of this generator does.
    pub fn from_pairs(pairs: &[(String, String)]) -> Option<Self> {
        let list = |value: &str| value.split(',').map(str::to_owned).collect();
        let mut options = Self::default();
        for (key, value) in pairs {
            match key.as_str() {
                "method" => options.method = Some(value.clone()),
                "form" => options.form = Form::ALL.into_iter().find(|f| f.name() == value)?,
                "math" => options.math = Math::ALL.into_iter().find(|m| m.name() == value)?,
                "fma" => options.fma = value.parse().ok()?,
                "scalar" => {
                    options.scalar = Scalar::ALL.into_iter().find(|s| s.name() == value)?;
                }
                "batch" => options.batch = value.parse().ok()?,
                "plan" => options.plan = Plan::ALL.into_iter().find(|p| p.name() == value)?,
                "prefer" => {
                    options.prefer = Prefer::ALL.into_iter().find(|p| p.name() == value)?;
                }
                "dependent" => options.dependent = list(value),
                "output" => options.outputs = list(value),
                "jacobian" => {
                    options.jacobians = value.split(';').map(str::to_owned).collect();
                }
                "inverse" => {
                    options.variant.inverse = Variant::named(Some(value), None)?.inverse;
                }
                "route" => options.variant.route = Variant::named(None, Some(value))?.route,
                "fix" => options.fix.add(value).ok()?,
                _ => match (key.strip_prefix("set."), key.strip_prefix("fix.")) {
                    (Some(name), _) => {
                        options.set.push((name.to_owned(), value.parse().ok()?));
                    }
                    (_, Some(name)) => options.fix.add(&format!("{name}={value}")).ok()?,
                    _ => return None,
                },
            }
        }
        Some(options)
    }

    /// The arguments of `eomgen derive` that say the same, as one would type them: defaults are left out.
    pub fn arguments(&self) -> Vec<String> {
        let mut list = Vec::new();
        for (key, value) in self.pairs() {
            match (key.as_str(), value.as_str()) {
                ("form", "auto") => {}
                ("method", _) if self.method.is_none() => {}
                ("batch" | "fma", _) => list.push(format!("--{key}")),
                ("dependent", _) => {
                    for rate in &self.dependent {
                        list.extend(["--dependent".to_owned(), rate.clone()]);
                    }
                }
                ("jacobian", value) => {
                    for one in value.split(';') {
                        list.extend(["--jacobian".to_owned(), one.to_owned()]);
                    }
                }
                _ => match key.split_once('.') {
                    Some((key, name)) => {
                        list.extend([format!("--{key}"), format!("{name}={value}")]);
                    }
                    None => list.extend([format!("--{key}"), value]),
                },
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fix;
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
            prefer: Prefer::Time,
            outputs: vec!["b".into(), "a".into()],
            jacobians: vec!["rates:v".into(), "accelerations:q,v".into()],
        }
    }

    #[test]
    fn pairs_lead_back() {
        let pairs = all().pairs();
        let text: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(
            text.join(" "),
            "method=maggi form=staged dependent=x',u3 set.k=-1 set.n=20 fix=all fix.g=9.81 fix.left.m=-1/3 inverse=one-four route=II plan=newton-euler prefer=time output=a,b jacobian=accelerations:q,v;rates:v math=libm fma=true scalar=generic batch=true"
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
            "--method maggi --form staged --dependent x' --dependent u3 --set k=-1 --set n=20 --fix all --fix g=9.81 --fix left.m=-1/3 --inverse one-four --route II --plan newton-euler --prefer time \
             --output a,b --jacobian accelerations:q,v --jacobian rates:v --math libm --fma --scalar generic --batch"
        );
    }
}
