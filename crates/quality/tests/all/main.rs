//! What the signals say of any text.

mod any_text;
mod datatrove;
