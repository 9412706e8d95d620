//! TWCEM: rows with enough text and punctuation, cut where the title's words first and last occur.

use gristmill_text::{Bigrams, word_hashes};

use crate::method::{About, Extractor, Query};
use crate::page::{Page, Row};
use crate::parameter::parameters;
use crate::selection::Selection;
use crate::trace::{Trace, TraceValue};

/// Title-Word-based Content Extraction (Tan et al. 2018), Algorithms 3 and 4.
///
/// 1. Keep rows with at least `min_chars` characters (δ1) and `min_marks` punctuation marks (δ2).
/// 2. The first row of the front half that shares `min_shared` words (δ3) in order with the title is the start,
///    the last such row of the back half is the end; a half without one stays open. No title: step 1 only.
///
/// O(rows · words · title words) at worst; rows and title are cut at [`MAX_WORDS`].
///
/// Ours, where the paper is silent or contradicts itself: rows are the blocks of the page instead of source lines
/// (minified pages have one line); words are compared, not characters (any two sentences share two characters);
/// the loops run over all kept rows with one index base, and the end row is part of the result.
#[derive(Debug, Clone, Copy)]
pub struct Twcem {
    /// Name in the list of methods.
    pub name: &'static str,
    /// δ1: least characters of a row. Paper: 4, microblog 2.
    pub min_chars: u32,
    /// δ2: least punctuation marks of a row. Paper: 1.
    pub min_marks: u32,
    /// δ3: least words in common with the title, in order. Paper: 2, microblog 1.
    pub min_shared: usize,
}

/// Longest row or title that is compared, in words.
const MAX_WORDS: usize = 3_000;
const MAX_TITLE_WORDS: usize = 64;

impl Twcem {
    /// The paper's parameters for news (4/1/2).
    pub const NEWS: Twcem = Twcem { name: "twcem", min_chars: 4, min_marks: 1, min_shared: 2 };
    /// The paper's parameters for microblogs (2/1/1, §IV-A3).
    pub const MICROBLOG: Twcem = Twcem { name: "twcem-microblog", min_chars: 2, min_marks: 1, min_shared: 1 };

    fn boundaries(&self, page: &Page<'_>, rows: &[&Row], title: &str) -> (usize, usize, usize, usize) {
        let mut wanted = Vec::new();
        word_hashes(title, &Bigrams, MAX_TITLE_WORDS, &mut wanted);
        let mut matcher = Matcher { title: wanted, row: Vec::new(), lengths: Vec::new() };
        let middle = rows.len().div_ceil(2);
        let mut hit = |at: &usize| matcher.shares(page.row_text(rows[*at]), self.min_shared);
        let start = (0..middle).find(&mut hit);
        let end = (middle..rows.len()).rev().find(&mut hit);
        let hits = usize::from(start.is_some()) + 2 * usize::from(end.is_some());
        (start.unwrap_or(0), end.unwrap_or(rows.len() - 1), middle, hits)
    }
}

impl Extractor for Twcem {
    fn about(&self) -> About {
        About {
            name: self.name,
            paper: "Tan et al., Title-Word-based Content Extraction, 2018",
            cost: "O(rows · words · title words)",
        }
    }

    parameters! {
        "d1" min_chars, "δ1: least characters of a row";
        "d2" min_marks, "δ2: least punctuation marks of a row";
        "d3" min_shared in 1..=64, "δ3: least words in common with the title, in order";
    }

    fn select(&self, page: &Page<'_>, query: &Query<'_>, trace: &mut Trace) -> Selection {
        let mut selection = Selection::none(page);
        let rows: Vec<&Row> =
            page.rows.iter().filter(|row| row.chars >= self.min_chars && row.marks.all >= self.min_marks).collect();
        trace.note("f_len", || TraceValue::Series(page.rows.iter().map(|row| f64::from(row.chars)).collect()));
        trace.note("f_punct", || TraceValue::Series(page.rows.iter().map(|row| f64::from(row.marks.all)).collect()));
        trace.note("kept_rows", || TraceValue::Number(rows.len() as f64));
        if rows.is_empty() {
            return selection;
        }
        let title = query.title.unwrap_or("");
        let (start, end, middle, hits) = match title {
            "" => (0, rows.len() - 1, rows.len().div_ceil(2), 0),
            title => self.boundaries(page, &rows, title),
        };
        trace.note("title", || TraceValue::Text(title.to_owned()));
        trace.note("middle", || TraceValue::Number(middle as f64));
        trace.note("start", || TraceValue::Number(start as f64));
        trace.note("end", || TraceValue::Number(end as f64));
        trace.note("start_hit", || TraceValue::Flag(hits & 1 != 0));
        trace.note("end_hit", || TraceValue::Flag(hits & 2 != 0));
        for row in &rows[start..=end] {
            selection.keep_row(row);
        }
        selection
    }
}

/// Compares rows with one title; keeps its buffers.
struct Matcher {
    title: Vec<u64>,
    row: Vec<u64>,
    lengths: Vec<u32>,
}

impl Matcher {
    /// Whether row and title have a common subsequence of at least `least` words.
    fn shares(&mut self, row: &str, least: usize) -> bool {
        self.row.clear();
        word_hashes(row, &Bigrams, MAX_WORDS, &mut self.row);
        // Words that the title lacks cannot take part; few are left.
        self.row.retain(|word| self.title.contains(word));
        self.row.len() >= least && lcs(&self.title, &self.row, &mut self.lengths) >= least
    }
}

/// Length of the longest common subsequence. O(|a|·|b|) time, one line of memory.
fn lcs(a: &[u64], b: &[u64], lengths: &mut Vec<u32>) -> usize {
    lengths.clear();
    lengths.resize(a.len() + 1, 0);
    for word in b {
        let mut diagonal = 0;
        for (at, other) in a.iter().enumerate() {
            let above = lengths[at + 1];
            lengths[at + 1] = if word == other { diagonal + 1 } else { above.max(lengths[at]) };
            diagonal = above;
        }
    }
    lengths[a.len()] as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::{Doc, Limits};

    fn shared(title: &str, row: &str) -> usize {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        word_hashes(title, &Bigrams, 99, &mut a);
        word_hashes(row, &Bigrams, 99, &mut b);
        lcs(&a, &b, &mut Vec::new())
    }

    #[test]
    fn title_and_row_share_two_words_in_order() {
        let title = "storm hits coast as thousands flee";
        let row = "Thousands of residents fled as the storm neared the coast.";
        assert_eq!(shared(title, row), 2);
    }

    #[test]
    fn three_shared_chinese_characters_are_two_words() {
        assert_eq!(shared("台风登陆沿海", "昨日台风登来了"), 2);
    }

    const PAGE: &str = "<title>x</title><div>Home, News</div><div>Weather, sport.</div>
        <p>A storm near the coast, they say.</p><p>no mark here</p><p>Trees fell.</p><p>Rain came.</p>
        <p>The storm left the coast.</p><div>Copyright, all rights.</div>";

    fn select(title: Option<&str>) -> (Vec<String>, Trace) {
        let doc = Doc::parse(PAGE, &Limits::default());
        let page = Page::new(&doc);
        let mut trace = Trace::recording();
        let selection = Twcem::NEWS.select(&page, &Query { title, description: "" }, &mut trace);
        let kept = page.rows.iter().filter(|row| selection.keeps_whole(row)).map(|row| page.row_text(row).to_owned());
        (kept.collect(), trace)
    }

    #[test]
    fn the_result_runs_from_the_first_to_the_last_row_of_the_title() {
        let (kept, trace) = select(Some("Storm hits coast"));
        assert_eq!(
            kept,
            ["A storm near the coast, they say.", "Trees fell.", "Rain came.", "The storm left the coast."]
        );
        assert_eq!(trace.get("start"), Some(&TraceValue::Number(2.0)));
        assert_eq!(trace.get("end_hit"), Some(&TraceValue::Flag(true)));
        assert_eq!(trace.get("f_punct"), Some(&TraceValue::Series(vec![1.0, 2.0, 2.0, 0.0, 1.0, 1.0, 1.0, 2.0])));
    }

    #[test]
    fn without_a_title_only_the_filter_works() {
        let (kept, _) = select(None);
        assert_eq!(kept.len(), 7);
        assert!(!kept.contains(&"no mark here".to_owned()));
    }

    #[test]
    fn a_half_without_a_hit_stays_open() {
        let (kept, trace) = select(Some("weather sport"));
        assert_eq!(trace.get("end_hit"), Some(&TraceValue::Flag(false)));
        assert_eq!(kept.first().map(String::as_str), Some("Weather, sport."));
        assert_eq!(kept.last().map(String::as_str), Some("Copyright, all rights."));
    }
}
