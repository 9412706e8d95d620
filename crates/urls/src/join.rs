//! Resolving links as browsers do.

use std::borrow::Cow;

use url::{EncodingOverride, ParseError, Url};

/// Resolves `link` against `base` (WHATWG URL Standard). O(n).
///
/// The parser of the `url` crate takes the standard's every turn but one: `///host/path`, `/\host` and the like on an http page
/// mean `//host/path` there, and nothing here. So these are spelled out first.
///
/// # Errors
/// When `link` does not parse.
pub fn join(link: &str, base: Option<&Url>) -> Result<Url, ParseError> {
    join_as(link, base, None)
}

/// The same on a page in another charset than UTF-8: `encode` gives the bytes of its queries, which are escaped.
///
/// # Errors
/// When `link` does not parse.
pub fn join_as(link: &str, base: Option<&Url>, encode: EncodingOverride<'_>) -> Result<Url, ParseError> {
    let is_web = base.is_some_and(|base| matches!(base.scheme(), "http" | "https"));
    let link = if is_web { single_authority(link) } else { Cow::Borrowed(link) };
    Url::options().base_url(base).encoding_override(encode).parse(&link)
}

/// More than two slashes in front, of either kind, as two.
fn single_authority(link: &str) -> Cow<'_, str> {
    // The standard strips white space in front, and tabs and line ends everywhere.
    let is_skipped = |character: char| matches!(character, '\t' | '\n' | '\r');
    let trimmed = link.trim_start_matches(|character| character <= ' ');
    let rest = trimmed.trim_start_matches(|character| matches!(character, '/' | '\\') || is_skipped(character));
    let slashes = &trimmed[..trimmed.len() - rest.len()];
    if slashes.chars().filter(|character| !is_skipped(*character)).count() > 2 {
        return format!("//{rest}").into();
    }
    Cow::Borrowed(link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_in_front_of_a_host_may_be_many_and_of_either_kind() {
        let base = Url::parse("https://example.com/docs/index.html").unwrap();
        for (link, expected) in [
            ("///host/path", "https://host/path"),
            ("////host/path?x", "https://host/path?x"),
            ("/\\/host", "https://host/"),
            ("\\\\\\host/a", "https://host/a"),
            (" \n/\t/\n/host/a//b", "https://host/a//b"),
            ("//host/path", "https://host/path"),
            ("\\\\host\\path", "https://host/path"),
            ("/host/path", "https://example.com/host/path"),
            ("http:///host/path", "http://host/path"),
            ("https:host", "https://example.com/docs/host"),
            ("//[::1]/", "https://[::1]/"),
        ] {
            assert_eq!(join(link, Some(&base)).unwrap().as_str(), expected, "{link:?}");
        }
        assert!(join("///", Some(&base)).is_err() && join("///host", None).is_err());
        let file = Url::parse("file:///a/b").unwrap();
        assert_eq!(join("///c", Some(&file)).unwrap().as_str(), "file:///c", "other schemes have paths without a host");
    }
}
