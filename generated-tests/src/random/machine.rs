//! A machine as plain data, and its text. What is drawn, what the oracle evaluates and what eomgen reads is this, in two writings.

use super::expr::Expr;
use std::fmt::Write;

/// What may be assumed of a quantity: a relation with zero, or nothing.
pub type Sign = Option<&'static str>;

/// How a frame is turned from its parent.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// By an angle about a vector of the parent.
    About(Expr, Expr),
    /// By angles about the new frame's axes, one after the other.
    Body(String, Vec<Expr>),
    /// By angles about the parent's axes.
    Space(String, Vec<Expr>),
    /// By a unit quaternion of four coordinates.
    Quaternion([String; 4]),
    /// By Rodrigues parameters.
    Rodrigues([Expr; 3]),
    /// By modified Rodrigues parameters.
    Modified([Expr; 3]),
    /// By direction cosines, row by row.
    Matrix(Box<[[Expr; 3]; 3]>),
}

/// What a load acts on.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A force at a point.
    Force,
    /// A force on a body where this point is.
    ForceAt(String),
    /// A torque on a frame.
    Torque,
    /// A generalized force on a coordinate.
    Generalized,
}

/// What a declared reaction is.
#[derive(Clone, Debug, PartialEq)]
pub enum Reaction {
    /// What holds a point or a frame in its defined place, along a vector.
    Definition(String, Expr),
    /// A force between two points, or between a point and what is fixed.
    Force(String, Expr, Option<String>),
    /// A torque between two bodies.
    Torque(String, Expr, Option<String>),
}

/// Where a spring or a damper acts.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Between two points.
    Between(String, String),
    /// On a scalar.
    On(Expr),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Statement {
    Param {
        name: String,
        value: String,
        unit: String,
        sign: Sign,
    },
    Coord {
        name: String,
        unit: String,
        sign: Sign,
    },
    Input {
        name: String,
        unit: String,
    },
    /// With the terms of a polynomial that the caller supplies.
    Function {
        name: String,
        arguments: Vec<String>,
        terms: Vec<(f64, Vec<u32>)>,
        unit: String,
    },
    Let {
        name: String,
        value: Expr,
    },
    Frame {
        name: String,
        parent: String,
        turn: Turn,
    },
    Point {
        name: String,
        place: Expr,
    },
    Particle {
        name: String,
        mass: Expr,
        at: String,
    },
    Body {
        name: String,
        frame: String,
        mass: Expr,
        center: String,
        inertia: Vec<Expr>,
        about: Option<String>,
        within: Option<String>,
    },
    Group {
        name: String,
        members: Vec<String>,
    },
    Gravity(Expr),
    Load {
        kind: Load,
        nonideal: bool,
        on: String,
        opposite: Option<String>,
        value: Expr,
    },
    /// A spring or a damper; its properties by their keywords.
    Spring {
        keyword: &'static str,
        name: String,
        place: Place,
        properties: Vec<(&'static str, Expr)>,
    },
    /// `kinetic`, `potential` or `dissipation`.
    Energy {
        keyword: &'static str,
        name: String,
        value: Expr,
    },
    Speed {
        name: String,
        value: Expr,
    },
    /// `points` if both sides are points or vectors.
    Constraint {
        name: String,
        left: Expr,
        right: Expr,
        vector: bool,
        within: Option<String>,
    },
    /// A body that rolls on a plane of a frame by its shape, with the names of its contact, of the row that it touches, and of the rows that it rolls.
    Roll {
        names: [String; 3],
        body: String,
        center: String,
        ground: String,
        normal: Expr,
        /// Whether the normal is written.
        stated: bool,
        radius: Expr,
        axis: Option<Expr>,
        tube: Option<Expr>,
        /// Whether the place of the body leaves it open whether it touches.
        lifted: bool,
    },
    Reaction {
        name: String,
        what: Reaction,
    },
    Privileged(Vec<Expr>),
    Assume(Expr, &'static str, Expr),
    Output {
        name: String,
        value: Expr,
    },
    /// Statements for each number of a range; names contain the variable in brackets.
    For {
        variable: String,
        first: i64,
        last: i64,
        body: Vec<Statement>,
    },
    /// A part under a name: its file, what it needs, and values of its parameters.
    Use {
        file: String,
        name: String,
        root: String,
        base: String,
        values: Vec<(String, String)>,
    },
}

/// A part: it needs a point `root` and a frame `base`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name, which is that of its file.
    pub name: String,
    /// What it declares.
    pub statements: Vec<Statement>,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Machine {
    /// What it consists of, in order.
    pub statements: Vec<Statement>,
    /// The parts that it uses.
    pub parts: Vec<Part>,
    /// Whether quantities have units.
    pub units: bool,
    /// What the draw put into it, for tables.
    pub features: Vec<&'static str>,
}

impl Machine {
    /// The text of the model.
    pub fn text(&self) -> String {
        let mut text = String::from("model machine\n");
        for s in &self.statements {
            write_statement(&mut text, s, self.units, "");
        }
        text
    }

    /// The files of its parts: names and texts.
    pub fn files(&self) -> Vec<(String, String)> {
        let file = |part: &Part| {
            let mut text = format!("part {}\nneeds point root\nneeds frame base\n", part.name);
            for s in &part.statements {
                write_statement(&mut text, s, self.units, "");
            }
            (format!("{}.eom", part.name), text)
        };
        self.parts.iter().map(file).collect()
    }

    /// Its statements with loops and parts written out.
    pub fn plain(&self) -> Vec<Statement> {
        let mut plain = Vec::new();
        self.expand(&self.statements, &mut plain);
        plain
    }

    fn expand(&self, statements: &[Statement], plain: &mut Vec<Statement>) {
        for s in statements {
            match s {
                Statement::For {
                    variable,
                    first,
                    last,
                    body,
                } => {
                    for i in *first..=*last {
                        let index = |name: &str| {
                            name.replace(&format!("[{variable}]"), &format!("[{i}]"))
                                .replace(&format!("[{variable} - 1]"), &format!("[{}]", i - 1))
                        };
                        let copy: Vec<_> = body.iter().map(|s| s.renamed(&index)).collect();
                        self.expand(&copy, plain);
                    }
                }
                Statement::Use {
                    file,
                    name,
                    root,
                    base,
                    values,
                } => {
                    let Some(part) = self.parts.iter().find(|p| p.name == *file) else {
                        continue;
                    };
                    let mut own: Vec<String> = Vec::new();
                    part.statements
                        .iter()
                        .for_each(|s| own.extend(s.declared().map(str::to_owned)));
                    let path = |n: &str| match n {
                        "root" => root.clone(),
                        "base" => base.clone(),
                        n if own.iter().any(|o| o == n) => format!("{name}.{n}"),
                        n => n.to_owned(),
                    };
                    for s in &part.statements {
                        let mut copy = s.renamed(&path);
                        if let (Statement::Param { name: p, .. }, Statement::Param { value, .. }) =
                            (s, &mut copy)
                            && let Some((_, given)) = values.iter().find(|(n, _)| n == p)
                        {
                            value.clone_from(given);
                        }
                        plain.push(copy);
                    }
                }
                roll @ Statement::Roll { .. } => plain.extend(rolling(roll)),
                other => plain.push(other.clone()),
            }
        }
    }
}

impl Turn {
    fn renamed(&self, to: &impl Fn(&str) -> String) -> Turn {
        let again = |e: &Expr| e.renamed(to);
        match self {
            Turn::About(angle, axis) => Turn::About(again(angle), again(axis)),
            Turn::Body(axes, angles) => {
                Turn::Body(axes.clone(), angles.iter().map(again).collect())
            }
            Turn::Space(axes, angles) => {
                Turn::Space(axes.clone(), angles.iter().map(again).collect())
            }
            Turn::Quaternion(names) => Turn::Quaternion(names.each_ref().map(|n| to(n))),
            Turn::Rodrigues(p) => Turn::Rodrigues(p.each_ref().map(again)),
            Turn::Modified(p) => Turn::Modified(p.each_ref().map(again)),
            Turn::Matrix(m) => {
                Turn::Matrix(Box::new(m.each_ref().map(|r| r.each_ref().map(again))))
            }
        }
    }

    /// The expressions in it.
    pub fn expressions(&self) -> Vec<Expr> {
        match self {
            Turn::About(angle, axis) => vec![angle.clone(), axis.clone()],
            Turn::Body(_, angles) | Turn::Space(_, angles) => angles.clone(),
            Turn::Quaternion(names) => names.iter().cloned().map(Expr::Name).collect(),
            Turn::Rodrigues(p) | Turn::Modified(p) => p.to_vec(),
            Turn::Matrix(m) => m.iter().flatten().cloned().collect(),
        }
    }
}

impl Statement {
    /// The name that it declares.
    pub fn declared(&self) -> impl Iterator<Item = &str> {
        use Statement as S;
        let name = match self {
            S::Param { name, .. }
            | S::Coord { name, .. }
            | S::Input { name, .. }
            | S::Function { name, .. }
            | S::Let { name, .. }
            | S::Frame { name, .. }
            | S::Point { name, .. }
            | S::Particle { name, .. }
            | S::Body { name, .. }
            | S::Group { name, .. }
            | S::Spring { name, .. }
            | S::Energy { name, .. }
            | S::Speed { name, .. }
            | S::Constraint { name, .. }
            | S::Reaction { name, .. }
            | S::Output { name, .. }
            | S::Use { name, .. } => Some(name.as_str()),
            S::Gravity(_)
            | S::Load { .. }
            | S::Roll { .. }
            | S::Privileged(_)
            | S::Assume(..)
            | S::For { .. } => None,
        };
        let of_roll: &[String] = match self {
            S::Roll { names, .. } => names,
            _ => &[],
        };
        name.into_iter().chain(of_roll.iter().map(String::as_str))
    }

    /// The same with other names.
    #[must_use]
    pub fn renamed(&self, to: &impl Fn(&str) -> String) -> Statement {
        use Statement as S;
        let again = |e: &Expr| e.renamed(to);
        let maybe = |n: &Option<String>| n.as_ref().map(|n| to(n));
        let mut copy = self.clone();
        match &mut copy {
            S::Param { name, .. } | S::Coord { name, .. } | S::Input { name, .. } => {
                *name = to(name);
            }
            S::Function {
                name, arguments, ..
            } => {
                *name = to(name);
                arguments.iter_mut().for_each(|a| *a = to(a));
            }
            S::Let { name, value }
            | S::Point { name, place: value }
            | S::Energy { name, value, .. }
            | S::Speed { name, value }
            | S::Output { name, value } => {
                *name = to(name);
                *value = again(value);
            }
            S::Frame { name, parent, turn } => {
                *name = to(name);
                *parent = to(parent);
                *turn = turn.renamed(to);
            }
            S::Particle { name, mass, at } => {
                *name = to(name);
                *mass = again(mass);
                *at = to(at);
            }
            S::Body {
                name,
                frame,
                mass,
                center,
                inertia,
                about,
                within,
            } => {
                *name = to(name);
                *frame = to(frame);
                *mass = again(mass);
                *center = to(center);
                inertia.iter_mut().for_each(|e| *e = again(e));
                *about = maybe(about);
                *within = maybe(within);
            }
            S::Group { name, members } => {
                *name = to(name);
                members.iter_mut().for_each(|m| *m = to(m));
            }
            S::Gravity(value) => *value = again(value),
            S::Load {
                kind,
                on,
                opposite,
                value,
                ..
            } => {
                if let Load::ForceAt(point) = kind {
                    *point = to(point);
                }
                *on = to(on);
                *opposite = maybe(opposite);
                *value = again(value);
            }
            S::Spring {
                name,
                place,
                properties,
                ..
            } => {
                *name = to(name);
                match place {
                    Place::Between(a, b) => (*a, *b) = (to(a), to(b)),
                    Place::On(e) => *e = again(e),
                }
                properties.iter_mut().for_each(|(_, e)| *e = again(e));
            }
            S::Constraint {
                name,
                left,
                right,
                within,
                ..
            } => {
                *name = to(name);
                (*left, *right) = (again(left), again(right));
                *within = maybe(within);
            }
            S::Roll {
                names,
                body,
                center,
                ground,
                normal,
                radius,
                axis,
                tube,
                ..
            } => {
                names.iter_mut().for_each(|n| *n = to(n));
                (*body, *center, *ground) = (to(body), to(center), to(ground));
                (*normal, *radius) = (again(normal), again(radius));
                for e in axis.iter_mut().chain(tube) {
                    *e = again(e);
                }
            }
            S::Reaction { name, what } => {
                *name = to(name);
                match what {
                    Reaction::Definition(of, along) => {
                        (*of, *along) = (to(of), again(along));
                    }
                    Reaction::Force(on, along, opposite)
                    | Reaction::Torque(on, along, opposite) => {
                        (*on, *along, *opposite) = (to(on), again(along), maybe(opposite));
                    }
                }
            }
            S::Privileged(list) => list.iter_mut().for_each(|e| *e = again(e)),
            S::Assume(left, _, right) => (*left, *right) = (again(left), again(right)),
            S::For { body, .. } => body.iter_mut().for_each(|s| *s = s.renamed(to)),
            S::Use {
                name, root, base, ..
            } => (*name, *root, *base) = (to(name), to(root), to(base)),
        }
        copy
    }

    /// Every name that stands in it, those it declares among them.
    pub fn mentions(&self) -> Vec<String> {
        let seen = std::cell::RefCell::new(Vec::new());
        let _ = self.renamed(&|n: &str| {
            seen.borrow_mut().push(n.to_owned());
            n.to_owned()
        });
        seen.into_inner()
    }
}

fn unit_of(unit: &str, units: bool) -> String {
    if units && !unit.is_empty() {
        format!(" : {unit}")
    } else {
        String::new()
    }
}

/// ` > 0` after a declaration.
fn sign_of(sign: Sign) -> String {
    sign.map_or(String::new(), |s| format!(" {s} 0"))
}

fn list(items: &[Expr]) -> String {
    let items: Vec<_> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

fn frame_text(name: &str, parent: &str, turn: &Turn) -> String {
    let right = match turn {
        Turn::About(angle, axis) => format!("rotate({parent}, {angle}, {axis})"),
        Turn::Body(axes, angles) => format!("rotate_body({parent}, {axes}, {})", list(angles)),
        Turn::Space(axes, angles) => format!("rotate_space({parent}, {axes}, {})", list(angles)),
        Turn::Quaternion(q) => format!("quaternion({parent}, {})", q.join(", ")),
        Turn::Rodrigues(p) => format!("rodrigues({parent}, {})", list(p)),
        Turn::Modified(p) => format!("mrp({parent}, {})", list(p)),
        Turn::Matrix(rows) => {
            let rows: Vec<_> = rows.iter().map(|r| format!("[{}]", list(r))).collect();
            format!("matrix({parent}, {})", rows.join(", "))
        }
    };
    format!("frame {name} = {right}")
}

fn opposite_of(opposite: &Option<String>) -> String {
    let text = opposite.as_ref().map(|o| format!(", opposite on {o}"));
    text.unwrap_or_default()
}

fn load_text(kind: &Load, nonideal: bool, on: &str, opposite: &Option<String>) -> String {
    let (kind, place) = match kind {
        Load::Force => ("force on ", String::new()),
        Load::ForceAt(point) => ("force on ", format!(" at {point}")),
        Load::Torque => ("torque on ", String::new()),
        Load::Generalized => ("generalized ", String::new()),
    };
    let nonideal = if nonideal { "nonideal " } else { "" };
    format!("{nonideal}{kind}{on}{place}{}", opposite_of(opposite))
}

fn reaction_text(name: &str, what: &Reaction) -> String {
    match what {
        Reaction::Definition(of, along) => format!("reaction {name} at {of}: {along}"),
        Reaction::Force(on, along, opposite) => {
            let opposite = opposite_of(opposite);
            format!("reaction {name}: force on {on} along {along}{opposite}")
        }
        Reaction::Torque(on, along, opposite) => {
            let opposite = opposite_of(opposite);
            format!("reaction {name}: torque on {on} along {along}{opposite}")
        }
    }
}

fn body_text(s: &Statement) -> String {
    let Statement::Body {
        name,
        frame,
        mass,
        center,
        inertia,
        about,
        within,
    } = s
    else {
        return String::new();
    };
    let tail = [("about", about), ("in", within)];
    let tail = tail.iter().filter_map(|(word, of)| {
        let of = of.as_ref()?;
        Some(format!(" {word} {of}"))
    });
    let tail: String = tail.collect();
    let inertia = list(inertia);
    format!("body {name}: frame {frame}, mass {mass}, center {center}, inertia [{inertia}]{tail}")
}

fn spring_text(s: &Statement) -> String {
    let Statement::Spring {
        keyword,
        name,
        place,
        properties,
    } = s
    else {
        return String::new();
    };
    let place = match place {
        Place::Between(a, b) => format!("from {a} to {b}"),
        Place::On(e) => format!("on {e}"),
    };
    let properties = properties.iter().map(|(word, e)| format!(", {word} {e}"));
    let properties: String = properties.collect();
    format!("{keyword} {name}: {place}{properties}")
}

/// What a roll stands for: its point of contact, that it touches where this is not evident, and that the velocities of both sides are the same, as
/// far as they are along the plane.
fn rolling(roll: &Statement) -> Vec<Statement> {
    let Statement::Roll {
        names: [contact, touch, roll],
        body,
        center,
        ground,
        normal,
        radius,
        axis,
        tube,
        lifted,
        ..
    } = roll
    else {
        return Vec::new();
    };
    let call = |function: &str, list: Vec<Expr>| Expr::Call(function.to_owned(), list);
    let name = |n: &String| Expr::Name(n.clone());
    let function = match (axis, tube) {
        (None, _) => "contact_sphere",
        (_, None) => "contact_disc",
        _ => "contact_torus",
    };
    let mut list = vec![name(center), radius.clone()];
    list.extend(tube.iter().chain(axis).cloned());
    list.push(normal.clone());
    let mut plain = vec![Statement::Point {
        name: contact.clone(),
        place: call(function, list),
    }];
    let zero = || Expr::Number("0".to_owned());
    if *lifted {
        let reach = name(contact) - Expr::Name("O".to_owned());
        plain.push(Statement::Constraint {
            name: touch.clone(),
            left: call("dot", vec![reach, normal.clone()]),
            right: zero(),
            vector: false,
            within: None,
        });
    }
    let side = |of: &String| call("vel_at", vec![name(of), name(contact)]);
    let slip = side(body) - side(ground);
    let across = call("dot", vec![slip.clone(), normal.clone()]);
    plain.push(Statement::Constraint {
        name: roll.clone(),
        left: slip - across * normal.clone(),
        right: zero(),
        vector: true,
        within: Some(ground.clone()),
    });
    plain
}

fn roll_text(s: &Statement) -> String {
    let Statement::Roll {
        body,
        ground,
        normal,
        stated,
        radius,
        axis,
        tube,
        ..
    } = s
    else {
        return String::new();
    };
    let on = if ground == "N" { "plane" } else { ground };
    let mut text = format!("roll {body} on {on}, radius {radius}");
    for (word, value) in [("axis", axis), ("tube", tube)] {
        if let Some(value) = value {
            let _ = write!(text, ", {word} {value}");
        }
    }
    if *stated {
        let _ = write!(text, ", normal {normal}");
    }
    text
}

fn constraint_text(s: &Statement) -> String {
    let Statement::Constraint {
        name,
        left,
        right,
        within,
        ..
    } = s
    else {
        return String::new();
    };
    let within = within.as_ref().map(|f| format!(" in {f}"));
    format!(
        "constraint {name}: {left} = {right}{}",
        within.unwrap_or_default()
    )
}

fn write_statement(text: &mut String, s: &Statement, units: bool, indent: &str) {
    use Statement as S;
    let line = match s {
        S::Param {
            name,
            value,
            unit,
            sign,
        } => format!(
            "param {name} = {value}{}{}",
            unit_of(unit, units),
            sign_of(*sign)
        ),
        S::Coord { name, unit, sign } => {
            format!("coord {name}{}{}", unit_of(unit, units), sign_of(*sign))
        }
        S::Input { name, unit } => format!("input {name}{}", unit_of(unit, units)),
        S::Function {
            name,
            arguments,
            unit,
            ..
        } => format!(
            "function {name}({}){}",
            arguments.join(", "),
            unit_of(unit, units)
        ),
        S::Let { name, value } => format!("let {name} = {value}"),
        S::Frame { name, parent, turn } => frame_text(name, parent, turn),
        S::Point { name, place } => format!("point {name} = {place}"),
        S::Particle { name, mass, at } => format!("particle {name}: mass {mass} at {at}"),
        S::Body { .. } => body_text(s),
        S::Group { name, members } => format!("group {name}: {}", members.join(", ")),
        S::Gravity(value) => format!("gravity: {value}"),
        S::Load {
            kind,
            nonideal,
            on,
            opposite,
            value,
        } => format!("{}: {value}", load_text(kind, *nonideal, on, opposite)),
        S::Spring { .. } => spring_text(s),
        S::Energy {
            keyword,
            name,
            value,
        } => format!("{keyword} {name} = {value}"),
        S::Speed { name, value } => format!("speed {name} = {value}"),
        S::Roll { .. } => roll_text(s),
        S::Constraint { .. } => constraint_text(s),
        S::Reaction { name, what } => reaction_text(name, what),
        S::Privileged(list_) => format!("privileged {}", list(list_)),
        S::Assume(left, relation, right) => format!("assume {left} {relation} {right}"),
        S::Output { name, value } => format!("output {name} = {value}"),
        S::For {
            variable,
            first,
            last,
            body,
        } => {
            let _ = writeln!(text, "{indent}for {variable} in {first}..{last} {{");
            for s in body {
                write_statement(text, s, units, &format!("{indent}    "));
            }
            "}".to_owned()
        }
        S::Use {
            file,
            name,
            root,
            base,
            values,
        } => {
            let values = values.iter().map(|(n, v)| format!(", {n} = {v}"));
            let values: String = values.collect();
            format!("use \"{file}.eom\" as {name}(root = {root}, base = {base}{values})")
        }
    };
    let _ = writeln!(text, "{indent}{line}");
}
