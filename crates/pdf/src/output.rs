//! What `pdftotext -htmlmeta` writes: a head with the information of the document, and the text of its pages, which is not escaped.

use gristmill_reading::PagedText;

/// Reads what `pdftotext -htmlmeta` writes. Whatever it lacks is empty; a document has at least one page. O(bytes).
pub fn parse(output: &str) -> PagedText {
    let (head, body) = output.split_once("<pre>\n").unwrap_or(("", output));
    let body = body.rsplit_once("</pre>").map_or(body, |(text, _)| text);
    // A form feed ends each page.
    let body = body.strip_suffix('\u{c}').unwrap_or(body);
    let pages = body.split('\u{c}').map(|page| page.replace(is_noise, " ")).collect();
    PagedText {
        title: between(head, "<title>", "</title>"),
        author: meta(head, "Author"),
        subject: meta(head, "Subject"),
        keywords: meta(head, "Keywords"),
        created: meta(head, "CreationDate"),
        pages,
    }
}

/// Control characters, which fonts without names for their letters leave.
fn is_noise(c: char) -> bool {
    c.is_control() && c != '\n'
}

fn meta(head: &str, name: &str) -> String {
    between(head, &format!("<meta name=\"{name}\" content=\""), "\"/>\n")
}

fn between(head: &str, start: &str, end: &str) -> String {
    let found = head.split_once(start).and_then(|(_, rest)| rest.split_once(end));
    let text = found.map(|(text, _)| text).unwrap_or_default().replace(is_noise, " ");
    // In this order, so that nothing is unescaped twice.
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    text.replace("&amp;", "&").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_unescaped_and_the_text_may_hold_anything() {
        let output = "<!DOCTYPE html><html>\n<head>\n<title>Mills &amp; &lt;men&gt; &amp;lt;</title>\n\
            <meta name=\"Author\" content=\"Ann &quot;A&quot; Lee\"/>\n<meta name=\"CreationDate\" content=\"2022-12-17T02:41:44Z\"/>\n\
            </head>\n<body>\n<pre>\na < b </pre> c\n\n\u{c}\u{1}second\n\n\u{c}</pre>\n</body>\n</html>\n";
        let text = parse(output);
        assert_eq!((&text.title[..], &text.author[..]), ("Mills & <men> &lt;", "Ann \"A\" Lee"));
        assert_eq!(text.created, "2022-12-17T02:41:44Z");
        assert_eq!(text.pages, ["a < b </pre> c\n\n", " second\n\n"]);
        assert_eq!(parse("").pages, [""]);
    }
}
