//! What kind of character this is: script, punctuation, invisible.

/// Marks of one stretch of text, counted as [`punctuation`] does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PunctuationCounts {
    /// All marks (`P_ALL`): sentence marks, brackets, quotes, ellipsis, dash, CJK and full-width forms.
    pub all: u32,
    /// Sentence enders and commas only (`P_SENT`), in any script.
    pub sentence: u32,
}

const ALL: u8 = 1;
const SENTENCE: u8 = 2;
/// Does not count between two ASCII letters or digits: 3.14, example.com, 10:30, don't.
const INNER: u8 = 4;

static ASCII: [u8; 128] = ascii_table();

const fn ascii_table() -> [u8; 128] {
    let mut table = [0; 128];
    let all = b".,;:!?()\"'[]";
    let sentence = b".,;:!?";
    let inner = b".,:'";
    let mut n = 0;
    while n < all.len() {
        table[all[n] as usize] |= ALL;
        n += 1;
    }
    n = 0;
    while n < sentence.len() {
        table[sentence[n] as usize] |= SENTENCE;
        n += 1;
    }
    n = 0;
    while n < inner.len() {
        table[inner[n] as usize] |= INNER;
        n += 1;
    }
    table
}

/// Bytes that are marks or begin characters of which some are: few of a text. Those within characters are none, nor are the first
/// bytes of Latin, Greek, Cyrillic and Hebrew letters (U+00C0 to U+057F), of Han and of Hangul (U+4000 to U+DFFF).
static MAY_COUNT: [bool; 256] = {
    let mut table = [true; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte {
            0..128 => ASCII[byte] != 0,
            0x80..0xC0 | 0xC3..0xD6 | 0xE4..0xEE => false,
            _ => true,
        };
        byte += 1;
    }
    table
};

fn class(c: char) -> u8 {
    match c {
        '\0'..='\x7f' => ASCII[c as usize],
        '，' | '。' | '、' | '；' | '：' | '？' | '！' | '．' | '｡' | '､' => ALL | SENTENCE,
        '،' | '؛' | '؟' | '۔' | '।' | '॥' | '։' | '።' | '፣' | '፤' | '፥' => ALL | SENTENCE,
        '…' | '“' | '”' | '‘' | '’' | '—' | '～' | '·' | '「' | '」' | '『' | '』' | '（' | '）' | '《' | '》' => {
            ALL
        }
        '〈' | '〉' | '【' | '】' | '〔' | '〕' | '［' | '］' | '｛' | '｝' | '¿' | '¡' => ALL,
        '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF61}'..='\u{FF65}' => ALL,
        _ => 0,
    }
}

/// Whether the character can be a mark of `P_ALL`. Context-free: see [`punctuation`] for `3.14`.
pub fn is_punctuation(c: char) -> bool {
    class(c) & ALL != 0
}

/// Whether the character ends or divides a sentence (`P_SENT`), context-free.
pub fn is_sentence_mark(c: char) -> bool {
    class(c) & SENTENCE != 0
}

/// Counts the punctuation marks of `text`.
///
/// Not counted: `| / \ - _ » › • © @ # *`, which separate menu items, and an ASCII `. , : '` between two ASCII
/// letters or digits. O(bytes), no allocation.
pub fn punctuation(text: &str) -> PunctuationCounts {
    let mut count = PunctuationCounts::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(plain) = bytes[at..].iter().position(|&byte| MAY_COUNT[usize::from(byte)]) {
        at += plain;
        let byte = bytes[at];
        let (class, width) = if byte < 0x80 {
            (ascii_class_at(bytes, at), 1)
        } else {
            // A byte of 0x80 and above starts a character here, because `at` moves by whole characters.
            let c = text[at..].chars().next().unwrap_or('\0');
            (class(c), c.len_utf8())
        };
        count.all += u32::from(class & ALL != 0);
        count.sentence += u32::from(class & SENTENCE != 0);
        at += width;
    }
    count
}

fn ascii_class_at(bytes: &[u8], at: usize) -> u8 {
    let class = ASCII[usize::from(bytes[at])];
    if class & INNER == 0 {
        return class;
    }
    let before = at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(u8::is_ascii_alphanumeric);
    let after = bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    if before && after { 0 } else { class }
}

/// Whether the character is never seen and counts for nothing: zero-width characters, soft hyphen, byte order
/// mark, bidirectional controls.
#[inline]
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}')
}

/// Whether a zero-width joiner or non-joiner spells a word or an emoji: it stands between letters of a script that joins them,
/// from Arabic to Mongolian, behind a virama, or within an emoji. Between other characters it is [invisible](is_invisible) waste.
#[inline]
pub fn is_joiner(before: Option<char>, c: char, after: Option<char>) -> bool {
    let joins = |c: Option<char>| {
        c.is_some_and(|c| {
            matches!(c, '\u{0600}'..='\u{0E7F}' | '\u{0F00}'..='\u{109F}' | '\u{1700}'..='\u{18AF}' | '\u{1A00}'..='\u{1CFF}'
                | '\u{A800}'..='\u{AAFF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{11FFF}'
                | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
        })
    };
    // Behind the sign that takes a vowel away both shape the letter, at the end of a word too.
    let is_virama = |c: char| {
        matches!(
            c,
            '\u{094D}'
                | '\u{09CD}'
                | '\u{0A4D}'
                | '\u{0ACD}'
                | '\u{0B4D}'
                | '\u{0BCD}'
                | '\u{0C4D}'
                | '\u{0CCD}'
                | '\u{0D4D}'
                | '\u{0DCA}'
                | '\u{1039}'
                | '\u{17D2}'
        )
    };
    matches!(c, '\u{200C}' | '\u{200D}') && (before.is_some_and(is_virama) || joins(before) && joins(after))
}

/// Whether the character is a Chinese character (also used in Japanese and Korean).
#[inline]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{2FDF}' | '\u{3005}' | '\u{3007}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

/// Whether the character is Han, Kana, Hangul or Bopomofo.
#[inline]
pub fn is_cjk(c: char) -> bool {
    // Most characters are below the first of them.
    if c < '\u{1100}' {
        return false;
    }
    is_han(c)
        || matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{30FF}' | '\u{3100}'..='\u{312F}'
            | '\u{3130}'..='\u{318F}' | '\u{31F0}'..='\u{31FF}' | '\u{AC00}'..='\u{D7AF}' | '\u{FF66}'..='\u{FFDC}')
}

/// Whether the character belongs to a script that is written without spaces between words: Han, Kana, Bopomofo,
/// Thai, Lao, Khmer, Burmese. (Hangul has spaces.)
#[inline]
pub fn is_unspaced(c: char) -> bool {
    is_han(c)
        || matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3100}'..='\u{312F}' | '\u{31F0}'..='\u{31FF}'
            | '\u{FF66}'..='\u{FF9F}' | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
            && c != '\u{30FB}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_inside_of_numbers_and_names_do_not_count() {
        assert_eq!(punctuation("pi is 3.14 at example.com, 10:30, don't").all, 2);
        assert_eq!(punctuation("End. Next").all, 1);
        assert_eq!(punctuation("end.").all, 1);
        assert_eq!(punctuation(".net").all, 1);
    }

    #[test]
    fn no_character_that_counts_is_passed_over() {
        for c in '\0'..=char::MAX {
            let n = u32::from(class(c) & ALL != 0);
            assert_eq!(punctuation(c.encode_utf8(&mut [0; 4])).all, n, "{c:?}");
        }
    }

    #[test]
    fn menu_separators_do_not_count() {
        assert_eq!(punctuation("Home | News / Sport \\ a - b _ c » d › e • © @ # * ｜"), PunctuationCounts::default());
    }

    #[test]
    fn quotes_and_brackets_are_marks_but_not_sentence_marks() {
        assert_eq!(punctuation("(“a”, [b])"), PunctuationCounts { all: 7, sentence: 1 });
    }

    #[test]
    fn chinese_arabic_and_indic_marks_count() {
        assert_eq!(punctuation("你好，世界。《书》"), PunctuationCounts { all: 4, sentence: 2 });
        assert_eq!(punctuation("سلام، كيف؟"), PunctuationCounts { all: 2, sentence: 2 });
        assert_eq!(punctuation("नमस्ते।"), PunctuationCounts { all: 1, sentence: 1 });
        assert_eq!(punctuation("全角！？～＆"), PunctuationCounts { all: 4, sentence: 2 });
    }

    #[test]
    fn joiners_spell_words_and_emoji_and_are_waste_elsewhere() {
        for text in [
            "می\u{200C}خواهم",
            "ශ්\u{200D}රී",
            "ന്\u{200D}റ",
            "അവന്\u{200D} a",
            "ಕಾಲೇಜ್\u{200C}",
            "র\u{200D}্যাব",
            "👩\u{200D}🚀",
            "❤\u{FE0F}\u{200D}🔥",
        ] {
            assert_eq!(crate::collapse(text), text);
        }
        assert_eq!(crate::collapse("so\u{200C}ft 石\u{200D}磨 \u{200D}می\u{200C} a"), "soft 石磨 می a");
    }

    #[test]
    fn scripts_without_spaces_are_known() {
        assert!("漢かカไทย".chars().all(is_unspaced));
        assert!(!"a한п".chars().any(is_unspaced));
        assert!("한漢か".chars().all(is_cjk));
    }
}
