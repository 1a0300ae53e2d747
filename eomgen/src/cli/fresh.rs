//! Whether a generated file is what the generator would write now.

use crate::header::{Header, body_hash};

/// Why `existing` is not `fresh`, if it isn't. Line ends, formatting and `//` comments don't count.
pub(super) fn staleness(existing: &str, fresh: &str) -> Option<String> {
    if existing == fresh {
        return None;
    }
    let (Some(old), Some(new)) = (Header::parse(existing), Header::parse(fresh)) else {
        return Some("was not written by eomgen: it has no header".to_string());
    };
    let body = match body_hash(existing) {
        Ok(body) => body,
        Err(message) => {
            return Some(format!(
                "was edited by hand and is no longer Rust: {message}"
            ));
        }
    };
    if body != old.body {
        return Some("was edited by hand after it was written".to_string());
    }
    if old.version != new.version {
        return Some(format!(
            "is stale: it was written by eomgen {}",
            old.version
        ));
    }
    if old.options != new.options {
        return Some("is stale: it was written with other options".to_string());
    }
    if old.input != new.input {
        return Some("is stale: the model has changed since".to_string());
    }
    if old.source_name != new.source_name {
        return Some(format!("is stale: it was written from {}", old.source_name));
    }
    (body != new.body).then(|| "is stale: the generator now writes a different text".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::VERSION;

    /// A generated file with a right body hash.
    fn file(
        version: &str,
        model: &str,
        input: &str,
        options: &[(&str, &str)],
        body: &str,
    ) -> String {
        let options = options.iter().map(|(k, v)| (k.to_string(), v.to_string()));
        let header = Header {
            version: version.into(),
            source_name: model.into(),
            input: input.into(),
            options: options.collect(),
            body: body_hash(body).unwrap(),
        };
        format!("{header}{body}")
    }

    #[test]
    fn every_reason_by_name() {
        let kane = [("method", "kane")];
        let body = "pub fn f(a: f64) -> f64 { a }\n";
        let fresh = file(VERSION, "a.eom", "01", &kane, body);
        let other_body = body.replace("{ a }", "{ -a }");
        let table = [
            (fresh.clone(), None),
            (fresh.replace('\n', "\r\n"), None),
            (fresh.replace("{ a }", "{\n    a // the same\n}"), None),
            (body.to_string(), Some("not written by eomgen")),
            (
                fresh.replace("{ a }", "{ 2.0 * a }"),
                Some("edited by hand after"),
            ),
            (fresh.replace("{ a }", "{ a"), Some("no longer Rust")),
            (
                file("0.0.1", "a.eom", "01", &kane, body),
                Some("by eomgen 0.0.1"),
            ),
            (
                file(VERSION, "a.eom", "01", &[], body),
                Some("other options"),
            ),
            (
                file(VERSION, "a.eom", "02", &kane, body),
                Some("model has changed"),
            ),
            (
                file(VERSION, "b.eom", "01", &kane, body),
                Some("from b.eom"),
            ),
            (
                file(VERSION, "a.eom", "01", &kane, &other_body),
                Some("now writes a different text"),
            ),
        ];
        for (existing, expect) in table {
            match (staleness(&existing, &fresh), expect) {
                (None, None) => {}
                (Some(reason), Some(part)) if reason.contains(part) => {}
                other => panic!("{other:?}\n{existing}"),
            }
        }
    }
}
