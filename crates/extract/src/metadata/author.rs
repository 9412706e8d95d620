//! Who wrote a page: the sources of its author in their order.

use std::cell::LazyCell;
use std::ops::Range;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::Page;

use super::items::Items;
use super::json_ld::Facts;
use super::value::{SITE_KEYS, first_meta};
use super::{byline, credit};

const AUTHOR_KEYS: &[&str] = &[
    "author",
    "article:author",
    "og:article:author",
    "dc.creator",
    "dcterms.creator",
    "byl",
    "parsely-author",
    "sailthru.author",
    "citation_author",
];

/// Keys of libraries, which write `Last, First`.
const LAST_FIRST: &[&str] = &["citation_author", "dc.creator", "dcterms.creator"];
const MAX_METAS: usize = 20;

/// People that JSON-LD names, `meta`, microdata, named elements, the rows near the title, and only then organisations;
/// whoever is named like the site may be one, or the one person whose site it is.
pub(super) fn author(doc: &Doc, facts: &Facts, items: &Items, page: &Page<'_>, near: Range<usize>) -> Option<String> {
    let site = first_meta(doc, SITE_KEYS).or_else(|| facts.publisher.clone()).unwrap_or_default().to_lowercase();
    let is_person = |name: &String| name.to_lowercase() != site;
    let structured = byline::join(facts.authors.iter().map(String::as_str));
    let metas = LazyCell::new(|| {
        AUTHOR_KEYS.iter().map(|key| metas(doc, key)).find(|names| !names.is_empty()).unwrap_or_default()
    });
    let meta = || byline::join(metas.iter().map(String::as_str));
    let people = || byline::join(metas.iter().filter(|name| is_person(name)).map(String::as_str));
    let of_page = |id: &&NodeId| !is_comment(doc, **id);
    let item = || items.authors.first().and_then(|&id| byline::of_item(doc, id));
    let bylines = || items.bylines.iter().filter(of_page);
    let named = || bylines().find_map(|&id| byline::of_byline(doc, id)).filter(is_person);
    let text = || credit::in_rows(page, near.clone());
    let organisation = || byline::join(facts.organisations.iter().chain(&facts.authors).map(String::as_str));
    let declared = structured.filter(is_person).or_else(people);
    let shown = || item().filter(is_person).or_else(named).or_else(text);
    // Some declare the site, an account or an editorial office where a byline has the writer.
    let writer = || shown().filter(|name| credit::is_proper(name));
    let declared = match declared {
        Some(name) if name.contains([' ', '.']) && !credit::is_proper(&name) => writer().or(Some(name)),
        declared => declared,
    };
    let found = declared.or_else(shown).or_else(organisation).or_else(meta).or_else(item);
    // The site wrote none of its pages, but a person may have a site of that name.
    found.filter(|name| is_person(name) || credit::is_proper(name) && !is_organisation(name))
}

/// Words of the names of sites and firms that are in no person's.
#[rustfmt::skip]
const ORGANISATIONS: &[&str] = &[
    "news", "daily", "times", "post", "mail", "media", "team", "magazine", "blog", "journal", "press", "network", "tv",
    "radio", "inc", "ltd", "llc", "gmbh", "university", "institute", "online", "digital", "today", "weekly", "review",
    "guide", "studio", "studios", "labs", "group", "club", "association", "company", "official", "desk", "office", "the",
    "world", "center", "centre", "foundation", "society", "community", "forum", "shop", "store", "herald", "tribune",
    "gazette", "observer", "chronicle", "zeitung", "nachrichten", "redaktion", "presse",
];

fn is_organisation(name: &str) -> bool {
    name.split(' ').any(|word| ORGANISATIONS.iter().any(|other| word.eq_ignore_ascii_case(other)))
}

/// The names in all `meta` elements with a key: pages with several authors repeat it.
fn metas(doc: &Doc, key: &str) -> Vec<String> {
    let contents = doc.metas().filter(|meta| meta.key.eq_ignore_ascii_case(key)).map(|meta| meta.content);
    let names = contents.take(MAX_METAS).filter_map(byline::name).enumerate();
    // `Image: Jane Doe` behind the name of another is whom a picture is from.
    let names = names.filter(|(at, name)| *at == 0 || !name.contains(':')).map(|(_, name)| name);
    match LAST_FIRST.contains(&key) {
        true => names.map(|name| byline::first_last(&name).unwrap_or(name)).collect(),
        false => names.collect(),
    }
}

/// Beginnings of the classes and ids of elements that hold comments or the form for one, in several languages.
const COMMENTS: &[&str] = &[
    "comment",
    "respond",
    "reply",
    "replies",
    "disqus",
    "kommentar",
    "commentaire",
    "comentario",
    "commenti",
    "reactie",
    "reacties",
    "yorum",
    "pinglun",
    "kommentti",
    "komentarz",
    "komentar",
];
/// Elements around a byline that are looked at.
const MAX_AROUND: usize = 12;

/// Whether an element stands in a form, in a label, or among comments. A page's own elements (`body`, `main`,
/// `article`) often say in a class that comments are open.
pub(super) fn is_comment(doc: &Doc, id: NodeId) -> bool {
    let own = [Name::BODY, Name::HTML, Name::MAIN, Name::ARTICLE];
    let mut around = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND).filter(|&id| doc.is_element(id));
    around.any(|id| {
        let name = doc.name(id);
        matches!(name, Name::FORM | Name::LABEL | Name::FIELDSET)
            || !own.contains(&name) && [Name::CLASS, Name::ID].iter().any(|&at| holds_comments(doc.attr(id, at)))
    })
}

fn holds_comments(value: Option<&str>) -> bool {
    let value = value.filter(|value| value.len() <= 200).unwrap_or("");
    value.split_ascii_whitespace().any(|word| {
        let word = word.trim_start_matches("post-").as_bytes();
        let begins =
            |name: &&str| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
        COMMENTS.iter().any(begins)
    })
}
