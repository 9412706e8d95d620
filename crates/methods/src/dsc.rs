//! DSC: stretches where the slope of the document's tag curve stays low.

use std::ops::Range;

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, parameters, tokens::WordUnit,
};

use crate::stream::{keep_words, stream};

/// Document Slope Curves (Pinto et al. 2002; Gottron 2008, §5.3).
///
/// The curve counts the tags up to each token. Windows of `l` tokens overlap by half; one is low if its slope is
/// under half of the page's average, high if it is over. An area starts with the first of `r` low windows in a row
/// and ends where `r` high ones in a row begin; several areas may be kept. Slopes are compared as whole numbers.
///
/// Fewer than `l` tokens make one window; an area that is open at the end runs to the end; a page without a tag in
/// its body has no slope under half of 0, so nothing is kept. O(tokens).
///
/// Ours: Gottron gives neither `l` nor the exact end: `l` = 20 (modern markup is too dense for longer windows), and
/// the area ends one step after the start of the first high window, as its first half also lies in the last window
/// that is not high.
#[derive(Debug, Clone, Copy)]
pub struct Dsc {
    /// Tokens of a window.
    pub l: usize,
    /// Windows in a row that open or close an area. Paper: 3.
    pub r: usize,
    /// What a word is in scripts without spaces.
    pub unit: WordUnit,
}

impl Dsc {
    /// Windows of twenty tokens, three in a row.
    pub const PAPER: Dsc = Dsc { l: 20, r: 3, unit: WordUnit::Word };
}

impl MainTextExtractor for Dsc {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "dsc",
            paper: "Pinto et al., QuASM, 2002 (document slope curves); Gottron 2008, §5.3",
            cost: "O(tokens)",
        }
    }

    parameters! {
        "l" l in 1..=100_000, "tokens of a window; half of it is the step";
        "r" r in 1..=1000, "windows in a row that open or close an area";
        "unit" unit, "what a word is in scripts without spaces: two characters (word) or one (char)";
    }

    fn select(&self, page: &Page<'_>, _query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let stream = stream(page, self.unit);
        let mut sums = Vec::with_capacity(stream.len() + 1);
        sums.push(0u64);
        for token in stream.iter() {
            sums.push(sums[sums.len() - 1] + u64::from(token.is_tag()));
        }
        let areas = self.areas(&sums, trace);
        keep_words(page, &stream, areas.into_iter().flatten())
    }
}

/// How the slope of a window compares with half of the average.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slope {
    Low,
    Equal,
    High,
}

impl Dsc {
    /// The low areas in order. `sums[i]` is the number of tags before token `i`.
    fn areas(&self, sums: &[u64], trace: &mut Trace) -> Vec<Range<usize>> {
        let n = sums.len() - 1;
        if n == 0 {
            return Vec::new();
        }
        let (tags, len, step) = (sums[n], self.l.min(n), (self.l / 2).max(1));
        let starts: Vec<usize> = (0..=n - len).step_by(step).collect();
        let tags_in = |start: usize| sums[start + len] - sums[start];
        trace.note("average", || TraceValue::Number(tags as f64 / n as f64));
        let slope = |&start: &usize| tags_in(start) as f64 / len as f64;
        trace.note("slopes", || TraceValue::Series(starts.iter().map(slope).collect()));
        // tags_in / len < (tags / n) / 2, without rounding.
        let compare = |&start: &usize| match (2 * tags_in(start) * n as u64).cmp(&(tags * len as u64)) {
            std::cmp::Ordering::Less => Slope::Low,
            std::cmp::Ordering::Equal => Slope::Equal,
            std::cmp::Ordering::Greater => Slope::High,
        };
        let slopes: Vec<Slope> = starts.iter().map(compare).collect();
        let areas = self.scan(&starts, &slopes, step, n);
        let ends = |end: fn(&Range<usize>) -> usize| areas.iter().map(|area| end(area) as f64).collect();
        trace.note("starts", || TraceValue::Series(ends(|area| area.start)));
        trace.note("ends", || TraceValue::Series(ends(|area| area.end)));
        areas
    }

    fn scan(&self, starts: &[usize], slopes: &[Slope], step: usize, n: usize) -> Vec<Range<usize>> {
        let to_open = run_lengths(slopes, Slope::Low);
        let to_close = run_lengths(slopes, Slope::High);
        let mut areas = Vec::new();
        let mut open = None;
        for (k, &start) in starts.iter().enumerate() {
            match open {
                None if to_open[k] >= self.r.min(starts.len()) => open = Some(start),
                Some(from) if to_close[k] >= self.r => {
                    areas.push(from..start + step);
                    open = None;
                }
                _ => {}
            }
        }
        areas.extend(open.map(|from| from..n));
        areas
    }
}

/// For each window, how many in a row from it on have this slope.
fn run_lengths(slopes: &[Slope], wanted: Slope) -> Vec<usize> {
    let mut lengths = vec![0; slopes.len()];
    let mut run = 0;
    for (length, &slope) in lengths.iter_mut().zip(slopes).rev() {
        run = if slope == wanted { run + 1 } else { 0 };
        *length = run;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::testing;

    fn series(trace: &Trace, name: &str) -> Vec<f64> {
        match trace.get(name) {
            Some(TraceValue::Series(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn the_worked_example_keeps_exactly_the_fourteen_words() {
        let html = testing::html(&format!("{}{}{}", "1".repeat(6), "0".repeat(14), "1".repeat(6)));
        let (kept, trace) = testing::run(&Dsc { l: 4, ..Dsc::PAPER }, &html);
        let words: Vec<String> = (6..20).map(|at| format!("w{at}")).collect();
        assert_eq!(kept, words.join(" "));
        assert_eq!(trace.get("average"), Some(&TraceValue::Number(12.0 / 26.0)));
        let slopes = [1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 1.0];
        assert_eq!(series(&trace, "slopes"), slopes);
        assert_eq!((series(&trace, "starts"), series(&trace, "ends")), (vec![6.0], vec![20.0]));
    }

    #[test]
    fn an_area_that_stays_open_runs_to_the_last_word() {
        let html = testing::html(&format!("{}{}", "1".repeat(12), "0".repeat(15)));
        let (kept, _) = testing::run(&Dsc { l: 4, ..Dsc::PAPER }, &html);
        assert!(kept.starts_with("w12 ") && kept.ends_with(" w26"), "{kept}");
    }

    #[test]
    fn two_areas_are_kept_apart() {
        let html =
            testing::html(&["1".repeat(6), "0".repeat(14), "1".repeat(14), "0".repeat(14), "1".repeat(6)].concat());
        let (kept, trace) = testing::run(&Dsc { l: 4, ..Dsc::PAPER }, &html);
        assert_eq!(series(&trace, "starts").len(), 2);
        assert_eq!(kept.split(' ').count(), 28);
    }

    #[test]
    fn a_page_shorter_than_a_window_has_one_window_of_average_slope_and_keeps_nothing() {
        let (kept, trace) = testing::run(&Dsc::PAPER, "<p>a b c</p>");
        assert_eq!((kept.as_str(), series(&trace, "slopes")), ("", vec![0.4]));
    }

    #[test]
    fn no_tag_in_the_body_means_no_low_window() {
        assert_eq!(testing::run(&Dsc::PAPER, "<body>a b c d e f").0, "");
    }
}
