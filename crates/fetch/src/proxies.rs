//! The proxies that requests go through: a site always takes the same.

use gristmill_secrets::Address;
use gristmill_urls::{UrlKey, registrable_domain};
use serde::{Deserialize, Serialize};
use url::Url;

/// One address or a list of them, `scheme://user:password@host:port`. The scheme is `http`, `https`, `socks5`, or `socks5h` where the proxy
/// resolves names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "OneOrMany", into = "OneOrMany")]
pub struct Proxies(Vec<Address>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Address),
    Many(Vec<Address>),
}

impl From<OneOrMany> for Proxies {
    fn from(given: OneOrMany) -> Self {
        match given {
            OneOrMany::One(address) => Self(vec![address]),
            OneOrMany::Many(addresses) => Self(addresses),
        }
    }
}

impl From<Proxies> for OneOrMany {
    fn from(Proxies(mut addresses): Proxies) -> Self {
        match addresses.pop() {
            Some(only) if addresses.is_empty() => Self::One(only),
            last => Self::Many(addresses.into_iter().chain(last).collect()),
        }
    }
}

impl From<String> for Proxies {
    fn from(address: String) -> Self {
        Self(vec![address.into()])
    }
}

impl From<&str> for Proxies {
    fn from(address: &str) -> Self {
        address.to_owned().into()
    }
}

impl Proxies {
    /// The addresses that are none of a proxy.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = &Address> {
        self.0.iter().filter(|proxy| url_of(proxy).is_none())
    }

    /// The hosts of the proxies.
    pub(crate) fn hosts(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().filter_map(|proxy| url_of(proxy)?.host_str().map(str::to_owned))
    }

    /// The proxy of a host: all of its site have the same.
    pub(crate) fn choose(&self, host: &str) -> Option<Url> {
        let site = UrlKey::of(registrable_domain(host)).low() as usize;
        self.0.get(site % self.0.len().max(1)).and_then(url_of)
    }
}

fn url_of(proxy: &Address) -> Option<Url> {
    let url = Url::parse(proxy.reveal()).ok()?;
    (matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") && url.has_host()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many_are_read_and_shown_without_passwords() {
        #[derive(Serialize, Deserialize)]
        struct Settings {
            proxy: Proxies,
        }
        for (text, shown) in [
            (r#"{"proxy":"socks5://me:pw@p:1"}"#, r#"{"proxy":"socks5://***@p:1"}"#),
            (r#"{"proxy":["http://a:1","socks5h://b:2"]}"#, r#"{"proxy":["http://a:1","socks5h://b:2"]}"#),
        ] {
            let settings: Settings = serde_json::from_str(text).unwrap();
            assert_eq!(
                (settings.proxy.wrong().count(), serde_json::to_string(&settings).unwrap()),
                (0, shown.to_owned())
            );
        }
        assert_eq!(Proxies::from("ftp://x").wrong().count(), 1);
    }
}
