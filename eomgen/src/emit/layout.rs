//! Text laid out as rustfmt lays it out, for the few shapes that the emitter writes.
//!
//! prettyplease drops comments and breaks lines at 89 columns where rustfmt joins them up to 100,
//! so its output is not clean under `rustfmt --check`. The rules here are rustfmt's defaults: 100
//! columns, arrays and arguments on one line up to 60, struct literals up to 18.

/// Widest line.
const WIDTH: usize = 100;
/// Widest contents of an array literal or an argument list on one line.
const LIST: usize = 60;
/// Widest fields of a struct literal on one line.
const STRUCT: usize = 18;
/// Widest list of an attribute on one line.
const ATTRIBUTE: usize = 70;
/// Widest `if` with its `else` on one line.
const CHOICE: usize = 50;
/// Array items up to this width fill lines; if one is wider, each has its own.
const SHORT: usize = 10;

/// Width of a text on the screen.
pub fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// Collects indented lines.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    text: String,
    indent: usize,
    /// Columns by which the whole text will be indented later.
    margin: usize,
}

impl Writer {
    /// An empty text, nothing indented.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty text that will stand in so many blocks.
    pub fn within(blocks: usize) -> Self {
        Self {
            margin: 4 * blocks,
            ..Self::default()
        }
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.text
    }

    /// A line; nothing but a line end if it is empty.
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.indent));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// An empty line, unless one was just written or a block was just opened.
    pub fn blank(&mut self) {
        let opened = self.text.is_empty() || self.text.ends_with("{\n");
        if !opened && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line that opens a block.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// Indents what follows, after a line that opened a block.
    pub fn indent(&mut self) {
        self.indent += 1;
    }

    /// A line that closes a block.
    pub fn close(&mut self, line: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.line(line);
    }

    /// Closes a block behind what is set apart from its end.
    pub fn end_block(&mut self) {
        while self.text.ends_with("\n\n") {
            self.text.pop();
        }
        self.close("}");
        self.blank();
    }

    /// Outer doc comments.
    pub fn docs(&mut self, lines: &[String]) {
        for line in lines {
            self.line(format!("/// {line}").trim_end());
        }
    }

    /// Lines that are laid out already, indented as a whole.
    pub fn verbatim(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line);
        }
    }

    /// How wide a line may still be.
    fn room(&self) -> usize {
        WIDTH.saturating_sub(4 * self.indent + self.margin)
    }

    /// `head(args) tail`, each argument on its own line if one line won't hold them.
    pub fn signature(&mut self, head: &str, args: &[String], tail: &str) {
        let one = format!("{head}({}){tail}", args.join(", "));
        if width(&one) <= self.room() {
            self.line(&one);
            return;
        }
        self.open(&format!("{head}("));
        for arg in args {
            self.line(&format!("{arg},"));
        }
        self.close(&format!("){tail}"));
    }

    /// `head` expression `;`, where `head` is `let x =` or `out[0] =`. An expression wider than a
    /// line is broken.
    pub fn assign(&mut self, head: &str, expression: &str, pieces: Option<&Pieces>) {
        let whole = pieces.is_none_or(Pieces::is_narrow);
        let one = format!("{head} {expression};");
        if whole && width(&one) <= self.room() {
            self.line(&one);
            return;
        }
        // At the start of a line, rustfmt does not take `p.m.sin()` for a chain.
        let whole = whole || pieces.is_some_and(Pieces::is_joined);
        let too_wide = !whole || width(expression) + 5 > self.room();
        match pieces {
            Some(pieces) if too_wide => self.in_pieces(head, pieces, ";"),
            _ => {
                self.line(head);
                self.indent += 1;
                self.line(&format!("{expression};"));
                self.indent -= 1;
            }
        }
    }

    /// An expression as the result of a block, broken if it is too wide.
    pub fn tail(&mut self, expression: &str, pieces: Option<&Pieces>) {
        let narrow = pieces.is_none_or(|pieces| pieces.is_narrow() || pieces.is_joined());
        match pieces {
            Some(pieces) if !narrow || width(expression) > self.room() => {
                self.in_pieces("", pieces, "");
            }
            _ => self.line(expression),
        }
    }

    /// The first line of what is broken, indented below its head or beside it.
    fn open_first(&mut self, head: &str, first: &str, apart: bool) {
        if apart {
            self.open(head);
            self.open(first);
        } else if head.is_empty() {
            self.open(first);
        } else {
            self.open(&format!("{head} {first}"));
        }
    }

    /// `head` expression `tail` over several lines.
    fn in_pieces(&mut self, head: &str, pieces: &Pieces, tail: &str) {
        let gap = if head.is_empty() { "" } else { " " };
        match pieces {
            Pieces::Operands(left, right) => {
                let first = format!("{head}{gap}{left}");
                let apart = !head.is_empty() && width(&first) > self.room();
                self.open_first(head, left, apart);
                self.line(&format!("{right}{tail}"));
                self.indent -= if apart { 2 } else { 1 };
            }
            Pieces::Chain(receiver, links) => {
                let (receiver, links) = if head.is_empty() {
                    joined(receiver, links)
                } else {
                    (receiver.clone(), links.as_slice())
                };
                let first = format!("{head}{gap}{receiver}");
                // Of a chain a column is kept for what ends the statement, though that stands on a later line.
                let apart = !head.is_empty() && width(&first) >= self.room();
                self.open_first(head, &receiver, apart);
                let last = links.len().saturating_sub(1);
                for (index, link) in links.iter().enumerate() {
                    let end = if index == last { tail } else { "" };
                    self.line(&format!("{link}{end}"));
                }
                self.indent -= if apart { 2 } else { 1 };
            }
            Pieces::Call(function, arguments, end) => {
                self.open(&format!("{head}{gap}{function}("));
                self.arguments(arguments);
                self.close(&format!("){end}{tail}"));
            }
        }
    }

    /// Whether the first line of `head choice` fits.
    pub fn holds(&self, head: &str, choice: &Choice) -> bool {
        width(&format!("{head} if {} {{", choice.condition())) <= self.room()
    }

    /// `head choice tail`, of which the first line [`holds`](Self::holds), where `head` is `let x =` or empty.
    pub fn select(&mut self, head: &str, choice: &Choice, tail: &str) {
        let gap = if head.is_empty() { "" } else { " " };
        let one = format!("{head}{gap}{choice}{tail}");
        if width(&choice.to_string()) <= CHOICE && width(&one) <= self.room() {
            self.line(&one);
            return;
        }
        let next = format!("{choice}{tail}");
        if width(&choice.to_string()) <= CHOICE
            && !head.is_empty()
            && width(&next) + 4 <= self.room()
        {
            self.open(head);
            self.line(&next);
            self.indent -= 1;
            return;
        }
        let Choice { then, other, .. } = choice;
        self.open(&format!("{head}{gap}if {} {{", choice.condition()));
        self.line(then);
        self.indent -= 1;
        self.open("} else {");
        self.line(other);
        self.close(&format!("}}{tail}"));
    }

    /// `#[allow(lints)]`, if there are any.
    pub fn allow(&mut self, lints: &[&str]) {
        let list = lints.join(", ");
        if lints.is_empty() {
            return;
        }
        if width(&list) <= ATTRIBUTE {
            self.line(&format!("#[allow({list})]"));
        } else {
            self.open("#[allow(");
            let last = lints.len() - 1;
            for (index, lint) in lints.iter().enumerate() {
                self.line(&format!("{lint}{}", if index < last { "," } else { "" }));
            }
            self.close(")]");
        }
    }

    /// The arguments of a call that are too wide for one line.
    fn arguments(&mut self, args: &[String]) {
        let simple = |arg: &String| {
            arg.trim_start_matches('&')
                .trim_start_matches("mut ")
                .to_owned()
        };
        if args
            .iter()
            .all(|arg| width(arg) <= SHORT && is_short(&simple(arg)))
        {
            self.fill(args);
        } else {
            for arg in args {
                self.line(&format!("{arg},"));
            }
        }
    }

    /// `function(args)tail`
    pub fn statement(&mut self, function: &str, args: &[String], tail: &str) {
        let list = args.join(", ");
        let one = format!("{function}({list}){tail}");
        if width(&list) <= LIST && width(&one) <= self.room() {
            self.line(&one);
            return;
        }
        self.open(&format!("{function}("));
        self.arguments(args);
        self.close(&format!("){tail}"));
    }

    /// `head` `function(args);`
    pub fn apply(&mut self, head: &str, function: &str, args: &[String]) {
        self.apply_with(head, function, args, ";");
    }

    /// `head` `function(args)tail`
    pub fn apply_with(&mut self, head: &str, function: &str, args: &[String], tail: &str) {
        let list = args.join(", ");
        let call = format!("{function}({list}){tail}");
        let narrow = width(&list) <= LIST;
        if narrow && width(head) + 1 + width(&call) <= self.room() {
            self.line(&format!("{head} {call}"));
        } else if narrow && width(&call) + 4 <= self.room() {
            self.line(head);
            self.indent += 1;
            self.line(&call);
            self.indent -= 1;
        } else {
            self.open(&format!("{head} {function}("));
            self.arguments(args);
            self.close(&format!("){tail}"));
        }
    }

    /// `head receiver.method(args);`, where `head` is `let h =` and `path` the method's trait.
    pub fn call(&mut self, head: &str, [path, receiver, method]: [&str; 3], args: &[String]) {
        let list = args.join(", ");
        let call = format!("{receiver}.{method}({list});");
        let narrow = width(&list) <= LIST;
        if narrow && width(head) + 1 + width(&call) <= self.room() {
            self.line(&format!("{head} {call}"));
        } else if narrow && width(&call) + 4 <= self.room() {
            self.line(head);
            self.indent += 1;
            self.line(&call);
            self.indent -= 1;
        } else {
            // What rustfmt does with a narrow call of a long name depends on too much: a plain
            // call has one layout.
            let mut passed = args.to_vec();
            if narrow {
                self.open(&format!("{head} {path}::{method}("));
                passed.insert(0, receiver.to_owned());
            } else {
                self.open(&format!("{head} {receiver}.{method}("));
            }
            if args.iter().all(|arg| is_short(arg)) {
                self.fill(&passed);
            } else {
                for arg in passed {
                    self.line(&format!("{arg},"));
                }
            }
            self.close(");");
        }
    }

    /// `head` array literal `tail`; `head` ends where the bracket opens.
    pub fn array(&mut self, head: &str, items: &[Item], tail: &str) {
        let one = format!("{head}{}{tail}", Item::Array(items.to_vec()).inline());
        let inline: Vec<String> = items.iter().map(Item::inline).collect();
        let narrow = is_narrow(items);
        if narrow && width(&one) <= self.room() {
            self.line(&one);
            return;
        }
        let bare = Item::Array(items.to_vec()).inline();
        if narrow && head.ends_with("= ") && width(&bare) + 5 <= self.room() {
            self.line(head.trim_end());
            self.indent += 1;
            self.line(&format!("{bare}{tail}"));
            self.indent -= 1;
            return;
        }
        if let [Item::Array(only)] = items {
            // An array in an array shares its lines.
            self.array(&format!("{head}["), only, &format!("]{tail}"));
            return;
        }
        self.open(&format!("{head}["));
        if inline.iter().all(|item| is_short(item)) {
            self.fill(&inline);
        } else {
            for item in items {
                match item {
                    Item::Text(text) => self.line(&format!("{text},")),
                    Item::Array(items) => self.array("", items, ","),
                }
            }
        }
        self.close(&format!("]{tail}"));
    }

    /// As many items on a line as it holds, each followed by a comma; that of the last one may take the last column of the first line.
    fn fill(&mut self, items: &[String]) {
        let mut line = String::new();
        let mut is_first = true;
        for (place, item) in items.iter().enumerate() {
            let more = 1 + width(item) + 1;
            let is_last = place + 1 == items.len() && is_first;
            let room = self.room().saturating_sub(usize::from(!is_last));
            if !line.is_empty() && width(&line) + more > room {
                self.line(&line);
                line.clear();
                is_first = false;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(item);
            line.push(',');
        }
        self.line(&line);
    }

    /// `head name { fields } tail`
    pub fn struct_literal_as(&mut self, head: &str, name: &str, fields: &[String], tail: &str) {
        let list = fields.join(", ");
        if width(&list) <= STRUCT {
            self.line(&format!("{head} {name} {{ {list} }}{tail}"));
        } else {
            self.open(&format!("{head} {name} {{"));
            for field in fields {
                self.line(&format!("{field},"));
            }
            self.close(&format!("}}{tail}"));
        }
    }

    /// `head { fields }`
    pub fn struct_literal(&mut self, head: &str, fields: &[String]) {
        let list = fields.join(", ");
        if fields.is_empty() {
            self.line(&format!("{head} {{}}"));
        } else if width(&list) <= STRUCT {
            self.line(&format!("{head} {{ {list} }}"));
        } else {
            self.open(&format!("{head} {{"));
            for field in fields {
                self.line(&format!("{field},"));
            }
            self.close("}");
        }
    }
}

/// An expression that may be too wide for a line, as it is broken then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// One operation on two atoms: the left one, and the operator with the right one.
    Operands(String, String),
    /// What methods and fields follow, each of them with its point.
    Chain(String, Vec<String>),
    /// A function, its arguments, and what stands behind them.
    Call(String, Vec<String>, &'static str),
}

impl Pieces {
    /// Whether it may stand on one line that is wide enough.
    fn is_narrow(&self) -> bool {
        match self {
            Self::Operands(..) => true,
            // A single link is no chain.
            Self::Chain(_, links) if links.len() < 2 => true,
            Self::Chain(receiver, links) => {
                let links: usize = links.iter().map(|link| width(link)).sum();
                width(receiver) + links <= LIST
            }
            Self::Call(_, arguments, _) => width(&arguments.join(", ")) <= LIST,
        }
    }

    /// Whether it is no chain at the start of a line.
    fn is_joined(&self) -> bool {
        matches!(self, Self::Chain(receiver, links) if joined(receiver, links).1.is_empty())
    }
}

/// A chain at the start of a line: what is no wider than an indent takes the next link.
fn joined<'l>(receiver: &str, mut links: &'l [String]) -> (String, &'l [String]) {
    let mut receiver = receiver.to_owned();
    while let [link, rest @ ..] = links
        && receiver.len() <= 4
    {
        receiver.push_str(link);
        links = rest;
    }
    (receiver, links)
}

/// `if left right { then } else { other }`, where `right` begins with the comparison or is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The left side of the comparison.
    pub left: String,
    /// The comparison and its right side.
    pub right: String,
    /// The value if it holds.
    pub then: String,
    /// The value otherwise.
    pub other: String,
}

impl Choice {
    fn condition(&self) -> String {
        format!("{} {}", self.left, self.right)
            .trim_end()
            .to_owned()
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (condition, Self { then, other, .. }) = (self.condition(), self);
        write!(f, "if {condition} {{ {then} }} else {{ {other} }}")
    }
}

/// Whether rustfmt fills lines with such items: narrow names, fields, entries and literals.
fn is_short(item: &str) -> bool {
    let plain = !item.starts_with('[') && !item.contains([' ', '(', ':']) && !item.contains("..");
    let simple = item.starts_with('"') || plain;
    simple && width(item) <= SHORT
}

/// An item of an array literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An expression.
    Text(String),
    /// An array in the array.
    Array(Vec<Item>),
}

/// Whether the items of an array may share a line: of one that is all there is, whether its own may.
fn is_narrow(items: &[Item]) -> bool {
    match items {
        [Item::Text(_)] => true,
        [Item::Array(only)] => is_narrow(only),
        _ => {
            let inline: Vec<String> = items.iter().map(Item::inline).collect();
            width(&inline.join(", ")) <= LIST
        }
    }
}

impl Item {
    /// The items of a flat array.
    pub fn texts<T: ToString>(texts: impl IntoIterator<Item = T>) -> Vec<Self> {
        let text = |text: T| Self::Text(text.to_string());
        texts.into_iter().map(text).collect()
    }

    /// The items of an array of rows of the given length.
    pub fn rows<T: ToString>(texts: &[T], columns: usize) -> Vec<Self> {
        if columns == 0 {
            return Vec::new();
        }
        let row = |row: &[T]| Self::Array(Self::texts(row.iter().map(T::to_string)));
        texts.chunks(columns).map(row).collect()
    }

    /// On one line.
    fn inline(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Array(items) => {
                let items: Vec<String> = items.iter().map(Self::inline).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
