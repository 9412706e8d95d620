//! Which addresses a rule for a site is about: hosts, and below them a path.

/// Hosts, and the begin of a path that their addresses must have.
///
/// A host is written `shop.example`, or `*.shop.example` for that one and every host below it. Letter case does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitePattern {
    hosts: Vec<HostPattern>,
    path: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostPattern {
    Exact(String),
    Below(String),
}

/// Why a pattern would cover nothing, or not what its writer meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SitePatternError {
    /// Nothing is covered.
    #[error("`hosts` is empty: name the hosts, such as `shop.example` or `*.shop.example`")]
    NoHost,
    /// A host name with a scheme, a path, a port or a star elsewhere.
    #[error("`hosts`: `{0}` is no host name; write `shop.example` or `*.shop.example`")]
    Host(String),
    /// Paths begin with `/`.
    #[error("`path`: `{0}` does not begin with `/`")]
    Path(String),
}

impl SitePattern {
    /// Reads host patterns; `path` is how covered paths begin, all if there is none.
    ///
    /// # Errors
    /// No host, or one that is not written as a host; a path without its `/`.
    pub fn new(hosts: &[String], path: Option<&str>) -> Result<SitePattern, SitePatternError> {
        if hosts.is_empty() {
            return Err(SitePatternError::NoHost);
        }
        if let Some(path) = path.filter(|path| !path.starts_with('/')) {
            return Err(SitePatternError::Path(path.to_owned()));
        }
        let hosts = hosts.iter().map(|host| HostPattern::parse(host)).collect::<Result<_, _>>()?;
        Ok(SitePattern { hosts, path: path.map(str::to_owned) })
    }

    /// Whether an address of this host and path is covered.
    #[must_use]
    pub fn covers(&self, host: &str, path: &str) -> bool {
        self.covers_host(host) && self.path.as_deref().is_none_or(|begin| path.starts_with(begin))
    }

    /// Whether any address of this host is covered.
    #[must_use]
    pub fn covers_host(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.');
        self.hosts.iter().any(|named| named.covers(host))
    }

    /// Whether it leaves out paths of its hosts.
    #[must_use]
    pub fn has_path(&self) -> bool {
        self.path.is_some()
    }
}

impl HostPattern {
    fn parse(host: &str) -> Result<HostPattern, SitePatternError> {
        let (inner, below) = match host.strip_prefix("*.") {
            Some(inner) => (inner, true),
            None => (host, false),
        };
        let is_odd = |c: char| c.is_whitespace() || matches!(c, '/' | '*' | '@' | '?' | '#');
        let is_port = inner.contains(':') && !(inner.starts_with('[') && inner.ends_with(']'));
        // As hosts stand in parsed addresses: lower case, punycode.
        let parsed = url::Host::parse(inner).ok().filter(|_| !inner.contains(is_odd) && !is_port);
        let inner = parsed.ok_or_else(|| SitePatternError::Host(host.to_owned()))?.to_string();
        Ok(if below { HostPattern::Below(inner) } else { HostPattern::Exact(inner) })
    }

    fn covers(&self, host: &str) -> bool {
        match self {
            HostPattern::Exact(name) => name.eq_ignore_ascii_case(host),
            HostPattern::Below(name) => {
                let split = host.len().checked_sub(name.len()).filter(|at| host.is_char_boundary(*at));
                split.is_some_and(|at| host[at..].eq_ignore_ascii_case(name) && (at == 0 || host[..at].ends_with('.')))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(hosts: &[&str], path: Option<&str>) -> Result<SitePattern, SitePatternError> {
        SitePattern::new(&hosts.iter().map(|&host| host.to_owned()).collect::<Vec<_>>(), path)
    }

    #[test]
    fn hosts_and_those_below_a_star_are_covered_and_no_others() {
        let shop = pattern(&["*.shop.example", "mill.example", "müller.example"], None).unwrap();
        for host in ["shop.example", "www.shop.example", "a.b.SHOP.example", "mill.example", "xn--mller-kva.example"] {
            assert!(shop.covers(host, "/"), "{host}");
        }
        for host in ["myshop.example", "shop.example.evil.test", "www.mill.example", "example", ""] {
            assert!(!shop.covers(host, "/"), "{host}");
        }
    }

    #[test]
    fn a_path_is_how_covered_paths_begin() {
        let news = pattern(&["a.test"], Some("/news/")).unwrap();
        assert!(
            news.covers("a.test", "/news/1") && !news.covers("a.test", "/newsletter") && news.covers_host("a.test")
        );
        assert!(!news.covers("b.test", "/news/1"));
    }

    #[test]
    fn what_is_no_host_is_refused_by_name() {
        for host in ["https://a.test", "a.test/x", "a.test:8080", "*", "*.", "a*.test", "me@a.test", " a.test", ""] {
            assert_eq!(pattern(&[host], None), Err(SitePatternError::Host(host.to_owned())));
        }
        assert_eq!(pattern(&[], None), Err(SitePatternError::NoHost));
        assert_eq!(pattern(&["a.test"], Some("x")), Err(SitePatternError::Path("x".to_owned())));
        assert!(pattern(&["127.0.0.1", "[::1]"], None).unwrap().covers("[::1]", "/"));
    }
}
