//! What is found on a page: posts and items.

use serde::Serialize;

/// A post of a thread, or a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Post {
    /// Who wrote it, where that is marked.
    pub author: Option<String>,
    /// When, as [`Extraction::published`](crate::Extraction::published), where that is marked.
    pub published: Option<String>,
    /// What it says, one row a line; author, date and buttons left out where they are marked.
    pub text: String,
}

/// An entry of a listing or collection.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ListEntry {
    /// Its heading, else the text of its longest link.
    pub title: String,
    /// Where that leads, resolved when the address of the page is known.
    pub link: Option<String>,
    /// What else it says, one row a line.
    pub text: String,
}
