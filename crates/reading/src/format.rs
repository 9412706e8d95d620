//! The forms in which a page is given back.

use std::str::FromStr;

use serde::Deserialize;

use crate::reading::Reading;

/// In which form a page is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// The main text.
    Text,
    /// All that is known of the page.
    Json,
    /// The main text as Markdown, under its title.
    Markdown,
    /// The kept parts as HTML.
    Html,
    /// The whole page with the kept parts marked, to look at.
    Marked,
}

impl OutputFormat {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Text, Self::Json, Self::Markdown, Self::Html, Self::Marked];

    /// The name in settings, arguments and requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Marked => "marked",
        }
    }
}

impl FromStr for OutputFormat {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|format| format.as_str() == name).ok_or(())
    }
}

impl Reading<'_> {
    /// What was kept of the page, in the form that is asked for; the text for JSON, of which it is one field.
    pub fn form(&self, format: OutputFormat) -> String {
        match format {
            OutputFormat::Text | OutputFormat::Json => self.document.text.clone(),
            OutputFormat::Markdown => self.markdown(),
            OutputFormat::Html => self.html(),
            OutputFormat::Marked => self.marked_html(),
        }
    }
}
