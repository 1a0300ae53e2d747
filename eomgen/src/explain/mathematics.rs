//! Expressions of the algebra as mathematics with the model's names, and which of several forms of an expression a reader is given.

use crate::form::Context;
use crate::model::System;
use crate::notation::{Math, Names, Symbol, text};
use crate::sym::{Algebra, Expr, Kernel, Meaning, Var};

/// Expressions up to this size are written out for a reader.
pub(super) const WRITTEN_OUT: usize = 300;
/// And shown without their definitions up to this many characters.
const SHORT: usize = 200;
/// Longest entry of a quantity that is printed in full.
const LONGEST_ENTRY: usize = 400;

/// All names of a model that stand in expressions.
pub fn names(system: &System) -> Names {
    let metas = [
        system.params.iter().map(|p| &p.meta).collect::<Vec<_>>(),
        system.coords.iter().map(|c| &c.meta).collect(),
        system.inputs.iter().map(|i| &i.meta).collect(),
        system.functions.iter().map(|f| &f.meta).collect(),
        system.speeds.iter().map(|s| &s.meta).collect(),
        system.joints.iter().map(|j| &j.meta).collect(),
    ];
    Names::new(metas.iter().flatten().map(|m| m.name.as_str()))
}

/// The expression with short definitions written out, where that stays short.
pub fn readable(alg: &mut Algebra, e: &Expr) -> Expr {
    if alg.inlined_size(e, WRITTEN_OUT) >= WRITTEN_OUT {
        return e.clone();
    }
    let flat = alg.inline(e);
    let flat = alg.simplify(&flat);
    if alg.text(&flat).len() <= SHORT {
        flat
    } else {
        e.clone()
    }
}

/// An expression as mathematics.
pub fn math(alg: &Algebra, names: &Names, e: &Expr) -> Math {
    alg.math(&alg.node(e), &mut |v| symbol(alg, names, v))
}

/// A symbol of the algebra, functions with their arguments.
pub fn symbol(alg: &Algebra, names: &Names, v: Var) -> Math {
    let info = alg.info(v);
    let list = |args: &[Expr]| args.iter().map(|a| math(alg, names, a)).collect();
    match &info.meaning {
        Meaning::Kernel(kernel, args) => function(*kernel, list(args)),
        // Without arguments a function stands for its value at those that it is declared with.
        Meaning::Jet { args, .. } => match info.name.split_once('(') {
            Some((name, _)) => Math::Function(names.symbol(name), list(args)),
            None => Math::Symbol(names.symbol(&info.name)),
        },
        Meaning::Base | Meaning::Pi | Meaning::Definition(_) => names.quantity(&info.name),
    }
}

fn function(kernel: Kernel, args: Vec<Math>) -> Math {
    let boxed = |args: Vec<Math>| args.into_iter().map(Box::new);
    let mut list = boxed(args.clone());
    let mut next = || list.next();
    let known = match (kernel, kernel.row().test) {
        (Kernel::Sqrt, _) => next().map(Math::Root),
        (Kernel::Pow, _) => next().zip(next()).map(|(b, e)| Math::Power(b, e)),
        (_, Some(test)) => match (next(), next(), next(), next()) {
            (Some(left), Some(right), Some(then), Some(other)) => {
                let condition = Box::new(Math::Relation(left, test.into(), right));
                Some(Math::Choice(condition, then, other))
            }
            _ => None,
        },
        _ => None,
    };
    known.unwrap_or_else(|| Math::Function(Symbol::verbatim(kernel.row().name), args))
}

/// The context of a derivation with the names of its model.
pub(super) struct Reader<'a, 's> {
    pub(super) c: &'a mut Context<'s>,
    pub(super) names: Names,
}

impl<'a, 's> Reader<'a, 's> {
    pub(super) fn new(c: &'a mut Context<'s>) -> Self {
        let names = names(c.system);
        Self { c, names }
    }

    /// The expression as it stands.
    pub(super) fn math(&self, e: &Expr) -> Math {
        math(&self.c.alg, &self.names, e)
    }

    pub(super) fn symbol(&self, v: Var) -> Math {
        symbol(&self.c.alg, &self.names, v)
    }

    /// The expression in its [`readable`] form.
    pub(super) fn readable(&mut self, e: &Expr) -> Math {
        let e = readable(&mut self.c.alg, e);
        self.math(&e)
    }

    /// The same, unless it is long.
    pub(super) fn in_full(&mut self, e: &Expr) -> Option<Math> {
        if self.c.alg.inlined_size(e, WRITTEN_OUT) >= WRITTEN_OUT {
            return None;
        }
        let written = self.readable(e);
        (text(&written).len() <= LONGEST_ENTRY).then_some(written)
    }

    /// A coefficient times a symbol.
    pub(super) fn term(&mut self, coefficient: &Expr, v: Var) -> Math {
        self.readable(coefficient).times(self.symbol(v))
    }
}

/// Whether it is long for a line in the model's notation.
pub(super) fn exceeds(sides: &[&Math], longest: usize) -> bool {
    sides.iter().map(|side| text(side).len()).sum::<usize>() > longest
}
