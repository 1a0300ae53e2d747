//! Energies given as such, and springs and dampers, which are made of energies and loads.

use super::Builder;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::resolve::{Typed, distance, exact, is_zero};
use crate::model::system::{Energy, EnergyKind, Load, LoadKind, PointId, Quantity, Scalar, Vector};
use crate::model::units::{Dim, DimExpr};
use crate::span::Span;
use crate::syntax::ast::{Ident, Item, Spring, SpringClause, SpringEnds, SpringWord};

impl Builder<'_> {
    /// `kinetic T = ...`: its name is that of a `let` by now.
    pub(super) fn energy(&mut self, kind: EnergyKind, name: &Ident, item: &Item) {
        let Some(Thing::Let(id)) = self.scope.names.get(&name.text).map(|s| s.thing) else {
            return;
        };
        let Some(Some(typed)) = self.scope.lets.get(id.index()).cloned() else {
            return;
        };
        let what = match kind {
            EnergyKind::Kinetic => "a kinetic energy",
            EnergyKind::Potential => "a potential energy",
            EnergyKind::Dissipation => "a dissipation function",
        };
        let Quantity::Scalar(_) = typed.value else {
            self.scope.report(Diagnostic::error_with_help(
                codes::WRONG_KIND,
                format!("{what} has to be a scalar, not a vector"),
                typed.span,
                "this is a vector",
                "the square of a vector is `dot(v, v)`",
            ));
            return;
        };
        let help =
            "energies do not depend on forces; state a force that depends on a reaction as a load";
        let (content, span) = (typed.content, typed.span);
        if self.scope.refuse_reaction(content, span, what, help) {
            return;
        }
        if let Some(wrong) = refused(kind, what, &typed) {
            self.scope.report(wrong);
        }
        let dissipation = kind == EnergyKind::Dissipation;
        let joule = DimExpr::from(Dim::torque());
        let wanted = if dissipation { joule.rate() } else { joule };
        if !self.scope.equate(&typed.dim, &wanted, typed.span) {
            let unit = if dissipation { "W" } else { "J" };
            let found = self.scope.unit_phrase(&typed.dim);
            let clash = Diagnostic::error(
                codes::UNIT_EXPECTED,
                format!("{what} is in {unit}, not {found}"),
                typed.span,
                format!("this is {found}"),
            );
            let clash = self.scope.explain_units(clash, &[&typed.dim]);
            self.scope.report(clash);
        }
        self.energies.push(Energy {
            kind,
            name: name.text.clone(),
            docs: item.docs.clone(),
            value: Scalar::Let(id),
            span: item.span,
        });
    }

    /// `spring s: from P to Q, ...`
    pub(super) fn spring(&mut self, spring: &Spring, item: &Item) {
        let stretch = self.stretch(&spring.ends);
        let asked = self.clauses_fit(spring);
        let Some(stretch) = stretch else {
            return;
        };
        let joule = DimExpr::from(Dim::torque());
        let force = joule.over(&stretch.value.dim);
        let stiffness = force.over(&stretch.value.dim);
        let mut known = Values::default();
        for clause in &spring.clauses {
            let (wanted, highest) = match clause.word {
                SpringWord::Stiffness => (stiffness.clone(), None),
                SpringWord::Length | SpringWord::Rest => (stretch.value.dim.clone(), None),
                SpringWord::Damping => (stiffness.times(&Dim::time().into()), Some(0)),
                SpringWord::Tension => (force.clone(), Some(1)),
            };
            let value = self.clause_value(clause, &wanted, highest);
            match clause.word {
                SpringWord::Stiffness => known.stiffness = value,
                SpringWord::Length | SpringWord::Rest => known.rest = value,
                SpringWord::Damping => known.damping = value,
                SpringWord::Tension => known.tension = value,
            }
        }
        if asked {
            self.acts(&stretch, known, &spring.name, item);
        }
    }

    /// What a spring stretches.
    fn stretch(&mut self, ends: &SpringEnds) -> Option<Stretch> {
        match ends {
            SpringEnds::Between(from, to) => {
                let start = self.scope.point_named(&from.text, from.span);
                let end = self.scope.point_named(&to.text, to.span);
                let (start, end) = (start?, end?);
                let span = from.span.to(to.span);
                if start == end {
                    // In a loop over pairs of a family this happens.
                    let title = "a spring between a point and itself";
                    let idle = Diagnostic::warning(codes::SPRING, title, span, "it moves nothing");
                    return self
                        .scope
                        .refuse(idle.help("name two points, or remove it"));
                }
                let content = self.scope.point_content(start);
                let content = content.plus(self.scope.point_content(end));
                if content.order.is_none() {
                    // In a family or a part the ends may happen to rest.
                    return self.scope.refuse(
                        Diagnostic::warning(
                            codes::SPRING,
                            "neither end of this depends on a coordinate",
                            span,
                            "its length is given: it moves nothing",
                        )
                        .help("name a point that moves, such as that of a particle, or remove it"),
                    );
                }
                Some(Stretch {
                    value: Typed::new(distance(start, end), Dim::length(), content, span),
                    ends: Some((start, end)),
                })
            }
            SpringEnds::On(expr) => {
                let value = self.scope.scalar(expr, "the elongation of a spring")?;
                if value.content.is_constant() {
                    // In a family or a part the expression may happen to be one.
                    let title = "the elongation of this depends on no coordinate";
                    let span = value.span;
                    let idle = Diagnostic::warning(codes::SPRING, title, span, "it moves nothing");
                    let help = "name a coordinate or an expression of coordinates, or remove it";
                    return self.scope.refuse(idle.help(help));
                }
                if value.content.order != Some(0) || value.content.input {
                    return self.scope.refuse(Diagnostic::error_with_help(
                        codes::SPRING,
                        "a spring or damper acts on coordinates",
                        value.span,
                        "this is not a function of coordinates",
                        "write `on theta`, or `on theta2 - theta1` for a difference",
                    ));
                }
                Some(Stretch { value, ends: None })
            }
        }
    }

    /// Reports clauses that are missing or misplaced.
    fn clauses_fit(&mut self, spring: &Spring) -> bool {
        let between = matches!(spring.ends, SpringEnds::Between(..));
        let (own, other) = if between {
            ("length", SpringWord::Rest)
        } else {
            ("rest", SpringWord::Length)
        };
        let mut found = Vec::new();
        if let Some(clause) = spring.clause(other) {
            let title = format!("`{}` does not fit here", clause.word.text());
            let help =
                format!("use `length` between points and `rest` on a coordinate: here `{own}`");
            found.push(misfit(title, clause.span, "does not fit", &help));
        }
        found.extend(if spring.damper {
            damper_misfits(spring)
        } else {
            spring_misfit(spring).into_iter().collect()
        });
        let good = found.is_empty();
        found.into_iter().for_each(|d| self.scope.report(d));
        good
    }

    fn clause_value(
        &mut self,
        clause: &SpringClause,
        wanted: &DimExpr,
        highest: Option<u8>,
    ) -> Option<Typed<Scalar>> {
        let word = clause.word.text();
        let typed = self.scope.scalar(&clause.value, &format!("`{word}`"))?;
        let bare = self.scope.unit_free && exact(&typed.value).is_some();
        if !bare && !self.scope.equate(&typed.dim, wanted, typed.span) {
            let found = self.scope.unit_phrase(&typed.dim);
            let clash = Diagnostic::error(
                codes::UNIT_EXPECTED,
                format!(
                    "`{word}` is {} here, not {found}",
                    self.scope.unit_phrase(wanted)
                ),
                typed.span,
                format!("this is {found}"),
            );
            let clash = self.scope.explain_units(clash, &[&typed.dim, wanted]);
            let clash = self.scope.with_unit(clash, &typed, wanted);
            self.scope.report(as_usual(clash, clause.word));
        }
        let (content, span) = (typed.content, typed.span);
        let help = "write the whole law as `tension`, which may be linear in reactions";
        let law = clause.word == SpringWord::Tension;
        let what = format!("`{word}`");
        if !law && self.scope.refuse_reaction(content, span, &what, help) {
            return None;
        }
        if !self.linear_in_reactions(&typed) {
            return None;
        }
        if typed.content.order <= highest {
            return Some(typed);
        }
        let (title, help) = match highest {
            None => (
                format!("`{word}` depends on the motion"),
                "it may depend on parameters, time and inputs; for other laws write `tension`",
            ),
            Some(0) => (
                format!("`{word}` depends on the velocities"),
                "for other laws write `tension` in a `spring`, or a `force`",
            ),
            Some(_) => (
                format!("`{word}` depends on accelerations"),
                "state added mass with a `particle` or `body`",
            ),
        };
        self.scope.refuse(Diagnostic::error_with_help(
            codes::SPRING,
            title,
            typed.span,
            "not allowed here",
            help,
        ))
    }

    /// Stiffness as a potential, damping as a dissipation, a law as a pair of forces.
    fn acts(&mut self, stretch: &Stretch, known: Values, name: &Ident, item: &Item) {
        let energy = |kind, value| Energy {
            kind,
            name: name.text.clone(),
            docs: item.docs.clone(),
            value,
            span: item.span,
        };
        if let Some(k) = known.stiffness {
            let square = match (known.rest.map(|r| r.value), stretch.ends) {
                (Some(rest), _) if !is_zero(&rest) => {
                    let out = stretch.value.value.clone();
                    (out - rest).squared()
                }
                // Without a length nothing is singular where the ends meet.
                (_, Some((from, to))) => {
                    let between = Vector::Between { from, to };
                    between.clone().dot(between)
                }
                (_, None) => stretch.value.value.clone().squared(),
            };
            self.energies
                .push(energy(EnergyKind::Potential, half(k.value, square)));
        }
        if let Some(c) = known.damping {
            let rate = Scalar::Rate(Box::new(stretch.value.value.clone()));
            self.energies.push(energy(
                EnergyKind::Dissipation,
                half(c.value, rate.squared()),
            ));
        }
        if let Some(tension) = known.tension {
            self.tension(stretch, tension.value, item);
        }
    }

    /// A law of one's own: a pair of forces along the line between the ends, or a generalized force.
    fn tension(&mut self, stretch: &Stretch, tension: Scalar, item: &Item) {
        let kinds = match (stretch.ends, &stretch.value.value) {
            (Some((from, to)), length) => {
                let factor = tension / length.clone();
                let force = |point, other| LoadKind::Force {
                    point,
                    vector: factor.clone()
                        * Vector::Between {
                            from: point,
                            to: other,
                        },
                };
                vec![force(from, to), force(to, from)]
            }
            (None, Scalar::Coord(coord)) => vec![LoadKind::Generalized {
                coord: *coord,
                value: -tension,
            }],
            (None, _) => {
                self.scope.report(Diagnostic::error_with_help(codes::SPRING, "a `tension` acts between points or on one coordinate", stretch.value.span, "this is made of several", "state it with `torque on B: ..., opposite on C`, or as `generalized` on each coordinate"));
                return;
            }
        };
        self.loads.extend(kinds.into_iter().map(|kind| Load {
            kind,
            span: item.span,
            docs: item.docs.clone(),
        }));
    }
}

fn misfit(title: String, span: Span, label: &str, help: &str) -> Diagnostic {
    Diagnostic::error(codes::SPRING, title, span, label).help(help)
}

/// What is wrong with the clauses of a damper.
fn damper_misfits(damper: &Spring) -> Vec<Diagnostic> {
    let others = damper
        .clauses
        .iter()
        .filter(|c| c.word != SpringWord::Damping);
    let mut found: Vec<Diagnostic> = others
        .map(|clause| {
            misfit(
                format!("a damper has no `{}`", clause.word.text()),
                clause.span,
                "only for springs",
                "declare it as `spring`; a spring may have `damping` too",
            )
        })
        .collect();
    if damper.clause(SpringWord::Damping).is_none() {
        found.push(misfit(
            format!("the damper `{}` has no `damping`", damper.name.text),
            damper.name.span,
            "it does nothing",
            "write `, damping c`",
        ));
    }
    found
}

/// What is wrong with the law of a spring: it has one, by its stiffness or in full.
fn spring_misfit(spring: &Spring) -> Option<Diagnostic> {
    let name = &spring.name.text;
    let (stiffness, tension) = (
        spring.clause(SpringWord::Stiffness),
        spring.clause(SpringWord::Tension),
    );
    match (stiffness, tension) {
        (None, None) => Some(misfit(
            format!("the spring `{name}` has no `stiffness`"),
            spring.name.span,
            "it has no force",
            "write `, stiffness k`, or a different law such as `, tension k*s^3`; with damping only it is a `damper`",
        )),
        (Some(_), Some(clause)) => Some(misfit(
            format!("the spring `{name}` has a `stiffness` and a `tension`"),
            clause.span,
            "a second law",
            "put everything into `tension`, or declare two springs",
        )),
        (None, Some(_)) => {
            let length = spring.clause(SpringWord::Length);
            let clause = length.or_else(|| spring.clause(SpringWord::Rest))?;
            Some(misfit(
                format!("`{}` belongs to a `stiffness`", clause.word.text()),
                clause.span,
                "not part of the law",
                "write it into `tension`, such as `tension k*(distance(P, Q) - l)`",
            ))
        }
        (Some(_), None) => None,
    }
}

/// What a spring stretches: a distance between ends, or a function of coordinates.
struct Stretch {
    value: Typed<Scalar>,
    ends: Option<(PointId, PointId)>,
}

/// What the clauses state.
#[derive(Default)]
struct Values {
    stiffness: Option<Typed<Scalar>>,
    rest: Option<Typed<Scalar>>,
    damping: Option<Typed<Scalar>>,
    tension: Option<Typed<Scalar>>,
}

/// The unit of a stiffness or damping as it is usually written.
fn as_usual(mut clash: Diagnostic, word: SpringWord) -> Diagnostic {
    let (base, usual) = match word {
        SpringWord::Damping => (["kg*m^2/s", "kg/s"], ["N*m*s/rad", "N*s/m"]),
        SpringWord::Stiffness => (["N*m", "kg/s^2"], ["N*m/rad", "N/m"]),
        _ => return clash,
    };
    for (base, usual) in base.into_iter().zip(usual) {
        let written = |text: &str| text.replacen(&format!("[{base}]"), &format!("[{usual}]"), 1);
        let here = format!("in {base} here");
        if clash.title.contains(&here) {
            clash.title = clash.title.replacen(&here, &format!("in {usual} here"), 1);
            clash.help = clash.help.map(|help| written(&help));
        }
    }
    clash
}

/// What an energy may not depend on.
fn refused(kind: EnergyKind, what: &str, typed: &Typed<Quantity>) -> Option<Diagnostic> {
    let Content {
        order,
        input,
        speed,
        ..
    } = typed.content;
    let external = typed.content.external();
    let wrong = |title: String, label: &str, help: &str| {
        Some(Diagnostic::error(codes::ENERGY, title, typed.span, label).help(help))
    };
    if order.is_some_and(|o| o > 1) {
        return wrong(
            format!("{what} depends on accelerations"),
            "this contains an acceleration",
            "energies depend on coordinates, rates and time",
        );
    }
    match kind {
        EnergyKind::Kinetic if input => wrong(
            format!("{what} depends on {external}"),
            "the equations would need its rate",
            "declare a `function` of time instead, such as `function h(t) : m`",
        ),
        EnergyKind::Kinetic | EnergyKind::Dissipation if order.is_none() => Some(
            Diagnostic::warning(
                codes::ENERGY,
                format!("{what} depends on nothing that moves"),
                typed.span,
                "it has no effect",
            )
            .help("use `let` to name a value, or remove it"),
        ),
        EnergyKind::Kinetic | EnergyKind::Dissipation if order != Some(1) => wrong(
            format!("{what} contains no rate"),
            "no rate of a coordinate here",
            "use `potential` for what depends on coordinates alone, and `let` to name a value",
        ),
        EnergyKind::Potential if order == Some(1) || speed => wrong(
            format!("{what} depends on velocities"),
            "this contains a rate or speed",
            "state terms with rates in `kinetic` (with the opposite sign), and friction as `dissipation` or `force`",
        ),
        EnergyKind::Potential if order.is_none() => Some(
            Diagnostic::warning(
                codes::ENERGY,
                format!("{what} depends on no coordinate"),
                typed.span,
                "it exerts no force",
            )
            .help("use `let` to name a value, or remove it"),
        ),
        _ => None,
    }
}

/// `a*b/2`
fn half(a: Scalar, b: Scalar) -> Scalar {
    a * b / Scalar::whole(2)
}
