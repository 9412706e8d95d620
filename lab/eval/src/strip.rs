//! HTML to plain text, as the paper does it to what comes out of a proxy (Gottron §4.2).

use gristmill_html::{Doc, LocalName, TreeLimits, decode};
use gristmill_text::WhitespaceCollapser;

/// Elements whose text is never shown. The paper names `style` and `script`; a head shows nothing either.
const DROPPED: [LocalName; 4] = [LocalName::SCRIPT, LocalName::STYLE, LocalName::HEAD, LocalName::TEMPLATE];

/// Elements that stand on lines of their own, so that words before and after them are not one word.
const LINES: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// The text of a page: no tags, comments, scripts and styles, entities as characters, one line a block; the lines of
/// preformatted text stay lines.
///
/// `content_type` is the header that came with it. O(bytes), bounded by the limits of the parser.
pub fn strip(html: &[u8], content_type: Option<&str>) -> String {
    let decoded = decode(html, content_type);
    let doc = Doc::parse(&decoded.text, &TreeLimits::default());
    let is_line = |name: LocalName| LINES.contains(&doc.name_str(name));
    let mut out = String::new();
    let mut row = WhitespaceCollapser::default();
    // Elements that are open at this point of the document order, innermost last: where each ends, if it is a line.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let (mut skip_to, mut pre_to) = (0, 0);
    for id in doc.ids() {
        while let Some(&(_, line)) = open.last().filter(|(end, _)| *end <= id.index()) {
            open.pop();
            if line {
                end_line(&mut out, &mut row);
            }
        }
        if id.index() < skip_to {
            continue;
        }
        if doc.is_text(id) && id.index() < pre_to {
            for (n, line) in doc.text(id).split('\n').enumerate() {
                if n > 0 {
                    end_line(&mut out, &mut row);
                }
                row.push(&mut out, line);
            }
        } else if doc.is_text(id) {
            row.push(&mut out, doc.text(id));
        } else if DROPPED.contains(&doc.name(id)) {
            skip_to = doc.end(id);
        } else {
            let line = is_line(doc.name(id));
            if line {
                end_line(&mut out, &mut row);
            }
            open.push((doc.end(id), line));
            if doc.name(id) == LocalName::PRE {
                pre_to = pre_to.max(doc.end(id));
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn end_line(out: &mut String, row: &mut WhitespaceCollapser) {
    row.restart();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_comments_scripts_and_styles_go_and_entities_become_characters() {
        let html =
            b"<title>T</title><style>s{}</style><p>a<b>b</b> &amp; &eacute;<!-- c --><script>x</script><p>d<br>e<td>f";
        assert_eq!(strip(html, None), "ab & \u{e9}\nd\nef");
    }

    #[test]
    fn blocks_and_cells_separate_words_and_inline_elements_do_not() {
        let html = b"x<div>one</div>two<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>w<i>or</i>d";
        assert_eq!(strip(html, None), "x\none\ntwo\na\nb\nc\nd\nword");
    }

    #[test]
    fn lines_of_preformatted_text_stay() {
        assert_eq!(strip(b"<p>a\nb<pre>\nc  d\n <b>e\n</b>f</pre>g", None), "a b\nc d\ne\nf\ng");
    }

    #[test]
    fn the_charset_of_the_header_counts_and_rubbish_is_no_error() {
        assert_eq!(strip(b"<p>\xc4\xe3\xba\xc3\xa3\xac\xca\xc0\xbd\xe7", Some("text/html; charset=gbk")), "你好，世界");
        assert_eq!(strip(b"", None), "");
        strip(&[0xff; 3000], Some("nonsense"));
    }
}
