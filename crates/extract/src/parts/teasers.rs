//! Entries of other pages out of the text of an article: the next stories, other events of a calendar, other videos of a carousel.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, PageType, PageTypes, Selection, attribute_words::is_named};
use url::Url;

use super::class_words;
use super::comments::{chars, outermost, without_lone_headings};
use super::group::{SiblingGroup, groups, rows};
use super::read::is_date;
use super::signature::Signatures;
use crate::metadata::date_of;
use crate::related::is_related;

/// Fewest entries that are others.
const LEAST_OTHERS: usize = 2;
/// Probability of a listing from which a page may be one.
const MAY_BE_LISTING: f32 = 0.25;
/// Characters that must be left.
const LEAST_REST: u32 = 100;
/// Rows of an entry among which its heading stands.
const MAX_ROWS: usize = 20;
/// Elements of an entry that are looked at.
const MAX_ELEMENTS: usize = 60;
/// Elements around a group whose class may say that it is a carousel.
const MAX_AROUND: usize = 4;

/// The selection of an article without entries that have titles and pages of their own.
///
/// Of siblings alike those are others whose first heading leads to another page of the site, if the title of the page is the heading
/// of one of them, if each has a date, or if they stand in a carousel, and on any page if a heading above says so: `Related`. Below such a
/// heading of an article a link is title enough. A page that
/// would have next to no other text keeps all, and so does one that may be a listing. O(nodes) where headings lead elsewhere.
pub(crate) fn without_others(
    page: &Page<'_>,
    selection: Selection,
    types: &PageTypes,
    title: Option<&str>,
    url: Option<&str>,
) -> Selection {
    let listing = types.of_type(PageType::Listing) + types.of_type(PageType::Collection);
    if !has_entries(page, &selection) {
        return selection;
    }
    let is_article = types.best().0 == PageType::Article && listing <= MAY_BE_LISTING;
    let own = url.and_then(|url| Url::parse(url).ok());
    let title = title_row(page, title);
    let mut dropped: Vec<NodeId> = Vec::new();
    for group in groups(page, &Signatures::new(page)) {
        let is_related = is_below_related(page, &group);
        let holds_title = |id: NodeId| title.is_some_and(|title| page.doc.contains(id, page.rows[title].block));
        let titled = group.members.iter().filter(|&&id| holds_title(id)).count();
        let others: Vec<NodeId> = group
            .members
            .iter()
            .copied()
            .filter(|&id| !holds_title(id) && leads_elsewhere(page, id, is_article && is_related, own.as_ref()))
            .collect();
        let all = others.len() + titled == group.members.len() && others.len() >= LEAST_OTHERS;
        let are_others = || titled == 1 || is_carousel(page, &group) || others.iter().all(|&id| has_date(page, id));
        if all && (is_article && are_others() || titled == 0 && is_related) {
            dropped.extend(others);
        }
    }
    if dropped.is_empty() {
        return selection;
    }
    let rest = without_lone_headings(page, &selection, selection.clone().without(page, &outermost(page, dropped)));
    if chars(page, &rest) < LEAST_REST { selection } else { rest }
}

/// Whether text is kept below several headings that are links, or below one of other pages.
fn has_entries(page: &Page<'_>, selection: &Selection) -> bool {
    let (mut entries, mut is_entry) = (0, false);
    for row in &page.rows {
        if is_related(page, row) && selection.keeps(row.first_leaf as usize) {
            return true;
        }
        if row.in_heading {
            is_entry = row.is_link();
        } else if is_entry && selection.keeps(row.first_leaf as usize) {
            (entries, is_entry) = (entries + 1, false);
        }
    }
    entries >= LEAST_OTHERS
}

/// The first heading that is the title.
fn title_row(page: &Page<'_>, title: Option<&str>) -> Option<usize> {
    let title = title?.trim();
    let mut headings = page.rows.iter().enumerate().filter(|(_, row)| row.in_heading);
    headings.find(|(_, row)| page.row_text(row).trim().eq_ignore_ascii_case(title)).map(|(at, _)| at)
}

/// Whether the first heading of an entry, or its first row, is a link to another page of the site, or stands in one.
fn leads_elsewhere(page: &Page<'_>, id: NodeId, any_row: bool, own: Option<&Url>) -> bool {
    let doc = page.doc;
    let mut first = page.rows[rows(page, id)].iter().take(MAX_ROWS);
    let Some(heading) = first.find(|row| row.in_heading || any_row).filter(|row| row.is_link()) else {
        return false;
    };
    let leaf = page.row_leaves(heading).iter().find(|leaf| leaf.in_link);
    let link = leaf.and_then(|leaf| doc.ancestors(leaf.node).find(|&id| doc.name(id) == LocalName::A));
    let Some(href) =
        link.and_then(|link| doc.attr(link, LocalName::HREF)).map(str::trim).filter(|href| !href.starts_with('#'))
    else {
        return false;
    };
    match own {
        None => !href.is_empty() && !href.contains("//"),
        Some(own) => own.join(href).is_ok_and(|target| target.host() == own.host() && target.path() != own.path()),
    }
}

/// Whether the heading above a group says that its entries are others.
fn is_below_related(page: &Page<'_>, group: &SiblingGroup) -> bool {
    let above = group.members.first().and_then(|&id| rows(page, id).start.checked_sub(1));
    above.is_some_and(|above| is_related(page, &page.rows[above]))
}

fn has_date(page: &Page<'_>, id: NodeId) -> bool {
    let doc = page.doc;
    doc.subtree(id).take(MAX_ELEMENTS).any(|id| doc.is_element(id) && is_date(doc, id) && date_of(doc, id).is_some())
}

fn is_carousel(page: &Page<'_>, group: &SiblingGroup) -> bool {
    let doc = page.doc;
    let around =
        doc.ancestors(group.parent).take(MAX_AROUND).chain([group.parent]).chain(group.members.first().copied());
    around.into_iter().any(|id| doc.is_element(id) && is_named(doc, id, class_words::CAROUSEL))
}
