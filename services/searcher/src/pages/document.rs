//! The page of one document: its clean text, what is known of it, and the way to its source.

use gristmill_index::{Duplicate, IndexDocument, ProductAttribute, format_minute};

use super::history;
use super::layout::{PageFrame, page};
use super::search::is_language;
use crate::html::HtmlWriter;
use crate::request::document_path;

/// Writes the page.
pub(super) fn show(document: &IndexDocument, duplicates: &[Duplicate]) -> String {
    let title = if document.title.trim().is_empty() { "Untitled" } else { &document.title };
    page(&PageFrame { title, query: Some(""), ..PageFrame::default() }, |html| {
        html.raw("<article class=\"document\"");
        if is_language(&document.language) {
            html.attr("lang", &document.language);
        }
        html.raw("><h1 dir=\"auto\">").text(title).raw("</h1><p class=\"address\"><bdi>");
        html.outward(&document.url, &document.url).raw("</bdi></p>");
        html.raw("<div class=\"sheet\">");
        text(html, document);
        html.raw("<aside aria-label=\"Record and history\">");
        facts(html, document);
        attributes(html, document);
        history::offers(html, document);
        history::edits(html, document);
        near(html, duplicates);
        html.raw("</aside></div></article>");
    })
}

fn facts(html: &mut HtmlWriter, document: &IndexDocument) {
    let published = document.published.map(format_minute).unwrap_or_default();
    let canonical = if document.canonical == document.url { "" } else { document.canonical.as_str() };
    let drawn = document.rendered.as_ref().map(|drawing| format!("with {}, {}", drawing.mode, drawing.ended));
    let [first_seen, changed] = history::times(document);
    let rows = [
        ("Author", document.author.as_str()),
        (
            "Published",
            if published.is_empty() && !document.published_of_site { &document.published_text } else { &published },
        ),
        ("Site", &document.site),
        ("Language", &document.language),
        ("Kind", document.kind.as_str()),
        ("Fetched", &format_minute(document.fetched_at)),
        (first_seen.0, &first_seen.1),
        (changed.0, &changed.1),
        ("Extracted by", &document.method),
        ("Drawn by a browser", drawn.as_deref().unwrap_or_default()),
    ];
    html.raw("<dl class=\"facts-list\">");
    for (name, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        html.raw("<dt>").text(name).raw("</dt><dd dir=\"auto\">").text(value).raw("</dd>");
    }
    for (name, url) in [("Canonical", canonical), ("Picture", &document.image)] {
        if !url.is_empty() {
            html.raw("<dt>").text(name).raw("</dt><dd>").outward(url, url).raw("</dd>");
        }
    }
    html.raw("</dl>");
}

fn attributes(html: &mut HtmlWriter, document: &IndexDocument) {
    if document.attributes.is_empty() {
        return;
    }
    html.raw("<h2>Attributes</h2>");
    table(html, &document.attributes, usize::MAX);
}

/// The first `most` attributes as a table, one for each record.
pub(super) fn table(html: &mut HtmlWriter, attributes: &[ProductAttribute], most: usize) {
    for record in attributes[..attributes.len().min(most)].chunk_by(|a, b| a.record == b.record) {
        html.raw("<table class=\"attributes\">");
        for ProductAttribute { name, value, .. } in record {
            html.raw("<tr><th scope=\"row\" dir=\"auto\">").text(name).raw("</th><td dir=\"auto\">").text(value);
            html.raw("</td></tr>");
        }
        html.raw("</table>");
    }
}

/// So many short lines in a row are the cells of a table, or items.
const LEAST_CELLS: usize = 4;
/// Longest line that may be a cell, in characters.
const MAX_CELL: usize = 40;

/// Whether a line may be a cell of a table: short, and no sentence.
fn is_cell(line: &str) -> bool {
    let ends = ['.', '!', '?', ':', '。', '！', '？', '…'];
    line.chars().nth(MAX_CELL).is_none() && !line.trim_end().ends_with(ends)
}

fn text(html: &mut HtmlWriter, document: &IndexDocument) {
    html.raw("<div class=\"text\">");
    let lines: Vec<(Option<u8>, &str)> = document.lines().collect();
    let in_cell = |(level, line): &(Option<u8>, &str)| level.is_none() && is_cell(line);
    for run in lines.chunk_by(|before, after| in_cell(before) && in_cell(after)) {
        if run.len() < LEAST_CELLS {
            run.iter().for_each(|(level, line)| paragraph(html, *level, line));
            continue;
        }
        // The text does not say how many columns the table had.
        html.raw("<ul class=\"cells\">");
        run.iter().for_each(|(_, cell)| _ = html.raw("<li dir=\"auto\">").text(cell).raw("</li>"));
        html.raw("</ul>\n");
    }
    if document.text.trim().is_empty() {
        html.raw("<p class=\"quiet\">No text was found on this page.</p>");
    }
    html.raw("</div>");
}

/// A heading is below that of the page.
fn paragraph(html: &mut HtmlWriter, level: Option<u8>, line: &str) {
    let name = level.map_or("p", |level| ["h2", "h3", "h4", "h5", "h6"][usize::from(level.clamp(2, 6) - 2)]);
    html.raw("<").raw(name).raw(" dir=\"auto\">").text(line).raw("</").raw(name).raw(">\n");
}

fn near(html: &mut HtmlWriter, duplicates: &[Duplicate]) {
    if duplicates.is_empty() {
        return;
    }
    html.raw("<h2>Near-duplicates</h2><ul class=\"near\">");
    for other in duplicates {
        let title = if other.title.trim().is_empty() { "Untitled" } else { &other.title };
        html.raw("<li><a dir=\"auto\"")
            .href(&document_path(&other.key))
            .raw(">")
            .text(title)
            .raw("</a> <bdi class=\"quiet\">");
        html.text(&other.url).raw("</bdi></li>");
    }
    html.raw("</ul>");
}
