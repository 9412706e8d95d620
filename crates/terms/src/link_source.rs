//! Where a link was found.

crate::terms! {
    /// Where a link was found; decides its priority.
    LinkSource, ArchivedLinkSource {
        /// Given by the operator. Opens its place in the scope; depth 0.
        Seed = "seed",
        /// An anchor on a page.
        Anchor = "anchor",
        /// An anchor on a site's home page; its text is the best candidate title.
        HomeAnchor = "home_anchor",
        /// The target of a redirect.
        Redirect = "redirect",
        /// A page's canonical link.
        Canonical = "canonical",
        /// An entry of a sitemap, or a sitemap that a site names.
        Sitemap = "sitemap",
        /// An entry of a feed or of a news sitemap, or a feed that a page names.
        Feed = "feed",
        /// The extractor, which asks that a browser draws a page that was fetched.
        Extractor = "extractor",
    }
}
