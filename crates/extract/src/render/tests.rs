//! One page in its three renderings.

use gristmill_html::{Doc, TreeLimits};

use super::*;

fn all(html: &str) -> (String, String, String) {
    let doc = Doc::parse(html, &TreeLimits::default());
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
    assert_eq!(markdown, "## Head\n\nOne **bold** and [a link](/x?a=1&b=2).\n\n- first\n- second\n\n  4. inner");
    assert_eq!(
        html.replace('\n', ""),
        "<h2>Head</h2><p>One <strong>bold</strong> and <a href=\"/x?a=1&amp;b=2\">a link</a>.</p>\
         <ul><li>first</li><li>second<ol start=\"4\"><li>inner</li></ol></li></ul>"
    );
}

#[test]
fn headings_are_lines_of_the_text_however_many_lines_stand_before() {
    let html = "<h1>Mill</h1><pre>a\nb\n\n# c</pre><p>d<br>e</p><h3><div>F<br>g</div></h3><h2></h2><p>h</p><h2>I</h2>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let RenderedText { text, headings } = RenderedText::new(&page, &Selection::all(&page));
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<_> = headings.iter().map(|heading| (lines[heading.line as usize], heading.level)).collect();
    assert_eq!(found, [("Mill", 1), ("F", 3), ("g", 3), ("I", 2)], "{text}");
}

#[test]
fn data_tables_stay_tables_and_layout_tables_do_not() {
    let (_, markdown, html) = all("<table><tr><th>a<th>b<tr><td>1|2<td><p>x</p><p>y</p></table>");
    assert_eq!(markdown, "| a | b |\n| --- | --- |\n| 1\\|2 | x<br>y |");
    assert_eq!(
        html.replace('\n', ""),
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>"
    );
    let (_, markdown, _) = all("<table><tr><td>menu<td><table><tr><td>one cell of text</table></table>");
    assert_eq!(markdown, "menu\n\none cell of text");
}

#[test]
fn the_only_cell_that_is_kept_of_a_table_is_a_paragraph() {
    let html = "<table><tr><th>Mill<th>Sacks<tr><td>Upper | lower<td>3<tr><td>Old<td>4</table>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let beside = |leaf: &gristmill_page::TextNode| page.leaf_text(leaf) != "Upper | lower";
    let others: Vec<_> = page.leaves.iter().filter(|leaf| beside(leaf)).map(|leaf| leaf.node.index()).collect();
    let others: Vec<_> = others.into_iter().map(|at| (at, at + 1)).collect();
    let markdown = render_markdown(&page, &Selection::all(&page).without(&page, &others));
    assert_eq!(markdown, "Upper | lower");
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
    assert_eq!(markdown, "\\# \\<script>alert(1)\\</script> \\*x\\* \\[y](z)\n\nclick d");
    assert_eq!(html, "<p># &lt;script&gt;alert(1)&lt;/script&gt; *x* [y](z)</p>\n<p>click d</p>\n");
    let (_, _, html) = all("<p><a href='/&quot; onclick=&quot;x'>q</a>");
    assert_eq!(html, "<p><a href=\"/&quot; onclick=&quot;x\">q</a></p>\n");
}

#[test]
fn a_leaf_left_out_leaves_one_space() {
    let doc = Doc::parse("<p>one <i>two</i> three<b>four</b></p>", &TreeLimits::default());
    let page = Page::new(&doc);
    let mut selection = Selection::none(&page);
    [0, 2, 3].into_iter().for_each(|leaf| selection.keep_leaf(leaf));
    assert_eq!(render_text(&page, &selection), "one threefour");
    assert_eq!(render_markdown(&page, &selection), "one three**four**");
}

#[test]
fn the_marked_page_shows_everything_and_marks_what_is_kept() {
    let html = "<p>one <b>two three</b></p><script>alert(1)</script><p>four</p><pre>a\n b</pre>";
    let doc = Doc::parse(html, &TreeLimits::default());
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
    let doc = Doc::parse(html, &TreeLimits::default());
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
    assert!(render_markdown_with(&page, &selection, &plain, None).contains("See the **mill**."));
    assert!(render_html_with(&page, &selection, &plain, None).contains("<p>See the <strong>mill</strong>.</p>"));
}

#[test]
fn images_are_shown_where_they_stand_between_kept_parts_or_with_their_caption() {
    let html = "<p>one</p><img src=/a.png alt='A [mill] *'><p>two</p><img src=/b.png><p>three</p>
        <figure><img data-src='/c.png' src='data:x' alt='&quot;>'><figcaption>four</figcaption></figure>
        <img src='javascript:alert(1)'><p>five</p>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let mut selection = Selection::all(&page);
    assert!(!render_markdown(&page, &selection).contains(".png"));
    selection = selection.without(&page, &[(page.leaves[2].node.index(), page.leaves[2].node.index() + 1)]);
    let structure = Structure::ALL;
    assert_eq!(
        render_markdown_with(&page, &selection, &structure, None),
        "one\n\n![A [mill] *](/a.png)\n\ntwo\n\n![\">](/c.png)\n\nfour\n\nfive"
    );
    let html = render_html_with(&page, &selection, &structure, None);
    assert!(html.contains("<p><img src=\"/a.png\" alt=\"A [mill] *\"></p>"), "{html}");
    assert!(html.contains("alt=\"&quot;&gt;\"") && !html.contains("b.png") && !html.contains("javascript"), "{html}");
}

#[test]
fn images_stand_in_their_row_or_cell_once_and_with_their_links() {
    for (html, expected) in [
        ("<p>a<p><img srcset='/s.png 1x, /l.png 2x' alt=x><p>b", "a\n\n![x](/l.png)\n\nb"),
        ("<p>a<picture><source srcset='/p.png 640w'><img alt=x></picture><p>b", "a\n\n![x](/p.png)\n\nb"),
        ("<p>a<p><img data-src=/i.png src=data:x><noscript><img src=/i.png></noscript><p>b", "a\n\n![](/i.png)\n\nb"),
        (
            "<p>a<div class=only-mobile><img src=/m.png></div><div class=only-desktop><img src=/d.png></div><p>b",
            "a\n\n![](/d.png)\n\nb",
        ),
        ("<p>a<p><img src=/b.gif data-echo=/i.png><p>b", "a\n\n![](/b.gif)\n\nb"),
        ("<p>a<p><img src=/blank.gif data-echo='/i.png?w=3'><p>b", "a\n\n![](/i.png?w=3)\n\nb"),
        ("<p>a<p><img src=/i_300x.jpg data-src='/i_{width}x.jpg'><p>b", "a\n\n![](/i_300x.jpg)\n\nb"),
        ("<p>a<p><img src=/count.gif width=1 height=1><p>b", "a\n\nb"),
        (
            "<p>a<p><img src=/1.png><span><img src=data:x><noscript><img src=/2.png></noscript></span><p>b",
            "a\n\n![](/1.png)\n\n![](/2.png)\n\nb",
        ),
        ("<p>a<p><a href=/map><img src=/m.png alt=map></a><p>b", "a\n\n[![map](/m.png)](/map)\n\nb"),
        ("<p>Press the <img src=/b.png alt=bell> sign.", "Press the ![bell](/b.png) sign."),
        (
            "<table><tr><th>Sign<th>Sense<tr><td><img src=/r.png alt=red><td>no</table>",
            "| Sign | Sense |\n| --- | --- |\n| ![red](/r.png) | no |",
        ),
        (
            "<p>a<p><iframe src='https://www.youtube.com/embed/x' title='A lock'></iframe><p>b",
            "a\n\n[A lock](https://www.youtube.com/embed/x)\n\nb",
        ),
        ("<p>a<p><video><source src=/lock.mp4></video><p>b", "a\n\n[lock.mp4](/lock.mp4)\n\nb"),
        ("<p>a<p><iframe src='https://ads.example/x' title=Ad></iframe><p>b", "a\n\nb"),
    ] {
        assert_eq!(both(html, None).0, expected, "{html}");
    }
    let (_, html) = both("<p>Press the <a href=/x><img src=/b.png alt=bell></a> sign.", None);
    assert_eq!(html, "<p>Press the <a href=\"/x\"><img src=\"/b.png\" alt=\"bell\"></a> sign.</p>");
    let (_, markdown, _) = all("<table><tr><th>Sign<th>Sense<tr><td><img src=/r.png alt=red><td>no</table>");
    assert_eq!(markdown, "| Sign | Sense |\n| --- | --- |\n| red | no |");
}

#[test]
fn images_of_a_row_of_figures_stay_with_their_captions_where_these_were_not_kept() {
    let html = "<p>a</p><div><figure><img src=/1.png><figcaption>one <b>w</b>heel</figcaption></figure>
        <figure><img src=/2.png><figcaption>two</figcaption></figure></div><p>b</p>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let between = (page.leaves[1].node.index(), page.leaves[5].node.index());
    let selection = Selection::all(&page).without(&page, &[between]);
    assert_eq!(
        render_markdown_with(&page, &selection, &Structure::ALL, None),
        "a\n\n![](/1.png)\n\none wheel\n\n![](/2.png)\n\ntwo\n\nb"
    );
    assert_eq!(render_text(&page, &selection), "a\nb");
}

#[test]
fn tasks_quotes_rules_struck_words_and_summaries_are_said() {
    for (html, expected) in [
        (
            "<ul><li><input type=checkbox disabled checked> a<li><input type=checkbox disabled> b</ul>",
            "- [x] a\n- [ ] b",
        ),
        ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"),
        ("<p>a <del>b</del> <s>c</s> d", "a ~~b c~~ d"),
        ("<p>a<hr><p>b", "a\n\n---\n\nb"),
        ("<details><summary>More</summary><p>b</details>", "**More**\n\nb"),
        ("<div class=admonition><p class=admonition-title>Note</p><p>b</div>", "**Note**\n\nb"),
        ("<div class='warning custom-block'><p class=custom-block-title>Wait</p><p>b</div>", "**Wait**\n\nb"),
        ("<div class=alert><p>b</div>", "b"),
    ] {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        assert_eq!(render_markdown(&page, &Selection::all(&page)), expected, "{html}");
    }
    let mut doc = Doc::parse("<p>He said <q>so <q>it</q> is</q>, <q>“yes”</q>.", &TreeLimits::default());
    gristmill_page::formulas::spell_out(&mut doc);
    let page = Page::new(&doc);
    assert_eq!(render_text(&page, &Selection::all(&page)), "He said “so ‘it’ is”, “yes”.");
    let (_, _, html) = all("<ul><li><input type=checkbox disabled checked>a</ul><p>a <del>b</del>");
    assert_eq!(
        html.replace('\n', ""),
        "<ul><li><input type=\"checkbox\" disabled checked> a</li></ul><p>a <del>b</del></p>"
    );
}

#[test]
fn lines_that_lead_to_other_articles_are_left_out() {
    let (text, ..) = all(
        "<p>One.<p><b>READ MORE:</b> <a href=/x>What the storm cost</a><p>Read more <a href=/y>about it</a> in the library.",
    );
    assert_eq!(text, "One.\nRead more about it in the library.");
    let (text, ..) =
        all("<p>One.<p><em>Related: <a href=/x>The flood</a></em><p><a href=/y><b>A LIRE AUSSI :</b> La crue</a>");
    assert_eq!(text, "One.");
}

fn both(html: &str, url: Option<&str>) -> (String, String) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let selection = Selection::all(&page);
    let markdown = render_markdown_with(&page, &selection, &Structure::ALL, url);
    (markdown, render_html_with(&page, &selection, &Structure::ALL, url).replace('\n', ""))
}

#[test]
fn links_and_images_are_absolute_where_the_page_or_the_caller_says_from_where() {
    let body = "<p>a <a href='../x?q=1#y'>b</a><p><img src='i.png' alt=c><p>d";
    let (markdown, html) = both(body, Some("https://a.example/b/c/"));
    assert_eq!(markdown, "a [b](https://a.example/b/x?q=1#y)\n\n![c](https://a.example/b/c/i.png)\n\nd");
    assert!(
        html.contains("<a href=\"https://a.example/b/x?q=1#y\">")
            && html.contains("src=\"https://a.example/b/c/i.png\"")
    );
    let based = format!("<base href='https://cdn.example/r/'>{body}");
    assert!(both(&based, None).0.contains("[b](https://cdn.example/x?q=1#y)"));
    assert!(both(&based, Some("https://a.example/")).0.contains("(https://cdn.example/r/i.png)"));
    assert!(
        both(&format!("<base href='/r/'>{body}"), Some("https://a.example/")).0.contains("(https://a.example/r/i.png)")
    );
    assert!(both(body, None).0.contains("[b](../x?q=1#y)"));
}

#[test]
fn a_markdown_reader_gets_every_address_back_and_few_are_in_pointed_brackets() {
    for (href, written) in [
        ("/a_b*c?d=1&e=2#f", "/a_b*c?d=1&e=2#f"),
        ("/wiki/Mill_(grinding)", "/wiki/Mill_(grinding)"),
        ("/a)b", "</a)b>"),
        ("/a((b))", "</a((b))>"),
        ("/a b", "</a b>"),
        ("/a?x&copy;=1", "/a?x&amp;copy;=1"),
        ("/a[b]!", "/a[b]!"),
    ] {
        let (markdown, _) = both(&format!("<p><a href='{}'>x</a>`", href.replace('&', "&amp;")), None);
        assert_eq!(markdown, format!("[x]({written})`"));
        let link = pulldown_cmark::Parser::new(&markdown).find_map(|event| match event {
            pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
            _ => None,
        });
        assert_eq!(link.as_deref(), Some(href), "{markdown}");
    }
}

#[test]
fn line_breaks_stay_line_breaks_of_one_paragraph() {
    let (markdown, html) =
        both("<p>One<br># two <b>three<br>four</b><br><br>five</p><h2>A<br>B</h2><ul><li>x<br>- y</ul>", None);
    assert_eq!(markdown, "One\\\n\\# two **three**\\\n**four**\n\nfive\n\n## A B\n\n- x\\\n  \\- y");
    assert_eq!(
        html,
        "<p>One<br># two <strong>three</strong><br><strong>four</strong></p><p>five</p><h2>A<br>B</h2><ul><li>x<br>- y</li></ul>"
    );
}

#[test]
fn lists_go_on_with_the_numbers_of_the_page() {
    let doc = Doc::parse("<ol start=3><li>a<li>b<li value=9>c<li>d</ol>", &TreeLimits::default());
    let page = Page::new(&doc);
    let mut selection = Selection::none(&page);
    [1, 3].into_iter().for_each(|leaf| selection.keep_leaf(leaf));
    assert_eq!(render_markdown(&page, &selection), "4. b\n10. d");
    assert!(render_html(&page, &selection).starts_with("<ol start=\"4\"><li>b"));
}

#[test]
fn wide_empty_and_captioned_tables_keep_their_columns() {
    let (markdown, html) = both(
        "<table><caption>Scores</caption><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td><td>e<br>f<td>g<pre>h\n  i</pre></table>",
        None,
    );
    assert_eq!(
        markdown,
        "Scores\n\n| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n|  | e<br>f | g<br>`h`<br>\u{a0} `i` |"
    );
    assert_eq!(
        html,
        "<table><caption>Scores</caption><tr><th rowspan=\"2\">a</th><th colspan=\"2\">b</th></tr><tr><td>c</td><td>d</td></tr>\
         <tr><td></td><td>e<br>f</td><td>g<br><pre>h  i</pre></td></tr></table>"
    );
}

#[test]
fn code_quotes_and_tables_stay_in_their_item_and_the_numbers_go_on() {
    let (text, markdown, html) =
        all("<ol><li>one<pre>a\n b</pre>then<li><p>two<p>more<blockquote><p>said<p>again</blockquote><li>three\
         <table><tr><th>x<th>y<tr><td>1<td>2</table></ol>");
    assert_eq!(
        markdown,
        "1. one\n\n   ```\n   a\n    b\n   ```\n\n   then\n2. two\n\n   more\n\n   > said\n   >\n   > again\n3. three\n\n   \
         | x | y |\n   | --- | --- |\n   | 1 | 2 |"
    );
    assert_eq!(
        html.replace('\n', ""),
        "<ol><li>one<pre>a b</pre><p>then</p></li><li>two<p>more</p><blockquote><p>said</p><p>again</p></blockquote></li>\
         <li>three<table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table></li></ol>"
    );
    assert_eq!(text, "one\na\n b\nthen\ntwo\nmore\nsaid\nagain\nthree\nx\ny\n1\n2");
}

#[test]
fn a_quote_of_two_paragraphs_is_one_and_two_quotes_are_two() {
    let (_, markdown, _) = all("<blockquote><p>a<p>b</blockquote><blockquote><p>c</blockquote>");
    assert_eq!(markdown, "> a\n>\n> b\n\n> c");
}

#[test]
fn terms_and_definitions_are_told_apart() {
    let (_, markdown, html) =
        all("<dl><dt>Rye<dd><p>A grain.<p>Dark.<dt><code>-v</code><dd>Says more.</dl><dl><dd>Alone.</dl>");
    assert_eq!(markdown, "Rye\n:   A grain.\n\n    Dark.\n\n`-v`\n:   Says more.\n\nAlone.");
    assert_eq!(
        html.replace('\n', ""),
        "<dl><dt>Rye</dt><dd>A grain.<p>Dark.</p></dd><dt><code>-v</code></dt><dd>Says more.</dd></dl><p>Alone.</p>"
    );
}

#[test]
fn a_cell_holds_lists_paragraphs_and_a_table_and_stays_one() {
    let (_, markdown, html) = all(
        "<table><tr><th>Day<th>Open<tr><td>Wed<td><ul><li>10 to 12<li>14 to 19</ul><tr><td>Thu<td><table><tr><td>9<td>11<tr>\
         <td>13<td>15</table></table>",
    );
    assert_eq!(markdown, "| Day | Open |\n| --- | --- |\n| Wed | 10 to 12<br>14 to 19 |\n| Thu | 9 11<br>13 15 |");
    assert!(html.contains("<td>10 to 12<br>14 to 19</td>") && html.contains("<td>9 11<br>13 15</td>"), "{html}");
}

#[test]
fn what_stands_above_or_below_the_line_does_not_run_into_its_word() {
    let page = "<p>10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, 3<sup>rd</sup>, e<sup>2kx</sup>, k<sub>B</sub>, \
                <ruby>町<rt>まち</rt></ruby>は <ruby>虐<rp>(</rp><rt>ぎゃく</rt><rp>)</rp></ruby>";
    let (text, markdown, html) = all(page);
    assert_eq!(text, "10⁶ m², H₂O, 3rd, e^(2kx), k_(B), 町（まち）は 虐(ぎゃく)");
    assert_eq!(markdown, "10⁶ m², H₂O, 3rd, e<sup>2kx</sup>, k<sub>B</sub>, 町（まち）は 虐(ぎゃく)");
    assert!(
        html.contains("10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, 3<sup>rd</sup>") && html.contains("町（まち）は"),
        "{html}"
    );
}

#[test]
fn a_page_of_many_rows_is_rendered_in_linear_time() {
    let start = cpu_time::ThreadTime::now();
    for row in [
        "<p>a",
        "<li>a",
        "<tr><td>a<td>b",
        "<dt>a<dd>b",
        "<p>a<sup>2</sup>",
        "<blockquote><p>a</blockquote>",
        "<p>a <i hidden>b</i>",
    ] {
        assert!(all(&row.repeat(60_000)).1.len() > 60_000);
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn footnotes_are_written_as_notes_and_what_refers_to_them_leads_there() {
    let html = "<h1>A</h1><p>One.<sup><a href=#f1 id=r1>1</a></sup> Two<a href=#f2 id=r2>[*]</a>.<hr><ol class=footnotes>\
        <li id=f1><p>Note. <a href=#r1>↩</a></p><ul><li>x</ul><li id=f2>Other <a href=#r2>back</a></ol>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let all = Selection::all(&page);
    assert_eq!(render_markdown(&page, &all), "# A\n\nOne.[^1] Two[^2].\n\n[^1]: Note.\n\n    - x\n\n[^2]: Other");
    let note =
        |n: u32, text: &str| format!("<aside id=\"note-{n}\" role=\"doc-footnote\"><sup>{n}</sup> {text}</aside>\n");
    let reference = |n: u32| format!("<sup><a href=\"#note-{n}\" role=\"doc-noteref\">{n}</a></sup>");
    let html = render_html(&page, &all);
    assert!(html.contains(&format!("<p>One.{} Two{}.</p>", reference(1), reference(2))), "{html}");
    assert!(html.ends_with(&note(2, "Other")), "{html}");
    // Where the note is not kept its number is a number.
    let none = Structure { notes: false, ..Structure::default() };
    let selection = none.select(&page, Selection::all(&page));
    assert_eq!(render_text(&page, &selection), "A\nOne. Two.");
}

#[test]
fn notes_within_a_row_are_written_behind_it() {
    let html = "<p>One<label for=s class=sidenote-number></label><input type=checkbox id=s><span class=sidenote>Note <i>x</i>.</span> two.<p>Three.";
    let (_, markdown, html) = all(html);
    assert_eq!(markdown, "One[^1] two.\n\n[^1]: Note *x*.\n\nThree.");
    assert!(
        html.contains("<aside id=\"note-1\" role=\"doc-footnote\"><sup>1</sup> Note <em>x</em>.</aside>"),
        "{html}"
    );
}

#[test]
fn formulas_are_between_dollar_signs_and_their_signs_are_left_alone() {
    let html = "<p>For <span class='math inline'>\\(a_i^* < b_j\\)</span> at $5 or *$6*, <math><mi>x</mi></math> and \\[\\alpha_1\\] b_1.";
    let mut doc = Doc::parse(html, &TreeLimits::default());
    gristmill_page::formulas::spell_out(&mut doc);
    let page = Page::new(&doc);
    let all = Selection::all(&page);
    assert_eq!(render_markdown(&page, &all), "For $a_i^* < b_j$ at $5 or \\*$6\\*, $x$ and $$\\alpha_1$$ b_1.");
    assert!(render_html(&page, &all).contains("<span class=\"math display\">\\[\\alpha_1\\]</span> b_1."));
    assert_eq!(render_text(&page, &all), "For a_i^* < b_j at $5 or *$6*, x and \\[\\alpha_1\\] b_1.");
}

#[test]
fn direction_kinds_of_lists_and_marked_words_stay_in_html() {
    for (html, expected) in [
        ("<div dir=rtl><h2>a</h2><p>b</div>", "<div dir=\"rtl\"><h2>a</h2><p>b</p></div>"),
        (
            "<p>a<p dir=RTL>b<ul><li dir=rtl>c</ul>",
            "<p>a</p><p dir=\"rtl\">b</p><ul><li><p dir=\"rtl\">c</p></li></ul>",
        ),
        ("<div dir=rtl><p dir=auto>a<p dir=ltr>b</div>", "<p dir=\"rtl\">a</p><p>b</p>"),
        ("<ol type=a start=2><li>a</ol>", "<ol type=\"a\" start=\"2\"><li>a</li></ol>"),
        ("<ol reversed><li>a<li>b</ol>", "<ol reversed start=\"2\"><li>a</li><li>b</li></ol>"),
        ("<ol type='x\" y'><li>a</ol>", "<ol><li>a</li></ol>"),
        ("<p>a <mark>b</mark>", "<p>a <mark>b</mark></p>"),
    ] {
        assert_eq!(all(html).2.replace('\n', ""), expected, "{html}");
    }
    assert_eq!(all("<p>a <mark>b <b>c</b></mark>").1, "a <mark>b</mark> <mark>**c**</mark>");
}

#[test]
fn references_in_brackets_are_no_exponents() {
    let text = |html: &str| all(html).0;
    assert_eq!(text("<p>Old.<sup><a href=#n><span>[</span>1<span>]</span></a></sup> New"), "Old.[1] New");
    assert_eq!(text("<p>A [<sup>18</sup>F] of 10<sup>6</sup>"), "A [¹⁸F] of 10⁶");
}
