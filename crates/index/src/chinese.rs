//! Chinese words and characters: the jieba segmenter and the traditional → simplified table.

use std::sync::LazyLock;

use jieba_rs::{Jieba, TokenizeMode};

/// Words longer than this are left to their characters: jieba's guesser joins unknown characters without end.
const MAX_WORD_CHARS: usize = 16;

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

static SIMPLIFIED: LazyLock<Table> = LazyLock::new(Table::load);

/// Pairs of characters, the first mapped to the second.
const PAIRS: &str = include_str!("../data/traditional_simplified.txt");

/// Simplified forms by traditional character: direct for the basic plane, by search above it.
struct Table {
    basic: Vec<u32>,
    higher: Vec<(char, char)>,
}

impl Table {
    /// First entry of the direct part: CJK extension A; nothing below it is a Chinese character.
    const FIRST: usize = 0x3400;

    fn load() -> Self {
        let mut table = Self { basic: vec![0; 0x1_0000 - Self::FIRST], higher: Vec::new() };
        for line in PAIRS.lines().filter(|line| !line.starts_with('#')) {
            let mut chars = line.chars();
            while let (Some(from), Some(to)) = (chars.next(), chars.next()) {
                match table.basic.get_mut((from as usize).wrapping_sub(Self::FIRST)) {
                    Some(slot) => *slot = to as u32,
                    None => table.higher.push((from, to)),
                }
            }
        }
        table.higher.sort_unstable();
        table
    }

    fn get(&self, c: char) -> Option<char> {
        match self.basic.get((c as usize).wrapping_sub(Self::FIRST)) {
            Some(&to) => char::from_u32(to).filter(|&to| to != '\0'),
            None => {
                let at = self.higher.binary_search_by_key(&c, |&(from, _)| from).ok()?;
                Some(self.higher[at].1)
            }
        }
    }
}

/// The simplified form of a traditional character; any other character as it is.
///
/// One character to one, whatever stands beside it: `乾` becomes `干` in `乾坤` too. That is wrong as a
/// conversion and right as folding, since text and query fold alike.
///
/// Source: OpenCC's character table (Apache-2.0). Ours: only its first candidates, chains followed.
pub(crate) fn simplified(c: char) -> char {
    if (c as usize) < Table::FIRST {
        return c;
    }
    SIMPLIFIED.get(c).unwrap_or(c)
}

/// How a run of Han characters is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Each character in one word: for queries.
    Once,
    /// Also the dictionary words inside of longer words, which overlap: for the index.
    Search,
}

/// Words of two characters or more in a run of folded Han characters, as `(first, end)` in characters,
/// ordered by start, then by length, without repeats.
///
/// O(n) time. The first call loads the dictionary, which takes tens of milliseconds and stays in memory.
pub(crate) fn words(run: &str, cut: Cut, out: &mut Vec<(usize, usize)>) {
    out.clear();
    let mode = match cut {
        Cut::Once => TokenizeMode::Default,
        Cut::Search => TokenizeMode::Search,
    };
    let tokens = JIEBA.tokenize(run, mode, true);
    out.extend(tokens.iter().map(|token| (token.start, token.end)));
    out.retain(|&(start, end)| (2..=MAX_WORD_CHARS).contains(&(end - start)));
    out.sort_unstable();
    out.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reaches_characters_above_the_basic_plane() {
        assert_eq!(simplified('萬'), '万');
        assert_eq!(simplified('㑮'), '𫝈');
        assert_eq!(simplified('a'), 'a');
        assert_eq!(simplified('万'), '万');
        let above = SIMPLIFIED.higher.first().copied();
        assert!(above.is_some_and(|(from, to)| simplified(from) == to));
    }

    #[test]
    fn search_cut_adds_the_words_inside_of_a_word() {
        let mut found = Vec::new();
        words("社会主义", Cut::Once, &mut found);
        assert_eq!(found, [(0, 4)]);
        words("社会主义", Cut::Search, &mut found);
        assert_eq!(found, [(0, 2), (0, 4), (1, 3), (2, 4)]);
    }
}
