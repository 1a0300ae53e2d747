//! The table of options: the one place that names them all.

use proc_macro2::{Ident, Span};
use syn::Error;
use syn::ext::IdentExt;

use super::list::Entry;
use super::value::{Value, unknown};
use super::{Given, Model};
use crate::catalogue;
use crate::pipeline::{DeriveOptions, Form, Inverse, Math, Plan, Prefer, Route, Scalar};

/// An option.
pub(super) struct Key {
    /// Its name.
    pub name: &'static str,
    /// How one writes it.
    pub example: &'static str,
    /// Whether the value stands in parentheses, not behind `=`.
    called: bool,
    read: fn(&mut Draft, Value) -> syn::Result<()>,
}

/// What has been read so far.
#[derive(Default)]
pub(super) struct Draft {
    pub options: DeriveOptions,
    pub generated: Option<Given>,
    file: Option<Given>,
    text: Option<Given>,
    seen: Vec<&'static str>,
}

/// All options, in the order of the manual. The first is meant where a value stands alone.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "model",
        example: "model = \"models/sleigh.eom\"",
        called: false,
        read: |draft, value| {
            draft.file = Some(value.path()?);
            Ok(())
        },
    },
    Key {
        name: "text",
        example: "text = \"model ...\"",
        called: false,
        read: |draft, value| {
            draft.text = Some(value.text()?);
            Ok(())
        },
    },
    Key {
        name: "generated",
        example: "generated = \"src/sleigh.rs\"",
        called: false,
        read: |draft, value| {
            draft.generated = Some(value.path()?);
            Ok(())
        },
    },
    Key {
        name: "method",
        example: "method = \"kane\"",
        called: false,
        read: |draft, value| {
            let names = catalogue::METHODS.iter().map(|m| (m.name, m.name));
            let name = value.choice(names)?;
            draft.options.method = Some(name.to_owned());
            Ok(())
        },
    },
    Key {
        name: "inverse",
        example: "inverse = \"one\"",
        called: false,
        read: |draft, value| {
            let names = Inverse::ALL.into_iter().map(|i| (i.name(), i));
            draft.options.variant.inverse = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "route",
        example: "route = \"II\"",
        called: false,
        read: |draft, value| {
            let names = Route::ALL.into_iter().map(|r| (r.name(), r));
            draft.options.variant.route = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "plan",
        example: "plan = \"reduced\"",
        called: false,
        read: |draft, value| {
            let names = Plan::ALL.into_iter().map(|p| (p.name(), p));
            draft.options.plan = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "prefer",
        example: "prefer = \"time\"",
        called: false,
        read: |draft, value| {
            let names = Prefer::ALL.into_iter().map(|p| (p.name(), p));
            draft.options.prefer = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "form",
        example: "form = \"closed\"",
        called: false,
        read: |draft, value| {
            let names = Form::ALL.into_iter().map(|f| (f.name(), f));
            draft.options.form = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "output",
        example: "output = [\"tangent_projector\", \"gibbs_function\"]",
        called: false,
        read: |draft, value| {
            draft.options.outputs = value.outputs()?;
            Ok(())
        },
    },
    Key {
        name: "jacobian",
        example: "jacobian = [\"accelerations:q,v\", \"rates:q\"]",
        called: false,
        read: |draft, value| {
            draft.options.jacobians = value.derivatives()?;
            Ok(())
        },
    },
    Key {
        name: "dependent",
        example: "dependent = [\"x'\", \"u3\"]",
        called: false,
        read: |draft, value| {
            draft.options.dependent = value.names()?.into_iter().map(|name| name.value).collect();
            Ok(())
        },
    },
    Key {
        name: "set",
        example: "set(n = 20, left.n = 2)",
        called: true,
        read: |draft, value| {
            draft.options.set = value.constants()?;
            Ok(())
        },
    },
    Key {
        name: "fix",
        example: "fix(g = 9.81, left.m = 2)",
        called: true,
        read: |draft, value| {
            draft.options.fix = value.fixed()?;
            Ok(())
        },
    },
    Key {
        name: "math",
        example: "math = \"libm\"",
        called: false,
        read: |draft, value| {
            let names = Math::ALL.into_iter().map(|m| (m.name(), m));
            draft.options.math = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "fma",
        example: "fma = true",
        called: false,
        read: |draft, value| {
            draft.options.fma = value.flag()?;
            Ok(())
        },
    },
    Key {
        name: "scalar",
        example: "scalar = \"f32\"",
        called: false,
        read: |draft, value| {
            let names = Scalar::ALL.into_iter().map(|s| (s.name(), s));
            draft.options.scalar = value.choice(names)?;
            Ok(())
        },
    },
    Key {
        name: "batch",
        example: "batch = true",
        called: false,
        read: |draft, value| {
            draft.options.batch = value.flag()?;
            Ok(())
        },
    },
];

impl Key {
    /// What to say of an option that is written in another way.
    pub fn misused(&self) -> String {
        format!("`{}` is written `{}`", self.name, self.example)
    }
}

/// What to say where no option stands.
pub(super) fn expected() -> String {
    let names: Vec<String> = KEYS.iter().map(|key| format!("`{}`", key.name)).collect();
    format!("expected a model's path or an option: {}", names.join(", "))
}

/// The option of that name.
pub(super) fn find(name: &Ident) -> syn::Result<&'static Key> {
    let word = name.unraw().to_string();
    let known = KEYS.iter().find(|key| key.name == word);
    known.ok_or_else(|| {
        let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        Error::new(name.span(), unknown("option", &word, &names))
    })
}

impl Draft {
    /// Takes one argument in.
    pub fn take(&mut self, entry: Entry) -> syn::Result<()> {
        let (key, at) = match &entry.key {
            Some(name) => (find(name)?, name.span()),
            None => (&KEYS[0], entry.span),
        };
        if self.seen.contains(&key.name) {
            return Err(match &entry.key {
                Some(_) => Error::new(at, format!("`{}` is given twice", key.name)),
                None => Error::new(at, "a second model; an option is written `name = value`"),
            });
        }
        self.seen.push(key.name);
        if entry.called == key.called {
            (key.read)(self, Value::new(key, entry))
        } else {
            Err(Error::new(at, key.misused()))
        }
    }

    /// The model, of which there must be one.
    pub fn model(&mut self) -> syn::Result<Model> {
        match (self.file.take(), self.text.take()) {
            (Some(path), None) => Ok(Model::File(path)),
            (None, Some(text)) => Ok(Model::Text(text)),
            (Some(_), Some(text)) => Err(Error::new(
                text.span,
                "the model is given twice, as a file and as a text",
            )),
            (None, None) => Err(Error::new(
                Span::call_site(),
                "which model? Name its file, as in `#[derive_eom(\"models/sleigh.eom\")]`, or give its text, \
                 as in `#[derive_eom(text = \"model ...\")]`",
            )),
        }
    }
}
