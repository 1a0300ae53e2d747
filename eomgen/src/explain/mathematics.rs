//! Expressions of the algebra as mathematics with the model's names, and which of several forms of an expression a reader is given.

use crate::form::Context;
use crate::model::System;
use crate::notation::{Line, Math, Names, text};
use crate::sym::{Algebra, Expr, Meaning, Var};
use crate::textbook::{Effort, Press, Printed, Right, function};
use std::rc::Rc;

/// Expressions up to this size are written out for a reader.
pub(super) const WRITTEN_OUT: usize = 300;
/// And shown without their definitions up to this many characters.
const SHORT: usize = 200;
/// What an expression of a page is worth.
pub(super) const OF_PAGE: Effort = Effort {
    terms: 120,
    steps: 800,
    work: usize::MAX,
};
/// What an equation of motion is worth; the work is what all of a machine are.
const OF_MOTION: Effort = Effort {
    terms: 600,
    steps: 6000,
    work: 40_000,
};
/// Names and numbers of an equation up to which it is written out.
const EQUATION: usize = 6000;
/// The same where the derivation named its expressions because they are long.
const NAMED: usize = 1500;
/// Names and numbers of an entry up to which it is written out.
const ENTRY: usize = 1000;
/// Longest entry of a quantity that is printed in full.
const LONGEST_ENTRY: usize = 400;

/// All names of a model that stand in expressions.
pub fn names(system: &System) -> Names {
    names_of(&[system])
}

/// All names of several models that are read together.
pub fn names_of(systems: &[&System]) -> Names {
    let metas = systems.iter().flat_map(|system| {
        let lists = [
            system.params.iter().map(|p| &p.meta).collect::<Vec<_>>(),
            system.coords.iter().map(|c| &c.meta).collect(),
            system.states.iter().map(|s| &s.meta).collect(),
            system.inputs.iter().map(|i| &i.meta).collect(),
            system.functions.iter().map(|f| &f.meta).collect(),
            system.speeds.iter().map(|s| &s.meta).collect(),
            system.joints.iter().map(|j| &j.meta).collect(),
        ];
        lists.into_iter().flatten()
    });
    Names::shown(metas.map(|m| (m.name.as_str(), m.shown.as_deref())))
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

/// Writes expressions of one derivation with the names of its model.
pub(super) struct Writer {
    pub(super) names: Names,
    press: Press,
}

impl Writer {
    pub(super) fn new(system: &System, effort: Effort) -> Self {
        Self::with(names(system), effort)
    }

    /// With names of one's own.
    pub(super) fn with(names: Names, effort: Effort) -> Self {
        Self {
            names,
            press: Press::new(effort),
        }
    }

    /// The expression as it stands.
    fn math(&self, alg: &Algebra, e: &Expr) -> Math {
        alg.math(&alg.node(e), &mut |v| self.symbol(alg, v))
    }

    /// An expression as a book prints it; as it stands where that is long.
    fn printed(&self, alg: &Algebra, e: &Expr) -> Math {
        match self.in_print(alg, e) {
            Some(printed) => printed.math(alg, &mut |v| self.symbol(alg, v)),
            None => self.math(alg, e),
        }
    }

    /// An expression as a book prints it, unless it is long.
    pub(super) fn in_print(&self, alg: &Algebra, e: &Expr) -> Option<Rc<Printed>> {
        self.press.expression(alg, e)
    }

    /// A symbol of the algebra, functions with their arguments.
    pub(super) fn symbol(&self, alg: &Algebra, v: Var) -> Math {
        let info = alg.info(v);
        let list = |args: &[Expr]| args.iter().map(|a| self.printed(alg, a)).collect();
        match &info.meaning {
            Meaning::Kernel(kernel, args) => function(*kernel, list(args)),
            // Without arguments a function stands for its value at those that it is declared with.
            Meaning::Jet { args, .. } => match info.name.split_once('(') {
                Some((name, _)) => Math::Function(self.names.symbol(name), list(args)),
                None => Math::Symbol(self.names.symbol(&info.name)),
            },
            // Two steps of a derivation may have one name, but not in one equation.
            Meaning::Definition(_) if info.namesakes > 0 => {
                let numbered = format!("{}_{}", info.name, info.namesakes + 1);
                self.names.quantity(&numbered)
            }
            Meaning::Base | Meaning::Pi | Meaning::Definition(_) => self.names.quantity(&info.name),
        }
    }
}

/// The context of a derivation with the names of its model.
pub(super) struct Reader<'a, 's> {
    pub(super) c: &'a mut Context<'s>,
    writer: Writer,
    /// What is left for equations of motion.
    of_motion: Effort,
}

impl<'a, 's> Reader<'a, 's> {
    pub(super) fn new(c: &'a mut Context<'s>) -> Self {
        let writer = Writer::new(c.system, OF_PAGE);
        Self {
            c,
            writer,
            of_motion: OF_MOTION,
        }
    }

    pub(super) fn names(&self) -> &Names {
        &self.writer.names
    }

    /// The expression as it stands.
    pub(super) fn math(&self, e: &Expr) -> Math {
        self.writer.math(&self.c.alg, e)
    }

    pub(super) fn symbol(&self, v: Var) -> Math {
        self.writer.symbol(&self.c.alg, v)
    }

    /// The expression in its [`readable`] form, as a book prints it.
    pub(super) fn readable(&mut self, e: &Expr) -> Math {
        let e = readable(&mut self.c.alg, e);
        self.printed(&e)
    }

    /// The expression as a book prints it.
    pub(super) fn printed(&self, e: &Expr) -> Math {
        self.writer.printed(&self.c.alg, e)
    }

    /// What is zero, with definitions written out: as an equation. `None` where that is long.
    pub(super) fn equation(&mut self, e: &Expr, right: Right) -> Option<Line> {
        let alg = &mut self.c.alg;
        let most = if alg.is_closed() { EQUATION } else { NAMED };
        if alg.inlined_size(e, most) >= most {
            return None;
        }
        let flat = alg.inline(e);
        let p = Printed::equation(alg, &flat, right, &mut self.of_motion)?;
        let (writer, alg) = (&self.writer, &*alg);
        let mut symbol = |v| writer.symbol(alg, v);
        let (left, right) = p.sides(alg, right, &mut symbol);
        let divisor = p.divisor(alg, &mut symbol);
        Some(Line::equation(left, right).divided_by(divisor))
    }

    /// The same, unless it is long.
    pub(super) fn in_full(&mut self, e: &Expr) -> Option<Math> {
        if self.c.alg.inlined_size(e, WRITTEN_OUT) >= WRITTEN_OUT {
            return None;
        }
        let written = self.readable(e);
        (text(&written).len() <= LONGEST_ENTRY).then_some(written)
    }

    /// The same; what is long keeps the names that the derivation gives.
    pub(super) fn entry(&mut self, e: &Expr) -> Math {
        let written = self.in_full(e);
        written.unwrap_or_else(|| self.readable(e))
    }

    /// The same with all definitions written out.
    pub(super) fn without_definitions(&mut self, e: &Expr) -> Option<Math> {
        let alg = &mut self.c.alg;
        if alg.inlined_size(e, ENTRY) >= ENTRY {
            return None;
        }
        let flat = alg.inline(e);
        let written = self.printed(&flat);
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
