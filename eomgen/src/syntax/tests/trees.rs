//! Trees for comparison: spans and brackets removed, and a strategy for random ones.

use crate::span::Span;
use crate::syntax::ast::*;
use crate::syntax::limits::RESERVED;
use crate::syntax::visit;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// The same tree with all spans zero.
pub(super) fn without_spans(file: &SourceFile) -> SourceFile {
    let mut file = file.clone();
    for item in &mut file.items {
        visit::spans(item, &mut |span| *span = zero());
    }
    file
}

/// The same expression with all spans zero.
pub(super) fn bare(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    visit::spans_of(&mut expr, &mut |span| *span = zero());
    expr
}

/// The same expression with all spans zero and without brackets.
pub(super) fn skeleton(expr: &Expr) -> Expr {
    let mut expr = bare(expr);
    open(&mut expr);
    expr
}

fn open(expr: &mut Expr) {
    while let ExprKind::Paren(inner) = &mut expr.kind {
        *expr = (**inner).clone();
    }
    visit::children_mut(expr).into_iter().for_each(open);
}

fn zero() -> Span {
    Span::default()
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z_αβθψé][a-zA-Z0-9_θ]{0,5}",
        proptest::sample::select(vec![
            "mass",
            "at",
            "in",
            "on",
            "opposite",
            "along",
            "frame",
            "model",
            "param",
            "about",
            "center",
            "inertia",
            "e3",
            "x",
            "from",
            "to",
            "stiffness",
            "kinetic",
            "spring",
        ])
        .prop_map(str::to_owned),
    ]
    .prop_filter("reserved", |word| !RESERVED.contains(&word.as_str()))
}

fn ident() -> impl Strategy<Value = Ident> {
    word().prop_map(|text| Ident { text, span: zero() })
}

fn index() -> impl Strategy<Value = Expr> {
    let word = || word().prop_map(|name| made(ExprKind::Name(name)));
    let number = || "[0-9]{1,2}".prop_map(|text| made(ExprKind::Number { text, unit: None }));
    prop_oneof![
        word(),
        number(),
        (word(), number()).prop_map(|(a, b)| made(ExprKind::Binary(
            BinaryOp::Sub,
            Box::new(a),
            Box::new(b)
        ))),
    ]
}

fn name() -> impl Strategy<Value = Name> {
    let one = prop_oneof![
        index().prop_map(NameIndex::At),
        (index(), index()).prop_map(|(a, b)| NameIndex::Range(a, b)),
    ];
    let indices = prop_oneof![4 => Just(Vec::new()), 1 => vec(one, 1..3)];
    (ident(), indices).prop_map(|(ident, indices)| Name { ident, indices })
}

fn side() -> impl Strategy<Value = Side> {
    (reference(), option::of(reference())).prop_map(|(on, at)| Side { on, at })
}

fn reference() -> impl Strategy<Value = Ref> {
    let one = prop_oneof![
        3 => index().prop_map(|index| Segment::Index(index, zero())),
        1 => (index(), index()).prop_map(|(a, b)| Segment::Range(a, b, zero())),
        3 => ident().prop_map(Segment::Field),
    ];
    let path = prop_oneof![4 => Just(Vec::new()), 1 => vec(one, 1..4)];
    (ident(), path).prop_map(|(ident, path)| Ref {
        ident,
        path,
        made: None,
    })
}

/// A reference that can be called.
fn function() -> impl Strategy<Value = Ref> {
    let other = |segment: &Segment| match segment {
        Segment::Field(field) => matches!(field.text.as_str(), "x" | "y" | "z"),
        Segment::Range(..) => true,
        Segment::Index(..) => false,
    };
    reference().prop_filter("a component or a range", move |r| !r.path.iter().any(other))
}

fn unit() -> impl Strategy<Value = UnitExpr> {
    let exponent = prop_oneof![
        4 => (-4i32..=4).prop_map(|n| (n, 1u32)),
        1 => proptest::sample::select(vec![(1, 2), (-3, 2), (2, 3)]),
    ];
    vec((ident(), exponent), 0..4).prop_map(|factors| UnitExpr {
        factors: factors
            .into_iter()
            .map(|(name, (n, d))| (name, n, d))
            .collect(),
        span: zero(),
    })
}

fn made(kind: ExprKind) -> Expr {
    Expr { kind, span: zero() }
}

/// The expression that a reference with one more index is.
fn path(base: Ref, index: Expr) -> Expr {
    let first = made(ExprKind::Name(base.ident.text));
    let whole = base.path.into_iter().fold(first, |inner, segment| {
        made(match segment {
            Segment::Index(index, _) => ExprKind::Index(Box::new(inner), Box::new(index)),
            Segment::Range(..) => return inner,
            Segment::Field(field) if matches!(field.text.as_str(), "x" | "y" | "z") => {
                return inner;
            }
            Segment::Field(field) => ExprKind::Field(Box::new(inner), field),
        })
    });
    made(ExprKind::Index(Box::new(whole), Box::new(index)))
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        (
            "([0-9]{1,4}|[0-9]{0,2}\\.[0-9]{1,3})(e-?[0-9]{1,2})?",
            option::weighted(0.2, unit())
        )
            .prop_map(|(text, unit)| made(ExprKind::Number { text, unit })),
        word().prop_map(|name| made(ExprKind::Name(name))),
    ]
}

/// Random expressions without brackets: what is grouped how is in the tree alone.
pub(super) fn tree() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(7, 40, 4, |inner| {
        let op = proptest::sample::select(vec![
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Div,
            BinaryOp::Pow,
        ]);
        prop_oneof![
            6 => (op, inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| made(ExprKind::Binary(op, Box::new(a), Box::new(b)))),
            2 => inner.clone().prop_map(|a| made(ExprKind::Neg(Box::new(a)))),
            2 => inner.clone().prop_map(|a| made(ExprKind::Prime(Box::new(a)))),
            2 => (inner.clone(), ident()).prop_map(|(a, f)| made(ExprKind::Field(Box::new(a), f))),
            2 => (function(), vec(inner.clone(), 0..4)).prop_map(|(f, a)| made(ExprKind::Call(f, a))),
            2 => (condition(inner.clone()), inner.clone(), inner.clone()).prop_map(|(c, a, b)| {
                made(ExprKind::If {
                    condition: Box::new(c),
                    then: Box::new(a),
                    other: Box::new(b),
                })
            }),
            1 => (reference(), index()).prop_map(|(base, index)| path(base, index)),
            1 => (ident(), inner.clone(), inner.clone(), inner.clone()).prop_map(|(variable, from, to, body)| {
                made(ExprKind::Sum(Box::new(Sum { variable, from, to, body })))
            }),
            1 => vec(inner, 0..4).prop_map(|a| made(ExprKind::List(a))),
        ]
    })
}

/// Random conditions on random expressions.
fn condition(inner: impl Strategy<Value = Expr> + Clone + 'static) -> impl Strategy<Value = Expr> {
    use Relation::{Greater, GreaterEqual, Less, LessEqual};
    let sign = proptest::sample::select(vec![Less, LessEqual, Greater, GreaterEqual]);
    let compare = (sign, inner.clone(), inner)
        .prop_map(|(sign, a, b)| made(ExprKind::Compare(sign, Box::new(a), Box::new(b))));
    compare.prop_recursive(3, 6, 2, |inner| {
        let logic = proptest::sample::select(vec![Logic::And, Logic::Or]);
        prop_oneof![
            (logic, inner.clone(), inner.clone()).prop_map(|(l, a, b)| made(ExprKind::Logic(
                l,
                Box::new(a),
                Box::new(b)
            ))),
            inner.prop_map(|a| made(ExprKind::Not(Box::new(a)))),
        ]
    })
}

/// Random expressions with brackets wherever the grammar needs them, and here and there where it does not.
pub(super) fn expr() -> impl Strategy<Value = Expr> {
    (tree(), any::<u64>()).prop_map(|(tree, seed)| bracketed(&tree, &mut { seed }, Place::Whole))
}

/// The places of the grammar, each with the trees that may stand in it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Between commas or brackets, and behind `then` and `else`.
    Whole,
    /// Behind `if`, and left of `or`.
    Either,
    /// Right of `or`, and left of `and`.
    Both,
    /// Right of `and`, and behind `not`.
    Single,
    /// Beside a relation, and left of `+` and `-`.
    Any,
    /// Right of `+` and `-`.
    Term,
    /// Left of `*` and `/`.
    Factors,
    /// Right of `*`, `/` and `^`, and behind a sign.
    Factor,
    /// Left of `^`, `'` and `.`.
    Atom,
    /// Left of `.`, where digits would run into the point.
    Named,
}

fn fits(expr: &Expr, place: Place) -> bool {
    use BinaryOp::*;
    let condition = matches!(
        place,
        Place::Whole | Place::Either | Place::Both | Place::Single
    );
    match &expr.kind {
        ExprKind::If { .. } => place == Place::Whole,
        ExprKind::Logic(Logic::Or, ..) => matches!(place, Place::Whole | Place::Either),
        ExprKind::Logic(Logic::And, ..) => {
            matches!(place, Place::Whole | Place::Either | Place::Both)
        }
        ExprKind::Compare(..) | ExprKind::Not(_) => condition,
        ExprKind::Binary(Add | Sub, ..) => condition || place == Place::Any,
        ExprKind::Binary(Mul | Div, ..) => {
            condition || matches!(place, Place::Any | Place::Term | Place::Factors)
        }
        ExprKind::Binary(Pow, ..) | ExprKind::Neg(_) => {
            !matches!(place, Place::Atom | Place::Named)
        }
        ExprKind::Number { .. } => place != Place::Named,
        _ => true,
    }
}

fn bracketed(expr: &Expr, seed: &mut u64, place: Place) -> Expr {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    let spare = *seed >> 60 == 0;
    if spare || !fits(expr, place) {
        return made(ExprKind::Paren(Box::new(bracketed(
            expr,
            seed,
            Place::Whole,
        ))));
    }
    let mut at = |expr: &Expr, place| Box::new(bracketed(expr, seed, place));
    made(match &expr.kind {
        ExprKind::Binary(op, a, b) => {
            let (left, right) = match op {
                BinaryOp::Add | BinaryOp::Sub => (Place::Any, Place::Term),
                BinaryOp::Mul | BinaryOp::Div => (Place::Factors, Place::Factor),
                BinaryOp::Pow => (Place::Atom, Place::Factor),
            };
            ExprKind::Binary(*op, at(a, left), at(b, right))
        }
        ExprKind::Neg(a) => ExprKind::Neg(at(a, Place::Factor)),
        ExprKind::Prime(a) => ExprKind::Prime(at(a, Place::Atom)),
        ExprKind::Field(a, f) => ExprKind::Field(at(a, Place::Named), f.clone()),
        ExprKind::Call(f, args) => ExprKind::Call(
            f.clone(),
            args.iter().map(|a| *at(a, Place::Whole)).collect(),
        ),
        ExprKind::If {
            condition,
            then,
            other,
        } => ExprKind::If {
            condition: at(condition, Place::Either),
            then: at(then, Place::Whole),
            other: at(other, Place::Whole),
        },
        ExprKind::Compare(sign, a, b) => {
            ExprKind::Compare(*sign, at(a, Place::Any), at(b, Place::Any))
        }
        ExprKind::Logic(logic, a, b) => {
            let (left, right) = match logic {
                Logic::Or => (Place::Either, Place::Both),
                Logic::And => (Place::Both, Place::Single),
            };
            ExprKind::Logic(*logic, at(a, left), at(b, right))
        }
        ExprKind::Not(a) => ExprKind::Not(at(a, Place::Single)),
        ExprKind::List(items) => {
            ExprKind::List(items.iter().map(|a| *at(a, Place::Whole)).collect())
        }
        ExprKind::Index(base, index) => ExprKind::Index(base.clone(), at(index, Place::Whole)),
        ExprKind::Sum(sum) => ExprKind::Sum(Box::new(Sum {
            variable: sum.variable.clone(),
            from: *at(&sum.from, Place::Whole),
            to: *at(&sum.to, Place::Whole),
            body: *at(&sum.body, Place::Whole),
        })),
        other => other.clone(),
    })
}

fn relation() -> impl Strategy<Value = Relation> {
    use Relation::*;
    proptest::sample::select(vec![Less, LessEqual, Greater, GreaterEqual, NotEqual])
}

fn declared() -> impl Strategy<Value = Vec<Declared>> {
    let shown = option::of(proptest::sample::select(vec!["φ_f", "m_1", "x"]));
    let one = (name(), shown, option::of(expr())).prop_map(|(name, shown, value)| {
        let shown = shown.map(|text| Ident {
            text: text.to_owned(),
            span: Span::default(),
        });
        Declared { name, shown, value }
    });
    vec(one, 1..4)
}

fn clause() -> impl Strategy<Value = BodyClause> {
    prop_oneof![
        reference().prop_map(BodyClause::Frame),
        expr().prop_map(BodyClause::Mass),
        reference().prop_map(BodyClause::Center),
        (
            vec(expr(), 1..7),
            option::of(reference()),
            option::of(reference())
        )
            .prop_map(|(entries, about, frame)| {
                BodyClause::Inertia {
                    planar: false,
                    entries,
                    about,
                    frame,
                    span: zero(),
                }
            }),
    ]
}

fn spring_place() -> impl Strategy<Value = SpringEnds> {
    prop_oneof![
        (reference(), reference()).prop_map(|(a, b)| SpringEnds::Between(a, b)),
        expr().prop_map(SpringEnds::On),
    ]
}

fn spring_clauses() -> impl Strategy<Value = Vec<SpringClause>> {
    let words = proptest::sample::subsequence(SpringWord::ALL.to_vec(), 0..=5);
    (words, vec(expr(), 5)).prop_map(|(words, values)| {
        std::iter::zip(words, values)
            .map(|(word, value)| SpringClause {
                word,
                value,
                span: zero(),
            })
            .collect()
    })
}

fn kind() -> impl Strategy<Value = ItemKind> {
    let defined = || (name(), expr());
    let loads = vec![LoadKind::Force, LoadKind::Torque, LoadKind::Generalized];
    let load = proptest::sample::select(loads);
    let energy = proptest::sample::select(vec![
        Defined::Kinetic,
        Defined::Potential,
        Defined::Dissipation,
    ]);
    let load = (load, any::<bool>(), side(), option::of(side()), expr());
    prop_oneof![
        (
            declared(),
            option::of(unit()),
            option::of((relation(), expr()))
        )
            .prop_map(|(names, unit, assume)| ItemKind::Quantities(Quantities {
                kind: QuantityKind::Param,
                names,
                unit,
                assume
            })),
        (
            declared(),
            option::of(unit()),
            option::of((relation(), expr()))
        )
            .prop_map(|(names, unit, assume)| ItemKind::Quantities(Quantities {
                kind: QuantityKind::Coord,
                names,
                unit,
                assume
            })),
        (declared(), option::of(unit())).prop_map(|(names, unit)| ItemKind::Quantities(
            Quantities {
                kind: QuantityKind::State,
                names,
                unit,
                assume: None
            }
        )),
        (declared(), option::of(unit())).prop_map(|(names, unit)| ItemKind::Quantities(
            Quantities {
                kind: QuantityKind::Input,
                names,
                unit,
                assume: None
            }
        )),
        (
            vec(
                (name(), vec(reference(), 0..4)).prop_map(|(name, args)| Signature { name, args }),
                1..4
            ),
            option::of(unit())
        )
            .prop_map(|(signatures, unit)| ItemKind::Function { signatures, unit }),
        defined().prop_map(|(name, value)| ItemKind::Define(Definition {
            what: Defined::Let,
            name,
            value
        })),
        defined().prop_map(|(name, value)| ItemKind::Define(Definition {
            what: Defined::Frame,
            name,
            value
        })),
        defined().prop_map(|(name, value)| ItemKind::Define(Definition {
            what: Defined::Point,
            name,
            value
        })),
        (vec(name(), 3), expr(), reference()).prop_map(|(names, value, frame)| {
            let value = Expr {
                kind: ExprKind::Paren(Box::new(value)),
                span: zero(),
            };
            ItemKind::Speeds {
                names,
                value,
                frame,
            }
        }),
        (reference(), expr()).prop_map(|(coord, value)| ItemKind::Motion { coord, value }),
        (
            reference(),
            option::of(reference()),
            option::of(reference()),
            vec(expr(), 0..=5)
        )
            .prop_map(|(body, ground, at, values)| ItemKind::Roll(Roll {
                body,
                ground,
                at,
                clauses: std::iter::zip(RollWord::ALL, values)
                    .map(|(word, value)| RollClause {
                        word,
                        value,
                        span: zero(),
                    })
                    .collect(),
                broken: false,
            })),
        (reference(), expr()).prop_map(|(state, value)| ItemKind::Rate { state, value }),
        defined().prop_map(|(name, value)| ItemKind::Define(Definition {
            what: Defined::Speed,
            name,
            value
        })),
        (energy, defined()).prop_map(|(kind, (name, value))| ItemKind::Define(Definition {
            what: kind,
            name,
            value
        })),
        (any::<bool>(), name(), spring_place(), spring_clauses()).prop_map(
            |(damper, name, ends, clauses)| ItemKind::Spring(Spring {
                damper,
                name,
                ends,
                clauses
            })
        ),
        defined().prop_map(|(name, value)| ItemKind::Define(Definition {
            what: Defined::Output,
            name,
            value
        })),
        (name(), expr(), reference()).prop_map(|(name, mass, at)| ItemKind::Particle {
            name,
            mass,
            at
        }),
        (name(), vec(clause(), 1..5)).prop_map(|(name, clauses)| ItemKind::Body { name, clauses }),
        expr().prop_map(ItemKind::Gravity),
        load.prop_map(
            |(kind, nonideal, on, opposite, value)| ItemKind::Load(Load {
                opposite: opposite.filter(|_| kind != LoadKind::Generalized),
                on: Side {
                    at: on.at.filter(|_| kind != LoadKind::Generalized),
                    ..on
                },
                kind,
                nonideal,
                value,
            })
        ),
        (name(), expr(), expr(), option::of(reference())).prop_map(|(name, lhs, rhs, frame)| {
            // A list before `in` would be the components of a vector.
            let rhs = match frame {
                Some(_) => Expr {
                    kind: ExprKind::Paren(Box::new(rhs)),
                    span: zero(),
                },
                None => rhs,
            };
            ItemKind::Constraint(Constraint {
                implied: false,
                name,
                lhs,
                rhs,
                frame,
            })
        }),
        (name(), reference(), expr()).prop_map(|(name, at, direction)| ItemKind::Reaction(
            Reaction {
                name,
                at,
                direction,
            }
        )),
        (any::<bool>(), name(), side(), expr(), option::of(side())).prop_map(
            |(turns, name, on, along, opposite)| ItemKind::ReactionPair(ReactionPair {
                kind: if turns {
                    LoadKind::Torque
                } else {
                    LoadKind::Force
                },
                name,
                on,
                along,
                opposite,
            })
        ),
        vec(expr(), 1..4).prop_map(ItemKind::Privileged),
        vec(
            (expr(), expr()).prop_map(|(of, value)| InitialValue { of, value }),
            1..4
        )
        .prop_map(ItemKind::Initial),
        event(),
        drawing(),
        used(),
        needs(),
        (
            expr(),
            prop_oneof![relation(), Just(Relation::Equal)],
            expr()
        )
            .prop_map(|(lhs, relation, rhs)| ItemKind::Assume { lhs, relation, rhs }),
    ]
}

fn event() -> impl Strategy<Value = ItemKind> {
    let direction = prop_oneof![Just(EventDirection::Rising), Just(EventDirection::Falling)];
    (name(), expr(), option::of(direction)).prop_map(|(name, value, direction)| {
        ItemKind::Event(Event {
            name,
            value,
            direction,
        })
    })
}

fn drawing() -> impl Strategy<Value = ItemKind> {
    let sizes = || vec(expr(), 1..4);
    let shape = prop_oneof![
        (sizes(), reference(), reference()).prop_map(|(sizes, at, frame)| DrawnShape::Box {
            sizes,
            at,
            frame
        }),
        (sizes(), reference(), expr()).prop_map(|(sizes, at, along)| DrawnShape::Cylinder {
            sizes,
            at,
            along
        }),
        (sizes(), reference()).prop_map(|(sizes, at)| DrawnShape::Sphere { sizes, at }),
        vec(reference(), 1..4).prop_map(DrawnShape::Line),
    ];
    (name(), shape, option::of(ident()))
        .prop_map(|(name, shape, color)| ItemKind::Drawing(Drawing { name, shape, color }))
}

fn used() -> impl Strategy<Value = ItemKind> {
    let arg = (ident(), expr()).prop_map(|(name, value)| Argument { name, value });
    ("[a-z./ ]{0,8}", name(), vec(arg, 0..3)).prop_map(|(text, name, args)| ItemKind::Use {
        path: Ident { text, span: zero() },
        name,
        args,
    })
}

/// Without spellings.
fn plain(names: Vec<Declared>) -> Vec<Declared> {
    let names = names.into_iter();
    let plain = names.map(|one| Declared { shown: None, ..one });
    plain.collect()
}

fn needs() -> impl Strategy<Value = ItemKind> {
    use NeedKind::*;
    let kind = proptest::sample::select(vec![Point, Frame, Scalar, Vector]);
    let unspelled = declared().prop_map(plain);
    (kind, unspelled).prop_map(|(kind, names)| ItemKind::Needs { kind, names })
}

/// Statements and blocks of them. What is about the whole file does not stand in blocks.
fn items() -> impl Strategy<Value = Vec<Item>> {
    let item = (kind(), docs()).prop_map(|(kind, docs)| Item {
        kind,
        docs,
        span: zero(),
    });
    item.prop_recursive(3, 12, 4, |inner| {
        let inner = inner.prop_filter("about the whole file", |item| {
            !matches!(item.kind, ItemKind::Needs { .. } | ItemKind::Const(_))
        });
        (ident(), index(), index(), vec(inner, 0..4), docs()).prop_map(
            |(variable, from, to, body, docs)| Item {
                kind: ItemKind::For {
                    variable,
                    from,
                    to,
                    body,
                },
                docs,
                span: zero(),
            },
        )
    })
    .prop_map(|item| vec![item])
}

fn docs() -> impl Strategy<Value = String> {
    "([a-zθ/!:' ]{0,8}[a-zθ/!:'](\n|\n\n))?[ /!]?[a-z/ ]{0,8}[a-z]|"
}

/// Random files.
pub(super) fn file() -> impl Strategy<Value = SourceFile> {
    let constants = declared().prop_map(|names| Item {
        kind: ItemKind::Const(plain(names)),
        docs: String::new(),
        span: zero(),
    });
    let lists = prop_oneof![5 => items(), 1 => constants.prop_map(|item| vec![item])];
    let parts = (ident(), any::<bool>()).prop_map(|(name, part)| {
        if part {
            ItemKind::Part(name)
        } else {
            ItemKind::Model(name)
        }
    });
    (parts, docs(), vec(lists, 0..6)).prop_map(|(kind, docs, lists)| {
        let mut items = lists.concat();
        let model = Item {
            kind,
            docs: String::new(),
            span: zero(),
        };
        items.insert(0, model);
        SourceFile {
            docs,
            items,
            unread: Vec::new(),
        }
    })
}
