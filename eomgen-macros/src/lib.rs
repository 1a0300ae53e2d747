//! The attribute macro over eomgen. A stub for now: it says what to do instead.

use proc_macro::TokenStream;

/// Will derive the equations of motion of a model into the annotated module. Until then it is a
/// compile error that names the command which writes the same code to a file.
#[proc_macro_attribute]
pub fn derive_eom(_arguments: TokenStream, _item: TokenStream) -> TokenStream {
    refusal().parse().unwrap_or_default()
}

fn refusal() -> String {
    const MESSAGE: &str = "the attribute `derive_eom` is not available yet; write the code with \
        `eomgen derive MODEL -o FILE` and include the file as a module";
    format!("::core::compile_error!({MESSAGE:?});")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_refusal_names_the_command() {
        let text = super::refusal();
        assert!(text.starts_with("::core::compile_error!(\"the attribute `derive_eom`"));
        assert!(text.contains("`eomgen derive MODEL -o FILE`"));
        assert!(text.ends_with("\");"));
    }
}
