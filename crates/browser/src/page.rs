//! A page before and after it was drawn.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use bytes::Bytes;

use crate::snapshot::{PHONE, VIEWPORT};

/// A page that was fetched already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderRequest {
    /// Its http or https URL: what relative links and scripts see. [`RenderRequest::UNKNOWN_URL`] where nobody knows it.
    pub url: String,
    /// The status that it came with.
    pub status: u16,
    /// Header fields of its answer; `Content-Type` decides the charset.
    pub headers: Vec<(String, String)>,
    /// Its body, decoded.
    pub body: Bytes,
    /// The picture of it that is wanted besides; then its own pictures are fetched, too.
    pub screenshot: Option<ScreenshotOptions>,
    /// Whether its window is that of a phone ([`PHONE`](crate::PHONE)), and says so to its style sheets.
    pub is_mobile: bool,
}

/// What a picture of a page shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScreenshotOptions {
    /// The whole page down to [`MAX_SCREENSHOT_HEIGHT`], and not only what the window shows of it.
    pub full_page: bool,
    /// JPEG of this quality, 0 to 100, and not PNG.
    pub quality: Option<u8>,
}

/// Lowest pixel of a page that a picture of it shows: with a window of 1280 pixels some 40 MB in the browser.
pub const MAX_SCREENSHOT_HEIGHT: f64 = 8_000.0;

impl RenderRequest {
    /// Width and height of its window, in CSS pixels.
    pub(crate) fn window(&self) -> [u32; 2] {
        if self.is_mobile { PHONE } else { VIEWPORT }
    }

    /// A name that belongs to nobody (RFC 2606).
    pub const UNKNOWN_URL: &str = "http://page.invalid/";

    /// HTML that is text already.
    pub fn html(url: impl Into<String>, html: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            status: 200,
            headers: vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())],
            body: Bytes::from(html.into()),
            screenshot: None,
            is_mobile: false,
        }
    }
}

/// How much of a page is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RenderMode {
    /// Its style sheets: no script runs.
    Styles,
    /// Style sheets and scripts.
    Scripts,
}

impl RenderMode {
    /// The stable name, as in settings and labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            RenderMode::Styles => "styles",
            RenderMode::Scripts => "scripts",
        }
    }
}

impl FromStr for RenderMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "styles" => Ok(RenderMode::Styles),
            "scripts" => Ok(RenderMode::Scripts),
            _ => Err(format!("`{name}` is none of `styles` and `scripts`")),
        }
    }
}

/// When a page was taken as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RenderEnd {
    /// After its load event; with scripts also when nothing was open any more and its text stood still.
    Loaded,
    /// Nothing was open and its text stood still, although its load event had not come.
    Quiet,
    /// After `max_wait`, finished or not.
    Cap,
}

impl RenderEnd {
    /// All of them.
    pub const ALL: &[RenderEnd] = &[RenderEnd::Loaded, RenderEnd::Quiet, RenderEnd::Cap];

    /// The stable name, as in documents and labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            RenderEnd::Loaded => "loaded",
            RenderEnd::Quiet => "quiet",
            RenderEnd::Cap => "cap",
        }
    }
}

impl fmt::Display for RenderEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a page asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestStats {
    /// Requests that went to the [`ResourceLoader`](crate::Supply).
    pub asked: u32,
    /// Those that it answered.
    pub answered: u32,
    /// Those that it, a limit or a rule of this crate refused.
    pub refused: u32,
    /// Pictures, fonts and media, which are not asked for.
    pub left_out: u32,
    /// Bytes of all bodies that were answered.
    pub bytes: u64,
}

/// A page as the browser had it at the end.
#[derive(Debug, Clone)]
pub struct RenderResult {
    /// The document in UTF-8. Parsed again it has the elements and texts of `layout`, but where HTML cannot say what a script built.
    pub html: String,
    /// The layout side-car of the same moment (docs/rendering.md), as JSON.
    pub layout: Bytes,
    /// Its picture, if one was wanted: PNG or JPEG.
    pub screenshot: Option<Bytes>,
    /// When it was taken.
    pub ended: RenderEnd,
    /// How much of it was drawn.
    pub mode: RenderMode,
    /// What it asked for.
    pub counts: RequestStats,
    /// What was refused, with the reason; the first 100.
    pub refused: Vec<(String, String)>,
    /// Where the page wanted to go on to by itself, if so; it was not let.
    pub leads_to: Option<String>,
    /// How often it was scrolled to its end.
    pub scrolls: u32,
    /// From the first message to the snapshot.
    pub duration: Duration,
    /// CPU time of all processes of the browser for this page.
    pub cpu: Duration,
    /// Most memory of all processes of the browser together while it was drawn: anonymous and shared, without files.
    pub peak_bytes: u64,
    /// The browser's name and version.
    pub product: String,
}
