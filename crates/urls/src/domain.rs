//! The registrable domain of a host: public suffix plus one label, the unit of politeness.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The registrable domain of `host`, which must be lower-case ASCII without a trailing dot.
///
/// * an IP address (IPv6 with or without brackets) answers for itself;
/// * a single label (`localhost`) and a public suffix itself (`github.io`) are their own domain;
/// * a suffix missing from the list counts as one label, as the list's default rule `*` says.
///
/// Source: publicsuffix.org, both the ICANN and the private section, compiled into the crate `psl`.
#[must_use]
pub fn registrable_domain(host: &str) -> &str {
    if is_ip(host) {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

/// Whether `host` is a suffix below which others register names, such as `com` or `co.uk`; not one that somebody runs for others
/// (`github.io`, the private section of the list), nor one that the list does not have.
#[must_use]
pub fn is_registry_suffix(host: &str) -> bool {
    let is_registry = |suffix: &psl::Suffix<'_>| suffix.typ() == Some(psl::Type::Icann);
    psl::suffix(host.as_bytes()).filter(is_registry).is_some_and(|suffix| suffix.as_bytes() == host.as_bytes())
}

pub(crate) fn is_ip(host: &str) -> bool {
    host.starts_with('[')
        || host.parse::<Ipv4Addr>().is_ok()
        || (host.contains(':') && host.parse::<Ipv6Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_label_more_than_the_public_suffix() {
        for (host, domain) in [
            ("www.example.co.uk", "example.co.uk"),
            ("a.b.example.com", "example.com"),
            ("example.com", "example.com"),
            ("someone.github.io", "someone.github.io"),
            ("www.city.kawasaki.jp", "city.kawasaki.jp"),
            ("docs.gristmill.test", "gristmill.test"),
            ("xn--fiq228c.xn--55qx5d.cn", "xn--fiq228c.xn--55qx5d.cn"),
        ] {
            assert_eq!(registrable_domain(host), domain, "{host}");
        }
    }

    #[test]
    fn suffixes_of_registries_are_told_from_hosts() {
        assert!(["com", "co.uk", "org"].into_iter().all(is_registry_suffix));
        assert!(!["github.io", "example.com", "test", "localhost", "127.0.0.1"].into_iter().any(is_registry_suffix));
    }

    #[test]
    fn addresses_single_labels_and_suffixes_answer_for_themselves() {
        for host in ["127.0.0.1", "[::1]", "::1", "localhost", "github.io", "com"] {
            assert_eq!(registrable_domain(host), host);
        }
    }
}
