//! The program with a real Chromium.

#[path = "../common/mod.rs"]
mod common;

mod render;
mod rendered_crawl;
