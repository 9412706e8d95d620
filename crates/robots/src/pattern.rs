//! Path patterns of robots.txt: `*` for any run of characters, `$` for the end.

use gristmill_urls::normalise_escapes;
use memchr::memmem;

/// A rule's path pattern, its escapes in canonical spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern {
    text: String,
    has_star: bool,
    /// Ends with `$`, which is not part of `text`.
    anchored: bool,
}

impl PathPattern {
    /// Reads the value of an Allow or Disallow line; empty values are the caller's business.
    ///
    /// A value without a leading `/` or `*` gets a `/`, as Google's parser does: `Disallow: private` is a common slip.
    pub(crate) fn new(value: &[u8]) -> Self {
        let (value, anchored) = match value.strip_suffix(b"$") {
            Some(rest) => (rest, true),
            None => (value, false),
        };
        // A `$` elsewhere is itself; the subject spells it as an escape too.
        let normal = normalise_escapes(value).replace('$', "%24");
        let mut text = String::with_capacity(normal.len() + 1);
        if !normal.starts_with(['/', '*']) {
            text.push('/');
        }
        for character in normal.chars() {
            // A run of stars is one star, so that the number of pieces is bounded by the text.
            if character != '*' || !text.ends_with('*') {
                text.push(character);
            }
        }
        Self { has_star: text.contains('*'), text, anchored }
    }

    /// Length in octets of the canonical spelling: the more specific rule is the longer one (RFC 9309 §2.2.2).
    pub(crate) fn specificity(&self) -> usize {
        self.text.len() + usize::from(self.anchored)
    }

    /// The canonical spelling, without the end mark.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn has_star(&self) -> bool {
        self.has_star
    }

    /// Whether the pattern matches whole paths only.
    pub(crate) fn is_anchored(&self) -> bool {
        self.anchored
    }

    /// Whether the pattern matches the beginning of `subject` (all of it when anchored); `subject` comes from [`subject`].
    ///
    /// Each piece between stars is taken at its first place, which is right for globs: an earlier place never
    /// leaves less for the rest. So time is O(|pattern| + |subject|), and no input makes it backtrack.
    pub(crate) fn matches(&self, subject: &str) -> bool {
        if !self.has_star {
            return if self.anchored { subject == self.text } else { subject.starts_with(&self.text) };
        }
        let mut pieces = self.text.split('*');
        let Some(mut rest) = pieces.next().and_then(|first| subject.strip_prefix(first)) else {
            return false;
        };
        let mut pieces = pieces.peekable();
        while let Some(piece) = pieces.next() {
            if self.anchored && pieces.peek().is_none() {
                return rest.ends_with(piece);
            }
            let Some(place) = memmem::find(rest.as_bytes(), piece.as_bytes()) else {
                return false;
            };
            rest = &rest[place + piece.len()..];
        }
        true
    }
}

/// `path_and_query` as patterns see it: escapes in canonical spelling, `*` and `$` as escapes, because bare
/// they are operators in a pattern (RFC 9309 §2.2.3).
pub(crate) fn subject(path_and_query: &str) -> String {
    let normal = normalise_escapes(path_and_query.as_bytes());
    if normal.contains(['*', '$']) { normal.replace('*', "%2A").replace('$', "%24") } else { normal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, path: &str) -> bool {
        PathPattern::new(pattern.as_bytes()).matches(&subject(path))
    }

    #[test]
    fn stars_and_the_end_mark_work_as_the_rfc_says() {
        for (pattern, path, expected) in [
            ("/fish", "/fish.html", true),
            ("/fish", "/fishheads/yummy.html", true),
            ("/fish", "/Fish.asp", false),
            ("/fish*", "/fish/salmon", true),
            ("/fish/", "/fish", false),
            ("/*.php", "/folder/filename.php?parameters", true),
            ("/*.php", "/windows.PHP", false),
            ("/*.php$", "/folder/filename.php", true),
            ("/*.php$", "/filename.php?parameters", false),
            ("/fish*.php", "/fishheads/catfish.php?parameters", true),
            ("/$", "/", true),
            ("/$", "/a", false),
            ("*", "/anything", true),
            ("*$", "/anything", true),
            ("/a*b*c$", "/abbc-c", true),
            ("/a*b*c$", "/abbc-d", false),
            ("/a**b", "/a-b", true),
            ("private", "/private/x", true),
            ("/ab*b$", "/ab", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        assert!(matches("/%7Ejoe", "/~joe/index.html") && matches("/~joe", "/%7ejoe/index.html"));
        assert!(matches("/páge", "/p%C3%A1ge") && matches("/p%c3%a1ge", "/páge"));
        assert!(!matches("/a%2Fb", "/a/b"), "an encoded slash is not a slash");
        assert!(matches("/file%2A", "/file*") && !matches("/file%2A", "/filex"));
        assert!(matches("/cost%24", "/cost$5") && matches("/a$b", "/a$b"));
    }

    /// The textbook dynamic programme, as the oracle.
    fn glob(pattern: &[u8], text: &[u8], anchored: bool) -> bool {
        let mut row: Vec<bool> = (0..=text.len()).map(|at| at == 0).collect();
        for &byte in pattern {
            let mut next = vec![false; text.len() + 1];
            for at in 0..=text.len() {
                next[at] = if byte == b'*' {
                    row[at] || (at > 0 && next[at - 1])
                } else {
                    at > 0 && row[at - 1] && text[at - 1] == byte
                };
            }
            row = next;
        }
        if anchored { row[text.len()] } else { row.contains(&true) }
    }

    proptest! {
        #[test]
        fn greedy_matching_equals_the_dynamic_programme(pattern in "/[ab*]{0,8}", anchored: bool, text in "/[ab]{0,12}") {
            let spelled = format!("{pattern}{}", if anchored { "$" } else { "" });
            prop_assert_eq!(matches(&spelled, &text), glob(pattern.as_bytes(), text.as_bytes(), anchored));
        }
    }
}
