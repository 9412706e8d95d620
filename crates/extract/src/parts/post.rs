//! Posts of threads and comments below articles.

use gristmill_html::{Doc, Name, NodeId};

use super::Post;
use super::group::{Group, rows};
use super::signs::{self, has};
use crate::metadata::{date_in, date_of, person};
use crate::page::{Leaf, Page, is_dropped};

/// Elements of a member that are looked at for its author, date and body.
const MAX_ELEMENTS: usize = 400;
/// Longest text of an element that is a name or a date.
const MAX_MARK_CHARS: u32 = 60;
/// Elements around a group whose class may say that it holds comments.
const MAX_AROUND: usize = 6;
const MAX_POSTS: usize = 1_000;

/// The posts of a thread: of all groups most of whose members have an author or a date, that with the most text.
pub(super) fn posts(page: &Page<'_>, groups: &[Group]) -> Vec<Post> {
    let best = best(page, groups, &|_, post, id| {
        post.author.is_some() || post.date.is_some() || is_named(page.doc, id, signs::POST)
    });
    best.unwrap_or_default()
}

/// The comments of a page that is no thread: as posts, but the group or something around it must be named as comments,
/// in one of several languages, or be schema.org's `Comment`.
pub(super) fn comments(page: &Page<'_>, groups: &[Group]) -> Vec<Post> {
    let doc = page.doc;
    let best = best(page, groups, &|group, post, id| {
        let around = || doc.ancestors(group.parent).take(MAX_AROUND).chain([group.parent, id]);
        let named = || around().any(|id| is_named(doc, id, signs::COMMENT) || is_comment(doc, id));
        (post.author.is_some() || post.date.is_some()) && named()
    });
    best.or_else(|| single(page)).unwrap_or_default()
}

type IsPost<'p> = dyn Fn(&Group, &Post, NodeId) -> bool + 'p;

fn best(page: &Page<'_>, groups: &[Group], is_post: &IsPost<'_>) -> Option<Vec<Post>> {
    let mut best: Option<(usize, Vec<Post>)> = None;
    // Each element is a member once and an ancestor of members as often as it is deep, so the largest come first and
    // a few are enough.
    const MOST_TRIED: usize = 12;
    let mut order: Vec<(u32, &Group)> = groups.iter().map(|group| (chars(page, group), group)).collect();
    order.sort_by_key(|(chars, _)| std::cmp::Reverse(*chars));
    let likely = order.into_iter().filter(|(_, group)| is_likely(page, group));
    for (_, group) in likely.take(MOST_TRIED) {
        let members = group.everywhere(page);
        let found: Vec<(Post, bool)> = members
            .iter()
            .take(MAX_POSTS)
            .map(|&id| {
                let post = read(page, id, &members);
                let is_post = is_post(group, &post, id);
                (post, is_post)
            })
            .filter(|(post, _)| !post.text.is_empty())
            .collect();
        let marked = found.iter().filter(|(_, is_post)| *is_post).count();
        if marked < 2 || marked * 2 < found.len() {
            continue;
        }
        let mut posts: Vec<Post> = found.into_iter().filter(|(_, is_post)| *is_post).map(|(post, _)| post).collect();
        posts.dedup();
        let dated = posts.iter().filter(|post| post.author.is_some() && post.date.is_some()).count();
        let text: usize = posts.iter().map(|post| post.text.len()).sum();
        // Both marks on every post tell more than text: a wrapper of two columns has the text, too.
        let score = text * if dated * 2 >= posts.len() { 4 } else { 1 };
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, posts));
        }
    }
    best.map(|(_, posts)| posts)
}

/// Cheap: something of the first members, or a member itself, is named as a post, an author or a date.
fn is_likely(page: &Page<'_>, group: &Group) -> bool {
    let doc = page.doc;
    group.members.iter().take(3).any(|&member| {
        doc.subtree(member)
            .take(MAX_ELEMENTS)
            .filter(|&id| doc.is_element(id))
            .any(|id| doc.name(id) == Name::TIME || is_comment(doc, id) || is_author(doc, id) || is_date(doc, id))
    })
}

fn chars(page: &Page<'_>, group: &Group) -> u32 {
    group.members.iter().map(|&id| page.elements().below(id).chars).sum()
}

/// A page with one comment: the schema.org `Comment` elements, wherever they stand.
fn single(page: &Page<'_>) -> Option<Vec<Post>> {
    let doc = page.doc;
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
        if doc.is_element(id) && doc.attr(id, Name::ITEMTYPE).is_some_and(|kind| kind.ends_with("schema.org/Comment")) {
            let post = read(page, id, &[id]);
            if !post.text.is_empty() {
                posts.push(post);
            }
            at = doc.end(id);
        }
    }
    (!posts.is_empty()).then_some(posts)
}

fn is_named(doc: &Doc, id: NodeId, words: &[&str]) -> bool {
    [Name::CLASS, Name::ID].iter().any(|name| doc.attr(id, *name).is_some_and(|value| has(value, words)))
}

fn is_comment(doc: &Doc, id: NodeId) -> bool {
    let kinds = ["/Comment", "/UserComments", "/Answer", "/Question", "/DiscussionForumPosting"];
    doc.attr(id, Name::ITEMTYPE).is_some_and(|kind| kinds.iter().any(|end| kind.ends_with(end)))
        || doc.attr(id, Name::ITEMPROP).is_some_and(|value| value.eq_ignore_ascii_case("comment"))
}

fn is_author(doc: &Doc, id: NodeId) -> bool {
    doc.attr(id, Name::ITEMPROP).is_some_and(|value| value.eq_ignore_ascii_case("author"))
        || is_named(doc, id, signs::AUTHOR)
        || (doc.name(id) == Name::A && doc.attr(id, Name::HREF).is_some_and(is_profile))
}

/// Addresses of people, as the programs behind forums make them.
fn is_profile(href: &str) -> bool {
    const PATHS: [&str; 8] =
        ["/user/", "/users/", "/u/", "/member", "/profile", "member.php?u=", "memberlist.php?mode=viewprofile", "uid="];
    href.len() <= 300 && PATHS.iter().any(|path| href.contains(path))
}

fn is_date(doc: &Doc, id: NodeId) -> bool {
    let prop = doc.attr(id, Name::ITEMPROP).unwrap_or("");
    doc.name(id) == Name::TIME
        || doc.attr(id, Name::DATETIME).is_some()
        || ["datePublished", "dateCreated", "commentTime"].iter().any(|name| prop.eq_ignore_ascii_case(name))
        || is_named(doc, id, signs::DATE)
}

/// Author, date and body of one member, without what belongs to other members within it. O(its first 400 nodes + its
/// text).
fn read(page: &Page<'_>, member: NodeId, members: &[NodeId]) -> Post {
    let doc = page.doc;
    let mut post = Post::default();
    let mut marks: Vec<NodeId> = Vec::new();
    let mut body: Option<(u32, NodeId)> = None;
    let mut at = member.index();
    for _ in 0..MAX_ELEMENTS {
        if at >= doc.end(member) {
            break;
        }
        let id = doc.id(at);
        if id != member && members.binary_search(&id).is_ok() {
            at = doc.end(id);
            continue;
        }
        at += 1;
        if !doc.is_element(id) {
            continue;
        }
        let chars = page.elements().below(id).chars;
        let is_mark = chars <= MAX_MARK_CHARS;
        if is_mark && is_date(doc, id) {
            let date = date_of(doc, id);
            if date.is_some() {
                marks.push(id);
                post.date = post.date.or(date);
            }
        } else if is_mark && is_author(doc, id) {
            let name = person(doc, id);
            if name.is_some() {
                marks.push(id);
                post.author = post.author.or(name);
            }
        }
        let is_body = is_named(doc, id, signs::BODY)
            || doc
                .attr(id, Name::ITEMPROP)
                .is_some_and(|value| ["text", "commentText", "articleBody"].contains(&value));
        // The outermost of a nest of bodies may hold the marks, too; one that holds all of the member is none.
        let whole = chars * 20 >= page.elements().below(member).chars * 19 && id == member;
        let better = body.is_none_or(|(most, outer)| chars > most && !doc.contains(outer, id));
        if is_body && chars > 0 && !whole && better && marks.iter().all(|&mark| !doc.contains(id, mark)) {
            body = Some((chars, id));
        }
    }
    let own = |leaf: &Leaf| owner(doc, members, leaf.node) == Some(member);
    post.text = text(page, body.map_or(member, |(_, id)| id), &marks, &own);
    if post.date.is_none() {
        let short = |row: &usize| page.rows[*row].chars <= MAX_MARK_CHARS;
        post.date = rows(page, member).take(12).filter(short).find_map(|row| date_in(page.row_text(&page.rows[row])));
    }
    post
}

/// The innermost member around a node.
fn owner(doc: &Doc, members: &[NodeId], node: NodeId) -> Option<NodeId> {
    // A node after a long run of replies to one post is not looked for further.
    const MOST_REPLIES: usize = 200;
    let before = members.partition_point(|&member| member <= node);
    members[..before].iter().rev().take(MOST_REPLIES).copied().find(|&member| doc.contains(member, node))
}

/// The rows of an element that are its own, without those that are marks or buttons.
fn text(page: &Page<'_>, id: NodeId, marks: &[NodeId], own: &dyn Fn(&Leaf) -> bool) -> String {
    let mut text = String::new();
    for row in &page.rows[rows(page, id)] {
        let leaves = page.row_leaves(row);
        let of_marks = |leaf: &Leaf| marks.iter().any(|&mark| page.doc.contains(mark, leaf.node));
        let button = row.is_link() && row.chars <= 20;
        if button || !leaves.first().is_some_and(own) || leaves.iter().all(|leaf| leaf.chars == 0 || of_marks(leaf)) {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(page.row_text(row));
    }
    text
}
