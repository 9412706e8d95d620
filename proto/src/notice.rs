//! What is told of single pages beside their links.

use std::fmt;

use gristmill_terms::Departure;
use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind};

/// What is told of one page, in the topic `links`: under the domain of who must know it.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Notice {
    /// Canonical URL of the page.
    pub url: String,
    /// Unix milliseconds.
    pub at: u64,
    pub news: News,
}

/// What there is to tell.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum News {
    /// The extractor has read it; for the domain of the page.
    Read {
        /// Of the document; none where the page gave none that is kept.
        fingerprint: Option<Fingerprint>,
        asks_password: bool,
    },
    /// It stands or falls with another page; for the domain of that one.
    Depends { on: String, tie: Tie },
    /// What the other page means for it; for the domain of the page.
    Settled {
        on: String,
        /// Why it leaves the corpus; none where it comes back.
        departure: Option<Departure>,
    },
    /// All cookies that its site wants to see again, as the fetcher knows them; for the domain of the page.
    Cookies { cookies: Vec<Cookie> },
    /// The index did not have it before, and a search finds it since `at`; for the domain of the page.
    Indexed {
        /// As the page says to the minute or better, in Unix milliseconds.
        published: Option<u64>,
    },
}

/// A cookie as a site has set it.
#[derive(Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Cookie {
    /// What was asked for.
    pub url: String,
    /// The value of `Set-Cookie`.
    pub field: String,
}

impl fmt::Debug for Cookie {
    /// Without what may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookie").field("url", &self.url).finish_non_exhaustive()
    }
}

/// What a document says, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Fingerprint {
    pub text: u64,
    pub title: u64,
}

/// How a page depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum Tie {
    /// No more.
    None,
    /// It redirects there, over so many redirects before the last.
    Redirect(u8),
    /// It names it as its canonical page, and says this itself.
    Copy(Fingerprint),
}

impl Notice {
    /// The URL whose registrable domain is the key: of the page whose frontier must know.
    pub fn subject(&self) -> &str {
        match &self.news {
            News::Depends { on, .. } => on,
            News::Read { .. } | News::Settled { .. } | News::Cookies { .. } | News::Indexed { .. } => &self.url,
        }
    }
}

impl Message for Notice {
    const KIND: MessageKind = MessageKind::Notice;
    const VERSION: u8 = 1;
}
