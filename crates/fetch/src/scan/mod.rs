//! The links of a page in one pass over its text, without a tree.
//!
//! The pass jumps from `<` to `<`, reads only the attributes of the few tags that lead somewhere, and keeps text only while
//! a link is open. It follows the tokenizer of the HTML standard (comments, scripts, quotes), but builds no tree: the
//! places where they differ are links that a tree builder drops (inside `select`, say) or repairs.

mod collect;
mod entities;
mod script;
mod sketch;
mod tags;

pub use entities::decode_entities;
use gristmill_urls::join;
pub use sketch::Sketch;
use url::Url;

/// What a page points at, in document order, as written: trimmed, character references decoded, not resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// What targets are resolved against: the first `base`, resolved against the page's URL, or that URL. `None` when
    /// the URL handed in is none.
    pub base: Option<Url>,
    /// `a` and `area` with a target that may be another page; those that cannot be (`#…`, `javascript:`, `mailto:`,
    /// `tel:`, `data:`, empty) are left out.
    pub anchors: Vec<Anchor>,
    /// Targets of `link rel=canonical`, each once, at most 8; a page that names several names none.
    pub canonicals: Vec<String>,
    /// RSS, Atom and JSON feeds (`link rel=alternate`), at most 1,000.
    pub feeds: Vec<FeedLink>,
    /// `link rel=sitemap`, at most 1,000.
    pub sitemaps: Vec<String>,
    /// Translations (`link rel=alternate hreflang`) and neighbours (`rel=next`, `rel=prev`) of the page, at most 1,000.
    pub related: Vec<String>,
    /// Sources of `frame` and `iframe`, and of `object` and `embed` whose type is a page's, at most 10,000.
    pub frames: Vec<String>,
    /// The first `meta http-equiv=refresh` that names a target, else the first script that leads on in any case.
    pub refresh: Option<Refresh>,
    /// Bytes of text outside of scripts, styles and templates, without white space: how much there is to read.
    pub n_text_bytes: usize,
    /// What it says, in hashes.
    pub sketch: Sketch,
    /// Whether a `meta name=robots`, or one for our own agent, asks not to be indexed.
    pub noindex: bool,
    /// Whether one of them asks that no link be followed.
    pub nofollow: bool,
    /// Whether a limit on the number of links left some out.
    pub truncated: bool,
}

impl PageLinks {
    /// The absolute URL of a target of this page; `None` when it is broken or has another scheme than http and https.
    pub fn resolve(&self, target: &str) -> Option<Url> {
        let url = join(target, Some(self.base.as_ref()?)).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(url)
    }
}

/// A link to another page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Anchor {
    /// The target as written.
    pub href: String,
    /// The words of the link, white space collapsed; of the first picture in it, if it has no other words.
    pub text: String,
    /// What the page says about the target.
    pub rel: Rel,
}

/// The words of a `rel` attribute that matter to a crawler.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rel {
    /// `nofollow`: the page does not vouch for the target.
    pub nofollow: bool,
    /// `ugc`: written by a visitor.
    pub ugc: bool,
    /// `sponsored`: paid for.
    pub sponsored: bool,
}

/// A feed that a page names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedLink {
    /// The target as written.
    pub href: String,
    /// The title, empty if there is none.
    pub title: String,
}

/// A redirect inside the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// Seconds to wait first.
    pub seconds: u32,
    /// The target as written.
    pub target: String,
    /// Whether it stands in a `noscript`, so that browsers do not follow it.
    pub without_scripts: bool,
    /// Whether a script does it.
    pub by_script: bool,
}

impl Refresh {
    /// Reads the value of a `meta` element or of the header field `Refresh`, such as `5; url=target`.
    pub fn parse(content: &str) -> Option<Self> {
        collect::read_refresh(content)
    }
}

/// What one page may cost, and who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanLimits {
    /// Most anchors kept. Default: 250,000, more than fit into a page of 10 MiB that anyone wrote.
    pub max_anchors: usize,
    /// Most characters of one anchor's text. Default: 300.
    pub max_anchor_chars: usize,
    /// Most bytes of all anchor texts together; later anchors have none. Default: 524288.
    pub max_text_bytes: usize,
    /// Longest target in bytes; longer ones are left out. Default: 4096.
    pub max_href_bytes: usize,
    /// Our product token: `meta` elements of that name are rules for us. Default: `gristmill`.
    pub agent: String,
}

impl Default for ScanLimits {
    fn default() -> Self {
        Self {
            max_anchors: 250_000,
            max_anchor_chars: 300,
            max_text_bytes: 512 * 1024,
            max_href_bytes: 4096,
            agent: "gristmill".to_owned(),
        }
    }
}

/// Lists the links of a page with the default limits. See [`scan_with`].
pub fn scan(html: &str, base_url: &str) -> PageLinks {
    scan_with(html, base_url, &ScanLimits::default())
}

/// Lists the links of a page.
///
/// * `html`: the page as text, its charset undone; any text will do.
/// * `base_url`: where the page came from.
/// * O(n) time whatever the text; memory bounded by the limits. Cannot fail.
///
/// Source: the tokenizer of the HTML standard §13.2.5, scripting off (`noscript` is read, `template` is not, unless it is a shadow root).
/// Pages within `iframe srcdoc` belong to the page, one level deep.
pub fn scan_with(html: &str, base_url: &str, limits: &ScanLimits) -> PageLinks {
    collect::LinkCollector::new(html, limits).run(base_url)
}
