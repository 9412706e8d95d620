//! CCB and ACCB: words whose neighbourhood in the token stream is mostly words.

use crate::blur::{blur, blur_steps};
use crate::stream::{keep_words, stream};
use gristmill_html::LocalName;
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, parameters,
    tokens::{StreamToken, WordUnit},
};

/// Content Code Blurring, and its adapted form that leaves link tags out (Gottron 2008, "Content code blurring: a new
/// approach to content extraction"), on tokens.
///
/// A vector with 1 for each word and 0 for each tag is blurred by a Gaussian of `sigma` tokens; words with at least
/// `t` afterwards are kept. `max_iter` > 1 blurs the result again, until no entry changes by 0.01: the vector tends to
/// a constant, so few rounds are sensible.
///
/// O(tokens + changes between words and tags · 6σ); each further iteration O(tokens · 6σ).
///
/// Ours: tokens instead of characters; the kernel ends at 3σ and is renormalised at both ends of the page.
#[derive(Debug, Clone, Copy)]
pub struct Ccb {
    /// Name in the list of methods.
    pub name: &'static str,
    /// σ in tokens.
    pub sigma: f64,
    /// Least blurred value of a word that is kept.
    pub t: f64,
    /// Most rounds of blurring.
    pub max_iter: usize,
    /// Whether `a` tags are in the vector.
    pub anchors: bool,
    /// What a word is in scripts without spaces.
    pub unit: WordUnit,
}

impl Ccb {
    /// All tags count.
    pub const CCB: Ccb = Ccb { name: "ccb", sigma: 20.0, t: 0.75, max_iter: 1, anchors: true, unit: WordUnit::Word };
    /// Tags of links do not count, so that a paragraph full of them stays.
    pub const ACCB: Ccb = Ccb { name: "accb", anchors: false, ..Ccb::CCB };
}

/// A round that changes no entry by more than this is the last.
const SETTLED: f64 = 0.01;

impl MainTextExtractor for Ccb {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: self.name,
            paper: "Gottron, Content Code Blurring, 2008",
            cost: "O(tokens + word-tag changes · 6σ)",
        }
    }

    parameters! {
        "sigma" sigma in 0.0..=200.0, "σ of the Gaussian, in tokens";
        "t" t in 0.0..=1.0, "least blurred value of a word that is kept";
        "max_iter" max_iter in 1..=20, "most rounds of blurring; ends when no entry changes by 0.01";
        "anchors" anchors, "whether the tags of links are in the vector";
        "unit" unit, "what a word is in scripts without spaces: two characters (word) or one (char)";
    }

    fn select(&self, page: &Page<'_>, _query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let stream = stream(page, self.unit);
        let left_out = |token: &StreamToken| match *token {
            StreamToken::Open(id) | StreamToken::Close(id) => !self.anchors && page.doc.name(id) == LocalName::A,
            StreamToken::Word { .. } => false,
        };
        let places: Vec<u32> =
            stream.iter().zip(0u32..).filter(|(token, _)| !left_out(token)).map(|(_, at)| at).collect();
        let vector: Vec<bool> = places.iter().map(|&at| !stream[at as usize].is_tag()).collect();
        let mut blurred = blur_steps(&vector, self.sigma);
        let mut before: Vec<f64> =
            if self.max_iter > 1 { vector.iter().map(|&word| f64::from(u8::from(word))).collect() } else { Vec::new() };
        let mut rounds = 1;
        while rounds < self.max_iter && largest_change(&before, &blurred) >= SETTLED {
            before = blurred;
            blurred = blur(&before, self.sigma);
            rounds += 1;
        }
        trace.note("rounds", || TraceValue::Number(rounds as f64));
        trace.note("blurred", || TraceValue::Series(blurred.clone()));
        let kept = places.iter().zip(&blurred).filter(|&(_, &value)| value >= self.t).map(|(&at, _)| at as usize);
        keep_words(page, &stream, kept)
    }
}

fn largest_change(before: &[f64], after: &[f64]) -> f64 {
    before.iter().zip(after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::testing;

    fn blurred(trace: &Trace) -> Vec<f64> {
        match trace.get("blurred") {
            Some(TraceValue::Series(values)) => values.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_worked_example_keeps_entries_four_and_five() {
        let (kept, trace) = testing::run(&Ccb { sigma: 1.0, ..Ccb::CCB }, &testing::html("1 1 0 0 0 0 1 1"));
        assert_eq!(kept, "w3 w4");
        let expected = [0.084, 0.319, 0.703, 0.937, 0.937, 0.703, 0.319, 0.084];
        for (value, expected) in blurred(&trace).iter().zip(expected) {
            assert!((value - expected).abs() < 0.0005, "{value} {expected}");
        }
    }

    #[test]
    fn link_tags_do_not_count_in_the_adapted_form() {
        let html = "<p>a <a href=x>b</a> c <a href=y>d</a> e <a href=z>f</a> g</p>";
        let sigma = 2.0;
        assert_eq!(testing::run(&Ccb { sigma, ..Ccb::CCB }, html).0, "");
        let (kept, trace) = testing::run(&Ccb { sigma, ..Ccb::ACCB }, html);
        assert_eq!(kept, "a b c d e f g");
        assert_eq!(blurred(&trace).len(), 9);
    }

    #[test]
    fn more_rounds_tend_to_the_mean_and_stop_when_nothing_changes() {
        let html = testing::html("1 1 1 1 0 0 0 0 0 0 0 0 0 0 1 1 1");
        let spread = |max_iter| {
            let (_, trace) = testing::run(&Ccb { sigma: 3.0, max_iter, ..Ccb::CCB }, &html);
            let values = blurred(&trace);
            let rounds = trace.get("rounds").cloned();
            (values.iter().copied().fold(0.0, f64::max) - values.iter().copied().fold(1.0, f64::min), rounds)
        };
        assert!(spread(1).0 > spread(3).0 && spread(3).0 > spread(20).0);
        assert_eq!(spread(3).1, Some(TraceValue::Number(3.0)));
        let settled = testing::html(&"0".repeat(12));
        let (kept, trace) = testing::run(&Ccb { max_iter: 20, ..Ccb::CCB }, &settled);
        assert_eq!((kept.split(' ').count(), trace.get("rounds")), (12, Some(&TraceValue::Number(1.0))));
    }
}
