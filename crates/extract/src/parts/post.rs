//! Posts of threads and comments below articles.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, Selection, is_dropped};

use super::class_signals::{self, ClassSignals};
use super::group::{SiblingGroup, rows};
use super::read::{IS_AUTHOR, IS_DATE, MAX_ELEMENTS, read};
use super::signature::Signatures;
use super::types::Post;

/// Elements around a group whose class may say that it holds comments.
const MAX_AROUND: usize = 6;
const MAX_POSTS: usize = 1_000;
/// So many of them tell who opened a thread.
const FIRST_POSTS: usize = 4;

/// The posts of a thread: of all groups most of whose members have an author or a date, that with the most text.
pub(super) fn posts(
    page: &Page<'_>,
    selection: &Selection,
    signatures: &Signatures,
    groups: &[SiblingGroup],
) -> Vec<(NodeId, Post)> {
    first_posts(page, selection, signatures, groups, MAX_POSTS)
}

/// The first post, seen from the first few of each group.
pub(super) fn opener(
    page: &Page<'_>,
    selection: &Selection,
    signatures: &Signatures,
    groups: &[SiblingGroup],
) -> Option<Post> {
    let (id, post) = first_posts(page, selection, signatures, groups, FIRST_POSTS).into_iter().next()?;
    Some(post).filter(|_| !is_below_text(page, selection, id))
}

/// Whether a paragraph that is kept stands before a post: it answers what opened the thread.
fn is_below_text(page: &Page<'_>, selection: &Selection, id: NodeId) -> bool {
    const LEAST_CHARS: u32 = 80;
    let before = &page.rows[..rows(page, id).start];
    before.iter().any(|row| {
        row.chars >= LEAST_CHARS
            && 2 * row.link_chars < row.chars
            && !row.in_heading
            && selection.keeps(row.first_leaf as usize)
    })
}

fn first_posts(
    page: &Page<'_>,
    selection: &Selection,
    signatures: &Signatures,
    groups: &[SiblingGroup],
    most: usize,
) -> Vec<(NodeId, Post)> {
    let says = ClassSignals::new(page);
    let is_post = |_: &SiblingGroup, post: &Post, id| {
        post.author.is_some() || post.published.is_some() || says.is_named(id, class_signals::POST)
    };
    best(&says, selection, (signatures, groups), &Kind { may_be: &|_, _| true, is_post: &is_post }, most)
        .unwrap_or_default()
}

/// The comments of a page that is no thread: as posts, but the group or something around it must be named as comments,
/// in one of several languages, or be schema.org's `Comment`.
pub(super) fn comments(
    page: &Page<'_>,
    selection: &Selection,
    signatures: &Signatures,
    groups: &[SiblingGroup],
) -> Vec<(NodeId, Post)> {
    let (doc, says) = (page.doc, ClassSignals::new(page));
    let named = |group: &SiblingGroup, id| {
        let around = || doc.ancestors(group.parent).take(MAX_AROUND).chain([group.parent, id]);
        around().any(|id| says.is_named(id, class_signals::COMMENT | class_signals::COMMENT_ITEM))
    };
    let is_post =
        |group: &SiblingGroup, post: &Post, id| (post.author.is_some() || post.published.is_some()) && named(group, id);
    let kind = Kind { may_be: &named, is_post: &is_post };
    best(&says, selection, (signatures, groups), &kind, MAX_POSTS).or_else(|| single(&says)).unwrap_or_default()
}

/// What is looked for.
struct Kind<'k> {
    /// Whether a member may be one, before it is read.
    may_be: &'k dyn Fn(&SiblingGroup, NodeId) -> bool,
    is_post: &'k dyn Fn(&SiblingGroup, &Post, NodeId) -> bool,
}

/// Fewest posts of a group.
const LEAST_POSTS: usize = 2;

/// Of each group the first `most` members count.
fn best(
    says: &ClassSignals<'_, '_>,
    selection: &Selection,
    (signatures, groups): (&Signatures, &[SiblingGroup]),
    kind: &Kind<'_>,
    most: usize,
) -> Option<Vec<(NodeId, Post)>> {
    let page = says.page;
    let mut best: Option<(u64, Vec<(NodeId, Post)>)> = None;
    // Each element is a member once and an ancestor of members as often as it is deep, so the largest come first and
    // a few are enough.
    const MOST_TRIED: usize = 12;
    let mut order: Vec<(u32, &SiblingGroup)> = groups.iter().map(|group| (chars(page, group), group)).collect();
    order.sort_by_key(|(chars, _)| std::cmp::Reverse(*chars));
    let likely = order.into_iter().filter(|(_, group)| is_likely(says, group));
    for (_, group) in likely.take(MOST_TRIED) {
        let members = group.everywhere(page, signatures);
        let first = &members[..members.len().min(most)];
        if best.as_ref().is_some_and(|(most, _)| most_score(page, first) <= *most) {
            continue;
        }
        let Some(found) = read_all(says, group, first, &members, kind) else { continue };
        let mut posts: Vec<(NodeId, Post)> =
            found.into_iter().filter(|(_, _, is_post)| *is_post).map(|(id, post, _)| (id, post)).collect();
        posts.dedup_by(|(_, a), (_, b)| a == b);
        // The one post of a thread, and what stands below it in boxes of the same name.
        if posts.len() > 2 && posts[0].1.author.is_some() && posts[1..].iter().all(|(_, post)| post.author.is_none()) {
            posts.truncate(1);
        }
        if posts.iter().filter(|(_, post)| post.author.is_some() || post.published.is_some()).count() * 2 < posts.len()
            && !is_text(page, selection, &members, &posts)
        {
            continue;
        }
        let score = score(&posts);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, posts));
        }
    }
    best.map(|(_, posts)| posts)
}

/// The members of a group that say something, and whether each is a post; `None` if too few of them are.
fn read_all(
    says: &ClassSignals<'_, '_>,
    group: &SiblingGroup,
    first: &[NodeId],
    members: &[NodeId],
    kind: &Kind<'_>,
) -> Option<Vec<(NodeId, Post, bool)>> {
    let mut left = first.iter().filter(|&&id| (kind.may_be)(group, id)).count();
    let mut found = Vec::new();
    let mut marked = 0;
    for &id in first {
        // No post is read of a group that has too few however the rest turn out.
        if marked + left < LEAST_POSTS || found.len() > 2 * (marked + left) {
            return None;
        }
        left -= usize::from((kind.may_be)(group, id));
        let post = read(says, id, members);
        if !post.text.is_empty() {
            let is_post = (kind.is_post)(group, &post, id);
            marked += usize::from(is_post);
            found.push((id, post, is_post));
        }
    }
    (marked >= LEAST_POSTS && marked * 2 >= found.len()).then_some(found)
}

/// Posts without marks are told from boxes and lists of other threads by their length, and by what the method kept.
fn is_text(page: &Page<'_>, selection: &Selection, members: &[NodeId], posts: &[(NodeId, Post)]) -> bool {
    const LEAST_MEAN_BYTES: usize = 80;
    let (mut kept, mut all) = (0u64, 0u64);
    for &member in members {
        for row in &page.rows[rows(page, member)] {
            let chars = u64::from(row.chars);
            all += chars;
            kept += if selection.keeps(row.first_leaf as usize) { chars } else { 0 };
        }
    }
    kept * 2 >= all && posts.iter().map(|(_, post)| post.text.len()).sum::<usize>() >= LEAST_MEAN_BYTES * posts.len()
}

/// Text counts by the marks that it has, and all of it by how many posts have them: a wrapper of two columns has the
/// text, too, and what stands below a thread, such as a list of others, has some of the marks.
fn score(posts: &[(NodeId, Post)]) -> u64 {
    let marks = |post: &Post| u64::from(post.author.is_some()) + u64::from(post.published.is_some());
    let text: u64 = posts.iter().map(|(_, post)| (post.text.len() as u64) << marks(post)).sum();
    let marked: u64 = posts.iter().map(|(_, post)| marks(post)).sum();
    let n = posts.len() as u64;
    text * (2 * marked).max(n) / (4 * n).max(1)
}

/// No score of these members is higher: all of their text, with both marks.
fn most_score(page: &Page<'_>, members: &[NodeId]) -> u64 {
    let bytes = |rows: std::ops::Range<usize>| match (page.rows.get(rows.start), page.rows[..rows.end].last()) {
        (Some(first), Some(last)) if !rows.is_empty() => u64::from(last.end - first.start) + 1,
        _ => 0,
    };
    4 * members.iter().map(|&id| bytes(rows(page, id))).sum::<u64>()
}

/// Cheap: something of the first members, or a member itself, is named as a post, an author or a date.
fn is_likely(says: &ClassSignals<'_, '_>, group: &SiblingGroup) -> bool {
    let doc = says.page.doc;
    const ANY: u32 = class_signals::COMMENT_ITEM | IS_AUTHOR | IS_DATE;
    group.members.iter().take(3).any(|&member| {
        says.is_named(member, class_signals::POST)
            || doc.subtree(member).take(MAX_ELEMENTS).any(|id| says.is_named(id, ANY))
    })
}

fn chars(page: &Page<'_>, group: &SiblingGroup) -> u32 {
    group.members.iter().map(|&id| page.elements().below(id).chars).sum()
}

/// A page with one comment: the schema.org `Comment` elements, wherever they stand.
fn single(says: &ClassSignals<'_, '_>) -> Option<Vec<(NodeId, Post)>> {
    let doc = says.page.doc;
    let mut posts = Vec::new();
    let mut at = 1;
    while at < doc.len() && posts.len() < MAX_POSTS {
        let id = doc.id(at);
        let name = doc.name(id);
        if is_dropped(name) {
            at = doc.end(id);
            continue;
        }
        at += 1;
        if doc.is_element(id)
            && doc.attr(id, LocalName::ITEMTYPE).is_some_and(|kind| kind.ends_with("schema.org/Comment"))
        {
            let post = read(says, id, &[id]);
            if !post.text.is_empty() {
                posts.push((id, post));
            }
            at = doc.end(id);
        }
    }
    (!posts.is_empty()).then_some(posts)
}
