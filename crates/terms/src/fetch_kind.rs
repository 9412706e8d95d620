//! What a URL is fetched for.

crate::terms! {
    /// What a URL is fetched for; it decides limits, accepted types and what is read from the body.
    #[derive(Default)]
    FetchKind, ArchivedFetchKind {
        /// A page: the types of `fetch.accept`.
        #[default]
        Page = "page",
        /// robots.txt: any type; a body above 500 KiB is cut there instead of refused (RFC 9309 §2.5).
        Robots = "robots",
        /// A sitemap: XML, text or a gzip file, which is unpacked; cut at `fetch.max_listing_bytes`, not refused.
        Sitemap = "sitemap",
        /// An RSS or Atom feed: as a sitemap.
        Feed = "feed",
        /// `/.well-known/tdmrep.json`: as robots.txt.
        Tdm = "tdm",
        /// A page that a browser draws: it is fetched once more as a page, with what its scripts ask for.
        Render = "render",
    }
}

impl FetchKind {
    /// Whether what came within the limit is of use although the rest is missing: lines and entries stand alone.
    pub fn may_be_cut(self) -> bool {
        !matches!(self, FetchKind::Page | FetchKind::Render)
    }

    /// Whether it tells what a site wishes; the frontier orders such files by itself, before the pages of their host.
    pub fn is_wish(self) -> bool {
        matches!(self, FetchKind::Robots | FetchKind::Tdm)
    }

    /// Whether it lists addresses.
    pub fn is_listing(self) -> bool {
        matches!(self, FetchKind::Sitemap | FetchKind::Feed)
    }
}
