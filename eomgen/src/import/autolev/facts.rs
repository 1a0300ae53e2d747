//! What an Autolev file says of a machine, statement by statement: things, orientations, places, values, loads, constraints. Knows
//! nothing of what a variable turns out to be, nor of the model's text.

use std::collections::BTreeMap;

use super::super::findings::Findings;
use super::commands;
use super::tree::{Declared, Expr, Given, How, Kind, Statement, Target, What};
use crate::diag::codes::import::{E0603, E0607};
use crate::span::Span;

/// What a scalar is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Constant,
    Specified,
    Variable,
    Motion,
}

/// A declared scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// In lower case.
    pub name: String,
    pub spelled: String,
    pub word: Word,
    pub primes: usize,
    pub sign: Option<char>,
    pub span: Span,
    /// The statement that declares it.
    pub line: usize,
}

/// A frame or point, as it is spelled.
#[derive(Clone, Debug)]
pub struct Thing {
    pub spelled: String,
    pub span: Span,
    pub comment: Option<String>,
    /// Whether it is a body, or a particle.
    pub heavy: bool,
}

/// How a frame is turned.
#[derive(Clone, Debug)]
pub enum Turn {
    /// About axis 1, 2 or 3 of the parent, negative for the opposite direction.
    Axis(i32, Expr),
    /// About a vector.
    About(Expr, Expr),
    /// By three angles: whether about axes of the parent, and which.
    Angles(bool, [u8; 3], Vec<Expr>),
    Euler(Vec<Expr>),
    Rodrigues(Vec<Expr>),
    Cosines(Vec<Expr>),
}

/// One of two frames relative to the other.
#[derive(Clone, Debug)]
pub struct Turned {
    pub parent: String,
    pub child: String,
    pub turn: Turn,
    pub span: Span,
}

/// `P_A_B>`
#[derive(Clone, Debug)]
pub struct Place {
    pub from: String,
    pub to: String,
    pub vector: Expr,
    pub span: Span,
}

/// A force or torque; on points or on frames.
#[derive(Clone, Debug)]
pub struct Load {
    pub torque: bool,
    pub on: String,
    pub opposite: Option<String>,
    pub vector: Expr,
    pub span: Span,
}

/// `V2PTS(A, B, P, Q)`: Q is fixed in B, as P is.
#[derive(Clone, Debug)]
pub struct TwoPoints {
    pub body: String,
    pub known: String,
}

/// All of it. Names are in lower case.
#[derive(Debug, Default)]
pub struct Facts {
    pub newtonian: String,
    pub frames: BTreeMap<String, Thing>,
    pub points: BTreeMap<String, Thing>,
    /// In the order of declaration.
    pub frame_order: Vec<String>,
    pub point_order: Vec<String>,
    pub scalars: Vec<Scalar>,
    /// Comments of statements that declare scalars.
    pub comments: BTreeMap<usize, String>,
    pub turns: Vec<Turned>,
    pub places: Vec<Place>,
    /// Scalars with primes, and elements such as `f[1]`.
    pub values: BTreeMap<(String, usize), Expr>,
    pub value_order: Vec<(String, usize)>,
    pub vectors: BTreeMap<String, Expr>,
    pub two_points: BTreeMap<String, TwoPoints>,
    pub loads: Vec<Load>,
    pub gravity: Option<(Expr, Vec<String>, Span)>,
    pub masses: BTreeMap<String, Expr>,
    pub inertias: BTreeMap<String, (Option<String>, Vec<Expr>, Span)>,
    /// Names of the elements of `DEPENDENT`, and the speeds that they determine.
    pub dependents: Vec<(String, Span)>,
    pub dependent_speeds: Vec<String>,
    /// Speeds and unknowns that are 0 on every motion.
    pub vanish: Vec<String>,
    pub given: Vec<Given>,
    pub units: BTreeMap<String, String>,
    pub outputs: Vec<Expr>,
    pub solved: Vec<String>,
    pub kane: bool,
}

/// The name of an element: `f[1,2]` is `f_1_2`.
pub fn element(name: &str, indices: &[Expr]) -> Option<String> {
    let mut text = name.to_owned();
    for index in indices {
        match &index.kind {
            Kind::Number(number) => text += &format!("_{number}"),
            _ => return None,
        }
    }
    Some(text)
}

/// Gathers the statements.
pub fn gather(statements: &[Statement], findings: &mut Findings) -> Facts {
    let mut facts = Facts::default();
    // Declarations first: names of vectors are made of them.
    for (line, statement) in statements.iter().enumerate() {
        if let What::Declare(word, names) = &statement.kind {
            declare(&mut facts, word, names, line, statement, findings);
        }
    }
    for statement in statements {
        take(&mut facts, statement, findings);
    }
    masses_are_constants(&mut facts);
    heights(&facts, findings);
    facts
}

/// Most names of expressions that are made of one another, one by one.
const HIGHEST: usize = 60;

/// Refuses names of expressions that are made of themselves, or of too many others one by one.
fn heights(facts: &Facts, findings: &mut Findings) {
    let mut known = BTreeMap::new();
    for (name, primes) in &facts.value_order {
        let value = &facts.values[&(name.clone(), *primes)];
        if *primes == 0 && height(facts, name, &mut Vec::new(), &mut known).is_none() {
            findings.error(
                E0607,
                format!("`{name}` is made of itself, or of too long a chain of names"),
                value.span,
                "follow the names from here",
                "state one of them without the others",
            );
            return;
        }
    }
    let names = facts
        .vectors
        .iter()
        .filter(|(name, _)| !facts.is_kinematic(name));
    for (name, value) in names {
        if height(facts, &format!("{name}>"), &mut Vec::new(), &mut known).is_none() {
            findings.error(
                E0607,
                format!("`{name}>` is made of itself, or of too long a chain of names"),
                value.span,
                "follow the names from here",
                "state one of them without the others",
            );
            return;
        }
    }
}

/// How many names stand on one another below this one.
fn height(
    facts: &Facts,
    name: &str,
    path: &mut Vec<String>,
    known: &mut BTreeMap<String, usize>,
) -> Option<usize> {
    if let Some(found) = known.get(name) {
        return Some(*found);
    }
    if path.len() > HIGHEST || path.iter().any(|there| there == name) {
        return None;
    }
    let value = match name.strip_suffix('>') {
        Some(vector) => facts
            .vectors
            .get(vector)
            .filter(|_| !facts.is_kinematic(vector)),
        None => facts.values.get(&(name.to_owned(), 0)),
    };
    let mut most = 0;
    if let Some(value) = value {
        path.push(name.to_owned());
        let mut names = Vec::new();
        inside(value, &mut names);
        for other in names {
            most = most.max(1 + height(facts, &other, path, known)?);
        }
        path.pop();
    }
    if most > HIGHEST {
        return None;
    }
    known.insert(name.to_owned(), most);
    Some(most)
}

/// Names that may stand for expressions.
fn inside(expr: &Expr, all: &mut Vec<String>) {
    match &expr.kind {
        Kind::Name(name, 0) => all.push(name.clone()),
        Kind::Element(name, indices) => all.extend(element(name, indices)),
        Kind::Vector(name) => all.push(format!("{name}>")),
        _ => {}
    }
    for part in expr.parts() {
        inside(part, all);
    }
}

/// `MASS A = MA` declares MA where nothing else does, and so do inertias.
fn masses_are_constants(facts: &mut Facts) {
    let masses = facts.masses.values();
    let all = masses.chain(facts.inertias.values().flat_map(|(_, entries, _)| entries));
    let mut found: Vec<(String, Span)> = Vec::new();
    let mut values: Vec<&Expr> = all.collect();
    values.sort_by_key(|value| value.span);
    for value in values {
        plain_names(value, &mut found);
    }
    for (name, span) in found {
        let known = facts.scalar(&name).is_some()
            || facts.values.contains_key(&(name.clone(), 0))
            || name == "t"
            || name == "pi";
        if !known {
            facts.scalars.push(Scalar {
                spelled: name.clone(),
                name,
                word: Word::Constant,
                primes: 0,
                sign: None,
                span,
                line: usize::MAX,
            });
        }
    }
}

fn plain_names(expr: &Expr, all: &mut Vec<(String, Span)>) {
    if let Some(name) = expr.plain() {
        all.push((name.to_owned(), expr.span));
    }
    for part in expr.parts() {
        plain_names(part, all);
    }
}

fn declare(
    facts: &mut Facts,
    word: &str,
    names: &[Declared],
    line: usize,
    statement: &Statement,
    findings: &mut Findings,
) {
    for declared in names {
        let name = declared.name.to_ascii_lowercase();
        let thing = |spelled: String, heavy| Thing {
            spelled,
            span: declared.span,
            comment: statement.comment.clone().filter(|_| names.len() == 1),
            heavy,
        };
        let centre = |facts: &mut Facts| {
            let origin = format!("{name}o");
            facts
                .points
                .insert(origin.clone(), thing(format!("{}o", declared.name), false));
            facts.point_order.push(origin);
        };
        let twice = |findings: &mut Findings| {
            findings.error(
                E0607,
                format!("`{}` is declared twice", declared.name),
                declared.span,
                "it has this name already; small and capital letters are the same",
                "give it another name",
            );
        };
        let scalar = match word {
            "newtonian" | "frame" | "body" => {
                if facts
                    .frames
                    .insert(name.clone(), thing(declared.name.clone(), word == "body"))
                    .is_some()
                {
                    twice(findings);
                    continue;
                }
                facts.frame_order.push(name.clone());
                centre(facts);
                if word == "newtonian" {
                    if !facts.newtonian.is_empty() {
                        twice(findings);
                    }
                    facts.newtonian.clone_from(&name);
                }
                continue;
            }
            "point" | "particle" => {
                let old = facts.points.insert(
                    name.clone(),
                    thing(declared.name.clone(), word == "particle"),
                );
                match old {
                    // `POINTS AO` says again what `BODIES A` says.
                    Some(_) if name.ends_with('o') && word == "point" => {}
                    Some(_) => twice(findings),
                    None => facts.point_order.push(name.clone()),
                }
                continue;
            }
            "constant" => Word::Constant,
            "specified" => Word::Specified,
            "variable" => Word::Variable,
            "motion" => Word::Motion,
            _ => {
                findings.error(
                    E0603,
                    "imaginary numbers are not read",
                    declared.span,
                    "a model has real quantities alone",
                    "remove the line, and what uses it",
                );
                continue;
            }
        };
        if name == "t" || name == "pi" {
            findings.error(
                E0607,
                format!("`{}` is taken", declared.name),
                declared.span,
                "time is `T`, and `PI` a number",
                "give it another name",
            );
            continue;
        }
        // `VARIABLES U{2}` and `MOTIONVARIABLES' U{2}'` may both be there.
        match facts.scalars.iter_mut().find(|scalar| scalar.name == name) {
            Some(old) => {
                if old.word == Word::Constant || scalar == Word::Constant {
                    twice(findings);
                }
                old.primes = old.primes.max(declared.primes);
                if scalar == Word::Motion {
                    old.word = scalar;
                }
            }
            None => facts.scalars.push(Scalar {
                name: name.clone(),
                spelled: declared.name.clone(),
                word: scalar,
                primes: declared.primes,
                sign: declared.sign,
                span: declared.span,
                line,
            }),
        }
        if let Some(comment) = &statement.comment {
            facts.comments.insert(line, comment.clone());
        }
        if let Some(value) = &declared.value {
            facts.set((name, 0), value.clone(), findings);
        }
    }
}

fn take(facts: &mut Facts, statement: &Statement, findings: &mut Findings) {
    match &statement.kind {
        What::Declare(..) | What::Idle => {}
        What::Mass(all) => {
            for (name, mass, span) in all {
                if !(facts.points.contains_key(name) || facts.frames.contains_key(name)) {
                    facts.unknown(name, *span, "a body or particle", findings);
                }
                facts.masses.insert(name.clone(), mass.clone());
            }
        }
        What::Inertia(name, frame, entries) => {
            let span = statement.span;
            if !(entries.len() == 3 || entries.len() == 6) {
                findings.error(
                    E0607,
                    format!("the inertia of `{name}` has {} entries", entries.len()),
                    span,
                    "3 or 6 are wanted",
                    "write the moments I11, I22, I33 and, if there are any, the products I12, I23, I31",
                );
            }
            for name in [Some(name), frame.as_ref()].into_iter().flatten() {
                if !facts.frames.contains_key(name) {
                    facts.unknown(name, span, "a body", findings);
                }
            }
            facts
                .inertias
                .insert(name.clone(), (frame.clone(), entries.clone(), span));
        }
        What::Input(all) => facts.given.extend(all.iter().cloned()),
        What::Units(all) => facts.units.extend(all.iter().cloned()),
        What::Output(all) => facts.outputs.extend(all.iter().cloned()),
        What::Call(name, arguments) => {
            commands::take(facts, name, arguments, statement.span, findings)
        }
        What::Assign(target, how, value) => {
            assign(facts, target, *how, value, statement.span, findings)
        }
    }
}

/// A sum of what was there and what is added.
fn added(old: Option<&Expr>, how: How, value: &Expr) -> Expr {
    use super::tree::Sign;
    match (how, old) {
        (How::Is, _) | (How::Add, None) => value.clone(),
        (How::Add, Some(old)) => Expr::join(Sign::Plus, old.clone(), value.clone()),
        (How::Subtract, Some(old)) => Expr::join(Sign::Minus, old.clone(), value.clone()),
        (How::Subtract, None) => Expr::new(Kind::Negative(Box::new(value.clone())), value.span),
    }
}

fn assign(
    facts: &mut Facts,
    target: &Target,
    how: How,
    value: &Expr,
    span: Span,
    findings: &mut Findings,
) {
    match target {
        Target::Dyadic => findings.error(
            E0603,
            "dyadics are not read",
            span,
            "an assignment to a dyadic",
            "write `INERTIA A, I11, I22, I33, I12, I23, I31`",
        ),
        Target::Element(name, indices) => {
            let Some(name) = element(name, indices) else {
                findings.error(
                    E0603,
                    "an index that is no number",
                    span,
                    "here",
                    "write a number",
                );
                return;
            };
            facts.set((name, 0), value.clone(), findings);
        }
        Target::Scalar(name, primes) => {
            if *primes == 0
                && let Some((parent, child)) = facts.two_frames(name)
            {
                match &value.kind {
                    Kind::Matrix(rows) if rows.len() == 3 && rows.iter().all(|row| row.len() == 3) => {
                        let entries = rows.iter().flatten().cloned().collect();
                        facts.turns.push(Turned { parent, child, turn: Turn::Cosines(entries), span });
                    }
                    _ => findings.error(E0603, "direction cosines that are no matrix", span, "here", "write three rows of three, `[a, b, c; ..; ..]`, or use `SIMPROT` or `DIRCOS`"),
                }
                return;
            }
            let old = facts.values.get(&(name.clone(), *primes));
            let sum = added(old, how, value);
            if how != How::Is {
                facts.values.remove(&(name.clone(), *primes));
                facts
                    .value_order
                    .retain(|key| *key != (name.clone(), *primes));
            }
            facts.set((name.clone(), *primes), sum, findings);
        }
        Target::Vector(name) => {
            if let Some((from, to)) = facts.two_points_of(name, "p_") {
                facts.places.push(Place {
                    from,
                    to,
                    vector: value.clone(),
                    span,
                });
                return;
            }
            for (prefix, torque) in [("force_", false), ("torque_", true)] {
                if let Some(on) = name.strip_prefix(prefix) {
                    let known = if torque {
                        facts.frames.contains_key(on)
                    } else {
                        facts.points.contains_key(on)
                    };
                    if !known {
                        facts.unknown(
                            on,
                            span,
                            if torque { "a body or frame" } else { "a point" },
                            findings,
                        );
                        return;
                    }
                    let vector = match how {
                        How::Subtract => {
                            Expr::new(Kind::Negative(Box::new(value.clone())), value.span)
                        }
                        _ => value.clone(),
                    };
                    if how == How::Is {
                        facts.loads.retain(|load| {
                            load.torque != torque || load.on != on || load.opposite.is_some()
                        });
                    }
                    facts.loads.push(Load {
                        torque,
                        on: on.to_owned(),
                        opposite: None,
                        vector,
                        span,
                    });
                    return;
                }
            }
            let old = facts.vectors.get(name).cloned();
            let itself = |part: &Expr| part.kind == Kind::Vector(name.clone());
            let fresh = added(old.as_ref(), how, value);
            let fresh = match &old {
                Some(old) if how == How::Is && value.any(&itself) => {
                    value.mapped(&|part| if itself(&part) { old.clone() } else { part })
                }
                Some(_) if how == How::Is && !facts.is_kinematic(name) => {
                    twice(name, ">", span, findings);
                    return;
                }
                _ => fresh,
            };
            facts.vectors.insert(name.clone(), fresh);
        }
    }
}

fn twice(name: &str, mark: &str, span: Span, findings: &mut Findings) {
    findings.error(
        E0603,
        format!("`{name}{mark}` gets a second value"),
        span,
        "what used the first keeps it in Autolev",
        "give the second another name",
    );
}

impl Facts {
    /// Whether a vector is a velocity, an acceleration or the like.
    fn is_kinematic(&self, name: &str) -> bool {
        ["v_", "a_"]
            .iter()
            .any(|prefix| self.of_point(name, prefix).is_some())
            || ["w_", "alf_"]
                .iter()
                .any(|prefix| self.two_frames_of(name, prefix).is_some())
    }

    fn set(&mut self, key: (String, usize), value: Expr, findings: &mut Findings) {
        let itself = |part: &Expr| part.kind == Kind::Name(key.0.clone(), key.1);
        let value = match self.values.get(&key) {
            Some(old) if value.any(&itself) => {
                let old = old.clone();
                value.mapped(&|part| if itself(&part) { old.clone() } else { part })
            }
            Some(old) if old.kind != value.kind && key.1 == 0 => {
                twice(&key.0, "", value.span, findings);
                return;
            }
            _ => value,
        };
        if self.values.insert(key.clone(), value).is_none() {
            self.value_order.push(key);
        }
    }

    pub fn unknown(&self, name: &str, span: Span, what: &str, findings: &mut Findings) {
        findings.error(
            E0607,
            format!("`{name}` is not {what} of this file"),
            span,
            "not declared",
            "declare it: `NEWTONIAN N`, `FRAMES A`, `BODIES B`, `POINTS P`, `PARTICLES Q`; the mass centre of the body `B` is `BO`",
        );
    }

    /// Two of these names, with `_` between.
    fn split(
        text: &str,
        known: impl Fn(&str) -> bool,
        second: impl Fn(&str) -> bool,
    ) -> Option<(String, String)> {
        text.match_indices('_').find_map(|(at, _)| {
            let (first, last) = (&text[..at], &text[at + 1..]);
            (known(first) && second(last)).then(|| (first.to_owned(), last.to_owned()))
        })
    }

    /// `P_A_B`: two points.
    pub fn two_points_of(&self, name: &str, prefix: &str) -> Option<(String, String)> {
        let is = |name: &str| self.points.contains_key(name);
        Self::split(name.strip_prefix(prefix)?, is, is)
    }

    /// `V_P_A`: a point and a frame.
    pub fn of_point(&self, name: &str, prefix: &str) -> Option<(String, String)> {
        let frame = |name: &str| self.frames.contains_key(name);
        Self::split(
            name.strip_prefix(prefix)?,
            |name| self.points.contains_key(name),
            frame,
        )
    }

    /// `W_A_B`: two frames.
    pub fn two_frames_of(&self, name: &str, prefix: &str) -> Option<(String, String)> {
        let is = |name: &str| self.frames.contains_key(name);
        Self::split(name.strip_prefix(prefix)?, is, is)
    }

    /// `N_A`: two frames.
    fn two_frames(&self, name: &str) -> Option<(String, String)> {
        let is = |name: &str| self.frames.contains_key(name);
        Self::split(name, is, is)
    }

    /// `A3`: a frame and an axis.
    pub fn axis(&self, name: &str) -> Option<(String, usize)> {
        let at = name.len().checked_sub(1)?;
        let (frame, number) = (name.get(..at)?, name.get(at..)?);
        let axis = ["1", "2", "3"].iter().position(|text| *text == number)?;
        self.frames
            .contains_key(frame)
            .then(|| (frame.to_owned(), axis))
    }

    pub fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.iter().find(|scalar| scalar.name == name)
    }
}
