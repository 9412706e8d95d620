//! The words that walls are known by: data, not code.

use std::sync::LazyLock;

use gristmill_text::PhraseMatcher;

/// Marks in the source of a page.
pub(crate) struct Marks {
    phrases: PhraseMatcher,
    /// Kind and provider of each.
    rows: Vec<(&'static str, &'static str)>,
}

pub(crate) static MARKS: LazyLock<Marks> = LazyLock::new(|| {
    let rows: Vec<[&str; 3]> = rows(include_str!("marks.tsv")).collect();
    let texts: Vec<&str> = rows.iter().map(|[.., text]| *text).collect();
    let rows = rows.iter().map(|[kind, provider, _]| (*kind, *provider)).collect();
    Marks { phrases: PhraseMatcher::in_any_case(&texts), rows }
});

/// The providers whose marks stand in a source, the first of each kind.
#[derive(Debug, Default)]
pub(crate) struct Providers {
    /// Whose challenge it is for sure.
    pub(crate) challenge: Option<&'static str>,
    /// Whose guard stands on honest pages too.
    pub(crate) guard: Option<&'static str>,
    pub(crate) captcha: Option<&'static str>,
    /// Whose form sends visitors on to say who they are.
    pub(crate) login: Option<&'static str>,
    pub(crate) parked: Option<&'static str>,
}

impl Marks {
    /// The providers that a source names. O(bytes).
    pub(crate) fn providers(&self, source: &str) -> Providers {
        let mut found = Providers::default();
        self.phrases.find(source, |number, _| {
            let (kind, provider) = self.rows[number];
            let place = match kind {
                "challenge" => &mut found.challenge,
                "guard" => &mut found.guard,
                "captcha" => &mut found.captcha,
                "login" => &mut found.login,
                _ => &mut found.parked,
            };
            place.get_or_insert(provider);
            false
        });
        found
    }
}

/// The phrases of one kind at one place.
pub(crate) struct PhraseSet {
    phrases: PhraseMatcher,
    texts: Vec<&'static str>,
}

impl PhraseSet {
    fn of(kind: &str, place: &str) -> Self {
        let all = rows(include_str!("phrases.tsv"));
        let texts: Vec<&str> = all.filter(|row| row[0] == kind && row[1] == place).map(|row| row[2]).collect();
        Self { phrases: PhraseMatcher::new(&texts), texts }
    }

    /// The longest of them in a text of small letters.
    pub(crate) fn longest_in(&self, text: &str) -> Option<&'static str> {
        let mut longest: Option<&str> = None;
        self.phrases.find(text, |number, _| {
            let found = self.texts[number];
            longest = Some(longest.filter(|longest| longest.len() >= found.len()).unwrap_or(found));
            false
        });
        longest
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.texts.contains(&text)
    }

    /// Whether a text of small letters begins with one of them and goes on.
    pub(crate) fn begins(&self, text: &str) -> bool {
        self.texts.iter().any(|words| text.strip_prefix(words).is_some_and(|rest| rest.starts_with(' ')))
    }

    /// How many different ones are in a text of small letters.
    pub(crate) fn count_in(&self, text: &str) -> usize {
        let mut found = vec![false; self.texts.len()];
        self.phrases.find(text, |number, _| {
            found[number] = true;
            false
        });
        found.iter().filter(|found| **found).count()
    }
}

macro_rules! words {
    ($($name:ident = $kind:literal, $place:literal;)*) => {
        $(pub(crate) static $name: LazyLock<PhraseSet> = LazyLock::new(|| PhraseSet::of($kind, $place));)*
    };
}

words! {
    BLOCKED_HEADINGS = "blocked", "heading";
    BLOCKED_TEXTS = "blocked", "text";
    BLOCKED_WHOLES = "blocked", "whole";
    CLOSED_HEADINGS = "blocked", "closed";
    CONSENT_HEADINGS = "consent", "heading";
    CONSENT_WORDS = "consent", "word";
    CONSENT_CONTROLS = "consent", "control";
    CONSENT_PATHS = "consent", "path";
    LOGIN_HEADINGS = "login", "heading";
    LOGIN_TEXTS = "login", "text";
    LOGIN_PATHS = "login", "path";
    PARKED_HEADINGS = "parked", "heading";
    PARKED_TEXTS = "parked", "text";
    PARKED_WHOLES = "parked", "whole";
    SUBJECT_VERBS = "page", "verb";
    NOT_FOUND_HEADINGS = "soft_not_found", "heading";
    NOT_FOUND_TEXTS = "soft_not_found", "text";
}

fn rows(table: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        Some([fields.next()?, fields.next()?, fields.next()?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_whole_once_and_in_small_letters() {
        for table in [include_str!("marks.tsv"), include_str!("phrases.tsv")] {
            let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
            assert_eq!(lines.len(), rows(table).count());
            for (at, line) in lines.iter().enumerate() {
                let text = line.rsplit('\t').next().unwrap_or_default();
                assert_eq!(text, text.to_lowercase(), "line `{line}`");
                assert!(!lines[..at].contains(line), "`{line}` stands there twice");
            }
        }
    }
}
