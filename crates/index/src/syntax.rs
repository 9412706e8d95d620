//! The query language: text to clauses. There are no errors, only warnings.
//!
//! ```text
//! query  = group*                 all groups must match
//! group  = clause ("OR" clause)*  one of its clauses must match; `|` is `OR`, `AND` says nothing
//! clause = ("-" | "NOT")? (field ":")? (word ("*" | "~" edits)? | "\"" phrase "\"" ("~" words)?)
//! ```
//!
//! `gran*` is any word that begins so, `word~1` any in which at most one letter is another, and in `"a b"~3` the words may be
//! three words apart. What looks like an operator of another search engine is told of. A field may be followed by a range, `price:[3000 TO 5000]`.
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
const FIELDS: &str = "title, text, author, comments, url, site, lang, kind, rendered, date, changed, price_dropped, brand, price and \
     attr.NAME";

/// Most words between those of a phrase.
const MAX_SLOP: u32 = 10;

/// Fewest letters before `*`.
const MIN_BEGINNING: usize = 2;

const UNGROUPED: &str = "parentheses do not group; `OR` joins its two neighbours, and `-` stands before each word";

/// Longest word before a colon that is taken for the name of a field.
const MAX_NAME_BYTES: usize = 40;

/// Where a clause looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QueryField {
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
    /// When it last changed.
    Changed,
    /// By how many percent the price went down.
    PriceDropped,
    /// One attribute by name.
    Attribute(String),
}

impl QueryField {
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
            "changed" => Self::Changed,
            "price_dropped" => Self::PriceDropped,
            name if COMMON_ATTRIBUTES.contains(&name) => Self::Attribute(name.to_owned()),
            _ => return None,
        })
    }
}

/// How near what is found must be to what is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Reach {
    #[default]
    Exact,
    /// Any word that begins so.
    Beginning,
    /// Any word with so many letters changed.
    Edits(u8),
    /// A phrase with so many words between its own.
    Slop(u32),
}

/// One thing that is sought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    pub negative: bool,
    pub target: QueryField,
    pub text: String,
    pub quoted: bool,
    pub reach: Reach,
}

/// A query, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ParsedQuery {
    /// All must match; of the clauses in one group, one must.
    pub groups: Vec<Vec<Clause>>,
    pub warnings: Vec<String>,
}

/// Reads a query. O(n) time.
pub(crate) fn parse(text: &str) -> ParsedQuery {
    let mut parser =
        Parser { rest: text, parsed: ParsedQuery::default(), alternative: false, negative: false, depth: 0 };
    while parser.step() {}
    parser.parsed
}

struct Parser<'a> {
    rest: &'a str,
    parsed: ParsedQuery,
    /// The next clause joins the last group.
    alternative: bool,
    /// The next clause is negated.
    negative: bool,
    /// Parentheses that are open where words begin.
    depth: u32,
}

impl<'a> Parser<'a> {
    /// Reads one clause or connecting word; false at the end.
    fn step(&mut self) -> bool {
        self.parentheses();
        let Some(first) = self.rest.chars().next() else { return false };
        if let Some(phrase) = self.quoted() {
            self.phrase(QueryField::Anywhere, phrase);
            return true;
        }
        if matches!(first, '-' | '+') {
            self.rest = &self.rest[1..];
            // A dash between blanks is punctuation.
            self.negative |= first == '-' && self.rest.starts_with(|c: char| !c.is_whitespace());
            if self.negative && self.rest.starts_with('(') {
                self.tell(UNGROUPED);
            }
            return true;
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || is_opening(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        match word {
            "OR" | "|" | "||" => self.alternative = true,
            "AND" | "&&" => {}
            "NOT" => self.negative = true,
            _ => {
                self.depth = self.depth.saturating_sub(u32::from(word.ends_with(')')));
                return self.word(word);
            }
        }
        if self.depth > 0 {
            self.tell(UNGROUPED);
        }
        self.rest = &self.rest[end..];
        true
    }

    /// Passes over blanks and parentheses.
    fn parentheses(&mut self) {
        let blank = |c: char| c.is_whitespace() || c == '(' || c == ')';
        let end = self.rest.find(|c| !blank(c)).unwrap_or(self.rest.len());
        for byte in self.rest[..end].bytes() {
            match byte {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.rest = &self.rest[end..];
    }

    /// Warns once.
    fn tell(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.parsed.warnings.contains(&warning) {
            self.parsed.warnings.push(warning);
        }
    }

    /// Adds a phrase, with the words that may stand between its own.
    fn phrase(&mut self, target: QueryField, phrase: &str) {
        let slop = self.rest.strip_prefix('~').and_then(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            Some((rest[..end].parse::<u32>().ok()?, &rest[end..]))
        });
        let Some((words, rest)) = slop else { return self.add(target, phrase, true) };
        self.rest = rest;
        if words > MAX_SLOP {
            self.tell(format!("words of a phrase may be up to {MAX_SLOP} words apart, not {words}"));
        }
        self.add_reaching(target, phrase, true, Reach::Slop(words.min(MAX_SLOP)));
    }

    /// Adds a word, with what its end asks for; tells what is no operator here.
    fn unquoted(&mut self, target: QueryField, word: &str) {
        if matches!(
            target,
            QueryField::Site
                | QueryField::Language
                | QueryField::Kind
                | QueryField::Rendered
                | QueryField::Date
                | QueryField::Changed
                | QueryField::PriceDropped
        ) || word == "*"
        {
            return self.add(target, word, false);
        }
        let (word, reach) = match operator_of(word) {
            Suffix::Reach(word, reach) => (word, reach),
            Suffix::Unknown(word, warning) => {
                self.tell(warning);
                (word, Reach::Exact)
            }
        };
        if let Some(warning) = no_operator(word, self.rest) {
            self.tell(warning);
        }
        let reach = match (&target, reach) {
            (QueryField::Attribute(_), Reach::Beginning | Reach::Edits(_)) => {
                self.tell("`*` and `~` are not read in attributes");
                Reach::Exact
            }
            _ => reach,
        };
        self.add_reaching(target, word, false, reach);
    }

    fn word(&mut self, word: &'a str) -> bool {
        let colon = word.find([':', '：']);
        let named = colon.and_then(|at| Some((at, QueryField::named(&word[..at])?)));
        let Some((at, target)) = named else {
            if let Some(name) = colon.and_then(|at| self.unknown_field(word, at)) {
                self.parsed
                    .warnings
                    .push(format!("`{name}:` is no field, so it was searched for as a word; there are {FIELDS}"));
            }
            self.rest = &self.rest[word.len()..];
            let is_url = word.starts_with("http://") || word.starts_with("https://");
            match is_url {
                true => self.add(QueryField::Url, word, false),
                false => self.unquoted(QueryField::Anywhere, word),
            }
            return true;
        };
        let separator = word[at..].chars().next().map_or(1, char::len_utf8);
        self.rest = &self.rest[at + separator..];
        if let Some(phrase) = self.quoted() {
            self.phrase(target, phrase);
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
            if value.starts_with('(') {
                self.tell(UNGROUPED);
            }
            self.unquoted(target, value.trim_end_matches(')'));
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

    fn add(&mut self, target: QueryField, text: &str, quoted: bool) {
        self.add_reaching(target, text, quoted, Reach::Exact);
    }

    fn add_reaching(&mut self, target: QueryField, text: &str, quoted: bool, reach: Reach) {
        let clause = Clause { negative: self.negative, target, text: text.to_owned(), quoted, reach };
        match self.parsed.groups.last_mut() {
            Some(group) if self.alternative => group.push(clause),
            _ => self.parsed.groups.push(vec![clause]),
        }
        (self.negative, self.alternative) = (false, false);
    }
}

/// What the end of a word says of it.
enum Suffix<'w> {
    Reach(&'w str, Reach),
    /// Nothing that is known here: the word without it, and a warning.
    Unknown(&'w str, String),
}

/// Takes `*`, `~1` and what is like them off the end of a word.
fn operator_of(word: &str) -> Suffix<'_> {
    let is_word = |part: &str| part.ends_with(char::is_alphanumeric);
    if let Some(beginning) = word.strip_suffix('*').filter(|beginning| is_word(beginning)) {
        let letters = beginning.chars().rev().take_while(|c| c.is_alphanumeric()).take(MIN_BEGINNING).count();
        return match letters < MIN_BEGINNING {
            false => Suffix::Reach(beginning, Reach::Beginning),
            true => Suffix::Unknown(beginning, format!("`{word}` needs {MIN_BEGINNING} letters before `*`")),
        };
    }
    let Some(at) = word.rfind(['~', '^']).filter(|&at| is_word(&word[..at])) else {
        return Suffix::Reach(word, Reach::Exact);
    };
    let (whole, word, sign, number) = (word, &word[..at], &word[at..=at], &word[at + 1..]);
    match (sign, number) {
        ("~", "" | "1") => Suffix::Reach(word, Reach::Edits(1)),
        ("~", "2") => Suffix::Reach(word, Reach::Edits(2)),
        ("~", _) if number.parse::<f64>().is_ok() => Suffix::Unknown(
            word,
            format!("`~{number}` is not read; write `{word}~1` or `{word}~2` for letters that may be wrong"),
        ),
        ("^", _) if word.chars().all(char::is_alphabetic) && number.parse::<f64>().is_ok() => Suffix::Unknown(
            word,
            format!("`^{number}` is no operator, and was left out; no word can be given a weight"),
        ),
        _ => Suffix::Reach(whole, Reach::Exact),
    }
}

/// What is an operator in other search engines and only a word here.
fn no_operator(word: &str, rest: &str) -> Option<String> {
    let inner = |sign: char| {
        word.char_indices().any(|(at, c)| {
            let (before, after) = (word[..at].chars().next_back(), word[at + c.len_utf8()..].chars().next());
            c == sign && after.is_some_and(char::is_alphanumeric) && before.is_none_or(char::is_alphanumeric)
        })
    };
    let function = word.split(['/', '(']).next().unwrap_or_default();
    if matches!(function, "NEAR" | "ADJ" | "AROUND" | "ONEAR" | "XOR") {
        return Some(format!("`{word}` is no operator, so it was searched for as a word; write `\"two words\"~5`"));
    }
    if inner('*') {
        return Some(format!("`*` stands only at the end of a word, so `{word}` was searched for without it"));
    }
    if inner('?') && word.is_ascii() && !word.contains(['/', '=']) {
        return Some(format!("`?` stands for no letter, so `{word}` was searched for without it"));
    }
    if word.len() > 1 && word.starts_with('!') && word[1..].starts_with(char::is_alphanumeric) {
        return Some(format!("`!` is no operator; write `-{}` for documents without the word", &word[1..]));
    }
    let pattern = word.strip_prefix('/').and_then(|word| word.strip_suffix('/')).unwrap_or_default();
    if pattern.contains(['[', ']', '.', '*', '+', '?', '|', '\\', '^', '$']) {
        return Some(format!("regular expressions are not read, so `{word}` was searched for as words"));
    }
    if word.starts_with(['[', '{']) && rest.trim_start().starts_with("TO ") {
        return Some("a range needs a field before it, such as `price:[10 TO 20]`".to_owned());
    }
    None
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

    fn clause(negative: bool, target: QueryField, text: &str, quoted: bool) -> Clause {
        Clause { negative, target, text: text.into(), quoted, reach: Reach::Exact }
    }

    #[test]
    fn the_end_of_a_word_says_how_far_it_reaches() {
        let reach = |text: &str| {
            let parsed = parse(text);
            let clause = parsed.groups[0][0].clone();
            (clause.text, clause.reach, parsed.warnings.len())
        };
        let cases = [
            ("gran*", "gran", Reach::Beginning, 0),
            ("title:gran*", "gran", Reach::Beginning, 0),
            ("g*", "g", Reach::Exact, 1),
            ("word~", "word", Reach::Edits(1), 0),
            ("word~2", "word", Reach::Edits(2), 0),
            ("word~0.8", "word", Reach::Exact, 1),
            ("word^2", "word", Reach::Exact, 1),
            ("\"a b\"~3", "a b", Reach::Slop(3), 0),
            ("text:\"a b\"~99", "a b", Reach::Slop(10), 1),
            ("\"a b\"", "a b", Reach::Exact, 0),
            ("x~y", "x~y", Reach::Exact, 0),
            ("attr.size:*", "*", Reach::Exact, 0),
            ("C++", "C++", Reach::Exact, 0),
        ];
        for (written, text, expected, n_warnings) in cases {
            assert_eq!(reach(written), (text.to_owned(), expected, n_warnings), "{written}");
        }
    }

    #[test]
    fn operators_of_others_are_told() {
        for text in [
            "mi*ll",
            "*mill",
            "wom?n",
            "stone NEAR/3 mill",
            "!stone",
            "/gr[ae]y/",
            "[1 TO 5]",
            "(a OR b) c",
            "-(a b)",
            "title:(a b)",
            "a XOR b",
            "intitle:stone",
        ] {
            assert_eq!(parse(text).warnings.len(), 1, "{text}: {:?}", parse(text).warnings);
        }
        for text in [
            "what is rust?",
            "Yahoo!",
            "/etc/nginx/",
            "y+(y+25)",
            "(c) 2024",
            "a near b",
            "5*",
            "* * *",
            "~",
            "a ^ b",
            "C#",
            "f(x)",
            "(stone mill)",
            "http://a.test/?q=1",
            "a?b=c",
            "x^y",
            "**bold**",
            "wow!",
        ] {
            assert!(parse(text).warnings.len() <= usize::from(text == "5*"), "{text}: {:?}", parse(text).warnings);
        }
    }

    #[test]
    fn words_phrases_fields_and_signs_are_told_apart() {
        let parsed = parse("rust -\"old way\" title:async site:\"a.org\" lang：zh attr.Color:red");
        let expected = [
            clause(false, QueryField::Anywhere, "rust", false),
            clause(true, QueryField::Anywhere, "old way", true),
            clause(false, QueryField::Title, "async", false),
            clause(false, QueryField::Site, "a.org", true),
            clause(false, QueryField::Language, "zh", false),
            clause(false, QueryField::Attribute("color".into()), "red", false),
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
            assert_eq!(parse(word).groups, [[clause(false, QueryField::Anywhere, word, false)]], "{word}");
        }
        assert!(parse("prize:3 Brnd:\"x\" foo:[1 TO 2]").warnings.iter().all(|told| told.contains("is no field")));
        assert_eq!(parse("prize:3 Brnd:\"x\" foo:[1 TO 2]").warnings.len(), 3);
        for word in ["std::vec", "10:30", "note: this", "a:", "http://a.test:80/", "c:/dir"] {
            assert!(parse(word).warnings.is_empty(), "{word}");
        }
        let url = "https://example.org/a?b=c";
        assert_eq!(parse(url).groups, [[clause(false, QueryField::Url, url, false)]]);
    }

    #[test]
    fn chinese_quotes_make_a_phrase_and_open_ones_a_warning() {
        assert_eq!(parse("“社会 主义”").groups, [[clause(false, QueryField::Anywhere, "社会 主义", true)]]);
        let open = parse("\"no end");
        assert_eq!(open.groups, [[clause(false, QueryField::Anywhere, "no end", true)]]);
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
