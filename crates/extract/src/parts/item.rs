//! Entries of listings and collections.

use std::collections::HashSet;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, Selection, is_heading};
use url::Url;

use super::group::{SiblingGroup, joined, rows};
use super::signature::Signatures;
use super::types::ListEntry;

/// Fewer are no listing.
const LEAST_ITEMS: usize = 3;
const MAX_ITEMS: usize = 1_000;
/// Links of an entry that are looked at.
const MAX_LINKS: usize = 40;
/// Longer titles are texts.
const MAX_TITLE_CHARS: usize = 300;

/// The members, each with a title, of the group that holds most of what the method kept; nothing when that is less than
/// a quarter of it.
pub(super) fn items(
    page: &Page<'_>,
    selection: &Selection,
    signatures: &Signatures,
    groups: &[SiblingGroup],
    url: Option<&str>,
) -> Vec<ListEntry> {
    // Characters kept up to each leaf, so that a group costs its members only.
    let mut kept = vec![0u64];
    for (at, leaf) in page.leaves.iter().enumerate() {
        let chars = if selection.keeps(at) { u64::from(leaf.chars) } else { 0 };
        kept.push(kept[at] + chars);
    }
    let of = |id: NodeId| {
        let within = page.leaves_in(id.index()..page.doc.end(id));
        kept[within.end] - kept[within.start]
    };
    let joined = joined(page, signatures, groups);
    let mut listings: Vec<(u64, &SiblingGroup)> = Vec::new();
    for group in groups.iter().chain(&joined).filter(|group| group.members.len() >= LEAST_ITEMS) {
        let members: Vec<u64> = group.members.iter().map(|&id| of(id)).collect();
        let with_text = members.iter().filter(|&&chars| chars > 0).count();
        let sum: u64 = members.iter().sum();
        // Most of it in one member: a column, not a listing.
        let even = members.iter().max().is_some_and(|most| most * 2 <= sum);
        if with_text >= LEAST_ITEMS && even && titled(page, group) {
            listings.push((sum, group));
        }
    }
    let all = kept.last().copied().unwrap_or(0);
    let base = url.and_then(|url| Url::parse(url).ok());
    let Some(group) = finest(page, &listings, all) else { return Vec::new() };
    let mut items: Vec<ListEntry> =
        group.members.iter().take(MAX_ITEMS).filter_map(|&id| item(page, id, base.as_ref())).collect();
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert((item.title.clone(), item.link.clone(), item.text.clone())));
    items
}

/// The group that holds most, at least a quarter of what was kept; or one within it that holds nearly as much in several
/// times as many members: the entries of its sections.
fn finest<'g>(page: &Page<'_>, listings: &[(u64, &'g SiblingGroup)], all: u64) -> Option<&'g SiblingGroup> {
    const TIMES: usize = 3;
    let (most, best) = listings.iter().rev().max_by_key(|(sum, _)| *sum).filter(|(sum, _)| sum * 4 >= all)?;
    let within = |group: &SiblingGroup| {
        let first = group.members.first().copied();
        first.is_some_and(|id| best.members.iter().any(|&member| member != id && page.doc.contains(member, id)))
    };
    let finer = listings.iter().filter(|(sum, group)| {
        *sum * 4 >= most * 3 && group.members.len() >= TIMES * best.members.len() && within(group)
    });
    Some(finer.max_by_key(|(sum, _)| *sum).map_or(best, |(_, group)| group))
}

/// Whether most of the first members have a title that is a heading or a link.
fn titled(page: &Page<'_>, group: &SiblingGroup) -> bool {
    let sample = group.members.iter().take(8);
    let n = sample.len();
    sample.filter(|&&id| title(page, id).is_some()).count() * 2 > n
}

struct Title {
    text: String,
    row: Option<usize>,
    link: Option<NodeId>,
}

/// The first heading, else the longest link, one that stands twice before others. O(nodes of the member).
fn title(page: &Page<'_>, member: NodeId) -> Option<Title> {
    const MAX_NODES: usize = 600;
    let doc = page.doc;
    let nodes = || doc.subtree(member).take(MAX_NODES);
    // Buttons lead nowhere.
    let leads_on = |href: &str| !href.starts_with('#') && !href.ends_with('#') && !href.starts_with("javascript:");
    let links = || {
        nodes().filter(|&id| {
            doc.name(id) == LocalName::A && doc.attr(id, LocalName::HREF).is_some_and(|href| leads_on(href.trim()))
        })
    };
    let text = |id: NodeId| gristmill_page::text_of(doc, id);
    let fits = |text: &String| text.chars().any(char::is_alphabetic) && text.chars().count() <= MAX_TITLE_CHARS;
    let row_of = |id: NodeId| Some(rows(page, id)).filter(|rows| !rows.is_empty()).map(|rows| rows.start);
    let heading = nodes().filter(|&id| is_heading(doc.name(id))).find(|&id| fits(&text(id)));
    if let Some(heading) = heading {
        let inside = links().find(|&link| doc.contains(heading, link));
        let around = doc.ancestors(heading).take(8).find(|&id| doc.name(id) == LocalName::A);
        let link = inside.or(around).or_else(|| links().next());
        return Some(Title { text: text(heading), row: row_of(heading), link });
    }
    // An image and its title lead to the same place; votes, tags and authors elsewhere.
    let leads = |id: NodeId| doc.attr(id, LocalName::HREF).unwrap_or("");
    let twice = |id: NodeId| links().take(MAX_LINKS).filter(|&other| leads(other) == leads(id)).count() > 1;
    let key = |id: &NodeId| {
        let chars = page.elements().below(*id).chars;
        (chars > 0 && twice(*id), chars, std::cmp::Reverse(id.index()))
    };
    let longest = links().take(MAX_LINKS).max_by_key(key)?;
    let text = Some(text(longest)).filter(fits)?;
    Some(Title { text, row: row_of(longest), link: Some(longest) })
}

fn item(page: &Page<'_>, member: NodeId, base: Option<&Url>) -> Option<ListEntry> {
    let title = title(page, member)?;
    let rows = rows(page, member).filter(|row| Some(*row) != title.row);
    let lines: Vec<&str> = rows.map(|row| page.row_text(&page.rows[row])).filter(|line| *line != title.text).collect();
    let href = title.link.and_then(|link| page.doc.attr(link, LocalName::HREF));
    let link = href.and_then(|href| crate::metadata::resolve(base, href.trim()));
    Some(ListEntry { title: title.text, link, text: lines.join("\n") })
}
