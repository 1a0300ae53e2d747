//! Derived code that is kept between runs, in the user's cache folder.

/// Names an entry: everything that the result depends on, and this build of the generator.
#[derive(Clone, Debug)]
pub struct Key(sha2::Sha256);

/// A folder of entries, or none.
#[derive(Clone, Debug)]
pub struct Cache;

impl Key {
    /// The key of nothing but this build.
    #[expect(clippy::new_without_default, reason = "a key of nothing is of no use")]
    pub fn new() -> Self {
        Self(sha2::Digest::new())
    }

    /// Adds one thing that the result depends on.
    pub fn add(&mut self, text: &str) -> &mut Self {
        use sha2::Digest;
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }
}

impl Cache {
    /// The user's cache, unless switched off.
    pub fn from_env() -> Self {
        Self
    }

    /// The entry, if there is a sound one.
    pub fn get(&self, _key: &Key) -> Option<Vec<u8>> {
        None
    }

    /// Keeps an entry. That it cannot be kept is no error.
    pub fn put(&self, _key: &Key, _bytes: &[u8]) {}
}
