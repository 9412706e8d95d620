//! What is kept and better is not: menus, boxes that ask for an address, headings without their section.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::attribute_words::{is_named, words};
use gristmill_page::{PageType, Row};
use memchr::memmem;

use super::is_of_text;
use super::section::{Sections, sum};
use crate::metadata::leads_to_writer;
use crate::metadata::mail::begins_mail;
use crate::related::is_heading_of_others;

/// A heading without a section is kept from this probability on.
const LONE: f32 = 0.5;

/// Last words of classes and ids of menus and contents.
#[rustfmt::skip]
const MENUS: &[&str] = &[
    "nav", "navbar", "navigation", "menu", "flipmenu", "sidebar", "sphinxsidebar", "sidenav", "toc", "toc2", "tocset", "tocframe", "treeview",
];

/// Whether an element is a menu by its name, its role, or the last word of one of its classes or its id.
fn is_called_menu(doc: &Doc, id: NodeId) -> bool {
    let says_menu = |word: &str| {
        let last = word.rsplit(['-', '_']).next().unwrap_or(word);
        MENUS.iter().any(|menu| last.eq_ignore_ascii_case(menu))
    };
    let names = |name: LocalName| doc.attr(id, name).is_some_and(|value| value.split_ascii_whitespace().any(says_menu));
    match doc.name(id) {
        LocalName::NAV => true,
        LocalName::BODY | LocalName::MAIN | LocalName::ARTICLE => false,
        _ => doc.attr(id, LocalName::ROLE) == Some("navigation") || names(LocalName::CLASS) || names(LocalName::ID),
    }
}

/// Pairs of words of one class or id of a box about who wrote a text, and words of one that asks for money: data, not code.
const WRITERS: &[&str] = &["author", "authors", "autor", "auteur", "writer", "bio", "biography"];
const BOXES: &[&str] = &["box", "bio", "info", "about", "card", "biography", "description", "desc", "profile"];
const REQUESTS: &[&str] = &["donate", "donation", "donations"];

/// Whether a class or id of an element is that of such a box.
fn is_called_box(doc: &Doc, id: NodeId) -> bool {
    let is = |word: &str, list: &[&str]| list.iter().any(|of| word.eq_ignore_ascii_case(of));
    let is_box = |name: &str| {
        words(name).any(|word| is(word, REQUESTS))
            || words(name).any(|word| is(word, WRITERS))
                && words(name).any(|word| is(word, BOXES))
                && words(name).count() > 1
    };
    let names = [LocalName::CLASS, LocalName::ID].map(|name| doc.attr(id, name).unwrap_or_default());
    names.iter().flat_map(|value| value.split_ascii_whitespace()).any(is_box)
}

impl Sections<'_> {
    /// Kept headings in menus of which nothing else is kept, and right above them, or alone in a box with them: `Contents`.
    pub(super) fn headings_of_menus(&self, area: NodeId) -> Vec<usize> {
        const MAX_TITLE: u32 = 40;
        let is_heading = |row: usize| self.page.row_rank(&self.page.rows[row]) > 0;
        let mut headings = Vec::new();
        for (rows, around) in self.page.doc.subtree(area).filter_map(|id| self.boxed_menu(id)) {
            let kept = |row: &usize| self.decision.keep[*row];
            if !rows.is_empty() && rows.clone().filter(kept).all(is_heading) {
                // The title of the page may stand above a menu, and the text of a section behind one.
                let above = rows.start.checked_sub(1).filter(|&row| self.page.row_rank(&self.page.rows[row]) != 1);
                let is_title = |row: usize| {
                    let titled = &self.page.rows[row];
                    around == (row..rows.end) && titled.chars <= MAX_TITLE && !titled.is_link()
                };
                headings.extend(above.filter(|&row| is_title(row)));
                let above = above.filter(|&row| is_heading(row));
                let is_alone = self.kept_after[rows.end] >= self.heading_after[rows.end];
                let above = above.filter(|_| is_alone);
                headings.extend(rows.clone().filter(kept).chain(above));
            }
        }
        headings
    }

    /// The rows of a menu, and those of the box around it: its parent, or what folds it.
    fn boxed_menu(&self, id: NodeId) -> Option<(Range<usize>, Range<usize>)> {
        const LINKS: f32 = 0.75;
        let rows = |id: NodeId| self.facts.context.rows(self.page, id);
        match self.page.doc.name(id) {
            LocalName::NAV => Some((rows(id), rows(self.page.doc.parent(id)?))),
            LocalName::DETAILS => {
                let all = rows(id);
                let links = all.end.min(all.start + 1)..all.end;
                self.is_of_links(&links, LINKS).then_some((links, all))
            }
            _ => None,
        }
    }

    /// Rows of long boxes of links that are called menus or contents, on a page that says enough beside them, short ones of links to places
    /// of the page, and those that a script would fill. On lists and products long ones may be what the page is for. O(nodes).
    pub(super) fn menus(&self) -> Vec<usize> {
        const LEAST_CHARS: f32 = 200.0;
        /// Beside a menu with so many rows a few words are a text: it is that of a whole manual.
        const LONG_MENU: usize = 100;
        const LEAST_BESIDE_LONG: f32 = 20.0;
        let (page, doc) = (self.page, self.page.doc);
        let mut is_of_menu = vec![false; page.rows.len()];
        let mut at = 1;
        while at < doc.len() {
            let id = doc.id(at);
            at += 1;
            let rows = self.facts.context.rows(page, id);
            if rows.len() > 1 && self.is_menu(id, &rows) || self.is_empty_contents(id, &rows) {
                at = doc.end(id);
                is_of_menu[rows].fill(true);
            }
        }
        let is_beside = |row: &usize| self.decision.keep[*row] && !is_of_menu[*row];
        let said = (0..page.rows.len()).filter(is_beside).map(|row| &page.rows[row]);
        let n_chars: u32 = said.map(|row| row.chars - row.link_chars.min(row.chars)).sum();
        let is_long = is_of_menu.iter().filter(|is| **is).count() >= LONG_MENU;
        let says_enough = n_chars as f32 * self.facts.scale >= if is_long { LEAST_BESIDE_LONG } else { LEAST_CHARS };
        (0..page.rows.len()).filter(|&row| says_enough && is_of_menu[row]).collect()
    }

    /// Whether some rows are links in a box that is called a menu, or the few that lead to the pages before and behind.
    fn is_menu(&self, id: NodeId, rows: &Range<usize>) -> bool {
        const LEAST_ROWS: usize = 6;
        const LINKS: f32 = 0.75;
        const LONG: f32 = 100.0;
        /// As DocBook calls them.
        const PAGES: [&str; 2] = ["navheader", "navfooter"];
        let (page, doc) = (self.page, self.page.doc);
        let is_long = |row: &Row| (row.chars - row.link_chars.min(row.chars)) as f32 * self.facts.scale >= LONG;
        let is_title = |row: &Row| page.row_rank(row) == 1;
        let is_of_pages = doc.attr(id, LocalName::CLASS).is_some_and(|class| PAGES.contains(&class));
        is_of_pages && is_of_text(self.facts)
            || (rows.len() >= LEAST_ROWS && is_of_text(self.facts) || self.are_contents(rows))
                && is_called_menu(doc, id)
                && self.is_of_links(rows, LINKS)
                && !page.rows[rows.clone()].iter().any(|row| is_title(row) || is_long(row))
    }

    /// Whether a box is called contents and says no more: a script fills it.
    fn is_empty_contents(&self, id: NodeId, rows: &Range<usize>) -> bool {
        const MAX_CHARS: u32 = 40;
        let doc = self.page.doc;
        let is_called = || {
            let names = [LocalName::CLASS, LocalName::ID].into_iter().filter_map(|name| doc.attr(id, name));
            let mut names = names.flat_map(str::split_ascii_whitespace);
            names.any(|name| name == "toc" || name.ends_with("table-of-contents"))
        };
        rows.len() == 1
            && matches!(doc.name(id), LocalName::DIV | LocalName::NAV | LocalName::SECTION | LocalName::ASIDE)
            && self.page.rows[rows.start].chars <= MAX_CHARS
            && self.page.row_rank(&self.page.rows[rows.start]) != 1
            && is_called()
    }

    /// Whether all links of some rows lead to places of this page.
    fn are_contents(&self, rows: &Range<usize>) -> bool {
        const LEVELS: usize = 4;
        let doc = self.page.doc;
        let leads = |row: &Row| {
            let mut links = self.page.row_leaves(row).iter().filter(|leaf| leaf.in_link);
            links.all(|leaf| {
                let link = doc.ancestors(leaf.node).take(LEVELS).find(|&id| doc.name(id) == LocalName::A);
                link.and_then(|link| doc.attr(link, LocalName::HREF)).is_some_and(|href| href.starts_with('#'))
            })
        };
        self.page.rows[rows.clone()].iter().all(leads)
    }

    /// Unlikely rows of boxes of links that are called navigation, such as those below articles of an encyclopedia.
    pub(super) fn navigation(&self, area: NodeId) -> Vec<usize> {
        const UNLIKELY: f32 = 0.6;
        let doc = self.page.doc;
        let is_navigation = |id: &NodeId| doc.attr(*id, LocalName::ROLE) == Some("navigation");
        let boxes = doc.subtree(area).filter(is_navigation).map(|id| self.facts.context.rows(self.page, id));
        let mut rows: Vec<usize> = boxes.filter(|rows| self.is_of_links(rows, 0.5)).flatten().collect();
        rows.retain(|&row| self.decision.probabilities[row] < UNLIKELY);
        rows
    }

    /// The rows of other blocks of code beside one that is a mail: how to search the archive and how to answer.
    pub(super) fn beside_mail(&self) -> Vec<usize> {
        const MAX_BLOCKS: usize = 20;
        let blocks = self.page.verbatim().blocks();
        if blocks.len() > MAX_BLOCKS {
            return Vec::new();
        }
        let doc = self.page.doc;
        let is_pre = |id: NodeId| doc.name(id) == LocalName::PRE;
        let mails: Vec<NodeId> =
            blocks.iter().map(|block| block.node).filter(|&id| is_pre(id) && begins_mail(self.page, id)).collect();
        let Some(around) = mails.first().and_then(|&id| doc.parent(id)) else { return Vec::new() };
        let is_beside = |id: NodeId| {
            let is_near =
                doc.parent(id) == Some(around) || doc.parent(id).is_some_and(|form| doc.name(form) == LocalName::FORM);
            is_pre(id) && is_near && !mails.contains(&id)
        };
        let beside = blocks.iter().map(|block| block.node).filter(|&id| is_beside(id));
        beside.flat_map(|id| self.facts.context.rows(self.page, id)).collect()
    }

    /// Unlikely rows of a box in which an address is asked for, to send letters to it, and all rows of a small one that says no more than
    /// why.
    pub(super) fn signups(&self, area: NodeId) -> Vec<usize> {
        const LEVELS: usize = 6;
        const MAX_ROWS: usize = 6;
        const MAX_WORDS: f32 = 60.0;
        const UNLIKELY: f32 = 0.5;
        let doc = self.page.doc;
        let is_email =
            |id: &NodeId| doc.name(*id) == LocalName::INPUT && doc.attr(*id, LocalName::TYPE) == Some("email");
        let mut dropped = Vec::new();
        for field in doc.subtree(area).filter(is_email) {
            let around = doc.ancestors(field).take_while(|&id| id != area).take(LEVELS);
            let of = around.map(|id| (id, self.facts.context.rows(self.page, id)));
            let is_box = |rows: &Range<usize>| rows.len() <= MAX_ROWS && sum(&self.words, rows) <= MAX_WORDS;
            let boxes: Vec<(NodeId, Range<usize>)> = of.take_while(|(_, rows)| is_box(rows)).collect();
            let form = boxes.iter().position(|(id, _)| doc.name(*id) == LocalName::FORM);
            let own = form.and_then(|form| boxes[form..].iter().take(2).find(|(id, rows)| self.asks(*id, rows)));
            dropped.extend(own.into_iter().flat_map(|(_, rows)| rows.clone()));
            let unlikely = |row: &usize| self.decision.probabilities[*row] < UNLIKELY;
            dropped.extend(boxes.last().into_iter().flat_map(|(_, rows)| rows.clone()).filter(unlikely));
        }
        dropped
    }

    /// Whether a box says something beside a text that has far more words, and is none of its paragraphs.
    fn asks(&self, id: NodeId, rows: &Range<usize>) -> bool {
        const SHARE: f32 = 0.33;
        let all = 0..self.page.rows.len();
        let kept = sum(&self.kept, rows);
        let is_text = matches!(self.page.doc.name(id), LocalName::ARTICLE | LocalName::MAIN | LocalName::P);
        let is_titled = rows.clone().any(|row| self.page.row_rank(&self.page.rows[row]) == 1);
        !is_text && !is_titled && kept > 0.0 && kept <= SHARE * (sum(&self.kept, &all) - kept)
    }

    /// Quotes beside a text whose words stand in it as well, with who said them.
    pub(super) fn pulled_quotes(&self, area: NodeId) -> Vec<usize> {
        const MAX_ROWS: usize = 3;
        const MOST: usize = 40;
        let doc = self.page.doc;
        let is_quote = |id: &NodeId| {
            matches!(doc.name(*id), LocalName::BLOCKQUOTE | LocalName::ASIDE)
                || doc.is_element(*id) && is_named(doc, *id, &["pullquote", "pull"])
        };
        let quotes = doc.subtree(area).filter(is_quote).map(|id| self.facts.context.rows(self.page, id));
        let quotes = quotes.filter(|rows| (1..=MAX_ROWS).contains(&rows.len()));
        quotes.take(MOST).filter(|rows| self.is_said_elsewhere(rows)).flatten().collect()
    }

    /// What a box behind the text says of who wrote it: rows that begin with the name which leads to their page. O(nodes).
    pub(super) fn biographies(&self, area: NodeId) -> Vec<usize> {
        const LEVELS: usize = 3;
        const MAX_ROWS: usize = 10;
        let (page, doc) = (self.page, self.page.doc);
        let is_author = |id: &NodeId| {
            doc.name(*id) == LocalName::A
                && (doc.attr(*id, LocalName::REL) == Some("author")
                    || doc.attr(*id, LocalName::HREF).is_some_and(leads_to_writer))
        };
        let last = self.kept_before[page.rows.len()];
        let mut dropped = Vec::new();
        for link in doc.subtree(area).filter(is_author) {
            let own = self.facts.context.rows(page, link);
            let Some(name) = own.clone().next().map(|row| page.row_text(&page.rows[row])) else { continue };
            let first = name.split_whitespace().next().unwrap_or_default();
            let around = doc.ancestors(link).take(LEVELS).map(|id| self.facts.context.rows(page, id));
            let Some(around) = around.take_while(|rows| rows.len() <= MAX_ROWS).last() else { continue };
            let is_behind = around.end >= last && self.kept_before[own.start] > 0 && first.chars().count() > 1;
            let says = |&row: &usize| self.decision.keep[row] && page.row_text(&page.rows[row]).starts_with(first);
            if is_behind && name.chars().count() <= 60 {
                dropped.extend((own.end..around.end).filter(says));
            }
        }
        dropped
    }

    /// Small boxes that are called what they are: who wrote a text, a request for money. O(nodes).
    pub(super) fn called_boxes(&self, area: NodeId) -> Vec<usize> {
        const MAX_ROWS: usize = 12;
        const MAX_WORDS: f32 = 120.0;
        const SHARE: f32 = 0.25;
        let doc = self.page.doc;
        let all = sum(&self.kept, &(0..self.page.rows.len()));
        let mut dropped = Vec::new();
        let mut at = area.index() + 1;
        while at < doc.end(area) {
            let id = doc.id(at);
            at += 1;
            if !doc.is_element(id) || !is_called_box(doc, id) {
                continue;
            }
            let rows = self.facts.context.rows(self.page, id);
            let kept = sum(&self.kept, &rows);
            let is_small = rows.len() <= MAX_ROWS && sum(&self.words, &rows) <= MAX_WORDS && kept <= SHARE * all;
            let is_titled = || rows.clone().any(|row| self.page.row_rank(&self.page.rows[row]) == 1);
            if kept > 0.0 && is_small && !is_titled() {
                dropped.extend(rows);
                at = doc.end(id);
            }
        }
        dropped
    }

    /// Whether the words of the first of some rows are a part of another kept one.
    fn is_said_elsewhere(&self, rows: &Range<usize>) -> bool {
        const LEAST_CHARS: f32 = 30.0;
        let page = self.page;
        let row = &page.rows[rows.start];
        let words = page.row_text(row).trim_matches(|c: char| !c.is_alphanumeric());
        if (row.chars as f32) * self.facts.scale < LEAST_CHARS || page.verbatim().block_of(page, row).is_some() {
            return false;
        }
        let places = memmem::find_iter(page.text.as_bytes(), words)
            .map(|at| page.rows.partition_point(|row| row.end as usize <= at));
        let is_text = |at: usize| self.decision.keep[at] && page.rows[at].chars > row.chars + row.chars / 4;
        places.take(8).any(|at| !rows.contains(&at) && at < page.rows.len() && is_text(at))
    }

    /// What writers of a thread put below each of their posts, what says of itself that it is boilerplate, as editions of books have it,
    /// and what wikis put below each page of a group.
    pub(super) fn boilerplate(&self, area: NodeId) -> Vec<usize> {
        let names: &[&str] = match self.facts.types.best().0 {
            PageType::Forum => &["signature", "sig", "boilerplate", "navbox", "printfooter"],
            _ => &["boilerplate", "navbox", "printfooter"],
        };
        let doc = self.page.doc;
        // What a converter says of its own faults stands before the text.
        let alerts = doc
            .mentions("package-alerts")
            .then(|| doc.ids())
            .into_iter()
            .flatten()
            .filter(|&id| doc.attr(id, LocalName::CLASS).is_some_and(|class| class.contains("package-alerts")));
        let named = doc.subtree(area).filter(|&id| doc.is_element(id) && id != area && is_named(doc, id, names));
        named.chain(alerts).flat_map(|id| self.facts.context.rows(self.page, id)).collect()
    }

    /// Rows that number the formula beside them: `(1)` in a table of one.
    pub(super) fn equation_numbers(&self) -> Vec<usize> {
        let is_number = |row: &usize| {
            let text = self.page.row_text(&self.page.rows[*row]).trim();
            let number = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            number.is_some_and(|number| {
                number.len() <= 6
                    && number.bytes().any(|byte| byte.is_ascii_digit())
                    && number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
            })
        };
        let numbers = (0..self.page.rows.len()).filter(is_number);
        numbers.filter(|&row| self.is_beside_formula(row)).collect()
    }

    fn is_beside_formula(&self, row: usize) -> bool {
        let doc = self.page.doc;
        let is_formula = |near: &usize| {
            let leaves = self.page.row_leaves(&self.page.rows[*near]);
            leaves.iter().any(|leaf| doc.formula(leaf.node).is_some())
        };
        let block = self.page.rows[row].block;
        let line = doc.ancestors(block).take(3).find(|&id| doc.name(id) == LocalName::TR);
        // Journals have an element for each.
        let near = line.or_else(|| doc.parent(block)).map(|around| self.facts.context.rows(self.page, around));
        near.is_some_and(|mut rows| rows.len() <= 3 && rows.any(|near| near != row && is_formula(&near)))
    }

    /// Kept headings that are not sure and not of the first rank, below which nothing is kept up to the next of their rank or a higher one,
    /// though there is something.
    pub(super) fn lone_headings(&self) -> Vec<usize> {
        let keep = &self.decision.keep;
        let mut lone = Vec::new();
        let (mut had, mut has) = ([false; 7], [false; 7]);
        for (at, row) in self.page.rows.iter().enumerate().rev() {
            let rank = match self.page.row_rank(row) {
                0 => 7,
                rank => usize::from(rank),
            };
            let is_empty = keep[at] && had[rank.min(6)] && !has[rank.min(6)];
            let is_doubtful =
                || self.decision.probabilities[at] < LONE || is_heading_of_others(self.page.row_text(row));
            let is_lone = (2..7).contains(&rank) && is_empty && is_doubtful();
            if is_lone {
                lone.push(at);
            }
            let stays = keep[at] && !is_lone;
            for level in 0..7 {
                (had[level], has[level]) = if level >= rank { (false, false) } else { (true, has[level] || stays) };
            }
        }
        lone
    }
}
