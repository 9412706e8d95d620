//! A candidate pair: what a layout reader found, before anybody decides whether it describes the product.

use crate::invisible;
use crate::view::{ByteRange, RecordView};

/// How a name and its value stand on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PairLayout {
    /// A table row of two cells.
    Row,
    /// A table row of four or six cells: name, value, name, value.
    FourCells,
    /// A header row over one row of values.
    Header,
    /// A table of several records, one in each row or column.
    Records,
    /// `dt` and the `dd`s after it.
    List,
    /// An element with two children, or a label element and text.
    TwoCells,
    /// Siblings that alternate: name, value, name, value.
    Alternating,
    /// `name: value` in one row.
    Colon,
    /// `name: value`, several in one row, each in its own element.
    ColonPart,
    /// `name:` at the start of an element of several rows.
    ColonBlock,
    /// `name:` or a bold name, the value in the next row.
    NextLine,
    /// A bold or otherwise marked start of a row, then the value.
    Label,
    /// A row that starts with a dictionary name.
    Known,
    /// `name - value` or `name = value`.
    Dash,
    /// A column of names beside a column of values.
    Columns,
}

impl PairLayout {
    /// All layouts.
    pub const ALL: [PairLayout; 15] = [
        PairLayout::Row,
        PairLayout::FourCells,
        PairLayout::Header,
        PairLayout::Records,
        PairLayout::List,
        PairLayout::TwoCells,
        PairLayout::Alternating,
        PairLayout::Colon,
        PairLayout::ColonPart,
        PairLayout::ColonBlock,
        PairLayout::NextLine,
        PairLayout::Label,
        PairLayout::Known,
        PairLayout::Dash,
        PairLayout::Columns,
    ];

    /// The name that provenance shows.
    pub fn as_str(self) -> &'static str {
        match self {
            PairLayout::Row => "table-row",
            PairLayout::FourCells => "table-four-cells",
            PairLayout::Header => "table-header",
            PairLayout::Records => "table-records",
            PairLayout::List => "dl",
            PairLayout::TwoCells => "two-cells",
            PairLayout::Alternating => "alternating",
            PairLayout::Colon => "colon",
            PairLayout::ColonPart => "colon-part",
            PairLayout::ColonBlock => "colon-block",
            PairLayout::NextLine => "next-line",
            PairLayout::Label => "label",
            PairLayout::Known => "known-name",
            PairLayout::Dash => "dash",
            PairLayout::Columns => "columns",
        }
    }

    /// Whether one name may belong to several values.
    pub(crate) fn shares_names(self) -> bool {
        matches!(self, PairLayout::Header | PairLayout::Records)
    }
}

/// One candidate. Names and values are spans of the page's text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) layout: PairLayout,
    pub(crate) name: ByteRange,
    pub(crate) value: ByteRange,
    /// The element that holds the pair (row, `li`, `dt` …).
    pub(crate) element: u32,
    /// The element that holds this pair and its siblings (table, list …).
    pub(crate) container: u32,
    /// Which record of the container it belongs to.
    pub(crate) record: u32,
    /// Layout-specific facts, see the constants of [`Candidate`].
    pub(crate) facts: u16,
    /// Columns of the table; children of the parent otherwise.
    pub(crate) columns: u16,
}

impl Candidate {
    /// The name stands in a `th`.
    pub(crate) const NAME_TH: u16 = 1;
    /// The value stands in a `th` too: a header row.
    pub(crate) const VALUE_TH: u16 = 2;
    /// The row is the first of its table.
    pub(crate) const FIRST_ROW: u16 = 4;
    /// The row is in a `thead`.
    pub(crate) const IN_HEAD: u16 = 8;
    /// A delimiter stood between name and value.
    pub(crate) const DELIMITED: u16 = 16;
    /// The name is in `b`, `strong`, `label`, `h*`, `dt`, `th`.
    pub(crate) const NAME_MARKED: u16 = 32;
    /// The name cell spans rows or there is a group cell before it.
    pub(crate) const GROUPED: u16 = 64;
    /// Name and value are elements with different tag or class.
    pub(crate) const DISTINCT: u16 = 128;
}

/// Collects candidates up to a bound.
pub(crate) struct CandidateList {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) limit: usize,
    pub(crate) hit_limit: bool,
}

/// Longest name in bytes and longest value in bytes that a reader hands on.
pub(crate) const MAX_NAME: usize = 160;
pub(crate) const MAX_VALUE: usize = 3_000;

impl CandidateList {
    pub(crate) fn new(limit: usize) -> CandidateList {
        CandidateList { candidates: Vec::new(), limit, hit_limit: false }
    }

    pub(crate) fn full(&self) -> bool {
        self.candidates.len() >= self.limit
    }

    /// Cleans both sides, and keeps the candidate if what is left looks like a name and a value.
    pub(crate) fn push(&mut self, view: &RecordView, mut candidate: Candidate) {
        if self.full() {
            self.hit_limit = true;
            return;
        }
        // A folded hint is no part of the name that it explains; what is short enough the model may judge with it.
        if candidate.name.len() > MAX_NAME || !is_name(view.slice(candidate.name)) {
            candidate.name = invisible::seen(view, candidate.name);
        }
        if candidate.name.len() > MAX_NAME || candidate.value.len() > MAX_VALUE + 40 {
            return;
        }
        let (name, delimited) = clean_name(view, candidate.name);
        let (value, delimiter) = clean_value(view, candidate.value);
        candidate.name = name;
        candidate.value = value;
        if delimited || delimiter {
            candidate.facts |= Candidate::DELIMITED;
        }
        if value.is_empty() || value.len() > MAX_VALUE || !is_name(view.slice(name)) {
            return;
        }
        self.candidates.push(candidate);
    }
}

fn is_bullet(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '|' | '•'
                | '·'
                | '*'
                | '-'
                | '–'
                | '—'
                | '▪'
                | '■'
                | '●'
                | '►'
                | '»'
                | '✓'
                | '√'
                | '◆'
                | '★'
                | '›'
                | '>'
                | '+'
        )
}

fn is_delimiter(c: char) -> bool {
    matches!(c, ':' | '：' | '︰' | '∶' | '\u{FE55}')
}

/// Strips bullets before and delimiters after a name; tells whether there was a delimiter.
pub(crate) fn clean_name(view: &RecordView, span: ByteRange) -> (ByteRange, bool) {
    let text = view.slice(span);
    let left = text.trim_start_matches(|c: char| is_bullet(c) || is_delimiter(c));
    let start = span.start + (text.len() - left.len()) as u32;
    let right = left.trim_end_matches(|c: char| is_bullet(c) && c != '+' || is_delimiter(c) || c == '?' || c == '？');
    let tail = &left[right.len()..];
    (ByteRange { start, end: start + right.len() as u32 }, tail.contains(is_delimiter))
}

/// A text without the dots that lead to it from its name: `........52 mm`.
fn without_leader(text: &str) -> &str {
    const LEAST: usize = 3;
    let rest = text.trim_start_matches(['.', '…', '_', ' ', '\u{a0}', '\n']);
    let leader = &text[..text.len() - rest.len()];
    let n_marks = leader.chars().filter(|c| matches!(c, '.' | '_')).count();
    if leader.contains('…') && rest.len() < text.len() || n_marks >= LEAST { rest } else { text }
}

fn clean_value(view: &RecordView, span: ByteRange) -> (ByteRange, bool) {
    let text = view.slice(span);
    let left = text.trim_start_matches(|c: char| c.is_whitespace() || is_delimiter(c));
    let left = without_leader(left);
    let start = span.start + (text.len() - left.len()) as u32;
    let delimited = text[..text.len() - left.len()].contains(is_delimiter);
    let right = left.trim_end_matches(|c: char| c.is_whitespace() || c == '|');
    (ByteRange { start, end: start + right.len() as u32 }, delimited)
}

/// Whether a text can be an attribute's name at all: short, with a letter, at most two rows, no address or time.
pub(crate) fn is_name(text: &str) -> bool {
    if text.is_empty() || text.chars().count() > 60 || text.matches('\n').count() > 1 {
        return false;
    }
    let words = text.split_whitespace().count();
    words <= 9 && text.chars().any(char::is_alphabetic) && !text.contains("://") && !text.contains("www.")
}

/// Where the first delimiter of `text` lies: byte position and length. A colon inside of a time, an address or a
/// ratio (`10:30`, `http://`, `16:9`) is none.
pub(crate) fn delimiter(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    // All other delimiters begin with one of these two bytes.
    while let Some(found) = text.as_bytes()[from..].iter().position(|byte| matches!(byte, b':' | 0xEF | 0xE2)) {
        let at = from + found;
        let Some(c) = text[at..].chars().next() else { break };
        from = at + c.len_utf8();
        if !is_delimiter(c) {
            continue;
        }
        let after = &text[at + c.len_utf8()..];
        let before = text[..at].chars().next_back();
        let digit_before = before.is_some_and(|c| c.is_ascii_digit());
        let digit_after = after.chars().next().is_some_and(|c| c.is_ascii_digit());
        if digit_before && digit_after && c == ':' {
            return None;
        }
        if after.starts_with("//") || c == ':' && after.starts_with(':') {
            return None;
        }
        return Some((at, c.len_utf8()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_ratios_and_addresses_have_no_delimiter() {
        assert_eq!(delimiter("Weight: 3 kg"), Some((6, 1)));
        assert_eq!(delimiter("品牌：联想"), Some((6, 3)));
        assert_eq!(delimiter("10:30 Uhr"), None);
        assert_eq!(delimiter("http://example.com/"), None);
    }

    #[test]
    fn a_name_is_short_and_has_letters() {
        assert!(is_name("Weight (approx.)") && is_name("颜色"));
        assert!(!is_name("12") && !is_name("") && !is_name(&"long ".repeat(20)) && !is_name("www.example.com"));
    }
}
