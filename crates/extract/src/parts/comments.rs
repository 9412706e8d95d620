//! Readers' comments out of a selection, and apart.

use std::sync::LazyLock;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, PageType, PageTypes, Selection, attribute_words::has, heading_rank};
use gristmill_text::hash;

use super::group::{SiblingGroup, groups, rows};
use super::signature::Signatures;
use super::{Post, class_words, post, texts};

/// A page that has fewer characters besides is one of comments.
const LEAST_REST: u32 = 20;
/// Probability of a forum from which a page may be one.
const MAY_BE_FORUM: f32 = 0.1;
/// So many characters of main text stand before comments.
const LEAST_BEFORE: u32 = 20;
/// Boxes whose comments are told apart.
const MOST_BOXES: usize = 50;

/// The selection without the comments of a page that is no thread, and the comments, whether the selection had them or not.
///
/// Comments are what [`post::comments`] finds, and kept elements that are named as their box below main text. Where no text stands
/// below a class or id that names comments nothing more is looked for: O(nodes), else as [`super::parts`].
pub(crate) fn without_comments(
    page: &Page<'_>,
    selection: Selection,
    types: &PageTypes,
    url: Option<&str>,
) -> (Selection, Vec<Post>) {
    if [PageType::Forum, PageType::Listing, PageType::Collection].contains(&types.best().0) {
        return (selection, Vec::new());
    }
    let named = named(page);
    if named.is_empty() {
        return (selection, Vec::new());
    }
    let signatures = Signatures::new(page);
    let groups = groups(page, &signatures);
    let mut found = post::comments(page, &selection, &signatures, &groups);
    let mut kept = parts_kept(page, &selection, &named);
    // Manuals have sections on comments and on responses, in which each function has a name and a text.
    if types.best().0 == PageType::Documentation {
        found = if found.iter().any(|(_, post)| post.published.is_some()) { found } else { Vec::new() };
        let dates = dates(page);
        let first_in = |id: NodeId| dates.get(dates.partition_point(|&date| date < id));
        kept.retain(|&id| first_in(id).is_some_and(|&date| page.doc.contains(id, date)));
    }
    if kept.is_empty() {
        if found.is_empty() && types.best().0 != PageType::Documentation {
            found = without_marks(page, &selection, &named, &groups);
        }
        return (selection, texts(found));
    }
    let boxes = boxes(page, &selection, &kept);
    let nodes = found.iter().map(|(id, _)| *id).chain(boxes.iter().copied()).collect();
    let rest = without_lone_headings(page, &selection, selection.clone().without(page, &outermost(page, nodes)));
    if is_thread(page, &selection, &rest, types, url) {
        return (selection, Vec::new());
    }
    let mut comments = texts(found);
    if comments.is_empty() {
        comments = boxes.iter().take(MOST_BOXES).flat_map(|&id| unmarked(page, id, &groups)).collect();
    }
    (rest, comments)
}

/// Whether comments are what a page is for: next to nothing else is on it, or little and it may be a forum. A weblog is none,
/// however short its post.
fn is_thread(page: &Page<'_>, selection: &Selection, rest: &Selection, types: &PageTypes, url: Option<&str>) -> bool {
    let (all, rest) = (chars(page, selection), chars(page, rest));
    let little = rest * 8 < all && types.of_type(PageType::Forum) >= MAY_BE_FORUM;
    let is_weblog = || url.is_some_and(|url| has(url, class_words::WEBLOG));
    rest < LEAST_REST || little && !is_weblog()
}

/// Elements named as comments, or as what has to do with them, that hold text.
pub(super) fn named(page: &Page<'_>) -> Vec<NodeId> {
    static WORDS: LazyLock<Vec<u64>> =
        LazyLock::new(|| class_words::COMMENT.iter().map(|word| hash(word.as_bytes())).collect());
    let (doc, names) = (page.doc, page.named());
    if !names.has_word(&WORDS) {
        return Vec::new();
    }
    let says = names.by_value(|word| WORDS.contains(&word), |any: &mut bool, is| *any |= is);
    let is_named = |id: NodeId| doc.attribute_range(id).any(|at| names.at(at).is_some_and(|value| says[value]));
    let has_text = |id: NodeId| page.elements().below(id).chars > 0;
    // What programs that colour code call a comment is one of the code.
    let in_code = |id: NodeId| {
        page.verbatim().around(page, id).is_some() || doc.ancestors(id).any(|id| doc.name(id) == LocalName::CODE)
    };
    doc.ids().filter(|&id| doc.is_element(id) && is_named(id) && has_text(id) && !in_code(id)).collect()
}

/// Those of the elements that hold a part of what is kept.
fn parts_kept(page: &Page<'_>, selection: &Selection, named: &[NodeId]) -> Vec<NodeId> {
    let doc = page.doc;
    let mut before = vec![0; doc.len() + 1];
    let kept = page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at));
    kept.for_each(|(_, leaf)| before[leaf.node.index() + 1] = leaf.chars);
    (1..before.len()).for_each(|at| before[at] += before[at - 1]);
    let all = before[doc.len()];
    let is_part = |id: NodeId| {
        let kept = before[doc.end(id)] - before[id.index()];
        kept > 0 && kept < all
    };
    named.iter().copied().filter(|&id| is_part(id)).collect()
}

/// The elements that are dates by their name or class, in order.
fn dates(page: &Page<'_>) -> Vec<NodeId> {
    let doc = page.doc;
    let says_date = |class: &str| has(class, class_words::DATE);
    let is_date =
        |id: &NodeId| doc.name(*id) == LocalName::TIME || doc.attr(*id, LocalName::CLASS).is_some_and(says_date);
    doc.ids().filter(is_date).collect()
}

/// Ranges of nodes in order, without those within others.
pub(super) fn outermost(page: &Page<'_>, nodes: Vec<NodeId>) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = nodes.iter().map(|id| (id.index(), page.doc.end(*id))).collect();
    ranges.sort_unstable();
    let mut end = 0;
    ranges.retain(|range| {
        let outer = range.0 >= end;
        end = end.max(range.1);
        outer
    });
    ranges
}

/// Those of the elements that are named as boxes of comments and stand below main text, the outermost of a nest. O(nodes).
fn boxes(page: &Page<'_>, selection: &Selection, named: &[NodeId]) -> Vec<NodeId> {
    let doc = page.doc;
    let titles: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::H1).collect();
    let holds_title = |id: NodeId| {
        titles.get(titles.partition_point(|&title| title < id)).is_some_and(|&title| doc.contains(id, title))
    };
    let (mut boxes, mut before, mut leaf, mut end) = (Vec::new(), 0, 0, 0);
    for &id in named {
        while page.leaves.get(leaf).is_some_and(|leaf| leaf.node < id) {
            before += if selection.keeps(leaf) { page.leaves[leaf].chars } else { 0 };
            leaf += 1;
        }
        if before >= LEAST_BEFORE && id.index() >= end && is_box(page, id) && !holds_title(id) {
            boxes.push(id);
            end = doc.end(id);
        }
    }
    boxes
}

fn is_box(page: &Page<'_>, id: NodeId) -> bool {
    let names = [LocalName::CLASS, LocalName::ID].map(|name| page.doc.attr(id, name).unwrap_or_default());
    names.iter().flat_map(|value| value.split_ascii_whitespace()).any(class_words::is_comment_box)
}

/// Without headings of which nothing is left that was kept below them; those of the first rank stay. O(rows).
pub(super) fn without_lone_headings(page: &Page<'_>, before: &Selection, rest: Selection) -> Selection {
    let kept = |selection: &Selection, row: usize| selection.keeps(page.rows[row].first_leaf as usize);
    // Whether something was kept, and is, since the last heading of each rank or a higher one, seen from the end.
    let (mut had, mut has) = ([false; 7], [false; 7]);
    let mut lone: Vec<(usize, usize)> = Vec::new();
    for row in (0..page.rows.len()).rev().filter(|&row| kept(before, row)) {
        let rank = heading_rank(page.doc.name(page.rows[row].block)).map_or(7, usize::from);
        let was_emptied = rank < 7 && had[rank] && !has[rank];
        if rank > 1 && was_emptied && kept(&rest, row) {
            lone.extend(
                page.row_leaves(&page.rows[row]).iter().map(|leaf| (leaf.node.index(), page.doc.end(leaf.node))),
            );
        }
        let stays = kept(&rest, row) && !(rank > 1 && was_emptied);
        for at in 0..7 {
            // A section ends where one of its rank or a higher one begins.
            (had[at], has[at]) = if at >= rank { (false, false) } else { (true, has[at] || stays) };
        }
    }
    lone.sort_unstable();
    rest.without(page, &lone)
}

/// Characters of what is kept.
pub(super) fn chars(page: &Page<'_>, selection: &Selection) -> u32 {
    page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at)).map(|(_, leaf)| leaf.chars).sum()
}

/// Comments without author and date in boxes below main text: siblings that say something and are no fields of a form.
pub(super) fn without_marks(
    page: &Page<'_>,
    selection: &Selection,
    named: &[NodeId],
    groups: &[SiblingGroup],
) -> Vec<(NodeId, Post)> {
    let doc = page.doc;
    let is_said = |&id: &NodeId| {
        let rows = &page.rows[rows(page, id)];
        let n_links: u32 = rows.iter().map(|row| row.link_chars).sum();
        let n_all: u32 = rows.iter().map(|row| row.chars).sum();
        2 * n_links < n_all && !doc.ancestors(id).any(|id| doc.name(id) == LocalName::FORM)
    };
    let boxes = boxes(page, selection, named).into_iter().take(MOST_BOXES);
    let said = boxes.filter_map(|id| largest(page, id, groups)).filter(|group| group.members.iter().all(is_said));
    said.flat_map(|group| posts(page, &group.members)).collect()
}

/// The group of siblings within a box that has most of its text.
fn largest<'g>(page: &Page<'_>, id: NodeId, groups: &'g [SiblingGroup]) -> Option<&'g SiblingGroup> {
    let within = groups.iter().filter(|group| page.doc.contains(id, group.parent));
    let chars = |group: &&SiblingGroup| group.members.iter().map(|&id| page.elements().below(id).chars).sum::<u32>();
    let all = page.elements().below(id).chars;
    within.max_by_key(chars).filter(|group| 2 * chars(group) > all)
}

/// Comments without author and date: the largest group of siblings within the box, else the box as one.
fn unmarked(page: &Page<'_>, id: NodeId, groups: &[SiblingGroup]) -> Vec<Post> {
    texts(posts(page, largest(page, id, groups).map_or(&[id][..], |group| &group.members)))
}

fn posts(page: &Page<'_>, members: &[NodeId]) -> Vec<(NodeId, Post)> {
    let text = |id: NodeId| -> Vec<&str> { page.rows[rows(page, id)].iter().map(|row| page.row_text(row)).collect() };
    let post = |id: NodeId| (id, Post { text: text(id).join("\n"), ..Post::default() });
    members.iter().map(|&id| post(id)).filter(|(_, post)| !post.text.is_empty()).collect()
}
