//! `eomgen prepare`: the attributes of a package that name a committed file, and those files written or checked.
