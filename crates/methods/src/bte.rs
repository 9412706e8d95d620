//! BTE: the stretch of the token stream that best separates words inside from tags outside.

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, dense::best_run, parameters,
    tokens::WordUnit,
};

use crate::stream::{keep_words, stream};

/// Body Text Extraction (Finn, Kushmerick & Smyth 2001; Gottron 2008, §5.2).
///
/// With B = 1 for a tag and 0 for a word, keeps the words of the stretch i..=j that maximises the tags before i, the
/// words within, and the tags after j. That is all tags plus Σ (1 − 2·B) over the stretch, so the maximum-sum run of
/// +1 for a word and −1 for a tag; of equal stretches the first. No words on the page: nothing is kept.
///
/// O(tokens). Ours: one scan instead of the double loop that made the paper call it "unsuitable for on-the-fly use"
/// (the result is the same stretch); tokens come from the tree, so `script` and `style` are no tags here.
#[derive(Debug, Clone, Copy)]
pub struct Bte {
    /// What a word is in scripts without spaces.
    pub unit: WordUnit,
}

impl Bte {
    /// Words as tokens.
    pub const PAPER: Bte = Bte { unit: WordUnit::Word };
}

impl MainTextExtractor for Bte {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "bte",
            paper: "Finn et al., Body Text Extraction, 2001; Gottron 2008, §5.2",
            cost: "O(tokens)",
        }
    }

    parameters! {
        "unit" unit, "what a word is in scripts without spaces: two characters (word) or one (char)";
    }

    fn select(&self, page: &Page<'_>, _query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let stream = stream(page, self.unit);
        let (run, gain) = best_run(stream.iter().map(|token| if token.is_tag() { -1.0 } else { 1.0 }));
        trace.note("tokens", || TraceValue::Number(stream.len() as f64));
        let tags = || stream.iter().filter(|token| token.is_tag()).count() as f64;
        trace.note("tags", || TraceValue::Number(tags()));
        if !run.is_empty() {
            trace.note("i", || TraceValue::Number(run.start as f64));
            trace.note("j", || TraceValue::Number((run.end - 1) as f64));
        }
        trace.note("t", || TraceValue::Number(tags() + gain));
        keep_words(page, &stream, run)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stream::testing;

    #[test]
    fn the_worked_example_keeps_tokens_five_to_ten() {
        let (kept, trace) = testing::run(&Bte::PAPER, &testing::html("1 1 0 1 1 0 0 0 1 0 0 1 1 0 1"));
        assert_eq!(kept, "w5 w6 w7 w9 w10");
        assert_eq!(trace.get("i"), Some(&TraceValue::Number(5.0)));
        assert_eq!(trace.get("j"), Some(&TraceValue::Number(10.0)));
        assert_eq!(trace.get("tags"), Some(&TraceValue::Number(8.0)));
        assert_eq!(trace.get("t"), Some(&TraceValue::Number(12.0)));
    }

    #[test]
    fn a_page_without_words_keeps_nothing() {
        assert_eq!(testing::run(&Bte::PAPER, "<body><p><br></p>").0, "");
    }

    #[test]
    fn characters_outweigh_tags_that_words_of_two_do_not() {
        let html = "<p>石磨豆腐</p><b></b><p>店</p>";
        assert_eq!(testing::run(&Bte::PAPER, html).0, "石磨豆腐");
        assert_eq!(testing::run(&Bte { unit: WordUnit::Char }, "<p>石磨豆腐</p><p>店铺豆</p>").0, "石磨豆腐 店铺豆");
    }

    /// The definition: every stretch, strictly better only.
    fn brute_force(tags: &[bool]) -> std::ops::Range<usize> {
        let count = |part: &[bool], tag: bool| part.iter().filter(|&&b| b == tag).count();
        let (mut best, mut run) = (count(tags, true), 0..0);
        for i in 0..tags.len() {
            for j in i..tags.len() {
                let t = count(&tags[..i], true) + count(&tags[i..=j], false) + count(&tags[j + 1..], true);
                if t > best {
                    (best, run) = (t, i..j + 1);
                }
            }
        }
        run
    }

    proptest! {
        #[test]
        fn one_scan_finds_what_the_double_loop_finds(tags in proptest::collection::vec(any::<bool>(), 0..40)) {
            let (run, _) = best_run(tags.iter().map(|&tag| if tag { -1.0 } else { 1.0 }));
            prop_assert_eq!(run, brute_force(&tags));
        }
    }
}
