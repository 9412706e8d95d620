//! One post or comment: who wrote it, when, and what it says.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{
    Page, TextNode,
    attribute_words::{has, is_named},
};

use super::class_signals::{self, ClassSignals};
use super::class_words;
use super::group::rows;
use super::types::Post;
use crate::metadata::{date_in, date_in_tip, date_of, person};

/// Elements of a member that are looked at for its author, date and body.
pub(super) const MAX_ELEMENTS: usize = 400;
/// Longest text of an element that is a name or a date.
const MAX_MARK_CHARS: u32 = 60;
/// Longest declared person, with rank and medals.
const MAX_PERSON_CHARS: u32 = 200;
/// Bodies of one member that are compared.
const MAX_BODIES: usize = 40;

/// What says that an element is about who wrote a post, and when.
pub(super) const IS_AUTHOR: u32 = class_signals::OF_AUTHOR | class_signals::AUTHOR | class_signals::TO_PERSON;
pub(super) const IS_DATE: u32 = class_signals::DECLARED_DATE | class_signals::DATE;

pub(super) fn is_date(doc: &Doc, id: NodeId) -> bool {
    declares_date(doc, id) || is_named(doc, id, class_words::DATE)
}

fn declares_date(doc: &Doc, id: NodeId) -> bool {
    let prop = doc.attr(id, LocalName::ITEMPROP).unwrap_or("");
    doc.name(id) == LocalName::TIME
        || doc.attr(id, LocalName::DATETIME).is_some()
        || class_words::DATE_PROPS.iter().any(|name| prop.eq_ignore_ascii_case(name))
}

/// Author, date and body of one member, without what belongs to other members within it. O(its first 400 nodes + its
/// text).
pub(super) fn read(says: &ClassSignals<'_, '_>, member: NodeId, members: &[NodeId]) -> Post {
    let page = says.page;
    let doc = page.doc;
    let all = page.elements().below(member).chars;
    let mut post = Post::default();
    let mut marks = Marks::default();
    let mut bodies: Vec<Body> = Vec::new();
    let mut remarks = 0;
    for id in own_elements(doc, member, members) {
        let chars = page.elements().below(id).chars;
        if id != member && says.is_named(id, class_signals::SIGNATURE) {
            marks.all.push(id);
        }
        if id != member && says.is_named(id, class_signals::OF_COMMENT) {
            // Remarks to a post have authors of their own.
            remarks = remarks.max(doc.end(id));
        }
        let is_mark =
            chars <= MAX_MARK_CHARS || says.is_named(id, class_signals::OF_AUTHOR) && chars <= MAX_PERSON_CHARS;
        if is_mark && id.index() >= remarks {
            marks.look_at(says, id, &mut post);
        }
        // One that holds all of the member is none.
        let is_whole = id == member && chars * 20 >= all * 19;
        if chars > 0
            && !is_whole
            && bodies.len() < MAX_BODIES
            && let Some(certain) = is_body(says, id, member)
        {
            bodies.push(Body { certain, chars, id });
        }
    }
    if post.author.is_none()
        && let Some((name, id)) = first_term(page, member)
    {
        (post.author, marks.author) = (Some(name), Some(id));
        marks.all.push(id);
    }
    let body = marks.body(doc, &bodies, all);
    if post.published.is_none()
        && let Some((row, date)) = date_in_rows(page, member)
    {
        post.published = Some(date);
        marks.byline = Some(row).filter(|&row| marks.is_in_row(page, row));
    }
    let own = |leaf: &TextNode| owner(doc, members, leaf.node) == Some(member);
    post.text = text(page, body.unwrap_or(member), &marks, &own);
    if post.text.is_empty() && marks.byline.take().is_some() {
        post.text = text(page, body.unwrap_or(member), &marks, &own);
    }
    post
}

/// The first elements of a member, itself first, without those of other members within it.
fn own_elements(doc: &Doc, member: NodeId, members: &[NodeId]) -> Vec<NodeId> {
    let mut own = Vec::new();
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
        if doc.is_element(id) {
            own.push(id);
        }
    }
    own
}

/// The first date in a short row that does not say when its author joined, or in a tip of one that may have a title, too.
fn date_in_rows(page: &Page<'_>, member: NodeId) -> Option<(usize, String)> {
    const MAX_TITLED_CHARS: u32 = 160;
    let short = |row: &usize| page.rows[*row].chars <= MAX_MARK_CHARS;
    let joined = |row: usize| class_words::is_joined(page.row_text(&page.rows[row]));
    let of_post = |row: &usize| !(joined(*row) || *row > 0 && short(&(row - 1)) && joined(row - 1));
    let in_tip = |row: usize| {
        let row = Some(&page.rows[row]).filter(|row| row.chars <= MAX_TITLED_CHARS)?;
        page.row_leaves(row).iter().find_map(|leaf| date_in_tip(page.doc, leaf.node))
    };
    let shown = |row: usize| Some(row).filter(short).and_then(|row| date_in(page.row_text(&page.rows[row])));
    let dated = |row: usize| Some((row, shown(row).or_else(|| in_tip(row))?));
    rows(page, member).take(12).filter(of_post).find_map(dated)
}

/// The elements that say who and when: the first of each, and all of them, which are no text.
#[derive(Default)]
struct Marks {
    author: Option<NodeId>,
    date: Option<NodeId>,
    author_declared: bool,
    date_declared: bool,
    all: Vec<NodeId>,
    /// The row that says both.
    byline: Option<usize>,
}

impl Marks {
    /// Whether a row names who wrote it.
    fn is_in_row(&self, page: &Page<'_>, row: usize) -> bool {
        let leaves = page.row_leaves(&page.rows[row]);
        self.author.is_some_and(|author| leaves.iter().any(|leaf| page.doc.contains(author, leaf.node)))
    }

    /// The outermost of a nest of bodies that does not hold the marks, too.
    fn body(&self, doc: &Doc, bodies: &[Body], all: u32) -> Option<NodeId> {
        let with_marks = |id: NodeId| [self.author, self.date].iter().flatten().any(|&mark| doc.contains(id, mark));
        // What has an uncertain name and next to none of the text is something else.
        let fits = |body: &&Body| !with_marks(body.id) && (body.certain || body.chars * 4 >= all);
        let key = |body: &&Body| (body.certain, body.chars, std::cmp::Reverse(body.id));
        bodies.iter().filter(fits).max_by_key(key).map(|body| body.id)
    }

    fn look_at(&mut self, says: &ClassSignals<'_, '_>, id: NodeId, post: &mut Post) {
        let doc = says.page.doc;
        if says.is_named(id, IS_DATE) {
            let Some(date) = date_of(doc, id).filter(|_| !says_joined(doc, id)) else { return };
            self.all.push(id);
            // What the page declares comes before what a class says: the day of an edit stands first on some.
            let declared = says.is_named(id, class_signals::OF_DATE);
            if post.published.is_none() || declared && !self.date_declared {
                (post.published, self.date, self.date_declared) = (Some(date), Some(id), declared);
            }
        } else if says.is_named(id, IS_AUTHOR)
            && !is_tag(doc, id)
            && let Some(name) = person(doc, id).filter(|name| !class_words::is_no_name(name))
        {
            self.all.push(id);
            let declared = says.is_named(id, class_signals::OF_AUTHOR);
            // A name within a line about somebody is that without rank and the like.
            let within = self.author.is_some_and(|outer| outer != id && doc.contains(outer, id));
            let tighter = within && says.is_named(id, class_signals::TO_PERSON | class_signals::USERNAME);
            if post.author.is_none() || tighter || declared && !self.author_declared {
                self.author_declared |= declared;
                (post.author, self.author) = (Some(name), Some(id));
            }
        }
    }
}

/// Whether an element is called a tag of the post: `<a rel=tag class=tag-name>`.
fn is_tag(doc: &Doc, id: NodeId) -> bool {
    doc.attr(id, LocalName::REL).is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word == "tag"))
}

/// Whether a date is the one since when somebody is a member.
fn says_joined(doc: &Doc, id: NodeId) -> bool {
    const MAX_AROUND: u32 = 80;
    let around = doc.parent(id).filter(|&parent| is_short(doc, parent, MAX_AROUND)).unwrap_or(id);
    [id, around].iter().any(|&id| doc.attr(id, LocalName::CLASS).is_some_and(|class| has(class, class_words::JOINED)))
        || class_words::is_joined(&gristmill_page::text_of(doc, around))
}

fn is_short(doc: &Doc, id: NodeId, max_nodes: u32) -> bool {
    doc.end(id) - id.index() <= max_nodes as usize / 4
}

/// What is named as the text of a post; `certain` when it is not by a word for all of a post.
#[derive(Clone, Copy)]
struct Body {
    certain: bool,
    chars: u32,
    id: NodeId,
}

fn is_body(says: &ClassSignals<'_, '_>, id: NodeId, member: NodeId) -> Option<bool> {
    if says.is_named(id, class_signals::OF_TEXT) {
        return Some(true);
    }
    let named = |list| says.is_named(id, list) && !says.is_named(id, class_signals::BESIDE);
    if named(class_signals::BODY) {
        return Some(true);
    }
    (id != member && named(class_signals::POST_BODY)).then_some(false)
}

/// The first term of a list of definitions: who wrote it, on old forums.
fn first_term(page: &Page<'_>, member: NodeId) -> Option<(String, NodeId)> {
    let doc = page.doc;
    let dt = doc.subtree(member).take(MAX_ELEMENTS).find(|&id| doc.name(id) == LocalName::DT)?;
    let short = (1..=MAX_MARK_CHARS / 2).contains(&page.elements().below(dt).chars);
    let name = person(doc, dt).filter(|name| short && !class_words::is_joined(name))?;
    Some((name, dt))
}

/// The innermost member around a node.
fn owner(doc: &Doc, members: &[NodeId], node: NodeId) -> Option<NodeId> {
    // A node after a long run of replies to one post is not looked for further.
    const MOST_REPLIES: usize = 200;
    let before = members.partition_point(|&member| member <= node);
    members[..before].iter().rev().take(MOST_REPLIES).copied().find(|&member| doc.contains(member, node))
}

/// The rows of an element that are its own, without those that are marks or buttons.
fn text(page: &Page<'_>, id: NodeId, marks: &Marks, own: &dyn Fn(&TextNode) -> bool) -> String {
    let mut text = String::new();
    for at in rows(page, id).filter(|&at| marks.byline != Some(at)) {
        let row = &page.rows[at];
        let leaves = page.row_leaves(row);
        let of_marks = |leaf: &TextNode| marks.all.iter().any(|&mark| page.doc.contains(mark, leaf.node));
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
