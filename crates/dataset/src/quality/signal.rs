//! The signals: their names, and all of them for one text.

macro_rules! signals {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// What is measured of a text. Shares are of 1.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Signal {
            $($(#[$doc])* $variant,)*
        }

        impl Signal {
            pub const ALL: &'static [Signal] = &[$(Signal::$variant,)*];
            /// The names of all, in their order.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];
        }
    };
}

signals! {
    /// Words, without tokens of punctuation alone.
    Words "words",
    /// Characters of a word in the mean.
    MeanWordLength "mean_word_length",
    /// `#` for each token.
    HashRatio "hash_ratio",
    /// `...` and `…` for each token.
    EllipsisRatio "ellipsis_ratio",
    /// Share of lines that begin with `•` or `-`.
    BulletLines "bullet_lines",
    /// Share of lines that end with an ellipsis.
    EllipsisLines "ellipsis_lines",
    /// Share of tokens that have a letter.
    LetterWords "letter_words",
    /// Different function words of the language; 2 where none are known for it.
    StopWords "stop_words",
    /// Share of paragraphs that came before.
    RepeatedParagraphs "repeated_paragraphs",
    /// Share of characters in them.
    RepeatedParagraphChars "repeated_paragraph_chars",
    /// Share of lines that came before.
    RepeatedLines "repeated_lines",
    /// Share of characters in them.
    RepeatedLineChars "repeated_line_chars",
    /// Share of characters in the commonest pair of tokens.
    Top2Gram "top_2_gram",
    Top3Gram "top_3_gram",
    Top4Gram "top_4_gram",
    /// Share of characters in runs of five tokens that came before.
    Repeated5Grams "repeated_5_grams",
    Repeated6Grams "repeated_6_grams",
    Repeated7Grams "repeated_7_grams",
    Repeated8Grams "repeated_8_grams",
    Repeated9Grams "repeated_9_grams",
    Repeated10Grams "repeated_10_grams",
    /// Lines with `lorem ipsum`, among those that C4 keeps.
    LoremIpsum "lorem_ipsum",
    /// Lines with `{`, among those that C4 keeps.
    CurlyBrackets "curly_brackets",
    /// Sentences of the lines that C4 keeps: they end like sentences, have three words, and say nothing of JavaScript and cookies.
    Sentences "sentences",
    /// Share of lines that end like sentences.
    PunctuatedLines "punctuated_lines",
    /// Share of lines of at most 30 characters.
    ShortLines "short_lines",
    /// Share of characters in lines that came before, without line ends.
    RepeatedTextLineChars "repeated_text_line_chars",
    /// Line ends for each token.
    LineEndsPerWord "line_ends_per_word",
}

impl Signal {
    /// The name, as in a column.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// All signals of one text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSignals {
    values: [f64; Signal::ALL.len()],
    language: String,
}

impl TextSignals {
    pub(crate) fn unmeasured(language: &str) -> TextSignals {
        TextSignals { values: [0.0; Signal::ALL.len()], language: language.to_owned() }
    }

    pub fn get(&self, signal: Signal) -> f64 {
        self.values[signal as usize]
    }

    /// The values, in the order of [`Signal::NAMES`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn language(&self) -> &str {
        &self.language
    }

    pub(crate) fn set(&mut self, signal: Signal, value: f64) {
        self.values[signal as usize] = value;
    }
}

/// A part of a whole; 0 of nothing.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
