//! What stands out of the crawl's place and belongs to it all the same, by the page or listing that names it: sitemaps and feeds of the
//! crawl's sites, and the pages that a sitemap or feed lists which is a start.
//!
//! Sites keep sitemaps at their content network, and feeds at a service. Who controls robots.txt, the home page or the sitemap index of a
//! site may say so (sitemaps.org, "Cross Submits"); what they list is judged by the scope as ever.

use gristmill_terms::{FetchKind, LinkSource};
use gristmill_urls::{CanonicalUrl, ScopeVerdict};

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::message::Outlink;
use crate::url_record::UrlRecord;

impl Frontier {
    /// A link out of the crawl's place as what it is taken for since it stands at `from`, and what the scope says of it; `None` if it is
    /// out of scope.
    pub(crate) fn named_by<'a>(
        &self,
        from: Option<&str>,
        link: &Outlink<'a>,
        url: &CanonicalUrl,
    ) -> Result<Option<(Outlink<'a>, ScopeVerdict)>, FrontierError> {
        let lists = matches!(link.source, LinkSource::Sitemap | LinkSource::Feed) && link.kind == FetchKind::Page;
        if !lists && !link.kind.is_listing() {
            return Ok(None);
        }
        let Some(from) = from.and_then(|from| CanonicalUrl::parse(from, None).ok()) else { return Ok(None) };
        if link.kind.is_listing() && self.scope.judge_listing(&from) == ScopeVerdict::Inside {
            return Ok(Some((*link, ScopeVerdict::Inside)));
        }
        let Some(listing) = self.listing_at(&from)? else { return Ok(None) };
        if lists {
            // As the entries of a feed that is a start: they stand for it, and open nothing.
            return Ok(listing.is_seed.then(|| (Outlink { depth: 0, ..*link }, self.judge_entry(url))));
        }
        // Elsewhere an index leads to sitemaps of its own site only, or one site could have us ask thousands of others.
        let is_of_site = url.registrable_domain() == from.registrable_domain();
        let is_named = link.source == LinkSource::Redirect || listing.is_seed || is_of_site;
        Ok(is_named.then_some((*link, ScopeVerdict::Inside)))
    }

    /// Whether a listing is a part of one that is a start, or where that has moved to.
    pub(crate) fn is_part_of_start(&self, from: Option<&str>, link: &Outlink<'_>) -> Result<bool, FrontierError> {
        if !link.kind.is_listing() {
            return Ok(false);
        }
        let Some(from) = from.and_then(|from| CanonicalUrl::parse(from, None).ok()) else { return Ok(false) };
        Ok(self.listing_at(&from)?.is_some_and(|listing| listing.is_seed))
    }

    fn listing_at(&self, url: &CanonicalUrl) -> Result<Option<UrlRecord>, FrontierError> {
        Ok(self.record(url.key())?.filter(|record| record.kind.is_listing()))
    }
}
