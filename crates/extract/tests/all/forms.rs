//! How the programs that write pages write code, formulas, notes and tables, and what is read of it.
//!
//! A file of `forms` has one form after the other: `=== name`, HTML, `---`, the Markdown that is right. Lines that begin with `@head` are put into
//! the head. `<more>` is a paragraph of the article around it.

use gristmill_extract::{ExtractOptions, Page, extract_from, render_markdown_with, spell_out};
use gristmill_html::{Doc, TreeLimits};

const LEAD: &str = "The old mill stands where two rivers meet, and for three hundred years it has ground the grain of the whole \
                    valley. Nobody remembers who built it, though the date above the door is older than the church.";
const MORE: &str = "In spring the water is high, and the wheel turns faster than the miller likes; in autumn it hardly turns at \
                    all. What the farmers bring is weighed at the gate, and a tenth of it stays with the mill.";

/// The forms of a file that come out otherwise, each with what came out.
fn wrong(forms: &str) -> String {
    let mut wrong = String::new();
    for form in forms.split("\n=== ") {
        let (name, form) = form.trim_start_matches("=== ").split_once('\n').expect("a name");
        let (html, expected) = form.split_once("\n---\n").unwrap_or_else(|| panic!("{name} has no Markdown"));
        let expected = expected.trim().replace("\n<more>", &format!("\n{MORE}"));
        // Code ends with its fence: the paragraph behind it stands on its own.
        let expected = expected.replace(&format!("```\n{MORE}"), &format!("```\n\n{MORE}"));
        let found = markdown(html);
        if found != expected {
            wrong.push_str(&format!("=== {name}\n{html}\n--- expected\n{expected}\n--- found\n{found}\n\n"));
        }
    }
    wrong
}

/// What stands behind the first paragraph of the article around `html`.
fn markdown(html: &str) -> String {
    let (head, body): (Vec<&str>, Vec<&str>) = html.lines().partition(|line| line.starts_with("@head "));
    let head = head.iter().map(|line| &line["@head ".len()..]).collect::<String>();
    let body = body.join("\n").replace("<more>", &format!("<p>{MORE}</p>"));
    let page = format!(
        "<!doctype html><html lang=en><head><title>The mill | The Valley Post</title>{head}</head><body><header class=site-header><nav><ul \
         class=menu><li><a href=/news>News</a><li><a href=/sport>Sport</a><li><a href=/travel>Travel</a></ul></nav></header><main><article>\
         <h1>The mill</h1><p>{LEAD}</p>{body}</article></main><footer class=site-footer><a href=/imprint>Imprint</a><p>© 2024 The Valley \
         Post. All rights reserved.</footer></body></html>"
    );
    let mut doc = Doc::parse(&page, &TreeLimits::default());
    spell_out(&mut doc);
    let page = Page::new(&doc);
    let options = ExtractOptions { url: Some("https://valley.example/post"), ..ExtractOptions::default() };
    let (_, selection) = extract_from(&page, &options);
    let markdown = render_markdown_with(&page, &selection, &options.structure, options.url);
    let behind = markdown.split_once(LEAD).map_or("the first paragraph is lost", |(_, behind)| behind);
    behind.trim().to_owned()
}

#[test]
fn code_is_code_however_a_page_draws_it() {
    let wrong = wrong(include_str!("forms/code.txt"));
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn formulas_are_tex_however_a_page_draws_them() {
    let wrong = wrong(include_str!("forms/formulas.txt"));
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn notes_are_linked_however_a_page_has_them() {
    let wrong = wrong(include_str!("forms/notes.txt"));
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn tables_lists_and_boxes_are_read_however_a_page_has_them() {
    let wrong = wrong(include_str!("forms/structure.txt"));
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn any_number_of_forms_takes_linear_time() {
    let started = cpu_time::ThreadTime::now();
    for (before, part, behind) in [
        ("<pre><code>x</code>", "<div>c</div>", "</pre>"),
        ("<pre><code>", "<span class=line></span><span class=line> </span>", "y</code></pre>"),
        ("<pre><code>", "<span class=popup><div>a</div></span>b", "</code></pre>"),
        ("<p>", "<a role=doc-biblioref href=#r1>Smith 1990</a> ", "<div id=r1 class=csl-entry>Text</div>"),
        ("<p>", "a<sup>1</sup> <aside><ol><li>x</ol></aside>", ""),
        ("<p>a<sup>1</sup>", "<p>Notes<p>1. a", ""),
        ("<p>a", "<sup>1</sup><span class=footnote_tooltip>long note text</span> b", ""),
        (
            "<p>",
            "a<sup>1</sup><span class=footnote_tooltip>long note text</span> b",
            "<ul><li>long note text<p>long note text</ul>",
        ),
        ("<p>[", "<a href=#a id=b>1</a>, ", "]<p id=a><a href=#b>1</a> x"),
        ("<span class=katex><span class=katex-html>", "<span class=vlist>x<span class=msupsub>", "</span></span>"),
        (
            "<mjx-container><mjx-math>",
            "<mjx-mi><mjx-c class=mjx-c1D465></mjx-c></mjx-mi>",
            "</mjx-math></mjx-container>",
        ),
        ("<p>", "*a *b c* ~d _e ", ""),
        ("<p>", "<abbr title='World Health Organization'>WHO</abbr> ", ""),
        ("", "<div role=table><div role=row><div role=cell>a</div><div role=cell>b</div></div>", ""),
        ("<script src=mathjax></script><p>", "$$ a<br>## b ", ""),
        ("<p>a [1] ", "b [1, 2-9] [", "<p>[1] x<p>[2] y"),
        ("<p>a ", "[1-30] ", "<h2>References</h2><ol><li>x</ol>"),
        ("<p>", "<a href=/x>a<b>b</b> </a> <i>c</i> ", ""),
        ("<table class=code>", "<tr><td class=lineno>1<td><table><tr><td>x", ""),
        ("<table class=code>", "<tr><td class=lineno>1<td class=code>x", "</table>"),
        ("<p>a [1] [2]", "<p>[1] x<p>[2] y", ""),
        ("<table>", "<tr><td><i class=check></i><svg></svg><td rowspan=9><span title=x></span>", ""),
        ("", "<div><textarea>a\nb\nc</textarea><pre>a\nb\nd</pre></div>", ""),
    ] {
        markdown(&format!("{before}{}{behind}", part.repeat(4_000)));
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
