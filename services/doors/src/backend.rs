//! What the doors need of the program around them: crawls, the changes of the corpus, and a browser.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How far from its start a crawl goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CrawlReach {
    /// What the start URLs name, and nothing that pages link to.
    Listed,
    /// What lies below the start URLs.
    Prefix,
    /// Their hosts.
    #[default]
    Host,
    /// Their registrable domains.
    Domain,
    /// Anywhere.
    Any,
}

/// A crawl that a client asks for.
#[derive(Debug, Clone, Default)]
pub struct CrawlOrder {
    /// Where it starts, as on the command line.
    pub seeds: Vec<String>,
    /// A folder of its own, in which everything that is fetched goes into an archive; the corpus if there is none.
    pub folder: Option<PathBuf>,
    /// How far it goes.
    pub reach: CrawlReach,
    /// Most pages.
    pub max_pages: u64,
    /// Most links from a start URL to a page.
    pub max_depth: Option<u16>,
    /// Regular expressions over whole URLs, one of which must match.
    pub include: Vec<String>,
    /// Regular expressions of which none may match.
    pub exclude: Vec<String>,
    /// Whether sitemaps that nobody gave as a start are left alone.
    pub without_sitemaps: bool,
    /// Header fields for the hosts of the start URLs.
    pub headers: Vec<(String, String)>,
    /// Pause between two requests to one site, if it is longer than that of the settings.
    pub delay: Option<Duration>,
}

/// How a crawl stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CrawlProgress {
    /// URLs that are done with.
    pub done: u64,
    /// URLs that were found.
    pub known: u64,
    /// Addresses that failed, with the stable name of the reason; only the first of each kind.
    pub problems: Vec<(String, String)>,
}

/// A picture of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScreenshotOrder {
    /// The whole page, and not only what a window shows.
    pub full_page: bool,
    /// JPEG of this quality, and not PNG.
    pub quality: Option<u8>,
}

/// How a browser is to draw a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DrawOrder {
    /// The picture of it that is wanted.
    pub screenshot: Option<ScreenshotOrder>,
    /// In a window as narrow as that of a phone.
    pub is_mobile: bool,
}

/// What a browser made of a page.
#[derive(Debug, Clone, Default)]
pub struct DrawnPage {
    pub html: String,
    /// The picture, if one was wanted.
    pub screenshot: Option<Vec<u8>>,
}

/// The program around the doors.
#[async_trait]
pub trait DoorBackend: Send + Sync + 'static {
    /// Crawls to the end, or until `stop`, and says meanwhile how it stands.
    async fn crawl(
        &self,
        order: CrawlOrder,
        progress: watch::Sender<CrawlProgress>,
        stop: CancellationToken,
    ) -> anyhow::Result<()>;

    /// What became of pages of the corpus since a time as people write it, oldest first, at most the newest `limit`.
    async fn changes(&self, since: Option<&str>, limit: usize) -> anyhow::Result<Vec<Value>>;

    /// The page as a browser draws it.
    async fn draw(
        &self,
        bytes: &[u8],
        content_type: Option<&str>,
        url: &str,
        order: DrawOrder,
    ) -> anyhow::Result<DrawnPage>;
}
