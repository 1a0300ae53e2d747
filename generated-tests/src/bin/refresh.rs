//! Writes `src/generated/` and `src/variants/` anew from `models/`; with names, these modules alone.
//!
//! If a generated module does not compile, neither does this program unless those modules are left out:
//! `cargo run -p generated-tests --no-default-features --features pipeline --bin refresh`

use generated_tests::refreshing::{
    GENERATED, VARIANTS, folder, fresh, fresh_variant, index, variants,
};
use std::path::Path;
use std::process::ExitCode;

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(format!("{name}.rs"));
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    eprintln!("{}", path.display());
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut failed = false;
    let chosen = |module: &str| wanted.is_empty() || wanted.iter().any(|w| w == module);
    for one in GENERATED.iter().filter(|one| chosen(one.module)) {
        if let Err(complaint) = fresh(one).and_then(|code| write(&folder(), one.module, &code)) {
            eprintln!("{complaint}");
            failed = true;
        }
    }
    for (module, model, options) in VARIANTS.iter().filter(|one| chosen(one.0)) {
        let code = fresh_variant(model, options);
        if let Err(complaint) = code.and_then(|code| write(&variants(), module, &code)) {
            eprintln!("{complaint}");
            failed = true;
        }
    }
    if let Err(complaint) = write(&folder(), "mod", &index()) {
        eprintln!("{complaint}");
        failed = true;
    }
    ExitCode::from(u8::from(failed))
}
