//! What is kept of posts and comments beside what the method keeps.

use std::collections::HashSet;

use gristmill_html::NodeId;
use gristmill_page::{Page, PageType, PageTypes, Row, Selection};

use super::group::{groups, rows};
use super::post;
use super::signature::Signatures;
use super::types::Post;

/// The selection of a page that is no thread with what readers wrote below it. O(nodes · log nodes).
pub(crate) fn with_comments(page: &Page<'_>, selection: Selection, types: &PageTypes) -> Selection {
    if types.best().0 == PageType::Forum || selection.is_empty() {
        return selection;
    }
    let signatures = Signatures::new(page);
    let comments = post::comments(page, &selection, &signatures, &groups(page, &signatures));
    with(page, selection, comments.iter())
}

/// With the rows that are the text of posts, but for what is said again: programs repeat what a post answers.
fn with<'p>(page: &Page<'_>, mut selection: Selection, posts: impl Iterator<Item = &'p (NodeId, Post)>) -> Selection {
    const LEAST_CHARS: u32 = 20;
    let is_kept = |row: &&Row| row.chars >= LEAST_CHARS && selection.keeps(row.first_leaf as usize);
    let said: HashSet<&str> = page.rows.iter().filter(is_kept).map(|row| page.row_text(row)).collect();
    for (id, post) in posts {
        let lines: HashSet<&str> = post.text.lines().filter(|line| !said.contains(line)).collect();
        let own = rows(page, *id).filter(|row| lines.contains(page.row_text(&page.rows[*row])));
        own.for_each(|row| selection.keep_row(&page.rows[row]));
    }
    selection
}
