//! Tests of the analyser: terms, positions, and offsets that point at the right characters.

use proptest::prelude::*;

use super::*;

fn base(text: &str) -> Vec<String> {
    analyse(text, AnalysisMode::Base).into_iter().map(|piece| piece.term).collect()
}

fn words(text: &str, mode: AnalysisMode) -> Vec<String> {
    analyse(text, mode).into_iter().filter(|piece| !piece.base).map(|piece| piece.term).collect()
}

#[test]
fn english_is_cut_into_words_and_identifiers_into_their_parts() {
    assert_eq!(base("The quick (brown) fox-trot, 3.14!"), ["the", "quick", "brown", "fox", "trot", "3.14"]);
    assert_eq!(base("os.path std::vec snake_case v1.2"), ["os", "path", "std", "vec", "snake", "case", "v1.2"]);
    assert_eq!(base("Python's don't 1,000"), ["python", "don't", "1,000"]);
    assert_eq!(base("Python’s don’t"), ["python", "don't"]);
}

#[test]
fn han_runs_give_characters_and_words_at_character_positions() {
    let pieces = analyse("用Gristmill社会主义", AnalysisMode::Index);
    let seen: Vec<_> = pieces.iter().map(|p| (p.term.as_str(), p.position, p.length)).collect();
    let expected = [
        ("用", 0, 1),
        ("gristmill", 1, 1),
        ("社", 2, 1),
        ("社会", 2, 2),
        ("社会主义", 2, 4),
        ("会", 3, 1),
        ("会主", 3, 2),
        ("主", 4, 1),
        ("主义", 4, 2),
        ("义", 5, 1),
    ];
    assert_eq!(seen, expected);
    assert_eq!(words("社会主义", AnalysisMode::Query), ["社会主义"]);
}

#[test]
fn traditional_text_gives_simplified_words_at_traditional_offsets() {
    let text = "☃ 電腦軟體 ok";
    let pieces = analyse(text, AnalysisMode::Index);
    let word = pieces.iter().find(|piece| piece.term == "电脑").expect("word of the dictionary");
    assert_eq!(&text[word.from..word.to], "電腦");
}

#[test]
fn korean_and_katakana_give_syllables_and_whole_words() {
    assert_eq!(base("서울에서"), ["서", "울", "에", "서"]);
    assert_eq!(words("서울에서 コンピューター", AnalysisMode::Query), ["서울에서", "コンピューター"]);
    let decomposed = "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}";
    assert_eq!(base(decomposed), ["한", "국"]);
    assert_eq!(base("ｶﾞｷﾞ"), ["ガ", "ギ"]);
}

#[test]
fn marks_selectors_and_emoji_do_not_shift_offsets() {
    let text = "👩‍🚀 re\u{301}sume\u{301} 葛\u{e0100}城 ＨＴＭＬ５";
    let pieces = analyse(text, AnalysisMode::Base);
    let seen: Vec<_> = pieces.iter().filter(|p| p.base).map(|p| (p.term.as_str(), &text[p.from..p.to])).collect();
    let expected = [("resume", "re\u{301}sume\u{301}"), ("葛", "葛\u{e0100}"), ("城", "城"), ("html5", "ＨＴＭＬ５")];
    assert_eq!(seen, expected);
}

#[test]
fn a_stretch_without_blanks_is_cut_where_punctuation_stands() {
    let sentence = "研究人员表示，";
    let text = sentence.repeat(2000);
    let pieces = analyse(&text, AnalysisMode::Index);
    assert_eq!(pieces.iter().filter(|piece| piece.term == "研究").count(), 2000);
    let positions: Vec<_> = pieces.iter().filter(|p| p.base).map(|p| p.position).collect();
    assert!(positions.windows(2).all(|pair| pair[0] + 1 == pair[1]));
}

#[test]
fn an_endless_word_takes_a_position_and_no_term() {
    let text = format!("before {} after", "x".repeat(500));
    let pieces = analyse(&text, AnalysisMode::Index);
    let seen: Vec<_> = pieces.iter().map(|p| (p.term.as_str(), p.position)).collect();
    assert_eq!(seen, [("before", 0), ("after", 2)]);
}

#[test]
fn signs_make_other_words() {
    assert_eq!(
        base("C++ C# F#, C C++17 g++. a+b a+++ x#1 C"),
        ["c++", "c#", "f#", "c", "c++", "17", "g++", "a", "b", "a", "x", "1", "c"]
    );
    assert_eq!(base("使用C++开发"), ["使", "用", "c++", "开", "发"]);
    assert_eq!(words("The .NET runtime, (.rs) and asp.net. End .5", AnalysisMode::Query), [".net", ".rs"]);
    assert_eq!(base("The .NET"), ["the", "net"]);
}

#[test]
fn emoji_are_found_and_take_no_position() {
    let pieces = analyse("I love 🍕 pizza 👩🏽‍🚀!", AnalysisMode::Index);
    let seen: Vec<_> = pieces.iter().map(|p| (p.term.as_str(), p.position, p.length)).collect();
    assert_eq!(seen, [("i", 0, 1), ("love", 1, 1), ("🍕", 2, 0), ("pizza", 2, 1), ("👩🚀", 3, 0)]);
    let pieces = analyse("吃🍕吗☕️", AnalysisMode::Base);
    let seen: Vec<_> = pieces.iter().map(|p| (p.term.as_str(), p.position)).collect();
    assert_eq!(seen, [("吃", 0), ("🍕", 1), ("吗", 1), ("☕", 2)]);
}

#[test]
fn a_new_line_parts_positions_and_a_blank_does_not() {
    let positions: Vec<_> =
        analyse("\n\none two\nthree\n\n four", AnalysisMode::Base).iter().map(|p| p.position).collect();
    assert_eq!(positions, [0, 1, 2 + LINE_GAP, 3 + 2 * LINE_GAP]);
}

/// Text of many scripts, with what lies between them.
fn mixed() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        "[a-zA-Z0-9 .,'_:-]{1,12}",
        "[一-龥]{1,8}",
        "[ぁ-んァ-ヶー]{1,5}",
        "[가-힣]{1,5}",
        "[Ａ-Ｚ０-９．，]{1,5}",
        "[à-ÿ\u{300}-\u{305}\u{200d}\u{fe0f}😀👩🚀]{1,5}",
        "\\PC{1,6}",
    ];
    proptest::collection::vec(letters, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn offsets_lie_between_characters_and_their_text_folds_to_the_term(text in mixed()) {
        for piece in analyse(&text, AnalysisMode::Index) {
            let original = text.get(piece.from..piece.to);
            prop_assert!(original.is_some(), "{piece:?}");
            let mut folded = crate::fold(original.unwrap());
            if piece.script == Script::Han {
                folded.retain(|c| !is_attached(c));
            }
            prop_assert_eq!(folded, piece.term);
        }
    }

    #[test]
    fn positions_rise_without_gaps_and_words_cover_base_terms(text in mixed()) {
        let pieces = analyse(&text, AnalysisMode::Index);
        let base: Vec<_> = pieces.iter().filter(|p| p.base).collect();
        for (n, piece) in base.iter().enumerate() {
            prop_assert_eq!(piece.position, n);
        }
        prop_assert!(pieces.windows(2).all(|pair| pair[0].position <= pair[1].position));
        for word in pieces.iter().filter(|p| !p.base && p.length > 0 && !p.term.starts_with('.')) {
            let covered = &base[word.position..word.position + word.length];
            let joined: String = covered.iter().map(|p| p.term.as_str()).collect();
            prop_assert_eq!(&joined, &word.term);
            prop_assert_eq!((covered[0].from, covered[word.length - 1].to), (word.from, word.to));
        }
    }

    #[test]
    fn the_base_layer_is_the_same_in_every_mode(text in mixed()) {
        let of = |mode| {
            let pieces = analyse(&text, mode).into_iter().filter(|p| p.base);
            pieces.map(|p| (p.term, p.position, p.from, p.to)).collect::<Vec<_>>()
        };
        prop_assert_eq!(of(AnalysisMode::Index), of(AnalysisMode::Base));
        prop_assert_eq!(of(AnalysisMode::Query), of(AnalysisMode::Base));
    }

    #[test]
    fn the_quick_way_for_ascii_gives_what_the_tables_give(text in "[a-zA-Z0-9 .,;:'_()\"/-]{0,60}") {
        let mut slow = Scan::new(&text, AnalysisMode::Base);
        slow.spaced(0, text.len());
        let terms = &slow.terms;
        let slow: Vec<_> = slow.places.iter().map(|p| (terms[p.term.clone()].to_owned(), p.from, p.to)).collect();
        let quick: Vec<_> = analyse(&text, AnalysisMode::Base).into_iter().map(|p| (p.term, p.from, p.to)).collect();
        prop_assert_eq!(quick, slow);
    }
}
