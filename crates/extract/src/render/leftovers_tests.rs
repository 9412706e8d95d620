//! What stands on pages for no reader, and what looks like it and is text.

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::{Page, Selection};

use crate::render::{render_markdown, render_text};

fn text(html: &str) -> String {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    render_text(&page, &Selection::all(&page))
}

#[test]
fn permalink_signs_are_no_part_of_headings() {
    let sphinx = "<h1>csv<a class=headerlink href='#x' title='Permalink to this headline'>¶</a></h1>";
    assert_eq!(text(sphinx), "csv");
    assert_eq!(text("<h2><a href='#a'>#</a> Setup</h2><h3>Use <a href='/p#b'>§</a></h3>"), "Setup\nUse");
    assert_eq!(text("<dl><dt>open(file)<a href='#open'>¶</a><dd>Opens."), "open(file)\nOpens.");
    assert_eq!(text("<h2><a href='#a'>¶</a></h2><p>C# <a href='/c#'>#</a> and § 3</p>"), "¶\nC# # and § 3");
    assert_eq!(
        text("<h2>NAME &nbsp; <a href='#top_of_page'><span>top</span></a></h2><p>the <a href='#t'>top</a>"),
        "NAME\nthe top"
    );
    let asked = "<p>It is old.<sup class='noprint Inline-Template'>[<i><a href=/c><span>citation needed</span></a></i>]</sup> And big.";
    assert_eq!(text(asked), "It is old. And big.");
    let doc = Doc::parse(sphinx, &TreeLimits::default());
    let page = Page::new(&doc);
    assert_eq!(render_markdown(&page, &Selection::all(&page)), "# csv");
}

#[test]
fn words_that_the_page_hides_within_a_row_are_not_read_and_what_is_folded_whole_stays() {
    assert_eq!(text("<p>The word <span style='display:none'>COPY-77</span>is hidden"), "The word is hidden");
    assert_eq!(
        text(
            "<p>12 €<span class=visually-hidden>12 euros</span>, see <a href=/x>the map<i class='SR-only sr-only'> in a window</i></a>"
        ),
        "12 €, see the map"
    );
    assert_eq!(
        text(
            "<p>a <b hidden>b</b><p>c<p style='display:none'>trap<p>d<h3>Why?</h3><div hidden>A panel <b>of words</b></div>"
        ),
        "a\nc\nd\nWhy?\nA panel of words"
    );
    assert_eq!(text("<pre>x = 1 <span class=hidden hidden># one</span></pre>"), "x = 1 # one");
}

#[test]
fn line_numbers_beside_code_and_in_it_are_no_code() {
    let code = "import csv\n\nx = 1";
    for html in [
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2\n3</pre><td class=code><pre>import csv\n\nx = 1</pre></table>",
        "<table><tr><td><pre>7\n8\n9</pre><td><pre>import csv\n\nx = 1</pre></table>",
        "<figure class='highlight python'><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span><br>
            </pre><td class=code><pre><span class=line>import csv</span><br><span class=line></span><br><span class=line>x = 1</span><br></pre></table></figure>",
        "<pre><span class=linenos>1</span>import csv\n<span class=linenos>2</span>\n<span class=linenos>3</span>x = 1</pre>",
        "<pre><code class=hljs><table class=hljs-ln><tr><td class=hljs-ln-numbers>1<td class=hljs-ln-code>import csv
<tr><td class=hljs-ln-numbers>2<td class=hljs-ln-code>\n<tr><td class=hljs-ln-numbers>3<td class=hljs-ln-code>x = 1</table></code></pre>",
        "<div class=syntaxhighlighter><table><tr><td class=gutter><div class='line number1'>1</div><div class=line>2</div><div class=line>3</div>
            <td class=code><div class=container><div class=line>import csv</div><div class=line>&nbsp;</div><div class=line>x = 1</div></div></table></div>",
        "<div class=fragment><div class=line><span class=lineno>   12</span>&#160;<b>import</b> csv</div>
            <div class=line><span class=lineno>   13</span>&#160;</div><div class=line><span class=lineno>   14</span>&#160;x = 1</div></div>",
    ] {
        let lines: Vec<String> = text(html).lines().map(|line| line.trim_end().to_owned()).collect();
        assert_eq!(lines.join("\n"), code, "{html}");
    }
    assert_eq!(text("<table><tr><td>1 2<td><p>Two goals</table>"), "1 2\nTwo goals");
    assert_eq!(text("<div class=highlight><button>Copy</button><pre>x</pre></div>"), "x");
}

#[test]
fn shortcodes_are_left_out_and_their_content_stays() {
    let html = "<p>[vc_row full_width=”stretch” css=\".a{b:[c]}\"][vc_column]One [su_dropcap]t[/su_dropcap]ext.[/vc_column][/vc_row]</p>
        <p>[caption id=\"a1\" align=\"left\"]A mill[/caption] [gallery ids='1,2']</p><p>[b]Two[/b] [embed]three[/embed]";
    assert_eq!(text(html), "One t ext.\nA mill\nTwo three");
}

#[test]
fn words_in_brackets_and_shortcodes_that_are_shown_stay() {
    let html = "<p>He said [sic] so [1] [edit] [see below].</p><p>Write <code>[gallery ids=\"1\"]</code>.</p>
        <pre>[vc_row a=\"b\"]</pre><p>[/usr/bin] [a=b] [gallery]";
    assert_eq!(
        text(html),
        "He said [sic] so [1] [edit] [see below].\nWrite [gallery ids=\"1\"].\n[vc_row a=\"b\"]\n[/usr/bin] [a=b] [gallery]"
    );
}

#[test]
fn serialised_state_is_left_out_and_small_examples_stay() {
    let json = format!("{{\"props\":{{\"items\":[{}]}}}}", ["{\"id\":1,\"name\":\"a b\"}"; 12].join(","));
    let escaped = json.replace('"', "&quot;");
    assert_eq!(text(&format!("<p>One<p>{escaped}<p>Two")), "One\nTwo");
    assert_eq!(text(&format!("<p>One<p>window.__STATE__ = {escaped};<p>Two")), "One\nTwo");
    assert_eq!(text(&format!("<p>One<p>Text [[{escaped}]] goes on")), "One\nText goes on");
    assert_eq!(text(&format!("<p>One<pre>{escaped}</pre>")), format!("One\n{json}"));
    let php = format!("a:2:{{s:4:&quot;name&quot;;{}}}", "i:1;s:3:&quot;abc&quot;;".repeat(12));
    assert_eq!(text(&format!("<p>One<p>{php}")), "One");
    let blob = "JTNDc2NyaXB0JTNFdmFy3mCk".repeat(10);
    assert_eq!(text(&format!("<p>[vc_raw_html]{blob}[/vc_raw_html]<p>One")), "One");
    let small = "<p>It answers {\"a\": 1, \"b\": [2]} and nothing else.";
    assert_eq!(text(small), "It answers {\"a\": 1, \"b\": [2]} and nothing else.");
}

#[test]
fn brackets_and_braces_without_end_take_linear_time() {
    for part in ["[", "[a ", "[a='", "[[{\"", "{\"a\":", "a:1:{s:", "{"] {
        let html = format!("<p>{}", part.repeat(400_000));
        let start = cpu_time::ThreadTime::now();
        assert!(!text(&html).is_empty());
        assert!(start.elapsed().as_secs() < 10, "{part}: {:?}", start.elapsed());
    }
}

#[test]
fn what_unfolds_and_sorts_is_no_title() {
    let toggle = "<h2><button aria-expanded=false><span class=text>May I bring a dog?</span><span class=section-toggle><span>Show</span></span></button></h2>";
    assert_eq!(text(toggle), "May I bring a dog?");
    assert_eq!(
        text("<h3>Ingredients<div><button>1x</button><button>2x</button></div></h3><p>Rye."),
        "Ingredients\nRye."
    );
    assert_eq!(text("<h2><button class=accordion-toggle>Show all</button></h2>"), "Show all");
    assert_eq!(
        text(
            "<table><tr><th><button>Parish<span>▲▼</span></button><th>Up <i>↑</i><tr><td>Mill<td>↑<tr><td>Quay<td>↓</table>"
        ),
        "Parish\nUp\nMill\n↑\nQuay\n↓"
    );
    assert_eq!(text("<h2><a href='#a1'>◆ </a>kelp_offer()</h2>"), "kelp_offer()");
}

#[test]
fn titles_of_links_to_other_articles_go_with_the_links_and_marks_of_advertisements_go_alone() {
    let around = |line: &str| text(&format!("<p>One.</p>{line}<p>Two.</p>"));
    for line in [
        "<p><strong>LEIA TAMBÉM</strong><br><a href=/n>Ponte velha fecha</a></p>",
        "<p><b>İlgili haber: <a href=/n>Eski köprü kapanıyor</a></b></p>",
        "<p>【関連記事】<a href=/n>古い橋は通行止め</a></p>",
        "<p>[관련기사] <a href=/n>옛 다리 폐쇄</a></p>",
        "<div>ADVERTISEMENT</div>",
        "<p>- Anzeige -</p>",
    ] {
        assert_eq!(around(line), "One.\nTwo.", "{line}");
    }
    for line in
        ["<ul><li>Werbung</ul>", "<p>Werbung wirkt.</p>", "<p>Read also<br>the diary of <a href=/d>Jonas</a></p>"]
    {
        assert!(around(line).len() > "One.\nTwo.".len(), "{line}");
    }
}

#[test]
fn titles_of_several_links_go_with_them_and_those_that_lead_nowhere_go_alone() {
    let around = |lines: &str| text(&format!("<div><p>One.</p>{lines}<p>Two.</p></div>"));
    for lines in [
        "<p><b>Lue aiheesta lisää:</b></p><p><a href=/n>Vanha silta suljetaan</a></p><p><a href=/m>Uusi silta avataan</a></p>",
        "<p><b>RELATED STORIES</b></p><ul><li><a href=/n>The old bridge closes</a><li><a href=/m>A new one opens</a></ul>",
        "<p>READ MORE:<br>* <a href=/n>The old bridge closes</a><br>* <a href=/m>A new one opens</a></p>",
        "<div>Read more</div>",
        "<p><i>Weiterlesen:</i></p>",
    ] {
        assert_eq!(around(lines), "One.\nTwo.", "{lines}");
    }
    for lines in [
        "<p>See also:</p><p><a href=/n>The Models Reference</a></p>",
        "<ul><li>Read more</ul>",
        "<p>Related:</p><p>The bridge of 1900.</p>",
        "<h2>Related articles</h2><p><a href=/n>The old bridge closes</a></p>",
    ] {
        assert!(around(lines).len() > "One.\nTwo.".len(), "{lines}");
    }
}

#[test]
fn the_address_of_the_page_alone_is_no_line_of_it() {
    let own = "<link rel=canonical href=https://mill.example/wheel/>";
    let of = |row: &str| text(&format!("{own}<p>One.</p>{row}<p>Two.</p>"));
    assert_eq!(of("<p><a href=/wheel>http://mill.example/wheel/index.html</a></p>"), "One.\nTwo.");
    assert_eq!(of("<p>https://mill.example/stone/</p>"), "One.\nhttps://mill.example/stone/\nTwo.");
    assert_eq!(of("<p>See https://mill.example/wheel/</p>"), "One.\nSee https://mill.example/wheel/\nTwo.");
}

#[test]
fn lines_that_a_program_writes_into_a_text_go() {
    let html = "<p>The wheel is elm.<p>Last edited by Ana (2024-05-04 10:11)<figure><div>Press enter or click to view image in full size</div>\
                </figure><p>本帖最后由 山泉 于 2023-5-1 10:22 编辑<p><strong>ये भी पढ़ें:</strong> <a href=/b>पुराना पुल</a><p>It was last edited by Ana.";
    assert_eq!(text(html), "The wheel is elm.\nIt was last edited by Ana.");
}

#[test]
fn what_shows_under_the_mouse_or_behind_a_tick_is_no_text() {
    let tip = "<span role=tooltip>A channel that brings water.</span>";
    assert_eq!(text(&format!("<p>The <b>leat{tip}</b> was dry.</p>")), "The leat was dry.");
    assert_eq!(text("<p>The <b>leat<i class=tooltiptext>A channel.</i></b> was dry.</p>"), "The leat was dry.");
    assert_eq!(text(&format!("<p>The leat.</p><p>{tip}</p>")), "The leat.\nA channel that brings water.");
    let code =
        "<pre><code>def a := 4\n<label for=t>skip</label><input type=checkbox id=t><span>h : True</span></code></pre>";
    assert_eq!(text(code), "def a := 4\nskip");
    assert_eq!(text("<pre><code>int a;\nb;\n<div class=hljs-button>登录复制</div></code></pre>"), "int a;\nb;");
}

#[test]
fn a_row_that_only_leads_back_to_the_top_is_no_text() {
    for back in [
        "<p><a href=#top>Back to Top</a></p>",
        "<div>[<a href='#100'>Top</a>]</div>",
        "<p><button>Back to top</button></p>",
    ] {
        assert_eq!(text(&format!("<p>The mill.</p>{back}<p>The wheel.</p>")), "The mill.\nThe wheel.", "{back}");
    }
    assert_eq!(text("<ul><li><a href=/top>Top</a><li>Top</ul>"), "Top\nTop");
}
