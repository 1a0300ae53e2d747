//! Whole trees as text, in the layout of [`format`](crate::syntax::format()): what the properties of parser and formatter are tried on.

use crate::syntax::ast::{
    Argument, BodyClause, Constraint, Declared, Definition, Drawing, DrawnShape, Event,
    EventDirection, InitialValue, Item, ItemKind, Load, LoadKind, Name, NameIndex, Quantities,
    QuantityKind, Reaction, ReactionPair, Ref, Side, Signature, SourceFile, Spring, SpringEnds,
    UnitExpr,
};
pub use crate::syntax::print::{expression, list, reference, unit};

/// A whole file.
pub fn file(file: &SourceFile) -> String {
    let mut out = comment_lines("//!", &file.docs);
    file.items.iter().for_each(|item| lines(&mut out, item, 0));
    out
}

/// A statement and what is in it, set in.
fn lines(out: &mut String, item: &Item, depth: usize) {
    let margin = "    ".repeat(depth);
    for line in self::item(item).lines() {
        out.push_str(format!("{margin}{line}").trim_end());
        out.push('\n');
    }
    if let ItemKind::For { body, .. } = &item.kind {
        body.iter().for_each(|item| lines(out, item, depth + 1));
        out.push_str(&format!("{margin}}}\n"));
    }
}

/// One statement with its doc comments before it, without a line end; of a block its head.
pub fn item(item: &Item) -> String {
    comment_lines("///", &item.docs) + statement(&item.kind).as_str()
}

/// A declared name with its indices.
pub fn name(name: &Name) -> String {
    let indices = name.indices.iter().map(|index| match index {
        NameIndex::At(index) => format!("[{}]", expression(index)),
        NameIndex::Range(from, to) => format!("[{}..{}]", expression(from), expression(to)),
    });
    name.ident.text.clone() + indices.collect::<String>().as_str()
}

fn comment_lines(slashes: &str, docs: &str) -> String {
    if docs.is_empty() {
        return String::new();
    }
    docs.split('\n')
        .map(|line| format!("{}\n", format!("{slashes} {line}").trim_end()))
        .collect()
}

fn statement(kind: &ItemKind) -> String {
    match kind {
        ItemKind::Model(name) => format!("model {}", name.text),
        ItemKind::Part(name) => format!("part {}", name.text),
        ItemKind::Const(names) => format!("const {}", declared(names)),
        ItemKind::For {
            variable, from, to, ..
        } => {
            let (from, to) = (expression(from), expression(to));
            format!("for {} in {from}..{to} {{", variable.text)
        }
        ItemKind::Use { path, name, args } => used(&path.text, name, args),
        ItemKind::Needs { kind, names } => format!("needs {} {}", kind.text(), declared(names)),
        ItemKind::Quantities(all) => quantities(all),
        ItemKind::Function { signatures, unit } => {
            let signatures = list(signatures, signature);
            format!("function {signatures}{}", colon_unit(unit))
        }
        ItemKind::Define(Definition { what, name, value }) => {
            let (what, name) = (what.text(), self::name(name));
            format!("{what} {name} = {}", expression(value))
        }
        ItemKind::Speeds {
            names,
            value,
            frame,
        } => {
            let (names, value) = (list(names, name), expression(value));
            format!("speed {names} = {value} in {}", reference(frame))
        }
        ItemKind::Roll(roll) => {
            let mut text = format!("roll {} on ", reference(&roll.body));
            text += &roll.ground.as_ref().map_or("plane".to_owned(), reference);
            if let Some(at) = &roll.at {
                text += &format!(" at {}", reference(at));
            }
            for clause in &roll.clauses {
                text += &format!(", {} {}", clause.word.text(), expression(&clause.value));
            }
            text
        }
        ItemKind::Motion { coord, value } => {
            format!("motion {} = {}", reference(coord), expression(value))
        }
        ItemKind::Rate { state, value } => {
            format!("rate {} = {}", reference(state), expression(value))
        }
        ItemKind::Particle { name, mass, at } => {
            let (name, mass) = (self::name(name), expression(mass));
            format!("particle {name}: mass {mass} at {}", reference(at))
        }
        ItemKind::Body { name, clauses } => {
            format!("body {}: {}", self::name(name), list(clauses, body_clause))
        }
        ItemKind::Group { name, members } => {
            format!("group {}: {}", self::name(name), list(members, reference))
        }
        ItemKind::Gravity(value) => format!("gravity: {}", expression(value)),
        ItemKind::Load(load) => self::load(load),
        ItemKind::Spring(spring) => self::spring(spring),
        ItemKind::Constraint(constraint) => self::constraint(constraint),
        ItemKind::Reaction(reaction) => self::reaction(reaction),
        ItemKind::ReactionPair(pair) => reaction_pair(pair),
        ItemKind::Event(event) => self::event(event),
        ItemKind::Drawing(drawing) => self::drawing(drawing),
        ItemKind::Privileged(speeds) => format!("privileged {}", list(speeds, expression)),
        ItemKind::Initial(values) => {
            let one =
                |v: &InitialValue| format!("{} = {}", expression(&v.of), expression(&v.value));
            format!("initial {}", list(values, one))
        }
        ItemKind::Assume { lhs, relation, rhs } => {
            let (lhs, sign) = (expression(lhs), relation.text());
            format!("assume {lhs} {sign} {}", expression(rhs))
        }
    }
}

fn event(event: &Event) -> String {
    let direction = match event.direction {
        None => "",
        Some(EventDirection::Rising) => " rising",
        Some(EventDirection::Falling) => " falling",
    };
    let (name, value) = (name(&event.name), expression(&event.value));
    format!("event {name}: {value}{direction}")
}

fn drawing(drawing: &Drawing) -> String {
    let shape = match &drawing.shape {
        DrawnShape::Box { sizes, at, frame } => {
            let (at, frame) = (reference(at), reference(frame));
            format!("box [{}] at {at} in {frame}", list(sizes, expression))
        }
        DrawnShape::Cylinder { sizes, at, along } => {
            let (at, along) = (reference(at), expression(along));
            format!(
                "cylinder [{}] at {at} along {along}",
                list(sizes, expression)
            )
        }
        DrawnShape::Sphere { sizes, at } => {
            format!("sphere [{}] at {}", list(sizes, expression), reference(at))
        }
        DrawnShape::Line(points) => format!("line through {}", list(points, reference)),
    };
    let color = drawing.color.as_ref();
    let color = color.map_or(String::new(), |c| format!(", color {}", c.text));
    format!("drawing {}: {shape}{color}", name(&drawing.name))
}

fn signature(signature: &Signature) -> String {
    let args = list(&signature.args, reference);
    format!("{}({args})", name(&signature.name))
}

fn constraint(constraint: &Constraint) -> String {
    let (name, frame) = (name(&constraint.name), with(" in ", &constraint.frame));
    let (lhs, rhs) = (expression(&constraint.lhs), expression(&constraint.rhs));
    format!("constraint {name}: {lhs} = {rhs}{frame}")
}

fn reaction(reaction: &Reaction) -> String {
    let (name, at) = (name(&reaction.name), reference(&reaction.at));
    format!(
        "reaction {name} at {at}: {}",
        expression(&reaction.direction)
    )
}

fn used(path: &str, name: &Name, args: &[Argument]) -> String {
    let given = |arg: &Argument| format!("{} = {}", arg.name.text, expression(&arg.value));
    let args = match args {
        [] => String::new(),
        _ => format!("({})", list(args, given)),
    };
    format!("use \"{path}\" as {}{args}", self::name(name))
}

fn quantities(all: &Quantities) -> String {
    let keyword = match all.kind {
        QuantityKind::Param => "param",
        QuantityKind::Coord => "coord",
        QuantityKind::State => "state",
        QuantityKind::Input => "input",
    };
    let assumed = all.assume.as_ref().map_or(String::new(), |(sign, side)| {
        format!(" {} {}", sign.text(), expression(side))
    });
    let (names, unit) = (declared(&all.names), colon_unit(&all.unit));
    format!("{keyword} {names}{unit}{assumed}")
}

fn load(load: &Load) -> String {
    let head = match (&load.kind, load.nonideal) {
        (LoadKind::Force, false) => "force on",
        (LoadKind::Force, true) => "nonideal on",
        (LoadKind::Torque, false) => "torque on",
        (LoadKind::Torque, true) => "nonideal torque on",
        (LoadKind::Generalized, false) => "generalized",
        (LoadKind::Generalized, true) => "nonideal generalized",
    };
    let (on, opposite) = (side(&load.on), opposite(&load.opposite));
    format!("{head} {on}{opposite}: {}", expression(&load.value))
}

fn side(side: &Side) -> String {
    format!("{}{}", reference(&side.on), with(" at ", &side.at))
}

fn opposite(other: &Option<Side>) -> String {
    let other = other.as_ref().map(side);
    other.map_or_else(String::new, |text| format!(", opposite on {text}"))
}

fn reaction_pair(pair: &ReactionPair) -> String {
    let kind = match pair.kind {
        LoadKind::Torque => "torque",
        LoadKind::Force | LoadKind::Generalized => "force",
    };
    let (name, on, along) = (name(&pair.name), side(&pair.on), expression(&pair.along));
    let opposite = opposite(&pair.opposite);
    format!("reaction {name}: {kind} on {on} along {along}{opposite}")
}

fn spring(spring: &Spring) -> String {
    let keyword = if spring.damper { "damper" } else { "spring" };
    let ends = match &spring.ends {
        SpringEnds::Between(from, to) => format!("from {} to {}", reference(from), reference(to)),
        SpringEnds::On(expr) => format!("on {}", expression(expr)),
    };
    let mut out = format!("{keyword} {}: {ends}", name(&spring.name));
    for clause in &spring.clauses {
        let (word, value) = (clause.word.text(), expression(&clause.value));
        out.push_str(&format!(", {word} {value}"));
    }
    out
}

fn declared(names: &[Declared]) -> String {
    list(names, |declared| {
        let mut out = name(&declared.name);
        if let Some(shown) = &declared.shown {
            out += format!(" as \"{}\"", shown.text).as_str();
        }
        if let Some(value) = &declared.value {
            out += format!(" = {}", expression(value)).as_str();
        }
        out
    })
}

/// A reference with words before it, if there is one.
fn with(words: &str, name: &Option<Ref>) -> String {
    name.as_ref()
        .map_or(String::new(), |name| format!("{words}{}", reference(name)))
}

fn colon_unit(unit: &Option<UnitExpr>) -> String {
    unit.as_ref()
        .map_or(String::new(), |unit| format!(" : {}", self::unit(unit)))
}

fn body_clause(clause: &BodyClause) -> String {
    match clause {
        BodyClause::Frame(name) => format!("frame {}", reference(name)),
        BodyClause::Mass(mass) => format!("mass {}", expression(mass)),
        BodyClause::Center(name) => format!("center {}", reference(name)),
        BodyClause::Inertia {
            planar,
            entries,
            about,
            frame,
            ..
        } => {
            let entries = list(entries, expression);
            let entries = match planar {
                true => entries,
                false => format!("[{entries}]"),
            };
            format!(
                "inertia {entries}{}{}",
                with(" about ", about),
                with(" in ", frame)
            )
        }
    }
}
