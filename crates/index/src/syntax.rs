//! The query language: text to clauses. There are no errors, only warnings.
//!
//! ```text
//! query  = group*                 all groups must match
//! group  = clause ("OR" clause)*  one of its clauses must match; `|` is `OR`, `AND` says nothing
//! clause = ("-" | "NOT")? (field ":")? (word | "\"" phrase "\"")
//! ```
//!
//! A field may be followed by a range, `price:[3000 TO 5000]`.
//! A colon after anything but a known field is part of the word, with a warning where that looks like a slip. Parentheses do not group. Quotes may be
//! typographic. What this cannot read is searched for as words.

/// Attributes that may be asked for without `attr.`: what nearly every product has.
pub(crate) const COMMON_ATTRIBUTES: [&str; 18] = [
    "brand",
    "price",
    "currency",
    "availability",
    "sku",
    "gtin",
    "isbn",
    "mpn",
    "model",
    "color",
    "size",
    "weight",
    "material",
    "capacity",
    "rating",
    "category",
    "manufacturer",
    "origin",
];

/// The fields, as a person is told of them.
const FIELDS: &str = "title, text, author, comments, url, site, lang, kind, rendered, date, brand, price and attr.NAME";

/// Longest word before a colon that is taken for the name of a field.
const MAX_NAME_BYTES: usize = 40;

/// Where a clause looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// Title and text.
    Anywhere,
    Title,
    Text,
    Author,
    /// What readers wrote, which no other target looks at.
    Comments,
    Url,
    Site,
    Language,
    Kind,
    /// How a browser drew it.
    Rendered,
    Date,
    /// One attribute by name.
    Attribute(String),
}

impl Target {
    fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if let Some(attribute) = name.strip_prefix("attributes.").or_else(|| name.strip_prefix("attr.")) {
            return (!attribute.is_empty()).then(|| Self::Attribute(attribute.to_owned()));
        }
        Some(match name.as_str() {
            "title" => Self::Title,
            "text" => Self::Text,
            "author" => Self::Author,
            "comments" => Self::Comments,
            "url" => Self::Url,
            "site" | "host" => Self::Site,
            "language" | "lang" => Self::Language,
            "kind" => Self::Kind,
            "rendered" => Self::Rendered,
            "date" | "published" => Self::Date,
            name if COMMON_ATTRIBUTES.contains(&name) => Self::Attribute(name.to_owned()),
            _ => return None,
        })
    }
}

/// One thing that is sought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    pub negative: bool,
    pub target: Target,
    pub text: String,
    pub quoted: bool,
}

/// A query, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// All must match; of the clauses in one group, one must.
    pub groups: Vec<Vec<Clause>>,
    pub warnings: Vec<String>,
}

/// Reads a query. O(n) time.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut parser = Parser { rest: text, parsed: Parsed::default(), alternative: false, negative: false };
    while parser.step() {}
    parser.parsed
}

struct Parser<'a> {
    rest: &'a str,
    parsed: Parsed,
    /// The next clause joins the last group.
    alternative: bool,
    /// The next clause is negated.
    negative: bool,
}

impl<'a> Parser<'a> {
    /// Reads one clause or connecting word; false at the end.
    fn step(&mut self) -> bool {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let Some(first) = self.rest.chars().next() else { return false };
        if let Some(phrase) = self.quoted() {
            self.add(Target::Anywhere, phrase, true);
            return true;
        }
        if matches!(first, '-' | '+') {
            self.rest = &self.rest[1..];
            // A dash between blanks is punctuation.
            self.negative |= first == '-' && self.rest.starts_with(|c: char| !c.is_whitespace());
            return true;
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || is_opening(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        match word {
            "OR" | "|" | "||" => self.alternative = true,
            "AND" | "&&" => {}
            "NOT" => self.negative = true,
            _ => return self.word(word),
        }
        self.rest = &self.rest[end..];
        true
    }

    fn word(&mut self, word: &'a str) -> bool {
        let colon = word.find([':', '：']);
        let named = colon.and_then(|at| Some((at, Target::named(&word[..at])?)));
        let Some((at, target)) = named else {
            if let Some(name) = colon.and_then(|at| self.unknown_field(word, at)) {
                self.parsed
                    .warnings
                    .push(format!("`{name}:` is no field, so it was searched for as a word; there are {FIELDS}"));
            }
            self.rest = &self.rest[word.len()..];
            let is_url = word.starts_with("http://") || word.starts_with("https://");
            let target = if is_url { Target::Url } else { Target::Anywhere };
            self.add(target, word, false);
            return true;
        };
        let separator = word[at..].chars().next().map_or(1, char::len_utf8);
        self.rest = &self.rest[at + separator..];
        if let Some(phrase) = self.quoted() {
            self.add(target, phrase, true);
            return true;
        }
        if let Some(range) = self.bracketed() {
            self.add(target, range, false);
            return true;
        }
        let value = &word[at + separator..];
        self.rest = &self.rest[value.len()..];
        if value.is_empty() {
            self.parsed.warnings.push(format!("nothing stands after `{word}`"));
            self.negative = false;
        } else {
            self.add(target, value.trim_end_matches(')'), false);
        }
        true
    }

    /// What stands before the colon of `word`, if it looks like the name of a field with a value.
    fn unknown_field(&self, word: &'a str, colon: usize) -> Option<&'a str> {
        let name = &word[..colon];
        let separator = word[colon..].chars().next().map_or(1, char::len_utf8);
        let next = self.rest[colon + separator..].chars().next()?;
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        let named = plain && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= MAX_NAME_BYTES;
        let valued = next.is_alphanumeric() || is_opening(next) || matches!(next, '[' | '<' | '>' | '-');
        (named && valued).then_some(name)
    }

    /// A range such as `[3000 TO 5000]`, brackets included, if one begins here and ends before another does.
    fn bracketed(&mut self) -> Option<&'a str> {
        let inside = self.rest.strip_prefix('[')?;
        let end = inside.find(['[', ']', '"'])?;
        inside[end..].starts_with(']').then(|| {
            let (range, rest) = self.rest.split_at(end + 2);
            self.rest = rest;
            range
        })
    }

    /// A quoted phrase, if one begins here.
    fn quoted(&mut self) -> Option<&'a str> {
        let opening = self.rest.chars().next().filter(|&c| is_opening(c))?;
        let inside = &self.rest[opening.len_utf8()..];
        match inside.find(|c| closes(opening, c)) {
            Some(end) => {
                let closing = inside[end..].chars().next().map_or(0, char::len_utf8);
                self.rest = &inside[end + closing..];
                Some(&inside[..end])
            }
            None => {
                self.parsed.warnings.push("a quotation mark is not closed".to_owned());
                self.rest = "";
                Some(inside)
            }
        }
    }

    fn add(&mut self, target: Target, text: &str, quoted: bool) {
        let clause = Clause { negative: self.negative, target, text: text.to_owned(), quoted };
        match self.parsed.groups.last_mut() {
            Some(group) if self.alternative => group.push(clause),
            _ => self.parsed.groups.push(vec![clause]),
        }
        (self.negative, self.alternative) = (false, false);
    }
}

fn is_opening(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '＂')
}

fn closes(opening: char, c: char) -> bool {
    match opening {
        '«' => c == '»',
        _ => matches!(c, '"' | '”' | '“' | '＂'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clause(negative: bool, target: Target, text: &str, quoted: bool) -> Clause {
        Clause { negative, target, text: text.into(), quoted }
    }

    #[test]
    fn words_phrases_fields_and_signs_are_told_apart() {
        let parsed = parse("rust -\"old way\" title:async site:\"a.org\" lang：zh attr.Color:red");
        let expected = [
            clause(false, Target::Anywhere, "rust", false),
            clause(true, Target::Anywhere, "old way", true),
            clause(false, Target::Title, "async", false),
            clause(false, Target::Site, "a.org", true),
            clause(false, Target::Language, "zh", false),
            clause(false, Target::Attribute("color".into()), "red", false),
        ];
        assert_eq!(parsed.groups.concat(), expected);
        assert_eq!(parsed.groups.len(), expected.len());
        assert!(parsed.warnings.is_empty());
    }

    #[test]
    fn or_joins_its_neighbours_only() {
        let groups = parse("a b OR (c | -d) AND e").groups;
        let words: Vec<Vec<_>> = groups.iter().map(|g| g.iter().map(|c| c.text.as_str()).collect()).collect();
        assert_eq!(words, [vec!["a"], vec!["b", "c", "d)"], vec!["e"]]);
        assert!(groups[1][2].negative);
    }

    #[test]
    fn what_looks_like_a_field_and_is_none_is_a_word() {
        for word in ["std::vec", "10:30", "foo:bar", ":", "a-b"] {
            assert_eq!(parse(word).groups, [[clause(false, Target::Anywhere, word, false)]], "{word}");
        }
        assert!(parse("prize:3 Brnd:\"x\" foo:[1 TO 2]").warnings.iter().all(|told| told.contains("is no field")));
        assert_eq!(parse("prize:3 Brnd:\"x\" foo:[1 TO 2]").warnings.len(), 3);
        for word in ["std::vec", "10:30", "note: this", "a:", "http://a.test:80/", "c:/dir"] {
            assert!(parse(word).warnings.is_empty(), "{word}");
        }
        let url = "https://example.org/a?b=c";
        assert_eq!(parse(url).groups, [[clause(false, Target::Url, url, false)]]);
    }

    #[test]
    fn chinese_quotes_make_a_phrase_and_open_ones_a_warning() {
        assert_eq!(parse("“社会 主义”").groups, [[clause(false, Target::Anywhere, "社会 主义", true)]]);
        let open = parse("\"no end");
        assert_eq!(open.groups, [[clause(false, Target::Anywhere, "no end", true)]]);
        assert_eq!(open.warnings.len(), 1);
        assert_eq!(parse("title: x").warnings, ["nothing stands after `title:`"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "[ a-z:\"()|+“”«»-]{0,60}|\\PC{0,60}") {
            parse(&text);
        }
    }
}
