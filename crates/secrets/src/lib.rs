//! Settings that are used and never shown: secrets, and addresses that may hold one.
//!
//! Both give stars for what is secret wherever they are written: in `Debug`, `Display` and serialised settings. Whoever must send the
//! text itself asks for it by `reveal`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands for a secret that is set.
pub const STARS: &str = "***";

/// A text that is never shown.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Keeps `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for whoever must send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "" } else { STARS })
    }
}

/// An address of which user name, password and query are never shown.
///
/// It is a text, and may be no address at all: what stands before the last `@` is hidden there too, as the most likely mistake is one
/// in a password.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Address(String);

impl Address {
    /// Keeps `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for whoever connects there.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Address {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Address {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.find("://").map_or(("", self.0.as_str()), |at| self.0.split_at(at + 3));
        f.write_str(scheme)?;
        let place = match rest.rsplit_once('@') {
            Some((_, place)) => {
                write!(f, "{STARS}@")?;
                place
            }
            None => rest,
        };
        match place.find(['?', '#']) {
            Some(at) => write!(f, "{}{STARS}", &place[..=at]),
            None => f.write_str(place),
        }
    }
}

/// Whether two texts are the same, in a time that tells nothing of where they differ.
pub fn is_same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(a.len() ^ b.len(), |all, (a, b)| all | usize::from(a ^ b));
    differ == 0
}

macro_rules! written_as_shown {
    ($($kind:ty),*) => {$(
        impl fmt::Debug for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", self.to_string())
            }
        }

        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

written_as_shown!(Secret, Address);

/// Reads a table of secrets by name, for `#[serde(deserialize_with = "…")]`. What is no table is refused without being shown.
///
/// # Errors
/// Not a table of texts.
pub fn table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Secret>, D::Error> {
    struct Table;

    impl<'de> Visitor<'de> for Table {
        type Value = BTreeMap<String, Secret>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table of texts")
        }

        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
            Err(E::custom("invalid type: a text, expected a table of texts"))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut table = BTreeMap::new();
            while let Some((name, secret)) = map.next_entry()? {
                table.insert(name, secret);
            }
            Ok(table)
        }
    }

    deserializer.deserialize_map(Table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Settings {
        password: Secret,
        proxy: Address,
        #[serde(deserialize_with = "table")]
        headers: BTreeMap<String, Secret>,
    }

    #[test]
    fn secrets_show_in_no_debug_and_no_file() {
        let text =
            "password = 'hunter2'\nproxy = 'http://me:hunter2@proxy:3128/'\nheaders = { Authorization = 'hunter2' }";
        let settings: Settings = toml::from_str(text).unwrap();
        let shown = format!("{settings:?} {}", toml::to_string(&settings).unwrap());
        assert!(!shown.contains("hunter2") && shown.contains("http://***@proxy:3128/"), "{shown}");
        assert_eq!(shown.matches(STARS).count(), 6, "{shown}");
        assert_eq!(settings.headers["Authorization"].reveal(), "hunter2");
        assert_eq!((settings.password.reveal(), Secret::default().to_string().as_str()), ("hunter2", ""));
    }

    #[test]
    fn an_address_shows_where_it_leads_and_nothing_of_who_goes_there() {
        for (text, shown) in [
            ("", ""),
            ("http://proxy:3128", "http://proxy:3128"),
            ("https://proxy.example/path/", "https://proxy.example/path/"),
            ("http://hunter2@proxy:3128", "http://***@proxy:3128"),
            ("socks5://me:hunter2@[::1]:1080", "socks5://***@[::1]:1080"),
            ("http://me:hun@ter2@proxy", "http://***@proxy"),
            ("http://me:hunter2/#?@proxy:1", "http://***@proxy:1"),
            ("me:hunter2@proxy:3128", "***@proxy:3128"),
            ("https://search/_bulk?api_key=hunter2", "https://search/_bulk?***"),
            ("https://search/#hunter2", "https://search/#***"),
            ("ftp://mühle:hunter2@ä/?ü", "ftp://***@ä/?***"),
        ] {
            assert_eq!(Address::new(text).to_string(), shown, "{text}");
        }
    }

    #[test]
    fn a_text_in_the_place_of_a_table_is_refused_unseen() {
        let error = toml::from_str::<Settings>("headers = 'Authorization: hunter2'").unwrap_err();
        assert!(error.message().contains("a table of texts") && !error.message().contains("hunter2"), "{error}");
    }
}
