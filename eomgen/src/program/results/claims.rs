//! What a source prints, held against what is derived, entry by entry. Equality is decided by normal form, not by how
//! either side is written.
//!
//! What is expected is written in the model's language, with
//!
//! - `x'`, `x''`, `u1`, `u1'` for rates, accelerations, speeds and their rates,
//! - `lambda[blade]` for the multiplier of a constraint row (`lambda` where there is only one),
//! - `h_x`, `h_x_t` for partial derivatives of a function h by its arguments as declared, also at other places: `h_x(x, 0)`.

use super::entries::{EQUATIONS, Entries};
use crate::catalogue;
use crate::diag::{Diagnostic, suggest};
use crate::explain::{MultiplierSymbols, in_state};
use crate::form::{Context, Layout, Quantities, Space, Table};
use crate::mech::kinematics::Components;
use crate::mech::value::Values;
use crate::mech::vars::Vars;
use crate::model::system::{Function, Meta, Param, Scalar};
use crate::model::{System, parse_scalar};
use crate::program::posed::Posed;
use crate::program::writer::row_names;
use crate::program::{ExpressionForm, Settings, prepared};
use crate::span::Span;
use crate::sym::{Expr, Meaning, Vanishing, Var};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// An entry of a result, and what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Name of an output that every module has or that can be asked for, or `equations`: left side less right side,
    /// `M z' - f - A^T lambda`.
    pub output: String,
    /// The row by its label (`u1'`, `x`, `blade`; primes at the end need not be there) or number from 0; empty for a scalar.
    pub row: String,
    /// The column likewise; empty for a list or a scalar.
    pub column: String,
    /// What stands there, in the model's language.
    pub expected: String,
}

/// How far what is found agrees with what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Identically equal as functions of t, q, and the rates or speeds in which the entry is stated.
    Equal,
    /// Equal once the dependent rates are written by the independent speeds: where the linear constraints hold.
    EqualWhereConstraintsHold,
    /// Not equal.
    Different,
}

/// What came of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The claim.
    pub claim: Claim,
    /// Whether it is right.
    pub agreement: Agreement,
    /// Whether the difference has the normal form 0; otherwise random points of a prime field decided.
    pub by_normal_form: bool,
    /// What is derived, in its normal form.
    pub found: String,
    /// What is expected, in the same form.
    pub expected: String,
    /// How many entries the output has.
    pub size: usize,
}

impl Verdict {
    /// Whether the two are equal, be it only where the constraints hold.
    pub fn holds(&self) -> bool {
        self.agreement != Agreement::Different
    }
}

/// Why entries could not be compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// Something is wrong with the model.
    Diagnostics(Vec<Diagnostic>),
    /// Something is wrong with a claim: no such output, entry or expression.
    Claim(String),
}

impl From<Vec<Diagnostic>> for Obstacle {
    fn from(list: Vec<Diagnostic>) -> Self {
        Self::Diagnostics(list)
    }
}

/// A derivation whose equations are stated, whatever they would cost to evaluate.
pub(in crate::program) fn stated<'s>(
    system: &'s System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
) -> Result<(Context<'s>, Posed), Obstacle> {
    let prepared = prepared(system, settings, expression_form, Components::Local, None)?;
    let Some((mut c, formulated)) = prepared else {
        return Err(Obstacle::Claim("the derivation gave up".into()));
    };
    let posed = Posed::new(&mut c, formulated, settings).with_equations(&mut c)?;
    Ok((c, posed))
}

/// Derives once and compares all entries with what is claimed of them.
pub fn compare(
    system: &System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
    claims: &[Claim],
) -> Result<Vec<Verdict>, Obstacle> {
    let (mut c, posed) = stated(system, settings, expression_form)?;
    let reader = Reader::new(&mut c, &posed.multipliers);
    let mut quantities = Quantities::default();
    let mut entries = Entries::new(&posed, &mut quantities);
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let mut verdicts = Vec::with_capacity(claims.len());
    for claim in claims {
        if !tables.contains_key(&claim.output) {
            let found = entries.table(&mut c, &claim.output)?;
            let table = found.ok_or_else(|| Obstacle::Claim(absent(&claim.output)))?;
            tables.insert(claim.output.clone(), table);
        }
        let table = &tables[&claim.output];
        let at = place(table, claim).map_err(Obstacle::Claim)?;
        let entry = table.entries[at].clone();
        let size = table.entries.len();
        let found = reader.compare(&mut c, &claim.expected, &entry);
        let found = found.map_err(Obstacle::Claim)?;
        verdicts.push(Verdict {
            claim: claim.clone(),
            agreement: found.agreement,
            by_normal_form: found.by_normal_form,
            found: c.alg.text(&found.found),
            expected: c.alg.text(&found.expected),
            size,
        });
    }
    Ok(verdicts)
}

/// All entries of an output in normal form, with their labels: `("x'', theta''", "-m2*l*sin(theta)")`.
pub fn listing(
    system: &System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
    output: &str,
) -> Result<Vec<(String, String)>, Obstacle> {
    let (mut c, posed) = stated(system, settings, expression_form)?;
    let mut quantities = Quantities::default();
    let table = Entries::new(&posed, &mut quantities).table(&mut c, output)?;
    let table = table.ok_or_else(|| Obstacle::Claim(absent(output)))?;
    let labels = table.labels();
    let texts = table.entries.iter().map(|e| {
        let e = c.alg.normal(e);
        c.alg.text(&e)
    });
    Ok(labels.into_iter().zip(texts.collect::<Vec<_>>()).collect())
}

fn absent(output: &str) -> String {
    if catalogue::output(output).is_some() || output == EQUATIONS {
        return format!(
            "`{output}` is nothing that this model has with this method in closed form"
        );
    }
    let known = catalogue::to_ask_for().chain(catalogue::STANDARD);
    let known = known.map(|o| o.name).chain([EQUATIONS]);
    match suggest::closest(output, known) {
        Some(near) => format!("unknown output `{output}`; did you mean `{near}`?"),
        None => format!("unknown output `{output}`"),
    }
}

fn place(table: &Table, claim: &Claim) -> Result<usize, String> {
    let find = |labels: &[String], wanted: &str, what: &str| {
        let bare = |text: &str| text.trim_end_matches('\'').to_string();
        let exact = labels.iter().position(|l| l == wanted);
        let number = || wanted.parse::<usize>().ok().filter(|k| *k < labels.len());
        let near = || {
            let mut hits = (0..labels.len()).filter(|i| bare(&labels[*i]) == bare(wanted));
            hits.next().filter(|_| hits.next().is_none())
        };
        exact.or_else(number).or_else(near).ok_or_else(|| {
            format!(
                "`{}` has no {what} `{wanted}`; there are {}",
                table.name,
                labels.join(", ")
            )
        })
    };
    match table.layout {
        Layout::Scalar => Ok(0),
        Layout::Vector => find(&table.rows, &claim.row, "row"),
        Layout::Matrix => {
            let row = find(&table.rows, &claim.row, "row")?;
            let column = find(&table.columns, &claim.column, "column")?;
            Ok(row * table.columns.len() + column)
        }
    }
}

/// An entry and what is expected of it, both in normal form.
pub(in crate::program) struct Comparison {
    pub(in crate::program) agreement: Agreement,
    /// Whether the difference has the normal form 0.
    pub(in crate::program) by_normal_form: bool,
    pub(in crate::program) found: Expr,
    pub(in crate::program) expected: Expr,
}

/// Reads expectations: the model with names for multipliers and for derivatives of functions.
pub(in crate::program) struct Reader {
    system: System,
    vars: Vars,
    /// For each function beyond the model's own: the function and the arguments that it is differentiated by.
    derivatives: Vec<(u32, Vec<u32>)>,
}

impl Reader {
    pub(in crate::program) fn new(c: &mut Context<'_>, symbols: &MultiplierSymbols) -> Self {
        let mut system = c.system.clone();
        let mut vars = c.vars.clone();
        let rows = row_names(c);
        let symbols = symbols.of(c);
        let single = rows.len() == 1;
        let mut names: Vec<(String, Expr)> = Vec::new();
        for (row, symbol) in rows.iter().zip(symbols) {
            names.push((format!("lambda[{row}]"), symbol.clone()));
            if single {
                names.push(("lambda".into(), symbol));
            }
        }
        for (name, symbol) in names {
            if let Some(v) = c.alg.as_var(&symbol) {
                system.params.push(Param {
                    meta: meta(name),
                    sign: None,
                    default: None,
                });
                vars.params.push(v);
            }
        }
        let mut derivatives = Vec::new();
        for (f, function) in c.system.functions.iter().enumerate() {
            let n = function.arg_names.len() as u32;
            let single = (0..n).map(|i| vec![i]);
            let pairs = (0..n).flat_map(|i| (0..n).map(move |j| vec![i, j]));
            for mut partials in single.chain(pairs) {
                let suffix = partials.iter().map(|p| &function.arg_names[*p as usize]);
                let suffix: String = suffix.map(|a| format!("_{a}")).collect();
                partials.sort_unstable();
                derivatives.push((f as u32, partials));
                system.functions.push(Function {
                    meta: meta(format!("{}{suffix}", function.meta.name)),
                    ..function.clone()
                });
            }
        }
        Self {
            system,
            vars,
            derivatives,
        }
    }

    /// Holds an entry against what is expected of it.
    pub(in crate::program) fn compare(
        &self,
        c: &mut Context<'_>,
        expected: &str,
        entry: &Expr,
    ) -> Result<Comparison, String> {
        let scalar = parse_scalar(&self.system, expected).map_err(|list| {
            let first = list.first();
            let first = first.map_or("it cannot be read", |d| d.title.as_str());
            format!("`{expected}`: {first}")
        })?;
        let by_rates = self.value(c, &scalar, Space::Accelerations)?;
        let by_speeds = self.value(c, &scalar, Space::SpeedRates)?;
        let in_state = in_state(c, entry);
        // An entry in rates that the state does not have is compared as it stands first.
        let stated_in_state = in_state == *entry;
        let reduced = if stated_in_state || !c.speeds.reduced {
            Agreement::Equal
        } else {
            Agreement::EqualWhereConstraintsHold
        };
        let attempts = [
            (entry - &by_rates, Agreement::Equal),
            (&in_state - &by_speeds, reduced),
        ];
        let mut found = (Agreement::Different, false);
        for (difference, agreement) in attempts {
            let form = c.alg.vanishes(&difference);
            if form != Vanishing::Not {
                found = (agreement, form == Vanishing::ByForm);
                break;
            }
        }
        let (shown, expected) = match found.0 {
            Agreement::EqualWhereConstraintsHold => (in_state, by_speeds),
            _ if stated_in_state => (entry.clone(), by_speeds),
            _ => (entry.clone(), by_rates),
        };
        Ok(Comparison {
            agreement: found.0,
            by_normal_form: found.1,
            found: c.alg.normal(&shown),
            expected: c.alg.normal(&expected),
        })
    }

    /// An expectation in the rates, or in the state's speeds.
    fn value(&self, c: &mut Context<'_>, scalar: &Scalar, space: Space) -> Result<Expr, String> {
        let values = Values {
            system: &self.system,
            vars: &self.vars,
        };
        let (alg, _, k, _) = c.parts(space);
        let mut e = values
            .scalar(alg, k, scalar)
            .map_err(|fault| fault.at(Span::default()).title)?;
        let own = c.system.functions.len();
        // Derivatives may stand in each other's arguments.
        for _ in 0..DEEPEST {
            let stand_ins = RefCell::new(Vec::<Var>::new());
            c.alg.depends(&e, &|v| {
                if let Meaning::Jet { function, .. } = &c.alg.info(v).meaning
                    && *function as usize >= own
                {
                    stand_ins.borrow_mut().push(v);
                }
                false
            });
            let list = stand_ins.into_inner();
            if list.is_empty() {
                return Ok(e);
            }
            let mut map: BTreeMap<Var, Expr> = BTreeMap::new();
            for v in list {
                let Meaning::Jet { function, args, .. } = c.alg.info(v).meaning.clone() else {
                    continue;
                };
                if let Some((f, partials)) = self.derivatives.get(function as usize - own) {
                    let jet = c.alg.jet(*f, partials.clone(), args);
                    map.insert(v, jet);
                }
            }
            let mut memo = rustc_hash::FxHashMap::default();
            e = c.alg.substitute(&e, &|v| map.get(&v).cloned(), &mut memo);
        }
        Err("derivatives of functions stand in each other too deeply".into())
    }
}

/// How deep derivatives of functions may stand in each other's arguments.
const DEEPEST: usize = 20;

fn meta(name: String) -> Meta {
    Meta {
        name,
        shown: None,
        unit: None,
        docs: String::new(),
        span: Span::default(),
    }
}
