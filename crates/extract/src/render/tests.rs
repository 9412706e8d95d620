//! One page in its three renderings.

use super::*;
use gristmill_html::{Doc, Limits};

fn all(html: &str) -> (String, String, String) {
    let doc = Doc::parse(html, &Limits::default());
    let page = Page::new(&doc);
    let selection = Selection::all(&page);
    (render_text(&page, &selection), render_markdown(&page, &selection), render_html(&page, &selection))
}

#[test]
fn headings_lists_and_inline_styles_are_kept() {
    let (text, markdown, html) = all(
        "<h2>Head</h2><p>One <b>bold</b> and <a href='/x?a=1&amp;b=2'>a link</a>.</p><ul><li>first<li>second<ol start=4><li>inner</ol></ul>",
    );
    assert_eq!(text, "Head\nOne bold and a link.\nfirst\nsecond\ninner");
    assert_eq!(markdown, "## Head\n\nOne **bold** and [a link](</x?a=1&b=2>).\n\n- first\n- second\n\n  4. inner");
    assert_eq!(
        html.replace('\n', ""),
        "<h2>Head</h2><p>One <strong>bold</strong> and <a href=\"/x?a=1&amp;b=2\">a link</a>.</p>\
         <ul><li>first</li><li>second<ol><li>inner</li></ol></li></ul>"
    );
}

#[test]
fn data_tables_stay_tables_and_layout_tables_do_not() {
    let (_, markdown, html) = all("<table><tr><th>a<th>b<tr><td>1|2<td><p>x</p><p>y</p></table>");
    assert_eq!(markdown, "| a | b |\n| --- | --- |\n| 1\\|2 | x y |");
    assert_eq!(html.replace('\n', ""), "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>x y</td></tr></table>");
    let (_, markdown, _) = all("<table><tr><td>menu<td><table><tr><td>one cell of text</table></table>");
    assert_eq!(markdown, "menu\n\none cell of text");
}

#[test]
fn code_keeps_its_lines_and_cannot_break_out_of_its_fence() {
    let (text, markdown, html) = all("<pre>if a &lt; b:\n    ```\n</pre><blockquote><p>said</p></blockquote>");
    assert_eq!(text, "if a < b:\n    ```\nsaid");
    assert_eq!(markdown, "````\nif a < b:\n    ```\n````\n\n> said");
    assert_eq!(html, "<pre>if a &lt; b:\n    ```</pre>\n<blockquote><p>said</p>\n</blockquote>\n");
}

#[test]
fn text_of_the_page_is_never_markup() {
    let (_, markdown, html) = all(
        "<p># &lt;script&gt;alert(1)&lt;/script&gt; *x* [y](z)</p><p><a href='JavaScript:alert(1)'>click</a> <a href='data:x'>d</a>",
    );
    assert_eq!(markdown, "\\# \\<script\\>alert(1)\\</script\\> \\*x\\* \\[y\\](z)\n\nclick d");
    assert_eq!(html, "<p># &lt;script&gt;alert(1)&lt;/script&gt; *x* [y](z)</p>\n<p>click d</p>\n");
    let (_, _, html) = all("<p><a href='/&quot; onclick=&quot;x'>q</a>");
    assert_eq!(html, "<p><a href=\"/&quot; onclick=&quot;x\">q</a></p>\n");
}

#[test]
fn a_leaf_left_out_leaves_one_space() {
    let doc = Doc::parse("<p>one <i>two</i> three<b>four</b></p>", &Limits::default());
    let page = Page::new(&doc);
    let mut selection = Selection::none(&page);
    [0, 2, 3].into_iter().for_each(|leaf| selection.keep_leaf(leaf));
    assert_eq!(render_text(&page, &selection), "one threefour");
    assert_eq!(render_markdown(&page, &selection), "one three**four**");
}

#[test]
fn the_marked_page_shows_everything_and_marks_what_is_kept() {
    let html = "<p>one <b>two three</b></p><script>alert(1)</script><p>four</p><pre>a\n b</pre>";
    let doc = Doc::parse(html, &Limits::default());
    let page = Page::new(&doc);
    let mut selection = Selection::none(&page);
    selection.keep_part(&page, 1, 4, 7);
    selection.keep_leaf(3);
    let marked = render_marked(&page, &selection, "a <method>");
    let (_, body) = marked.split_once("</header>").unwrap();
    assert_eq!(
        body.replace('\n', "|"),
        "|<p>one <mark><strong>two</strong></mark> <strong>three</strong></p>|<p>four</p>|\
         <pre><mark>a| b</mark></pre>|</body></html>|"
    );
    assert!(marked.contains("<title>a &lt;method&gt;</title>") && !marked.contains("alert"), "{marked}");
}

#[test]
fn each_part_of_the_structure_can_be_left_out_of_all_renderings() {
    let html = "<h2>Head</h2><p>See <a href='/x'>the <b>mill</b></a>.</p><ul><li>one</ul><pre>two</pre>
        <blockquote><p>three</blockquote><table><tr><th>a<th>b<tr><td>four<td>five</table>
        <figure><img src=i.png alt='A [mill]'><figcaption>six</figcaption></figure>
        <div class=wp-caption-text>seven</div><p>end</p>";
    let doc = Doc::parse(html, &Limits::default());
    let page = Page::new(&doc);
    let text = |structure: Structure| render_text(&page, &structure.select(&page, Selection::all(&page)));
    let all = Structure::default();
    let whole = "Head\nSee the mill.\none\ntwo\nthree\na\nb\nfour\nfive\nsix\nseven\nend";
    assert_eq!(text(all), whole);
    for (structure, without) in [
        (Structure { headings: false, ..all }, "Head\n"),
        (Structure { lists: false, ..all }, "one\n"),
        (Structure { code: false, ..all }, "two\n"),
        (Structure { quotes: false, ..all }, "three\n"),
        (Structure { tables: false, ..all }, "a\nb\nfour\nfive\n"),
        (Structure { captions: false, ..all }, "six\nseven\n"),
        (Structure { links: false, ..all }, ""),
        (Structure { images: true, ..all }, ""),
    ] {
        assert_eq!(text(structure), whole.replace(without, ""), "{structure:?}");
    }
    let plain = Structure { links: false, ..all };
    let selection = Selection::all(&page);
    assert!(render_markdown_with(&page, &selection, &plain).contains("See the **mill**."));
    assert!(render_html_with(&page, &selection, &plain).contains("<p>See the <strong>mill</strong>.</p>"));
}

#[test]
fn images_are_shown_where_they_stand_between_kept_parts_or_with_their_caption() {
    let html = "<p>one</p><img src=/a.png alt='A [mill] *'><p>two</p><img src=/b.png><p>three</p>
        <figure><img data-src='/c.png' src='data:x' alt='&quot;>'><figcaption>four</figcaption></figure>
        <img src='javascript:alert(1)'><p>five</p>";
    let doc = Doc::parse(html, &Limits::default());
    let page = Page::new(&doc);
    let mut selection = Selection::all(&page);
    assert!(!render_markdown(&page, &selection).contains(".png"));
    selection = selection.without(&page, &[(page.leaves[2].node.index(), page.leaves[2].node.index() + 1)]);
    let structure = Structure::ALL;
    assert_eq!(
        render_markdown_with(&page, &selection, &structure),
        "one\n\n![A \\[mill\\] \\*](</a.png>)\n\ntwo\n\n![\"\\>](</c.png>)\n\nfour\n\nfive"
    );
    let html = render_html_with(&page, &selection, &structure);
    assert!(html.contains("<p><img src=\"/a.png\" alt=\"A [mill] *\"></p>"), "{html}");
    assert!(html.contains("alt=\"&quot;&gt;\"") && !html.contains("b.png") && !html.contains("javascript"), "{html}");
}
