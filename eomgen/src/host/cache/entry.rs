//! The file of an entry: a line that says what it is, its key, the hash of its content, and the content.

use std::fmt::Write;

use sha2::{Digest, Sha256};

const FIRST: &str = "eomgen cache 1";

/// Lower case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn head(name: &str, content: &[u8]) -> String {
    format!("{FIRST}\n{name}\n{}\n", hex(&Sha256::digest(content)))
}

/// A file for the key called `name`.
pub(super) fn seal(name: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = head(name, content).into_bytes();
    bytes.extend_from_slice(content);
    bytes
}

/// What was sealed for the key called `name`; `None` for anything else.
pub(super) fn open(name: &str, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let length = head(name, b"").len();
    let content = bytes.get(length..)?;
    if !bytes.starts_with(head(name, content).as_bytes()) {
        return None;
    }
    bytes.drain(..length);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "00ff";

    #[test]
    fn what_was_sealed_is_opened_and_nothing_else() {
        for content in [&b""[..], b"x", b"eomgen cache 1\n00ff\n"] {
            let sealed = seal(NAME, content);
            assert_eq!(open(NAME, sealed.clone()).unwrap(), content);
            assert_eq!(open("00fe", sealed.clone()), None);
            // Every byte is checked, and so is the end.
            for at in 0..sealed.len() {
                let mut damaged = sealed.clone();
                damaged[at] ^= 1;
                assert_eq!(open(NAME, damaged), None, "byte {at}");
                assert_eq!(open(NAME, sealed[..at].to_vec()), None, "cut at {at}");
            }
            let longer = [&sealed[..], b" "].concat();
            assert_eq!(open(NAME, longer), None);
        }
    }

    #[test]
    fn digits_are_those_of_the_standard() {
        // FIPS 180-4: SHA-256 of the three characters abc.
        let digest = Sha256::digest(b"abc");
        let expect = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&digest), expect);
    }
}
