//! Addresses of the web, and IP addresses.

use std::net::Ipv6Addr;
use std::ops::Range;

/// Longest IP address in characters.
const MAX_IP: usize = 45;
/// Words before a number that has dots and is no address.
const VERSIONS: [&str; 9] = ["version", "versions", "ver", "v", "release", "build", "rev", "section", "chapter"];

/// Whether these bytes begin with `www.`.
pub fn starts_www(bytes: &[u8]) -> bool {
    bytes.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www."))
}

/// An address of the web from behind its scheme on, or from its `www.` on, up to the next blank or quote.
pub fn web_address(text: &str, at: usize) -> Range<usize> {
    let start = if text.as_bytes()[at] == b':' { at + 3 } else { at };
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '`' | '|' | '“' | '”' | '（' | '）' | '，' | '。');
    start..start + text[start..].find(is_end).unwrap_or(text.len() - start)
}

/// The IP address that begins here; none for those of the machine itself, and for version numbers.
pub fn ip_address(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if bytes[at].is_ascii_digit()
        && let Some(end) = four_numbers(bytes, at)
    {
        let own = [&b"127."[..], b"0.0.0.0", b"255."].iter().any(|own| bytes[at..].starts_with(own));
        return (!own && !follows_version(text, at)).then_some(at..end);
    }
    six(text, at)
}

/// Where four numbers of a byte with dots between them end, behind which nothing goes on.
fn four_numbers(bytes: &[u8], start: usize) -> Option<usize> {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    if start > 0 && is_part(bytes[start - 1]) {
        return None;
    }
    let mut at = start;
    for number in 0..4 {
        if number > 0 {
            at += usize::from(bytes.get(at) == Some(&b'.'));
        }
        let len = bytes[at..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let digits = &bytes[at..at + len];
        let value = digits.iter().fold(0u32, |value, digit| value * 10 + u32::from(digit - b'0'));
        let is_separated = number == 0 || bytes[at - 1] == b'.';
        if len == 0 || value > 255 || len > 1 && digits[0] == b'0' || !is_separated {
            return None;
        }
        at += len;
    }
    let goes_on = bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        || bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    (!goes_on).then_some(at)
}

fn follows_version(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\u{a0}', ':', '.']);
    let start = before.len() - before.bytes().rev().take(10).take_while(u8::is_ascii_alphabetic).count();
    VERSIONS.iter().any(|word| before[start..].eq_ignore_ascii_case(word))
}

/// An address of IPv6: of at least two groups, the first of four digits, so that it is no path of a program.
fn six(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let first = bytes[at..].iter().take(5).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if first != 4
        || bytes.get(at + 4) != Some(&b':')
        || !(bytes[at].is_ascii_digit() || matches!(bytes[at], b'f' | b'F'))
    {
        return None;
    }
    let len = bytes[at..]
        .iter()
        .take(MAX_IP)
        .take_while(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'))
        .count();
    let address = text[at..at + len].trim_end_matches('.');
    let address = if address.ends_with("::") { address } else { address.trim_end_matches(':') };
    let goes_on = bytes.get(at + address.len()).is_some_and(u8::is_ascii_alphanumeric);
    (!goes_on && address.parse::<Ipv6Addr>().is_ok()).then_some(at..at + address.len())
}
