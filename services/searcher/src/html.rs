//! Writing HTML, and XML, such that nothing from strangers can become markup.
//!
//! Two dozen lines in place of a template engine: pages are few and plain, and the rule that matters is one of
//! types. Markup must be `&'static str`, so it stands in our source; everything else is escaped.

use gristmill_index::Snippet;

/// HTML being written.
#[derive(Debug, Default)]
pub(crate) struct HtmlWriter {
    out: String,
}

impl HtmlWriter {
    /// Markup from our own source.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Text, escaped.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                // HTML has no way to write most control characters, and XML none for the last two of the first plane.
                _ if c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                    self.out.push('\u{fffd}')
                }
                _ => self.out.push(c),
            }
        }
        self
    }

    /// A number with its thousands apart.
    pub fn number(&mut self, number: u64) -> &mut Self {
        let digits = number.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                self.out.push(',');
            }
            self.out.push(digit);
        }
        self
    }

    /// ` name="value"`, the value escaped.
    pub fn attr(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// ` href="…"` to a page of ours.
    pub fn href(&mut self, path: &str) -> &mut Self {
        debug_assert!(path.starts_with('/') && !path.starts_with("//"), "a path of ours");
        self.attr("href", path)
    }

    /// A link out, without referrer, vote or handle on our page; plain text unless it is http or https.
    pub fn outward(&mut self, url: &str, label: &str) -> &mut Self {
        if !is_web(url) {
            return self.text(label);
        }
        self.raw("<a").attr("href", url).raw(" rel=\"noopener nofollow noreferrer\">").text(label).raw("</a>")
    }

    /// A snippet with its marks. It escapes itself.
    pub fn snippet(&mut self, snippet: &Snippet) -> &mut Self {
        self.out.push_str(&snippet.to_html());
        self
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// Whether a URL is one that a browser may be sent to.
pub(crate) fn is_web(url: &str) -> bool {
    let scheme = |name: &str| url.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    scheme("http://") || scheme("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut html = HtmlWriter::default();
        html.raw("<p").attr("title", "\"><script>").raw(">").text("a < b & 'c'\u{0}").raw("</p>");
        let expected = "<p title=\"&quot;&gt;&lt;script&gt;\">a &lt; b &amp; &#39;c&#39;\u{fffd}</p>";
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn only_web_addresses_become_links() {
        for url in ["javascript:alert(1)", " https://x", "data:text/html,x", "java\nscript:x", "//x", "httpsx://", "h"]
        {
            let mut html = HtmlWriter::default();
            html.outward(url, "label");
            assert_eq!(html.finish(), "label", "{url}");
        }
        let mut html = HtmlWriter::default();
        html.outward("HTTPS://a.b/?x=\"", "l");
        let expected = "<a href=\"HTTPS://a.b/?x=&quot;\" rel=\"noopener nofollow noreferrer\">l</a>";
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            let mut html = HtmlWriter::default();
            html.number(number);
            assert_eq!(html.finish(), expected);
        }
    }
}
