//! The tokens of HTML that matter to links: where tags begin and end, their attributes, and what is no markup.

use memchr::{memchr, memchr2, memmem};

/// A tag's name in lower case, packed into a number so that names compare at once; 0 for names over 8 bytes.
pub(super) type Name = u64;

/// Packs a lower-case name of at most 8 bytes.
pub(super) const fn name(text: &[u8]) -> Name {
    let mut packed = 0;
    let mut at = 0;
    while at < text.len() {
        packed = packed << 8 | text[at] as u64;
        at += 1;
    }
    packed
}

/// What stands at a `<`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MarkupStart {
    /// A start tag; its attributes begin at `attributes`.
    Start { name: Name, attributes: usize },
    /// An end tag, likewise.
    End { name: Name, attributes: usize },
    /// A comment, doctype or the like, which ends before `end`.
    Other { end: usize },
    /// A bare `<`: text.
    Text,
}

/// Reads what stands at the `<` at `at`.
///
/// * `foreign`: whether an `svg` or `math` element is open, where CDATA sections exist.
///
/// Source: HTML standard §13.2.5.6 (tag open state) and the states that it leads to.
pub(super) fn markup(bytes: &[u8], at: usize, foreign: bool) -> MarkupStart {
    match bytes.get(at + 1) {
        Some(b'/') => match bytes.get(at + 2) {
            Some(first) if first.is_ascii_alphabetic() => {
                let (name, attributes) = tag_name(bytes, at + 2);
                MarkupStart::End { name, attributes }
            }
            Some(_) => MarkupStart::Other { end: after(bytes, at + 2, b'>') },
            None => MarkupStart::Text,
        },
        Some(b'!') => MarkupStart::Other { end: declaration_end(bytes, at + 2, foreign) },
        Some(b'?') => MarkupStart::Other { end: after(bytes, at + 2, b'>') },
        Some(first) if first.is_ascii_alphabetic() => {
            let (name, attributes) = tag_name(bytes, at + 1);
            MarkupStart::Start { name, attributes }
        }
        _ => MarkupStart::Text,
    }
}

fn tag_name(bytes: &[u8], start: usize) -> (Name, usize) {
    let mut packed = 0u64;
    let mut at = start;
    while let Some(byte) =
        bytes.get(at).filter(|byte| !matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ' | b'/' | b'>'))
    {
        packed = packed << 8 | u64::from(byte.to_ascii_lowercase());
        at += 1;
    }
    (if at - start > 8 { 0 } else { packed }, at)
}

fn declaration_end(bytes: &[u8], at: usize, foreign: bool) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(b"--") {
        comment_end(bytes, at + 2)
    } else if foreign && rest.starts_with(b"[CDATA[") {
        memmem::find(rest, b"]]>").map_or(bytes.len(), |n| at + n + 3)
    } else {
        after(bytes, at, b'>')
    }
}

/// The end of a comment whose text begins at `start`. `<!-->` and `<!--->` are whole comments, so the dashes of the
/// opening count; for `--!>` they do not.
fn comment_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(n) = memchr(b'>', &bytes[at..]) {
        let close = at + n;
        let before = &bytes[..close];
        if before.ends_with(b"--") || (before.ends_with(b"--!") && close >= start + 3) {
            return close + 1;
        }
        at = close + 1;
    }
    bytes.len()
}

fn after(bytes: &[u8], at: usize, byte: u8) -> usize {
    memchr(byte, &bytes[at..]).map_or(bytes.len(), |n| at + n + 1)
}

/// The end of a tag.
pub(super) struct TagEnd {
    /// The first byte behind the `>`.
    pub(super) end: usize,
    /// Whether a `/` stands before the `>`.
    pub(super) self_closing: bool,
}

/// Reads attributes from `at` on and hands each, its name and value as written, to `visit`; `None` when the text ends
/// inside the tag, which is then no tag.
///
/// Source: HTML standard §13.2.5.32 to §13.2.5.40. A name that comes twice is handed over twice.
#[inline]
pub(super) fn attributes<'a>(html: &'a str, mut at: usize, mut visit: impl FnMut(&'a str, &'a str)) -> Option<TagEnd> {
    let bytes = html.as_bytes();
    let mut slash = false;
    loop {
        match *bytes.get(at)? {
            b'>' => return Some(TagEnd { end: at + 1, self_closing: slash }),
            b'/' => {
                slash = true;
                at += 1;
                continue;
            }
            byte if is_space(byte) => {
                slash = false;
                at += 1;
                continue;
            }
            _ => slash = false,
        }
        let name_start = at;
        at += 1;
        while !matches!(*bytes.get(at)?, b'\t' | b'\n' | 0x0c | b'\r' | b' ' | b'/' | b'>' | b'=') {
            at += 1;
        }
        let name = name_start..at;
        at = skip_space(bytes, at);
        if *bytes.get(at)? != b'=' {
            visit(&html[name], "");
            continue;
        }
        at = skip_space(bytes, at + 1);
        let value = match *bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                let start = at + 1;
                let end = start + memchr(quote, &bytes[start..])?;
                at = end + 1;
                start..end
            }
            b'>' => at..at,
            _ => {
                let start = at;
                while !matches!(*bytes.get(at)?, b'\t' | b'\n' | 0x0c | b'\r' | b' ' | b'>') {
                    at += 1;
                }
                start..at
            }
        };
        visit(&html[name], &html[value]);
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

/// Where the text of a raw element (`style`, `textarea` …) ends: at its `</name`, or with the page.
pub(super) fn raw_end(bytes: &[u8], start: usize, name: &[u8]) -> usize {
    let mut at = start;
    while let Some(n) = memchr(b'<', &bytes[at..]) {
        let open = at + n;
        if is_tag(bytes, open, b"</", name) {
            return open;
        }
        at = open + 1;
    }
    bytes.len()
}

/// Where the text of a `script` ends. A `<!--` in it may hide further script tags, and their ends with them.
///
/// Source: HTML standard §13.2.5.15 to §13.2.5.31. One pass more than [`raw_end`] for scripts with a `<!--`.
pub(super) fn script_end(bytes: &[u8], start: usize) -> usize {
    let end = raw_end(bytes, start, b"script");
    if memmem::find(&bytes[start..end], b"<!--").is_none() {
        return end;
    }
    let (mut escaped, mut double) = (false, false);
    let mut at = start;
    while let Some(n) = memchr2(b'<', b'-', &bytes[at..]) {
        at += n;
        let rest = &bytes[at..];
        if !escaped && rest.starts_with(b"<!--") {
            escaped = true;
            // Its dashes may be those of a `-->`.
            at += 1;
        } else if escaped && rest.starts_with(b"-->") {
            (escaped, double) = (false, false);
            at += 2;
        } else if is_tag(bytes, at, b"</", b"script") {
            if !double {
                return at;
            }
            double = false;
        } else if escaped && !double && is_tag(bytes, at, b"<", b"script") {
            double = true;
        }
        at += 1;
    }
    bytes.len()
}

fn is_tag(bytes: &[u8], at: usize, open: &[u8], name: &[u8]) -> bool {
    let rest = &bytes[at..];
    let Some(behind) = rest.get(open.len() + name.len()) else { return false };
    rest.starts_with(open)
        && rest[open.len()..open.len() + name.len()].eq_ignore_ascii_case(name)
        && (is_space(*behind) || matches!(behind, b'/' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_where_the_standard_ends_them() {
        for (html, rest) in [
            ("<!-- a > b -->x", "x"),
            ("<!-->x", "x"),
            ("<!--->x", "x"),
            ("<!----!>x", "x"),
            ("<!--!>x-->y", "y"),
            ("<!-- <!-- -->x", "x"),
            ("<!doctype html \">\">x", "\">x"),
            ("<![CDATA[ > ]]>x", " ]]>x"),
            ("<?php a ?>x", "x"),
            ("</ a>x", "x"),
            ("<!-- open", ""),
        ] {
            let MarkupStart::Other { end } = markup(html.as_bytes(), 0, false) else { panic!("{html}") };
            assert_eq!(&html[end..], rest, "{html}");
        }
        assert_eq!(markup(b"<![CDATA[ > ]]>", 0, true), MarkupStart::Other { end: 15 });
        for html in ["<", "< a", "<1", "</"] {
            assert_eq!(markup(html.as_bytes(), 0, false), MarkupStart::Text, "{html}");
        }
    }

    #[test]
    fn attributes_are_read_in_every_spelling() {
        let html = r#" A=1 b = "x>y" c='"' d e=/f/g> tail"#;
        let mut found = Vec::new();
        let end = attributes(html, 0, |name, value| found.push((name, value))).unwrap();
        assert_eq!(found, [("A", "1"), ("b", "x>y"), ("c", "\""), ("d", ""), ("e", "/f/g")]);
        assert_eq!((&html[end.end..], end.self_closing), (" tail", false));
        assert!(attributes(" a=b / >", 0, |_, _| {}).is_some_and(|end| !end.self_closing));
        assert!(attributes(" a=\"b\"/>", 0, |_, _| {}).is_some_and(|end| end.self_closing));
        assert!(attributes(" a=\"b >", 0, |_, _| {}).is_none());
    }

    #[test]
    fn a_script_inside_a_comment_of_a_script_does_not_end_it() {
        for (html, rest) in [
            ("a</script >x", "</script >x"),
            ("<!-- <script> </script> --> b</SCRIPT>x", "</SCRIPT>x"),
            ("<!-- </script>x", "</script>x"),
            ("<!--> <script></script>x", "</script>x"),
            ("'</scripty>'", ""),
        ] {
            assert_eq!(&html[script_end(html.as_bytes(), 0)..], rest, "{html}");
        }
    }
}
