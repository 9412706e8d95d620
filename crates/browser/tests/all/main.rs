//! A real Chromium draws pages, and whatever they try.

mod common;
mod render;
mod robust;
