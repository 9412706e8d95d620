//! The parts of a page that repeat: posts of a thread, comments below an article, items of a listing.
//!
//! Siblings of one signature (tag and first class word) make a group; what its members hold says what it is. The
//! selection is changed only by whole posts and comments.

mod added;
mod class_signals;
mod class_words;
mod comments;
mod group;
mod item;
mod post;
mod read;
mod signature;
mod teasers;
mod types;

pub(crate) use added::{with_comments, with_posts};
pub(crate) use class_words::is_joined;
pub(crate) use comments::without_comments;
pub(crate) use teasers::without_others;
pub use types::{ListEntry, Post};

use gristmill_html::NodeId;
use gristmill_page::{Page, PageType, PageTypes, Selection};

use signature::Signatures;

/// What was found; a page has posts or comments, not both.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PageParts {
    pub(crate) posts: Vec<Post>,
    pub(crate) comments: Vec<Post>,
    pub(crate) items: Vec<ListEntry>,
}

/// Looks for the parts that a page of this type can have.
///
/// Posts where a forum is the likeliest type, items where a listing or collection is, comments on all but forums.
/// O(nodes · log nodes).
pub(crate) fn parts(page: &Page<'_>, selection: &Selection, types: &PageTypes, url: Option<&str>) -> PageParts {
    let signatures = Signatures::new(page);
    let mut groups = group::groups(page, &signatures);
    let mut parts = PageParts::default();
    match types.best().0 {
        PageType::Forum => {
            groups.extend(group::scattered(page, &signatures, &groups));
            parts.posts = texts(post::posts(page, selection, &signatures, &groups));
        }
        PageType::Listing | PageType::Collection => {
            parts.items = item::items(page, selection, &signatures, &groups, url);
            parts.comments = texts(post::comments(page, selection, &signatures, &groups));
        }
        _ => parts.comments = texts(post::comments(page, selection, &signatures, &groups)),
    }
    parts
}

/// The first post of the thread that a page is. O(nodes · log nodes).
pub(crate) fn opener(page: &Page<'_>, selection: &Selection) -> Option<Post> {
    let signatures = Signatures::new(page);
    let mut groups = group::groups(page, &signatures);
    groups.extend(group::scattered(page, &signatures, &groups));
    post::opener(page, selection, &signatures, &groups)
}

fn texts(posts: Vec<(NodeId, Post)>) -> Vec<Post> {
    posts.into_iter().map(|(_, post)| post).collect()
}

#[cfg(test)]
mod tests;
