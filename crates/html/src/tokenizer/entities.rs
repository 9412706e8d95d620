//! The named character references of HTML (§13.5), as a sorted table.

use std::sync::LazyLock;

/// Name without `&`, with its `;` where it has one, and the code points, sorted by the bytes of the name. Made once
/// from the list in the specification.
const LIST: &str = include_str!("entities.tsv");

/// The longest name, with its `;`.
pub(super) const LONGEST: usize = 32;

/// The longest of the names that may stand without `;`.
const LONGEST_BARE: usize = 6;

/// The one or two characters that a reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReferenceChars([char; 2], u8);

impl ReferenceChars {
    /// A reference to one character.
    pub(crate) const fn one(character: char) -> Self {
        ReferenceChars([character, '\0'], 1)
    }

    /// The characters in their order.
    pub(crate) fn chars(&self) -> impl Iterator<Item = char> + use<> {
        self.0.into_iter().take(usize::from(self.1))
    }
}

struct Table {
    rows: Vec<(&'static [u8], ReferenceChars)>,
    /// Where the names with a first byte begin in `rows`; those with the next byte begin where they end.
    starts: [usize; 129],
    /// The names of up to [`SHORT`] bytes, as numbers, with linear probing. Zero is free.
    short: Vec<(u64, ReferenceChars)>,
}

/// Most names of pages are no longer than this.
const SHORT: usize = 8;

/// A power of two, at most half full.
const SLOTS: usize = 4096;

/// Where the search for a short name begins.
fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % SLOTS
}

fn key(name: &[u8]) -> u64 {
    name.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte))
}

impl Table {
    fn new(rows: Vec<(&'static [u8], ReferenceChars)>) -> Table {
        let starts = std::array::from_fn(|first| rows.partition_point(|(name, _)| usize::from(name[0]) < first));
        let mut short = vec![(0, ReferenceChars::one('\0')); SLOTS];
        for (name, characters) in rows.iter().filter(|(name, _)| name.len() <= SHORT) {
            let mut at = slot(key(name));
            while short[at].0 != 0 {
                at = (at + 1) % SLOTS;
            }
            short[at] = (key(name), *characters);
        }
        Table { rows, starts, short }
    }

    fn short(&self, name: &[u8]) -> Option<ReferenceChars> {
        let key = key(name);
        let mut at = slot(key);
        while self.short[at].0 != key {
            if self.short[at].0 == 0 {
                return None;
            }
            at = (at + 1) % SLOTS;
        }
        Some(self.short[at].1)
    }
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(LIST.lines().filter_map(row).collect()));

/// One line of the list; `None` for a line that is none, which a test rules out.
fn row(line: &'static str) -> Option<(&'static [u8], ReferenceChars)> {
    let (name, codes) = line.split_once('\t').filter(|(name, _)| !name.is_empty())?;
    let mut codes = codes.split(' ').map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
    let first = codes.next()??;
    let characters = match codes.next() {
        Some(second) => ReferenceChars([first, second?], 2),
        None => ReferenceChars::one(first),
    };
    Some((name.as_bytes(), characters))
}

/// What the reference with exactly this name stands for.
fn exact(name: &[u8]) -> Option<ReferenceChars> {
    let table = &*TABLE;
    let first = usize::from(*name.first()?);
    if name.len() <= SHORT {
        return table.short(name);
    }
    let rows = table.rows.get(*table.starts.get(first)?..*table.starts.get(first + 1)?)?;
    rows.binary_search_by(|row| row.0.cmp(name)).ok().map(|at| rows[at].1)
}

/// What `&name` stands for; the name ends with its `;`.
pub(crate) fn named(name: &str) -> Option<ReferenceChars> {
    exact(name.as_bytes())
}

/// The longest name at the start of `text` (which follows the `&`), and its length. Looks at [`LONGEST`] bytes at most.
pub(super) fn longest(text: &[u8]) -> Option<(ReferenceChars, usize)> {
    // These few are most of what pages hold.
    match text {
        [b'n', b'b', b's', b'p', b';', ..] => return Some((ReferenceChars::one('\u{a0}'), 5)),
        [b'a', b'm', b'p', b';', ..] => return Some((ReferenceChars::one('&'), 4)),
        [b'q', b'u', b'o', b't', b';', ..] => return Some((ReferenceChars::one('"'), 5)),
        [b'l', b't', b';', ..] => return Some((ReferenceChars::one('<'), 3)),
        [b'g', b't', b';', ..] => return Some((ReferenceChars::one('>'), 3)),
        _ => {}
    }
    let run = text.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if text.get(run) == Some(&b';')
        && let Some(characters) = exact(&text[..=run])
    {
        return Some((characters, run + 1));
    }
    // A name is letters and digits with at most a `;` behind them, so what remains are the names that need none.
    (2..=run.min(LONGEST_BARE)).rev().find_map(|length| Some((exact(&text[..length])?, length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole_and_sorted() {
        assert_eq!(TABLE.rows.len(), LIST.lines().count());
        assert_eq!(TABLE.rows.len(), 2231);
        assert!(TABLE.rows.is_sorted_by(|a, b| a.0 < b.0));
        assert!(TABLE.rows.iter().all(|(name, _)| name.len() <= LONGEST && name.is_ascii()));
        let bare = TABLE.rows.iter().filter(|(name, _)| !name.ends_with(b";"));
        assert_eq!(bare.map(|(name, _)| name.len()).max(), Some(LONGEST_BARE));
    }

    #[test]
    fn the_longest_name_counts() {
        let found = |text: &str| longest(text.as_bytes()).map(|(it, n)| (it.chars().collect::<String>(), n));
        assert_eq!(found("notin;"), Some(("∉".into(), 6)));
        assert_eq!(found("notit;"), Some(("¬".into(), 3)));
        assert_eq!(found("NotEqualTilde;"), Some(("\u{2242}\u{338}".into(), 14)));
        assert_eq!(found("CounterClockwiseContourIntegral;x"), Some(("∳".into(), 32)));
        assert_eq!(found("ampx"), Some(("&".into(), 3)));
        assert_eq!(found("nosuch;"), None);
        assert_eq!(found("é;"), None);
        assert_eq!(named("eacute;"), Some(ReferenceChars::one('é')));
        assert_eq!(named(""), None);
    }
}
