//! Cuts runs of unspaced script (Chinese, Japanese, Thai …) into words.

use std::sync::LazyLock;

/// Finds the words of a run of characters that are all [`is_unspaced`](crate::is_unspaced).
pub trait Segmenter: Sync {
    /// Calls `word` for each word of `run` in order.
    fn segment<'t>(&self, run: &'t str, word: &mut dyn FnMut(&'t str));
}

/// Overlapping pairs of characters: no dictionary, any language. A lone character is a word.
#[derive(Debug, Clone, Copy, Default)]
pub struct BigramSegmenter;

impl Segmenter for BigramSegmenter {
    fn segment<'t>(&self, run: &'t str, word: &mut dyn FnMut(&'t str)) {
        let mut before: Option<usize> = None;
        let mut n = 0;
        for (at, c) in run.char_indices() {
            if let Some(before) = before {
                word(&run[before..at + c.len_utf8()]);
            }
            before = Some(at);
            n += 1;
        }
        if n == 1 {
            word(run);
        }
    }
}

/// Characters one by one.
#[derive(Debug, Clone, Copy, Default)]
pub struct CharacterSegmenter;

impl Segmenter for CharacterSegmenter {
    fn segment<'t>(&self, run: &'t str, word: &mut dyn FnMut(&'t str)) {
        run.char_indices().for_each(|(at, c)| word(&run[at..at + c.len_utf8()]));
    }
}

/// Dictionary words with a hidden Markov model for unknown ones (jieba). The dictionary is that of
/// [`jieba`], shared by the process. Runs without Chinese characters fall to [`BigramSegmenter`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Jieba;

static JIEBA: LazyLock<jieba_rs::Jieba> = LazyLock::new(jieba_rs::Jieba::new);

/// The dictionary of the process, loaded when it is first asked for: some 90 ms and 40 MB.
pub fn jieba() -> &'static jieba_rs::Jieba {
    &JIEBA
}

/// Longest piece handed to the dictionary at once: its search needs memory for each character.
const MAX_RUN_BYTES: usize = 3 * 2000;

impl Segmenter for Jieba {
    fn segment<'t>(&self, run: &'t str, word: &mut dyn FnMut(&'t str)) {
        let mut rest = run;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(MAX_RUN_BYTES));
            rest = after;
            if piece.chars().any(crate::chars::is_han) {
                JIEBA.cut(piece, true).into_iter().for_each(|token| word(token.word));
            } else {
                BigramSegmenter.segment(piece, word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<'t>(segmenter: &dyn Segmenter, run: &'t str) -> Vec<&'t str> {
        let mut words = Vec::new();
        segmenter.segment(run, &mut |word| words.push(word));
        words
    }

    #[test]
    fn bigrams_overlap_and_a_lone_character_stands() {
        assert_eq!(words(&BigramSegmenter, "中华人民"), ["中华", "华人", "人民"]);
        assert_eq!(words(&BigramSegmenter, "中"), ["中"]);
        assert!(words(&BigramSegmenter, "").is_empty());
    }

    #[test]
    fn jieba_finds_dictionary_words() {
        assert_eq!(words(&Jieba, "我们来到北京大学"), ["我们", "来到", "北京大学"]);
        assert_eq!(words(&Jieba, "カナ"), ["カナ"]);
    }

    #[test]
    fn a_huge_run_is_cut_and_nothing_is_lost() {
        let run = "网页正文抽取".repeat(3000);
        assert_eq!(words(&Jieba, &run).concat(), run);
    }
}
