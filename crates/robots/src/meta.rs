//! Robots directives of one page: meta elements and X-Robots-Tag headers.

/// What a page asks for itself. Directives add up; nothing takes one back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Directives {
    /// The page is not to be indexed.
    pub noindex: bool,
    /// The page's links are not to be followed.
    pub nofollow: bool,
}

impl Directives {
    /// Reads the `content` of `<meta name="robots">` (or of a meta element named after the crawler, which is the
    /// caller's choice): `noindex, nofollow`, `none`; between them commas, semicolons or white space. Case and unknown directives
    /// do not matter. O(n).
    #[must_use]
    pub fn from_meta(content: &str) -> Self {
        content
            .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
            .fold(Self::default(), |directives, word| directives.with(word))
    }

    /// Reads one value of an `X-Robots-Tag` header for the crawler called `agent`.
    ///
    /// `noindex` speaks to all, `otherbot: noindex, nofollow` to that crawler until another one is named.
    /// Directives that carry a value (`unavailable_after: …`) are no agent names. O(n).
    #[must_use]
    pub fn from_header(value: &str, agent: &str) -> Self {
        header_directives(value, agent).fold(Self::default(), Self::with)
    }

    /// Both sets of wishes together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { noindex: self.noindex || other.noindex, nofollow: self.nofollow || other.nofollow }
    }

    fn with(self, word: &str) -> Self {
        let is = |name: &str| word.trim().eq_ignore_ascii_case(name);
        let none = is("none");
        self.union(Self { noindex: none || is("noindex"), nofollow: none || is("nofollow") })
    }
}

/// The directives of one value of an `X-Robots-Tag` header that speak to the crawler called `agent`, as they are written. O(n).
pub fn header_directives<'v>(value: &'v str, agent: &str) -> impl Iterator<Item = &'v str> {
    let mut ours = true;
    value.split(',').filter_map(move |part| {
        let mut word = part.trim();
        if let Some((name, rest)) = word.split_once(':')
            && !has_value(name.trim())
        {
            let name = name.trim();
            ours = name == "*" || name.eq_ignore_ascii_case(agent);
            word = rest.trim();
        }
        (ours && !word.is_empty()).then_some(word)
    })
}

fn has_value(name: &str) -> bool {
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOINDEX: Directives = Directives { noindex: true, nofollow: false };
    const NONE: Directives = Directives { noindex: true, nofollow: true };

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
    fn a_header_may_speak_to_one_crawler() {
        let read = |value| Directives::from_header(value, "gristmill");
        assert_eq!(read("noindex"), NOINDEX);
        assert_eq!(read("otherbot: noindex, nofollow"), Directives::default());
        assert_eq!(read("otherbot: nofollow, Gristmill: noindex"), NOINDEX);
        assert_eq!(read("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"), NOINDEX);
        assert_eq!(read("*: none"), NONE);
    }
}
