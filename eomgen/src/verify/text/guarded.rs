//! Functions that follow a quick plan where a margin is left, and another function elsewhere. Both have to be right: the steps are those of the quick one, and the
//! other one is read as a function that stands for this one.

use quote::ToTokens;
use syn::{Expr, Pat, Stmt};

use super::Unreadable;
use super::body::{Compiler, Local, tried};
use super::frame::Returned;
use super::lines::Lines;
use super::tree::{Shape, Test};

/// `let [results @ .., margin] = self.usual(..); if margin > 0.0 { results } else { self.safe(..) }`, or where both may fail
/// `let [results @ .., margin] = self.usual(..)?; if margin > 0.0 { ..; Ok(results) } else { let results = self.safe(..)?; ..; Ok(results) }`
struct Guard<'t> {
    results: String,
    margin: String,
    usual: &'t Expr,
    choice: &'t syn::ExprIf,
    /// What is taken where the margin is gone.
    safe: &'t Expr,
}

impl<'t> Guard<'t> {
    /// Whether these are the statements of such a function.
    fn read(statements: &'t [Stmt]) -> Option<Self> {
        let [Stmt::Local(local), Stmt::Expr(Expr::If(choice), None)] = statements else {
            return None;
        };
        let Pat::Slice(pattern) = &local.pat else {
            return None;
        };
        let [Pat::Ident(results), Pat::Ident(margin)] =
            pattern.elems.iter().collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let is_rest = matches!(&results.subpat, Some((_, rest)) if matches!(**rest, Pat::Rest(_)));
        let Some((_, Expr::Block(other))) = choice.else_branch.as_ref().map(|(a, b)| (a, &**b))
        else {
            return None;
        };
        let safe = match other.block.stmts.as_slice() {
            [Stmt::Expr(safe, None)] => safe,
            [Stmt::Local(local), rest @ ..] => {
                let text = |all: &[Stmt]| -> Vec<String> {
                    all.iter()
                        .map(|s| s.to_token_stream().to_string())
                        .collect()
                };
                let same = text(rest) == text(&choice.then_branch.stmts);
                let named = matches!(&local.pat, Pat::Ident(name) if name.ident == results.ident);
                let init = local.init.as_ref().filter(|init| init.diverge.is_none());
                let (called, fails) = tried(&init?.expr);
                (same && named && fails).then_some(called)?
            }
            _ => return None,
        };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
        is_rest.then_some(())?;
        Some(Self {
            results: results.ident.to_string(),
            margin: margin.ident.to_string(),
            usual: &init?.expr,
            choice,
            safe,
        })
    }
}

impl Compiler<'_> {
    /// The results of a function that decides between two others; `None` if these are the statements of another one.
    pub(super) fn guarded(
        &mut self,
        statements: &[Stmt],
        lines: &Lines,
    ) -> Result<Option<Local>, Unreadable> {
        let guard = Guard::read(statements);
        guard.map(|guard| self.decided(&guard, lines)).transpose()
    }

    /// The results by the quick plan; where the margin is gone another function counts, which has to take the same arguments.
    fn decided(&mut self, guard: &Guard<'_>, lines: &Lines) -> Result<Local, Unreadable> {
        self.line = lines.statements.first().copied().unwrap_or(lines.head);
        let (called, fails) = tried(guard.usual);
        let found = self.delegated(called)?;
        let Some((Local::Array(mut entries, Shape::Array(length)), checked)) = found else {
            return Err(self.unknown("call", guard.usual));
        };
        let margin = entries.pop();
        let (Some((margin, _)), true) =
            (margin, checked == fails && (!fails || self.frame.checked))
        else {
            return Err(self.unknown("call", guard.usual));
        };
        let results = Local::Array(entries, Shape::Array(length - 1));
        let outer = self.locals.clone();
        self.locals.insert(guard.results.clone(), results);
        self.locals
            .insert(guard.margin.clone(), Local::Number(margin));
        let (test, a, b) = self.test(&guard.choice.cond)?;
        let zero = self.is_literal(b, 0);
        if test != Test::Greater || a != margin || !zero {
            return Err(self.unknown("condition", &guard.choice.cond));
        }
        let result = self.block(&guard.choice.then_branch.stmts, lines)?;
        self.locals = outer;
        let safe = self.alike(guard.safe, called)?;
        // Whoever calls this function follows its results, whichever they are.
        if self.calls.len() == 1 {
            self.function.guarded = Some((margin, safe));
        }
        Ok(result)
    }

    /// The name of the other function, which is called as the first one is and fails as this one does.
    fn alike(&mut self, safe: &Expr, usual: &Expr) -> Result<String, Unreadable> {
        let (Expr::MethodCall(safe), Expr::MethodCall(usual)) = (safe, usual) else {
            return Err(self.unknown("call", safe));
        };
        let text = |of: &dyn Fn() -> proc_macro2::TokenStream| of().to_string();
        let same = text(&|| safe.args.to_token_stream()) == text(&|| usual.args.to_token_stream())
            && text(&|| safe.receiver.to_token_stream())
                == text(&|| usual.receiver.to_token_stream());
        let name = safe.method.to_string();
        let source = self.sources.methods.get(&name);
        let frame = source.and_then(|source| super::frame::returned(&source.sig.output));
        let fits = frame.is_some_and(|frame| {
            let numbers = matches!(
                (frame.of, self.frame.of),
                (Returned::Numbers(own), Returned::Numbers(other)) if own == other
            );
            numbers && frame.checked == self.frame.checked
        });
        if !same || !fits || self.calls.contains(&name) {
            return Err(self.unknown("call", safe));
        }
        self.used.insert(name.clone());
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_form_is_known() {
        let statements = |text: &str| syn::parse_str::<syn::Block>(text).map(|block| block.stmts);
        let known = |text: &str| statements(text).is_ok_and(|all| Guard::read(&all).is_some());
        let call = "let [q @ .., margin] = self.usual(t, state);";
        assert!(known(&format!(
            "{{ {call} if margin > 0.0 {{ q }} else {{ self.safe(t, state) }} }}"
        )));
        assert!(!known(&format!(
            "{{ {call} if margin > 0.0 {{ q }} else {{ q; q }} }}"
        )));
        let fallible = |rest: &str| {
            known(&format!(
                "{{ {call} if margin > 0.0 {{ finite(1, &q)?; Ok(q) }} else {{ {rest} }} }}"
            ))
        };
        assert!(fallible(
            "let q = self.safe(t, state)?; finite(1, &q)?; Ok(q)"
        ));
        for other in [
            "let q = self.safe(t, state)?; Ok(q)",
            "let q = self.safe(t, state); finite(1, &q)?; Ok(q)",
            "let r = self.safe(t, state)?; finite(1, &q)?; Ok(q)",
        ] {
            assert!(!fallible(other), "{other}");
        }
        assert!(!known(
            "{ let [q, margin] = self.usual(t, state); if margin > 0.0 { q } else { q } }"
        ));
    }
}
