//! What is found out about a page, or known of it.

/// What a page, or a system, says of a page besides its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundMetadata {
    /// On one line.
    pub title: Option<String>,
    /// Names, separated by commas or semicolons.
    pub author: Option<String>,
    /// Begins with `YYYY-MM-DD` when it is a day.
    pub date: Option<String>,
    /// Code of the language.
    pub language: Option<String>,
    /// Name of the site.
    pub site: Option<String>,
}
