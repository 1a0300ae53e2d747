//! The attribute `derive_eom`.

use proc_macro::TokenStream;

/// Stub docs.
#[proc_macro_attribute]
pub fn derive_eom(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let root = eomgen::host::package_root();
    eomgen::attribute::expand(arguments.into(), item.into(), root.as_deref()).into()
}
