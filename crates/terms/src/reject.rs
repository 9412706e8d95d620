//! Why a page was rejected, or is told of to whoever asks about it.

use std::fmt;

use rkyv::{Archive, Deserialize, Serialize};

crate::terms! {
    /// Why a stage rejects a page, or tells of it.
    RejectCause, ArchivedRejectCause {
        /// Another, in words alone, as version 1 of the message had them all.
        Other = "other",
        /// A challenge, a refusal, a login or the like came instead of it.
        Wall = "wall",
        /// It is no page, whatever was said of its type.
        NoPage = "no_page",
        /// It is a sitemap.
        Sitemap = "sitemap",
        /// It is a feed.
        Feed = "feed",
        /// Its body ended early, and is kept.
        BodyCut = "body_cut",
        /// A limit left links out.
        LinksCut = "links_cut",
        /// The browser could not render it.
        NotRendered = "not_rendered",
        /// It was rendered, and the page as it was sent says as much.
        RenderUnused = "render_unused",
        /// It was rendered twice, and came out differently.
        RenderVaries = "render_varies",
        /// Its body is not where the message says.
        BodyMissing = "body_missing",
        /// Its body does not unpack.
        Undecodable = "undecodable",
        /// It is above a limit.
        TooLarge = "too_large",
        /// Its URL is none.
        BadUrl = "bad_url",
        /// Reading it made the extractor panic.
        Panicked = "panicked",
        /// Another search engine refused its document.
        Refused = "refused",
        /// A record that cannot be read.
        UnreadableRecord = "unreadable_record",
    }
}

impl RejectCause {
    /// A reason of this cause, with what there is to say beside it.
    pub fn with(self, detail: impl ToString) -> RejectReason {
        RejectReason { cause: self, detail: detail.to_string() }
    }

    /// Whether it tells of the rendering of a page alone, which was read as it was sent all the same.
    pub fn is_of_browser(self) -> bool {
        matches!(self, RejectCause::NotRendered | RejectCause::RenderUnused | RejectCause::RenderVaries)
    }

    /// What the sentence begins with; the detail follows.
    const fn opening(self) -> &'static str {
        match self {
            RejectCause::Sitemap => "a sitemap, and no page",
            RejectCause::Feed => "a feed, and no page",
            RejectCause::BodyCut => "the body ended early and is kept as far as it came, ",
            RejectCause::LinksCut => "a limit left links out",
            RejectCause::NotRendered => "not drawn by a browser: ",
            RejectCause::RenderUnused | RejectCause::RenderVaries => "drawn by a browser, ",
            RejectCause::Panicked => "the extractor panicked: ",
            RejectCause::UnreadableRecord => "the record at ",
            _ => "",
        }
    }
}

/// A cause with what there is to say beside it; shown, it is the sentence for people.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Archive, Serialize, Deserialize, serde::Serialize, serde::Deserialize,
)]
pub struct RejectReason {
    pub cause: RejectCause,
    /// Follows the opening of the cause's sentence; empty where that says all.
    pub detail: String,
}

impl From<RejectCause> for RejectReason {
    fn from(cause: RejectCause) -> RejectReason {
        cause.with("")
    }
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.cause.opening(), self.detail)
    }
}
