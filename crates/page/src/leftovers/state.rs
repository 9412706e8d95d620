//! State of programs that stands in the text: JSON, serialised PHP, base64.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::known::is_in_code;
use crate::rows::{Row, Rows};

/// Shorter pieces may be what a sentence is about.
const MIN_BYTES: usize = 120;
/// Starts that are tried in one row.
const MAX_STARTS: usize = 20;
/// What stands before state that a script would read.
const ASSIGNED: [&str; 6] = ["window.", "window[", "self.__", "var ", "let ", "const "];
/// How far before the state its name may begin.
const MAX_NAME: usize = 100;

/// The state in a row outside of code, where it is most of the row or is assigned to a name. O(text) times at most
/// [`MAX_STARTS`].
pub(super) fn find(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    let text = page.row_text(row);
    if text.len() < MIN_BYTES {
        return;
    }
    let mut push = |range: Range<usize>| {
        let range = row.start + range.start as u32..row.start + range.end as u32;
        if !is_in_code(page, row, range.start) {
            found.push(range);
        }
    };
    let mut from = 0;
    for _ in 0..MAX_STARTS {
        let Some(state) = next(text, from) else { break };
        from = state.end;
        let named = name_before(text, state.start);
        let range = named.unwrap_or(state.start)..after(text, state.end);
        let is_media = text[state.start..].starts_with("[[{");
        if state.len() >= MIN_BYTES && (named.is_some() || is_media || range.len() * 5 >= text.len() * 4) {
            push(range);
        }
    }
    blobs(text).for_each(push);
}

/// The next JSON text or serialised PHP from a byte on.
fn next(text: &str, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    let mut tried = 0;
    while let Some(found) = memchr::memchr(b'{', &text.as_bytes()[at..]) {
        let brace = at + found;
        at = brace + 1;
        let json = text[brace + 1..].trim_start_matches(' ').starts_with('"');
        let Some(start) = (if json { Some(outer(text, from, brace)) } else { php(text, from, brace) }) else {
            continue;
        };
        tried += 1;
        if tried > MAX_STARTS {
            return None;
        }
        let end = [start, brace].into_iter().find_map(|start| Some(start..start + length(&text[start..], json)?));
        if let Some(range) = end {
            return Some(range);
        }
    }
    None
}

/// Where the arrays around an object begin.
fn outer(text: &str, from: usize, brace: usize) -> usize {
    const MAX_ARRAYS: usize = 4;
    let head = &text.as_bytes()[from..brace];
    brace - head.iter().rev().take(MAX_ARRAYS).take_while(|&&byte| byte == b'[').count()
}

/// Where `a:3:{s:` and the like begins.
fn php(text: &str, from: usize, brace: usize) -> Option<usize> {
    const KINDS: [&str; 6] = ["s:", "i:", "b:", "a:", "d:", "O:"];
    const MAX_DIGITS: usize = 9;
    let body = &text[brace + 1..];
    let head = text[from..brace].strip_suffix(':').filter(|_| KINDS.iter().any(|kind| body.starts_with(kind)))?;
    let digits = head.bytes().rev().take(MAX_DIGITS).take_while(u8::is_ascii_digit).count();
    let start = head[..head.len() - digits].strip_suffix("a:").filter(|_| digits > 0)?;
    Some(from + start.len())
}

/// How long the state at the start of a text is, when it is some.
fn length(text: &str, json: bool) -> Option<usize> {
    if json {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        return matches!(values.next(), Some(Ok(_))).then(|| values.byte_offset());
    }
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Where `window.name = ` or `self.__f.push(` before state begins.
fn name_before(text: &str, start: usize) -> Option<usize> {
    let head = text[..start].trim_end();
    if !head.ends_with(['=', '(']) {
        return None;
    }
    let from = head.floor_char_boundary(head.len().saturating_sub(MAX_NAME));
    ASSIGNED.iter().filter_map(|word| head[from..].rfind(word)).max().map(|at| from + at)
}

/// The end of the statement.
fn after(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    end + (rest.len() - rest.trim_start_matches([')', ';', ' ']).len())
}

/// Runs of base64: long, without spaces, of small and capital letters and digits.
fn blobs(text: &str) -> impl Iterator<Item = Range<usize>> {
    const MIN_BLOB: usize = 160;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        // No run that begins here is long unless the byte so far behind is of it, so most bytes are not looked at.
        while let Some(far) = bytes.get(from..from + MIN_BLOB) {
            if let Some(divider) = far.iter().rposition(|byte| !is_part(byte)) {
                from += divider + 1;
                continue;
            }
            let start = from;
            from += bytes[from..].iter().take_while(|byte| is_part(byte)).count();
            if is_base64(&text[start..from]) {
                return Some(start..from);
            }
        }
        None
    })
}

fn is_base64(word: &str) -> bool {
    let (mut small, mut capitals, mut digits, mut marks) = (0, 0, 0, 0);
    for byte in word.bytes() {
        match byte {
            b'a'..=b'z' => small += 1,
            b'A'..=b'Z' => capitals += 1,
            b'0'..=b'9' => digits += 1,
            b'+' | b'/' | b'=' => marks += 1,
            _ => return false,
        }
    }
    // In encoded bytes each kind has its share; words run together have next to no digits.
    let all = word.len();
    small * 5 > all && capitals * 5 > all && digits * 25 > all && marks * 10 < all
}
