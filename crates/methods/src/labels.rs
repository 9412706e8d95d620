//! Which rows of a page are main text according to a gold text: the labels that models are trained on.

use std::collections::HashSet;

use gristmill_page::Page;
use gristmill_text::{BigramSegmenter, word_hashes};

/// Words of a shingle.
const SHINGLE: usize = 4;
/// Rows with fewer words need a gold neighbour, else `Home` and `Share` would be gold wherever the text has them.
const MIN_WORDS_ALONE: usize = 3;

/// One flag per row of `page`: whether it belongs to `gold`.
///
/// A row is gold if at least half of its 4-grams of lower-cased words occur in the gold text; a row of at most four
/// words if all its words occur there in a run, and with less than three words only next to another gold row.
/// O(words of page and gold).
pub fn gold_rows(page: &Page<'_>, gold: &str) -> Vec<bool> {
    let mut words = Vec::new();
    word_hashes(gold, &BigramSegmenter, usize::MAX, &mut words);
    let runs: Vec<HashSet<u64>> = (1..=SHINGLE).map(|n| shingles(&words, n).collect()).collect();
    let mut lengths = Vec::with_capacity(page.rows.len());
    let mut flags: Vec<bool> = page
        .rows
        .iter()
        .map(|row| {
            words.clear();
            word_hashes(page.row_text(row), &BigramSegmenter, usize::MAX, &mut words);
            lengths.push(words.len());
            let n = words.len().min(SHINGLE);
            n > 0 && {
                let (found, all) = shingles(&words, n).fold((0, 0), |(found, all), shingle| {
                    (found + usize::from(runs[n - 1].contains(&shingle)), all + 1)
                });
                2 * found >= all
            }
        })
        .collect();
    drop_lone_words(&lengths, &mut flags);
    flags
}

fn drop_lone_words(lengths: &[usize], flags: &mut [bool]) {
    let long = |at: usize, flags: &[bool]| flags[at] && lengths[at] >= MIN_WORDS_ALONE;
    let lone: Vec<usize> = (0..flags.len())
        .filter(|&at| flags[at] && lengths[at] < MIN_WORDS_ALONE)
        .filter(|&at| !(at > 0 && long(at - 1, flags) || at + 1 < flags.len() && long(at + 1, flags)))
        .collect();
    lone.into_iter().for_each(|at| flags[at] = false);
}

fn shingles(words: &[u64], n: usize) -> impl Iterator<Item = u64> + '_ {
    let mix = |hash: u64, word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    words.windows(n).map(move |run| run.iter().fold(n as u64, mix))
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn rows_of_the_gold_text_are_found_and_lone_menu_words_are_not() {
        let html = "<ul><li>Storm<li>Sport</ul><h1>Storm hits coast</h1><p>By</p>
            <p>The storm hit the coast on Monday, and nobody knew when it would end.</p>
            <p>Follow us to hear of every storm that hits any coast.</p><li>Storm";
        let doc = Doc::parse(html, &TreeLimits::default());
        let gold = "Storm hits coast\nBy\nThe storm hit the coast on Monday and nobody knew when it would end!";
        assert_eq!(gold_rows(&Page::new(&doc), gold), [false, false, true, true, true, false, false]);
    }

    #[test]
    fn equal_rows_are_gold_wherever_they_stand() {
        let html = "<p>Storm hits coast</p><p>Sport</p><p>Weather</p>".to_owned()
            + &"<p>Something else that is not in the text.</p>".repeat(15)
            + "<p>Storm hits coast</p><p>The storm hit the coast on Monday, and nobody knew when it would end.</p>";
        let doc = Doc::parse(&html, &TreeLimits::default());
        let gold = "Storm hits coast\nThe storm hit the coast on Monday, and nobody knew when it would end.";
        let flags = gold_rows(&Page::new(&doc), gold);
        assert_eq!((0..flags.len()).filter(|&at| flags[at]).collect::<Vec<_>>(), [0, 18, 19]);
    }

    #[test]
    fn chinese_rows_are_found() {
        let doc = Doc::parse("<p>首页</p><p>昨日台风在沿海登陆，多地停电。</p>", &TreeLimits::default());
        assert_eq!(gold_rows(&Page::new(&doc), "昨日台风在沿海登陆，多地停电。"), [false, true]);
    }
}
