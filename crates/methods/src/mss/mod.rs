//! MSS: the run of tokens with the largest sum of scores, fixed for each kind of token or learned.

mod features;
mod model;
mod train;

pub use model::MssModel;
pub use train::{MssLimits, MssTrainer};

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, dense::best_run, parameters,
    tokens::WordUnit,
};

use crate::stream::{keep_words, stream};

/// Maximum Subsequence Segmentation, simple form (Pasternack & Roth 2009, §4.2).
///
/// A word scores 1, a tag −3.25; the words of the run with the largest sum are kept, of equal runs the first. No words:
/// nothing is kept. O(tokens).
///
/// −3.25 suits markup of 2009; −1 is BTE without the tags outside. Ours: tokens come from the tree.
#[derive(Debug, Clone, Copy)]
pub struct Mss {
    /// Score of a tag.
    pub tag: f64,
    /// What a word is in scripts without spaces.
    pub unit: WordUnit,
}

impl Mss {
    /// The paper's score.
    pub const SIMPLE: Mss = Mss { tag: -3.25, unit: WordUnit::Word };
}

impl MainTextExtractor for Mss {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "mss",
            paper: "Pasternack & Roth, Maximum Subsequence Segmentation, 2009",
            cost: "O(tokens)",
        }
    }

    parameters! {
        "tag" tag in -1000.0..=0.0, "score of a tag; a word has 1";
        "unit" unit, "what a word is in scripts without spaces: two characters (word) or one (char)";
    }

    fn select(&self, page: &Page<'_>, _query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let stream = stream(page, self.unit);
        let (run, sum) = best_run(stream.iter().map(|token| if token.is_tag() { self.tag } else { 1.0 }));
        note_run(trace, &run, sum);
        keep_words(page, &stream, run)
    }
}

/// Maximum Subsequence Segmentation, supervised form (Pasternack & Roth 2009, §4.3).
///
/// A token scores P(main text) − 0.5 by naive Bayes over two features: the trigram of tokens that starts at it, and the
/// most recent tag that is not closed. The words of the run with the largest sum are kept. Features that the model
/// does not know say nothing. O(text + tokens).
///
/// Ours: the model that is compiled in ([`MssModel::shipped`]) is trained on the packages that its notes name, not on
/// the paper's news sites; no stemming; scores are rounded to sixteenths of a natural logarithm.
#[derive(Debug, Clone, Copy)]
pub struct MssSupervised {
    /// Added to every token's log-odds: above 0 keeps more.
    pub bias: f64,
}

impl MssSupervised {
    /// As trained.
    pub const SHIPPED: MssSupervised = MssSupervised { bias: 0.0 };
}

impl MainTextExtractor for MssSupervised {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "mss-supervised",
            paper: "Pasternack & Roth, Maximum Subsequence Segmentation, 2009",
            cost: "O(text + tokens)",
        }
    }

    parameters! {
        "bias" bias in -20.0..=20.0, "added to the log-odds of every token; above 0 keeps more";
    }

    fn select(&self, page: &Page<'_>, _query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        MssModel::shipped().select_biased(page, self.bias, trace)
    }
}

impl MssModel {
    /// The words of the run with the largest sum of this model's scores.
    pub fn select(&self, page: &Page<'_>, trace: &mut Trace) -> Selection {
        self.select_biased(page, 0.0, trace)
    }

    fn select_biased(&self, page: &Page<'_>, bias: f64, trace: &mut Trace) -> Selection {
        let stream = &page.tokens().stream;
        let scores = self.scores(page, &features::features(page, stream), bias);
        trace.note("scores", || TraceValue::Series(scores.clone()));
        let (run, sum) = best_run(scores);
        note_run(trace, &run, sum);
        keep_words(page, stream, run)
    }
}

fn note_run(trace: &mut Trace, run: &std::ops::Range<usize>, sum: f64) {
    trace.note("sum", || TraceValue::Number(sum));
    if !run.is_empty() {
        trace.note("i", || TraceValue::Number(run.start as f64));
        trace.note("j", || TraceValue::Number((run.end - 1) as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::testing;

    #[test]
    fn the_worked_example_has_the_sum_five_and_three_quarters() {
        let (kept, trace) = testing::run(&Mss::SIMPLE, &testing::html("1 1 00000 1 0000 1 1 0"));
        assert_eq!(kept, "w2 w3 w4 w5 w6 w8 w9 w10 w11");
        let number = |name: &str| trace.get(name).cloned();
        assert_eq!(number("sum"), Some(TraceValue::Number(5.75)));
        assert_eq!((number("i"), number("j")), (Some(TraceValue::Number(2.0)), Some(TraceValue::Number(11.0))));
    }
}
