//! Elements that are called the author or the byline.

use std::borrow::Cow;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::text_of;
use gristmill_text::{collapse, is_cjk};

use super::line::{in_byline, is_label, parts, whole};
use super::name::{is_caseless, is_personal, is_proper, is_source, join, name, people, without_lead};
use super::words::{NameRole, behind, is};
use crate::metadata::date::{DATE_SIGN, is_date_label, without_dates};

/// Nodes of an element that are looked at.
const MAX_NODES: usize = 60;
/// Longest name of an account.
const MAX_ACCOUNT: usize = 40;

/// The name in an element that microdata or `rel` calls the author: its `itemprop=name`, its first link, or its text.
pub(super) fn of_item(doc: &Doc, id: NodeId) -> Option<String> {
    let content = |id: NodeId| doc.attr(id, LocalName::CONTENT);
    let inner = || doc.subtree(id).skip(1).take(MAX_NODES);
    let by_name = || {
        let is_name = |value: &str| value.eq_ignore_ascii_case("name");
        let named = inner().find(|&id| doc.attr(id, LocalName::ITEMPROP).is_some_and(is_name))?;
        name(&content(named).map_or_else(|| text_of(doc, named), str::to_owned))
    };
    let by_link = || inner().filter(|&id| doc.name(id) == LocalName::A).find_map(|id| name(&text_of(doc, id)));
    content(id).and_then(name).or_else(by_name).or_else(|| of_byline(doc, id)).or_else(by_link)
}

/// The name in an element that is named as a byline: behind words that say so, in the first of its parts, or all that it says.
pub(super) fn of_byline(doc: &Doc, id: NodeId) -> Option<String> {
    let text = without_raised(doc, id).unwrap_or_else(|| text_of(doc, id));
    let undated = without_dates(&text);
    let text = without_particle(doc, &undated);
    let first = || first_text(doc, id).filter(|first| first.len() < text.len()).and_then(|first| name(&first));
    let line = || first_line(doc, id).and_then(|line| in_byline(&without_dates(&line)));
    let is_dated = matches!(undated, Cow::Owned(_));
    account(doc, id)
        .or_else(|| listed(doc, id))
        .or_else(|| below_label(doc, id))
        .or_else(|| slashed(text))
        .or_else(first)
        .or_else(line)
        .or_else(|| in_byline(text))
        .or_else(|| first_part(text).filter(|name| !is_dated || is_beside_date(name, text)))
        .or_else(|| handle(doc, id))
}

/// The text of an element without the raised numbers and letters that lead to where each of several writers works.
fn without_raised(doc: &Doc, id: NodeId) -> Option<String> {
    let raised: Vec<NodeId> = doc.subtree(id).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::SUP).collect();
    let is_mark = |sup: &NodeId| text_of(doc, *sup).chars().filter(|c| c.is_alphanumeric()).count() <= 3;
    if raised.is_empty() || !raised.iter().all(is_mark) {
        return None;
    }
    let is_own = |node: &NodeId| doc.is_text(*node) && !raised.iter().any(|&sup| doc.contains(sup, *node));
    let texts = doc.subtree(id).take(MAX_NODES).filter(is_own).map(|node| doc.text(node));
    Some(collapse(&texts.collect::<String>()).replace(" ,", ","))
}

/// `De Ion Popescu` on a page in Romanian, where `De` is no part of a name.
fn without_particle<'t>(doc: &Doc, text: &'t str) -> &'t str {
    behind_particle(doc, text).unwrap_or(text)
}

/// The whole name behind a word for by that has other meanings in other languages than that of the page.
pub(super) fn behind_particle<'t>(doc: &Doc, text: &'t str) -> Option<&'t str> {
    const PARTICLES: [(&str, &str); 7] =
        [("ro", "de"), ("sw", "na"), ("bg", "от"), ("mk", "од"), ("ga", "le"), ("tl", "ni"), ("cy", "gan")];
    let lang = doc.lang()?;
    let (_, particle) = PARTICLES.iter().find(|(own, _)| lang.starts_with(own))?;
    behind(text, particle)?.strip_prefix(' ').filter(|rest| is_proper(rest))
}

/// Whether what is left of a dated byline names somebody: a whole name, or before the date an account; words for a day or a time do not.
fn is_beside_date(name: &str, text: &str) -> bool {
    const LEAST_CHARS: usize = 3;
    let is_short = || (2..=10).contains(&name.chars().count()) && name.chars().all(is_cjk);
    let is_word = || {
        let lower = name.to_lowercase();
        [NameRole::Particle, NameRole::By, NameRole::Ends, NameRole::Preposition].iter().any(|&role| is(&lower, role))
    };
    let is_account = || {
        let is_one = !name.contains(' ') && name.chars().count() >= LEAST_CHARS;
        let is_first = text.find(name).zip(text.find(DATE_SIGN)).is_some_and(|(name, date)| name < date);
        is_one && is_first && !is_word()
    };
    let is_whole = is_proper(name) || is_caseless(name) || name.contains(", ") || is_short();
    (is_whole || is_account()) && !is_date_label(name)
}

/// The names in an element that lists several: each in an item of a list, or in a link to a page beside those of the others.
fn listed(doc: &Doc, id: NodeId) -> Option<String> {
    const MAX_PEOPLE: usize = 8;
    let texts = |tag: LocalName| {
        let of_tag = doc.subtree(id).skip(1).take(MAX_NODES).filter(move |&id| doc.name(id) == tag);
        let of_tag: Vec<NodeId> = of_tag.take(MAX_PEOPLE).collect();
        let folder =
            |id: &NodeId| doc.attr(*id, LocalName::HREF).and_then(|href| href.rsplit_once('/')).map(|(to, _)| to);
        let beside = of_tag.iter().map(folder).collect::<Vec<_>>().windows(2).all(|two| two[0] == two[1]);
        let names: Option<Vec<String>> =
            of_tag.iter().map(|&id| people(&text_of(doc, id)).filter(|one| is_person(one))).collect();
        names.filter(|names| names.len() > 1 && beside)
    };
    let names = texts(LocalName::LI).or_else(|| texts(LocalName::A))?;
    join(&names)
}

/// Whole names with strokes between them: `Jane Doe / Bo Wu | Mill Post`.
fn slashed(text: &str) -> Option<String> {
    let names: Vec<&str> = text.split(['|', '·', '•']).next()?.split(" / ").map(str::trim).collect();
    (names.len() > 1 && names.iter().all(|name| is_person(name))).then(|| names.join(", "))
}

/// Whether it is the whole name of one person.
fn is_person(name: &str) -> bool {
    is_personal(name) && !name.contains(',') && name.split(' ').count() <= 4
}

/// What stands before the first line break in an element.
fn first_line(doc: &Doc, id: NodeId) -> Option<String> {
    let mut line = String::new();
    for id in doc.subtree(id).take(MAX_NODES) {
        match doc.name(id) {
            LocalName::TEXT => line.push_str(doc.text(id)),
            LocalName::BR if !line.trim().is_empty() => return Some(collapse(&line)),
            _ => {}
        }
    }
    None
}

/// The account of a forum that a link within an element is called.
fn account(doc: &Doc, id: NodeId) -> Option<String> {
    let is_called =
        |class: &str| class.starts_with("username") || class.split_ascii_whitespace().next() == Some("user");
    let is_account = |id: &NodeId| doc.attr(*id, LocalName::CLASS).is_some_and(is_called);
    let mut links = doc.subtree(id).skip(1).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::A);
    let who = links.find(is_account).map(|link| text_of(doc, link))?;
    let is_one = (1..=MAX_ACCOUNT).contains(&who.chars().count()) && who.contains(char::is_alphanumeric);
    (is_one && !is(&who.to_lowercase(), NameRole::Nobody)).then_some(who)
}

/// The account that the only link of an element leads to, beside one to the post: `Post by mueller_92 » 3 Feb`.
fn handle(doc: &Doc, id: NodeId) -> Option<String> {
    let links = doc.subtree(id).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::A);
    let texts = links.map(|link| text_of(doc, link));
    let mut texts = texts.filter(|text| !text.is_empty() && !is(&text.to_lowercase(), NameRole::Nobody));
    let text = texts.next().filter(|_| texts.next().is_none())?;
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (!text.contains(char::is_whitespace) && letters >= 3).then(|| name(&text)).flatten()
}

/// The name that the text of a byline is, or its first part.
fn first_part(text: &str) -> Option<String> {
    let part = parts(text).find(|part| !is_source(part))?;
    // `(hm/dpa)`
    let are_initials = text.starts_with('(') && text.ends_with(')') && !text.contains(char::is_uppercase);
    if are_initials || part.eq_ignore_ascii_case("by") {
        return None;
    }
    let most = if part.len() < text.len() { 4 } else { 5 };
    let digits = text.chars().any(|c| c.is_ascii_digit());
    // Two names are as many words as two.
    let one =
        part.split([',', '&']).flat_map(|part| part.split(" and ")).map(|name| name.split_whitespace().count()).max();
    let is_handle = !part.contains(char::is_whitespace)
        && text == part
        && part.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && part.starts_with(char::is_alphabetic);
    (one.unwrap_or(0) <= most && part.split(' ').count() <= 3 * most && (!digits || is_handle))
        .then(|| people(part))
        .flatten()
}

/// The only text below a label in the same element: `<section id=author><h2>AUTHOR</h2><p>Jane Doe</p>`.
fn below_label(doc: &Doc, id: NodeId) -> Option<String> {
    let texts = doc.subtree(id).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::TEXT);
    let mut texts = texts.map(|id| collapse(doc.text(id))).filter(|text| text.contains(char::is_alphabetic));
    let (label, who) = (texts.next()?, texts.next()?);
    (is_label(&label) && texts.next().is_none()).then(|| whole(&who)).flatten()
}

/// What the first text in an element says, when it is a whole name and another text of several words follows, which
/// says what that person is.
fn first_text(doc: &Doc, id: NodeId) -> Option<String> {
    let texts = doc.subtree(id).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::TEXT);
    let texts = texts.map(|id| collapse(doc.text(id))).filter(|text| !text.is_empty());
    let mut texts = texts.skip_while(|text| is_label(text));
    let (first, next) = (texts.next()?, texts.next()?);
    let who = without_lead(&first).unwrap_or(&first);
    let words = || who.split(' ');
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = (2..=4).contains(&words().count()) && words().all(capital) && !who.contains([':', ',', '.']);
    let is_role = next.starts_with(char::is_uppercase) && (next.contains(' ') || is(&next.to_lowercase(), NameRole::Position))
            // How much that person wrote.
            || next.starts_with(|c: char| c.is_ascii_digit()) && next.contains(char::is_alphabetic);
    (is_name && is_role).then(|| who.to_owned())
}
