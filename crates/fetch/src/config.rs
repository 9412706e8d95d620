//! The settings of the fetcher's HTTP client, and the rules that hold between them.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use gristmill_robots::Agent;
use gristmill_secrets::Secret;
use serde::{Deserialize, Serialize};

use crate::proxies::Proxies;
use crate::sign::SignConfig;
use crate::sites::{SiteFetchConfig, field_of};

/// How pages are downloaded: who we say we are, and how much time and memory one answer may cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FetchConfig {
    /// Who we say we are: the setting `agent`, which all parts share.
    #[serde(skip)]
    pub agent: Agent,
    /// Where a site's owner reaches whoever runs this crawl (address of a page or of a mailbox); sent in the
    /// `User-Agent` header. A polite crawl of strangers' sites needs one. Default: empty.
    pub contact: String,
    /// Longest time for name lookup, TCP and TLS handshake together. Default: `10s`.
    #[serde(with = "humantime_serde")]
    pub connect_timeout: Duration,
    /// Longest silence of a server: before the first byte of its answer (with what `connect_timeout` left over), and
    /// between two pieces of the body. Default: `20s`.
    #[serde(with = "humantime_serde")]
    pub read_timeout: Duration,
    /// Longest time for one fetch, from the request to the last byte of the body. Default: `60s`.
    #[serde(with = "humantime_serde")]
    pub total_timeout: Duration,
    /// Slowest transfer that is waited for, in bytes on the wire a second, averaged from the first byte of the body and
    /// judged once `min_speed_after` has gone by; 0 switches it off. Default: 500.
    pub min_speed: u64,
    /// Grace period of `min_speed`. Default: `10s`.
    #[serde(with = "humantime_serde")]
    pub min_speed_after: Duration,
    /// Most bytes of an answer's header fields, names and values together. Above some 400 kB the HTTP/1 reader
    /// gives up by itself. Default: 65536.
    pub max_header_bytes: usize,
    /// Most bytes of a body as sent (its content coding kept). Default: 10485760 (10 MiB).
    pub max_wire_bytes: usize,
    /// Most bytes of a body after its content coding is undone. Default: 10485760 (10 MiB).
    pub max_body_bytes: usize,
    /// Most bytes that are read of a sitemap or feed, on the wire and unpacked; what is longer is cut there, and its
    /// first entries count. Default: 52428800 (50 MiB), the limit of the sitemap protocol.
    pub max_listing_bytes: usize,
    /// Most bytes of all bodies together that are on their way from the socket to the log, as sent and decoded; the first
    /// 256 KiB of each do not count. What finds no room waits, and no time limit counts that. At least `max_wire_bytes` +
    /// `max_body_bytes` and twice `max_listing_bytes`. Default: 134217728 (128 MiB).
    pub max_bytes_in_flight: usize,
    /// Most decoded bytes for each byte on the wire, judged above 1 MiB of decoded bytes, where text does not
    /// reach it and a decompression bomb does. Default: 200.
    pub max_ratio: u32,
    /// Media types that a page may have; a body of another type is not read. `*/*` stands for any. Sitemaps and feeds are not judged by it:
    /// they may be XML, text or gzip under any name. Default: `text/html`,
    /// `application/xhtml+xml`, `text/plain`, `text/xml`, `application/xml`.
    pub accept: Vec<String>,
    /// Keeps a body that ends early, as a connection that broke off or a packed stream without its end leaves it, as far as it
    /// came, marked as cut; refused without this. Default: true.
    pub allow_truncated: bool,
    /// Keeps the cookies that a site sets with a redirect, and shows them to that site alone, in later runs too: some answer nothing else
    /// without. Default: true.
    pub cookies: bool,
    /// Lets the client dial loopback, private and other special addresses: for tests and intranets.
    /// Default: false.
    pub allow_private: bool,
    /// Fixed addresses of hosts, asked before DNS, each `IP` or `IP:PORT` (the port is taken where the URL names
    /// none). The guard judges them like any other address. Default: empty.
    pub resolve: BTreeMap<String, String>,
    /// How long an answer of DNS is used again. No setting: `5m`.
    #[serde(skip)]
    pub dns_ttl: Duration,
    /// Most hosts whose addresses are remembered. No setting: 10000.
    #[serde(skip)]
    pub dns_cache: usize,
    /// Proxy for every request, or a list of them of which each site takes one: `http://host:port`, `https://`, `socks5://` or `socks5h://`.
    /// All but `socks5` resolve names themselves: the guard judges only what the local resolver knows of a host (one private address is
    /// enough to refuse it), names of private networks, and the addresses written as such. Default: none.
    pub proxy: Option<Proxies>,
    /// What only some sites are sent, and how they are reached.
    #[serde(skip)]
    pub sites: Vec<SiteFetchConfig>,
    /// Header fields added to every request. They go to every host: put no credentials here. Their values are never shown, and
    /// they do not go into archives, but for `Accept`, `Accept-Encoding`, `Accept-Language`, `From` and `User-Agent`. Default: empty.
    #[serde(deserialize_with = "gristmill_secrets::table")]
    pub headers: BTreeMap<String, Secret>,
    /// Most connections to one host (authority) at a time; further requests wait. No setting: 1.
    #[serde(skip)]
    pub connections_per_host: usize,
    /// Offers HTTP/2 to TLS servers (ALPN). No setting: true.
    #[serde(skip)]
    pub http2: bool,
    /// How long an idle connection is kept for the next page of the host. No setting: `30s`.
    #[serde(skip)]
    pub keep_alive: Duration,
    /// Connections dialled after which those that wait for a next request are closed, which bounds how many are open. No setting: a half of
    /// the file handles that the process may have, else 400.
    #[serde(skip)]
    pub max_connections: usize,
    /// With what requests are signed, so that sites can tell whose they are.
    pub sign: SignConfig,
    /// PEM file with further certificate authorities to trust, for intranets. Default: none.
    pub ca_file: Option<std::path::PathBuf>,
}

impl Default for FetchConfig {
    fn default() -> Self {
        let accept = ["text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"];
        Self {
            agent: Agent::default(),
            contact: String::new(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(20),
            total_timeout: Duration::from_secs(60),
            min_speed: 500,
            min_speed_after: Duration::from_secs(10),
            max_header_bytes: 64 * 1024,
            max_wire_bytes: 10 * 1024 * 1024,
            max_body_bytes: 10 * 1024 * 1024,
            max_listing_bytes: 50 << 20,
            max_bytes_in_flight: 128 << 20,
            max_ratio: 200,
            accept: accept.map(str::to_owned).to_vec(),
            allow_truncated: true,
            cookies: true,
            allow_private: false,
            resolve: BTreeMap::new(),
            dns_ttl: Duration::from_secs(300),
            dns_cache: 10_000,
            proxy: None,
            sites: Vec::new(),
            headers: BTreeMap::new(),
            connections_per_host: 1,
            http2: true,
            keep_alive: Duration::from_secs(30),
            max_connections: 400,
            sign: SignConfig::default(),
            ca_file: None,
        }
    }
}

/// Why a client could not be made from its settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// One or more settings break a rule; all of them are told at once, separated by `; `.
    #[error("{0}")]
    Invalid(String),
    /// The file of `fetch.ca_file` holds no certificates that can be read.
    #[error("no certificates in `fetch.ca_file`: {0}")]
    Certificates(String),
    /// The file of `fetch.ca_file` could not be read.
    #[error("could not read `fetch.ca_file` (`{path}`)")]
    CaFile {
        /// The file named by the setting.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The HTTP library refused to start, for example because no certificate authorities were found.
    #[error("could not set up the HTTP client")]
    Setup(#[source] reqwest::Error),
}

impl FetchConfig {
    /// The `User-Agent` that goes out: `gristmill/0.1 (+contact)`, without the bracket when `contact` is empty.
    pub fn user_agent(&self) -> String {
        let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
        match self.contact.trim() {
            "" => format!("{}/{version}", self.agent),
            contact => format!("{}/{version} (+{contact})", self.agent),
        }
    }

    /// The proxies of a host.
    pub(crate) fn proxies_of(&self, host: &str) -> Option<&Proxies> {
        let own = self.sites.iter().filter(|site| site.pattern.covers_host(host)).find_map(|site| site.proxy.as_ref());
        own.or(self.proxy.as_ref())
    }

    /// All proxies that a request may go through.
    pub(crate) fn all_proxies(&self) -> impl Iterator<Item = &Proxies> {
        self.proxy.iter().chain(self.sites.iter().filter_map(|site| site.proxy.as_ref()))
    }

    /// Whether the certificate of a host is not checked: what comes from there may come from anybody.
    pub fn is_insecure(&self, host: &str) -> bool {
        self.sites.iter().any(|site| site.insecure && site.pattern.covers_host(host))
    }

    /// Most bytes that one body may have, as sent and decoded.
    pub(crate) fn largest_body(&self) -> usize {
        let page = self.max_wire_bytes.saturating_add(self.max_body_bytes);
        page.max(self.max_listing_bytes.saturating_mul(2))
    }

    /// Checks the rules across fields.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] naming every broken rule, with the setting's key.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let mut wrong = Vec::new();
        if self.contact.bytes().any(|byte| byte < b' ' || byte == 0x7f || byte == b'(' || byte == b')') {
            wrong.push("`fetch.contact` must not contain brackets or control characters".to_owned());
        }
        for (key, value) in [
            ("connect_timeout", self.connect_timeout),
            ("read_timeout", self.read_timeout),
            ("total_timeout", self.total_timeout),
        ] {
            if value.is_zero() {
                wrong.push(format!("`fetch.{key}` must be longer than 0s"));
            }
        }
        for (key, value) in [
            ("max_header_bytes", self.max_header_bytes),
            ("max_wire_bytes", self.max_wire_bytes),
            ("max_body_bytes", self.max_body_bytes),
            ("max_listing_bytes", self.max_listing_bytes),
            ("max_ratio", self.max_ratio as usize),
            ("connections_per_host", self.connections_per_host),
        ] {
            if value == 0 {
                wrong.push(format!("`fetch.{key}` must be at least 1"));
            }
        }
        let (in_flight, largest) = (self.max_bytes_in_flight, self.largest_body());
        if in_flight < largest {
            wrong.push(format!(
                "`fetch.max_bytes_in_flight` ({in_flight}) must be at least `max_wire_bytes` + `max_body_bytes` and twice \
                 `max_listing_bytes` of `fetch`: {largest}"
            ));
        }
        for (host, address) in &self.resolve {
            if parse_address(address).is_none() {
                wrong.push(format!("`fetch.resolve.{host}` must be `IP` or `IP:PORT`, got `{address}`"));
            }
        }
        for proxy in self.proxy.iter().flat_map(Proxies::wrong) {
            wrong.push(format!("`fetch.proxy` must be a URL of http, https, socks5 or socks5h, got `{proxy}`"));
        }
        let fields = self.headers.iter().map(|(name, value)| field_of(name, value, "fetch.headers"));
        wrong.extend(fields.filter_map(Result::err).map(|error| error.to_string()));
        wrong.extend(self.sites.iter().flat_map(SiteFetchConfig::wrong));
        wrong.extend(self.sign.signer().err());
        if wrong.is_empty() { Ok(()) } else { Err(ConfigError::Invalid(wrong.join("; "))) }
    }
}

/// Reads `IP` or `IP:PORT`; port 0 stands for "as the URL says".
pub(crate) fn parse_address(text: &str) -> Option<SocketAddr> {
    text.parse().ok().or_else(|| Some(SocketAddr::new(text.parse::<IpAddr>().ok()?, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_is_truthful_and_carries_the_contact() {
        let mut config = FetchConfig::default();
        assert_eq!(config.user_agent(), "gristmill/0.1");
        config.contact = "https://example.org/bot".to_owned();
        assert_eq!(config.user_agent(), "gristmill/0.1 (+https://example.org/bot)");
    }

    #[test]
    fn every_broken_rule_is_told_at_once_with_its_key() {
        let config = FetchConfig {
            max_ratio: 0,
            max_bytes_in_flight: 100 << 20,
            max_listing_bytes: (50 << 20) + 1,
            resolve: [("a.test".to_owned(), "nowhere".to_owned())].into(),
            proxy: Some("ftp://me:hunter2@x".into()),
            ..FetchConfig::default()
        };
        let message = config.validate().unwrap_err().to_string();
        for key in ["fetch.max_ratio", "fetch.max_bytes_in_flight", "fetch.resolve.a.test", "fetch.proxy"] {
            assert!(message.contains(key), "{key} missing in: {message}");
        }
        assert!(message.contains("ftp://***@x") && !message.contains("hunter2"), "{message}");
        assert!(FetchConfig::default().validate().is_ok());
    }

    #[test]
    fn an_address_may_carry_the_port_of_a_test_server() {
        assert_eq!(parse_address("127.0.0.1:81"), Some("127.0.0.1:81".parse().unwrap()));
        assert_eq!(parse_address("::1"), Some("[::1]:0".parse().unwrap()));
        assert_eq!(parse_address("localhost"), None);
    }
}
