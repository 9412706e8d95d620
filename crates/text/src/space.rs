//! White space: runs become one space, invisible characters vanish.

use crate::chars::is_invisible;

/// Appends text to a string piece by piece, so that runs of white space become one space even across pieces,
/// none stands at the start, and a pending one at the end is not written.
///
/// The state belongs to one stretch of text (a row): call [`Collapser::restart`] before the next.
#[derive(Debug, Clone, Default)]
pub struct Collapser {
    started: bool,
    pending: bool,
}

impl Collapser {
    /// Appends `piece` to `out` and returns how many characters that are not white space it added.
    pub fn push(&mut self, out: &mut String, piece: &str) -> u32 {
        let mut n = 0;
        let mut rest = piece;
        while !rest.is_empty() {
            // Most text is ASCII words: copy each as one slice.
            let word = rest.bytes().position(|byte| byte <= b' ' || byte >= 0x7F).unwrap_or(rest.len());
            if word > 0 {
                self.flush(out);
                out.push_str(&rest[..word]);
                n += word as u32;
                rest = &rest[word..];
            }
            let Some(c) = rest.chars().next() else { break };
            rest = &rest[c.len_utf8()..];
            if c.is_whitespace() || c.is_control() {
                self.pending = true;
            } else if !is_invisible(c) {
                self.flush(out);
                out.push(c);
                n += 1;
            }
        }
        n
    }

    /// White space between two pieces, e.g. for an element that separates words.
    pub fn space(&mut self) {
        self.pending = true;
    }

    /// Begins a new stretch: forgets pending white space.
    pub fn restart(&mut self) {
        *self = Collapser::default();
    }

    fn flush(&mut self, out: &mut String) {
        if self.pending && self.started {
            out.push(' ');
        }
        self.pending = false;
        self.started = true;
    }
}

/// `text` with white space (NBSP and all of Unicode, control characters too) collapsed to single spaces, trimmed,
/// and invisible characters removed.
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Collapser::default().push(&mut out, text);
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
    fn white_space_collapses_across_pieces() {
        let mut out = String::new();
        let mut collapser = Collapser::default();
        let n: u32 = ["  a \n", "\t b", "c", "\u{a0}", "d  "].iter().map(|piece| collapser.push(&mut out, piece)).sum();
        assert_eq!((out.as_str(), n), ("a bc d", 4));
    }

    #[test]
    fn invisible_characters_vanish_without_a_space() {
        assert_eq!(collapse("so\u{ad}ft zero\u{200b}width \u{feff}bidi\u{202e}"), "soft zerowidth bidi");
    }

    proptest! {
        #[test]
        fn collapsing_twice_changes_nothing(text in "\\PC{0,40}[ \t\u{a0}\u{200b}a-z]{0,40}") {
            let once = collapse(&text);
            prop_assert_eq!(&collapse(&once), &once);
            prop_assert_eq!(n_chars(&once), n_chars(&text));
        }
    }
}
