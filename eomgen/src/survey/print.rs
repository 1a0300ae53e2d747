//! The page as text: plain columns, at most 100 characters wide.

use super::page::{Body, Constraint, Integrable, Page, Part};
use std::fmt::{self, Display, Formatter, Write};

/// Widest line.
const WIDTH: usize = 100;

impl Display for Page {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut p = Printer { out: String::new() };
        p.head(self);
        p.coordinates(self);
        p.speeds(self);
        p.states(self);
        p.bodies(self);
        p.loads(self);
        p.constraints(self);
        p.conserved(self);
        f.write_str(&p.out)
    }
}

struct Printer {
    out: String,
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.wrapped(0, 0, text);
    }

    fn title(&mut self, text: &str) {
        self.out.push('\n');
        self.line(text);
    }

    /// A text whose lines go on at a deeper indent.
    fn wrapped(&mut self, first: usize, next: usize, text: &str) {
        let mut at = first;
        self.out.push_str(&" ".repeat(first));
        let mut empty = true;
        for word in text.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if !empty && at + length > WIDTH {
                while self.out.ends_with(' ') {
                    self.out.pop();
                }
                self.out.push('\n');
                self.out.push_str(&" ".repeat(next));
                at = next;
            }
            self.out.push_str(word);
            at += word.chars().count();
            empty = false;
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
    }

    /// Rows of cells in columns, two blanks apart; the last cell is wrapped at its own column.
    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|c| {
                let cells = rows.iter().filter_map(|r| r.get(c));
                cells.map(|x| x.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for row in rows {
            let mut text = String::new();
            let last = row.iter().rposition(|c| !c.is_empty()).unwrap_or(0);
            let mut column = 2;
            for (c, cell) in row.iter().enumerate().take(last) {
                let width = widths[c];
                // Writing to a String cannot fail.
                let _ = write!(text, "{cell:width$}  ");
                if width > 0 {
                    column += width + 2;
                } else {
                    text.truncate(text.len() - 2);
                }
            }
            text.push_str(row.get(last).map_or("", String::as_str));
            self.wrapped(2, column.min(WIDTH / 2), &text);
        }
    }

    /// What the names in formulas stand for. Those of which no value can be written are named after the quantity that has them.
    fn parts<'p>(&mut self, at: usize, parts: impl Iterator<Item = &'p Part> + Clone) {
        for part in parts.clone() {
            if let Some(value) = &part.value {
                self.wrapped(at, at + 4, &format!("{} = {value}", part.name));
            }
        }
        let unwritten = parts.clone().find(|p| p.value.is_none());
        if let Some((quantity, _)) = unwritten.and_then(|p| p.name.split_once('[')) {
            self.wrapped(
                at,
                at + 4,
                &format!("(entries without a value here: `eomgen derive --output {quantity}`)"),
            );
        }
    }

    fn head(&mut self, p: &Page) {
        self.line(&format!("model {}", p.model));
        for line in p.docs.lines() {
            self.wrapped(2, 2, line);
        }
        self.out.push('\n');
        let configuration = match p.configuration_degrees_of_freedom {
            Some(n) => format!("{n} of the configuration"),
            None => "those of the configuration not decided".to_string(),
        };
        self.line(&format!(
            "degrees of freedom: {} of the motion, {configuration}",
            p.degrees_of_freedom
        ));
        let count = p.coordinates.len();
        let coordinates = if count == 1 {
            "coordinate"
        } else {
            "coordinates"
        };
        let constraints = if p.constraints.is_empty() {
            "no constraints".to_string()
        } else {
            let lower = if p.rank_varies {
                ", lower at some states that satisfy them"
            } else {
                ""
            };
            format!("constraints of rank {}{lower}", p.rank)
        };
        self.line(&format!("  {count} {coordinates}, {constraints}"));
    }

    fn coordinates(&mut self, p: &Page) {
        self.title("coordinates");
        let rows: Vec<Vec<String>> = p
            .coordinates
            .iter()
            .map(|c| {
                let unit = c.unit.clone().unwrap_or_default();
                vec![c.name.clone(), unit, first_line(&c.docs)]
            })
            .collect();
        self.table(&rows);
    }

    fn states(&mut self, p: &Page) {
        if p.states.is_empty() {
            return;
        }
        self.title("states");
        let rows = p.states.iter().map(|s| {
            let unit = s.unit.clone().unwrap_or_default();
            let rate = format!("{}' = {}", s.name, s.rate);
            vec![s.name.clone(), unit, rate, first_line(&s.docs)]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        self.table(&rows);
    }

    fn speeds(&mut self, p: &Page) {
        self.title("speeds");
        let reduced = p.speeds.iter().any(|s| !s.independent);
        let rows: Vec<Vec<String>> = p
            .speeds
            .iter()
            .map(|s| {
                let role = match (s.independent, reduced) {
                    (false, _) => "dependent",
                    (true, true) => "independent",
                    (true, false) => "",
                };
                let definition = match &s.definition {
                    Some(d) => format!("= {d}"),
                    None => String::new(),
                };
                let said = match (definition.is_empty(), s.docs.is_empty()) {
                    (_, true) => definition,
                    (true, false) => first_line(&s.docs),
                    (false, false) => format!("{definition}  ({})", first_line(&s.docs)),
                };
                let unit = s.unit.clone().unwrap_or_default();
                vec![s.name.clone(), unit, role.to_string(), said]
            })
            .collect();
        self.table(&rows);
        self.wrapped(2, 4, p.rule.sentence());
        let short: Vec<Vec<String>> = p
            .inverse
            .iter()
            .filter_map(|(name, e)| Some(vec![format!("{name}'"), format!("= {}", e.as_ref()?)]))
            .collect();
        if !short.is_empty() {
            self.line("  rates of the coordinates:");
            let rows: Vec<Vec<String>> = short
                .into_iter()
                .map(|mut r| {
                    r[0].insert_str(0, "  ");
                    r
                })
                .collect();
            self.table(&rows);
        }
        if p.inverse.iter().any(|(_, e)| e.is_none()) {
            self.line("  longer rates of coordinates are omitted");
        }
        for condition in &p.conditions {
            self.wrapped(
                2,
                4,
                &format!("{} where {}", condition.meaning, condition.equation),
            );
        }
    }

    fn bodies(&mut self, p: &Page) {
        if p.bodies.is_empty() {
            return;
        }
        self.title("bodies");
        let rows: Vec<Vec<String>> = p.bodies.iter().map(body).collect();
        self.table(&rows);
        for b in p.bodies.iter().filter(|b| !b.inertia.is_empty()) {
            let names = ["Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"];
            let parts: Vec<String> = names
                .iter()
                .zip(&b.inertia)
                .filter(|(_, e)| *e != "0")
                .map(|(name, e)| format!("{name} = {e}"))
                .collect();
            let text = if parts.is_empty() {
                "none".to_string()
            } else {
                parts.join(", ")
            };
            self.wrapped(2, 4, &format!("inertia of {}: {text}", b.name));
        }
        if let (2.., Some(mass)) = (p.bodies.len(), &p.total_mass) {
            self.wrapped(2, 4, &format!("total mass: {mass}"));
        }
    }

    fn loads(&mut self, p: &Page) {
        if p.loads.is_empty() {
            return;
        }
        self.title("loads");
        for l in &p.loads {
            if l.continues && l.written.is_some() {
                continue;
            }
            let text = match (&l.written, l.kind.as_str()) {
                (Some(vector), "gravity") => format!("gravity: {vector}"),
                (Some(statement), _) => statement.clone(),
                (None, kind) => format!("{kind} on {}", l.on),
            };
            self.wrapped(2, 6, &text);
            if !l.docs.is_empty() {
                self.wrapped(6, 6, &first_line(&l.docs));
            }
        }
    }

    fn constraints(&mut self, p: &Page) {
        if p.constraints.is_empty() {
            return;
        }
        self.title("constraints");
        for c in &p.constraints {
            self.wrapped(2, 6, &format!("{}: {}", c.name, what(c)));
            if !c.docs.is_empty() {
                self.wrapped(6, 6, &first_line(&c.docs));
            }
            for r in &c.rows {
                let equation = &r.equation;
                match c.rows.len() {
                    1 => self.wrapped(6, 10, equation),
                    _ => self.wrapped(6, 10, &format!("{}: {equation}", r.name)),
                }
                let written = r.parts.iter().filter(|p| p.value.is_some());
                self.parts(10, written);
                if let Some(i @ (Integrable::Alone | Integrable::WithOthers)) = r.integrable
                    && c.rows.len() > 1
                {
                    let how = match i {
                        Integrable::Alone => "integrable",
                        _ => "integrable when the others hold",
                    };
                    self.wrapped(10, 10, how);
                }
                if !r.independent {
                    self.wrapped(10, 10, &dependence(&r.combination));
                }
            }
            let unwritten = c.rows.iter().flat_map(|r| &r.parts);
            self.parts(6, unwritten.filter(|p| p.value.is_none()));
        }
        if !p.combinations.is_empty() {
            self.title("integrable combinations of constraints");
        }
        for k in &p.combinations {
            self.wrapped(2, 6, &format!("{} give", k.rows.join(", ")));
            let relation = k.relation.as_deref();
            self.wrapped(6, 10, relation.unwrap_or("a relation that is long"));
            if let Some(integral) = &k.integral {
                self.wrapped(6, 10, &format!("so that {integral} is constant"));
            }
        }
    }

    fn conserved(&mut self, p: &Page) {
        if !p.cyclic.is_empty() {
            self.title("cyclic coordinates");
            let rows: Vec<Vec<String>> = p
                .cyclic
                .iter()
                .map(|c| {
                    let momentum = format!("p_{} = {}", c.name, c.momentum.text);
                    let text = match &c.because {
                        None => format!("{momentum}, conserved"),
                        Some(why) => format!("{momentum}, not conserved: {why}"),
                    };
                    vec![c.name.clone(), text]
                })
                .collect();
            self.table(&rows);
            let parts = p.cyclic.iter().flat_map(|c| &c.momentum.parts);
            self.parts(6, parts);
        }
        self.title("conserved quantities");
        let mut rows: Vec<Vec<String>> = p
            .conserved
            .iter()
            .map(|c| {
                let text = match (&c.formula, c.kind) {
                    (Some(formula), "constraint") => format!("{formula}, by {}", c.name),
                    (Some(formula), _) => format!("{} = {formula}", c.name),
                    (None, _) => c.name.clone(),
                };
                vec![c.kind.to_string(), text]
            })
            .collect();
        if let Some(why) = &p.energy {
            rows.push(vec!["energy".into(), format!("not established: {why}")]);
        }
        self.table(&rows);
    }
}

fn body(b: &Body) -> Vec<String> {
    let kind = if b.frame.is_some() {
        "body"
    } else {
        "particle"
    };
    let location = match &b.frame {
        Some(frame) => format!("center {}, frame {frame}", b.center),
        None => format!("at {}", b.center),
    };
    vec![
        b.name.clone(),
        kind.to_string(),
        format!("mass {}", b.mass),
        location,
        first_line(&b.docs),
    ]
}

fn what(c: &Constraint) -> String {
    let rows = match c.rows.len() {
        1 => "1 row".to_string(),
        n => format!("{n} rows"),
    };
    let form = match c.level {
        "velocity" => format!(
            "; on velocities, {}{}",
            c.form,
            if c.rheonomic { ", with time" } else { "" }
        ),
        _ => String::new(),
    };
    format!(
        "{}{form}; {rows}, adds {} to the rank",
        c.kind.word(),
        c.rank
    )
}

fn dependence(combination: &[(String, Option<String>)]) -> String {
    if combination.is_empty() {
        return "redundant where the constraints hold".to_string();
    }
    let parts: Vec<String> = combination
        .iter()
        .map(|(name, factor)| match factor.as_deref() {
            Some("1") => name.clone(),
            Some("-1") => format!("-{name}"),
            Some(f) if f.contains(' ') => format!("({f})*{name}"),
            Some(f) => format!("{f}*{name}"),
            None => format!("(...)*{name}"),
        })
        .collect();
    let sum = parts.join(" + ").replace("+ -", "- ");
    format!("redundant; its rate is that of {sum}")
}
