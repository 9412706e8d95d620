//! Chinese words and characters: the jieba segmenter and the traditional → simplified table.
//!
//! jieba's dictionary takes some 90 ms and 40 MB to load, nine tenths of the time for its trie. That is nothing for a writer,
//! and most of the time of one search on the command line. So texts are cut with the dictionary loaded, and queries with
//! the few words of it that stand in the query: these are looked up in a map that is searched where it lies in the program.

use std::sync::LazyLock;

use gristmill_text::jieba;
use jieba_rs::{Jieba, TokenizeMode};
use tantivy_fst::raw::Fst;

/// Words longer than this are left to their characters: jieba's guesser joins unknown characters without end.
const MAX_WORD_CHARS: usize = 16;

/// The words of jieba's dictionary with their frequencies; `examples/words.rs` makes the file.
static WORDS: LazyLock<Fst<&'static [u8]>> = LazyLock::new(|| {
    Fst::new(include_bytes!("../data/words.fst").as_slice()).expect("the file is whole, as a test proves")
});

/// Sum of all frequencies in the dictionary: what a word's probability is reckoned from.
const ALL_WORDS: u64 = 60_101_964;

/// Stands for all words that are not in a part of the dictionary; no text is cut that holds it.
const OTHERS: &str = "\u{10fffd}";

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
pub(crate) enum SegmentationMode {
    /// Each character in one word: for queries.
    Once,
    /// Also the dictionary words inside of longer words, which overlap: for the index.
    Search,
}

/// Words of two characters or more in a run of folded Han characters, as `(first, end)` in characters,
/// ordered by start, then by length, without repeats.
///
/// O(n) time. The first call with [`SegmentationMode::Search`] loads the dictionary, which stays in memory.
pub(crate) fn words(run: &str, cut: SegmentationMode, out: &mut Vec<(usize, usize)>) {
    out.clear();
    match cut {
        SegmentationMode::Once => tokens(&part_for(run), run, TokenizeMode::Default, out),
        SegmentationMode::Search => tokens(jieba(), run, TokenizeMode::Search, out),
    }
    out.retain(|&(start, end)| (2..=MAX_WORD_CHARS).contains(&(end - start)));
    out.sort_unstable();
    out.dedup();
}

fn tokens(jieba: &Jieba, run: &str, mode: TokenizeMode, out: &mut Vec<(usize, usize)>) {
    out.extend(jieba.tokenize(run, mode, true).iter().map(|token| (token.start, token.end)));
}

/// The part of the dictionary that cuts `run` as all of it would: the words that stand in it, the rest as one word that does not.
fn part_for(run: &str) -> Jieba {
    let mut part = Jieba::empty();
    let mut others = ALL_WORDS;
    for (start, _) in run.char_indices() {
        for (end, frequency) in words_at(&run[start..]) {
            let word = &run[start..start + end];
            if !part.has_word(word) {
                part.add_word(word, usize::try_from(frequency).ok(), None);
                others = others.saturating_sub(frequency);
            }
        }
    }
    part.add_word(OTHERS, usize::try_from(others).ok(), None);
    part
}

/// Where the dictionary words that `text` begins with end, and their frequencies.
fn words_at(text: &str) -> impl Iterator<Item = (usize, u64)> {
    let mut node = WORDS.root();
    let mut sum = 0;
    let steps = text.bytes().zip(1..).map_while(move |(byte, end)| {
        let step = node.transition(node.find_input(byte)?);
        node = WORDS.node(step.addr);
        sum += step.out.value();
        Some(node.is_final().then(|| (end, sum + node.final_output().value())))
    });
    steps.flatten()
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

    fn cut(jieba: &Jieba, run: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        tokens(jieba, run, TokenizeMode::Default, &mut found);
        found
    }

    #[test]
    fn the_map_of_words_is_that_of_the_dictionary() {
        let mut stream = WORDS.stream();
        let (mut n_words, mut sum) = (0, 0);
        while let Some((word, frequency)) = tantivy_fst::Streamer::next(&mut stream) {
            assert!(jieba().has_word(std::str::from_utf8(word).unwrap()));
            (n_words, sum) = (n_words + 1, sum + frequency.value());
        }
        assert_eq!((n_words, sum), (349_045, ALL_WORDS));
    }

    #[test]
    fn texts_are_cut_by_a_part_of_the_dictionary_as_by_all_of_it() {
        let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/site/zh");
        let mut n_runs = 0;
        let mut open = vec![std::path::PathBuf::from(pages)];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    open.push(entry);
                    continue;
                }
                let page = std::fs::read(&entry).unwrap();
                let page = String::from_utf8_lossy(&page);
                for run in page.split(|c: char| !('\u{4e00}'..='\u{9fff}').contains(&c)).filter(|run| !run.is_empty()) {
                    assert_eq!(cut(&part_for(run), run), cut(jieba(), run), "{run}");
                    n_runs += 1;
                }
            }
        }
        assert!(n_runs > 1000, "{n_runs}");
    }

    proptest::proptest! {
        #[test]
        fn any_characters_are_cut_by_a_part_of_the_dictionary_as_by_all_of_it(run in "[一-龥]{1,60}|[的一是不了人我在有他这中大来上国社会主义机器学习]{1,40}") {
            proptest::prop_assert_eq!(cut(&part_for(&run), &run), cut(jieba(), &run));
        }
    }

    #[test]
    fn search_cut_adds_the_words_inside_of_a_word() {
        let mut found = Vec::new();
        words("社会主义", SegmentationMode::Once, &mut found);
        assert_eq!(found, [(0, 4)]);
        words("社会主义", SegmentationMode::Search, &mut found);
        assert_eq!(found, [(0, 2), (0, 4), (1, 3), (2, 4)]);
    }
}
