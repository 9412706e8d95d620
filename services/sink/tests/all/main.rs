//! Documents on their way to other search engines.

mod alerts;
mod bulk;
mod engine;
mod support;
