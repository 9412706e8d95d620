//! What a file of addresses is, by its first element, and where that begins.

/// A file of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// A url set or an index of sitemaps.
    Sitemap,
    /// RSS, RDF, Atom, one entry of it, or JSON Feed.
    Feed,
}

/// Where the first element is looked for at most: warnings of scripts stand before it.
const HEAD_BYTES: usize = 64 << 10;

/// What such warnings are written in.
const OF_WARNINGS: [&str; 8] = ["br", "b", "i", "em", "strong", "font", "pre", "p"];

impl Listing {
    /// Whether `text` is a sitemap or a feed, which nobody may have called one: its first element decides. O(what stands before it).
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        if is_json_feed(text) {
            return Some(Self::Feed);
        }
        listing_of(prolog_end(text)?)
    }
}

/// The text of a listing from its first element on, if there is one that only listings have, else all of it: what scripts print before
/// is no part of the file.
pub(crate) fn from_root(text: &str) -> &str {
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    for (start, _) in head.match_indices('<') {
        let rest = &head[start..];
        if listing_of(rest).is_some() {
            return &text[start..];
        }
        let name = name_of(rest[1..].strip_prefix('/').unwrap_or(&rest[1..]));
        let is_warning = OF_WARNINGS.iter().any(|known| name.eq_ignore_ascii_case(known));
        let is_prolog = rest.starts_with("<?") || rest.starts_with("<!--");
        let is_doctype = name.eq_ignore_ascii_case("!doctype") && !is_html_doctype(rest);
        let is_element = name.starts_with(|first: char| first.is_ascii_alphabetic());
        if (is_element && !is_warning)
            || (rest.starts_with("<!") && !is_prolog && !is_doctype && !rest.starts_with("<!ENTITY"))
        {
            return text;
        }
    }
    text
}

/// What the element at the start of `text` begins.
fn listing_of(text: &str) -> Option<Listing> {
    let tag = text.strip_prefix('<')?;
    let local = name_of(tag).rsplit(':').next().unwrap_or_default();
    let is = |known: &str| local.eq_ignore_ascii_case(known);
    if is("urlset") || is("sitemapindex") {
        return Some(Listing::Sitemap);
    }
    let is_atom = || {
        let tag = &tag[..tag.floor_char_boundary(1024)];
        tag.split('>').next().is_some_and(|tag| tag.contains("http://www.w3.org/2005/Atom"))
    };
    (is("rss") || is("feed") || is("rdf") || is("entry") && is_atom()).then_some(Listing::Feed)
}

/// The name of a tag; of a longer one than any that matters, its first bytes, so that it costs O(1).
fn name_of(tag: &str) -> &str {
    let tag = &tag[..tag.floor_char_boundary(64)];
    tag.split(|end: char| end == '>' || end == '/' || end.is_whitespace()).next().unwrap_or_default()
}

/// The text behind white space, XML declarations, comments and a DOCTYPE; `None` where one of them has no end.
fn prolog_end(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some((before, end)) =
        [("<?", "?>"), ("<!--", "-->"), ("<!", ">")].into_iter().find(|(before, _)| rest.starts_with(before))
    {
        rest = rest[before.len()..].split_once(end)?.1.trim_start();
    }
    Some(rest)
}

fn is_html_doctype(declaration: &str) -> bool {
    let name = declaration.split(|end: char| end == '>' || end.is_whitespace()).nth(1);
    name.is_some_and(|name| name.eq_ignore_ascii_case("html"))
}

/// Whether a text is an XML document that is neither a web page nor a listing: a file of some program.
///
/// Only what says `<?xml` is judged.
#[must_use]
pub fn is_foreign_xml(text: &str) -> bool {
    let declared = text.trim_start_matches('\u{feff}').trim_start().starts_with("<?xml");
    let Some(tag) = prolog_end(text).filter(|_| declared).and_then(|rest| rest.strip_prefix('<')) else { return false };
    let name = name_of(tag);
    let local = name.rsplit(':').next().unwrap_or_default();
    // `wml` was the page of its time; and a page may lack its `html`.
    let of_page = ["html", "head", "body", "wml", "div", "article", "main", "title", "p"];
    local.starts_with(|first: char| first.is_ascii_alphabetic())
        && !of_page.iter().any(|known| local.eq_ignore_ascii_case(known))
}

pub(crate) fn is_json_feed(text: &str) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    text.starts_with('{') && text[..text.floor_char_boundary(4096)].contains("jsonfeed.org/version/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_known_by_its_first_element() {
        for (text, listing) in [
            ("<?xml version='1.0'?><!-- a --> <urlset xmlns='x'>", Some(Listing::Sitemap)),
            ("<s:SitemapIndex>", Some(Listing::Sitemap)),
            ("\u{feff}\n <rss version='2.0'>", Some(Listing::Feed)),
            ("<?xml?><!DOCTYPE rdf:RDF [<!ENTITY % x 'y'>]><rdf:RDF\nxmlns='x'>", None),
            ("<rdf:RDF\nxmlns='x'>", Some(Listing::Feed)),
            ("<a:feed xmlns:a='x'>", Some(Listing::Feed)),
            ("<entry xmlns='http://www.w3.org/2005/Atom'>", Some(Listing::Feed)),
            ("{ \"version\": \"https://jsonfeed.org/version/1.1\" }", Some(Listing::Feed)),
            ("<!doctype html><p>See <code><urlset></code>", None),
            ("<p>How to write <rss version='2.0'>", None),
            ("How to write a feed: <rss version='2.0'>", None),
            ("<article><entry>x</entry></article>", None),
            ("<entry>x</entry>", None),
            ("<rss-news>", None),
            ("<?xml version='1.0'", None),
            ("{\"version\": 1}", None),
            ("", None),
        ] {
            assert_eq!(Listing::of(text), listing, "{text}");
        }
    }

    #[test]
    fn what_scripts_print_before_a_listing_is_no_part_of_it_and_pages_hold_none() {
        for (text, root) in [
            ("<br />\n<b>Warning</b>: x <?xml version='1.0'?><URLSET xmlns='x'>", "<URLSET xmlns='x'>"),
            ("Notice: undefined index\n<s:sitemapindex>", "<s:sitemapindex>"),
            ("<?xml?><!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset>", "<urlset>"),
        ] {
            assert_eq!(from_root(text), root);
        }
        for page in
            ["<!DOCTYPE html><p><urlset>", "<html><urlset>", "<div><urlset>", "<!-- <urlset> --><h1><urlset>", "no"]
        {
            let root = from_root(page);
            assert!(root == page || root.starts_with("<urlset> -->"), "{page}");
        }
    }

    #[test]
    fn xml_of_programs_is_no_page_and_xhtml_is_one() {
        for text in ["<?xml version='1.0'?><opml>", "<?xml?><!-- a --><!DOCTYPE x><OpenSearchDescription xmlns='x'>"] {
            assert!(is_foreign_xml(text), "{text}");
        }
        for text in [
            "<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html>",
            "<?xml version='1.0'?><h:html>",
            "<opml>",
            "<?xml version='1.0'?>",
            "<?xml ",
            "<?xml?><1>",
            "text",
        ] {
            assert!(!is_foreign_xml(text), "{text}");
        }
    }
}
