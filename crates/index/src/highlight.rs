//! Snippets: the piece of a text that answers a query best, with the query's words marked.

use std::collections::HashMap;
use std::ops::Range;

use crate::analyser::{AnalysisMode, IndexToken, Word, analyse};
use crate::attributes::head;
use crate::forms::{WordForm, WordForms};

/// Only so much of a text is looked through, to bound the cost of showing a page of hits.
const MAX_BYTES: usize = 256 * 1024;

/// What to mark for one word or phrase of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// Rows of base terms ([`AnalysisMode::Base`]), each of which matches where they stand side by side.
    pub rows: Vec<Vec<String>>,
    /// Other forms of words, stems with their language among them, each of which matches where the text has it.
    pub forms: Vec<String>,
}

impl Pattern {
    /// One row of base terms.
    pub fn of_row(row: Vec<String>) -> Self {
        Self { rows: vec![row], forms: Vec::new() }
    }
}

/// A piece of text on one line, and what to mark in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text; runs of blanks and control characters have become one space. Not escaped.
    pub text: String,
    /// Byte ranges to mark, rising and apart from one another, between characters of `text`.
    pub ranges: Vec<Range<usize>>,
    /// Whether something stood before it, and behind it.
    pub cut: (bool, bool),
}

impl Snippet {
    /// The best piece of `text`, some `columns` wide (an ideograph takes two), around matches of `patterns`.
    ///
    /// * `language`: that of the text, for the stems of its words.
    /// * Without a match, the beginning of the text. Never cut inside of a character or its marks.
    /// * Looks at the first 256 kB. O(n) time.
    ///
    /// The piece is the one with most different patterns, long rows counting more, then most matches, then the
    /// earliest.
    pub fn best(text: &str, language: &str, patterns: &[Pattern], columns: usize) -> Self {
        let text = head(text, MAX_BYTES);
        let matches = find(text, language, patterns);
        let ruler = Ruler::new(text);
        let window = match best_core(&matches, patterns, &ruler, columns * 4 / 5) {
            Some(core) => widen(text, &ruler, core, columns),
            None => {
                let start = text.len() - text.trim_start().len();
                start..forth(text, start, columns)
            }
        };
        let inside = matches.iter().map(|found| found.range.clone());
        let inside = inside.filter(|range| window.start <= range.start && range.end <= window.end);
        Self::build(text, window.clone(), inside)
    }

    /// All of a short text such as a title, with every match marked; cut behind `columns`.
    pub fn whole(text: &str, language: &str, patterns: &[Pattern], columns: usize) -> Self {
        let text = head(text, MAX_BYTES);
        let matches = find(text, language, patterns);
        let end = forth(text, 0, columns);
        let inside = matches.iter().map(|found| found.range.clone()).filter(|range| range.end <= end);
        Self::build(text, 0..end, inside)
    }

    fn build(text: &str, window: Range<usize>, marks: impl Iterator<Item = Range<usize>>) -> Self {
        let mut marks: Vec<Range<usize>> = marks.collect();
        marks.sort_unstable_by_key(|range| (range.start, range.end));
        let marks = merged(text, marks);
        let mut edges = marks.iter().flat_map(|range| [range.start, range.end]).peekable();
        let mut places = Vec::with_capacity(2 * marks.len());
        let mut out = String::with_capacity(window.len());
        for (at, c) in text[window.clone()].char_indices() {
            while edges.next_if_eq(&(window.start + at)).is_some() {
                places.push(out.len());
            }
            if !c.is_whitespace() && !c.is_control() {
                out.push(c);
            } else if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        }
        places.extend(edges.map(|_| out.len()));
        out.truncate(out.trim_end().len().max(places.last().copied().unwrap_or(0)));
        let ranges = places.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
        let blank = |part: &str| part.chars().all(char::is_whitespace);
        let cut = (!blank(&text[..window.start]), !blank(&text[window.end..]));
        Self { text: out, ranges, cut }
    }

    /// The piece as HTML: everything escaped, matches in `<mark>`, `…` where it was cut.
    pub fn to_html(&self) -> String {
        let mut html = String::with_capacity(self.text.len() + 32 * self.ranges.len());
        html.push_str(if self.cut.0 { "… " } else { "" });
        let mut at = 0;
        for range in &self.ranges {
            escape(&self.text[at..range.start], &mut html);
            html.push_str("<mark>");
            escape(&self.text[range.clone()], &mut html);
            html.push_str("</mark>");
            at = range.end;
        }
        escape(&self.text[at..], &mut html);
        html.push_str(if self.cut.1 { " …" } else { "" });
        html
    }
}

/// Appends `text` to `html` such that it is text in elements and in quoted attributes alike.
fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(c),
        }
    }
}

/// A pattern found in the text.
#[derive(Debug, PartialEq, Eq)]
struct Match {
    range: Range<usize>,
    pattern: usize,
}

/// All matches in order of their start.
fn find(text: &str, language: &str, patterns: &[Pattern]) -> Vec<Match> {
    if patterns.is_empty() {
        return Vec::new();
    }
    // Emoji stand between words that are side by side.
    let (words, emoji): (Vec<IndexToken>, Vec<IndexToken>) =
        analyse(text, AnalysisMode::Base).into_iter().partition(|piece| piece.base);
    let mut matches = rows(&words, patterns);
    matches.extend(rows(&emoji, patterns));
    if patterns.iter().any(|pattern| !pattern.forms.is_empty()) {
        matches.extend(forms(text, language, &words, patterns));
    }
    matches.sort_by_key(|found| (found.range.start, found.range.end, found.pattern));
    matches.dedup();
    matches
}

/// Where words stand of which a pattern has a form.
fn forms(text: &str, language: &str, pieces: &[IndexToken], patterns: &[Pattern]) -> Vec<Match> {
    let mut by_form: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, pattern) in patterns.iter().enumerate() {
        pattern.forms.iter().for_each(|form| by_form.entry(form).or_default().push(n));
    }
    let mut forms = Vec::new();
    WordForms::wanting(language, by_form.keys().copied()).forms(text, pieces.iter().filter_map(Word::of), &mut forms);
    let of = |form: &WordForm| by_form.get(&*form.term).into_iter().flatten().copied().collect::<Vec<_>>();
    let matches = forms.iter().flat_map(|form| of(form).into_iter().map(|pattern| (form.range.clone(), pattern)));
    matches.map(|(range, pattern)| Match { range, pattern }).collect()
}

/// Where rows of patterns stand, in order of their start.
fn rows(pieces: &[IndexToken], patterns: &[Pattern]) -> Vec<Match> {
    let mut by_first: HashMap<&str, Vec<(usize, &[String])>> = HashMap::new();
    for (n, pattern) in patterns.iter().enumerate() {
        for row in &pattern.rows {
            let first = row.first().map(|first| by_first.entry(first).or_default());
            first.into_iter().for_each(|rows| rows.push((n, row)));
        }
    }
    let mut matches = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        for &(pattern, row) in by_first.get(piece.term.as_str()).into_iter().flatten() {
            if let Some(last) = row_end(&pieces[at..], row) {
                matches.push(Match { range: piece.from..last.to, pattern });
            }
        }
    }
    matches
}

/// The last piece of `row`, if `pieces` begin with it at adjacent positions.
fn row_end<'a>(pieces: &'a [IndexToken], row: &[String]) -> Option<&'a IndexToken> {
    let pieces = pieces.get(..row.len())?;
    let first = pieces.first()?.position;
    let mut pairs = pieces.iter().zip(row).enumerate();
    pairs.all(|(n, (piece, term))| piece.term == *term && piece.position == first + n).then(|| pieces.last())?
}

/// Where columns are, coarsely: the column of every 16th byte, or of the character that holds it.
struct Ruler<'a> {
    text: &'a str,
    marks: Vec<usize>,
}

impl<'a> Ruler<'a> {
    const STEP: usize = 16;

    fn new(text: &'a str) -> Self {
        let mut marks = Vec::with_capacity(text.len() / Self::STEP + 1);
        let mut column = 0;
        for (at, c) in text.char_indices() {
            if at / Self::STEP >= marks.len() {
                marks.push(column);
            }
            column += width(c);
        }
        Self { text, marks }
    }

    /// The column at a byte offset, which must lie between characters.
    fn column(&self, at: usize) -> usize {
        if self.marks.is_empty() {
            return 0;
        }
        let mark = (at / Self::STEP).min(self.marks.len() - 1);
        let from = self.text.ceil_char_boundary(mark * Self::STEP).min(at);
        self.marks[mark] + self.text[from..at].chars().map(width).sum::<usize>()
    }
}

fn width(c: char) -> usize {
    if matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ff60}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
    {
        2
    } else {
        1
    }
}

/// The stretch from a first to a last match, at most `columns` wide, that holds most; `None` without a match.
fn best_core(matches: &[Match], patterns: &[Pattern], ruler: &Ruler<'_>, columns: usize) -> Option<Range<usize>> {
    let longest = |pattern: &Pattern| pattern.rows.iter().map(Vec::len).max().unwrap_or(1);
    let weights: Vec<usize> = patterns.iter().map(|pattern| 100 * (2 + longest(pattern).min(8))).collect();
    let weight = |pattern: usize| weights[pattern];
    let mut held = vec![0usize; patterns.len()];
    let (mut score, mut end) = (0, 0);
    let mut best: Option<(usize, Range<usize>)> = None;
    for (start, first) in matches.iter().enumerate() {
        let left = ruler.column(first.range.start);
        while let Some(next) = matches.get(end) {
            if end > start && ruler.column(next.range.end) - left > columns {
                break;
            }
            score += if held[next.pattern] == 0 { weight(next.pattern) } else { 1 };
            held[next.pattern] += 1;
            end += 1;
        }
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            let to = matches[start..end].iter().map(|found| found.range.end).max().unwrap_or(first.range.end);
            best = Some((score, first.range.start..to));
        }
        held[first.pattern] -= 1;
        score -= if held[first.pattern] == 0 { weight(first.pattern) } else { 1 };
    }
    best.map(|(_, range)| range)
}

/// Widens `core` to `columns`, a third of what is free before it, to places where a text may be cut.
fn widen(text: &str, ruler: &Ruler<'_>, core: Range<usize>, columns: usize) -> Range<usize> {
    let used = ruler.column(core.end) - ruler.column(core.start);
    let free = columns.saturating_sub(used);
    let before = ruler.column(core.start);
    let (start, spent) = if before <= free / 3 { (0, before) } else { back(text, core.start, free / 3) };
    let end = forth(text, core.end, free - spent);
    start..end
}

/// Goes back from `at` by at most `columns`, to the beginning of a sentence if one is near, else of a word.
fn back(text: &str, at: usize, columns: usize) -> (usize, usize) {
    let mut taken = 0;
    let mut word = (at, 0);
    let mut after = text[at..].chars().next();
    for (start, c) in text[..at].char_indices().rev() {
        let behind = start + c.len_utf8();
        if is_sentence_end(c) && after.is_none_or(|after| c != '.' || after.is_whitespace()) {
            return (behind, taken);
        }
        if may_cut(c, after) {
            word = (behind, taken);
        }
        taken += width(c);
        if taken > columns {
            return word;
        }
        after = Some(c);
    }
    (0, taken)
}

/// Goes forth from `at` by at most `columns`, to the end of a word.
fn forth(text: &str, at: usize, columns: usize) -> usize {
    let mut taken = 0;
    let mut word = at;
    let mut before = text[..at].chars().next_back();
    for (offset, c) in text[at..].char_indices() {
        if before.is_some_and(|before| may_cut(before, Some(c))) {
            word = at + offset;
        }
        taken += width(c);
        if taken > columns {
            // One endless word: cut it rather than show nothing.
            let long = word == at && columns > 0;
            return if long { text.floor_char_boundary(at + offset) } else { word };
        }
        before = Some(c);
    }
    text.len()
}

fn is_sentence_end(c: char) -> bool {
    matches!(c, '\n' | '.' | '!' | '?' | '。' | '！' | '？' | '；')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{9fff}' | '\u{20000}'..='\u{3fffd}')
}

/// Whether a text may be cut between two characters: at blanks, and between ideographs.
fn may_cut(before: char, after: Option<char>) -> bool {
    let Some(after) = after else { return true };
    if unicode_normalization::char::is_combining_mark(after) || crate::folding::is_ignorable(after) {
        return false;
    }
    before.is_whitespace() || after.is_whitespace() || (is_ideograph(before) && is_ideograph(after))
}

/// Joins ranges that overlap, and those that only touch where no blank would part words: a reader of Chinese sees one word
/// in two matches side by side. Elsewhere each of them is a match of its own.
fn merged(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let unparted = |at: usize| {
        let before = text[..at].chars().next_back();
        before.zip(text[at..].chars().next()).is_some_and(|(before, after)| is_ideograph(before) && is_ideograph(after))
    };
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start < last.end || range.start == last.end && unparted(last.end) => {
                last.end = last.end.max(range.end);
            }
            _ => out.push(range),
        }
    }
    out
}

#[cfg(test)]
#[path = "highlight_tests.rs"]
mod tests;
