//! Rules for single sites: how often they are asked, and what of them.

use gristmill_urls::{CanonicalUrl, ScopeError, ScopeVerdict, SiteScope};

use crate::config::{SiteCrawlConfig, millis};

/// The rules of all sites, ready for use.
pub(crate) struct SiteCrawlRules {
    sites: Vec<(SiteCrawlConfig, SiteScope)>,
}

impl SiteCrawlRules {
    /// Compiles the rules, or says which pattern is none.
    pub(crate) fn new(sites: &[SiteCrawlConfig]) -> Result<Self, String> {
        let ready = |site: &SiteCrawlConfig| {
            let scope = SiteScope::new(site.pattern.clone(), &site.include, &site.exclude, site.max_depth);
            let place = |error: ScopeError| {
                format!("`{}.{}` is no regular expression: {}", site.name, error.list, error.source)
            };
            Ok((site.clone(), scope.map_err(place)?))
        };
        Ok(Self { sites: sites.iter().map(ready).collect::<Result<_, String>>()? })
    }

    /// What the rules say of a page that the scope of the crawl lets in.
    pub(crate) fn judge(&self, url: &CanonicalUrl, depth: u16) -> ScopeVerdict {
        let mut verdicts = self.sites.iter().map(|(_, scope)| scope.judge(url, depth));
        verdicts.find(|verdict| *verdict != ScopeVerdict::Inside).unwrap_or(ScopeVerdict::Inside)
    }

    /// The pause after a fetch of `url`, in milliseconds.
    pub(crate) fn delay(&self, url: &CanonicalUrl) -> Option<u64> {
        self.covering(url).find_map(|site| site.delay).map(millis)
    }

    /// The time between two visits of `url`, in milliseconds.
    pub(crate) fn recrawl(&self, url: &CanonicalUrl) -> Option<u64> {
        self.covering(url).find_map(|site| site.recrawl).map(millis)
    }

    /// The longest pause of any site, in milliseconds.
    pub(crate) fn longest_delay(&self) -> u64 {
        self.sites.iter().filter_map(|(site, _)| site.delay).map(millis).max().unwrap_or(0)
    }

    /// Whether any site has its own time between visits.
    pub(crate) fn have_recrawls(&self) -> bool {
        self.sites.iter().any(|(site, _)| site.recrawl.is_some())
    }

    fn covering<'a>(&'a self, url: &'a CanonicalUrl) -> impl Iterator<Item = &'a SiteCrawlConfig> {
        self.sites.iter().map(|(site, _)| site).filter(|site| site.pattern.covers(url.host(), url.path()))
    }
}
