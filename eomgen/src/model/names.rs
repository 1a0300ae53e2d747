//! The names of a model: one name space, in order of declaration.

use crate::diag::{Diagnostic, suggest};
use crate::model::codes;
use crate::model::system::{
    CoordId, FunctionId, InputId, JointId, LetId, ParamId, SpeedId, StateId,
};
use crate::span::Span;
use crate::syntax::ast::Ident;
use std::cell::Cell;
use std::collections::BTreeMap;

/// What a name stands for. Frames, points and bodies have their index in the order of
/// declaration; their ids are known only when their parents are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A parameter.
    Param(ParamId),
    /// A coordinate.
    Coord(CoordId),
    /// A first-order state.
    State(StateId),
    /// An input.
    Input(InputId),
    /// A function.
    Function(FunctionId),
    /// A `let`.
    Let(LetId),
    /// A declared speed.
    Speed(SpeedId),
    /// A frame; 0 is `N`.
    Frame(usize),
    /// A point; 0 is `O`.
    Point(usize),
    /// A particle, or (`true`) a rigid body.
    Body(usize, bool),
    /// A group of particles and bodies.
    Group(usize),
    /// A constraint.
    Constraint(usize),
    /// A declared reaction.
    Joint(JointId),
    /// An output.
    Output,
    /// An event.
    Event,
    /// A drawing.
    Drawing,
    /// A spring, or (`true`) a damper.
    Spring(bool),
    /// `t`.
    Time,
    /// `pi`.
    Pi,
}

impl Thing {
    /// For messages: "a frame".
    pub fn text(self) -> &'static str {
        match self {
            Thing::Param(_) => "a parameter",
            Thing::Coord(_) => "a coordinate",
            Thing::State(_) => "a state",
            Thing::Input(_) => "an input",
            Thing::Function(_) => "a function",
            Thing::Let(_) => "a `let`",
            Thing::Speed(_) => "a speed",
            Thing::Frame(0) => "the inertial frame",
            Thing::Frame(_) => "a frame",
            Thing::Point(0) => "the origin",
            Thing::Point(_) => "a point",
            Thing::Body(_, false) => "a particle",
            Thing::Body(_, true) => "a body",
            Thing::Group(_) => "a group",
            Thing::Constraint(_) => "a constraint",
            Thing::Joint(_) => "a reaction",
            Thing::Output => "an output",
            Thing::Event => "an event",
            Thing::Drawing => "a drawing",
            Thing::Spring(false) => "a spring",
            Thing::Spring(true) => "a damper",
            Thing::Time => "time",
            Thing::Pi => "the number pi",
        }
    }

    /// Whether expressions can contain it.
    pub fn is_value(self) -> bool {
        !matches!(
            self,
            Thing::Constraint(_) | Thing::Output | Thing::Event | Thing::Drawing | Thing::Spring(_)
        )
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Where it is declared; `None` for the predeclared ones.
    pub span: Option<Span>,
    /// What it stands for.
    pub thing: Thing,
}

/// All names, in order of declaration, the predeclared ones first.
#[derive(Clone, Debug, Default)]
pub struct Names {
    symbols: Vec<Symbol>,
    by_name: BTreeMap<String, usize>,
    /// How often a name was guessed at.
    guesses: Cell<u32>,
}

/// After so many no names are guessed at.
const GUESSES: u32 = 100;

impl Names {
    /// The predeclared names alone.
    pub fn new() -> Self {
        let mut names = Names::default();
        for (name, thing) in [
            ("N", Thing::Frame(0)),
            ("O", Thing::Point(0)),
            ("t", Thing::Time),
            ("pi", Thing::Pi),
        ] {
            names.add(name, None, thing);
        }
        names
    }

    /// Adds a name that is known to be new (or predeclared).
    pub fn add(&mut self, name: &str, span: Option<Span>, thing: Thing) -> usize {
        let index = self.symbols.len();
        self.symbols.push(Symbol {
            name: name.to_string(),
            span,
            thing,
        });
        self.by_name.entry(name.to_string()).or_insert(index);
        index
    }

    /// Adds a declared name. If it is taken the first declaration keeps it and a message is
    /// returned.
    pub fn declare(&mut self, name: &Ident, thing: Thing) -> (usize, Option<Diagnostic>) {
        let clash = self.get(&name.text).map(|first| match first.span {
            None => Diagnostic::error(
                codes::PREDECLARED,
                format!(
                    "`{}` is {} and cannot be declared",
                    name.text,
                    first.thing.text()
                ),
                name.span,
                format!("declared here as {}", thing.text()),
            ),
            Some(span) => Diagnostic::error(
                codes::DUPLICATE,
                format!("`{}` is declared twice", name.text),
                name.span,
                format!("declared again as {}", thing.text()),
            )
            .label(
                span,
                format!("first declared here as {}", first.thing.text()),
            ),
        });
        let clash = clash.map(|d| {
            let free = self.free_name(&name.text);
            d.help(format!("choose another name, such as `{free}`"))
                .write(free)
        });
        (self.add(&name.text, Some(name.span), thing), clash)
    }

    /// A message for a function that has the name of a built-in one.
    pub fn builtin_clash(&self, name: &Ident) -> Diagnostic {
        Diagnostic::error(
            codes::PREDECLARED,
            format!(
                "`{}` is a function of the language and cannot be declared",
                name.text
            ),
            name.span,
            "declared here as a function",
        )
        .help(format!(
            "choose another name, such as `{}`",
            self.free_name(&name.text)
        ))
    }

    /// A name near to a taken one: `x` becomes `x_2`, `N` becomes `N_2`.
    fn free_name(&self, taken: &str) -> String {
        (2..)
            .map(|n| format!("{taken}_{n}"))
            .find(|name| !self.by_name.contains_key(name))
            .unwrap_or_default()
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(*self.by_name.get(name)?)
    }

    /// Index of a name in the order of declaration.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// All names in order of declaration.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// All names of the wanted sort, for messages; `None` if they are too many to list.
    pub fn few(&self, wanted: impl Fn(Thing) -> bool) -> Option<String> {
        let names = self.symbols.iter().filter(|s| wanted(s.thing));
        let names: Vec<_> = names.take(9).map(|s| format!("`{}`", s.name)).collect();
        (1..=8).contains(&names.len()).then(|| names.join(", "))
    }

    /// The nearest name of the wanted sort.
    pub fn nearest(&self, name: &str, wanted: impl Fn(Thing) -> bool) -> Option<&Symbol> {
        // Thousands of wrong names, as a loop makes them, are not compared with thousands of right ones.
        if self.guesses.get() >= GUESSES {
            return None;
        }
        self.guesses.set(self.guesses.get() + 1);
        let names = self.symbols.iter().filter(|s| wanted(s.thing));
        let found = suggest::closest(name, names.map(|s| s.name.as_str()))?;
        self.get(found)
    }
}
