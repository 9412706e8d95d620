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

/// The text as a page: a paragraph for the lines between two blank ones, as they stand where they are columns or a drawing.
pub(crate) fn page(text: &str, limits: &TreeLimits) -> Doc {
    let mut page = DocBuilder::new(limits);
    // What exceeds a limit is left out.
    let _ = write(&mut page, text.strip_prefix('\u{feff}').unwrap_or(text));
    page.finish()
}

fn write(page: &mut DocBuilder, text: &str) -> Result<(), LimitHit> {
    page.open("html", false, [])?;
    page.open("body", false, [])?;
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.split(['\n', '\r', '\u{c}', '\u{2028}', '\u{2029}']).collect();
    let is_blank = |line: &&str| line.trim().is_empty();
    for lines in lines.split(is_blank).filter(|lines| !lines.is_empty()) {
        if is_drawn(lines) { write_as_it_is(page, lines)? } else { write_paragraph(page, lines)? }
    }
    Ok(())
}

fn write_paragraph(page: &mut DocBuilder, lines: &[&str]) -> Result<(), LimitHit> {
    page.open("p", false, [])?;
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            page.open("br", false, [])?;
            page.close();
        }
        page.text(line.trim())?;
    }
    page.close();
    Ok(())
}

fn write_as_it_is(page: &mut DocBuilder, lines: &[&str]) -> Result<(), LimitHit> {
    page.open("pre", false, [])?;
    page.text(&lines.join("\n"))?;
    page.close();
    Ok(())
}

/// Whether lines are columns or a drawing: most have a gap within them, or more signs than letters.
fn is_drawn(lines: &[&str]) -> bool {
    const GAP: &str = "   ";
    const LEAST_SIGNS: usize = 5;
    let is_drawn = |line: &&&str| {
        let line = line.trim();
        let letters = line.chars().filter(|c| c.is_alphanumeric()).count();
        let signs = line.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
        // Justified text has gaps behind its sentences.
        line.contains('\t') || line.contains(GAP) || signs >= LEAST_SIGNS && signs > letters
    };
    lines.len() > 1 && 2 * lines.iter().filter(is_drawn).count() > lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_drawings_stand_as_they_are() {
        let text = "A queue keeps\nits order.\n\n   +-----+-----+\n   | sum | job |\n   +-----+-----+\n\nmail     812\nprint      3\n\nA  line.  Another\none.";
        let doc = page(text, &TreeLimits::default());
        let pre = doc.ids().filter(|&id| doc.name(id) == gristmill_html::LocalName::PRE);
        let drawn: Vec<String> = pre.map(|id| doc.text_content(id)).collect();
        assert_eq!(drawn, ["   +-----+-----+\n   | sum | job |\n   +-----+-----+", "mail     812\nprint      3"]);
    }
}
