//! Cookies that sites set on the way to a page, kept in memory: one jar for each site, whose cookies no other site is shown.
//!
//! Only redirects fill the jars: a site that sends its visitors on with a cookie wants to see it again. What pages set besides is for
//! people who come back. What a site has set can be taken out and put in again, for a crawl that goes on elsewhere.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use cookie_store::{CookieStore, RawCookie, StoreAction};
use gristmill_urls::registrable_domain;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// Most sites with a jar; beyond it another loses its own.
const MAX_SITES: usize = 10_000;
/// Most cookies of a site; more are not taken.
const MAX_COOKIES: usize = 50;
/// Longest cookie that is taken, its attributes included.
const MAX_BYTES: usize = 4_096;

/// Most bytes of a site's cookies that are taken out.
const MAX_TAKEN_OUT: usize = 8_192;

/// A cookie as a site has set it.
#[derive(Clone, PartialEq, Eq)]
pub struct Cookie {
    /// What was asked for.
    pub url: String,
    /// The value of `Set-Cookie`.
    pub field: String,
}

/// The jars of all sites.
#[derive(Default)]
pub(crate) struct Cookies {
    /// By registrable domain, or by the host where there is none.
    jars: Mutex<HashMap<String, Jar>>,
}

#[derive(Default)]
struct Jar {
    store: CookieStore,
    /// What was set, the last of each name at each address.
    set: Vec<(String, Cookie)>,
}

impl Cookies {
    /// The value of the field `Cookie` for a request, if its site has set cookies that it is to see.
    pub(crate) fn field(&self, url: &Url) -> Option<HeaderValue> {
        let jars = self.jars.lock().unwrap_or_else(PoisonError::into_inner);
        let jar = jars.get(site_of(url)?)?;
        let mut pairs: Vec<String> =
            jar.store.get_request_values(url).map(|(name, value)| format!("{name}={value}")).collect();
        pairs.sort_unstable();
        HeaderValue::try_from(pairs.join("; ")).ok().filter(|value| !value.is_empty())
    }

    /// Takes in what the answer to a request sets; tells whether a cookie is new, changed or taken back.
    pub(crate) fn take_in(&self, url: &Url, fields: &HeaderMap) -> bool {
        let set = fields.get_all(SET_COOKIE).iter().filter(|value| value.len() <= MAX_BYTES);
        let cookies: Vec<RawCookie<'static>> =
            set.filter_map(|value| RawCookie::parse(value.to_str().ok()?.to_owned()).ok()).collect();
        let Some(site) = site_of(url).filter(|_| !cookies.is_empty()) else { return false };
        let mut jars = self.jars.lock().unwrap_or_else(PoisonError::into_inner);
        if jars.len() >= MAX_SITES && !jars.contains_key(site) {
            let other = jars.keys().next().cloned();
            other.map(|other| jars.remove(&other));
        }
        let jar = jars.entry(site.to_owned()).or_default();
        let mut changed = false;
        for cookie in cookies {
            // A domain above the site would be that of a public suffix.
            let is_wide = cookie.domain().is_some_and(|domain| site_of_host(domain.trim_start_matches('.')) != site);
            if is_wide || jar.store.iter_any().count() >= MAX_COOKIES {
                continue;
            }
            let before = value_of(&jar.store, &cookie);
            let is_new = before.as_deref() != Some(cookie.value());
            changed |= match jar.store.insert_raw(&cookie, url) {
                Ok(StoreAction::Inserted | StoreAction::UpdatedExisting) => {
                    jar.note(&cookie, url);
                    is_new
                }
                Ok(StoreAction::ExpiredExisting) => {
                    jar.forget(cookie.name());
                    true
                }
                Err(_) => false,
            };
        }
        changed
    }

    /// What the site of `url` has set, as far as it is of a size to be kept.
    pub(crate) fn of_site(&self, url: &Url) -> Vec<Cookie> {
        let jars = self.jars.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(jar) = site_of(url).and_then(|site| jars.get(site)) else { return Vec::new() };
        let mut n_bytes = 0;
        let cookies = jar.set.iter().map(|(_, cookie)| cookie).take_while(|cookie| {
            n_bytes += cookie.url.len() + cookie.field.len();
            n_bytes <= MAX_TAKEN_OUT
        });
        cookies.cloned().collect()
    }

    /// Puts in what the site of `url` set earlier, unless it has set anything since.
    pub(crate) fn restore(&self, url: &Url, cookies: &[Cookie]) {
        let has_jar = |site: &str| self.jars.lock().unwrap_or_else(PoisonError::into_inner).contains_key(site);
        if cookies.is_empty() || site_of(url).is_none_or(has_jar) {
            return;
        }
        for Cookie { url: from, field } in cookies {
            let (Ok(from), Ok(value)) = (Url::parse(from), HeaderValue::from_str(field)) else { continue };
            if site_of(&from) == site_of(url) {
                self.take_in(&from, &HeaderMap::from_iter([(SET_COOKIE, value)]));
            }
        }
    }
}

impl Jar {
    fn note(&mut self, cookie: &RawCookie<'static>, url: &Url) {
        let address = url.as_str().split(['?', '#']).next().unwrap_or_default();
        let noted = Cookie { url: address.to_owned(), field: cookie.to_string() };
        let name = cookie.name();
        self.set.retain(|(known, before)| known != name || before.url != noted.url);
        if self.set.len() < MAX_COOKIES {
            self.set.push((name.to_owned(), noted));
        }
    }

    fn forget(&mut self, name: &str) {
        self.set.retain(|(known, _)| known != name);
    }
}

fn value_of(jar: &CookieStore, cookie: &RawCookie<'_>) -> Option<String> {
    let mut known = jar.iter_any().filter(|known| known.name() == cookie.name());
    known.next().map(|known| known.value().to_owned())
}

fn site_of(url: &Url) -> Option<&str> {
    url.host_str().map(site_of_host)
}

fn site_of_host(host: &str) -> &str {
    registrable_domain(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(cookies: &Cookies, url: &str) -> String {
        let url = Url::parse(url).unwrap();
        cookies.field(&url).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
    }

    fn set(cookies: &Cookies, url: &str, values: &[&str]) -> bool {
        let values = values.iter().map(|value| (SET_COOKIE, HeaderValue::from_str(value).unwrap()));
        cookies.take_in(&Url::parse(url).unwrap(), &values.collect())
    }

    #[test]
    fn cookies_go_to_their_own_site_only() {
        let cookies = Cookies::default();
        assert!(set(&cookies, "https://www.mill.example/a", &["seen=1; Path=/", "all=2; Domain=mill.example"]));
        assert_eq!(field(&cookies, "https://www.mill.example/b"), "all=2; seen=1");
        assert_eq!(field(&cookies, "https://shop.mill.example/"), "all=2");
        for other in ["https://other.example/", "https://mill.test/", "https://example/"] {
            assert_eq!(field(&cookies, other), "", "{other}");
        }
    }

    #[test]
    fn foreign_and_public_domains_paths_and_security_are_minded() {
        let cookies = Cookies::default();
        assert!(!set(
            &cookies,
            "https://a.example/",
            &["x=1; Domain=other.example", "y=1; Domain=example", "z=1; Domain=co.uk"]
        ));
        assert!(set(&cookies, "https://a.example/in/x", &["p=1; Path=/in", "s=1; Secure; Path=/"]));
        assert_eq!(field(&cookies, "https://a.example/"), "s=1");
        assert_eq!(field(&cookies, "http://a.example/in/"), "p=1");
    }

    #[test]
    fn what_a_site_has_set_is_put_in_again_elsewhere_and_nowhere_else() {
        let (cookies, later) = (Cookies::default(), Cookies::default());
        let url = Url::parse("https://a.example/in/x?q=1").unwrap();
        set(&cookies, url.as_str(), &["p=1; Path=/in", "d=2; Domain=a.example", "gone=1"]);
        set(&cookies, url.as_str(), &["p=3; Path=/in", "gone=; Max-Age=0"]);
        set(&cookies, "https://b.example/", &["b=1"]);
        let taken = cookies.of_site(&url);
        assert!(taken.iter().all(|cookie| cookie.url == "https://a.example/in/x"), "no query goes along");
        later.restore(&Url::parse("https://b.example/").unwrap(), &taken);
        assert_eq!(field(&later, "https://b.example/") + &field(&later, url.as_str()), "", "another site");
        later.restore(&url, &taken);
        for address in ["https://a.example/in/y", "https://a.example/", "https://www.a.example/", "http://b.example/"] {
            let expected = if address.contains("b.") { String::new() } else { field(&cookies, address) };
            assert_eq!(field(&later, address), expected, "{address}");
        }
        assert!(later.of_site(&url) == taken);
        set(&later, url.as_str(), &["p=4; Path=/in"]);
        later.restore(&url, &taken);
        assert!(field(&later, "https://a.example/in/y").contains("p=4"), "what it has set since counts");
        set(
            &cookies,
            url.as_str(),
            &[&format!("long={}", "x".repeat(4_000)), &format!("longer={}", "x".repeat(4_000))],
        );
        let n_bytes: usize = cookies.of_site(&url).iter().map(|cookie| cookie.field.len()).sum();
        assert!(n_bytes <= MAX_TAKEN_OUT);
    }

    #[test]
    fn only_what_is_new_counts_as_a_change() {
        let cookies = Cookies::default();
        assert!(set(&cookies, "https://a.example/", &["x=1"]));
        assert!(!set(&cookies, "https://a.example/", &["x=1"]));
        assert!(set(&cookies, "https://a.example/", &["x=2"]));
        assert!(set(&cookies, "https://a.example/", &["x=; Max-Age=0"]));
        assert_eq!(field(&cookies, "https://a.example/"), "");
        let many: Vec<String> = (0..200).map(|n| format!("c{n}=1")).collect();
        set(&cookies, "https://b.example/", &many.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(field(&cookies, "https://b.example/").split("; ").count(), MAX_COOKIES);
    }
}
