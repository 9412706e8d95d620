//! Where a text is cut: stretches, scripts, and the insides of words.

use unicode_normalization::char::is_combining_mark;

use crate::folding::is_ignorable;

/// A stretch without blanks is analysed in pieces of this many bytes, to bound memory.
const MAX_CHUNK_BYTES: usize = 4096;

/// How a script separates its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Han,
    Hiragana,
    Katakana,
    Hangul,
    /// Words by UAX #29.
    Spaced,
}

/// End of the stretch that begins at `from`: the next ASCII blank, or a good place to cut before it.
pub(crate) fn chunk_end(text: &str, from: usize) -> usize {
    let rest = &text.as_bytes()[from..];
    let window = &rest[..rest.len().min(MAX_CHUNK_BYTES)];
    if let Some(blank) = window.iter().position(u8::is_ascii_whitespace) {
        return from + blank;
    }
    if window.len() == rest.len() {
        return text.len();
    }
    let hard = text.floor_char_boundary(from + MAX_CHUNK_BYTES);
    let mut back = text[from..hard].char_indices().rev().take(MAX_CHUNK_BYTES / 8);
    let soft = back.find(|&(_, c)| !c.is_alphanumeric() && !is_attached(c)).map(|(at, c)| from + at + c.len_utf8());
    soft.filter(|&soft| soft > from).unwrap_or(hard)
}

/// The script that decides how to cut, or `None` for a character that belongs to what stands before it.
pub(crate) fn script_of(c: char) -> Option<Script> {
    match c {
        '\0'..='\u{7f}' => Some(Script::Spaced),
        '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Some(Script::Han),
        '\u{2f00}'..='\u{2fd5}' | '\u{f900}'..='\u{fad9}' | '\u{20000}'..='\u{3fffd}' => Some(Script::Han),
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' => Some(Script::Hiragana),
        '\u{30a1}'..='\u{30fa}' | '\u{30fd}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Some(Script::Katakana),
        '\u{ff66}'..='\u{ff9d}' if c != '\u{ff70}' => Some(Script::Katakana),
        // The mark of a long vowel and the half-width voicing marks follow kana of either kind.
        '\u{30fc}' | '\u{ff70}' | '\u{ff9e}' | '\u{ff9f}' => None,
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{a960}'..='\u{a97c}' => Some(Script::Hangul),
        '\u{ac00}'..='\u{d7fb}' | '\u{ffa1}'..='\u{ffdc}' => Some(Script::Hangul),
        _ if is_attached(c) => None,
        _ => Some(Script::Spaced),
    }
}

/// Marks, selectors and joiners, which are part of the character before them.
pub(crate) fn is_attached(c: char) -> bool {
    is_ignorable(c) || is_combining_mark(c)
}

/// Whether the byte at `at`, not a letter or digit, stands inside a word: `don't`, `3.14`, `1,000`.
pub(crate) fn ascii_joins(bytes: &[u8], at: usize, to: usize) -> bool {
    let (Some(&before), Some(&after)) = (bytes.get(at.wrapping_sub(1)), bytes[..to].get(at + 1)) else {
        return false;
    };
    match bytes[at] {
        b'\'' => {
            before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
                || before.is_ascii_digit() && after.is_ascii_digit()
        }
        b'.' | b',' | b';' => before.is_ascii_digit() && after.is_ascii_digit(),
        _ => false,
    }
}

/// How many bytes of signs behind a word are part of it: those of `C++`, `g++` and `F#`.
pub(crate) fn signs_behind(word: &str, rest: &str) -> usize {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return 0;
    }
    let next = |at: usize| rest[at..].chars().next();
    match rest.as_bytes() {
        [b'+', b'+', ..] if next(2) != Some('+') => 2,
        [b'#', ..] if next(1).is_none_or(|c| !c.is_alphanumeric() && c != '#') => 1,
        _ => 0,
    }
}

/// Whether the dot at the end of `before` begins a word, as that of `.NET` and `.htaccess` does.
pub(crate) fn is_leading_dot(before: &str, word: &str) -> bool {
    let Some(before) = before.strip_suffix('.') else { return false };
    let opens = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '\'' | '`' | '“' | '‘' | '«');
    before.chars().next_back().is_none_or(opens) && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Pictures that people search for.
pub(crate) fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}')
        || matches!(c, '\u{231a}'..='\u{23ff}' | '\u{2b50}' | '\u{2b55}' | '\u{1f004}' | '\u{1f0cf}')
}

/// The tone of skin of the emoji before it, which nobody types.
pub(crate) fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether a UAX #29 word is to be cut at the character `c` at `at`.
pub(crate) fn is_cut(word: &str, at: usize, c: char) -> bool {
    if !matches!(c, '.' | ':' | '_' | '\u{b7}' | '\u{2024}' | '\u{203f}' | '\u{ff0e}' | '\u{ff1a}' | '\u{ff3f}') {
        return false;
    }
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let inside = digit(word[..at].chars().next_back()) && digit(word[at + c.len_utf8()..].chars().next());
    !inside || matches!(c, '_' | '\u{203f}' | '\u{ff3f}')
}
