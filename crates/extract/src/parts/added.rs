//! What is kept of posts and comments beside what the method keeps.

use std::collections::HashSet;

use gristmill_html::NodeId;
use gristmill_page::{Page, PageType, PageTypes, Row, Selection};

use super::comments::{named, without_marks};
use super::group::{groups, rows, scattered};
use super::post;
use super::signature::Signatures;
use super::types::Post;

/// The selection of a thread with the posts of which nothing is kept that have an author and stand before others or are short, if they are
/// few; the short ones, however many, where each post says who wrote it and when, and no other text is kept instead.
/// O(nodes · log nodes) on threads.
pub(crate) fn with_posts(page: &Page<'_>, selection: Selection, types: &PageTypes) -> Selection {
    const TIMES: usize = 2;
    const SHORT: usize = 300;
    if types.best().0 != PageType::Forum || selection.is_empty() {
        return selection;
    }
    let signatures = Signatures::new(page);
    let mut groups = groups(page, &signatures);
    groups.extend(scattered(page, &signatures, &groups));
    let posts = post::posts(page, &selection, &signatures, &groups);
    let keeps = |id: NodeId| rows(page, id).any(|row| selection.keeps(page.rows[row].first_leaf as usize));
    let kept: HashSet<NodeId> = posts.iter().map(|(id, _)| *id).filter(|&id| keeps(id)).collect();
    let last = kept.iter().max();
    let is_short = |post: &Post| post.text.len() <= SHORT;
    let is_lost = |(id, post): &&(NodeId, Post)| {
        post.author.is_some() && !kept.contains(id) && (Some(id) < last || is_short(post))
    };
    let mut lost: Vec<&(NodeId, Post)> = posts.iter().filter(is_lost).collect();
    if kept.len() < TIMES * lost.len().max(1) {
        // Remarks to a text that is kept are no posts of a thread.
        let keeps_text = || page.rows.iter().any(|row| !row.in_heading && selection.keeps(row.first_leaf as usize));
        let is_marked = posts.iter().all(|(_, post)| post.author.is_some() && post.published.is_some())
            && (last.is_some() || !keeps_text());
        lost.retain(|(_, post)| is_marked && is_short(post));
    }
    with(page, selection, lost.into_iter())
}

/// The selection of a page that is no thread with what readers wrote below it. O(nodes · log nodes).
pub(crate) fn with_comments(page: &Page<'_>, selection: Selection, types: &PageTypes) -> Selection {
    if types.best().0 == PageType::Forum || selection.is_empty() {
        return selection;
    }
    let signatures = Signatures::new(page);
    let groups = groups(page, &signatures);
    let mut comments = post::comments(page, &selection, &signatures, &groups);
    if comments.is_empty() {
        comments = without_marks(page, &selection, &named(page), &groups);
    }
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
