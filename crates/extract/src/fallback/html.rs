//! Strings as a document: those with markup are parsed, the others are paragraphs.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId, TreeLimits};

/// Longest string, and longest document made of strings.
const MAX_STRING_BYTES: usize = 1 << 20;
const MAX_BYTES: usize = 4 << 20;

/// Elements that give a text its structure.
const KEPT: &[LocalName] = &[
    LocalName::A,
    LocalName::ARTICLE,
    LocalName::B,
    LocalName::BLOCKQUOTE,
    LocalName::BR,
    LocalName::CAPTION,
    LocalName::CODE,
    LocalName::DD,
    LocalName::DIV,
    LocalName::DL,
    LocalName::DT,
    LocalName::EM,
    LocalName::FIGCAPTION,
    LocalName::FIGURE,
    LocalName::H1,
    LocalName::H2,
    LocalName::H3,
    LocalName::H4,
    LocalName::H5,
    LocalName::H6,
    LocalName::I,
    LocalName::LI,
    LocalName::OL,
    LocalName::P,
    LocalName::PRE,
    LocalName::SECTION,
    LocalName::STRONG,
    LocalName::TABLE,
    LocalName::TBODY,
    LocalName::TD,
    LocalName::TFOOT,
    LocalName::TH,
    LocalName::THEAD,
    LocalName::TR,
    LocalName::UL,
];

/// One document of all strings in their order, equal ones once.
pub(super) fn document<'s>(strings: impl IntoIterator<Item = &'s str>) -> Doc {
    let mut html = String::from("<body>");
    for string in strings {
        let string = &string[..string.floor_char_boundary(MAX_STRING_BYTES)];
        if html.len() + string.len() > MAX_BYTES {
            break;
        }
        push(&mut html, string);
    }
    parse(&html)
}

fn parse(html: &str) -> Doc {
    Doc::parse(html, &TreeLimits { max_nodes: 100_000, max_depth: 128, ..TreeLimits::default() })
}

/// One document of what stands in `template` elements, the outermost of each nest.
pub(super) fn templates(doc: &Doc) -> Doc {
    let mut html = String::from("<body>");
    let mut at = 1;
    while at < doc.len() && html.len() < MAX_BYTES {
        let id = doc.id(at);
        at += 1;
        if doc.name(id) == LocalName::TEMPLATE {
            push_tree(&mut html, doc, at..doc.end(id));
            at = doc.end(id);
        }
    }
    parse(&html)
}

fn push(html: &mut String, string: &str) {
    if has_markup(string) {
        // A comment or attribute left open would swallow the strings that follow, so what is unbalanced stays inside.
        let inner = Doc::parse(string, &TreeLimits { max_nodes: 50_000, max_depth: 128, ..TreeLimits::default() });
        push_tree(html, &inner, 1..inner.len());
    } else if is_escaped_markup(string) {
        let unescaped = Doc::parse(string, &TreeLimits::default());
        let text = unescaped.text_content(NodeId::DOCUMENT);
        let inner = Doc::parse(&text, &TreeLimits { max_nodes: 50_000, max_depth: 128, ..TreeLimits::default() });
        push_tree(html, &inner, 1..inner.len());
    } else {
        for line in string.lines().filter(|line| !line.trim().is_empty()) {
            html.push_str("<p>");
            escape(html, line, string.contains('&'));
            html.push_str("</p>\n");
        }
    }
}

/// The text with the elements of [`KEPT`], without attributes but `href`.
fn push_tree(html: &mut String, doc: &Doc, nodes: Range<usize>) {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut at = nodes.start;
    html.push_str("<div>");
    while at < nodes.end {
        while let Some((_, name)) = open.pop_if(|(end, _)| *end <= at) {
            html.push_str(&format!("</{name}>"));
        }
        let id = doc.id(at);
        let name = doc.name(id);
        if gristmill_page::is_dropped(name) {
            at = doc.end(id);
            continue;
        }
        if name == LocalName::TEXT {
            escape(html, doc.text(id), false);
        } else if let Some(tag) = name.as_known_str().filter(|_| KEPT.contains(&name)) {
            match doc.attr(id, LocalName::HREF) {
                Some(href) if name == LocalName::A => {
                    html.push_str("<a href=\"");
                    escape(html, href, false);
                    html.push_str("\">");
                }
                _ => html.push_str(&format!("<{tag}>")),
            }
            if name != LocalName::BR {
                open.push((doc.end(id), tag));
            }
        }
        at += 1;
    }
    while let Some((_, name)) = open.pop() {
        html.push_str(&format!("</{name}>"));
    }
    html.push_str("</div>\n");
}

/// `entities`: the string may hold character references, which stay.
fn escape(html: &mut String, text: &str, entities: bool) {
    for c in text.chars() {
        match c {
            '<' => html.push_str("&lt;"),
            '"' => html.push_str("&quot;"),
            '&' if !entities => html.push_str("&amp;"),
            c => html.push(c),
        }
    }
}

/// Whether a tag stands in it: `<p>`, `</a>`, `<br/>`; not `a < b`.
pub(super) fn has_markup(text: &str) -> bool {
    text.match_indices('<').take(1_000).any(|(at, _)| {
        let rest = &text[at + 1..];
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let name = rest.bytes().take(12).take_while(u8::is_ascii_alphanumeric).count();
        let after = rest.as_bytes().get(name);
        rest.starts_with(|c: char| c.is_ascii_alphabetic())
            && LocalName::known(&rest[..name].to_ascii_lowercase()).is_some()
            && matches!(after, Some(b'>' | b' ' | b'/' | b'\n' | b'\t'))
    })
}

/// `&lt;p&gt;`: markup that was escaped once too often.
fn is_escaped_markup(text: &str) -> bool {
    ["&lt;p", "&lt;br", "&lt;div", "&lt;/", "&lt;h", "&lt;span"].iter().any(|start| text.contains(start))
}
