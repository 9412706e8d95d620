//! Documents on their way to other search engines.

mod bulk;
mod engine;
mod support;
