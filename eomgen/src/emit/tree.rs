//! The statements of a function as a tree: what is set, called and returned. A statement knows what it reads and whether it can fail;
//! the text is written once, at the end.

use std::collections::BTreeSet;

use super::expr::Expr;
use super::layout::{Item, Writer};

/// What becomes of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// `let pattern: of = ...;`
    Let {
        /// A name, or names in parentheses.
        pattern: String,
        /// The type, where rustc does not know it.
        of: Option<&'static str>,
    },
    /// `array[3] = ...;`
    Entry {
        /// The array.
        array: String,
        /// `[3]`
        place: String,
    },
    /// Nothing: what the statement does is done.
    Nothing,
    /// The block's own value.
    Result,
}

impl Target {
    /// What stands before the value of one that nothing changes.
    pub fn head(&self) -> String {
        match self {
            Self::Let { pattern, of } => {
                let of = of.map_or(String::new(), |of| format!(": {of}"));
                format!("let {pattern}{of} =")
            }
            Self::Entry { array, place } => format!("{array}{place} ="),
            Self::Nothing | Self::Result => String::new(),
        }
    }

    /// A new variable.
    pub fn variable(name: impl Into<String>) -> Self {
        Self::Let {
            pattern: name.into(),
            of: None,
        }
    }
}

/// A value in a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An expression.
    Expression(Expr),
    /// The expression in `Ok(...)`.
    Success(Expr),
    /// An array literal: its entries, and the length of a row if these are rows.
    Array(Vec<Expr>, Option<usize>),
    /// A call.
    Call(Call),
}

/// A call that has a statement of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function's name.
    pub function: String,
    /// Of a method: its trait and what it is called on.
    pub on: Option<(&'static str, Expr)>,
    /// What is passed.
    pub arguments: Vec<Expr>,
    /// Whether a failure is handed on: `?`.
    pub fails: bool,
}

impl Call {
    /// A call that cannot fail.
    pub fn new(function: impl Into<String>, arguments: Vec<Expr>) -> Self {
        Self {
            function: function.into(),
            on: None,
            arguments,
            fails: false,
        }
    }
}

/// A line or more of a block.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all statements do something"
)]
#[derive(Clone, Debug, PartialEq)]
enum Statement {
    Comment(String),
    Blank,
    Do(Target, Value),
    /// `for k in 0..4 { ... }`
    Each(String, usize, Block),
}

/// Statements one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    statements: Vec<Statement>,
}

impl Block {
    /// Sets, does or returns something.
    pub fn put(&mut self, target: Target, value: Value) {
        self.statements.push(Statement::Do(target, value));
    }

    /// `let name = value;`
    pub fn set(&mut self, name: impl Into<String>, value: Expr) {
        self.put(Target::variable(name), Value::Expression(value));
    }

    /// A comment.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.statements.push(Statement::Comment(text.into()));
    }

    /// The same for each of some numbers, from 0 on.
    pub fn each(&mut self, number: impl Into<String>, count: usize, block: Self) {
        self.statements
            .push(Statement::Each(number.into(), count, block));
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.statements.push(Statement::Blank);
    }

    /// The statements of another block.
    pub fn append(&mut self, other: Self) {
        self.statements.extend(other.statements);
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Whether it is a result and nothing else.
    pub fn is_result(&self) -> bool {
        matches!(
            self.statements.as_slice(),
            [Statement::Do(Target::Result, _)]
        )
    }

    /// The names that are read or written.
    pub fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (target, value) in self.done() {
            if let Target::Entry { array, .. } = target {
                names.insert(array.clone());
            }
            for expression in value.expressions() {
                names.extend(expression.reads().cloned());
            }
        }
        names
    }

    /// Whether a statement can fail.
    pub fn fails(&self) -> bool {
        self.done().any(|(_, value)| match value {
            Value::Call(call) => call.fails,
            Value::Expression(expression) => expression.fails(),
            Value::Success(_) | Value::Array(..) => false,
        })
    }

    /// The variables whose contents are changed.
    fn changed(&self) -> BTreeSet<&str> {
        let mut changed = BTreeSet::new();
        for (target, value) in self.done() {
            if let Target::Entry { array, .. } = target {
                changed.insert(array.as_str());
            }
            changed.extend(value.expressions().into_iter().filter_map(Expr::lends));
        }
        changed
    }

    fn done(&self) -> impl Iterator<Item = (&Target, &Value)> {
        let mut all = Vec::new();
        let mut blocks = vec![self];
        while let Some(block) = blocks.pop() {
            for statement in &block.statements {
                match statement {
                    Statement::Do(target, value) => all.push((target, value)),
                    Statement::Each(_, _, inner) => blocks.push(inner),
                    Statement::Comment(_) | Statement::Blank => {}
                }
            }
        }
        all.into_iter()
    }

    /// The text.
    pub fn write(&self, out: &mut Writer) {
        let changed = self.changed();
        for statement in &self.statements {
            match statement {
                Statement::Comment(text) => out.line(&format!("// {text}")),
                Statement::Blank => out.blank(),
                Statement::Do(target, value) => write_one(target, value, &changed, out),
                Statement::Each(number, count, block) => {
                    out.open(&format!("for {number} in 0..{count} {{"));
                    block.write(out);
                    out.close("}");
                }
            }
        }
    }
}

/// A statement of a block in which the contents of some variables are changed.
fn write_one(target: &Target, value: &Value, changed: &BTreeSet<&str>, out: &mut Writer) {
    let mut head = target.head();
    if let Target::Let { pattern, .. } = target
        && changed.contains(pattern.as_str())
    {
        head = head.replacen("let", "let mut", 1);
    }
    let end = if *target == Target::Result { "" } else { ";" };
    match value {
        Value::Success(expression) => out.line(&format!("Ok({expression})")),
        Value::Expression(expression) => match expression.choice() {
            Some(choice) => out.select(&head, choice, end),
            None if head.is_empty() => out.tail(expression.text(), expression.pieces()),
            None => out.assign(&head, expression.text(), expression.pieces()),
        },
        Value::Array(entries, columns) => {
            let items = match columns {
                Some(columns) => Item::rows(entries, *columns),
                None => Item::texts(entries),
            };
            if !head.is_empty() {
                head.push(' ');
            }
            out.array(&head, &items, end);
        }
        Value::Call(call) => call.write(&head, end, out),
    }
}

impl Value {
    fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Expression(one) | Self::Success(one) => vec![one],
            Self::Array(entries, _) => entries.iter().collect(),
            Self::Call(call) => {
                let on = call.on.iter().map(|(_, on)| on);
                on.chain(&call.arguments).collect()
            }
        }
    }
}

impl Call {
    fn write(&self, head: &str, end: &str, out: &mut Writer) {
        let arguments: Vec<String> = self.arguments.iter().map(Expr::to_string).collect();
        let function = &self.function;
        if let Some((path, on)) = &self.on {
            return out.call(head, [path, on.text(), function], &arguments);
        }
        let end = if self.fails {
            format!("?{end}")
        } else {
            end.to_owned()
        };
        if head.is_empty() {
            out.statement(function, &arguments, &end);
        } else {
            out.apply_with(head, function, &arguments, &end);
        }
    }
}
