//! The three renderings of one selection hold the same words: Markdown and HTML are read back and compared.

use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_extract::{
    ExtractOptions, Page, Selection, Structure, extract_from, render_html, render_html_with, render_markdown,
    render_markdown_with, render_text,
};
use gristmill_html::{Doc, LocalName, TreeLimits, decode};
use pulldown_cmark::{Event, Options as Extensions, Parser, TagEnd};

/// The words of Markdown as a CommonMark reader with tables sees them.
fn words_of_markdown(markdown: &str) -> Vec<String> {
    let mut text = String::new();
    let mut within_image = false;
    let extensions = Extensions::ENABLE_TABLES | Extensions::ENABLE_DEFINITION_LIST | Extensions::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(markdown, extensions) {
        match event {
            Event::Start(pulldown_cmark::Tag::Image { .. }) => within_image = true,
            Event::End(TagEnd::Image) => within_image = false,
            // What describes an image is no word of the text.
            _ if within_image => {}
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            // A line break within a cell, for which Markdown has no other sign.
            Event::InlineHtml(piece) if &*piece == "<br>" => text.push(' '),
            // As plain text says it.
            Event::InlineHtml(piece) if matches!(&*piece, "<sup>" | "<sub>") => {
                text.push_str(if &*piece == "<sup>" { "^(" } else { "_(" });
            }
            Event::InlineHtml(piece) if matches!(&*piece, "</sup>" | "</sub>") => text.push(')'),
            // Nothing of a page may come out as markup.
            Event::InlineHtml(piece) if matches!(&*piece, "<mark>" | "</mark>") => {}
            Event::Html(piece) | Event::InlineHtml(piece) => text.push_str(&format!(" HTML<{piece}> ")),
            Event::SoftBreak | Event::HardBreak | Event::Rule => text.push(' '),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock
                | TagEnd::List(_)
                | TagEnd::DefinitionListTitle
                | TagEnd::DefinitionListDefinition
                | TagEnd::BlockQuote(_),
            )
            | Event::Start(_)
                if !matches!(event, Event::Start(ref tag) if is_inline(tag)) =>
            {
                text.push(' ');
            }
            _ => {}
        }
    }
    words(&text)
}

fn is_inline(tag: &pulldown_cmark::Tag<'_>) -> bool {
    use pulldown_cmark::Tag;
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Strikethrough)
}

fn words_of_html(html: &str) -> Vec<String> {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    words(&render_text(&page, &Selection::all(&page)))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What differs first, with a few words around it.
fn difference(name: &str, expected: &[String], found: &[String]) -> Option<String> {
    if expected == found {
        return None;
    }
    let at = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let around = |words: &[String]| words[at.saturating_sub(3)..(at + 4).min(words.len())].join(" ");
    Some(format!("{name}: word {at}: `{}` became `{}`", around(expected), around(found)))
}

/// Each option alone, and nothing but the text.
fn structures() -> [Structure; 9] {
    let all = Structure::default();
    [
        Structure { headings: false, ..all },
        Structure { lists: false, ..all },
        Structure { tables: false, ..all },
        Structure { code: false, ..all },
        Structure { quotes: false, ..all },
        Structure { captions: false, ..all },
        Structure { links: false, ..all },
        Structure { images: true, ..all },
        Structure {
            headings: false,
            lists: false,
            tables: false,
            code: false,
            quotes: false,
            captions: false,
            notes: false,
            links: false,
            images: true,
        },
    ]
}

/// All differences of a page, whole and as `best` selects it.
fn differences(name: &str, bytes: &[u8], structures: &[Structure]) -> Vec<String> {
    let doc = Doc::parse(&decode(bytes, None).text, &TreeLimits::default());
    // Titles of films and descriptions of pictures are words that the text has not.
    let is_shown =
        |id| matches!(doc.name(id), LocalName::IFRAME | LocalName::VIDEO | LocalName::AUDIO | LocalName::IMG);
    let is_player = |id| {
        let is_blank = || doc.subtree(id).all(|id| doc.text(id).trim().is_empty());
        doc.is_element(id) && doc.name_str(doc.name(id)).contains('-') && is_blank()
    };
    let shown: Vec<_> = doc.ids().filter(|&id| is_shown(id) || is_player(id)).collect();
    let doc = doc.without(&shown);
    let page = Page::new(&doc);
    let options = ExtractOptions { attach_title: false, rescue: false, ..ExtractOptions::default() };
    let selections = [("all", Selection::all(&page)), ("best", extract_from(&page, &options).1)];
    // Their labels are other words in each form.
    let without_notes = Structure { notes: false, ..Structure::default() };
    let selections = selections.map(|(kind, selection)| (kind, without_notes.select(&page, selection)));
    let mut found = Vec::new();
    for (kind, selection) in &selections {
        let expected = words(&render_text(&page, selection));
        let markdown = words_of_markdown(&render_markdown(&page, selection));
        found.extend(difference(&format!("{name} {kind} as Markdown"), &expected, &markdown));
        let html = words_of_html(&render_html(&page, selection));
        found.extend(difference(&format!("{name} {kind} as HTML"), &expected, &html));
        for structure in structures {
            let selection = structure.select(&page, selection.clone());
            let expected = words(&render_text(&page, &selection));
            let markdown = words_of_markdown(&render_markdown_with(&page, &selection, structure, None));
            found.extend(difference(&format!("{name} {kind} {structure:?} as Markdown"), &expected, &markdown));
            let html = words_of_html(&render_html_with(&page, &selection, structure, None));
            found.extend(difference(&format!("{name} {kind} {structure:?} as HTML"), &expected, &html));
        }
    }
    found
}

fn read(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    let packed = path.extension().is_some_and(|extension| extension == "gz");
    let mut reader: Box<dyn Read> =
        if packed { Box::new(flate2::read::MultiGzDecoder::new(file)) } else { Box::new(file) };
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Pages below a folder, in order.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy();
            if path.is_dir() {
                todo.push(path);
            } else if name.ends_with(".html") || name.ends_with(".html.gz") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn assert_round_trips(paths: &[PathBuf], structures: &[Structure]) {
    let share = paths.len().div_ceil(std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = paths
            .chunks(share)
            .map(|paths| {
                scope.spawn(|| {
                    paths
                        .iter()
                        .flat_map(|path| differences(&path.display().to_string(), &read(path), structures))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let n = failures.len();
    assert!(n == 0, "{n} renderings of {} pages differ:\n{}", paths.len(), failures.join("\n"));
}

#[test]
fn markdown_and_html_of_the_committed_pages_hold_the_words_of_the_text() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let paths = pages(&tests);
    assert!(paths.len() >= 15, "{paths:?}");
    assert_round_trips(&paths, &structures());
}

#[test]
fn markdown_and_html_of_the_test_packages_hold_the_words_of_the_text() {
    let data = std::env::var("GRISTMILL_DATA")
        .map_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let articles = data.join("articles");
    if !articles.is_dir() {
        eprintln!("SKIPPED: no test packages in `{}` (set GRISTMILL_DATA)", articles.display());
        return;
    }
    // Each option alone is tried on the committed pages; here the time goes to the number of pages.
    let step = if std::env::var_os("GRISTMILL_SOAK").is_some() { 1 } else { 8 };
    let paths: Vec<PathBuf> = pages(&articles).into_iter().step_by(step).collect();
    assert_round_trips(&paths, &structures()[8..]);
}

#[test]
fn text_that_looks_like_markup_stays_text() {
    let pieces = [
        "1. one",
        "2) two",
        "- dash",
        "+ plus",
        "* star",
        "# hash",
        "> quote",
        "===",
        "---",
        "***",
        "___",
        "| a | b |",
        "```",
        "~~~",
        "    code",
        "[a]: b",
        "[a](b)",
        "![x](y)",
        "<b>",
        "&amp;",
        "&lt;x&gt;",
        "a*b*c",
        "a_b_c",
        "`x`",
        "\\",
        "a\\",
        "http://a.example/?b=c_d_e",
        "x ** y",
        "_",
        "1986\\. A",
        "--",
        "| --- |",
        "a |",
        ":---:",
        "<!-- c -->",
    ];
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    for piece in pieces {
        let text = escape(piece);
        for html in [
            format!("<p>{text}</p><p>after</p>"),
            format!("<p>before<br>{text}<br>{text}</p>"),
            format!("<ul><li>{text}<li><b>{text}</b><li><a href='/x'>{text}</a></ul>"),
            format!("<table><tr><th>{text}<th>b<tr><td><code>{text}</code><td>{text}</table>"),
            format!("<h2>{text}</h2><blockquote><p>{text}</blockquote><pre>{text}</pre>"),
            format!("<p>a<b>{text}</b>c<i>{text}</i> d <code>{text}</code></p>"),
        ] {
            let found = differences(piece, html.as_bytes(), &structures());
            assert!(found.is_empty(), "{html}\n{}", found.join("\n"));
        }
    }
}
