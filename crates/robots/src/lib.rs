//! What a site tells crawlers: robots.txt, robots directives, what it reserves of data mining, and the sitemaps and feeds that it
//! offers.
//!
//! ```
//! use gristmill_robots::RobotsTxt;
//!
//! let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2", "gristmill");
//! assert!(robots.allows("/private/open").allowed);
//! let verdict = robots.allows("/private/diary?page=2");
//! assert!(!verdict.allowed);
//! assert_eq!(verdict.rule, Some("Disallow: /private"));
//! assert_eq!(robots.crawl_delay().unwrap().as_secs(), 2);
//! ```
//!
//! No I/O. All input here is written by strangers. So each parser takes linear time, keeps no more than its limits allow, and
//! does not recurse. A broken file gives what could be read of it.

mod agent;
mod dates;
mod feed;
mod json_feed;
mod lines;
mod listing;
mod meta;
mod pattern;
mod plain;
mod robots;
mod rules;
mod sitemap;
mod tdm;
mod usage;
mod xml;

pub use agent::{Agent, InvalidAgent};
pub use dates::{parse_rfc822, parse_w3c};
pub use feed::{Feed, parse_feed};
pub use listing::{Listing, is_foreign_xml};
pub use meta::{Directives, header_directives};
pub use robots::{MAX_ROBOTS_BYTES, RobotsDecision, RobotsTxt};
pub use sitemap::{ListingLimits, Sitemap, SitemapEntry, SitemapKind, parse_sitemap};
pub use tdm::{Reservation, TDM_PATH, TdmRules};
pub use usage::{permits_use, refuses_training};
