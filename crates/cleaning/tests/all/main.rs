//! What cleaning does to any text.

mod any_text;
