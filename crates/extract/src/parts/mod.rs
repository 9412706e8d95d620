//! The parts of a page that repeat: posts of a thread, comments below an article, items of a listing.
//!
//! Siblings of one signature (tag and first class word) make a group; what its members hold says what it is. The
//! selection is not changed by any of this.

mod group;
mod item;
mod post;
mod read;
mod signs;

pub(crate) use signs::has as has_word;

use serde::Serialize;

use crate::page::Page;
use crate::page_type::{PageType, PageTypes};
use crate::selection::Selection;

/// A post of a thread, or a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Post {
    /// Who wrote it, where that is marked.
    pub author: Option<String>,
    /// When, as [`Document::published`](crate::Document::published), where that is marked.
    pub date: Option<String>,
    /// What it says, one row a line; author, date and buttons left out where they are marked.
    pub text: String,
}

/// An entry of a listing or collection.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Item {
    /// Its heading, else the text of its longest link.
    pub title: String,
    /// Where that leads, resolved when the address of the page is known.
    pub link: Option<String>,
    /// What else it says, one row a line.
    pub text: String,
}

/// What was found; a page has posts or comments, not both.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Parts {
    pub(crate) posts: Vec<Post>,
    pub(crate) comments: Vec<Post>,
    pub(crate) items: Vec<Item>,
}

/// Looks for the parts that a page of this type can have.
///
/// Posts where a forum is the likeliest type, items where a listing or collection is, comments on all but forums.
/// O(nodes · log nodes).
pub(crate) fn parts(page: &Page<'_>, selection: &Selection, types: &PageTypes, url: Option<&str>) -> Parts {
    let mut groups = group::groups(page);
    let mut parts = Parts::default();
    match types.best().0 {
        PageType::Forum => {
            groups.extend(group::scattered(page, &groups));
            parts.posts = post::posts(page, selection, &groups);
        }
        PageType::Listing | PageType::Collection => {
            parts.items = item::items(page, selection, &groups, url);
            parts.comments = post::comments(page, selection, &groups);
        }
        _ => parts.comments = post::comments(page, selection, &groups),
    }
    parts
}

#[cfg(test)]
mod tests;
