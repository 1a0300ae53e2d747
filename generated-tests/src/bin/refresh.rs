//! Writes `src/generated/` anew from `models/`.
//!
//! If a generated module does not compile, neither does this program unless those modules are left out:
//! `cargo run -p generated-tests --no-default-features --features pipeline --bin refresh`

use generated_tests::refreshing::{GENERATED, folder, fresh, index};
use std::process::ExitCode;

fn write(name: &str, text: &str) -> Result<(), String> {
    let path = folder().join(format!("{name}.rs"));
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
        if let Err(complaint) = fresh(one).and_then(|code| write(one.module, &code)) {
            eprintln!("{complaint}");
            failed = true;
        }
    }
    if let Err(complaint) = write("mod", &index()) {
        eprintln!("{complaint}");
        failed = true;
    }
    ExitCode::from(u8::from(failed))
}
