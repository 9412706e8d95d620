//! Pages and sites that whoever runs a corpus was asked to take out, for good.

use std::collections::HashSet;
use std::fmt;

use crate::canonical::{CanonicalUrl, UrlError};
use crate::key::UrlKey;

/// A page, or a host with all below it, that is taken out and never comes back.
///
/// Written as the canonical URL of a page, or as a bare host name: `https://news.example/story` or `news.example`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takedown {
    /// One page.
    Page(CanonicalUrl),
    /// A host, lower case, and every host below it.
    Site(String),
}

impl Takedown {
    /// Reads what [`Display`](fmt::Display) writes, and what people write.
    ///
    /// # Errors
    /// It is neither a URL nor a host name.
    pub fn parse(text: &str) -> Result<Takedown, UrlError> {
        if text.contains('/') {
            return CanonicalUrl::parse(text, None).map(Takedown::Page);
        }
        host_named(text).map(Takedown::Site)
    }

    /// The host that it is about.
    #[must_use]
    pub fn host(&self) -> &str {
        match self {
            Takedown::Page(url) => url.host(),
            Takedown::Site(host) => host,
        }
    }
}

impl fmt::Display for Takedown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Takedown::Page(url) => url.as_str(),
            Takedown::Site(host) => host,
        })
    }
}

/// The host that people name, in the form that documents have: `Bücher.example`, or an address there.
///
/// # Errors
/// It is none.
pub fn host_named(text: &str) -> Result<String, UrlError> {
    let url = CanonicalUrl::parse(text, None).or_else(|_| CanonicalUrl::parse(&format!("http://{text}"), None))?;
    Ok(url.host().to_owned())
}

/// All takedowns of a corpus.
#[derive(Debug, Clone, Default)]
pub struct Takedowns {
    pages: HashSet<UrlKey>,
    sites: HashSet<String>,
}

impl Takedowns {
    /// Adds one; tells whether it is new.
    pub fn insert(&mut self, takedown: &Takedown) -> bool {
        match takedown {
            Takedown::Page(url) => self.pages.insert(url.key()),
            Takedown::Site(host) => self.sites.insert(host.clone()),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.sites.is_empty()
    }

    /// Whether the page with this key, on this host, was taken out.
    #[must_use]
    pub fn covers(&self, key: UrlKey, host: &str) -> bool {
        self.pages.contains(&key) || self.covers_host(host)
    }

    fn covers_host(&self, host: &str) -> bool {
        if self.sites.is_empty() {
            return false;
        }
        let above = |host: &str| host.split_once('.').map(|(_, above)| above.to_owned());
        std::iter::successors(Some(host.to_ascii_lowercase()), |host| above(host))
            .any(|host| self.sites.contains(&host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_known_by_any_of_its_names() {
        for text in [
            "Bücher.example",
            "xn--bcher-kva.example",
            "http://bücher.example/",
            "bücher.example/a",
            "bücher.example:81",
        ] {
            assert_eq!(host_named(text).as_deref(), Ok("xn--bcher-kva.example"), "{text}");
        }
        assert_eq!(host_named("localhost:8080").as_deref(), Ok("localhost"));
        assert!(host_named("").is_err() && host_named("a b").is_err());
    }

    #[test]
    fn a_page_is_taken_out_alone_and_a_host_with_all_below_it() {
        let mut all = Takedowns::default();
        for text in ["HTTP://A.test/x#top", "News.Example"] {
            let takedown = Takedown::parse(text).unwrap();
            assert!(all.insert(&takedown) && !all.insert(&Takedown::parse(&takedown.to_string()).unwrap()), "{text}");
        }
        let covers = |url: &str| {
            let url = CanonicalUrl::parse(url, None).unwrap();
            all.covers(url.key(), url.host())
        };
        assert!(covers("http://a.test/x") && covers("https://news.example/") && covers("http://www.news.example/1"));
        assert!(!covers("http://a.test/") && !covers("http://mynews.example/") && !covers("http://example/"));
        assert!(Takedown::parse("").is_err() && Takedown::parse("a b").is_err());
    }
}
