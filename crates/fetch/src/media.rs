//! Which media types are let in, by header first and by the first bytes second.

use gristmill_terms::FetchKind;

/// How many first bytes are enough to tell a type by.
pub(crate) const SNIFF_BYTES: usize = 512;

/// The type of `fetch.accept` that lets all others in, as far as the first bytes do.
pub(crate) const ANY: &str = "*/*";

/// The type of `fetch.accept` that lets PDFs in, which are no text.
pub const PDF: &str = "application/pdf";

/// The types of feeds that are nothing else.
const FEEDS: [&str; 4] =
    ["application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"];

/// Whether a media type, in any case and perhaps with parameters behind it, is that of a feed alone.
pub(crate) fn is_feed_type(type_: &str) -> bool {
    let name = type_.split(';').next().unwrap_or_default().trim();
    FEEDS.iter().any(|feed| name.eq_ignore_ascii_case(feed))
}

/// The types of Markdown.
const MARKDOWN: [&str; 2] = ["text/markdown", "text/x-markdown"];

/// What the header says about the type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DeclaredType {
    /// A wanted type.
    Wanted,
    /// None at all: the first bytes decide.
    Missing,
    /// Bytes of any kind: only what begins as a page does is one.
    Opaque,
    /// A type that is not wanted.
    Unwanted(String),
}

/// Judges a `Content-Type` value before any of the body is read.
pub(crate) fn judge_header(kind: FetchKind, accept: &[String], content_type: Option<&str>) -> DeclaredType {
    if kind.is_wish() {
        return DeclaredType::Wanted;
    }
    let Some(essence) = content_type.and_then(essence) else { return DeclaredType::Missing };
    let wanted = match kind {
        FetchKind::Page | FetchKind::Render => {
            // Whatever links to a feed, it is read as one.
            let is_feed = FEEDS.contains(&&*essence);
            // Markdown is text, and more plainly so than HTML; no server is asked for it.
            let type_ = if MARKDOWN.contains(&&*essence) { "text/plain" } else { &*essence };
            let is_wanted = is_feed || accept.iter().any(|wanted| wanted == ANY || wanted.eq_ignore_ascii_case(type_));
            // What a server says of a file that it does not know.
            if !is_wanted && essence == "application/octet-stream" {
                return DeclaredType::Opaque;
            }
            is_wanted
        }
        _ if essence.starts_with("text/") || essence.ends_with("/xml") || essence.ends_with("+xml") => true,
        // Sitemaps and feeds come under whatever type their server gives to a file, so the bytes decide.
        _ if essence.starts_with("application/") || essence.starts_with("binary/") => return DeclaredType::Missing,
        _ => false,
    };
    if wanted { DeclaredType::Wanted } else { DeclaredType::Unwanted(essence.chars().take(100).collect()) }
}

/// The first media type of a `Content-Type` value that is well formed and says anything (WHATWG MIME Sniffing §4.4 and §7).
fn essence(value: &str) -> Option<String> {
    value.split(',').find_map(|type_| {
        let essence = type_.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (group, name) = essence.split_once('/')?;
        let says_nothing = matches!(essence.as_str(), "unknown/unknown" | "application/unknown" | "*/*");
        (is_token(group) && is_token(name) && !says_nothing).then_some(essence)
    })
}

/// RFC 9110 §5.6.2.
fn is_token(text: &str) -> bool {
    let of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(of_token)
}

/// What a body must be for `kind`, as an error message says it.
pub(crate) fn wanted_types(kind: FetchKind) -> &'static str {
    match kind {
        FetchKind::Page | FetchKind::Render | FetchKind::Robots | FetchKind::Tdm => "one of `fetch.accept`",
        FetchKind::Sitemap => "XML, text or gzip as a sitemap must be",
        FetchKind::Feed => "XML, text or gzip as a feed must be",
    }
}

/// Judges the first decoded bytes: the name of a type that is certainly no text, whatever the header says.
///
/// * `accept`: types that are let in although they are no text; only PDF can be.
/// * `declared`: what the header said. Without a type, bytes that no text has also count.
pub(crate) fn judge_bytes(
    kind: FetchKind,
    accept: &[String],
    declared: &DeclaredType,
    first: &[u8],
) -> Option<&'static str> {
    match kind {
        FetchKind::Robots | FetchKind::Tdm => return None,
        FetchKind::Sitemap | FetchKind::Feed if is_gzip(first) => return None,
        _ => {}
    }
    match binary_type(first) {
        Some(PDF) if kind == FetchKind::Page && accept.iter().any(|type_| type_.eq_ignore_ascii_case(PDF)) => None,
        Some(found) => Some(found),
        None => {
            let is_binary = match declared {
                DeclaredType::Wanted | DeclaredType::Unwanted(_) => false,
                DeclaredType::Missing => looks_binary(first),
                DeclaredType::Opaque => looks_binary(first) || !begins_as_page(first),
            };
            is_binary.then_some("application/octet-stream")
        }
    }
}

pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}

/// The first bytes of the formats that servers most often send under a wrong type.
fn binary_type(first: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"%PDF-", PDF),
        (b"\x89PNG\r\n", "image/png"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"PK\x03\x04", "application/zip"),
        (b"PK\x05\x06", "application/zip"),
        (b"\x1f\x8b\x08", "application/gzip"),
        (b"BZh", "application/x-bzip2"),
        (b"\xfd7zXZ\0", "application/x-xz"),
        (b"\x28\xb5\x2f\xfd", "application/zstd"),
        (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
        (b"Rar!\x1a\x07", "application/vnd.rar"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
        (b"%!PS", "application/postscript"),
        (b"\x7fELF", "application/x-elf"),
        (b"\0asm", "application/wasm"),
        (b"wOFF", "font/woff"),
        (b"wOF2", "font/woff2"),
        (b"\0\0\x01\0", "image/x-icon"),
        (b"OggS", "application/ogg"),
        (b"ID3", "audio/mpeg"),
        (b"\x1a\x45\xdf\xa3", "video/webm"),
        (b"fLaC", "audio/flac"),
    ];
    if first.len() >= 12 {
        match (&first[..4], &first[4..8], &first[8..12]) {
            (b"RIFF", _, b"WEBP") => return Some("image/webp"),
            (b"RIFF", ..) => return Some("audio/wav"),
            (_, b"ftyp", _) => return Some("video/mp4"),
            _ => {}
        }
    }
    MAGIC.iter().find(|(magic, _)| first.starts_with(magic)).map(|(_, name)| *name)
}

/// Whether the first bytes are those of text, packed by nothing: none is a "binary data byte" (WHATWG MIME Sniffing §4.3).
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let first = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    !first.is_empty() && (is_wide(first) || !first.iter().any(is_binary))
}

/// UTF-16 or UTF-32, by its mark or the first letter of its markup.
fn is_wide(first: &[u8]) -> bool {
    first.starts_with(&[0xfe, 0xff])
        || first.starts_with(&[0xff, 0xfe])
        || first.starts_with(b"<\0")
        || first.starts_with(b"\0<")
}

/// Whether the first tag, behind white space and comments, is one that pages begin with (WHATWG MIME Sniffing §7.1).
fn begins_as_page(first: &[u8]) -> bool {
    let mut rest = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        let Some(end) = memchr::memmem::find(comment, b"-->") else { return true };
        rest = comment[end + 3..].trim_ascii_start();
    }
    let begins = |tag: &&[u8]| {
        let is_tag = rest.len() > tag.len() && rest[..tag.len()].eq_ignore_ascii_case(tag);
        is_tag && !rest[tag.len()].is_ascii_alphanumeric()
    };
    let tags: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta"];
    is_wide(rest) || tags.iter().any(begins)
}

/// A NUL in the first bytes of something that is not UTF-16 or UTF-32 (WHATWG MIME sniffing §4.3, "binary data byte").
fn looks_binary(first: &[u8]) -> bool {
    !is_wide(first) && first[..first.len().min(SNIFF_BYTES)].contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept() -> Vec<String> {
        crate::FetchConfig::default().accept
    }

    #[test]
    fn the_header_decides_by_kind() {
        let judge = |kind, value| judge_header(kind, &accept(), value);
        assert_eq!(judge(FetchKind::Page, Some("Text/HTML; charset=gbk")), DeclaredType::Wanted);
        assert_eq!(
            judge(FetchKind::Page, Some("application/pdf")),
            DeclaredType::Unwanted("application/pdf".to_owned())
        );
        assert_eq!(judge(FetchKind::Page, Some(" ; charset=x")), DeclaredType::Missing);
        assert_eq!(judge(FetchKind::Page, None), DeclaredType::Missing);
        let any = [ANY.to_owned()];
        assert_eq!(judge_header(FetchKind::Page, &any, Some("application/vnd.api+json")), DeclaredType::Wanted);
        for any in ["application/x-gzip", "binary/octet-stream", "application/octet-stream", "application/json"] {
            assert_eq!(judge(FetchKind::Sitemap, Some(any)), DeclaredType::Missing, "{any}");
            let of_page = match any {
                "application/octet-stream" => DeclaredType::Opaque,
                _ => DeclaredType::Unwanted(any.to_owned()),
            };
            assert_eq!(judge(FetchKind::Page, Some(any)), of_page);
        }
        for none in [
            "html",
            "text",
            "\"text/html\"",
            "text/html charset=utf-8",
            "*/*",
            "unknown/unknown",
            "/",
            ";",
            ",",
            "text/",
        ] {
            assert_eq!(judge(FetchKind::Page, Some(none)), DeclaredType::Missing, "{none}");
        }
        for page in
            ["text/html;;charset=utf-8", "text/html, text/html; charset=x", "html, TEXT/HTML", "text/html; charset=a b"]
        {
            assert_eq!(judge(FetchKind::Page, Some(page)), DeclaredType::Wanted, "{page}");
        }
        assert_eq!(judge(FetchKind::Feed, Some("application/rss+xml")), DeclaredType::Wanted);
        assert_eq!(judge(FetchKind::Page, Some("application/rss+xml; charset=utf-8")), DeclaredType::Wanted);
        assert_eq!(judge(FetchKind::Feed, Some("image/png")), DeclaredType::Unwanted("image/png".to_owned()));
        assert_eq!(judge(FetchKind::Robots, Some("image/png")), DeclaredType::Wanted);
    }

    #[test]
    fn of_bytes_of_any_kind_only_what_begins_as_a_page_is_one() {
        let judge = |first: &[u8]| judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Opaque, first);
        for page in ["<!DOCTYPE html>\n", "\u{feff}\n<HTML lang=en>", "<!-- a --><!-- b -->\n<title>x", "<body>"] {
            assert_eq!(judge(page.as_bytes()), None, "{page}");
        }
        for file in ["name,price\nmill,5\n", "<svg xmlns='x'>", "<headline>", "#!/bin/sh\n", "<html>\0", ""] {
            assert_eq!(judge(file.as_bytes()), Some("application/octet-stream"), "{file}");
        }
    }

    #[test]
    fn pictures_are_known_under_any_name_and_text_is_let_through() {
        assert_eq!(
            judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Wanted, b"\x89PNG\r\n\x1a\n"),
            Some("image/png")
        );
        assert_eq!(
            judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Wanted, b"RIFF....WEBPVP8 "),
            Some("image/webp")
        );
        assert_eq!(judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Wanted, b"<html>\0"), None);
        assert_eq!(
            judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Missing, b"<html>\0"),
            Some("application/octet-stream")
        );
        assert_eq!(judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Missing, b"\xff\xfe<\0h\0"), None);
        assert_eq!(judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Missing, "<p>文".as_bytes()), None);
        assert_eq!(judge_bytes(FetchKind::Sitemap, &accept(), &DeclaredType::Wanted, b"\x1f\x8b\x08\0"), None);
        assert_eq!(
            judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Wanted, b"\x1f\x8b\x08\0"),
            Some("application/gzip")
        );
        assert_eq!(judge_bytes(FetchKind::Page, &accept(), &DeclaredType::Missing, b""), None);
        let with_pdf = [accept(), vec![PDF.to_owned()]].concat();
        for (kind, accept, refused) in [
            (FetchKind::Page, &with_pdf, None),
            (FetchKind::Feed, &with_pdf, Some(PDF)),
            (FetchKind::Page, &vec![ANY.to_owned()], Some(PDF)),
        ] {
            assert_eq!(judge_bytes(kind, accept, &DeclaredType::Wanted, b"%PDF-1.7\n"), refused, "{kind:?} {accept:?}");
        }
    }
}
