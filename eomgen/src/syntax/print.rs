//! Trees as text, in the layout of [`super::format`]. Brackets that the tree needs and does not have are added, so that
//! reading the text again gives the same meaning for any tree.

use super::ast::{
    Argument, BinaryOp, BodyClause, Constraint, Declared, Definition, Expr, ExprKind, Item,
    ItemKind, Load, LoadKind, Logic, Name, NameIndex, Quantities, QuantityKind, Reaction,
    ReactionPair, Ref, Segment, Signature, SourceFile, Spring, SpringEnds, UnitExpr,
};

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

/// An expression.
pub fn expression(expr: &Expr) -> String {
    let mut out = String::new();
    write(&mut out, expr, Level::Whole);
    out
}

/// A declared name with its indices.
pub fn name(name: &Name) -> String {
    let indices = name.indices.iter().map(|index| match index {
        NameIndex::At(index) => format!("[{}]", expression(index)),
        NameIndex::Range(from, to) => format!("[{}..{}]", expression(from), expression(to)),
    });
    name.ident.text.clone() + indices.collect::<String>().as_str()
}

/// A reference.
pub fn reference(reference: &Ref) -> String {
    let path = reference.path.iter().map(|segment| match segment {
        Segment::Index(index, _) => format!("[{}]", expression(index)),
        Segment::Range(from, to, _) => format!("[{}..{}]", expression(from), expression(to)),
        Segment::Field(field) => format!(".{}", field.text),
    });
    reference.ident.text.clone() + path.collect::<String>().as_str()
}

/// A unit.
pub fn unit(unit: &UnitExpr) -> String {
    let mut out = String::new();
    for (name, numerator, denominator) in &unit.factors {
        if *numerator < 0 {
            out.push_str(if out.is_empty() { "1/" } else { "/" });
        } else if !out.is_empty() {
            out.push('*');
        }
        out.push_str(&name.text);
        match (numerator.unsigned_abs(), *denominator) {
            (1, 1) => {}
            (power, 1) => out.push_str(&format!("^{power}")),
            (n, d) => out.push_str(&format!("^({n}/{d})")),
        }
    }
    if out.is_empty() {
        out.push('1');
    }
    out
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
        ItemKind::Needs { kind, names } => format!("needs {} {}", kind.text(), list(names, name)),
        ItemKind::Quantities(all) => quantities(all),
        ItemKind::Function { signatures, unit } => {
            let signatures = list(signatures, signature);
            format!("function {signatures}{}", colon_unit(unit))
        }
        ItemKind::Define(Definition { what, name, value }) => {
            let (what, name) = (what.text(), self::name(name));
            format!("{what} {name} = {}", expression(value))
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
        ItemKind::Privileged(speeds) => format!("privileged {}", list(speeds, expression)),
        ItemKind::Assume { lhs, relation, rhs } => {
            let (lhs, sign) = (expression(lhs), relation.text());
            format!("assume {lhs} {sign} {}", expression(rhs))
        }
    }
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
    let (on, opposite) = (reference(&load.on), with(", opposite on ", &load.opposite));
    format!("{head} {on}{opposite}: {}", expression(&load.value))
}

fn reaction_pair(pair: &ReactionPair) -> String {
    let kind = match pair.kind {
        LoadKind::Torque => "torque",
        LoadKind::Force | LoadKind::Generalized => "force",
    };
    let (name, on, along) = (
        name(&pair.name),
        reference(&pair.on),
        expression(&pair.along),
    );
    let opposite = with(", opposite on ", &pair.opposite);
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
    list(names, |declared| match &declared.value {
        Some(value) => format!("{} = {}", name(&declared.name), expression(value)),
        None => name(&declared.name),
    })
}

/// Several with commas between them.
fn list<T>(all: &[T], text: impl Fn(&T) -> String) -> String {
    let all: Vec<String> = all.iter().map(text).collect();
    all.join(", ")
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
            entries,
            about,
            frame,
            ..
        } => {
            let entries = list(entries, expression);
            format!(
                "inertia [{entries}]{}{}",
                with(" about ", about),
                with(" in ", frame)
            )
        }
    }
}

/// How tightly a place binds, from loosest to tightest.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    /// An `if`, or what stands alone.
    Whole,
    Or,
    And,
    Not,
    Compared,
    Sum,
    Product,
    Signed,
    Postfix,
}

fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::If { .. } => Level::Whole,
        ExprKind::Logic(Logic::Or, ..) => Level::Or,
        ExprKind::Logic(Logic::And, ..) => Level::And,
        ExprKind::Not(_) => Level::Not,
        ExprKind::Compare(..) => Level::Compared,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => Level::Sum,
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div, ..) => Level::Product,
        ExprKind::Binary(BinaryOp::Pow, ..) | ExprKind::Neg(_) => Level::Signed,
        _ => Level::Postfix,
    }
}

/// Two operands, each in a place that binds so, and what stands between them.
fn infix(out: &mut String, left: &Expr, (before, sign, after): (Level, &str, Level), right: &Expr) {
    write(out, left, before);
    out.push_str(sign);
    write(out, right, after);
}

/// What stands before a `.` or an index.
fn write_base(out: &mut String, base: &Expr) {
    match base.kind {
        ExprKind::Number { .. } => bracketed(out, base),
        _ => write(out, base, Level::Postfix),
    }
}

fn conditional(out: &mut String, condition: &Expr, then: &Expr, other: &Expr) {
    out.push_str("if ");
    infix(out, condition, (Level::Or, " then ", Level::Whole), then);
    out.push_str(" else ");
    write(out, other, Level::Whole);
}

fn bracketed(out: &mut String, expr: &Expr) {
    out.push('(');
    write(out, expr, Level::Whole);
    out.push(')');
}

fn write(out: &mut String, expr: &Expr, place: Level) {
    if level(expr) < place {
        return bracketed(out, expr);
    }
    match &expr.kind {
        ExprKind::Number { text, unit: None } => out.push_str(text),
        ExprKind::Number {
            text,
            unit: Some(unit),
        } => out.push_str(&format!("{text} [{}]", self::unit(unit))),
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Field(base, field) => {
            write_base(out, base);
            out.push('.');
            out.push_str(&field.text);
        }
        ExprKind::Prime(base) => {
            write(out, base, Level::Postfix);
            out.push('\'');
        }
        ExprKind::Call(name, args) => {
            out.push_str(&format!("{}({})", reference(name), list(args, expression)));
        }
        ExprKind::Index(base, index) => {
            write_base(out, base);
            out.push_str(&format!("[{}]", expression(index)));
        }
        ExprKind::Sum(sum) => {
            let (from, to) = (expression(&sum.from), expression(&sum.to));
            let (variable, body) = (&sum.variable.text, expression(&sum.body));
            out.push_str(&format!("sum({variable} in {from}..{to}, {body})"));
        }
        ExprKind::List(items) => out.push_str(&format!("[{}]", list(items, expression))),
        ExprKind::Neg(operand) => {
            out.push('-');
            write(out, operand, Level::Signed);
        }
        ExprKind::Paren(inner) => bracketed(out, inner),
        ExprKind::Binary(op, left, right) => {
            let between = match op {
                BinaryOp::Add => (Level::Sum, " + ", Level::Product),
                BinaryOp::Sub => (Level::Sum, " - ", Level::Product),
                BinaryOp::Mul => (Level::Product, "*", Level::Signed),
                BinaryOp::Div => (Level::Product, "/", Level::Signed),
                BinaryOp::Pow => (Level::Postfix, "^", Level::Signed),
            };
            infix(out, left, between, right);
        }
        ExprKind::If {
            condition,
            then,
            other,
        } => conditional(out, condition, then, other),
        ExprKind::Compare(sign, left, right) => {
            let sign = format!(" {} ", sign.text());
            infix(out, left, (Level::Sum, &sign, Level::Sum), right);
        }
        ExprKind::Logic(Logic::Or, left, right) => {
            infix(out, left, (Level::Or, " or ", Level::And), right);
        }
        ExprKind::Logic(Logic::And, left, right) => {
            infix(out, left, (Level::And, " and ", Level::Not), right);
        }
        ExprKind::Not(operand) => {
            out.push_str("not ");
            write(out, operand, Level::Not);
        }
        ExprKind::Error => out.push_str("<error>"),
    }
}
