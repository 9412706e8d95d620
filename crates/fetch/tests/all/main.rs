//! Answers, limits, faults and links, on real sockets.

mod answers;
mod connections;
mod exchange;
mod faults;
mod listings;
mod memory;
mod proxied_sites;
mod scan;
mod scan_against_html5ever;
mod small_crawl;
mod tls;
