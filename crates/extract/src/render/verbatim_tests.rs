//! Blocks of code as pages write them.

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::{Page, Selection};

use crate::render::{render_markdown, render_text};

fn text(html: &str) -> String {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    render_text(&page, &Selection::all(&page))
}

fn markdown(html: &str) -> String {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    render_markdown(&page, &Selection::all(&page))
}

#[test]
fn white_space_between_elements_of_a_pre_is_kept() {
    let html =
        "<p>See:<pre><span>import</span> <span>csv</span>\n\n<b>if</b> <i>x</i>:\n\t<u>y</u>  =  <u>1</u> \n</pre>";
    assert_eq!(text(html), "See:\nimport csv\n\nif x:\n\ty  =  1");
}

#[test]
fn blank_lines_and_the_indentation_of_the_first_line_are_kept() {
    assert_eq!(text("<pre>\n\n    a\n\n\n  b\n\n</pre>"), "    a\n\n\n  b");
    assert_eq!(text("<pre>a&nbsp;b\r\nc&#13;d&#1;&shy;e</pre>"), "a b\nc\nde");
}

#[test]
fn line_breaks_and_lines_that_are_elements_are_lines() {
    assert_eq!(text("<pre>a<br><br>  b<br>c</pre>"), "a\n\n  b\nc");
    let lines = "<pre><div>a</div>\n<div>\n</div>\n<div>  b</div></pre>";
    assert_eq!(text(lines), "a\n\n  b");
    let list = "<pre class=prettyprint><ol class=linenums><li class=L0>import x</li><li class=L1>  y</ol></pre>";
    assert_eq!(text(list), "import x\n  y");
}

#[test]
fn below_a_pre_that_was_never_closed_paragraphs_are_paragraphs() {
    let html = "<pre>a\n b<p>One  paragraph <h2>Head</h2><p>Two";
    assert_eq!(markdown(html), "```\na\n b\n```\n\nOne paragraph\n\n## Head\n\nTwo");
}

#[test]
fn code_without_a_pre_is_found_by_what_it_is_made_of() {
    let code = "```\nimport csv\n  x\n```";
    for html in [
        "<code>import csv<br>\n&nbsp; x<br></code>",
        "<p><code>import csv<br />\n&nbsp; x</code></p>",
        "<div class=highlight><div class=line>import <b>csv</b></div>\n<div class=line>  x</div></div>",
        "<div class=syntaxhighlighter><div class=line><code>import</code> <code>csv</code></div><div class=line>  x</div></div>",
        "<code class=hljs><div>import csv</div><div>  x</div></code>",
        "<div style='white-space: pre; font-family: Courier'>import csv\n  x</div>",
        "<div style='white-space:pre'>import csv\n  x</div>",
        "<code style='white-space:pre-wrap'>import csv\n  x</code>",
        "<textarea>import csv\n  x</textarea>",
        "<section><code>import csv\n  x</code></section>",
        "<p><code>import csv</code><br><code>&nbsp; x</code></p>",
        "<pre><code>import csv</code><code>  x</code></pre>",
        "<pre><span class=line>import csv</span><span class=line>  x</span></pre>",
        "<div class=blockcode><ol><li>import csv<br><li>&nbsp; x<br></ol><em onclick=copycode()>Copy</em></div>",
        "<pre><i style='user-select:none'>1</i>import csv\n<i style='user-select:none'>2</i>  x</pre>",
        "<pre>import <span class=token>csv<span class=popover>A module</span></span>\n  x</pre>",
    ] {
        assert_eq!(markdown(html), code, "{html}");
    }
    assert_eq!(markdown("<div data-lang=python>import csv<br>&nbsp; x</div>"), code.replacen("```", "```python", 1));
    for html in [
        "<div class=highlight><p>One.<p>Two.</div>",
        "<div class=highlight>One.<br>Two.</div>",
        "<p>Say <code>a<br>b</code> twice.",
        "<p>Say <code>a\n  b\n  c</code> twice.",
        "<div data-lang=cs>One.<br>Two.</div>",
        "<p><code>a</code> is one.<br><code>b</code> is two.",
        "<div style='white-space: pre-wrap'>One.\nTwo.</div>",
    ] {
        assert!(!markdown(html).contains("```"), "{html}: {}", markdown(html));
    }
}

#[test]
fn styles_keep_lines_and_spaces_of_paragraphs() {
    assert_eq!(
        text("<p style='white-space:pre-wrap'>one  two\n three <b>four</b>\n\nfive</p>"),
        "one  two\n three four\n\nfive"
    );
    assert_eq!(text("<p style='white-space:pre-line'>one  two\n three</p><p>four\n five"), "one two\nthree\nfour five");
    assert_eq!(
        text("<p>a<span style='white-space:pre'>\t</span>b <i style='white-space:pre-wrap'> c </i> d"),
        "a\tb c d"
    );
    assert_eq!(markdown("<p style='white-space:pre-line'>one\ntwo\n\nthree"), "one\\\ntwo\n\nthree");
}

#[test]
fn the_language_is_in_the_fence_which_is_longer_than_any_in_the_code() {
    assert_eq!(markdown("<div class='highlight-c'><pre>a\n````\nb</pre></div>"), "`````c\na\n````\nb\n`````");
    assert_eq!(markdown("<pre lang=rust>a</pre>"), "```rust\na\n```");
}

#[test]
fn lines_without_end_take_linear_time() {
    let start = cpu_time::ThreadTime::now();
    for (before, line) in
        [("<pre>", "\n"), ("<pre>", " \n"), ("<textarea>", "\n"), ("<p style=white-space:pre>", "\n"), ("<code>", "\n")]
    {
        assert_eq!(text(&format!("{before}{}y", line.repeat(400_000))).trim(), "y");
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn listings_of_latex_are_code() {
    let verbatim = "<p>See:</p><div class=verbatim>for&#160;(;;)<br>&#160;<br>&#160;&#160;f(i);</div>";
    assert_eq!(text(verbatim), "See:\nfor (;;)\n \n  f(i);");
}
