//! Plain text as a page: its paragraphs, and the lines in them.

use gristmill_html::{CharsetHints, Doc, DocBuilder, LimitHit, TreeLimits};

/// Whether bytes are plain text: by their content type, by the end of their address, or because nothing in them is markup. What begins
/// as a page in HTML is one, whatever is said of it.
pub(crate) fn is_plain_text(bytes: &[u8], hints: &CharsetHints<'_>) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begins = |tag: &[u8]| start.get(..tag.len()).is_some_and(|own| own.eq_ignore_ascii_case(tag));
    if [&b"<!doctype"[..], b"<html", b"<head", b"<body", b"<?xml"].iter().any(|tag| begins(tag)) {
        return false;
    }
    match hints.content_type {
        Some(content_type) => {
            content_type.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("text/plain"))
        }
        None => hints.url.is_some_and(ends_in_txt) || !has_markup(bytes),
    }
}

fn ends_in_txt(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.len() > 4 && path.as_bytes()[path.len() - 4..].eq_ignore_ascii_case(b".txt")
}

/// Whether a tag, a comment, or the NULs of a wider encoding may stand in it.
fn has_markup(bytes: &[u8]) -> bool {
    let opens = |next: u8| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?');
    bytes.windows(2).any(|two| two[0] == b'<' && opens(two[1])) || bytes.contains(&0)
}

/// The text as a page: a paragraph for the lines between two blank ones.
pub(crate) fn page(text: &str, limits: &TreeLimits) -> Doc {
    let mut page = DocBuilder::new(limits);
    // What exceeds a limit is left out.
    let _ = write(&mut page, text.strip_prefix('\u{feff}').unwrap_or(text));
    page.finish()
}

fn write(page: &mut DocBuilder, text: &str) -> Result<(), LimitHit> {
    page.open("html", false, [])?;
    page.open("body", false, [])?;
    let mut in_paragraph = false;
    let text = text.replace("\r\n", "\n");
    for line in text.split(['\n', '\r', '\u{c}', '\u{2028}', '\u{2029}']).map(str::trim) {
        match (line.is_empty(), in_paragraph) {
            (true, false) => continue,
            (true, true) => page.close(),
            (false, false) => drop(page.open("p", false, [])?),
            (false, true) => {
                page.open("br", false, [])?;
                page.close();
            }
        }
        in_paragraph = !line.is_empty();
        if in_paragraph {
            page.text(line)?;
        }
    }
    Ok(())
}
