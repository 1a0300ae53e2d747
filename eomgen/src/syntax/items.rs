//! What follows each statement's keyword.

use super::ast::{
    Argument, BodyClause, Constraint, Declared, Defined, Definition, Expr, InitialValue, ItemKind,
    Load, LoadKind, Name, NeedKind, Quantities, QuantityKind, Reaction, ReactionPair, Relation,
    Side, Signature, UnitExpr,
};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::token::{Kind, Role};
use crate::diag::{Diagnostic, codes::syntax as codes};

type Item = Parse<ItemKind>;

pub(super) fn model(c: &mut Cursor) -> Item {
    Ok(ItemKind::Model(c.name("the model's name")?))
}

pub(super) fn part(c: &mut Cursor) -> Item {
    Ok(ItemKind::Part(c.name("the part's name")?))
}

pub(super) fn needs(c: &mut Cursor) -> Item {
    let Some(kind) = NeedKind::ALL
        .into_iter()
        .find(|kind| c.eat_word(kind.text()))
    else {
        return Err(c.unexpected("`point`, `frame`, `scalar` or `vector`"));
    };
    let names = declared(c, false)?;
    Ok(ItemKind::Needs { kind, names })
}

/// One or more, with commas between them.
fn list<T>(c: &mut Cursor, mut read: impl FnMut(&mut Cursor) -> Parse<T>) -> Parse<Vec<T>> {
    let mut all = vec![read(c)?];
    while c.eat(Kind::Comma) {
        all.push(read(c)?);
    }
    Ok(all)
}

pub(super) fn const_(c: &mut Cursor) -> Item {
    let names = declared(c, false)?;
    if c.peek() == Some(Kind::Colon) {
        let help = "a `const` is an integer, used as a count; for a physical constant use `param`";
        return Err(c
            .unexpected("`,` or the end of the statement")
            .map_help(help));
    }
    Ok(ItemKind::Const(names))
}

/// The head of a block; the parser puts its statements in.
pub(super) fn for_(c: &mut Cursor) -> Item {
    let variable = c.name("a counter")?;
    c.expect_word("in")?;
    let from = c.expr()?;
    if c.peek() == Some(Kind::OpenBrace) {
        let title = "expected `..` and the last value, found `{`";
        let error = Diagnostic::error(codes::E0004, title, c.here(), "expected `..` before this");
        return Err(Box::new(
            error.help("write both ends of the range, as in `1..n`"),
        ));
    }
    c.expect(Kind::Range, "an operator or `..` and the last value")?;
    let to = c.expr()?;
    if !c.eat(Kind::OpenBrace) {
        let help = "the statements of the loop go between `{` and `}`";
        return Err(c.unexpected("an operator or `{`").map_help(help));
    }
    Ok(ItemKind::For {
        variable,
        from,
        to,
        body: Vec::new(),
    })
}

pub(super) fn use_(c: &mut Cursor) -> Item {
    let path = c.text("the path of a file in quotation marks")?;
    c.expect_word("as")?;
    let name = c.declared_name("a name for the part")?;
    let mut args = Vec::new();
    let open = c.here();
    if c.peek() == Some(Kind::OpenParen) {
        c.bump_as(Role::Call);
        while c.peek() != Some(Kind::CloseParen) {
            let name = c.name("a name that the part declares")?;
            c.expect(Kind::Equal, "`=`")?;
            let value = c.expr()?;
            args.push(Argument { name, value });
            if !c.eat(Kind::Comma) {
                break;
            }
        }
        c.close(Kind::CloseParen, open, "`,`, an operator or `)`")?;
    }
    Ok(ItemKind::Use { path, name, args })
}

pub(super) fn param(c: &mut Cursor) -> Item {
    quantities(c, QuantityKind::Param)
}

pub(super) fn coord(c: &mut Cursor) -> Item {
    quantities(c, QuantityKind::Coord)
}

pub(super) fn input(c: &mut Cursor) -> Item {
    quantities(c, QuantityKind::Input)
}

pub(super) fn state(c: &mut Cursor) -> Item {
    quantities(c, QuantityKind::State)
}

fn quantities(c: &mut Cursor, kind: QuantityKind) -> Item {
    let names = declared(c, true)?;
    let unit = unit_after_colon(c)?;
    let assume = match kind {
        QuantityKind::Input => None,
        QuantityKind::Param | QuantityKind::Coord | QuantityKind::State => sign_assumption(c)?,
    };
    Ok(ItemKind::Quantities(Quantities {
        kind,
        names,
        unit,
        assume,
    }))
}

pub(super) fn function(c: &mut Cursor) -> Item {
    let signatures = list(c, signature)?;
    let unit = unit_after_colon(c)?;
    Ok(ItemKind::Function { signatures, unit })
}

/// `h(x, y, t)`
fn signature(c: &mut Cursor) -> Parse<Signature> {
    let name = c.declared_name("the function's name")?;
    let open = c.here();
    if c.peek() != Some(Kind::OpenParen) {
        return Err(c.unexpected("`(` and the function's arguments"));
    }
    c.bump_as(Role::Call);
    let args = if c.peek() == Some(Kind::CloseParen) {
        Vec::new()
    } else {
        list(c, |c| c.reference("the name of an argument"))?
    };
    c.close(Kind::CloseParen, open, "`,` or `)`")?;
    Ok(Signature { name, args })
}

pub(super) fn let_(c: &mut Cursor) -> Item {
    define(c, Defined::Let, "a name")
}

pub(super) fn frame(c: &mut Cursor) -> Item {
    define(c, Defined::Frame, "the frame's name")
}

pub(super) fn point(c: &mut Cursor) -> Item {
    define(c, Defined::Point, "the point's name")
}

pub(super) fn speed(c: &mut Cursor) -> Item {
    let name = c.declared_name("the speed's name")?;
    if !c.eat(Kind::Comma) {
        let value = definition(c)?;
        let what = Defined::Speed;
        return Ok(ItemKind::Define(Definition { what, name, value }));
    }
    let mut names = vec![name];
    names.extend(list(c, |c| c.declared_name("the speed's name"))?);
    let here = c.here();
    let value = definition(c)?;
    let help = "three speeds are the components of a vector in a frame: `speed u1, u2, u3 = angvel(B) in B`";
    if names.len() != 3 {
        let title = format!(
            "{} speeds cannot be the components of a vector",
            names.len()
        );
        let error = Diagnostic::error(codes::E0004, title, here, "a vector has three components");
        return Err(Box::new(error.help(help)));
    }
    if !c.eat_word("in") {
        return Err(c.unexpected("`in` and a frame").map_help(help));
    }
    let frame = c.reference("the name of a frame")?;
    Ok(ItemKind::Speeds {
        names,
        value,
        frame,
    })
}

/// `q = f(t)`
pub(super) fn motion(c: &mut Cursor) -> Item {
    let coord = c.reference("the name of a coordinate")?;
    let value = definition(c)?;
    Ok(ItemKind::Motion { coord, value })
}

/// `i' = (v - R*i)/L`, as books write what `rate i = ...` says.
pub(super) fn primed(c: &mut Cursor) -> Item {
    let state = c.reference("the name of a state")?;
    c.bump();
    let value = definition(c)?;
    Ok(ItemKind::Rate { state, value })
}

/// `i = (v - R*i)/L`
pub(super) fn rate(c: &mut Cursor) -> Item {
    let state = c.reference("the name of a state")?;
    let value = definition(c)?;
    Ok(ItemKind::Rate { state, value })
}

pub(super) fn output(c: &mut Cursor) -> Item {
    define(c, Defined::Output, "the output's name")
}

pub(super) fn kinetic(c: &mut Cursor) -> Item {
    define(c, Defined::Kinetic, "a name for the energy")
}

pub(super) fn potential(c: &mut Cursor) -> Item {
    define(c, Defined::Potential, "a name for the energy")
}

pub(super) fn dissipation(c: &mut Cursor) -> Item {
    define(c, Defined::Dissipation, "a name for the energy")
}

/// `NAME = VALUE`
fn define(c: &mut Cursor, what: Defined, expected: &str) -> Item {
    let name = c.declared_name(expected)?;
    let value = definition(c)?;
    Ok(ItemKind::Define(Definition { what, name, value }))
}

pub(super) fn particle(c: &mut Cursor) -> Item {
    let name = c.declared_name("the particle's name")?;
    c.expect(Kind::Colon, "`:`")?;
    c.expect_word("mass")?;
    let mass = c.expr()?;
    c.expect_word("at")?;
    let at = c.place("a point")?;
    Ok(ItemKind::Particle { name, mass, at })
}

pub(super) fn reaction(c: &mut Cursor) -> Item {
    let name = c.declared_name("the reaction's name")?;
    if c.eat(Kind::Colon) {
        return reaction_pair(c, name);
    }
    if !c.eat_word("at") {
        let help = "write `reaction T at P: B.x` for the force that holds a point in its defined position, `reaction p: force on P along B.x, opposite on Q` for a pair of forces";
        return Err(c.unexpected("`at` or `:`").map_help(help));
    }
    let at = c.reference("the name of a point or frame")?;
    c.expect(Kind::Colon, "`:`")?;
    let direction = c.expr()?;
    Ok(ItemKind::Reaction(Reaction {
        name,
        at,
        direction,
    }))
}

/// `force on P along B.x, opposite on Q`
fn reaction_pair(c: &mut Cursor, name: Name) -> Item {
    let (kind, what) = if c.eat_word("force") {
        (LoadKind::Force, "a point")
    } else if c.eat_word("torque") {
        (LoadKind::Torque, "a body or frame")
    } else {
        return Err(c.unexpected("`force` or `torque`"));
    };
    c.expect_word("on")?;
    let on = side(c, what)?;
    c.expect_word("along")?;
    let along = c.expr()?;
    Ok(ItemKind::ReactionPair(ReactionPair {
        kind,
        name,
        on,
        along,
        opposite: opposite(c, what)?,
    }))
}

/// `, opposite on Q`
fn opposite(c: &mut Cursor, what: &str) -> Parse<Option<Side>> {
    if !c.eat(Kind::Comma) {
        return Ok(None);
    }
    c.expect_word("opposite")?;
    c.expect_word("on")?;
    side(c, what).map(Some)
}

/// `P` or `W at P`
fn side(c: &mut Cursor, what: &str) -> Parse<Side> {
    let on = c.place(what)?;
    let at = c.eat_word("at").then(|| c.place("a point"));
    let at = at.transpose()?;
    Ok(Side { on, at })
}

pub(super) fn body(c: &mut Cursor) -> Item {
    let name = c.declared_name("the body's name")?;
    c.expect(Kind::Colon, "`:`")?;
    let clauses = list(c, body_clause)?;
    Ok(ItemKind::Body { name, clauses })
}

fn body_clause(c: &mut Cursor) -> Parse<BodyClause> {
    let start = c.here();
    if c.eat_word("frame") {
        return Ok(BodyClause::Frame(c.place("a frame")?));
    }
    if c.eat_word("mass") {
        return Ok(BodyClause::Mass(c.expr()?));
    }
    if c.eat_word("center") || c.eat_word("centre") {
        return Ok(BodyClause::Center(c.place("a point")?));
    }
    if !c.eat_word("inertia") {
        return Err(c.unexpected("`frame`, `mass`, `center` or `inertia`"));
    }
    let planar = is_expression(c);
    let entries = if planar {
        vec![c.expr()?]
    } else {
        inertia_entries(c)?
    };
    if planar && c.peek() == Some(Kind::Comma) && matches!(c.peek_second(), Some(Kind::Number)) {
        let help = "write several entries in brackets: `inertia [Ixx, Iyy, Izz]`";
        return Err(c.unexpected("the next clause").map_help(help));
    }
    let mut about = None;
    let mut frame = None;
    loop {
        if about.is_none() && c.eat_word("about") {
            about = Some(c.place("a point")?);
        } else if frame.is_none() && c.eat_word("in") {
            frame = Some(c.place("a frame")?);
        } else {
            break;
        }
    }
    Ok(BodyClause::Inertia {
        planar,
        entries,
        about,
        frame,
        span: start.to(c.last()),
    })
}

/// Whether an expression comes next that is no list.
fn is_expression(c: &Cursor) -> bool {
    matches!(
        c.peek(),
        Some(Kind::Name | Kind::Number | Kind::OpenParen | Kind::Minus)
    )
}

fn inertia_entries(c: &mut Cursor) -> Parse<Vec<Expr>> {
    let open = c.here();
    if !c.eat(Kind::OpenBracket) {
        let help = "write three or six entries: `inertia [Ixx, Iyy, Izz, Ixy, Iyz, Izx]`";
        return Err(c.unexpected("`[` and the inertia's entries").map_help(help));
    }
    let entries = list(c, |c| c.expr())?;
    c.close(Kind::CloseBracket, open, "`,` or `]`")?;
    Ok(entries)
}

pub(super) fn group(c: &mut Cursor) -> Item {
    let name = c.declared_name("the group's name")?;
    c.expect(Kind::Colon, "`:`")?;
    let members = list(c, |c| c.reference("the name of a particle, body or group"))?;
    Ok(ItemKind::Group { name, members })
}

pub(super) fn gravity(c: &mut Cursor) -> Item {
    c.expect(Kind::Colon, "`:`")?;
    Ok(ItemKind::Gravity(c.expr()?))
}

pub(super) fn force(c: &mut Cursor) -> Item {
    load_between(c, LoadKind::Force, false)
}

pub(super) fn torque(c: &mut Cursor) -> Item {
    load_between(c, LoadKind::Torque, false)
}

pub(super) fn generalized(c: &mut Cursor) -> Item {
    generalized_load(c, false)
}

pub(super) fn nonideal(c: &mut Cursor) -> Item {
    if c.eat_word("generalized") {
        return generalized_load(c, true);
    }
    if c.eat_word("torque") {
        return load_between(c, LoadKind::Torque, true);
    }
    c.eat_word("force");
    load_between(c, LoadKind::Force, true)
}

/// `on P: v` or `on P, opposite on Q: v`
fn load_between(c: &mut Cursor, kind: LoadKind, nonideal: bool) -> Item {
    let what = match kind {
        LoadKind::Torque => "a body or frame",
        _ => "a point",
    };
    c.expect_word("on")?;
    let on = side(c, what)?;
    let opposite = opposite(c, what)?;
    let colon = match (&opposite, &on.at) {
        (Some(_), _) => "`:`",
        (None, None) if kind == LoadKind::Force => "`:`, `at ...` or `, opposite on ...`",
        (None, _) => "`:` or `, opposite on ...`",
    };
    c.expect(Kind::Colon, colon)?;
    Ok(ItemKind::Load(Load {
        kind,
        nonideal,
        on,
        opposite,
        value: c.expr()?,
    }))
}

fn generalized_load(c: &mut Cursor, nonideal: bool) -> Item {
    let on = c.reference("the name of a coordinate or speed")?;
    let on = Side { on, at: None };
    c.expect(Kind::Colon, "`:`")?;
    Ok(ItemKind::Load(Load {
        kind: LoadKind::Generalized,
        nonideal,
        on,
        opposite: None,
        value: c.expr()?,
    }))
}

pub(super) fn constraint(c: &mut Cursor) -> Item {
    let help = "a constraint needs a name: `constraint NAME: lhs = rhs`";
    let name = c
        .declared_name("the constraint's name")
        .map_err(|e| match e.help {
            None => e.map_help(help),
            Some(_) => e,
        })?;
    c.expect(Kind::Colon, "`:`").map_err(|e| e.map_help(help))?;
    let lhs = c.expr()?;
    if c.peek() == Some(Kind::Same) {
        return Err(wrong_sign(c, "a constraint has a single `=`", "write `=`"));
    }
    let stands = matches!(c.peek(), Some(Kind::Name | Kind::Number | Kind::OpenParen));
    let product = stands && c.follows_operand();
    c.expect(Kind::Equal, "`=` or an operator")
        .map_err(|error| match product {
            true => c.side_by_side(error),
            false => error,
        })?;
    let rhs = c.expr()?;
    let inside = c.eat_word("in");
    let frame = inside.then(|| c.place("a frame"));
    let frame = frame.transpose()?;
    Ok(ItemKind::Constraint(Constraint {
        name,
        lhs,
        rhs,
        frame,
        implied: false,
    }))
}

pub(super) fn privileged(c: &mut Cursor) -> Item {
    Ok(ItemKind::Privileged(list(c, |c| c.expr())?))
}

pub(super) fn assume(c: &mut Cursor) -> Item {
    let lhs = c.expr()?;
    if c.peek() == Some(Kind::Equal) {
        return Err(wrong_sign(c, "an assumption has `==`", "write `==`"));
    }
    let Some(relation) = relation(c) else {
        return Err(c.unexpected("`>`, `>=`, `<`, `<=`, `!=`, `==` or an operator"));
    };
    let rhs = c.expr()?;
    Ok(ItemKind::Assume { lhs, relation, rhs })
}

/// `q = 0.3, q' = 2 [rad/s]`
pub(super) fn initial(c: &mut Cursor) -> Item {
    let values = list(c, |c| {
        let of = c.expr()?;
        if !c.eat(Kind::Equal) {
            return Err(c.unexpected("`=` and a number"));
        }
        let value = c.expr()?;
        Ok(InitialValue { of, value })
    })?;
    Ok(ItemKind::Initial(values))
}

/// `m1 = 1.3, m2`
/// Names with values; those of quantities may say how they are written.
fn declared(c: &mut Cursor, quantities: bool) -> Parse<Vec<Declared>> {
    list(c, |c| {
        if c.peek() == Some(Kind::Number) && c.previous() == Some(Kind::Comma) {
            let help = "write decimals with a point, as in `1.5`";
            return Err(c.unexpected("a name").map_help(help));
        }
        let name = c.declared_name("a name")?;
        let shown = match quantities && c.eat_word("as") {
            true => Some(c.shown()?),
            false => None,
        };
        let value = c.eat(Kind::Equal).then(|| c.expr()).transpose()?;
        Ok(Declared { name, shown, value })
    })
}

fn unit_after_colon(c: &mut Cursor) -> Parse<Option<UnitExpr>> {
    match c.peek() {
        Some(Kind::Colon) => {
            c.bump_as(Role::UnitColon);
            Ok(Some(c.unit()?))
        }
        Some(Kind::OpenBracket) => {
            let help = "the unit of a name follows a colon, as in `m : kg`";
            Err(c
                .unexpected("`:` and a unit, or the end of the statement")
                .map_help(help))
        }
        Some(Kind::Name | Kind::Number | Kind::OpenParen) => {
            let help =
                "names are separated by commas and followed by their unit, as in `a, b : kg`";
            Err(c
                .unexpected("`,` or `:` or the end of the statement")
                .map_help(help))
        }
        _ => Ok(None),
    }
}

/// `> 0`
fn sign_assumption(c: &mut Cursor) -> Parse<Option<(Relation, Expr)>> {
    if matches!(c.peek(), Some(Kind::Same | Kind::Equal)) {
        return Err(c
            .unexpected("`>`, `>=`, `<`, `<=` or `!=`")
            .map_help("the value follows the name directly, as in `param m = 1.3 : kg`"));
    }
    match relation(c) {
        Some(relation) => Ok(Some((relation, c.expr()?))),
        None => Ok(None),
    }
}

fn relation(c: &mut Cursor) -> Option<Relation> {
    let relation = match c.peek()? {
        Kind::Less => Relation::Less,
        Kind::LessEqual => Relation::LessEqual,
        Kind::Greater => Relation::Greater,
        Kind::GreaterEqual => Relation::GreaterEqual,
        Kind::Differs => Relation::NotEqual,
        Kind::Same => Relation::Equal,
        _ => return None,
    };
    c.bump();
    Some(relation)
}

/// `= expr`
fn definition(c: &mut Cursor) -> Parse<Expr> {
    if c.peek() == Some(Kind::Same) {
        return Err(wrong_sign(c, "a definition has a single `=`", "write `=`"));
    }
    c.expect(Kind::Equal, "`=`")?;
    c.expr()
}

fn wrong_sign(c: &Cursor, title: &str, label: &str) -> Box<Diagnostic> {
    let right = label.trim_start_matches("write ").trim_matches('`');
    let error = Diagnostic::error(codes::E0013, title, c.here(), label);
    Box::new(error.write(right))
}
