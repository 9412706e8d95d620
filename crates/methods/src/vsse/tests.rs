//! The worked examples of VSSE, and small pages.

use gristmill_html::{Doc, TreeLimits};

use super::refine::{KeywordWeights, simhash, weight};
use super::*;

/// A leaf of `chars` characters, `marks` of them commas; the others are letters.
fn leaf(chars: usize, marks: usize) -> String {
    format!("{}{}", "x".repeat(chars - marks), ",".repeat(marks))
}

/// Eight leaves with the products 80, 102, 100 and 11 of Fig. 3 among them.
fn figure_3() -> String {
    let article = [leaf(40, 2), leaf(51, 2), leaf(50, 2), leaf(11, 1)];
    let article = article.map(|text| format!("<p>{text}</p>")).concat();
    format!("<body><ul><li>a<li>b<li>c</ul><div><div>{article}</div></div><i>d</i>")
}

fn select(vsse: Vsse, html: &str, title: &str) -> (Vec<String>, Trace) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let mut trace = Trace::recording();
    let query = MethodInput { title: Some(title), ..MethodInput::default() };
    let selection = vsse.select(&page, &query, &mut trace);
    let kept = (0..page.leaves.len()).filter(|&at| selection.keeps(at));
    (kept.map(|at| page.leaf_text(&page.leaves[at]).to_owned()).collect(), trace)
}

fn series(trace: &Trace, name: &str) -> Vec<f64> {
    match trace.get(name) {
        Some(TraceValue::Series(values)) => values.clone(),
        other => panic!("`{name}` is {other:?}"),
    }
}

#[test]
fn the_visual_values_of_figure_3_come_out() {
    let (_, trace) = select(Vsse::PAPER, &figure_3(), "");
    let vvtc = series(&trace, "vvtc");
    assert_eq!(vvtc.len(), 8);
    assert_eq!(vvtc[3..7], [1.25, 1.59375, 1.5625, 0.171875]);
}

#[test]
fn seeds_are_leaves_two_and_three_and_their_path_brings_the_article_back() {
    let (kept, trace) = select(Vsse::PAPER, &figure_3(), "");
    assert_eq!(series(&trace, "seeds"), [4.0, 5.0]);
    assert_eq!(trace.get("path"), Some(&TraceValue::Text("html body div div p".into())));
    assert_eq!(kept.len(), 4);
}

#[test]
fn a_page_without_punctuation_has_no_seeds() {
    assert!(select(Vsse::PAPER, "<p>no marks at all</p>", "marks").0.is_empty());
}

#[test]
fn the_weakest_seed_goes_when_the_area_would_be_the_page() {
    let (long, longer) = (leaf(90, 2), leaf(100, 2));
    let html = format!("<body><div><div><p>{longer}</p><p>b</p></div></div><ul><li>{long}</ul>");
    let (_, trace) = select(Vsse { refine: RefineRule::Off, ..Vsse::PAPER }, &html, "");
    assert_eq!(trace.get("path"), Some(&TraceValue::Text("html body div div p".into())));
    assert_eq!(trace.get("collapsed"), Some(&TraceValue::Flag(false)));
}

#[test]
fn soft_refining_drops_captions_but_not_what_sentences_enclose() {
    let html = "<div><div><p>Caption alone</p><p>A sentence, with marks.</p><p>No mark here</p>
        <p>Another sentence, the end.</p><p><a href=x>Read more, please</a></p></div></div>";
    let (kept, _) = select(Vsse { min_ratio: 0.9, ..Vsse::TUNED }, html, "unrelated words");
    assert_eq!(kept, ["A sentence, with marks.", "No mark here", "Another sentence, the end."]);
}

#[test]
fn literal_refining_keeps_what_equals_the_query() {
    let html = "<div><div><p>storm, coast</p><p>quite something, else again</p></div></div>";
    let (kept, _) = select(Vsse { refine: RefineRule::Literal, ..Vsse::PAPER }, html, "storm coast");
    assert_eq!(kept, ["storm, coast"]);
}

#[test]
fn aggregation_by_tree_takes_the_lowest_common_ancestor() {
    let html =
        format!("<body><div id=a><p>{0}</p><section><p>{0}</p></section></div><div><p>out</p></div>", leaf(50, 2));
    let dom = Vsse { aggregate: SeedAggregation::Dom, refine: RefineRule::Off, ..Vsse::PAPER };
    assert_eq!(select(dom, &html, "").0.len(), 2);
    let lcs = Vsse { aggregate: SeedAggregation::Lcs, ..dom };
    assert_eq!(select(lcs, &html, "").1.get("path"), Some(&TraceValue::Text("html body div p".into())));
}

#[test]
fn keyword_weights_follow_equation_4() {
    assert!((weight(2.0, 4.0, 1.0, 1.0) - 4.7726).abs() < 1e-4);
    assert_eq!(weight(3.0, 4.0, 4.0, 1.0), 3.0);
    assert_eq!(weight(5.0, 1.0, 1.0, 0.0), 0.0);
    let (a, b): (&[u64], &[u64]) = (&[7, 7, 8], &[8]);
    let weights = KeywordWeights::new(&[a, b]);
    assert_eq!(weights.weight(8, 1), 1.0);
    assert_eq!(weights.weight(99, 1), weights.weight(7, 1), "a query word absent from the area counts once");
}

#[test]
fn the_four_bit_toy_votes_1010() {
    let words = [(0b1010, 2.0), (0b0110, 1.0), (0b0011, 0.5)];
    assert_eq!(simhash(words.into_iter()) & 0b1111, 0b1010);
}

#[test]
fn the_scaled_distance_is_22_of_64_bits() {
    assert_eq!([64, 32, 16, 8].map(|bits| SimilarityThreshold::Auto.of(bits)), [22, 9, 3, 0]);
    assert_eq!("auto".parse(), Ok(SimilarityThreshold::Auto));
    assert_eq!("65".parse::<SimilarityThreshold>(), Err(()));
}

#[test]
fn all_leaves_as_seeds_are_folded_in_linear_time() {
    // Every seed but the strongest collapses the area.
    let html: String = (0..30_000).map(|n| format!("<{0}>a, b{1}</{0}>", ["p", "i", "b"][n % 3], n % 7)).collect();
    let html = format!("<body><div><div><p>{}</p></div></div>{html}", leaf(100, 20));
    for aggregate in [SeedAggregation::Prefix, SeedAggregation::Lcs, SeedAggregation::Dom] {
        let vsse = Vsse { min_ratio: 0.0, aggregate, refine: RefineRule::Off, ..Vsse::PAPER };
        let (kept, _) = select(vsse, &html, "");
        assert_eq!(kept.len(), if aggregate == SeedAggregation::Dom { 30_001 } else { 1 }, "{aggregate}");
    }
}
