//! Names of months in the languages that pages are written in.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A line a language, English first: its code, and for January to December the full names in the forms that dates use and the
/// abbreviations, in lower case with `|` between them. Most are the names that CLDR gives; abbreviations of three letters are left
/// out where few pages use them.
static TABLE: &str = include_str!("months.tsv");
/// Most words of a name: `tháng mười hai`.
const MAX_WORDS: usize = 3;
/// No name is longer.
const MAX_BYTES: usize = 64;

/// A month by one of its names.
struct MonthName {
    language: &'static str,
    month: u8,
}

struct Months {
    by_name: HashMap<String, Vec<MonthName>>,
    /// The first words of the names that have several.
    first_words: HashSet<String>,
}

static MONTHS: LazyLock<Months> = LazyLock::new(|| {
    let mut months = Months { by_name: HashMap::new(), first_words: HashSet::new() };
    for line in TABLE.lines() {
        let (language, names) = line.split_once('\t').unwrap_or_default();
        for (names, month) in names.split('\t').zip(1..) {
            for name in names.split('|').filter(|name| !name.is_empty()).map(folded) {
                if let Some((first, _)) = name.split_once(' ') {
                    months.first_words.insert(first.to_owned());
                }
                months.by_name.entry(name).or_default().push(MonthName { language, month });
            }
        }
    }
    months
});

/// 1 to 12 for the name of a month in lower case, in this language where it has the name.
///
/// Polish and Czech call November `listopad`, Croatian October.
pub(crate) fn month(word: &str, language: &str) -> Option<u8> {
    let named = MONTHS.by_name.get(&folded(word))?;
    let own = named.iter().find(|named| named.language == language);
    own.or(named.first()).map(|named| named.month)
}

/// The name of a month that a text begins with, and its length in bytes.
pub(super) fn month_at(text: &str, language: &str) -> Option<(u8, usize)> {
    let mut ends = [0; MAX_WORDS];
    let mut n_words = 0;
    while n_words < MAX_WORDS {
        let from = if n_words == 0 { 0 } else { ends[n_words - 1] };
        let gap = usize::from(n_words > 0 && text[from..].starts_with(' '));
        let end = word_end(text, from + gap);
        if end == from + gap || end > MAX_BYTES || n_words > 0 && gap == 0 {
            break;
        }
        ends[n_words] = end;
        n_words += 1;
        if n_words == 1 && !MONTHS.first_words.contains(&folded(&text[..end].to_lowercase())) {
            break;
        }
    }
    let names = ends[..n_words].iter().rev();
    names.copied().find_map(|end| Some((month(&text[..end].to_lowercase(), language)?, end)))
}

/// The end of the word that begins at a byte. Marks that no letters are belong to words of some scripts, and so do the full stops
/// within an abbreviation in Thai.
fn word_end(text: &str, from: usize) -> usize {
    let is_thai = |c: char| ('\u{e00}'..'\u{f00}').contains(&c);
    let is_part = |c: char| {
        let mark =
            matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{200c}' | '\u{200d}' | '\'' | '’' | '׳');
        c.is_alphabetic() || is_thai(c) && !c.is_ascii_digit() || mark && !('०'..='९').contains(&c)
    };
    let mut end = from;
    let mut left = text[from..].chars().peekable();
    let mut before = ' ';
    while let Some(c) = left.next() {
        let stop = c == '.' && is_thai(before) && left.peek().is_some_and(|&next| is_thai(next));
        if !(is_part(c) || stop) || end - from > MAX_BYTES {
            break;
        }
        end += c.len_utf8();
        before = c;
    }
    end
}

/// Letters that keyboards take for one another are one, and what joins or stretches letters is nothing.
fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_owned();
    }
    let letters = name.chars().filter(|c| !matches!(c, '\u{200c}' | '\u{200d}' | 'ـ'));
    letters
        .map(|c| match c {
            'أ' | 'إ' | 'آ' => 'ا',
            'ي' | 'ى' => 'ی',
            'ك' => 'ک',
            '’' => '\'',
            c => c,
        })
        .collect()
}

/// The same of an English name, or of its beginning as it is cut short.
pub(super) fn english_month(word: &str) -> Option<u8> {
    if word == "sept" {
        return Some(9);
    }
    let named = MONTHS.by_name.get(word)?;
    named.iter().find(|named| named.language == "en").map(|named| named.month)
}

/// The language of this code, of those whose months have known names, or numbers alone; else empty.
pub(super) fn known_language(code: &str) -> &'static str {
    const NUMBERED: [&str; 3] = ["zh", "ja", "ko"];
    let named = TABLE.lines().filter_map(|line| line.split('\t').next());
    named.chain(NUMBERED).find(|known| *known == code).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_names_twelve_months() {
        for line in TABLE.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 13, "{line}");
            let all_named = cells[0] == "mul" || cells[1..].iter().all(|names| !names.is_empty());
            assert!(all_named && line.to_lowercase() == line, "{line}");
        }
    }

    #[test]
    fn a_name_is_read_in_the_language_of_its_page() {
        assert_eq!(
            (month("listopada", "hr"), month("listopada", "pl"), month("listopada", "")),
            (Some(10), Some(11), Some(11))
        );
        assert_eq!(month_at("تشرين الثاني 2018", "ar"), Some((11, "تشرين الثاني".len())));
        assert_eq!(month_at("Tháng Mười Hai 5", ""), Some((12, "Tháng Mười Hai".len())));
        assert_eq!(month_at("เม.ย. 2561", "th"), Some((4, "เม.ย".len())));
        assert_eq!(month_at("marching", ""), None);
    }
}
