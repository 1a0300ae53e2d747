//! Statements of Autolev's text. Knows the grammar, and which words begin what; nothing of what they mean.

use super::super::findings::Findings;
use super::lexer::{Line, Placed, Token};
use super::tree::{Declared, Expr, Given, How, Kind, Sign, Statement, Target, What};
use crate::diag::codes::import::{E0603, E0606};
use crate::span::Span;

/// Deepest nesting of an expression.
const DEEPEST: usize = 200;
/// Longest range of a declaration.
const MOST: usize = 1000;

/// Words that begin a line that has no effect on the motion.
const IDLE: [&str; 26] = [
    "code",
    "save",
    "encode",
    "autoz",
    "autorhs",
    "overwrite",
    "pause",
    "factoring",
    "animate",
    "exit",
    "quit",
    "beepsound",
    "digits",
    "epsilon",
    "echo",
    "logging",
    "autoepsilon",
    "autoexpress",
    "autofactor",
    "zeroptions",
    "units_off",
    "plot",
    "complex",
    "exportmode",
    "typeset",
    "show",
];

/// The words of declarations.
const DECLARING: [(&str, &str); 18] = [
    ("newtonian", "newtonian"),
    ("frame", "frame"),
    ("frames", "frame"),
    ("body", "body"),
    ("bodies", "body"),
    ("particle", "particle"),
    ("particles", "particle"),
    ("point", "point"),
    ("points", "point"),
    ("constant", "constant"),
    ("constants", "constant"),
    ("specified", "specified"),
    ("specifieds", "specified"),
    ("variable", "variable"),
    ("variables", "variable"),
    ("motionvariable", "motion"),
    ("motionvariables", "motion"),
    ("imaginary", "imaginary"),
];

/// Why a statement cannot be read.
struct Wrong {
    code: &'static str,
    title: String,
    span: Span,
    label: &'static str,
    help: String,
}

type Read<T> = Result<T, Wrong>;

struct Parser<'a> {
    tokens: &'a [Placed],
    at: usize,
    depth: usize,
    end: Span,
}

/// Every statement; those that cannot be read are among the findings.
pub fn statements(lines: &[Line], findings: &mut Findings) -> Vec<Statement> {
    let mut all = Vec::new();
    for line in lines {
        let (Some(first), Some(last)) = (line.tokens.first(), line.tokens.last()) else {
            continue;
        };
        let mut parser = Parser {
            tokens: &line.tokens,
            at: 0,
            depth: 0,
            end: last.span,
        };
        match parser.statement() {
            Ok(kind) => all.push(Statement {
                kind,
                span: first.span.to(last.span),
                comment: line.comment.clone(),
            }),
            Err(wrong) => {
                findings.error(wrong.code, wrong.title, wrong.span, wrong.label, wrong.help);
            }
        }
    }
    all
}

fn lower(text: &str) -> String {
    text.to_ascii_lowercase()
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    fn span(&self) -> Span {
        self.tokens
            .get(self.at)
            .map_or(self.end, |placed| placed.span)
    }

    /// The place of what was read last.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn need(&mut self, sign: &'static str) -> Read<()> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    fn unexpected(&self, wanted: &str) -> Wrong {
        let found = match self.peek() {
            None => "the line ends".to_owned(),
            Some(Token::Sign(sign)) => format!("`{sign}` stands"),
            Some(Token::Word(word) | Token::Number(word)) => format!("`{word}` stands"),
            Some(Token::Vector(name)) => format!("`{name}>` stands"),
            Some(Token::Dyadic(name)) => format!("`{name}>>` stands"),
            Some(Token::Other(c)) => format!("`{}` stands", c.escape_debug()),
        };
        Wrong {
            code: E0606,
            title: format!("{found} where {wanted} should"),
            span: self.span(),
            label: "not as Autolev writes it",
            help: format!("write {wanted} here; a statement goes on in the next line after `&`"),
        }
    }

    fn word(&mut self) -> Read<(String, Span)> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let found = (word.clone(), self.span());
                self.at += 1;
                Ok(found)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn primes(&mut self) -> usize {
        let from = self.at;
        while self.take("'") {}
        self.at - from
    }

    fn done(&mut self) -> Read<()> {
        self.take(";");
        if self.at < self.tokens.len() {
            Err(self.unexpected("the end of the line"))
        } else {
            Ok(())
        }
    }

    fn statement(&mut self) -> Read<What> {
        let Some(Token::Word(first)) = self.peek() else {
            return self.assignment();
        };
        let first = lower(first);
        let next = self.tokens.get(self.at + 1).map(|placed| &placed.token);
        if matches!(next, Some(Token::Other('.')))
            || first == "newtonianframe"
            || first == "rigidbody"
            || first == "rigidframe"
        {
            return Err(Wrong {
                code: E0603,
                title: "MotionGenesis's way of writing is not read".to_owned(),
                span: self.span(),
                label: "a method of an object",
                help: "write it as Autolev does: `NEWTONIAN N`, `BODIES A`, `SIMPROT(N, A, 3, q)`, `P_NO_AO> = ..`, `FORCE_AO> = ..`".to_owned(),
            });
        }
        let assigns = matches!(next, Some(Token::Sign("=" | ":=" | "+=" | "-=" | "[")));
        if assigns {
            return self.assignment();
        }
        if let Some((_, word)) = DECLARING.iter().find(|(spelled, _)| *spelled == first) {
            self.at += 1;
            let primes = self.primes();
            return self.declaration(word, primes);
        }
        if IDLE.contains(&first.as_str()) {
            return Ok(What::Idle);
        }
        match first.as_str() {
            "mass" if !matches!(next, Some(Token::Sign("("))) => self.mass(),
            "inertia" => self.inertia(),
            "input" | "inputs" => self.input(),
            "units" => self.units(),
            "unitsystem" => self.unit_system(),
            "output" | "outputs" => self.output(),
            "degrees" if matches!(next, Some(Token::Word(word)) if lower(word) == "off") => {
                Ok(What::Idle)
            }
            "degrees" | "run" => Err(Wrong {
                code: E0603,
                title: format!("`{first}` is not read"),
                span: self.span(),
                label: "changes how the file is read",
                help: if first == "run" {
                    "put the text of that file here".to_owned()
                } else {
                    "remove the line, and write units behind values: `INPUT q1 = 30 deg`".to_owned()
                },
            }),
            _ if matches!(next, Some(Token::Sign("("))) => {
                self.at += 1;
                let arguments = self.arguments()?;
                // What is behind a command is where it writes to.
                if first != "simprot" && first != "dircos" {
                    self.at = self.tokens.len();
                }
                self.done()?;
                Ok(What::Call(first, arguments))
            }
            _ => self.assignment(),
        }
    }

    fn declaration(&mut self, word: &'static str, primes: usize) -> Read<What> {
        let mut all = Vec::new();
        loop {
            let (name, span) = self.word()?;
            let suffixes = self.suffixes()?;
            let sign = if self.take("+") {
                Some('+')
            } else if self.take("-") {
                Some('-')
            } else {
                None
            };
            let more = self.primes();
            let value = if self.take("=") {
                Some(self.expression()?)
            } else {
                None
            };
            // A unit behind the value.
            while value.is_some() && !self.is(",") && self.at < self.tokens.len() {
                self.at += 1;
            }
            for suffix in suffixes {
                all.push(Declared {
                    name: format!("{name}{suffix}"),
                    primes: primes.max(more),
                    sign,
                    value: value.clone(),
                    span,
                });
            }
            if !self.take(",") {
                break;
            }
        }
        self.done()?;
        Ok(What::Declare(word, all))
    }

    fn count(&mut self) -> Read<usize> {
        let found = match self.peek() {
            Some(Token::Number(text)) => text.parse().ok().filter(|count| *count <= MOST),
            _ => None,
        };
        let Some(count) = found else {
            return Err(self.unexpected("a whole number up to 1000"));
        };
        self.at += 1;
        Ok(count)
    }

    /// `{3}`, `{2:5}`, `{2,3}`, `{1:2,1:3}`: what is behind the name.
    fn suffixes(&mut self) -> Read<Vec<String>> {
        let mut all = vec![String::new()];
        if !self.take("{") {
            return Ok(all);
        }
        loop {
            let first = self.count()?;
            let (from, to) = if self.take(":") {
                (first, self.count()?)
            } else {
                (1, first)
            };
            if all.len().saturating_mul(to.saturating_sub(from) + 1) > MOST {
                return Err(self.unexpected("a range of up to 1000 names"));
            }
            all = all
                .iter()
                .flat_map(|name| (from..=to).map(move |number| format!("{name}{number}")))
                .collect();
            if !self.take(",") {
                break;
            }
        }
        self.need("}")?;
        Ok(all)
    }

    fn mass(&mut self) -> Read<What> {
        self.at += 1;
        let mut all = Vec::new();
        loop {
            let (name, span) = self.word()?;
            self.need("=")?;
            all.push((lower(&name), self.expression()?, span));
            if !self.take(",") {
                break;
            }
        }
        self.done()?;
        Ok(What::Mass(all))
    }

    fn inertia(&mut self) -> Read<What> {
        self.at += 1;
        let (name, _) = self.word()?;
        let frame = if self.take("(") {
            let (frame, _) = self.word()?;
            self.need(")")?;
            Some(lower(&frame))
        } else {
            None
        };
        let mut entries = Vec::new();
        while self.take(",") {
            entries.push(self.expression()?);
        }
        self.done()?;
        Ok(What::Inertia(lower(&name), frame, entries))
    }

    /// The text up to the next comma.
    fn unit(&mut self) -> String {
        let mut text = String::new();
        while let Some(token) = self.peek() {
            match token {
                Token::Sign(",") => break,
                Token::Word(word) | Token::Number(word) => text += &lower(word),
                Token::Sign(sign) => text += sign,
                _ => text.push('?'),
            }
            self.at += 1;
        }
        text
    }

    fn input(&mut self) -> Read<What> {
        self.at += 1;
        let mut all = Vec::new();
        loop {
            let (name, span) = self.word()?;
            let primes = self.primes();
            self.need("=")?;
            let value = self.expression()?;
            let span = span.to(self.before());
            all.push(Given {
                name: lower(&name),
                primes,
                value,
                unit: self.unit(),
                span,
            });
            if !self.take(",") {
                break;
            }
        }
        self.done()?;
        Ok(What::Input(all))
    }

    fn units(&mut self) -> Read<What> {
        self.at += 1;
        let mut all = Vec::new();
        loop {
            let bracket = self.take("[");
            let mut names = Vec::new();
            loop {
                let (name, _) = self.word()?;
                let suffixes = self.suffixes()?;
                self.primes();
                names.extend(
                    suffixes
                        .into_iter()
                        .map(|suffix| format!("{}{suffix}", lower(&name))),
                );
                if !(bracket && self.take(",")) {
                    break;
                }
            }
            if bracket {
                self.need("]")?;
            }
            self.need("=")?;
            let unit = self.unit();
            all.extend(names.into_iter().map(|name| (name, unit.clone())));
            if !self.take(",") {
                break;
            }
        }
        Ok(What::Units(all))
    }

    fn unit_system(&mut self) -> Read<What> {
        let known = [
            "unitsystem",
            "kg",
            "kilogram",
            "m",
            "meter",
            "meters",
            "metre",
            "s",
            "sec",
            "second",
            "seconds",
            "n",
            "newton",
            "rad",
            "radian",
        ];
        while let Some(token) = self.peek() {
            match token {
                Token::Sign(",") => {}
                Token::Word(word) if known.contains(&lower(word).as_str()) => {}
                _ => {
                    return Err(Wrong {
                        code: E0603,
                        title: "a system of units other than kg, m and s".to_owned(),
                        span: self.span(),
                        label: "not read",
                        help: "give values in SI, and write `UNITSYSTEM kg, m, sec`".to_owned(),
                    });
                }
            }
            self.at += 1;
        }
        Ok(What::Idle)
    }

    fn output(&mut self) -> Read<What> {
        self.at += 1;
        let mut all = Vec::new();
        loop {
            all.push(self.expression()?);
            self.unit();
            if !self.take(",") {
                break;
            }
        }
        Ok(What::Output(all))
    }

    fn assignment(&mut self) -> Read<What> {
        let target = match self.peek().cloned() {
            Some(Token::Vector(name)) => {
                self.at += 1;
                Target::Vector(lower(&name))
            }
            Some(Token::Dyadic(_)) => {
                self.at += 1;
                Target::Dyadic
            }
            Some(Token::Word(name)) => {
                self.at += 1;
                if self.is("[") {
                    Target::Element(lower(&name), self.brackets()?)
                } else {
                    Target::Scalar(lower(&name), self.primes())
                }
            }
            _ => return Err(self.unexpected("a statement")),
        };
        let how = match self.peek() {
            Some(Token::Sign("=" | ":=")) => How::Is,
            Some(Token::Sign("+=")) => How::Add,
            Some(Token::Sign("-=")) => How::Subtract,
            // A name alone shows its value.
            None => return Ok(What::Idle),
            _ => return Err(self.unexpected("`=`")),
        };
        self.at += 1;
        let value = self.expression()?;
        self.done()?;
        Ok(What::Assign(target, how, value))
    }

    fn brackets(&mut self) -> Read<Vec<Expr>> {
        self.need("[")?;
        let mut all = vec![self.expression()?];
        while self.take(",") {
            all.push(self.expression()?);
        }
        self.need("]")?;
        Ok(all)
    }

    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.need("(")?;
        let mut all = Vec::new();
        if self.take(")") {
            return Ok(all);
        }
        loop {
            let mut argument = self.expression()?;
            // `EVALUATE(x, q = 0)`
            if self.take("=") {
                argument = self.expression()?;
            }
            all.push(argument);
            if !self.take(",") {
                break;
            }
        }
        self.need(")")?;
        Ok(all)
    }

    fn expression(&mut self) -> Read<Expr> {
        self.deeper()?;
        let mut left = self.product()?;
        let outside = self.depth;
        loop {
            self.deeper()?;
            let sign = if self.take("+") {
                Sign::Plus
            } else if self.take("-") {
                Sign::Minus
            } else {
                break;
            };
            let right = self.product()?;
            left = Expr::join(sign, left, right);
        }
        self.depth = outside - 1;
        Ok(left)
    }

    /// One level more: each further term is one, too.
    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        Err(Wrong {
            code: E0603,
            title: "an expression of too many terms or levels".to_owned(),
            span: self.span(),
            label: "here",
            help: "name parts of it".to_owned(),
        })
    }

    fn product(&mut self) -> Read<Expr> {
        let mut left = self.signed()?;
        let outside = self.depth;
        loop {
            self.deeper()?;
            let sign = if self.take("*") {
                Sign::Times
            } else if self.take("/") {
                Sign::Over
            } else {
                self.depth = outside;
                return Ok(left);
            };
            let right = self.signed()?;
            left = Expr::join(sign, left, right);
        }
    }

    fn signed(&mut self) -> Read<Expr> {
        let span = self.span();
        let (mut negative, mut signs) = (false, 0);
        loop {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
            signs += 1;
            if signs > DEEPEST {
                return Err(self.unexpected("a number or name"));
            }
        }
        let inner = self.power()?;
        if !negative {
            return Ok(inner);
        }
        let span = span.to(inner.span);
        Ok(Expr::new(Kind::Negative(Box::new(inner)), span))
    }

    fn power(&mut self) -> Read<Expr> {
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        self.deeper()?;
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(Expr::join(Sign::Power, base, exponent))
    }

    fn atom(&mut self) -> Read<Expr> {
        let span = self.span();
        let Some(token) = self.peek().cloned() else {
            return Err(self.unexpected("a number or name"));
        };
        let kind = match token {
            Token::Number(text) => {
                self.at += 1;
                Kind::Number(text)
            }
            Token::Vector(name) => {
                self.at += 1;
                Kind::Vector(lower(&name))
            }
            Token::Dyadic(_) => {
                self.at += 1;
                Kind::Dyadic
            }
            Token::Word(name) => {
                self.at += 1;
                let name = lower(&name);
                if self.is("(") {
                    Kind::Call(name, self.arguments()?)
                } else if self.is("[") {
                    Kind::Element(name, self.brackets()?)
                } else {
                    Kind::Name(name, self.primes())
                }
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.need(")")?;
                return Ok(Expr::new(inner.kind, span.to(self.before())));
            }
            Token::Sign("[") => Kind::Matrix(self.matrix()?),
            _ => return Err(self.unexpected("a number or name")),
        };
        Ok(Expr::new(kind, span.to(self.before())))
    }

    fn matrix(&mut self) -> Read<Vec<Vec<Expr>>> {
        self.need("[")?;
        let mut rows = vec![Vec::new()];
        loop {
            let entry = self.expression()?;
            if let Some(row) = rows.last_mut() {
                row.push(entry);
            }
            if self.take(";") {
                rows.push(Vec::new());
            } else if !self.take(",") {
                break;
            }
        }
        self.need("]")?;
        Ok(rows)
    }
}
