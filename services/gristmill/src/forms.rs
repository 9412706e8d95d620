//! The forms in which a page is given back.

use clap::ValueEnum;
use gristmill_reading::Reading;
use serde::Deserialize;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Text,
    Json,
    Markdown,
    /// The page with the kept parts marked, to look at
    Html,
    /// The kept parts alone as HTML
    Clean,
}

/// What was kept of a page, in the form that is asked for; the text for JSON.
pub fn form_of(reading: &Reading<'_>, format: Format) -> String {
    match format {
        Format::Text | Format::Json => reading.document.text.clone(),
        Format::Html => reading.marked_html(),
        Format::Clean => reading.clean_html(),
        Format::Markdown => reading.markdown(),
    }
}
