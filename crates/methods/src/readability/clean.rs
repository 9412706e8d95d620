//! What Readability takes out of the article that it has chosen.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, tables::is_data_table};

use super::Flags;
use super::names::{class_weight, shares};
use super::totals::{self, Totals};

/// Elements that are never of an article.
const NEVER: [LocalName; 10] = [
    LocalName::OBJECT,
    LocalName::EMBED,
    LocalName::FOOTER,
    LocalName::LINK,
    LocalName::ASIDE,
    LocalName::IFRAME,
    LocalName::INPUT,
    LocalName::TEXTAREA,
    LocalName::SELECT,
    LocalName::BUTTON,
];
/// Elements that are judged by what is in them, in this order.
const JUDGED: [&[LocalName]; 4] =
    [&[LocalName::FORM, LocalName::FIELDSET], &[LocalName::TABLE], &[LocalName::UL], &[LocalName::DIV]];

/// Marks what is taken out. O(nodes), five passes.
pub(super) fn clean(page: &Page<'_>, texts: &[Totals], flags: Flags, removed: &mut [bool]) {
    let doc = page.doc;
    let data = DataTables::new(doc);
    totals::below(doc, texts, removed, |id, own| {
        const MAX_SHARE_CHARS: u32 = 500;
        let name = doc.name(id);
        NEVER.contains(&name)
            || own.chars < MAX_SHARE_CHARS && shares(doc, id)
            || matches!(name, LocalName::H1 | LocalName::H2) && flags.weigh_names && class_weight(doc, id) < 0.0
    });
    if flags.judge_parts {
        for names in JUDGED {
            totals::below(doc, texts, removed, |id, own| {
                names.contains(&doc.name(id)) && !data.has(id) && is_no_text(doc, id, own, flags)
            });
        }
    }
}

/// Data tables and what is in them.
struct DataTables {
    nodes: Vec<bool>,
}

impl DataTables {
    fn new(doc: &Doc) -> DataTables {
        let mut nodes = vec![false; doc.len()];
        let mut at = 0;
        while at < doc.len() {
            let id = doc.id(at);
            at += 1;
            let is_kept = match doc.name(id) {
                LocalName::TABLE => is_data_table(doc, id),
                name => name == LocalName::CODE,
            };
            if is_kept {
                nodes[id.index()..doc.end(id)].fill(true);
                at = doc.end(id);
            }
        }
        DataTables { nodes }
    }

    fn has(&self, id: NodeId) -> bool {
        self.nodes[id.index()]
    }
}

/// Whether a part of an article is none: by its names, or with few commas by its links, pictures, fields and empty rows.
fn is_no_text(doc: &Doc, id: NodeId, own: &Totals, flags: Flags) -> bool {
    const MANY_COMMAS: u32 = 10;
    const FREE_ITEMS: u32 = 100;
    let weight = if flags.weigh_names { class_weight(doc, id) } else { 0.0 };
    if weight < 0.0 {
        return true;
    }
    if own.commas >= MANY_COMMAS {
        return false;
    }
    let (chars, density) = (f64::from(own.chars), own.link_density());
    let is_list = doc.name(id) == LocalName::UL || f64::from(own.list_chars) > 0.9 * chars;
    let headings = if own.chars == 0 { 0.0 } else { f64::from(own.heading_chars) / chars };
    let in_figure = doc.ancestors(id).take(3).any(|id| doc.name(id) == LocalName::FIGURE);
    own.images > 1 && 2 * own.paragraphs < own.images && !in_figure
        || !is_list && own.items.saturating_sub(FREE_ITEMS) > own.paragraphs
        || own.inputs > own.paragraphs / 3
        || !is_list && headings < 0.9 && own.chars < 25 && (own.images == 0 || own.images > 2) && !in_figure
        || !is_list && weight < 25.0 && density > 0.2
        || weight >= 25.0 && density > 0.5
        || own.embeds == 1 && own.chars < 75
        || own.embeds > 1
}
