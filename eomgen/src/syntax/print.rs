//! Trees as text, in the layout of [`super::format`]. Brackets that the tree needs and does not have are added, so that
//! reading the text again gives the same meaning for any tree.

use super::ast::{
    Argument, BinaryOp, BodyClause, Declared, EnergyKind, Expr, ExprKind, Item, ItemKind, LoadKind,
    Logic, Name, NameIndex, NeedKind, Ref, Relation, Segment, SourceFile, SpringClause,
    SpringPlace, UnitExpr,
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

/// The word for what a part needs.
pub fn need(kind: NeedKind) -> &'static str {
    match kind {
        NeedKind::Point => "point",
        NeedKind::Frame => "frame",
        NeedKind::Scalar => "scalar",
        NeedKind::Vector => "vector",
    }
}

/// The sign of a relation.
pub fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
        Relation::NotEqual => "!=",
        Relation::Equal => "==",
    }
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
    let defined = |keyword: &str, declared: &Name, value: &Expr| {
        format!("{keyword} {} = {}", name(declared), expression(value))
    };
    match kind {
        ItemKind::Model(name) => format!("model {}", name.text),
        ItemKind::Part(name) => format!("part {}", name.text),
        ItemKind::Const(names) => declared("const", names, &None),
        ItemKind::For {
            variable, from, to, ..
        } => {
            let (from, to) = (expression(from), expression(to));
            format!("for {} in {from}..{to} {{", variable.text)
        }
        ItemKind::Use {
            path,
            name: used,
            args,
        } => {
            let given = |arg: &Argument| format!("{} = {}", arg.name.text, expression(&arg.value));
            let args: Vec<_> = args.iter().map(given).collect();
            let args = match args[..] {
                [] => String::new(),
                _ => format!("({})", args.join(", ")),
            };
            format!("use \"{}\" as {}{args}", path.text, name(used))
        }
        ItemKind::Needs { kind, names } => {
            let names: Vec<_> = names.iter().map(name).collect();
            format!("needs {} {}", need(*kind), names.join(", "))
        }
        ItemKind::Param {
            names,
            unit,
            assume,
        } => declared("param", names, unit) + assumption(assume).as_str(),
        ItemKind::Coord {
            names,
            unit,
            assume,
        } => declared("coord", names, unit) + assumption(assume).as_str(),
        ItemKind::Input { names, unit } => declared("input", names, unit),
        ItemKind::Function { signatures, unit } => {
            let signatures = signatures.iter().map(|s| {
                let args: Vec<_> = s.args.iter().map(reference).collect();
                format!("{}({})", self::name(&s.name), args.join(", "))
            });
            let signatures: Vec<_> = signatures.collect();
            format!("function {}{}", signatures.join(", "), colon_unit(unit))
        }
        ItemKind::Let { name, value } => defined("let", name, value),
        ItemKind::Frame { name, value } => defined("frame", name, value),
        ItemKind::Point { name, value } => defined("point", name, value),
        ItemKind::Energy { kind, name, value } => {
            let keyword = match kind {
                EnergyKind::Kinetic => "kinetic",
                EnergyKind::Potential => "potential",
                EnergyKind::Dissipation => "dissipation",
            };
            defined(keyword, name, value)
        }
        ItemKind::Spring {
            damper,
            name,
            place,
            clauses,
        } => spring(*damper, name, place, clauses),
        ItemKind::Speed { name, value } => defined("speed", name, value),
        ItemKind::Output { name, value } => defined("output", name, value),
        ItemKind::Particle { name, mass, at } => {
            format!(
                "particle {}: mass {} at {}",
                self::name(name),
                expression(mass),
                reference(at)
            )
        }
        ItemKind::Body { name, clauses } => {
            let clauses: Vec<_> = clauses.iter().map(body_clause).collect();
            format!("body {}: {}", self::name(name), clauses.join(", "))
        }
        ItemKind::Group { name, members } => {
            let members: Vec<_> = members.iter().map(reference).collect();
            format!("group {}: {}", self::name(name), members.join(", "))
        }
        ItemKind::Gravity(value) => format!("gravity: {}", expression(value)),
        ItemKind::Load {
            kind,
            nonideal,
            on,
            opposite,
            value,
        } => {
            let opposite = opposite.as_ref();
            let opposite =
                opposite.map_or(String::new(), |q| format!(", opposite on {}", reference(q)));
            let head = match (kind, nonideal) {
                (LoadKind::Force, false) => "force on",
                (LoadKind::Force, true) => "nonideal on",
                (LoadKind::Torque, false) => "torque on",
                (LoadKind::Torque, true) => "nonideal torque on",
                (LoadKind::Generalized, false) => "generalized",
                (LoadKind::Generalized, true) => "nonideal generalized",
            };
            format!("{head} {}{opposite}: {}", reference(on), expression(value))
        }
        ItemKind::Constraint {
            name,
            lhs,
            rhs,
            frame,
        } => {
            let frame = frame
                .as_ref()
                .map_or(String::new(), |f| format!(" in {}", reference(f)));
            let (lhs, rhs) = (expression(lhs), expression(rhs));
            format!("constraint {}: {lhs} = {rhs}{frame}", self::name(name))
        }
        ItemKind::Reaction {
            name,
            at,
            direction,
        } => format!(
            "reaction {} at {}: {}",
            self::name(name),
            reference(at),
            expression(direction)
        ),
        ItemKind::ReactionPair {
            kind,
            name,
            on,
            along,
            opposite,
        } => {
            let opposite = opposite.as_ref();
            let opposite =
                opposite.map_or(String::new(), |q| format!(", opposite on {}", reference(q)));
            let kind = match kind {
                LoadKind::Torque => "torque",
                LoadKind::Force | LoadKind::Generalized => "force",
            };
            format!(
                "reaction {}: {kind} on {} along {}{opposite}",
                self::name(name),
                reference(on),
                expression(along)
            )
        }
        ItemKind::Privileged(speeds) => format!("privileged {}", comma_separated(speeds)),
        ItemKind::Assume { lhs, relation, rhs } => {
            let sign = self::relation(*relation);
            format!("assume {} {sign} {}", expression(lhs), expression(rhs))
        }
    }
}

fn spring(damper: bool, name: &Name, place: &SpringPlace, clauses: &[SpringClause]) -> String {
    let keyword = if damper { "damper" } else { "spring" };
    let place = match place {
        SpringPlace::Between(from, to) => format!("from {} to {}", reference(from), reference(to)),
        SpringPlace::On(expr) => format!("on {}", expression(expr)),
    };
    let mut out = format!("{keyword} {}: {place}", self::name(name));
    for clause in clauses {
        let (word, value) = (clause.word.text(), expression(&clause.value));
        out.push_str(&format!(", {word} {value}"));
    }
    out
}

fn declared(keyword: &str, names: &[Declared], unit: &Option<UnitExpr>) -> String {
    let names: Vec<_> = names
        .iter()
        .map(|declared| match &declared.value {
            Some(value) => format!("{} = {}", name(&declared.name), expression(value)),
            None => name(&declared.name),
        })
        .collect();
    format!("{keyword} {}{}", names.join(", "), colon_unit(unit))
}

fn colon_unit(unit: &Option<UnitExpr>) -> String {
    unit.as_ref()
        .map_or(String::new(), |unit| format!(" : {}", self::unit(unit)))
}

fn assumption(assume: &Option<(Relation, Expr)>) -> String {
    assume.as_ref().map_or(String::new(), |(sign, side)| {
        format!(" {} {}", relation(*sign), expression(side))
    })
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
            let word = |word: &str, name: &Option<Ref>| {
                name.as_ref()
                    .map_or(String::new(), |name| format!(" {word} {}", reference(name)))
            };
            let entries = comma_separated(entries);
            format!(
                "inertia [{entries}]{}{}",
                word("about", about),
                word("in", frame)
            )
        }
    }
}

fn comma_separated(items: &[Expr]) -> String {
    let items: Vec<_> = items.iter().map(expression).collect();
    items.join(", ")
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

fn write(out: &mut String, expr: &Expr, place: Level) {
    if level(expr) < place {
        out.push('(');
        write(out, expr, Level::Whole);
        out.push(')');
        return;
    }
    match &expr.kind {
        ExprKind::Number { text, unit } => {
            out.push_str(text);
            if let Some(unit) = unit {
                out.push_str(&format!(" [{}]", self::unit(unit)));
            }
        }
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Field(base, field) => {
            match base.kind {
                ExprKind::Number { .. } => out.push_str(&format!("({})", expression(base))),
                _ => write(out, base, Level::Postfix),
            }
            out.push('.');
            out.push_str(&field.text);
        }
        ExprKind::Prime(base) => {
            write(out, base, Level::Postfix);
            out.push('\'');
        }
        ExprKind::Call(name, args) => {
            out.push_str(&format!("{}({})", reference(name), comma_separated(args)));
        }
        ExprKind::Index(base, index) => {
            match base.kind {
                ExprKind::Number { .. } => out.push_str(&format!("({})", expression(base))),
                _ => write(out, base, Level::Postfix),
            }
            out.push_str(&format!("[{}]", expression(index)));
        }
        ExprKind::Sum(sum) => {
            let (from, to) = (expression(&sum.from), expression(&sum.to));
            let (variable, body) = (&sum.variable.text, expression(&sum.body));
            out.push_str(&format!("sum({variable} in {from}..{to}, {body})"));
        }
        ExprKind::List(items) => out.push_str(&format!("[{}]", comma_separated(items))),
        ExprKind::Neg(operand) => {
            out.push('-');
            write(out, operand, Level::Signed);
        }
        ExprKind::Paren(inner) => {
            out.push('(');
            write(out, inner, Level::Whole);
            out.push(')');
        }
        ExprKind::Binary(op, left, right) => {
            let (sign, left_place, right_place) = match op {
                BinaryOp::Add => (" + ", Level::Sum, Level::Product),
                BinaryOp::Sub => (" - ", Level::Sum, Level::Product),
                BinaryOp::Mul => ("*", Level::Product, Level::Signed),
                BinaryOp::Div => ("/", Level::Product, Level::Signed),
                BinaryOp::Pow => ("^", Level::Postfix, Level::Signed),
            };
            write(out, left, left_place);
            out.push_str(sign);
            write(out, right, right_place);
        }
        ExprKind::If {
            condition,
            then,
            other,
        } => {
            out.push_str("if ");
            write(out, condition, Level::Or);
            out.push_str(" then ");
            write(out, then, Level::Whole);
            out.push_str(" else ");
            write(out, other, Level::Whole);
        }
        ExprKind::Compare(sign, left, right) => {
            write(out, left, Level::Sum);
            out.push_str(&format!(" {} ", relation(*sign)));
            write(out, right, Level::Sum);
        }
        ExprKind::Logic(logic, left, right) => {
            let (word, left_place, right_place) = match logic {
                Logic::Or => (" or ", Level::Or, Level::And),
                Logic::And => (" and ", Level::And, Level::Not),
            };
            write(out, left, left_place);
            out.push_str(word);
            write(out, right, right_place);
        }
        ExprKind::Not(operand) => {
            out.push_str("not ");
            write(out, operand, Level::Not);
        }
        ExprKind::Error => out.push_str("<error>"),
    }
}
