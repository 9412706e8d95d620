//! Tests of snippets: the right words are marked, whatever stands around them.

use proptest::prelude::*;

use super::*;

fn rows(queries: &[&str]) -> Vec<Pattern> {
    let row = |query: &&str| {
        Pattern::of_row(analyse(query, AnalysisMode::Base).into_iter().map(|piece| piece.term).collect())
    };
    queries.iter().map(row).collect()
}

#[test]
fn other_forms_are_marked_in_the_language_of_the_text() {
    let forms = ["en\u{1}council", "usbc"].map(str::to_owned).to_vec();
    let patterns = [Pattern { rows: vec![vec!["council".into()]], forms }];
    let text = "The Councils’ USB-C cable; one council, no counsel.";
    assert_eq!(marked(&Snippet::best(text, "en", &patterns, 200)), ["Councils", "USB-C", "council"]);
    assert_eq!(marked(&Snippet::whole(text, "de", &patterns, 200)), ["USB-C", "council"]);
}

fn marked(snippet: &Snippet) -> Vec<&str> {
    snippet.ranges.iter().map(|range| &snippet.text[range.clone()]).collect()
}

#[test]
fn matches_are_marked_in_text_of_many_scripts() {
    let text = "👩‍🚀 e\u{301}tude ＰＹＴＨＯＮ：電腦軟體，Python’s “os.path” 好。";
    let snippet = Snippet::best(text, "en", &rows(&["python", "软体", "path", "étude"]), 200);
    assert_eq!(marked(&snippet), ["e\u{301}tude", "ＰＹＴＨＯＮ", "軟體", "Python", "path"]);
    assert_eq!(snippet.cut, (false, false));
}

#[test]
fn matches_side_by_side_are_one_mark_in_chinese_and_two_in_english() {
    let snippet = Snippet::whole("石磨豆腐的石磨", "zh", &rows(&["石", "磨豆腐", "石磨"]), 80);
    assert_eq!(marked(&snippet), ["石磨豆腐", "石磨"]);
    assert_eq!(marked(&Snippet::whole("os.path", "en", &rows(&["os", "path"]), 80)), ["os", "path"]);
}

#[test]
fn html_of_strangers_is_escaped_inside_and_outside_of_marks() {
    let snippet = Snippet::best("<b>\"x\" & 'y'</b>", "", &rows(&["x"]), 100);
    let expected = "&lt;b&gt;&quot;<mark>x</mark>&quot; &amp; &#39;y&#39;&lt;/b&gt;";
    assert_eq!(snippet.to_html(), expected);
}

#[test]
fn the_piece_with_most_of_the_words_is_shown() {
    let filler = "Nothing of interest stands here. ".repeat(40);
    let text = format!("alpha {filler}The alpha and the beta meet here. {filler}beta");
    let snippet = Snippet::best(&text, "en", &rows(&["alpha", "beta"]), 120);
    assert_eq!(marked(&snippet), ["alpha", "beta"]);
    assert!(snippet.text.contains("The alpha and the beta meet here."), "{}", snippet.text);
    assert_eq!(snippet.cut, (true, true));
}

#[test]
fn chinese_snippets_are_half_as_many_characters() {
    let text = format!("{}我们研究机器学习的方法。{}", "前面的话很长。".repeat(80), "后面的话也很长。".repeat(80));
    let snippet = Snippet::best(&text, "en", &rows(&["机器学习"]), 200);
    assert_eq!(marked(&snippet), ["机器学习"]);
    assert!((80..=100).contains(&snippet.text.chars().count()), "{}", snippet.text.chars().count());
}

#[test]
fn without_a_match_the_beginning_is_shown() {
    let snippet = Snippet::best("  One\n\ttwo three four", "", &rows(&["zero"]), 9);
    assert_eq!((snippet.text.as_str(), snippet.cut), ("One two", (false, true)));
    assert_eq!(Snippet::best("", "", &[], 50), Snippet::default());
}

#[test]
fn a_title_is_kept_whole_and_cut_only_when_endless() {
    let title = Snippet::whole("Rust 与 Rust", "", &rows(&["rust"]), 80);
    assert_eq!((marked(&title).len(), title.cut), (2, (false, false)));
    assert!(Snippet::whole(&"x".repeat(1000), "", &[], 80).text.len() <= 80);
}

proptest! {
    #[test]
    fn each_mark_is_made_of_query_terms_and_lies_between_characters(
        text in "([a-c]{1,3}|[ Ａ-Ｃ。，\n]|[社会主义學学]{1,4}|[가나]{1,3}|\u{301}|😀|👩‍🚀){0,60}",
        queries in proptest::collection::vec("[a-c]{1,3}|[社会主义学]{1,3}|[가나]{1,2}", 1..4),
        columns in 1usize..80,
    ) {
        let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
        let patterns = rows(&queries);
        let snippet = Snippet::best(&text, "", &patterns, columns);
        for range in &snippet.ranges {
            let mark = snippet.text.get(range.clone());
            prop_assert!(mark.is_some_and(|mark| !mark.is_empty()), "{snippet:?}");
            let words = analyse(mark.unwrap(), AnalysisMode::Base).into_iter().filter(|piece| piece.base);
            let terms: Vec<String> = words.map(|piece| piece.term).collect();
            let mut covered = vec![false; terms.len()];
            for pattern in patterns.iter().flat_map(|pattern| &pattern.rows) {
                for at in 0..terms.len() {
                    if terms[at..].starts_with(pattern.as_slice()) {
                        covered[at..at + pattern.len()].fill(true);
                    }
                }
            }
            prop_assert!(covered.into_iter().all(|covered| covered), "{terms:?} of {snippet:?}");
        }
        prop_assert!(snippet.ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
        if !find(&text, "", &patterns).is_empty() {
            prop_assert!(!snippet.ranges.is_empty(), "{snippet:?}");
        }
    }
}
