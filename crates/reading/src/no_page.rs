//! Bytes that are no page at all.

use gristmill_robots::Listing;

/// Beginnings of files that are no pages, and what they are.
const FILES: [(&[u8], &str); 9] = [
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF87a", "a picture (GIF)"),
    (b"GIF89a", "a picture (GIF)"),
    (b"PK\x03\x04", "a ZIP archive, or the document of an office program"),
    (b"\xd0\xcf\x11\xe0", "the document of an office program"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\0", "a database"),
];

/// Bytes in which the first element of a sitemap or feed is looked for.
const HEAD_BYTES: usize = 4096;

/// Why these bytes are no page, so that nobody takes the letters of a picture for the words of one.
///
/// What begins as markup does is taken for a page even if there are NULs in it: some pages have them.
pub fn no_page(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    if let Some(listing) = Listing::of(&head) {
        let name = if listing == Listing::Feed { "feed" } else { "sitemap" };
        return Some(format!("this is a {name}; the pages that it lists are crawled from `{name}:URL`"));
    }
    let is_markup = bytes.trim_ascii_start().starts_with(b"<");
    let named = FILES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, name)| *name);
    let what = named
        .or_else(|| is_mhtml(&head).then_some("a page and its pictures in one file (MHTML)"))
        .or_else(|| (!is_markup && gristmill_html::is_binary(bytes)).then_some("a file of bytes that are no text"))?;
    Some(format!("this is {what}; pages are read, in HTML, Markdown or plain text"))
}

/// Whether a text begins with the fields of a message whose parts belong together (RFC 2557), as browsers save pages.
fn is_mhtml(head: &str) -> bool {
    let fields = || head.lines().take_while(|line| !line.is_empty());
    let is_field =
        |line: &str| line.starts_with([' ', '\t']) || line.split_once(':').is_some_and(|(name, _)| !name.contains(' '));
    fields().all(is_field) && fields().any(|line| line.to_ascii_lowercase().contains("multipart/related"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_papers_are_no_pages() {
        assert!(no_page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap().contains("a picture"));
        assert!(no_page(b"%PDF-1.7\n1 0 obj").unwrap().contains("a PDF") && no_page(b"\x01\x02\0").is_some());
        assert!(no_page(b"<?xml version='1.0'?>\n<rss version='2.0'>").unwrap().contains("`feed:URL`"));
        let saved =
            "From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\tboundary=\"x\"\n\n--x\n";
        assert!(no_page(saved.as_bytes()).unwrap().contains("MHTML"));
        assert!(no_page(b"A note: the type multipart/related\nis not for pages").is_none());
        assert!(no_page(b"<p>Rye</p>").is_none() && no_page(b"").is_none() && no_page(b"Rye").is_none());
        assert!(no_page(b"\xff\xfe<\0p\0>\0").is_none(), "UTF-16");
        assert!(no_page(b"\n<p>Rye\0</p>").is_none(), "a page with a NUL");
    }
}
