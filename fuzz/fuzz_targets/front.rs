//! Any text through everything that happens before the algebra: reading, laying out, writing out loops and parts, resolving names
//! and units, showing messages. A line `//// FILE path` begins the text of a part.
#![no_main]

use eomgen::diagnostics::render_sources;
use eomgen::internals::syntax;
use eomgen::{Failure, Source, internals::input::read_source};
use libfuzzer_sys::fuzz_target;

/// Begins the next file.
const MARK: &str = "//// FILE ";

fn survives(text: &str) {
    let mut files = text.split(MARK);
    let main = files.next().unwrap_or_default();
    let parts: Vec<(&str, &str)> = files
        .map(|rest| rest.split_once('\n').unwrap_or((rest, "")))
        .map(|(path, text)| (path.trim(), text))
        .collect();
    let source = Source::gather("fuzz.eom", main, |path| {
        let found = parts.iter().find(|(name, _)| *name == path);
        found
            .map(|(_, text)| (*text).to_owned())
            .ok_or("there is no such file".to_owned())
    });
    if let Ok(formatted) = syntax::format(main) {
        assert_eq!(syntax::format(&formatted).as_ref(), Ok(&formatted));
    }
    let found = match read_source(&source, &[("n".to_owned(), 3)]) {
        Ok((_, warnings)) => warnings,
        Err(Failure::Diagnostics(found)) => found,
        Err(Failure::Message(message)) => panic!("{message}"),
    };
    for diagnostic in &found {
        assert!(eomgen::diagnostics::codes::find(diagnostic.code).is_some());
        for label in &diagnostic.labels {
            let text = match label.span.file {
                0 => main,
                file => source.parts[file as usize - 1]
                    .text
                    .as_deref()
                    .unwrap_or(""),
            };
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{label:?}");
        }
    }
    let sources = source.sources();
    render_sources(&sources, &found, false);
    #[cfg(feature = "derive")]
    eomgen::diagnostics::sources_to_json(&sources, &found);
}

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        survives(text);
    }
});
