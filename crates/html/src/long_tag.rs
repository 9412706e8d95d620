//! Finds tags with absurdly many attributes while they are fed to the tokenizer.
//!
//! html5ever compares each attribute of a tag with all before it, so one tag of 10 MB would take hours. The page is
//! fed in steps; when a whole step yields no token, the tokenizer is inside of one long construct. Only then is the
//! source looked at: a comment or a long attribute value is harmless, a tag beyond [`MAX_ATTRIBUTES`] is cut short.

use memchr::{memchr, memmem};

/// A tag may cost this many attributes squared.
pub(crate) const MAX_ATTRIBUTES: usize = 1_024;

/// What the long construct turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Long {
    /// Nothing to cut up to this offset: no need to look again before it.
    Quiet(usize),
    /// Too many attributes: leave out `from..to`, where a `>` stands (or the page ends).
    Cut { from: usize, to: usize },
}

/// Looks at the constructs that begin in `since..fed`, where the first may reach beyond. O(their length); a caller that
/// goes on from [`Long::Quiet`] has looked at each byte a bounded number of times, whatever the tokenizer makes of them.
pub(crate) fn inspect(html: &[u8], since: usize, fed: usize) -> Long {
    let mut at = since;
    while let Some(open) = memchr(b'<', &html[at..fed]) {
        at += open + 1;
        let rest = &html[at..];
        let is_name = |bytes: &[u8]| bytes.first().is_some_and(u8::is_ascii_alphabetic);
        let end = if rest.starts_with(b"!--") {
            at + memmem::find(rest, b"-->").unwrap_or(rest.len())
        } else if is_name(rest.strip_prefix(b"/").unwrap_or(rest)) {
            match tag(html, at, fed) {
                (end, Some(from)) => return Long::Cut { from, to: end },
                (end, None) => end,
            }
        } else if matches!(rest.first(), Some(b'!' | b'?' | b'/')) {
            // What is no tag behind these is a comment up to the next `>` (HTML §13.2.5.41).
            at + memchr(b'>', rest).unwrap_or(rest.len())
        } else {
            continue;
        };
        if end >= fed {
            return Long::Quiet(end);
        }
        at = end;
    }
    Long::Quiet(fed)
}

/// The offset of the `>` of the tag whose name begins at `at`, and the offset from which its attributes are to be
/// left out: a place between two attributes, not before `fed`.
fn tag(html: &[u8], at: usize, fed: usize) -> (usize, Option<usize>) {
    let skip = |at: usize, until: &dyn Fn(u8) -> bool| {
        html[at..].iter().position(|&byte| until(byte)).map_or(html.len(), |n| at + n)
    };
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let (mut at, mut n, mut cut) = (skip(at, &|byte| is_space(byte) || byte == b'/' || byte == b'>'), 0, None);
    loop {
        at = skip(at, &|byte| !is_space(byte) && byte != b'/');
        match html.get(at) {
            None | Some(b'>') => return (at, cut),
            Some(_) => {}
        }
        if n >= MAX_ATTRIBUTES && at >= fed && cut.is_none() {
            cut = Some(at);
        }
        n += 1;
        // A leading `=` belongs to the name.
        at = skip(at + 1, &|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let value = skip(at, &|byte| !is_space(byte));
        if html.get(value) != Some(&b'=') {
            continue;
        }
        at = skip(value + 1, &|byte| !is_space(byte));
        at = match html.get(at) {
            Some(&quote @ (b'"' | b'\'')) => memchr(quote, &html[at + 1..]).map_or(html.len(), |n| at + n + 2),
            Some(b'>') | None => at,
            Some(_) => skip(at, &|byte| is_space(byte) || byte == b'>'),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_long_values_are_quiet_to_their_end() {
        let comment = format!("x<!-- {} -->y", "a b ".repeat(5000));
        assert_eq!(inspect(comment.as_bytes(), 0, 9000), Long::Quiet(comment.len() - 4));
        let value = format!("x<p a=\"{}\" b>y", "a > ".repeat(5000));
        assert_eq!(inspect(value.as_bytes(), 0, 9000), Long::Quiet(value.len() - 2));
    }

    #[test]
    fn a_tag_with_too_many_attributes_is_cut_between_two_of_them() {
        let html = format!("<b>t</b><p {}>text", "a='>' bc=d e ".repeat(3000));
        let Long::Cut { from, to } = inspect(html.as_bytes(), 0, 20_001) else { panic!("not cut") };
        assert_eq!(&html[to..], ">text");
        assert!(from >= 20_001 && html[..from].ends_with(' '));
        assert_eq!(from, html[..from].rfind(' ').unwrap() + 1);
    }
}
