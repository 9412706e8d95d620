//! Addresses of electronic mail.

use std::ops::Range;

/// Longest local part and domain (RFC 5321).
const MAX_LOCAL: usize = 64;
const MAX_DOMAIN: usize = 255;
/// Endings of names of files, which have `@` for the scale of a picture.
const FILE_ENDINGS: [&str; 12] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "js", "css", "mjs", "ts", "ico"];

/// The address around an `@`; none if it is something else: a handle, a decorator, a package, a path of `git`.
pub fn around(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_local = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let local = bytes[..at].iter().rev().take(MAX_LOCAL + 1).take_while(is_local).count();
    let start = at - local;
    let start = start + bytes[start..at].iter().take_while(|byte| b"._%+-".contains(byte)).count();
    let is_domain = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let len = bytes[at + 1..].iter().take(MAX_DOMAIN + 1).take_while(is_domain).count();
    let domain = text[at + 1..at + 1 + len].trim_end_matches(['.', '-']);
    let end = at + 1 + domain.len();
    let is_right =
        start < at && at - start <= MAX_LOCAL && !bytes[at - 1..].starts_with(b".") && is_mail_domain(domain);
    // `git@host:path`, `a@b@c`.
    let behind = bytes.get(end);
    let is_path =
        behind == Some(&b':') && bytes.get(end + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
    (is_right && !is_path && behind != Some(&b'@')).then_some(start..end)
}

fn is_mail_domain(domain: &str) -> bool {
    let Some((name, top)) = domain.rsplit_once('.') else { return false };
    let is_top = top.len() >= 2 && (top.bytes().all(|byte| byte.is_ascii_alphabetic()) || top.starts_with("xn--"));
    let is_file = FILE_ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(top));
    is_top
        && !is_file
        && name.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
}
