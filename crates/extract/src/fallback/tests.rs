//! Pages whose text is not in their tree.

use cpu_time::ThreadTime;
use gristmill_html::{Doc, TreeLimits};

use crate::{ExtractOptions, Extraction, TextSource, extract};

fn document(html: &str) -> Extraction {
    extract(
        &Doc::parse(html, &TreeLimits::default()),
        &ExtractOptions { attach_title: false, ..ExtractOptions::default() },
    )
}

const ONE: &str = "The river rose by two metres overnight, and the lower streets were closed to traffic before dawn, while the school stayed open for all who had to leave their houses.";
const TWO: &str = "Volunteers filled sandbags until noon; by the evening the water had begun to fall, the mayor said, though nobody could tell how long the bridges would have to stay shut.";

#[test]
fn an_article_body_is_taken_when_the_tree_is_a_shell() {
    let html = format!(
        r#"<title>River</title><script type="application/ld+json">{{"@type":"NewsArticle","articleBody":"{ONE}\n{TWO}"}}</script><div id=app>Loading</div>"#
    );
    let found = document(&html);
    assert_eq!(
        (found.text, found.source, found.method.as_str()),
        (format!("{ONE}\n{TWO}"), TextSource::JsonLd, "json-ld")
    );
}

#[test]
fn a_description_is_the_last_resort_of_a_page_without_text() {
    let script =
        format!(r#"<script type="application/ld+json">{{"@type":"NewsArticle","description":"{ONE}"}}</script>"#);
    let found = document(&format!("<title>River</title>{script}<div id=app></div>"));
    assert_eq!((found.text.as_str(), found.source), (ONE, TextSource::JsonLd));
    let found = document(&format!("<title>River</title>{script}<article><p>{TWO}</p></article>"));
    assert_eq!(found.source, TextSource::Page);
}

#[test]
fn an_article_body_does_not_replace_an_article_of_its_length() {
    let html = format!(
        r#"<title>River</title><script type="application/ld+json">{{"@type":"NewsArticle","articleBody":"{ONE} {TWO}"}}</script>
        <article><h1>River</h1><p>{ONE}</p><p>{TWO}</p></article>"#
    );
    let found = document(&html);
    assert_eq!((found.source, found.text.contains(&format!("{ONE}\n{TWO}"))), (TextSource::Page, true));
}

#[test]
fn page_state_gives_the_path_with_the_most_prose_in_order_and_once() {
    let html = format!(
        r#"<title>River</title><div id=__next></div><script id="__NEXT_DATA__" type="application/json">{{"props":{{
        "i18n":{{"a":"{ONE} {ONE} {ONE} {ONE} {ONE}"}},
        "nav":[{{"text":"One of the links of the menu, that is long."}}],
        "article":{{"blocks":[{{"kind":"p","text":"{ONE}"}},{{"kind":"h","text":"After the flood"}},
        {{"kind":"p","text":"{TWO}"}},{{"kind":"p","text":"{ONE}"}}]}}}}}}</script>"#
    );
    let found = document(&html);
    assert_eq!((found.text, found.source), (format!("{ONE}\nAfter the flood\n{TWO}"), TextSource::PageState));
}

#[test]
fn javascript_objects_and_markup_in_strings_are_read() {
    let html = format!(
        "<div id=root></div><script>window.__INITIAL_STATE__ = {{article: {{title: 'x', body: '<p>{ONE}<\\/p>\\n<ul><li>It isn\\'t over \\u2014 yet<\\/li><\\/ul><p>{TWO}<\\/p>'}}, n: 1}};</script>"
    );
    let found = document(&html);
    assert_eq!(found.text, format!("{ONE}\nIt isn't over — yet\n{TWO}"));
}

#[test]
fn json_in_a_string_of_json_is_read() {
    let inner =
        format!(r#"{{"id":1,"posts":[{{"content":"{ONE}"}},{{"content":"{TWO}"}}],"pad":"{}"}}"#, "x".repeat(300));
    let outer = serde_json::to_string(&inner).unwrap();
    let html = format!("<div></div><script>self.__next_f.push([1,{outer}])</script>");
    assert_eq!(document(&html).text, format!("{ONE}\n{TWO}"));
}

#[test]
fn text_below_noscript_is_told_apart() {
    let found = document(&format!(
        "<title>River</title><body><noscript><article><p>{ONE}</p><p>{TWO}</p></article></noscript>"
    ));
    assert_eq!(found.source, TextSource::Noscript);
}

#[test]
fn programs_translations_and_addresses_are_no_main_text() {
    let strings: Vec<String> =
        (0..40).map(|n| format!("\"m{n}\":\"Please enter a valid value for the field, number {n}.\"")).collect();
    let html = format!("<div></div><script>window.state = {{\"translations\":{{{}}}}}</script>", strings.join(","));
    assert_eq!(document(&html).text, "");
    let code = "if (a) { return b(c, d); } var e = f; ".repeat(40);
    let html = format!("<div></div><script>window.state = {{\"code\":\"{code}\"}}</script>");
    assert_eq!(document(&html).text, "");
}

#[test]
fn hostile_scripts_cost_linear_time() {
    let begun = ThreadTime::now();
    for unit in
        ["[", "{\"a\":", "'\\'", "\"", "\\", "\"a\":\"b c d e f g h i j k.\",", "<p>", "&lt;p&gt;", "{\"x\":\"{"]
    {
        let html = format!("<div></div><script>x = {{{}</script>", unit.repeat((3 << 20) / unit.len()));
        document(&html);
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn what_scripts_take_from_templates_is_the_text_of_a_shell_and_of_no_other_page() {
    let template = format!(
        "<template><h2>After the flood</h2><p>{ONE}</p><template><p>{TWO}</p></template><script>x</script></template>"
    );
    let second = format!("<template><p>{TWO}</p></template>");
    let found = document(&format!("<title>River</title><div id=app>Loading</div>{template}{second}"));
    assert_eq!((found.text, found.source), (format!("After the flood\n{ONE}\n{TWO}"), TextSource::Template));
    assert_eq!((found.method.as_str(), found.confidence), ("template", 0.5));
    let found = document(&format!("<title>River</title><article><p>{TWO}</p><p>{ONE}</p></article>{template}"));
    assert_eq!(found.source, TextSource::Page);
}

#[test]
fn the_description_in_meta_is_what_a_shell_without_anything_else_has_when_it_is_asked_for() {
    let described = |html: &str| {
        let options = ExtractOptions { attach_title: false, describe: true, ..ExtractOptions::default() };
        extract(&Doc::parse(html, &TreeLimits::default()), &options)
    };
    let meta = format!("<title>River</title><meta name=description content=\"{ONE}\">");
    let shell = format!("{meta}<div id=app></div>");
    let found = described(&shell);
    assert_eq!(
        (found.text.as_str(), found.source, found.method.as_str()),
        (ONE, TextSource::MetaDescription, "meta-description")
    );
    assert!(found.confidence <= 0.2 && !found.warnings.is_empty());
    assert_eq!(described(&format!("{meta}<article><p>{TWO}</p></article>")).source, TextSource::Page);
    let short = "<title>River</title><meta name=description content='All about rivers'><div id=app></div>";
    assert_eq!(described(short).text, "");
    assert_eq!(document(&shell).text, "");
}

#[test]
fn nested_templates_cost_linear_time() {
    let begun = ThreadTime::now();
    document(&"<template>word ".repeat(100_000));
    document(&"<template><p>word</p></template>".repeat(100_000));
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
}
