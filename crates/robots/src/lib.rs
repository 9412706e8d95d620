//! What a site asks of crawlers: robots.txt, robots directives, and the sitemaps and feeds that it offers. No I/O.
//!
//! Everything here reads what strangers wrote: each parser is linear in its input, keeps no more than its limits
//! allow, recurses nowhere, and answers a broken file with what could be read of it.

mod agent;
mod dates;
mod feed;
mod lines;
mod meta;
mod pattern;
mod plain;
mod robots;
mod rules;
mod sitemap;
mod xml;

pub use agent::{Agent, NoAgent};
pub use dates::{parse_rfc822, parse_w3c};
pub use feed::{Feed, parse_feed};
pub use meta::Directives;
pub use robots::{MAX_ROBOTS_BYTES, Robots, Verdict};
pub use sitemap::{Entry, ListingLimits, Sitemap, SitemapKind, parse_sitemap};
