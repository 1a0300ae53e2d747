//! What `--version` says, with the terms of the algebra engine in plain words.

/// The long version text. `THIRD-PARTY-NOTICES.md` says the same at greater length.
pub(super) const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "

eomgen itself is licensed under MIT or Apache-2.0, at your choice.
The code it generates is yours: it contains and needs nothing of Symbolica.

Deriving runs Symbolica 3.0.0 (https://symbolica.io), which is not open source.
eomgen may be distributed with it, but that gives nobody the right to run it:
you need that right yourself, under Symbolica's own terms.
  - Without a licence key, Symbolica says that it is for non-commercial use
    only and runs one thread per user at a time; eomgen waits its turn.
  - Hobbyists and students can get a free key; professional and commercial use
    needs a licence or a trial. A key goes into the variable SYMBOLICA_LICENSE.
What applies to you is decided by the terms at https://symbolica.io/license/
and by Symbolica's licence, whose full text is in THIRD-PARTY-NOTICES.md."
);
