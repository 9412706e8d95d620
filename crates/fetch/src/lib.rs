//! HTTP with limits: one page, robots.txt, sitemap or feed per call, from an address that the guard has judged.
//!
//! ```text
//! Request ─▶ guard ─▶ resolver ─▶ dial ─▶ header ─▶ body, raw and decoded at once, under caps ─▶ Response
//!              └────────┴──────────┴────────┴──────────┴──▶ FetchError; each has its `Verdict`
//! ```
//!
//! Redirects are not followed, cookies not kept, and content codings not undone behind our back: a redirect is an
//! answer like any other, and goes back to the frontier so that its target is fetched politely and guarded again.
//! [`scan`] lists the links of a page in one pass, without a tree. It and [`decode_body`] do no I/O.

mod budget;
mod client;
mod config;
mod decode;
mod error;
mod guard;
mod media;
mod resolver;
mod response;
mod retry_after;
mod scan;
mod transfer;

pub use budget::Share;
pub use client::Client;
pub use config::{ConfigError, FetchConfig};
pub use decode::{ContentEncoding, DecodeError, DecodeLimits, decode_body};
pub use error::FetchError;
pub use gristmill_terms::{FetchKind, Retry, Verdict};
pub use guard::{AddressClass, classify};
pub use response::{Body, Headers, Request, Response};
pub use retry_after::retry_after;
pub use scan::{Anchor, Feed, PageLinks, Refresh, Rel, ScanLimits, decode_entities, scan, scan_with};
