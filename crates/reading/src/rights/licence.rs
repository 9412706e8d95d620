//! The licence of a page's text: links of the relation `license`, declared items, `meta` elements, marks in the footer.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::Page;
use gristmill_text::{PhraseMatcher, collapse};
use url::Url;

use crate::rights::{MAX_BYTES, address};

/// Items whose licence is not that of the text beside them.
const NO_TEXTS: [&str; 7] =
    ["ImageObject", "VideoObject", "AudioObject", "MediaObject", "Photograph", "SoftwareApplication", "Dataset"];

/// `meta` elements that tell the licence, if they hold an address of Creative Commons or nothing but an address.
const KEYS: [&str; 5] = ["dcterms.license", "dc.rights.license", "dc.rights", "dcterms.rights", "rights"];

/// The licence, and its address: of the first source that has one.
///
/// A picture's licence is not the page's, so links in figures do not count, and a mark without the relation counts in a footer
/// only, and only if it is the only one there.
pub(crate) fn licence(page: &Page<'_>, base: Option<&Url>) -> (Option<String>, Option<String>) {
    let doc = page.doc;
    let found = linked(doc)
        .or_else(|| declared(page))
        .or_else(|| KEYS.iter().filter_map(|key| doc.meta(key)).find_map(first_address))
        .or_else(|| marked(doc));
    let Some(said) = found else { return (None, None) };
    if !looks_like_address(&said) {
        let name = collapse(&said);
        return ((!name.is_empty() && name.len() <= MAX_BYTES).then_some(name), None);
    }
    let url = address(base, &said);
    (url.as_ref().map(|url| creative_commons(url).unwrap_or_else(|| url.clone())), url)
}

/// A link of the relation `license`: of the head, else of the text.
fn linked(doc: &Doc) -> Option<String> {
    let of_head = doc.links().find(|link| link.has_rel("license") && !link.href.is_empty()).map(|link| link.href);
    let href = of_head.or_else(|| {
        let is_licence = |rel: &str| rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("license"));
        let mut links = links(doc).filter(|(id, _)| doc.attr(*id, LocalName::REL).is_some_and(is_licence));
        links.find(|(id, _)| !in_figure(doc, *id)).map(|(_, href)| href)
    });
    href.map(str::to_owned)
}

/// The property `license` of an item that is a text.
fn declared(page: &Page<'_>) -> Option<String> {
    for items in [&page.json_ld().items, &page.embedded().items] {
        for item in items.items.iter().filter(|item| !NO_TEXTS.iter().any(|kind| item.is(kind))) {
            for content in item.all("license") {
                let inner = items.get(content).and_then(|inner| inner.text("url").or(inner.text("name")));
                if let Some(said) = content.as_text().or(inner) {
                    return Some(said.to_owned());
                }
            }
        }
    }
    None
}

/// The one licence of Creative Commons that footers link to.
fn marked(doc: &Doc) -> Option<String> {
    let mut only: Option<(&str, String)> = None;
    for (id, href) in links(doc) {
        let Some(name) = creative_commons(href).filter(|_| in_footer(doc, id)) else { continue };
        match &only {
            Some((_, known)) if *known != name => return None,
            Some(_) => {}
            None => only = Some((href, name)),
        }
    }
    only.map(|(href, _)| href.to_owned())
}

fn links(doc: &Doc) -> impl Iterator<Item = (NodeId, &str)> {
    doc.ids().filter(|&id| doc.name(id) == LocalName::A).filter_map(|id| Some((id, doc.attr(id, LocalName::HREF)?)))
}

fn in_figure(doc: &Doc, id: NodeId) -> bool {
    doc.ancestors(id).any(|above| matches!(doc.name(above), LocalName::FIGURE | LocalName::FIGCAPTION))
}

fn in_footer(doc: &Doc, id: NodeId) -> bool {
    let is_named = |above| {
        let names = [LocalName::CLASS, LocalName::ID].into_iter().filter_map(move |name| doc.attr(above, name));
        names.into_iter().any(|names| {
            let names = names.to_ascii_lowercase();
            ["footer", "copyright", "license", "licence"].iter().any(|word| names.contains(word))
        })
    };
    let is_page = |above| matches!(doc.name(above), LocalName::BODY | LocalName::HTML);
    !in_figure(doc, id)
        && std::iter::once(id)
            .chain(doc.ancestors(id))
            .any(|above| doc.name(above) == LocalName::FOOTER || !is_page(above) && is_named(above))
}

fn looks_like_address(said: &str) -> bool {
    let said = said.trim();
    said.contains('/') && !said.contains(char::is_whitespace) || said.starts_with("http")
}

fn first_address(content: &str) -> Option<String> {
    let mut words = content.split_whitespace().map(|word| word.trim_end_matches([',', '.', ';', ')']));
    let only = words.clone().count() == 1;
    words.find(|word| word.starts_with("http") && (only || creative_commons(word).is_some())).map(str::to_owned)
}

/// The short name of a licence of Creative Commons by its address, in lower case: `cc-by-nc-sa-3.0-de`, `cc0-1.0`,
/// `cc-pdm-1.0` for the public domain mark. `None` for other addresses.
pub fn creative_commons(address: &str) -> Option<String> {
    // A glance that nearly all other addresses fail, for every link of a page is asked.
    static HOST: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(&["creativecommons.org"]));
    if !HOST.is_in(address) {
        return None;
    }
    let address = address.trim().split(['?', '#']).next()?.to_ascii_lowercase();
    // Archives of the web put their own address in front.
    let (host, path) = address.rsplit_once("//").map_or(&*address, |(_, rest)| rest).split_once('/')?;
    if !matches!(host, "creativecommons.org" | "www.creativecommons.org") {
        return None;
    }
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let (group, kind) = (parts.next()?, parts.next()?);
    let version = parts.next().filter(|version| version.starts_with(|c: char| c.is_ascii_digit()));
    let is_version =
        |version: &&str| version.len() <= 4 && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let kind = match (group, kind) {
        ("publicdomain", "zero") => "cc0".to_owned(),
        ("publicdomain", "mark") => "cc-pdm".to_owned(),
        ("licenses", "publicdomain") => "cc-pd".to_owned(),
        ("licenses", kind) => {
            let known = ["by", "nc", "nd", "sa", "sampling", "devnc", "devnations"];
            let is_kind = kind.trim_end_matches('+').split('-').all(|part| known.contains(&part));
            is_kind.then(|| format!("cc-{kind}"))?
        }
        _ => return None,
    };
    let country = parts.next().filter(|country| country.len() == 2 && country.bytes().all(|b| b.is_ascii_lowercase()));
    let parts = [Some(kind.as_str()), version.filter(is_version), country.filter(|_| group == "licenses")];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("-"))
}
