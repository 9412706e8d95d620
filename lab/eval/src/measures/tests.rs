//! The worked examples of the papers, and what any two texts obey.

use super::*;
use crate::normalise::WordDefinition;
use proptest::prelude::*;

fn score(gold: &str, extracted: &str) -> TextScores {
    TextScorer::new(Some(gold), &[], &[], MeasureOptions::default()).score(extracted)
}

fn near(found: Option<Prf>, precision: f64, recall: f64, f1: f64) {
    let found = found.unwrap();
    let wanted = [precision, recall, f1];
    for (found, wanted) in [found.precision, found.recall, found.f1].into_iter().zip(wanted) {
        assert!((found - wanted).abs() < 5e-5, "{found} is not {wanted}");
    }
}

#[test]
fn the_cat_on_the_mat_scores_as_worked_out_by_hand() {
    let scores = score("the cat sat on the mat", "home the cat sat on a mat mat");
    near(scores.get(Measure::Str), 0.6897, 0.9091, 0.7843);
    near(scores.get(Measure::Seq), 0.625, 0.8333, 0.7143);
    near(scores.get(Measure::Vec), 0.625, 0.8333, 0.7143);
    near(scores.get(Measure::Set), 0.7143, 1.0, 0.8333);
    near(scores.get(Measure::Wcxb), 0.625, 0.8333, 0.7143);
    // Gold has 3 runs of four words, the text 5; they share "the cat sat on".
    near(scores.get(Measure::Shingle4), 0.2, 0.3333, 0.25);
}

#[test]
fn two_empty_texts_agree_and_one_empty_text_scores_nothing() {
    for measure in Measure::ALL {
        near(score("", "").get(measure), 1.0, 1.0, 1.0);
        near(score("words here.", " \n").get(measure), 0.0, 0.0, 0.0);
        near(score("", "words here.").get(measure), 0.0, 0.0, 0.0);
    }
}

#[test]
fn case_counts_in_all_but_the_measures_that_lower_it() {
    let scores = score("Storm Hits the Coast", "storm hits the coast");
    near(scores.get(Measure::Vec), 0.25, 0.25, 0.25);
    near(scores.get(Measure::Wcxb), 1.0, 1.0, 1.0);
    near(scores.get(Measure::Shingle4), 1.0, 1.0, 1.0);
    let fold = Normalisation { fold: true, ..Normalisation::default() };
    let judge = TextScorer::new(
        Some("Storm Hits"),
        &[],
        &[],
        MeasureOptions { normalisation: fold, ..MeasureOptions::default() },
    );
    near(judge.score("STORM hits").get(Measure::Str), 1.0, 1.0, 1.0);
}

#[test]
fn order_counts_in_seq_only() {
    let scores = score("one two three", "three two one");
    near(scores.get(Measure::Seq), 0.3333, 0.3333, 0.3333);
    near(scores.get(Measure::Vec), 1.0, 1.0, 1.0);
}

#[test]
fn sentences_are_compared_as_sets_whatever_breaks_the_lines() {
    let scores = score("It rained. It poured!\nThe end", "It  rained. The end\nNobody came?");
    near(scores.get(Measure::SentSet), 0.6667, 0.6667, 0.6667);
    near(score("天气很好。我们走吧！", "我们走吧！").get(Measure::SentSet), 1.0, 0.5, 0.6667);
    near(
        score("Version 3.14 came, e.g. today.", "Version 3.14 came, e.g. today.").get(Measure::SentSet),
        1.0,
        1.0,
        1.0,
    );
    assert_eq!(split_sentences("Pi is 3.14. So what?"), ["Pi is 3.14.", " So what?", ""]);
}

#[test]
fn short_texts_are_one_shingle() {
    near(score("hello world", "Hello, world!").get(Measure::Shingle4), 1.0, 1.0, 1.0);
    near(score("hello world", "hello").get(Measure::Shingle4), 0.0, 0.0, 0.0);
}

#[test]
fn snippets_are_found_across_line_breaks_and_double_spaces() {
    let list = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
    let judge = TextScorer::new(
        None,
        &list(&["main text", "not there"]),
        &list(&["Home", "Log  in", ""]),
        MeasureOptions::default(),
    );
    let scores = judge.score("the main\ntext. Log in here");
    assert_eq!((scores.with, scores.without), (Some(0.5), Some(0.5)));
    assert_eq!(scores.prf, [None; 7], "there is no full gold text");
    assert_eq!(TextScorer::new(Some("x"), &[], &[], MeasureOptions::default()).score("x").with, None);
}

#[test]
fn what_was_not_asked_for_or_is_above_the_cap_is_not_available() {
    let settings = MeasureOptions { characters: false, ..MeasureOptions::default() };
    let scores = TextScorer::new(Some("a b c"), &[], &[], settings).score("a b");
    assert!(scores.get(Measure::Str).is_none() && scores.get(Measure::Seq).is_some());
    let settings = MeasureOptions { lcs_cap: 5, ..MeasureOptions::default() };
    let scores = TextScorer::new(Some("a b c"), &[], &[], settings).score("x y z");
    assert!(scores.get(Measure::Str).is_none() && scores.get(Measure::Seq).is_none());
    assert!(scores.get(Measure::Vec).is_some());
}

#[test]
fn white_space_tokens_keep_punctuation() {
    let normalisation = Normalisation { tokens: WordDefinition::Space, ..Normalisation::default() };
    let judge =
        TextScorer::new(Some("one, two."), &[], &[], MeasureOptions { normalisation, ..MeasureOptions::default() });
    near(judge.score("one two.").get(Measure::Vec), 0.5, 0.5, 0.5);
}

proptest! {
    #[test]
    fn every_measure_is_a_share_and_a_text_agrees_with_itself(a in "\\PC{0,80}", b in "[a-c .。\\n]{0,80}") {
        for (gold, text) in [(&a, &b), (&b, &a), (&a, &a), (&b, &b)] {
            let scores = score(gold, text);
            for prf in scores.prf.into_iter().flatten() {
                for share in [prf.precision, prf.recall, prf.f1] {
                    prop_assert!((0.0..=1.0).contains(&share), "{:?}", prf);
                }
                prop_assert!(gold != text || prf.f1 == 1.0);
            }
        }
    }

    #[test]
    fn order_can_only_cost(a in "[a-d ]{0,60}", b in "[a-d ]{0,60}") {
        let scores = score(&a, &b);
        prop_assert!(scores.get(Measure::Seq).unwrap().f1 <= scores.get(Measure::Vec).unwrap().f1 + 1e-12);
    }
}
