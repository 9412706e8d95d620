//! What a page and its server say of the use of its text: robots directives, reservation of text and data mining, licence,
//! copyright notice.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits};
//! use gristmill_page::Page;
//! use gristmill_reading::rights::{UsageHeaders, Rights};
//!
//! let html = "<meta name=robots content='index, noai'><p>Rye.</p>
//!     <footer>© 2024 The Mill <a rel=license href=https://creativecommons.org/licenses/by/4.0/deed.de>CC</a></footer>";
//! let doc = Doc::parse(html, &TreeLimits::default());
//! let answer = UsageHeaders { tdm_reservation: Some("1".into()), ..UsageHeaders::default() };
//! let rights = Rights::of(&Page::new(&doc), Some("https://mill.example/rye"), "gristmill", &answer);
//! assert_eq!((rights.robots, rights.tdm_reserved), (vec!["noai".to_owned()], Some(true)));
//! assert_eq!(rights.licence.as_deref(), Some("cc-by-4.0"));
//! assert_eq!(rights.copyright.as_deref(), Some("© 2024 The Mill CC"));
//! ```
//! These are statements of the page, not a judgement: nothing found does not mean that nothing is reserved. No I/O, no clock.

mod copyright;
mod directives;
mod licence;
mod tdm;

use gristmill_page::{Page, base};
use serde::{Deserialize, Serialize};
use url::Url;

pub use licence::creative_commons;

/// Longest text or address that is kept, in bytes; longer ones are left out.
const MAX_BYTES: usize = 2_048;

/// What the answer of the server said beside the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageHeaders {
    /// The values of `X-Robots-Tag`, `Content-Usage` and `Content-Signal`, and what robots.txt says of the last two.
    pub robots_tags: Vec<String>,
    /// The value of `tdm-reservation`.
    pub tdm_reservation: Option<String>,
    /// The value of `tdm-policy`.
    pub tdm_policy: Option<String>,
}

/// What is said of the use of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rights {
    /// Robots directives that limit a use, in lower case and without white space, each once, in the order of the page's and
    /// then the server's: `noai`, `noimageai`, `nosnippet`, `max-snippet:50`, `train-ai=n`. What permits (`index`, `search=yes`) is left out.
    pub robots: Vec<String>,
    /// Whether text and data mining is reserved (TDM Reservation Protocol); `None` if nobody says.
    pub tdm_reserved: Option<bool>,
    /// Where the terms for mining stand.
    pub tdm_policy: Option<String>,
    /// The licence: `cc-by-sa-4.0` and so on for those of Creative Commons, else its address, or its name if it has none.
    pub licence: Option<String>,
    /// Its address as the page gives it, absolute if it can be.
    pub licence_url: Option<String>,
    /// The copyright notice, white space collapsed.
    pub copyright: Option<String>,
}

impl Rights {
    /// Reads what the page says, and what the server said with it.
    ///
    /// * `url`: resolves addresses.
    /// * `agent`: whom directives may name beside all robots.
    ///
    /// Of a reservation the page's own word counts first, then the server's. O(nodes + links).
    pub fn of(page: &Page<'_>, url: Option<&str>, agent: &str, answer: &UsageHeaders) -> Rights {
        let base = base(page.doc, url);
        let (tdm_reserved, tdm_policy) = tdm::reservation(page.doc, answer, base.as_ref());
        let (licence, licence_url) = licence::licence(page, base.as_ref());
        Rights {
            robots: directives::limits(page.doc, agent, &answer.robots_tags),
            tdm_reserved,
            tdm_policy,
            licence,
            licence_url,
            copyright: copyright::notice(page),
        }
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Rights::default()
    }
}

/// An http(s) address, absolute if it can be.
fn address(base: Option<&Url>, href: &str) -> Option<String> {
    let href = href.trim();
    if href.is_empty() || href.len() > MAX_BYTES {
        return None;
    }
    match Url::options().base_url(base).parse(href) {
        Ok(url) => matches!(url.scheme(), "http" | "https").then(|| url.into()),
        Err(url::ParseError::RelativeUrlWithoutBase) => Some(href.to_owned()),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests;
