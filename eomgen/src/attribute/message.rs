//! Messages as tokens that make the compiler say them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// Something to be said at a place of the user's code.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Where.
    pub span: Span,
    /// What.
    pub text: String,
}

impl Message {
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }

    /// An error of the compiler.
    pub fn error(&self) -> TokenStream {
        let text = match coded(&self.text) {
            Some((code, rest)) => format!("{code}: {rest}"),
            None => self.text.clone(),
        };
        quote_spanned!(self.span=> ::core::compile_error! { #text })
    }

    /// A warning of the compiler. A macro has no other way to one than to use something deprecated: a constant that is named like the
    /// code of the message, since the name is shown, and that nobody can name.
    pub fn warning(&self) -> TokenStream {
        let (code, text) = coded(&self.text).unwrap_or(("WARNING", &self.text));
        let name = Ident::new(code, self.span);
        quote_spanned! {self.span=>
            const _: () = {
                #[deprecated(note = #text)]
                const #name: () = ();
                #name
            };
        }
    }
}

/// The code of a message of the model, and the message without it: `error[E0101]: unknown name` says E0101.
fn coded(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once('[')?;
    let (code, rest) = rest.split_once("]: ")?;
    let (letter, digits) = code.split_at_checked(1)?;
    let fine = "EWN".contains(letter)
        && digits.len() == 4
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    fine.then_some((code, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_in_front() {
        let text = |text: &str| Message::new(Span::call_site(), text).error().to_string();
        let plain = text("cannot read a[0]: gone");
        assert!(plain.ends_with("{ \"cannot read a[0]: gone\" }"), "{plain}");
        let coded = text("error[E0101]: unknown name\n --> a.eom:1:2");
        assert!(
            coded.ends_with("{ \"E0101: unknown name\\n --> a.eom:1:2\" }"),
            "{coded}"
        );
    }

    #[test]
    fn warnings_are_named_by_their_codes() {
        let text = |text: &str| Message::new(Span::call_site(), text).warning().to_string();
        let coded = text("warning[W0150]: never used");
        assert!(coded.contains("(note = \"never used\")"), "{coded}");
        assert!(coded.contains("const W0150 : () = () ;"), "{coded}");
        let other = text("warning: [x]: odd");
        assert!(other.contains("const WARNING : () = () ;"), "{other}");
    }
}
