//! White space: runs become one space, invisible characters vanish.

use crate::chars::{is_han, is_invisible, is_joiner};

/// Appends text to a string piece by piece, so that runs of white space become one space even across pieces,
/// none stands at the start, and a pending one at the end is not written.
///
/// The state belongs to one stretch of text (a row): call [`WhitespaceCollapser::restart`] before the next.
#[derive(Debug, Clone, Default)]
pub struct WhitespaceCollapser {
    started: bool,
    pending: bool,
    /// A line of a piece with words ends in the white space that is pending.
    line: bool,
    /// What is pending stays white space, even at the end of a line.
    apart: bool,
}

impl WhitespaceCollapser {
    /// Appends `piece` to `out` and returns how many characters that are not white space it added.
    pub fn push(&mut self, out: &mut String, piece: &str) -> u32 {
        let mut n = 0;
        let mut rest = piece;
        let begin = out.len();
        let breaks = |blank: &[u8]| blank.contains(&b'\n');
        while !rest.is_empty() {
            // Most text is ASCII words with one space between: copy as many as there are as one slice.
            let (end, spaces) = plain(rest.as_bytes());
            if end > 0 {
                self.flush(out, ' ');
                out.push_str(&rest[..end]);
                n += (end - spaces) as u32;
            }
            // White space and control characters, where most others are indentation.
            let blank = rest.as_bytes()[end..].iter().take_while(|&&byte| byte <= b' ' || byte == 0x7F).count();
            self.pending |= blank > 0;
            self.line |= breaks(&rest.as_bytes()[end..end + blank]);
            rest = &rest[end + blank..];
            if rest.is_empty() || rest.as_bytes()[0] < 0x80 {
                continue;
            }
            let letters = letters(rest.as_bytes());
            if letters.bytes > 0 {
                self.flush(out, rest.chars().next().unwrap_or(' '));
                out.push_str(&rest[..letters.bytes]);
                n += letters.chars;
                rest = &rest[letters.bytes..];
                continue;
            }
            let Some(c) = rest.chars().next() else { break };
            rest = &rest[c.len_utf8()..];
            if c.is_whitespace() || c.is_control() {
                self.pending = true;
            } else if !is_invisible(c) {
                self.flush(out, c);
                out.push(c);
                n += 1;
            } else if self.started && !self.pending && is_joiner(out.chars().next_back(), c, rest.chars().next()) {
                out.push(c);
            }
        }
        // The end of a line between two elements may keep words apart, such as the items of a menu.
        self.line &= out.len() > begin;
        n
    }

    /// White space between two pieces, e.g. for an element that separates words.
    pub fn space(&mut self) {
        self.pending = true;
        self.keep_lines_apart();
    }

    /// Keeps white space before the next word, if there is some, even where a line that is wrapped would have none.
    pub fn keep_lines_apart(&mut self) {
        self.apart = true;
    }

    /// Begins a new stretch: forgets pending white space.
    pub fn restart(&mut self) {
        *self = WhitespaceCollapser::default();
    }

    /// Writes what is pending before `next`. The end of a line between two characters that are written without spaces is nothing
    /// (CSS Text 3, §4.1.3; Korean has spaces).
    fn flush(&mut self, out: &mut String, next: char) {
        if self.pending && self.started {
            let vanishes =
                self.line && !self.apart && out.chars().next_back().is_some_and(|last| are_joined(last, next));
            if !vanishes {
                out.push(' ');
            }
        }
        (self.pending, self.line, self.apart) = (false, false, false);
        self.started = true;
    }
}

/// Whether two characters are written without a space at the end of a line: both are wide, or one is and the other a mark that Chinese
/// shares with other scripts.
fn are_joined(last: char, next: char) -> bool {
    let is_shared = |c: char| matches!(c, '“' | '”' | '‘' | '’' | '…' | '—' | '·');
    is_wide(next) && (is_wide(last) || is_shared(last)) || is_wide(last) && is_shared(next)
}

/// Chinese and Japanese characters and their marks.
fn is_wide(c: char) -> bool {
    c >= '\u{2E80}'
        && (is_han(c)
            || matches!(c, '\u{3000}'..='\u{303F}' | '\u{3040}'..='\u{30FF}' | '\u{3100}'..='\u{312F}' | '\u{31F0}'..='\u{31FF}'
                | '\u{FF01}'..='\u{FF9F}'))
}

/// So much of a text.
#[derive(Default)]
struct Stretch {
    bytes: usize,
    chars: u32,
}

/// How far characters reach whose first byte says that they are neither white space nor invisible: U+00C0 to U+07FF, and U+3001 to
/// U+DFFF.
fn letters(bytes: &[u8]) -> Stretch {
    let mut stretch = Stretch::default();
    while let Some(&first) = bytes.get(stretch.bytes) {
        let width = match first {
            0xC3..=0xDF => 2,
            0xE4..=0xED => 3,
            0xE3 if bytes[stretch.bytes + 1..].first_chunk() != Some(&[0x80, 0x80]) => 3,
            _ => break,
        };
        stretch.bytes += width;
        stretch.chars += 1;
    }
    stretch
}

/// Bytes that are looked at side by side.
const STEP: usize = 16;

/// Whether these are ASCII words with single spaces between them, as far as the last but one byte; the last one tells
/// whether a space before it is single.
fn is_plain(bytes: &[u8; STEP + 1]) -> bool {
    let odd = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ');
    let visible = |byte: u8| u8::from(byte.wrapping_sub(b'!') <= b'~' - b'!');
    let mut wrong = 0;
    for at in 0..STEP {
        wrong |= odd(bytes[at]) | u8::from(bytes[at] == b' ') & (1 - visible(bytes[at + 1]));
    }
    wrong == 0
}

/// How far ASCII words reach that have single spaces between them, and how many spaces that are.
fn plain(bytes: &[u8]) -> (usize, usize) {
    let visible = |at: usize| bytes.get(at).is_some_and(|&byte| byte > b' ' && byte < 0x7F);
    let (mut end, mut spaces) = (0, 0);
    if visible(0) {
        while let Some((n, _)) = bytes[end..].split_first_chunk::<{ STEP + 1 }>().filter(|(next, _)| is_plain(next)) {
            spaces += n[..STEP].iter().map(|&byte| usize::from(byte == b' ')).sum::<usize>();
            end += STEP;
        }
    }
    loop {
        end += bytes[end..].iter().take_while(|&&byte| byte > b' ' && byte < 0x7F).count();
        if end == 0 || bytes.get(end) != Some(&b' ') || !visible(end + 1) {
            return (end, spaces);
        }
        end += 1;
        spaces += 1;
    }
}

/// `text` with white space (NBSP and all of Unicode, control characters too) collapsed to single spaces, trimmed,
/// and invisible characters removed.
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    WhitespaceCollapser::default().push(&mut out, text);
    out
}

/// The length of a text: characters (Unicode scalar values) that are neither white space nor invisible.
pub fn n_chars(text: &str) -> usize {
    text.chars().filter(|&c| !c.is_whitespace() && !c.is_control() && !is_invisible(c)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_character_is_kept_blank_or_gone_as_unicode_has_it() {
        for c in '\u{80}'..=char::MAX {
            let kept = match c {
                _ if c.is_whitespace() || c.is_control() => "a b".to_owned(),
                _ if is_invisible(c) => "ab".to_owned(),
                _ => format!("a{c}b"),
            };
            assert_eq!(collapse(&format!("a{c}b")), kept, "{c:?}");
        }
    }

    #[test]
    fn white_space_collapses_across_pieces() {
        let mut out = String::new();
        let mut collapser = WhitespaceCollapser::default();
        let n: u32 = ["  a \n", "\t b", "c", "\u{a0}", "d  "].iter().map(|piece| collapser.push(&mut out, piece)).sum();
        assert_eq!((out.as_str(), n), ("a bc d", 4));
    }

    #[test]
    fn the_end_of_a_line_between_chinese_or_japanese_characters_is_nothing() {
        assert_eq!(collapse("石磨转动，\n  豆腐出锅。\n第二"), "石磨转动，豆腐出锅。第二");
        assert_eq!(collapse("石磨 转动\n2026 年\nかな\nカナ"), "石磨 转动 2026 年かなカナ");
        assert_eq!(collapse("한국어\n문장"), "한국어 문장");
    }

    #[test]
    fn so_it_is_between_pieces_of_a_wrapped_text_and_not_between_items() {
        let join = |pieces: &[&str]| {
            let mut out = String::new();
            let mut collapser = WhitespaceCollapser::default();
            for piece in pieces {
                collapser.push(&mut out, piece);
            }
            out
        };
        assert_eq!(join(&["他说：\n", "“好”", "\n然后走了"]), "他说：“好”然后走了");
        assert_eq!(join(&["首页", "\n", "新闻"]), "首页 新闻");
        let mut out = String::new();
        let mut collapser = WhitespaceCollapser::default();
        collapser.push(&mut out, "首页\n");
        collapser.keep_lines_apart();
        collapser.push(&mut out, "新闻");
        assert_eq!(out, "首页 新闻");
    }

    #[test]
    fn invisible_characters_vanish_without_a_space() {
        assert_eq!(collapse("so\u{ad}ft zero\u{200b}width \u{feff}bidi\u{202e}"), "soft zerowidth bidi");
    }

    proptest! {
        /// The definition character by character.
        #[test]
        fn slices_are_collapsed_as_characters_are(
            pieces in proptest::collection::vec("[a-c \\t\u{a0}\u{7f}é\u{200b}中]{0,12}|[a-z]{1,5}( [a-z]{1,5}){0,4}", 0..5)
        ) {
            let (mut out, mut expected, mut n, mut pending) = (String::new(), String::new(), 0, false);
            let mut collapser = WhitespaceCollapser::default();
            for piece in &pieces {
                n += collapser.push(&mut out, piece);
                for c in piece.chars() {
                    if c.is_whitespace() || c.is_control() {
                        pending = true;
                    } else if !is_invisible(c) {
                        if pending && !expected.is_empty() {
                            expected.push(' ');
                        }
                        pending = false;
                        expected.push(c);
                    }
                }
            }
            let visible = expected.chars().filter(|c| *c != ' ').count();
            prop_assert_eq!((out, n as usize), (expected, visible));
        }

        #[test]
        fn collapsing_twice_changes_nothing(text in "\\PC{0,40}[ \t\u{a0}\u{200b}a-z]{0,40}") {
            let once = collapse(&text);
            prop_assert_eq!(&collapse(&once), &once);
            prop_assert_eq!(n_chars(&once), n_chars(&text));
        }
    }
}
