//! Ends of values that are no part of them: the same link or button behind many values ("more", "report an error"), or the same words.

use gristmill_html::LocalName;
use gristmill_text::is_cjk;

use crate::candidate::{Candidate, PairLayout};
use crate::dictionary::fold;
use crate::hash::{Map, Set};
use crate::view::{ByteRange, RecordView};

/// Values of one table or list behind which the same words must stand, and the share of all its values.
const MIN_VALUES: usize = 3;
const MIN_SHARE: f32 = 0.3;
/// Links that are cut off one value: "compare", "more".
const MAX_LINKS: usize = 3;

/// Cuts links and buttons off the ends of values, where several values of the same table or list end in the same words. Nothing is cut
/// that is all of a value. O(candidates · log leaves).
pub(crate) fn cut(view: &RecordView, candidates: &mut [Candidate]) {
    let place = |candidate: &Candidate| (candidate.layout, candidate.container);
    let mut sizes: Map<(PairLayout, u32), usize> = Map::default();
    candidates.iter().for_each(|candidate| *sizes.entry(place(candidate)).or_insert(0) += 1);
    for _ in 0..MAX_LINKS {
        let mut counts: Map<(PairLayout, u32, u64), usize> = Map::default();
        let tails: Vec<Option<(u64, ByteRange)>> =
            candidates.iter().map(|candidate| tail(view, candidate.value)).collect();
        for (candidate, (words, _)) in
            candidates.iter().zip(&tails).filter_map(|(one, tail)| Some((one, tail.as_ref()?)))
        {
            *counts.entry((candidate.layout, candidate.container, *words)).or_insert(0) += 1;
        }
        let mut any = false;
        for (candidate, tail) in candidates.iter_mut().zip(tails) {
            let Some((words, rest)) = tail else { continue };
            let least = MIN_VALUES.max((sizes[&place(candidate)] as f32 * MIN_SHARE) as usize);
            if counts[&(candidate.layout, candidate.container, words)] >= least {
                candidate.value = rest;
                any = true;
            }
        }
        if !any {
            break;
        }
    }
    cut_words(view, candidates);
}

/// Values of one table or list that must end in the same words, and the share of all its values.
const MIN_WORDS: usize = 4;
const WORDS_SHARE: f32 = 0.6;
/// Characters of such words, at least in letters of an alphabet and at most.
const MIN_CHARS: usize = 3;
const MAX_CHARS: usize = 14;
/// Values of one table or list that are looked at.
const MAX_VALUES: usize = 500;

/// Cuts off the words in which most values of a table or list end, as words of their own or glued to the value. Units stay: most values
/// before them end in a digit. O(candidates).
fn cut_words(view: &RecordView, candidates: &mut [Candidate]) {
    let mut places: Map<(PairLayout, u32), Vec<usize>> = Map::default();
    for (n, candidate) in candidates.iter().enumerate() {
        let place = places.entry((candidate.layout, candidate.container)).or_default();
        if place.len() < MAX_VALUES {
            place.push(n);
        }
    }
    for place in places.values().filter(|place| place.len() >= MIN_WORDS) {
        let texts: Vec<&str> = place.iter().map(|&n| view.slice(candidates[n].value)).collect();
        let Some(words) = same_end(&texts) else { continue };
        for (&n, text) in place.iter().zip(&texts) {
            let Some(rest) = text.strip_suffix(words).map(str::trim_end).filter(|rest| !rest.is_empty()) else {
                continue;
            };
            let value = &mut candidates[n].value;
            value.end = value.start + rest.len() as u32;
        }
    }
}

/// The longest words in which most of some texts end with something before them.
fn same_end<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let mut ends: Map<&str, End> = Map::default();
    for text in texts {
        for (at, first) in text.char_indices().rev().take(MAX_CHARS) {
            let rest = text[..at].trim_end();
            if rest.is_empty() {
                break;
            }
            if is_end(&text[at..], first, text[..at].chars().next_back()) {
                let end = ends.entry(&text[at..]).or_default();
                end.n += 1;
                // `38 Gramm`: what is cut off within a word belongs to a unit, too.
                let is_within = text[..at].ends_with(char::is_alphabetic) && !is_cjk(first);
                let before = if is_within { rest.trim_end_matches(char::is_alphabetic).trim_end() } else { rest };
                end.n_digits += usize::from(before.ends_with(char::is_numeric));
                end.rests.insert(fold(rest));
            }
        }
    }
    let least = MIN_WORDS.max((texts.len() as f32 * WORDS_SHARE).ceil() as usize);
    let common =
        ends.into_iter().filter(|(_, end)| end.n >= least && end.n_digits * 2 < end.n && end.rests.len() * 2 >= end.n);
    common.map(|(words, _)| words).max_by_key(|words| words.len())
}

/// What is known of the texts with one end.
#[derive(Default)]
struct End {
    n: usize,
    /// How many have a digit before it.
    n_digits: usize,
    /// The different texts before it.
    rests: Set<u64>,
}

/// Whether an end can be words of their own: behind a space, in brackets, of a script without spaces, or of so many letters that no
/// language ends most of its words in them.
fn is_end(end: &str, first: char, before: Option<char>) -> bool {
    let n = end.chars().count();
    let is_word = before.is_some_and(char::is_whitespace) || matches!(first, '[' | '(' | '（' | '【');
    let is_unspaced = is_cjk(first) && end.chars().all(is_cjk);
    let is_glued = n > MIN_CHARS && first.is_alphabetic();
    let is_long_enough = if is_unspaced { n >= 2 } else { n >= MIN_CHARS && (is_word || is_glued) };
    is_long_enough && end.chars().any(char::is_alphabetic) && !first.is_whitespace() && !end.ends_with(char::is_numeric)
}

/// The words of a link or button at the end of a value, and the value before it.
fn tail(view: &RecordView, value: ByteRange) -> Option<(u64, ByteRange)> {
    let first = view.leaf_at(value.start);
    let last = view.leaf_at(value.end.saturating_sub(1));
    let control = (last > first).then(|| control(view, view.leaves[last].node.index()))??;
    let (a, _) = view.leaf_range(control);
    if a <= first {
        return None;
    }
    let text = view.slice(view.span(a, last + 1));
    let rest = view.trim(ByteRange { start: value.start, end: view.leaves[a - 1].end });
    (text.chars().any(char::is_alphabetic) && !rest.is_empty()).then(|| (fold(text), rest))
}

/// The link or button around a node.
fn control(view: &RecordView, node: usize) -> Option<usize> {
    let mut at = node;
    for _ in 0..4 {
        at = view.parent(at);
        if matches!(view.name(at), LocalName::A | LocalName::BUTTON) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::same_end;

    #[test]
    fn the_words_behind_most_values_are_no_part_of_them() {
        for (texts, words) in [
            (&["蓝色纠错", "棉纠错", "2千克纠错", "宁波纠错", "10"][..], Some("纠错")),
            (&["Blue [edit]", "Cotton [edit]", "2 kg [edit]", "Rome [edit]"], Some("[edit]")),
            (&["Bluereport", "Cottonreport", "2 kgreport", "Romereport"], Some("report")),
            (&["Blue report", "Cotton report", "2 kg report", "Rome report"], Some("report")),
            (&["20 millimeter", "30 millimeter", "12 millimeter", "40 millimeter"], None),
            (&["20 Gramm", "3,5 Gramm", "12 Gramm", "40 Gramm"], None),
            (&["20厘米", "30厘米", "12厘米", "40厘米"], None),
            (&["Blue", "Cotton", "2 kg", "Rome"], None),
            (&["Cotton", "Cotton", "Cotton", "Cotton"], None),
            (&["Soft cotton", "Soft cotton", "Soft cotton", "Soft cotton"], None),
            (&["Blue [edit]", "Cotton [edit]", "2 kg", "Rome"], None),
        ] {
            assert_eq!(same_end(texts), words, "{texts:?}");
        }
    }
}
