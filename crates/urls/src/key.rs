//! The 16-byte name of a canonical URL.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_128;

/// The 128-bit XXH3 hash of a canonical URL: the key of the seen set and of the index.
///
/// Two different URLs share a key with probability 2⁻¹²⁸ each pair; among 10¹⁰ URLs that is about 10⁻¹⁹.
/// The hash is not cryptographic: who may choose both URLs can make them collide, and then hides
/// a page of their own. Printed as 32 lower-case hex digits; the order is that of the number, and of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlKey(u128);

impl UrlKey {
    /// The key of `canonical`, which must already be in canonical form; O(n), about 20 ns for a usual URL.
    #[must_use]
    pub fn of(canonical: &str) -> Self {
        Self(xxh3_128(canonical.as_bytes()))
    }

    /// Big-endian bytes, so that byte order is key order.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The inverse of [`UrlKey::to_bytes`].
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    /// The low 64 bits: evenly spread already, for hash tables and partitions.
    #[must_use]
    pub fn low(self) -> u64 {
        self.0 as u64
    }
}

impl fmt::Display for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UrlKey({self})")
    }
}

/// The text is not 32 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a URL key of 32 hex digits")]
pub struct ParseKeyError(String);

impl FromStr for UrlKey {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Self, ParseKeyError> {
        // `from_str_radix` would also take a sign.
        let plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u128::from_str_radix(text, 16) {
            Ok(number) if plain => Ok(Self(number)),
            _ => Err(ParseKeyError(text.chars().take(64).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_bytes_and_text() {
        let key = UrlKey::of("https://example.org/");
        assert_eq!(UrlKey::from_bytes(key.to_bytes()), key);
        assert_eq!(key.to_string().parse(), Ok(key));
        assert_eq!(key.to_string().len(), 32);
    }

    #[test]
    fn the_key_of_a_url_never_changes_between_versions() {
        // Stores hold these bytes: another value here is another format.
        assert_eq!(UrlKey::of("https://example.org/").to_string(), "9db2570db118aad0d5065686b5f20b16");
    }

    #[test]
    fn signs_and_short_texts_are_no_keys() {
        assert!("+0000000000000000000000000000001".parse::<UrlKey>().is_err());
        assert!("12".parse::<UrlKey>().is_err());
    }
}
