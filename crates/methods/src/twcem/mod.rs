//! TWCEM: rows with enough text and punctuation, cut where the title's words first and last occur.

mod lines;
mod shared;

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, choices, parameters,
};

use lines::TextLine;
use shared::TitleMatcher;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowUnit {
    /// The text between two block boundaries.
    Block,
    /// A line of the source after its tags were removed, as in the paper.
    Source,
}

/// What title and rows are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonUnit {
    /// Words, as the paper's text says; pairs of characters in scripts without spaces.
    Words,
    /// Characters, as its formula says.
    Chars,
}

/// What becomes of stop words in the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopWords {
    /// They are words.
    Keep,
    /// They are left out.
    Drop,
}

/// How the loops of Algorithm 4 run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopBounds {
    /// Over all kept rows, the end row part of the result.
    Repaired,
    /// With the printed bounds: the first row and the one in the middle are not looked at, the end row is left out.
    Literal,
}

choices!(RowUnit { Block "block", Source "source" });
choices!(ComparisonUnit { Words "words", Chars "chars" });
choices!(StopWords { Keep "keep", Drop "drop" });
choices!(LoopBounds { Repaired "repaired", Literal "literal" });

/// Title-Word-based Content Extraction (Tan et al. 2018), Algorithms 3 and 4.
///
/// 1. Keep rows with at least `min_chars` characters (δ1) and `min_marks` punctuation marks (δ2).
/// 2. The first row of the front half that shares `min_shared` words (δ3) in order with the title is the start,
///    the last such row of the back half is the end; a half without one stays open. No title: step 1 only.
///
/// O(text): the title's words are the bits of one number. Rows and title are compared by their first 3,000 and 128
/// words; a row of over 2,000 characters is divided at ends of sentences.
///
/// Ours, where the paper is silent or contradicts itself: rows are the blocks of the page instead of source lines
/// (minified pages have one line); words are compared, not characters (any two sentences share two characters);
/// the loops run over all kept rows with one index base, and the end row is part of the result. Each has an option
/// that undoes it.
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
    /// What a row is.
    pub rows: RowUnit,
    /// What is compared.
    pub compared: ComparisonUnit,
    /// Whether stop words are compared.
    pub stop_words: StopWords,
    /// Bounds of the loops.
    pub loops: LoopBounds,
    /// K: rows of context in a block, for the block lengths in the trace; nothing is decided by them. Paper: not
    /// stated; Algorithm 3 appends single rows.
    pub context: usize,
}

impl Twcem {
    /// The paper's parameters for news (4/1/2).
    pub const NEWS: Twcem = Twcem {
        name: "twcem",
        min_chars: 4,
        min_marks: 1,
        min_shared: 2,
        rows: RowUnit::Block,
        compared: ComparisonUnit::Words,
        stop_words: StopWords::Keep,
        loops: LoopBounds::Repaired,
        context: 0,
    };
    /// The paper's parameters for microblogs (2/1/1, §IV-A3).
    pub const MICROBLOG: Twcem =
        Twcem { name: "twcem-microblog", min_chars: 2, min_marks: 1, min_shared: 1, ..Twcem::NEWS };

    /// Algorithm 4: which of the kept lines are the result, and whether the title was found in front and back.
    fn recognise(&self, page: &Page<'_>, lines: &[TextLine], title: &str) -> (std::ops::Range<usize>, [bool; 2]) {
        let n = lines.len();
        if title.is_empty() {
            return (0..self.end(n.saturating_sub(1)), [false; 2]);
        }
        let mut matcher = TitleMatcher::new(title, self.compared, self.stop_words);
        let mut hit = |at: &usize| {
            let line = &lines[*at];
            matcher.common(&page.text[line.start as usize..line.end as usize]) >= self.min_shared
        };
        let (start, end) = match self.loops {
            LoopBounds::Repaired => {
                let middle = n.div_ceil(2);
                ((0..middle).find(&mut hit), (middle..n).rev().find(&mut hit))
            }
            LoopBounds::Literal => {
                // i < L_C/2 and i > L_C/2 of a fraction: the middle row of an even number is in neither.
                ((1..n.div_ceil(2)).find(&mut hit), (n / 2 + 1..n).rev().find(&mut hit))
            }
        };
        (start.unwrap_or(0)..self.end(end.unwrap_or(n - 1)), [start.is_some(), end.is_some()])
    }

    /// One past the last row of the result, given the end row.
    fn end(&self, row: usize) -> usize {
        match self.loops {
            LoopBounds::Repaired => row + 1,
            LoopBounds::Literal => row,
        }
    }
}

impl MainTextExtractor for Twcem {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: self.name,
            paper: "Tan et al., Title-Word-based Content Extraction, 2018",
            cost: "O(n + words)",
        }
    }

    parameters! {
        "d1" min_chars, "δ1: least characters of a row";
        "d2" min_marks, "δ2: least punctuation marks of a row";
        "d3" min_shared in 1..=64, "δ3: least words in common with the title, in order";
        "rows" rows, "what a row is: a block, or a line of the source (paper)";
        "tokens" compared, "what is compared: words (paper's text) or chars (paper's formula)";
        "stop_words" stop_words, "whether stop words are compared: keep or drop";
        "loops" loops, "bounds of the loops of Algorithm 4: repaired, or literal as printed";
        "k" context in 0..=100, "K: rows of context in a block, for the trace only";
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let mut selection = Selection::none(page);
        let mut lines = match self.rows {
            RowUnit::Block => lines::by_blocks(page),
            RowUnit::Source => lines::by_source(page),
        };
        trace.note("f_len", || TraceValue::Series(block_lengths(&lines, self.context)));
        trace.note("f_punct", || TraceValue::Series(lines.iter().map(|line| f64::from(line.marks)).collect()));
        lines.retain(|line| line.chars >= self.min_chars && line.marks >= self.min_marks);
        trace.note("kept_rows", || TraceValue::Number(lines.len() as f64));
        if lines.is_empty() {
            return selection;
        }
        let title = query.title.unwrap_or("");
        let (range, hits) = self.recognise(page, &lines, title);
        trace.note("title", || TraceValue::Text(title.to_owned()));
        trace.note("middle", || TraceValue::Number(lines.len().div_ceil(2) as f64));
        trace.note("start", || TraceValue::Number(range.start as f64));
        trace.note("end", || TraceValue::Number(range.end.saturating_sub(1) as f64));
        trace.note("start_hit", || TraceValue::Flag(hits[0]));
        trace.note("end_hit", || TraceValue::Flag(hits[1]));
        lines::keep(page, lines.get(range).unwrap_or(&[]), &mut selection);
        selection
    }
}

/// Length of the block of each line: its characters and those of the `context` lines after it.
fn block_lengths(lines: &[TextLine], context: usize) -> Vec<f64> {
    let block = |at: usize| &lines[at..(at + context + 1).min(lines.len())];
    (0..lines.len()).map(|at| block(at).iter().map(|line| f64::from(line.chars)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::{Doc, TreeLimits};

    const PAGE: &str = "<title>x</title><div>Home, News</div><div>Weather, sport.</div>
        <p>A storm near the coast, they say.</p><p>no mark here</p><p>Trees fell.</p><p>Rain came.</p>
        <p>The storm left the coast.</p><div>Copyright, all rights.</div>";

    fn select(title: Option<&str>) -> (Vec<String>, Trace) {
        select_by(Twcem::NEWS, title)
    }

    fn select_by(twcem: Twcem, title: Option<&str>) -> (Vec<String>, Trace) {
        let doc = Doc::parse(PAGE, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut trace = Trace::recording();
        let selection = twcem.select(&page, &MethodInput { title, ..MethodInput::default() }, &mut trace);
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

    #[test]
    fn the_printed_loops_skip_the_first_row_and_leave_the_last_one_out() {
        let literal = Twcem { loops: LoopBounds::Literal, ..Twcem::NEWS };
        let (kept, _) = select_by(literal, Some("Storm hits coast"));
        assert_eq!(kept, ["A storm near the coast, they say.", "Trees fell.", "Rain came."]);
        assert_eq!(
            select_by(literal, Some("home news")).0.len(),
            6,
            "the first row is not looked at, the last one goes"
        );
        assert_eq!(select_by(literal, None).0.len(), 6);
    }

    #[test]
    fn characters_instead_of_words_are_as_good_as_no_title() {
        let chars = Twcem { compared: ComparisonUnit::Chars, ..Twcem::NEWS };
        assert_eq!(select_by(chars, Some("Storm hits coast")).0, select(None).0);
    }

    #[test]
    fn block_lengths_reach_over_the_rows_of_context() {
        let (_, trace) = select_by(Twcem { context: 1, ..Twcem::NEWS }, None);
        let Some(TraceValue::Series(lengths)) = trace.get("f_len") else { panic!("a series") };
        assert_eq!((lengths[0], lengths[7]), (9.0 + 14.0, 20.0));
    }

    #[test]
    fn lines_of_the_source_are_an_option() {
        let (kept, trace) = select_by(Twcem { rows: RowUnit::Source, ..Twcem::NEWS }, Some("Storm hits coast"));
        // The second line of the source holds four paragraphs, the one without a mark among them.
        assert_eq!(trace.get("kept_rows"), Some(&TraceValue::Number(3.0)));
        assert!(kept.contains(&"no mark here".to_owned()));
    }
}
