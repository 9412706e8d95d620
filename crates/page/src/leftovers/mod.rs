//! What stands in the text of a page and is for no reader: permalink signs, links to edit a section or to read other articles, what leads
//! from a note back to the text, line numbers of code, names of icons, shortcodes of content systems, serialised state, single rows that
//! a style hides, numbers that items have twice, heads and controls of tables, prompts of notebooks.
//!
//! Methods see it all, as the page has it; renderings leave it out.

mod code;
mod hidden;
mod items;
mod known;
mod shortcodes;
mod state;
mod tables;
mod teasers;
mod toggles;

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::hash;

use crate::attribute_words::{AttributeWords, is_named};
use crate::blocks::{is_block, is_heading};
use crate::icons;
use crate::notes::Notes;
use crate::rows::{Row, Rows, TextNode};
use crate::verbatim::Verbatim;
use known::LeftoverContext;

/// Ranges of [`Rows::text`], in order and apart. O(nodes + text).
pub(crate) fn find(page: &Rows<'_>, named: &AttributeWords, verbatim: &Verbatim, notes: &Notes) -> Vec<Range<u32>> {
    let page = LeftoverContext { page, named, verbatim };
    let page = &page;
    let mut found = Vec::new();
    code::find(page, &mut found);
    hidden::find(page, &mut found);
    hidden::tips(page, notes, &mut found);
    items::find(page, &mut found);
    tables::find(page, &mut found);
    let has_icons = page.named.has_word(&[hash(b"material")]);
    let has_tags = page.doc.mentions("ltx_tag_item");
    let has_prompts = page.named.has_word(&[hash(b"prompt")]);
    let mut tags = shortcodes::ShortcodeTags::default();
    for row in page.rows.iter().filter(|row| page.verbatim.block_of(page, row).is_none()) {
        permalinks(page, row, &mut found);
        edit_links(page, row, &mut found);
        links_to_top(page, row, &mut found);
        drawn_buttons(page, row, &mut found);
        if row.in_heading {
            buttons(page, row, &mut found);
        }
        sort_signs(page, row, &mut found);
        if has_icons {
            icon_names(page, row, &mut found);
        }
        if has_tags {
            items::tags(page, row, &mut found);
        }
        if has_prompts {
            prompts(page, row, &mut found);
        }
        tags.read(page, row);
        state::find(page, row, &mut found);
        teasers::find(page, row, &mut found);
        toggles::find(page, row, &mut found);
    }
    teasers::find_titled(page, &mut found);
    own_addresses(page, &mut found);
    tags.find(&mut found);
    found.extend(notes.notes.iter().flat_map(|note| note.signs.iter().cloned()));
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<u32>> = Vec::with_capacity(found.len());
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Rows that are the address of the page and nothing else, as boxes about its licence have it. O(rows).
fn own_addresses(page: &Rows<'_>, found: &mut Vec<Range<u32>>) {
    const MAX_CHARS: u32 = 300;
    let plain = |address: &str| {
        let address = address.trim().split('#').next().unwrap_or_default();
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        address.trim_end_matches("index.html").trim_end_matches('/').to_owned()
    };
    let canonical = page.doc.links().find(|link| link.has_rel("canonical")).map(|link| plain(link.href));
    let own: Vec<String> = canonical.into_iter().chain(page.doc.meta("og:url").map(plain)).collect();
    // The address of the home page is said of the site.
    let own: Vec<String> = own.into_iter().filter(|address| address.contains('/')).collect();
    let is_address = |row: &&Row| row.chars <= MAX_CHARS && page.row_text(row).starts_with("http");
    let rows = page.rows.iter().filter(|_| !own.is_empty()).filter(is_address);
    found.extend(rows.filter(|row| own.contains(&plain(page.row_text(row)))).map(|row| row.start..row.end));
}

/// Signs that are links to where they stand.
const SIGNS: [&str; 5] = ["¶", "🔗", "⚓", "⚓︎", "\u{f0c1}"];
/// Signs that are that in headings and terms only, and where they are called anchors.
const SIGNS_OF_HEADINGS: [&str; 8] = ["#", "§", "∞", "¤", "::", "※", "◆", "◆\u{fe0e}"];
/// What leads from a section back to the top of its page.
const TOPS: [&str; 9] = ["top", "[top]", "(top)", "back to top", "return to top", "↑", "▲", "⇧", "nach oben"];

fn permalinks(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    let leaves = page.row_leaves(row);
    if leaves.len() < 2 || row.link_chars == 0 {
        return;
    }
    let titled = row.in_heading || doc.name(row.block) == LocalName::DT;
    let is_anchor = |leaf: &TextNode| {
        doc.parent(leaf.node).is_some_and(|id| is_named(doc, id, &["anchor", "selflink", "permalink"]))
    };
    let is_sign = |leaf: &&TextNode| {
        let text = page.leaf_text(leaf);
        let is_top = || row.in_heading && TOPS.iter().any(|top| text.eq_ignore_ascii_case(top));
        let sign =
            SIGNS.contains(&text) || SIGNS_OF_HEADINGS.contains(&text) && (titled || is_anchor(leaf)) || is_top();
        leaf.in_link && sign && leads_to_page(doc, leaf.node)
    };
    let signs: Vec<&TextNode> = leaves.iter().filter(is_sign).collect();
    if signs.len() < leaves.len() {
        found.extend(signs.into_iter().map(|leaf| leaf.start..leaf.end));
    }
}

/// A row that is nothing but a link or button back to the top of its page.
fn links_to_top(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const MAX_CHARS: u32 = 16;
    const LEVELS: usize = 3;
    let doc = page.doc;
    let text = page.row_text(row).trim_matches(|c: char| !c.is_alphanumeric());
    if row.chars > MAX_CHARS || row.in_heading || !TOPS.iter().any(|top| text.eq_ignore_ascii_case(top)) {
        return;
    }
    let leads = |leaf: &TextNode| {
        leaf.in_link && leads_to_page(doc, leaf.node)
            || doc.ancestors(leaf.node).take(LEVELS).any(|id| doc.name(id) == LocalName::BUTTON)
    };
    if page.row_leaves(row).iter().any(leads) {
        found.push(row.start..row.end);
    }
}

/// Buttons beside the words of a heading, such as one that copies them, and several side by side; one that is all of it unfolds what is
/// below, and may say that, too.
fn buttons(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const SIGNS: [&str; 4] = ["toggle", "chevron", "caret", "arrow"];
    let doc = page.doc;
    let is_button = |leaf: &&TextNode| {
        let mut around = doc.ancestors(leaf.node).take_while(|&id| !is_heading(doc.name(id)));
        around.any(|id| doc.name(id) == LocalName::BUTTON)
    };
    let is_sign = |leaf: &&TextNode| {
        let mut inside = doc.ancestors(leaf.node).take_while(|&id| doc.name(id) == LocalName::SPAN);
        inside.any(|id| is_named(doc, id, &SIGNS))
    };
    let leaves = page.row_leaves(row);
    let mut buttons: Vec<&TextNode> = leaves.iter().filter(is_button).collect();
    let around = |leaf: &TextNode| doc.ancestors(leaf.node).find(|&id| doc.name(id) == LocalName::BUTTON);
    let is_one = buttons.windows(2).all(|pair| around(pair[0]) == around(pair[1]));
    if buttons.len() == leaves.len() && !is_one {
        return found.push(row.start..row.end);
    }
    if buttons.len() == leaves.len() {
        buttons.retain(is_sign);
    }
    if buttons.len() < leaves.len() {
        found.extend(buttons.into_iter().map(|leaf| leaf.start..leaf.end));
    }
}

/// Arrows behind the title of a column, which sort its table.
fn sort_signs(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const ARROWS: &str = "▲▼△▽▴▾▵▿↑↓⇅⇵↕⬆⬇⏶⏷🔼🔽\u{fe0e}\u{fe0f}";
    const LEVELS: usize = 3;
    let doc = page.doc;
    let is_title = || {
        doc.ancestors(page.leaves[row.first_leaf as usize].node)
            .take(LEVELS + 1)
            .any(|id| doc.name(id) == LocalName::TH)
    };
    let leaves = page.row_leaves(row);
    let is_arrow = |leaf: &&TextNode| page.leaf_text(leaf).chars().all(|c| ARROWS.contains(c));
    if leaves.len() > 1 && leaves.iter().any(|leaf| is_arrow(&leaf)) && is_title() {
        let arrows: Vec<&TextNode> = leaves.iter().filter(is_arrow).collect();
        if arrows.len() < leaves.len() {
            found.extend(arrows.into_iter().map(|leaf| leaf.start..leaf.end));
        }
    }
}

/// A row that is nothing but a link which leads nowhere and says that it is a button.
fn drawn_buttons(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const MAX_CHARS: u32 = 40;
    let doc = page.doc;
    if row.chars > MAX_CHARS || row.link_chars < row.chars {
        return;
    }
    let is_button = |id: NodeId| {
        let leads = doc.attr(id, LocalName::HREF).is_some_and(|href| !matches!(href.trim(), "" | "#"));
        doc.name(id) == LocalName::A && doc.attr(id, LocalName::ROLE) == Some("button") && !leads
    };
    if page.row_leaves(row).iter().all(|leaf| doc.ancestors(leaf.node).take(3).any(is_button)) {
        found.push(row.start..row.end);
    }
}

/// Classes of links to edit a section, to the source of what is described, and to run an example, and of marks such as `[citation needed]`.
const EDITS: [&str; 5] = ["editsection", "viewcode-link", "viewcode-back", "test-arrow", "Inline-Template"];

/// Links of MediaWiki, Sphinx, Haddock and rustdoc for who works on the page, whose classes are the same in all languages.
fn edit_links(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    if row.link_chars == 0 {
        return;
    }
    let is_source = |id: NodeId| doc.parent(id) == Some(row.block) && is_named(doc, id, &["link"]);
    let is_signature = is_named(doc, row.block, &["src"]);
    let is_edit = |id: NodeId| {
        let is_of_heading = row.in_heading && doc.name(id) == LocalName::A && is_named(doc, id, &["edit"]);
        is_of_heading
            || is_signature && is_source(id)
            || doc.attr(id, LocalName::CLASS).is_some_and(|class| EDITS.iter().any(|edit| class.contains(edit)))
    };
    let edits = page.row_leaves(row).iter().filter(|leaf| doc.ancestors(leaf.node).take(4).any(is_edit));
    found.extend(edits.map(|leaf| leaf.start..leaf.end));
}

/// Names that a font draws as icons; one that is all of its cell was made a sign.
fn icon_names(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    let leaves = page.row_leaves(row).iter();
    let names = leaves.filter(|leaf| doc.ancestors(leaf.node).take(2).any(|id| icons::draws_name(doc, id)));
    found.extend(names.map(|leaf| leaf.start..leaf.end));
}

/// `In [3]:`, which notebooks write beside what was typed in and what came out.
fn prompts(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const LEVELS: usize = 2;
    let doc = page.doc;
    let text = page.row_text(row).trim();
    let counted = text.strip_suffix("]:").and_then(|text| text.rsplit_once('['));
    let is_counted = counted.is_some_and(|(said, count)| {
        said.len() <= 8 && count.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'*'))
    });
    let is_prompt = |id: NodeId| is_named(doc, id, &["prompt"]);
    if is_counted && std::iter::once(row.block).chain(doc.ancestors(row.block)).take(LEVELS).any(is_prompt) {
        found.push(row.start..row.end);
    }
}

fn leads_to_page(doc: &Doc, node: NodeId) -> bool {
    let link = doc.ancestors(node).take_while(|&id| !is_block(doc.name(id))).find(|&id| doc.name(id) == LocalName::A);
    link.and_then(|link| doc.attr(link, LocalName::HREF)).is_some_and(|href| href.contains('#'))
}
