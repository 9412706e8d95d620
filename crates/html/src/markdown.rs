//! Markdown as HTML, the fields before it as a head.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use crate::charset::CharsetHints;

/// Beginnings of files that are HTML, whatever is said of them.
const HTML: [&str; 5] = ["<!doctype", "<html", "<head", "<body", "<?xml"];

/// Names of fields, and of the metadata that a page has for them.
const FIELDS: [(&str, &str); 5] = [
    ("author", "author"),
    ("date", "article:published_time"),
    ("description", "description"),
    ("summary", "description"),
    ("updated", "article:modified_time"),
];

/// Whether a text is Markdown: by its content type, or where that says nothing more than text by the end of its address. What begins
/// as a page in HTML is one.
pub fn is_markdown(text: &str, hints: &CharsetHints<'_>) -> bool {
    let essence = hints.content_type.map(|value| value.split(';').next().unwrap_or_default().trim());
    let is = |name: &str| essence.is_some_and(|essence| essence.eq_ignore_ascii_case(name));
    let is_named = || hints.url.is_some_and(ends_in_md);
    let is_said = is("text/markdown") || is("text/x-markdown") || (essence.is_none() || is("text/plain")) && is_named();
    is_said && !HTML.iter().any(|tag| begins(text.trim_start_matches('\u{feff}').trim_start(), tag))
}

fn begins(text: &str, tag: &str) -> bool {
    text.as_bytes().get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
}

fn ends_in_md(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let end = path.rsplit(['/', '\\']).next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
    end.is_some_and(|end| end.eq_ignore_ascii_case("md") || end.eq_ignore_ascii_case("markdown"))
}

/// CommonMark with what GitHub and static site generators add to it: tables, footnotes, task lists, formulas, and fields between `---`
/// before the text, of which title, author, dates and description become those of the page. O(text).
pub fn markdown_to_html(text: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let (mut fields, mut in_fields) = (String::new(), false);
    let events = Parser::new_ext(text.trim_start_matches('\u{feff}'), options).filter(|event| {
        match event {
            Event::Start(Tag::MetadataBlock(_)) => in_fields = true,
            Event::End(TagEnd::MetadataBlock(_)) => in_fields = false,
            Event::Text(text) if in_fields => fields.push_str(text),
            _ => return !in_fields,
        }
        matches!(event, Event::Text(_)) && !in_fields
    });
    let mut body = String::with_capacity(text.len() + text.len() / 2);
    html::push_html(&mut body, events);
    format!("<!DOCTYPE html><html><head>{}</head><body>{body}</body></html>", head(&fields))
}

/// The elements of a head for fields, one on a line; what is nested in others is passed over.
fn head(fields: &str) -> String {
    let mut head = String::new();
    for (name, value) in fields.lines().filter_map(|line| line.split_once(':')) {
        let value = value.trim().trim_matches(['"', '\'']);
        let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        if name == "title" {
            head.push_str(&format!("<title>{escaped}</title>"));
        } else if let Some((_, property)) =
            FIELDS.iter().find(|(field, _)| *field == name).filter(|_| !value.is_empty())
        {
            head.push_str(&format!("<meta name=\"{property}\" property=\"{property}\" content=\"{escaped}\">"));
        }
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Doc, LocalName, TreeLimits};

    #[test]
    fn type_and_address_tell_markdown_and_html_stays_html() {
        let markdown = |text: &str, content_type: Option<&str>, url: Option<&str>| {
            is_markdown(text, &CharsetHints { content_type, url })
        };
        assert!(markdown("# Mills", Some("text/markdown; charset=utf-8"), None));
        assert!(markdown("# Mills", Some("TEXT/X-MARKDOWN"), Some("https://mill.example/")));
        assert!(markdown("# Mills", Some("text/plain"), Some("https://mill.example/README.md?raw=1")));
        assert!(markdown("# Mills", None, Some("https://mill.example/a.Markdown#top")));
        assert!(!markdown("# Mills", Some("text/html"), Some("https://mill.example/README.md")));
        assert!(!markdown("# Mills", Some("text/plain"), Some("https://mill.example/md")));
        assert!(!markdown("\u{feff} <!DOCTYPE html><p>Mills", Some("text/markdown"), None));
    }

    #[test]
    fn fields_before_the_text_are_the_head_and_the_rest_is_the_body() {
        let text = "---\ntitle: \"Mills & <weirs>\"\nauthor: Ada Miller\ntags:\n  - rye\ndate: 2024-05-31\n---\n\n# Stones\n\n\
                    | a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\nA [link](other.md) and $x^2$.";
        let html = markdown_to_html(text);
        let doc = Doc::parse(&html, &TreeLimits::default());
        assert_eq!(doc.text_content(doc.first(LocalName::TITLE).unwrap()), "Mills & <weirs>");
        assert!(html.contains("name=\"author\" property=\"author\" content=\"Ada Miller\""), "{html}");
        assert!(html.contains("content=\"2024-05-31\"") && !html.contains("rye"), "{html}");
        assert!(html.contains("<h1>Stones</h1>") && html.contains("<td>1</td>") && html.contains("<hr"), "{html}");
        assert!(html.contains("<a href=\"other.md\">link</a>"), "{html}");
    }

    #[test]
    fn repetitions_take_linear_time() {
        let time = |unit: &str, n: usize| {
            let text = unit.repeat(n);
            let begun = cpu_time::ThreadTime::now();
            std::hint::black_box(markdown_to_html(&text));
            begun.elapsed()
        };
        for unit in [
            "[",
            "![",
            "*a_ ",
            "`a``",
            "> ",
            "- ",
            "<",
            "<!--",
            "[^a]: ",
            "|a\n-|\n",
            "$",
            "\\[",
            "&",
            "[a]: b\n[a]",
            "~~",
            "---\n",
            "1. ",
        ] {
            let (few, many) = (time(unit, 10_000), time(unit, 80_000));
            assert!(
                many < few * 30 + std::time::Duration::from_millis(60),
                "{unit:?}: {few:?}, eight times as much {many:?}"
            );
        }
    }
}
