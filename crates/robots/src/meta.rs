//! Robots directives of one page: meta elements and X-Robots-Tag headers.

use crate::dates::parse_rfc822;

/// What a page asks for itself. Directives add up; nothing takes one back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Directives {
    /// The page is not to be indexed.
    pub noindex: bool,
    /// The page's links are not to be followed.
    pub nofollow: bool,
    /// From when on the page is not to be indexed, Unix seconds.
    pub unavailable_after: Option<i64>,
}

impl Directives {
    /// Reads the `content` of `<meta name="robots">` (or of a meta element named after the crawler, which is the
    /// caller's choice): `noindex, nofollow`, `none`; between them commas, semicolons or white space. Case and unknown directives
    /// do not matter. O(n).
    #[must_use]
    pub fn from_meta(content: &str) -> Self {
        let parts: Vec<&str> = content.split([',', ';']).map(str::trim).collect();
        let dated = Self { unavailable_after: unavailable_after(&parts), ..Self::default() };
        content
            .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
            .fold(dated, |directives, word| directives.with(word))
    }

    /// Reads one value of an `X-Robots-Tag` header for the crawler called `agent`.
    ///
    /// `noindex` speaks to all, `otherbot: noindex, nofollow` to that crawler until another one is named.
    /// Directives that carry a value (`unavailable_after: …`) are no agent names. O(n).
    #[must_use]
    pub fn from_header(value: &str, agent: &str) -> Self {
        let parts: Vec<&str> = header_directives(value, agent).collect();
        let dated = Self { unavailable_after: unavailable_after(&parts), ..Self::default() };
        parts.into_iter().fold(dated, Self::with)
    }

    /// Whether the page is not to be indexed at a time, in Unix seconds.
    #[must_use]
    pub fn noindex_at(self, time: i64) -> bool {
        self.noindex || self.unavailable_after.is_some_and(|after| after <= time)
    }

    /// Both sets of wishes together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            noindex: self.noindex || other.noindex,
            nofollow: self.nofollow || other.nofollow,
            unavailable_after: self.unavailable_after.into_iter().chain(other.unavailable_after).min(),
        }
    }

    fn with(self, word: &str) -> Self {
        let is = |name: &str| word.trim().eq_ignore_ascii_case(name);
        let none = is("none");
        let said = Self { noindex: none || is("noindex"), nofollow: none || is("nofollow"), unavailable_after: None };
        self.union(said)
    }
}

/// The directives of one value of an `X-Robots-Tag` header that speak to the crawler called `agent`, as they are written. O(n).
pub fn header_directives<'v>(value: &'v str, agent: &str) -> impl Iterator<Item = &'v str> {
    let mut ours = true;
    value.split(',').filter_map(move |part| {
        let mut word = part.trim();
        if let Some((name, rest)) = word.split_once(':')
            && is_agent(name.trim())
        {
            let name = name.trim();
            ours = name == "*" || name.eq_ignore_ascii_case(agent);
            word = rest.trim();
        }
        (ours && !word.is_empty()).then_some(word)
    })
}

/// Not so a directive with a value, nor the hour of a date whose weekday stands before a comma.
fn is_agent(name: &str) -> bool {
    const WITH_VALUE: [&str; 4] = [UNAVAILABLE_AFTER, "max-snippet", "max-image-preview", "max-video-preview"];
    !name.contains(char::is_whitespace) && !WITH_VALUE.iter().any(|known| name.eq_ignore_ascii_case(known))
}

const UNAVAILABLE_AFTER: &str = "unavailable_after";

/// The earliest date after which a page is not to be shown, as RFC 822, RFC 850 and ISO 8601 write it.
///
/// * `parts`: directives, divided at commas, as a date may be, too.
fn unavailable_after(parts: &[&str]) -> Option<i64> {
    let date = |(at, part): (usize, &&str)| {
        let (name, date) = part.split_once(':')?;
        if !name.trim().eq_ignore_ascii_case(UNAVAILABLE_AFTER) {
            return None;
        }
        let behind_weekday = || parts.get(at + 1).and_then(|next| parse_date(next));
        parse_date(date).or_else(behind_weekday)
    };
    parts.iter().enumerate().filter_map(date).min()
}

fn parse_date(text: &str) -> Option<i64> {
    let text = text.trim();
    // RFC 850 writes `25-Jun-10`.
    parse_rfc822(text).or_else(|| parse_rfc822(&text.replace('-', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOINDEX: Directives = Directives { noindex: true, nofollow: false, unavailable_after: None };
    const NONE: Directives = Directives { noindex: true, nofollow: true, unavailable_after: None };

    #[test]
    fn meta_content_is_a_list_without_case() {
        assert_eq!(Directives::from_meta("NoIndex,follow"), NOINDEX);
        assert_eq!(Directives::from_meta("index, NONE"), NONE);
        for separated in
            ["noindex nofollow", "noindex; nofollow", "noindex;nofollow", "noindex\tnofollow", "\nnoindex,\n nofollow"]
        {
            assert_eq!(Directives::from_meta(separated), NONE, "{separated:?}");
        }
        assert_eq!(Directives::from_meta("noindexed, all"), Directives::default());
    }

    #[test]
    fn a_page_may_end_at_a_date() {
        const SUMMER: i64 = 1_277_506_800;
        let header = |value: &str| Directives::from_header(value, "gristmill");
        for date in [
            "25 Jun 2010 15:00:00 PST",
            "Friday, 25-Jun-10 23:00:00 UTC",
            "Fri, 25 Jun 2010 23:00:00 GMT",
            "2010-06-25T23:00:00Z",
            "2010-06-25",
        ] {
            for read in [
                header(&format!("unavailable_after: {date}")),
                header(&format!("noarchive, Unavailable_After: {date}, nosnippet")),
                header(&format!("otherbot: noindex, gristmill: unavailable_after: {date}")),
                Directives::from_meta(&format!("unavailable_after: {date}")),
                Directives::from_meta(&format!("noarchive, unavailable_after: {date}")),
            ] {
                assert!(read.noindex_at(SUMMER) && !read.noindex_at(SUMMER - 2 * 86_400), "{date}: {read:?}");
            }
        }
        assert!(!header("otherbot: unavailable_after: 2010-06-25").noindex_at(SUMMER));
        assert!(!header("unavailable_after: soon").noindex_at(SUMMER));
        let read = header("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, nofollow");
        assert!(read.nofollow, "the hour of a date names no crawler");
    }

    #[test]
    fn a_header_may_speak_to_one_crawler() {
        let read = |value| Directives::from_header(value, "gristmill");
        assert_eq!(read("noindex"), NOINDEX);
        assert_eq!(read("otherbot: noindex, nofollow"), Directives::default());
        assert_eq!(read("otherbot: nofollow, Gristmill: noindex"), NOINDEX);
        assert!(read("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex").noindex);
        assert_eq!(read("*: none"), NONE);
    }
}
