//! What two models state, compared: which declarations and equations changed, term by term, and whether the machine moves as it did. Whether
//! something changed is decided exactly, whatever it is written like.

mod declarations;
mod motion;
mod names;
mod page;

pub use motion::Motion;
pub use page::Extent;

use super::derivation::small;
use super::symbols::within;
use super::{DEFAULT_METHOD, DeriveOptions, Failure, Form, Source, read_fixed};
use crate::explain::{Changed, Mark};
use crate::host::with_session;
use crate::model::System;
use crate::notation::{Math, Names, one_line, text};
use crate::program::{self, Agreement, Contrast, Contrasts, PARTS, Unstated};
use serde::Serialize;
use std::collections::BTreeSet;

/// How much alike two models are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// Not a character differs.
    SameText,
    /// Everything that they state is the same up to algebra, and so are the declarations.
    SameEquations,
    /// Equations differ, and the machine moves in the same way.
    SameMotion,
    /// The equations of motion are the same, an energy is another one.
    OtherEnergies,
    /// Anything else.
    Different,
}

/// A term of a sum that is there only before or only afterwards: `new = old - removed + added`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// On which side it is.
    pub mark: Mark,
    /// In the model's language.
    pub text: String,
    /// As mathematics.
    pub math: Math,
}

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is another one.
    Changed,
    /// It was not there.
    New,
    /// It is not there any more.
    Gone,
}

/// A declaration or statement that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind of statement: `Equations of motion`, `Parameters`.
    pub part: &'static str,
    /// Which one: `theta1''`, `m1`; empty where there is only one.
    pub label: String,
    /// What became of it.
    pub fate: Fate,
    /// What was declared; empty for a statement.
    pub old: String,
    /// What is declared; empty for a statement.
    pub new: String,
    /// Which terms differ. Empty for a declaration, and where they are too many to be told.
    pub terms: Vec<Term>,
    /// How many terms differ, multiplied out; `None` where that is not known.
    pub count: Option<usize>,
    /// Parameters or inputs of which each of these has one.
    pub shared: Vec<Math>,
    /// Accelerations whose coefficients differ, and in how many terms.
    pub unknowns: Vec<(Math, usize)>,
}

/// The difference of two models.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The formulation by which the equations were derived.
    pub method: String,
    /// How much alike they are.
    pub likeness: Likeness,
    /// Names that changed: before, after.
    pub renamed: Vec<(String, String)>,
    /// What the newer coordinates are by the older ones, where they are measured in another way.
    pub measured: Vec<(String, String)>,
    /// Whether that was found, and not told.
    pub found: bool,
    /// What changed, in the order in which a reviewer reads.
    pub changes: Vec<Change>,
    /// Labels of the statements of each part that are equal.
    pub equal: Vec<(&'static str, Vec<String>)>,
    /// Whether the machine moves as it did; `None` if that was not asked, or could not be found out.
    pub motion: Option<Motion>,
    /// Singular conditions that are there only before or only afterwards.
    pub conditions: Vec<(Mark, String)>,
    /// Names of both models.
    pub names: Names,
}

/// The title of the equations of motion.
const MOTION: &str = "Equations of motion";

impl Difference {
    fn same_text(method: &str) -> Self {
        Self {
            method: method.to_owned(),
            likeness: Likeness::SameText,
            renamed: Vec::new(),
            measured: Vec::new(),
            found: false,
            changes: Vec::new(),
            equal: Vec::new(),
            motion: None,
            conditions: Vec::new(),
            names: Names::default(),
        }
    }

    /// Whether the two mean the same: no change but in how things are written. A name that changed is a difference, since programs use it.
    pub fn is_none(&self) -> bool {
        matches!(self.likeness, Likeness::SameText | Likeness::SameEquations)
    }

    /// The unknowns of the older and of the newer equations of motion, where they are not the same: another rate is eliminated.
    fn other_unknowns(&self) -> Option<(Vec<&str>, Vec<&str>)> {
        let here = self.changes.iter().filter(|c| c.part == MOTION);
        let without = |fate: Fate| -> Vec<&str> {
            let kept = here.clone().filter(|c| c.fate != fate);
            let equal = self.equal.iter().filter(|(part, _)| *part == MOTION);
            let equal = equal.flat_map(|(_, labels)| labels).map(String::as_str);
            kept.map(|c| c.label.as_str()).chain(equal).collect()
        };
        let (old, new) = (without(Fate::New), without(Fate::Gone));
        let fates = |fate: Fate| here.clone().any(|c| c.fate == fate);
        (fates(Fate::Gone) && !new.is_empty() && !old.is_empty()).then_some((old, new))
    }

    /// As JSON: every change with all its terms.
    pub fn to_json(&self) -> String {
        let changes = self.changes.iter().map(|c| {
            let terms = c.terms.iter().map(|t| match t.mark {
                Mark::Removed => serde_json::json!({"removed": t.text}),
                Mark::Added => serde_json::json!({"added": t.text}),
            });
            let unknowns = c.unknowns.iter();
            let unknowns = unknowns.map(|(m, n)| (text(m), serde_json::json!(n)));
            let unknowns: serde_json::Map<String, serde_json::Value> = unknowns.collect();
            serde_json::json!({
                "part": c.part,
                "label": c.label,
                "fate": c.fate,
                "old": c.old,
                "new": c.new,
                "terms": terms.collect::<Vec<_>>(),
                "count": c.count,
                "shared": c.shared.iter().map(text).collect::<Vec<_>>(),
                "unknowns": unknowns,
            })
        });
        let equal = self.equal.iter();
        let equal = equal.map(|(part, labels)| serde_json::json!({"part": part, "labels": labels}));
        let conditions = self.conditions.iter().map(|(mark, text)| match mark {
            Mark::Removed => serde_json::json!({"removed": text}),
            Mark::Added => serde_json::json!({"added": text}),
        });
        let motion = self.motion.as_ref().map(
            |m| serde_json::json!({"states": m.states, "same": m.same, "different": m.different}),
        );
        let value = serde_json::json!({
            "method": self.method,
            "likeness": self.likeness,
            "differs": !self.is_none(),
            "renamed": self.renamed,
            "measured": self.measured,
            "changes": changes.collect::<Vec<_>>(),
            "motion": motion,
            "conditions": conditions.collect::<Vec<_>>(),
            "equal": equal.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }
}

/// Which of two models a failure is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// The first.
    Old(Failure),
    /// The second.
    New(Failure),
}

/// Compares two models. The options hold for both. `measured` says what coordinates of the newer one are by those of the older one:
/// `q2 = old.q2 - old.q1`.
///
/// # Errors
/// What is wrong with one of the models, or with what is said of coordinates.
pub fn difference(
    old: &Source,
    new: &Source,
    options: &DeriveOptions,
    measured: &[String],
) -> Result<Difference, Side> {
    let read = |source| read_fixed(source, &options.set, &options.fix);
    let (was, warnings) = read(old).map_err(Side::Old)?;
    let (is, new_warnings) = read(new).map_err(Side::New)?;
    let method = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
    if old.whole_text() == new.whole_text() && measured.is_empty() {
        return Ok(Difference::same_text(method));
    }
    let told = motion::told(&was, &is, measured).map_err(|m| Side::New(Failure::Message(m)))?;
    let mut form = options.clone();
    if form.form == Form::Auto && !(small(&was) && small(&is)) {
        form.form = Form::Staged;
    }
    let (before, after) = (was.clone(), is.clone());
    let contrasts = with_session(move || {
        within(&form, |settings, expressions| {
            let renamings = names::renamings(&before, &after);
            let found = program::contrast(&before, &after, settings, expressions, &renamings);
            Ok(found.map_err(|unstated| match unstated {
                Unstated::Old(obstacle) => Side::Old(obstacle.into()),
                Unstated::New(obstacle) => Side::New(obstacle.into()),
            }))
        })
    });
    let contrasts = contrasts
        .map_err(|error| Side::New(error.into()))?
        .map_err(Side::New)?;
    let contrasts = contrasts.map_err(|side| match side {
        Side::Old(failure) => Side::Old(failure.explained(&was.copies).after(warnings)),
        Side::New(failure) => Side::New(failure.explained(&is.copies).after(new_warnings)),
    })?;
    Ok(Comparing {
        was,
        is,
        options,
        told,
    }
    .difference(contrasts))
}

/// Two models that were read and derived.
struct Comparing<'a> {
    was: System,
    is: System,
    options: &'a DeriveOptions,
    /// What was said of the coordinates.
    told: Vec<(String, String)>,
}

impl Comparing<'_> {
    fn difference(self, contrasts: Contrasts) -> Difference {
        let Contrasts {
            renamed,
            list,
            states,
            remeasured,
            names,
        } = contrasts;
        let mut d = Difference::same_text(self.options.method.as_deref().unwrap_or(DEFAULT_METHOD));
        d.names = names;
        d.changes = declarations::changes(&self.was, &self.is, &renamed);
        for (title, part) in PARTS {
            let mut equal = Vec::new();
            for contrast in list.iter().filter(|c| c.part == part) {
                if contrast.agreement == Agreement::Different {
                    d.changes.push(Change::of(title, contrast));
                } else {
                    equal.push(contrast.label.clone());
                }
            }
            if !equal.is_empty() {
                d.equal.push((title, equal));
            }
        }
        d.renamed = renamed.clone().into_iter().collect();
        let told = !self.told.is_empty();
        d.measured = if told {
            self.told.clone()
        } else {
            remeasured.unwrap_or_default()
        };
        d.found = !told && !d.measured.is_empty();
        let governing = ["Speeds", "Kinematics", "Constraints", MOTION];
        let governed = d.changes.iter().any(|c| governing.contains(&c.part));
        if governed || told {
            let found = motion::compare(&motion::Pair {
                was: &self.was,
                is: &self.is,
                options: self.options,
                renamed: &renamed,
                states: &states,
                measured: &d.measured,
            });
            if let Some((motion, conditions)) = found {
                d.motion = Some(motion);
                d.conditions = conditions;
            }
        }
        d.likeness = d.judged(governed);
        d
    }
}

impl Difference {
    fn judged(&self, governed: bool) -> Likeness {
        let declared = self.changes.iter().any(|c| {
            declarations::PARTS.contains(&c.part) && (c.fate == Fate::Changed || !governed)
        });
        let outputs = self.changes.iter().any(|c| c.part == "Outputs");
        let moves_alike = self.motion.as_ref().is_some_and(|m| m.different.is_empty());
        if self.changes.is_empty() && self.renamed.is_empty() && self.measured.is_empty() {
            Likeness::SameEquations
        } else if declared || outputs || (!self.renamed.is_empty() && self.measured.is_empty()) {
            Likeness::Different
        } else if governed || !self.measured.is_empty() {
            if moves_alike {
                Likeness::SameMotion
            } else {
                Likeness::Different
            }
        } else {
            Likeness::OtherEnergies
        }
    }
}

impl Change {
    fn of(part: &'static str, contrast: &Contrast) -> Self {
        let changed = contrast.changed.clone();
        let count = changed.as_ref().map(|c| c.count);
        let Changed {
            lines,
            shared,
            unknowns,
            ..
        } = changed.unwrap_or_default();
        let terms = lines.into_iter().map(|(mark, math)| Term {
            mark,
            text: text(&math),
            math,
        });
        Self {
            part,
            label: contrast.label.clone(),
            fate: match (contrast.was, contrast.is) {
                (false, _) => Fate::New,
                (_, false) => Fate::Gone,
                _ => Fate::Changed,
            },
            old: String::new(),
            new: String::new(),
            terms: terms.collect(),
            count,
            shared,
            unknowns,
        }
    }

    fn declared(part: &'static str, label: &str, old: Option<&str>, new: Option<&str>) -> Self {
        Self {
            part,
            label: label.to_owned(),
            fate: match (old, new) {
                (None, _) => Fate::New,
                (_, None) => Fate::Gone,
                _ => Fate::Changed,
            },
            old: old.unwrap_or_default().to_owned(),
            new: new.unwrap_or_default().to_owned(),
            terms: Vec::new(),
            count: None,
            shared: Vec::new(),
            unknowns: Vec::new(),
        }
    }
}

/// How a label is written.
fn labelled(names: &Names, part: &str, label: &str) -> String {
    let quantity = ["Speeds", "Kinematics", MOTION].contains(&part);
    if quantity {
        one_line(&names.quantity(label))
    } else {
        label.to_owned()
    }
}

/// Parts by title whose statements have no labels of their own.
fn is_single(labels: &[String]) -> bool {
    labels.iter().collect::<BTreeSet<_>>().len() == 1 && labels.iter().all(String::is_empty)
}
