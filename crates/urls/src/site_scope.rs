//! What of a site belongs to a crawl, by rules for that site alone.

use regex::RegexSet;

use crate::canonical::CanonicalUrl;
use crate::scope::{ScopeError, ScopeVerdict, compile};
use crate::site_pattern::SitePattern;

/// Narrows a crawl where its pattern covers. Seeds are exempt, as from the scope of the crawl.
#[derive(Debug, Clone)]
pub struct SiteScope {
    pattern: SitePattern,
    include: RegexSet,
    exclude: RegexSet,
    max_depth: Option<u16>,
}

impl SiteScope {
    /// Compiles the rules: of `include`, if there are any, one must match the canonical URL, and none of `exclude` may.
    ///
    /// # Errors
    /// When a pattern is not a regular expression of the linear-time kind.
    pub fn new(
        pattern: SitePattern,
        include: &[String],
        exclude: &[String],
        max_depth: Option<u16>,
    ) -> Result<Self, ScopeError> {
        Ok(Self { pattern, include: compile("include", include)?, exclude: compile("exclude", exclude)?, max_depth })
    }

    /// Judges a page `depth` links from its seed. Linear in the URL's length.
    #[must_use]
    pub fn judge(&self, url: &CanonicalUrl, depth: u16) -> ScopeVerdict {
        if depth == 0 || !self.pattern.covers(url.host(), url.path()) {
            return ScopeVerdict::Inside;
        }
        if let Some(limit) = self.max_depth.filter(|&limit| depth > limit) {
            return ScopeVerdict::TooDeep(limit);
        }
        if !self.include.is_empty() && !self.include.is_match(url.as_str()) {
            return ScopeVerdict::NotIncluded;
        }
        match self.exclude.matches(url.as_str()).iter().next() {
            Some(index) => ScopeVerdict::Excluded(self.exclude.patterns()[index].clone()),
            None => ScopeVerdict::Inside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_site_narrow_that_site_alone() {
        let pattern = SitePattern::new(&["a.test".to_owned()], None).unwrap();
        let own = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let site = SiteScope::new(pattern, &own(&["/news/"]), &own(&["print"]), Some(2)).unwrap();
        let judge = |url: &str, depth| site.judge(&CanonicalUrl::parse(url, None).unwrap(), depth);
        assert_eq!(judge("http://a.test/news/1", 1), ScopeVerdict::Inside);
        assert_eq!(judge("http://a.test/about", 1), ScopeVerdict::NotIncluded);
        assert_eq!(judge("http://a.test/about", 0), ScopeVerdict::Inside, "a seed");
        assert_eq!(judge("http://a.test/news/print", 1), ScopeVerdict::Excluded("print".into()));
        assert_eq!(judge("http://a.test/news/1", 3), ScopeVerdict::TooDeep(2));
        assert_eq!(judge("http://b.test/about", 9), ScopeVerdict::Inside);
    }
}
