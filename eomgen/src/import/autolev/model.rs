//! The statements of the model that an Autolev file becomes. Knows the language's text and what the file's things turned out to be.

use std::collections::BTreeSet;

use super::super::findings::Findings;
use super::super::write::names::Names;
use super::classes::Class;
use super::facts::{Facts, Load, Scalar, Turn, Word};
use super::naming::is_body;
use super::numbers;
use super::phrase::{Phrases, rate_name};
use super::placing::{Oriented, Where};
use super::speeds::{Speeds, defines, quaternions};
use super::tree::{Expr, Kind};
use super::velocities::Velocity;
use crate::diag::codes::import::{E0603, E0607};
use crate::span::Span;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Writes the statements.
pub struct Writer<'a> {
    pub facts: &'a Facts,
    pub phrases: Phrases<'a>,
    pub speeds: &'a Speeds,
    /// Numbers of parameters, coordinates, speeds.
    pub starts: numbers::Starts,
}

/// A comment as documentation at the end of a line.
fn doc(comment: Option<&String>) -> String {
    let shown = comment.map(|text| super::super::write::header::plain(text));
    shown
        .filter(|text| !text.trim().is_empty())
        .map(|text| format!("  /// {}", text.trim()))
        .unwrap_or_default()
}

impl Writer<'_> {
    fn class(&self, name: &str) -> Class {
        self.phrases
            .classes
            .get(name)
            .copied()
            .unwrap_or(Class::Unused)
    }

    fn called(&self, name: &str) -> String {
        self.phrases
            .called
            .scalars
            .get(name)
            .cloned()
            .unwrap_or_default()
    }

    /// Everything, from what acts to what is declared.
    pub fn statements(&self, names: &mut Names, findings: &mut Findings) -> Vec<Vec<String>> {
        let bodies = self.bodies(findings);
        let speeds = self.speed_lines();
        let constraints = self.constraints(names);
        let loads = self.loads(findings);
        let states = self.rates();
        let outputs = self.outputs(names, findings);
        // Whatever is written may need more.
        let (points, lets, frames) = loop {
            let size = self.phrases.needed.borrow().size();
            let found = (self.points(), self.lets(), self.frames());
            if self.phrases.needed.borrow().size() == size {
                break found;
            }
        };
        let outputs = self.shown(outputs, names);
        vec![
            self.scalars(),
            lets,
            frames,
            points,
            bodies,
            speeds,
            constraints,
            states,
            loads,
            outputs,
        ]
    }

    fn declared(&self, keyword: &str, class: Class) -> Vec<String> {
        let mut lines = Vec::new();
        let mut at = 0;
        let all: Vec<&Scalar> = self
            .facts
            .scalars
            .iter()
            .filter(|scalar| self.class(&scalar.name) == class)
            .collect();
        while at < all.len() {
            let first = all[at];
            let alike = |scalar: &&&Scalar| scalar.line == first.line && scalar.sign == first.sign;
            let count = all[at..].iter().take_while(alike).count();
            let names: Vec<String> = all[at..at + count]
                .iter()
                .map(|scalar| {
                    let name = self.called(&scalar.name);
                    let time = if class == Class::Function { "(t)" } else { "" };
                    match self.starts.of(&scalar.name) {
                        Some(value) if keyword != "input" && keyword != "function" => {
                            format!("{name} = {value}")
                        }
                        _ => format!("{name}{time}"),
                    }
                })
                .collect();
            let sign = match first.sign.filter(|_| class == Class::Param) {
                Some('+') => " : 1 > 0",
                Some(_) => " : 1 < 0",
                None => "",
            };
            let sign = sign.replace(": 1 ", "");
            lines.push(format!(
                "{keyword} {}{sign}{}",
                names.join(", "),
                doc(self.facts.comments.get(&first.line))
            ));
            at += count;
        }
        lines
    }

    fn scalars(&self) -> Vec<String> {
        let mut lines = self.declared("param", Class::Param);
        lines.extend(self.declared("coord", Class::Coord));
        for point in &self.phrases.placing.points {
            if matches!(point.place, Where::Led(_)) {
                let name = self
                    .phrases
                    .called
                    .points
                    .get(&point.name)
                    .cloned()
                    .unwrap_or_default();
                lines.push(format!(
                    "coord {name}_x, {name}_y, {name}_z  /// where its velocity has led {name}"
                ));
            }
        }
        lines.extend(self.declared("state", Class::State));
        lines.extend(self.declared("input", Class::Input));
        lines.extend(self.declared("function", Class::Function));
        lines
    }

    /// Names for expressions that are used.
    fn lets(&self) -> Vec<String> {
        let mut written: BTreeSet<String> = BTreeSet::new();
        let mut lines: Vec<(usize, String)> = Vec::new();
        loop {
            let next = {
                let needed = self.phrases.needed.borrow();
                let scalar = needed
                    .lets
                    .iter()
                    .find(|name| !written.contains(*name))
                    .cloned();
                scalar.or_else(|| {
                    needed
                        .vectors
                        .iter()
                        .map(|name| format!("{name}>"))
                        .find(|name| !written.contains(name))
                })
            };
            let Some(name) = next else { break };
            written.insert(name.clone());
            let line = match name.strip_suffix('>') {
                Some(vector) => {
                    let called = self
                        .phrases
                        .called
                        .vectors
                        .get(vector)
                        .cloned()
                        .unwrap_or_default();
                    self.facts
                        .vectors
                        .get(vector)
                        .map(|value| format!("let {called} = {}", self.phrases.text(value)))
                }
                None => {
                    let value = self.facts.values.get(&(name.clone(), 0));
                    value.map(|value| {
                        format!("let {} = {}", self.called(&name), self.phrases.text(value))
                    })
                }
            };
            let order = self
                .facts
                .value_order
                .iter()
                .position(|(there, _)| *there == name);
            lines.extend(line.map(|line| (order.unwrap_or(usize::MAX), line)));
        }
        lines.sort_by_key(|(order, _)| *order);
        let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
        let needed = self.phrases.needed.borrow();
        lines.extend(
            needed
                .rates
                .iter()
                .enumerate()
                .map(|(at, text)| format!("let {} = {text}", rate_name(at))),
        );
        lines
    }

    fn turn(&self, frame: &Oriented, span: Span) -> String {
        let parent = self.phrases.frame(&frame.parent, span);
        let text = |expr: &Expr| self.phrases.text(expr);
        let list = |all: &[&Expr]| {
            all.iter()
                .map(|expr| text(expr))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match &frame.turn {
            Turn::Axis(axis, angle) => {
                let name = AXES[axis.unsigned_abs() as usize - 1];
                let minus = if *axis < 0 { "-" } else { "" };
                format!("rotate({parent}, {}, {minus}{parent}.{name})", text(angle))
            }
            Turn::About(axis, angle) => {
                format!("rotate({parent}, {}, {})", text(angle), text(axis))
            }
            Turn::Angles(space, axes, angles) => {
                let letters: String = axes
                    .iter()
                    .map(|axis| AXES[usize::from(*axis) - 1])
                    .collect();
                let word = if *space {
                    "rotate_space"
                } else {
                    "rotate_body"
                };
                format!(
                    "{word}({parent}, {letters}, {})",
                    list(&angles.iter().collect::<Vec<_>>())
                )
            }
            Turn::Euler(e) => format!(
                "quaternion({parent}, {})",
                list(&[&e[3], &e[0], &e[1], &e[2]])
            ),
            Turn::Rodrigues(all) => format!(
                "rodrigues({parent}, {})",
                list(&all.iter().collect::<Vec<_>>())
            ),
            Turn::Cosines(all) => {
                let rows: Vec<String> = all
                    .chunks(3)
                    .map(|row| format!("[{}]", list(&row.iter().collect::<Vec<_>>())))
                    .collect();
                format!("matrix({parent}, {})", rows.join(", "))
            }
        }
    }

    /// Frames that are no bodies.
    fn frames(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for frame in self.phrases.placing.frames.iter().rev() {
            if is_body(self.facts, &frame.name)
                && !self.phrases.called.bodies.contains_key(&frame.name)
                || !self.phrases.needed.borrow().frames.contains(&frame.name)
            {
                continue;
            }
            let thing = self.facts.frames.get(&frame.name);
            let name = self.phrases.frame(&frame.name, Span::default());
            let comment = thing.and_then(|thing| thing.comment.clone());
            lines.push(format!(
                "frame {name} = {}{}",
                self.turn(frame, Span::default()),
                doc(comment.as_ref())
            ));
        }
        lines.reverse();
        lines
    }

    fn bodies(&self, findings: &mut Findings) -> Vec<String> {
        let mut lines = Vec::new();
        for name in &self.facts.frame_order {
            if !is_body(self.facts, name) {
                continue;
            }
            let span = self
                .facts
                .frames
                .get(name)
                .map_or(Span::default(), |frame| frame.span);
            let called = self.phrases.frame(name, span);
            let Some(frame) = self.phrases.placing.frame(name) else {
                continue;
            };
            let mass = self
                .facts
                .masses
                .get(name)
                .map_or_else(|| "0".to_owned(), |mass| self.phrases.text(mass));
            let centre = self.centre(name, span);
            let inertia = match self.facts.inertias.get(name) {
                Some((of, entries, span)) => {
                    self.inertia(name, of.as_deref(), entries, *span, findings)
                }
                None => "[0, 0, 0]".to_owned(),
            };
            let apart = self.phrases.called.bodies.get(name);
            let turn = if apart.is_some() {
                called.clone()
            } else {
                self.turn(frame, span)
            };
            let called = apart.cloned().unwrap_or(called);
            let comment = self
                .facts
                .frames
                .get(name)
                .and_then(|frame| frame.comment.as_ref());
            lines.push(format!(
                "body {called}: frame {turn}, mass {mass}, center {centre}, inertia {inertia}{}",
                doc(comment)
            ));
        }
        for name in self
            .facts
            .masses
            .keys()
            .filter(|name| self.facts.frames.contains_key(*name))
        {
            if !is_body(self.facts, name) {
                let span = self
                    .facts
                    .frames
                    .get(name)
                    .map_or(Span::default(), |frame| frame.span);
                findings.error(
                    E0607,
                    format!("`{name}` has a mass and is a frame"),
                    span,
                    "declared here",
                    "declare it by `BODIES`",
                );
            }
        }
        lines
    }

    /// Where the mass centre of a body is.
    fn centre(&self, body: &str, span: Span) -> String {
        let name = format!("{body}o");
        let called = self.phrases.point(&name, span);
        match self.phrases.placing.point(&name).map(|point| &point.place) {
            Some(Where::From(from, vector, minus)) if called == self.phrases.called.heavy(body) => {
                let from = self.phrases.point(from, span);
                self.phrases.expr(vector).added_to(&from, *minus)
            }
            _ => called,
        }
    }

    fn inertia(
        &self,
        body: &str,
        of: Option<&str>,
        entries: &[Expr],
        span: Span,
        findings: &mut Findings,
    ) -> String {
        let texts: Vec<String> = entries
            .iter()
            .map(|entry| self.phrases.text(entry))
            .collect();
        let all = || format!("[{}]", texts.join(", "));
        let own = |texts: &[String]| {
            let none = texts[3..].iter().all(|text| text == "0");
            if none {
                format!("[{}]", texts[..3].join(", "))
            } else {
                all()
            }
        };
        let Some(of) = of.filter(|of| *of != body) else {
            return own(&texts);
        };
        let Some(path) = self.path(body, of) else {
            findings.error(
                E0607,
                "axes of an inertia that the body is not turned from",
                span,
                "here",
                "give the inertia in axes of the body",
            );
            return all();
        };
        let symmetric = |frame: &Oriented| match &frame.turn {
            Turn::Axis(axis, _) => {
                let k = axis.unsigned_abs() as usize - 1;
                let others: Vec<&String> = (0..3)
                    .filter(|axis| *axis != k)
                    .map(|axis| &texts[axis])
                    .collect();
                others[0] == others[1] && texts[3..].iter().all(|text| text == "0")
            }
            _ => false,
        };
        let constant = |frame: &Oriented| {
            let fixed = |expr: &Expr| !expr.any(&|part| self.moves(part));
            match &frame.turn {
                Turn::Axis(_, angle) => fixed(angle),
                Turn::About(axis, angle) => fixed(angle) && !axis.any(&|part| self.moves(part)),
                Turn::Angles(_, _, all)
                | Turn::Euler(all)
                | Turn::Rodrigues(all)
                | Turn::Cosines(all) => all.iter().all(fixed),
            }
        };
        if path.len() == 1 && path.iter().all(|frame| symmetric(frame)) {
            return own(&texts);
        }
        if path.iter().all(|frame| constant(frame)) {
            return format!("{} in {}", own(&texts), self.phrases.frame(of, span));
        }
        findings.error(
            E0603,
            "an inertia in axes in which the body turns",
            span,
            "not constant in axes of the body",
            "give it in axes of the body; about an axis of symmetry its moments are the same",
        );
        all()
    }

    /// What turns a body from a frame that it hangs on.
    fn path(&self, body: &str, of: &str) -> Option<Vec<&Oriented>> {
        let mut path = Vec::new();
        let mut name = body.to_owned();
        while name != of {
            let frame = self.phrases.placing.frame(&name)?;
            path.push(frame);
            name.clone_from(&frame.parent);
        }
        Some(path)
    }

    fn moves(&self, part: &Expr) -> bool {
        match &part.kind {
            Kind::Name(name, _) => name != "pi" && self.class(name) != Class::Param,
            Kind::Element(..) => true,
            _ => false,
        }
    }

    /// Points that are used, particles among them.
    fn points(&self) -> Vec<String> {
        for name in self
            .facts
            .masses
            .keys()
            .filter(|name| !self.facts.frames.contains_key(*name))
        {
            let span = self
                .facts
                .points
                .get(name)
                .map_or(Span::default(), |point| point.span);
            if !matches!(
                self.phrases.placing.point(name).map(|point| &point.place),
                Some(Where::Origin)
            ) {
                self.phrases.point(name, span);
            }
        }
        let mut lines: Vec<String> = Vec::new();
        for point in self.phrases.placing.points.iter().rev() {
            let name = &point.name;
            let mass = self.facts.masses.get(name);
            let needed = self.phrases.needed.borrow().points.contains(name) || mass.is_some();
            if !needed {
                continue;
            }
            let called = self
                .phrases
                .called
                .points
                .get(name)
                .cloned()
                .unwrap_or_default();
            let place = match &point.place {
                Where::Origin if mass.is_some() => "O".to_owned(),
                Where::Origin => continue,
                Where::Led(_) => format!("O + [{called}_x, {called}_y, {called}_z] in N"),
                Where::From(from, vector, minus) => {
                    let vector = self.phrases.expr(vector);
                    let from = self.phrases.point(from, Span::default());
                    if from == called
                        || self
                            .phrases
                            .called
                            .frames
                            .values()
                            .any(|frame| *frame == called)
                    {
                        continue;
                    }
                    vector.added_to(&from, *minus)
                }
            };
            let comment = self
                .facts
                .points
                .get(name)
                .and_then(|point| point.comment.as_ref());
            lines.push(match mass {
                Some(mass) => {
                    let called = if called == "O" {
                        format!("{name}_at_rest")
                    } else {
                        called
                    };
                    format!(
                        "particle {called}: mass {} at {place}{}",
                        self.phrases.text(mass),
                        doc(comment)
                    )
                }
                None => format!("point {called} = {place}{}", doc(comment)),
            });
        }
        lines.reverse();
        lines
    }

    fn speed_lines(&self) -> Vec<String> {
        let all: Vec<&Scalar> = self
            .facts
            .scalars
            .iter()
            .filter(|scalar| self.class(&scalar.name) == Class::Speed)
            .collect();
        let mut lines = Vec::new();
        let mut at = 0;
        while at < all.len() {
            if let Some(three) = all.get(at..at + 3).and_then(|three| self.three(three)) {
                lines.push(three);
                at += 3;
                continue;
            }
            if let Some(value) = self.speeds.get(&all[at].name) {
                lines.push(format!(
                    "speed {} = {}",
                    self.called(&all[at].name),
                    self.phrases.text(value)
                ));
            }
            at += 1;
        }
        let starts: Vec<String> = all
            .iter()
            .filter_map(|scalar| {
                Some(format!(
                    "{} = {}",
                    self.called(&scalar.name),
                    self.starts.of(&scalar.name)?
                ))
            })
            .collect();
        if !starts.is_empty() {
            lines.push(format!("initial {}", starts.join(", ")));
        }
        lines
    }

    /// Three speeds that are the components of a vector.
    fn three(&self, three: &[&Scalar]) -> Option<String> {
        let mut vector: Option<(Expr, String)> = None;
        for (at, scalar) in three.iter().enumerate() {
            let Kind::Call(_, arguments) = &self.speeds.get(&scalar.name)?.kind else {
                return None;
            };
            let [kinematic, unit] = &arguments[..] else {
                return None;
            };
            if !matches!(kinematic.kind, Kind::Turning(..) | Kind::Moving(_)) {
                return None;
            }
            let Kind::Vector(axis) = &unit.kind else {
                return None;
            };
            let (frame, axis) = self.facts.axis(axis)?;
            let (first, of) = vector.get_or_insert_with(|| (kinematic.clone(), frame.clone()));
            if axis != at || *of != frame || first.kind != kinematic.kind {
                return None;
            }
        }
        let (kinematic, frame) = vector?;
        let names: Vec<String> = three
            .iter()
            .map(|scalar| self.called(&scalar.name))
            .collect();
        let span = kinematic.span;
        Some(format!(
            "speed {} = {} in {}",
            names.join(", "),
            self.phrases.text(&kinematic),
            self.phrases.frame(&frame, span)
        ))
    }

    fn constraints(&self, names: &mut Names) -> Vec<String> {
        let mut lines = Vec::new();
        for point in &self.phrases.placing.points {
            if let Where::Led(_) = point.place
                && !defines(self.speeds, &point.name)
            {
                let span = self
                    .facts
                    .points
                    .get(&point.name)
                    .map_or(Span::default(), |point| point.span);
                let called = self.phrases.point(&point.name, span);
                let name = names.own(&format!("{called}_velocity"));
                let written = self.phrases.written(&point.name, span);
                lines.push(format!("constraint {name}: vel({called}) = {}", written.0));
            }
        }
        for (name, _) in &self.facts.dependents {
            let Some(mut value) = self.facts.values.get(&(name.clone(), 0)) else {
                continue;
            };
            let mut label = name.clone();
            // The rate of a condition is the condition itself.
            if let Kind::Call(call, arguments) = &value.kind
                && let ("dt", [inner]) = (call.as_str(), &arguments[..])
            {
                value = inner;
            }
            let key = match &value.kind {
                Kind::Name(other, 0) => Some(other.clone()),
                Kind::Element(other, indices) => super::facts::element(other, indices),
                _ => None,
            };
            if let Some(other) = key
                && let Some(meant) = self.facts.values.get(&(other.clone(), 0))
                && !self.phrases.classes.contains_key(&other)
            {
                value = meant;
                label = other;
            }
            let label = names.own(&if label == *name {
                label
            } else {
                format!("{label}_is_0")
            });
            lines.push(format!(
                "constraint {label}: {} = 0",
                self.phrases.text(value)
            ));
        }
        // Rates stand for speeds where none is declared.
        let has = |class| {
            self.facts
                .scalars
                .iter()
                .any(|scalar| self.class(&scalar.name) == class)
        };
        let (class, prime) = if has(Class::Speed) {
            (Class::Speed, "")
        } else {
            (Class::Coord, "'")
        };
        let dependent = &self.facts.dependent_speeds;
        let free = self.facts.scalars.iter().filter(|scalar| {
            self.class(&scalar.name) == class && !dependent.contains(&scalar.name)
        });
        let free: Vec<String> = free
            .map(|scalar| format!("{}{prime}", self.called(&scalar.name)))
            .collect();
        let known = dependent.iter().all(|name| self.class(name) == class);
        if !dependent.is_empty() && !free.is_empty() && known {
            lines.push(format!("privileged {}", free.join(", ")));
        }
        lines
    }

    /// Rates of states.
    fn rates(&self) -> Vec<String> {
        let states = self
            .facts
            .scalars
            .iter()
            .filter(|scalar| self.class(&scalar.name) == Class::State);
        states
            .filter_map(|scalar| {
                let value = self.facts.values.get(&(scalar.name.clone(), 1))?;
                Some(format!(
                    "rate {} = {}",
                    self.called(&scalar.name),
                    self.phrases.text(value)
                ))
            })
            .collect()
    }

    /// What a load acts on.
    fn place(&self, load: &Load, name: &str, findings: &mut Findings) -> String {
        if load.torque {
            return self.phrases.frame(name, load.span);
        }
        match self.phrases.velocities.own.get(name) {
            None => self.phrases.point(name, load.span),
            Some(Velocity::Carried(body, _)) => {
                format!(
                    "{} at {}",
                    self.phrases.frame(body, load.span),
                    self.phrases.point(name, load.span)
                )
            }
            Some(Velocity::Written) => {
                findings.error(
                    E0603,
                    format!("a force at `{name}`, whose velocity is of its own"),
                    load.span,
                    "neither the rate of its place nor that of a body there",
                    "let it act on a body or at a point that moves with one",
                );
                String::new()
            }
        }
    }

    /// Whether nothing moves there.
    fn rests(&self, load: &Load, name: &str) -> bool {
        if load.torque {
            return name == self.facts.newtonian;
        }
        matches!(
            self.phrases.placing.point(name).map(|point| &point.place),
            Some(Where::Origin)
        )
    }

    fn loads(&self, findings: &mut Findings) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((vector, names, _)) = &self.facts.gravity {
            let all = self.facts.masses.keys().all(|name| names.contains(name));
            let vector = self.phrases.steady(vector);
            let text = self.phrases.expr(&vector);
            let moves = vector.any(&|part| match &part.kind {
                Kind::Vector(name) => {
                    name != "0"
                        && self
                            .facts
                            .axis(name)
                            .is_none_or(|(frame, _)| frame != self.facts.newtonian)
                }
                Kind::Name(name, _) => {
                    !matches!(self.class(name), Class::Param | Class::Function)
                        && name != "t"
                        && name != "pi"
                }
                _ => false,
            });
            if !moves && (names.is_empty() || all) {
                lines.push(format!("gravity: {}", text.0));
            } else {
                let falls = |name: &&String| names.is_empty() || names.contains(name);
                for name in self.facts.masses.keys().filter(falls) {
                    let called = self.phrases.called.heavy(name);
                    lines.push(format!("force on {called}: mass({called})*({})", text.0));
                }
            }
        }
        for load in &self.facts.loads {
            let vector = self.phrases.expr(&load.vector);
            if vector.is_zero() {
                continue;
            }
            let word = if load.torque { "torque" } else { "force" };
            let opposite = load
                .opposite
                .as_ref()
                .filter(|name| !self.rests(load, name));
            match (self.rests(load, &load.on), opposite) {
                (true, None) => {}
                (true, Some(other)) => lines.push(format!(
                    "{word} on {}: -({})",
                    self.place(load, other, findings),
                    vector.0
                )),
                (false, None) => lines.push(format!(
                    "{word} on {}: {}",
                    self.place(load, &load.on, findings),
                    vector.0
                )),
                (false, Some(other)) => {
                    let on = self.place(load, &load.on, findings);
                    lines.push(format!(
                        "{word} on {on}, opposite on {}: {}",
                        self.place(load, other, findings),
                        vector.0
                    ));
                }
            }
        }
        lines
    }

    /// What is to be computed besides; what cannot be said is left out.
    fn outputs(&self, names: &mut Names, findings: &mut Findings) -> Vec<(String, String, String)> {
        let mut lines = Vec::new();
        for output in &self.facts.outputs {
            let (label, value) = match &output.kind {
                Kind::Name(name, 0) if self.phrases.classes.get(name) == Some(&Class::Let) => {
                    (name.clone(), self.facts.values.get(&(name.clone(), 0)))
                }
                Kind::Name(name, _) if name == "t" => continue,
                Kind::Name(name, 0)
                    if !self.phrases.classes.contains_key(name)
                        && self.facts.values.contains_key(&(name.clone(), 0)) =>
                {
                    (name.clone(), self.facts.values.get(&(name.clone(), 0)))
                }
                Kind::Name(..) | Kind::Number(_) => continue,
                Kind::Element(name, indices) => {
                    let name = super::facts::element(name, indices).unwrap_or_default();
                    (name.clone(), self.facts.values.get(&(name, 0)))
                }
                _ => (format!("output_{}", lines.len() + 1), Some(output)),
            };
            let Some(value) = value else {
                findings.left_out("outputs without a value", label, output.span);
                continue;
            };
            let Some(text) = self.phrases.whole(value) else {
                findings.left_out(
                    "outputs that the language does not have",
                    label,
                    output.span,
                );
                continue;
            };
            let called = self.phrases.called.scalars.get(&label).cloned();
            let called = called.unwrap_or_else(|| names.own(&label));
            lines.push((label, called, text));
        }
        lines
    }

    /// Outputs as statements; of what has a name in the model by now, that name.
    fn shown(&self, outputs: Vec<(String, String, String)>, names: &mut Names) -> Vec<String> {
        let needed = self.phrases.needed.borrow();
        let lines = outputs.into_iter().map(|(label, called, text)| {
            if needed.lets.contains(&label) {
                return format!(
                    "output {} = {called}",
                    names.own(&format!("output_{called}"))
                );
            }
            format!("output {called} = {text}")
        });
        lines.collect()
    }
}

/// Scalars that are left out, as they do nothing.
pub fn unused(facts: &Facts, writer: &Phrases, findings: &mut Findings) {
    for scalar in &facts.scalars {
        match writer.classes.get(&scalar.name) {
            Some(Class::Unused) => findings.left_out(
                "variables that nothing depends on",
                &scalar.spelled,
                scalar.span,
            ),
            Some(Class::Zero) => findings.left_out(
                "auxiliary speeds and the forces that belong to them (ask for these by `reaction`)",
                &scalar.spelled,
                scalar.span,
            ),
            _ => {}
        }
    }
    let needed = writer.needed.borrow();
    for (name, primes) in &facts.value_order {
        let is_let = writer
            .classes
            .get(name)
            .is_none_or(|class| *class == Class::Let);
        let shown = facts.outputs.iter().any(|output| match &output.kind {
            Kind::Name(there, 0) => there == name,
            Kind::Element(there, indices) => {
                super::facts::element(there, indices).as_ref() == Some(name)
            }
            _ => false,
        });
        let meant = facts.dependents.iter().any(|(row, _)| {
            let is = |part: &Expr| match &part.kind {
                Kind::Name(there, 0) => there == name,
                Kind::Element(there, indices) => {
                    super::facts::element(there, indices).as_ref() == Some(name)
                }
                _ => false,
            };
            facts
                .values
                .get(&(row.clone(), 0))
                .is_some_and(|value| value.any(&is))
        });
        let imposed = shown
            || meant
            || facts.dependents.iter().any(|(there, _)| there == name)
            || name.starts_with("auxiliary_")
            || name.starts_with("zero");
        if *primes == 0 && is_let && !imposed && !needed.lets.contains(name) {
            let span = facts.values[&(name.clone(), 0)].span;
            let constant = facts
                .scalar(name)
                .is_some_and(|scalar| scalar.word == Word::Constant);
            if !constant {
                findings.left_out("expressions that the motion does not need", name, span);
            }
        }
    }
}

/// Start values of Euler parameters that the file does not give: no rotation.
pub fn upright(writer: &mut Writer) {
    for names in quaternions(writer.phrases.placing) {
        if names.iter().all(|name| writer.starts.of(name).is_none()) {
            writer.starts.set(&names[3], "1");
        }
    }
}
