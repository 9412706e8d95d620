//! What is kept of pages on which rows one by one say little: a short notice below its title, a page that is one table, one that
//! has nothing around its text.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, attribute_words::is_named, tables::is_data_table};

use super::called::is_called_text;
use super::features::{PageFeatures, title_share};

/// A title shares that much with what the page declares.
const LIKE_TITLE: f32 = 0.6;
/// Elements around a title that are looked at for its text.
const LEVELS: usize = 6;
/// Words of a notice.
const NOTICE: std::ops::RangeInclusive<f32> = 12.0..=400.0;

/// The rows of a short text below the title of a page that has much else: those of the smallest element around the title that has a
/// sentence outside of links, up to the next heading. O(rows).
pub(super) fn notice(page: &Page<'_>, facts: &PageFeatures, weights: &[f32]) -> Vec<usize> {
    let doc = page.doc;
    let share = |row: usize| title_share(facts, row) + if page.row_rank(&page.rows[row]) == 1 { 1.0 } else { 0.0 };
    let headings = (0..page.rows.len()).filter(|&row| page.row_rank(&page.rows[row]) > 0 && share(row) >= LIKE_TITLE);
    let Some(title) = headings.max_by(|&a, &b| share(a).total_cmp(&share(b)).then(b.cmp(&a))) else {
        return Vec::new();
    };
    for id in doc.ancestors(page.rows[title].block).take(LEVELS) {
        let end = facts.context.rows(page, id).end;
        let below = (title + 1..end).take_while(|&row| page.row_rank(&page.rows[row]) == 0);
        let text: Vec<usize> = below.filter(|&row| !page.rows[row].is_link()).collect();
        let words: f32 = text.iter().map(|&row| weights[row]).sum();
        if words >= *NOTICE.start() && text.iter().any(|&row| page.rows[row].marks.sentence > 0) {
            return if NOTICE.contains(&words) { text } else { Vec::new() };
        }
    }
    Vec::new()
}

/// The rows of the only element of a page that is called its text, where they are few and each may be text: a short post in a language or
/// of a kind that the model knows little of. O(nodes).
pub(super) fn called_text(page: &Page<'_>, facts: &PageFeatures, weights: &[f32], probabilities: &[f32]) -> Vec<usize> {
    const MAX_ROWS: usize = 40;
    const LEAST: f32 = 0.15;
    const LEAST_MEAN: f32 = 0.25;
    let doc = page.doc;
    let mut called = doc.ids().filter(|&id| doc.is_element(id) && is_called_text(doc, id));
    let Some(outer) = called.next() else { return Vec::new() };
    // Of several that lie in each other the innermost.
    let mut text = outer;
    for id in called {
        if !doc.contains(text, id) {
            return Vec::new();
        }
        text = id;
    }
    let rows: Vec<usize> = facts.context.rows(page, text).filter(|&row| !page.rows[row].is_link()).collect();
    let words: f32 = rows.iter().map(|&row| weights[row]).sum();
    let mean = rows.iter().map(|&row| weights[row] * probabilities[row]).sum::<f32>() / words.max(1.0);
    if rows.len() > MAX_ROWS || mean < LEAST_MEAN {
        Vec::new()
    } else {
        rows.into_iter().filter(|&row| probabilities[row] >= LEAST).collect()
    }
}

/// What a site has around a text, beside links.
const AROUND: [LocalName; 9] = [
    LocalName::NAV,
    LocalName::FOOTER,
    LocalName::ASIDE,
    LocalName::FORM,
    LocalName::INPUT,
    LocalName::BUTTON,
    LocalName::SELECT,
    LocalName::IFRAME,
    LocalName::FRAME,
];

/// Whether a page has nothing that boilerplate is made of: no link to another page, nothing to fill in, no part of a site around it.
/// All of such a page was written for it, however little it looks like the pages that the model knows. O(nodes).
pub(super) fn is_bare(page: &Page<'_>) -> bool {
    let doc = page.doc;
    let leads_away = |id| doc.attr(id, LocalName::HREF).is_some_and(|href| !href.trim_start().starts_with('#'));
    (0..doc.len()).map(|at| doc.id(at)).all(|id| {
        let name = doc.name(id);
        !(AROUND.contains(&name) || name == LocalName::A && leads_away(id))
    })
}

/// The rows of what programs that write such a page put around its text: the table of contents, the day of the last change.
pub(super) fn menus<'p>(page: &'p Page<'p>, facts: &'p PageFeatures) -> impl Iterator<Item = usize> + 'p {
    let doc = page.doc;
    let is_menu = move |id: &NodeId| {
        doc.is_element(*id)
            && (doc.attr(*id, LocalName::ROLE) == Some("doc-toc")
                || is_named(doc, *id, &["toc", "footer", "postamble"]))
    };
    let menus = doc.ids().filter(is_menu).map(|id| facts.context.rows(page, id));
    // What holds half of the page is none, whatever it is called.
    menus.filter(|rows| 2 * rows.len() <= page.rows.len()).flatten()
}

/// Whether a page has nothing but a few links around its text: a timetable below the name of its school, with links to those of other
/// classes. O(nodes).
pub(super) fn is_nearly_bare(page: &Page<'_>) -> bool {
    const TIMES: u32 = 3;
    const MAX_ROWS: usize = 200;
    let doc = page.doc;
    let chars = |links: bool| {
        let rows = page.rows.iter().filter(|row| row.is_link() == links);
        rows.map(|row| row.chars).sum::<u32>()
    };
    page.rows.len() <= MAX_ROWS
        && chars(false) >= TIMES * chars(true)
        && (0..doc.len()).all(|at| !AROUND.contains(&doc.name(doc.id(at))))
}

/// Fewest rows of a table that is a page, cells a row, words of all such tables.
const TALL: usize = 5;
const WIDE: usize = 3;
const TABLE_WORDS: f32 = 60.0;
/// How many times the words of what is kept.
const TIMES: f32 = 2.0;

/// The rows of tables full of numbers, if they have far more words than all that is kept and most of what is no link: standings, prices,
/// timetables. O(nodes).
pub(super) fn tables(page: &Page<'_>, facts: &PageFeatures, weights: &[f32], keep: &[bool]) -> Vec<usize> {
    let doc = page.doc;
    let kept: f32 = weights.iter().zip(keep).filter(|(_, keep)| **keep).map(|(words, _)| words).sum();
    let outside_links = |row: &usize| !page.rows[*row].is_link();
    let all: f32 = (0..weights.len()).filter(outside_links).map(|row| weights[row]).sum();
    let mut found = Vec::new();
    let mut at = doc.body().map_or(0, NodeId::index);
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        let name = doc.name(id);
        if [LocalName::NAV, LocalName::FOOTER, LocalName::ASIDE].contains(&name) {
            at = doc.end(id);
        } else if name == LocalName::TABLE && is_data_table(doc, id) && is_of_numbers(page, id) {
            found.extend(facts.context.rows(page, id));
            at = doc.end(id);
        }
    }
    let sum = |rows: &mut dyn Iterator<Item = &usize>| rows.map(|&row| weights[row]).sum::<f32>();
    let words = sum(&mut found.iter());
    let bare = sum(&mut found.iter().filter(|row| outside_links(row)));
    if words < TABLE_WORDS || words < TIMES * kept || 2.0 * bare < all || found.iter().any(|&row| keep[row]) {
        return Vec::new();
    }
    found
}

fn is_of_numbers(page: &Page<'_>, table: NodeId) -> bool {
    let doc = page.doc;
    let (mut rows, mut cells, mut numbers) = (0, 0, 0);
    let mut is_cell = false;
    for id in doc.subtree(table) {
        match doc.name(id) {
            LocalName::TR => rows += 1,
            LocalName::TD | LocalName::TH => (cells, is_cell) = (cells + 1, true),
            LocalName::TEXT if is_cell && doc.text(id).bytes().any(|byte| byte.is_ascii_digit()) => {
                (numbers, is_cell) = (numbers + 1, false);
            }
            _ => {}
        }
    }
    rows >= TALL && cells >= WIDE * rows && 3 * numbers >= cells
}
