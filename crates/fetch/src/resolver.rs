//! From host names to addresses that may be dialled: fixed addresses, a bounded cache, DNS, and the guard over all.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;
use url::{Host, Url};

use crate::config::{FetchConfig, parse_address};
use crate::guard::{AddressClass, classify};
use crate::proxies::Proxies;

/// Why a host has no address to dial.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum ResolveError {
    #[error("`{ip}` is {class}")]
    Refused { ip: IpAddr, class: AddressClass },
    #[error("`{host}` is {what}")]
    PrivateName { host: String, what: &'static str },
    #[error("{0}")]
    Failed(String),
}

struct Known {
    until: Instant,
    /// The addresses, or why there are none.
    answer: Result<Vec<IpAddr>, ResolveError>,
}

/// How long a failed look-up counts, so that one fetch does not wait for it twice.
const FAILURE_TTL: Duration = Duration::from_secs(2);

/// Names that the system is asked for at once: each holds a thread, and resolvers turn away who floods them.
const MAX_LOOKUPS: usize = 64;

/// Answers only with addresses that the guard passed, so that what is judged is what is dialled.
pub(crate) struct GuardedResolver {
    fixed: HashMap<String, SocketAddr>,
    /// Held only for a look-up or an insert, never across a wait.
    cache: Mutex<HashMap<String, Known>>,
    cache_limit: usize,
    lookups: Semaphore,
    ttl: Duration,
    timeout: Duration,
    allow_private: bool,
    /// Proxies were chosen by the operator, so their own addresses are not judged.
    proxy_hosts: Vec<String>,
}

impl GuardedResolver {
    pub(crate) fn new(config: &FetchConfig) -> Self {
        let proxies = config.all_proxies().flat_map(Proxies::hosts);
        let proxy_hosts = proxies.map(|host| normal(&host)).collect();
        Self {
            fixed: config
                .resolve
                .iter()
                .filter_map(|(host, address)| Some((normal(host), parse_address(address)?)))
                .collect(),
            cache: Mutex::new(HashMap::new()),
            cache_limit: config.dns_cache,
            lookups: Semaphore::new(MAX_LOOKUPS),
            ttl: config.dns_ttl,
            timeout: config.connect_timeout,
            allow_private: config.allow_private,
            proxy_hosts,
        }
    }

    /// Judges a host that is written as an address: such a host is dialled without asking any resolver.
    pub(crate) fn judge_literal(&self, url: &Url) -> Result<(), ResolveError> {
        match url.host() {
            Some(Host::Ipv4(ip)) => self.judge(ip.into()),
            Some(Host::Ipv6(ip)) => self.judge(ip.into()),
            _ => Ok(()),
        }
    }

    /// Judges a host that a proxy will resolve, by its name and by what is known of it here: one private address among others is
    /// enough, since nobody knows which one the proxy will dial. A public name that is unknown here passes.
    pub(crate) async fn judge_for_proxy(&self, url: &Url) -> Result<(), ResolveError> {
        let Some(Host::Domain(host)) = url.host() else { return Ok(()) };
        let host = normal(host);
        if let Some(address) = self.fixed.get(&host) {
            return self.judge(address.ip());
        }
        if let Some(what) = private_name(&host).filter(|_| !self.allow_private) {
            return Err(ResolveError::PrivateName { host, what });
        }
        let known = self.addresses(&host).await.unwrap_or_default();
        known.into_iter().try_for_each(|ip| self.judge(ip))
    }

    fn judge(&self, ip: IpAddr) -> Result<(), ResolveError> {
        match classify(ip) {
            Some(class) if !self.allow_private => Err(ResolveError::Refused { ip, class }),
            _ => Ok(()),
        }
    }

    /// The addresses of a host that passed the guard, never an empty list.
    pub(crate) async fn lookup(&self, host: &str) -> Result<Vec<SocketAddr>, ResolveError> {
        let host = normal(host);
        if let Some(address) = self.fixed.get(&host) {
            self.judge_unless_proxy(&host, address.ip())?;
            return Ok(vec![*address]);
        }
        let mut refused = None;
        let mut passed = Vec::new();
        for ip in self.addresses(&host).await? {
            match self.judge_unless_proxy(&host, ip) {
                Ok(()) => passed.push(SocketAddr::new(ip, 0)),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match (passed.is_empty(), refused) {
            (false, _) => Ok(passed),
            (true, Some(error)) => Err(error),
            (true, None) => Err(ResolveError::Failed("the name has no address".to_owned())),
        }
    }

    /// All addresses of a name, judged or not.
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, ResolveError> {
        if let Some(answer) = self.cached(host) {
            return answer;
        }
        let turn = self.lookups.acquire().await;
        // Who waited before may have asked for the same name.
        if let Some(answer) = self.cached(host) {
            return answer;
        }
        let answer = ask_system(host, self.timeout).await;
        drop(turn);
        self.remember(host.to_owned(), answer.clone());
        answer
    }

    fn judge_unless_proxy(&self, host: &str, ip: IpAddr) -> Result<(), ResolveError> {
        if self.proxy_hosts.iter().any(|proxy| proxy == host) { Ok(()) } else { self.judge(ip) }
    }

    fn cached(&self, host: &str) -> Option<Result<Vec<IpAddr>, ResolveError>> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.get(host).filter(|known| known.until > Instant::now()).map(|known| known.answer.clone())
    }

    fn remember(&self, host: String, answer: Result<Vec<IpAddr>, ResolveError>) {
        if self.cache_limit == 0 {
            return;
        }
        let now = Instant::now();
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= self.cache_limit {
            cache.retain(|_, known| known.until > now);
        }
        if cache.len() >= self.cache_limit {
            cache.clear();
        }
        let ttl = if answer.is_ok() { self.ttl } else { self.ttl.min(FAILURE_TTL) };
        cache.insert(host, Known { until: now + ttl, answer });
    }
}

async fn ask_system(host: &str, timeout: Duration) -> Result<Vec<IpAddr>, ResolveError> {
    match tokio::time::timeout(timeout, tokio::net::lookup_host((host, 0))).await {
        Err(_) => Err(ResolveError::Failed(format!("no answer within `fetch.connect_timeout` ({timeout:?})"))),
        Ok(Err(error)) => Err(ResolveError::Failed(error.to_string())),
        Ok(Ok(found)) => {
            let mut addresses: Vec<IpAddr> = found.map(|address| address.ip()).collect();
            addresses.dedup();
            addresses.truncate(16);
            Ok(addresses)
        }
    }
}

/// Names that lead to no public site, whoever resolves them.
///
/// Source: RFC 6761 §6.3 (`localhost`), RFC 6762 (`local`), RFC 8375 (`home.arpa`), ICANN board resolution 2024.07.29.06 (`internal`);
/// `/etc/hosts` of Linux distributions (`localhost.localdomain` and its like).
fn private_name(host: &str) -> Option<&'static str> {
    let within = |zone: &str| host.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if within("localhost") || within("localdomain") || within("localdomain4") || within("localdomain6") {
        Some("a name of the machine itself")
    } else if within("local") || within("internal") || within("home.arpa") {
        Some("a name of a private network")
    } else {
        (!host.contains('.')).then_some("a name without a domain, which only a private network knows")
    }
}

/// A name as it is looked up: in lower case, and in ASCII where it is not (IDNA).
fn normal(host: &str) -> String {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    match Host::parse(&host) {
        Ok(Host::Domain(name)) if !host.is_ascii() => name,
        _ => host,
    }
}

/// The resolver as the HTTP library asks it.
#[derive(Clone)]
pub(crate) struct SharedResolver(pub(crate) Arc<GuardedResolver>);

impl Resolve for SharedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = Arc::clone(&self.0);
        Box::pin(async move {
            let addresses = resolver.lookup(name.as_str()).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver(allow_private: bool) -> GuardedResolver {
        GuardedResolver::new(&FetchConfig {
            allow_private,
            resolve: [
                ("A.test".to_owned(), "127.0.0.1:81".to_owned()),
                ("b.test".to_owned(), "1.1.1.1".to_owned()),
                ("BÜCHER.test".to_owned(), "1.1.1.2".to_owned()),
            ]
            .into(),
            dns_cache: 2,
            ..FetchConfig::default()
        })
    }

    #[tokio::test]
    async fn a_fixed_address_is_judged_like_any_other() {
        assert!(matches!(resolver(false).lookup("a.test").await, Err(ResolveError::Refused { .. })));
        assert_eq!(resolver(true).lookup("a.test.").await.unwrap(), ["127.0.0.1:81".parse::<SocketAddr>().unwrap()]);
        assert_eq!(resolver(false).lookup("b.test").await.unwrap(), ["1.1.1.1:0".parse::<SocketAddr>().unwrap()]);
        let books = resolver(false).lookup("xn--bcher-kva.test").await.unwrap();
        assert_eq!(books, ["1.1.1.2:0".parse::<SocketAddr>().unwrap()]);
    }

    #[tokio::test]
    async fn a_name_that_the_system_maps_to_loopback_is_refused() {
        assert!(matches!(resolver(false).lookup("localhost").await, Err(ResolveError::Refused { .. })));
    }

    #[tokio::test]
    async fn only_the_public_addresses_of_a_mixed_answer_are_dialled() {
        let resolver = resolver(false);
        resolver.remember("mixed.test".to_owned(), Ok(vec!["10.0.0.1".parse().unwrap(), "8.8.8.8".parse().unwrap()]));
        assert_eq!(resolver.lookup("mixed.test").await.unwrap(), ["8.8.8.8:0".parse::<SocketAddr>().unwrap()]);
    }

    #[tokio::test]
    async fn behind_a_proxy_names_of_private_networks_are_refused_without_a_look_up() {
        let judge = async |resolver: &GuardedResolver, host: &str| {
            resolver.judge_for_proxy(&Url::parse(&format!("http://{host}/")).unwrap()).await
        };
        let guarded = resolver(false);
        for host in [
            "localhost",
            "a.localhost",
            "A.B.LOCALHOST.",
            "localhost.localdomain",
            "localhost6.localdomain6",
            "localdomain",
            "printer.local",
            "x.internal",
            "nas.home.arpa",
            "intranet",
        ] {
            let error = judge(&guarded, host).await.unwrap_err();
            assert!(matches!(error, ResolveError::PrivateName { .. }), "{host}: {error}");
            assert!(judge(&resolver(true), host).await.is_ok(), "{host} with `fetch.allow_private`");
        }
        assert!(guarded.cache.lock().unwrap().is_empty());
        for host in ["notlocalhost.example", "local.example", "internal.example.com"] {
            assert_eq!(private_name(host), None, "{host}");
        }
        assert!(
            judge(&guarded, "b.test").await.is_ok() && judge(&guarded, "a.test").await.is_err(),
            "as `fetch.resolve` says"
        );
    }

    #[tokio::test]
    async fn behind_a_proxy_one_private_address_among_public_ones_is_enough_to_refuse_a_name() {
        let guarded = resolver(false);
        let addresses = |texts: &[&str]| Ok(texts.iter().map(|text| text.parse().unwrap()).collect());
        guarded.remember("mixed.test".to_owned(), addresses(&["8.8.8.8", "10.0.0.1"]));
        let mixed = Url::parse("http://mixed.test/").unwrap();
        assert!(matches!(guarded.judge_for_proxy(&mixed).await, Err(ResolveError::Refused { .. })));
        guarded.remember("public.test".to_owned(), addresses(&["8.8.8.8", "1.1.1.1"]));
        assert!(guarded.judge_for_proxy(&Url::parse("http://public.test/").unwrap()).await.is_ok());
        guarded.remember("unknown.test".to_owned(), Err(ResolveError::Failed("no such name".to_owned())));
        assert!(
            guarded.judge_for_proxy(&Url::parse("http://unknown.test/").unwrap()).await.is_ok(),
            "nothing is known of it here"
        );
    }

    #[test]
    fn the_cache_never_outgrows_its_limit() {
        let resolver = resolver(false);
        for n in 0..10 {
            resolver.remember(format!("{n}.test"), Ok(vec![]));
        }
        assert!(resolver.cache.lock().unwrap().len() <= 2);
    }

    #[test]
    fn odd_spellings_of_loopback_are_addresses_after_parsing_and_refused() {
        let resolver = resolver(false);
        for url in [
            "http://2130706433/",
            "http://0x7f.1/",
            "http://017700000001/",
            "http://[::ffff:127.0.0.1]/",
            "http://127.1/",
        ] {
            let url = Url::parse(url).unwrap();
            assert!(matches!(resolver.judge_literal(&url), Err(ResolveError::Refused { .. })), "{url}");
        }
    }
}
