//! Whether a generated file is what the generator would write now.

/// Why `existing` is not `fresh`, if it isn't. Line ends don't count.
pub(super) fn staleness(existing: &str, fresh: &str) -> Option<String> {
    let same = existing.replace("\r\n", "\n") == fresh.replace("\r\n", "\n");
    (!same).then(|| "is stale or was edited by hand".to_string())
}
