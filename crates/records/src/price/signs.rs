//! Signs, words and codes of currencies, and which currency they stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::locale;

const SIGNS: &str = include_str!("../../dictionary/currency_signs.tsv");

/// A sign, word or code.
#[derive(Debug)]
pub(super) struct Sign {
    text: &'static str,
    n_chars: usize,
    /// What it may stand for, the usual reading first.
    pub(super) codes: Vec<&'static str>,
    marks: &'static str,
}

impl Sign {
    /// Whether it stands for a hundredth of the currency.
    pub(super) fn is_minor(&self) -> bool {
        self.has('m')
    }

    fn has(&self, mark: char) -> bool {
        self.marks.contains(mark)
    }
}

/// A sign in a text, the byte at its far end, and whether it may be anything else than a sign.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignPosition {
    pub(super) sign: &'static Sign,
    pub(super) far: usize,
    pub(super) is_weak: bool,
}

impl SignPosition {
    /// Whether it counts: always in a field that is declared to be a price, else if it is nothing else or the page pays in it.
    pub(super) fn counts(&self, is_field: bool, page: Option<&str>, is_alone: impl FnOnce() -> bool) -> bool {
        // Pence are of one country: elsewhere such a letter is another's word.
        let is_other = || self.sign.is_minor() && page.is_some_and(|page| !self.sign.codes.contains(&page));
        !self.is_weak
            || is_field && !is_other()
            || page.is_some_and(|page| self.sign.codes.contains(&page))
            || self.sign.has('o') && is_alone()
    }
}

/// All signs, the longest first, by the first and by the last character in small letters.
struct Table {
    by_first: HashMap<char, Vec<Sign>>,
    by_last: HashMap<char, Vec<Sign>>,
}

fn small(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn signs() -> Vec<Sign> {
    let of = |text: &'static str, codes: &'static str, marks| Sign {
        text,
        n_chars: text.chars().count(),
        codes: codes.split(' ').collect(),
        marks,
    };
    let lines = SIGNS.lines().filter(|line| !line.starts_with('#'));
    let mut signs: Vec<Sign> = lines
        .filter_map(|line| {
            let mut fields = line.split('\t');
            Some(of(fields.next()?, fields.next()?, fields.next().unwrap_or_default()))
        })
        .collect();
    let written: std::collections::HashSet<&str> = signs.iter().map(|sign| sign.text).collect();
    let codes: Vec<&str> = locale::codes().filter(|code| !written.contains(code)).collect();
    signs.extend(codes.into_iter().map(|code| of(code, code, "")));
    signs.sort_by(|a, b| b.n_chars.cmp(&a.n_chars).then(a.text.cmp(b.text)));
    signs
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { by_first: HashMap::new(), by_last: HashMap::new() };
    for sign in signs() {
        let first = sign.text.chars().next().map(small).unwrap_or_default();
        table.by_first.entry(first).or_default().push(sign);
    }
    for sign in signs() {
        let last = sign.text.chars().next_back().map(small).unwrap_or_default();
        table.by_last.entry(last).or_default().push(sign);
    }
    table
});

/// What may stand between a sign and its amount.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || gristmill_text::is_invisible(c)
}

/// The sign that a text ends with, before an amount.
pub(super) fn at_end(text: &str) -> Option<SignPosition> {
    let near = text.trim_end_matches(is_gap);
    let bare = near.trim_end_matches(|c| is_gap(c) || matches!(c, '.' | ':' | '(' | '='));
    [near, bare].into_iter().find_map(|text| {
        let last = small(text.chars().next_back()?);
        best(TABLE.by_last.get(&last)?, text, true)
    })
}

/// The sign that a text begins with, behind an amount.
pub(super) fn at_start(text: &str) -> Option<SignPosition> {
    let rest = text.trim_start_matches(is_gap);
    let rest = rest.strip_prefix(['(', '*']).unwrap_or(rest).trim_start_matches(is_gap);
    let first = small(rest.chars().next()?);
    let place = best(TABLE.by_first.get(&first)?, rest, false)?;
    Some(SignPosition { far: text.len() - rest.len() + place.far, ..place })
}

/// The longest of some signs at the end or start of a text, and of two that differ in capitals only the one that is written so.
fn best(signs: &'static [Sign], text: &str, before: bool) -> Option<SignPosition> {
    let mut found: Option<(SignPosition, bool)> = None;
    for sign in signs.iter().filter(|sign| !sign.has(if before { 'a' } else { 'b' })) {
        if found.is_some_and(|(place, is_exact)| is_exact || place.sign.n_chars > sign.n_chars) {
            break;
        }
        let Some((far, is_exact)) = fits(sign, text, before) else { continue };
        if found.is_none() || is_exact {
            let is_weak = sign.has('f') || sign.has('o') || sign.has('c') && !is_exact;
            found = Some((SignPosition { sign, far, is_weak }, is_exact));
        }
    }
    found.map(|(place, _)| place)
}

/// Where a sign's far end is in a text that begins or ends with it as a word of its own, and whether its case is the same.
fn fits(sign: &Sign, text: &str, before: bool) -> Option<(usize, bool)> {
    let far = if before {
        let at = text.char_indices().rev().nth(sign.n_chars - 1)?.0;
        is_same(&text[at..], sign.text).then_some(at)?
    } else {
        let end = text.char_indices().nth(sign.n_chars).map_or(text.len(), |(at, _)| at);
        is_same(&text[..end], sign.text).then_some(end)?
    };
    let own_end = far;
    // The end of a word belongs to it: `euros`.
    let far = if before || !sign.has('s') {
        far
    } else {
        text[far..].find(|c: char| !c.is_alphabetic()).map_or(text.len(), |end| far + end)
    };
    let (own, rest) = if before { (&text[far..], &text[..far]) } else { (&text[..own_end], &text[far..]) };
    stands_alone(sign, rest, before).then_some((far, own == sign.text))
}

fn is_same(text: &str, sign: &str) -> bool {
    text.len() <= sign.len() + 4 && text.chars().map(small).eq(sign.chars().map(small))
}

/// A sign of letters must not be part of a longer word (`Ft` in `Fts`, `kr` in `mikr`).
fn stands_alone(sign: &Sign, rest: &str, before: bool) -> bool {
    let edge = if before { rest.chars().next_back() } else { rest.chars().next() };
    let own = if before { sign.text.chars().next() } else { sign.text.chars().next_back() };
    let is_unspaced = own.is_some_and(|c| gristmill_text::is_cjk(c) || gristmill_text::is_unspaced(c));
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’');
    let goes_on = own.is_some_and(char::is_alphabetic) && edge.is_some_and(is_letter);
    is_unspaced || !goes_on || !before && sign.has('s')
}

/// The currency of the signs beside one amount: of the one that says most, and where it may stand for several, the page's own.
pub(super) fn settled(signs: &[&'static Sign], page: Option<&str>) -> Option<&'static str> {
    let most = signs.iter().min_by_key(|sign| sign.codes.len())?;
    let own = most.codes.iter().copied().find(|code| page == Some(code));
    own.or(most.codes.first().copied())
}

/// The sign that says most anywhere in a text.
pub(super) fn in_text(text: &str) -> Option<&'static Sign> {
    let text = &text[..text.floor_char_boundary(60)];
    let starts = text.char_indices().filter(|&(at, _)| !text[..at].ends_with(char::is_alphanumeric));
    let signs = starts.filter_map(|(at, c)| (!is_gap(c)).then(|| at_start(&text[at..])).flatten());
    signs.map(|place| place.sign).min_by_key(|sign| sign.codes.len())
}
