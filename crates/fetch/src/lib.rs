//! An HTTP client for crawlers: one page, robots.txt, sitemap or feed per call, under limits. It connects only to addresses
//! that its guard has checked. [`scan`] lists the links of a page.
//!
//! ```no_run
//! use gristmill_fetch::{Client, FetchConfig, Request, scan};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new(&FetchConfig { contact: "mailto:me@example.org".to_owned(), ..FetchConfig::default() })?;
//! let response = client.fetch(&Request::page("https://example.org/".parse()?)).await?;
//! assert_eq!(response.status, 200);
//! # Ok(())
//! # }
//! ```
//!
//! ```
//! let links = gristmill_fetch::scan("<a href=/rye>All about <b>rye</b></a>", "https://mill.example/");
//! assert_eq!(links.anchors[0].text, "All about rye");
//! assert_eq!(links.resolve(&links.anchors[0].href).unwrap().as_str(), "https://mill.example/rye");
//! ```
//!
//! A call goes through these steps. Each can end it with an error:
//!
//! ```text
//! Request ─▶ guard ─▶ resolver ─▶ connection ─▶ header ─▶ body, raw and decoded at once, under limits ─▶ Response
//!              └────────┴────────────┴────────────┴──────────┴──▶ FetchError, one of the outcomes of `Outcome`
//! ```
//!
//! [`Client::fetch`] follows no redirect and keeps no cookie. A redirect is an answer like any other. It goes back to the frontier,
//! so that its target is fetched politely and checked again. Only [`Client::visit`], which is not for crawlers, follows them. The body is
//! kept as the server sent it, and decoded beside that. [`scan`] reads a page in one pass, without a tree. It and [`decode_body`] do no
//! I/O.

mod budget;
mod client;
mod config;
mod connection_pool;
mod cookies;
mod decode;
mod dial;
mod download;
mod error;
mod exchange;
mod explain;
mod guard;
mod media;
mod post;
mod proxies;
mod resolver;
mod response;
mod retry_after;
mod scan;
mod sign;
mod sites;
mod transfer;
mod trust;
mod visit;

pub use budget::BudgetShare;
pub use client::Client;
pub use config::{ConfigError, FetchConfig};
pub use cookies::Cookie;
pub use decode::{ContentEncoding, DecodeError, DecodeLimits, MAX_CODINGS, decode_body};
pub use download::StreamedResponse;
pub use error::FetchError;
pub use exchange::{Exchange, Recorder};
pub use gristmill_terms::{Cut, FetchKind, Retry, Verdict};
pub use guard::{AddressClass, classify};
pub use media::PDF;
pub use post::PostResponse;
pub use proxies::Proxies;
pub use response::{Headers, Request, Response, ResponseBody};
pub use retry_after::retry_after;
pub use scan::{Anchor, FeedLink, PageLinks, Refresh, Rel, ScanLimits, Sketch, decode_entities, scan, scan_with};
pub use sign::{DIRECTORY_PATH, DIRECTORY_TYPE, RequestSigner, SignConfig};
pub use sites::SiteFetchConfig;
pub use visit::VisitError;
