//! Which rows of a page are main text: those that an alignment of the page with its gold text pairs.

use std::collections::HashMap;

use gristmill_eval::{align, words};
use gristmill_extract::Page;
use gristmill_methods::gold_rows;

/// A run of fewer paired words says nothing, unless it is the whole row.
const MIN_RUN: usize = 2;
/// The first turn finds what stands in the order of the gold text, the second what was moved.
const TURNS: usize = 2;

/// One flag per row of `page`: whether at least half of its words are paired with words of `gold`.
///
/// A word of the gold text is paired once and in order, so that of equal rows as many are taken as the gold text has, those
/// that its order asks for, else the first: shares of common 4-grams ([`gold_rows`]) take all of them. These decide
/// where an alignment is too large. O(words of the page · words of the gold text / 64).
pub fn aligned_rows(page: &Page<'_>, gold: &str) -> Vec<bool> {
    let mut numbers = HashMap::new();
    let mut numbered = |text: &str| -> Vec<u32> {
        let lower = text.to_lowercase();
        words(&lower)
            .into_iter()
            .map(|word| {
                let next = numbers.len() as u32;
                *numbers.entry(word.to_owned()).or_insert(next)
            })
            .collect()
    };
    let mut gold_words = numbered(gold);
    let rows: Vec<Vec<u32>> = page.rows.iter().map(|row| numbered(page.row_text(row))).collect();
    let mut taken = vec![false; rows.len()];
    for _ in 0..TURNS {
        let rest = (0..rows.len()).filter(|&row| !taken[row]);
        let (items, row_of): (Vec<u32>, Vec<usize>) =
            rest.flat_map(|row| rows[row].iter().map(move |&word| (word, row))).unzip();
        let Some(pairs) = align(&items, &gold_words) else { return gold_rows(page, gold) };
        let runs: Vec<(usize, &[(u32, u32)])> = pairs
            .chunk_by(|(i, j), (next_i, next_j)| {
                (*next_i, *next_j) == (i + 1, j + 1) && row_of[*i as usize] == row_of[*next_i as usize]
            })
            .map(|run| (row_of[run[0].0 as usize], run))
            .filter(|&(row, run)| run.len() >= MIN_RUN || run.len() == rows[row].len())
            .collect();
        let mut paired = vec![0; rows.len()];
        runs.iter().for_each(|(row, run)| paired[*row] += run.len());
        (0..rows.len()).for_each(|row| taken[row] |= paired[row] > 0 && 2 * paired[row] >= rows[row].len());
        let mut free = vec![true; gold_words.len()];
        let used = runs.iter().filter(|(row, _)| taken[*row]).flat_map(|(_, run)| *run);
        used.for_each(|(_, j)| free[*j as usize] = false);
        let mut free = free.into_iter();
        gold_words.retain(|_| free.next().unwrap_or(true));
    }
    taken
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn flags(html: &str, gold: &str) -> Vec<bool> {
        aligned_rows(&Page::new(&Doc::parse(html, &TreeLimits::default())), gold)
    }

    #[test]
    fn of_equal_rows_as_many_are_taken_as_the_gold_text_has_and_those_that_its_order_asks_for() {
        let html =
            "<p>Storm hits coast</p><p>Sport</p><h1>Storm hits coast</h1><p>It came on Monday night.</p><p>Sport</p>
            <p>It came on Monday night.</p>";
        let gold = "Weather\nStorm hits coast\nIt came on Monday night.";
        assert_eq!(flags(html, gold).into_iter().filter(|flag| *flag).count(), 2);
        let html = "<p>Storm hits coast</p><p>Sport</p><h1>Storm hits coast</h1><p>It came on Monday night.</p>";
        assert!(flags(html, gold)[3]);
        let gold = "Sport of the valley\nStorm hits coast\nIt came on Monday night.";
        let html =
            "<p>Storm hits coast</p><p>Sport of the valley</p><h1>Storm hits coast</h1><p>It came on Monday night.</p>";
        assert_eq!(flags(html, gold), [false, true, true, true]);
    }

    #[test]
    fn what_was_moved_is_found_by_the_second_turn() {
        let html = "<p>The storm hit the coast on Monday, and nobody knew.</p><h1>Storm hits the old coast</h1>";
        let gold = "Storm hits the old coast\nThe storm hit the coast on Monday, and nobody knew.";
        assert_eq!(flags(html, gold), [true, true]);
    }

    #[test]
    fn characters_of_chinese_are_words() {
        assert_eq!(
            flags("<p>首页</p><p>昨日台风在沿海登陆，多地停电。</p>", "昨日台风在沿海登陆，多地停电。"),
            [false, true]
        );
    }
}
