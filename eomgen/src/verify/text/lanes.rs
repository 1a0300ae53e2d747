//! A block of states that go side by side through the stages of a function, read as what happens to one of them: columns are numbers, loops over
//! lanes are run once.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{Expr, FnArg, ItemFn, Member, Pat, Stmt};

use super::Unreadable;
use super::body::{Compiler, Local, ident};
use super::frame::{Frame, Returned, returned, whole};
use super::lines::Lines;
use super::literal::Literal;
use super::many::{Columns, Many, text, words};
use super::sources::Sources;
use super::tree::{Check, Function, Module, Shape, Step, StepId, Test};

/// A block and what it stands beside.
pub(super) struct Block<'m> {
    pub(super) many: &'m Many,
    /// Which columns it takes.
    pub(super) columns: &'m Columns,
    /// The function of one state.
    pub(super) one: &'m Function,
}

/// What the columns hold at a place of the text.
#[derive(Default)]
struct State {
    sines: Vec<Option<StepId>>,
    cosines: Vec<Option<StepId>>,
    known: Vec<Option<StepId>>,
    /// Entries of the result, with their lines.
    results: Vec<Option<(StepId, u32)>>,
    /// The column that was copied to be an angle.
    angles: Option<StepId>,
    /// Whether it is said of each state that its checks hold.
    counts: bool,
    /// By what it is said.
    sound: Vec<StepId>,
    /// Results that are not finite are not sound.
    finite: bool,
    /// The stages that were read.
    stages: Vec<String>,
}

impl Block<'_> {
    /// The function of one state that it is, and the names of its stages.
    pub(super) fn compile(
        &self,
        module: &mut Module,
        sources: &Sources,
    ) -> Result<(Function, Vec<String>), Unreadable> {
        let (block, lines) = self.many.get(&format!("{}_block", self.one.name))?;
        let frame = Frame {
            of: Returned::Numbers(self.one.shape),
            checked: false,
        };
        let name = format!("{}_batch", self.one.name);
        let head = self.many.get(&name)?.1.head;
        let mut compiler = Compiler {
            module,
            sources,
            function: Function {
                name: name.clone(),
                line: head,
                extra: Vec::new(),
                checked: self.one.checked,
                steps: Vec::new(),
                lines: Vec::new(),
                checks: Vec::new(),
                finite: self.one.finite,
                routines: Vec::new(),
                shape: self.one.shape,
                outputs: Vec::new(),
                guarded: None,
                part_of: None,
            },
            frame,
            locals: BTreeMap::new(),
            numbers: BTreeMap::new(),
            calls: vec![name],
            used: std::collections::BTreeSet::new(),
            line: head,
        };
        let model = compiler.model(block)?;
        let mut reading = Reading {
            compiler: &mut compiler,
            many: self.many,
            columns: self.columns,
            model,
            state: State {
                results: vec![None; self.one.shape.len()],
                ..State::default()
            },
        };
        reading.block(block, lines)?;
        let State {
            results,
            sound,
            finite,
            stages,
            ..
        } = reading.state;
        let outputs: Option<Vec<(StepId, u32)>> = results.into_iter().collect();
        let outputs = outputs.ok_or_else(|| compiler.unknown("results of", &block.sig.ident))?;
        compiler.function.outputs = outputs;
        let fits = match sound.as_slice() {
            [] => !self.one.checked && !finite,
            [only] => self.one.checked && finite && compiler.sound(*only, &self.one.checks),
            _ => false,
        };
        if !fits {
            compiler.line = lines.head;
            return Err(compiler.unknown("checks of", &block.sig.ident));
        }
        compiler.prune();
        Ok((compiler.function, stages))
    }
}

impl Compiler<'_> {
    /// Takes the checks from the number that is 1 where all of them hold; whether they are as many as those of the function of one state.
    fn sound(&mut self, place: StepId, of_one: &[Check]) -> bool {
        let mut list = Vec::new();
        let mut place = place;
        while !self.is_literal(place, 1) {
            let Some(Step::Select(Test::Greater, [size, least, then, other])) =
                self.function.steps.get(place as usize).cloned()
            else {
                return false;
            };
            let line = self.function.lines.get(place as usize).copied();
            let Some(scale) = self.scale(least).filter(|_| self.is_literal(other, 0)) else {
                return false;
            };
            // What is never negative needs no `abs`; where it were, the state would be refused.
            let divisor = match self.function.steps.get(size as usize) {
                Some(Step::Abs(of)) => *of,
                _ => size,
            };
            list.push((divisor, scale, line.unwrap_or(self.line)));
            place = then;
        }
        list.reverse();
        let checks = list.into_iter().zip(of_one);
        let checks = checks.map(|((divisor, scale, line), one)| Check {
            condition: one.condition,
            divisor,
            scale,
            line,
        });
        self.function.checks = checks.collect();
        self.function.checks.len() == of_one.len()
    }

    fn literal_of(&self, place: StepId) -> Option<&Literal> {
        match self.function.steps.get(place as usize) {
            Some(Step::Literal(index)) => self.module.literals.get(*index as usize),
            _ => None,
        }
    }

    pub(super) fn is_literal(&self, place: StepId, value: i64) -> bool {
        let value = num_bigint::BigInt::from(value);
        self.literal_of(place)
            .is_some_and(|literal| literal.value == num_rational::BigRational::from(value))
    }

    /// What a bound is the tolerance of.
    fn scale(&mut self, bound: StepId) -> Option<StepId> {
        let tolerance = self.module.tolerance?;
        let tolerance = self.module.literals.get(tolerance as usize)?.value.clone();
        let is_it = |this: &Self, place: StepId| {
            this.literal_of(place)
                .is_some_and(|literal| literal.value == tolerance)
        };
        if let Some(literal) = self.literal_of(bound) {
            let scale = Literal {
                value: &literal.value / &tolerance,
                radius: &literal.radius / &tolerance,
                ..literal.clone()
            };
            self.module.literals.push(scale);
            let index = (self.module.literals.len() - 1) as u32;
            return Some(self.push(Step::Literal(index)));
        }
        match self.function.steps.get(bound as usize)? {
            Step::Product(a, b) => {
                let (a, b) = (*a, *b);
                if is_it(self, a) {
                    Some(b)
                } else {
                    is_it(self, b).then_some(a)
                }
            }
            _ => None,
        }
    }
}

/// A block that is being read.
struct Reading<'r, 'm, 'c> {
    compiler: &'r mut Compiler<'c>,
    many: &'m Many,
    columns: &'m Columns,
    model: Local,
    state: State,
}

/// What is passed to a stage.
type Lane = BTreeMap<String, Local>;

impl Reading<'_, '_, '_> {
    fn unknown(&self, what: &impl ToTokens) -> Unreadable {
        self.compiler.unknown("statement of a block", what)
    }

    fn block(&mut self, block: &ItemFn, lines: &Lines) -> Result<(), Unreadable> {
        let statements = &block.block.stmts;
        let counted = Some(lines).filter(|lines| statements.len() == lines.statements.len());
        let mut ended = false;
        for (i, statement) in statements.iter().enumerate() {
            let line = counted.and_then(|lines| lines.statements.get(i));
            self.compiler.line = line.copied().unwrap_or(lines.head);
            let is_end = words(statement) == text("sound");
            if ended || self.state.finite && !is_end {
                return Err(self.unknown(statement));
            }
            match statement {
                Stmt::Local(_) => self.declaration(statement)?,
                Stmt::Expr(Expr::Call(call), Some(_)) => self.sin_cos(call)?,
                Stmt::Expr(Expr::ForLoop(of), None) if self.is_over_lanes(of) => {
                    self.lane(&of.body.stmts)?;
                }
                other if words(other) == text(FINITE) && !self.state.finite => {
                    self.state.finite = true;
                }
                _ if is_end && self.state.finite => ended = true,
                other => return Err(self.unknown(other)),
            }
        }
        if ended == self.state.finite && ended == self.state.counts {
            Ok(())
        } else {
            Err(self.unknown(&block.sig.ident))
        }
    }

    /// The columns that a block has of its own, and copies of angles.
    fn declaration(&mut self, statement: &Stmt) -> Result<(), Unreadable> {
        let said = words(statement);
        if said == text("let mut sound = [1.0; W];") && !self.state.counts {
            self.state.counts = self.state.stages.is_empty();
            return if self.state.counts {
                Ok(())
            } else {
                Err(self.unknown(statement))
            };
        }
        let number = said
            .iter()
            .rev()
            .find_map(|word| word.parse::<usize>().ok());
        let number = number.unwrap_or(0);
        for (name, column) in [
            ("sines", &self.state.sines),
            ("cosines", &self.state.cosines),
        ] {
            if said == text(&format!("let angles = {name}[{number}];")) {
                self.state.angles = column.get(number).copied().flatten();
                return Ok(());
            }
        }
        let columns = [
            ("sines", &mut self.state.sines),
            ("cosines", &mut self.state.cosines),
            ("known", &mut self.state.known),
        ];
        for (name, column) in columns {
            let expected = text(&format!("let mut {name} = [[0.0; W]; {number}];"));
            // None is declared twice: it would be empty again.
            if said == expected && column.is_empty() && number <= MOST {
                *column = vec![None; number];
                return Ok(());
            }
        }
        Err(self.unknown(statement))
    }

    fn is_over_lanes(&self, of: &syn::ExprForLoop) -> bool {
        of.label.is_none()
            && words(&of.pat) == text("lane")
            && words(&of.expr) == text("0..W")
            && of.attrs.is_empty()
    }

    /// What a column holds.
    fn column_of(&mut self, expr: &Expr) -> Option<StepId> {
        let Expr::Index(index) = expr else {
            let is_time = ident(expr)? == "time";
            return is_time.then(|| self.compiler.push(Step::Time));
        };
        let (of, k) = (ident(&index.expr)?, whole(&index.index)?);
        match of.as_str() {
            "state" => {
                let entry = *self.columns.state.get(k)? as u32;
                Some(self.compiler.push(Step::State(entry)))
            }
            "input" => {
                let entry = *self.columns.input.get(k)? as u32;
                Some(self.compiler.push(Step::Input(entry)))
            }
            "sines" => *self.state.sines.get(k)?,
            "cosines" => *self.state.cosines.get(k)?,
            "known" => *self.state.known.get(k)?,
            _ => None,
        }
    }

    /// `sin_cos(state[0], &mut sines[0], &mut cosines[0]);`
    fn sin_cos(&mut self, call: &syn::ExprCall) -> Result<(), Unreadable> {
        let refused = |this: &Self| Err(this.unknown(call));
        let [angle, sines, cosines] = call.args.iter().collect::<Vec<_>>()[..] else {
            return refused(self);
        };
        let place = words(sines)
            .iter()
            .rev()
            .find_map(|word| word.parse::<usize>().ok());
        let Some(place) = place.filter(|_| self.compiler.is_fixed(&call.func, "sin_cos")) else {
            return refused(self);
        };
        let angle = match angle {
            Expr::Reference(of) if of.mutability.is_none() => match ident(&of.expr) {
                Some(name) if name == "angles" => self.state.angles,
                _ => self.column_of(&of.expr),
            },
            other => self.column_of(other),
        };
        let is_own = words(sines) == text(&format!("&mut sines[{place}]"))
            && words(cosines) == text(&format!("&mut cosines[{place}]"));
        let (Some(angle), true) = (angle, is_own) else {
            return refused(self);
        };
        let both = [
            crate::verify::number::Elementary::Sin,
            crate::verify::number::Elementary::Cos,
        ];
        let [sine, cosine] = both.map(|f| self.compiler.push(Step::Function(f, angle)));
        match (
            self.state.sines.get_mut(place),
            self.state.cosines.get_mut(place),
        ) {
            (Some(s), Some(c)) => (*s, *c) = (Some(sine), Some(cosine)),
            _ => return refused(self),
        }
        Ok(())
    }

    /// What happens in one lane: its share of the columns, a stage, and where the results go.
    fn lane(&mut self, statements: &[Stmt]) -> Result<(), Unreadable> {
        let mut lane = Lane::new();
        let mut values: Option<Vec<(StepId, u32)>> = None;
        for statement in statements {
            match (statement, &values) {
                (Stmt::Local(local), None) => {
                    let (name, of) = self.share(local, &lane)?;
                    match of {
                        Share::Columns(of) => {
                            if lane.insert(name, of).is_some() {
                                return Err(self.unknown(statement));
                            }
                        }
                        Share::Stage(of) => values = Some(of),
                    }
                }
                (Stmt::Expr(expr, Some(_)), Some(values)) => {
                    let values = values.clone();
                    self.put(expr, &values)?;
                }
                _ => return Err(self.unknown(statement)),
            }
        }
        Ok(())
    }

    /// `let lane_state = [0.0, state[0][lane]];`, `let lane_inputs = Inputs { .. };` or `let values = f_stage_1(..);`
    fn share(&mut self, local: &syn::Local, lane: &Lane) -> Result<(String, Share), Unreadable> {
        let refused = |this: &Self| this.unknown(local);
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
            return Err(refused(self));
        };
        let Pat::Ident(name) = &local.pat else {
            return Err(refused(self));
        };
        if name.mutability.is_some() || name.by_ref.is_some() || name.subpat.is_some() {
            return Err(refused(self));
        }
        let name = name.ident.to_string();
        match &*init.expr {
            Expr::Array(array) if name.starts_with("lane_") => {
                let mut entries = Vec::new();
                for entry in &array.elems {
                    entries.push((self.in_lane(entry)?, self.compiler.line));
                }
                let shape = Shape::Array(entries.len());
                Ok((name, Share::Columns(Local::Array(entries, shape))))
            }
            Expr::Struct(of) if name == "lane_inputs" && of.path.is_ident("Inputs") => {
                let mut fields = BTreeMap::new();
                for field in &of.fields {
                    let Member::Named(member) = &field.member else {
                        return Err(refused(self));
                    };
                    let place = self.in_lane(&field.expr)?;
                    fields.insert(member.to_string(), place);
                }
                // A model is a set of numbers with names, and so are inputs.
                Ok((name, Share::Columns(Local::Model(fields))))
            }
            Expr::Call(call) if name == "values" => {
                let values = self.stage(call, lane)?;
                Ok((name, Share::Stage(values)))
            }
            _ => Err(refused(self)),
        }
    }

    /// `state[0][lane]`, `time[lane]`, or the number that stands for what a stage does not read.
    fn in_lane(&mut self, expr: &Expr) -> Result<StepId, Unreadable> {
        if let Expr::Lit(_) = expr {
            return self.compiler.number(expr);
        }
        let found = match expr {
            Expr::Index(index) if words(&index.index) == text("lane") => {
                self.column_of(&index.expr)
            }
            _ => None,
        };
        found.ok_or_else(|| self.unknown(expr))
    }

    /// A stage with what is passed to it.
    fn stage(
        &mut self,
        call: &syn::ExprCall,
        lane: &Lane,
    ) -> Result<Vec<(StepId, u32)>, Unreadable> {
        let name = ident(&call.func).unwrap_or_default();
        let is_stage = name.rsplit_once("_stage_").is_some();
        let (function, lines) = self.many.get(&name)?;
        let frame = returned(&function.sig.output).filter(|frame| !frame.checked);
        let (Some(frame), true, true) = (
            frame,
            is_stage,
            function.sig.inputs.len() == call.args.len() && function.sig.generics.params.is_empty(),
        ) else {
            return Err(self.unknown(call));
        };
        let mut locals = BTreeMap::new();
        for (argument, passed) in function.sig.inputs.iter().zip(&call.args) {
            let local = self.passed(passed, lane)?;
            let name = self.bound(argument, &local);
            let name = name.ok_or_else(|| self.unknown(call))?;
            if locals.insert(name, local).is_some() {
                return Err(self.unknown(call));
            }
        }
        self.state.stages.push(name.clone());
        let outer = (
            std::mem::replace(&mut self.compiler.locals, locals),
            std::mem::replace(&mut self.compiler.frame, frame),
            self.compiler.line,
        );
        let result = self.compiler.block(&function.block.stmts, lines);
        (
            self.compiler.locals,
            self.compiler.frame,
            self.compiler.line,
        ) = outer;
        match result? {
            Local::Array(entries, _) => Ok(entries),
            _ => Err(self.unknown(call)),
        }
    }

    /// What a stage is handed.
    fn passed(&mut self, expr: &Expr, lane: &Lane) -> Result<Local, Unreadable> {
        let found = match expr {
            Expr::Reference(of) if of.mutability.is_none() => {
                ident(&of.expr).and_then(|name| lane.get(&name).cloned())
            }
            Expr::Index(_) => Some(Local::Number(self.in_lane(expr)?)),
            other => match ident(other).as_deref() {
                Some("model") => Some(self.model.clone()),
                Some("functions") => Some(Local::Functions),
                _ => None,
            },
        };
        found.ok_or_else(|| self.unknown(expr))
    }

    /// The name of an argument of a stage, if what is passed is of its type.
    fn bound(&self, argument: &FnArg, local: &Local) -> Option<String> {
        let FnArg::Typed(typed) = argument else {
            return None;
        };
        let Pat::Ident(name) = &*typed.pat else {
            return None;
        };
        let of = typed.ty.to_token_stream().to_string().replace(' ', "");
        let states = self.compiler.module.constant("STATES");
        let fits = match local {
            Local::Number(_) => of == "f64",
            Local::Array(_, Shape::Array(n)) => {
                of == format!("&[f64;{n}]") || of == "&[f64;STATES]" && states == Some(*n)
            }
            Local::Model(fields) if of == "&Inputs" => {
                let names = &self.compiler.module.inputs.names;
                fields.len() == names.len() && names.iter().all(|name| fields.contains_key(name))
            }
            Local::Model(_) => of == "&Model",
            Local::Functions => of == "&implFunctions",
            _ => false,
        };
        fits.then(|| name.ident.to_string())
    }

    /// `results[0][lane] = values[0];`, `known[0][lane] = values[0];`, `sound[lane] *= values[0];`
    fn put(&mut self, expr: &Expr, values: &[(StepId, u32)]) -> Result<(), Unreadable> {
        let value = |from: &Expr| {
            let Expr::Index(index) = from else {
                return None;
            };
            let own = ident(&index.expr).is_some_and(|name| name == "values");
            values.get(whole(&index.index)?).copied().filter(|_| own)
        };
        match expr {
            Expr::Assign(assign) => {
                let Some(value) = value(&assign.right) else {
                    return Err(self.unknown(expr));
                };
                let target = match &*assign.left {
                    Expr::Index(outer) if words(&outer.index) == text("lane") => &*outer.expr,
                    _ => return Err(self.unknown(expr)),
                };
                let Expr::Index(column) = target else {
                    return Err(self.unknown(expr));
                };
                let (name, place) = (ident(&column.expr), whole(&column.index));
                let place = place.unwrap_or(usize::MAX);
                let done = match name.as_deref() {
                    Some("results") => self.state.results.get_mut(place).map(|r| *r = Some(value)),
                    Some("known") => self.state.known.get_mut(place).map(|k| *k = Some(value.0)),
                    _ => None,
                };
                done.ok_or_else(|| self.unknown(expr))
            }
            Expr::Binary(binary)
                if matches!(binary.op, syn::BinOp::MulAssign(_))
                    && words(&binary.left) == text("sound[lane]") =>
            {
                let Some((place, _)) = value(&binary.right) else {
                    return Err(self.unknown(expr));
                };
                self.state.sound.push(place);
                Ok(())
            }
            _ => Err(self.unknown(expr)),
        }
    }
}

/// What a `let` of a lane holds.
enum Share {
    /// A share of the columns.
    Columns(Local),
    /// What a stage gives.
    Stage(Vec<(StepId, u32)>),
}

/// More columns than there are are not counted out.
const MOST: usize = 100_000;

/// What follows the stages of a block whose states may be refused.
const FINITE: &str = "for column in results.iter() {
    for (sound, value) in sound.iter_mut().zip(column) {
        *sound *= f64::from(u8::from(value.is_finite()));
    }
}";
