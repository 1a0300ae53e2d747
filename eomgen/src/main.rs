//! The `eomgen` program; everything is in the library.

fn main() -> std::process::ExitCode {
    eomgen::internals::main()
}
