//! Stems of words: what the forms of one word have in common, by language.

use frostem::Stemmer;

use crate::folding::{fold, lower};
use crate::irregular::base_form;

/// Longer words are no words.
const MAX_WORD_BYTES: usize = 60;

/// What stands before a Hebrew word and is written with it: the article and the shortest prepositions.
const HEBREW_PREFIXES: [char; 7] = ['ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ'];
/// The same of an Arabic word, with the article, which Snowball leaves there.
const ARABIC_PREFIXES: [&str; 6] = ["وال", "فال", "بال", "كال", "ولل", "لل"];
/// Languages in which stemming takes prefixes off.
const PREFIXING: [&str; 7] = ["ar", "he", "iw", "id", "ga", "ta", "fa"];
/// Letters that must be left of a word without its prefix.
const LETTERS_BEHIND_PREFIX: usize = 3;

/// Finds the stems of words in one language.
#[derive(Debug, Clone)]
pub(crate) struct Stems {
    /// The code that stands before each stem, so that a word of one language is no form of another's.
    code: String,
    by: By,
}

#[derive(Clone)]
enum By {
    Snowball(Stemmer),
    HebrewPrefix,
}

impl std::fmt::Debug for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Snowball(_) => "Snowball",
            Self::HebrewPrefix => "HebrewPrefix",
        })
    }
}

/// The letters of languages that have stems; those of others count as Latin ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Tamil,
}

impl Alphabet {
    fn of(c: char) -> Self {
        match c {
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{530}'..='\u{58f}' => Self::Armenian,
            '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}' => Self::Hebrew,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => {
                Self::Arabic
            }
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            _ => Self::Latin,
        }
    }
}

impl Stems {
    /// For the language of a code such as `en` or `pt-br`; `None` where no stemmer is known.
    pub(crate) fn of(language: &str) -> Option<Self> {
        let code = match language.split(['-', '_']).next()? {
            "nb" | "nn" => "no",
            "hr" | "bs" => "sr",
            code => code,
        };
        let known = (2..=3).contains(&code.len());
        let by = match code {
            "he" | "iw" => By::HebrewPrefix,
            code => By::Snowball(Stemmer::try_from_name(code).ok().filter(|_| known)?),
        };
        Some(Self { code: code.to_owned(), by })
    }

    /// The language, as it stands before each stem.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// Whether the language is written in the letters that this word begins with.
    pub(crate) fn may_be_of(&self, word: &str) -> bool {
        let alphabet = word.chars().find(|c| c.is_alphabetic()).map_or(Alphabet::Latin, Alphabet::of);
        match self.code.as_str() {
            "ar" | "fa" => alphabet == Alphabet::Arabic,
            "el" => alphabet == Alphabet::Greek,
            "he" | "iw" => alphabet == Alphabet::Hebrew,
            "hi" => alphabet == Alphabet::Devanagari,
            "hy" => alphabet == Alphabet::Armenian,
            "ru" => alphabet == Alphabet::Cyrillic,
            "sr" => matches!(alphabet, Alphabet::Cyrillic | Alphabet::Latin),
            "ta" => alphabet == Alphabet::Tamil,
            _ => alphabet == Alphabet::Latin,
        }
    }

    /// Whether a stem begins as its word does.
    pub(crate) fn keep_beginnings(&self) -> bool {
        !PREFIXING.contains(&self.code.as_str())
    }

    /// The stems of a word as terms, given to `take`, none of one with digits: that of the word as it is written, that of the word without accents
    /// where it is another one, since people leave accents out, and that of its base form where no rule finds it.
    pub(crate) fn each(&self, word: &str, mut take: impl FnMut(&str)) {
        if word.len() > MAX_WORD_BYTES || word.contains(char::is_numeric) {
            return;
        }
        let written = lower(word);
        let folded = if word.is_ascii() { written.clone() } else { fold(word) };
        let term = self.term(&folded);
        take(&term);
        base_form(&self.code, &folded, |base| take(&self.term(base)));
        if let Some(rest) = self.behind_prefix(&folded) {
            take(&self.term(rest));
        }
        if matches!(self.by, By::Snowball(_)) && written != folded {
            let other = self.term(&written);
            if other != term {
                take(&other);
            }
        }
    }

    /// A folded word without what is written with it and is a word of its own, if enough is left.
    fn behind_prefix<'w>(&self, folded: &'w str) -> Option<&'w str> {
        let rest = match self.code.as_str() {
            "he" | "iw" => folded.strip_prefix(HEBREW_PREFIXES),
            "ar" => ARABIC_PREFIXES.iter().find_map(|prefix| folded.strip_prefix(prefix)),
            _ => None,
        };
        rest.filter(|rest| rest.chars().count() >= LETTERS_BEHIND_PREFIX)
    }

    fn term(&self, word: &str) -> String {
        match &self.by {
            By::HebrewPrefix => self.tagged(word),
            By::Snowball(stemmer) => {
                let stem = stemmer.stem(word);
                // Not every stemmer leaves the letters as they are folded.
                if stem.is_ascii() { self.tagged(&stem) } else { self.tagged(&fold(&stem)) }
            }
        }
    }

    fn tagged(&self, stem: &str) -> String {
        [&self.code, "\u{1}", stem].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(language: &str, word: &str) -> Vec<String> {
        let mut all = Vec::new();
        Stems::of(language).unwrap().each(word, |stem| all.push(stem.to_owned()));
        all
    }

    #[test]
    fn the_forms_of_a_word_share_a_stem() {
        let alike = [
            ("en", "councils", "council"),
            ("en", "running", "runs"),
            ("en", "Mice", "mouse"),
            ("en", "knives", "knife"),
            ("en", "hypotheses", "hypothesis"),
            ("en", "swum", "swimming"),
            ("es", "lápices", "lapiz"),
            ("de", "Häuser", "haus"),
            ("de", "gesperrten", "gesperrt"),
            ("fr", "fermées", "fermé"),
            ("fr", "fermees", "fermée"),
            ("es", "canciones", "canción"),
            ("it", "ragazzi", "ragazzo"),
            ("pt-br", "canções", "cancoes"),
            ("pt", "livros", "livro"),
            ("ru", "книгами", "книга"),
            ("nb", "bøkene", "bøker"),
            ("pl", "książkami", "książka"),
            ("ar", "الكتاب", "كتاب"),
            ("ar", "والمدرسة", "مدرسة"),
            ("ar", "للكتاب", "كتاب"),
            ("he", "הספר", "ספר"),
            ("el", "ανθρώπων", "ανθρώπους"),
            ("tr", "kitaplar", "kitap"),
        ];
        for (language, one, other) in alike {
            let others = stems(language, other);
            assert!(stems(language, one).iter().any(|stem| others.contains(stem)), "{language}: {one}, {other}");
        }
    }

    #[test]
    fn languages_without_a_stemmer_have_no_stems_and_stems_tell_their_language() {
        for language in ["", "zh", "ja", "th", "porter", "english", "xx"] {
            assert!(Stems::of(language).is_none(), "{language}");
        }
        assert_eq!((stems("en", "rats"), stems("es", "rates")), (vec!["en\u{1}rat".into()], vec!["es\u{1}rat".into()]));
    }

    #[test]
    fn a_word_is_of_the_languages_that_are_written_in_its_letters() {
        for (word, languages) in [
            ("Häuser", &["en", "de", "sr", "tr"][..]),
            ("мельницы", &["ru", "sr"]),
            ("ἄνθρωπος", &["el"]),
            ("«كتاب", &["ar", "fa"]),
            ("ספר", &["he"]),
            ("किताब", &["hi"]),
            ("2019", &["en", "de", "sr", "tr"]),
        ] {
            let all = ["en", "de", "ru", "sr", "el", "ar", "fa", "he", "hi", "hy", "ta", "tr"];
            let found = all.into_iter().filter(|code| Stems::of(code).unwrap().may_be_of(word));
            assert_eq!(found.collect::<Vec<_>>(), languages, "{word}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_word_has_stems(word in "\\PC{0,20}|[a-zà-ÿ']{0,20}|[α-ωά-ώ]{0,20}|[ء-ي]{0,20}", at in 0usize..8) {
            stems(["en", "fr", "el", "ar", "he", "tr", "ru", "hi"][at], &word);
        }
    }
}
