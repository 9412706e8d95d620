//! Character references in strings that the HTML parser has not seen, as in scripts.

use std::borrow::Cow;

use crate::tokenizer::named;

/// Longest reference between `&` and `;`.
const MAX_REFERENCE: usize = 40;

/// The text with `&amp;`, `&#233;`, `&#xE9;` as the characters they stand for, once over. A reference without its
/// semicolon stays, since `&` in plain text is more often itself. O(text), without a copy where there is none.
pub fn unescape(text: &str) -> Cow<'_, str> {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, characters, after)) = next(rest) {
        out.push_str(before);
        out.extend(characters.into_iter().flatten());
        rest = after;
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

type Characters = [Option<char>; 2];

/// The first reference of a text: what stands before it, what it means, what follows.
fn next(text: &str) -> Option<(&str, Characters, &str)> {
    for (at, _) in text.match_indices('&') {
        let after = &text[at + 1..];
        let Some(end) = after.bytes().take(MAX_REFERENCE).position(|byte| byte == b';') else { continue };
        if let Some(characters) = characters(&after[..end]) {
            return Some((&text[..at], characters, &after[end + 1..]));
        }
    }
    None
}

fn characters(reference: &str) -> Option<Characters> {
    let Some(number) = reference.strip_prefix('#') else {
        let mut characters = named(&format!("{reference};"))?.chars();
        return Some([characters.next(), characters.next()]);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    let character = char::from_u32(code.ok()?).filter(|c| !c.is_control())?;
    Some([Some(character), None])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_characters_once() {
        assert_eq!(unescape("Maria &amp; Kat&#233;rina &#xE9;&eacute;"), "Maria & Katérina éé");
        assert_eq!(unescape("&amp;lt; &NotEqualTilde;"), "&lt; \u{2242}\u{338}");
        for plain in ["AT&T; x", "a & b", "&nosuch;", "&#xD800;", "&", "fish&chips", "&é;"] {
            assert!(matches!(unescape(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
    }
}
