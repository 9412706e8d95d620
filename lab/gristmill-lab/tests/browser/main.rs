//! The laboratory with a real Chromium.

#[path = "../common/mod.rs"]
mod common;

mod layout;
