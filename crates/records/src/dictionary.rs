//! The attribute dictionary: names of attributes in many languages, grouped by one canonical name.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use gristmill_text::{is_cjk, is_invisible};

use crate::hash::Map;

/// What an attribute name speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A property of the thing: brand, weight, author.
    Spec,
    /// Terms of sale around the thing: price, stock, delivery, seller, rating.
    Offer,
}

/// Why a dictionary file was refused.
#[derive(Debug, thiserror::Error)]
pub enum DictionaryError {
    /// A line has not the four columns.
    #[error("line {line} of the dictionary has {columns} columns, not `name, kind, language, synonyms`")]
    Columns { line: usize, columns: usize },
    /// The second column is neither `spec` nor `offer`.
    #[error("line {line} of the dictionary: kind `{kind}` is neither `spec` nor `offer`")]
    Kind { line: usize, kind: String },
    /// The file is too large.
    #[error("the dictionary has more than {limit} names (`records.dictionary`)")]
    TooLarge { limit: usize },
}

/// Attribute names by their folded hash. Cheap to clone.
///
/// A file is lines of four columns divided by tabs: canonical name, kind (`spec` or `offer`), language,
/// synonyms divided by `|`. Empty lines and lines starting with `#` are skipped. Folding drops white space,
/// case, invisible characters and marks at the ends, so `Item Weight :` finds `item weight`.
#[derive(Debug, Clone)]
pub struct Dictionary {
    entries: Arc<Map<u64, (u16, NameKind)>>,
    names: Arc<Vec<String>>,
}

const ATTRIBUTES: &str = include_str!("../dictionary/attributes.tsv");

static BUILT_IN: LazyLock<Dictionary> =
    LazyLock::new(|| Dictionary::empty().extended(ATTRIBUTES).expect("the file is checked by a test"));

impl Dictionary {
    /// Most names in one dictionary.
    pub const MAX_NAMES: usize = 60_000;

    /// The compiled-in dictionary, `dictionary/attributes.tsv`.
    pub fn built_in() -> Dictionary {
        BUILT_IN.clone()
    }

    /// A dictionary without names.
    pub fn empty() -> Dictionary {
        Dictionary { entries: Arc::default(), names: Arc::default() }
    }

    /// This dictionary with the names of `file` added; a name that is known already moves to the new group.
    ///
    /// # Errors
    /// A line without four columns, an unknown kind, or more than [`Dictionary::MAX_NAMES`] names.
    pub fn extended(&self, file: &str) -> Result<Dictionary, DictionaryError> {
        let mut entries = (*self.entries).clone();
        let mut names = (*self.names).clone();
        let mut numbers: HashMap<String, u16> = names.iter().cloned().zip(0u16..).collect();
        for (n, line) in file.lines().enumerate() {
            let line = line.trim_end_matches('\r');
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let columns: Vec<&str> = line.split('\t').collect();
            let [canonical, kind, _language, synonyms] = columns[..] else {
                return Err(DictionaryError::Columns { line: n + 1, columns: columns.len() });
            };
            let kind = match kind.trim() {
                "spec" => NameKind::Spec,
                "offer" => NameKind::Offer,
                other => return Err(DictionaryError::Kind { line: n + 1, kind: other.to_owned() }),
            };
            let canonical = canonical.trim().to_owned();
            let number = *numbers.entry(canonical).or_insert_with_key(|canonical| {
                names.push(canonical.clone());
                (names.len() - 1) as u16
            });
            for synonym in synonyms.split('|') {
                entries.insert(fold(synonym), (number, kind));
            }
            if entries.len() > Self::MAX_NAMES || names.len() > usize::from(u16::MAX) {
                return Err(DictionaryError::TooLarge { limit: Self::MAX_NAMES });
            }
        }
        Ok(Dictionary { entries: Arc::new(entries), names: Arc::new(names) })
    }

    /// This dictionary without some names, as if nobody had ever put them in.
    #[must_use]
    pub fn without<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Dictionary {
        let mut entries = (*self.entries).clone();
        names.into_iter().for_each(|name| _ = entries.remove(&fold(name)));
        Dictionary { entries: Arc::new(entries), names: self.names.clone() }
    }

    /// The names that are in both dictionaries.
    #[must_use]
    pub fn and(&self, other: &Dictionary) -> Dictionary {
        let is_in_both = |(name, _): &(&u64, &(u16, NameKind))| other.entries.contains_key(name);
        let entries = self.entries.iter().filter(is_in_both).map(|(name, entry)| (*name, *entry)).collect();
        Dictionary { entries: Arc::new(entries), names: self.names.clone() }
    }

    /// The compiled-in dictionary without the lines of one language. Names that another language spells alike stay.
    ///
    /// `language` is a code as in the file; of `zh-TW` the first part counts.
    pub fn built_in_without(language: &str) -> Dictionary {
        let language = language.split('-').next().unwrap_or_default();
        let is_other = |line: &&str| line.split('\t').nth(2).is_none_or(|of| of.trim() != language);
        let lines: Vec<&str> = ATTRIBUTES.lines().filter(is_other).collect();
        Dictionary::empty().extended(&lines.join("\n")).expect("lines of a file that a test checks")
    }

    /// How many names it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The kind of an attribute name, `None` when it is not known. No allocation.
    pub fn kind(&self, name: &str) -> Option<NameKind> {
        self.entries.get(&fold(name)).map(|entry| entry.1)
    }

    /// The canonical name of the group that `name` belongs to: `品牌` → `brand`.
    pub fn canonical(&self, name: &str) -> Option<&str> {
        let entry = self.entries.get(&fold(name))?;
        Some(&self.names[usize::from(entry.0)])
    }

    /// The kind of a name or, failing that, of the name without its number in a list and without what stands in
    /// brackets at its end.
    pub(crate) fn kind_loose(&self, name: &str) -> Option<NameKind> {
        let name = without_number(name);
        if let Some(kind) = self.kind(name) {
            return Some(kind);
        }
        let cut = name.find(['(', '（', '['])?;
        (cut > 0).then(|| self.kind(&name[..cut])).flatten()
    }
}

/// `3. Colour` without its number.
pub(crate) fn without_number(name: &str) -> &str {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['.', ')']) {
        Some(rest) if !rest.trim().is_empty() => rest.trim_start(),
        _ => name,
    }
}

/// FNV-1a over the folded characters of `name`: white space and invisible characters left out, lower case, marks
/// at the ends removed, full-width forms of ASCII made narrow.
pub(crate) fn fold(name: &str) -> u64 {
    fold_word(name.trim_matches(|c: char| c.is_whitespace() || is_invisible(c) || is_mark(c)))
}

/// As [`fold`], of what has no marks at its ends.
pub(crate) fn fold_word(word: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for c in word.chars() {
        if c.is_ascii() {
            if c > ' ' {
                hash = (hash ^ u64::from(c.to_ascii_lowercase() as u32)).wrapping_mul(0x0100_0000_01b3);
            }
            continue;
        }
        if c.is_whitespace() || is_invisible(c) {
            continue;
        }
        let c = match c {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
            _ => c,
        };
        if c.is_ascii() || is_cjk(c) {
            hash = (hash ^ u64::from(c.to_ascii_lowercase() as u32)).wrapping_mul(0x0100_0000_01b3);
        } else {
            for lower in c.to_lowercase() {
                hash = (hash ^ u64::from(lower as u32)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    hash
}

/// Marks that stand around a name without belonging to it.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(
        c,
        ':' | '：'
            | '•'
            | '·'
            | '*'
            | '-'
            | '–'
            | '—'
            | '?'
            | '.'
            | '\u{FE55}'
            | '▪'
            | '■'
            | '●'
            | '►'
            | '»'
            | '✓'
            | '√'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_languages_lead_to_one_group() {
        let dictionary = Dictionary::built_in();
        for name in ["Brand", "品牌：", "marca", "MARQUE", "Бренд", "브랜드", " Ｂｒａｎｄ "] {
            assert_eq!(dictionary.canonical(name), Some("brand"), "{name}");
        }
        assert_eq!(dictionary.kind("Lieferzeit"), Some(NameKind::Offer));
        assert_eq!(dictionary.canonical("nothing of the kind"), None);
    }

    #[test]
    fn a_users_file_adds_and_overrides() {
        let dictionary = Dictionary::built_in().extended("# mine\nbrand\tspec\txx\tZnačkovina|Maison\n").unwrap();
        assert_eq!(dictionary.canonical("značkovina"), Some("brand"));
        assert!(matches!(dictionary.extended("a\tb"), Err(DictionaryError::Columns { line: 1, columns: 2 })));
        assert!(dictionary.extended("a\tthing\ten\tB").unwrap_err().to_string().contains("`thing`"));
    }
}
