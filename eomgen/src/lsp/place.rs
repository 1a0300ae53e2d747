//! Addresses of files as editors write them, and paths. Knows nothing of what is in the files.

use lsp_types::Uri;
use std::str::FromStr;

/// The path of a `file:` address, with `/` between folders; any other address stands for itself.
pub(super) fn path(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else {
        return text.to_owned();
    };
    // What stands before the first `/` is a host, which is nobody's but ours.
    let rest = rest.find('/').map_or("", |at| &rest[at..]);
    let path = decoded(rest);
    match path.as_bytes() {
        [b'/', _, b':', ..] => path[1..].to_owned(),
        _ => path,
    }
}

/// The address of a path.
pub(super) fn uri(path: &str) -> Option<Uri> {
    // A part of the program lies in no folder.
    if path.starts_with('<') {
        return None;
    }
    if path.contains("://") || path.starts_with("untitled:") {
        return Uri::from_str(path).ok();
    }
    let mut text = String::from("file://");
    if !path.starts_with('/') {
        text.push('/');
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    Uri::from_str(&text).ok()
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = text
            .get(at + 1..at + 3)
            .filter(|_| *byte == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(code.unwrap_or(*byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The folder of a path.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_the_same_places() {
        for (text, expect) in [
            ("file:///a/b.eom", "/a/b.eom"),
            ("file:///a%20b/%C3%A9.eom", "/a b/é.eom"),
            ("file:///c%3A/x.eom", "c:/x.eom"),
            ("untitled:new", "untitled:new"),
        ] {
            let address = Uri::from_str(text).unwrap();
            assert_eq!(path(&address), expect);
            assert_eq!(path(&uri(expect).unwrap()), expect);
        }
        assert_eq!(folder("/a/b.eom"), "/a");
        assert_eq!(folder("b.eom"), "");
    }
}
