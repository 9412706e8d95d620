//! Bytes to text: which charset a page is in, and what to do when it lies about it.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

/// A page as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText<'b> {
    /// Without a byte order mark; borrowed when the bytes were valid UTF-8.
    pub text: Cow<'b, str>,
    /// Name of the charset as in the Encoding Standard, e.g. `UTF-8`, `gb18030`, `Shift_JIS`.
    pub charset: &'static str,
    /// Whether some bytes had no meaning and were replaced by U+FFFD.
    pub lossy: bool,
}

/// A declaration is looked for in this many bytes (HTML §13.2.3.2).
const META_BYTES: usize = 1024;
/// So many bytes decide about an undeclared charset, from the first non-ASCII byte on.
const DETECT_BYTES: usize = 64 * 1024;
/// Text in another charset hardly ever forms this many multi-byte sequences of UTF-8 and no faulty one.
const SURE_UTF8_SEQUENCES: usize = 8;

/// What is known of a text beside its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct CharsetHints<'a> {
    /// Value of the HTTP header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// Where it stands. The top-level domain tells apart charsets that look alike: `.hu` speaks for ISO-8859-2.
    pub url: Option<&'a str>,
}

/// Decodes a page by its bytes and its `Content-Type`; see [`decode_with`].
pub fn decode<'b>(bytes: &'b [u8], content_type: Option<&str>) -> DecodedText<'b> {
    decode_with(bytes, &CharsetHints { content_type, url: None })
}

/// Decodes a page, a feed, a sitemap: whatever text a server sends.
///
/// Order: byte order mark, or UTF-16 that is plain without one; header; `meta` or `<?xml encoding?>` in the first 1 024 bytes;
/// the escapes of ISO-2022-JP; UTF-8 if valid; detection. A declaration that the bytes contradict is overruled: UTF-8 with at least
/// eight multi-byte sequences and no fault is UTF-8 whatever is declared, a declared charset that does not decode cleanly
/// loses to one that does, and a header with a single-byte charset, which any bytes fit, loses to the document's own multi-byte
/// one where that fits, too. GB2312 and GBK are read as their superset GB18030.
///
/// The bytes of a PDF are nobody's text: it is empty.
///
/// Valid UTF-8 is borrowed after one validation pass; otherwise O(bytes) with up to five passes. Never fails.
pub fn decode_with<'b>(bytes: &'b [u8], hints: &CharsetHints<'_>) -> DecodedText<'b> {
    if is_pdf(bytes) {
        return with(UTF_8, b"");
    }
    if let Some((encoding, bom)) = Encoding::for_bom(bytes) {
        return with(encoding, &bytes[bom..]);
    }
    if let Some(encoding) = unmarked_utf16(bytes) {
        return with(encoding, bytes);
    }
    let header = hints.content_type.and_then(charset_of_header);
    let own = charset_of_meta(&bytes[..bytes.len().min(META_BYTES)]);
    match std::str::from_utf8(bytes) {
        Ok(text) => japanese_escapes(bytes).unwrap_or_else(|| valid_utf8(bytes, text, header.or(own))),
        Err(_) => own_against_header(bytes, header, own)
            .unwrap_or_else(|| not_utf8(bytes, header.or(own), hints.url.and_then(top_level_domain))),
    }
}

/// Whether bytes begin as every PDF does. O(1).
#[must_use]
pub fn is_pdf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-")
}

/// Whether bytes are a picture, a program or a PDF, whatever a server or a file name calls them. O(1).
///
/// Text holds no NUL, unless it is UTF-16; a PDF may have its first one late.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || unmarked_utf16(bytes).is_some();
    is_pdf(bytes) || !utf16 && bytes[..bytes.len().min(512)].contains(&0)
}

/// UTF-16 without a mark, told by the tag or declaration that begins it (HTML §13.2.3.2; XML 1.0 appendix F), or by sixteen ASCII
/// characters, each with its NUL, as no picture and no program begins.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let begins = |first: usize| {
        let pairs = bytes.chunks_exact(2).take(16).map(|pair| (pair[first], pair[1 - first]));
        pairs.clone().count() == 16 && pairs.into_iter().all(|(byte, other)| other == 0 && is_text(byte))
    };
    match bytes {
        [b'<', 0, b'!'..=b'z', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'!'..=b'z', ..] => Some(UTF_16BE),
        _ if begins(0) => Some(UTF_16LE),
        _ if begins(1) => Some(UTF_16BE),
        _ => None,
    }
}

/// ISO-2022-JP, whatever is declared: its escapes into two-byte or half-width characters stand in no other text, and all its
/// bytes are ASCII, so that it would pass for UTF-8.
fn japanese_escapes(bytes: &[u8]) -> Option<DecodedText<'_>> {
    let mut escapes = memchr::memchr_iter(0x1b, bytes).map(|at| &bytes[at + 1..]);
    if !escapes.any(|rest| matches!(rest, [b'$', b'@' | b'B', ..] | [b'(', b'I', ..])) || !bytes.is_ascii() {
        return None;
    }
    let decoded = with(ISO_2022_JP, bytes);
    let good = n_foreign(&decoded);
    (good > 0 && n_replaced(&decoded) * MIN_GOOD_FOR_ONE_BAD <= good).then_some(decoded)
}

/// The document's own multi-byte charset, where the header names one that fits any bytes: often a server's default for all files.
fn own_against_header<'b>(
    bytes: &'b [u8],
    header: Option<&'static Encoding>,
    own: Option<&'static Encoding>,
) -> Option<DecodedText<'b>> {
    let own = own.filter(|own| header.is_some_and(Encoding::is_single_byte) && !own.is_single_byte())?;
    Some(with(own, bytes)).filter(|decoded| !decoded.lossy)
}

/// The last label of a URL's host, as the detector wants it: lower-case ASCII without a dot; `None` for an address.
fn top_level_domain(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let label = host.trim_end_matches('.').rsplit('.').next()?;
    let is_name = label.starts_with(|first: char| first.is_ascii_alphabetic())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then(|| label.to_ascii_lowercase())
}

fn valid_utf8<'b>(bytes: &'b [u8], text: &'b str, declared: Option<&'static Encoding>) -> DecodedText<'b> {
    let borrowed = DecodedText { text: Cow::Borrowed(text), charset: UTF_8.name(), lossy: false };
    let Some(declared) = declared.filter(|&declared| declared != UTF_8) else { return borrowed };
    let sequences = text.bytes().filter(|&byte| byte >= 0xC0).take(SURE_UTF8_SEQUENCES).count();
    if sequences >= SURE_UTF8_SEQUENCES {
        return borrowed;
    }
    if sequences == 0 && declared.is_ascii_compatible() {
        return DecodedText { charset: declared.name(), ..borrowed };
    }
    let other = with(declared, bytes);
    if other.lossy { borrowed } else { other }
}

fn not_utf8<'b>(bytes: &'b [u8], declared: Option<&'static Encoding>, domain: Option<String>) -> DecodedText<'b> {
    if let Some(declared) = declared.filter(|&declared| declared != UTF_8) {
        let decoded = with(declared, bytes);
        if !decoded.lossy {
            return decoded;
        }
    }
    if mostly_utf8(bytes) {
        return with(UTF_8, bytes);
    }
    if let Some(declared) = declared.filter(|&encoding| encoding != UTF_8 && !encoding.is_single_byte()) {
        // A single byte charset decodes anything, so it must not win against a few damaged characters.
        let decoded = with(declared, bytes);
        if n_replaced(&decoded) * MIN_GOOD_FOR_ONE_BAD < n_foreign(&decoded) {
            return decoded;
        }
    }
    let detected = with(detect(bytes, domain.as_deref()), bytes);
    let Some(declared) = declared.filter(|_| detected.lossy) else { return detected };
    // Neither is clean: keep the one that loses less, the declared one when in doubt.
    let declared = with(declared, bytes);
    if n_replaced(&detected) * 2 < n_replaced(&declared) { detected } else { declared }
}

fn with<'b>(encoding: &'static Encoding, bytes: &'b [u8]) -> DecodedText<'b> {
    let encoding = if encoding == GBK { GB18030 } else { encoding };
    let (text, lossy) = encoding.decode_without_bom_handling(bytes);
    DecodedText { text, charset: encoding.name(), lossy }
}

/// A multi-byte charset with so many good characters for each bad one is the right one.
const MIN_GOOD_FOR_ONE_BAD: usize = 50;

fn n_foreign(decoded: &DecodedText<'_>) -> usize {
    decoded.text.chars().filter(|c| !c.is_ascii()).count()
}

fn n_replaced(decoded: &DecodedText<'_>) -> usize {
    decoded.text.matches('\u{FFFD}').count()
}

/// Whether the bytes are UTF-8 with some damage: many good sequences for each bad one.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= SURE_UTF8_SEQUENCES * bad
}

fn detect(bytes: &[u8], domain: Option<&str>) -> &'static Encoding {
    let first = bytes.iter().position(|&byte| byte >= 0x80).unwrap_or(0);
    let start = first.saturating_sub(2);
    let sample = &bytes[start..bytes.len().min(start + DETECT_BYTES)];
    let guess = guess(sample, domain);
    // One bad byte rules a multi-byte charset out: where words of some other script seem to stand, ask piece by piece.
    let by_pieces = guess.is_single_byte() && runs_of_high_bytes(sample);
    by_pieces.then(|| guess_by_pieces(sample, domain)).flatten().unwrap_or(guess)
}

fn guess(sample: &[u8], domain: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    detector.guess(domain.map(str::as_bytes), Utf8Detection::Deny)
}

/// Whether most bytes above ASCII stand in runs of even length, at least four long: Western letters stand alone.
fn runs_of_high_bytes(sample: &[u8]) -> bool {
    let (mut all, mut even) = (0, 0);
    for run in sample.chunk_by(|a, b| (*a >= 0x80) == (*b >= 0x80)).filter(|run| run[0] >= 0x80) {
        all += run.len();
        even += if run.len() >= 4 && run.len() % 2 == 0 { run.len() } else { 0 };
    }
    all >= 64 && even * 2 > all
}

/// The multi-byte charset that most pieces seem to be in, if most are in one.
fn guess_by_pieces(sample: &[u8], domain: Option<&str>) -> Option<&'static Encoding> {
    const PIECE: usize = 1024;
    const MIN_HIGH_BYTES: usize = 32;
    let mut votes: Vec<(&'static Encoding, usize)> = Vec::new();
    let mut n_pieces = 0;
    let mut rest = sample;
    while !rest.is_empty() {
        let least = rest.len().min(PIECE);
        // An ASCII byte cannot be half of a character where it is a line end or closes a tag.
        let end =
            rest[least..].iter().position(|byte| matches!(byte, b'\n' | b'<')).map_or(rest.len(), |at| least + at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        if piece.iter().filter(|&&byte| byte >= 0x80).count() < MIN_HIGH_BYTES {
            continue;
        }
        n_pieces += 1;
        let guess = guess(piece, domain);
        match votes.iter_mut().find(|(known, _)| *known == guess) {
            Some((_, n)) => *n += 1,
            None => votes.push((guess, 1)),
        }
    }
    let most = votes.into_iter().filter(|(encoding, _)| !encoding.is_single_byte()).max_by_key(|(_, n)| *n);
    most.filter(|(_, n)| n * 2 > n_pieces).map(|(encoding, _)| encoding)
}

fn charset_of_header(content_type: &str) -> Option<&'static Encoding> {
    charset_parameter(content_type.as_bytes()).and_then(encoding_of_label)
}

/// The charset called so, unless the Encoding Standard has no decoder for it (HZ, ISO-2022-KR) and would replace all text.
fn encoding_of_label(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label)
}

/// The label after `charset=` (HTML §2.4.4): quoted or up to white space or a semicolon.
fn charset_parameter(value: &[u8]) -> Option<&[u8]> {
    let mut rest = value;
    loop {
        let at = find_ignore_case(rest, b"charset")?;
        rest = rest[at + 7..].trim_ascii_start();
        let Some(after) = rest.strip_prefix(b"=") else { continue };
        let after = after.trim_ascii_start();
        let (quoted, label) = match after.first() {
            Some(b'"' | b'\'') => (true, &after[1..]),
            _ => (false, after),
        };
        let end = label.iter().position(|&byte| match byte {
            b'"' | b'\'' => true,
            b';' | b'>' | b'/' => !quoted,
            byte => byte.is_ascii_whitespace() && !quoted,
        });
        return Some(&label[..end.unwrap_or(label.len())]);
    }
}

/// The charset that a `meta` tag declares: `charset=` inside of a tag whose name is `meta`, outside of comments.
/// UTF-16 in a page that could be read this far must mean UTF-8 (HTML §13.2.3.2).
fn charset_of_meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        if rest.starts_with(b"!--") {
            let end = memchr::memmem::find(&rest[1..], b"-->")?;
            rest = &rest[end + 4..];
            continue;
        }
        let is_meta = rest.len() > 5 && rest[..4].eq_ignore_ascii_case(b"meta");
        let is_xml = rest.starts_with(b"?xml");
        if !is_meta && !is_xml {
            continue;
        }
        let tag = &rest[..memchr::memchr(b'>', rest).unwrap_or(rest.len())];
        let label = if is_xml { encoding_of_xml(tag) } else { charset_parameter(tag) };
        if let Some(encoding) = label.and_then(encoding_of_label) {
            let utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
            return Some(if utf16 { UTF_8 } else { encoding });
        }
    }
    None
}

/// XHTML often declares its charset in the XML declaration only.
fn encoding_of_xml(tag: &[u8]) -> Option<&[u8]> {
    let at = find_ignore_case(tag, b"encoding")?;
    let rest = tag[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *rest.first().filter(|&&byte| byte == b'"' || byte == b'\'')?;
    let end = memchr::memchr(quote, &rest[1..])?;
    Some(&rest[1..=end])
}

fn find_ignore_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    #[test]
    fn the_bytes_of_a_pdf_are_no_text_whatever_is_declared() {
        let bytes = b"%PDF-1.7\n<a href=/x>\xe2\xe3";
        for content_type in [None, Some("text/html; charset=windows-1252")] {
            let decoded = decode(bytes, content_type);
            assert_eq!((&*decoded.text, decoded.lossy), ("", false));
        }
        assert!(is_pdf(bytes) && is_binary(bytes) && !is_pdf(&bytes[1..]));
        assert_eq!(decode(&bytes[1..8], None).text, "PDF-1.7");
    }

    #[test]
    fn a_few_damaged_bytes_do_not_turn_chinese_into_western_letters() {
        let (bytes, ..) = GB18030.encode(CHINESE);
        let paragraph = [b"<p>".as_slice(), &bytes, b"</p>\n"].concat();
        for declaration in ["<meta charset=gb2312>", ""] {
            let mut page = declaration.as_bytes().to_vec();
            (0..60).for_each(|_| page.extend(&paragraph));
            page.extend([0xB0, b'<']);
            page.extend(&paragraph);
            let decoded = decode(&page, None);
            assert_eq!((decoded.charset, decoded.text.matches(CHINESE).count()), ("gb18030", 61), "{declaration}");
        }
        let (french, ..) = WINDOWS_1252.encode("Été à la plage, où les élèves jouent déjà près du château. ");
        let decoded = decode(&french.repeat(50), None).text.into_owned();
        assert!(decoded.starts_with("Été à la plage"), "{decoded}");
    }

    const CHINESE: &str = "中文网页的编码常常与声明不同，解码器应当从内容看出真相。这段文字足够长，可以判断。";

    fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable);
        bytes.into_owned()
    }

    #[test]
    fn valid_utf8_is_borrowed() {
        let decoded = decode("naïve 中文".as_bytes(), None);
        assert!(matches!(decoded.text, Cow::Borrowed(_)));
        assert_eq!((decoded.charset, decoded.lossy), ("UTF-8", false));
    }

    #[test]
    fn a_byte_order_mark_wins_over_the_header_and_is_removed() {
        let decoded = decode(b"\xEF\xBB\xBFabc", Some("text/html; charset=koi8-r"));
        assert_eq!((&*decoded.text, decoded.charset), ("abc", "UTF-8"));
        let decoded = decode(b"\xFF\xFEa\0b\0", None);
        assert_eq!((&*decoded.text, decoded.charset), ("ab", "UTF-16LE"));
    }

    #[test]
    fn the_header_wins_over_the_meta_tag() {
        let bytes = encoded("<meta charset=windows-1252>Привет, мир", WINDOWS_1251);
        let decoded = decode(&bytes, Some("text/html; Charset = \"windows-1251\""));
        assert!(decoded.text.ends_with("Привет, мир"));
    }

    #[test]
    fn declared_charsets_are_decoded() {
        let samples = [
            ("gb2312", GBK, CHINESE),
            ("big5", BIG5, "這是繁體中文的網頁"),
            ("shift_jis", SHIFT_JIS, "日本語のページです"),
            ("euc-kr", EUC_KR, "한국어 페이지입니다"),
            ("koi8-r", KOI8_R, "Русская страница"),
            ("iso-8859-1", WINDOWS_1252, "café résumé"),
        ];
        for (label, encoding, text) in samples {
            let forms = [
                format!("<html><head><meta charset='{label}'><title>{text}"),
                format!("<META http-equiv=Content-Type content=\"text/html; charset={label}\"><p>{text}"),
                format!("<?xml version=\"1.0\" encoding=\"{label}\"?><p>{text}"),
            ];
            for form in forms {
                let bytes = encoded(&form, encoding);
                let decoded = decode(&bytes, None);
                assert!(decoded.text.ends_with(text), "{form} became {decoded:?}");
            }
        }
    }

    #[test]
    fn gbk_is_read_as_gb18030() {
        let bytes = [&b"<meta charset=gbk>"[..], &encoding_rs::GB18030.encode("中文㐂€").0].concat();
        let decoded = decode(&bytes, None);
        assert_eq!(decoded.charset, "gb18030");
        assert!(decoded.text.ends_with("中文㐂€"));
    }

    #[test]
    fn undeclared_charsets_are_detected() {
        let russian =
            "Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний.";
        let japanese = "これは日本語の文章です。文字コードを宣言していませんが、内容から判断できます。";
        let samples = [(GBK, CHINESE), (SHIFT_JIS, japanese), (WINDOWS_1251, russian), (KOI8_R, russian)];
        for (encoding, text) in samples {
            let bytes = encoded(&format!("<p>{text}</p>"), encoding);
            assert!(decode(&bytes, None).text.contains(text), "{}", encoding.name());
        }
    }

    #[test]
    fn a_wrong_declaration_is_survived() {
        let gbk = encoded(&format!("<meta charset=utf-8><p>{CHINESE}"), GBK);
        assert!(decode(&gbk, Some("text/html; charset=utf-8")).text.ends_with(CHINESE));
        let utf8 = format!("<meta charset=gb2312><p>{CHINESE}");
        assert!(decode(utf8.as_bytes(), Some("text/html; charset=ISO-8859-1")).text.ends_with(CHINESE));
    }

    #[test]
    fn one_bad_byte_does_not_turn_utf8_into_something_else() {
        let mut bytes = CHINESE.repeat(3).into_bytes();
        bytes.push(0xE4);
        let decoded = decode(&bytes, None);
        assert_eq!((decoded.charset, decoded.lossy), ("UTF-8", true));
        assert!(decoded.text.starts_with(CHINESE));
    }

    #[test]
    fn a_meta_tag_in_a_comment_or_after_1024_bytes_does_not_count() {
        let comment = encoded("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>Привет", WINDOWS_1251);
        assert!(decode(&comment, None).text.ends_with("Привет"));
        let late = format!("{}<meta charset=utf-16>abc", " ".repeat(1100));
        assert_eq!(decode(late.as_bytes(), None).charset, "UTF-8");
    }

    #[test]
    fn a_meta_tag_cannot_declare_utf16() {
        assert_eq!(decode(b"<meta charset=utf-16le>abc", None).charset, "UTF-8");
    }

    #[test]
    fn undeclared_iso_2022_jp_is_told_by_its_escapes() {
        let japanese = "日本語の文章です。ｶﾅもあります。";
        let page = format!("<title>{japanese}</title>\n<p>plain words</p>");
        let bytes = encoded(&page, ISO_2022_JP);
        assert!(bytes.is_ascii());
        for header in [None, Some("text/html"), Some("text/html; charset=utf-8"), Some("text/html; charset=shift_jis")]
        {
            let decoded = decode(&bytes, header);
            assert_eq!((&*decoded.text, decoded.charset), (&*page.replace("ｶﾅ", "カナ"), "ISO-2022-JP"), "{header:?}");
        }
        for terminal in ["\u{1b}[31mred\u{1b}(B\u{1b}[m", "\u{1b}$B", "日本 \u{1b}$B"] {
            assert_eq!(decode(terminal.as_bytes(), None).text, terminal, "escapes of terminals are no text");
        }
    }

    #[test]
    fn the_top_level_domain_tells_charsets_apart_that_look_alike() {
        use encoding_rs::{ISO_8859_2, WINDOWS_1254, WINDOWS_1257};
        let samples = [
            ("hu", ISO_8859_2, "Az őszi idény után"),
            ("lt", WINDOWS_1257, "Naujienos apie šalį"),
            ("tr", WINDOWS_1254, "Şehir"),
            ("kr", EUC_KR, "날씨"),
            ("cn", GBK, "天气"),
            ("tw", BIG5, "中文"),
        ];
        for (domain, encoding, text) in samples {
            let bytes = encoded(text, encoding);
            let at =
                |url: &str| decode_with(&bytes, &CharsetHints { content_type: None, url: Some(url) }).text.into_owned();
            assert_ne!(at("http://news.example/x"), text, "{domain}: too short to tell");
            assert_eq!(at(&format!("http://me:pw@www.News.{}.:8080/x?y#z", domain.to_uppercase())), text);
        }
        for url in ["http://127.0.0.1/", "http://[::1]:80/", "http:///", "mailto:x", "http://例え.テスト/", "://", ""]
        {
            assert_eq!(top_level_domain(url), None, "{url}");
        }
        assert_eq!(top_level_domain("http://a.xn--p1ai/b").as_deref(), Some("xn--p1ai"));
    }

    #[test]
    fn a_servers_default_loses_to_the_documents_own_multi_byte_charset() {
        let feed = format!("<?xml version='1.0' encoding='euc-kr'?><title>{}", "한국어 페이지입니다");
        let bytes = encoded(&feed, EUC_KR);
        assert_eq!(decode(&bytes, Some("text/xml; charset=iso-8859-1")).text, feed);
        let western = encoded("<meta charset=shift_jis><p>café résumé", WINDOWS_1252);
        assert!(decode(&western, Some("text/html; charset=iso-8859-1")).text.ends_with("café résumé"));
    }

    #[test]
    fn utf_16_without_a_mark_is_told_by_its_first_characters() {
        let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><title>文</title>";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            assert_eq!(decode(&bytes, Some("text/xml; charset=utf-16")).text, text);
            assert!(!is_binary(&bytes));
        }
        let plain = "Plain words, no tag, and 文字.";
        let big: Vec<u8> = plain.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&big, None).text, plain);
        assert!(is_binary(&[b'a', 0, b'b', 0, 1, 0, 0, 0]) && is_binary(&[1, 0].repeat(99)));
    }

    #[test]
    fn a_charset_that_nobody_decodes_is_no_declaration() {
        for label in ["hz-gb-2312", "iso-2022-kr", "replacement"] {
            let page = format!("<meta charset={label}><p>~{{VPND~}} and words");
            assert_eq!(decode(page.as_bytes(), Some(&format!("text/html; charset={label}"))).text, page);
            let damaged = encoded("<p>café résumé", WINDOWS_1252);
            assert!(decode(&damaged, Some(&format!("text/html; charset={label}"))).text.ends_with("café résumé"));
        }
    }

    #[test]
    fn nothing_is_a_page_too() {
        assert_eq!(decode(b"", Some("")), DecodedText { text: "".into(), charset: "UTF-8", lossy: false });
    }
}
